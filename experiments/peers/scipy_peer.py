#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times SciPy on a graph and compares its distances with ours. Needs NumPy and SciPy.

    scipy_peer.py GRAPH METHOD REPETITIONS DISTANCES.npy

GRAPH is thesis text without parallel edges (SciPy would add them up) and without weights of zero
(which are no edges to it); METHOD is floyd_warshall or dijkstra, both with predecessors;
DISTANCES.npy is a proved result. Prints one JSON object: vertices, edges, seconds (a list), and
"different", the number of distances that are not ours.
"""

import json
import sys
import time

import numpy
from scipy.sparse import csgraph, csr_matrix

UNREACHABLE = 2**30 - 1


def read_graph(path):
    with open(path, encoding="ascii") as file:
        numbers = numpy.fromstring(file.read(), dtype=numpy.int64, sep=" ")
    vertices, edges = int(numbers[0]), int(numbers[1])
    tails, heads, weights = numbers[2:].reshape(edges, 3).T
    matrix = csr_matrix((weights.astype(float), (tails, heads)), shape=(vertices, vertices))
    if matrix.nnz != edges or not (weights > 0).all():
        sys.exit(f"{path}: expected distinct edges of weights above 0")
    return matrix


def main():
    graph_path, method, repetitions, ours_path = sys.argv[1:]
    graph = read_graph(graph_path)
    solve = getattr(csgraph, method)
    seconds = []
    for _ in range(int(repetitions)):
        start = time.perf_counter()
        distances = solve(graph, return_predecessors=True)[0]
        seconds.append(time.perf_counter() - start)
    distances[numpy.isinf(distances)] = UNREACHABLE
    different = int(numpy.count_nonzero(distances != numpy.load(ours_path, mmap_mode="r")))
    print(json.dumps({"vertices": graph.shape[0], "edges": graph.nnz, "seconds": seconds,
                      "different": different}))


if __name__ == "__main__":
    main()
