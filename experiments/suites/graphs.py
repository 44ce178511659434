# SPDX-License-Identifier: MIT
"""The graphs that the benches measure on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from experiments.bench import GENERATOR, SEED, run_program

RANDOM = "random"


def make_graph(bin_dir: Path, vertices: int, what: Sequence[object], path: Path) -> None:
    """Writes the graph that the options `what` of graphgen describe, the same each time."""
    run_program(bin_dir / GENERATOR, "--v", vertices, *what, "--seed", SEED, "-q", "-o", path)


@dataclasses.dataclass(frozen=True)
class Graph:
    """A random graph with a number of edges, or a graph of a family."""

    kind: str  # RANDOM or the name of a family of graphgen
    vertices: int
    edges: Optional[int] = None  # number of edges of a random graph; None: a family's own number
    goals: bool = False  # a goal is about this graph, so peers solve it also in the default profile
    modes: bool = False  # distances only, and one thread, are measured also in the default profile

    @property
    def name(self) -> str:
        return f"{self.kind}_V{self.vertices}{'' if self.edges is None else f'_E{self.edges}'}"

    def write(self, bin_dir: Path, path: Path) -> None:
        what = ("--family", self.kind) if self.edges is None else ("--edges", self.edges)
        make_graph(bin_dir, self.vertices, what, path)
