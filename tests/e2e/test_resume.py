# SPDX-License-Identifier: MIT
"""--resume: a run that dies anywhere leaves what it has finished, and the next one goes on.

Calls of the system are counted by failing_io.c, which kills the program before one of them, or has
it fail. Whatever happened before, the run that ends with status 0 must leave the files of a run
that nothing disturbed, byte for byte but for the seconds in the .json, and nothing else.

APSP_RESUME_KILLS is the number of kills at random calls; 40 without it.
"""

import errno
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zlib
from collections import namedtuple

from support import (BAD_INPUT, NO_RESOURCE, OK, REFUTED, SANITIZED, TIMEOUT_S, Graph, ProgramTest,
                     default_signals, environment, limited, program_path)

FAILING_IO = os.environ["APSP_FAILING_IO"]
FAILING_MALLOC = os.environ["APSP_FAILING_MALLOC"]
KILLS = int(os.environ.get("APSP_RESUME_KILLS", "40"))

Case = namedtuple("Case", "name program graph args old threads", defaults=((), 1))
Done = namedtuple("Done", "status out err")

V = 130
ENTRY = 16  # bytes of an entry in the file `rows`
HEAD = 128  # bytes before the first row of a matrix

CASES = [
    Case("both matrices", "cpu", "zero", ("-v", "johnson")),
    Case("over an older result", "cpu", "zero", ("-v", "johnson", "--sources", "9-48"),
         ("other", "-d")),
    Case("distances, proved", "apsp", "zero", ("-d", "--check")),
    Case("two threads", "cpu", "zero", ("-v", "multisource"), (), 2),
    Case("the variant is chosen", "apsp", "negative", ()),
    Case("some sources", "cpu", "negative", ("-v", "auto", "--sources", "random:77:5", "--check")),
    Case("measures beside it", "cpu", "zero", ("-v", "dissection", "--measures=m"), (), 2),
    Case("all rows at the end", "cpu", "zero", ("-v", "blocked")),
    Case("in few bytes", "cpu", "zero", ("-v", "multisource", "--format", "npy:uint8", "-d",
                                         "--check")),
    Case("long distances", "cpu", "long", ("-v", "johnson")),
    Case("some columns", "cpu", "zero", ("-v", "johnson", "--targets", "3-90", "--format",
                                         "npy:uint16", "--check")),
]
BOTH = CASES[0]
OLDER = CASES[1]

# Calls of the system that change something: to die before another one is to die before the next of
# these.
CHANGING = ("open", "write", "truncate", "fsync", "fsyncdir", "close", "rename", "exchange",
            "unlink", "link", "mkdir", "chmod", "lock")
# Calls whose failure must be told.
TOLD = ("open", "write", "truncate", "fsync", "link", "mkdir")


NOTE = "cpu: note: distances may pass 2^30: their type is int64 (--type int32 refuses them)"


def without_note(errors):
    """Lines, but for the one that says that the type of distances is int64."""
    return "".join(line for line in errors.splitlines(True) if not line.startswith(NOTE))


def without_seconds(name, data):
    return re.sub(rb'"(solve_s|total_s)": [^,]*,', b"", data) if name.endswith(".json") else data


