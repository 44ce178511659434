# SPDX-License-Identifier: MIT
"""Options of the programs, and what each exit status means to a caller."""

import csv
import gzip
import io
import json
import os
import pty
import re
import subprocess
import unittest

from support import (BAD_INPUT, NEGATIVE_CYCLE, NO_RESOURCE, OK, PROGRAMS, REFUTED, SANITIZED, SOLVERS,
                     TIMEOUT_S, Graph, ProgramTest, npy_distances, parse_npy, parse_result, ring,
                     solved)

GRAPH = Graph(5, [(0, 1, 5), (0, 3, 2), (1, 2, 2), (2, 0, 3), (3, 2, 4), (3, 1, 1)])
NEGATIVE = Graph(2, [(0, 1, -4), (1, 0, 3)])


class Informative(ProgramTest):
    """--help, --version and --list-variants: on every program, GPU or not."""

    def test_help(self):
        for program in PROGRAMS:
            with self.subTest(program):
                finished = self.succeeds(program, "--help")
                text = finished.out.decode("utf-8")
                self.assertTrue(text.startswith("Usage: %s " % program), text[:60])
                self.assertIn("INDEX" if program == "query" else "graphFile.txt", text)
                self.assertIn("--version", text)
        self.assertEqual(self.files(), [])

    def test_help_of_solvers_names_defaults_and_exit_statuses(self):
        for program, output in SOLVERS.items():
            with self.subTest(program):
                text = self.succeeds(program, "--help").out.decode("utf-8")
                text = " ".join(text.split())
                self.assertIn("default %s)" % output, text)
                for status in ("0 done", "1 refuted", "2 usage", "3 negative cycle",
                               "4 out of memory"):
                    self.assertIn(status, text)

    def test_help_is_in_columns(self):
        """argp garbles some texts, depending on their lengths."""
        for program in PROGRAMS:
            lines = self.succeeds(program, "--help").out.decode("utf-8").splitlines()
            first = next(k for k, line in enumerate(lines) if line.startswith("  -"))
            for line in lines[min(first, lines.index("")) + 1:lines.index("      --usage                "
                                                                         "Give a short usage message")]:
                with self.subTest(program=program, line=line):
                    self.assertRegex(line, r"\A(\Z| {2}-\S, | {6}--| {20,}[^ -]| [A-Z][A-Za-z ]+:\Z)")

    def test_help_documents_the_options_tested_here(self):
        text = self.succeeds("cpu", "--help").out.decode("utf-8")
        for option in ("variant", "list-variants", "distances-only", "tile", "threads", "output",
                       "format", "check", "repeat", "csv", "device"):
            self.assertIn("--" + option, text)

    def test_version(self):
        for program in PROGRAMS:
            with self.subTest(program):
                out = self.succeeds(program, "--version").out.decode("ascii")
                self.assertRegex(out, r"^%s \d+\.\d+\.\d+\n$" % program)

    def test_list_variants(self):
        for program in SOLVERS:
            with self.subTest(program):
                lines = self.succeeds(program, "--list-variants").out.decode("utf-8").splitlines()
                names = [line.split()[0] for line in lines]
                self.assertEqual(len(set(names)), len(names))
                self.assertEqual(sum(line.endswith("[default]") for line in lines), 1)
        self.assertIn("sequential", self.succeeds("cpu", "--list-variants").out.decode("utf-8"))


