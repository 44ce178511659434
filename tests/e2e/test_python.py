# SPDX-License-Identifier: MIT
"""The Python package over libapsp, against SciPy; and the example that reads results without
the library. Skipped where NumPy or SciPy is missing (Debian: python3-scipy)."""

import copy
import ctypes
import importlib
import importlib.metadata
import importlib.util
import os
import pickle
import re
import subprocess
import sys
import threading
import time
import unittest
import warnings

from support import REPOSITORY, SANITIZED, ProgramTest, environment

try:
    import numpy
except ImportError:
    numpy = None
try:
    from scipy import sparse
    from scipy.sparse import csgraph
except ImportError:
    csgraph = None

PACKAGE = os.path.join(REPOSITORY, "python")
LIBRARY = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib", "libapsp.so.0.2")
NONE = -9999

apsp = None


def setUpModule():
    global apsp
    if SANITIZED:
        raise unittest.SkipTest("a sanitized library needs a sanitized Python")
    if numpy is None:
        raise unittest.SkipTest("NumPy is not installed")
    os.environ["APSP_LIBRARY"] = LIBRARY
    sys.path.insert(0, PACKAGE)
    apsp = importlib.import_module("apsp")


def tearDownModule():
    if PACKAGE in sys.path:
        sys.path.remove(PACKAGE)


needs_scipy = unittest.skipIf(csgraph is None, "SciPy is not installed")


# Graphs, the same ones every time ------------------------------------------

def random_weights(rng, n, kind):
    """A matrix of integral float64 weights and where there are edges."""
    edges = rng.random((n, n)) < rng.choice([0.05, 0.2, 0.6, 1.0])
    weights = {
        "small": lambda: rng.integers(1, 10, (n, n)),
        "large": lambda: rng.integers(1, 10**6, (n, n)),
        "zeros": lambda: rng.integers(0, 3, (n, n)),
        "shifted": lambda: rng.integers(0, 9, (n, n)),
        "any sign": lambda: rng.integers(-1, 30, (n, n)),
    }[kind]().astype(float)
    if kind == "shifted":  # negative edges without negative cycles
        height = rng.integers(0, 20, n)
        weights += height[:, None] - height[None, :]
    if kind != "zeros":
        numpy.fill_diagonal(edges, False)  # SciPy overlooks negative ones
    return weights, edges


def dense(weights, edges, rng):
    """What says that there is no edge: zero, NaN or infinity, by turns."""
    blank = numpy.array([0, numpy.nan, numpy.inf])[rng.integers(0, 3, weights.shape)]
    return numpy.where(edges, weights, blank)


def masked(weights, edges, rng):
    return numpy.ma.masked_array(weights, mask=~edges)


def stored(make):
    def build(weights, edges, rng):
        tails, heads = numpy.nonzero(edges)
        return make((weights[edges], (tails, heads)), shape=weights.shape)
    return build


def integral(weights, edges, rng):
    return numpy.where(edges, weights, 0).astype(numpy.int64)


def fortran(weights, edges, rng):
    return numpy.asfortranarray(numpy.where(edges, weights, 0))


KINDS = ("small", "large", "zeros", "shifted", "any sign")


def containers():
    return {"dense": dense, "masked": masked, "integral": integral, "Fortran": fortran,
            "csr": stored(sparse.csr_matrix), "csc": stored(sparse.csc_matrix),
            "coo": stored(sparse.coo_matrix)}


def for_scipy(graph):
    """As its floyd_warshall can take it: not COO, and not in Fortran's order, for which version
    1.10 returns an unsolved matrix."""
    if sparse.issparse(graph):
        return graph.tocsr() if graph.format == "coo" else graph
    return graph if numpy.ma.isMaskedArray(graph) else numpy.ascontiguousarray(graph)


