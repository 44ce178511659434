# SPDX-License-Identifier: MIT
"""The CSV of timings: its columns, and reading and appending measurements.

One row is one repetition and carries every parameter. The rows of one cell, a
measurement, are appended in one write, so that what a killed campaign leaves
behind is at worst an incomplete last measurement; read() drops it.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import os
import statistics
from pathlib import Path
from typing import Optional

COLUMNS = (
    "class", "vertices", "edges", "seed", "program", "variant", "predecessors", "threads", "tile",
    "device", "cpu", "build", "commit", "environment", "repetition", "repetitions", "solve_s",
    "total_s", "verified", "timestamp", "transfer_s", "chosen", "others",
)
HEADER = ",".join(COLUMNS) + "\n"
LATER_COLUMNS = 3  # columns added at the end, one by one; files without them are read, too
PER_REPETITION = ("repetition", "solve_s", "total_s", "transfer_s")


class TimingsError(Exception):
    """A file that is not a CSV of timings. The text names file and line."""


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One program's repetitions on one graph, and all that they depend on."""

    graph_class: str
    vertices: int
    edges: int
    seed: int
    program: str
    variant: str
    predecessors: bool
    threads: int  # number of threads; 0: a GPU solves
    tile: int  # side of a tile; 0: the variant has no tiles
    device: str  # the GPU's name, or ""
    cpu: str
    build: str  # start of the SHA-256 of the program's file
    commit: str
    environment: str  # id of the record in environment.json
    verified: bool
    timestamp: str  # UTC, ISO 8601: orders as text
    solve_s: tuple[float, ...]
    total_s: tuple[float, ...]
    transfer_s: tuple[Optional[float], ...]  # seconds of copies, a part of total_s; None: not recorded
    chosen: str = ""  # the variant that a choosing variant took; "": none, or not recorded
    others: Optional[float] = None  # cores that other processes kept busy; None: not recorded

    @property
    def repetitions(self) -> int:
        return len(self.solve_s)

    def median(self, clock: str) -> float:
        """Seconds by one of the two clocks, "solve_s" or "total_s"."""
        return float(statistics.median(getattr(self, clock)))

    def rows(self) -> list[dict[str, object]]:
        common = {
            "class": self.graph_class, "predecessors": int(self.predecessors),
            "repetitions": self.repetitions, "verified": int(self.verified),
            "others": "" if self.others is None else f"{self.others:.2f}",
        }
        for name in COLUMNS:
            if name not in common and name not in PER_REPETITION:
                common[name] = getattr(self, name)
        return [
            {**common, "repetition": number, "solve_s": f"{solve:.9g}", "total_s": f"{total:.9g}",
             "transfer_s": "" if transfer is None else f"{transfer:.9g}"}
            for number, (solve, total, transfer) in enumerate(
                zip(self.solve_s, self.total_s, self.transfer_s), start=1)
        ]


def _from_rows(rows: list[dict[str, str]]) -> Measurement:
    first = rows[0]
    return Measurement(
        graph_class=first["class"],
        vertices=int(first["vertices"]),
        edges=int(first["edges"]),
        seed=int(first["seed"]),
        program=first["program"],
        variant=first["variant"],
        predecessors=first["predecessors"] == "1",
        threads=int(first["threads"]),
        tile=int(first["tile"]),
        device=first["device"],
        cpu=first["cpu"],
        build=first["build"],
        commit=first["commit"],
        environment=first["environment"],
        verified=first["verified"] == "1",
        timestamp=first["timestamp"],
        solve_s=tuple(float(row["solve_s"]) for row in rows),
        total_s=tuple(float(row["total_s"]) for row in rows),
        transfer_s=tuple(float(row["transfer_s"]) if row["transfer_s"] else None for row in rows),
        chosen=first["chosen"],
        others=float(first["others"]) if first["others"] else None,
    )


def _parse_row(line: str, columns: tuple[str, ...]) -> dict[str, str]:
    """Parses a row. Raises ValueError with the reason."""
    try:
        fields = next(csv.reader([line], strict=True))
    except (csv.Error, StopIteration) as error:
        raise ValueError(str(error) or "empty line") from None
    if len(fields) != len(columns):
        raise ValueError(f"expected {len(columns)} fields, found {len(fields)}")
    row = {**dict.fromkeys(COLUMNS[-LATER_COLUMNS:], ""), **dict(zip(columns, fields))}
    for name in ("vertices", "edges", "seed", "threads", "tile", "repetition", "repetitions"):
        if not (row[name].isascii() and row[name].isdigit()):
            raise ValueError(f"expected a number as {name}, found '{row[name]}'")
    for name in ("solve_s", "total_s", "transfer_s", "others"):
        if name in COLUMNS[-LATER_COLUMNS:] and not row[name]:
            continue
        if not (math.isfinite(float(row[name])) and float(row[name]) >= 0):
            raise ValueError(f"expected a number, 0 or more, as {name}, found '{row[name]}'")
    for name in ("predecessors", "verified"):
        if row[name] not in ("0", "1"):
            raise ValueError(f"expected 0 or 1 as {name}, found '{row[name]}'")
    return row


def _parse_rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    lines.pop()  # the text after the last line feed: empty, or a half-written line
    if not lines:
        return []
    versions = (COLUMNS[:len(COLUMNS) - missing] for missing in range(LATER_COLUMNS + 1))
    columns = next((known for known in versions if lines[0] == ",".join(known)), None)
    if columns is None:
        raise TimingsError(f"{path}:1: expected the header '{HEADER.strip()}': "
                           "not a file of timings, or one of another version")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            rows.append(_parse_row(line, columns))
        except ValueError as error:
            # A crash of the machine can leave a malformed line, but only at the end.
            if number != len(lines):
                raise TimingsError(f"{path}:{number}: {error}") from None
    return rows


def _same_measurement(left: dict[str, str], right: dict[str, str]) -> bool:
    return all(left[name] == right[name] for name in COLUMNS if name not in PER_REPETITION)


def read(path: Path) -> list[Measurement]:
    """The complete measurements in the file, oldest first; [] if there is no file."""
    if not path.exists():
        return []
    measurements = []
    pending: list[dict[str, str]] = []
    for row in _parse_rows(path):
        if pending and not (_same_measurement(pending[-1], row)
                            and int(row["repetition"]) == len(pending) + 1):
            pending = []  # the repetitions of the measurement before were never completed
        if int(row["repetition"]) != len(pending) + 1:
            continue
        pending.append(row)
        if len(pending) == int(row["repetitions"]):
            measurements.append(_from_rows(pending))
            pending = []
    return measurements


def _as_text(measurements: list[Measurement]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    for measurement in measurements:
        writer.writerows(measurement.rows())
    return text.getvalue()


def repair(path: Path) -> bool:
    """Rewrites the file without incomplete measurements, with all columns. Returns whether it
    changed."""
    if not path.exists():
        return False
    whole = (HEADER + _as_text(read(path))).encode()
    found = path.read_bytes()
    if found == whole:
        return False
    temporary = path.with_name(path.name + ".repaired")
    temporary.write_bytes(whole)
    os.replace(temporary, path)
    return len(found) > 0


def append(path: Path, measurement: Measurement) -> None:
    """Appends all rows in one write, flushed to the disk."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        before = os.fstat(file).st_size
        text = _as_text([measurement])
        data = (text if before > 0 else HEADER + text).encode()
        if os.write(file, data) != len(data):
            os.ftruncate(file, before)
            raise OSError(f"cannot write {path}: the file system is full")
        os.fsync(file)
    finally:
        os.close(file)
