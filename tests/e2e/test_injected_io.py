# SPDX-License-Identifier: MIT
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

import csv
import errno
import gzip
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zlib
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from support import (BAD_INPUT, NO_RESOURCE, OK, REFUTED, SANITIZED, TIMEOUT_S, Graph,
                     describes_shortest_paths, distances_of, environment, limited, npy_distances,
                     parse_npy, parse_result, program_path)

# Built by `make run-tests`; it works in the programs by LD_PRELOAD.
FAILING_IO = os.environ["APSP_FAILING_IO"]

# Two graphs whose results have the same size, so that nothing but the contents tells them apart:
# every distance but the diagonal, and most predecessors, differ.
OLD_GRAPH = Graph(5, [(0, 1, 5), (1, 2, 2), (2, 3, 4), (3, 4, 9), (4, 0, 1)])
NEW_GRAPH = Graph(5, [(1, 0, 30), (2, 1, 71), (3, 2, 50), (4, 3, 60), (0, 4, 43), (3, 0, 20)])

# For programs that die by a signal: as from a shell, and without a file that says where.
NO_CORE = limited(RLIMIT_CORE=0)

Case = namedtuple("Case", "name program args outputs old rules", defaults=("",))
Call = namedtuple("Call", "number kind name")
Outcome = namedtuple("Outcome", "status err calls files")

NPY = ("r.dist.npy", "r.json", "r.pred.npy")
OLD_NPY = ("cpu", "../old", "--format", "npy", "-o", "r")

CASES = [
    # name, program, arguments, what it writes, how what was there before was made, what fails
    Case("text", "cpu", ("../new", "-o", "out"), ("out",), ()),
    Case("text over text", "cpu", ("../new", "-o", "out"), ("out",),
         ("cpu", "../old", "-o", "out")),
    Case("text by way of a link", "apsp", ("../new", "-o", "link"), ("out",),
         ("cpu", "../old", "-o", "out")),
    Case("npy", "apsp", ("../new", "--format", "npy", "-o", "r"), NPY, ()),
    Case("npy over npy", "cpu", ("../new", "--format", "npy", "-o", "r"), NPY, OLD_NPY),
    Case("npy, distances over both", "cpu", ("../new", "-d", "--format", "npy", "-o", "r"), NPY[:2],
         OLD_NPY),
    Case("npy, both over distances", "cpu", ("../new", "--format", "npy", "-o", "r"), NPY,
         OLD_NPY + ("-d",)),
    Case("text over text, names cannot be exchanged", "cpu", ("../new", "-o", "out"), ("out",),
         ("cpu", "../old", "-o", "out"), "exchange=errno:%d" % errno.EINVAL),
    Case("npy over npy, names cannot be exchanged", "cpu", ("../new", "--format", "npy", "-o", "r"),
         NPY, OLD_NPY, "exchange=errno:%d" % errno.EINVAL),
    Case("timings", "cpu", ("../new", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "3"),
         ("t.csv",), ()),
    Case("more timings", "cpu", ("../new", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "3"),
         ("t.csv",), ("cpu", "../old", "-o", "/dev/null", "--csv", "t.csv")),
    Case("graph", "graphgen", ("--v", "9", "--edges", "20", "-o", "g"), ("g",),
         ("graphgen", "--v", "9", "--edges", "30", "-o", "g")),
    Case("graph in another format", "graphgen",
         ("--v", "9", "--edges", "20", "--format", "mtx", "-o", "g"), ("g",), ()),
    Case("npz over npy", "cpu", ("../new", "--format", "npz", "-o", "r"), ("r.json", "r.npz"),
         OLD_NPY),
]


def is_proved(case):
    """Returns whether the case leaves a NumPy result that verify reads."""
    return set(NPY[:2]) <= set(case.outputs)


TEXT_OVER_TEXT = CASES[1]
NPY_OVER_NPY = CASES[4]
DISTANCES_OVER_BOTH = CASES[5]
assert (TEXT_OVER_TEXT.name, NPY_OVER_NPY.name) == ("text over text", "npy over npy")
assert DISTANCES_OVER_BOTH.name == "npy, distances over both"

# How calls of a kind fail. The first column must end in exit status 4; the second must not be
# noticed; with the third, either will do, and the output tells which.
FULL = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
FAULTS = {
    "open": ((errno.EACCES, errno.EROFS, errno.EMFILE) + FULL, (errno.EINTR,), ()),
    "write": (FULL + (errno.EFBIG,), (errno.EINTR,), ()),
    "fsync": (FULL, (errno.EINTR,), (errno.EINVAL,)),
    "close": (FULL, (), (errno.EINTR,)),
    "rename": ((errno.EACCES, errno.EROFS) + FULL, (), (errno.EINTR, errno.EINVAL, errno.ENOSYS)),
    "exchange": ((errno.EACCES, errno.EROFS) + FULL, (),
                 (errno.EINTR, errno.EPERM, errno.EINVAL, errno.ENOSYS)),
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
    "openread": ((), (), (errno.EACCES, errno.EMFILE)),
    "opendir": ((), (), (errno.EACCES, errno.EMFILE)),
    "closeread": ((), (), (errno.EIO,)),
    "closedir": ((), (), (errno.EIO,)),
    "stat": ((), (), (errno.EIO,)),
    "readlink": ((), (), (errno.EIO,)),
    "statfs": ((), (), (errno.EIO,)),
    "xattr": ((), (), (errno.EIO,)),
    "chown": ((), (), (errno.EPERM, errno.EIO)),
    "random": ((), (), (errno.EAGAIN,)),
}


