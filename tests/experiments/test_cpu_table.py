# SPDX-License-Identifier: MIT
"""Tests of the table of the CPU's goals, on files written here."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import cpu_table  # noqa: E402 (found by the line above)
from experiments.suites.cpu_table import Figure  # noqa: E402

HEADER = ("program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,"
          "repetition,solve_s,total_s,transfer_s,chosen,others\n")


class Table(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = Path(folder.name) / "cpu"

    def rows(self, *cells: tuple[str, str, str, int, int, int, int, float]) -> None:
        """Program, variant, graph, |V|, |E|, predecessors, threads, seconds."""
        lines = [f"{program},{variant},{graph},{vertices},{edges},0,{predecessors},{threads},0,,1,"
                 f"1,{seconds},{seconds},0,{'johnson' if variant == 'auto' else ''},0\n"
                 for program, variant, graph, vertices, edges, predecessors, threads, seconds
                 in cells]
        self.write("", HEADER + "".join(lines))

    def write(self, what: str, text: str) -> None:
        cpu_table.beside(self.prefix, what).write_text(text, encoding="utf-8")

    def figures(self, start: str) -> list[Figure]:
        measured = cpu_table.read(self.prefix)
        goal, = (goal for goal in cpu_table.goals(measured.threads) if goal.what.startswith(start))
        return goal.figures(measured)

    def test_medians_of_proved_rows(self) -> None:
        row = "cpu,blocked,g,10,20,0,1,2,0,,{},{},{},1,0,,{}\n"
        self.write("", HEADER + "".join(row.format(*fields) for fields in (
            (1, 1, 5, 0), (1, 2, 7, 0), (1, 3, 6, 1.5), (0, 4, 1, 0))))
        solved, = cpu_table.read(self.prefix).cells.values()
        self.assertEqual((solved.seconds, solved.rate), (6, 1000 / 6))
        self.assertIn("Other processes: up to 1.5 cores, 1 of 1 cells more than 0.1.",
                      cpu_table.render(cpu_table.read(self.prefix)))

    def test_ceiling_is_the_best(self) -> None:
        """The best of instruction sets and of registers and tiles, on one thread, is the
        ceiling."""
        self.write("ceilings", "name,unit,value,instructions,threads,repetition\n" + "".join(
            f"{name},r,{value},{isa},{threads},1\n" for name, value, isa, threads in (
                ("s32_add_min", 1, "avx2", 1), ("s32_tile", 3, "avx512", 1),
                ("s32_add_min", 2, "avx512", 1), ("s32_add_min", 9, "avx512", 2),
                ("u16_add_min", 5, "avx512", 1), ("u16_tile", 4, "avx512", 1))))
        self.assertEqual(cpu_table.read(self.prefix).ceilings,
                         {"s32_add_min": 3, "u16_add_min": 5})

    def test_share_of_the_ceiling(self) -> None:
        """Only of large random graphs of 2 to 15 %, one thread."""
        self.write("ceilings", "name,unit,value,instructions,threads,repetition\n"
                               "s32_add_min,r,1e10,avx512,1,1\n")
        self.rows(*(("cpu", "blocked32", name, vertices, edges, 0, threads, 1.6)
                    for name, vertices, edges, threads in (
                        ("random_right", 2000, 400000, 1), ("random_two", 2000, 400000, 2),
                        ("random_sparse", 2000, 40000, 1), ("random_full", 2000, 3998000, 1),
                        ("random_small", 1000, 100000, 1), ("grid", 2000, 400000, 1))))
        self.assertEqual(self.figures("32 bits, D, one thread, of"), [Figure("random_right", 0.5)])
        self.assertEqual(self.figures("32 bits, D+P, one thread, of"), [])

    def test_best_variant(self) -> None:
        """As many threads as auto had; sequential at any number; auto is not its own rival."""
        self.rows(("cpu", "auto", "g", 10, 20, 1, 2, 6), ("cpu", "blocked", "g", 10, 20, 1, 1, 1),
                  ("cpu", "blocked", "g", 10, 20, 1, 2, 5),
                  ("cpu", "johnson", "h", 10, 20, 1, 2, 1),
                  ("cpu", "johnson", "g", 10, 20, 0, 2, 1),
                  ("scipy", "dijkstra", "g", 10, 20, 1, 2, 1))
        self.assertEqual(self.figures("`auto`'s time"), [Figure("g D+P 2 thr.: blocked", 1.2)])
        self.rows(("cpu", "auto", "g", 10, 20, 1, 2, 6), ("cpu", "blocked", "g", 10, 20, 1, 2, 5),
                  ("cpu", "sequential", "g", 10, 20, 1, 1, 4))
        self.assertEqual(self.figures("`auto`'s time"), [Figure("g D+P 2 thr.: sequential", 1.5)])

    def test_worst_cell(self) -> None:
        self.rows(*(("cpu", variant, graph, 10, 20, 1, 2, seconds)
                    for variant, graph, seconds in (
                        ("auto", "a", 2), ("johnson", "a", 2), ("auto", "b", 3),
                        ("johnson", "b", 2), ("auto", "c", 1), ("johnson", "c", 2))))
        self.assertEqual(self.figures("`auto`'s time"), [Figure("b D+P 2 thr.: johnson", 1.5)])

    def test_goal_for_two_threads(self) -> None:
        for threads, wanted in ((2, "≥ 1.85×"), (8, "")):
            goal, = (goal for goal in cpu_table.goals(threads)
                     if goal.what == f"`blocked32`, {threads} threads over one")
            self.assertEqual(goal.wanted(), wanted)

    def test_reached_exactly(self) -> None:
        least = cpu_table.Goal("", "×", lambda _: [], least=2)
        most = cpu_table.Goal("", "s", lambda _: [], most=2)
        for value, reached in ((1.99, (False, True)), (2, (True, True)), (2.01, (True, False))):
            self.assertEqual((least.is_reached(value), most.is_reached(value)), reached)

    def run_table(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, cpu_table.__file__, "--prefix", str(self.prefix)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              check=False)

    def test_program(self) -> None:
        self.rows(("cpu", "auto", "g", 10, 20, 1, 2, 6), ("cpu", "blocked", "g", 10, 20, 1, 2, 5),
                  ("scipy", "dijkstra", "g", 10, 20, 1, 1, 12))
        done = self.run_table()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("| g | johnson | 6000 | blocked | 5000 | 1.20 | SciPy dijkstra | 1.2e+04 | 2× |\n",
                      done.stdout)
        self.assertIn("| graph | `auto` | `blocked` |\n| --- | --- | --- |\n| g | 6000 | 5000 |\n",
                      done.stdout)

    def test_bad_files(self) -> None:
        done = self.run_table()
        self.assertEqual(done.returncode, 2)
        self.assertIn("cpu.csv: expected the rows of bench_cpu.py, found no file", done.stderr)
        self.write("", HEADER + "cpu,blocked\n")
        done = self.run_table()
        self.assertEqual(done.returncode, 2)
        self.assertIn("cpu.csv: expected a column 'graph' in every row", done.stderr)
        self.write("", HEADER + "cpu,blocked,g,ten,20,0,1,2,0,,1,1,1,1,0,,0\n")
        done = self.run_table()
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main()
