#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the fuzz harnesses, or measures what their inputs cover.

Usage: run.py fuzz --bin DIR --corpus DIR --seconds S TARGET...
       run.py night --bin DIR --corpus DIR --hours H TARGET...
       run.py coverage --bin DIR --corpus DIR TARGET...

`fuzz` runs every harness for S seconds, as many at the same time as there are
processors, from the committed inputs in tests/fuzz/corpus and those that earlier
runs left in the --corpus directory, prints one line for each, and exits 1 if
one found something; the input is kept as finding-* in the --corpus directory.

`night` does it for H hours in all, and then leaves of each harness's inputs in
the --corpus directory those that reach something which no other one does.

`coverage` runs all those inputs once through harnesses that are built with
coverage, prints which share of the readers' lines they reach, and exits 1 if
it is less than 95 %.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# The sources of the readers, and the functions in them that read nothing.
READERS = {
    "common/graph/graph_io.c": (),
    "common/graph/readers_plain.c": (),
    "common/graph/readers_gr.c": (),
    "common/graph/readers_mtx.c": (),
    "common/graph/readers_table.c": (),
    "common/graph/readers_metis.c": (),
    "common/graph/graph.c": ("graph_reverse", "graph_find_edge", "graph_to_rows", "graph_to_matrices"),
    "common/base/text_source.c": (),
    "common/rows/result_io.c": ("result_alloc", "result_describe", "result_memory_to_write"),
    "common/rows/result_text.c": ("format_rows", "write_in_turn", "rows_at_once", "threads_for",
                                  "result_text_memory", "write_matrix", "write_head", "write_list",
                                  "write_limit", "write_provenance", "result_write_text"),
    "common/rows/result_npy.c": ("npy_head", "npy_head_of", "npy_head_of_vector", "sidecar_write",
                                 "result_write_npy"),
    "measures/read.c": ("measures_are_meant", "exists"),
    "measures/compare.c": (),
    "measures/csv.c": (),
}
# Bytes, 512 elsewhere: the first two refuse what is too long, the others are longer when right.
LONGEST_INPUT = {"graph": 4600, "result_json": 8200, "measures_csv": 1000, "measures_json": 1600}
STATISTIC = re.compile(r"^stat::(\w+):\s+(\d+)", re.MULTILINE)
COVERED = re.compile(r"\bcov: (\d+)")
# A function, its regions (all, missed, share), its lines (all, missed, share).
FUNCTION = re.compile(r"^(\S+) +\d+ +\d+ +[\d.]+% +(\d+) +(\d+) +[\d.]+%", re.MULTILINE)


def corpora(options, target):
    """The directories with inputs of a harness; the first is written to."""
    grown = os.path.join(options.corpus, target)
    os.makedirs(grown, exist_ok=True)
    return [grown, os.path.join(HERE, "corpus", target)]


def command(options, target, *flags):
    return [os.path.join(options.bin, target), "-max_len=%d" % LONGEST_INPUT.get(target, 512),
            *flags,
            *corpora(options, target)]


def processors():
    return len(os.sched_getaffinity(0))


def fuzz_one(options, target):
    return subprocess.run(
        command(options, target, "-max_total_time=%d" % options.seconds, "-timeout=10",
                "-print_final_stats=1", "-seed=%d" % options.seed, "-dict=" + os.path.join(HERE, "words.dict"),
                "-artifact_prefix=%s/finding-%s-" % (options.corpus, target)),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        check=False)


def fuzz(options):
    """Returns the number of harnesses that found something."""
    findings, total = 0, 0
    beside = ThreadPoolExecutor(processors())
    runs = beside.map(lambda target: fuzz_one(options, target), options.targets)
    for target, done in zip(options.targets, runs):
        statistics = dict(STATISTIC.findall(done.stdout))
        executed = int(statistics.get("number_of_executed_units", 0))
        edges = COVERED.findall(done.stdout)
        total += executed
        print("%-12s %11d executions, %6s edges reached, %s"
              % (target, executed, edges[-1] if edges else "?",
                 "nothing found" if done.returncode == 0 else "FOUND SOMETHING"), flush=True)
        if done.returncode != 0:
            findings += 1
            print(done.stdout[-4000:], flush=True)
    print("%d executions, %d of %d harnesses found something"
          % (total, findings, len(options.targets)))
    return findings


