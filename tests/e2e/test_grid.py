# SPDX-License-Identifier: MIT
"""Real weights on a grid: what --grid does to files, reports and proofs, beside exact fractions. Rows and measures of
all engines, bit for bit, are compared with SciPy's in test_real.py."""

import csv
import heapq
import json
import math
import random
import re
import unittest
from fractions import Fraction

from support import BAD_INPUT, REFUTED, ProgramTest

N = 70  # vertices: measures of so many rows round by default


def random_graph(rng, weight):
    """A ring, so that all reach all, and other edges."""
    edges = {(v, (v + 1) % N): weight() for v in range(N)}
    while len(edges) < 3 * N:
        u, v = rng.randrange(N), rng.randrange(N)
        if u != v:
            edges[u, v] = weight()
    return edges


def text_of(edges, write=repr):
    return "%d %d\n" % (N, len(edges)) + "".join("%d %d %s\n" % (u, v, write(w)) for (u, v), w in edges.items())


def distances(edges):
    """Dijkstra's algorithm over fractions, from every vertex."""
    out = [[] for _ in range(N)]
    for (u, v), weight in edges.items():
        out[u].append((v, Fraction(weight)))
    rows = []
    for source in range(N):
        found, queue = {}, [(Fraction(0), source)]
        while queue:
            dist, u = heapq.heappop(queue)
            if u in found:
                continue
            found[u] = dist
            for v, weight in out[u]:
                if v not in found:
                    heapq.heappush(queue, (dist + weight, v))
        rows.append([found[v] for v in range(N)])
    return rows


