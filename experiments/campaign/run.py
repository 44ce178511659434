#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the thesis's schedule: every graph size with every solver, each result verified.

    make experiments                    sizes up to V = 2000, within two minutes
    make experiments PROFILE=full       all sizes; hours on a CPU
    python3 experiments/campaign/run.py --list   the cells, which are measured, how long the rest takes
    python3 experiments/campaign/run.py --help   more choices

A cell of the schedule is a graph (class, V, E) and a solver (program, variant): schedule.py.
For each: generate the graph, solve it, prove the result, and append one row per repetition to
timings.csv. What is already measured by the same build of the program on the same machine is
skipped, so an interrupted campaign goes on where it stopped. Cells that an older build measured
are measured again, because the tables would show its numbers as those of the program that lies
here. Ends by rendering Tables 1-6.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments import environment, timings, variants  # noqa: E402 (found by the line above)
from experiments.markdown import significant  # noqa: E402
from experiments.bench import IDLE, BenchError, Others, chosen_variant  # noqa: E402
from experiments.timings import Measurement  # noqa: E402
from thesis_tables.published import schedule  # noqa: E402
from thesis_tables.published.schedule import Graph, Solver  # noqa: E402

SEED = 2017  # seed of every graph; weights are graphgen's default, 1 to 100
NO_RESOURCE = 4  # exit status of a program that this machine cannot run
BAD_INPUT = 2
REFUTED = 1

HELPERS = ("graphgen", "verify")

MAX_REPETITIONS = 5
CELL_SECONDS = 5.0  # seconds that the repetitions of a cell may take; there is at least one


@dataclasses.dataclass(frozen=True)
class Profile:
    max_vertices: int
    repetitions: Optional[int]  # None: the number is chosen by the estimated time


PROFILES = {
    "smoke": Profile(40, 1),
    "default": Profile(2000, None),
    "full": Profile(12500, None),
}


class CampaignError(Exception):
    """Ends the campaign with one line for the user and an exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Cell:
    graph: Graph
    solver: Solver

    def __str__(self) -> str:
        return f"{self.graph} {self.solver}"


@dataclasses.dataclass(frozen=True)
class Ability:
    """The result of a trial on a tiny graph, of a solver that this machine can run."""

    device: str  # the GPU's name, or ""
    predecessors: bool


def cell_of(measurement: Measurement) -> Cell:
    return Cell(Graph(measurement.graph_class, measurement.vertices, measurement.edges),
                schedule.find_solver(measurement.program, measurement.variant))


# The schedule ----------------------------------------------------------------------------


def choose_graphs(options: argparse.Namespace) -> list[Graph]:
    most = PROFILES[options.profile].max_vertices
    if options.max_v is not None:
        most = min(most, options.max_v)
    return [graph for graph in schedule.graphs() if options.min_v <= graph.vertices <= most
            and (not options.only or graph.graph_class in options.only)]


def choose_solvers(options: argparse.Namespace, programs: Sequence[str]) -> list[Solver]:
    """Returns the solvers to measure. --variant replaces the variants that the schedule has of its
    program; several options measure several variants."""
    chosen = []
    for program in programs:
        named = [schedule.find_solver(program, variant)
                 for name, variant in options.variant if name == program]
        chosen += named or [each for each in schedule.SOLVERS if each.program == program]
    return list(dict.fromkeys(chosen))


def fitting_repetitions(cell_seconds: float, estimated_s: float) -> int:
    """The number of solves, at least one, that fit into that number of seconds."""
    return max(1, min(MAX_REPETITIONS, int(cell_seconds / estimated_s)))


# Programs --------------------------------------------------------------------------------


def run_program(*arguments: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          encoding="utf-8", errors="replace")
    if done.returncode == -signal.SIGINT:  # an interrupt of the program is meant for this script, too
        raise KeyboardInterrupt
    return done


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The error line of a failed program, without its name; if there is none, how the program ended."""
    program = Path(done.args[0]).name
    lines = done.stderr.strip().splitlines()
    if lines:
        prefix = program + ": "
        return lines[0][len(prefix):] if lines[0].startswith(prefix) else lines[0]
    if done.returncode < 0:
        return f"{program} was ended by signal {-done.returncode}"
    return f"{program} failed with exit status {done.returncode}"


