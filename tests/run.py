#!/usr/bin/env python3
"""Runs all tests and ends with one line that counts them.

Usage: tests/run.py PROGRAM...

Every PROGRAM is a test program that ends its output with a line
"N passed, N failed, N skipped"; after them come the Python suites: the
end-to-end tests and the tests of the experiments and tables.
"""

import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUITES = ("tests/e2e", "experiments", "thesis_tables")
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")


def run_program(path):
    """Runs a test program, shows its output, returns its counts."""
    print(f"--- {os.path.basename(path)}", flush=True)
    done = subprocess.run([path], stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    counts = COUNTS.match(lines[-1]) if lines else None
    print("\n".join(lines), flush=True)
    if counts is None:
        print(f"{path} ended with status {done.returncode} and without counting")
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


def main(programs):
    counts = [run_program(program) for program in programs]
    for directory in SUITES:
        counts.append(run_suite(directory))
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
