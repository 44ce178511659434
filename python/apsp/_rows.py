# SPDX-License-Identifier: MIT
"""Rows instead of matrices: those of some sources, all of them a few at a time, and measures."""

from __future__ import annotations

import atexit
import collections
import ctypes
import functools
import math
import os
import threading
import types
import weakref
from typing import Any, Dict, Iterable, List, Optional, Set, Union

import numpy

from apsp import _library
from apsp._along import columns_of
from apsp._errors import raise_on_failure
from apsp._graphs import SEMIRINGS, check_semiring, edges_in
from apsp._numbers import EXACT, FLOAT64, Computed, Divisor, answer_type, whole_number
from apsp._problem import (How, HowArguments, Problem, Unpack, Widened, answer, answer_bytes,
                           cells_at, inexact, solve_into)
from apsp._shown import grid_shown, limit_shown, proof_shown, shown, sources_shown

_lib = _library.LIB


# Rows that are kept ------------------------------------------------------------------------------

class Result(types.SimpleNamespace):
    """The result of solve(): `sources`, an array of vertices; `distances`, with a row for each;
    `predecessors` or None; `limit`, beyond which pairs count as pairs without a path; `proved`, whether
    every row has been; `engine`, which solved ("cpu:multisource"); and `seconds`, which that took. `sums` is
    there if numbers of edges were to add up along the paths."""

    def __repr__(self) -> str:
        return shown("Result", sources_shown(len(self.sources), self.distances.shape[1]),
                     str(self.distances.dtype), limit_shown(self.limit),
                     "no predecessors" if self.predecessors is None else "with predecessors",
                     proof_shown(self.proved), "by " + self.engine if self.engine else None)


def solve(csgraph: Any, sources: Any = None, *, limit: float = math.inf,
          predecessors: bool = False, directed: bool = True, unweighted: bool = False,
          dtype: Any = None, out: Any = None, along: Any = None, semiring: str = SEMIRINGS[0],
          **how: Unpack[HowArguments]) -> Result:
    """The lengths of the shortest paths from some vertices to all, or of other best paths.

    sources: the vertices, which must be different, in the order of the rows; None for all.
    limit: pairs that are farther apart count as pairs without a path; for weights of 0 or more.
    predecessors: whether to compute them as well.
    along: other numbers of the edges, which add up along the shortest paths, say kilometres where
        weights are minutes: a matrix like csgraph, a number for each edge of a sparse matrix in
        csgraph.tocsr().data or of an apsp.Graph, or the name of an attribute of the edges of a graph
        of NetworkX, igraph or rustworkx; a dictionary of several, or a list of names. Of several
        shortest paths the one counts whose sum of the first is the least, then that of the second,
        and so on; it need not be the path of the predecessors.
    semiring: what makes a path the best: "min-plus", the least sum of weights; "min-max", the least maximum
        of them, for lowest passes; "max-min", the greatest minimum, for widest paths; "max-product", the
        greatest product of weights in 0 .. 1, for most reliable paths. In min-max
        the length from a vertex to itself is -inf; in max-min it is inf, and -inf where there is no path;
        in max-product they are 1 and 0. Of parallel edges the best one counts. The CPU solves it.
    The other arguments, and exceptions, are those of floyd_warshall.

    Returns a Result; with `along` it has `sums`, an array like distances, float64, or a dictionary of
    them. Distances are float64 unless `dtype` or `out` says otherwise, infinity if
    there is no path; predecessors are int32, NO_PREDECESSOR (-9999) if there is none.

    >>> import apsp
    >>> result = apsp.solve([[0, 5, 9], [0, 0, 1], [0, 0, 0]], [1, 0], predecessors=True)
    >>> result.distances
    array([[inf,  0.,  1.],
           [ 0.,  5.,  6.]])
    >>> result.predecessors
    array([[-9999, -9999,     1],
           [-9999,     0,     1]], dtype=int32)
    >>> result.sources
    array([1, 0], dtype=int32)
    >>> apsp.solve([[0, 5, 6], [0, 0, 1], [0, 0, 0]], along=[[0, 2, 9], [0, 0, 3], [0, 0, 0]]).sums
    array([[ 0.,  2.,  5.],
           [inf,  0.,  3.],
           [inf, inf,  0.]])
    >>> apsp.solve([[0, 5, 9], [0, 0, 7], [0, 0, 0]], semiring="max-min").distances
    array([[ inf,   5.,   9.],
           [-inf,  inf,   7.],
           [-inf, -inf,  inf]])
    """
    check_semiring(semiring)
    if semiring != SEMIRINGS[0]:
        return _solve_other(csgraph, sources, limit, predecessors, directed, unweighted, dtype, out,
                            along, semiring, how)
    if along is not None:
        return _solve_along(csgraph, sources, limit, predecessors, directed, unweighted, dtype, out,
                            along, how)
    problem = _problem(csgraph, sources, limit, directed, unweighted, how)
    found = answer(problem, predecessors, dtype, out, named=True)
    return Result(sources=problem.all_sources(), limit=problem.limit, proved=problem.how.check,
                  **found._asdict())


