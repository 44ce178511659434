#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares distances of random graphs of real weights with those of SciPy's dijkstra, bit for bit.
Needs NumPy and SciPy, and the Python package of this tree (PYTHONPATH=python).

    scipy_bits.py GRAPHS SEED [ENGINE...]

Weights are uniform, 20 decades apart, dyadic, equal, or tiny beside huge. Prints how many graphs
agree; exit status 1 if one does not.
"""

import sys

import numpy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

import apsp

ENGINES = ("cpu:sequential", "cpu:blocked", "cpu:johnson", "cpu:multisource", "cpu:dissection", "cpu:auto")


def weights_of(kind, count, rng):
    if kind == "uniform":
        return rng.random(count) + 1e-9
    if kind == "log-uniform":
        return 10 ** rng.uniform(-10, 10, count)
    if kind == "dyadic":
        return rng.integers(1, 1 << 12, count) / 64
    if kind == "equal":
        return numpy.full(count, 0.1)
    return numpy.where(rng.random(count) < 0.5, 1e-18, 1e6 * rng.random(count) + 1)


KINDS = ("uniform", "log-uniform", "dyadic", "equal", "tiny beside huge")


def random_graph(rng):
    n = int(rng.integers(2, 61))
    count = int(rng.choice([n, 3 * n, n * n // 2]))
    pairs = numpy.unique(rng.integers(0, n, (count, 2)), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    kind = KINDS[rng.integers(len(KINDS))]
    return kind, coo_matrix((weights_of(kind, len(pairs), rng), (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()


def main():
    graphs, rng = int(sys.argv[1]), numpy.random.default_rng(int(sys.argv[2]))
    engines = sys.argv[3:] or ENGINES
    differ = 0
    for number in range(graphs):
        kind, graph = random_graph(rng)
        expected = dijkstra(graph)
        for engine in engines:
            found = apsp.floyd_warshall(graph, engine=engine)
            if not (found == expected).all():
                print(f"graph {number}, {kind}, {graph.shape[0]} vertices: {engine} differs")
                differ += 1
                break
    print(f"{graphs - differ} of {graphs} graphs agree, on {', '.join(engines)}")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
