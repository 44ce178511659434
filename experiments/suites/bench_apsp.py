#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times apsp from file to file beside every single solver.

    make bench-apsp                                   the published schedule, then families
    python3 experiments/suites/bench_apsp.py --max-v 2000 --seconds 120 --folder /dev/shm

Every program reads the same graph and writes its result; what counts is the wall clock from start to
end, of apsp and of each of the variants that may be the best one. The first run of each is not timed:
it warms up and proves its result, and has apsp say what it predicts. Then all run in rounds, each in
another order: a program that follows one which used the GPU takes longer to start. Rows go to apsp.csv
after each graph; at the end stands what apsp took, what it had predicted, and how much longer it was
than the best.

A solver that this machine cannot run (no GPU) is left out, and so is one that took longer than
--longest on a smaller graph of its kind. Ends with status 1 where a program fails or a result is
refuted.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    BAD_INPUT, FAILED, GENERATOR, NO_RESOURCE, BenchError, check_programs, failure,
    main_of, record_environment, refusal, run_quietly, seconds)
from experiments.suites.bench_cpu import FAMILIES, Rows, graph_size  # noqa: E402
from experiments.suites.graphs import RANDOM, Graph  # noqa: E402
from thesis_tables.published.schedule import read_published  # noqa: E402

APSP = "apsp"
# The solvers, each of which is the fastest on some graph.
SOLVERS = (("cpu", "multisource"), ("cpu", "blocked"), ("cpu", "johnson"), ("cpu", "sequential"),
           ("cuda_sparse", "auto"), ("cuda_blocked", "auto"), ("cuda_simple", "vector"))
SMALL = 2000  # most vertices for the textbook loop, which is never the fastest above and takes minutes
# A solver is not timed again if two runs take this many times the fastest one's time, or one run the
# square of this number of times.
FAR_BEHIND = 3
MAX_ROUNDS = 50
DEEP = (Graph("ring", 10000), Graph("road", 13000), Graph("tree", 10000), Graph("star", 10000),
        Graph("power-law", 10000))
COLUMNS = ("graph", "vertices", "edges", "predecessors", "format", "threads", "program", "variant",
           "chosen", "predicted_s", "repetition", "wall_s", "solve_s", "total_s")
KEY = ("graph", "predecessors", "format", "program", "variant")
INTERRUPTED = 130
GOAL = 1.15
CHOSEN = re.compile(r"^variant +auto: (\S+)$", re.MULTILINE)
PREDICTED = re.compile(r"^ +\w+:[\w-]+(?: +\S+){5} +(\S+)$", re.MULTILINE)
TEXT, NPY = "text", "npy"


class Solver(NamedTuple):
    program: str
    variant: str

    def __str__(self) -> str:
        return self.program if self.program == APSP else f"{self.program}:{self.variant}"


class Compared(NamedTuple):
    """The times of all solvers on one graph: medians, in seconds."""

    graph: str
    chosen: str
    predicted: float
    apsp: float
    best_solver: str
    best: float

    @property
    def ratio(self) -> float:
        return self.apsp / self.best


def graphs(most_vertices: int, only: Sequence[str]) -> list[Graph]:
    """The graphs of the published schedule, small ones first, then those of families."""
    schedule = sorted((Graph(RANDOM, int(row["V"]), int(row["E"]))
                       for row in read_published("thesis_times.csv")),
                      key=lambda graph: (graph.vertices, graph.edges or 0))
    wanted = [*schedule, *FAMILIES, *DEEP]
    return [graph for graph in wanted if graph.vertices <= most_vertices
            and (not only or any(text in graph.name for text in only))]


def class_of(graph: Graph) -> str:
    """The class of a graph: its family, or its density roughly. The same solvers are slow on all graphs
    of a class."""
    if graph.edges is None:
        return graph.kind
    return f"random {round(math.log10(max(1, graph.edges) / graph.vertices**2))}"


def shuffled(solvers: Iterable[Solver], seed: str) -> list[Solver]:
    order = list(solvers)
    random.Random(seed).shuffle(order)
    return order


def is_behind(rows: Sequence[dict[str, str]], fastest: float) -> bool:
    """Returns whether a solver need not be timed again, as it will not be the fastest. One run may
    have been disturbed."""
    times = [float(row["wall_s"]) for row in rows]
    return rows[0]["program"] != APSP and (min(times) > FAR_BEHIND ** 2 * fastest or
                                           len(times) > 1 and min(times) > FAR_BEHIND * fastest)


