#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/ as SVG files.

    python3 docs/pictures/draw.py            writes them beside this script
    python3 docs/pictures/draw.py --out DIR  or somewhere else

Everything is black, white, grey or hatched, on a white ground of its own, so that a picture reads
the same in print, on a light page and on a dark one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Optional
from xml.sax.saxutils import escape

INK = "#111111"
WHITE, LIGHT, GREY, BLACK = "#ffffff", "#dddddd", "#999999", INK
HATCHED = "url(#hatched)"  # fill of cells that are read
MARGIN = 16

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" \
width="{width:g}" height="{height:g}" role="img" font-family="sans-serif" font-size="14">
<title>{title}</title>
<defs>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" \
patternTransform="rotate(45)">
<rect width="6" height="6" fill="{white}"/><rect width="2" height="6" fill="{ink}"/>
</pattern>
<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" \
orient="auto">
<path d="M0 0 L10 5 L0 10 z" fill="{ink}" stroke="{white}" stroke-width="1"/>
</marker>
</defs>
<rect width="{width:g}" height="{height:g}" rx="6" fill="{white}"/>
"""


class Picture:
    """Shapes, in the order in which they are drawn. Coordinates in pixels, y down."""

    def __init__(self, title: str, width: float, height: float) -> None:
        self.parts = [HEAD.format(title=escape(title), width=width, height=height, white=WHITE,
                                  ink=INK)]

    def box(self, x: float, y: float, width: float, height: float, fill: str = WHITE,
            stroke: float = 1) -> None:
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                          f'fill="{fill}" stroke="{INK}" stroke-width="{stroke:g}"/>\n')

    def disc(self, x: float, y: float, radius: float, fill: str = WHITE) -> None:
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" '
                          f'stroke="{INK}" stroke-width="1.5"/>\n')

    def line(self, points: Sequence[tuple[float, float]], arrow: bool = False, width: float = 1.5,
             dashed: bool = False) -> None:
        path = " L".join(f"{x:g} {y:g}" for x, y in points)
        self.path(f"M{path}", arrow, width, dashed)

    def path(self, path: str, arrow: bool = False, width: float = 1.5,
             dashed: bool = False) -> None:
        self.parts.append(f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="{width:g}"'
                          f'{" stroke-dasharray=" + chr(34) + "5 4" + chr(34) if dashed else ""}'
                          f'{" marker-end=" + chr(34) + "url(#head)" + chr(34) if arrow else ""}'
                          "/>\n")

    def arrow(self, *points: tuple[float, float]) -> None:
        """On a white edge, so that it shows on any ground."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f'<path d="{path}" fill="none" stroke="{WHITE}" stroke-width="6"/>\n')
        self.path(path, arrow=True, width=2)

    def text(self, x: float, y: float, text: str, anchor: str = "start", size: float = 14,
             bold: bool = False) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" '
                          f'fill="{INK}"{weight}>{escape(text)}</text>\n')

    def svg(self) -> str:
        return "".join(self.parts) + "</svg>\n"


# The path through k ----------------------------------------------------------


def through_k() -> Picture:
    """The two paths that a step k of Floyd-Warshall compares."""
    p = Picture("A path from i to j, and one from i through k to j", 520, 190)
    i, k, j = (60, 120), (260, 50), (460, 120)
    for (x, y), name in ((i, "i"), (k, "k"), (j, "j")):
        p.disc(x, y, 16)
        p.text(x, y + 5, name, "middle", 15, bold=True)
    p.path("M74 109 C 120 60, 180 45, 243 49", arrow=True)
    p.path("M277 49 C 340 45, 400 60, 446 109", arrow=True)
    p.path("M76 125 C 180 160, 340 160, 444 125", arrow=True)
    p.text(130, 54, "D[i][k]", "middle")
    p.text(392, 54, "D[k][j]", "middle")
    p.text(260, 142, "D[i][j]", "middle")
    p.text(260, 176, "on the way, all three use vertices 0 … k − 1 only", "middle", 13)
    return p


# The three phases ------------------------------------------------------------

TILES, PIVOT, SIDE = 6, 2, 30


def grid(p: Picture, left: float, top: float, fill: Callable[[int, int], str]) -> None:
    for row in range(TILES):
        for column in range(TILES):
            p.box(left + column * SIDE, top + row * SIDE, SIDE, SIDE, fill(row, column))
    p.box(left, top, TILES * SIDE, TILES * SIDE, "none", 2)


def centre(left: float, top: float, row: int, column: int) -> tuple[float, float]:
    return left + (column + 0.5) * SIDE, top + (row + 0.5) * SIDE


