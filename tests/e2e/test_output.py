# SPDX-License-Identifier: MIT
"""Results appear completely or not at all: signals, failing writers, links, devices, pipes, permissions,
and outputs that cannot be written. What becomes of every single call, test_injected_io.py tries."""

import contextlib
import fcntl
import glob
import json
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import threading
import time
import unittest

from support import (BAD_INPUT, NO_RESOURCE, OK, SANITIZED, TIMEOUT_S, Graph, ProgramTest,
                     default_signals, limited, parse_npy, parse_result, program_path, ring, solved)

# Built by `make run-tests`; it works in the programs by LD_PRELOAD.
FAILING_IO = os.environ["APSP_FAILING_IO"]

GRAPH = Graph(4, [(0, 1, 5), (1, 2, 2), (2, 3, 4), (3, 1, 0)])


def closed_stdout():
    """For preexec_fn: what `>&-` does."""
    default_signals()
    os.close(1)


class Failing(ProgramTest):

    @staticmethod
    def full():
        """A limit on file size stands for a disk that is full in the middle of a write."""
        limited(RLIMIT_FSIZE=100000)()
        # As a shell starts programs; Python itself ignores the signal.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    def test_text(self):
        self.write("graphFile.txt", Graph(400, []))
        self.write("out.txt", "old")
        self.fails(NO_RESOURCE, "cannot write out.txt: File too large", "cpu", "-o", "out.txt",
                   preexec_fn=self.full)
        self.assertEqual(self.files(), ["graphFile.txt", "out.txt"])
        self.assertEqual(self.read("out.txt"), b"old")


class Targets(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)
        self.answer = solved(GRAPH)

    def test_missing_directory(self):
        for program, args in (("cpu", []), ("graphgen", ["--v", 3, "--edges", 1])):
            with self.subTest(program):
                self.fails(NO_RESOURCE, "cannot write absent/out: No such file", program, "-o",
                           "absent/out", *args)
        self.fails(NO_RESOURCE, "cannot write absent/r.dist.npy: No such file", "cpu", "--format",
                   "npy", "-o", "absent/r")
        self.assertEqual(self.files(), ["graphFile.txt"])

    def test_file_for_a_directory(self):
        self.write("file", "old")
        self.fails(NO_RESOURCE, "cannot write file/out: Not a directory", "cpu", "-o", "file/out")
        self.assertEqual(self.read("file"), b"old")

    def test_directory_as_target(self):
        os.mkdir(self.path("sub"))
        for name in (".", "..", "sub", "sub/", self.directory):
            with self.subTest(name):
                self.fails(NO_RESOURCE, "cannot write %s: Is a directory" % name, "cpu", "-o", name)
        self.assertEqual(self.files(), ["graphFile.txt", "sub"])
        self.assertEqual(os.listdir(self.path("sub")), [])

    def test_empty_name_and_trailing_slash(self):
        for option in ("-o", "--csv"):
            self.fails(NO_RESOURCE, "cannot write new/: ", "cpu", "-o", "/dev/null", option, "new/")
        for option in ("--output=", "--csv=", "--measures="):
            self.fails(BAD_INPUT, option[:-1] + ": expected the name of a file, found ''", "cpu",
                       option)
        self.assertEqual(self.files(), ["graphFile.txt"])
        self.fails(BAD_INPUT, "cannot open '': No such file", "cpu", "")
        self.fails(BAD_INPUT, "cannot open '': No such file", "verify", "")

    def test_unwritable_directory(self):
        os.mkdir(self.path("sub"))
        self.write("sub/out", "old")
        os.chmod(self.path("sub"), 0o555)
        self.addCleanup(os.chmod, self.path("sub"), 0o755)
        if os.access(self.path("sub"), os.W_OK):
            self.skipTest("this user may write into every directory")
        for name in ("sub/out", "sub/new"):
            self.fails(NO_RESOURCE, "cannot write %s: Permission denied" % name, "cpu", "-o", name)
        self.assertEqual(self.read("sub/out"), b"old")

    @unittest.skipUnless(os.path.isdir("/proc/self"), "no /proc")
    def test_directory_that_nobody_can_write_into(self):
        self.fails(NO_RESOURCE, "cannot write /proc/out.txt: ", "cpu", "-o", "/proc/out.txt")

    def test_longest_names(self):
        longest = os.pathconf(self.directory, "PC_NAME_MAX")
        for length in (longest - 20, longest):
            with self.subTest(length=length):
                name = "x" * length
                self.succeeds("cpu", "-o", name)
                self.proves(name)
        self.fails(NO_RESOURCE, "File name too long", "cpu", "-o", "x" * (longest + 1))

    def test_directory_as_prefix(self):
        """Not hidden files in it, nor files beside it."""
        os.mkdir(self.path("sub"))
        os.symlink("sub", self.path("link"))
        self.write("graphFile.txt", "no graph: it is not even read")
        for name in ("sub/", "sub", "link", "new/", ".", "..", "./", self.directory):
            with self.subTest(name):
                self.fails(NO_RESOURCE, "cannot write %s: Is a directory" % name, "cpu", "--format",
                           "npy", "-o", name)
        self.assertEqual(self.files(), ["graphFile.txt", "link", "sub"])
        self.assertEqual(os.listdir(self.path("sub")), [])


