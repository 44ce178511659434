# SPDX-License-Identifier: MIT
"""Names of vertices: messages, paths and the command line have those of the graph's file, which
--vertices-from may say to begin with 0 or 1; results and --json count from 0."""

import csv
import gzip
import json
import unittest

from support import (BAD_INPUT, INT32_MAX, INT32_MIN, NEGATIVE_CYCLE, OK, REFUTED, SOLVERS, Graph,
                     ProgramTest, npy, npy_distances, solved)
from test_formats import in_format

# The number of the first vertex in the files of each format.
FIRST = {"text": 0, "wel": 0, "gr": 1, "mtx": 1}

# Options for files whose first vertex has another number (None: that of the format).
OPTIONS = [([], None), (["--vertices-from", "0"], 0), (["--vertices-from=1"], 1)]

FROM_1 = " (vertices are numbered from 1)"

# The end of a message on a distance that no int32 holds.
ADVICE = "; as int64 (--type int64), distances are exact up to 2^53"

# 3 reaches 0 by a heavy edge alone; 4 is reached by none; 2 has a loop that is dropped.
GRAPH = Graph(5, [(0, 1, 4), (1, 2, 5), (2, 2, 7), (2, 3, 0), (3, 2, 0), (3, 0, 20), (4, 0, 1)])


def numbered(template, first):
    """The template with {K} as the number of vertex K, and the remark that belongs to it."""
    vertices = [str(v + first) for v in range(GRAPH.n)]
    return template.format(*vertices) + (FROM_1 if first == 1 else "")


# Changes of the right answer to GRAPH: (matrix, i, j, value), and the refutation.
REFUTATIONS = [
    ([("dist", 1, 1, 3)], "check (a): distance from {1} to itself is 3, not 0"),
    ([("pred", 0, 1, 5)], "check (a): predecessor of ({0}, {1}) is 5 in the result, not a vertex"),
    ([("pred", 0, 1, -2)], "check (a): predecessor of ({0}, {1}) is -2 in the result, not a vertex"),
    ([("pred", 1, 1, 0)], "check (a): predecessor of ({1}, {1}) is {0}, not -1"),
    ([("pred", 0, 1, -1)],
     "check (a): distance from {0} to {1} is 4, but there is no predecessor"),
    ([("pred", 0, 4, 3)], "check (a): {4} is unreachable from {0}, but has predecessor {3}"),
    ([("pred", 0, 2, 2)], "check (b): predecessor of ({0}, {2}) is {2} itself, but no shortest path "
                          "uses an edge {2} -> {2}"),
    ([("pred", 0, 2, 0)],
     "check (b): predecessor of ({0}, {2}) is {0}, but there is no edge {0} -> {2}"),
    ([("pred", 1, 0, 4)],
     "check (b): predecessor of ({1}, {0}) is {4}, which is unreachable from {1}"),
    ([("dist", 0, 1, 3)], "check (b): distance from {0} to {1} is 3, but its predecessor {0} is at "
                          "distance 0 and edge {0} -> {1} weighs 4"),
    ([("pred", 0, 2, 3), ("pred", 0, 3, 2)],
     "check (b): predecessors of ({0}, {2}) run in a cycle through {2} and never reach {0}"),
    ([("dist", 0, 1, None), ("pred", 0, 1, -1)],
     "check (c): {1} is given as unreachable from {0}, but {0} is at distance 0 and edge {0} -> {1} "
     "weighs 4"),
    ([("dist", 0, 1, 5)], "check (c): distance from {0} to {1} is 5, but {0} is at distance 0 and "
                          "edge {0} -> {1} weighs 4"),
]

