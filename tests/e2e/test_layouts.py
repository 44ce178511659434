# SPDX-License-Identifier: MIT
"""Tests results that keep a part of their rows: distances in fewer bytes, some columns, finite
distances. NumPy and SciPy read the files; skipped if they are not installed (Debian: python3-numpy
python3-scipy)."""

import json
import os
import random
import unittest
import zipfile
import zlib

from support import (BAD_INPUT, INF, NO_RESOURCE, REFUTED, Graph, ProgramTest, distances_of, needs,
                     optional)

numpy, sparse, csgraph = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph")
needs_numpy, needs_scipy = needs(NumPy=numpy), needs(SciPy=csgraph)

LARGEST = {"uint8": 255, "uint16": 65535, "int32": INF}  # which says that there is no path


def random_graph(rng, n, heaviest):
    return Graph(n, [(rng.randrange(n), rng.randrange(n), rng.randint(1, heaviest))
                     for _ in range(rng.randint(1, 4 * n))])


def matrix(dist, no_path):
    """The reference's distances as a result has them."""
    return [[no_path if d is None else d for d in row] for row in dist]


def large_ring(n, weight=1):
    """A graph whose result is written while it is computed, and has the distances 0 .. n - 1."""
    return Graph(n, [(v, (v + 1) % n, weight) for v in range(n)])


LARGE = 4200  # vertices: 67 MiB of distances
ROWS = ("cpu", "graphFile.txt", "-q", "--variant", "johnson", "--distances-only")


