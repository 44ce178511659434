# SPDX-License-Identifier: MIT
"""Reads all that people call a graph as edges: NumPy's and SciPy's matrices, and the graphs of
NetworkX, igraph and rustworkx."""

from __future__ import annotations

import ctypes
import itertools
import math
import numbers
import os
import sys
from typing import Any, Callable, Iterable, List, NamedTuple, Optional

import numpy

from apsp import _library
from apsp._errors import raise_on_failure
from apsp._named import Graph
from apsp._numbers import are_real

_EXACT_IN_FLOAT = 2**53
_VERTICES_MAX = 2**31 - 1


class Default(str):
    """An argument that the caller has not given."""


WEIGHT = Default("weight")


class Found(NamedTuple):
    """Edges from tails to heads, two arrays of int32; or in rows, without tails: the edges from v
    are first[v] .. first[v + 1] - 1, an array of int64. weights: an array of numbers, none of them
    NaN or infinite; None if nobody asked for them. undirected: every edge also leads back. own: the
    arrays were made for these edges, and nobody else has them. light: edges that no shortest path
    has were left out, whose weights were no integers, whatever the others are. zones: no path leads
    through the first so many vertices."""

    n: int
    tails: Optional[numpy.ndarray]
    heads: numpy.ndarray
    weights: Optional[numpy.ndarray]
    undirected: bool
    first: Optional[numpy.ndarray] = None
    own: bool = False
    light: bool = False
    zones: int = 0

    def all_tails(self) -> numpy.ndarray:
        """The tail of each edge."""
        return _tails_of(self.first) if self.tails is None else self.tails


def shown_edges(graph: Any, check: Callable[[int, Any], None] = raise_on_failure
                ) -> "tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, int]":
    """Tails, heads and weights of a graph of the library, in its order, and how many zones it has.
    check: raises a failure."""
    shown, error = _library.new(_library.Edges), _library.Error()
    check(_library.LIB.apsp_graph_view(graph, shown, error), error)

    def copied(address: int, kind: Any, count: int) -> numpy.ndarray:
        dtype = numpy.dtype(kind)
        if count == 0:
            return numpy.empty(0, dtype=dtype)
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
        return numpy.frombuffer(memory, dtype=dtype).copy()

    return (_tails_of(copied(shown.first, numpy.int64, shown.vertices + 1)),
            copied(shown.heads, numpy.int32, shown.count),
            copied(shown.weights, numpy.int32 if shown.type == 0 else numpy.float64, shown.count),
            shown.zones)


def _tails_of(first: Any) -> numpy.ndarray:
    return numpy.repeat(numpy.arange(len(first) - 1, dtype=numpy.int32), first[1:] - first[:-1])


SEMIRINGS = ("min-plus", "min-max", "max-min", "max-product")
_GREATEST = SEMIRINGS[2:]  # semirings in which the heaviest of parallel edges counts


def check_semiring(semiring: Any) -> None:
    """ValueError unless `semiring` is the name of a semiring."""
    if semiring not in SEMIRINGS:
        raise ValueError("semiring: expected one of %s, found %r" % (", ".join(SEMIRINGS), semiring))


def edges_in(graph: Any, weight: Any, unweighted: bool, light: bool = False,
             semiring: str = SEMIRINGS[0]) -> Found:
    """The edges of a graph of any kind. weight: the name of the attribute that has the weight, or
    None for edges that all count as 1. light: edges that no shortest path has may be left out.
    semiring: which of parallel edges counts."""
    if isinstance(graph, Graph):
        return _in_named(graph, weight, unweighted or weight is None, semiring)
    sparse = sys.modules.get("scipy.sparse")  # a caller with a sparse matrix has imported scipy.sparse
    if sparse is not None and sparse.issparse(graph):
        return _in_sparse(graph)
    if not isinstance(graph, numpy.ndarray):
        for module, read in _READERS:
            if module == "networkx" and semiring in _GREATEST and _is_from(graph, module):
                return _in_networkx(graph, weight, unweighted or weight is None, max)
            if _is_from(graph, module):
                return read(graph, weight, unweighted or weight is None)
        _check_matrix(graph)
    return _in_array(graph, light and not unweighted)


def names_in(graph: Any) -> Optional[List[Any]]:
    """The names of vertices in their order: those of a file, NetworkX's nodes, igraph's attribute
    `name`; None if there are none, or if some vertices have the same."""
    if isinstance(graph, Graph):
        return graph.ids
    if isinstance(graph, numpy.ndarray):
        return None
    if _is_from(graph, "networkx"):
        return list(graph)
    if _is_from(graph, "igraph") and "name" in graph.vs.attributes():
        names = graph.vs["name"]
        return names if len(set(names)) == len(names) else None
    return None


