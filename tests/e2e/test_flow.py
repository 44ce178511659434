# SPDX-License-Identifier: MIT
"""From a graph to a proved answer, the way the README shows it, and the worked
examples of the thesis, byte by byte."""

import csv
import re
import shutil
import subprocess
import unittest

from support import (BAD_INPUT, GPU_SOLVERS, NO_RESOURCE, OK, SOLVERS, TIMEOUT_S, GpuTest, Graph,
                     ProgramTest, describes_shortest_paths, distances_of, environment, gpu_missing,
                     graph_of_text, parse_result, solved)


def rows(text):
    """A matrix as DESIGN.md prints it: '.' is no path."""
    return [[None if word == "." else int(word) for word in line.split()]
            for line in text.strip().split("\n")]


def graph_of_matrix(text):
    matrix = rows(text)
    return Graph(len(matrix), [(i, j, w) for i, row in enumerate(matrix)
                               for j, w in enumerate(row) if i != j and w is not None])


EXAMPLE_6 = graph_of_matrix("""
    0 5 . 2 .
    . 0 2 . .
    3 . 0 . 7
    . . 4 0 1
    1 3 . . 0""")
EXAMPLE_6_TEXT = (
    b"|V| = 5, |E| = 9\n"
    b"\n"
    b"0\t5\t6\t2\t3\n"
    b"5\t0\t2\t7\t8\n"
    b"3\t8\t0\t5\t6\n"
    b"2\t4\t4\t0\t1\n"
    b"1\t3\t5\t3\t0\n"
    b"\n"
    b"-1\t0\t3\t0\t3\n"
    b"2\t-1\t1\t0\t3\n"
    b"2\t0\t-1\t0\t3\n"
    b"4\t4\t3\t-1\t3\n"
    b"4\t4\t1\t0\t-1\n")

EXAMPLE_7 = graph_of_matrix("""
    0 5 9 .
    . 0 1 .
    . . 0 2
    . 3 . 0""")
EXAMPLE_7_TEXT = (
    b"|V| = 4, |E| = 5\n"
    b"\n"
    b"0\t5\t6\t8\n"
    b"INF\t0\t1\t3\n"
    b"INF\t5\t0\t2\n"
    b"INF\t3\t4\t0\n"
    b"\n"
    b"-1\t0\t1\t2\n"
    b"-1\t-1\t1\t2\n"
    b"-1\t3\t-1\t2\n"
    b"-1\t3\t1\t-1\n")

# Two shortest paths lead from d to c: the distances alone are golden.
FIGURE_2_3 = Graph(5, [(0, 1, 1), (1, 2, 2), (2, 3, 2), (2, 4, 4), (3, 1, 1), (3, 2, 3),
                       (4, 3, 5)])
FIGURE_2_3_TEXT = (
    b"|V| = 5, |E| = 7\n"
    b"\n"
    b"0\t1\t3\t5\t7\n"
    b"INF\t0\t2\t4\t6\n"
    b"INF\t3\t0\t2\t4\n"
    b"INF\t1\t3\t0\t7\n"
    b"INF\t6\t8\t5\t0\n")


class Readme(ProgramTest):
    """An empty directory, bin/ on the PATH, no options but the generator's."""

    def shell(self, line):
        return subprocess.run(line, shell=True, cwd=self.directory, env=environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                              universal_newlines=True, check=False)

    def test_generate_solve_verify(self):
        done = self.shell("graphgen --v 300 --density 2%")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertEqual(self.files(), ["graphFile.txt"])
        done = self.shell("cpu")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertEqual(self.files(), ["graphFile.txt", "output.txt"])
        done = self.shell("verify output.txt")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertRegex(done.stdout, r"^output\.txt is proved for graphFile\.txt\b")
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(self.files(), ["graphFile.txt", "output.txt"])

    def test_answer_is_right_by_independent_reference(self):
        self.succeeds("graphgen", "--v", "120", "--density", "2%")
        self.succeeds("cpu")
        graph = graph_of_text(self.read("graphFile.txt").decode("ascii"))
        result = self.result()
        self.assertEqual((result.n, result.m), (120, len(graph.edges)))
        self.assertEqual(result.dist, distances_of(graph))
        self.assertTrue(describes_shortest_paths(graph, result.dist, result.pred))

    def test_without_a_graph(self):
        for program in ("cpu",) + GPU_SOLVERS:
            with self.subTest(program):
                self.fails(BAD_INPUT, "graphFile.txt", program)
        self.fails(BAD_INPUT, "graphFile.txt", "verify", "output.txt")
        self.assertEqual(self.files(), [])