class Bench:

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.deadline = time.monotonic() + options.seconds
        self.left_out: set[tuple[Solver, str]] = set()  # solvers that are too slow, with the class of graphs
        self.missing: set[str] = set()  # programs that this machine cannot run
        self.rows = Rows(options.out / "apsp.csv", COLUMNS, KEY, options.keep)
        self.compared: list[Compared] = []

    def command(self, solver: Solver, graph: Path, result: Path) -> list[object]:
        command: list[object] = [self.options.bin / solver.program, graph, "--format",
                                 self.options.format, "-o", result]
        if solver.program != APSP:
            command += ["--variant", solver.variant]
        if self.options.distances_only:
            command.append("--distances-only")
        if self.options.threads is not None:
            command += ["--threads", self.options.threads]
        return command

    def run_once(self, solver: Solver, graph: Path, *more: object) -> Optional[tuple[float, str]]:
        """Wall seconds and report; None if the solver is not for this graph or machine."""
        result = graph.with_name("result")
        command = self.command(solver, graph, result)
        start = time.perf_counter()
        done = run_quietly([*command, *more])
        took = time.perf_counter() - start
        for left in graph.parent.glob("result*"):
            left.unlink()
        if done.returncode == NO_RESOURCE and "no usable GPU" in done.stderr:
            self.missing.add(solver.program)
            print(f"{solver.program} is left out: {done.stderr.strip()}", flush=True)
            return None
        if refusal(done):
            return None
        if done.returncode != 0:
            raise failure(f"{solver} {graph.name}", done)
        return took, done.stdout

    def measure(self, solvers: Sequence[Solver], graph: Graph, path: Path
                ) -> dict[Solver, list[dict[str, str]]]:
        """The rows of each solver that can solve the graph. Solvers run in rounds, so that a
        disturbance of the machine affects all of them."""
        first = {solver: self.prove(solver, graph, path) for solver in solvers
                 if solver.program not in self.missing}
        able = {solver: report for solver, report in first.items() if report is not None}
        rows: dict[Solver, list[dict[str, str]]] = {solver: [] for solver in able}
        size = graph_size(path)
        fastest = math.inf
        until = time.perf_counter() + self.options.graph_seconds
        for repetition in range(1, max(MAX_ROUNDS, self.options.repeat) + 1):
            if repetition > self.options.repeat and time.perf_counter() > until:
                break
            for solver in shuffled(able, f"{graph.name} {repetition}"):
                if repetition > 1 and (self.is_slow(solver, graph)
                                       or is_behind(rows[solver], fastest)):
                    continue
                done = self.run_once(solver, path)
                if done is None:
                    raise BenchError(f"{solver} {graph.name}: solved it once, then refused", FAILED)
                took, report = done
                rows[solver].append(self.row(solver, graph, size, repetition, took, report,
                                             able[solver]))
                if solver.program != APSP:
                    fastest = min(fastest, took)
                    if took > self.options.longest:
                        self.left_out.add((solver, class_of(graph)))
        return rows

    def row(self, solver: Solver, graph: Graph, size: tuple[int, int], repetition: int,
            took: float, report: str, first_report: str) -> dict[str, str]:
        chosen, predicted = CHOSEN.search(report), PREDICTED.search(first_report)
        return dict(zip(COLUMNS, map(str, (
            graph.name, *size, int(not self.options.distances_only), self.options.format,
            self.options.threads or "", solver.program, solver.variant, chosen[1] if chosen else "",
            predicted[1] if predicted and solver.program == APSP else "", repetition,
            f"{took:.6f}", seconds(report, "solve_s"), seconds(report, "total_s")))))

    def is_slow(self, solver: Solver, graph: Graph) -> bool:
        textbook = solver == ("cpu", "sequential") and graph.vertices > SMALL
        return textbook or (solver, class_of(graph)) in self.left_out

    def prove(self, solver: Solver, graph: Graph, path: Path) -> Optional[str]:
        """Proves the result of a first run and returns its report; None if the solver is not to be
        timed."""
        if self.is_slow(solver, graph):
            return None
        more = [] if self.options.no_check else ["--check"]
        done = self.run_once(solver, path, *more, *(["--verbose"] if solver.program == APSP else []))
        return done[1] if done is not None else None

    def compare(self, graph: Graph, rows: dict[Solver, list[dict[str, str]]]) -> None:
        medians = {solver: statistics.median(float(row["wall_s"]) for row in measured)
                   for solver, measured in rows.items()}
        apsp = next(solver for solver in rows if solver.program == APSP)
        others = [solver for solver in rows if solver != apsp]
        if not others:
            return
        best = min(others, key=lambda solver: medians[solver])
        first = rows[apsp][0]
        self.compared.append(Compared(graph.name, first["chosen"], float(first["predicted_s"]),
                                      medians[apsp], str(best), medians[best]))
        print(line(self.compared[-1]), flush=True)

    def run(self) -> None:
        solvers = [Solver(APSP, "auto"), *(Solver(*pair) for pair in SOLVERS)]
        wanted = graphs(self.options.max_v, self.options.only)
        if not wanted:
            raise BenchError("no graph is that small and has such a name", BAD_INPUT)
        programs = {name: self.options.bin / name for name, _ in solvers}
        record_environment(self.options.bin, programs, self.options.out / "apsp_environment.json")
        print(HEAD)
        with tempfile.TemporaryDirectory(dir=self.options.folder) as work:
            for number, graph in enumerate(wanted):
                if time.monotonic() > self.deadline:
                    print(f"{len(wanted) - number} graphs are left out: time is up")
                    break
                path = Path(work) / graph.name
                graph.write(self.options.bin, path)
                rows = self.measure(solvers, graph, path)
                self.rows.put([row for measured in rows.values() for row in measured])
                self.compare(graph, rows)
                path.unlink()
        print(f"\n{self.rows.path}\n{summary(self.compared)}", end="")


