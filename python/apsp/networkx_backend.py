# SPDX-License-Identifier: MIT
"""NetworkX's backend "apsp": its functions that need the distances of all pairs.

    nx.diameter(G, backend="apsp")
    nx.config.backend_priority = ["apsp"]   # then apsp is used for all graphs that are large enough

A function raises NotImplementedError for what it leaves to NetworkX, which goes on by itself
unless the caller has named this backend. Needs NetworkX 3.4.
"""

from __future__ import annotations

import functools
import inspect
import math
import random
from collections.abc import MutableMapping
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import networkx as nx
import numpy

from apsp import _library
from apsp._eccentricity import Found as Bounded, find
from apsp._errors import ApspError, NegativeCycleError
from apsp._flows import Flow, flow_of, rescaled
from apsp._graphs import Found, edges_in, networkx_weights
from apsp._numbers import COMPUTED, INT32, NO_PATH, decimal_scale, taken
from apsp._problem import How, OutOfRange, Problem, answer
from apsp._rows import Measures, Rows, measures_of, parts_of

# With fewer vertices, NetworkX finishes before a graph would be converted.
_WORTHWHILE = 64


# Graphs ------------------------------------------------------------------------------------------

class Graph:
    """A graph of NetworkX as arrays: edges as they lead from vertex to vertex, both ways if the
    graph is undirected, and for each attribute that was asked for the weights, or why they are
    none."""

    __networkx_backend__ = "apsp"

    def __init__(self, graph: Any, attributes: Any) -> None:
        found = edges_in(graph, None, True)
        self.n, self.tails, self.heads = found.n, found.all_tails(), found.heads
        self.nodes = list(graph)
        self.number = dict(zip(self.nodes, range(self.n)))
        self.directed, self.multi = graph.is_directed(), graph.is_multigraph()
        self.weights: Dict[Any, Union[numpy.ndarray, str]] = {}
        # The keys of parallel edges, in the order of `tails`, and by attribute those of the lightest.
        self.keys = _keys_in(graph, lambda parallel: parallel) if self.multi else None
        self.lightest = {None: self.keys}
        self.__networkx_cache__: Dict[Any, Any] = {}
        for name in attributes:
            self.weights[name] = _weights_in(graph, name)
            if self.multi and not isinstance(self.weights[name], str):
                self.lightest[name] = _keys_in(graph, functools.partial(_lightest, name))

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multi

    def __len__(self) -> int:
        return self.n

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.number
        except TypeError:
            return False

    def nbunch(self, nbunch: Any) -> List[int]:
        """Numbers of the vertices in a container, as NetworkX's nbunch_iter takes one."""
        if nbunch in self:
            return [self.number[nbunch]]
        try:
            wanted = list(nbunch)
        except TypeError as error:
            raise nx.NetworkXError("Node %r is not in the graph." % (nbunch,)) from error
        return list(dict.fromkeys(self.number[node] for node in wanted if node in self))

    def weights_by(self, name: Any) -> numpy.ndarray:
        weights = self.weights[name]
        if isinstance(weights, str):
            raise NotImplementedError(weights)
        return weights

    def found(self, weight: Any, reverse: bool = False) -> Found:
        weights = None if weight is None else self.weights_by(weight)
        tails, heads = (self.heads, self.tails) if reverse else (self.tails, self.heads)
        return Found(self.n, tails, heads, weights, False)


def _keys_in(graph: Any, chosen: Callable[[dict], Any]) -> List[list]:
    """For each pair of neighbours in a multigraph, the keys of the edges between them that are chosen."""
    return [list(chosen(parallel)) for _, near in graph.adjacency() for parallel in near.values()]


def _lightest(name: Any, parallel: dict) -> List[Any]:
    """The keys of the lightest of parallel edges."""
    weights = {key: data.get(name, 1) for key, data in parallel.items()}
    least = min(weights.values())
    return [key for key, weight in weights.items() if weight == least]


def _weights_in(graph: Any, name: Any) -> Union[numpy.ndarray, str]:
    """The weights that an attribute gives a graph's edges, or the reason why there are none."""
    try:
        weights = networkx_weights(graph, name)
        computed = taken(weights, None, COMPUTED, len(graph))[0]
        if computed.dtype.kind == "f" and weights.dtype.kind != "f" and (
                int(abs(weights).max()) * (len(graph) - 1) > 2**53):
            return "distances may be integers beyond 2^53, which NetworkX does not round"
        return weights
    except (TypeError, ValueError) as error:
        return str(error)


