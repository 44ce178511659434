#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no file includes or imports from a room above its own.

Usage: tests/rooms.py

ROOMS is the plan of the house: each room with the rooms that it may use, itself included. Tests may
use everything. Prints one line for each include or import that the plan does not allow.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

BASE = ["common/base"]
GRAPH = [*BASE, "common/graph"]
RANKS = [*BASE, "common/ranks"]
ROWS = [*GRAPH, *RANKS, "common/rows"]
CERTIFICATE = [*GRAPH, "common/certificate"]
SOLVE = [*GRAPH, *RANKS, "common/solve"]
CUDA = [*BASE, "common/gpu/gpu_error.h", "common/gpu/launch.cuh", "common/gpu/flags.cuh"]  # calls, launches, atomics
TOTALS = ["common/gpu/totals.h", "common/gpu/totals.cuh"]  # of measures
GPU = [*SOLVE, *CUDA, "common/gpu"]
CLI = [*GPU, "common/rows", "common/certificate", "common/cli"]
ENGINES = ["cpu", "cuda_simple", "cuda_blocked", "cuda_sparse"]
PUBLISHED = ["thesis_tables/published"]
CONTEST = ["contest/parts", "contest/prefix_sum", "contest/softmax"]
EXPERIMENTS = [*PUBLISHED, "experiments"]

ROOMS = {
    "common": [],  # scripts
    "common/base": BASE,
    "common/graph": GRAPH,
    "common/ranks": RANKS,
    "common/rows": ROWS,
    "common/certificate": CERTIFICATE,  # shares the loader with the solvers and nothing else
    "common/solve": SOLVE,
    "common/gpu/gpu_error.h": CUDA,
    "common/gpu/launch.cuh": CUDA,
    "common/gpu/flags.cuh": [],
    "common/gpu/totals.h": BASE,
    "common/gpu/totals.cuh": [*GRAPH, *CUDA, *TOTALS],
    "common/gpu": [*GPU, *TOTALS, "common/gpu_proof"],
    # nothing of the solvers either: totals are what measures need of what is proved
    "common/gpu_proof": [*GRAPH, *CUDA, *TOTALS, "common/certificate", "common/gpu_proof"],
    "common/gpu_labels": [*GPU, "common/gpu_labels"],  # label correcting, and refining by it
    "common/cli": CLI,
    "dissection": [*SOLVE, *CUDA, "common/certificate", "common/gpu_proof", "dissection"],
    "cpu/parts": [*SOLVE, "cpu/parts"],
    "cpu": [*CLI, "dissection", "cpu/parts", "cpu"],
    "cuda_simple": [*CLI, "common/gpu_labels", "cuda_simple"],
    "cuda_blocked/parts": [*GPU, "cuda_blocked/parts"],
    "cuda_blocked": [*CLI, "common/gpu_labels", "common/gpu_proof", "cuda_blocked/parts", "cuda_blocked"],
    # cuda_blocked closes what is dense
    "cuda_sparse/parts": [*GPU, *TOTALS, "common/gpu_proof", "dissection", "cuda_blocked", "cuda_sparse/parts"],
    "cuda_sparse": [*CLI, "common/gpu_labels", "common/gpu_proof", "dissection", "cuda_blocked", "cuda_sparse/parts",
                    "cuda_sparse"],
    "apsp": [*CLI, *ENGINES, "cpu/parts", "dissection", "apsp"],
    "libapsp": [*GPU, "common/rows", "common/certificate", *ENGINES, "dissection", "apsp",
                "libapsp"],
    "contest/parts": [*CLI, "contest/parts"],
    "contest/prefix_sum": [*CLI, "contest/parts", "contest/prefix_sum"],
    "contest/softmax": [*CLI, "contest/parts", "contest/softmax"],
    "graphgen": [*CLI, "graphgen"],
    "verify": [*CLI, "cpu", "dissection", "verify"],
    "query": [*CLI, "dissection", "query"],
    "docs/examples": [],
    "docs/pictures": [],
    "python": ["python"],
    "thesis_tables/published": PUBLISHED,
    "experiments": [*EXPERIMENTS, *CLI, "cpu/parts", *CONTEST],
    "thesis_tables": [*EXPERIMENTS, "thesis_tables"],
}

INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"')
IMPORT = re.compile(r"^\s*(?:from|import) ((?:experiments|thesis_tables|tests)\b[\w.]*)"
                    r"(?: import (\w+))?")


def room_of(path):
    """The room of a file or module: the longest that its path begins with."""
    rooms = [room for room in ROOMS if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def used_by(path):
    """(line number, path) of everything of ours that a file includes or imports."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            found = (IMPORT if path.endswith(".py") else INCLUDE).match(line)
            if found and path.endswith(".py"):
                yield number, "/".join(filter(None, (found[1].replace(".", "/"), found[2])))
            elif found:
                yield number, found[1]


def climbs(path):
    """What is wrong with a file's includes, a line each."""
    room = room_of(path)
    if room is None:
        return ["%s: expected a file in one of the rooms of tests/rooms.py" % path]
    return ["%s:%d: %s may not use %s" % (path, number, room, used)
            for number, used in used_by(path)
            if "/" in used and room_of(used) not in ROOMS[room]]


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.c", "*.h", "*.cu",
         "*.cuh", "*.cpp", "*.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    paths = [path for path in listed.stdout.splitlines()
             if not path.startswith("tests/") and os.path.exists(os.path.join(ROOT, path))]
    wrong = [line for path in paths for line in climbs(path)]
    print("\n".join(wrong) if wrong else "", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
