# SPDX-License-Identifier: MIT
"""Tests of the campaign runner, with the real programs on the smallest graphs.

The programs are taken from bin/, or from the folder that the environment variable APSP_BIN names.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments import environment, timings, variants  # noqa: E402 (found by the line above)
from experiments.campaign import run  # noqa: E402
from experiments.timings import Measurement  # noqa: E402
from thesis_tables import plot, render  # noqa: E402
from thesis_tables.published import schedule  # noqa: E402
from thesis_tables.published.schedule import Graph  # noqa: E402

ROOT = run.ROOT
BIN = (ROOT / os.environ.get("APSP_BIN", "bin")).resolve()
THERE = [name for name in schedule.PROGRAMS if os.access(BIN / name, os.X_OK)]
BUILT = "cpu" in THERE and all(os.access(BIN / name, os.X_OK) for name in run.HELPERS)
CLASSES = ("dense", "sparse", "medium")

# A stand-in for a program: runs the real one, unless what it does first ends it.
STAND_IN = """#!{python}
import os, struct, subprocess, sys, time
arguments = sys.argv[1:]
def vertices():
    return int(open(arguments[-1]).read().split()[0])
if "--list-variants" in arguments:
    os.execv({real!r}, [{real!r}] + arguments)
{first}
os.execv({real!r}, [{real!r}] + arguments)
"""


def measurement(solve_s: float) -> Measurement:
    return Measurement("dense", 5, 1, run.SEED, "cpu", "sequential", True, 1, 0, "", "", "", "", "",
                       True, "", (solve_s,), (solve_s,), (0.0,))


class Campaigns(unittest.TestCase):
    """Runs run.py into a folder that lasts as long as a test."""

    def setUp(self) -> None:
        if not BUILT:
            self.skipTest(f"the programs are not built in {BIN}")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"
        self.timings = self.out / "timings.csv"

    def command(self, *arguments: str, bin_dir: Path = BIN,
                programs: str = "cpu") -> list[str]:
        """Returns the command of a campaign, which measures one variant of cpu unless the arguments
        say which."""
        variant = () if "--variant" in arguments else ("--variant", "cpu=sequential")
        return [sys.executable, run.__file__, "--profile", "smoke", "--out", str(self.out), "--bin",
                str(bin_dir), "--programs", programs, *variant, *arguments]

    def campaign(self, *arguments: str, status: int = 0, bin_dir: Path = BIN,
                 programs: str = "cpu") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(self.command(*arguments, bin_dir=bin_dir, programs=programs),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              check=False, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def tables(self) -> str:
        """Returns what render.py prints of the campaign, pictures left out."""
        said = io.StringIO()
        with mock.patch.object(plot, "GNUPLOT", "no-such-gnuplot"), \
                contextlib.redirect_stdout(said):
            status = render.main(["--timings", str(self.timings), "--out", str(self.out), "--show"])
        self.assertEqual(status, 0)
        return said.getvalue()

    def measured(self) -> list[Measurement]:
        return timings.read(self.timings)

    def cells(self) -> list[tuple[str, int]]:
        return [(m.graph_class, m.vertices) for m in self.measured()]

    def stand_in(self, program: str, first: str) -> Path:
        """A folder of programs, one of them replaced."""
        folder = self.folder / "stand-in"
        folder.mkdir()
        for name in (*run.HELPERS, *THERE):
            (folder / name).symlink_to(BIN / name)
        path = folder / program
        path.unlink()
        path.write_text(STAND_IN.format(python=sys.executable, first=first,
                                        real=str(BIN / program)), encoding="utf-8")
        path.chmod(0o755)
        return folder


class Measuring(Campaigns):
    def test_smoke_profile(self) -> None:
        done = self.campaign(programs="cpu,cuda_simple,cuda_blocked")
        self.assertIn("## Table 6. ", self.tables())
        by_cpu = [m for m in self.measured() if m.program == "cpu"]
        self.assertEqual([(m.graph_class, m.vertices) for m in by_cpu],
                         [(name, v) for v in (5, 10, 20, 40) for name in CLASSES])
        for each in by_cpu:
            self.assertTrue(each.verified and each.predecessors)
            self.assertIsNotNone(each.others)
            self.assertEqual((each.variant, each.repetitions, each.threads, each.seed),
                             ("sequential", 1, 1, run.SEED))
            self.assertGreaterEqual(each.total_s[0], each.solve_s[0])
        self.assertFalse((self.out / "work").exists())
        self.check_gpu_programs(done.stdout)

    def check_gpu_programs(self, output: str) -> None:
        record, = json.loads((self.out / "environment.json").read_text())["environments"]
        for program in ("cuda_simple", "cuda_blocked"):
            rows = [m for m in self.measured() if m.program == program]
            reason = record["programs"][program]["unavailable"]
            self.assertEqual(len(rows), 0 if reason else 12)
            self.assertIn(reason or program, output)

    def test_repeat_and_choice_of_cells(self) -> None:
        self.campaign("--only", "medium", "--min-v", "10", "--max-v", "20", "--repeat", "3")
        self.assertEqual([(m.graph_class, m.vertices, m.repetitions) for m in self.measured()],
                         [("medium", 10, 3), ("medium", 20, 3)])

    def test_every_variant_of_the_schedule(self) -> None:
        """And which one a variant that chooses took."""
        variants = [each.variant for each in schedule.SOLVERS if each.program == "cpu"]
        chosen = [word for variant in variants for word in ("--variant", f"cpu={variant}")]
        self.campaign("--max-v", "5", "--only", "dense", *chosen)
        measured = self.measured()
        self.assertEqual([each.variant for each in measured], variants)
        for each in measured:
            self.assertEqual(bool(each.chosen), each.variant == "auto", each)

    def test_programs_that_are_built(self) -> None:
        """Without --programs those of the schedule that are there."""
        only_cpu = self.folder / "bin"
        only_cpu.mkdir()
        for name in (*run.HELPERS, "cpu"):
            (only_cpu / name).symlink_to(BIN / name)
        command = self.command("--max-v", "5", "--only", "dense", bin_dir=only_cpu)
        del command[command.index("--programs"):command.index("--programs") + 2]
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True,
                              timeout=60)
        self.assertEqual({each.program for each in self.measured()}, {"cpu"})
        self.assertIn("[1/1] dense V=5 E=10 cpu sequential", done.stdout)

    def test_tables_are_made_of_what_is_measured(self) -> None:
        self.campaign("--max-v", "5", "--only", "dense")
        said = self.tables()
        self.assertIn("not drawn: figure_5_1_total.svg, ", said)
        self.assertIn("## Table 6. ", said)
        self.assertIn("## Table 6. ", (self.out / "tables.md").read_text(encoding="utf-8"))

    def test_proof_inside_the_solver(self) -> None:
        """--check: nothing is written for verify, and verify does not run."""
        idle = self.stand_in("verify", "sys.exit('verify: must not run')")
        self.campaign("--check", "--only", "dense", bin_dir=idle)
        self.assertEqual([m.vertices for m in self.measured() if m.verified], [5, 10, 20, 40])

    def test_long_cells_are_skipped(self) -> None:
        done = self.campaign("--longest", "5e-6")
        self.assertEqual({v for _, v in self.cells()}, {5, 10})
        self.assertIn("6 cells would take more", done.stdout)
        self.assertIn("not measured", self.tables())

    def test_variant_without_predecessors(self) -> None:
        """Its rows say so, if this machine can run it."""
        self.campaign("--variant", "cuda_simple=naive", "--max-v", "5", programs="cuda_simple")
        for each in self.measured():
            self.assertEqual((each.variant, each.predecessors), ("naive", False))

    def test_repetitions_by_estimated_time(self) -> None:
        for estimated_s, expected in ((1e-7, 5), (1, 5), (2.2, 2), (8, 1), (2000, 1)):
            self.assertEqual(run.fitting_repetitions(5, estimated_s), expected)

    def test_estimates_follow_what_was_measured(self) -> None:
        forecast = run.Forecast(lambda cell: 1e-9 * cell.graph.vertices**3, lambda _: 1, check=False)
        solver = schedule.find_solver("cpu", "sequential")
        small, dense, sparse = (run.Cell(Graph(name, vertices, 1), solver) for name, vertices in (
            ("dense", 5), ("dense", 2000), ("sparse", 2000)))
        rough = forecast.cell_seconds(dense)
        forecast.learn(small, took := measurement(9.0), 0.5)
        self.assertAlmostEqual(forecast.cell_seconds(dense), rough - solver.start_s + 0.5)
        forecast.learn(run.Cell(Graph("dense", 1000, 1), solver), took, 10)
        self.assertAlmostEqual(forecast.cell_seconds(dense), 0.5 + 0.08 + 8 * 9, places=2)
        self.assertEqual(forecast.cell_seconds(sparse), forecast.cell_seconds(dense))
        forecast.learn(run.Cell(Graph("sparse", 1000, 1), solver), measurement(4.0), 10)
        self.assertAlmostEqual(forecast.seconds([dense, sparse]), 2 * 0.58 + 8 * (9 + 4), places=2)


class Schedule(unittest.TestCase):
    def test_graphs(self) -> None:
        """39 of the thesis, and the reports' sizes at which it has no graph of 2 %."""
        graphs = schedule.graphs()
        self.assertEqual(len(graphs), 41)
        self.assertEqual([graph for graph in graphs if graph.graph_class == schedule.REPORTS],
                         [Graph("reports", 1000, 19980), Graph("reports", 2500, 124950)])
        self.assertEqual([graph.vertices for graph in graphs],
                         sorted(graph.vertices for graph in graphs))

    def test_solvers(self) -> None:
        """One row each; the thesis's three first, whose columns the published files have."""
        self.assertEqual([each.column for each in schedule.THESIS_SOLVERS],
                         ["cpu", "cuda_v1", "cuda_v2"])
        for named in ([str(each) for each in schedule.SOLVERS],
                      [each.title for each in schedule.SOLVERS],
                      [each.key for each in schedule.SOLVERS]):
            self.assertEqual(len(set(named)), len(schedule.SOLVERS))

    def test_variants_that_the_programs_have(self) -> None:
        for each in schedule.SOLVERS:
            if each.program not in THERE:
                continue
            listed = subprocess.run([BIN / each.program, "--list-variants"], check=True,
                                    stdout=subprocess.PIPE, encoding="utf-8").stdout
            self.assertIn(each.variant, [line.split()[0] for line in listed.splitlines()])

    def test_estimates_of_all_variants(self) -> None:
        """Every variant that the schedule measures has an estimate, and the more vertices the
        more."""
        described = variants.read(BIN, THERE)
        for each in schedule.SOLVERS:
            if each.program in THERE:
                variant = described[each.program, each.variant]
                self.assertAlmostEqual(variant.estimated_s(2000), 8 * variant.estimated_s(1000))
                self.assertGreater(variant.estimated_s(1), 0)

    def test_other_variants(self) -> None:
        other = schedule.find_solver("cuda_simple", "naive")
        self.assertEqual((str(other), other.column), ("cuda_simple naive", ""))


