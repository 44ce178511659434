# SPDX-License-Identifier: MIT
"""Exact all-pairs shortest paths, with SciPy's conventions, by libapsp.

    >>> import numpy, apsp
    >>> apsp.floyd_warshall(numpy.array([[0, 5, 9], [0, 0, 1], [0, 0, 0]]))
    array([[ 0.,  5.,  6.],
           [inf,  0.,  1.],
           [inf, inf,  0.]])

Needs NumPy and the shared library libapsp; SciPy only for sparse graphs.
"""

import ctypes
import sys

import numpy

from apsp import _library

try:
    from scipy.sparse.csgraph import NegativeCycleError as _Base
except ImportError:
    _Base = Exception

__all__ = ["ApspError", "NegativeCycleError", "engines", "floyd_warshall", "version"]

NO_PREDECESSOR = -9999
_INT32 = numpy.iinfo(numpy.int32)

_lib = _library.load()


class ApspError(RuntimeError):
    """What libapsp could not do, in its own words; `status` is its status code."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status

    def __reduce__(self):  # with the arguments of this class, as pickle and copy need
        return type(self), (str(self), self.status), self.__dict__


class NegativeCycleError(_Base):
    """There are no shortest paths. `cycle` is a list of vertices, each with an edge to the
    next and the last with one to the first; `weight` is what its edges weigh together.
    Where SciPy is installed, this is a scipy.sparse.csgraph.NegativeCycleError too."""

    def __init__(self, message="", cycle=(), weight=0):
        super().__init__(message)
        self.cycle, self.weight = list(cycle), weight

    def __reduce__(self):
        return type(self), (str(self), self.cycle, self.weight), self.__dict__


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

    Returns the N x N distances as float64, infinity where there is no path; and, if asked for,
    the N x N predecessors as int32: entry (i, j) is the vertex before j on a shortest path
    from i, -9999 where there is none and for i = j.

    Raises NegativeCycleError; ValueError for a graph that cannot be taken as it is; MemoryError;
    ApspError where an engine refuses the graph or there is no GPU. Ctrl-C, and whatever else a
    signal handler raises, ends the work within some tenths of a second.
    """
    n, tails, heads, weights = _edges_of(csgraph)
    divisor = 1
    if unweighted:
        weights = numpy.ones(len(weights), dtype=numpy.int32)
    else:
        weights, divisor = _integers(weights, scale)
    out = csgraph if overwrite and _can_hold_distances(csgraph) else None
    if n == 0:
        dist = numpy.zeros((0, 0)) if out is None else out
        return (dist, numpy.zeros((0, 0), dtype=numpy.int32)) if return_predecessors else dist

    watch = _Watch()
    reading = _library.Reading(size=ctypes.sizeof(_library.Reading), undirected=not directed,
                               progress=watch.callback)
    options = _library.Options(size=ctypes.sizeof(_library.Options), threads=threads,
                               device=device, distances_only=not return_predecessors,
                               engine=None if engine is None else engine.encode(),
                               progress=watch.callback)
    graph, result, error = _library.Graph(), _library.Result(), _library.Error()
    try:
        status = _lib.apsp_graph_from_edges(graph, n, len(tails), tails.ctypes.data,
                                            heads.ctypes.data, weights.ctypes.data, reading, error)
        watch.check()
        _check(status, error)
        _check(_lib.apsp_memory_check(n, _result_bytes(n, return_predecessors, out), error), error)
        status = _lib.apsp_solve(graph, options, result, error)
        watch.check()
        if status == _library.NEGATIVE_CYCLE:
            raise _negative_cycle(graph, n, divisor, error)
        _check(status, error)
        dist = _distances(result, n, divisor, out)
        if not return_predecessors:
            return dist
        return dist, _predecessors(result, n)
    finally:
        _lib.apsp_result_free(result)
        _lib.apsp_graph_free(graph)


class _Watch:
    """Lets Python handle signals while the library works: `callback` is called in the thread that
    waits, and running Python code there is all it takes. What a handler raises cannot pass through
    the library: the callback keeps it and has the work stopped, check() raises it."""

    def __init__(self):
        self.raised = None
        ears = self._listen()
        next(ears)
        self.callback = _library.Progress(ears.send)

    def _listen(self):
        # A generator and not a function: handlers run when a function is entered, before the first
        # line of it could catch anything; this is entered where it was left, within `try`.
        try:
            while True:
                yield 1
        except GeneratorExit:
            raise
        except BaseException as raised:
            self.raised = raised
        yield 0

    def check(self):
        if self.raised is not None:
            raise self.raised


# From SciPy's conventions to edges.

