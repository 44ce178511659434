# SPDX-License-Identifier: MIT
"""TESTING.md gives the counts that the tests and .ci/run use."""

import os
import re
import shlex
import sys
import unittest

from support import REPOSITORY

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "mutants"))
import weaken  # noqa: E402 (found by the line above)
from broken_solvers import SOURCES  # noqa: E402


def read(*path):
    with open(os.path.join(REPOSITORY, *path), encoding="utf-8") as file:
        return file.read()


PAGE = read("TESTING.md")
TOLD = " ".join(PAGE.split())


class Counts(unittest.TestCase):

    def told(self, pattern, *counts):
        """Wherever the page has the pattern it gives these counts."""
        found = [match.groups() for match in re.finditer(pattern, TOLD)]
        self.assertEqual(set(found), {tuple(str(count) for count in counts)}, pattern)

    def test_continuous_integration(self):
        """Each of its steps stands in the page, with the count that it is given."""
        table = PAGE.partition("| command | counts |")[2].partition("\n\n")[0]
        rows = dict(re.findall(r"^\| `make ([^`]+)` \| ([^|]+) \|$", table, re.M))
        steps = [shlex.split(step) for step in re.findall(r"^step make (.+)$", read(".ci", "run"),
                                                          re.M)]
        self.assertGreater(len(steps), 5)
        for words in steps:
            given = dict(word.split("=", 1) for word in words if "=" in word)
            counts = [given[name] for name in ("FUZZ_SECONDS", "MUTANTS", "SAMPLE")
                      if name in given]
            command = " ".join(word for word in words if word.startswith("BUILD=") or
                               re.fullmatch(r"[a-z-]+", word))
            with self.subTest(command):
                if command in rows:
                    self.assertEqual(re.findall(r"\d+", rows[command])[:len(counts)], counts)
                else:
                    self.assertEqual(counts, [])
                    self.assertTrue(not command or "`make %s`" % command in PAGE)

    def test_mutants_of_answers(self):
        source = read("tests", "mutants", "test_mutants.c")
        usual, = re.findall(r"MUTANTS = (\d+)", source)
        ci, = re.findall(r"MUTANTS=(\d+)", read(".ci", "run"))
        self.told(r"`make test` tries (\d+), CI (\d+) more", usual, ci)
        self.told(r"\| `make test` \| (\d+) mutants", usual)
        self.told(r"without CUDA; (\d+) mutants", usual)

    def test_mutants_of_programs(self):
        self.told(r"(\d+) broken solvers", sum(len(source.mutants) for source in SOURCES))
        self.told(r"weakens the certificate in (\d+) places", len(weaken.WEAKENED))

    def test_harnesses(self):
        makefile = read("tests", "fuzz", "fuzz.mk").replace("\\\n", " ")
        targets = [len(re.search(r"^%s :?\??= ?(.*)$" % name, makefile, re.M).group(1).split())
                   for name in ("FUZZ_TARGETS", "MSAN_TARGETS")]
        self.told(r"(\d+) harnesses under sanitizers", targets[0])
        self.told(r"the (\d+) that read without zlib and jansson", targets[1])

    def test_graphs_of_variants(self):
        source = read("tests", "variants", "test_properties.c")
        device, sanitized, usual = re.findall(r"return (?:.* : )?(\d+);\n#", source)
        self.told(r"\| GPU variants on a device \|[^|]*\| every \| (\d+) \|", device)
        self.told(r"\| CPU variants under the sanitizers \|[^|]*\|[^|]*\| (\d+) \|", sanitized)
        self.told(r"\| CPU variants \|[^|]*\|[^|]*\| (\d+) \|", usual)


if __name__ == "__main__":
    unittest.main()