def _in_named(graph: Graph, weight: Any, unweighted: bool, semiring: str) -> Found:
    """The edges of a graph that read() has read, which has chosen the weights."""
    if graph.semiring not in (None, semiring) and (graph.semiring, semiring) not in (
            ("min-plus", "min-max"), ("max-min", "max-product")):
        raise ValueError("semiring: a graph that read() has read for %s has the edges that count there; found %s: "
                         "read(FILE, semiring=%r)" % (graph.semiring, semiring, semiring))
    if weight not in (None, "weight", graph.weight):
        raise ValueError("weight: a graph that read() has read has the weights that it was told to "
                         "take, %r; found %r" % (graph.weight, weight))
    return Found(len(graph), graph.tails, graph.heads, None if unweighted else graph.weights,
                 not graph.directed, zones=graph.zones)


def without_zones(found: Found, what: str) -> Found:
    """The same edges. ValueError if the graph has zones, through which no path leads: `what` does
    not support them."""
    if found.zones > 0:
        raise ValueError(
            "%s knows no zones: expected a network whose paths may lead through every node, found %d "
            "zones. shortest_path, rows and measures know them; read(FILE, through_zones=True) lets "
            "paths lead through them, which may make them shorter" % (what, found.zones))
    return found


def _is_from(graph: Any, module: str) -> bool:
    """Returns whether the class of an object, or one that it derives from, is of a package."""
    return any(kind.__module__.partition(".")[0] == module for kind in type(graph).__mro__)


# Matrices ----------------------------------------------------------------------------------------

_EXPECTED = "expected a square matrix, or a graph of NetworkX, igraph or rustworkx, found "
_ENDS = ({"source", "target"}, {"from", "to"}, {"src", "dst"}, {"tail", "head"}, {"u", "v"})


def _is_labelled(table: Any, columns: list) -> bool:
    """Returns whether a table's labels leave it open whether its rows are edges or rows of a matrix."""
    rows = getattr(table, "index", None)
    if rows is None:
        names = {str(name).casefold() for name in columns}
        return any(ends <= names for ends in _ENDS)
    return columns not in (list(rows), list(range(len(table))))


def _check_matrix(given: Any) -> None:
    """Refuses what is neither a matrix nor a list of rows, or may be a list of edges."""
    if isinstance(given, (list, tuple)):
        if given and isinstance(given[0], tuple) and len(given[0]) in (2, 3):
            raise ValueError(_EXPECTED + "tuples, which may be edges: numpy.array makes a matrix "
                             "of rows, scipy.sparse.csr_array((w, (u, v)), shape=(n, n)) one of "
                             "edges")
        return
    if numpy.ndim(given) == 0:
        kind = type(given)
        is_name = isinstance(given, (str, bytes, os.PathLike))
        shown = is_name or isinstance(given, (int, float)) or given is None
        raise ValueError(_EXPECTED + (repr(given) if shown else "an object of type %s.%s" % (
            kind.__module__, kind.__qualname__)) + (
                "; apsp.read(%r) reads a file" % os.fsdecode(given) if is_name else ""))
    columns = list(getattr(given, "columns", ()))
    if columns and _is_labelled(given, columns):
        raise ValueError(_EXPECTED + "a table with the columns %s, which may be edges: to_numpy() "
                         "makes a matrix of it, networkx.from_pandas_edgelist a graph"
                         % ", ".join(map(repr, columns[:8])))


def _check_shape(shape: tuple) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(_EXPECTED + "an array of shape %s" % (tuple(shape),))


def real(weights: numpy.ndarray) -> numpy.ndarray:
    """The weights as numbers that can be compared with infinity and NaN."""
    if weights.dtype == object:
        return _of_objects(weights.ravel().tolist()).reshape(weights.shape)
    if weights.dtype.kind in "iub":
        return weights
    if weights.dtype.kind == "c":
        raise ValueError("expected real weights, found complex ones")
    if weights.dtype.kind != "f":
        raise ValueError("expected weights that are numbers, found ones of type %s"
                         % weights.dtype)
    return weights.astype(numpy.float64, copy=False)