@needs_numpy
class FewerBytes(ProgramTest):
    def read_npy(self, prefix, dtype):
        """The distances, after a look at what the files say of themselves."""
        dist = numpy.load(self.path(prefix + ".dist.npy"))
        sidecar = json.loads(self.read(prefix + ".json"))
        self.assertEqual((dist.dtype, sidecar["infinity"]), (numpy.dtype(dtype), LARGEST[dtype]))
        return dist

    def test_types(self):
        """Small results, with and without predecessors, of graphs of every kind of size."""
        rng = random.Random(1)
        for number in range(12):
            graph = random_graph(rng, rng.randint(1, 40), rng.choice((3, 30, 6000)))
            dist = distances_of(graph)
            largest = max(d for row in dist for d in row if d is not None)
            smallest = next(name for name, no_path in LARGEST.items() if largest < no_path)
            self.write("graphFile.txt", graph)
            options = ["--threads", number % 3 + 1, "--variant", "auto"]
            options += ["--distances-only"] if number % 2 else ["--check"]
            for name, dtype in (("npy", "int32"), ("npy:auto", smallest), ("npy:uint8", "uint8"),
                                ("npy:uint16", "uint16")):
                command = ["cpu", *options, "--format", name, "-o", name, "-q"]
                with self.subTest(number=number, name=name):
                    if largest >= LARGEST[dtype]:
                        self.fails(BAD_INPUT, "and %s holds 0 .. %d: take --format npy:auto or npy"
                                   % (dtype, LARGEST[dtype] - 1), *command)
                        continue
                    self.succeeds(*command)
                    self.assertEqual(self.read_npy(name, dtype).tolist(),
                                     matrix(dist, LARGEST[dtype]))
                    self.proves(name)

    def test_written_while_computed(self):
        """The first distance that does not fit is named, and nothing is left; the smallest type is
        known before: by the heaviest edges, by the paths from and to one vertex, or not at all."""
        ring = large_ring(LARGE)
        self.write("graphFile.txt", ring)
        before = self.files()
        self.fails(BAD_INPUT, "the distance from 0 to 255 is 255, and uint8 holds 0 .. 254", *ROWS,
                   "--format", "npy:uint8", "-o", "r")
        self.assertEqual(self.files(), before)
        star = [(0, v, 100) for v in range(1, LARGE)] + [(v, 0, 20) for v in range(1, LARGE)]
        apart = [edge for edge in star if edge[0] + edge[1] != 7]
        ring_apart = [edge for edge in star if edge[0] + edge[1] < LARGE // 2]
        ring_apart += [(LARGE // 2 + v, LARGE // 2 + (v + 1) % 2000, 40) for v in range(2000)]
        for name, edges, dtype, row in (
                ("ring", ring.edges, "uint16", [LARGE - 1, 0, 1, 2]),
                ("star", star, "uint8", [20, 0, 120, 120]),
                ("a vertex apart", apart, "uint8", [20, 0, 120, 120]),
                ("a ring apart", ring_apart, "int32", [20, 0, 120, 120]),
                ("below 0", [*star, (1, 2, -1)], "int32", [19, 0, -1, 119])):
            with self.subTest(name):
                self.write("graphFile.txt", Graph(LARGE, edges))
                self.succeeds(*ROWS, "--format", "npy:auto", "-o", "r")
                dist = self.read_npy("r", dtype)
                self.assertEqual(dist[1, :4].tolist(), row)

    def test_damaged(self):
        """A type other than the .json says."""
        self.write("graphFile.txt", large_ring(5))
        self.succeeds("cpu", "--format", "npy:uint8", "-o", "r", "-q")
        right = json.loads(self.read("r.json"))
        for infinity in (254, INF, "255"):
            self.write("r.json", json.dumps(dict(right, infinity=infinity)))
            self.fails(BAD_INPUT, '"infinity"', "verify", "r")
        del right["infinity"]
        self.write("r.json", json.dumps(right))
        self.proves("r")
        dist = numpy.load(self.path("r.dist.npy"))
        numpy.save(self.path("alone.npy"), dist.astype("u2"))  # its largest number is another one
        self.proves("alone.npy")
        dist[2, 3] = 255
        numpy.save(self.path("alone.npy"), dist)
        self.fails(REFUTED, "3 is given as unreachable from 2", "verify", "alone.npy")


@needs_numpy
class Targets(ProgramTest):
    def check(self, prefix, expected, sources, targets, proved):
        """The files are these columns, say so, and cannot be proved any more."""
        sidecar = json.loads(self.read(prefix + ".json"))
        dist = numpy.load(self.path(prefix + ".dist.npy")).astype("i8")
        dist[dist == sidecar["infinity"]] = INF
        self.assertTrue(numpy.array_equal(dist, expected))
        self.assertEqual((sidecar["predecessors"], sidecar.get("proved", False)), (False, proved))
        for name, vertices in (("sources", sources), ("targets", targets)):
            self.assertEqual(sidecar.get(name), vertices and len(vertices))
            file = self.path("%s.%s.npy" % (prefix, name))
            self.assertEqual(os.path.exists(file), vertices is not None)
            if vertices is not None:
                self.assertEqual(numpy.load(file).tolist(), vertices)
                self.assertEqual(sidecar[name + "_checksum"],
                                 "%08x" % zlib.crc32(self.read("%s.%s.npy" % (prefix, name))))
        self.fails(BAD_INPUT, "columns are missing: expected distances to all", "verify", prefix)

    def test_columns(self):
        """Engines by rows and by matrices, text and NumPy, of every type."""
        rng = random.Random(2)
        for number in range(24):
            graph = random_graph(rng, rng.randint(1, 70), 3)
            dist = matrix(distances_of(graph), INF)
            targets = rng.sample(range(graph.n), rng.randint(1, graph.n))
            sources = rng.sample(range(graph.n), rng.randint(1, graph.n)) if number % 3 else None
            rows = [dist[i] for i in sources] if sources else dist
            expected = [[row[j] for j in targets] for row in rows]
            options = ["--targets", ",".join(map(str, targets)), "-q",
                       "--variant", rng.choice(("sequential", "johnson", "multisource"))]
            options += ["--sources", ",".join(map(str, sources))] if sources else []
            options += ["--check"] if number % 2 else []
            options += ["--repeat", 2] if number % 5 == 0 else []
            self.write("graphFile.txt", graph)
            with self.subTest(number=number, options=options):
                name = ("npy", "npy:uint16", "npy:auto")[number % 3]
                self.succeeds("cpu", *options, "--format", name, "-o", "r")
                self.check("r", expected, sources, targets, bool(number % 2))
                self.succeeds("cpu", *options, "-o", "r.txt")
                lines = self.read("r.txt").decode("ascii").split("\n")
                self.assertIn("|T| = %d: %s" % (len(targets), " ".join(map(str, targets))),
                              lines[1:3])
                begin = lines.index("") + 1
                self.assertEqual(lines[begin:begin + len(expected)],
                                 ["\t".join("INF" if d == INF else str(d) for d in row)
                                  for row in expected])
                self.assertEqual(any(line.startswith("# proved:") for line in lines),
                                 bool(number % 2))
                self.fails(BAD_INPUT, "columns are missing: expected distances to all %d vertices, "
                           "found %d targets" % (graph.n, len(targets)), "verify", "r.txt")
        self.succeeds("cpu", "--format", "npy", "-o", "r", "-q")
        self.proves("r")  # without the old list of targets
        self.assertNotIn("r.targets.npy", self.files())

    def test_written_while_computed(self):
        """The distance that does not fit is named by its vertices, not by its column."""
        self.write("graphFile.txt", Graph(9000, large_ring(9000).edges))
        targets = list(range(8000, 6000, -1))
        options = [*ROWS, "--targets", "@list", "-o", "r", "--check", "--format"]
        self.write("list", "8000 # the first\n" + ",".join(map(str, targets[1:])) + "\n")
        self.succeeds(*options, "npy:uint16")
        self.check("r", (numpy.array(targets) - numpy.arange(9000)[:, None]) % 9000, None, targets,
                   True)
        self.fails(BAD_INPUT, "the distance from 0 to 8000 is 8000, and uint8 holds", *options,
                   "npy:uint8")

    def test_refused(self):
        self.write("graphFile.txt", large_ring(5))
        self.fails(BAD_INPUT, "--targets: expected vertices 0 .. 4, found 5", "cpu", "--targets", 5)
        self.fails(BAD_INPUT, "--targets: measures need whole rows", "cpu", "--targets", 1,
                   "--measures")


@needs_scipy
class Sparse(ProgramTest):
    """`--format npz`."""

    def rows_of(self, prefix, sources, targets, proved):
        """Rows of distances, INF without an entry, after a look at what the files say."""
        sidecar = json.loads(self.read(prefix + ".json"))
        found = sparse.load_npz(self.path(prefix + ".npz"))
        self.assertEqual((found.format, found.dtype, found.indices.dtype, found.indptr.dtype),
                         ("csr", "int32", "int32", "int32"))
        self.assertTrue(found.has_canonical_format)
        self.assertEqual((sidecar["entries"], sidecar["predecessors"], sidecar.get("proved", False)),
                         (found.nnz, False, proved))
        self.assertEqual(sidecar["npz_checksum"],
                         "%08x" % zlib.crc32(self.read(prefix + ".npz")))
        with zipfile.ZipFile(self.path(prefix + ".npz")) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["indices.npy", "indptr.npy", "format.npy",
                                                  "shape.npy", "data.npy"])
        for name, vertices in (("sources", sources), ("targets", targets)):
            self.assertEqual(sidecar.get(name), vertices and len(vertices))
            if vertices is not None:
                self.assertEqual(numpy.load(self.path("%s.%s.npy" % (prefix, name))).tolist(),
                                 vertices)
        rows = numpy.full(found.shape, INF, dtype="i8")
        rows[numpy.repeat(numpy.arange(found.shape[0]), numpy.diff(found.indptr)),
             found.indices] = found.data
        return rows

    def test_finite_distances(self):
        """Zeros between different vertices and on the diagonal are entries; the same bytes from
        every engine and any number of threads."""
        rng = random.Random(3)
        for number in range(16):
            graph = random_graph(rng, rng.randint(1, 60), rng.choice((1, 9)))
            graph = Graph(graph.n, [(u, v, w - rng.randint(0, 1)) for u, v, w in graph.edges])
            dist = numpy.array(matrix(distances_of(graph), INF))
            lists, options = {"sources": None, "targets": None}, []
            for name in rng.sample(sorted(lists), number % 3):
                lists[name] = rng.sample(range(graph.n), rng.randint(1, graph.n))
                options += ["--" + name, ",".join(map(str, lists[name]))]
            options += ["--check"] if number % 2 else []
            options += ["--repeat", 2] if number % 5 == 0 else []
            sources, targets = lists["sources"], lists["targets"]
            expected = dist[sources or slice(None)][:, targets or slice(None)]
            self.write("graphFile.txt", graph)
            files = set()
            with self.subTest(number=number, options=options):
                for variant, threads in (("sequential", 1), ("johnson", 3), ("multisource", 2)):
                    self.succeeds("cpu", *options, "--variant", variant, "--threads", threads,
                                  "--format", "npz", "-o", "r", "-q")
                    files.add(self.read("r.npz"))
                found = self.rows_of("r", sources, targets, bool(number % 2))
                self.assertTrue((found == expected).all())
                self.assertEqual(len(files), 1)

    def test_limit(self):
        """Several pieces and chunks, against SciPy's Dijkstra with the same limit."""
        rng = random.Random(4)
        n = 700
        graph = Graph(n, [(u, v, rng.randint(1, 50)) for u, v in
                          {(rng.randrange(n), rng.randrange(n)) for _ in range(4 * n)}])
        self.write("graphFile.txt", graph)
        weights = graph.weights()
        expected = csgraph.dijkstra(sparse.csr_matrix(
            (list(map(float, weights.values())), tuple(zip(*weights))), (n, n)), limit=60)
        expected[numpy.isinf(expected)] = INF
        for limit in (60, 0):
            self.succeeds("cpu", "--limit", limit, "--format", "npz", "-o", "r", "-q", "--check",
                          "--variant", "johnson")
            found = self.rows_of("r", None, None, True)
            self.assertTrue((found == (expected if limit else
                                       numpy.where(numpy.eye(n), 0, INF))).all())
        self.assertEqual(json.loads(self.read("r.json"))["limit"], 0)
        self.succeeds("cpu", "--format", "npz", "-o", "whole", "-q", "--variant", "blocked")
        self.assertGreater(json.loads(self.read("whole.json"))["entries"], 3 * 2**16)
        self.assertTrue((self.rows_of("whole", None, None, False)
                         == numpy.minimum(csgraph.dijkstra(sparse.csr_matrix(
                             (list(map(float, weights.values())), tuple(zip(*weights))), (n, n))),
                             INF)).all())

    def test_is_proved(self):
        """`verify` proves sparse matrices, with a limit and of some sources, and notices any wrong
        byte: one that changes an entry, with a checksum that fits, or one that does not."""
        self.write("graphFile.txt", large_ring(40))
        for options in ((), ("--limit", 30), ("--limit", 0), ("--sources", "7,3,20-30"),
                        ("--sources", "5", "--limit", 12), ("--sources", "5,6")):
            self.succeeds("cpu", "--format", "npz", "-o", "r", "-q", *options)
            self.proves("r")
        whole, sidecar = self.read("r.npz"), self.read("r.json").decode()
        with zipfile.ZipFile(self.path("r.npz")) as archive:
            data_at = whole.index(archive.read("data.npy")) + len(archive.read("data.npy")) - 4
        columns_at, rows_at, shape_at = (whole.index(name) + len(name) + 20 + 128
                                         for name in (b"indices.npy", b"indptr.npy", b"shape.npy"))
        for at, bit, status, text in (
                (data_at, 64, REFUTED, "check ("),
                (columns_at, 64, BAD_INPUT, "expected columns in 0 .. 39"),
                (columns_at + 4, 1, BAD_INPUT, "that ascend, found 0 after 0"),
                (rows_at, 64, BAD_INPUT, "one after the other in indptr"),
                (rows_at + 4, 1, BAD_INPUT, "one after the other in indptr"),  # 41 entries of 40 columns
                (shape_at, 64, BAD_INPUT, "as --format npz writes it"),
                (whole.index(b"csr", 200), 64, BAD_INPUT, "as --format npz writes it")):
            wrong = bytearray(whole)
            wrong[at] ^= bit
            self.write("r.npz", bytes(wrong))
            self.fails(BAD_INPUT, "as --format npz" if "--format" in text else "CRC-32 ",
                       "verify", "r")
            self.write("r.json", sidecar.replace("%08x" % zlib.crc32(whole),
                                                 "%08x" % zlib.crc32(wrong)))
            self.fails(status, text, "verify", "r.npz")
            self.write("r.json", sidecar)
        self.write("r.npz", whole[:-1])
        self.fails(BAD_INPUT, "expected as many bytes as a sparse matrix of 2 x 40", "verify", "r")
        self.write("r.npz", whole)
        self.write("r.json", sidecar.replace('"entries": ', '"entries": 1'))
        self.fails(BAD_INPUT, "expected as many bytes", "verify", "r")
        self.write("r.json", sidecar.replace('"entries"', '"others"'))
        self.fails(BAD_INPUT, '"entries" and no predecessors', "verify", "r")
        self.succeeds("cpu", "--format", "npz", "-o", "r", "-q", "--targets", "0-9")
        self.fails(BAD_INPUT, "columns are missing", "verify", "r")

    def test_beside_other_results(self):
        """An old result of the other format goes; measures may be computed as well."""
        self.write("graphFile.txt", large_ring(40))
        self.succeeds("cpu", "--format", "npy", "-o", "r", "-q", "--sources", "0-9")
        self.succeeds("apsp", "--format", "npz", "-o", "r", "-q", "--measures=m")
        self.assertEqual(self.files(), ["graphFile.txt", "m.csv", "m.json", "r.json", "r.npz"])
        self.proves("m")
        for name in ("r", "r.npz"):
            self.proves(name)
        self.succeeds("cpu", "--format", "npy", "-o", "r", "-q")
        self.assertNotIn("r.npz", self.files())
        self.fails(BAD_INPUT, "--output: expected another file than the graph", "cpu", "r.npz",
                   "--format", "npz", "-o", "r")


class Nothing(ProgramTest):
    """`--format none`: everything but a result."""

    def answer(self, program, *args, **how):
        return json.loads(self.succeeds(program, "--json", "--format", "none", *args, **how).out)

    def test_proved(self):
        """Rows are proved, predecessors included, and nothing is kept, by engines of every kind."""
        self.write("graphFile.txt", large_ring(300))
        for program, variant in (("cpu", "blocked"), ("cpu", "dissection"), ("apsp", "cpu:johnson")):
            answer = self.answer(program, "--check", "--variant", variant)
            self.assertEqual((answer["checked"], answer["predecessors"], answer["outputs"],
                              answer["memory"]["matrices"]), (True, True, [], 0), variant)
        self.assertEqual(self.files(), ["graphFile.txt"])

    def test_measures(self):
        """They are found as without it: predecessors, which would need every row, are not."""
        self.write("graphFile.txt", large_ring(300))
        self.succeeds("cpu", "--variant", "dissection", "--measures=m", "-q")
        answer = self.answer("cpu", "--variant", "dissection", "--measures=n", "--check")
        self.assertFalse(answer["predecessors"])
        self.assertEqual(self.files(), ["graphFile.txt", "m.csv", "m.json", "n.csv", "n.json"])
        self.assertEqual(self.read("n.csv"), self.read("m.csv"))

    def test_memory(self):
        """Matrices that do not fit are not missed."""
        self.write("graphFile.txt", large_ring(1500))
        limited = {"APSP_MEMORY_LIMIT": "8M"}
        self.fails(NO_RESOURCE, "for 2 matrices", "cpu", "--variant", "johnson", "-q", env=limited)
        self.assertEqual(self.answer("cpu", "--variant", "johnson", "--threads", 2, "--repeat", 2,
                                     env=limited)["repetitions"], 2)

    def test_refused(self):
        self.write("graphFile.txt", large_ring(5))
        for options, text in ((("-o", "r"), "--output: --format none writes no result"),
                              (("--targets", 1), "--targets: --format none keeps no distances"),
                              (("--resume",), "--resume: --format none keeps no rows")):
            self.fails(BAD_INPUT, text, "cpu", "--format", "none", *options)
