# SPDX-License-Identifier: MIT
"""Exact all-pairs shortest paths, with SciPy's conventions, by libapsp.

    >>> import numpy, apsp
    >>> apsp.floyd_warshall(numpy.array([[0, 5, 9], [0, 0, 1], [0, 0, 0]]))
    array([[ 0.,  5.,  6.],
           [inf,  0.,  1.],
           [inf, inf,  0.]])

Not all rows need to be in memory: solve() keeps those of some sources, rows() hands on a few at
a time, and measures() computes eccentricities, centralities and more from them.

Needs NumPy and the shared library libapsp; SciPy only for sparse graphs.
"""

import ctypes

import numpy

from apsp import _library
from apsp._answers import NO_PREDECESSOR, bytes_of, distances_of, predecessors_of, rows_at
from apsp._edges import Edges
from apsp._errors import ApspError, NegativeCycleError, Watch, negative_cycle, raise_on_failure
from apsp._index import Index, open_index
from apsp._rows import Measures, Result, Rows, measures, rows, solve

__all__ = ["ApspError", "Index", "Measures", "NO_PREDECESSOR", "NegativeCycleError", "Result",
           "Rows", "engines", "floyd_warshall", "measures", "open_index", "rows", "solve", "version"]

_lib = _library.LIB


def version():
    """The version of the library that is used."""
    return _lib.apsp_version().decode()


def engines():
    """All ways to solve, for floyd_warshall's `engine`: a list of dictionaries with "name"
    ("cpu:blocked"), "summary", "source", "is_default" (its part before the colon is enough),
    "uses_gpu" and "distances_only"."""
    found, engine = [], _library.Engine(size=ctypes.sizeof(_library.Engine))
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


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False,
                   overwrite=False, *, scale=None, engine=None, threads=0, device=0):
    """The lengths of the shortest paths between all vertices, as
    scipy.sparse.csgraph.floyd_warshall computes them.

    csgraph: N x N array, masked array or sparse matrix; entry (i, j) is the weight of the edge
        from i to j. What says that there is none is what says so to SciPy: zeros, NaN and
        infinities in an array, and what is masked; in a sparse matrix what is not stored, and
        infinity, so that a zero that is stored is an edge. Unlike SciPy's floyd_warshall, this
        takes a negative entry on the diagonal for what it is, a negative cycle.
    directed: if False, an edge leads both ways; of two between the same vertices the lighter
        counts.
    return_predecessors: whether to return them as well.
    unweighted: whether every edge counts as 1.
    overwrite: whether csgraph, where it is a C-ordered array of float64, may hold the answer.
    scale: weights must be integers. Others are multiplied by this integer, which must make
        them integers; the distances are divided by it again.
    engine: how to solve, one of engines(); by default what is predicted to be the fastest.
    threads: 0 for as many as there are cores.
    device: number of the GPU, for engines that use one.

    Returns the N x N distances as float64, infinity if there is no path; and, if asked for,
    the N x N predecessors as int32: entry (i, j) is the vertex before j on a shortest path
    from i, -9999 if there is none and for i = j.

    Raises NegativeCycleError; ValueError for a graph that cannot be taken as it is; MemoryError;
    ApspError if an engine refuses the graph or there is no GPU. Ctrl-C, and whatever else a
    signal handler raises, ends the work within some tenths of a second.
    """
    edges = Edges(csgraph, directed, unweighted, scale)
    n = edges.n
    out = csgraph if overwrite and _can_hold_distances(csgraph) else None
    if n == 0:
        dist = numpy.zeros((0, 0)) if out is None else out
        return (dist, numpy.zeros((0, 0), dtype=numpy.int32)) if return_predecessors else dist

    watch = Watch()
    options = _library.new(_library.Options, threads=threads, device=device,
                           distances_only=not return_predecessors,
                           engine=None if engine is None else engine.encode(),
                           progress=watch.callback)
    graph, result, error = _library.Graph(), _library.Result(), _library.Error()
    leading = ctypes.c_size_t()
    try:
        status = edges.build(graph, watch.callback, error)
        watch.check()
        raise_on_failure(status, error)
        needed = bytes_of(n, n, return_predecessors, out is not None)
        raise_on_failure(_lib.apsp_memory_check(n, needed, error), error)
        status = _lib.apsp_solve(graph, options, result, error)
        watch.check()
        if status == _library.NEGATIVE_CYCLE:
            raise negative_cycle(graph, n, edges.divisor, error)
        raise_on_failure(status, error)
        cells = _lib.apsp_result_distances(result, leading)
        dist = distances_of(rows_at(cells, n, leading.value, n), edges.divisor, out)
        if not return_predecessors:
            return dist
        cells = _lib.apsp_result_predecessors(result, leading)
        return dist, predecessors_of(rows_at(cells, n, leading.value, n))
    finally:
        _lib.apsp_result_free(result)
        _lib.apsp_graph_free(graph)


def _can_hold_distances(csgraph):
    return (type(csgraph) is numpy.ndarray and csgraph.dtype == numpy.float64
            and csgraph.flags.c_contiguous and csgraph.flags.writeable)
