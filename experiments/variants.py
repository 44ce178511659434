# SPDX-License-Identifier: MIT
"""Reads what the programs say of their variants (--list-variants --json)."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Optional

from experiments.bench import ROOT, check_programs, run_program

REPORT = "report "  # the source of a variant begins with it if a course report describes the variant


@dataclasses.dataclass(frozen=True)
class Variant:
    """A variant, as far as it is needed here. Rates are relaxations per second, n^3 of them for a
    complete graph, on the machine that was measured: on one thread, or on the whole GPU."""

    program: str
    name: str
    source: str
    parallel: bool
    ceiling: Optional[str]  # name of the ceiling that bounds the variant; None: no single one
    ceiling_units: Optional[int]  # units of the ceiling that one relaxation takes
    distances_per_s: Optional[float]
    predecessors_per_s: Optional[float]  # relaxations per second with predecessors; None: no predecessors

    @property
    def report(self) -> Optional[str]:
        """The report that describes it."""
        return self.source[len(REPORT):] if self.source.startswith(REPORT) else None

    def estimated_s(self, vertices: int) -> float:
        """Rough seconds of one solve, with predecessors if the variant gives them. A sparse graph
        often takes much less."""
        cores = (os.cpu_count() or 1) if self.parallel else 1
        rate = self.predecessors_per_s or self.distances_per_s
        return 0.0 if rate is None else vertices**3 / rate / cores


Variants = dict[tuple[str, str], Variant]  # variants by (program, name)


def default_bin() -> Path:
    """bin/, or the folder that the environment variable APSP_BIN names."""
    return ROOT / os.environ.get("APSP_BIN", "bin")


def read(bin_dir: Path, programs: Iterable[str]) -> Variants:
    """The variants of all programs, in the order of each program. Raises BenchError if a program is
    not built or fails."""
    names = [field.name for field in dataclasses.fields(Variant) if field.name != "program"]
    found: Variants = {}
    for program in programs:
        check_programs(bin_dir, (program,))
        answer = json.loads(run_program(bin_dir / program, "--list-variants", "--json"))
        for each in answer["variants"]:
            found[program, each["name"]] = Variant(program, **{name: each[name] for name in names})
    return found
