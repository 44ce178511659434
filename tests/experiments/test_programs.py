# SPDX-License-Identifier: MIT
"""Every program of the experiments starts by its own name, wherever it is called."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"


class Programs(unittest.TestCase):
    def test_help(self) -> None:
        programs = [path for path in sorted(EXPERIMENTS.glob("*/*.py"))
                    if "ArgumentParser(" in path.read_text(encoding="utf-8")]
        self.assertGreater(len(programs), 5)
        with tempfile.TemporaryDirectory() as folder:
            for program in programs:
                with self.subTest(program.name):
                    done = subprocess.run([sys.executable, program, "--help"], cwd=folder,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          encoding="utf-8", check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f"usage: {program.name}", done.stdout)


if __name__ == "__main__":
    unittest.main()