def _solve_other(csgraph: Any, sources: Any, limit: float, predecessors: bool, directed: bool,
                 unweighted: bool, dtype: Any, out: Any, along: Any, semiring: str,
                 how: HowArguments) -> Result:
    """Solves for another semiring than min-plus."""
    kind = numpy.dtype(numpy.float64 if dtype is None else dtype) if out is None else out.dtype
    if along is not None:
        raise ValueError("along: expected none with semiring=%r, which adds nothing up" % semiring)
    if kind != numpy.float64:
        raise ValueError("dtype: expected float64 with semiring=%r, found %s" % (semiring, kind))
    problem = _other_problem(csgraph, sources, limit, directed, unweighted, semiring, how)
    found = answer(problem, predecessors, kind, out, named=True)
    return Result(sources=problem.all_sources(), limit=limit, proved=problem.how.check, **found._asdict())


def _solve_along(csgraph: Any, sources: Any, limit: float, predecessors: bool, directed: bool,
                 unweighted: bool, dtype: Any, out: Any, along: Any, how: HowArguments) -> Result:
    """Solves, with sums along the paths."""
    chosen = How(**how)
    edges = edges_in(csgraph, chosen.weight, unweighted)
    columns = columns_of(csgraph, edges, along, chosen.weight, unweighted)
    problem = Problem(edges, sources, limit, directed, unweighted, chosen)
    problem.add_along(numpy.array(list(columns.values())))
    found = answer(problem, predecessors, dtype, out, named=True)
    sums = dict(zip(columns, problem.sums))  # type: ignore[arg-type]
    return Result(sources=problem.all_sources(), limit=problem.limit, proved=chosen.check,
                  sums=sums.get(None, sums), **found._asdict())


def _other_problem(csgraph: Any, sources: Any, limit: float, directed: bool, unweighted: bool, semiring: str,
                   how: HowArguments) -> Problem:
    """A problem of another semiring than min-plus, in float64, which has all infinite lengths."""
    chosen = How(**how)
    for name, given in (("limit", limit != math.inf), ("scale", chosen.scale is not None), ("grid", chosen.grid > 0)):
        if given:
            raise ValueError("%s: expected none with semiring=%r, which adds nothing up" % (name, semiring))
    chosen.semiring = semiring
    return Problem(chosen.edges_in(csgraph, unweighted), sources, limit, directed, unweighted, chosen, (FLOAT64,))


def _problem(csgraph: Any, sources: Any, limit: float, directed: bool, unweighted: bool,
             how: HowArguments) -> Problem:
    chosen = How(**how)
    return Problem(chosen.edges_in(csgraph, unweighted), sources, limit, directed,
                   unweighted, chosen)


# Rows a few at a time ----------------------------------------------------------------------------

_BLOCK_MAX = 64  # most rows in a block of the library