@needs_scipy
class AgainstSciPy(unittest.TestCase):

    def assert_predecessors(self, weights, dist, pred, expected):
        """Each is the vertex before j on a path of that length, and there where SciPy's are."""
        self.assertEqual(pred.dtype, expected.dtype)
        numpy.testing.assert_array_equal(pred == NONE, expected == NONE)
        i, j = numpy.nonzero(pred != NONE)
        p = pred[i, j]
        numpy.testing.assert_array_equal(dist[i, p] + weights[p, j], dist[i, j])

    def compare(self, graph, expected_weights, **options):
        """Returns whether there was a negative cycle."""
        try:
            expected, expected_pred = csgraph.floyd_warshall(
                for_scipy(graph), return_predecessors=True, **options)
        except csgraph.NegativeCycleError:
            with self.assertRaises(csgraph.NegativeCycleError) as caught:
                apsp.floyd_warshall(graph, return_predecessors=True, **options)
            self.assert_cycle(expected_weights, caught.exception)
            return True
        dist, pred = apsp.floyd_warshall(graph, return_predecessors=True, **options)
        self.assertEqual((dist.dtype, dist.shape), (expected.dtype, expected.shape))
        numpy.testing.assert_array_equal(dist, expected)
        self.assert_predecessors(expected_weights, dist, pred, expected_pred)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(graph, **options), expected)
        return False

    def assert_cycle(self, weights, error):
        """The exception's cycle is one, and weighs that."""
        around = error.cycle[1:] + error.cycle[:1]
        total = sum(weights[u, v] for u, v in zip(error.cycle, around))
        self.assertEqual(total, error.weight)
        self.assertLess(total, 0)

    def test_random_graphs(self):
        """Every way to hold a graph, directed and not, weighted and not."""
        rng = numpy.random.default_rng(3)
        compared, cycles = 0, 0
        for number in range(420):
            kind = KINDS[number % len(KINDS)]
            name, container = list(containers().items())[number % len(containers())]
            weights, edges = random_weights(rng, int(rng.integers(1, 30)), kind)
            graph = container(weights, edges, rng)
            directed, unweighted = bool(rng.random() < 0.6), bool(rng.random() < 0.2)
            seen = edges if sparse.issparse(graph) else edges & (weights != 0)
            used = numpy.where(seen, 1.0 if unweighted else weights, numpy.inf)
            if not directed:
                used = numpy.minimum(used, used.T)
            with self.subTest(number=number, kind=kind, container=name, directed=directed,
                              unweighted=unweighted):
                before = graph.copy()
                cycles += self.compare(graph, used, directed=directed, unweighted=unweighted)
                compared += 1
                if sparse.issparse(graph):
                    self.assertEqual((before != graph).nnz, 0)
                else:
                    numpy.testing.assert_array_equal(before, graph)
        self.assertEqual(compared, 420)
        self.assertTrue(10 < cycles < 210, "%d graphs have a negative cycle" % cycles)

    def test_every_engine_of_the_cpu(self):
        rng = numpy.random.default_rng(4)
        weights, edges = random_weights(rng, 90, "small")
        graph = dense(weights, edges & (rng.random((90, 90)) < 0.3), rng)
        expected = csgraph.floyd_warshall(graph)
        engines = [engine for engine in apsp.engines() if not engine["uses_gpu"]]
        self.assertGreaterEqual(len(engines), 7)
        for engine in engines:
            with self.subTest(engine=engine["name"]):
                numpy.testing.assert_array_equal(
                    apsp.floyd_warshall(graph, engine=engine["name"], threads=2), expected)
        solvers = {engine["name"].split(":")[0] for engine in apsp.engines()}
        self.assertEqual(sum(engine["is_default"] for engine in apsp.engines()), len(solvers))

    def test_duplicates(self):
        """As SciPy's floyd_warshall takes them: COO's are added up, CSR's lightest counts."""
        entries = ([5.0, 2.0, 4.0], ([0, 0, 1], [1, 1, 2]))
        summed = sparse.coo_matrix(entries, shape=(3, 3))
        several = sparse.csr_matrix((entries[0], [1, 1, 2], [0, 2, 3, 3]), shape=(3, 3))
        for graph in (summed, several):
            numpy.testing.assert_array_equal(apsp.floyd_warshall(graph),
                                             csgraph.floyd_warshall(for_scipy(graph)))

    def test_scaled_fractions(self):
        rng = numpy.random.default_rng(5)
        graph = rng.integers(0, 1000, (40, 40)) / 100
        dist, pred = apsp.floyd_warshall(graph, scale=100, return_predecessors=True)
        numpy.testing.assert_allclose(dist, csgraph.floyd_warshall(graph), rtol=1e-13)
        again = apsp.floyd_warshall((graph * 100).round())
        numpy.testing.assert_array_equal(dist, again / 100)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(sparse.csr_matrix(graph), scale=1000),
                                         dist)
        integers = (graph * 100).round().astype(numpy.uint16)
        numpy.testing.assert_array_equal(apsp.floyd_warshall(integers, scale=7), again)

    def test_overwrite(self):
        graph = numpy.array([[0.0, 4, 9], [0, 0, 2], [0, 0, 0]])
        expected = csgraph.floyd_warshall(graph)
        self.assertIsNot(apsp.floyd_warshall(graph), graph)
        dist = apsp.floyd_warshall(graph, overwrite=True)
        self.assertIs(dist, graph)
        numpy.testing.assert_array_equal(graph, expected)
        fixed = numpy.array([[0, 4], [0, 0]])
        self.assertIsNot(apsp.floyd_warshall(fixed, overwrite=True), fixed)
        self.assertEqual(fixed[0, 1], 4)


