# SPDX-License-Identifier: MIT
"""Accessibility: sums of masses that decay with distance or lie within limits; and the nearest
facilities."""

from __future__ import annotations

import sys
import types
from typing import Any, List, Optional, Tuple

import numpy

from apsp import _library
from apsp._graphs import edges_in, names_in
from apsp._numbers import decimal_scale, vertices_of
from apsp._problem import How, HowArguments, Problem, Unpack, limit_of
from apsp._shown import grid_shown, shown

_lib = _library.LIB


# Arguments ---------------------------------------------------------------------------------------

def _problem_of(csgraph: Any, sources: Any, directed: bool, unweighted: bool,
                how: HowArguments) -> Problem:
    """Decimal weights become integers, as by `scale`: a limit of 0.3 is that of 0.1 + 0.2."""
    for name in "device", "check":
        if how.pop(name, None):  # type: ignore[misc]
            raise ValueError("%s: expected none: what is near is found on the CPU and without a "
                             "proof" % name)
    chosen = How(**how)
    found = edges_in(csgraph, chosen.weight, unweighted)
    if found.weights is not None and not unweighted and chosen.scale is None and chosen.grid == 0:
        chosen.scale = decimal_scale(found.weights)
    return Problem(found, sources, float("inf"), directed, unweighted, chosen)


def _numbers(name: str, given: Any) -> numpy.ndarray:
    """One number or a sequence of them, as an array."""
    found = numpy.asarray([] if given is None else given, dtype=numpy.float64)
    if found.ndim > 1:
        raise ValueError("%s: expected numbers, found an array of shape %s" % (name, found.shape))
    return numpy.atleast_1d(found)


def _by_vertex(table: Any, graph: Any, n: int) -> Any:
    """A series or a frame of pandas in the order of vertices: by their names, if the graph has names,
    otherwise by their numbers. Vertices that it lacks have 0."""
    known = names_in(graph)
    names = range(n) if known is None else known
    if not table.index.is_unique:
        raise ValueError("masses: expected each vertex once in the index, found %r several times"
                         % (table.index[table.index.duplicated()][0],))
    unknown = table.index.difference(sys.modules["pandas"].Index(names), sort=False)
    if len(unknown) > 0:
        raise ValueError("masses: expected vertices of the graph in the index, found %r (to_numpy() of "
                         "a table whose rows are in the order of vertices needs no index)"
                         % (unknown[0],))
    return table.reindex(names, fill_value=0)


def _masses_of(given: Any, graph: Any, n: int) -> Tuple[List[Any], numpy.ndarray]:
    """The names of the masses, and an array with a row of masses for each vertex."""
    pandas = sys.modules.get("pandas")  # a caller with a DataFrame has imported pandas
    if pandas is not None and isinstance(given, pandas.DataFrame):
        names, given = list(given.columns), _by_vertex(given, graph, n).to_numpy(dtype=float)
    elif pandas is not None and isinstance(given, pandas.Series):
        names = ["mass" if given.name is None else given.name]
        given = _by_vertex(given, graph, n).to_numpy(dtype=float)
    elif isinstance(given, dict):
        names = list(given)
        columns = [numpy.asarray(given[name], dtype=numpy.float64) for name in names]
        for name, column in zip(names, columns):
            if column.shape != (n,):
                raise ValueError("masses: expected a number for each of %d vertices, found an array "
                                 "of shape %s for %r" % (n, column.shape, name))
        given = numpy.column_stack(columns) if columns else numpy.empty((n, 0))
    else:
        given = numpy.asarray(given, dtype=numpy.float64)
        names = ["mass"] if given.ndim == 1 else list(range(given.shape[-1] if given.ndim else 0))
    if given.ndim == 1:
        given = given.reshape(-1, 1)
    if given.ndim != 2 or given.shape[0] != n or given.shape[1] == 0:
        raise ValueError("masses: expected one or more numbers for each of %d vertices, found an "
                         "array of shape %s" % (n, given.shape))
    return names, numpy.ascontiguousarray(given, dtype=numpy.float64)


# Calls -------------------------------------------------------------------------------------------

def _frame(columns: Any, index: Any) -> Any:
    import pandas  # imported only if a DataFrame is wanted
    return pandas.DataFrame(columns, index=index)


