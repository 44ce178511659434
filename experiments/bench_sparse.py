#!/usr/bin/env python3
"""Times cuda_sparse beside the other solvers on graphs of few edges, shallow and deep.

    make bench-sparse
    python3 experiments/bench_sparse.py --help

Random graphs of the thesis's sizes (graphgen's fixed seed), graphs of other shapes (shapes.py), and
one whose matrices have 2^32 cells. For each, solves by cuda_sparse, with and without predecessors,
and by cuda_blocked and cpu with them; every result is proved. Rows are those of the solvers' own
--csv; thesis_tables/sparse.py makes the table of them. A result that is refuted, or a solver that
fails, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments import shapes  # noqa: E402 (found by the line above)
from experiments.bench import (  # noqa: E402
    GENERATOR, SEED, check_programs, main_of, record_environment, run_program)
from experiments.bench_gpu import measure  # noqa: E402

SPARSE = "cuda_sparse"
OTHERS = ("cuda_blocked", "cpu")
VARIANT = "auto"
LARGE = 20000  # vertices from which on the others take too long


@dataclasses.dataclass(frozen=True)
class Graph:
    """A random graph, or one of a shape."""

    vertices: int
    edges: int = 0
    shape: str = ""

    @property
    def name(self) -> str:
        return f"{self.shape}_V{self.vertices}" if self.shape else f"V{self.vertices}_E{self.edges}"

    def write(self, bin_dir: Path, path: Path) -> None:
        if self.shape:
            shapes.write(self.shape, self.vertices, path)
        else:
            run_program(bin_dir / GENERATOR, "--v", self.vertices, "--edges", self.edges,
                        "--seed", SEED, "-o", path)


GRAPHS = (Graph(1000, 20000), Graph(5000, 500000), Graph(5000, 30000), Graph(5000, 2500),
          Graph(12500, 3125000), Graph(12500, 81250), Graph(12500, 6250),
          Graph(10000, shape="grid"), Graph(13000, shape="road"),
          Graph(12500, shape="power-law"), Graph(10000, shape="ring"), Graph(65536, 655360))


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
