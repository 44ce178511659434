# SPDX-License-Identifier: MIT
"""libapsp through ctypes: apsp.h, as far as this package needs it.

The library is the one in this package, as wheels have it; else the one that the environment
variable APSP_LIBRARY names; else the one that `make install` installed with this package; else the
one built in the tree that this package lies in; else what the system's loader finds.
"""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t
from ctypes import c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Iterator

SONAME = "libapsp.so.0.2"
INF = 2**30 - 1  # APSP_INF: no path, in int32 distances

OK, REFUTED, BAD_INPUT, NEGATIVE_CYCLE, NO_RESOURCE, CANCELLED = range(6)

# int progress(void *to, int64_t done, int64_t total). A callback that does not use the arguments is declared
# as Signals: a C function may ignore further arguments.
Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64)
Signals = ctypes.CFUNCTYPE(c_int, c_void_p)
# void note(void *to, const char *line)
Note = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Error(ctypes.Structure):
    _fields_ = [("text", c_char * 1024)]


class Rows(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("count", c_int32), ("vertices", c_int32),
                ("sources", c_void_p), ("positions", c_void_p),
                ("distances", c_void_p), ("predecessors", c_void_p),
                ("leading", c_size_t), ("type", c_int), ("proved", c_int)]


# apsp_status take(void *self, const apsp_rows *rows, apsp_error *error)
Take = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Rows), POINTER(Error))
NEEDS_ORDER, NEEDS_PREDECESSORS = 1, 2


class Sink(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("begin", c_void_p), ("take", Take), ("end", c_void_p),
                ("self", c_void_p), ("needs", c_uint)]


class Request(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("sources", c_void_p), ("source_count", c_int32),
                ("block", c_int32), ("check", c_int), ("limit", c_double),
                ("out_of_range", c_void_p), ("limit_is_exact", c_int), ("grid", c_double),
                ("along_count", c_int), ("along", c_void_p), ("sums", c_void_p)]


class Engine(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("variant", c_char_p),
                ("summary", c_char_p), ("source", c_char_p), ("is_default", c_int),
                ("uses_gpu", c_int), ("distances_only", c_int)]


class Edges(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("vertices", c_int32), ("count", c_int64), ("tails", c_void_p),
                ("heads", c_void_p), ("type", c_int), ("weights", c_void_p), ("first", c_void_p),
                ("lent", c_int), ("zones", c_int32), ("integral", c_int)]


class Arrays(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("type", c_int), ("distances", c_void_p),
                ("predecessors", c_void_p), ("leading", c_size_t), ("divisor", c_double),
                ("limit", c_double), ("no_predecessor", c_int32)]


class Files(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("format", c_char_p),
                ("targets", c_void_p), ("target_count", c_int32), ("resume", c_int),
                ("rows_kept", c_void_p)]


class Reading(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("undirected", c_int), ("scale", c_int32),
                ("progress", c_void_p), ("progress_to", c_void_p), ("type", c_int),
                ("format", c_char_p), ("edge_columns", c_char_p), ("weight_column", c_char_p),
                ("unweighted", c_int), ("keep_gaps", c_int), ("through_zones", c_int),
                ("note", c_void_p), ("note_to", c_void_p), ("semiring", c_char_p)]


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("engine", c_char_p), ("variant", c_char_p),
                ("threads", c_int), ("device", c_int), ("tile", c_int),
                ("distances_only", c_int), ("progress", c_void_p), ("progress_to", c_void_p),
                ("devices", POINTER(c_int)), ("device_count", c_int)]


class Betweenness(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("sources", c_void_p), ("source_count", c_int32),
                ("from_mass", c_void_p), ("to_mass", c_void_p), ("endpoints", c_int),
                ("engine", c_char_p), ("threads", c_int), ("grid", c_double), ("progress", c_void_p),
                ("progress_to", c_void_p), ("vertices", c_void_p), ("edges", c_void_p),
                ("grid_spacing", c_double), ("grid_error", c_double), ("is_undirected", c_int),
                ("chosen", c_char_p), ("trip_count", c_int64), ("trip_from", c_void_p),
                ("trip_to", c_void_p), ("trips", c_void_p), ("trips_arrived", c_double),
                ("trips_within", c_double), ("trips_without_path", c_double),
                ("trips_length", c_double), ("decay", c_double)]


class Accessibility(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("sources", c_void_p), ("source_count", c_int32),
                ("mass_count", c_int32), ("masses", c_void_p), ("decay_count", c_int32),
                ("limit_count", c_int32), ("decays", c_void_p), ("limits", c_void_p),
                ("engine", c_char_p), ("threads", c_int), ("grid", c_double),
                ("progress", c_void_p), ("progress_to", c_void_p), ("decayed", c_void_p),
                ("within", c_void_p), ("grid_spacing", c_double), ("grid_error", c_double),
                ("chosen", c_char_p)]


