# SPDX-License-Identifier: MIT
"""`verify`: it proves right results in every form, and refutes wrong ones. A
checker is only as good as the wrong answers it rejects, so most of this file
makes wrong answers."""

import array
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import unittest
import zlib

from support import (BAD_INPUT, INF, INT32_MAX, INT32_MIN, OK, REFUTED, REPOSITORY, TIMEOUT_S,
                     Graph, ProgramTest, Result, distances_of, npy,
                     npy_distances, parse_result, solved)

# Unreachable pairs, a zero-weight cycle (1, 2, 3), ties.
SMALL = Graph(6, [(0, 1, 3), (0, 2, 3), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 2), (4, 0, 1),
                  (4, 5, 4), (2, 5, 7)])


def large_graph():
    """140 vertices: zero weights and cycles, negative edges, ties, vertices
    that nothing reaches and vertices that reach nothing."""
    rng = random.Random(140)
    n = 140
    height = [rng.randrange(6) for _ in range(n)]
    edges = []
    for _ in range(420):
        u, v = rng.randrange(n - 6), rng.randrange(6, n)
        edges.append((u, v, rng.choice([0, 0, 1, 2, 3, 9, 30]) + height[u] - height[v]))
    for start in (20, 60, 100, 130):  # cycles of weight zero
        ring = list(range(start, start + 3))
        edges += [(u, v, height[u] - height[v]) for u, v in zip(ring, ring[1:] + ring[:1])]
    return Graph(n, edges)


LARGE = large_graph()


# Mutants: each changes a copy of a right result and says which check must fail;
# None if the result has no predecessors to change, StopIteration if it has
# no place for the change. Places are searched from a given source on, so that
# sources at the start, in the middle and at the end are all hit.

def places(result, start):
    for step in range(result.n):
        i = (start + step) % result.n
        for j in range(result.n):
            yield i, j


def reachable(result, start):
    return next((i, j) for i, j in places(result, start)
                if i != j and result.dist[i][j] is not None)


def unreachable(result, start):
    return next((i, j) for i, j in places(result, start) if result.dist[i][j] is None)


def distance_plus_one(graph, result, start):
    i, j = reachable(result, start)
    result.dist[i][j] += 1
    return "check ("


def distance_minus_one(graph, result, start):
    i, j = reachable(result, start)
    result.dist[i][j] -= 1
    return "check ("


def distance_plus_one_for_all_behind(graph, result, start):
    """Consistent with the predecessors below j, but not shortest."""
    i, j = reachable(result, start)
    for v in range(graph.n):
        at = v
        while result.pred is not None and at not in (i, j) and at >= 0:
            at = result.pred[i][at]
        if at == j or result.pred is None and v == j:
            result.dist[i][v] += 1
    return "check ("


def all_distances_minus_one(graph, result, start):
    for i, row in enumerate(result.dist):
        for j, d in enumerate(row):
            if d is not None and i != j:
                row[j] = d - 1
    return "check ("


def reachable_made_inf(graph, result, start):
    i, j = reachable(result, start)
    result.dist[i][j] = None
    if result.pred is not None:
        result.pred[i][j] = -1
    return "check (c)"


def all_but_the_diagonal_made_inf(graph, result, start):
    for i, row in enumerate(result.dist):
        for j in range(result.n):
            if i != j:
                row[j] = None
                if result.pred is not None:
                    result.pred[i][j] = -1
    return "check (c)"


def inf_beside_its_predecessor(graph, result, start):
    i, j = reachable(result, start)
    result.dist[i][j] = None
    return "check (a)"


def unreachable_made_finite(graph, result, start):
    i, j = unreachable(result, start)
    result.dist[i][j] = 5
    if result.pred is not None:
        result.pred[i][j] = i
    return "check ("


def unreachable_made_finite_without_predecessor(graph, result, start):
    i, j = unreachable(result, start)
    result.dist[i][j] = 5
    return "check (a)"


def unreachable_with_predecessor(graph, result, start):
    i, j = unreachable(result, start)
    result.pred[i][j] = i
    return "check (a)"


def missing_predecessor(graph, result, start):
    i, j = reachable(result, start)
    result.pred[i][j] = -1
    return "check (a)"


def predecessor_that_is_no_neighbour(graph, result, start):
    weights = graph.weights()
    i, j, p = next((i, j, p) for i, j in places(result, start) for p in range(result.n)
                   if i != j and result.dist[i][j] is not None and (p, j) not in weights)
    result.pred[i][j] = p
    return "check (b)"


def predecessor_itself(graph, result, start):
    i, j = reachable(result, start)
    result.pred[i][j] = j
    return "check (b)"


def neighbour_that_is_not_on_a_shortest_path(graph, result, start):
    weights = graph.weights()
    i, j, p = next((i, j, p) for i, j in places(result, start) for p in range(result.n)
                   if i != j and result.dist[i][j] is not None and (p, j) in weights
                   and result.dist[i][p] is not None
                   and result.dist[i][p] + weights[p, j] > result.dist[i][j])
    result.pred[i][j] = p
    return "check (b)"


def unreachable_predecessor(graph, result, start):
    weights = graph.weights()
    i, j, p = next((i, j, p) for i, j in places(result, start) for p in range(result.n)
                   if i != j and result.dist[i][j] is not None and (p, j) in weights
                   and result.dist[i][p] is None)
    result.pred[i][j] = p
    return "check (b)"


def predecessor_beyond_the_vertices(graph, result, start):
    i, j = reachable(result, start)
    result.pred[i][j] = result.n
    return "check (a)"


def predecessor_below_minus_one(graph, result, start):
    i, j = reachable(result, start)
    result.pred[i][j] = -2
    return "check (a)"


def predecessor_cycle_over_zero_weights(graph, result, start):
    """Every equation of check (b) holds, but the chain never ends."""
    weights = graph.weights()

    def tight(i, u, v):
        row = result.dist[i]
        return (u, v) in weights and None not in (row[u], row[v]) and i not in (u, v) and (
            row[u] + weights[u, v] == row[v])
    i, a, b, c = next((i, a, b, c) for i, a in places(result, start)
                      for b in range(result.n) if tight(i, a, b)
                      for c in range(result.n) if tight(i, b, c) and tight(i, c, a))
    result.pred[i][b], result.pred[i][c], result.pred[i][a] = a, b, c
    return "check (b)"


def row_that_differs(result, i):
    return next(j % result.n for j in range(i + 1, i + result.n)
                if result.dist[j % result.n] != result.dist[i])


def rows_swapped(graph, result, start):
    i, j = start, row_that_differs(result, start)
    for matrix in (result.dist, result.pred):
        if matrix is not None:
            matrix[i], matrix[j] = matrix[j], matrix[i]
    return "check ("


def distance_rows_swapped_but_for_the_diagonal(graph, result, start):
    i, j = start, row_that_differs(result, start)
    result.dist[i], result.dist[j] = result.dist[j], result.dist[i]
    result.dist[i][i] = result.dist[j][j] = 0
    return "check ("


def transposed(graph, result, start):
    result.dist = [list(column) for column in zip(*result.dist)]
    return "check ("


def diagonal_not_zero(graph, result, start):
    result.dist[start][start] = 1
    return "check (a)"


def diagonal_negative(graph, result, start):
    result.dist[start][start] = -1
    return "check (a)"


def diagonal_unreachable(graph, result, start):
    result.dist[start][start] = None
    return "check (a)"


def diagonal_predecessor(graph, result, start):
    result.pred[start][start] = start
    return "check (a)"


def diagonal_predecessor_beside_a_missing_one(graph, result, start):
    """Two wrongs in one row, which counting entries would not notice."""
    i, j = reachable(result, start)
    result.pred[i][i], result.pred[i][j] = result.pred[i][j], -1
    return "check (a)"


def input_returned_unsolved(graph, result, start):
    for i in range(graph.n):
        for j in range(graph.n):
            w = 0 if i == j else graph.weights_of.get((i, j))
            result.dist[i][j] = w
            if result.pred is not None:
                result.pred[i][j] = -1 if i == j or w is None else i
    return "check (c)"


MUTANTS = [
    distance_plus_one, distance_minus_one, distance_plus_one_for_all_behind,
    all_distances_minus_one, reachable_made_inf, all_but_the_diagonal_made_inf,
    unreachable_made_finite, rows_swapped, distance_rows_swapped_but_for_the_diagonal, transposed,
    diagonal_not_zero, diagonal_negative, diagonal_unreachable, input_returned_unsolved,
]
OF_PREDECESSORS = [  # only where there are some
    inf_beside_its_predecessor, unreachable_made_finite_without_predecessor,
    unreachable_with_predecessor, missing_predecessor, predecessor_that_is_no_neighbour,
    predecessor_itself, neighbour_that_is_not_on_a_shortest_path, unreachable_predecessor,
    predecessor_beyond_the_vertices, predecessor_below_minus_one,
    predecessor_cycle_over_zero_weights, diagonal_predecessor,
    diagonal_predecessor_beside_a_missing_one,
]


class KnownWeights(Graph):
    """A graph that makes its dictionary of weights once."""
    def weights(self):
        if not hasattr(self, "weights_of"):
            self.weights_of = super().weights()
        return self.weights_of


