#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times a distance index on a road network, and programs of others on the same graph.

    make bench-index
    python3 experiments/suites/bench_index.py NY.gr --help

Without a graph it makes one of graphgen's roads, with as many vertices as New York's. Writes index.csv:
a row for each figure, seconds or bytes, the shortest of some repetitions, beside it the processor time
of that repetition, which tells more on a machine that does other things as well. Distances are compared
with SciPy's; one that differs ends the run with status 1. Needs NumPy and SciPy; igraph and pandana are
compared with if they are installed.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "python")]

VERTICES = 264346  # number of vertices in New York's road network
COLUMNS = ("what", "threads", "count", "seconds", "processor_s", "bytes")


def timed(work: Callable[[], object], repetitions: int = 3) -> tuple[object, float, float]:
    """Returns what `work` returns, and the seconds and processor seconds of the shortest
    repetition."""
    best, result = (float("inf"), 0.0), None
    for _ in range(repetitions):
        started, used = time.perf_counter(), time.process_time()
        result = work()
        best = min(best, (time.perf_counter() - started, time.process_time() - used))
    return result, *best


class Table:
    """Rows, which are printed as they come."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []

    def add(self, what: str, threads: int, count: int, seconds: float = 0.0, processor: float = 0.0,
            size: int = 0) -> None:
        self.rows.append(dict(zip(COLUMNS, (what, threads, count, "%.4g" % seconds,
                                            "%.4g" % processor, size))))
        each = "" if count <= 1 else ", %.3g µs each" % (1e6 * seconds / count)
        print("%-34s %d thread%s  %9.4g s (%.4g s of processors%s)%s"
              % (what, threads, " " if threads == 1 else "s", seconds, processor, each,
                 "  %d bytes" % size if size else ""), flush=True)


def read_graph(path: str):  # noqa: ANN201 (of SciPy, which is imported late)
    """A DIMACS graph as SciPy's matrix: the lightest of parallel edges."""
    import numpy
    import scipy.sparse
    text = subprocess.run(["grep", "^a ", path], stdout=subprocess.PIPE, check=True).stdout
    edges = numpy.fromstring(text.replace(b"a ", b""), dtype=numpy.int64, sep=" ").reshape(-1, 3)
    edges = edges[numpy.lexsort((edges[:, 2], edges[:, 1], edges[:, 0]))]
    first = numpy.ones(len(edges), dtype=bool)
    first[1:] = (edges[1:, :2] != edges[:-1, :2]).any(axis=1)
    edges = edges[first & (edges[:, 0] != edges[:, 1])]
    with open(path, encoding="utf-8") as file:
        n = next(int(line.split()[2]) for line in file if line.startswith("p "))
    return scipy.sparse.csr_matrix((edges[:, 2], (edges[:, 0] - 1, edges[:, 1] - 1)), shape=(n, n))


def bench_index(graph, threads: int, folder: str, table: Table):  # noqa: ANN001, ANN201
    import apsp
    import numpy
    random = numpy.random.default_rng(1)
    n, path = graph.shape[0], os.path.join(folder, "bench.apspx")
    for both in (True, False):
        index, seconds, processor = timed(
            lambda: apsp.Index(graph, threads=threads, both_directions=both), 2)
        table.add("build%s" % (", both directions" if both else ""), threads, 1, seconds, processor,
                  index.nbytes)
    index.save(path)
    opened, seconds, processor = timed(lambda: apsp.open_index(path, threads=1))
    table.add("open", 1, 1, seconds, processor)
    pairs = random.integers(0, n, (10**6, 2))
    opened.distances(pairs)  # so that the whole file is in memory
    for used in sorted({1, threads}):
        opened._threads = used
        found, seconds, processor = timed(lambda: opened.distances(pairs))
        table.add("random pairs", used, len(pairs), seconds, processor)
    single = [tuple(map(int, pair)) for pair in pairs[:20000]]
    _, seconds, processor = timed(lambda: [opened.distance(*pair) for pair in single])
    table.add("single queries from Python", 1, len(single), seconds, processor)
    sources, targets = random.integers(0, n, (2, 10000))
    _, seconds, processor = timed(lambda: opened.table(sources, targets), 2)
    table.add("table 10 000 x 10 000", threads, 10**8, seconds, processor)
    lengths = [(len(opened.path(*pair)), pair) for pair in single[:200]]
    pair = min(lengths, key=lambda found: abs(found[0] - 1001))[1]
    _, seconds, processor = timed(lambda: [opened.path(*pair) for _ in range(100)])
    table.add("path of %d edges" % (len(opened.path(*pair)) - 1), 1, 100, seconds, processor)
    _, seconds, processor = timed(lambda: opened.verify(graph, rows=100), 1)
    table.add("proof of 100 rows and all edges", threads, 1, seconds, processor)
    return opened, pairs[:2000], found[:2000]


