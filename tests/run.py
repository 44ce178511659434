#!/usr/bin/env python3
"""Runs all tests and ends with one line that counts them.

Usage: tests/run.py COMMAND...
       tests/run.py --suite DIRECTORY    one Python suite alone

Every COMMAND is a test program with its arguments, which ends its output with a line
"N passed, N failed, N skipped"; beside them run the Python suites: the
end-to-end tests and, but for builds with sanitizers, the tests of the
experiments and tables.
"""

import os
import re
import shlex
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_SUITE = "tests/e2e"
# Of Python, of which sanitizers have nothing to say.
OTHER_SUITES = ("tests/experiments", "tests/thesis_tables")
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")


def start_program(command):
    """Runs a test program to its end."""
    return subprocess.run(shlex.split(command), stdout=subprocess.PIPE, text=True, check=False)


def count_program(command, done):
    """Shows what a test program printed, returns its counts."""
    program, *arguments = shlex.split(command)
    print("---", os.path.basename(program), *arguments, flush=True)
    lines = done.stdout.strip().splitlines()
    counts = COUNTS.match(lines[-1]) if lines else None
    print("\n".join(lines), flush=True)
    if counts is None:
        print(f"{command} ended with status {done.returncode} and without counting")
        return (0, 1, 0)
    passed, failed, skipped = (int(count) for count in counts.groups())
    if done.returncode != 0 and failed == 0:
        failed = 1  # a sanitizer's complaint at exit, for instance
    return (passed, failed, skipped)


def run_suite(directory):
    """Runs the unittest suites below a directory, returns their counts."""
    print(f"--- {directory}", flush=True)
    folder = os.path.join(ROOT, directory)
    suite = unittest.TestLoader().discover(folder, top_level_dir=folder)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    # A test with several failing subtests is one failed test.
    failures = [getattr(test, "test_case", test) for test, _ in result.failures + result.errors]
    failed = len({test.id() for test in failures}) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    return (max(0, result.testsRun - failed - skipped), failed, skipped)


def tell(passed, failed, skipped):
    """Prints the line that COUNTS reads, returns the exit status."""
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def main(commands):
    # Threads that spin while they wait slow down whatever else runs.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if os.environ.get("APSP_SANITIZED", "0") == "0":
        this = [sys.executable, os.path.abspath(__file__)]
        commands = commands + [shlex.join([*this, "--suite", suite]) for suite in OTHER_SUITES]
    with ThreadPoolExecutor(max_workers=2) as beside:
        running = [(command, beside.submit(start_program, command)) for command in commands]
        counts = [run_suite(LONGEST_SUITE)]
        counts += [count_program(command, done.result()) for command, done in running]
    return tell(*(sum(column) for column in zip(*counts)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--suite"]:
        sys.exit(tell(*run_suite(sys.argv[2])))
    sys.exit(main(sys.argv[1:]))