def convert_from_nx(graph: Any, edge_attrs: Any = None, **_: Any) -> Any:
    return graph if isinstance(graph, Graph) else Graph(graph, edge_attrs or ())


def convert_to_nx(result: Any, **_: Any) -> Any:
    if not isinstance(result, Graph):
        return result
    kind = nx.MultiDiGraph if result.directed and result.multi else (
        nx.MultiGraph if result.multi else nx.DiGraph if result.directed else nx.Graph)
    graph = kind()
    graph.add_nodes_from(result.nodes)
    columns = {name: weights.tolist() for name, weights in result.weights.items()
               if not isinstance(weights, str)}
    for e, (tail, head) in enumerate(zip(result.tails.tolist(), result.heads.tolist())):
        if result.directed or tail <= head:
            graph.add_edge(result.nodes[tail], result.nodes[head],
                           **{name: values[e] for name, values in columns.items()})
    return graph


# Arguments that are taken ------------------------------------------------------------------------

class _Offer(NamedTuple):
    """An offer to compute a function of NetworkX: `weight`, the name of its argument that is an
    attribute, or None; whether weights may be `negative`, and whether they may need floating point
    (`real`); and the arguments that must have their defaults (`fixed`)."""

    signature: inspect.Signature
    weight: Optional[str]
    negative: bool
    real: bool
    fixed: Tuple[str, ...]


_OFFERS: Dict[str, _Offer] = {}


def _offered(weight: Optional[str] = None, negative: bool = False, real: bool = True,
             fixed: Tuple[str, ...] = ()) -> Callable:
    def offer(function: Callable) -> Callable:
        _OFFERS[function.__name__] = _Offer(inspect.signature(function), weight, negative, real,
                                            fixed)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except ApspError as error:
                if error.status == _library.BAD_INPUT:  # a distance does not fit
                    raise NotImplementedError(str(error)) from error
                raise
        return call
    return offer


def can_run(name: str, args: Any, kwargs: Any) -> Union[bool, str]:
    """True, or why not."""
    offer = _OFFERS.get(name)
    if offer is None:
        return "not one of the functions of this backend"
    try:
        bound = offer.signature.bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    bound.apply_defaults()
    given = bound.arguments
    for argument in offer.fixed:
        if given[argument] != offer.signature.parameters[argument].default:
            return "%s is given" % argument
    cutoff = given.get("cutoff")
    if cutoff is not None and not (isinstance(cutoff, (int, float)) and cutoff >= 0):
        return "the cutoff is not a number from 0"
    graph = given["G"]
    if len(graph) == 0:
        return "the graph is empty"
    weight = None if offer.weight is None else given[offer.weight]
    if weight is None:
        return True
    if callable(weight):
        return "the weight is a function"
    weights = (graph.weights.get(weight, "the attribute was not converted")
               if isinstance(graph, Graph) else _weights_in(graph, weight))
    if isinstance(weights, str):
        return weights
    if not offer.negative and len(weights) > 0 and weights.min() < 0:
        return "weights are negative"
    if not offer.real:
        try:
            taken(weights, None, [INT32], len(graph))
        except ValueError as error:
            return str(error)
    return True


def should_run(name: str, args: Any, kwargs: Any) -> Union[bool, str]:
    given = _OFFERS[name].signature.bind(*args, **kwargs).arguments
    if given.get("source") is not None and given.get("target") is not None:
        return "it is for one pair"
    return True if len(given["G"]) >= _WORTHWHILE else "the graph is small"


# Mappings ----------------------------------------------------------------------------------------

class _Lazy(MutableMapping):
    """A mapping from nodes. When it is first iterated over or changed, the whole dictionary is made,
    which is used from then on."""

    def __init__(self) -> None:
        self._made: Optional[dict] = None

    def _look_up(self, node: Any) -> Any:
        raise NotImplementedError

    def _make(self) -> dict:
        raise NotImplementedError

    def __getitem__(self, node: Any) -> Any:
        return self._look_up(node) if self._made is None else self._made[node]

    def __setitem__(self, node: Any, value: Any) -> None:
        self._whole()[node] = value

    def __delitem__(self, node: Any) -> None:
        del self._whole()[node]

    def _whole(self) -> dict:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __iter__(self) -> Iterator:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def keys(self) -> Any:
        return self._whole().keys()

    def values(self) -> Any:
        return self._whole().values()

    def items(self) -> Any:
        return self._whole().items()

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, _Lazy):
            other = other._whole()
        return self._whole() == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._whole())