class Golden(ProgramTest):

    def solve(self, graph, text, *options):
        self.write("graphFile.txt", graph)
        self.succeeds("cpu", *options)
        written = self.read("output.txt")
        self.assertEqual(written[:len(text)], text)
        notes = written[len(text):]
        self.assertTrue(notes.endswith(b"\n"))
        for line in notes[:-1].split(b"\n"):
            self.assertTrue(line.startswith(b"# "), "%r after the matrices" % line)
        return notes

    def test_example_6(self):
        self.solve(EXAMPLE_6, EXAMPLE_6_TEXT)
        self.proves("output.txt")

    def test_example_7(self):
        self.solve(EXAMPLE_7, EXAMPLE_7_TEXT)
        self.proves("output.txt")

    def test_figure_2_3(self):
        self.write("graphFile.txt", FIGURE_2_3)
        self.succeeds("cpu")
        self.assertTrue(self.read("output.txt").startswith(FIGURE_2_3_TEXT + b"\n"))
        result = self.result()
        self.assertTrue(describes_shortest_paths(FIGURE_2_3, result.dist, result.pred))
        self.proves("output.txt")

    def test_figure_2_3_distances_only(self):
        notes = self.solve(FIGURE_2_3, FIGURE_2_3_TEXT, "--distances-only")
        self.assertTrue(notes.startswith(b"# predecessors: none\n"))
        self.proves("output.txt")

    def test_printed_matrices_are_proved_as_they_stand(self):
        """The thesis's own numbers, with nothing of ours in the file."""
        for graph, text in ((EXAMPLE_6, EXAMPLE_6_TEXT), (EXAMPLE_7, EXAMPLE_7_TEXT)):
            self.write("graphFile.txt", graph)
            self.write("printed.txt", text)
            self.proves("printed.txt")

    def test_notes_after_the_matrices(self):
        self.write("graphFile.txt", EXAMPLE_6)
        self.succeeds("cpu")
        result = self.result()
        self.assertEqual(result.note("solver"), "cpu sequential")
        self.assertEqual(result.note("graph"), "graphFile.txt")
        self.assertRegex(result.note("graph checksum"), r"^[0-9a-f]{8}$")
        self.assertLessEqual(0, float(result.note("solve_s")))
        self.assertLessEqual(float(result.note("solve_s")), float(result.note("total_s")))

    def test_one_vertex(self):
        self.solve(Graph(1, []), b"|V| = 1, |E| = 0\n\n0\n\n-1\n")
        self.proves("output.txt")

    def test_a_control_character_in_the_graph_name_stays_on_its_line(self):
        name = self.write("two\nlines.txt", EXAMPLE_6)
        self.succeeds("cpu", name)
        self.assertEqual(self.result().note("graph"), "two?lines.txt")
        self.proves("--graph", name, "output.txt")


