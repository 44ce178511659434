# SPDX-License-Identifier: MIT
"""The schedule of a campaign: graphs and solvers.

The graphs are the thesis's and those sizes of the reports that the thesis has no graph of;
the solvers are one table, SOLVERS, that the campaign, the tables and the figures all read:
a program is added by a row.
"""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

PUBLISHED = Path(__file__).resolve().parent
REPORTS = "reports"  # class of the reports' graphs
CLASSES = ("dense", "sparse", "medium", REPORTS)
REPORTS_PERCENT = 2  # density of every graph of the reports, in percent of all possible edges


@dataclasses.dataclass(frozen=True)
class Solver:
    """One program and variant."""

    program: str
    variant: str
    title: str  # name in tables and figures
    column: str = ""  # column in the published files; "": no solver of the thesis
    start_s: float = 0.02  # rough seconds of the program's start, on a GPU with its context

    def __str__(self) -> str:
        return f"{self.program} {self.variant}"

    @property
    def key(self) -> str:
        """The name of the solver in columns of CSV."""
        return self.column or f"{self.program}_{self.variant}"


SOLVERS = (
    Solver("cpu", "sequential", "CPU", column="cpu"),
    Solver("cuda_simple", "thesis", "CUDA v1", column="cuda_v1", start_s=0.4),
    Solver("cuda_blocked", "thesis", "CUDA v2", column="cuda_v2", start_s=0.4),
    Solver("cpu", "auto", "cpu auto"),
    Solver("cuda_simple", "vector", "cuda_simple vector", start_s=0.4),
    Solver("cuda_blocked", "auto", "cuda_blocked auto", start_s=0.4),
    Solver("cuda_sparse", "auto", "cuda_sparse auto", start_s=0.4),
)
THESIS_SOLVERS = tuple(solver for solver in SOLVERS if solver.column)
FURTHER_SOLVERS = tuple(solver for solver in SOLVERS if not solver.column)
PROGRAMS = tuple(dict.fromkeys(solver.program for solver in SOLVERS))


def find_solver(program: str, variant: str) -> Solver:
    """The solver of the table; for a variant that the table lacks, one like the program's others."""
    of_program = [solver for solver in SOLVERS if solver.program == program]
    for solver in of_program:
        if solver.variant == variant:
            return solver
    return dataclasses.replace(of_program[-1], variant=variant, column="",
                               title=f"{program} {variant}")


@dataclasses.dataclass(frozen=True)
class Graph:
    graph_class: str
    vertices: int
    edges: int

    def __str__(self) -> str:
        return f"{self.graph_class} V={self.vertices} E={self.edges}"


def read_published(name: str) -> list[dict[str, str]]:
    with open(PUBLISHED / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def report_speedups() -> dict[str, dict[int, float]]:
    """The reports' own speed-ups over their naive kernels, by report and |V|."""
    speedups: dict[str, dict[int, float]] = {}
    for row in read_published("course_reports.csv"):
        speedups.setdefault(row["report"], {})[int(row["n"])] = float(row["speedup"])
    return speedups


def thesis_graphs() -> list[Graph]:
    return [Graph(row["class"], int(row["V"]), int(row["E"]))
            for row in read_published("thesis_times.csv")]


def report_graphs() -> list[Graph]:
    """Returns graphs of the reports' sizes at which the thesis has no graph of that density."""
    there = {int(row["V"]) for row in read_published("thesis_times.csv")
             if row["density_percent"] == str(REPORTS_PERCENT)}
    sizes = sorted({int(row["n"]) for row in read_published("course_reports.csv")} - there)
    return [Graph(REPORTS, size, size * (size - 1) * REPORTS_PERCENT // 100) for size in sizes]


def graphs() -> list[Graph]:
    """All graphs, small ones first, so that an interrupted campaign has most of them done."""
    return sorted(thesis_graphs() + report_graphs(), key=lambda graph: graph.vertices)