class Package(ProgramTest):

    def run_python(self, *args, **env):
        return subprocess.run([sys.executable, *args], cwd=self.directory, check=False,
                              env=environment(PYTHONDONTWRITEBYTECODE="1", **env),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120)

    def test_refusals(self):
        edge = numpy.array([[0, 1.0], [0, 0]])
        cases = [
            ("square matrix", numpy.zeros((2, 3)), {}),
            ("square matrix", numpy.zeros(4), {}),
            ("found 0.5; scale=K", edge / 2, {}),
            ("times 10, found 0.25", edge / 4, {"scale": 10}),
            ("expected weights in -2147483648 .. 2147483647", edge * 2.0**31, {}),
            ("times 3 in -2147483648", (edge * 2**30).astype(int), {"scale": 3}),
            ("found -inf", numpy.ma.masked_array(edge - numpy.inf, mask=edge == 0), {}),
            ("scale: expected an integer", edge, {"scale": 0}),
            ("scale: expected an integer", edge, {"scale": 2.5}),
            ("complex", edge * 1j, {}),
            ("engine: expected one of", edge, {"engine": "cpu:none"}),
            ("threads: expected 0 ..", edge, {"threads": -1}),
        ]
        if csgraph is not None:
            cases.append(("NaN", sparse.csr_matrix(edge * numpy.nan), {}))
        for expected, graph, options in cases:
            with self.subTest(expected=expected, options=options):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    with self.assertRaises(ValueError) as caught:
                        apsp.floyd_warshall(graph, **options)
                self.assertIn(expected, str(caught.exception))
        with self.assertRaises(apsp.ApspError) as caught:
            apsp.floyd_warshall(numpy.array([[0, 2**30 - 2, 0], [0, 0, 2**30 - 2], [0, 0, 0]]))
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("out of range", str(caught.exception))

    def test_negative_cycle(self):
        with self.assertRaises(apsp.NegativeCycleError) as caught:
            apsp.floyd_warshall(numpy.array([[0, 0.5, 0], [0, 0, 1], [-2, 0, 0]]), scale=2)
        self.assertEqual(sorted(caught.exception.cycle), [0, 1, 2])
        self.assertEqual(caught.exception.weight, -0.5)
        with self.assertRaises(apsp.NegativeCycleError):
            apsp.floyd_warshall(numpy.array([[-1.0, 0], [0, 0]]))

    def test_no_vertices(self):
        dist, pred = apsp.floyd_warshall(numpy.zeros((0, 0)), return_predecessors=True)
        self.assertEqual((dist.shape, pred.shape), ((0, 0), (0, 0)))

    def test_other_threads_run(self):
        ticks, stop = [], threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.002)

        beside = threading.Thread(target=tick)
        beside.start()
        try:
            graph = numpy.ones((900, 900))
            seconds, start = 0, 0
            while seconds < 0.2:  # of one solve, without what Python does around it
                start = time.monotonic()
                apsp.floyd_warshall(graph, engine="cpu:sequential")
                seconds = time.monotonic() - start
                graph = numpy.ones((2 * len(graph),) * 2)
        finally:
            stop.set()
            beside.join()
        during = [t for t in ticks if start < t < start + seconds]
        longest = max(later - earlier for earlier, later in zip(during, during[1:]))
        self.assertLess(longest, seconds / 2)

    def test_version(self):
        with open(os.path.join(REPOSITORY, "libapsp", "apsp.h"), encoding="utf-8") as file:
            version = re.search(r'#define APSP_VERSION "(.*)"', file.read()).group(1)
        with open(os.path.join(PACKAGE, "pyproject.toml"), encoding="utf-8") as file:
            self.assertIn('version = "%s"' % version, file.read())
        self.assertEqual(apsp.version(), version)

    def test_which_library(self):
        tried = self.run_python("-c", "import apsp", PYTHONPATH=PACKAGE, APSP_LIBRARY="/none.so")
        self.assertNotEqual(tried.returncode, 0)
        self.assertRegex(tried.stderr.strip().splitlines()[-1],
                         "^ImportError: libapsp was not found.*APSP_LIBRARY.*none.so")

    def test_pip(self):
        missing = [name for name in ("pip", "setuptools") if importlib.util.find_spec(name) is None]
        # Since version 70.1 setuptools needs no wheel.
        if not missing and importlib.util.find_spec("wheel") is None:
            version = importlib.metadata.version("setuptools").split(".")
            if (int(version[0]), int(version[1])) < (70, 1):
                missing = ["wheel"]
        if missing:
            self.skipTest("not installed: " + ", ".join(missing))
        source = self.path("source")
        subprocess.run(["cp", "-R", PACKAGE, source], check=True)
        done = self.run_python("-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                               "--no-build-isolation", "--disable-pip-version-check",
                               "--target", self.path("site"), source)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_python(
            "-c", "import apsp; print(apsp.__file__, apsp.floyd_warshall([[0, 3], [0, 0]])[0, 1])",
            PYTHONPATH=self.path("site"), APSP_LIBRARY=LIBRARY)
        self.assertEqual(done.stdout.split()[1:], ["3.0"], done.stderr)
        self.assertTrue(done.stdout.startswith(self.path("site")))

    def test_reading_results_without_the_library(self):
        example = os.path.join(PACKAGE, "examples", "read_result.py")
        self.write("graphFile.txt", "4 3\n0 1 5\n1 2 -1\n2 0 2\n")
        self.succeeds("cpu", "--format", "npy", "-o", "result")
        done = self.run_python(example, "result", "0", "2", APSP_LIBRARY="/none.so")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "0\tat distance 0\n1\tat distance 5\n2\tat distance 4\n", ""))
        done = self.run_python(example, "result", "0", "3")
        self.assertEqual(done.stdout, "no path from 0 to 3\n")
        self.succeeds("cpu", "--format", "npy", "-o", "result", "--distances-only")
        done = self.run_python(example, "result", "0", "2")
        self.assertIn("result has no predecessors", done.stderr)
        self.assertEqual(done.returncode, 1)


