# SPDX-License-Identifier: MIT
"""`apsp --diameter`: searches from a few vertices against the measures of all rows."""

import csv
import io
import json
import random
import unittest

from support import BAD_INPUT, Graph, ProgramTest


class Diameter(ProgramTest):

    def test_random_graphs(self):
        """Directed or not, connected or not, of weights of all kinds; vertices have names."""
        chance = random.Random(43)
        for number in range(24):
            n, both, scale = chance.randint(2, 40), number % 2, (1, 1, 7)[number % 3]
            edges = [(v, (v + 1) % n) for v in range(n) if number % 4 < 2 or v % 3]
            edges += [(chance.randrange(n), chance.randrange(n)) for _ in range(n)]
            self.write("g.csv", "source,target,weight\n" + "".join(
                "v%d,v%d,%r\n" % (u, v, chance.randint(0, 9) / scale) for u, v in edges))
            options = ["--undirected"] if both else []
            self.succeeds("cpu", "g.csv", *options, "--measures=all", "-v", "johnson", "--grid", "off",
                          "-q")
            whole = json.loads(self.read("all.json"))
            answer = json.loads(self.succeeds("apsp", "g.csv", *options, "--diameter", "--json",
                                              *[[], ["--check"], ["--threads", "3"]][number % 3],
                                              *[[], ["-o", "e.csv"]][number // 4 % 2]).out)
            with self.subTest(number=number, n=n):
                for name in "diameter", "radius":
                    self.assertEqual(answer[name], whole[name])
                self.assertEqual(answer["largest_distance"], whole["largest_distance"]["distance"])
                self.assertEqual((answer["checked"], answer["vertices"], answer.get("eccentricities")),
                                 (number % 3 == 1, whole["vertices"], "e.csv" if number // 4 % 2 else None))
                self.assertTrue(0 < answer["searches"] <= whole["vertices"] * (1 + answer["directed"]))
                if number // 4 % 2:
                    table = csv.DictReader(io.StringIO(self.read("all.csv").decode()))
                    named = {row.get("id", row["vertex"]): float(row["eccentricity"]) for row in table}
                    found = csv.DictReader(io.StringIO(self.read("e.csv").decode()))
                    self.assertEqual({row["vertex"]: float(row["eccentricity"]) for row in found},
                                     named)
                    for name, value in ("central", "radius"), ("from", "diameter"):
                        if answer["diameter"] is not None:
                            self.assertEqual(named[answer[name]], answer[value])

    def test_plan(self):
        """Seconds, which a busy machine or another one may take many times."""
        self.succeeds("graphgen", "--v", 9000, "--family", "road", "-o", "g.txt")
        options = ("apsp", "g.txt", "--diameter", "--json", "-t", 1)
        plan = json.loads(self.succeeds(*options, "--plan").out)
        self.assertAlmostEqual(plan["all_sources_s"] / plan["fifty_sources_s"], 180, delta=20)
        said = self.succeeds(*options[:-3], "-t", 1, "--plan").out.decode()
        for name, what in ("fifty", "searches from 50 vertices"), ("all", "searches from all"):
            self.assertIn("%.3g s for %s" % (plan[name + "_sources_s"], what), said)
        done = json.loads(self.succeeds(*options).out)
        each_s = done["solve_s"] / done["searches"]
        self.assertTrue(1 / 300 < plan["all_sources_s"] / 9000 / each_s < 20, (plan, done))

    def test_refusals(self):
        self.write("below.txt", Graph(2, [(0, 1, -1)]))
        self.fails(BAD_INPUT, "--measures", "apsp", "below.txt", "--diameter")
        self.write("g.txt", Graph(2, [(0, 1, 1)]))
        self.fails(BAD_INPUT, "found --sources", "apsp", "g.txt", "--diameter", "--sources", "0")
        self.fails(BAD_INPUT, "found --limit", "apsp", "g.txt", "--diameter", "--limit", "3")
        self.fails(BAD_INPUT, "expected one of them", "apsp", "g.txt", "--diameter", "--index")
        self.fails(BAD_INPUT, "graph", "apsp", "g.txt", "--diameter", "-o", "g.txt")
        self.write("far.txt", Graph(3, [(0, 1, 2**30 - 2), (1, 2, 5)]))
        self.fails(BAD_INPUT, "out of range", "apsp", "far.txt", "--diameter", "--type", "int32")
        for kind, weight in ("float64", "1.7e308"), ("float32", "2e38"):
            for last in "0.5", weight:  # different weights, and equal ones
                self.write("real.txt", f"3 3\n0 1 {weight}\n1 2 {weight}\n2 0 {last}\n")
                for check in (), ("--check",):
                    self.fails(BAD_INPUT, f"from 0 to 2 does not fit in a {kind}", "apsp",
                               "real.txt", "--diameter", "--type", kind, *check)


if __name__ == "__main__":
    unittest.main()
