"""The ladder table: medians of checked rows, speed-ups, markers."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from thesis_tables import ladder  # noqa: E402 (found by the line above)

HEAD = ("program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,checked,"
        "repetition,solve_s,total_s\n")


def row(program, variant, vertices, predecessors, checked, seconds):
    return f"{program},{variant},g,{vertices},9,0,{predecessors},0,0,X,{checked},1,{seconds},9\n"


class Ladder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def medians(self, *rows):
        path = self.folder / "ladder.csv"
        path.write_text(HEAD + "".join(rows), encoding="utf-8")
        return ladder.read_medians(path)

    def test_medians_of_checked_rows(self):
        medians = self.medians(row("a", "b", 10, 1, 1, 3), row("a", "b", 10, 1, 1, 1),
                               row("a", "b", 10, 1, 1, 2), row("a", "b", 10, 1, 0, 0.001),
                               row("a", "b", 10, 0, 0, 0.001))
        self.assertEqual(medians, {("a", "b", 10, True): 2})

    def test_lines(self):
        text = ladder.render(
            self.medians(row("cuda_simple", "naive", 10000, 0, 1, 4),
                         row("cuda_blocked", "tile32", 10000, 0, 1, 0.25),
                         row("cuda_blocked", "tile32", 10000, 1, 1, 0.5),
                         row("cuda_blocked", "tile32", 1000, 1, 1, 0.00123456),
                         row("cuda_blocked", "batched", 10000, 0, 1, 0.125)),
            ladder.read_published())
        self.assertIn("| `cuda_simple naive` | 4000 | 0.25 | 1.0 | – | – | – |", text)
        self.assertIn("| `cuda_blocked tile32` | 250 | 4.00 | 16.0 | 18.9 | 500 | 2.00 |", text)
        self.assertIn("| `cuda_blocked batched` | 125 | 8.00 | 32.0 | 34.6 | – | – |", text)
        self.assertIn("| `cuda_blocked tile32` D | – | 250 |", text)
        self.assertIn("| `cuda_blocked tile32` D + Π | 1.23 | 500 |", text)

    def test_reports_of_variants(self):
        registry = (Path(ladder.__file__).resolve().parent.parent / "cuda_blocked" / "registry.c")
        entries = registry.read_text(encoding="utf-8").split(".name = ")[1:]
        sources = {re.match('"([^"]+)"', entry)[1]: re.search('source = "report ([^"]+)"', entry)
                   for entry in entries}
        self.assertEqual({name: found[1] for name, found in sources.items() if found},
                         ladder.REPORTS)
        for report in ladder.REPORTS.values():
            self.assertIn((report, ladder.SHOWN_SIZE), ladder.read_published())

    def test_markers(self):
        path = self.folder / "README.md"
        path.write_text(f"head\n{ladder.BEGIN}\nold\n{ladder.END}\ntail\n", encoding="utf-8")
        for _ in range(2):
            ladder.insert("new", path)
            self.assertEqual(path.read_text(encoding="utf-8"),
                             f"head\n{ladder.BEGIN}\n\nnew\n\n{ladder.END}\ntail\n")
        path.write_text("no markers", encoding="utf-8")
        with self.assertRaises(ValueError):
            ladder.insert("new", path)


if __name__ == "__main__":
    unittest.main()
