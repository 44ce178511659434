# SPDX-License-Identifier: MIT
"""Tests of the comparison of generated roads with real ones."""

from __future__ import annotations

import contextlib
import csv
import ctypes.util
import gzip
import io
import random
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.bench import BAD_INPUT, NO_RESOURCE, BenchError  # noqa: E402
from experiments.suites import roads  # noqa: E402 (found by the line above)

PATH = [[1], [0, 2], [1, 3], [2, 4], [3]]
CYCLE = [[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]]
HAS_AMD = ctypes.util.find_library("amd") is not None


def some_graph(vertices: int, edges: int) -> roads.Adjacency:
    draw = random.Random(vertices)
    neighbours: list[set[int]] = [set() for _ in range(vertices)]
    for _ in range(edges):
        tail, head = draw.sample(range(vertices), 2)
        neighbours[tail].add(head)
        neighbours[head].add(tail)
    return [sorted(of_one) for of_one in neighbours]


class Eliminating(unittest.TestCase):
    def test_as_by_hand(self) -> None:
        """Parents are the first of the neighbours that a vertex has when it is eliminated."""
        for vertices, edges in ((1, 0), (5, 3), (30, 40), (60, 120)):
            graph = some_graph(vertices, edges)
            order = random.Random(edges).sample(range(vertices), vertices)
            position = {vertex: place for place, vertex in enumerate(order)}
            joined = [{position[other] for other in graph[vertex]} for vertex in order]
            parents, counts = [], []
            for place in range(vertices):
                above = {other for other in joined[place] if other > place}
                for one in above:
                    joined[one] |= above - {one}
                parents.append(min(above, default=-1))
                counts.append(len(above))
            self.assertEqual(roads.eliminate(graph, order), (parents, counts))

    def test_tree(self) -> None:
        parent = [1, 4, 3, 4, -1]
        self.assertEqual(roads.depths_of(parent), [3, 2, 3, 2, 1])
        with mock.patch.object(roads, "LEAF", 2):
            self.assertEqual(list(roads.leaf_pieces(parent)), [(1, 2), (3, 2)])
        self.assertEqual(list(roads.leaf_pieces(parent)), [(4, 5)])


class Searching(unittest.TestCase):
    def test_hops(self) -> None:
        self.assertEqual(roads.search(PATH, 1), (3, 4))
        self.assertEqual(roads.search(CYCLE, 0)[0], 2)
        self.assertEqual(roads.search([[], []], 0), (0, 0))

    def test_core(self) -> None:
        self.assertEqual(roads.outside_core(PATH), 5)
        self.assertEqual(roads.outside_core(CYCLE), 0)
        self.assertEqual(roads.outside_core([*CYCLE[:4], [0, 3, 5], [4, 6], [5], []]), 3)


class Reading(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_graphs(self) -> None:
        """Both directions are one edge, and self-loops are none."""
        text = "c roads\np sp 3 5\na 1 2 7\na 2 1 9\na 3 3 1\na 3 2 4\na 3 2 5\n"
        plain, packed = self.folder / "a.gr", self.folder / "a.gr.gz"
        plain.write_text(text, encoding="ascii")
        packed.write_bytes(gzip.compress(text.encode("ascii")))
        for path in (plain, packed):
            self.assertEqual(roads.read_graph(path), [[1], [0, 2], [1]])
        plain.write_text("nothing\n", encoding="ascii")
        with self.assertRaises(BenchError) as caught:
            roads.read_graph(plain)
        self.assertEqual(caught.exception.status, BAD_INPUT)

    def test_without_amd(self) -> None:
        said = io.StringIO()
        with mock.patch.object(ctypes.util, "find_library", return_value=None), \
                contextlib.redirect_stderr(said):
            self.assertEqual(roads.main([]), NO_RESOURCE)
        self.assertIn("libsuitesparse-dev", said.getvalue())

    @unittest.skipUnless(HAS_AMD, "no AMD")
    def test_whole(self) -> None:
        """A generator that gives the real network gives no difference; another fails."""
        real = self.folder / "real.gr"
        program = self.folder / "graphgen"
        for line, status in (("a 1 5 1", 0), ("a 1 3 1", 1)):
            real.write_text("p sp 6 6\na 1 2 1\na 2 3 1\na 3 4 1\na 4 5 1\na 5 6 1\na 1 5 1\n",
                            encoding="ascii")
            program.write_text("#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n"
                               f"sed 's/^a 1 5 1$/{line}/' '{real}' > \"$2\"\n", encoding="ascii")
            program.chmod(0o755)
            said = io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                found = roads.main(["--real", str(real), "--bin", str(self.folder),
                                    "--csv", str(self.folder / "r.csv"),
                                    "--table", str(self.folder / "r.md")])
            self.assertEqual(found, status, said.getvalue())
            self.assertIn("| share of degree 1 | 0.167 |", said.getvalue())
        with open(self.folder / "r.csv", encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["graph"] for row in rows],
                         ["real"] + ["road"] * (3 + len(roads.NETWORKS)))
        self.assertEqual((rows[0]["vertices"], rows[0]["edges"], rows[0]["diameter"]),
                         ("6", "6", "3"))


if __name__ == "__main__":
    unittest.main()
