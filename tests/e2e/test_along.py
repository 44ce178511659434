# SPDX-License-Identifier: MIT
"""`--along`: sums of other columns along shortest paths, for pairs and rows, against Dijkstra's algorithm
on tuples."""

import csv
import heapq
import io
import json
import math
import random

from support import BAD_INPUT, ProgramTest, needs, optional

numpy, = optional("numpy")
CPU_VARIANTS = ("cpu:sequential", "cpu:blocked", "cpu:johnson", "cpu:multisource", "auto")


def least(edges, source, zones=()):
    """{vertex: (length, sums ...)}, of edges (tail, head, (weight, numbers ...)) of 0 or more, with the
    least of these tuples. No path leads through a zone."""
    found, heap = {}, [((0,) * len(edges[0][2]), source)]
    while heap:
        at, u = heapq.heappop(heap)
        if u in found:
            continue
        found[u] = at
        if u in zones and u != source:
            continue
        for tail, head, numbers in edges:
            if tail == u:
                heapq.heappush(heap, (tuple(map(sum, zip(at, numbers))), head))
    return found


def table(edges):
    """A CSV with columns of ends, minutes, kilometres and tolls."""
    return "source,target,minutes,km,toll\n" + "".join(
        "%s,%s,%s,%s,%s\n" % (u, v, *numbers) for u, v, numbers in edges)


