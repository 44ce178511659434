# SPDX-License-Identifier: MIT
"""Files of graphs, of all formats that the C programs or this package read."""

from __future__ import annotations

import bz2
import contextlib
import csv
import ctypes
import errno
import gzip
import io
import itertools
import lzma
import os
import re
import sys
import tempfile
import warnings
import zipfile
from typing import IO, Any, Dict, List, Optional, Sequence, Union

import numpy

from apsp import _library
from apsp._errors import ReadingWarning, Watch, raise_on_failure, spelled, text_of
from apsp._foreign import READERS, Matrix, Table, name_of, of_networkx
from apsp._graphs import SEMIRINGS, WEIGHT, Found, check_semiring, edges_found, edges_in, names_in, shown_edges
from apsp._named import Graph
from apsp._numbers import FLOAT64

_lib = _library.LIB
_PathLike = Union[str, "os.PathLike[str]"]

# Formats that the library reads.
OWN_FORMATS = tuple(name.decode() for name in
                    itertools.takewhile(bool, map(_lib.apsp_format_at, itertools.count())))
# Names of attributes that are taken for the weight unless the caller names one, as in a CSV table.
_WEIGHTS = ("weight", "w", "cost", "length", "distance", "dist")
_BEGINNING = 4096  # first bytes of a file, from which its format is recognized

# First bytes of a compressed file, and the module that decompresses it.
_PACKED = ((b"\x1f\x8b", gzip), (b"\xfd7zXZ\0", lzma), (b"BZh", bz2))
_ZIP = b"PK\3\4"
# Formats that are zip archives: how one of the archive's files is named or ends, and the format.
_ARCHIVES = ((".npy", "npz"), ("stop_times.txt", "gtfs"))


def _members(archive: zipfile.ZipFile) -> List[str]:
    """The files of a zip archive, without what macOS adds."""
    return [name for name in archive.namelist()
            if not name.endswith("/") and not name.startswith("__MACOSX/")]


def _format_of_archive(archive: zipfile.ZipFile) -> Optional[str]:
    names = _members(archive)
    return next((format for end, format in _ARCHIVES for name in names if name.endswith(end)), None)


def _open(file: IO[bytes], as_it_is: bool) -> Any:
    """The content of an open file, decompressed unless it is wanted as it is."""
    mark = file.read(8)
    file.seek(0)
    for begins, module in () if as_it_is else _PACKED:
        if mark.startswith(begins):
            return module.open(file)  # type: ignore[attr-defined]
    if mark.startswith(_ZIP) and not as_it_is:
        archive = zipfile.ZipFile(file)
        names = _members(archive)
        if len(names) != 1:
            raise ValueError("expected a zip archive of one file, found %s" % ", ".join(names[:20]))
        return archive.open(names[0])
    return file


def _content(name: str, format: str) -> bytes:
    """The whole content of a file, decompressed. MemoryError if it does not fit into memory."""
    found, error = bytearray(), _library.Error()
    with contextlib.ExitStack() as opened:
        if name == "-":
            file: IO[bytes] = io.BytesIO(sys.stdin.buffer.read())
        else:
            file = opened.enter_context(open(name, "rb"))
            if not file.seekable():
                file = io.BytesIO(file.read())
        content = _open(file, format in ("npz", "gtfs"))
        while some := content.read(2**20):
            found += some
            raise_on_failure(_lib.apsp_memory_check(1, 2 * len(found), error), error)
    return bytes(found)


def _format_of(name: str) -> Optional[str]:
    """Returns the format of a file that only Python reads, recognized by the file's beginning.
    None: the library reads the file, or explains better what is wrong with it."""
    if name == "-" or not os.path.isfile(name):
        return None
    try:
        with open(name, "rb") as file:
            if file.read(4) == _ZIP:
                with zipfile.ZipFile(file) as archive:
                    format = _format_of_archive(archive)
                if format is not None:
                    return format
            file.seek(0)
            beginning = _open(file, False).read(_BEGINNING)
    except Exception:  # the file is cut, damaged or not readable
        return None
    found = _lib.apsp_foreign_format(beginning, len(beginning))
    if found is None and re.match(rb"\s*(#.*\s+)*[^\s,]+\s+[^\s,]+\s+\{.*\}\s*\n", beginning):
        return "edgelist"  # it has attributes, of which the library reads only `weight`
    return None if found is None else found.decode()


