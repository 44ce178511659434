#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the most memory that apsp.shortest_path holds for a dense array, over the size of its
answer, which has the array's type. Linux only. Needs NumPy, and the Python package of this tree (PYTHONPATH=python).

    python_memory.py [N [ENGINE]]

Weights are integers or real numbers of float64; real numbers of float32; and distances between points
of the plane, where each edge is a shortest path, so that none can be left out; of float32 too; and the
same of numbers that differ from one direction to the other. Each kind has a process of its own. It
makes the array, solves a part of it, so that the library and its threads are there, and sets the
kernel's peak back (/proc/self/clear_refs). The figure is the peak of the resident memory (VmHWM) after
the call, less what was resident before it (VmRSS): the array does not count, the answer does.
"""

import subprocess
import sys
import time

import numpy

import apsp

KINDS = ("integral", "real", "float32", "metric", "metric32", "directed")
RESET_PEAK = "5"  # written to /proc/self/clear_refs, it resets the peak (proc(5))


def resident(field):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def weights_of(kind, n):
    rng = numpy.random.default_rng(1)
    weights = numpy.empty((n, n), dtype="float32" if kind.endswith("32") else "float64")
    points = rng.random((n, 2))
    for v, row in enumerate(weights):  # row by row, so that there is no second array of this size
        if kind.startswith("metric"):
            row[:] = numpy.hypot(*(points - points[v]).T)
        elif kind == "directed":
            row[:] = 1 + rng.random(n)  # weights of 1 .. 2: two edges weigh no less than one
        else:
            row[:] = rng.integers(1, 1000, n) if kind == "integral" else rng.random(n)
    return weights


def measure(kind, n, engine):
    weights = weights_of(kind, n)
    how = {"engine": engine, "dtype": weights.dtype}
    apsp.shortest_path(weights[:300, :300].copy(), **how)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write(RESET_PEAK)
    before, start = resident("VmRSS"), time.monotonic()
    answer = apsp.shortest_path(weights, **how)
    seconds = time.monotonic() - start
    print(f"{kind}, n = {n}: {(resident('VmHWM') - before) / answer.nbytes:.2f} x its answer, {seconds:.1f} s",
          flush=True)


def main():
    if len(sys.argv) > 1 and sys.argv[1] in KINDS:
        measure(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
        return
    arguments = sys.argv[1:] or ["4000"]
    for kind in KINDS:
        subprocess.run([sys.executable, sys.argv[0], kind] + arguments, check=True)


if __name__ == "__main__":
    main()
