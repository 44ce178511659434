# SPDX-License-Identifier: MIT
"""Several processes, started by mpirun, divide the rows of a solve. What they write is, byte for byte
but for the seconds, what one process writes; when one of them dies all end, and there is no result."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import (BAD_INPUT, BIN, NO_RESOURCE, NOWHERE, OK, SANITIZED, TIMEOUT_S, ProgramTest,
                     default_signals, environment)

MODULE = os.path.join(os.path.dirname(BIN), "lib", "apsp_mpi.so")
LAUNCHER = shutil.which("mpirun")
# As root and with more processes than cores, which Open MPI otherwise refuses.
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


@unittest.skipIf(LAUNCHER is None, "mpirun is missing")
@unittest.skipUnless(os.path.exists(MODULE), "built without MPI")
@unittest.skipIf(SANITIZED, "MPI's own memory is not ours to check")
class RanksTest(ProgramTest):
    mpi = {} # how processes reach one another

    def launch(self, count, *args, program=("cpu",), **changes):
        """mpirun, running `count` processes of a solver."""
        process = subprocess.Popen([LAUNCHER, "-np", str(count), *program, *args],
                                   cwd=self.directory,
                                   env=environment(**{**ALLOWED, **self.mpi, **changes}), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=default_signals)
        self.addCleanup(self.end, process)
        return process

    def together(self, count, *args, **changes):
        """Runs them to their end: status, output, and the solver's lines on stderr."""
        process = self.launch(count, *args, **changes)
        out, err = process.communicate(timeout=TIMEOUT_S)
        return process.returncode, out, re.findall(r"^(?:cpu|cuda_\w+|apsp): .*", err, re.MULTILINE)

    def graph(self, *args):
        self.succeeds("graphgen", *args, "-o", "g.gr")
        return "g.gr"


def without_times(text):
    """A sidecar or a report without what differs between two runs."""
    return re.sub(r'"(solve_s|total_s)": [^,\n]*', "", text.decode())


