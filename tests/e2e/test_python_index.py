# SPDX-License-Identifier: MIT
"""apsp.Index and apsp.open_index beside SciPy."""

import os
import sys
import tempfile
import threading
import unittest

from support import NOWHERE, REPOSITORY

sys.path.insert(0, os.path.join(REPOSITORY, "python"))
try:
    import numpy
    import scipy.sparse
    from scipy.sparse.csgraph import dijkstra, johnson
    import apsp
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


class Index(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        random = numpy.random.default_rng(3)
        cls.graph = scipy.sparse.random(150, 150, 0.02, format="csr", random_state=3,
                                        data_rvs=lambda k: random.integers(1, 60, k)).tocsr()
        cls.distances = dijkstra(cls.graph)
        cls.index = apsp.Index(cls.graph)

    def check(self, index):
        self.assertEqual(len(index), 150)
        numpy.testing.assert_array_equal(index.table(), self.distances)
        numpy.testing.assert_array_equal(index.row(4), self.distances[4])
        sources, targets = [9, 2, 9], [7, 140]
        numpy.testing.assert_array_equal(index.table(sources, targets),
                                         self.distances[numpy.ix_(sources, targets)])
        pairs = numpy.random.default_rng(4).integers(0, 150, (500, 2))
        numpy.testing.assert_array_equal(index.distances(pairs),
                                         self.distances[pairs[:, 0], pairs[:, 1]])

    def test_answers(self):
        self.check(self.index)
        for target in range(150):
            path = self.index.path(3, target)
            self.assertEqual(self.index.distance(3, target), self.distances[3, target])
            if len(path) == 0:
                self.assertEqual(self.distances[3, target], numpy.inf)
                continue
            self.assertEqual((path[0], path[-1]), (3, target))
            self.assertEqual(sum(self.graph[u, v] for u, v in zip(path, path[1:])),
                             self.distances[3, target])

    def test_differences(self):
        """Labels that differ from a row by as much as 16 bits hold, and by a little more, one way and both."""
        random = numpy.random.default_rng(5)
        for k in range(300):
            near = 65535 // (1 + k % 3)
            weights = random.choice([1, 2, near - 2, near - 1, near, near + 1, near + 2, 1 << 21, 1 << 22, 1 << 23], 14)
            graph = scipy.sparse.csr_matrix((weights, random.integers(0, 8, (2, 14))), shape=(8, 8))
            graph = graph.maximum(graph.T) if k % 2 == 0 else graph
            numpy.testing.assert_array_equal(apsp.Index(graph).table(), dijkstra(graph))

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.apspx")
            self.index.save(path)
            self.assertEqual(os.path.getsize(path), self.index.nbytes)
            with apsp.open_index(path) as index:
                self.check(index)
                index.verify(self.graph)
                with self.assertRaisesRegex(apsp.ApspError, "another graph"):
                    index.verify(self.graph.T)
            with self.assertRaises(ValueError):
                index.distance(0, 1)
            os.truncate(path, 1000)
            with self.assertRaisesRegex(apsp.ApspError, "truncated"):
                apsp.open_index(path)

    def test_threads(self):
        threads = [threading.Thread(target=self.check, args=(self.index,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def test_real_weights(self):
        """Real weights are rounded to a grid unless they are on one; a file needs no scale."""
        for weight, grid in ((lambda w: w / 4, "auto"), (lambda w: w / 7, "auto"),
                             (lambda w: w / 7, 0.01), (lambda w: w * 2.0**25, "auto")):
            graph = self.graph.astype(float)
            graph.data = weight(graph.data)
            with tempfile.TemporaryDirectory() as folder:
                apsp.Index(graph, grid=grid).save(os.path.join(folder, "g.apspx"))
                with apsp.open_index(os.path.join(folder, "g.apspx")) as index:
                    index.verify(graph)
                    rounded = graph.copy()
                    if index.grid_spacing > 0:
                        rounded.data = numpy.rint(graph.data / index.grid_spacing)
                        rounded.data *= index.grid_spacing
                    right, table = dijkstra(rounded), index.table()
                    self.assertEqual(index.grid_error > 0, weight(1) == 1 / 7)
                    numpy.testing.assert_array_equal(table, right)
                    numpy.testing.assert_allclose(table, dijkstra(graph), rtol=1e-9,
                                                  atol=index.grid_error)
                    pairs = [(3, v) for v in range(150)]
                    numpy.testing.assert_array_equal(index.distances(pairs), right[3])
                    self.assertEqual([index.distance(*pair) for pair in pairs], list(right[3]))
        with self.assertRaisesRegex(apsp.ApspError, "on a grid"):
            apsp.Index(self.graph / 7, grid="off")
        with self.assertRaisesRegex(ValueError, "integral weights"):
            self.index.verify(self.graph / 7)

    def test_below_0(self):
        """Weights below 0 that are on a grid: integers beyond int32, and quarters."""
        random = numpy.random.default_rng(4)
        tail, head = self.graph.tocoo().row, self.graph.tocoo().col
        for unit, dtype in ((1, "int64"), (2**25, "int64"), (2**33, "int64"), (0.25, float)):
            h = random.integers(0, 40, 150) * 3
            data = (self.graph.data + h[tail] - h[head]) * unit + (unit == 2**33)
            graph = scipy.sparse.csr_array((data.astype(dtype), (tail, head)), shape=(150, 150))
            self.assertLess(graph.data.min(), 0)
            index = apsp.Index(graph)
            numpy.testing.assert_array_equal(index.table(), johnson(graph))
            index.verify(graph)
            graph.data[graph.data == graph.data.min()] += unit
            with self.assertRaisesRegex(apsp.ApspError, "another graph"):
                index.verify(graph)

    def test_update(self):
        """Integers, real numbers and integers again, in memory and from a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.apspx")
            self.index.save(path)
            for index in (apsp.Index(self.graph), apsp.open_index(path)):
                for weight in (lambda w: w * 3 + 1, lambda w: w / 4, lambda w: w % 7 + 2):
                    graph = self.graph.copy()
                    graph.data = weight(graph.data)
                    index.update(graph)
                    numpy.testing.assert_array_equal(index.table(), dijkstra(graph))
                    index.verify(graph)
                before = index.table()
                with self.assertRaisesRegex(apsp.ApspError, "the one from .* is missing"):
                    index.update(scipy.sparse.triu(self.graph).tocsr())
                numpy.testing.assert_array_equal(index.table(), before)

    def test_scale_and_refusals(self):
        one, both = (apsp.Index([[0, 3], [3, 0]], both_directions=both).nbytes for both in (False, True))
        self.assertGreater(both, one)
        index = apsp.Index([[0, 0.5], [0.25, 0]], scale=12)
        index.verify([[0, 0.5], [0.25, 0]], scale=12)
        self.assertEqual((index.distance(0, 1), index.distance(1, 0)), (0.5, 0.25))
        index.update([[0, 0.5], [0.75, 0]], scale=4)
        with self.assertRaisesRegex(apsp.ApspError, "the one from 1 to 0 is missing"):
            index.update([[0, 0.5], [0, 0]], scale=8)
        self.assertEqual((index.distance(0, 1), index.distance(1, 0)), (0.5, 0.75))
        for vertex in (-1, 150):
            with self.assertRaises(ValueError):
                self.index.distance(0, vertex)
            with self.assertRaisesRegex(ValueError, "sources: expected vertices 0 .. 149, found %d" % vertex):
                self.index.table([vertex])
        with self.assertRaises(apsp.NegativeCycleError):
            apsp.Index([[0, 1], [-2, 0]])
        dense = numpy.random.default_rng(1).random((600, 600))
        with self.assertRaisesRegex(ValueError, r"even_if_larger=True builds it all the same"):
            apsp.Index(numpy.where(dense < 0.02, 1, 0))
        with self.assertRaises(NotADirectoryError):
            apsp.open_index(NOWHERE)


if __name__ == "__main__":
    unittest.main()
