# SPDX-License-Identifier: MIT
"""The Python package over libapsp, against SciPy; and the example that reads results without
the library. Skipped where NumPy or SciPy is missing (Debian: python3-scipy)."""

import copy
import ctypes
import doctest
import importlib
import inspect
import os
import pickle
import re
import subprocess
import sys
import threading
import time
import unittest
import warnings

from support import (LIBRARY, PACKAGE, REPOSITORY, TIMEOUT_S, ProgramTest, default_signals,
                     environment, import_package, needs, optional)

numpy, sparse, csgraph, networkx = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph", "networkx")

NONE = -9999

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", NumPy=numpy)


needs_scipy = needs(SciPy=csgraph)


# Graphs, the same ones every time ------------------------------------------

def random_weights(rng, n, kind):
    """A matrix of integral float64 weights and where there are edges."""
    edges = rng.random((n, n)) < rng.choice([0.05, 0.2, 0.6, 1.0])
    weights = {
        "small": lambda: rng.integers(1, 10, (n, n)),
        "large": lambda: rng.integers(1, 10**6, (n, n)),
        "zeros": lambda: rng.integers(0, 3, (n, n)),
        "shifted": lambda: rng.integers(0, 9, (n, n)),
        "any sign": lambda: rng.integers(-1, 30, (n, n)),
    }[kind]().astype(float)
    if kind == "shifted":  # negative edges without negative cycles
        height = rng.integers(0, 20, n)
        weights += height[:, None] - height[None, :]
    if kind != "zeros":
        numpy.fill_diagonal(edges, False)  # SciPy overlooks negative ones
    return weights, edges


def dense(weights, edges, rng):
    """Returns a matrix in which zero, NaN or infinity, by turns, says that there is no edge."""
    blank = numpy.array([0, numpy.nan, numpy.inf])[rng.integers(0, 3, weights.shape)]
    return numpy.where(edges, weights, blank)


def masked(weights, edges, rng):
    return numpy.ma.masked_array(weights, mask=~edges)


def stored(make):
    def build(weights, edges, rng):
        tails, heads = numpy.nonzero(edges)
        return make((weights[edges], (tails, heads)), shape=weights.shape)
    return build


def integral(weights, edges, rng):
    return numpy.where(edges, weights, 0).astype(numpy.int64)


def fortran(weights, edges, rng):
    return numpy.asfortranarray(numpy.where(edges, weights, 0))


KINDS = ("small", "large", "zeros", "shifted", "any sign")


def containers():
    return {"dense": dense, "masked": masked, "integral": integral, "Fortran": fortran,
            "csr": stored(sparse.csr_matrix), "csc": stored(sparse.csc_matrix),
            "coo": stored(sparse.coo_matrix)}


def for_scipy(graph):
    """As its floyd_warshall can take it: not COO; not in Fortran's order, for which version 1.10
    returns an unsolved matrix; and not masked, where it takes zeros for no edges."""
    if sparse.issparse(graph):
        return graph.tocsr() if graph.format == "coo" else graph
    if numpy.ma.isMaskedArray(graph):
        return csgraph.csgraph_from_masked(graph)
    return numpy.ascontiguousarray(graph)