class SameBytes(RanksTest):

    def compare(self, graph, count, *args):
        """One process and `count` of them write the same files."""
        self.succeeds("cpu", graph, "--format", "npy", "-o", "alone", "--measures=alone.m",
                      *args)
        done = self.together(count, graph, "--format", "npy", "-o", "ranks", "--measures=ranks.m",
                             *args)
        self.assertEqual((done[0], done[2]), (OK, []))
        for suffix in (".dist.npy", ".pred.npy", ".m.csv", ".sources.npy"):
            with self.subTest(suffix, count=count, args=args):
                self.assertEqual(os.path.exists(self.path("alone" + suffix)),
                                 os.path.exists(self.path("ranks" + suffix)))
                if os.path.exists(self.path("alone" + suffix)):
                    self.assertEqual(self.read("alone" + suffix), self.read("ranks" + suffix))
        for suffix in (".json", ".m.json"):
            self.assertEqual(without_times(self.read("alone" + suffix)),
                             without_times(self.read("ranks" + suffix)))
        self.proves("ranks.dist.npy", "--graph", graph)

    def compare_measures(self, graph, count, *args):
        """The same of measures alone; what several print."""
        rounding = "weights are rounded to multiples"
        self.succeeds("cpu", graph, "--measures=alone.m", *args, may_note=rounding)
        done = self.together(count, graph, "--measures=ranks.m", *args)
        self.assertEqual((done[0], [line for line in done[2] if rounding not in line]), (OK, []))
        self.assertEqual(self.read("alone.m.csv"), self.read("ranks.m.csv"))
        self.assertEqual(without_times(self.read("alone.m.json")),
                         without_times(self.read("ranks.m.json")))
        return done[1]

    def test_variants(self):
        """2, 3 and 7 ranks, with rows that fill no strip."""
        graph = self.graph("--v", "613", "--density", "1%", "--weights", "0:50")
        self.compare(graph, 3, "--variant", "multisource", "--check")
        self.compare(graph, 2, "--variant", "johnson")
        self.compare(graph, 7, "--variant", "dissection")

    def test_blocked(self):
        """Rows of the matrix are dealt out in bands of 96, of which 613 rows fill no whole number;
        17 rows leave ranks without any. Distances beyond 16 bits make all ranks begin again."""
        graph = self.graph("--v", "613", "--density", "2%", "--weights", "0:50")
        self.compare(graph, 2, "--variant", "blocked", "--check", "--threads", "2")
        self.compare(graph, 3, "--variant", "blocked32", "--sources", "17,600,3-9,612")
        self.compare(graph, 7, "--variant", "blocked16", "-d", "--limit", "40")
        self.compare(self.graph("--v", "17", "--density", "20%"), 4, "--variant", "blocked")
        self.compare(self.graph("--v", "300", "--density", "1%", "--weights", "1:30000"), 3,
                     "--variant", "blocked")

    def test_unequal_threads(self):
        """One process has 96 of 128 rows, which two threads hand on, and another 32 for one."""
        graph = self.graph("--v", "128", "--density", "4%")
        for args in ("-v", "blocked16"), ("-v", "blocked32", "-d", "--check"):
            self.compare(graph, 2, "--threads", "2", *args)
            self.compare_measures(graph, 3, "--threads", "2", *args)
        self.write("r.gr", "p sp 128 127\n" + "".join("a %d %d 1.25\n" % (v, v + 1) for v in range(1, 128)))
        self.compare_measures("r.gr", 2, "--threads", "2", "-v", "blocked", "--type", "float32")

    def test_sockets(self):
        """Rows are the same without shared memory, as between hosts."""
        self.mpi = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,tcp", "OMPI_MCA_btl_tcp_if_include": "lo",
                    "OMPI_MCA_osc": "^sm"}
        graph = self.graph("--v", "1500", "--density", "1%")
        for variant in "johnson", "blocked":
            self.compare(graph, 3, "--variant", variant, "--threads", "1")

    def test_negative(self):
        """Potentials are found by every rank."""
        self.compare(self.graph("--v", "300", "--density", "2%", "--weights=-3:60"), 3,
                     "--variant", "multisource")

    def test_real(self):
        """Sums of real distances are the same bits in whatever order ranks add them."""
        graph = self.graph("--v", "300", "--density", "2%")
        text, edges = re.subn(r"^(\d+ \d+) (\d+)$", r"\1 \2.37", self.read(graph).decode(),
                              flags=re.MULTILINE)
        self.assertEqual(edges, 1794)
        self.write("r.gr", text)
        self.compare("r.gr", 3, "--variant", "multisource")
        self.compare("r.gr", 2, "--variant", "dissection")

    def test_dissection(self):
        """A road, and graphs that do not pay, of which another variant claims the rows."""
        ends = [(v, v + 1) for v in range(299)]
        self.write("road", "p sp 300 598\n" + "".join(
            "a %d %d %d\na %d %d %d\n" % (u + 1, v + 1, u % 7 + 1, v + 1, u + 1, u % 7 + 1)
            for u, v in ends))
        self.compare("road", 3, "--variant", "dissection")
        self.compare_measures("road", 2, "--variant", "dissection")
        self.write("small", "p sp 3 2\na 1 2 1\na 2 3 1\n")
        self.write("negative", "p sp 3 2\na 1 2 -1\na 2 3 1\n")
        for graph in "small", "negative":
            self.compare(graph, 2, "--variant", "dissection")

    def road(self, *args):
        return self.graph("--family", "road", "--v", "20000", "--seed", "3", *args)

    def compare_sums(self, graph, count, *args):
        """Measures from sums of proportional rows, of which processes claim 4096 sources at a time."""
        printed = self.compare_measures(graph, count, "--variant", "dissection", "--omit",
                                        "harmonic,histogram", "--json", *args)
        ranks = json.loads(printed)["ranks"] or [{"rows": 20000}]
        rows = [rank["rows"] for rank in ranks]
        self.assertEqual((len(rows), sum(rows)), (count, 20000))
        self.assertLessEqual(sum(some % 4096 > 0 for some in rows), 1, rows)

    def test_levels(self):
        """Totals by breadth-first search, more processes than strips of sources, and a chain whose
        levels are too many to be proved, so that rows are claimed once more; weights alike and not."""
        for n, count in (("1", 2), ("513", 3), ("1025", 2)):
            graph = self.graph("--v", n, "--edges", str(3 * int(n) - 3), "--weights", "7:7")
            self.compare_measures(graph, count, "--variant", "bfs", "--check")
            self.compare_measures(graph, count, "--variant", "bfs")
        self.write("chain.gr", "p sp 600 599\n" + "".join(
            "a %d %d 2\n" % (v, v + 1) for v in range(1, 600)))
        self.compare_measures("chain.gr", 2, "--variant", "bfs", "--check")
        graph = self.graph("--v", "1025", "--edges", "3000", "--weights", "1:3")
        for count in 2, 3:
            self.compare_measures(graph, count, "--variant", "bfs", "--check")
        self.write("chain.gr", "p sp 600 599\n" + "".join(
            "a %d %d %d\n" % (v, v + 1, 1 + v % 2) for v in range(1, 600)))
        self.compare_measures("chain.gr", 2, "--variant", "bfs", "--check")

    def test_sums(self):
        """Sums are right, proved or not, from 1 to 3 processes."""
        graph = self.road()
        self.compare_sums(graph, 1, "--check")
        self.compare_sums(graph, 2)
        self.compare_sums(graph, 3, "--check")

    def test_sums_of_columns(self):
        """Sums of columns, too, are right for a directed graph, and measures of some rows alone."""
        graph = self.road("--asymmetric", "--weights", "1:100")
        self.compare_sums(graph, 2, "--check")
        self.compare_sums(graph, 3)
        self.compare_measures(graph, 2, "--variant", "dissection", "--omit", "harmonic,histogram",
                              "--check", "--sources", "5-9999")

    def test_sums_on_a_grid(self):
        """Sums of real weights that are rounded are right in float64, in both directions."""
        for options in ([], ["--asymmetric", "--weights", "1:100000"]):
            graph = self.road("--decimals", "4", *options)
            self.compare_sums(graph, 2, "--check")

    def test_some_rows(self):
        """More ranks than strips, so that some have nothing to do."""
        self.compare(self.graph("--v", "200", "--density", "4%"), 4, "--variant", "multisource",
                     "--sources", "3,17,40-49")

    def test_report(self):
        """Rank 0 alone reports, and says what each did; they share the threads of their host."""
        graph = self.graph("--v", "500", "--density", "2%")
        status, out, lines = self.together(3, graph, "--variant", "multisource", "--measures=m",
                                           "--json", OMP_NUM_THREADS="6")
        self.assertEqual((status, lines), (OK, []))
        ranks = json.loads(out)["ranks"]
        self.assertEqual([rank["threads"] for rank in ranks], [2, 2, 2])
        self.assertEqual(sum(rank["rows"] for rank in ranks), 500)
        self.assertTrue(all(rank["peak"] > 0 and rank["host"] for rank in ranks))
        self.assertIsNone(json.loads(self.succeeds(
            "cpu", graph, "--variant", "multisource", "--measures=m", "--json").out)["ranks"])