def _edges_of(csgraph):
    """(n, tails, heads, weights) of what SciPy takes for edges."""
    sparse = sys.modules.get("scipy.sparse")  # who has a sparse matrix has imported it
    if sparse is not None and sparse.issparse(csgraph):
        # Through CSR, as SciPy does: it adds up what COO has several times.
        stored = csgraph.tocsr().tocoo()
        shape, tails, heads, weights = stored.shape, stored.row, stored.col, stored.data
        _check_shape(shape)
        weights = _real(weights)
        if numpy.isnan(weights).any():
            raise ValueError("expected weights, found NaN stored in the sparse matrix")
        chosen = numpy.flatnonzero(weights != numpy.inf)
    else:
        mask = numpy.ma.getmaskarray(csgraph) if numpy.ma.isMaskedArray(csgraph) else None
        weights = _real(numpy.asarray(csgraph))
        _check_shape(weights.shape)
        edges = (weights != 0) & ~numpy.isnan(weights) & (weights != numpy.inf)
        if mask is None:
            edges &= weights != -numpy.inf
        else:
            edges &= ~mask
        # Of an edge: its ends as they are found and as they are passed on, and weights.
        error = _library.Error()
        _check(_lib.apsp_memory_check(len(edges), 48 * int(numpy.count_nonzero(edges)), error),
               error)
        tails, heads = numpy.nonzero(edges)
        return (len(edges), tails.astype(numpy.int32), heads.astype(numpy.int32), weights[edges])
    return (shape[0], tails[chosen].astype(numpy.int32), heads[chosen].astype(numpy.int32),
            weights[chosen])


def _check_shape(shape):
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError("expected a square matrix, found one of shape %s" % (tuple(shape),))


def _real(weights):
    """The weights as numbers that can be compared with infinity and NaN."""
    if weights.dtype.kind in "iub":
        return weights
    if weights.dtype.kind == "c":
        raise ValueError("expected real weights, found complex ones")
    return weights.astype(numpy.float64, copy=False)


def _integers(weights, scale):
    """Weights times the scale as int32, and the scale."""
    if scale is not None and (int(scale) != scale or not 1 <= scale <= 10**9):
        raise ValueError("scale: expected an integer in 1 .. 10^9, found %r" % (scale,))
    factor = 1 if scale is None else int(scale)
    times = "" if scale is None else " times %d" % factor
    if len(weights) == 0:
        return numpy.empty(0, dtype=numpy.int32), factor
    lowest, highest = weights.min() * float(factor), weights.max() * float(factor)
    if lowest < _INT32.min or highest > _INT32.max:
        raise ValueError("expected weights%s in %d .. %d, found %g .. %g"
                         % (times, _INT32.min, _INT32.max, lowest, highest))
    if weights.dtype.kind != "f":
        return numpy.ascontiguousarray(weights.astype(numpy.int64) * factor, numpy.int32), factor
    whole = numpy.rint(weights * factor)
    wrong = numpy.flatnonzero(whole / factor != weights)  # as near as float64 comes to it
    if len(wrong) > 0:
        raise ValueError("expected integral weights%s, found %r; scale=K multiplies them by K "
                         "first, which must make them integers" % (times, float(weights[wrong[0]])))
    return numpy.ascontiguousarray(whole, numpy.int32), factor


# From the library's matrices to SciPy's conventions.

def _rows(cells, leading, n):
    """A view of the library's matrix."""
    return numpy.ctypeslib.as_array(cells, shape=(n, leading.value))[:, :n]


def _some_rows(n):
    """Slices of 0 .. n-1; signals are handled between them."""
    step = max(1, 2**22 // n)
    return (slice(first, first + step) for first in range(0, n, step))


def _can_hold_distances(csgraph):
    return (type(csgraph) is numpy.ndarray and csgraph.dtype == numpy.float64
            and csgraph.flags.c_contiguous and csgraph.flags.writeable)


def _result_bytes(n, predecessors, out):
    """What is held for the answer: the library's matrices, SciPy's of float64 and int32, and a
    mask of bytes for either."""
    library = 4 * n * -(-n // 16) * 16
    distances = library + (0 if out is not None else 8 * n * n)
    return distances + (library + 4 * n * n if predecessors else 0) + n * n


def _distances(result, n, divisor, out):
    leading = ctypes.c_size_t()
    cells = _rows(_lib.apsp_result_distances(result, leading), leading, n)
    dist = numpy.empty((n, n)) if out is None else out
    for rows in _some_rows(n):
        dist[rows] = cells[rows]
        if divisor > 1:
            dist[rows] /= divisor
        dist[rows][cells[rows] == _library.INF] = numpy.inf
    return dist


def _predecessors(result, n):
    leading = ctypes.c_size_t()
    cells = _rows(_lib.apsp_result_predecessors(result, leading), leading, n)
    pred = numpy.empty((n, n), dtype=numpy.int32)
    for rows in _some_rows(n):
        pred[rows] = numpy.where(cells[rows] < 0, numpy.int32(NO_PREDECESSOR), cells[rows])
    return pred


def _check(status, error):
    if status == _library.OK:
        return
    text = error.text.decode("utf-8", "replace")
    if status == _library.NO_RESOURCE and "GPU" not in text:
        raise MemoryError(text)
    if status == _library.BAD_INPUT and text.startswith(("engine:", "variant:", "threads:",
                                                         "device:")):
        raise ValueError(text)
    raise ApspError(text, status)


def _negative_cycle(graph, n, divisor, error):
    text = error.text.decode("utf-8", "replace")
    vertices, length, weight = (ctypes.c_int32 * n)(), ctypes.c_int32(), ctypes.c_int64()
    status = _lib.apsp_graph_negative_cycle(graph, vertices, length, weight, error)
    if status != _library.NEGATIVE_CYCLE:
        _check(status, error)
    if divisor > 1:
        text += " (weights times %d)" % divisor
    return NegativeCycleError(text, vertices[:length.value], weight.value / divisor)