class _Distances(_Lazy):
    """The distances of one row by node, in the order of distance; without nodes that have no path,
    or, if `infinite`, with them. The distance of the source is the integer 0, as NetworkX has
    it."""

    def __init__(self, graph: Graph, source: int, cells: numpy.ndarray, integral: bool,
                 infinite: bool) -> None:
        super().__init__()
        self._graph, self._source, self._cells = graph, source, cells
        self._integral, self._infinite = integral, infinite
        self._none = NO_PATH[cells.dtype]

    def _look_up(self, node: Any) -> Union[int, float]:
        v = self._graph.number[node]
        value = self._cells[v]
        if v == self._source:
            return 0
        if value == self._none:
            if self._infinite:
                return math.inf
            raise KeyError(node)
        return int(value) if self._integral else float(value)

    def _make(self) -> dict:
        order = numpy.argsort(self._cells, kind="stable")
        cells = self._cells[order]
        paths = int(numpy.searchsorted(cells, self._none))
        values = cells[:paths].tolist()
        if self._integral != (cells.dtype.kind == "i"):
            values = list(map(int if self._integral else float, values))
        if self._infinite:
            values += [math.inf] * (len(cells) - paths)
        nodes = self._graph.nodes
        made = {nodes[v]: value for v, value in zip(order.tolist(), values)}
        made[nodes[self._source]] = 0
        return made


class _Predecessors(_Lazy):
    """The nodes before each node on a shortest path, of one row."""

    def __init__(self, graph: Graph, cells: numpy.ndarray) -> None:
        super().__init__()
        self._graph, self._cells = graph, cells

    def _look_up(self, node: Any) -> Any:
        before = self._cells[self._graph.number[node]]
        if before < 0:
            raise KeyError(node)
        return self._graph.nodes[before]

    def _make(self) -> dict:
        nodes = self._graph.nodes
        return {nodes[v]: nodes[before] for v, before in enumerate(self._cells.tolist())
                if before >= 0}


class _Paths(_Predecessors):
    """The shortest paths of one row by the node at their end, in the order of distance."""

    def __init__(self, graph: Graph, source: int, cells: numpy.ndarray,
                 distances: numpy.ndarray) -> None:
        super().__init__(graph, cells)
        self._source, self._distances = source, distances

    def _look_up(self, node: Any) -> List[Any]:
        v = self._graph.number[node]
        if v != self._source and self._cells[v] < 0:
            raise KeyError(node)
        path = [v]
        while path[-1] != self._source:
            path.append(int(self._cells[path[-1]]))
        return [self._graph.nodes[v] for v in reversed(path)]

    def _make(self) -> dict:
        order = numpy.argsort(self._distances, kind="stable").tolist()
        nodes = self._graph.nodes
        return {nodes[v]: self._look_up(nodes[v]) for v in order
                if v == self._source or self._cells[v] >= 0}


class _Table(_Lazy):
    """A mapping from nodes to their rows. `row` makes a row when it is first asked for. kept: mask of
    the nodes that have a row; None: all."""

    def __init__(self, graph: Graph, row: Callable[[int], Any],
                 kept: Optional[numpy.ndarray] = None) -> None:
        super().__init__()
        self._graph, self._row, self._kept = graph, row, kept
        self._rows: Dict[Any, Any] = {}

    def _look_up(self, node: Any) -> Any:
        if node not in self._rows:
            v = self._graph.number[node]
            if self._kept is not None and not self._kept[v]:
                raise KeyError(node)
            self._rows[node] = self._row(v)
        return self._rows[node]

    def _make(self) -> dict:
        return {node: self._look_up(node) for v, node in enumerate(self._graph.nodes)
                if self._kept is None or self._kept[v]}


# Solving -----------------------------------------------------------------------------------------

def _problem(graph: Graph, weight: Any, limit: float = math.inf, sources: Any = None,
             reverse: bool = False, how: How = How()) -> Problem:
    try:
        return Problem(graph.found(weight, reverse), sources, limit, True, weight is None, how)
    except ValueError as error:  # can_run has returned the reason
        raise NotImplementedError(str(error)) from error


def _is_integral(graph: Graph, weight: Any, problem: Problem) -> bool:
    """Returns whether NetworkX's distances would be of Python's int."""
    return weight is None or (graph.weights_by(weight).dtype.kind != "f" and problem.divisor == 1)


def _kind(problem: Problem) -> numpy.dtype:
    """The smallest type of answers that is exact."""
    return numpy.dtype(numpy.float64) if problem.divisor != 1 else problem.computed.dtype


