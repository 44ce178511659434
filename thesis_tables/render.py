#!/usr/bin/env python3
"""Renders the thesis's Tables 1-6, published numbers beside ours.

    python3 thesis_tables/render.py --timings experiments/out/timings.csv \\
        --environment experiments/out/environment.json --out experiments/out

Reads timings as experiments/run.py writes them (several files: the newest
measurement of a cell counts) and writes tables.md and table_1.csv ... table_6.csv.
Only numbers that were measured and verified appear; nothing is extrapolated.
"""

from __future__ import annotations

import argparse
import collections
import csv
import dataclasses
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments import environment, timings  # noqa: E402 (found by the line above)
from experiments.timings import Measurement  # noqa: E402
from thesis_tables import rounding  # noqa: E402

PUBLISHED = Path(__file__).resolve().parent / "published"
CLOCKS = ("total_s", "solve_s")  # the one comparable to the thesis's first
NOT_MEASURED = "not measured"
UNAVAILABLE = "unavailable"


@dataclasses.dataclass(frozen=True)
class Solver:
    """A column of the thesis's tables of times."""

    key: str  # as in the published CSV
    title: str
    program: str
    variant: str


SOLVERS = (
    Solver("cpu", "CPU", "cpu", "sequential"),
    Solver("cuda_v1", "CUDA v1", "cuda_simple", "thesis"),
    Solver("cuda_v2", "CUDA v2", "cuda_blocked", "thesis"),
)
CPU, CUDA_V1, CUDA_V2 = SOLVERS
SPEEDUPS = ((CPU, CUDA_V1), (CUDA_V1, CUDA_V2))  # slower, faster


@dataclasses.dataclass(frozen=True)
class Timed:
    """What the tables are made from."""

    newest: dict[tuple[str, int, int, str, str], Measurement]
    environments: list[dict[str, Any]]

    def of(self, cell: dict[str, str], solver: Solver) -> Optional[Measurement]:
        return self.newest.get((cell["class"], int(cell["V"]), int(cell["E"]), solver.program,
                                solver.variant))

    def used_environments(self) -> list[dict[str, Any]]:
        """Those that a number in the tables comes from; all where there is none."""
        ids = {measurement.environment for measurement in self.newest.values()}
        return [known for known in self.environments if known["id"] in ids] or self.environments

    def devices(self, record: dict[str, Any]) -> set[str]:
        """The GPUs that solved in an environment."""
        return {measurement.device for measurement in self.newest.values()
                if measurement.environment == record["id"] and measurement.device}

    def why_unavailable(self, solver: Solver) -> Optional[str]:
        """Why no machine that was tried can run the solver; None where one can."""
        if any(m.program == solver.program for m in self.newest.values()):
            return None
        tried = [known["programs"][solver.program] for known in self.environments
                 if solver.program in known.get("programs", {})]
        reasons = list(dict.fromkeys(program["unavailable"] for program in tried))
        return None if not reasons or None in reasons else "; ".join(reasons)


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


# Reading -------------------------------------------------------------------------------


