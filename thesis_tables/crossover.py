# SPDX-License-Identifier: MIT
"""The crossover: up to which m/n² cuda_sparse is the faster of the GPU's programs, per n.

From rows in the form of experiments/suites/bench_gpu.py, graphs of several densities for each n: of each
graph the fastest variant of cuda_sparse stands against the fastest of cuda_blocked, both checked,
both with predecessors or both without. (cuda_sparse auto is left out: where it would be slower it
takes a blocked variant.) The crossover lies between the densest graph on which
cuda_sparse wins and the next denser one, on which it does not; its place in between is where the
quotient of the times, a straight line between them on logarithmic axes, would be 1. Nothing is
said beyond the densities measured.
"""

from __future__ import annotations

import csv
import dataclasses
import math
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional

from experiments.markdown import LEFT, RIGHT, table
from thesis_tables.plot import Figure, Panel, Series

SPARSE, BLOCKED = "cuda_sparse", "cuda_blocked"
FALLS_BACK = (SPARSE, "auto")
NAME = "crossover"
MODES = ((True, "with predecessors"), (False, "distances only"))
ASIDE = (1 / 1.012, 1.012)  # factors that move the modes aside in the figure, so that both are seen


@dataclasses.dataclass(frozen=True)
class Duel:
    """One graph, solved by cuda_sparse and cuda_blocked."""

    density: float  # m/n²
    sparse_s: float
    blocked_s: float
    blocked_variant: str

    @property
    def advantage(self) -> float:
        """How many times as fast cuda_sparse is."""
        return self.blocked_s / self.sparse_s


@dataclasses.dataclass(frozen=True)
class Crossover:
    vertices: int
    predecessors: bool
    least: Optional[Duel]  # the densest graph below the crossover; None: cuda_sparse never wins
    most: Optional[Duel]  # the next denser graph; None: cuda_sparse always wins

    @property
    def density(self) -> Optional[float]:
        if self.least is None or self.most is None:
            return None
        low, high = math.log(self.least.advantage), math.log(self.most.advantage)
        part = low / (low - high)
        return math.exp((1 - part) * math.log(self.least.density)
                        + part * math.log(self.most.density))


Key = tuple[int, int, bool]  # vertices, edges, predecessors


def read_duels(paths: Iterable[Path]) -> dict[Key, Duel]:
    """Returns medians of solve_s on the graphs that both programs solved. Raises ValueError for a
    file without the columns."""
    seconds: dict[tuple[Key, str, str], list[float]] = {}
    for path in paths:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    if (row["checked"] == "1" and row["program"] in (SPARSE, BLOCKED)
                            and (row["program"], row["variant"]) != FALLS_BACK):
                        key = (int(row["vertices"]), int(row["edges"]), row["predecessors"] == "1")
                        seconds.setdefault((key, row["program"], row["variant"]), []).append(
                            float(row["solve_s"]))
        except KeyError as error:
            raise ValueError(f"{path}: expected a column {error}") from None
    fastest: dict[tuple[Key, str], tuple[float, str]] = {}
    for (key, program, variant), each in seconds.items():
        candidate = (statistics.median(each), variant)
        fastest[key, program] = min(candidate, fastest.get((key, program), candidate))
    return {key: Duel(key[1] / key[0]**2, fastest[key, SPARSE][0], *fastest[key, BLOCKED])
            for key, program in sorted(fastest) if program == SPARSE and (key, BLOCKED) in fastest}


def find_crossovers(duels: dict[Key, Duel]) -> list[Crossover]:
    """The crossovers, one for each n and mode, by n. If cuda_sparse wins again on a denser graph, the
    crossover is the last one."""
    found = []
    for vertices, predecessors in sorted({(key[0], key[2]) for key in duels},
                                         key=lambda each: (each[0], not each[1])):
        those = sorted((duel for key, duel in duels.items()
                        if key[0] == vertices and key[2] == predecessors),
                       key=lambda duel: duel.density)
        won = [number for number, duel in enumerate(those) if duel.advantage > 1]
        last = won[-1] if won else -1
        found.append(Crossover(vertices, predecessors, those[last] if won else None,
                               those[last + 1] if last + 1 < len(those) else None))
    return found


def figure(crossovers: Sequence[Crossover]) -> Figure:
    """Crossovers between measured densities, with a bar from one to the other; an arrow from the
    last density measured where it lies beyond."""
    series = []
    for style, ((predecessors, name), aside) in enumerate(zip(MODES, ASIDE)):
        points, bars, beyond = [], [], []
        for each in crossovers:
            if each.predecessors != predecessors:
                continue
            if each.density is not None and each.least and each.most:
                points.append((each.vertices * aside, each.density))
                bars.append((each.least.density, each.most.density))
            elif duel := each.least or each.most:
                beyond.append((each.vertices * aside, duel.density, each.most is None))
        series.append(Series(name, points, style, bars=bars, beyond=beyond))
    sizes = sorted({each.vertices for each in crossovers})
    return Figure(NAME, "Where the blocked variants overtake cuda_sparse (above the curve)", [
        Panel("Crossover (solve_s); bars: densities measured; arrows: beyond them", "n", "m/n²",
              series, sizes)])


def as_markdown(crossovers: Iterable[Crossover], significant: str = ".3g") -> str:
    def described(duel: Optional[Duel], other: str) -> str:
        if duel is None:
            return other
        return (f"{duel.density:{significant}} ({duel.sparse_s * 1e3:{significant}} ms, "
                f"`{duel.blocked_variant}` {duel.blocked_s * 1e3:{significant}} ms)")

    def where(each: Crossover) -> str:
        if each.density is not None:
            return f"{each.density:{significant}}"
        return "below all measured" if each.least is None else "above all measured"

    rows = [[str(each.vertices), dict(MODES)[each.predecessors], where(each),
             described(each.least, "none measured"), described(each.most, "none measured")]
            for each in crossovers]
    return table(["n", "", "crossover at m/n²", "`cuda_sparse` still faster at", "no longer at"],
                 rows, [RIGHT, LEFT, RIGHT, LEFT]) + "\n"
