"""Graph formats: golden files, what graphgen writes read back, what each format
refuses and how, --undirected and --scale."""

import gzip
import os
import random
import unittest
from fractions import Fraction

from support import (BAD_INPUT, INT32_MAX, INT32_MIN, NEGATIVE_CYCLE, NO_RESOURCE, REFUTED,
                     SANITIZED, Graph, ProgramTest, distances_of, graph_of_text, limited, solved)

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")

EXAMPLE_6 = Graph(5, [(0, 1, 5), (0, 3, 2), (1, 2, 2), (2, 0, 3), (2, 4, 7), (3, 2, 4), (3, 4, 1),
                      (4, 0, 1), (4, 1, 3)])
UNDIRECTED = Graph(5, [(0, 1, 4), (1, 0, 4), (1, 2, 5), (2, 1, 5), (3, 4, 1), (4, 3, 1)])

# Golden file, options, and the graph that it means.
FILES = [
    ("example_6.txt", [], EXAMPLE_6),
    ("example_6.gr", [], EXAMPLE_6),
    ("example_6.mtx", [], EXAMPLE_6),
    ("example_6_real.mtx", [], EXAMPLE_6),
    ("example_6.wel", [], EXAMPLE_6),
    ("undirected.mtx", [], UNDIRECTED),
    ("undirected.mtx", ["--undirected"], UNDIRECTED),
    ("undirected.txt", ["--undirected"], UNDIRECTED),
    ("undirected.txt", ["-u"], UNDIRECTED),
    ("decimal.wel", ["--scale", "100"], Graph(3, [(0, 1, 25), (1, 2, 150), (2, 0, 1)])),
    ("decimal.wel", ["--scale=1000"], Graph(3, [(0, 1, 250), (1, 2, 1500), (2, 0, 10)])),
    ("pattern.mtx", [], Graph(3, [(0, 1, 1), (1, 2, 1), (2, 0, 1)])),
    ("example_6_real.mtx", ["--scale", "3"],
     Graph(5, [(u, v, 3 * w) for u, v, w in EXAMPLE_6.edges])),
]

FORMATS = ("text", "gr", "mtx", "wel")


def in_format(name, n, edges):
    """A graph as a file of that format, from its description; weights are text."""
    lines = {"text": ["%d %d" % (n, len(edges))],
             "gr": ["c made by a test", "p sp %d %d" % (n, len(edges))],
             "mtx": ["%%MatrixMarket matrix coordinate real general", "%",
                     "%d %d %d" % (n, n, len(edges))],
             "wel": []}[name]
    first, keyword = (1 if name in ("gr", "mtx") else 0), ("a " if name == "gr" else "")
    lines += ["%s%d %d %s" % (keyword, u + first, v + first, w) for u, v, w in edges]
    return "\n".join(lines) + "\n"


MTX = b"%%MatrixMarket matrix coordinate "
BANNER = (":1: expected '%%MatrixMarket matrix coordinate integer|real|pattern general|symmetric', "
          "found ")