# A graph of what a reader found -------------------------------------------------------------------

def _of_numbers(data: Any) -> bool:
    return isinstance(data, (int, float, numpy.number)) and not isinstance(data, bool)


def _weight_named(table: Table, weight: Union[None, str, bool]) -> Optional[str]:
    """The name of the attribute that is the weight; None if there is none."""
    if weight is False or (weight is None and not table.edges):
        return None
    found: Dict[str, bool] = {}
    for _, _, data in table.edges:
        for name, value in data.items():
            found[name] = found.get(name, True) and _of_numbers(value)
    candidates = [name for name, is_number in found.items() if is_number]
    said = ", ".join(repr(name) for name in found) or "none"
    if weight is not None:
        if weight not in found:
            raise ValueError("weight: expected an attribute %r of edges, found %s" % (weight, said))
        return weight  # type: ignore[return-value]
    if table.default is not None:
        return table.default
    likely = [name for name in found if name.lower() in _WEIGHTS]  # also if its values are text
    if len(likely) == 1:
        return likely[0]
    if likely or candidates:
        raise ValueError("expected weight=NAME of one attribute of edges, or weight=False for none, "
                         "found %s" % said)
    return None


def _weights(table: Table, name: Optional[str]) -> Optional[List[Any]]:
    if name is None:
        return None
    values = []
    for tail, head, data in table.edges:
        value = data.get(name)
        if isinstance(value, str):
            with contextlib.suppress(ValueError):
                value = float(value) if not value.lstrip("+-").isdigit() else int(value)
        if not _of_numbers(value):
            raise ValueError("expected a number for %r at every edge, found %s at %r - %r; "
                             "weight=NAME names another attribute, weight=False none"
                             % (name, "none" if value is None else repr(value), tail, head))
        values.append(value)
    return values


def _graph_of(table: Table, weight: Union[None, str, bool]) -> Graph:
    name = _weight_named(table, weight)
    values = _weights(table, name)
    number: Dict[Any, int] = {}
    for each in table.vertices:
        number.setdefault(each, len(number))
    for tail, head, _ in table.edges:
        number.setdefault(tail, len(number))
        number.setdefault(head, len(number))
    ends = numpy.array([(number[tail], number[head]) for tail, head, _ in table.edges],
                       dtype=numpy.int32).reshape(-1, 2)
    found = edges_found(len(number), ends[:, 0], ends[:, 1], values, not table.directed)
    return _graph_in(found, name, list(number))


def _matrix_of(matrix: Matrix, weight: Union[None, str, bool]) -> Graph:
    """Returns the graph of a matrix by the rules of shortest_path: 0, NaN and infinity are no edges of a dense
    matrix."""
    def is_square(value: Any) -> bool:
        shape: Any = getattr(value, "shape", ())
        return len(shape) == 2 and shape[0] == shape[1] and shape[0] > 0 and value.dtype.kind in "iufb"

    shapes = ["%s of shape %s" % (repr(name) if name else "one", getattr(value, "shape", ()))
              for name, value in matrix.found.items()]
    square = [name for name, value in matrix.found.items() if is_square(value)]
    if isinstance(weight, str) and weight in matrix.found:
        square = [name for name in square if name == weight]
    elif isinstance(weight, str):
        square = []
    if len(square) != 1:
        raise ValueError("expected one square matrix of numbers, %sfound %s"
                         % ("whose name is weight=NAME, " if len(matrix.found) > 1 else "",
                            ", ".join(shapes) or "none"))
    found = edges_in(matrix.found[square[0]], WEIGHT, False)
    if weight is False:
        found = found._replace(weights=None)
    return _graph_in(found, None if weight is False else square[0] or "entries", matrix.ids)


