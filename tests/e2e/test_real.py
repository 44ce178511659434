# SPDX-License-Identifier: MIT
"""Graphs with real weights, from the file to the result, against SciPy's Dijkstra, bit for bit.
Skipped without SciPy."""

import json
import os
import subprocess
import sys
import unittest

try:
    import numpy
    import scipy.sparse
    from scipy.sparse.csgraph import dijkstra
except ImportError as error:
    raise unittest.SkipTest("SciPy is missing") from error

from support import (BAD_INPUT, BIN, LIBRARY, PACKAGE, REPOSITORY, SANITIZED, TIMEOUT_S,
                     ProgramTest, environment)

FORMATS = ("text", "gr", "mtx", "wel", "snap", "csv", "tntp")


class Real(ProgramTest):

    def graph(self, layout="text"):
        self.succeeds("graphgen", "--v", 60, "--edges", 300, "--weights", "0:9999999", "--decimals", 6,
                      "--seed", 3, "--format", layout, "-o", "g")

    def reference(self):
        """SciPy's distances; weights of 0 would be no edges there."""
        rows = numpy.loadtxt(self.path("g"), skiprows=1)
        matrix = scipy.sparse.csr_matrix((rows[:, 2], (rows[:, 0].astype(int), rows[:, 1].astype(int))),
                                         shape=(60, 60))
        return dijkstra(matrix)

    def test_every_form_of_the_result(self):
        self.graph()
        expected = self.reference()
        self.succeeds("cpu", "g", "-o", "r.txt")
        self.succeeds("cpu", "g", "--format", "npy", "-o", "r")
        self.succeeds("cpu", "g", "--format", "npz", "-o", "s", "--sources", "0-9", "--targets", "5-40")
        with open(self.path("r.txt"), encoding="ascii") as file:
            lines = file.read().splitlines()[2:62]
        text = numpy.array([[float(cell) for cell in line.split("\t")] for line in lines])
        numpy.testing.assert_array_equal(text, expected)
        dist = numpy.load(self.path("r.dist.npy"))
        self.assertEqual(dist.dtype, numpy.float64)
        numpy.testing.assert_array_equal(dist, expected)
        sparse = scipy.sparse.load_npz(self.path("s.npz"))
        part = expected[:10, 5:41]
        self.assertEqual(sparse.dtype, numpy.float64)
        self.assertEqual(sparse.nnz, numpy.isfinite(part).sum())
        numpy.testing.assert_array_equal(sparse.toarray(), numpy.where(numpy.isfinite(part), part, 0))
        with open(self.path("r.json"), encoding="ascii") as file:
            self.assertEqual(json.load(file)["type"], "float64")
        for result in ("r.txt", "r"):
            self.proves("-g", "g", result)

    def test_every_format_is_one_graph(self):
        results = set()
        for layout in FORMATS:
            self.graph(layout)
            self.succeeds("cpu", "g", "--format", "npy", "-o", "r", "--type", "float32")
            results.add(self.read("r.dist.npy"))
        self.assertEqual(len(results), 1)
        self.assertEqual(numpy.load(self.path("r.dist.npy")).dtype, numpy.float32)

    def test_plan(self):
        """Plans list engines that add up real weights themselves or whose rows are refined, and refuse others
        for weights below 0."""
        self.graph()
        lines = self.succeeds("apsp", "--plan", "g").out.decode().splitlines()
        self.assertRegex(lines[0], r"^60 vertices, [\d.]+ edges each, float64 weights, .* of up to \d+ edges; ")
        usable = {line.split()[0] for line in lines[2:] if " not: " not in line}
        self.assertEqual({name for name in usable if name.startswith("cpu:")},
                         {"cpu:" + name for name in ("sequential", "blocked", "blocked16", "blocked32", "johnson",
                                                     "multisource", "dissection")})
        self.write("g", "3 3\n0 1 0.5\n1 2 -0.25\n2 0 1.5\n")
        lines = self.succeeds("apsp", "--plan", "g").out.decode().splitlines()
        self.assertTrue(lines[2].startswith("cpu:multisource "), lines[2])
        self.assertIn("takes no float64 weights below 0", "\n".join(lines))

    def test_chosen(self):
        """By auto, as by the plan: near sources one search each, the same bytes on any threads."""
        self.succeeds("graphgen", "--family", "road", "--v", 3000, "--decimals", 2, "-o", "g")
        for limit, expected in (([], "dissection"), (["--limit", "9"], "johnson")):
            results = set()
            for threads in (1, 3):
                done = self.succeeds("cpu", "g", "--variant", "auto", "--format", "npy", "-o", "r", "--json",
                                     "--threads", threads, "--sources", "0-1499", "--check", *limit)
                self.assertEqual(json.loads(done.out)["chosen"], expected)
                results.add((self.read("r.dist.npy"), self.read("r.pred.npy")))
            self.assertEqual(len(results), 1)
            self.succeeds("cpu", "g", "--variant", "multisource", "--format", "npy", "-o", "s", "--sources",
                          "0-1499", *limit)
            self.assertEqual(self.read("s.dist.npy"), results.pop()[0])

    def test_resumed(self):
        """Kept rows are read again as what they are."""
        self.graph()
        self.succeeds("cpu", "g", "--format", "npy", "-o", "whole", "--variant", "johnson")
        self.succeeds("cpu", "g", "--format", "npy", "-o", "r", "--variant", "johnson", "--resume",
                      "--check")
        for name in ("dist", "pred"):
            numpy.testing.assert_array_equal(numpy.load(self.path("r.%s.npy" % name)),
                                             numpy.load(self.path("whole.%s.npy" % name)))

    def test_refused(self):
        self.graph()
        for form in ("uint8", "uint16", "auto"):
            self.fails(BAD_INPUT, "--format npy:%s: expected distances that are integers, found those of a graph with "
                       "float64 weights" % form, "cpu", "g", "--format", "npy:" + form)
        self.fails(BAD_INPUT, "--type: expected int32, int64, float32 or float64, found 'real'", "cpu", "g",
                   "--type", "real")


