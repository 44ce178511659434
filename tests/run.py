#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all tests and ends with one line that counts them.

Usage: tests/run.py COMMAND...
       tests/run.py --suite DIRECTORY [MODULE...]   one Python suite alone, or some modules of it

Every COMMAND is a test program with its arguments, which ends its output with a line
"N passed, N failed, N skipped"; beside them run the modules of the end-to-end tests, each in a
process of its own, and, but for builds with sanitizers, the tests of the experiments and tables.
One more runs at the same time than there are processors: tests also wait, for files, for one another
or for time to pass. What one prints is shown as a whole when it has ended, with the processor time
that it took, and why tests were skipped. A run in which nothing passed fails. APSP_TEST_TIMES=N, in
the environment, shows the N tests of each Python suite that took the most; APSP_MODULES="NAME ..."
runs these modules only, "-NAME ..." all but these. Where the programs are is read from APSP_SETTINGS, a
file that `make test-programs` writes, if that is not set from the one that was written last.
"""

import collections
import glob
import os
import re
import resource
import shlex
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
END_TO_END = "tests/e2e"
# Suites of Python, of which sanitizers have nothing to say.
OTHER_SUITES = ("tests/experiments", "tests/thesis_tables")
# Run with programs of small blocks (common/base/block_sizes.h): what is about files and answers. Others
# look at memory, times or single calls.
SMALL = ("test_formats", "test_index", "test_layouts", "test_limit", "test_loader", "test_measures",
         "test_numbering", "test_real", "test_resume", "test_verify")
# Begun first, so that nothing long is left for the end; what is not named is short.
LONGEST = ("test_packaging", "test_gpu_ranks", "test_injected_io", "test_formats", "test_real", "test_memory",
           "test_ranks", "test_apsp", "test_faults", "test_betweenness", "test_bench_cpu", "test_docs",
           "test_device_loss", "test_wheel", "test_networkx_backend", "test_python", "test_python_functions",
           "test_measures", "test_install", "test_verify", "test_run", "test_loader")
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")
SKIPPED = re.compile(r"^skipped: ([^:]+): (.+)$", re.MULTILINE)  # a module, or tests of a program; why
NOTHING = 3  # exit status: no test failed, none passed


def settings(directory=END_TO_END):
    """Returns what `make test-programs` says of its programs, which must be there for tests that run
    them."""
    path = os.environ.get("APSP_SETTINGS")
    if path is None:
        written = glob.glob(os.path.join(ROOT, "build/*/tests/settings"))
        if not written and directory != END_TO_END:
            return {}
        if not written:
            sys.exit("tests/run.py: expected programs to test, found none: run make test-programs")
        path = max(written, key=os.path.getmtime)
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file)


def run_command(command):
    """Runs a test program to its end; returns its status, its output and its processor time."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, used.ru_utime + used.ru_stime


def name_of(command):
    """A command without the folders and the Python that it is run with."""
    words = command[2:] if command[:1] == [sys.executable] else command
    return " ".join([os.path.basename(words[0]), *words[1:]])


def count(command, status, output, seconds):
    """Shows what a test program printed, returns its counts."""
    print(f"--- {name_of(command)} ({seconds:.1f} s of processor time)", flush=True)
    lines = output.strip().splitlines()
    counts = COUNTS.match(lines[-1]) if lines else None
    print("\n".join(lines), flush=True)
    if counts is None:
        where = [(re.findall(rf"^ *{what}: (.*?)(?: \.\.\.|$)", output, re.MULTILINE) or ["?"])[-1]
                 for what in ("Suite", "Test")]
        print(f"{name_of(command)} ended with status {status} and without counting, in "
              + ": ".join(where))
        return (0, 1, 0)
    passed, failed, skipped = (int(number) for number in counts.groups())
    if status not in (0, NOTHING) and failed == 0:
        failed = 1  # a sanitizer's complaint at exit, for instance
    return (passed, failed, skipped)


