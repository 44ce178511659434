# SPDX-License-Identifier: MIT
"""Integers beyond int32: weights, and distances of 2^30 and more, are int64 in every result, exact
below 2^53, and refused from there on."""

import ast
import json
import random
import struct
import unittest
import zipfile
from io import BytesIO

from support import (BAD_INPUT, INF, INT32_MAX, NEGATIVE_CYCLE, OK, REFUTED, Graph, ProgramTest, distances_of,
                     npy, parse_result)

NO_PATH = 2**62 - 1
NOTE = "note: distances may pass 2^30: their type is int64"


def parse_int64(data):
    """Rows of a matrix of <i8 in a .npy file, None for no path."""
    (length,) = struct.unpack("<H", data[8:10])
    head = ast.literal_eval(data[10:10 + length].decode("ascii").strip())
    assert head["descr"] == "<i8" and not head["fortran_order"], head
    rows, columns = head["shape"]
    cells = struct.unpack("<%dq" % (rows * columns), data[10 + length:])
    return [[None if d == NO_PATH else d for d in cells[r * columns:(r + 1) * columns]]
            for r in range(rows)]


def random_graph(rng, least, most):
    n = rng.randrange(2, 9)
    return Graph(n, [(rng.randrange(n), rng.randrange(n), rng.randint(least, most))
                     for _ in range(rng.randrange(1, 4 * n))])


def is_int64(graph):
    """Returns whether int32 has no room for a weight, or for a distance."""
    distances = [d for row in distances_of(graph) for d in row if d is not None]
    return (any(not -2**31 <= w < 2**31 for _, _, w in graph.edges)
            or any(abs(d) >= INF for d in distances))