def read_published(name: str) -> list[dict[str, str]]:
    with open(PUBLISHED / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def gather(timing_files: Iterable[Path], environment_files: Iterable[Path]) -> Timed:
    """The newest verified measurement of each cell. Solvers that gave no predecessors
    did less than the thesis's and have no place in its tables."""
    measured = [measurement for path in timing_files for measurement in timings.read(path)
                if measurement.verified and measurement.predecessors]
    measured.sort(key=lambda measurement: measurement.timestamp)
    columns = {(solver.program, solver.variant) for solver in SOLVERS}
    newest = {(m.graph_class, m.vertices, m.edges, m.program, m.variant): m
              for m in measured if (m.program, m.variant) in columns}
    return Timed(newest, [record for path in environment_files
                          for record in environment.load(path)])


# Formatting ----------------------------------------------------------------------------


def significant(number: float) -> str:
    """Three significant digits, without an exponent where that stays readable."""
    if number == 0:
        return "0"
    rounded = float(f"{number:.2e}")
    if rounded < 1e-3 or rounded >= 1e7:
        return f"{number:.2e}"
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"


def describe_gpus(record: dict[str, Any], solved_on: set[str]) -> str:
    """As nvidia-smi lists them; where it is missing, those that solved."""
    listed = [f"{gpu['name']} ({gpu['memory']}, driver {gpu['driver']})" for gpu in record["gpus"]]
    counts = collections.Counter(listed or sorted(solved_on))
    return ", ".join(f"{count} × {gpu}" if count > 1 else gpu
                     for gpu, count in counts.items()) or "none"


def describe(record: dict[str, Any], solved_on: set[str]) -> list[str]:
    """An environment as lines of Markdown."""
    compilers = ", ".join(version for version in record["compilers"].values() if version)
    builds = ", ".join(f"{name} `{program['build']}`"
                       for name, program in sorted(record["programs"].items()))
    return [
        f"- Environment `{record['id']}`, {record['date']}, commit {record['commit']}",
        f"  - CPU: {record['cpu']}, {record['cores']} cores, {record['memory_gib']} GiB",
        f"  - GPU: {describe_gpus(record, solved_on)}",
        f"  - System: {record['os']}, kernel {record['kernel']}",
        f"  - Compiler: {compilers or 'unknown'}",
        f"  - Configuration: `{record['configuration'] or 'unknown'}`",
        f"  - Programs: {builds or 'none'}",
    ]


# Cells ---------------------------------------------------------------------------------


def absence(timed: Timed, cell: dict[str, str],
            solvers: Sequence[Solver]) -> tuple[str, list[str]]:
    """Why there is no number that needs these solvers, for the CSV; and notes."""
    reasons = [(solver, timed.why_unavailable(solver)) for solver in solvers
               if timed.of(cell, solver) is None]
    notes = [f"{solver.title}: {reason}" for solver, reason in reasons if reason]
    return (UNAVAILABLE if notes else NOT_MEASURED), notes


def note_origin(pair: Sequence[Measurement]) -> list[str]:
    """A speed-up across machines compares the machines as well."""
    machines = list(dict.fromkeys(measurement.cpu for measurement in pair))
    if len(machines) == 1:
        return []
    return [f"Numerator and denominator were measured on different machines: "
            f"{' and '.join(machines)}."]


def note_inconsistent(speedup: str, slower: str, faster: str) -> list[str]:
    if rounding.follows(speedup, slower, faster):
        return []
    least, most = rounding.speedup_interval(slower, faster)
    return [f"The published {speedup} does not follow from the published times, beyond rounding: "
            f"{slower} s / {faster} s gives {float(least):.3g} … {float(most):.3g}."]


@dataclasses.dataclass
class Table:
    """Rows as they go to Markdown and to CSV."""

    number: int
    title: str
    markdown_columns: list[str]
    csv_columns: list[str]
    markdown_rows: list[list[str]]
    csv_rows: list[list[str]]
    notes: Notes


def _new_table(number: int, title: str) -> Table:
    return Table(number, title, ["V", "E", "density %"],
                 ["table", "class", "V", "E", "density_percent"], [], [], Notes())


class Row:
    """One row of a table while it is being filled."""

    def __init__(self, table: Table, cell: dict[str, str]) -> None:
        self.table = table
        self.markdown = [cell["V"], cell["E"], cell["density_percent"]]
        self.csv = [cell["table"], cell["class"], cell["V"], cell["E"], cell["density_percent"]]
        self.notes: list[str] = []

    def add(self, markdown: str, as_csv: str, notes: Sequence[str] = ()) -> None:
        marks = "".join(" " + self.table.notes.mark(note) for note in notes)
        self.markdown.append(markdown + marks)
        self.csv.append(as_csv)
        self.notes += [note for note in notes if note not in self.notes]

    def finish(self) -> None:
        self.table.markdown_rows.append(self.markdown)
        self.table.csv_rows.append(self.csv + ["; ".join(self.notes)])


def times_table(number: int, timed: Timed, cells: list[dict[str, str]]) -> Table:
    table = _new_table(number, f"Times in seconds, {cells[0]['class']} graphs")
    for solver in SOLVERS:
        table.markdown_columns += [f"{solver.title} thesis"]
        table.markdown_columns += [f"{solver.title} {clock}" for clock in CLOCKS]
        table.csv_columns += [f"{solver.key}_thesis_s"]
        table.csv_columns += [f"{solver.key}_{clock}" for clock in CLOCKS]
        table.csv_columns += [f"{solver.key}_repetitions", f"{solver.key}_environment"]
    for cell in cells:
        row = Row(table, cell)
        for solver in SOLVERS:
            published = cell[f"{solver.key}_s"]
            row.add(published, published)
            measurement = timed.of(cell, solver)
            for clock in CLOCKS:
                if measurement is None:
                    word, notes = absence(timed, cell, [solver])
                    row.add("—" if notes else word, word, notes)
                else:
                    seconds = measurement.median(clock)
                    row.add(significant(seconds), f"{seconds:.9g}")
            row.csv += ["0", ""] if measurement is None else [
                str(measurement.repetitions), measurement.environment]
        row.finish()
    table.csv_columns.append("notes")
    return table


def _add_speedup(row: Row, timed: Timed, cell: dict[str, str],
                 solvers: tuple[Solver, Solver], clock: str) -> None:
    pair = [timed.of(cell, solver) for solver in solvers]
    measured = [measurement for measurement in pair if measurement is not None]
    if len(measured) < len(pair):
        word, notes = absence(timed, cell, solvers)
        row.add("—" if notes else word, word, notes)
        return
    slower, faster = (measurement.median(clock) for measurement in measured)
    if faster == 0:
        row.add("—", UNAVAILABLE, ["The clock is too coarse for so short a time."])
    else:
        row.add(significant(slower / faster), f"{slower / faster:.9g}", note_origin(measured))


def speedups_table(number: int, timed: Timed, cells: list[dict[str, str]],
                   published_times: dict[tuple[str, str], dict[str, str]]) -> Table:
    table = _new_table(number, f"Speed-ups, {cells[0]['class']} graphs")
    for slower, faster in SPEEDUPS:
        title, key = f"{slower.title} / {faster.title}", f"{slower.key}_over_{faster.key}"
        table.markdown_columns += [f"{title} thesis"] + [f"{title} by {clock}" for clock in CLOCKS]
        table.csv_columns += [f"{key}_thesis"] + [f"{key}_{clock}" for clock in CLOCKS]
    for cell in cells:
        row = Row(table, cell)
        times = published_times[cell["class"], cell["V"]]
        for slower, faster in SPEEDUPS:
            published = cell[f"{slower.key}_over_{faster.key}"]
            row.add(published, published, note_inconsistent(
                published, times[f"{slower.key}_s"], times[f"{faster.key}_s"]))
            for clock in CLOCKS:
                _add_speedup(row, timed, cell, (slower, faster), clock)
        row.finish()
    table.csv_columns.append("notes")
    return table


def make_tables(timed: Timed) -> list[Table]:
    """Tables 1-6, numbered as in the thesis: odd ones times, even ones speed-ups."""
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
    return tables


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
    lines = [table.markdown_columns, ["---:"] * len(table.markdown_columns), *table.markdown_rows]
    text = [f"## Table {table.number}. {table.title}", ""]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    for note in table.notes.marked():
        text += ["", note]
    return "\n".join(text) + "\n"


def as_markdown(timed: Timed, tables: Iterable[Table]) -> str:
    lines = [line for record in timed.used_environments()
             for line in describe(record, timed.devices(record))]
    head = PREAMBLE + "\nMeasured on:\n\n" + "\n".join(lines or ["- not recorded"]) + "\n"
    return "\n".join([head, *map(table_as_markdown, tables), CLOSING])


def write_csv(path: Path, table: Table) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.csv_columns)
        writer.writerows(table.csv_rows)


def render(timing_files: Iterable[Path], environment_files: Iterable[Path], out: Path) -> str:
    """Writes tables.md and table_N.csv into the folder `out`; returns the Markdown."""
    timed = gather(timing_files, environment_files)
    tables = make_tables(timed)
    markdown = as_markdown(timed, tables)
    out.mkdir(parents=True, exist_ok=True)
    for table in tables:
        write_csv(out / f"table_{table.number}.csv", table)
    (out / "tables.md").write_text(markdown, encoding="utf-8")
    return markdown


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="render.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--timings", nargs="+", type=Path, required=True, metavar="CSV",
                        help="timings, as experiments/run.py writes them")
    parser.add_argument("--environment", nargs="+", type=Path, default=[], metavar="JSON",
                        help="environment.json files that the timings refer to")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR",
                        help="folder for tables.md and table_1.csv ... table_6.csv")
    options = parser.parse_args(arguments)
    for path in options.timings + options.environment:
        if not path.is_file():
            print(f"render.py: {path}: expected a file, found none: run `make experiments` first",
                  file=sys.stderr)
            return 2
    try:
        render(options.timings, options.environment, options.out)
    except (timings.TimingsError, ValueError) as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 4
    print(f"{options.out / 'tables.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