def _names_of(graph: Any, vertices: numpy.ndarray) -> Any:
    names = names_in(graph)
    return vertices if names is None else [names[v] for v in vertices]


def _shortest(number: float) -> str:
    """A number as short text: 600 rather than 600.0."""
    return repr(number)[:-2] if repr(number).endswith(".0") else repr(number)


# Accessibility -----------------------------------------------------------------------------------

class Accessibility(types.SimpleNamespace):
    """The result of accessibility(): `sources`, an array of vertices; `masses`, their names;
    `decays` and `limits`, arrays.

    decayed: an array of shape (sources, masses, decays); within: one of (sources, masses, limits).
    grid_spacing is what the weights were rounded to multiples of, 0 if they were not, and grid_error
    the most that a distance may have changed by that (docs/real.md). engine says how decayed sums
    were found."""

    def __repr__(self) -> str:
        return shown("Accessibility", "%d sources" % len(self.sources), "%d masses" % len(self.masses),
                     "%d decays" % len(self.decays), "%d limits" % len(self.limits), grid_shown(self),
                     "by " + self.engine)

    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each source, by name if the graph has names, and columns
        such as jobs_exp_600 and jobs_within_900."""
        columns = {}
        for m, name in enumerate(self.masses):
            for kind, values, lengths in (("exp", self.decayed, self.decays),
                                          ("within", self.within, self.limits)):
                for j, length in enumerate(lengths.tolist()):
                    columns["%s_%s_%s" % (name, kind, _shortest(length))] = values[:, m, j]
        return _frame(columns, self.names)


def accessibility(csgraph: Any, masses: Any, decays: Any = None, limits: Any = None,
                  sources: Any = None, *, directed: bool = True, unweighted: bool = False,
                  **how: Unpack[HowArguments]) -> Accessibility:
    """Returns the accessibility of each vertex: what can be reached from it, weighted by how far it
    is. For a source s and each mass, the sum over vertices t of mass(t) * exp(-d(s, t) / decay), and
    of mass(t) with d(s, t) <= limit. The source itself counts, at distance 0; what it does not reach
    does not.

    masses: a number of 0 or more for each vertex; or several, as an array with a row for each vertex,
        a dictionary of arrays, or a DataFrame or Series of pandas, whose index has the vertices, by
        name if read() has read the graph; vertices that it lacks have 0.
    decays, limits: a number or several, in the unit of the weights.
    sources: the vertices whose sums are wanted, which must be different; None for all.
    engine: for decayed sums, "searches", Dijkstra's algorithm; "classes", elimination and classes of
        rows, where they can be, of many sums on a GPU if there is one; None for the one that is
        predicted to be faster.
    The other arguments, and exceptions, are those of floyd_warshall, but for device and check.

    Returns Accessibility. Weights below 0 are refused.

    >>> import apsp
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> found = apsp.accessibility(path, [10, 0, 5], decays=2, limits=[0, 1])
    >>> found.decayed.round(3).tolist()
    [[[11.839]], [[9.098]], [[8.679]]]
    >>> found.within.tolist()
    [[[10.0, 10.0]], [[0.0, 15.0]], [[5.0, 5.0]]]
    """
    problem = _problem_of(csgraph, sources, directed, unweighted, how)
    names, rows = _masses_of(masses, csgraph, problem.n)
    decay, limit = _numbers("decays", decays), _numbers("limits", limits)
    if len(decay) + len(limit) == 0:
        raise ValueError("decays, limits: expected one of them or both, found neither")
    scaled = decay * float(problem.divisor)
    bounds = numpy.array([limit_of(each, problem.divisor) for each in limit.tolist()])
    decayed = numpy.zeros((problem.count, len(decay), len(names)))
    within = numpy.zeros((problem.count, len(limit), len(names)))
    asked = _library.new(_library.Accessibility, grid=problem.grid(),
                         masses=rows.ctypes.data, mass_count=len(names),
                         decay_count=len(decay), limit_count=len(limit),
                         threads=problem.how.threads)
    if len(decay) > 0:
        asked.decays, asked.decayed = scaled.ctypes.data, decayed.ctypes.data
    if len(limit) > 0:
        asked.limits, asked.within = bounds.ctypes.data, within.ctypes.data
    if problem.how.engine is not None:
        asked.engine = problem.how.engine.encode()
    if problem.sources is not None:
        asked.sources, asked.source_count = problem.sources.ctypes.data, problem.count
    if problem.n > 0:
        problem.call(_lib.apsp_accessibility_find, asked)
    vertices = problem.all_sources()
    return Accessibility(
        sources=vertices, names=_names_of(csgraph, vertices), masses=names, decays=decay,
        limits=limit, decayed=decayed.transpose(0, 2, 1), within=within.transpose(0, 2, 1),
        grid_spacing=asked.grid_spacing / problem.divisor,
        grid_error=asked.grid_error / problem.divisor, engine=(asked.chosen or b"searches").decode())


# Nearest facilities ------------------------------------------------------------------------------

class Nearest(types.SimpleNamespace):
    """The result of nearest(): arrays with a row of k entries for each vertex. `facilities` has the
    vertices of the nearest facilities, -1 where fewer are reached; `distances` has the distances to
    them, infinite there.

    grid_spacing and grid_error are those of Accessibility."""

    def __repr__(self) -> str:
        return shown("Nearest", "%d vertices" % len(self.facilities),
                     "%d facilities of each" % self.facilities.shape[1], grid_shown(self))

    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each vertex, by name if the graph has names, and columns
        nearest_1, distance_1 and so on. Where there is no facility, it has None and infinity."""
        columns = {}
        for i in range(self.facilities.shape[1]):
            columns["nearest_%d" % (i + 1)] = [
                None if v < 0 else self.names[v] for v in self.facilities[:, i].tolist()]
            columns["distance_%d" % (i + 1)] = self.distances[:, i]
        return _frame(columns, self.names)


