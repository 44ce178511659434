# SPDX-License-Identifier: MIT
"""The functions of scipy.sparse.csgraph that compute shortest paths, with their signatures."""

from __future__ import annotations

import math
from typing import Any, Tuple

import numpy

from apsp._graphs import Found
from apsp._numbers import COMPUTED, NO_PREDECESSOR, answer_type, indices_of, no_path, vertices_of
from apsp._problem import How, HowArguments, Problem, Unpack, answer, parts
from apsp._search import search

_METHODS = ("auto", "FW", "D", "BF", "J")


def _distances(csgraph: Any, directed: bool, indices: Any, return_predecessors: bool,
               unweighted: bool, limit: float, dtype: Any, out: Any, how: HowArguments) -> Any:
    if (dtype is None or dtype == numpy.float64) and out is None:
        searched = search(csgraph, directed, indices, return_predecessors, unweighted, limit,
                          False, how)
        if searched is not None:
            return searched if return_predecessors else searched[0]
    chosen = How(**how)
    found = chosen.edges_in(csgraph, unweighted)
    dist: Any
    pred: Any
    if indices is None:
        problem = Problem(found, None, limit, directed, unweighted, chosen)
        del found  # so that the edges are freed as soon as the library has them
        dist, pred = answer(problem, return_predecessors, dtype, out)[:2]
    else:
        asked = indices_of(indices, found.n)
        shape = (*asked.shape, found.n)
        sources, inverse = numpy.unique(asked, return_inverse=True)
        in_place = False
        if len(sources) == 0:
            dist = numpy.empty(shape, answer_type(dtype, out, shape, COMPUTED[0], 1))
            pred = numpy.empty(shape, numpy.int32)
        else:
            again: Any = inverse.ravel()
            if len(sources) == asked.size:  # all sources are different
                sources, again = asked.ravel(), None
            problem = Problem(found, sources, limit, directed, unweighted, chosen)
            kind = answer_type(dtype, out, shape, problem.computed, problem.divisor)
            in_place = out is not None and again is None and out.flags.c_contiguous
            dist, pred = answer(problem, return_predecessors, kind,
                                out.reshape(-1, found.n) if in_place else None)[:2]
            dist, pred = (None if rows is None else
                          (rows if again is None else rows[again]).reshape(shape)
                          for rows in (dist, pred))
        if out is not None:
            if not in_place:
                out[...] = dist
            dist = out
    return (dist, pred) if return_predecessors else dist


def _nearest(csgraph: Any, directed: bool, indices: Any, return_predecessors: bool,
             unweighted: bool, limit: float, dtype: Any, out: Any, how: HowArguments) -> Any:
    """Computes dijkstra's min_only: the distances from an added vertex, which has an edge of weight
    0 to each of the indices."""
    if (dtype is None or dtype == numpy.float64) and out is None and indices is not None:
        searched = search(csgraph, directed, indices, return_predecessors, unweighted, limit, True,
                          how)
        if searched is not None:
            return searched if return_predecessors else searched[0]
    chosen = How(**how)
    found = chosen.edges_in(csgraph, unweighted)
    n = found.n
    if found.zones > 0 and (indices is None or numpy.size(indices) > 0):
        return _nearest_of_rows(csgraph, directed, indices, return_predecessors, unweighted, limit,
                                dtype, out, how)
    sources = numpy.unique(indices_of(numpy.arange(n) if indices is None else indices, n))
    tails, heads, weights = found.all_tails(), found.heads, found.weights
    if unweighted or weights is None:
        weights, chosen.scale = numpy.ones(len(tails), dtype=numpy.int32), None
    if found.undirected or not directed:
        tails, heads = numpy.concatenate((tails, heads)), numpy.concatenate((heads, tails))
        weights = numpy.concatenate((weights, weights))
    more = numpy.full(len(sources), n, dtype=numpy.int32)
    nearest = Found(n + 1, numpy.concatenate((tails, more)),
                    numpy.concatenate((heads, sources.astype(numpy.int32))),
                    numpy.concatenate((weights, numpy.zeros(len(sources), weights.dtype))), False)
    problem = Problem(nearest, [n], limit, True, False, chosen)
    kind = answer_type(dtype, out, (n,), problem.computed, problem.divisor)
    solved = answer(problem, return_predecessors, kind)
    dist = solved.distances[0, :n]
    if out is not None:
        out[...] = dist
        dist = out
    if solved.predecessors is None:
        return dist
    pred = solved.predecessors[0, :n]
    pred[pred == n] = NO_PREDECESSOR
    pred[sources[dist[sources] == 0]] = NO_PREDECESSOR  # a source at distance 0 begins its own path
    root = numpy.where(pred < 0, numpy.arange(n, dtype=numpy.int32), pred)
    while (root[root] != root).any():
        root = root[root]
    root[dist == no_path(kind)] = NO_PREDECESSOR
    return dist, pred, root


