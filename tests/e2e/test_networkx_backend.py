# SPDX-License-Identifier: MIT
"""NetworkX's backend: each of its functions against NetworkX's own; what it takes and leaves; and those
tests of NetworkX that have to do with distances, through the backend. The last need NetworkX 3.4 and
pytest, which pip fetches into build/networkx-tools once."""

import importlib
import importlib.util
import inspect
import math
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

from support import LIBRARY, PACKAGE, REPOSITORY, TIMEOUT_S, environment, import_package, needs, optional

nx, numpy = optional("networkx", "numpy")

PROJECT = os.path.join(REPOSITORY, "pyproject.toml")
DISPATCHES = nx is not None and hasattr(nx.utils, "backends") and hasattr(nx, "config")

backend = None


def setUpModule():
    global backend
    backend = import_package("apsp.networkx_backend", NetworkX=nx, NumPy=numpy)
    warnings.simplefilter("ignore", ImportWarning)


def random_graph(number, connected, lowest=1):
    """Graphs of all kinds; their nodes are strings and integers."""
    chance = random.Random(number)
    kind = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)[number % 4]
    graph, n = kind(), chance.randrange(2, 40)
    nodes = ["node %d" % v if v % 3 else v for v in range(n)]
    chance.shuffle(nodes)
    graph.add_nodes_from(nodes)
    if connected:
        for u, v in zip(nodes, nodes[1:] + nodes[:1]):
            graph.add_edge(u, v, w=chance.randrange(lowest, 20), half=chance.randrange(1, 9) / 2,
                           real=chance.random())
    for _ in range(chance.randrange(2 * n)):
        graph.add_edge(chance.choice(nodes), chance.choice(nodes), w=chance.randrange(lowest, 20),
                       half=chance.randrange(1, 9) / 2,
                           real=chance.random())
    if number % 5 == 0 and graph.number_of_edges():
        del next(iter(graph.edges(data=True)))[-1]["w"]  # which counts as 1
    return graph


def plain(value):
    """Answers as dictionaries and lists, so that all of them are looked at."""
    if isinstance(value, (str, int, float, list)) or value is None:
        return value
    if hasattr(value, "items"):
        return {key: plain(of) for key, of in value.items()}
    if isinstance(value, tuple):
        return tuple(plain(of) for of in value)
    return dict((key, plain(of)) for key, of in value)


