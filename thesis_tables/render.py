#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders the thesis's Tables 1-6 and Figures 5.1-5.3, published numbers beside ours, tables of
what has come since, the reports' ladder, the crossover to sparse graphs, and a summary.

    make tables
    python3 thesis_tables/render.py --timings A.csv B.csv --ladder C.csv --out DIR

Reads timings as experiments/campaign/run.py writes them (several files, of several machines: the
newest measurement of a cell counts), each with its environment, and rows of
experiments/suites/bench_gpu.py. Only numbers that were measured and verified appear; nothing is
extrapolated. Pictures are drawn by gnuplot; without it everything else is written all the same.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments import markdown, timings  # noqa: E402 (found by the line above)
from experiments import variants as descriptions  # noqa: E402
from experiments.markdown import RIGHT, significant  # noqa: E402
from experiments.bench import IDLE  # noqa: E402
from experiments.timings import Measurement  # noqa: E402
from thesis_tables import crossover, figures, ladder, markers, plot, rounding  # noqa: E402
from thesis_tables import summary  # noqa: E402
from thesis_tables.measured import (  # noqa: E402
    CLOCKS, NOT_MEASURED, UNAVAILABLE, Timed, describe, environment_beside, gather,
    describe_machines)
from thesis_tables.published import schedule  # noqa: E402
from thesis_tables.published.schedule import (  # noqa: E402
    CLASSES, FURTHER_SOLVERS, REPORTS, SOLVERS, THESIS_SOLVERS, Graph, Solver, read_published)

CPU, CUDA_V1, CUDA_V2 = THESIS_SOLVERS
SPEEDUPS = ((CPU, CUDA_V1), (CUDA_V1, CUDA_V2))  # pairs of a slower and a faster solver
PAGE_MARKERS = "tables"
PAGE_CLASS, PAGE_SIZES = "dense", (1000, 5000, 12500)  # class and |V| of the graphs in the table on a page
PAGE_SOLVERS = tuple(solver for solver in SOLVERS if solver.variant != "vector")


