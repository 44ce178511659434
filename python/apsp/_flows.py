# SPDX-License-Identifier: MIT
"""Flows along shortest paths: the betweenness of vertices and edges, and the loads of trips."""

from __future__ import annotations

import math
import types
from typing import Any, NamedTuple, Optional

import numpy

from apsp import _library
from apsp._graphs import edges_in, shown_edges
from apsp._numbers import decimal_scale, vertices_of
from apsp._problem import How, HowArguments, Problem, Unpack
from apsp._shown import grid_shown, shown, sources_shown

_lib = _library.LIB


# The library's values ----------------------------------------------------------------------------

class Flow(NamedTuple):
    """Sums over pairs of a source and another vertex, one from each end if the graph is undirected:
    `vertices`, and `edges` from `tails` to `heads`, which are None unless they were asked for."""

    vertices: numpy.ndarray
    tails: Any
    heads: Any
    edges: Any
    is_undirected: bool   # every edge leads back with the same weight
    grid_spacing: float
    grid_error: float
    engine: str
    totals: Any = None    # for trips: numbers that arrive, stay, have no path; sum of lengths


class Trips(NamedTuple):
    """Trips from vertices to others, arrays of one length."""

    origins: numpy.ndarray
    destinations: numpy.ndarray
    counts: numpy.ndarray


def _address(array: Optional[numpy.ndarray]) -> Any:
    return None if array is None else array.ctypes.data


def flow_of(problem: Problem, edges: bool = False, endpoints: bool = False,
            from_mass: Optional[numpy.ndarray] = None,
            to_mass: Optional[numpy.ndarray] = None, trips: Optional[Trips] = None,
            decay: float = 0.0) -> Flow:
    """The flow for the graph and the sources of a problem, or for trips."""
    vertices = numpy.zeros(problem.n)
    if problem.n == 0:
        none = numpy.empty(0, dtype=numpy.int32)
        return Flow(vertices, none, none, numpy.empty(0), True, 0.0, 0.0, "searches")
    how, asked, found = problem.how, _library.new(_library.Betweenness), []
    asked.vertices, asked.endpoints, asked.threads = vertices.ctypes.data, endpoints, how.threads
    asked.from_mass, asked.to_mass = _address(from_mass), _address(to_mass)
    asked.engine = None if how.engine is None else how.engine.encode()
    asked.grid = problem.grid()
    asked.decay = decay * float(problem.divisor)
    if trips is not None:
        asked.trip_count = len(trips.counts)
        asked.trip_from, asked.trip_to, asked.trips = map(_address, trips)
    if problem.sources is not None:
        asked.sources, asked.source_count = problem.sources.ctypes.data, problem.count

    def take_edges(graph: Any) -> None:
        tails, heads, _, _ = shown_edges(graph)
        values = numpy.zeros(len(heads))
        found.append((tails, heads, values))
        asked.edges = values.ctypes.data

    problem.call(_lib.apsp_betweenness_find, asked, take_edges if edges else None)
    return Flow(vertices, *(found[0] if edges else (None, None, None)), bool(asked.is_undirected),
                asked.grid_spacing / problem.divisor, asked.grid_error / problem.divisor,
                asked.chosen.decode(),
                (asked.trips_arrived, asked.trips_within, asked.trips_without_path,
                 asked.trips_length / problem.divisor))


# Scales ------------------------------------------------------------------------------------------

def rescaled(values: numpy.ndarray, n: int, sources: Optional[numpy.ndarray], *, normalized: bool,
             directed: bool, endpoints: bool) -> numpy.ndarray:
    """Scales values for pairs from some sources (None: all vertices) as NetworkX 3.6 does: they are
    divided by the number of pairs that may count, or extrapolated to all sources, and undirected
    pairs count once. Values of edges count endpoints.

    A source of the sample has no pairs with itself, so one fewer may count for it."""
    counted = n if endpoints else n - 1  # number of vertices that may be sources of a pair
    if counted < 2:
        return values
    count = counted if sources is None else len(sources)

    def scale(pairs_from: int) -> float:
        if pairs_from == 0:
            return math.nan  # the only source gives no value for itself
        if normalized:
            return 1 / (pairs_from * (counted - 1))
        return counted / (pairs_from * (1 if directed else 2))

    found = values * scale(count)
    if sources is not None and not endpoints:
        found[sources] = values[sources] * scale(count - 1)
    return found