@needs(NetworkX=nx)
class Backend(unittest.TestCase):

    def ours(self, name, graph, *args, **kwargs):
        """As NetworkX calls a backend."""
        self.assertIs(backend.can_run(name, (graph, *args), kwargs), True)
        attributes = {kwargs.get(key) for key in ("weight", "distance")} - {None} | {"weight"}
        converted = backend.convert_from_nx(graph, dict.fromkeys(attributes, 1))
        self.assertIs(backend.can_run(name, (converted, *args), kwargs), True)
        return backend.convert_to_nx(getattr(backend, name)(converted, *args, **kwargs))

    def theirs(self, name, graph, *args, **kwargs):
        return getattr(nx, name)(graph, *args, **kwargs)

    def same(self, a, b):
        if isinstance(b, float) and isinstance(a, float):
            return a == b or math.isclose(a, b, rel_tol=1e-13)
        if isinstance(b, dict):
            return a.keys() == b.keys() and all(self.same(a[key], b[key]) for key in b)
        return type(a) is type(b) and a == b

    def compare(self, name, graph, *args, **kwargs):
        """Values, types and exceptions are the same."""
        kwargs = {key: value for key, value in kwargs.items()
                  if value is not None or key not in ("weight", "distance")}
        if "weight" in kwargs and "weight" not in inspect.signature(getattr(nx, name)).parameters:
            return  # an older NetworkX
        with self.subTest(name, args=args, **kwargs):
            try:
                expected = plain(self.theirs(name, graph, *args, **kwargs))
            except nx.NetworkXException as error:
                with self.assertRaises(type(error)):
                    plain(self.ours(name, graph, *args, **kwargs))
                return
            found = plain(self.ours(name, graph, *args, **kwargs))
            self.assertTrue(self.same(found, expected),
                            "%.300r is not %.300r" % (found, expected))

    def test_measures(self):
        path = nx.path_graph(5, nx.DiGraph)  # one vertex reaches all, the others do not
        for name in "diameter", "radius":
            self.compare(name, nx.random_regular_graph(3, 600, seed=1))  # bounds do not close soon
        for number in range(21):
            graph = random_graph(number, number % 3 > 0, number % 2) if number < 20 else path
            node, some = next(iter(graph)), list(graph)[1:4]
            for weight in (None, "w", "half", "real"):
                for name in ("eccentricity", "diameter", "radius", "center", "periphery",
                             "wiener_index"):
                    self.compare(name, graph, weight=weight)
                if DISPATCHES or not graph.is_directed() or nx.is_strongly_connected(graph):
                    # Older ones are content with graphs that are connected weakly.
                    for method in None, "unweighted":
                        self.compare("average_shortest_path_length", graph, weight=weight,
                                     method=method)
                # NetworkX gives the barycenter of a tree in another order.
                tree = not graph.is_directed() and nx.is_connected(graph) and nx.is_tree(graph)
                if weight != "real" and (weight or not tree):
                    self.compare("barycenter", graph, weight=weight)
                if hasattr(nx, "harmonic_diameter"):
                    self.compare("harmonic_diameter", graph, weight=weight)
                self.compare("eccentricity", graph, v=node, weight=weight)
                self.compare("eccentricity", graph, v=some, weight=weight)
                self.compare("eccentricity", graph, v=[], weight=weight)
                self.compare("closeness_centrality", graph, u="absent", distance=weight)
                self.compare("closeness_centrality", graph, distance=weight)
                self.compare("closeness_centrality", graph, u=node, distance=weight,
                             wf_improved=False)
                self.inverse_distances(graph, None, weight)
                self.inverse_distances(graph, some, weight)
                self.inverse_distances(graph, [], weight)
            if not graph.is_directed():
                self.compare("global_efficiency", graph)

    def inverse_distances(self, graph, nbunch, weight):
        expected = nx.harmonic_centrality(graph, nbunch, distance=weight)
        found = self.ours("harmonic_centrality", graph, nbunch, distance=weight)
        self.assertEqual(found.keys(), expected.keys())
        for node, value in expected.items():
            self.assertAlmostEqual(found[node], value, delta=1e-12 * value)

    def test_betweenness(self):
        """Ties, sources that are drawn, ends, and subsets; edges in NetworkX's order."""
        chance = random.Random(7)
        for number in range(40):
            graph = random_graph(number, number % 3 > 0)
            for weight in (None, "w", "half"):
                given = {"weight": weight, "normalized": chance.random() < 0.5}
                k = chance.choice([None, 1, len(graph)] if DISPATCHES else [None])
                ends = chance.random() < 0.5
                if k is None or ends or DISPATCHES and backend._scales_samples():
                    self.near("betweenness_centrality", graph, k=k, seed=number, endpoints=ends,
                              **given)
                self.near("edge_betweenness_centrality", graph, k=k, seed=number, **given)
                nodes = list(graph)
                some = [chance.choices(nodes, k=3), chance.sample(nodes, 2)]
                self.near("betweenness_centrality_subset", graph, *some, **given)
        zero = nx.path_graph(4)
        zero.edges[1, 2]["weight"] = 0
        with self.assertRaises(NotImplementedError):
            self.ours("betweenness_centrality", zero, weight="weight")
        with self.assertRaises(nx.NodeNotFound):
            self.ours("betweenness_centrality_subset", zero, [7], [1])

    def near(self, name, graph, *args, **kwargs):
        """Sums that are rounded otherwise."""
        expected = self.theirs(name, graph, *args, **kwargs)
        found = self.ours(name, graph, *args, **kwargs)
        self.assertEqual(list(found), list(expected))
        for key, value in expected.items():
            if not math.isnan(value) or not math.isnan(found[key]):
                self.assertAlmostEqual(found[key], value, delta=1e-12 * max(1, value),
                                       msg=(name, graph, args, kwargs, key))

    def test_lengths(self):
        for number in range(20):
            graph = random_graph(number, number % 3 > 0)
            self.compare("all_pairs_shortest_path_length", graph)
            for cutoff in 0, 1.5, 2, math.inf:
                self.compare("all_pairs_shortest_path_length", graph, cutoff=cutoff)
            self.compare("all_pairs_dijkstra_path_length", graph, cutoff=1.5, weight=None)
            for weight in ("w", "half", "real"):
                self.compare("all_pairs_dijkstra_path_length", graph, weight=weight)
                self.compare("all_pairs_dijkstra_path_length", graph, cutoff=11.5, weight=weight)
                self.compare("all_pairs_bellman_ford_path_length", graph, weight=weight)
                expected = nx.floyd_warshall(graph, weight=weight)
                expected = {u: {v: expected[u][v] for v in graph} for u in graph}
                found = self.ours("floyd_warshall", graph, weight=weight)
                if weight == "real":  # NetworkX adds up in another order
                    for u in graph:
                        for v in graph:
                            self.assertTrue(self.same(found[u][v] + 0.0, expected[u][v] + 0.0))
                    continue
                self.assertEqual(plain(found), expected)
                self.assertEqual(found, expected)
                order = sorted(graph, key=str)
                numpy.testing.assert_array_equal(
                    self.ours("floyd_warshall_numpy", graph, order, weight=weight),
                    nx.floyd_warshall_numpy(graph, order, weight=weight))

    def test_paths(self):
        """Paths may be others of the same length."""
        for number in range(12):
            graph = random_graph(number, number % 3 > 0)
            for _, _, data in graph.edges(data=True):
                data.setdefault("w", 1)  # which path_weight needs
            lengths = dict(nx.all_pairs_dijkstra_path_length(graph, weight="w"))
            hops = dict(nx.all_pairs_shortest_path_length(graph))
            for name, weight, best in (("all_pairs_dijkstra_path", "w", lengths),
                                       ("all_pairs_bellman_ford_path", "w", lengths),
                                       ("johnson", "w", lengths),
                                       ("all_pairs_shortest_path", None, hops)):
                given = {} if weight is None else {"weight": weight}
                found = dict(self.ours(name, graph, **given))
                self.assertEqual(list(found), list(graph))
                for source, paths in found.items():
                    self.assertEqual([best[source][target] for target in paths],
                                     sorted(best[source].values()))
                    for target, path in paths.items():
                        self.assertEqual((path[0], path[-1]), (source, target))
                        self.assertEqual(len(path) - 1 if weight is None else
                                         nx.path_weight(graph, path, weight), best[source][target])
            near = dict(nx.all_pairs_dijkstra_path_length(graph, cutoff=1.5, weight=None))
            for name, cut in (("all_pairs_dijkstra_path", near), ("all_pairs_shortest_path", dict(
                    nx.all_pairs_shortest_path(graph, cutoff=1.5)))):
                found = dict(self.ours(name, graph, cutoff=1.5, **({"weight": None} if cut is near else {})))
                self.assertEqual({u: set(row) for u, row in found.items()}, {u: set(row) for u, row in cut.items()})
            both = dict(self.ours("all_pairs_dijkstra", graph, weight="w"))
            self.assertEqual({u: rows[0] for u, rows in both.items()}, lengths)
            before, dist = self.ours("floyd_warshall_predecessor_and_distance", graph, weight="w")
            self.assertEqual({u: set(row) | {u} for u, row in before.items()},
                             {u: set(row) for u, row in lengths.items() if len(row) > 1})
            for u, row in before.items():
                for v, w in row.items():
                    edge = nx.path_weight(graph, [w, v], "w")
                    self.assertEqual(dist[u][w] + edge, dist[u][v])

    def test_one_source(self):
        """Rows of one node, there and back; what is not there is NetworkX's exception."""
        for number in range(20):
            graph = random_graph(number, number % 3 > 0)
            nodes = list(graph)
            source, target = nodes[0], nodes[-1]
            for cutoff in None, 0, 1.5, 2, 11.5:
                self.compare("single_source_shortest_path_length", graph, source, cutoff=cutoff)
                self.compare("single_source_dijkstra_path_length", graph, source, cutoff=cutoff, weight=None)
                for kind, given in ("shortest_path", {}), ("dijkstra_path", {"weight": "half"}):
                    own, other = ([(u, set(paths)) for u, paths in
                                   ((source, call("single_source_" + kind, graph, source, cutoff=cutoff, **given)),
                                    *dict(call("all_pairs_" + kind, graph, cutoff=cutoff, **given)).items())]
                                  for call in (self.ours, self.theirs))
                    self.assertEqual(own, other, (kind, cutoff))
            for weight in "w", "half", "real":
                for cutoff in None, 0, 11.5:
                    self.compare("single_source_dijkstra_path_length", graph, source,
                                 cutoff=cutoff, weight=weight)
                self.compare("single_source_bellman_ford_path_length", graph, source, weight=weight)
            for weight in None, "w", "half", "real":
                for ends in (source,), (None, target), (source, target), (target, target), ():
                    self.compare("shortest_path_length", graph, *ends, weight=weight)
                    self.compare("shortest_path_length", graph, *ends, weight=weight,
                                 method="bellman-ford")
                if DISPATCHES or number % 4 < 2:  # of parallel edges, older ones took the last
                    self.check_paths(graph, source, target, weight)
            for name in ("single_source_shortest_path_length", "single_source_dijkstra_path",
                         "single_source_dijkstra", "shortest_path", "shortest_path_length"):
                self.compare(name, graph, "nowhere")

    def check_paths(self, graph, source, target, weight):
        """They may be others of the same length."""
        given = {"weight": weight}
        lengths = nx.shortest_path_length(graph, source, **given)
        back = nx.shortest_path_length(graph, None, target, **given)

        def length_of(path):
            edges = zip(path, path[1:])
            return sum(1 if weight is None else min(data.get(weight, 1) for data in (
                graph[u][v].values() if graph.is_multigraph() else [graph[u][v]]))
                       for u, v in edges)
        found = [self.ours("shortest_path", graph, source, **given)]
        if weight is None:
            found.append(self.ours("single_source_shortest_path", graph, source))
        else:
            found += [self.ours("single_source_dijkstra_path", graph, source, **given),
                      self.ours("single_source_bellman_ford_path", graph, source, **given),
                      self.ours("single_source_dijkstra", graph, source, **given)[1]]
            self.assertTrue(self.same(self.ours("single_source_dijkstra", graph, source, **given)[0],
                                      lengths))
        towards = self.ours("shortest_path", graph, None, target, **given)
        self.assertEqual((towards.keys(), [path[-1] for path in towards.values()]),
                         (back.keys(), [target] * len(back)))
        for paths, best in [(paths, lengths) for paths in found] + [(towards, back)]:
            self.assertEqual((type(paths), paths.keys()), (dict, best.keys()))
            for node, path in paths.items():
                self.assertAlmostEqual(length_of(path), best[node], delta=1e-12)
        if target in lengths:
            path = self.ours("shortest_path", graph, source, target, **given)
            self.assertEqual((path[0], path[-1]), (source, target))
            self.assertAlmostEqual(length_of(path), lengths[target], delta=1e-12)
        else:
            with self.assertRaises(nx.NetworkXNoPath):
                self.ours("shortest_path", graph, source, target, **given)

    def test_negative_edges(self):
        graph = nx.DiGraph()
        graph.add_weighted_edges_from([(0, 1, 3), (1, 2, -2), (0, 2, 2), (2, 3, 1), (3, 1, 1)])
        for name in ("all_pairs_bellman_ford_path_length", "floyd_warshall", "johnson",
                     "all_pairs_bellman_ford_path"):
            self.compare(name, graph)
        self.assertEqual(backend.can_run("all_pairs_dijkstra_path_length", (graph,), {}),
                         "weights are negative")
        graph.add_edge(3, 1, weight=0)
        for name in ("all_pairs_bellman_ford_path_length", "johnson"):
            with self.assertRaises(nx.NetworkXUnbounded):
                self.ours(name, graph)
        for name in "floyd_warshall", "floyd_warshall_numpy":
            with self.assertRaises(NotImplementedError):
                self.ours(name, graph)
        graph.add_edge(4, 0)
        for source in 0, 4:
            with self.assertRaises(nx.NetworkXUnbounded):
                self.ours("single_source_bellman_ford_path", graph, source)
        graph.add_edge(0, 5)
        graph.remove_edge(0, 1)
        graph.remove_edge(0, 2)
        for source in 0, 4, 5:  # they do not reach the cycle
            self.compare("single_source_bellman_ford_path_length", graph, source)

    def test_what_it_leaves(self):
        graph = nx.path_graph(100)
        for reason, name, args, given in (
                ("not one of the functions", "load_centrality", (graph,), {}),
                ("sp is given", "eccentricity", (graph,), {"sp": {}}),
                ("e is given", "diameter", (graph, {}), {}),
                ("usebounds is given", "radius", (graph,), {"usebounds": True}),
                ("attr is given", "barycenter", (graph,), {"attr": "x"}),
                ("sources is given", "harmonic_centrality", (graph,), {"sources": [0]}),
                ("the cutoff", "all_pairs_shortest_path_length", (graph, -1), {}),
                ("the cutoff", "all_pairs_dijkstra_path", (graph,), {"cutoff": "2"}),
                ("the graph is empty", "diameter", (nx.Graph(),), {}),
                ("target is given", "single_source_dijkstra", (graph, 0, 1), {}),
                ("the weight is a function", "johnson", (graph,), {"weight": lambda *_: 1}),
                ("unexpected", "johnson", (graph,), {"wait": 1})):
            with self.subTest(reason):
                self.assertIn(reason, str(backend.can_run(name, args, given)))
        for weight in ("far", None, math.inf, math.nan, 2**70, [1], 2**52 + 1):
            with self.subTest(weight):
                odd = nx.DiGraph([(0, 1, {"weight": weight}), (1, 2, {"weight": 1})])
                self.assertIsInstance(backend.can_run("johnson", (odd,), {}), str)
                converted = backend.convert_from_nx(odd, {"weight": 1})
                self.assertIsInstance(backend.can_run("johnson", (converted,), {}), str)
                with self.assertRaises(NotImplementedError):
                    backend.johnson(converted)
                self.assertTrue(backend.can_run("diameter", (odd,), {}))
        odd = nx.path_graph(3)
        nx.set_edge_attributes(odd, 0.1, "weight")
        self.assertIn("expected integral", backend.can_run("barycenter", (odd, "weight"), {}))
        self.compare("diameter", odd, weight="weight")
        self.compare("all_pairs_dijkstra_path_length", odd)
        nx.set_edge_attributes(odd, 2**40 + 1, "weight")
        self.compare("all_pairs_dijkstra_path_length", odd)
        far = nx.path_graph(3)
        nx.set_edge_attributes(far, 2**30 - 2, "weight")
        for name in ("diameter", "all_pairs_dijkstra_path_length", "johnson", "floyd_warshall",
                     "average_shortest_path_length", "eccentricity"):
            self.compare(name, far, weight="weight")
        with self.assertRaises(NotImplementedError):  # sums may be rounded
            self.ours("barycenter", far, weight="weight")
        self.assertEqual(backend.should_run("diameter", (nx.path_graph(9),), {}),
                         "the graph is small")
        self.assertTrue(backend.should_run("diameter", (), {"G": graph}) is True)
        self.assertTrue(backend.should_run("shortest_path", (graph, 0), {}) is True)
        self.assertEqual(backend.should_run("shortest_path", (graph, 0), {"target": 1}),
                         "it is for one pair")

    def test_mappings(self):
        """They are lazy and hold Python's numbers; they can be changed and pickled."""
        graph = nx.path_graph(300)
        graph.add_node("alone")
        graph.add_edge(9, 9)
        rows = dict(self.ours("all_pairs_dijkstra_path_length", graph))
        self.assertEqual((rows[0][299], type(rows[0][299]), len(rows[0])), (299, int, 300))
        self.assertNotIn("alone", rows[0])
        self.assertEqual(list(rows[3])[:3], [3, 2, 4])
        self.assertEqual(pickle.loads(pickle.dumps(rows[7])), rows[7])
        self.assertEqual(repr(rows[7]), repr(dict(rows[7])))
        rows[5][1] = "changed"
        del rows[5][2]
        self.assertEqual((rows[5][1], 2 in rows[5], rows[5][3]), ("changed", False, 2))
        table = self.ours("floyd_warshall", graph)
        self.assertEqual((table[0]["alone"], table["alone"]["alone"]), (math.inf, 0))
        table[0][1] = 7
        self.assertEqual((table[0][1], dict(table)[0][1]), (7, 7))
        before, _ = self.ours("floyd_warshall_predecessor_and_distance", graph)
        self.assertEqual((before[0][5], "alone" in before, len(before)), (4, False, 300))
        with self.assertRaises(KeyError):
            before[0]["alone"]
        for wrong in (301, "none"):
            with self.assertRaises(KeyError):
                rows[0][wrong]
        again = backend.convert_to_nx(backend.convert_from_nx(graph, {"weight": 1}))
        self.assertTrue(nx.utils.graphs_equal(
            nx.Graph(graph.edges), nx.Graph(again.edges)) and list(again) == list(graph))