class Usage(ProgramTest):
    """Command lines that make no sense: exit 2, one line, and nothing done."""

    CASES = [
        # program, arguments, part of the message
        ("cpu", ["--variant", "nope"], "nope"),
        ("cpu", ["--variant", ""], "--variant"),
        ("cuda_simple", ["--variant", "sequential"], "sequential"),
        ("cuda_blocked", ["--variant", "nope"], "expected thesis, pivot, "),
        ("cpu", ["--variant", "sequential", "--tile", "16"], "--tile"),
        ("cuda_simple", ["--tile", "16"], "--tile"),
        ("cuda_blocked", ["--variant", "thesis", "--tile", "33"], "32"),
        ("cuda_blocked", ["--tile", "0"], "--tile"),
        ("cuda_blocked", ["--tile", "x"], "'x'"),
        ("cuda_simple", ["--variant", "naive"], "--distances-only"),
        ("cpu", ["--threads", "0"], "--threads"),
        ("cpu", ["--threads", "-1"], "--threads"),
        ("cpu", ["--threads", "2x"], "'2x'"),
        ("cpu", ["--threads", ""], "--threads"),
        ("cpu", ["--threads", "99999999999999999999"], "--threads"),
        ("cpu", ["--repeat", "0"], "--repeat"),
        ("cpu", ["--repeat", "1.5"], "--repeat"),
        ("cpu", ["--device", "-1"], "--device"),
        ("cpu", ["--devices", "0,"], "'0,'"),
        ("cpu", ["--devices", "0,1,0"], "'0,1,0'"),
        ("cpu", ["--devices", "0-1"], "'0-1'"),
        ("cpu", ["--devices", ""], "--devices"),
        ("cpu", ["--format", "xml"], "xml"),
        ("cpu", ["--format", "npy", "-o", "-"], "npy"),
        ("cpu", ["--format", "npy", "-o", ""], "--output: expected the name of a file, found ''"),
        ("cpu", ["--measures="], "--measures: expected the name of a file, found ''"),
        ("cpu", ["--no-such-option"], "--no-such-option"),
        ("cpu", ["-z"], "z"),
        ("cpu", ["--output"], "output"),
        ("cpu", ["graphFile.txt", "second.txt"], "second.txt"),
        ("verify", [], "expected a result"),
        ("verify", ["output.txt", "second.txt"], "second.txt"),
        ("verify", ["--threads", "0", "output.txt"], "--threads"),
        ("verify", ["output.txt", "--path", "0"], "--path"),
        ("verify", ["--path", "0", "output.txt"], "expected a result file"),
        ("verify", ["output.txt", "--path", "0", "-1"], "-1"),
    ]

    def test_table(self):
        self.write("graphFile.txt", GRAPH)
        before = self.files()
        for program, args, expected in self.CASES:
            with self.subTest(program=program, args=args):
                finished = self.fails(BAD_INPUT, expected, program, *args)
                self.assertEqual(finished.out, b"")
                self.assertEqual(self.files(), before)

    def test_values_to_their_ends(self):
        """A number with anything behind it, or none, is refused by every option that --help says takes one."""
        self.write("graphFile.txt", GRAPH)
        others = {"cpu": [], "apsp": ["--accessibility", "t"], "verify": ["r"], "query": ["i", "0", "1"],
                  "graphgen": ["--v", "9"]}
        numbers = {"N", "L", "B", "K", "S", "D", "E", "M", "SECONDS", "auto|off|SPACING", "LO:HI", "0|1", "2|3",
                   "K|K:COLUMN", "T", "SHARE"}
        right = {"LO:HI": "1:2", "SECONDS": "1"}
        families = {"degree": "knn", "dimensions": "knn", "cut-exponent": "road", "towns": "road",
                    "one-way": "road"}
        seen = set()
        for program, more in others.items():
            text = self.succeeds(program, "--help").out.decode()
            for name, value in re.findall(r"--([a-z-]+)\[?=([^ \]\n,]+)", text):
                if name == "vertices" or value not in numbers and name not in ("decays", "limits"):
                    continue  # the former is called --v in messages
                seen.add(name)
                family = ["--family", families[name]] if name in families else []
                first = right.get(value, "2")
                for wrong in first + "x", first + " 3", "x" + first, "", first + ",", "nan":
                    with self.subTest(program=program, option=name, value=wrong):
                        done = self.run_program(program, *more, *family, "--%s=%s" % (name, wrong))
                        self.assertEqual(done.status, BAD_INPUT, done.err)
                        self.assertIn("--" + name, done.err.splitlines()[0])
        self.assertTrue(seen > {"limit", "grid", "scale", "threads", "weights", "seed", "nearest", "sample"}, seen)

    def test_two_columns_are_two(self):
        """One column twice, by its name or its number, is no pair of ends, with a weight beside it or without."""
        self.write("t.csv", "u,v,w\n0,1,5\n")
        for twice in ("1,1", "u,u", "2,2", "1", "u,v,w"):
            for weight in [], ["--weight-column", "w"]:
                with self.subTest(twice=twice, weight=weight):
                    self.fails(BAD_INPUT, "--edge-columns: expected two columns", "cpu", "t.csv", "--edge-columns", twice,
                               "--input-format", "csv", *weight)

    def test_message_is_one_line_whatever_option_value_was_typed(self):
        self.fails(BAD_INPUT, "--variant: expected sequential, blocked, ", "cpu", "--variant",
                   "two\nlines")
        self.fails(BAD_INPUT, "--variant: expected cpu:multisource, cuda_sparse:multisource, found "
                   "'multisource'", "apsp", "--variant", "multisource")
        self.fails(BAD_INPUT, "--variant: expected one of those that --list-variants lists", "apsp",
                   "--variant", "fastest")
        self.fails(BAD_INPUT, "expected an integer", "cpu", "--threads", "two\nlines")

    def test_message_is_one_line_whatever_file_was_named(self):
        self.fails(BAD_INPUT, "cannot open two?lines", "cpu", "two\nlines")
        self.write("graphFile.txt", GRAPH)
        self.fails(NO_RESOURCE, "cannot write two?lines/x", "cpu", "-o", "two\nlines/x")


