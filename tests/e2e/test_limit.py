# SPDX-License-Identifier: MIT
"""--limit: against SciPy's dijkstra(limit=...), in results and measures, in what verify says, and
where it is refused."""

import csv
import io
import json
import random
import unittest

from support import (BAD_INPUT, INF, REFUTED, Graph, ProgramTest, describes_shortest_paths,
                     distances_of, needs, optional, parse_npy)
from test_measures import OF_GRAPH, defined, number

numpy, sparse, csgraph = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph")

ENGINES = [("cpu", variant) for variant in ("sequential", "blocked", "johnson", "multisource",
                                            "dissection", "auto")] + [("apsp", "auto")]
TEXT = "0 1 5\n0 2 9\n1 2 1\n2 3 2\n3 1 3\n"


def random_graph(rng):
    """With parallel edges, loops and weights of 0."""
    n, highest = rng.randint(1, 60), rng.choice((1, 9, 1000, 2**28))
    return Graph(n, [(rng.randrange(n), rng.randrange(n), rng.randint(0, highest))
                     for _ in range(rng.choice((1, 2, 5)) * n)])


def limits(rng, dist):
    """0, the largest, and some around a distance."""
    some = rng.choice([d for row in dist for d in row if d is not None])
    return [0, some // 3, max(some - 1, 0), some, INF - 1]


def within(dist, limit):
    return [[d if d is not None and d <= limit else None for d in row] for row in dist]


class Limits(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", "4 5\n" + TEXT)


class RandomGraphs(Limits):

    def test_engines(self):
        """Each is what is left of the whole answer, and is proved."""
        rng = random.Random(3)
        for index in range(40):
            graph = random_graph(rng)
            dist = distances_of(graph)
            limit = rng.choice(limits(rng, dist))
            program, variant = ENGINES[index % len(ENGINES)]
            with self.subTest(index=index, graph=graph, limit=limit, variant=variant):
                self.write("graphFile.txt", graph)
                self.succeeds(program, "--variant", variant, "--limit", str(limit), "--format",
                              "npy", "-o", "r", *["--check"] * (index % 2))
                expected = within(dist, limit)
                self.assertEqual(parse_npy(self.read("r.dist.npy")),
                                 [[INF if d is None else d for d in row] for row in expected])
                self.assertTrue(describes_shortest_paths(graph, expected,
                                                         parse_npy(self.read("r.pred.npy"))))
                self.assertEqual(json.loads(self.read("r.json"))["limit"], limit)
                self.proves("r")

    @needs(SciPy=csgraph)
    def test_scipy(self):
        rng = random.Random(4)
        for index in range(12):
            graph = random_graph(rng)
            weights = graph.weights()
            if not weights:
                continue
            tails, heads = zip(*weights)
            matrix = sparse.csr_matrix((list(map(float, weights.values())), (tails, heads)),
                                             shape=(graph.n, graph.n))
            limit = rng.choice(limits(rng, distances_of(graph)))
            peer = csgraph.dijkstra(matrix, limit=limit)
            with self.subTest(index=index, graph=graph, limit=limit):
                self.write("graphFile.txt", graph)
                self.succeeds("apsp", "--limit", str(limit), "-d", "--format", "npy", "-o", "r")
                found = numpy.load(self.path("r.dist.npy")).astype(float)
                found[found == INF] = numpy.inf
                self.assertTrue(numpy.array_equal(found, peer))


@needs(SciPy=csgraph)
class RealWeights(Limits):
    """The distances are those of SciPy, bit for bit."""

    def setUp(self):
        super().setUp()
        self.rng = random.Random(6)

    def graph(self):
        n = self.rng.randint(2, 60)
        weight = self.rng.choice((self.rng.random, lambda: self.rng.randint(0, 40) / 8,
                                  lambda: 10**self.rng.uniform(-6, 6)))
        graph = Graph(n, [(self.rng.randrange(n), self.rng.randrange(n), weight())
                          for _ in range(self.rng.choice((1, 2, 5)) * n)] + [(0, 1, 0.1)])
        self.write("graphFile.txt", graph)
        return graph

    def matrix(self, graph):
        tails, heads = zip(*graph.weights())
        return sparse.csr_matrix((list(graph.weights().values()), (tails, heads)),
                                       shape=(graph.n, graph.n))

    def limit(self, dist):
        """0, a distance, one of its neighbours, or another number."""
        some = float(self.rng.choice(dist[numpy.isfinite(dist)]))
        return self.rng.choice((0.0, some, float(numpy.nextafter(some, 0)),
                                float(numpy.nextafter(some, numpy.inf)), some / 3, 0.1))

    def test_engines(self):
        """In every form of the result, which is proved."""
        for index in range(42):
            graph = self.graph()
            matrix = self.matrix(graph)
            limit = self.limit(csgraph.dijkstra(matrix))
            expected = csgraph.dijkstra(matrix, limit=limit)
            program, variant = ENGINES[index % len(ENGINES)]
            with self.subTest(graph=graph, limit=limit, variant=variant):
                how = (program, "--variant", variant, "--type", "float64", "--limit", repr(limit))
                self.succeeds(*how, "--format", "npy", "-o", "r", *["--check"] * (index % 2))
                numpy.testing.assert_array_equal(numpy.load(self.path("r.dist.npy")), expected)
                rows = [[None if numpy.isinf(d) else d for d in row] for row in expected.tolist()]
                self.assertTrue(
                    describes_shortest_paths(graph, rows, parse_npy(self.read("r.pred.npy"))))
                said = json.loads(self.read("r.json"))["limit"]
                self.assertEqual((said, type(said)), (limit, float))
                self.proves("--type", "float64", "r")
                self.succeeds(*how, "-o", "r.txt", "-d")
                line = self.read("r.txt").decode().split("\n")[1].split(" = ")
                self.assertEqual((line[0], float(line[1])), ("limit", limit))
                self.proves("--type", "float64", "r.txt")

    def test_float32(self):
        """Distances are compared as they are with a limit that no float32 number is."""
        self.write("graphFile.txt", "3 2\n0 1 0.1\n1 2 0.25\n")
        for limit, reached in (("0.1", 1), ("0.1000000014", 1), ("0.10000000149011612", 2),
                               ("0.349999994", 2), ("0.35", 3)):
            for variant in ("johnson", "multisource", "blocked"):
                with self.subTest(limit=limit, variant=variant):
                    self.succeeds("cpu", "--variant", variant, "--type", "float32", "--limit",
                                  limit, "--format", "npy", "-o", "r")
                    row = numpy.load(self.path("r.dist.npy"))[0]
                    self.assertEqual(numpy.isfinite(row).sum(), reached)
                    self.assertEqual(json.loads(self.read("r.json"))["limit"], float(limit))
                    self.proves("--type", "float32", "r")

    def test_measures(self):
        """They record the limit, and are proved by it."""
        for index in range(8):
            graph = self.graph()
            matrix = self.matrix(graph)
            limit = self.limit(csgraph.dijkstra(matrix))
            near = csgraph.dijkstra(matrix, limit=limit)
            with self.subTest(graph=graph, limit=limit):
                self.succeeds("apsp", "--measures=m", "--type", "float64", "--limit", repr(limit))
                found = json.loads(self.read("m.json"))
                self.assertEqual(found["limit"], limit)
                self.assertEqual(found["pairs_without_path"], numpy.isinf(near).sum())
                self.proves("--type", "float64", "m")
                farthest = float(near[numpy.isfinite(near)].max())
                below = float(numpy.nextafter(farthest, 0))
                self.write("m.json", json.dumps({**found, "limit": below}))
                if farthest > 0:
                    self.fails(REFUTED, "m is refuted", "verify", "--type", "float64", "m")

    def test_changed(self):
        """A result with another limit is refuted by the pair between both."""
        self.write("graphFile.txt", "3 2\n0 1 0.1\n1 2 0.25\n")
        self.succeeds("cpu", "--limit", "0.3", "-o", "r.txt")
        text = self.read("r.txt").decode()
        self.assertIn("\nlimit = 0.3\n", text)
        for limit, expected in (
                ("0.2", "check (a): distance from 1 to 2 is 0.25, larger than the limit of 0.2"),
                ("0.35", "check (c): 2 is given as unreachable from 0 within the limit, but 1 is")):
            self.write("r.txt", text.replace("limit = 0.3", "limit = " + limit))
            self.fails(REFUTED, expected, "verify", "r.txt")
        self.write("r.txt", text)
        out = self.succeeds("verify", "r.txt", "--path", "0", "2").out.decode()
        self.assertIn("exact up to the limit of 0.3\nno path from 0 to 2 up to the limit of 0.3\n",
                      out)
        answer = json.loads(self.succeeds("verify", "r.txt", "--json").out)
        self.assertEqual(answer["result_limit"], 0.3)

    def test_resumed(self):
        """Rows are kept for the limit that they were solved up to."""
        self.write("graphFile.txt", "3 2\n0 1 0.1\n1 2 0.25\n")
        for _ in range(2):
            self.succeeds("cpu", "--variant", "johnson", "--limit", "0.3", "--format", "npy", "-o",
                          "r", "--resume")
            self.assertEqual(json.loads(self.read("r.json"))["limit"], 0.3)


class Measures(Limits):

    def measure(self, *options):
        self.succeeds("apsp", "--measures=m", *options)
        rows = list(csv.DictReader(io.StringIO(self.read("m.csv").decode("ascii"))))
        return ([{name: number(value) for name, value in row.items()} for row in rows],
                json.loads(self.read("m.json")))

    def test_measures(self):
        """They are those of the pairs within the limit, and none of the graph."""
        rng = random.Random(5)
        for index in range(20):
            graph = random_graph(rng)
            dist = distances_of(graph)
            limit = rng.choice(limits(rng, dist))
            with self.subTest(index=index, graph=graph, limit=limit):
                self.write("graphFile.txt", graph)
                rows, found = self.measure("--limit", str(limit), *["--check"] * (index % 2))
                near = [[d for d in row if d is not None] for row in within(dist, limit)]
                for v, row in enumerate(rows):
                    expected = defined(near[v], graph.n, "out_" if found["directed"] else "")
                    self.assertEqual({name: row[name] for name in expected}, expected)
                self.assertEqual(found["limit"], limit)
                self.assertEqual(found["pairs_without_path"], graph.n**2 - sum(map(len, near)))
                self.assertEqual(found["distance_sum"], sum(map(sum, near)))
                self.assertEqual([name for name in found if name in OF_GRAPH or "connected" in name],
                                 [])
                self.assertRegex(self.proves("m").out.decode(), "up to the limit of %d$" % limit)

    def test_changed(self):
        """The limit is part of what is proved, and nothing is said of the graph."""
        _, found = self.measure("--limit", "5")
        answer = json.loads(self.succeeds("verify", "m", "--json").out)
        self.assertEqual((answer["verdict"], answer["limit"]), ("proved", 5))
        for limit in (4, 6, INF, None):
            changed = {**found, "limit": limit}
            if limit is None:
                del changed["limit"]
            self.write("m.json", json.dumps(changed))
            self.fails(REFUTED, "m is refuted", "verify", "m")
        for limit in (5.0, 5.5):  # integers are rounded down
            self.write("m.json", json.dumps({**found, "limit": limit}))
            self.proves("m")
        for limit in (-1, -0.5, "5", None, True):
            self.write("m.json", json.dumps({**found, "limit": limit}))
            self.fails(BAD_INPUT, 'm.json: expected "limit": a number of 0 or more', "verify", "m")
        for name in (*OF_GRAPH, "is_strongly_connected", "number_connected_components"):
            self.write("m.json", json.dumps({**found, name: 1}))
            self.fails(BAD_INPUT, 'expected no "%s" in measures of distances up to a limit' % name,
                       "verify", "m")


class Results(Limits):

    def test_text(self):
        """The line is behind that of the sources, and a result without it is one without a limit."""
        self.succeeds("cpu", "--limit", "5", "--sources", "2,0")
        text = self.read("output.txt").decode()
        self.assertTrue(text.startswith("|V| = 4, |E| = 5\n|S| = 2: 2 0\nlimit = 5\n\n"
                                        "INF\t5\t0\t2\n0\t5\tINF\tINF\n\n"), text)
        self.proves("output.txt")
        for old, new, expected in (
                ("limit = 5\n", "", "check (c): 2 is given as unreachable from 0, but"),
                ("= 5\n\n", "= 6\n\n", "check (c): 2 is given as unreachable from 0 within the"),
                ("= 5\n\n", "= 4\n\n", "check (a): distance from 2 to 1 is 5, larger than the")):
            self.write("changed.txt", text.replace(old, new, 1))
            self.fails(REFUTED, expected, "verify", "changed.txt")
        for same in ("limit = 5.0", "limit = 5.99", "limit=+5e0"):
            self.write("changed.txt", text.replace("limit = 5", same))
            self.proves("changed.txt")
        for wrong, found in (("limit", "'limit'"), ("limit = ", "the end of the line"),
                             ("limit = x", "'x'"), ("limit = -1", "'-1'"), ("limit = nan", "'nan'"),
                             ("limit = inf", "'inf'"), ("limit = 1e400", "'1e400'"),
                             ("limit = 5 6", "'6'"), ("limit 5", "'limit'")):
            self.write("changed.txt", text.replace("limit = 5", wrong))
            self.fails(BAD_INPUT, "changed.txt:3: expected 'limit = L' with L of 0 or more, found "
                       + found, "verify", "changed.txt")

    def test_npy(self):
        self.succeeds("cpu", "--limit", "5", "--format", "npy", "-o", "r")
        said = json.loads(self.read("r.json"))
        for limit, status, expected in (
                (4, REFUTED, "larger than the limit of 4"),
                (6, REFUTED, "within the limit"),
                (None, BAD_INPUT, 'r.json: expected "limit": a number of 0 or more'),
                (INF, REFUTED, "2 is given as unreachable from 0, but"),
                (-1, BAD_INPUT, 'expected "limit"')):
            self.write("r.json", json.dumps({**said, "limit": limit}))
            self.fails(status, expected, "verify", "r")
        answer = json.loads(self.run_program("verify", "r", "--json").out)
        self.assertEqual(answer["status"], BAD_INPUT)
        self.write("r.json", json.dumps(said))
        answer = json.loads(self.succeeds("verify", "r", "--json").out)
        self.assertEqual((answer["verdict"], answer["result_limit"]), ("proved", 5))

    def test_streamed(self):
        """A result that is written while it is computed records the limit, too."""
        n = 4200
        self.write("graphFile.txt", Graph(n, [(v, (v + 1) % n, 2) for v in range(n)]))
        self.succeeds("cpu", "--variant", "johnson", "-d", "--check", "--limit", "5", "--format",
                      "npy", "-o", "r", "--no-sync")
        self.assertEqual(json.loads(self.read("r.json"))["limit"], 5)
        self.proves("r")

    def test_paths(self):
        """A path beyond the limit was not looked for, which is said."""
        self.succeeds("cpu", "--limit", "5")
        out = self.succeeds("verify", "output.txt", "--path", "2", "1", "--from", "0").out.decode()
        self.assertIn("path from 2 to 1, distance 5, 2 edges:", out)
        self.assertIn("paths from 0 up to the limit of 5:\n0\tdistance 0\t0\n"
                      "1\tdistance 5\t0 -> 1\n2\tno path\n3\tno path\n", out)
        out = self.succeeds("verify", "output.txt", "--path", "0", "3").out.decode()
        self.assertIn("no path from 0 to 3 up to the limit of 5\n", out)
        out = self.succeeds("verify", "output.txt", "--from", "0", "--dot", "-q").out.decode()
        self.assertIn("shortest paths from 0 up to the limit of 5; not reached: 2 of 4", out)

    def test_report(self):
        out = self.succeeds("cpu", "--limit", "5", "--check").out.decode()
        self.assertIn("\nlimit    5\n", out)
        self.assertIn("predecessors up to the limit of 5 are exact\n", out)
        answer = json.loads(self.succeeds("cpu", "--limit", "5", "--json").out)
        self.assertEqual(answer["limit"], 5)

    def test_rounded_down(self):
        """Integers up to 5.9 are those up to 5, and what is beyond all of them is no limit."""
        self.succeeds("cpu", "--limit", "5", "-o", "five.txt")
        five = self.read("five.txt").decode().split("#")[0]
        for value in ("5.0", "5.9", "+.5e1"):
            self.succeeds("cpu", "--limit", value)
            self.assertEqual(self.read("output.txt").decode().split("#")[0], five)
        for value in (str(INF), "1e300", "inf", "1e400"):
            answer = json.loads(self.succeeds("cpu", "--limit", value, "--json").out)
            self.assertIsNone(answer["limit"])
            self.assertNotIn("limit", self.read("output.txt").decode())

    def test_refused(self):
        for value in ("-1", "-0.5", "-inf", "nan", "x", "", "1.5x", "1,5"):
            self.fails(BAD_INPUT, "--limit: expected a number of 0 or more, found", "cpu",
                       "--limit", value)
        self.fails(BAD_INPUT, "--csv: timings are for all distances and cannot go with --limit",
                   "cpu", "--limit", "5", "--csv", "t.csv")
        self.write("graphFile.txt", "3 2\n0 1 9\n1 2 -5\n")
        for options in ([], ["--measures"], ["--variant", "johnson"], ["--variant", "dissection"]):
            self.fails(BAD_INPUT, "a limit of 5 on distances: expected weights of 0 or more, "
                       "found -5", "cpu", "--limit", "5", *options)
        # Nothing was written.
        self.assertEqual(self.files(), ["graphFile.txt"])
        self.succeeds("cpu")
        text = self.read("output.txt").decode()
        self.write("output.txt", text.replace("\n\n", "\nlimit = 5\n\n", 1))
        self.fails(BAD_INPUT, "a limit of 5 on distances: expected weights of 0 or more, found -5",
                   "verify", "output.txt")


if __name__ == "__main__":
    unittest.main()
