# SPDX-License-Identifier: MIT
"""Pictures of curves on logarithmic axes, drawn by gnuplot as SVG.

A figure is data; script() turns it into gnuplot's language, the same text for the same data,
and gnuplot of one version turns that into the same SVG. To be read without colours: series
differ by point shape and dashes, published ones are dotted with open points, and each curve has
its name at its right end. A ring marks a point that was measured beside other busy processes.
"""

from __future__ import annotations

import dataclasses
import math
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Optional

GNUPLOT = "gnuplot"
# Sizes in pixels. Panels are drawn below one another.
WIDTH, PANEL_HEIGHT, TITLE_HEIGHT, NOTE_HEIGHT = 900, 480, 40, 18
LEFT, RIGHT = 0.10, 0.72  # ends of the axes, in parts of the width; names of curves follow
ABOVE, BELOW = 40, 60  # pixels above a panel's axes, for its title, and below, for the labels of x
DIGIT_WIDTH = 9
LEAST_GAP = 0.05  # least distance of names, in parts of the height of the axes
LINE_COLOURS = ("#000000", "#0060a0", "#c04000", "#007050", "#a03080", "#806000", "#404040")
SHAPES = (5, 7, 9, 13, 11, 15, 3)  # gnuplot's numbers of filled points; one less is the same point, open
DASHES = ("1", "1", "1", "(14,3)", "(14,3,2,3)", "(8,3)", "(8,3,2,3,2,3)")
PUBLISHED_DASH = "(3,3)"


@dataclasses.dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]
    style: int  # number of the shape and colour; related series have the same
    published: bool = False
    disturbed: Sequence[tuple[float, float]] = ()  # the points that get a ring
    bars: Sequence[tuple[float, float]] = ()  # error bar of each point, from and to; empty: no bars
    beyond: Sequence[tuple[float, float, bool]] = ()  # arrows: x, y, True if upwards


