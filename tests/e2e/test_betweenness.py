# SPDX-License-Identifier: MIT
"""`--measures --betweenness` against NetworkX, and `verify` of its files. The comparison is skipped if
NetworkX is not installed (Debian: python3-networkx)."""

import csv
import io
import json
import math
import random
import re
import time

from support import BAD_INPUT, OK, REFUTED, Graph, ProgramTest, needs, optional

networkx, = optional("networkx")
GRAPHS = 40


class Betweenness(ProgramTest):

    def table(self, name):
        return list(csv.DictReader(io.StringIO(self.read(name).decode("ascii"))))

    def measure(self, graph, *options):
        """The rows of vertices, by vertex, and those of edges, by their ends."""
        self.write("graphFile.txt", graph)
        self.succeeds("apsp", "graphFile.txt", "--measures=m", *options)
        rows = {int(row["vertex"]): row for row in self.table("m.csv")}
        edges = {(int(row["source"]), int(row["target"])): row for row in self.table("m.edges.csv")}
        return rows, edges

    def near(self, row, name, expected):
        self.assertAlmostEqual(float(row[name]), expected, delta=1e-9 * (1 + abs(expected)))


class Plans(ProgramTest):

    def streets(self, side):
        ends = [(v, v + step) for v in range(side * side) for step in (1, side)
                if v + step < side * side and (step > 1 or (v + 1) % side)]
        self.write("g.txt", Graph(side * side, [(u, v, 1 + (u * 7919 + v * 104729) % 9973) for u, v in ends]))

    def planned(self, *options):
        return json.loads(self.succeeds("apsp", "g.txt", "--undirected", "--plan", "--json", *options).out)

    def test_what_is_planned_is_taken(self):
        self.streets(40)
        self.assertIsNone(self.planned("--measures")["betweenness"])
        for way, other in ("", None), ("=searches", "searches are asked for"), ("=classes", None):
            options = "--measures", "--betweenness" + way, "--threads", "2"
            begun = time.monotonic()
            plan = self.planned(*options)["betweenness"]
            passed_s = time.monotonic() - begun
            answer = json.loads(self.succeeds("apsp", "g.txt", "--undirected", "--json", *options).out)
            self.assertEqual(plan["engine"], answer["betweenness"]["engine"])
            self.assertEqual(plan["not_classes"], other)
            self.assertEqual((plan["classes_s"] is None, plan["eliminate_s"] is None), (other is not None,) * 2)
            self.assertGreater(plan["searches_s"], 0)
            self.assertGreater(plan["memory"], 1 << 20)
            begun = time.monotonic()
            text = self.succeeds("apsp", "g.txt", "--undirected", "--plan", *options).out.decode()
            again_s = time.monotonic() - begun
            ways = {"searches": re.escape("by searches %.3g s" % plan["searches_s"])}
            for known in "sweeps", "classes":
                if plan[known + "_s"] is not None:
                    ways[known] = r"by %s %s s after (\S+) s of elimination" % (
                        known, re.escape("%.3g" % plan[known + "_s"]))
            if other is not None:
                ways["classes"] = "not by classes: " + other
            line = re.search(r"(?m)^betweenness %s, \S+ MiB; %s$" % (
                ways.pop(plan["engine"]), "; ".join(ways.values())), text)
            self.assertIsNotNone(line, text)
            if other is None:  # elimination is measured, by each run anew
                for eliminate_s, whole_s in (plan["eliminate_s"], passed_s), (float(line[1]), again_s):
                    self.assertTrue(whole_s / 1e4 < eliminate_s < whole_s, (eliminate_s, whole_s))
                self.assertLess(plan["classes_s"], plan["searches_s"])
            self.assertIn(plan["engine"], {"": ("sweeps", "classes")}.get(way, (way[1:],)))
            self.assertEqual(plan["sweeps_s"] is not None, way == "")
        few = "--measures", "--betweenness", "--sources", "random:150:1"
        plan = self.planned(*few)["betweenness"]
        self.assertEqual((plan["engine"], plan["classes_s"], plan["not_classes"]),
                         ("sweeps", None, "fewer than an eighth of the vertices outside of pendant trees have sources"))
        text = self.succeeds("apsp", "g.txt", "--undirected", "--plan", *few).out.decode()
        self.assertRegex(text, r"(?m)^betweenness by sweeps \S+ s after \S+ s of elimination, \S+ MiB; "
                         r"by searches \S+ s; not by classes: fewer than an eighth of the vertices outside of pendant trees have sources$")
        answer = json.loads(self.succeeds("apsp", "g.txt", "--undirected", "--json", *few).out)
        self.assertEqual(answer["betweenness"]["engine"], "sweeps")

    def test_zones(self):
        self.write("g.tntp", b"<NUMBER OF ZONES> 1\n<NUMBER OF NODES> 3\n<FIRST THRU NODE> 2\n<NUMBER OF LINKS> 3\n"
                   b"<END OF METADATA>\n~ init term capacity length fft b power speed toll type ;\n"
                   b"1 2 1 4 4 1 4 1 0 1 ;\n2 1 1 4 4 1 4 1 0 1 ;\n2 3 1 5 5 1 4 1 0 1 ;\n")
        text = self.succeeds("apsp", "g.tntp", "--plan", "-q", "--measures", "--betweenness=classes").out.decode()
        self.assertRegex(text, r"(?m)^betweenness by searches .*; not by classes: there are zones$")
        for way in "classes", "sweeps":
            ran = self.run_program("apsp", "g.tntp", "--measures=z", "--betweenness=" + way)
            self.assertEqual((ran.status, ran.err.splitlines()[1:]), (OK, [
                "apsp: note: --betweenness=%s: searches are taken, since there are zones" % way]))


