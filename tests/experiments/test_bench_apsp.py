# SPDX-License-Identifier: MIT
"""Tests of apsp's bench, with programs that only pretend to solve."""

from __future__ import annotations

import csv
import subprocess
import sys
import unittest
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.bench import run_quietly  # noqa: E402 (found by the line above)
from experiments.suites import bench_apsp  # noqa: E402 (found by the line above)
from experiments.suites.bench_apsp import Compared  # noqa: E402
from experiments.suites.graphs import Graph  # noqa: E402
from tests.experiments.stand_ins import StandIns  # noqa: E402

# Writes its result, and reports as the solvers do.
SOLVER = """#!{python} -IS
import os, sys
arguments = sys.argv[1:]
program = os.path.basename(sys.argv[0])
def value(option, default=""):
    return arguments[arguments.index(option) + 1] if option in arguments else default
def end(status, text):
    print(program + ": " + text, file=sys.stderr)
    sys.exit(status)
variant = value("--variant", "auto")
with open({log!r}, "a") as log:
    print(program, variant, *sys.argv[1:], file=log)
{special}
open(value("-o") + ".dist.npy", "w").close()
print("variant  auto: cpu:blocked" if program == "apsp" else "variant  " + variant)
if program == "apsp" and "--verbose" in arguments:
    print("why      4 vertices")
    print("         predicted seconds  read  prepare transfer    solve    write    total")
    print("         cpu:blocked        0.25  0 0  0.5  0.25     1.25")
    print("         cpu:johnson        0.25  0 0  1.5  0.25     2.25")
print("solve_s  0.5")
print("total_s  0.75")
"""

GENERATOR = """#!{python} -IS
import sys
value = lambda option: sys.argv[sys.argv.index(option) + 1]
edges = value("--edges") if "--edges" in sys.argv else "9"
open(value("-o"), "w").write(value("--v") + " " + edges + "\\n")
"""


