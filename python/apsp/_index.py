# SPDX-License-Identifier: MIT
"""Distance indices: any distance of a graph in about a microsecond."""

from __future__ import annotations

import ctypes
import math
import os
from ctypes import POINTER, c_double, c_int, c_int32, c_int64, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Iterator, NoReturn, Optional, Sequence, Union

import numpy

from apsp import _library
from apsp._errors import Watch, negative_cycle, raise_on_failure
from apsp._graphs import WEIGHT, edges_in, without_zones
from apsp._numbers import FLOAT64, INT32, Computed, int32_of, scale_of, vertices_of, whole_number
from apsp._problem import How, Problem
from apsp._shown import shown

_lib, _Error = _library.LIB, _library.Error
_FUNCTIONS = {
    "apsp_index_build_on_grid": (c_int, [POINTER(c_void_p), c_void_p, c_uint, c_double,
                                         POINTER(_library.Options), POINTER(_Error)]),
    "apsp_index_update": (c_int, [c_void_p, c_void_p, c_uint, c_double,
                                  POINTER(_library.Options), POINTER(_Error)]),
    "apsp_index_save": (c_int, [c_void_p, ctypes.c_char_p, POINTER(_Error)]),
    "apsp_index_open": (c_int, [POINTER(c_void_p), ctypes.c_char_p, POINTER(_Error)]),
    "apsp_index_close": (None, [c_void_p]),
    "apsp_index_vertices": (c_int32, [c_void_p]),
    "apsp_index_bytes": (c_uint64, [c_void_p]),
    "apsp_index_checksum": (c_uint32, [c_void_p]),
    "apsp_index_type": (c_int, [c_void_p]),
    "apsp_index_real": (c_double, [c_void_p, c_int32, c_int32]),
    "apsp_index_grid": (c_double, [c_void_p, POINTER(c_double)]),
    "apsp_index_distances": (c_int, [c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_int,
                                     POINTER(_Error)]),
    "apsp_index_table": (c_int, [c_void_p, c_void_p, c_int32, c_void_p, c_int32, c_void_p, c_int,
                                 POINTER(_Error)]),
    "apsp_index_path": (c_int, [c_void_p, c_int32, c_int32, c_void_p, POINTER(c_int32),
                                POINTER(_Error)]),
    "apsp_index_verify": (c_int, [c_void_p, c_void_p, c_int32, POINTER(_library.Options),
                                  POINTER(_Error)]),
}
for _name, (_result, _arguments) in _FUNCTIONS.items():
    getattr(_lib, _name).restype = _result
    getattr(_lib, _name).argtypes = _arguments

_PathLike = Union[str, bytes, "os.PathLike[Any]"]

_BOTH_DIRECTIONS, _EVEN_IF_LARGER = 1, 2


def _problems(csgraph: Any, directed: bool, unweighted: bool, how: How,
              kinds: Sequence[Computed]) -> Iterator[Problem]:
    """Problems of a graph, one for each type that can represent its weights; at least one. Weights
    that become integers only by a power of two are taken as real ones if there is a choice, because
    a file keeps these unchanged."""
    none = True
    for computed in kinds:
        found = without_zones(edges_in(csgraph, how.weight, unweighted), "an index")
        if found.n == 0:
            raise ValueError("expected a graph with vertices, found none")
        try:
            problem = Problem(found, None, math.inf, directed, unweighted, how, [computed])
        except ValueError:
            if none and computed is kinds[-1]:
                raise
            continue
        is_real = how.grid > 0 or (how.scale is None and problem.divisor != 1
                                   and not problem.has_negative_weights())
        if is_real and computed is not kinds[-1]:
            continue
        none = False
        yield problem


