# SPDX-License-Identifier: MIT
"""Faults: every allocation failing in turn, a disk that is full, signals while a
program solves. What must come of each: one line, the right exit status, no partial
output, the old output as it was."""

import gzip
import json
import os
import re
import resource
import signal
import subprocess
import unittest

from support import (NO_RESOURCE, OK, SANITIZED, TIMEOUT_S, Graph, ProgramTest, default_signals,
                     environment, limited, program_path)

# Built by `make run-tests`; it works in the programs by LD_PRELOAD.
FAILING_MALLOC = os.environ["APSP_FAILING_MALLOC"]

# Negative edges, a cycle of weight zero, a self-loop, an unreachable vertex: every
# step that a solver can take.
GRAPH = Graph(6, [(0, 1, -1), (1, 2, 0), (2, 1, 0), (2, 3, 4), (3, 0, 5), (3, 4, 1), (4, 4, 0)])


def without_seconds(data):
    """Result bytes, or an answer in JSON, without what differs from run to run, and a report of
    apsp without which engine was taken: another where the first one lacks memory."""
    data = re.sub(rb'"(solve_s|total_s|proof_s|peak|limit)":(\[[^\]]*\]|[^,}]*)', b"", data)
    return [line for line in data.split(b"\n") if b"# solve_s" not in line
            and b"# total_s" not in line
            and not line.startswith((b"solve_s", b"total_s", b"note     cpu:",
                                     b"variant  auto: cpu:"))]


