# SPDX-License-Identifier: MIT
"""--semiring as a user types it, beside a reference of a few lines; SciPy's spanning tree is another. The unit tests
compare thousands of graphs of every type (tests/semiring)."""

import io
import json
import math
import random
import re
import unittest

from support import BAD_INPUT, GPU_SOLVERS, INF, REFUTED, GpuTest, Graph, ProgramTest, needs, optional

numpy, scipy_sparse, scipy_graph = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph")

# How each joins a length and a weight, and which of two lengths is the best; to itself; no path.
SEMIRINGS = {"min-max": (max, min, -math.inf, math.inf),
             "max-min": (min, max, math.inf, -math.inf),
             "max-product": (lambda a, b: a * b, max, 1.0, 0.0)}


def lengths_of(graph, semiring):
    """Rows of lengths, by relaxing all edges until nothing is better."""
    join, best, to_itself, no_path = SEMIRINGS[semiring]
    rows = []
    for source in range(graph.n):
        row, before = [to_itself if v == source else no_path for v in range(graph.n)], None
        while row != before:
            before = list(row)
            for u, v, w in graph.edges:
                row[v] = best(row[v], join(row[u], w))
        rows.append(row)
    return rows


def random_graph(rng, semiring, kind):
    n = rng.randint(1, 9)
    weight = {"integers": lambda: rng.randint(-3, 3), "decimals": lambda: rng.choice((-2.5, 0.1, 0.25, 7.75)),
              "probabilities": lambda: rng.choice((0, 1, 0.5, round(rng.random(), 3)))}[kind]
    return Graph(n, [(rng.randrange(n), rng.randrange(n), weight()) for _ in range(rng.randint(0, 3 * n))])