# What is wrong, the file, and the message after its name.
MANGLED = [
    # DIMACS
    ("comments alone", b"c\nc no problem\n", ":2: expected a line 'p sp V E', found the end of the "
     "file"),
    ("an edge first", b"a 1 2 5\n", ":1: expected a line 'p sp V E', found 'a'"),
    ("an edge after comments", b"c\na 1 2 5\n", ":2: expected a line 'p sp V E', found 'a'"),
    ("another problem", b"p max 3 1\na 1 2 5\n", ":1: expected a line 'p sp V E', found 'max'"),
    ("no problem", b"p\n", ":1: expected a line 'p sp V E', found the end of the line"),
    ("no number of edges", b"p sp 3\n", ":1: expected a line 'p sp V E', found the end of the line "
     "where the number of edges E should be"),
    ("one number too many", b"p sp 3 1 1\n", ":1: expected a line 'p sp V E', found '1' after it"),
    ("no vertices", b"p sp 0 0\n", ":1: expected the number of vertices V in 1 .. 2147483647"),
    ("V beyond int32", b"p sp 2147483648 0\n", ":1: expected the number of vertices V"),
    ("vertex 0", b"p sp 3 1\na 0 2 5\n", ":2: expected the tail u in 1 .. 3, found '0'"),
    ("vertex V + 1", b"p sp 3 1\na 1 4 5\n", ":2: expected the head v in 1 .. 3, found '4'"),
    ("no a", b"p sp 3 1\n1 2 5\n", ":2: expected an edge 'a u v w', found '1'"),
    ("another letter", b"p sp 3 1\ne 1 2 5\n", ":2: expected an edge 'a u v w', found 'e'"),
    ("a glued on", b"p sp 3 1\na1 2 5\n", ":2: expected an edge 'a u v w', found 'a1'"),
    ("no weight", b"p sp 3 1\na 1 2\n", ":2: expected an edge 'a u v w', found the end of the "
     "line where the weight w should be"),
    ("two weights", b"p sp 3 1\na 1 2 5 6\n", ":2: expected an edge 'a u v w', found '6' after"),
    ("two problems", b"p sp 3 1\na 1 2 5\np sp 3 1\n", ":3: expected the end of the file after 1 "
     "edges, found 'p'"),
    ("fewer edges", b"p sp 3 3\na 1 2 5\nc\na 1 3 5\n", ":4: expected 3 edges, found the end of the "
     "file after 2"),
    ("more edges", b"p sp 3 1\na 1 2 5\na 1 3 5\n", ":3: expected the end of the file after 1"),
    ("decimal weight", b"p sp 3 1\na 1 2 5.5\n", ":2: expected an integer for the weight w, found "
     "'5.5'; --scale K"),
    ("weight 2^31", b"p sp 3 1\na 1 2 2147483648\n", ":2: expected the weight w in -2147483648"),
    # Matrix Market
    ("banner alone", b"%%MatrixMarket\n", BANNER + "the end of the line"),
    ("banner cut", MTX + b"integer\n", BANNER + "the end of the line"),
    ("a vector", b"%%MatrixMarket vector coordinate real general\n", BANNER + "'vector'"),
    ("an array", b"%%MatrixMarket matrix array real general\n2 2\n", BANNER + "'array'"),
    ("complex", MTX + b"complex general\n2 2 0\n", BANNER + "'complex'"),
    ("Hermitian", MTX + b"real hermitian\n2 2 0\n", BANNER + "'hermitian'"),
    ("skew-symmetric", MTX + b"real skew-symmetric\n2 2 0\n", BANNER + "'skew-symmetric'"),
    ("more in the banner", MTX + b"real general 7\n2 2 0\n", BANNER[:-8]),
    ("one percent sign", b"%MatrixMarket matrix coordinate real general\n", ":1: expected a graph"),
    ("comments and no sizes", MTX + b"real general\n%\n% 2 2 0\n", ":3: expected a line 'V V E', "
     "found the end of the file"),
    ("not square", MTX + b"real general\n2 3 0\n", ":2: expected as many columns as rows, found 2 "
     "rows and 3 columns"),
    ("no rows", MTX + b"real general\n0 0 0\n", ":2: expected the number of rows V in 1 .. "),
    ("two sizes", MTX + b"real general\n2 2\n1 1 1\n", ":2: expected a line 'V V E', found the end"),
    ("row 0", MTX + b"real general\n2 2 1\n0 1 1\n", ":3: expected the tail u in 1 .. 2"),
    ("column V + 1", MTX + b"real general\n2 2 1\n1 3 1\n", ":3: expected the head v in 1 .. 2"),
    ("not integral", MTX + b"real general\n2 2 1\n1 2 2.5\n", ":3: expected an integer for the "
     "weight w, found '2.5'; --scale K reads decimal weights times K"),
    ("nearly integral", MTX + b"real general\n2 2 1\n1 2 2.00000000000000000000000000000000001\n",
     ":3: expected an integer for the weight w"),
    ("infinite", MTX + b"real general\n2 2 1\n1 2 inf\n", ":3: expected an entry 'u v w', found "
     "'inf'"),
    ("real beyond int32", MTX + b"real general\n2 2 1\n1 2 1e10\n", ":3: expected the weight w in"),
    ("fraction of an integer", MTX + b"integer general\n2 2 1\n1 2 2.0\n", "found '2.0'; --scale"),
    ("no value", MTX + b"integer general\n2 2 1\n1 2\n", ":3: expected an entry 'u v w', found the "
     "end of the line where the weight w should be"),
    ("a pattern's value", MTX + b"pattern general\n2 2 1\n1 2 1\n", ":3: expected an entry 'u v', "
     "found '1' after it"),
    ("fewer entries", MTX + b"pattern general\n2 2 2\n1 2\n", ":3: expected 2 edges, found the end"),
    ("more entries", MTX + b"pattern general\n2 2 1\n1 2\n2 1\n", ":4: expected the end of the "
     "file after 1 edges, found '2'"),
    # GAP
    ("an edge without a weight", b"0 1 5\n1 2\n", ":2: expected an edge 'u v w', found the end of "
     "the line where the weight w should be"),
    ("an edge with two", b"0 1 5\n1 2 3 4\n", ":2: expected an edge 'u v w', found '4' after it"),
    ("a negative vertex", b"0 1 5\n1 -2 3\n", ":2: expected the head v in 0 .. 2147483646, found "
     "'-2'"),
    ("vertex 2^31 - 1", b"2147483647 1 5\n", ":1: expected the tail u in 0 .. 2147483646"),
    ("a comment", b"0 1 5\n# 1 2 3\n", ":2: expected an edge 'u v w', found '#'"),
    ("a decimal weight", b"0 1 5.5\n", ":1: expected an integer for the weight w, found '5.5'"),
    ("a gzip of two formats", gzip.compress(b"0 1 5\n") + gzip.compress(b"p sp 2 0\n"),
     ":2: expected an edge 'u v w', found 'p'"),
]

