#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of `cpu` beside what it is meant to reach, from the files of bench_cpu.py.

    python3 experiments/suites/cpu_table.py                      experiments/out
    python3 experiments/suites/cpu_table.py --prefix experiments/results/cpu_2cores

Reads PREFIX.csv (the solvers' own rows, the peers' among them, with two more columns: `chosen`,
what auto took, and `others`, the cores that other processes kept busy meanwhile),
PREFIX_ceilings.csv and PREFIX_programs.csv (whole programs by the wall clock, and the proof alone).
All figures are medians. A goal counts as reached where every graph that it is about reaches it; a
figure that the files do not hold is missing from the table as "not measured".
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments import ceilings, variants  # noqa: E402 (found by the line above)
from experiments.bench import IDLE, BenchError  # noqa: E402
from experiments.markdown import table  # noqa: E402

LARGE = 2000  # vertices from which on a goal is a share of the ceiling
DENSE = (0.02, 0.15)  # densities of graphs that count as dense, as parts of all possible edges
AUTO = "auto"
PROOF = "proof"  # among the rows of whole programs, the one of verify's proof alone
SEQUENTIAL = "sequential"
SCIPY, BOOST = "scipy", "boost"
PEERS = {SCIPY: "SciPy", BOOST: "Boost"}  # programs of other people


class TableError(Exception):
    """A file that is not one of bench_cpu.py. The text names it."""


class Cell(NamedTuple):
    """A combination of a solver, a graph and the way in which it is solved."""

    program: str
    variant: str
    graph: str
    predecessors: bool
    threads: int


@dataclasses.dataclass(frozen=True)
class Solved:
    """A measured cell."""

    vertices: int
    edges: int
    seconds: float  # median solve_s
    chosen: str  # the variant that auto chose
    others: float  # most cores that other processes kept busy in a repetition

    @property
    def rate(self) -> float:
        """Relaxations of Floyd and Warshall's algorithm a second."""
        return self.vertices**3 / self.seconds

    @property
    def density(self) -> float:
        return self.edges / max(1, self.vertices * (self.vertices - 1))


class Figure(NamedTuple):
    where: str
    value: float


@dataclasses.dataclass(frozen=True)
class Measured:
    """The content of all files, as medians."""

    cells: dict[Cell, Solved]
    ceilings: dict[str, float]  # by name: relaxations per second on one thread, with the best instructions
    wall: dict[tuple[str, str, int, int, int], float]  # (program, variant, |V|, |E|, threads) -> seconds
    bounds: dict[str, Optional[str]]  # variant of cpu: the ceiling that bounds it; {} without any

    @property
    def threads(self) -> int:
        """The greatest number of threads that was measured."""
        return max((cell.threads for cell in self.cells), default=1)

    def uses_one_thread(self, variant: str) -> bool:
        """Returns whether the variant uses one thread only, as sequential does: then all its cells have
        one thread."""
        return all(cell.threads == 1 for cell in self.cells if cell.variant == variant)

    def of(self, program: str, variant: str, **wanted: object) -> Iterable[tuple[Cell, Solved]]:
        """The cells of a variant whose further fields are as wanted."""
        return ((cell, solved) for cell, solved in self.cells.items()
                if (cell.program, cell.variant) == (program, variant)
                and all(getattr(cell, name) == value for name, value in wanted.items()))

    def peer(self, graph: str, predecessors: bool) -> Optional[tuple[float, str]]:
        """Seconds of the peers' fastest algorithm on a graph, and which it is."""
        return min(((solved.seconds, f"{PEERS[cell.program]} {cell.variant}")
                    for cell, solved in self.cells.items()
                    if cell.program in PEERS and cell.graph == graph
                    and cell.predecessors == predecessors), default=None)

    def best(self, like: Cell) -> Optional[tuple[str, float]]:
        """The fastest variant but auto that solved what `like` solves on as many threads, and its
        seconds; one that uses one thread counts at any number."""
        found = [(solved.seconds, cell.variant) for cell, solved in self.cells.items()
                 if cell.program == like.program and cell.variant != AUTO
                 and cell.graph == like.graph and cell.predecessors == like.predecessors
                 and (cell.threads == like.threads or self.uses_one_thread(cell.variant))]
        return (min(found)[1], min(found)[0]) if found else None


# Reading ---------------------------------------------------------------------------------


