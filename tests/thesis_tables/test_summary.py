# SPDX-License-Identifier: MIT
"""Tests of the summary: published conclusions hold of the published figures, and only where ours
say so of ours."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from thesis_tables.published.schedule import (  # noqa: E402 (found by the line above)
    FURTHER_SOLVERS, THESIS_SOLVERS, Graph, Solver, report_speedups, thesis_graphs)
from thesis_tables import summary  # noqa: E402
from thesis_tables.measured import Timed  # noqa: E402
from tests.thesis_tables.test_render import measurement  # noqa: E402

Scales = dict[Solver, float]
NOTHING = Timed({}, [])
AS_PUBLISHED = {solver: 1.0 for solver in THESIS_SOLVERS}


def published_again(scales: Scales, power: float = 1, most: int = 12500) -> Timed:
    """Measurements that are the published times: to a power, and times a factor."""
    published = summary.published_times()
    newest = {}
    for graph in thesis_graphs():
        for solver, scale in scales.items():
            seconds = scale * published[graph.graph_class, solver][graph.vertices]**power
            if graph.vertices <= most:
                newest[graph, solver] = measurement(solve_s=(seconds,), total_s=(seconds,))
    return Timed(newest, [])


def row(text: str, number: int) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(f"| {number}. "))
    return line.strip("| ").split(" | ")


def verdicts(text: str, numbers: range) -> list[str]:
    """By solve_s, and of the reports."""
    return [row(text, number)[-1].partition(":")[0] for number in numbers]


THESIS = range(1, len(summary.THESIS_CONCLUSIONS) + 1)
REPORTS = range(THESIS.stop, THESIS.stop + len(summary.REPORT_CONCLUSIONS))


class Published(unittest.TestCase):
    def test_every_conclusion_holds_of_the_published_figures(self) -> None:
        times, speedups = summary.published_times(), report_speedups()
        for conclusion in summary.THESIS_CONCLUSIONS:
            with self.subTest(conclusion.text):
                self.assertEqual({each.holds for each in conclusion.judge(times)}, {True})
        for about_reports in summary.REPORT_CONCLUSIONS:
            with self.subTest(about_reports.text):
                self.assertIs(about_reports.judge(speedups).holds, True)

    def test_measured_as_published(self) -> None:
        text = summary.as_markdown(published_again(AS_PUBLISHED), report_speedups())
        self.assertEqual(verdicts(text, THESIS), ["yes"] * len(THESIS))
        self.assertEqual(verdicts(text, REPORTS), ["yes"] * len(REPORTS))
        for number in THESIS:
            published, total, solve = row(text, number)[1:]
            self.assertEqual((total, solve), (f"yes: {published}",) * 2)


class Measured(unittest.TestCase):
    def judged(self, timed: Timed, speedups: Optional[summary.SpeedUps] = None) -> str:
        return summary.as_markdown(timed, speedups or {})

    def test_nothing_measured(self) -> None:
        text = self.judged(NOTHING)
        self.assertEqual(verdicts(text, THESIS), ["not measured"] * len(THESIS))
        self.assertEqual(verdicts(text, REPORTS), ["not measured"] * len(REPORTS))
        self.assertIn("Measured on: nothing.", text)
        self.assertNotIn("✗ |", text)

    def test_small_graphs_alone_say_nothing_of_large_ones(self) -> None:
        text = self.judged(published_again(AS_PUBLISHED, most=40))
        self.assertEqual(verdicts(text, THESIS), ["not measured"] * len(THESIS))

    def test_each_conclusion_can_fail(self) -> None:
        cpu, v1, v2 = THESIS_SOLVERS
        cases: list[tuple[int, Timed]] = [
            (1, published_again({cpu: 1e6, v1: 1, v2: 1})),
            (1, published_again({cpu: 0.01, v1: 1, v2: 1})),
            (2, published_again({cpu: 0.1, v1: 1, v2: 1})),
            (4, published_again({cpu: 1, v1: 1, v2: 3})),
            (7, published_again(AS_PUBLISHED, power=0.5)),
        ]
        swapped = published_again(AS_PUBLISHED)
        for (graph, solver), measured in list(swapped.newest.items()):
            if graph.graph_class == "sparse" and solver == v2:
                swapped.newest[graph, solver] = measurement(
                    solve_s=(measured.solve_s[0] / 10,), total_s=(1.0,))
        cases.append((5, swapped))
        slow = published_again(AS_PUBLISHED)
        for graph, solver in list(slow.newest):
            if graph.graph_class == "sparse":
                slow.newest[graph, solver] = measurement(solve_s=(1e6,), total_s=(1.0,))
        cases.append((6, slow))
        steep = published_again(AS_PUBLISHED)
        for graph, solver in list(steep.newest):
            if solver == v1 and graph.vertices == 12500:
                steep.newest[graph, solver] = measurement(solve_s=(1.0,), total_s=(1.0,))
        cases.append((3, steep))
        for number, timed in cases:
            with self.subTest(number):
                text = self.judged(timed)
                self.assertIn(verdicts(text, range(number, number + 1))[0], ("**no**", "partly"))
                self.assertIn(" ✗", row(text, number)[-1])

    def test_each_conclusion_of_the_reports_can_fail(self) -> None:
        cases = ((0, "b32", 10000, 9.0), (1, "tile64-2x2", 10000, 20.0),
                 (2, "batched-2-6x6", 10000, 50.0), (3, "batched-3-interior", 10000, 99.0),
                 (4, "b32", 5000, 9.0), (4, "tile64-2x2", 1000, 39.0))
        for index, report, size, speedup in cases:
            with self.subTest(report):
                speedups = {name: dict(each) for name, each
                            in report_speedups().items()}
                speedups[report][size] = speedup
                text = self.judged(NOTHING, speedups)
                self.assertEqual(verdicts(text, REPORTS)[index], "**no**")

    def test_one_large_size_says_nothing_of_a_course(self) -> None:
        text = self.judged(published_again(AS_PUBLISHED, most=1000))
        self.assertEqual([number for number in THESIS if row(text, number)[-1] == "not measured"],
                         [3, 7])
        text = self.judged(published_again(AS_PUBLISHED, most=2000))
        self.assertEqual(row(text, 3)[-1], "not measured")
        self.assertEqual(row(text, 7)[-1], "not measured")
        self.assertEqual(verdicts(text, range(4, 5)), ["yes"])

    def test_one_class_missing(self) -> None:
        timed = published_again(AS_PUBLISHED)
        for key in [key for key in timed.newest if key[0].graph_class == "medium"]:
            del timed.newest[key]
        text = self.judged(timed)
        self.assertEqual(verdicts(text, range(1, 3)), ["as far as measured"] * 2)
        self.assertIn("medium: not measured", row(text, 2)[-1])
        self.assertEqual(row(text, 5)[-1], "not measured")

    def test_machines(self) -> None:
        """Each named once, with the GPU that solved there."""
        graphs = thesis_graphs()
        timed = Timed({(graphs[0], THESIS_SOLVERS[0]): measurement(cpu="A"),
                       (graphs[0], THESIS_SOLVERS[1]): measurement(cpu="A", device="G"),
                       (graphs[1], THESIS_SOLVERS[0]): measurement(cpu="B")}, [])
        self.assertIn("Measured on: A, G; B.", self.judged(timed))

    def test_shown_is_what_the_verdict_rests_on(self) -> None:
        v2 = THESIS_SOLVERS[-1]
        timed = published_again(AS_PUBLISHED)
        for graph, solver in list(timed.newest):
            if graph == Graph("dense", 1000, 150000) and solver == v2:
                timed.newest[graph, solver] = measurement(solve_s=(0.52,), total_s=(0.52,))
        self.assertTrue(row(self.judged(timed), 4)[-1].startswith(
            "partly: dense 0.500 (V = 1000), 2.31 (V = 12500) ✗; medium 1.62 (V = 1000), "))

    def test_since_then(self) -> None:
        _, _, v2 = THESIS_SOLVERS
        auto = next(each for each in FURTHER_SOLVERS if each.program == "cuda_blocked")
        graph = Graph("dense", 12500, 3125000)
        timed = Timed({(graph, v2): measurement(solve_s=(2.0,)),
                       (graph, auto): measurement(solve_s=(0.125,))}, [])
        line = next(line for line in self.judged(timed).splitlines()
                    if line.startswith("| dense, V = 12500"))
        self.assertEqual(line.count("not measured"), len(FURTHER_SOLVERS) - 1)
        self.assertIn("| 151.96 | 2.00 |", line)
        self.assertIn("| 0.125 (16.0 ×) |", line)


if __name__ == "__main__":
    unittest.main()