def _all_fits(graph: Graph, weight: Any) -> bool:
    """Returns whether no distance can be out of range and no cycle negative."""
    if weight is None or len(graph.tails) == 0:
        return True
    computed, weights, _ = taken(graph.weights_by(weight), None, COMPUTED, graph.n)
    return bool(weights.min() >= 0 and (computed.dtype.kind == "f" or int(
        weights.max()) * (graph.n - 1) < computed.infinity))


@functools.lru_cache(maxsize=None)
def _lengths_go_beyond() -> bool:
    """Returns whether NetworkX's search for lengths ends with the first level that is not below the
    cutoff, as its search for paths does, or, in older versions, with the last one that is not above
    it."""
    lengths = nx.single_source_shortest_path_length
    plain = getattr(lengths, "orig_func", lengths)
    return 2 in dict(plain(nx.path_graph(3), 0, cutoff=1.5))


def _levels(cutoff: Optional[float], paths: bool) -> Optional[float]:
    """The number of the last level that NetworkX's breadth-first search finds."""
    if cutoff is None or cutoff == math.inf:
        return None
    return math.ceil(cutoff) if paths or _lengths_go_beyond() else math.floor(cutoff)


def _limit_of(cutoff: Optional[float]) -> float:
    """The longest distance that is wanted."""
    return math.inf if cutoff is None else cutoff


def _rows(graph: Graph, weight: Any, cutoff: Optional[float], predecessors: bool) -> Iterator:
    """Returns an iterator over (vertex, distances, predecessors or None, whether the distances are
    integers) for all vertices in order. A failure is raised by this call, not later when rows are asked
    for."""
    limit = _limit_of(cutoff)
    problem = _problem(graph, weight, limit)
    integral, kind = _is_integral(graph, weight, problem), _kind(problem)
    if not _all_fits(graph, weight):
        found = _matrix(graph, weight, predecessors, limit)
        pred: Any = found.predecessors if predecessors else [None] * graph.n
        return ((v, found.distances[v], pred[v], integral) for v in range(graph.n))
    needs = _library.NEEDS_ORDER | (_library.NEEDS_PREDECESSORS if predecessors else 0)
    return ((int(v), block[1][r], block[2][r] if predecessors else None, integral)
            for block in Rows(problem, needs, 0, kind) for r, v in enumerate(block[0]))


def _row(graph: Graph, source: Any, weight: Any, cutoff: Optional[float] = None,
         reverse: bool = False, predecessors: bool = False) -> Tuple[_Distances, _Paths]:
    """The distances from one node to all, or from all to it, and the paths, if asked for."""
    if source not in graph:
        raise nx.NodeNotFound("Node %s not found in graph" % (source,))
    v = graph.number[source]
    problem = _problem(graph, weight, _limit_of(cutoff), [v], reverse)
    integral = _is_integral(graph, weight, problem)
    found = answer(problem, predecessors)
    pred: Any = found.predecessors[0] if found.predecessors is not None else None
    return (_Distances(graph, v, found.distances[0], integral, False),
            _Paths(graph, v, pred, found.distances[0]))


def _measured(graph: Graph, weight: Any, sources: Any = None, reverse: bool = False,
              parts: int = 0) -> Measures:
    """Measures of a problem. parts: the parts of the library's measures that the caller reads, which
    take long."""
    return measures_of(_problem(graph, weight, sources=sources, reverse=reverse), parts)


def _out(found: Measures, name: str) -> numpy.ndarray:
    """A measure of vertices, of the distances from each source."""
    return getattr(found, "out_" + name if found.directed else name)


def _by_node(graph: Graph, values: numpy.ndarray, integral: bool = False) -> Dict[Any, Any]:
    """A dictionary with Python's numbers."""
    values = values.astype(numpy.int64 if integral else numpy.float64, copy=False)
    return dict(zip(graph.nodes, values.tolist()))


def _is_connected(found: Measures) -> bool:
    return found.is_strongly_connected if found.directed else found.is_connected


def _not_connected(graph: Graph) -> nx.NetworkXError:
    return nx.NetworkXError(
        "Found infinite path length because the digraph is not strongly connected"
        if graph.directed else
        "Found infinite path length because the graph is not connected")


def _eccentricities(graph: Graph, weight: Any, sources: Any = None) -> Tuple[Measures, bool]:
    """Measures of a graph in which all paths exist, and whether its distances are integers."""
    problem = _problem(graph, weight, sources=sources)
    integral = _is_integral(graph, weight, problem) or graph.n == 1
    found = measures_of(problem, 0)
    if (_out(found, "reached") != graph.n).any():
        raise _not_connected(graph)
    return found, integral


