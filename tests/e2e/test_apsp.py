# SPDX-License-Identifier: MIT
"""apsp: the same results as the single solvers, what it predicts and takes, and the rates that it
predicts by."""

import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from support import (BAD_INPUT, GPU_SOLVERS, NEGATIVE_CYCLE, NO_RESOURCE, OK, SANITIZED, TIMEOUT_S,
                     GpuTest, Graph, ProgramTest, default_signals, distances_of, gpu_missing,
                     npy_distances, parse_npy, parse_result, solved)

EXAMPLE = Graph(5, [(0, 1, 5), (0, 3, 2), (1, 2, 2), (2, 0, 3), (3, 2, 4), (3, 1, 1), (2, 4, 7)])
GRAPHS = {
    "one vertex": Graph(1, []),
    "no edges": Graph(4, []),
    "example": EXAMPLE,
    "negative edges": Graph(4, [(0, 1, -3), (1, 2, 5), (2, 0, 4), (2, 3, -2)]),
    "zero cycles": Graph(4, [(0, 1, 0), (1, 0, 0), (1, 2, 3), (2, 3, 0), (3, 2, 0)]),
    "reduced weights beyond 32 bits": Graph(3, [(0, 1, 2**29), (2, 1, -2**29)]),
}
CPU_VARIANTS = ("sequential", "blocked", "blocked16", "blocked32", "johnson", "multisource",
                "dissection", "auto")
TAKEN = re.compile(r"^variant +auto: (\w+:[\w-]+)$", re.MULTILINE)
AMOUNT = r" +[\d.]+ (?:bytes|[KMG]iB)"  # of memory, in plans of runs
ROW = re.compile(r"^ *(\w+:[\w-]+)((?: +[\d.e+-]+){6})(?:%s){0,2}(?:  not: (.*))?$" % AMOUNT, re.MULTILINE)
BUSY = r"apsp: warning: the machine is busy: .*"
ROW_OF_NEGATIVE = re.compile(ROW.pattern.replace("{6}", "{7}"), re.MULTILINE)


def rows(text):
    """Returns the rows of a plan: (engine, read, prepare, transfer, solve, write, total, why it is
    not taken)."""
    return [(engine, *map(float, seconds.split()), why) for engine, seconds, why
            in ROW.findall(text)]