class Refutations(ProgramTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small, cls.large = KnownWeights(*SMALL), KnownWeights(*LARGE)
        cls.right = {}
        for graph in (cls.small, cls.large):
            graph.weights()
            cls.right[graph.n] = solved(graph)

    def check_mutants(self, graph, starts, distances_only):
        self.write("graphFile.txt", graph)
        right = self.right[graph.n].copy()
        if distances_only:
            right.pred, right.notes = None, ["# predecessors: none"]
        right_text = right.text()
        self.write("r", right_text)
        self.proves("r")
        made = []
        for mutate in MUTANTS + (OF_PREDECESSORS if right.pred is not None else []):
            for start in starts:
                wrong = right.copy()
                try:
                    check = mutate(graph, wrong, start)
                except StopIteration:
                    continue
                with self.subTest(mutant=mutate.__name__, start=start):
                    text = wrong.text()
                    self.assertTrue(text != right_text, "the mutant changes nothing")
                    self.write("r", text)
                    finished = self.fails(REFUTED, "r is refuted: " + check, "verify", "r")
                    self.assertEqual(finished.out, b"")
                    self.assertNotIn("another graph", finished.err)
                    made.append(mutate.__name__)
        return made

    def test_small(self):
        self.assertGreater(len(self.check_mutants(self.small, (0, 4), False)), 45)

    def test_small_distances_only(self):
        self.assertGreater(len(self.check_mutants(self.small, (0, 4), True)), 25)

    def test_large(self):
        """Sources before, at and behind every multiple of 32 and 64."""
        made = self.check_mutants(self.large, (0, 31, 64, 133), False)
        self.assertEqual(len(made), 4 * len(MUTANTS + OF_PREDECESSORS))

    def test_large_distances_only(self):
        self.assertGreater(len(self.check_mutants(self.large, (0, 127, 133), True)), 40)

    def test_cpu_agrees_with_the_reference_these_tests_start_from(self):
        for graph in (self.small, self.large):
            self.write("graphFile.txt", graph)
            self.succeeds("cpu", "--check")
            self.assertEqual(self.result().dist, self.right[graph.n].dist)

    def test_the_reason_names_vertices_and_numbers(self):
        self.write("graphFile.txt", Graph(3, [(0, 1, 4), (1, 2, 5)]))
        right = solved(Graph(3, [(0, 1, 4), (1, 2, 5)]))

        def refuted(expected, i, j, distance, predecessor):
            wrong = right.copy()
            wrong.dist[i][j], wrong.pred[i][j] = distance, predecessor
            self.write("r", wrong.text())
            message = self.fails(REFUTED, expected, "verify", "r").err
            for number in (i, j):
                self.assertRegex(message, r"\b%d\b" % number)

        refuted("check (c): distance from 0 to 2 is 10, but 1 is at distance 4 and edge 1 -> 2 "
                "weighs 5", 0, 2, 10, 1)
        refuted("check (c): 2 is given as unreachable from 0, but 1 is at distance 4 and edge "
                "1 -> 2 weighs 5", 0, 2, None, -1)
        refuted("check (b): distance from 0 to 2 is 8, but its predecessor 1 is at distance 4 and "
                "edge 1 -> 2 weighs 5", 0, 2, 8, 1)
        refuted("check (b): predecessor of (0, 2) is 0, but there is no edge 0 -> 2", 0, 2, 9, 0)
        refuted("check (a): distance from 1 to itself is 1, not 0", 1, 1, 1, -1)
        refuted("check (a): predecessor of (1, 1) is 0, not -1", 1, 1, 0, 0)

    def test_same_refutation_at_any_number_of_threads(self):
        self.write("graphFile.txt", self.large)
        wrong = self.right[self.large.n].copy()
        for start in (96, 70, 40, 33):
            i, j = reachable(wrong, start)
            wrong.dist[i][j] += 1
        self.write("r", wrong.text())
        messages = {self.fails(REFUTED, "check (", "verify", "r", "--threads", threads).err
                    for threads in (1, 2, 3, 8)}
        self.assertEqual(len(messages), 1, messages)
        self.assertRegex(messages.pop(), r"\b%d\b" % i)


    def test_the_lowest_source_decides_not_the_fastest_thread(self):
        """Source 0 is refuted at a glance, source 32, which another thread
        checks, only at the last vertex."""
        n = 3000
        cells = array.array("i", [INF]) * (n * n)
        for i in range(n):
            cells[i * n + i] = 0
        cells[0] = 1
        cells[32 * n + n - 1] = 5
        self.write("graphFile.txt", Graph(n, []))
        self.write("r.dist.npy", npy([], shape=(n, n)) + cells.tobytes())
        self.write("r.json", '{"predecessors": false}')
        for _ in range(5):
            self.fails(REFUTED, "distance from 0 to itself is 1", "verify", "r.dist.npy",
                       "--threads", 2)


class Overflow(ProgramTest):
    """Distances of 2^30 and more, given as unreachable."""

    GRAPH = Graph(3, [(0, 1, 2**29), (1, 2, 2**29)])

    def test_overflow_given_as_inf(self):
        self.write("graphFile.txt", self.GRAPH)
        half = 2**29
        for pred in ([[-1, 0, -1], [-1, -1, 1], [-1, -1, -1]], None):
            result = Result(3, 2, [[0, half, None], [None, 0, half], [None, None, 0]], pred,
                            ["# predecessors: none"])
            self.write("r", result.text())
            self.fails(REFUTED, "check (c): 2 is given as unreachable from 0", "verify", "r")

    def test_inf_or_more_is_no_number_a_result_can_hold(self):
        self.write("graphFile.txt", self.GRAPH)
        text = solved(Graph(3, [(0, 1, 2**29), (1, 2, 5)])).text()
        for number in (INF, INF + 1, INT32_MAX, INT32_MAX + 1, -INF, INT32_MIN, 2**64 + 5, -10**30):
            with self.subTest(number):
                self.write("r", text.replace("\t536870917", "\t%d" % number))
                self.fails(BAD_INPUT, "r:3: expected distance number 3 of 3", "verify", "r",
                           "--type", "int32")
                self.fails(REFUTED, "check (", "verify", "r")
        self.write("r", solved(self.GRAPH).text())
        self.succeeds("verify", "r", "-q")
        self.fails(BAD_INPUT, "r:3: expected distance number 3 of 3", "verify", "r", "--type", "int32")

    def test_the_same_in_npy_is_refuted(self):
        self.write("graphFile.txt", self.GRAPH)
        half = 2**29
        self.write("r.json", '{"predecessors": false}')
        for number in (INF, INF + 1, INT32_MAX, INT32_MIN, -INF):
            with self.subTest(number):
                self.write("r.dist.npy", npy([[0, half, number], [INF, 0, half], [INF, INF, 0]]))
                self.fails(REFUTED, "check (", "verify", "r.dist.npy")

    def test_heavy_edges(self):
        """Edges beyond INF: they bind no distance, but reachability they do."""
        heavy = Graph(4, [(0, 1, 5), (1, 2, 6), (0, 2, INT32_MAX), (2, 0, INF), (2, 3, INT32_MAX),
                          (0, 3, 9)])
        self.write("graphFile.txt", heavy)
        for pred in ([[-1, 0, 1, 0], [-1, -1, 1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1]], None):
            result = Result(4, 6, [[0, 5, 11, 9], [None, 0, 6, None], [None, None, 0, None],
                                   [None, None, None, 0]], pred, ["# predecessors: none"])
            self.write("r", result.text())
            self.fails(REFUTED, "check (c): ", "verify", "r")
        for weight in (INF - 1, INF, INF + 1, 2**30 + 2**29, INT32_MAX):
            for before in (0, 7):
                # 2 can be reached, if only over an edge that no distance can hold.
                chain = Graph(3, [(0, 1, before), (1, 2, weight)])
                self.write("graphFile.txt", chain)
                for pred in ([[-1, 0, -1], [-1] * 3, [-1] * 3], None):
                    result = Result(3, 2, [[0, before, None], [None, 0, None], [None, None, 0]],
                                    pred, ["# predecessors: none"])
                    self.write("r", result.text())
                    self.fails(REFUTED, "check (c): 2 is given as unreachable from 0", "verify",
                               "r")
        light = Graph(4, heavy.edges[:3] + [(2, 0, 1), (2, 3, INT32_MAX), (0, 3, 9)])
        self.write("graphFile.txt", light)
        self.write("r", solved(light).text())
        self.proves("r")
        wrong = solved(light)
        wrong.pred[0][2] = 0  # over the edge of weight 2^31 - 1
        self.write("r", wrong.text())
        self.fails(REFUTED, "check (b)", "verify", "r")


class AnotherGraph(ProgramTest):

    def test_right_answer_to_another_graph(self):
        self.write("a", SMALL)
        other = Graph(6, SMALL.edges[:5] + [(3, 4, 1)] + SMALL.edges[6:])
        self.write("b", other)
        self.succeeds("cpu", "a", "-o", "r")
        self.proves("-g", "a", "r")
        message = self.fails(REFUTED, "check (", "verify", "-g", "b", "r").err
        self.assertIn("this result belongs to another graph than b", message)
        self.succeeds("cpu", "a", "--format", "npy", "-o", "r")
        message = self.fails(REFUTED, "check (", "verify", "-g", "b", "r.dist.npy").err
        self.assertIn("this result belongs to another graph than b", message)

    def test_checksum_explains_but_never_refutes(self):
        self.write("graphFile.txt", SMALL)
        self.succeeds("cpu")
        data = self.read("output.txt")
        at = data.index(b"# graph checksum: ") + 18
        right = data[at:at + 8]
        other = "made for a graph with checksum 00000000; that of graphFile.txt is " + right.decode()
        senseless = "its graph checksum is not eight hexadecimal digits"
        two = "it has two graph checksums"
        for checksum, note in (
                (b"00000000", other), (b"xyz", senseless), (b"", senseless),
                (b"1234567890", senseless), (right.upper(), senseless), (b"deadbee", senseless),
                (right + b"\n# graph checksum: " + right, two),
                (right + b"\n# graph checksum: 00000000", two),
                (b"xyz\n# graph checksum: " + right, two)):
            with self.subTest(checksum):
                self.write("r", data[:at] + checksum + b"\n")
                self.notes("r", ["r: " + note])
                self.assertEqual(self.succeeds("verify", "-q", "r").out, b"")

    def test_notes_on_a_refutation(self):
        """A refutation tells what else is odd about the result, which may be why."""
        self.write("graphFile.txt", SMALL)
        self.succeeds("cpu")
        data = self.read("output.txt")
        at = data.index(b"# graph checksum: ") + 18
        text = data[:at] + b"xyz\n"
        first = text.index(b"\n0\t") + 3
        end = text.index(b"\t", first)
        self.write("r", text[:first] + b"777" + text[end:])
        note = "; note: r: its graph checksum is not eight hexadecimal digits"
        edges = "; note: r: made for a graph with |E| = 99; graphFile.txt has %d" % len(SMALL.edges)
        told = self.fails(REFUTED, "verify: r is refuted: ", "verify", "r").err
        self.assertTrue(told.endswith(note + "\n"), told)
        self.write("r", self.read("r").replace(b"|E| = %d\n" % len(SMALL.edges), b"|E| = 99\n"))
        told = self.fails(REFUTED, "verify: r is refuted: ", "verify", "r").err
        self.assertTrue(told.endswith(note + edges + "\n"), told)

    def notes(self, result, expected):
        """verify must prove the result and say this, a line for each."""
        told = self.run_program("verify", result)
        self.assertEqual((told.status, told.err.splitlines()),
                         (OK, ["verify: note: " + note for note in expected]))
        self.assertIn(b" is proved for ", told.out)

    def test_number_of_edges(self):
        """That of the graph as it was read, which nothing proves."""
        self.write("graphFile.txt", SMALL)
        self.succeeds("cpu")
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        count = len(SMALL.edges)
        self.write("r.txt", self.read("output.txt").replace(b"|E| = %d\n" % count, b"|E| = 99\n"))
        self.write("r.json", self.read("r.json").replace(b'"edges": %d,' % count, b'"edges": 99,'))
        for name in ("r.txt", "r.dist.npy"):
            self.notes(name, ["%s: made for a graph with |E| = 99; graphFile.txt has %d"
                              % (name, count)])

    def test_no_guess_without_a_checksum(self):
        self.write("graphFile.txt", SMALL)
        wrong = solved(SMALL)
        wrong.dist[0][1] += 1
        self.write("r", wrong.text())
        self.assertNotIn("another graph", self.fails(REFUTED, "check", "verify", "r").err)

    def test_other_number_of_vertices(self):
        self.write("graphFile.txt", SMALL)
        for n in (1, 5, 7):
            self.write("r", solved(Graph(n, [])).text())
            self.fails(REFUTED, "%d vertices, the graph 6" % n, "verify", "r")

    def test_extra_unreachable_edge_weight_is_noticed(self):
        """One lighter edge in the graph than in the one that was solved."""
        for e in range(len(SMALL.edges)):
            u, v, w = SMALL.edges[e]
            lighter = Graph(6, SMALL.edges[:e] + [(u, v, w - 1)] + SMALL.edges[e + 1:])
            dist = distances_of(lighter)
            with self.subTest(edge=(u, v)):
                self.write("g", lighter)
                self.write("r", solved(SMALL).text())
                if dist == distances_of(SMALL):
                    self.proves("-g", "g", "r")
                else:
                    self.fails(REFUTED, "check (", "verify", "-g", "g", "r")

    def test_graph_with_a_negative_cycle_has_no_right_answer(self):
        self.write("graphFile.txt", Graph(3, [(0, 1, 1), (1, 0, -2), (1, 2, 5)]))
        for pred in ([[-1, 0, 1], [1, -1, 1], [-1, -1, -1]], None):
            result = Result(3, 3, [[0, 1, 6], [-2, 0, 5], [None, None, 0]], pred,
                            ["# predecessors: none"])
            self.write("r", result.text())
            self.fails(REFUTED, "check (c)", "verify", "r")
        self.write("graphFile.txt", Graph(1, [(0, 0, -1)]))
        self.write("r", "|V| = 1, |E| = 1\n\n0\n\n-1\n")
        self.fails(REFUTED, "check (c)", "verify", "r")


class Forms(ProgramTest):
    """Right results in every form a reader must accept."""

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", SMALL)
        self.right = solved(SMALL, ["# solver: none"])

    def test_text(self):
        self.write("r", self.right.text())
        self.proves("r")

    def test_gzip(self):
        self.write("r.gz", gzip.compress(self.right.text().encode()))
        self.proves("r.gz")

    def test_npy(self):
        self.write("r.dist.npy", npy(npy_distances(self.right.dist)))
        self.write("r.pred.npy", npy(self.right.pred))
        self.write("r.json", '{"predecessors": true}')
        self.proves("r.dist.npy")

    def test_npy_by_its_prefix(self):
        """A result of `-o r` is read by its prefix, unless there is another file of that name."""
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        self.proves("r")
        self.proves("./r")
        self.proves(self.path("r"))
        os.mkdir(self.path("r"))
        self.proves("r")
        os.rmdir(self.path("r"))
        os.remove(self.path("r.json"))
        self.fails(BAD_INPUT, "r.json", "verify", "r")
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        self.write("r", "no result")
        self.fails(BAD_INPUT, "r:1: expected '|V| = n, |E| = m', found 'no'", "verify", "r")
        self.fails(BAD_INPUT, "cannot open s: No such file or directory", "verify", "s")
        os.mkdir(self.path("s"))
        self.fails(BAD_INPUT, "s", "verify", "s")

    def test_npy_in_another_directory(self):
        os.mkdir(self.path("sub"))
        self.succeeds("cpu", "--format", "npy", "-o", "sub/r")
        self.proves("sub/r.dist.npy")

    def test_distances_only(self):
        self.right.pred, self.right.notes = None, ["# predecessors: none"]
        self.write("r", self.right.text())
        self.proves("r")

    def test_files_of_the_thesis_programs(self):
        """CRLF, the infinity sign, two blank lines before each matrix, a tab
        behind each row, no final line feed, no '#' lines: all and each."""
        text = self.right.matrices_text()
        features = {
            "crlf": lambda t: t.replace("\n", "\r\n"),
            "infinity": lambda t: t.replace("INF", "\u221e"),
            "two blank lines": lambda t: t.replace("\n\n", "\n\n\n"),
            "trailing tab": lambda t: "".join(
                line if "|" in line or line == "\n" else line.replace("\n", "\t\n")
                for line in t.splitlines(True)),
            "no final line feed": lambda t: t[:-1],
        }
        self.assertIn("INF", text)
        for name, change in features.items():
            with self.subTest(name):
                self.write("r", change(text))
                self.proves("r")
        for name in ("infinity", "two blank lines", "trailing tab", "no final line feed", "crlf"):
            text = features[name](text)
        self.write("r", text)
        self.assertIn("\t\r\n\r\n\r\n".encode(), self.read("r"))
        self.proves("r")
        self.write("r.gz", gzip.compress(text.encode()))
        self.proves("r.gz")
        self.assertEqual(self.right.dist[0][5], 9)
        self.write("r", text.replace("\t9\t", "\t8\t", 1))
        self.fails(REFUTED, "check (", "verify", "r")

    def test_other_legal_spellings(self):
        text = self.right.text()
        for name, changed in (
                ("blanks for tabs", text.replace("\t", "  ")),
                ("blank lines between rows", text.replace("\n", "\n\n")),
                ("blanks at the ends", text.replace("\n", " \t \n")),
                ("signs", text.replace("\t2", "\t+2")),
                ("leading zeros", text.replace("\t2", "\t000000000002")),
                ("more notes", text + "# anything: at all\n#\n#no blank\n"),
                ("blank lines at the end", text + "\n\n \n")):
            with self.subTest(name):
                self.assertNotEqual(changed, text)
                self.write("r", changed)
                self.proves("r")

    def test_result_from_stdin(self):
        self.proves("-", stdin=self.right.text())
        self.fails(BAD_INPUT, "standard input", "verify", "-", stdin="")

    def test_graph_option(self):
        os.rename(self.path("graphFile.txt"), self.path("g"))
        self.write("r", self.right.text())
        self.fails(BAD_INPUT, "graphFile.txt", "verify", "r")
        for option in (["--graph", "g"], ["--graph=g"], ["-g", "g"], ["-gg"]):
            with self.subTest(option):
                self.proves("r", *option)
        self.assertIn(b"r is proved for g:", self.proves("r", "-g", "g").out)

    def test_what_is_said(self):
        self.write("r", self.right.text())
        self.assertEqual(self.proves("r").out, b"r is proved for graphFile.txt: all distances and "
                         b"predecessors of 6 vertices are exact\n")
        self.right.pred, self.right.notes = None, ["# predecessors: none"]
        self.write("r", self.right.text())
        self.assertEqual(self.proves("r").out, b"r is proved for graphFile.txt: all distances of "
                         b"6 vertices are exact\n")


class Malformed(ProgramTest):
    """Results that are no results: exit 2, never a verdict."""

    GRAPH = Graph(3, [(0, 1, 4), (1, 2, 5)])
    TEXT = ("|V| = 3, |E| = 2\n\n0\t4\t9\nINF\t0\t5\nINF\tINF\t0\n\n"
            "-1\t0\t1\n-1\t-1\t1\n-1\t-1\t-1\n# solver: none\n")

    # Each row: what is wrong, what to replace (once), by what, and a part of the message.
    TABLE = [
        ("no head", "|V| = 3, |E| = 2\n\n", "", ":1: expected '|V| = n, |E| = m', found '0'"),
        ("other head", "|V|", "|W|", ":1: expected '|V| = n, |E| = m', found '|W|'"),
        ("half a head", ", |E| = 2", "", ":1: expected '|V| = n, |E| = m'"),
        ("more behind the head", "= 2\n", "= 2 3\n", ":1: expected '|V| = n, |E| = m'"),
        ("no number in the head", "= 3", "= x", ":1: expected '|V| = n, |E| = m'"),
        ("zero vertices", "= 3", "= 0", ":1: expected '|V| = n, |E| = m'"),
        ("negative vertices", "= 3", "= -3", ":1: expected '|V| = n, |E| = m'"),
        ("vertices beyond int32", "= 3", "= 2147483648", ":1: expected '|V| = n, |E| = m'"),
        ("fewer vertices than rows", "= 3", "= 2", ":3: expected 2 entries, found '9' after them"),
        ("more vertices than rows", "= 3", "= 4", ":3: expected distance number 4 of 4, found the "
         "end of the line"),
        ("letters", "\t5\n", "\tfive\n", ":4: expected distance number 3 of 3, found 'five'"),
        ("fraction", "\t5\n", "\t5.0\n", ":4: expected distance number 3 of 3, found '5.0'"),
        ("nan", "\t5\n", "\tnan\n", "found 'nan'"),
        ("NUL", "\t5\n", "\t5\0\n", ":4: expected distance number 3 of 3, found '5?'"),
        ("lower case inf", "INF\t0", "inf\t0", ":4: expected distance number 1 of 3, found 'inf'"),
        ("a number too large", "INF\t0", "1073741823\t0", ":4: expected distance number 1 of 3, found "
         "'1073741823', outside -1073741822 .. 1073741822"),
        ("INF and more", "INF\t0", "INFINITY\t0", ":4: expected distance number 1 of 3"),
        ("minus INF", "INF\t0", "-INF\t0", ":4: expected distance number 1 of 3, found '-INF'"),
        ("INF for a predecessor", "\n-1\t0\t1", "\nINF\t0\t1", ":7: expected predecessor number 1 "
         "of 3, found 'INF'"),
        ("comma", "4\t9", "4,9", "found '4,9'"),
        ("row too short", "0\t4\t9", "0\t4", ":3: expected distance number 3 of 3, found the end"),
        ("row too long", "0\t4\t9", "0\t4\t9\t9", ":3: expected 3 entries, found '9' after them"),
        ("predecessor row too short", "-1\t0\t1", "-1\t0", ":7: expected predecessor number 3"),
        ("predecessor row too long", "-1\t0\t1", "-1\t0\t1\t1", ":7: expected 3 entries, found"),
        ("predecessor beyond int32", "-1\t0\t1", "-1\t0\t4294967297", "found '4294967297'"),
        ("row lost", "0\t4\t9\n", "", "expected predecessor number 1 of 3, found '#'"),
        ("predecessor row lost", "-1\t0\t1\n", "", ":9: expected predecessor number 1 of 3, "
         "found '#'"),
        ("row doubled", "0\t4\t9\n", "0\t4\t9\n0\t4\t9\n", ":6: expected predecessor number 1 of "
         "3, found 'INF'"),
        ("third matrix", "# solver", "0\t4\t9\n# solver", ":10: expected the end of the file, "
         "found '0'"),
        ("text behind the notes", "# solver: none\n", "# solver: none\n0\n", ":11: expected the "
         "end of the file, found '0'"),
        ("note between the matrices", "\n\n-1", "\n# note\n-1", "expected the end of the file"),
        ("note among the rows", "\nINF\t0", "\n# note\nINF\t0", ":4: expected distance number 1"),
        ("one line of 40 MB", "\t9\n", "\t9" + " " * 4 * 10**7 + "\n", ":3: expected a line of at "
         "most"),
    ]

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", self.GRAPH)

    def test_table(self):
        self.write("r", self.TEXT)
        self.proves("r")
        for what, old, new, expected in self.TABLE:
            with self.subTest(what):
                self.assertIn(old, self.TEXT)
                self.write("r", self.TEXT.replace(old, new, 1))
                finished = self.fails(BAD_INPUT, expected, "verify", "r")
                self.assertEqual(finished.out, b"")

    def test_no_result_at_all(self):
        for what, content in (("empty", b""), ("blanks", b"\n \n"), ("binary", bytes(range(256))),
                              ("a graph", self.GRAPH.text().encode()),
                              ("gzip of nothing", gzip.compress(b"")),
                              ("png", b"\x89PNG\r\n\x1a\n" + bytes(100))):
            with self.subTest(what):
                self.write("r", content)
                self.fails(BAD_INPUT, "r", "verify", "r")
        self.fails(BAD_INPUT, "absent: No such file", "verify", "absent")
        self.fails(BAD_INPUT, "Is a directory", "verify", ".")

    def test_every_truncation_of_a_result(self):
        """Only what follows the last entry may go unnoticed. The last entry of
        the last matrix is the -1 of a diagonal, so that no part of it is an
        entry."""
        self.succeeds("cpu")
        data = self.read("output.txt")
        self.assertGreater(len(data), 150)
        end = data.index(b"\n# solver")
        self.check_truncations(data, end)

    def test_every_truncation_of_a_thesis_file(self):
        text = self.TEXT[:self.TEXT.index("#")].replace("INF", "\u221e").replace("\n", "\t\r\n")
        data = text.encode()
        self.check_truncations(data, data.rindex(b"-1") + 2)

    def check_truncations(self, data, enough):
        for length in range(len(data) + 1):
            self.write("r", data[:length])
            with self.subTest(length=length, tail=data[max(0, length - 12):length]):
                if length >= enough:
                    told = self.run_program("verify", "r")
                    self.assertEqual(told.status, OK)
                    self.assertIn(told.err, ("", "verify: note: r: its graph checksum is not eight "
                                                 "hexadecimal digits\n"))
                else:
                    self.fails(BAD_INPUT, "r", "verify", "r")

    def test_truncated_gzip(self):
        data = gzip.compress((self.TEXT + "# notes\n" * 20).encode())
        for length in range(len(data)):
            self.write("r.gz", data[:length])
            with self.subTest(length):
                self.fails(BAD_INPUT, "r.gz", "verify", "r.gz")

    def test_gzip_with_a_flipped_bit(self):
        data = bytearray(gzip.compress(self.TEXT.encode(), mtime=0))
        for at in range(20, len(data), 7):
            data[at] ^= 4
            self.write("r.gz", bytes(data))
            with self.subTest(at):
                self.fails(BAD_INPUT, "r.gz", "verify", "r.gz")
            data[at] ^= 4


class MalformedNpy(ProgramTest):

    GRAPH = Malformed.GRAPH
    DIST = [[0, 4, 9], [INF, 0, 5], [INF, INF, 0]]
    PRED = [[-1, 0, 1], [-1, -1, 1], [-1, -1, -1]]

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", self.GRAPH)
        self.write_all()

    def write_all(self):
        self.write("r.dist.npy", npy(self.DIST))
        self.write("r.pred.npy", npy(self.PRED))
        self.write("r.json", '{"predecessors": true}')

    def test_right(self):
        self.proves("r.dist.npy")

    def test_missing_parts(self):
        for name in ("r.json", "r.pred.npy", "r.dist.npy"):
            with self.subTest(name):
                self.write_all()
                os.remove(self.path(name))
                message = self.fails(BAD_INPUT, name, "verify", "r.dist.npy").err
                self.assertIn("No such file", message)

    def test_parts_that_are_pipes(self):
        """They are refused, and not waited for."""
        for name in ("r.json", "r.pred.npy", "r.dist.npy"):
            with self.subTest(name):
                self.write_all()
                os.remove(self.path(name))
                os.mkfifo(self.path(name))
                self.fails(BAD_INPUT, name + ": expected a regular file", "verify", "r.dist.npy")
                os.remove(self.path(name))
        os.mkfifo(self.path("alone.npy"))
        self.fails(BAD_INPUT, "alone.npy: expected a regular file", "verify", "alone.npy")

    def test_sizes_beyond_counting(self):
        """8 n^2 bytes that are a few modulo 2^64."""
        n = 1518500250
        for shape in (n, 2**31 - 1):
            head = ("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (shape, shape)
                    ).encode().ljust(117) + b"\n"
            with open(self.path("alone.npy"), "wb") as file:
                file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
                file.truncate((128 + 8 * shape * shape) % 2**64 if shape == n else 200)
            self.fails(BAD_INPUT, "alone.npy: truncated: expected 18446744073709551615 bytes for",
                       "verify", "alone.npy")

    def test_parts_that_are_directories(self):
        for name in ("r.json", "r.pred.npy", "r.dist.npy"):
            with self.subTest(name):
                self.write_all()
                os.remove(self.path(name))
                os.mkdir(self.path(name))
                self.fails(BAD_INPUT, name, "verify", "r.dist.npy")
                os.rmdir(self.path(name))

    # Numbers as NumPy and SciPy write them: of 64 bits, infinity for no path, -9999 for no
    # predecessor.
    WIDE = {"<i4": "<%di", "<i8": "<%dq", "<f8": "<%dd"}
    REAL = [[0, 4, 9], [float("inf"), 0, 5], [float("inf"), float("inf"), 0]]
    SCIPY = [[-9999 if p == -1 else p for p in row] for row in PRED]

    def test_other_types(self):
        for descr, code in self.WIDE.items():
            for dist in (self.DIST, self.REAL) if descr == "<f8" else (self.DIST,):
                for pred in (self.PRED, self.SCIPY):
                    with self.subTest(descr=descr, pred=pred):
                        self.write("r.dist.npy", npy(dist, descr=descr, code=code))
                        self.write("r.pred.npy", npy(pred, descr=descr, code=code))
                        self.proves("r.dist.npy")
                self.write("alone.npy", npy(dist, descr=descr, code=code))
                finished = self.proves("alone.npy")
                self.assertIn(b"all distances of 3 vertices are exact", finished.out)
                wrong = [row[:] for row in dist]
                wrong[0][2] += 1
                self.write("alone.npy", npy(wrong, descr=descr, code=code))
                self.fails(REFUTED, "alone.npy is refuted: check (", "verify", "alone.npy")

    def test_other_types_refused(self):
        """Entries that are no int32, with their place."""
        nan, infinity = float("nan"), float("inf")
        for descr, entries in (("<i8", (2**31, -2**31 - 1, 2**32 + 5, 2**63 - 1, -2**63)),
                               ("<f8", (nan, -infinity, 5.5, 2.0**31, -2.0**31 - 1, 1e300, 5e-324))):
            for entry in entries:
                dist = [row[:] for row in self.DIST]
                dist[1][2] = entry
                for name in ("r.dist.npy", "alone.npy"):
                    with self.subTest(entry=entry, name=name):
                        self.write(name, npy(dist, descr=descr, code=self.WIDE[descr]))
                        self.fails(BAD_INPUT, name + ": row 1, column 2, from 0: expected an integer "
                                   "of 32 bits, or infinity", "verify", name)
        self.write_all()
        self.write("r.pred.npy", npy(self.REAL, descr="<f8", code="<%dd"))
        self.fails(BAD_INPUT, "r.pred.npy: row 1, column 0, from 0: expected an integer of 32 bits",
                   "verify", "r.dist.npy")

    def test_the_lowest_row_that_cannot_be_read_is_named(self):
        """For any number of threads, and though rows before it are wrong."""
        n = 200
        self.write("graphFile.txt", Graph(n, []))
        dist = [[0.0 if i == j else float("inf") for j in range(n)] for i in range(n)]
        dist[1][7] = 3.0
        dist[40][2] = dist[150][1] = 0.5
        self.write("alone.npy", npy(dist, descr="<f8", code="<%dd"))
        for threads in (1, 2, 5):
            self.fails(BAD_INPUT, "alone.npy: row 40, column 2,", "verify", "alone.npy", "-t",
                       threads)

    def test_predecessors_are_no_distances(self):
        self.fails(BAD_INPUT, "r.pred.npy: expected distances: PREFIX.dist.npy", "verify",
                   "r.pred.npy")

    def test_headers(self):
        rows = [[0, 4], [INF, 0]]
        fortran = [list(column) for column in zip(*self.DIST)]
        for what, data in (
                ("big-endian", npy(self.DIST, descr=">i4", code=">%di")),
                ("big-endian 64-bit integers", npy(self.DIST, descr=">i8", code=">%dq")),
                ("64-bit integers called 32-bit", npy(self.DIST, code="<%dq")),
                ("32-bit integers called 64-bit", npy(self.DIST, descr="<i8")),
                ("a description too long", npy(self.DIST, descr="<i44")),
                ("unsigned integers", npy(self.DIST, descr="<u4", code="<%dI")),
                ("small floats", npy(self.DIST, descr="<f2")),
                ("Fortran order", npy(fortran, fortran_order=True)),
                ("one dimension", npy(self.DIST, shape=(9,))),
                ("three dimensions", npy(self.DIST, shape=(3, 3, 1))),
                ("not square", npy(self.DIST, shape=(1, 9))),
                ("no rows", npy([], shape=(0, 0))),
                ("negative rows", npy(self.DIST, shape=(-3, -3))),
                ("one row too many", npy(self.DIST, shape=(4, 3))),
                ("larger shape than data", npy(self.DIST, shape=(4, 4))),
                ("smaller shape than data", npy(self.DIST, shape=(2, 2))),
                ("enormous shape", npy(self.DIST, shape=(2147483647, 2147483647))),
                ("more than int32", npy(self.DIST, shape=(4294967299, 4294967299))),
                ("more than int64", npy(self.DIST, shape=(2**64 + 3, 2**64 + 3))),
                ("format 2.0", npy(self.DIST, version=(2, 0))),
                ("format 1.1", npy(self.DIST, version=(1, 1))),
                ("no magic", b"numpy " + npy(self.DIST)[6:]),
                ("a zip file", b"PK\x03\x04" + bytes(200)),
                ("empty", b""),
                ("text", Malformed.TEXT.encode()),
                ("junk in the header", npy(self.DIST).replace(b"False", b"Fa\xffse")),
                ("NUL in the header", npy(self.DIST).replace(b"}", b"\0")),
                ("no end of the header", npy(self.DIST).replace(b"}", b" ")),
                ("other key", npy(self.DIST).replace(b"shape", b"shade")),
                ("header length beyond the file", npy(self.DIST)[:8] + b"\xff\xff"
                 + npy(self.DIST)[10:]),
                ("header length zero", npy(self.DIST)[:8] + b"\0\0" + npy(self.DIST)[10:])):
            for name in ("r.dist.npy", "r.pred.npy"):
                with self.subTest(what=what, name=name):
                    self.write_all()
                    self.write(name, data)
                    message = self.fails(BAD_INPUT, name, "verify", "r.dist.npy").err
                    self.assertNotRegex(message, "bytes for .* found -|expected -")
        self.write_all()
        self.write("r.pred.npy", npy(rows))
        self.fails(BAD_INPUT, "r.pred.npy: expected 3 vertices", "verify", "r.dist.npy")

    def test_what_is_found_in_a_header_is_said(self):
        head = ("r.dist.npy: expected a square matrix of '<i4', '<i8', '<f4', '<f8', '|u1' or '<u2' "
                "in C order, found the header ")
        for data, expected in (
                (npy(self.DIST, descr=">i4", code=">%di"), head
                 + "{'descr': '>i4', 'fortran_order': False, 'shape': (3, 3), }"),
                (npy(self.DIST, fortran_order=True), head
                 + "{'descr': '<i4', 'fortran_order': True, 'shape': (3, 3), }"),
                (npy(self.DIST, shape=(1, 9)), "'shape': (1, 9), }"),
                (npy(self.DIST, descr="|V\x1b[31m"), head + "{'descr': '|V"),
                (npy(self.DIST).replace(b"'descr'", b"\x1b[2J\0\xff\n"), head + "{?[2J???: '<i4', "),
                (npy(self.DIST, descr="x" * 300), head + "{'descr': '" + "x" * 109 + "...\n"),
                (npy(self.DIST, version=(2, 0)),
                 "r.dist.npy: expected a NumPy file of format 1.0, found 2.0"),
                (b"PK\x03\x04" + bytes(200), "r.dist.npy: expected a NumPy file, found none"),
                (npy(self.DIST)[:8] + b"\xff\xff" + npy(self.DIST)[10:],
                 "r.dist.npy: expected a header of less than 4096 bytes, found one of 65535"),
                (npy(self.DIST)[:60], "r.dist.npy: truncated: expected a header of 118 bytes, found "
                 "the end of the file")):
            with self.subTest(expected):
                self.write("r.dist.npy", data)
                error = self.fails(BAD_INPUT, "r.dist.npy", "verify", "r.dist.npy").err
                self.assertIn(expected, error)

    def test_every_truncation(self):
        for name in ("r.dist.npy", "r.pred.npy"):
            self.write_all()
            data = self.read(name)
            for length in list(range(0, 12)) + list(range(12, len(data), 5)) + [len(data) - 1]:
                with self.subTest(name=name, length=length):
                    self.write(name, data[:length])
                    self.fails(BAD_INPUT, name, "verify", "r.dist.npy")
            self.write(name, data + b"\0")
            self.fails(BAD_INPUT, name + ": too long", "verify", "r.dist.npy")

    def test_json(self):
        for what, text in (("empty", ""), ("cut", '{"predecessors": true'), ("a list", "[true]"),
                           ("a word", "true"), ("without predecessors", "{}"),
                           ("number", '{"predecessors": 1}'), ("text", '{"predecessors": "true"}'),
                           ("null", '{"predecessors": null}'),
                           ("twice", '{"predecessors": true, "predecessors": false}'),
                           ("more behind", '{"predecessors": true} {}'),
                           ("not UTF-8", b'{"graph": "\xff", "predecessors": true}'),
                           ("NUL", b'{"graph": "\0", "predecessors": true}'),
                           ("binary", bytes(range(256))), ("deep", "[" * 8000), ("long", " " * 8193)):
            with self.subTest(what):
                self.write("r.json", text)
                self.fails(BAD_INPUT, "r.json", "verify", "r.dist.npy")

    def test_json_of_other_tools(self):
        for text in ('{"predecessors":true}', '\n{ "x": [1, {}], "predecessors" : true }\n',
                     '{"predecessors": true, "vertices": 3, "edges": 2}',
                     '{"predecessors": true, "edges": -1}'):  # not known
            self.write("r.json", text)
            self.proves("r.dist.npy")
        for checksum in ('5', '"xyz"', 'null', '"deadBEEF"', '["00000000"]'):
            with self.subTest(checksum):
                self.write("r.json", '{"predecessors": true, "graph_checksum": %s}' % checksum)
                told = self.run_program("verify", "r.dist.npy")
                self.assertEqual((told.status, told.err),
                                 (OK, "verify: note: r.dist.npy: its graph checksum is not eight "
                                      "hexadecimal digits\n"))

    def test_json_that_contradicts_the_matrices(self):
        absent = object()
        right = {"vertices": 3, "edges": 2, "predecessors": True}
        right.update({kind + "_checksum": "%08x" % zlib.crc32(self.read("r.%s.npy" % kind))
                      for kind in ("dist", "pred")})
        other = {name: "%08x" % (int(right[name], 16) ^ 1)
                 for name in ("dist_checksum", "pred_checksum")}
        differs = "r.%s.npy: expected the file that r.json describes, CRC-32 %s, found %s"
        self.write("r.json", json.dumps(right))
        self.proves("r.dist.npy")
        for name, value, expected in (
                ("vertices", 4, "r.dist.npy: expected 4 vertices as in r.json, found 3"),
                ("vertices", 0, 'r.json: expected "vertices": an integer in 1 .. 2147483647'),
                ("vertices", "3", 'r.json: expected "vertices": an integer'),
                ("vertices", 3.0, 'r.json: expected "vertices": an integer'),
                ("vertices", None, 'r.json: expected "vertices": an integer'),
                ("vertices", 2**31, 'r.json: expected "vertices": an integer in 1 .. 2147483647'),
                ("edges", -2, 'r.json: expected "edges": an integer in -1 .. '),
                ("edges", "2", 'r.json: expected "edges": an integer'),
                ("edges", 2.5, 'r.json: expected "edges": an integer'),
                ("dist_checksum", other["dist_checksum"],
                 differs % ("dist", other["dist_checksum"], right["dist_checksum"])),
                ("pred_checksum", other["pred_checksum"],
                 differs % ("pred", other["pred_checksum"], right["pred_checksum"])),
                ("dist_checksum", "deadbee", 'r.json: expected "dist_checksum": eight'),
                ("dist_checksum", 5, 'r.json: expected "dist_checksum": eight'),
                ("dist_checksum", None, 'r.json: expected "dist_checksum": eight'),
                ("dist_checksum", absent, 'r.json: expected "dist_checksum": eight'),
                ("pred_checksum", "DEADBEEF", 'r.json: expected "pred_checksum": eight'),
                ("pred_checksum", absent, 'r.json: expected "pred_checksum": eight'),
                ("predecessors", False, 'r.json: expected no "pred_checksum" in a result without')):
            with self.subTest(name=name, value=value):
                told = dict(right, **{name: value})
                self.write("r.json", json.dumps({key: known for key, known in told.items()
                                                 if known is not absent}))
                self.fails(BAD_INPUT, expected, "verify", "r.dist.npy")
        for text in ('{"predecessors": true, "dist_checksum": "00000000", "dist_checksum": '
                     '"00000000"}', '{"predecessors": true, "vertices": 4, "vertices": 3}'):
            self.write("r.json", text)
            self.fails(BAD_INPUT, "r.json:1: expected JSON", "verify", "r.dist.npy")

    def test_matrices_of_another_result(self):
        """Matrices of the same size, each right for another graph, are not one result."""
        self.write("one", Graph(3, [(0, 1, 5), (1, 2, 2)]))
        self.write("two", Graph(3, [(0, 1, 5), (0, 2, 7)]))
        for name in ("one", "two"):
            self.succeeds("cpu", name, "--format", "npy", "-o", name)
        for other in ("dist.npy", "pred.npy", "json"):
            with self.subTest(other):
                for part in ("dist.npy", "pred.npy", "json"):
                    self.write("r." + part, self.read(("two." if part == other else "one.") + part))
                self.fails(BAD_INPUT, "expected the file that r.json describes", "verify",
                           "r.dist.npy", "-g", "one")
                read = subprocess.run(
                    [sys.executable, os.path.join(REPOSITORY, "python/examples/read_result.py"), "r",
                     "0", "1"], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    check=False)
                if b"No module named 'numpy'" not in read.stderr:
                    self.assertEqual((read.returncode, read.stdout), (1, b""))
                    self.assertIn(b"belong together", read.stderr)

    def test_damage_behind_a_wrong_row(self):
        """A file that is not the one that was written refutes nothing."""
        n = 200
        self.write("graphFile.txt", Graph(n, [(0, 1, 5)]))
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        data = bytearray(self.read("r.dist.npy"))
        data[128 + 4] += 1
        data[-5] ^= 1
        self.write("r.dist.npy", bytes(data))
        for threads in (1, 3):
            self.fails(BAD_INPUT, "expected the file that r.json describes", "verify", "r", "-t",
                       threads)

    def test_rows_of_some_sources(self):
        """Their paths are printed, and those of others are refused before the proof."""
        self.write("graphFile.txt", Graph(90, [(v, v + 1, v + 1) for v in range(89)]))
        self.succeeds("cpu", "--sources", "70,3", "--format", "npy", "-o", "r")
        shown = self.proves("r", "--path", 3, 5, "--from", 70).out.decode()
        self.assertIn("path from 3 to 5, distance 9, 2 edges:\n3 -> 4\tweight 4\tdistance 4\n", shown)
        self.assertIn("\n72\tdistance 143\t70 -> 71 -> 72\n", shown)
        self.write("graphFile.txt", Graph(90, [(v, v + 1, v + 2) for v in range(89)]))
        self.fails(REFUTED, "distance from 3 to 4 is 4, but its predecessor 3 ", "verify",
                   "r", "--from", 70)
        self.fails(BAD_INPUT, "--from: expected one of the 2 sources of r, found 4", "verify", "r",
                   "--from", 4)

    def test_numpy_pads_headers_its_own_way(self):
        """Other writers order and pad nothing else, but more or fewer blanks are
        legal."""
        data = npy(self.DIST)
        head, cells = data[10:-36], data[-36:]
        for padded in (head.rstrip() + b"\n", head.rstrip() + b" " * 500 + b"\n"):
            length = bytes([len(padded) & 255, len(padded) >> 8])
            self.write("r.dist.npy", data[:8] + length + padded + cells)
            self.proves("r.dist.npy")

    def test_distances_only(self):
        os.remove(self.path("r.pred.npy"))
        self.write("r.json", '{"predecessors": false}')
        self.proves("r.dist.npy")
        wrong = [row[:] for row in self.DIST]
        wrong[0][2] = 8
        self.write("r.dist.npy", npy(wrong))
        self.fails(REFUTED, "check (b)", "verify", "r.dist.npy")

    def test_mutants(self):
        for name, matrix in (("r.dist.npy", self.DIST), ("r.pred.npy", self.PRED)):
            for i in range(3):
                for j in range(3):
                    for value in (matrix[i][j] + 1, matrix[i][j] - 1, INT32_MIN, INT32_MAX):
                        self.write_all()
                        wrong = [row[:] for row in matrix]
                        wrong[i][j] = value
                        self.write(name, npy(wrong))
                        with self.subTest(name=name, i=i, j=j, value=value):
                            self.fails(REFUTED, "check (", "verify", "r.dist.npy")


class Statements(ProgramTest):
    """A result says more of itself than its numbers: each statement is changed in turn. Those that
    change the meaning of the numbers are refused or refuted; those on the graph are noted; of what
    nobody can know anew it is demanded that it makes sense."""

    MADE = ("program", "variant", "graph", "solve_s", "total_s", "proved", "vertices_from")
    NOTED = {"edges": 77, "graph_checksum": "01234567"}

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", SMALL)
        self.write("real.txt", Graph(SMALL.n, [(u, v, w / 4) for u, v, w in SMALL.edges]))

    def judge(self, said, graph):
        self.write("r.json", json.dumps(said))
        return self.run_program("verify", "r", "-g", graph)

    def test_json(self):
        for graph, options in (("graphFile.txt", ["--check"]), ("graphFile.txt", ["-d"]),
                               ("graphFile.txt", ["--sources", "4,1", "--limit", 2]),
                               ("graphFile.txt", ["--format", "npz"]),
                               ("graphFile.txt", ["--format", "npz", "--sources", "4,1"]),
                               ("graphFile.txt", ["--format", "npy:uint8"]), ("real.txt", [])):
            self.succeeds("cpu", graph, "-v", "auto", "--format", "npy", "-o", "r", *options)
            said = json.loads(self.read("r.json"))
            done = self.judge(said, graph)
            self.assertEqual((done.status, done.err), (OK, ""))
            for name, value in said.items():
                with self.subTest(options=options, name=name, graph=graph):
                    if name in self.MADE:
                        done = self.judge(dict(said, **{name: [1]}), graph)
                        self.assertEqual(done.status, BAD_INPUT)
                        self.assertIn('expected "%s"' % name, done.err)
                    elif name in self.NOTED:
                        done = self.judge(dict(said, **{name: self.NOTED[name]}), graph)
                        self.assertEqual(done.status, OK)
                        self.assertRegex(done.err, r"\Averify: note: r: made for a graph ")
                    else:
                        for wrong in ([not value] if isinstance(value, bool) else
                                      ["01234567", "int32", None] if isinstance(value, str) else
                                      [value - 1, value + 1, None, "x"]):
                            done = self.judge(dict(said, **{name: wrong}), graph)
                            self.assertIn(done.status, (REFUTED, BAD_INPUT), wrong)

    def test_text(self):
        self.succeeds("cpu", "--sources", "4,1", "--limit", 2, "-o", "r.txt")
        text = self.read("r.txt").decode("ascii")
        self.succeeds("verify", "r.txt")
        for right, wrong, status in (("|V| = 6", "|V| = 7", BAD_INPUT), ("|V| = 6", "|V| = 5", BAD_INPUT),
                                     ("|E| = 9", "|E| = 8", OK), ("|S| = 2: 4 1", "|S| = 2: 1 4", REFUTED),
                                     ("|S| = 2: 4 1", "|S| = 2: 4 2", REFUTED),
                                     ("|S| = 2: 4 1", "|S| = 1: 4", BAD_INPUT),
                                     ("limit = 2", "limit = 1", REFUTED),
                                     ("limit = 2", "limit = 4", REFUTED),
                                     ("limit = 2\n", "", REFUTED),
                                     ("# graph checksum: ", "# graph checksum: 0", OK)):
            with self.subTest(wrong):
                self.assertIn(right, text)
                self.write("x.txt", text.replace(right, wrong, 1))
                done = self.run_program("verify", "x.txt")
                self.assertEqual(done.status, status, done.err)
                self.assertEqual(status == OK, done.err.startswith("verify: note: x.txt: "))


class Paths(ProgramTest):
    """--path I J"""

    GRAPH = Graph(5, [(0, 1, 5), (1, 2, 2), (2, 3, -4), (0, 3, 9), (3, 0, 0)])

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", self.GRAPH)
        self.succeeds("cpu")
        self.proof = self.proves("output.txt").out

    def path_of(self, *args):
        out = self.proves("output.txt", *args).out
        self.assertTrue(out.startswith(self.proof))
        return out[len(self.proof):].decode("ascii")

    def test_path(self):
        self.assertEqual(self.path_of("--path", 0, 3),
                         "path from 0 to 3, distance 3, 3 edges:\n"
                         "0 -> 1\tweight 5\tdistance 5\n"
                         "1 -> 2\tweight 2\tdistance 7\n"
                         "2 -> 3\tweight -4\tdistance 3\n")

    def test_one_edge(self):
        self.assertEqual(self.path_of("--path", 3, 0),
                         "path from 3 to 0, distance 0, 1 edge:\n"
                         "3 -> 0\tweight 0\tdistance 0\n")

    def test_to_itself(self):
        self.assertEqual(self.path_of("--path", 2, 2), "path from 2 to 2, distance 0, 0 edges:\n")

    def test_no_path(self):
        self.assertEqual(self.path_of("--path", 0, 4), "no path from 0 to 4\n")
        self.assertEqual(self.path_of("--path", 4, 0), "no path from 4 to 0\n")

    def test_spellings(self):
        expected = self.proof.decode() + self.path_of("--path", 0, 3)
        for args in (["--path", "0", "3", "output.txt"], ["output.txt", "--path=0", "3"],
                     ["output.txt", "-p", "0", "3"], ["-p0", "3", "output.txt"],
                     ["-p", "0", "3", "-g", "graphFile.txt", "output.txt"],
                     ["output.txt", "-p", "0", "3", "-g", "graphFile.txt"],
                     ["-p", "0", "3", "--", "output.txt"]):
            with self.subTest(args):
                self.assertEqual(self.proves(*args).out.decode(), expected)

    def test_npy(self):
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        self.assertIn(b"path from 0 to 3, distance 3, 3 edges:\n",
                      self.proves("r.dist.npy", "--path", "0", "3").out)

    def test_out_of_range(self):
        for i, j in ((0, 5), (5, 0), (2147483647, 0)):
            with self.subTest((i, j)):
                self.fails(BAD_INPUT, "--path: expected vertices 0 .. 4", "verify",
                           "output.txt", "--path", i, j)

    def test_distances_only(self):
        """The path is found among the edges that are shortest paths themselves."""
        with_predecessors = self.path_of("--path", 0, 3)
        self.succeeds("cpu", "--distances-only")
        self.proof = self.proves("output.txt").out
        self.assertEqual(self.path_of("--path", 0, 3), with_predecessors)
        self.assertEqual(self.path_of("--path", 0, 4), "no path from 0 to 4\n")
        self.assertEqual(self.path_of("--path", 2, 2), "path from 2 to 2, distance 0, 0 edges:\n")

    def test_vertices_are_looked_at_before_the_proof(self):
        self.write("r", self.read("output.txt").replace(b"\t7\t", b"\t8\t", 1))
        self.fails(BAD_INPUT, "--path: expected vertices 0 .. 4", "verify", "r", "--path", 0, 5)
        self.fails(BAD_INPUT, "--from: expected vertices 0 .. 4, found 5", "verify", "r",
                   "--from", 5)

    def test_no_path_of_a_refuted_result(self):
        self.write("r", self.read("output.txt").replace(b"\t7\t", b"\t8\t", 1))
        finished = self.fails(REFUTED, "check (", "verify", "r", "--path", 0, 3)
        self.assertEqual(finished.out, b"")

    def test_paths_add_up_on_a_random_graph(self):
        self.succeeds("graphgen", "--v", 80, "--density", "4%", "--weights", "-5:20",
                      "--no-negative-cycle")
        for option in ([], ["--distances-only"]):
            self.succeeds("cpu", *option)
            result = parse_result(self.read("output.txt"))
            self.proof = self.proves("output.txt").out
            for i, j in ((0, 79), (79, 0), (3, 40), (41, 2), (64, 63)):
                with self.subTest(i=i, j=j, option=option):
                    self.check_sum(result, i, j, self.path_of("--path", i, j).splitlines())

    def check_sum(self, result, i, j, lines):
        if result.dist[i][j] is None:
            self.assertEqual(lines, ["no path from %d to %d" % (i, j)])
            return
        at, total = i, 0
        for line in lines[1:]:
            step, weight, distance = line.split("\t")
            u, v = [int(word) for word in step.split(" -> ")]
            self.assertEqual(u, at)
            at, total = v, total + int(weight[len("weight "):])
            self.assertEqual(distance, "distance %d" % total)
        self.assertEqual((at, total), (j, result.dist[i][j]))


def parse_dot(text):
    """The nodes {name: attributes} and edges {(tail, head): attributes} of a digraph in the
    part of the DOT language that has ids, quoted strings, attributes and edges of two nodes.
    Strict: anything else is an error."""
    token = re.compile(r'\s*(?:("(?:[^"\\\n]|\\.)*")|(-?\d+|[A-Za-z_]\w*)|(->|[{}\[\];,=]))')
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        found = token.match(text, at)
        assert found, "no token of DOT: %r" % text[at:at + 40]
        tokens.append(found.group(1) or found.group(2) or found.group(3))
        at = found.end()
    tokens.reverse()

    def take(expected=None):
        found = tokens.pop()
        assert expected is None or found == expected, "expected %s, found %s" % (expected, found)
        return found

    def take_id():
        found = take()
        assert found not in ("->", "{", "}", "[", "]", ";", ",", "="), "expected an id: " + found
        return found

    def take_attributes():
        attributes = {}
        while tokens[-1] == "[":
            take("[")
            while True:
                key = take_id()
                take("=")
                attributes[key] = take_id()
                if tokens[-1] == "]":
                    break
                take(",")
            take("]")
        return attributes

    nodes, edges = {}, {}
    take("digraph")
    take_id()
    take("{")
    while tokens[-1] != "}":
        first = take_id()
        if tokens[-1] == "=":
            take("=")
            take_id()
        elif tokens[-1] == "->":
            take("->")
            edge = first, take_id()
            assert edge not in edges, "the edge %s -> %s twice" % edge
            edges[edge] = take_attributes()
        else:
            assert first not in nodes, "the node %s twice" % first
            nodes[first] = take_attributes()
        take(";")
    take("}")
    assert not tokens, "after the digraph: %r" % tokens
    return nodes, edges


class Trees(ProgramTest):
    """--from I and --dot"""

    GRAPH = Paths.GRAPH

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", self.GRAPH)
        self.succeeds("cpu")

    def test_text(self):
        proof = self.proves("output.txt").out
        expected = (b"paths from 0:\n"
                    b"0\tdistance 0\t0\n"
                    b"1\tdistance 5\t0 -> 1\n"
                    b"2\tdistance 7\t0 -> 1 -> 2\n"
                    b"3\tdistance 3\t0 -> 1 -> 2 -> 3\n"
                    b"4\tno path\n")
        for args in (["--from", "0"], ["--from=0"], ["-f", "0"], ["-f0"]):
            with self.subTest(args):
                self.assertEqual(self.proves("output.txt", *args).out, proof + expected)
        self.assertEqual(self.succeeds("verify", "-q", "output.txt", "--from", 0).out, expected)
        self.succeeds("cpu", "--distances-only", "-o", "d.txt")
        self.assertEqual(self.succeeds("verify", "-q", "d.txt", "--from", 0).out, expected)

    def test_with_a_path(self):
        both = self.succeeds("verify", "-q", "output.txt", "--from", 0, "--path", 3, 1).out
        alone = [self.succeeds("verify", "-q", "output.txt", *args).out
                 for args in (["--path", 3, 1], ["--from", 0])]
        self.assertEqual(both, b"".join(alone))

    def test_out_of_range(self):
        for vertex in (5, 2147483647):
            self.fails(BAD_INPUT, "--from: expected vertices 0 .. 4, found %d" % vertex,
                       "verify", "output.txt", "--from", vertex)
        for word in ("-1", "x", "", "01", "2147483648"):
            self.fails(BAD_INPUT, "--from: expected vertices 0 .. 4, found " + word, "verify", "output.txt",
                       "--from", word)

    def test_refuted(self):
        self.write("r", self.read("output.txt").replace(b"\t7\t", b"\t8\t", 1))
        for options in (["--from", 0], ["--from", 0, "--dot"]):
            self.assertEqual(self.fails(REFUTED, "check (", "verify", "r", *options).out, b"")

    def test_dot(self):
        finished = self.run_program("verify", "output.txt", "--from", 0, "--dot")
        self.assertEqual(finished.err, self.proves("output.txt").out.decode())
        self.assertEqual(finished.out.decode(), """\
digraph "shortest paths from 0" {
    label="shortest paths from 0; not reached: 1 of 5 vertices";
    0 [label="0\\n0", shape=doublecircle];
    1 [label="1\\n5"];
    2 [label="2\\n7"];
    3 [label="3\\n3"];
    0 -> 1 [label="5"];
    1 -> 2 [label="2"];
    2 -> 3 [label="-4"];
}
""")

    def test_dot_wants_a_source_and_stdout_alone(self):
        self.fails(BAD_INPUT, "--dot: expected --from", "verify", "output.txt", "--dot")
        for options in (["--path", 0, 3], ["--json"]):
            self.fails(BAD_INPUT, "--dot: standard output is for the tree alone, not for %s"
                       % options[0], "verify", "output.txt", "--dot", "--from", 0, *options)

    def check_trees(self, graph, result, file):
        """Every source's list and tree against the distances and the graph."""
        weights = graph.weights()
        for i in range(0, graph.n, 7):
            listed = self.succeeds("verify", "-q", file, "--from", i).out.decode().splitlines()[1:]
            nodes, edges = parse_dot(
                self.succeeds("verify", "-q", file, "--from", i, "--dot").out.decode())
            nodes.pop("node", None)
            reached = [v for v in range(graph.n) if result.dist[i][v] is not None]
            self.assertEqual(sorted(map(int, nodes)), reached)
            self.assertEqual(len(edges), len(reached) - 1)  # with the sums below: a tree
            self.assertEqual(len(listed), graph.n)
            for v, line in enumerate(listed):
                if v not in reached:
                    self.assertEqual(line, "%d\tno path" % v)
                    continue
                vertex, distance, path = line.split("\t")
                self.assertEqual((vertex, distance), (str(v), "distance %d" % result.dist[i][v]))
                self.assertEqual(nodes[vertex]["label"], '"%d\\n%d"' % (v, result.dist[i][v]))
                path = path.split(" -> ")
                steps = list(zip(path, path[1:]))
                self.assertEqual((path[0], path[-1]), (str(i), vertex))
                self.assertTrue(set(steps) <= set(edges))
                self.assertEqual(sum(weights[int(u), int(w)] for u, w in steps), result.dist[i][v])
            for (u, v), attributes in edges.items():
                self.assertEqual(attributes["label"], '"%d"' % weights[int(u), int(v)])

    def test_every_tree_of_a_graph_with_zero_weights(self):
        self.write("graphFile.txt", LARGE)
        for option in ([], ["--distances-only"]):
            with self.subTest(option):
                self.succeeds("cpu", *option)
                self.check_trees(LARGE, self.result(), "output.txt")

    def test_graphviz_reads_it(self):
        if shutil.which("dot") is None:
            self.skipTest("no dot: Graphviz is not installed")
        tree = self.succeeds("verify", "-q", "output.txt", "--from", 0, "--dot").out
        drawn = subprocess.run(["dot", "-Tplain"], input=tree, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, check=True, timeout=TIMEOUT_S)
        self.assertEqual(drawn.stderr, b"")
        self.assertEqual(drawn.stdout.count(b"\nnode "), 4)
        self.assertEqual(drawn.stdout.count(b"\nedge "), 3)


class RealWeights(ProgramTest):
    """Results of decimal weights, of which two vanish beside the others."""
    GRAPH = "p sp 4 5\na 1 2 0.1\na 2 3 0.2\na 1 3 0.5\na 3 4 1e-30\na 4 3 1e-30\n"
    SUM = "0.30000000000000004"  # 0.1 + 0.2

    def setUp(self):
        super().setUp()
        self.write("g.gr", self.GRAPH)

    def verify(self, result, *options):
        return self.run_program("verify", result, "-g", "g.gr", *options)

    def test_every_format(self):
        for kind in ("float64", "float32"):
            for form, name in (("text", "r.txt"), ("npy", "r")):
                with self.subTest(kind=kind, form=form):
                    self.succeeds("cpu", "g.gr", "--type", kind, "--format", form, "-o", name)
                    self.assertEqual(self.verify(name, "--type", kind).status, OK)
        self.assertEqual(self.verify("r").status, REFUTED)  # the float32 next to 0.1 is not 0.1

    def test_one_last_place(self):
        self.succeeds("cpu", "g.gr", "-o", "r.txt")
        right = self.read("r.txt").decode()
        self.assertEqual(right.count(self.SUM), 2)
        for wrong in ("0.3", "0.3000000000000001"):
            self.write("wrong.txt", right.replace(self.SUM, wrong, 1))
            self.assertEqual(self.verify("wrong.txt").status, REFUTED)
            answer = json.loads(self.verify("wrong.txt", "--json").out)["refutation"]
            self.assertEqual(answer["distance"], float(wrong))
            self.assertEqual((answer["via_distance"], answer["weight"]), (0.1, 0.2))

    def test_paths(self):
        self.succeeds("cpu", "g.gr", "-o", "r.txt")
        said = self.verify("r.txt", "--path", 1, 4).out.decode()
        self.assertIn("3 -> 4\tweight 1e-30\tdistance %s\n" % self.SUM, said)
        path = json.loads(self.verify("r.txt", "--path", 1, 4, "--json").out)["path"]
        self.assertEqual(path["distance"], 0.1 + 0.2)
        self.assertEqual([edge["weight"] for edge in path["edges"]], [0.1, 0.2, 1e-30])
        self.assertIn("2 -> 3 [label=\"0.2\"]", str(self.verify("r.txt", "--from", 1, "--dot").out))

    def test_measures(self):
        self.succeeds("cpu", "g.gr", "--measures=m")
        self.assertEqual(self.verify("m").status, OK)
        self.assertEqual(self.verify("m", "--type", "float32").status, BAD_INPUT)
        found = json.loads(self.read("m.json"))
        self.assertEqual((found["type"], found["largest_distance"]["distance"]),
                         ("float64", 0.1 + 0.2))
        self.write("m.json", self.read("m.json").replace(self.SUM.encode(), b"0.3"))
        self.assertEqual(self.verify("m").status, REFUTED)
        # A distance of float32 has no more digits than that needs.
        self.succeeds("cpu", "g.gr", "--measures=f", "--type", "float32")
        rows = [line.split(",") for line in self.read("f.csv").decode().splitlines()]
        self.assertEqual([row[rows[0].index("in_eccentricity")] for row in rows[1:3]], ["0.0", "0.1"])


if __name__ == "__main__":
    unittest.main()
