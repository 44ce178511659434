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
    """A random graph of so many edges, or one of a family, which has as many as it has."""

    kind: str  # RANDOM or the name of a family of graphgen
    vertices: int
    edges: Optional[int] = None  # of a random graph
    goals: bool = False  # named by a goal: peers solve it also in the default profile
    modes: bool = False  # D, and one thread, also in the default profile

    @property
    def name(self) -> str:
        return f"{self.kind}_V{self.vertices}{'' if self.edges is None else f'_E{self.edges}'}"

    def write(self, bin_dir: Path, path: Path) -> None:
        what = ("--family", self.kind) if self.edges is None else ("--edges", self.edges)
        run_program(bin_dir / GENERATOR, "--v", self.vertices, *what, "--seed", SEED, "-o", path)
