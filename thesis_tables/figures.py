# SPDX-License-Identifier: MIT
"""Figures 5.1-5.3: times and speed-ups against |V|, published and measured, for dense, sparse
and medium graphs; by each clock.

Published curves are dotted. The thesis had one clock, ours of total_s; the note below a picture
says so. A ring marks what was measured beside other busy processes. A solver that is measured nowhere
in a class has no curve.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from experiments.bench import IDLE
from thesis_tables.measured import CLOCKS, Timed, describe_machines
from thesis_tables.plot import Figure, Panel, Series
from thesis_tables.published.schedule import FURTHER_SOLVERS, SOLVERS, Solver, read_published

NUMBERS = {"dense": "5.1", "sparse": "5.2", "medium": "5.3"}
TICS = (5, 10, 20, 40, 100, 200, 400, 800, 2000, 5000, 12500)
V_LABEL = "|V|"
THESIS_CLOCK = CLOCKS[0]  # the thesis's clock, total_s, with context and transfers
NOTE_WIDTH = 150  # letters in a line of notes

# The solvers of the thesis, which have a column in the published files.
CPU, CUDA_V1, CUDA_V2 = (solver for solver in SOLVERS if solver.column)
THESIS_SPEEDUPS = ((CPU, CUDA_V1), (CUDA_V1, CUDA_V2))
FURTHER_SPEEDUPS = tuple((CUDA_V2, solver) for solver in FURTHER_SOLVERS
                         if solver.program in ("cuda_blocked", "cuda_sparse"))

Points = list[tuple[float, float]]


def file_name(graph_class: str, clock: str) -> str:
    """Without ending: figure_5_1_total, figure_5_1_solve ..."""
    return f"figure_{NUMBERS[graph_class].replace('.', '_')}_{clock.partition('_')[0]}"


def measured_times(timed: Timed, graph_class: str, solver: Solver, clock: str) -> Points:
    points = [(float(graph.vertices), measurement.median(clock))
              for (graph, each), measurement in timed.newest.items()
              if graph.graph_class == graph_class and each == solver]
    return sorted(point for point in points if point[1] > 0)


def disturbed_times(timed: Timed, graph_class: str, solver: Solver, clock: str) -> Points:
    """Returns the points that were measured beside other busy processes."""
    return [(float(graph.vertices), measurement.median(clock))
            for (graph, each), measurement in timed.newest.items()
            if graph.graph_class == graph_class and each == solver
            and (measurement.others or 0) > IDLE and measurement.median(clock) > 0]


def published_times(graph_class: str, solver: Solver) -> Points:
    return [(float(row["V"]), float(row[f"{solver.column}_s"]))
            for row in read_published("thesis_times.csv") if row["class"] == graph_class]


def quotients(slower: Points, faster: Points) -> Points:
    divisors = dict(faster)
    return [(x, y / divisors[x]) for x, y in slower if x in divisors]


def times_panel(timed: Timed, graph_class: str, clock: str) -> Panel:
    published = [Series(f"{solver.title}, thesis", published_times(graph_class, solver),
                        style, published=True)
                 for style, solver in enumerate(SOLVERS) if solver.column]
    measured = [Series(solver.title, measured_times(timed, graph_class, solver, clock), style,
                       disturbed=disturbed_times(timed, graph_class, solver, clock))
                for style, solver in enumerate(SOLVERS)]
    return Panel(f"Times, seconds ({clock})", V_LABEL, "seconds", published + measured, TICS)


def speedups_panel(timed: Timed, graph_class: str, clock: str) -> Panel:
    def measured(solver: Solver) -> Points:
        return measured_times(timed, graph_class, solver, clock)

    def series(pairs: Sequence[tuple[Solver, Solver]], points: Callable[[Solver], Points],
               note: str, published: bool) -> list[Series]:
        return [Series(f"{slower.title} / {faster.title}{note}",
                       quotients(points(slower), points(faster)), style, published)
                for style, (slower, faster) in enumerate(pairs)]

    return Panel(f"Speed-ups ({clock})", V_LABEL, "times as fast", [
        *series(THESIS_SPEEDUPS, lambda solver: published_times(graph_class, solver), ", thesis",
                True),
        *series(THESIS_SPEEDUPS + FURTHER_SPEEDUPS, measured, "", False)], TICS)


def notes(timed: Timed, graph_class: str) -> list[str]:
    """The lines below a picture."""
    where = [f"Thesis (dotted): Core i5-760, Tesla C2050, always {THESIS_CLOCK}, its only clock.",
             *describe_machines(timed, graph_class, SOLVERS)]
    if any((m.others or 0) > IDLE for (graph, _), m in timed.newest.items()
           if graph.graph_class == graph_class):
        where.append(f"Rings: measured while other processes kept more than {IDLE} cores busy.")
    return [part for line in where for part in textwrap.wrap(line, NOTE_WIDTH)]


def thesis_figures(timed: Timed) -> list[Figure]:
    """Returns the thesis's figures. The published speed-ups are drawn from the published times."""
    graph_classes = list(NUMBERS)
    return [Figure(file_name(graph_class, clock),
                   f"Figure {NUMBERS[graph_class]}. Times and speed-ups, {graph_class} graphs",
                   [times_panel(timed, graph_class, clock),
                    speedups_panel(timed, graph_class, clock)],
                   notes(timed, graph_class))
            for graph_class in graph_classes for clock in CLOCKS]