def read_rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a CSV file; [] if there is no file."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    missing = [name for row in rows for name in columns if row.get(name) is None]
    if missing:
        raise TableError(f"{path}: expected a column '{missing[0]}' in every row")
    return rows


def cell_of(row: dict[str, str]) -> Cell:
    return Cell(row["program"], row["variant"], row["graph"], row["predecessors"] == "1",
                int(row["threads"]))


def read_cells(path: Path) -> dict[Cell, Solved]:
    """Returns the cells of the file's rows, proved rows only."""
    rows: dict[Cell, list[dict[str, str]]] = {}
    for row in read_rows(path, ("program", "variant", "graph", "vertices", "edges", "predecessors",
                                "threads", "checked", "solve_s", "chosen", "others")):
        if row["checked"] == "1":
            rows.setdefault(cell_of(row), []).append(row)
    return {cell: Solved(int(same[0]["vertices"]), int(same[0]["edges"]),
                         statistics.median(float(row["solve_s"]) for row in same),
                         same[0]["chosen"], max(float(row["others"]) for row in same))
            for cell, same in rows.items()}


def read_ceilings(path: Path) -> dict[str, float]:
    """Reads the ceilings. If additions and minima compete for execution ports, a tile may be faster
    than the loop in registers; the larger rate is the ceiling (bench_cpu_ceilings.c)."""
    best: dict[str, float] = {}
    try:
        medians = ceilings.read(path, ("name", "instructions", "threads"))
    except ValueError as error:
        raise TableError(str(error)) from None
    for (name, _, threads), value in medians.items():
        if threads == "1":
            kind = name.replace("_tile", "_add_min")
            best[kind] = max(value, best.get(kind, value))
    return best


def read_programs(path: Path) -> dict[tuple[str, str, int, int, int], float]:
    seconds: dict[tuple[str, str, int, int, int], list[float]] = {}
    for row in read_rows(path, ("program", "variant", "vertices", "edges", "threads", "wall_s")):
        key = (row["program"], row["variant"], int(row["vertices"]), int(row["edges"]),
               int(row["threads"]))
        seconds.setdefault(key, []).append(float(row["wall_s"]))
    return {key: statistics.median(each) for key, each in seconds.items()}


def beside(prefix: Path, what: str) -> Path:
    """The path PREFIX_what.csv, or PREFIX.csv if `what` is empty."""
    return prefix.with_name(f"{prefix.name}{'_' + what if what else ''}.csv")


def read_bounds(bin_dir: Path) -> dict[str, Optional[str]]:
    """The bounds of cpu's variants, as the program describes them."""
    try:
        described = variants.read(bin_dir, ("cpu",))
    except BenchError as error:
        raise TableError(str(error)) from None
    return {name: variant.ceiling for (_, name), variant in described.items()}


def read(prefix: Path) -> Measured:
    measured = read_ceilings(beside(prefix, "ceilings"))
    return Measured(read_cells(beside(prefix, "")), measured,
                    read_programs(beside(prefix, "programs")),
                    read_bounds(variants.default_bin()) if measured else {})


# Figures ---------------------------------------------------------------------------------

Figures = Callable[[Measured], list[Figure]]


def of_ceiling(variant: str, predecessors: bool) -> Figures:
    """Rates as shares of the ceiling, on one thread and large random graphs."""
    def figures(measured: Measured) -> list[Figure]:
        limit = measured.ceilings.get(measured.bounds.get(variant) or "")
        return [] if limit is None else [
            Figure(cell.graph, solved.rate / limit)
            for cell, solved in measured.of("cpu", variant, predecessors=predecessors, threads=1)
            if is_dense(cell, solved)]
    return figures


def is_dense(cell: Cell, solved: Solved) -> bool:
    return (cell.graph.startswith("random") and solved.vertices >= LARGE
            and DENSE[0] <= solved.density <= DENSE[1])


def times_sequential(variant: str) -> Figures:
    def figures(measured: Measured) -> list[Figure]:
        slow = {cell.graph: solved.seconds
                for cell, solved in measured.of("cpu", SEQUENTIAL, predecessors=True)}
        return [Figure(cell.graph, slow[cell.graph] / solved.seconds)
                for cell, solved in measured.of("cpu", variant, predecessors=True, threads=1)
                if cell.graph in slow and is_dense(cell, solved)]
    return figures