class ExitStatuses(ProgramTest):
    """Every exit status of DESIGN.md, section 3, by the program that gives it."""

    def test_each(self):
        self.write("graphFile.txt", GRAPH)
        self.write("cycle.txt", Graph(2, [(0, 1, 1), (1, 0, -2)]))
        self.write("far.txt", Graph(3, [(0, 1, 2**29), (1, 2, 2**29)]))
        self.write("broken.txt", "5 1\n0 1\n")
        self.write("huge.txt", "2000000000 0\n")
        self.succeeds("cpu", "-o", "right.txt")
        wrong = self.result("right.txt")
        wrong.dist[0][2] += 1
        self.write("wrong.txt", wrong.text())
        self.write("cut.txt", self.read("right.txt")[:40])
        for status, message, program, *args in (
                (OK, "", "cpu", "--check"),
                (OK, "", "verify", "right.txt"),
                (OK, "", "graphgen", "--v", "3", "--density", "50%", "-o", "-"),
                (REFUTED, "wrong.txt is refuted: check (", "verify", "wrong.txt"),
                (BAD_INPUT, "nope", "cpu", "--variant", "nope"),
                (BAD_INPUT, "broken.txt:1: ", "cpu", "broken.txt"),
                (BAD_INPUT, "broken.txt:1: ", "verify", "-g", "broken.txt", "right.txt"),
                (BAD_INPUT, "cannot open absent.txt: No such file", "cpu", "absent.txt"),
                (BAD_INPUT, "cannot open absent.txt: No such file", "verify", "absent.txt"),
                (BAD_INPUT, "cut.txt", "verify", "cut.txt"),
                (BAD_INPUT, "distance from 0 to 2 is out of range", "cpu", "far.txt",
                 "--type", "int32"),
                (BAD_INPUT, "--density", "graphgen", "--v", "3", "--density", "2"),
                (NEGATIVE_CYCLE, "negative cycle of weight -1", "cpu", "cycle.txt"),
                (NO_RESOURCE, "huge.txt: 2000000000 vertices need", "cpu", "huge.txt"),
                (NO_RESOURCE, "huge.txt: 2000000000 vertices need", "verify", "-g", "huge.txt",
                 "right.txt"),
                (NO_RESOURCE, "cannot write absent/out.txt: No such file", "cpu", "-o",
                 "absent/out.txt"),
                (NO_RESOURCE, "cannot write /dev/full: No space", "graphgen", "--v", "3",
                 "--edges", "2", "-o", "/dev/full")):
            with self.subTest(status=status, program=program, args=args):
                if status == OK:
                    self.succeeds(program, *args)
                else:
                    self.fails(status, message, program, *args)


