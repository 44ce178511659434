# SPDX-License-Identifier: MIT
"""Graphs whose vertices have names: what read() gives."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy


class Graph:
    """A graph that read() has read; every function of this package takes it.

    ids: the names of the vertices, strings or numbers, in the order of rows and columns.
    tails, heads, weights: the edges, arrays of one length: an edge leads from vertex tails[e] to
        heads[e] and weighs weights[e]. The vertices count from 0.
    directed: if it is False, every edge leads back, too.
    weight: the attribute, column or variable that the weights are; None if the file has none, or if
        nobody wanted them: then all are 1.
    source, format: the file, and how it was read.
    zones: no path leads through the first so many vertices, the zones of a TNTP network.
    semiring: the one whose best edge was kept of parallel ones; None if all were.
    notes: lines for what the graph has otherwise than the file says.
    """

    def __init__(self, ids: List[Any], tails: Any, heads: Any, weights: Any, directed: bool, *,
                 weight: Optional[str] = None, source: str = "", format: str = "",
                 zones: int = 0, semiring: Optional[str] = None) -> None:
        self.ids = ids
        self.tails = numpy.ascontiguousarray(tails, dtype=numpy.int32)
        self.heads = numpy.ascontiguousarray(heads, dtype=numpy.int32)
        self.weights = numpy.asarray(weights)
        self.directed, self.weight = directed, weight
        self.source, self.format, self.zones = source, format, zones
        self.semiring = semiring
        self.notes: List[str] = []
        self._number: Optional[Dict[Any, int]] = None

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return "<apsp.Graph%s: %d vertices, %d %sdirected edges, weights: %s>" % (
            " of " + self.source if self.source else "", len(self), len(self.heads),
            "" if self.directed else "un",
            self.weight or ("all 1" if (self.weights == 1).all() else self.weights.dtype))

    def vertex(self, name: Any) -> int:
        """The number of the vertex with this name. KeyError if there is none."""
        if self._number is None:
            self._number = {each: number for number, each in enumerate(self.ids)}
        return self._number[name]
