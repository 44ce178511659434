#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times cpu's variants on graphs whose structure decides which is best, and on growing roads.

    make bench-structure
    python3 experiments/suites/bench_structure.py --help

choices.csv: on graphs of graphgen's families, the variants that are predicted to be no worse than
WORTH times the best, and auto, each with its prediction (apsp --plan); for 16 threads, predictions
only. growth.csv: road-like graphs of 10^3 to 10^6 vertices. What would take longer than --longest
is solved for two numbers of sources, of which the whole follows. Solves are distances only, reduced
to measures; the first of each in choices.csv is proved (--check). Of several repetitions, which
take turns, the shortest counts. growth.svg draws what growth.csv says; it can be drawn again from
that alone (--draw). A result that is refuted ends the run with status 1.

On a machine that does other things as well, a program waits for its processor. The column `share`
says for which part of the time it had one: of one thread, solve_s times share is nearly what the
solve takes on an idle machine, and by that the shortest is chosen and the figure drawn.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    GENERATOR, SEED, BenchError, check_programs, main_of, record_environment, run_program)
from experiments.suites.graphs import make_graph  # noqa: E402

GRAPHS = (("grid", 10000, ("--family", "grid")), ("ring", 10000, ("--family", "ring")),
          ("knn", 10000, ("--family", "knn")), ("random", 10000, ("--edges", 20000)),
          ("power-law", 10000, ("--family", "power-law")), ("road", 13000, ("--family", "road")),
          ("road", 33000, ("--family", "road")))
THREADS = (1, 2)
PREDICTED_THREADS = 16
WORTH = 20.0
CHOICES = ("graph", "vertices", "edges", "threads", "variant", "chosen", "predicted_s", "solve_s",
           "share")
SIZES = (1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 264346, 512000, 1070376)
ENGINES = ("blocked", "multisource", "dissection")
NAMES = {"blocked": "Floyd–Warshall, blocked", "multisource": "label correcting",
         "dissection": "dissection"}
SAMPLES = (64, 1088)  # numbers of sources that are solved
GROWTH = ("vertices", "engine", "threads", "sources", "solve_s", "share")
PLANNED_UP_TO = 60000  # most vertices of a graph that is solved from all sources
MATRIX_LIMIT = 20000  # most vertices for engines that need a matrix

Row = dict[str, object]


def plan(options: argparse.Namespace, path: Path, threads: int) -> dict[str, object]:
    answer = json.loads(run_program(options.bin / "apsp", path, "--distances-only", "--plan",
                                    "--json", "--threads", threads))
    predicted = {engine["engine"].partition(":")[2]: engine["solve_s"]
                 for engine in answer["engines"] if engine["engine"].startswith("cpu:")}
    return {"edges": answer["edges"], "predicted": predicted}


class Solve:
    """A solve's seconds, the share of them that it had the processors it wanted, and what auto
    took."""

    def __init__(self, options: argparse.Namespace, path: Path, variant: str, threads: int,
                 *more: object) -> None:
        before, began = os.times(), time.perf_counter()
        with tempfile.TemporaryDirectory() as work:
            answer = json.loads(run_program(
                options.bin / "cpu", path, "--distances-only", "--variant", variant, "--threads",
                threads, "--json", "--no-sync", f"--measures={work}/m", *more))
        took, after = time.perf_counter() - began, os.times()
        used = (after.children_user + after.children_system - before.children_user -
                before.children_system)
        self.seconds = float(answer["solve_s"])
        self.share = min(1.0, used / took)
        self.chosen = str(answer.get("chosen") or "")
        # A program with several threads has parts that use only one.
        self.idle_s = self.seconds * self.share if threads == 1 else self.seconds

    def cells(self) -> dict[str, object]:
        return {"solve_s": f"{self.seconds:.4g}", "share": f"{self.share:.3g}"}