class Inputs(ProgramTest):
    """A file that is read is not written. No graph here can be read: the run is refused before."""

    HEADER = b"program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device," \
             b"checked,repetition,solve_s,total_s,transfer_s\n"

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("sub"))
        self.write("g", "no graph")
        os.link(self.path("g"), self.path("hard"))
        os.symlink("../g", self.path("sub/link"))
        os.symlink("sub/link", self.path("chain"))
        os.symlink("absent.csv", self.path("dangling"))
        for part in ("dist.npy", "pred.npy", "json"):
            self.write("r." + part, part)
        self.write("foreign.csv", "a,b\n1,2\n")

    def refused(self, expected, *args, **how):
        before = {name: self.read(name) for name in self.files()
                  if os.path.isfile(self.path(name))}
        self.fails(BAD_INPUT, expected, "cpu", *args, **how)
        self.assertEqual({name: self.read(name) for name in self.files()
                          if os.path.isfile(self.path(name))}, before)

    def test_output_is_the_graph(self):
        for graph, output in (("g", "g"), ("g", "./g"), ("g", self.path("g")), ("g", "hard"),
                              ("g", "chain"), ("chain", "g"), ("sub/link", "hard"),
                              ("g", "sub/../g")):
            with self.subTest(graph=graph, output=output):
                self.refused("--output: expected another file than the graph %s, found %s"
                             % (graph, output), graph, "-o", output)
                self.refused("--csv: expected another file than the graph", graph, "-o", "out",
                             "--csv", output)

    def test_output_is_a_list(self):
        self.write("list", "0")
        for option in ("--sources", "--targets"):
            self.refused("--output: expected another file than the list of vertices list, found list",
                         "g", option, "@list", "-o", "list")

    def test_measures_are_the_graph(self):
        self.write("roads.csv", "source,target,weight\n0,1,5\n")
        self.refused("--measures: expected another file than the graph roads.csv, found roads.csv",
                     "roads.csv", "--measures=roads")

    def test_measures_are_the_result(self):
        for args in (("-o", "m.csv"), ("-o", "./m.json"), ("-o", "./m", "--format", "npy")):
            self.refused("--measures: expected another prefix than the result's, found m", "g",
                         "--measures=m", *args)

    def test_default_output(self):
        self.write("output.txt", "no graph")
        self.refused("--output: expected another file than the graph output.txt", "output.txt")

    def test_standard_input_is_the_graph(self):
        for output in ("g", "hard", "chain"):
            with open(self.path("g"), "rb") as graph:
                for name in ("-", "/dev/stdin", "/dev/fd/0"):
                    self.refused("--output: expected another file than the graph " + name, name,
                                 "-o", output, stdin=graph)

    def test_npy(self):
        for graph in ("r.dist.npy", "r.pred.npy", "r.json", "./r.json"):
            with self.subTest(graph):
                self.refused("--output: expected another file than the graph " + graph, graph,
                             "--format", "npy", "-o", "r")

    def test_descriptor_is_the_graph(self):
        """Standard output that goes on in the graph, which the shell has not emptied."""
        for output in ("-", "/dev/stdout", "/dev/fd/1"):
            with open(self.path("g"), "ab") as out, self.subTest(output):
                done = self.start("cpu", "hard", "-o", output, stdout=out)
                _, err = done.communicate(timeout=TIMEOUT_S)
                self.assertEqual((done.returncode, err.decode()), (
                    BAD_INPUT, "cpu: --output: expected another file than the graph hard, found %s\n"
                    % output))
            self.assertEqual(self.read("g"), b"no graph")

    def test_two_parts_are_one_file(self):
        """By way of links: the one would take the other's place."""
        self.write("graphFile.txt", GRAPH)
        for link, target in (("l.pred.npy", "l.dist.npy"), ("l.json", "l.dist.npy"),
                             ("l.json", "l.pred.npy")):
            os.symlink(target, self.path(link))
            for old in (None, "old"):
                with self.subTest(link=link, target=target, old=old):
                    if old is not None:
                        self.write(target, old)
                    before = self.files()
                    self.fails(NO_RESOURCE, "is the same file as", "cpu", "--format", "npy", "-o",
                               "l")
                    self.assertEqual(self.files(), before)
                    if old is not None:
                        self.assertEqual(self.read(target), b"old")
            os.remove(self.path(link))
            os.remove(self.path(target))

    def test_timings_are_the_result(self):
        for output, csv in (("out", "out"), ("out", "./out"), ("sub/out", "sub/../sub/out"),
                            ("dangling", "absent.csv"), ("absent.csv", "dangling"),
                            ("foreign.csv", "foreign.csv")):
            with self.subTest(output=output, csv=csv):
                self.refused("--csv: expected another file than the result's %s, found %s"
                             % (output, csv), "g", "-o", output, "--csv", csv)
        for csv in ("r.dist.npy", "r.pred.npy", "r.json"):
            self.refused("--csv: expected another file than the result's " + csv, "g", "--format",
                         "npy", "-o", "r", "--csv", csv)

    def test_timings_into_another_kind_of_file(self):
        for content in (b"a,b\n1,2\n", b"x", self.HEADER[:-2], b"\n" + self.HEADER, bytes(5000)):
            self.write("foreign.csv", content)
            self.refused("foreign.csv: expected an empty file or timings", "g", "-o", "out", "--csv",
                         "foreign.csv")

    def test_other_names_and_files_without_contents_are_fine(self):
        self.write("graphFile.txt", GRAPH)
        self.write("empty", "")
        self.write("rows", self.HEADER)
        self.succeeds("cpu", "-o", "sub/graphFile.txt", "--csv", "empty")
        self.succeeds("cpu", "-o", "/dev/null", "--csv", "/dev/null")
        self.succeeds("cpu", "-o", "out", "--csv", "rows")
        self.assertEqual(self.read("rows").count(b"\n"), 2)
        self.assertEqual(self.read("empty").count(b"\n"), 2)
        read, write = os.pipe()
        os.write(write, GRAPH.text().encode())
        os.close(write)
        with os.fdopen(read, "rb") as graph:
            self.succeeds("cpu", "-", "-o", "-", stdin=graph, stderr=subprocess.STDOUT)


