#!/usr/bin/env python3
"""Runs the thesis's schedule: every graph size with every solver, each result verified.

    make experiments                    sizes up to V = 2000, within two minutes
    make experiments PROFILE=full       all sizes; hours on a CPU
    python3 experiments/run.py --help   more choices

A cell of the schedule is a graph (class, V, E) and a solver (program, variant). For each:
generate the graph, solve it, prove the result with `verify`, and append one row per
repetition to timings.csv. What is already measured by the same build of the program on the
same machine is skipped, so an interrupted campaign goes on where it stopped. Cells that an
older build measured are measured again, because the tables would show its numbers as those of
the program that lies here. Ends by rendering Tables 1-6.

Exit status: 0 done; 1 a solver failed or a result was refuted; 2 usage, malformed files;
4 files cannot be written; 130, 143 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments import environment, timings  # noqa: E402 (found by the line above)
from experiments.timings import Measurement  # noqa: E402
from thesis_tables import render  # noqa: E402

SEED = 2017  # of every graph; with graphgen's default weights, 1 to 100
NO_RESOURCE = 4  # a program's exit status: this machine cannot run it
BAD_INPUT = 2

THESIS_VARIANTS = {"cpu": "sequential", "cuda_simple": "thesis", "cuda_blocked": "thesis"}
HELPERS = ("graphgen", "verify")

# Seconds per relaxation, n^3 of them. Rough: they decide how often to repeat, which cells
# --max-cpu-seconds skips, and the first estimates of the time left; never a result.
RATE = {("cpu", "sequential"): 1e-9, ("cuda_simple", "thesis"): 1e-11}
OTHER_RATE = {"cpu": 1e-10, "cuda_simple": 1e-11, "cuda_blocked": 3e-12}

MOST_REPETITIONS = 5
REPETITIONS_BUDGET_S = 5.0  # so many repetitions as fit, at least one


@dataclasses.dataclass(frozen=True)
class Profile:
    max_vertices: int
    repetitions: Optional[int]  # None: chosen by the estimated time


PROFILES = {
    "smoke": Profile(40, 1),
    "default": Profile(2000, None),
    "full": Profile(12500, None),
}


class CampaignError(Exception):
    """One line for a person, and the exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Solver:
    program: str
    variant: str

    def __str__(self) -> str:
        return f"{self.program} {self.variant}"

    def estimated_s(self, vertices: int) -> float:
        rate = RATE.get((self.program, self.variant), OTHER_RATE[self.program])
        return rate * vertices**3


@dataclasses.dataclass(frozen=True)
class Graph:
    graph_class: str
    vertices: int
    edges: int

    def __str__(self) -> str:
        return f"{self.graph_class} V={self.vertices} E={self.edges}"


@dataclasses.dataclass(frozen=True)
class Cell:
    graph: Graph
    solver: Solver

    def __str__(self) -> str:
        return f"{self.graph} {self.solver}"

    def repetitions(self, wanted: Optional[int]) -> int:
        """As many as wanted; None: by the estimated time."""
        if wanted is not None:
            return wanted
        fitting = REPETITIONS_BUDGET_S / self.solver.estimated_s(self.graph.vertices)
        return max(1, min(MOST_REPETITIONS, int(fitting)))


@dataclasses.dataclass(frozen=True)
class Ability:
    """What a trial on a tiny graph told about a solver that this machine can run."""

    device: str  # the GPU's name, or ""
    predecessors: bool


def cell_of(measurement: Measurement) -> Cell:
    return Cell(Graph(measurement.graph_class, measurement.vertices, measurement.edges),
                Solver(measurement.program, measurement.variant))


# The schedule ----------------------------------------------------------------------------


def read_schedule(options: argparse.Namespace) -> list[Graph]:
    """The thesis's graphs that were asked for, small ones first, so that an interrupted
    campaign has most cells done."""
    most = PROFILES[options.profile].max_vertices
    if options.max_v is not None:
        most = min(most, options.max_v)
    graphs = [Graph(row["class"], int(row["V"]), int(row["E"]))
              for row in render.read_published("thesis_times.csv")]
    chosen = [graph for graph in graphs if options.min_v <= graph.vertices <= most
              and (not options.only or graph.graph_class in options.only)]
    return sorted(chosen, key=lambda graph: graph.vertices)


