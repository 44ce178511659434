#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times every GPU variant at the reports' sizes, each result proved in the same run.

    make bench-gpu                       all variants, V = 1000 ... 12500, 2 % of all edges
    python3 experiments/suites/bench_gpu.py --help

First what the GPU does at best (bench_ceilings). Then for each size one graph (graphgen's fixed
seed), for each variant two solves, without and with predecessors, several repetitions each, fewer
where they would take long by what the size before took; `--check` proves the output of the last
repetition before its times count. Rows are those of the solvers' own --csv, with both clocks. thesis_tables/ladder.py turns them into the ladder table.

A variant may refuse a graph for which it is not exact: that cell stays empty. One that fails
otherwise, or whose result is refuted, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    BAD_INPUT, GENERATOR, NO_RESOURCE, SEED, BenchError, check_programs, failure,
    main_of, measure_ceilings, record_environment, refusal, repetitions_within, run_program,
    run_quietly, seconds, variants)

SIZES = (1000, 2500, 5000, 7500, 10000, 12500)  # |V|: sizes of the reports, and the thesis's largest
CELL_SECONDS = 5.0
PROGRAMS = ("cuda_simple", "cuda_blocked")


def default_ceilings(bin_dir: Path) -> Path:
    """The path of bench_ceilings, which make puts beside bin in the build's folder. Only programs of
    the release are at the top."""
    build = ROOT / "build" / "release" if bin_dir == ROOT / "bin" else bin_dir.parent
    return build / "experiments" / "bench_ceilings"


def check_ceilings(ceilings: Path) -> None:
    if not os.access(ceilings, os.X_OK):
        raise BenchError(
            f"{ceilings}: expected the program that measures what the GPU does at best, found "
            "none: a build without CUDA has none, one with CUDA makes it by `make bench-gpu`; "
            "--ceilings names another place", NO_RESOURCE)


def cell_name(program: str, variant: str, vertices: int) -> str:
    return f"{program:13} {variant:8} V={vertices:<6}"


def measure(bin_dir: Path, program: str, variant: str, vertices: int, predecessors: bool,
            graph: Path, out_csv: Path, repetitions: int) -> Optional[float]:
    """Median seconds of a solve; None if the variant does not give this result."""
    command = [bin_dir / program, "--variant", variant, "--repeat", str(repetitions), "--check",
               "--csv", out_csv, "-o", "/dev/null", graph.name]
    if not predecessors:
        command.append("--distances-only")
    done = run_quietly(command, graph.parent)
    cell = f"{cell_name(program, variant, vertices)} {'D+P' if predecessors else 'D  '}"
    if (done.returncode == BAD_INPUT and predecessors
            and "computes no predecessors" in done.stderr):
        return None
    reason = refusal(done)
    if reason:
        print(f"{cell} skipped: {reason}", flush=True)
        return None
    if done.returncode != 0:
        raise failure(f"{program} {variant} V={vertices}", done)
    solve, total = seconds(done.stdout, "solve_s"), seconds(done.stdout, "total_s")
    print(f"{cell} {solve * 1e3:10.3f} ms  {vertices**3 / solve / 1e12:7.3f} T/s  "
          f"total {total * 1e3:10.3f} ms  proved", flush=True)
    return solve


def expected_seconds(vertices: int, before: Optional[tuple[int, float]]) -> float:
    """Returns the expected seconds of a solve; 0: unknown. before: vertices and seconds of a solve of
    fewer vertices."""
    return before[1] * (vertices / before[0])**3 if before is not None else 0.0


def run(options: argparse.Namespace) -> None:
    out: Path = options.out
    out_csv, ceilings_csv = out / "ladder.csv", out / "ceilings.csv"
    ceilings: Path = (options.ceilings or default_ceilings(options.bin)).resolve()
    check_programs(options.bin, (*PROGRAMS, GENERATOR))
    check_ceilings(ceilings)
    out.mkdir(parents=True, exist_ok=True)
    for old in (out_csv, ceilings_csv):
        old.unlink(missing_ok=True)
    programs = {**{name: options.bin / name for name in PROGRAMS},
                ceilings.name: ceilings}
    record_environment(options.bin, programs, out / "ladder_environment.json")
    measure_ceilings(ceilings, "--repeat", options.repeat, "--csv", ceilings_csv)
    # (program, variant, predecessors) -> vertices, seconds
    before: dict[tuple[str, str, bool], tuple[int, float]] = {}
    with tempfile.TemporaryDirectory() as work:
        for vertices in options.sizes:
            graph = Path(work) / f"V{vertices}_2%"
            run_program(options.bin / GENERATOR, "--v", vertices, "--density", "2%",
                        "--seed", SEED, "-o", graph)
            for program in PROGRAMS:
                for variant in variants(options.bin / program):
                    for predecessors in (False, True):
                        cell = (program, variant, predecessors)
                        expected = expected_seconds(vertices, before.get(cell))
                        if options.longest is not None and expected > options.longest:
                            print(f"{cell_name(program, variant, vertices)} skipped: would take "
                                  f"some {expected:.0f} s", flush=True)
                            continue
                        repetitions = repetitions_within(options.cell_seconds, options.repeat,
                                                         expected)
                        solve = measure(options.bin, program, variant, vertices, predecessors,
                                        graph, out_csv, repetitions)
                        if solve is not None:
                            before[cell] = (vertices, solve)
            graph.unlink()
    print(f"{out_csv}: every row proved")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_gpu.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ceilings", type=Path, metavar="PROGRAM",
                        help="bench_ceilings (default: where make puts it, seen from --bin)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="V",
                        help="numbers of vertices")
    parser.add_argument("--repeat", type=int, default=5, metavar="N",
                        help="repetitions of every cell; medians are shown (5)")
    parser.add_argument("--cell-seconds", type=float, default=CELL_SECONDS, metavar="S",
                        help="where the time at the size before, grown by the cube of the size, "
                             "says that the repetitions and the warm-up would take longer, repeat "
                             f"less often, at least once ({CELL_SECONDS:g})")
    parser.add_argument("--longest", type=float, metavar="S",
                        help="skip cells of which a single solve is expected to take longer")
    return main_of(parser, "ladder.csv, ceilings.csv", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
