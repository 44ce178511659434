# SPDX-License-Identifier: MIT
"""`cpu` against an independent reference: random graphs, negative edges and
cycles, unreachable vertices, the limits of the number range."""

import random
import re
import unittest

from support import (BAD_INPUT, INF, INT32_MAX, INT32_MIN, NEGATIVE_CYCLE, NO_RESOURCE, OK,
                     SANITIZED, TIMEOUT_S, Graph, ProgramTest, describes_shortest_paths,
                     distances_of, limited, parse_npy, ring)


def random_graph(rng, n, lowest, highest):
    """Any multigraph: parallel edges and self-loops are as likely as others."""
    count = rng.randrange(0, 3 * n + 1)
    return Graph(n, [(rng.randrange(n), rng.randrange(n), rng.randint(lowest, highest))
                     for _ in range(count)])


class Solving(ProgramTest):

    def solve(self, graph, *options):
        self.write("graphFile.txt", graph)
        self.succeeds("cpu", *options)
        result = self.result()
        self.assertEqual((result.n, result.m), (graph.n, len(graph.edges)))
        self.assertEqual(result.dist, distances_of(graph))
        if result.pred is not None:
            self.assertTrue(describes_shortest_paths(graph, result.dist, result.pred))
        self.proves("output.txt")
        return result


class RandomGraphs(Solving):

    def check_many(self, seed, count, lowest, highest):
        rng, cycles = random.Random(seed), 0
        for number in range(count):
            graph = random_graph(rng, rng.randint(1, 14), lowest, highest)
            with self.subTest(number=number, graph=graph):
                if distances_of(graph) is None:
                    self.write("graphFile.txt", graph)
                    self.fails(NEGATIVE_CYCLE, "negative cycle", "cpu")
                    cycles += 1
                else:
                    self.solve(graph, *rng.choice([[], ["--distances-only"], ["--check"]]))
        return cycles

    def test_positive_weights(self):
        self.check_many(1, 25, 1, 20)

    def test_zero_weights(self):
        self.check_many(2, 25, 0, 1)

    def test_negative_weights(self):
        cycles = self.check_many(3, 60, -3, 12)
        self.assertTrue(5 < cycles < 55, "%d of 60 graphs had a negative cycle" % cycles)

    def test_large_weights(self):
        self.check_many(4, 15, 10**6, 10**7)

    def test_many_zero_cycles(self):
        """Cycles of weight zero through edges of both signs: their number and
        size from a few pairs to nearly the whole graph."""
        rng = random.Random(6)
        for count in (20, 60, 90, 140, 250):
            for lightest in (0, 0, 1):
                n = 70
                height = [rng.randrange(9) for _ in range(n)]
                ends = [(rng.randrange(n), rng.randrange(n)) for _ in range(count)]
                edges = [(u, v, height[u] - height[v] + rng.choice([0, lightest, 0, 7]))
                         for u, v in ends]
                with self.subTest(edges=count, lightest=lightest):
                    self.solve(Graph(n, edges))


