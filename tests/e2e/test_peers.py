# SPDX-License-Identifier: MIT
"""`cpu` (and the GPU programs, where there is a GPU) against NetworkX, which shares no line with this
project and was written by others. Skipped where it is not installed (Debian: python3-networkx).

- NetworkX 2.8's Bellman-Ford breaks off with an AttributeError where a
  multigraph has self-loops: those get to it as a simple graph.
- NetworkX's floyd_warshall does not look for negative cycles: it is asked only
  where there is none.
"""

import math
import random
import unittest

from support import (GPU_SOLVERS, NEGATIVE_CYCLE, OK, SOLVERS, Graph, ProgramTest, describes_shortest_paths,
                     gpu_missing, needs, optional)

(networkx,) = optional("networkx")

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

    @needs(NetworkX=networkx)
    def test_networkx(self):
        self.compare(networkx_answers, 7, of_graphs=3)


if __name__ == "__main__":
    unittest.main()
