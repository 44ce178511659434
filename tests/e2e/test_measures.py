# SPDX-License-Identifier: MIT
"""`--measures` against NetworkX and igraph, and the files that it writes.

NetworkX is asked with the graph's weights; where a pair has no path and it would raise an exception,
the definition is computed here from its distances. igraph leaves such pairs out as the `.json` does
for its largest and its average distance; its weights must be positive. Each is skipped if it is not
installed (Debian: python3-networkx python3-igraph).
"""

import csv
import io
import json
import math
import random
import unittest
import zlib

from support import BAD_INPUT, INF, OK, REFUTED, Graph, ProgramTest, needs, optional

networkx, igraph = optional("networkx", "igraph")
needs_networkx = needs(NetworkX=networkx)

GRAPHS = 200
BINS = 1024
OF_GRAPH = ("diameter", "radius", "center", "periphery", "average_shortest_path_length",
            "wiener_index", "global_efficiency")


def random_graph(rng, number):
    """Directed and undirected ones, connected or not, with and without zero weights."""
    n = 1 + number // 4 if number < 8 else rng.randint(2, 24)
    highest = rng.choice((0, 1, 1, 9, 1000, 2**20))
    lowest = rng.choice((0, 1)) if highest > 0 else 0
    edges = [(rng.randrange(n), rng.randrange(n), rng.randint(lowest, highest))
             for _ in range(rng.randrange(int(n * rng.choice((1, 2, 6))) + 1))]
    return Graph(n, edges)


def number(text):
    return float(text) if "." in text or "e" in text else int(text)


class Measures(ProgramTest):

    def measure(self, graph, *options):
        """Returns what is printed, the rows of the .csv as dictionaries, and the .json."""
        self.write("graphFile.txt", graph)
        printed = self.succeeds("apsp", "graphFile.txt", "--measures=m", *options).out
        rows = list(csv.DictReader(io.StringIO(self.read("m.csv").decode("ascii"))))
        rows = [{name: number(value) for name, value in row.items()} for row in rows]
        return printed.decode("utf-8"), rows, json.loads(self.read("m.json"))


def closeness_centrality(distances, n):
    """With NetworkX's order of operations."""
    others, total = len(distances) - 1.0, sum(distances)
    return others / total * (others / (n - 1)) if total > 0 else 0.0


# Every measure of vertices, from the finite distances of one, in a graph of n vertices.
DEFINED = {
    "reached": lambda distances, n: len(distances),
    "distance_sum": lambda distances, n: sum(distances),
    "eccentricity": lambda distances, n: max(distances),
    "closeness_centrality": closeness_centrality,
    "harmonic_centrality": lambda distances, n: math.fsum(1 / d for d in distances if d != 0),
}


def defined(distances, n, prefix=""):
    """Returns the measures of a vertex in one direction, by the names of their columns: with the
    prefix unless they have NetworkX's name."""
    own = {"out_": ("eccentricity",), "in_": ("closeness_centrality", "harmonic_centrality")}
    return {name if name in own.get(prefix, ()) else prefix + name: value(distances, n)
            for name, value in DEFINED.items()}


