# SPDX-License-Identifier: MIT
"""Some rows of a graph's distances, and how the library solves for them."""

from __future__ import annotations

import collections.abc
import ctypes
import math
import queue
import threading
from typing import (TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Tuple, TypedDict,
                    Union)

import numpy

from apsp import _library
from apsp._along import matched
from apsp._errors import ApspError, Watch, negative_cycle, raise_on_failure, text_of
from apsp._graphs import SEMIRINGS, WEIGHT, Found, edges_in, shown_edges
from apsp._numbers import (COMPUTED, EXACT, FLOAT64, INT32, NO_PREDECESSOR, TYPE_CODES, Computed,
                           answer_type, convert, int32_of, no_path, real_number, taken, vertices_of)

if TYPE_CHECKING:
    from typing_extensions import Unpack
else:
    Unpack = None  # annotations that use it are not evaluated

_lib = _library.LIB

_INT32 = numpy.dtype(numpy.int32)

# With fewer vertices, the work takes less time than predicting the fastest engine, starting a thread or
# handling a signal.
_FEW_VERTICES = 33
# Answers of at most this number of entries are copied even if the library has them in the wanted type.
_FEW_ENTRIES = 2**16

Progress = Callable[[int, int], Any]
Devices = Union[int, Sequence[int], str]


def _all_is_well() -> None:
    pass


class HowArguments(TypedDict, total=False):
    """Arguments that many functions have in common; floyd_warshall explains them."""

    scale: Optional[int]
    grid: Union[str, float]
    weight: Any
    engine: Optional[str]
    threads: int
    device: Devices
    check: bool
    progress: Optional[Progress]


def _devices_of(device: Devices) -> Tuple[int, Any, int]:
    """Values for device, devices and device_count of the library's options: one GPU, or a list and
    its length; -1: all GPUs of the host."""
    if isinstance(device, str):
        if device != "all":
            raise ValueError("device: expected a number, a list of them or 'all', found %r"
                             % device)
        return 0, None, -1
    if not isinstance(device, collections.abc.Iterable):
        return int32_of("device", device), None, 0
    numbers = [int32_of("device", number) for number in device]
    if not numbers:
        raise ValueError("device: expected a number, a list of them or 'all', found an empty list")
    return numbers[0], (ctypes.c_int * len(numbers))(*numbers), len(numbers)


def _grid_of(grid: Union[str, float]) -> float:
    """The library's number for a grid: 0 for "auto", -1 for "off", otherwise the spacing."""
    if isinstance(grid, str):
        if grid not in ("auto", "off"):
            raise ValueError("grid: expected 'auto', 'off' or a number above 0, found %r" % grid)
        return 0.0 if grid == "auto" else -1.0
    spacing = real_number("grid", grid)
    if not 0 < spacing < math.inf:
        raise ValueError("grid: expected 'auto', 'off' or a number above 0, found %r" % (grid,))
    return spacing


class How:
    """The arguments that HowArguments names, with their defaults."""

    def __init__(self, *, scale: Optional[int] = None, grid: Union[str, float] = "auto",
                 weight: Any = WEIGHT, engine: Optional[str] = None, threads: int = 0, device: Devices = 0,
                 check: bool = False, progress: Optional[Progress] = None,
                 **unknown: Any) -> None:
        for name in unknown:
            raise TypeError("unexpected keyword argument %r" % name)
        if engine is not None and not isinstance(engine, str):
            raise TypeError("engine: expected a name, found %r" % (engine,))
        if progress is not None and not callable(progress):
            raise TypeError("progress: expected a function, found %r" % (progress,))
        self.scale, self.weight, self.engine = scale, weight, engine
        self.grid = _grid_of(grid)
        self.threads = int32_of("threads", threads)
        self.check, self.progress = bool(check), progress
        self.device, self.devices, self.device_count = _devices_of(device)
        self.semiring = SEMIRINGS[0]  # semiring of the paths; only solve() and measures() set another one

    def edges_in(self, graph: Any, unweighted: bool) -> Found:
        """A graph's edges, for distances. Edges that no shortest path has may be missing, unless
        the graph is proved or scaled."""
        light = not self.check and self.scale is None and self.semiring == SEMIRINGS[0]
        return edges_in(graph, self.weight, unweighted, light, self.semiring)