def _path(path: _PathLike) -> bytes:
    """The name of a file for the library. ValueError for a null character, which would end it there."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("expected the name of a file, found %r with a null character" % (path,))
    return name


class Index:
    """A distance index of a graph: labels from which the distance between any two vertices follows
    in about a microsecond. Threads may ask the same index at the same time, and the GIL is released
    meanwhile. open_index() maps one that save() has written.

    csgraph, directed, unweighted, scale, weight: as for floyd_warshall(). Integers, weights that
        scale makes integers, and multiples of a power of two may be below 0; others must not.
    grid: "auto": real weights that are multiples of a power of two, 2^-52 of the largest distance or
        more, stay as they are; others are rounded to such multiples. A number: they are rounded to
        the power of two that is not above it, so that labels may need half the memory. "off":
        weights that would be rounded are refused.
    both_directions: whether to keep both, though the graph is symmetric.
    even_if_larger: whether to build it though it is larger than the matrix of all distances, or
        takes ten times the work of these.
    threads: 0 for as many as there are cores; also for queries.

    Distances are float64, infinity if there is no path, and divided by scale again.
    """

    _handle: Any = None  # None until the index is open

    def __init__(self, csgraph: Any, directed: bool = True, unweighted: bool = False, *,
                 scale: Optional[int] = None, grid: Union[str, float] = "auto",
                 weight: Any = WEIGHT, both_directions: bool = False,
                 even_if_larger: bool = False, threads: int = 0) -> None:
        self._handle, self._threads = c_void_p(), int32_of("threads", threads)
        flags = both_directions * _BOTH_DIRECTIONS + even_if_larger * _EVEN_IF_LARGER

        def build(graph: Any, edges: Problem, options: Any, error: Any) -> int:
            self._divisor = edges.divisor
            return _lib.apsp_index_build_on_grid(self._handle, graph, flags, edges.grid(), options,
                                                 error)

        self._work(build, _problems(csgraph, directed, unweighted,
                                    How(scale=scale, weight=weight, grid=grid), (INT32, FLOAT64)))

    def _work(self, call: Callable[..., int], problems: Iterator[Problem]) -> None:
        """Calls the library with each graph in turn until one is not refused as bad input."""
        failed = None
        for edges in problems:
            watch, graph, error = Watch(), _library.Graph(), _Error()
            options = _library.new(_library.Options, threads=self._threads, progress=watch.callback)
            try:
                status = edges.build(graph, watch.callback, error)
                watch.check()
                raise_on_failure(status, error)
                status = call(graph, edges, options, error)
                watch.check()
                if status == _library.NEGATIVE_CYCLE:
                    raise negative_cycle(graph, edges.n, edges.divisor, error)
                if status != _library.BAD_INPUT:
                    raise_on_failure(status, error)
                    return
                failed = failed or (status, error)
            finally:
                _lib.apsp_graph_free(graph)
        raise_on_failure(*failed)

    def update(self, csgraph: Any, directed: bool = True, unweighted: bool = False, *,
               scale: Optional[int] = None, grid: Union[str, float] = "auto",
               weight: Any = WEIGHT) -> None:
        """Gives the index other weights: those of a graph of the same edges, whose order of
        elimination it keeps. That takes a fraction of the time of a new index, which would be the
        same. Raises ApspError with the first edge that differs; the index stays as it was then. No
        other thread may use it meanwhile. If it was opened from a file, that stays as it is."""
        handle = self._open()

        def update(graph: Any, edges: Problem, options: Any, error: Any) -> int:
            status = _lib.apsp_index_update(handle, graph, _EVEN_IF_LARGER, edges.grid(), options,
                                            error)
            if status == _library.OK:
                self._divisor = edges.divisor
            return status

        self._work(update, _problems(csgraph, directed, unweighted,
                                     How(scale=scale, weight=weight, grid=grid), (INT32, FLOAT64)))

    def close(self) -> None:
        """Unmaps or frees the index, which then answers no more."""
        _lib.apsp_index_close(self._handle)
        self._handle = c_void_p()

    __del__ = close

    def __reduce__(self) -> NoReturn:  # a copy would free the same memory again
        raise TypeError("an index cannot be copied: save() it, and open_index() the file")

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._handle:
            return shown("Index", "closed")
        return shown("Index", "%d vertices" % len(self), "%d bytes" % self.nbytes,
                     "float64, of weights times %g" % self._divisor if self._divisor != 1 else "float64")

    def __len__(self) -> int:
        """How many vertices the graph has."""
        return _lib.apsp_index_vertices(self._open())

    @property
    def nbytes(self) -> int:
        """The size of its file."""
        return _lib.apsp_index_bytes(self._open())

    @property
    def grid_spacing(self) -> float:
        """The spacing of the grid to whose multiples weights were rounded, in the unit of the
        weights; 0 if they were not."""
        return _lib.apsp_index_grid(self._open(), c_double()) / self._divisor

    @property
    def grid_error(self) -> float:
        """The most by which that rounding may have changed a distance, in the unit of the
        weights."""
        error = c_double()
        _lib.apsp_index_grid(self._open(), error)
        return error.value / self._divisor

    def save(self, path: _PathLike) -> None:
        """Writes the index to a file, completely or not at all. Vertices are numbers there, from 0: names
        are kept in an index that the program makes, `apsp --index`."""
        error = _Error()
        raise_on_failure(_lib.apsp_index_save(self._open(), _path(path), error), error)

    def distance(self, source: Any, target: Any) -> float:
        """The distance from one vertex to another."""
        handle = self._open()
        n = _lib.apsp_index_vertices(handle)
        try:  # vertices that are plain integers need only this comparison
            if not (0 <= source < n and 0 <= target < n):
                raise TypeError
            found = _lib.apsp_index_real(handle, source, target)
        except (TypeError, ValueError, ctypes.ArgumentError):
            found = _lib.apsp_index_real(handle, self._vertex("source", source),
                                         self._vertex("target", target))
        return found / self._divisor

    def distances(self, pairs: Any) -> numpy.ndarray:
        """The distances of an array of pairs, of shape (count, 2), as an array of shape (count,)."""
        pairs = numpy.asarray(pairs)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError("pairs: expected an array of shape (count, 2), found %s"
                             % (pairs.shape,))
        sources, targets = self._vertices("pairs", pairs[:, 0]), self._vertices("pairs", pairs[:, 1])
        found, error = numpy.empty(len(pairs), dtype=self._dtype()), _Error()
        status = _lib.apsp_index_distances(self._open(), sources.ctypes.data, targets.ctypes.data,
                                           len(pairs), found.ctypes.data, self._threads, error)
        raise_on_failure(status, error)
        return self._real(found)

    def table(self, sources: Any = None, targets: Any = None) -> numpy.ndarray:
        """The distances from all sources to all targets, an array with a row for each source; None
        stands for all vertices."""
        n, error = len(self), _Error()
        lists = [None if some is None else self._vertices(name, some)
                 for name, some in (("sources", sources), ("targets", targets))]
        counts = [n if some is None else len(some) for some in lists]
        found = numpy.empty(counts, dtype=self._dtype())
        (rows, columns), (first, second) = counts, [
            None if some is None else some.ctypes.data for some in lists]
        status = _lib.apsp_index_table(self._open(), first, rows, second, columns,
                                       found.ctypes.data, self._threads, error)
        raise_on_failure(status, error)
        return self._real(found)

    def row(self, source: Any) -> numpy.ndarray:
        """The distances from one vertex to all."""
        return self.table([source])[0]

    def path(self, source: Any, target: Any) -> numpy.ndarray:
        """The vertices of a shortest path as an array, empty if there is none."""
        path, length, error = numpy.empty(len(self), dtype=numpy.int32), c_int32(), _Error()
        status = _lib.apsp_index_path(self._open(), self._vertex("source", source),
                                      self._vertex("target", target), path.ctypes.data, length,
                                      error)
        raise_on_failure(status, error)
        return path[:length.value].copy()

    def verify(self, csgraph: Any, directed: bool = True, unweighted: bool = False, *,
               scale: Optional[int] = None, weight: Any = WEIGHT, rows: int = 0) -> None:
        """Proves the index for a graph: every merged edge, and all rows, or `rows` of them. Raises
        ApspError with the first mistake."""
        rows, handle = int32_of("rows", rows), self._open()
        mine = INT32 if self._dtype() == numpy.int32 else FLOAT64

        def verify(graph: Any, _: Problem, options: Any, error: Any) -> int:
            return _lib.apsp_index_verify(handle, graph, rows, options, error)

        self._work(verify, _problems(csgraph, directed, unweighted,
                                     How(scale=scale, weight=weight), (mine,)))

    def _open(self) -> Any:
        if not self._handle:
            raise ValueError("the index is closed")
        return self._handle

    def _vertex(self, name: str, vertex: Any) -> int:
        number, n = whole_number(vertex), len(self)
        if number is None:
            raise ValueError("%s: expected a vertex, found %r" % (name, vertex))
        if not 0 <= number < n:
            raise ValueError("%s: expected vertices 0 .. %d, found %d" % (name, n - 1, number))
        return number

    def _vertices(self, name: str, vertices: Any) -> numpy.ndarray:
        found, n = vertices_of(name, vertices), len(self)
        if found is not None and found.size == 0:
            return numpy.empty(0, dtype=numpy.int32)
        found = None if found is None else numpy.atleast_1d(found)
        if found is None or found.ndim != 1:
            raise ValueError("%s: expected vertices, found %r" % (name, vertices))
        if found.min() < 0 or found.max() >= n:
            raise ValueError("%s: expected vertices 0 .. %d, found %d"
                             % (name, n - 1, found.min() if found.min() < 0 else found.max()))
        return numpy.ascontiguousarray(found, dtype=numpy.int32)

    def _dtype(self) -> Any:
        is_integral = _lib.apsp_index_type(self._open()) == INT32.code
        return numpy.dtype(numpy.int32 if is_integral else numpy.float64)

    def _real(self, found: numpy.ndarray) -> numpy.ndarray:
        real = found.astype(numpy.float64, copy=False)
        if self._divisor != 1:
            real /= self._divisor
        if found.dtype == numpy.int32:
            real[found == _library.INF] = numpy.inf
        return real


def open_index(path: _PathLike, *, scale: Optional[int] = None, threads: int = 0) -> Index:
    """Maps an index that Index.save() or `apsp --index` has written. Only what queries touch is read.

    scale: what the weights were multiplied by, by which distances are divided again.
    """
    index, error = Index.__new__(Index), _Error()
    index._handle, index._threads = c_void_p(), int32_of("threads", threads)
    index._divisor = scale_of(scale)
    raise_on_failure(_lib.apsp_index_open(index._handle, _path(path), error), error)
    return index
