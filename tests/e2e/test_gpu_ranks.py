# SPDX-License-Identifier: MIT
"""Several processes, started by mpirun, divide the rows of cuda_sparse, or the matrix of cuda_blocked:
each has a GPU of the CUDA shim (tests/cuda_shim), alone or with others. What they write is what one
process writes."""

import json
import os
import random
import re
import shutil
import subprocess
import unittest

from support import BAD_INPUT, NO_RESOURCE, NOWHERE, OK, TIMEOUT_S, Graph, environment
from test_ranks import MODULE, RanksTest, without_times

# Built by `make run-tests`.
SHIM_BIN = os.environ["APSP_SHIM_BIN"]
# The library that stands for NCCL there (tests/nccl_stub).
NCCL = os.path.join(os.path.dirname(SHIM_BIN or ""), "libnccl.so.2")


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


def without_choice(text):
    """A sidecar without what differs between two runs, and without the variant."""
    return re.sub(r'"variant": [^,\n]*', "", without_times(text))


class GpuRanksTest(RanksTest):

    def on_shim(self, count, gpus, *args, program="cuda_sparse", **changes):
        """Ranks on a host of so many GPUs."""
        return self.together(count, *args, program=(os.path.join(SHIM_BIN, program),),
                             **{"APSP_MPI": MODULE, "APSP_SHIM_DEVICES": str(gpus),
                                "OMP_NUM_THREADS": "1", **changes})

    def compare(self, graph, count, gpus, *args, program="cuda_sparse", **changes):
        """Checks that one process and `count` of them write the same files; returns what ranks did. One
        process uses what they have chosen: predictions differ by how many there are."""
        self.write("g", graph.text())
        rows = [] if "--measures-only" in args else ["--format", "npy", "-o"]
        args = [arg for arg in args if arg != "--measures-only"]
        status, out, lines = self.on_shim(count, gpus, "g", "--json", "--measures=all.m", *args, *rows,
                                          *(["all"] if rows else []), program=program, **changes)
        self.assertEqual((status, lines), (OK, []))
        answer = json.loads(out)
        chosen = ["-v", answer["chosen"]] if program == "apsp" else []
        alone = subprocess.run([program, "g", "-q", "--measures=one.m", *args, *chosen, *rows,
                                *(["one"] if rows else [])],
                               executable=os.path.join(SHIM_BIN, program),
                               cwd=self.directory, env=environment(OMP_NUM_THREADS="1"),
                               stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False)
        self.assertEqual(alone.returncode, OK)
        for name in self.files():
            if name.startswith("one."):
                theirs = self.read("all" + name[len("one"):])
                if name.endswith(".json"):
                    self.assertEqual(without_choice(self.read(name)), without_choice(theirs), name)
                else:
                    self.assertEqual(self.read(name), theirs, (name, count, args))
        for name in self.files():
            if re.match("one|all", name):
                os.remove(self.path(name))
        self.assertEqual(sum(rank["rows"] for rank in answer["ranks"]), answer["sources"])
        return answer