HEAD = (f"{'graph':26} {'apsp took':26} {'predicted':>10} {'apsp':>10} {'best solver':>22} "
        f"{'its':>10} {'ratio':>6}  seconds from file to file")


def line(c: Compared) -> str:
    mark = " *" if c.ratio > GOAL else ""
    return (f"{c.graph:26} {c.chosen:26} {c.predicted:10.3g} {c.apsp:10.4f} {c.best_solver:>22} "
            f"{c.best:10.4f} {c.ratio:6.2f}{mark}")


def summary(compared: Iterable[Compared]) -> str:
    """A summary of all graphs, the worst first."""
    ranked = sorted(compared, key=lambda c: -c.ratio)
    if not ranked:
        return "nothing was compared\n"
    mean = math.exp(statistics.fmean(math.log(c.ratio) for c in ranked))
    missed = sum(c.ratio > GOAL for c in ranked)
    return "\n".join([HEAD, *map(line, ranked),
                      f"{len(ranked)} graphs: geometric mean {mean:.3f} of the best single solver, "
                      f"worst {ranked[0].ratio:.2f}, {missed} above {GOAL} (*)"]) + "\n"


def run(options: argparse.Namespace) -> None:
    check_programs(options.bin, (APSP, GENERATOR, *(name for name, _ in SOLVERS)))
    options.out.mkdir(parents=True, exist_ok=True)
    Bench(options).run()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_apsp.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, metavar="DIR",
                        help="where graphs are read and results written (default: the system's "
                             "folder for temporary files)")
    parser.add_argument("--max-v", type=int, default=12500, metavar="V",
                        help="leave out graphs of more vertices (12500)")
    parser.add_argument("--only", nargs="+", default=[], metavar="TEXT",
                        help="only graphs whose name contains one of these")
    parser.add_argument("--seconds", type=float, default=math.inf, metavar="S",
                        help="begin no graph when so many have passed (default: all)")
    parser.add_argument("--longest", type=float, default=20, metavar="S",
                        help="what took a solver longer is not tried again on graphs of the kind "
                             "(20)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="rounds for each graph, in which all solvers run that are not far "
                             "behind; medians count (3)")
    parser.add_argument("--graph-seconds", type=float, default=2, metavar="S",
                        help=f"more rounds, up to {MAX_ROUNDS}, begun until so long has passed (2)")
    parser.add_argument("--format", choices=(TEXT, NPY), default=NPY,
                        help="of the results (npy)")
    parser.add_argument("--threads", type=int, metavar="N", help="(default: one per core)")
    parser.add_argument("--distances-only", action="store_true", help="compute no predecessors")
    parser.add_argument("--no-check", action="store_true", help="do not prove the results")
    parser.add_argument("--keep", action="store_true",
                        help="keep what an earlier run measured and this one does not")
    try:
        return main_of(parser, "apsp.csv", run, arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