def _nearest_of_rows(csgraph: Any, directed: bool, indices: Any, predecessors: bool,
                     unweighted: bool, limit: float, dtype: Any, out: Any, how: HowArguments) -> Any:
    """Computes dijkstra's min_only from the rows of all indices. It is for graphs in which no path
    leads through some vertices (zones): paths from an added vertex could not pass an index that is
    a zone."""
    n = len(csgraph)
    sources = numpy.unique(indices_of(numpy.arange(n) if indices is None else indices, n))
    dist, pred = _distances(csgraph, directed, sources, True, unweighted, limit, dtype, None, how)
    nearest, each = dist.argmin(axis=0), numpy.arange(n)
    row = dist[nearest, each]
    if out is not None:
        out[...] = row
        row = out
    if not predecessors:
        return row
    root = numpy.where(row == no_path(row.dtype), NO_PREDECESSOR, sources[nearest])
    return row, pred[nearest, each], root.astype(numpy.int32)


def shortest_path(csgraph: Any, method: str = "auto", directed: bool = True,
                  return_predecessors: bool = False, unweighted: bool = False,
                  overwrite: bool = False, indices: Any = None, *, dtype: Any = None,
                  out: Any = None, **how: Unpack[HowArguments]) -> Any:
    """The lengths of shortest paths, as scipy.sparse.csgraph.shortest_path computes them.

    method: "auto", "FW", "D", "BF" or "J", as SciPy has it. All of them give the same answer:
        `engine` says how it is computed.
    indices: vertices, for the rows of these only, in an array of their shape with one more
        dimension; None for all. Not with "FW".
    The other arguments, what is returned, and exceptions are those of floyd_warshall.

    >>> import apsp
    >>> apsp.shortest_path([[0, 5, 9], [0, 0, 1], [0, 0, 0]], indices=0)
    array([0., 5., 6.])
    """
    if method not in _METHODS:
        raise ValueError("unrecognized method %r: expected one of %s"
                         % (method, ", ".join(_METHODS)))
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        if overwrite and out is None and _can_hold_distances(csgraph):
            out = csgraph
    return _distances(csgraph, directed, indices, return_predecessors, unweighted, math.inf, dtype,
                      out, how)


