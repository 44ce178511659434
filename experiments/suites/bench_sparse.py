#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times cuda_sparse beside the other solvers on graphs of few edges, shallow and deep.

    make bench-sparse
    python3 experiments/suites/bench_sparse.py --help

Random graphs of the thesis's sizes (graphgen's fixed seed), graphs of its families, and
one whose matrices have 2^32 cells. For each, solves by cuda_sparse, with and without predecessors,
and by cuda_blocked and cpu with them; every result is proved. Rows are those of the solvers' own
--csv; thesis_tables/sparse.py makes the table of them. A result that is refuted, or a solver that
fails, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from experiments.bench import (  # noqa: E402 (found by the line above)
    GENERATOR, check_programs, main_of, record_environment)
from experiments.suites.bench_gpu import measure  # noqa: E402
from experiments.suites.graphs import RANDOM, Graph  # noqa: E402

SPARSE = "cuda_sparse"
OTHERS = ("cuda_blocked", "cpu")
VARIANT = "auto"
LARGE = 20000  # vertices from which on all other programs take too long
GRAPHS = (*(Graph(RANDOM, vertices, edges)
            for vertices, edges in ((1000, 20000), (5000, 500000), (5000, 30000), (5000, 2500),
                                    (12500, 3125000), (12500, 81250), (12500, 6250))),
          Graph("grid", 10000), Graph("road", 13000), Graph("power-law", 12500),
          Graph("ring", 10000), Graph(RANDOM, 65536, 655360))


def run(options: argparse.Namespace) -> None:
    out_csv = options.out / "sparse.csv"
    programs = {name: options.bin / name for name in (SPARSE, *OTHERS)}
    check_programs(options.bin, (*programs, GENERATOR))
    options.out.mkdir(parents=True, exist_ok=True)
    out_csv.unlink(missing_ok=True)
    record_environment(options.bin, programs, options.out / "sparse_environment.json")
    with tempfile.TemporaryDirectory() as work:
        for graph in GRAPHS:
            if graph.vertices > options.max_v:
                continue
            path = Path(work) / graph.name
            graph.write(options.bin, path)
            print(f"{graph.name}:", flush=True)
            large = graph.vertices >= LARGE
            for predecessors in ((True,) if large else (True, False)):
                measure(options.bin, SPARSE, VARIANT, graph.vertices, predecessors, path, out_csv,
                        1 if large else options.repeat)
            for program in () if large else OTHERS:
                measure(options.bin, program, VARIANT, graph.vertices, True, path, out_csv,
                        options.repeat)
            path.unlink()
    print(f"{out_csv}: every row proved")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="bench_sparse.py",
                                     description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--max-v", type=int, default=sys.maxsize, metavar="V",
                        help="only graphs of up to so many vertices")
    parser.add_argument("--repeat", type=int, default=5, metavar="N",
                        help="repetitions of every solve; medians count (5)")
    return main_of(parser, "sparse.csv", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