def legend(p: Picture, x: float, y: float, entries: Sequence[tuple[str, str]]) -> None:
    for fill, text in entries:
        p.box(x, y - 12, 16, 16, fill)
        p.text(x + 24, y + 1, text, size=13)
        x += 40 + 7.2 * len(text)


def phases() -> Picture:
    side, gap, top = TILES * SIDE, 50, 62
    p = Picture("The tiles that each of the three phases of a block step reads and writes",
                2 * MARGIN + 3 * side + 2 * gap, top + side + 56)
    lefts = [MARGIN + number * (side + gap) for number in range(3)]

    def one(row: int, column: int) -> str:
        return GREY if (row, column) == (PIVOT, PIVOT) else WHITE

    def two(row: int, column: int) -> str:
        if (row, column) == (PIVOT, PIVOT):
            return HATCHED
        return GREY if PIVOT in (row, column) else WHITE

    def three(row: int, column: int) -> str:
        if (row, column) == (PIVOT, PIVOT):
            return WHITE
        return HATCHED if PIVOT in (row, column) else GREY

    titles = (("Phase 1", "the pivot tile, by itself"), ("Phase 2", "its row and its column"),
              ("Phase 3", "all the rest"))
    for left, fill, (title, what) in zip(lefts, (one, two, three), titles):
        p.text(left, 28, title, bold=True, size=15)
        p.text(left, 48, what, size=13)
        grid(p, left, top, fill)
    # Lines from one tile to the tiles that it reads.
    x, y = centre(lefts[0], top, PIVOT, PIVOT)
    p.path(f"M{x - 9:g} {y - 12:g} C {x - 30:g} {y - 50:g}, {x + 30:g} {y - 50:g}, "
           f"{x + 7:g} {y - 13:g}", arrow=True, width=2)
    for row, column in ((PIVOT, 4), (4, PIVOT)):
        p.arrow(centre(lefts[1], top, PIVOT, PIVOT), centre(lefts[1], top, row, column))
    for row, column in ((4, PIVOT), (PIVOT, 4)):
        p.arrow(centre(lefts[2], top, row, column), centre(lefts[2], top, 4, 4))
    legend(p, lefts[0], top + side + 34,
           ((GREY, "written, and read by itself"), (HATCHED, "read by others"),
            (WHITE, "not touched")))
    return p


# Whose turn it is ------------------------------------------------------------


def bar(p: Picture, x: float, y: float, width: float, text: str, fill: str) -> None:
    p.box(x, y, width, 26, fill)
    if text:
        p.text(x + width / 2, y + 18, text, "middle", 13)


def queue() -> Picture:
    """Launches that end together, and pieces that wait for their inputs only."""
    p = Picture("Three launches a step, and one queue of tasks", 720, 330)
    p.text(MARGIN, 26, "A launch for each phase: each waits for all of the one before", bold=True)
    rows, height, top = 4, 26, 40
    for row in range(rows):
        y = top + row * height
        for step, x in ((0, MARGIN), (1, MARGIN + 330)):
            if row == 0:
                bar(p, x, y, 60, f"1, step {step}", GREY)
            if row < 2:
                bar(p, x + 66, y, 60, "2", LIGHT)
            lengths = (186, 160, 186, 120)
            bar(p, x + 132, y, lengths[row], "3", WHITE)
    for x in (63, 129, 321, 327 + 66, 327 + 132, 327 + 324):
        p.line(((MARGIN + x, top - 4), (MARGIN + x, top + rows * height + 4)), dashed=True, width=1)
    p.text(MARGIN + 654, top + 2 * height + 5, "…", size=16)

    top = 190
    p.text(MARGIN, top - 14, "One queue: the next step's phases 1 and 2 lie inside this step's "
                             "phase 3", bold=True)
    pieces = (  # (width, text) of each block's pieces
        ((60, "1, step 0"), (50, "2"), (90, "3"), (64, "1, step 1"), (50, "2"), (90, "3"),
         (90, "3"), (90, "3"), (64, "1, step 2")),
        ((62, ""), (50, "2"), (90, "3"), (90, "3"), (50, "2"), (60, "3"), (90, "3"), (90, "3"),
         (66, "3")),
        ((114, ""), (90, "3"), (90, "3"), (50, "2"), (90, "3"), (90, "3"), (90, "3"), (34, "3")),
        ((114, ""), (90, "3"), (90, "3"), (90, "3"), (90, "3"), (50, "2"), (90, "3"), (34, "3")),
    )
    for row, line in enumerate(pieces):
        x = float(MARGIN)
        for width, text in line:
            if text:
                fill = GREY if text[0] == "1" else LIGHT if text == "2" else WHITE
                bar(p, x, top + row * height, width, text, fill)
            x += width
        p.text(MARGIN + 654, top + row * height + 18, "…", size=16)
    p.line(((MARGIN, top + rows * height + 14), (MARGIN + 640, top + rows * height + 14)),
           arrow=True)
    p.text(MARGIN + 648, top + rows * height + 19, "time", size=13)
    p.text(MARGIN, top + rows * height + 19 + 14, "one line: one block of threads", size=13)
    return p