class Links(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)
        os.mkdir(self.path("far"))

    def check(self, link, target, *options):
        text = os.readlink(self.path(link))
        self.succeeds("cpu", "-o", link, *options)
        self.assertTrue(os.path.islink(self.path(link)), "the link is gone")
        self.assertEqual(os.readlink(self.path(link)), text)
        self.assertFalse(os.path.islink(self.path(target)))
        self.assertEqual(self.result(target).dist, solved(GRAPH).dist)
        self.proves(link)
        self.assertEqual([name for name in os.listdir(self.path("far"))
                          if name.startswith(".")], [])

    def test_relative(self):
        self.write("far/real.txt", "old")
        os.symlink("far/real.txt", self.path("out.txt"))
        self.check("out.txt", "far/real.txt")

    def test_absolute(self):
        self.write("far/real.txt", "old")
        os.symlink(self.path("far/real.txt"), self.path("out.txt"))
        self.check("out.txt", "far/real.txt")

    def test_relative_from_another_directory(self):
        self.write("real.txt", "old")
        os.symlink("../real.txt", self.path("far/out.txt"))
        self.check("far/out.txt", "real.txt")

    def test_chain(self):
        self.write("real.txt", "old")
        os.symlink("../real.txt", self.path("far/second"))
        os.symlink("far/second", self.path("out.txt"))
        self.check("out.txt", "real.txt")
        self.assertTrue(os.path.islink(self.path("far/second")))

    def test_dangling(self):
        os.symlink("far/new.txt", self.path("out.txt"))
        self.check("out.txt", "far/new.txt")

    def test_through_a_linked_directory(self):
        os.symlink("far", self.path("near"))
        self.succeeds("cpu", "-o", "near/out.txt")
        self.assertEqual(os.listdir(self.path("far")), ["out.txt"])
        self.assertTrue(os.path.islink(self.path("near")))

    def test_into_nowhere(self):
        os.symlink("absent/new.txt", self.path("out.txt"))
        os.symlink("loop", self.path("loop"))
        self.fails(NO_RESOURCE, "cannot write out.txt: No such file", "cpu", "-o", "out.txt")
        self.fails(NO_RESOURCE, "cannot write loop: ", "cpu", "-o", "loop")
        self.assertEqual(self.files(), ["far", "graphFile.txt", "loop", "out.txt"])

    def test_to_a_device(self):
        os.symlink("/dev/null", self.path("out.txt"))
        self.succeeds("cpu", "-o", "out.txt")
        self.assertEqual(os.readlink(self.path("out.txt")), "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_failure_keeps_link_and_target(self):
        self.write("far/real.txt", "old")
        os.symlink("far/real.txt", self.path("out.txt"))
        self.write("graphFile.txt", "2 1\n0 9 1\n")
        self.run_program("cpu", "-o", "out.txt")
        self.assertEqual(self.read("far/real.txt"), b"old")
        self.assertTrue(os.path.islink(self.path("out.txt")))

    def test_graph_of_the_generator(self):
        os.remove(self.path("graphFile.txt"))
        os.symlink("far/g", self.path("graphFile.txt"))
        self.succeeds("graphgen", "--v", 5, "--edges", 7)
        self.assertTrue(os.path.islink(self.path("graphFile.txt")))
        self.assertTrue(self.read("far/g").startswith(b"5 7\n"))

    def test_npy(self):
        for name in ("r.dist.npy", "r.pred.npy", "r.json"):
            os.symlink("far/" + name, self.path(name))
        for _ in range(2):  # absent targets, then present ones
            self.succeeds("cpu", "--format", "npy", "-o", "r")
            self.proves("r.dist.npy")
            for name in ("r.dist.npy", "r.pred.npy", "r.json"):
                self.assertTrue(os.path.islink(self.path(name)), "the link %s is gone" % name)
            self.assertEqual(len(os.listdir(self.path("far"))), 3)


    def in_shared_directory(self, owner, link_owner, mode=0o1777):
        """A directory like /tmp, and a link in it; only root can make them."""
        if os.geteuid() != 0:
            self.skipTest("files of other owners can be made by root alone")
        shared = self.path("shared")
        if not os.path.exists(shared):
            os.mkdir(shared)
            os.symlink("../far/out.txt", os.path.join(shared, "link"))
            os.symlink("link", os.path.join(shared, "chain"))
            os.mkfifo(os.path.join(shared, "fifo"))
        os.chmod(shared, mode)
        os.chown(shared, owner, -1)
        os.chown(os.path.join(shared, "chain"), 0, 0, follow_symlinks=False)
        for name in ("link", "fifo"):
            os.chown(os.path.join(shared, name), link_owner, -1, follow_symlinks=False)

    def test_of_others_in_a_sticky_directory(self):
        """Writes that fs.protected_symlinks and fs.protected_fifos forbid are not done, set or
        not."""
        self.in_shared_directory(owner=1, link_owner=2)
        os.symlink("shared/link", self.path("into"))
        for name in ("shared/link", "shared/chain", "into"):
            with self.subTest(name):
                refused = "cannot write %s: Permission denied" % name
                self.fails(NO_RESOURCE, refused, "cpu", "-o", name)
                self.fails(NO_RESOURCE, refused, "cpu", "-o", "/dev/null", "--csv", name)
                self.fails(NO_RESOURCE, refused, "graphgen", "--v", 3, "--edges", 1, "-o", name)
        os.rename(self.path("shared/link"), self.path("shared/r.json"))
        self.fails(NO_RESOURCE, "cannot write shared/r.json: Permission denied", "cpu", "--format",
                   "npy", "-o", "shared/r")
        self.fails(NO_RESOURCE, "cannot write shared/fifo: Permission denied", "cpu", "-o",
                   "shared/fifo")
        self.assertEqual(sorted(os.listdir(self.path("shared"))), ["chain", "fifo", "r.json"])
        self.assertEqual(os.listdir(self.path("far")), [])

    def test_file_of_others_in_a_sticky_directory(self):
        """Which everybody may write to, and link to, but not replace: nothing is left beside it."""
        self.in_shared_directory(owner=1, link_owner=2)
        names = ["r.dist.npy", "r.json", "r.pred.npy"]
        for name in names:
            self.write(os.path.join("shared", name), "old")
            os.chmod(self.path(os.path.join("shared", name)), 0o666)
        os.chmod(self.directory, 0o755)
        before = sorted(os.listdir(self.path("shared")))
        # The folder that it was built in may be closed to others, as /root is.
        program = shutil.copy(program_path("cpu"), self.path("cpu"))

        def become_nobody():
            default_signals()
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        for options in (["-o", "shared/r.json"], ["--no-sync", "-o", "shared/r.json"],
                        ["--format", "npy", "-o", "shared/r"]):
            with self.subTest(options=options):
                process = self.start("cpu", *options, executable=program, preexec_fn=become_nobody)
                _, err = process.communicate(timeout=TIMEOUT_S)
                self.assertEqual((process.returncode, err.decode()),
                                 (NO_RESOURCE, "cpu: cannot write shared/r.json: Operation not "
                                  "permitted\n"))
                self.assertEqual(sorted(os.listdir(self.path("shared"))), before)
        # A part of a result that stands there alone.
        os.remove(self.path("shared/r.json"))
        before.remove("r.json")
        process = self.start("cpu", "--format", "npy", "-o", "shared/r", executable=program,
                             preexec_fn=become_nobody)
        _, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual((process.returncode, err.decode()),
                         (NO_RESOURCE, "cpu: cannot write shared/r.dist.npy: Operation not "
                          "permitted\n"))
        self.assertEqual(sorted(os.listdir(self.path("shared"))), before)

    @unittest.skipIf(SANITIZED, "what is preloaded is not sanitized")
    def test_timings_that_others_make_first(self):
        """Between the look at a name and its opening."""
        def mine():
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o666))

        def of_another():
            mine()
            os.chown(path, 2, 2)

        def pipe():
            os.mkfifo(path)
            os.chown(path, 2, 2)

        self.in_shared_directory(owner=1, link_owner=2)
        path = self.path("shared/t.csv")
        options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        refused = "cpu: cannot write shared/t.csv: Permission denied\n"
        for make, status, expected in ((mine, OK, ""), (of_another, NO_RESOURCE, refused),
                                       (pipe, NO_RESOURCE, refused)):
            with self.subTest(make.__name__):
                process = self.start("cpu", "-q", "-o", "/dev/null", "--csv", "shared/t.csv", env={
                    "LD_PRELOAD": FAILING_IO, "FAILING_IO": "open=delay:1500000",
                    "FAILING_IO_BELOW": os.path.realpath(self.path("shared")),
                    "FAILING_IO_LOG": self.path("log"), "ASAN_OPTIONS": options})
                while not (os.path.exists(self.path("log")) and b" opendir " in self.read("log")):
                    self.assertIsNone(process.poll())
                time.sleep(0.5)
                make()
                _, err = process.communicate(timeout=TIMEOUT_S)
                self.assertEqual((process.returncode, err.decode()), (status, expected))
                os.remove(path)
                os.remove(self.path("log"))

    def test_of_friends_in_a_sticky_directory(self):
        """Links of the user and of the directory's owner, and any in a directory of another kind."""
        for owner, link_owner, mode in ((1, 0, 0o1777), (1, 1, 0o1777), (1, 2, 0o777),
                                        (1, 2, 0o1775)):
            with self.subTest(owner=owner, link_owner=link_owner, mode=oct(mode)):
                self.in_shared_directory(owner, link_owner, mode)
                self.succeeds("cpu", "-o", "shared/chain")
                self.assertEqual(self.result("far/out.txt").dist, solved(GRAPH).dist)
                os.remove(self.path("far/out.txt"))

    def test_directory_that_can_be_written_but_not_read(self):
        """It can be neither synced nor locked: results are written all the same."""
        os.chmod(self.path("far"), 0o333)
        self.addCleanup(os.chmod, self.path("far"), 0o755)
        for _ in range(2):
            self.succeeds("cpu", "-o", "far/out.txt")
            self.succeeds("cpu", "--format", "npy", "-o", "far/r")
            self.proves("far/r.dist.npy")


