# SPDX-License-Identifier: MIT
"""`graphgen`: exact numbers of edges, valid graphs, the same bytes everywhere,
and random enough."""

import csv
import hashlib
import json
import os
import subprocess
import unittest
from collections import Counter
from decimal import Decimal
from fractions import Fraction

from support import (BAD_INPUT, FAMILIES, INT32_MAX, INT32_MIN, NEGATIVE_CYCLE, REPOSITORY,
                     TIMEOUT_S, ProgramTest, graph_of_text)

# Maps the options from --family on to the first digits of the SHA-256 of their graph of 1000 vertices.
PINNED = {
    "grid": "411afd03d0a339ce",
    "grid --degree 8": "771247f324aea244",
    "road": "5e7e5f63c9af2013",
    "road --degree 2.3 --cut-exponent 0.5": "555537b26dd2fa0c",
    "road --degree 2.4 --towns 0.4 --one-way 0.1": "397925d1c1f3fc84",
    "geometric": "16590188721bf83f",
    "geometric --dimensions 3 --degree 4.5": "6a188ce1930773d1",
    "knn": "30c90a989d93a61c",
    "knn --dimensions 3 --degree 20": "46341a81445847ab",
    "power-grid": "6ba8a72caa8f3cd8",
    "power-grid --degree 3.5": "12547ff97af7d2ac",
    "transit": "5982f47fa5ac6f8f",
    "river": "a95ed19dde1731d1",
    "surface": "d1de95557f17b5ca",
    "power-law": "64c877118efb3714",
    "rmat": "41157fcab499cb62",
    "rmat --degree 4": "756862bad2beff6e",
    "disconnected": "d209b11cb46ea053",
    "tree": "0f9fc767b4c6675a",
    "ring": "e437343fe92ef53e",
    "star": "5137b91bda326765",
    "complete": "170e57cfaf13867d",
}
PUBLISHED = os.path.join(REPOSITORY, "thesis_tables", "published", "thesis_times.csv")


def published():
    """{class: [(V, E), ...]} of the thesis's schedule, ascending in V."""
    schedule = {}
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            schedule.setdefault(row["class"], []).append((int(row["V"]), int(row["E"])))
    return {name: sorted(rows) for name, rows in schedule.items()}


class GraphgenTest(ProgramTest):

    def generate(self, *args):
        """The Graph that these options give."""
        text = self.succeeds("graphgen", "-o", "-", *args).out.decode("ascii")
        return graph_of_text(text)

    def first_line(self, *args):
        """V and E, without waiting for the edges."""
        process = self.start("graphgen", "-o", "-", *args, stderr=subprocess.DEVNULL)
        line = process.stdout.readline()
        self.end(process)
        v, e = line.decode("ascii").split()
        return int(v), int(e)