class Solving(ProgramTest):

    def test_distances_and_proof(self):
        for name, graph in GRAPHS.items():
            with self.subTest(name):
                self.write("graphFile.txt", graph)
                finished = self.succeeds("apsp")
                self.assertRegex(finished.out.decode("ascii"), TAKEN)
                self.assertEqual(self.result("output_apsp.txt").dist, distances_of(graph))
                self.proves("output_apsp.txt")

    def test_every_variant_of_cpu(self):
        self.write("graphFile.txt", EXAMPLE)
        expected = solved(EXAMPLE)
        for variant in CPU_VARIANTS:
            with self.subTest(variant):
                finished = self.succeeds("apsp", "--variant", "cpu:" + variant, "--check")
                self.assertRegex(finished.out.decode("ascii"), r"(?m)^variant +cpu:%s\b" % variant)
                self.assertIn("checked  proved", finished.out.decode("ascii"))
                result = self.result("output_apsp.txt")
                self.assertEqual(result.dist, expected.dist)
                self.assertEqual(result.note("solver"), "apsp cpu:" + variant)

    def test_variants_are_those_of_the_solvers(self):
        listed = self.succeeds("apsp", "--list-variants").out.decode("utf-8").splitlines()
        expected = ["auto"]
        for program in ("cpu",) + GPU_SOLVERS:
            own = self.succeeds(program, "--list-variants").out.decode("utf-8").splitlines()
            expected += ["%s:%s" % (program, line.split()[0]) for line in own]
        self.assertEqual([line.split()[0] for line in listed], expected)
        self.assertEqual([line.split()[0] for line in listed if line.endswith("[default]")],
                         ["auto"])

    def test_input_and_output_are_those_of_the_solvers(self):
        decimal = "5 2\n0 1 0.5\n1 2 1.25\n"
        for args, stdin, more in (
                (["-d"], None, []),
                (["--undirected"], None, ["--undirected"]),
                (["--threads", "1"], None, []),
                (["--repeat", "2"], None, []),
                (["-", "--scale", "4"], decimal, ["--scale", "4"]),
                (["-"], gzip.compress(EXAMPLE.text().encode("ascii")), []),
                (["-"], "p sp 3 1\na 1 3 7\n", []),
                (["-"], "%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n1 3 7\n", []),
                (["-"], "0 1 5\n1 2 6\n", [])):
            with self.subTest(args=args, stdin=stdin):
                self.write("graphFile.txt", EXAMPLE if stdin is None else
                           stdin if isinstance(stdin, str) else gzip.decompress(stdin))
                self.succeeds("cpu", *args, "-o", "cpu.txt", stdin=stdin)
                self.succeeds("apsp", *args, "-o", "apsp.txt", stdin=stdin)
                ours, theirs = self.result("apsp.txt"), self.result("cpu.txt")
                self.assertEqual((ours.n, ours.m, ours.dist, ours.note("graph checksum")),
                                 (theirs.n, theirs.m, theirs.dist, theirs.note("graph checksum")))
                self.assertEqual(ours.pred is None, "-d" in args)
                self.proves("apsp.txt", *more)

    def test_output_to_stdout(self):
        self.write("graphFile.txt", EXAMPLE)
        finished = self.run_program("apsp", "-o", "-", "--verbose")
        self.assertEqual(finished.status, OK)
        self.assertEqual(parse_result(finished.out).dist, distances_of(EXAMPLE))
        self.assertRegex(finished.err, TAKEN)
        self.assertIn("predicted seconds", finished.err)

    def test_numpy(self):
        self.write("graphFile.txt", EXAMPLE)
        self.succeeds("apsp", "--format", "npy")
        self.assertEqual(parse_npy(self.read("output_apsp.dist.npy")),
                         npy_distances(distances_of(EXAMPLE)))
        self.assertEqual(json.loads(self.read("output_apsp.json"))["program"], "apsp")
        self.proves("output_apsp.dist.npy")

    def test_timings(self):
        self.write("graphFile.txt", EXAMPLE)
        self.succeeds("apsp", "--repeat", "3", "--csv", "t.csv", "--threads", "2")
        with open(self.path("t.csv"), encoding="utf-8") as file:
            found = list(csv.DictReader(file))
        self.assertEqual([(row["program"], row["variant"], row["threads"]) for row in found],
                         [("apsp", "auto", "2")] * 3)

    def test_verbose_says_what_was_considered(self):
        self.succeeds("graphgen", "--v", "300", "--edges", "1500")
        quiet = self.succeeds("apsp").out.decode("ascii")
        self.assertEqual(rows(quiet), [])
        text = self.succeeds("apsp", "--verbose").out.decode("ascii")
        found = rows(text)
        seen = r"300 vertices, 5 edges each, 100 % reached from each"
        seen += r", paths of up to \d+ edges and length \d+; \d+ threads?, "
        self.assertRegex(text, r"(?m)^why +" + seen)
        planned = self.succeeds("apsp", "--plan").out.decode("utf-8")
        self.assertRegex(planned, r"(?m)^" + seen)
        self.assertEqual(TAKEN.search(text).group(1), found[0][0])
        self.assertGreater(len(found), 4)


class Statuses(ProgramTest):

    def test_each(self):
        self.write("graphFile.txt", EXAMPLE)
        self.write("cycle.txt", Graph(2, [(0, 1, 1), (1, 0, -2)]))
        self.write("far.txt", Graph(3, [(0, 1, 2**29), (1, 2, 2**29)]))
        self.write("broken.txt", "5 1\n0 1\n")
        self.write("huge.txt", "2000000000 0\n")
        before = self.files()
        for status, message, *args in (
                (BAD_INPUT, "--list-variants", "--variant", "nope"),
                (BAD_INPUT, "expected cpu:sequential, found 'sequential'", "--variant", "sequential"),
                (BAD_INPUT, "--list-variants", "--variant", "cpu"),
                (BAD_INPUT, "no tile size", "--tile", "16"),
                (BAD_INPUT, "--distances-only", "--variant", "cuda_simple:naive"),
                (BAD_INPUT, "--calibrate", "--calibrate=0"),
                (BAD_INPUT, "--calibrate", "--calibrate=x"),
                (BAD_INPUT, "--calibrate", "--calibrate=100000"),
                (BAD_INPUT, "broken.txt:1: ", "broken.txt"),
                (BAD_INPUT, "broken.txt:1: ", "--plan", "broken.txt"),
                (BAD_INPUT, "cannot open absent.txt", "absent.txt"),
                (BAD_INPUT, "cannot open absent.txt", "--plan", "absent.txt"),
                (BAD_INPUT, "distance from 0 to 2 is out of range", "far.txt", "--type",
                 "int32"),
                (NEGATIVE_CYCLE, "negative cycle of weight -1", "cycle.txt"),
                (NO_RESOURCE, "huge.txt: ", "huge.txt"),
                (NO_RESOURCE, "cannot write absent/x", "-o", "absent/x"),
                (NO_RESOURCE, "cannot write absent/x.dist.npy", "--format", "npy", "-o",
                 "absent/x")):
            with self.subTest(args=args):
                self.fails(status, message, "apsp", *args)
                self.assertEqual(self.files(), before)

    def test_wrong_instruction_set(self):
        self.write("graphFile.txt", EXAMPLE)
        self.fails(BAD_INPUT, "APSP_SIMD", "apsp", env={"APSP_SIMD": "none"})
        self.fails(BAD_INPUT, "APSP_SIMD", "apsp", "--plan", env={"APSP_SIMD": "none"})