class Notes:
    """Marks (a), (b), ... for the cells of one table, and the notes they stand for."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def mark(self, text: str) -> str:
        if text not in self.texts:
            self.texts.append(text)
        number = self.texts.index(text)
        letters = chr(ord("a") + number % 26)
        return f"({letters * (number // 26 + 1)})"

    def marked(self) -> list[str]:
        return [f"{self.mark(text)} {text}" for text in self.texts]


# Cells ---------------------------------------------------------------------------------


def graph_of(cell: dict[str, str]) -> Graph:
    return Graph(cell["class"], int(cell["V"]), int(cell["E"]))


def absence(timed: Timed, graph: Graph, solvers: Sequence[Solver]) -> tuple[str, list[str]]:
    """The reason, for the CSV, why there is no number that needs these solvers, and notes on it."""
    reasons = [(solver, timed.why_unavailable(solver)) for solver in solvers
               if timed.of(graph, solver) is None]
    notes = [f"{solver.title}: {reason}" for solver, reason in reasons if reason]
    return (UNAVAILABLE if notes else NOT_MEASURED), notes


def note_origin(timed: Timed, pair: Sequence[Measurement]) -> list[str]:
    """The note on a speed-up across machines, which compares the machines as well; [] if there is one
    machine."""
    machines = list(dict.fromkeys(map(timed.machine, pair)))
    if len(machines) == 1:
        return []
    return [f"Numerator and denominator were measured on different machines: "
            f"{'; and '.join(machines)}."]


def note_others(measurement: Measurement) -> list[str]:
    if (measurement.others or 0) <= IDLE:
        return []
    return [f"Other processes kept more than {IDLE} cores busy meanwhile (`others` in the CSV of "
            "timings): the time is too long, by an unknown share."]


def note_inconsistent(speedup: str, slower: str, faster: str) -> list[str]:
    if rounding.follows(speedup, slower, faster):
        return []
    least, most = rounding.speedup_interval(slower, faster)
    return [f"The published {speedup} does not follow from the published times, beyond rounding: "
            f"{slower} s / {faster} s gives {float(least):.3g} … {float(most):.3g}."]


@dataclasses.dataclass
class Table:
    """A table: its rows in Markdown and in CSV."""

    name: str  # name of the CSV file, without ending
    title: str
    markdown_columns: list[str]
    csv_columns: list[str]
    markdown_rows: list[list[str]]
    csv_rows: list[list[str]]
    notes: Notes


def _new_table(number: int, title: str) -> Table:
    return Table(f"table_{number}", f"Table {number}. {title}", ["V", "E", "density %"],
                 ["table", "class", "V", "E", "density_percent"], [], [], Notes())


class Row:
    """One row of a table while it is being filled."""

    def __init__(self, table: Table, markdown: list[str], as_csv: list[str]) -> None:
        self.table = table
        self.markdown = markdown
        self.csv = as_csv
        self.notes: list[str] = []

    def add(self, markdown: str, as_csv: str, notes: Sequence[str] = ()) -> None:
        marks = "".join(" " + self.table.notes.mark(note) for note in notes)
        self.markdown.append(markdown + marks)
        self.csv.append(as_csv)
        self.notes += [note for note in notes if note not in self.notes]

    def finish(self) -> None:
        self.table.markdown_rows.append(self.markdown)
        self.table.csv_rows.append(self.csv + ["; ".join(self.notes)])


def _new_row(table: Table, cell: dict[str, str]) -> Row:
    return Row(table, [cell["V"], cell["E"], cell["density_percent"]],
               [cell["table"], cell["class"], cell["V"], cell["E"], cell["density_percent"]])


def _add_times(row: Row, timed: Timed, graph: Graph, solver: Solver) -> None:
    """Adds the times by both clocks; in CSV also the chosen variant, the repetitions and the
    environment."""
    measurement = timed.of(graph, solver)
    for clock in CLOCKS:
        if measurement is None:
            word, notes = absence(timed, graph, [solver])
            row.add("—" if notes else word, word, notes)
        else:
            seconds = measurement.median(clock)
            chosen = measurement.chosen if clock == CLOCKS[-1] else ""
            row.add(significant(seconds) + (f" ({chosen})" if chosen else ""), f"{seconds:.9g}",
                    note_others(measurement))
    row.csv += ["0", ""] if measurement is None else [
        str(measurement.repetitions), measurement.environment]


def _times_columns(table: Table, solver: Solver) -> None:
    table.markdown_columns += [f"{solver.title} {clock}" for clock in CLOCKS]
    table.csv_columns += [f"{solver.key}_{clock}" for clock in CLOCKS]
    table.csv_columns += [f"{solver.key}_repetitions", f"{solver.key}_environment"]


def times_table(number: int, timed: Timed, cells: list[dict[str, str]]) -> Table:
    table = _new_table(number, f"Times in seconds, {cells[0]['class']} graphs")
    for solver in THESIS_SOLVERS:
        table.markdown_columns += [f"{solver.title} thesis"]
        table.csv_columns += [f"{solver.key}_thesis_s"]
        _times_columns(table, solver)
    for cell in cells:
        row = _new_row(table, cell)
        for solver in THESIS_SOLVERS:
            published = cell[f"{solver.key}_s"]
            row.add(published, published)
            _add_times(row, timed, graph_of(cell), solver)
        row.finish()
    table.csv_columns.append("notes")
    return table


def variants_table(graph_class: str, timed: Timed, graphs: list[Graph]) -> Table:
    """Returns the table of solvers since the thesis; on graphs that are not the thesis's, of its
    solvers too."""
    solvers = SOLVERS if graph_class == REPORTS else FURTHER_SOLVERS
    kind = "of the reports' sizes" if graph_class == REPORTS else graph_class
    table = Table(f"variants_{graph_class}", f"Since the thesis: times in seconds, {kind} graphs"
                  if graph_class != REPORTS else f"Times in seconds, graphs {kind}, "
                  f"{schedule.REPORTS_PERCENT} %", ["V", "E"], ["class", "V", "E"], [], [], Notes())
    for solver in solvers:
        _times_columns(table, solver)
    for graph in graphs:
        row = Row(table, [str(graph.vertices), str(graph.edges)],
                  [graph_class, str(graph.vertices), str(graph.edges)])
        for solver in solvers:
            _add_times(row, timed, graph, solver)
        row.finish()
    table.csv_columns.append("notes")
    return table


def _add_speedup(row: Row, timed: Timed, graph: Graph, solvers: tuple[Solver, Solver],
                 clock: str) -> None:
    pair = [timed.of(graph, solver) for solver in solvers]
    measured = [measurement for measurement in pair if measurement is not None]
    if len(measured) < len(pair):
        word, notes = absence(timed, graph, solvers)
        row.add("—" if notes else word, word, notes)
        return
    slower, faster = (measurement.median(clock) for measurement in measured)
    if faster == 0:
        row.add("—", UNAVAILABLE, ["The clock is too coarse for so short a time."])
    else:
        row.add(significant(slower / faster), f"{slower / faster:.9g}",
                note_origin(timed, measured))


def speedups_table(number: int, timed: Timed, cells: list[dict[str, str]],
                   published_times: dict[tuple[str, str], dict[str, str]]) -> Table:
    table = _new_table(number, f"Speed-ups, {cells[0]['class']} graphs")
    for slower, faster in SPEEDUPS:
        title, key = f"{slower.title} / {faster.title}", f"{slower.key}_over_{faster.key}"
        table.markdown_columns += [f"{title} thesis"] + [f"{title} by {clock}" for clock in CLOCKS]
        table.csv_columns += [f"{key}_thesis"] + [f"{key}_{clock}" for clock in CLOCKS]
    for cell in cells:
        row = _new_row(table, cell)
        times = published_times[cell["class"], cell["V"]]
        for slower, faster in SPEEDUPS:
            published = cell[f"{slower.key}_over_{faster.key}"]
            row.add(published, published, note_inconsistent(
                published, times[f"{slower.key}_s"], times[f"{faster.key}_s"]))
            for clock in CLOCKS:
                _add_speedup(row, timed, graph_of(cell), (slower, faster), clock)
        row.finish()
    table.csv_columns.append("notes")
    return table


def make_tables(timed: Timed) -> list[Table]:
    """Tables 1-6, numbered as in the thesis: odd ones times, even ones speed-ups; then those of
    what has come since."""
    times, speedups = read_published("thesis_times.csv"), read_published("thesis_speedups.csv")
    times_of = {(cell["class"], cell["V"]): cell for cell in times}
    tables = []
    for number in sorted({int(cell["table"]) for cell in times + speedups}):
        cells = [cell for cell in times if int(cell["table"]) == number]
        if cells:
            tables.append(times_table(number, timed, cells))
        else:
            cells = [cell for cell in speedups if int(cell["table"]) == number]
            tables.append(speedups_table(number, timed, cells, times_of))
    graphs = schedule.graphs()
    return tables + [variants_table(each, timed, [graph for graph in graphs
                                                  if graph.graph_class == each])
                     for each in CLASSES]


# Writing -------------------------------------------------------------------------------

PREAMBLE = """\
# Tables 1–6 of the thesis, published and measured