class Nearest(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("facilities", c_void_p), ("facility_count", c_int32),
                ("k", c_int32), ("grid", c_double), ("progress", c_void_p),
                ("progress_to", c_void_p), ("nearest", c_void_p), ("distances", c_void_p),
                ("grid_spacing", c_double), ("grid_error", c_double)]


class Eccentricity(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("diameter_only", c_int), ("if_connected", c_int),
                ("check", c_int), ("threads", c_int), ("most_sources", c_int32),
                ("progress", c_void_p), ("progress_to", c_void_p), ("eccentricities", c_void_p),
                ("center", c_void_p), ("periphery", c_void_p), ("closed", c_int),
                ("directed", c_int), ("out_of_range", c_int), ("components", c_int32),
                ("diameter", c_double), ("radius", c_double), ("largest_distance", c_double),
                ("largest_from", c_int32), ("largest_to", c_int32), ("central", c_int32),
                ("center_count", c_int32), ("periphery_count", c_int32), ("sources", c_int32),
                ("searches", c_int32), ("proved", c_int32)]


class Search(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("vertices", c_int32), ("is_wide", c_int),
                ("count", c_int64), ("first", c_void_p), ("to", c_void_p), ("weight", c_void_p),
                ("undirected", c_int), ("together", c_int), ("sources", c_void_p),
                ("source_count", c_int32), ("threads", c_int), ("limit", c_double),
                ("distances", c_void_p), ("predecessors", c_void_p), ("nearest", c_void_p),
                ("no_predecessor", c_int32), ("progress", c_void_p), ("progress_to", c_void_p)]


class GraphMeasures(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("vertices", c_int32), ("sources", c_int32),
                ("all_sources", c_int), ("directed", c_int), ("pairs", c_int64),
                ("pairs_without_path", c_int64), ("distance_sum_high", c_int64),
                ("distance_sum_low", c_uint64), ("distance_sum", c_double),
                ("average_distance", c_double), ("largest_distance", c_int32),
                ("largest_from", c_int32), ("largest_to", c_int32), ("components", c_int32),
                ("largest_component", c_int32), ("diameter", c_double), ("radius", c_double),
                ("average_shortest_path_length", c_double), ("wiener_index", c_double),
                ("global_efficiency", c_double), ("largest_length", c_double),
                ("grid", c_double), ("grid_error", c_double)]


class Column(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("which", c_int), ("name", c_char_p),
                ("outwards", c_char_p), ("inwards", c_char_p), ("numbers", c_int),
                ("dimension", c_int), ("part", c_uint), ("sums_only", c_int)]


OUTWARDS, INWARDS = range(2)
REALS, INTEGERS_OF_INT32, INTEGERS = range(3)

# Handles are opaque; those of sinks are pointers to Sink.
Graph, Result, Measures, OwnSink, DeviceMatrix = (c_void_p,) * 5