class OutOfRange(ValueError):
    """A distance does not fit in the type that was asked for."""


class Widened(Exception):
    """A distance does not fit in int32: the problem has become one in float64, and has not been
    solved."""


class Problem:
    """A graph and the rows that are wanted. Its weights are the caller's times `divisor`, in the
    type `computed`, one of `types`. Only a solve finds out that distances do not fit in this type:
    then it raises Widened, and sinks, which may have got no rows, must be made again."""

    _graph: Any = None  # the library's graph, between two attempts to solve
    # Type of the answers, if distances that do not fit in it are refused; None: answers may have any type.
    narrow: Optional[numpy.dtype] = None
    # may_be_inexact: distances are integers in float64; is_signed: some weight is below 0.
    may_be_inexact = is_signed = False
    # _stays_integral: see ask_for_integers; _tells_integers: the library's graph is integral.
    _stays_integral = _tells_integers = False
    _why_widened = ""
    # _columns: numbers of edges that add up along paths, one row for each number. sums: their sums, by
    # number, row and vertex. None: nothing adds up.
    _columns: Optional[numpy.ndarray] = None
    sums: Optional[numpy.ndarray] = None
    _given: Any = None  # tails, heads and weights of the edges

    def __init__(self, found: Found, sources: Any, limit: float, directed: bool, unweighted: bool,
                 how: How, types: Sequence[Computed] = COMPUTED) -> None:
        self.n, self._tails, self._heads = found.n, found.tails, found.heads
        self._first, self._zones = found.first, found.zones
        self._undirected = found.undirected or not directed
        self._lent: Any = None  # arrays that the library's graph uses
        weights = found.weights
        if unweighted or weights is None:
            weights = numpy.ones(len(found.heads), dtype=numpy.int32)
        scale = None if unweighted else how.scale
        if how.grid > 0:  # integers are on most grids, but are not rounded
            if FLOAT64 not in types:
                raise ValueError("grid: expected distances of float64 to round to multiples of %r"
                                 % how.grid)
            types = (FLOAT64,)
        self.computed, self._weights, self.divisor = taken(
            weights, scale, types[1:] if found.light and len(types) > 1 else types, self.n)
        self._widens = self.computed is INT32 and FLOAT64 in types
        # Integers are exact or refused; weights that were floating-point numbers may be rounded.
        self._integral = scale is not None or weights.dtype.kind != "f"
        self.is_integral = self._integral or self.computed is INT32  # distances are computed as integers
        self.is_sum = how.semiring == SEMIRINGS[0]  # min-plus: distances are sums
        if self._integral and self.computed is FLOAT64 and len(weights) > 0 and self.is_sum:
            lowest, highest = int(self._weights.min()), int(self._weights.max())
            self._note_extremes(lowest, highest)
            self._stays_integral = self.divisor == 1 and how.grid <= 0 and max(-lowest, highest) < EXACT
        # Undirected edges need memory for their reverse, so they are copied. Integers are copied, too: less
        # memory is in use then than later, when an engine for matrices takes the pages that these arrays
        # free.
        self._lends = found.own and not self._undirected and self.computed.dtype.kind == "f"
        self.sources = sources_of(sources, self.n)
        self.count = self.n if self.sources is None else len(self.sources)
        self.limit = real_number("limit", limit)
        self._limit = limit_of(self.limit, self.divisor)
        self.how = how
        self.is_small = self.n < _FEW_VERTICES and self.is_sum
        # The engine johnson takes no real weights below 0.
        self._small_engine = "cpu:johnson"
        if self.is_small and self.computed.dtype.kind == "f" and (self._weights < 0).any():
            self._small_engine = "cpu:multisource"

    def add_along(self, columns: numpy.ndarray) -> None:
        """Has columns of numbers of the edges add up along paths, to `sums`. Call it before build()."""
        tails = self._tails
        if tails is None:
            tails = numpy.repeat(numpy.arange(self.n, dtype=numpy.int32), numpy.diff(self._first))
        self._columns, self._given = columns, (tails, self._heads, self._weights)
        self._lends = False  # the library may change lent edges, which are needed here
        self.sums = numpy.full((len(columns), self.count, self.n), numpy.inf)

    def _sum_along(self, graph: Any, request: Any) -> Optional[numpy.ndarray]:
        """Has a request add up the columns, if there are any. Returns an array that must outlive it."""
        if self._columns is None:
            return None
        along = matched(self._columns, self.n, self._undirected, self._given,
                        shown_edges(graph)[:2])
        request.along_count, request.along = len(along), along.ctypes.data
        request.sums = self.sums.ctypes.data  # type: ignore[union-attr]
        return along

    def ask_for_integers(self) -> None:
        """Tells the library that float64 weights stand for integers, so that it returns exact sums
        of distances. Call it before build()."""
        self._tells_integers = self._stays_integral

    def tells_integers(self) -> bool:
        """Returns whether the library knows that all distances in what is computed are integers."""
        return self.computed.dtype.kind != "f" or self._tells_integers

    def has_integers(self) -> bool:
        """Returns whether all distances are integers, and not divided."""
        return self.divisor == 1 and (self.tells_integers() or self._stays_integral)

    def has_negative_weights(self) -> bool:
        """Returns whether a weight is below 0. Call this before build(), which takes the
        weights."""
        return len(self._weights) > 0 and self._weights.min() < 0

    def all_sources(self) -> numpy.ndarray:
        """Returns the sources of all rows, in the order of the rows."""
        if self.sources is None:
            return numpy.arange(self.n, dtype=numpy.int32)
        return self.sources.copy()

    def _note_extremes(self, lowest: int, highest: int) -> None:
        self.may_be_inexact = max(-lowest, highest) * (self.n - 1) >= EXACT
        self.is_signed = lowest < 0

    def check_exact(self, sources: Any, dist: numpy.ndarray, divisor: Any) -> None:
        """Raises an exception if the rows of some vertices have integers, divided by the divisor,
        that float64 may have rounded. If all distances of a row are below 2^53, none was rounded,
        because all sums are exact."""
        if not self.may_be_inexact:
            return
        wrong = (numpy.abs(dist) >= EXACT / divisor) & (dist < numpy.inf)
        if wrong.any():
            r, v = numpy.argwhere(wrong)[0]
            raise inexact("the distance from %d to %d" % (sources[r], v))

    def fill(self, cells: numpy.ndarray, pred_cells: Optional[numpy.ndarray], dist: numpy.ndarray,
             pred: Optional[numpy.ndarray], computed: Optional[Computed] = None) -> None:
        """Converts rows of the library, of any computed type, into an answer's arrays; without
        predecessors if there are none."""
        convert(cells, computed or self.computed, self.divisor, dist)
        if pred is not None and pred_cells is not None:
            numpy.copyto(pred, pred_cells)
            numpy.copyto(pred, numpy.int32(NO_PREDECESSOR), where=pred_cells < 0)

    def build(self, graph: Any, progress: Any, error: Any) -> int:
        """Stores the library's graph in a handle, and returns the status. Call it once: it frees
        the edges, or keeps them, and then this problem must outlive the graph."""
        reading = _library.new(_library.Reading, undirected=self._undirected, progress=progress,
                               semiring=self.how.semiring.encode())
        heads, weights = self._heads, self._weights
        edges = _library.new(_library.Edges, vertices=self.n, count=len(heads),
                             heads=heads.ctypes.data, type=self.computed.code,
                             weights=weights.ctypes.data, lent=self._lends, zones=self._zones,
                             integral=self._tells_integers)
        if self._first is not None:
            edges.first = self._first.ctypes.data
        else:
            edges.tails = self._tails.ctypes.data
        if self._lends:
            self._lent = heads, weights
        status = _lib.apsp_graph_make(graph, edges, reading, error)
        del self._first, self._tails, self._heads, self._weights
        return status

    def _options(self, predecessors: bool, progress: Any) -> Any:
        how = self.how
        engine, threads = how.engine, how.threads
        several = {"devices": how.devices, "device_count": how.device_count}
        if self.is_small and engine is None:
            engine, threads = self._small_engine, threads or 1
            several = {}  # the small engine needs no GPU
        return _library.new(_library.Options, distances_only=not predecessors, progress=progress,
                            threads=threads, device=how.device,
                            engine=None if engine is None else engine.encode(), **several)

    def grid(self) -> float:
        """The library's number for the grid that was asked for."""
        return self.how.grid * max(self.divisor, 1) if self.how.grid > 0 else self.how.grid

    def _request(self, block: int) -> Any:
        request = _library.new(_library.Request, block=block, check=self.how.check,
                               limit=self._limit, limit_is_exact=1, grid=self.grid())
        if self.sources is not None:
            request.sources, request.source_count = self.sources.ctypes.data, self.count
        return request

    def work(self, sink: Any, predecessors: bool, needed: int, progress: Any,
             check: Callable[[], None], block: int = 0) -> None:
        """Has a sink take all rows. needed: bytes that the caller will hold. progress: a callback
        of the library or None; check is called after every call with it, and may raise."""
        graph, self._graph = self._graph or _library.Graph(), None
        error, request = _library.Error(), self._request(block)
        if self._widens:
            out_of_range = ctypes.c_int()
            request.out_of_range = ctypes.addressof(out_of_range)
        try:
            if not graph:
                status = self.build(graph, progress, error)
                check()
                raise_on_failure(status, error)
            along = self._sum_along(graph, request)
            if needed > 2**20:
                raise_on_failure(_lib.apsp_memory_check(self.n, needed, error), error)
            status = _lib.apsp_solve_rows(graph, request, self._options(predecessors, progress),
                                          (ctypes.c_void_p * 1)(sink), 1, error)
            check()
            if status == _library.NEGATIVE_CYCLE:
                raise negative_cycle(graph, self.n, self.divisor, error, self.sources)
            if status == _library.BAD_INPUT and self._widens and out_of_range.value:
                self._widen(graph, error)
            distance, is_long, _ = text_of(error).partition(" is beyond 2^53")
            if status == _library.BAD_INPUT and self._tells_integers and is_long:
                raise inexact(distance)
            if status == _library.BAD_INPUT and self._why_widened:  # this engine fails in float64, too
                raise ApspError("%s; in float64: %s" % (self._why_widened, text_of(error)), status)
            raise_on_failure(status, error)
        finally:
            _lib.apsp_graph_free(graph)
            self._lent = along = None

    def call(self, function: Any, asked: Any,
             prepare: Optional[Callable[[Any], None]] = None) -> None:
        """Builds the library's graph, gives it to `prepare`, and calls a function with the graph
        and a struct that has `progress`. If the function sets `out_of_range`, does all that again
        in float64."""
        def work(progress: Any, check: Callable[[], None]) -> None:
            graph, error = _library.Graph(), _library.Error()
            try:
                status = self.build(graph, progress, error)
                check()
                raise_on_failure(status, error)
                if prepare is not None:
                    prepare(graph)
                asked.progress = progress
                status = function(graph, asked, error)
                check()
                if status == _library.BAD_INPUT and getattr(asked, "out_of_range", 0):
                    self._widen_here(graph)
                    status = function(graph, asked, error)
                    check()
                raise_on_failure(status, error)
            finally:
                _lib.apsp_graph_free(graph)
                self._lent = None

        self.attend(work)

    def _widen_here(self, graph: Any) -> None:
        """Replaces the library's graph in a handle by one of float64, of the same weights."""
        wide, error = _library.Graph(), _library.Error()
        raise_on_failure(_lib.apsp_graph_widen(graph, wide, error), error)
        _lib.apsp_graph_free(graph)
        graph.value = wide.value
        self.computed, self._widens = FLOAT64, False
        self._tells_integers = self.divisor == 1
        if self._integral:
            self._note_extremes(-2**31, 2**31)

    def _widen(self, graph: Any, error: Any) -> None:
        """Replaces the problem by one in float64 and raises Widened; raises OutOfRange if answers
        must be integers."""
        if self.narrow is not None and self.narrow.kind != "f" and self.narrow.itemsize < 8:
            raise OutOfRange("dtype: expected distances in %d .. %d for %s, found %s" % (
                0 if self.narrow.kind == "u" else 1 - _library.INF, no_path(self.narrow) - 1,
                self.narrow, text_of(error).partition(";")[0]))
        wide = _library.Graph()
        raise_on_failure(_lib.apsp_graph_widen(graph, wide, error), error)
        self._graph, self.computed, self._widens = wide, FLOAT64, False
        self._tells_integers = self.divisor == 1
        self._why_widened = text_of(error).partition(";")[0]
        self._small_engine = "cpu:multisource"  # the engine multisource takes weights below 0
        if self._integral:
            self._note_extremes(-2**31, 2**31)
        raise Widened

    def leave_out(self, sources: Sequence[numpy.ndarray]) -> None:
        """Rows that are done already."""
        self.sources = self.all_sources()
        self.sources = self.sources[~numpy.isin(self.sources, numpy.concatenate(
            [*sources, numpy.empty(0, dtype=numpy.int32)]))]
        self.count = len(self.sources)

    def __del__(self, free: Any = _lib.apsp_graph_free) -> None:
        if self._graph:
            free(self._graph)

    def solve(self, sink: Any, predecessors: bool, needed: int,
              check: Callable[[], None] = _all_is_well) -> None:
        """Does what work() does, and handles signals and calls the caller's `progress` meanwhile."""
        self.attend(lambda progress, check_both: self.work(sink, predecessors, needed, progress,
                                                           check_both), check)

    def attend(self, work: Callable[[Any, Callable[[], None]], None],
               check: Callable[[], None] = _all_is_well) -> None:
        """Calls `work` with a callback for the library, or None, and with a function that it must
        call after each call of the library with that callback, and that may raise. So signals are
        handled, and the caller's `progress` is called."""
        if self.how.progress is not None:
            _in_thread(lambda callback: work(callback, check), self.how.progress)
        elif self.is_small:
            work(None, check)
        else:
            watch = Watch()

            def check_both() -> None:
                watch.check()
                check()
            work(watch.callback, check_both)


