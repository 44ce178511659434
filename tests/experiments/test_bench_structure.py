# SPDX-License-Identifier: MIT
"""Tests of the bench of what the structure of graphs decides."""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import bench_structure  # noqa: E402 (found by the line above)

BIN = Path(os.environ.get("APSP_BIN", Path(__file__).resolve().parents[2] / "bin"))
GROWTH = """vertices,engine,threads,sources,solve_s,share
1000,blocked,1,1000,0.5,0.5
1000,dissection,1,1000,0.01,1
100000,dissection,1,64,1,1
100000,dissection,1,1064,3,1
200000,dissection,1,64,1,1
"""


class Growth(unittest.TestCase):

    def setUp(self) -> None:
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.path = Path(work.name) / "growth.csv"
        self.path.write_text(GROWTH, encoding="utf-8")

    def test_whole_follows_from_two_samples(self) -> None:
        times = bench_structure.whole_times(self.path)
        self.assertEqual(times["blocked"], [(1000, 0.25, False)])
        self.assertEqual([point[0::2] for point in times["dissection"]],
                         [(1000, False), (100000, True)])  # one sample tells nothing
        self.assertAlmostEqual(times["dissection"][1][1], 1 + 0.002 * (100000 - 64))

    def test_figure(self) -> None:
        self.assertEqual(bench_structure.main(["--draw", str(self.path)]), 0)
        text = self.path.with_suffix(".svg").read_text(encoding="utf-8")
        marks = ElementTree.fromstring(text).findall("{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(marks), 3)
        self.assertEqual(sum(mark.get("fill") == "white" for mark in marks), 1)


class Choices(unittest.TestCase):

    def test_rows(self) -> None:
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(bench_structure, "GRAPHS", (("ring", 500,
                                                               ("--family", "ring")),)):
            options = argparse.Namespace(bin=BIN, out=Path(folder), repeat=1, longest=1)
            bench_structure.choices(options, Path(folder))
            with (Path(folder) / "choices.csv").open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual({row["threads"] for row in rows}, {"1", "2", "16"})
        for row in rows:
            self.assertEqual(row["solve_s"] == "", row["threads"] == "16")
            self.assertGreater(float(row["predicted_s"]), 0)
        chosen = [row for row in rows if row["variant"] == "auto"]
        self.assertEqual(len(chosen), 3)
        self.assertTrue(all(row["chosen"] in ("blocked", "johnson", "multisource", "dissection")
                            for row in chosen))


if __name__ == "__main__":
    unittest.main()