@needs(NetworkX=networkx)
class AgainstNetworkX(Betweenness):

    def peer(self, n, edges, directed):
        peer = networkx.DiGraph() if directed else networkx.Graph()
        peer.add_nodes_from(range(n))
        for u, v, weight in edges:
            if u != v and weight < peer.get_edge_data(u, v, {"weight": 10**9})["weight"]:
                peer.add_edge(u, v, weight=weight)
        return peer

    def test_random_graphs(self):
        chance = random.Random(1)
        for number in range(GRAPHS):
            n, endpoints, undirected = chance.randint(3, 16), number % 2 == 1, number % 4 > 1
            edges = [(chance.randrange(n), chance.randrange(n), chance.randint(1, (1, 3, 50)[number % 3]))
                     for _ in range(chance.randint(n, 4 * n))]
            peer = self.peer(n, edges, not undirected)
            # The file is undirected if every edge leads back, which a few random ones may do.
            if not undirected and all(peer.get_edge_data(v, u) == data for u, v, data in peer.edges(data=True)):
                continue
            rows, flows = self.measure(
                Graph(n, edges), "--betweenness=endpoints" if endpoints else "--betweenness",
                *["--undirected"] * undirected)
            for name, normalized in ("betweenness", False), ("betweenness_centrality", True):
                expected = networkx.betweenness_centrality(peer, normalized=normalized, weight="weight",
                                                           endpoints=endpoints)
                for v, row in rows.items():
                    self.near(row, name, expected[v])
            for name, normalized in ("betweenness", False), ("edge_betweenness_centrality", True):
                expected = networkx.edge_betweenness_centrality(peer, normalized=normalized,
                                                                weight="weight")
                self.assertEqual(len(flows), len(expected))
                for (u, v), value in expected.items():
                    self.near(flows[(u, v) if (u, v) in flows else (v, u)], name, value)
            self.succeeds("verify", "m", *["--undirected"] * undirected)

    def test_some_sources(self):
        """Every vertex has a row; those that are no sources follow, without distances."""
        graph = Graph(6, [(u, v, 1 + (u * v + 2 * u) % 3) for u in range(6) for v in range(6) if (u + v) % 4])
        peer = self.peer(6, graph.edges, True)
        rows, flows = self.measure(graph, "--betweenness", "--sources", "4,1")
        self.assertEqual(list(rows), [4, 1, 0, 2, 3, 5])
        self.assertEqual([row["eccentricity"] == "" for row in rows.values()], [False] * 2 + [True] * 4)
        pairs = networkx.betweenness_centrality_subset(peer, [1, 4], range(6), weight="weight")
        self.assertGreater(min(pairs.values()), 0)
        for v, row in rows.items():
            self.near(row, "betweenness", pairs[v] * 5 / (1 if v in (1, 4) else 2))
            self.near(row, "betweenness_centrality", pairs[v] / 4 / (1 if v in (1, 4) else 2))
        pairs = networkx.edge_betweenness_centrality_subset(self.peer(6, graph.edges, True), [1, 4],
                                                            range(6), weight="weight")
        self.assertEqual(set(flows), set(pairs))
        self.succeeds("verify", "m")
        rows, flows = self.measure(graph, "--betweenness", "--sources", "4")  # no pair counts at vertex 4
        self.assertEqual([(v, row["betweenness"]) for v, row in rows.items()
                          if not math.isfinite(float(row["betweenness"]))], [(4, "nan")])
        self.succeeds("verify", "m")


