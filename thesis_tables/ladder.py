#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders the ladder of GPU variants from bench_gpu.py's rows, beside the reports' figures.

    python3 thesis_tables/ladder.py --timings CSV --into cuda_blocked/README.md

The tables replace what stands between the markers <!-- ladder --> and <!-- end of ladder -->.
Only rows that were checked count; times are medians of solve_s. Speed-ups are over our own naive
kernel, distances only, as the reports took theirs over their own. A cell without a measurement
says so. Where bench_gpu.py's ceilings lie beside the timings, each rung is also measured by what
the GPU does at best.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments import markdown  # noqa: E402 (found by the line above)
from experiments.ceilings import read as read_medians_of  # noqa: E402
from experiments.markdown import LEFT, RIGHT  # noqa: E402
from thesis_tables import markers  # noqa: E402
from thesis_tables.published.schedule import read_published  # noqa: E402

MARKERS = "ladder"
BASE = ("cuda_simple", "naive")
REPORTS = {  # variant -> report
    "tile32": "b32",
    "tile64": "tile64-2x2",
    "batched-blocked": "batched-0-blocked",
    "batched-registers": "batched-1-registers",
    "batched-6x6": "batched-2-6x6",
    "batched": "batched-3-interior",
}
SHOWN_SIZE = 10000  # the reports' largest
NONE = "–"
NUMBERS = (LEFT, RIGHT)  # a name, then numbers

# What limits each rung: a ceiling, and how much of it one relaxation takes. A kernel that launches
# once per k has to read all distances each time, 4 bytes a relaxation. `auto` is limited by
# whichever rung it takes.
LIMITS: dict[tuple[str, str], tuple[str, int]] = {
    ("cuda_simple", "thesis"): ("memory_read", 4),
    ("cuda_simple", "naive"): ("memory_read", 4),
    ("cuda_simple", "vector"): ("memory_read", 4),
    ("cuda_blocked", "thesis"): ("viaddmin_s32", 1),
    ("cuda_blocked", "pivot"): ("viaddmin_s32", 1),
    ("cuda_blocked", "tile32"): ("viaddmin_s32", 1),
    ("cuda_blocked", "tile64"): ("viaddmin_s32", 1),
    ("cuda_blocked", "batched-blocked"): ("viaddmin_s32", 1),
    ("cuda_blocked", "batched-registers"): ("viaddmin_s32", 1),
    ("cuda_blocked", "batched-6x6"): ("viaddmin_s32", 1),
    ("cuda_blocked", "batched"): ("viaddmin_s32", 1),
    ("cuda_blocked", "dpx32"): ("viaddmin_s32", 1),
    ("cuda_blocked", "resident"): ("viaddmin_u16x2", 1),
    ("cuda_blocked", "dpx16"): ("viaddmin_u16x2", 1),
    ("cuda_blocked", "tensor"): ("bf16_mma", 1),
}
UNITS = {  # in the file -> in the table
    "relaxations/s": ("T relaxations/s", 1e12),
    "multiply-adds/s": ("T multiply-adds/s", 1e12),
    "bytes/s": ("GB/s", 1e9),
}

Key = tuple[str, str, int, bool]  # program, variant, vertices, predecessors
Medians = dict[Key, float]  # seconds


@dataclasses.dataclass(frozen=True)
class Ceiling:
    """What the GPU does at best of one thing."""

    value: float  # median
    unit: str

    def shown(self) -> str:
        name, scale = UNITS.get(self.unit, (self.unit, 1))
        return f"{self.value / scale:.1f} {name}"


Ceilings = dict[str, Ceiling]  # by name


def read_medians(path: Path) -> Medians:
    """Median seconds of each measurement, in the order of the file."""
    seconds: dict[Key, list[float]] = {}
    edges: dict[str, str] = {}  # by vertices
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if edges.setdefault(row["vertices"], row["edges"]) != row["edges"]:
                raise ValueError(f"{path}: expected one graph of {row['vertices']} vertices, found "
                                 f"{edges[row['vertices']]} and {row['edges']} edges")
            if row["checked"] == "1":
                key = (row["program"], row["variant"], int(row["vertices"]),
                       row["predecessors"] == "1")
                seconds.setdefault(key, []).append(float(row["solve_s"]))
    return {key: statistics.median(values) for key, values in seconds.items()}