class Resuming(Campaigns):
    def test_second_run_measures_nothing(self) -> None:
        self.campaign()
        before = self.timings.read_bytes()
        done = self.campaign()
        self.assertIn("12 of 12 cells are already measured", done.stdout)
        self.assertNotIn("[1/", done.stdout)
        self.assertEqual(self.timings.read_bytes(), before)

    def test_half_a_line_is_dropped(self) -> None:
        self.campaign("--max-v", "10")
        self.timings.write_bytes(self.timings.read_bytes()[:-20])
        done = self.campaign("--max-v", "10")
        self.assertIn("rewritten without incomplete measurements", done.stdout)
        self.assertIn("[1/1] medium V=10 E=15 cpu sequential", done.stdout)
        self.assertEqual(self.cells(), [(name, v) for v in (5, 10) for name in CLASSES])

    def test_missing_repetitions_are_dropped(self) -> None:
        self.campaign("--max-v", "5", "--only", "dense", "--repeat", "3")
        lines = self.timings.read_text().splitlines(keepends=True)
        self.timings.write_text("".join(lines[:-1]))
        self.campaign("--max-v", "5", "--only", "dense", "--repeat", "3")
        self.assertEqual([m.repetitions for m in self.measured()], [3])

    def test_other_build_is_measured_again(self) -> None:
        self.campaign("--max-v", "5")
        text = self.timings.read_text()
        build = self.measured()[0].build
        self.timings.write_text(text.replace(build, "0" * len(build)))
        listed = self.campaign("--max-v", "5", "--list")
        self.assertEqual(listed.stdout.count("to be measured again"), 3)
        self.campaign("--max-v", "5")
        self.assertEqual([m.build for m in self.measured()], ["0" * len(build)] * 3 + [build] * 3)

    def test_more_repetitions_are_measured_again(self) -> None:
        self.campaign("--max-v", "5", "--only", "dense")
        self.campaign("--max-v", "5", "--only", "dense", "--repeat", "2")
        self.campaign("--max-v", "5", "--only", "dense")
        self.assertEqual([m.repetitions for m in self.measured()], [1, 2])
        self.assertEqual(len(environment.load(self.out / "environment.json")), 1)

    def test_list_runs_nothing(self) -> None:
        done = self.campaign("--list")
        self.assertEqual(len(re.findall(r": not measured, about \d+\.\d s\n", done.stdout)), 12)
        self.assertRegex(done.stdout, r"\n12 cells to measure, about \d:\d\d\n$")
        self.assertFalse(self.out.exists())

    def test_list_says_what_is_measured_and_what_cannot_be(self) -> None:
        self.campaign("--max-v", "5")
        done = self.campaign("--list", "--longest", "5e-6")
        self.assertEqual(done.stdout.count(" cpu sequential: measured\n"), 3)
        self.assertEqual(done.stdout.count(": skipped by --longest"), 6)
        self.assertIn("\n3 cells to measure, ", done.stdout)
        unable = self.stand_in("cpu", "sys.stderr.write('cpu: no usable abacus\\n'); sys.exit(4)")
        self.campaign("--max-v", "5", bin_dir=unable)
        done = self.campaign("--list", bin_dir=unable)
        self.assertEqual(done.stdout.count("cpu sequential: cannot run here: no usable abacus"), 12)
        self.assertIn("\n0 cells to measure, about 0:00\n", done.stdout)
        # A variant that another build could not run says nothing about this one.
        self.assertIn("\n9 cells to measure, ", self.campaign("--list").stdout)

    def test_seconds_that_do_not_suffice(self) -> None:
        """A cell that does not fit is named; given more, the same command measures it."""
        done = self.campaign("--only", "dense", "--seconds", "1e-3")
        self.assertEqual(self.cells(), [])
        named = re.findall(r"^dense V=(\d+) .*: not measured: about \d+\.\d s, more than was left "
                           r"of --seconds 0\.001$", done.stdout, re.MULTILINE)
        self.assertEqual(named, ["5", "10", "20", "40"])
        self.campaign("--only", "dense", "--seconds", "1e6")
        self.assertEqual([v for _, v in self.cells()], [5, 10, 20, 40])

    def test_seconds_are_kept(self) -> None:
        """By a clock that only measuring moves: a cell that is too long does not keep shorter ones
        that come after it from what is left."""
        options = run.parse_arguments([
            "--profile", "full", "--programs", "cpu", "--variant", "cpu=sequential", "--bin",
            str(BIN), "--out", str(self.folder), "--repeat", "1", "--seconds", "30"])
        took = {1000: 9.0, 800: 5.0, 400: 1.0}
        now = [0.0]

        def measure(cell: run.Cell) -> Measurement:
            now[0] += took[cell.graph.vertices]
            return dataclasses.replace(measurement(took[cell.graph.vertices]),
                                       vertices=cell.graph.vertices)

        solver = schedule.find_solver("cpu", "sequential")
        order = [run.Cell(Graph("dense", vertices, 1), solver)
                 for vertices in (1000, 800, 2000, 1000, 800, 1000, 400)]
        with mock.patch.object(run.time, "monotonic", lambda: now[0]):
            campaign = run.Campaign(options)
            with mock.patch.object(campaign, "measure", measure), \
                    contextlib.redirect_stdout(io.StringIO()) as said:
                campaign.measure_all(order)
        done = [m.vertices for m in timings.read(self.folder / "timings.csv")]
        self.assertEqual(done, [1000, 800, 1000, 400])
        self.assertEqual(re.findall(r"dense V=(\d+) .*: not measured", said.getvalue()),
                         ["2000", "800", "1000"])
        self.assertLessEqual(now[0], 30)

    def test_interrupted(self) -> None:
        """While it waits for a solver, which says that it is at work: nothing else is sure to run
        at any moment, however busy the machine is."""
        asleep = self.folder / "asleep"
        slow = self.stand_in("cpu", f"if vertices() == 40: open({str(asleep)!r}, 'x'); "
                                    "time.sleep(60)")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), subprocess.Popen(
                    self.command(bin_dir=slow), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    encoding="utf-8") as process:
                deadline = time.monotonic() + 120
                while not asleep.exists():
                    self.assertIsNone(process.poll())
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.02)
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number)
                self.assertIn("give the same command to go on", errors)
                self.assertEqual(len(self.cells()), 9)
                self.assertFalse((self.out / "work").exists())
                asleep.unlink()


