# SPDX-License-Identifier: MIT
"""The Python package's accessibility and nearest facilities against sums over SciPy's and our own
rows; their arguments. Skipped without NumPy."""

import math
import random
import threading
import unittest

from support import import_package, needs, optional, random_matrix

numpy, pandas, scipy, networkx, igraph = optional("numpy", "pandas", "scipy", "networkx", "igraph")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", NumPy=numpy)


class Accessibility(unittest.TestCase):

    @needs(SciPy=scipy)
    def test_scipy(self):
        """Every sum, and every facility, from the rows of SciPy's dijkstra."""
        from scipy.sparse.csgraph import dijkstra
        chance = random.Random(1)
        for number in range(60):
            n, directed = chance.randint(1, 30), number % 2 == 0
            weights = random_matrix(chance, n, 2 * n, directed, [3, 1000][number % 2])
            weights /= [1, 10, 7][number % 3]
            masses = numpy.array([[chance.randint(0, 5), chance.random()] for _ in range(n)])
            sources = chance.sample(range(n), chance.randint(1, n)) if number % 5 else None
            decays, limits = [2.5, 90.0], [0, weights.max() * 1.5, numpy.inf]
            found = apsp.accessibility(weights, masses, decays, limits, sources, directed=directed)
            dist = dijkstra(weights, directed=directed)
            rows = dist if sources is None else dist[sources]
            self.assertEqual(found.sources.tolist(), sources or list(range(n)))
            for j, decay in enumerate(decays):
                numpy.testing.assert_allclose(found.decayed[:, :, j],
                                              numpy.exp(-rows / decay) @ masses, rtol=1e-12)
            for j, limit in enumerate(limits):
                reached = (rows <= limit) & numpy.isfinite(rows)
                numpy.testing.assert_allclose(found.within[:, :, j], reached @ masses, rtol=1e-12)
            facilities = chance.sample(range(n), chance.randint(1, n))
            near = apsp.nearest(weights, facilities, k=4, directed=directed)
            order = numpy.argsort(dist[:, facilities], axis=1, kind="stable")[:, :4]
            numpy.testing.assert_allclose(
                near.distances[:, :order.shape[1]],
                numpy.take_along_axis(dist[:, facilities], order, axis=1), rtol=1e-12)
            if number % 3 == 0:  # sums of other weights are rounded in SciPy's order
                right = numpy.where(
                    numpy.isfinite(numpy.take_along_axis(dist[:, facilities], order, axis=1)),
                    numpy.array(facilities)[order], -1)
                self.assertEqual(near.facilities[:, :order.shape[1]].tolist(), right.tolist())
            self.assertTrue((near.facilities[:, order.shape[1]:] == -1).all())

    def test_engines(self):
        """Both ways find the same, and any number of threads the same bits."""
        side = 45
        at = numpy.arange(side * side).reshape(side, side)
        tails = numpy.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
        heads = numpy.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
        weights = numpy.array([1 + v * v % 997 for v in range(len(tails))])
        streets = apsp.Graph(list(range(side * side)), tails, heads, weights, False)
        masses = numpy.arange(side * side) % 5
        found = {engine: apsp.accessibility(streets, masses, [300, 5000], engine=engine)
                 for engine in ("searches", "classes", None)}
        self.assertEqual({name: each.engine for name, each in found.items()},
                         {"searches": "searches", "classes": "classes", None: "classes"})
        numpy.testing.assert_allclose(found["classes"].decayed, found["searches"].decayed, rtol=1e-12)
        for threads in 1, 2:
            again = apsp.accessibility(streets, masses, [300, 5000], threads=threads)
            self.assertEqual(again.decayed.tobytes(), found[None].decayed.tobytes())

    def test_decimals(self):
        """Decimals are added as on paper; other weights on a grid, which is said."""
        path = [[0, 0.1, 0], [0, 0, 0.2], [0, 0, 0]]
        found = apsp.accessibility(path, [0, 0, 1], limits=0.3)
        self.assertEqual((found.within.ravel().tolist(), found.grid_error), ([1, 1, 1], 0))
        self.assertEqual(apsp.nearest(path, [2]).distances[0, 0], 0.3)
        path[0][1] = 1 / 3
        found = apsp.accessibility(path, [0, 0, 1], decays=0.5)
        self.assertTrue(0 < found.grid_error < 1e-14 and found.grid_spacing > 0)
        self.assertAlmostEqual(found.decayed[0, 0, 0], numpy.exp(-(1 / 3 + 0.2) / 0.5))
        for found in (apsp.accessibility([[0, 3, 0], [0, 0, 21], [0, 0, 0]], [0, 0, 1], 9, scale=10, grid=0.5),
                      apsp.nearest([[0, 3, 0], [0, 0, 21], [0, 0, 0]], [2], scale=10, grid=0.5)):
            self.assertEqual((found.grid_spacing, found.grid_error), (0.4, 0.4))  # half of it for each edge
        with self.assertRaisesRegex(apsp.ApspError, "weights on a grid"):
            apsp.nearest(path, [2], grid="off")

    @needs(pandas=pandas)
    def test_pandas(self):
        """Frames in, by name and in any order, and frames out, with the columns of the shell."""
        town = apsp.Graph(["Home", "Park", "Market"], [0, 1], [1, 2], [4, 3], False)
        places = pandas.DataFrame({"jobs": [120, 2], "shops": [14, 1]}, index=["Market", "Park"])
        found = apsp.accessibility(town, places, decays=[10, 2.5], limits=4)
        frame = found.to_frame()
        self.assertEqual(list(frame.columns), [
            "jobs_exp_10", "jobs_exp_2.5", "jobs_within_4", "shops_exp_10", "shops_exp_2.5",
            "shops_within_4"])
        self.assertEqual(frame["jobs_within_4"].to_dict(), {"Home": 2, "Park": 122, "Market": 122})
        self.assertEqual(apsp.accessibility(town, places["jobs"], limits=4).masses, ["jobs"])
        near = apsp.nearest(town, [2, 0], k=3).to_frame()
        self.assertEqual(near.loc["Park", "nearest_1"], "Market")
        self.assertEqual(near.loc["Park", "distance_2"], 4)
        self.assertIsNone(near.loc["Park", "nearest_3"])
        for wrong, expected in ((places.rename(index={"Park": "Prk"}), "masses: .*'Prk'"),
                                (places.rename(index={"Park": "Market"}), "masses: .*several times"),
                                (places.replace(2, math.nan), "finite numbers of 0 or more, found nan")):
            with self.assertRaisesRegex(ValueError, expected):
                apsp.accessibility(town, wrong, limits=4)

    @needs(pandas=pandas)
    def test_names_of_other_graphs(self):
        """A frame is taken by NetworkX's nodes and igraph's names, not by their places."""
        masses = pandas.DataFrame({"m": [1, 10, 100]}, index=[0, 1, 2])
        nodes = [2, 0, 1]
        if networkx is not None:
            graph = networkx.DiGraph(list(zip(nodes, nodes[1:] + nodes[:1])))
            expected = {u: sum(masses["m"][[u, *graph[u]]]) for u in graph}
            self.assertEqual(apsp.accessibility(graph, masses, limits=1).to_frame()["m_within_1"].to_dict(), expected)
            self.assertEqual(list(apsp.nearest(graph, [0]).to_frame()["nearest_1"]), [2, 2, 2])
        if igraph is not None:
            graph = igraph.Graph(edges=[(0, 1), (1, 2), (2, 0)], directed=True)
            graph.vs["name"] = ["c", "a", "b"]
            frame = apsp.accessibility(graph, masses.set_axis(["a", "b", "c"]), limits=1, weight=None).to_frame()
            self.assertEqual(frame["m_within_1"].to_dict(), {"c": 101, "a": 11, "b": 110})

    def test_arguments(self):
        path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
        ones = [1, 1, 1]
        for expected, call in (
                ("decays, limits: expected", lambda: apsp.accessibility(path, ones)),
                ("limit: expected 0 or more", lambda: apsp.accessibility(path, ones, limits=-1)),
                ("masses: expected one or more", lambda: apsp.accessibility(path, [1, 1], 1)),
                ("masses: expected one or more", lambda: apsp.accessibility(path, 5, 1)),
                ("array of shape .* for 'jobs'",
                 lambda: apsp.accessibility(path, {"jobs": [1]}, 1)),
                ("decays: expected numbers", lambda: apsp.accessibility(path, ones, [[1]])),
                ("check: expected none", lambda: apsp.accessibility(path, ones, 1, check=True)),
                ("engine: expected auto, searches or classes",
                 lambda: apsp.accessibility(path, ones, 1, engine="cpu")),
                ("engine: expected none", lambda: apsp.nearest(path, [0], engine="searches")),
                ("facilities: expected one or more", lambda: apsp.nearest(path, [])),
                ("facilities: expected vertices 0 .. 2, found 3", lambda: apsp.nearest(path, [3])),
                ("facilities: expected vertices, found 'Park': a name has the number",
                 lambda: apsp.nearest(path, ["Park"])),
                ("facilities: expected different", lambda: apsp.nearest(path, [1, 1])),
                ("k: expected", lambda: apsp.nearest(path, [1], k=0))):
            with self.assertRaisesRegex(ValueError, expected):
                call()
        for kind in "decays", "limits":  # 2^16 numbers of a source are the most
            many = {kind: numpy.arange(1, 257)}
            self.assertEqual(len(apsp.accessibility(path, numpy.ones((3, 256)), **many).sources), 3)
            with self.assertRaisesRegex(apsp.ApspError, "at most 65536 numbers"):
                apsp.accessibility(path, numpy.ones((3, 257)), **many)
        for expected, call in (
                ("expected decays above 0", lambda: apsp.accessibility(path, ones, 0)),
                ("found -1 in mass 0 of vertex 1", lambda: apsp.accessibility(path, [1, -1, 1], 1)),
                ("weights of 0 or more",
                 lambda: apsp.accessibility([[0, -1], [0, 0]], [1, 1], 1))):
            with self.assertRaisesRegex(apsp.ApspError, expected):
                call()

    def test_progress(self):
        """Who watches is told, in the caller's thread, and may stop the work."""
        told = []

        def watch(done, total):
            told.append((done, total, threading.current_thread() is threading.main_thread()))
        n = 60
        ring = apsp.Graph(list(range(n)), range(n), [(v + 1) % n for v in range(n)], [1] * n, False)
        apsp.accessibility(ring, [1] * n, 5, progress=watch)
        self.assertTrue(told and all(0 <= done <= total and mine for done, total, mine in told))

        def stop(done, total):
            raise KeyError("stop")
        with self.assertRaises(KeyError):
            apsp.nearest(ring, [0, 30], progress=stop)


if __name__ == "__main__":
    unittest.main()