# A product in registers ------------------------------------------------------


def product() -> Picture:
    """Which words of A and B a thread needs for its cells of C."""
    scale = 2.0
    side, depth, run = 128 * scale, 32 * scale, 4 * scale
    left = top = MARGIN + depth + 24
    p = Picture("A thread's 8 by 8 cells of C and the words of A and B that it reads",
                left + side + 190, top + side + 34)
    a_left = b_top = float(MARGIN)
    p.box(left, top, side, side)
    p.box(a_left, top, depth, side)
    p.box(left, b_top, side, depth)
    # The rows and columns of one thread: two runs of four each, half a tile apart.
    for r in (0.36, 0.86):
        y = top + r * side - run
        p.box(a_left, y, depth, run, HATCHED)
        for c in (0.25, 0.75):
            p.box(left + c * side - run, y, run, run, BLACK)
    for c in (0.25, 0.75):
        p.box(left + c * side - run, b_top, run, depth, HATCHED)
    p.text(a_left + depth / 2, top + side + 22, "A: 32 k", "middle", 13)
    p.text(left + side / 2, top + side + 22, "C: 128 × 128 cells, 256 threads", "middle", 13)
    beside = left + side + 14
    p.text(beside, b_top + depth / 2 + 5, "B: 32 k", size=13)
    for number, text in enumerate(("black: the 64 cells", "of one thread", "",
                                   "hatched: what it reads,", "for each k 8 words of A",
                                   "and 8 of B, for", "64 relaxations")):
        p.text(beside, top + 0.3 * side + 18 * number, text, size=13)
    return p


# Distances as exponents ------------------------------------------------------


def exponents() -> Picture:
    """Where sums of at most 127 products lie."""
    p = Picture("Sums of products of exponents for shortest sums of distances m = 2, 1, 0", 640, 150)
    left, unit, y = 30.0, 26.0, 76.0
    p.text(left, 28, "Sums of 1 to 127 products, the greatest of which is 2^(120 − 7m)", bold=True)
    p.line(((left - 12, y), (left + 22 * unit + 16, y)), arrow=True)
    p.text(left + 21 * unit, y + 52, "the sum: 2 to the power of …", "end", 13)
    for m, fill in enumerate((WHITE, LIGHT, WHITE)):
        start = left + (2 - m) * 7 * unit
        p.box(start, y - 34, 7 * unit, 26, fill)
        p.text(start + 3.5 * unit, y - 16, f"m = {m}", "middle", 13)
    for exponent in range(22):
        x = left + exponent * unit
        at_end = exponent % 7 == 0
        tick = 8 if at_end else 3
        p.line(((x, y - tick), (x, y + tick)), width=2 if at_end else 1)
        if at_end:
            p.text(x, y + 26, str(120 - 14 + exponent), "middle", 13)
    return p


# Elimination -----------------------------------------------------------------

ROWS, COLUMNS = 5, 7
Vertex = tuple[int, int]  # (row, column)


