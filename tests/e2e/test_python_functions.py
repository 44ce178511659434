# SPDX-License-Identifier: MIT
"""The Python package's functions with SciPy's signatures, against SciPy; the types and places of
answers; the graphs of other packages; what stops them. Skipped without SciPy."""

import json
import os
import tempfile
import threading
import unittest
import unittest.mock
import warnings

from support import import_package, needs, optional

numpy, sparse, csgraph, networkx, igraph, rustworkx = optional(
    "numpy", "scipy.sparse", "scipy.sparse.csgraph", "networkx", "igraph", "rustworkx")

NONE = -9999

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", SciPy=csgraph)


def random_graph(rng, n, density=0.1, highest=50, lowest=1):
    """A sparse matrix of integral float64 weights."""
    graph = sparse.random(n, n, density, "csr", random_state=int(rng.integers(2**31)))
    graph.data = rng.integers(lowest, highest, graph.nnz).astype(float)
    return graph


class Functions(unittest.TestCase):

    def assert_same(self, weights, found, expected):
        """The same distances, and predecessors at the same places, one edge before."""
        dist, pred = found
        numpy.testing.assert_array_equal(dist, expected[0])
        self.assertEqual((dist.dtype, pred.dtype, pred.shape),
                         (expected[0].dtype, expected[1].dtype, expected[1].shape))
        flat_dist, flat_pred = dist.reshape(-1, dist.shape[-1]), pred.reshape(-1, dist.shape[-1])
        numpy.testing.assert_array_equal(pred == NONE, expected[1] == NONE)
        i, v = numpy.nonzero(flat_pred != NONE)
        numpy.testing.assert_array_equal(
            flat_dist[i, flat_pred[i, v]] + weights[flat_pred[i, v], v], flat_dist[i, v])

    def test_random_graphs(self):
        """Indices of every shape, below 0 and twice; every method; with and without directions."""
        rng = numpy.random.default_rng(21)
        names = ("dijkstra", "johnson", "bellman_ford", "shortest_path")
        for number in range(36):
            n = int(rng.choice([1, 7, 40, 130, 300]))
            graph = random_graph(rng, n, min(1, 6 / n), lowest=0)
            shape = [None, (), (3,), (2, 2), (1, 3), (n,)][number % 6]
            how = {"directed": bool(number % 2), "unweighted": number % 5 == 0}
            if shape is not None:
                how["indices"] = rng.integers(-n, n, shape)
            weights = numpy.full((n, n), numpy.inf)
            stored = graph.tocoo()
            weights[stored.row, stored.col] = 1 if how["unweighted"] else stored.data
            if not how["directed"]:
                weights = numpy.minimum(weights, weights.T)
            name = names[number % 4]
            with self.subTest(number=number, name=name, n=n, **how):
                ours, theirs = getattr(apsp, name), csgraph.dijkstra
                expected = theirs(graph, return_predecessors=True, **how)
                if name == "shortest_path":
                    how["method"] = ("auto", "D", "BF", "J")[number // 4 % 4]
                self.assert_same(weights, ours(graph, return_predecessors=True, **how), expected)
                numpy.testing.assert_array_equal(ours(graph, **how), expected[0])

    def test_nearest(self):
        rng = numpy.random.default_rng(22)
        for number in range(24):
            n = int(rng.choice([2, 9, 60, 400]))
            graph = random_graph(rng, n, min(1, 4 / n), lowest=number % 2)
            indices = rng.integers(0, n, int(rng.integers(1, n + 1)))
            how = {"directed": bool(number % 3), "unweighted": number % 7 == 0,
                   "indices": indices, "limit": [numpy.inf, 30][number // 4 % 2]}
            rows = csgraph.dijkstra(graph, **how)
            with self.subTest(number=number, n=n):
                dist, pred, sources = apsp.dijkstra(graph, min_only=True,
                                                    return_predecessors=True, **how)
                numpy.testing.assert_array_equal(dist, rows.min(axis=0))
                numpy.testing.assert_array_equal(apsp.dijkstra(graph, min_only=True, **how), dist)
                typed = apsp.dijkstra(graph, min_only=True, return_predecessors=True,
                                      dtype="int32", **how)
                numpy.testing.assert_array_equal(typed[0][dist < numpy.inf], dist[dist < numpy.inf])
                reached = numpy.flatnonzero(numpy.isfinite(dist))
                row_of = {int(v): r for r, v in enumerate(indices)}
                for v, pred, sources in ((v, *found) for found in ((pred, sources), typed[1:]) for v in reached):
                    self.assertEqual(rows[row_of[int(sources[v])], v], dist[v])
                    if pred[v] == NONE:
                        self.assertEqual(sources[v], v)
                    else:
                        self.assertEqual(sources[pred[v]], sources[v])
                for pred, sources in (pred, sources), typed[1:]:
                    self.assertTrue((sources[~numpy.isfinite(dist)] == NONE).all())
                    self.assertTrue((pred[indices] == NONE).all())
                    numpy.testing.assert_array_equal(sources[indices], indices)

    def test_eccentricities(self):
        """Eccentricities for weights of every type, of distances beyond int32, too, are those of
        SciPy's rows."""
        rng = numpy.random.default_rng(43)
        for number in range(40):
            n = int(rng.choice([1, 2, 7, 40, 65]))
            graph = random_graph(rng, n, min(1, 5 / n), lowest=1)
            graph.data = graph.data * [1, 2.0**-3, 1 / 7, 2**29][number % 4]
            how = {"directed": bool(number % 3), "unweighted": number % 5 == 0}
            rows = csgraph.dijkstra(graph, **how)
            reached = numpy.where(numpy.isfinite(rows), rows, 0).max(axis=1)
            connected = numpy.isfinite(rows).all()
            with self.subTest(number=number, n=n, **how):
                numpy.testing.assert_array_equal(apsp.eccentricity(graph, **how), reached)
                for function, value in ((apsp.diameter, reached.max()), (apsp.radius, reached.min())):
                    self.assertEqual(function(graph, check=number % 2 == 0, **how),
                                     value if connected else numpy.inf)
        with self.assertRaisesRegex(ValueError, "below 0"):
            apsp.diameter(numpy.array([[0, -1.0], [1, 0]]))
        ring = 2**29 * numpy.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])  # int32 does not hold its distances
        self.assertEqual((apsp.diameter(ring), apsp.eccentricity(ring).tolist()), (2**30, [2**30] * 3))
        self.assertEqual(apsp.accessibility(ring, [1, 0, 4], limits=[2**29, 2**30]).within[:, 0].tolist(),
                         [[1, 5], [4, 5], [5, 5]])
        self.assertEqual(apsp.nearest(ring, [1]).distances.ravel().tolist(), [2**29, 0, 2**30])
        self.assertEqual(apsp.loads(ring, [0], [2]).length, 2**30)
        with self.assertRaisesRegex(apsp.ApspError, r"beyond 2\^53"):
            apsp.diameter(2**52 * numpy.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
        with self.assertRaisesRegex(ValueError, "^engine: "):
            apsp.radius(numpy.array([[0, 1.0], [1, 0]]), engine="cpu")

    def test_refusals(self):
        edge = numpy.array([[0, 1.0], [0, 0]])
        fixed = numpy.zeros((2, 2))
        fixed.flags.writeable = False
        for expected, function, given in (
                ("unrecognized method 'X'", apsp.shortest_path, {"method": "X"}),
                ("Cannot specify indices", apsp.shortest_path, {"method": "FW", "indices": 0}),
                ("out of range 0...N", apsp.dijkstra, {"indices": 2}),
                ("out of range 0...N", apsp.johnson, {"indices": [0, -3]}),
                ("indices: expected vertices", apsp.johnson, {"indices": [0.5]}),
                ("limit: expected 0 or more", apsp.dijkstra, {"limit": -1}),
                ("dtype: expected float64", apsp.shortest_path, {"dtype": "int8"}),
                ("out: expected an array of shape", apsp.shortest_path,
                 {"out": numpy.zeros((2, 3))}),
                ("dtype: expected that of out", apsp.shortest_path,
                 {"out": numpy.zeros((2, 2)), "dtype": "float32"}),
                ("read-only", apsp.shortest_path, {"out": fixed}),
                ("no integers", apsp.shortest_path, {"dtype": "int32", "scale": 2}),
                ("progress: expected None", apsp.rows, {"progress": print})):
            with self.subTest(expected), self.assertRaisesRegex(ValueError, expected):
                function(edge, **given)
        with self.assertRaisesRegex(ValueError, "0 .. 65534 for uint16, found 65535"):
            apsp.shortest_path(edge * 65535, dtype="uint16")
        with self.assertRaisesRegex(ValueError, "0 .. 65534 for uint16, found [0-9]+"):
            apsp.shortest_path(numpy.where(numpy.eye(400, k=1), 65540, 0), dtype="uint16")
        with self.assertRaises(TypeError):
            apsp.dijkstra(edge, tile=3)
        self.assertEqual(apsp.dijkstra(edge, indices=[]).shape, (0, 2))

    def test_sparse_matrices_with_wrong_arrays(self):
        """SciPy lets its arrays be replaced: nothing beyond them is read."""
        for name, broken in (("data", numpy.ones(2)), ("indices", numpy.zeros(2, numpy.int32)),
                             ("indptr", numpy.array([0, 1], numpy.int32)),
                             ("indptr", numpy.array([0, 1, 2, 9], numpy.int32)),
                             ("indptr", numpy.array([0, 1, 2, -1], numpy.int32))):
            graph = sparse.csr_matrix(numpy.eye(3, k=1) + numpy.eye(3, k=-2))
            setattr(graph, name, broken)
            with self.subTest(name, broken=broken), self.assertRaisesRegex(
                    ValueError, "expected a sparse matrix with indices and data for 3 rows"):
                apsp.shortest_path(graph)
        one = numpy.zeros(1, numpy.int64)
        huge = sparse.coo_matrix((numpy.ones(1), (one, one)), shape=(2**31, 2**31))
        with self.assertRaisesRegex(ValueError, "at most 2147483647 rows, found 2147483648"):
            apsp.shortest_path(huge, indices=0)

    def test_few_vertices_with_real_weights_below_0(self):
        graph = numpy.array([[0, 0.1, 0.5], [0, 0, -1 / 3], [0, 0, 0]])
        numpy.testing.assert_array_equal(apsp.shortest_path(graph), csgraph.shortest_path(graph))
        numpy.testing.assert_array_equal(apsp.dijkstra(graph, indices=0),
                                         csgraph.bellman_ford(graph, indices=0))


class Answers(unittest.TestCase):

    def test_int64(self):
        """Against SciPy's dijkstra, whose float64 has integers below 2^53; NumPy's int is int64."""
        rng = numpy.random.default_rng(64)
        for trial in range(40):
            n, most = int(rng.integers(2, 40)), int(2**rng.integers(28, 48))
            graph = rng.integers(0, most, (n, n))
            graph[rng.random((n, n)) < 0.8] = 0
            expected = csgraph.dijkstra(sparse.csr_matrix(graph))
            typed = numpy.full((n, n), apsp.no_path("int64"))
            typed[numpy.isfinite(expected)] = expected[numpy.isfinite(expected)]
            with self.subTest(trial=trial, most=most):
                found, pred = apsp.shortest_path(graph, dtype=int, return_predecessors=True)
                self.assertEqual(found.dtype, numpy.int64)
                numpy.testing.assert_array_equal(found, typed)
                self.assertTrue((pred[typed == apsp.no_path("int64")] < 0).all())
                numpy.testing.assert_array_equal(
                    apsp.solve(graph, [n - 1], dtype="int64").distances, typed[n - 1:])
                out = numpy.empty_like(typed)[::-1]
                apsp.floyd_warshall(graph, out=out)
                numpy.testing.assert_array_equal(out, typed)
                with apsp.rows(graph, dtype="int64") as blocks:
                    for sources, rows in blocks:
                        numpy.testing.assert_array_equal(rows, typed[sources])
        most = 2**53 - 2
        numpy.testing.assert_array_equal(
            apsp.shortest_path([[0, most], [0, 0]], dtype=int), [[0, most], [apsp.no_path(int), 0]])
        for graph, message in (([[0, 0.5], [0, 0]], "no integers"),
                               ([[0, 2.0**60 / 3], [0, 0]], "below 2^53"),
                               ([[0, most, 0], [0, 0, 2], [0, 0, 0]], "below 2^53 for int64, found")):
            with self.subTest(graph=graph), self.assertRaises(ValueError) as caught:
                apsp.shortest_path(graph, dtype="int64")
            self.assertIn(message, str(caught.exception))

    def test_types(self):
        """Small answers, which the library keeps, and ones that are converted as they come."""
        rng = numpy.random.default_rng(23)
        for n in (20, 300):
            graph = random_graph(rng, n, 2 / n)
            expected, expected_pred = apsp.floyd_warshall(graph, return_predecessors=True)
            self.assertTrue(numpy.isinf(expected).any())
            for dtype in ("float64", "float32", "int64", "int32", "uint16"):
                with self.subTest(n=n, dtype=dtype):
                    none = numpy.isinf(expected)
                    typed = numpy.where(none, 0, expected).astype(dtype)
                    typed[none] = apsp.no_path(dtype)
                    found = apsp.shortest_path(graph, dtype=dtype)
                    self.assertEqual(found.dtype, dtype)
                    numpy.testing.assert_array_equal(found, typed)
                    found, pred = apsp.johnson(graph, return_predecessors=True, dtype=dtype,
                                               engine="cpu:johnson")
                    numpy.testing.assert_array_equal(found, typed)
                    self.assertTrue((pred == expected_pred).mean() > 0.5)
                    (_, rows), *_ = apsp.rows(graph, [1], dtype=dtype)
                    numpy.testing.assert_array_equal(rows, typed[1:2])

    def test_out(self):
        """Arrays of the caller: in memory, in a file, in any order."""
        graph = random_graph(numpy.random.default_rng(24), 280, 0.02)
        expected = csgraph.dijkstra(graph)
        with tempfile.TemporaryFile() as file:
            outs = [numpy.empty((280, 280)), numpy.empty((280, 280), dtype=numpy.float32),
                    numpy.empty((280, 280), order="F"), numpy.empty((280, 560))[:, ::2],
                    numpy.memmap(file, dtype=numpy.float64, shape=(280, 280))]
            for out in outs:
                self.assertIs(apsp.shortest_path(graph, out=out), out)
                numpy.testing.assert_array_equal(out, expected)
            del outs, out
        for out in (numpy.empty((2, 2, 280)), numpy.empty((2, 2, 560))[:, :, ::2],
                    numpy.empty((2, 2, 280), order="F")):
            for indices in ([[3, 1], [2, 279]], [[3, 1], [2, 3]]):
                self.assertIs(apsp.dijkstra(graph, indices=indices, out=out), out)
                numpy.testing.assert_array_equal(out, expected[numpy.array(indices)])
        nearest = numpy.empty(280)
        self.assertIs(apsp.dijkstra(graph, indices=[3, 9], min_only=True, out=nearest), nearest)
        numpy.testing.assert_array_equal(nearest, expected[[3, 9]].min(axis=0))

    def test_powers_of_two(self):
        """Weights of few bits at any place are exact, computed as integers."""
        rng = numpy.random.default_rng(25)
        graph = random_graph(rng, 100, highest=2**14)
        expected = csgraph.johnson(graph)
        for power in (-1000, -40, -3, 0, 12, 40, 900):
            with self.subTest(power):
                found = apsp.shortest_path(graph * 2.0**power)
                numpy.testing.assert_array_equal(found, expected * 2.0**power)
                far = expected[0][numpy.isfinite(expected[0])].max() * 2.0**power
                numpy.testing.assert_array_equal(
                    apsp.dijkstra(graph * 2.0**power, indices=0, limit=far / 2),
                    csgraph.dijkstra(graph * 2.0**power, indices=0, limit=far / 2))
        sixteenths = apsp.measures(graph / 16)
        self.assertEqual(sixteenths.distance_sum_of_pairs,
                         apsp.measures(graph).distance_sum_of_pairs / 16)
        with self.assertRaises(apsp.NegativeCycleError) as caught:
            apsp.johnson([[0, 0.25, 0], [0, 0, 0.5], [-1, 0, 0]])
        self.assertEqual(caught.exception.weight, -0.25)
        for weights in ([1e-9, 1], [0.1], [2.0**31 + 1], [1, 2.0**-32]):
            with self.subTest(weights): # the first one is a loop
                index = apsp.Index(sparse.csr_matrix((weights, ([0] * len(weights),
                                                                range(len(weights)))), (3, 3)))
                self.assertEqual(index.distance(0, 1), (weights + [numpy.inf])[1])

    def test_reals(self):
        """Weights of many bits: the distances have the bits of SciPy's dijkstra."""
        rng = numpy.random.default_rng(31)
        for n in (20, 300):
            graph = random_graph(rng, n, 4 / n)
            graph.data = rng.random(graph.nnz)
            expected, their_pred = csgraph.dijkstra(graph, return_predecessors=True)
            dist, pred = apsp.dijkstra(graph, return_predecessors=True)
            numpy.testing.assert_array_equal(dist, expected)
            numpy.testing.assert_array_equal(pred == NONE, their_pred == NONE)
            self.assertTrue(dist.flags.c_contiguous)
            numpy.testing.assert_array_equal(apsp.shortest_path(graph, dtype="float32"),
                                             expected.astype(numpy.float32))
            limit = numpy.median(expected[numpy.isfinite(expected)])
            dist, pred = apsp.dijkstra(graph, limit=limit, return_predecessors=True)
            numpy.testing.assert_array_equal(dist, csgraph.dijkstra(graph, limit=limit))
            self.assertTrue((pred[numpy.isinf(dist)] == NONE).all())
            (_, rows), *_ = apsp.rows(graph, [3], limit=limit)
            numpy.testing.assert_array_equal(rows, dist[3:4])
            for limit in (0, numpy.nextafter(limit, 0), numpy.float32(limit)):
                near = apsp.solve(graph, limit=limit, check=True).distances
                numpy.testing.assert_array_equal(near, csgraph.dijkstra(graph, limit=limit))
                within = apsp.measures(graph, limit=limit)
                self.assertEqual(within.largest_distance, near[numpy.isfinite(near)].max())
                self.assertFalse(hasattr(within, "diameter"))
            self.compare_measures(apsp.measures(graph, grid="off"), expected)
            rounded = apsp.measures(graph)  # many rows: to a grid
            numpy.testing.assert_allclose(rounded.eccentricity, apsp.measures(
                graph, grid="off").eccentricity, rtol=0, atol=rounded.grid_error)
            self.assertEqual(rounded.grid_error > 0, n > 64)
            apsp.solve(graph, check=True)
            with self.assertRaisesRegex(ValueError, "no integers of 32 bits, found int32"):
                apsp.shortest_path(graph, dtype="int32")
        numpy.testing.assert_array_equal(  # integers of more than 32 bits
            apsp.shortest_path(numpy.array([[0, 2**40 + 1, 0], [0, 0, 3], [0, 0, 0]]))[0],
            [0, 2.0**40 + 1, 2.0**40 + 4])
        with self.assertRaises(apsp.NegativeCycleError) as caught:
            apsp.johnson([[0, 0.1, 0], [0, 0, 0.2], [-0.7, 0, 0]])
        self.assertAlmostEqual(caught.exception.weight, -0.4)

    def compare_measures(self, found, dist):
        """Compares measures with those that distances of a graph that is not connected give,
        rounded once or a few times."""
        finite = numpy.isfinite(dist)
        there = numpy.where(finite, dist, 0)
        inverse = numpy.divide(1, there, out=numpy.zeros_like(there), where=there > 0)
        for prefix, axis in (("out_", 1), ("in_", 0)):
            self.assertEqual(list(getattr(found, prefix + "reached")), list(finite.sum(axis=axis)))
            numpy.testing.assert_allclose(getattr(found, prefix + "distance_sum"),
                                          there.sum(axis=axis), rtol=1e-13)
        numpy.testing.assert_array_equal(found.eccentricity, there.max(axis=1))
        numpy.testing.assert_array_equal(found.in_eccentricity, there.max(axis=0))
        numpy.testing.assert_allclose(found.harmonic_centrality, inverse.sum(axis=0), rtol=1e-13)
        self.assertEqual(found.largest_distance, there.max())
        self.assertEqual(dist[found.largest_pair], there.max())
        self.assertAlmostEqual(found.distance_sum_of_pairs, there.sum())
        self.assertEqual(found.is_strongly_connected, finite.all())
        counts, edges = found.histogram
        off = ~numpy.eye(len(dist), dtype=bool) & finite
        numpy.testing.assert_array_equal(counts, numpy.histogram(dist[off], edges)[0])

    def test_verified(self):
        graph = random_graph(numpy.random.default_rng(26), 90, 0.05) / 4
        dist, pred = csgraph.dijkstra(graph, return_predecessors=True)
        apsp.verify(graph, dist)
        apsp.verify(graph, dist, pred)
        apsp.verify(graph, dist[[7, 2]], pred[[7, 2]], sources=[7, 2])
        apsp.verify(graph, csgraph.dijkstra(graph, directed=False), directed=False)
        i, v = numpy.argwhere(pred != NONE)[40]
        for change in (0.25, -0.25, 0.1, numpy.nan, numpy.inf, 2.0**40):
            wrong = dist.copy()
            wrong[i, v] += change
            with self.subTest(change), self.assertRaises(apsp.ApspError) as caught:
                apsp.verify(graph, wrong)
            self.assertEqual(caught.exception.status, 1)
        wrong = pred.copy()
        wrong[i, v] = v
        with self.assertRaisesRegex(apsp.ApspError, r"predecessor of \(%d, %d\)" % (i, v)):
            apsp.verify(graph, dist, wrong)
        with self.assertRaisesRegex(ValueError, "90 x 90 numbers"):
            apsp.verify(graph, dist[:3])


class OtherGraphs(unittest.TestCase):
    """Graphs of packages, which are a matrix with the same edges."""

    def edges(self, rng, n):
        pairs = {(int(u), int(v)) for u, v in rng.integers(0, n, (3 * n, 2)) if u != v}
        return [(u, v, int(rng.integers(0, 9))) for u, v in sorted(pairs)]

    def compare(self, graph, edges, n, directed, **how):
        tails, heads, weights = zip(*edges)
        matrix = numpy.full((n, n), numpy.inf)
        numpy.minimum.at(matrix, (tails, heads), weights)
        there = numpy.isfinite(matrix)
        stored = sparse.csr_matrix((matrix[there], numpy.nonzero(there)), shape=(n, n))
        numpy.testing.assert_array_equal(apsp.shortest_path(graph, **how),
                                         apsp.shortest_path(stored, directed=directed))
        numpy.testing.assert_array_equal(
            apsp.dijkstra(graph, indices=2, unweighted=True, min_only=True),
            apsp.dijkstra(stored, indices=2, unweighted=True, directed=directed))
        self.assertEqual(apsp.measures(graph, **how).diameter,
                         apsp.measures(stored, directed=directed).diameter)

    @unittest.skipIf(networkx is None, "NetworkX is not installed")
    def test_networkx(self):
        edges = self.edges(numpy.random.default_rng(27), 40)
        for kind in (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph):
            with self.subTest(kind.__name__):
                graph = kind()
                graph.add_nodes_from("node %d" % v for v in range(40))
                for u, v, weight in edges:
                    graph.add_edge("node %d" % u, "node %d" % v, weight=weight, length=weight + 1)
                    if graph.is_multigraph():
                        graph.add_edge("node %d" % u, "node %d" % v, weight=weight + 2)
                used = edges
                if not graph.is_directed() and not graph.is_multigraph():  # the last one counts
                    used = [(int(u[5:]), int(v[5:]), weight)
                            for u, v, weight in graph.edges(data="weight")]
                self.compare(graph, used, 40, graph.is_directed())
        lengths = networkx.DiGraph([(0, 1, {"length": 2.5}), (1, 2)])
        numpy.testing.assert_array_equal(apsp.shortest_path(lengths, weight="length", indices=0),
                                         [0, 2.5, 3.5])
        for wrong in ("far", None, 2**70, [1], 1j, float("nan"), -float("inf")):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "expected .*weights"):
                apsp.shortest_path(networkx.DiGraph([(0, 1, {"weight": wrong})]))
        with self.assertRaisesRegex(ValueError, "beyond 2.53"):
            apsp.shortest_path(networkx.DiGraph([(0, 1, {"weight": 2**53 + 1}),
                                                 (1, 2, {"weight": 0.5})]))

    @needs(igraph=igraph)
    def test_igraph(self):
        edges = self.edges(numpy.random.default_rng(28), 40)
        for directed in (True, False):
            graph = igraph.Graph(40, [edge[:2] for edge in edges], directed=directed)
            numpy.testing.assert_array_equal(apsp.shortest_path(graph),
                                             apsp.shortest_path(graph, unweighted=True))
            graph.es["weight"] = [weight for _, _, weight in edges]
            self.compare(graph, edges, 40, directed)

    @needs(rustworkx=rustworkx)
    def test_rustworkx(self):
        edges = self.edges(numpy.random.default_rng(29), 40)
        for kind in (rustworkx.PyGraph, rustworkx.PyDiGraph):
            for payload in (int, lambda weight: {"weight": weight}):
                graph = kind(multigraph=True)
                nodes = graph.add_nodes_from(range(41))
                graph.remove_node(nodes[0])  # the others keep their numbers
                for u, v, weight in edges:
                    graph.add_edge(u + 1, v + 1, payload(weight))
                self.compare(graph, edges, 40, kind is rustworkx.PyDiGraph)


class Stopping(unittest.TestCase):

    def slow(self):
        return numpy.where(numpy.eye(1500, k=1) + numpy.eye(1500, k=-1499), 3, 0)

    def test_progress(self):
        told = []
        dist = apsp.shortest_path(self.slow(), progress=lambda done, total: told.append(
            (done, total, threading.current_thread())), engine="cpu:blocked")
        self.assertEqual(dist[0, 1499], 3 * 1499)
        self.assertEqual(told[-1][0], told[-1][1])
        self.assertEqual({thread for _, _, thread in told}, {threading.current_thread()})

        class Enough(Exception):
            pass

        def stop(_done, _total):
            raise Enough
        for function in (apsp.floyd_warshall, apsp.measures, apsp.solve):
            with self.subTest(function.__name__), self.assertRaises(Enough):
                function(self.slow(), progress=stop, engine="cpu:sequential")

    def test_two_at_once(self):
        """Two threads solve at the same time, each its own graph."""
        rng = numpy.random.default_rng(30)
        graphs = [random_graph(rng, 500, 0.02), random_graph(rng, 400, 0.02)]
        expected = [csgraph.dijkstra(graph) for graph in graphs]
        found = [None, None]

        def solve(number):
            for _ in range(5):
                found[number] = apsp.shortest_path(graphs[number], check=True)
        threads = [threading.Thread(target=solve, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(2):
            numpy.testing.assert_array_equal(found[number], expected[number])

    def test_memory_is_counted(self):
        """A call whose answer would take too much memory is refused before the library solves."""
        graph = sparse.csr_matrix(([1.0], ([0], [1])), shape=(3000, 3000))
        os.environ["APSP_MEMORY_LIMIT"] = str(60 * 2**20)
        try:
            with self.assertRaisesRegex(MemoryError, "MiB"), warnings.catch_warnings():
                apsp.shortest_path(graph, engine="cpu:johnson")
            apsp.dijkstra(graph, indices=range(300))
        finally:
            del os.environ["APSP_MEMORY_LIMIT"]

    def by_light_edges(self, graph):
        """SciPy's distances, without the edges of a complete graph that are heavier than all of these."""
        light = csgraph.dijkstra(sparse.csr_matrix(numpy.where(graph < 0.1, graph, 0)))
        self.assertLess(light.max(), 0.1)
        return light

    def test_dense_real_weights_take_little_memory(self):
        """Three times the answer is enough: edges stay in the arrays that Python made, and those that
        no shortest path has are not sorted. What is left of them is as it was."""
        graph = numpy.random.default_rng(3).random((1200, 1200))
        given, expected = graph.copy(), self.by_light_edges(graph)
        os.environ["APSP_MEMORY_LIMIT"] = str(3 * graph.nbytes)
        try:
            numpy.testing.assert_array_equal(apsp.shortest_path(graph), expected)
        finally:
            del os.environ["APSP_MEMORY_LIMIT"]
        numpy.testing.assert_array_equal(graph, given)

    def test_dense_float32_takes_little_memory(self):
        """An answer of half the size takes little memory, too: edges that no shortest path has are
        not even copied, of which a power of two makes all integers, but for distances that may not
        fit, or none."""
        rng = numpy.random.default_rng(4)
        for graph in (rng.random((1200, 1200), dtype="float32"),
                      rng.random((1200, 1200)).astype("float32")):
            expected = self.by_light_edges(graph).astype("float32")
            os.environ["APSP_MEMORY_LIMIT"] = str(3 * graph.nbytes)
            try:
                numpy.testing.assert_array_equal(apsp.shortest_path(graph, dtype="float32"),
                                                 expected)
            finally:
                del os.environ["APSP_MEMORY_LIMIT"]

    def test_edges_that_no_shortest_path_has(self):
        """Edges that are left out of a dense array change no answer, whatever its edges are
        like."""
        rng = numpy.random.default_rng(5)
        n = 300  # 2^16 entries or more
        plain = rng.random((n, n))

        def changed(change):
            graph = plain.copy()
            change(graph)
            return graph

        def split(graph):
            graph[:150, 150:] = graph[150:, :150] = numpy.inf

        def heavy(graph):  # beside edges that are integers
            graph[:] = graph + 1000.1
            graph[numpy.arange(n), (numpy.arange(n) + 1) % n] = 1

        def below(graph):
            graph[:, 0] = graph[0] = 0.001
            graph[:, 7], graph[9], graph[7, 9] = 0.7, 2, -0.9  # to 9 by a heavy edge

        def apart(graph):
            graph[:] = line
            split(graph)

        line = numpy.abs(plain[0] - plain[0][:, None])
        kinds = {"as it is": plain, "of float32": plain.astype("float32"),
                 "in columns": numpy.asfortranarray(plain), "in steps": numpy.tile(plain, 2)[:, ::2],
                 "two that do not meet": changed(split), "heavy ones": changed(heavy),
                 "none from the first": changed(lambda graph: graph[0].fill(0)),
                 "none to the first": changed(lambda graph: graph[:, 0].fill(numpy.nan)),
                 "metric": line, "two metric ones": changed(apart),
                 "a few": numpy.where(plain < 0.02, plain, 0)}
        for name, graph in kinds.items():
            for directed in (True, False):
                edges = numpy.where(numpy.isnan(graph), numpy.inf, graph)
                with self.subTest(name, directed=directed):
                    found, pred = apsp.shortest_path(graph, directed=directed,
                                                     return_predecessors=True)
                    numpy.testing.assert_array_equal(found, csgraph.dijkstra(edges, directed))
                    both = edges if directed else numpy.fmin(
                        *(numpy.where(some == 0, numpy.inf, some) for some in (edges, edges.T)))
                    i, v = numpy.nonzero(pred != NONE)
                    numpy.testing.assert_array_equal(
                        found[i, pred[i, v]] + both[pred[i, v], v], found[i, v])
        numpy.testing.assert_allclose(apsp.shortest_path(changed(below)),
                                      csgraph.johnson(changed(below)))
        masked = numpy.ma.array(plain, mask=plain < 0.01)  # the light ones
        numpy.testing.assert_array_equal(
            apsp.shortest_path(masked),
            csgraph.dijkstra(numpy.where(plain < 0.01, numpy.inf, plain)))
        numpy.testing.assert_array_equal(apsp.shortest_path(plain, check=True),
                                         csgraph.dijkstra(plain))
        self.assertIsInstance(apsp.measures(kinds["heavy ones"]).diameter, float)
        with self.assertRaisesRegex(ValueError, "no integers"):
            apsp.shortest_path(kinds["heavy ones"], dtype="int32")
        with self.assertRaisesRegex(ValueError, "expected integral weights times 10, found"):
            apsp.shortest_path(plain, scale=10)


class ToFiles(unittest.TestCase):
    """Rows that are written in the formats of the programs. That predecessors are right, `check` has
    proved before they are written."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = os.path.join(place.name, "r")

    def written(self, format):
        """The matrix in the files, infinite where there is no path."""
        if format == "text":
            with open(self.path) as file:
                rows = file.read().split("\n\n")[1].splitlines()
            return numpy.array([row.split() for row in rows if row[0] != "#"], dtype=float)
        if format == "npz":
            found = sparse.load_npz(self.path + ".npz").tocoo()
            dist = numpy.full(found.shape, numpy.inf)
            dist[found.row, found.col] = found.data
            return dist
        found = numpy.load(self.path + ".dist.npy")
        dist = found.astype(float)
        if found.dtype.kind in "iu":
            with open(self.path + ".json") as file:
                dist[found == json.load(file)["infinity"]] = numpy.inf
        return dist

    def test_every_format(self):
        """Any rows and columns, of integers, long integers and real weights."""
        random = numpy.random.default_rng(11)
        for number in range(36):
            n = int(random.integers(2, 90))
            kind = number % 3  # int32, int64, float64
            weights = random.integers(1, 9, 3 * n) * (2**40 if kind == 1 else 1) / (7 if kind == 2 else 1)
            graph = sparse.coo_matrix((weights, random.integers(0, n, (2, 3 * n))), (n, n)).tocsr().astype("f8" if kind == 2 else "i8")
            format = ("text", "npy", "npz", "npy:uint8", "npy:uint16", "npy:auto")[number // 3 % 6]
            chosen = {name: random.permutation(n)[:random.integers(1, n + 1)]
                      for name in ("sources", "targets") if random.integers(3) > 0}
            predecessors = "targets" not in chosen and format != "npz"
            full = csgraph.dijkstra(graph)
            right = full[chosen.get("sources", numpy.arange(n))][:, chosen.get("targets", numpy.arange(n))]
            most = {"npy:uint8": 254, "npy:uint16": 65534}.get(format, 2**53)
            with self.subTest(number=number, format=format, kind=kind, **chosen):
                def write():
                    apsp.solve_to_files(graph, self.path, format=format, predecessors=predecessors,
                                        check=number % 2 == 0, **chosen)
                if kind == 2 and format in ("npy:uint8", "npy:uint16", "npy:auto"):
                    with self.assertRaisesRegex(ValueError, "format %s: expected distances that are" % format):
                        write()
                    continue
                if right[right < numpy.inf].max() > most:
                    with self.assertRaisesRegex(ValueError, "take --format npy"):
                        write()
                    self.assertEqual(os.listdir(os.path.dirname(self.path)), [])
                    continue
                write()
                numpy.testing.assert_array_equal(self.written(format), right)
                if predecessors and format != "text":
                    pred = numpy.load(self.path + ".pred.npy")
                    numpy.testing.assert_array_equal(pred < 0, (right == 0) | (right == numpy.inf))
                for name in os.listdir(os.path.dirname(self.path)):
                    os.remove(os.path.join(os.path.dirname(self.path), name))

    def test_resumed(self):
        """A call that is interrupted, then one that goes on: of int32, long integers, real weights, and
        weights of int32 with longer distances, which the first call found out."""
        class Interrupted(Exception):
            pass

        n = 4000

        def interrupt(done, total):
            if done > 0 and total == n:  # rows, not edges or what else is counted before them
                raise Interrupted

        random = numpy.random.default_rng(12)
        tails, heads = numpy.tile(numpy.arange(n), 3), random.integers(0, n, 3 * n)
        heads[:n] = (tails[:n] + 1) % n
        for scale, dtype in ((1, "i8"), (2**36, "i8"), (1 / 7, "f8"), (2**24, "i8")):
            weights = random.integers(1, 9, 3 * n) * scale
            if scale == 2**24:  # one edge in, and that one long, of some vertices
                weights[:n] = 2**29
            graph = sparse.coo_matrix((weights, (tails, heads)), (n, n)).astype(dtype)
            chosen = {"engine": "cpu:johnson", "threads": 1, "check": True, "format": "npy", "path": self.path}
            with self.subTest(scale=scale):
                with self.assertRaises(Interrupted):
                    apsp.solve_to_files(graph, resume=True, progress=interrupt, **chosen)
                with self.assertRaisesRegex((ValueError, apsp.ApspError), "expected rows with limit 3, found none"):
                    apsp.solve_to_files(graph, resume=True, limit=3, **chosen)
                kept = apsp.solve_to_files(graph, resume=True, **chosen)
                self.assertTrue(0 < kept < n, kept)
                numpy.testing.assert_array_equal(self.written("npy"), csgraph.dijkstra(graph))
                with open(self.path + ".dist.npy", "rb") as file:
                    resumed = file.read()
                self.assertEqual(apsp.solve_to_files(graph, **chosen), 0)
                with open(self.path + ".dist.npy", "rb") as file:
                    self.assertEqual(file.read(), resumed)
                self.assertEqual([name for name in os.listdir(os.path.dirname(self.path)) if "partial" in name], [])

    def test_refused(self):
        graph = [[0, 1], [0, 0]]
        for said, arguments in (("resume: expected a format of NumPy's files, found text",
                                 {"format": "text", "resume": True}),
                                ("format: expected text, npy, .* or npz, found 'none'", {"format": "none"}),
                                ("targets: expected vertices 0 .. 1, found 2", {"targets": [2]}),
                                ("targets: expected different vertices", {"targets": [1, 1]}),
                                ("predecessors: expected none with targets",
                                 {"targets": [1], "predecessors": True}),
                                ("predecessors: expected none with format='npz'",
                                 {"format": "npz", "predecessors": True}),
                                ("scale: expected none for rows that go to files", {"scale": 10})):
            with self.assertRaisesRegex(ValueError, said):
                apsp.solve_to_files(graph, self.path, **arguments)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [])


class OnDevice(unittest.TestCase):
    """Rows that stay on a GPU."""

    def test_solved(self):
        try:
            found = apsp.solve_on_device([[0, 2.0], [0, 0]], [1, 0], predecessors=True)
        except apsp.ApspError as error:  # the usual case
            self.assertIn("no usable GPU: ", str(error))
            return
        for matrix in (found.distances, found.predecessors):
            self.assertEqual((matrix.shape, matrix.dtype), ((2, 2), numpy.int32))
            self.assertEqual(matrix.__cuda_array_interface__["typestr"], "<i4")
            self.assertEqual(matrix.__dlpack_device__(), (2, 0))
        self.assertEqual(found.sources.tolist(), [1, 0])

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "scale: expected none"):
            apsp.solve_on_device([[0, 0.1], [0, 0]], scale=10)
        with self.assertRaisesRegex(ValueError, "device: expected the number"):
            apsp.solve_on_device([[0, 1], [0, 0]], device=[0, 1])

    @unittest.skipUnless(hasattr(numpy, "from_dlpack"), "NumPy reads DLPack from 1.22 on")
    def test_read(self):
        """NumPy reads the matrix by DLPack, for which the memory has to be the host's; it stays as
        long as somebody reads it."""
        device = apsp._device
        for dtype in (numpy.int32, numpy.float64):
            cells = numpy.arange(12, dtype=dtype).reshape(3, 4)
            matrix = device.DeviceMatrix(cells, cells.ctypes.data, cells.shape, cells.dtype, 0)
            with unittest.mock.patch.object(device, "_CUDA", 1):
                read = numpy.from_dlpack(matrix)
                unused = matrix.__dlpack__()
            self.assertEqual(read.ctypes.data, cells.ctypes.data)
            numpy.testing.assert_array_equal(read, cells)
            self.assertEqual(len(device._handed_out), 2)
            del read, unused
            self.assertEqual(len(device._handed_out), 0)
            interface = matrix.__cuda_array_interface__
            self.assertEqual((interface["data"][0], interface["shape"]),
                             (cells.ctypes.data, (3, 4)))


if __name__ == "__main__":
    unittest.main()
