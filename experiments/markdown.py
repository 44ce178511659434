# SPDX-License-Identifier: MIT
"""How numbers and tables are written in Markdown, for every report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

LEFT, RIGHT = "---", "---:"


def table(head: Sequence[str], rows: Iterable[Sequence[str]],
          alignment: Sequence[str] = (LEFT,)) -> str:
    """A table. `alignment` holds LEFT or RIGHT for each column; its last entry counts for all
    columns that follow."""
    rules = [*alignment, *[alignment[-1]] * len(head)][:len(head)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rules, *rows])


def significant(number: float) -> str:
    """Three significant digits, without an exponent if that stays readable."""
    if number == 0:
        return "0"
    rounded = float(f"{number:.2e}")
    if rounded < 1e-3 or rounded >= 1e7:
        return f"{number:.2e}"
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"