class Choice(GpuRanksTest):
    """apsp: rank 0 chooses the engine for all."""

    def set_rates(self, **rates):
        """The environment of a machine where these engines are so much slower."""
        os.makedirs(self.path("config", "apsp"), exist_ok=True)
        self.write("config/apsp/rates.json", json.dumps({"version": 1, "rates": rates}))
        return {"XDG_CONFIG_HOME": self.path("config")}

    def prefer_gpus(self, **others):
        return self.set_rates(cpu_sequential=1000, cpu_blocked=1000, cpu_johnson=1000, cpu_multisource=1000,
                              gpu_context_ms=1, **others)

    def test_on_cpus(self):
        numbers = random.Random(3)
        dense = [(v, numbers.randrange(150), numbers.randint(0, 99)) for v in range(150) for _ in range(70)]
        negative = [(v, (v + step) % 260, step - 1) for v in range(260) for step in (1, 2, 11)]
        negative += [(260, 0, -3), (261, 260, 5)]
        chosen = set()
        for count, graph, args, rates in (
                (2, grid(21, 17, 1, 90, True), ["--check"], {}),
                (3, Graph(150, dense), ["-d"], {"cpu_multisource": 1000}),
                (2, Graph(262, negative), ["--check", "--sources", "3,7,100-219"], {}),
                (2, grid(21, 17, 0, 90, False), ["--limit", "200", "--measures-only"], {}),
                (2, grid(9, 9, 1, 9, False), ["--type", "float64", "--check"], {})):
            answer = self.compare(graph, count, 0, *args, program="apsp", **self.set_rates(**rates))
            chosen.add(answer["chosen"])
        self.assertTrue(all(name.startswith("cpu:") for name in chosen), chosen)
        self.assertGreater(len(chosen), 1)

    def test_on_gpus(self):
        """The ranks of two GPUs take one each; where there is none, all take the CPU."""
        env = self.prefer_gpus()
        for gpus, program, devices in ((2, "cuda_", [0, 1, 0]), (0, "cpu:", [None] * 3)):
            answer = self.compare(grid(21, 17, 1, 90, True), 3, gpus, "-d", "--check", program="apsp",
                                  **env)
            self.assertTrue(answer["chosen"].startswith(program), answer["chosen"])
            self.assertEqual([rank["device"] for rank in answer["ranks"]], devices)

    def test_matrix(self):
        """The matrix over all GPUs, and the report says by which route."""
        env = self.prefer_gpus(cuda_sparse=1000, cuda_simple=1000)
        for nccl, route in ("none", "MPI, through the hosts' memory: APSP_NCCL is none"), (NCCL, "NCCL"):
            answer = self.compare(random_graph(260, 150, 1, 300), 2, 2, "-d", "--check", program="apsp",
                                  APSP_NCCL=nccl, **env)
            self.assertEqual((answer["chosen"].split(":")[0], answer["route"]), ("cuda_blocked", route))


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

    def test_levels(self):
        """Totals by breadth-first search: both directions, proved, some sources, up to a limit, more
        processes than batches of sources, a chain with too many levels for all, and weights of a few
        units."""
        for both_ways in (True, False):
            edges = random_graph(1500, 3, 7, 7).edges
            edges += [(v, u, w) for u, v, w in edges if both_ways]
            for count, gpus, args in ((2, 2, ["--check"]), (3, 2, []), (2, 1, ["--sources", "7-1300,3"]),
                                      (3, 3, ["--limit", "20", "--check"])):
                self.compare(Graph(1503, edges), count, gpus, "--variant", "bfs", "--measures-only", *args)
        self.compare(Graph(200, [(v, v + 1, 2) for v in range(199)]), 2, 2, "--variant", "bfs",
                     "--measures-only")
        for args in ["--check"], ["--limit", "9", "--check"]:
            self.compare(random_graph(1100, 3, 1, 3), 2, 2, "--variant", "bfs", "--measures-only", *args)

    def test_devices(self):
        """Ranks take the listed GPUs in turn; all of them take a GPU that is named alone."""
        self.write("g", Graph(3, [(0, 1, 1), (1, 2, 2)]).text())
        for options, expected in (((), [0, 1, 2]), (("--devices", "3,1"), [3, 1, 3]),
                                  (("--devices", "all"), [0, 1, 2]), (("--device", "2"), [2, 2, 2])):
            status, out, lines = self.on_shim(3, 4, "g", "--measures", "--json", *options)
            self.assertEqual((status, lines), (OK, []))
            self.assertEqual([rank["device"] for rank in json.loads(out)["ranks"]], expected)


def random_graph(n, degree, lightest, heaviest):
    numbers = random.Random(n)
    return Graph(n, [(v, numbers.randrange(n), numbers.randint(lightest, heaviest))
                     for v in range(n) for _ in range(degree)])


def path(n, weight):
    return Graph(n, [(v, v + 1, weight) for v in range(n - 1)] + [(n - 1, 0, 1)])


