#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the clang static analyzer over C sources, as many at the same time as there are processors,
and ends with status 1 where it finds something that EXPLAINED does not explain.

Usage: analyze.py [-FLAG]... SOURCE...

The flags are the compiler's. What is found is told as clang tells it.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# Not asked for: a variable that only a clause of an OpenMP pragma uses counts as never read
# (deadcode.DeadStores); bytes are allocated for what has another type (unix.MallocSizeof).
LEFT_OUT = "deadcode.DeadStores,unix.MallocSizeof"
# A path through a function is followed so far, which takes a minute of a processor for all.
MAX_NODES = 60000

FINDING = re.compile(r"^(?:\./)?(\S+?):\d+:\d+: (?:warning|error): (.*)$", re.MULTILINE)

# Where, the beginning of what is found, and why it is none.
EXPLAINED = (
    ("common/graph/matrix.h", "Access to field 'cell' results in a dereference of a null pointer",
     "row_is_sound() was given no predecessors, so that refute_entry() is not asked for one: the "
     "analyzer does not see that both look at the same cells"),
    ("common/graph/graph.c", "Attempt to free released memory",
     "graph_free() leaves null pointers, which the analyzer loses track of"),
    ("measures/measures_kernels.c", "Array subscript is undefined",
     "the width of a tile is the same for both loops, and a multiple of the lanes"),
    ("measures/lane_totals_kernels.c", "Array subscript is undefined",
     "lanes are a multiple of those of a vector, and all labels have a cell"),
    ("cpu/parts/predecessors.c", "Null pointer passed to 1st parameter expecting 'nonnull'",
     "ranks_agree() returns STATUS_OK only if no process has failed, this one among them"),
    ("cpu/parts/predecessors.c", "Array access (from variable 'flag') results in a null pointer",
     "the same"),
    ("apsp/calibrate.c", "The left operand of '-' is a garbage value",
     "measure_engine() fills `best` where its status is STATUS_OK"),
    ("engines/cpu_auto.c", "The right operand of '*' is a garbage value",
     "features are filled where task->potential is NULL, which solve() does not change"),
    ("elimination/structure.c", "Array access (via field 'higher')",
     "memory_alloc() gives memory wherever its status is STATUS_OK"),
    ("libapsp/apsp.c", "Access to field 'max_tile' results in a dereference of a null pointer",
     "an engine of the table has a variant"),
    ("libapsp/apsp.c", "1st function call argument is an uninitialized value",
     "certify_reporting() fills what it refutes with where its status is STATUS_REFUTED"),
    ("libapsp/apsp.c", "Null pointer passed to 2nd parameter expecting 'nonnull'",
     "potentials_find() names a cycle where its status is STATUS_NEGATIVE_CYCLE"),
)


def explained(path, what):
    return any(path == where and what.startswith(beginning) for where, beginning, _ in EXPLAINED)


def analyze(flags, source):
    """Returns what clang says about a source, and whether something in it is not explained."""
    done = subprocess.run(
        ["clang", "--analyze", "--analyzer-output", "text", "-Xclang",
         "-analyzer-disable-checker=" + LEFT_OUT, "-Xclang", "-analyzer-config",
         "-Xclang", "max-nodes=%d" % MAX_NODES, *flags, source],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    found = FINDING.findall(done.stdout)
    return done.stdout, (done.returncode != 0 or
                         any(not explained(path, what) for path, what in found))


def main(arguments):
    flags = [word for word in arguments if word.startswith("-")]
    sources = [word for word in arguments if not word.startswith("-")]
    wrong = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as beside:
        for said, is_wrong in beside.map(lambda source: analyze(flags, source), sources):
            if is_wrong:
                print(said, end="")
                wrong += 1
    if wrong:
        print("clang's analyzer: something was found in %d of %d sources; what is no mistake is "
              "explained in tests/analyze.py" % (wrong, len(sources)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