# The option's value, the weight, and the message (None: accepted).
SCALED = [
    ("1", "5", None), ("1", "5.0", None), ("10", "-2.5", None), ("1000", ".001", None),
    ("1000000000", "0.000000001", None), ("4", "0.25", None), ("100", "0.29", None),
    ("3", "1e2", None), ("1000", "2147483.647", None), ("1000", "-2147483.648", None),
    ("10", "2.55", "expected an integer for the weight w times 10, found '2.55'"),
    ("3", "0.3333333333333333", "expected an integer for the weight w times 3, found"),
    ("1000", "2147483.648", "expected the weight w times 1000 in -2147483648 .. 2147483647"),
    ("1000", "3000000", "expected the weight w times 1000 in"),
    ("10", "1,5", "found '1,5' where the weight w should be"),
    ("10", "nan", "found 'nan' where the weight w should be"),
]


class Golden(ProgramTest):

    def test_distances_and_proofs(self):
        for name, options, graph in FILES:
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read()
            for suffix, data in (("", content), (".gz", gzip.compress(content)),
                                 (".crlf", content.replace(b"\n", b"\r\n"))):
                with self.subTest(name=name + suffix, options=options):
                    self.write("g", data)
                    self.succeeds("cpu", "g", *options)
                    result = self.result()
                    self.assertEqual((result.n, result.m), (graph.n, len(graph.edges)))
                    self.assertEqual(result.dist, distances_of(graph))
                    self.proves("-g", "g", "output.txt", *options)
                    self.write("expected.txt", solved(graph).text())
                    self.proves("-g", "g", "expected.txt", *options)

    def test_one_graph_has_one_checksum(self):
        checksums = set()
        for name, options, graph in FILES:
            if graph is EXAMPLE_6:
                self.succeeds("cpu", os.path.join(GOLDEN, name), *options)
                checksums.add(self.result().note("graph checksum"))
        self.assertEqual(len(checksums), 1)

    def test_every_program_that_reads_graphs_reads_them(self):
        self.write("wrong.gr", b"p sp 2 1\na 1 3 5\n")
        for program in ("cpu", "cuda_simple", "cuda_blocked"):
            with self.subTest(program):
                self.fails(BAD_INPUT, "wrong.gr:2: expected the head v", program, "wrong.gr")
                self.fails(BAD_INPUT, "decimal.wel:1: expected an integer for the weight w times 2",
                           program, os.path.join(GOLDEN, "decimal.wel"), "--scale", "2", "-u")
        self.fails(BAD_INPUT, "wrong.gr:2: expected the head v", "verify", "-g", "wrong.gr", "r")

    def test_from_standard_input(self):
        for name in ("example_6.gr", "example_6.mtx", "example_6.wel"):
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read()
            for data in (content, gzip.compress(content)):
                self.succeeds("cpu", "-", stdin=data)
                self.assertEqual(self.result().dist, distances_of(EXAMPLE_6))