@unittest.skipIf(SANITIZED, "a sanitized library needs a sanitized Python")
class Scipy(ProgramTest):
    """SciPy's bits by every engine, with threads and instruction sets of all kinds."""

    def compare(self, *arguments, **changes):
        script = os.path.join(REPOSITORY, "experiments", "peers", "scipy_bits.py")
        return subprocess.run([sys.executable, script, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S, check=False,
                              env=environment(**{"PYTHONPATH": PACKAGE, "APSP_LIBRARY": LIBRARY, "OMP_WAIT_POLICY": "passive",
                                                 "PYTHONDONTWRITEBYTECODE": "1", **changes}))

    def test_random_graphs(self):
        done = self.compare("--graphs", "80", "--seed", "7")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"^80 of 80 graphs have SciPy's bits: \d+ answers by cpu:sequential, .*portable")

    def test_families(self):
        done = self.compare("--graphs", "0", "--threads", "2", "--families", os.path.join(BIN, "graphgen"),
                            "cpu:multisource", "cpu:dissection", "cpu:johnson")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, "^60 of 60 graphs")

    def test_grids(self):
        """Rows and measures, of weights rounded to a grid."""
        done = self.compare("--graphs", "40", "--seed", "8", "--grid", "--threads", "1,3")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, "^40 of 40 graphs")

    def test_grids_of_families(self):
        """Large enough for classes of rows."""
        done = self.compare("--graphs", "0", "--grid", "--threads", "2", "--families", os.path.join(BIN, "graphgen"),
                            "cpu:dissection")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, "^60 of 60 graphs")

    def test_a_difference_is_noticed(self):
        """One last bit, of one distance."""
        self.write("sitecustomize.py", """
import numpy
from scipy.sparse import csgraph
right = csgraph.dijkstra
def dijkstra(graph):
    dist = right(graph)
    if len(dist) > 20:
        dist[0, 1] = numpy.nextafter(dist[0, 1], 0)
    return dist
csgraph.dijkstra = dijkstra
""")
        done = self.compare("--graphs", "40", "cpu:johnson", PYTHONPATH=os.pathsep.join([self.path(), PACKAGE]))
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertRegex(done.stdout, r"graph \d+, [a-z -]+, \d+ vertices: cpu:johnson differs, [a-z0-9]+, 16 threads")


if __name__ == "__main__":
    unittest.main()
