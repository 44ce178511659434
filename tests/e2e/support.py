# SPDX-License-Identifier: MIT
"""Support for all end-to-end tests: running the programs, an independent reference, and the file
formats.

The programs are taken from the directory in the environment variable APSP_BIN,
or from bin/ of this repository. Every test runs them in a fresh temporary
directory, under the names and with the options a user types. Nothing here
shares code with the programs: the reference is a dozen lines of Python, and the
file formats are read and written from their description.

APSP_SANITIZED=1 says that the programs are built with sanitizers, which need
more address space than the tests that limit it leave them.
"""

import ast
import importlib
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.abspath(os.environ.get("APSP_BIN") or os.path.join(REPOSITORY, "bin"))
SANITIZED = os.environ.get("APSP_SANITIZED") == "1"
PACKAGE = os.path.join(REPOSITORY, "python")
LIBRARY = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib", "libapsp.so.0.2")

SOLVERS = {"cpu": "output.txt", "cuda_simple": "output_cuda.txt",
           "cuda_blocked": "output_cuda_blocked.txt", "cuda_sparse": "output_cuda_sparse.txt",
           "apsp": "output_apsp.txt"}
GPU_SOLVERS = ("cuda_simple", "cuda_blocked", "cuda_sparse")
PROGRAMS = tuple(SOLVERS) + ("graphgen", "query", "verify")
CONTEST_PROGRAMS = ("prefix_sum", "softmax")  # without manual pages, and not installed
FAMILIES = ("grid", "road", "geometric", "knn", "power-grid", "transit", "river", "surface", "power-law",
            "rmat", "disconnected", "tree", "ring", "star", "complete")  # of graphgen

# Exit statuses (docs/using.md).
OK, REFUTED, BAD_INPUT, NEGATIVE_CYCLE, NO_RESOURCE = range(5)

# A path at which nothing is and not even root can make anything: it leads through a device.
NOWHERE = "/dev/null/nowhere"
INF = 2**30 - 1  # "no path": distances lie strictly between -INF and INF
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
# Seconds after which a program, and what compiles, counts as hanging: far more than they take on a
# machine that has other things to do.
TIMEOUT_S, BUILD_TIMEOUT_S = 300, 3600


def optional(*names):
    """Modules of other packages that tests are skipped without: each, or None."""
    found = []
    for name in names:
        try:
            found.append(importlib.import_module(name))
        except ImportError:
            found.append(None)
    return found


def missing(needed):
    """Why tests are skipped that need modules, of which some may be None; None if all are there."""
    return next(("%s is not installed" % what for what, module in needed.items() if module is None),
                None)


def needs(**needed):
    """Decorates a test, or a class of them, that needs modules: needs(SciPy=scipy)."""
    return unittest.skipIf(missing(needed), missing(needed))


def import_package(name, **needed):
    """Imports a module of this tree's Python package for a module of tests, which is skipped if one
    of the modules that it needs is None."""
    if SANITIZED:
        raise unittest.SkipTest("a sanitized library needs a sanitized Python")
    if missing(needed):
        raise unittest.SkipTest(missing(needed))
    os.environ["APSP_LIBRARY"] = LIBRARY
    sys.path.insert(0, PACKAGE)
    unittest.addModuleCleanup(sys.path.remove, PACKAGE)
    return importlib.import_module(name)


# Graphs and the reference ----------------------------------------------------

class Graph(namedtuple("Graph", "n edges")):
    """n vertices and a list of (tail, head, weight)."""

    def text(self):
        """The graph as thesis text."""
        lines = ["%d %d" % (self.n, len(self.edges))]
        lines += ["%d %d %s" % edge for edge in self.edges]
        return "\n".join(lines) + "\n"

    def weights(self):
        """{(u, v): weight} with the lightest of parallel edges, without
        self-loops that no shortest path uses."""
        lightest = {}
        for u, v, w in self.edges:
            if u == v and w >= 0:
                continue
            lightest[u, v] = min(w, lightest.get((u, v), w))
        return lightest