# Options of a solver, a graph, and why that has no answer.
UNSOLVABLE = [
    ("cpu", ["-v", "sequential"], [(0, 1, 2**29), (1, 2, 2**29)],
     "the distance from {0} to {2} is out of range: 1073741823 or more"),
    ("apsp", [], [(0, 1, 2**29), (1, 2, 2**29)],
     "the distance from {0} to {2} is out of range: 1073741823 or more"),
    ("cpu", ["-v", "blocked"], [(1, 2, -2**30)],
     "the distance from {1} to {2} is -1073741824, outside (-1073741823, 1073741823)"),
    # Reduced weights need 64 bits: refused by one, and searched by the other.
    ("cpu", ["-v", "sequential"], [(0, 1, INT32_MIN), (2, 1, INT32_MAX)],
     "with weights made non-negative, the distance from {2} to {1} is out of range: 1073741823 or "
     "more"),
    ("cpu", ["-v", "johnson"], [(0, 1, INT32_MIN), (2, 1, INT32_MAX)],
     "the distance from {0} to {1} is -2147483648, outside (-1073741823, 1073741823)"),
]


class NumberingTest(ProgramTest):

    def each(self):
        """Every format with every number of the first vertex: the format, the options that tell it,
        the number, and whether that must be remarked upon."""
        for name, natural in FIRST.items():
            for options, asked in OPTIONS:
                first = natural if asked is None else asked
                self.shift = first - natural
                if name != "wel":
                    yield name, options, first, first != 0
                elif asked is not None:
                    yield name, [], first, first != 0  # a list has the vertices that occur

    def write_graph(self, name, n, edges):
        moved = [(u + self.shift, v + self.shift, w) for u, v, w in edges]
        return self.write("g", in_format(name, n, moved))

    def refuses(self, status, message, program, *args, **how):
        """The message is all there is in the line behind the program's name."""
        finished = self.fails(status, message, program, *args, **how)
        self.assertEqual(finished.err.splitlines()[0], "%s: %s" % (program, message))


