#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times what apsp takes beside the engines that it could have taken, file to file, on this host.

    make bench-choices
    python3 experiments/suites/bench_choices.py --graph COL.gr --help

hosts_choices.csv: for graphs of graphgen's families and those of --graph, and for each goal, apsp
and the engines whose predicted total (apsp --plan) is at most WORTH times the least, taking turns.
Of several repetitions the shortest counts. `worth` is apsp's time over that of the fastest engine
by its own name. What takes longer than --longest seconds is left out; so is a goal that nothing
reaches in that time.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    GENERATOR, check_programs, main_of, record_environment, run_program, run_quietly)
from experiments.suites.graphs import make_graph  # noqa: E402

APSP = "apsp"
GRAPHS = (("grid", 20000, ("--family", "grid")), ("knn", 10000, ("--family", "knn")),
          ("road", 33000, ("--family", "road")), ("road", 126146, ("--family", "road")),
          ("power-law", 30000, ("--family", "power-law", "--degree", 10)),
          ("power-law, unweighted", 30000,
           ("--family", "power-law", "--degree", 10, "--weights", "1:1")),
          ("rmat", 16384, ("--family", "rmat", "--degree", 16)),
          ("random", 10000, ("--edges", 40000)), ("dense", 500, ("--density", "50%")),
          ("dense", 4000, ("--density", "50%")), ("tree", 100000, ("--family", "tree")))
SUMS = ("--omit", "harmonic,histogram")
# Arguments of each goal, with PREFIX for where its files go, and the numbers of vertices it suits.
GOALS = {"matrix": (("--distances-only", "--format", "npy", "-o", "PREFIX"), range(1, 20001)),
         "measures": (("--measures=PREFIX",), range(1, sys.maxsize)),
         "sums": (("--measures=PREFIX", *SUMS), range(1, sys.maxsize)),
         "1000 sources": (("--measures=PREFIX", "--sources", "random:1000:1"),
                          range(1000, sys.maxsize)),
         "betweenness": (("--measures=PREFIX", *SUMS, "--betweenness"), range(1, 300001))}
WORTH = 4.0
CHOICES = ("graph", "vertices", "edges", "goal", "engine", "chosen", "predicted_s", "solve_s",
           "whole_s", "worth")

Row = dict[str, object]


@dataclasses.dataclass
class Time:
    """The seconds of a command's run and of the solve in it, and the engine that solved."""

    whole_s: float
    solve_s: float
    engine: str


class Goal:
    """Runs programs for one goal on one graph."""

    def __init__(self, options: argparse.Namespace, graph: Path, words: Sequence[object],
                 folder: Path) -> None:
        self.options = options
        self.words = (graph, "--json", "--no-sync",
                      *(str(word).replace("PREFIX", str(folder / "result")) for word in words))

    def plan(self) -> dict[str, object]:
        answer: dict[str, object] = json.loads(
            run_program(self.options.bin / APSP, *self.words, "--plan"))
        return answer

    def run(self, program: str, *more: str) -> Optional[Time]:
        """None: it takes too long, or the program refuses."""
        began = time.perf_counter()
        done = run_quietly(("timeout", self.options.longest, self.options.bin / program,
                            *self.words, *more))
        whole = time.perf_counter() - began
        if done.returncode != 0:
            return None
        answer = json.loads(done.stdout)
        taken = answer["chosen"] or answer["variant"]
        return Time(whole, answer["solve_s"], str(taken))

    def candidates(self, plan: dict[str, object]) -> dict[str, float]:
        """The predicted seconds, file to file, of each engine that may be the fastest."""
        totals = {engine["engine"]: engine["total_s"] for engine in plan["engines"]  # type: ignore
                  if engine["not_taken"] is None and not engine["engine"].endswith(":auto")}
        least = min(totals.values(), default=0.0)
        return {name: total for name, total in totals.items() if total <= WORTH * least}


def compare(goal: Goal, repeat: int) -> list[Row]:
    """apsp and the engines of one goal; empty if none reaches it in time."""
    plan = goal.plan()
    predicted = goal.candidates(plan)
    shortest: dict[str, Time] = {}
    failed: set[str] = set()
    for _ in range(repeat):
        for engine in (APSP, *predicted):
            program, _, variant = engine.partition(":")
            found = None if engine in failed else goal.run(
                program, *([f"--variant={variant}"] if variant else []))
            if found is None:
                failed.add(engine)
            elif engine not in shortest or found.whole_s < shortest[engine].whole_s:
                shortest[engine] = found
    if APSP not in shortest or len(shortest) < 2:
        return []
    best = min(found.whole_s for engine, found in shortest.items() if engine != APSP)
    taken = shortest[APSP].engine
    rows: list[Row] = []
    for engine, found in shortest.items():
        name = taken if engine == APSP else engine
        rows.append({"edges": plan["edges"], "engine": engine,
                     "chosen": taken if engine == APSP else "",
                     "predicted_s": f"{predicted[name]:.4g}" if name in predicted else "",
                     "solve_s": f"{found.solve_s:.4g}", "whole_s": f"{found.whole_s:.4g}",
                     "worth": f"{found.whole_s / best:.3g}" if engine == APSP else ""})
    return rows


def run(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    check_programs(options.bin, (APSP, "cpu", GENERATOR))
    record_environment(options.bin, {APSP: options.bin / APSP},
                       options.out / "hosts_choices.environment.json")
    with tempfile.TemporaryDirectory() as work, \
            (options.out / "hosts_choices.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, CHOICES, lineterminator="\n")
        writer.writeheader()
        graphs: list[tuple[str, Path, int]] = []
        for number, (name, vertices, what) in enumerate(GRAPHS):
            if vertices <= options.max_v:
                path = Path(work) / f"{number}.gr"
                make_graph(options.bin, vertices, (*what, "--format", "gr"), path)
                graphs.append((name, path, vertices))
        for path in options.graph:
            graph = json.loads(run_program(options.bin / APSP, path, "--plan", "--json"))
            graphs.append((path.name, path.resolve(), graph["vertices"]))
        for name, path, vertices in graphs:
            for goal, (words, sizes) in GOALS.items():
                if vertices not in sizes:
                    continue
                for row in compare(Goal(options, path, words, Path(work)), options.repeat):
                    row = {"graph": name, "vertices": vertices, "goal": goal, **row}
                    writer.writerow(row)
                    print(*(row[column] for column in CHOICES), flush=True)
                file.flush()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_choices.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--graph", type=Path, action="append", default=[], metavar="FILE",
                        help="measure this graph, too; may be given more than once")
    parser.add_argument("--max-v", type=int, default=sys.maxsize, metavar="V",
                        help="only generated graphs of up to so many vertices")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="repetitions of every run; the shortest counts (3)")
    parser.add_argument("--longest", type=float, default=20, metavar="S",
                        help="seconds that one run may take (20)")
    return main_of(parser, "hosts_choices.csv", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