def times_one_thread(variant: str) -> Figures:
    """Seconds on one thread divided by those on all threads, n = 5000."""
    def figures(measured: Measured) -> list[Figure]:
        found = []
        for cell, solved in measured.of("cpu", variant, threads=measured.threads):
            one = measured.cells.get(cell._replace(threads=1))
            if one is not None and solved.vertices == 5000 and is_dense(cell, solved):
                what = "D+P" if cell.predecessors else "D"
                found.append(Figure(f"{cell.graph} {what}", one.seconds / solved.seconds))
        return found
    return figures


def times_32_bits(measured: Measured) -> list[Figure]:
    found = []
    for cell, solved in measured.of("cpu", "blocked16", predecessors=True):
        wide = measured.cells.get(cell._replace(variant="blocked32"))
        if wide is not None and is_dense(cell, solved):
            found.append(Figure(f"{cell.graph} {cell.threads} thr.",
                                wide.seconds / solved.seconds))
    return found


def times_peer(vertices: int, edges: int) -> Figures:
    """Seconds of the peers' best divided by those of auto on all threads, with predecessors."""
    def figures(measured: Measured) -> list[Figure]:
        return [Figure(f"{cell.graph}: {peer[1]}", peer[0] / solved.seconds)
                for cell, solved in measured.of("cpu", AUTO, predecessors=True,
                                                threads=measured.threads)
                if (solved.vertices, solved.edges) == (vertices, edges)
                and (peer := measured.peer(cell.graph, True)) is not None]
    return figures


def over_best(measured: Measured) -> list[Figure]:
    """Seconds of auto divided by those of the best variant: the worst of all cells."""
    found = []
    for (cell, solved) in measured.of("cpu", AUTO):
        best = measured.best(cell)
        if best is not None:
            what = "D+P" if cell.predecessors else "D"
            found.append(Figure(f"{cell.graph} {what} {cell.threads} thr.: {best[0]}",
                                solved.seconds / best[1]))
    return sorted(found, key=lambda figure: -figure.value)[:1]


def whole_program(program: str, variant: str) -> Figures:
    """Seconds of whole programs by the wall clock (of PROOF by its own), n = 5000, m = 500000, all
    threads."""
    def figures(measured: Measured) -> list[Figure]:
        seconds = measured.wall.get((program, variant, 5000, 500000, measured.threads))
        return [] if seconds is None else [Figure("random_V5000_E500000", seconds)]
    return figures


# The goals -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Goal:
    """`figures` are to be at least `least`, or at most `most`; neither: only shown."""

    what: str
    unit: str
    figures: Figures
    least: Optional[float] = None
    most: Optional[float] = None

    def wanted(self) -> str:
        if self.least is not None:
            return f"≥ {self.show(self.least)}"
        return f"≤ {self.show(self.most)}" if self.most is not None else ""

    def show(self, value: float) -> str:
        if self.unit == "%":
            return f"{100 * value:.0f} %"
        return f"{value:.3g}{' s' if self.unit == 's' else self.unit}"

    def is_reached(self, value: float) -> bool:
        return ((self.least is None or value >= self.least)
                and (self.most is None or value <= self.most))


def goals(threads: int) -> list[Goal]:
    """The goals for a run on that number of threads; some goals hold for two threads only."""
    on_all = f"{threads} thread{'s' if threads > 1 else ''}"
    scaling = [Goal(f"`{variant}`, {on_all} over one", "×", times_one_thread(variant),
                    least=1.85 if threads == 2 else None)
               for variant in ("blocked32", "blocked16", "multisource") if threads > 1]
    return [
        Goal("32 bits, D, one thread, of the ceiling", "%",
             of_ceiling("blocked32", False), least=0.85),
        Goal("16 bits, D, one thread, of the ceiling", "%",
             of_ceiling("blocked16", False), least=0.85),
        Goal("32 bits, D+P, one thread, of the ceiling", "%",
             of_ceiling("blocked32", True), least=0.75),
        Goal("16 bits, D+P, one thread, of the ceiling", "%",
             of_ceiling("blocked16", True), least=0.75),
        Goal("32 bits, D+P, one thread, over `sequential`", "×", times_sequential("blocked32"),
             least=15),
        Goal("16 bits, D+P, one thread, over `sequential`", "×", times_sequential("blocked16"),
             least=15),
        *scaling,
        Goal("16 bits over 32, D+P", "×", times_32_bits, least=1.6),
        Goal(f"`auto`, text graph to .npy, whole program, {on_all}", "s",
             whole_program("cpu", AUTO), most=0.5),
        Goal("`auto` over the best of SciPy and Boost, n = 5000, m = 30000, D+P", "×",
             times_peer(5000, 30000), least=20),
        Goal("`auto` over the best of SciPy and Boost, n = 5000, m = 2500, D+P", "×",
             times_peer(5000, 2500), least=1),
        Goal("`auto`'s time over the best variant's, worst cell", "×", over_best, most=1.15),
        Goal(f"`verify` of that result, in memory, {on_all}", "s",
             whole_program("verify", PROOF), most=0.25),
    ]


