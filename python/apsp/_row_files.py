# SPDX-License-Identifier: MIT
"""Rows in files instead of memory, in the formats of the programs."""

from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Union

from apsp import _library
from apsp._problem import How, HowArguments, Unpack, solve_into, sources_of, undivided

_lib = _library.LIB
# Formats without predecessors.
_WITHOUT_PREDECESSORS = ("npz",)


def solve_to_files(csgraph: Any, path: Union[str, "os.PathLike[str]"], sources: Any = None, *,
                   format: str = "npy", targets: Any = None, limit: float = math.inf,
                   predecessors: bool = False, directed: bool = True, unweighted: bool = False,
                   resume: bool = False, **how: Unpack[HowArguments]) -> int:
    """Writes what solve() computes to files, row by row, of any size: memory is needed for a few rows.

    path: the beginning of the names of NumPy's files, path.dist.npy, path.pred.npy and path.json, of
        SciPy's path.npz, or the name of a file of text.
    format: "npy"; "npy:uint8" or "npy:uint16", distances that are integers in fewer bytes; "npy:auto", the
        smallest type that is certain to hold them; "npz", a sparse matrix of the finite distances, which
        scipy.sparse.load_npz reads and which is kept in memory until the end; "text", kept in memory, too.
    targets: the vertices of the columns, which must be different, in this order; None for all.
    predecessors: whether to write them as well; not with targets or "npz".
    resume: whether a call that is interrupted, or runs out of memory or disk, leaves its finished rows in
        path.partial, and the next call with the same arguments goes on with them; for NumPy's files. It
        goes on with rows of the program apsp, too.
    The other arguments, and exceptions, are those of solve().

    Distances are int32 if weights are integers and distances fit in 30 bits, int64 if only those of 53
    bits do, and otherwise float64; path.json says what stands for "no path". The files appear when they are complete, or not at all. Raises ValueError if a distance does not fit
    in the format's type, or, with resume, if path.partial keeps rows of other arguments. Returns the
    number of rows that were found in path.partial, 0 without resume.

    >>> import apsp, os, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     kept = apsp.solve_to_files([[0, 5, 9], [0, 0, 1], [0, 0, 0]], place + "/far", format="npy:auto")
    ...     print(numpy.load(place + "/far.dist.npy"))
    [[  0   5   6]
     [255   0   1]
     [255 255   0]]
    """
    chosen = How(**how)
    for name, given in (("targets", targets is not None),
                        ("format=%r" % format, format in _WITHOUT_PREDECESSORS)):
        if predecessors and given:
            raise ValueError("predecessors: expected none with %s" % name)
    problem = undivided(chosen.edges_in(csgraph, unweighted), sources, limit, directed, unweighted,
                        chosen, "go to files")
    problem.ask_for_integers()
    columns = sources_of(targets, problem.n, "targets")
    kept = ctypes.c_int32(0)
    files = _library.new(_library.Files, path=os.fsencode(path), format=str(format).encode(), resume=bool(resume),
                         rows_kept=ctypes.addressof(kept))
    if columns is not None:
        files.targets, files.target_count = columns.ctypes.data, len(columns)
    if problem.may_be_inexact and not problem.tells_integers():
        raise ValueError("expected integral weights below 2^53 and no grid, or weights in floating point, "
                         "whose distances may be rounded")
    solve_into(lambda sink, error: _lib.apsp_sink_files(sink, ctypes.byref(files), error), problem,
               predecessors, 0)
    return kept.value
