# SPDX-License-Identifier: MIT
"""Further numbers of edges, which add up along shortest paths."""

from __future__ import annotations

import itertools
import sys
from typing import Any, Dict, List

import numpy

from apsp._graphs import Found, real
from apsp._named import Graph

MOST = 16  # most columns that the library takes


def columns_of(graph: Any, found: Found, along: Any, weight: Any, unweighted: bool
               ) -> Dict[Any, numpy.ndarray]:
    """Returns the columns that solve() calls along, as arrays of float64 by name, in the order of
    the edges that were found. A single one has the name None."""
    if isinstance(along, dict):
        named = dict(along)
    elif isinstance(along, (list, tuple)) and along and all(isinstance(name, str) for name in along):
        named = {name: name for name in along}
    else:
        named = {None: along}
    if not 0 < len(named) <= MOST:
        raise ValueError("along: expected 1 .. %d columns, found %d" % (MOST, len(named)))
    attributes = [name for name in named.values() if isinstance(name, str)]
    values = dict(zip(attributes, _attributes(graph, found, attributes, weight, unweighted)
                      if attributes else ()))
    return {name: _checked(values[given] if isinstance(given, str) else _at_edges(graph, found, given),
                           found)
            for name, given in named.items()}


def _checked(values: Any, found: Found) -> numpy.ndarray:
    array = real(numpy.asarray(values))
    if array.ndim != 1 or len(array) != len(found.heads):
        raise ValueError("along: expected a number for each of %d edges, found an array of shape %s; "
                         "edges of infinite weight are none, and must be left out"
                         % (len(found.heads), array.shape))
    array = array.astype(numpy.float64)
    if not numpy.isfinite(array).all():
        raise ValueError("along: expected finite numbers, found %r"
                         % float(array[~numpy.isfinite(array)][0]))
    return array


def _at_edges(graph: Any, found: Found, given: Any) -> Any:
    """Numbers of the edges that the caller gave as a matrix, of which the entries at edges count,
    or as one number for each edge."""
    sparse = sys.modules.get("scipy.sparse")
    is_sparse = sparse is not None and sparse.issparse(given)
    if not is_sparse:
        given = numpy.asarray(given)
    if given.ndim == 2:
        if given.shape != (found.n, found.n):
            raise ValueError("along: expected a matrix of %d rows and columns, found one of shape %s"
                             % (found.n, given.shape))
        tails, heads = found.all_tails(), found.heads
        if len(heads) == 0:
            return numpy.empty(0)
        return numpy.asarray(given.tocsr()[tails, heads]).ravel() if is_sparse else given[tails, heads]
    if not isinstance(graph, Graph) and not (sparse is not None and sparse.issparse(graph)):
        raise ValueError("along: expected a matrix, or the name of an attribute of the edges of a graph "
                         "of NetworkX, igraph or rustworkx, found an array of shape %s; one number for "
                         "each edge is for sparse matrices and apsp.Graph" % (given.shape,))
    return given


def _attributes(graph: Any, found: Found, names: List[str], weight: Any, unweighted: bool
                ) -> List[List[Any]]:
    """Attributes of the edges of a graph of another package."""
    packages = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
    if "networkx" in packages:
        rows = _of_networkx(graph, names, weight, unweighted)
    elif "igraph" in packages:
        for name in names:
            if name not in graph.es.attributes():
                raise _missing(name)
        rows = list(zip(*(graph.es[name] for name in names)))
    elif "rustworkx" in packages:
        rows = [_numbers(its if isinstance(its, dict) else {}, names)
                for _, _, its in graph.weighted_edge_list()]
    else:
        raise ValueError("along: expected numbers of the edges: only a graph of NetworkX, igraph or "
                         "rustworkx has attributes with names, such as %r" % names[0])
    return [list(column) for column in zip(*rows)] if rows else [[] for _ in names]


def _missing(name: str) -> ValueError:
    return ValueError("along: expected an attribute %r of every edge, found edges without it" % name)


def _numbers(its: Any, names: List[str]) -> tuple:
    for name in names:
        if its.get(name) is None:
            raise _missing(name)
    return tuple(its[name] for name in names)


def _of_networkx(graph: Any, names: List[str], weight: Any, unweighted: bool) -> List[tuple]:
    """Returns the numbers of a NetworkX graph's edges, in the order of the adjacency. Of parallel
    edges the lightest counts; of several that are equally light, the one with the least numbers."""
    edges = itertools.chain.from_iterable(near.values() for _, near in graph.adjacency())
    if not graph.is_multigraph():
        return [_numbers(its, names) for its in edges]
    return [min((1 if unweighted or weight is None else its.get(weight, 1), *_numbers(its, names))
                for its in parallel.values())[1:] for parallel in edges]


def matched(columns: numpy.ndarray, n: int, undirected: bool, ends: Any, shown: Any) -> numpy.ndarray:
    """Columns, an array with a row for each, in the order of the library's edges. ends: tails,
    heads and weights of the edges that the library was given; shown: tails and heads of the edges
    that it has. Of parallel edges the lightest counts; of several that are equally light, the one
    with the least numbers."""
    tails, heads, weights = ends
    keys = tails.astype(numpy.int64) * n + heads
    if undirected:
        keys = numpy.concatenate([keys, heads.astype(numpy.int64) * n + tails])
        weights, columns = numpy.tile(weights, 2), numpy.tile(columns, (1, 2))
    order = numpy.lexsort((*columns[::-1], weights, keys))
    sorted_keys = keys[order]
    wanted = shown[0].astype(numpy.int64) * n + shown[1]
    return numpy.ascontiguousarray(columns[:, order[numpy.searchsorted(sorted_keys, wanted)]])
