# SPDX-License-Identifier: MIT
"""The tables of what make mutants-solvers and make mutants-checker break: every text stands
exactly once in its file, and the suites that a table names exist. Nothing is broken here."""

import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "mutants"))

import break_solvers  # noqa: E402
import weaken  # noqa: E402
from broken_solvers import SOURCES  # noqa: E402


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Patches(unittest.TestCase):

    def test_solvers(self):
        self.assertEqual(break_solvers.misplaced(), [])

    def test_certificate(self):
        for what, path, old, new in weaken.WEAKENED:
            with self.subTest(what):
                self.assertEqual(read(path).count(old), 1)
                self.assertNotEqual(old, new)

    def test_mutants_differ(self):
        for source in SOURCES:
            self.assertEqual(len({mutant.what for mutant in source.mutants}), len(source.mutants))
            for mutant in source.mutants:
                self.assertNotEqual(mutant.old, mutant.new)

    def test_suites(self):
        names = re.findall(r'^(?:HOST_)?SUITE\(\w+, "(.*)"\)$', read("tests/unit/suites.h"), re.M)
        suites = set(names) | {name.rpartition("/")[2] for name in names}
        for source in SOURCES:
            named = [word for at, word in enumerate(source.tests)
                     if word != "--variant" and source.tests[max(at - 1, 0)] != "--variant"]
            with self.subTest(source.path):
                self.assertTrue(named)
                self.assertEqual(set(named) - suites, set())


class Samples(unittest.TestCase):

    def test_seed(self):
        """The same seed takes the same mutants."""
        def listed(seed):
            run = subprocess.run(
                [sys.executable, os.path.join(ROOT, "tests/mutants/break_solvers.py"), "--list",
                 "--sample", "5", "--seed", seed], check=True, stdout=subprocess.PIPE,
                text=True)
            return run.stdout.splitlines()
        first = listed("a")
        self.assertEqual(len(first), 6)
        self.assertRegex(first[0], r"^5 of \d+ broken solvers, seed a$")
        self.assertEqual(listed("a"), first)
        self.assertNotEqual(listed("b")[1:], first[1:])


if __name__ == "__main__":
    unittest.main()
