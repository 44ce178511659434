#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Isomap of scikit-learn, with our distances in place of its own.

    python3 isomap.py [POINTS]

Isomap is three steps, all of them public: a graph of neighbours, the distances in it, and a kernel PCA
of these. Only the second one is ours.
"""

import sys
import time

import numpy
from sklearn.datasets import make_swiss_roll
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap
from sklearn.neighbors import kneighbors_graph

import apsp

NEIGHBOURS = 8


def main(points=3000):
    roll, _ = make_swiss_roll(int(points), random_state=1)

    start = time.perf_counter()
    graph = kneighbors_graph(roll, NEIGHBOURS, mode="distance")
    distances = apsp.shortest_path(graph, directed=False)
    ours = KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * distances**2)
    seconds = time.perf_counter() - start

    start = time.perf_counter()
    isomap = Isomap(n_neighbors=NEIGHBOURS, n_components=2).fit(roll)
    theirs = isomap.embedding_
    other_seconds = time.perf_counter() - start

    signs = numpy.sign((ours * theirs).sum(axis=0))  # the sign of an axis is arbitrary
    print("%.2f s with apsp, %.2f s with scikit-learn alone" % (seconds, other_seconds))
    print("distances differ by %.0e, the embedding by %.0e of its size"
          % (abs(distances - isomap.dist_matrix_).max(),
             abs(ours * signs - theirs).max() / abs(theirs).max()))


if __name__ == "__main__":
    main(*sys.argv[1:])
