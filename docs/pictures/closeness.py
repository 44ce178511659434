#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws closeness.svg: a road network, its roads the brighter the closer they are to all others.

    python3 docs/pictures/closeness.py            writes it beside this script
    python3 docs/pictures/closeness.py --out DIR  or somewhere else

graphgen makes the roads, apsp finds the closeness of their vertices: both have to be built. The graph has no
coordinates; place() derives them from how graphgen/family_road.c numbers its vertices.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

VERTICES, SEED = 5000, 7
BIN = Path(os.environ.get("APSP_BIN") or Path(__file__).resolve().parents[2] / "bin")
# Matplotlib's "inferno", from far to near.
COLOURS = ("#420a68", "#57106e", "#6a176e", "#7f1e6c", "#932667", "#a82e5f", "#bc3754", "#cc4248",
           "#dd513a", "#e9633a", "#f37819", "#f98e09", "#fca50a", "#fbbe23", "#f6d746", "#fcffa4")
GROUND = "#0b0912"
STEP = 10  # pixels between neighbouring places of the grid
JITTER = 0.8  # most that crossings are moved to the right and down, in steps
SHOWN = 0.75  # factor of width and height on a page to those in pixels
DEAD_END = 0.3  # length of a dead end, in steps

Place = tuple[float, float]  # column and row of the grid
Edge = tuple[int, int]


def run(program: str, *arguments: str) -> None:
    path = BIN / program
    if not path.exists():
        sys.exit(f"closeness.py: expected {path}: run make")
    subprocess.run([path, *arguments], check=True)


def road_network(folder: Path) -> tuple[Path, list[Edge]]:
    """A file of the graph; its edges, once each, in graphgen's order."""
    graph = folder / "roads.txt"
    run("graphgen", "-q", "--family", "road", "--v", str(VERTICES), "--seed", str(SEED), "--undirected", "-o",
        str(graph))
    with open(graph, encoding="ascii") as file:
        next(file)
        return graph, [(int(u), int(v)) for u, v, _ in map(str.split, file)]


def closeness_in(graph: Path) -> list[float]:
    run("apsp", "-q", str(graph), "--undirected", f"--measures={graph.with_suffix('')}")
    with open(graph.with_suffix(".csv"), encoding="ascii", newline="") as file:
        return [float(row["closeness_centrality"]) for row in csv.DictReader(file)]


def root_above(x: int) -> int:
    """The least integer whose square is at least x."""
    return math.isqrt(x - 1) + 1 if x > 0 else 0


def crossings_of_disc() -> list[Place]:
    """Crossings fill the rows of a disc, as lay_out() of family_road.c does for the usual degree."""
    count = VERTICES - sum(VERTICES * share // 1000000 for share in (150000, 147000, 30000))
    radius = root_above(count * 113 // 355) + 1
    places: list[Place] = []
    for row in range(2 * radius):
        away = 2 * row + 1 - 2 * radius
        half = root_above(4 * radius * radius - away * away) // 2
        places += [(column, row) for column in range(radius - half, radius + half)][:count - len(places)]
    return places


def neighbours(edges: Sequence[Edge]) -> list[list[int]]:
    beside: list[list[int]] = [[] for _ in range(VERTICES)]
    for u, v in edges:
        beside[u].append(v)
        beside[v].append(u)
    return beside


def place(edges: Sequence[Edge]) -> list[Place]:
    """Where the vertices are. Crossings have the lowest numbers; further ones stand on the roads between two
    crossings, or in dead ends that lead from there."""
    draw = random.Random(SEED)
    grid = crossings_of_disc()
    places = {at: (column + JITTER * draw.random(), row + JITTER * draw.random())
              for at, (column, row) in enumerate(grid)}
    beside = neighbours(edges)
    dead_ends: list[Edge] = []  # (vertex, vertex that it hangs on), the outermost first
    degree = [len(others) for others in beside]
    for _ in range(2):
        ends = [at for at in range(len(grid), VERTICES) if degree[at] == 1]
        for at in ends:
            on = next(other for other in beside[at] if degree[other] > 0)
            dead_ends.append((at, on))
            degree[at] = 0
            degree[on] -= 1
    for start in range(len(grid)):
        for step in beside[start]:
            road = [start, step]
            while road[-1] >= len(grid):
                road.append(next(other for other in beside[road[-1]] if other != road[-2] and degree[other] > 0))
            (x, y), (to_x, to_y) = places[start], places[road[-1]]
            if sum(abs(a - b) for a, b in zip(grid[start], grid[road[-1]])) != 1:
                sys.exit(f"closeness.py: expected a road between neighbours, found {start} and {road[-1]}: "
                         "graphgen numbers vertices otherwise than crossings_of_disc() does")
            for at, vertex in enumerate(road[1:-1], start=1):
                part = at / (len(road) - 1)
                places[vertex] = (x + part * (to_x - x), y + part * (to_y - y))
    for at, on in reversed(dead_ends):
        x, y = places[on]
        angle = 2 * math.pi * draw.random()
        places[at] = (x + DEAD_END * math.cos(angle), y + DEAD_END * math.sin(angle))
    return [places[at] for at in range(VERTICES)]


def draw_roads(title: str, edges: Sequence[Edge], places: Sequence[Place], levels: Sequence[float],
               widths: Sequence[float] = (2.4,)) -> str:
    """A picture in SVG. levels: of each edge, from 0, dark, to 1, bright; widths: from the darkest to the brightest."""
    pixels = [(round(STEP * (x + 1)), round(STEP * (y + 1))) for x, y in places]
    width, height = (max(at[axis] for at in pixels) + STEP for axis in (0, 1))
    lines: list[list[str]] = [[] for _ in COLOURS]
    for (u, v), level in zip(edges, levels):
        (x, y), (to_x, to_y) = pixels[u], pixels[v]
        lines[min(int(level * len(COLOURS)), len(COLOURS) - 1)].append(f"M{x} {y}l{to_x - x} {to_y - y}")
    usual = f' stroke-width="{widths[0]:g}"' if len(widths) == 1 else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width * SHOWN:g}" height="{height * SHOWN:g}" role="img">\n'
             f"<title>{title}</title>\n"
             f'<rect width="{width}" height="{height}" rx="6" fill="{GROUND}"/>\n'
             f'<g fill="none"{usual} stroke-linecap="round">\n']
    for at, colour in enumerate(COLOURS):
        own = "" if usual else f' stroke-width="{widths[at]:.1f}"'
        parts.append(f'<path stroke="{colour}"{own} d="{"".join(lines[at])}"/>\n')
    return "".join([*parts, "</g>\n</svg>\n"])


def levels_of(edges: Sequence[Edge], closeness: Sequence[float]) -> list[float]:
    """Returns the mean closeness of the ends of each edge, scaled to 0 .. 1."""
    least, most = min(closeness), max(closeness)
    return [((closeness[u] + closeness[v]) / 2 - least) / (most - least) for u, v in edges]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, metavar="DIR",
                        help="folder for the picture (default: that of this script)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="apsp-closeness-") as folder:
        graph, edges = road_network(Path(folder))
        levels = levels_of(edges, closeness_in(graph))
    drawn = draw_roads("A road network, its roads the brighter the closer they are to all others", edges, place(edges),
                       levels)
    (options.out / "closeness.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