@needs_scipy
class AgainstSciPy(unittest.TestCase):

    def assert_predecessors(self, weights, dist, pred, expected):
        """Each is the vertex before j on a path of that length, and there where SciPy's are."""
        self.assertEqual(pred.dtype, expected.dtype)
        numpy.testing.assert_array_equal(pred == NONE, expected == NONE)
        i, j = numpy.nonzero(pred != NONE)
        p = pred[i, j]
        numpy.testing.assert_array_equal(dist[i, p] + weights[p, j], dist[i, j])

    def compare(self, graph, expected_weights, **options):
        """Returns whether there was a negative cycle."""
        try:
            expected, expected_pred = csgraph.floyd_warshall(
                for_scipy(graph), return_predecessors=True, **options)
        except csgraph.NegativeCycleError:
            with self.assertRaises(csgraph.NegativeCycleError) as caught:
                apsp.floyd_warshall(graph, return_predecessors=True, **options)
            self.assert_cycle(expected_weights, caught.exception)
            return True
        dist, pred = apsp.floyd_warshall(graph, return_predecessors=True, **options)
        self.assertEqual((dist.dtype, dist.shape), (expected.dtype, expected.shape))
        numpy.testing.assert_array_equal(dist, expected)
        self.assert_predecessors(expected_weights, dist, pred, expected_pred)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(graph, **options), expected)
        return False

    def assert_cycle(self, weights, error):
        """The exception's cycle is one, and weighs that."""
        around = error.cycle[1:] + error.cycle[:1]
        total = sum(weights[u, v] for u, v in zip(error.cycle, around))
        self.assertEqual(total, error.weight)
        self.assertLess(total, 0)

    def test_random_graphs(self):
        """Every way to hold a graph, directed and not, weighted and not."""
        rng = numpy.random.default_rng(3)
        compared, cycles = 0, 0
        for number in range(420):
            kind = KINDS[number % len(KINDS)]
            name, container = list(containers().items())[number % len(containers())]
            weights, edges = random_weights(rng, int(rng.integers(1, 30)), kind)
            graph = container(weights, edges, rng)
            directed, unweighted = bool(rng.random() < 0.6), bool(rng.random() < 0.2)
            holds_zeros = sparse.issparse(graph) or numpy.ma.isMaskedArray(graph)
            seen = edges if holds_zeros else edges & (weights != 0)
            used = numpy.where(seen, 1.0 if unweighted else weights, numpy.inf)
            if not directed:
                used = numpy.minimum(used, used.T)
            with self.subTest(number=number, kind=kind, container=name, directed=directed,
                              unweighted=unweighted):
                before = graph.copy()
                cycles += self.compare(graph, used, directed=directed, unweighted=unweighted)
                compared += 1
                if sparse.issparse(graph):
                    self.assertEqual((before != graph).nnz, 0)
                else:
                    numpy.testing.assert_array_equal(before, graph)
        self.assertEqual(compared, 420)
        self.assertTrue(10 < cycles < 210, "%d graphs have a negative cycle" % cycles)

    def test_every_engine_of_the_cpu(self):
        rng = numpy.random.default_rng(4)
        weights, edges = random_weights(rng, 90, "small")
        graph = dense(weights, edges & (rng.random((90, 90)) < 0.3), rng)
        expected = csgraph.floyd_warshall(graph)
        engines = [engine for engine in apsp.engines() if not engine["uses_gpu"]]
        self.assertGreaterEqual(len(engines), 7)
        for engine in engines:
            with self.subTest(engine=engine["name"]):
                numpy.testing.assert_array_equal(
                    apsp.floyd_warshall(graph, engine=engine["name"], threads=2), expected)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(graph, device="all"), expected)
        solvers = {engine["name"].split(":")[0] for engine in apsp.engines()}
        self.assertEqual(sum(engine["is_default"] for engine in apsp.engines()), len(solvers))

    def test_duplicates(self):
        """As SciPy's floyd_warshall takes them: COO's are added up, CSR's lightest counts."""
        entries = ([5.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 2]))
        summed = sparse.coo_matrix(entries, shape=(3, 3))
        several = sparse.csr_matrix((entries[0], [1, 1, 2], [0, 2, 3, 3]), shape=(3, 3))
        for graph in (summed, several):
            numpy.testing.assert_array_equal(apsp.floyd_warshall(graph),
                                             csgraph.floyd_warshall(for_scipy(graph)))

    def test_scaled_fractions(self):
        rng = numpy.random.default_rng(5)
        graph = rng.integers(0, 1000, (40, 40)) / 100
        dist, pred = apsp.floyd_warshall(graph, scale=100, return_predecessors=True)
        numpy.testing.assert_allclose(dist, csgraph.floyd_warshall(graph), rtol=1e-13)
        again = apsp.floyd_warshall((graph * 100).round())
        numpy.testing.assert_array_equal(dist, again / 100)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(sparse.csr_matrix(graph), scale=1000),
                                         dist)
        integers = (graph * 100).round().astype(numpy.uint16)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(integers, scale=700), again)  # beyond 16 bits

    def test_overwrite(self):
        graph = numpy.array([[0.0, 4, 9], [0, 0, 2], [0, 0, 0]])
        expected = csgraph.floyd_warshall(graph)
        self.assertIsNot(apsp.floyd_warshall(graph), graph)
        self.assertIsNot(apsp.shortest_path(graph, "D", overwrite=True), graph)
        for solve in apsp.floyd_warshall, lambda *of, **how: apsp.shortest_path(*of, "FW", **how):
            own = graph.copy()
            self.assertIs(solve(own, overwrite=True), own)
            numpy.testing.assert_array_equal(own, expected)
        fixed = numpy.array([[0, 4], [0, 0]])
        self.assertIsNot(apsp.floyd_warshall(fixed, overwrite=True), fixed)
        self.assertEqual(fixed[0, 1], 4)