class _Channel:
    """Carries blocks from the library's threads to the thread that iterates; the other way, that
    thread's wish to stop."""

    def __init__(self, most: int) -> None:
        self.changed = threading.Condition()  # guards all other members
        self.most, self.rows = most, 0        # most: limit of `rows`, the number of rows in `blocks`
        self.blocks: collections.deque = collections.deque()
        self.closed = False   # the reader has closed the channel
        self.done = False     # the library sends no more blocks
        self.failure: Optional[BaseException] = None   # exception that ends the blocks

    def reserve(self, rows: int) -> bool:
        """Waits until there is room for a block; returns whether somebody will take it."""
        with self.changed:
            while self.rows > 0 and self.rows + rows > self.most and not self.closed:
                self.changed.wait()
            self.rows += rows
            return not self.closed

    def put(self, block: Any) -> None:
        with self.changed:
            self.blocks.append(block)
            self.changed.notify_all()

    def take(self) -> Any:
        """The next block, or None."""
        with self.changed:
            while not self.blocks and not self.done:
                self.changed.wait()
            if self.failure is not None:
                failure, self.failure = self.failure, None
                self.blocks.clear()
                raise failure
            if not self.blocks:
                return None
            block = self.blocks.popleft()
            self.rows -= len(block[1])
            self.changed.notify_all()
            return block

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.blocks.clear()
            self.changed.notify_all()

    def end(self, failure: Optional[BaseException]) -> None:
        with self.changed:
            self.done, self.failure = True, self.failure or failure
            self.changed.notify_all()


_OPEN: Any = weakref.WeakKeyDictionary()  # open channels, each with its solving thread


@atexit.register
def _close_all() -> None:
    """Closes all channels at exit: a thread that calls Python must not outlive it."""
    for channel, thread in list(_OPEN.items()):
        channel.close()
        thread.join()


os.register_at_fork(after_in_child=_OPEN.clear)


def _sink_to(channel: _Channel, computed: Computed, needs: int, taken: List[Any]) -> Any:
    """A sink that copies its blocks to the channel, in threads of the library. taken: gets the
    sources."""
    int32 = numpy.dtype(numpy.int32)

    def take(_self: Any, pointer: Any, _error: Any) -> int:
        try:
            rows = pointer.contents
            count, n, leading = rows.count, rows.vertices, rows.leading
            if not channel.reserve(count):
                return _library.CANCELLED
            sources = cells_at(rows.sources, int32, 1, count, count)[0].copy()
            dist = cells_at(rows.distances, computed.dtype, count, leading, n).copy()
            pred = None
            if needs & _library.NEEDS_PREDECESSORS:
                pred = cells_at(rows.predecessors, int32, count, leading, n).copy()
            channel.put((computed, sources, dist, pred))
            taken.append(sources)
            return _library.OK
        except BaseException as raised:  # an exception cannot pass through the library
            channel.end(raised)
            return _library.CANCELLED
    return _library.new(_library.Sink, take=_library.Take(take), needs=needs)


class _Closed(Exception):
    """The channel is closed: no more rows are taken."""


def _solve_for(channel: _Channel, problem: Problem, needs: int, block: int) -> None:
    """Solves in the thread of an iterator, and hands blocks of rows on through the channel."""
    failure: Optional[BaseException] = None
    predecessors = bool(needs & _library.NEEDS_PREDECESSORS)
    progress = _library.Signals(lambda _to: not channel.closed)

    def check() -> None:
        if channel.closed:
            raise _Closed

    def work() -> None:
        taken: List[Any] = []
        sink = _sink_to(channel, problem.computed, needs, taken)
        needed = answer_bytes(channel.most, problem.n, problem.computed.dtype, predecessors, False)
        try:
            problem.work(ctypes.addressof(sink), predecessors, needed,
                         ctypes.cast(progress, ctypes.c_void_p), check, block)
        except Widened:
            problem.leave_out(taken)
            work()

    try:
        work()
    except _Closed:
        pass
    except BaseException as raised:  # the iterating thread raises it
        failure = raised
    finally:
        channel.end(failure)


