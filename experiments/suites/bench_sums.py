#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times sums of all rows (`apsp --measures --omit harmonic,histogram`) beside what the plan says of them.

    python3 experiments/suites/bench_sums.py [--threads T]... [--turns K] [--check] [--out DIR] GRAPH...

Of each graph, number of threads and turn, writes a row of sums.csv: the plan's seconds, those of the solve and of the
program by the clock, and those of its processors, which tell more on a machine that does other things as well; and the
sum of all distances, by which runs of two versions can be compared. `plan_over_truth` divides the plan's seconds by
the clock's of the solve or, of one thread, by the processor's, from which reading is taken.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APSP = ROOT / "bin" / "apsp"
COLUMNS = ("graph", "vertices", "edges", "fill", "height", "core", "threads", "proved", "turn", "engine", "plan_s",
           "order_s", "eliminate_s", "sweep_s", "solve_s", "processor_s", "whole_s", "plan_over_truth",
           "distance_sum", "load", "instructions", "host")
SUMS = ("--omit", "harmonic,histogram", "--json")


def host() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} cores"
    return f"{os.cpu_count()} cores"


def run(*arguments: str) -> dict[str, object]:
    done = subprocess.run([str(APSP), *arguments], check=True, stdout=subprocess.PIPE, text=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def measure(graph: Path, threads: int, turn: int, check: bool) -> dict[str, object]:
    common = [str(graph), "-t", str(threads), *SUMS, *(["--check"] if check else [])]
    plan = run("--plan", "--measures", *common)
    first = plan["engines"][0]  # type: ignore[index]
    with tempfile.TemporaryDirectory() as folder:
        load, started = os.getloadavg()[0], time.perf_counter()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        solved = run(f"--measures={folder}/sums", *common)
        whole = time.perf_counter() - started
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    planned = first["solve_s"] + first["check_s"]
    solve = solved["solve_s"]
    phases = solved.get("phases") or {}
    truth = processor - first["read_s"] if threads == 1 else solve
    measures = solved.get("measures") or {}
    return dict(zip(COLUMNS, (
        graph.name, plan["vertices"], plan["edges"], plan["fill"], plan["height"], plan["core"], threads, int(check),
        turn, first["engine"], "%.4g" % planned,
        *("%.4g" % phases[key] if phases.get(key) is not None else "" for key in ("order_s", "eliminate_s", "sweep_s")),
        "%.4g" % solve, "%.4g" % processor, "%.4g" % whole, "%.3g" % (planned / truth),
        measures.get("wiener_index", measures.get("sum", "")), "%.3g" % load, plan["instructions"], host())))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("graphs", type=Path, nargs="+", metavar="GRAPH")
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="prove the sums")
    parser.add_argument("--out", type=Path, default=ROOT / "experiments" / "out")
    wanted = parser.parse_args(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    with open(wanted.out / "sums.csv", "w", newline="", encoding="ascii") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for turn in range(1, wanted.turns + 1):
            for graph in wanted.graphs:
                for threads in wanted.threads or [1]:
                    row = measure(graph, threads, turn, wanted.check)
                    table.writerow(row)
                    file.flush()
                    print(",".join(str(row[column]) for column in COLUMNS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