# NetworkX's functions ----------------------------------------------------------------------------

def _bounded(graph: Graph, weight: Any, **wanted: bool) -> Optional[Tuple[Bounded, bool]]:
    """Returns the measures of a graph in which all paths exist, as searches from a few vertices
    find them, and whether its distances are integers; None if these searches do not suffice, and
    all rows are the faster way on."""
    problem = _problem(graph, weight)
    integral = _is_integral(graph, weight, problem)
    found = find(problem, if_connected=True, most_sources=max(64, graph.n // 16), **wanted)
    if found.of.components != 1:
        raise _not_connected(graph)
    integral |= graph.n == 1  # in NetworkX, the distance of a vertex to itself is an integer
    return (found, integral) if found.of.closed else None


@_offered("weight", fixed=("sp",))
def eccentricity(G: Any, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    if v is None:
        if _problem(G, weight).is_integral:  # without integers, the paths' exact lengths need a search
            bounded = _bounded(G, weight, all_vertices=True)
            if bounded is not None:
                return dict(zip(G.nodes, _numbers(bounded, bounded[0].eccentricities.tolist())))
        found, integral = _eccentricities(G, weight)
        return _by_node(G, found.eccentricity, integral)
    sources = G.nbunch(v)
    if not sources:
        return {}
    found, integral = _eccentricities(G, weight, sources)
    values = found.eccentricity.astype(numpy.int64 if integral else numpy.float64).tolist()
    return values[0] if v in G else {G.nodes[u]: value for u, value in zip(sources, values)}


def _numbers(bounded: Tuple[Bounded, bool], lengths: List[float]) -> List[Union[int, float]]:
    """Lengths as NetworkX's numbers."""
    found, integral = bounded
    kind: Any = int if integral else float
    return [kind(found.number(length)) for length in lengths]


@_offered("weight", fixed=("e", "usebounds"))
def diameter(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    bounded = _bounded(G, weight)
    if bounded is not None:
        return _numbers(bounded, [bounded[0].of.diameter])[0]
    found, integral = _eccentricities(G, weight)
    return int(found.diameter) if integral else float(found.diameter)


@_offered("weight", fixed=("e", "usebounds"))
def radius(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    bounded = _bounded(G, weight, radius=True)
    if bounded is not None:
        return _numbers(bounded, [bounded[0].of.radius])[0]
    found, integral = _eccentricities(G, weight)
    return int(found.radius) if integral else float(found.radius)


@_offered("weight", fixed=("e", "usebounds"))
def center(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    bounded = _bounded(G, weight, center=True)
    vertices = bounded[0].center if bounded is not None else _eccentricities(G, weight)[0].center
    return [G.nodes[v] for v in vertices.tolist()]


@_offered("weight", fixed=("e", "usebounds"))
def periphery(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    bounded = _bounded(G, weight, periphery=True)
    vertices = (bounded[0].periphery if bounded is not None
                else _eccentricities(G, weight)[0].periphery)
    return [G.nodes[v] for v in vertices.tolist()]


@_offered("weight", real=False, fixed=("attr", "sp"))  # rounded sums may differ
def barycenter(G: Any, weight: Any = None, attr: Any = None, sp: Any = None) -> Any:
    problem = _problem(G, weight)
    found = measures_of(problem, 0)
    if problem.computed is not INT32:  # sums of distances may be rounded
        raise NotImplementedError("distances do not fit in int32")
    if not _is_connected(found):
        raise nx.NetworkXNoPath("Input graph is disconnected, so every induced subgraph has "
                                "infinite barycentricity.")
    sums = _out(found, "distance_sum")
    return [G.nodes[v] for v in numpy.flatnonzero(sums == sums.min()).tolist()]


_METHODS = (None, "unweighted", "dijkstra", "bellman-ford", "floyd-warshall",
            "floyd-warshall-numpy")


@_offered("weight")
def average_shortest_path_length(G: Any, weight: Any = None, method: Any = None) -> Any:
    if method not in _METHODS:
        raise ValueError("method not supported: %s" % method)
    if G.n == 1:
        return 0
    found = _measured(G, None if method == "unweighted" else weight)
    if not _is_connected(found):
        raise nx.NetworkXError("Graph is not %sconnected." % ("strongly " if G.directed else ""))
    return found.distance_sum_of_pairs / (G.n * (G.n - 1))


@_offered("weight")
def wiener_index(G: Any, weight: Any = None) -> Any:
    found = _measured(G, weight)
    if not _is_connected(found):
        return math.inf
    total = found.distance_sum_of_pairs
    return total if G.directed else total / 2


@_offered()
def global_efficiency(G: Any) -> Any:
    if G.n <= 1:
        return 0
    return _measured(G, None, parts=parts_of("global_efficiency")).global_efficiency


@_offered("weight", fixed=("sp",))
def harmonic_diameter(G: Any, sp: Any = None, *, weight: Any = None) -> Any:
    found = _measured(G, weight, parts=parts_of("harmonic_centrality"))
    total = math.fsum(_out(found, "harmonic_centrality").tolist())
    if total != 0:
        return G.n * (G.n - 1) / total
    return math.inf if G.n > 1 else math.nan


def _inwards(G: Graph, weight: Any, nodes: Any, parts: int = 0) -> Tuple[Measures, List[int]]:
    """Measures of the distances to some nodes, or all, as those from them in the reversed graph."""
    sources = list(range(G.n)) if nodes is None else nodes
    return _measured(G, weight, nodes, reverse=True, parts=parts), sources


@_offered("distance")
def closeness_centrality(G: Any, u: Any = None, distance: Any = None,
                         wf_improved: bool = True) -> Any:
    if u is not None and u not in G:
        raise nx.NodeNotFound("Node %s is not in G" % (u,))
    found, nodes = _inwards(G, distance, None if u is None else [G.number[u]])
    others, sums = _out(found, "reached") - 1.0, _out(found, "distance_sum").astype(float)
    near = numpy.divide(others, sums, out=numpy.zeros(len(sums)), where=sums > 0)
    if wf_improved and G.n > 1:
        near *= others / (G.n - 1)
    values = near.tolist()
    return values[0] if u is not None else {G.nodes[v]: x for v, x in zip(nodes, values)}


@_offered("distance", fixed=("sources",))
def harmonic_centrality(G: Any, nbunch: Any = None, distance: Any = None,
                        sources: Any = None) -> Any:
    wanted = None if nbunch is None else G.nbunch(nbunch)
    if wanted == []:
        return {}
    found, nodes = _inwards(G, distance, wanted, parts_of("harmonic_centrality"))
    values = _out(found, "harmonic_centrality").tolist()
    return {G.nodes[v]: x for v, x in zip(nodes, values)}


@functools.lru_cache(maxsize=None)
def _scales_samples() -> bool:
    """Returns whether NetworkX takes into account that a source of a sample has no pairs with
    itself, as it does from 3.6 on."""
    plain = getattr(nx.betweenness_centrality, "orig_func", nx.betweenness_centrality)
    return any(map(math.isnan, plain(nx.path_graph(3), k=1, seed=random.Random(0)).values()))


def _flow(G: Graph, weight: Any, sources: Optional[List[int]] = None, edges: bool = False,
          endpoints: bool = False, **masses: Any) -> Flow:
    if weight is not None and len(G.tails) > 0 and G.weights_by(weight).min() <= 0:
        raise NotImplementedError("weights are not above 0")
    how = How(scale=None if weight is None else decimal_scale(G.weights_by(weight)))
    return flow_of(_problem(G, weight, sources=sources, how=how), edges, endpoints, **masses)


def _sample(G: Graph, k: Optional[int], seed: Any) -> Optional[List[int]]:
    """The sources that NetworkX draws."""
    if k is None:
        return None
    return [G.number[node] for node in nx.utils.create_py_random_state(seed).sample(G.nodes, k)]


@_offered("weight")
def betweenness_centrality(G: Any, k: Any = None, normalized: bool = True, weight: Any = None,
                           endpoints: bool = False, seed: Any = None) -> Any:
    if k is not None and not endpoints and not _scales_samples():
        raise NotImplementedError("versions of NetworkX scale samples otherwise")
    sources = _sample(G, k, seed)
    values = rescaled(_flow(G, weight, sources, endpoints=endpoints).vertices, G.n,
                      None if sources is None else numpy.array(sources), normalized=normalized,
                      directed=G.directed, endpoints=endpoints)
    return _by_node(G, values)


@_offered("weight")
def betweenness_centrality_subset(G: Any, sources: Any, targets: Any, normalized: bool = False,
                                  weight: Any = None) -> Any:
    from_mass, to_mass = numpy.zeros(G.n), numpy.zeros(G.n)
    for mass, nodes in ((from_mass, list(sources)), (to_mass, set(targets))):
        for node in nodes:
            if node in G:
                mass[G.number[node]] += 1  # a source that is named twice counts twice
            elif mass is from_mass:
                raise nx.NodeNotFound("Node %s not found in graph" % (node,))
    values = _flow(G, weight, from_mass=from_mass, to_mass=to_mass).vertices
    return _by_node(G, rescaled(values, G.n, None, normalized=normalized, directed=G.directed,
                                endpoints=False))


@_offered("weight")
def edge_betweenness_centrality(G: Any, k: Any = None, normalized: bool = True, weight: Any = None,
                                seed: Any = None) -> Any:
    sources = _sample(G, k, seed)
    flow = _flow(G, weight, sources, edges=True)
    wanted = G.directed | (G.tails <= G.heads)  # undirected edges only in the direction that NetworkX has
    tails, heads = G.tails[wanted].astype(numpy.int64), G.heads[wanted].astype(numpy.int64)
    keys = flow.tails.astype(numpy.int64) * G.n + flow.heads  # keys ascend; self-loops are missing
    values = numpy.zeros(len(tails))
    for ends in ((tails, heads),) if G.directed else ((tails, heads), (heads, tails)):
        key = ends[0] * G.n + ends[1]
        place = numpy.minimum(numpy.searchsorted(keys, key), len(keys) - 1)
        if len(keys) > 0:
            values += numpy.where(keys[place] == key, flow.edges[place], 0.0)
    values = rescaled(values, G.n, None if sources is None else numpy.array(sources),
                      normalized=normalized, directed=G.directed, endpoints=True)
    named = zip(((G.nodes[u], G.nodes[v]) for u, v in zip(tails.tolist(), heads.tolist())), values.tolist())
    if not G.multi:
        return dict(named)
    found, at = {}, numpy.flatnonzero(wanted).tolist()
    for (ends, value), entry in zip(named, at):
        found.update(dict.fromkeys(((*ends, key) for key in G.keys[entry]), 0.0))
        lightest = G.lightest[weight][entry]
        found.update(((*ends, key), value / len(lightest)) for key in lightest)
    return found


def _lengths(G: Graph, weight: Any, cutoff: Any = None) -> Iterator:
    rows = _rows(G, weight, cutoff, False)
    return ((G.nodes[v], _Distances(G, v, dist, integral, False)) for v, dist, _, integral in rows)


def _paths(G: Graph, weight: Any, cutoff: Any = None) -> Iterator:
    rows = _rows(G, weight, cutoff, True)
    return ((G.nodes[v], _Paths(G, v, pred, dist)) for v, dist, pred, _ in rows)


def _unbounded(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except NegativeCycleError as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error


@_offered()
def all_pairs_shortest_path_length(G: Any, cutoff: Any = None) -> Any:
    return _lengths(G, None, _levels(cutoff, False))


@_offered()
def all_pairs_shortest_path(G: Any, cutoff: Any = None) -> Any:
    return _paths(G, None, _levels(cutoff, True))


@_offered("weight")
def all_pairs_dijkstra_path_length(G: Any, cutoff: Any = None, weight: Any = "weight") -> Any:
    return _lengths(G, weight, cutoff)


@_offered("weight")
def all_pairs_dijkstra_path(G: Any, cutoff: Any = None, weight: Any = "weight") -> Any:
    return _paths(G, weight, cutoff)


@_offered("weight")
def all_pairs_dijkstra(G: Any, cutoff: Any = None, weight: Any = "weight") -> Any:
    return ((G.nodes[v], (_Distances(G, v, dist, integral, False), _Paths(G, v, pred, dist)))
            for v, dist, pred, integral in _rows(G, weight, cutoff, True))


@_offered()
def single_source_shortest_path_length(G: Any, source: Any, cutoff: Any = None) -> Any:
    return dict(_row(G, source, None, _levels(cutoff, False))[0])


@_offered()
def single_source_shortest_path(G: Any, source: Any, cutoff: Any = None) -> Any:
    return dict(_row(G, source, None, _levels(cutoff, True), predecessors=True)[1])


@_offered("weight")
def single_source_dijkstra_path_length(G: Any, source: Any, cutoff: Any = None,
                                       weight: Any = "weight") -> Any:
    return dict(_row(G, source, weight, cutoff)[0])


@_offered("weight")
def single_source_dijkstra_path(G: Any, source: Any, cutoff: Any = None,
                                weight: Any = "weight") -> Any:
    return dict(_row(G, source, weight, cutoff, predecessors=True)[1])


@_offered("weight", fixed=("target",))
def single_source_dijkstra(G: Any, source: Any, target: Any = None, cutoff: Any = None,
                           weight: Any = "weight") -> Any:
    lengths, paths = _row(G, source, weight, cutoff, predecessors=True)
    return dict(lengths), dict(paths)


@_offered("weight", negative=True)
def single_source_bellman_ford_path_length(G: Any, source: Any, weight: Any = "weight") -> Any:
    return _unbounded(lambda: dict(_row(G, source, weight)[0]))


@_offered("weight", negative=True)
def single_source_bellman_ford_path(G: Any, source: Any, weight: Any = "weight") -> Any:
    return _unbounded(lambda: dict(_row(G, source, weight, predecessors=True)[1]))


def _between(G: Graph, source: Any, target: Any, weight: Any, paths: bool) -> Any:
    """Lengths or paths from a source, to a target, or from one to the other."""
    for node in source, target:
        if node is not None and node not in G:
            raise nx.NodeNotFound("Node %s not found in graph" % (node,))
    reverse = source is None
    row = _row(G, target if reverse else source, weight, None, reverse, paths)[paths]
    if reverse or target is None:
        return ({node: path[::-1] for node, path in row.items()} if paths and reverse
                else dict(row))
    try:
        return row[target]
    except KeyError:
        raise nx.NetworkXNoPath("No path between %s and %s." % (source, target)) from None


def _check_method(method: Any) -> None:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError("method not supported: %s" % method)


@_offered("weight")
def shortest_path_length(G: Any, source: Any = None, target: Any = None, weight: Any = None,
                         method: Any = "dijkstra") -> Any:
    _check_method(method)
    if source is None and target is None:
        return _lengths(G, weight)
    return _between(G, source, target, weight, False)


@_offered("weight")
def shortest_path(G: Any, source: Any = None, target: Any = None, weight: Any = None,
                  method: Any = "dijkstra") -> Any:
    _check_method(method)
    if source is None and target is None:
        raise NotImplementedError("versions of NetworkX return different things")
    return _between(G, source, target, weight, True)


@_offered("weight", negative=True)
def all_pairs_bellman_ford_path_length(G: Any, weight: Any = "weight") -> Any:
    return _unbounded(lambda: _lengths(G, weight))


@_offered("weight", negative=True)
def all_pairs_bellman_ford_path(G: Any, weight: Any = "weight") -> Any:
    return _unbounded(lambda: _paths(G, weight))


@_offered("weight", negative=True)
def johnson(G: Any, weight: Any = "weight") -> Any:
    found = _unbounded(lambda: _matrix(G, weight, True))
    return _Table(G, lambda v: _Paths(G, v, found.predecessors[v], found.distances[v]))


def _matrix(G: Graph, weight: Any, predecessors: bool, limit: float = math.inf) -> Any:
    problem = _problem(G, weight, limit)
    try:
        return answer(problem, predecessors, _kind(problem))
    except OutOfRange:
        return answer(_problem(G, weight, limit), predecessors)


def _floyd_warshall(G: Graph, weight: Any, predecessors: bool) -> Any:
    try:
        return _matrix(G, weight, predecessors)
    except NegativeCycleError as error:
        raise NotImplementedError("there is a negative cycle") from error  # NetworkX has an answer then


def _table_of(G: Graph, weight: Any, distances: numpy.ndarray) -> _Table:
    integral = weight is None or G.weights_by(weight).dtype.kind != "f"
    return _Table(G, lambda v: _Distances(G, v, distances[v], integral, True))


@_offered("weight", negative=True)
def floyd_warshall(G: Any, weight: Any = "weight") -> Any:
    return _table_of(G, weight, _floyd_warshall(G, weight, False).distances)


@_offered("weight", negative=True)
def floyd_warshall_predecessor_and_distance(G: Any, weight: Any = "weight") -> Any:
    found = _floyd_warshall(G, weight, True)
    kept = (found.predecessors >= 0).any(axis=1)  # NetworkX has no row where nothing is reached
    return (_Table(G, lambda v: _Predecessors(G, found.predecessors[v]), kept),
            _table_of(G, weight, found.distances))


@_offered("weight", negative=True)
def floyd_warshall_numpy(G: Any, nodelist: Any = None, weight: Any = "weight") -> Any:
    if nodelist is not None and not (len(nodelist) == G.n == len(set(nodelist))
                                     and all(node in G for node in nodelist)):
        raise nx.NetworkXError("nodelist must contain every node in G with no repeats."
                               "If you wanted a subgraph of G use G.subgraph(nodelist)")
    try:
        found = answer(_problem(G, weight), False)
    except NegativeCycleError as error:
        raise NotImplementedError("there is a negative cycle") from error
    if nodelist is None:
        return found.distances
    order = [G.number[node] for node in nodelist]
    return found.distances[numpy.ix_(order, order)]