@needs_networkx
class AgainstNetworkX(Measures):

    def check_vertices(self, rows, peer, dist, directed):
        n = len(rows)
        for v, row in enumerate(rows):
            expected = {"vertex": v, "id": v,
                        **defined(list(dist[v].values()), n, "out_" if directed else "")}
            if directed:
                expected.update(defined([d[v] for d in dist.values() if v in d], n, "in_"))
            self.assertEqual(row, expected)
        closeness = networkx.closeness_centrality(peer, distance="weight")
        reciprocals = networkx.harmonic_centrality(peer, distance="weight")
        for v, row in enumerate(rows):
            self.assertEqual(row["closeness_centrality"], closeness[v])
            self.assertAlmostEqual(row["harmonic_centrality"], reciprocals[v], delta=1e-12 * n)

    def check_graph(self, found, peer, dist, directed):
        n = len(peer)
        lengths = [d for u in dist for v, d in dist[u].items() if u != v]
        parts = list(networkx.strongly_connected_components(peer) if directed
                     else networkx.connected_components(peer))
        kind = "strongly_connected" if directed else "connected"
        self.assertEqual(found["is_" + kind], len(parts) == 1)
        self.assertEqual(found["number_%s_components" % kind], len(parts))
        self.assertEqual(found["largest_%s_component" % kind], max(map(len, parts)))
        self.assertEqual(found["pairs"], n * (n - 1))
        self.assertEqual(found["pairs_without_path"], n * (n - 1) - len(lengths))
        self.assertEqual(found["distance_sum"], sum(lengths))
        self.assertEqual(found["average_distance"],
                         sum(lengths) / len(lengths) if lengths else None)
        largest = found["largest_distance"]
        self.assertEqual((largest["distance"], dist[largest["from"]][largest["to"]]),
                         (max(lengths, default=0),) * 2)
        efficiency = math.fsum(1 / d for d in lengths if d) / (n * (n - 1)) if n > 1 else 0
        self.assertAlmostEqual(found["global_efficiency"], efficiency, delta=1e-15)
        if len(parts) > 1:
            self.assertEqual({found[name] for name in OF_GRAPH[:-1]}, {None})
            return
        eccentricity = networkx.eccentricity(peer, sp=dist)
        for name in ("diameter", "radius"):
            self.assertEqual(found[name], getattr(networkx, name)(peer, e=eccentricity))
        for name in ("center", "periphery"):
            self.assertEqual(found[name], sorted(getattr(networkx, name)(peer, e=eccentricity)))
        self.assertEqual(found["wiener_index"], networkx.wiener_index(peer, weight="weight"))
        self.assertEqual(found["average_shortest_path_length"],
                         networkx.average_shortest_path_length(peer, weight="weight"))

    def check_histogram(self, histogram, lengths):
        width, first, counts = (histogram[name] for name in ("bin_width", "first", "counts"))
        self.assertEqual(width, next(2**k for k in range(31)
                                     if max(lengths, default=0) // 2**k < BINS))
        expected = {}
        for d in lengths:
            expected[d // width * width] = expected.get(d // width * width, 0) + 1
        self.assertEqual(expected, {first + k * width: count
                                    for k, count in enumerate(counts) if count})
        self.assertTrue(not counts or (counts[0] and counts[-1]))

    def test_random_graphs(self):
        rng, connected = random.Random(1), 0
        for index in range(GRAPHS):
            graph = random_graph(rng, index)
            undirected = index % 3 == 0
            weights = graph.weights()
            if undirected:
                edges = [edge for u, v, w in graph.edges for edge in ((u, v, w), (v, u, w))]
                weights = Graph(graph.n, edges).weights()
            # A graph with both of each pair of opposite edges, of one weight, is the same as an
            # undirected one.
            directed = any(weights.get((v, u)) != w for (u, v), w in weights.items())
            peer = networkx.DiGraph() if directed else networkx.Graph()
            peer.add_nodes_from(range(graph.n))
            peer.add_weighted_edges_from((u, v, w) for (u, v), w in weights.items())
            dist = dict(networkx.all_pairs_dijkstra_path_length(peer))
            with self.subTest(index=index, graph=graph):
                _, rows, found = self.measure(graph, *["--undirected"] * undirected)
                self.assertEqual((found["vertices"], found["directed"], found["all_sources"]),
                                 (graph.n, directed, True))
                self.check_vertices(rows, peer, dist, directed)
                self.check_graph(found, peer, dist, directed)
                self.check_histogram(found["histogram"],
                                     [d for u in dist for v, d in dist[u].items() if u != v])
                connected += found["is_strongly_connected" if directed else "is_connected"]
        self.assertTrue(10 < connected < GRAPHS - 10, connected)

    def test_some_sources(self):
        """Outwards only, and nothing of the whole graph."""
        rng = random.Random(2)
        for index in range(20):
            graph = random_graph(rng, 8 + index)
            sources = rng.sample(range(graph.n), rng.randint(1, min(9, graph.n)))
            _, rows, _ = self.measure(graph)
            with self.subTest(index=index, graph=graph, sources=sources):
                _, some, found = self.measure(graph, "--sources", ",".join(map(str, sources)))
                self.assertEqual(some, [{name: rows[s][name] for name in some[0]}
                                        for s in sources])
                self.assertFalse([name for name in some[0] if name.startswith("in_")])
                self.assertFalse([name for name in (*OF_GRAPH, "is_connected") if name in found])
                self.assertEqual((found["all_sources"], found["sources"]), (False, len(sources)))
                self.assertEqual(found["pairs"], len(sources) * (graph.n - 1))


@needs(igraph=igraph)
class AgainstIgraph(Measures):

    def check(self, rows, found, peer):
        n, directed = len(rows), found["directed"]
        inwards_mode = "in" if directed else "all"
        how = {"weights": "weight"}
        self.assertEqual(found["largest_distance"]["distance"],
                         peer.diameter(directed=directed, unconn=True, **how))
        if found["average_distance"] is not None:
            self.assertAlmostEqual(found["average_distance"] / peer.average_path_length(
                directed=directed, unconn=True, **how), 1, delta=1e-12)
        farthest = [max(filter(math.isfinite, lengths)) for lengths in peer.distances(
            mode="out" if directed else "all", **how)]
        self.assertEqual([row["eccentricity"] for row in rows], farthest)
        harmonic = peer.harmonic_centrality(mode=inwards_mode, normalized=False, **how)
        closeness = peer.closeness(mode=inwards_mode, normalized=True, **how)
        reached = [row["in_reached" if directed else "reached"] for row in rows]
        for v, row in enumerate(rows):
            self.assertAlmostEqual(row["harmonic_centrality"], harmonic[v] if n > 1 else 0,
                                   delta=1e-12 * n)
            # igraph has not the factor of Wasserman and Faust, and NaN where nothing is reached.
            self.assertAlmostEqual(row["closeness_centrality"], 0 if reached[v] == 1 else
                                   closeness[v] * (reached[v] - 1) / (n - 1), delta=1e-12)
        parts = peer.connected_components(mode="strong").sizes()
        kind = "strongly_connected" if directed else "connected"
        self.assertEqual((found["number_%s_components" % kind],
                          found["largest_%s_component" % kind]), (len(parts), max(parts)))

    def test_random_graphs(self):
        rng = random.Random(4)
        for index in range(GRAPHS):
            graph = random_graph(rng, index)
            undirected = index % 3 == 0
            graph = Graph(graph.n, [(u, v, w + 1) for u, v, w in graph.edges])
            with self.subTest(index=index, graph=graph):
                _, rows, found = self.measure(graph, *["--undirected"] * undirected)
                directed = found["directed"]
                edges = [(u, v) for u, v, _ in graph.edges if directed or undirected or u <= v]
                weights = [w for u, v, w in graph.edges if directed or undirected or u <= v]
                self.check(rows, found, igraph.Graph(graph.n, edges, directed=directed,
                                                     edge_attrs={"weight": weights}))


class Extremes(Measures):

    def test_large_distances(self):
        graph = Graph(4, [(0, 1, INF - 1), (0, 2, 1), (2, 1, INF - 2), (3, 0, 0)])
        _, rows, found = self.measure(graph)
        self.assertEqual(repr(found["distance_sum"]), "3221225467")
        self.assertEqual(rows[0]["out_distance_sum"], INF)
        self.assertEqual(found["largest_distance"], {"distance": INF - 1, "from": 0, "to": 1})
        self.assertEqual(found["histogram"]["bin_width"], 2**20)
        self.assertEqual(sum(found["histogram"]["counts"]), 6)

    def test_negative_distances(self):
        graph = Graph(3, [(0, 1, -4), (1, 2, 2)])
        _, rows, found = self.measure(graph)
        self.assertEqual([rows[0][name] for name in ("out_distance_sum", "eccentricity",
                                                     "out_closeness_centrality")], [-6, 0, 0.0])
        self.assertEqual(rows[0]["out_harmonic_centrality"], -0.75)
        self.assertEqual(found["histogram"],
                         {"bin_width": 1, "first": -4, "counts": [1, 0, 1, 0, 0, 0, 1]})

    def test_one_vertex(self):
        printed, rows, found = self.measure(Graph(1, []))
        self.assertEqual(rows, [{"vertex": 0, "id": 0, **defined([0], 1)}])
        self.assertEqual((rows[0]["reached"], rows[0]["closeness_centrality"]), (1, 0.0))
        self.assertEqual([found[name] for name in OF_GRAPH], [0, 0, [0], [0], 0.0, 0, 0.0])
        self.assertEqual(found["histogram"]["counts"], [])
        self.assertIn("diameter, radius              0, 0\n", printed)

    def test_lists_end_with_dots_if_there_are_more(self):
        for n in (7, 8, 9):
            ring = [(u, v % n, 1) for w in range(n) for u, v in ((w, w + 1), ((w + 1) % n, w))]
            printed = self.measure(Graph(n, ring))[0]
            self.assertIn("center                        %d vertices: %s%s\n"
                          % (n, " ".join(map(str, range(min(n, 8)))), " ..." if n > 8 else ""), printed)


class Files(Measures):

    def test_rows_that_do_not_fit(self):
        """Rows that cannot be written leave the old measures."""
        self.write("graphFile.txt", Graph(2, [(0, 1, 255)]))
        self.write("m.csv", "old")
        for option in ([], ["--check"]):
            done = self.run_program("apsp", "graphFile.txt", "--measures=m", "--format", "npy:uint8",
                                    "-o", "rows", *option)
            self.assertEqual(done.status, BAD_INPUT, done.err)
            self.assertEqual(sorted(self.files()), ["graphFile.txt", "m.csv"])
            self.assertEqual(self.read("m.csv"), b"old")

    def test_same_bytes(self):
        """The files are the same from every variant at any number of threads, but for what names
        them and the seconds."""
        rng = random.Random(3)
        graph = Graph(300, [(rng.randrange(300), rng.randrange(300), rng.randint(0, 5000))
                            for _ in range(900)])
        seen = set()
        for variant, threads in (("cpu:johnson", 1), ("cpu:johnson", 3), ("cpu:multisource", 1),
                                 ("cpu:multisource", 2), ("cpu:blocked", 2)):
            _, _, found = self.measure(graph, "--variant", variant, "--threads", threads)
            for name in ("program", "variant", "solve_s", "total_s"):
                found.pop(name)
            seen.add((self.read("m.csv"), json.dumps(found)))
        self.assertEqual(len(seen), 1)
        seen.clear()
        for weights in (1,), (10, 20, 30):
            few = Graph(1300, [(rng.randrange(1300), rng.randrange(1300), rng.choice(weights))
                               for _ in range(2600)])
            for variant, threads, check in (("cpu:bfs", 1, []), ("cpu:bfs", 3, []), ("cpu:bfs", 3, ["--check"]),
                                            ("cpu:multisource", 2, [])):
                self.measure(few, "--variant", variant, "--threads", threads, *check)
                seen.add(self.read("m.csv"))
            self.assertEqual(len(seen), 1)
            seen.clear()

    def test_omit(self):
        """The other numbers stay the same, by sums of proportional rows and by rows; the files are
        proved; and wrong lists are refused."""
        rng = random.Random(11)
        edges = [(v, rng.randrange(max(0, v - 4), v), rng.randint(1, 90))
                 for v in range(1, 1500) for _ in range(1 + (v % 9 == 0))]
        directed = [(u, v, rng.randint(1, 90)) for u, v, _ in edges]
        for graph in (Graph(1500, edges + [(v, u, w) for u, v, w in edges]),
                      Graph(1500, edges + directed), Graph(1500, edges)):
            printed, rows, whole = self.measure(graph)
            self.assertIn("global efficiency", printed)
            for variant in ("cpu:dissection", "cpu:multisource", "auto"):
                for omitted in ("harmonic", "histogram", "histogram,harmonic"):
                    check = ["--check"] if variant == "cpu:dissection" else []
                    printed, some, found = self.measure(graph, "--omit", omitted, "--variant",
                                                        variant, *check)
                    harmonic = "harmonic" not in omitted
                    self.assertEqual("global efficiency" in printed, harmonic)
                    self.assertEqual("bins of width" in printed, "histogram" not in omitted)
                    self.assertEqual(found.pop("omitted"),
                                     ",".join(sorted(omitted.split(","))))
                    self.assertEqual(some, [{name: value for name, value in row.items()
                                             if harmonic or "harmonic" not in name}
                                            for row in rows])
                    missing = {name for name in whole if name not in found}
                    self.assertEqual(missing, ({"global_efficiency"} if not harmonic else set())
                                     | ({"histogram"} if "histogram" in omitted else set()))
                    for name in ("program", "variant", "solve_s", "total_s", "csv_checksum"):
                        found.pop(name)
                    self.assertEqual(found, {name: whole[name] for name in found})
                self.proves("m")
        for wrong in ("", "closeness", "harmonic,"):
            self.fails(BAD_INPUT, "--omit: expected harmonic, histogram or harmonic,histogram, "
                       "found '%s'" % wrong, "apsp", "graphFile.txt", "--measures", "--omit=" + wrong)
        self.fails(BAD_INPUT, "--omit: it is for --measures", "apsp", "graphFile.txt", "--omit",
                   "histogram")

    def test_verify(self):
        """Proves files again; refutes a number that is wrong."""
        graph = Graph(4, [(0, 1, 5), (0, 2, 9), (1, 2, 1), (2, 3, 2), (3, 1, 3)])
        for options in ([], ["--sources", "2,0"]):
            self.measure(graph, *options)
            self.proves("m")
            said = json.loads(self.succeeds("verify", "m", "--json").out)
            self.assertEqual((said["vertices"], said["measured_vertices"]), (4, 2 if options else 4))
            text = self.read("m.json").decode("ascii")
            self.write("m.json", text.replace('"to": 3', '"to": 2'))
            self.fails(REFUTED, 'm is refuted: m.json: "to": expected 3, found 2', "verify", "m")
            self.write("m.json", text)
            self.write("m.csv", self.read("m.csv") + b"\n")
            self.fails(BAD_INPUT, "m.csv: expected the file that m.json describes", "verify", "m")

    def test_wrong_names(self):
        """Another vertex than the graph's is a wrong answer, whatever it is called."""
        for names in ("abc", "abc"), ("345", "347"), ("345", "x45"), ("abc", "4bc"), ("abc", "xbc"):
            self.write("graphFile.txt", "%s %s 2\n%s %s 3\n" % (names[0][0], names[0][1], *names[0][1:]))
            self.succeeds("apsp", "--measures=m", noted="the 3 numbers" if names[0] == "345" else None)
            text = self.read("m.csv").decode()
            table = list(csv.reader(io.StringIO(text)))
            for row, name in zip(table[1:], names[1]):
                row[1] = name
            done = self.judge(table, json.loads(self.read("m.json")))
            self.assertEqual(done.status, OK if names[0] == names[1] else REFUTED, done.err)

    def judge(self, table, said, end="\n"):
        """Returns the run of verify on these rows and this .json, whose checksums are right."""
        text = "".join(",".join(row) + end for row in table)
        self.write("x.csv", text)
        self.write("x.json", json.dumps(dict(said, csv_checksum="%08x" % zlib.crc32(text.encode()))))
        return self.run_program("verify", "x")

    def test_every_number(self):
        """Each cell of the table and each member of the .json counts: what is computed anew is
        refuted, what describes the graph is noted, and the rest must at least make sense."""
        made = ("program", "variant", "graph", "solve_s", "total_s", "vertices_from")
        noted = {"edges": 77, "graph_checksum": "01234567"}
        edges = [(0, 1, 5), (1, 2, 1), (2, 3, 2), (3, 1, 3), (3, 0, 4)]
        both = edges + [(v, u, w) for u, v, w in edges]
        for graph, options in ((Graph(4, edges), []), (Graph(5, both), []), (Graph(4, both), []),
                               (Graph(4, edges), ["--sources", "2,0", "--limit", "5"]),
                               (Graph(4, both), ["--omit", "harmonic"]),
                               (Graph(4, [(u, v, w / 4) for u, v, w in edges]), [])):
            _, _, said = self.measure(graph, *options)
            table = list(csv.reader(io.StringIO(self.read("m.csv").decode("ascii"))))
            for end in "\n", "\r\n":
                done = self.judge(table, said, end)
                self.assertEqual((done.status, done.err), (OK, ""))
            for row in range(1, len(table)):
                for column in range(len(table[row])):
                    wrong = [list(cells) for cells in table]
                    wrong[row][column] = changed(wrong[row][column])
                    with self.subTest(options=options, row=row, column=table[0][column]):
                        self.assertIn(self.judge(wrong, said).status, (REFUTED, BAD_INPUT))
            for row in range(len(table)):
                self.assertEqual(self.judge(table[:row] + table[row + 1:], said).status, BAD_INPUT)
            for path, wrong in variations(said):
                name = path[0]
                with self.subTest(options=options, path=path, wrong=wrong):
                    if name in made:
                        self.assertEqual(self.judge(table, dict(said, **{name: [1]})).status,
                                         BAD_INPUT)
                    elif name in noted:
                        done = self.judge(table, dict(said, **{name: noted[name]}))
                        self.assertEqual(done.status, OK)
                        self.assertRegex(done.err, r"\Averify: note: x: made for a graph ")
                    elif name != "csv_checksum":
                        self.assertIn(self.judge(table, wrong).status, (REFUTED, BAD_INPUT))
            kinds = ("is_%s", "number_%s_components", "largest_%s_component")
            for name in set(OF_GRAPH) | {"histogram"} | {
                    name % kind for name in kinds for kind in ("connected", "strongly_connected")}:
                if name not in said:
                    self.assertEqual(self.judge(table, dict(said, **{name: 1})).status, BAD_INPUT)


def changed(cell):
    """Another number, written the same way."""
    return repr(float(cell) + 0.125) if "." in cell or "e" in cell else str(int(cell) + 1)


def variations(value, path=(), rebuild=lambda value: value):
    """The places of a JSON value, and the whole with something else there."""
    def at(key):
        def put(inner):
            copy = dict(value) if isinstance(value, dict) else list(value)
            copy[key] = inner
            return rebuild(copy)
        return put
    if isinstance(value, dict):
        for name in value:
            yield from variations(value[name], path + (name,), at(name))
    elif isinstance(value, list):
        yield path, rebuild(value + [0])
        for k, inner in enumerate(value):
            yield from variations(inner, path + (k,), at(k))
    elif isinstance(value, bool):
        yield path, rebuild(not value)
    else:
        yield path, rebuild(1 if value is None else value + 1 if not isinstance(value, str) else "x")
        yield path, rebuild("x" if value is None else None)


if __name__ == "__main__":
    unittest.main()