class BlockedVariants(Solving):
    """`cpu`'s blocked variants as one types them."""

    def test_random_graphs(self):
        rng = random.Random(7)
        for variant in ("blocked", "blocked16", "blocked32"):
            for lowest, highest in ((1, 20), (0, 1), (-3, 12)):
                graph = random_graph(rng, 100, lowest, highest)
                if distances_of(graph) is not None:
                    with self.subTest(variant=variant, lowest=lowest):
                        self.solve(graph, "--variant", variant, "--threads", 2, "--check")

    def test_same_bytes_whatever_the_instructions_and_threads(self):
        """Instructions that this CPU lacks are refused by name, and nothing is written."""
        self.write("graphFile.txt", random_graph(random.Random(8), 200, 1, 9))
        first = None
        for instructions in ("portable", "avx2", "avx512"):
            for threads in (1, 3):
                with self.subTest(instructions=instructions, threads=threads):
                    finished = self.run_program(
                        "cpu", "--variant", "blocked", "--threads", threads, "--format", "npy",
                        "-o", "result", env={"APSP_SIMD": instructions})
                    if instructions != "portable" and finished.status != OK:
                        self.assertIn(finished.status, (BAD_INPUT, NO_RESOURCE))
                        self.assertIn("APSP_SIMD: expected", finished.err)
                        continue
                    self.assertEqual((finished.status, finished.err), (OK, ""))
                    matrices = self.read("result.dist.npy"), self.read("result.pred.npy")
                    first = first or matrices
                    self.assertEqual(matrices, first)

    def test_unknown_instructions(self):
        self.write("graphFile.txt", Graph(2, [(0, 1, 1)]))
        self.fails(BAD_INPUT, "APSP_SIMD: expected portable", "cpu", "--variant", "blocked",
                   env={"APSP_SIMD": "sse9"})
        self.succeeds("cpu", "--variant", "sequential", env={"APSP_SIMD": "sse9"})

    def test_too_long_for_16_bits(self):
        graph = Graph(3, [(0, 1, 30000), (1, 2, 2767)])
        self.write("graphFile.txt", graph)
        self.fails(BAD_INPUT, "variant blocked16 is not exact for this graph: a distance is 32767 "
                   "or more", "cpu", "--variant", "blocked16")
        self.assertEqual(self.files(), ["graphFile.txt"])
        self.solve(graph, "--variant", "blocked")
        self.solve(Graph(3, [(0, 1, 30000), (1, 2, 2766)]), "--variant", "blocked16")


class Structure(Solving):

    def test_without_edges(self):
        result = self.solve(Graph(4, []))
        self.assertEqual(result.dist[0], [0, None, None, None])

    def test_two_components_and_a_one_way_bridge(self):
        ring = [(0, 1, 4), (1, 2, 4), (2, 0, 4)]
        other = [(u + 3, v + 3, w) for u, v, w in ring]
        result = self.solve(Graph(7, ring + other + [(2, 3, 1)]))
        self.assertIsNone(result.dist[3][0])
        self.assertEqual(result.dist[0][5], 17)
        self.assertEqual(result.dist[6], [None] * 6 + [0])

    def test_zero_weight_cycle(self):
        self.solve(Graph(5, [(0, 1, 3), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 1)]))

    def test_cycle_of_weight_exactly_zero_with_negative_edges(self):
        self.solve(Graph(4, [(0, 1, 5), (1, 2, -7), (2, 0, 2), (2, 3, -1)]))

    def test_negative_edges_into_unreachable_parts_invent_no_paths(self):
        # INF + (-5) is less than INF.
        result = self.solve(Graph(4, [(2, 3, -5), (0, 1, 1)]))
        self.assertIsNone(result.dist[0][3])

    def test_long_path(self):
        n = 300
        result = self.solve(Graph(n, [(v, v + 1, v % 3) for v in range(n - 1)]))
        self.assertEqual(result.dist[0][n - 1], sum(v % 3 for v in range(n - 1)))

    def test_vertices_beyond_16_bits(self):
        """Few distances, and predecessors whose numbers labels of 16 bits cannot hold."""
        self.succeeds("graphgen", "--v", 66000, "--family", "tree", "--weights", "1:9", "-o", "g")
        for variant in "johnson", "multisource", "bfs":
            for unweighted in [], ["--unweighted"]:
                self.succeeds("cpu", "g", "-v", variant, "-q", "--sources", "0,65534-65537,65999", "--format",
                              "npy", "-o", "r", "--check", *unweighted)

    def test_thread_counts_give_the_same_bytes(self):
        # Large enough that several threads share the formatting.
        self.succeeds("graphgen", "--v", 400, "--density", "3%")
        matrices = {}
        for threads in (1, 2, 3, 16):
            self.succeeds("cpu", "--threads", threads)
            matrices[threads] = re.sub(rb"(?m)^# (solve|total)_s:.*\n", b"",
                                       self.read("output.txt"))
            self.succeeds("verify", "--threads", threads, "output.txt")
        self.assertEqual(len(set(matrices.values())), 1)


