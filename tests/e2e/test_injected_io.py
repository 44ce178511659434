"""Calls of the system that fail, fall short or are a program's last: every one that concerns its
output, one after the other, for every format. Whatever happens to the program, its output is
there completely, or what was there before is, as it was.

The calls are found by running a program undisturbed, with failing_io.c preloaded; then it runs
again for each of them and each way to disturb it. The directory is judged afterwards against
what the undisturbed run left there, and that against the reference in Python. What must come of
a run:

    exit status 0, nothing on stderr       the new output, nothing else
    exit status 4, one line on stderr      the old output, nothing else
    death by a signal that can be caught   one of the two, nothing else
    SIGKILL                                one of the two, or what every reader refuses; hidden
                                           files may stay
"""

import errno
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import shutil
import time
import unittest
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from support import (BAD_INPUT, NO_RESOURCE, OK, REFUTED, SANITIZED, TIMEOUT_S, Graph,
                     default_signals, describes_shortest_paths, distances_of, environment,
                     npy_distances, parse_npy, parse_result, program_path)

# Built by `make run-tests`; it works in the programs by LD_PRELOAD.
FAILING_IO = os.environ.get("APSP_FAILING_IO")

# Of the same size, so that nothing but the contents tells their results apart: every distance but
# the diagonal, and most predecessors, differ.
OLD_GRAPH = Graph(5, [(0, 1, 5), (1, 2, 2), (2, 3, 4), (3, 4, 9), (4, 0, 1)])
NEW_GRAPH = Graph(5, [(1, 0, 30), (2, 1, 71), (3, 2, 50), (4, 3, 60), (0, 4, 43), (3, 0, 20)])

Case = namedtuple("Case", "name program args outputs old")
Call = namedtuple("Call", "number kind name")
Outcome = namedtuple("Outcome", "status err calls files")

NPY = ("r.dist.npy", "r.json", "r.pred.npy")
OLD_NPY = ("cpu", "../old", "--format", "npy", "-o", "r")

CASES = [
    # name, program, arguments, what it writes, how what was there before was made
    Case("text", "cpu", ("../new", "-o", "out"), ("out",), ()),
    Case("text over text", "cpu", ("../new", "-o", "out"), ("out",), ("cpu", "../old", "-o", "out")),
    Case("text by way of a link", "apsp", ("../new", "-o", "link"), ("out",),
         ("cpu", "../old", "-o", "out")),
    Case("npy", "apsp", ("../new", "--format", "npy", "-o", "r"), NPY, ()),
    Case("npy over npy", "cpu", ("../new", "--format", "npy", "-o", "r"), NPY, OLD_NPY),
    Case("npy, distances over both", "cpu", ("../new", "-d", "--format", "npy", "-o", "r"), NPY[:2],
         OLD_NPY),
    Case("npy, both over distances", "cpu", ("../new", "--format", "npy", "-o", "r"), NPY,
         OLD_NPY + ("-d",)),
    Case("timings", "cpu", ("../new", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "3"),
         ("t.csv",), ()),
    Case("more timings", "cpu", ("../new", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "3"),
         ("t.csv",), ("cpu", "../old", "-o", "/dev/null", "--csv", "t.csv")),
    Case("graph", "graphgen", ("--v", "9", "--edges", "20", "-o", "g"), ("g",),
         ("graphgen", "--v", "9", "--edges", "30", "-o", "g")),
    Case("graph in another format", "graphgen",
         ("--v", "9", "--edges", "20", "--format", "mtx", "-o", "g"), ("g",), ()),
]