class Int64(ProgramTest):

    def make(self, graph, *args, program="apsp"):
        """Solves a graph; returns whether the type was changed for its distances."""
        self.write("g.txt", graph)
        finished = self.run_program(program, "g.txt", *args)
        self.assertEqual(finished.status, OK, finished.err)
        return NOTE in finished.err

    def check_all(self, graph):
        """Text, NumPy's files and measures of a graph, proved."""
        dist = distances_of(graph)
        wide = any(not -2**31 <= w < 2**31 for _, _, w in graph.edges)
        noted = self.make(graph, "-o", "r.txt", "--check")
        self.assertEqual(noted, is_int64(graph) and not wide)
        self.assertEqual(parse_result(self.read("r.txt")).dist, dist)
        self.succeeds("verify", "r.txt", "-g", "g.txt", "-q")
        self.make(graph, "-o", "r", "--format", "npy")
        said = json.loads(self.read("r.json"))
        if is_int64(graph):
            self.assertEqual((said["type"], said["infinity"]), ("int64", NO_PATH))
            self.assertEqual(parse_int64(self.read("r.dist.npy")), dist)
        else:
            self.assertNotIn("type", said)
            self.assertIn(b"<i4", self.read("r.dist.npy")[:80])
        self.succeeds("verify", "r", "-g", "g.txt", "-q")
        self.make(graph, "--measures=m", "--omit", "histogram")
        sums = [[int(line.split(",")[3]), int(line.split(",")[4])]
                for line in self.read("m.csv").decode().splitlines()[1:]]
        finite = [[d for d in row if d is not None] for row in dist]
        self.assertEqual(sums, [[sum(row), max(row)] for row in finite])
        said = json.loads(self.read("m.json"))
        self.assertEqual(said.get("type", "int32"), "int64" if is_int64(graph) else "int32")
        self.assertEqual(said["distance_sum"], sum(map(sum, finite)))
        self.assertIsInstance(said["distance_sum"], int)
        self.succeeds("verify", "m.csv", "-g", "g.txt", "-q")

    def test_random(self):
        rng = random.Random(64)
        for most in (2**28, 2**30, 2**31, 2**33, 2**40, 2**49):
            for _ in range(4):
                graph = random_graph(rng, 0, most)
                with self.subTest(graph=graph):
                    self.check_all(graph)

    def test_borders(self):
        for w in (INF - 1, INF, INF + 1, INT32_MAX, INT32_MAX + 1, 2**52 - 2, 2**52, 2**53 - 2):
            with self.subTest(weight=w):
                self.check_all(Graph(3, [(0, 1, w), (1, 2, 1)]))
                path = [(0, 1, w // 2), (1, 2, w - w // 2)]
                self.check_all(Graph(3, path))
                self.check_others(Graph(3, path + [(1, 0, 1), (2, 1, 1)]), w)

    def check_others(self, path, w):
        """All answers but rows have the length of a path of three vertices with short ways back, too."""
        self.write("p.csv", "0,2\n")
        self.write("t.csv", "v,mass\n2,1\n")
        self.make(path, "--pairs", "p.csv", "-o", "p.out", "-q")
        self.assertEqual(self.read("p.out").decode().splitlines()[1], "0,2,%d" % w)
        self.make(path, "--diameter", "-o", "e.csv", "-q")
        self.assertEqual(self.read("e.csv").decode().splitlines()[1], "0,%d" % w)
        if w >= 2**51:
            return  # no bound is sure that such distances are on a grid
        self.make(path, "--demand", "p.csv", "-o", "l.csv", "-q")
        self.assertEqual(self.read("l.csv").decode().splitlines()[1:], ["0,1,1", "1,0,0", "1,2,1", "2,1,0"])
        for limit, mass in (w - 1, "0"), (w, "1"):
            self.make(path, "--accessibility", "t.csv", "--limits", limit, "--nearest", 1, "-o", "a.csv", "-q")
            self.assertEqual(self.read("a.csv").decode().splitlines()[1], "0,0,%s,2,%d" % (mass, w))
        self.make(path, "--index", "-o", "i.apspx", "-q")
        self.assertEqual(self.succeeds("query", "i.apspx", "0", "2").out, b"%d\n" % w)

    def test_below_0(self):
        rng = random.Random(65)
        for most in (2**30, 2**34, 2**47):
            graph = None
            while graph is None or distances_of(graph) is None or not is_int64(graph):
                graph = random_graph(rng, -most // 8, most)
            with self.subTest(graph=graph):
                self.check_all(graph)

    def test_every_engine(self):
        """The same, whether the engine is for real weights, for grids or refined."""
        rng = random.Random(66)
        graph = Graph(12, [(rng.randrange(12), rng.randrange(12), rng.randint(1, 2**35))
                           for _ in range(40)])
        self.write("g.txt", graph)
        for variant in ("sequential", "blocked", "johnson", "multisource", "dissection"):
            for weights in (2**35, 2**51):  # below 2^52 there is a grid
                far = Graph(12, [(u, v, w * (weights // 2**35)) for u, v, w in graph.edges])
                with self.subTest(variant=variant, weights=weights):
                    self.make(far, "-v", variant, "--check", "-o", "r.txt", program="cpu")
                    self.assertEqual(parse_result(self.read("r.txt")).dist, distances_of(far))

    def test_beyond(self):
        """Distances of 2^53 and more, of any sign: every answer is refused."""
        self.write("p.csv", "0,2\n")
        far = Graph(3, [(0, 1, 2**53 - 1), (1, 2, 1)])
        self.write("g.txt", far)
        for args in (["-o", "r.txt"], ["-o", "r", "--format", "npy"], ["-o", "r", "--format", "npz"],
                     ["--measures"], ["--diameter"], ["--pairs", "p.csv", "-o", "-"]):
            with self.subTest(args=args):
                self.fails(BAD_INPUT, "the distance from 0 to 2 is beyond 2^53", "apsp", "g.txt", *args)
        self.fails(BAD_INPUT, "expected distances below 2^52", "apsp", "g.txt", "--index")
        self.succeeds("apsp", "g.txt", "--limit", str(2**53 - 1), "-o", "r.txt", "-q", "--check")
        self.write("r.txt", "|V| = 3, |E| = 2\n\n0\t%d\t%d\nINF\t0\t1\nINF\tINF\t0\n"
                   "# predecessors: none\n" % (2**53 - 1, 2**53 + 1))
        self.fails(BAD_INPUT, "beyond 2^53", "verify", "r.txt", "-g", "g.txt")
        self.write("g.txt", Graph(3, [(0, 1, 1 - 2**53), (1, 2, -1)]))
        self.fails(BAD_INPUT, "beyond 2^53", "apsp", "g.txt")
        self.write("g.txt", Graph(2, [(0, 1, 2**53)]))
        self.fails(BAD_INPUT, "in -9007199254740991 .. 9007199254740991", "apsp", "g.txt")

    def test_in_the_gap(self):
        """Where no bound tells whether int32 has room: it is taken if it has, and otherwise another
        solve follows."""
        n = 40
        for last, wide in ((2**29, False), (2**30, True)):
            # All edges are heavy but those of the path; nothing leads back.
            edges = [(v, v + 1, 1) for v in range(n - 2)] + [(n - 2, n - 1, last)]
            edges += [(0, v, 2**29) for v in range(2, n - 1)]
            with self.subTest(last=last):
                self.assertEqual(self.make(Graph(n, edges), "-o", "r", "--format", "npy", "--sources",
                                           "5"), wide)
                self.assertIn(b"<i8" if wide else b"<i4", self.read("r.dist.npy")[:80])
                self.succeeds("verify", "r", "-g", "g.txt", "-q")
        # The first source reaches nothing far, another one does.
        graph = Graph(4, [(0, 1, 1), (2, 3, INF)])
        for args in (["-o", "r.txt"], ["--sources", "0,2", "-o", "r.txt"], ["--measures"],
                     ["--diameter"]):
            with self.subTest(args=args):
                self.assertTrue(self.make(graph, *args))
        self.assertFalse(self.make(graph, "--sources", "0", "-o", "r.txt"))
        # Row 1 alone has a long distance; the path of fewest edges from 0 to 1 is none of the shortest,
        # and 0 does not reach 4.
        graph = Graph(6, [(0, 1, INF), (0, 3, 1), (3, 1, 2**29), (1, 0, 2**29), (0, 2, 2**29), (4, 5, 1)])
        self.assertFalse(self.make(graph, "--sources", "0", "-o", "r.txt"))
        self.assertTrue(self.make(graph, "-o", "r.txt"))

    def test_sinks(self):
        graph = Graph(4, [(0, 1, 2**40), (1, 2, 3), (2, 3, 5 * 2**31), (3, 1, INF)])
        dist = distances_of(graph)
        self.make(graph, "--targets", "3,1", "--format", "npy", "-o", "r")
        self.assertEqual(parse_int64(self.read("r.dist.npy")), [[row[3], row[1]] for row in dist])
        self.make(graph, "--resume", "--format", "npy", "-o", "k")
        self.assertEqual(parse_int64(self.read("k.dist.npy")), dist)
        self.make(graph, "--format", "npz", "-o", "z")
        with zipfile.ZipFile(BytesIO(self.read("z.npz"))) as archive:
            data = archive.read("data.npy")
        self.assertIn(b"<i8", data[:80])
        finite = [d for row in dist for d in row if d is not None]
        self.assertEqual(list(struct.unpack("<%dq" % len(finite), data[-8 * len(finite):])), finite)
        self.succeeds("verify", "z.npz", "-g", "g.txt", "-q")
        self.make(graph, "--format", "npy", "-o", "l", "--limit", str(2**40) + ".5")
        self.assertEqual(parse_int64(self.read("l.dist.npy")),
                         [[d if d is None or d <= 2**40 else None for d in row] for row in dist])
        self.succeeds("verify", "l", "-g", "g.txt", "-q")
        self.write("p.csv", "0,3\n3,0\n")
        self.make(graph, "--pairs", "p.csv", "-o", "p.out")
        self.assertEqual(self.read("p.out").decode().split("\n")[1:3], ["0,3,%d" % dist[0][3], "3,0,inf"])

    def check_fewer(self, graph, kind, *args):
        """The distances in a file of that type, proved."""
        code, no_path = {"|u1": ("B", 255), "<u2": ("H", 2**16 - 1), "<i4": ("i", INF), "<i8": ("q", NO_PATH)}[kind]
        self.write("g.txt", graph)
        self.succeeds("apsp", "g.txt", "-o", "r", "-q", "--check", "--type", "int64", *args)
        data, dist = self.read("r.dist.npy"), distances_of(graph)
        self.assertIn(b"'%s'" % kind.encode(), data[:80])
        self.assertEqual(json.loads(self.read("r.json"))["infinity"], no_path)
        self.assertEqual(list(struct.unpack("<%d%s" % (graph.n**2, code), data[128:])),
                         [no_path if d is None else d for row in dist for d in row])
        self.succeeds("verify", "r", "-g", "g.txt", "-q")

    def test_fewer_bytes(self):
        """npy:auto takes the smallest type of all distances, or before these are known one that is sure
        to hold them, of integers that are computed in 64 bits, too."""
        for far, kind in ((254, "|u1"), (255, "<u2"), (65534, "<u2"), (65535, "<i4"), (INF - 1, "<i4"), (INF, "<i8"),
                          (-1, "<i4"), (1 - INF, "<i4"), (-INF, "<i8")):
            with self.subTest(far=far):  # the long edge is on no shortest path
                self.check_fewer(Graph(4, [(0, 1, far), (1, 0, max(0, -far)), (0, 2, 0), (1, 2, 2**34)]), kind,
                                 "--format", "npy:auto")
        for far, kind in ((84, "|u1"), (85, "<u2"), (21845, "<i4"), (2**28, "<i4"), (2**40, "<i8"), (-1, "<i8")):
            with self.subTest(far=far, kept=True):
                self.check_fewer(Graph(3, [(0, 1, far)]), kind, "--format", "npy:auto", "--resume")
        self.check_fewer(Graph(3, [(0, 1, 254), (0, 2, 2**40), (1, 2, 0)]), "|u1", "--format", "npy:uint8")
        self.write("g.txt", Graph(3, [(0, 1, 2**34)]))
        self.fails(BAD_INPUT, "the distance from 0 to 1 is 17179869184, and uint16 holds 0 .. 65534: take --format "
                   "npy:auto or npy", "apsp", "g.txt", "-o", "r", "--format", "npy:uint16")

    def test_verify_refutes(self):
        graph = Graph(3, [(0, 1, 2**32), (1, 2, INF)])
        self.make(graph, "--format", "npy", "-o", "r")
        rows = [[0, 2**32, 2**32 + INF], [NO_PATH, 0, INF], [NO_PATH, NO_PATH, 0]]
        for i, j, wrong in ((0, 2, 2**32 + INF + 1), (1, 2, NO_PATH), (2, 0, INF)):
            changed = [list(row) for row in rows]
            changed[i][j] = wrong
            self.write("w.npy", npy(changed, descr="<i8", code="<%dq"))
            self.fails(REFUTED, "check (", "verify", "w.npy", "-g", "g.txt")
        self.write("w.npy", npy(rows, descr="<i8", code="<%dq"))
        self.succeeds("verify", "w.npy", "-g", "g.txt", "-q")

    def test_index(self):
        rng = random.Random(67)
        for most in (2**31, 2**36, 2**48):
            graph = random_graph(rng, 1, most)
            if not is_int64(graph):
                continue
            dist = distances_of(graph)
            with self.subTest(graph=graph):
                self.make(graph, "--index", "-o", "g.apspx", "--force")
                self.succeeds("verify", "g.apspx", "-g", "g.txt", "-q")
                self.succeeds("query", "g.apspx", "--table", "0-%d" % (graph.n - 1),
                              "0-%d" % (graph.n - 1), "-o", "t.npy", "-q")
                self.assertEqual(parse_int64(self.read("t.npy")), dist)
                self.succeeds("query", "g.apspx", "--measures=q", "-q")
                self.assertEqual(json.loads(self.read("q.json"))["type"], "int64")
                self.succeeds("verify", "q.csv", "-g", "g.txt", "-q")

    def test_index_below_0(self):
        rng = random.Random(68)
        for most in (2**20, 2**33, 2**34, 2**44):
            dist = None
            while dist is None or min(w for _, _, w in graph.edges) >= 0:
                graph = random_graph(rng, -most // 8, most)
                dist = distances_of(graph)
            rows = "0-%d" % (graph.n - 1)
            with self.subTest(graph=graph):
                self.make(graph, "--index", "-o", "g.apspx", "--type", "int64", "--force")
                self.succeeds("verify", "g.apspx", "-g", "g.txt", "-q", *["--type=int64"] * (most < 2**31))
                self.succeeds("query", "g.apspx", "--table", rows, rows, "-o", "t.npy", "-q")
                self.assertEqual(parse_int64(self.read("t.npy")), dist)
                self.succeeds("query", "g.apspx", "--measures=q", "-q")
                self.make(graph, "--measures=m", "--type", "int64")
                self.assertEqual(self.read("q.csv"), self.read("m.csv"))
                for way in ["--diameter"], ["--measures=m", "--betweenness"]:
                    self.fails(BAD_INPUT, "measures", "apsp", "g.txt", *way)
        # Weights of int32, of which some path may be too long for the index.
        self.assertTrue(self.make(Graph(3, [(0, 1, 2**28), (1, 2, -5)]), "--index", "-o", "g.apspx"))
        self.assertEqual(self.succeeds("query", "g.apspx", "0", "2").out, b"%d\n" % (2**28 - 5))
        self.succeeds("verify", "g.apspx", "-g", "g.txt", "-q")
        self.write("g.txt", Graph(3, [(0, 1, 5 * 2**31), (1, 2, -2**34), (2, 0, 2**32)]))
        self.fails(NEGATIVE_CYCLE, "negative cycle of weight -2147483648 and 3 edges", "apsp", "g.txt", "--index")
        self.write("g.txt", Graph(3, [(0, 1, 2**51 + 1), (1, 2, -2**34)]))
        self.fails(BAD_INPUT, "shorter than 2^52, found 3", "apsp", "g.txt", "--index")

    def test_asked_for(self):
        small = Graph(2, [(0, 1, 5)])
        self.make(small, "--type", "int64", "--format", "npy", "-o", "r")
        self.assertEqual(parse_int64(self.read("r.dist.npy")), [[0, 5], [None, 0]])
        self.succeeds("verify", "r", "-g", "g.txt", "-q")
        self.write("g.txt", "2 1\n0 1 0.5\n")
        self.fails(BAD_INPUT, "expected an integer for the weight w", "apsp", "g.txt", "--type", "int64")


if __name__ == "__main__":
    unittest.main()