PLACES = ["tests.test_distance_measures", "tests.test_wiener", "tests.test_efficiency",
          "centrality.tests.test_betweenness_centrality",
          "centrality.tests.test_betweenness_centrality_subset",
          "centrality.tests.test_closeness_centrality", "centrality.tests.test_harmonic_centrality",
          "shortest_paths.tests.test_dense", "shortest_paths.tests.test_dense_numpy",
          "shortest_paths.tests.test_generic", "shortest_paths.tests.test_unweighted",
          "shortest_paths.tests.test_weighted"]
TOOLS = os.path.join(REPOSITORY, "build", "networkx-tools")
# NetworkX's way of running its tests asks for a class that SciPy has from 1.11 on.
PLUGIN = """
import scipy.sparse
if not hasattr(scipy.sparse, "sparray"):
    scipy.sparse.sparray = scipy.sparse.spmatrix
"""
ENTRY_POINTS = re.compile(r'^\[project\.entry-points\."(networkx\.\w+)"\]\napsp = "(.*)"$',
                          re.MULTILINE)


def fetch_tools():
    """Has pip fetch NetworkX with backends, and pytest, unless they are there."""
    if importlib.util.find_spec("pytest") is None or not DISPATCHES:
        if not os.path.isdir(TOOLS):
            done = subprocess.run(
                [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                 "--target", TOOLS + ".new", "networkx==3.4.2", "pytest"], check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, timeout=TIMEOUT_S)
            if done.returncode != 0:
                raise unittest.SkipTest("NetworkX 3.4 and pytest cannot be fetched: %s"
                                        % done.stdout.strip()[-200:])
            os.rename(TOOLS + ".new", TOOLS)
        return [TOOLS]
    return []