@needs_scipy
class RowsAgainstSciPy(unittest.TestCase):
    """solve() and rows(): SciPy's dijkstra from the same sources."""

    def random_case(self, rng, number):
        """A graph, SciPy's arguments, and sources in random order or None."""
        weights, edges = random_weights(rng, int(rng.integers(1, 150)), KINDS[number % 3])
        graph = stored(sparse.csr_matrix)(weights, edges, rng)
        n = len(weights)
        sources = None if number % 4 == 0 else rng.permutation(n)[:int(rng.integers(1, n + 1))]
        return graph, {"directed": bool(number % 2), "unweighted": number % 5 == 0}, sources

    def assert_tight(self, graph, how, rows, expected):
        """Predecessors stand where SciPy's do, one edge before."""
        weights = graph.toarray() if graph.nnz else numpy.zeros(graph.shape)
        stored_at = numpy.zeros(graph.shape, dtype=bool)
        tails = numpy.repeat(numpy.arange(graph.shape[0]), numpy.diff(graph.indptr))
        stored_at[tails, graph.indices] = True
        used = numpy.where(stored_at, 1.0 if how["unweighted"] else weights, numpy.inf)
        if not how["directed"]:
            used = numpy.minimum(used, used.T)
        sources, dist, pred = rows
        numpy.testing.assert_array_equal(pred == NONE, expected == NONE)
        r, v = numpy.nonzero(pred != NONE)
        numpy.testing.assert_array_equal(dist[r, pred[r, v]] + used[pred[r, v], v], dist[r, v])
        self.assertEqual((pred.dtype, dist.dtype, sources.dtype),
                         (numpy.int32, numpy.float64, numpy.int32))

    def test_random_graphs(self):
        rng = numpy.random.default_rng(8)
        engines = [None, "cpu:johnson", "cpu:multisource", "cpu:blocked", "cpu:dissection"]
        for number in range(60):
            graph, how, sources = self.random_case(rng, number)
            n = graph.shape[0]
            asked = numpy.arange(n) if sources is None else sources
            expected, expected_pred = csgraph.dijkstra(graph, indices=asked,
                                                       return_predecessors=True, **how)
            if number % 6 == 5:
                limit = float(rng.integers(0, 15))
                expected_pred[expected > limit] = NONE
                expected[expected > limit] = numpy.inf
                how["limit"] = limit
            block, in_order = int(rng.integers(0, n + 2)), bool(number % 3)
            more = dict(how, engine=engines[number % len(engines)], check=number % 7 == 0)
            with self.subTest(number=number, n=n, block=block, in_order=in_order, **more):
                result = apsp.solve(graph, sources, predecessors=True, **more)
                numpy.testing.assert_array_equal(result.sources, asked)
                numpy.testing.assert_array_equal(result.distances, expected)
                self.assert_tight(graph, how, (result.sources, result.distances,
                                               result.predecessors), expected_pred)
                self.assertRegex(result.engine, "^%s" % (more["engine"] or r"cpu:\w+$"))
                self.assertIsNone(apsp.solve(graph, sources, **more).predecessors)
                blocks = list(apsp.rows(graph, sources, block=block, predecessors=True,
                                        in_order=in_order, **more))
                self.assertLessEqual(max(len(rows[0]) for rows in blocks), min(block or 64, 64))
                found = numpy.concatenate([rows[0] for rows in blocks])
                if in_order:
                    numpy.testing.assert_array_equal(found, asked)
                order = numpy.argsort(found)
                numpy.testing.assert_array_equal(found[order], numpy.sort(asked))
                for rows in blocks:
                    at = [int(numpy.flatnonzero(asked == source)[0]) for source in rows[0]]
                    numpy.testing.assert_array_equal(rows[1], expected[at])
                    self.assert_tight(graph, how, rows, expected_pred[at])

    def test_scale_and_numbers(self):
        graph = numpy.array([[0, 0.5, 0], [0, 0, 0.25], [0, 0, 0]])
        expected = [[0, 0.5, 0.75]]
        numpy.testing.assert_array_equal(apsp.solve(graph, 0, scale=4).distances, expected)
        (sources, dist), = apsp.rows(graph, [0], scale=4)
        numpy.testing.assert_array_equal(dist, expected)
        self.assertEqual(list(sources), [0])
        self.assertEqual(apsp.solve(graph, range(2), scale=4).distances.shape, (2, 3))
        hundredths = numpy.array([[0, 0.29, 0], [0, 0, 0.01], [0, 0, 0]])
        for limit, last in ((0.29, [0, 0.29, numpy.inf]), (0.3, [0, 0.29, 0.3]),
                            (0.289, [0, numpy.inf, numpy.inf]), (0, [0, numpy.inf, numpy.inf])):
            dist = apsp.solve(hundredths, [0], scale=100, limit=limit).distances
            numpy.testing.assert_array_equal(dist, [last])
        self.assertEqual(apsp.solve(numpy.zeros((0, 0))).distances.shape, (0, 0))
        self.assertEqual(list(apsp.rows(numpy.zeros((0, 0)))), [])

    def test_refusals(self):
        edge = numpy.array([[0, 1.0], [0, 0]])
        for expected, sources in (("one or more vertices", []), ("one or more", [0.5]),
                                  ("one or more", [[0]]), ("vertices 0 .. 1, found -1", [-1]),
                                  ("vertices 0 .. 1, found 2", [2]), ("some twice", [1, 1])):
            for function in apsp.solve, apsp.rows, apsp.measures:
                with self.subTest(sources=sources), self.assertRaisesRegex(ValueError, expected):
                    function(edge, sources)
        for limit in (-1, numpy.nan):
            with self.assertRaisesRegex(ValueError, "limit: expected 0 or more, found"):
                apsp.rows(edge, limit=limit)
        with self.assertRaisesRegex(apsp.ApspError, "a limit of 3 on distances"):
            apsp.solve(-edge, limit=3)
        with self.assertRaisesRegex(ValueError, "block: expected 0 or"):
            apsp.rows(edge, block=-1)
        with self.assertRaisesRegex(ValueError, "expected a graph with vertices"):
            apsp.measures(numpy.zeros((0, 0)))
        cycle = numpy.array([[0, -1], [-1, 0]])
        for call in (apsp.solve, apsp.measures, lambda *args, **how: next(apsp.rows(*args, **how))):
            with self.assertRaisesRegex(ValueError, "^engine: expected one of"):
                call(edge, engine="none")
            with self.assertRaises(apsp.NegativeCycleError) as caught:
                call(cycle)
            self.assertEqual(caught.exception.weight, -2)

    def test_closed_early(self):
        """Whatever leaves the loop, the work ends and no thread stays."""
        n = 20000
        ring = sparse.csr_matrix((numpy.ones(n), (numpy.arange(n), (numpy.arange(n) + 1) % n)))
        threads = threading.active_count()

        def leave():
            for _ in apsp.rows(ring, engine="cpu:johnson"):
                break

        def fail():
            with apsp.rows(ring, engine="cpu:johnson", in_order=True) as blocks:
                next(blocks)
                raise KeyError

        def close():
            blocks = apsp.rows(ring, engine="cpu:johnson", check=True)
            next(blocks)
            blocks.close()
            self.assertEqual(list(blocks), [])
            blocks.close()

        def forget():
            apsp.rows(ring)  # nothing has begun

        for way in leave, fail, close, forget:
            with self.subTest(way.__name__):
                start = time.monotonic()
                try:
                    way()
                except KeyError:
                    pass
                while threading.active_count() > threads and time.monotonic() < start + 5:
                    time.sleep(0.01)
                self.assertEqual(threading.active_count(), threads)
                self.assertLess(time.monotonic() - start, 5)

    def test_several_at_the_same_time(self):
        """Iterators that wait for one another."""
        graph = sparse.random(500, 500, 0.02, format="csr", random_state=1)
        graph.data = numpy.ceil(graph.data * 9)
        pairs = zip(apsp.rows(graph, in_order=True, block=50),
                    apsp.rows(graph.T, in_order=True, block=50))
        both = [(there[1], back[1]) for there, back in pairs]
        self.assertEqual(sum(len(there) for there, _ in both), 500)
        expected = csgraph.dijkstra(graph)
        numpy.testing.assert_array_equal(numpy.concatenate([there for there, _ in both]), expected)
        expected = csgraph.dijkstra(graph.T)
        numpy.testing.assert_array_equal(numpy.concatenate([back for _, back in both]), expected)

    def test_docstrings(self):
        for name in ("apsp", "apsp._csgraph", "apsp._numbers", "apsp._rows", "apsp._verify"):
            results = doctest.testmod(importlib.import_module(name))
            self.assertEqual(results.failed, 0)
            self.assertGreater(results.attempted, 1)