class Together(ProgramTest):
    """The three files of a NumPy result."""

    NAMES = ("r.dist.npy", "r.json", "r.pred.npy")

    def setUp(self):
        super().setUp()
        self.write("old", Graph(4, [(0, 1, 5), (1, 2, 2), (2, 3, 4)]))
        self.write("new", GRAPH)
        self.succeeds("cpu", "old", "--format", "npy", "-o", "r")

    def contents(self):
        return {name: self.read(name) for name in self.NAMES}

    def waits(self, process, before):
        """The process has written what it has to and waits for the lock."""
        while not any(name.startswith(".r.json.") for name in self.files()):
            self.assertIsNone(process.poll(), "it did not wait")
        self.assertEqual(self.contents(), before)

    def test_waits_for_readers_and_writers(self):
        for kind in (fcntl.LOCK_SH, fcntl.LOCK_EX):
            before = self.contents()
            directory = os.open(self.directory, os.O_RDONLY)
            try:
                fcntl.flock(directory, kind)
                process = self.start("cpu", "new", "--format", "npy", "-o", "r")
                self.waits(process, before)
            finally:
                os.close(directory)
            _, err = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual((process.returncode, err), (OK, b""))
            self.assertEqual(self.files(), sorted(self.NAMES + ("new", "old")))
            self.proves("r.dist.npy", "-g", "new")
            self.succeeds("cpu", "old", "--format", "npy", "-o", "r")

    def test_interrupted_while_it_waits(self):
        before = self.contents()
        directory = os.open(self.directory, os.O_RDONLY)
        try:
            fcntl.flock(directory, fcntl.LOCK_SH)
            process = self.start("cpu", "new", "--format", "npy", "-o", "r",
                                 preexec_fn=default_signals)
            self.waits(process, before)
            process.terminate()
            self.assertEqual(process.wait(timeout=TIMEOUT_S), -signal.SIGTERM)
        finally:
            os.close(directory)
        self.assertEqual(self.contents(), before)
        self.assertEqual(self.files(), sorted(self.NAMES + ("new", "old")))

    def test_locked_for_good(self):
        """By somebody who never ends: writers say so and leave everything as it was, readers, whom
        the checksums tell, and writers of one file go on."""
        self.succeeds("cpu", "old", "-o", "out", "--csv", "times.csv")
        before, rows = self.contents(), self.read("times.csv")
        with contextlib.ExitStack() as held:
            for name in (".", "times.csv"):
                locked = os.open(self.path(name), os.O_RDONLY)
                held.callback(os.close, locked)
                fcntl.flock(locked, fcntl.LOCK_EX)
            running = [(self.start(*command), status, expected) for command, status, expected in (
                (("cpu", "new", "--format", "npy", "-o", "r"), NO_RESOURCE,
                 "cpu: cannot write r.json: its directory has been locked by another process for 10 "
                 "seconds\n"),
                (("cpu", "new", "-o", "out", "--csv", "times.csv"), NO_RESOURCE,
                 "cpu: cannot write times.csv: it has been locked by another process for 10 "
                 "seconds\n"),
                (("verify", "r.dist.npy", "-g", "old"), OK, ""))]
            for process, status, expected in running:
                _, err = process.communicate(timeout=TIMEOUT_S)
                self.assertEqual((process.returncode, err.decode()), (status, expected))
        self.assertEqual(self.contents(), before)
        self.assertEqual(self.read("times.csv"), rows)
        self.assertEqual(self.files(), sorted(self.NAMES + ("new", "old", "out", "times.csv")))

    def test_a_part_that_cannot_be_replaced(self):
        for name in self.NAMES:
            with self.subTest(name):
                before = self.contents()
                os.remove(self.path(name))
                os.mkdir(self.path(name))
                self.fails(NO_RESOURCE, "%s: Is a directory" % name, "cpu", "new", "--format", "npy",
                           "-o", "r")
                os.rmdir(self.path(name))
                self.write(name, before[name])
                self.assertEqual(self.contents(), before)
        self.assertEqual(self.files(), sorted(self.NAMES + ("new", "old")))

    def test_without_predecessors(self):
        """The old ones disappear with the rest of the old result, or stay with it."""
        os.mkdir(self.path("far"))
        os.rename(self.path("r.pred.npy"), self.path("far/kept"))
        os.symlink("far/kept", self.path("r.pred.npy"))
        self.succeeds("cpu", "new", "-d", "--format", "npy", "-o", "r")
        self.assertEqual(self.files(), ["far", "new", "old", "r.dist.npy", "r.json"])
        self.assertEqual(os.listdir(self.path("far")), ["kept"])  # what a link led to is not ours
        os.mkdir(self.path("r.pred.npy"))
        before = self.read("r.json")
        self.fails(NO_RESOURCE, "cannot write r.pred.npy: Is a directory", "cpu", "old", "-d",
                   "--format", "npy", "-o", "r")
        self.assertEqual(self.read("r.json"), before)


