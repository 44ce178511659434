# SPDX-License-Identifier: MIT
"""Readers of files that the C programs do not read: other packages' formats and dense matrices.

A reader gets the content of a file and returns a Table: edges by the names of their ends, with all
attributes that could be weights, or a Matrix. _files.py makes a graph of either."""

from __future__ import annotations

import ast
import contextlib
import csv
import importlib
import io
import json
import math
import os
import re
import tempfile
import zipfile
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, NoReturn, Optional, Tuple

import numpy

from apsp import _library
from apsp._errors import raise_on_failure


class Table(NamedTuple):
    """edges: (tail, head, attributes) by names of vertices. vertices: all names in order, or only
    those of vertices that may have no edge; others follow in the order of the edges. default: the
    attribute that is the weight unless the caller names one; None: an attribute with a usual
    name."""

    directed: bool
    edges: List[Tuple[Any, Any, Dict[str, Any]]]
    vertices: List[Any] = []
    default: Optional[str] = None


class Matrix(NamedTuple):
    """Matrices by their names, one of which is the graph, and the names of its vertices."""

    found: Dict[str, Any]
    ids: Optional[List[Any]] = None


def need(module: str, package: Optional[str] = None) -> Any:
    """A module of another package, which may not be installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = package or module.partition(".")[0]
        raise ImportError("reading this file needs %s: pip install %s (%s)"
                          % (name, name, error)) from error


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _fail(what: str, *values: Any) -> NoReturn:
    raise ValueError(what % values)


def _check_room(vertices: int) -> None:
    """MemoryError if a file announces more vertices than memory has room for."""
    error = _library.Error()
    if vertices > 2**31 - 1:
        _fail("expected at most %d vertices, found %d", 2**31 - 1, vertices)
    raise_on_failure(_library.LIB.apsp_memory_check(vertices, 100 * vertices, error), error)


def _demand_different(names: List[Any]) -> None:
    known: set = set()
    for name in names:
        if name in known:
            _fail("expected different names of vertices, found %r twice", name)
        known.add(name)


# By NetworkX -------------------------------------------------------------------------------------

def of_networkx(graph: Any) -> Table:
    """A graph of NetworkX."""
    edges = [(tail, head, data) for tail, head, data in graph.edges(data=True)]
    return Table(graph.is_directed(), edges, list(graph))


def _graphml(content: bytes) -> Table:
    return of_networkx(need("networkx").read_graphml(io.BytesIO(content)))


def _gexf(content: bytes) -> Table:
    return of_networkx(need("networkx").read_gexf(io.BytesIO(content)))


def _gml(content: bytes) -> Table:
    """Reads GML. Names of vertices are their labels if all differ, otherwise their ids."""
    networkx = need("networkx")
    try:
        graph = networkx.read_gml(io.BytesIO(content))
    except networkx.NetworkXError as error:
        if "label" not in str(error):
            raise
        graph = networkx.read_gml(io.BytesIO(content), label="id")
    return of_networkx(graph)


def _edgelist(content: bytes) -> Table:
    """Lines "u v {'weight': 3}", or "u v"."""
    edges = []
    for number, line in enumerate(_text(content).splitlines(), start=1):
        ends, brace, data = line.partition("#")[0].partition("{")
        words = ends.split()
        if not words and not brace:
            continue
        attributes: Any = {}
        if brace:
            with contextlib.suppress(SyntaxError, ValueError):
                attributes = ast.literal_eval("{" + data)
            if not attributes and data.strip() != "}":
                attributes = None
        if len(words) != 2 or not isinstance(attributes, dict):
            _fail("line %d: expected \"u v {'name': value}\", found %r", number, line[:60])
        edges.append((name_of(words[0]), name_of(words[1]), attributes))
    return Table(False, edges)


def _multiline_adjlist(content: bytes) -> Table:
    """A line "u degree", then a line "v {attributes}" for each of so many neighbours."""
    networkx = need("networkx")
    return of_networkx(networkx.read_multiline_adjlist(io.BytesIO(content)))


def _adjlist(content: bytes) -> Table:
    """A line "u v1 v2 ..." for each vertex."""
    return of_networkx(need("networkx").read_adjlist(io.BytesIO(content)))


# In a few lines ----------------------------------------------------------------------------------

def name_of(word: str) -> Any:
    """The name of a vertex: a number if the word is a number in Python's form, otherwise the word."""
    return int(word) if re.fullmatch(r"0|-?[1-9]\d{0,17}", word) else word