class Dispatched(unittest.TestCase):
    """By NetworkX itself, which finds the backend by its entry points."""

    @classmethod
    def setUpClass(cls):
        cls.tools = fetch_tools()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        about = os.path.join(folder.name, "apsp-0.dist-info")
        os.mkdir(about)
        with open(os.path.join(about, "METADATA"), "w", encoding="ascii") as file:
            file.write("Metadata-Version: 2.1\nName: apsp\nVersion: 0\n")
        with open(PROJECT, encoding="utf-8") as file:
            entries = ENTRY_POINTS.findall(file.read())
        self.assertEqual(len(entries), 2)
        with open(os.path.join(about, "entry_points.txt"), "w", encoding="ascii") as file:
            file.writelines("[%s]\napsp = %s\n" % entry for entry in entries)
        self.folder = folder.name
        self.path = os.pathsep.join([folder.name, PACKAGE, *self.tools])

    def run_python(self, *args, **env):
        return subprocess.run([sys.executable, *args], check=False, stdin=subprocess.DEVNULL,
                              env=environment(PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=self.path,
                                              APSP_LIBRARY=LIBRARY, **env),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT_S)

    def test_by_priority(self):
        """Large graphs come to the backend, small ones do not, and importing NetworkX imports
        nothing of the package."""
        done = self.run_python("-c", """
import sys, networkx as nx
assert "apsp" in nx.config.backends, nx.config.backends
assert "apsp" not in sys.modules
nx.config.backend_priority.algos = ["apsp"]
nx.config.warnings_to_ignore.add("cache")
import apsp.networkx_backend as backend
calls = []
find = backend.find
backend.find = lambda problem, **wanted: calls.append(problem.n) or find(problem, **wanted)
print(nx.diameter(nx.path_graph(500)), nx.diameter(nx.path_graph(10)), calls)
print(nx.wiener_index(nx.path_graph(5), backend="apsp"))
""")
        self.assertEqual((done.returncode, done.stdout), (0, "499 9 [500]\n20.0\n"))

    def test_suite_of_networkx(self):
        """The part of it that has to do with distances."""
        with open(os.path.join(self.folder, "older_scipy.py"), "w", encoding="ascii") as file:
            file.write(PLUGIN)
        done = self.run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "older_scipy",
                               "--pyargs",
                               *("networkx.algorithms." + place for place in PLACES),
                               NETWORKX_TEST_BACKEND="apsp", NETWORKX_FALLBACK_TO_NX="True")
        self.assertEqual(done.returncode, 0, done.stdout[-4000:])
        self.assertRegex(done.stdout, r"[2-9]\d\d passed")

    def test_list_of_functions(self):
        """The functions in the information for NetworkX are those that the backend has."""
        sys.path.insert(0, PACKAGE)
        self.addCleanup(sys.path.remove, PACKAGE)
        info = importlib.import_module("_nx_apsp").get_info()
        self.assertEqual(set(info["functions"]), set(backend._OFFERS))


if __name__ == "__main__":
    unittest.main()