def _check_rows(n: int) -> None:
    """Raises an exception if a sparse matrix claims more rows than the library takes, or than there
    is memory for: each row takes a place for its edges."""
    if n > _VERTICES_MAX:
        raise ValueError("expected a matrix of at most %d rows, found %d" % (_VERTICES_MAX, n))
    if n >= 2**20:
        error = _library.Error()
        raise_on_failure(_library.LIB.apsp_memory_check(n, 16 * n, error), error)


def _in_sparse(graph: Any) -> Found:
    _check_shape(graph.shape)
    _check_rows(graph.shape[0])
    # Through CSR, as in SciPy, which adds up repeated entries of COO.
    stored = graph.tocsr()
    n = stored.shape[0]
    first = stored.indptr.astype(numpy.int64)
    # SciPy checks the arrays of a matrix only when it makes it: they may have changed.
    stored_count = min(len(stored.indices), len(stored.data))
    if len(first) != n + 1 or not 0 <= first[-1] <= stored_count:
        raise ValueError("expected a sparse matrix with indices and data for %d rows, found "
                         "indptr of %d entries up to %d, %d indices and %d data"
                         % (n, len(first), first[-1] if len(first) > 0 else 0,
                            len(stored.indices), len(stored.data)))
    heads = stored.indices[:first[-1]]
    if heads.dtype.itemsize > 4 and len(heads) > 0 and not 0 <= heads.min() <= heads.max() < n:
        raise ValueError("expected a sparse matrix with indices in 0 .. %d, found %d"
                         % (n - 1, heads.min() if heads.min() < 0 else heads.max()))
    heads = numpy.ascontiguousarray(heads, dtype=numpy.int32)  # indices may be a strided view
    weights = real(stored.data)[:first[-1]]
    if weights.dtype.kind == "f":
        edges = weights < numpy.inf  # neither infinite nor NaN
        if not edges.all():
            return Found(n, _tails_of(first)[edges], heads[edges], weights[edges], False)
    return Found(n, None, heads, weights, False, first)


def _bound_of_distances(n: int, edges_from: Callable[[int], numpy.ndarray],
                        edges_to: Callable[[int], numpy.ndarray]) -> float:
    """A number that no distance between two of n vertices exceeds, weights being 0 or more; it may
    be infinite. The arguments give a vertex's edges as n weights, infinite if there is none."""

    def search(edges: Callable[[int], numpy.ndarray]) -> float:
        """The longest of paths between vertex 0 and all others: Dijkstra's algorithm, for few."""
        found, left = edges(0), numpy.ones(n, dtype=bool)
        found[0] = 0
        for _ in range(min(n, 4 * math.isqrt(n))):
            nearest = int(numpy.argmin(numpy.where(left, found, numpy.inf)))
            left[nearest] = False
            numpy.minimum(found, found[nearest] + edges(nearest), out=found)
        return float(found.max())

    rounding = 1 + 1e-9  # more than the rounding error of sums of so few edges, in any order
    return rounding * (search(edges_from) + search(edges_to))