@needs(NetworkX=networkx)
class MeasuresAgainstNetworkX(unittest.TestCase):

    def check_graph(self, found, peer, connected):
        kind = "strongly_connected" if found.directed else "connected"
        self.assertEqual(getattr(found, "is_" + kind), connected)
        parts = list(getattr(networkx, kind + "_components")(peer))
        self.assertEqual(getattr(found, "number_%s_components" % kind), len(parts))
        self.assertEqual(getattr(found, "largest_%s_component" % kind), max(map(len, parts)))
        lengths = dict(networkx.all_pairs_dijkstra_path_length(peer))
        values = sorted(d for u in lengths for v, d in lengths[u].items() if u != v)
        self.assertEqual((found.distance_sum_of_pairs, found.largest_distance),
                         (sum(values), max(values, default=0)))
        counts, edges = found.histogram
        expected = numpy.histogram(values, edges)[0] if values else []
        numpy.testing.assert_array_equal(counts, expected)
        if not connected:
            self.assertEqual((found.diameter, found.radius, found.wiener_index), (numpy.inf,) * 3)
            self.assertEqual((found.center, found.periphery), (None, None))
            return
        eccentricity = networkx.eccentricity(peer, sp=lengths)
        self.assertEqual(list(found.eccentricity), [eccentricity[v] for v in peer])
        for name in ("diameter", "radius"):
            self.assertEqual(getattr(found, name), getattr(networkx, name)(peer, e=eccentricity))
        for name in ("center", "periphery"):
            self.assertEqual(list(getattr(found, name)),
                             sorted(getattr(networkx, name)(peer, e=eccentricity)))
        self.assertEqual(found.wiener_index, networkx.wiener_index(peer, weight="weight"))
        self.assertEqual(found.average_shortest_path_length,
                         networkx.average_shortest_path_length(peer, weight="weight"))

    def test_random_graphs(self):
        rng = numpy.random.default_rng(12)
        connected_ones = 0
        for number in range(60):
            n, directed = int(rng.integers(2, 25)), number % 2 == 0
            weights = rng.integers(1, (2, 10, 1000)[number % 3], (n, n))
            weights[rng.random((n, n)) > (0.1, 0.3, 0.8)[number % 3]] = 0
            numpy.fill_diagonal(weights, 0)
            weights = weights if directed else numpy.maximum(weights, weights.T)
            directed = bool((weights != weights.T).any())
            kind = networkx.DiGraph if directed else networkx.Graph
            peer = networkx.from_numpy_array(weights, create_using=kind)
            connected = (networkx.is_strongly_connected if directed
                         else networkx.is_connected)(peer)
            connected_ones += connected
            with self.subTest(number=number, n=n, directed=directed):
                found = apsp.measures(weights)
                self.assertEqual(found.directed, directed)
                self.check_graph(found, peer, connected)
                closeness = networkx.closeness_centrality(peer, distance="weight")
                self.assertEqual(list(found.closeness_centrality), [closeness[v] for v in peer])
                by_reciprocals = networkx.harmonic_centrality(peer, distance="weight")
                numpy.testing.assert_allclose(found.harmonic_centrality,
                                              [by_reciprocals[v] for v in peer], rtol=1e-13)
                self.check_some(weights, found, rng.permutation(n)[:3])
                self.check_parts(weights, found)
        self.assertTrue(10 < connected_ones < 50, connected_ones)

    def check_parts(self, weights, whole):
        """Measures that take long are there if they are named, and all else is the same either
        way."""
        by_reciprocals = {"harmonic_centrality", "out_harmonic_centrality", "global_efficiency"}
        for only, missing in (("diameter", by_reciprocals | {"histogram"}),
                              (["histogram", "radius"], by_reciprocals),
                              (["global_efficiency"], {"histogram"}), (by_reciprocals, {"histogram"})):
            for scale in 1, 3:
                some = apsp.measures(weights, only=only, scale=scale)
                numbers = vars(whole if scale == 1 else apsp.measures(weights, scale=scale))
                self.assertEqual(vars(some).keys(), numbers.keys() - missing)
                for name, value in vars(some).items():
                    numpy.testing.assert_equal(value, numbers[name], name)

    def test_names_of_measures(self):
        """All that is found can be asked for by name, and nothing else."""
        for graph in [[0, 1], [1, 0]], [[0, 1], [0, 0]]:
            found = vars(apsp.measures(graph))
            apsp.measures(graph, only=found.keys() - {"sources", "limit", "proved", "grid_spacing", "grid_error"})
        for only in "diametre", ["radius", "diametre"]:
            with self.assertRaisesRegex(ValueError, "only: expected names of measures.*'diametre'"):
                apsp.measures(graph, only=only)

    def check_some(self, weights, whole, sources):
        """With sources: their values and no others; with a scale, the same for fractions."""
        some = apsp.measures(weights, sources)
        outwards = "out_" if whole.directed else ""
        names = ["eccentricity"] + [outwards + name for name in (
            "reached", "distance_sum", "closeness_centrality", "harmonic_centrality")]
        for name in names:
            numpy.testing.assert_array_equal(getattr(some, name), getattr(whole, name)[sources])
        numpy.testing.assert_array_equal(some.sources, sources)
        self.assertEqual(some.pairs, len(sources) * (len(weights) - 1))
        self.assertFalse(hasattr(some, "diameter") or hasattr(some, "in_reached"))
        within = apsp.measures(weights, limit=5)
        self.assertFalse(hasattr(within, "diameter"))
        self.assertLessEqual(within.largest_distance, 5)
        within = apsp.measures(weights, limit=0)
        self.assertEqual(within.average_distance is None, within.pairs_without_path == within.pairs)
        quarters = apsp.measures(weights / 4, sources, scale=4)
        for name in names[:3]:
            part = 1 if "reached" in name else 4
            numpy.testing.assert_array_equal(getattr(quarters, name), getattr(some, name) / part)
        for name in names[3:]:
            numpy.testing.assert_array_equal(getattr(quarters, name), getattr(some, name) * 4)
        self.assertEqual(quarters.largest_distance, some.largest_distance / 4)