class WithoutGpu(ProgramTest):
    """The GPU programs where there is no GPU for them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.missing = gpu_missing()

    def setUp(self):
        super().setUp()
        if self.missing is None:
            self.skipTest("this machine has a usable GPU")
        self.write("graphFile.txt", EXAMPLE_6)

    def test_solving_exits_4_with_the_reason(self):
        for program in GPU_SOLVERS:
            for options in ([], ["--distances-only"], ["--check"], ["-o", "-"],
                            ["--format", "npy"], ["--csv", "times.csv"]):
                with self.subTest(program=program, options=options):
                    finished = self.fails(NO_RESOURCE, "no usable GPU: ", program, *options)
                    self.assertEqual(finished.out, b"")
                    self.assertEqual(self.files(), ["graphFile.txt"])

    def test_old_output_stays(self):
        for program in GPU_SOLVERS:
            with self.subTest(program):
                self.write(SOLVERS[program], "old")
                self.fails(NO_RESOURCE, "no usable GPU: ", program)
                self.assertEqual(self.read(SOLVERS[program]), b"old")

    def test_bad_input_is_still_told_apart(self):
        self.write("graphFile.txt", "2 1\n0 7 1\n")
        for program in GPU_SOLVERS:
            with self.subTest(program):
                self.fails(BAD_INPUT, "graphFile.txt:2: ", program)


class WithGpu(GpuTest):
    """The GPU programs on a GPU. Every program start costs a CUDA context, so
    that only a few sizes are run here; the unit tests run them all."""

    SIZES = (1, 33, 64, 97, 193)

    def test_readme(self):
        self.succeeds("graphgen", "--v", "300", "--density", "2%")
        for program in GPU_SOLVERS:
            with self.subTest(program):
                self.succeeds(program)
                self.proves(SOLVERS[program])

    def test_golden_distances(self):
        for graph in (EXAMPLE_6, EXAMPLE_7, FIGURE_2_3):
            self.write("graphFile.txt", graph)
            for program in GPU_SOLVERS:
                with self.subTest(program=program, n=graph.n):
                    self.succeeds(program)
                    self.assertEqual(self.result(SOLVERS[program]).dist, solved(graph).dist)
                    self.proves(SOLVERS[program])

    def test_every_variant_gives_the_distances_of_cpu_at_every_size(self):
        for n in self.SIZES:
            self.succeeds("graphgen", "--v", n, "--density", "10%", "--weights", "-9:30",
                          "--no-negative-cycle", "--seed", n)
            self.succeeds("cpu")
            expected = self.result().dist
            for program in GPU_SOLVERS:
                listed = self.succeeds(program, "--list-variants").out.decode("utf-8")
                for variant in (line.split()[0] for line in listed.splitlines()):
                    for options in ([], ["--distances-only"]):
                        with self.subTest(program=program, variant=variant, n=n, options=options):
                            args = ["--variant", variant, "-o", "out.txt"] + options
                            finished = self.run_program(program, *args)
                            refused = finished.status == BAD_INPUT
                            if refused and not options and "no predecessors" in finished.err:
                                continue
                            if refused and "is not exact for this graph" in finished.err:
                                continue
                            self.assertEqual((finished.status, finished.err), (OK, ""))
                            self.assertEqual(self.result("out.txt").dist, expected)
                            self.proves("out.txt")

    def test_memory_and_transfers_are_reported(self):
        self.succeeds("graphgen", "--v", "300", "--density", "2%")
        for program in GPU_SOLVERS:
            with self.subTest(program):
                finished = self.succeeds(program, "--csv", "times.csv")
                lines = finished.out.decode("utf-8").splitlines()
                stated = re.match(r"memory   [\d.]+ GiB of [\d.]+ GiB free on the GPU; "
                                  r"up to \|V\| = (\d+) fits$", lines[0])
                self.assertIsNotNone(stated, lines[0])
                self.assertGreater(int(stated.group(1)), 300)
                self.assertTrue(any(re.match(r"transfer [\d.]+ % of total_s$", line)
                                    for line in lines), lines)
                with open(self.path("times.csv"), encoding="utf-8") as file:
                    row = list(csv.DictReader(file))[-1]
                self.assertTrue(0 < float(row["transfer_s"]) < float(row["total_s"]))

    def test_no_such_device(self):
        self.write("graphFile.txt", EXAMPLE_6)
        for program in GPU_SOLVERS:
            with self.subTest(program):
                self.fails(NO_RESOURCE, "no usable GPU: ", program, "--device", "1000")


class Moved(ProgramTest):
    """Programs need nothing beside them."""

    def test_cpu_alone_in_another_place(self):
        shutil.copy(shutil.which("cpu", path=environment()["PATH"]), self.path("my-solver"))
        self.write("graphFile.txt", EXAMPLE_7)
        done = subprocess.run([self.path("my-solver"), "-o", "-"], cwd=self.directory,
                              env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, OK)
        self.assertEqual(parse_result(done.stdout).dist, solved(EXAMPLE_7).dist)


if __name__ == "__main__":
    unittest.main()