class Forests(Betweenness):
    """Every pair has one path at most: what goes over an edge is a product of numbers of vertices on its sides. Sources
    are summed in groups of 16, from 1024 on of 128, whose last one may be short, and in strips by classes."""

    def setUp(self):
        super().setUp()
        self.chance = random.Random(46)

    def forest(self, n, width=34):
        """The vertex before each on a grid, with a smaller number, or -1; and the first of each one's tree."""
        before = [self.chance.choice([v - 1] * (v % width > 0) + [v - width] * (v >= width) or [-1])
                  if self.chance.random() < 0.99 else -1 for v in range(n)]
        root = list(range(n))
        for v in range(n):
            root[v] = v if before[v] < 0 else root[before[v]]
        return before, root

    def sums(self, before, of):
        """For each vertex the sum over its part of the tree, and the sum over the vertices on the way to it."""
        inside, until = list(of), list(of)
        for v in range(len(of)):
            until[v] += until[before[v]] if before[v] >= 0 else 0
        for v in reversed(range(len(of))):
            if before[v] >= 0:
                inside[before[v]] += inside[v]
        return inside, until

    def streets(self, before, root, both, width=34):
        """Edges of the grid that are in no tree, and past a vertex of one, are too long for any path."""
        edges = [(u, v, 1 + v % 9) for v, u in enumerate(before) if u >= 0]
        edges += [(before[u], v, 10**6) for v, u in enumerate(before) if not both and u >= 0 and before[u] >= 0]
        return edges + [(v - step, v, 10**6) for v in range(len(before)) for step in (1, width)
                        if both and v >= step and (step > 1 or v % width) and before[v] != v - step
                        and root[v] == root[v - step]]

    def test_groups_of_sources(self):
        for n in 15, 16, 17, 33, 1023, 1024, 1025, 1152, 1153, 2177:
            both, some = n % 2 > 0, self.chance.random() < 0.4
            before, root = self.forest(n)
            sources = self.chance.sample(range(n), self.chance.randint(n // 2, n - 1)) if some else range(n)
            size, _ = self.sums(before, [1] * n)
            own = set(sources)
            inside, until = self.sums(before, [v in own for v in range(n)])
            flow, through = {}, [0] * n
            for v, u in enumerate(before):
                if u >= 0:
                    down = (inside[root[v]] - inside[v] if both else until[u]) * size[v]
                    up = inside[v] * (size[root[v]] - size[v]) if both else 0
                    flow[u, v] = down + up
                    through[v] += down
                    through[u] += up
            for v in range(n):  # but for paths that end there
                through[v] -= (inside[root[v]] if both else until[v]) - (v in own)
            scale = 2 if both else 1
            for way in ["searches"] + ["classes"] * (both and n > 1000) + ["sweeps"] * (n > 1000):
                rows, flows = self.measure(
                    Graph(n, self.streets(before, root, both)), "--betweenness=" + way,
                    *["--undirected"] * both, *(["--sources", ",".join(map(str, sources))] if some else []))
                with self.subTest(n=n, way=way, both=both, some=some):
                    for v, row in rows.items():
                        self.near(row, "betweenness", through[v] * (n - 1) / scale / max(len(own) - (v in own), 1))
                    for ends, row in flows.items():
                        self.near(row, "betweenness", flow.get(ends, 0) * n / scale / len(own))

    def test_trips_of_groups(self):
        for n in 200, 1300:
            before, root = self.forest(n)
            edges = self.streets(before, root, True)
            trips = {(v, self.chance.randrange(n)): self.chance.randint(1, 9) for v in range(n)}
            lost = [(s, t) for s, t in trips if root[s] != root[t]]
            loads = {ends: 0 for u, v, _ in edges for ends in ((u, v), (v, u))}
            length = dict((ends, w) for u, v, w in edges for ends in ((u, v), (v, u)))
            for (s, t), count in trips.items():
                while s != t and root[s] == root[t]:
                    step = (s, before[s]) if s > t else (before[t], t)
                    loads[step] += count
                    s, t = (before[s], t) if s > t else (s, before[t])
            self.write("g.txt", Graph(n, edges))
            self.write("t.csv", "".join("%d,%d,%d\n" % (*ends, count) for ends, count in trips.items()))
            command = "apsp", "g.txt", "--undirected", "--demand", "t.csv"
            answer = json.loads(self.succeeds(*command, "--json").out)
            self.assertEqual(
                [answer[name] for name in ("origins", "pairs_without_path", "trips_without_path", "trips_length")],
                [n, len(lost), sum(trips[ends] for ends in lost), sum(loads[ends] * length[ends] for ends in loads)])
            self.assertEqual([tuple(map(int, row.values())) for row in self.table("loads.csv")],
                             sorted((u, v, load) for (u, v), load in loads.items()))
            self.assertIn("; the first is from %d to %d\n" % lost[0], self.succeeds(*command).out.decode())


class Files(Betweenness):

    #     1 - 3
    #   /       \      two ways of 0.3 from 0 to 4
    #  0 - - 2 - 4
    TIES = "from,to,weight\n0,1,0.1\n1,3,0.1\n3,4,0.1\n0,2,0.2\n2,4,0.1\n"

    def test_decimals_tie_as_on_paper(self):
        for power, name in (1, "paper.csv"), (10, "integers.csv"):
            self.write(name, re.sub(r"0\.(\d)\n", lambda d: "%g\n" % (int(d[1]) * power / 10),
                                    self.TIES).encode())
        for name in "paper", "integers":
            self.succeeds("apsp", name + ".csv", "--undirected", "--betweenness",
                          "--measures=m_" + name, "--check")
            self.succeeds("verify", "m_" + name, "--graph", name + ".csv", "--undirected")
        self.assertEqual(self.read("m_paper.edges.csv"), self.read("m_integers.edges.csv"))
        self.assertEqual([row["betweenness"] for row in self.table("m_paper.csv")[1:4]],
                         ["1.5", "0.5", "2.0"])

    def test_names(self):
        self.write("named.csv", b'source,target,weight\n"a,b",c,1\nc,d,2\n')
        self.succeeds("apsp", "named.csv", "--betweenness", "--measures=m", "--undirected")
        self.assertEqual([(row["source"], row["target"], row["betweenness"])
                          for row in self.table("m.edges.csv")],
                         [("a,b", "c", "2.0"), ("c", "d", "2.0")])

    def test_verify_refutes_one_unit(self):
        """In each number of a file, or by twice what rounding may do, by its own checksum or without."""
        self.measure(Graph(5, [(0, 1, 1), (1, 2, 1), (2, 3, 2), (1, 3, 3), (3, 4, 1)]), "--betweenness")
        for name, checksum in ("m.csv", "csv_checksum"), ("m.edges.csv", "edges_checksum"):
            whole, made = self.read(name).decode(), self.read("m.json").decode()
            head, *lines = whole.splitlines()
            self.write("m.json", re.sub(r'  "%s": .*\n' % checksum, "", made).encode())
            for k, column in enumerate(head.split(",")):
                if "betweenness" not in column:
                    continue
                for row, line in enumerate(lines):
                    fields = line.split(",")
                    value, unit = float(fields[k]), 1 / 5 if "centrality" in column else 5
                    rounding = 2**-40 * (value + unit)
                    for step in unit / 5, 2 * rounding, rounding / 2:
                        fields[k] = repr(value + step)
                        changed = [head, *lines[:row], ",".join(fields), *lines[row + 1:]]
                        self.write(name, "\n".join(changed + [""]).encode())
                        ran = self.run_program("verify", "m")
                        self.assertEqual(ran.status, OK if step < rounding else REFUTED, ran.err)
                        self.assertTrue(ran.status == OK or "%s:%d" % (name, row + 2) in ran.err)
            self.write(name, whole.encode())
            self.assertEqual(self.run_program("verify", "m").status, OK)
            self.write("m.json", made.encode())
            self.write(name, whole.replace(".0", ".5", 1).encode())
            self.assertEqual(self.run_program("verify", "m").status, BAD_INPUT)
            self.write(name, whole.encode())

    def test_wrong_file_of_edges(self):
        self.measure(Graph(3, [(0, 1, 1), (1, 2, 1)]), "--betweenness")
        whole = self.read("m.edges.csv")
        self.write("m.json", re.sub(rb'  "edges_checksum": .*\n', b"", self.read("m.json")))
        for wrong, said in ((whole[:-30], "truncated"), (whole + b"1,0,0.0,0.0\n", "nothing behind"),
                            (whole.replace(b"source", b"from"), "expected 'source,target"),
                            (whole.replace(b"2.0", b"x"), "expected '2.0'"),
                            (whole[:-1] + b",1\n", "expected 4 columns")):
            self.write("m.edges.csv", wrong)
            ran = self.run_program("verify", "m")
            self.assertEqual(ran.status, BAD_INPUT, (wrong, ran.err))
            self.assertIn(said, ran.err)

    def test_wrong_json(self):
        self.measure(Graph(3, [(0, 1, 1), (1, 2, 1)]), "--betweenness")
        whole = json.loads(self.read("m.json"))
        flows = {"endpoints": False, "weights_times": 1}
        for wrong, said in (({"betweenness": 1}, '"betweenness": an object with "endpoints"'),
                            ({"betweenness": {"endpoints": 0}}, '"betweenness": an object with "endpoints"'),
                            ({"betweenness": {**flows, "weights_times": 0}}, '"weights_times" in "betweenness": an integer of 1'),
                            ({"betweenness": {**flows, "grid": 0}}, '"grid" in "betweenness": a number above 0'),
                            ({"csv_checksum": "0123456x"}, '"csv_checksum": eight hexadecimal digits'),
                            ({"directed": 1}, '"directed": true or false')):
            self.write("m.json", json.dumps({**whole, **wrong}))
            self.fails(BAD_INPUT, "m.json: expected " + said, "verify", "m")

    def test_report(self):
        self.write("graphFile.txt", Graph(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1)]))
        answer = json.loads(self.succeeds("cpu", "--measures=m", "--betweenness=searches", "--check",
                                          "--json").out)
        self.assertEqual(answer["betweenness"]["checked"], "proved")
        self.assertEqual(answer["betweenness"]["checked_sources"], 4)
        self.assertEqual(answer["outputs"], ["m.csv", "m.edges.csv", "m.json"])
        self.assertEqual(json.loads(self.succeeds("verify", "m", "--json").out)["betweenness"], "proved")

    def test_refusals(self):
        self.write("m.edges.csv", b"source,target\n0,1\n")
        self.fails(BAD_INPUT, "another file than the graph", "apsp", "m.edges.csv", "--measures=m",
                   "--betweenness")
        self.write("graphFile.txt", Graph(2, [(0, 1, 1)]))
        for options in (["--betweenness"], ["--measures", "--betweenness", "--limit", "3"],
                        ["--measures", "--betweenness=half"], ["--measures", "--betweenness=auto,"]):
            ran = self.run_program("apsp", "graphFile.txt", *options)
            self.assertEqual(ran.status, BAD_INPUT, options)
        self.write("graphFile.txt", Graph(2, [(0, 1, 0), (1, 0, 0)]))
        ran = self.run_program("apsp", "graphFile.txt", "--measures=m", "--betweenness")
        self.assertEqual(ran.status, BAD_INPUT)
        self.assertIn("no cycle of weight 0", ran.err)
        self.assertEqual(self.files(), ["graphFile.txt", "m.edges.csv"])