class Shown(unittest.TestCase):
    """A notebook prints of a result: how much, of what type, what is left out, whether it is proved."""

    def test_results(self):
        graph = [[0, 1, 0], [1, 0, 2], [0, 2, 0]]
        named = apsp.Graph(["a", "b"], [0], [1], [0.3], False)
        index, blocks = apsp.Index(graph, scale=2, even_if_larger=True), apsp.rows(graph, [1, 2], dtype="int32")
        begun = apsp.rows(graph, predecessors=True, check=True)
        next(begun)
        for result, text in (
                (apsp.solve(graph, check=True), "Result: 3 vertices, all of them sources, float64, no predecessors, "
                 "proved, by cpu:johnson"),
                (apsp.solve(graph, [2], limit=1.5, predecessors=True, dtype="float32"),
                 "Result: 3 vertices, one of them the source, float32, nothing beyond 1.5, with predecessors, "
                 "not proved, by cpu:johnson"),
                (blocks, "Rows: 3 vertices, 2 of them sources, int32, no predecessors, not proved, not begun"),
                (begun, "Rows: 3 vertices, all of them sources, float64, with predecessors, proved"),
                (apsp.measures(graph, check=True), "Measures: 3 vertices, all of them sources, undirected, int64, "
                 "proved"),
                (apsp.measures(graph, only="diameter"), "Measures: 3 vertices, all of them sources, undirected, int64, "
                 "not proved, without harmonic_centrality or global_efficiency or histogram"),
                (apsp.measures([[0, 1, 0], [0, 0, 1], [1, 0, 0]], limit=1), "Measures: 3 vertices, all of them sources, "
                 "directed, int64, nothing beyond 1, not proved, without what is about the whole graph"),
                (apsp.measures(named, grid=0.25), "Measures: 2 vertices, all of them sources, undirected, float64, "
                 "weights as multiples of 0.25, distances within 0.05, not proved"),
                (apsp.betweenness(graph, [0]), "Betweenness: 3 vertices, one of them the source, undirected, float64, "
                 "no edges, not proved, by searches"),
                (apsp.betweenness(graph, edges=True), "Betweenness: 3 vertices, all of them sources, undirected, "
                 "float64, 2 edges, not proved, by searches"),
                (apsp.loads(graph, [0, 1, 1], [2, 1, 0]), "Loads: 3 vertices, 4 edges, 2 trips arrive, 1 stay, "
                 "0 without a path"),
                (apsp.accessibility(graph, [1, 1, 1], [2], [1, 3], [0]), "Accessibility: 1 sources, 1 masses, 1 decays, "
                 "2 limits, by searches"),
                (apsp.nearest(named, [0], grid=0.25), "Nearest: 2 vertices, 1 facilities of each, weights as multiples "
                 "of 0.25, distances within 0.05"),
                (index, "Index: 3 vertices, %d bytes, float64, of weights times 2" % index.nbytes),
                (named, "Graph: 2 vertices, 1 undirected edges, weights: float64")):
            self.assertEqual(repr(result), "<apsp.%s>" % text)
        for closed, text in (index, "Index: closed"), (blocks, "Rows: 3 vertices, 2 of them sources, int32, "
                                                       "no predecessors, not proved, ended"):
            closed.close()
            self.assertEqual(repr(closed), "<apsp.%s>" % text)
        begun.close()


