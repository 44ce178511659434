#!/usr/bin/env python3
"""Renders the ladder of GPU variants from bench_gpu.py's rows, beside the reports' figures.

    python3 thesis_tables/ladder.py --timings CSV --into cuda_blocked/README.md

The tables replace what stands between the markers <!-- ladder --> and <!-- end of ladder -->.
Only rows that were checked count; times are medians of solve_s. Speed-ups are over our own naive
kernel, distances only, as the reports took theirs over their own. A cell without a measurement
says so.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Optional

PUBLISHED = Path(__file__).resolve().parent / "published" / "course_reports.csv"
BEGIN, END = "<!-- ladder -->", "<!-- end of ladder -->"
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

Key = tuple[str, str, int, bool]  # program, variant, vertices, predecessors


def read_medians(path: Path) -> dict[Key, float]:
    """Median seconds of each measurement, in the order of the file."""
    seconds: dict[Key, list[float]] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["checked"] == "1":
                key = (row["program"], row["variant"], int(row["vertices"]),
                       row["predecessors"] == "1")
                seconds.setdefault(key, []).append(float(row["solve_s"]))
    return {key: statistics.median(values) for key, values in seconds.items()}


def read_published() -> dict[tuple[str, int], float]:
    with open(PUBLISHED, encoding="utf-8", newline="") as file:
        return {(row["report"], int(row["n"])): float(row["speedup"])
                for row in csv.DictReader(file)}


def milliseconds(seconds: Optional[float]) -> str:
    if seconds is None:
        return NONE
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def rate(vertices: int, seconds: Optional[float]) -> str:
    return NONE if seconds is None else f"{vertices**3 / seconds / 1e12:.2f}"


def ratio(numerator: Optional[float], denominator: Optional[float]) -> str:
    return NONE if numerator is None or denominator is None else f"{numerator / denominator:.1f}"


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def render(medians: dict[Key, float], published: dict[tuple[str, int], float]) -> str:
    variants = list(dict.fromkeys(key[:2] for key in medians))
    sizes = sorted({key[2] for key in medians})
    base = medians.get((*BASE, SHOWN_SIZE, False))
    ladder = []
    for program, variant in variants:
        plain = medians.get((program, variant, SHOWN_SIZE, False))
        full = medians.get((program, variant, SHOWN_SIZE, True))
        reported = published.get((REPORTS.get(variant, ""), SHOWN_SIZE))
        ladder.append([f"`{program} {variant}`", milliseconds(plain), rate(SHOWN_SIZE, plain),
                       ratio(base, plain), NONE if reported is None else f"{reported:.1f}",
                       milliseconds(full), rate(SHOWN_SIZE, full)])
    by_size = []
    for program, variant in variants:
        for predecessors in (False, True):
            cells = [medians.get((program, variant, size, predecessors)) for size in sizes]
            if any(cell is not None for cell in cells):
                name = f"`{program} {variant}` {'D + Π' if predecessors else 'D'}"
                by_size.append([name, *map(milliseconds, cells)])
    return "\n\n".join([
        f"At V = {SHOWN_SIZE}, 2 % of all edges. D: distances only; Π: predecessors; T/s: 10¹² "
        "relaxations (V³) a second.",
        table(["variant", "D, ms", "D, T/s", "over naive", "report's own", "D + Π, ms",
               "D + Π, T/s"], ladder),
        "Milliseconds at every size measured:",
        table(["variant", *(f"V = {size}" for size in sizes)], by_size),
    ])


def insert(text: str, path: Path) -> None:
    """Replaces what stands between the markers of the file."""
    old = path.read_text(encoding="utf-8")
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path}: expected the markers {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--timings", type=Path, required=True, metavar="CSV")
    parser.add_argument("--into", type=Path, metavar="FILE",
                        help="file with the markers (default: standard output)")
    options = parser.parse_args()
    text = render(read_medians(options.timings), read_published())
    if options.into is None:
        print(text)
        return 0
    try:
        insert(text, options.into)
    except (OSError, ValueError) as error:
        print(f"ladder.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
