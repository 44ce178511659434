# SPDX-License-Identifier: MIT
"""The ladder table: medians of checked rows, speed-ups, markers."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments import variants  # noqa: E402 (found by the line above)
from thesis_tables import ladder, markers  # noqa: E402

VARIANTS = ladder.read_variants(variants.default_bin())
RESULTS = Path(__file__).resolve().parents[2] / "experiments" / "results"
HEAD = ("program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,"
        "repetition,solve_s,total_s\n")


def row(program, variant, vertices, predecessors, checked, seconds):
    return f"{program},{variant},g,{vertices},9,0,{predecessors},0,0,X,{checked},1,{seconds},9\n"


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def medians(self, *rows):
        path = self.folder / "ladder.csv"
        path.write_text(HEAD + "".join(rows), encoding="utf-8")
        return ladder.read_medians(path)

    def run_main(self, *arguments, status=0):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.assertEqual(ladder.main(arguments), status)
        return err.getvalue() if status else out.getvalue()


class Ladder(Tables):
    def test_medians_of_checked_rows(self):
        medians = self.medians(row("a", "b", 10, 1, 1, 3), row("a", "b", 10, 1, 1, 1),
                               row("a", "b", 10, 1, 1, 2), row("a", "b", 10, 1, 0, 0.001),
                               row("a", "b", 10, 0, 0, 0.001))
        self.assertEqual(medians, {("a", "b", 10, True): 2})

    def test_lines(self):
        text = ladder.render(
            self.medians(row("cuda_simple", "naive", 10000, 0, 1, 4),
                         row("cuda_blocked", "tile32", 10000, 0, 1, 0.25),
                         row("cuda_blocked", "tile32", 10000, 1, 1, 0.5),
                         row("cuda_blocked", "tile32", 1000, 1, 1, 0.00123456),
                         row("cuda_blocked", "batched", 10000, 0, 1, 0.125)),
            ladder.published_speedups(), VARIANTS)
        self.assertIn("| `cuda_simple naive` | 4000 | 0.25 | 1.0 | – | – | – |", text)
        self.assertIn("| `cuda_blocked tile32` | 250 | 4.00 | 16.0 | 18.9 | 500 | 2.00 |", text)
        self.assertIn("| `cuda_blocked batched` | 125 | 8.00 | 32.0 | 34.6 | – | – |", text)
        self.assertIn("| `cuda_blocked tile32` D | – | 250 |", text)
        self.assertIn("| `cuda_blocked tile32` D + Π | 1.23 | 500 |", text)
        self.assertEqual([ladder.milliseconds(seconds) for seconds in (0.9, 1)], ["900", "1000"])

    def test_order_and_absence(self):
        text = ladder.render(
            self.medians(row("cuda_blocked", "auto", 1000, 0, 1, 0.1),
                         row("cuda_blocked", "resident", 1000, 0, 1, 0.1),
                         row("cuda_blocked", "tensor", 10000, 0, 1, 0.25),
                         row("cuda_blocked", "auto", 10000, 0, 1, 0.25)),
            ladder.published_speedups(), VARIANTS)
        shown, _, by_size = text.partition("Milliseconds at every size")
        self.assertLess(shown.index("tensor"), shown.index("auto"))
        self.assertNotIn("resident", shown)
        self.assertIn("| `cuda_blocked resident` D | 100 | – |", by_size)

    def test_largest_size(self):
        text = ladder.render(
            self.medians(row("cuda_blocked", "tile32", 10000, 0, 1, 0.25),
                         row("cuda_blocked", "tile32", 20000, 0, 1, 4),
                         row("cuda_blocked", "tile32", 20000, 1, 1, 8)),
            ladder.published_speedups(), VARIANTS)
        self.assertIn("At the largest size, V = 20000:", text)
        self.assertIn("| variant | D, T/s | D + Π, T/s |", text)
        self.assertIn("| `cuda_blocked tile32` | 2.00 | 1.00 |", text)

    def test_kept_results(self):
        text = self.run_main("--timings", str(RESULTS / "ladder_h200.csv"),
                             "--ceilings", str(self.folder / "none.csv"))
        self.assertRegex(text, r"\| `cuda_simple naive` \| \d+ \| [\d.]+ \| 1.0 \| – \| – \| – \|")
        self.assertNotIn("ceiling", text)

    def test_reports_of_variants(self):
        """Each report is that of one variant, and gives a speed-up."""
        reports = ladder.reports_of(VARIANTS)
        published = ladder.published_speedups()
        self.assertEqual(sorted(reports.values()), sorted(published))
        for report in reports.values():
            self.assertIn(ladder.SHOWN_SIZE, published[report])

    def test_ceilings_of_variants(self):
        """All ceilings that variants name are measured."""
        measured = ladder.read_ceilings(RESULTS / "ceilings_h200.csv")
        named = {variant.ceiling for variant in VARIANTS.values()} - {None}
        self.assertGreater(len(named), 3)
        self.assertLessEqual(named, set(measured))
        for (program, name), variant in VARIANTS.items():
            self.assertEqual(variant.ceiling is None, name == "auto", program)

    def test_programs_that_are_not_built(self):
        self.medians(row("cuda_blocked", "dpx32", 10000, 0, 1, 0.1))
        said = self.run_main("--timings", str(self.folder / "ladder.csv"), "--bin",
                             str(self.folder), status=2)
        self.assertIn("cuda_simple: expected a program, found none", said)

    def test_markers(self):
        path = self.folder / "README.md"
        begin, end = markers.markers("ladder")
        path.write_text(f"head\n{begin}\nold\n{end}\ntail\n", encoding="utf-8")
        for _ in range(2):
            markers.insert("new", path, "ladder")
            self.assertEqual(path.read_text(encoding="utf-8"),
                             f"head\n{begin}\n\nnew\n\n{end}\ntail\n")
        for text in ("no markers", f"{begin} alone", f"{end} before {begin}"):
            path.write_text(text, encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "README.md: expected the markers"):
                markers.insert("new", path, "ladder")

    def test_speedups_of_the_reports(self):
        medians = self.medians(row("cuda_simple", "naive", 1000, 0, 1, 4),
                               row("cuda_blocked", "tile32", 1000, 0, 1, 0.5),
                               row("cuda_blocked", "tile32", 1000, 1, 1, 9),
                               row("cuda_blocked", "tile64", 2500, 0, 1, 0.25))
        self.assertEqual(ladder.report_speedups(medians, VARIANTS), {"b32": {1000: 8}})
        text = ladder.render_speedups(medians, ladder.published_speedups(), VARIANTS)
        self.assertIn("| `tile32` (b32) | 8.0 (5.0) | – (14.9) | – (18.7) |", text)

    def test_two_graphs_of_one_size(self):
        """Other densities belong to the crossover, not to the ladder."""
        with self.assertRaisesRegex(ValueError, "expected one graph of 10 vertices, found 9 and 8"):
            self.medians(row("a", "b", 10, 1, 1, 3),
                         row("a", "b", 10, 1, 1, 3).replace(",9,0,", ",8,0,"))


class Ceilings(Tables):
    """The same with ceilings beside the timings."""

    def ceilings(self, *rows, device="X"):
        path = self.folder / "ceilings.csv"
        path.write_text("name,unit,value,device,repetition\n" + "".join(
            f"{name},{unit},{value},{device},1\n" for name, unit, value in rows),
            encoding="utf-8")
        return ladder.read_ceilings(path)

    def test_medians(self):
        found = self.ceilings(("a", "bytes/s", 3e9), ("a", "bytes/s", 1e9), ("a", "bytes/s", 2e9),
                              ("b", "relaxations/s", 5))
        self.assertEqual(found, {"a": ladder.Ceiling(2e9, "bytes/s"),
                                 "b": ladder.Ceiling(5, "relaxations/s")})
        self.assertEqual(found["a"].shown(), "2.0 GB/s")
        self.assertEqual(ladder.read_ceilings(self.folder / "none.csv"), {})

    def test_each_by_its_own(self):
        text = ladder.render(
            self.medians(row("cuda_simple", "naive", 10000, 0, 1, 4),
                         row("cuda_blocked", "dpx32", 10000, 0, 1, 0.1),
                         row("cuda_blocked", "dpx32", 20000, 0, 1, 1),
                         row("cuda_blocked", "dpx16", 10000, 0, 1, 0.05),
                         row("cuda_blocked", "tensor", 10000, 0, 1, 0.02),
                         row("cuda_blocked", "auto", 10000, 0, 1, 0.02)),
            ladder.published_speedups(), VARIANTS,
            self.ceilings(("viaddmin_s32", "relaxations/s", 16e12),
                          ("viaddmin_u16x2", "relaxations/s", 25e12),
                          ("bf16_mma", "multiply-adds/s", 200e12),
                          ("memory_read", "bytes/s", 4e12)))
        self.assertIn("| variant | D, ms | D, T/s | of the ceiling | over naive |", text)
        self.assertIn("| `cuda_simple naive` | 4000 | 0.25 | 25 % | 1.0 |", text)
        self.assertIn("| `cuda_blocked dpx32` | 100 | 10.00 | 62 % | 40.0 |", text)
        self.assertIn("| `cuda_blocked dpx32` | 8.00 | 50 % | – |", text)
        self.assertIn("| `cuda_blocked dpx16` | 50 | 20.00 | 80 % | 80.0 |", text)
        self.assertIn("| `cuda_blocked tensor` | 20 | 50.00 | 25 % | 200.0 |", text)
        self.assertIn("| `cuda_blocked auto` | 20 | 50.00 | – | 200.0 |", text)
        self.assertIn("| `viaddmin_s32` | 16.0 T relaxations/s | `cuda_blocked dpx32` |", text)
        self.assertIn("| `memory_read` | 4000.0 GB/s | `cuda_simple naive` |", text)

    def test_some_are_missing(self):
        """No tensor cores; a variant without distances alone; one not measured."""
        text = ladder.render(self.medians(row("cuda_blocked", "tensor", 10000, 0, 1, 0.02),
                                          row("cuda_blocked", "dpx32", 10000, 1, 1, 0.1)),
                             ladder.published_speedups(), VARIANTS,
                             self.ceilings(("viaddmin_u16x2", "relaxations/s", 1),
                                           ("viaddmin_s32", "relaxations/s", 1)))
        self.assertIn("| `cuda_blocked tensor` | 20 | 50.00 | – |", text)
        self.assertIn("| `cuda_blocked dpx32` | – | – | – |", text)
        self.assertIn("| `viaddmin_u16x2` | 0.0 T relaxations/s | – |", text)

    def test_found_beside_the_timings(self):
        self.medians(row("cuda_blocked", "dpx32", 10000, 0, 1, 0.1))
        timings = str(self.folder / "ladder.csv")
        self.assertNotIn("ceiling", self.run_main("--timings", timings))
        self.ceilings(("viaddmin_s32", "relaxations/s", 16e12))
        self.assertIn("62 %", self.run_main("--timings", timings))
        for name, beside in (("ladder_h200.csv", "ceilings_h200.csv"), ("t.csv", "ceilings.csv")):
            self.assertEqual(ladder.default_ceilings(Path(name)), Path(beside))

    def test_other_device(self):
        self.medians(row("cuda_blocked", "dpx32", 10000, 0, 1, 0.1))
        self.ceilings(("viaddmin_s32", "relaxations/s", 16e12), device="Y")
        said = self.run_main("--timings", str(self.folder / "ladder.csv"), status=2)
        self.assertIn("expected ceilings of X, found Y", said)

    def test_other_file(self):
        self.medians(row("cuda_blocked", "dpx32", 10000, 0, 1, 0.1))
        (self.folder / "ceilings.csv").write_text("a\n1\n", encoding="utf-8")
        said = self.run_main("--timings", str(self.folder / "ladder.csv"), status=2)
        self.assertIn("expected a column 'device'", said)


if __name__ == "__main__":
    unittest.main()