class Rows:
    """The result of rows(): an iterator, and a context manager that closes it."""

    def __init__(self, problem: Problem, needs: int, block: int, dtype: numpy.dtype) -> None:
        self._arguments: Any = problem, needs, block
        self._problem, self._dtype = problem, dtype
        self._with_pred = bool(needs & _library.NEEDS_PREDECESSORS)
        self._channel: Any = None
        self._thread: Any = None
        self._process = os.getpid()

    def __repr__(self) -> str:
        return shown("Rows", sources_shown(self._problem.count, self._problem.n), str(self._dtype),
                     "with predecessors" if self._with_pred else "no predecessors",
                     proof_shown(self._problem.how.check),
                     "not begun" if self._arguments is not None else
                     "ended" if self._channel is None else None)

    def __reduce__(self) -> Any:
        raise TypeError("an iterator over rows cannot be copied")

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> Any:
        if os.getpid() != self._process:
            raise RuntimeError("these rows belong to another process")
        if self._arguments is not None and self._arguments[0].n > 0:
            self._start()
        try:
            block = self._channel.take() if self._channel is not None else None
        except BaseException:  # an exception of the solve, or of a signal
            self.close()
            raise
        if block is None:
            self.close()
            raise StopIteration
        computed, sources, cells, pred = block
        dist = numpy.empty(cells.shape, dtype=self._dtype)
        if computed.dtype.kind == "f":
            self._problem.check_exact(sources, cells, 1)
        self._problem.fill(cells, pred, dist, pred, computed)
        return (sources, dist, pred) if self._with_pred else (sources, dist)

    def _start(self) -> None:
        # The thread has no reference to the iterator, so that the iterator can be freed.
        self._channel = _Channel(2 * (self._arguments[2] or _BLOCK_MAX))
        self._thread = threading.Thread(target=_solve_for, daemon=True,
                                        args=(self._channel, *self._arguments))
        self._arguments = None
        _OPEN[self._channel] = self._thread
        self._thread.start()

    def close(self) -> None:
        """Stops the work, within some tenths of a second, if it is not done. No rows come then."""
        self._arguments = None
        if self._channel is not None and os.getpid() == self._process:
            self._channel.close()
            self._thread.join()
        self._channel = self._thread = None

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if self._channel is not None and os.getpid() == self._process:
            self._channel.close()  # the thread ends on its own


def rows(csgraph: Any, sources: Any = None, *, limit: float = math.inf, block: int = 0,
         predecessors: bool = False, in_order: bool = False, directed: bool = True,
         unweighted: bool = False, dtype: Any = None, **how: Unpack[HowArguments]) -> Rows:
    """Iterates over blocks of rows of the distances, which are computed meanwhile, in memory for
    some blocks: for graphs whose distances do not fit.

    block: rows of a block at most; more than 64 are 64.
    in_order: whether the blocks come in the order of the sources, which takes more memory and time;
        otherwise as they are computed.
    The other arguments, and exceptions, are those of solve(). What the library refuses is raised
    when the first block is asked for. `check` has each block proved before it comes.

    Yields (sources, distances) or, with predecessors, (sources, distances, predecessors): arrays as
    solve() returns them, for some of the sources, and the caller's. Whoever leaves the loop early
    closes the iterator, which stops the work:

    >>> import apsp
    >>> ring = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> for sources, distances in apsp.rows(ring, block=2, in_order=True):
    ...     print(sources, distances.max(axis=1))
    [0 1] [2. 2.]
    [2] [2.]
    >>> with apsp.rows(ring, [2, 0]) as blocks:
    ...     sources, distances = next(blocks)
    """
    if how.get("progress") is not None:
        raise ValueError("progress: expected None, found %r: the rows that have come say how far "
                         "the work is" % (how["progress"],))
    problem = _problem(csgraph, sources, limit, directed, unweighted, how)
    kind = problem.narrow = answer_type(dtype, None, (), problem.computed, problem.divisor)
    rows_max = whole_number(block)
    if rows_max is None or rows_max < 0:
        raise ValueError("block: expected 0 or a number of rows, found %r" % (block,))
    needs = (_library.NEEDS_ORDER if in_order else 0) | (
        _library.NEEDS_PREDECESSORS if predecessors else 0)
    return Rows(problem, needs, min(rows_max, _BLOCK_MAX), kind)


# Measures ----------------------------------------------------------------------------------------

