# SPDX-License-Identifier: MIT
"""Text that is generated, between markers in a file that is otherwise written by hand."""

from __future__ import annotations

from pathlib import Path


def markers(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def between(text: str, name: str) -> str:
    """Returns what stands between the markers; raises ValueError if they are not in the text."""
    begin, end = markers(name)
    _, found, rest = text.partition(begin)
    inside, closed, _ = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"expected the markers {begin} and {end}")
    return inside


def insert(text: str, path: Path, name: str) -> None:
    """Replaces what stands between the markers of the file."""
    old = path.read_text(encoding="utf-8")
    begin, end = markers(name)
    try:
        inside = between(old, name)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    new = old.replace(f"{begin}{inside}{end}", f"{begin}\n\n{text}\n\n{end}", 1)
    path.write_text(new, encoding="utf-8")
