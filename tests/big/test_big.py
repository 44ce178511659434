#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""More than 2^31 cells: 46341 vertices, distances only, for real. `make test-big` runs it
where there are memory and room on the disk; elsewhere it says what is missing.

BIG_VARIANTS names the variants of cpu, those for sparse graphs by default. `blocked32`
makes 10^14 relaxations (minutes on 16 cores), `blocked` needs half as much memory
again.

The last row of the matrix lies behind cell 2^31; what stands there is compared with a
search by a dozen lines of Python, the whole with the certificate, by the solver and again
by verify from the file."""

import heapq
import os
import shutil
import struct
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from support import INF, OK, ProgramTest  # noqa: E402  (found only now)

VERTICES = 46341
EDGES = 3 * VERTICES
CELLS = VERTICES * VERTICES
VARIANTS = (os.environ.get("BIG_VARIANTS") or "multisource johnson auto").split()
TIMEOUT_S = 6 * 3600
HEADER_BYTES = 128
TEXT_BYTES_PER_CELL = 5  # and more than the distances of this graph take

assert CELLS > 2**31


def available_bytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        fields = dict(line.split(":") for line in file)
    return 1024 * int(fields["MemAvailable"].split()[0])


def distances_from(source, out_edges):
    """Dijkstra's algorithm; INF where there is no path."""
    dist = [INF] * VERTICES
    dist[source] = 0
    queue = [(0, source)]
    while queue:
        to_u, u = heapq.heappop(queue)
        if to_u > dist[u]:
            continue
        for v, weight in out_edges[u]:
            if to_u + weight < dist[v]:
                dist[v] = to_u + weight
                heapq.heappush(queue, (to_u + weight, v))
    return dist


class Big(ProgramTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cell_bytes = 8 if "blocked" in VARIANTS or "blocked16" in VARIANTS else 5
        needed, available = cell_bytes * CELLS, available_bytes()
        if available < needed:
            raise unittest.SkipTest("needs %.1f GiB of memory, %.1f are available"
                                    % (needed / 2**30, available / 2**30))

    def setUp(self):
        super().setUp()
        needed = TEXT_BYTES_PER_CELL * CELLS
        free = shutil.disk_usage(self.directory).free
        if free < needed:
            self.skipTest("needs %.1f GiB in %s, %.1f are free"
                          % (needed / 2**30, self.directory, free / 2**30))
        self.succeeds("graphgen", "--v", VERTICES, "--edges", EDGES)
        out_edges = [[] for _ in range(VERTICES)]
        for line in self.read("graphFile.txt").decode("ascii").splitlines()[1:]:
            u, v, weight = map(int, line.split())
            out_edges[u].append((v, weight))
        self.rows = {i: distances_from(i, out_edges) for i in (0, 1, VERTICES - 1)}

    def run_long(self, program, *args):
        process = self.start(program, *args)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual((process.returncode, err), (OK, b""))
        return out.decode("utf-8")

    def solve(self, variant, *args):
        out = self.run_long("cpu", "--variant", variant, "--distances-only", *args)
        print(out, flush=True)
        return out

    def test_npy(self):
        """Every variant, proved; the header, the size and, at both ends, the rows."""
        for variant in VARIANTS:
            with self.subTest(variant):
                out = self.solve(variant, "--check", "--format", "npy", "-o", "r")
                self.assertIn("checked  proved: all distances are exact", out)
                with open(self.path("r.dist.npy"), "rb") as file:
                    head = file.read(HEADER_BYTES)
                    self.assertEqual(head[:10], b"\x93NUMPY\x01\x00" + struct.pack("<H", 118))
                    self.assertIn(b"'shape': (%d, %d)" % (VERTICES, VERTICES), head)
                    self.assertEqual(os.fstat(file.fileno()).st_size, HEADER_BYTES + 4 * CELLS)
                    for i, expected in self.rows.items():
                        file.seek(HEADER_BYTES + 4 * i * VERTICES)
                        row = struct.unpack("<%di" % VERTICES, file.read(4 * VERTICES))
                        self.assertEqual(list(row), expected, "row %d" % i)
        self.assertIn(" is proved for ", self.run_long("verify", "r.dist.npy"))

    def test_text(self):
        """The number of lines and, at both ends, the rows; verify reads it again."""
        self.solve(VARIANTS[0], "-o", "out.txt")
        lines = 0
        with open(self.path("out.txt"), "rb") as file:
            self.assertGreater(os.fstat(file.fileno()).st_size, 2**31)
            for number, line in enumerate(file):
                if number == 0:
                    self.assertEqual(line, b"|V| = %d, |E| = %d\n" % (VERTICES, EDGES))
                elif number - 2 in self.rows:
                    row = [INF if word == b"INF" else int(word) for word in line.split()]
                    self.assertEqual(row, self.rows[number - 2], "row %d" % (number - 2))
                lines += not line.startswith(b"#")
        self.assertEqual(lines, 2 + VERTICES)
        self.assertIn(" is proved for ", self.run_long("verify", "out.txt"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
