# SPDX-License-Identifier: MIT
"""python3 -m apsp convert IN OUT: a table of edges, which the programs read, of another file."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

from apsp._errors import ApspError, ReadingWarning
from apsp._files import OWN_FORMATS, convert
from apsp._foreign import READERS


def _print_note(message: Any, *_: Any, **__: Any) -> None:
    print("apsp convert: note: %s" % message, file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m apsp")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("convert", help="write a graph as CSV: source,target,weight",
                                  description="Reads a graph and writes it as CSV: "
                                              "source,target,weight. The content of IN tells its "
                                              "format; names of vertices are kept.")
    command.add_argument("source", metavar="IN", help="a file")
    command.add_argument("target", metavar="OUT", help="the file to write; - is standard output")
    command.add_argument("--format", choices=[*OWN_FORMATS, *READERS], metavar="NAME",
                         help="of IN: " + ", ".join([*OWN_FORMATS, *READERS]))
    command.add_argument("--weight", metavar="NAME",
                         help="the attribute, column or variable that has the weights")
    command.add_argument("--unweighted", action="store_true", help="every edge weighs 1")
    command.add_argument("--undirected", action="store_true", help="every edge leads both ways")
    command.add_argument("--keep-gaps", action="store_true",
                         help="numbers of a list that do not occur are vertices, too")
    command.add_argument("--through-zones", action="store_true",
                         help="paths may lead through the zones of a TNTP network")
    given = parser.parse_args()
    if given.unweighted and given.weight is not None:
        parser.error("--weight and --unweighted exclude each other")
    warnings.simplefilter("always", ReadingWarning)
    warnings.showwarning = _print_note
    try:
        graph = convert(given.source, given.target, format=given.format,
                        weight=False if given.unweighted else given.weight,
                        directed=False if given.undirected else None,
                        keep_gaps=given.keep_gaps, through_zones=given.through_zones)
    except (ApspError, ImportError, MemoryError, OSError, ValueError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        print("apsp convert: " + said, file=sys.stderr)
        return error.status if isinstance(error, ApspError) else \
            4 if isinstance(error, (ImportError, MemoryError)) or said.startswith("cannot write ") else 2
    if given.target != "-":
        print("%s: %d vertices, %d %sdirected edges, weights: %s"
              % (given.target, len(graph), len(graph.heads), "" if graph.directed else "un",
                 graph.weight or "all 1"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