class Threads(ProgramTest):
    """Threads that the system refuses: found before OpenMP would end the program."""

    @unittest.skipIf(SANITIZED, "sanitizers have stacks of their own")
    def test_refused(self):
        env = {"OMP_STACKSIZE": "100000G", "OMP_NUM_THREADS": "3"}
        self.write("graphFile.txt", Graph(3, [(0, 1, 2), (1, 2, 2)]))
        self.succeeds("cpu", "-o", "r")
        self.succeeds("apsp", "--index", "-o", "i")
        for args in (["cpu", "-o", "new"], ["apsp", "--measures"], ["apsp", "--index", "-o", "new"],
                     ["verify", "r"], ["verify", "i"], ["query", "i", "--measures"],
                     ["query", "i", "--table", "0-2", "0-2"]):
            with self.subTest(args):
                done = self.run_program(*args, "-t", 3, env=env)
                self.assertEqual(done.status, NO_RESOURCE)
                self.assertRegex(done.err, r"\A%s: cannot start 3 threads: [^\n:]* \(expected at most "
                                           r"--threads \d\)\n\Z" % args[0])
                self.assertEqual(self.files(), ["graphFile.txt", "i", "r"])
                done = self.run_program(*args, env=env)
                self.assertEqual(done.status, OK)
                self.assertRegex(done.err, r"\A%s: note: \d threads? instead of 3, because [^\n]*\n\Z"
                                 % args[0])
                self.succeeds(*args, "-q", env=env)
                if "new" in args:
                    os.remove(self.path("new"))