class Measures(types.SimpleNamespace):
    """The result of measures(). Names are NetworkX's.

    An array with an entry for each of `sources`: eccentricity and, of an undirected graph,
    reached, distance_sum, closeness_centrality and harmonic_centrality. Of a directed graph,
    out_reached, out_distance_sum, out_closeness_centrality and out_harmonic_centrality, and if all
    vertices are sources also in_eccentricity, in_reached, in_distance_sum, closeness_centrality and
    harmonic_centrality, which are about the distances to the vertex, as NetworkX's are.

    Numbers of the pairs of a source and another vertex: pairs, pairs_without_path, distance_sum_of_pairs,
    average_distance (None if no pair has a path), largest_distance, largest_pair (from, to), and
    histogram, the numbers of pairs and the edges of their bins as numpy.histogram returns them.

    Properties of the graph: `directed` and, if all vertices are sources without a limit: is_connected,
    number_connected_components and largest_connected_component, or is_strongly_connected,
    number_strongly_connected_components and largest_strongly_connected_component; diameter, radius,
    center, periphery, average_shortest_path_length, wiener_index, global_efficiency. If the graph is
    not connected, strongly if it is directed, center and periphery are None, and all of these but
    the efficiency are infinite.

    grid_spacing is what the weights were rounded to multiples of, 0 if they were not, and
    grid_error the most that a distance may have changed by that (docs/real.md). `limit` is that of
    the distances, and `proved` says whether all of them have been."""

    def __repr__(self) -> str:
        missing = ["harmonic_centrality", "global_efficiency", "histogram"]
        if not hasattr(self, "diameter"):
            missing[1] = "what is about the whole graph"
        if hasattr(self, "worst_distance"):  # other semirings have no reciprocals
            missing = [name for name in missing if name not in ("harmonic_centrality", "global_efficiency")]
        missing = [name for name in missing if not (hasattr(self, name) or hasattr(self, "out_" + name))]
        count = len(self.sources)
        return shown("Measures", sources_shown(count, self.pairs // count + 1),
                     "directed" if self.directed else "undirected", str(self.eccentricity.dtype),
                     limit_shown(self.limit), grid_shown(self), proof_shown(self.proved),
                     "without " + " or ".join(missing) if missing else None)



ALL_PARTS: int = _lib.apsp_measures_part(None)


def parts_of(only: Union[None, str, Iterable[str]]) -> int:
    """The bits of the library's parts that measures of some names belong to; None: all bits."""
    if only is None:
        return ALL_PARTS
    bits = 0
    for name in [only] if isinstance(only, str) else only:
        if name not in _names():
            raise ValueError("only: expected names of measures, such as 'diameter' and 'histogram', found %r" % (name,))
        bits |= _lib.apsp_measures_part(name.encode())
    return bits


@functools.lru_cache(maxsize=None)
def _names() -> Set[str]:
    """Returns the names of all that Measures may have: of vertices as the library calls them, of
    pairs and of the graph."""
    of_vertices = {name.decode() for column in _columns()
                   for name in (column.name, column.outwards, column.inwards) if name is not None}
    return of_vertices | {
        "pairs", "pairs_without_path", "distance_sum_of_pairs", "average_distance", "largest_distance", "largest_pair",
        "worst_distance", "worst_pair",
        "histogram", "directed", "is_connected", "number_connected_components", "largest_connected_component",
        "is_strongly_connected", "number_strongly_connected_components", "largest_strongly_connected_component",
        "diameter", "radius", "center", "periphery", "average_shortest_path_length", "wiener_index",
        "global_efficiency"}


@functools.lru_cache(maxsize=None)
def _columns() -> List[Any]:
    """The measures of vertices that the library knows, in the order of its files."""
    found: List[Any] = []
    column = _library.new(_library.Column)
    while _lib.apsp_measures_column(len(found), column):
        found.append(column)
        column = _library.new(_library.Column)
    return found


def _read_vertices(measures: Any, problem: Problem, direction: int, directed: bool,
                   parts: int) -> Dict[str, numpy.ndarray]:
    """All measures of vertices in a direction, by their names."""
    error, found = _library.Error(), {}
    most = 2.0**63  # a column of larger numbers becomes float64
    for column in _columns():
        if column.part & ~parts or (column.sums_only and not problem.is_sum):
            continue
        is_integer = column.numbers == _library.INTEGERS or (
            column.numbers == _library.INTEGERS_OF_INT32 and problem.tells_integers())
        values = numpy.empty(problem.count, numpy.float64)
        raise_on_failure(_lib.apsp_measures_reals(measures, column.which, direction, values.ctypes.data,
                                                  error), error)
        if is_integer and (numpy.abs(values) < most).all():
            values = numpy.empty(problem.count, numpy.int64)
            raise_on_failure(_lib.apsp_measures_integers(measures, column.which, direction,
                                                         values.ctypes.data, error), error)
        if problem.divisor != 1 and column.dimension > 0:
            values = values / problem.divisor
        elif problem.divisor != 1 and column.dimension < 0:
            values *= problem.divisor
        name = (column.name if not directed else column.inwards
                if direction == _library.INWARDS else column.outwards)
        found[name.decode()] = values
    return found


def _shorter(number: Any, divisor: Divisor) -> Any:
    return number if divisor == 1 else number / divisor


def _total(of: Any, integral: bool) -> Union[int, float]:
    """The sum of all distances, exact if they are integers."""
    if not integral:
        return of.distance_sum
    return of.distance_sum_high * 2**64 + of.distance_sum_low


def _read_histogram(measures: Any, integral: bool, divisor: Divisor) -> Dict[str, Any]:
    first, width, bins = ctypes.c_double(), ctypes.c_double(), ctypes.c_int32()
    counts = _lib.apsp_measures_bins(measures, first, width, bins)
    edges = first.value + width.value * numpy.arange(bins.value + 1)
    if integral:
        edges = edges.astype(numpy.int64)
    return {"histogram": (numpy.array(counts[:bins.value], dtype=numpy.int64),
                          _shorter(edges, divisor))}


def _read_pairs(of: Any, problem: Problem) -> Dict[str, Any]:
    divisor, integral = problem.divisor, problem.tells_integers()
    number: Any = int if integral else float
    total = _total(of, integral)
    longest = "largest" if problem.is_sum else "worst"
    return {"pairs": of.pairs, "pairs_without_path": of.pairs_without_path,
            "distance_sum_of_pairs": _shorter(total, divisor),
            "average_distance": (_shorter(of.average_distance, divisor)
                                 if of.pairs_without_path < of.pairs else None),
            longest + "_distance": _shorter(number(of.largest_length), divisor),
            longest + "_pair": (of.largest_from, of.largest_to)}


def _read_graph(measures: Any, of: Any, integral: bool, divisor: Divisor) -> Dict[str, Any]:
    def vertices(function: Any) -> Optional[numpy.ndarray]:
        found, count = (ctypes.c_int32 * of.vertices)(), ctypes.c_int32()
        function(measures, found, count)
        return numpy.array(found[:count.value], dtype=numpy.int32) if connected else None

    connected = of.components == 1
    if not integral:
        wiener = of.wiener_index
    else:
        total = _total(of, integral)
        wiener = _shorter(total if of.directed else total // 2, divisor)
    kind = "strongly_connected" if of.directed else "connected"
    integer: Any = int if connected and divisor == 1 and integral else float
    return {"is_" + kind: connected, "number_%s_components" % kind: of.components,
            "largest_%s_component" % kind: of.largest_component,
            "diameter": integer(_shorter(of.diameter, divisor)),
            "radius": integer(_shorter(of.radius, divisor)),
            "center": vertices(_lib.apsp_measures_center),
            "periphery": vertices(_lib.apsp_measures_periphery),
            "average_shortest_path_length": _shorter(of.average_shortest_path_length, divisor),
            "wiener_index": wiener if connected else math.inf,
            "global_efficiency": of.global_efficiency * divisor}


def _read_measures(measures: Any, problem: Problem, parts: int) -> Measures:
    of, error = _library.new(_library.GraphMeasures), _library.Error()
    divisor, integral = problem.divisor, problem.tells_integers()
    raise_on_failure(_lib.apsp_measures_graph(measures, of, error), error)
    directed = bool(of.directed)
    found = {"directed": directed, "sources": problem.all_sources(), "limit": problem.limit,
             "proved": problem.how.check,
             "grid_spacing": _shorter(of.grid, divisor), "grid_error": _shorter(of.grid_error, divisor)}
    found.update(_read_vertices(measures, problem, _library.OUTWARDS, directed, parts))
    if directed and of.all_sources:
        found.update(_read_vertices(measures, problem, _library.INWARDS, directed, parts))
    found.update(_read_pairs(of, problem))
    if parts & parts_of("histogram"):
        found.update(_read_histogram(measures, integral, divisor))
    if of.components > 0:  # measures of the graph are known
        found.update(_read_graph(measures, of, integral, divisor))
        if not problem.is_sum:
            del found["average_shortest_path_length"], found["wiener_index"], found["global_efficiency"]
        elif not parts & parts_of("global_efficiency"):
            del found["global_efficiency"]
    return Measures(**found)


def measures(csgraph: Any, sources: Any = None, *, limit: float = math.inf, directed: bool = True,
             unweighted: bool = False, only: Union[None, str, Iterable[str]] = None,
             semiring: str = SEMIRINGS[0], **how: Unpack[HowArguments]) -> Measures:
    """Eccentricities, centralities, diameter and more, computed from the distances, which are not
    kept: in memory for some rows and some numbers for each vertex.

    only: names of what is wanted. harmonic_centrality, out_harmonic_centrality and global_efficiency,
        and histogram, take longer than everything else together: those that are not named are missing.
    semiring: what makes a path the best, as for solve(). Others than min-plus have the measures that make
        sense without sums of weights; eccentricities are worst lengths, and worst_distance and worst_pair
        stand in place of largest_distance and largest_pair (docs/semirings.md).
    The other arguments, and exceptions, are those of solve(). With `sources`, what would need the other
    rows is missing, and with a limit what is about the whole graph. Returns Measures, with
    NetworkX's names and values. They are exact, or rounded once, unless there is a scale;
    differences are explained in docs/using.md. Where all distances are integers, by weights of an
    integer type or by integers that int32 holds, lengths and sums of them are Python's int and arrays
    of int64, but a column of which one sum is 2^63 or more is of float64.

    >>> import apsp
    >>> found = apsp.measures([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    >>> found.diameter, found.radius, found.center
    (3, 2, array([1], dtype=int32))
    >>> found.eccentricity
    array([3, 2, 3])
    >>> found.closeness_centrality
    array([0.5       , 0.66666667, 0.4       ])
    >>> apsp.measures([[0, 1, 0], [1, 0, 2], [0, 2, 0]], [0], only="distance_sum").distance_sum
    array([4])
    >>> apsp.measures([[0, 5, 9], [5, 0, 7], [9, 7, 0]], semiring="max-min").eccentricity
    array([7., 7., 7.])
    """
    parts = parts_of(only)
    check_semiring(semiring)
    if semiring != SEMIRINGS[0]:
        return measures_of(_other_problem(csgraph, sources, limit, directed, unweighted, semiring, how), parts)
    return measures_of(_problem(csgraph, sources, limit, directed, unweighted, how), parts)


def measures_of(problem: Problem, parts: int = ALL_PARTS) -> Measures:
    """The measures of a problem. parts: bits of the parts that are wanted."""
    if problem.n == 0:
        raise ValueError("expected a graph with vertices, found none")
    made = _library.Measures()
    problem.ask_for_integers()
    if problem.may_be_inexact and problem.is_signed:
        parts |= parts_of("histogram")  # the histogram has the least distance
    try:
        solve_into(lambda sink, error: _lib.apsp_sink_measures_of(sink, parts, made, error),
                   problem, False, 64 * problem.count)
        found = _read_measures(made, problem, parts)
    finally:
        _lib.apsp_measures_free(made)
    if problem.may_be_inexact:
        least = found.histogram[1][0] if problem.is_signed else 0
        if max(-least, found.largest_distance) >= EXACT / problem.divisor:
            raise inexact("a distance")
    return found