def dissect(rows: range, columns: range) -> list[Vertex]:
    """An order of elimination: two halves, each by itself, then what separates them."""
    if len(rows) * len(columns) <= 2:
        return [(row, column) for row in rows for column in columns]
    if len(columns) >= len(rows):
        middle = columns[len(columns) // 2]
        halves = [(rows, range(columns.start, middle)), (rows, range(middle + 1, columns.stop))]
        between = [(row, middle) for row in rows]
    else:
        middle = rows[len(rows) // 2]
        halves = [(range(rows.start, middle), columns), (range(middle + 1, rows.stop), columns)]
        between = [(middle, column) for column in columns]
    return [vertex for half in halves if half[0] and half[1] for vertex in dissect(*half)] + between


def eliminate(order: Sequence[Vertex]) -> list[list[int]]:
    """Returns for each position its higher neighbours, ascending."""
    position = {vertex: at for at, vertex in enumerate(order)}
    joined: list[set[int]] = [set() for _ in order]
    for (row, column), at in position.items():
        for other in ((row, column + 1), (row + 1, column)):
            if other in position:
                joined[at].add(position[other])
                joined[position[other]].add(at)
    higher = []
    for at in range(len(order)):
        above = sorted(to for to in joined[at] if to > at)
        for to in above:
            joined[to].update(other for other in above if other != to)
        higher.append(above)
    return higher


def piece_of(higher: Sequence[Sequence[int]], most: int) -> tuple[set[int], set[int]]:
    """The first of the largest subtrees of at most so many positions, and its boundary."""
    below: list[set[int]] = [{at} for at in range(len(higher))]
    for at, above in enumerate(higher):
        if above:
            below[above[0]] |= below[at]
    root = max((at for at in range(len(higher)) if len(below[at]) <= most),
               key=lambda at: (len(below[at]), -at))
    return below[root], set(higher[root])


def fill_of(at: int, piece: set[int], boundary: set[int]) -> str:
    return GREY if at in piece else HATCHED if at in boundary else WHITE


def numbered(p: Picture, x: float, y: float, at: int, fill: str) -> None:
    p.disc(x, y, 13, fill)
    if fill == HATCHED:
        p.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="{WHITE}"/>\n')
    p.text(x, y + 4, str(at), "middle", 12, bold=True)


PIECE = 15


def elimination() -> Picture:
    """A grid in an order of elimination, with the edges that elimination makes."""
    order = dissect(range(ROWS), range(COLUMNS))
    higher = eliminate(order)
    piece, boundary = piece_of(higher, PIECE)
    step, left, top = 70.0, 40.0, 40.0
    p = Picture("A grid of 35 vertices, numbered in the order of elimination, and its fill",
                2 * left + (COLUMNS - 1) * step, 2 * top + (ROWS - 1) * step + 56)
    place = [(left + column * step, top + row * step) for row, column in order]
    for at, above in enumerate(higher):
        for to in above:
            (row, column), (other_row, other_column) = order[at], order[to]
            original = abs(row - other_row) + abs(column - other_column) == 1
            (x, y), (to_x, to_y) = place[at], place[to]
            if original:
                p.line((place[at], place[to]), width=2)
                continue
            # Edges are bent to one side, because straight ones would run through other vertices.
            bend = 0.16
            p.path(f"M{x:g} {y:g} Q {(x + to_x) / 2 - bend * (to_y - y):g} "
                   f"{(y + to_y) / 2 + bend * (to_x - x):g}, {to_x:g} {to_y:g}", width=0.8,
                   dashed=True)
    for at, (x, y) in enumerate(place):
        numbered(p, x, y, at, fill_of(at, piece, boundary))
    bottom = top + (ROWS - 1) * step + 44
    p.line(((left, bottom), (left + 30, bottom)), width=2)
    p.text(left + 38, bottom + 5, "an edge of the graph", size=13)
    p.line(((left + 210, bottom), (left + 240, bottom)), width=0.8, dashed=True)
    p.text(left + 248, bottom + 5, "an edge that elimination makes", size=13)
    legend(p, left + 7, bottom + 28, ((GREY, "a piece"), (HATCHED, "its boundary")))
    return p


def elimination_tree() -> Picture:
    """The tree of that elimination, with a piece and its boundary."""
    order = dissect(range(ROWS), range(COLUMNS))
    higher = eliminate(order)
    piece, boundary = piece_of(higher, PIECE)
    depth = [0] * len(order)
    across = [0.0] * len(order)
    leaves = 0
    for at in reversed(range(len(order))):
        depth[at] = depth[higher[at][0]] + 1 if higher[at] else 0
    for at in range(len(order)):
        children = [child for child in range(at) if higher[child] and higher[child][0] == at]
        middle = sum(across[child] for child in children) / max(1, len(children))
        across[at] = middle if children else leaves
        leaves += not children
    step, drop, left, top = 58.0, 40.0, 40.0, 34.0
    p = Picture("The elimination tree of the grid, with a piece and its boundary",
                2 * left + (leaves - 1) * step, 2 * top + max(depth) * drop + 30)
    place = [(left + across[at] * step, top + depth[at] * drop) for at in range(len(order))]
    for at, above in enumerate(higher):
        if above:
            p.line((place[at], place[above[0]]))
    for at, (x, y) in enumerate(place):
        numbered(p, x, y, at, fill_of(at, piece, boundary))
    legend(p, left, 2 * top + max(depth) * drop + 16,
           ((GREY, "a piece: a subtree"), (HATCHED, "its boundary: all that leads out of it")))
    return p


# All of them -----------------------------------------------------------------

PICTURES: dict[str, Callable[[], Picture]] = {
    "through-k": through_k,
    "phases": phases,
    "queue": queue,
    "product": product,
    "exponents": exponents,
    "elimination": elimination,
    "elimination-tree": elimination_tree,
}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, metavar="DIR",
                        help="folder for the pictures (default: that of this script)")
    options = parser.parse_args(arguments)
    for name, draw in PICTURES.items():
        (options.out / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