def compare(options: argparse.Namespace, name: str, path: Path, threads: int) -> list[Row]:
    known = plan(options, path, threads)
    predicted: dict[str, float] = known["predicted"]  # type: ignore[assignment]
    candidates = [variant for variant in ("blocked", "johnson", "multisource", "dissection")
                  if variant in predicted]
    best = min(predicted[variant] for variant in candidates)
    timed = [variant for variant in candidates if predicted[variant] <= WORTH * best] + ["auto"]
    shortest: dict[str, Solve] = {}
    for repetition in range(options.repeat if threads <= max(THREADS) else 0):
        for variant in timed:
            if repetition > 0 and shortest[variant].seconds > options.longest:
                continue
            found = Solve(options, path, variant, threads,
                          *(["--check"] if repetition == 0 else []))
            if variant not in shortest or found.idle_s < shortest[variant].idle_s:
                shortest[variant] = found
    chosen = (shortest["auto"].chosen if "auto" in shortest else
              min(candidates, key=lambda variant: predicted[variant]))
    rows: list[Row] = []
    for variant in timed:
        is_auto = variant == "auto"
        cells = shortest[variant].cells() if variant in shortest else {}
        rows.append({"graph": name, "edges": known["edges"], "threads": threads,
                     "variant": variant, "chosen": chosen if is_auto else "",
                     "predicted_s": f"{predicted[chosen if is_auto else variant]:.4g}", **cells})
    return rows