class Variants(Solving):
    """The variants of cpu on graphs of many shapes: the same distances, proved, and
    the same bytes whatever the threads and the instruction set."""

    @staticmethod
    def shapes():
        rng = random.Random(7)

        def weight():
            return rng.randint(1, 100)

        n = 150
        names = rng.sample(range(n), n)
        around = list(zip(names, names[1:] + names[:1]))
        grid = [(12 * y + x, 12 * y + x + step) for y in range(12) for x in range(12)
                for step, fits in ((1, x < 11), (12, y < 11)) if fits]
        tree = [(rng.randrange(v), v) for v in range(1, n)]
        power, ends = [], [0, 1]
        for v in range(2, n):
            for u in {rng.choice(ends) for _ in range(3)}:
                power.append((u, v))
                ends += [u, v]
        parts = [(base + rng.randrange(30), base + rng.randrange(30))
                 for base in range(0, n, 30) for _ in range(90)]
        for name, n_shape, pairs, both in (
                ("ring", n, around, True), ("path", n, around[:-1], False),
                ("grid", 144, grid, True), ("tree", n, tree, True),
                ("star", n, [(0, v) for v in range(1, n)], True),
                ("complete", 40, [(u, v) for u in range(40) for v in range(u)], True),
                ("power law", n, power, True), ("disconnected", n, parts, False)):
            edges = [(u, v, weight()) for u, v in pairs]
            yield name, Graph(n_shape, edges + [(v, u, weight()) for u, v in pairs if both])

    def matrices(self):
        """The lines of the result, without those that tell how it was made."""
        return [line for line in self.read("output.txt").splitlines()
                if not line.startswith(b"#")]

    def test_shapes(self):
        listed = self.succeeds("cpu", "--list-variants").out.decode("utf-8").splitlines()
        variants = [line.split()[0] for line in listed]
        self.assertGreater(len(variants), 2)
        for name, graph in self.shapes():
            self.write("graphFile.txt", graph)
            self.succeeds("cpu")
            expected = self.result().dist
            for variant in variants:
                seen = None
                for threads, simd in ((1, ""), (2, ""), (3, "portable")):
                    with self.subTest(shape=name, variant=variant, threads=threads, simd=simd):
                        self.succeeds("cpu", "--variant", variant, "--threads", threads, "--check",
                                      env={"APSP_SIMD": simd})
                        if seen is None:
                            self.assertEqual(self.result().dist, expected)
                            seen = self.matrices()
                        self.assertEqual(self.matrices(), seen)