@unittest.skipIf(SANITIZED, "sanitizers bring an allocator of their own")
class Allocations(ProgramTest):
    """Not of the GPU programs: CUDA's libraries allocate as they like."""

    COMMANDS = [
        # program, arguments, what it writes
        ("cpu", ["g.gz", "-o", "out.txt"], ["out.txt"]),
        ("cpu", ["g.gz", "-o", "out.txt", "-d", "--check", "--undirected", "--scale", "2",
                 "--repeat", "2"], ["out.txt"]),
        ("cpu", ["g.gz", "-o", "r", "--format", "npy", "--check"],
         ["r.dist.npy", "r.pred.npy", "r.json"]),
        ("cpu", ["g.gz", "-o", "-"], []),
        ("cpu", ["--list-variants"], []),
        ("apsp", ["g.gz", "-o", "out.txt"], ["out.txt"]),
        ("apsp", ["g.gz", "-o", "r", "--format", "npy", "--undirected"],
         ["r.dist.npy", "r.pred.npy", "r.json"]),
        ("cpu", ["g.gz", "-o", "out.txt", "--json", "--repeat", "3"], ["out.txt"]),
        ("cpu", ["--list-variants", "--json"], []),
        ("verify", ["right.txt", "-g", "g.gz", "--path", "0", "4"], []),
        ("verify", ["right.dist.npy", "-g", "g.gz"], []),
        ("verify", ["-q", "distances.txt", "-g", "g.gz", "--from", "0", "--dot"], []),
        ("verify", ["--json", "distances.txt", "-g", "g.gz", "--from", "0", "--path", "0", "4"],
         []),
        ("graphgen", ["--json", "--v", "9", "--edges", "20", "-o", "new"], ["new"]),
        ("cpu", ["g.gz", "--semiring", "min-max", "--check", "-o", "new"], ["new"]),
        ("cpu", ["g.gz", "--semiring", "max-min", "--undirected", "-o", "new"], ["new"]),
        ("verify", ["widest.txt", "--graph", "g.gz", "--quiet"], []),
        ("graphgen", ["--v", "9", "--edges", "20", "--format", "gr", "-o", "new.gr"], ["new.gr"]),
        ("graphgen", ["--v", "9", "--family", "road", "-o", "new"], ["new"]),
        ("graphgen", ["--v", "9", "--family", "geometric", "-o", "new"], ["new"]),
        ("graphgen", ["--v", "9", "--family", "knn", "-o", "new"], ["new"]),
        ("graphgen", ["--v", "9", "--family", "power-law", "-o", "new"], ["new"]),
        ("graphgen", ["--v", "8", "--family", "rmat", "--quiet", "-o", "new"], ["new"]),
    ]

    def setUp(self):
        super().setUp()
        positive = Graph(GRAPH.n, [(u, v, abs(w)) for u, v, w in GRAPH.edges])
        self.write("positive.gz", gzip.compress(positive.text().encode()))
        self.write("negative.gz", gzip.compress(GRAPH.text().encode()))
        self.use("negative.gz")
        self.succeeds("cpu", "g.gz", "-o", "right.txt")
        self.succeeds("cpu", "g.gz", "-o", "right", "--format", "npy")
        self.succeeds("cpu", "g.gz", "-o", "distances.txt", "-d")
        self.succeeds("cpu", "g.gz", "-o", "widest.txt", "--semiring", "max-min")

    def use(self, name):
        self.write("g.gz", self.read(name))

    def run_failing(self, program, args, **settings):
        """Runs a program with the library; its exit status, stdout and stderr."""
        # The program loads the library, not the shell or Python.
        env = {"LD_PRELOAD": FAILING_MALLOC, "OMP_NUM_THREADS": "1"}
        env.update((name, str(value)) for name, value in settings.items())
        done = subprocess.run([program] + args, executable=program_path(program),
                              cwd=self.directory, env=environment(**env), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def check(self, program, args, outputs, right, **settings):
        """One run in which something fails; returns its exit status."""
        for name in outputs:
            self.write(name, "old " + name)
        before = self.files()
        status, out, err = self.run_failing(program, args, **settings)
        what = "%s %s %r: %d %r" % (program, args, settings, status, err)
        self.assertIn(status, (OK, NO_RESOURCE), what)
        self.assertEqual(self.files(), before, what)
        if "--json" in args:  # an answer in any case
            self.assertEqual(json.loads(out)["status"], status, what)
        written = {name: self.read(name) for name in outputs}
        old = {name: b"old " + name.encode() for name in outputs}
        if status == OK:  # done without that memory, and done right
            self.assertEqual(without_seconds(err), right["stderr"], what)
            for name in outputs:
                self.assertEqual(without_seconds(written[name]), right[name], what)
            self.assertEqual(without_seconds(out), right["stdout"], what)
            return status
        # OpenMP's library has its own words, and a line feed before them.
        lines = err.lstrip(b"\n").split(b"\n")
        self.assertEqual((len(lines), lines[-1]), (2, b""), what)
        self.assertTrue(lines[0].startswith((program.encode() + b": ", b"libgomp: ")), what)
        self.assertEqual(written, old, what)
        return status

    def test_each_fails_in_turn(self):
        for program, args, outputs in self.COMMANDS:
            # Both ways, a negative edge is a negative cycle.
            self.use("positive.gz" if "--undirected" in args else "negative.gz")
            with self.subTest(program=program, args=args):
                for name in outputs:
                    self.write(name, "old " + name)
                status, out, err = self.run_failing(program, args, FAIL_COUNT="count")
                self.assertEqual(status, OK, err)
                right = {name: without_seconds(self.read(name)) for name in outputs}
                right["stdout"], right["stderr"] = without_seconds(out), without_seconds(err)
                count = int(self.read("count").split()[0])
                os.remove(self.path("count"))
                self.assertGreater(count, 1)
                statuses = [self.check(program, args, outputs, right, FAIL_AT=number, **more)
                            for number in range(1, count + 1)
                            for more in ({}, {"FAIL_ALL_AFTER": 1})]
                self.assertIn(NO_RESOURCE, statuses)

    def test_all_is_given_back(self):
        """What a program has asked for itself is freed when it ends."""
        self.write("t.csv", "source,target,weight,km\n0,1,2,3\n1,2,2.5,1\n2,0,1,1\n3,2,7,1\n")
        self.write("m.csv", "v,m,k\n0,1,2\n2,3,1\n")
        self.write("p.csv", "0,2\n1,0\n")
        self.succeeds("apsp", "t.csv", "--index", "-o", "g.apspx", "--force", noted="left aside")
        self.succeeds("cpu", "t.csv", "--measures=all", "--betweenness", noted="left aside")
        commands = [("apsp", "t.csv", *options) for options in (
            ("--pairs", "p.csv", "--along", "km", "--check"), ("--demand", "p.csv", "--check"),
            ("--gravity", "m.csv", "--mass-columns", "m,k", "--check"), ("--diameter", "--check", "-o", "e.csv"),
            ("--accessibility", "m.csv", "--decays", "3", "--limits", "2,5", "--nearest", "1"), ("--plan",),
            ("--index", "--force", "-o", "i.apspx"), ("--index", "--plan"),
            ("--measures=m", "--betweenness", "--check"), ("--format", "npz", "-o", "z", "--check"),
            ("--format", "npy", "--along", "km", "--sources", "0,2", "-o", "a"))]
        commands += [("query", "g.apspx", *options) for options in (
            ("0", "3", "--path"), ("--row", "2"), ("--table", "0-2", "1,3"), ("--pairs", "p.csv"), ("--measures=q",))]
        commands += [("verify", name, "-g", "t.csv") for name in ("g.apspx", "all")]
        for program, *args in commands + [(program, *args) for program, args, _ in self.COMMANDS]:
            self.use("positive.gz" if "--undirected" in args else "negative.gz")
            with self.subTest(program=program, args=args):
                status, _, err = self.run_failing(program, args, FAIL_COUNT="count")
                self.assertEqual(status, OK, err)
                self.assertEqual(self.read("count").split()[1], b"0")


class FullDisk(ProgramTest):
    """A limit on file size stands for a disk that fills up in the middle; it can be
    set to any byte."""

    def full_after(self, size):
        def apply():
            default_signals()
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return apply

    def check_every_size(self, outputs, step, program, *args):
        """Fails until the limit is no longer in the way; the first size that is
        enough."""
        for size in range(0, 10**6, step):
            for name in outputs:
                self.write(name, "old " + name)
            finished = self.run_program(program, *args, preexec_fn=self.full_after(size))
            if finished.status == OK:
                return size
            what = "%d bytes: %r" % (size, finished)
            self.assertEqual(finished.status, NO_RESOURCE, what)
            self.assertRegex(finished.err, r"\A%s: cannot write \S+: File too large\n\Z" % program)
            for name in outputs:
                self.assertEqual(self.read(name), b"old " + name.encode(), what)
            self.assertEqual([name for name in self.files() if name.startswith(".")], [], what)
        self.fail("it never succeeded")

    def test_text(self):
        self.write("graphFile.txt", GRAPH)
        size = self.check_every_size(["out.txt"], 7, "cpu", "-o", "out.txt")
        self.assertGreaterEqual(size, len(self.read("out.txt")) - 7)
        self.proves("out.txt")

    def test_npy(self):
        """Whichever of the three files does not fit, all old ones stay."""
        self.write("graphFile.txt", GRAPH)
        self.check_every_size(["r.dist.npy", "r.pred.npy", "r.json"], 13, "cpu", "--format", "npy",
                              "-o", "r")
        self.proves("r.dist.npy")

    def test_every_format_of_graphs(self):
        for name in ("text", "gr", "mtx", "wel"):
            with self.subTest(name):
                self.check_every_size(["g"], 11, "graphgen", "--v", 6, "--edges", 9, "--format",
                                      name, "-o", "g")

    def test_timings(self):
        """Rows that do not fit leave the table as it was."""
        self.write("graphFile.txt", GRAPH)
        self.succeeds("cpu", "--csv", "times.csv")
        before = self.read("times.csv")
        for room in (0, 1, 20, 100):
            with self.subTest(room=room):
                self.fails(NO_RESOURCE, "cannot write times.csv: File too large", "cpu",
                           "--repeat", 5, "--csv", "times.csv", "-o", "/dev/null",
                           preexec_fn=self.full_after(len(before) + room))
                self.assertEqual(self.read("times.csv"), before)
        os.remove(self.path("times.csv"))
        self.fails(NO_RESOURCE, "cannot write times.csv: File too large", "cpu", "--csv",
                   "times.csv", "-o", "/dev/null", preexec_fn=self.full_after(50))
        self.assertEqual(self.read("times.csv"), b"")


class Mounted(ProgramTest):
    """A small file system of its own, full or read-only, where this user may mount
    one."""

    SCRIPT = "mount -t tmpfs -o size=%dk none disk && cd disk && %s"

    def in_small_disk(self, kibibytes, commands):
        os.makedirs(self.path("disk"), exist_ok=True)
        return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                               self.SCRIPT % (kibibytes, commands)], cwd=self.directory,
                              env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=TIMEOUT_S, check=False)

    def setUp(self):
        super().setUp()
        try:
            if self.in_small_disk(64, "true").returncode != 0:
                self.skipTest("this user may not mount a file system")
        except FileNotFoundError:
            self.skipTest("no unshare")

    def test_no_space(self):
        self.write("graphFile.txt", Graph(200, [(v, v + 1, 1) for v in range(199)]))
        for options, outputs in (("-o out.txt", "out.txt"), ("--format npy -o r", "r.json")):
            with self.subTest(options):
                done = self.in_small_disk(
                    128, "echo old > %s; cpu ../graphFile.txt %s; echo $?; ls -A; cat %s"
                    % (outputs, options, outputs))
                self.assertEqual(done.stdout, "4\n%s\nold\n" % outputs)
                self.assertRegex(done.stderr,
                                 r"\Acpu: cannot write \S+: "
                                 r"(No space left on device|it needs .* KiB, .* KiB are free on its disk)\n\Z")

    def test_graph_that_does_not_fit(self):
        """It is told before anything is written."""
        for options in ("--v 3000 --edges 20000", "--v 5000 --family grid"):
            done = self.in_small_disk(64, "graphgen %s -o g; echo $?; ls -A" % options)
            self.assertEqual(done.stdout, "4\n")
            self.assertRegex(done.stderr, r"\Agraphgen: cannot write g: it needs \S+ KiB, 64.0 KiB are "
                                          r"free on its disk\n\Z")

    def test_no_space_for_both_matrices(self):
        """Each would fit alone; it is told before anything is solved, with --resume too, which
        counts what is kept already."""
        self.write("graphFile.txt", Graph(200, [(v, v + 1, 1) for v in range(199)]))
        solve = "cpu ../graphFile.txt --format npy -o r -q"
        for option, name in (("", "r"), ("--resume", "r.partial/")):
            done = self.in_small_disk(240, "%s %s; echo $?; ls -A" % (solve, option))
            self.assertEqual(done.stdout, "4\n")
            self.assertRegex(done.stderr, r"\Acpu: cannot write %s.?dist\.npy: it needs 312\.8 KiB"
                             r", \S+ KiB are free on its disk\n\Z" % name)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    def test_no_space_while_it_is_put_in_place(self):
        """A result that was finished stays, and the next run has nothing left to solve."""
        self.write("graphFile.txt", Graph(200, [(v, v + 1, 1) for v in range(199)]))
        solve = "cpu ../graphFile.txt --format npy -o r -q"
        done = self.in_small_disk(400, "FAILING_IO_BELOW=$PWD FAILING_IO=exchange=errno:28 "
                                  "LD_PRELOAD=%s %s --resume; echo $?; %s --resume; echo $?; ls"
                                  % (os.environ.get("APSP_FAILING_IO"), solve, solve))
        self.assertEqual(done.stdout, "4\n0\nr.dist.npy\nr.json\nr.pred.npy\n")

    def test_no_space_for_a_graph(self):
        """A graph whose weights are longer than they could be does not fit on the disk."""
        done = self.in_small_disk(128, "graphgen --v 1000 --edges 12000 --weights 1:1000000; echo $?; "
                                       "ls -A")
        self.assertEqual(done.stdout, "4\n")
        self.assertEqual(done.stderr,
                         "graphgen: cannot write graphFile.txt: No space left on device\n")

    def test_read_only(self):
        """Nobody may write there, root included."""
        self.write("graphFile.txt", GRAPH)
        for command, name in (("cpu ../graphFile.txt -o out", "out"),
                              ("cpu ../graphFile.txt --format npy -o out", "out.dist.npy"),
                              ("cpu ../graphFile.txt -o ../result --csv out", "out"),
                              ("graphgen --v 3 --edges 2 -o out", "out")):
            with self.subTest(command):
                # Rows are added to an empty table alone, or to one of ours.
                old = "" if "--csv" in command else "old\n"
                done = self.in_small_disk(
                    64, "printf '%s' > %s; mount -o remount,ro .; %s; echo $?; ls -A; cat %s"
                    % (old, name, command, name))
                self.assertEqual(done.stdout, "4\n%s\n%s" % (name, old))
                self.assertEqual(done.stderr, "%s: cannot write %s: Read-only file system\n"
                                 % (command.split()[0], name))