def _in_array(graph: Any, light: bool) -> Found:
    mask = numpy.ma.getmaskarray(graph) if numpy.ma.isMaskedArray(graph) else None
    found = numpy.asarray(graph)
    _check_shape(found.shape)
    # Floating-point numbers become float64 later, a few rows at a time.
    cells = found if found.dtype.kind == "f" else real(found)
    n = len(cells)
    most = numpy.inf  # no shortest path has a heavier edge

    def edges_among(rows: Any) -> numpy.ndarray:
        some = real(cells[rows])
        edges = some != 0 if mask is None else ~mask[rows]
        if cells.dtype.kind == "f":
            edges &= some == some
            edges &= some != numpy.inf
            if mask is None:
                edges &= some != -numpy.inf
            if most < numpy.inf:
                edges &= some <= most
        return edges

    if n * n <= 2**16:
        edges = edges_among(slice(None))
        tails, heads = numpy.nonzero(edges)
        return Found(n, tails.astype(numpy.int32), heads.astype(numpy.int32), real(cells[edges]),
                     False)

    # A few rows at a time, so that no mask or index of the whole matrix is in memory, and signals are
    # handled.
    step = max(1, 2**20 // n)
    parts = [slice(first, first + step) for first in range(0, n, step)]

    def edges_at(place: Any) -> numpy.ndarray:
        return numpy.where(edges_among(place), real(cells[place]), numpy.inf)

    if light and cells.dtype.kind == "f":
        rows = slice(0, max(1, step // 4))
        if are_real(real(cells[rows][edges_among(rows)]), n) and not any(
                (cells[rows] < 0).any() for rows in parts):
            most = _bound_of_distances(n, edges_at, lambda v: edges_at((slice(None), v)))
    degrees = numpy.empty(n, dtype=numpy.int64)
    for rows in parts:
        degrees[rows] = numpy.count_nonzero(edges_among(rows), axis=1)
    first = numpy.zeros(n + 1, dtype=numpy.int64)
    numpy.cumsum(degrees, out=first[1:])
    count = int(first[n])
    kind = numpy.dtype(numpy.float64) if cells.dtype.kind == "f" else cells.dtype
    # Bytes per edge: 4 for the head, kind.itemsize for the weight, 4 for the weight as int32.
    error = _library.Error()
    needed = (8 + kind.itemsize) * count
    raise_on_failure(_library.LIB.apsp_memory_check(n, needed, error), error)

    def weights_of(dtype: numpy.dtype) -> Optional[numpy.ndarray]:
        """The weights as an array of the type; None if the type cannot represent all of them."""
        weights, at = numpy.empty(count, dtype=dtype), 0
        for rows in parts:
            some = real(cells[rows][edges_among(rows)])
            part = weights[at:at + len(some)]
            at += len(some)
            with numpy.errstate(invalid="ignore"):
                part[:] = some
            if dtype != kind and not numpy.array_equal(part, some):
                return None
        return weights

    heads, at = numpy.empty(count, dtype=numpy.int32), 0
    for rows in parts:
        some = numpy.nonzero(edges_among(rows))[1]
        heads[at:at + len(some)] = some
        at += len(some)
    left_out = most < numpy.inf
    weights = None if left_out else weights_of(numpy.dtype(numpy.int32))  # int32 takes half the memory
    if weights is None:
        weights = weights_of(kind)
    return Found(n, None, heads, weights, False, first, own=True, light=left_out)


# Graphs of other packages ------------------------------------------------------------------------

def _of_objects(values: list) -> numpy.ndarray:
    """A list of Python's or NumPy's numbers as an array with the same values."""
    try:
        weights = numpy.array(values) if values else numpy.empty(0, dtype=numpy.int32)
    except (ValueError, OverflowError):
        weights = numpy.empty(0, dtype=object)
    if weights.ndim != 1 or weights.dtype.kind not in "iubf":
        wrong = next((value for value in values
                      if numpy.ndim(value) or numpy.asarray(value).dtype.kind not in "iubf"), None)
        raise ValueError("expected weights that are numbers of 64 bits, found %r" % (wrong,))
    weights = real(weights)
    if weights.dtype.kind == "f" and len(weights) > 0:
        # numpy has made floating-point numbers of integers among them.
        if numpy.abs(weights).max() >= _EXACT_IN_FLOAT and any(
                value != weight for value, weight in zip(values, weights.tolist())
                if value == value):
            raise ValueError("expected weights of one type, found integers beyond 2^53 among "
                             "numbers in floating point")
    return weights


def finite(values: list) -> numpy.ndarray:
    """Weights as `real` returns them; ValueError unless all are finite."""
    weights = _of_objects(values)
    if weights.dtype.kind == "f" and not numpy.isfinite(weights).all():
        raise ValueError("expected finite weights, found %r"
                         % float(weights[~numpy.isfinite(weights)][0]))
    return weights


def edges_found(n: int, tails: numpy.ndarray, heads: numpy.ndarray, values: Optional[list],
           undirected: bool) -> Found:
    """Edges with these weights; None: all weights are 1. An infinite weight means no edge."""
    weights = None if values is None else _of_objects(values)
    if weights is not None and weights.dtype.kind == "f":
        edges = weights < numpy.inf
        wrong = numpy.isnan(weights) | (weights == -numpy.inf)
        if wrong.any():
            raise ValueError("expected weights that are numbers, or inf where there is no edge, "
                             "found %r" % float(weights[wrong][0]))
        if not edges.all():
            tails, heads, weights = tails[edges], heads[edges], weights[edges]
    return Found(n, tails, heads, weights, undirected)


def _check_name(weight: Any, attributes: Iterable[Any],
                values_of: Callable[[Any], Iterable[Any]]) -> None:
    """Refuses an attribute that no edge has, if the caller named it, or if edges have another
    attribute with numbers that might be meant. values_of: returns an attribute's values."""
    names = list(dict.fromkeys(attributes))
    if isinstance(weight, Default):
        names = [name for name in names
                 if any(isinstance(value, numbers.Real) and not isinstance(value, bool)
                        for value in values_of(name))]
        if not names:
            return
    raise ValueError("weight: expected an attribute of the edges, found %r, which none of them "
                     "has; they have %s; weight=None counts every edge as 1"
                     % (str(weight) if isinstance(weight, Default) else weight,
                        ", ".join(map(repr, names)) or "none"))


def _check_dictionaries(weight: Any, data: List[dict]) -> None:
    """Does what _check_name does, for attributes of edges in dictionaries."""
    if not any(weight in its for its in data):
        _check_name(weight, itertools.chain.from_iterable(data),
                    lambda name: (its.get(name) for its in data))


def _in_networkx(graph: Any, weight: Any, unweighted: bool, best: Callable = min) -> Found:
    adjacent = dict(graph.adjacency())
    number = dict(zip(adjacent, range(len(adjacent))))
    n = len(adjacent)
    degrees = numpy.fromiter(map(len, adjacent.values()), dtype=numpy.int64, count=n)
    heads = numpy.fromiter(map(number.__getitem__, itertools.chain.from_iterable(
        adjacent.values())), dtype=numpy.int32, count=int(degrees.sum()))
    tails = numpy.repeat(numpy.arange(n, dtype=numpy.int32), degrees)
    values = None if unweighted else _networkx_values(graph, weight, best)
    if values and values.count(1) == len(values):  # perhaps no edge has the attribute
        _check_dictionaries(weight, [its for *_, its in graph.edges(data=True)])
    return edges_found(n, tails, heads, values, False)  # adjacency has every edge from both sides


def _best_of(values: list, best: Callable) -> Any:
    """The weight that counts among parallel edges; if one is no number, that one."""
    if len(values) == 1:
        return values[0]
    wrong = [value for value in values if not isinstance(value, numbers.Real) or value != value]
    return wrong[0] if wrong else best(values)


def _networkx_values(graph: Any, weight: Any, best: Callable = min) -> list:
    """The weights of a graph of NetworkX, in the order of its adjacency."""
    near = (its.values() for _, its in graph.adjacency())
    edges = itertools.chain.from_iterable(near)
    if graph.is_multigraph():
        return [_best_of([data.get(weight, 1) for data in parallel.values()], best)
                for parallel in edges]
    return [data.get(weight, 1) for data in edges]


def networkx_weights(graph: Any, weight: Any) -> numpy.ndarray:
    """The weights of a graph of NetworkX as an array; all must be finite."""
    return finite(_networkx_values(graph, weight))


def _ends(pairs: Any, count: int) -> "tuple[numpy.ndarray, numpy.ndarray]":
    ends = numpy.fromiter(itertools.chain.from_iterable(pairs), dtype=numpy.int32, count=2 * count)
    return numpy.ascontiguousarray(ends[0::2]), numpy.ascontiguousarray(ends[1::2])


def _in_igraph(graph: Any, weight: Any, unweighted: bool) -> Found:
    count = graph.ecount()
    tails, heads = _ends(graph.get_edgelist(), count)
    values = None
    if not unweighted and weight in graph.es.attributes():
        values = graph.es[str(weight)]
    elif not unweighted and count > 0:
        _check_name(weight, graph.es.attributes(), lambda name: graph.es[name])
    return edges_found(graph.vcount(), tails, heads, values, not graph.is_directed())


def _in_rustworkx(graph: Any, weight: Any, unweighted: bool) -> Found:
    def weight_of(payload: Any) -> Any:
        if isinstance(payload, dict):
            return payload.get(weight, 1)
        return 1 if payload is None else payload

    kept = list(graph.node_indices())  # numbers of removed vertices are missing
    edges = graph.weighted_edge_list()
    number = numpy.zeros(max(kept, default=-1) + 1, dtype=numpy.int32)
    number[kept] = numpy.arange(len(kept), dtype=numpy.int32)
    tails, heads = _ends(((tail, head) for tail, head, _ in edges), len(edges))
    values = None if unweighted else [weight_of(payload) for _, _, payload in edges]
    if values:
        _check_dictionaries(weight, [its for _, _, its in edges if isinstance(its, dict)])
    return edges_found(len(kept), number[tails], number[heads], values,
                  any(kind.__name__ == "PyGraph" for kind in type(graph).__mro__))


_READERS = (("networkx", _in_networkx), ("igraph", _in_igraph), ("rustworkx", _in_rustworkx))