class Matrix(GpuRanksTest):
    """Tile rows of the matrix are dealt out to the ranks, which send each other panels."""

    def spread(self, graph, count, gpus, nccl, *args):
        return self.compare(graph, count, gpus, *args, program="cuda_blocked",
                            APSP_NCCL=NCCL if nccl else "none")

    def test_sizes(self):
        """Fewer, as many and more tile rows than ranks, the last one full, almost empty or in
        between, some rows in no order, limits and negative weights, by both routes."""
        cases = ((1, 2, ()), (128, 3, ("--check",)), (129, 2, ("--sources", "128,3,7-40,0")),
                 (257, 7, ("--limit", "30")), (300, 2, ("-d", "--check")), (385, 4, ("--check",)))
        for n, count, args in cases:
            for nccl in (False, True):
                with self.subTest(n, count=count, nccl=nccl):
                    answer = self.spread(random_graph(n, 4, 0, 60), count, count, nccl, "-v", "dpx32",
                                         *args)
                    self.assertEqual(answer["route"].split(",")[0], "NCCL" if nccl else "MPI")
                    self.assertEqual([rank["device"] for rank in answer["ranks"]],
                                     list(range(count)))
                    self.assertTrue(all(rank["gpu_needed"] > 0 for rank in answer["ranks"]))
        edges = random_graph(200, 4, 1, 60).edges + [(3, 4, -1), (5, 6, -1)]
        self.spread(Graph(200, edges), 3, 3, True, "-v", "dpx32")

    def test_cells(self):
        """Ranks agree on cells, and on longer ones if a rank finds a distance too long."""
        for graph, chosen in ((random_graph(300, 40, 1, 2), "tensor"),
                              (random_graph(300, 9, 1, 500), "dpx16"), (path(260, 2), None),
                              (path(260, 300), None)):
            for nccl in (False, True):
                answer = self.spread(graph, 3, 3, nccl, "-v", "auto", "--check")
                self.assertIn(answer["chosen"], (chosen, "dpx16", "dpx32") if chosen is None
                              else (chosen,))
        self.spread(random_graph(260, 40, 1, 2), 2, 2, True, "-v", "tensor")
        self.write("g", path(260, 300).text())
        status, _, lines = self.on_shim(3, 3, "g", "-v", "dpx16", "--measures", program="cuda_blocked",
                                        APSP_NCCL=NCCL)
        self.assertEqual((status, len(lines)), (BAD_INPUT, 1))
        self.assertIn("variant dpx16 is not exact for this graph: some distance is above", lines[0])

    def test_real(self):
        """One GPU refines rows of rounded weights itself, the hosts of several do it there: the same
        distances, and predecessors that are as good."""
        graph = random_graph(150, 4, 1, 60)
        edges = [(u, v, "%d.37" % w) for u, v, w in graph.edges]
        self.spread(Graph(150, edges), 2, 2, False, "-v", "dpx32", "-d", "--check")
        status, out, lines = self.on_shim(2, 2, "g", "-v", "dpx32", "--check", "--measures", "--json", "--grid", "off",
                                          program="cuda_blocked", APSP_NCCL="none")
        self.assertEqual((status, lines, json.loads(out)["checked"]), (OK, [], True))

    def test_route(self):
        """NCCL is used if all ranks have it and GPUs of their own; otherwise MPI is, and the report
        says why."""
        graph = random_graph(140, 4, 1, 60)
        self.write("empty.so", "")
        for gpus, library, fails, expected in (
                (1, NCCL, "", "processes have the same GPU"), (2, "none", "", "APSP_NCCL is none"),
                (2, NOWHERE, "", "cannot be loaded"),
                (2, self.path("empty.so"), "", "cannot be loaded"),
                (2, MODULE, "", "NCCL has no function ncclGetUniqueId"),
                (2, NCCL, "ncclGetUniqueId", "NCCL failure while beginning: unhandled system error"),
                (2, NCCL, "ncclCommInitRankConfig", "NCCL failure while connecting the GPUs"),
                (2, NCCL, "never", "while connecting the GPUs: no answer for 3 s")):
            with self.subTest(library, gpus=gpus, fails=fails):
                answer = self.compare(graph, 2, gpus, "-v", "dpx32", program="cuda_blocked",
                                      APSP_NCCL=library, NCCL_STUB_FAIL=fails, APSP_RANK_TIMEOUT="3")
                self.assertRegex(answer["route"], r"\AMPI, through the hosts' memory: .*" + expected)
        self.write("g", graph.text())
        script = ('[ $OMPI_COMM_WORLD_RANK = 1 ] && export APSP_NCCL=none; exec %s "$@"'
                  % os.path.join(SHIM_BIN, "cuda_blocked"))
        status, out, _ = self.together(2, "g", "-v", "dpx32", "--measures", "--json",
                                       program=("sh", "-c", script, "sh"), APSP_MPI=MODULE,
                                       APSP_SHIM_DEVICES="2", APSP_NCCL=NCCL)
        self.assertEqual(status, OK)
        self.assertIn("not there for all processes", json.loads(out)["route"])


def gpus_here():
    """How many GPUs this machine has."""
    listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, text=True, check=False).stdout \
        if shutil.which("nvidia-smi") else ""
    return sum(line.startswith("GPU ") for line in listed.splitlines())