def read_ceilings(path: Path) -> Ceilings:
    """The medians, in the order of the file; none if there is no file."""
    return {name: Ceiling(value, unit)
            for (name, unit), value in read_medians_of(path, ("name", "unit")).items()}


def devices(path: Path) -> set[str]:
    with open(path, encoding="utf-8", newline="") as file:
        return {row["device"] for row in csv.DictReader(file)}


def check_devices(timings: Path, ceilings: Path) -> None:
    """One card's ceilings say nothing about another's times."""
    if not ceilings.exists():
        return
    expected, found = devices(timings), devices(ceilings)
    if found - expected:
        raise ValueError(f"{ceilings}: expected ceilings of {', '.join(sorted(expected))}, "
                         f"found {', '.join(sorted(found))}")


def default_ceilings(timings: Path) -> Path:
    """ladder_h200.csv -> ceilings_h200.csv"""
    beside = timings.name.replace("ladder", "ceilings", 1)
    return timings.with_name(beside if beside != timings.name else "ceilings.csv")


def published_speedups() -> dict[tuple[str, int], float]:
    """By report and |V|."""
    return {(row["report"], int(row["n"])): float(row["speedup"])
            for row in read_published("course_reports.csv")}


def report_speedups(medians: Medians) -> dict[str, dict[int, float]]:
    """Ours, over our naive kernel, distances only: by report and |V|."""
    speedups: dict[str, dict[int, float]] = {}
    for variant, report in REPORTS.items():
        for (program, name, vertices, predecessors), seconds in medians.items():
            base = medians.get((*BASE, vertices, False))
            if (program, name, predecessors) == ("cuda_blocked", variant, False) and base:
                speedups.setdefault(report, {})[vertices] = base / seconds
    return speedups


def milliseconds(seconds: Optional[float]) -> str:
    if seconds is None:
        return NONE
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def rate(vertices: int, seconds: Optional[float]) -> str:
    return NONE if seconds is None else f"{vertices**3 / seconds / 1e12:.2f}"


def ratio(numerator: Optional[float], denominator: Optional[float]) -> str:
    return NONE if numerator is None or denominator is None else f"{numerator / denominator:.1f}"


def of_the_ceiling(variant: tuple[str, str], vertices: int, seconds: Optional[float],
                   ceilings: Ceilings) -> str:
    name, each = LIMITS.get(variant, ("", 1))
    ceiling = ceilings.get(name)
    if seconds is None or ceiling is None:
        return NONE
    return f"{100 * vertices**3 / seconds * each / ceiling.value:.0f} %"


def variants_of(medians: Medians) -> list[tuple[str, str]]:
    """In the order of the shown size, at which a variant that refuses a smaller graph is not out
    of its turn; then those that are not measured there."""
    shown = [key for key in medians if key[2] == SHOWN_SIZE]
    return list(dict.fromkeys(key[:2] for key in [*shown, *medians]))


def render_ladder(medians: Medians, published: dict[tuple[str, int], float],
                  ceilings: Ceilings) -> str:
    base = medians.get((*BASE, SHOWN_SIZE, False))
    head = ["variant", "D, ms", "D, T/s", *(["of the ceiling"] if ceilings else []), "over naive",
            "report's own", "D + Π, ms", "D + Π, T/s"]
    rows = []
    for program, variant in variants_of(medians):
        plain = medians.get((program, variant, SHOWN_SIZE, False))
        full = medians.get((program, variant, SHOWN_SIZE, True))
        if plain is None and full is None:
            continue
        reported = published.get((REPORTS.get(variant, ""), SHOWN_SIZE))
        limit = of_the_ceiling((program, variant), SHOWN_SIZE, plain, ceilings)
        rows.append([f"`{program} {variant}`", milliseconds(plain), rate(SHOWN_SIZE, plain),
                     *([limit] if ceilings else []), ratio(base, plain),
                     NONE if reported is None else f"{reported:.1f}", milliseconds(full),
                     rate(SHOWN_SIZE, full)])
    return markdown.table(head, rows, NUMBERS)


