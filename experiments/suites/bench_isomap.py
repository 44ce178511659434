#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the distances of Isomap: those in a graph of nearest neighbours of random points, in float64.

    make bench-isomap
    python3 experiments/suites/bench_isomap.py --help

scikit-learn's Isomap finds them by SciPy's shortest_path(graph, directed=False), all at once, which is
Dijkstra's algorithm from every point. SciPy is given some sources only, and its seconds are multiplied by how many
times as many there are; apsp solves for all of them. In turns, both on one thread. The rows that both have are
compared bit for bit; a difference ends the run with status 1. Writes isomap.csv, a row for each turn: the
processor's seconds tell more on a machine that does other things as well, and `times` is their ratio. Needs NumPy
and SciPy, and memory for the answer.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "python")]

COLUMNS = ("points", "dimensions", "neighbours", "edges", "engine", "turn", "apsp_s", "apsp_processor_s",
           "scipy_sources", "scipy_s", "scipy_processor_s", "times", "equal")


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Returns what `work` returns, its seconds and those of a processor."""
    started, used = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - started, time.process_time() - used


def neighbours_graph(points: int, dimensions: int, neighbours: int) -> Any:
    """As scikit-learn's kneighbors_graph(mode="distance") has it: a row for each point."""
    import numpy
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree
    places = numpy.random.default_rng(1).random((points, dimensions))
    lengths, heads = cKDTree(places).query(places, neighbours + 1)
    first = numpy.arange(points + 1) * neighbours
    return csr_matrix((lengths[:, 1:].ravel(), heads[:, 1:].ravel(), first), shape=(points, points))


def measure(wanted: argparse.Namespace, turn: int, graph: Any) -> dict[str, object]:
    import numpy
    from scipy.sparse import csgraph

    import apsp
    sample = numpy.random.default_rng(turn).choice(wanted.points, wanted.sources, replace=False)
    ours, ours_s, ours_processor = timed(lambda: apsp.shortest_path(graph, directed=False, threads=1,
                                                                    engine=wanted.engine))
    theirs, theirs_s, theirs_processor = timed(lambda: csgraph.shortest_path(graph, directed=False, indices=sample))
    scale = wanted.points / wanted.sources
    return dict(zip(COLUMNS, (
        wanted.points, wanted.dimensions, wanted.neighbours, graph.nnz, wanted.engine or "", turn,
        "%.4g" % ours_s, "%.4g" % ours_processor, wanted.sources, "%.4g" % (scale * theirs_s),
        "%.4g" % (scale * theirs_processor), "%.3g" % (scale * theirs_processor / ours_processor),
        int(ours[sample].tobytes() == theirs.tobytes()))))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--points", type=int, default=20000)
    parser.add_argument("--dimensions", type=int, default=3)
    parser.add_argument("--neighbours", type=int, default=10)
    parser.add_argument("--sources", type=int, default=400, help="that SciPy is given")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--engine", help="of apsp (default: what it predicts to be the fastest)")
    parser.add_argument("--out", type=Path, default=ROOT / "experiments" / "out")
    wanted = parser.parse_args(arguments)
    graph = neighbours_graph(wanted.points, wanted.dimensions, wanted.neighbours)
    rows = []
    for turn in range(1, wanted.turns + 1):
        rows.append(measure(wanted, turn, graph))
        print(", ".join("%s %s" % item for item in rows[-1].items()), flush=True)
    wanted.out.mkdir(parents=True, exist_ok=True)
    with open(wanted.out / "isomap.csv", "w", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return int(any(row["equal"] != 1 for row in rows))


if __name__ == "__main__":
    sys.exit(main())
