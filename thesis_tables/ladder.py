#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders the ladder of GPU variants from bench_gpu.py's rows, beside the reports' figures.

    python3 thesis_tables/ladder.py --timings CSV --into cuda_blocked/README.md

The tables replace what stands between the markers <!-- ladder --> and <!-- end of ladder -->.
Only rows that were checked count; times are medians of solve_s. Speed-ups are over our own naive
kernel, distances only, as the reports took theirs over their own. A cell without a measurement
says so. If bench_gpu.py's ceilings lie beside the timings, each rung is also measured by what
the GPU does at best. Which ceiling bounds a rung, and which report describes it, say the built
programs (--bin).
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
from experiments import variants as descriptions  # noqa: E402
from experiments.bench import BenchError  # noqa: E402
from experiments.ceilings import read as read_medians_of  # noqa: E402
from experiments.markdown import LEFT, RIGHT  # noqa: E402
from experiments.variants import Variants  # noqa: E402
from thesis_tables import markers  # noqa: E402
from thesis_tables.published.schedule import report_speedups as published_speedups  # noqa: E402

MARKERS = "ladder"
PROGRAMS = ("cuda_simple", "cuda_blocked")
BASE = ("cuda_simple", "naive")
SHOWN_SIZE = 10000  # |V| of the reports' largest graph
NONE = "–"
NUMBERS = (LEFT, RIGHT)  # alignment: a name, then numbers

UNITS = {  # unit in the file -> unit in the table, and its scale
    "relaxations/s": ("T relaxations/s", 1e12),
    "multiply-adds/s": ("T multiply-adds/s", 1e12),
    "bytes/s": ("GB/s", 1e9),
}

Key = tuple[str, str, int, bool]  # (program, variant, vertices, predecessors)
Medians = dict[Key, float]  # seconds
SpeedUps = dict[str, dict[int, float]]  # speed-ups over the naive kernel, by report and |V|


@dataclasses.dataclass(frozen=True)
class Ceiling:
    """The highest rate of one kind of work on the GPU."""

    value: float  # median rate, in `unit`
    unit: str

    def shown(self) -> str:
        name, scale = UNITS.get(self.unit, (self.unit, 1))
        return f"{self.value / scale:.1f} {name}"


Ceilings = dict[str, Ceiling]  # ceilings by name


def read_medians(path: Path) -> Medians:
    """Median seconds of each measurement, in the order of the file."""
    seconds: dict[Key, list[float]] = {}
    edges: dict[str, str] = {}  # number of edges, by number of vertices
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
    """Raises ValueError unless ceilings and times are of one kind of GPU."""
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


def reports_of(variants: Variants) -> dict[str, str]:
    """The reports, by the variant of cuda_blocked that is written after each."""
    return {name: variant.report for (program, name), variant in variants.items()
            if program == "cuda_blocked" and variant.report is not None}


def report_speedups(medians: Medians, variants: Variants) -> SpeedUps:
    """The measured speed-ups over the measured naive kernel, distances only."""
    speedups: SpeedUps = {}
    for variant, report in reports_of(variants).items():
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


def of_the_ceiling(key: tuple[str, str], vertices: int, seconds: Optional[float],
                   ceilings: Ceilings, variants: Variants) -> str:
    variant = variants.get(key)
    ceiling = ceilings.get(variant.ceiling or "") if variant is not None else None
    if seconds is None or variant is None or ceiling is None:
        return NONE
    return f"{100 * vertices**3 / seconds * (variant.ceiling_units or 1) / ceiling.value:.0f} %"


def variants_of(medians: Medians) -> list[tuple[str, str]]:
    """The variants in their order at SHOWN_SIZE, then those that were not measured there. At another
    size, a variant that refuses small graphs would be out of its place."""
    shown = [key for key in medians if key[2] == SHOWN_SIZE]
    return list(dict.fromkeys(key[:2] for key in [*shown, *medians]))


def render_ladder(medians: Medians, published: SpeedUps, ceilings: Ceilings,
                  variants: Variants) -> str:
    reports = reports_of(variants)
    base = medians.get((*BASE, SHOWN_SIZE, False))
    head = ["variant", "D, ms", "D, T/s", *(["of the ceiling"] if ceilings else []), "over naive",
            "report's own", "D + Π, ms", "D + Π, T/s"]
    rows = []
    for program, variant in variants_of(medians):
        plain = medians.get((program, variant, SHOWN_SIZE, False))
        full = medians.get((program, variant, SHOWN_SIZE, True))
        if plain is None and full is None:
            continue
        reported = published.get(reports.get(variant, ""), {}).get(SHOWN_SIZE)
        limit = of_the_ceiling((program, variant), SHOWN_SIZE, plain, ceilings, variants)
        rows.append([f"`{program} {variant}`", milliseconds(plain), rate(SHOWN_SIZE, plain),
                     *([limit] if ceilings else []), ratio(base, plain),
                     NONE if reported is None else f"{reported:.1f}", milliseconds(full),
                     rate(SHOWN_SIZE, full)])
    return markdown.table(head, rows, NUMBERS)


