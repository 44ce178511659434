# SPDX-License-Identifier: MIT
"""solve(semiring=...) and read(semiring=...) of the Python package, beside matrices of the definition. Skipped without
NumPy."""

import os
import random
import tempfile
import unittest

from support import import_package, needs, optional

numpy, networkx, scipy_sparse = optional("numpy", "networkx", "scipy.sparse")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", NumPy=numpy)


def lengths(matrix, semiring):
    """Floyd-Warshall; entries of 0 are no edges. Products are of powers of two, so that rounding changes none."""
    best, join, to_itself, no_path = {"min-max": (numpy.minimum, numpy.maximum, -numpy.inf, numpy.inf),
                                      "max-min": (numpy.maximum, numpy.minimum, numpy.inf, -numpy.inf),
                                      "max-product": (numpy.maximum, numpy.multiply, 1, 0)}[semiring]
    found = numpy.where(matrix != 0, matrix, no_path).astype(float)
    numpy.fill_diagonal(found, to_itself)
    for k in range(len(found)):
        found = best(found, join(found[:, k, None], found[k]))
    return found


class Semirings(unittest.TestCase):

    def weights(self, rng, n, semiring):
        """A matrix of few or many edges."""
        values = [0.5, 0.25, 1.0] if semiring == "max-product" else [-2, 1, 3, 7] if rng.random() < 0.5 else [0.1, 2.5, 4.0]
        some = rng.random()
        return numpy.array([[rng.choice(values) if rng.random() < some else 0 for _ in range(n)] for _ in range(n)])

    @needs(SciPy=scipy_sparse)
    def test_answers(self):
        """Dense and sparse matrices, directed or not, some rows, predecessors, proofs."""
        rng = random.Random(1)
        for k in range(60):
            semiring, n = rng.choice(("min-max", "max-min", "max-product")), rng.choice((1, 3, 12, 50))
            matrix, directed = self.weights(rng, n, semiring), rng.random() < 0.5
            both = matrix
            if not directed:
                choose = numpy.minimum if semiring == "min-max" else numpy.maximum
                both = numpy.where(matrix == 0, matrix.T, numpy.where(matrix.T == 0, matrix, choose(matrix, matrix.T)))
            given = matrix if k % 2 else scipy_sparse.csr_matrix(matrix)
            sources = None if k % 3 else rng.sample(range(n), rng.randint(1, n))
            found = apsp.solve(given, sources, semiring=semiring, directed=directed, predecessors=True, check=True)
            expected = lengths(both, semiring)[slice(None) if sources is None else sources]
            numpy.testing.assert_array_equal(found.distances, expected)
            self.assertTrue(found.proved)
            for row, source in enumerate(found.sources):
                self.assertEqual(found.predecessors[row, source], -9999)

    @needs(NetworkX=networkx)
    def test_parallel_edges(self):
        """The best of them counts, in graphs of NetworkX and of files, which are read for one semiring."""
        graph = networkx.MultiDiGraph([(0, 1, {"weight": 0.25}), (0, 1, {"weight": 0.5}), (1, 1, {"weight": 1.0})])
        for semiring, expected in (("min-max", 0.25), ("max-min", 0.5), ("max-product", 0.5)):
            self.assertEqual(apsp.solve(graph, semiring=semiring).distances[0, 1], expected)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.csv")
            with open(path, "w", encoding="ascii") as file:
                file.write("from,to,weight\nA,B,0.25\nA,B,0.5\n")
            widest = apsp.read(path, semiring="max-min")
            self.assertEqual(apsp.solve(widest, semiring="max-product").distances[0, 1], 0.5)
            self.assertEqual(apsp.solve(apsp.read(path), semiring="min-max").distances[0, 1], 0.25)
            for wrong in (lambda: apsp.shortest_path(widest), lambda: apsp.solve(apsp.read(path), semiring="max-min")):
                with self.assertRaisesRegex(ValueError, r"read\(FILE, semiring="):
                    wrong()

    def test_graphs_read_for_another(self):
        """The best of parallel edges in a file counts for its semiring, or the graph is refused."""
        best = {"min-plus": 0.25, "min-max": 0.25, "max-min": 0.5, "max-product": 0.5}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.csv")
            with open(path, "w", encoding="ascii") as file:
                file.write("from,to,weight\nA,B,0.25\nA,B,0.5\n")
            for read in best:
                graph, solved = apsp.read(path, semiring=read), []
                for semiring, expected in best.items():
                    try:
                        self.assertEqual(apsp.solve(graph, semiring=semiring).distances[0, 1], expected)
                        solved.append(semiring)
                    except ValueError as reason:
                        self.assertRegex(str(reason), r"read\(FILE, semiring=")
                self.assertIn(read, solved)

    def test_measures(self):
        """They are those of the rows, and only such as make sense without sums."""
        rng = random.Random(2)
        for k in range(40):
            semiring, n = rng.choice(("min-max", "max-min", "max-product")), rng.choice((1, 3, 12, 50))
            matrix = self.weights(rng, n, semiring)
            sources = None if k % 3 else rng.sample(range(n), rng.randint(1, n))
            found = apsp.measures(matrix, sources, semiring=semiring, check=True)
            rows = apsp.solve(matrix, sources, semiring=semiring).distances
            worst, no_path = (numpy.max, numpy.inf) if semiring == "min-max" else (numpy.min, {"max-min": -numpy.inf, "max-product": 0}[semiring])
            each, pairs = [], []
            for source, row in zip(found.sources, rows):
                there = [(row[v], source, v) for v in range(n) if v != source and row[v] != no_path]
                each.append(worst([length for length, _, _ in there]) if there else row[source])
                pairs += there
            numpy.testing.assert_array_equal(found.eccentricity, each)
            self.assertEqual(found.pairs_without_path, len(found.sources) * (n - 1) - len(pairs))
            self.assertEqual(found.histogram[0].sum(), len(pairs))
            if pairs:
                length = worst([length for length, _, _ in pairs])
                first = min(pair[1:] for pair in pairs if pair[0] == length) if sources is None else found.worst_pair
                self.assertEqual((found.worst_distance, found.worst_pair), (length, first))
                self.assertAlmostEqual(found.distance_sum_of_pairs, sum(length for length, _, _ in pairs), places=9)
            if sources is None and n > 1:
                connected = len(pairs) == n * (n - 1)
                best = numpy.min if semiring == "min-max" else numpy.max
                self.assertEqual((found.diameter, found.radius), (worst(each), best(each)) if connected else (no_path, no_path))
            for name in ("closeness_centrality", "out_closeness_centrality", "harmonic_centrality", "global_efficiency",
                         "wiener_index", "average_shortest_path_length", "largest_distance"):
                self.assertFalse(hasattr(found, name), name)
            self.assertNotIn("harmonic", repr(found))
        with self.assertRaisesRegex(ValueError, "limit: expected none"):
            apsp.measures([[0, 5], [0, 0]], semiring="max-min", limit=3)

    def test_refusals(self):
        """Arguments that are about sums, and names that nobody knows, are refused."""
        for wrong, said in ((dict(semiring="max"), "expected one of min-plus"), (dict(limit=3), "limit"), (dict(scale=2), "scale"),
                            (dict(grid=0.5), "grid"), (dict(along=[[0, 1], [0, 0]]), "along"), (dict(dtype=numpy.int32), "dtype"),
                            (dict(engine="cpu:johnson"), "engine"), (dict(engine="cuda_simple"), "engine"),
                            (dict(semiring="max-product"), "0 .. 1")):
            with self.assertRaisesRegex(ValueError, said):
                apsp.solve([[0, 5], [0, 0]], **{"semiring": "max-min", **wrong})


if __name__ == "__main__":
    unittest.main()