“thesis” is what the thesis prints (Karaula, Osijek 2017: Intel Core i5-760, Tesla C2050; means
of two runs). CPU is `cpu --variant sequential`, CUDA v1 `cuda_simple --variant thesis`,
CUDA v2 `cuda_blocked --variant thesis`, all with predecessors. `total_s` is comparable to the
thesis's clock; both clocks are described at the end. Ours are medians over repetitions, each
result verified. “not measured” means just that: nothing here is extrapolated.
"""

CLOSING = """\
## Which published speed-ups are noted

Those that no reading of the published times gives. The thesis prints numbers from 0.01 up with
two decimals, smaller ones with three significant digits. A time stands for all that round to it;
the two ends of the quotient are brought outwards to numbers that can be printed so, because a
speed-up may have been rounded or cut off; a speed-up outside is noted.

## The clocks

- `solve_s`: from input resident to result resident, in the memory the solver works on (host
  memory for the CPU, device memory for a GPU): all phases, no allocation and no transfer.
- `total_s`: from the loaded graph to the answer in host memory: adds filling the matrices and,
  on a GPU, context, allocation and transfers. Reading and writing files is part of neither.
- The thesis took the host's time around allocation, copies, kernels, freeing and the reset of
  the device. Context and reset are why none of its GPU times is below 0.05 s, and why its
  speed-ups for small graphs say more about start-up than about solving.