def _in_thread(work: Callable[[Any], None], progress: Progress) -> None:
    """Works in another thread, while this one calls `progress` and handles signals."""
    news: queue.SimpleQueue = queue.SimpleQueue()
    stopped = threading.Event()

    def tell(_to: Any, done: int, total: int) -> int:
        news.put((done, total))
        return not stopped.is_set()

    def run() -> None:
        failure: Optional[BaseException] = None
        try:
            work(ctypes.cast(callback, ctypes.c_void_p))
        except BaseException as raised:  # the waiting thread raises it
            failure = raised
        news.put(failure)

    callback = _library.Progress(tell)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while isinstance(said := news.get(), tuple):
            progress(*said)
    finally:
        stopped.set()
        thread.join()
    if said is not None:
        raise said


# Arguments ---------------------------------------------------------------------------------------

def undivided(found: Found, sources: Any, limit: float, directed: bool, unweighted: bool,
              how: How, rows: str) -> Problem:
    """Returns a problem whose distances in the library are the caller's, without a divisor: in
    float64 if necessary. ValueError if there is a scale; `rows` says in its message which rows
    these are, which Python does not see."""
    problem = Problem(found, sources, limit, directed, unweighted, how)
    if problem.divisor == 1:
        return problem
    if how.scale is not None:
        raise ValueError("scale: expected none for rows that %s" % rows)
    return Problem(found._replace(weights=found.weights + 0.0), sources, limit, directed, unweighted,
                   how, [FLOAT64])


