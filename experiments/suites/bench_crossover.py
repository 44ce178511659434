#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times cuda_sparse beside cuda_blocked on graphs of growing density, each result proved.

    make bench-crossover                 V = 1000 ... 12500
    python3 experiments/suites/bench_crossover.py --help

For each size one graph after the other, each denser than the one before (graphgen's fixed seed),
until cuda_blocked is the faster both with and without predecessors: the crossover is then behind.
Rows are those of the solvers' own --csv; thesis_tables/crossover.py makes the figure of them.
A result that is refuted, or a solver that fails, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    GENERATOR, SEED, check_programs, main_of, record_environment, run_program)
from experiments.suites.bench_gpu import measure  # noqa: E402

SIZES = (1000, 2500, 5000, 7500, 10000, 12500)
PERCENTS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0)  # densities, in percent of all possible edges
SPARSE, BLOCKED = ("cuda_sparse", "multisource"), ("cuda_blocked", "auto")


def is_behind(bin_dir: Path, vertices: int, graph: Path, out_csv: Path, repetitions: int) -> bool:
    """Measures a graph: whether cuda_blocked is the faster in both modes."""
    lost = True
    for predecessors in (True, False):
        sparse, blocked = (measure(bin_dir, *solver, vertices, predecessors, graph, out_csv,
                                   repetitions) for solver in (SPARSE, BLOCKED))
        lost = lost and sparse is not None and blocked is not None and blocked < sparse
    return lost


def run(options: argparse.Namespace) -> None:
    out_csv = options.out / "crossover.csv"
    programs = {name: options.bin / name for name, _ in (SPARSE, BLOCKED)}
    check_programs(options.bin, (*programs, GENERATOR))
    options.out.mkdir(parents=True, exist_ok=True)
    out_csv.unlink(missing_ok=True)
    record_environment(options.bin, programs, options.out / "crossover_environment.json")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        for vertices in options.sizes:
            for percent in sorted(options.percents):
                graph = Path(work) / f"V{vertices}_{percent:g}%"
                if time.monotonic() - started > options.seconds:
                    print(f"{graph.name}: not measured: --seconds {options.seconds:g} are over",
                          flush=True)
                    continue
                run_program(options.bin / GENERATOR, "--v", vertices, "--density",
                            f"{percent:g}%", "--seed", SEED, "-o", graph)
                print(f"{graph.name}:", flush=True)
                behind = is_behind(options.bin, vertices, graph, out_csv, options.repeat)
                graph.unlink()
                if behind:
                    break
    print(f"{out_csv}: every row proved")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_crossover.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="V",
                        help="numbers of vertices")
    parser.add_argument("--percents", type=float, nargs="+", default=PERCENTS, metavar="P",
                        help="densities, in per cent of all edges")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="repetitions of every solve; medians count (3)")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S",
                        help="begin no graph after so many seconds; those left out are named")
    return main_of(parser, "crossover.csv", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
