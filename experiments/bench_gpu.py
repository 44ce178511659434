#!/usr/bin/env python3
"""Times every GPU variant at the reports' sizes, each result proved in the same run.

    make bench-gpu                       all variants, V = 1000 ... 12500, 2 % of all edges
    python3 experiments/bench_gpu.py --help

For each size one graph (graphgen's fixed seed), for each variant two solves, without and with
predecessors, several repetitions each; `--check` proves the output of the last repetition before
its times count. Rows are those of the solvers' own --csv. thesis_tables/ladder.py turns them into
the ladder table. A variant that fails, or whose result is refuted, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from experiments import environment  # noqa: E402 (found by the line above)

SIZES = (1000, 2500, 5000, 7500, 10000, 12500)  # the reports' and the thesis's largest
SEED = 2017
PROGRAMS = ("cuda_simple", "cuda_blocked")
BAD_INPUT = 2
NO_RESOURCE = 4


def variants(binary: Path) -> list[str]:
    listing = subprocess.run([binary, "--list-variants"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    return [line.split()[0] for line in listing.splitlines()]


def measure(bin_dir: Path, program: str, variant: str, vertices: int, predecessors: bool,
            graph: Path, out_csv: Path, repetitions: int) -> bool:
    """One solve; False where the variant cannot give predecessors."""
    command = [bin_dir / program, "--variant", variant, "--repeat", str(repetitions), "--check",
               "--csv", out_csv, "-o", "/dev/null", graph.name]
    if not predecessors:
        command.append("--distances-only")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, cwd=graph.parent)
    if done.returncode == BAD_INPUT and predecessors and "computes no predecessors" in done.stderr:
        return False
    if done.returncode != 0:
        print(f"bench_gpu.py: {program} {variant} V={vertices}: {done.stderr.strip()}",
              file=sys.stderr)
        sys.exit(NO_RESOURCE if done.returncode == NO_RESOURCE else 1)
    seconds = next(float(line.split()[1]) for line in done.stdout.splitlines()
                   if line.startswith("solve_s"))
    print(f"{program:13} {variant:8} V={vertices:<6} {'D+P' if predecessors else 'D  '} "
          f"{seconds * 1e3:10.3f} ms  {vertices**3 / seconds / 1e12:7.3f} T/s  proved", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "bin", metavar="DIR")
    parser.add_argument("--out", type=Path, default=ROOT / "experiments" / "out", metavar="DIR")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="V")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    out_csv = options.out / "ladder.csv"
    out_csv.unlink(missing_ok=True)
    builds = {name: {"build": environment.build_id(options.bin / name), "unavailable": None}
              for name in PROGRAMS}
    record = environment.collect(options.bin, builds)
    (options.out / "ladder_environment.json").write_text(
        json.dumps({"environments": [record]}, indent=2) + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as work:
        for vertices in options.sizes:
            graph = Path(work) / f"V{vertices}_2%"
            subprocess.run([options.bin / "graphgen", "--v", str(vertices), "--density", "2%",
                            "--seed", str(SEED), "-o", graph], check=True)
            for program in PROGRAMS:
                for variant in variants(options.bin / program):
                    for predecessors in (False, True):
                        measure(options.bin, program, variant, vertices, predecessors, graph,
                                out_csv, options.repeat)
            graph.unlink()
    print(f"{out_csv}: every row proved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
