#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a graph of one shape as thesis text: the same bytes for the same shape, size and seed.

    python3 experiments/suites/shapes.py ring 2000 -o ring.txt

    ring          one directed cycle through the vertices in random order: the deepest graph
    grid          a square grid, V rounded down to a square, edges both ways
    tree          each vertex hangs on a random earlier one, edges both ways
    star          edges from vertex 0 to every other and back
    complete      an edge between every two vertices, both ways
    power-law     preferential attachment (Barabasi and Albert 1999), 4 edges a vertex, both ways
    disconnected  ten random graphs of equal size, 8 edges a vertex, nothing between them
    road          like a road network: planar, three edges a vertex, both ways, deep; weights are
                  lengths up to 100000, the same in both directions

Other weights are 1 to 100, of the two directions of an edge independently.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

SEED = 2017
MAX_WEIGHT = 100
ATTACHED = 4  # edges of a new vertex of a power-law graph
COMPONENTS = 10
EDGES_A_VERTEX = 8  # of a disconnected graph
ROADS = 1.5  # that meet in a vertex, each counted at one of its ends
BLOCK = 40000  # the distance of two neighbouring crossings, before they are moved

Arcs = Iterator[tuple[int, int]]
Edges = list[tuple[int, int, int]]


class Draw:
    """Integers from random.Random.random(), whose sequence Python promises not to change."""

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)

    def below(self, limit: int) -> int:
        return int(self.generator.random() * limit)

    def order(self, count: int) -> list[int]:
        """0 ... count-1 shuffled (Fisher and Yates)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def both_ways(left: int, right: int) -> Arcs:
    yield left, right
    yield right, left


def ring(vertices: int, draw: Draw) -> Arcs:
    order = draw.order(vertices)
    for place in range(vertices if vertices > 1 else 0):
        yield order[place], order[(place + 1) % vertices]


def grid(vertices: int, draw: Draw) -> Arcs:
    del draw
    side = math.isqrt(vertices)
    for row in range(side):
        for column in range(side):
            here = row * side + column
            if column + 1 < side:
                yield from both_ways(here, here + 1)
            if row + 1 < side:
                yield from both_ways(here, here + side)


def tree(vertices: int, draw: Draw) -> Arcs:
    for vertex in range(1, vertices):
        yield from both_ways(draw.below(vertex), vertex)


def star(vertices: int, draw: Draw) -> Arcs:
    del draw
    for vertex in range(1, vertices):
        yield from both_ways(0, vertex)


def complete(vertices: int, draw: Draw) -> Arcs:
    del draw
    for vertex in range(vertices):
        for other in range(vertices):
            if other != vertex:
                yield vertex, other


def power_law(vertices: int, draw: Draw) -> Arcs:
    ends: list[int] = []  # every vertex as often as it has edges
    for vertex in range(1, vertices):
        wanted = min(ATTACHED, vertex)
        chosen: dict[int, None] = {}
        while len(chosen) < wanted:
            # Among the first few all are taken.
            other = len(chosen) if vertex <= ATTACHED else ends[draw.below(len(ends))]
            chosen[other] = None
        for other in chosen:
            yield from both_ways(vertex, other)
            ends += (vertex, other)


def disconnected(vertices: int, draw: Draw) -> Arcs:
    first = 0
    for component in range(COMPONENTS):
        size = vertices * (component + 1) // COMPONENTS - first
        chosen: dict[tuple[int, int], None] = {}
        while len(chosen) < min(EDGES_A_VERTEX * size, size * (size - 1)):
            tail, head = draw.below(size), draw.below(size)
            if tail != head:
                chosen[first + tail, first + head] = None
        yield from chosen
        first += size


def root(parent: list[int], vertex: int) -> int:
    """Of the tree in which the vertex is, whose paths are halved on the way."""
    while parent[vertex] != vertex:
        parent[vertex] = parent[parent[vertex]]
        vertex = parent[vertex]
    return vertex


def road(vertices: int, draw: Draw) -> Edges:
    """Crossings near the points of a square grid; of the roads between neighbours first such as
    connect them all, then others until there are enough."""
    side = math.isqrt(max(vertices - 1, 0)) + 1  # the last row may be short
    place = [(BLOCK * (v % side) + draw.below(BLOCK), BLOCK * (v // side) + draw.below(BLOCK))
             for v in range(vertices)]
    roads = [(v, other) for v in range(vertices) for other in (v + 1, v + side)
             if other < vertices and (other != v + 1 or other % side != 0)]
    roads = [roads[i] for i in draw.order(len(roads))]
    parent = list(range(vertices))
    needed, others = [], []
    for left, right in roads:
        above, other_above = root(parent, left), root(parent, right)
        parent[above] = other_above
        (needed if above != other_above else others).append((left, right))
    edges = []
    for left, right in needed + others[:max(int(ROADS * vertices) - len(needed), 0)]:
        length = math.isqrt(sum((a - b)**2 for a, b in zip(place[left], place[right]))) + 1
        edges += [(tail, head, length) for tail, head in both_ways(left, right)]
    return edges


SHAPES: dict[str, Callable[[int, Draw], Arcs]] = {
    "ring": ring, "grid": grid, "tree": tree, "star": star, "complete": complete,
    "power-law": power_law, "disconnected": disconnected,
}
WEIGHTED_SHAPES: dict[str, Callable[[int, Draw], Edges]] = {"road": road}
NAMES = (*SHAPES, *WEIGHTED_SHAPES)


def edges_of(shape: str, vertices: int, draw: Draw) -> Edges:
    if shape in WEIGHTED_SHAPES:
        return WEIGHTED_SHAPES[shape](vertices, draw)
    arcs = list(SHAPES[shape](vertices, draw))
    return [(tail, head, draw.below(MAX_WEIGHT) + 1) for tail, head in arcs]


def write(shape: str, vertices: int, path: Path, seed: int = SEED) -> None:
    """The graph of that shape; a grid has math.isqrt(vertices)^2 vertices."""
    edges = edges_of(shape, vertices, Draw(seed))
    if shape == "grid":
        vertices = math.isqrt(vertices)**2
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(f"{vertices} {len(edges)}\n")
        file.writelines(f"{tail} {head} {weight}\n" for tail, head, weight in edges)


def main() -> int:
    parser = argparse.ArgumentParser(prog="shapes.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shape", choices=NAMES)
    parser.add_argument("vertices", type=int, metavar="V")
    parser.add_argument("-o", "--output", type=Path, default=Path("graphFile.txt"), metavar="FILE")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S")
    options = parser.parse_args()
    write(options.shape, options.vertices, options.output, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