# What scripts below begin with.
GRAPH = """
import os, sys, threading
import numpy
import apsp
from apsp import _library

def ring(n, more):
    rng = numpy.random.default_rng(5)
    weights = numpy.zeros((n, n), dtype=numpy.int32)
    weights[rng.integers(0, n, n * more), rng.integers(0, n, n * more)] = 90
    weights[numpy.arange(n), (numpy.arange(n) + 1) % n] = 1 + numpy.arange(n) % 7
    return weights
"""
INTERRUPT = GRAPH + """
engine, n, more = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
statuses, solve = [], apsp._lib.apsp_solve

def noted(*args):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), 2))
    timer.start()
    statuses.append(solve(*args))
    timer.join()
    return statuses[-1]

apsp._lib.apsp_solve = noted
try:
    apsp.floyd_warshall(ring(n, more), engine=engine, threads=1)
except KeyboardInterrupt:
    print("interrupted", *statuses)
apsp._lib.apsp_solve = solve
print(apsp.floyd_warshall([[0, 5, 9], [0, 0, 1], [0, 0, 0]], engine=engine)[0])
"""
POOL = GRAPH + """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

def work(engine):
    return apsp.floyd_warshall(GIVEN, engine=engine, threads=3, return_predecessors=True)

def refuse(engine):
    apsp.floyd_warshall([[0, 2**30 - 2, 0], [0, 0, 2**30 - 2], [0, 0, 0]], engine=engine)

def cycle(_):
    apsp.floyd_warshall([[0, 1, 0], [0, 0, -3], [1, 0, 0]])

GIVEN = ring(300, 3)
if __name__ == "__main__":
    right = {engine: work(engine) for engine in sys.argv[2:]}
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context(sys.argv[1])) as pool:
        for engine, found in zip(sys.argv[2:] * 3, pool.map(work, sys.argv[2:] * 3)):
            assert all(map(numpy.array_equal, found, right[engine])), engine
        try:
            pool.submit(refuse, "cpu:sequential").result()
        except apsp.ApspError as error:
            print(error.status, "out of range" in str(error))
        try:
            pool.submit(cycle, None).result()
        except apsp.NegativeCycleError as error:
            print(sorted(error.cycle), error.weight)
        print(pool.submit(work, sys.argv[2]).result()[0].shape)
"""
# With what they take seconds for on one thread.
SLOW = (("cpu:sequential", 3000, 3), ("cpu:johnson", 5000, 100), ("cpu:multisource", 6000, 300),
        ("cpu:blocked", 6000, 3), ("cpu:auto", 6000, 300))


