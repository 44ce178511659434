# SPDX-License-Identifier: MIT
"""Tests of the pictures: what gnuplot is told, the same bytes every time, and no gnuplot."""

from __future__ import annotations

import math
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.thesis_tables.test_render import measurement  # noqa: E402 (found by the line above)
from thesis_tables import figures, plot  # noqa: E402
from thesis_tables.measured import Timed  # noqa: E402
from thesis_tables.plot import Figure, Panel, Series  # noqa: E402
from thesis_tables.published import schedule  # noqa: E402
from thesis_tables.published.schedule import Graph  # noqa: E402

GNUPLOT = shutil.which(plot.GNUPLOT)
CURVES = (Series("it's ours", [(10, 2), (100, 20)], 0),
          Series("theirs, cuda_v1", [(10, 3), (100, 30)], 1, published=True),
          Series("nobody's", [], 2))
FIGURE = Figure("some", "Some_figure", [Panel("Panel", "x", "y", CURVES, (10, 100))])

GOLDEN = """\
set terminal svg size 900,520 dynamic enhanced font 'Helvetica,15' background 'white'
set output '/o/some.svg'
set encoding utf8
set multiplot title 'Some_figure' noenhanced
set logscale xy
set grid lc rgb '#d0d0d0' lw 0.5 dt 1
set tics scale 0.6
unset key
set lmargin at screen 0.1
set rmargin at screen 0.72
set tmargin at screen 0.8462
set bmargin at screen 0.1154
set title 'Panel' noenhanced
set xlabel 'x' noenhanced
set ylabel 'y' noenhanced
set xrange [8.69565217:115]
set yrange [1:100]
set xtics (10, 100)
set format y '%g'
set ytics (1, 2, 5, 10, 20, 50, 100)
unset label
unset arrow
$s0_0 << end
10 2
100 20
end
set arrow from 100,20 to graph 1.035,graph 0.6505 nohead lc rgb '#808080' lw 0.5
set label 'it''s ours' at graph 1.045,graph 0.6505 left noenhanced tc rgb '#000000'
$s0_1 << end
10 3
100 30
end
set arrow from 100,30 to graph 1.035,graph 0.7386 nohead lc rgb '#808080' lw 0.5
set label 'theirs, cuda_v1' at graph 1.045,graph 0.7386 left noenhanced tc rgb '#0060a0'
plot $s0_0 using 1:2 with linespoints lc rgb '#000000' lw 2 dt 1 pt 5 ps 0.8, \
$s0_1 using 1:2 with linespoints lc rgb '#0060a0' lw 1.2 dt (3,3) pt 6 ps 0.8
unset multiplot
"""