def render_rates(medians: Medians, vertices: int, ceilings: Ceilings, variants: Variants) -> str:
    head = ["variant", "D, T/s", *(["of the ceiling"] if ceilings else []), "D + Π, T/s"]
    rows = []
    for program, variant in dict.fromkeys(key[:2] for key in medians if key[2] == vertices):
        plain = medians.get((program, variant, vertices, False))
        limit = of_the_ceiling((program, variant), vertices, plain, ceilings, variants)
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


def render_speedups(medians: Medians, published: SpeedUps, variants: Variants) -> str:
    """A table of the measured speed-ups and the reports' own ones, at each of the reports' sizes."""
    sizes = sorted({size for own in published.values() for size in own})
    ours = report_speedups(medians, variants)
    rows = []
    for variant, report in reports_of(variants).items():
        cells = []
        for size in sizes:
            measured = ours.get(report, {}).get(size)
            cells.append(f"{NONE if measured is None else f'{measured:.1f}'} "
                         f"({published[report][size]:.1f})")
        rows.append([f"`{variant}` ({report})", *cells])
    return markdown.table(["variant (report)", *(f"V = {size}" for size in sizes)], rows, NUMBERS)


def render_ceilings(medians: Medians, ceilings: Ceilings, variants: Variants) -> str:
    measured = {key[:2] for key in medians}
    rows = []
    for name, ceiling in ceilings.items():
        limited = [f"`{program} {variant}`" for (program, variant), each in variants.items()
                   if each.ceiling == name and (program, variant) in measured]
        rows.append([f"`{name}`", ceiling.shown(), ", ".join(limited) or NONE])
    return markdown.table(["ceiling", "measured", "variants"], rows, NUMBERS)


def render(medians: Medians, published: SpeedUps, variants: Variants,
           ceilings: Optional[Ceilings] = None) -> str:
    ceilings = ceilings or {}
    sizes = sorted({key[2] for key in medians})
    parts = [
        f"At V = {SHOWN_SIZE}, 2 % of all edges. D: distances only; Π: predecessors; T/s: 10¹² "
        "relaxations (V³) a second.",
        render_ladder(medians, published, ceilings, variants),
    ]
    if sizes and sizes[-1] > SHOWN_SIZE:
        parts += [f"At the largest size, V = {sizes[-1]}:",
                  render_rates(medians, sizes[-1], ceilings, variants)]
    parts += ["Speed-up over the naive kernel, distances only, ours (the report's own):",
              render_speedups(medians, published, variants)]
    parts += ["Milliseconds at every size measured:", render_sizes(medians, sizes)]
    if ceilings:
        parts += ["What the same GPU does at best, each alone (`make bench-ceilings`), and whose "
                  "ceiling it is. `cuda_simple` is limited by what it has to read, 4 bytes a "
                  "relaxation; the others by the instruction that relaxes:",
                  render_ceilings(medians, ceilings, variants)]
    return "\n\n".join(parts)


def read_variants(bin_dir: Path) -> Variants:
    """Reads the descriptions of all variants from the programs. Raises ValueError if they are not
    built."""
    try:
        return descriptions.read(bin_dir, PROGRAMS)
    except BenchError as error:
        raise ValueError(str(error)) from None


def render_file(timings: Path, variants: Variants, ceilings: Optional[Path] = None) -> str:
    """Renders the ladder into a page. Raises ValueError for malformed files."""
    ceilings = ceilings or default_ceilings(timings)
    try:
        check_devices(timings, ceilings)
        return render(read_medians(timings), published_speedups(), variants,
                      read_ceilings(ceilings))
    except KeyError as error:
        raise ValueError(f"{timings} or {ceilings}: expected a column {error}") from None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--timings", type=Path, required=True, metavar="CSV")
    parser.add_argument("--ceilings", type=Path, metavar="CSV",
                        help="ceilings of the same GPU (default: beside the timings, 'ceilings' "
                             "for 'ladder' in the name; without the file, tables without them)")
    parser.add_argument("--bin", type=Path, default=descriptions.default_bin(), metavar="DIR",
                        help="folder of the programs, which describe their variants (bin)")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help="file with the markers (default: standard output)")
    options = parser.parse_args(arguments)
    try:
        text = render_file(options.timings, read_variants(options.bin), options.ceilings)
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