class Processes(ProgramTest):
    """Signals, forked children, and what goes from one process to another."""

    def run_script(self, script, *args):
        self.write("script.py", script)
        done = subprocess.run([sys.executable, self.path("script.py"), *map(str, args)],
                              env=environment(PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=PACKAGE,
                                              APSP_LIBRARY=LIBRARY),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=300, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_interrupt(self):
        """SIGINT in the middle of a solve is a KeyboardInterrupt, and the solve is not done."""
        for engine, n, more in SLOW:
            with self.subTest(engine):
                self.assertEqual(self.run_script(INTERRUPT, engine, n, more),
                                 "interrupted %d\n[0. 5. 6.]\n" % apsp._library.CANCELLED)

    def test_how_much_was_left(self):
        """What the callback stops ends in a small part of the time that was left."""
        library, told = apsp._library, []

        def progress(_to, done, total):
            told.append((time.monotonic(), done / total))
            return not 0.02 < done / total < 1
        callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64,
                                    ctypes.c_int64)(progress)
        tails = numpy.arange(3000, dtype=numpy.int32)
        heads, weights = (tails + 1) % 3000, tails % 7
        graph, result, error = library.Graph(), library.Result(), library.Error()
        options = library.Options(size=ctypes.sizeof(library.Options), engine=b"cpu",
                                  variant=b"sequential", threads=1,
                                  progress=ctypes.cast(callback, library.Progress))
        library_calls = apsp._lib
        try:
            self.assertEqual(library_calls.apsp_graph_from_edges(
                graph, 3000, len(tails), tails.ctypes.data, heads.ctypes.data,
                weights.ctypes.data, None, error), library.OK)
            start = time.monotonic()
            status = library_calls.apsp_solve(graph, options, result, error)
            end = time.monotonic()
        finally:
            library_calls.apsp_graph_free(graph)
        self.assertEqual((status, result.value), (library.CANCELLED, None))
        stopped, fraction = told[-1]
        left = (stopped - start) / fraction * (1 - fraction)
        self.assertLess(fraction, 0.5)
        self.assertLess(end - stopped, left / 2)

    def test_forked(self):
        """Children of a process that has used threads, by multiprocessing's methods."""
        for method in ("fork", "spawn"):
            with self.subTest(method):
                said = self.run_script(POOL, method, "cpu:blocked", "cpu:johnson",
                                       "cpu:multisource", "cpu:sequential", "apsp")
                self.assertEqual(said, "%d True\n[0, 1, 2] -1.0\n(300, 300)\n"
                                 % apsp._library.BAD_INPUT)

    def test_exceptions_are_copied_whole(self):
        refused = apsp.ApspError("too far", 2)
        refused.remark = "mine"
        cycle = apsp.NegativeCycleError("no shortest paths", [3, 1, 2], -0.5)
        copies = [copy.copy, copy.deepcopy]
        copies += [lambda error, p=p: pickle.loads(pickle.dumps(error, p))
                   for p in range(pickle.HIGHEST_PROTOCOL + 1)]
        for number, copied in enumerate(copies):
            with self.subTest(number):
                for error in refused, cycle:
                    self.assertIs(type(copied(error)), type(error))
                    self.assertEqual(str(copied(error)), str(error))
                    self.assertEqual(vars(copied(error)), vars(error))
        self.assertEqual(vars(refused), {"status": 2, "remark": "mine"})
        self.assertEqual(vars(cycle), {"cycle": [3, 1, 2], "weight": -0.5})


if __name__ == "__main__":
    unittest.main()