def write(path: Path, columns: Sequence[str], rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def choices(options: argparse.Namespace, work: Path) -> None:
    rows: list[Row] = []
    for name, vertices, what in GRAPHS:
        path = work / "graph.txt"
        make_graph(options.bin, vertices, what, path)
        for threads in (*THREADS, PREDICTED_THREADS):
            for row in compare(options, name, path, threads):
                rows.append({"vertices": vertices, **row})
                print(*(rows[-1].get(column, "") for column in CHOICES), flush=True)
        write(options.out / "choices.csv", CHOICES, rows)


def growth(options: argparse.Namespace, work: Path) -> None:
    rows: list[Row] = []
    slow: set[str] = set()
    for vertices in SIZES:
        if vertices > options.max_v:
            break
        path = work / "graph.txt"
        make_graph(options.bin, vertices, ("--family", "road"), path)
        predicted: dict[str, float] = {}
        if vertices <= PLANNED_UP_TO:
            known = plan(options, path, options.threads)
            predicted = known["predicted"]  # type: ignore[assignment]
        for engine in ENGINES:
            whole = predicted.get(engine, math.inf) <= options.longest
            if engine in slow or (engine == "blocked" and
                                  (not whole or vertices > MATRIX_LIMIT)):
                slow.add(engine)
                continue
            for sources in ((vertices,) if whole else SAMPLES):
                picked = [] if whole else ["--sources", f"random:{sources}:{SEED}"]
                repeat = options.repeat if vertices < PLANNED_UP_TO else 1
                found = min((Solve(options, path, engine, options.threads, *picked)
                             for _ in range(repeat)), key=lambda one: one.idle_s)
                rows.append({"vertices": vertices, "engine": engine, "threads": options.threads,
                             "sources": sources, **found.cells()})
                print(*(rows[-1][column] for column in GROWTH), flush=True)
                if found.idle_s > 2 * options.longest:
                    slow.add(engine)
        write(options.out / "growth.csv", GROWTH, rows)
    draw(options.out / "growth.csv", options.out / "growth.svg")


def whole_times(path: Path) -> dict[str, list[tuple[int, float, bool]]]:
    """Returns for each engine: vertices, seconds for all sources, whether they are extrapolated."""
    by_engine: dict[str, dict[int, list[tuple[int, float]]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sizes = by_engine.setdefault(row["engine"], {})
            sizes.setdefault(int(row["vertices"]), []).append(
                (int(row["sources"]), float(row["solve_s"]) *
                 (float(row["share"]) if row["threads"] == "1" else 1)))
    times: dict[str, list[tuple[int, float, bool]]] = {}
    for engine, sizes in by_engine.items():
        for vertices, found in sorted(sizes.items()):
            sources, seconds = max(found)
            sampled = sources < vertices
            if sampled and len(found) < 2:
                continue
            if sampled:
                fewer, least = min(found)
                each = (seconds - least) / (sources - fewer)
                seconds = least + each * (vertices - fewer)
            times.setdefault(engine, []).append((vertices, seconds, sampled))
    return times


def draw(path: Path, to: Path) -> None:
    """Seconds against vertices, both logarithmic; hollow marks are extrapolated."""
    width, height, left, bottom, right, top = 560, 380, 60, 44, 150, 14
    low, high = (3.0, 6.1), (-3.0, 4.0)
    colours = {"blocked": "#c2410c", "multisource": "#1d4ed8", "dissection": "#15803d"}

    def x(vertices: float) -> float:
        return left + (math.log10(vertices) - low[0]) / (low[1] - low[0]) * (width - left - right)

    def y(seconds: float) -> float:
        share = (math.log10(seconds) - high[0]) / (high[1] - high[0])
        return height - bottom - share * (height - bottom - top)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(3, 7):
        lines.append(f'<path d="M{x(10 ** power):.1f} {top}V{height - bottom}" stroke="#ddd"/>'
                     f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 16}" '
                     f'text-anchor="middle">10<tspan dy="-4" font-size="9">{power}</tspan></text>')
    for power in range(-3, 5):
        label = f"{10.0 ** power:g} s"
        lines.append(f'<path d="M{left} {y(10 ** power):.1f}H{width - right}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y(10 ** power) + 4:.1f}" '
                     f'text-anchor="end">{label}</text>')
    lines.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 8}" '
                 'text-anchor="middle">vertices of a road network</text>')
    for engine, times in whole_times(path).items():
        colour = colours[engine]
        points = " ".join(f"{x(v):.1f},{y(s):.1f}" for v, s, _ in times)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" '
                     'stroke-width="1.5"/>')
        for vertices, seconds, sampled in times:
            lines.append(f'<circle cx="{x(vertices):.1f}" cy="{y(seconds):.1f}" r="3" '
                         f'fill="{"white" if sampled else colour}" stroke="{colour}"/>')
        last = times[-1]
        lines.append(f'<text x="{x(last[0]) + 8:.1f}" y="{y(last[1]) + 4:.1f}" '
                     f'fill="{colour}">{NAMES[engine]}</text>')
    lines.append("</svg>")
    to.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    if options.draw is not None:
        if not options.draw.exists():
            raise BenchError(f"{options.draw}: expected a file, found none", 2)
        draw(options.draw, options.draw.with_suffix(".svg"))
        return
    programs = {name: options.bin / name for name in ("cpu", "apsp")}
    check_programs(options.bin, (*programs, GENERATOR))
    record_environment(options.bin, programs, options.out / "structure_environment.json")
    with tempfile.TemporaryDirectory() as work:
        if options.only in (None, "choices"):
            choices(options, Path(work))
        if options.only in (None, "growth"):
            growth(options, Path(work))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_structure.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", choices=("choices", "growth"), help="only one of the two")
    parser.add_argument("--max-v", type=int, default=sys.maxsize, metavar="V",
                        help="only roads of up to so many vertices")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="repetitions of every solve; the shortest counts (3)")
    parser.add_argument("--threads", type=int, default=1, metavar="N",
                        help="threads on growing roads (1)")
    parser.add_argument("--longest", type=float, default=10, metavar="S",
                        help="seconds that a solve may take to be done whole, or twice (10)")
    parser.add_argument("--draw", type=Path, metavar="CSV", help="only draw this growth.csv")
    return main_of(parser, "choices.csv, growth.csv", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
