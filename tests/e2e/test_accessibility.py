# SPDX-License-Identifier: MIT
"""apsp --accessibility: sums and nearest facilities beside a matrix of the same graph, tables of
masses, options that do not combine."""

import csv
import json
import math
import random
import struct
import unittest

from support import BAD_INPUT, INF, OK, GpuTest, ProgramTest

TOWN = "from,to,weight\nHome,Park,4\nPark,Market,3\nMarket,School,5\nHome,School,15\n"
PLACES = "place,jobs,\"\"\"corner\"\" shops\",s;t\nMarket,120,14,1\nSchool,30,0,2\nPark,2,1,4\n"


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Accessibility(ProgramTest):
    def distances(self, graph, n, sources):
        """Rows of some of n vertices, which the file numbers from 1."""
        self.succeeds("cpu", graph, "-v", "johnson", "-d", "-q", "--format", "npy", "-o", "rows", "--sources",
                      ",".join(str(v + 1) for v in sources))
        cells = struct.unpack("<%di" % (len(sources) * n), self.read("rows.dist.npy")[-4 * len(sources) * n:])
        return {v: [math.inf if cell == INF else cell for cell in cells[k * n:(k + 1) * n]]
                for k, v in enumerate(sources)}

    def test_grid(self):
        """By both ways: 300 vertices of a directed graph are searched, 2025 eliminated. A table has any
        separator."""
        chance = random.Random(5)
        for n, kind, separator in ((300, ("--e", "700"), ";"), (2025, ("--family", "road"), "\t")):
            self.succeeds("graphgen", "--v", n, *kind, "--seed", "4", "--format", "gr", "-o", "g.gr")
            chosen = chance.sample(range(n), 40)
            masses = {v: (chance.randint(0, 9), chance.random()) for v in chosen}
            self.write("m.csv", ("v;a;b\n" + "".join(
                "%d;%d;%r\n" % (v + 1, *masses[v]) for v in chosen)).replace(";", separator))
            said = json.loads(self.succeeds(
                "apsp", "g.gr", "--accessibility", "m.csv", "--decays", "40,1e3", "--limits",
                "0, 90", "--nearest", "3:a", "-o", "found.csv", "--json").out)
            self.assertEqual((said["way"], said["masses"], said["decays"], said["limits"]),
                             ("classes" if n > 1000 else "searches", 2, 2, 2))
            sources = chance.sample(range(n), 60)
            found, matrix = rows_of(self.path("found.csv")), self.distances("g.gr", n, sources)
            self.assertEqual(list(found[0]), [
                "vertex", "id", "a_exp_40", "a_exp_1e3", "a_within_0", "a_within_90", "b_exp_40",
                "b_exp_1e3", "b_within_0", "b_within_90", "nearest_1", "distance_1", "nearest_2",
                "distance_2", "nearest_3", "distance_3"])
            for s in sources:
                row, to = found[s], matrix[s]
                self.assertEqual((row["vertex"], row["id"]), (str(s), str(s + 1)))
                for m, name in enumerate("ab"):
                    for text, decay in (("40", 40), ("1e3", 1000)):
                        right = math.fsum(masses[v][m] * math.exp(-to[v] / decay) for v in chosen)
                        self.assertLessEqual(abs(float(row["%s_exp_%s" % (name, text)]) - right),
                                             1e-12 * right)
                    for limit in 0, 90:
                        right = math.fsum(masses[v][m] for v in chosen if to[v] <= limit)
                        self.assertAlmostEqual(float(row["%s_within_%d" % (name, limit)]), right, 12)
                near = sorted((to[v], place, v) for place, v in enumerate(chosen)
                              if masses[v][0] > 0 and to[v] < math.inf)[:3]
                self.assertEqual([(row["nearest_%d" % k], row["distance_%d" % k])
                                  for k in range(1, 4)],
                                 ([(str(v + 1), "%g" % d) for d, _, v in near]
                                  + [("", "")] * 3)[:3])

    def test_names(self):
        """Vertices and columns by name; some rows; the order of a table decides ties."""
        self.write("town.csv", TOWN)
        self.write("places.csv", PLACES)
        out = self.succeeds("apsp", "town.csv", "-u", "--accessibility", "places.csv", "--limits",
                            " 7 ", "--nearest", "9", "--sources", "School,Home", "-o", "-", "-q").out
        self.assertEqual(out.decode().splitlines(), [
            'vertex,id,jobs_within_7,"""corner"" shops_within_7","s;t_within_7",nearest_1,distance_1,'
            'nearest_2,distance_2,nearest_3,distance_3',
            "3,School,150,14,3,School,0,Market,5,Park,8",
            "0,Home,122,15,5,Park,4,Market,7,School,12"])
        for order in ("Home,Market", "Market,Home"):
            self.write("two.csv", "place\n" + order.replace(",", "\n") + "\n")
            self.succeeds("apsp", "town.csv", "-u", "--unweighted", "--accessibility", "two.csv",
                          "--nearest", "1", "-q")
            self.assertEqual(rows_of(self.path("accessibility.csv"))[1]["nearest_1"], order.split(",")[0])

    def test_own_tables(self):
        """A table that apsp writes can be read as a table of masses: the column `vertex` beside
        `id` is none."""
        self.write("town.csv", TOWN)
        self.write("places.csv", PLACES)
        self.succeeds("apsp", "town.csv", "-u", "--accessibility", "places.csv", "--limits", "7",
                      "-q", "-o", "first.csv")
        self.succeeds("apsp", "town.csv", "-u", "--accessibility", "first.csv", "--limits", "0",
                      "-q", "-o", "second.csv")
        self.assertEqual(
            [row["jobs_within_7_within_0"] for row in rows_of(self.path("second.csv"))],
            [row["jobs_within_7"] for row in rows_of(self.path("first.csv"))])

    def test_reals(self):
        """Weights with decimals are exact with --scale, and otherwise on a grid, which is said."""
        self.write("g.csv", "from,to,weight\na,b,0.1\nb,c,0.2\n")
        self.write("m.csv", "v,m\nc,1\n")
        self.succeeds("apsp", "g.csv", "--accessibility", "m.csv", "--limits", "3", "--scale", "10",
                      "-q")
        self.assertEqual(rows_of(self.path("accessibility.csv"))[0]["m_within_3"], "1")
        done = self.succeeds("apsp", "g.csv", "--accessibility", "m.csv", "--decays", "0.3",
                             "--json", noted="weights are rounded to multiples")
        self.assertGreater(json.loads(done.out)["grid_error"], 0)
        self.assertAlmostEqual(float(rows_of(self.path("accessibility.csv"))[0]["m_exp_0.3"]), math.exp(-1))
        self.fails(BAD_INPUT, "weights on a grid", "apsp", "g.csv", "--accessibility", "m.csv",
                   "--decays", "1", "--grid", "off")

    def test_sources_of_a_pipe(self):
        """The list is read once."""
        self.write("town.csv", TOWN)
        self.write("m.csv", "v,m\nHome,1\n")
        self.succeeds("apsp", "town.csv", "--accessibility", "m.csv", "--limits", "0", "--sources", "@-", "-q",
                      stdin="School,Home\n")
        self.assertEqual([row["id"] for row in rows_of(self.path("accessibility.csv"))], ["School", "Home"])

    def test_threads(self):
        """Any number of threads writes the same bytes."""
        self.succeeds("graphgen", "--v", "2025", "--family", "road", "-o", "g.txt")
        self.write("m.csv", "v,m\n" + "".join("%d,%d\n" % (v, v % 7) for v in range(2025)))
        for threads in "1", "2", "5":
            self.succeeds("apsp", "g.txt", "--accessibility", "m.csv", "--decays", "9,99",
                          "--limits", "50", "--nearest", "2", "-t", threads, "-q", "-o",
                          threads + ".csv")
        self.assertEqual(self.read("2.csv"), self.read("1.csv"))
        self.assertEqual(self.read("5.csv"), self.read("1.csv"))

    def test_plan(self):
        self.succeeds("graphgen", "--v", "2025", "--family", "road", "-o", "g.txt")
        self.write("m.csv", "v,m\n7,1\n")
        said = json.loads(self.succeeds("apsp", "g.txt", "--accessibility", "m.csv", "--decays", "9",
                                        "--plan", "--json").out)
        self.assertGreater(said["searches_s"], said["classes_s"])
        self.assertIsNone(said["limits_s"])
        out = self.succeeds("apsp", "g.txt", "--accessibility", "m.csv", "--decays", "9",
                            "--limits", "5", "--nearest", "1", "--plan").out.decode()
        self.assertIn("decays by classes", out)
        self.assertEqual(said["way"], "classes")
        self.succeeds("graphgen", "--v", "300", "--family", "complete", "-o", "c.txt")
        for decays, expected in (["--decays", "9"], "searches"), (["--limits", "9"], None):
            said = json.loads(self.succeeds("apsp", "c.txt", "--accessibility", "m.csv", *decays, "--plan", "--json").out)
            self.assertEqual((said.get("way"), said["classes_s"]), (expected, None))
        options = ("apsp", "g.txt", "--accessibility", "m.csv", "--limits", "1e9", "--json", "-t", 1)
        plan = json.loads(self.succeeds(*options, "--plan").out)
        self.assertNotIn("accessibility.csv", self.files())
        done = json.loads(self.succeeds(*options).out)
        self.assertTrue(1 / 300 < plan["limits_s"] / done["find_s"] < 20, (plan, done))

    def test_refused(self):
        self.write("town.csv", TOWN)
        self.write("places.csv", PLACES)
        plain = ("apsp", "town.csv", "--accessibility", "places.csv")
        for expected, arguments in (
                ("expected --decays, --limits or --nearest", plain),
                ("expected --accessibility as well", ("apsp", "town.csv", "--nearest", "1")),
                ("expected one of them", (*plain, "--nearest", "1", "--index")),
                ("expected numbers above 0 (1e-300 .. 1e300) with commas between them, found '0'",
                 (*plain, "--decays", "5,0")),
                ("found 'nan'", (*plain, "--decays", "nan")),
                ("found ''", (*plain, "--decays", "5,")),
                ("--limits: expected up to 256 numbers", (*plain, "--limits", ",".join(map(str, range(257))))),
                ("found 5.0 twice", (*plain, "--decays", "5,5.0")),
                ("expected numbers of 0 or more with commas between them, found '-1'",
                 (*plain, "--limits", "-1")),
                ("expected an integer in 1 .. 2147483647, found '0'", (*plain, "--nearest", "0")),
                ("expected a column of places.csv, found 'parks'", (*plain, "--nearest", "1:parks")),
                ("found --measures", (*plain, "--nearest", "1", "--measures")),
                ("found --check", (*plain, "--nearest", "1", "--check")),
                ("found --limit (of sums: --limits)", (*plain, "--nearest", "1", "--limit", "5")),
                ("found --targets", (*plain, "--nearest", "1", "--targets", "Home")),
                ("found --format", (*plain, "--nearest", "1", "--format", "npy")),
                ("the table of masses places.csv", (*plain, "--nearest", "1", "-o", "places.csv")),
                ("cannot write", (*plain, "--nearest", "1", "-o", "none/x.csv"))):
            finished = self.run_program(*arguments)
            self.assertNotEqual(finished.status, OK, arguments)
            self.assertIn(expected, finished.err)
        self.assertEqual(self.files(), ["places.csv", "town.csv"])

    def test_tables(self):
        """Each mistake in a table of masses is told by its line."""
        self.write("town.csv", TOWN)
        for expected, table in (
                ("m.csv:2: expected a finite number of 0 or more in column 'jobs', found '-1'",
                 "v,jobs\nHome,-1\n"),
                ("column 'jobs', found 'inf'", "v,jobs\nHome,inf\n"),
                ("column 'jobs', found nothing", "v,jobs\nHome,\n"),
                ("column 'jobs', found '5x'", "v,jobs\nHome,5x\n"),
                ("m.csv:3: expected 2 fields, found 3", "v,jobs\nHome,1\nPark,1,2\n"),
                ("m.csv:3: expected each vertex once, found Home again",
                 "v,jobs\nHome,1\nHome,2\n"),
                ("m.csv:2: expected one of the graph's 4 vertices, which are called Home, ..., "
                 "School, found 'Hom'", "v,jobs\nHom,1\n"),
                ("put vertex,NAME above it", "Home,1\n"),
                ("expected columns with different names, found 'jobs'", "v,jobs,jobs\nHome,1,2\n"),
                ("expected columns with different names, found one without", "v,\nHome,1\n"),
                ("expected masses in all columns but the first, which has the vertices, found column 'Node_ID'",
                 ",Node_ID,jobs\n0,Home,1\n"),
                ("expected a row", "v,jobs\n"), ("m.csv: expected a head", ""),
                ("closed quotes", 'v,"jobs\nHome,1\n'),
                ("expected a column with masses", "v\nHome\n")):
            self.write("m.csv", table)
            self.fails(BAD_INPUT, expected, "apsp", "town.csv", "--accessibility", "m.csv",
                       "--limits", "1")
        self.write("m.csv", '"a,b;c"|m\nHome|1\n')
        self.succeeds("apsp", "town.csv", "--accessibility", "m.csv", "--limits", "1")
        self.write("m.csv", "v,jobs\nHome,0\n")
        self.fails(BAD_INPUT, "with more than 0 in column 'jobs' of m.csv, found none", "apsp",
                   "town.csv", "--accessibility", "m.csv", "--nearest", "1:jobs")
        self.write("town.csv", TOWN.replace(",15", ",-15"))
        self.write("m.csv", "v,jobs\nHome,1\n")
        self.fails(BAD_INPUT, "expected weights of 0 or more, found -15", "apsp", "town.csv",
                   "--accessibility", "m.csv", "--nearest", "1")


