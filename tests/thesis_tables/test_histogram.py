# SPDX-License-Identifier: MIT
"""Tests of the picture of a histogram of distances: what gnuplot is told, and what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from thesis_tables import histogram, plot  # noqa: E402 (found by the line above)

GNUPLOT = shutil.which(plot.GNUPLOT)
MEASURES = {"graph": "it's_mine.gr", "vertices": 9, "all_sources": True, "sources": 9,
            "histogram": {"bin_width": 4, "first": -4, "counts": [3, 0, 12345678901]}}


def changed(**members: object) -> dict[str, object]:
    return {**MEASURES, **members}


class Script(unittest.TestCase):
    def lines(self, **members: object) -> list[str]:
        found = histogram.histogram_of(changed(**members))
        return histogram.script(found, Path("out.svg")).splitlines()

    def test_boxes(self) -> None:
        """Each covers the integers of its bin, half a unit to both sides."""
        lines = self.lines()
        begin = lines.index("$bins << end")
        self.assertEqual(lines[begin + 1:begin + 5], ["-2.5 3 4", "1.5 0 4", "5.5 12345678901 4",
                                                      "end"])
        self.assertIn("set xrange [-4.5:7.5]", lines)
        self.assertIn("set xlabel 'distance, in bins of 4' noenhanced", lines)
        self.assertIn("set title 'it''s_mine.gr: 9 vertices' noenhanced", lines)

    def test_some_sources(self) -> None:
        self.assertIn("set title 'it''s_mine.gr: 9 vertices, distances from 2 of them' noenhanced",
                      self.lines(all_sources=False, sources=2))

    def test_borders_of_few(self) -> None:
        few, many = (self.lines(histogram={"bin_width": 1, "first": 0, "counts": [1] * count})
                     for count in (histogram.WITH_BORDERS, histogram.WITH_BORDERS + 1))
        self.assertIn("set style fill solid border lc rgb '#000000'", few)
        self.assertIn("set style fill solid noborder", many)
        self.assertIn("set xlabel 'distance' noenhanced", few)


class Program(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.path = self.out / "m.json"

    def run_on(self, measures: object) -> tuple[int, str]:
        self.path.write_text(json.dumps(measures), encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            return histogram.main([str(self.path)]), said.getvalue()

    @unittest.skipUnless(GNUPLOT, "gnuplot is not installed")
    def test_drawn(self) -> None:
        pictures = set()
        for _ in range(2):
            self.assertEqual(self.run_on(MEASURES), (0, ""))
            pictures.add((self.out / "m.svg").read_bytes())
        self.assertEqual(len(pictures), 1)
        self.assertIn(b"it's_mine.gr: 9 vertices", pictures.pop())
        self.assertEqual(sorted(os.listdir(self.out)), ["m.json", "m.svg"])

    def test_refused(self) -> None:
        none = {"bin_width": 1, "first": 0, "counts": []}
        for measures, expected in (({}, "expected a file of measures"),
                                   ([1], "expected a file of measures"),
                                   (changed(histogram=3), "expected a file of measures"),
                                   (changed(histogram=none), "nothing to draw")):
            with self.subTest(measures=measures):
                status, said = self.run_on(measures)
                self.assertEqual(status, 2)
                self.assertIn(expected, said)
        self.path.unlink()
        self.assertEqual(histogram.draw(self.path, self.out / "m.svg"),
                         (2, f"cannot read {self.path}: No such file or directory"))

    def test_without_gnuplot(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": str(self.out)}):
            self.assertEqual(self.run_on(MEASURES)[0], 4)


if __name__ == "__main__":
    unittest.main()
