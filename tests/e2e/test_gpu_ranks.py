# SPDX-License-Identifier: MIT
"""Several processes, started by mpirun, divide the rows of cuda_sparse: each has a GPU of the CUDA shim
(tests/cuda_shim), alone or with others. What they write is what one process writes."""

import json
import os
import random
import re
import subprocess
import unittest

from support import BAD_INPUT, NO_RESOURCE, OK, TIMEOUT_S, Graph, environment
from test_ranks import MODULE, RanksTest, without_times

# Built by `make run-tests`.
SHIM_BIN = os.environ.get("APSP_SHIM_BIN")


def grid(width, height, lightest, heaviest, both_ways):
    """A grid of roads, and three vertices without edges."""
    numbers = random.Random(width)
    edges = []
    for v in range(width * height):
        for u in [v + 1] * ((v + 1) % width != 0) + [v + width] * (v + width < width * height):
            weight = numbers.randint(lightest, heaviest)
            edges += [(v, u, weight),
                      (u, v, weight if both_ways else numbers.randint(lightest, heaviest))]
    return Graph(width * height + 3, edges)


def star(n, leads_back):
    """The first sources are near everything. Some others are far from it or reach nothing."""
    edges = [(0, v, 1 + v % 3) for v in range(1, n)]
    for v in range(1, n):
        far = v >= 512 and v % 2 != 0
        if leads_back or not far:
            edges.append((v, 0, 5000 * v if far else 1))
    return Graph(n, edges)


@unittest.skipIf(SHIM_BIN is None, "APSP_SHIM_BIN is not set: run make test")
class GpuRanksTest(RanksTest):

    def on_shim(self, count, gpus, *args, program="cuda_sparse", **changes):
        """Ranks on a host of so many GPUs."""
        return self.together(count, *args, program=(os.path.join(SHIM_BIN, program),),
                             **{"APSP_MPI": MODULE, "APSP_SHIM_DEVICES": str(gpus),
                                "OMP_NUM_THREADS": "1", **changes})

    def compare(self, graph, count, gpus, *args):
        """Checks that one process and `count` of them write the same files; returns what ranks did."""
        self.write("g", graph.text())
        rows = [] if "--measures-only" in args else ["--format", "npy", "-o"]
        args = [arg for arg in args if arg != "--measures-only"]
        alone = subprocess.run(["cuda_sparse", "g", "-q", "--measures=one.m", *args, *rows,
                                *(["one"] if rows else [])],
                               executable=os.path.join(SHIM_BIN, "cuda_sparse"),
                               cwd=self.directory, env=environment(OMP_NUM_THREADS="1"),
                               stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False)
        self.assertEqual(alone.returncode, OK)
        status, out, lines = self.on_shim(count, gpus, "g", "--json", "--measures=all.m", *args, *rows,
                                          *(["all"] if rows else []))
        self.assertEqual((status, lines), (OK, []))
        for name in self.files():
            if name.startswith("one."):
                theirs = self.read("all" + name[len("one"):])
                if name.endswith(".json"):
                    self.assertEqual(without_times(self.read(name)), without_times(theirs), name)
                else:
                    self.assertEqual(self.read(name), theirs, (name, count, args))
        for name in self.files():
            if re.match("one|all", name):
                os.remove(self.path(name))
        answer = json.loads(out)
        self.assertEqual(sum(rank["rows"] for rank in answer["ranks"]), answer["sources"])
        return answer


