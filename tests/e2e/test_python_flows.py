# SPDX-License-Identifier: MIT
"""The Python package's betweenness against igraph and NetworKit, which honour weights, and against
what it must be; its arguments. Skipped without NumPy."""

import random
import threading
import unittest

from support import import_package, needs, optional, random_matrix

numpy, networkx, igraph, networkit = optional("numpy", "networkx", "igraph", "networkit")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", NumPy=numpy)


class Flows(unittest.TestCase):

    def near(self, found, expected):
        numpy.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)

    @needs(igraph=igraph)
    def test_igraph(self):
        """Betweenness of igraph's own graphs, whose edges have an order and a direction, is what
        igraph says."""
        chance = random.Random(1)
        for number in range(60):
            n, directed = chance.randint(1, 30), number % 2 == 0
            weights = random_matrix(chance, n, 3 * n, directed, [1, 3, 1000][number % 3])
            tails, heads = numpy.nonzero(weights if directed else numpy.triu(weights))
            graph = igraph.Graph(n=n, edges=list(zip(tails.tolist(), heads.tolist())),
                                 directed=directed)
            graph.es["weight"] = weights[tails, heads].tolist()
            found = apsp.betweenness(graph, edges=True, normalized=False)
            factor = 2 if directed and found.is_undirected else 1
            self.near(found.vertices * factor,
                      graph.betweenness(directed=directed, weights="weight"))
            if factor == 1:
                by_ends = dict(zip(zip(found.edge_tails.tolist(), found.edge_heads.tolist()),
                                   found.edges.tolist()))
                self.near([by_ends[edge] for edge in graph.get_edgelist()],
                          graph.edge_betweenness(directed=directed, weights="weight"))

    @needs(NetworKit=networkit)
    def test_networkit(self):
        chance = random.Random(2)
        for number in range(20):
            n, directed = chance.randint(3, 60), number % 2 == 0
            weights = random_matrix(chance, n, 3 * n, directed, 4)
            graph = networkit.Graph(n, weighted=True, directed=directed)
            for u, v in zip(*numpy.nonzero(weights if directed else numpy.triu(weights))):
                graph.addEdge(int(u), int(v), weights[u, v])
            theirs = networkit.centrality.Betweenness(graph, normalized=True)
            self.near(apsp.betweenness(weights).vertices, theirs.run().scores())

    @needs(NetworkX=networkx)
    def test_sample(self):
        """As NetworkX 3.6 has it: a source of the sample has no pairs with itself."""
        chance = random.Random(4)
        for number in range(30):
            n, kind = chance.randint(3, 12), (networkx.Graph, networkx.DiGraph)[number % 2]
            weights = random_matrix(chance, n, 3 * n, number % 2 == 1, 3)
            some = chance.sample(range(n), chance.randint(1, n))
            pairs = networkx.betweenness_centrality_subset(
                networkx.from_numpy_array(weights, create_using=kind), some, range(n), weight="weight")
            for normalized in True, False:
                found = apsp.betweenness(weights, some, normalized=normalized, directed=number % 2 == 1)
                both = 1 if number % 2 == 1 else 2  # NetworkX takes half of an undirected pair
                factor = both / (n - 2) if normalized else (n - 1) * both / (1 + found.is_undirected)
                others = [len(some) - (v in some) for v in range(n)]  # nothing is known of the only source
                self.near(found.vertices, [pairs[v] * factor / others[v] if others[v] else numpy.nan
                                           for v in range(n)])

    def test_grid_of_streets(self):
        """All streets alike: more shortest paths than float64 has numbers for, and a symmetry."""
        side = 260
        at = numpy.arange(side * side).reshape(side, side)
        tails = numpy.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
        heads = numpy.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
        streets = apsp.Graph(list(range(side * side)), tails, heads, numpy.ones(len(tails)), False)
        found = apsp.betweenness(streets, [0, side * side - 1], normalized=False, edges=True)
        plane = found.vertices.reshape(side, side)
        self.near(plane, plane.T)
        self.near(plane, plane[::-1, ::-1])
        self.assertTrue(numpy.isfinite(plane).all() and plane.min() >= 0)
        # The load of all edges is as long as all distances from the two corners.
        distances = apsp.solve(streets, [0, side * side - 1]).distances.sum()
        self.near(found.edges.sum(), distances * side * side / (2 * 2))

    def test_decimals(self):
        """Weights with decimals tie as they do on paper; others as they are rounded to a grid."""
        ways = numpy.zeros((4, 4))
        ways[0, 1], ways[1, 3], ways[0, 2], ways[2, 3] = 0.1, 0.2, 0.2, 0.1
        ways[0, 3] = 0.3
        third = [0, 1 / 3, 1 / 3, 0]
        for how in {"scale": 10}, {}:
            found = apsp.betweenness(ways, normalized=False, **how)
            self.near(found.vertices, third)
            self.assertEqual((found.grid_spacing, found.grid_error), (0, 0))
        found = apsp.betweenness(ways, normalized=False, grid=1 / 16)  # 2 + 3 steps are 5
        self.near(found.vertices, third)
        self.assertEqual((found.grid_spacing, found.grid_error > 0), (1 / 16, True))
        ways[0, 3] = 1 / 3  # the other ways are shorter, and no longer alike where they are rounded
        found = apsp.betweenness(ways, normalized=False)
        self.near(found.vertices, [0, 0.5, 0.5, 0])
        self.near(apsp.betweenness(ways, normalized=False, grid=0.125).vertices, third)
        self.assertTrue(0 < found.grid_error < 1e-14 and found.grid_spacing > 0)
        with self.assertRaisesRegex(apsp.ApspError, "weights on a grid"):
            apsp.betweenness(ways, grid="off")

    def test_long_ways(self):
        """Integers whose distances are beyond int32, and beyond what is exact."""
        chain = numpy.zeros((5, 5))
        for v in range(4):
            chain[v, v + 1] = 2**30 + v
        self.near(apsp.betweenness(chain, normalized=False).vertices, [0, 3, 4, 3, 0])
        chain[0, 1] = 2**52
        self.assertEqual(apsp.betweenness(chain).grid_spacing, 2)

    def test_masses(self):
        """Traffic: what leaves and enters a vertex differs by what begins and ends there."""
        chance = random.Random(3)
        for number in range(20):
            n = chance.randint(2, 30)
            weights = random_matrix(chance, n, 4 * n, number % 2 == 0, 3)
            begins = numpy.array([chance.randint(0, 4) / 2 for _ in range(n)])
            ends = numpy.array([chance.random() for _ in range(n)])
            if number % 5 >= 3:
                weights = weights / (7, 10)[number % 5 - 3]  # on no grid; with decimals
            decay = (None, 2.5, 0.3)[number % 3]
            found = apsp.betweenness(weights, edges=True, from_mass=begins, to_mass=ends, decay=decay)
            distances = apsp.shortest_path(weights)
            pairs = (numpy.isfinite(distances) & ~numpy.eye(n, dtype=bool)) * (
                1 if decay is None else numpy.exp(-distances / decay))
            leave = numpy.bincount(found.edge_tails, found.edges, n)
            enter = numpy.bincount(found.edge_heads, found.edges, n)
            self.near(leave - found.vertices, begins * (pairs @ ends))
            self.near(enter - found.vertices, ends * (begins @ pairs))
            self.near(found.edges @ weights[found.edge_tails, found.edge_heads],
                      begins @ numpy.where(pairs, distances * pairs, 0) @ ends)

    def test_arguments(self):
        path = numpy.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
        for given, what in (({"engine": "cpu"}, "engine: expected auto"), ({"check": True}, "check"),
                            ({"device": [0, 1]}, "device"), ({"sources": [0, 0]}, "sources"),
                            ({"from_mass": [1, 2]}, "from_mass"),
                            ({"to_mass": [1, -1, 0]}, "to_mass"),
                            ({"to_mass": [1, numpy.nan, 0]}, "to_mass"),
                            ({"to_mass": [1, 1, 0], "normalized": True}, "normalized"),
                            ({"decay": 2, "normalized": True}, "normalized"),
                            ({"decay": 0}, "decay"), ({"decay": numpy.nan}, "decay"),
                            ({"threads": -1}, "threads")):
            with self.subTest(given), self.assertRaisesRegex((ValueError, apsp.ApspError),
                                                             "^" + what):
                apsp.betweenness(path, **given)
        with self.assertRaises(TypeError):
            apsp.betweenness(path, limit=3)
        with self.assertRaisesRegex(apsp.ApspError, "no cycle of weight 0"):
            apsp.betweenness(networkx_like([(0, 1, 0), (1, 0, 0)]))
        with self.assertRaisesRegex(apsp.ApspError, "0 or more, found -1"):
            apsp.betweenness(-path)
        none = apsp.betweenness(numpy.zeros((0, 0)), edges=True)
        self.assertEqual((len(none.vertices), len(none.edges)), (0, 0))
        self.near(apsp.betweenness(numpy.zeros((1, 1)), edges=True).vertices, [0])

    def test_progress(self):
        """It is told how far the work is, in this thread, and stops it."""
        weights = random_matrix(random.Random(4), 300, 1500, True, 9)
        said = []
        # One thread: with several, this one may come too late for any of the work.
        apsp.betweenness(weights, threads=1, progress=lambda done, total: said.append(
            (done, total, threading.current_thread())))
        self.assertIn(300, [total for _, total, _ in said])
        self.assertTrue(all(0 <= done <= total and thread is threading.current_thread()
                            for done, total, thread in said))

        def stop(_done, _total):
            raise KeyError("enough")
        with self.assertRaisesRegex(KeyError, "enough"):
            apsp.betweenness(weights, progress=stop)


    @needs(NetworkX=networkx)
    def test_loads(self):
        chance = random.Random(5)
        for number in range(40):
            n, scale = chance.randint(2, 14), (1, 10)[number % 2]
            graph = networkx.DiGraph()
            graph.add_nodes_from(range(n))
            graph.add_weighted_edges_from((u, v, chance.randint(1, 3) / scale) for u, v in
                                          (chance.sample(range(n), 2) for _ in range(3 * n)))
            whole = {(u, v): round(w * scale) for u, v, w in graph.edges(data="weight")}
            networkx.set_edge_attributes(graph, whole, "whole")
            trips = [(chance.randrange(n), chance.randrange(n), chance.randint(0, 4)) for _ in range(8)]
            expected, length, lost = dict.fromkeys(graph.edges, 0.0), 0, 0
            for origin, destination, count in trips:
                if not networkx.has_path(graph, origin, destination):
                    lost += count
                    continue
                paths = list(networkx.all_shortest_paths(graph, origin, destination, "whole"))
                for path in paths:
                    for edge in zip(path, path[1:]):
                        expected[edge] += count / len(paths)
                        length += whole[edge] * count / len(paths) / scale
            found = apsp.loads(networkx.to_numpy_array(graph, nonedge=0.0, dtype=float), *zip(*trips),
                               threads=1 + number % 3)
            self.assertEqual((found.within, found.without_path),
                             (sum(count for origin, destination, count in trips if origin == destination),
                              lost))
            self.assertEqual(found.arrived + found.within + lost, sum(count for _, _, count in trips))
            self.assertAlmostEqual(found.length, length)
            ends = list(zip(found.edge_tails.tolist(), found.edge_heads.tolist()))
            self.near(found.edges, [expected[edge] for edge in ends])
            self.assertEqual(set(ends), set(expected))

    def test_loads_refused(self):
        path = [[0, 1], [1, 0]]
        for arguments, said in ((([0], [2]), "0 .. 1, found 2"), (([0, 1], [1]), "as many"),
                                (([0], [-1]), "destinations: .* 0 .. 1, found -1"), (([0], [1], [[1]]), "as many"),
                                (([0.5], [1]), "list of vertices"), (([0], [1], [-1]), "0 or more"),
                                (([0], [1], [numpy.nan]), "0 or more")):
            with self.assertRaisesRegex((ValueError, apsp.ApspError), said):
                apsp.loads(path, *arguments)
        self.near(apsp.loads(path, [], []).edges, [0, 0])


def networkx_like(edges):
    tails, heads, weights = zip(*edges)
    return apsp.Graph(list(range(1 + max(tails + heads))), tails, heads, numpy.array(weights), True)


if __name__ == "__main__":
    unittest.main()
