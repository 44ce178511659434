# SPDX-License-Identifier: MIT
"""Diameter, radius and eccentricities by searches from a few vertices, which bound all others."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy

from apsp import _library
from apsp._numbers import EXACT
from apsp._problem import How, HowArguments, Problem, Unpack, inexact

_lib = _library.LIB


class Found:
    """The library's answer: its struct `of`, in which lengths are multiplied by `divisor`, and the
    arrays that were asked for; None for all others."""

    def __init__(self, problem: Problem, of: Any, integral: bool) -> None:
        self.of, self._divisor, self._integral = of, problem.divisor, integral
        self.eccentricities: Optional[numpy.ndarray] = None
        self.center: Optional[numpy.ndarray] = None
        self.periphery: Optional[numpy.ndarray] = None

    def number(self, length: float) -> Union[int, float]:
        """A length as a number of Python: an integer if all distances are integers."""
        if self._integral and length < float("inf"):
            return int(length)
        return float(length if self._divisor == 1 else length / self._divisor)


def find(problem: Problem, *, radius: bool = False, center: bool = False, periphery: bool = False,
         all_vertices: bool = False, if_connected: bool = False, most_sources: int = 0) -> Found:
    """Finds diameter, radius and the wanted arrays. most_sources: most vertices that are searched
    from, after which of.closed is false; 0: no limit."""
    how, n = problem.how, problem.n
    asked = _library.new(_library.Eccentricity, diameter_only=not radius, check=how.check,
                         if_connected=if_connected, threads=how.threads, most_sources=most_sources)
    found = Found(problem, asked, problem.has_integers())
    arrays = [numpy.empty(n if wanted else 0, kind) for wanted, kind in (
        (center, numpy.int32), (periphery, numpy.int32), (all_vertices, numpy.float64))]
    for name, wanted, array in zip(("center", "periphery", "eccentricities"),
                                   (center, periphery, all_vertices), arrays):
        if wanted:
            setattr(asked, name, array.ctypes.data)

    problem.call(_lib.apsp_eccentricity_find, asked)
    if problem.may_be_inexact and asked.largest_distance >= EXACT:  # multiplied by the divisor
        raise inexact("a distance")
    if asked.closed:
        found.center = arrays[0][:asked.center_count] if center else None
        found.periphery = arrays[1][:asked.periphery_count] if periphery else None
        found.eccentricities = arrays[2] if all_vertices else None
    return found


def _problem_of(csgraph: Any, directed: bool, unweighted: bool, how: HowArguments) -> Problem:
    for name in "device", "engine", "grid":
        if name in how:
            raise ValueError("%s: expected none: eccentricities are bounded on the CPU, by searches of "
                             "their own, on the weights as they are" % name)
    chosen = How(**how)
    problem = Problem(chosen.edges_in(csgraph, unweighted), None, float("inf"), directed, unweighted,
                      chosen)
    if problem.n == 0:
        raise ValueError("expected a graph with vertices, found none")
    if problem.has_negative_weights():
        raise ValueError("expected no weight below 0 (measures() takes such weights)")
    return problem


def diameter(csgraph: Any, *, directed: bool = True, unweighted: bool = False,
             **how: Unpack[HowArguments]) -> Union[int, float]:
    """The largest distance from any vertex to any other; infinite if some pair has no path.

    Searches from a few vertices bound the eccentricities of all: mostly tens of searches do instead of
    one from each vertex, and if they do not, searches go on. The answer is exact, and rounded only as
    every distance of real weights is. check=True proves the distances that it follows from.

    directed, unweighted, scale, weight, threads, check and progress are those of floyd_warshall();
    ApspError and ValueError are raised as there, and ValueError also for weights below 0.

    >>> import apsp
    >>> apsp.diameter([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    3
    """
    found = find(_problem_of(csgraph, directed, unweighted, how), if_connected=True)
    return found.number(found.of.diameter)


def radius(csgraph: Any, *, directed: bool = True, unweighted: bool = False,
           **how: Unpack[HowArguments]) -> Union[int, float]:
    """The least eccentricity: how far the most central vertex is from the vertex farthest from it;
    infinite if some pair has no path. Found as diameter() is.

    >>> import apsp
    >>> apsp.radius([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    2
    """
    found = find(_problem_of(csgraph, directed, unweighted, how), radius=True, if_connected=True)
    return found.number(found.of.radius)


def eccentricity(csgraph: Any, *, directed: bool = True, unweighted: bool = False,
                 **how: Unpack[HowArguments]) -> numpy.ndarray:
    """An array of the largest distance from each vertex to any that it reaches. Found as diameter() is,
    with more searches; of real weights, whose sums are rounded, one from each vertex, and measures()
    may be faster. The array is of int64 where that of measures() is, otherwise of float64.

    >>> import apsp
    >>> apsp.eccentricity([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    array([3, 2, 3])
    """
    problem = _problem_of(csgraph, directed, unweighted, how)
    found = find(problem, all_vertices=True)
    values = found.eccentricities
    assert values is not None  # without most_sources, a search always finds them
    if problem.divisor != 1:
        return values / problem.divisor
    return values.astype(numpy.int64) if problem.has_integers() else values