class Bench(StandIns):
    """With bench_apsp.py."""

    def setUp(self) -> None:
        super().setUp()
        (self.folder / "work").mkdir()
        # Seconds of a run, by program or variant; what the machine takes is not looked at.
        self.seconds = {"apsp": 0.01, "cpu": 0.01}
        self.program(self.bin / "graphgen", GENERATOR)
        for name in ("apsp", "cpu"):
            self.solver(name)
        for name in ("cuda_sparse", "cuda_blocked", "cuda_simple"):
            self.solver(name, "end(4, 'no usable GPU: none')")

    def solver(self, name: str, special: str = "") -> None:
        self.program(self.bin / name, SOLVER, special=special, log=str(self.folder / "log"))

    def bench(self, *options: str) -> subprocess.CompletedProcess[str]:
        now = 0.0

        def run(command: Sequence[object]) -> subprocess.CompletedProcess[str]:
            nonlocal now
            words = [Path(str(command[0])).name, *map(str, command[1:])]
            now += max(self.seconds.get(word, 0) for word in words)
            return run_quietly(command)

        with mock.patch.object(bench_apsp, "run_quietly", run), \
                mock.patch.object(bench_apsp.time, "perf_counter", lambda: now):
            return self.run_bench(bench_apsp.main, "--folder", self.folder / "work", "--repeat", 2,
                                  "--graph-seconds", 0, *options, status=None)

    def rows(self) -> list[dict[str, str]]:
        with open(self.folder / "out" / "apsp.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def calls(self, program: str) -> list[str]:
        lines = (self.folder / "log").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.split()[0] == program]

    def test_rows_and_table(self) -> None:
        self.seconds.update(cpu=0.05, apsp=0.2)
        done = self.bench("--only", "random_V5_E5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = [(row["program"], row["variant"], row["repetition"]) for row in self.rows()]
        expected = [(program, variant, str(repetition)) for program, variant in
                    [("apsp", "auto"), *(pair for pair in bench_apsp.SOLVERS if pair[0] == "cpu")]
                    for repetition in (1, 2)]
        self.assertEqual(sorted(found), sorted(expected))
        first = self.rows()[0]
        self.assertEqual((first["graph"], first["vertices"], first["edges"], first["chosen"],
                          first["predicted_s"], first["solve_s"], first["total_s"],
                          first["format"], first["predecessors"]),
                         ("random_V5_E5", "5", "5", "cpu:blocked", "1.25", "0.5", "0.75", "npy",
                          "1"))
        self.assertEqual(float(first["wall_s"]), 0.2)
        self.assertRegex(done.stdout, r"(?m)^random_V5_E5 +cpu:blocked +1\.25 .* \*$")
        self.assertRegex(done.stdout, r"1 graphs: geometric mean \d\.\d+ of the best single "
                                      r"solver, worst \d\.\d+, 1 above 1\.15")
        self.assertEqual(list((self.folder / "work").iterdir()), [])

    def test_each_is_proved_once_and_then_timed(self) -> None:
        self.bench("--only", "random_V5_E5", "--threads", "3", "--distances-only")
        calls = self.calls("apsp")
        self.assertEqual([call.endswith("--check --verbose") for call in calls],
                         [True, False, False])
        self.assertEqual(["--verbose" in call for call in calls], [True, False, False])
        for call in calls:
            self.assertIn(" --threads 3", call)
            self.assertIn(" --distances-only", call)
            self.assertIn(" --format npy", call)
        (self.folder / "log").unlink()
        self.bench("--only", "random_V5_E5", "--no-check", "--format", "text")
        self.assertFalse(any("--check" in call for call in self.calls("apsp")))
        self.assertTrue(all("--format text" in call for call in self.calls("cpu")))

    def test_missing_gpu_is_said_once(self) -> None:
        done = self.bench("--only", "random_V5_", "random_V10_")
        self.assertEqual(done.returncode, 0)
        for program in ("cuda_sparse", "cuda_blocked", "cuda_simple"):
            self.assertEqual(done.stdout.count(f"{program} is left out: "), 1)
            self.assertEqual(len(self.calls(program)), 1)

    def test_refusals_and_failures(self) -> None:
        self.solver("cuda_blocked", "end(2, 'variant auto is not exact for this graph: so')")
        done = self.bench("--only", "random_V5_E5")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("cuda_blocked", [row["program"] for row in self.rows()])
        self.solver("cpu", "if '--check' in arguments: end(1, 'check (a): wrong')")
        done = self.bench("--only", "random_V5_E5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("check (a): wrong", done.stderr)
        self.solver("cpu", "end(4, 'out of memory')")
        self.assertEqual(self.bench("--only", "random_V5_E5").returncode, 4)

    def test_slow_solvers_are_not_tried_again(self) -> None:
        self.seconds["johnson"] = 2.5
        done = self.bench("--only", "random_V5_E2", "random_V10_E5", "--longest", "2", "--no-check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        johnson = [row["graph"] for row in self.rows() if row["variant"] == "johnson"]
        self.assertEqual(johnson, ["random_V5_E2"])  # of about the same density as the next

    def test_more_rounds_for_what_is_short(self) -> None:
        self.seconds.update(cpu=0.2, apsp=0.5, johnson=2.5)
        self.bench("--only", "random_V5_E2", "--graph-seconds", "8", "--no-check")
        rounds = [row["program"] + ":" + row["variant"] for row in self.rows()]
        # The first takes 3.6 seconds, the others, without johnson, 1.1 each; the last begins at about 8.
        self.assertIn(rounds.count("cpu:blocked"), (5, 6))
        self.assertEqual(rounds.count("apsp:auto"), rounds.count("cpu:blocked"))
        self.assertEqual(rounds.count("cpu:johnson"), 1)  # which is far behind

    def test_who_is_behind(self) -> None:
        def behind(program: str, *times: float) -> bool:
            return bench_apsp.is_behind([{"program": program, "wall_s": str(time)}
                                         for time in times], 1.0)
        self.assertFalse(behind("cpu", 5))  # it may have been disturbed
        self.assertTrue(behind("cpu", 5, 4))
        self.assertFalse(behind("cpu", 5, 1))
        self.assertTrue(behind("cpu", 10))
        self.assertFalse(behind("apsp", 100, 100))

    def test_rounds_differ_in_order(self) -> None:
        solvers = [bench_apsp.Solver("cpu", name) for name in "abcdef"]
        orders = [bench_apsp.shuffled(solvers, f"graph {k}") for k in range(10)]
        self.assertGreater(len(set(map(tuple, orders))), 5)
        self.assertTrue(all(sorted(order) == solvers for order in orders))
        self.assertEqual(bench_apsp.shuffled(solvers, "graph 3"), orders[3])

    def test_apsp_is_always_tried_again(self) -> None:
        done = self.bench("--only", "random_V5_E2", "random_V10_E5", "--longest", "0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([row["graph"] for row in self.rows() if row["program"] == "apsp"],
                         ["random_V5_E2"] * 2 + ["random_V10_E5"] * 2)

    def test_limits(self) -> None:
        self.assertIn("graphs are left out: time is up",
                      self.bench("--max-v", "10", "--seconds", "0").stdout)
        self.assertEqual(self.bench("--max-v", "1").returncode, 2)
        (self.folder / "bin" / "apsp").unlink()
        self.assertEqual(self.bench("--max-v", "10").returncode, 2)

    def test_keep(self) -> None:
        self.bench("--only", "random_V5_E5")
        self.bench("--only", "random_V5_E2", "--keep")
        self.assertEqual({row["graph"] for row in self.rows()}, {"random_V5_E5", "random_V5_E2"})
        self.bench("--only", "random_V5_E2")
        self.assertEqual({row["graph"] for row in self.rows()}, {"random_V5_E2"})


class Graphs(unittest.TestCase):

    def test_schedule_first_then_families(self) -> None:
        found = bench_apsp.graphs(12500, [])
        self.assertEqual(sum(graph.kind == "random" for graph in found), 39)
        self.assertEqual([graph.kind for graph in found[:39]], ["random"] * 39)
        self.assertEqual(found[0].name, "random_V5_E2")
        self.assertTrue({"ring", "grid", "tree", "star", "power-law", "disconnected", "complete"}
                        <= {graph.kind for graph in found})
        self.assertTrue(all(graph.vertices <= 200 for graph in bench_apsp.graphs(200, [])))
        self.assertEqual([graph.name for graph in bench_apsp.graphs(12500, ["complete"])],
                         ["complete_V1000"])

    def test_classes(self) -> None:
        self.assertEqual(bench_apsp.class_of(Graph("ring", 2000)), "ring")
        self.assertNotEqual(bench_apsp.class_of(Graph("random", 5000, 2500)),
                            bench_apsp.class_of(Graph("random", 5000, 500000)))

    def test_summary(self) -> None:
        text = bench_apsp.summary([Compared("a", "cpu:x", 1, 1.0, "cpu:y", 1.0),
                                   Compared("b", "cpu:x", 1, 2.0, "cpu:y", 0.5)])
        lines = text.splitlines()
        self.assertTrue(lines[1].startswith("b ") and lines[1].endswith("4.00 *"))
        self.assertTrue(lines[2].startswith("a ") and lines[2].endswith("1.00"))
        self.assertIn("2 graphs: geometric mean 2.000 of the best single solver, worst 4.00, "
                      "1 above 1.15", lines[3])
        self.assertEqual(bench_apsp.summary([]), "nothing was compared\n")


if __name__ == "__main__":
    unittest.main()
