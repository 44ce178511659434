# SPDX-License-Identifier: MIT
"""From SciPy's conventions for graphs to the library's edges."""

import sys

import numpy

from apsp import _library
from apsp._errors import raise_on_failure

_INT32 = numpy.iinfo(numpy.int32)


class Edges:
    """The graph of floyd_warshall's arguments: n vertices and edges with integral weights, which
    are those of the caller times `divisor`."""

    def __init__(self, csgraph, directed, unweighted, scale):
        self.n, self._tails, self._heads, weights = _found_in(csgraph)
        self._directed, self.divisor = directed, 1
        if unweighted:
            self._weights = numpy.ones(len(weights), dtype=numpy.int32)
        else:
            self._weights, self.divisor = _integers(weights, scale)

    def build(self, graph, progress, error):
        """Stores the library's graph in a handle, and returns the status."""
        reading = _library.new(_library.Reading, undirected=not self._directed, progress=progress)
        return _library.LIB.apsp_graph_from_edges(
            graph, self.n, len(self._tails), self._tails.ctypes.data, self._heads.ctypes.data,
            self._weights.ctypes.data, reading, error)


def sources_of(sources, n):
    """The vertices whose rows are wanted as an array of int32, or None for all."""
    if sources is None:
        return None
    found = numpy.atleast_1d(numpy.asarray(sources))
    if found.ndim != 1 or found.dtype.kind not in "iu" or len(found) == 0:
        raise ValueError("sources: expected one or more vertices, found %r" % (sources,))
    if found.min() < 0 or found.max() >= n:
        raise ValueError("sources: expected vertices 0 .. %d, found %d"
                         % (n - 1, found.min() if found.min() < 0 else found.max()))
    if len(numpy.unique(found)) < len(found):
        raise ValueError("sources: expected different vertices, found some twice")
    return numpy.ascontiguousarray(found, dtype=numpy.int32)


def limit_of(limit, divisor):
    """The library's number for a limit on distances, whose weights are multiplied by divisor."""
    if not limit >= 0:
        raise ValueError("limit: expected 0 or more, found %r" % (limit,))
    if limit == numpy.inf:
        return 0.0
    nearest = round(limit * divisor)
    times = nearest if nearest / divisor == limit else limit * divisor
    return max(float(times), 0.5)  # which is rounded down


def _found_in(csgraph):
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
        needed = 48 * int(numpy.count_nonzero(edges))
        raise_on_failure(_library.LIB.apsp_memory_check(len(edges), needed, error), error)
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
