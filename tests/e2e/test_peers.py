# SPDX-License-Identifier: MIT
"""`cpu` (and the GPU programs, where there is a GPU) against SciPy's csgraph and
NetworkX, which share no line with this project and were written by others.
Skipped where they are not installed (Debian: python3-scipy python3-networkx).

What the peers get wrong, and how they are asked here instead:
- SciPy takes a 0 in a dense matrix for "no edge". Sparse matrices keep zeros
  that are stored explicitly, so graphs are handed over as sparse ones.
- SciPy adds parallel edges up when a sparse matrix is made of them: the lightest
  is taken beforehand.
- SciPy's floyd_warshall overlooks a negative self-loop; its johnson and
  bellman_ford report one.
- NetworkX 2.8's Bellman-Ford breaks off with an AttributeError where a
  multigraph has self-loops: those get to it as a simple graph.
- NetworkX's floyd_warshall does not look for negative cycles: it is asked only
  where there is none.
"""

import math
import random
import unittest

from support import (GPU_SOLVERS, NEGATIVE_CYCLE, OK, SANITIZED, SOLVERS, Graph, ProgramTest,
                     describes_shortest_paths, gpu_missing, graph_of_text)

try:
    import numpy
    from scipy.sparse import csgraph, csr_matrix
except ImportError:
    csgraph = None
try:
    import networkx
except ImportError:
    networkx = None

needs_scipy = unittest.skipIf(csgraph is None, "SciPy is not installed")
needs_networkx = unittest.skipIf(networkx is None, "NetworkX is not installed")

GRAPHS = 300
NEGATIVE_CYCLE_FOUND = "negative cycle"


# Graphs ----------------------------------------------------------------------

def shifted(rng, n, edges):
    """The edges with weights changed by the difference of random heights: some
    become negative, all cycles keep their weight."""
    height = [rng.randrange(30) for _ in range(n)]
    return [(u, v, w + height[u] - height[v]) for u, v, w in edges]


def random_multigraph(rng, lowest, highest, degree):
    """Parallel edges and self-loops as likely as any others."""
    n = rng.randint(1, 25)
    return n, [(rng.randrange(n), rng.randrange(n), rng.randint(lowest, highest))
               for _ in range(rng.randrange(int(degree * n) + 1))]


def components(rng):
    """Parts without a path between them, under mixed names, and single vertices."""
    name = list(range(28))
    rng.shuffle(name)
    edges = []
    for first in (0, 8, 16):
        edges += [(name[first + rng.randrange(8)], name[first + rng.randrange(8)],
                   rng.randint(0, 9)) for _ in range(20)]
    return 28, edges


def zero_cycles(rng):
    """Cycles of weight zero, most of them through edges of both signs."""
    n, edges = random_multigraph(rng, 0, 1, 4)
    return n, shifted(rng, n, edges)


def negative_edges(rng):
    n, edges = random_multigraph(rng, 0, 20, 4)
    return n, shifted(rng, n, edges)


KINDS = {
    "positive": lambda rng: random_multigraph(rng, 1, 50, 5),
    "zero weights": lambda rng: random_multigraph(rng, 0, 1, 5),
    "sparse": lambda rng: random_multigraph(rng, 0, 9, 1),
    "components": components,
    "negative edges": negative_edges,
    "zero cycles": zero_cycles,
    "any sign": lambda rng: random_multigraph(rng, -4, 9, 3),  # often with a negative cycle
    "large": lambda rng: random_multigraph(rng, 0, 10**7, 3),
}


def graphs():
    """(kind, Graph), GRAPHS of them, the same ones every time."""
    rng = random.Random(7)
    for number in range(GRAPHS):
        kind = list(KINDS)[number % len(KINDS)]
        n, edges = KINDS[kind](rng)
        yield kind, Graph(n, edges)


# Peers -----------------------------------------------------------------------

def scipy_matrix(graph):
    weights = graph.weights()
    ends = list(weights)
    return csr_matrix((numpy.array([float(weights[end]) for end in ends]),
                       (numpy.array([u for u, _ in ends], dtype=int),
                        numpy.array([v for _, v in ends], dtype=int))),
                      shape=(graph.n, graph.n))


def rows_of(matrix):
    return [[None if d == math.inf else int(d) for d in row] for row in matrix]


def scipy_answers(graph):
    """{peer: rows of distances, None for no path, or NEGATIVE_CYCLE_FOUND}."""
    weights = graph.weights()
    peers = ["johnson", "bellman_ford"]
    if not any(u == v for u, v in weights):
        peers.append("floyd_warshall")
    if all(w >= 0 for w in weights.values()):
        peers.append("dijkstra")
    answers = {}
    for peer in peers:
        try:
            answers["SciPy " + peer] = rows_of(getattr(csgraph, peer)(scipy_matrix(graph)))
        except csgraph.NegativeCycleError:
            answers["SciPy " + peer] = NEGATIVE_CYCLE_FOUND
    return answers


def networkx_graph(graph):
    if any(u == v for u, v, _ in graph.edges):
        made = networkx.DiGraph()
        edges = [(u, v, w) for (u, v), w in graph.weights().items()]
    else:
        made, edges = networkx.MultiDiGraph(), graph.edges
    made.add_nodes_from(range(graph.n))
    made.add_weighted_edges_from(edges)
    return made


def rows_of_lengths(n, lengths):
    """Rows of {i: {j: distance}}, infinite or absent where there is no path."""
    rows = [[lengths[i].get(j, math.inf) for j in range(n)] for i in range(n)]
    return [[None if d == math.inf else int(d) for d in row] for row in rows]