def sources_of(sources: Any, n: int, what: str = "sources") -> Optional[numpy.ndarray]:
    """The vertices whose rows, or columns, are wanted as an array of int32, or None for all."""
    if sources is None:
        return None
    found = vertices_of(what, sources)
    if found is not None and found.ndim == 0:
        found = found.reshape(1)
    if found is None or found.ndim != 1 or len(found) == 0:
        raise ValueError("%s: expected one or more vertices, found %r" % (what, sources))
    if found.min() < 0 or found.max() >= n:
        raise ValueError("%s: expected vertices 0 .. %d, found %d"
                         % (what, n - 1, found.min() if found.min() < 0 else found.max()))
    if len(numpy.unique(found)) < len(found):
        raise ValueError("%s: expected different vertices, found some twice" % what)
    return numpy.ascontiguousarray(found, dtype=numpy.int32)


def limit_of(limit: float, divisor: Any) -> float:
    """The library's number for a limit on distances, whose weights are multiplied by divisor."""
    if not limit >= 0:
        raise ValueError("limit: expected 0 or more, found %r" % (limit,))
    times = float(limit * divisor)
    if divisor == 1 or times == math.inf:
        return times
    nearest = round(times)
    return float(nearest) if nearest / divisor == limit else times


def inexact(what: str) -> ApspError:
    return ApspError("%s is beyond 2^53, up to which float64 has all integers; if the weights are "
                     "given in floating point, it is rounded" % what, _library.BAD_INPUT)


