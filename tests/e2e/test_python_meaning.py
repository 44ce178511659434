# SPDX-License-Identifier: MIT
"""Tests of what a graph means to the Python package: which entries are edges, which attribute is
the weight, what may be edges or a matrix; distances beyond 32 bits; cycles that nobody asks for.
Against SciPy, and skipped without it."""

import pathlib
import unittest

from support import import_package, needs, optional

numpy, sparse, csgraph, networkx, igraph, rustworkx, pandas = optional(
    "numpy", "scipy.sparse", "scipy.sparse.csgraph", "networkx", "igraph", "rustworkx", "pandas")

FUNCTIONS = ("shortest_path", "dijkstra", "johnson", "bellman_ford", "floyd_warshall")
INF = float("inf")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", SciPy=csgraph)


def every_answer(graph, n, **how):
    """The distances of a graph from every function that has them."""
    for name in FUNCTIONS:
        yield name, getattr(apsp, name)(graph, **how)
    yield "solve", apsp.solve(graph, predecessors=True, **how).distances
    for in_order in (False, True):
        rows = numpy.empty((n, n))
        for sources, distances in apsp.rows(graph, in_order=in_order, **how):
            rows[sources] = distances
        yield "rows", rows


def chain(weights):
    """0 -> 1 -> 2 -> ..."""
    n = len(weights) + 1
    return sparse.csr_matrix((weights, (range(n - 1), range(1, n))), shape=(n, n))


class Meaning(unittest.TestCase):

    def refused(self, kind, message, function, *args, **kwargs):
        with self.subTest(message), self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        self.assertIn(message, str(caught.exception))


