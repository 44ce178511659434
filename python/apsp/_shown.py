# SPDX-License-Identifier: MIT
"""How results show themselves: one line, as a notebook prints for the last value of a cell."""

from __future__ import annotations

import math
from typing import Any, Optional


def shown(name: str, *parts: Optional[str]) -> str:
    """<apsp.NAME: PART, PART, ...>; parts that are None are left out."""
    return "<apsp.%s: %s>" % (name, ", ".join(part for part in parts if part is not None))


def sources_shown(count: int, n: int) -> str:
    return "%d vertices, all of them sources" % n if count == n else \
        "%d vertices, %s" % (n, "one of them the source" if count == 1 else "%d of them sources" % count)


def limit_shown(limit: float) -> Optional[str]:
    return None if limit == math.inf else "nothing beyond %g" % limit


def proof_shown(proved: bool) -> str:
    return "proved" if proved else "not proved"


def grid_shown(result: Any) -> Optional[str]:
    return None if result.grid_spacing == 0 else "weights as multiples of %.3g, distances within %.2g" % (
        result.grid_spacing, result.grid_error)
