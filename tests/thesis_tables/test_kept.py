# SPDX-License-Identifier: MIT
"""Tests that what is kept in experiments/results, and what the READMEs show of it, is what the
scripts make of the CSV files there: `make kept-tables` renders it anew."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments import variants  # noqa: E402 (found by the line above)
from thesis_tables import ladder, markers, plot, render, sparse  # noqa: E402

RESULTS = ROOT / "experiments" / "results"
VARIANTS = ladder.read_variants(variants.default_bin())
PAGE = "docs/thesis.md"
KEPT = RESULTS / "tables"
VERSION = re.compile(r"Produced by GNUPLOT (\S+) patchlevel (\S+)")


def gnuplot_version() -> tuple[str, ...]:
    gnuplot = shutil.which(plot.GNUPLOT)
    if gnuplot is None:
        return ()
    words = subprocess.run([gnuplot, "--version"], stdout=subprocess.PIPE, text=True,
                           check=False).stdout.split()
    return (words[1], words[3]) if len(words) > 3 else ()


class Kept(unittest.TestCase):
    out: Path
    page: Path
    ladder: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name) / "experiments" / "results" / "tables"
        cls.page = Path(folder.name) / PAGE
        cls.page.parent.mkdir()
        shutil.copy(ROOT / PAGE, cls.page)
        ladders = sorted(RESULTS.glob("ladder_*.csv"))
        cls.ladder = ladders[0]
        arguments = ["--timings", *sorted(RESULTS.glob("thesis_*.csv")), "--ladder", cls.ladder,
                     "--crossover", *ladders, *sorted(RESULTS.glob("crossover_*.csv")),
                     "--out", cls.out, "--into", cls.page]
        with contextlib.redirect_stdout(io.StringIO()):
            assert render.main(list(map(str, arguments))) == 0

    def test_tables(self) -> None:
        made = {path.name for path in self.out.iterdir() if path.suffix in (".md", ".csv")}
        kept = {path.name for path in KEPT.iterdir() if path.suffix in (".md", ".csv")}
        self.assertEqual(made, kept)
        for name in sorted(made):
            expected = (KEPT / name).read_text(encoding="utf-8")
            found = (self.out / name).read_text(encoding="utf-8")
            if name == "tables.md" and not shutil.which(plot.GNUPLOT):
                expected = re.sub(r"## Figures\n\n(!\[.*\n+)+", "", expected)
            self.assertEqual(found, expected, f"{name}: make kept-tables")

    def test_pictures(self) -> None:
        """The same bytes, from the same gnuplot."""
        kept = sorted(path for path in KEPT.glob("*.svg"))
        self.assertGreaterEqual(len(kept), 6)
        version = VERSION.search(kept[0].read_text(encoding="utf-8"))
        assert version
        if version.groups() != gnuplot_version():
            self.skipTest(f"drawn by gnuplot {' patchlevel '.join(version.groups())}")
        for path in kept:
            self.assertEqual((self.out / path.name).read_bytes(), path.read_bytes(),
                             f"{path.name}: make kept-tables")

    def test_pages(self) -> None:
        self.assertEqual((ROOT / PAGE).read_text(encoding="utf-8"),
                         self.page.read_text(encoding="utf-8"), "make kept-tables")
        inside = markers.between((ROOT / "cuda_blocked" / "README.md").read_text(encoding="utf-8"),
                                 ladder.MARKERS)
        self.assertEqual(inside.strip(), ladder.render_file(self.ladder, VARIANTS),
                         "make kept-tables")

        sparse_timings, = RESULTS.glob("sparse_*.csv")
        inside = markers.between((ROOT / "docs" / "cuda_sparse.md").read_text(encoding="utf-8"),
                                 sparse.MARKERS)
        self.assertEqual(inside.strip(), sparse.render_file(sparse_timings), "make kept-tables")


if __name__ == "__main__":
    unittest.main()