class WithoutGpu(ProgramTest):

    def setUp(self):
        super().setUp()
        if gpu_missing() is None:
            self.skipTest("this machine has a usable GPU")
        self.succeeds("graphgen", "--v", "100", "--edges", "500")

    def test_engines_of_a_gpu_say_why_they_cannot_solve(self):
        for variant in ("cuda_simple:thesis", "cuda_blocked:auto", "cuda_sparse:multisource"):
            with self.subTest(variant):
                finished = self.fails(NO_RESOURCE, "no usable GPU: ", "apsp", "--variant", variant)
                self.assertEqual(finished.out, b"")
                self.assertEqual(self.files(), ["graphFile.txt"])

    def test_plans_with_the_cpu_and_says_so(self):
        text = self.succeeds("apsp", "--plan").out.decode("ascii")
        self.assertRegex(text.splitlines()[0], r"; no usable GPU: ")
        self.assertEqual({engine.split(":")[0] for engine, *_ in rows(text)}, {"cpu"})

    def test_rates_that_ask_for_a_gpu_do_not_make_one(self):
        """It is looked for, not found, and the CPU solves."""
        rates = {"version": 1, "rates": {"cpu_" + name: 1000 for name in
                                         ("sequential", "blocked", "johnson", "multisource")}}
        rates["rates"]["gpu_context_ms"] = 1
        os.makedirs(self.path("config", "apsp"))
        self.write("config/apsp/rates.json", json.dumps(rates))
        text = self.succeeds("apsp", "--verbose", env={"XDG_CONFIG_HOME": self.path("config")}
                             ).out.decode("ascii")
        self.assertRegex(text, TAKEN)
        self.assertIn("no usable GPU: ", text)
        self.proves("output_apsp.txt")


class WithGpu(GpuTest):

    def test_every_engine(self):
        self.succeeds("graphgen", "--v", "200", "--edges", "2000")
        self.succeeds("cpu")
        expected = self.result().dist
        for program in GPU_SOLVERS:
            listed = self.succeeds(program, "--list-variants").out.decode("utf-8")
            for variant in (line.split()[0] for line in listed.splitlines()):
                with self.subTest(program=program, variant=variant):
                    finished = self.run_program("apsp", "--distances-only", "--variant",
                                                "%s:%s" % (program, variant))
                    if "not exact for this graph" in finished.err:
                        continue
                    self.assertEqual((finished.status, finished.err), (OK, ""))
                    self.assertEqual(self.result("output_apsp.txt").dist, expected)
                    self.assertRegex(finished.out.decode("ascii"), r"(?m)^device ")

    def test_taken_where_rates_say_so(self):
        rates = {"version": 1, "rates": {"cpu_" + name: 1000 for name in
                                         ("sequential", "blocked", "johnson", "multisource")}}
        os.makedirs(self.path("config", "apsp"))
        self.write("config/apsp/rates.json", json.dumps(rates))
        self.succeeds("graphgen", "--v", "1000", "--edges", "20000")
        text = self.succeeds("apsp", "--verbose", env={"XDG_CONFIG_HOME": self.path("config")}
                             ).out.decode("ascii")
        self.assertRegex(TAKEN.search(text).group(1), "^cuda_")
        self.assertRegex(text, r"(?m)^device ")
        self.assertRegex(text, r"(?m)^transfer ")
        self.proves("output_apsp.txt")

    def test_a_device_that_is_not_there(self):
        self.write("graphFile.txt", EXAMPLE)
        text = self.succeeds("apsp", "--plan", "--device", "1000").out.decode("ascii")
        self.assertIn("no usable GPU: ", text)