def ring(n):
    """A graph whose result is large and found at once by `cpu --variant johnson`: a cycle of weight
    zero through all vertices."""
    return Graph(n, [(v, (v + 1) % n, 0) for v in range(n)])


def graph_of_text(text):
    """The Graph in thesis text that is known to be well-formed."""
    numbers = [int(word) for word in text.split()]
    n, count, rest = numbers[0], numbers[1], numbers[2:]
    assert len(rest) == 3 * count
    return Graph(n, [tuple(rest[3 * e:3 * e + 3]) for e in range(count)])


def distances_of(graph):
    """Floyd-Warshall: rows of distances, None if there is no path. Returns
    None where the graph has a negative cycle."""
    n = graph.n
    dist = [[0 if i == j else None for j in range(n)] for i in range(n)]
    for (u, v), w in graph.weights().items():
        dist[u][v] = min(w, dist[u][v]) if dist[u][v] is not None else w
    for k in range(n):
        from_k = [(j, d) for j, d in enumerate(dist[k]) if d is not None]
        for row in dist:
            to_k = row[k]
            if to_k is None:
                continue
            for j, d in from_k:
                if row[j] is None or to_k + d < row[j]:
                    row[j] = to_k + d
    if any(dist[i][i] < 0 for i in range(n)):
        return None
    return dist


def describes_shortest_paths(graph, dist, pred):
    """Returns whether following pred from every reachable j leads to i over edges that account for
    the distances, and pred is -1 elsewhere."""
    weights = graph.weights()
    for i in range(graph.n):
        for j in range(graph.n):
            if i == j or dist[i][j] is None:
                if pred[i][j] != -1:
                    return False
                continue
            at = j
            for _ in range(graph.n):
                if at == i:
                    break
                p = pred[i][at]
                if (p, at) not in weights or dist[i][p] is None:
                    return False
                if dist[i][p] + weights[p, at] != dist[i][at]:
                    return False
                at = p
            if at != i:
                return False
    return True


# Result files ----------------------------------------------------------------

class Result:
    """A result: n, m, dist (None for INF), pred (None: distances only), and the
    '#' lines."""

    def __init__(self, n, m, dist, pred, notes=()):
        self.n, self.m, self.dist, self.pred, self.notes = n, m, dist, pred, list(notes)

    def copy(self):
        pred = None if self.pred is None else [row[:] for row in self.pred]
        return Result(self.n, self.m, [row[:] for row in self.dist], pred, self.notes)

    def matrices_text(self):
        """The text up to the end of the last matrix, without '#' lines."""
        rows = [["INF" if d is None else str(d) for d in row] for row in self.dist]
        text = "|V| = %d, |E| = %d\n\n" % (self.n, self.m) + lines_of(rows)
        if self.pred is not None:
            text += "\n" + lines_of([[str(p) for p in row] for row in self.pred])
        return text

    def text(self):
        return self.matrices_text() + "".join(line + "\n" for line in self.notes)

    def note(self, key):
        """The value of the line '# key: value'."""
        start = "# %s: " % key
        values = [line[len(start):] for line in self.notes if line.startswith(start)]
        assert len(values) == 1, "expected one line '%s...' in %r" % (start, self.notes)
        return values[0]