class SameBytes(GpuRanksTest):

    def test_label_correcting(self):
        """5000 rows make more blocks than there are ranks, 262 rows make one."""
        chain = Graph(5000, [(v, v + 1, v % 7) for v in range(4999)])
        answer = self.compare(chain, 3, 2, "--variant", "queued", "-d", "--check")
        self.assertTrue(answer["checked"])
        self.assertEqual([rank["device"] for rank in answer["ranks"]], [0, 1, 0])
        self.assertTrue(any(rank["rows"] < 5000 for rank in answer["ranks"]))
        # Rank 2 has the same GPU as rank 0: each has half of its memory.
        self.assertEqual(2 * answer["memory"]["gpu"]["free"], answer["memory"]["gpu"]["all"])
        edges = [(v, (v + step) % 260, step - 1) for v in range(260) for step in (1, 2, 11)]
        edges += [(v + 1, v, 0) for v in range(0, 250, 7)] + [(260, 0, -3), (261, 260, 5)]
        for variant in ("multisource", "auto"):
            self.compare(Graph(262, edges), 2, 2, "--variant", variant, "--check")

    def test_dissection(self):
        """Rows, and with predecessors and limits; a row of a block more than ranks can have."""
        for count, gpus, args in ((2, 2, ["--check"]), (3, 1, ["-d", "--sources", "3,17,40-299"]),
                                  (3, 3, ["--limit", "200"])):
            answer = self.compare(grid(21, 17, 0, 90, False), count, gpus, "--variant",
                                  "dissection", *args)
            self.assertEqual(answer["ranks"][0]["device"], 0)
        # Nothing is worth eliminating.
        numbers = random.Random(7)
        dense = [(v, numbers.randrange(97), numbers.randint(1, 99)) for v in range(97) for _ in range(60)]
        self.compare(Graph(97, dense), 2, 2, "--variant", "dissection", "--check")

    def test_totals(self):
        """Measures that GPUs reduce: of both directions, proved, and if the first sources are no
        example, so that all sweep again."""
        for both_ways in (True, False):
            roads = grid(40, 33, 1, 9000, both_ways)
            for count, gpus, args in ((2, 2, ["--check"]), (3, 2, []), (3, 3, ["--sources", "7-700"])):
                self.compare(roads, count, gpus, "--variant", "dissection", "--measures-only", *args)
        for leads_back in (True, False):
            for args in ([], ["--check"]):
                answer = self.compare(star(700, leads_back), 2, 2, "--variant", "dissection",
                                      "--measures-only", *args)
                self.assertTrue(any(rank["rows"] < 700 for rank in answer["ranks"]))

    def test_devices(self):
        """Ranks take the listed GPUs in turn; all of them take a GPU that is named alone."""
        self.write("g", Graph(3, [(0, 1, 1), (1, 2, 2)]).text())
        for options, expected in (((), [0, 1, 2]), (("--devices", "3,1"), [3, 1, 3]),
                                  (("--devices", "all"), [0, 1, 2]), (("--device", "2"), [2, 2, 2])):
            status, out, lines = self.on_shim(3, 4, "g", "--measures", "--json", *options)
            self.assertEqual((status, lines), (OK, []))
            self.assertEqual([rank["device"] for rank in json.loads(out)["ranks"]], expected)


class Failures(GpuRanksTest):

    def test_lost(self):
        """Whichever rank loses its GPU, before it solves or, of `queued` the only one that has rows,
        in the middle: all end with one line, and nothing is written."""
        self.write("g", grid(21, 17, 1, 90, False).text())
        before = self.files()
        losing = ('case $OMPI_COMM_WORLD_RANK in %s) export CUDA_SHIM_LOSE_AFTER=%d;; esac; '
                  'exec %s "$@"')
        for variant, rank, call in (("queued", "0", 1), ("queued", "1", 30), ("queued", "2", 70),
                                    ("queued", "*", 140), ("dissection", "1", 3),
                                    ("dissection", "0", 45), ("dissection", "2", 90)):
            script = losing % (rank, call, os.path.join(SHIM_BIN, "cuda_sparse"))
            with self.subTest(variant, rank=rank, call=call):
                status, _, lines = self.together(
                    3, "g", "--variant", variant, "--measures=m", "--format", "npy", "-o", "out",
                    program=("sh", "-c", script, "sh"), APSP_MPI=MODULE, APSP_SHIM_DEVICES="3",
                    OMP_NUM_THREADS="1")
                self.assertEqual((status, len(lines)), (NO_RESOURCE, 1), lines)
                where = {"0": "", "*": r"(rank \d of 3 on \S+: )?GPU [0-2]: "}
                self.assertRegex(lines[0], r"\Acuda_sparse: %s.*unknown error\Z"
                                 % where.get(rank, "rank %s of 3 on " % rank))
                self.assertEqual(self.files(), before)

    def test_memory(self):
        """70 000 vertices fit on a GPU, but not twice."""
        self.write("g", Graph(70000, [(0, 1, 1)]).text())
        status, _, lines = self.on_shim(2, 1, "g", "-v", "queued", "--measures")
        self.assertEqual((status, len(lines)), (NO_RESOURCE, 1))
        self.assertIn("0.50 GiB of its 1.00 GiB are free for each of 2 processes: at most ", lines[0])

    def test_refused(self):
        """What several processes cannot do, and programs that solve in one."""
        self.write("g", Graph(3, [(0, 1, 1), (1, 2, 2)]).text())
        before = self.files()
        for program, args, status, expected in (
                ("cuda_sparse", (), BAD_INPUT, "--format: expected npy"),
                ("cuda_sparse", ("--format", "npy", "--resume"), BAD_INPUT, "--resume"),
                ("cuda_sparse", ("--measures", "--repeat", "3"), BAD_INPUT, "--repeat"),
                ("cuda_sparse", ("--measures", "--devices", "0,5"), NO_RESOURCE,
                 "no usable GPU: expected a device in 0 .. 1, found 5"),
                ("apsp", ("--measures",), BAD_INPUT, "started as 2 processes, and solves in one"),
                ("cuda_blocked", ("--measures",), BAD_INPUT, "cannot be divided among 2 processes")):
            with self.subTest(program, args=args):
                done = self.on_shim(2, 2, "g", *args, program=program)
                self.assertEqual((done[0], len(done[2])), (status, 1), done)
                self.assertIn(expected, done[2][0])
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
