# SPDX-License-Identifier: MIT
"""Tests of the ladder's bench, with programs that only pretend to solve."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import bench_gpu  # noqa: E402 (found by the line above)
from tests.experiments.stand_ins import StandIns  # noqa: E402

ROOT = bench_gpu.ROOT

SOLVER = """#!{python} -IS
import sys
arguments = sys.argv[1:]
if arguments == ["--list-variants"]:
    print("plain        does it (here) [default]")
    print("special      does it sometimes (here)")
    sys.exit()
def value(option):
    return arguments[arguments.index(option) + 1]
variant = value("--variant")
vertices = int(open(next(name for name in arguments if name.startswith("V"))).read())
distances_only = "--distances-only" in arguments
def end(status, text):
    print("solver: " + text, file=sys.stderr)
    sys.exit(status)
{special}
with open(value("--csv"), "a") as rows:
    for repetition in range(int(value("--repeat"))):
        print(variant, vertices, int(not distances_only), repetition + 1, 0.5, 0.75, sep=",",
              file=rows)
print("variant  " + variant)
print("solve_s  0.5")
print("total_s  0.75")
"""

GENERATOR = """#!{python} -IS
import sys
open(sys.argv[-1], "w").write(sys.argv[sys.argv.index("--v") + 1])
"""

CEILINGS = """#!{python} -IS
import sys
{first}
open(sys.argv[sys.argv.index("--csv") + 1], "w").write("name,unit,value,device,repetition\\n")
print("viaddmin_s32 14.8", sys.argv[sys.argv.index("--repeat") + 1])
"""


class Bench(StandIns):
    """With bench_gpu.py."""

    def setUp(self) -> None:
        super().setUp()
        self.ceilings = self.folder / "experiments" / "bench_ceilings"
        self.program(self.bin / "graphgen", GENERATOR)
        self.program(self.ceilings, CEILINGS, first="")
        self.solvers("")

    def solvers(self, special: str) -> None:
        """Sets what the variant `special` of cuda_blocked does before it solves."""
        self.program(self.bin / "cuda_simple", SOLVER, special="")
        self.program(self.bin / "cuda_blocked", SOLVER,
                     special=f"if variant == 'special':\n    {special}" if special else "")

    def bench(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run_bench(bench_gpu.main, "--sizes", 10, 20, "--repeat", 2, "--cell-seconds",
                              60, *arguments, status=status)

    def rows(self) -> list[list[str]]:
        with open(self.out / "ladder.csv", encoding="utf-8", newline="") as file:
            return list(csv.reader(file))


class Measuring(Bench):
    def test_every_cell(self) -> None:
        done = self.bench()
        self.assertEqual(len(self.rows()), 2 * 2 * 2 * 2 * 2)  # one row a repetition
        self.assertEqual(done.stdout.count("500.000 ms"), 16)
        self.assertEqual(done.stdout.count("total    750.000 ms  proved"), 16)
        self.assertIn("every row proved", done.stdout)

    def test_ceilings_come_first(self) -> None:
        done = self.bench()
        self.assertTrue(done.stdout.startswith("viaddmin_s32 14.8 2\n"))
        self.assertTrue((self.out / "ceilings.csv").exists())
        record, = json.loads((self.out / "ladder_environment.json").read_text())["environments"]
        self.assertEqual(set(record["programs"]),
                         {"cuda_simple", "cuda_blocked", "bench_ceilings"})

    def test_rows_of_an_earlier_run_are_dropped(self) -> None:
        self.bench()
        self.bench("--sizes", "10")
        self.assertEqual(len(self.rows()), 16)

    def test_no_predecessors(self) -> None:
        """A variant that computes none has no such rows, and that is all."""
        self.solvers("if not distances_only: end(2, 'variant special computes no predecessors: "
                     "add --distances-only')")
        done = self.bench("--sizes", "10")
        self.assertEqual(len(self.rows()), 14)
        self.assertNotIn("skipped", done.stdout)


class Repetitions(Bench):
    """The stand-ins take half a second at any size: at twice the size four are expected."""

    def repetitions(self, *arguments: str) -> dict[str, int]:
        self.bench("--repeat", "5", *arguments)
        rows = [row for row in self.rows() if row[0] == "plain" and row[2] == "0"]
        return {size: sum(row[1] == size for row in rows) // 2 for size in ("10", "20", "40")}

    def test_fewer_where_they_would_take_long(self) -> None:
        self.assertEqual(self.repetitions("--sizes", "10", "20", "40", "--cell-seconds", "13"),
                         {"10": 5, "20": 2, "40": 2})

    def test_at_least_one(self) -> None:
        for limit in ("11", "5", "0"):
            with self.subTest(limit):
                self.assertEqual(self.repetitions("--sizes", "10", "20", "--cell-seconds", limit),
                                 {"10": 5, "20": 1, "40": 0})

    def test_as_many_as_wanted(self) -> None:
        self.assertEqual(self.repetitions("--sizes", "10", "20", "--cell-seconds", "24"),
                         {"10": 5, "20": 5, "40": 0})

    def test_sizes_need_not_grow(self) -> None:
        self.assertEqual(self.repetitions("--sizes", "20", "10"), {"10": 5, "20": 5, "40": 0})

    def test_each_variant_by_itself(self) -> None:
        """One that refused the size before has no time to go by."""
        self.solvers("if vertices == 10: end(2, 'is not exact for this graph')")
        self.bench("--cell-seconds", "5")
        special = [row for row in self.rows() if row[0] == "special" and row[1] == "20"]
        self.assertEqual(len(special), 2 * 1 + 2 * 2)  # of cuda_simple, of cuda_blocked

    def test_formula(self) -> None:
        expected = bench_gpu.expected_seconds
        self.assertEqual(expected(1000, None), 0)
        self.assertEqual(expected(2000, (1000, 1.5)), 12)
        within = bench_gpu.repetitions_within
        self.assertEqual(within(5, 3, 0), 3)
        self.assertEqual(within(5, 3, 1.25), 3)
        self.assertEqual(within(5, 3, 1.5), 2)
        self.assertEqual(within(5, 1, 99), 1)

    def test_longest(self) -> None:
        done = self.bench("--longest", "3.9")
        self.assertEqual(len(self.rows()), 16)  # of the smaller size
        self.assertEqual(done.stdout.count("V=20     skipped: would take some 4 s\n"), 8)


class NotExact(Bench):
    def test_cell_is_skipped(self) -> None:
        self.solvers("if vertices == 20: end(2, 'variant special is not exact for this graph: "
                     "distances up to 51, at most 26 fit')")
        done = self.bench()
        self.assertEqual(len([row for row in self.rows() if row[:2] == ["special", "20"]]), 4)
        self.assertEqual(len(self.rows()), 28)
        self.assertEqual(done.stdout.count(
            "skipped: is not exact for this graph: distances up to 51, at most 26 fit\n"), 2)

    def test_too_many_vertices(self) -> None:
        self.solvers("end(2, 'variant special keeps at most 9 vertices on this GPU, found 10')")
        self.assertIn("skipped: keeps at most 9 vertices on this GPU", self.bench().stdout)

    def test_only_with_its_status(self) -> None:
        for status in (1, 3, 4):
            with self.subTest(status=status):
                self.solvers(f"end({status}, 'is not exact for this graph')")
                done = self.bench(status=4 if status == 4 else 1)
                self.assertIn("cuda_blocked special V=10: solver: is not exact", done.stderr)
                self.assertNotIn("every row proved", done.stdout)


class Failing(Bench):
    def test_failing_variant(self) -> None:
        self.solvers("end(2, 'distance out of range')")
        self.assertIn("cuda_blocked special V=10: solver: distance out of range",
                      self.bench(status=1).stderr)

    def test_refuted_result(self) -> None:
        self.solvers("end(1, 'refuted')")
        self.bench(status=1)

    def test_silent_death(self) -> None:
        self.solvers("import os; os.abort()")
        self.assertIn("ended with status -6", self.bench(status=1).stderr)

    def test_no_gpu(self) -> None:
        self.program(self.ceilings, CEILINGS,
                     first="print('bench_ceilings: no usable GPU: none', file=sys.stderr); "
                           "sys.exit(4)")
        done = self.bench(status=4)
        self.assertEqual(done.stderr, "bench_gpu.py: bench_ceilings: no usable GPU: none\n")
        self.assertFalse((self.out / "ladder.csv").exists())

    def test_generator(self) -> None:
        self.program(self.bin / "graphgen", "#!/bin/sh\necho graphgen: no >&2\nexit 2\n")
        self.assertIn("graphgen: no", self.bench(status=1).stderr)

    def test_missing_program(self) -> None:
        (self.bin / "cuda_simple").unlink()
        done = self.bench(status=2)
        self.assertIn("cuda_simple: expected a program, found none: run make", done.stderr)


class Ceilings(Bench):
    def test_built_without_cuda(self) -> None:
        self.ceilings.unlink()
        done = self.bench(status=4)
        self.assertIn(f"{self.ceilings.resolve()}: expected the program", done.stderr)
        self.assertIn("a build without CUDA has none", done.stderr)
        self.assertFalse(self.out.exists())

    def test_other_place(self) -> None:
        other = self.folder / "bench_ceilings"
        self.ceilings.rename(other)
        self.bench("--ceilings", str(other))

    def test_default_place(self) -> None:
        self.assertEqual(bench_gpu.default_ceilings(ROOT / "bin"),
                         ROOT / "build/release/experiments/bench_ceilings")
        self.assertEqual(bench_gpu.default_ceilings(ROOT / "build/h200/bin"),
                         ROOT / "build/h200/experiments/bench_ceilings")


if __name__ == "__main__":
    unittest.main()
