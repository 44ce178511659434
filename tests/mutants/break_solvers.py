#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks the solvers in one place at a time, each time in a copy of the tree, and expects the
unit tests, or some end-to-end tests, to notice: broken_solvers.py says where and how.

Usage: tests/mutants/break_solvers.py [--only PATH[:WORDS]]... [--sample N [--seed TEXT]]
                                      [--jobs N] [--program FILE] [--list]
       tests/mutants/break_solvers.py --tests-of FILE    what notices a mistake there, soonest first
       tests/mutants/break_solvers.py --syntax COMPILER  does every mutant of a C source compile? COMPILER has flags

PATH is a file or a folder; of a file's mutants only those whose description contains
the WORDS. --sample takes N of them at random; the seed is printed, and the same seed takes the
same ones. FILE is the program of the unit tests, built: a copy compiles only what the mutant
changes. A mutant is noticed if a test fails, crashes, or needs ten seconds more of a processor
than five times what it needed before. First the tests of what is broken are run, then all others.
"""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from broken_solvers import SOURCES
from scratch import ROOT, copy_built, make, replaced

PROGRAM = "build/release-nocuda/tests/unit_tests"
PROGRAMS = ("apsp", "cpu", "cuda_blocked", "cuda_simple", "cuda_sparse", "graphgen", "query", "verify")
# The text that follows the dots comes when the test has ended, or when it says what is wrong.
TEST = re.compile(r"^\s*Test: (.*?) \.\.\.(.*)")
# A test says FAILED when it ends, and before that what a variant got wrong.
FAILED = re.compile(r"FAILED|^ {4}\S.*\bn = \d+")
HANGS = "hangs"
VARIANTS = {word for source in SOURCES for before, word in zip(source.tests, source.tests[1:])
            if before == "--variant"}
WHOLE_SUITE_SECONDS = 1200  # of a processor
TIMES_SLOWER = 5  # than before: a test that hangs
SUSPICIOUS_SECONDS = 30  # of a processor, for one test: worth looking how long it took before


def limited(seconds):
    """For a child: so much time of a processor, and of memory more than tests need."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, WHOLE_SUITE_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    return apply


def seconds_used(pid):
    """Returns the processor seconds used by a child that has not been waited for."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_tests(program, folder, arguments, usual=None, at_most=WHOLE_SUITE_SECONDS):
    """Runs tests until one fails, with temporary files in the folder. Returns how that was noticed, None if none fails, and
    for each test that ended its name and the seconds of a processor that it took: what
    `usual` is of the tests as they were, which then limits each; otherwise `at_most` does."""
    temporary = os.path.join(folder, "t")
    os.makedirs(temporary, exist_ok=True)
    environment = dict(os.environ, TMPDIR=temporary, OMP_WAIT_POLICY="passive")

    def allowed(number):
        if usual is None or number >= len(usual):
            return at_most
        return int(TIMES_SLOWER * usual[number][1]) + 10

    ended, used, running, failed = [], 0, None, False
    # Standard error goes nowhere: what a broken solver says is of no interest.
    with subprocess.Popen([program] + arguments, env=environment,
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
    if failed:  # a line after the dots that is not FAILED looks like the end of the test
        return running or ended[-1][0], ended
    hangs = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return "%s: %s" % (running or "some test", HANGS if hangs else "crashes"), ended


def run_modules(folder, modules):
    """The same of modules of the end-to-end tests, of programs in the folder: the first test that fails, or None."""
    programs = os.path.join(folder, "bin")
    environment = dict(os.environ, APSP_BIN=programs, APSP_SMALL_BIN=programs, OMP_WAIT_POLICY="passive")
    for module in modules:
        done = subprocess.run([sys.executable, "tests/run.py", "--suite", "tests/e2e", module], cwd=folder,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              errors="replace", check=False)
        failed = re.findall(r"^(?:FAIL|ERROR): (test\S*)", done.stdout, re.MULTILINE)
        if done.returncode != 0 and not failed:
            raise ValueError("%s did not run:\n%s" % (module, done.stdout[-1000:]))
        if failed:
            return failed[0]
    return None


class Breaker:
    """Breaks the tree as it is, of which `program` has been built."""

    def __init__(self, program, folder):
        name = program.split("/")[1]
        self.program, self.folder = program, folder
        self.settings = ["BUILD=" + name.removesuffix("-nocuda")]
        if name.endswith("-nocuda"):
            self.settings.append("CUDA=0")
        self.times = {}  # of the tests of each source

    def usual(self, source):
        """How long each test of a source takes; they must pass."""
        if source not in self.times:
            noticed, times = run_modules(ROOT, source.modules), []
            if source.tests and noticed is None:
                noticed, times = run_tests(os.path.join(ROOT, self.program),
                                           tempfile.mkdtemp(prefix="u", dir=self.folder), source.tests)
            if noticed is not None:
                raise ValueError("%s: the tests fail as it is: %s" % (source.path, noticed))
            self.times[source] = times
        return self.times[source]

    def noticed(self, source, mutant):
        """How the mutant was noticed; None: not at all."""
        folder = tempfile.mkdtemp(prefix="m", dir=self.folder)
        program = os.path.join(folder, self.program)
        try:
            copy_built(folder, self.program)
            path = os.path.join(folder, source.path)
            with open(path, encoding="utf-8") as file:
                right = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(replaced(right, mutant.old, mutant.new, source.path))
            targets = ["bin/" + name for name in PROGRAMS] if source.modules else [self.program]
            said = make(folder, targets[0], *targets[1:], *self.settings)
            if said is not None:
                raise ValueError("%s: %s: does not compile:\n%s"
                                 % (source.path, mutant.what, said))
            if source.modules:
                self.usual(source)
                return run_modules(folder, source.modules)
            how, _ = run_tests(program, folder, source.tests, at_most=SUSPICIOUS_SECONDS)
            if how is not None and how.endswith(HANGS):
                how, _ = run_tests(program, folder, source.tests, self.usual(source))
            return how or run_tests(program, folder, [])[0]
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def supports(feature):
    """Returns whether this CPU can run what the mutant is about; None: any CPU can."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return feature is None or re.search(r"\b%s\b" % feature, file.read()) is not None