class Loads(Betweenness):

    GRAPH = Graph(4, [(0, 1, 5), (0, 2, 9), (1, 2, 1), (2, 3, 2), (3, 1, 3)])

    def test_loads(self):
        self.write("graphFile.txt", self.GRAPH)
        self.write("trips.csv", b"o,d,q\n0,3,10\n1,2,3\n0,3,5\n2,2,7\n3,0,1\n")
        answer = json.loads(self.succeeds("apsp", "--demand", "trips.csv", "--json", "--check").out)
        self.assertEqual((answer["checked"], answer["checked_origins"], answer["vertices"]), ("proved", 4, 4))
        self.assertGreater(answer["check_s"], 0)
        self.assertEqual(
            {name: answer[name] for name in answer if "trips" in name or "pairs" in name or "added" in name},
            {"pairs": 4, "rows_added": 1, "trips": 18, "trips_length": 15 * 8 + 3, "trips_within": 7,
             "trips_without_path": 1, "pairs_without_path": 1})
        self.assertEqual([tuple(row.values()) for row in self.table("loads.csv")],
                         [("0", "1", "15"), ("0", "2", "0"), ("1", "2", "18"), ("2", "3", "15"),
                          ("3", "1", "0")])
        said = self.succeeds("apsp", "graphFile.txt", "--demand", "trips.csv", "-o", "l.csv").out.decode()
        for line in ("18 from 4 origins, over 123", "1 rows of pairs", "7 trips end where",
                     "1 trips have no path, of 1 pairs; the first is from 3 to 0"):
            self.assertIn(line, said)
        self.assertIn(b"checked  proved: loads are those of their definition",
                      self.succeeds("apsp", "--demand", "trips.csv", "--check").out)
        self.assertEqual(self.read("l.csv"), self.read("loads.csv"))
        self.fails(BAD_INPUT, "only measures have it beside their .csv", "verify", "l.csv", "--graph", "graphFile.txt")

    def test_tntp(self):
        """Zones are not passed through unless asked, and weights are decimals that tie."""
        self.write("net.tntp", b"<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 4\n<FIRST THRU NODE> 3\n"
                   b"<NUMBER OF LINKS> 6\n<END OF METADATA>\n~ init term cap length fft\n" + b"".join(
                       b"%d %d 1 %s %s 1 1 1 1 1 ;\n" % (u, v, w, w)
                       for u, v, w in ((1, 3, b"0.1"), (3, 4, b"0.2"), (4, 2, b"0.3"), (3, 2, b"0.5"),
                                       (2, 4, b"0.0"), (2, 1, b"1.5"))))
        self.write("trips.tntp", b"<NUMBER OF ZONES> 2\n<END OF METADATA>\nOrigin 1\n1 : 4; 2 : 10;\n"
                   b"Origin 2\n1 : 3;\n")
        answer = json.loads(self.run_program("apsp", "net.tntp", "--demand", "trips.tntp", "--json", "--check").out)
        self.assertEqual((answer["status"], answer["checked"]), (OK, "proved"))
        self.assertEqual((answer["trips"], answer["trips_within"]), (13, 4))
        self.assertAlmostEqual(answer["trips_length"], 10 * 0.6 + 3 * 1.5)
        self.assertEqual([tuple(row.values()) for row in self.table("loads.csv")],
                         [("1", "3", "10"), ("2", "1", "3"), ("2", "4", "0"), ("3", "2", "5"),
                          ("3", "4", "5"), ("4", "2", "5")])

    def test_gravity(self):
        """Masses make trips, which decay; lengths are in the unit of the weights."""
        for unit, decay in (1, 0), (1, 10), (0.1, 1):
            self.write("m.csv", b"v,homes,jobs\n0,10,1\n2,3,2\n3,4,0\n" if decay == 0 else
                       b"v,schools,jobs,homes\n0,2,1,10\n2,0,2,3\n3,7,0,4\n")
            self.write("graphFile.txt", Graph(4, [(u, v, round(w * unit, 1)) for u, v, w in self.GRAPH.edges]).text())
            far, near = (math.exp(-d * unit / decay) if decay else 1 for d in (6, 4))
            trips = {("0", "2"): 10 * 2 * far, ("3", "2"): 4 * 2 * near}
            command = ["apsp", "graphFile.txt", "--gravity", "m.csv",
                       *(["--decays", decay, "--mass-columns", "homes,jobs"] if decay else [])]
            self.assertIsNone(json.loads(self.succeeds(*command, "--json").out)["checked"])
            answer = json.loads(self.succeeds(*command, "--json", "--check").out)
            self.assertEqual((answer["checked"], answer["checked_origins"]), ("proved", 3))
            self.assertEqual([answer[name] for name in ("demand", "loads", "origins", "sent", "attracted",
                                                        "decay", "way", "trips_within")],
                             ["m.csv", "loads.csv", 3, "homes", "jobs", decay, "searches", 16])
            self.assertAlmostEqual(answer["trips"], sum(trips.values()))
            self.assertAlmostEqual(answer["trips_length"], unit * (6 * trips["0", "2"] + 4 * trips["3", "2"]))
            loads = [trips["0", "2"], 0, sum(trips.values()), 0, trips["3", "2"]]
            for row, load in zip(self.table("loads.csv"), loads):
                self.assertAlmostEqual(float(row["trips"]), load)
        said = self.succeeds(*command, "--sources", "@-", stdin="0-2\n").out.decode()
        self.assertRegex(said, r"trips    [\d.]+ from 2 origins, over [\d.]+ in all\n"
                         "masses   homes sent, jobs attracted, decay 1\nwithin   16 trips")
        self.assertIn("loads by searches", self.succeeds(*command, "--plan").out.decode())
        self.assertIn("searches_s", json.loads(self.succeeds(*command, "--plan", "--json").out)["loads"])

    def test_gravity_by_classes(self):
        """One column is of both; roads are passed by classes, and rows of an origin come in any order."""
        self.succeeds("graphgen", "--v", 3000, "--family", "road", "-o", "graphFile.txt")
        self.write("m.csv", "v;people\n" + "".join("%d;%d\n" % (v, v % 7) for v in range(2999, -1, -1)))
        found = {}
        for way in "classes", "sweeps":
            answer = json.loads(self.succeeds(
                "apsp", "graphFile.txt", "--gravity", "m.csv", "--decays", 500, "--json", "-o", way,
                *([] if way == "classes" else ["--sources", "0-299"])).out)
            self.assertEqual((answer["way"], answer["sent"], answer["attracted"]), (way, "people", "people"))
            found[way] = [float(row["trips"]) for row in self.table(way)]
        self.assertTrue(all(whole >= part * (1 - 1e-9) for whole, part in zip(*found.values())))

    def test_refusals(self):
        self.write("graphFile.txt", self.GRAPH)
        self.write("trips.csv", b"0,3,10\n")
        for options, said in ((["--plan"], "--plan and --demand: expected one"),
                              (["-o", "trips.csv"], "another file than the table of trips"),
                              (["-o", "graphFile.txt"], "another file than the graph")):
            self.fails(BAD_INPUT, said, "apsp", "graphFile.txt", "--demand", "trips.csv", *options)
        self.write("graphFile.txt", b"2 1\n0 1 -1\n")
        self.fails(BAD_INPUT, "apsp: trips: expected weights of 0 or more", "apsp", "graphFile.txt", "--demand", "-",
                   stdin="0,1\n")
        self.write("graphFile.txt", self.GRAPH)
        self.write("trips.csv", b"0,9,1\n")
        self.fails(BAD_INPUT, "trips.csv:1", "apsp", "graphFile.txt", "--demand", "trips.csv")
        self.write("m.csv", b"v,a,b,c\n0,1,2,3\n")
        for options, said in (([], "expected one or two columns beside that of the vertices, found 3"),
                              (["--mass-columns", "a,d"], "expected two columns of m.csv"),
                              (["--decays", "1,2"], "expected one of --decays, found 2"),
                              (["--limits", "1"], "--limits and --nearest: expected --accessibility"),
                              (["--mass-columns", "a,a", "--sources", "1"], "expected a source with more than 0 "
                               "in column 'a' of m.csv, found none"),
                              (["--mass-columns", "a,b", "--plan", "--check"], "--plan and --check"),
                              (["-o", "m.csv"], "another file than the table of masses")):
            self.fails(BAD_INPUT, said, "apsp", "graphFile.txt", "--gravity", "m.csv", *options)
        self.fails(BAD_INPUT, "expected --gravity", "apsp", "graphFile.txt", "--mass-columns", "a,b")
        self.assertEqual(self.files(), ["graphFile.txt", "m.csv", "trips.csv"])