def render_rates(medians: Medians, vertices: int, ceilings: Ceilings) -> str:
    head = ["variant", "D, T/s", *(["of the ceiling"] if ceilings else []), "D + Π, T/s"]
    rows = []
    for program, variant in dict.fromkeys(key[:2] for key in medians if key[2] == vertices):
        plain = medians.get((program, variant, vertices, False))
        limit = of_the_ceiling((program, variant), vertices, plain, ceilings)
        rows.append([f"`{program} {variant}`", rate(vertices, plain),
                     *([limit] if ceilings else []),
                     rate(vertices, medians.get((program, variant, vertices, True)))])
    return markdown.table(head, rows, NUMBERS)


def render_sizes(medians: Medians, sizes: list[int]) -> str:
    rows = []
    for program, variant in variants_of(medians):
        for predecessors in (False, True):
            cells = [medians.get((program, variant, size, predecessors)) for size in sizes]
            if any(cell is not None for cell in cells):
                name = f"`{program} {variant}` {'D + Π' if predecessors else 'D'}"
                rows.append([name, *map(milliseconds, cells)])
    return markdown.table(["variant", *(f"V = {size}" for size in sizes)], rows, NUMBERS)


def render_speedups(medians: Medians, published: dict[tuple[str, int], float]) -> str:
    """At each of the reports' sizes: ours, and the report's own."""
    sizes = sorted({size for _, size in published})
    ours = report_speedups(medians)
    rows = []
    for variant, report in REPORTS.items():
        cells = []
        for size in sizes:
            measured = ours.get(report, {}).get(size)
            cells.append(f"{NONE if measured is None else f'{measured:.1f}'} "
                         f"({published[report, size]:.1f})")
        rows.append([f"`{variant}` ({report})", *cells])
    return markdown.table(["variant (report)", *(f"V = {size}" for size in sizes)], rows, NUMBERS)


def render_ceilings(medians: Medians, ceilings: Ceilings) -> str:
    measured = {key[:2] for key in medians}
    rows = []
    for name, ceiling in ceilings.items():
        limited = [f"`{program} {variant}`" for (program, variant), (limit, _) in LIMITS.items()
                   if limit == name and (program, variant) in measured]
        rows.append([f"`{name}`", ceiling.shown(), ", ".join(limited) or NONE])
    return markdown.table(["ceiling", "measured", "variants"], rows, NUMBERS)


def render(medians: Medians, published: dict[tuple[str, int], float],
           ceilings: Optional[Ceilings] = None) -> str:
    ceilings = ceilings or {}
    sizes = sorted({key[2] for key in medians})
    parts = [
        f"At V = {SHOWN_SIZE}, 2 % of all edges. D: distances only; Π: predecessors; T/s: 10¹² "
        "relaxations (V³) a second.",
        render_ladder(medians, published, ceilings),
    ]
    if sizes and sizes[-1] > SHOWN_SIZE:
        parts += [f"At the largest size, V = {sizes[-1]}:",
                  render_rates(medians, sizes[-1], ceilings)]
    parts += ["Speed-up over the naive kernel, distances only, ours (the report's own):",
              render_speedups(medians, published)]
    parts += ["Milliseconds at every size measured:", render_sizes(medians, sizes)]
    if ceilings:
        parts += ["What the same GPU does at best, each alone (`make bench-ceilings`), and whose "
                  "ceiling it is. `cuda_simple` is limited by what it has to read, 4 bytes a "
                  "relaxation; the others by the instruction that relaxes:",
                  render_ceilings(medians, ceilings)]
    return "\n\n".join(parts)


def render_file(timings: Path, ceilings: Optional[Path] = None) -> str:
    """Raises ValueError for files that are not what they should be."""
    ceilings = ceilings or default_ceilings(timings)
    try:
        check_devices(timings, ceilings)
        return render(read_medians(timings), published_speedups(),
                      read_ceilings(ceilings))
    except KeyError as error:
        raise ValueError(f"{timings} or {ceilings}: expected a column {error}") from None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--timings", type=Path, required=True, metavar="CSV")
    parser.add_argument("--ceilings", type=Path, metavar="CSV",
                        help="ceilings of the same GPU (default: beside the timings, 'ceilings' "
                             "for 'ladder' in the name; without the file, tables without them)")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help="file with the markers (default: standard output)")
    options = parser.parse_args(arguments)
    try:
        text = render_file(options.timings, options.ceilings)
        if options.into is None:
            print(text)
        else:
            markers.insert(text, options.into, MARKERS)
    except (OSError, ValueError) as error:
        print(f"ladder.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