class NegativeCycles(ProgramTest):

    MESSAGE = re.compile(r"^cpu: .*negative cycle of weight (-\d+) and (\d+) edges?: (.*)\n$")

    def refuse(self, graph, *options):
        """cpu must name a negative cycle of the graph; returns its vertices."""
        self.write("graphFile.txt", graph)
        finished = self.fails(NEGATIVE_CYCLE, "negative cycle", "cpu", *options)
        message = self.MESSAGE.match(finished.err)
        self.assertIsNotNone(message, finished.err)
        weight, count = int(message.group(1)), int(message.group(2))
        vertices = [int(v) if v != "..." else None for v in message.group(3).split(" -> ")]
        self.assertLess(weight, 0)
        self.assertEqual(vertices[0], vertices[-1])
        if None in vertices:
            self.assertGreater(count, 40)
            return vertices
        weights = graph.weights()
        steps = list(zip(vertices, vertices[1:]))
        self.assertEqual(len(steps), count)
        self.assertEqual(len(set(vertices[1:])), count, "a vertex occurs twice")
        self.assertEqual(sum(weights[step] for step in steps), weight)
        return vertices

    def test_cycle_in_order(self):
        vertices = self.refuse(Graph(6, [(0, 1, 5), (1, 4, 2), (4, 2, -9), (2, 1, 3), (2, 5, 1)]))
        at = vertices.index(1)
        around = vertices[:-1]
        self.assertEqual(around[at:] + around[:at], [1, 4, 2])

    def test_self_loop(self):
        self.assertEqual(self.refuse(Graph(3, [(0, 1, 1), (1, 1, -5)])), [1, 1])

    def test_self_loop_of_one_vertex(self):
        self.assertEqual(self.refuse(Graph(1, [(0, 0, -1)])), [0, 0])

    def test_two_vertices(self):
        self.refuse(Graph(2, [(0, 1, 4), (1, 0, -5)]))

    def test_lightest_parallel_edge_makes_the_cycle(self):
        self.refuse(Graph(2, [(0, 1, 9), (0, 1, 4), (0, 1, 7), (1, 0, -5)]))

    def test_cycle_that_no_edge_enters(self):
        self.refuse(Graph(5, [(0, 1, 1), (2, 3, -2), (3, 4, 1), (4, 2, 0), (4, 0, 3)]))

    def test_extreme_weights_do_not_wrap(self):
        self.refuse(Graph(3, [(0, 1, INT32_MIN), (1, 2, INT32_MIN), (2, 0, INT32_MAX)]))

    def test_long_cycle_is_shortened_to_one_line(self):
        n = 2000
        edges = [(v, (v + 1) % n, 1) for v in range(n)]
        edges[7] = (7, 8, -n)
        vertices = self.refuse(Graph(n, edges))
        self.assertIn(None, vertices)

    def test_random_graphs(self):
        rng = random.Random(5)
        refused = 0
        while refused < 30:
            graph = random_graph(rng, rng.randint(2, 30), -6, 10)
            if distances_of(graph) is None:
                with self.subTest(graph=graph):
                    self.refuse(graph)
                refused += 1

    def test_writes_nothing_and_keeps_what_is_there(self):
        graph = Graph(2, [(0, 1, 4), (1, 0, -5)])
        for options in ([], ["--format", "npy", "-o", "r"], ["--csv", "times.csv"], ["--check"]):
            with self.subTest(options):
                self.refuse(graph, *options)
                self.assertEqual(self.files(), ["graphFile.txt"])
        self.write("output.txt", "old")
        self.refuse(graph)
        self.assertEqual(self.read("output.txt"), b"old")
        finished = self.fails(NEGATIVE_CYCLE, "negative cycle", "cpu", "-o", "-")
        self.assertEqual(finished.out, b"")

    def test_reached_by_the_sources(self):
        """A cycle that no source reaches is no obstacle, of real weights neither."""
        for factor, programs in ((1, ("cpu --variant johnson", "cpu --variant sequential", "apsp")),
                                 (1.1, ("cpu --variant multisource", "apsp"))):
            self.write("graphFile.txt", "6 5\n0 1 %g\n2 3 -2\n3 2 1\n4 5 1\n5 4 %g\n"
                       % (factor, -5 * factor))
            for command in programs:
                with self.subTest(command, factor=factor):
                    command = [*command.split(), "-o", "-", "--check"]
                    found = self.run_program(*command, "--sources", "0")
                    self.assertEqual(found.status, OK, found.err)
                    self.assertIn(b"\n0\t%g\tINF\tINF\tINF\tINF\n" % factor, found.out)
                    found = self.fails(NEGATIVE_CYCLE, "negative cycle", *command, "--sources", "5,0")
                    self.assertRegex(found.err, "[ 4-5]5|vertex [45]")
                    self.assertNotRegex(found.err, "[23] -> [23]")
                    self.fails(NEGATIVE_CYCLE, "negative cycle", *command)