class Output(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def test_output_file(self):
        for option in (["-o", "a.txt"], ["--output", "a.txt"], ["--output=a.txt"]):
            with self.subTest(option):
                self.succeeds("cpu", *option)
                self.assertEqual(self.files(), ["a.txt", "graphFile.txt"])
                self.proves("a.txt")

    def test_nobody_asked_for_a_large_file(self):
        """A text result of more than 64 MiB is refused before it is computed, unless it was asked for."""
        self.write("graphFile.txt", ring(3000))
        for program, output in (("cpu", "output.txt"), ("apsp", "output_apsp.txt")):
            self.fails(BAD_INPUT, "%s would take about 85.8 MiB: expected --output %s to write it all "
                       "the same, or something smaller: --measures, --sources LIST, --format npy "
                       "--output PREFIX" % (output, output), program)
            self.assertEqual(self.files(), ["graphFile.txt"])
            self.succeeds(program, "--sources", "0-9", *["-v", "johnson"][:2 * (program == "cpu")])
            self.assertEqual(self.files(), sorted(["graphFile.txt", output]))
            os.remove(self.path(output))
        for options in (["-o", "/dev/null"], ["--format", "none"]):
            self.succeeds("cpu", "-v", "johnson", *options)

    def test_graph_that_nobody_named(self):
        os.remove(self.path("graphFile.txt"))
        for program, how in (("cpu", "cpu GRAPH"), ("apsp", "apsp GRAPH"), ("verify", "--graph FILE")):
            self.fails(BAD_INPUT, "cannot open graphFile.txt: No such file or directory (name the "
                       "graph: %s)" % how, program, *["r"][:program == "verify"])
        done = self.fails(BAD_INPUT, "cannot open absent: No such file or directory", "cpu", "absent")
        self.assertNotIn("name the graph", done.err)

    def test_output_in_another_directory(self):
        os.mkdir(self.path("sub"))
        self.succeeds("cpu", "-o", "sub/a.txt")
        self.assertEqual(os.listdir(self.path("sub")), ["a.txt"])
        self.proves("sub/a.txt")

    def test_stdout_gets_the_result_alone(self):
        finished = self.run_program("cpu", "-o", "-")
        self.assertEqual(finished.status, OK)
        self.assertEqual(parse_result(finished.out).dist, solved(GRAPH).dist)
        self.assertIn("solve_s", finished.err)
        self.assertEqual(self.files(), ["graphFile.txt"])
        self.proves("-", stdin=finished.out)

    def test_graph_from_stdin(self):
        os.remove(self.path("graphFile.txt"))
        for name, data in (("text", GRAPH.text().encode()),
                           ("gzip", gzip.compress(GRAPH.text().encode()))):
            with self.subTest(name):
                self.succeeds("cpu", "-", stdin=data)
                self.assertEqual(self.result().dist, solved(GRAPH).dist)
                self.proves("-g", "-", "output.txt", stdin=data)
        self.fails(BAD_INPUT, "standard input:1: ", "cpu", "-", stdin="x\n")
        self.fails(BAD_INPUT, "standard input", "cpu", "-", stdin="")

    def test_stdin_is_read_once(self):
        self.write("graphFile.txt", GRAPH)
        for program, read, *args in (
                ("cpu", "graph", "-", "--sources", "@-"), ("cpu", "graph", "-", "--targets", "@-"),
                ("cpu", "list of --sources", "--sources", "@-", "--targets", "@-"),
                ("apsp", "graph", "-", "--pairs", "-"), ("apsp", "graph", "-", "--demand", "-"), ("apsp", "graph", "-", "--gravity", "-"),
                ("apsp", "graph", "-", "--accessibility", "-", "--limits", "1"),
                ("apsp", "table", "--accessibility", "-", "--limits", "1", "--sources", "@-"),
                ("verify", "result", "-", "--graph", "-")):
            self.fails(BAD_INPUT, "expected a file, found standard input, from which the %s is read" % read,
                       program, *args, stdin="0,1\n")

    def test_graph_name_with_a_directory_and_blanks(self):
        os.mkdir(self.path("a b"))
        self.write("a b/my graph.txt", GRAPH)
        self.succeeds("cpu", "a b/my graph.txt")
        self.assertEqual(self.result().note("graph"), "a b/my graph.txt")
        self.proves("--graph", "a b/my graph.txt", "output.txt")

    def test_graph_name_that_looks_like_an_option(self):
        self.write("-graph", GRAPH)
        self.succeeds("cpu", "--", "-graph")
        self.proves("--graph=-graph", "output.txt")

    def test_distances_only(self):
        for option in ("--distances-only", "-d"):
            self.succeeds("cpu", option)
            result = self.result()
            self.assertIsNone(result.pred)
            self.assertEqual(result.notes[0], "# predecessors: none")
            self.assertEqual(result.dist, solved(GRAPH).dist)
            self.proves("output.txt")

    def test_check(self):
        finished = self.succeeds("cpu", "--check")
        self.assertRegex(finished.out.decode(), r"(?m)^checked +proved: .*predecessors")
        finished = self.succeeds("cpu", "--check", "--distances-only")
        self.assertRegex(finished.out.decode(), r"(?m)^checked +proved: all distances are exact$")
        self.assertNotIn(b"checked", self.succeeds("cpu").out)

    def test_default_variant_by_name_gives_the_same_matrices(self):
        self.succeeds("cpu", "-o", "a.txt")
        self.succeeds("cpu", "--variant", "sequential", "-o", "b.txt")
        self.assertEqual(self.result("a.txt").matrices_text(), self.result("b.txt").matrices_text())

    def test_every_cpu_variant(self):
        self.succeeds("graphgen", "--v", 70, "--density", "6%", "--weights", "-3:20",
                      "--no-negative-cycle")
        listed = self.succeeds("cpu", "--list-variants").out.decode("utf-8").splitlines()
        self.succeeds("cpu", "--variant", "sequential")
        expected = self.result().dist
        for variant in (line.split()[0] for line in listed):
            for options in ([], ["--distances-only"]):
                with self.subTest(variant=variant, options=options):
                    self.succeeds("cpu", "--variant", variant, "-o", "v.txt", *options)
                    self.assertEqual(self.result("v.txt").dist, expected)
                    self.proves("v.txt")

    def test_options_after_the_graph(self):
        self.write("g.txt", GRAPH)
        self.succeeds("cpu", "g.txt", "-o", "a.txt", "-d")
        self.assertIsNone(self.result("a.txt").pred)

    def test_checksum_is_of_the_graph_not_of_the_file(self):
        self.succeeds("cpu", "-o", "a.txt")
        edges = list(reversed(GRAPH.edges)) + [(4, 4, 7), (0, 1, 99)]
        text = Graph(GRAPH.n, edges).text().replace("\n", "\r\n")
        self.write("other.gz", gzip.compress(text.encode()))
        self.succeeds("cpu", "other.gz", "-o", "b.txt")
        a, b = self.result("a.txt"), self.result("b.txt")
        self.assertEqual(a.note("graph checksum"), b.note("graph checksum"))
        self.assertEqual((a.m, b.m), (6, 8))
        told = self.run_program("verify", "-g", "other.gz", "a.txt")
        self.assertEqual((told.status, told.err), (OK, "verify: note: a.txt: made for a graph with "
                                                       "|E| = 6; other.gz has 8\n"))


class Npy(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", NEGATIVE)

    def test_no_files_on_failure(self):
        self.fails(NEGATIVE_CYCLE, "negative cycle", "cpu", "--format", "npy", "-o", "r")
        self.assertEqual(self.files(), ["graphFile.txt"])

    def test_holds_what_the_text_holds(self):
        for n in (1, 2, 63, 130):
            self.succeeds("graphgen", "--v", n, "--density", "2.5%")
            self.succeeds("cpu")
            self.succeeds("cpu", "--format", "npy", "-o", "r")
            self.assertEqual(self.files(), ["graphFile.txt", "output.txt", "r.dist.npy", "r.json",
                                            "r.pred.npy"])
            text = self.result()
            self.assertEqual(parse_npy(self.read("r.dist.npy")), npy_distances(text.dist))
            self.assertEqual(parse_npy(self.read("r.pred.npy")), text.pred)
            self.proves("r.dist.npy")

    def test_json_beside_it(self):
        self.write("graphFile.txt", GRAPH)
        self.succeeds("cpu")
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        made = json.loads(self.read("r.json").decode("utf-8"))
        self.assertEqual(made["graph_checksum"], self.result().note("graph checksum"))
        self.assertEqual(
            {key: made.get(key) for key in ("vertices", "edges", "predecessors", "program",
                                            "variant", "graph")},
            {"vertices": 5, "edges": 6, "predecessors": True, "program": "cpu",
             "variant": "sequential", "graph": "graphFile.txt"})
        self.assertTrue(0 <= made["solve_s"] <= made["total_s"] < 60)

    def test_distances_only_removes_the_predecessors_of_an_older_result(self):
        self.write("graphFile.txt", GRAPH)
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        self.succeeds("cpu", "--format", "npy", "-o", "r", "--distances-only")
        self.assertEqual(self.files(), ["graphFile.txt", "r.dist.npy", "r.json"])
        self.assertIs(json.loads(self.read("r.json").decode())["predecessors"], False)
        self.proves("r.dist.npy")

    def test_json_is_valid_whatever_the_graph_is_called(self):
        names = ["quote\".txt", "back\\slash.txt", "tab\t.txt", "\u0161uma.txt", "x" * 250]
        for name in names:
            with self.subTest(name):
                self.write(name, GRAPH)
                self.succeeds("cpu", name, "--format", "npy", "-o", "r")
                made = json.loads(self.read("r.json").decode("utf-8"))
                self.assertIn(made["graph"], (name, name.replace("\t", "?")))
                self.proves("-g", name, "r.dist.npy")

    def test_json_is_valid_for_a_name_that_is_not_utf_8(self):
        name = b"g\xff.txt"
        try:
            with open(os.path.join(os.fsencode(self.directory), name), "wb") as file:
                file.write(GRAPH.text().encode())
        except OSError as reason:
            self.skipTest("the file system refuses the name: %s" % reason)
        self.succeeds("cpu", os.fsdecode(name), "--format", "npy", "-o", "r")
        json.loads(self.read("r.json").decode("utf-8"))
        self.proves("-g", os.fsdecode(name), "r.dist.npy")


class Timings(ProgramTest):

    COLUMNS = ["program", "variant", "graph", "vertices", "edges", "checksum", "predecessors",
               "threads", "tile", "device", "checked", "repetition", "solve_s", "total_s",
               "transfer_s"]

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def rows(self):
        reader = csv.DictReader(io.StringIO(self.read("times.csv").decode("utf-8"), newline=""),
                                strict=True)
        rows = list(reader)
        self.assertEqual(reader.fieldnames, self.COLUMNS)
        for row in rows:
            self.assertNotIn(None, row, "too many fields")
            self.assertNotIn(None, row.values(), "too few fields")
        return rows

    def test_one_row_for_each_repetition(self):
        self.succeeds("cpu", "--repeat", 3, "--csv", "times.csv")
        rows = self.rows()
        self.assertEqual([row["repetition"] for row in rows], ["1", "2", "3"])
        for row in rows:
            self.assertEqual(
                [row[key] for key in self.COLUMNS[:11]],
                ["cpu", "sequential", "graphFile.txt", "5", "6",
                 self.result().note("graph checksum"), "1", "1", "0", "", "0"])
            self.assertTrue(0 <= float(row["solve_s"]) <= float(row["total_s"]) < 60)
            self.assertEqual(row["transfer_s"], "0")

    def test_appends_under_one_header(self):
        self.succeeds("cpu", "--repeat", 2, "--csv", "times.csv")
        self.succeeds("cpu", "--csv", "times.csv", "--check", "--distances-only")
        rows = self.rows()
        self.assertEqual([row["repetition"] for row in rows], ["1", "2", "1"])
        self.assertEqual([row["predecessors"] for row in rows], ["1", "1", "0"])
        self.assertEqual([row["checked"] for row in rows], ["0", "0", "1"])
        self.assertEqual(self.read("times.csv").count(b"program,"), 1)

    def test_an_empty_file_gets_the_header(self):
        self.write("times.csv", b"")
        self.succeeds("cpu", "--csv", "times.csv")
        self.assertEqual(len(self.rows()), 1)

    def test_graph_names_are_quoted(self):
        name = self.write("a,\"b\" c.txt", GRAPH)
        self.succeeds("cpu", name, "--csv", "times.csv")
        self.assertEqual(self.rows()[0]["graph"], name)

    def test_medians_in_the_result(self):
        self.succeeds("cpu", "--repeat", 5, "--csv", "times.csv")
        for key in ("solve_s", "total_s"):
            times = sorted(float(row[key]) for row in self.rows())
            self.assertAlmostEqual(float(self.result().note(key)), times[2], delta=times[2] * 1e-6)

    def test_repetitions_do_not_change_the_answer(self):
        self.succeeds("cpu", "-o", "once.txt")
        self.succeeds("cpu", "-o", "often.txt", "--repeat", 4)
        self.assertEqual(self.result("once.txt").matrices_text(),
                         self.result("often.txt").matrices_text())

    def test_csv_that_cannot_be_written(self):
        for name in ("absent/times.csv", "/dev/full", "."):
            with self.subTest(name):
                self.fails(NO_RESOURCE, "cannot write %s: " % name, "cpu", "--csv", name)

    def test_no_rows_for_a_failure(self):
        self.write("graphFile.txt", NEGATIVE)
        self.fails(NEGATIVE_CYCLE, "negative cycle", "cpu", "--csv", "times.csv")
        self.assertEqual(self.files(), ["graphFile.txt"])


class ProgressBar(ProgramTest):

    def test_on_a_terminal_and_nowhere_else(self):
        """Solves that would take many seconds are ended when the one on a terminal
        has drawn its bar a few times: one to a pipe and a quiet one have drawn none."""
        self.succeeds("graphgen", "--v", 4000, "--edges", 40000)
        try:
            leader, follower = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal here: %s" % error)
        self.addCleanup(os.close, leader)
        quiet_leader, quiet_follower = pty.openpty()
        self.addCleanup(os.close, quiet_leader)
        solve = ["cpu", "--variant", "sequential", "-o"]
        piped = self.start(*solve, "piped.txt")
        quiet = self.start(*solve, "quiet.txt", "-q", stderr=quiet_follower)
        shown = self.start(*solve, "shown.txt", stderr=follower)
        os.close(follower)
        drawn = b""
        while drawn.count(b"\r") < 5:
            drawn += os.read(leader, 1000)
        for process in (shown, piped, quiet):
            process.terminate()
            process.wait(timeout=TIMEOUT_S)
        os.set_blocking(quiet_leader, False)
        with self.assertRaises(BlockingIOError):  # nothing to read
            os.read(quiet_leader, 1000)
        os.close(quiet_follower)
        self.assertRegex(drawn, rb"sequential .*\d+ ?%")
        self.assertEqual(drawn.count(b"\n"), 0)
        self.assertEqual((piped.stdout.read(), piped.stderr.read()), (b"", b""))


class Pipes(ProgramTest):

    def test_generator_into_solver_into_verifier(self):
        self.succeeds("graphgen", "--v", 40, "--density", "10%")
        generator = self.start("graphgen", "--v", 40, "--density", "10%", "-o", "-")
        solver = self.start("cpu", "-o", "-", "-", stdin=generator.stdout)
        generator.stdout.close()
        proof = self.start("verify", "-", stdin=solver.stdout)
        solver.stdout.close()
        out, err = proof.communicate(timeout=TIMEOUT_S)
        self.assertEqual((proof.returncode, err), (OK, b""))
        self.assertRegex(out, rb"^\S.* is proved for graphFile\.txt")
        self.assertEqual((generator.wait(), solver.wait()), (OK, OK))

    def test_stdin_closed(self):
        self.write("graphFile.txt", GRAPH)
        how = {"preexec_fn": lambda: os.close(0), "stdin": None}
        process = self.start("cpu", **how)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual((process.returncode, err), (OK, b""))
        self.proves("output.txt")
        process = self.start("cpu", "-", **how)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual((process.returncode, out), (BAD_INPUT, b""))
        self.assertTrue(re.match(rb"cpu: cannot (open|read) standard input: .*\n$", err), err)

    def test_stderr_closed_does_not_leak_into_the_result(self):
        self.write("graphFile.txt", GRAPH)
        for args in (["cpu"], ["cpu", "-o", "-"]):
            process = self.start(*args, stderr=None, preexec_fn=lambda: os.close(2))
            out, _ = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, OK)
        self.assertEqual(parse_result(out).dist, solved(GRAPH).dist)
        self.assertEqual(self.result().dist, solved(GRAPH).dist)

    def test_reader_that_goes_away_ends_the_program(self):
        process = self.start("graphgen", "--v", 100000, "--edges", 10**9, "-o", "-",
                             stderr=subprocess.DEVNULL)
        process.stdout.read(100)
        process.stdout.close()
        self.assertNotEqual(process.wait(timeout=TIMEOUT_S), OK)


if __name__ == "__main__":
    unittest.main()