def _json(content: bytes) -> Table:
    """Node-link JSON, as NetworkX, D3 and others write it: objects in "nodes", and in "links" or
    "edges" objects with "source" and "target", which are ids of nodes or their positions."""
    try:
        data = json.loads(_text(content))
    except ValueError as error:
        _fail("expected JSON: %s", error)
    key = next((key for key in ("links", "edges") if isinstance(data, dict) and key in data), None)
    nodes: Any = data.get("nodes") if isinstance(data, dict) else None
    if key is None or not isinstance(nodes, list):
        _fail("expected node-link JSON with \"nodes\" and \"links\" or \"edges\", found %s",
              ", ".join(sorted(data)[:8]) if isinstance(data, dict) else type(data).__name__)
    ids = [next((node[k] for k in ("id", "key", "name", "label") if k in node), position)
           if isinstance(node, dict) else node for position, node in enumerate(nodes)]
    if any(isinstance(name, (list, dict)) for name in ids):
        ids = [str(name) for name in ids]
    _demand_different(ids)
    known = set(ids)
    ends = [(link["source"], link["target"]) for link in data[key]]
    flat = [end for pair in ends for end in pair]
    by_position = not all(not isinstance(end, (list, dict)) and end in known for end in flat)
    if by_position and not all(isinstance(end, int) and 0 <= end < len(ids) for end in flat):
        _fail("expected links between ids of nodes or their positions, found %r",
              next(end for end in flat if isinstance(end, (list, dict)) or end not in known))
    if by_position:
        ends = [(ids[tail], ids[head]) for tail, head in ends]
    edges = [(tail, head, {name: value for name, value in link.items()
                           if name not in ("source", "target", "key")})
             for (tail, head), link in zip(ends, data[key])]
    return Table(bool(data.get("directed", False)), edges, ids)


def _pajek(content: bytes) -> Table:
    """Lists of arcs and of edges, which lead both ways, one by one or from one vertex to many, and
    matrices. Without a weight, an edge of it has 1."""
    lines = [line.strip() for line in _text(content).splitlines()]
    ids: List[Any] = []
    edges: List[Tuple[Any, Any, Dict[str, Any]]] = []
    kinds, section, row = set(), "", 0

    def vertex(word: str) -> Any:
        if not word.isdigit() or not 1 <= int(word) <= len(ids):
            _fail("line %d: expected a vertex in 1 .. %d, found %r", number, len(ids), word)
        return ids[int(word) - 1]

    def weight_of(words: List[str]) -> float:
        try:
            return _number(words[0]) if words else 1
        except ValueError:
            return 1

    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("%"):
            continue
        words = re.findall(r'"[^"]*"|\S+', line)
        if line.startswith("*"):
            section, row = words[0].lower(), 0
            if section == "*vertices":
                if len(words) < 2 or not words[1].isdigit() or ids:
                    _fail("line %d: expected \"*Vertices N\", once, found %r", number, line[:60])
                _check_room(int(words[1]))
                ids = list(range(1, int(words[1]) + 1))
                if len(words) > 2:
                    _fail("line %d: expected a network of one kind of vertices, found one of two",
                          number)
            elif section in ("*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix"):
                kinds.add(section.startswith("*edges"))
            elif section not in ("*network", "*partition", "*vector"):
                _fail("line %d: expected *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix, "
                      "found %r", number, line[:60])
        elif section == "*vertices":
            label = words[1].strip('"') if len(words) > 1 else words[0]
            vertex(words[0])
            ids[int(words[0]) - 1] = label
        elif section in ("*arcs", "*edges"):
            found = {"weight": weight_of(words[2:3])}
            tail, head = vertex(words[0]), vertex(words[1] if len(words) > 1 else "")
            edges.append((tail, head, found))
            if section == "*edges":
                edges.append((head, tail, found))
        elif section in ("*arcslist", "*edgeslist"):
            for head in words[1:]:
                edges.append((vertex(words[0]), vertex(head), {"weight": 1}))
                if section == "*edgeslist":
                    edges.append((vertex(head), vertex(words[0]), {"weight": 1}))
        elif section == "*matrix":
            row += 1
            edges += [(vertex(str(row)), vertex(str(column)), {"weight": _number(word)})
                      for column, word in enumerate(words, start=1) if float(word) != 0]
    _demand_different(ids)
    if kinds == {True}:  # the format lists every undirected edge in both directions
        return Table(False, edges[::2], ids, "weight")
    return Table(True, edges, ids, "weight")


def _number(word: str) -> Any:
    try:
        return int(word)
    except ValueError:
        return float(word)


def _blocks(text: str) -> Dict[str, List[List[str]]]:
    """The sections of an EPANET file: for each line its words, without comments."""
    found: Dict[str, List[List[str]]] = {}
    rows: List[List[str]] = []
    for line in text.splitlines():
        words = line.partition(";")[0].split()
        if words and words[0].startswith("["):
            rows = found.setdefault(words[0].strip("[]").upper(), [])
        elif words:
            rows.append(words)
    return found