def floyd_warshall(csgraph: Any, directed: bool = True, return_predecessors: bool = False,
                   unweighted: bool = False, overwrite: bool = False, *, dtype: Any = None,
                   out: Any = None, **how: Unpack[HowArguments]) -> Any:
    """The lengths of the shortest paths between all vertices, as
    scipy.sparse.csgraph.floyd_warshall computes them.

    csgraph: N x N array, masked array or sparse matrix; entry (i, j) is the weight of the edge
        from i to j. NaN and infinity say that there is none; so does a zero in an array, what is
        masked in a masked array, and what is not stored in a sparse matrix. A zero that is stored,
        or not masked, is an edge. Unlike SciPy's floyd_warshall, this takes a negative entry on
        the diagonal for what it is, a negative cycle.
        Or a graph of NetworkX, igraph or rustworkx, whose vertices count from 0 in its order, and
        in which an infinite weight is no edge, and NaN is refused.
    directed: if False, an edge leads both ways, as those of undirected graphs do anyway; of two
        between the same vertices the lighter counts.
    return_predecessors: whether to return them as well.
    unweighted: whether every edge counts as 1.
    overwrite: whether csgraph, where it is a C-ordered array of float64, may hold the answer.
    dtype: of the distances: float64, which is the default, float32; or int64, int32 or uint16, which
        need integral weights, and distances below 2^53, 2^30 or 65535. no_path(dtype) is what it has for pairs
        without a path.
    out: an array of N x N for the distances, which may be mapped from a file; its type is `dtype`.
    scale: weights that are integers give exact distances, or an ApspError if these are beyond 2^53;
        so do others that some power of two makes integers of 32 bits, as long as distances fit,
        too. Otherwise a distance is the least sum along a path, rounded from left to right in
        float64; or weights are multiplied by this integer, which must make them integers, and the
        distances divided by it again.
    grid: real weights may be rounded to multiples of a power of two, for which sums are exact, and
        engines as fast as for integers: a number, above which the power is not; "auto", which takes
        weights that are on such a grid by it, and rounds those of a sparse graph for measures of
        many rows to 2^-52 of the largest distances; or "off" (docs/real.md).
    weight: the attribute that has the weight, of a graph of a package. Of NetworkX and of
        rustworkx, single edges without it count as 1. If it is not given it is "weight", and
        edges without any attribute that is a number all count as 1; None says so of all edges. An
        attribute that no edge has is a ValueError.
    engine: how to solve, one of engines(); by default what is predicted to be the fastest.
    threads: 0 for as many as there are cores.
    device: number of the GPU, for engines that use one; or a list of numbers, or "all", of those
        that solve together if the engine can.
    check: whether to prove the distances; if they were wrong, ApspError would say why.
    progress: a function that is called in this thread with the amount of work that is done and that
        of all, from time to time.

    Returns the N x N distances as float64, infinity if there is no path; and, if asked for,
    the N x N predecessors as int32: entry (i, j) is the vertex before j on a shortest path
    from i, -9999 if there is none and for i = j.

    Raises NegativeCycleError if a vertex whose distances are wanted reaches a negative cycle;
    ValueError for a graph that cannot be taken as it is; MemoryError; ApspError if an engine
    refuses the graph or there is no GPU. Ctrl-C, and whatever else a
    signal handler or `progress` raises, ends the work within some tenths of a second.
    """
    if overwrite and out is None and _can_hold_distances(csgraph):
        out = csgraph
    return _distances(csgraph, directed, None, return_predecessors, unweighted, math.inf, dtype,
                      out, how)


def dijkstra(csgraph: Any, directed: bool = True, indices: Any = None,
             return_predecessors: bool = False, unweighted: bool = False, limit: float = math.inf,
             min_only: bool = False, *, dtype: Any = None, out: Any = None,
             **how: Unpack[HowArguments]) -> Any:
    """The lengths of shortest paths, as scipy.sparse.csgraph.dijkstra computes them. Negative edges
    are taken for what they are.

    limit: pairs that are farther apart count as pairs without a path; for weights of 0 or more.
    min_only: whether to return, for each vertex, the distance from the nearest of the indices; with
        predecessors, (distances, predecessors, sources), N of each: sources says which of the
        indices it is, -9999 if there is no path. Of several that are as near, it is one of them.
    The other arguments are those of shortest_path.

    >>> import apsp
    >>> path = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> apsp.dijkstra(path, indices=0, limit=2)
    array([ 0.,  1.,  2., inf])
    >>> apsp.dijkstra(path, directed=False, indices=[0, 3], min_only=True)
    array([0., 1., 1., 0.])
    """
    solve = _nearest if min_only else _distances
    return solve(csgraph, directed, indices, return_predecessors, unweighted, limit, dtype, out,
                 how)


