# SPDX-License-Identifier: MIT
"""Functions that the benches share: starting programs, what their failures mean, how often to
repeat."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Optional

from experiments import environment

ROOT = environment.ROOT
SEED = 2017
GENERATOR = "graphgen"
FAILED = 1
BAD_INPUT = 2
NO_RESOURCE = 4
# Messages of a variant that is not exact for this graph, or does not take graphs of this size.
NOT_FOR_THIS = re.compile(r"(is not exact for this graph|keeps at most \d+ vertices).*", re.DOTALL)

CHOSEN = re.compile(r"^variant +\S+: (\S+)$", re.MULTILINE)
IDLE = 0.1  # most cores that other processes keep busy on a machine that counts as idle


class BenchError(Exception):
    """Ends the run; the text is for a person."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


def check_programs(bin_dir: Path, names: Sequence[str]) -> None:
    for name in names:
        if not os.access(bin_dir / name, os.X_OK):
            raise BenchError(f"{bin_dir / name}: expected a program, found none: run make first",
                             BAD_INPUT)


def run_quietly(command: Sequence[object],
                folder: Optional[Path] = None) -> subprocess.CompletedProcess[str]:
    """Runs a program in `folder`. Returns the run with its output, whatever its exit status."""
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, cwd=folder)


def run_program(*command: object) -> str:
    """Runs a program and returns its standard output. Any failure raises BenchError."""
    done = run_quietly(command)
    if done.returncode != 0:
        raise failure(Path(str(command[0])).name, done)
    return done.stdout


def failure(what: str, done: subprocess.CompletedProcess[str]) -> BenchError:
    said = done.stderr.strip() or f"ended with status {done.returncode}"
    return BenchError(said if said.startswith(f"{what}: ") else f"{what}: {said}",
                      NO_RESOURCE if done.returncode == NO_RESOURCE else FAILED)


def refusal(done: subprocess.CompletedProcess[str]) -> Optional[str]:
    """The reason why a variant cannot solve this graph; None if its message is another one."""
    reason = NOT_FOR_THIS.search(done.stderr.strip()) if done.returncode == BAD_INPUT else None
    return reason[0] if reason else None


def variants(binary: Path) -> list[str]:
    listing = run_program(binary, "--list-variants")
    return [line.split()[0] for line in listing.splitlines()]


def seconds(report: str, clock: str) -> float:
    """A median in a solver's report, in seconds."""
    return next(float(line.split()[1]) for line in report.splitlines() if line.startswith(clock))


def chosen_variant(report: str) -> str:
    """The variant that a choosing variant took, by a solver's report; "" if none chose."""
    found = CHOSEN.search(report)
    return found[1] if found else ""


def repetitions_within(limit: float, wanted: int, expected: float) -> int:
    """The number of repetitions, at least one, that fit into `limit` seconds together with the warm-up;
    a single repetition has no warm-up. expected: seconds of a solve; 0: unknown."""
    return max(1, min(wanted, int(limit / expected) - 1)) if expected > 0 else wanted


class Others:
    """Counts the cores that other processes keep busy from here on (Linux; elsewhere 0)."""

    TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds of a tick in /proc/stat, which counts each core by itself

    def __init__(self) -> None:
        self.before = self.read()

    @classmethod
    def read(cls) -> tuple[float, float, float]:
        """Returns the time, the processor seconds of all processes, and those of this process with its
        children."""
        own = os.times()
        try:
            with open("/proc/stat", encoding="ascii") as file:
                user, nice, system, _, _, *interrupts = map(int, file.readline().split()[1:9])
        except (OSError, ValueError):
            return time.perf_counter(), 0.0, 0.0
        busy = (user + nice + system + sum(interrupts)) * cls.TICK
        return time.perf_counter(), busy, sum(own[:4])

    def cores(self) -> float:
        """The least number of cores that others kept busy: time that the clock's ticks leave open
        counts as idle."""
        took, busy, own = (now - before for now, before in zip(self.read(), self.before))
        return max(0.0, busy - own - self.TICK * (os.cpu_count() or 1)) / took


def measure_ceilings(*command: object) -> None:
    """Runs a program that measures ceilings; its table goes to standard output unchanged."""
    sys.stdout.flush()
    done = subprocess.run([str(word) for word in command], stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        raise failure(Path(str(command[0])).name, done)
    print(flush=True)


def record_environment(bin_dir: Path, programs: Mapping[str, Path], path: Path,
                       **more: object) -> None:
    """Writes one record of this machine and these programs, with the members of `more`."""
    builds = {name: {"build": environment.build_id(program), "unavailable": None}
              for name, program in programs.items()}
    record = {**environment.collect(bin_dir, builds), **more}
    path.write_text(json.dumps({"environments": [record]}, indent=2) + "\n", encoding="utf-8")


def main_of(parser: argparse.ArgumentParser, files: str,
            run: Callable[[argparse.Namespace], None],
            arguments: Optional[Sequence[str]] = None) -> int:
    """A bench's main(): adds the folders to its options, calls run() with what the command line
    says, and returns the exit status; an error is one line. files: those that --out is for."""
    parser.add_argument("--bin", type=Path, default=ROOT / "bin", metavar="DIR",
                        help="folder of the programs (bin)")
    parser.add_argument("--out", type=Path, default=ROOT / "experiments" / "out", metavar="DIR",
                        help=f"folder for {files} and the environment (experiments/out)")
    options = parser.parse_args(arguments)
    options.bin = options.bin.resolve()
    options.out = options.out.resolve()
    try:
        run(options)
    except BenchError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return error.status
    return 0