# name: (type of the result, types of the arguments)
FUNCTIONS = {
    "apsp_version": (c_char_p, []),
    "apsp_graph_make": (c_int, [POINTER(Graph), POINTER(Edges), POINTER(Reading), POINTER(Error)]),
    "apsp_graph_read": (c_int, [POINTER(Graph), c_char_p, POINTER(Reading), POINTER(Error)]),
    "apsp_graph_vertices": (c_int32, [Graph]),
    "apsp_graph_is_integral": (c_int, [Graph]),
    "apsp_graph_vertex_name": (c_size_t, [Graph, c_int32, c_char_p, c_size_t]),
    "apsp_graph_view": (c_int, [Graph, POINTER(Edges), POINTER(Error)]),
    "apsp_format_at": (c_char_p, [c_size_t]),
    "apsp_foreign_format": (c_char_p, [c_char_p, c_size_t]),
    "apsp_graph_find_weight": (c_int, [Graph, c_int32, c_int32, POINTER(c_double)]),
    "apsp_graph_widen": (c_int, [Graph, POINTER(Graph), POINTER(Error)]),
    "apsp_graph_free": (None, [Graph]),
    "apsp_graph_reached_cycle": (c_int, [Graph, c_void_p, c_int32, POINTER(c_int32),
                                         POINTER(c_int32), POINTER(c_int64), POINTER(Error)]),
    "apsp_engine_at": (c_int, [c_size_t, POINTER(Engine)]),
    "apsp_memory_check": (c_int, [c_int32, c_uint64, POINTER(Error)]),
    "apsp_solve": (c_int, [Graph, POINTER(Options), POINTER(Result), POINTER(Error)]),
    "apsp_solve_rows": (c_int, [Graph, POINTER(Request), POINTER(Options), POINTER(c_void_p),
                                c_size_t, POINTER(Error)]),
    "apsp_search_rows": (c_int, [POINTER(Search), POINTER(c_int), POINTER(Error)]),
    "apsp_betweenness_find": (c_int, [Graph, POINTER(Betweenness), POINTER(Error)]),
    "apsp_accessibility_find": (c_int, [Graph, POINTER(Accessibility), POINTER(Error)]),
    "apsp_nearest_find": (c_int, [Graph, POINTER(Nearest), POINTER(Error)]),
    "apsp_eccentricity_find": (c_int, [Graph, POINTER(Eccentricity), POINTER(Error)]),
    "apsp_sink_result": (c_int, [POINTER(OwnSink), POINTER(Result), POINTER(Error)]),
    "apsp_sink_arrays": (c_int, [POINTER(OwnSink), POINTER(Arrays), POINTER(Error)]),
    "apsp_sink_files": (c_int, [POINTER(OwnSink), POINTER(Files), POINTER(Error)]),
    "apsp_sink_device": (c_int, [POINTER(OwnSink), c_int, POINTER(DeviceMatrix), POINTER(Error)]),
    "apsp_device_matrix_cells": (c_void_p, [DeviceMatrix]),
    "apsp_device_matrix_predecessors": (c_void_p, [DeviceMatrix]),
    "apsp_device_matrix_free": (None, [DeviceMatrix]),
    "apsp_sink_measures_of": (c_int, [POINTER(OwnSink), c_uint, POINTER(Measures),
                                      POINTER(Error)]),
    "apsp_sink_free": (None, [OwnSink]),
    "apsp_measures_part": (c_uint, [c_char_p]),
    "apsp_measures_column": (c_int, [c_size_t, POINTER(Column)]),
    "apsp_measures_graph": (c_int, [Measures, POINTER(GraphMeasures), POINTER(Error)]),
    "apsp_measures_integers": (c_int, [Measures, c_int, c_int, c_void_p, POINTER(Error)]),
    "apsp_measures_reals": (c_int, [Measures, c_int, c_int, c_void_p, POINTER(Error)]),
    "apsp_measures_center": (None, [Measures, POINTER(c_int32), POINTER(c_int32)]),
    "apsp_measures_periphery": (None, [Measures, POINTER(c_int32), POINTER(c_int32)]),
    "apsp_measures_bins": (POINTER(c_int64), [Measures, POINTER(c_double), POINTER(c_double),
                                              POINTER(c_int32)]),
    "apsp_measures_free": (None, [Measures]),
    "apsp_result_free": (None, [Result]),
    "apsp_result_cells": (c_void_p, [Result, POINTER(c_size_t)]),
    "apsp_result_predecessors": (c_void_p, [Result, POINTER(c_size_t)]),
    "apsp_result_engine": (c_char_p, [Result]),
    "apsp_result_chosen": (c_char_p, [Result]),
    "apsp_result_seconds": (c_double, [Result, POINTER(c_double)]),
    "apsp_result_read_as": (c_int, [POINTER(Result), c_char_p, c_int, POINTER(Error)]),
    "apsp_verify": (c_int, [Graph, Result, POINTER(Options), c_void_p, POINTER(Error)]),
    "apsp_graph_checksum": (c_uint32, [Graph]),
}


def new(structure: Any, **members: Any) -> Any:
    """A struct that begins with its size."""
    return structure(size=ctypes.sizeof(structure), **members)


def candidates() -> Iterator[str]:
    """Names of the library in the order in which to try them; the first that exists is loaded."""
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(here, SONAME)
    given = own if os.path.exists(own) else os.environ.get("APSP_LIBRARY")
    if given:
        yield given
        return
    try:
        from apsp._installed import LIBRARY  # written by `make install`
        yield LIBRARY
    except ImportError:
        pass
    yield os.path.join(os.path.dirname(os.path.dirname(here)), "lib", SONAME)
    yield SONAME
    found = ctypes.util.find_library("apsp")  # slow: it may ask a compiler
    if found and found != SONAME:
        yield found


def load() -> ctypes.CDLL:
    reasons = []
    for name in candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            reasons.append("%s: %s" % (name, error))
            continue
        for function, (result, arguments) in FUNCTIONS.items():
            getattr(library, function).restype = result
            getattr(library, function).argtypes = arguments
        return library
    raise ImportError("libapsp was not found: install it (make install), or name it in the "
                      "environment variable APSP_LIBRARY; tried " + "; ".join(reasons))


LIB = load()
