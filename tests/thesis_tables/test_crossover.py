# SPDX-License-Identifier: MIT
"""Tests of the crossover: brackets, their place in between, modes, and files without duels."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from thesis_tables import crossover  # noqa: E402 (found by the line above)
from thesis_tables.crossover import Crossover  # noqa: E402

HEAD = ("program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,"
        "repetition,solve_s,total_s,transfer_s\n")
N = 100


def row(program: str, variant: str, edges: int, seconds: float, predecessors: int = 1,
        checked: int = 1, vertices: int = N) -> str:
    return (f"{program},{variant},g,{vertices},{edges},0,{predecessors},0,0,X,{checked},1,"
            f"{seconds},9,0\n")


def duel(edges: int, sparse: float, blocked: float, **more: int) -> str:
    return (row("cuda_sparse", "multisource", edges, sparse, **more)
            + row("cuda_blocked", "dpx32", edges, blocked, **more))


class Crossovers(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "rows.csv"

    def found(self, *rows: str) -> list[Crossover]:
        self.path.write_text(HEAD + "".join(rows), encoding="utf-8")
        return crossover.find_crossovers(crossover.read_duels([self.path]))

    def test_between_two_densities(self) -> None:
        """Twice as fast at 0.01, half as fast at 0.04: the crossover is in the middle, 0.02."""
        only, = self.found(duel(400, 2, 1), duel(100, 1, 2))
        self.assertEqual((only.vertices, only.predecessors), (N, True))
        assert only.least and only.most and only.density
        self.assertEqual((only.least.density, only.most.density), (0.01, 0.04))
        self.assertAlmostEqual(only.density, 0.02)

    def test_nearly_as_fast_is_not_faster(self) -> None:
        only, = self.found(duel(100, 1, 2), duel(200, 1, 1), duel(400, 1, 0.95))
        assert only.least and only.most
        self.assertEqual((only.least.density, only.most.density), (0.01, 0.02))
        self.assertEqual(only.density, 0.02)

    def test_straight_line_between_logarithms(self) -> None:
        only, = self.found(duel(100, 1, 2), duel(800, 4, 1))
        assert only.density
        self.assertAlmostEqual(only.density, 0.02)

    def test_last_crossover_counts(self) -> None:
        only, = self.found(duel(100, 2, 1), duel(200, 1, 2), duel(400, 1, 2), duel(800, 2, 1))
        assert only.least and only.most
        self.assertEqual((only.least.density, only.most.density), (0.04, 0.08))

    def test_outside_what_is_measured(self) -> None:
        """Nothing is extrapolated."""
        always, = self.found(duel(100, 1, 9), duel(200, 1, 2))
        self.assertEqual((always.density, always.most), (None, None))
        never, = self.found(duel(100, 9, 1), duel(200, 2, 1))
        self.assertEqual((never.density, never.least), (None, None))
        markdown = crossover.as_markdown([always, never])
        self.assertIn("| above all measured | 0.02 (1e+03 ms, `dpx32` 2e+03 ms) | none measured |",
                      markdown)
        self.assertIn("| below all measured | none measured | 0.01 (9e+03 ms,", markdown)
        series = crossover.figure([always]).panels[0].series[0]
        self.assertEqual((series.points, series.beyond), ([], [(N / 1.012, 0.02, True)]))
        series = crossover.figure([never]).panels[0].series[0]
        self.assertEqual((series.points, series.beyond), ([], [(N / 1.012, 0.01, False)]))

    def test_fastest_of_the_medians(self) -> None:
        duels = self.found(duel(100, 1, 2), row("cuda_blocked", "tensor", 100, 0.25),
                           row("cuda_blocked", "tensor", 100, 1.5),
                           row("cuda_blocked", "tensor", 100, 8),
                           row("cuda_blocked", "dpx16", 100, 0.1, checked=0),
                           row("cuda_simple", "vector", 100, 0.1),
                           row("cuda_sparse", "auto", 100, 0.1))
        least = duels[0].least
        assert least
        self.assertEqual((least.blocked_variant, least.blocked_s, least.sparse_s),
                         ("tensor", 1.5, 1))

    def test_modes_and_sizes_apart(self) -> None:
        found = self.found(duel(100, 1, 2), duel(400, 2, 1), duel(100, 1, 2, predecessors=0),
                           duel(800, 2, 1, predecessors=0), duel(10, 1, 2, vertices=10),
                           row("cuda_sparse", "multisource", 50, 1, vertices=20))
        self.assertEqual([(each.vertices, each.predecessors) for each in found],
                         [(10, True), (N, True), (N, False)])
        figure = crossover.figure(found)
        with_pred, without = figure.panels[0].series
        self.assertEqual([x for x, _ in with_pred.points], [N / 1.012])
        self.assertEqual([x for x, _ in without.points], [N * 1.012])
        self.assertEqual(with_pred.bars, [(0.01, 0.04)])
        self.assertEqual(without.bars, [(0.01, 0.08)])

    def test_rows_of_the_ladder_without_sparse(self) -> None:
        self.assertEqual(self.found(row("cuda_blocked", "dpx32", 100, 1)), [])
        self.assertEqual(self.found(), [])

    def test_several_files(self) -> None:
        other = self.path.with_name("other.csv")
        other.write_text(HEAD + row("cuda_sparse", "multisource", 100, 1), encoding="utf-8")
        self.path.write_text(HEAD + row("cuda_blocked", "dpx32", 100, 2), encoding="utf-8")
        self.assertEqual(len(crossover.read_duels([self.path, other])), 1)

    def test_other_file(self) -> None:
        self.path.write_text("a,b\n1,2\n", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "rows.csv: expected a column 'checked'"):
            crossover.read_duels([self.path])


if __name__ == "__main__":
    unittest.main()
