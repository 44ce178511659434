# SPDX-License-Identifier: MIT
"""Tests of the crossover's bench, with programs that only pretend to solve."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import bench_crossover  # noqa: E402 (found by the line above)
from tests.experiments.stand_ins import StandIns  # noqa: E402
from thesis_tables import crossover  # noqa: E402

# Takes {seconds}, of the number of edges in the graph; a distance is found in half the time.
SOLVER = """#!{python} -IS
import os, sys
arguments = sys.argv[1:]
def value(option):
    return arguments[arguments.index(option) + 1]
graph = next(name for name in arguments if name.startswith(("V", "random_V")))
vertices, edges = map(int, open(graph).read().split())
if edges == {refuted}:
    print("solver: refuted: made up", file=sys.stderr)
    sys.exit(1)
assert "--check" in arguments
seconds = {seconds} * (0.5 if "--distances-only" in arguments else 1)
name, new = value("--csv"), not os.path.exists(value("--csv"))
with open(name, "a") as rows:
    if new:
        print("program,variant,vertices,edges,predecessors,checked,repetition,solve_s", file=rows)
    for repetition in range(int(value("--repeat"))):
        print(os.path.basename(sys.argv[0]), value("--variant"), vertices, edges,
              int("--distances-only" not in arguments), 1, repetition + 1, seconds, sep=",",
              file=rows)
print("solve_s  " + str(seconds))
print("total_s  1")
"""

GENERATOR = """#!{python} -IS
import sys
def value(option):
    return sys.argv[sys.argv.index(option) + 1]
v = int(value("--v"))
open(sys.argv[-1], "w").write(f"{{v}} {{int(v * v * float(value('--density')[:-1]) / 100)}}")
"""


class Bench(StandIns):
    def setUp(self) -> None:
        super().setUp()
        self.programs(sparse="edges", blocked="3")

    def programs(self, sparse: str, blocked: str, refuted: int = -1) -> None:
        for name, text in (("graphgen", GENERATOR), ("cuda_sparse", SOLVER),
                           ("cuda_blocked", SOLVER)):
            self.program(self.bin / name, text, refuted=refuted,
                         seconds=sparse if name == "cuda_sparse" else blocked)

    def bench(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run_bench(bench_crossover.main, "--sizes", 10, 20, "--percents", 4, 1, 2, 8,
                              "--repeat", 2, *arguments, status=status)

    def edges(self) -> list[tuple[int, int]]:
        """Returns the vertices and edges of the graphs that were measured, in order."""
        with open(self.out / "crossover.csv", encoding="utf-8", newline="") as file:
            return list(dict.fromkeys((int(row["vertices"]), int(row["edges"]))
                                      for row in csv.DictReader(file)))

    def test_denser_until_the_crossover_is_behind(self) -> None:
        done = self.bench()
        self.assertEqual(self.edges(), [(10, 1), (10, 2), (10, 4), (20, 4)])
        self.assertEqual(done.stdout.count("proved\n"), 4 * 2 * 2 + 1)
        found = crossover.find_crossovers(crossover.read_duels([self.out / "crossover.csv"]))
        self.assertEqual([(each.vertices, each.predecessors, each.least and each.least.density,
                           each.most and each.most.density) for each in found],
                         [(10, True, 0.02, 0.04), (10, False, 0.02, 0.04),
                          (20, True, None, 0.01), (20, False, None, 0.01)])

    def test_both_modes_must_be_behind(self) -> None:
        self.programs(sparse="edges * (9 if '--distances-only' not in arguments else 0.001)",
                      blocked="3")
        self.bench("--sizes", "10")
        self.assertEqual(self.edges(), [(10, 1), (10, 2), (10, 4), (10, 8)])

    def test_environment_and_old_rows(self) -> None:
        for _ in range(2):
            self.bench("--sizes", "20")
            self.assertEqual(len((self.out / "crossover.csv").read_text().splitlines()), 9)
        record, = json.loads((self.out / "crossover_environment.json").read_text())["environments"]
        self.assertEqual(set(record["programs"]), {"cuda_sparse", "cuda_blocked"})

    def test_out_of_time(self) -> None:
        done = self.bench("--seconds", "0")
        self.assertIn("V10_1%: not measured: --seconds 0 are over\n", done.stdout)
        self.assertEqual(done.stdout.count("not measured"), 8)

    def test_refuted(self) -> None:
        self.programs(sparse="edges", blocked="3", refuted=2)
        done = self.bench(status=1)
        self.assertIn("cuda_sparse multisource V=10: solver: refuted: made up", done.stderr)
        self.assertEqual(self.edges(), [(10, 1)])

    def test_missing_program(self) -> None:
        (self.bin / "cuda_sparse").unlink()
        self.assertIn("cuda_sparse: expected a program, found none: run make",
                      self.bench(status=2).stderr)


if __name__ == "__main__":
    unittest.main()
