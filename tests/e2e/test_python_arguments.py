# SPDX-License-Identifier: MIT
"""Arguments and graphs of unusual types are taken as SciPy takes them, and messages use the names of
this package; what cannot be copied says so. Skipped without SciPy."""

import copy
import os
import pathlib
import pickle
import tempfile
import unittest
import warnings
from fractions import Fraction

from support import import_package, optional

numpy, sparse, csgraph = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph")

FORMATS = ("csr", "csc", "coo", "dia", "lil", "dok", "bsr")
INTEGERS = "bBhHiIlLqQ"

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", SciPy=csgraph)


class Arguments(unittest.TestCase):

    def setUp(self):
        self.graph = numpy.array([[0, 5, 9, 0], [0, 0, 1, 0], [0, 0, 0, 2], [1, 0, 0, 0.0]])
        self.expected = csgraph.dijkstra(self.graph)

    def refused(self, kind, message, function, *args, **kwargs):
        with self.subTest(message, **kwargs), self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        self.assertIn(message, str(caught.exception))

    def test_vertices(self):
        """Numbers of every type may be vertices; masks and fractions are refused."""
        given = [numpy.dtype(code).type(2) for code in INTEGERS + "fd"]
        given += [numpy.array([3, 1], ">i4"), numpy.arange(4)[::-2], range(1, 3), [2.0, 0.0],
                  numpy.array([1, 2], dtype=object), numpy.array(-1), numpy.empty((0, 3), int),
                  numpy.array([[1, -4], [3, 1]], order="F")]
        for indices in given:
            rows = numpy.asarray(indices, dtype=float).astype(int)
            with self.subTest(indices=indices):
                for name in "dijkstra", "johnson", "bellman_ford", "shortest_path":
                    found = getattr(apsp, name)(self.graph, indices=indices)
                    numpy.testing.assert_array_equal(found, self.expected[rows])
                if rows.size > 0:
                    numpy.testing.assert_array_equal(
                        apsp.dijkstra(self.graph, indices=indices, min_only=True),
                        self.expected[rows.ravel()].min(axis=0))
                if rows.ndim < 2 and rows.min(initial=0) >= 0:
                    found = apsp.solve(self.graph, indices)
                    self.assertEqual(found.sources.tolist(), rows.reshape(-1).tolist())
        for indices in ([True, False, True, False], numpy.bool_(True)):
            for name, function in ("indices", apsp.johnson), ("sources", apsp.measures):
                self.refused(ValueError, name + ": expected vertices, found a mask", function,
                             self.graph, **{name: indices})
        for indices in (1.5, numpy.nan, "0", {0, 1}, 1j, [None], 2**64):
            self.refused(ValueError, "indices: expected vertices", apsp.dijkstra, self.graph,
                         indices=indices)
        for indices in (numpy.uint64(2**64 - 1), -5, [0, 2**32]):
            self.refused(ValueError, "out of range", apsp.dijkstra, self.graph, indices=indices)

    def test_long_paths(self):
        """A power of two may make integers of weights whose distances do not fit in 32 bits."""
        for n in (3, 70, 2000):
            weights = numpy.linspace(0.1, 9, n - 1, dtype=numpy.float32)
            path = numpy.zeros((n, n), dtype=numpy.float32)
            path[numpy.arange(n - 1), numpy.arange(1, n)] = weights
            numpy.testing.assert_array_equal(apsp.shortest_path(path), csgraph.shortest_path(path))

    def test_limits(self):
        """Numbers of every type may be limits, and are not rounded further."""
        for weights in self.graph, self.graph / 10, self.graph * numpy.pi:
            for limit in (0, -0.0, numpy.float32(0.6), numpy.float16(6), numpy.int8(6), True,
                          numpy.array(6.0), 2**70, 1e300, 5e-324, numpy.inf, numpy.longdouble(19)):
                with self.subTest(limit=limit):
                    numpy.testing.assert_array_equal(
                        apsp.dijkstra(weights, limit=limit),
                        csgraph.dijkstra(weights, limit=float(limit)))
        for limit in ("6", None, numpy.array([6]), 6 + 0j, [6], 2**2000):
            self.refused(TypeError, "limit: expected a number", apsp.dijkstra, self.graph,
                         limit=limit)

    def test_other_arguments(self):
        """Numbers that do not fit the library's types are refused in the package's own words."""
        for kind, message, given in (
                (TypeError, "threads: expected an integer, found 2.0", {"threads": 2.0}),
                (ValueError, "threads: expected an integer of 32 bits", {"threads": 2**32 + 1}),
                (TypeError, "device: expected an integer, found None", {"device": None}),
                (ValueError, "device: expected an integer of 32 bits", {"device": [2**32]}),
                (TypeError, "engine: expected a name, found 3", {"engine": 3}),
                (ValueError, "scale: expected an integer", {"scale": numpy.nan}),
                (ValueError, "scale: expected an integer", {"scale": [1]}),
                (TypeError, "progress: expected a function", {"progress": 3}),
                (TypeError, "unexpected keyword argument 'tile'", {"tile": 3})):
            self.refused(kind, message, apsp.solve, self.graph, **given)
        path = [[0, 1], [1, 0]]
        index = apsp.Index(path)
        for kind, message, function, *given in (
                (ValueError, "grid: expected 'auto', 'off' or a number", lambda grid: apsp.solve(path, grid=grid), -1.0),
                (ValueError, "grid: expected 'auto', 'off' or a number", lambda grid: apsp.solve(path, grid=grid), "of"),
                (TypeError, "grid: expected a number, found [1]", lambda grid: apsp.solve(path, grid=grid), [1]),
                (ValueError, "masses: expected one or more numbers", apsp.accessibility, path, {}, 1),
                (ValueError, "check: expected none: loads", lambda: apsp.loads(path, [0], [1], check=True)),
                (ValueError, "expected a graph with vertices, found none", apsp.diameter, numpy.zeros((0, 0))),
                (ValueError, "pairs: expected an array of shape", index.distances, [0, 1]),
                (ValueError, "sources: expected vertices", index.table, [[0, 1]]),
                (ValueError, "Cannot specify indices", lambda: apsp.shortest_path(path, "FW", indices=0)),
                (TypeError, "weight: expected a name or False", lambda: apsp.read("none", weight=True))):
            self.refused(kind, message, function, *given)
        self.assertEqual(index.table([], [0]).shape, (0, 1))
        for function in apsp.diameter, apsp.radius, apsp.eccentricity:
            for name, value in ("device", 0), ("engine", "cpu:johnson"), ("grid", 0.5):
                self.refused(ValueError, name + ": expected none", function, path, **{name: value})
        for block in None, "3", 2.5:
            self.refused(ValueError, "block: expected 0", apsp.rows, self.graph, block=block)
        numpy.testing.assert_array_equal(
            apsp.shortest_path(self.graph, threads=numpy.int8(1), device=numpy.uint8(0),
                               scale=2.0), self.expected)

    def test_types_of_answers(self):
        """Every spelling of a supported type is taken; others and masked arrays are refused."""
        for spellings in (("d", "<f8", float, "double"), ("f", "=f4", numpy.single),
                          ("i", "<i4", numpy.intc), ("H", "<u2", numpy.ushort),
                          ("q", "<i8", int, numpy.longlong)):
            for dtype in spellings:
                self.assertEqual(apsp.johnson(self.graph, dtype=dtype).dtype, numpy.dtype(dtype))
        for dtype in (">f8", "float16", "longdouble", ">i8", "uint32", bool, complex, object, "U",
                      "M8[s]", "V4", [("a", "f8")]):
            self.refused(ValueError, "dtype: expected float64", apsp.dijkstra, self.graph,
                         dtype=dtype)
        for weight in 1e39, 2.0**200:  # computed as it is, and as an integer
            for function in apsp.shortest_path, apsp.solve, lambda *a, **k: next(apsp.rows(*a, **k)):
                self.refused(ValueError, "dtype: expected distances up to 3.40282e+38 for float32",
                             function, [[0, weight], [0, 0]], dtype="float32")
        self.refused(ValueError, "out: expected an array without a mask", apsp.dijkstra, self.graph,
                     out=numpy.ma.zeros((4, 4)))
        unaligned = numpy.empty(129, numpy.uint8)[1:].view(numpy.float64).reshape(4, 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.npy")
            numpy.save(path, unaligned)
            for out in (unaligned, unaligned[::-1, ::-1], numpy.load(path, mmap_mode="r+"),
                        numpy.load(path, mmap_mode="c"), numpy.matrix(unaligned)):
                self.assertIs(apsp.shortest_path(self.graph, out=out), out)
                numpy.testing.assert_array_equal(out, self.expected)
            self.refused(ValueError, "read-only", apsp.dijkstra, self.graph,
                         out=numpy.load(path, mmap_mode="r"))
            del out

    def test_out_over_the_graph(self):
        """An answer may be written over its own graph, wholly or in part."""
        for n in 4, 400:
            graph = numpy.where(numpy.eye(n, k=1) + numpy.eye(n, k=1 - n), 3.0, 0)
            expected, memory = csgraph.shortest_path(graph), numpy.empty(n * n + 3)
            for where in (slice(3, None), slice(0, -3)):
                given = memory[where].reshape(n, n)
                for out in (given, given.T, memory[:n * n].reshape(n, n)):
                    given[:] = graph
                    numpy.testing.assert_array_equal(apsp.shortest_path(given, out=out), expected)
            entries = memory[:n]
            edges = sparse.csr_matrix((entries, numpy.arange(1, n + 1) % n, numpy.arange(n + 1)))
            edges.data, entries[:] = entries, 3
            numpy.testing.assert_array_equal(
                apsp.shortest_path(edges, out=memory[:n * n].reshape(n, n)), expected)

    def test_dense_weights(self):
        """Weights may be numbers of every type, and objects that are numbers; nothing else may."""
        for dtype in INTEGERS + "?efdg":
            weights = self.graph.astype(dtype)
            numpy.testing.assert_array_equal(apsp.dijkstra(weights),
                                             csgraph.dijkstra(weights.astype(float)))
        for dtype in ">f8", ">i4", object:
            numpy.testing.assert_array_equal(apsp.dijkstra(self.graph.astype(dtype)), self.expected)
        numpy.testing.assert_array_equal(
            apsp.dijkstra(numpy.array([[0, 2**40 + 1], [numpy.nan, 0]], dtype=object)),
            [[0, 2**40 + 1], [numpy.inf, 0]])
        for found in (["1", None, Fraction(1, 3), 2**64, numpy.datetime64(3, "s"), 1j]):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.refused(ValueError, "expected ", apsp.shortest_path, [[0, found], [0, 0]])
        for wrong in 2**53 + 1, -2**63:  # floating point would round the first
            self.refused(ValueError, "in -2^53 .. 2^53, found %d" % wrong, apsp.shortest_path,
                         numpy.array([[0, 3], [wrong, 0]]))
        self.refused(ValueError, "found ones of type <U3", apsp.dijkstra, self.graph.astype("U3"))
        self.refused(ValueError, "found ones of type timedelta64", apsp.dijkstra,
                     self.graph.astype("m8[s]"))
        for graph in ({}, None, 5, [], [[]], "abc"):
            self.refused(ValueError, "expected a square matrix", apsp.shortest_path, graph)
        for name in "g.csv", b"g.csv", pathlib.Path("g.csv"):
            self.refused(ValueError, "; apsp.read('g.csv') reads a file", apsp.shortest_path, name)

    def test_sparse_matrices(self):
        """Matrices and arrays of every format have right answers, down to no vertex at all."""
        kinds = ["%s_%s" % (name, kind) for name in FORMATS for kind in ("matrix", "array")]
        for kind in kinds:
            make = getattr(sparse, kind)
            for dtype in "dfi?BQ":
                graph = make(self.graph.astype(dtype))
                with self.subTest(kind, dtype=dtype):
                    for how in {}, {"directed": False}, {"unweighted": True}, {"indices": [2, -1]}:
                        numpy.testing.assert_array_equal(apsp.dijkstra(graph, **how),
                                                         csgraph.dijkstra(graph, **how))
            for n in 0, 1, 2:
                self.assertEqual(apsp.shortest_path(make(numpy.zeros((n, n)))).shape, (n, n))

    def test_arrays_of_sparse_matrices(self):
        """Zeros may be stored, entries be in any order and arrays have any layout; 64-bit indices
        are not cut off."""
        data, heads = numpy.array([9, 5, 1, 0, 4.0]), numpy.array([2, 1, 2, 3, 0], numpy.int32)
        first = numpy.array([0, 2, 3, 4, 5], numpy.int32)
        expected = csgraph.dijkstra(sparse.csr_matrix((data, heads, first)))
        for every in 1, 2:
            for dtype in "i", "l", ">i8":
                graph = sparse.csr_matrix((data, heads, first))
                graph.data = numpy.repeat(data, every)[::every]
                graph.indices = numpy.repeat(heads, every).astype(dtype)[::every]
                graph.indptr = numpy.repeat(first, every).astype(dtype)[::every]
                with self.subTest(every=every, dtype=dtype):
                    numpy.testing.assert_array_equal(apsp.dijkstra(graph), expected)
        for wrong in 2**32 + 3, -2**32, 4:
            graph = sparse.csr_matrix((data, heads, first))
            graph.indices = heads.astype(numpy.int64)
            graph.indices[2] = wrong
            self.refused(ValueError, "indices in 0 .. 3, found %d" % wrong, apsp.shortest_path,
                         graph)

    def test_predecessors_are_numbers_of_vertices(self):
        """verify() does not cut predecessors down to 32 bits before it looks at them."""
        dist, pred = apsp.shortest_path(self.graph, return_predecessors=True)
        apsp.verify(self.graph, dist, pred.astype(float))
        for wrong in (pred.astype(numpy.int64) + 2**32, pred + 0.5, numpy.where(pred < 0, pred, numpy.nan)):
            self.refused(apsp.ApspError, "which is not a vertex", apsp.verify, self.graph, dist,
                         wrong)

    def test_index(self):
        """An index refuses odd numbers, odd names of files, and copies, which would free it twice."""
        index = apsp.Index(self.graph)
        for vertex in (1, 1.0, numpy.int8(1), numpy.uint64(1), numpy.array(1)):
            self.assertEqual(index.distance(vertex, 3), 3)
            self.assertEqual(index.path(vertex, 3).tolist(), [1, 2, 3])
            self.assertEqual(index.row(vertex).tolist(), self.expected[1].tolist())
        for vertex in (2**32, -1, "0", None, [0], 0.5):
            for function in index.distance, index.path:
                self.refused(ValueError, "target: expected ", function, 0, vertex)
        for copied in copy.copy, copy.deepcopy, pickle.dumps:
            self.refused(TypeError, "cannot be copied", copied, index)
            self.refused(TypeError, "cannot be copied", copied, apsp.rows(self.graph))
        with tempfile.TemporaryDirectory() as folder:
            self.refused(OSError, "cannot write", index.save, folder)
            path = os.path.join(folder, "a")
            for function in index.save, apsp.open_index:
                self.refused(ValueError, "null character", function, path + "\0b")
            index.save(path)
            self.refused(TypeError, "threads: expected", apsp.open_index, path, threads=2.0)
            self.refused(ValueError, "scale: expected", apsp.open_index, path, scale=0)
        self.refused(TypeError, "rows: expected", index.verify, self.graph, rows="all")
        self.refused(ValueError, "rows: expected", index.verify, self.graph, rows=2**32)
        self.refused(ValueError, "vertices, found none", apsp.Index, numpy.zeros((0, 0)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nothing is left that could not be freed
            self.refused(TypeError, "threads: expected", apsp.Index, self.graph, threads="2")


if __name__ == "__main__":
    unittest.main()