class OnGpu(GpuTest):
    """A GPU finds many sums, and the CPU a few of them at a time."""

    def test_same_sums(self):
        decays = ("30", "500", "1e4", "7", "200")
        for kind in ((), ("--decimals", "2")):
            self.succeeds("graphgen", "--v", "22500", "--family", "road", "--seed", "3", *kind,
                          "--format", "gr", "-o", "g.gr")
            chance = random.Random(6)
            names = ["m%d" % k for k in range(20)]
            self.write("m.csv", "v,%s\n" % ",".join(names) + "".join(
                "%d,%s\n" % (v + 1, ",".join(str(chance.randint(0, 5)) for _ in names))
                for v in range(22500)))
            run = ("apsp", "g.gr", "--accessibility", "m.csv", "--json")
            def said(*options, run=run, noted="weights are rounded" if kind else None):
                return json.loads(self.succeeds(*run, *options, noted=noted).out)

            planned = said("--decays", ",".join(decays), "--plan")
            done = said("--decays", ",".join(decays), "-o", "gpu.csv")
            self.assertEqual((planned["way"], done["way"]), ("classes on a GPU",) * 2)
            found = rows_of(self.path("gpu.csv"))
            for decay in decays:
                self.assertEqual(said("--decays", decay, "-o", "cpu.csv")["way"], "classes")
                for row, right in zip(found, rows_of(self.path("cpu.csv")), strict=True):
                    for name in names:
                        column = "%s_exp_%s" % (name, decay)
                        self.assertLessEqual(abs(float(row[column]) - float(right[column])),
                                             1e-11 * float(right[column]))


if __name__ == "__main__":
    unittest.main()
