# SPDX-License-Identifier: MIT
"""The best that a machine does, measured by the programs of this folder."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Sequence
from pathlib import Path


def read(path: Path, columns: Sequence[str]) -> dict[tuple[str, ...], float]:
    """The medians of `value`, one for all rows that agree in `columns`, in the order of the file; empty
    if there is no file. Raises ValueError if a row lacks a column."""
    values: dict[tuple[str, ...], list[float]] = {}
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            missing = [name for name in ("value", *columns) if row.get(name) is None]
            if missing:
                raise ValueError(f"{path}: expected a column '{missing[0]}' in every row")
            values.setdefault(tuple(row[name] for name in columns), []).append(float(row["value"]))
    return {key: statistics.median(each) for key, each in values.items()}
