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
from apsp._errors import ApspError, Watch, raise_on_failure
from apsp._graphs import edges_in
from apsp._problem import How, Problem, parts

_lib = _library.LIB


def _save(path: str, rows: numpy.ndarray, of: Any) -> None:
    """Writes rows as int32, a few at a time."""
    file = numpy.lib.format.open_memmap(path, mode="w+", dtype=numpy.int32, shape=rows.shape)
    for some in parts(*rows.shape):
        file[some] = of(rows[some], some.start)
    file.flush()


def verify(csgraph: Any, distances: Any, predecessors: Any = None, *, sources: Any = None,
           directed: bool = True, unweighted: bool = False, scale: Any = None,
           weight: Any = "weight", threads: int = 0) -> None:
    """Proves that distances are those of the shortest paths, whoever has computed them, and that
    predecessors lead along such paths.

    distances: a row for each of the sources, infinity if there is no path.
    predecessors: those of the same rows, or None; below 0 if there is none.
    sources: the vertices of the rows; None for all.
    The other arguments are those of floyd_warshall.

    Returns if all is right. Raises ApspError, which names an entry that is wrong, and else what
    floyd_warshall raises. The rows are written to a temporary directory, as int32.

    >>> import apsp
    >>> graph = [[0, 5, 9], [0, 0, 1], [0, 0, 0]]
    >>> apsp.verify(graph, apsp.shortest_path(graph))
    >>> apsp.verify(graph, [[0, 5, 6.5]], sources=[0])
    Traceback (most recent call last):
    apsp.ApspError: from 0 to 2, 6.5 is not the length of a path
    """
    problem = Problem(edges_in(csgraph, weight, unweighted), sources, math.inf, directed,
                      unweighted, How(scale=scale, weight=weight, threads=threads), real=False)
    shape, divisor = (problem.count, problem.n), problem.divisor
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

    def source_of(row: int) -> int:
        return row if problem.sources is None else problem.sources[row]

    def cells_of(some: numpy.ndarray, first: int) -> numpy.ndarray:
        none = some == numpy.inf
        cells = numpy.rint(numpy.where(none, 0, some) * divisor)
        wrong = ~none & ~((cells / divisor == some) & (numpy.abs(cells) < _library.INF))
        if wrong.any():
            r, v = numpy.argwhere(wrong)[0]
            raise ApspError("from %d to %d, %r is not the length of a path"
                            % (source_of(first + r), v, some[r, v].item()), _library.REFUTED)
        return numpy.where(none, _library.INF, cells)

    def predecessors_of(some: numpy.ndarray, first: int) -> numpy.ndarray:
        wrong = ~((some < problem.n) & (numpy.rint(some) == some))
        if wrong.any():
            r, v = numpy.argwhere(wrong)[0]
            raise ApspError("from %d to %d, the predecessor is %r, which is not a vertex"
                            % (source_of(first + r), v, some[r, v].item()), _library.REFUTED)
        return numpy.where(some < 0, -1, some)

    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "rows")
        content: Dict[str, Any] = {"vertices": problem.n, "infinity": _library.INF,
                                   "predecessors": predecessors is not None}
        _save(prefix + ".dist.npy", given["dist"], cells_of)
        if predecessors is not None:
            _save(prefix + ".pred.npy", given["pred"], predecessors_of)
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
        raise_on_failure(_lib.apsp_result_read(result, prefix.encode(), error), error)
        options = _library.new(_library.Options, threads=threads, progress=watch.callback)
        status = _lib.apsp_verify(graph, result, options, None, error)
        watch.check()
        if status == _library.REFUTED:
            times = "" if problem.divisor == 1 else " (weights times %g)" % problem.divisor
            raise ApspError(error.text.decode("utf-8", "replace") + times, status)
        raise_on_failure(status, error)
    finally:
        _lib.apsp_result_free(result)
        _lib.apsp_graph_free(graph)
