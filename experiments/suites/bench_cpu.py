#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times every variant of `cpu` on graphs of many kinds, each result proved in the same run.

    make bench-cpu                          about two minutes on two cores
    make bench-cpu PROFILE=full             all graphs, all modes: hours
    python3 experiments/suites/bench_cpu.py --help

First what the CPU does at best (bench_cpu_ceilings). Then random graphs of the sizes that the goals
name, sizes of the published schedule, and graphs of graphgen's families; each solved by every
variant that `cpu` lists, with predecessors (D+P) and without (D), on all threads and on one,
several repetitions each, fewer where they would take long; `--check` proves the output of the last
repetition before its times count. SciPy's floyd_warshall and dijkstra, where a Python has SciPy,
and Boost's dijkstra, where it was there to build boost_peer, must give our proved distances. Last, whole programs by the wall clock. Ends with what was reached
beside what is meant to be (cpu_table.py).

A variant may refuse a graph for which it is not exact: that cell stays empty. One that fails
otherwise, or whose result is refuted, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    BAD_INPUT, FAILED, GENERATOR, IDLE, BenchError, Others, check_programs, chosen_variant,
    failure, main_of, measure_ceilings, record_environment, refusal, repetitions_within,
    run_program, run_quietly, seconds, variants)
from experiments.suites import cpu_table  # noqa: E402
from experiments.suites.cpu_table import (  # noqa: E402
    AUTO, BOOST, PEERS, PROOF, SCIPY, SEQUENTIAL, Cell)
from experiments.suites.graphs import RANDOM, Graph  # noqa: E402
from thesis_tables.published.schedule import read_published  # noqa: E402

PROGRAMS = ("cpu", GENERATOR, "verify")
COLUMNS = ("program", "variant", "graph", "vertices", "edges", "checksum", "predecessors",
           "threads", "tile", "device", "checked", "repetition", "solve_s", "total_s",
           "transfer_s", "chosen", "others")
WALL_COLUMNS = ("program", "variant", "graph", "vertices", "edges", "threads", "repetition",
                "wall_s")
INTERRUPTED = 130
FLOYD_WARSHALL, DIJKSTRA = "floyd_warshall", "dijkstra"
SCIPY_PEER = ROOT / "experiments" / "peers" / "scipy_peer.py"
BOOST_PEER = "boost_peer"


WHOLE = Graph(RANDOM, 5000, 500000, goals=True, modes=True)  # graph on which whole programs are timed
GOALS = (Graph(RANDOM, 2000, 400000, goals=True, modes=True), WHOLE,
         Graph(RANDOM, 5000, 30000, goals=True), Graph(RANDOM, 5000, 2500, goals=True))
FAMILIES = (*(Graph(kind, 2000) for kind in ("ring", "tree", "star", "power-law", "disconnected")),
            Graph("complete", 1000), Graph("grid", 10000))


@dataclasses.dataclass(frozen=True)
class Profile:
    repetitions: int
    cell_seconds: float  # seconds that the repetitions of a cell may take
    longest: float  # most seconds of a solve that is measured
    schedule: tuple[int, int]  # least and greatest |V| of the published schedule
    everything: bool  # measure every mode and the peers on every graph


PROFILES = {
    "default": Profile(3, 1.5, 12, (400, 800), False),
    "full": Profile(5, 30, 300, (200, 12500), True),
}


def graphs(profile: Profile) -> list[Graph]:
    first, last = profile.schedule
    published = (Graph(RANDOM, int(row["V"]), int(row["E"]))
                 for row in read_published("thesis_times.csv"))
    named = {graph.name for graph in GOALS}
    return [*GOALS, *(graph for graph in published
                      if first <= graph.vertices <= last and graph.name not in named), *FAMILIES]


def graph_size(path: Path) -> tuple[int, int]:
    """|V| and |E| of a file of thesis text."""
    with open(path, encoding="ascii") as file:
        vertices, edges = file.readline().split()
    return int(vertices), int(edges)