def nearest(csgraph: Any, facilities: Any, k: int = 1, *, directed: bool = True,
            unweighted: bool = False, **how: Unpack[HowArguments]) -> Nearest:
    """The k nearest of some facilities from each vertex, and how far they are. One search from all
    facilities backwards finds them; with k = 1 it is the network Voronoi diagram.

    facilities: different vertices. Of several at the same distance, the one that is first in this
        list comes first.
    The other arguments, and exceptions, are those of floyd_warshall, but for engine, threads, device
    and check.

    Returns Nearest. Weights below 0 are refused.

    >>> import apsp
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> found = apsp.nearest(path, [2, 0], k=2)
    >>> found.facilities.tolist(), found.distances.tolist()
    ([[0, 2], [2, 0], [2, 0]], [[0.0, 2.0], [1.0, 1.0], [0.0, 2.0]])
    """
    if how.pop("engine", None) is not None:  # type: ignore[misc]
        raise ValueError("engine: expected none: there is one way to find the nearest facilities")
    problem = _problem_of(csgraph, None, directed, unweighted, how)
    given = vertices_of("facilities", facilities)
    if given is None or given.ndim > 1 or given.size == 0:
        raise ValueError("facilities: expected one or more vertices, found %r" % (facilities,))
    places = numpy.ascontiguousarray(numpy.atleast_1d(given), dtype=numpy.int64)
    if places.min() < 0 or places.max() >= problem.n:
        raise ValueError("facilities: expected vertices 0 .. %d, found %d"
                         % (problem.n - 1, places.min() if places.min() < 0 else places.max()))
    if len(numpy.unique(places)) < len(places):
        raise ValueError("facilities: expected different vertices, found some twice")
    if not isinstance(k, (int, numpy.integer)) or not 1 <= k < 2**31:
        raise ValueError("k: expected a number of facilities, 1 or more, found %r" % (k,))
    vertices = places.astype(numpy.int32)
    found = numpy.empty((problem.n, k), dtype=numpy.int32)
    distances = numpy.empty((problem.n, k))
    asked = _library.new(_library.Nearest, grid=problem.grid(), facilities=vertices.ctypes.data,
                         facility_count=len(vertices), k=k, nearest=found.ctypes.data,
                         distances=distances.ctypes.data)
    problem.call(_lib.apsp_nearest_find, asked)
    distances /= float(problem.divisor)
    return Nearest(facilities=numpy.where(found < 0, numpy.int32(-1), vertices[found]),
                   distances=distances, names=_names_of(csgraph, problem.all_sources()),
                   grid_spacing=asked.grid_spacing / problem.divisor,
                   grid_error=asked.grid_error / problem.divisor)