def johnson(csgraph: Any, directed: bool = True, indices: Any = None,
            return_predecessors: bool = False, unweighted: bool = False, *, dtype: Any = None,
            out: Any = None, **how: Unpack[HowArguments]) -> Any:
    """The lengths of shortest paths, as scipy.sparse.csgraph.johnson computes them: shortest_path
    without a method.

    >>> import apsp
    >>> apsp.johnson([[0, 1, 2], [0, 0, 0], [0, -3, 0]])
    array([[ 0., -1.,  2.],
           [inf,  0., inf],
           [inf, -3.,  0.]])
    """
    return _distances(csgraph, directed, indices, return_predecessors, unweighted, math.inf, dtype,
                      out, how)


def bellman_ford(csgraph: Any, directed: bool = True, indices: Any = None,
                 return_predecessors: bool = False, unweighted: bool = False, *, dtype: Any = None,
                 out: Any = None, **how: Unpack[HowArguments]) -> Any:
    """The lengths of shortest paths, as scipy.sparse.csgraph.bellman_ford computes them; the same
    as johnson."""
    return _distances(csgraph, directed, indices, return_predecessors, unweighted, math.inf, dtype,
                      out, how)


def _size_of(csgraph: Any) -> int:
    """The number of vertices of a graph of one of SciPy's kinds, whose arrays are checked."""
    from scipy import sparse
    if sparse.issparse(csgraph):
        csgraph.tocsr().check_format(full_check=True)
    shape = csgraph.shape if sparse.issparse(csgraph) else numpy.shape(csgraph)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError("expected a square matrix, found one of shape %s" % (shape,))
    return shape[0]


def _trees_of(predecessors: Any, shape: Tuple[int, ...]) -> numpy.ndarray:
    """Predecessors that are checked to be trees, as SciPy needs them without checking."""
    given, n = numpy.asarray(predecessors), shape[-1]
    found = vertices_of("predecessors", given)
    if found is None or given.shape != shape:
        raise ValueError("predecessors: expected integers of shape %s, found %s of shape %s"
                         % (shape, given.dtype, given.shape))
    if found.size > 0 and found.max() >= n:
        raise ValueError("predecessors: expected vertices 0 .. %d, or less than 0 for none, found %d"
                         % (n - 1, found.max()))
    found = numpy.where(found < 0, NO_PREDECESSOR, found).astype(numpy.int32)
    rows = found.reshape(-1, n)
    for some in parts(*rows.shape) if n > 0 else ():
        before = rows[some]
        root = numpy.where(before < 0, numpy.arange(n, dtype=numpy.int32), before)
        for _ in range(n.bit_length()):  # each round doubles the length of the jumps to the root
            root = numpy.take_along_axis(root, root, axis=1)
        wrong = numpy.take_along_axis(before, root, axis=1) >= 0
        if wrong.any():
            raise ValueError("predecessors: expected a tree, found a cycle before vertex %d"
                             % numpy.argwhere(wrong)[0][1])
    return found


def reconstruct_path(csgraph: Any, predecessors: Any, directed: bool = True) -> Any:
    """scipy.sparse.csgraph.reconstruct_path: the tree of one row of predecessors, as a sparse
    matrix. Needs SciPy, and its kinds of graphs. ValueError if the row is no tree."""
    from scipy.sparse import csgraph as theirs
    return theirs.reconstruct_path(csgraph, _trees_of(predecessors, (_size_of(csgraph),)), directed)


def construct_dist_matrix(graph: Any, predecessors: Any, directed: bool = True,
                          null_value: float = math.inf) -> Any:
    """scipy.sparse.csgraph.construct_dist_matrix: the lengths of the paths of a matrix of
    predecessors. Needs SciPy, and its kinds of graphs. ValueError if a row is no tree."""
    from scipy.sparse import csgraph as theirs
    n = _size_of(graph)
    trees = _trees_of(predecessors, (n, n))
    if getattr(predecessors, "dtype", None) != trees.dtype:
        raise TypeError("predecessors: expected an array of int32, found %s"
                        % getattr(predecessors, "dtype", type(predecessors).__name__))
    return theirs.construct_dist_matrix(graph, trees, directed, null_value)


def _can_hold_distances(csgraph: Any) -> bool:
    return (type(csgraph) is numpy.ndarray and csgraph.dtype == numpy.float64
            and csgraph.flags.c_contiguous and csgraph.flags.writeable)