class Scripts(unittest.TestCase):
    def test_golden(self) -> None:
        self.assertEqual(plot.script(FIGURE, Path("/o/some.svg")), GOLDEN)

    def test_series_differ_without_colours(self) -> None:
        """No two have the same shape and dash."""
        styles = [plot._style(Series("", [], style, published)).partition("lw")[2]
                  for style in range(len(plot.SHAPES)) for published in (False, True)]
        self.assertEqual(len(set(styles)), len(styles))
        self.assertGreaterEqual(len(plot.SHAPES), len(schedule.SOLVERS))

    def test_names_keep_their_distance(self) -> None:
        for wanted, expected in (
                ([0.5], [0.5]), ([0.2, 0.8], [0.2, 0.8]), ([0.5, 0.5], [0.45, 0.55]),
                ([0.55, 0.5], [0.575, 0.475]), ([0.0, 0.0], [0.0, 0.1]), ([1.0, 1.0], [0.9, 1.0]),
                ([0.5, 0.5, 0.6], [0.4333, 0.5333, 0.6333]),
                ([0.3, 0.34, 0.42], [0.2533, 0.3533, 0.4533])):
            with self.subTest(wanted):
                for place, right in zip(plot.spread(wanted, 0.1), expected):
                    self.assertAlmostEqual(place, right, places=4)

    def test_axes_enclose_the_points(self) -> None:
        for values, axis in (((3, 40), (1, 100)), ((0.5,), (0.1, 1)), ((10, 100), (10, 100)),
                             ((10,), (10, 100)), ((2e-7, 3), (1e-7, 10))):
            with self.subTest(values):
                for found, expected in zip(plot.decades(values), axis):
                    self.assertAlmostEqual(found / expected, 1)


    def test_rings_and_notes(self) -> None:
        """Both stand in the panel that is drawn last, below everything else."""
        series = Series("c", [(10, 2), (20, 8)], 0, disturbed=[(20, 8)])
        figure = Figure("f", "", [Panel("", "", "", [series], (10,))], ["first", "it's last"])
        lines = plot.script(figure, Path("f")).splitlines()
        ring = lines.index("$r0 << end")
        self.assertEqual(lines[ring:ring + 3], ["$r0 << end", "20 8", "end"])
        self.assertIn(f"set terminal svg size 900,{520 + 2 * plot.NOTE_HEIGHT} ", lines[0])
        notes = [line for line in lines if "at screen 0.01,screen" in line]
        self.assertEqual([line.split(" at ")[0] for line in notes],
                         ["set label 'first'", "set label 'it''s last'"])
        self.assertTrue(lines[-2].endswith("$r0 using 1:2 with points pt 6 ps 2 lc rgb '#808080'"))

    def test_numbers_of_an_axis_do_not_touch(self) -> None:
        self.assertEqual(plot.legible((1000, 10000, 12500), math.log(16.5)), [1000, 12500])
        self.assertEqual(plot.legible(figures.TICS, math.log(3300)), list(figures.TICS))

    def test_bars_and_arrows(self) -> None:
        series = Series("c", [(10, 2)], 0, bars=[(1, 4)], beyond=[(20, 8, True), (5, 8, False)])
        lines = plot.script(Figure("f", "", [Panel("", "", "", [series], (10,))]),
                            Path("f")).splitlines()
        arrows = [line.partition(" head")[0] for line in lines if line.startswith("set arrow")]
        self.assertEqual(arrows[1:], ["set arrow from 10,1 to 10,4", "set arrow from 20,8 to 20,10",
                                      "set arrow from 5,8 to 5,6.4"])
        self.assertTrue(arrows[0].startswith("set arrow from 20,8 to graph"))
        self.assertIn("set xrange [4.34782609:23]", lines)

    def test_arrows_alone_are_drawn(self) -> None:
        figure = Figure("f", "", [Panel("", "n", "", [Series("c", [], 0, beyond=[(9, 1, True)])],
                                        (9,))])
        self.assertFalse(plot.is_empty(figure))
        if GNUPLOT:
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(plot.draw_all([figure], Path(folder)), [])


class Drawing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)

    def names(self) -> set[str]:
        return {path.name for path in self.out.iterdir()}

    @unittest.skipUnless(GNUPLOT, "gnuplot is not installed")
    def test_same_bytes_every_time(self) -> None:
        pictures = []
        (self.out / ".gnuplot").write_text("set border 0\nset key\n")
        home = {"HOME": str(self.out)}  # whose settings do not count
        for number, environment in enumerate(({"TZ": "Asia/Tokyo", "LC_ALL": "C"},
                                              {"TZ": "UTC", "LC_ALL": "C.UTF-8", **home})):
            out = self.out / str(number)
            out.mkdir()
            with mock.patch.dict(os.environ, environment):
                self.assertEqual(plot.draw_all([FIGURE], out), [])
            self.assertEqual({path.name for path in out.iterdir()}, {"some.svg"})
            pictures.append((out / "some.svg").read_bytes())
        self.assertEqual(pictures[0], pictures[1])
        for text in (b"it's ours", b"theirs, cuda_v1", b"Some_figure"):
            self.assertIn(text, pictures[0])
        self.assertNotIn(b"nobody", pictures[0])

    def test_without_gnuplot(self) -> None:
        """Named in one line; an old picture of other numbers does not stay."""
        (self.out / "some.svg").write_text("old")
        (self.out / "other.svg").write_text("not ours")
        with mock.patch.dict(os.environ, {"PATH": str(self.out)}):
            said = plot.draw_all([FIGURE, Figure("more", "", FIGURE.panels)], self.out)
        self.assertEqual(said, ["not drawn: some.svg, more.svg: without gnuplot (Debian: "
                                "gnuplot-nox)"])
        self.assertEqual(self.names(), {"other.svg"})

    def test_failing_gnuplot(self) -> None:
        """Also one that has begun to draw."""
        failing = self.out / "gnuplot"
        touches = r"""sed -n "s/^set output '\(.*\)'/\1/p" | xargs touch"""
        for begins in ("cat > /dev/null", touches):
            failing.write_text(f"#!/bin/sh\n{begins}\necho 'line 1: no svg here' >&2\nexit 1\n")
            failing.chmod(0o755)
            with self.subTest(begins), mock.patch.object(plot, "GNUPLOT", str(failing)):
                said = plot.draw_all([FIGURE], self.out)
                self.assertEqual(said, ["not drawn: some.svg: line 1: no svg here"])
                self.assertEqual(self.names(), {"gnuplot"})

    def test_nothing_to_draw(self) -> None:
        with mock.patch.object(plot, "GNUPLOT", sys.executable):
            said = plot.draw_all([Figure("none", "", [Panel("", "", "", CURVES[2:], ())])],
                                 self.out)
        self.assertEqual(said, ["not drawn: none.svg: nothing to draw"])