# Calls that change files or keep others from them. A run that dies before another call would die
# before the next one of these as well.
CHANGING = ("open", "write", "truncate", "fsync", "fsyncdir", "close", "rename", "exchange",
            "unlink", "link", "mkdir", "chmod", "chown", "lock")
REPLACING = ("rename", "exchange")


def without_seconds(name, data):
    """Returns the contents of a file without what differs from run to run."""
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


def without_random_end(name):
    """The name of a hidden file, as far as it is known in advance."""
    return re.sub(r"^(\..*)\.[A-Za-z]{8}$", r"\1", name)


def checksum(data):
    """Returns the checksum of a matrix, as the sidecar has it: CRC-32 of the cells."""
    return "%08x" % zlib.crc32(data)


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
        """{name: bytes}, hidden ones too, but for the link."""
        found = {}
        for name in os.listdir(self.directory):
            if os.path.islink(self.path(name)):
                continue
            with open(self.path(name), "rb") as file:
                found[name] = file.read()
        return found

    def start(self, program, args, rules="", log=None, thread=False, signals=False,
              stdout=subprocess.DEVNULL):
        """A program under failing_io.c."""
        env = environment(LD_PRELOAD=FAILING_IO, FAILING_IO=rules, OMP_NUM_THREADS="1",
                          FAILING_IO_BELOW=self.directory, FAILING_IO_LOG=log or self.log)
        if thread:
            env["FAILING_IO_THREAD"] = "1"
        return subprocess.Popen((program,) + tuple(args), executable=program_path(program), env=env,
                                cwd=self.directory, stdin=subprocess.DEVNULL,
                                stdout=stdout, stderr=subprocess.PIPE,
                                preexec_fn=NO_CORE if signals else None)

    def run_case(self, case, rules="", **how):
        return self.run(case.program, case.args, (case.rules + " " + rules).strip(), **how)

    def run(self, program, args, rules="", **how):
        if os.path.exists(self.log):
            os.remove(self.log)
        with self.start(program, args, rules, **how) as process:
            _, err = process.communicate(timeout=TIMEOUT_S)
        return Outcome(process.returncode, err.decode(), self.calls(), self.files())

    def calls(self, log=None, random_ends=False):
        """The calls counted by a program, temporary names without their random ends."""
        try:
            with open(log or self.log, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return []
        calls = []
        for line in lines:
            number, kind, name = line.split(" ", 2)
            if not random_ends:
                name = without_random_end(name)
            calls.append(Call(int(number), kind, name))
        return calls


def told(outcome):
    """Nothing for a success, one line for a failure."""
    if outcome.status == OK:
        return outcome.err == ""
    return re.fullmatch(r"[a-z_]+: [^\n]+\n", outcome.err) is not None


@unittest.skipIf(SANITIZED, "a preloaded library comes before that of the sanitizers")
class Injected(unittest.TestCase):
    """A base of the tests below: boxes, runs in several of them at a time, and the judge."""

    maxDiff = 4000
    BOXES = 3

    @classmethod
    def setUpClass(cls):
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
                done = box.run_case(case)
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
        # An empty table of timings gets a header, as one that is absent does.
        return {name: without_seconds(name, data) for name, data in files.items()
                if not name.startswith(".") and (name, data) != ("t.csv", b"")}

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
        """Returns what is wrong with the outcome of a run in which calls failed, or None."""
        state = self.state(case, outcome.files)
        if outcome.status not in statuses or not told(outcome):
            return "ended with %d and %r, %s" % (outcome.status, outcome.err, state)
        if state != ("new" if outcome.status == OK else "old"):
            return "ended with %d, %s; %r" % (outcome.status, state, outcome.err)
        if self.hidden(outcome.files) and not leftovers:
            return "ended with %d and left %s" % (outcome.status, self.hidden(outcome.files))
        return None

    def key(self, files):
        """Returns a key that differs for two directories if they differ in more than seconds and
        random names."""
        return tuple(sorted((without_random_end(name),
                             repr(without_seconds(name, data))) for name, data in files.items()))

    def judge_readers(self, box, case, outcome):
        """Returns what is wrong with the directory after a program that could not clean up, or
        None. The three files of a NumPy result may be a mixture if that is refused."""
        old, _, _ = self.baseline(case)
        state = self.state(case, outcome.files)
        for name in self.hidden(outcome.files):
            if not any(name.startswith("." + known + ".") for known in [*case.outputs, *old]):
                return "left " + name
        if state in ("old", "new"):
            return None
        if case.outputs[0] not in NPY:
            return state
        verdict = self.verdict(case, outcome.files)
        if verdict == "mixture":
            return "a mixture that is not refused: " + state
        key = case.name, self.key(outcome.files)
        if key not in self.verdicts:
            self.verdicts[key] = self.verify(box)
        expected = {"refused": (BAD_INPUT, BAD_INPUT), "old": (OK, REFUTED), "new": (REFUTED, OK)}
        if self.verdicts[key] != expected[verdict]:
            return "%s, %s; verify says %s" % (state, verdict, self.verdicts[key])
        return None

    # A result is of one of the graphs, or refused whichever it is held against.
    VERIFY = (("verify", "-q", "r.dist.npy", "-g", "../old"),
              ("verify", "-q", "r.dist.npy", "-g", "../new"))

    def verify(self, box):
        return tuple(box.run(args[0], args[1:]).status for args in self.VERIFY)

    def verdict(self, case, files):
        """Returns what a reader that keeps to docs/result-formats.md makes of a NumPy result:
        refused, old, new or mixture."""
        try:
            told = json.loads(files["r.json"])
            names = ["dist", "pred"] if told["predecessors"] else ["dist"]
            matrices = [files["r.%s.npy" % name] for name in names]
        except (KeyError, ValueError):
            return "refused"
        if any(checksum(data) != told[name + "_checksum"] for name, data in zip(names, matrices)):
            return "refused"
        for state, whole in zip(("old", "new"), self.baseline(case)):
            if ([whole.get("r.%s.npy" % name) for name in names] == matrices
                    and without_seconds("r.json", whole["r.json"])
                    == without_seconds("r.json", files["r.json"])):
                return state
        return "mixture"

    def describe(self, case, rules, outcome):
        return "%s, FAILING_IO='%s', last calls %s" % (
            case.name, rules, ["%d %s %s" % call for call in outcome.calls[-6:]])


class Order(Injected):
    """Data that a power cut must not undo are on the disk before they are relied upon. Nothing cuts
    the power here: the order of the calls is what is looked at."""

    def positions(self, calls, kinds, name=None):
        return [call.number for call in calls
                if call.kind in kinds and name in (None, call.name)]

    def check(self, case, calls):
        renames = self.positions(calls, REPLACING)
        self.assertEqual(sorted({call.name for call in calls if call.number in renames
                                 and not call.name.startswith(".")}), sorted(case.outputs))
        for output in case.outputs:
            temporary = "." + output
            last_write = self.positions(calls, ["write", "truncate"], temporary)[-1]
            synced = self.positions(calls, ["fsync"], temporary)
            closed = self.positions(calls, ["close"], temporary)
            self.assertTrue(synced and last_write < synced[0] < closed[0], "synced, then closed")
            self.assertLess(closed[-1], renames[0], "closed before anything is replaced")
        changes = self.positions(calls, ["rename", "exchange", "unlink", "link"])
        self.assertGreater(self.positions(calls, ["fsyncdir"], ".")[-1],
                           [number for number in changes if number <= renames[-1]][-1],
                           "the directory is synced when it has changed")

    def test_synced_closed_replaced_synced(self):
        for case in CASES:
            if case.outputs == ("t.csv",):
                continue
            with self.subTest(case.name):
                self.check(case, self.baseline(case)[2])

    def test_locked_before_anything_is_replaced(self):
        """The lock is taken before anything is replaced, also before another program's rows are counted."""
        for case in CASES:
            if case.outputs[0] not in NPY + ("t.csv",):
                continue
            with self.subTest(case.name):
                _, _, calls = self.baseline(case)
                locks = self.positions(calls, ["lock"])
                changes = self.positions(calls, ["rename", "exchange", "unlink"])
                if case.outputs == ("t.csv",):
                    changes = self.positions(calls, ["write"])
                    self.assertEqual(len(changes), 1, "rows are written at once")
                self.assertTrue(locks and locks[0] < changes[0], calls)

    def test_who_vouches_is_away_while_others_change(self):
        """For readers that know of no checksums: what marks a result complete goes first and
        comes last."""
        for case in CASES:
            if case.outputs[0] not in NPY:
                continue
            with self.subTest(case.name):
                old, _, calls = self.baseline(case)
                changes = [call.name for call in calls
                           if call.kind in ("rename", "exchange", "unlink")
                           and self.positions(calls, ["lock"])[0] < call.number]
                placed = [name for name in changes if not name.startswith(".")]
                self.assertEqual(placed[-1], "r.json")
                self.assertLessEqual(set(case.outputs) - {"r.json"}, set(placed[:-1]))
                if "r.json" in old:
                    self.assertIn(changes[0], (".r.json", "r.json"))

    def test_no_sync(self):
        """With --no-sync nothing is synced; the result is the same."""
        for case in CASES:
            with self.subTest(case.name):
                old, _, _ = self.baseline(case)
                box = self.boxes.get()
                box.fill(old)
                done = box.run(case.program, case.args + ("--no-sync",), case.rules)
                self.boxes.put(box)
                self.assertEqual((done.status, done.err), (OK, ""))
                self.assertEqual(self.state(case, done.files), "new")
                self.assertEqual(self.positions(done.calls, ["fsync", "fsyncdir"]), [])


class FailingCalls(Injected):
    """Calls fail."""

    def one_run(self, box, case, call, rules, statuses):
        old, _, calls = self.baseline(case)
        box.fill(old)
        done = box.run_case(case, rules)
        if done.calls[:call.number] != calls[:call.number]:
            return "calls differ: " + self.describe(case, rules, done)
        if "+" in rules and call.kind in REPLACING:  # so does what would restore files
            complaint = self.judge_readers(box, case, done)
            if done.status not in statuses or not told(done):
                complaint = "ended with %d and %r" % (done.status, done.err)
        else:
            complaint = self.judge(case, done, statuses, leftovers=call.kind == "unlink")
        return complaint and "%s %s: %s; %s" % (call.kind, call.name, complaint,
                                                self.describe(case, rules, done))

    def jobs(self, case, call):
        must, must_not, either = FAULTS[call.kind]
        always = re.match("([a-z]+)=", case.rules)
        if always is not None and always.group(1) == call.kind:
            return
        # An error that close() has to tell of rows is heard from a copy, while they can still be
        # taken back; close() has nothing more to tell at the end.
        closes = [other.number for other in self.baseline(case)[2]
                  if other[1:] == ("close", "t.csv")]
        if call.number in closes[1:]:
            must, must_not = (), must
        # A table of timings is read before rows are added: is it one?
        any_of = (OK, BAD_INPUT, NO_RESOURCE) if "read" in call.kind else (OK, NO_RESOURCE)
        # All errors that must be told are one to the program: each run has one of them, in turn.
        turn = call.number + CASES.index(case)
        one = must[turn % len(must):][:1] if must else ()
        for numbers, statuses in ((one, (NO_RESOURCE,)), (must_not, (OK,)), (either, any_of)):
            for number in numbers:
                yield case, call, "%d=errno:%d" % (call.number, number), statuses
        # A disk that is broken stays so; one that has filled up does too.
        for number in (must or either)[-1:] if call.kind in CHANGING else ():
            yield (case, call, "%d+=errno:%d" % (call.number, number),
                   (NO_RESOURCE,) if must else any_of)

    def test_each_fails_in_turn(self):
        for case in CASES:
            with self.subTest(case.name):
                _, _, calls = self.baseline(case)
                self.assertGreater(len(calls), 3)
                self.no_complaints(self.in_boxes(self.one_run, [
                    job for call in calls for job in self.jobs(case, call)]))

    def test_short_writes(self):
        """Writes of one byte, of some or of none are gone on with; then the disk is full."""
        jobs = []
        for case in CASES:
            for call in self.baseline(case)[2]:
                if call.kind != "write":
                    continue
                for most in (0, 1, 7):
                    jobs.append((case, call, "%d=short:%d" % (call.number, most), (OK,)))
                for number, statuses in ((errno.EINTR, (OK,)), (errno.ENOSPC, (NO_RESOURCE,))):
                    jobs.append((case, call, "%d=short:0 %d=errno:%d"
                                 % (call.number, call.number + 1, number), statuses))
            jobs.append((case, self.baseline(case)[2][0], "write=short:3", (OK,)))
        self.assertGreater(len(jobs), 50)
        self.no_complaints(self.in_boxes(self.one_run, jobs))


    def standard_output(self, box, rules, statuses, whole):
        """A complaint of a run that writes to standard output, a file here."""
        box.fill({})
        with open(box.path("stdout"), "wb") as file:
            done = box.run("graphgen", ("--v", "9", "--edges", "20", "-o", "-"), rules, stdout=file)
        if done.status not in statuses or not told(done):
            return "%s: ended with %d and %r" % (rules, done.status, done.err)
        if done.status == OK and done.files != {"stdout": whole}:
            return "%s: left %r" % (rules, done.files)
        return None

    def test_standard_output(self):
        """It cannot be taken back; but what is missing is told."""
        whole = self.baseline([case for case in CASES if case.name == "graph"][0])[1]["g"]
        self.no_complaints(self.in_boxes(self.standard_output, [
            (rules % number, statuses, whole) for rules, number, statuses in (
                ("%s", "", (OK,)), ("write=short:%d", 1, (OK,)), ("1=errno:%d", errno.EINTR, (OK,)),
                ("1=errno:%d", errno.ENOSPC, (NO_RESOURCE,)),
                ("1=short:3 2=errno:%d", errno.EIO, (NO_RESOURCE,)),
                ("close=errno:%d", errno.EDQUOT, (NO_RESOURCE,)))]))

    def test_written_by_two_threads(self):
        """Matrices so large that they are written at the same time: calls come in any order."""
        old, new = (Graph(520, [(v, v + 1, weight) for v in range(519)]) for weight in (1, 2))
        names = {}
        for name, graph in (("old", old), ("new", new)):
            names[name] = os.path.join(self.root, name)
            with open(names[name], "w", encoding="ascii") as file:
                file.write(graph.text())
        options = ("--variant", "johnson", "--threads", "2", "--format", "npy", "-o", "r")
        case = Case("npy of two threads", "cpu", (names["new"],) + options, NPY,
                    ("cpu", names["old"]) + options)
        box = self.boxes.get()
        box.fill({})
        self.assertEqual(box.run(case.old[0], case.old[1:]).status, OK)
        before = box.files()
        done = box.run_case(case)
        self.boxes.put(box)
        self.assertEqual(parse_npy(done.files["r.dist.npy"])[0], list(range(0, 1040, 2)))
        self.undisturbed[case.name] = before, done.files, done.calls
        jobs = [(case, "%d=errno:%d" % (call.number, errno.ENOSPC))
                for call in done.calls if call.kind in CHANGING]
        self.no_complaints(self.in_boxes(self.run_in_any_order, jobs))

    def run_in_any_order(self, box, case, rules):
        box.fill(self.baseline(case)[0])
        done = box.run_case(case, rules)
        number = int(rules.split("=")[0])
        failed = [call.kind for call in done.calls[number - 1:number]]
        complaint = self.judge(case, done, leftovers=failed == ["unlink"])
        return complaint and complaint + "; " + self.describe(case, rules, done)

    def name_taken(self, box, case, call, link):
        """The name that a random number gives belongs to a file of somebody else."""
        old, _, _ = self.baseline(case)
        victim = os.path.join(box.root, "victim")
        rule = "%d=fill:%d" % (call.number, 65)
        box.fill(old)
        box.run_case(case, rule)
        names = {name for _, _, name in box.calls(random_ends=True)
                 if re.fullmatch(r"\..*\.([A-Za-z])\1{7}", name)}
        if not names:
            return "no name from number %d: %s" % (call.number, box.calls(random_ends=True))
        with open(victim, "wb") as file:
            file.write(b"of somebody else")
        box.fill(old)
        for name in names:
            if link:
                os.symlink(victim, box.path(name))
            else:
                os.link(victim, box.path(name))
        done = box.run_case(case, rule)
        for name in names:
            if not os.path.lexists(box.path(name)) or (
                    not link and not os.path.samefile(box.path(name), victim)):
                return "%s was replaced" % name
        with open(victim, "rb") as file:
            if file.read() != b"of somebody else":
                return "%s was written to" % names
        others = {name: data for name, data in done.files.items() if name not in names}
        return self.judge(case, done._replace(files=others))

    def test_names_that_are_taken(self):
        """Neither a file that is there already is written to, nor where it leads."""
        jobs = []
        for case in CASES:
            _, _, calls = self.baseline(case)
            jobs += [(case, call, link) for call, then in zip(calls, calls[1:])
                     if (call.kind, then.kind) == ("random", "open") for link in (False, True)]
        self.assertGreater(len(jobs), 20)
        self.no_complaints(self.in_boxes(self.name_taken, jobs))

    def test_a_second_one_while_it_cleans_up(self):
        """While a result is replaced, a call fails; then another one, of those that restore what
        was there. What cannot be restored any more is refused by every reader."""
        for case in CASES:
            if not case.old or not is_proved(case):
                continue
            with self.subTest(case.name):
                _, _, calls = self.baseline(case)
                replacing = calls[min(call.number for call in calls if call.kind in (
                    "rename", "exchange", "unlink")) - 1:]
                self.assertGreater(len(replacing), 3)
                self.no_complaints([complaint for complaints in self.in_boxes(
                    self.second_faults, [(case, call) for call in replacing
                                         if call.kind in CHANGING]) for complaint in complaints])

    def second_faults(self, box, case, call):
        """Complaints of runs in which that call fails and one after it, or the program dies there.
        A signal that waits is one of these calls away, wherever it comes."""
        old, _, _ = self.baseline(case)
        rule = "%d=errno:%d" % (call.number, errno.EIO)
        box.fill(old)
        after = box.run_case(case, rule).calls[call.number:]
        jobs = [(second, how) for second in after if second.kind in CHANGING
                for how in ("errno:%d" % errno.EIO, "before:%d" % signal.SIGKILL)]
        jobs += [(second, "before:%d" % signal.SIGTERM) for second in after[:1]]
        complaints = []
        for second, how in jobs:
            rules = "%s %d=%s" % (rule, second.number, how)
            box.fill(old)
            done = box.run_case(case, rules)
            complaint = self.judge_readers(box, case, done)
            if done.status not in (OK, NO_RESOURCE, -signal.SIGKILL, -signal.SIGTERM):
                complaint = "ended with %d" % done.status
            if complaint is not None:
                complaints.append(complaint + "; " + self.describe(case, rules, done))
        return complaints


class Killed(Injected):
    """A signal arrives at a call, or after the last one."""

    def moments(self, case, signal_number):
        """(case, rule, call), for every moment at which calls have been made or not."""
        _, _, calls = self.baseline(case)
        for call in calls:
            if call.kind in CHANGING:
                yield case, "%d=before:%d" % (call.number, signal_number), call
        yield case, "%d=after:%d" % (calls[-1].number, signal_number), calls[-1]

    def killed(self, box, case, rules, call):
        old, new, _ = self.baseline(case)
        box.fill(old)
        done = box.run_case(case, rules)
        complaint = self.judge_readers(box, case, done)
        if done.status != -signal.SIGKILL:
            complaint = "ended with %d" % done.status
        # Leftovers are not in the way of the next run.
        key = "next", case.name, self.key(done.files)
        if complaint is None and key not in self.verdicts:
            self.verdicts[key] = True
            again = box.run_case(case)
            if (again.status, again.err) != (OK, ""):
                complaint = "the next run ended with %d, %r" % (again.status, again.err)
            elif "t.csv" not in new and self.state(case, again.files) != "new":
                complaint = "the next run left " + self.state(case, again.files)
        return complaint and "before %s %s: %s; %s" % (call.kind, call.name, complaint,
                                                       self.describe(case, rules, done))

    def test_by_one_that_cannot_be_caught(self):
        for case in CASES:
            with self.subTest(case.name):
                self.no_complaints(self.in_boxes(self.killed,
                                                 list(self.moments(case, signal.SIGKILL))))

    def ended(self, box, case, rules, call, thread, numbers):
        """By signals that can be caught."""
        old, _, _ = self.baseline(case)
        box.fill(old)
        done = box.run_case(case, rules, thread=thread, signals=True)
        state = self.state(case, done.files)
        complaint = None
        if done.status not in [-number for number in numbers] or done.err != "":
            complaint = "ended with %d and %r" % (done.status, done.err)
        elif state not in ("old", "new"):
            complaint = state
        elif self.hidden(done.files):
            complaint = "left %s" % self.hidden(done.files)
        return complaint and "at %s %s%s: %s; %s" % (
            call.kind, call.name, ", two threads" if thread else "", complaint,
            self.describe(case, rules, done))

    def test_by_one_that_can_be_caught(self):
        """The signal is caught, be it the thread that writes that would take it or another one."""
        for case in CASES:
            with self.subTest(case.name):
                _, _, calls = self.baseline(case)
                held_back = min(call.number for call in calls if call.kind in (
                    "lock", "rename", "exchange"))
                jobs = []
                for moment in self.moments(case, signal.SIGTERM):
                    jobs.append(moment + (True, [signal.SIGTERM]))
                    if moment[2].number >= held_back:
                        jobs.append(moment + (False, [signal.SIGTERM]))
                self.no_complaints(self.in_boxes(self.ended, jobs))

    def test_by_whatever_ends_programs(self):
        """Each signal, while a file is written and while files are replaced."""
        numbers = [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM,
                   signal.SIGABRT, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2,
                   signal.SIGVTALRM, signal.SIGPROF]
        jobs = []
        for case in TEXT_OVER_TEXT, NPY_OVER_NPY:
            _, _, calls = self.baseline(case)
            for kinds in ("write",), REPLACING:
                call = [call for call in calls if call.kind in kinds][-1]
                jobs += [(case, "%d=before:%d" % (call.number, number), call, True, [number])
                         for number in numbers]
        self.no_complaints(self.in_boxes(self.ended, jobs))

    def test_by_two(self):
        """The second one, which may come while the first is seen to, changes nothing."""
        jobs = []
        for case in NPY_OVER_NPY, DISTANCES_OVER_BOTH:
            _, _, calls = self.baseline(case)
            for call in calls:
                if call.kind not in CHANGING:
                    continue
                for second in (call.number, call.number + 1):
                    rules = "%d=before:%d %d=after:%d" % (call.number, signal.SIGTERM, second,
                                                          signal.SIGINT)
                    jobs.append((case, rules, call, second == call.number,
                                 [signal.SIGTERM, signal.SIGINT]))
        self.no_complaints(self.in_boxes(self.ended, jobs))


def wait_until_stopped(process):
    """Until a process has stopped; False if it ended. It stays to be waited for."""
    info = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return info.si_code == os.CLD_STOPPED


class Together(Injected):
    """Several programs at the same files. One is stopped before each of its calls, the others do
    what they can meanwhile, then it goes on."""

    def log(self, box, name):
        path = os.path.join(box.root, name)
        if os.path.exists(path):
            os.remove(path)
        return path

    def wait_until_ended_or_waiting(self, box, process, log):
        """Until a process has ended, or waits for a lock that another one holds."""
        seen = 0
        deadline = time.monotonic() + TIMEOUT_S
        while process.poll() is None and seen < 20:
            self.assertLess(time.monotonic(), deadline, "neither ends nor waits")
            time.sleep(0.001)
            calls = box.calls(log)
            seen = seen + 1 if calls and calls[-1].kind == "lock" else 0

    def beside(self, box, stopped, rules, others):
        """Starts a program that stops, then others to their end, or until they wait, has the
        first one go on, and waits for all: their statuses and stderr."""
        logs = [self.log(box, "log%d" % k) for k in range(1 + len(others))]
        running = [box.start(stopped[0], stopped[1:], rules, logs[0])]
        try:
            went_on = wait_until_stopped(running[0])
            for command, log in zip(others, logs[1:]):
                running.append(box.start(command[0], command[1:], "", log))
                self.wait_until_ended_or_waiting(box, running[-1], log)
            if went_on:
                running[0].send_signal(signal.SIGCONT)
            ends = []
            for process in running:
                err = process.communicate(timeout=TIMEOUT_S)[1]
                ends.append((process.returncode, err.decode()))
            return ends
        finally:
            for process in running:
                process.kill()
                process.wait()
                process.stderr.close()

    def stops(self, case):
        """Calls before which a program is stopped: one of each kind for each file."""
        _, _, calls = self.baseline(case)
        return {call[1:]: call for call in calls if call.kind in CHANGING}.values()

    def two_writers(self, box, case, second, call):
        old, _, _ = self.baseline(case)
        rules = "%s %d=before:%d" % (case.rules, call.number, signal.SIGSTOP)
        box.fill({})
        ends = self.beside(box, (case.program,) + case.args, rules, [second])
        state = self.state(case, box.files())
        if ends != [(OK, "")] * 2 or state not in ("old", "new") or self.hidden(box.files()):
            return "stopped before %d %s %s: %s, %s, hidden: %s" % (
                call + (ends, state, self.hidden(box.files())))
        return None

    def test_two_writers(self):
        """Two writers of one name leave a whole result, of one of them."""
        for case in CASES:
            if not case.old or "link" in case.args or case.outputs not in (("out",), NPY, NPY[:2]):
                continue
            with self.subTest(case.name):
                self.no_complaints(self.in_boxes(self.two_writers, [
                    (case, case.old, call) for call in self.stops(case)]))

    # The old result, the new one. A mixture would be refuted by both graphs; and nobody is told to
    # come again, because the reader waits for the writer.
    VERDICTS = ((OK, REFUTED), (REFUTED, OK))

    def writer_stopped(self, box, case, call):
        old, _, _ = self.baseline(case)
        rules = "%s %d=before:%d" % (case.rules, call.number, signal.SIGSTOP)
        box.fill(old)
        ends = self.beside(box, (case.program,) + case.args, rules, self.VERIFY)
        verdict = tuple(status for status, _ in ends[1:])
        if ends[0] != (OK, "") or verdict not in self.VERDICTS:
            return "stopped before %d %s %s: %s" % (call + (ends,))
        return None

    def reader_stopped(self, box, case, call):
        old, _, _ = self.baseline(case)
        rules = "%d=before:%d" % (call.number, signal.SIGSTOP)
        verdict = []
        for reader in self.VERIFY:
            box.fill(old)
            ends = self.beside(box, reader, rules, [(case.program,) + case.args])
            verdict.append(ends[0][0])
            if ends[1] != (OK, ""):
                return "the writer ended with %s" % (ends[1],)
        if tuple(verdict) not in self.VERDICTS:
            return "verify, stopped before %d %s %s: %s" % (call + (verdict,))
        return None

    def test_reader_and_writer(self):
        for case in CASES:
            if not case.old or not is_proved(case):
                continue
            with self.subTest(case.name):
                old, _, _ = self.baseline(case)
                self.no_complaints(self.in_boxes(self.writer_stopped, [
                    (case, call) for call in self.stops(case)]))
                box = self.boxes.get()
                box.fill(old)
                reading = box.run("verify", self.VERIFY[0][1:])
                self.boxes.put(box)
                self.assertEqual((reading.status, reading.err), (OK, ""))
                self.no_complaints(self.in_boxes(self.reader_stopped, [
                    (case, call) for call in reading.calls]))

    def rows_of_two(self, box, call, before):
        """Both add to one table of timings."""
        first = ("cpu", "../new", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "70")
        second = ("cpu", "../old", "-o", "/dev/null", "--csv", "t.csv", "--repeat", "60")
        box.fill(before)
        rules = "%d=before:%d" % (call.number, signal.SIGSTOP)
        ends = self.beside(box, first, rules, [second])
        header, *rows = csv.reader(box.files()["t.csv"].decode().splitlines())
        seen = sorted((row[2], int(row[11])) for row in rows if len(row) == len(header) == 15)
        expected = sorted([("../new", k) for k in range(1, 71)] +
                          [("../old", k) for k in range(1, 61)] +
                          [("../old", 1)] * (len(before) > 0))
        if (ends != [(OK, "")] * 2 or header[0] != "program" or len(rows) != len(expected)
                or seen != expected):
            return "stopped before %d %s %s: %s, %d rows of %d, %d whole" % (
                call + (ends, len(rows), len(expected), len(seen)))
        return None

    def test_timings(self):
        """Rows of several runs are whole and all there, under one header."""
        for case in CASES:
            if case.outputs != ("t.csv",):
                continue
            with self.subTest(case.name):
                before, _, _ = self.baseline(case)
                self.no_complaints(self.in_boxes(self.rows_of_two, [
                    (call, before) for call in self.stops(case)]))

    def rounds(self, box, count):
        """Two writers and readers at once, with pauses where files are replaced: complaints."""
        case = NPY_OVER_NPY
        box.fill(self.baseline(case)[0])
        whole = 0
        for _ in range(count):
            logs = [self.log(box, "log%d" % k) for k in range(4)]
            running = [
                box.start(case.program, case.args, "rename=delay:1500 unlink=delay:300", logs[0]),
                box.start(case.old[0], case.old[1:], "rename=delay:700 close=delay:300", logs[1])]
            readers = [box.start(args[0], args[1:], "openread=delay:700", log)
                       for args, log in zip(self.VERIFY, logs[2:])]
            while running[0].poll() is None or running[1].poll() is None:
                verdict = self.verdict(case, self.files_one_by_one(box))
                whole += verdict in ("old", "new")
                if verdict == "mixture":
                    return "a mixture was read"
            errs = [process.communicate(timeout=TIMEOUT_S)[1] for process in running + readers]
            statuses = [process.returncode for process in running + readers]
            if statuses[:2] != [OK, OK] or not set(statuses[2:]) <= {OK, REFUTED, BAD_INPUT}:
                return "%s, %s" % (statuses, errs)
            if self.state(case, box.files()) not in ("old", "new") or self.hidden(box.files()):
                return self.state(case, box.files())
        return None if whole > 0 else "nothing whole was ever read"

    def files_one_by_one(self, box):
        """As a reader finds them that takes its time."""
        found = {}
        for name in ("r.json", "r.dist.npy", "r.pred.npy"):
            try:
                with open(box.path(name), "rb") as file:
                    found[name] = file.read()
            except FileNotFoundError:
                pass
        return found

    def test_all_at_once(self):
        self.no_complaints(self.in_boxes(self.rounds, [(10,), (10,), (10,)]))


class Reading(Injected):
    """A file that cannot be read is not believed, and nothing is written about it."""

    def fails(self, box, files, command, call, rule, right, statuses):
        box.fill(files)
        done = box.run(command[0], command[1:], rule)
        what = "%s: %s at %s %s ended with %d, %r" % (command, rule, call.kind, call.name,
                                                      done.status, done.err)
        if done.status not in statuses or not told(done):
            return what
        if done.status != right and self.visible(done.files) != self.visible(files):
            return what + ", files differ"
        return None

    def check(self, files, command, right):
        box = self.boxes.get()
        box.fill(files)
        calls = box.run(command[0], command[1:]).calls
        self.boxes.put(box)
        reads = [call for call in calls if call.kind in ("openread", "read", "closeread", "map",
                                                         "stat")]
        self.assertGreater(len(reads), 2)
        jobs = []
        for call in reads:
            for number in (errno.EIO, errno.ENOMEM, errno.EINTR):
                jobs.append((files, command, call, "%d=errno:%d" % (call.number, number), right,
                             (right, BAD_INPUT, NO_RESOURCE)))
            if call.kind == "read":
                jobs.append((files, command, call, "%d=short:1" % call.number, right, (right,)))
        jobs.append((files, command, reads[0], "read=short:3", right, (right,)))
        self.no_complaints(self.in_boxes(self.fails, jobs))

    def test_results(self):
        npy, _, _ = self.baseline(NPY_OVER_NPY)
        text, _, _ = self.baseline(TEXT_OVER_TEXT)
        for name, files in (("r.dist.npy", npy), ("out", text)):
            for graph, right in (("../old", OK), ("../new", REFUTED)):
                with self.subTest(name=name, graph=graph):
                    # A right answer is never refuted, a wrong one never proved.
                    self.check(files, ("verify", "-q", name, "-g", graph), right)

    def test_graphs(self):
        """The output that was there stays."""
        files = dict(self.baseline(TEXT_OVER_TEXT)[0])
        files["graph"] = NEW_GRAPH.text().encode()
        files["graph.gz"] = gzip.compress(files["graph"])
        for name in ("graph", "graph.gz"):
            with self.subTest(name):
                self.check(files, ("cpu", name, "-o", "out"), OK)
