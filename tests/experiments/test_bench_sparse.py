# SPDX-License-Identifier: MIT
"""Tests of the bench of cuda_sparse, with programs that only pretend to solve."""

from __future__ import annotations

import csv
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import bench_sparse  # noqa: E402 (found by the line above)
from tests.experiments.stand_ins import StandIns  # noqa: E402
from tests.experiments.test_bench_crossover import SOLVER  # noqa: E402
from thesis_tables import sparse  # noqa: E402

GENERATOR = """#!{python} -IS
import sys
def value(option):
    return sys.argv[sys.argv.index(option) + 1]
open(value("-o"), "w").write(value("--v") + " " + value("--edges"))
"""


class Bench(StandIns):
    def bench(self, status: int, refuted: int = -1) -> subprocess.CompletedProcess[str]:
        for name in ("graphgen", "cuda_sparse", "cuda_blocked", "cpu"):
            self.program(self.bin / name, GENERATOR if name == "graphgen" else SOLVER,
                         refuted=refuted, seconds="0.5")
        return self.run_bench(bench_sparse.main, "--max-v", 1000, "--repeat", 2, status=status)

    def test_rows(self) -> None:
        for _ in range(2):  # the second time instead of the first
            self.bench(0)
        with open(self.out / "sparse.csv", encoding="utf-8", newline="") as file:
            rows = [(row["program"], row["variant"], row["predecessors"])
                    for row in csv.DictReader(file)]
        self.assertEqual(rows[::2], [("cuda_sparse", "auto", "1"), ("cuda_sparse", "auto", "0"),
                                     ("cuda_blocked", "auto", "1"), ("cpu", "auto", "1")])
        self.assertEqual(rows[::2], rows[1::2])

    def test_refuted(self) -> None:
        self.assertIn("cuda_sparse auto V=1000: solver: refuted: made up",
                      self.bench(1, refuted=20000).stderr)

    def test_graphs(self) -> None:
        """Named so that the table can read them."""
        names = [graph.name for graph in bench_sparse.GRAPHS]
        self.assertEqual(len(set(names)), len(names))
        self.assertIn("random, V = 5000, E = 2500", map(sparse.shown, names))
        self.assertIn("road, V = 13000", map(sparse.shown, names))


if __name__ == "__main__":
    unittest.main()
