#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares float64 distances of graphs of real weights with those of SciPy's dijkstra, bit for bit.
Needs NumPy and SciPy, and the Python package of this tree (PYTHONPATH=python).

    scipy_bits.py [--graphs N] [--seed S] [--threads 1,2,16] [--grid] [--families graphgen's path] [ENGINE...]

Random graphs have 2 to 60 vertices, one in eight up to 200. Each is solved by every engine with every
number of threads and every instruction set of this CPU; every second one with predecessors and with the
certificate's proof. Weights are uniform, 20 decades apart, dyadic (of few bits, which are solved as integers,
or of many), equal, or tiny beside huge. --families does the same with graphs of each family of graphgen, with
weights of each kind and with its own. With --grid, weights are rounded to a grid from coarse to fine, here and
by the library, and measures, proved for every second graph, are compared with sums that are rounded once. Prints how many graphs agree; exit status 1 if one does not.
"""

import argparse
import math
import os
import subprocess
import sys

ENGINES = ("cpu:sequential", "cpu:blocked", "cpu:johnson", "cpu:multisource", "cpu:dissection", "cpu:auto")
ISAS = ("portable", "avx2", "avx512")
KINDS = ("uniform", "log-uniform", "dyadic", "equal", "tiny beside huge")
FAMILIES = ("grid", "road", "geometric", "knn", "power-law", "disconnected", "tree", "ring", "star", "complete")
FAMILY_VERTICES = {"complete": 150}
MOST_VERTICES = 400  # most vertices of the other families


def weights_of(kind, count, rng):
    import numpy
    if kind == "uniform":
        return rng.random(count) + 1e-9
    if kind == "log-uniform":
        return 10 ** rng.uniform(-10, 10, count)
    if kind == "dyadic":
        return rng.integers(1, 1 << rng.choice([12, 40]), count) / 64
    if kind == "equal":
        return numpy.full(count, 0.1)
    return numpy.where(rng.random(count) < 0.5, 1e-18, 1e6 * rng.random(count) + 1)


def random_graph(number, rng):
    import numpy
    n = int(rng.integers(2, 201 if number % 8 == 7 else 61))
    count = int(rng.choice([n, 3 * n, n * n // 2]))
    pairs = numpy.unique(rng.integers(0, n, (count, 2)), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return n, pairs[:, 0], pairs[:, 1]


def family_graph(program, family, seed):
    """The graph with graphgen's own weights, which have two decimals here."""
    import numpy
    n = FAMILY_VERTICES.get(family, MOST_VERTICES)
    text = subprocess.run([program, "--family", family, "--v", str(n), "--seed", str(seed), "--decimals", "2",
                           "--quiet", "-o", "-"], check=True, stdout=subprocess.PIPE).stdout
    rows = numpy.loadtxt(text.decode().splitlines(), skiprows=1, ndmin=2)
    return n, rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2]


def isas():
    """Yields the instruction sets that this CPU has."""
    import apsp
    for isa in ISAS:
        os.environ["APSP_SIMD"] = isa
        try:
            apsp.floyd_warshall([[0, 0.1], [0, 0]], engine="cpu:multisource")
        except MemoryError as error:  # missing instructions are reported as a missing resource
            if "of this CPU" not in str(error):
                raise
            continue
        yield isa


def round_weights(graph, rng):
    """The graph with weights rounded to multiples of a power of two, but not to 0, and a number for `grid`."""
    import numpy
    largest = graph.data.max(initial=1)
    spacing = 2.0 ** (numpy.floor(numpy.log2(largest)) - rng.integers(2, 44))
    rounded = graph.copy()
    rounded.data = numpy.maximum(numpy.rint(graph.data / spacing), 1) * spacing
    return rounded, spacing * rng.uniform(1, 2)


def are_measures(found, distances):
    """Returns whether measures are those of distances: sums are exact, and rounded once."""
    import numpy
    ways = (("out_" if found.directed else "", "", distances), ("in_", "in_", distances.T))
    same = True
    for prefix, of_eccentricity, rows in ways[:1 + found.directed]:
        finite = [row[numpy.isfinite(row)] for row in rows]
        same = (same and list(getattr(found, prefix + "reached")) == [len(row) for row in finite] and
                list(getattr(found, of_eccentricity + "eccentricity")) == [row.max() for row in finite] and
                list(getattr(found, prefix + "distance_sum")) == [math.fsum(row) for row in finite])
    return same and found.largest_distance == max(row.max() for row in finite)


class Comparison:
    """Counts graphs and answers, and says which differ."""

    def __init__(self, engines, threads, grid=None):
        self.grid = grid  # random numbers from which grids are drawn; None: no grid
        self.ways = [(isa, engine, count) for isa in isas() for engine in engines for count in threads]
        self.graphs = self.answers = self.differ = 0

    def compare(self, name, n, tails, heads, weights):
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import dijkstra

        import apsp
        graph = coo_matrix((weights, (tails, heads)), shape=(n, n)).tocsr()
        rounded, spacing = (graph, "off") if self.grid is None else round_weights(graph, self.grid)
        distances = dijkstra(rounded)
        expected = distances.tobytes()
        with_pred = self.graphs % 2 == 1
        agree = True
        for isa, engine, threads in self.ways:
            os.environ["APSP_SIMD"] = isa
            how = {"check": with_pred, "engine": engine, "threads": threads, "grid": spacing}
            found = apsp.floyd_warshall(graph, return_predecessors=with_pred, **how)
            same = (found[0] if with_pred else found).tobytes() == expected
            if same and self.grid is not None:
                only = None if self.graphs % 4 < 2 else ["distance_sum"]
                same = are_measures(apsp.measures(graph, only=only, **how), distances)
            self.answers += 1
            if not same:
                agree = False
                print("%s, %d vertices: %s differs, %s, %d threads, grid %s" % (name, n, engine, isa, threads, spacing))
        self.graphs += 1
        self.differ += not agree


def numbers(text):
    return [int(number) for number in text.split(",")]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=numbers, default=[1, 2, 16])
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--families", metavar="GRAPHGEN")
    parser.add_argument("engines", nargs="*", default=ENGINES)
    wanted = parser.parse_args(arguments)
    import numpy
    rng = numpy.random.default_rng(wanted.seed)
    comparison = Comparison(wanted.engines, wanted.threads, numpy.random.default_rng(7) if wanted.grid else None)
    for number in range(wanted.graphs):
        kind = KINDS[number % len(KINDS)]
        n, tails, heads = random_graph(number // len(KINDS), rng)
        comparison.compare("graph %d, %s" % (number, kind), n, tails, heads, weights_of(kind, len(tails), rng))
    for family in FAMILIES if wanted.families else ():
        n, tails, heads, own = family_graph(wanted.families, family, wanted.seed)
        comparison.compare(family, n, tails, heads, own)
        for kind in KINDS:
            comparison.compare(family + ", " + kind, n, tails, heads, weights_of(kind, len(tails), rng))
    print("%d of %d graphs have SciPy's bits: %d answers by %s, each with %s threads, %s"
          % (comparison.graphs - comparison.differ, comparison.graphs, comparison.answers, ", ".join(wanted.engines),
             ", ".join(map(str, wanted.threads)), " and ".join(dict.fromkeys(way[0] for way in comparison.ways))))
    return comparison.differ > 0


if __name__ == "__main__":
    sys.exit(main())