def sums_of_both(flow: Flow) -> Flow:
    """The edges of an undirected graph, each once with its tail below its head, and the sum of both
    directions' flows."""
    n = len(flow.vertices)
    low, high = numpy.minimum(flow.tails, flow.heads), numpy.maximum(flow.tails, flow.heads)
    keys, place = numpy.unique(low.astype(numpy.int64) * n + high, return_inverse=True)
    return flow._replace(tails=(keys // n).astype(numpy.int32), heads=(keys % n).astype(numpy.int32),
                         edges=numpy.bincount(place.ravel(), flow.edges, len(keys)))


# Betweenness -------------------------------------------------------------------------------------

class Betweenness(types.SimpleNamespace):
    """The result of betweenness(): `vertices`, an array by vertex; `sources`, an array of vertices;
    `is_undirected`: whether each edge leads back with the same weight, so that pairs count once.

    With `edges`, arrays of one length, in the order of tails, and of heads for the same tail:
    edge_tails, edge_heads and `edges`, the betweenness of each; of an undirected graph each edge is
    there once, from the vertex of the lower number.

    grid_spacing is what the weights were rounded to multiples of, 0 if they were not, and grid_error
    the most that a distance may have changed by that (docs/real.md). engine says how it was found."""

    def __repr__(self) -> str:
        edges = getattr(self, "edges", None)
        return shown("Betweenness", sources_shown(len(self.sources), len(self.vertices)),
                     "undirected" if self.is_undirected else "directed", str(self.vertices.dtype),
                     grid_shown(self), "no edges" if edges is None else "%d edges" % len(edges),
                     "not proved", "by " + self.engine)


def _exact_problem(csgraph: Any, sources: Any, directed: bool, unweighted: bool,
                   chosen: How) -> Problem:
    """The problem of a graph whose weights with decimals add up as on paper."""
    found = edges_in(csgraph, chosen.weight, unweighted)
    if found.weights is not None and not unweighted and chosen.scale is None and chosen.grid == 0:
        chosen.scale = decimal_scale(found.weights)
    return Problem(found, sources, math.inf, directed, unweighted, chosen)


def _mass_of(name: str, given: Any, n: int) -> Optional[numpy.ndarray]:
    if given is None:
        return None
    found = numpy.ascontiguousarray(given, dtype=numpy.float64)
    if found.shape != (n,):
        raise ValueError("%s: expected a number for each of %d vertices, found an array of shape %s"
                         % (name, n, found.shape))
    return found


def betweenness(csgraph: Any, sources: Any = None, *, edges: bool = False,
                normalized: Optional[bool] = None, endpoints: bool = False, directed: bool = True,
                unweighted: bool = False, from_mass: Any = None, to_mass: Any = None,
                decay: Optional[float] = None, **how: Unpack[HowArguments]) -> Betweenness:
    """How many shortest paths lead through each vertex and over each edge: the pair of a source and
    another vertex counts once, and is divided among its shortest paths. Ties are exact: weights with
    up to nine decimals become integers, as by `scale`, and other real weights that are on no grid are
    rounded to one (docs/real.md).

    sources: the vertices that paths begin at, which must be different; None for all. If they are a
        sample, values are those that NetworkX 3.6 estimates from it.
    edges: whether values of edges are wanted, too.
    normalized: whether values are divided by the number of pairs that may count, as NetworkX does
        it; otherwise they are sums of pairs. None: unless masses or a decay are given.
    endpoints: whether a vertex gets the pairs that it is an end of, too.
    from_mass, to_mass: a number for each vertex. The pair of s and t counts from_mass[s] *
        to_mass[t] times, as traffic from s to t; then pairs count from either end, and an edge each
        way.
    decay: a length, in the unit of the weights. The pair of s and t counts exp(-distance / decay)
        times as much, as in a gravity model, and from either end.
    engine: "searches", Brandes' algorithm; "classes", elimination and classes of rows, or "sweeps",
        elimination and sweeps from some sources at a time, where they can be; None for the one that is
        predicted to be the fastest.
    The other arguments, and exceptions, are those of floyd_warshall, but for device and check.

    Returns Betweenness. A cycle whose edges weigh 0 is refused: it has no number of shortest paths.

    >>> import apsp
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> apsp.betweenness(path).vertices
    array([0., 1., 0.])
    >>> found = apsp.betweenness(path, edges=True, normalized=False, endpoints=True)
    >>> found.vertices, found.edge_tails, found.edge_heads, found.edges
    (array([2., 3., 2.]), array([0, 1], dtype=int32), array([1, 2], dtype=int32), array([2., 2.]))
    >>> apsp.betweenness(path, from_mass=[10, 0, 0], to_mass=[0, 1, 1]).vertices
    array([ 0., 10.,  0.])
    """
    for name in "device", "check":
        if how.pop(name, None):  # type: ignore[misc]
            raise ValueError("%s: expected none: betweenness is found on the CPU and without a proof"
                             % name)
    if decay is not None and not 1e-300 <= decay <= 1e300:
        raise ValueError("decay: expected a number above 0, 1e-300 to 1e300, found %s" % decay)
    with_masses = from_mass is not None or to_mass is not None or decay is not None
    if normalized is None:
        normalized = not with_masses
    elif normalized and with_masses:
        raise ValueError("normalized: expected False with masses and decay, by which pairs differ, found True")
    problem = _exact_problem(csgraph, sources, directed, unweighted, How(**how))
    flow = flow_of(problem, edges, endpoints, _mass_of("from_mass", from_mass, problem.n),
                   _mass_of("to_mass", to_mass, problem.n), decay=decay or 0.0)
    vertices, of_edges = flow.vertices, flow.edges
    if not with_masses:
        if edges and flow.is_undirected:
            flow = sums_of_both(flow)
        vertices, of_edges = (
            values if values is None else
            rescaled(values, problem.n, problem.sources, normalized=normalized,
                     directed=not flow.is_undirected, endpoints=all_ends)
            for values, all_ends in ((vertices, endpoints), (flow.edges, True)))
    made = Betweenness(vertices=vertices, sources=problem.all_sources(),
                       is_undirected=flow.is_undirected, grid_spacing=flow.grid_spacing,
                       grid_error=flow.grid_error, engine=flow.engine)
    if edges:
        made.edge_tails, made.edge_heads, made.edges = flow.tails, flow.heads, of_edges
    return made


# Loads -------------------------------------------------------------------------------------------

class Loads(types.SimpleNamespace):
    """The result of loads(): arrays of one length, in the order of tails, and of heads for the same
    tail: edge_tails, edge_heads and `edges`, the trips that use each edge; `vertices`, an array by
    vertex of the trips that lead through it. Numbers of trips: `arrived` at another vertex, `within`
    the vertex where they begin, `without_path`; and `length`, that of all that arrive. grid_spacing
    and grid_error are those of Betweenness."""

    def __repr__(self) -> str:
        return shown("Loads", "%d vertices" % len(self.vertices), "%d edges" % len(self.edges),
                     "%g trips arrive" % self.arrived, "%g stay" % self.within,
                     "%g without a path" % self.without_path, grid_shown(self))


def _vertices_of(name: str, given: Any, n: int) -> numpy.ndarray:
    found = vertices_of(name, given)
    if found is None or found.ndim != 1:
        raise ValueError("%s: expected a list of vertices, found %r" % (name, given))
    if found.size > 0 and (found.min() < 0 or found.max() >= n):
        raise ValueError("%s: expected vertices in 0 .. %d, found %d"
                         % (name, n - 1, found.min() if found.min() < 0 else found.max()))
    return numpy.ascontiguousarray(found, dtype=numpy.int32)


def loads(csgraph: Any, origins: Any, destinations: Any, trips: Any = None, *, directed: bool = True,
          unweighted: bool = False, **how: Unpack[HowArguments]) -> Loads:
    """Loads trips on the edges of their shortest paths, all or nothing: trips[k], or one, from vertex
    origins[k] to destinations[k]. Trips that have several shortest paths are divided among all of
    them. Ties are exact, as in betweenness().

    The other arguments, and exceptions, are those of betweenness.

    >>> import apsp
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> found = apsp.loads(path, [0, 0, 2], [1, 2, 2], [5, 3, 1])
    >>> found.edge_tails, found.edge_heads, found.edges
    (array([0, 1, 1, 2], dtype=int32), array([1, 0, 2, 1], dtype=int32), array([8., 0., 3., 0.]))
    >>> found.arrived, found.within, found.without_path, found.length
    (8.0, 1.0, 0.0, 11.0)
    """
    for name in "device", "check":
        if how.pop(name, None):  # type: ignore[misc]
            raise ValueError("%s: expected none: loads are found on the CPU and without a proof" % name)
    problem = _exact_problem(csgraph, None, directed, unweighted, How(**how))
    asked = Trips(_vertices_of("origins", origins, problem.n),
                  _vertices_of("destinations", destinations, problem.n),
                  numpy.ones(len(origins)) if trips is None else
                  numpy.ascontiguousarray(trips, dtype=numpy.float64))
    if not len(asked.origins) == len(asked.destinations) == len(asked.counts) or asked.counts.ndim != 1:
        raise ValueError("trips: expected as many origins, destinations and trips, found %d, %d and %s"
                         % (len(asked.origins), len(asked.destinations), asked.counts.shape))
    flow = flow_of(problem, True, trips=asked)
    arrived, within, without_path, length = flow.totals or (0.0,) * 4
    return Loads(vertices=flow.vertices, edge_tails=flow.tails, edge_heads=flow.heads, edges=flow.edges,
                 arrived=arrived, within=within, without_path=without_path, length=length,
                 grid_spacing=flow.grid_spacing, grid_error=flow.grid_error)
