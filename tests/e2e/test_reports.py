# SPDX-License-Identifier: MIT
"""Tests of what programs say of what they did: --json, --quiet, --verbose, colours."""

import csv
import io
import json
import os
import pty
import re
import time
import unittest

import test_options
from support import (BAD_INPUT, GPU_SOLVERS, NEGATIVE_CYCLE, NO_RESOURCE, OK, PROGRAMS, REFUTED,
                     SOLVERS, TIMEOUT_S, Graph, ProgramTest, gpu_missing)

GRAPH = Graph(5, [(0, 1, 5), (0, 3, 2), (1, 2, 2), (2, 0, 3), (3, 2, 4), (3, 1, 1), (0, 1, 9),
                  (2, 2, 0)])

# The members of every answer, in their order. Scripts depend on them: a change here breaks
# some of them.
FAILURE = ["program", "version", "status", "error"]
CYCLE = FAILURE + ["negative_cycle"]
SOLVED = ["program", "version", "status", "graph", "checksum", "vertices", "edges", "edges_kept",
          "type", "weights", "sources", "targets", "limit", "variant", "chosen", "why", "predecessors",
          "threads", "ranks", "route", "tile", "device", "memory", "repetitions", "solve_s", "total_s",
          "transfer_s",
          "seconds", "phases", "checked", "rows_kept", "outputs", "csv", "measures",
          "betweenness"]
MEMORY = ["matrices", "graph", "workspace", "needed", "peak", "limit", "limited_by", "gpu", "gpus"]
VARIANTS = ["program", "version", "status", "default", "variants"]
VARIANT = ["name", "summary", "source", "predecessors", "parallel", "default_tile", "max_tile",
           "exact_up_to", "shared_memory", "capability", "ceiling", "ceiling_units",
           "distances_per_s", "predecessors_per_s"]
GENERATED = ["program", "version", "status", "output", "format", "vertices", "edges", "percent",
             "weights", "seed", "no_negative_cycle"]
OF_FAMILY = ["family", "degree", "dimensions", "cut_exponent", "towns", "one_way", "dropped", "lengths",
             "undirected", "asymmetric"]
JUDGED = ["verdict", "result", "graph", "vertices", "vertices_from", "result_vertices",
          "result_sources", "result_limit", "edges", "edges_kept", "weights", "entries",
          "comparisons", "checksum", "result_checksum",
          "predecessors", "threads", "proof_s", "notes", "refutation"]
PROVED = ["program", "version", "status"] + JUDGED
REFUTATION = ["check", "reason", "i", "j", "distance", "via", "via_distance", "weight",
              "other_graph"]


def only_object(text):
    """The object in one line that is all of a program's standard output."""
    assert text.endswith(b"\n") and text.count(b"\n") == 1, text
    answer = json.loads(text.decode("utf-8"))
    assert isinstance(answer, dict)
    return answer


class AnswerTest(ProgramTest):

    def answer(self, program, *args, **how):
        """The answer of a program that succeeds."""
        answer = only_object(self.succeeds(program, *args, "--json", **how).out)
        self.assertEqual((answer["program"], answer["status"]), (program, OK))
        version = self.succeeds(program, "--version").out.decode().split()
        self.assertEqual([program, answer["version"]], version)
        return answer

    def failure(self, status, program, *args, **how):
        """The answer of one that fails, which says what its line on stderr says."""
        finished = self.fails(status, "", program, *args, **how)
        answer = only_object(finished.out)
        self.assertEqual((answer["program"], answer["status"]), (program, status))
        self.assertEqual("%s: %s" % (program, answer["error"]), finished.err.splitlines()[0])
        return answer