# Answers -----------------------------------------------------------------------------------------

class _Held:
    """Keeps a result of the library alive while an array uses its memory."""

    def __init__(self, result: Any, address: int, dtype: numpy.dtype, rows: int, leading: int,
                 n: int) -> None:
        self._result = result
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": (rows, n),
                                    "strides": (leading * dtype.itemsize, dtype.itemsize),
                                    "typestr": dtype.str}


class _OwnedResult:
    """A result of the library, freed with the last object that refers to it."""

    def __init__(self) -> None:
        self.handle = _library.Result()

    def __del__(self, free: Any = _lib.apsp_result_free) -> None:
        free(self.handle)


def cells_at(address: Any, dtype: numpy.dtype, rows: int, leading: int, n: int,
             owner: Any = None) -> numpy.ndarray:
    """A view of rows of the library, which keeps `owner`."""
    return numpy.asarray(_Held(owner, address, dtype, rows, leading, n))


def solve_into(make: Callable[[Any, Any], int], problem: Problem, predecessors: bool,
               needed: int) -> None:
    """Solves into a sink of the library, which `make` stores in a handle; into another one if
    distances need a wider type."""
    while True:
        sink, error = _library.OwnSink(), _library.Error()
        try:
            raise_on_failure(make(sink, error), error)
            problem.solve(sink.value, predecessors, needed)
            return
        except Widened:
            pass
        finally:
            _lib.apsp_sink_free(sink)