def solve(binary: Path, solver: Solver, predecessors: bool, repetitions: int, graph: Path,
          prefix: Optional[Path], csv_path: Path) -> subprocess.CompletedProcess[str]:
    """Writes the result for `verify` to prove; without a prefix the program itself proves it."""
    arguments = [binary, "--variant", solver.variant, "--repeat", repetitions, "--csv", csv_path]
    arguments += ["--check", "-o", os.devnull] if prefix is None else [
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
    """Solves a tiny graph; None and the reason if this machine cannot."""
    graph, rows = work / "tiny.graph", work / "tiny.csv"
    generate(bin_dir, Graph("tiny", 5, 10), graph)
    # A variant without predecessors refuses to run unless --distances-only is given.
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


def is_program(path: Path) -> bool:
    return os.access(path, os.X_OK)


def choose_programs(bin_dir: Path, wanted: Optional[Sequence[str]]) -> list[str]:
    """Returns the programs that were named, all of which must be there; otherwise those that are
    built."""
    programs = list(wanted or filter(lambda name: is_program(bin_dir / name), schedule.PROGRAMS))
    for name in (*HELPERS, *(programs or schedule.PROGRAMS)):
        if not is_program(bin_dir / name):
            raise CampaignError(f"{bin_dir / name}: expected a program, found none: run `make`",
                                BAD_INPUT)
    return programs


# The campaign ----------------------------------------------------------------------------


class Forecast:
    """Estimates how long cells take: first by the variants' models, later also by measurements.
    Estimates decide only how often to repeat, what an option skips as too long, and the time left."""

    FILES_RATE = 2e-8  # seconds per matrix cell, for writing results and reading them again
    CELLS_RATE = 6e-9, 2e-8  # seconds and core-seconds per matrix cell if no result is written
    EDGES_RATE = 2e-7  # seconds per edge, for writing and reading graphs
    PROOF_RATE = 2e-10  # core-seconds per vertex and edge
    LEAST_VERTICES = 1000  # below, launches and start-up hide the rate

    def __init__(self, estimated_s: Callable[[Cell], float], repetitions: Callable[[Cell], int],
                 check: bool) -> None:
        self.estimated_s = estimated_s  # estimated seconds of one solve of a cell
        self.repetitions = repetitions
        self.cores = os.cpu_count() or 1
        self.files_rate = (self.CELLS_RATE[0] + self.CELLS_RATE[1] / self.cores if check
                           else self.FILES_RATE)
        self.start_s: dict[Solver, float] = {}
        # Measured seconds divided by estimated ones, by solver and class of graphs; class "": the last
        # correction, for classes not yet measured.
        self.corrections: dict[tuple[Solver, str], float] = {}

    def learn(self, cell: Cell, measurement: Measurement, elapsed_s: float) -> None:
        self.start_s[cell.solver] = min(elapsed_s, self.start_s.get(cell.solver, elapsed_s))
        if cell.graph.vertices >= self.LEAST_VERTICES:
            for graph_class in (cell.graph.graph_class, ""):
                self.corrections[cell.solver, graph_class] = (
                    measurement.median("solve_s") / self.estimated_s(cell))

    def cell_seconds(self, cell: Cell) -> float:
        graph, solver = cell.graph, cell.solver
        repetitions = self.repetitions(cell)
        solves = repetitions + (repetitions > 1)  # several repetitions have a warm-up
        correction = self.corrections.get((solver, graph.graph_class),
                                          self.corrections.get((solver, ""), 1))
        return (self.start_s.get(solver, solver.start_s) + self.files_rate * graph.vertices**2
                + self.EDGES_RATE * graph.edges
                + self.PROOF_RATE * graph.vertices * graph.edges / self.cores
                + solves * correction * self.estimated_s(cell))

    def seconds(self, cells: Iterable[Cell]) -> float:
        return sum(map(self.cell_seconds, cells))


def as_clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Campaign:
    """The state of a campaign that does not change from cell to cell."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.bin: Path = options.bin
        self.out: Path = options.out
        self.work: Path = options.out / "work"
        self.timings_path: Path = options.out / "timings.csv"
        self.environment_path: Path = options.out / "environment.json"
        self.options = options
        self.started = time.monotonic()
        self.programs = choose_programs(self.bin, options.programs)
        self.solvers = choose_solvers(options, self.programs)
        try:
            self.variants = variants.read(self.bin, self.programs)
        except BenchError as error:
            raise CampaignError(str(error), error.status) from None
        self.builds = {program: environment.build_id(self.bin / program)
                       for program in self.programs}
        self.cpu = environment.cpu_model()
        self.abilities: dict[Solver, Ability] = {}
        self.unavailable: dict[str, str] = {}  # program -> reason why this machine cannot run it
        self.record: dict[str, Any] = {}
        self.graph_on_disk: Optional[Graph] = None

    def cells(self) -> list[Cell]:
        return [Cell(graph, solver) for graph in choose_graphs(self.options)
                for solver in self.solvers]

    def estimated_s(self, cell: Cell) -> float:
        """Returns the estimated seconds of one solve."""
        variant = self.variants.get((cell.solver.program, cell.solver.variant))
        if variant is None:
            raise CampaignError(f"{cell.solver}: expected a variant that {cell.solver.program} "
                                "--list-variants lists", BAD_INPUT)
        return variant.estimated_s(cell.graph.vertices)

    def is_too_long(self, cell: Cell) -> bool:
        longest: Optional[float] = self.options.longest
        return longest is not None and self.estimated_s(cell) > longest

    def repetitions(self, cell: Cell) -> int:
        wanted = self.options.repeat or PROFILES[self.options.profile].repetitions
        return wanted or fitting_repetitions(self.options.cell_seconds, self.estimated_s(cell))

    def forecast(self) -> Forecast:
        return Forecast(self.estimated_s, self.repetitions, self.options.check)

    def measured(self) -> list[Measurement]:
        """Returns the measurements of the chosen solvers that the file holds."""
        return [m for m in timings.read(self.timings_path)
                if m.verified and m.program in self.programs
                and cell_of(m).solver in self.solvers]

    def is_current(self, measurement: Measurement) -> bool:
        """Returns whether measuring now would only repeat a measurement: same build, same machine,
        and no fewer repetitions."""
        cell = cell_of(measurement)
        ability = self.abilities.get(cell.solver)
        return (measurement.build == self.builds[measurement.program]
                and measurement.cpu == self.cpu and measurement.seed == SEED
                and measurement.repetitions >= self.repetitions(cell)
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

    def recorded_reason(self, program: str) -> Optional[str]:
        """The reason why this build cannot run on this machine, recorded by an earlier campaign."""
        for record in reversed(environment.load(self.environment_path)):
            known = record["programs"].get(program, {})
            if known.get("build") == self.builds[program] and record["cpu"] == self.cpu:
                reason: Optional[str] = known["unavailable"]
                return reason
        return None

    def remember_environment(self) -> None:
        programs = {program: {"build": build, "unavailable": self.unavailable.get(program)}
                    for program, build in self.builds.items()}
        self.record = environment.collect(self.bin, programs)
        environment.remember(self.environment_path, self.record)

    # One cell

    def graph_path(self, graph: Graph) -> Path:
        """The path of the graph, which is generated once for all solvers. Only one graph is on the disk
        at a time."""
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
        """Measures a cell. Raises CampaignError, which names the cell, unless the result is proved."""
        graph, rows_path = self.graph_path(cell.graph), self.work / "rows.csv"
        rows_path.unlink(missing_ok=True)
        self.check_build(cell.solver.program)
        report, others = self.solve_and_prove(cell, graph, rows_path)
        self.check_build(cell.solver.program)
        measurement = self.as_measurement(cell, read_solver_rows(rows_path))
        return dataclasses.replace(measurement, chosen=chosen_variant(report), others=others)

    def solve_and_prove(self, cell: Cell, graph: Path, rows_path: Path) -> tuple[str, float]:
        """The solver's report, and the cores that other processes kept busy meanwhile."""
        binary, predecessors = (self.bin / cell.solver.program,
                                self.abilities[cell.solver].predecessors)
        prefix = None if self.options.check else self.work / "result"
        others = Others()
        try:
            done = solve(binary, cell.solver, predecessors, self.repetitions(cell), graph, prefix,
                         rows_path)
            busy = round(others.cores(), 2)
            if done.returncode != 0:
                how = "the result is not verified" if done.returncode == REFUTED else "not solved"
                raise CampaignError(f"{cell}: {how}: {complaint(done)}", 1)
            if prefix is not None:
                proof = run_program(self.bin / "verify", f"{prefix}.dist.npy", "--graph", graph)
                if proof.returncode != 0:
                    raise CampaignError(
                        f"{cell}: the result is not verified: {complaint(proof)}", 1)
        finally:
            if prefix is not None:
                for suffix in (".dist.npy", ".pred.npy", ".json"):
                    Path(f"{prefix}{suffix}").unlink(missing_ok=True)
        return done.stdout, busy

    def as_measurement(self, cell: Cell, rows: list[dict[str, str]]) -> Measurement:
        repetitions = self.repetitions(cell)
        found = [(row["program"], row["variant"], int(row["vertices"]), int(row["edges"]),
                  row["checked"] == "1") for row in rows]
        expected = (cell.solver.program, cell.solver.variant, cell.graph.vertices,
                    cell.graph.edges, self.options.check)
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
        remaining = [cell for cell in missing if not self.is_too_long(cell)]
        if len(missing) < len(able):
            print(f"{len(able) - len(missing)} of {len(able)} cells are already measured by "
                  "these builds")
        if len(remaining) < len(missing):
            print(f"{len(missing) - len(remaining)} cells would take more than "
                  f"{self.options.longest:g} s a solve and are skipped")
        return remaining

    def run(self) -> None:
        if timings.repair(self.timings_path):
            print(f"{self.timings_path}: rewritten without incomplete measurements")
        self.try_solvers()
        self.remember_environment()
        self.measure_all(self.remaining())

    def measure_all(self, cells: Sequence[Cell]) -> None:
        forecast = self.forecast()
        skipped: list[Cell] = []
        for number, cell in enumerate(cells, start=1):
            before = time.monotonic()
            budget = self.options.seconds
            if (budget is not None
                    and before - self.started + forecast.cell_seconds(cell) > budget):
                skipped.append(cell)
                continue
            measurement = self.measure(cell)
            timings.append(self.timings_path, measurement)
            now = time.monotonic()
            forecast.learn(cell, measurement, now - before)
            chosen = f" ({measurement.chosen})" if measurement.chosen else ""
            others = measurement.others or 0
            beside = f" beside {others} busy cores" if others > IDLE else ""
            print(f"[{number}/{len(cells)}] {cell}{chosen}: "
                  f"solve_s {significant(measurement.median('solve_s'))}, "
                  f"total_s {significant(measurement.median('total_s'))}, "
                  f"{measurement.repetitions}x{beside}, verified; "
                  f"{as_clock(now - self.started)} elapsed, "
                  f"about {as_clock(forecast.seconds(cells[number:]))} left", flush=True)
        for cell in skipped:
            print(f"{cell}: not measured: about {forecast.cell_seconds(cell):.1f} s, more than was "
                  f"left of --seconds {self.options.seconds:g}", flush=True)

    def list_cells(self) -> None:
        """Each cell, its state and the seconds that measuring it would take."""
        measured = self.measured()
        known = {cell_of(m) for m in measured}
        current = {cell_of(m) for m in measured if self.is_current(m)}
        reasons = {program: self.recorded_reason(program) for program in self.programs}
        forecast = self.forecast()
        waiting = []
        for cell in self.cells():
            if cell in current:
                state = "measured"
            elif reasons[cell.solver.program]:
                state = f"cannot run here: {reasons[cell.solver.program]}"
            elif self.is_too_long(cell):
                state = f"skipped by --longest, about {self.estimated_s(cell):.0f} s a solve"
            else:
                state = "not measured" if cell not in known else (
                    "to be measured again: other build, machine or fewer repetitions")
                state += f", about {forecast.cell_seconds(cell):.1f} s"
                waiting.append(cell)
            print(f"{cell}: {state}")
        print(f"{len(waiting)} cells to measure, about {as_clock(forecast.seconds(waiting))}")


@contextlib.contextmanager
def sole_use(out: Path, work: Path) -> Iterator[None]:
    """Lets only one campaign use a folder at a time. Yields an empty work folder, which is removed at
    the end."""
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
        if program not in schedule.PROGRAMS:
            raise argparse.ArgumentTypeError(
                f"expected some of {','.join(schedule.PROGRAMS)}, found '{program}'")
    return programs


def program_variant(text: str) -> tuple[str, str]:
    program, _, variant = text.partition("=")
    if program not in schedule.PROGRAMS or not variant:
        raise argparse.ArgumentTypeError(f"expected PROGRAM=NAME with PROGRAM one of "
                                         f"{', '.join(schedule.PROGRAMS)}, found '{text}'")
    return program, variant


def some_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds, more than 0, found '{text}'")
    return seconds


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
    parser.add_argument("--programs", type=program_list, metavar="P,P",
                        help=f"solvers to run (those that are built of "
                             f"{','.join(schedule.PROGRAMS)})")
    parser.add_argument("--variant", type=program_variant, action="append", default=[],
                        metavar="PROGRAM=NAME",
                        help="of this program measure this variant only; may be repeated")
    parser.add_argument("--only", action="append", choices=schedule.CLASSES,
                        help="this class of graphs only; may be repeated")
    parser.add_argument("--min-v", type=at_least_one, default=1, metavar="N",
                        help="no smaller graphs")
    parser.add_argument("--max-v", type=at_least_one, metavar="N",
                        help="no larger graphs, of those that the profile has")
    parser.add_argument("--repeat", type=at_least_one, metavar="N",
                        help="repetitions of every cell (default: by estimated time)")
    parser.add_argument("--cell-seconds", type=some_seconds, default=CELL_SECONDS, metavar="S",
                        help="repeat as often as fits into so many seconds by estimate, 1 to "
                             f"{MAX_REPETITIONS} times ({CELL_SECONDS:g})")
    parser.add_argument("--longest", type=some_seconds, metavar="S",
                        help="skip cells of which one solve is estimated to take longer")
    parser.add_argument("--seconds", type=some_seconds, metavar="S",
                        help="of the whole campaign: a cell that would not fit any more, by "
                             "estimate, is named and not measured")
    parser.add_argument("--check", action="store_true",
                        help="have each solver prove its own result (--check) instead of writing "
                             "it for verify: the same proof without the files")
    parser.add_argument("--list", action="store_true",
                        help="list the cells, which are measured, and how long the others would "
                             "take; run nothing")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    campaign = Campaign(options)
    if options.list:
        campaign.list_cells()
        return
    with sole_use(campaign.out, campaign.work):
        campaign.run()


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