@unittest.skipIf(SANITIZED or FAILING_IO is None, "the tests' library cannot be preloaded")
class Resumed(ProgramTest):
    """A folder `box` in which programs run, and graphs beside it."""

    def setUp(self):
        super().setUp()
        self.directory = os.path.realpath(self.directory)
        self.box = self.path("box")
        self.log = None
        for name, args in (("zero", ("-w", "0:9", "--seed", "3")),
                           ("other", ("-w", "1:9", "--seed", "4")),
                           ("negative", ("-w", "-5:40", "--no-negative-cycle"))):
            self.succeeds("graphgen", "--v", V, "--edges", 4 * V, *args, "-o", name)
        # Nothing before row V - 2 tells that a distance is long.
        rng = random.Random(5)
        self.write("long", Graph(V, [(rng.randrange(V - 2), rng.randrange(V - 2), rng.randrange(9))
                                     for _ in range(4 * V)] + [(V - 2, V - 1, 2**30 - 1)]))
        self.whole = {}

    def empty(self):
        shutil.rmtree(self.box, ignore_errors=True)
        os.mkdir(self.box)

    def files(self, hidden=False):
        """{name: bytes} of the box, without what may differ, and without folders."""
        found = {}
        for name in os.listdir(self.box):
            if os.path.isfile(self.in_box(name)) and (hidden or not name.startswith(".")):
                with open(self.in_box(name), "rb") as file:
                    found[name] = without_seconds(name, file.read())
        return found

    def in_box(self, *names):
        return os.path.join(self.box, *names)

    def run_case(self, case, *more, rules="", resume=True, how=None, preload=FAILING_IO,
                 **settings):
        self.log = self.path("log of " + os.path.basename(self.box))
        if os.path.exists(self.log):
            os.remove(self.log)
        args = [case.program, "../" + case.graph, "--format", "npy", "-o", "r", *case.args, *more]
        settings.update(FAILING_IO=rules, FAILING_IO_BELOW=self.box, FAILING_IO_LOG=self.log)
        process = subprocess.run(
            args + ["--resume"] * resume, executable=program_path(case.program), cwd=self.box,
            env=environment(LD_PRELOAD=preload, OMP_NUM_THREADS=str(case.threads),
                            **settings),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=TIMEOUT_S, check=False, preexec_fn=how)
        return Done(process.returncode, process.stdout.decode(), process.stderr.decode())

    def calls(self):
        """The kinds and names of the calls of the last run."""
        with open(self.log, encoding="utf-8") as file:
            return [line.rstrip("\n").split(" ", 2)[1:] for line in file]

    def begin(self, case):
        """Empties the box but for an older result, and returns its files."""
        self.empty()
        if case.old:
            self.succeeds("cpu", "../" + case.old[0], *case.old[1:], "--format", "npy", "-o", "r",
                          cwd=self.box)
        return self.files()

    def expected(self, case):
        """The files of an undisturbed run without --resume."""
        if case not in self.whole:
            box, log, self.box = self.box, self.log, self.path("undisturbed")
            self.begin(case)
            done = self.run_case(case, resume=False)
            self.assertEqual((done.status, without_note(done.err)), (OK, ""), case.name)
            self.whole[case] = self.files()
            self.box, self.log = box, log
        return self.whole[case]

    def assert_finished(self, case, done, what=""):
        self.assertEqual((done.status, without_note(done.err)), (OK, ""), "%s %s" % (case.name, what))
        found = self.files()
        self.assertEqual(sorted(found), sorted(self.expected(case)), "%s %s" % (case.name, what))
        for name, data in self.expected(case).items():
            self.assertTrue(found[name] == data, "%s differs: %s %s" % (name, case.name, what))
        self.assertFalse(os.path.exists(self.in_box("r.partial")), "%s %s" % (case.name, what))

    def assert_untouched(self, case, old, what):
        """The target of a run that did not end is the old one, or is just being replaced: then
        there is no r.json, or a new one with all that belongs to it. Measures come after the rows:
        they are the new ones then, or still the old ones."""
        measures = ("m.csv", "m.json")

        def apart(files):
            return ({k: v for k, v in files.items() if k not in measures},
                    {k: v for k, v in files.items() if k in measures})

        found, beside = apart(self.files())
        if found == old:
            return
        if "r.json" in found and found["r.json"] != old.get("r.json"):
            expected, new = apart(self.expected(case))
            self.assertEqual(found, expected, what)
            for name, content in beside.items():
                self.assertIn(content, (new.get(name), old.get(name)), what)
        elif "r.json" in found:
            self.fail("%s: r.json does not belong to the rest" % what)

    def interrupted(self, case=BOTH, rows=3, **how):
        """A run that dies after the entries of so many blocks, 0 for all, are written."""
        self.begin(case)
        done = self.run_case(case, **how)
        self.assertEqual(done.status, OK)
        entries = [k for k, call in enumerate(self.calls(), 1)
                   if call == ["write", "r.partial/rows"]]
        old = self.begin(case)
        done = self.run_case(case, rules="%d=after:9" % entries[rows - 1], **how)
        self.assertEqual(done.status, -signal.SIGKILL)
        self.assertEqual(self.files(), old)

    def kept(self, done):
        return int(re.search(r"^kept +(\d+) of", done.out, re.M).group(1))


