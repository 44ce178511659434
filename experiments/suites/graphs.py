# SPDX-License-Identifier: MIT
"""The graphs that the benches measure on."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Optional

from experiments.bench import GENERATOR, SEED, run_program

RANDOM = "random"


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
        run_program(bin_dir / GENERATOR, "--v", self.vertices, *what, "--seed", SEED, "-o", path)