class Range(Solving):
    """Distances of int32 lie strictly between -INF and INF, INF = 2^30 - 1; others are int64."""

    HALF = 2**29

    def refuse(self, graph, *options):
        self.write("graphFile.txt", graph)
        self.write("output.txt", "old")
        finished = self.fails(BAD_INPUT, "distance from ", "cpu", *options)
        self.assertRegex(finished.err, "(out of range|outside).*; as int64 \\(--type int64\\)")
        self.assertEqual(self.read("output.txt"), b"old")
        self.succeeds("cpu", "--variant", "multisource", "--type", "int64", "--check", "-q")

    def test_largest_distance_that_fits(self):
        for graph in (Graph(2, [(0, 1, INF - 1)]),
                      Graph(3, [(0, 1, self.HALF), (1, 2, self.HALF - 2)])):
            with self.subTest(graph=graph):
                result = self.solve(graph)
                self.assertEqual(result.dist[0][-1], INF - 1)

    def test_too_large(self):
        for graph in (Graph(2, [(0, 1, INF)]),
                      Graph(2, [(0, 1, INT32_MAX)]),
                      Graph(3, [(0, 1, self.HALF), (1, 2, self.HALF - 1)]),
                      Graph(3, [(0, 1, self.HALF), (1, 2, self.HALF)]),
                      Graph(3, [(0, 1, INF - 1), (1, 2, INF - 1)]),
                      Graph(4, [(0, 1, INF - 1), (1, 2, INF - 1), (2, 3, INT32_MAX)]),
                      Graph(70, [(68, 69, INF)])):
            with self.subTest(graph=graph):
                self.refuse(graph, "--type", "int32")
                finished = self.run_program("cpu", "--check")
                self.assertEqual(finished.status, OK)
                self.assertIn("their type is int64", finished.err)
                self.assertEqual(self.result().dist, distances_of(graph))
                self.succeeds("verify", "output.txt")

    def test_smallest_distance_that_fits(self):
        for graph in (Graph(2, [(0, 1, 1 - INF)]),
                      Graph(3, [(0, 1, -self.HALF), (1, 2, 2 - self.HALF)])):
            with self.subTest(graph=graph):
                result = self.solve(graph)
                self.assertEqual(result.dist[0][-1], 1 - INF)

    def test_too_small(self):
        for graph in (Graph(2, [(0, 1, -INF)]),
                      Graph(2, [(0, 1, INT32_MIN)]),
                      Graph(3, [(0, 1, -self.HALF), (1, 2, 1 - self.HALF)]),
                      Graph(4, [(0, 1, INT32_MIN), (1, 2, INT32_MIN), (2, 3, INT32_MIN)])):
            with self.subTest(graph=graph):
                self.refuse(graph)

    def test_heavy_edges_that_no_shortest_path_uses(self):
        self.solve(Graph(3, [(0, 1, 5), (1, 2, 6), (0, 2, INT32_MAX), (2, 0, 3), (1, 0, INF),
                             (2, 1, INF - 1)]))

    def test_crude_bound_fails_but_distances_fit(self):
        # (n - 1) times the heaviest weight is far beyond INF.
        n, w = 40, 10**8
        self.solve(Graph(n, [(v, (v + 1) % n, 1) for v in range(n)]
                         + [(0, v, w) for v in range(2, n)]))

    def test_reduced_weights_that_do_not_fit_are_solved_or_refused(self):
        """With potentials applied, some weights exceed 32 bits: an exact answer
        or exit 2, never a wrong number."""
        big = INF - 1
        for graph in (Graph(4, [(0, 1, -big), (2, 3, big), (3, 0, 0), (1, 2, big)]),
                      Graph(3, [(0, 1, -big), (1, 2, big), (2, 0, big)]),
                      Graph(4, [(0, 1, -10**9), (1, 2, 10**9), (2, 3, -10**9), (3, 0, 10**9)]),
                      Graph(4, [(1, 0, -10**9), (2, 0, 5), (3, 1, 10**9), (2, 3, 1)])):
            with self.subTest(graph=graph):
                self.write("graphFile.txt", graph)
                finished = self.run_program("cpu")
                if finished.status == BAD_INPUT:
                    self.assertEqual(finished.err.count("\n"), 1)
                else:
                    self.solve(graph)

    def test_reduced_distances_that_do_not_fit(self):
        """2 -> 1 is 900000000 long; reweighted, 1900000000. Variants that use the
        potentials themselves solve the graph."""
        graph = Graph(4, [(0, 1, -10**9), (2, 1, 9 * 10**8), (1, 3, 5)])
        self.write("graphFile.txt", graph)
        self.fails(BAD_INPUT, "with weights made non-negative", "cpu", "--variant", "sequential")
        for variant in ("johnson", "multisource"):
            for options in ([], ["--distances-only"], ["--check", "--repeat", "2"]):
                with self.subTest(variant=variant, options=options):
                    result = self.solve(graph, "--variant", variant, *options)
                    self.assertEqual(result.dist[2], [None, 9 * 10**8, 0, 9 * 10**8 + 5])

    def test_npy_holds_the_same_extremes(self):
        self.write("graphFile.txt", Graph(3, [(0, 1, 1 - INF), (1, 2, 5)]))
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        self.assertEqual(parse_npy(self.read("r.dist.npy"))[0], [0, 1 - INF, 6 - INF])