class ThesisFigures(unittest.TestCase):
    def setUp(self) -> None:
        # By both clocks in powers of two, so that quotients are exact.
        cells = {("cpu", "sequential", 5): 8, ("cpu", "sequential", 10): 32,
                 ("cuda_simple", "thesis", 5): 2, ("cuda_blocked", "thesis", 5): 0.5,
                 ("cuda_blocked", "auto", 5): 0.125}
        newest = {}
        for (program, variant, vertices), seconds in cells.items():
            graph = Graph("dense", vertices, vertices)
            newest[graph, schedule.find_solver(program, variant)] = measurement(
                vertices=vertices, total_s=(float(seconds),), solve_s=(seconds / 2,))
        self.figures = {figure.name: figure for figure in figures.thesis_figures(Timed(newest, []))}

    def series(self, name: str, panel: int) -> dict[str, list[tuple[float, float]]]:
        return {each.name: list(each.points) for each in self.figures[name].panels[panel].series}

    def test_names(self) -> None:
        self.assertEqual(list(self.figures), [f"figure_5_{number}_{clock}" for number in (1, 2, 3)
                                              for clock in ("total", "solve")])

    def test_times(self) -> None:
        for name, scale in (("figure_5_1_total", 1), ("figure_5_1_solve", 2)):
            times = self.series(name, 0)
            self.assertEqual(times["CPU"], [(5, 8 / scale), (10, 32 / scale)])
            self.assertEqual(times["cuda_blocked auto"], [(5, 0.125 / scale)])
            self.assertEqual(times["cpu auto"], [])
            self.assertEqual(times["CPU, thesis"][-1], (12500, 24007.1))
            self.assertEqual(len(times["CUDA v2, thesis"]), 13)

    def test_speedups_only_where_both_are_measured(self) -> None:
        speedups = self.series("figure_5_1_total", 1)
        self.assertEqual(speedups["CPU / CUDA v1"], [(5, 4)])
        self.assertEqual(speedups["CUDA v1 / CUDA v2"], [(5, 4)])
        self.assertEqual(speedups["CUDA v2 / cuda_blocked auto"], [(5, 4)])
        self.assertEqual(speedups["CUDA v2 / cuda_sparse auto"], [])
        self.assertEqual(speedups["CPU / CUDA v1, thesis"][-1], (12500, 24007.1 / 350.86))

    def test_machines_and_disturbed_cells_are_told(self) -> None:
        notes = self.figures["figure_5_1_solve"].notes
        self.assertIn("always total_s", notes[0])
        self.assertFalse(any("Rings" in line for line in notes))
        graph, solver = Graph("dense", 5, 5), schedule.find_solver("cpu", "sequential")
        busy = measurement(vertices=5, others=0.5)
        sparse = measurement(vertices=5, cpu="Otherium")
        figure = figures.thesis_figures(Timed({
            (graph, solver): busy, (Graph("sparse", 5, 2), solver): sparse}, []))[0]
        self.assertIn("Rings", figure.notes[-1])
        self.assertTrue(any(busy.cpu in line for line in figure.notes))
        self.assertFalse(any("Otherium" in line for line in figure.notes))  # of another class
        curve, = [each for each in figure.panels[0].series if each.name == "CPU"]
        self.assertEqual(curve.disturbed, [(5, busy.median("total_s"))])

    def test_other_classes_keep_their_published_curves(self) -> None:
        for name in ("figure_5_2_total", "figure_5_3_solve"):
            times = self.series(name, 0)
            self.assertEqual(times["CPU"], [])
            self.assertEqual(len(times["CPU, thesis"]), 13)
        self.assertEqual(self.series("figure_5_2_total", 0)["CPU, thesis"][-1], (12500, 8384.87))
        self.assertEqual(self.series("figure_5_3_total", 0)["CPU, thesis"][-1], (12500, 19538.15))


if __name__ == "__main__":
    unittest.main()