class Edges(Meaning):

    def test_masked(self):
        """Entries that are not masked are edges, also of weight 0; infinity and NaN are none."""
        rng = numpy.random.default_rng(41)
        for number in range(24):
            n = int(rng.choice([2, 9, 40, 300]))
            weights = rng.integers(0, 3, (n, n)).astype(["d", "i", "f", "?"][number % 4])
            mask = rng.random((n, n)) < 1 - 3 / n
            if number % 4 != 1 and number % 4 != 3:
                weights[rng.random((n, n)) < 0.1] = [numpy.inf, numpy.nan][number // 4 % 2]
            graph = numpy.ma.masked_array(weights, mask=mask if number % 5 else False)
            edges = ~numpy.ma.getmaskarray(graph) & (weights < numpy.inf)
            stored = sparse.csr_matrix((weights[edges].astype(float), numpy.nonzero(edges)),
                                       shape=(n, n))
            expected = csgraph.dijkstra(stored)
            for name, found in every_answer(graph, n):
                with self.subTest(name, number=number):
                    numpy.testing.assert_array_equal(found, expected)
        tutorial = numpy.array([[INF, 2, 0], [2, INF, INF], [0, INF, INF]])
        numpy.testing.assert_array_equal(apsp.dijkstra(numpy.ma.masked_invalid(tutorial), indices=0),
                                         [0, 2, 0])

    def test_nan_in_a_sparse_matrix(self):
        """No edge, as in a dense one."""
        graph = sparse.csr_matrix(([1, numpy.nan, 2, INF], ([0, 0, 1, 2], [1, 2, 2, 0])), (3, 3))
        for name, found in every_answer(graph, 3):
            numpy.testing.assert_array_equal(found, [[0, 1, 3], [INF, 0, 2], [INF, INF, 0]], name)

    def graphs(self, edges, n, key="weight"):
        """The same directed edges in every package that is there."""
        if networkx is not None:
            for kind in networkx.DiGraph, networkx.MultiDiGraph:
                graph = kind()
                graph.add_nodes_from(range(n))
                graph.add_edges_from((u, v, {key: weight}) for u, v, weight in edges)
                yield graph
        if igraph is not None:
            graph = igraph.Graph(n, [edge[:2] for edge in edges], directed=True)
            graph.es[key] = [weight for _, _, weight in edges]
            yield graph
        if rustworkx is not None:
            graph = rustworkx.PyDiGraph()
            graph.add_nodes_from(range(n))
            graph.add_edges_from([(u, v, {key: weight}) for u, v, weight in edges])
            yield graph

    def test_infinite_weights(self):
        """In graphs of packages they are no edges; what is no number is refused."""
        rng = numpy.random.default_rng(42)
        for n in (4, 60):
            edges = [(int(u), int(v), float(rng.choice([INF, 1, 2.5, 9])))
                     for u, v in {tuple(pair) for pair in rng.integers(0, n, (4 * n, 2)).tolist()}]
            for graph in self.graphs(edges, n):
                kept = [edge for edge in edges if edge[2] < INF]
                tails, heads, weights = zip(*kept)
                expected = csgraph.dijkstra(sparse.csr_matrix((weights, (tails, heads)), (n, n)))
                for name, found in every_answer(graph, n):
                    numpy.testing.assert_array_equal(found, expected, name)
        for wrong in numpy.nan, -INF, None, "1":
            for graph in self.graphs([(0, 1, wrong), (1, 0, 1.5)], 2):
                self.refused(ValueError, "expected weights", apsp.shortest_path, graph)

    @unittest.skipIf(networkx is None, "NetworkX is not installed")
    def test_parallel_edges_that_are_no_numbers(self):
        for wrong in (numpy.nan, 1), (1, numpy.nan), (None, 1), (1, "2"):
            graph = networkx.MultiDiGraph([(0, 1, {"weight": weight}) for weight in wrong])
            self.refused(ValueError, "expected weights", apsp.shortest_path, graph)

    def test_names_of_weights(self):
        """An attribute that no edge has is not taken for hops, be it named or not."""
        for graph in self.graphs([(0, 1, 2.5), (1, 2, 4)], 3, "length"):
            for function in apsp.shortest_path, apsp.measures, apsp.Index, apsp.dijkstra:
                self.refused(ValueError, "found 'lenght', which none of them has; they have "
                             "'length'", function, graph, weight="lenght")
                self.refused(ValueError, "found 'weight', which none of them has; they have "
                             "'length'", function, graph)
            for how, expected in ({"weight": "length"}, 6.5), ({"weight": None}, 2), (
                    {"unweighted": True}, 2):
                self.assertEqual(apsp.shortest_path(graph, **how)[0, 2], expected)
                self.assertEqual(apsp.Index(graph, **how).distance(0, 2), expected)
            index = apsp.Index(graph, weight="length")
            index.verify(graph, weight="length")
            self.refused(apsp.ApspError, "", index.verify, graph, weight=None)
        for graph in self.graphs([(0, 1, 12.345), (1, 2, 3.21)], 3, "length"):
            self.assertEqual(apsp.Index(graph, weight="length").distance(0, 2), 12.345 + 3.21)
            self.assertEqual(apsp.Index(graph, weight="length", scale=1000).distance(0, 2), 15.555)
        for graph in self.graphs([(0, 1, "red"), (1, 2, "blue")], 3, "colour"):
            self.assertEqual(apsp.shortest_path(graph)[0, 2], 2)  # there is no other number
            self.refused(ValueError, "they have 'colour'", apsp.shortest_path, graph,
                         weight="weight")
        for graph in self.graphs([], 3):
            self.assertEqual(apsp.shortest_path(graph, weight="any")[0, 2], INF)

    @needs(rustworkx=rustworkx)
    def test_payloads(self):
        class Streets(rustworkx.PyGraph):
            """Undirected, as its base."""
        graph = Streets()
        graph.add_nodes_from(range(3))
        graph.add_edges_from([(0, 1, 2.5), (1, 2, None)])
        numpy.testing.assert_array_equal(apsp.shortest_path(graph)[2], [3.5, 1, 0])
        self.refused(ValueError, "found 'length', which none", apsp.shortest_path, graph,
                     weight="length")

    def test_edges_or_rows(self):
        """A list that may be one of edges is not taken for a matrix."""
        edges = [(0, 1, 2.5), (1, 2, 1.0), (2, 0, 4.0)]
        for given in edges, tuple(edges), edges[:2], [(0, 1), (1, 0)]:
            self.refused(ValueError, "tuples, which may be edges: numpy.array", apsp.shortest_path,
                         given)
        for given in numpy.array(edges), list(map(list, edges)):
            self.assertEqual(apsp.shortest_path(given)[1, 2], 1)
        for given, found in (("roads.gr", "'roads.gr'"), (pathlib.Path("roads.gr"), "roads.gr"),
                             (None, "None"), (unittest.TestCase(), "unittest.case.TestCase"),
                             (numpy.zeros((2, 3)), "an array of shape (2, 3)")):
            for function in apsp.shortest_path, apsp.Index, apsp.measures:
                self.refused(ValueError, "a graph of NetworkX, igraph or rustworkx, found ",
                             function, given)
                self.refused(ValueError, found, function, given)

    @needs(pandas=pandas)
    def test_tables(self):
        matrix = numpy.array([[0, 2, 0], [0, 0, 3], [0, 0, 0.0]])
        for names in None, list("abc"):
            table = pandas.DataFrame(matrix, index=names, columns=names)
            self.assertEqual(apsp.shortest_path(table)[0, 2], 5)
        for columns in ["source", "target", "weight"], ["u", "v", "w"], list("abc"):
            table = pandas.DataFrame([(0, 1, 2.5), (1, 2, 1.0), (2, 0, 4.0)], columns=columns)
            self.refused(ValueError, "a table with the columns %r" % columns[0],
                         apsp.shortest_path, table)


class Range(Meaning):
    """Distances that do not fit in 32 bits."""

    def test_random(self):
        rng = numpy.random.default_rng(43)
        for number in range(30):
            n = int(rng.choice([3, 20, 150]))
            graph = sparse.random(n, n, min(1, 3 / n), "csr", random_state=number)
            graph.data = rng.integers(0, 2 ** int(rng.integers(26, 46)), graph.nnz)
            if number % 3 == 0:  # negative edges without negative cycles
                height = rng.integers(0, 2**40, n)
                tails, heads = graph.tocoo().coords if hasattr(graph.tocoo(), "coords") else (
                    graph.tocoo().row, graph.tocoo().col)
                graph.data += height[tails] - height[heads]
            given = graph.astype([numpy.int64, numpy.float64][number % 2])
            expected = csgraph.johnson(graph.astype(float))
            for name, found in every_answer(given, n):
                with self.subTest(name, number=number, n=n):
                    numpy.testing.assert_array_equal(found, expected)
            with self.subTest(number=number):
                finite = expected[numpy.isfinite(expected)]
                self.assertEqual(apsp.measures(given).largest_distance, max(0, finite.max()))
                numpy.testing.assert_array_equal(
                    apsp.dijkstra(given, indices=[0, n - 1], min_only=True),
                    expected[[0, n - 1]].min(axis=0))
                apsp.verify(given, expected)
                if number % 3 != 0:
                    numpy.testing.assert_array_equal(
                        apsp.dijkstra(given, limit=float(finite.max()) / 2),
                        csgraph.dijkstra(graph.astype(float), limit=float(finite.max()) / 2))

    def test_weights_that_fit(self):
        """Only distances do not: they are found in the second attempt, by every engine that takes
        real weights; others say what is in the way."""
        graph = chain(numpy.full(200, 10**7))
        expected = csgraph.dijkstra(graph)
        for engine in [None] + [one["name"] for one in apsp.engines()
                                if not one["uses_gpu"] and not one["distances_only"]]:
            with self.subTest(engine):
                try:
                    found = apsp.solve(graph, [0, 5, 150], engine=engine, predecessors=True)
                except apsp.ApspError as error:
                    self.assertEqual((engine, error.status), ("cpu:blocked16", 2))
                    continue
                numpy.testing.assert_array_equal(found.distances, expected[[0, 5, 150]])
                numpy.testing.assert_array_equal(found.predecessors[0, 1:], range(200))
        self.refused(apsp.ApspError, "outside (-1073741823, 1073741823); in float64: johnson: "
                     "expected int64 weights of 0 or more", apsp.shortest_path, -graph,
                     engine="cpu:johnson")
        numpy.testing.assert_array_equal(apsp.shortest_path(-graph), csgraph.johnson(-graph))
        graph = chain(numpy.full(2000, 10**6))
        expected = csgraph.dijkstra(graph)
        seen = []
        for sources, distances in apsp.rows(graph, numpy.arange(2000, -1, -1), in_order=True):
            numpy.testing.assert_array_equal(distances, expected[sources])
            seen.extend(sources.tolist())
        self.assertEqual(seen, list(range(2000, -1, -1)))  # the first came in the first attempt
        found = apsp.measures(graph)
        self.assertEqual(found.distance_sum_of_pairs, expected[numpy.isfinite(expected)].sum())
        self.assertEqual(apsp.shortest_path(graph * 0.25)[0, -1], 500e6)
        self.assertEqual(apsp.shortest_path(graph / 1000, scale=1000)[0, -1], 2e6)
        self.assertEqual(apsp.shortest_path(graph, dtype="float32")[0, -1], 2e9)
        calls = []
        apsp.shortest_path(graph, progress=lambda *_: calls.append(1))
        self.assertTrue(calls)
        for dtype, message in (("int32", "in -1073741822 .. 1073741822 for int32"),
                               ("uint16", "in 0 .. 65534 for uint16")):
            self.refused(ValueError, message, apsp.shortest_path, graph, dtype=dtype)

    def test_long_integers_in_measures(self):
        """Lengths and sums of integers are integers, exact beyond 2^53, too; of int32, of weights that
        it has no room for, and where a solve finds a distance that it has none for."""
        rng = numpy.random.default_rng(29)
        for most in 50, 2**29, 2**40, 2**49:
            for lowest in 1, -most // 20:
                dist = numpy.array([numpy.nan])
                while not numpy.isfinite(dist).all() or dist.min() < 0 <= lowest:
                    graph = numpy.where(rng.random((12, 12)) < 0.3, rng.integers(lowest, most, (12, 12)), 0)
                    numpy.fill_diagonal(graph, 0)
                    try:
                        dist = csgraph.johnson(graph)
                    except csgraph.NegativeCycleError:
                        pass
                exact = [[int(d) for d in row] for row in dist]
                sums, total = [sum(row) for row in exact], sum(map(sum, exact))
                with self.subTest(most=most, lowest=lowest):
                    found = apsp.measures(graph)
                    for name, right in (("out_distance_sum", sums), ("eccentricity", list(map(max, exact))),
                                        ("in_distance_sum", [sum(column) for column in zip(*exact)])):
                        self.assertEqual(getattr(found, name).dtype, numpy.int64)
                        self.assertEqual(getattr(found, name).tolist(), right)
                    for name, right in (("distance_sum_of_pairs", total), ("wiener_index", total),
                                        ("diameter", dist.max()), ("radius", dist.max(axis=1).min()),
                                        ("largest_distance", dist.max())):
                        self.assertIs(type(getattr(found, name)), int)
                        self.assertEqual(getattr(found, name), right)
                    self.assertEqual(found.histogram[1].dtype, numpy.int64)
                    self.assertEqual(apsp.measures(graph * 0.375 if most < 2**29 else graph / 7.0)
                                     .eccentricity.dtype, numpy.float64)
                    if lowest > 0:
                        self.assertEqual(apsp.eccentricity(graph).dtype, numpy.int64)
                        self.assertEqual(apsp.eccentricity(graph).tolist(), list(map(max, exact)))
                        self.assertIs(type(apsp.diameter(graph)), int)
        star = sparse.csr_array((numpy.full(1100, 2**53 - 1), (numpy.zeros(1100, int), numpy.arange(1, 1101))),
                         shape=(1101, 1101))
        found = apsp.measures(star)
        self.assertEqual((found.out_distance_sum.dtype, found.in_distance_sum.dtype), (float, int))
        self.assertEqual(found.distance_sum_of_pairs, 1100 * (2**53 - 1))

    def test_beyond_53_bits(self):
        """Integers are refused where float64 would round them; floating point is rounded."""
        for weights in [2**52, 2**52], [2**53 - 1, 1], [2**52, 2**52 + 1, -2**52], [-2**52, -2**52]:
            graph = chain(numpy.array(weights))
            for function in (apsp.shortest_path, apsp.solve, apsp.measures,
                             lambda graph: list(apsp.rows(graph))):
                self.refused(apsp.ApspError, "beyond 2^53", function, graph)
            numpy.testing.assert_array_equal(apsp.shortest_path(graph.astype(float)),
                                             csgraph.bellman_ford(graph.astype(float)))
            self.refused(ValueError, "below 2^53", apsp.verify, graph,
                         csgraph.bellman_ford(graph.astype(float)))
        self.assertEqual(apsp.shortest_path(chain([2**53 - 2, 1]))[0, 2], 2**53 - 1)
        self.assertEqual(apsp.measures(chain([2**53 - 2, 1])).largest_distance, 2**53 - 1)
        self.assertEqual(apsp.measures(chain([-2**51, -2**52])).largest_distance, 0)
        for last, is_exact in (.125, True), (2**49 + .125, False):  # with weights times 8, which are integers
            for length in (apsp.diameter, lambda graph, **how: apsp.eccentricity(graph, **how).max(),
                           lambda graph, **how: apsp.measures(graph, **how).largest_distance,
                           lambda graph, **how: apsp.shortest_path(graph, **how).max()):
                graph, how = chain([2.0**49, last]), {"directed": False, "scale": 8}
                if is_exact:
                    self.assertEqual(length(graph, **how), 2**49 + last)
                else:
                    self.refused(apsp.ApspError, "beyond 2^53", lambda graph: length(graph, **how), graph)
        # A shorter way makes the long one harmless.
        self.assertEqual(apsp.shortest_path(sparse.csr_matrix(
            ([2**52, 2**52, 5], ([0, 1, 0], [1, 2, 2])), (3, 3)))[0, 2], 5)

    def test_least_limit(self):
        graph = chain([5e-324, 5e-324])
        for limit in 0, 5e-324, 1e-323:
            numpy.testing.assert_array_equal(apsp.dijkstra(graph, limit=limit),
                                             csgraph.dijkstra(graph, limit=limit))


class Grids(Meaning):

    def test_reported_alike(self):
        """Every function says the same spacing, in the unit of the weights, and the same most that
        a distance may have changed, which is neither less than what did nor more than a spacing for each edge."""
        n = 12
        weights = [(7 * v * v + 3) % 1000 / 10 for v in range(n - 1)]
        graph = (chain(weights) + chain(weights).T).tocsr()
        for scale in None, 10:
            exact = apsp.solve(graph, scale=scale).distances
            for grid in 0.25, 2.0:
                how = {"scale": scale, "grid": grid}
                changed = abs(apsp.solve(graph, **how).distances - exact).max()
                said = {each: (found.grid_spacing, found.grid_error) for each, found in (
                    ("measures", apsp.measures(graph, **how)),
                    ("betweenness", apsp.betweenness(graph, **how)),
                    ("loads", apsp.loads(graph, [0], [n - 1], **how)),
                    ("accessibility", apsp.accessibility(graph, numpy.ones(n), 3, **how)),
                    ("nearest", apsp.nearest(graph, [0], **how)),
                    ("index", apsp.Index(graph, even_if_larger=True, **how)))}
                with self.subTest(said, **how):
                    self.assertEqual(len(set(said.values())), 1)
                    spacing, most = said["index"]
                    self.assertTrue(grid / 2 < spacing <= grid)
                    self.assertTrue(changed <= most * (1 + 1e-9) <= (n - 1) * spacing)


class Cycles(Meaning):

    def test_unreached(self):
        """A negative cycle matters to the sources that reach it."""
        rng = numpy.random.default_rng(44)
        refused = answered = 0
        for number in range(120):
            n = int(rng.choice([4, 12, 60]))
            graph = sparse.random(n, n, 1.2 / n, "csr", random_state=number)
            graph.data = rng.integers(-3, 9, graph.nnz) / [1, 1, 3][number % 3]
            sources = rng.choice(n, int(rng.integers(1, 3)), replace=False)
            try:
                expected = csgraph.bellman_ford(graph, indices=sources)
            except csgraph.NegativeCycleError:
                refused += 1
                with self.subTest(number=number), self.assertRaises(
                        apsp.NegativeCycleError) as caught:
                    apsp.solve(graph, sources)
                cycle = caught.exception.cycle
                reached = numpy.isfinite(csgraph.dijkstra(abs(graph), indices=sources))
                self.assertTrue(reached.any(axis=0)[cycle].all())
                around = zip(cycle, cycle[1:] + cycle[:1])
                self.assertLess(sum(graph[edge] for edge in around), 0)
                continue
            answered += 1
            with self.subTest(number=number):
                for function in apsp.bellman_ford, apsp.johnson, apsp.dijkstra:
                    numpy.testing.assert_allclose(function(graph, indices=sources), expected,
                                                  rtol=1e-12, atol=1e-12)
                found = apsp.solve(graph, sources, predecessors=True, check=True)
                numpy.testing.assert_allclose(found.distances, expected, rtol=1e-12, atol=1e-12)
                apsp.verify(graph, found.distances, found.predecessors, sources=sources)
                for rows, distances in apsp.rows(graph, sources, block=1, in_order=True):
                    numpy.testing.assert_array_equal(
                        distances, found.distances[found.sources == rows])
                self.assertEqual(apsp.measures(graph, sources).pairs, len(sources) * (n - 1))
        self.assertGreater(min(refused, answered), 20)

    def test_all(self):
        graph = sparse.csr_matrix(([1, -1, -1], ([0, 2, 3], [1, 3, 2])), shape=(4, 4))
        numpy.testing.assert_array_equal(apsp.bellman_ford(graph, indices=0), [0, 1, INF, INF])
        for indices in None, 2, [0, 3]:
            with self.assertRaises(apsp.NegativeCycleError) as caught:
                apsp.bellman_ford(graph, indices=indices)
            self.assertEqual(sorted(caught.exception.cycle), [2, 3])


class Trees(Meaning):
    """SciPy's functions on trees are given nothing that they could fall over."""

    def test_taken(self):
        graph = sparse.random(30, 30, 0.1, "csr", random_state=7)
        dist, pred = csgraph.dijkstra(graph, return_predecessors=True)
        for given in pred, pred.astype(numpy.int64), pred.astype(float), numpy.where(
                pred < 0, -1, pred):
            found = apsp.reconstruct_path(graph, given[3])
            numpy.testing.assert_array_equal(
                found.toarray(), csgraph.reconstruct_path(graph, pred[3]).toarray())
        for given in pred, numpy.where(pred < 0, -1, pred).astype(numpy.int32):
            numpy.testing.assert_allclose(apsp.construct_dist_matrix(graph, given), dist)

    def test_refused(self):
        graph = chain(numpy.ones(4))
        row = numpy.array([-9999, 0, 1, 2, 3], numpy.int32)
        for message, change in (("of shape (5,), found", lambda row: row[:2]),
                                ("of shape (5,), found", lambda row: numpy.full(3, numpy.nan, "f")),
                                ("expected integers", lambda row: row + 0.5),
                                ("expected integers", lambda row: numpy.where(row < 0, numpy.nan, row)),
                                ("less than 0 for none, found 5", lambda row: row + (row == 3) * 2),
                                ("less than 0 for none, found 2147483647",
                                 lambda row: numpy.where(row == 3, 2**31 - 1, row)),
                                ("found a cycle", lambda row: numpy.array([1, 0, 1, 2, 3])),
                                ("found a cycle", lambda row: numpy.arange(5))):
            self.refused(ValueError, message, apsp.reconstruct_path, graph, change(row))
            if "shape" not in message:
                self.refused(ValueError, message, apsp.construct_dist_matrix, graph,
                             numpy.tile(change(row), (5, 1)))
        self.refused(TypeError, "an array of int32, found float64", apsp.construct_dist_matrix, graph,
                     numpy.tile(row.astype(float), (5, 1)))
        broken = graph.copy()
        broken.indices = broken.indices + 1000
        self.refused(ValueError, "ind", apsp.reconstruct_path, broken, row)
        self.refused(ValueError, "square matrix", apsp.reconstruct_path, numpy.ones((2, 3)), row)


class Verified(Meaning):

    def test_real_weights(self):
        """One last bit is noticed; float32 is what float32 sums are."""
        rng = numpy.random.default_rng(46)
        for n in (3, 80):
            graph = sparse.random(n, n, min(1, 5 / n), "csr", random_state=n)
            graph.data = rng.random(graph.nnz)
            dist, pred = csgraph.dijkstra(graph, return_predecessors=True)
            apsp.verify(graph, dist, pred)
            apsp.verify(graph, dist[[2, 0]], pred[[2, 0]], sources=[2, 0])
            apsp.verify(graph, csgraph.dijkstra(graph, directed=False), directed=False)
            i, v = numpy.argwhere((dist > 0) & (dist < INF))[1]
            for towards in 0, INF:
                wrong = dist.copy()
                wrong[i, v] = numpy.nextafter(wrong[i, v], towards)
                self.refused(apsp.ApspError, "", apsp.verify, graph, wrong)
            self.refused(apsp.ApspError, "not the length of a path", apsp.verify, graph,
                         numpy.where(dist == dist[i, v], numpy.nan, dist))
            single = graph.astype(numpy.float32).toarray()
            sums = numpy.where(single > 0, single, numpy.float32(INF))
            numpy.fill_diagonal(sums, 0)
            best = sums.copy()
            for _ in range(n):  # the least sums from left to right
                best = numpy.minimum(best, (best[:, :, None] + sums[None]).min(axis=1))
            apsp.verify(graph.astype(numpy.float32), best)
            best[i, v] = numpy.nextafter(best[i, v], numpy.float32(INF))
            self.refused(apsp.ApspError, "", apsp.verify, graph.astype(numpy.float32), best)

    def test_names(self):
        """A row behind the first 2^20 entries is named by its source."""
        graph, sources = chain(numpy.ones(1999)), numpy.arange(1000, 1600)
        dist = apsp.solve(graph, sources).distances
        dist[590, 3] = numpy.nan
        self.refused(apsp.ApspError, "from 1590 to 3, nan is", apsp.verify, graph, dist,
                     sources=sources)


if __name__ == "__main__":
    unittest.main()