class Grid(ProgramTest):

    def measured(self, *options):
        """The rows of the .csv, the .json, and what is said on stderr."""
        done = self.succeeds("cpu", "g", "--variant", "auto", "--measures=m", "--omit", "harmonic,histogram", *options,
                             may_note="weights are rounded to multiples")
        with open(self.path("m.csv"), encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        return rows, json.loads(self.read("m.json")), done.err

    def test_errors_are_within_the_bound(self):
        """Sums and the largest distance differ from exact fractions by no more than the bound, for
        weights of very unlike sizes."""
        rng = random.Random(11)
        for weight in (rng.random, lambda: 10.0 ** rng.uniform(-300, 300), lambda: 10.0 ** rng.uniform(-9, 9),
                       lambda: 5e-324 * rng.randint(1, 9), lambda: rng.choice((1e-300, 1e6)), lambda: 0.1):
            edges = random_graph(rng, weight)
            self.write("g", text_of(edges))
            rows, answer, said = self.measured("--check")
            exact = distances(edges)
            bound = Fraction(answer.get("grid_error", 0))
            self.assertEqual("rounded to multiples of 2^" in said, "grid_spacing" in answer, said)
            for row, dist in zip(rows, exact):
                largest = max(dist)
                off = bound + largest / 2**50 + Fraction(5e-324)
                self.assertLessEqual(abs(Fraction(float(row["out_eccentricity" if "out_eccentricity" in row else
                                                             "eccentricity"])) - largest), off)
                self.assertLessEqual(abs(Fraction(float(row["out_distance_sum"])) - sum(dist)), N * off)
            largest = max(map(max, exact))
            self.assertLessEqual(bound, largest * N / 2**48 + Fraction(5e-324) * N)
            self.proves_quietly("-g", "g", "m.csv", noted="weights are rounded" if said else None)

    def proves_quietly(self, *arguments, noted="weights are rounded"):
        self.assertIn("is proved for", self.succeeds("verify", *arguments, noted=noted).out.decode())

    def test_rounded_rows(self):
        """As int32 and as float64; what is proved, and for which weights."""
        rng = random.Random(12)
        edges = random_graph(rng, rng.random)
        self.write("g", text_of(edges))
        for given, spacing in (("0.001", 2.0**-10), (repr(2.0**-10), 2.0**-10), (repr(2.0**-40), 2.0**-40)):
            rounded = {ends: max(round(Fraction(w) / Fraction(spacing)), 1) * Fraction(spacing)
                       for ends, w in edges.items()}
            exact = distances(rounded)
            results = set()
            for variant in ("sequential", "dissection", "johnson", "multisource", "blocked"):
                done = self.succeeds("cpu", "g", "--variant", variant, "--grid", given, "--check", noted="weights are")
                self.assertIn("rounded to multiples of 2^%d" % math.log2(spacing), done.err)
                lines = self.read("output.txt").decode().splitlines()
                results.add("\n".join(lines[2:2 + N]))
                self.assertIn("# weights rounded to multiples of: %.17g" % spacing, lines)
                self.proves_quietly("-g", "g", "output.txt")
            self.assertEqual([[Fraction(float(d)) for d in line.split("\t")] for line in results.pop().splitlines()],
                             exact)
            self.assertEqual(results, set())
            refuted = self.run_program("verify", "-g", "g", "output.txt", "--grid", "off")
            self.assertEqual(refuted.status, REFUTED)

    def test_by_nature(self):
        """Nothing is rounded, nothing is said, and rows are those of the weights as they are."""
        rng = random.Random(13)
        for weight in (lambda: rng.randint(1, 999) / 8, lambda: float(rng.randint(2**31, 2**40)),
                       lambda: rng.randint(0, 9) / 4, lambda: float(rng.randint(1, 2**44)) * 2.0**-90):
            edges = random_graph(rng, weight)
            self.write("g", text_of(edges))
            results = set()
            for options in ([], ["--grid", "off"]):
                for variant in ("dissection", "johnson"):
                    done = self.succeeds("cpu", "g", "--type", "float64", "--variant", variant, "--format", "npy", "-o", "r",
                                         "--check", "--quiet", *options)
                    self.assertEqual(done.err, "")
                    results.add(self.read("r.dist.npy"))
                    self.assertNotIn("grid_spacing", json.loads(self.read("r.json")))
            self.assertEqual(len(results), 1)
            rows, answer, said = self.measured("--type", "float64", "--quiet")
            self.assertEqual(said, "")
            exact = distances(edges)
            self.assertEqual([Fraction(float(row["out_distance_sum"])) for row in rows],
                             [Fraction(math.fsum(map(float, dist))) for dist in exact])

    def test_what_rounds_by_default(self):
        """Measures of more than 64 rows; not rows, not few sources, not other types, not if it is off."""
        rng = random.Random(14)
        self.write("g", text_of(random_graph(rng, rng.random)))
        self.assertIn("rounded", self.measured()[2])
        self.assertIn("rounded", self.measured("--sources", "0-64")[2])
        self.assertIn("rounded", self.measured("--grid", "off", "--grid", "auto")[2])
        for options in (["--sources", "0-63"], ["-o", "r.txt"], ["--grid", "off"], ["--type", "float32"]):
            self.assertEqual(self.measured(*options)[2], "")

    def test_limits(self):
        """A limit is compared with exact distances."""
        rng = random.Random(15)
        self.write("g", text_of(random_graph(rng, lambda: rng.randint(1, 99) / 4)))
        for limit in ("20", "20.24", "20.25", "0"):
            results = set()
            for options in ([], ["--grid", "off"]):
                self.succeeds("cpu", "g", "--variant", "multisource", "--limit", limit, "--format", "npy", "-o", "r",
                              "--check", *options)
                results.add((self.read("r.dist.npy"), self.read("r.pred.npy")))
            self.assertEqual(len({dist for dist, _ in results}), 1)

    def test_the_plan_says_what_a_grid_would_change(self):
        """The spacing that it names rounds as it says, and takes the engine that it says."""
        self.succeeds("graphgen", "--family", "road", "-v", 3000, "--format", "gr", "-o", "road.gr")
        lines = self.read("road.gr").decode().splitlines()
        self.write("real.gr", "".join(line + ("" if line[0] != "a" else ".7") + "\n" for line in lines))
        rows = ("real.gr", "-d", "--format", "npy", "-o", "r")
        plan = json.loads(self.succeeds("apsp", "--plan", "--json", *rows).out)
        said = self.succeeds("apsp", "--plan", *rows).out.decode()
        found = re.search(r"^grid     --grid (\S+) changes each distance by at most (\S+); (\S+) then takes (\S+) s in "
                          r"place of (\S+)$", said, re.MULTILINE)
        self.assertIsNotNone(found, said)
        self.assertEqual(found[3], plan["grid"]["engine"])
        taken = json.loads(self.succeeds("apsp", "--plan", "--json", *rows, "--grid", found[1], noted="weights are").out)
        self.assertEqual((taken["grid"], taken["engines"][0]["engine"]), (None, found[3]))
        self.assertLess(plan["grid"]["total_s"], 0.8 * plan["engines"][0]["total_s"])
        self.succeeds("apsp", *rows, "--grid", found[1], noted="weights are rounded")
        made = json.loads(self.read("r.json"))
        self.assertEqual(made["grid_spacing"], plan["grid"]["spacing"])
        self.assertLess(abs(made["grid_error"] - float(found[2])), 0.06 * made["grid_error"])
        for noted, *options in ((None, *rows, "--grid", "off"), (None, "road.gr", *rows[1:]),
                                ("weights are", "real.gr", "--measures")):
            plan = json.loads(self.succeeds("apsp", "--plan", "--json", *options, noted=noted).out)
            self.assertIsNone(plan["grid"])

    def test_refused(self):
        self.write("g", "3 2\n0 1 0.5\n1 2 1e30\n")
        self.fails(BAD_INPUT, "on which distances fit in a float64, found 8.99e+307", "cpu", "g", "--grid", "1e308")
        self.fails(BAD_INPUT, "expected a spacing of the grid of at least 2.81e+14, as distances may be up to 1e+30", "cpu", "g", "--grid", "0.001")
        for given in ("0", "-1", "nan", "inf", "fine", ""):
            self.fails(BAD_INPUT, "--grid: expected auto, off or a number above 0, found '%s'" % given, "cpu", "g",
                       "--grid", given)
        self.write("g", "2 1\n0 1 5\n")
        self.fails(BAD_INPUT, "grid: expected float64 weights to round to multiples of 2, found int32 ones (--type float64", "cpu", "g",
                   "--grid", "2")
        self.write("g", "2 1\n0 1 -0.5\n")
        self.fails(BAD_INPUT, "grid: expected weights of 0 or more to round to multiples of 2, found -0.5", "cpu", "g",
                   "--grid", "2")
        self.write("g", "2 1\n0 1 0.3\n")
        self.succeeds("cpu", "g", "--grid", "0.25", "--format", "npy", "-o", "r", noted="weights are")
        made = json.loads(self.read("r.json"))
        for member in ("grid_spacing", "grid_error"):
            self.write("r.json", json.dumps(dict(made, **{member: "fine"})))
            self.fails(BAD_INPUT, 'expected "%s": a number, 0 or more' % member, "verify", "-g", "g", "r")


if __name__ == "__main__":
    unittest.main()
