# SPDX-License-Identifier: MIT
"""The data that tables, figures and the summary are made from: the newest verified measurement of
each cell, from one machine or several, and the environments that they name."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Optional

from experiments import environment, timings
from thesis_tables.published.schedule import SOLVERS, Graph, Solver
from experiments.timings import Measurement

CLOCKS = ("total_s", "solve_s")  # clocks; the first is comparable to the thesis's
NOT_MEASURED = "not measured"
UNAVAILABLE = "unavailable"


@dataclasses.dataclass(frozen=True)
class Timed:
    newest: dict[tuple[Graph, Solver], Measurement]
    environments: list[dict[str, Any]]

    def of(self, graph: Graph, solver: Solver) -> Optional[Measurement]:
        return self.newest.get((graph, solver))

    def used_environments(self) -> list[dict[str, Any]]:
        """Returns the environments that a number in the tables comes from; all if there is none."""
        ids = {measurement.environment for measurement in self.newest.values()}
        return [known for known in self.environments if known["id"] in ids] or self.environments

    def measured_in(self, record: dict[str, Any]) -> list[Measurement]:
        return [measurement for measurement in self.newest.values()
                if measurement.environment == record["id"]]

    def machine(self, measurement: Measurement) -> str:
        """A name of the machine. The processor's name is not enough: those of virtual machines are
        often the same."""
        for known in self.environments:
            if known["id"] == measurement.environment:
                return f"{known['cpu']}, {known['cores']} cores, {known['memory_gib']} GiB"
        return measurement.cpu

    def why_unavailable(self, solver: Solver) -> Optional[str]:
        """Why no machine that was tried can run the solver; None if one can."""
        if any(m.program == solver.program for m in self.newest.values()):
            return None
        tried = [known["programs"][solver.program] for known in self.environments
                 if solver.program in known.get("programs", {})]
        reasons = list(dict.fromkeys(program["unavailable"] for program in tried))
        return None if not reasons or None in reasons else "; ".join(reasons)


def gather(timing_files: Iterable[Path], environment_files: Iterable[Path]) -> Timed:
    """The newest verified measurement of each cell. Solvers that gave no predecessors
    did less than the thesis's and have no place in its tables."""
    measured = [measurement for path in timing_files for measurement in timings.read(path)
                if measurement.verified and measurement.predecessors]
    measured.sort(key=lambda measurement: measurement.timestamp)
    solvers = {(solver.program, solver.variant): solver for solver in SOLVERS}
    newest = {(Graph(m.graph_class, m.vertices, m.edges), solvers[m.program, m.variant]): m
              for m in measured if (m.program, m.variant) in solvers}
    records = [record for path in environment_files for record in environment.load(path)]
    return Timed(newest, list({record["id"]: record for record in records}.values()))


def describe_machines(timed: Timed, graph_class: str, solvers: Iterable[Solver]) -> list[str]:
    """Where the numbers of a class of graphs come from: "titles of solvers: machine"."""
    found: dict[str, list[str]] = {}
    for solver in solvers:
        for (graph, each), measurement in timed.newest.items():
            if each == solver and graph.graph_class == graph_class:
                machine = timed.machine(measurement)
                machine += f", {measurement.device}" if measurement.device else ""
                titles = found.setdefault(machine, [])
                if solver.title not in titles:
                    titles.append(solver.title)
    return [f"{', '.join(titles)}: {machine}" for machine, titles in found.items()]


def environment_beside(timings_path: Path) -> Path:
    """thesis_h200.csv -> thesis_h200.environment.json; timings.csv -> environment.json"""
    if timings_path.name == "timings.csv":
        return timings_path.with_name("environment.json")
    return timings_path.with_suffix(".environment.json")


def describe_gpus(record: dict[str, Any], solved_on: Iterable[str]) -> str:
    """The GPUs as nvidia-smi lists them; without nvidia-smi, the GPUs that solved."""
    listed = [f"{gpu['name']} ({gpu['memory']}, driver {gpu['driver']})" for gpu in record["gpus"]]
    counts = collections.Counter(listed or sorted(solved_on))
    return ", ".join(f"{count} × {gpu}" if count > 1 else gpu
                     for gpu, count in counts.items()) or "none"


def describe_cells(timed: Timed, record: dict[str, Any], solver: Solver) -> Optional[str]:
    """Describes a solver's cells that were measured in one environment; names their sizes if others
    come from elsewhere."""
    cells = [(graph, m) for (graph, of), m in timed.newest.items() if of == solver]
    here = [graph for graph, m in cells if m.environment == record["id"]]
    if not here:
        return None
    sizes = ", ".join(str(size) for size in sorted({graph.vertices for graph in here}))
    where = f": V = {sizes}" if len(here) < len(cells) else ""
    return f"{solver.title} ({len(here)} cells{where})"


def describe(timed: Timed, record: dict[str, Any]) -> list[str]:
    """An environment as lines of Markdown."""
    measured = timed.measured_in(record)
    columns = "; ".join(filter(None, (describe_cells(timed, record, solver)
                                      for solver in SOLVERS)))
    compilers = ", ".join(version for version in record["compilers"].values() if version)
    builds = ", ".join(f"{name} `{program['build']}`"
                       for name, program in sorted(record["programs"].items()))
    return [
        f"- Environment `{record['id']}`, {record['date']}, commit {record['commit']}",
        f"  - Measured here: {columns or 'nothing'}",
        f"  - CPU: {record['cpu']}, {record['cores']} cores, {record['memory_gib']} GiB",
        f"  - GPU: {describe_gpus(record, {m.device for m in measured if m.device})}",
        f"  - System: {record['os']}, kernel {record['kernel']}",
        f"  - Compiler: {compilers or 'unknown'}",
        f"  - Configuration: `{record['configuration'] or 'unknown'}`",
        f"  - Programs: {builds or 'none'}",
    ]