@dataclasses.dataclass(frozen=True)
class Panel:
    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    x_tics: Sequence[float]


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str  # name of the files, without ending
    title: str
    panels: Sequence[Panel]
    notes: Sequence[str] = ()  # lines below the panels on where it was measured


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten that enclose the values, for an axis."""
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**least, 10.0**max(most, least + 1)


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Places for names, in 0 ... 1: near the wanted places, and at least a gap apart if there is room.
    Names that would overlap are stacked around their middle."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    stacks: list[list[int]] = []

    def middle(stack: list[int]) -> float:
        half = (len(stack) - 1) * gap / 2
        centre = sum(wanted[index] for index in stack) / len(stack)
        return min(max(centre, half), max(half, 1 - half))

    for index in order:
        stacks.append([index])
        while len(stacks) > 1:
            lower, upper = stacks[-2], stacks[-1]
            top = middle(lower) + (len(lower) - 1) * gap / 2
            bottom = middle(upper) - (len(upper) - 1) * gap / 2
            if bottom - top >= gap:
                break
            stacks[-2:] = [lower + upper]
    places = [0.0] * len(wanted)
    for stack in stacks:
        for number, index in enumerate(stack):
            places[index] = middle(stack) + (number - (len(stack) - 1) / 2) * gap
    return places


def arrow_head(y: float, up: bool) -> float:
    return y * 1.25 if up else y / 1.25


def marked(series: Series) -> list[tuple[float, float]]:
    """The marks of a series, by x."""
    return sorted([*series.points, *((x, y) for x, y, _ in series.beyond)])


def legible(tics: Sequence[float], span: float) -> list[float]:
    """The tics without those whose numbers would touch the number of a larger tic; span: logarithm of
    the axis."""
    kept: list[float] = []
    for tic in sorted(tics, reverse=True):
        pixels = math.log(kept[-1] / tic) / span * (RIGHT - LEFT) * WIDTH if kept else math.inf
        digits = len(f"{tic:g}") + len(f"{kept[-1]:g}") if kept else 0
        if pixels >= DIGIT_WIDTH * (digits / 2 + 1):
            kept.append(tic)
    return kept[::-1]


def y_tics(least: float, most: float) -> list[str]:
    """The tics of y: powers of ten; on a short axis 1, 2 and 5 times each."""
    if most > 200 * least:
        return ["set ytics autofreq", "set format y '10^{%T}'"]
    tics = [least * step * scale for scale in (1, 10) for step in (1, 2, 5)] + [100 * least]
    return ["set format y '%g'",
            f"set ytics ({', '.join(f'{tic:g}' for tic in tics if tic <= 1.01 * most)})"]


def _colour(series: Series) -> str:
    return f"rgb '{LINE_COLOURS[series.style % len(LINE_COLOURS)]}'"


def _style(series: Series) -> str:
    shape = SHAPES[series.style % len(SHAPES)] - series.published
    dash = PUBLISHED_DASH if series.published else DASHES[series.style % len(DASHES)]
    width = 1.2 if series.published else 2
    return f"lc {_colour(series)} lw {width} dt {dash} pt {shape} ps 0.8"


def _height(figure: Figure) -> int:
    return TITLE_HEIGHT + PANEL_HEIGHT * len(figure.panels) + NOTE_HEIGHT * len(figure.notes)


def _curve(series: Series, data: str, place: float) -> list[str]:
    """The commands for one curve: its points as a block of data, its name at a place right of the axes,
    bars and arrows."""
    x, y = marked(series)[-1]
    lines = [
        f"${data} << end",
        *(f"{x:.9g} {y:.9g}" for x, y in series.points or [(1, math.nan)]),
        "end",
        f"set arrow from {x:.9g},{y:.9g} to graph 1.035,graph {place:.4f} nohead "
        "lc rgb '#808080' lw 0.5",
        f"set label {quoted(series.name)} at graph 1.045,graph {place:.4f} left noenhanced "
        f"tc {_colour(series)}",
    ]
    for (x, _), (low, high) in zip(series.points, series.bars):
        lines.append(f"set arrow from {x:.9g},{low:.9g} to {x:.9g},{high:.9g} heads size "
                     f"graph 0.008,90 front lc {_colour(series)} lw 1")
    for x, y, up in series.beyond:
        lines.append(f"set arrow from {x:.9g},{y:.9g} to {x:.9g},{arrow_head(y, up):.9g} head "
                     f"size graph 0.015,20 filled front lc {_colour(series)} lw 1")
    return lines


def _panel(panel: Panel, number: int, height: int) -> list[str]:
    top = 1 - (TITLE_HEIGHT + number * PANEL_HEIGHT + ABOVE) / height
    bottom = 1 - (TITLE_HEIGHT + (number + 1) * PANEL_HEIGHT - BELOW) / height
    series = [each for each in panel.series if marked(each)]
    xs = [x for each in series for x, _ in marked(each)]
    ys = [y for each in series for _, y in marked(each)]
    ys += [y for each in series for bar in each.bars for y in bar]
    ys += [arrow_head(y, up) for each in series for _, y, up in each.beyond]
    left, right = min(xs) / 1.15, max(xs) * 1.15
    least, most = decades(ys)
    places = spread([math.log(marked(each)[-1][1] / least) / math.log(most / least)
                     for each in series], LEAST_GAP)
    tics = ", ".join(f"{tic:g}" for tic in legible(panel.x_tics, math.log(right / left)))
    lines = [
        f"set tmargin at screen {top:.4f}",
        f"set bmargin at screen {bottom:.4f}",
        f"set title {quoted(panel.title)} noenhanced",
        f"set xlabel {quoted(panel.x_label)} noenhanced",
        f"set ylabel {quoted(panel.y_label)} noenhanced",
        f"set xrange [{left:.9g}:{right:.9g}]",
        f"set yrange [{least:.9g}:{most:.9g}]",
        f"set xtics ({tics})",
        *y_tics(least, most),
        "unset label",
        "unset arrow",
    ]
    names = [f"s{number}_{index}" for index in range(len(series))]
    for each, name, place in zip(series, names, places):
        lines += _curve(each, name, place)
    rings = [point for each in series for point in each.disturbed]
    if rings:
        lines += [f"$r{number} << end", *(f"{x:.9g} {y:.9g}" for x, y in rings), "end"]
    curves = [f"${name} using 1:2 with linespoints {_style(each)}"
              for each, name in zip(series, names)]
    curves += [f"$r{number} using 1:2 with points pt 6 ps 2 lc rgb '#808080'"] * bool(rings)
    return [*lines, f"plot {', '.join(curves)}"]


def _notes(figure: Figure, height: int) -> list[str]:
    """Labels of the whole picture, for the panel drawn last."""
    return [f"set label {quoted(line)} at screen 0.01,screen "
            f"{(len(figure.notes) - number - 0.5) * NOTE_HEIGHT / height:.4f} left noenhanced "
            "font ',12' tc rgb '#404040'" for number, line in enumerate(figure.notes)]


def is_empty(figure: Figure) -> bool:
    return not all(any(map(marked, panel.series)) for panel in figure.panels)


def script(figure: Figure, output: Path) -> str:
    """Returns the commands for gnuplot. Each panel must have a point."""
    height = _height(figure)
    lines = [
        f"set terminal svg size {WIDTH},{height} dynamic enhanced font 'Helvetica,15' "
        "background 'white'",
        f"set output {quoted(str(output))}",
        "set encoding utf8",
        f"set multiplot title {quoted(figure.title)} noenhanced",
        "set logscale xy",
        "set grid lc rgb '#d0d0d0' lw 0.5 dt 1",
        "set tics scale 0.6",
        "unset key",
        f"set lmargin at screen {LEFT}",
        f"set rmargin at screen {RIGHT}",
    ]
    for number, panel in enumerate(figure.panels):
        *settings, plotted = _panel(panel, number, height)
        last = number == len(figure.panels) - 1
        lines += [*settings, *(_notes(figure, height) if last else []), plotted]
    return "\n".join([*lines, "unset multiplot", ""])


def run(script_for: Callable[[Path], str], picture: Path, gnuplot: Path) -> Optional[str]:
    """Has gnuplot draw a picture, by the script for a path; returns the reason if it failed. The
    picture is drawn into another file and then renamed, so that an incomplete one is never seen."""
    temporary = picture.with_name(f".{picture.name}.new")
    done = subprocess.run([gnuplot, "-d"], input=script_for(temporary),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                          encoding="utf-8", errors="replace")
    if done.returncode == 0 and temporary.exists():
        temporary.replace(picture)
        return None
    temporary.unlink(missing_ok=True)
    said = [line.strip() for line in done.stderr.splitlines() if line.strip(" ^\t")]
    return said[-1] if said else f"{gnuplot} ended with status {done.returncode}"


def draw(figure: Figure, out: Path, gnuplot: Path) -> Optional[str]:
    """Writes the figure's file; returns the reason if gnuplot failed."""
    return run(lambda path: script(figure, path), out / f"{figure.name}.svg", gnuplot)


def draw_all(figures: Iterable[Figure], out: Path) -> list[str]:
    """Writes the files of all figures into the folder; one line for each reason why some could
    not be made, with their names."""
    gnuplot = shutil.which(GNUPLOT)
    missing: dict[str, list[str]] = {}
    for figure in figures:
        reason = ("without gnuplot (Debian: gnuplot-nox)" if gnuplot is None
                  else "nothing to draw" if is_empty(figure)
                  else draw(figure, out, Path(gnuplot)))
        if reason is not None:
            name = f"{figure.name}.svg"
            missing.setdefault(reason, []).append(name)
            (out / name).unlink(missing_ok=True)  # an old picture would show other numbers
    return [f"not drawn: {', '.join(names)}: {reason}" for reason, names in missing.items()]
