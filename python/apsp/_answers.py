# SPDX-License-Identifier: MIT
"""From the library's rows to SciPy's conventions."""

import numpy

from apsp import _library

NO_PREDECESSOR = -9999


def rows_at(cells, rows, leading, n):
    """A view of rows of the library."""
    return numpy.ctypeslib.as_array(cells, shape=(rows, leading))[:, :n]


def _some(cells):
    """Slices of the rows; signals are handled between them."""
    rows, n = cells.shape
    step = max(1, 2**22 // n)
    return (slice(first, first + step) for first in range(0, rows, step))


def distances_of(cells, divisor, out=None):
    """float64, infinity if there is no path."""
    dist = numpy.empty(cells.shape) if out is None else out
    for rows in _some(cells):
        dist[rows] = cells[rows]
        if divisor > 1:
            dist[rows] /= divisor
        dist[rows][cells[rows] == _library.INF] = numpy.inf
    return dist


def predecessors_of(cells):
    """int32, NO_PREDECESSOR if there is none."""
    pred = numpy.empty(cells.shape, dtype=numpy.int32)
    for rows in _some(cells):
        pred[rows] = numpy.where(cells[rows] < 0, numpy.int32(NO_PREDECESSOR), cells[rows])
    return pred


def bytes_of(rows, n, predecessors, into_given=False):
    """What is held for rows: the library's, SciPy's of float64 and int32, and a mask of bytes for
    either."""
    library = 4 * rows * -(-n // 16) * 16
    distances = library + (0 if into_given else 8 * rows * n)
    return distances + (library + 4 * rows * n if predecessors else 0) + rows * n
