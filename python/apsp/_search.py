# SPDX-License-Identifier: MIT
"""Few rows, searched for straight in the arrays of a matrix: what takes less time than to make a
graph of it, and to choose an engine."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, Optional, Tuple

import numpy

from apsp import _library
from apsp._errors import Watch
from apsp._numbers import NO_PREDECESSOR, indices_of

_FLOAT64, _INT32, _INT64 = (numpy.dtype(kind) for kind in ("f8", "i4", "i8"))
_EXACT_IN_FLOAT = 2**53

# The library searches for at most _ROWS_MOST rows; in a graph of at most _FEW_VERTICES vertices, for any
# number of rows.
_ROWS_MOST, _FEW_VERTICES = 64, 32
# Searches with at most this number of vertices and edges in all end too soon to be worth stopping.
_STEPS_UNWATCHED = 2**21
_SIZE = ctypes.sizeof(_library.Search)

_search_rows = _library.LIB.apsp_search_rows

_Arrays = Tuple[Any, Any, Any]


def _in_sparse(graph: Any) -> Optional[_Arrays]:
    first, heads = graph.indptr, graph.indices
    if (first.dtype != heads.dtype or (first.dtype != _INT32 and first.dtype != _INT64)
            or len(first) != graph.shape[0] + 1
            or not (first.flags.c_contiguous and heads.flags.c_contiguous)):
        return None
    return first, heads, graph.data


def _in_array(graph: numpy.ndarray) -> Optional[_Arrays]:
    if graph.dtype.kind not in "iufb":
        return None
    edges = numpy.isfinite(graph)
    edges &= graph != 0
    first = numpy.zeros(len(graph) + 1, _INT64)
    numpy.cumsum(edges.sum(axis=1), out=first[1:])
    return first, numpy.ascontiguousarray(edges.nonzero()[1], _INT64), graph[edges]


def _arrays_of(graph: Any) -> Optional[_Arrays]:
    """Returns where the edges of each row begin, their heads and weights; None if the graph has no
    such arrays, or if making them takes longer than one search."""
    shape = getattr(graph, "shape", ())
    if type(shape) is not tuple or len(shape) != 2 or not 0 < shape[0] == shape[1] < 2**31:
        return None
    if type(graph) is numpy.ndarray:
        return _in_array(graph) if shape[0] <= _FEW_VERTICES else None
    sparse = sys.modules.get("scipy.sparse")  # a caller with a sparse matrix has imported scipy.sparse
    if sparse is not None and sparse.issparse(graph) and graph.format == "csr":
        return _in_sparse(graph)
    return None


def _weights_of(data: numpy.ndarray, n: int) -> Optional[numpy.ndarray]:
    """Weights as float64; None if sums of integers among them might not be exact, or if their type does
    not fit."""
    kind = data.dtype
    if kind == _FLOAT64:
        return numpy.ascontiguousarray(data)
    if kind.kind == "b" or (kind.kind == "f" and kind.itemsize < 8):
        return data.astype(_FLOAT64)
    if kind.kind not in "iu":
        return None
    if (kind.itemsize == 8 or n > 2**21) and len(data) > 0 and (
            int(data.max()) * n >= _EXACT_IN_FLOAT):
        return None
    return data.astype(_FLOAT64)


def _are_plain(threads: Any, limit: Any) -> bool:
    """Returns whether both numbers can go to the library as they are; all others need a closer look."""
    if type(threads) is not int or type(limit) not in (int, float):
        return False
    return 0 <= threads < 2**31 and limit >= 0 and (
        type(limit) is float or limit < _EXACT_IN_FLOAT)


def search(csgraph: Any, directed: bool, indices: Any, predecessors: bool, unweighted: bool,
           limit: Any, together: bool, how: Any) -> Optional[Tuple[numpy.ndarray, ...]]:
    """Returns rows of distances in float64, by the arguments of dijkstra, and of predecessors, if they are
    asked for; together: one row from the nearest of the indices and, with predecessors, which of
    them that is. None if it is not worth that or if, whatever is wrong, the graph has to be made to
    say so."""
    threads = how.get("threads", 0)
    arrays = _arrays_of(csgraph)
    if arrays is None or not how.keys() <= {"threads"} or not _are_plain(threads, limit):
        return None
    first, heads, weights = arrays
    n, sources = len(first) - 1, None
    if indices is None:
        rows, shape = n, (n, n)
    else:
        asked = indices_of(indices, n)
        rows, shape = asked.size, (n,) if together else (*asked.shape, n)
        sources = numpy.ascontiguousarray(asked, _INT32)
    if rows == 0 or (rows > _ROWS_MOST and not together):
        return None
    count = min(len(heads), len(weights))
    weights = None if unweighted else _weights_of(weights, n)
    if weights is None and not unweighted:
        return None
    dist = numpy.empty(shape)
    answer = [dist]
    if predecessors:
        answer += [numpy.empty(shape, _INT32) for _ in range(2 if together else 1)]
    request = _library.Search(
        _SIZE, n, first.dtype == _INT64, count, first.ctypes.data, heads.ctypes.data,
        None if weights is None else weights.ctypes.data, not directed, together,
        None if sources is None else sources.ctypes.data, rows, threads,
        -1.0 if limit == math.inf else limit, dist.ctypes.data,
        *[row.ctypes.data for row in answer[1:]])
    request.no_predecessor = NO_PREDECESSOR
    searched = ctypes.c_int()
    if (n + count) * (1 if together else rows) > _STEPS_UNWATCHED:
        watch = Watch()
        request.progress = watch.callback
        _search_rows(request, searched, None)
        watch.check()
    else:
        _search_rows(request, searched, None)
    return tuple(answer) if searched.value else None