class Plans(ProgramTest):

    def test_the_first_is_what_is_taken(self):
        for n, edges in ((20, 60), (300, 100), (300, 3000), (600, 250000)):
            with self.subTest(n=n, edges=edges):
                self.succeeds("graphgen", "--v", n, "--edges", edges)
                planned = rows(self.succeeds("apsp", "--plan").out.decode("ascii"))
                self.assertEqual(self.files(), ["graphFile.txt"])
                usable = [row for row in planned if row[-1] == ""]
                self.assertEqual(planned[:len(usable)], usable)
                totals = [row[6] for row in usable]
                self.assertEqual(totals, sorted(totals))
                for row in planned:  # of three digits each
                    self.assertAlmostEqual(sum(row[1:6]) / row[6], 1, delta=0.03)
                taken = TAKEN.search(self.succeeds("apsp").out.decode("ascii")).group(1)
                self.assertEqual(taken, planned[0][0])
                os.remove(self.path("output_apsp.txt"))

    def test_options_count(self):
        self.succeeds("graphgen", "--v", "400", "--edges", "4000")

        def best(*options):
            return rows(self.succeeds("apsp", "--plan", *options).out.decode("ascii"))[0]

        both, one = best("--threads", "2"), best("--threads", "2", "--distances-only")
        self.assertLess(one[5], both[5])  # half as much to write
        self.assertLess(best("--threads", "4")[4], both[4])
        self.assertGreater(best("--threads", "2", "--undirected")[1], both[1])

    def test_json(self):
        self.succeeds("graphgen", "--v", "300", "--edges", "3000")
        planned = rows(self.succeeds("apsp", "--plan", "--verbose").out.decode("ascii"))
        answer = json.loads(self.succeeds("apsp", "--plan", "--json").out)
        self.assertEqual((answer["program"], answer["status"], answer["graph"], answer["vertices"],
                          answer["edges"], answer["reached"]),
                         ("apsp", OK, "graphFile.txt", 300, 3000, 1))
        self.assertGreater(answer["hops"], 1)
        self.assertGreater(answer["longest"], 1)
        self.assertEqual(answer["core"], 300)  # nothing is worth eliminating
        self.assertIsNone(answer["fill"])
        self.assertEqual((answer["gpu"] is None), (answer["no_gpu"] is not None))
        ranked = [engine for engine in answer["engines"]
                  if answer["gpu"] is not None or engine["engine"].startswith("cpu:")]
        self.assertEqual([(engine["engine"], engine["not_taken"] or "") for engine in ranked],
                         [(row[0], row[-1]) for row in planned])
        for engine in answer["engines"]:
            self.assert_sum(engine)
            self.assertEqual(engine["potentials_s"], 0)
        self.assertEqual(answer["potentials_most_s"], 0)

    def test_few_sources(self):
        """A search from each is planned and taken, whatever is predicted; of more rows, and of all, a prediction decides."""
        self.succeeds("graphgen", "--v", "200", "--edges", "6000", "-o", "int32.txt")
        self.write("float64.txt", re.sub(r"(\d)$", r"\1.25", self.read("int32.txt").decode(), flags=re.MULTILINE)
                   .replace(".25", "", 1))
        self.write("two.txt", "2 1\n0 1 3\n")
        for graph, sources, *options, few in (
                ("int32.txt", "0", True), ("int32.txt", "7", "-d", True), ("int32.txt", "0", "--measures", True),
                ("int32.txt", "0", "--check", True), ("float64.txt", "0", True), ("float64.txt", "9", "-d", True),
                ("float64.txt", "0", "--measures", "--check", True), ("two.txt", "0", True), ("two.txt", "0-1", False),
                ("int32.txt", "0-15", True), ("int32.txt", "0-16", False), ("float64.txt", "0-16", "-d", False),
                ("int32.txt", "0-63", "--limit", "3", True), ("int32.txt", "0-64", "--limit", "3", False)):
            with self.subTest(graph=graph, sources=sources, options=options):
                args = (graph, "--sources", sources, *options, "--json")
                plan = json.loads(self.succeeds("apsp", *args, "--plan").out)["engines"]
                done = [json.loads(self.succeeds(*program, *args, "--format", "none").out)
                        for program in (("apsp",), ("cpu", "-v", "auto"))]
                self.assertEqual(done[0]["chosen"], plan[0]["engine"])
                self.assertEqual([answer["why"].startswith("few sources: ") for answer in done], [few, few])
                usable = [engine["engine"] for engine in plan if engine["not_taken"] is None]
                self.assertEqual(len(usable) == 1, few)
                if few:
                    self.assertEqual([usable[0], *(answer["chosen"] for answer in done)],
                                     ["cpu:johnson", "cpu:johnson", "johnson"])

    def test_components(self):
        name = [f"p{v // 2}{'ab'[v % 2]}" for v in range(20000)]
        self.write("pairs.txt", "".join(f"{name[v]} {name[v ^ 1]} 3\n" for v in range(20000)))
        options = ("pairs.txt", "--input-format", "wel", "--measures=out", "--threads", "1")
        answer = json.loads(self.succeeds("apsp", *options, "--plan", "--json").out)
        self.assertEqual(answer["components"], 10000)
        self.assertLess(answer["engines"][0]["total_s"], .05)
        for engine in answer["engines"]:
            self.assert_sum(engine)
        done = json.loads(self.succeeds("apsp", *options, "--check", "--json").out)
        self.assertEqual((done["chosen"], done["checked"]), ("cpu:johnson", True))
        same = ",2,3,3,1.6667500041668748e-05,0.33333333333333331\n"
        with open(self.path("out.csv")) as file:
            self.assertEqual(file.readlines()[1:], [f"{v},{name[v]}{same}" for v in range(20000)])
        # A graph of two equal parts, with half of its vertices as sources, has as many sources as one part with
        # all of its vertices, but rows twice as long.
        edges = [(v, (v + step) % 1500, 1 + v % 90) for v in range(1500) for step in (1, 2, 5, 30, 200, 700)]
        seconds = []
        for parts in 1, 2:
            self.write("parts.txt", Graph(1500 * parts, [(u + 1500 * part, v + 1500 * part, w) for part in range(parts)
                                                         for u, v, w in edges]))
            plan = json.loads(self.succeeds("apsp", "parts.txt", "--plan", "--json", "-t", "1", "--sources",
                                            "random:700:1").out)
            seconds.append({engine["engine"]: engine for engine in plan["engines"]})
        for engine in "cpu:johnson", "cpu:multisource":
            one, two = (each[engine] for each in seconds)
            self.assertAlmostEqual(two["solve_s"] / one["solve_s"], 1, delta=.3)
            self.assertAlmostEqual(two["write_s"] / one["write_s"], 2, delta=.01)

    def test_elimination(self):
        self.succeeds("graphgen", "--v", "900", "--family", "grid", "-o", "grid.txt")
        if "without it (AMD=0)" in self.run_program("cpu", "grid.txt", "-v", "dissection").err:
            self.skipTest("a build without SuiteSparse's AMD")
        # On one thread the whole order is worth finding with any instructions; on several it may
        # take longer than it saves.
        plan = ("apsp", "--plan", "--threads", "1", "grid.txt")
        answer = json.loads(self.succeeds(*plan, "--json").out)
        self.assertTrue(4 < answer["fill"] < 16)
        self.assertTrue(30 < answer["height"] < 300)
        self.assertLess(answer["core"], 450)
        self.assertGreater(answer["order_s"], 0)
        self.assertIn("eliminating vertices (dissection): %.3g edges of each are left, in a tree of %d levels; it pays"
                      "%s; the order takes %.2g s on one thread\n" % (
                          answer["fill"], answer["height"],
                          " but for a core of %d vertices" % answer["core"] if answer["core"] else "", answer["order_s"]),
                      self.succeeds(*plan).out.decode())
        [dissection] = [engine for engine in answer["engines"] if engine["engine"] == "cpu:dissection"]
        self.assertLess(answer["order_s"], dissection["solve_s"])

    def assert_sum(self, engine):
        parts = [engine[part + "_s"] for part in ("read", "prepare", "transfer", "potentials",
                                                  "solve", "check", "write")]
        self.assertAlmostEqual(sum(parts) / engine["total_s"], 1, delta=1e-6)

    def test_weights_below_0(self):
        """Potentials are predicted, and not looked for: nobody finds the negative cycle."""
        for graph in (GRAPHS["negative edges"], Graph(2, [(0, 1, 1), (1, 0, -2)])):
            with self.subTest(graph=graph):
                self.write("graphFile.txt", graph)
                text = self.succeeds("apsp", "--plan").out.decode("ascii")
                self.assertRegex(text, r"(?m)^weights below 0 count as 0 here; potentials may take "
                                       r"up to [\d.e+-]+ s ")
                self.assertRegex(text, r"(?m)^predicted seconds .* transfer potentials +solve ")
                planned = ROW_OF_NEGATIVE.findall(text)
                self.assertGreater(len(planned), 4)
                self.assertEqual(len({row[1].split()[3] for row in planned}), 1)
                answer = json.loads(self.succeeds("apsp", "--plan", "--json").out)
                for engine in answer["engines"]:
                    self.assert_sum(engine)
                    self.assertGreater(engine["potentials_s"], 0)
                self.assertGreater(answer["potentials_most_s"],
                                   answer["engines"][0]["potentials_s"])

    def test_ignores_what_is_there(self):
        """--plan writes nothing, whatever it is told to write."""
        self.write("graphFile.txt", EXAMPLE)
        self.write("out.txt", "old")
        self.succeeds("apsp", "--plan", "-o", "out.txt", "--csv", "t.csv", "--check")
        self.assertEqual(self.read("out.txt"), b"old")
        self.assertEqual(self.files(), ["graphFile.txt", "out.txt"])