def _epanet(content: bytes) -> Table:
    """Pipes by their length; pumps and valves, which have none, count as 0. Closed links are no
    edges, and a pipe with a check valve leads one way."""
    sections = _blocks(_text(content))
    closed = {words[0] for words in sections.get("STATUS", [])
              if len(words) > 1 and words[1].upper() == "CLOSED"}
    edges, back = [], []
    for section in ("PIPES", "PUMPS", "VALVES"):
        for words in sections.get(section, []):
            status = words[7].upper() if section == "PIPES" and len(words) > 7 else "OPEN"
            if len(words) < 3 + (section == "PIPES"):
                _fail("[%s]: expected a name, two nodes%s, found %r", section,
                      " and a length" if section == "PIPES" else "", " ".join(words))
            if status == "CLOSED" or words[0] in closed:
                continue
            data = {"length": float(words[3]) if section == "PIPES" else 0.0}
            edges.append((words[1], words[2], data))
            if status != "CV":
                back.append((words[2], words[1], data))
    names = [words[0] for section in ("JUNCTIONS", "RESERVOIRS", "TANKS")
             for words in sections.get(section, [])]
    one_way = len(back) < len(edges)
    return Table(one_way, edges + back if one_way else edges, names, "length")


def _rows_of_matlab(text: str, name: str) -> List[List[float]]:
    """The rows of "mpc.NAME = [...];"."""
    code = "\n".join(line.partition("%")[0] for line in text.splitlines()).replace("...\n", " ")
    if re.search(r"mpc\.%s\s*\(" % name, code):
        _fail("the case computes on mpc.%s, as those of distribution networks do for other units: "
              "MATPOWER's savecase(FILE, loadcase(CASE)) writes the numbers", name)
    found = re.search(r"mpc\.%s\s*=\s*\[(.*?)\]" % name, code, re.S)
    if found is None:
        _fail("expected mpc.%s = [...], found none", name)
    return [[float(word) for word in row.replace(",", " ").split()]
            for row in re.split(r"[;\n]", found.group(1)) if row.strip()]


def _matpower(content: bytes) -> Table:
    """Branches that are in service; r, x and b are their attributes."""
    text = _text(content)
    buses = [int(row[0]) for row in _rows_of_matlab(text, "bus")]
    edges = [(int(row[0]), int(row[1]), dict(zip("rxb", row[2:5])))
             for row in _rows_of_matlab(text, "branch") if len(row) < 11 or row[10] > 0]
    return Table(False, edges, buses)


def _mesh(points: List[List[float]], faces: Iterable[List[int]]) -> Table:
    """The edges of a mesh by their length. Vertices are called by their positions in the file."""
    pairs = {(min(pair), max(pair)) for face in faces
             for pair in zip(face, face[1:] + face[:1] if len(face) > 2 else face[1:])
             if pair[0] != pair[1]}
    for pair in pairs:
        if not 0 <= pair[0] and pair[1] < len(points):
            _fail("expected faces of vertices 0 .. %d, found %d and %d", len(points) - 1, *pair)
    edges = [(tail, head, {"length": math.dist(points[tail], points[head])})
             for tail, head in sorted(pairs)]
    return Table(False, edges, list(range(len(points))), "length")


def _obj(content: bytes) -> Table:
    points: List[List[float]] = []
    faces: List[List[int]] = []
    for line in _text(content).replace("\\\n", " ").splitlines():
        words = line.partition("#")[0].split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] in (["f"], ["l"]):
            at = [int(word.partition("/")[0]) for word in words[1:]]
            at = [k - 1 if k > 0 else len(points) + k for k in at]
            faces += [at] if words[0] == "f" else [list(pair) for pair in zip(at, at[1:])]
    return _mesh(points, faces)


def _off(content: bytes) -> Table:
    lines = [line.partition("#")[0].split() for line in _text(content).splitlines()]
    rows = [line for line in lines if line]
    if len(rows) < 2 or rows[0][0] not in ("OFF", "COFF", "NOFF", "CNOFF"):
        _fail("expected a mesh that begins with OFF, found %r", " ".join(rows[0]) if rows else "")
    counts = rows[0][1:] or rows[1]
    body = rows[1 if len(rows[0]) > 1 else 2:]
    vertices, count = int(counts[0]), int(counts[1])
    if len(body) < vertices + count:
        _fail("expected %d vertices and %d faces, found %d lines", vertices, count, len(body))
    points = [[float(word) for word in row[:3]] for row in body[:vertices]]
    return _mesh(points, [[int(word) for word in row[1:1 + int(row[0])]]
                          for row in body[vertices:vertices + count]])


def _seconds(time: str) -> int:
    hours, minutes, seconds = time.strip().split(":")
    return 3600 * int(hours) + 60 * int(minutes) + int(seconds)