class Signals(ProgramTest):
    """Whatever would end the program removes what it has not finished."""

    OTHERS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
              signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH, signal.SIGXFSZ)
    FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSYS,
              signal.SIGTRAP, signal.SIGABRT)

    def writing(self, *ignored):
        """A graphgen that would write for minutes."""
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
        process = self.start("graphgen", "--v", 100000, "--edges", 10**9, "-o", "g",
                             preexec_fn=prepare)
        while not any(name.startswith(".g.") for name in self.files()):
            self.assertIsNone(process.poll())
        return process

    def test_all(self):
        self.write("g", "old")
        for number in sorted(signal.valid_signals() - set(self.OTHERS)):
            if SANITIZED and number in self.FAULTS:
                continue  # the sanitizers report them
            with self.subTest(number):
                process = self.writing()
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=TIMEOUT_S), -number)
                self.assertEqual(self.files(), ["g"])
                self.assertEqual(self.read("g"), b"old")

    def test_ignored_ones_stay_ignored(self):
        ignored = {signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1}
        process = self.writing(*ignored)
        for number in ignored:
            process.send_signal(number)
        process.terminate()
        self.assertEqual(process.wait(timeout=TIMEOUT_S), -signal.SIGTERM)
        self.assertEqual(self.files(), [])

    def test_while_reading_the_graph(self):
        """Nothing is written yet; the old output stays."""
        self.write("output.txt", "old")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("cpu", "-", stdin=subprocess.PIPE, preexec_fn=default_signals)
            process.stdin.write(b"3 3\n")
            process.stdin.flush()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), -number)
            self.assertEqual(self.files(), ["output.txt"])
            self.assertEqual(self.read("output.txt"), b"old")

    def test_pipe_that_nobody_reads(self):
        """Ends the program as ever."""
        self.write("graphFile.txt", ring(600))
        read, write = os.pipe()
        os.close(read)
        try:
            process = self.start("cpu", "-v", "johnson", "-o", "-", stdout=write,
                                 preexec_fn=default_signals)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), -signal.SIGPIPE)
        finally:
            os.close(write)
        self.assertEqual(self.files(), ["graphFile.txt"])