# How calls of a kind fail. The first column must end in exit status 4; the second must not be
# noticed; with the third, either will do, and the output tells which.
FULL = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
FAULTS = {
    "open": ((errno.EACCES, errno.EROFS, errno.EMFILE) + FULL, (errno.EINTR,), ()),
    "write": (FULL + (errno.EFBIG,), (errno.EINTR,), ()),
    "fsync": (FULL, (errno.EINTR,), (errno.EINVAL,)),
    "close": (FULL, (), (errno.EINTR,)),
    "rename": ((errno.EACCES, errno.EROFS) + FULL, (), (errno.EINTR, errno.EINVAL, errno.ENOSYS)),
    "chmod": ((errno.EIO,), (), (errno.EPERM, errno.EROFS, errno.EINTR)),
    "truncate": ((errno.EIO,), (errno.EINTR,), (errno.EPERM,)),
    "map": ((errno.ENOMEM,), (), (errno.ENODEV, errno.EACCES)),
    # A file system that cannot make a directory safe is none that loses what others keep.
    "fsyncdir": ((errno.EIO,), (errno.EINTR, errno.EINVAL), (errno.ENOSPC,)),
    "lock": ((), (errno.EINTR,), (errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO)),
    "unlink": ((), (), (errno.EACCES, errno.EIO, errno.EROFS, errno.EBUSY, errno.EINTR)),
    "link": ((), (), (errno.EIO, errno.EPERM, errno.EMLINK, errno.EINTR)),
    "mkdir": ((), (), (errno.EACCES, errno.EIO)),
    "read": ((), (), (errno.EIO, errno.EINTR)),
    "openread": ((), (), (errno.EACCES, errno.EMFILE, errno.EIO)),
    "opendir": ((), (), (errno.EACCES, errno.EMFILE, errno.EIO, errno.EINTR)),
    "closeread": ((), (), (errno.EIO,)),
    "closedir": ((), (), (errno.EIO, errno.EINTR)),
    "stat": ((), (), (errno.EACCES, errno.EIO)),
    "readlink": ((), (), (errno.EACCES, errno.EIO)),
    "random": ((), (), (errno.EINTR, errno.EAGAIN, errno.ENOSYS)),
}


def without_seconds(name, data):
    """What a file says, without what differs from run to run."""
    if name.endswith(".json"):
        try:
            told = json.loads(data)
        except ValueError:
            return data
        return tuple(sorted((key, repr(value)) for key, value in told.items()
                            if key not in ("solve_s", "total_s")))
    if name.endswith(".csv"):
        return [line.rsplit(b",", 3)[0] for line in data.split(b"\n")]
    if data.startswith(b"|V| = "):
        return re.sub(rb"(# (solve|total)_s: ).*", rb"\1", data)
    return data