def _gtfs(content: bytes) -> Table:
    """Stops, and for each two in a row of some trip the shortest time from departure to arrival, in
    seconds. Waiting and changing take no time."""
    with zipfile.ZipFile(io.BytesIO(content)) as feed:
        with feed.open("stop_times.txt") as file:
            rows = list(csv.DictReader(io.TextIOWrapper(file, "utf-8-sig")))
    trips: Dict[str, List[Dict[str, str]]] = {}
    for row in rows:
        trips.setdefault(row["trip_id"], []).append(row)
    shortest: Dict[Tuple[str, str], int] = {}
    for stops in trips.values():
        # Stops between timepoints may have no times.
        timed = [stop for stop in sorted(stops, key=lambda stop: int(stop["stop_sequence"]))
                 if stop["arrival_time"].strip() and stop["departure_time"].strip()]
        for one, other in zip(timed, timed[1:]):
            pair = one["stop_id"], other["stop_id"]
            took = _seconds(other["arrival_time"]) - _seconds(one["departure_time"])
            shortest[pair] = min(took, shortest.get(pair, took))
    names = list(dict.fromkeys(row["stop_id"] for row in rows))
    return Table(True, [(*pair, {"seconds": took}) for pair, took in shortest.items()], names,
                 "seconds")


def _osm(content: bytes) -> Table:
    """The streets by osmnx, with the length in metres."""
    osmnx = need("osmnx")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "map.osm")
        with open(path, "wb") as file:
            file.write(content)
        graph = osmnx.graph_from_xml(path)
    return of_networkx(graph)._replace(default="length")


# Matrices ----------------------------------------------------------------------------------------

def _npy(content: bytes) -> Matrix:
    return Matrix({"": numpy.load(io.BytesIO(content), allow_pickle=False)})


def _npz(content: bytes) -> Matrix:
    """A sparse matrix of SciPy, or arrays by their names."""
    with numpy.load(io.BytesIO(content), allow_pickle=False) as arrays:
        if "format" in arrays and "shape" in arrays:
            return Matrix({"": need("scipy.sparse").load_npz(io.BytesIO(content))})
        return Matrix(dict(arrays))


def _mat(content: bytes) -> Matrix:
    """Variables of MATLAB; of the SuiteSparse collection's struct Problem, its matrix A."""
    found = need("scipy.io").loadmat(io.BytesIO(content))
    problem = found.get("Problem")
    if problem is not None and problem.dtype.names and "A" in problem.dtype.names:
        return Matrix({"Problem.A": problem["A"][0, 0]})
    return Matrix({name: value for name, value in found.items() if not name.startswith("__")})


def _array(content: bytes) -> Matrix:
    return Matrix({"": need("scipy.io").mmread(io.BytesIO(content))})


def _matrix(content: bytes) -> Matrix:
    """A square table of numbers, separated by commas, semicolons, tabs or blanks; names of the
    vertices may stand above and at the left."""
    lines = [line for line in _text(content).splitlines()
             if line.strip() and not line.lstrip().startswith(("#", "%"))]
    if not lines:
        _fail("expected a matrix, found an empty file")
    separator = next((mark for mark in ",;\t" if mark in lines[0]), None)
    rows = [[word.strip() for word in row] for row in csv.reader(lines, delimiter=separator)] \
        if separator else [line.split() for line in lines]
    ids: Optional[List[Any]] = None
    if any(not _is_number(word) for word in rows[0]):  # the first row has names, and perhaps a corner
        head, rows = rows[0], rows[1:]
        ids = [name_of(word) for word in head[len(head) - len(rows):]]
        if len(head) < len(rows):
            _fail("expected %d names above %d rows, found %d", len(rows), len(rows), len(head))
    if rows and len(rows[0]) == len(rows) + 1:  # the first column has names
        left = [name_of(row[0]) for row in rows]
        if ids is not None and left != ids:
            _fail("expected the same names above and at the left of the matrix, found %s", next(
                "%r and %r" % pair for pair in zip(ids, left) if pair[0] != pair[1]))
        ids, rows = left, [row[1:] for row in rows]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows):
            _fail("expected %d numbers in each of %d rows, found %d in row %d", len(rows),
                  len(rows), len(row), number)
        for word in row:
            if not _is_number(word):
                _fail("expected a number in row %d, found %r", number, word)
    cells = [[_number(word) for word in row] for row in rows]
    return Matrix({"": numpy.array(cells)}, ids)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


READERS: Dict[str, Callable[[bytes], Any]] = {
    "graphml": _graphml, "gexf": _gexf, "gml": _gml, "pajek": _pajek, "json": _json,
    "edgelist": _edgelist, "multiline_adjlist": _multiline_adjlist, "adjlist": _adjlist,
    "epanet": _epanet, "matpower": _matpower, "obj": _obj, "off": _off, "gtfs": _gtfs,
    "osm": _osm, "npy": _npy, "npz": _npz, "mat": _mat, "array": _array, "matrix": _matrix,
}