class Package(ProgramTest):

    def run_python(self, *args, **env):
        return subprocess.run([sys.executable, *args], cwd=self.directory, check=False,
                              env=environment(PYTHONDONTWRITEBYTECODE="1", **env),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT_S)

    def test_refusals(self):
        edge = numpy.array([[0, 1.0], [0, 0]])
        cases = [
            ("square matrix", numpy.zeros((2, 3)), {}),
            ("square matrix", numpy.zeros(4), {}),
            ("times 10, found 0.25", edge / 4, {"scale": 10}),
            ("times 3 in -2^53 .. 2^53, found 4503599627370496", (edge * 2**52).astype(int),
             {"scale": 3}),
            ("times 3 in -2^53 .. 2^53, found 4503599627370496.0", edge * 2**52, {"scale": 3}),
            ("found -inf", numpy.ma.masked_array(edge - numpy.inf, mask=edge == 0), {}),
            ("scale: expected an integer", edge, {"scale": 0}),
            ("scale: expected an integer", edge, {"scale": 2.5}),
            ("complex", edge * 1j, {}),
            ("engine: expected one of", edge, {"engine": "cpu:none"}),
            ("threads: expected 0 ..", edge, {"threads": -1}),
            ("device: expected a number, a list of them or 'all', found 'none'", edge,
             {"device": "none"}),
            ("device: expected a number, a list of them or 'all', found an empty", edge,
             {"device": []}),
            ("device: expected different numbers, found 1 twice", edge,
             {"device": (1, 0, 1), "engine": "apsp"}),
            ("device: variant blocked solves on one GPU, found a list of 2", edge,
             {"device": range(2), "engine": "cpu:blocked"}),
        ]
        for expected, graph, options in cases:
            with self.subTest(expected=expected, options=options):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    with self.assertRaises(ValueError) as caught:
                        apsp.measures(graph, **options)
                self.assertIn(expected, str(caught.exception))
        with self.assertRaises(apsp.ApspError) as caught:
            apsp.floyd_warshall(numpy.array([[0, 2**52, 0], [0, 0, 2**52], [0, 0, 0]]))
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("from 0 to 2 is beyond 2^53", str(caught.exception))

    def test_negative_cycle(self):
        with self.assertRaises(apsp.NegativeCycleError) as caught:
            apsp.floyd_warshall(numpy.array([[0, 0.5, 0], [0, 0, 1], [-2, 0, 0]]), scale=2)
        self.assertEqual(sorted(caught.exception.cycle), [0, 1, 2])
        self.assertEqual(caught.exception.weight, -0.5)
        with self.assertRaises(apsp.NegativeCycleError):
            apsp.floyd_warshall(numpy.array([[-1.0, 0], [0, 0]]))

    def test_no_vertices(self):
        dist, pred = apsp.floyd_warshall(numpy.zeros((0, 0)), return_predecessors=True)
        self.assertEqual((dist.shape, pred.shape), ((0, 0), (0, 0)))

    def test_other_threads_run(self):
        ticks, stop = [], threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.002)

        beside = threading.Thread(target=tick)
        beside.start()
        try:
            graph = numpy.ones((900, 900))
            seconds, start = 0, 0
            while seconds < 0.2:  # of one solve, without what Python does around it
                start = time.monotonic()
                apsp.floyd_warshall(graph, engine="cpu:sequential")
                seconds = time.monotonic() - start
                graph = numpy.ones((2 * len(graph),) * 2)
        finally:
            stop.set()
            beside.join()
        during = [t for t in ticks if start < t < start + seconds]
        longest = max(later - earlier for earlier, later in zip(during, during[1:]))
        self.assertLess(longest, seconds / 2)

    def test_annotations(self):
        """Type checkers know every argument and result: py.typed promises that they are said."""
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "apsp", "py.typed")))
        for name in apsp.__all__:
            shown = getattr(apsp, name)
            members = vars(shown).values() if inspect.isclass(shown) else [shown]
            for member in members:
                member = member.fget if isinstance(member, property) else member
                if not inspect.isfunction(member) or member.__module__.partition(".")[0] != "apsp":
                    continue
                with self.subTest(member.__qualname__):
                    hints = set(member.__annotations__)
                    arguments = set(inspect.signature(member).parameters) - {"self"}
                    self.assertEqual(arguments | {"return"}, hints)

    def test_version(self):
        with open(os.path.join(REPOSITORY, "libapsp", "apsp.h"), encoding="utf-8") as file:
            version = re.search(r'#define APSP_VERSION "(.*)"', file.read()).group(1)
        self.assertEqual(apsp.version(), version)

    def test_which_library(self):
        tried = self.run_python("-c", "import apsp", PYTHONPATH=PACKAGE, APSP_LIBRARY="/none.so")
        self.assertNotEqual(tried.returncode, 0)
        self.assertRegex(tried.stderr.strip().splitlines()[-1],
                         "^ImportError: libapsp was not found.*APSP_LIBRARY.*none.so")

    def test_reading_results_without_the_library(self):
        example = os.path.join(PACKAGE, "examples", "read_result.py")
        self.write("graphFile.txt", "4 3\n0 1 5\n1 2 -1\n2 0 2\n")
        self.succeeds("cpu", "--format", "npy", "-o", "result")
        done = self.run_python(example, "result", "0", "2", APSP_LIBRARY="/none.so")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "0\tat distance 0\n1\tat distance 5\n2\tat distance 4\n", ""))
        done = self.run_python(example, "result", "0", "3")
        self.assertEqual(done.stdout, "no path from 0 to 3\n")
        self.succeeds("cpu", "--format", "npy", "-o", "result", "--distances-only")
        done = self.run_python(example, "result", "0", "2")
        self.assertIn("result has no predecessors", done.stderr)
        self.assertEqual(done.returncode, 1)


