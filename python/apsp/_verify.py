# SPDX-License-Identifier: MIT
"""The proof of distances that somebody else has computed."""

from __future__ import annotations

import json
import math
import os
import tempfile
import zlib
from typing import Any, Dict

import numpy

from apsp import _library
from apsp._errors import ApspError, Watch, raise_on_failure, text_of
from apsp._graphs import WEIGHT, edges_in
from apsp._numbers import COMPUTED, EXACT, FLOAT32, FLOAT64, INT32, Computed
from apsp._problem import How, Problem, parts

_lib = _library.LIB


def _save(path: str, rows: numpy.ndarray, dtype: numpy.dtype, of: Any) -> None:
    """Writes rows, a few at a time."""
    file = numpy.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=rows.shape)
    for some in parts(*rows.shape):
        file[some] = of(rows[some], some.start)
    file.flush()


def _is_beyond(distances: numpy.ndarray, limit: float) -> bool:
    """Returns whether the magnitude of a finite distance is `limit` or more."""
    return any(bool(((numpy.abs(distances[some]) >= limit)
                     & (numpy.abs(distances[some]) < numpy.inf)).any())
               for some in parts(*distances.shape))


def verify(csgraph: Any, distances: Any, predecessors: Any = None, *, sources: Any = None,
           directed: bool = True, unweighted: bool = False, scale: Any = None,
           weight: Any = WEIGHT, threads: int = 0) -> None:
    """Proves that distances are those of the shortest paths, whoever has computed them, and that
    predecessors lead along such paths.

    distances: a row for each of the sources, infinity if there is no path. They must be exact: by
        integral weights, below 2^53, the integers that they are; by others the least sums, rounded
        from left to right in float64 or, if their type is float32, with the weights in float32.
    predecessors: those of the same rows, or None; below 0 if there is none.
    sources: the vertices of the rows; None for all.
    The other arguments are those of floyd_warshall.

    Returns if all is right. Raises ApspError, which names an entry that is wrong, and else what
    floyd_warshall raises. The rows are written to a temporary directory.

    >>> import apsp
    >>> graph = [[0, 5, 9], [0, 0, 1], [0, 0, 0]]
    >>> apsp.verify(graph, apsp.shortest_path(graph))
    >>> apsp.verify(graph, [[0, 5, 6.5]], sources=[0])
    Traceback (most recent call last):
    apsp.ApspError: from 0 to 2, 6.5 is not the length of a path
    """
    found, how = edges_in(csgraph, weight, unweighted), How(
        scale=scale, weight=weight, threads=threads)

    def problem_in(*types: Computed) -> Problem:
        return Problem(found, sources, math.inf, directed, unweighted, how, types)

    problem = problem_in(*COMPUTED)
    shape = problem.count, problem.n
    given = {"dist": numpy.asarray(distances)}
    if predecessors is not None:
        given["pred"] = numpy.asarray(predecessors)
    for name, rows in given.items():
        if rows.shape != shape or rows.dtype.kind not in "iuf":
            raise ValueError("expected %s that are %d x %d numbers, found %s of type %s"
                             % ("distances" if name == "dist" else "predecessors", *shape,
                                " x ".join(map(str, rows.shape)), rows.dtype))
    if problem.n == 0:
        return
    if problem.computed is INT32 and _is_beyond(given["dist"], _library.INF / problem.divisor):
        problem = problem_in(FLOAT64)
    elif given["dist"].dtype == numpy.float32 and scale is None and not (
            problem.is_integral and problem.divisor == 1):
        problem = problem_in(FLOAT32)
    if problem.may_be_inexact and _is_beyond(given["dist"], EXACT / problem.divisor):
        raise ValueError("expected distances below 2^53, up to which float64 has all integers")
    computed, divisor = problem.computed, problem.divisor

    def source_of(row: int) -> int:
        return row if problem.sources is None else problem.sources[row]

    def cells_of(some: numpy.ndarray, first: int) -> numpy.ndarray:
        none = some == numpy.inf
        cells = numpy.where(none, 0, some) * divisor
        if problem.is_integral:
            cells = numpy.rint(cells)
        wrong = ~none & ~((cells / divisor == some) & (numpy.abs(cells) < computed.infinity))
        if wrong.any():
            r, v = numpy.argwhere(wrong)[0]
            raise ApspError("from %d to %d, %r is not the length of a path"
                            % (source_of(first + r), v, some[r, v].item()), _library.REFUTED)
        return numpy.where(none, computed.infinity, cells)

    def predecessors_of(some: numpy.ndarray, first: int) -> numpy.ndarray:
        wrong = ~((some < problem.n) & (numpy.rint(some) == some))
        if wrong.any():
            r, v = numpy.argwhere(wrong)[0]
            raise ApspError("from %d to %d, the predecessor is %r, which is not a vertex"
                            % (source_of(first + r), v, some[r, v].item()), _library.REFUTED)
        return numpy.where(some < 0, -1, some)

    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "rows")
        content: Dict[str, Any] = {"vertices": problem.n, "predecessors": predecessors is not None}
        if computed is INT32:
            content["infinity"] = _library.INF
        else:
            content["type"] = computed.dtype.name
        _save(prefix + ".dist.npy", given["dist"], computed.dtype, cells_of)
        if predecessors is not None:
            _save(prefix + ".pred.npy", given["pred"], numpy.dtype(numpy.int32), predecessors_of)
        if problem.sources is not None:
            numpy.save(prefix + ".sources.npy", problem.sources)
            with open(prefix + ".sources.npy", "rb") as written:
                content["sources_checksum"] = "%08x" % zlib.crc32(written.read())
            content["sources"] = problem.count
        with open(prefix + ".json", "w", encoding="ascii") as file:
            json.dump(content, file)
        _prove(problem, prefix, threads)


def _prove(problem: Problem, prefix: str, threads: int) -> None:
    watch, error = Watch(), _library.Error()
    graph, result = _library.Graph(), _library.Result()
    try:
        status = problem.build(graph, watch.callback, error)
        watch.check()
        raise_on_failure(status, error)
        raise_on_failure(_lib.apsp_result_read_as(result, prefix.encode(), problem.computed.code,
                                                  error), error)
        options = _library.new(_library.Options, threads=threads, progress=watch.callback)
        status = _lib.apsp_verify(graph, result, options, None, error)
        watch.check()
        if status == _library.REFUTED:
            times = "" if problem.divisor == 1 else " (weights times %g)" % problem.divisor
            raise ApspError(text_of(error) + times, status)
        raise_on_failure(status, error)
    finally:
        _lib.apsp_result_free(result)
        _lib.apsp_graph_free(graph)