def is_chosen(source, mutant, only):
    """Returns whether --only, if it is given, means the mutant."""
    def means(choice):
        path, _, words = choice.partition(":")
        return (source.path == path or source.path.startswith(path.rstrip("/") + "/")) and \
            words in mutant.what
    return not only or any(means(choice) for choice in only)


def misplaced():
    """Returns what is wrong with the table: texts that do not stand once where it says."""
    wrong = []
    for source in SOURCES:
        with open(os.path.join(ROOT, source.path), encoding="utf-8") as file:
            text = file.read()
        for mutant in source.mutants:
            try:
                replaced(text, mutant.old, mutant.new, source.path)
            except ValueError as error:
                wrong.append("%s (%s)" % (error, mutant.what))
    return wrong


def refused(compiler, source, mutant):
    """Returns what a compiler, a command with flags, says against a mutant of a C source; None: nothing."""
    with open(os.path.join(ROOT, source.path), encoding="utf-8") as file:
        text = replaced(file.read(), mutant.old, mutant.new, source.path)
    done = subprocess.run([*compiler, "-fsyntax-only", "-w", "-iquote", os.path.dirname(source.path), "-x", "c", "-"],
                          input=text, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    return None if done.returncode == 0 else "%s: %s: %s" % (source.path, mutant.what, done.stderr)


def check_syntax(compiler, jobs):
    """Says which mutants do not compile, and returns the exit status."""
    pairs = [(source, mutant) for source in SOURCES if source.path.endswith(".c") for mutant in source.mutants]
    with ThreadPoolExecutor(jobs) as pool:
        wrong = [said for said in pool.map(lambda pair: refused(compiler, *pair), pairs) if said is not None]
    print("\n".join(wrong), end="")
    return 1 if wrong else 0


def tests_of(path):
    """Commands that run the tests of a source: its suites in the table and those whose test includes its
    header or has its name; the modules in Python that are named after it or run its program."""
    folder, stem = os.path.dirname(path), os.path.basename(path).partition(".")[0]
    units = sorted({word for source in SOURCES if source.path == path for word in source.tests
                    if "--" not in word and word not in VARIANTS})
    modules = ["tests/run.py --suite tests/e2e " + module for source in SOURCES if source.path == path
               for module in source.modules]
    others = []
    for at, _, names in sorted(os.walk(os.path.join(ROOT, "tests"))):
        for name in sorted(name for name in names if re.fullmatch(r"test_.*\.(c|cu|py)", name)):
            with open(os.path.join(at, name), encoding="utf-8") as file:
                text = file.read()
            of, case = os.path.relpath(at, os.path.join(ROOT, "tests")), name[5:].partition(".")[0]
            if name.endswith((".c", ".cu")) and \
                    ('"%s/%s.h"' % (folder, stem) in text or (of, case) == (folder, stem)):
                units.append(of + "/" + case)
            if name.endswith(".py") and (case.strip("_") == stem.strip("_") or (
                    folder == "python/apsp" and "python_" + stem.strip("_") == case) or (
                    '"%s"' % folder in text and stem == "main") or (
                    path.endswith(".py") and re.search(r"\b(import|from) .*\b%s\b" % stem, text))):
                modules.append("tests/run.py --suite tests/%s %s" % (of, name[:-3]))
            elif of == "e2e" and re.search(r"\b%s\b" % stem.partition("_")[0], text):
                others.append("tests/run.py --suite tests/e2e " + name[:-3])
    return ["%s %s" % (PROGRAM, unit) for unit in dict.fromkeys(units) or [folder]] + (modules or others)


def choose(options):
    """The mutants that are meant and that this CPU can run, and those that it cannot."""
    meant = [(source, mutant) for source in SOURCES for mutant in source.mutants
             if is_chosen(source, mutant, options.only)]
    if not meant:
        sys.exit("no mutant is meant by %s" % " ".join(options.only))
    chosen = [pair for pair in meant if supports(pair[1].needs)]
    skipped = [pair for pair in meant if not supports(pair[1].needs)]
    if options.sample is None:
        return chosen, skipped
    seed = options.seed or "%06d" % random.SystemRandom().randrange(10 ** 6)
    count = min(options.sample, len(chosen))
    print("%d of %d broken solvers, seed %s" % (count, len(meant), seed), flush=True)
    return random.Random(seed).sample(chosen, count), []


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--only", action="append", metavar="PATH[:WORDS]")
    parser.add_argument("--sample", type=int, metavar="N", help="take N at random")
    parser.add_argument("--seed", metavar="TEXT", help="of the sample; printed")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--program", default=PROGRAM, metavar="FILE",
                        help="the unit tests, built (default: %(default)s)")
    parser.add_argument("--tests-of", metavar="FILE", help="say which tests notice a mistake in it")
    parser.add_argument("--syntax", metavar="COMPILER", help="say which mutants do not compile")
    parser.add_argument("--list", action="store_true", help="say what would be broken")
    options = parser.parse_args()
    if options.tests_of is not None:
        print("\n".join(tests_of(options.tests_of)))
        return 0
    wrong = misplaced()
    if wrong:
        sys.exit("\n".join(wrong))
    if options.syntax is not None:
        return check_syntax(options.syntax.split(), options.jobs)
    chosen, skipped = choose(options)
    if options.list:
        print("\n".join("%-32s %s" % (source.path, mutant.what)
                        for source, mutant in chosen + skipped))
        return 0
    begun = time.monotonic()
    folder = tempfile.mkdtemp(prefix="apsp-")
    unnoticed = 0
    try:
        breaker = Breaker(options.program, folder)
        with ThreadPoolExecutor(options.jobs) as pool:
            running = {pool.submit(breaker.noticed, *pair): pair for pair in chosen}
            for ended in as_completed(running):
                source, mutant = running[ended]
                try:
                    how = ended.result()
                except ValueError as error:
                    print(error)
                    how = None
                unnoticed += how is None
                print("%-32s %-56s %s" % (source.path, mutant.what, how or "NOT NOTICED"),
                      flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for source, mutant in skipped:
        print("%-32s %-56s skipped: no %s here" % (source.path, mutant.what, mutant.needs))
    print("%d of %d broken solvers noticed, %d skipped, in %.0f seconds"
          % (len(chosen) - unnoticed, len(chosen), len(skipped), time.monotonic() - begun))
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
