#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws betweenness.svg: the road network of closeness.svg, its roads the brighter the more shortest paths use them.

    python3 docs/pictures/betweenness.py            writes it beside this script
    python3 docs/pictures/betweenness.py --out DIR  or somewhere else

It needs the Python package apsp, and graphgen, which has to be built.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from closeness import COLOURS, draw_roads, place, road_network

# Widths of the lines in pixels, by colour.
WIDTHS = [0.7 + 4.3 * at / (len(COLOURS) - 1) for at in range(len(COLOURS))]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent, metavar="DIR",
                        help="folder for the picture (default: that of this script)")
    options = parser.parse_args(arguments)
    import apsp  # imported late, because --help does not need it
    with tempfile.TemporaryDirectory(prefix="apsp-betweenness-") as folder:
        graph, edges = road_network(Path(folder))
        found = apsp.betweenness(apsp.read(graph, directed=False), edges=True, engine="searches")
    flow = dict(zip(zip(found.edge_tails.tolist(), found.edge_heads.tolist()), found.edges.tolist()))
    most = max(flow.values())
    # By the square root, because few roads carry most of the traffic.
    levels = [(flow[min(edge), max(edge)] / most) ** 0.5 for edge in edges]
    drawn = draw_roads("A road network, its roads the brighter and wider the more shortest paths use them", edges,
                       place(edges), levels, WIDTHS)
    (options.out / "betweenness.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