def choose_solvers(options: argparse.Namespace) -> list[Solver]:
    """--variant replaces a program's default; naming several measures all of them."""
    chosen = []
    for program in options.programs:
        named = [variant for name, variant in options.variant if name == program]
        chosen += [Solver(program, variant) for variant in named or [THESIS_VARIANTS[program]]]
    return list(dict.fromkeys(chosen))


def too_long(cell: Cell, options: argparse.Namespace) -> bool:
    return (options.max_cpu_seconds is not None and cell.solver.program == "cpu"
            and cell.solver.estimated_s(cell.graph.vertices) > options.max_cpu_seconds)


# Programs --------------------------------------------------------------------------------


def run_program(*arguments: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          encoding="utf-8", errors="replace")
    if done.returncode == -signal.SIGINT:  # meant for this program as well
        raise KeyboardInterrupt
    return done


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """A failed program's one line, without its name; how it ended where it said nothing."""
    program = Path(done.args[0]).name
    lines = done.stderr.strip().splitlines()
    if lines:
        prefix = program + ": "
        return lines[0][len(prefix):] if lines[0].startswith(prefix) else lines[0]
    if done.returncode < 0:
        return f"{program} was ended by signal {-done.returncode}"
    return f"{program} failed with exit status {done.returncode}"


def solve(binary: Path, solver: Solver, predecessors: bool, repetitions: int, graph: Path,
          prefix: Path, csv_path: Path) -> subprocess.CompletedProcess[str]:
    arguments = [binary, "--variant", solver.variant, "--repeat", repetitions, "--csv", csv_path,
                 "--format", "npy", "-o", prefix]
    if not predecessors:
        arguments.append("--distances-only")
    return run_program(*arguments, graph)


def generate(bin_dir: Path, graph: Graph, path: Path) -> None:
    done = run_program(bin_dir / "graphgen", "--v", graph.vertices, "--edges", graph.edges,
                       "--seed", SEED, "-o", path)
    if done.returncode != 0:
        raise CampaignError(f"{graph}: cannot generate the graph: {complaint(done)}", 1)