class Solving(ProgramTest):

    def test_signals_while_it_solves(self):
        """The old result stays. Large NumPy files are written under hidden names while they are
        computed, which only SIGKILL can leave behind."""
        self.succeeds("graphgen", "--v", 4000, "--edges", 4000)
        for args, outputs in ((["-o", "out.txt"], ["out.txt"]),
                              (["--format", "npy", "-o", "r"],
                               ["r.dist.npy", "r.json", "r.pred.npy"])):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
                with self.subTest(args=args, signal=number.name):
                    for name in outputs:
                        self.write(name, "old " + name)
                    before = self.files()
                    process = self.start("cpu", "--variant", "sequential", *args,
                                         preexec_fn=default_signals)
                    self.wait_until_it_solves(process)
                    process.send_signal(number)
                    _, err = process.communicate(timeout=TIMEOUT_S)
                    self.assertEqual((process.returncode, err), (-number, b""))
                    left = [name for name in self.files() if name not in before]
                    if number != signal.SIGKILL:
                        self.assertEqual(left, [])
                    for name in left:
                        self.assertRegex(name, r"\A\.r\.(dist|pred)\.npy\.")
                        os.remove(self.path(name))
                    for name in outputs:
                        self.assertEqual(self.read(name), b"old " + name.encode())

    def wait_until_it_solves(self, process):
        """Loading this graph takes hundredths of a second of processor time, solving it many
        seconds."""
        ticks = os.sysconf("SC_CLK_TCK")
        used = 0
        while used < (1 if SANITIZED else 0.2) * ticks:
            self.assertIsNone(process.poll())
            with open("/proc/%d/stat" % process.pid, encoding="ascii") as stat:
                fields = stat.read().rpartition(")")[2].split()
            used = int(fields[11]) + int(fields[12])

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_address_space(self):
        """Too little for the matrices: refused, the old output stays."""
        self.write("graphFile.txt", Graph(3000, []))
        self.write("output.txt", "old")
        self.fails(NO_RESOURCE, "3000 vertices need 68.8 MiB for 2 matrices", "cpu",
                   preexec_fn=limited(RLIMIT_AS=64 * 2**20))
        self.assertEqual(self.read("output.txt"), b"old")
        self.assertEqual(self.files(), ["graphFile.txt", "output.txt"])


if __name__ == "__main__":
    unittest.main()