class RealGpus(RanksTest):
    """The same on GPUs, and with NCCL if it is installed and there are two."""

    @unittest.skipIf(gpus_here() == 0, "there is no GPU")
    def test_matrix(self):
        self.write("g", random_graph(900, 4, 1, 600).text())
        self.succeeds("cuda_blocked", "g", "-v", "dpx32", "--format", "npy", "-o", "one")
        status, out, lines = self.together(2, "g", "-v", "dpx32", "--format", "npy", "-o", "all", "--check",
                                           "--json", program=("cuda_blocked",))
        self.assertEqual((status, lines), (OK, []))
        for suffix in (".dist.npy", ".pred.npy"):
            self.assertEqual(self.read("one" + suffix), self.read("all" + suffix))
        route = json.loads(out)["route"]
        if gpus_here() == 1:
            self.assertIn("processes have the same GPU", route)
        elif "cannot be loaded" not in route:
            self.assertEqual(route, "NCCL")


class NcclInterface(unittest.TestCase):

    def test_header(self):
        """The declarations of NCCL's interface in gpu/nccl.c agree with nccl.h."""
        headers = [path for path in ("/usr/include/nccl.h", "/usr/local/cuda/include/nccl.h")
                   if os.path.exists(path)]
        if not headers:
            self.skipTest("nccl.h is not installed")
        with open(headers[0], encoding="utf-8") as file:
            text = " ".join(file.read().split())
        for expected in (
                r"#define NCCL_UNIQUE_ID_BYTES 128\b", r"\bncclSuccess = 0,", r"\bncclInProgress = 7,",
                r"\bncclUint8 = 1,", r"typedef struct ncclComm\* ncclComm_t;",
                r"ncclResult_t ncclGetUniqueId\(ncclUniqueId\* \w+\);",
                r"ncclResult_t ncclCommInitRankConfig\(ncclComm_t\* \w+, int \w+, ncclUniqueId \w+, int \w+, "
                r"ncclConfig_t\* \w+\);",
                r"size_t size; unsigned int magic; unsigned int version; (/\*[^*]*\*/ )?int blocking;",
                r"sizeof\(ncclConfig_t\), /\* size \*/ \\ 0xcafebeef, /\* magic \*/",
                r"ncclResult_t ncclBroadcast\(const void\* \w+, void\* \w+, size_t \w+, ncclDataType_t \w+, "
                r"int \w+, ncclComm_t \w+, cudaStream_t \w+\);",
                r"ncclResult_t ncclCommGetAsyncError\(ncclComm_t \w+, ncclResult_t \*\w+\);",
                r"ncclResult_t ncclCommAbort\(ncclComm_t \w+\);",
                r"ncclResult_t ncclCommDestroy\(ncclComm_t \w+\);",
                r"const char\* ncclGetErrorString\(ncclResult_t \w+\);"):
            self.assertRegex(text, expected)