def _graph_in(found: Found, weight: Optional[str], ids: Optional[List[Any]] = None) -> Graph:
    """A graph of these edges; without names, vertices are called by their numbers."""
    weights = numpy.ones(len(found.heads), numpy.int32) if found.weights is None else found.weights
    return Graph(list(range(found.n)) if ids is None else ids, found.all_tails(), found.heads,
                 weights, not found.undirected, weight=weight)


# By the library -----------------------------------------------------------------------------------

def _names_in(graph: Any) -> List[Any]:
    """The names of a graph's vertices; numbers, if all of them are."""
    room = ctypes.create_string_buffer(64)
    words = []
    for vertex in range(_lib.apsp_graph_vertices(graph)):
        length = _lib.apsp_graph_vertex_name(graph, vertex, room, len(room))
        if length >= len(room):
            room = ctypes.create_string_buffer(length + 1)
            _lib.apsp_graph_vertex_name(graph, vertex, room, len(room))
        words.append(room.raw[:length].decode("utf-8", "surrogateescape"))
    names = [name_of(word) for word in words]
    return names if all(isinstance(name, int) for name in names) else words


_TOO_LARGE = b"--type float64 rounds larger ones"  # the library's advice on integers of 2^53 or more


def _read_own(path: str, format: Optional[str], weight: Union[None, str, bool],
              edges: Optional[Sequence[Any]], directed: Optional[bool], keep_gaps: bool,
              through_zones: bool, semiring: str) -> Graph:
    """Reads a graph in a format of the library."""
    graph, error, watch = _library.Graph(), _library.Error(), Watch()
    notes: List[str] = []
    note = _library.Note(lambda _, line: notes.append(spelled(line.decode("utf-8", "replace"))))
    reading = _library.new(
        _library.Reading, undirected=directed is False, progress=watch.callback, type=-1,
        format=None if format is None else format.encode(), unweighted=weight is False,
        weight_column=None if weight is None or weight is False else str(weight).encode(),
        edge_columns=None if edges is None else ",".join(map(str, edges)).encode(),
        keep_gaps=keep_gaps, through_zones=through_zones, semiring=semiring.encode(), note=ctypes.cast(note, ctypes.c_void_p))
    status = _lib.apsp_graph_read(graph, os.fsencode(path), reading, error)
    if status == _library.BAD_INPUT and _TOO_LARGE in error.text and os.path.isfile(path):
        reading.type = FLOAT64.code
        notes.append("%s: weights are float64 numbers, which have integers exactly below 2^53" % path)
        status = _lib.apsp_graph_read(graph, os.fsencode(path), reading, error)
    try:
        watch.check()
        raise_on_failure(status, error)
        tails, heads, weights, zones = shown_edges(graph)
        if weights.dtype.kind == "f" and _lib.apsp_graph_is_integral(graph):
            weights = weights.astype(numpy.int64)
        ids = _names_in(graph)
    finally:
        _lib.apsp_graph_free(graph)
    made = Graph(ids, tails, heads, weights, True,
                 weight=None if weight is False else str(weight or "weight"), format=format or "",
                 zones=zones, semiring=semiring)
    made.notes = notes
    return made


# Public functions ---------------------------------------------------------------------------------

