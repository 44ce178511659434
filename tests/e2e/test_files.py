# SPDX-License-Identifier: MIT
"""Files of other programs through the Python package: apsp.read and apsp.convert, beside what
NetworkX and SciPy read of the same files."""

import bz2
import contextlib
import gzip
import importlib.util
import io
import json
import lzma
import math
import os
import random
import re
import subprocess
import sys
import unittest
import unittest.mock
import warnings
import zipfile

from support import (BAD_INPUT, LIBRARY, NO_RESOURCE, OK, PACKAGE, REPOSITORY, ProgramTest, environment,
                     import_package, optional)

numpy, scipy_io, sparse, csgraph, networkx, igraph = optional(
    "numpy", "scipy.io", "scipy.sparse", "scipy.sparse.csgraph", "networkx", "igraph")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", SciPy=csgraph, NetworkX=networkx)
    warnings.simplefilter("ignore", apsp.ReadingWarning)  # which assertWarns sees nevertheless


def streets():
    """A directed graph with names, several weights and a vertex without edges."""
    graph = networkx.DiGraph()
    rng = random.Random(7)
    names = ["Vienna", "St. P\u00f6lten", "a, b", "say \"x\"", "10", "n5", "n6", "n7"]
    graph.add_nodes_from(names)
    for _ in range(14):
        tail, head = rng.sample(names[:-1], 2)
        graph.add_edge(tail, head, weight=rng.randint(1, 9), km=rng.random())
    return graph


PAJEK = """% by hand
*Network cities
*Vertices 5
1 "Vienna" 0.1 0.2
2 Graz
3 "x y"
*Arcs
1 2 2.5
2 3
*Edges
3 4 4 c Blue
*Arcslist
4 1 5
*Edgeslist
5 2
"""
NODE_LINK = {"nodes": [{"name": "Napoleon", "group": 1}, {"name": "Myriel"}, {"name": "Valjean"}],
             "links": [{"source": 1, "target": 0, "value": 2}, {"source": 2, "target": 1, "value": 8}]}
ZONES = """<NUMBER OF ZONES> 1
<NUMBER OF NODES> 3
<FIRST THRU NODE> 2
<NUMBER OF LINKS> 2
<END OF METADATA>
~ init_node term_node capacity length free_flow_time b power speed toll link_type ;
2 1 1 1 4 1 1 1 1 1 ;
1 3 1 1 5 1 1 1 1 1 ;
"""
MATPOWER = """function mpc = case3
%% bus data
mpc.bus = [
\t7\t3\t0\t0;
\t12\t1\t0\t0;
\t5\t1\t0\t0; % the last
\t9\t1\t0\t0;
];
mpc.branch = [
\t7\t12\t0.01\t0.5\t0\t1\t1\t1\t0\t0\t1\t-360\t360;
\t12\t5\t0.02\t0.25\t0\t1\t1\t1\t0\t0\t1\t-360\t360;
\t7\t5\t0.02\t0.125\t0\t1\t1\t1\t0\t0\t0\t-360\t360;
];
"""
EPANET = """[TITLE]
two tanks

[JUNCTIONS]
;ID  Elev
 J1  10
 J2  12
[RESERVOIRS]
 R  50
[PIPES]
;ID  Node1 Node2 Length Diameter Roughness MinorLoss Status
 P1  J1    J2    100.5  200      100       0         Open ;
 P2  J2    R     50     200      100       0         Closed
[PUMPS]
 U   R     J1    HEAD 1
[END]
"""
OBJ = """# a square of two triangles
v 0 0 0
v 3 0 0
v 3 4 0
v 0 4 0
f 1/1/1 2/2/2 3/3/3
f -4 -2 -1
"""
OFF = "OFF # a square\n4 2 5\n0 0 0\n3 0 0\n3 4 0\n0 4 0\n3 0 1 2 3 2 1\n3 0 2 3 1.0 0.5 0\n"
STOP_TIMES = """trip_id,arrival_time,departure_time,stop_id,stop_sequence
t1,23:59:00,23:59:30,A,1
t1,,,skipped,2
t1,24:05:00,24:05:30,B,3
t2,08:04:00,08:05:00,B,10
t2,08:09:00,08:09:00,C,11
t2,08:00:00,08:00:00,A,9
t3,09:00:00,09:00:00,B,1
t3,09:09:00,09:09:00,C,2
"""
OSM = """<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6"><node id="11" lat="45.550" lon="18.69"/><node id="5000000012" lat="45.551" lon="18.69"/>
<node id="13" lat="45.551" lon="18.692"/>
<way id="1"><nd ref="11"/><nd ref="5000000012"/><tag k="highway" v="residential"/></way>
<way id="2"><nd ref="5000000012"/><nd ref="13"/><tag k="highway" v="residential"/><tag k="oneway" v="yes"/></way>
</osm>
"""