def minimise(options, target):
    """Leaves of what the harness has kept what it needs to reach all that it reaches."""
    grown = corpora(options, target)[0]
    least = grown + ".least"
    shutil.rmtree(least, ignore_errors=True)
    os.makedirs(least)
    before = len(os.listdir(grown))
    subprocess.run([os.path.join(options.bin, target), "-merge=1",
                    "-max_len=%d" % LONGEST_INPUT.get(target, 512), least,
                    *corpora(options, target)[::-1]],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(grown)
    os.rename(least, grown)
    print("%-12s %6d inputs kept of %d and the committed ones"
          % (target, len(os.listdir(grown)), before), flush=True)


def night(options):
    """Returns the number of harnesses that found something."""
    options.seconds = max(1, int(options.hours * 3600 * processors() / len(options.targets)))
    findings = fuzz(options)
    with ThreadPoolExecutor(processors()) as beside:
        list(beside.map(lambda target: minimise(options, target), options.targets))
    return findings


def coverage(options):
    """Returns the number of sources of which less than 95 % of lines is reached."""
    profiles, little = [], 0
    for target in options.targets:
        profile = os.path.join(options.corpus, target + ".profraw")
        subprocess.run(command(options, target, "-runs=0"), check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=dict(os.environ, LLVM_PROFILE_FILE=profile))
        profiles.append(profile)
    merged = os.path.join(options.corpus, "all.profdata")
    subprocess.run(["llvm-profdata", "merge", "-o", merged, *profiles], check=True)
    binaries = [os.path.join(options.bin, target) for target in options.targets]
    arguments = ["-instr-profile=" + merged, binaries[0]]
    arguments += [word for binary in binaries[1:] for word in ("-object", binary)]
    if options.lines:
        subprocess.run(["llvm-cov", "show", *arguments, *READERS], check=True, cwd=ROOT)
        return 0
    for source, left_out in READERS.items():
        report = subprocess.run(["llvm-cov", "report", "-show-functions", *arguments, source],
                                check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
        functions = {name.rpartition(":")[2]: (int(lines), int(missed))
                     for name, lines, missed in FUNCTION.findall(report)}
        for name in left_out + ("TOTAL",):
            if functions.pop(name, None) is None:
                sys.exit("run.py: %s has no function %s, which READERS leaves out" % (source, name))
        # A parallel region is a function of its own, named after where it stands.
        counted = [counts for name, counts in functions.items() if not name.startswith(".omp")]
        lines, missed = (sum(column) for column in zip(*counted))
        reached = 100 * (lines - missed) / lines
        little += reached < 95
        print("%-24s %4d lines read something, %4d reached, %5.1f %%"
              % (source, lines, lines - missed, reached))
    return little


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("action", choices=("fuzz", "night", "coverage"))
    parser.add_argument("--bin", required=True, type=os.path.abspath, help="where the harnesses are")
    parser.add_argument("--corpus", required=True, type=os.path.abspath, help="where inputs are kept between runs")
    parser.add_argument("--seconds", type=int, default=60, help="for each harness")
    parser.add_argument("--seed", type=int, default=0, help="of what is tried; 0: another each time")
    parser.add_argument("--hours", type=float, default=8, help="for all harnesses")
    parser.add_argument("--lines", action="store_true", help="the sources, not the table")
    parser.add_argument("targets", nargs="+")
    options = parser.parse_args()
    return 1 if {"fuzz": fuzz, "night": night, "coverage": coverage}[options.action](options) else 0


if __name__ == "__main__":
    sys.exit(main())