class Refused(RanksTest):

    def refuses(self, status, expected, *args, count=2, **changes):
        done = self.together(count, *args, **changes)
        self.assertEqual(done[0], status, done)
        self.assertTrue(done[2], done)
        for line in done[2]:
            self.assertIn(expected, line)
        return done[2]

    def test_refused(self):
        """One line, of rank 0, for what several processes cannot do."""
        graph = self.graph("--v", "20", "--density", "10%")
        before = self.files()
        for args, expected in (((), "variant sequential cannot be divided among 2 processes"),
                               (("-v", "multisource"), "--format: expected npy"),
                               (("-v", "multisource", "--format", "npz"), "expected npy"),
                               (("-v", "multisource", "--format", "npy", "--resume"), "--resume"),
                               (("-v", "multisource", "--measures", "--repeat", "2"), "--repeat"),
                               (("-v", "johnson", "--format", "npy:auto"), "npy:auto"),
                               (("--nonsense",), "unrecognized option")):
            with self.subTest(args):
                self.assertEqual(len(self.refuses(BAD_INPUT, expected, graph, *args)), 1)
        self.assertEqual(len(self.refuses(BAD_INPUT, "cannot open none.gr", "none.gr", "-v",
                                          "multisource", "--measures")), 1)
        self.refuses(NO_RESOURCE, "cannot write %s/x" % NOWHERE, graph, "-v", "multisource",
                     "--format", "npy", "-o", NOWHERE + "/x")
        self.assertEqual(self.files(), before)

    def test_other_graphs(self):
        """Rows of two graphs do not belong together, nor do rows for other sources."""
        self.succeeds("graphgen", "--v", "50", "--edges", "300", "--seed", "1", "-o", "g0")
        self.succeeds("graphgen", "--v", "50", "--edges", "300", "--seed", "2", "-o", "g1")
        self.write("s0", "1 2 3\n")
        self.write("s1", "1 2 4\n")
        for args, expected in ((("--measures", "-v", "multisource"), "expected the graph of rank 0"),
                               (("g0", "--measures", "-v", "johnson"), "--sources: expected those")):
            own = "g" if args[0] == "--measures" else "--sources=@s"
            script = 'exec cpu "$@" %s$OMPI_COMM_WORLD_RANK' % own
            with self.subTest(own):
                lines = self.refuses(BAD_INPUT, expected, *args, program=("sh", "-c", script, "sh"))
                self.assertRegex(lines[0], "rank 1 of 2 on ")
        # of several that fail, the first one is named
        lines = self.refuses(BAD_INPUT, ": cannot open none", "--measures", "-v", "multisource", count=3, program=(
            "sh", "-c", '[ $OMPI_COMM_WORLD_RANK = 0 ] && exec cpu g0 "$@"; exec cpu none "$@"', "sh"))
        self.assertRegex(lines[0], "rank 1 of 3 on ")

    def test_other_options(self):
        """Rows that are solved, proved or written in other ways do not belong together either, nor
        does a process that does something else wait for the others, or let them wait."""
        graph = self.graph("--v", "50", "--density", "10%")
        before = self.files()
        script = '[ $OMPI_COMM_WORLD_RANK = 1 ] && set -- "$@" %s; exec %s "$@"'
        alike = (graph, "-v", "multisource", "--format", "npy")
        for other, option in (("-v johnson", "--variant"), ("--limit 5", "--limit"),
                              ("--format npy:uint8", "--format"), ("--measures", "--output"),
                              ("--check", "--check"), ("-d", "--distances-only"),
                              ("--targets 3", "--targets"), ("--format none", "--format")):
            with self.subTest(other):
                lines = self.refuses(BAD_INPUT, ": %s: expected that of rank 0, found another" % option,
                                     *alike, program=("sh", "-c", script % (other, "cpu"), "sh"))
                self.assertRegex(lines[0], "rank 1 of 2 on ")
        self.write("targets.sh", script % ("--targets=3", "cpu"))
        self.refuses(BAD_INPUT, "--targets: expected those of rank 0", *alike, "--targets=4",
                     program=("sh", self.path("targets.sh")))
        os.remove(self.path("targets.sh"))
        for program, other in ("cpu", "--nonsense"), ("cpu", "--list-variants"), ("apsp", "--plan"):
            with self.subTest(other):
                self.refuses(BAD_INPUT, "found one that ends this process before it solves", graph,
                             "--measures", program=("sh", "-c", script % (other, program), "sh"))
        self.refuses(BAD_INPUT, "unrecognized option", *alike, program=(
            "sh", "-c", '[ $OMPI_COMM_WORLD_RANK = 0 ] && set -- --nonsense; exec cpu "$@"', "sh"))
        self.refuses(BAD_INPUT, "found standard input, which only one has", "-", *alike[1:])
        self.assertEqual(self.files(), before)

    def test_without_module(self):
        graph = self.graph("--v", "20", "--density", "10%")
        self.refuses(NO_RESOURCE, "apsp_mpi.so", graph, "-v", "multisource", "--measures",
                     APSP_MPI=NOWHERE)
        self.write("empty.so", "")
        self.refuses(NO_RESOURCE, "cannot be loaded", graph, "-v", "multisource", "--measures",
                     APSP_MPI=self.path("empty.so"))

    def test_timeout(self):
        graph = self.graph("--v", "20", "--density", "10%")
        lines = self.refuses(BAD_INPUT, "APSP_RANK_TIMEOUT: expected seconds", graph, "-v", "multisource",
                             "--measures", APSP_RANK_TIMEOUT="soon")
        self.assertEqual(len(lines), 1)

    def test_one_process(self):
        """mpirun -np 1 needs nothing of MPI."""
        graph = self.graph("--v", "20", "--density", "10%")
        status, _, lines = self.together(1, graph, APSP_MPI=NOWHERE)
        self.assertEqual((status, lines), (OK, []))