class NumberOfEdges(GraphgenTest):

    def test_densities(self):
        """The nearest whole number to density times n (n - 1), halves up."""
        for n, text, density in (
                (300, "2%", "0.02"), (300, "0.02", "0.02"), (300, ".02", "0.02"),
                (300, "2.0%", "0.02"), (300, "002%", "0.02"), (300, "0.0200000", "0.02"),
                (300, "0%", "0"), (300, "0", "0"), (300, "0.0", "0"),
                (300, "100%", "1"), (300, "1", "1"), (300, "1.0", "1"), (300, "100.000%", "1"),
                (50, "33.3%", "0.333"), (50, "66.6667%", "0.666667"), (7, "50%", "0.5"),
                (5, "2.5%", "0.025"), (5, "7.5%", "0.075"), (5, "12.5%", "0.125"),
                (5, "2.499999999%", "0.02499999999"), (5, "2.500000001%", "0.02500000001"),
                (3, "8.3333333333333%", "0.083333333333333"),
                (3, "8.33333333333334%", "0.0833333333333334"),
                (1000, "0.0005005005005%", "0.000005005005005"),
                (100000, "0.00001%", "0.0000001"), (12500, "0.004%", "0.00004"),
                (1, "100%", "1"), (1, "0%", "0"), (2, "50%", "0.5"), (2, "100%", "1")):
            with self.subTest(n=n, density=text):
                expected = (Fraction(density) * n * (n - 1) + Fraction(1, 2)) // 1
                graph = self.generate("--v", n, "--density", text)
                self.assertEqual((graph.n, len(graph.edges)), (n, expected))

    def test_very_large_products_are_exact(self):
        for n, text, density in ((2147483647, "100%", "1"), (2147483647, "33.33333333%",
                                                             "0.3333333333"),
                                 (2000000001, "0.12345678901234567", "0.12345678901234567"),
                                 (94906267, "50.0000000000001%", "0.500000000000001")):
            with self.subTest(n=n, density=text):
                expected = (Fraction(density) * n * (n - 1) + Fraction(1, 2)) // 1
                self.assertEqual(self.first_line("--v", n, "--density", text), (n, expected))

    def test_edges(self):
        for n, count in ((1, 0), (2, 0), (2, 1), (2, 2), (5, 20), (300, 1794), (1000, 12345)):
            with self.subTest(n=n, edges=count):
                graph = self.generate("--v", n, "--edges", count)
                self.assertEqual((graph.n, len(graph.edges)), (n, count))

    def test_few_edges_of_very_many_vertices(self):
        graph = self.generate("--v", INT32_MAX, "--edges", 1000)
        self.assertEqual((graph.n, len(set(graph.edges))), (INT32_MAX, 1000))
        self.assertGreater(max(max(u, v) for u, v, _ in graph.edges), INT32_MAX // 2)

    def test_classes_at_every_published_size(self):
        schedule = published()
        self.assertEqual(sorted(schedule), ["dense", "medium", "sparse"])
        for name, rows in schedule.items():
            self.assertEqual(len(rows), 13)
            for v, e in rows:
                with self.subTest(density=name, v=v):
                    self.assertEqual(self.first_line("--v", v, "--density", name), (v, e))

    def test_classes_between_and_beyond_published_sizes(self):
        """Between two sizes the mean degree lies between theirs; outside, it or
        the density stays that of the nearest."""
        for name, rows in published().items():
            for (v, e), (next_v, next_e) in zip(rows, rows[1:]):
                degrees = sorted((Fraction(e, v), Fraction(next_e, next_v)))
                for n in {v + 1, (v + next_v) // 2, next_v - 1}:
                    with self.subTest(density=name, v=n):
                        _, count = self.first_line("--v", n, "--density", name)
                        self.assertLessEqual(degrees[0] * n - 1, count)
                        self.assertLessEqual(count, degrees[1] * n + 1)
                        self.assertLessEqual(count, n * (n - 1))
            for n in (1, 2, 3, 4):
                with self.subTest(density=name, v=n):
                    v, e = rows[0]
                    _, count = self.first_line("--v", n, "--density", name)
                    nearest = Fraction(e, v * (v - 1)) * n * (n - 1)
                    self.assertLessEqual(abs(count - nearest), Fraction(1, 2))
            v, e = rows[-1]
            n = 2 * v
            _, count = self.first_line("--v", n, "--density", name)
            expected = (Fraction(e, v * (v - 1)) * n * (n - 1) if name == "dense"
                        else Fraction(e, v) * n)
            self.assertLessEqual(abs(count - expected), Fraction(1, 2))


class Validity(GraphgenTest):

    def test_graphs_are_simple_and_in_range(self):
        for args in (["--v", 2, "--edges", 2], ["--v", 3, "--edges", 6], ["--v", 50, "--edges",
                     2450], ["--v", 300, "--density", "2%"], ["--v", 300, "--density", "99.9%"],
                     ["--v", 1000, "--density", "dense"], ["--v", 257, "--density", "50%"]):
            with self.subTest(args):
                graph = self.generate(*args)
                ends = {(u, v) for u, v, _ in graph.edges}
                self.assertEqual(len(ends), len(graph.edges), "parallel edges")
                for u, v, w in graph.edges:
                    if u == v or not (0 <= u < graph.n and 0 <= v < graph.n and 1 <= w <= 100):
                        self.fail("edge %d -> %d of weight %d" % (u, v, w))

    def test_layout(self):
        """One line each, single blanks, no signs, nothing else."""
        text = self.succeeds("graphgen", "-o", "-", "--v", 300, "--density", "2%").out
        self.assertRegex(text, rb"\A300 1794\n(\d+ \d+ \d+\n){1794}\Z")

    def test_weights(self):
        for text, lowest, highest in (("1:100", 1, 100), ("3:5", 3, 5), ("0:1", 0, 1),
                                      ("-7:-7", -7, -7), ("-20:50", -20, 50), ("0:0", 0, 0),
                                      ("-1:0", -1, 0)):
            with self.subTest(text):
                graph = self.generate("--v", 90, "--density", "80%", "--weights", text)
                weights = {w for _, _, w in graph.edges}
                self.assertEqual(weights, set(range(lowest, highest + 1)))

    def test_widest_weights(self):
        graph = self.generate("--v", 90, "--density", "80%", "--weights",
                              "%d:%d" % (INT32_MIN, INT32_MAX))
        weights = [w for _, _, w in graph.edges]
        self.assertTrue(INT32_MIN <= min(weights) < INT32_MIN * 0.99)
        self.assertTrue(INT32_MAX * 0.99 < max(weights) <= INT32_MAX)

    def test_loads_and_solves(self):
        self.succeeds("graphgen", "--v", 60, "--density", "medium")
        self.succeeds("cpu", "--check")


class Reproducibility(GraphgenTest):

    def digest(self, *args):
        return hashlib.sha256(self.succeeds("graphgen", "-o", "-", *args).out).hexdigest()

    def test_pinned_bytes(self):
        """The same description gives the same bytes on every machine, and in
        every version: published experiments name a seed, not a file."""
        for args, expected in (
                (["--v", 40, "--density", "2%"],
                 "bb70b6e92860575f97d3b4908328a188b9f87133377b09b9c8660ee20fe2a876"),
                (["--v", 300, "--density", "sparse", "--seed", 12345],
                 "451fd68f16226a54462c6426bd3f18548e146cb3a01ad104eff96ada9380f706"),
                (["--v", 57, "--edges", 1000, "--weights", "-2147483648:2147483647"],
                 "c7b5c7699f4fabc1430703ef83356cf0b507f2e335a2052cbb9f5663d7474c69"),
                (["--v", 57, "--density", "30%", "--weights", "-20:50", "--no-negative-cycle"],
                 "addeda65b4c3bd24b7f5b17ec4aed9dd7e0131632a3a6d047ba07271ea3b207a")):
            with self.subTest(args):
                self.assertEqual(self.digest(*args), expected)

    def test_same_seed_same_bytes(self):
        args = ["--v", 200, "--density", "5%", "--seed", 7]
        self.assertEqual(self.digest(*args), self.digest(*args))
        self.succeeds("graphgen", *args)
        self.succeeds("graphgen", "-o", "other.txt", *args)
        self.assertEqual(self.read("graphFile.txt"), self.read("other.txt"))
        self.assertEqual(hashlib.sha256(self.read("other.txt")).hexdigest(), self.digest(*args))

    def test_other_seeds_other_graphs(self):
        digests = [self.digest("--v", 50, "--density", "5%", "--seed", seed)
                   for seed in list(range(20)) + [2**31, 2**32, 2**32 + 1, 2**62, 2**63 - 1]]
        self.assertEqual(len(set(digests)), len(digests))

    def test_default_seed_is_documented(self):
        text = " ".join(self.succeeds("graphgen", "--help").out.decode("utf-8").split())
        self.assertRegex(text, r"--seed=S Seed, .*\(default: 1\)")
        args = ["--v", 50, "--density", "5%"]
        self.assertEqual(self.digest(*args), self.digest("--seed", 1, *args))

    def test_spellings_of_one_description(self):
        expected = self.digest("--v", 100, "--density", "2%")
        for args in (["--vertices", "100", "--density", "0.02"], ["-v100", "-d", "2%"],
                     ["--v=100", "--edges=198"], ["-e", "198", "-v", "100", "-s", "1"],
                     ["--density=2%", "--v=100", "--weights=1:100"]):
            with self.subTest(args):
                self.assertEqual(self.digest(*args), expected)


class Refusals(GraphgenTest):

    V = ["--v", "10"]
    CASES = [
        # arguments, part of the message
        (["--density", "2%"], "--v"),
        (V, "either --density or --edges"),
        (V + ["--density", "2%", "--edges", "5"], "either --density or --edges"),
        (["--v", "0", "--density", "2%"], "--v"),
        (["--v", "-5", "--density", "2%"], "-5"),
        (["--v", "2147483648", "--density", "2%"], "2147483648"),
        (["--v", "ten", "--density", "2%"], "'ten'"),
        (["--v", "1e3", "--density", "2%"], "'1e3'"),
        (["--v", "", "--density", "2%"], "--v"),
        (V + ["--density", "101%"], "'101%'"),
        (V + ["--density", "100.000001%"], "'100.000001%'"),
        (V + ["--density", "1.5"], "'1.5'"),
        (V + ["--density", "1.00000001"], "'1.00000001'"),
        (V + ["--density", "2"], "'2'"),
        (V + ["--density", "-1"], "'-1'"),
        (V + ["--density", "-2%"], "'-2%'"),
        (V + ["--density", "+2%"], "'+2%'"),
        (V + ["--density", "abc"], "'abc'"),
        (V + ["--density", "Dense"], "'Dense'"),
        (V + ["--density", "dens"], "'dens'"),
        (V + ["--density", "dense "], "'dense '"),
        (V + ["--density", ""], "''"),
        (V + ["--density", "%"], "'%'"),
        (V + ["--density", "."], "'.'"),
        (V + ["--density", ".%"], "'.%'"),
        (V + ["--density", "2%%"], "'2%%'"),
        (V + ["--density", "2 %"], "'2 %'"),
        (V + ["--density", "2percent"], "'2percent'"),
        (V + ["--density", "0.0.2"], "'0.0.2'"),
        (V + ["--density", "1e-2"], "'1e-2'"),
        (V + ["--density", "0x1"], "'0x1'"),
        (V + ["--density", "nan"], "'nan'"),
        (V + ["--density", "inf"], "'inf'"),
        (V + ["--density", "0." + "3" * 40], "--density"),
        (V + ["--edges", "91"],
         "--edges for 10 vertices: expected an integer in 0 .. 90, found '91'"),
        (V + ["--edges", "-1"], "0 .. 90"),
        (V + ["--edges", "5.5"], "'5.5'"),
        (V + ["--edges", "2%"], "'2%'"),
        (V + ["--edges", "99999999999999999999"], "0 .. 90"),
        (["--v", "1", "--edges", "1"], "0 .. 0"),
        (V + ["--edges", "5", "--weights", "5:4"], "LO <= HI"),
        (V + ["--edges", "5", "--weights", "5"], "LO:HI"),
        (V + ["--edges", "5", "--weights", "5:"], "--weights"),
        (V + ["--edges", "5", "--weights", ":5"], "LO:HI"),
        (V + ["--edges", "5", "--weights", ""], "LO:HI"),
        (V + ["--edges", "5", "--weights", "a:b"], "'a'"),
        (V + ["--edges", "5", "--weights", "1:2:3"], "'2:3'"),
        (V + ["--edges", "5", "--weights", "1-9"], "LO:HI"),
        (V + ["--edges", "5", "--weights", "1:2147483648"], "2147483648"),
        (V + ["--edges", "5", "--weights", "-2147483649:1"], "-2147483649"),
        (V + ["--edges", "5", "--seed", "-1"], "--seed"),
        (V + ["--edges", "5", "--seed", "9223372036854775808"], "--seed"),
        (V + ["--edges", "5", "--seed", "x"], "'x'"),
        (V + ["--edges", "5", "--weights", "-9:-1", "--no-negative-cycle"], "HI >= 0"),
        (V, "or --family"),
        (["--family", "grid"], "--v"),
        (V + ["--family", "road", "--density", "2%"], "either --family or --density or --edges"),
        (V + ["--family", "road", "--edges", "5"], "either --family or --density or --edges"),
        (V + ["--family", "roads"], "--family: expected one of " + "|".join(FAMILIES) +
         ", found 'roads'"),
        (V + ["--family", ""], "found ''"),
        (V + ["--family", "road", "--degree", "1.999"], "in 2 .. 4"),
        (V + ["--family", "road", "--degree", "4.001"], "'4.001'"),
        (V + ["--family", "road", "--degree", "2.7601"], "at most three decimals"),
        (V + ["--family", "road", "--degree", "x"], "'x'"),
        (V + ["--family", "road", "--degree", ""], "''"),
        (V + ["--family", "road", "--cut-exponent", "0.6"], "--cut-exponent: expected a number in "
         "0.2 .. 0.5"),
        (V + ["--family", "road", "--towns", "1.001"], "--towns: expected a number in 0 .. 1"),
        (V + ["--family", "road", "--one-way", "-0.1"], "--one-way: expected a number in 0 .. 1"),
        (V + ["--family", "road", "--one-way", "0.1", "--undirected"],
         "--one-way: expected edges in both directions"),
        (V + ["--family", "road", "--degree", "2", "--one-way", "0.5"],
         "--one-way: a share of 0.2 of these roads may lead one way at most, so that every vertex "
         "reaches every other; found 0.5"),
        (V + ["--family", "grid", "--towns", "0.1"], "--towns: the family grid has none"),
        (V + ["--family", "knn", "--one-way", "0.1"], "--one-way: the family knn has none"),
        (V + ["--edges", "5", "--towns", "0.1"], "need --family"),
        (V + ["--edges", "5", "--one-way", "0.1"], "need --family"),
        (V + ["--family", "grid", "--degree", "5"], "--degree of grid: expected a multiple of 2 in "
         "4 .. 8, found '5'"),
        (V + ["--family", "knn", "--degree", "0"], "1 .. 64"),
        (V + ["--family", "knn", "--degree", "2.5"], "a multiple of 1 in"),
        (V + ["--family", "knn", "--dimensions", "4"], "--dimensions: expected an integer in 2 .. 3"),
        (V + ["--family", "rmat"], "--v of rmat: expected a power of two such as 8, found 10"),
        (["--v", "8", "--family", "rmat", "--degree", "65"], "1 .. 64"),
        (V + ["--family", "grid", "--dimensions", "3"], "--dimensions: the family grid has none"),
        (V + ["--family", "grid", "--cut-exponent", "0.4"], "the family grid has none"),
        (V + ["--family", "tree", "--degree", "3"], "--degree: the family tree has none"),
        (V + ["--family", "ring", "--asymmetric"], "--asymmetric: expected edges in both"),
        (V + ["--family", "grid", "--asymmetric", "--undirected"], "--asymmetric: expected edges"),
        (V + ["--family", "road", "--asymmetric"], "lengths are the same in both directions"),
        (V + ["--family", "grid", "--weights", "-9:-1", "--no-negative-cycle"], "HI >= 0"),
        (V + ["--edges", "5", "--degree", "3"], "need --family"),
        (V + ["--edges", "5", "--dimensions", "3"], "need --family"),
        (V + ["--edges", "5", "--cut-exponent", "0.3"], "need --family"),
        (V + ["--edges", "5", "--undirected"], "need --family"),
        (V + ["--edges", "5", "--asymmetric"], "need --family"),
        (V + ["--edges", "5", "more"], "'more'"),
        (V + ["--edges", "5", "--no-such-option"], "--no-such-option"),
    ]

    def test_table(self):
        for args, expected in self.CASES:
            with self.subTest(args):
                finished = self.fails(BAD_INPUT, expected, "graphgen", *args)
                self.assertEqual(finished.out, b"")
                self.assertEqual(self.files(), [])


class Families(GraphgenTest):
    """Tests of all families' options; the definition of each family is tested in
    tests/graphgen/test_families.c."""

    ONE_WAY = ("ring", "disconnected")
    # Maps families with lengths to numbers that their longest one exceeds.
    LENGTHS = {"road": 900, "geometric": 900, "knn": 900, "power-grid": 900, "transit": 200, "river": 900,
               "surface": 900}

    def family(self, name, *args, v=256):
        return self.generate("--family", name, "--v", v, "--quiet", *args)

    def test_both_ways(self):
        """Edges lead both ways with one weight; --undirected writes each once, --asymmetric draws
        two weights; the edges stay the same."""
        for name in FAMILIES:
            with self.subTest(name):
                weights = self.family(name).weights()
                edges = self.family(name, "--undirected").weights()
                if name in self.ONE_WAY:
                    self.assertEqual(edges, weights)
                    continue
                self.assertEqual(weights, {**edges,
                                           **{(v, u): w for (u, v), w in edges.items()}})
                self.assertEqual(len(weights), 2 * len(edges))
                drawn = self.family(name, "--asymmetric", "--weights", "1:1000").weights()
                self.assertEqual(drawn.keys(), weights.keys())
                equal = sum(drawn[u, v] == drawn[v, u] for u, v in drawn)
                self.assertLess(equal, len(drawn) / 20)

    def test_one_way(self):
        """Edges of one-way roads are written once, with the weights that they have otherwise;
        nothing else changes, and every vertex reaches every other."""
        for weights in ((), ("--weights", "1:1000"), ("--weights", "1:1000", "--asymmetric")):
            with self.subTest(weights):
                both = self.family("road", *weights, v=2000).weights()
                some = self.family("road", *weights, "--one-way", 0.2, v=2000)
                left = some.weights()
                self.assertEqual({min(edge, edge[::-1]) for edge in left},
                                 {min(edge, edge[::-1]) for edge in both})
                once = [edge for edge in left if edge[::-1] not in left]
                self.assertTrue(0.1 < len(once) / (len(both) / 2) < 0.25)
                for edge, weight in left.items():
                    self.assertIn(weight, (both[edge], both[edge[::-1]]))
                self.assertEqual([edge for edge in left if edge[::-1] in left and left[edge] != both[edge]], [])
                for turned in False, True:
                    after = {}
                    for u, v in left:
                        after.setdefault(v if turned else u, []).append(u if turned else v)
                    seen, stack = {0}, [0]
                    while stack:
                        new = set(after[stack.pop()]) - seen
                        seen |= new
                        stack += new
                    self.assertEqual(len(seen), 2000)

    def test_weights(self):
        for name in FAMILIES:
            with self.subTest(name):
                weights = self.family(name).weights()
                if name in self.LENGTHS:
                    self.assertGreater(min(weights.values()), 0)
                    self.assertGreater(max(weights.values()), self.LENGTHS[name])
                else:
                    self.assertTrue(1 <= min(weights.values()) < 12
                                    and 88 < max(weights.values()) <= 100)
                drawn = self.family(name, "--weights", "-5:7").weights()
                self.assertEqual(set(drawn.values()), set(range(-5, 8)))
                self.assertEqual(drawn.keys(), weights.keys())

    def test_no_negative_cycle(self):
        for name in FAMILIES:
            with self.subTest(name):
                self.succeeds("graphgen", "--family", name, "--v", 64, "--weights", "-9:20",
                              "--no-negative-cycle", "--quiet")
                self.succeeds("cpu", "--check")

    def test_pinned_bytes(self):
        """As of random graphs: published experiments name options, not a file."""
        for args, expected in PINNED.items():
            with self.subTest(args):
                v = "1024" if args.startswith("rmat") else "1000"
                out = self.succeeds("graphgen", "-o", "-", "--v", v, "--quiet", "--family",
                                    *args.split()).out
                self.assertEqual(hashlib.sha256(out).hexdigest()[:16], expected)

    def test_seeds(self):
        """A seed names a graph, except where the family has one graph only."""
        for name in FAMILIES:
            with self.subTest(name):
                ends = [set(self.family(name, "--seed", seed).weights())
                        for seed in (1, 1, 2, 2**62)]
                same = name in ("grid", "surface", "star", "complete")
                self.assertEqual(ends[0], ends[1])
                self.assertEqual([ends[0] == other for other in ends[2:]], [same, same])

    def test_formats(self):
        """Written as random graphs are, vertices without edges included."""
        text = self.succeeds("graphgen", "-o", "-", "--v", 3, "--family", "star", "--format", "gr",
                             "--weights", "5:5").out
        self.assertEqual(text, b"p sp 3 4\na 1 2 5\na 2 1 5\na 1 3 5\na 3 1 5\n")
        text = self.succeeds("graphgen", "-o", "-", "--v", 5, "--family", "disconnected",
                             "--format", "wel").out
        self.assertEqual(text, b"4 4 0\n")
        options = ("graphgen", "-o", "-", "--v", 40, "--e", 90, "--weights=-120:120")
        whole = [line.split() for line in self.succeeds(*options).out.decode().splitlines()[1:]]
        for decimals in 1, 2, 9:
            found = self.succeeds(*options, "--decimals", decimals).out.decode().splitlines()[1:]
            self.assertEqual(found, ["%s %s %s" % (u, v, format(Decimal(w).scaleb(-decimals), "f"))
                                     for u, v, w in whole])
        for decimals, kind in enumerate((b"integer", b"real")):
            text = self.succeeds("graphgen", "-o", "-", "--v", 3, "--e", 2, "--format", "mtx",
                                 "--decimals", decimals).out
            self.assertIn(b" coordinate %s general\n" % kind, text)
        for seed in range(20):  # a loop only if the last vertex has no edge otherwise
            sized, listed = ([line.split()[-3:] for line in self.succeeds(
                "graphgen", "-o", "-", "--v", 4, "--e", 2, "--seed", seed, "--format", name).out.splitlines()]
                for name in ("text", "wel"))
            occurs = any(b"3" in edge[:2] for edge in sized[1:])
            self.assertEqual(listed, sized[1:] + [[b"3", b"3", b"0"]] * (not occurs))

    def test_considered(self):
        for name, expected in (("road", "family   road, degree 2.76, cut exponent 0.35\n"),
                               ("road --towns 0.4 --one-way .05",
                                "family   road, degree 2.76, cut exponent 0.35, towns 0.4, one way 0.05\n"),
                               ("knn", "family   knn, degree 8, 2 dimensions\n"),
                               ("rmat", "family   rmat, degree 16\n"),
                               ("star", "family   star\n")):
            text = self.succeeds("graphgen", "--v", 8, "--verbose", "--family", *name.split(),
                                 may_note="drawn edges are left").out.decode()
            self.assertIn("\n" + expected, text)
            self.assertIn("weights  %s\n" % ("lengths" if name.split()[0] in self.LENGTHS else "1 .. 100"), text)

    def test_dropped_edges_are_said(self):
        """Loops and repeated edges of R-MAT are counted, in a note or in the answer."""
        args = ["graphgen", "--v", 256, "--family", "rmat", "--degree", 20, "-o", "g.txt"]
        left = len(self.family("rmat", "--degree", 20, "--undirected").edges)
        self.assertTrue(0 < left < 20 * 256)
        self.assertEqual(self.run_program(*args).err, "graphgen: note: %d of 5120 drawn edges are "
                         "left: loops and repeated ones are dropped\n" % left)
        answer = json.loads(self.succeeds(*args, "--json").out)
        self.assertEqual((answer["edges"], answer["dropped"]), (2 * left, 5120 - left))

    def test_help(self):
        text = " ".join(self.succeeds("graphgen", "--help").out.decode().split())
        for name in FAMILIES:
            self.assertIn(" %s: " % name, text)

    def test_large(self):
        """Ten times the vertices of what is tested elsewhere, in seconds."""
        self.succeeds("graphgen", "--v", 1000000, "--family", "road", "-o", "g", "--no-sync")
        with open(self.path("g"), "rb") as file:
            self.assertEqual(file.readline(), b"1000000 2760000\n")
            self.assertEqual(sum(chunk.count(b"\n") for chunk in iter(
                lambda: file.read(1 << 20), b"")), 2760000)


class NegativeWeights(GraphgenTest):

    ARGS = ["--v", 60, "--density", "10%", "--weights", "-20:50"]

    def test_without_negative_cycles(self):
        for seed in range(8):
            with self.subTest(seed=seed):
                self.succeeds("graphgen", *self.ARGS, "--seed", seed, "--no-negative-cycle")
                graph = graph_of_text(self.read("graphFile.txt").decode("ascii"))
                weights = [w for _, _, w in graph.edges]
                self.assertTrue(-20 <= min(weights) < 0 and 40 < max(weights) <= 50)
                self.assertGreater(sum(w < 0 for w in weights), len(weights) // 50)
                self.succeeds("cpu")
                self.proves("output.txt")

    def test_every_shape_of_weights_is_solvable(self):
        for weights in ("-50:20", "-1:1", "-1:0", "-30:0", "-1000000:5", "-5:1000000", "0:9",
                        "4:9"):
            with self.subTest(weights):
                self.succeeds("graphgen", "--v", 40, "--density", "20%", "--weights", weights,
                              "--no-negative-cycle")
                lowest, highest = [int(end) for end in weights.split(":")]
                graph = graph_of_text(self.read("graphFile.txt").decode("ascii"))
                self.assertTrue(all(lowest <= w <= highest for _, _, w in graph.edges))
                self.succeeds("cpu", "--check")

    def test_without_the_option_cycles_are_negative(self):
        statuses = Counter()
        for seed in range(8):
            self.succeeds("graphgen", *self.ARGS, "--seed", seed)
            statuses[self.run_program("cpu").status] += 1
        self.assertEqual(statuses, {NEGATIVE_CYCLE: 8})

    def test_the_option_changes_weights_only(self):
        plain = self.generate(*self.ARGS)
        tame = self.generate(*self.ARGS, "--no-negative-cycle")
        self.assertEqual([edge[:2] for edge in plain.edges], [edge[:2] for edge in tame.edges])
        self.assertNotEqual(plain, tame)


class Randomness(GraphgenTest):
    """Rough tests with fixed seeds: what passes once always passes. The bounds
    are six standard deviations of the chi-square distribution."""

    def assertPlausible(self, statistic, freedom):
        deviation = (2 * freedom) ** 0.5
        self.assertLess(abs(statistic - freedom), 6 * deviation,
                        "chi-square %.0f with %d degrees of freedom" % (statistic, freedom))

    def test_every_ordered_pair_is_as_likely(self):
        n, seeds = 50, 200
        pairs, edges = n * (n - 1), 245
        counts = Counter()
        for seed in range(seeds):
            graph = self.generate("--v", n, "--density", "10%", "--seed", seed)
            self.assertEqual(len(graph.edges), edges)
            counts.update((u, v) for u, v, _ in graph.edges)
        p = edges / pairs
        mean, variance = seeds * p, seeds * p * (1 - p)
        statistic = sum((counts[u, v] - mean) ** 2 / variance
                        for u in range(n) for v in range(n) if u != v)
        self.assertPlausible(statistic, pairs - 1)

    def test_first_edges_are_as_random_as_all(self):
        """The order of edges carries no pattern: the first edge of many graphs
        hits every vertex as tail and as head."""
        n, seeds = 20, 400
        tails, heads = Counter(), Counter()
        for seed in range(seeds):
            (u, v, _), = self.generate("--v", n, "--edges", 1, "--seed", seed).edges
            tails[u] += 1
            heads[v] += 1
        for counts in (tails, heads):
            mean = seeds / n
            statistic = sum((counts[v] - mean) ** 2 / mean for v in range(n))
            self.assertPlausible(statistic, n - 1)

    def test_degrees_spread(self):
        """In-degrees and out-degrees of one graph are as uneven as chance has
        it, neither all alike nor clustered."""
        n = 400
        graph = self.generate("--v", n, "--density", "5%")
        p = len(graph.edges) / (n * (n - 1))
        mean, variance = (n - 1) * p, (n - 1) * p * (1 - p)
        for end in (0, 1):
            counts = Counter(edge[end] for edge in graph.edges)
            statistic = sum((counts[v] - mean) ** 2 / variance for v in range(n))
            self.assertPlausible(statistic, n - 1)

    def test_weights_are_uniform(self):
        graph = self.generate("--v", 300, "--density", "50%")
        counts = Counter(w for _, _, w in graph.edges)
        mean = len(graph.edges) / 100
        statistic = sum((counts[w] - mean) ** 2 / mean for w in range(1, 101))
        self.assertPlausible(statistic, 99)

    def test_weights_do_not_follow_the_pairs(self):
        """Two seeds give an edge that both have independent weights."""
        first = self.generate("--v", 100, "--density", "60%", "--seed", 1).weights()
        second = self.generate("--v", 100, "--density", "60%", "--seed", 2).weights()
        both = [pair for pair in first if pair in second]
        equal = sum(first[pair] == second[pair] for pair in both)
        self.assertGreater(len(both), 3000)
        self.assertTrue(len(both) / 200 < equal < len(both) / 50)


class Memory(GraphgenTest):

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "no /proc")
    def test_peak_memory_does_not_grow_with_the_edges(self):
        """Watched from outside while the edges go through a pipe."""
        peak = {}
        for count in (10000, 3000000):
            process = self.start("graphgen", "-o", "-", "--v", 5000, "--edges", count)
            lines = 0
            while True:
                with open("/proc/%d/status" % process.pid, encoding="ascii") as status:
                    for line in status:
                        if line.startswith("VmHWM:"):
                            peak[count] = int(line.split()[1])  # KiB
                chunk = process.stdout.read(1 << 18)
                if not chunk:
                    break
                lines += chunk.count(b"\n")
            self.assertEqual((process.wait(timeout=TIMEOUT_S), lines), (0, count + 1))
        # The edges alone are 36 MB in binary and 43 MB as text.
        self.assertLess(peak[3000000] - peak[10000], 4096)
        self.assertEqual(sorted(peak), [10000, 3000000])


if __name__ == "__main__":
    unittest.main()