class Devices(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def test_null(self):
        self.succeeds("cpu", "-o", "/dev/null")
        self.succeeds("graphgen", "--v", 3, "--edges", 2, "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertEqual(glob.glob("/dev/.null.*"), [])
        self.assertEqual(self.files(), ["graphFile.txt"])

    def test_full(self):
        for program, args in (("cpu", []), ("cpu", ["-d"]), ("graphgen", ["--v", 3, "--edges", 2])):
            with self.subTest(program=program, args=args):
                self.fails(NO_RESOURCE, "cannot write /dev/full: No space left on device", program,
                           "-o", "/dev/full", *args)

    def test_fifo(self):
        os.mkfifo(self.path("fifo"))
        received = []

        def read():
            with open(self.path("fifo"), "rb") as fifo:
                received.append(fifo.read())
        reader = threading.Thread(target=read)
        process = self.start("cpu", "-o", "fifo")
        reader.start()
        _, err = process.communicate(timeout=TIMEOUT_S)
        reader.join(timeout=TIMEOUT_S)
        self.assertEqual((process.returncode, err), (OK, b""))
        self.assertEqual(parse_result(received[0]).dist, solved(GRAPH).dist)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("fifo")).st_mode))
        self.assertEqual(self.files(), ["fifo", "graphFile.txt"])

    def test_dev_stdout(self):
        """A pipe by other names: the result has it for itself."""
        os.symlink("/dev/stdout", self.path("link"))
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"):
            with self.subTest(name):
                finished = self.run_program("cpu", "-o", name)
                self.assertEqual(finished.status, OK)
                self.assertEqual(parse_result(finished.out).dist, solved(GRAPH).dist)
                self.assertIn("output   %s\n" % name, finished.err)

    def test_stdout_into_a_file(self):
        """A file that the shell has opened is written to, not replaced."""
        with open(self.path("out.txt"), "wb") as out:
            out.write(b"before\n")
            out.flush()
            process = self.start("cpu", "-o", "-", stdout=out)
            process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, OK)
        data = self.read("out.txt")
        self.assertTrue(data.startswith(b"before\n|V| = 4, |E| = 4\n"))
        self.assertEqual(self.files(), ["graphFile.txt", "out.txt"])