class Failures(GpuRanksTest):

    def check_lost(self, program, variant, rank, call, **changes):
        """A rank that loses its GPU at a call of CUDA's; returns whether it did before the end."""
        self.write("g", grid(21, 17, 1, 90, False).text())
        before = self.files()
        script = ('case $OMPI_COMM_WORLD_RANK in %s) export CUDA_SHIM_LOSE_AFTER=%d;; esac; '
                  'exec %s "$@"' % (rank, call, os.path.join(SHIM_BIN, program)))
        status, _, lines = self.together(
            3, "g", "--variant", variant, "--measures=m", "--format", "npy", "-o", "out",
            program=("sh", "-c", script, "sh"), APSP_MPI=MODULE, APSP_SHIM_DEVICES="3",
            OMP_NUM_THREADS="1", **changes)
        self.assertEqual((status, len(lines)), (NO_RESOURCE, 1), lines)
        where = {"0": "", "*": r"(rank \d of 3 on \S+: )?GPU [0-2]: "}
        self.assertRegex(lines[0], r"\A%s: %s.*unknown error\Z"
                         % (program, where.get(rank, "rank %s of 3 on " % rank)))
        self.assertEqual(self.files(), before)

    def test_lost(self):
        """Whichever rank loses its GPU, before it solves or, of `queued` the only one that has rows,
        in the middle: all end with one line, and nothing is written."""
        for variant, rank, call in (("queued", "0", 1), ("queued", "1", 30), ("queued", "2", 70),
                                    ("queued", "*", 140), ("dissection", "1", 3),
                                    ("dissection", "0", 45), ("dissection", "2", 75),
                                    ("bfs", "1", 20)):
            with self.subTest(variant, rank=rank, call=call):
                self.check_lost("cuda_sparse", variant, rank, call)

    def test_lost_in_matrix(self):
        """The same while the others wait for a panel, by either route."""
        for nccl, rank, call in (("none", "1", 1), ("none", "0", 75), ("none", "2", 100),
                                 ("none", "1", 115), (NCCL, "0", 40), (NCCL, "1", 90),
                                 (NCCL, "2", 110), (NCCL, "0", 125)):
            with self.subTest(nccl, rank=rank, call=call):
                self.check_lost("cuda_blocked", "dpx32", rank, call, APSP_NCCL=nccl)
        for rank, call in ("1", 90), ("0", 125):
            with self.subTest("NCCL does not notice", rank=rank, call=call):
                self.check_lost("cuda_blocked", "dpx32", rank, call, APSP_NCCL=NCCL,
                                NCCL_STUB_FAIL="unheard", APSP_RANK_TIMEOUT="0")

    def test_lost_while_they_meet(self):
        """The same at every call around the one after which ranks settle on a route."""
        for call in range(56, 69):
            with self.subTest(call=call):
                self.check_lost("cuda_blocked", "dpx32", "1", call, APSP_NCCL="none")

    def test_nccl_fails(self):
        """A copy that NCCL refuses in the middle."""
        self.write("g", grid(21, 17, 1, 90, False).text())
        before = self.files()
        for rank in ("0", "1"):
            script = ('[ $OMPI_COMM_WORLD_RANK = %s ] && export NCCL_STUB_FAIL=ncclBroadcast; exec %s "$@"'
                      % (rank, os.path.join(SHIM_BIN, "cuda_blocked")))
            status, _, lines = self.together(3, "g", "-v", "dpx32", "--format", "npy",
                                             program=("sh", "-c", script, "sh"), APSP_MPI=MODULE,
                                             APSP_SHIM_DEVICES="3", APSP_NCCL=NCCL)
            self.assertEqual((status, len(lines)), (NO_RESOURCE, 1), lines)
            self.assertIn("NCCL failure while copying between GPUs: unhandled system error", lines[0])
            self.assertEqual(self.files(), before)

    def test_memory(self):
        """70 000 vertices fit on a GPU, but not twice."""
        self.write("g", Graph(70000, [(0, 1, 1)]).text())
        status, _, lines = self.on_shim(2, 1, "g", "-v", "queued", "--measures")
        self.assertEqual((status, len(lines)), (NO_RESOURCE, 1))
        self.assertIn("0.50 GiB of its 1.00 GiB are free for each of 2 processes: at most ", lines[0])
        status, _, lines = self.on_shim(2, 1, "g", "-v", "dpx32", "--measures", program="cuda_blocked")
        self.assertEqual((status, len(lines)), (NO_RESOURCE, 1))
        self.assertRegex(lines[0], "70000 vertices need .* on each of 2 GPUs, 0.50 GiB of its 1.00 GiB are "
                         "free for each of 2 processes: at most ")

    def test_refused(self):
        """Requests that several processes cannot fulfil are refused, and programs that solve in one
        process say so."""
        self.write("g", Graph(3, [(0, 1, 1), (1, 2, 2)]).text())
        before = self.files()
        for program, args, status, expected in (
                ("cuda_sparse", ("g",), BAD_INPUT, "--format: expected npy"),
                ("cuda_sparse", ("g", "--format", "npy", "--resume"), BAD_INPUT, "--resume"),
                ("cuda_sparse", ("g", "--measures", "--repeat", "3"), BAD_INPUT, "--repeat"),
                ("cuda_sparse", ("g", "--measures", "--devices", "0,5"), NO_RESOURCE,
                 "no usable GPU: expected a device in 0 .. 1, found 5"),
                ("apsp", ("g", "--measures", "--plan"), BAD_INPUT,
                 "--plan, --calibrate, --index, --diameter and --accessibility are for one"),
                ("apsp", ("--calibrate=1",), BAD_INPUT, "started as 2 processes"),
                ("apsp", ("g", "--measures", "-v", "cpu:auto"), BAD_INPUT,
                 "cpu:auto cannot be divided among 2 processes"),
                ("cuda_blocked", ("g", "--measures", "-v", "tile64"), BAD_INPUT,
                 "cannot be divided among 2 processes"),
                ("cuda_simple", ("g", "--measures"), BAD_INPUT, "cannot be divided among 2 processes")):
            with self.subTest(program, args=args):
                done = self.on_shim(2, 2, *args, program=program)
                self.assertEqual((done[0], len(done[2])), (status, 1), done)
                self.assertIn(expected, done[2][0])
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