class Reading(ProgramTest):

    def assert_distances(self, graph, expected):
        """expected: {tail: {head: distance}} by names, for all pairs that have a path."""
        found = apsp.shortest_path(graph)
        self.assertEqual(set(graph.ids), set(expected))
        for tail, row in expected.items():
            self.assertEqual(
                {graph.ids[k]: distance for k, distance in
                 enumerate(found[graph.vertex(tail)].tolist()) if distance < math.inf}, row, tail)

    def assert_as_networkx(self, graph, theirs, weight):
        self.assertEqual(graph.ids, list(theirs))
        self.assertEqual((graph.directed, graph.weight), (theirs.is_directed(), weight))
        self.assert_distances(graph, dict(networkx.all_pairs_dijkstra_path_length(
            theirs, weight=weight)))

    def test_what_networkx_writes(self):
        for graph in (streets(), streets().to_undirected(), networkx.les_miserables_graph()):
            weights = ["weight", "km"] if graph.has_edge("Vienna", "n5") or "Vienna" in graph \
                else ["weight"]
            for name, write, read in (
                    ("graphml", networkx.write_graphml, networkx.read_graphml),
                    ("gexf", networkx.write_gexf, networkx.read_gexf),
                    ("gml", networkx.write_gml, networkx.read_gml)):
                write(graph, self.path("g"))
                theirs = read(self.path("g"))
                for weight in weights:
                    with self.subTest(name, weight=weight):
                        found = apsp.read(self.path("g"), weight=weight)
                        self.assertEqual(found.format, name)
                        self.assert_as_networkx(found, theirs, weight)
            with self.subTest("json"):
                self.write("g", json.dumps(networkx.node_link_data(graph)))
                self.assert_as_networkx(apsp.read(self.path("g"), weight="weight"), graph, "weight")
        karate = networkx.convert_node_labels_to_integers(networkx.karate_club_graph(), 5)
        for name, format in (("edgelist", None), ("multiline_adjlist", "multiline_adjlist"),
                             ("adjlist", "adjlist")):
            with self.subTest(name):
                getattr(networkx, "write_" + name)(karate, self.path("g"))
                theirs = getattr(networkx, "read_" + name)(self.path("g"))
                found = apsp.read(self.path("g"), format=format)
                self.assert_distances(found if name != "edgelist" else found, {
                    (int(tail) if name == "edgelist" else tail):
                    {(int(head) if name == "edgelist" else head): distance
                     for head, distance in row.items()}
                    for tail, row in networkx.all_pairs_dijkstra_path_length(
                        theirs, weight="weight" if "weight" in next(iter(
                            theirs.edges(data=True)))[2] else None)})

    def test_pajek(self):
        self.write("g", PAJEK)
        self.assert_distances(apsp.read(self.path("g")), {
            "Vienna": {"Vienna": 0, "Graz": 2.5, "x y": 3.5, 4: 7.5, 5: 3.5},
            "Graz": {"Vienna": 6, "Graz": 0, "x y": 1, 4: 5, 5: 1},
            "x y": {"Vienna": 5, "Graz": 6, "x y": 0, 4: 4, 5: 5},
            4: {"Vienna": 1, "Graz": 2, "x y": 3, 4: 0, 5: 1},
            5: {"Vienna": 7, "Graz": 1, "x y": 2, 4: 6, 5: 0}})
        graph = networkx.les_miserables_graph()
        networkx.write_pajek(graph, self.path("g"))
        self.assert_as_networkx(apsp.read(self.path("g")), graph, "weight")
        self.write("g", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Matrix\n0 3\n0 0\n")
        self.assert_distances(apsp.read(self.path("g")), {"a": {"a": 0, "b": 3}, "b": {"b": 0}})

    def test_in_a_few_lines(self):
        self.write("g", json.dumps(NODE_LINK))
        self.assert_distances(apsp.read(self.path("g"), weight="value"), {
            "Napoleon": {"Napoleon": 0, "Myriel": 2, "Valjean": 10},
            "Myriel": {"Napoleon": 2, "Myriel": 0, "Valjean": 8},
            "Valjean": {"Napoleon": 10, "Myriel": 8, "Valjean": 0}})
        self.write("g", MATPOWER)
        self.assert_distances(apsp.read(self.path("g"), weight="x"), {
            7: {7: 0, 12: .5, 5: .75}, 12: {7: .5, 12: 0, 5: .25}, 5: {7: .75, 12: .25, 5: 0},
            9: {9: 0}})
        self.write("g", EPANET)
        self.assert_distances(apsp.read(self.path("g")), {
            "J1": {"J1": 0, "J2": 100.5, "R": 0}, "J2": {"J2": 0, "J1": 100.5, "R": 100.5},
            "R": {"R": 0, "J1": 0, "J2": 100.5}})
        self.write("g", EPANET.replace("Open", "CV"))
        self.assert_distances(apsp.read(self.path("g")), {
            "J1": {"J1": 0, "J2": 100.5, "R": 0}, "J2": {"J2": 0},
            "R": {"R": 0, "J1": 0, "J2": 100.5}})
        self.write("g", EPANET.replace("[END]", "[STATUS]\n P1  Closed\n U Open\n[END]"))
        self.assert_distances(apsp.read(self.path("g")), {
            "J1": {"J1": 0, "R": 0}, "J2": {"J2": 0}, "R": {"R": 0, "J1": 0}})
        for mesh in (OBJ, OFF):
            self.write("g", mesh)
            numpy.testing.assert_array_equal(
                apsp.shortest_path(apsp.read(self.path("g"))),
                [[0, 3, 5, 4], [3, 0, 4, 7], [5, 4, 0, 3], [4, 7, 3, 0]])
        self.write("g", "OFF 1 0 0\n5 6 7\n")
        self.assert_distances(apsp.read(self.path("g")), {0: {0: 0}})
        self.write("g", json.dumps({"directed": True, "nodes": [{"id": [1, 2]}, {"id": {}}],
                                    "links": [{"source": 1, "target": 0}]}))
        self.assert_distances(apsp.read(self.path("g")), {
            "[1, 2]": {"[1, 2]": 0}, "{}": {"{}": 0, "[1, 2]": 1}})
        self.write("g", "graph [\n directed 1\n node [ id 3 ]\n node [ id 5 ]\n edge [ source 5 target 3 ]\n]\n")
        self.assert_distances(apsp.read(self.path("g")), {3: {3: 0}, 5: {5: 0, 3: 1}})
        with zipfile.ZipFile(self.path("g"), "w") as feed:
            feed.writestr("agency.txt", "agency_id\n")
            feed.writestr("stop_times.txt", STOP_TIMES)
        self.assert_distances(apsp.read(self.path("g")), {
            "A": {"A": 0, "B": 240, "C": 480}, "B": {"B": 0, "C": 240}, "C": {"C": 0},
            "skipped": {"skipped": 0}})

    def test_of_the_programs(self):
        """Formats that the library reads, by its reader: names, columns, options."""
        table = "name,a,b,km,weight\nx,Vienna,Graz,2.5,1\ny,Graz,\u017dilina,1.25,2\n"
        self.write("t.csv", table.encode())
        found = apsp.read(self.path("t.csv"), edges=("a", "b"), weight="km", directed=False)
        self.assertEqual((found.ids, found.weight), (["Vienna", "Graz", "\u017dilina"], "km"))
        numpy.testing.assert_array_equal(apsp.shortest_path(found),
                                         [[0, 2.5, 3.75], [2.5, 0, 1.25], [3.75, 1.25, 0]])
        found = apsp.read(self.path("t.csv"), edges=(2, 3), weight=False)
        numpy.testing.assert_array_equal(found.weights, [1, 1])
        self.write("t.gr", "p sp 3 2\na 1 2 5\na 2 3 4\n")
        self.assertEqual(apsp.read(self.path("t.gr")).ids, [1, 2, 3])
        self.write("t.txt", "9876543210 7 2\n7 -5 3\n")
        self.assertEqual(apsp.read(self.path("t.txt")).ids, [-5, 7, 9876543210])
        self.write("t.txt", "x0 007 2\n007 %s 3\n" % ("x" * 500))
        self.assertEqual(apsp.read(self.path("t.txt")).ids, ["x0", "007", "x" * 500])
        self.write("t.txt", "2 1\n0 1 5\n")
        self.assertEqual(len(apsp.read(self.path("t.txt"), format="text")), 2)
        for weights, dtype, note in (([3 * 10**9, -7], "int64", ""), ([2**31, 0.5], "float64", ""),
                                     ([2**53 + 1, 2], "float64", "integers exactly below 2.53")):
            self.write("t.txt", "x y %s\ny z %s\n" % tuple(weights))
            with self.assertWarnsRegex(apsp.ReadingWarning, note) if note else contextlib.nullcontext():
                found = apsp.read(self.path("t.txt"))
            self.assertEqual((found.weights.dtype, found.weights.tolist()), (dtype, [float(w) for w in weights]))
        for how, error, expected in (
                ({"weight": "miles"}, apsp.ApspError, "miles"),
                ({"edges": "a,b"}, ValueError, "edges: expected two names"),
                ({"format": "gml", "edges": ("a", "b")}, ValueError, "edges: expected a table")):
            with self.subTest(how), self.assertRaisesRegex(error, expected):
                apsp.read(self.path("t.csv"), **{"edges": ("a", "b"), **how})

    def test_matrices(self):
        rng = numpy.random.default_rng(3)
        dense = numpy.where(rng.random((9, 9)) < .4, rng.integers(1, 9, (9, 9)), 0).astype(float)
        dense[2, 5] = math.inf
        dense[3, 6] = math.nan
        stored = sparse.csr_matrix(numpy.nan_to_num(dense, posinf=0))
        expected = csgraph.shortest_path(stored)
        numpy.save(self.path("a.npy"), dense)
        numpy.savez(self.path("b.npz"), it=dense, other=dense[:2])
        sparse.save_npz(self.path("c.npz"), stored)
        scipy_io.savemat(self.path("d.mat"), {"A": stored, "names": numpy.arange(3)})
        scipy_io.savemat(self.path("e.mat"), {"Problem": {"A": stored, "name": "x"}})
        scipy_io.mmwrite(self.path("f.mtx"), numpy.nan_to_num(dense, posinf=0))
        scipy_io.mmwrite(self.path("g.mtx"), stored)
        numpy.savetxt(self.path("h.txt"), dense)
        numpy.savetxt(self.path("i.csv"), dense, delimiter=",", fmt="%g")
        names = ["n%d" % k for k in range(9)]
        rows = [",".join(["", *names])] + [
            ",".join([name, *map(str, row)]) for name, row in zip(names, dense.tolist())]
        self.write("j.csv", "\n".join(rows) + "\n")
        for name in sorted(self.files()):
            with self.subTest(name):
                graph = apsp.read(self.path(name), format="matrix" if name[0] in "hij" else None)
                numpy.testing.assert_array_equal(apsp.shortest_path(graph), expected)
                self.assertEqual(graph.ids, names if name[0] == "j" else
                                 list(range(1, 10)) if name[0] == "g" else list(range(9)))
        numpy.testing.assert_array_equal(
            apsp.shortest_path(apsp.read(self.path("a.npy"), weight=False, directed=False)),
            csgraph.shortest_path(stored, directed=False, unweighted=True))

    def test_compressed(self):
        content = PAJEK.encode()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("cities/", b"")
            file.writestr("cities/g.net", content)
        expected = apsp.shortest_path(apsp.read(self.write_bytes("g", content)))
        for what, packed in (("gzip", gzip.compress(content)), ("xz", lzma.compress(content)),
                             ("bzip2", bz2.compress(content)), ("zip", archive.getvalue())):
            with self.subTest(what):
                found = apsp.read(self.write_bytes("g", packed))
                self.assertEqual(found.format, "pajek")
                numpy.testing.assert_array_equal(apsp.shortest_path(found), expected)
                for cut in range(len(packed)):
                    with self.assertRaises((ValueError, apsp.ApspError)):
                        apsp.read(self.write_bytes("g", packed[:cut]))

    def write_bytes(self, name, content):
        self.write(name, content)
        return self.path(name)

    def test_every_function(self):
        """Takes such a graph, as it takes NetworkX's."""
        self.write("g", PAJEK)
        graph = apsp.read(self.path("g"))
        expected = apsp.shortest_path(graph)
        weights = sparse.csr_matrix((graph.weights, (graph.tails, graph.heads)))
        numpy.testing.assert_array_equal(csgraph.dijkstra(weights), expected)
        numpy.testing.assert_array_equal(apsp.dijkstra(graph, indices=[3, 1]), expected[[3, 1]])
        numpy.testing.assert_array_equal(apsp.floyd_warshall(graph, unweighted=True),
                                         csgraph.floyd_warshall(weights, unweighted=True))
        numpy.testing.assert_array_equal(apsp.solve(graph, [2]).distances, expected[[2]])
        self.assertEqual(apsp.measures(graph).diameter, expected.max())
        rows = numpy.concatenate([block for _, block in apsp.rows(graph, in_order=True)])
        numpy.testing.assert_array_equal(rows, expected)
        whole = apsp.read(self.path("g"), weight=False)
        apsp.verify(whole, apsp.shortest_path(whole))
        self.assertEqual(apsp.Index(whole).distance(0, 4), apsp.shortest_path(whole)[0, 4])
        with self.assertRaisesRegex(ValueError, "weight: a graph that read"):
            apsp.shortest_path(graph, weight="km")

    def test_zones(self):
        """No path leads through the zones of a network, whatever is asked of it: as if the edges out
        of all zones but the source were not there."""
        rng = random.Random(4)
        for trial in range(12):
            n, zones, m = 12, rng.randrange(1, 9), rng.randrange(20, 60)
            edges = [(rng.randrange(n), rng.randrange(n), rng.randrange(1, 20) / (1 + trial % 2 * 6))
                     for _ in range(m)]
            self.write("t.tntp", "".join(
                ["<NUMBER OF NODES> %d\n<FIRST THRU NODE> %d\n<NUMBER OF LINKS> %d\n<END OF METADATA>\n"
                 % (n, zones + 1, m)] +
                ["%d %d 1 1 %r\n" % (u + 1, v + 1, w) for u, v, w in edges]))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                graph = apsp.read(self.path("t.tntp"))
            self.assertEqual(graph.zones, zones)
            expected = numpy.full((n, n), numpy.inf)
            for s in range(n):
                left = {}
                for u, v, w in edges:
                    if u == s or u >= zones:
                        left[u, v] = min(w, left.get((u, v), numpy.inf))
                ends = numpy.array(list(left)).reshape(-1, 2).T
                expected[s] = csgraph.dijkstra(
                    sparse.csr_matrix((list(left.values()), ends), shape=(n, n)), indices=s)
            equal = numpy.testing.assert_array_equal
            with self.subTest(trial=trial):
                equal(apsp.shortest_path(graph, check=True), expected)
                equal(apsp.dijkstra(graph, indices=[3, 0], limit=9), numpy.where(
                    expected <= 9, expected, numpy.inf)[[3, 0]])
                dist, pred = apsp.shortest_path(graph, return_predecessors=True)
                apsp.verify(graph, dist, pred)
                dist, pred, root = apsp.dijkstra(graph, indices=[0, 5, n - 1], min_only=True,
                                                 return_predecessors=True)
                equal(dist, expected[[0, 5, n - 1]].min(axis=0))
                nearest = numpy.empty(n)
                self.assertIs(apsp.dijkstra(graph, indices=[3, 0], min_only=True, out=nearest), nearest)
                equal(nearest, expected[[3, 0]].min(axis=0))
                found = numpy.flatnonzero(dist < numpy.inf)
                equal(expected[root[found], found], dist[found])
                self.assertTrue((root[dist == numpy.inf] == -9999).all())
                self.assertTrue((pred[[0, 5, n - 1]] == -9999).all())
                between = expected[~numpy.eye(n, dtype=bool)]
                self.assertAlmostEqual(apsp.measures(graph).global_efficiency, (1 / between).mean())
                flows = apsp.betweenness(graph, edges=True, normalized=False)
                weights = [min(w for u, v, w in edges if (u, v) == ends)
                           for ends in zip(flows.edge_tails.tolist(), flows.edge_heads.tolist())]
                self.assertFalse(flows.is_undirected)
                self.assertAlmostEqual(numpy.dot(weights, flows.edges),
                                       between[between < numpy.inf].sum())
                equal(flows.vertices[:zones], 0)
        for asks in apsp.Index, lambda g: apsp.convert(g, self.path("t.csv")):
            with self.assertRaisesRegex(ValueError, r"%d zones.* through_zones=True" % zones):
                asks(graph)

    def test_names_of_vertices(self):
        """They are integers if all of them are written as integers are, and otherwise the words of the file."""
        rng = random.Random(8)
        words = ["7", "0", "-3", "-0", "07", "+1", "1.5", "a", "3b", "12345678901234567890"]
        for _ in range(60):
            names = rng.sample(words[:3] if rng.random() < 0.3 else words, 3)
            self.write("g.csv", "from,to\n%s,%s\n%s,%s\n" % (names[0], names[1], names[1], names[2]))
            are_numbers = all(word in words[:3] for word in names)
            self.assertEqual(apsp.read(self.path("g.csv")).ids, sorted(map(int, names)) if are_numbers else names)

    @unittest.skipIf(importlib.util.find_spec("osmnx") is None, "osmnx is not installed")
    def test_streets(self):
        self.write("m.osm", OSM)
        found = apsp.read(self.path("m.osm"))
        self.assertEqual((found.ids, found.weight), ([11, 5000000012, 13], "length"))
        row = apsp.dijkstra(found, indices=found.vertex(11))
        self.assertAlmostEqual(row[1], 111.2, delta=.1)
        self.assertTrue(numpy.isinf(apsp.dijkstra(found, indices=found.vertex(13))[0]))

    def test_one_table(self):
        """The kinds that the library names for this package are those that it reads, beside those
        that only the caller can name."""
        with open(os.path.join(REPOSITORY, "common", "graph", "foreign.c"), encoding="utf-8") as file:
            named = set(re.findall(r'READ\("(\w+)"\)', file.read()))
        self.assertEqual(named | {"edgelist", "multiline_adjlist", "adjlist", "matrix"},
                         set(importlib.import_module("apsp._foreign").READERS))

    def test_weights_as_text(self):
        """An attribute called weight is the weight, or refused; of others, one that is a number at
        every edge is."""
        for name, values, expected in (("Length", ("2.5", "3"), [2.5, 3]), ("x", ("a", 2), [1, 1]),
                                       ("cost", ("a", 2), None)):
            edges = [{"source": k, "target": k + 1, name: value} for k, value in enumerate(values)]
            self.write("g", json.dumps({"nodes": [{"id": k} for k in range(3)], "links": edges}))
            if expected is None:
                self.assertRaisesRegex(ValueError, "'cost' at every edge, found 'a' at 0 - 1; weight=",
                                       apsp.read, self.path("g"))
                continue
            found = apsp.read(self.path("g"))
            self.assertEqual((found.weights.tolist(), found.weight),
                             (expected, None if name == "x" else name))

    def test_refused(self):
        several = networkx.Graph([("a", "b", {"km": 1, "minutes": 2.5, "name": "x"})])
        networkx.write_graphml(several, self.path("several.graphml"))
        several.add_edge("b", "c", minutes=3)
        networkx.write_graphml(several, self.path("missing.graphml"))
        numpy.savez(self.path("two.npz"), a=numpy.eye(2), b=numpy.eye(3))
        numpy.save(self.path("wide.npy"), numpy.ones((2, 3)))
        with zipfile.ZipFile(self.path("two.zip"), "w") as archive:
            archive.writestr("a", "0 1\n")
            archive.writestr("b", "0 1\n")
        for name, content, how, expected in (
                ("several.graphml", None, {}, r"expected weight=NAME of one attribute of edges, or "
                 r"weight=False for none, found 'km', 'minutes', 'name'"),
                ("several.graphml", None, {"weight": "lenght"}, r"weight: expected an attribute "
                 r"'lenght' of edges, found 'km', 'minutes', 'name'"),
                ("several.graphml", None, {"weight": "name"}, r"expected a number for 'name' at every"
                 r" edge, found 'x' at 'a' - 'b'"),
                ("missing.graphml", None, {"weight": "km"}, r"expected a number for 'km' at every "
                 r"edge, found none at 'b' - 'c'"),
                ("several.graphml", None, {"weight": "km", "directed": True}, r"lead both ways"),
                ("two.npz", None, {}, r"expected one square matrix of numbers, whose name is "
                 r"weight=NAME, found 'a' of shape \(2, 2\), 'b' of shape \(3, 3\)"),
                ("two.npz", None, {"weight": "c"}, r"whose name is weight=NAME, found 'a' of shape"),
                ("two.zip", None, {"format": "gml"}, r"expected a zip archive of one file, found a, b$"),
                ("wide.npy", None, {}, r"expected one square matrix.*found one of shape \(2, 3\)"),
                ("m", "0 1 2\n3 0\n1 1 0\n", {"format": "matrix"},
                 r"expected 3 numbers in each of 3 rows, found 2 in row 2"),
                ("m", ",a,b\na,0,1\nc,1,0\n", {"format": "matrix"}, r"found 'b' and 'c'"),
                ("g.net", "*Vertices 2\n*Arcs\n1 3\n", {}, r"line 3: expected a vertex in 1 .. 2, "
                 r"found '3'"),
                ("g.net", "*Vertices 3\n1 a\n2 b\n3 a\n", {}, r"names of vertices, found 'a' twice"),
                ("g.net", "*Vertices 2147483648\n", {}, r"at most 2147483647 vertices, found 2147483648"),
                ("g.net", "*Vertices 5 3\n", {}, r"line 1: expected a network of one kind of vertices, found one of two"),
                ("m", "# nothing\n", {"format": "matrix"}, r"expected a matrix, found an empty file"),
                ("g.json", "{\"type\": \"x\"}", {}, r"expected node-link JSON"),
                ("g.json", json.dumps({"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "b"}]}), {},
                 r"links between ids of nodes or their positions, found 'b'"),
                ("g.off", "OFF\n3 1 0\n0 0 0\n", {}, r"expected 3 vertices and 1 faces"),
                ("g.m", "function mpc = x\nmpc.bus = [1 2];\n", {"weight": "x"},
                 r"expected mpc.branch"),
                ("g.m", MATPOWER + "mpc.branch(:, 3:4) = mpc.branch(:, 3:4) / 10;\n",
                 {"weight": "x"}, r"computes on mpc.branch"),
                ("m", "0 1\n1 0\n", {"format": "square"}, r"format: expected one of text, gr, "),
                ("m", None, {"weight": True}, r"^weight: expected a name or False, found True")):
            with self.subTest(name, how=how, content=content):
                if content is not None:
                    self.write(name, content)
                with self.assertRaisesRegex(TypeError if how.get("weight") is True else ValueError, expected):
                    apsp.read(self.path(name), **how)
        with self.assertRaises(FileNotFoundError):
            apsp.read(self.path("absent"))
        self.write("g.net", "*Vertices 2000000000\n")
        with unittest.mock.patch.dict(os.environ, APSP_MEMORY_LIMIT="64M"), \
                self.assertRaises(MemoryError):
            apsp.read(self.path("g.net"))

    def test_missing_package(self):
        networkx.write_graphml(networkx.path_graph(2), self.path("g.graphml"))
        with unittest.mock.patch.dict(sys.modules, networkx=None), self.assertRaisesRegex(
                ImportError, "reading this file needs networkx: pip install networkx"):
            apsp.read(self.path("g.graphml"))

    def test_any_bytes(self):
        """Files with bytes changed, cut or doubled are read, or refused with a reason."""
        rng = random.Random(11)
        files = [("pajek", PAJEK), ("json", json.dumps(NODE_LINK)), ("matpower", MATPOWER),
                 ("epanet", EPANET), ("obj", OBJ), ("off", OFF), ("edgelist", "0 1 {'w': 3}\n1 2\n"),
                 ("matrix", "a b\n0 1\n1 0\n")]
        for format, text in files:
            for _ in range(300):
                content = bytearray(text.encode())
                for _ in range(rng.randint(1, 4)):
                    at = rng.randrange(len(content))
                    what = rng.randrange(3)
                    if what == 0:
                        content[at] = rng.choice(b"0129-.,;:[]{}\"'* \n\xff")
                    elif what == 1:
                        del content[at:at + rng.randint(1, 9)]
                    else:
                        content[at:at] = content[at:at + rng.randint(1, 30)]
                    content = content or bytearray(b"x")
                try:
                    graph = apsp.read(self.write_bytes("g", bytes(content)), format=format)
                except ValueError as error:
                    self.assertTrue(str(error).startswith(self.path("g") + ": "), error)
                    continue
                self.assertTrue(0 <= graph.tails.min(initial=0) and
                                graph.heads.max(initial=-1) < len(graph))
                self.assertEqual(len(set(graph.ids)), len(graph))


class Converting(ProgramTest):

    def test_convert(self):
        """The programs find the distances of the graph under the same names."""
        for graph in (streets(), networkx.les_miserables_graph()):
            networkx.write_graphml(graph, self.path("g.graphml"))
            done = self.convert("g.graphml", "g.csv", "--weight", "weight")
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertRegex(done.stdout, r"\Ag.csv: \d+ vertices, \d+ (un)?directed edges, "
                                          r"weights: weight\n\Z")
            back = apsp.read(self.path("g.csv"))
            self.assertEqual(sorted(map(str, back.ids)), sorted(graph))
            found = apsp.shortest_path(back)
            expected = dict(networkx.all_pairs_dijkstra_path_length(graph))
            for tail, row in enumerate(back.ids):
                self.assertEqual({str(head): distance for head, distance in
                                  zip(back.ids, found[tail].tolist()) if distance < math.inf},
                                 expected[str(row)])
            self.succeeds("apsp", "g.csv", "-q", "-o", "out.txt", "--check")
            modes = {os.stat(self.path(name)).st_mode for name in ("g.csv", "g.graphml")}
            self.assertEqual(len(modes), 1)  # as of every file that is made

    def convert(self, *args, given=None):
        return subprocess.run([sys.executable, "-m", "apsp", "convert", *args],
                              env=environment(PYTHONPATH=PACKAGE, APSP_LIBRARY=LIBRARY,
                                              PYTHONDONTWRITEBYTECODE="1"),
                              cwd=self.directory, input=given or "", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60, check=False)

    def test_notes(self):
        """A warning at the caller's line says, in words of Python, what a graph has otherwise than
        its file says; an argument of read() says otherwise, and a reason names it, too."""
        self.write("t.txt", "3 5 1\n")
        with self.assertWarnsRegex(apsp.ReadingWarning, r"t.txt: vertices are the 2 numbers that "
                                   r"occur, of 0 .. 5 \(keep_gaps=True makes") as caught:
            graph = apsp.read(self.path("t.txt"))
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(graph.notes, [str(caught.warning)])
        with self.assertWarns(apsp.ReadingWarning) as caught:
            apsp.convert(self.path("t.txt"), self.path("t.csv"))
        self.assertEqual(caught.filename, __file__)
        done = self.convert("t.txt", "-")
        self.assertEqual((done.returncode, done.stdout), (OK, "source,target,weight\n3,5,1\n"))
        self.assertRegex(done.stderr, r"^apsp convert: note: t.txt: vertices are .*\n$")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(apsp.read(self.path("t.txt"), keep_gaps=True)), 6)
        self.write("t.tntp", ZONES)
        with self.assertWarnsRegex(apsp.ReadingWarning, r"paths lead through the 1 zones, too"):
            self.assertEqual(len(apsp.read(self.path("t.tntp"), through_zones=True)), 3)
        self.write("g.net", "*Vertices 1\n")
        with self.assertRaisesRegex(ValueError, r"^keep_gaps: expected a list of edges, found pajek"):
            apsp.read(self.path("g.net"), keep_gaps=True)

    def test_what_the_programs_say(self):
        """The message for such a file has the command that makes a graph of it."""
        networkx.write_gml(networkx.path_graph(3), self.path("g.gml"))
        finished = self.fails(BAD_INPUT, "g.gml: expected a graph, found GML; 'python3 -m apsp "
                              "convert FILE graph.csv' makes one of it", "apsp", "g.gml")
        self.assertEqual(finished.out, b"")
        for name in "g.gml", "-", "/dev/stdin":
            done = self.convert(name, "-", "--format", "gml", given=self.read("g.gml").decode())
            self.assertEqual((name, done.returncode, done.stdout),
                             (name, OK, "source,target,weight\n0,1,1\n1,0,1\n1,2,1\n2,1,1\n"))

    def test_graphs_in_memory(self):
        """Graphs of NetworkX and igraph are written by names, others by numbers; names that would be read
        otherwise are refused."""
        networks = networkx.DiGraph()
        networks.add_edge("a", "b", km=2.5)
        networks.add_node("c")
        for graph, how, expected in (
                (networks, {"weight": "km"}, "a,b,2.5\nc,c,0\n"),
                (numpy.array([[0, 3], [0, 0]]), {}, "0,1,3\n"),
                (sparse.csr_matrix([[0, 3.5], [0, 0]]), {}, "0,1,3.5\n")):
            apsp.convert(graph, self.path("g.csv"), **how)
            self.assertEqual(self.read("g.csv").decode(), "source,target,weight\n" + expected)
        if igraph is not None:
            names = igraph.Graph([(0, 1)], directed=True)
            names.vs["name"] = ["x, y", "z"]
            apsp.convert(names, self.path("g.csv"))
            self.assertEqual(self.read("g.csv").decode(), 'source,target,weight\n"x, y",z,1\n')
        for name in " a", "a ", "", "a\tb", "a\nb", "\N{GREEK SMALL LETTER ALPHA}" * 2049:
            with self.subTest(name), self.assertRaisesRegex(ValueError, "expected names of vertices of 1 to 4096"):
                apsp.convert(networkx.DiGraph([(name, "b")]), self.path("g.csv"), weight=None)
        with self.assertRaisesRegex(TypeError, "expected directed for a file only"):
            apsp.convert(networks, self.path("g.csv"), directed=False)

    def test_failures(self):
        self.write("g.net", "*Vertices 2\n*Arcs\n1 3\n")
        self.write("out.csv", "there before\n")
        self.write("g.gr", "p sp 1 0\n")
        self.write("same.json", json.dumps({"nodes": [{"id": 1}, {"id": "1"}], "links": []}))
        for args, status, expected in (
                (("g.net", "out.csv"), BAD_INPUT, "apsp convert: g.net: line 3: expected a vertex"),
                (("absent", "out.csv"), BAD_INPUT, "cannot open absent: No such file"),
                (("g.gr", "none/out.csv"), NO_RESOURCE, "cannot write none/out.csv: No such file"),
                (("g.gr", "."), NO_RESOURCE, "cannot write .: Is a directory"),
                (("g.net", "out.csv", "--format", "csvx"), BAD_INPUT, "invalid choice"),
                (("g.gr", "out.csv", "--weight", "x", "--unweighted"), BAD_INPUT,
                 "--weight and --unweighted exclude each other"),
                (("same.json", "out.csv"), BAD_INPUT, "names of vertices that differ as text, found '1' twice")):
            done = self.convert(*args)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(expected, done.stderr)
        self.assertEqual(self.read("out.csv"), b"there before\n")
        self.assertEqual(self.files(), ["g.gr", "g.net", "out.csv", "same.json"])


if __name__ == "__main__":
    unittest.main()