def networkx_answers(graph):
    made = networkx_graph(graph)
    try:
        lengths = dict(networkx.all_pairs_bellman_ford_path_length(made))
    except networkx.NetworkXUnbounded:
        return {"NetworkX bellman_ford": NEGATIVE_CYCLE_FOUND}
    answers = {"bellman_ford": lengths, "floyd_warshall": networkx.floyd_warshall(made)}
    if all(w >= 0 for _, _, w in graph.edges):
        answers["dijkstra"] = dict(networkx.all_pairs_dijkstra_path_length(made))
    return {"NetworkX " + peer: rows_of_lengths(graph.n, lengths)
            for peer, lengths in answers.items()}


# Comparison ------------------------------------------------------------------

class Peers(ProgramTest):

    def solvers(self):
        """(program, variant) of all that can solve here."""
        programs = [program for program in SOLVERS
                    if program not in GPU_SOLVERS or gpu_missing() is None]
        for program in programs:
            listed = self.succeeds(program, "--list-variants").out.decode("utf-8")
            for line in listed.splitlines():
                if ":" not in line.split()[0]:  # apsp's own, not what it takes of the others
                    yield program, line.split()[0]

    def answer(self, program, variant, graph):
        """Rows of distances, NEGATIVE_CYCLE_FOUND, or None where the variant says
        that it is not exact for this graph."""
        command = (program, "graphFile.txt", "--variant", variant, "-o", "out.txt")
        finished = self.run_program(*command)
        if "computes no predecessors" in finished.err:
            finished = self.run_program(*command, "--distances-only")
        if finished.status == NEGATIVE_CYCLE:
            return NEGATIVE_CYCLE_FOUND
        if "is not exact for this graph" in finished.err:
            return None
        self.assertEqual((finished.status, finished.err), (OK, ""))
        result = self.result("out.txt")
        if result.pred is not None:
            self.assertTrue(describes_shortest_paths(graph, result.dist, result.pred))
        return result.dist

    def compare(self, peers, of_variants, of_graphs=1):
        """One of so many graphs with every peer, each with one of so many variants, others for the
        next graph."""
        solvers = list(self.solvers())
        compared, cycles, kinds = 0, 0, set()
        for number, (kind, graph) in list(enumerate(graphs()))[::of_graphs]:
            answers = peers(graph)
            self.write("graphFile.txt", graph)
            for program, variant in solvers[number % of_variants::of_variants]:
                ours = self.answer(program, variant, graph)
                for peer, theirs in answers.items():
                    with self.subTest(number=number, kind=kind, program=program, variant=variant,
                                      peer=peer, graph=graph):
                        if ours is not None:
                            self.assertEqual(ours, theirs)
                            compared += 1
                            kinds.add(kind)
            cycles += NEGATIVE_CYCLE_FOUND in answers.values()
        self.assertEqual(kinds, set(KINDS))
        self.assertGreaterEqual(compared, GRAPHS // of_graphs)
        self.assertTrue(10 < cycles * of_graphs < GRAPHS // 4,
                        "%d graphs have a negative cycle" % cycles)

    @needs_scipy
    def test_scipy(self):
        self.compare(scipy_answers, 7 if SANITIZED else 3)

    @needs_networkx
    def test_networkx(self):
        """If SciPy is there each graph has been compared with it: then fewer do."""
        self.compare(networkx_answers, 7, of_graphs=1 if csgraph is None else 3)

    @needs_scipy
    def test_larger_graphs(self):
        """Several tiles of every size."""
        for seed, n in enumerate((129, 200, 260)):
            self.succeeds("graphgen", "--v", n, "--density", "4%", "--seed", seed,
                          "--weights", "0:9" if seed % 2 else "-9:99")
            graph = graph_of_text(self.read("graphFile.txt").decode("ascii"))
            theirs = scipy_answers(graph)["SciPy johnson"]
            for program, variant in self.solvers():
                with self.subTest(n=n, program=program, variant=variant):
                    ours = self.answer(program, variant, graph)
                    if ours is not None:
                        self.assertEqual(ours, theirs)


@needs_scipy
class WhatSciPyOverlooks(ProgramTest):
    """What the peer is known to get wrong, this project gets right. Skipped with a
    SciPy that has learned it."""

    def test_zero_weights_in_a_dense_matrix(self):
        dense = numpy.array([[0, 0, numpy.inf], [numpy.inf, 0, 3], [numpy.inf, numpy.inf, 0]])
        self.write("graphFile.txt", Graph(3, [(0, 1, 0), (1, 2, 3)]))
        self.succeeds("cpu", "--check")
        right = [[0, 0, 3], [None, 0, 3], [None, None, 0]]
        self.assertEqual(self.result().dist, right)
        if rows_of(csgraph.floyd_warshall(dense)) == right:
            self.skipTest("this SciPy takes them for edges")

    def test_negative_self_loop(self):
        graph = Graph(2, [(0, 0, -1), (0, 1, 3)])
        self.write("graphFile.txt", graph)
        self.fails(NEGATIVE_CYCLE, "negative cycle of weight -1", "cpu")
        with self.assertRaises(csgraph.NegativeCycleError):
            csgraph.johnson(scipy_matrix(graph))
        try:
            csgraph.floyd_warshall(scipy_matrix(graph))
        except csgraph.NegativeCycleError:
            self.skipTest("this SciPy's floyd_warshall reports it")


if __name__ == "__main__":
    unittest.main()