- Speed-ups of ours are quotients of medians of one and the same clock.
"""


def table_as_markdown(table: Table) -> str:
    parts = [f"## {table.title}",
             markdown.table(table.markdown_columns, table.markdown_rows, [RIGHT]),
             *table.notes.marked()]
    return "\n\n".join(parts) + "\n"


def figures_as_markdown(pictures: Sequence[str]) -> list[str]:
    """A section with the pictures that there are, if any."""
    if not pictures:
        return []
    return ["## Figures\n\n" + "\n\n".join(f"![{name}]({name})" for name in pictures) + "\n"]


def as_markdown(timed: Timed, tables: Iterable[Table], pictures: Sequence[str] = ()) -> str:
    """`pictures`: names of files that lie beside."""
    lines = [line for record in timed.used_environments() for line in describe(timed, record)]
    head = PREAMBLE + "\nMeasured on:\n\n" + "\n".join(lines or ["- not recorded"]) + "\n"
    return "\n".join([head, *map(table_as_markdown, tables), *figures_as_markdown(pictures),
                      CLOSING])


# A page with markers -------------------------------------------------------------------


def page_table(timed: Timed) -> str:
    """A table of the thesis's times, and of the measured times of the same graphs by both clocks."""
    columns = ["V", *(f"{solver.title}, thesis" for solver in THESIS_SOLVERS),
               *(solver.title for solver in PAGE_SOLVERS)]
    rows = []
    for cell in read_published("thesis_times.csv"):
        if cell["class"] != PAGE_CLASS or int(cell["V"]) not in PAGE_SIZES:
            continue
        row = [cell["V"], *(cell[f"{solver.column}_s"] for solver in THESIS_SOLVERS)]
        for solver in PAGE_SOLVERS:
            measurement = timed.of(graph_of(cell), solver)
            row.append(NOT_MEASURED if measurement is None else " / ".join(
                significant(measurement.median(clock)) for clock in CLOCKS))
        rows.append(row)
    return markdown.table(columns, rows, [RIGHT])


def page_part(timed: Timed, pictures: str) -> str:
    """`pictures`: the folder of the figures, seen from the page."""
    measured_on = "; ".join(describe_machines(timed, PAGE_CLASS, PAGE_SOLVERS))
    figure = figures.file_name(PAGE_CLASS, CLOCKS[0])
    return "\n\n".join([
        textwrap.fill(
            f"Seconds to solve the thesis's {PAGE_CLASS} graphs: as published (Core i5-760, "
            f"Tesla C2050), and ours, `{CLOCKS[0]}` / `{CLOCKS[1]}`, with predecessors, every "
            f"result verified. {measured_on or 'Nothing is measured'}.", 100,
            break_on_hyphens=False),
        page_table(timed),
        f"![Times and speed-ups of {PAGE_CLASS} graphs, published and "
        f"measured]({pictures}/{figure}.svg)",
    ])


# Files ---------------------------------------------------------------------------------


def write_csv(path: Path, table: Table) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.csv_columns)
        writer.writerows(table.csv_rows)


@dataclasses.dataclass(frozen=True)
class Inputs:
    timings: Sequence[Path]
    environments: Sequence[Path]
    ladder: Optional[Path] = None  # CSV of bench_gpu.py
    crossover: Sequence[Path] = ()  # CSV files of bench_crossover.py, with graphs of several densities
    bin_dir: Path = descriptions.default_bin()  # programs, which describe the rungs