def lines_of(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def parse_result(data):
    """Reads a result as strictly as this project writes it: what is read,
    written again, must be the same bytes."""
    text = data.decode("ascii")
    head = re.match(r"\|V\| = (\d+), \|E\| = (\d+)\n\n", text)
    assert head, "expected '|V| = n, |E| = m' and a blank line, found %r" % text[:60]
    n, m = int(head.group(1)), int(head.group(2))
    lines = text.split("\n")
    notes = [line for line in lines if line.startswith("#")]
    dist = [[None if word == "INF" else int(word) for word in line.split("\t")]
            for line in lines[2:2 + n]]
    pred = None
    if lines[2 + n] == "":
        pred = [[int(word) for word in line.split("\t")] for line in lines[3 + n:3 + 2 * n]]
    result = Result(n, m, dist, pred, notes)
    for matrix in (dist, pred or []):
        assert all(len(row) == n for row in matrix), "expected rows of %d" % n
    assert result.text() == text, "not in the layout of this project's results"
    return result


def solved(graph, notes=()):
    """The Result of a small graph, made by the reference alone."""
    dist, weights = distances_of(graph), graph.weights()
    pred = []
    for i in range(graph.n):
        # Grown from i, so that zero-weight edges cannot close a cycle.
        row, reached = [-1] * graph.n, [i]
        for u in reached:
            for v in range(graph.n):
                if (v not in reached and (u, v) in weights
                        and dist[i][u] + weights[u, v] == dist[i][v]):
                    row[v] = u
                    reached.append(v)
        pred.append(row)
    result = Result(graph.n, len(graph.edges), dist, pred, notes)
    assert describes_shortest_paths(graph, dist, pred)
    return result


def npy(matrix, descr="<i4", fortran_order=False, shape=None, version=(1, 0), code="<%di"):
    """The bytes of a .npy file (NumPy format 1.0)."""
    cells = [cell for row in matrix for cell in row]
    shape = shape if shape is not None else (len(matrix), len(matrix))
    head = ("{'descr': %r, 'fortran_order': %r, 'shape': %r, }"  # as numpy.save puts it
            % (descr, fortran_order, tuple(shape)))
    unpadded = 10 + len(head) + 1
    head += " " * (-unpadded % 64) + "\n"
    return (b"\x93NUMPY" + bytes(version) + struct.pack("<H", len(head)) + head.encode("ascii")
            + struct.pack(code % len(cells), *cells))


def parse_npy(data):
    """Rows of a square little-endian int32 matrix in a .npy file."""
    assert data[:8] == b"\x93NUMPY\x01\x00", "not a NumPy file of format 1.0"
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0, "the data must start at a multiple of 64 bytes"
    head = data[10:10 + length].decode("ascii")
    assert head.endswith("\n")
    described = ast.literal_eval(head.strip())
    assert sorted(described) == ["descr", "fortran_order", "shape"]
    assert described["descr"] == "<i4" and described["fortran_order"] is False
    n, columns = described["shape"]
    assert n == columns
    cells = struct.unpack("<%di" % (n * n), data[10 + length:])
    return [list(cells[i * n:(i + 1) * n]) for i in range(n)]


def npy_distances(dist):
    """A distance matrix as .npy holds it: INF as a number."""
    return [[INF if d is None else d for d in row] for row in dist]


# Running the programs --------------------------------------------------------

Finished = namedtuple("Finished", "status out err")


def program_path(program):
    path = os.path.join(BIN, program)
    if not os.access(path, os.X_OK):
        raise AssertionError("no program %s: run make, or set APSP_BIN" % path)
    return path


def environment(**changes):
    """The environment for programs, without what would change their ways."""
    left_out = ("APSP_MEMORY_LIMIT", "POSIXLY_CORRECT", "ARGP_HELP_FMT")
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    env["PATH"] = BIN + os.pathsep + env.get("PATH", os.defpath)
    # Thousands of very short runs: threads that spin while they wait would make
    # them many times slower on a busy machine.
    env.setdefault("OMP_WAIT_POLICY", "passive")
    env["XDG_CONFIG_HOME"] = NOWHERE  # no rates that somebody has calibrated
    env.update(changes)
    return env


def default_signals():
    """For preexec_fn, if a program is sent signals: those of an interactive
    shell's child, whatever the tests themselves were started under."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def limited(**limits):
    """For preexec_fn: sets resource limits, as in limited(RLIMIT_AS=2**26)."""
    def apply():
        default_signals()
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, name), (value, value))
    return apply


class ProgramTest(unittest.TestCase):
    """A test with a temporary directory of its own to run programs in."""

    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        for program in PROGRAMS:
            program_path(program)

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="apsp-e2e-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def write(self, name, content):
        """Writes bytes, text or a Graph to a file; returns the name."""
        if isinstance(content, Graph):
            content = content.text()
        if isinstance(content, str):
            content = content.encode("utf-8")
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def result(self, name="output.txt"):
        return parse_result(self.read(name))

    def start(self, program, *args, **how):
        """A running program, as subprocess.Popen."""
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        how.setdefault("cwd", self.directory)
        how["env"] = environment(**how.pop("env", {}))
        # Called as through the PATH: by its name alone.
        how.setdefault("executable", program_path(program))
        process = subprocess.Popen([program] + [str(arg) for arg in args], **how)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        """Leaves nothing running or open behind."""
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass

    def run_program(self, program, *args, **how):
        """Runs a program to its end. stdin: bytes, text or a file."""
        given = how.pop("stdin", None)
        if isinstance(given, str):
            given = given.encode("utf-8")
        if given is not None:
            how["stdin"] = subprocess.PIPE if isinstance(given, bytes) else given
        process = self.start(program, *args, **how)
        out, err = process.communicate(given if isinstance(given, bytes) else None,
                                       timeout=TIMEOUT_S)
        finished = Finished(process.returncode, out, (err or b"").decode("utf-8", "replace"))
        self.assertNotRegex(finished.err, "Sanitizer|runtime error", "a sanitizer reports")
        return finished

    def succeeds(self, program, *args, **how):
        """Runs a program that must exit 0 and say nothing on stderr but, if `noted` is given, notes
        that match it, of which there must be one; if `may_note` is given, there may be none."""
        noted, may_note = how.pop("noted", None), how.pop("may_note", None)
        finished = self.run_program(program, *args, **how)
        said = finished.err
        if noted is not None or may_note is not None:
            note = re.compile("^%s: note: .*(%s).*\n" % (program, noted or may_note), re.M)
            said = note.sub("", said)
            self.assertTrue(may_note or said != finished.err, "%s %s: no note of %s" % (program, args, noted))
        self.assertEqual((finished.status, said), (OK, ""), "%s %s" % (program, args))
        return finished

    def fails(self, status, expected, program, *args, **how):
        """Runs a program that must exit with this status and one line on
        stderr, in which `expected` occurs. Usage errors may refer to --help in
        a second line."""
        finished = self.run_program(program, *args, **how)
        what = "%s %s: %r" % (program, args, finished)
        self.assertEqual(finished.status, status, what)
        self.assertTrue(finished.err.endswith("\n"), what)
        lines = finished.err[:-1].split("\n")
        if status == BAD_INPUT and len(lines) == 2:
            self.assertRegex(lines.pop(), r"^Try `%s --help' or" % program)
        self.assertEqual(len(lines), 1, what)
        self.assertTrue(lines[0].startswith(program + ": "), what)
        self.assertIn(expected, lines[0])
        return finished

    def proves(self, *args, **how):
        """verify must prove the result."""
        finished = self.succeeds("verify", *args, **how)
        self.assertRegex(finished.out.decode("utf-8", "replace"), r"^\S.* is proved for ")
        return finished

    def files(self):
        """The names in the test's directory, hidden ones too."""
        return sorted(os.listdir(self.directory))


def gpu_missing():
    """Why the GPU programs cannot solve here, or None if they can."""
    path = program_path("cuda_simple")
    finished = subprocess.run([path, "-o", "-", "-"], input=b"1 0\n", env=environment(),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                              timeout=TIMEOUT_S)
    if finished.returncode == OK:
        return None
    reason = finished.stderr.decode("utf-8", "replace").strip()
    if finished.returncode == NO_RESOURCE and "no usable GPU" in reason:
        return reason
    return None  # something else is wrong: the tests shall run and say what


class GpuTest(ProgramTest):
    """Tests that are skipped, with the reason, where the GPU programs cannot solve."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        reason = gpu_missing()
        if reason is not None:
            raise unittest.SkipTest(reason)


def random_matrix(chance, n, edges, directed, highest):
    """A matrix of NumPy with weights 1 .. highest; of an undirected graph either way."""
    import numpy
    weights = numpy.zeros((n, n))
    for _ in range(edges):
        u, v = chance.randrange(n), chance.randrange(n)
        if u != v:
            weights[u, v] = chance.randint(1, highest)
            if not directed:
                weights[v, u] = weights[u, v]
    return weights