class Starved(ProgramTest):
    """Too little memory or too few threads to be had: done, or exit 4. Exit 1
    would be a verdict."""

    def survive(self, program, *args, **limits):
        """Exit 0 or 4; returns the status. No temporary file may stay."""
        process = self.start(program, *args, preexec_fn=limited(**limits))
        _, err = process.communicate(timeout=TIMEOUT_S)
        self.assertIn(process.returncode, (OK, NO_RESOURCE), "%s %s: %r" % (program, args, err))
        self.assertEqual([name for name in self.files() if name.startswith(".")], [])
        if process.returncode == NO_RESOURCE:
            self.assertEqual(err.count(b"\n"), 1, err)
            self.assertTrue(err.startswith(program.encode() + b": "), err)
        return process.returncode

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_every_amount_of_memory(self):
        self.write("graphFile.txt", ring(900))
        cpu = ("cpu", "-v", "johnson", "--threads", 1)
        self.succeeds(*cpu, "-o", "right.txt")
        self.succeeds(*cpu, "-o", "right", "--format", "npy")
        commands = (cpu, cpu + ("--format", "npy"), cpu + ("-d", "--check"),
                    ("verify", "--threads", 1, "right.txt"),
                    ("verify", "--threads", 1, "right.dist.npy"))
        seen = set()
        for mebibytes in (6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 64):
            for command in commands:
                with self.subTest(mebibytes=mebibytes, command=command):
                    # A process too small to be loaded at all says nothing of the program.
                    loaded = self.run_program(command[0], "--version", preexec_fn=limited(
                        RLIMIT_AS=mebibytes * 2**20))
                    if loaded.status == OK:
                        seen.add(self.survive(*command, RLIMIT_AS=mebibytes * 2**20))
        self.assertEqual(seen, {OK, NO_RESOURCE})

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_threads_that_cannot_be_started(self):
        """Stacks of 60 threads do not fit; whether fewer are used or the
        program gives up, it must not exit 1, and the message is not ours alone:
        the OpenMP library may add its own."""
        self.write("graphFile.txt", ring(2000))
        cpu = ["-v", "johnson"]
        self.succeeds("cpu", *cpu, "--threads", 1, "-o", "right.txt")
        for program, args in (("verify", ["right.txt"]), ("cpu", cpu), ("cpu", cpu + ["--check"])):
            with self.subTest(program=program, args=args):
                process = self.start(program, "--threads", 60, *args,
                                     preexec_fn=limited(RLIMIT_AS=200 * 2**20))
                _, err = process.communicate(timeout=TIMEOUT_S)
                self.assertIn(process.returncode, (OK, NO_RESOURCE), err)
                self.assertEqual([name for name in self.files() if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