class Failing(Campaigns):
    def expect_failure(self, bin_dir: Path, cell: str, *arguments: str) -> None:
        done = self.campaign(*arguments, bin_dir=bin_dir, status=1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(cell, done.stderr)
        self.assertFalse((self.out / "work").exists())

    def test_refuting_verifier(self) -> None:
        refuting = self.stand_in("verify", "sys.exit('verify: refuted: made up')")
        self.expect_failure(refuting, "dense V=5 E=10 cpu sequential")
        self.assertEqual(self.measured(), [])

    def test_wrong_result(self) -> None:
        """The real verifier finds one wrong distance among right ones."""
        wrong = self.stand_in("cpu", f"""
if vertices() == 20:
    subprocess.run([{str(BIN / 'cpu')!r}] + arguments, check=True)
    with open(arguments[arguments.index('-o') + 1] + '.dist.npy', 'r+b') as file:
        file.seek(-8, os.SEEK_END)
        value, = struct.unpack('<i', file.read(4))
        file.seek(-8, os.SEEK_END)
        file.write(struct.pack('<i', value - 1))
    sys.exit(0)
""")
        self.expect_failure(wrong, "dense V=20 E=160 cpu sequential")
        self.assertEqual(self.cells(), [(name, v) for v in (5, 10) for name in CLASSES])

    def test_refutation_inside_the_solver(self) -> None:
        refuted = self.stand_in("cpu", """
if vertices() == 20:
    sys.stderr.write('cpu: refuted: made up\\n')
    sys.exit(1)
""")
        done = self.campaign("--check", "--only", "dense", bin_dir=refuted, status=1)
        self.assertEqual(done.stderr, "run.py: dense V=20 E=160 cpu sequential: the result is not "
                                      "verified: refuted: made up\n")
        self.assertEqual([v for _, v in self.cells()], [5, 10])

    def test_solver_that_does_not_check(self) -> None:
        """Rows that do not say that the result was proved are not believed."""
        careless = self.stand_in("cpu", """
if vertices() == 10:
    arguments.remove('--check')
""")
        done = self.campaign("--check", "--only", "dense", bin_dir=careless, status=1)
        self.assertIn("dense V=10 E=40 cpu sequential: expected", done.stderr)

    def test_failing_solver(self) -> None:
        failing = self.stand_in("cpu", "if vertices() == 10: sys.exit('cpu: out of ideas')")
        self.expect_failure(failing, "dense V=10 E=40 cpu sequential")
        self.assertEqual(self.cells(), [(name, 5) for name in CLASSES])

    def test_crashing_solver(self) -> None:
        crashing = self.stand_in("cpu", "if vertices() == 10: os.kill(os.getpid(), 11)")
        self.expect_failure(crashing, "dense V=10 E=40 cpu sequential", "--only", "dense")

    def test_timings_of_another_graph(self) -> None:
        """A solver that measures something else is not believed."""
        lying = self.stand_in("cpu", """
if vertices() == 10:
    subprocess.run([%r] + arguments, check=True)
    rows = arguments[arguments.index('--csv') + 1]
    text = open(rows).read().replace(',10,40,', ',10,41,')
    open(rows, 'w').write(text)
    sys.exit(0)
""" % str(BIN / "cpu"))
        self.expect_failure(lying, "dense V=10 E=40 cpu sequential")

    def test_machine_that_cannot(self) -> None:
        """Exit status 4 is no failure; the reason is told and recorded."""
        unable = self.stand_in("cpu", "sys.stderr.write('cpu: no usable abacus\\n'); sys.exit(4)")
        done = self.campaign(bin_dir=unable)
        self.assertIn("cpu: no usable abacus", done.stdout)
        record, = json.loads((self.out / "environment.json").read_text())["environments"]
        self.assertEqual(record["programs"]["cpu"]["unavailable"], "no usable abacus")
        self.assertEqual(self.measured(), [])


class Usage(Campaigns):
    def expect_refusal(self, text: str, *arguments: str, bin_dir: Path = BIN) -> None:
        done = self.campaign(*arguments, bin_dir=bin_dir, status=2)
        self.assertIn(text, done.stderr)

    def test_bad_options(self) -> None:
        self.expect_refusal("no-such", "--variant", "cpu=no-such")
        self.expect_refusal("PROGRAM=NAME", "--variant", "sequential")
        seconds = [("expected seconds, more than 0", option, value)
                   for option in ("--seconds", "--longest", "--cell-seconds")
                   for value in ("0", "nan", "inf", "-1", "soon")]
        for text, *arguments in (("expected a number from 1 up", "--repeat", "0"),
                                 ("expected some of", "--programs", "abacus"),
                                 ("invalid choice", "--only", "heavy"), *seconds):
            errors = io.StringIO()
            with self.subTest(arguments), contextlib.redirect_stderr(errors):
                with self.assertRaises(SystemExit) as ended:
                    run.parse_arguments(arguments)
                self.assertEqual(ended.exception.code, 2)
                self.assertIn(text, errors.getvalue())

    def test_missing_programs(self) -> None:
        self.expect_refusal("run `make`", bin_dir=self.folder)

    def test_malformed_timings(self) -> None:
        self.out.mkdir()
        self.timings.write_text("rubbish\nrubbish\n")
        self.expect_refusal("timings.csv:1: ")

    def test_one_campaign_at_a_time(self) -> None:
        self.out.mkdir()
        with open(self.out / ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.expect_refusal("another campaign")


if __name__ == "__main__":
    unittest.main()
