# SPDX-License-Identifier: MIT
"""Support for the tests of the benches: a folder of programs that only pretend, and a bench run on
them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]


def fork_main(main: Callable[[Sequence[str]], int], arguments: Sequence[str]
              ) -> subprocess.CompletedProcess[str]:
    """Runs main() in a process of its own that has imported all; returns the process when it has
    ended."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout, sys.stderr = open(1, "w", encoding="utf-8"), open(2, "w", encoding="utf-8")
                status = main(arguments)
            except SystemExit as end:  # argparse's
                status = end.code if isinstance(end.code, int) else 1
            except BaseException:  # pylint: disable=broad-except
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
    return subprocess.CompletedProcess([], os.waitstatus_to_exitcode(ended), *texts)


class StandIns(unittest.TestCase):
    """A build's folder of stand-ins, and a bench that is run on it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="apsp-bench-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.bin, self.out = self.folder / "bin", self.folder / "out"

    @staticmethod
    def program(path: Path, text: str, **parts: object) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(python=sys.executable, **parts), encoding="utf-8")
        path.chmod(0o755)

    def run_bench(self, main: Callable[[Sequence[str]], int], *arguments: object,
                  status: Optional[int] = 0) -> subprocess.CompletedProcess[str]:
        """It must end with the status; None: with any."""
        done = fork_main(main, ["--bin", str(self.bin), "--out", str(self.out),
                                *map(str, arguments)])
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done
