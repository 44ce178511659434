#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the most memory that apsp.shortest_path holds for a dense array of float64, over the size
of its answer. Linux only. Needs NumPy, and the Python package of this tree (PYTHONPATH=python).

    python_memory.py [N [ENGINE]]

Each kind of weights has a process of its own. It makes the array, solves a part of it, so that the
library and its threads are there, and sets the kernel's peak back (/proc/self/clear_refs). The figure
is the peak of the resident memory (VmHWM) after the call, less what was resident before it (VmRSS):
the array does not count, the answer does.
"""

import subprocess
import sys
import time

import numpy

import apsp

KINDS = ("integral", "real")
RESET_PEAK = "5"  # proc(5)


def resident(field):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def measure(kind, n, engine):
    rng = numpy.random.default_rng(1)
    weights = numpy.empty((n, n))
    for row in weights:  # no second array of the same size
        row[:] = rng.integers(1, 1000, n) if kind == "integral" else rng.random(n)
    apsp.shortest_path(weights[:300, :300].copy(), engine=engine)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write(RESET_PEAK)
    before, start = resident("VmRSS"), time.monotonic()
    answer = apsp.shortest_path(weights, engine=engine)
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