def is_running(process):
    try:
        with open("/proc/%d/stat" % process, encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Deaths(RanksTest):

    def ranks_of(self, process):
        """The processes of cpu that mpirun has started, once all are there."""
        path = "/proc/%d/task/%d/children" % (process.pid, process.pid)
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            with open(path, encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
            if len(children) == 3 and any(name.startswith(".") for name in self.files()):
                return children
            time.sleep(0.01)
        self.fail("the processes did not start")
        return []

    def dies(self, victim):
        """All end and there is no result if a process dies in the middle of a solve, which takes ten
        seconds or more: Open MPI may take seconds to pass a signal on. It may kill rank 0 before it
        has removed its hidden file."""
        graph = self.graph("--v", "30000", "--edges", "3000000")
        process = self.launch(3, graph, "-v", "johnson", "-d", "--sources", "0-1999", "--format",
                              "npy", "-o", "long")
        ranks = self.ranks_of(process)
        victim(process, ranks)
        process.communicate(timeout=TIMEOUT_S)
        self.assertNotEqual(process.returncode, OK)
        self.assertEqual([name for name in self.files() if not name.startswith(".")], [graph])
        self.wait_for_end(ranks)

    def wait_for_end(self, ranks):
        deadline = time.monotonic() + TIMEOUT_S
        while any(is_running(rank) for rank in ranks):
            self.assertLess(time.monotonic(), deadline, "a rank goes on")
            time.sleep(0.01)

    def test_killed_rank(self):
        self.dies(lambda _, ranks: os.kill(ranks[1], signal.SIGKILL))

    def test_stopped(self):
        """A rank that gives no sign of life, be it the one that speaks for all, ends the others, whether
        they compute, claim rows or wait for a band; one of them says why. None is left, not even the
        stopped one."""
        graph = self.graph("--v", "30000", "--edges", "3000000")
        for rank, args in ((0, ("-v", "johnson", "--sources", "0-1999")), (2, ("-v", "blocked"))):
            with self.subTest(rank):
                err = "have not met"
                for _ in range(3):  # on a busy machine a rank may be stopped before it has met the others
                    if "have not met" not in err:
                        break
                    # A hidden file that a killed rank has left tells nothing of the next ranks.
                    for name in self.files():
                        if name.startswith("."):
                            os.unlink(self.path(name))
                    process = self.launch(3, graph, "-d", "--format", "npy", "-o", "long", *args,
                                          APSP_RANK_TIMEOUT="5")
                    ranks = self.ranks_of(process)
                    os.kill(ranks[rank], signal.SIGSTOP)
                    _, err = process.communicate(timeout=TIMEOUT_S)
                    self.assertEqual(process.returncode, NO_RESOURCE)
                self.assertEqual(len(re.findall("^cpu: ", err, re.MULTILINE)), 1, err)
                self.assertRegex(err, r"cpu: rank %d of 3 on \S+: no sign of life for 5 s" % rank)
                self.wait_for_end(ranks)
                self.assertEqual([name for name in self.files() if not name.startswith(".")], [graph])

    def test_interrupted(self):
        self.dies(lambda process, _: process.send_signal(signal.SIGINT))


if __name__ == "__main__":
    unittest.main()