class Permissions(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_new_files_follow_the_umask(self):
        for mask in (0o022, 0o077, 0o027, 0o000, 0o002):
            def prepare():
                default_signals()
                os.umask(mask)
            with self.subTest(umask=oct(mask)):
                for name in self.files():
                    if name != "graphFile.txt":
                        os.remove(self.path(name))
                self.succeeds("cpu", preexec_fn=prepare)
                self.succeeds("cpu", "--format", "npy", "-o", "r", preexec_fn=prepare)
                self.succeeds("cpu", "--csv", "times.csv", preexec_fn=prepare)
                self.succeeds("graphgen", "--v", 3, "--edges", 2, "-o", "g", preexec_fn=prepare)
                for name in ("output.txt", "r.dist.npy", "r.pred.npy", "r.json", "times.csv", "g"):
                    self.assertEqual(oct(self.mode(name)), oct(0o666 & ~mask), name)

    def test_old_files_keep_theirs(self):
        for mode in (0o600, 0o640, 0o666, 0o444, 0o755):
            with self.subTest(mode=oct(mode)):
                self.write("output.txt", "old")
                os.chmod(self.path("output.txt"), mode)
                self.succeeds("cpu")
                self.assertEqual(oct(self.mode("output.txt")), oct(mode))
                self.assertEqual(self.result().dist, solved(GRAPH).dist)
                os.chmod(self.path("output.txt"), 0o644)

    def test_special_bits_are_not_inherited(self):
        """A program that runs as its owner would be what everybody could have replaced."""
        for mode in (0o6777, 0o4755, 0o2755, 0o1644, 0o7711):
            with self.subTest(oct(mode)):
                for name in ("output.txt", "r.dist.npy", "r.pred.npy", "r.json", "g"):
                    self.write(name, "old")
                    os.chmod(self.path(name), mode)
                self.succeeds("cpu")
                self.succeeds("cpu", "--format", "npy", "-o", "r")
                self.succeeds("graphgen", "--v", 3, "--edges", 2, "-o", "g")
                for name in ("output.txt", "r.dist.npy", "r.pred.npy", "r.json", "g"):
                    self.assertEqual(oct(self.mode(name)), oct(mode & 0o777), name)

    def test_nothing_of_a_file_of_another_owner(self):
        if os.geteuid() != 0:
            self.skipTest("files of other owners can be made by root alone")
        for mode in (0o6777, 0o777, 0o600, 0o000):
            def prepare():
                default_signals()
                os.umask(0o027)
            with self.subTest(oct(mode)):
                self.write("output.txt", "old")
                os.chown(self.path("output.txt"), 1, 1)
                os.chmod(self.path("output.txt"), mode)
                self.succeeds("cpu", preexec_fn=prepare)
                self.assertEqual(oct(self.mode("output.txt")), oct(0o640))
                self.assertEqual(os.stat(self.path("output.txt")).st_uid, 0)

    def test_group(self):
        """The permissions of a group are for that group."""
        if os.geteuid() != 0:
            self.skipTest("other groups can be given by root alone")
        self.write("output.txt", "old")
        os.chown(self.path("output.txt"), 0, 1)
        os.chmod(self.path("output.txt"), 0o660)
        self.succeeds("cpu")
        self.assertEqual(os.stat(self.path("output.txt")).st_gid, 1)
        self.assertEqual(oct(self.mode("output.txt")), oct(0o660))

    def test_access_list(self):
        """If the mode shows what one more user may do, it is not the group's."""
        self.write("output.txt", "old")
        entries = ((1, 6, 0), (2, 6, 12345), (4, 0, 0), (16, 6, 0), (32, 0, 0))
        entries = struct.pack("<I", 2) + b"".join(
            struct.pack("<HHI", tag, rights, user if tag == 2 else 0xffffffff)
            for tag, rights, user in entries)
        try:
            os.setxattr(self.path("output.txt"), "system.posix_acl_access", entries)
        except OSError as reason:
            self.skipTest("no access lists: %s" % reason)
        self.assertEqual(oct(self.mode("output.txt")), oct(0o660))
        self.succeeds("cpu")
        self.assertEqual(oct(self.mode("output.txt")), oct(0o600))

    def test_a_result_is_never_readable_by_more_than_the_old_one(self):
        """Not even while it is being written."""
        self.write("graphFile.txt", ring(3000))
        self.write("output.txt", "old")
        os.chmod(self.path("output.txt"), 0o600)
        process = self.start("cpu", "-v", "johnson", "-o", "output.txt")
        seen = 0
        while process.poll() is None:
            for name in self.files():
                if name.startswith("."):
                    try:
                        self.assertEqual(self.mode(name) & 0o077, 0)
                        seen += 1
                    except FileNotFoundError:
                        pass
        self.assertEqual(process.returncode, OK)
        self.assertGreater(seen, 0)


class Reports(ProgramTest):
    """Standard output that cannot be written: exit 4, one line."""

    COMMANDS = [
        ("cpu",),
        ("cpu", "--check"),
        ("cpu", "-o", "-"),
        ("cpu", "--list-variants"),
        ("cuda_simple", "--list-variants"),
        ("cuda_blocked", "--list-variants"),
        ("verify", "right.txt"),
        ("verify", "right.txt", "--path", "0", "3"),
        ("graphgen", "--v", "5", "--density", "50%", "-o", "-"),
    ]
    HELP = [
        ("cpu", "--help"),
        ("cpu", "--usage"),
        ("cpu", "--version"),
        ("graphgen", "--help"),
        ("verify", "--version"),
    ]

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", GRAPH)
        self.write("right.txt", solved(GRAPH).text())

    def check(self, commands, reason, **how):
        for command in commands:
            with self.subTest(command=command):
                self.fails(NO_RESOURCE, "cannot write standard output: " + reason, *command, **how)

    def test_full(self):
        with open("/dev/full", "wb") as full:
            self.check(self.COMMANDS, "No space left on device", stdout=full)

    def test_help_to_full(self):
        with open("/dev/full", "wb") as full:
            self.check(self.HELP, "No space left on device", stdout=full)

    def test_closed(self):
        self.check(self.COMMANDS, "Bad file descriptor", stdout=None, preexec_fn=closed_stdout)

    def test_help_to_closed(self):
        self.check(self.HELP, "Bad file descriptor", stdout=None, preexec_fn=closed_stdout)

    def test_the_result_is_there_all_the_same(self):
        closed = {"stdout": None, "preexec_fn": closed_stdout}
        self.fails(NO_RESOURCE, "standard output", "cpu", **closed)
        self.assertEqual(self.result().dist, solved(GRAPH).dist)
        self.fails(NO_RESOURCE, "standard output", "cpu", "--format", "npy", "-o", "r", **closed)
        self.assertEqual(parse_npy(self.read("r.pred.npy")), self.result().pred)
        self.assertEqual(self.files(), ["graphFile.txt", "output.txt", "r.dist.npy", "r.json",
                                        "r.pred.npy", "right.txt"])

    def test_files_need_no_standard_output(self):
        """graphgen has nothing to report: closed or full, all is well."""
        args = ["graphgen", "--v", 5, "--edges", 2, "-o", "g"]
        with open("/dev/full", "wb") as full:
            self.succeeds(*args, stdout=full)
        os.remove(self.path("g"))
        self.succeeds(*args, stdout=None, preexec_fn=closed_stdout)
        self.assertTrue(self.read("g").startswith(b"5 2\n"))

    def test_a_report_longer_than_a_buffer(self):
        """Its first part fails long before the end of the program."""
        n = 600
        self.write("graphFile.txt", Graph(n, [(v, v + 1, 1) for v in range(n - 1)]))
        self.succeeds("cpu", "--format", "npy", "-o", "r")
        command = [("verify", "r.dist.npy", "--path", 0, n - 1)]
        with open("/dev/full", "wb") as full:
            self.check(command, "No space left on device", stdout=full)
        self.check(command, "Bad file descriptor", stdout=None, preexec_fn=closed_stdout)

    def test_a_large_result_to_a_full_standard_output(self):
        self.write("graphFile.txt", ring(1500))
        with open("/dev/full", "wb") as full:
            self.fails(NO_RESOURCE, "cannot write standard output: No space left on device", "cpu",
                       "-v", "johnson", "-o", "-", stdout=full)


if __name__ == "__main__":
    unittest.main()