class Pairs(Betweenness):

    def test_columns(self):
        """Columns are those that the head names, and what is left aside is said."""
        self.write("g.csv", "from,to,weight\n1,2,3\n2,3,4\n3,1,1\n")
        for table, note, distance in (
                ("id,to,from\n1,2,3\n", "columns that are left aside: id", "4"), ("to,from\n2,1\n", "", "3"),
                ("2,3,1\n", "the third column is left aside", "4"),
                ("aa,bb\n3,1\n", "the first line is taken as names of columns with origins and destinations: aa, bb",
                 "1")):
            self.write("p.csv", table)
            ran = self.run_program("apsp", "g.csv", "--pairs", "p.csv")
            self.assertEqual((ran.status, ran.err), (0, note and "apsp: note: p.csv: %s\n" % note))
            self.assertEqual([row["distance"] for row in self.table("distances.csv")], [distance])
        self.write("g.csv", 'from,to\n"a,b;c",d\n')
        self.write("p.csv", '"a,b;c"\td\n')
        self.succeeds("apsp", "g.csv", "--pairs", "p.csv")
        self.assertEqual([row["distance"] for row in self.table("distances.csv")], ["1"])
        self.write("p.csv", "")
        self.fails(BAD_INPUT, "apsp: p.csv: expected pairs of vertices, found none", "apsp", "g.csv", "--pairs",
                   "p.csv")

    def test_random_graphs(self):
        """In the order of the file, with every type of weights and quotes in names, against whole rows."""
        chance = random.Random(3)
        for number in range(12):
            n, scale = chance.randint(2, 20), (1, 7)[number % 2]
            self.write("g.csv", "source,target,weight\n" + "".join(
                '"v""%d","v""%d",%r\n' % (u, v, chance.randint(0, 9) / scale) for u, v in
                [(v, (v + 1) % n) for v in range(0, n, 2)] +
                [(chance.randrange(n), chance.randrange(n)) for _ in range(n)]))
            self.succeeds("cpu", "g.csv", "--format", "npz", "-o", "whole", "-v", "johnson")
            ids = self.read("whole.ids.txt").decode().split()
            known = [chance.choice(ids) for _ in range(30)]
            pairs = list(zip(known[::2], known[1::2]))
            self.write("p.csv", "".join('"%s" "%s"\n' % pair for pair in pairs).replace("v", 'v"'))
            answer = json.loads(self.succeeds("apsp", "g.csv", "--pairs", "p.csv", "--check", "--json",
                                              *[["-v", "cpu:johnson"], []][number % 3 == 0]).out)
            found = self.table("distances.csv")
            self.assertEqual([(row["source"], row["target"]) for row in found], pairs)
            for row in found:
                tree = json.loads(self.run_program("verify", "whole", "--graph", "g.csv", "--json", "--path",
                                                   row["source"], row["target"]).out)
                length = tree["path"]["distance"] if tree.get("path") else None
                self.assertEqual(float(row["distance"]), float("inf") if length is None else length)
            self.assertEqual(answer["pairs_without_path"],
                             sum(row["distance"] == "inf" for row in found))
            self.assertEqual([answer[name] for name in ("pairs", "checked", "origins", "vertices", "along")],
                             [len(pairs), True, len({source for source, _ in pairs}), len(ids), []])

    def test_limit(self):
        """Vertices that are farther apart than the limit have no path within it, with a proof or
        without."""
        self.write("graphFile.txt", Graph(3, [(0, 1, 2), (1, 2, 3)]))
        self.write("p.csv", b"0,1\n0,2\n")
        for options in [], ["--check"]:
            answer = json.loads(self.succeeds("apsp", "graphFile.txt", "--pairs", "p.csv", "--limit", "4",
                                              "--json", *options).out)
            self.assertEqual(answer["pairs_without_path"], 1)
            self.assertEqual([row["distance"] for row in self.table("distances.csv")], ["2", "inf"])

    def test_refusals(self):
        self.write("graphFile.txt", Graph(2, [(0, 1, 1)]))
        self.write("p.csv", b"0,1\n")
        self.fails(BAD_INPUT, "found --sources", "apsp", "graphFile.txt", "--pairs", "p.csv", "--sources", "0")
        self.fails(BAD_INPUT, "expected one of them", "apsp", "graphFile.txt", "--pairs", "p.csv", "--demand", "p.csv")
        self.fails(BAD_INPUT, "list of pairs", "apsp", "graphFile.txt", "--pairs", "p.csv", "-o", "p.csv")
        self.write("p.csv", b"from,to\n")
        self.fails(BAD_INPUT, "expected pairs", "apsp", "graphFile.txt", "--pairs", "p.csv")
