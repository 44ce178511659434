# SPDX-License-Identifier: MIT
"""Tests of the table of cuda_sparse."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from thesis_tables import sparse  # noqa: E402 (found by the line above)

ROWS = """graph,program,predecessors,checked,threads,solve_s
V100_E50,cuda_sparse,1,1,0,0.002
V100_E50,cuda_sparse,1,1,0,0.004
V100_E50,cuda_sparse,1,1,0,0.003
V100_E50,cuda_sparse,0,1,0,0.001
V100_E50,cuda_blocked,1,1,0,0.03
V100_E50,cpu,1,1,16,0.006
V100_E50,cpu,1,0,16,0.0000001
ring_V7,cuda_sparse,1,1,0,2
"""


class Sparse(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.csv, self.into = Path(folder.name) / "s.csv", Path(folder.name) / "README.md"

    def test_rows(self) -> None:
        self.csv.write_text(ROWS, encoding="utf-8")
        lines = sparse.render_file(self.csv).splitlines()
        self.assertIn("`cpu auto`, 16 threads", lines[0])
        self.assertEqual(lines[2:], ["| random, V = 100, E = 50 | 3 | 1 | 30 | 6 | 2.0 |",
                                     "| ring, V = 7 | 2000 | – | – | – | – |"])

    def test_into_a_file(self) -> None:
        self.csv.write_text(ROWS, encoding="utf-8")
        self.into.write_text("a\n<!-- sparse -->\nold\n<!-- end of sparse -->\nb\n")
        self.assertEqual(sparse.main(["--timings", str(self.csv), "--into", str(self.into)]), 0)
        text = self.into.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("a\n<!-- sparse -->\n\n| graph |"), text)
        self.assertNotIn("old", text)

    def test_what_is_wrong(self) -> None:
        self.csv.write_text("graph,program\na,cpu\n", encoding="utf-8")
        self.into.write_text("no markers\n", encoding="utf-8")
        for rows, expected in ((None, "expected a column 'predecessors'"),
                               (ROWS, "expected the markers")):
            if rows:
                self.csv.write_text(rows, encoding="utf-8")
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(
                    sparse.main(["--timings", str(self.csv), "--into", str(self.into)]), 2)
            self.assertIn(expected, said.getvalue())


if __name__ == "__main__":
    unittest.main()