class Killed(Resumed):

    def test_at_random_calls(self):
        rng = random.Random(KILLS)
        calls, old, kept = {}, {}, 0
        for case in CASES:
            self.expected(case)
            self.begin(case)
            done = self.run_case(case)
            self.assert_finished(case, done, "nothing disturbs it")
            calls[case.name] = len(self.calls())
        kills, case = 0, None
        while kills < KILLS:
            if case is None:
                case = rng.choice(CASES)
                old = self.begin(case)
            at = rng.randrange(1, 6 * calls[case.name])  # of which most read what is kept
            done = self.run_case(case, rules="%d=before:9" % at)
            what = "killed before call %d of %d" % (at, calls[case.name])
            if done.status == OK:
                kept += self.kept(done) > 0
                self.assert_finished(case, done, what)
                case = None
            else:
                self.assertEqual(done.status, -signal.SIGKILL, "%s: %s" % (what, done.err))
                self.assert_untouched(case, old, what)
                kills += 1
        self.assertGreater(kept, KILLS // 8, "runs that went on")

    def test_before_each_call_that_changes_something(self):
        """A run of one case, where an older result is replaced, is killed; the next run ends what
        it began."""
        case = OLDER
        self.expected(case)
        self.begin(case)
        self.assert_finished(case, self.run_case(case))
        for at, (kind, name) in enumerate(self.calls(), 1):
            if kind not in CHANGING:
                continue
            what = "killed before call %d, %s %s" % (at, kind, name)
            old = self.begin(case)
            self.assertEqual(self.run_case(case, rules="%d=before:9" % at).status,
                             -signal.SIGKILL, what)
            self.assert_untouched(case, old, what)
            self.assert_finished(case, self.run_case(case), what)

    def test_at_any_moment(self):
        """By the clock, while two threads write."""
        self.succeeds("graphgen", "--v", 1500, "--edges", 6000, "-o", "large")
        case = Case("large", "cpu", "large", ("-v", "multisource"), (), 2)
        self.expected(case)
        self.begin(case)
        started = time.monotonic()
        self.assert_finished(case, self.run_case(case))
        longest = time.monotonic() - started
        rng = random.Random(7)
        self.begin(case)
        for _ in range(8):
            process = self.start("cpu", "../large", "-v", "multisource", "--format", "npy",
                                 "-o", "r", "--resume", cwd=self.box, env={"OMP_NUM_THREADS": "2"})
            try:
                process.wait(rng.uniform(0, longest))
            except subprocess.TimeoutExpired:
                process.kill()
            process.wait()
        self.assert_finished(case, self.run_case(case))

    def test_what_is_kept_is_not_solved_again(self):
        self.interrupted(rows=4)
        done = self.run_case(BOTH, "--json")
        self.assert_finished(BOTH, done)
        answer = json.loads(done.out)
        self.assertEqual(answer["rows_kept"], 4 * 16)
        written = [name for kind, name in self.calls() if kind == "write"]
        self.assertEqual(written.count("r.partial/rows"), -(-(V - 4 * 16) // 16))

    def test_long_distances(self):
        """Rows of int32 are useless when a long distance comes; those of int64 are not solved again."""
        case = CASES[-2]
        self.begin(case)
        done = self.run_case(case)
        self.assert_finished(case, done)
        self.assertEqual(done.err, NOTE + "; 128 finished rows are solved again\n")
        self.assertIn(b'"type": "int64"', self.files()["r.json"])
        entries = [k for k, call in enumerate(self.calls(), 1) if call == ["write", "r.partial/rows"]]
        for at, kept in ((3, 0), (len(entries) // 2 + 4, 64)):  # in int32, then in int64
            self.begin(case)
            done = self.run_case(case, rules="%d=after:9" % entries[at - 1])
            self.assertEqual(done.status, -signal.SIGKILL)
            done = self.run_case(case)
            self.assert_finished(case, done)
            self.assertEqual((self.kept(done), "solved again" in done.err), (kept, kept == 0))
        # Its folder is not that of another graph, nor of one that is asked for in int32.
        self.begin(case)
        self.run_case(case, rules="%d=after:9" % entries[-1])
        done = self.run_case(case._replace(graph="zero"))
        self.assertEqual((done.status, without_note(done.err)), (BAD_INPUT, done.err))
        done = self.run_case(case, "--type", "int32")
        self.assertEqual(done.status, BAD_INPUT)
        self.assertIn("expected rows with type int32, found int64", done.err)

    def test_all_rows_are_kept(self):
        """There is nothing left to solve, but to prove and to measure."""
        case = Case("all", "apsp", "zero", ("--check", "--measures=m"))
        self.expected(case)
        self.interrupted(case, rows=0)
        entries = self.read("box/r.partial/rows")
        self.assertEqual(len(entries), ENTRY * V)
        self.assertTrue(all(any(entries[k:k + ENTRY]) for k in range(0, len(entries), ENTRY)))
        done = self.run_case(case)
        self.assertEqual(self.kept(done), V)
        self.assert_finished(case, done)


class Signalled(Resumed):

    def test_it_ends_at_once_and_says_how_to_go_on(self):
        self.expected(BOTH)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.begin(BOTH)
            # All writes of entries but the first few take long.
            process = self.start(
                "cpu", "../zero", "--format", "npy", "-o", "r", "--resume", *BOTH.args,
                cwd=self.box, preexec_fn=default_signals,
                env={"LD_PRELOAD": FAILING_IO, "FAILING_IO_BELOW": self.box, "OMP_NUM_THREADS": "1",
                     "FAILING_IO": "write=delay:200000"})
            while not (os.path.exists(self.in_box("r.partial/rows"))
                       and any(self.read("box/r.partial/rows"))):
                time.sleep(0.005)
            sent = time.monotonic()
            process.send_signal(number)
            _, err = process.communicate(timeout=TIMEOUT_S)
            self.assertLess(time.monotonic() - sent, 2)  # the other rows would take thrice that
            self.assertEqual(process.returncode, -number)
            self.assertEqual(err.decode(), "cpu: ended by a signal; finished rows are kept in "
                             "r.partial: run again with --resume\n")
            self.assertEqual(self.files(hidden=True), {})
            done = self.run_case(BOTH)
            self.assertGreater(self.kept(done), 0)
            self.assert_finished(BOTH, done)

    def test_without_resume_it_says_nothing_and_leaves_nothing(self):
        self.begin(BOTH)
        done = self.run_case(BOTH, rules="write=after:15", resume=False, how=limited(RLIMIT_CORE=0))
        self.assertEqual((done.status, done.err), (-signal.SIGTERM, ""))
        self.assertEqual(os.listdir(self.box), [])


class Failing(Resumed):

    def test_the_disk_is_full(self):
        self.expected(BOTH)
        self.begin(BOTH)
        self.run_case(BOTH)
        writes = [k for k, call in enumerate(self.calls(), 1)
                  if call[0] == "write" and call[1] == "r.partial/dist.npy"]
        self.begin(BOTH)
        done = self.run_case(BOTH, rules="%d+=errno:%d" % (writes[5], errno.ENOSPC))
        self.assertEqual(done.status, NO_RESOURCE)
        self.assertEqual(done.err, "cpu: cannot write r.partial/dist.npy: No space left on device; "
                         "%d of %d rows are kept in r.partial: run again with --resume\n"
                         % (4 * 16, V))
        self.assertEqual(self.files(hidden=True), {})
        shutil.copytree(self.in_box("r.partial"), self.path("kept"))
        done = self.run_case(BOTH)
        self.assertEqual(self.kept(done), 4 * 16)
        self.assert_finished(BOTH, done)
        # The rows of both runs are told when it is full again.
        writes = [k for k, call in enumerate(self.calls(), 1)
                  if call[0] == "write" and call[1] == "r.partial/dist.npy"]
        self.empty()
        shutil.copytree(self.path("kept"), self.in_box("r.partial"))
        done = self.run_case(BOTH, rules="%d+=errno:%d" % (writes[-1], errno.ENOSPC))
        self.assertEqual(done.status, NO_RESOURCE)
        told = re.search(r"; (\d+) of %d rows are kept in r\.partial: run again" % V, done.err)
        self.assertGreater(int(told[1]), 4 * 16)
        done = self.run_case(BOTH)
        self.assertEqual(self.kept(done), int(told[1]))
        self.assert_finished(BOTH, done)

    def test_the_disk_is_full_and_nothing_is_to_be_kept(self):
        old = self.begin(OLDER)
        done = self.run_case(OLDER, rules="write=errno:%d" % errno.ENOSPC, resume=False)
        self.assertEqual(done.status, NO_RESOURCE)
        self.assertNotIn("--resume", done.err)
        self.assertEqual(self.files(hidden=True), old)
        self.assertEqual(sorted(os.listdir(self.box)), sorted(old))

    def test_no_file_may_be_so_large(self):
        """Told before anything is solved, and nothing is left."""
        old = self.begin(OLDER)
        done = self.run_case(OLDER, how=limited(RLIMIT_FSIZE=4096))
        self.assertEqual((done.status, done.err), (
            NO_RESOURCE, "cpu: cannot write r.partial/dist.npy: File too large\n"))
        self.assertEqual(self.files(hidden=True), old)
        self.assertEqual(sorted(os.listdir(self.box)), sorted(old))

    def test_each_call_fails_in_turn(self):
        """It ends with status 0 and the new result or with 4, one line and the old one; the next
        run has the new result in any case."""
        case = OLDER
        self.expected(case)
        self.begin(case)
        self.assert_finished(case, self.run_case(case))
        for at, (kind, name) in enumerate(self.calls(), 1):
            if kind not in TOLD:
                continue
            what = "call %d, %s %s, fails" % (at, kind, name)
            old = self.begin(case)
            done = self.run_case(case, rules="%d=errno:%d" % (at, errno.EIO))
            if done.status != OK:
                self.assertEqual(done.status, NO_RESOURCE, what)
                self.assertRegex(done.err, r"^cpu: [^\n]+\n$", what)
                self.assertEqual(self.files(hidden=True), old, what)
                done = self.run_case(case)
            self.assert_finished(case, done, what)

    def test_each_allocation_fails_in_turn(self):
        case = Case("allocations", "cpu", "zero", ("-v", "johnson", "--check"))
        self.expected(case)
        self.interrupted(case, rows=4)
        shutil.copytree(self.in_box("r.partial"), self.path("kept"))
        count = self.path("count")
        done = self.run_case(case, preload=FAILING_MALLOC, FAIL_COUNT=count)
        self.assert_finished(case, done)
        for at in range(1, int(self.read("count").split()[0]) + 1, 3):
            self.empty()
            shutil.copytree(self.path("kept"), self.in_box("r.partial"))
            done = self.run_case(case, preload=FAILING_MALLOC, FAIL_AT=str(at))
            if done.status != OK:
                self.assertEqual(done.status, NO_RESOURCE, "allocation %d: %r" % (at, done))
                self.assertEqual(self.files(hidden=True), {})
                self.assertTrue(os.path.exists(self.in_box("r.partial/rows")), at)
                if at % 4:
                    continue
                done = self.run_case(case)
                self.assertGreaterEqual(self.kept(done), 64, "allocation %d" % at)
            self.assert_finished(case, done, "allocation %d" % at)


class Damaged(Resumed):
    """Files that are kept were changed, by a disk or by somebody. No changed row reaches the
    result."""

    def change(self, name, at, data):
        with open(self.in_box("r.partial", name), "r+b") as file:
            file.seek(at)
            file.write(data)

    def finish(self, kept):
        done = self.run_case(BOTH)
        self.assertEqual(self.kept(done), kept)
        self.assert_finished(BOTH, done)

    def setUp(self):
        super().setUp()
        self.expected(BOTH)
        self.interrupted(rows=4)  # rows 0 .. 63

    def test_bytes_of_rows(self):
        self.change("dist.npy", HEAD + 4 * (7 * V + 3), b"\x55")
        self.change("pred.npy", HEAD + 4 * (9 * V + V - 1), b"\x55\x66\x77")
        self.change("pred.npy", HEAD + 4 * (V * V - 1), b"\x55")  # not finished anyway
        self.finish(62)

    def test_heads_of_matrices(self):
        self.change("dist.npy", 0, bytes(HEAD))
        self.finish(64)

    def test_entries(self):
        """Entries of one row each are damaged: torn, of another row, with another checksum,
        empty."""
        entries = self.read("box/r.partial/rows")
        self.change("rows", 5 * ENTRY + 8, bytes(8))
        self.change("rows", 6 * ENTRY, entries[:ENTRY])
        self.change("rows", 8 * ENTRY + 4, b"\x01")
        self.change("rows", 63 * ENTRY, bytes(ENTRY))
        self.finish(60)

    def test_truncated_files(self):
        with open(self.in_box("r.partial", "rows"), "r+b") as file:
            file.truncate(50 * ENTRY + 3)
        with open(self.in_box("r.partial", "pred.npy"), "r+b") as file:
            file.truncate(HEAD + 4 * (40 * V + 1))
        self.finish(40)

    def test_files_are_gone(self):
        os.remove(self.in_box("r.partial", "pred.npy"))
        self.finish(0)

    def test_entries_of_another_run(self):
        """They are bound to the request and to the variant that solved."""
        entries = self.read("box/r.partial/rows")
        request = json.loads(self.read("box/r.partial/request.json"))
        self.assertEqual(request["produced_by"], "johnson")
        self.interrupted(Case("other", "cpu", "other", ("-v", "johnson")), rows=4)
        self.change("rows", 0, entries)
        shutil.copy(self.path("zero"), self.path("other"))
        self.empty()
        self.interrupted(rows=4)
        self.change("request.json", 0, b"{ ")
        self.finish(0)

    def test_the_request_is_damaged(self):
        for text in (b"", b"{}", b"[1]", b"{" * 9000, b"\xff\xfe", b'{"version": "0.2.0"'):
            with open(self.in_box("r.partial", "request.json"), "wb") as file:
                file.write(text)
            done = self.run_case(BOTH)
            self.assertEqual(done.status, BAD_INPUT, text)
            self.assertRegex(done.err, r"^cpu: r\.partial[^\n]+\n$")
        self.assertTrue(any(self.read("box/r.partial/rows")), "nothing is removed")

    def test_a_wrong_row_with_right_checksums(self):
        """Only the proof can tell; it covers what is kept."""
        row = bytearray(self.read("box/r.partial/dist.npy")[HEAD:][4 * V * 7:4 * V * 8])
        far = max(range(V), key=lambda v: struct.unpack_from("<i", row, 4 * v)[0] % (2**30 - 1))
        struct.pack_into("<i", row, 4 * far, struct.unpack_from("<i", row, 4 * far)[0] - 1)
        self.change("dist.npy", HEAD + 4 * V * 7, row)
        key = zlib.crc32(self.read("box/r.partial/request.json"))
        entry = self.read("box/r.partial/rows")[7 * ENTRY:8 * ENTRY]
        entry = entry[:4] + struct.pack("<I", zlib.crc32(row)) + entry[8:12]
        self.change("rows", 7 * ENTRY, entry + struct.pack("<I", zlib.crc32(entry, key)))
        done = self.run_case(BOTH, "--check")
        self.assertEqual(done.status, REFUTED, done.err)
        self.assertRegex(done.err, r"^cpu: r\.partial keeps a wrong row: .* from 7 to .* \(remove "
                         r"the folder to begin anew\)\n$")
        self.assertEqual(self.files(hidden=True), {})
        done = self.run_case(BOTH)
        self.assertEqual((done.status, self.kept(done)), (OK, 64))


class Refused(Resumed):

    def test_options_without_meaning(self):
        self.empty()
        for args, expected in (
                ((), "expected --format npy"),
                (("-o", "-"), "expected --format npy"),
                (("--measures",), "keeps no rows"),
                (("--format", "npz"), "npz is written when all is solved"),
                (("--format", "npy", "--repeat", "2"), "--repeat"),
                (("--format", "npy", "--csv", "t.csv"), "--csv"),
                (("--format", "npy", "-o", "-"), "standard output")):
            self.fails(BAD_INPUT, expected, "cpu", "../zero", "--resume", *args, cwd=self.box)
        self.assertEqual(os.listdir(self.box), [])

    def test_another_request(self):
        case = Case("some", "cpu", "zero", ("-v", "johnson", "--sources", "1-100"))
        self.expected(case)
        self.interrupted(case)
        kept = self.read("box/r.partial/rows")
        for changes, expected in (
                ({"graph": "other"}, "expected rows with graph "),
                ({"args": ("-v", "johnson")}, "with sources all, found 100, CRC-32 "),
                ({"args": ("-v", "johnson", "--sources", "1-99,0")}, "with sources 100, CRC-32 "),
                ({"args": case.args + ("-d",)},
                 "with matrices distances, found distances and predecessors"),
                ({"args": ("-v", "multisource") + case.args[2:]},
                 "with variant multisource, found johnson"),
                ({"args": case.args + ("--undirected",)}, "expected rows with graph "),
                ({"program": "apsp", "args": ("-v", "cpu:johnson") + case.args[2:]},
                 "with program apsp, found cpu")):
            done = self.run_case(case._replace(**changes))
            self.assertEqual(done.status, BAD_INPUT)
            self.assertIn(expected, done.err)
            self.assertEqual(self.read("box/r.partial/rows"), kept)
        columns = Case("columns", "cpu", "zero", ("-d", "--targets", "3-90", "--check"))
        self.interrupted(columns)
        for args, expected in (
                (("-d", "--targets", "3-91", "--check"), "expected rows with targets 89, CRC-32 "),
                (("-d", "--targets", "3-90", "--check", "--format", "npy:uint8"),
                 "expected rows with type uint8, found int32"),
                # Whole rows are gone, and cannot be proved again.
                (("-d", "--targets", "3-90"), "expected rows with proof none, found required"),
                (("-d", "--targets", "3-90", "--check", "--limit", "5"),
                 "expected rows with limit 5, found none")):
            done = self.run_case(columns._replace(args=args))
            self.assertEqual(done.status, BAD_INPUT)
            self.assertIn(expected, done.err)
        self.interrupted(case)
        # Options that no byte of the result depends on may be others.
        proved = case._replace(args=case.args + ("--check",))
        self.assert_finished(proved, self.run_case(proved, "--threads", "2", "--no-sync"))

    def test_another_version(self):
        self.interrupted()
        with open(self.in_box("r.partial", "request.json"), "r+", encoding="utf-8") as file:
            request = json.load(file)
            request["version"] = "0.1.9"
            file.seek(0)
            file.truncate()
            json.dump(request, file)
        done = self.run_case(BOTH)
        self.assertEqual(done.status, BAD_INPUT)
        self.assertIn("found 0.1.9 (remove the folder to begin anew)", done.err)

    def test_the_variant_that_was_chosen_goes_on(self):
        """Another one might find other predecessors. Distances are the same from any."""
        self.interrupted(Case("auto", "apsp", "zero", ()), rows=2)
        with open(self.in_box("r.partial", "request.json"), encoding="utf-8") as file:
            chosen = json.load(file)["produced_by"]
        self.assertTrue(chosen.startswith("cpu:"), chosen)
        other = "cpu:johnson" if chosen != "cpu:johnson" else "cpu:multisource"
        for matrices, expected in ((("-d",), ""), ((), other)):
            case = Case("auto", "apsp", "zero", matrices)
            self.begin(case)
            # As if another had been chosen by the run before.
            self.interrupted(case._replace(args=("-v", other) + matrices), rows=2)
            with open(self.in_box("r.partial", "request.json"), encoding="utf-8") as file:
                request = file.read()
            self.assertEqual(json.loads(request)["produced_by"], expected)
            entries = bytearray(self.read("box/r.partial/rows"))
            request = request.replace('"variant": "%s"' % other, '"variant": "auto"').encode()
            key = zlib.crc32(request)
            found = False
            for at in range(0, len(entries), ENTRY):
                if any(entries[at:at + ENTRY]) and not found:
                    struct.pack_into("<I", entries, at + 12, zlib.crc32(entries[at:at + 12], key))
                    found = True  # a single row decides
                elif found:
                    entries[at:at + ENTRY] = bytes(ENTRY)
            for name, data in (("request.json", request), ("rows", entries)):
                with open(self.in_box("r.partial", name), "wb") as file:
                    file.write(data)
            done = self.run_case(case, "--json")
            self.assertEqual((done.status, done.err), (OK, ""))
            answer = json.loads(done.out)
            self.assertEqual(answer["rows_kept"], 1)
            self.assertEqual(answer["chosen"], expected or chosen)
            self.assertEqual(answer["variant"], "auto")

    def test_two_at_a_time(self):
        self.expected(BOTH)
        self.begin(BOTH)
        first = self.start("cpu", "../zero", "--format", "npy", "-o", "r", "--resume", *BOTH.args,
                           cwd=self.box, env={"LD_PRELOAD": FAILING_IO, "OMP_NUM_THREADS": "1",
                                              "FAILING_IO_BELOW": self.box,
                                              "FAILING_IO": "write=delay:10000"})
        while not os.path.exists(self.in_box("r.partial/rows")):
            time.sleep(0.005)
        done = self.run_case(BOTH)
        self.assertEqual((done.status, done.err), (
            NO_RESOURCE, "cpu: cannot write r.partial: another program is using it\n"))
        _, err = first.communicate(timeout=TIMEOUT_S)
        self.assert_finished(BOTH, Done(first.returncode, "", err.decode()))

    def test_the_folder_is_not_ours(self):
        self.begin(BOTH)
        os.mkdir(self.in_box("r.partial"))
        with open(self.in_box("r.partial", "dist.npy"), "wb") as file:
            file.write(b"mine")
        done = self.run_case(BOTH)
        self.assertEqual((done.status, done.err), (
            BAD_INPUT, "cpu: r.partial: expected an empty folder or one that --resume has left, "
            "found dist.npy in it\n"))
        self.assertEqual(self.read("box/r.partial/dist.npy"), b"mine")
        os.remove(self.in_box("r.partial", "dist.npy"))
        self.expected(BOTH)
        self.begin(BOTH)
        os.mkdir(self.in_box("r.partial"))
        self.assert_finished(BOTH, self.run_case(BOTH))

    def test_links_are_not_followed(self):
        self.begin(BOTH)
        self.write("mine", b"mine")
        os.mkdir(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.in_box("r.partial"))
        done = self.run_case(BOTH)
        self.assertEqual(done.status, NO_RESOURCE)
        self.assertIn("cannot write r.partial: ", done.err)
        self.assertEqual(os.listdir(self.path("elsewhere")), [])
        for name in ("dist.npy", "rows", "request.json", "request.json.new"):
            self.interrupted()
            shutil.rmtree(self.in_box("r.partial", name), ignore_errors=True)
            if os.path.exists(self.in_box("r.partial", name)):
                os.remove(self.in_box("r.partial", name))
            os.symlink(self.path("mine"), self.in_box("r.partial", name))
            done = self.run_case(BOTH)
            if name != "request.json.new":  # that one is replaced
                self.assertIn(done.status, (NO_RESOURCE, BAD_INPUT), name)
            self.assertEqual(self.read("mine"), b"mine", name)

    def test_targets_that_cannot_be_linked(self):
        """It is told before anything is solved."""
        self.begin(BOTH)
        done = self.run_case(BOTH, rules="link=errno:%d" % errno.EXDEV)
        self.assertEqual((done.status, done.err), (
            NO_RESOURCE,
            "cpu: cannot write r.dist.npy by a hard link: Invalid cross-device link\n"))
        self.assertEqual(os.listdir(self.box), [])
        os.mkfifo(self.in_box("r.pred.npy"))
        done = self.run_case(BOTH)
        self.assertEqual((done.status, done.err), (
            NO_RESOURCE, "cpu: cannot write r.pred.npy: File exists\n"))
        self.assertEqual(os.listdir(self.box), ["r.pred.npy"])

    def test_the_folder_is_for_its_owner_alone(self):
        self.interrupted(how=lambda: os.umask(0))
        self.assertEqual(os.stat(self.in_box("r.partial")).st_mode & 0o7777, 0o700)
        self.assert_finished(BOTH, self.run_case(BOTH, how=lambda: os.umask(0o027)))
        self.assertEqual(os.stat(self.in_box("r.dist.npy")).st_mode & 0o777, 0o666)
        self.assertEqual(os.stat(self.in_box("r.json")).st_mode & 0o777, 0o640)


class Synced(Resumed):
    """The calls come in an order that a power cut cannot undo."""

    def test_before_it_is_relied_upon(self):
        self.begin(OLDER)
        self.assertEqual(self.run_case(OLDER).status, OK)
        calls = self.calls()
        made = calls.index(["mkdir", "r.partial"])
        self.assertEqual(calls[made + 1], ["fsyncdir", "."])
        request = calls.index(["rename", "r.partial/request.json"])
        self.assertIn(["fsync", "r.partial/request.json.new"], calls[:request])
        self.assertEqual(calls[request + 1], ["fsyncdir", "r.partial"])
        replaced = calls.index(["exchange", "r.dist.npy"])
        for name in ("r.partial/dist.npy", "r.partial/pred.npy"):
            synced = calls.index(["fsync", name])
            self.assertLess(len(calls) - calls[::-1].index(["write", name]) - 1, synced)
            self.assertLess(synced, replaced)
        self.assertIn(["fsyncdir", "."], calls[replaced:calls.index(["unlink", "r.partial/rows"])])

    def test_from_time_to_time(self):
        """After a second, while rows come."""
        self.begin(BOTH)
        self.assertEqual(self.run_case(BOTH, rules="write=delay:50000").status, OK)
        calls = self.calls()
        last = len(calls) - calls[::-1].index(["write", "r.partial/rows"]) - 1
        for name in ("dist.npy", "pred.npy", "rows"):
            self.assertIn(["fsync", "r.partial/" + name], calls[:last])

    def test_whichever_file_fails(self):
        """Which call syncs a file from time to time differs from run to run: until it was that one."""
        for name in ("dist.npy", "pred.npy", "rows"):
            wanted, slow, at = ["fsync", "r.partial/" + name], "write=delay:50000", 0
            for _ in range(30):
                self.begin(BOTH)
                done = self.run_case(BOTH, rules=slow + (" %d=errno:%d" % (at, errno.EIO)) * (at > 0))
                calls = self.calls()
                if calls[at - 1:at] == [wanted]:
                    break
                at = calls.index(wanted) + 1 if wanted in calls else 0
            with self.subTest(name):
                self.assertEqual(done.status, NO_RESOURCE)
                self.assertIn("Input/output error", done.err)

    def test_no_sync(self):
        self.begin(BOTH)
        self.assertEqual(self.run_case(BOTH, "--no-sync").status, OK)
        self.assertEqual([call for call in self.calls() if call[0] in ("fsync", "fsyncdir")], [])


class Told(Resumed):

    def test_no_row_before_all(self):
        self.begin(BOTH)
        done = self.run_case(BOTH._replace(args=("-v", "blocked")))
        self.assertIn("note     blocked has no row before it has all: until then, none is kept\n",
                      done.out)
        self.begin(BOTH)
        done = self.run_case(BOTH)
        self.assertNotIn("note", done.out)

    def test_a_run_without_it_leaves_what_is_kept(self):
        self.expected(BOTH)
        self.interrupted()
        kept = self.read("box/r.partial/rows")
        done = self.run_case(BOTH, "--json", resume=False)
        self.assertEqual(done.status, OK)
        self.assertIsNone(json.loads(done.out)["rows_kept"])
        self.assertEqual(self.files(), self.expected(BOTH))
        self.assertEqual(self.read("box/r.partial/rows"), kept)

    def test_nothing_is_left_if_no_row_is_finished(self):
        self.begin(BOTH)
        self.write("cycle", "2 2\n0 1 -3\n1 0 2\n")
        done = self.run_case(Case("cycle", "cpu", "cycle", ()))
        self.assertIn("negative cycle", done.err)
        self.assertEqual(os.listdir(self.box), [])


if __name__ == "__main__":
    unittest.main()