class Along(ProgramTest):

    def pairs(self, *options):
        """{(source, target): the other fields}."""
        answer = json.loads(self.succeeds("apsp", *options, "--output", "out.csv", "--json",
                                          may_note="zones|left aside|both ways|pgRouting").out)
        rows = csv.DictReader(io.StringIO(self.read("out.csv").decode("ascii")))
        self.assertEqual(answer["along"], rows.fieldnames[3:])
        return {(row["source"], row["target"]): [float(row[name]) for name in rows.fieldnames[2:]]
                for row in rows}

    def expect(self, found, edges, vertices, zones=()):
        width = len(edges[0][2])
        for s in vertices:
            expected = least(edges, s, zones)
            for v in vertices:
                self.assertEqual(found[s, v], list(expected.get(v, (math.inf,) * width)), (s, v))

    def test_pairs(self):
        """Streets with many ties and parallel edges, of every engine and number of threads."""
        chance = random.Random(1)
        for number in range(24):
            undirected, unweighted = number % 2 == 1, number % 6 == 5
            vertices = ["v%d" % v for v in range(chance.randint(2, 12))]
            edges = [(chance.choice(vertices), chance.choice(vertices),
                      (chance.randint(0, 2) / (1, 4)[number % 4 // 2], chance.randint(0, 3) / 2,
                       chance.randint(0, 1)))
                     for _ in range(40)]
            vertices = sorted({end for edge in edges for end in edge[:2]})
            self.write("g.csv", table(edges))
            self.write("p.csv", "".join("%s,%s\n" % (s, v) for s in vertices for v in vertices))
            both = edges + [(v, u, numbers) for u, v, numbers in edges] * undirected
            if unweighted:
                both = [(u, v, (1, *numbers[1:])) for u, v, numbers in both]
            found = self.pairs(
                "g.csv", "--weight-column", "minutes", "--along", ("km,toll", "4,TOLL")[number % 2],
                "--pairs", "p.csv", "--check", "--threads", str(1 + number % 3), "--variant",
                CPU_VARIANTS[number % len(CPU_VARIANTS)], *["--undirected"] * undirected,
                *["--unweighted"] * unweighted)
            self.expect(found, both, vertices)

    def test_edges_of_a_row(self):
        """Columns belong to both edges that a row may be, and to weights that are rounded."""
        for text, options, expected in (
                ("source,target,cost,reverse_cost,km\na,b,1,2,5\nb,c,-1,3,7\nc,d,4,-1,9\n", (),
                 {"ab": (1, 5), "ba": (2, 5), "cb": (3, 7), "cd": (4, 9)}),
                ("source,target,weight,oneway,km\na,b,1,no,5\nb,c,2,yes,7\nc,d,4,-1,9\n", (),
                 {"ab": (1, 5), "ba": (1, 5), "bc": (2, 7), "dc": (4, 9)}),
                ("source,target,weight,km\na,b,0.1,5\nc,d,16777217,7\n", ("--type", "float32"),
                 {"ab": (.1, 5), "cd": (16777216, 7)}),
                ("source,target,weight,km\na,b,4,7\nd,c,3,5\n",
                 ("--type", "float32", "--weight-transform", "inverse"), {"ab": (.25, 7), "dc": (.33333334, 5)})):
            self.write("g.csv", text)
            pairs = [u + v for u, v in ("ab", "ba", "bc", "cb", "cd", "dc")]
            self.write("p.csv", "".join("%s,%s\n" % tuple(pair) for pair in pairs))
            found = self.pairs("g.csv", "--along", "km", "--pairs", "p.csv", *options)
            self.assertEqual({pair: tuple(found[tuple(pair)]) for pair in pairs},
                             {pair: expected.get(pair, (math.inf, math.inf)) for pair in pairs})

    def test_zones(self):
        """A TNTP network: no path leads through a zone, though it would be shorter."""
        chance = random.Random(2)
        for _ in range(6):
            links = [(u, v, (chance.randint(0, 3), chance.randint(0, 3)))
                     for u in range(1, 9) for v in range(1, 9) if chance.random() < 0.3 and u != v]
            self.write("net.tntp", "<NUMBER OF NODES> 8\n<FIRST THRU NODE> 4\n<NUMBER OF LINKS> %d\n"
                       "<END OF METADATA>\n" % len(links) +
                       "".join("%d\t%d\t1\t%d\t%d\t0\t0\t0\t0\t1\t;\n" % (u, v, numbers[1], numbers[0])
                               for u, v, numbers in links))
            self.write("p.csv", "".join("%d,%d\n" % (s, v) for s in range(1, 9) for v in range(1, 9)))
            found = self.pairs("net.tntp", "--along", "length", "--pairs", "p.csv", "--check")
            self.expect({(int(s), int(v)): row for (s, v), row in found.items()}, links, range(1, 9),
                        zones=(1, 2, 3))

    def test_attributes(self):
        """NetworkX's lists of edges."""
        self.write("g.edges", "a b {'weight': 1, 'km': 2.5, 'x y': 1}\nb c {'weight': 2, 'km': 4, 'x y': 0}\n")
        self.write("p.csv", "a,c\n")
        found = self.pairs("g.edges", "--along", "km,x y", "--pairs", "p.csv")
        self.assertEqual(found["a", "c"], [3, 6.5, 1])
        for columns, message in (("x" * 64, "a name of at most 63 bytes, found '" + "x" * 63 + "...'"),
                                 ("x" * 63, "expected an attribute '" + "x" * 63 + "' (--along), found none"),
                                 (",".join("abcdefghijklmnopq"), "expected at most 16 columns, found more")):
            self.fails(BAD_INPUT, message, "apsp", "g.edges", "--along", columns, "--pairs", "p.csv")

    def test_names(self):
        """A column that has the name of one of the table, and others that need quotes."""
        self.write("g.csv", 'source,target,w,distance,"a,""b","""c"""\n0,1,1,5,7,3\n')
        self.write("p.csv", "0,1\n")
        self.succeeds("apsp", "g.csv", "--weight-column", "w", "--along", "distance,5,6", "--pairs", "p.csv",
                      "-o", "out.csv", "-q")
        self.assertEqual(self.read("out.csv").decode(),
                         'source,target,distance,along_distance,"a,""b","""c"""\n0,1,1,5,7,3\n')

    def test_columns_that_have_no_names(self):
        """They are called by their numbers; rows of TNTP that end before one are refused."""
        self.write("g.csv", "0,1,5,7\n1,2,6,8\n0,2,20,1\n")
        self.write("p.csv", "0,2\n")
        self.succeeds("apsp", "g.csv", "--edge-columns", "1,2", "--weight-column", "3", "--along", "4", "--pairs", "p.csv",
                      "-o", "out.csv", "-q")
        self.assertEqual(self.read("out.csv").decode(), "source,target,distance,4\n0,2,11,15\n")
        self.write("net.tntp", "<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n"
                   "1\t3\t10\t2\t4\t0\t4\t0\t1\t1\t;\n3\t2\t10\t3\t;\n")
        self.fails(BAD_INPUT, "net.tntp:5: expected 9 columns, from init_node to toll, found 4", "apsp", "net.tntp",
                   "--weight-column", "length", "--along", "toll", "--pairs", "p.csv", "-o", "out.csv")

    @needs(NumPy=numpy)
    def test_rows(self):
        chance = random.Random(3)
        edges = [(chance.randrange(20), chance.randrange(20),
                  (chance.randint(0, 3), chance.randint(0, 3), chance.randint(0, 3))) for _ in range(90)]
        edges += [(v, v, (1, 1, 1)) for v in range(20)]  # all vertices occur
        self.write("g.csv", table(edges))
        options = ("g.csv", "--weight-column", "minutes", "--along", "km,toll", "--format", "npy", "--check",
                   "--json", "-o", "r")
        for given, rows, columns in (("--sources", "5,2", "--targets", "9,0,4"), (5, 2), (9, 0, 4)), (
                (), range(20), range(20)), (("--sources", "7,3"), (7, 3), range(20)):
            for program in "apsp", "cpu":
                said = json.loads(self.succeeds(program, *options, *given).out)
                self.assertIn("r.km.dist.npy", said["outputs"])
                for k, name in enumerate(("r.dist.npy", "r.km.dist.npy", "r.toll.dist.npy")):
                    cells = numpy.load(self.path(name)).astype(float)
                    for r, s in enumerate(rows):
                        expected = least(edges, s)
                        for c, v in enumerate(columns):
                            if v in expected:
                                self.assertEqual(cells[r, c], expected[v][k])
                            else:
                                self.assertIn(cells[r, c], (2**30 - 1, math.inf))
                self.assertEqual(json.loads(self.read("r.km.json"))["along"], "km")
        self.fails(BAD_INPUT, "found sums of the column 'km' along paths", "verify", "-q", "--graph", "g.csv",
                   "r.km", "--weight-column", "minutes")

    def test_refused(self):
        self.write("g.csv", "source,target,w,km\na,b,0,-1\nb,a,0,0\nb,c,1,x\n")
        self.write("h.csv", "source,target,w,km,a/b\na,b,0,-1,1\nb,a,0,0,1\n")
        self.write("p.csv", "a,b\n")
        self.write("t.txt", "2 1\n0 1 5\n")
        self.write("inf.csv", "source,target,w,km\na,b,0,inf\n")
        self.write("huge.csv", "source,target,w,km\na,b,0,1e308\nb,c,1,1\n")
        for options, message in (
                (("g.csv", "--pairs", "p.csv"), "g.csv:4: expected a finite number in the column 'km' "
                                                "(--along), found 'x'"),
                (("h.csv", "--pairs", "p.csv"), "columns along paths have no least sum"),
                (("inf.csv", "--pairs", "p.csv"), "expected a finite number in the column 'km'"),
                (("huge.csv", "--pairs", "p.csv"), "column 'km': expected finite numbers of which 3"),
                (("t.txt", "--pairs", "p.csv"), "expected a format whose edges have several numbers"),
                (("h.csv", "--index"), "found --along (an index has no paths"),
                (("h.csv", "--demand", "p.csv"), "found --along"),
                (("h.csv",), "--along: expected --format npy"),
                (("h.csv", "--measures"), "--along: expected no measures of the distances, found --measures"),
                (("h.csv", "--format", "npz", "-o", "x"), "--along: expected --format npy"),
                (("h.csv", "--format", "npy", "-o", "x", "--repeat", "2"), "--along: expected one solve"),
                (("h.csv", "--format", "npy", "-o", "x", "--resume"), "--along: expected all rows at once")):
            self.fails(BAD_INPUT, message, "apsp", "-q", *options, "--along", "km",
                       *["--weight-column", "w"] * (options[0] != "t.txt"))
        for columns, message in (("km,KM", "expected different columns, found 'km' twice"),
                                 ("kms", "expected a column 'kms' (--along) of"),
                                 ("source", "which is one of vertices"), ("", "expected a column ''")):
            self.fails(BAD_INPUT, message, "apsp", "-q", "h.csv", "--weight-column", "w", "--pairs", "p.csv",
                       "--along", columns)
        self.fails(BAD_INPUT, "expected a column with a name that a file can have", "cpu", "-q", "h.csv",
                   "--weight-column", "w", "--format", "npy", "-o", "x", "--along", "a/b")
        self.assertEqual(self.files(), ["g.csv", "h.csv", "huge.csv", "inf.csv", "p.csv", "t.txt"])