class Generated(ProgramTest):

    def checksum(self, name, *options):
        self.succeeds("cpu", name, "-o", "out.txt", "-d", *options)
        return self.result("out.txt").note("graph checksum")

    def test_round_trips(self):
        """graphgen -> every format, plain and gzip -> the same checksum; and the
        same edges in the same order as thesis text has them."""
        for args in (["--v", 1, "--edges", 0], ["--v", 2, "--edges", 2], ["--v", 7, "--edges", 0],
                     ["--v", 40, "--edges", 25], ["--v", 90, "--density", "50%", "--weights",
                      "-2147483648:2147483647"], ["--v", 150, "--density", "2%", "--seed", 3]):
            self.succeeds("graphgen", *args, "-o", "g.text")
            expected = graph_of_text(self.read("g.text").decode("ascii"))
            # Not every graph can be solved, but a matrix of one weight can.
            solvable = "--weights" not in [str(arg) for arg in args]
            checksums = set()
            for name in FORMATS:
                with self.subTest(args=args, format=name):
                    self.succeeds("graphgen", *args, "--format", name, "-o", "g." + name)
                    edges = list(expected.edges)
                    if name == "wel" and not any(expected.n - 1 in edge[:2] for edge in edges):
                        edges.append((expected.n - 1, expected.n - 1, 0))
                    lines = in_format(name, expected.n, edges).replace("c made by a test\n", "")
                    lines = lines.replace("real general\n%\n", "integer general\n")
                    self.assertEqual(self.read("g." + name).decode("ascii"), lines)
                    if solvable:
                        self.write("g.gz", gzip.compress(self.read("g." + name)))
                        checksums.add(self.checksum("g." + name))
                        checksums.add(self.checksum("g.gz"))
            self.assertLessEqual(len(checksums), 1)

    def test_very_many_vertices(self):
        for name, start in (("gr", b"p sp 2147483647 3\na "), ("mtx", MTX + b"integer general\n"
                                                              b"2147483647 2147483647 3\n")):
            out = self.succeeds("graphgen", "--v", INT32_MAX, "--edges", 3, "--format", name, "-o",
                                "-").out
            self.assertTrue(out.startswith(start))
        out = self.succeeds("graphgen", "--v", INT32_MAX, "--edges", 0, "--format", "wel", "-o",
                            "-").out
        self.assertEqual(out, b"2147483646 2147483646 0\n")

    def test_unknown_format(self):
        for name in ("", "dimacs", "TEXT", "npy"):
            self.fails(BAD_INPUT, "--format: expected text, gr, mtx or wel", "graphgen", "--v", 3,
                       "--edges", 2, "--format", name)
        self.assertEqual(self.files(), [])


class Mangled(ProgramTest):

    def test_table(self):
        for what, content, expected in MANGLED:
            with self.subTest(what):
                self.write("g", content)
                finished = self.fails(BAD_INPUT, expected, "cpu", "g")
                self.assertTrue(finished.err.startswith("cpu: g:"))
                self.assertEqual(self.files(), ["g"])
        for what, content, expected in MANGLED[::7]:
            with self.subTest(what, program="verify"):
                self.write("g", content)
                self.fails(BAD_INPUT, expected, "verify", "-g", "g", "r")

    def test_every_truncation(self):
        """A file cut anywhere is refused, unless all edges are there; of GAP's, which
        do not say how many they are, nothing else is promised."""
        for name in ("example_6.gr", "example_6.mtx", "undirected.mtx", "pattern.mtx"):
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read().rstrip(b"\n")
            for size in range(0, len(content), 3):
                # A weight that loses its last digits is a weight all the same.
                whole = content[:size].count(b"\n") == content.count(b"\n")
                if whole and content[size - 1:size].isdigit():
                    continue
                with self.subTest(name=name, size=size):
                    self.write("g", content[:size])
                    finished = self.fails(BAD_INPUT, "", "cpu", "g")
                    self.assertRegex(finished.err, r"^cpu: g:")

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_sizes_that_no_bytes_back(self):
        """|V| is refused by the memory it needs, |E| where the file ends."""
        little = {"preexec_fn": limited(RLIMIT_AS=256 * 2**20)}
        for content in (b"p sp 2147483647 0\n", MTX + b"integer general\n2147483647 2147483647 0\n",
                        b"0 2147483646 1\n", MTX + b"pattern symmetric\n2147483647 2147483647 0\n"):
            self.write("g", content)
            self.fails(NO_RESOURCE, "g: 2147483647 vertices need", "cpu", "g", **little)
        for content in (b"p sp 3 4000000000\na 1 2 5\n",
                        MTX + b"integer general\n3 3 4000000000\n1 2 5\n"):
            self.write("g", content)
            self.fails(BAD_INPUT, "expected 4000000000 edges, found the end of the file after 1",
                       "cpu", "g", **little)


