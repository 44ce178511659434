# SPDX-License-Identifier: MIT
"""Tests of the graphs of other shapes."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.suites import shapes  # noqa: E402 (found by the line above)


class Shapes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "graph"

    def graph(self, shape: str, vertices: int) -> tuple[int, dict[tuple[int, int], int]]:
        """|V|, and the weights of the edges, of which no two may be parallel."""
        shapes.write(shape, vertices, self.path)
        first, *lines = self.path.read_text(encoding="ascii").splitlines()
        weights = {}
        for tail, head, weight in (map(int, line.split()) for line in lines):
            weights[tail, head] = weight
        self.assertEqual(first.split()[1:], [str(len(lines))])
        self.assertEqual(len(weights), len(lines))
        return int(first.split()[0]), weights

    def components(self, vertices: int, arcs: dict[tuple[int, int], int]) -> int:
        """Of the graph without directions."""
        parent = list(range(vertices))

        def root(vertex: int) -> int:
            while parent[vertex] != vertex:
                vertex = parent[vertex]
            return vertex
        for tail, head in arcs:
            parent[root(tail)] = root(head)
        return sum(parent[vertex] == vertex for vertex in range(vertices))

    def test_all(self) -> None:
        """Small sizes too: edges in range, no self-loops, weights from 1 to 100, or 100000."""
        for shape in shapes.NAMES:
            most = shapes.MAX_WEIGHT if shape in shapes.SHAPES else 100000
            for vertices in (1, 2, 3, 4, 5, 7, 16, 37, 100):
                with self.subTest(shape=shape, vertices=vertices):
                    found, arcs = self.graph(shape, vertices)
                    self.assertEqual(found, int(vertices**0.5)**2 if shape == "grid" else vertices)
                    for (tail, head), weight in arcs.items():
                        self.assertTrue(0 <= tail < found and 0 <= head < found and tail != head)
                        self.assertTrue(1 <= weight <= most)

    def test_same_bytes(self) -> None:
        for shape in shapes.NAMES:
            with self.subTest(shape):
                shapes.write(shape, 50, self.path)
                first = self.path.read_bytes()
                shapes.write(shape, 50, self.path)
                self.assertEqual(self.path.read_bytes(), first)
                shapes.write(shape, 50, self.path, seed=1)
                self.assertNotEqual(self.path.read_bytes(), first)

    def test_ring(self) -> None:
        _, arcs = self.graph("ring", 100)
        follow = dict(arcs.keys())
        self.assertEqual(len(follow), 100)
        vertex, seen = 0, set()
        while vertex not in seen:
            seen.add(vertex)
            vertex = follow[vertex]
        self.assertEqual((vertex, len(seen)), (0, 100))
        self.assertLess(sum(head == (tail + 1) % 100 for tail, head in arcs), 10)

    def test_grid(self) -> None:
        vertices, arcs = self.graph("grid", 100)
        self.assertEqual((len(arcs), self.components(vertices, arcs)), (4 * 10 * 9, 1))
        self.assertEqual({abs(tail - head) for tail, head in arcs}, {1, 10})
        self.assertNotIn((9, 10), arcs)

    def test_tree(self) -> None:
        vertices, arcs = self.graph("tree", 100)
        self.assertEqual((len(arcs), self.components(vertices, arcs)), (2 * 99, 1))

    def test_star(self) -> None:
        _, arcs = self.graph("star", 100)
        self.assertEqual(len(arcs), 2 * 99)
        self.assertTrue(all(0 in arc for arc in arcs))

    def test_complete(self) -> None:
        self.assertEqual(len(self.graph("complete", 20)[1]), 20 * 19)

    def test_power_law(self) -> None:
        vertices, arcs = self.graph("power-law", 1000)
        self.assertEqual(self.components(vertices, arcs), 1)
        degrees = sorted(sum(tail == vertex for tail, _ in arcs) for vertex in range(vertices))
        self.assertEqual(degrees[vertices // 10], shapes.ATTACHED)
        self.assertGreater(degrees[-1], 10 * degrees[vertices // 2])

    def test_disconnected(self) -> None:
        vertices, arcs = self.graph("disconnected", 1000)
        self.assertEqual((len(arcs), self.components(vertices, arcs)),
                         (1000 * shapes.EDGES_A_VERTEX, shapes.COMPONENTS))

    def test_road(self) -> None:
        vertices, arcs = self.graph("road", 1000)
        self.assertEqual((len(arcs), self.components(vertices, arcs)), (3 * 1000, 1))
        side = 32
        for (tail, head), weight in arcs.items():
            self.assertEqual(arcs[head, tail], weight)
            across, along = abs(tail % side - head % side), abs(tail // side - head // side)
            self.assertEqual((across + along), 1)
        self.assertGreater(max(arcs.values()), shapes.BLOCK)


if __name__ == "__main__":
    unittest.main()
