#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A matrix of distances that does not fit into memory: in a file, as it is computed, in two bytes each.

    python3 larger_than_memory.py distances.npy [VERTICES]

Then the file is mapped, and only what is looked at is read. For what can be computed from the rows, no
file is needed: see apsp.measures and apsp.rows.
"""

import sys

import numpy
from scipy import sparse

import apsp


def ring_with_chords(n):
    """A sparse graph in which nothing is very far from anything."""
    rng = numpy.random.default_rng(11)
    tails = numpy.concatenate((numpy.arange(n), rng.integers(0, n, n // 2)))
    heads = numpy.concatenate(((numpy.arange(n) + 1) % n, rng.integers(0, n, n // 2)))
    return sparse.csr_matrix((rng.integers(1, 100, len(tails)), (tails, heads)), shape=(n, n))


def main(path, vertices=20000):
    graph = ring_with_chords(int(vertices))
    n = graph.shape[0]
    matrix = numpy.lib.format.open_memmap(path, mode="w+", dtype=numpy.uint16, shape=(n, n))
    for sources, distances in apsp.rows(graph, directed=False, dtype="uint16"):
        matrix[sources] = distances
    matrix.flush()
    print("%d x %d distances in %.1f MB" % (n, n, matrix.nbytes / 1e6))

    mapped = numpy.load(path, mmap_mode="r")
    print("from 0 to %d: %d" % (n - 1, mapped[0, n - 1]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