class Semirings(ProgramTest):

    def rows(self, text):
        """The semiring, distances and predecessors of a text result."""
        head, *blocks = text.decode().split("#")[0].strip().split("\n\n")
        numbers = [[[float(cell) for cell in line.split("\t")] for line in block.split("\n")] for block in blocks]
        return dict(line.split(" = ") for line in head.split("\n")[1:])["semiring"], *numbers

    def test_answers(self):
        """Answers of every semiring and type are right, both ways to solve, parallel edges and
        loops included."""
        rng = random.Random(1)
        for k in range(90):
            semiring = rng.choice(list(SEMIRINGS))
            kind = "probabilities" if semiring == "max-product" else rng.choice(("integers", "decimals"))
            graph = random_graph(rng, semiring, kind)
            both_ways = rng.random() < 0.5
            options = ["--undirected"] if both_ways else []
            self.write("g", graph.text())
            done = self.succeeds("apsp", "g", "--semiring", semiring, *options, "--check", "-o", "result")
            self.assertIn(b"semiring " + semiring.encode(), done.out)
            if both_ways:
                graph = Graph(graph.n, graph.edges + [(v, u, w) for u, v, w in graph.edges])
            said, dist, pred = self.rows(self.read("result"))
            self.assertEqual(said, semiring)
            self.assertEqual(dist, lengths_of(graph, semiring), (k, graph, options))
            source, target, other = rng.randrange(graph.n), rng.randrange(graph.n), rng.choice((0, 1, 3, "INF"))
            shown = self.succeeds("verify", "result", "-g", "g", "--from", source, *options).out.decode()
            self.assertIn(" in " + semiring, shown)
            lengths = re.findall(r"(?m)^\d+\t(?:distance (\S+)\t|no path$)", shown)
            self.assertEqual([float(length or SEMIRINGS[semiring][3]) for length in lengths], dist[source])
            # Another length than the right one is refuted.
            lines = self.read("result").decode().split("\n")
            cells = lines[3 + source].split("\t")
            cells[target] = str(other)
            lines[3 + source] = "\t".join(cells)
            self.write("other", "\n".join(lines))
            if float(other) == dist[source][target]:
                self.proves("other", "-g", "g", *options)
            else:
                self.fails(REFUTED, "is refuted: check (", "verify", "other", "-g", "g", *options)

    def test_eliminations(self):
        """Distances of a directed road network are found by elimination and proved, and are those beside predecessors."""
        self.succeeds("graphgen", "--family", "road", "--v", 3000, "--weights", "1:50", "--asymmetric", "-o", "whole")
        if "without it (AMD=0)" in self.run_program("cpu", "whole", "-v", "dissection").err:
            self.skipTest("a build without SuiteSparse's AMD")
        decimals = re.sub(rb"(?m)^(\d+ \d+ \d+)$", rb"\1.5", self.read("whole"))
        self.write("half", decimals)
        for graph, semiring, kind in (("whole", "min-max", "int32"), ("half", "max-min", "float64"), ("half", "min-max", "float32")):
            options = [graph, "--semiring", semiring, "--type", kind, "--check", "--format", "npy"]
            alone = self.succeeds("cpu", *options, "--distances-only", "-o", "alone")
            self.assertIn(b"semiring: elimination", alone.out)
            both = self.succeeds("cpu", *options, "-o", "both")
            self.assertIn(b"semiring: reachability", both.out)
            self.assertEqual(self.read("alone.dist.npy"), self.read("both.dist.npy"))

    def test_formats(self):
        """Text, .npy, .npz, some rows and columns, standard input, and distances alone."""
        self.write("g", "4 4\n0 1 5\n1 2 7\n1 2 3\n2 0 -1\n")
        self.succeeds("cpu", "g", "--semiring=max-min", "--format=npy", "-o", "all", "--sources", "2,0")
        said = json.loads(self.read("all.json"))
        self.assertEqual((said["semiring"], said["infinity"]), ("max-min", INF))
        self.succeeds("verify", "all", "-g", "g")
        self.succeeds("cpu", "g", "--semiring=max-min", "--format=npz", "-o", "sparse")
        self.assertEqual(json.loads(self.read("sparse.json"))["entries"], 10)
        self.succeeds("verify", "sparse.npz", "-g", "g")
        done = self.succeeds("cpu", "g", "--semiring=max-min", "--targets", "0,3", "--check", "-qo", "-")
        self.assertIn(b"\nsemiring = max-min\n|T| = 2: 0 3\n\nINF\t-INF\n-1\t-INF\n-1\t-INF\n-INF\tINF\n", done.out)
        result = self.succeeds("cpu", "g", "--semiring=max-min", "-qo", "-").out
        self.succeeds("verify", "-", "-g", "g", "--semiring=max-min", stdin=result)
        self.fails(BAD_INPUT, "add --semiring max-min", "verify", "-", "-g", "g", stdin=result)
        self.succeeds("cpu", "g", "--semiring=max-min", "--format=npy", "-d", "-o", "alone")
        self.write("lengths.npy", self.read("alone.dist.npy"))
        self.succeeds("verify", "lengths.npy", "-g", "g", "--semiring=max-min")
        self.fails(REFUTED, "check (a)", "verify", "lengths.npy", "-g", "g")
        done = self.succeeds("verify", "all", "-g", "g", "--json", "--path", "2", "1")
        answer = json.loads(done.out)
        self.assertEqual((answer["semiring"], answer["path"]["distance"]), ("max-min", -1))

    def test_measures(self):
        """They are those of the definition, of rows and columns, and verify refutes others."""
        rng = random.Random(3)
        for k in range(60):
            semiring = rng.choice(list(SEMIRINGS))
            _, best, to_itself, no_path = SEMIRINGS[semiring]
            kind = "probabilities" if semiring == "max-product" else rng.choice(("integers", "decimals"))
            graph = random_graph(rng, semiring, kind)
            self.write("g", graph.text())
            rows = lengths_of(graph, semiring)
            some = rng.sample(range(graph.n), rng.randint(1, graph.n)) if rng.random() < 0.3 else None
            sources = some or range(graph.n)
            options = ["--sources", ",".join(map(str, some))] if some else []
            program = rng.choice(("apsp", "cpu"))
            done = self.succeeds(program, "g", "--semiring", semiring, *options, "--check", "--measures=m", "--json")
            lines = [line.split(",") for line in self.read("m.csv").decode().split("\n")[:-1]]
            said = json.loads(self.read("m.json"))
            self.assertEqual((said["semiring"], json.loads(done.out)["measures"]["pairs"]), (semiring, len(sources) * (graph.n - 1)))

            def totals(lengths):  # of (vertex, length) but for the vertex itself
                there = [length for length in lengths if length != no_path]
                worst = (min if best is max else max)(there, default=to_itself)
                return [len(there) + 1, math.fsum(there), worst]

            def near(found, expected):
                self.assertEqual(found[0::2], expected[0::2], (k, semiring, graph))
                self.assertAlmostEqual(found[1], expected[1], places=12)

            inwards = said["directed"] and not some
            pairs = []
            for line, source in zip(lines[1:], sources):
                row = [(v, length) for v, length in enumerate(rows[source]) if v != source]
                pairs += [(source, v, length) for v, length in row if length != no_path]
                near([float(cell) for cell in line[2:5]], totals([length for _, length in row]))
                if inwards:
                    near([float(cell) for cell in line[5:]], totals([rows[v][source] for v in range(graph.n) if v != source]))
                self.assertEqual(len(line), 8 if inwards else 5)
            self.assertEqual(said["pairs_without_path"], len(sources) * (graph.n - 1) - len(pairs))
            self.assertEqual(sum(said["histogram"]["counts"]), len(pairs))
            if pairs:
                worst = (min if best is max else max)(length for _, _, length in pairs)
                first = next(pair for pair in sorted(pairs) if pair[2] == worst)
                self.assertEqual(list(said["worst_distance"].values()), [worst, first[0], first[1]])
                width, low = said["histogram"]["bin_width"], said["histogram"]["first"]
                counts = [0] * len(said["histogram"]["counts"])
                for _, _, length in pairs:
                    counts[int((length - low) // width)] += 1
                self.assertEqual(said["histogram"]["counts"], counts)
            else:
                self.assertIsNone(said["worst_distance"]["distance"])
            if said.get("diameter") is not None and graph.n > 1:
                each = [float(line[4]) for line in lines[1:]]
                best_of = max if best is max else min
                self.assertEqual((said["diameter"], said["radius"]), (worst, best_of(each)))
                self.assertEqual(said["center"], [v for v in range(graph.n) if each[v] == best_of(each)])
            self.assertIn("exact in " + semiring, self.succeeds("verify", "m.csv", "-g", "g").out.decode())
            line, column = rng.randint(1, len(lines) - 1), rng.randint(2, len(lines[0]) - 1)
            lines[line][column] = "inf" if lines[line][column] != "inf" else "3"
            self.write("m.csv", "\n".join(map(",".join, lines)) + "\n")
            self.write("m.json", re.sub(rb'  "csv_checksum".*\n', b"", self.read("m.json")))
            self.fails(REFUTED, "of vertex", "verify", "m.csv", "-g", "g")

    def test_measures_of_few(self):
        """The worst pair is of two vertices, although a product of 1 is that of a vertex to itself, too."""
        self.write("g", "4 2\n3 1 1\n3 2 1\n")
        self.succeeds("cpu", "g", "--semiring=max-product", "--measures=m", "--check")
        self.assertEqual(json.loads(self.read("m.json"))["worst_distance"], {"distance": 1.0, "from": 3, "to": 1})
        self.write("one", "1 0\n")
        for semiring in SEMIRINGS:
            done = self.succeeds("cpu", "one", "--semiring", semiring, "--measures=m", "--check")
            self.assertRegex(done.out, rb"worst distance +none")
            said = json.loads(self.read("m.json"))
            self.assertEqual((said["worst_distance"]["distance"], said["diameter"], said["center"]), (None, None, [0]))
            self.proves("m.csv", "-g", "one")

    def test_measures_of_small_products(self):
        """Reciprocals of products, which may be infinite, take no part."""
        self.write("g", "4 3\n0 1 1e-200\n1 2 1e-123\n3 0 1\n")
        self.succeeds("cpu", "g", "--semiring=max-product", "--measures=m", "--check")
        self.assertEqual(self.read("m.csv").decode().split()[1], "0,0,3,1e-200,1e-323,2,1.0,1.0")
        self.proves("m.csv", "-g", "g")
        self.fails(BAD_INPUT, "m.csv is of max-product, found min-max", "verify", "m.csv", "-g", "g", "--semiring=min-max")
        self.assertEqual(json.loads(self.succeeds("verify", "m", "-g", "g", "--json").out)["semiring"], "max-product")

    def test_pairs(self):
        """As CSV, with infinite lengths of both signs."""
        self.write("g", "3 2\n0 1 5\n1 0 -7\n")
        self.write("pairs", "0,1\n1,0\n2,2\n0,2\n")
        done = self.succeeds("apsp", "g", "--semiring=max-min", "--pairs", "pairs", "--check", "--json")
        self.assertEqual(json.loads(done.out)["pairs_without_path"], 1)
        self.assertEqual(self.read("distances.csv").decode().split(),
                         ["source,target,distance", "0,1,5", "1,0,-7", "2,2,inf", "0,2,-inf"])
        self.write("p", "3 1\n0 1 0.5\n")
        self.succeeds("apsp", "p", "--semiring=max-product", "--pairs", "pairs")
        self.assertEqual(self.read("distances.csv").decode().split()[1:], ["0,1,0.5", "1,0,0", "2,2,1", "0,2,0"])

    def test_what_a_result_says(self):
        """It is of one semiring, whatever options say, and one that nobody knows is no result."""
        self.write("g", "2 1\n0 1 1\n")
        self.succeeds("cpu", "g", "--semiring=min-max", "-o", "r")
        self.fails(BAD_INPUT, "r is of min-max, found max-min", "verify", "r", "-g", "g", "--semiring=max-min")
        self.write("other", self.read("r").replace(b"= min-max", b"= max-max"))
        self.fails(BAD_INPUT, "other:2: expected 'semiring = ' and min-plus, ", "verify", "other", "-g", "g")
        self.write("usual", self.read("r").replace(b"semiring = min-max\n", b""))
        self.fails(BAD_INPUT, "expected distance number 1 of 2, found '-INF", "verify", "usual", "-g", "g")
        self.write("widest", self.read("r").replace(b"= min-max", b"= max-min"))
        self.fails(REFUTED, "check (a): distance from 0 to itself", "verify", "widest", "-g", "g")

    def test_cycles_of_predecessors(self):
        """Predecessors that hold one another up fulfil all equations but lead nowhere, and so do tight edges."""
        self.write("g", "3 3\n0 1 9\n1 2 4\n2 1 4\n")
        rows = "|V| = 3, |E| = 3\nsemiring = min-max\n\n-INF\t4\t4\nINF\t-INF\t4\nINF\t4\t-INF\n"
        self.write("round", rows + "\n-1\t2\t1\n-1\t-1\t1\n-1\t2\t-1\n")
        self.fails(REFUTED, "run in a cycle", "verify", "round", "-g", "g")
        self.write("tight", rows + "# predecessors: none\n")
        self.fails(REFUTED, "over tight edges", "verify", "tight", "-g", "g")

    def test_refusals(self):
        """By name, with the way on: nothing is silently left out."""
        self.write("g", "2 1\n0 1 0.5\n")
        for option in ("--variant=johnson", "--limit=1", "--along=x", "--resume", "--csv=t", "--tile=8",
                       "--format=npy:auto", "--format=npy:uint8", "--grid=0.1"):
            done = self.fails(BAD_INPUT, option.split("=")[0], "cpu", "g", "--semiring=max-min", option)
            self.assertIn("max-min", done.err)
        for answer in (["--index"], ["--diameter"], ["--plan"], ["--accessibility", "t", "--limits=1"],
                       ["--demand", "t"], ["--calibrate"]):
            self.fails(BAD_INPUT, "--semiring", "apsp", "g", "--semiring=min-max", *answer)
        self.assertRegex(self.succeeds("cpu", "g", "--semiring=max-min", "--verbose", "--repeat", "3").out,
                         rb"1 kept: the heaviest of parallel ones(.|\n)*variant  semiring: search\nrepeated 3 times")
        for program in GPU_SOLVERS[:2]:
            self.fails(BAD_INPUT, "apsp, cpu and cuda_sparse solve max-min", program, "g", "--semiring=max-min")
        self.write("t.tntp", "<NUMBER OF NODES> 3\n<FIRST THRU NODE> 2\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n"
                   "2 1 1 1 5 ;\n1 3 1 1 6 ;\n")
        self.fails(BAD_INPUT, "max-min: expected a graph without zones, found 1 (--through-zones", "cpu", "t.tntp",
                   "--semiring=max-min")
        self.fails(BAD_INPUT, "expected inverse, found 'square'", "cpu", "g", "--weight-transform=square")
        self.fails(BAD_INPUT, "found 'max-max'", "cpu", "g", "--semiring=max-max")
        self.assertNotIn(b"semiring", self.succeeds("cpu", "g", "--semiring=min-plus", "--json").out)

    def test_weights(self):
        """Weights that a semiring has no use for are refused where they stand."""
        for text, semiring, line in (("2 1\n0 1 1.5\n", "max-product", 2), ("3 2\n0 1 1\n1 2 -0.5\n", "max-product", 3),
                                     ("2 1\n0 1 7\n", "max-product", 2), ("2 1\n0 1 inf\n", "max-min", 2)):
            self.write("g", text)
            self.fails(BAD_INPUT, "g:%d: expected a" % line, "cpu", "g", "--semiring", semiring)
        self.write("g", "2 2\n0 1 -2147483648\n0 1 5\n")  # the former has no negative in int32
        self.succeeds("cpu", "g", "--semiring=max-min", "-o", "r")
        self.assertEqual(self.rows(self.read("r"))[1][0][1], 5)
        for weight in INF, -INF, 2000000000:  # the first two mean a path without edges, and none
            self.write("g", "2 1\n0 1 %d\n" % weight)
            self.fails(BAD_INPUT, "--type float64", "cpu", "g", "--semiring=max-min")
            self.succeeds("cpu", "g", "--semiring=max-min", "--type=float64", "--check")
        self.write("g", "3 2\n0 1 1e-200\n1 2 1e-200\n")
        self.succeeds("cpu", "g", "--semiring=max-product", "--check", "-o", "r")
        self.assertEqual(self.rows(self.read("r"))[1][0], [1, 1e-200, 0])

    @needs(NumPy=numpy, SciPy=scipy_graph)
    def test_spanning_tree(self):
        """The lowest passes of an undirected graph are those of SciPy's minimum spanning tree."""
        rng = random.Random(2)
        n = 60
        edges = {(rng.randrange(n), rng.randrange(n)): rng.randint(1, 30) for _ in range(150)}
        edges = {(u, v): w for (u, v), w in edges.items() if u < v}
        self.write("g", Graph(n, [(u, v, w) for (u, v), w in edges.items()]).text())
        self.succeeds("apsp", "g", "-u", "--semiring=min-max", "--format=npy", "-o", "r", "--check")
        found = numpy.load(io.BytesIO(self.read("r.dist.npy"))).astype(float)
        matrix = scipy_sparse.csr_matrix((list(edges.values()), tuple(zip(*edges))), shape=(n, n))
        tree = scipy_graph.minimum_spanning_tree(matrix)
        tree = tree + tree.T
        for source in range(0, n, 7):
            order, before = scipy_graph.breadth_first_order(tree, source, directed=False)
            expected = numpy.full(n, float(INF))
            expected[source] = -INF
            for v in order[1:]:
                expected[v] = max(expected[before[v]], tree[before[v], v])
            self.assertTrue((found[source] == expected).all())


class SemiringsOnGpu(GpuTest):

    def test_programs(self):
        """cuda_sparse writes what cpu writes, of every type, and its predecessors are proved."""
        for semiring, kind, weights in (("min-max", "int32", "1:50"), ("max-min", "float64", "1:50"),
                                        ("max-product", "float32", "5000:9999"), ("max-product", "float64", "1:9999")):
            decimals = ["--decimals", 4] if semiring == "max-product" else []
            self.succeeds("graphgen", "--v", 700, "--edges", 3000, "--weights", weights, *decimals, "-o", "g")
            for program in "cpu", "cuda_sparse":
                self.succeeds(program, "g", "--semiring", semiring, "--type", kind, "--check", "--format", "npy", "-o", program)
                self.succeeds("verify", program, "-g", "g")
            self.assertEqual(self.read("cpu.dist.npy"), self.read("cuda_sparse.dist.npy"))


if __name__ == "__main__":
    unittest.main()
