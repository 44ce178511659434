# SPDX-License-Identifier: MIT
"""Exceptions for the library's statuses, and signals that arrive while it works."""

from __future__ import annotations

import ctypes
import errno
import math
import os
import re
from typing import Any, Iterable, Optional, Union

from apsp import _library

try:
    from scipy.sparse.csgraph import NegativeCycleError as _Base
except ImportError:
    _Base = Exception  # type: ignore[assignment, misc]


class ApspError(RuntimeError):
    """An error of libapsp, in its own words; `status` is its status code."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> Any:  # pickle and copy call the class with these arguments
        return type(self), (str(self), self.status), self.__dict__


class InputError(ApspError, ValueError):
    """An ApspError because of what was given: a graph, an argument, or distances that do not fit."""


class NegativeCycleError(_Base):
    """There are no shortest paths. `cycle` is a list of vertices, each with an edge to the
    next and the last with one to the first; `weight` is what its edges weigh together.
    If SciPy is installed, this is a scipy.sparse.csgraph.NegativeCycleError too."""

    def __init__(self, message: str = "", cycle: Iterable[int] = (),
                 weight: Union[int, float] = 0) -> None:
        super().__init__(message)
        self.cycle, self.weight = list(cycle), weight

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.cycle, self.weight), self.__dict__


class ReadingWarning(UserWarning):
    """A warning about something that read() has otherwise than the file says, or leaves aside;
    graph.notes has it, too."""


for exception in ApspError, InputError, NegativeCycleError, ReadingWarning:
    exception.__module__ = "apsp"

# Name of an argument in this package, by its name in the library. The library's messages begin with its own
# name; one argument here may stand for several there.
ARGUMENTS = {"engine": "engine", "threads": "threads", "device": "device", "devices": "device",
             "device_count": "device", "dtype": "dtype", "rows": "rows"}


class Watch:
    """Lets Python handle signals while the library works: the library calls `callback` in the
    waiting thread, and Python handles signals whenever it runs code there. An exception of a
    handler cannot pass through the library: the callback keeps it and stops the work, and check()
    raises it."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        ears = self._listen()
        next(ears)
        self._callback = _library.Signals(ears.send)
        self.callback = ctypes.cast(self._callback, ctypes.c_void_p)

    def _listen(self) -> Any:
        # A generator, because signal handlers run when a function is entered, before its first line could
        # catch an exception. A generator is resumed inside `try`.
        try:
            while True:
                yield 1
        except GeneratorExit:
            raise
        except BaseException as raised:
            self.raised = raised
        yield 0

    def check(self) -> None:
        if self.raised is not None:
            raise self.raised


# Options of the programs, which the library's messages name, and the arguments of this package.
_SPELLED = [(re.compile(option), argument) for option, argument in (
    ("--edge-columns A,B", "edges=(A, B)"), (r"--edge-columns (\S+?),([^\s,;:]+)", r'edges=("\1", "\2")'),
    ("--edge-columns", "edges"),
    (r"--weight-column (COL|C)\b", r"weight=\1"), ("--weight-column", "weight"),
    ("--undirected", "directed=False"), ("--unweighted", "weight=False"),
    ("--keep-gaps", "keep_gaps=True"), ("--through-zones", "through_zones=True"),
    (r"--input-format (\w+)", r'format="\1"'), (r"--grid (\w+)", r'grid="\1"'),
    (r"--type (\w+)", r'dtype="\1"'), ("--scale K", "scale=K"), ("--force", "even_if_larger=True"),
    ("--measures", "measures()"), ("--(sources|targets)", r"\1"))]


def spelled(line: str) -> str:
    """The library's line with the names that this package has for options."""
    for option, argument in _SPELLED:
        line = option.sub(argument, line)
    return line


def text_of(error: Any) -> str:
    """The library's line, in the words of this package."""
    return spelled(error.text.decode("utf-8", "replace"))


def _file_error(text: str) -> Optional[OSError]:
    """Returns an OSError for a message of the library on a file that the system has refused; None
    for any other message."""
    reason = text.rpartition(": ")[2]
    for code in errno.errorcode:
        if os.strerror(code) == reason:
            return type(OSError(code, reason))(text)
    return None


def raise_on_failure(status: int, error: Any) -> None:
    """Raises what the status of a call means, unless it is success."""
    if status == _library.OK:
        return
    text = text_of(error)
    name, colon, rest = text.partition(":")
    file_error = _file_error(text) if text.startswith("cannot ") else None
    if file_error is not None:
        raise file_error
    if status == _library.NO_RESOURCE and text.startswith("cannot write "):
        raise OSError(text)
    if status == _library.NO_RESOURCE and "GPU" not in text:
        raise MemoryError(text)
    if status == _library.BAD_INPUT and name in ARGUMENTS:
        raise ValueError(ARGUMENTS[name] + colon + rest)
    raise (InputError if status == _library.BAD_INPUT else ApspError)(text, status)


def negative_cycle(graph: Any, n: int, divisor: Union[int, float], error: Any,
                   sources: Any = None) -> Exception:
    """The exception for a negative cycle that some of the sources reach. sources: an array of
    int32, or None for all vertices; error: the library's message."""
    text = text_of(error)
    vertices, length, weight = (ctypes.c_int32 * n)(), ctypes.c_int32(), ctypes.c_int64()
    status = _library.LIB.apsp_graph_reached_cycle(
        graph, None if sources is None else sources.ctypes.data,
        0 if sources is None else len(sources), vertices, length, weight, error)
    if status != _library.NEGATIVE_CYCLE:
        raise_on_failure(status, error)
    if divisor != 1:
        text += " (weights times %g)" % divisor
    cycle, edge, total = vertices[:length.value], ctypes.c_double(), []
    for tail, head in zip(cycle, cycle[1:] + cycle[:1]):
        _library.LIB.apsp_graph_find_weight(graph, tail, head, edge)
        total.append(edge.value)
    return NegativeCycleError(text, cycle, math.fsum(total) / divisor)