class Kept:
    """All rows of a problem, kept by the library."""

    def __init__(self, problem: Problem, predecessors: bool, needed: int) -> None:
        self._problem, self._owned = problem, _OwnedResult()
        solve_into(lambda sink, error: _lib.apsp_sink_result(sink, self._owned.handle, error),
                   problem, predecessors, needed)

    def _view(self, function: Any, dtype: numpy.dtype) -> numpy.ndarray:
        leading, problem = ctypes.c_size_t(), self._problem
        address = function(self._owned.handle, leading)
        return cells_at(address, dtype, problem.count, leading.value, problem.n, self._owned)

    def distances(self) -> numpy.ndarray:
        return self._view(_lib.apsp_result_cells, self._problem.computed.dtype)

    def predecessors(self) -> numpy.ndarray:
        return self._view(_lib.apsp_result_predecessors, _INT32)

    def engine(self) -> str:
        """The one that solved ("cpu:multisource")."""
        asked = _lib.apsp_result_engine(self._owned.handle).decode()
        chosen = _lib.apsp_result_chosen(self._owned.handle).decode()
        return chosen if ":" in chosen else asked.split(":")[0] + ":" + chosen if chosen else asked

    def seconds(self) -> float:
        return _lib.apsp_result_seconds(self._owned.handle, None)


