#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tries an installed Python package, with NumPy and nothing else: package/try_python.py NAME VERSION"""

import importlib.metadata
import os
import sys
import tempfile

import numpy

import apsp


def main(name: str, version: str) -> None:
    assert (importlib.metadata.version(name), apsp.__version__) == (version, version)
    side = 12
    at = numpy.arange(side * side).reshape(side, side)
    graph = apsp.Graph(list(range(side * side)), numpy.concatenate([at[:, :-1].ravel(), at[:-1].ravel()]),
                       numpy.concatenate([at[:, 1:].ravel(), at[1:].ravel()]),
                       numpy.arange(1, 2 * side * (side - 1) + 1), directed=False)
    expected = numpy.full((side * side, side * side), numpy.inf)
    expected[graph.tails, graph.heads] = expected[graph.heads, graph.tails] = graph.weights
    numpy.fill_diagonal(expected, 0)
    weights = expected.copy()
    for k in range(side * side):
        expected = numpy.minimum(expected, expected[:, k, None] + expected[k])
    tried = []
    for engine in apsp.engines():
        if engine["uses_gpu"]:
            continue
        if engine["name"] == "cpu:bfs":  # only for graphs whose edges all weigh the same
            continue
        assert (apsp.solve(graph, engine=engine["name"]).distances == expected).all(), engine["name"]
        tried.append(engine["name"])
    assert "cpu:dissection" in tried  # the library is built with SuiteSparse's AMD
    measures = apsp.measures(graph)
    assert measures.diameter == expected.max()
    flow = apsp.betweenness(graph, edges=True, normalized=False)
    assert numpy.isclose((flow.edges * weights[flow.edge_tails, flow.edge_heads]).sum(), numpy.triu(expected).sum())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "g.apspx")
        apsp.Index(graph).save(path)
        with apsp.open_index(path) as index:
            assert (index.table() == expected).all()
    print("tried: %s %s in %s, Python %s, NumPy %s, %d engines of the CPU" % (
        name, version, os.path.dirname(apsp.__file__), sys.version.split()[0], numpy.__version__, len(tried)))


if __name__ == "__main__":
    main(*sys.argv[1:])
