# SPDX-License-Identifier: MIT
"""The examples of the Python package, small: they run and say what they found."""

import importlib.util
import os
import subprocess
import sys
import unittest

from support import REPOSITORY, SANITIZED, TIMEOUT_S, ProgramTest, environment

EXAMPLES = os.path.join(REPOSITORY, "python", "examples")
LIBRARY = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib", "libapsp.so.0.2")


@unittest.skipIf(SANITIZED, "a sanitized library needs a sanitized Python")
@unittest.skipIf(importlib.util.find_spec("scipy") is None, "SciPy is not installed")
class Examples(ProgramTest):

    def run_example(self, name, *args):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *map(str, args)],
                              env=environment(PYTHONDONTWRITEBYTECODE="1", APSP_LIBRARY=LIBRARY,
                                              PYTHONPATH=os.path.join(REPOSITORY, "python")),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_isochrones(self):
        said = self.run_example("isochrones.py", 12, self.path("map.svg"))
        self.assertRegex(said, r"^crossing \d+ is the closest to all 144\n")
        counts = [int(line.split()[2]) for line in said.splitlines()[1:]]
        self.assertEqual((len(counts), counts), (3, sorted(counts)))
        with open(self.path("map.svg"), encoding="ascii") as file:
            self.assertEqual(file.read().count("<circle"), 144)

    def test_brain(self):
        said = self.run_example("brain.py", 60)
        self.assertRegex(said, r"^60 regions, \d+ edges\nglobal efficiency 0\.\d{4}\nmost ")

    def test_larger_than_memory(self):
        said = self.run_example("larger_than_memory.py", self.path("d.npy"), 300)
        self.assertRegex(said, r"^300 x 300 distances in 0\.2 MB\nfrom 0 to 299: \d+\n$")

    @unittest.skipIf(importlib.util.find_spec("networkx") is None, "NetworkX is not installed")
    def test_characters(self):
        said = self.run_example("characters.py")
        self.assertRegex(said, r"^77 vertices, 254 edges\nin the middle: Valjean, Marius, Cosette\n"
                               r"farthest apart, \d\.\d{3}: ")
        self.write("two.csv", "source,target,weight\na,b,4\nb,a,4\n")
        self.assertEqual(self.run_example("characters.py", self.path("two.csv")).splitlines()[-1],
                         "farthest apart, 0.250: a - b")

    @unittest.skipIf(importlib.util.find_spec("sklearn") is None, "scikit-learn is not installed")
    def test_isomap(self):
        said = self.run_example("isomap.py", 400)
        self.assertRegex(said, r"differ by \de[-+]\d\d, the embedding by \de-\d\d of its size\n$")


if __name__ == "__main__":
    unittest.main()