def read(path: _PathLike, *, format: Optional[str] = None, weight: Union[None, str, bool] = None,
         edges: Optional[Sequence[Any]] = None, directed: Optional[bool] = None,
         keep_gaps: bool = False, through_zones: bool = False,
         semiring: str = SEMIRINGS[0]) -> Graph:
    """Reads a graph from a file, plain or compressed by gzip, xz, bzip2 or zip. The content tells
    the format.

    format: its name, if the content cannot tell: "matrix" for a square table of numbers, "adjlist"
        or "multiline_adjlist" for NetworkX's lists, a name that the programs' --input-format
        knows, such as "csv", or one of "graphml", "gexf", "gml", "pajek", "json", "edgelist",
        "epanet", "matpower", "obj", "off", "gtfs", "osm", "npy", "npz", "mat", "array".
    weight: the attribute, the column or, in a file of several matrices, the variable that has the
        weights, perhaps as text; False if every edge weighs 1. By default the format's own, or the
        one that is called weight, w, cost, length, distance or dist; if there is none, but other
        numbers are, ValueError names them.
    edges: the two columns of a table that have the ends of edges, by names or numbers from 1.
    directed: False: every edge leads both ways. True: it is an error if the file says that they do.
    keep_gaps: numbers of a list of edges that do not occur are vertices without edges, too.
    through_zones: paths may lead through the zones of a TNTP network. Otherwise none does, whatever
        is computed of the graph; an index and betweenness refuse it.
    semiring: for which solve() the graph is read; it decides which of parallel edges counts, and which
        weights there may be.

    In a dense matrix, entry (i, j) is the weight of the edge from i to j; 0, NaN and infinity say
    that there is none. NetworkX reads GraphML, GEXF, GML and adjacency lists, SciPy MATLAB's files
    and sparse matrices, osmnx OpenStreetMap's XML; ImportError names the one that is missing.

    Returns a Graph, which all functions of this package take, and whose `ids` are the names of the
    vertices. What the graph has otherwise than the file says, or leaves aside, is a ReadingWarning
    each, and a line of its `notes`. Raises ValueError or ApspError, which name the file and what is
    wrong.

    >>> import apsp, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("from,to,minutes\\nVienna,Graz,155\\nGraz,Zagreb,170\\n"); file.flush()
    ...     graph = apsp.read(file.name, weight="minutes", directed=False)
    >>> graph.ids
    ['Vienna', 'Graz', 'Zagreb']
    >>> apsp.shortest_path(graph)[graph.vertex("Zagreb")]
    array([325., 170.,   0.])
    """
    graph = _read(path, format, weight, edges, directed, keep_gaps, through_zones, semiring)
    _warn(graph)
    return graph


def _warn(graph: Graph) -> None:
    """Warns of the notes, at the place where the caller's function was called."""
    for note in graph.notes:
        warnings.warn(note, ReadingWarning, stacklevel=3)


def _read(path: _PathLike, format: Optional[str] = None, weight: Union[None, str, bool] = None,
          edges: Optional[Sequence[Any]] = None, directed: Optional[bool] = None,
          keep_gaps: bool = False, through_zones: bool = False,
          semiring: str = SEMIRINGS[0]) -> Graph:
    """read(), without warnings."""
    name = os.fspath(path)
    check_semiring(semiring)
    if format is not None and format not in READERS and format not in OWN_FORMATS:
        raise ValueError("format: expected one of %s, found %r"
                         % (", ".join((*OWN_FORMATS, *READERS)), format))
    if weight is True or not (weight is None or isinstance(weight, (str, int))):
        raise TypeError("weight: expected a name or False, found %r" % (weight,))
    if edges is not None and (isinstance(edges, str) or len(edges) != 2
                              or any("," in str(column) for column in edges)):
        raise ValueError("edges: expected two names or numbers of columns, found %r" % (edges,))
    if format is None:
        format = _format_of(name)
    if edges is not None and format in READERS:
        raise ValueError("edges: expected a table of edges, found %s" % format)
    for argument, given, expected in (("keep_gaps", keep_gaps, "a list of edges"),
                                      ("through_zones", through_zones, "a TNTP network")):
        if given and format in READERS:
            raise ValueError("%s: expected %s, found %s" % (argument, expected, format))
    if format is None or format in OWN_FORMATS:
        graph = _read_own(name, format, weight, edges, directed, bool(keep_gaps),
                          bool(through_zones), semiring)
    else:
        try:
            found = READERS[format](_content(name, format))
            graph = (_matrix_of if isinstance(found, Matrix) else _graph_of)(found, weight)
        except (ImportError, MemoryError, OSError):
            raise
        except Exception as error:  # readers of other packages may raise any exception
            raise ValueError("%s: %s" % (name, str(error) or type(error).__name__)) from error
        graph.format = format
        if directed is False:
            graph.directed = False
        elif directed and not graph.directed:
            raise ValueError("%s: directed: the edges of the file lead both ways" % name)
    graph.source = name
    return graph


