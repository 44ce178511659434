#!/usr/bin/env python3
"""Breaks the solvers in one place after the other, each time in a copy of the tree, and
expects the unit tests to notice: broken_solvers.py says where and how.

Usage: tests/mutants/break_solvers.py [--only PATH[:WORDS]]... [--jobs N] [--list]

PATH is a file or a folder; of a file's mutants only those whose description contains
the WORDS. A mutant is noticed where a test fails, crashes, or needs ten seconds more of a
processor than five times what it needed before. First the tests of what is broken are run,
then all others.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from broken_solvers import SOURCES
from scratch import BUILT, ROOT, build, copy_tree, replaced

PROGRAM = "tests/unit_tests"
# What follows the dots comes when the test has ended, or when it says what is wrong.
TEST = re.compile(r"^\s*Test: (.*?) \.\.\.(.*)")
# A test says FAILED when it ends, and before that what a variant got wrong.
FAILED = re.compile(r"FAILED|^ {4}\S.*\bn = \d+")
WHOLE_SUITE_SECONDS = 1200  # of a processor
TIMES_SLOWER = 5  # than before: a test that hangs


def limited(seconds):
    """For a child: so much time of a processor, and of memory more than tests need."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, WHOLE_SUITE_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    return apply


def seconds_used(pid):
    """Of a processor, by a child that has not been waited for."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_tests(folder, arguments, usual=None):
    """Runs tests until one fails. Returns how that was noticed, None where none fails, and
    for each test that ended its name and the seconds of a processor that it took: what
    `usual` is of the tests as they were, which then limits each."""
    temporary = os.path.join(folder, "t")
    os.makedirs(temporary, exist_ok=True)
    environment = dict(os.environ, TMPDIR=temporary, OMP_WAIT_POLICY="passive")

    def allowed(number):
        if usual is None or number >= len(usual):
            return WHOLE_SUITE_SECONDS
        return int(TIMES_SLOWER * usual[number][1]) + 10

    ended, used, running, failed = [], 0, None, False
    # Standard error goes nowhere: what a broken solver says is of no interest.
    with subprocess.Popen([os.path.join(folder, BUILT, PROGRAM)] + arguments, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace", preexec_fn=limited(allowed(0))) as process:
        for line in process.stdout:
            test = TEST.match(line)
            if test:
                running = test.group(1)
            if FAILED.search(line):
                failed = True
                os.kill(process.pid, signal.SIGKILL)  # process.kill() might wait for it
                break
            if test and test.group(2):
                before, used = used, seconds_used(process.pid)
                ended.append((running, used - before))
                running = None
                limit = min(int(used) + allowed(len(ended)), WHOLE_SUITE_SECONDS)
                resource.prlimit(process.pid, resource.RLIMIT_CPU,
                                 (limit, WHOLE_SUITE_SECONDS + 1))
        _, status = os.waitpid(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not failed and process.returncode == 0:
        return None, ended
    if running is None and usual is not None and len(ended) < len(usual):
        running = usual[len(ended)][0]
    if failed:
        return running, ended
    hangs = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return "%s: %s" % (running or "some test", "hangs" if hangs else "crashes"), ended


class Trees:
    """Copies of the tree as it is, built."""

    def __init__(self, folder, jobs):
        self.folder = folder
        self.pristine = os.path.join(folder, "pristine")
        copy_tree(self.pristine)
        said = build(self.pristine, PROGRAM, jobs)
        if said is not None:
            sys.exit("the tree as it is does not compile:\n" + said)

    def usual(self, source):
        """How long each test of a source takes; they must pass."""
        noticed, tests = run_tests(self.pristine, source.tests)
        if noticed is not None:
            sys.exit("%s: the tests fail as it is: %s" % (source.path, noticed))
        return tests

    def noticed(self, source, mutant, usual):
        """How the mutant was noticed; None: not at all."""
        folder = tempfile.mkdtemp(prefix="m", dir=self.folder)
        try:
            shutil.copytree(self.pristine, folder, dirs_exist_ok=True)
            path = os.path.join(folder, source.path)
            with open(path, encoding="utf-8") as file:
                right = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(replaced(right, mutant.old, mutant.new, source.path))
            said = build(folder, PROGRAM)
            if said is not None:
                raise ValueError("%s: %s: does not compile:\n%s"
                                 % (source.path, mutant.what, said))
            how, _ = run_tests(folder, source.tests, usual)
            return how or run_tests(folder, [])[0]
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def supports(feature):
    """Whether this CPU can run what the mutant is about; None: any CPU can."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return feature is None or re.search(r"\b%s\b" % feature, file.read()) is not None


def is_chosen(source, mutant, only):
    """Whether --only, where it is given, means the mutant."""
    def means(choice):
        path, _, words = choice.partition(":")
        return (source.path == path or source.path.startswith(path.rstrip("/") + "/")) and \
            words in mutant.what
    return not only or any(means(choice) for choice in only)


def check_table():
    """Every mutant's text must stand where the table says; all that does not is told."""
    wrong = []
    for source in SOURCES:
        with open(os.path.join(ROOT, source.path), encoding="utf-8") as file:
            text = file.read()
        for mutant in source.mutants:
            try:
                replaced(text, mutant.old, mutant.new, source.path)
            except ValueError as error:
                wrong.append(str(error))
    if wrong:
        sys.exit("\n".join(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--only", action="append", metavar="PATH[:WORDS]")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--list", action="store_true", help="say what would be broken")
    options = parser.parse_args()
    check_table()
    chosen = [(source, mutant) for source in SOURCES for mutant in source.mutants
              if is_chosen(source, mutant, options.only)]
    if not chosen:
        sys.exit("no mutant is meant by %s" % " ".join(options.only))
    if options.list:
        print("\n".join("%-32s %s" % (source.path, mutant.what) for source, mutant in chosen))
        return 0
    begun = time.monotonic()
    skipped = [pair for pair in chosen if not supports(pair[1].needs)]
    chosen = [pair for pair in chosen if supports(pair[1].needs)]
    folder = tempfile.mkdtemp(prefix="apsp-")
    unnoticed = 0
    try:
        trees = Trees(folder, options.jobs)
        with ThreadPoolExecutor(options.jobs) as pool:
            sources = list(dict.fromkeys(source for source, _ in chosen))
            usual = dict(zip(sources, pool.map(trees.usual, sources)))
            results = pool.map(lambda pair: trees.noticed(*pair, usual[pair[0]]), chosen)
            for (source, mutant), how in zip(chosen, results):
                unnoticed += how is None
                print("%-32s %-56s %s" % (source.path, mutant.what, how or "NOT NOTICED"),
                      flush=True)
    except ValueError as error:
        sys.exit(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for source, mutant in skipped:
        print("%-32s %-56s skipped: no %s here" % (source.path, mutant.what, mutant.needs))
    print("%d of %d broken solvers noticed, %d skipped, in %.0f minutes"
          % (len(chosen) - unnoticed, len(chosen), len(skipped), (time.monotonic() - begun) / 60))
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
