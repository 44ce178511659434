#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares graphs of `graphgen --family road` with a real road network.

    make compare-roads REAL=NY.gr.xz
    make compare-roads REAL=COL.gr.xz OPTIONS='--towns 0.4 --cut-exponent 0.38'
    python3 experiments/suites/roads.py --help

Measures what matters to a solver that eliminates vertices: fill, height of the elimination tree and
boundaries of its pieces under an approximate minimum degree order (AMD of SuiteSparse: Debian
libamd2 or libsuitesparse-dev; without it there is nothing to run), and what a road network looks
like: degrees, dead ends, bridges, depth in hops. Directions and weights are left out. --real names a file
of DIMACS format (.gr, also .gr.xz or .gr.gz), which graphs of its size and mean degree are compared
with, made with further options if some are given; without any, other sizes are compared with
figures that were measured on real networks before. Ends with status 1 if a median over the graphs is more than 15 percent off.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import ctypes.util
import dataclasses
import gzip
import lzma
import math
import shlex
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    BAD_INPUT, FAILED, GENERATOR, NO_RESOURCE, BenchError, run_program)
from experiments.markdown import LEFT, RIGHT, significant, table  # noqa: E402

LEAF = 64  # the most vertices of a leaf piece
STARTS = 8  # number of searches, from vertices evenly spread
SWEEPS = 6  # number of searches for the diameter, each from the last vertex of the one before
TOLERANCE = 0.15
Adjacency = list[list[int]]


@dataclasses.dataclass(frozen=True)
class Measures:
    """Measures of the structure of an undirected graph."""

    vertices: int
    edges: int
    fill: float  # entries of the factor below the diagonal, for each vertex
    height: int  # height of the elimination tree, in vertices
    ancestors: float  # mean number of ancestors in the elimination tree, the vertex included
    boundary: float  # size of the boundary of a vertex's leaf piece, mean over vertices
    in_leaves: float  # share of the vertices in leaf pieces
    degree_1: float
    degree_2: float
    degree_3: float
    degree_4: float
    outside_core: float  # share of the vertices that are in dead ends
    bridges: float  # share of the edges without which the graph falls apart
    eccentricity: float  # mean eccentricity of some vertices, in hops
    diameter: int  # lower bound of the diameter, in hops


# Columns that are compared, and their names in the table.
COMPARED = {
    "edges": "edges (undirected)",
    "fill": "nnz(L)/n, AMD",
    "height": "height of the elimination tree, AMD",
    "ancestors": "mean ancestors, AMD",
    "boundary": f"mean boundary of leaf pieces (up to {LEAF} vertices), AMD",
    "in_leaves": "share of vertices in leaf pieces",
    "degree_1": "share of degree 1",
    "degree_2": "share of degree 2",
    "degree_3": "share of degree 3",
    "degree_4": "share of degree 4",
    "outside_core": "share outside the 2-core",
    "bridges": "share of edges that are bridges",
    "eccentricity": f"eccentricity in hops, mean of {STARTS} vertices",
    "diameter": "diameter in hops, lower bound",
}


@dataclasses.dataclass(frozen=True)
class Network:
    """A real network that is not at hand: options that generate a similar graph, and the network's
    measures by the same order of elimination, AMD."""

    name: str
    vertices: int
    options: tuple[str, ...]
    fill: float
    height: int


NETWORKS = (
    Network("Florida", 1070376, ("--degree", "2.511", "--cut-exponent", "0.3"), 2.8, 540),
    Network("Sydney", 33113, ("--degree", "2.45", "--cut-exponent", "0.4"), 3.0, 242),
    Network("Chicago regional (planning)", 12982, ("--degree", "3.3", "--cut-exponent", "0.5"),
            9.3, 383),
)


def open_text(path: Path) -> IO[str]:
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    return opener(path, "rt", encoding="ascii")  # type: ignore[operator, no-any-return]


def read_graph(path: Path) -> Adjacency:
    """The neighbours of each vertex, ascending, of a DIMACS graph without directions."""
    neighbours: list[set[int]] = []
    with open_text(path) as file:
        for line in file:
            if line.startswith("p"):
                neighbours = [set() for _ in range(int(line.split()[2]))]
            elif line.startswith("a"):
                tail, head = (int(word) - 1 for word in line.split()[1:3])
                if tail != head:
                    neighbours[tail].add(head)
                    neighbours[head].add(tail)
    if not neighbours:
        raise BenchError(f"{path}: expected a graph of DIMACS format", BAD_INPUT)
    return [sorted(of_one) for of_one in neighbours]


def load_amd() -> ctypes.CDLL:
    name = ctypes.util.find_library("amd")
    if name is None:
        raise BenchError("expected SuiteSparse's AMD, found none: install libsuitesparse-dev",
                         NO_RESOURCE)
    return ctypes.CDLL(name)