_MISREAD = re.compile("[\\x00-\\x1f\\x7f]|^ | $|^$")  # the programs refuse or misread such names


def _rows_of(graph: Graph) -> Any:
    """The rows of a table of the graph's edges. A vertex without edges is a self-loop."""
    names = [str(name) for name in graph.ids]
    for name in names:
        if _MISREAD.search(name) or len(name.encode(errors="replace")) > 4096:
            raise ValueError("expected names of vertices of 1 to 4096 bytes without control characters or blanks at "
                             "their ends, found %.100r" % name)
    if len(set(names)) < len(names):
        raise ValueError("expected names of vertices that differ as text, found %r twice"
                         % next(name for name in names if names.count(name) > 1))
    weights = graph.weights.tolist()
    for tail, head, weight in zip(graph.tails.tolist(), graph.heads.tolist(), weights):
        yield names[tail], names[head], repr(weight)
        if not graph.directed and tail != head:
            yield names[head], names[tail], repr(weight)
    alone = numpy.ones(len(names), dtype=bool)
    alone[graph.tails] = alone[graph.heads] = False
    for vertex in numpy.flatnonzero(alone).tolist():
        yield names[vertex], names[vertex], "0"


def _write(graph: Graph, file: IO[str]) -> None:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(("source", "target", "weight"))
    table.writerows(_rows_of(graph))


def convert(source: Any, target: _PathLike, **how: Any) -> Graph:
    """Writes a graph as CSV, source,target,weight, which the C programs read. Edges that lead both
    ways stand there twice, and a vertex without edges as a loop of weight 0, which means nothing.

    source: a file, or a graph of any kind that shortest_path takes; NetworkX's has names, and so has
        igraph's that has the attribute `name`.
    target: the file to write, completely or not at all; "-" is standard output.
    how: the arguments of read() for a file; weight for a graph of another package.

    Returns the graph.
    """
    is_file = isinstance(source, (str, os.PathLike))
    of_files = sorted(set(how) - {"weight"})
    if of_files and not is_file:
        raise TypeError("convert: expected %s for a file only" % ", ".join(of_files))
    if is_file:
        graph = _read(source, **how)
        _warn(graph)
    elif isinstance(source, Graph):
        graph = source
    elif hasattr(source, "adjacency") and hasattr(source, "edges"):
        graph = _graph_of(of_networkx(source), how.get("weight"))
    else:
        graph = _graph_in(edges_in(source, how.get("weight", WEIGHT), False), None, names_in(source))
    name = os.fspath(target)
    if graph.zones > 0:
        raise ValueError(
            "%s: a table of edges does not say that no path leads through the %d zones of the "
            "network: the programs read the network itself; through_zones=True (--through-zones) "
            "writes one whose paths may" % (graph.source, graph.zones))
    if name == "-":
        _write(graph, sys.stdout)
        return graph
    folder = os.path.dirname(name) or "."
    try:
        if os.path.isdir(name):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        _replace(graph, name, folder)
    except OSError as error:  # the message must not name the temporary file
        raise type(error)("cannot write %s: %s" % (name, error.strerror)) from None
    return graph


def _replace(graph: Graph, name: str, folder: str) -> None:
    """Writes the table completely or not at all."""
    handle, hidden = tempfile.mkstemp(prefix=".apsp-", dir=folder)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            _write(graph, file)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(hidden, 0o666 & ~mask)
        os.replace(hidden, name)
    except BaseException:
        os.unlink(hidden)
        raise