class Forecast:
    """Estimates how long a solve takes: roughly at first, then by the variant's measurement on the same
    graph or, without one, its last measurement. Estimates decide only how often to repeat and what to
    skip."""

    def __init__(self) -> None:
        # Measured seconds divided by rough ones, by (program, variant, graph) and by (program, variant).
        self.corrections: dict[tuple[str, ...], float] = {}

    @staticmethod
    def roughly(cell: Cell, vertices: int, edges: int) -> float:
        dijkstra = vertices * (edges + vertices * math.log2(vertices + 2))
        if cell.program in PEERS:
            return 1e-9 * vertices**3 if cell.variant == FLOYD_WARSHALL else 6e-9 * dijkstra
        if cell.variant == SEQUENTIAL:
            return 1e-9 * vertices**3
        if cell.variant.startswith("blocked"):
            return 2e-11 * vertices**3 / cell.threads
        return 2e-9 * dijkstra / cell.threads

    def seconds(self, cell: Cell, vertices: int, edges: int) -> float:
        known = self.corrections
        return self.roughly(cell, vertices, edges) * known.get(
            (*cell[:2], cell.graph), known.get(cell[:2], 1))

    def learn(self, cell: Cell, vertices: int, edges: int, took: float) -> None:
        correction = took / self.roughly(cell, vertices, edges)
        self.corrections[(*cell[:2], cell.graph)] = correction
        # On small graphs, starting threads hides the rate.
        if not cell.variant.startswith("blocked") or vertices >= 1000:
            self.corrections[cell[:2]] = correction


class Rows:
    """A CSV that is rewritten after each cell, so that an interrupted run keeps its rows. New rows
    replace earlier rows of the same key."""

    def __init__(self, path: Path, columns: Sequence[str], key: Sequence[str], keep: bool) -> None:
        self.path, self.columns, self.key = path, columns, key
        self.rows = cpu_table.read_rows(path, columns) if keep else []
        self.save()

    def put(self, rows: Sequence[dict[str, str]]) -> None:
        replaced = {tuple(row[name] for name in self.key) for row in rows}
        self.rows = [row for row in self.rows
                     if tuple(row[name] for name in self.key) not in replaced]
        self.rows += rows
        self.save()

    def save(self) -> None:
        temporary = self.path.with_name(self.path.name + ".new")
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)
        os.replace(temporary, self.path)


class Peer(NamedTuple):
    """Another project's program that solves the same problem."""

    program: str  # one of PEERS
    version: str
    command: tuple[object, ...]  # the command, to which GRAPH METHOD REPETITIONS DISTANCES.npy are added
    methods: tuple[str, ...]


def find_scipy(pythons: Sequence[str]) -> Optional[Peer]:
    """Returns the SciPy of the first of these Pythons that has it; None if none has."""
    for python in pythons:
        try:
            done = run_quietly([python, "-c", "import numpy, scipy.sparse.csgraph; "
                                              "print(scipy.__version__)"])
        except OSError:
            continue
        if done.returncode == 0:
            return Peer(SCIPY, done.stdout.strip(), (python, SCIPY_PEER),
                        (FLOYD_WARSHALL, DIJKSTRA))
    return None


def find_boost(program: Path) -> Optional[Peer]:
    """Returns the program that uses Boost, which make builds if Boost is installed; None if there is
    none."""
    if not os.access(program, os.X_OK):
        return None
    return Peer(BOOST, run_program(program, "--version").strip(), (program,), (DIJKSTRA,))


