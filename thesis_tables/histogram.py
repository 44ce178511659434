#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the histogram of distances in a file of measures.

    python3 thesis_tables/histogram.py PREFIX.json

Writes PREFIX.svg, the same bytes for the same file and gnuplot. A box stands for the pairs of
vertices whose distance is in a bin: from its first distance to that of the next.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from thesis_tables import plot  # noqa: E402 (found by the line above)

WIDTH, HEIGHT = 900, 480
WITH_BORDERS = 100  # most boxes with borders: of more, only borders would be seen


@dataclasses.dataclass(frozen=True)
class Histogram:
    title: str
    width: int  # width of a bin
    first: int  # distance at which the first bin begins
    counts: Sequence[int]


def histogram_of(measures: Any) -> Histogram:
    """Returns what a file of measures says; KeyError, TypeError or ValueError if it is none."""
    found = measures["histogram"]
    counts = [int(count) for count in found["counts"]]
    title = f"{measures['graph']}: {measures['vertices']} vertices"
    if not measures["all_sources"]:
        title += f", distances from {measures['sources']} of them"
    if "limit" in measures:
        title += f", paths up to {measures['limit']}"
    return Histogram(title, int(found["bin_width"]), int(found["first"]), counts)


def script(histogram: Histogram, output: Path) -> str:
    """Returns the commands for gnuplot. There is a bin at least."""
    start, width = histogram.first - 0.5, histogram.width
    boxes = [f"{start + (number + 0.5) * width:.9g} {count} {width}"
             for number, count in enumerate(histogram.counts)]
    border = "border lc rgb '#000000'" if len(boxes) <= WITH_BORDERS else "noborder"
    label = "distance" if width == 1 else f"distance, in bins of {width}"
    return "\n".join([
        f"set terminal svg size {WIDTH},{HEIGHT} dynamic enhanced font 'Helvetica,15' "
        "background 'white'",
        f"set output {plot.quoted(str(output))}",
        "set encoding utf8",
        f"set title {plot.quoted(histogram.title)} noenhanced",
        f"set xlabel {plot.quoted(label)} noenhanced",
        "set ylabel 'ordered pairs of vertices' noenhanced",
        f"set xrange [{start:.9g}:{start + len(boxes) * width:.9g}]",
        "set yrange [0:*]",
        "set grid y lc rgb '#d0d0d0' lw 0.5 dt 1",
        "set tics out nomirror scale 0.6",
        "set format '%.10g'",
        f"set style fill solid {border}",
        "unset key",
        "$bins << end",
        *boxes,
        "end",
        "plot $bins using 1:2:3 with boxes fc rgb '#909090' lw 0.5",
        "",
    ])


def draw(path: Path, picture: Path) -> Optional[tuple[int, str]]:
    """None, or an exit status and why there is no picture."""
    try:
        histogram = histogram_of(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        return 2, f"cannot read {path}: {error.strerror}"
    except (KeyError, TypeError, ValueError):
        return 2, f"{path}: expected a file of measures"
    if not histogram.counts:
        return 2, f"{path}: no pair of vertices has a path: nothing to draw"
    gnuplot = shutil.which(plot.GNUPLOT)
    if gnuplot is None:
        return 4, "expected gnuplot (Debian: gnuplot-nox), found none"
    failed = plot.run(lambda output: script(histogram, output), picture, Path(gnuplot))
    return (4, f"not drawn: {picture}: {failed}") if failed else None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="histogram.py",
                                     description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("measures", type=Path, metavar="PREFIX.json",
                        help="measures, as apsp writes them")
    parser.add_argument("--out", type=Path, metavar="FILE",
                        help="the picture (default: PREFIX.svg)")
    options = parser.parse_args(arguments)
    failed = draw(options.measures, options.out or options.measures.with_suffix(".svg"))
    if failed:
        print(f"histogram.py: {failed[1]}", file=sys.stderr)
    return failed[0] if failed else 0


if __name__ == "__main__":
    sys.exit(main())
