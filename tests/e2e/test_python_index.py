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
    from scipy.sparse.csgraph import dijkstra
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

    def test_scale_and_refusals(self):
        index = apsp.Index([[0, 0.5], [0.25, 0]], scale=12)
        index.verify([[0, 0.5], [0.25, 0]], scale=12)
        self.assertEqual((index.distance(0, 1), index.distance(1, 0)), (0.5, 0.25))
        for vertex in (-1, 150):
            with self.assertRaises(ValueError):
                self.index.distance(0, vertex)
            with self.assertRaises(ValueError):
                self.index.table([vertex])
        with self.assertRaises(apsp.NegativeCycleError):
            apsp.Index([[0, 1], [-2, 0]])
        with self.assertRaises(apsp.ApspError):
            apsp.open_index(NOWHERE)


if __name__ == "__main__":
    unittest.main()
