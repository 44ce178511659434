# SPDX-License-Identifier: MIT
"""The suites that the table of make mutants-solvers names exist, and every source leads to tests."""

import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "mutants"))

import break_solvers  # noqa: E402
from broken_solvers import SOURCES  # noqa: E402


class Table(unittest.TestCase):

    def test_suites(self):
        with open(os.path.join(ROOT, "tests/unit/suites.h"), encoding="utf-8") as file:
            names = re.findall(r'^(?:HOST_)?SUITE\(\w+, "(.*)"\)$', file.read(), re.M)
        suites = set(names) | {name.rpartition("/")[2] for name in names}
        for source in SOURCES:
            named = [word for at, word in enumerate(source.tests)
                     if word != "--variant" and source.tests[max(at - 1, 0)] != "--variant"]
            with self.subTest(source.path):
                self.assertTrue(named or source.modules)
                self.assertEqual(set(named) - suites, set())

    def test_tests_of(self):
        for path, expected in (("classes/row_classes.c", "unit_tests classes/row_classes"),
                               ("classes/sums.c", "unit_tests measures/totals"),
                               ("query/main.c", "tests/run.py --suite tests/e2e test_index"),
                               ("python/apsp/_index.py", "tests/e2e test_python_index")):
            with self.subTest(path):
                self.assertIn(expected, "\n".join(break_solvers.tests_of(path)))


if __name__ == "__main__":
    unittest.main()
