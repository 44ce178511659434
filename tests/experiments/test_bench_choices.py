# SPDX-License-Identifier: MIT
"""Tests of the bench of what apsp takes beside the engines that it could have taken."""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import bench_choices  # noqa: E402 (found by the line above)

BIN = Path(os.environ.get("APSP_BIN", Path(__file__).resolve().parents[2] / "bin"))


class Choices(unittest.TestCase):

    def test_rows(self) -> None:
        graphs = (("ring", 1200, ("--family", "ring")), ("knn", 300, ("--family", "knn")))
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(bench_choices, "GRAPHS", graphs):
            bench_choices.run(argparse.Namespace(bin=BIN, out=Path(folder), repeat=1, longest=20,
                                                 max_v=1200, graph=[]))
            with (Path(folder) / "hosts_choices.csv").open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        goals = {(graph, goal) for graph, *_ in graphs for goal in bench_choices.GOALS}
        goals.remove(("knn", "1000 sources"))  # it has fewer vertices
        self.assertEqual({(row["graph"], row["goal"]) for row in rows}, goals)
        for graph, goal in goals:
            own = [row for row in rows if (row["graph"], row["goal"]) == (graph, goal)]
            engines = {row["engine"]: float(row["whole_s"]) for row in own}
            with self.subTest(graph=graph, goal=goal):
                self.assertEqual(len(engines), len(own))
                [apsp] = [row for row in own if row["engine"] == "apsp"]
                self.assertIn(apsp["chosen"], engines)
                best = min(seconds for engine, seconds in engines.items() if engine != "apsp")
                self.assertAlmostEqual(float(apsp["worth"]), engines["apsp"] / best, delta=0.02)


if __name__ == "__main__":
    unittest.main()