# The beginning of the scripts below.
GRAPH = """
import os, sys, threading
import numpy
import apsp
from apsp import _library

def ring(n, more):
    rng = numpy.random.default_rng(5)
    weights = numpy.zeros((n, n), dtype=numpy.int32)
    weights[rng.integers(0, n, n * more), rng.integers(0, n, n * more)] = 90
    weights[numpy.arange(n), (numpy.arange(n) + 1) % n] = 1 + numpy.arange(n) % 7
    return weights
"""
INTERRUPT = GRAPH + """
engine, n, more = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
statuses, solve = [], apsp._lib.apsp_solve_rows

def noted(*args):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), 2))
    timer.start()
    statuses.append(solve(*args))
    timer.join()
    return statuses[-1]

apsp._lib.apsp_solve_rows = noted
try:
    apsp.floyd_warshall(ring(n, more), engine=engine, threads=1)
except KeyboardInterrupt:
    print("interrupted", *statuses)
apsp._lib.apsp_solve_rows = solve
print(apsp.floyd_warshall([[0, 5, 9], [0, 0, 1], [0, 0, 0]], engine=engine)[0])
"""
# SIGINT while a second thread solves, and the first waits for it or solves, too.
SECOND = GRAPH + """
import time
from concurrent.futures import ThreadPoolExecutor

sent, graph = [], ring(4000, 60)

def kill():
    sent.append(time.monotonic())
    os.kill(os.getpid(), 2)

def work():
    return apsp.measures(graph, threads=1).distance_sum_of_pairs

with ThreadPoolExecutor(1) as pool:
    right = pool.submit(work).result()
    for first in (lambda: time.sleep(60), lambda: [work() for _ in range(1000)],
                  lambda: [block for _ in range(1000) for block in apsp.rows(graph, threads=1)]):
        second = pool.submit(work)
        threading.Timer(0.15, kill).start()
        try:
            first()
        except KeyboardInterrupt:
            late = time.monotonic() - sent[-1]
            print("in time" if late < 0.5 else late, second.result() == right, work() == right)
"""
POOL = GRAPH + """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

def work(engine):
    return apsp.floyd_warshall(GIVEN, engine=engine, threads=3, return_predecessors=True)

def refuse(engine):
    apsp.floyd_warshall([[0, 2**52, 0], [0, 0, 2**52], [0, 0, 0]], engine=engine)

def cycle(_):
    apsp.floyd_warshall([[0, 1, 0], [0, 0, -3], [1, 0, 0]])

GIVEN = ring(300, 3)
if __name__ == "__main__":
    right = {engine: work(engine) for engine in sys.argv[2:]}
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context(sys.argv[1])) as pool:
        for engine, found in zip(sys.argv[2:] * 3, pool.map(work, sys.argv[2:] * 3)):
            assert all(map(numpy.array_equal, found, right[engine])), engine
        try:
            pool.submit(refuse, "cpu:sequential").result()
        except apsp.ApspError as error:
            print(error.status, "beyond 2^53" in str(error))
        try:
            pool.submit(cycle, None).result()
        except apsp.NegativeCycleError as error:
            print(sorted(error.cycle), error.weight)
        print(pool.submit(work, sys.argv[2]).result()[0].shape)
"""
# Rows that come in the middle of SIGINT, or that nobody has taken when Python ends.
ENDS = GRAPH + """
how, n = sys.argv[1], 4000
blocks = apsp.rows(ring(n, 3), engine="cpu:sequential" if how == "waiting" else "cpu:johnson")
if how == "end":
    next(blocks)
    kept = apsp.rows(ring(n, 3), in_order=True)
    next(kept)
    print("ends")
    sys.exit(0)
if how == "forked":
    next(blocks)
    child = os.fork()
    if child == 0:
        try:
            next(blocks)
        except RuntimeError as error:
            print(error)
        del blocks
        sys.exit(0)
    print(os.waitpid(child, 0)[1])
    sys.exit(0)
threading.Timer(0.3, os.kill, (os.getpid(), 2)).start()
try:
    for block in blocks:
        pass
    print("done")
except KeyboardInterrupt:
    print("interrupted", next(blocks, None), threading.active_count())
"""
# With what they take seconds for on one thread.
SLOW = (("cpu:sequential", 3000, 3), ("cpu:johnson", 5000, 100), ("cpu:multisource", 6000, 300),
        ("cpu:blocked", 6000, 3), ("cpu:auto", 6000, 300))