@dataclasses.dataclass(frozen=True)
class Rendered:
    tables: str  # the text of tables.md
    left_out: list[str]  # one line for each number that is left out


def render(inputs: Inputs, out: Path, page: Optional[Path] = None) -> Rendered:
    """Writes tables.md, summary.md, their CSV and figures into the folder `out`, and what the
    page shows between its markers."""
    timed = gather(inputs.timings, inputs.environments)
    tables = make_tables(timed)
    speedups: summary.SpeedUps = {}
    left_out = []
    out.mkdir(parents=True, exist_ok=True)
    for table in tables:
        write_csv(out / f"{table.name}.csv", table)
    if inputs.ladder is not None:
        variants = ladder.read_variants(inputs.bin_dir)
        speedups = ladder.report_speedups(ladder.read_medians(inputs.ladder), variants)
        (out / "ladder.md").write_text(
            "# The ladder of GPU variants\n\n" + ladder.render_file(inputs.ladder, variants) + "\n",
            encoding="utf-8")
    else:
        left_out.append("no ladder of the GPU's variants: no file of bench_gpu.py's rows")
    (out / "summary.md").write_text(summary.as_markdown(timed, speedups), encoding="utf-8")
    pictures = figures.thesis_figures(timed)
    crossovers = crossover.find_crossovers(crossover.read_duels(inputs.crossover))
    if crossovers:
        (out / "crossover.md").write_text(crossover.as_markdown(crossovers), encoding="utf-8")
        pictures.append(crossover.figure(crossovers))
    else:
        left_out.append("no crossover: no graph that both cuda_sparse and cuda_blocked solved")
    left_out += plot.draw_all(pictures, out)
    text = as_markdown(timed, tables, [
        f"{each.name}.svg" for each in pictures if (out / f"{each.name}.svg").exists()])
    (out / "tables.md").write_text(text, encoding="utf-8")
    if page is not None:
        markers.insert(page_part(timed, os.path.relpath(out, page.parent)), page,
                       PAGE_MARKERS)
    return Rendered(text, left_out)


def parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="render.py",
                                     description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--timings", nargs="+", type=Path, required=True, metavar="CSV",
                        help="timings, as experiments/campaign/run.py writes them")
    parser.add_argument("--environment", nargs="+", type=Path, metavar="JSON",
                        help="environments that the timings refer to (default: beside each, "
                             "A.environment.json for A.csv, environment.json for timings.csv)")
    parser.add_argument("--ladder", type=Path, metavar="CSV",
                        help="rows of bench_gpu.py, for the ladder and the reports' conclusions")
    parser.add_argument("--crossover", nargs="+", type=Path, default=[], metavar="CSV",
                        help="rows of bench_gpu.py of graphs of several densities")
    parser.add_argument("--bin", type=Path, default=descriptions.default_bin(), metavar="DIR",
                        help="folder of the programs, which describe the ladder's rungs (bin)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR",
                        help="folder for tables, summary and figures")
    parser.add_argument("--show", action="store_true",
                        help="print the tables, too")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help="a file with markers, for the main table and figure")
    return parser.parse_args(arguments)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    options = parse_arguments(arguments)
    environments = options.environment
    if environments is None:
        environments = list(filter(Path.is_file, map(environment_beside, options.timings)))
    inputs = Inputs(options.timings, environments, options.ladder, options.crossover,
                    options.bin)
    for path in [*inputs.timings, *inputs.environments, *filter(None, [inputs.ladder]),
                 *inputs.crossover]:
        if not path.is_file():
            print(f"render.py: {path}: expected a file, found none: run `make experiments` first",
                  file=sys.stderr)
            return 2
    try:
        rendered = render(inputs, options.out, options.into)
    except (timings.TimingsError, ValueError) as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 4
    if options.show:
        print(rendered.tables)
    for line in rendered.left_out:
        print(line)
    print(f"{options.out / 'tables.md'}, {options.out / 'summary.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