def parts(rows: int, n: int) -> Any:
    """Yields slices of rows. Signals are handled between slices."""
    step = max(1, 2**20 // n)
    return (slice(first, first + step) for first in range(0, rows, step))


def answer_bytes(count: int, n: int, dtype: numpy.dtype, predecessors: bool, given: bool) -> int:
    """Returns the bytes that an answer and a block on its way there take."""
    return ((0 if given else dtype.itemsize * count * n) + (4 * count * n if predecessors else 0)
            + 16 * min(count, 64) * n)


def _into_arrays(problem: Problem, dist: numpy.ndarray, pred: Optional[numpy.ndarray],
                 needed: int) -> None:
    """Solves, and has the library store the rows."""
    arrays = _library.new(_library.Arrays, type=TYPE_CODES[dist.dtype],
                          distances=dist.ctypes.data, leading=dist.shape[1],
                          divisor=problem.divisor, limit=-1,
                          no_predecessor=NO_PREDECESSOR)
    if pred is not None:
        arrays.predecessors = pred.ctypes.data
    solve_into(lambda sink, error: _lib.apsp_sink_arrays(sink, arrays, error), problem,
               pred is not None, needed)
    # int64 distances need no check: they are exact, or the library has refused them.
    for rows in parts(*dist.shape) if problem.may_be_inexact and dist.dtype.kind == "f" else ():
        problem.check_exact(problem.all_sources()[rows], dist[rows], problem.divisor)


class Answer(NamedTuple):
    """Rows of distances; of predecessors, or None; the engine and its seconds, if asked for."""

    distances: numpy.ndarray
    predecessors: Optional[numpy.ndarray]
    engine: str = ""
    seconds: float = 0.0


def answer(problem: Problem, predecessors: bool, dtype: Any = None, out: Any = None,
           named: bool = False) -> Answer:
    """Solves for all rows of a problem. named: the answer names the engine, for which the library
    keeps the rows beside the answer."""
    count, n = problem.count, problem.n
    kind = problem.narrow = answer_type(dtype, out, (count, n), problem.computed, problem.divisor)
    pred = numpy.empty((count, n), dtype=numpy.int32) if predecessors else None
    as_it_is = out is None and n > 0 and kind == problem.computed.dtype == _INT32
    if named or (as_it_is and count * n > _FEW_ENTRIES):
        return _kept_answer(problem, kind, out, pred, as_it_is)
    in_place = out is not None and out.flags.c_contiguous and out.flags.aligned
    dist = out if in_place else numpy.empty((count, n), dtype=kind)
    if n > 0:
        _into_arrays(problem, dist, pred, answer_bytes(count, n, kind, predecessors, in_place))
    if out is not None and not in_place:
        numpy.copyto(out, dist)
        dist = out
    return Answer(dist, pred)


def _kept_answer(problem: Problem, kind: numpy.dtype, out: Any, pred: Optional[numpy.ndarray],
                 as_it_is: bool) -> Answer:
    """The rows that the library keeps, converted unless they have the wanted type."""
    count, n, dist = problem.count, problem.n, out
    if dist is None and not as_it_is:
        dist = numpy.empty((count, n), dtype=kind)
    if n == 0:
        return Answer(dist, pred)
    kept = Kept(problem, pred is not None,
                answer_bytes(count, n, kind, pred is not None, out is not None))
    cells, pred_cells = kept.distances(), kept.predecessors() if pred is not None else None
    if as_it_is:
        dist = cells
    for rows in parts(count, n) if pred is not None or not as_it_is else ():
        some = None if pred_cells is None else pred_cells[rows]
        problem.check_exact(problem.all_sources()[rows], cells[rows], 1)
        problem.fill(cells[rows], some, dist[rows], None if pred is None else pred[rows])
    return Answer(dist, pred, kept.engine(), kept.seconds())