class Processes(ProgramTest):
    """Signals, forked children, and what goes from one process to another."""

    def run_script(self, script, *args):
        self.write("script.py", script)
        done = subprocess.run([sys.executable, self.path("script.py"), *map(str, args)],
                              env=environment(PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=PACKAGE,
                                              APSP_LIBRARY=LIBRARY),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT_S, check=False, preexec_fn=default_signals)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_interrupt(self):
        """SIGINT in the middle of a solve is a KeyboardInterrupt, and the solve is not done."""
        for engine, n, more in SLOW:
            with self.subTest(engine):
                self.assertEqual(self.run_script(INTERRUPT, engine, n, more),
                                 "interrupted %d\n[0. 5. 6.]\n" % apsp._library.CANCELLED)

    def test_interrupt_beside_another_thread(self):
        """It ends what the first thread does, within half a second, and nothing else."""
        self.assertEqual(self.run_script(SECOND), "in time True True\n" * 3)

    def test_how_much_was_left(self):
        """A call that the callback stops ends in a small part of the time that was left."""
        library, told = apsp._library, []

        def progress(_to, done, total):
            told.append((time.monotonic(), done / total))
            return not 0.02 < done / total < 1
        callback = library.Progress(progress)
        tails = numpy.arange(3000, dtype=numpy.int32)
        heads, weights = (tails + 1) % 3000, tails % 7
        graph, result, error = library.Graph(), library.Result(), library.Error()
        options = library.Options(size=ctypes.sizeof(library.Options), engine=b"cpu",
                                  variant=b"sequential", threads=1,
                                  progress=ctypes.cast(callback, ctypes.c_void_p))
        library_calls = apsp._lib
        try:
            edges = library.new(library.Edges, vertices=3000, count=len(tails),
                                tails=tails.ctypes.data, heads=heads.ctypes.data,
                                weights=weights.ctypes.data)
            self.assertEqual(library_calls.apsp_graph_make(graph, edges, None, error), library.OK)
            start = time.monotonic()
            status = library_calls.apsp_solve(graph, options, result, error)
            end = time.monotonic()
        finally:
            library_calls.apsp_graph_free(graph)
        self.assertEqual((status, result.value), (library.CANCELLED, None))
        stopped, fraction = told[-1]
        left = (stopped - start) / fraction * (1 - fraction)
        self.assertLess(fraction, 0.5)
        self.assertLess(end - stopped, left / 2)

    def test_rows_end(self):
        """Rows whose solve nobody waits for to its end."""
        self.assertEqual(self.run_script(ENDS, "waiting"), "interrupted None 1\n")
        self.assertEqual(self.run_script(ENDS, "end"), "ends\n")
        self.assertEqual(self.run_script(ENDS, "forked"),
                         "these rows belong to another process\n0\n")

    def test_forked(self):
        """Children of a process that has used threads, by multiprocessing's methods."""
        for method in ("fork", "spawn"):
            with self.subTest(method):
                said = self.run_script(POOL, method, "cpu:blocked", "cpu:johnson",
                                       "cpu:multisource", "cpu:sequential", "apsp")
                self.assertEqual(said, "%d True\n[0, 1, 2] -1.0\n(300, 300)\n"
                                 % apsp._library.BAD_INPUT)

    def test_exceptions_are_copied_whole(self):
        refused = apsp.ApspError("too far", 2)
        refused.remark = "mine"
        given = apsp.InputError("not so", 2)
        self.assertIsInstance(given, (apsp.ApspError, ValueError))
        cycle = apsp.NegativeCycleError("no shortest paths", [3, 1, 2], -0.5)
        copies = [copy.copy, copy.deepcopy]
        copies += [lambda error, p=p: pickle.loads(pickle.dumps(error, p))
                   for p in range(pickle.HIGHEST_PROTOCOL + 1)]
        for number, copied in enumerate(copies):
            with self.subTest(number):
                for error in refused, given, cycle:
                    self.assertIs(type(copied(error)), type(error))
                    self.assertEqual(str(copied(error)), str(error))
                    self.assertEqual(vars(copied(error)), vars(error))
        self.assertEqual(vars(refused), {"status": 2, "remark": "mine"})
        self.assertEqual(vars(cycle), {"cycle": [3, 1, 2], "weight": -0.5})


if __name__ == "__main__":
    unittest.main()