@unittest.skipIf(SANITIZED, "sanitizers are what would be measured")
class Calibration(ProgramTest):

    NAMES = {"read_edge_ns", "touch_cell_ns", "text_cell_ns", "write_cell_ns", "gpu_context_ms",
             "gpu_upload_edge_ns", "gpu_download_cell_ns", "cpu_sequential", "cpu_blocked",
             "cpu_johnson", "cpu_multisource", "cuda_simple", "cuda_blocked", "cuda_sparse"}

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("tmp"))
        self.env = {"XDG_CONFIG_HOME": self.path("config"), "TMPDIR": self.path("tmp")}

    def plan(self, **env):
        return rows(self.succeeds("apsp", "--plan", env={**self.env, **env}).out.decode("ascii"))

    def calibrate(self, *options, **how):
        """Measures on a machine that may run other tests at the same time, which is all that it may
        complain of."""
        finished = self.run_program("apsp", "--calibrate=1", "--even-if-busy", *options,
                                    env=self.env, **how)
        self.assertEqual(finished.status, OK, finished)
        self.assertRegex(finished.err, r"^(%s\n)?$" % BUSY)
        return finished

    def test_rates_are_measured_kept_and_used(self):
        self.succeeds("graphgen", "--v", "500", "--edges", "20000")
        before = self.plan()
        out = self.calibrate().out.decode("utf-8")
        kept = json.loads(self.read("config/apsp/rates.json"))
        self.assertEqual(kept["version"], 1)
        self.assertEqual(set(kept["rates"]), self.NAMES)
        measured = dict(re.findall(r"(?m)^(\w+) +([\d.e+-]+) ", out))
        self.assertGreaterEqual(set(measured), {"read_edge_ns", "touch_cell_ns", "text_cell_ns",
                                                "write_cell_ns"})
        for name, value in measured.items():
            self.assertAlmostEqual(kept["rates"][name] / float(value), 1, delta=0.01)
        self.assertIn("kept in " + self.path("config/apsp/rates.json"), out)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertNotEqual(before, self.plan())

    def test_json(self):
        finished = self.calibrate("--json")
        answer = json.loads(finished.out)
        kept = json.loads(self.read("config/apsp/rates.json"))["rates"]
        self.assertEqual(set(answer["rates"]), set(kept))
        for name, rate in kept.items():
            self.assertAlmostEqual(answer["rates"][name] / rate, 1, delta=1e-4)
        self.assertEqual(answer["file"], self.path("config/apsp/rates.json"))
        self.assertEqual(list(answer), ["program", "version", "status", "rates", "file", "busy"])
        self.assertIs(answer["busy"], finished.err != "")
        self.assertEqual(self.calibrate("-q").out, b"")

    def test_a_busy_machine(self):
        """Three programs that never wait, on the one processor that apsp may use: it gets a quarter
        of it, says so, and keeps no rates unless it is told to."""
        one = {min(os.sched_getaffinity(0))}
        for _ in range(3):
            rival = subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                     preexec_fn=lambda: os.sched_setaffinity(0, one))
            self.addCleanup(rival.wait)
            self.addCleanup(rival.kill)
        os.makedirs(self.path("config", "apsp"))
        self.write("config/apsp/rates.json", "{}")
        self.fails(NO_RESOURCE, "no rates are kept", "apsp", "--calibrate=1", env=self.env,
                   preexec_fn=lambda: (default_signals(), os.sched_setaffinity(0, one)))
        self.assertEqual(self.read("config/apsp/rates.json"), b"{}")
        finished = self.calibrate(
            "--json", preexec_fn=lambda: (default_signals(), os.sched_setaffinity(0, one)))
        self.assertIs(json.loads(finished.out)["busy"], True)
        self.assertRegex(finished.err, BUSY)
        kept = json.loads(self.read("config/apsp/rates.json"))["rates"]
        self.assertEqual(set(kept), self.NAMES)

    def test_opens_no_file_but_its_own(self):
        """Whatever others have put into TMPDIR: pipes without a reader do not make it wait, and
        nothing is written through links."""
        self.write("victim", "precious")
        for name in ("apsp-graph", "apsp-matrix", ".apsp-graph"):
            os.symlink("../victim", self.path("tmp", name))
        os.mkfifo(self.path("tmp", "pipe"))
        for name in ("graph", "matrix"):
            os.remove(self.path("tmp", "apsp-" + name))
            os.symlink("pipe", self.path("tmp", "apsp-" + name))
        before = sorted(os.listdir(self.path("tmp")))
        self.calibrate()
        self.assertEqual(self.read("victim"), b"precious")
        self.assertEqual(sorted(os.listdir(self.path("tmp"))), before)

    def test_rates_that_are_no_file(self):
        """A pipe without a reader, or a device, is not opened; a link to a file is followed."""
        path = self.path("config", "apsp", "rates.json")
        os.makedirs(os.path.dirname(path))
        os.mkfifo(self.path("pipe"))
        for target in (self.path("pipe"), "/dev/full", self.path("tmp")):
            with self.subTest(target=target):
                os.symlink(target, path)
                self.assertIn("rates.json: expected a regular file",
                              self.run_program("apsp", "--calibrate=1", "--even-if-busy", "-q",
                                               env=self.env).err)
                os.remove(path)
        self.write("elsewhere.json", "old")
        os.symlink(self.path("elsewhere.json"), path)
        self.calibrate()
        self.assertEqual(set(json.loads(self.read("elsewhere.json"))["rates"]), self.NAMES)
        self.assertTrue(os.path.islink(path))

    def test_one_rate_scales_one_engine(self):
        self.succeeds("graphgen", "--v", "500", "--edges", "20000")
        before = {row[0]: row for row in self.plan()}
        os.makedirs(self.path("config", "apsp"))
        self.write("config/apsp/rates.json",
                   json.dumps({"version": 1, "rates": {"cpu_johnson": 10}}))
        after = {row[0]: row for row in self.plan()}
        for engine, row in after.items():
            factor = 10 if engine == "cpu:johnson" else 1
            self.assertAlmostEqual(row[4] / before[engine][4], factor, delta=0.02 * factor)

    def test_home(self):
        """Without XDG_CONFIG_HOME, .config in HOME; without both, nowhere."""
        self.write("graphFile.txt", EXAMPLE)
        os.makedirs(self.path("home", ".config", "apsp"))
        self.write("home/.config/apsp/rates.json", "{}")
        for config in ("", "relative"):
            self.fails(BAD_INPUT, "home/.config/apsp/rates.json: expected ", "apsp",
                       env={"XDG_CONFIG_HOME": config, "HOME": self.path("home")})
        self.succeeds("apsp", env={"XDG_CONFIG_HOME": "", "HOME": ""})
        self.fails(NO_RESOURCE, "found neither", "apsp", "--calibrate=1",
                   env={"XDG_CONFIG_HOME": "", "HOME": ""})

    def test_malformed_rates(self):
        self.write("graphFile.txt", EXAMPLE)
        os.makedirs(self.path("config", "apsp"))
        before = self.files()
        for content in ("", "{", "[" * 8000, " " * 9000,
                        json.dumps({"version": 1, "rates": {"cpu_blocked": -1}}),
                        json.dumps({"version": 1, "rates": {"new": 1}}), "\0", "\xff"):
            with self.subTest(content=content[:20]):
                self.write("config/apsp/rates.json", content)
                for options in ([], ["--plan"]):
                    self.fails(BAD_INPUT, "config/apsp/rates.json:", "apsp", *options,
                               env=self.env)
                self.assertEqual(self.files(), before)
        # An engine that is asked for needs none.
        self.succeeds("apsp", "--variant", "cpu:johnson", env=self.env)
        os.remove(self.path("config/apsp/rates.json"))
        os.mkfifo(self.path("config/apsp/rates.json"))  # nothing waits for it
        self.fails(BAD_INPUT, "a regular file", "apsp", env=self.env)

    def test_cannot_be_kept(self):
        for expected, env in (
                ("cannot write /dev/null/apsp/rates.json", {"XDG_CONFIG_HOME": "/dev/null"}),
                ("cannot make a file in %s: " % self.path("absent"),
                 {"TMPDIR": self.path("absent")})):
            with self.subTest(env):
                finished = self.run_program("apsp", "--calibrate=1", "--even-if-busy",
                                            env={**self.env, **env})
                self.assertEqual(finished.status, NO_RESOURCE)
                self.assertIn("apsp: " + expected, finished.err.splitlines()[-1])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_signal_leaves_nothing_behind(self):
        """Neither one that can be handled nor one that cannot, after so many measurements."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for measured in range(4):
                with self.subTest(number=number, measured=measured):
                    process = self.start("apsp", "--calibrate=60", env=self.env,
                                         preexec_fn=default_signals)
                    for _ in range(measured):
                        self.assertRegex(process.stdout.readline(), rb"^\w+ +[\d.]")
                    process.send_signal(number)
                    process.communicate(timeout=TIMEOUT_S)
                    self.assertEqual(process.returncode, -number)
                    self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertFalse(os.path.exists(self.path("config/apsp/rates.json")))


class OptionsOfAnswers(ProgramTest):

    OPTIONS = (["--distances-only"], ["--sources", "0"], ["--targets", "0"], ["--limit", "3"],
               ["--measures"], ["--along", "x"], ["--check"], ["--format", "text"],
               ["--csv", "t.csv"], ["--repeat", "2"], ["--variant", "cpu:bfs"], ["--device", "0"],
               ["--devices", "0"], ["--resume"], ["--tile", "8"], ["--betweenness"],
               ["--omit", "histogram"])
    ANSWERS = (
        # what asks for an answer, and the options above that it takes
        (["--pairs", "p.csv"], {"--limit", "--check", "--variant", "--device", "--devices", "--tile"}),
        (["--demand", "p.csv"], {"--check"}),
        (["--gravity", "m.csv"], {"--sources", "--check"}),
        (["--accessibility", "m.csv", "--nearest", "1"], {"--sources", "--device"}),
        (["--diameter"], {"--check"}),
        (["--index"], set()),
        (["--calibrate"], {"--device", "--devices"}),
    )

    def test_options_are_taken_or_refused(self):
        """No answer ignores an option of another."""
        self.write("g.txt", "2 1\n0 1 1\n")
        self.write("p.csv", b"0,1,1\n")
        self.write("m.csv", b"v,jobs\n0,5\n")
        for answer, takes in self.ANSWERS:
            for option in self.OPTIONS:
                if option[0] in takes or (answer[0], option[0]) == ("--pairs", "--along"):
                    continue
                with self.subTest(answer=answer[0], option=option[0]):
                    self.fails(BAD_INPUT, "%s: expected no option of other answers, found %s ("
                               % (answer[0], option[0]), "apsp", "g.txt", *answer, *option)
            for option in self.OPTIONS:
                if option[0] in takes and not option[0].startswith("--device") and option[0] != "--tile":
                    self.succeeds("apsp", "g.txt", *answer, *option, "-q")
        self.fails(BAD_INPUT, "--calibrate: expected no graph, found 'g.txt'", "apsp", "g.txt", "--calibrate=1")
        self.fails(BAD_INPUT, "--plan and --check: expected one of them with --diameter", "apsp", "g.txt",
                   "--diameter", "--plan", "--check")
        self.fails(BAD_INPUT, "found --output (", "apsp", "--calibrate", "-o", "x")
        self.fails(BAD_INPUT, "expected --calibrate", "apsp", "g.txt", "--even-if-busy")
        self.fails(BAD_INPUT, "--plan and --calibrate", "apsp", "g.txt", "--plan", "--calibrate")


if __name__ == "__main__":
    unittest.main()