def read_solver_rows(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def try_solver(bin_dir: Path, solver: Solver, work: Path) -> tuple[Optional[Ability], str]:
    """Solves a tiny graph; None and the reason where this machine cannot."""
    graph, rows = work / "tiny.graph", work / "tiny.csv"
    generate(bin_dir, Graph("tiny", 5, 10), graph)
    # A variant without predecessors is refused as usage, unless it is told so.
    for predecessors in (True, False):
        rows.unlink(missing_ok=True)
        done = solve(bin_dir / solver.program, solver, predecessors, 1, graph, work / "tiny", rows)
        if done.returncode == 0:
            return Ability(read_solver_rows(rows)[0]["device"], predecessors), ""
        if done.returncode == NO_RESOURCE:
            return None, complaint(done)
        if predecessors:
            first = done
        if done.returncode != BAD_INPUT:
            break
    status = BAD_INPUT if first.returncode == BAD_INPUT else 1
    raise CampaignError(f"{solver}: cannot solve a tiny graph: {complaint(first)}", status)


def check_programs(bin_dir: Path, programs: Sequence[str]) -> None:
    for name in (*HELPERS, *programs):
        if not os.access(bin_dir / name, os.X_OK):
            raise CampaignError(f"{bin_dir / name}: expected a program, found none: run `make`",
                                BAD_INPUT)


# The campaign ----------------------------------------------------------------------------


class Forecast:
    """How long cells take: by the rough rates first, then as measured."""

    FILES_RATE = 2e-8  # seconds per matrix cell, for writing and proving results
    LEAST_VERTICES = 1000  # smaller graphs tell little about the rate: launches, start-up

    def __init__(self, wanted_repetitions: Optional[int]) -> None:
        self.wanted_repetitions = wanted_repetitions
        self.fixed_s: dict[Solver, float] = {}  # of starting programs
        self.corrections: dict[tuple[Solver, str], float] = {}  # by class: sparse is faster

    def learn(self, cell: Cell, measurement: Measurement, elapsed_s: float) -> None:
        self.fixed_s[cell.solver] = min(elapsed_s, self.fixed_s.get(cell.solver, elapsed_s))
        if cell.graph.vertices >= self.LEAST_VERTICES:
            self.corrections[cell.solver, cell.graph.graph_class] = (
                measurement.median("total_s") / cell.solver.estimated_s(cell.graph.vertices))

    def cell_seconds(self, cell: Cell) -> float:
        vertices = cell.graph.vertices
        repetitions = cell.repetitions(self.wanted_repetitions)
        solves = repetitions + (repetitions > 1)  # the warm-up
        correction = self.corrections.get((cell.solver, cell.graph.graph_class), 1)
        return (self.fixed_s.get(cell.solver, 0) + self.FILES_RATE * vertices**2
                + solves * correction * cell.solver.estimated_s(vertices))

    def seconds(self, cells: Sequence[Cell]) -> float:
        return sum(map(self.cell_seconds, cells))


def as_clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Campaign:
    """Everything that stays the same from cell to cell."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.bin: Path = options.bin
        self.out: Path = options.out
        self.work: Path = options.out / "work"
        self.timings_path: Path = options.out / "timings.csv"
        self.environment_path: Path = options.out / "environment.json"
        self.wanted_repetitions: Optional[int] = (
            options.repeat or PROFILES[options.profile].repetitions)
        self.options = options
        self.solvers = choose_solvers(options)
        check_programs(self.bin, options.programs)
        self.builds = {program: environment.build_id(self.bin / program)
                       for program in options.programs}
        self.cpu = environment.cpu_model()
        self.abilities: dict[Solver, Ability] = {}
        self.unavailable: dict[str, str] = {}  # program -> reason
        self.record: dict[str, Any] = {}
        self.graph_on_disk: Optional[Graph] = None

    def cells(self) -> list[Cell]:
        return [Cell(graph, solver) for graph in read_schedule(self.options)
                for solver in self.solvers]

    def measured(self) -> list[Measurement]:
        """What the file holds of the chosen solvers."""
        return [m for m in timings.read(self.timings_path)
                if m.verified and Solver(m.program, m.variant) in self.solvers]

    def is_current(self, measurement: Measurement) -> bool:
        """Whether measuring now would only repeat it: same build, same machine, and no
        fewer repetitions."""
        cell = cell_of(measurement)
        ability = self.abilities.get(cell.solver)
        return (measurement.build == self.builds[measurement.program]
                and measurement.cpu == self.cpu and measurement.seed == SEED
                and measurement.repetitions >= cell.repetitions(self.wanted_repetitions)
                and (ability is None or ability.device == measurement.device))

    # Finding out what this machine can do

    def try_solvers(self) -> None:
        for solver in self.solvers:
            if solver.program in self.unavailable:
                continue
            ability, reason = try_solver(self.bin, solver, self.work)
            if ability is None:
                self.unavailable[solver.program] = reason
                print(f"{solver.program}: {reason}: its cells stay empty", flush=True)
            else:
                self.abilities[solver] = ability

    def remember_environment(self) -> None:
        programs = {program: {"build": build, "unavailable": self.unavailable.get(program)}
                    for program, build in self.builds.items()}
        self.record = environment.collect(self.bin, programs)
        environment.remember(self.environment_path, self.record)

    # One cell

    def graph_path(self, graph: Graph) -> Path:
        """The graph, generated once for all solvers; only one lies on the disk."""
        path = self.work / "graph"
        if self.graph_on_disk != graph:
            self.graph_on_disk = None
            generate(self.bin, graph, path)
            self.graph_on_disk = graph
        return path

    def check_build(self, program: str) -> None:
        if environment.build_id(self.bin / program) != self.builds[program]:
            raise CampaignError(f"{self.bin / program}: rebuilt during the campaign: run the same "
                                "command again", 1)

    def measure(self, cell: Cell) -> Measurement:
        """Raises CampaignError, naming the cell, unless the result is proved."""
        solver, ability = cell.solver, self.abilities[cell.solver]
        graph, prefix, rows_path = (self.graph_path(cell.graph), self.work / "result",
                                    self.work / "rows.csv")
        rows_path.unlink(missing_ok=True)
        repetitions = cell.repetitions(self.wanted_repetitions)
        self.check_build(solver.program)
        try:
            done = solve(self.bin / solver.program, solver, ability.predecessors, repetitions,
                         graph, prefix, rows_path)
            if done.returncode != 0:
                raise CampaignError(f"{cell}: not solved: {complaint(done)}", 1)
            proof = run_program(self.bin / "verify", f"{prefix}.dist.npy", "--graph", graph)
            if proof.returncode != 0:
                raise CampaignError(f"{cell}: the result is not verified: {complaint(proof)}", 1)
        finally:
            for suffix in (".dist.npy", ".pred.npy", ".json"):
                Path(f"{prefix}{suffix}").unlink(missing_ok=True)
        self.check_build(solver.program)
        return self.as_measurement(cell, repetitions, read_solver_rows(rows_path))

    def as_measurement(self, cell: Cell, repetitions: int,
                       rows: list[dict[str, str]]) -> Measurement:
        found = [(row["program"], row["variant"], int(row["vertices"]), int(row["edges"]))
                 for row in rows]
        expected = (cell.solver.program, cell.solver.variant, cell.graph.vertices,
                    cell.graph.edges)
        if found != [expected] * repetitions:
            raise CampaignError(f"{cell}: expected {repetitions} rows of timings for "
                                f"{expected}, found {found}", 1)
        first = rows[0]
        return Measurement(
            graph_class=cell.graph.graph_class, vertices=cell.graph.vertices,
            edges=cell.graph.edges, seed=SEED, program=cell.solver.program,
            variant=cell.solver.variant, predecessors=first["predecessors"] == "1",
            threads=int(first["threads"]), tile=int(first["tile"]), device=first["device"],
            cpu=self.cpu, build=self.builds[cell.solver.program], commit=self.record["commit"],
            environment=self.record["id"], verified=True, timestamp=environment.now(),
            solve_s=tuple(float(row["solve_s"]) for row in rows),
            total_s=tuple(float(row["total_s"]) for row in rows),
            transfer_s=tuple(float(row["transfer_s"]) for row in rows),
        )

    # All cells

    def remaining(self) -> list[Cell]:
        """The cells to measure; says how many are left out and why."""
        done = {cell_of(m) for m in self.measured() if self.is_current(m)}
        able = [cell for cell in self.cells() if cell.solver in self.abilities]
        missing = [cell for cell in able if cell not in done]
        remaining = [cell for cell in missing if not too_long(cell, self.options)]
        if len(missing) < len(able):
            print(f"{len(able) - len(missing)} of {len(able)} cells are already measured by "
                  "these builds")
        if len(remaining) < len(missing):
            print(f"{len(missing) - len(remaining)} cells would take more than "
                  f"{self.options.max_cpu_seconds:g} s on the CPU and are skipped")
        return remaining

    def run(self) -> None:
        if timings.repair(self.timings_path):
            print(f"{self.timings_path}: rewritten without incomplete measurements")
        self.try_solvers()
        self.remember_environment()
        cells = self.remaining()
        forecast = Forecast(self.wanted_repetitions)
        started = time.monotonic()
        for number, cell in enumerate(cells, start=1):
            cell_started = time.monotonic()
            measurement = self.measure(cell)
            timings.append(self.timings_path, measurement)
            now = time.monotonic()
            forecast.learn(cell, measurement, now - cell_started)
            print(f"[{number}/{len(cells)}] {cell}: total_s "
                  f"{render.significant(measurement.median('total_s'))}, "
                  f"{measurement.repetitions}x, verified; {as_clock(now - started)} elapsed, "
                  f"about {as_clock(forecast.seconds(cells[number:]))} left", flush=True)

    def list_cells(self) -> None:
        measured = self.measured()
        known = {cell_of(m) for m in measured}
        current = {cell_of(m) for m in measured if self.is_current(m)}
        for cell in self.cells():
            if cell in current:
                state = "measured"
            elif too_long(cell, self.options):
                state = "skipped by --max-cpu-seconds"
            elif cell in known:
                state = "to be measured again: other build, machine or fewer repetitions"
            else:
                state = "not measured"
            print(f"{cell}: {state}")

    def render(self) -> str:
        files = [path for path in (self.timings_path,) if path.exists()]
        return render.render(files, [self.environment_path], self.out)


@contextlib.contextmanager
def sole_use(out: Path, work: Path) -> Iterator[None]:
    """One campaign to a folder at a time; an empty work folder, removed at the end."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CampaignError(f"{out}: another campaign is running there", BAD_INPUT) from None
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            yield
        finally:
            shutil.rmtree(work, ignore_errors=True)


# Command line ----------------------------------------------------------------------------


def program_list(text: str) -> list[str]:
    programs = list(dict.fromkeys(text.split(",")))
    for program in programs:
        if program not in THESIS_VARIANTS:
            raise argparse.ArgumentTypeError(
                f"expected some of {','.join(THESIS_VARIANTS)}, found '{program}'")
    return programs


def program_variant(text: str) -> tuple[str, str]:
    program, _, variant = text.partition("=")
    if program not in THESIS_VARIANTS or not variant:
        raise argparse.ArgumentTypeError(f"expected PROGRAM=NAME with PROGRAM one of "
                                         f"{', '.join(THESIS_VARIANTS)}, found '{text}'")
    return program, variant


def at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a number from 1 up, found '{text}'")
    return int(text)


def parse_arguments(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run.py", description=(__doc__ or "").partition("\n")[0],
        epilog="An interrupted campaign goes on when the same command is given again.")
    parser.add_argument("--profile", choices=PROFILES, default="default",
                        help="sizes up to 40, once (smoke); up to 2000 (default); all (full)")
    parser.add_argument("--out", type=Path, default=ROOT / "experiments" / "out", metavar="DIR",
                        help="folder for timings, environment and tables (experiments/out)")
    parser.add_argument("--bin", type=Path, default=ROOT / "bin", metavar="DIR",
                        help="folder of the programs (bin)")
    parser.add_argument("--programs", type=program_list, default=list(THESIS_VARIANTS),
                        metavar="P,P", help="solvers to run (cpu,cuda_simple,cuda_blocked)")
    parser.add_argument("--variant", type=program_variant, action="append", default=[],
                        metavar="PROGRAM=NAME",
                        help="measure this variant, not the thesis's; may be repeated")
    parser.add_argument("--only", action="append", choices=("dense", "sparse", "medium"),
                        help="this class of graphs only; may be repeated")
    parser.add_argument("--min-v", type=at_least_one, default=1, metavar="N",
                        help="no smaller graphs")
    parser.add_argument("--max-v", type=at_least_one, metavar="N",
                        help="no larger graphs, of those that the profile has")
    parser.add_argument("--repeat", type=at_least_one, metavar="N",
                        help="repetitions of every cell (default: by estimated time)")
    parser.add_argument("--max-cpu-seconds", type=float, metavar="S",
                        help="skip cells of the CPU program that n^3 estimates to take longer "
                             "(sequential: n^3 ns; sparse graphs take less)")
    parser.add_argument("--list", action="store_true",
                        help="list the cells and whether they are measured; run nothing")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    campaign = Campaign(options)
    if options.list:
        campaign.list_cells()
        return
    with sole_use(campaign.out, campaign.work):
        campaign.run()
        print()
        print(campaign.render())


def main(arguments: Optional[Sequence[str]] = None) -> int:
    received = [signal.SIGINT]

    def interrupt(number: int, _frame: Any) -> None:
        received[0] = signal.Signals(number)
        raise KeyboardInterrupt

    options = parse_arguments(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        run(options)
    except KeyboardInterrupt:
        print("run.py: interrupted: what is measured is kept; give the same command to go on",
              file=sys.stderr)
        return 128 + received[0]
    except CampaignError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return error.status
    except (timings.TimingsError, ValueError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return NO_RESOURCE
    return 0


if __name__ == "__main__":
    sys.exit(main())