class Solvers(AnswerTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def test_members(self):
        """Every solver that can solve here has these members, with and without what may be left
        out."""
        missing = gpu_missing()
        for program in SOLVERS:
            for options in ([], ["-d", "--check", "--repeat", 2, "--csv", "t", "--format", "npy"],
                            ["--undirected", "--scale", 2, "--verbose"], ["--quiet"]):
                with self.subTest(program=program, options=options):
                    if program in GPU_SOLVERS and missing:
                        answer = self.failure(NO_RESOURCE, program, "--json", *options)
                        self.assertEqual(list(answer), FAILURE)
                    else:
                        self.assertEqual(list(self.answer(program, *options)), SOLVED)

    def test_same_facts_as_the_text(self):
        options = ["--variant", "auto", "--threads", 2, "--check", "--verbose"]
        lines = self.succeeds("cpu", *options).out.decode().splitlines()
        text = dict(line.split(None, 1) for line in lines)
        answer = self.answer("cpu", *options)
        self.assertEqual(text["graph"], answer["graph"])
        self.assertEqual(text["|V|"], str(answer["vertices"]))
        self.assertEqual(text["|E|"], str(answer["edges"]))
        self.assertEqual(text["variant"], "%s: %s" % (answer["variant"], answer["chosen"]))
        self.assertEqual(text["why"], answer["why"])
        self.assertEqual(text["checksum"], answer["checksum"])
        self.assertEqual(text["weights"], "%d .. %d" % tuple(answer["weights"]))
        self.assertEqual(text["edges"].split()[0], str(answer["edges_kept"]))
        self.assertEqual(text["threads"], str(answer["threads"]))
        self.assertEqual(text["output"], " ".join(answer["outputs"]))
        self.assertIs(answer["checked"], True)
        self.assertIn("proved", text["checked"])

    def test_values(self):
        answer = self.answer("cpu")
        self.assertEqual(
            {key: answer[key] for key in SOLVED if key not in ("version", "solve_s", "total_s",
                                                               "seconds", "memory")},
            {"program": "cpu", "status": 0, "graph": "graphFile.txt",
             "checksum": self.result().note("graph checksum"), "vertices": 5, "edges": 8,
             "edges_kept": 6, "type": "int32", "weights": [1, 5], "sources": 5, "targets": 5, "limit": None,
             "variant": "sequential", "chosen": None, "why": "the default", "predecessors": True,
             "threads": 1, "ranks": None, "route": None, "tile": None, "device": None, "repetitions": 1, "transfer_s": 0,
             "phases": None, "checked": False, "rows_kept": None, "outputs": ["output.txt"], "csv": None,
             "measures": None, "betweenness": None})
        self.assertEqual(list(answer["memory"]), MEMORY)
        self.assertEqual(answer["memory"]["matrices"], 2 * 5 * 16 * 4)
        self.assertEqual(answer["memory"]["graph"], (5 + 1) * 8 + 6 * 8)
        self.assertIsNone(answer["memory"]["gpu"])
        given = self.answer("cpu", "-v", "sequential", env={"APSP_MEMORY_LIMIT": "12345678"})
        self.assertEqual(given["why"], "asked for by --variant")
        self.assertEqual((given["memory"]["limit"], given["memory"]["limited_by"]),
                         (12345678, "APSP_MEMORY_LIMIT"))

    def test_outputs_are_the_files_that_are_there(self):
        for options in (["-o", "a.txt"], ["-o", "b", "--format", "npy"],
                        ["-o", "c", "--format", "npy", "--distances-only"], ["--csv", "t.csv"]):
            with self.subTest(options):
                before = self.files()
                answer = self.answer("cpu", *options)
                new = [name for name in self.files() if name not in before]
                self.assertEqual(sorted(answer["outputs"] + ([answer["csv"]] if answer["csv"]
                                                             else [])), new)

    def test_phases_of_dissection(self):
        answer = self.answer("cpu", "-v", "dissection")
        if answer["phases"] is not None:  # it pays, if AMD is there
            self.assertEqual(list(answer["phases"]), ["order_s", "eliminate_s", "sweep_s", "prove_s"])
            self.assertLess(sum(answer["phases"].values()), 2 * answer["solve_s"] + 1)

    def test_seconds_of_each_repetition(self):
        answer = self.answer("cpu", "--repeat", 5, "--csv", "t.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("t.csv").decode())))
        self.assertEqual(list(answer["seconds"]), ["solve_s", "total_s", "transfer_s"])
        for clock, seconds in answer["seconds"].items():
            self.assertEqual(seconds, [float(row[clock]) for row in rows])
            self.assertEqual(answer[clock], sorted(seconds)[2])
        self.assertEqual(answer["repetitions"], 5)

    def test_negative_cycle(self):
        """All of its vertices, in their order, however many: the line has only both ends."""
        for n, heaviest, unit in ((1, -7, 1), (2, -2, 1), (3000, -3000, 1), (1, -7, 0.25),
                                  (2, -2, 0.25), (3000, -3000, 0.25)):
            order = [0] + [1 + (7 * k) % (n - 1) for k in range(n - 1)]
            edges = {(order[k], order[(k + 1) % n]): unit for k in range(n)}
            edges[order[0], order[1 % n]] = heaviest * unit
            self.write("graphFile.txt", Graph(n, [(u, v, w) for (u, v), w in edges.items()]))
            for program in ("cpu", "apsp"):
                with self.subTest(program=program, n=n, unit=unit):
                    real = ["-v", "multisource"] if program == "cpu" and unit != 1 else []
                    answer = self.failure(NEGATIVE_CYCLE, program, "--json", "--repeat", 2, "-o", "r",
                                          *real)
                    self.assertEqual(list(answer), CYCLE)
                    cycle = answer["negative_cycle"]
                    self.assertEqual(list(cycle), ["vertices", "weight"])
                    self.assertEqual(sorted(cycle["vertices"]), list(range(n)))
                    steps = zip(cycle["vertices"], cycle["vertices"][1:] + cycle["vertices"][:1])
                    self.assertEqual(sum(edges[step] for step in steps), cycle["weight"])
                    self.assertEqual(cycle["weight"], (heaviest + n - 1) * unit)
                    around = cycle["vertices"] + cycle["vertices"][:1]
                    if n > 40:
                        around[20:-21] = ["..."]
                    self.assertEqual(answer["error"],
                                     "no shortest paths: negative cycle of weight %s and %d edge%s: %s"
                                     % (cycle["weight"], n, "s"[:n > 1],
                                        " -> ".join(map(str, around))))
                    self.assertEqual(self.files(), ["graphFile.txt"])

    def test_many_repetitions(self):
        self.write("graphFile.txt", "1 0\n")
        answer = self.answer("cpu", "--repeat", 50000)
        self.assertEqual(len(answer["seconds"]["total_s"]), 50000)

    def test_the_result_is_the_same(self):
        self.answer("cpu", "-o", "a.txt")
        self.succeeds("cpu", "-o", "b.txt")
        self.assertEqual(self.result("a.txt").matrices_text(), self.result("b.txt").matrices_text())

    def test_names_that_are_not_utf_8(self):
        for name in (b"g\xff.txt", b"\xc3(.txt", b"\xed\xa0\x80", "\u0161uma \"\\\t".encode()):
            with self.subTest(name):
                try:
                    with open(os.path.join(os.fsencode(self.directory), name), "wb") as file:
                        file.write(GRAPH.text().encode())
                except OSError as reason:
                    self.skipTest("the file system refuses the name: %s" % reason)
                answer = self.answer("cpu", os.fsdecode(name))
                try:
                    expected = name.decode("utf-8")
                except UnicodeDecodeError:
                    expected = re.sub("[\x80-\xff]", "\ufffd", name.decode("latin-1"))
                self.assertEqual(answer["graph"], expected)

    def test_very_long_names(self):
        """As long as a path may be, of characters that JSON writes in several."""
        deep = "/".join(["\x01" * 250] * 15)
        os.makedirs(self.path(deep))
        os.rename(self.path("graphFile.txt"), self.path(deep, "g"))
        answer = self.answer("cpu", deep + "/g", "-o", deep + "/out", "--csv", deep + "/csv",
                             "--repeat", 2)
        self.assertEqual((answer["graph"], answer["outputs"], answer["csv"]),
                         (deep + "/g", [deep + "/out"], deep + "/csv"))
        answer = self.answer("verify", deep + "/out", "-g", deep + "/g", "--from", 0)
        self.assertEqual((answer["graph"], answer["result"]), (deep + "/g", deep + "/out"))

    def test_list_variants(self):
        for program in SOLVERS:
            with self.subTest(program):
                lines = self.succeeds(program, "--list-variants").out.decode().splitlines()
                answer = self.answer(program, "--list-variants")
                self.assertEqual(answer, self.answer(program, "-q", "--list-variants"))
                self.assertEqual(list(answer), VARIANTS)
                self.assertEqual(len(answer["variants"]), len(lines))
                for line, variant in zip(lines, answer["variants"]):
                    self.assertEqual(list(variant), VARIANT)
                    start = "%-12s %s (%s)" % (variant["name"], variant["summary"],
                                               variant["source"])
                    self.assertTrue(line.startswith(start), (line, start))
                    self.assertEqual(line.endswith("[default]"),
                                     variant["name"] == answer["default"])
                    self.assertEqual("--tile" in line, variant["max_tile"] is not None)
        limits = {variant["name"]: variant["exact_up_to"]
                  for variant in self.answer("cpu", "--list-variants")["variants"]}
        self.assertEqual((limits["blocked16"], limits["blocked32"]), (32766, None))

    def test_models_of_variants(self):
        """Each variant says what it needs, what bounds it, and how fast it is."""
        programs = {program: {variant["name"]: variant for variant in
                              self.answer(program, "--list-variants")["variants"]}
                    for program in SOLVERS}
        tensor = programs["cuda_blocked"]["tensor"]
        self.assertEqual((tensor["capability"], tensor["ceiling"], tensor["ceiling_units"]),
                         (8, "bf16_mma", 1))
        self.assertGreater(tensor["shared_memory"], 48 << 10)
        self.assertIsNone(programs["cuda_blocked"]["thesis"]["shared_memory"])
        self.assertEqual(programs["cuda_simple"]["vector"]["ceiling_units"], 4)
        self.assertIsNone(programs["cuda_simple"]["naive"]["predecessors_per_s"])
        self.assertIsNone(programs["apsp"]["auto"]["distances_per_s"])
        self.assertEqual(programs["apsp"]["cpu:auto"]["distances_per_s"],
                         programs["cpu"]["auto"]["distances_per_s"])
        for variant in programs["cpu"].values():
            self.assertGreaterEqual(variant["distances_per_s"], variant["predecessors_per_s"])
            self.assertLessEqual(variant["predecessors_per_s"],
                                 programs["cpu"]["auto"]["predecessors_per_s"])

    def test_list_variants_needs_nothing_else(self):
        os.remove(self.path("graphFile.txt"))
        self.answer("cuda_simple", "--list-variants", "--variant", "naive")
        self.answer("cpu", "--list-variants", "-o", "-")

    def test_stdout_is_not_free(self):
        os.symlink("/dev/stdout", self.path("link"))
        for args, expected in (
                (["-o", "-"], "--json: standard output is taken by the result (--output -)"),
                (["-o", "/dev/stdout"], "(--output /dev/stdout)"),
                (["-o", "link"], "(--output link)"),
                (["--csv", "/dev/fd/1"], "taken by the timings (--csv /dev/fd/1)")):
            with self.subTest(args):
                for order in (args + ["--json"], ["--json"] + args):
                    self.assertIn(expected, self.failure(BAD_INPUT, "cpu", *order)["error"])
                self.assertEqual(self.files(), ["graphFile.txt", "link"])

    def test_stdout_is_full(self):
        with open("/dev/full", "wb") as full:
            self.fails(NO_RESOURCE, "cannot write standard output: No space", "cpu", "--json",
                       stdout=full)

    def test_help_stays_text(self):
        for option in ("--help", "--version", "--usage"):
            self.assertEqual(self.succeeds("cpu", "--json", option).out,
                             self.succeeds("cpu", option).out)


class Clocks(AnswerTest):
    """Times are seconds, beside a clock outside of the program."""

    def test_phases(self):
        self.succeeds("graphgen", "--v", 12000, "--family", "road", "-o", "i.txt")
        self.succeeds("graphgen", "--v", 3000, "--family", "road", "--decimals", 2, "-o", "r.txt")
        for graph, variant, names in (("i.txt", "dissection", ["order_s", "eliminate_s", "sweep_s"]),
                                      ("r.txt", "dissection", ["rounded_s", "refine_s"])):
            if "without it (AMD=0)" in self.run_program("cpu", graph, "-v", variant, "--format",
                                                        "none").err:
                self.skipTest("a build without SuiteSparse's AMD")
            with self.subTest(graph):
                start = time.monotonic()
                answer = self.answer("cpu", graph, "-v", variant, "--measures", "-t", 1, "--grid", "off")
                outside = time.monotonic() - start
                phases = answer["phases"]
                self.assertLessEqual(set(names), set(phases))
                parts = sum(phases[name] for name in names)
                self.assertLessEqual(parts, answer["solve_s"] * 1.001)
                self.assertLessEqual(answer["solve_s"], answer["total_s"])
                self.assertLessEqual(answer["total_s"], outside)
                self.assertGreater(parts, answer["solve_s"] / 2)
                self.assertGreater(answer["total_s"], outside / 10)


    def test_tables(self):
        """Finding the numbers takes long, not writing them."""
        self.succeeds("graphgen", "--v", 8000, "--family", "road", "-o", "graphFile.txt")
        self.write("m.csv", "v,m\n" + "".join("%d,1\n" % v for v in range(8000)))
        self.write("p.csv", "".join("%d,%d\n" % (v, v + 1) for v in range(0, 2000, 4)))
        for job, works in ((["--accessibility", "m.csv", "--decays", "999", "--sources", "0-499"], "find_s"),
                           (["--demand", "p.csv"], "find_s"), (["--pairs", "p.csv", "--check"], "solve_s"),
                           (["--index"], "build_s")):
            with self.subTest(job):
                for _ in range(5):  # a disk may be busy
                    start = time.monotonic()
                    answer = self.answer("apsp", *job, "-t", 1, "-o", "t")
                    outside = time.monotonic() - start
                    written = answer.get("write_s", 0)
                    self.assertTrue(outside / 20 < answer[works] + written < outside)
                    if answer[works] > 2 * written:
                        break
                self.assertGreater(answer[works], 2 * written)


class SameNumbers(AnswerTest):
    """Every number that a program prints as text stands in its object of --json."""

    UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
    # Times of one run are not those of the next: it is enough that their names are members.
    TIME = re.compile(r"(\w+_s)[: ]+[\d.e+-]+")
    NUMBER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)( bytes| KiB| MiB| GiB| %)?")

    def found_in(self, value):
        """The numbers of an answer, those in its texts and the lengths of its lists."""
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from self.found_in(inner)
        elif isinstance(value, list):
            yield len(value)
            for inner in value:
                yield from self.found_in(inner)
        elif isinstance(value, str):
            yield from (float(number) for number, _ in self.NUMBER.findall(value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield value

    def compare(self, program, *args, per_edge=0):
        text = self.succeeds(program, *args).out.decode()
        answer = self.answer(program, *args)
        names = set(re.findall(r'"(\w+)"', json.dumps(answer)))
        for name in self.TIME.findall(text):
            self.assertIn(name, names)
        known = list(self.found_in(answer)) + [per_edge]
        for number, unit in self.NUMBER.findall(self.TIME.sub("", text)):
            value, unit = float(number), unit.strip()
            scale = self.UNITS.get(unit, 0.01 if unit == "%" else 1)
            # Memory and the disk may differ, by what the object takes; other numbers are rounded to
            # three digits at the least.
            relative, absolute = (0.05, 3e5) if unit in self.UNITS else (0.006, 1e-9)
            self.assertTrue(any(abs(value * scale - other) <= relative * abs(other) + absolute
                                or (unit == "%" and abs(value - other) <= relative * abs(other))
                                for other in known),
                            "%s%s stands nowhere in %.2000s\n%s" % (number, unit, answer, text))

    def test_solvers(self):
        self.write("graphFile.txt", GRAPH)
        self.write("apart.txt", Graph(4, [(0, 1, 3), (1, 0, 3)]))
        self.write("real.txt", Graph(4, [(0, 1, 0.5), (1, 2, 2.25), (2, 3, 1e-7), (3, 0, 7)]))
        for args in (["--verbose"], ["--sources", "0,3", "--limit", 6, "--measures"],
                     ["--targets", "1-3", "--format", "npy", "-o", "r"], ["--check", "--repeat", 3],
                     ["apart.txt", "--measures", "--verbose"], ["real.txt", "--measures=m"],
                     ["graphFile.txt", "--measures", "--omit", "harmonic"],
                     ["--undirected", "--measures", "--verbose"]):
            for program in ("cpu", "apsp"):
                with self.subTest(program=program, args=args):
                    variant = ["-v", "auto"] if program == "cpu" else []
                    self.compare(program, "-t", 1, *variant, *args,
                                 per_edge=1.2)  # edges each: GRAPH's, in the reasons
        self.compare("cpu", "--resume", "--format", "npy", "-o", "q", "-t", 1)

    def test_plan(self):
        self.succeeds("graphgen", "--v", 900, "--family", "grid", "-o", "graphFile.txt")
        for args in ([], ["--check"], ["--measures"], ["-d", "--format", "npy", "-o", "r"]):
            with self.subTest(args):
                answer = self.answer("apsp", "--plan", "-t", 1, *args)
                self.compare("apsp", "--plan", "-t", 1, *args,
                             per_edge=answer["edges"] / answer["vertices"])

    def test_others(self):
        self.succeeds("graphgen", "--v", 400, "--family", "grid", "-o", "graphFile.txt")
        self.succeeds("apsp", "--measures=m", "-o", "output.txt")
        for args in (["output.txt", "--verbose"], ["output.txt", "--path", 0, 399],
                     ["output.txt", "--from", 7], ["m"], ["output.apspx"]):
            if args[-1] == "output.apspx":
                self.compare("apsp", "--index")
            with self.subTest(args):
                self.compare("verify", *args, "-t", 1)


class EveryWord(AnswerTest):
    """Whole reports and objects of small graphs, where no two numbers are alike; all are counted by hand."""

    FILES = {
        # a -> b 5, b -> c 2, c -> a 3, c -> d 4, b -> d 8, e -> a 6: from a b 5, c 7, d 11; from b a 5, c 2,
        # d 6; from c a 3, b 8, d 4; from d nothing; from e a 6, b 11, c 13, d 17
        "g.csv": "from,to,weight\na,b,5\na,b,9\nb,c,2\nc,a,3\nc,d,4\nd,d,1\nb,d,8\ne,a,6\n",
        "c.csv": "from,to,weight,min,co2,x\na,b,5,10,1,0\nb,c,2,3,0.5,0\nc,d,4,1,2,0\nd,a,1,0,0,0\n",
        # from 1 2: 3.5, 3: 3.75, 4: 8; from 2 1: 2.25, 3: 0.25, 4: 10.25; from 3 1: 2, 2: 5.5, 4: 10;
        # from 4 1: 3.25, 2: 1, 3: 1.25
        "h.gr": "p sp 4 5\na 1 2 3.5\na 2 3 0.25\na 3 1 2\na 1 4 8\na 4 2 1\n",
        "third.csv": "from,to,weight,x\n0,1,0.14285714285714285,7\n1,0,3,8\n",
        "p.csv": "a,d\na,c\ne,d\nd,a\na,d\ne,c\n",
        "q.csv": "a,d\nc,b\n",
        "trips.csv": "from,to,trips\na,d,3\na,d,4\ne,c,2\nd,a,6\nd,e,1\nb,b,50\na,b,1\n",
        "m3.csv": "v,jobs\n0,2\n1,5\n",
        "m.csv": "v,jobs,shops\na,1,0\nc,20,3\nd,300,0.5\nb,4,0\n",
    }
    LEFT_OUT = {"program", "version", "status", "graph_notes", "memory", "seconds", "why"}
    # (graph of the index x.apspx or "", what is typed, what it says, its object)
    CASES = (
        ("", "apsp g.csv --pairs p.csv --limit 12 --check -o d.csv",
         "distances d.csv\n"
         "pairs     6 from 3 origins; 3 without a path up to the limit of 12\n"
         "checked   proved: all distances from these origins are exact up to the limit of 12\n"
         "solve_s   S\n"
         "write_s   S\n",
         {"graph": "g.csv", "vertices": 5, "pairs_file": "p.csv", "distances": "d.csv", "pairs": 6, "origins":
          3, "pairs_without_path": 3, "limit": 12, "along": [], "checked": True}),
        ("", "apsp c.csv --pairs q.csv --along min,co2 --check",
         "distances distances.csv\n"
         "pairs     2 from 2 origins; 0 without a path\n"
         "checked   proved: all distances from these origins, and sums along their paths, are exact\n"
         "solve_s   S\n"
         "write_s   S\n",
         {"graph": "c.csv", "vertices": 4, "pairs_file": "q.csv", "distances": "distances.csv", "pairs": 2,
          "origins": 2, "pairs_without_path": 0, "limit": None, "along": ["min", "co2"], "checked": True}),
        ("", "apsp g.csv --demand trips.csv",
         "loads    loads.csv\n"
         "trips    10 from 4 origins, over 108 in all\n"
         "added    1 rows of pairs that the table has twice\n"
         "within   50 trips end where they begin, and are on no edge\n"
         "without  7 trips have no path, of 2 pairs; the first is from d to a\n"
         "find_s   S, by searches\n"
         "write_s  S\n",
         {"graph": "g.csv", "vertices": 5, "demand": "trips.csv", "loads": "loads.csv", "origins": 4, "pairs":
          6, "rows_added": 1, "trips": 10.0, "trips_length": 108.0, "trips_within": 50.0, "trips_without_path":
          7.0, "pairs_without_path": 2, "way": "searches", "grid": 0.0, "grid_error": 0.0, "checked": None, "checked_origins": None}),
        ("", "apsp g.csv --gravity m.csv --check -o made.csv",
         "loads    made.csv\n"
         "trips    27.5 from 4 origins, over 102.5 in all\n"
         "masses   jobs sent, shops attracted, no decay\n"
         "within   210 trips end where they begin, and are on no edge\n"
         "checked  proved: loads are those of their definition (S s)\n"
         "find_s   S, by searches\n"
         "write_s  S\n",
         {"graph": "g.csv", "vertices": 5, "demand": "m.csv", "loads": "made.csv", "origins": 4, "sent": "jobs",
          "attracted": "shops", "decay": 0.0, "way": "searches", "trips": 27.5, "trips_length": 102.5,
          "trips_within": 210.0, "grid": 0.0, "grid_error": 0.0, "checked": "proved", "checked_origins": 4}),
        ("", "apsp g.csv --accessibility m.csv --decays 5,10,20,40,80,160 --limits 1,2,3,4,6,9,11 --nearest 1 "
         "--sources a,d,e",
         "accessibility  accessibility.csv: 3 sources\n"
         "sums           2 masses, 6 decays by searches, 7 limits\n"
         "nearest        1 of 4 facilities\n"
         "find_s         S\n"
         "write_s        S\n",
         {"graph": "g.csv", "vertices": 5, "sources": 3, "masses": 2, "decays": 6, "limits": 7, "nearest": 1,
          "facilities": 4, "accessibility": "accessibility.csv", "way": "searches", "grid": 0.0, "grid_error":
          0.0}),
        ("", "apsp g.csv --accessibility m.csv --nearest 9:shops --sources c -o near.csv",
         "accessibility  near.csv: 1 sources\n"
         "nearest        2 of 2 facilities\n"
         "find_s         S\n"
         "write_s        S\n",
         {"graph": "g.csv", "vertices": 5, "sources": 1, "masses": 2, "decays": 0, "limits": 0, "nearest": 2,
          "facilities": 2, "accessibility": "near.csv", "way": None, "grid": 0.0, "grid_error": 0.0}),
        ("", "apsp third.csv --accessibility m3.csv --limits 1",
         "accessibility  accessibility.csv: 2 sources\n"
         "sums           1 masses, 0 decays, 1 limits\n"
         "find_s         S\n"
         "write_s        S\n",
         {"graph": "third.csv", "vertices": 2, "sources": 2, "masses": 1, "decays": 0, "limits": 1, "nearest": 0,
          "facilities": 0, "accessibility": "accessibility.csv", "way": None, "grid": 8.881784197001252e-16,
          "grid_error": 3.885780586188048e-16}),
        ("", "apsp g.csv --diameter -o e.csv",
         "diameter  infinite, and so is the radius: 3 strongly connected components\n"
         "largest   finite distance 17, from e to d\n"
         "searches  10 from and to 5 of 5 vertices\n"
         "wrote     e.csv: the eccentricities of all vertices\n"
         "solve_s   S\n"
         "write_s   S\n",
         {"graph": "g.csv", "vertices": 5, "directed": True, "strongly_connected_components": 3, "diameter":
          None, "radius": None, "largest_distance": 17, "from": "e", "to": "d", "central": None, "searches": 10,
          "checked": False, "eccentricities": "e.csv"}),
        ("", "apsp h.gr --diameter --check",
         "diameter  10.25, from 2 to 4 (vertices are numbered from 1)\n"
         "radius    3.25, of 4\n"
         "searches  8 from and to 4 of 4 vertices\n"
         "checked   proved: the distances of all searches, from which this follows\n"
         "solve_s   S\n",
         {"graph": "h.gr", "vertices": 4, "directed": True, "strongly_connected_components": 1, "diameter":
          10.25, "radius": 3.25, "largest_distance": 10.25, "from": "2", "to": "4", "central": "4", "searches":
          8, "checked": True, "eccentricities": None}),
        ("", "apsp g.csv --diameter --undirected",
         "diameter  13, from d to e\n"
         "radius    7, of a\n"
         "searches  3 from as many of 5 vertices\n"
         "solve_s   S\n",
         {"graph": "g.csv", "vertices": 5, "directed": False, "components": 1, "diameter": 13, "radius": 7,
          "largest_distance": 13, "from": "d", "to": "e", "central": "a", "searches": 3, "checked": False,
          "eccentricities": None}),
        ("", "apsp h.gr --index -u -o u.apspx",
         "index    u.apspx: 1.1 KiB instead of 128 bytes for all distances of 4 vertices\n"
         "labels   2.2 distances of 3.11 bytes on average, 3 at most, one for both directions\n"
         "build_s  S\n",
         {"graph": "h.gr", "index": "u.apspx", "vertices": 4, "directions": 1, "labels_each": 2.25, "height": 3,
          "type": "float64", "cell_bytes": 4, "grid_spacing": 0.0, "grid_error": 0.0,
          "distance_bytes": 3.11111111, "bytes": 1088, "matrix_bytes": 128}),
        ("", "apsp g.csv --index --plan",
         "index    at most 1.8 KiB instead of 100 bytes for all distances of 5 vertices\n"
         "labels   2.6 distances of at most 4 bytes on average, 4 at most, each way\n",
         {"graph": "g.csv", "vertices": 5, "directions": 2, "labels_each": 2.6, "height": 4, "type": "int32",
          "cell_bytes": 4, "grid_spacing": 0.0, "grid_error": 0.0, "most_bytes": 1856, "matrix_bytes": 100}),
        ("", "apsp h.gr --index --plan -u --both-directions",
         "index    at most 1.6 KiB instead of 128 bytes for all distances of 4 vertices\n"
         "labels   2.2 distances of at most 4 bytes on average, 3 at most, each way\n",
         {"graph": "h.gr", "vertices": 4, "directions": 2, "labels_each": 2.25, "height": 3, "type": "float64",
          "cell_bytes": 4, "grid_spacing": 0.0, "grid_error": 0.0, "most_bytes": 1600, "matrix_bytes": 128}),
        ("g.csv", "query x.apspx a d",
         "11\n",
         {"from": 0, "to": 3, "from_id": "a", "to_id": "d", "distance": 11}),
        ("g.csv", "query x.apspx a d --path",
         "path from a to d, distance 11, 3 edges:\n"
         "a -> b\tweight 5\tdistance 5\n"
         "b -> c\tweight 2\tdistance 7\n"
         "c -> d\tweight 4\tdistance 11\n",
         {"from": 0, "to": 3, "from_id": "a", "to_id": "d", "distance": 11, "path": [0, 1, 2, 3], "edges":
          [{"from": 0, "to": 1, "weight": 5, "distance": 5}, {"from": 1, "to": 2, "weight": 2, "distance": 7},
          {"from": 2, "to": 3, "weight": 4, "distance": 11}], "path_ids": ["a", "b", "c", "d"]}),
        ("g.csv", "query x.apspx d a --path",
         "no path from d to a\n",
         {"from": 3, "to": 0, "from_id": "d", "to_id": "a", "distance": None, "path": None, "edges": None,
          "path_ids": None}),
        ("h.gr", "query x.apspx 2 4 --path",
         "path from 2 to 4, distance 10.25, 3 edges:\n"
         "2 -> 3\tweight 0.25\tdistance 0.25\n"
         "3 -> 1\tweight 2\tdistance 2.25\n"
         "1 -> 4\tweight 8\tdistance 10.25\n",
         {"from": 1, "to": 3, "distance": 10.25, "path": [1, 2, 0, 3], "edges": [{"from": 1, "to": 2, "weight":
          0.25, "distance": 0.25}, {"from": 2, "to": 0, "weight": 2.0, "distance": 2.25}, {"from": 0, "to": 3,
          "weight": 8.0, "distance": 10.25}]}),
        ("g.csv", "query x.apspx --measures",
         "pairs of vertices             20; 7 without a path, left out\n"
         "largest distance              17, from e to d\n"
         "average distance              7.53846\n"
         "strongly connected            no: 3 components, the largest of 3 vertices\n"
         "diameter, radius              infinite\n"
         "global efficiency             0.120104\n"
         "histogram                     16 bins of width 1 from 2\n",
         {"index": "x.apspx", "measures": {"vertices": 5, "directed": True, "all_sources": True, "sources": 5,
          "pairs": 20, "pairs_without_path": 7, "distance_sum": 98, "average_distance": 7.538461538461538,
          "largest_distance": {"distance": 17, "from": 4, "to": 3}, "is_strongly_connected": False,
          "number_strongly_connected_components": 3, "largest_strongly_connected_component": 3, "diameter":
          None, "radius": None, "center": None, "periphery": None, "average_shortest_path_length": None,
          "wiener_index": None, "global_efficiency": 0.12010442988384165, "histogram": {"bin_width": 1, "first":
          2, "counts": [1, 1, 1, 2, 2, 1, 1, 0, 0, 2, 0, 1, 0, 0, 0, 1]}}}),
        ("g.csv", "verify x.apspx -g g.csv -t 2",
         "x.apspx is proved for g.csv: all distances and merged edges of 5 vertices are exact\n",
         {"verdict": "proved", "index": "x.apspx", "graph": "g.csv", "vertices": 5, "rows": 5, "device": None,
          "checksum": "770ea7f1", "threads": 2}),
        ("g.csv", "verify x.apspx -g g.csv --sample 3 -t 2",
         "x.apspx: 3 of 5 rows and all merged edges are proved for g.csv; the other rows are not\n",
         {"verdict": "proved", "index": "x.apspx", "graph": "g.csv", "vertices": 5, "rows": 3, "device": None,
          "checksum": "770ea7f1", "threads": 2}),
        ("", "cpu g.csv --sources a,c,e --limit 8 --format npy -o r -v johnson -t 2 --check",
         "graph    g.csv\n"
         "|V|      5\n"
         "|E|      8\n"
         "sources  3\n"
         "limit    8\n"
         "vertices called as in g.csv; from 0 in the result\n"
         "variant  johnson\n"
         "solve_s  S\n"
         "total_s  S\n"
         "checked  proved: all distances and predecessors from these sources up to the limit of 8 are exact\n"
         "output   r.dist.npy, .pred.npy, .sources.npy, .ids.txt, .json\n",
         {"graph": "g.csv", "checksum": "770ea7f1", "vertices": 5, "edges": 8, "edges_kept": 6, "type": "int32", "weights": [2,
          8], "sources": 3, "targets": 5, "limit": 8, "variant": "johnson", "chosen": None, "predecessors":
          True, "threads": 2, "ranks": None, "route": None, "tile": None, "device": None, "repetitions": 1,
          "phases": None, "checked": True, "rows_kept": None, "outputs": ["r.dist.npy", "r.pred.npy",
          "r.sources.npy", "r.ids.txt", "r.json"], "csv": None, "measures": None, "betweenness": None}),
        ("", "verify r.dist.npy -g g.csv --verbose -t 2 --from a --path a c",
         "r.dist.npy is proved for g.csv: all distances and predecessors from 3 of 5 vertices are exact up "
         "to the limit of 8\n"
         "vertices are called as in g.csv\n"
         "graph    g.csv: |V| = 5, |E| = 8, checksum 770ea7f1\n"
         "edges    6 kept, weights 2 .. 8\n"
         "made for checksum 770ea7f1\n"
         "check (a) the 15 entries by themselves\n"
         "check (b) the last edge of every path, given by the predecessors\n"
         "check (c) no edge is a shortcut: 18 comparisons\n"
         "proof_s  S on up to 2 threads\n"
         "path from a to c, distance 7, 2 edges:\n"
         "a -> b\tweight 5\tdistance 5\n"
         "b -> c\tweight 2\tdistance 7\n"
         "paths from a up to the limit of 8:\n"
         "a\tdistance 0\ta\n"
         "b\tdistance 5\ta -> b\n"
         "c\tdistance 7\ta -> b -> c\n"
         "d\tno path\n"
         "e\tno path\n",
         {"verdict": "proved", "result": "r.dist.npy", "graph": "g.csv", "vertices": 5, "vertices_from": None,
          "result_vertices": 5, "result_sources": 3, "result_limit": 8, "edges": 8, "edges_kept": 6, "weights":
          [2, 8], "entries": 15, "comparisons": 18, "checksum": "770ea7f1", "result_checksum": "770ea7f1",
          "predecessors": True, "threads": 2, "notes": [], "refutation": None, "path": {"from": 0, "to": 2,
          "from_id": "a", "to_id": "c", "distance": 7, "edges": [{"from": 0, "to": 1, "weight": 5, "distance":
          5, "from_id": "a", "to_id": "b"}, {"from": 1, "to": 2, "weight": 2, "distance": 7, "from_id": "b",
          "to_id": "c"}]}, "from": {"from": 0, "from_id": "a", "vertices": [{"vertex": 0, "distance": 0,
          "edges": 0, "predecessor": None, "weight": None, "id": "a"}, {"vertex": 1, "distance": 5, "edges": 1,
          "predecessor": 0, "weight": 5, "id": "b"}, {"vertex": 2, "distance": 7, "edges": 2, "predecessor": 1,
          "weight": 2, "id": "c"}, {"vertex": 3, "distance": None, "edges": None, "predecessor": None, "weight":
          None, "id": "d"}, {"vertex": 4, "distance": None, "edges": None, "predecessor": None, "weight": None,
          "id": "e"}]}}),
        ("", "cpu g.csv --targets a,d -o o.txt --repeat 3 --csv t.csv",
         "graph    g.csv\n"
         "|V|      5\n"
         "|E|      8\n"
         "targets  2\n"
         "vertices called as in g.csv; from 0 in the result\n"
         "variant  sequential\n"
         "repeated 3 times, medians:\n"
         "solve_s  S\n"
         "total_s  S\n"
         "output   o.txt\n",
         {"graph": "g.csv", "checksum": "770ea7f1", "vertices": 5, "edges": 8, "edges_kept": 6, "type": "int32", "weights": [2,
          8], "sources": 5, "targets": 2, "limit": None, "variant": "sequential", "chosen": None,
          "predecessors": False, "threads": 1, "ranks": None, "route": None, "tile": None, "device": None,
          "repetitions": 3, "phases": None, "checked": False, "rows_kept": None, "outputs": ["o.txt"], "csv":
          "t.csv", "measures": None, "betweenness": None}),
        ("", "cpu c.csv --sources a,c,d --targets a,d --format npy -o s --along co2",
         "graph    c.csv\n"
         "|V|      4\n"
         "|E|      4\n"
         "sources  3\n"
         "targets  2\n"
         "vertices called as in c.csv; from 0 in the result\n"
         "variant  sequential\n"
         "solve_s  S\n"
         "total_s  S\n"
         "output   s.dist.npy, .sources.npy, .targets.npy, .ids.txt, .json\n"
         "along    s.co2.dist.npy\n",
         {"graph": "c.csv", "checksum": "96d66f8c", "vertices": 4, "edges": 4, "edges_kept": 4, "type": "int32", "weights": [1,
          5], "sources": 3, "targets": 2, "limit": None, "variant": "sequential", "chosen": None,
          "predecessors": False, "threads": 1, "ranks": None, "route": None, "tile": None, "device": None,
          "repetitions": 1, "phases": None, "checked": False, "rows_kept": None, "outputs": ["s.dist.npy",
          "s.sources.npy", "s.targets.npy", "s.ids.txt", "s.json", "s.co2.dist.npy", "s.co2.sources.npy",
          "s.co2.targets.npy", "s.co2.ids.txt", "s.co2.json"], "csv": None, "measures": None, "betweenness":
          None}),
        ("", "cpu c.csv --sources a,c,d --format npy -o w --along co2",
         "graph    c.csv\n"
         "|V|      4\n"
         "|E|      4\n"
         "sources  3\n"
         "vertices called as in c.csv; from 0 in the result\n"
         "variant  sequential\n"
         "solve_s  S\n"
         "total_s  S\n"
         "output   w.dist.npy, .pred.npy, .sources.npy, .ids.txt, .json\n"
         "along    w.co2.dist.npy\n",
         {"graph": "c.csv", "checksum": "96d66f8c", "vertices": 4, "edges": 4, "edges_kept": 4, "type": "int32", "weights": [1,
          5], "sources": 3, "targets": 4, "limit": None, "variant": "sequential", "chosen": None,
          "predecessors": True, "threads": 1, "ranks": None, "route": None, "tile": None, "device": None,
          "repetitions": 1, "phases": None, "checked": False, "rows_kept": None, "outputs": ["w.dist.npy",
          "w.pred.npy", "w.sources.npy", "w.ids.txt", "w.json", "w.co2.dist.npy", "w.co2.sources.npy",
          "w.co2.ids.txt", "w.co2.json"], "csv": None, "measures": None, "betweenness": None}),
        ("", "cpu g.csv --measures=mm --betweenness --check --omit histogram",
         "graph    g.csv\n"
         "|V|      5\n"
         "|E|      8\n"
         "vertices called as in g.csv; from 0 in the result\n"
         "variant  sequential\n"
         "solve_s  S\n"
         "total_s  S\n"
         "checked  proved: all distances are exact\n"
         "pairs of vertices             20; 7 without a path, left out\n"
         "largest distance              17, from e to d\n"
         "average distance              7.53846\n"
         "strongly connected            no: 3 components, the largest of 3 vertices\n"
         "diameter, radius              infinite\n"
         "global efficiency             0.120104\n"
         "betweenness_s S, by searches\n"
         "checked  proved: betweenness is that of its definition (S s)\n"
         "measures mm.csv, .edges.csv, .json\n",
         {"graph": "g.csv", "checksum": "770ea7f1", "vertices": 5, "edges": 8, "edges_kept": 6, "type": "int32", "weights": [2,
          8], "sources": 5, "targets": 5, "limit": None, "variant": "sequential", "chosen": None,
          "predecessors": False, "threads": 1, "ranks": None, "route": None, "tile": None, "device": None,
          "repetitions": 1, "phases": None, "checked": True, "rows_kept": None, "outputs": ["mm.csv",
          "mm.edges.csv", "mm.json"], "csv": None, "measures": {"vertices": 5, "directed": True, "all_sources":
          True, "sources": 5, "omitted": "histogram", "pairs": 20, "pairs_without_path": 7, "distance_sum": 98,
          "average_distance": 7.538461538461538, "largest_distance": {"distance": 17, "from": 4, "to": 3},
          "is_strongly_connected": False, "number_strongly_connected_components": 3,
          "largest_strongly_connected_component": 3, "diameter": None, "radius": None, "center": None,
          "periphery": None, "average_shortest_path_length": None, "wiener_index": None, "global_efficiency":
          0.12010442988384165, "betweenness": {"endpoints": False, "weights_times": 1, "engine": "searches"}},
          "betweenness": {"engine": "searches", "grid": None, "grid_error": None, "checked": "proved",
          "checked_sources": 5}}),
        ("", "verify mm -g g.csv -t 2",
         "mm is proved for g.csv: all measures of 5 vertices are exact, and betweenness is that of its definition\n",
         {"verdict": "proved", "measures": "mm", "graph": "g.csv", "vertices": 5, "measured_vertices": 5,
          "limit": None, "checksum": "770ea7f1", "betweenness": "proved", "threads": 2, "notes": []}),
        ("", "cpu h.gr --measures=mh --betweenness=endpoints --sources 1,3,2 --omit harmonic,histogram --undirected",
         "graph    h.gr\n"
         "|V|      4\n"
         "|E|      10\n"
         "sources  3\n"
         "vertices numbered from 1, as in h.gr; from 0 in the result\n"
         "variant  sequential\n"
         "solve_s  S\n"
         "total_s  S\n"
         "pairs of vertices             9, from 3 sources\n"
         "largest distance              3.25, from 1 to 4\n"
         "average distance              1.61111\n"
         "betweenness_s S, by searches, endpoints included\n"
         "measures mh.csv, .edges.csv, .json\n",
         {"graph": "h.gr", "checksum": "0ec5732b", "vertices": 4, "edges": 10, "edges_kept": 10, "type": "float64", "weights":
          [0.25, 8.0], "sources": 3, "targets": 4, "limit": None, "variant": "sequential", "chosen": None,
          "predecessors": False, "threads": 1, "ranks": None, "route": None, "tile": None, "device": None,
          "repetitions": 1, "phases": None, "checked": False, "rows_kept": None, "outputs": ["mh.csv",
          "mh.edges.csv", "mh.json"], "csv": None, "measures": {"vertices": 4, "directed": False, "all_sources":
          False, "sources": 3, "omitted": "harmonic,histogram", "pairs": 9, "pairs_without_path": 0,
          "distance_sum": 14.5, "average_distance": 1.6111111111111112, "largest_distance": {"distance": 3.25,
          "from": 0, "to": 3}, "betweenness": {"endpoints": True, "weights_times": 100, "engine": "searches"}},
          "betweenness": {"engine": "searches", "grid": None, "grid_error": None, "checked": None,
          "checked_sources": None}}),
        ("", "cpu third.csv --measures=mt --betweenness --omit histogram,harmonic",
         "graph    third.csv\n"
         "|V|      2\n"
         "|E|      2\n"
         "variant  sequential\n"
         "solve_s  S\n"
         "total_s  S\n"
         "pairs of vertices             2\n"
         "largest distance              3, from 1 to 0\n"
         "average distance              1.57143\n"
         "strongly connected            yes\n"
         "diameter, radius              3, 0.14285714285714285\n"
         "center                        1 vertex: 0\n"
         "periphery                     1 vertex: 1\n"
         "Wiener index                  3.142857142857143\n"
         "betweenness_s S, by searches\n"
         "measures mt.csv, .edges.csv, .json\n",
         {"graph": "third.csv", "checksum": "7574a2fa", "vertices": 2, "edges": 2, "edges_kept": 2, "type": "float64", "weights":
          [0.14285714285714285, 3.0], "sources": 2, "targets": 2, "limit": None, "variant": "sequential",
          "chosen": None, "predecessors": False, "threads": 1, "ranks": None, "route": None, "tile": None,
          "device": None, "repetitions": 1, "phases": {}, "checked": False, "rows_kept": None, "outputs":
          ["mt.csv", "mt.edges.csv", "mt.json"], "csv": None, "measures": {"vertices": 2, "directed": True,
          "all_sources": True, "sources": 2, "omitted": "harmonic,histogram", "pairs": 2, "pairs_without_path":
          0, "distance_sum": 3.142857142857143, "average_distance": 1.5714285714285714, "largest_distance":
          {"distance": 3.0, "from": 1, "to": 0}, "is_strongly_connected": True,
          "number_strongly_connected_components": 1, "largest_strongly_connected_component": 2, "diameter": 3.0,
          "radius": 0.14285714285714285, "center": [0], "periphery": [1], "average_shortest_path_length":
          1.5714285714285714, "wiener_index": 3.142857142857143, "betweenness": {"endpoints": False,
          "weights_times": 1, "grid": 8.881784197001252e-16, "engine": "searches"}}, "betweenness": {"engine":
          "searches", "grid": 8.881784197001252e-16, "grid_error": 3.885780586188048e-16, "checked": None,
          "checked_sources": None}}),
        ("", "verify mh -g h.gr -u -t 2",
         "mh is proved for h.gr: all measures of 3 vertices are exact, and betweenness is that of its definition\n",
         {"verdict": "proved", "measures": "mh", "graph": "h.gr", "vertices": 4, "measured_vertices": 3,
          "limit": None, "checksum": "0ec5732b", "betweenness": "proved", "threads": 2, "notes": []}),
        ("", "graphgen --v 40 --family knn --dimensions 3 --degree 5 --asymmetric --weights 2:7 --seed 9 "
         "--verbose --format gr -o gg.gr",
         "graph    gg.gr (gr)\n"
         "family   knn, degree 5, 3 dimensions\n"
         "|V|      40\n"
         "|E|      260, 16.67 % of all\n"
         "weights  2 .. 7\n"
         "seed     9\n",
         {"output": "gg.gr", "format": "gr", "vertices": 40, "edges": 260, "percent": 16.6666667, "weights": [2,
          7], "seed": 9, "no_negative_cycle": False, "family": "knn", "degree": 5.0, "dimensions": 3, "lengths":
          False, "undirected": False, "asymmetric": True}),
        ("", "graphgen --v 40 --edges 90 --decimals 2 --weights=-3:9 --no-negative-cycle --seed 7 --verbose -o gg.txt",
         "graph    gg.txt (text)\n"
         "|V|      40\n"
         "|E|      90, 5.769 % of all, by --edges 90\n"
         "weights  -3 .. 9, no negative cycle\n"
         "decimals 2\n"
         "seed     7\n",
         {"output": "gg.txt", "format": "text", "vertices": 40, "edges": 90, "percent": 5.76923077, "weights":
          [-3, 9], "decimals": 2, "seed": 7, "no_negative_cycle": True}),
        ("", "graphgen --v 40 --family road --towns 0.4 --one-way 0.25 --seed 7 --verbose -o gg.txt",
         "graph    gg.txt (text)\n"
         "family   road, degree 2.76, cut exponent 0.35, towns 0.4, one way 0.25\n"
         "|V|      40\n"
         "|E|      98, 6.282 % of all\n"
         "weights  lengths\n"
         "seed     7\n",
         {"output": "gg.txt", "format": "text", "vertices": 40, "edges": 98, "percent": 6.28205128, "seed": 7,
          "no_negative_cycle": False, "family": "road", "degree": 2.76, "cut_exponent": 0.35, "towns": 0.4,
          "one_way": 0.25, "lengths": True, "undirected": False, "asymmetric": False}),
    )

    WRITTEN = {
        "r.json": {"vertices": 5, "edges": 8, "predecessors": True, "infinity": 1073741823, "sources": 3, "limit": 8,
                   "proved": True, "variant": "johnson", "graph": "g.csv"},
        "s.json": {"vertices": 4, "edges": 4, "predecessors": False, "infinity": 1073741823, "sources": 3,
                   "targets": 2, "variant": "sequential", "graph": "c.csv"},
        "s.co2.json": {"vertices": 4, "edges": 4, "predecessors": False, "type": "float64", "sources": 3, "targets": 2,
                       "along": "co2", "variant": "sequential", "graph": "c.csv"},
        "mh.json": {"vertices": 4, "edges": 10, "type": "float64", "variant": "sequential", "graph": "h.gr",
                    "vertices_from": 1, "directed": False, "all_sources": False, "sources": 3,
                    "omitted": "harmonic,histogram", "pairs": 9, "pairs_without_path": 0, "distance_sum": 14.5,
                    "average_distance": 1.6111111111111112, "largest_distance": {"distance": 3.25, "from": 0, "to": 3},
                    "betweenness": {"endpoints": True, "weights_times": 100, "engine": "searches"}},
        "o.txt": "|V| = 5, |E| = 8\n|T| = 2: 0 3\n\n0\t11\n5\t6\n3\t4\nINF\t0\n6\t17\n# predecessors: none\n"
                 "# solver: cpu sequential\n# solve_s: S\n# total_s: S\n# graph: g.csv\n# graph checksum: 770ea7f1\n"
                 "# id 0: a\n# id 1: b\n# id 2: c\n# id 3: d\n# id 4: e\n",
        "d.csv": "source,target,distance\na,d,11\na,c,7\ne,d,inf\nd,a,inf\na,d,11\ne,c,inf\n",
        "distances.csv": "source,target,distance,min,co2\na,d,11,14,3.5\nc,b,10,11,3\n",
        "loads.csv": "source,target,trips\na,b,10\nb,c,9\nb,d,0\nc,a,0\nc,d,7\ne,a,2\n",
        "near.csv": "vertex,id,nearest_1,distance_1,nearest_2,distance_2\n2,c,c,0,d,4\n",
        "e.csv": "vertex,eccentricity\na,11\nb,6\nc,8\nd,0\ne,17\n",
        # paths from a, b, c and e to the others but e, over ab, bc, cd and ca; none over bd
        "mm.edges.csv": "source,target,betweenness,edge_betweenness_centrality\na,b,7.0,0.35000000000000003\n"
                        "b,c,7.0,0.35000000000000003\nb,d,0.0,0.0\nc,a,3.0,0.15000000000000002\n"
                        "c,d,4.0,0.20000000000000001\ne,a,4.0,0.20000000000000001\n",
        # 4 - 2 - 3 - 1 in this order, each pair from three of four sources
        "mh.csv": "vertex,id,reached,distance_sum,eccentricity,closeness_centrality,betweenness,"
                  "betweenness_centrality\n0,1,4,7.5,3.25,0.4,3.333333333333333,0.5555555555555556\n"
                  "2,3,4,3.5,2.0,0.8571428571428571,5.333333333333333,0.8888888888888888\n"
                  "1,2,4,3.5,2.25,0.8571428571428571,4.666666666666666,0.7777777777777777\n"
                  "3,4,,,,,2.0,0.3333333333333333\n",
        "t.csv": "program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,repetition,"
                 "solve_s,total_s,transfer_s\n" + "".join('cpu,sequential,"g.csv",5,8,770ea7f1,0,1,0,"",0,%d,S\n' % k
                                                          for k in (1, 2, 3, 1, 2, 3)),
    }

    def without_times(self, value):
        """An object without what another run, or another machine, has otherwise."""
        if not isinstance(value, dict):
            return value
        return {name: self.without_times(inner) for name, inner in value.items()
                if name not in self.LEFT_OUT and not re.search("_s$|(?<!result)_checksum$", name)}

    def test_all(self):
        for name, content in self.FILES.items():
            self.write(name, content)
        for indexed, line, text, expected in self.CASES:
            if indexed:
                self.succeeds("apsp", "--index", indexed, "-o", "x.apspx", "-q")
            with self.subTest(line):
                done = self.succeeds(*line.split(), may_note="left aside|rounded to")
                said = done.out.decode()
                said = re.sub(r"(?<=_s )( *)\d[\d.e+-]*|(?<=\()\d[\d.e+-]*(?= s\))", r"\1S", said)
                self.assertEqual(said, text)
                answer = self.answer(*line.split(), may_note="left aside|rounded to")
                self.assertEqual(re.findall(r"(?m)^\w+: note: (.*)$", done.err), answer.get("graph_notes", []))
                self.assertEqual(self.without_times(answer), expected)
        for name, expected in self.WRITTEN.items():
            content = self.read(name).decode()
            with self.subTest(name):
                if name.endswith(".json"):
                    self.assertEqual(self.without_times(json.loads(content)), expected)
                else:
                    content = re.sub(r'(?<=_s: )\S+|(?<="",0,[123],).*', "S", content)
                    self.assertEqual(content, expected)


class Generator(AnswerTest):

    def test_values(self):
        answer = self.answer("graphgen", "--v", 20, "--density", "10%", "--seed", 2**62,
                             "--weights", "-3:9", "--no-negative-cycle", "--format", "gr", "-o", "g")
        self.assertEqual(list(answer), GENERATED)
        self.assertEqual([answer[key] for key in GENERATED[3:]],
                         ["g", "gr", 20, 38, 10.0, [-3, 9], 2**62, True])
        self.assertTrue(self.read("g").startswith(b"p sp 20 38\n"))
        self.assertEqual(self.answer("graphgen", "--v", 1, "--edges", 0)["percent"], 0)

    def test_families(self):
        """Members that a family does not have are not mentioned."""
        plain = [member for member in GENERATED if member != "weights"]
        answer = self.answer("graphgen", "--v", 50, "--family", "road", "--degree", "2.5")
        self.assertEqual(list(answer), plain + [
            "family", "degree", "cut_exponent", "towns", "one_way", "lengths", "undirected", "asymmetric"])
        self.assertEqual([answer[key] for key in ("edges", "family", "degree", "cut_exponent",
                                                  "lengths")], [124, "road", 2.5, 0.35, True])
        answer = self.answer("graphgen", "--v", 50, "--family", "knn", "--dimensions", 3,
                             "--weights", "2:9", "--undirected")
        self.assertEqual(list(answer), GENERATED + [
            "family", "degree", "dimensions", "lengths", "undirected", "asymmetric"])
        self.assertEqual([answer[key] for key in ("weights", "dimensions", "lengths",
                                                  "undirected")], [[2, 9], 3, False, True])
        self.assertEqual(list(self.answer("graphgen", "--v", 5, "--family", "star",
                                          "--asymmetric")),
                         GENERATED + ["family", "lengths", "undirected", "asymmetric"])

    def test_stdout_is_not_free(self):
        for name in ("-", "/dev/stdout"):
            answer = self.failure(BAD_INPUT, "graphgen", "--v", 3, "--edges", 2, "--json", "-o", name)
            self.assertIn("standard output is taken by the graph (--output %s)" % name,
                          answer["error"])

    def test_failures(self):
        for status, args in ((BAD_INPUT, ["--v", 3]), (BAD_INPUT, ["--v", "x"]),
                             (NO_RESOURCE, ["--v", 3, "--edges", 2, "-o", "absent/g"])):
            self.assertEqual(list(self.failure(status, "graphgen", "--json", *args)), FAILURE)


class Verifier(AnswerTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)
        self.succeeds("cpu")

    def test_proved(self):
        for options in ([], ["--distances-only"]):
            self.succeeds("cpu", *options)
            answer = self.answer("verify", "output.txt", "--threads", 2)
            self.assertEqual(list(answer), PROVED)
            checksum = self.result().note("graph checksum")
            self.assertEqual(
                {key: answer[key] for key in JUDGED if key != "proof_s"},
                {"verdict": "proved", "result": "output.txt", "graph": "graphFile.txt",
                 "vertices": 5, "vertices_from": 0, "result_vertices": 5, "result_sources": 5,
                 "result_limit": None, "edges": 8, "edges_kept": 6, "weights": [1, 5],
                 "entries": 25, "comparisons": 30,
                 "checksum": checksum, "result_checksum": checksum,
                 "predecessors": not options, "threads": 2, "notes": [],
                 "refutation": None})
            self.assertTrue(0 < answer["proof_s"] < 60)
        self.write("bare", self.result().matrices_text() + "# predecessors: none\n")
        self.assertIsNone(self.answer("verify", "bare")["result_checksum"])

    def refutation(self, *args):
        answer = self.failure(REFUTED, "verify", "--json", *args)
        self.assertEqual(list(answer), FAILURE + JUDGED)
        self.assertEqual(answer["verdict"], "refuted")
        self.assertEqual(list(answer["refutation"]), REFUTATION)
        return [answer["refutation"][key] for key in REFUTATION]

    def test_refuted(self):
        right = self.result()
        for matrix, i, j, wrong, expected in (
                ("dist", 0, 1, 4, ["c", "an edge is shorter", 0, 1, 4, 3, 2, 1, False]),
                ("dist", 0, 4, 7, ["a", "no predecessor", 0, 4, 7, None, None, None, False]),
                ("pred", 0, 1, 2, ["b", "predecessor is no neighbour", 0, 1, 3, 2, None, None,
                                   False]),
                ("pred", 0, 1, 1, ["b", "predecessor is the vertex itself", 0, 1, 3, 1, None, None,
                                   False]),
                ("pred", 0, 4, 3, ["a", "predecessor of unreachable", 0, 4, None, 3, None, None,
                                   False]),
                ("pred", 0, 1, 0, ["b", "distance is not that by its predecessor", 0, 1, 3, 0, 0,
                                   5, False])):
            with self.subTest(expected):
                mutant = right.copy()
                getattr(mutant, matrix)[i][j] = wrong
                self.write("wrong", mutant.text())
                self.assertEqual(self.refutation("wrong"), expected)
                # Nothing is told of paths that are not proved.
                self.assertEqual(self.refutation("wrong", "--path", 0, 1, "--from", 0), expected)

    def test_other_graph(self):
        self.write("other.txt", Graph(5, [(0, 1, 1)]))
        self.assertIs(self.refutation("output.txt", "-g", "other.txt")[-1], True)
        said = self.failure(REFUTED, "verify", "--json", "output.txt", "-g", "other.txt")
        self.assertEqual(said["result_checksum"], self.result().note("graph checksum"))
        self.assertNotEqual(said["checksum"], said["result_checksum"])
        self.write("small.txt", Graph(2, [(0, 1, 1)]))
        self.assertEqual(self.refutation("output.txt", "-g", "small.txt"),
                         [None, "size", None, None, None, None, None, None, True])

    def test_notes(self):
        """Notes tell what does not fit, and proves or refutes nothing; they are not on standard
        error then."""
        result = self.result()
        result.m, result.notes[-1] = 7, "# graph checksum: none"
        self.write("odd", result.text())
        self.assertEqual(self.answer("verify", "odd")["notes"],
                         ["odd: its graph checksum is not eight hexadecimal digits",
                          "odd: made for a graph with |E| = 7; graphFile.txt has 8"])

    def test_path(self):
        answer = self.answer("verify", "output.txt", "--path", 0, 2)
        self.assertEqual(list(answer), PROVED + ["path"])
        self.assertEqual(answer["path"], {
            "from": 0, "to": 2, "distance": 5, "edges": [
                {"from": 0, "to": 3, "weight": 2, "distance": 2},
                {"from": 3, "to": 1, "weight": 1, "distance": 3},
                {"from": 1, "to": 2, "weight": 2, "distance": 5}]})
        self.assertEqual(self.answer("verify", "output.txt", "--path", 0, 4)["path"],
                         {"from": 0, "to": 4, "distance": None, "edges": None})
        self.assertEqual(self.answer("verify", "output.txt", "--path", 4, 4)["path"],
                         {"from": 4, "to": 4, "distance": 0, "edges": []})

    def test_from_in_a_long_chain(self):
        """Memory for the answer grows with the graph."""
        n = 3000
        self.write("graphFile.txt", Graph(n, [(v, v + 1, 100000) for v in range(n - 1)]))
        self.succeeds("cpu", "--variant", "auto", "--format", "npy", "-o", "r", "-d")
        answer = self.answer("verify", "r.dist.npy", "--from", 0, "--path", 0, n - 1)
        self.assertEqual([v["edges"] for v in answer["from"]["vertices"]], list(range(n)))
        self.assertEqual(len(answer["path"]["edges"]), n - 1)
        self.assertEqual(answer["path"]["distance"], 100000 * (n - 1))

    def test_failures(self):
        self.write("cut", self.read("output.txt")[:40])
        for status, args in ((BAD_INPUT, ["absent"]), (BAD_INPUT, ["cut"]), (BAD_INPUT, []),
                             (BAD_INPUT, ["output.txt", "--path", 0, 5]),
                             (BAD_INPUT, ["output.txt", "--from", 5]),
                             (BAD_INPUT, ["output.txt", "-g", "absent"])):
            with self.subTest(args):
                self.assertEqual(list(self.failure(status, "verify", "--json", *args)), FAILURE)


class Failures(AnswerTest):
    """Every failure has an answer, which says what stderr says."""

    def test_usage(self):
        self.write("graphFile.txt", GRAPH)
        for program, args, _ in test_options.Usage.CASES:
            for order in (["--json"] + args, ["-q", "--json"] + args):
                with self.subTest(program=program, args=order):
                    self.assertEqual(list(self.failure(BAD_INPUT, program, *order)), FAILURE)
        # After an option that fails, --json counts as well; after --, it is a file.
        self.failure(BAD_INPUT, "cpu", "--threads", 0, "--json")
        self.assertEqual(self.fails(BAD_INPUT, "--threads", "cpu", "--threads", 0, "--",
                                    "--json").out, b"")

    def test_each_status(self):
        self.write("far.txt", Graph(3, [(0, 1, 2**29), (1, 2, 2**29)]))
        self.write("cycle.txt", Graph(2, [(0, 1, 1), (1, 0, -2)]))
        self.write("bad.txt", "5 1\n0 1\n")
        self.write("huge.txt", "2000000000 0\n")
        before = self.files()
        for status, args in ((BAD_INPUT, ["far.txt", "--type", "int32"]), (BAD_INPUT, ["bad.txt"]),
                             (BAD_INPUT, ["two\nlines"]), (BAD_INPUT, [os.fsdecode(b"\xff\x9f")]),
                             (BAD_INPUT, ["x" * 4000]), (NEGATIVE_CYCLE, ["cycle.txt"]),
                             (NO_RESOURCE, ["huge.txt"]),
                             (NO_RESOURCE, ["-", "-o", "absent/out.txt"])):
            with self.subTest(args):
                finished = self.run_program("cpu", "--json", *args, stdin="1 0\n")
                answer = only_object(finished.out)
                self.assertEqual((finished.status, answer["status"]), (status, status))
                self.assertEqual(list(answer), CYCLE if status == NEGATIVE_CYCLE else FAILURE)
                if "\ufffd" not in answer["error"]:
                    self.assertEqual("cpu: %s\n" % answer["error"], finished.err)
                self.assertEqual(self.files(), before)


class Volume(ProgramTest):
    """--quiet and --verbose"""

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def test_quiet_says_nothing_but_errors(self):
        for args in (["cpu", "--check"], ["cpu", "-o", "/dev/null", "--repeat", 2],
                     ["cpu", "--format", "npy", "-o", "r"], ["graphgen", "--v", 5, "--edges", 4,
                                                             "-o", "g"], ["verify", "output.txt"]):
            for option in ("-q", "--quiet"):
                with self.subTest(args=args, option=option):
                    self.assertEqual(self.succeeds(*args, option).out, b"")
        self.fails(BAD_INPUT, "cannot open absent", "cpu", "-q", "absent")
        self.fails(BAD_INPUT, "absent", "verify", "-q", "absent")
        self.fails(NO_RESOURCE, "absent", "graphgen", "-q", "--v", 2, "--edges", 1, "-o",
                   "absent/g")
        for program in SOLVERS:
            if program in GPU_SOLVERS and gpu_missing():
                self.fails(NO_RESOURCE, "no usable GPU", program, "-q")
            else:
                self.assertEqual(self.succeeds(program, "-q").out, b"")

    def test_quiet_prints_what_was_asked_for(self):
        finished = self.succeeds("cpu", "-q", "-o", "-")
        self.assertTrue(finished.out.startswith(b"|V| = 5"))
        self.assertEqual(self.succeeds("cpu", "-q", "--list-variants").out,
                         self.succeeds("cpu", "--list-variants").out)
        self.succeeds("cpu")
        self.assertTrue(self.succeeds("verify", "-q", "output.txt", "--path", 0, 1).out
                        .startswith(b"path from 0"))

    def test_measures_were_asked_for(self):
        """By name, so --quiet prints them; unless files are asked for, which have them."""
        whole = self.succeeds("apsp", "--measures").out.decode()
        quiet = self.succeeds("apsp", "--measures", "-q").out.decode()
        self.assertIn("diameter, radius ", quiet)
        self.assertTrue(whole.endswith(quiet))
        self.assertEqual(self.succeeds("apsp", "--measures=m", "-q").out, b"")
        self.assertEqual(self.succeeds("verify", "m", "-q").out, b"")

    def test_verbose_adds_lines(self):
        normal = self.succeeds("cpu").out.decode().splitlines()
        verbose = self.succeeds("cpu", "--verbose").out.decode().splitlines()
        added = [line for line in verbose if line.split()[0]
                 not in {shorter.split()[0] for shorter in normal}]
        self.assertEqual(len(verbose), len(normal) + len(added))
        self.assertEqual([line.split()[0] for line in added],
                         ["checksum", "edges", "weights", "memory", "threads", "why"])
        self.assertIn("why      the default", added)
        self.assertIn("weights  1 .. 5", added)
        self.assertIn("why      asked for by --variant",
                      self.succeeds("cpu", "--verbose", "-v", "johnson").out.decode())
        self.write("negative.txt", Graph(2, [(0, 1, -4)]))
        self.assertIn("weights  -4 .. -4: made non-negative by Bellman-Ford potentials\n",
                      self.succeeds("cpu", "--verbose", "negative.txt").out.decode())

    def test_verbose_says_why_auto_chose(self):
        args = ["cpu", "--variant", "auto"]
        self.assertNotIn(b"why", self.succeeds(*args).out)
        self.assertRegex(self.succeeds(*args, "--verbose").out.decode(),
                         r"(?m)^why      .*predicted for \d+ threads?: sequential .*multisource .* s")
        for threads in (1, 2):
            self.assertIn("predicted for %d thread%s:" % (threads, "s"[:threads > 1]),
                          self.succeeds(*args, "--verbose", "-t", threads).out.decode())

    def test_why_names_the_graph(self):
        self.write("zero.txt", Graph(4, [(0, 1, 0), (1, 2, 0), (2, 0, 0), (2, 3, 4), (3, 0, 2)]))
        for args in (["zero.txt", "--verbose"], ["zero.txt", "--plan"]):
            self.assertRegex(self.succeeds("apsp", *args).out.decode(),
                             r"(?m)^(why      )?4 vertices, 1.25 edges each, ")
        self.assertIn("why      5 vertices, ", self.succeeds("apsp", "--verbose").out.decode())

    def test_plan_verbose_and_report_agree(self):
        """They name the same engine and predict the same seconds for the same call."""
        row = re.compile(r"^(?:why)? *(cpu:\w+)((?: +[\d.e+-]+)+)", re.MULTILINE)
        for family, v in (("grid", 900), ("road", 2000), ("power-law", 300), ("complete", 60)):
            self.succeeds("graphgen", "--v", v, "--family", family, "-o", "g.txt")
            for options in ([], ["-d", "--format", "npy"], ["--measures"], ["--measures", "--check"],
                            ["--measures", "--omit", "harmonic,histogram"],
                            ["--sources", "0-9", "--limit", 200, "--format", "none"]):
                with self.subTest(family=family, options=options):
                    args = ["apsp", "g.txt", "-t", 2, *options]
                    planned = json.loads(self.succeeds(*args, "--plan", "--json").out)["engines"]
                    planned = [engine for engine in planned if engine["engine"].startswith("cpu:")]
                    printed = self.succeeds(*args, "--plan").out.decode()
                    said = self.succeeds(*args, "--verbose").out.decode()
                    answer = json.loads(self.succeeds(*args, "--json").out)
                    fastest = planned[0]["engine"]
                    self.assertEqual(re.search(r"(?m)^variant +auto: (.*)$", said).group(1), fastest)
                    self.assertEqual(answer["chosen"], fastest)
                    columns = len(row.search(said).group(2).split())
                    rows = {name: numbers.split() for name, numbers in row.findall(said)}
                    self.assertEqual({name: numbers.split()[:columns]
                                      for name, numbers in row.findall(printed)}, rows)
                    for engine in planned:
                        self.assertEqual(rows[engine["engine"]][-1], "%.3g" % engine["total_s"])
                    if "--sources" in options:
                        self.assertIn("few", answer["why"])
                    else:
                        self.assertIn(" ".join(rows[fastest]), " ".join(answer["why"].split()))
                    head = re.search(r"(?m)^predicted seconds .*$", printed).group(0)
                    self.assertEqual("check" in head, "--check" in options)
                    self.assertEqual("measure" in head, "--measures" in options)
        self.assertIn("; 1 thread, ", self.succeeds("apsp", "g.txt", "--plan", "-t", 1).out.decode())

    def test_verbose_of_the_generator(self):
        args = ["graphgen", "--v", 200, "--density", "medium", "--verbose"]
        expected = ("graph    %s (text)\n|V|      200\n|E|      700, 1.759 %% of all, by --density "
                    "medium\nweights  1 .. 100\nseed     1\n")
        self.assertEqual(self.succeeds(*args, "-o", "g").out.decode(), expected % "g")
        finished = self.run_program(*args, "-o", "-")
        self.assertEqual((finished.out, finished.err), (self.read("g"), expected % "-"))

    def test_the_last_one_counts(self):
        self.assertEqual(self.succeeds("cpu", "--verbose", "-q").out, b"")
        self.assertIn(b"why", self.succeeds("cpu", "-q", "--verbose").out)


class Terminal(ProgramTest):
    """Colours and the progress bar: on terminals, and not where they are unwanted."""

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)
        self.succeeds("cpu")
        wrong = self.result()
        wrong.dist[0][1] += 1
        self.write("wrong.txt", wrong.text())

    def on_terminal(self, stream, program, *args, **env):
        """Returns what a program writes to stdout or stderr where that is a terminal."""
        try:
            leader, follower = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal here: %s" % error)
        with open(leader, "rb", buffering=0) as terminal:
            changes = {"TERM": "xterm", "NO_COLOR": ""}
            changes.update(env)
            process = self.start(program, *args, env=changes, **{stream: follower})
            os.close(follower)
            text = b""
            try:
                while True:
                    part = terminal.read(4096)
                    if not part:
                        break
                    text += part
            except OSError:
                pass  # the end of a terminal that nobody has open any more
            process.wait(timeout=TIMEOUT_S)
        return text.replace(b"\r\n", b"\n")

    def test_verdicts(self):
        proved = self.succeeds("verify", "output.txt").out
        refuted = self.fails(REFUTED, "check (c)", "verify", "wrong.txt").err.encode()
        for stream, file, plain, coloured in (
                ("stdout", "output.txt", proved, proved.replace(b"proved", b"\033[32mproved\033[m")),
                ("stderr", "wrong.txt", refuted,
                 b"verify: \033[31m" + refuted[len("verify: "):-1] + b"\033[m\n")):
            with self.subTest(stream):
                self.assertEqual(self.on_terminal(stream, "verify", file), coloured)
                for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "no"}):
                    self.assertEqual(self.on_terminal(stream, "verify", file, **env), plain)
        self.assertNotIn(b"\033", self.on_terminal("stdout", "verify", "--json", "output.txt"))

    def test_errors_that_are_no_verdicts_have_no_colour(self):
        self.assertEqual(self.on_terminal("stderr", "verify", "absent"),
                         b"verify: cannot open absent: No such file or directory\n")

    def test_names_do_not_reach_it_as_they_are(self):
        """Neither of what succeeds, nor of what fails, nor of options that do not exist."""
        name, shown = "a\x1b[31m\x9b1m\u202eb\n", "a?[31m??1m???b?"
        self.write(name, "p sp 2 1\na 1 2 3\n")
        runs = [("cpu", [name, "-o", name + ".out"]), ("apsp", [name, "-o", name + ".out"]),
                ("verify", [name + ".out", "-g", name, "--verbose", "--path", "1", "2"]),
                ("verify", [name + ".out", "-g", name, "--dot", "--from", "1"]),
                ("graphgen", ["--v", "2", "--edges", "1", "-o", name + ".g", "--verbose"]),
                ("cpu", [name + ".no"]), ("cpu", ["--variant", name]), ("verify", [name]),
                ("cpu", [name, "-o", name + "/x"]), ("cpu", ["--" + name.strip()])]
        for program, args in runs:
            with self.subTest(program=program, args=args):
                finished = self.run_program(program, *args)
                said = finished.out.decode("utf-8", "surrogateescape") + finished.err
                self.assertIn(shown[:-1] if args[0].startswith("--a") else shown, said)
                self.assertNotRegex(said, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\udc80-\udcff]")


class Everywhere(ProgramTest):

    def test_every_program_has_the_three_options(self):
        for program in PROGRAMS:
            with self.subTest(program):
                text = self.succeeds(program, "--help").out.decode()
                for option in ("      --json ", "  -q, --quiet ", "      --verbose "):
                    self.assertIn(option, text)


if __name__ == "__main__":
    unittest.main()