def processor_time():
    """That of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


class TimedResult(unittest.TextTestResult):
    """Notes what every test takes."""

    def __init__(self, *args):
        super().__init__(*args)
        self.started = 0
        self.times = []

    def startTest(self, test):
        self.started = processor_time()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.times.append((processor_time() - self.started, test.id()))


def run_suite(directory, module="test*"):
    """Runs the unittest suites below a directory, returns their counts."""
    folder = os.path.join(ROOT, directory)
    known = settings(directory)
    if module in SMALL:
        known["APSP_BIN"] = known["APSP_SMALL_BIN"]
    for name, value in known.items():
        os.environ.setdefault(name, value)
    suite = unittest.TestLoader().discover(folder, pattern=module + ".py", top_level_dir=folder)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2,
                                     resultclass=TimedResult).run(suite)
    shown = int(os.environ.get("APSP_TEST_TIMES", "0"))
    for seconds, test in sorted(result.times, reverse=True)[:shown]:
        print(f"{seconds:7.2f} s of processor time: {test}")
    # A test with several failing subtests is one failed test.
    failures = [getattr(test, "test_case", test) for test, _ in result.failures + result.errors]
    failed = len({test.id() for test in failures}) + len(result.unexpectedSuccesses)
    for test, reason in result.skipped:
        # The name is also that of a module or a class as a whole, which unittest gives names of its
        # own.
        print(f"skipped: {re.search(r'test_[a-z_0-9]+', test.id())[0]}: {' '.join(reason.split())}")
    skipped = len(result.skipped)
    return (max(0, result.testsRun - failed - skipped), failed, skipped)


def run_modules(directory, *modules):
    """Runs one suite, or some modules of it one after the other, each in a process of its own: they have
    different programs. Returns the exit status."""
    if len(modules) < 2:
        return tell(*run_suite(directory, *modules))
    this = [sys.executable, os.path.abspath(__file__), "--suite", directory]
    counts = [count(command, *run_command(command)) for command in ([*this, module] for module in modules)]
    return tell(*(sum(column) for column in zip(*counts)))


def tell(passed, failed, skipped):
    """Prints the line that COUNTS reads, returns the exit status."""
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0 if passed else NOTHING


def tell_skipped(outputs):
    """Says what the test programs skipped: a line for each reason."""
    skipped = collections.defaultdict(collections.Counter)
    for output in outputs:
        for where, reason in SKIPPED.findall(output):
            skipped[reason][where] += 1
    for reason, modules in sorted(skipped.items()):
        print(f"skipped: {reason} (" + ", ".join(
            f"{number} of {where}" for where, number in sorted(modules.items())) + ")")


def suites():
    """The commands that run the Python suites, the longest first."""
    this = [sys.executable, os.path.abspath(__file__), "--suite"]
    directories = [END_TO_END]
    if settings()["APSP_SANITIZED"] == "0":
        directories += OTHER_SUITES
    modules = [(name[:-3], directory) for directory in directories
               for name in sorted(os.listdir(os.path.join(ROOT, directory)))
               if re.fullmatch(r"test\w*\.py", name)]
    named = os.environ.get("APSP_MODULES", "").split()
    only = [name for name in named if not name.startswith("-")]
    modules = [module for module in modules
               if "-" + module[0] not in named and (not only or module[0] in only)]
    modules.sort(key=lambda module: LONGEST.index(module[0]) if module[0] in LONGEST
                 else len(LONGEST))
    return [this + [directory, module] for module, directory in modules]


def main(commands):
    # Threads that spin while they wait slow down whatever else runs.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    commands = [shlex.split(command) for command in commands] + suites()
    counts, outputs = [], []
    with ThreadPoolExecutor(max_workers=1 + len(os.sched_getaffinity(0))) as beside:
        running = {beside.submit(run_command, command): command for command in commands}
        for done in as_completed(running):
            counts.append(count(running[done], *done.result()))
            outputs.append(done.result()[1])
    tell_skipped(outputs)
    return tell(*(sum(column) for column in zip(*counts)))


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:2]):
        print(__doc__)
    elif len(sys.argv) > 2 and sys.argv[1] == "--suite":
        sys.exit(run_modules(*sys.argv[2:]))
    elif [word for word in sys.argv[1:2] if word.startswith("-")]:
        sys.exit("tests/run.py: expected COMMAND..., or --suite with a directory, found %s; --help says more"
                 % sys.argv[1])
    else:
        sys.exit(main(sys.argv[1:]))