class Options(ProgramTest):

    def test_scale(self):
        for name in FORMATS:
            for scale, weight, message in SCALED:
                with self.subTest(format=name, scale=scale, weight=weight):
                    self.write("g", in_format(name, 2, [(0, 1, weight)]))
                    args = ["g", "--scale", scale, "-d"]
                    if message is not None:
                        self.fails(BAD_INPUT, message, "cpu", *args)
                        continue
                    exact = Fraction(weight) * int(scale)
                    edges = [(0, 1, int(exact))]
                    self.assertEqual(exact, edges[0][2])
                    if not -2**30 < exact < 2**30:  # read, but no distance
                        self.fails(BAD_INPUT, "the distance from 0 to 1 is ", "cpu", *args)
                        continue
                    self.succeeds("cpu", *args)
                    self.assertEqual(self.result().dist, distances_of(Graph(2, edges)))

    def test_random_decimals(self):
        """Against Python's fractions; thousandths, as prices and lengths are."""
        rng = random.Random(5)
        edges = [(rng.randrange(30), rng.randrange(30), rng.randrange(10**7)) for _ in range(300)]
        for name in FORMATS:
            self.write("g", in_format(name, 30, [(u, v, "%d.%03d" % divmod(w, 1000))
                                                 for u, v, w in edges]))
            self.succeeds("cpu", "g", "--scale", "1000")
            self.assertEqual(self.result().dist, distances_of(Graph(30, edges)))
            self.proves("-g", "g", "--scale", "1000", "output.txt")
            self.fails(BAD_INPUT, "times 100", "cpu", "g", "--scale", "100")

    def test_refused_values(self):
        self.write("graphFile.txt", EXAMPLE_6)
        for value in ("0", "-1", "1.5", "x", "", "1000000001"):
            for program, args in (("cpu", []), ("cuda_blocked", []), ("verify", ["output.txt"])):
                self.fails(BAD_INPUT, "--scale: expected an integer in 1 .. 1000000000", program,
                           "--scale", value, *args)

    def test_undirected(self):
        """In every format: what both directions written out give."""
        rng = random.Random(6)
        edges = [(rng.randrange(40), rng.randrange(40), rng.randrange(50)) for _ in range(60)]
        both = Graph(40, edges + [(v, u, w) for u, v, w in edges if u != v])
        for name in FORMATS:
            with self.subTest(name):
                self.write("g", in_format(name, 40, edges + [(39, 39, 0)]))
                self.succeeds("cpu", "g", "--undirected")
                self.assertEqual(self.result().dist, distances_of(both))
                self.assertEqual(self.result().m, len(both.edges) + 1)
                self.proves("-g", "g", "--undirected", "output.txt")
                self.fails(REFUTED, "belongs to another graph than g", "verify", "-g", "g",
                           "output.txt")

    def test_a_negative_edge_both_ways_is_a_negative_cycle(self):
        self.write("g", b"0 1 -3\n")
        self.succeeds("cpu", "g")
        self.fails(NEGATIVE_CYCLE, "weight -6", "cpu", "g", "-u")

    def test_extreme_weights_keep_their_sign(self):
        for name in FORMATS:
            self.write("g", in_format(name, 2, [(0, 1, INT32_MAX), (1, 0, 1 - 2**30)]))
            self.fails(BAD_INPUT, "the distance from 0 to 1 is out of range", "cpu", "g")
            self.write("g", in_format(name, 2, [(0, 0, INT32_MIN)]))
            self.fails(NEGATIVE_CYCLE, str(INT32_MIN), "cpu", "g")

    def test_help(self):
        for program in ("cpu", "cuda_simple", "cuda_blocked", "verify"):
            text = self.succeeds(program, "--help").out.decode("utf-8")
            self.assertIn("--undirected", text)
            self.assertIn("--scale=K", text)
        self.assertIn("--format=text|gr|mtx|wel", self.succeeds("graphgen", "--help").out.decode("utf-8"))


if __name__ == "__main__":
    unittest.main()