class Messages(NumberingTest):

    def test_negative_cycles(self):
        """All solvers: those without a GPU to solve on find it before they need one."""
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, 3, [(0, 1, 1), (1, 2, 1), (2, 1, -3), (1, 2, 5)])
                start = "no shortest paths: negative cycle of weight -2 and 2 edges: "
                cycles = [numbered(start + "{1} -> {2} -> {1}", first),
                          numbered(start + "{2} -> {1} -> {2}", first)]
                for program in SOLVERS:
                    error = self.fails(NEGATIVE_CYCLE, start, program, "g", *options).err
                    self.assertIn(error, ["%s: %s\n" % (program, cycle) for cycle in cycles])

    def test_distances_out_of_range(self):
        for name, options, first, _ in self.each():
            if name == "wel":
                continue  # its vertices are those that occur
            with self.subTest(format=name, options=options):
                for program, variant, edges, message in UNSOLVABLE:
                    self.write_graph(name, 3, edges)
                    self.refuses(BAD_INPUT, numbered(message, first) + ADVICE, program, "g", *variant,
                                 *options, "--type", "int32")

    def test_refutations(self):
        """Every reason; and the object of --json counts from 0."""
        right = solved(GRAPH)
        wrong = []
        for changes, message in REFUTATIONS:
            result = right.copy()
            for matrix, i, j, value in changes:
                getattr(result, matrix)[i][j] = value
            wrong.append((result, changes, message))
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                for result, changes, message in wrong:
                    self.write("r", result.text())
                    self.refuses(REFUTED, "r is refuted: " + numbered(message, first), "verify", "r",
                                 "-g", "g", *options)
                finished = self.run_program("verify", "r", "-g", "g", "--json", *options)
                refutation = json.loads(finished.out)["refutation"]
                self.assertEqual([refutation["i"], refutation["j"]], list(changes[0][1:3]))

    def test_refutations_without_predecessors(self):
        result = solved(GRAPH)
        result.pred = None
        result.notes = ["# predecessors: none"]
        for row in result.dist[:4]:
            row[4] = 1000
        self.write("r", result.text())
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                self.refuses(REFUTED, "r is refuted: " + numbered(
                    "check (b): no path of length 1000 leads from {0} to {4} over tight edges", first),
                             "verify", "r", "-g", "g", *options)

    def test_an_entry_that_only_npy_can_hold(self):
        result = solved(GRAPH)
        dist = npy_distances(result.dist)
        dist[2][3] = INT32_MAX
        self.write("r.dist.npy", npy(dist))
        self.write("r.json", '{"predecessors": false}')
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                self.refuses(REFUTED, "r.dist.npy is refuted: " + numbered(
                    "check (a): distance from {2} to {3} is 2147483647, outside (-1073741823, "
                    "1073741823)", first), "verify", "r.dist.npy", "-g", "g", *options)

    def test_the_file_is_read_by_its_own_numbers(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                if name == "wel":
                    continue  # which has no number of vertices that could be exceeded
                self.write_graph(name, 3, [(0, 1, 1), (1, 3, 1)])
                self.fails(BAD_INPUT, "expected the head v in %d .. %d, found '%d'"
                           % (first, first + 2, first + 3), "cpu", "g", *options)
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                self.succeeds("cpu", "g", "-o", "r", *options)
                self.assertEqual(self.result("r").dist, solved(GRAPH).dist)


class CommandLine(NumberingTest):

    def setUp(self):
        super().setUp()
        self.write("r", solved(GRAPH).text())

    def test_path(self):
        for name, options, first, remarked in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                said = self.proves("r", "-g", "g", "--path", first, first + 2, *options).out.decode()
                expected = ["path from {0} to {2}, distance 9, 2 edges:",
                            "{0} -> {1}\tweight 4\tdistance 4", "{1} -> {2}\tweight 5\tdistance 9"]
                expected = [numbered(line, first).replace(FROM_1, "") for line in expected]
                if remarked:
                    expected.insert(0, "vertices are numbered from %d, as in g" % first)
                self.assertEqual(said.splitlines()[1:], expected)
                said = self.proves("r", "-g", "g", "-p", first, first + 4, *options).out.decode()
                self.assertTrue(said.endswith("\nno path from %d to %d\n" % (first, first + 4)), said)

    def test_trees(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                said = self.succeeds("verify", "r", "-g", "g", "-q", "--from", first, *options)
                expected = ["paths from {0}:", "{0}\tdistance 0\t{0}", "{1}\tdistance 4\t{0} -> {1}",
                            "{2}\tdistance 9\t{0} -> {1} -> {2}",
                            "{3}\tdistance 9\t{0} -> {1} -> {2} -> {3}", "{4}\tno path"]
                self.assertEqual(said.out.decode().splitlines(),
                                 [numbered(line, first).replace(FROM_1, "") for line in expected])

    def test_dot(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                said = self.succeeds("verify", "r", "-g", "g", "-q", "-f", first, "--dot", *options)
                expected = ['digraph "shortest paths from {0}" {{',
                            '    label="shortest paths from {0}; not reached: 1 of 5 vertices";',
                            '    {0} [label="{0}\\n0", shape=doublecircle];', '    {1} [label="{1}\\n4"];',
                            '    {2} [label="{2}\\n9"];', '    {3} [label="{3}\\n9"];',
                            '    {0} -> {1} [label="4"];', '    {1} -> {2} [label="5"];',
                            '    {2} -> {3} [label="0"];', '}}']
                self.assertEqual(said.out.decode().splitlines(),
                                 [numbered(line, first).replace(FROM_1, "") for line in expected])

    def test_dot_of_names(self):
        """Characters that quotes and labels of DOT take for their own are behind a backslash."""
        self.write("g", 'source,target,weight\n"a ""b"" \\",c\\n,4\n')
        self.succeeds("cpu", "g", "-o", "r", "-q")
        self.assertEqual(
            self.succeeds("verify", "r", "-g", "g", "-q", "-f", 'a "b" \\', "--dot").out.decode().splitlines(),
            [r'digraph "shortest paths from a \"b\" \\" {',
             r'    label="shortest paths from a \"b\" \\; not reached: 0 of 2 vertices";',
             r'    0 [label="a \"b\" \\\n0", shape=doublecircle];', r'    1 [label="c\\n\n4"];',
             r'    0 -> 1 [label="4"];', "}"])

    def test_vertices_that_the_graph_does_not_have(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                last, tail = first + GRAPH.n - 1, FROM_1 if first == 1 else ""
                pairs = [(first, last + 1), (last + 1, first), (INT32_MAX, first)]
                singles = [last + 1, INT32_MAX]
                if first == 1:
                    pairs += [(0, first), (first, 0)]
                    singles.append(0)
                for pair in pairs:
                    wrong = pair[0] if pair[0] != first else pair[1]
                    self.refuses(BAD_INPUT, "--path: expected vertices %d .. %d, found %d%s"
                                 % (first, last, wrong, tail), "verify", "r", "-g", "g",
                                 "--path", *pair, *options)
                for single in singles:
                    self.refuses(BAD_INPUT, "--from: expected vertices %d .. %d, found %d%s"
                                 % (first, last, single, tail), "verify", "r", "-g", "g", "--from",
                                 single, *options)
                self.proves("r", "-g", "g", "--path", last, last, "--from", last, *options)

    def test_answers_in_json_count_from_0(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                answer = json.loads(self.succeeds("verify", "r", "-g", "g", "--json", "--path", first + 1,
                                                  first + 3, "--from", first + 4, *options).out)
                self.assertEqual(answer["vertices_from"], first)
                self.assertEqual([(e["from"], e["to"]) for e in answer["path"]["edges"]],
                                 [(1, 2), (2, 3)])
                self.assertEqual((answer["path"]["from"], answer["path"]["to"]), (1, 3))
                self.assertEqual(answer["from"]["from"], 4)
                self.assertEqual([v["vertex"] for v in answer["from"]["vertices"]], list(range(5)))

    def test_neither_0_nor_1(self):
        self.write("graphFile.txt", GRAPH)
        for program, args in [(program, []) for program in SOLVERS] + [("verify", ["r"])]:
            for value in ("2", "-1", "", "01", "1 ", "one"):
                with self.subTest(program=program, value=value):
                    self.refuses(BAD_INPUT, "--vertices-from: expected 0 or 1, found '%s'" % value,
                                 program, "--vertices-from", value, *args)
        self.fails(BAD_INPUT, "--vertices-from", "graphgen", "--vertices-from", "1")


class Names(ProgramTest):
    """Vertices that are called by words, or by numbers with gaps."""

    def test_everything_speaks_them(self):
        self.write("w.csv", "from,to,length\nZagreb,\"Split, harbour\",3\n\"Split, harbour\",Rijeka,4\n")
        self.write("n.txt", "70000000001 5 3\n5 -8 4\n")
        for name, options, names in (("w.csv", [], ["Zagreb", "Split, harbour", "Rijeka"]),
                                     ("n.txt", ["-q"], ["-8", "5", "70000000001"])):
            order = names if name == "w.csv" else names[::-1]
            with self.subTest(name):
                self.speaks(name, options, names, order)

    def speaks(self, graph, options, names, order):
        """The names by vertex, and along the one path."""
        a, b, c = order
        quoted = ['"%s"' % each if "," in each else each for each in names]
        path = ["path from %s to %s, distance 7, 2 edges:" % (a, c), "%s -> %s\tweight 3\tdistance 3" % (a, b),
                "%s -> %s\tweight 4\tdistance 7" % (b, c)]
        self.succeeds("cpu", graph, "-o", "r.txt", "-q")
        self.succeeds("cpu", graph, "--format", "npy", "-o", "r", "-q")
        self.succeeds("cpu", graph, "--measures=m", "-q")
        self.succeeds("apsp", "--index", graph, "-o", "i", "-q")
        self.assertEqual(self.read("r.ids.txt").decode().splitlines(), names)
        self.assertEqual([row["id"] for row in csv.DictReader(self.read("m.csv").decode().splitlines())],
                         names)
        for result in ("r.txt", "r.dist.npy"):
            said = self.succeeds("verify", result, "-g", graph, "-q", "--path", a, c).out.decode()
            self.assertEqual(said.splitlines(), path)
        for result in ("m.csv", "i"):
            self.succeeds("verify", result, "-g", graph, "-q")
        self.assertEqual(self.succeeds("query", "i", "--path", "--", a, c).out.decode().splitlines(), path)
        self.write("pairs", "%s\t%s\n%s\t%s\n" % (a, c, c, a))
        self.assertEqual(self.succeeds("query", "i", "--pairs", "pairs").out, b"7\nINF\n")
        first = 0 if names == order else 2
        answer = json.loads(self.run_program("verify", "r.txt", "-g", graph, "--json", "--path", a, b).out)
        self.assertEqual((answer["path"]["from"], answer["path"]["from_id"]), (first, a))
        plain = [each for each in names if "," not in each]
        self.succeeds("cpu", graph, "-q", "--sources", ",".join(plain), "-o", "s.txt")
        self.assertEqual(self.read("s.txt").decode().splitlines()[1],
                         "|S| = %d: %s" % (len(plain), " ".join(str(names.index(each)) for each in plain)))
        table = self.succeeds("query", "i", "--table", ",".join(plain), "random:3:1").out.decode()
        self.assertEqual(table.splitlines()[0], "source," + ",".join(quoted))
        self.fails(BAD_INPUT, "expected one of the graph's 3 vertices", "verify", "r.txt", "-g", graph, "-q",
                   "--from", "nowhere")
        # A list of other names is refuted, or damaged.
        self.write("other.txt", self.read("r.txt").decode().replace("# id 1: ", "# id 1: x"))
        self.fails(REFUTED, "expected the names of the graph's vertices", "verify", "other.txt", "-g", graph,
                   "-q")
        self.write("r.ids.txt", self.read("r.ids.txt").decode()[:-1] + "x\n")
        self.fails(BAD_INPUT, "r.ids.txt: expected checksum", "verify", "r.dist.npy", "-g", graph, "-q")

    def test_blanks_inside_quotes(self):
        """They are a part of names, in graphs, tables and answers; around numbers they mean nothing."""
        self.write("g.csv", 'u,v,weight\n" a ",b, 1\na,b,"5 "\n b ," a ",4\n')
        self.write("pairs.csv", '" a ",b\nb," a "\na , b\n')
        self.succeeds("apsp", "g.csv", "--pairs", "pairs.csv", "-o", "p.csv", "-q")
        self.assertEqual(self.read("p.csv").decode().splitlines()[1:], ['" a ",b,1', 'b," a ",4', "a,b,5"])
        self.write("masses.csv", 'id,mass\n" a ",8\n b ,"0 "\n')
        self.succeeds("apsp", "g.csv", "--accessibility", "masses.csv", "--limits", "4.5", "-o", "near.csv", "-q")
        self.assertEqual([line.split(",")[1:] for line in self.read("near.csv").decode().splitlines()[1:]],
                         [['" a "', "8"], ["b", "8"], ["a", "0"]])
        self.succeeds("cpu", "g.csv", "-q")
        self.succeeds("verify", "-g", "g.csv", "output.txt", "-q")
        self.write("g.csv", 'u,v,weight\n" 5",7,3\n7,"5 ",4\n')
        self.write("pairs.csv", '" 7 ",5\n')
        self.succeeds("apsp", "g.csv", "--pairs", "pairs.csv", "-o", "p.csv", "-q")
        self.assertEqual(self.read("p.csv").decode().splitlines()[1:], ["7,5,4"])

    def test_longest(self):
        """A word has up to 4096 bytes, and in a list from a file a # within it."""
        word = "x" * 4096
        self.write("g", "a %s 3\n%s C#1 4\n" % (word, word))
        self.write("s", "C#1\na # b\n")
        self.succeeds("cpu", "g", "-q", "-o", "r", "--sources", "@s")
        lines = self.read("r").decode().splitlines()
        self.assertEqual((lines[1], lines[-2]), ("|S| = 2: 2 0", "# id 1: " + word))
        self.proves("r", "-g", "g")
        self.write("g", "C#1 %sx 3\n" % word)
        self.fails(BAD_INPUT, "of at most 4096 bytes, found 4097", "cpu", "g")

    def test_ranges(self):
        """A range of numbers that occur stands for those of it that do."""
        self.write("g", "10 20\n20 35\n35 41\n")
        for ends in "15-36", "20-35":
            self.succeeds("cpu", "g", "-q", "--sources", "41," + ends, "-o", "r")
            self.assertEqual(self.read("r").decode().splitlines()[1], "|S| = 3: 3 1 2")
        self.fails(BAD_INPUT, "found none numbered 21 .. 34", "cpu", "g", "-q", "--sources", "21-34")
        self.fails(BAD_INPUT, "found '15'", "cpu", "g", "-q", "--sources", "15")

    def test_notes(self):
        """They are lines of their own on stderr and in the answer; a failure comes alone."""
        self.write("g", "7 9\n9 12\n")
        note = "g: vertices are the 3 numbers that occur, of 0 .. 12"
        finished = self.run_program("cpu", "g")
        self.assertTrue(finished.err.startswith("cpu: note: " + note), finished.err)
        answer = json.loads(self.run_program("cpu", "g", "--json").out)
        self.assertEqual([line[:len(note)] for line in answer["graph_notes"]], [note])
        self.assertEqual(self.run_program("cpu", "g", "-q").err, "")
        self.write("g", "7 9\n9 12 8\n")
        self.fails(BAD_INPUT, "expected", "cpu", "g")


class Records(NumberingTest):
    """Numbers in what a solver says and writes: matrices do not change, what is beside them tells
    the numbering."""

    def test_reports(self):
        for name, options, first, remarked in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                line = "vertices numbered from %d, as in g; from 0 in the result" % first
                for program in ("cpu", "apsp"):
                    said = self.succeeds(program, "g", "-o", "r", *options).out.decode().splitlines()
                    self.assertEqual([text for text in said if text.startswith("vertices")],
                                     [line] if remarked else [])

    def test_standard_input_has_a_name(self):
        graph = in_format("gr", GRAPH.n, GRAPH.edges)
        for data in (graph.encode(), gzip.compress(graph.encode())):
            said = self.succeeds("cpu", "-", stdin=data).out.decode()
            self.assertIn("\nvertices numbered from 1, as in standard input; from 0 in the result\n", said)

    def test_text(self):
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                self.succeeds("cpu", "g", "-o", "r", *options)
                result = self.result("r")
                notes = [line for line in result.notes if "vertices" in line]
                self.assertEqual(notes, ["# vertices from: 1"] if first == 1 else [])
                self.assertEqual((result.dist, result.pred), (solved(GRAPH).dist, solved(GRAPH).pred))
                self.proves("r", "-g", "g", *options)

    def test_npy(self):
        matrices = set()
        for name, options, first, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                self.succeeds("cpu", "g", "--format", "npy", "-o", "r", *options)
                self.assertEqual(json.loads(self.read("r.json"))["vertices_from"], first)
                matrices.add(self.read("r.dist.npy") + self.read("r.pred.npy"))
                self.proves("r.dist.npy", "-g", "g", *options)
        self.assertEqual(len(matrices), 1)

    def test_the_graph_decides_not_the_result(self):
        """Which was made from another file of the same graph."""
        self.write("one.gr", in_format("gr", GRAPH.n, GRAPH.edges))
        self.write("zero.txt", GRAPH)
        for made, proved, first in (("one.gr", "zero.txt", 0), ("zero.txt", "one.gr", 1)):
            for options in ([], ["--format", "npy"]):
                self.succeeds("cpu", made, "-o", "r", *options)
                said = self.proves("r.dist.npy" if options else "r", "-g", proved, "--path", first,
                                   first + 1)
                self.assertIn("%d -> %d\t" % (first, first + 1), said.out.decode())

    def test_csv_and_json_are_the_same(self):
        answers = set()
        for name, options, _, _ in self.each():
            with self.subTest(format=name, options=options):
                self.write_graph(name, GRAPH.n, GRAPH.edges)
                finished = self.run_program("cpu", "g", "--json", "--csv", "t.csv", *options)
                self.assertEqual(finished.status, OK)
                answer = json.loads(finished.out)
                answers.add(tuple(str(answer[key]) for key in ("checksum", "vertices", "edges",
                                                               "weights", "outputs")))
        self.assertEqual(len(answers), 1)


if __name__ == "__main__":
    unittest.main()