def bench_scipy(graph, index, table: Table) -> None:  # noqa: ANN001
    import numpy
    from scipy.sparse.csgraph import dijkstra
    sources = numpy.random.default_rng(2).choice(graph.shape[0], 8, replace=False)
    found, seconds, processor = timed(lambda: dijkstra(graph, indices=sources), 1)
    table.add("SciPy dijkstra, rows", 1, len(sources), seconds, processor)
    if not numpy.array_equal(found, index.table(sources)):
        sys.exit("bench_index.py: distances differ from SciPy's")
    _, seconds, processor = timed(lambda: index.table(sources))
    table.add("index, rows", index._threads, len(sources), seconds, processor)


def bench_igraph(graph, table: Table) -> None:  # noqa: ANN001
    try:
        import igraph
    except ImportError:
        return
    edges = graph.tocoo()
    network = igraph.Graph(n=graph.shape[0], edges=list(zip(edges.row.tolist(), edges.col.tolist())),
                           directed=True)
    weights = edges.data.tolist()
    _, seconds, processor = timed(
        lambda: network.distances(list(range(8)), list(range(1000)), weights=weights), 1)
    table.add("igraph distances, sources of 1000", 1, 8, seconds, processor)


def bench_pandana(graph, pairs, expected, threads: int, table: Table) -> None:  # noqa: ANN001
    """Contraction hierarchies."""
    try:
        import numpy
        import pandana
        import pandas
    except ImportError:
        return
    edges = graph.tocoo()
    zeros = pandas.Series(numpy.zeros(graph.shape[0]))
    weights = pandas.DataFrame({"weight": edges.data.astype(float)})
    network, seconds, processor = timed(
        lambda: pandana.Network(zeros, zeros, pandas.Series(edges.row), pandas.Series(edges.col),
                                weights, twoway=False), 1)
    table.add("pandana (CH), preprocessing", threads, 1, seconds, processor)
    found, seconds, processor = timed(
        lambda: network.shortest_path_lengths(pairs[:, 0].tolist(), pairs[:, 1].tolist()), 1)
    table.add("pandana (CH), random pairs", threads, len(pairs), seconds, processor)
    print("pandana's distances are %s"
          % ("the same" if numpy.array_equal(found, expected) else "not the same"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("graph", nargs="?", help="a DIMACS .gr file (default: graphgen's roads)")
    parser.add_argument("--bin", default=str(ROOT / "bin"), help="folder of the programs")
    parser.add_argument("--out", default=str(ROOT / "experiments" / "out"),
                        help="folder of index.csv")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of the index")
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        path = options.graph or os.path.join(folder, "road.gr")
        if options.graph is None:
            subprocess.run([os.path.join(options.bin, "graphgen"), "--family", "road", "--v",
                            str(VERTICES), "--seed", "1", "--format", "gr", "-o", path], check=True)
        graph = read_graph(path)
        index, pairs, found = bench_index(graph, options.threads, folder, table)
        bench_scipy(graph, index, table)
        bench_igraph(graph, table)
        bench_pandana(graph, pairs, found, options.threads, table)
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "index.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(table.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