def goals_table(measured: Measured) -> str:
    rows: list[tuple[str, ...]] = []
    for goal in goals(measured.threads):
        found = goal.figures(measured)
        rows += [(goal.what if index == 0 else "", goal.wanted() if index == 0 else "",
                  figure.where, goal.show(figure.value),
                  ("yes" if goal.is_reached(figure.value) else "no") if goal.wanted() else "")
                 for index, figure in enumerate(found)]
        if not found:
            rows.append((goal.what, goal.wanted(), "", "not measured", ""))
    return table(("what", "goal", "where", "reached", ""), rows)


def as_ms(seconds: Optional[float]) -> str:
    return "" if seconds is None else f"{seconds * 1e3:.4g}"


def graphs_table(measured: Measured) -> str:
    """A line for each graph: D+P on all threads, milliseconds."""
    graphs = dict.fromkeys(cell.graph for cell in measured.cells)
    rows = []
    for graph in graphs:
        like = Cell("cpu", AUTO, graph, True, measured.threads)
        auto, best = measured.cells.get(like), measured.best(like)
        if auto is None and best is None:
            continue
        mine = auto.seconds if auto is not None else best[1] if best is not None else 0.0
        peer = measured.peer(graph, True)
        rows.append((graph, auto.chosen if auto is not None else "",
                     as_ms(auto.seconds) if auto is not None else "",
                     best[0] if best is not None else "", as_ms(best[1] if best else None),
                     f"{auto.seconds / best[1]:.2f}" if auto is not None and best else "",
                     *((peer[1], as_ms(peer[0]), f"{peer[0] / mine:.3g}×") if peer is not None
                       else ("", "", ""))))
    return table(("graph", "`auto` chose", "ms", "best variant", "ms", "auto / best",
                     "best peer", "ms", "peer / ours"), rows)


def variants_table(measured: Measured) -> str:
    """Milliseconds of every variant on every graph, D+P on all threads."""
    chosen = {cell: solved for cell, solved in measured.cells.items()
              if cell.predecessors and cell.program == "cpu"
              and cell.threads in (1, measured.threads)}
    names = list(dict.fromkeys(cell.variant for cell in chosen))
    def entry(graph: str, variant: str) -> str:
        for threads in (measured.threads, 1 if measured.uses_one_thread(variant) else 0):
            solved = chosen.get(Cell("cpu", variant, graph, True, threads))
            if solved is not None:
                return as_ms(solved.seconds)
        return ""
    return table(("graph", *(f"`{name}`" for name in names)),
                    ((graph, *(entry(graph, name) for name in names))
                     for graph in dict.fromkeys(cell.graph for cell in chosen)))


def others_line(measured: Measured) -> str:
    """Returns a line on other processes: if the machine was not idle, times are too long."""
    others = [solved.others for solved in measured.cells.values()]
    disturbed = sum(busy > IDLE for busy in others)
    return (f"Other processes: up to {max(others, default=0):.2g} cores, {disturbed} of "
            f"{len(others)} cells more than {IDLE}.\n")


def render(measured: Measured) -> str:
    """The three tables, as Markdown."""
    on_all = f"{measured.threads} thread{'s' if measured.threads > 1 else ''}"
    return (f"{goals_table(measured)}\n\n{others_line(measured)}\nD+P, {on_all}\n\n"
            f"{graphs_table(measured)}\n\nD+P, milliseconds (`sequential`: one thread)\n\n"
            f"{variants_table(measured)}\n")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="cpu_table.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--prefix", type=Path, default=ROOT / "experiments" / "out" / "cpu",
                        metavar="PREFIX", help="of the files (experiments/out/cpu)")
    options = parser.parse_args(arguments)
    try:
        if not beside(options.prefix, "").exists():
            raise TableError(f"{beside(options.prefix, '')}: expected the rows of bench_cpu.py, "
                             "found no file: run `make bench-cpu` first")
        print(render(read(options.prefix)), end="")
    except (TableError, ValueError) as error:
        print(f"cpu_table.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