def amd_order(amd: ctypes.CDLL, graph: Adjacency) -> list[int]:
    """The vertices in the order in which they are eliminated."""
    count = len(graph)
    starts = (ctypes.c_int * (count + 1))()
    for vertex, neighbours in enumerate(graph):
        starts[vertex + 1] = starts[vertex] + len(neighbours)
    heads = (ctypes.c_int * max(1, starts[count]))(
        *(head for neighbours in graph for head in neighbours))
    order = (ctypes.c_int * count)()
    if amd.amd_order(ctypes.c_int(count), starts, heads, order, None, None) < 0:
        raise BenchError("amd_order failed", NO_RESOURCE)
    return list(order)


def lower_neighbours(graph: Adjacency, order: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yields each position in the order of elimination, ascending, with the positions of the
    vertex's neighbours before it."""
    position = [0] * len(order)
    for place, vertex in enumerate(order):
        position[vertex] = place
    for place, vertex in enumerate(order):
        yield place, [position[other] for other in graph[vertex] if position[other] < place]


def eliminate(graph: Adjacency, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """Returns for each position its parent in the elimination tree, -1 at roots (Liu 1990), and the
    number of positions above it that elimination joins it with."""
    parent, ancestor = [-1] * len(order), [-1] * len(order)
    for place, lower in lower_neighbours(graph, order):
        for start in lower:
            here = start
            while here not in (-1, place):
                above = ancestor[here]
                ancestor[here] = place
                if above == -1:
                    parent[here] = place
                here = above
    counts, seen = [0] * len(order), list(range(len(order)))
    for place, lower in lower_neighbours(graph, order):
        for start in lower:
            here = start
            while seen[here] != place:
                seen[here] = place
                counts[here] += 1
                here = parent[here]
        seen[place] = place
    return parent, counts


def depths_of(parent: Sequence[int]) -> list[int]:
    depth = [0] * len(parent)
    for place in reversed(range(len(parent))):
        depth[place] = 1 + (depth[parent[place]] if parent[place] >= 0 else 0)
    return depth


def leaf_pieces(parent: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The root and the size of each largest subtree of up to LEAF vertices."""
    size = [1] * len(parent)
    for place, above in enumerate(parent):
        if above >= 0:
            size[above] += size[place]
    for place, above in enumerate(parent):
        if size[place] <= LEAF and (above < 0 or size[above] > LEAF):
            yield place, size[place]


def search(graph: Adjacency, start: int) -> tuple[int, int]:
    """The eccentricity of a vertex in hops, and a vertex at that distance."""
    seen = [False] * len(graph)
    seen[start] = True
    level, depth, last = [start], -1, start
    while level:
        depth, last, following = depth + 1, level[-1], []
        for vertex in level:
            for other in graph[vertex]:
                if not seen[other]:
                    seen[other] = True
                    following.append(other)
        level = following
    return depth, last


def outside_core(graph: Adjacency) -> int:
    """The number of vertices that are removed if vertices of degree 1 or less are removed until there
    are none."""
    degree = [len(neighbours) for neighbours in graph]
    stack = [vertex for vertex, count in enumerate(degree) if count <= 1]
    gone = len(stack)
    while stack:
        for other in graph[stack.pop()]:
            degree[other] -= 1
            if degree[other] == 1:
                stack.append(other)
                gone += 1
    return gone


def count_bridges(graph: Adjacency) -> int:
    """By a search in depth: an edge into a vertex from which nothing leads past it (Tarjan 1974)."""
    found, low, met, count = [0] * len(graph), [0] * len(graph), 0, 0
    for start in range(len(graph)):
        if found[start]:
            continue
        met += 1
        found[start] = low[start] = met
        path = [(start, -1, iter(graph[start]))]
        while path:
            vertex, before, others = path[-1]
            for other in others:
                if not found[other]:
                    met += 1
                    found[other] = low[other] = met
                    path.append((other, vertex, iter(graph[other])))
                    break
                if other != before:
                    low[vertex] = min(low[vertex], found[other])
            else:
                path.pop()
                if before >= 0:
                    low[before] = min(low[before], low[vertex])
                    count += low[vertex] > found[before]
    return count


def measure(amd: ctypes.CDLL, graph: Adjacency) -> Measures:
    count = len(graph)
    parent, counts = eliminate(graph, amd_order(amd, graph))
    depth = depths_of(parent)
    pieces = list(leaf_pieces(parent))
    inside = sum(size for _, size in pieces)
    degrees = [sum(len(neighbours) == degree for neighbours in graph) for degree in range(5)]
    diameter, far = 0, 0
    for _ in range(SWEEPS):
        found, far = search(graph, far)
        diameter = max(diameter, found)
    return Measures(
        vertices=count, edges=sum(map(len, graph)) // 2, fill=sum(counts) / count,
        height=max(depth), ancestors=sum(depth) / count,
        boundary=sum(counts[root] * size for root, size in pieces) / max(1, inside),
        in_leaves=inside / count, degree_1=degrees[1] / count, degree_2=degrees[2] / count,
        degree_3=degrees[3] / count, degree_4=degrees[4] / count,
        outside_core=outside_core(graph) / count,
        bridges=2 * count_bridges(graph) / max(1, sum(map(len, graph))),
        eccentricity=statistics.fmean(search(graph, (2 * k + 1) * count // (2 * STARTS))[0]
                                      for k in range(STARTS)),
        diameter=diameter)


def measure_road(amd: ctypes.CDLL, bin_dir: Path, vertices: int, seed: int,
                 options: Sequence[str]) -> Measures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "road.gr"
        run_program(bin_dir / GENERATOR, "--family", "road", "--v", vertices, "--seed", seed,
                    "--undirected", "--format", "gr", "-o", path, *options)
        return measure(amd, read_graph(path))


def median_of(several: Sequence[Measures]) -> Measures:
    """The median of each measure by itself."""
    return Measures(*(statistics.median_low(values) if isinstance(values[0], int)
                      else statistics.median(values)
                      for values in zip(*map(dataclasses.astuple, several))))


def difference(found: float, expected: float) -> float:
    """The relative difference of a measure from the expected one."""
    if found == expected:
        return 0
    return found / expected - 1 if expected != 0 else math.inf


def compare(real: Measures, road: Measures, name: str) -> tuple[str, list[str]]:
    """A table, and the measures whose difference is too large."""
    rows, failures = [], []
    for field, title in COMPARED.items():
        expected, found = getattr(real, field), getattr(road, field)
        off = difference(found, expected)
        rows.append([title, significant(expected), significant(found), f"{100 * off:+.0f} %"])
        if abs(off) > TOLERANCE:
            failures.append(f"{title}: {found:g} in place of {expected:g}")
    return table(["", name, "road", "off by"], rows, (LEFT, RIGHT)), failures


def run(options: argparse.Namespace) -> int:
    amd = load_amd()
    rows: list[tuple[str, str, Measures]] = []
    failures: list[str] = []
    said = ["# Graphs of `graphgen --family road` beside real networks"]
    if options.real is not None:
        real = measure(amd, read_graph(options.real))
        name = options.real.name.partition(".")[0]
        rows.append((name, "", real))
        like = ["--degree", f"{2 * real.edges / real.vertices:.3f}"]
        like += shlex.split(options.options)
        roads = [measure_road(amd, options.bin, real.vertices, seed, like)
                 for seed in range(1, options.seeds + 1)]
        rows += [("road", f"{' '.join(like)} --seed {seed}", road)
                 for seed, road in enumerate(roads, 1)]
        text, failures = compare(real, median_of(roads), name)
        said += [f"n = {real.vertices}, `{' '.join(like)}`, medians of {options.seeds} seeds:", text]
    lines = []
    for network in NETWORKS if options.options == "" else ():
        road = measure_road(amd, options.bin, network.vertices, 1, network.options)
        rows.append(("road", f"{' '.join(network.options)} --seed 1", road))
        lines.append([network.name, str(network.vertices), f"`{' '.join(network.options)}`",
                      f"{network.fill}, {network.height}", f"{road.fill:.1f}, {road.height}"])
    if lines:
        said += ["nnz(L)/n and height of the elimination tree under AMD:",
                 table(["", "n", "options", "real", "road"], lines)]
    print("\n\n".join(said))
    if options.table is not None:
        options.table.write_text("\n\n".join(said) + "\n", encoding="utf-8")
    if options.csv is not None:
        with open(options.csv, "w", encoding="ascii", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["graph", "options", *(f.name for f in dataclasses.fields(Measures))])
            for graph, how, measures in rows:
                writer.writerow([graph, how, *(f"{value:.6g}" if isinstance(value, float) else value
                                               for value in dataclasses.astuple(measures))])
    for failure in failures:
        print(f"roads.py: more than {100 * TOLERANCE:.0f} percent off: {failure}", file=sys.stderr)
    return FAILED if failures else 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="roads.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--real", type=Path, metavar="FILE", help="a real network (.gr, .gr.xz)")
    parser.add_argument("--options", default="", metavar="TEXT",
                        help="further options of graphgen; no other networks then")
    parser.add_argument("--seeds", type=int, default=3, metavar="N",
                        help="graphs of the real network's size; medians count (3)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="every graph's measures go there")
    parser.add_argument("--table", type=Path, metavar="FILE",
                        help="what is printed goes there, too, in Markdown")
    parser.add_argument("--bin", type=Path, default=ROOT / "bin", metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        return run(options)
    except BenchError as error:
        print(f"roads.py: {error}", file=sys.stderr)
        return error.status


if __name__ == "__main__":
    sys.exit(main())
