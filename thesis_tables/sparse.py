#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of cuda_sparse beside the other solvers, from the rows of experiments/suites/bench_sparse.py.

    python3 thesis_tables/sparse.py --timings CSV --into docs/cuda_sparse.md
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments.markdown import table  # noqa: E402 (found by the line above)
from thesis_tables.ladder import NUMBERS, milliseconds, ratio  # noqa: E402
from thesis_tables.markers import insert  # noqa: E402

MARKERS = "sparse"
SPARSE, BLOCKED, CPU = "cuda_sparse", "cuda_blocked", "cpu"

Cell = tuple[str, str, bool]  # (graph, program, predecessors)


def shown(graph: str) -> str:
    """The name of a graph for people, from the name that bench_sparse.py gave its file: SHAPE_V1000, or
    random_V1000_E5000, which may lack its first word."""
    kind, _, size = ("_" + graph).rpartition("_V")
    vertices, _, edges = size.partition("_E")
    return (f"{kind.strip('_') or 'random'}, V = {vertices}" + (f", E = {edges}" if edges else ""))


def render_file(path: Path) -> str:
    """Renders a file into the page. Raises ValueError if the file lacks the columns."""
    seconds: dict[Cell, list[float]] = {}
    threads = "0"
    try:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                cell = (row["graph"], row["program"], row["predecessors"] == "1")
                if row["checked"] == "1":
                    seconds.setdefault(cell, []).append(float(row["solve_s"]))
                    threads = row["threads"] if row["program"] == CPU else threads
    except KeyError as error:
        raise ValueError(f"{path}: expected a column {error}") from None
    medians = {cell: statistics.median(each) for cell, each in seconds.items()}
    rows = []
    for graph in dict.fromkeys(cell[0] for cell in medians):
        own = medians.get((graph, SPARSE, True))
        others = [medians.get((graph, program, True)) for program in (BLOCKED, CPU)]
        rows.append([shown(graph), milliseconds(own),
                     milliseconds(medians.get((graph, SPARSE, False))),
                     *map(milliseconds, others),
                     ratio(min((other for other in others if other is not None), default=None),
                           own)])
    return table(["graph", "D + Π, ms", "D, ms", f"`{BLOCKED}` D + Π, ms",
                  f"`{CPU} auto`, {threads} threads, D + Π, ms", "the faster of both ÷ ours"], rows,
                 NUMBERS)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--timings", type=Path, required=True, metavar="CSV")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help="file with the markers (default: standard output)")
    options = parser.parse_args(arguments)
    try:
        text = render_file(options.timings)
        if options.into is None:
            print(text)
        else:
            insert(text, options.into, MARKERS)
    except (OSError, ValueError) as error:
        print(f"sparse.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
