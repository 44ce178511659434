# SPDX-License-Identifier: MIT
"""Exact all-pairs shortest paths, with SciPy's conventions, by libapsp.

    >>> import apsp
    >>> apsp.shortest_path([[0, 5, 9], [0, 0, 1], [0, 0, 0]])
    array([[ 0.,  5.,  6.],
           [inf,  0.,  1.],
           [inf, inf,  0.]])

Not all rows need to be in memory: solve() keeps those of some sources, rows() hands on a few at
a time, and measures() computes eccentricities, centralities and more from them. betweenness() says
how many shortest paths lead through vertices and over edges, accessibility() what can be reached
and how far it is, nearest() which facilities are the nearest, and diameter(), radius() and
eccentricity() what a few searches tell of the whole graph.

Needs NumPy and the shared library libapsp; SciPy only for sparse graphs.
"""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List

from apsp import _library
from apsp._accessibility import Accessibility, Nearest, accessibility, nearest
from apsp._csgraph import (bellman_ford, construct_dist_matrix, dijkstra, floyd_warshall, johnson,
                           reconstruct_path, shortest_path)
from apsp._device import DeviceMatrix, solve_on_device
from apsp._row_files import solve_to_files
from apsp._eccentricity import diameter, eccentricity, radius
from apsp._errors import ApspError, InputError, NegativeCycleError, ReadingWarning
from apsp._files import convert, read
from apsp._flows import Betweenness, Loads, betweenness, loads
from apsp._index import Index, open_index
from apsp._named import Graph
from apsp._numbers import NO_PREDECESSOR, no_path
from apsp._rows import Measures, Result, Rows, measures, rows, solve
from apsp._verify import verify

__all__ = ["Accessibility", "ApspError", "Betweenness", "DeviceMatrix", "Graph", "Index", "InputError", "Loads",
           "Measures", "NO_PREDECESSOR", "Nearest", "NegativeCycleError", "ReadingWarning", "Result", "Rows",
           "accessibility", "bellman_ford", "betweenness", "construct_dist_matrix", "convert", "diameter", "dijkstra", "eccentricity", "engines", "floyd_warshall", "johnson",
           "loads", "measures", "nearest", "no_path", "open_index", "radius", "read", "reconstruct_path", "rows",
           "shortest_path", "solve", "solve_on_device", "solve_to_files", "verify", "version"]

_lib = _library.LIB


def version() -> str:
    """The version of the library that is used."""
    return _lib.apsp_version().decode()


def engines() -> List[Dict[str, Any]]:
    """All ways to solve, for floyd_warshall's `engine`: a list of dictionaries with "name"
    ("cpu:blocked"), "summary", "source", "is_default" (its part before the colon is enough),
    "uses_gpu" and "distances_only"."""
    found: List[Dict[str, Any]] = []
    engine = _library.Engine(size=ctypes.sizeof(_library.Engine))
    while _lib.apsp_engine_at(len(found), engine):
        found.append({
            "name": "%s:%s" % (engine.name.decode(), engine.variant.decode()),
            "summary": engine.summary.decode(),
            "source": engine.source.decode(),
            "is_default": bool(engine.is_default),
            "uses_gpu": bool(engine.uses_gpu),
            "distances_only": bool(engine.distances_only),
        })
    return found


__version__ = version()