class Bench:
    """The state of a bench that does not change from cell to cell."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.bin: Path = options.bin
        self.profile: Profile = PROFILES[options.profile]
        self.repetitions: int = options.repeat or self.profile.repetitions
        self.prefix: Path = options.out / "cpu"
        self.forecast = Forecast()
        scipy, boost = find_scipy(options.scipy), find_boost(options.boost)
        self.peers = [peer for peer in (scipy, boost) if peer is not None]
        listed = variants(self.bin / "cpu")
        self.variants = [name for name in listed if not options.variants
                         or name in options.variants]
        unknown = [name for name in options.variants if name not in listed]
        if unknown:
            raise BenchError(f"--variants: '{unknown[0]}' is none of {', '.join(listed)}",
                             BAD_INPUT)
        self.one_thread = {name for name in self.variants if self.uses_one_thread(name)}
        self.graphs = [graph for graph in graphs(self.profile) if not options.only
                       or any(text in graph.name for text in options.only)]
        if not self.graphs:
            raise BenchError(f"--only: no graph of this profile has {' or '.join(options.only)} "
                             "in its name", BAD_INPUT)
        cell = ("program", "variant", "graph", "threads")
        options.out.mkdir(parents=True, exist_ok=True)
        self.rows = Rows(cpu_table.beside(self.prefix, ""), COLUMNS, (*cell, "predecessors"),
                         options.keep)
        self.wall = Rows(cpu_table.beside(self.prefix, "programs"), WALL_COLUMNS, cell,
                         options.keep)

    def uses_one_thread(self, variant: str) -> bool:
        """Returns whether the variant says that it uses one thread for a graph of one vertex,
        however many it may use."""
        with tempfile.TemporaryDirectory() as work:
            graph, rows = Path(work) / "graph", Path(work) / "rows.csv"
            graph.write_text("1 0\n", encoding="ascii")
            run_quietly([self.bin / "cpu", "--variant", variant, "--threads", 2, "--repeat", 1,
                         "--check", "--csv", rows, "-o", os.devnull, graph])
            return any(row["threads"] == "1" for row in cpu_table.read_rows(rows, ("threads",)))

    def cells(self, graph: Graph) -> Iterator[Cell]:
        """Yields the cells of `cpu`: with predecessors on all threads first, from which the others'
        times follow."""
        all_modes = graph.modes or self.profile.everything
        for variant in self.variants:
            threads = (1,) if variant in self.one_thread else tuple(
                dict.fromkeys((self.options.threads, 1)))
            for count in threads[:None if all_modes else 1]:
                for predecessors in (True, False)[:None if all_modes else 1]:
                    yield Cell("cpu", variant, graph.name, predecessors, count)

    # One cell

    def plan(self, cell: Cell, vertices: int, edges: int) -> int:
        """The number of repetitions; 0: the cell is skipped, with a message."""
        expected = self.forecast.seconds(cell, vertices, edges)
        longest = self.options.longest
        if expected > (self.profile.longest if longest is None else longest):
            print(f"{describe(cell)} skipped: would take some {expected:.0f} s", flush=True)
            return 0
        return self.repetitions_of(expected)

    def repetitions_of(self, expected: float) -> int:
        limit = self.options.cell_seconds
        return repetitions_within(self.profile.cell_seconds if limit is None else limit,
                                  self.repetitions, expected)

    def solve(self, cell: Cell, path: Path) -> None:
        """Measures a variant; again if the first forecast allowed too few repetitions."""
        vertices, edges = graph_size(path)
        repetitions = self.plan(cell, vertices, edges)
        if repetitions > 0 and self.solve_times(cell, path, repetitions):
            better = self.repetitions_of(self.forecast.seconds(cell, vertices, edges))
            if better > repetitions:
                self.solve_times(cell, path, better)

    def solve_times(self, cell: Cell, path: Path, repetitions: int) -> bool:
        """Solves, and keeps the rows; False if the variant cannot solve this graph."""
        vertices, edges = graph_size(path)
        rows_path = path.with_name("rows.csv")
        rows_path.unlink(missing_ok=True)
        command = [self.bin / cell.program, "--variant", cell.variant, "--threads", cell.threads,
                   "--repeat", repetitions, "--check", "--csv", rows_path, "-o", os.devnull,
                   path.name]
        others = Others()
        done = run_quietly(command + ([] if cell.predecessors else ["--distances-only"]),
                           path.parent)
        busy = f"{others.cores():.2f}"
        reason = refusal(done)
        if reason:
            print(f"{describe(cell)} skipped: {reason}", flush=True)
            return False
        if done.returncode != 0:
            raise failure(f"cpu {cell.variant} {cell.graph}", done)
        chosen = chosen_variant(done.stdout)
        with open(rows_path, encoding="utf-8", newline="") as file:
            rows = [{**row, "chosen": chosen, "others": busy} for row in csv.DictReader(file)]
        solve_s = seconds(done.stdout, "solve_s")
        self.keep(cell, rows, solve_s, vertices, edges)
        return True

    def keep(self, cell: Cell, rows: list[dict[str, str]], solve_s: float, vertices: int,
             edges: int) -> None:
        if any(cpu_table.cell_of(row) != cell or row["checked"] != "1" for row in rows):
            raise BenchError(f"{describe(cell)}: expected proved rows of this cell, found others",
                             FAILED)
        self.forecast.learn(cell, vertices, edges, solve_s)
        self.rows.put(rows)
        chosen = f" chose {rows[0]['chosen']}" if rows[0]["chosen"] else ""
        others = float(rows[0]["others"])
        disturbed = f"  beside {others} busy cores" if others > IDLE else ""
        print(f"{describe(cell)} {solve_s * 1e3:10.3f} ms  {len(rows)} times  proved{chosen}"
              f"{disturbed}", flush=True)

    def solve_by_peer(self, peer: Peer, graph: Graph, path: Path) -> None:
        """Measures a peer on one thread. Its distances must equal the proved ones."""
        vertices, edges = graph_size(path)
        ours = path.with_name("ours")
        for method in peer.methods:
            what = f"{PEERS[peer.program]} {method} {graph.name}"
            cell = Cell(peer.program, method, graph.name, True, 1)
            repetitions = self.plan(cell, vertices, edges)
            if repetitions == 0:
                continue
            distances = ours.with_name("ours.dist.npy")
            if not distances.exists():
                run_program(self.bin / "cpu", "--variant", self.reference(), "--check", "--format",
                            "npy", "--distances-only", "-o", ours, path)
            others = Others()
            done = run_quietly([*peer.command, path, method, repetitions, distances])
            busy = f"{others.cores():.2f}"
            if done.returncode != 0:
                raise failure(what, done)
            found = json.loads(done.stdout)
            if found["different"] != 0:
                raise BenchError(f"{what}: {found['different']} distances are not those that were "
                                 "proved", FAILED)
            rows = [dict.fromkeys(COLUMNS, "") | {
                "program": peer.program, "variant": method, "graph": graph.name,
                "vertices": str(vertices), "edges": str(edges), "predecessors": "1",
                "threads": "1", "tile": "0", "checked": "1", "repetition": str(number),
                "solve_s": f"{took:.9g}", "total_s": f"{took:.9g}", "transfer_s": "0",
                "others": busy}
                for number, took in enumerate(found["seconds"], start=1)]
            self.keep(cell, rows, statistics.median(found["seconds"]), vertices, edges)
    def reference(self) -> str:
        """The variant that whole programs use, and whose distances the peer's are compared with."""
        listed = variants(self.bin / "cpu")
        return next(name for name in (AUTO, "blocked", listed[0]) if name in listed)

    def time_programs(self, graph: Graph, path: Path) -> None:
        """Times cpu from reading the text to writing .npy files, then verify on these files, and the
        proof in verify alone, which works in memory."""
        variant = self.reference()
        if variant not in self.variants:
            return
        vertices, edges = graph_size(path)
        threads, result = self.options.threads, path.with_name("whole")
        solve = [self.bin / "cpu", "--variant", variant, "--threads", threads, "--format",
                 "npy", "-o", result, path]
        prove = [self.bin / "verify", f"{result}.dist.npy", "--graph", path, "--threads", threads,
                 "--json"]
        seconds: dict[tuple[str, str], list[float]] = {}
        for program, name, command in (("cpu", variant, solve), ("verify", "", prove)):
            for _ in range(self.repetitions + 1):  # the first run is the warm-up
                start = time.perf_counter()
                said = run_program(*command)
                seconds.setdefault((program, name), []).append(time.perf_counter() - start)
                if program == "verify":
                    seconds.setdefault((program, PROOF), []).append(json.loads(said)["proof_s"])
        for (program, name), took in seconds.items():
            self.wall.put([dict(zip(WALL_COLUMNS, map(str, (
                program, name, graph.name, vertices, edges, threads, number, f"{one:.6f}"))))
                for number, one in enumerate(took[1:], start=1)])
            what = "in memory" if name == PROOF else "whole program"
            print(f"{program:6} {name:14} {graph.name:22} {what} "
                  f"{statistics.median(took[1:]) * 1e3:.1f} ms", flush=True)

    # All

    def run(self) -> None:
        ceilings = self.options.ceilings
        programs = {**{name: self.bin / name for name in PROGRAMS}, ceilings.name: ceilings}
        record_environment(self.bin, programs,
                           self.prefix.with_name("cpu_environment.json"),
                           load=[round(load, 2) for load in os.getloadavg()],
                           simd=os.environ.get("APSP_SIMD"),
                           **dict.fromkeys(PEERS) | {peer.program: peer.version
                                                     for peer in self.peers})
        if not self.options.no_ceilings:
            measure_ceilings(ceilings, "--repeat", self.repetitions, "--csv",
                             cpu_table.beside(self.prefix, "ceilings"))
        found = [peer.program for peer in self.peers]
        if SCIPY not in found and self.options.scipy:
            print("SciPy: not installed for any of these: " + ", ".join(self.options.scipy))
        if BOOST not in found:
            print(f"Boost: no {self.options.boost}")
        with tempfile.TemporaryDirectory() as work:
            for graph in self.graphs:
                path = Path(work) / graph.name
                graph.write(self.bin, path)
                for cell in self.cells(graph):
                    self.solve(cell, path)
                for peer in self.peers if graph.goals or self.profile.everything else ():
                    self.solve_by_peer(peer, graph, path)
                if graph.name == WHOLE.name:
                    self.time_programs(graph, path)
                for left in Path(work).iterdir():
                    left.unlink()
        print(f"{self.rows.path}: every row proved\n\n"
              f"{cpu_table.render(cpu_table.read(self.prefix))}", end="")


