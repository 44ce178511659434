# SPDX-License-Identifier: MIT
"""Memory: what a run holds is planned, asked for before, and kept to, whatever sets the limit."""

import gzip
import lzma
import json
import os
import re
import subprocess
import sys
import time
import unittest

from support import (BAD_INPUT, NO_RESOURCE, OK, REPOSITORY, SANITIZED, TIMEOUT_S, Graph,
                     ProgramTest, default_signals, environment, limited, program_path)

MIB = 2**20

# Stacks, the allocator's and OpenMP's own: beside the account, and not all in an empty run.
BESIDE = 3 * MIB


def random_edges(n, count, weight):
    """Distinct edges with weights that weight(u, v) gives, the same ones each time."""
    edges, number = {}, 1
    while len(edges) < count:
        number = number * 6364136223846793005 + 1442695040888963407 & 2**64 - 1
        u, v = (number >> 33) % n, (number >> 13) % n
        if u != v:
            edges[u, v] = weight(u, v)
    return [(u, v, w) for (u, v), w in edges.items()]


class MemoryTest(ProgramTest):
    """Tests of the memory that a program has taken in the end."""

    def measured(self, program, *args, limit=None, **how):
        """(exit status, stdout, stderr, peak of the resident bytes) of a run."""
        env = {} if limit is None else {"APSP_MEMORY_LIMIT": str(int(limit))}
        with open(self.path("err"), "w+b") as err, open(self.path("out"), "w+b") as out:
            process = subprocess.Popen([program] + [str(arg) for arg in args],
                                       executable=program_path(program), cwd=self.directory,
                                       env=environment(**env), stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, **how)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            err.seek(0)
            out.seek(0)
            texts = out.read(), err.read().decode("utf-8", "replace")
        for name in ("err", "out"):
            os.remove(self.path(name))
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        return (code,) + texts + (usage.ru_maxrss * 1024,)

    def empty_run(self, program, *args):
        """The resident bytes of a run that has next to nothing to hold."""
        self.write("one", Graph(1, []))
        status, _, err, resident = self.measured(program, "one", *args)
        self.assertEqual(status, OK, err)
        return resident


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
class Plans(MemoryTest):
    """A run holds the memory that is planned: with 5 % more than it a run is done and holds no
    more, with 5 % less it is refused, before there are matrices."""

    N = 1000
    CHOOSING = ("cpu", "apsp")  # which of them is planned with the least that one takes

    def check(self, program, *args):
        base = self.empty_run(program, "-t", 2, "-o", "one.out", *args)
        command = ["g", "-t", "2", "-o", "out.txt"] + list(args)
        status, out, err, _ = self.measured(program, *command, "--json")
        self.assertEqual(status, OK, err)
        memory = json.loads(out)["memory"]
        what = "%s %s: %r" % (program, args, memory)
        needed = memory["needed"]
        self.assertEqual(memory["matrices"], (1 if "-d" in args else 2) * self.N * 1008 * 4, what)
        self.assertGreaterEqual(needed, memory["matrices"] + memory["graph"], what)
        self.assertLessEqual(memory["peak"], 1.05 * needed, what)
        self.assertGreaterEqual(memory["peak"], 0.95 * needed, what)

        for name in os.listdir(self.directory):
            if name.startswith("out"):
                os.remove(self.path(name))
        before = self.files()
        status, _, err, resident = self.measured(program, *command, "--json",
                                                 limit=0.95 * needed)
        self.assertEqual((status, self.files()), (NO_RESOURCE, before), what)
        self.assertRegex(err, r"\A%s: g: 1000 vertices need \d.* for (1 matrix|2 matrices)[, ].*"
                         r"; APSP_MEMORY_LIMIT allows [\d.]+ MiB\n\Z" % program, what)
        self.assertLess(resident - base, needed - memory["matrices"] / 2 + BESIDE, what)

        status, _, err, resident = self.measured(program, *command, "--json",
                                                 limit=1.05 * needed)
        self.assertEqual((status, err), (OK, ""), what)
        self.assertLessEqual(resident - base, 1.05 * needed + BESIDE,
                             "%s resident: %d above %d" % (what, resident - base, base))

    VARIANTS = ("sequential", "blocked", "blocked32", "johnson", "multisource")
    OPTIONS = ([], ["-d"], ["--format", "npy"], ["--check"], ["-d", "--check"], ["--undirected"])

    def test_every_variant(self):
        self.write("g", Graph(self.N, random_edges(self.N, 100000, lambda u, v: 1 + u % 90)))
        for variant in self.VARIANTS:
            # The results of the slowest variant are written and proved as those of the others are.
            for options in self.OPTIONS if variant != "sequential" else self.OPTIONS[:1]:
                with self.subTest(variant=variant, options=options):
                    self.check("cpu", "-v", variant, *options)

    def test_along(self):
        """Each column has a file and values of its own."""
        edges = random_edges(self.N, 100000, lambda u, v: 1 + u % 90)
        self.write("g.csv", "source,target,w,a,b,c,d\n" +
                   "".join("%d,%d,%d,1,2,3,4\n" % edge for edge in edges))
        for columns in "a", "a,b,c,d":
            options = ("g.csv", "-t", 2, "--weight-column", "w", "--along", columns, "--targets", "0-49",
                       "--format", "npy", "-d", "-o", "r", "--json")
            memory = json.loads(self.succeeds("cpu", *options, noted=None if "d" in columns else "left aside").out)["memory"]
            self.assertLessEqual(abs(memory["peak"] - memory["needed"]), 0.06 * memory["needed"], memory)
            plan = json.loads(self.succeeds("apsp", *options, "--plan", noted="left aside|are without").out)
            written = sum(os.path.getsize(self.path(name)) for name in self.files() if name.endswith(".npy"))
            self.assertLess(abs(plan["disk"] - written), 0.05 * written)

    def test_negative_edges(self):
        """The reduced graph is planned with."""
        self.write("g", Graph(self.N, random_edges(self.N, 100000,
                                                   lambda u, v: u % 7 - v % 7 + v % 3 + 1)))
        for variant in self.VARIANTS[1:]:
            for options in ([], ["-d"]):
                with self.subTest(variant=variant, options=options):
                    self.check("cpu", "-v", variant, *options)

    def test_zero_weights(self):
        """The search for cycles of weight zero is planned with; there is none."""
        self.write("g", Graph(self.N, random_edges(self.N, 100000,
                                                   lambda u, v: 0 if u < v else 5)))
        self.check("cpu", "-v", "blocked")

    def test_gzip(self):
        """The peak may be the memory that the edges take while they are read."""
        text = Graph(self.N, random_edges(self.N, 400000, lambda u, v: 1)).text()
        self.write("g", gzip.compress(text.encode(), 1))
        status, out, err, _ = self.measured("cpu", "g", "-d", "-v", "johnson", "--json")
        self.assertEqual(status, OK, err)
        peak = json.loads(out)["memory"]["peak"]
        self.assertGreater(peak, 24 * 400000)
        status, _, err, _ = self.measured("cpu", "g", "-d", "-v", "johnson", limit=1.02 * peak)
        self.assertEqual((status, err), (OK, ""))
        status, _, err, resident = self.measured("cpu", "g", "-d", limit=0.95 * peak)
        self.assertEqual(status, NO_RESOURCE)
        self.assertRegex(err, r"\Acpu: g: 1000 vertices need [\d.]+ MiB to read the graph(| and "
                         r"1\.\d MiB for what else is held); APSP_MEMORY_LIMIT allows [\d.]+ MiB"
                         r"\n\Z")
        self.assertLess(resident, self.empty_run("cpu") + BESIDE)


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
class Zeros(MemoryTest):
    def test_contraction(self):
        """Cycles of weight zero are known when they are found: what they take is within the limit
        all the same, or refused."""
        n = 1000
        edges = random_edges(n, 50000, lambda u, v: 0 if u // 10 == v // 10 else 5)
        edges += [(v, v // 10 * 10 + (v + 1) % 10, 0) for v in range(n)]
        self.write("g", Graph(n, edges))
        base = self.empty_run("cpu")
        status, out, err, _ = self.measured("cpu", "g", "-v", "blocked", "--json")
        self.assertEqual(status, OK, err)
        memory = json.loads(out)["memory"]
        most, statuses = max(memory["needed"], memory["peak"]), []
        for percent in range(70, 112, 3):
            limit = most * percent // 100
            status, _, err, resident = self.measured("cpu", "g", "-v", "blocked", limit=limit)
            self.assertIn(status, (OK, NO_RESOURCE), err)
            self.assertLessEqual(resident, base + limit + BESIDE)
            statuses.append(status)
        self.assertEqual(sorted(statuses, reverse=True), statuses)
        self.assertEqual(set(statuses), {OK, NO_RESOURCE})


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
class Programs(MemoryTest):
    """The programs that do more than solve with one variant."""

    N = 1000

    def setUp(self):
        super().setUp()
        self.write("g", Graph(self.N, random_edges(self.N, 100000, lambda u, v: 1 + u % 90)))

    def test_the_fastest_that_fits(self):
        """cpu's auto and apsp take an engine for which there is memory, and say so."""
        for program, auto in (("cpu", ["-v", "auto"]), ("apsp", [])):
            with self.subTest(program):
                base = self.empty_run(program, *auto, "-t", 2)
                command = ["g", "-t", 2, "-o", "out.txt"] + auto
                status, out, err, _ = self.measured(program, *command, "--json")
                self.assertEqual(status, OK, err)
                free = json.loads(out)
                memory = free["memory"]
                self.assertIn("multisource", free["chosen"])
                limit = 1.05 * memory["needed"]
                self.assertLess(limit, memory["peak"])
                status, out, err, resident = self.measured(program, *command, "--json",
                                                           limit=limit)
                self.assertEqual((status, err), (OK, ""))
                tight = json.loads(out)
                self.assertIn("johnson", tight["chosen"])
                self.assertLessEqual(resident, base + limit + BESIDE)
                self.proves("out.txt", "-g", "g")
                if program == "apsp":
                    self.assertRegex(tight["why"], r"cpu:multisource +.* not: needs [\d.]+ MiB to "
                                     r"solve, [\d.]+ MiB of memory are left")
                self.fails(NO_RESOURCE, "vertices need 7.7 MiB for 2 matrices", program, "g", *auto,
                           env={"APSP_MEMORY_LIMIT": "7000000"})

    def test_plan_says_what_does_not_fit(self):
        out = self.succeeds("apsp", "--plan", "g", "-t", 2,
                            env={"APSP_MEMORY_LIMIT": "11M"}).out.decode()
        self.assertRegex(out, r"cpu:multisource .* not: needs")
        self.assertRegex(out, r"cpu:johnson +([\d.e+-]+ *){6} [\d.]+ MiB\n")

    def test_the_plan_and_the_run_agree(self):
        """The run plans for the memory, asks for the disk space and, within a factor, takes the
        seconds that are predicted."""
        for options in ([], ["-d", "--check"], ["--format", "npy", "--sources", "5-99"],
                        ["--measures=m", "--check"], ["--measures=m", "--sources", "5-299"], ["-t", 3],
                        ["-d", "--targets", "5-99"], ["--measures=m", "--betweenness"]):
            answer = json.loads(self.succeeds("apsp", "--plan", "g", "--json", *options).out)
            self.assertEqual(answer["fits"], True)
            planned = {engine["engine"]: engine["memory"] for engine in answer["engines"]}
            seconds = {engine["engine"]: engine["solve_s"] for engine in answer["engines"]}
            for engine in ("cpu:johnson", "cpu:multisource", "cpu:blocked32"):
                with self.subTest(options=options, engine=engine):
                    self.remove_results()
                    target = [] if "--measures=m" in options else ["-o", "out"]
                    run = self.succeeds("apsp", "-v", engine, "g", "--json", *target, *options)
                    done = json.loads(run.out)
                    # The graph's memory is counted as the allocator rounds it, by up to a page a block.
                    self.assertAlmostEqual(done["memory"]["needed"], planned[engine], delta=4 * 4096)
                    self.assertTrue(1 / 300 < seconds[engine] / done["solve_s"] < 20, (seconds, done))
            written = sum(os.path.getsize(self.path(name)) for name in os.listdir(self.directory)
                          if name.startswith(("out", "m.")))
            self.assertLess(written / answer["disk"], 1.3)
            self.assertGreater(written / answer["disk"], 0.3)

    def remove_results(self):
        for name in os.listdir(self.directory):
            if name != "g":
                os.remove(self.path(name))

    def test_advice(self):
        """Requests that the plan says would fit do fit, and a few rows more do not."""
        env = {"APSP_MEMORY_LIMIT": "7232K"}
        answer = json.loads(self.succeeds("apsp", "--plan", "g", "-t", 2, "--json", env=env).out)
        self.assertEqual(answer["fits"], False)
        advice = answer["advice"]
        self.assertEqual((advice["npy"], advice["distances_only"], advice["measures"]),
                         (False, True, True))
        self.assertLess(advice["vertices"], self.N)
        self.assertGreater(advice["vertices"], self.N // 3)
        text = self.succeeds("apsp", "--plan", "g", "-t", 2, env=env).out.decode()
        said = re.search(r"\nNo engine can solve this. What fits:\n  --distances-only\n"
                         r"  --measures, without --output\n  --sources: up to (\d+)\n"
                         r"  a graph of up to (\d+) vertices, with as many edges each\n\Z", text)
        self.assertEqual([int(number) for number in said.groups()],
                         [advice["sources"], advice["vertices"]])
        most = int(said.group(1))
        self.succeeds("apsp", "g", "-t", 2, "--sources", "0-%d" % (most - 1), env=env)
        for rows in most, most + 2:
            plan = self.succeeds("apsp", "--plan", "g", "-t", 2, "--json", "--sources", "random:%d:1" % rows, env=env)
            self.assertEqual(json.loads(plan.out)["fits"], rows == most)
        for more in (most + most // 50, self.N - 1):
            self.fails(NO_RESOURCE, "1000 vertices need", "apsp", "g", "-t", 2, "-v",
                       "cpu:johnson", "--sources", "0-%d" % more, env=env)
        for n in advice["vertices"], advice["vertices"] + 40:
            self.succeeds("graphgen", "--v", n, "--edges", n * 100, "-o", "n")
            plan = json.loads(self.succeeds("apsp", "--plan", "n", "-t", 2, "--json", env=env).out)
            self.assertEqual(plan["fits"], n == advice["vertices"])
        self.succeeds("apsp", "g", "-t", 2, "--measures", env={"APSP_MEMORY_LIMIT": "4000K"})

    def test_threads_that_fit(self):
        """Fewer threads work where more need too much memory, unless their number is asked for."""
        self.succeeds("graphgen", "--v", 3000, "--edges", 20000, "-o", "f")
        run = ["cpu", "-v", "johnson", "--sources", "0-999", "--measures=m", "--check", "f"]
        threads = {}
        for limit in range(1000, 9000, 250):
            env = {"OMP_NUM_THREADS": "8", "APSP_MEMORY_LIMIT": "%dK" % limit}
            ran = self.run_program(*run, env=env)
            if ran.status != OK:
                self.assertEqual((ran.status, threads), (NO_RESOURCE, {}), ran)
                continue
            fewer = re.fullmatch(r"cpu: note: threads: (\d) of 8, as many as there is memory for\n", ran.err)
            threads[limit] = int(fewer[1]) if fewer else 8
            self.assertTrue(fewer or ran.err == "", ran)
            if fewer:
                self.fails(NO_RESOURCE, "3000 vertices need", *run, "-t", 8, env=env)
        self.assertEqual(list(threads.values()), sorted(threads.values()))
        self.assertGreater(len(set(threads.values())), 4)

    def test_each_piece_of_advice(self):
        """What the plan says of an option is what a plan with this option alone says."""
        said = set()
        for limit in range(4000, 10000, 1000):
            def plan(*options):
                return json.loads(self.succeeds("apsp", "--plan", "g", "-t", 1, "--json", *options,
                                                env={"APSP_MEMORY_LIMIT": "%dK" % limit}).out)
            advice = plan()["advice"]
            with self.subTest(limit=limit):
                fits = [plan(*options)["fits"] for options in (["--format", "npy"], ["-d"], ["--measures"])]
                self.assertEqual([advice["npy"], advice["distances_only"], advice["measures"]], fits)
            said.add(tuple(fits))
        self.assertEqual(len(said), 3)  # only measures fit, distances alone do, all do

    def test_verify(self):
        self.write("sparse", Graph(self.N, random_edges(self.N, 5000, lambda u, v: 1 + u % 90)))
        self.write("one", Graph(1, []))
        self.succeeds("cpu", "one", "-o", "one.txt")
        base = self.measured("verify", "one.txt", "-g", "one", "-t", 2)[3]
        one = self.N * 1008 * 4
        # Text is read whole; of NumPy files each thread has a strip of rows.
        for options, result, graph, m, matrices, threads in (
                ([], "r.txt", "g", 100000, 2, 2), (["-d"], "d.txt", "g", 100000, 1, 2),
                (["--format", "npy"], "n", "sparse", 5000, 2, 8)):
            with self.subTest(result):
                self.succeeds("cpu", graph, "-v", "johnson", "-o", result, *options)
                strips = threads * matrices * 32 * 4 * self.N
                rows = matrices * one if result != "n" else threads * matrices * 32 * 4 * 1008
                needed = (rows + 2 * (m * 8 + (self.N + 1) * 8) + strips
                          + threads * 3 * 4 * self.N)
                command = ("verify", result, "-g", graph, "-t", threads)
                status, _, err, resident = self.measured(*command, limit=1.05 * needed)
                self.assertEqual((status, err), (OK, ""))
                self.assertLessEqual(resident - base, 1.05 * needed + BESIDE)
                less = {"APSP_MEMORY_LIMIT": str(int(0.95 * needed))}
                self.fails(NO_RESOURCE, "verify: %s: 1000 vertices need" % result, *command, env=less)
        # Unless somebody asks for so many threads, fewer of them do with less; the last result is a NumPy file.
        told = self.succeeds("verify", "n", "-g", "sparse", "--json", env={**less, "OMP_NUM_THREADS": "8"})
        self.assertLess(json.loads(told.out)["threads"], 8)

    def test_levels(self):
        """Sets of vertices for each of the last levels, as many as the largest weight, are counted."""
        self.succeeds("graphgen", "--v", 6000, "--edges", 24000, "--weights", "1:16", "-o", "steps")
        done = json.loads(self.succeeds("cpu", "steps", "-v", "bfs", "-t", 2, "--measures", "--omit",
                                        "harmonic,histogram", "--json").out)["memory"]
        self.assertLess(done["peak"], done["needed"] + BESIDE)
        self.assertGreater(done["peak"], done["needed"] / 1.5)

    def test_sparse_results(self):
        """A result whose size nobody knows before is refused when more comes than fits."""
        n = 1500
        self.write("graphFile.txt", Graph(n, [(v, (v + 1) % n, 1) for v in range(n)]))
        options = ["graphFile.txt", "--format", "npz", "-o", "r", "-q", "--variant", "johnson"]
        little = {"APSP_MEMORY_LIMIT": "12M"}  # there are 17 MiB of entries
        before = self.files()
        self.fails(NO_RESOURCE, "finite distances needs", "cpu", *options, env=little)
        self.assertEqual(self.files(), before)
        self.succeeds("cpu", *options, "--limit", 700, env=little)
        self.assertEqual(json.loads(self.read("r.json"))["entries"], n * 701)

    def test_graphgen(self):
        """It holds next to nothing, whatever it makes."""
        small = self.measured("graphgen", "--v", 9, "--edges", 9, "-o", "s")[3]
        for name in ("text", "gr", "mtx", "wel"):
            status, _, err, resident = self.measured(
                "graphgen", "--v", 100000, "--edges", 1000000, "--format", name, "-o", "new",
                limit=MIB)
            self.assertEqual((status, err), (OK, ""))
            self.assertLess(resident, small + MIB)
        for family in ("grid", "ring", "tree", "star", "disconnected"):
            status, _, err, resident = self.measured(
                "graphgen", "--v", 100000, "--family", family, "-o", "new", limit=MIB)
            self.assertEqual((status, err), (OK, ""))
            self.assertLess(resident, small + MIB)
        for family, v, needed in (("road", 100000, 100000), ("geometric", 100000, 2400000),
                                  ("knn", 100000, 5600000), ("power-law", 100000, 3200000),
                                  ("rmat", 131072, 76 * 131072)):
            status, _, err, resident = self.measured(
                "graphgen", "--v", v, "--family", family, "--quiet", "-o", "new",
                limit=needed + MIB)
            self.assertEqual((status, err), (OK, ""))
            self.assertLess(resident, small + needed + 2 * MIB)
            self.fails(NO_RESOURCE, "out of memory", "graphgen", "--v", 64 * v, "--family",
                       family, "-o", "s", env={"APSP_MEMORY_LIMIT": "4M"})
        self.fails(NO_RESOURCE, "out of memory: a table of digits needs 117.2 KiB", "graphgen",
                   "--v", 9, "--edges", 9, "-o", "s", env={"APSP_MEMORY_LIMIT": "64K"})

    def test_announced(self):
        """A graph's size is looked at before its edges are, and the line says for which matrices;
        one that has no edges behind it is told so."""
        self.write("large", "20000 5\n")
        for options, parts in (([], "3.0 GiB for 2 matrices"),
                               (["-d"], "1.5 GiB for distances alone")):
            finished = self.fails(NO_RESOURCE, "large: 20000 vertices need %s and 156.3 KiB for "
                                  "the graph at the least; APSP_MEMORY_LIMIT allows 1.0 GiB"
                                  % parts, "cpu", "large", *options,
                                  env={"APSP_MEMORY_LIMIT": "1G"})
            self.assertEqual(finished.out, b"")
        # The size of what comes through a pipe is not known.
        self.fails(NO_RESOURCE, "cpu: standard input: 10 vertices need 2.2 GiB to read the graph",
                   "cpu", "-", stdin="10 100000000\n0 1 1\n", env={"APSP_MEMORY_LIMIT": "1G"})
        self.write("lie", "10 100000000\n0 1 1\n")
        self.fails(BAD_INPUT, "expected 100000000 edges, found the end of the file after 1", "cpu",
                   "lie", env={"APSP_MEMORY_LIMIT": "1G"})


@unittest.skipIf(SANITIZED, "a sanitized library cannot be loaded into Python")
class Python(MemoryTest):
    """The package's own copies are asked for before as well."""

    SCRIPT = """if True:
        import os, sys
        sys.path.insert(0, %r)
        import numpy, apsp
        n = 1200
        weights = numpy.zeros((n, n))
        weights[0, 1] = 1
        for limit in %r:
            os.environ["APSP_MEMORY_LIMIT"] = str(limit)
            try:
                apsp.floyd_warshall(weights, return_predecessors=%r, engine="cpu:johnson")
                print("done")
            except MemoryError as error:
                print(error)
        """

    def test_copies(self):
        n = 1200
        if subprocess.run([sys.executable, "-c", "import numpy"], stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            self.skipTest("no NumPy")
        for pred, needed in ((True, (8 + 4) * n * n), (False, 8 * n * n)):
            script = self.SCRIPT % (os.path.join(REPOSITORY, "python"),
                                    [needed + 8 * MIB, needed - MIB], pred)
            done = subprocess.run([sys.executable, "-c", script], env=environment(),
                                  stdout=subprocess.PIPE, check=True, text=True)
            lines = done.stdout.splitlines()
            self.assertEqual((len(lines), lines[0]), (2, "done"), lines)
            self.assertRegex(lines[1], r"in memory: 1200 vertices need [\d.]+ MiB for the caller.*; "
                             r"APSP_MEMORY_LIMIT allows")


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
class Bombs(MemoryTest):
    """Little in a file, much in memory."""

    def bomb(self, head, line, lines):
        """A file of gzip whose lines come to 200 times its size."""
        block = line * 20000
        with gzip.open(self.path("g"), "wb", 6) as file:
            file.write(head)
            for _ in range(lines // 20000):
                file.write(block)

    def test_edges_that_keep_coming(self):
        limit = 64 * MIB
        base = self.empty_run("cpu")
        for name, head, line in (("wel", b"", b"0 1 1\n"),
                                 ("text", b"2 9000000\n", b"0 1 1\n"),
                                 ("mtx", b"%%MatrixMarket matrix coordinate pattern symmetric\n"
                                  b"2 2 9000000\n", b"1 2\n")):
            with self.subTest(name):
                self.bomb(head, line, 9000000)
                self.assertLess(os.path.getsize(self.path("g")), MIB)
                status, _, err, resident = self.measured("cpu", "g", limit=limit)
                self.assertEqual(status, NO_RESOURCE)
                self.assertRegex(err, r"\Acpu: (g: 2 vertices need|g has more than \d+ edges: ).*; "
                                 r"APSP_MEMORY_LIMIT allows 64.0 MiB\n\Z")
                self.assertLess(resident, base + limit + BESIDE)

    def test_dictionary(self):
        """That xz asks for before it decompresses anything: 64 MiB."""
        self.write("g", lzma.compress(b"3 1\n0 1 5\n", preset=9))
        finished = self.run_program("cpu", "g", env={"APSP_MEMORY_LIMIT": "32M"})
        if finished.status == BAD_INPUT and "this build does not read" in finished.err:
            self.skipTest("built without liblzma")
        self.assertEqual(finished.status, NO_RESOURCE)
        self.assertRegex(finished.err, r"\Acpu: out of memory: g needs 64.0 MiB more than .*; "
                                       r"APSP_MEMORY_LIMIT allows 32.0 MiB\n\Z")

    def test_a_line_that_does_not_end(self):
        limit = 16 * MIB
        self.write("graph", Graph(1, []))
        base = self.empty_run("cpu")
        for head in (b"|V| = 1000000, |E| = 1\n\n", b""):
            self.bomb(head, b" " * 5, 9000000)
            status, _, err, resident = self.measured("verify", "g", "-g", "graph", limit=limit)
            self.assertIn(status, (BAD_INPUT, NO_RESOURCE), err)
            self.assertLess(resident, base + limit + BESIDE)


class Malformed(ProgramTest):
    """A limit that makes no sense is refused, and not taken for none."""

    WRONG = ("0", "-1", "+5", "abc", "1e9", "1.5G", "12 G", " 12", "12 ", "1GB", "5KiBs", "K",
             "0x1000", "9223372036854775808", "99999999999999999999999", "9999999T", "1g")
    RIGHT = (("67108864", 67108864), ("65536K", 67108864), ("64M", 67108864),
             ("64MiB", 67108864), ("1G", 2**30), ("2GiB", 2**31), ("9223372036854775807", None),
             ("8388607T", None), ("", None))

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", Graph(2, [(0, 1, 1)]))
        self.succeeds("cpu", "-o", "output.txt")

    def test_wrong(self):
        commands = [("cpu", "-o", "new"), ("apsp", "-o", "new"), ("apsp", "--plan"),
                    ("cuda_simple", "-o", "new"), ("verify", "output.txt"),
                    ("graphgen", "--v", 3, "--edges", 2, "-o", "new")]
        for text in self.WRONG:
            for program, *args in commands if text == "abc" else commands[:1]:
                with self.subTest(text=text, program=program):
                    before = self.files()
                    self.fails(BAD_INPUT, "APSP_MEMORY_LIMIT: expected a number of bytes from 1 "
                               "to 9223372036854775807, or of K, M, G or T (powers of 1024), "
                               "found '%s'" % text, program, *args,
                               env={"APSP_MEMORY_LIMIT": text})
                    self.assertEqual(self.files(), before)

    def test_right(self):
        for text, limit in self.RIGHT:
            with self.subTest(text):
                finished = self.succeeds("cpu", "--json", env={"APSP_MEMORY_LIMIT": text})
                memory = json.loads(finished.out)["memory"]
                if limit is not None:
                    self.assertEqual((memory["limit"], memory["limited_by"]),
                                     (limit, "APSP_MEMORY_LIMIT"))
                else:
                    self.assertNotEqual(memory["limited_by"], "APSP_MEMORY_LIMIT")

    def test_machine(self):
        """Without a variable, no more than there is."""
        memory = json.loads(self.succeeds("cpu", "--json").out)["memory"]
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertLess(memory["limit"], physical)
        self.assertIn(memory["limited_by"], ("machine", "cgroup"))


@unittest.skipIf(SANITIZED, "sanitizers reserve address space")
class ResourceLimits(MemoryTest):
    """ulimit -v and -d: refused before, with the line that says so."""

    def test_limits(self):
        self.write("g", Graph(3000, [(0, 1, 1)]))  # 69 MiB
        for name, words in (("RLIMIT_AS", "the limit of the address space (ulimit -v) leaves"),
                            ("RLIMIT_DATA", "the limit of data (ulimit -d) leaves")):
            with self.subTest(name):
                self.fails(NO_RESOURCE, words, "cpu", "g", "-o", "out.txt",
                           preexec_fn=limited(**{name: 70 * MIB}))
                finished = self.succeeds("cpu", "g", "-v", "johnson", "-t", 2, "--json", "-o",
                                         "out.txt",
                                         preexec_fn=limited(**{name: 400 * MIB}))
                memory = json.loads(finished.out)["memory"]
                self.assertEqual(memory["limited_by"], name)
                self.assertLess(memory["limit"], 400 * MIB)


class ControlGroup(MemoryTest):
    """A control group of the test's own, if this user may make one."""

    def make_group(self):
        """(folder, name of the file with its limit) of a group in that of this process, or in one
        around it."""
        with open("/proc/self/mountinfo") as file:
            mounts = [line.split() for line in file]
        with open("/proc/self/cgroup") as file:
            groups = [line.rstrip("\n").split(":", 2) for line in file]
        for mount in mounts:
            kind, options = mount[mount.index("-") + 1], mount[-1].split(",")
            if kind == "cgroup2":
                name, mine = "memory.max", [g for n, c, g in groups if n == "0" and c == ""]
            elif kind == "cgroup" and "memory" in options:
                name, mine = ("memory.limit_in_bytes",
                              [g for _, c, g in groups if "memory" in c.split(",")])
            else:
                continue
            for around in {(mine or ["/"])[0], "/"}:
                folder = os.path.join(mount[4], around.lstrip("/"), "apsp-test-%d" % os.getpid())
                try:
                    os.mkdir(folder)
                except OSError:
                    continue
                self.addCleanup(self.remove_group, folder)
                if os.access(os.path.join(folder, name), os.W_OK):
                    return folder, name
        self.skipTest("this user may make no control group with a limit to memory")

    @staticmethod
    def remove_group(folder):
        for _ in range(100):
            try:
                os.rmdir(folder)
                return
            except OSError:  # its last process is still on its way out
                time.sleep(0.05)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_limit(self):
        """If a container would end a run, it is refused; if it is not refused, it is not
        ended."""
        self.write("g", Graph(2000, [(0, 1, 1)]))
        folder, name = self.make_group()

        def enter():
            default_signals()
            with open(os.path.join(folder, "cgroup.procs"), "w") as procs:
                procs.write(str(os.getpid()))

        seen = set()
        for mebibytes in (8, 16, 24, 31, 33, 36, 48, 64):
            with open(os.path.join(folder, name), "w") as file:
                file.write(str(mebibytes * MIB))
            # Pages of a file that are not on the disk yet would count as the program's.
            status, out, err, _ = self.measured("cpu", "g", "-v", "johnson", "--json", "-o",
                                                "/dev/null", preexec_fn=enter)
            what = (mebibytes, status, out, err)
            self.assertIn(status, (OK, NO_RESOURCE), what)
            if status == NO_RESOURCE:
                self.assertRegex(err, r"\Acpu: g: 2000 vertices need 30.\d MiB for 2 matrices.*; "
                                 r"this container \(control group\) may use [\d.]+ MiB\n\Z")
            else:
                memory = json.loads(out)["memory"]
                self.assertEqual(memory["limited_by"], "cgroup")
                self.assertLessEqual(memory["limit"], mebibytes * MIB)
            seen.add((mebibytes > 33, status))
        self.assertIn((False, NO_RESOURCE), seen)
        self.assertIn((True, OK), seen)


# This script prints the bytes that 1200 rows of a ring hold, or the ring's measures, above those of
# `import`.
STREAMED = """
import sys
import numpy
from scipy import sparse
import apsp

n, what = int(sys.argv[2]), sys.argv[1]
ring = sparse.csr_matrix((numpy.ones(n), (numpy.arange(n), (numpy.arange(n) + 1) % n)))

def held(name):
    with open("/proc/self/status") as status:
        return 1024 * int(next(line for line in status if line.startswith(name)).split()[1])

apsp.measures(ring[:1, :1])
before = held("VmRSS")
if what == "measures":
    assert apsp.measures(ring, threads=2).diameter == n - 1
else:
    blocks = apsp.rows(ring, range(1200), block=16, in_order=what == "ordered", threads=2)
    assert sum(dist.sum() for _, dist in blocks) == 1200 * n * (n - 1) / 2
print(held("VmHWM") - before)
"""


@unittest.skipIf(SANITIZED, "a sanitized library needs a sanitized Python")
class Streamed(ProgramTest):
    """Rows and measures in Python, by the library: in memory for some rows."""

    def test_rows_and_measures(self):
        try:
            from scipy import sparse  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            self.skipTest("SciPy is not installed")
        self.write("script.py", STREAMED)
        library = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib/libapsp.so.0.2")
        for what, n, limit in (("rows", 40000, 80), ("ordered", 40000, 100), ("measures", 12000, 40)):
            with self.subTest(what):
                done = subprocess.run(
                    [sys.executable, self.path("script.py"), what, str(n)], check=False, timeout=TIMEOUT_S,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    env=environment(PYTHONPATH=os.path.join(REPOSITORY, "python"),
                                    PYTHONDONTWRITEBYTECODE="1", APSP_LIBRARY=library,
                                    APSP_MEMORY_LIMIT="%dM" % limit))
                self.assertEqual((done.returncode, done.stderr), (OK, ""))
                self.assertLess(int(done.stdout), limit * MIB + 8 * BESIDE)


if __name__ == "__main__":
    unittest.main()