class Box:
    """A directory for one run at a time. The graphs and the log of calls lie beside it."""

    def __init__(self, root):
        self.root = root
        self.directory = os.path.join(root, "box")
        self.log = os.path.join(root, "log")
        os.makedirs(self.directory)
        for name, graph in (("old", OLD_GRAPH), ("new", NEW_GRAPH)):
            with open(os.path.join(root, name), "w", encoding="ascii") as file:
                file.write(graph.text())

    def path(self, name):
        return os.path.join(self.directory, name)

    def fill(self, files):
        """Makes it hold these files, and the link of one case, alone."""
        for name in os.listdir(self.directory):
            os.remove(self.path(name))
        for name, data in files.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
        if "out" in files:
            os.symlink("out", self.path("link"))

    def files(self):
        """{name: bytes}, hidden ones too; that the link is one is seen to here."""
        found = {}
        for name in os.listdir(self.directory):
            if name == "link":
                assert os.readlink(self.path(name)) == "out"
                continue
            with open(self.path(name), "rb") as file:
                found[name] = file.read()
        return found

    def start(self, program, args, rules="", log=None, thread=False, out=subprocess.DEVNULL):
        """A program under failing_io.c."""
        env = environment(LD_PRELOAD=FAILING_IO, FAILING_IO=rules, OMP_NUM_THREADS="1",
                          FAILING_IO_BELOW=self.directory, FAILING_IO_LOG=log or self.log)
        if thread:
            env["FAILING_IO_THREAD"] = "1"
        return subprocess.Popen((program,) + tuple(args), executable=program_path(program), env=env,
                                cwd=self.directory, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.PIPE, preexec_fn=default_signals)

    def run(self, program, args, rules="", **how):
        if os.path.exists(self.log):
            os.remove(self.log)
        with self.start(program, args, rules, **how) as process:
            _, err = process.communicate(timeout=TIMEOUT_S)
        return Outcome(process.returncode, err.decode(), self.calls(), self.files())

    def calls(self, log=None):
        """The calls counted by a program, temporary names without their random ends."""
        try:
            with open(log or self.log, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return []
        calls = []
        for line in lines:
            number, kind, name = line.split(" ", 2)
            calls.append(Call(int(number), kind, re.sub(r"^(\..*)\.[A-Za-z]{8}$", r"\1", name)))
        return calls


def told(outcome):
    """Nothing for a success, one line for a failure."""
    if outcome.status == OK:
        return outcome.err == ""
    return re.fullmatch(r"[a-z_]+: [^\n]+\n", outcome.err) is not None


@unittest.skipIf(SANITIZED, "a preloaded library comes before that of the sanitizers")
class Injected(unittest.TestCase):
    """What the tests share: boxes, runs in several of them at a time, and the judge."""

    maxDiff = 4000
    BOXES = 3

    @classmethod
    def setUpClass(cls):
        if FAILING_IO is None:
            raise unittest.SkipTest("APSP_FAILING_IO is not set: run make test")
        cls.root = os.path.realpath(tempfile.mkdtemp(prefix="apsp-e2e-"))
        cls.addClassCleanup(shutil.rmtree, cls.root, ignore_errors=True)
        cls.boxes = queue.SimpleQueue()
        for number in range(cls.BOXES):
            cls.boxes.put(Box(os.path.join(cls.root, str(number))))
        cls.undisturbed = {}
        cls.verdicts = {}

    def in_boxes(self, function, jobs):
        """Complaints of function(box, *job), of all jobs."""
        def work(job):
            box = self.boxes.get()
            try:
                return function(box, *job)
            finally:
                self.boxes.put(box)
        with ThreadPoolExecutor(max_workers=self.BOXES) as pool:
            return [complaint for complaint in pool.map(work, jobs) if complaint is not None]

    def no_complaints(self, complaints):
        self.assertEqual(complaints[:6], [], "%d complaints" % len(complaints))

    def baseline(self, case):
        """The files before, those after, and the calls of a run that nothing disturbs."""
        if case.name not in self.undisturbed:
            box = self.boxes.get()
            try:
                box.fill({})
                if case.old:
                    done = box.run(case.old[0], case.old[1:])
                    self.assertEqual((done.status, done.err), (OK, ""), case.name)
                old = box.files()
                box.fill(old)
                done = box.run(case.program, case.args)
                self.assertEqual((done.status, done.err), (OK, ""), case.name)
                self.assertEqual(sorted(done.files), sorted(case.outputs), case.name)
                self.check_whole(done.files)
                self.undisturbed[case.name] = old, done.files, done.calls
            finally:
                self.boxes.put(box)
        return self.undisturbed[case.name]

    def check_whole(self, files):
        """Against the reference: what an undisturbed run leaves is the answer."""
        dist = distances_of(NEW_GRAPH)
        if files.get("out"):
            result = parse_result(files["out"])
            self.assertEqual(result.dist, dist)
            self.assertTrue(describes_shortest_paths(NEW_GRAPH, dist, result.pred))
        if "r.dist.npy" in files:
            self.assertEqual(parse_npy(files["r.dist.npy"]), npy_distances(dist))
        if "r.pred.npy" in files:
            self.assertTrue(describes_shortest_paths(NEW_GRAPH, dist,
                                                     parse_npy(files["r.pred.npy"])))
        if "t.csv" in files:
            rows = files["t.csv"].decode().splitlines()
            self.assertEqual([row.count(",") for row in rows], [14] * len(rows))
            self.assertEqual([row.split(",")[0] for row in rows[:4]],
                             ["program"] + ["cpu"] * len(rows[1:4]))

    @staticmethod
    def visible(files):
        return {name: without_seconds(name, data) for name, data in files.items()
                if not name.startswith(".")}

    def state(self, case, files):
        """ "old", "new", or what there is instead."""
        old, new, _ = self.baseline(case)
        seen = self.visible(files)
        if seen == self.visible(old):
            return "old"
        if seen == self.visible(new):
            return "new"
        return "mixture: " + ", ".join(
            name + (" absent" if name not in seen
                    else " old" if seen[name] == self.visible(old).get(name)
                    else " new" if seen[name] == self.visible(new).get(name)
                    else " neither (%d bytes)" % len(files[name]))
            for name in sorted(set(seen) | set(old) | set(new)))

    @staticmethod
    def hidden(files):
        return [name for name in files if name.startswith(".")]

    def judge(self, case, outcome, statuses=(OK, NO_RESOURCE), leftovers=False):
        """What is wrong with the outcome of a run in which calls failed, or None."""
        state = self.state(case, outcome.files)
        if outcome.status not in statuses or not told(outcome):
            return "ended with %d and %r, %s" % (outcome.status, outcome.err, state)
        if state != ("new" if outcome.status == OK else "old"):
            return "ended with %d, %s; %r" % (outcome.status, state, outcome.err)
        if self.hidden(outcome.files) and not leftovers:
            return "ended with %d and left %s" % (outcome.status, self.hidden(outcome.files))
        return None

    def describe(self, case, rules, outcome):
        return "%s, FAILING_IO='%s', last calls %s" % (
            case.name, rules, ["%d %s %s" % call for call in outcome.calls[-6:]])


class FailingCalls(Injected):
    """Calls fail."""

    def one_run(self, box, case, call, rules, statuses):
        old, _, calls = self.baseline(case)
        box.fill(old)
        done = box.run(case.program, case.args, rules)
        if done.calls[:call.number] != calls[:call.number]:
            return "calls differ: " + self.describe(case, rules, done)
        unlink_failed = call.kind == "unlink"
        complaint = self.judge(case, done, statuses, leftovers=unlink_failed)
        return complaint and "%s %s: %s; %s" % (call.kind, call.name, complaint,
                                                self.describe(case, rules, done))

    def jobs(self, case, call):
        must, must_not, either = FAULTS[call.kind]
        for numbers, statuses in ((must, (NO_RESOURCE,)), (must_not, (OK,)),
                                  (either, (OK, NO_RESOURCE))):
            for number in numbers:
                yield case, call, "%d=errno:%d" % (call.number, number), statuses
        # A disk that is broken stays so; one that has filled up does too.
        lasting = (must + either)[-1:]
        for number in lasting:
            yield (case, call, "%d+=errno:%d" % (call.number, number),
                   (NO_RESOURCE,) if must else (OK, NO_RESOURCE))

    def test_each_fails_in_turn(self):
        for case in CASES:
            with self.subTest(case.name):
                _, _, calls = self.baseline(case)
                self.assertGreater(len(calls), 3)
                self.no_complaints(self.in_boxes(self.one_run, [
                    job for call in calls for job in self.jobs(case, call)]))

    def test_short_writes(self):
        """Of one byte, of some, of none; then the disk is full."""
        jobs = []
        for case in CASES:
            for call in self.baseline(case)[2]:
                if call.kind != "write":
                    continue
                for most in (1, 7, 0):
                    jobs.append((case, call, "%d=short:%d" % (call.number, most), (OK,)))
                jobs.append((case, call, "%d=short:5 %d=errno:%d"
                             % (call.number, call.number + 1, errno.EINTR), (OK,)))
                jobs.append((case, call, "%d=short:5 %d=errno:%d"
                             % (call.number, call.number + 1, errno.ENOSPC), (NO_RESOURCE,)))
            jobs.append((case, self.baseline(case)[2][0], "write=short:3", (OK,)))
        self.assertGreater(len(jobs), 50)
        self.no_complaints(self.in_boxes(self.one_run, jobs))