def describe(cell: Cell) -> str:
    what = "D+P" if cell.predecessors else "D"
    return f"{cell.program:6} {cell.variant:14} {cell.graph:22} {what:3} {cell.threads} thr."


CEILINGS = "bench_cpu_ceilings"


def built(bin_dir: Path, name: str) -> Path:
    """The path of a program for measuring only. make puts it beside bin in the build's folder; only
    programs of the release are at the top."""
    builds = ([ROOT / "build" / name for name in ("release", "release-nocuda")]
              if bin_dir == ROOT / "bin" else [bin_dir.parent])
    places = [build / "experiments" / name for build in builds]
    return next((place for place in places if place.exists()), places[0])


def run(options: argparse.Namespace) -> None:
    options.ceilings = (options.ceilings or built(options.bin, CEILINGS)).resolve()
    options.boost = (options.boost or built(options.bin, BOOST_PEER)).resolve()
    check_programs(options.bin, PROGRAMS)
    check_programs(options.ceilings.parent, (options.ceilings.name,))
    try:
        Bench(options).run()
    except cpu_table.TableError as error:
        raise BenchError(str(error), BAD_INPUT) from error


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_cpu.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--profile", choices=PROFILES, default="default",
                        help="default: about two minutes on two cores; full: all graphs and modes")
    parser.add_argument("--ceilings", type=Path, metavar="PROGRAM",
                        help="bench_cpu_ceilings (default: where make puts it, seen from --bin)")
    parser.add_argument("--no-ceilings", action="store_true",
                        help="do not measure them: those of an earlier run stay")
    parser.add_argument("--only", nargs="+", default=[], metavar="TEXT",
                        help="only graphs whose name contains one of these")
    parser.add_argument("--variants", nargs="+", default=[], metavar="NAME",
                        help="only these variants")
    parser.add_argument("--keep", action="store_true",
                        help="keep what an earlier run measured and this one does not")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="what `all threads` means (one per core)")
    parser.add_argument("--repeat", type=int, metavar="N",
                        help="repetitions of every cell; medians are shown (by profile)")
    parser.add_argument("--cell-seconds", type=float, metavar="S",
                        help="where the repetitions and the warm-up are expected to take longer, "
                             "repeat less often, at least once (by profile)")
    parser.add_argument("--longest", type=float, metavar="S",
                        help="skip cells of which a solve is expected to take longer (by profile)")
    parser.add_argument("--scipy", nargs="*", default=[sys.executable, "/usr/bin/python3"],
                        metavar="PYTHON", help="Pythons to look for SciPy with; none: without it "
                                               "(this one, then the system's)")
    parser.add_argument("--boost", type=Path, metavar="PROGRAM",
                        help="boost_peer (default: where make puts it, seen from --bin)")
    try:
        return main_of(parser, "cpu.csv, cpu_ceilings.csv, cpu_programs.csv", run, arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
