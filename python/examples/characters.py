#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who is in the middle of a network, and who are the farthest apart, by name.

    python3 characters.py [FILE [WEIGHT]]

FILE is anything that apsp.read reads, and WEIGHT the attribute that says how strong an edge is; an edge
is as long as 1 / strength. Without them it is a file of GraphML that NetworkX writes: the characters of
Les Miserables, who appear together in so many chapters.
"""

import os
import sys
import tempfile

import numpy

import apsp


def les_miserables():
    """The graph, by way of a file."""
    import networkx
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lesmis.graphml")
        networkx.write_graphml(networkx.les_miserables_graph(), path)
        return apsp.read(path)


def path_between(ids, predecessors, tail, head):
    """Names of the vertices of a shortest path; predecessors: the row of its first one."""
    path = [head]
    while path[-1] != tail:
        path.append(predecessors[path[-1]])
    return [str(ids[vertex]) for vertex in reversed(path)]


def main(path=None, weight=None):
    graph = les_miserables() if path is None else apsp.read(path, weight=weight)
    graph.weights = 1 / graph.weights
    found = apsp.measures(graph)
    print("%d vertices, %d edges" % (len(graph), len(graph.heads)))
    nearest = numpy.argsort(-found.closeness_centrality, kind="stable")[:3]
    print("in the middle:", ", ".join(str(graph.ids[vertex]) for vertex in nearest))
    distances, predecessors = apsp.shortest_path(graph, return_predecessors=True)
    finite = numpy.where(numpy.isfinite(distances), distances, -1)
    tail, head = numpy.unravel_index(finite.argmax(), finite.shape)
    print("farthest apart, %.3f:" % finite.max(),
          " - ".join(path_between(graph.ids, predecessors[tail], tail, head)))


if __name__ == "__main__":
    main(*sys.argv[1:])
