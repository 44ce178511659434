# SPDX-License-Identifier: MIT
"""solve(along=...) of the Python package against Dijkstra's algorithm on tuples, of graphs of NetworkX,
igraph and SciPy; its arguments. Skipped without NumPy."""

import heapq
import math
import random
import unittest

from support import import_package, needs, optional

numpy, networkx, igraph, scipy_sparse = optional("numpy", "networkx", "igraph", "scipy.sparse")

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", NumPy=numpy)


def least(graph, source, names):
    """{vertex: sums of these attributes}, the least ones as tuples; a missing weight is 1."""
    found, heap = {}, [((0,) * len(names), source)]
    while heap:
        at, u = heapq.heappop(heap)
        if u in found:
            continue
        found[u] = at
        for v, data in graph[u].items():
            for its in data.values() if graph.is_multigraph() else [data]:
                heapq.heappush(heap, (tuple(a + its.get(name, 1) for a, name in zip(at, names)), v))
    return found


class Along(unittest.TestCase):

    @needs(NetworkX=networkx)
    def test_networkx(self):
        """Integers and reals, parallel edges, directed or not, rows of some and of all."""
        chance = random.Random(5)
        for number in range(120):
            graph = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph,
                     networkx.MultiDiGraph)[number % 4]()
            n = chance.randint(1, 40 if number % 10 == 0 else 12)
            graph.add_nodes_from(range(n))
            for _ in range(chance.randint(1, 4 * n)):
                graph.add_edge(chance.randrange(n), chance.randrange(n), km=chance.randint(0, 4),
                               weight=chance.randint(0, 3) / (1 if number % 3 else 2),
                               toll=chance.randint(0, 2))
            sources = chance.sample(range(n), chance.randint(1, n)) if number % 2 else None
            unweighted = number % 5 == 0
            found = apsp.solve(graph, sources, along=["km", "toll"], unweighted=unweighted,
                               check=number % 3 == 0, threads=1 + number % 2,
                               engine=("cpu:sequential", None, "cpu:johnson")[number % 3])
            names = ("none" if unweighted else "weight", "km", "toll")
            for r, s in enumerate(found.sources.tolist()):
                expected = least(graph, s, names)
                for v in range(n):
                    self.assertEqual((found.distances[r, v], found.sums["km"][r, v],
                                      found.sums["toll"][r, v]), expected.get(v, (math.inf,) * 3))

    @needs(igraph=igraph)
    def test_igraph(self):
        graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2), (0, 2), (0, 2)])
        graph.es["weight"], graph.es["km"] = [1, 1, 2, 2], [5, 5, 4, 3]
        self.assertEqual(apsp.solve(graph, 0, along="km").sums.tolist(), [[0, 5, 3]])

    @needs(SciPy=scipy_sparse)
    def test_matrices(self):
        """The same numbers in all forms, of both directions, and when int32 does not suffice."""
        chance = numpy.random.default_rng(1)
        graph = scipy_sparse.random(40, 40, 0.1, format="csr", random_state=1)
        graph.data[:] = chance.integers(1, 4, graph.nnz)
        km = chance.integers(1, 5, graph.nnz)
        like = graph.copy()
        like.data = km.astype(float)
        for directed in True, False:
            for times in 1, 0.3, 2**29:
                forms = [apsp.solve(form, along=along, directed=directed, predecessors=True, check=True).sums
                         for form, along in ((graph * times, km), (graph * times, like),
                                             ((graph * times).toarray(), like.toarray()),
                                             ((graph * times).toarray(), like))]
                for form in forms[1:]:
                    numpy.testing.assert_array_equal(forms[0], form)
                if not directed and times != 0.3:  # sums of reals are rounded from the source on
                    numpy.testing.assert_array_equal(forms[0], forms[0].T)
        near = apsp.solve(graph, along={"a": km, "b": like}, limit=3)
        numpy.testing.assert_array_equal(numpy.isinf(near.sums["a"]), numpy.isinf(near.distances))
        numpy.testing.assert_array_equal(near.sums["a"], near.sums["b"])

    def test_named(self):
        graph = apsp.Graph(list("abc"), [0, 1, 0, 0], [1, 2, 2, 2], [1, 1, 2, 2], directed=False)
        self.assertEqual(apsp.solve(graph, along=[5, 5, 4, 3]).sums.tolist(),
                         [[0, 5, 3], [5, 0, 5], [3, 5, 0]])
        found = apsp.solve(graph, along={"a": [5, 5, 4, 3], "b": [1, 1, 1, 2]}).sums
        self.assertEqual((found["a"][0, 2], found["b"][2, 0]), (3, 2))  # the least numbers, the first one first

    def test_grid(self):
        """Weights are rounded, numbers along the path are not."""
        found = apsp.solve([[0, 1.1, 0], [0, 0, 1.1], [0, 0, 0]], along=[[0, 0.1, 0], [0, 0, 0.2], [0, 0, 0]],
                           grid=0.5)
        self.assertEqual(found.sums[0].tolist(), [0, 0.1, 0.1 + 0.2])

    def test_refused(self):
        matrix = [[0, 1], [0, 0]]
        for graph, along, message in (
                (matrix, [1, 2], "expected a matrix, or the name"), (matrix, "km", "attributes with names"),
                (matrix, [[0, math.nan], [0, 0]], "finite numbers, found nan"), (matrix, {}, "1 .. 16 columns"),
                (matrix, [[1]], "2 rows and columns"),
                (apsp.Graph(list("ab"), [0], [1], [1], directed=True), [1, 2], "each of 1 edges"),
                ([[0, 2], [-2, 0]], [[0, 1], [-2, 0]], "no least sum"),
                (matrix, [[0, 1e308], [0, 0]], "expected finite numbers of which 2")):
            with self.subTest(message=message), self.assertRaisesRegex((ValueError, apsp.ApspError), message):
                apsp.solve(graph, along=along)
        if networkx is not None:
            with self.assertRaisesRegex(ValueError, "an attribute 'km' of every edge"):
                apsp.solve(networkx.path_graph(3), along="km")
        if igraph is not None:
            with self.assertRaisesRegex(ValueError, "an attribute 'km' of every edge"):
                apsp.solve(igraph.Graph(n=2, edges=[(0, 1)]), along="km")
