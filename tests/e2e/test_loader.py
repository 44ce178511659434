# SPDX-License-Identifier: MIT
"""Reading graphs: a table of mangled files with the message each must give, and
a table of odd but legal ones with their distances."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import unittest
import zipfile

from support import (BAD_INPUT, NO_RESOURCE, OK, SANITIZED, TIMEOUT_S, Graph, ProgramTest,
                     distances_of, limited, solved)

SMALL = Graph(3, [(0, 1, 5), (1, 2, 7), (0, 2, 20)])
EDGES = SMALL.text().encode()


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    """A zip archive of (name, content), whose members have comments."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
            archive.infolist()[-1].comment = b"of " + name.encode()
    return packed.getvalue()


# Each row: what is wrong, the file, and a part of the message; the program, the file and (after it)
# the line number are expected in front.
MANGLED = [
    # the first line
    ("empty file", b"", ": expected a graph, found an empty file"),
    ("blanks only", b" \t \n\n  \n", ": expected a graph, found an empty file"),
    ("line ends only", b"\r\n\n\r\n", ": expected a graph, found an empty file"),
    ("one number", b"3\n", ":1: expected a graph"),
    ("four numbers", b"3 1 2 2\n0 1 5\n", ":1: expected a graph, found 4 columns"),
    ("letters for a weight on the first line", b"3 1 x\n", ":1: expected an edge 'u v w', found 'x' "
     "where the weight w should be"),
    ("letters", b"hello world\n", ":1: expected a graph, whose first line is 'V E', 'p sp V E', "
     "'%%MatrixMarket ...', 'u v w', 'u v', '# ...', '% sym ...', 'source,target,weight' or "
     "'<NUMBER OF NODES> V', found 'hello'"),
    ("letters for V", b"n 3\n", ":1: expected a graph"),
    ("letters for E", b"3 m\n", ":1: expected a graph"),
    ("letters after V", b"3x 1\n0 1 1\n", ":1: expected a graph"),
    ("letters after E", b"3 1x\n0 1 1\n", ":1: expected a graph"),
    ("fraction for V", b"3.0 1\n0 1 1\n", ":1: expected a graph"),
    ("fraction for E", b"3 1.5\n0 1 1\n", ":1: expected a graph"),
    ("exponent", b"3 1e2\n", ":1: expected a graph"),
    ("hexadecimal", b"0x3 1\n0 1 1\n", ":1: expected a graph"),
    ("comma between", b"3,1\n0 1 1\n", ":2: expected 2 fields"),
    ("negative V", b"-3 0\n", ":1: expected the number of vertices V in 1 .. 2147483647, found "
     "'-3'"),
    ("zero V", b"0 0\n", ":1: expected the number of vertices V in 1 .. 2147483647, found '0'"),
    ("V beyond int32", b"2147483648 0\n", "found '2147483648'"),
    ("V beyond int64", b"99999999999999999999999 0\n", "found '99999999999999999999999'"),
    ("negative E", b"3 -1\n", ":1: expected the number of edges E"),
    ("header after blank lines", b"\n\n3\n", ":3: expected a graph"),
    ("signs alone", b"+ -\n", ":1: expected a graph"),
    ("two signs", b"--3 0\n", ":1: expected a graph"),
    ("half a byte order mark", b"\xef\xbb" + EDGES, ":1: expected a graph"),
    ("two byte order marks", b"\xef\xbb\xbf" * 2 + EDGES, ":1: expected a graph"),
    ("a byte order mark later", b"\n\xef\xbb\xbf" + EDGES, ":2: expected a graph"),
    ("a byte order mark alone", b"\xef\xbb\xbf", ": expected a graph, found an empty file"),
    ("UTF-16", EDGES.decode().encode("utf-16-le"), ":1: expected a graph"),
    # the number of edges
    ("no edge where one is due", b"3 1\n", ":1: expected 1 edges, found the end of the file after "
     "0"),
    ("fewer edges than E", b"3 4\n0 1 5\n1 2 7\n0 2 20\n", ":4: expected 4 edges, found the end of "
     "the file after 3"),
    ("E as large as can be", b"3 99999999999999999\n0 1 5\n", ":2: expected 99999999999999999 edges, "
     "found the end of the file after 1"),
    ("E beyond everything", b"3 1000000000000000000\n0 1 5\n", ":1: expected the number of edges E in 0 "
     ".. 99999999999999999, found '1000000000000000000'"),
    ("more edges than E", b"3 2\n0 1 5\n1 2 7\n0 2 20\n", ":4: expected the end of the file after "
     "2 edges, found '0'"),
    ("an edge where E is 0", b"3 0\n0 1 5\n", ":2: expected the end of the file after 0 edges"),
    ("trailing garbage", EDGES + b"\n\nthe end\n", ":7: expected the end of the file after 3 "
     "edges, found 'the'"),
    ("a second graph", EDGES + EDGES, ":5: expected the end of the file"),
    # the edges
    ("tail = V", b"3 1\n3 0 1\n", ":2: expected the tail u in 0 .. 2, found '3'"),
    ("head = V", b"3 1\n0 3 1\n", ":2: expected the head v in 0 .. 2, found '3'"),
    ("negative tail", b"3 1\n-1 0 1\n", ":2: expected the tail u in 0 .. 2, found '-1'"),
    ("negative head", b"3 1\n0 -1 1\n", ":2: expected the head v in 0 .. 2, found '-1'"),
    ("tail that wraps to 1 in 32 bits", b"3 1\n4294967297 0 1\n", ":2: expected the tail u"),
    ("head that wraps to 1 in 64 bits", b"3 1\n0 18446744073709551617 1\n", ":2: expected the "
     "head v in 0 .. 2"),
    ("weight that wraps to 1 in 64 bits", b"3 1\n0 1 18446744073709551617\n", ":2: expected the "
     "weight w in -9007199254740991 .. 9007199254740991"),
    ("weight 2^53", b"3 1\n0 1 9007199254740992\n", ":2: expected the weight w in -9007199254740991 .. "
     "9007199254740991, found '9007199254740992'; --type float64 rounds larger ones"),
    ("weight -2^53", b"3 1\n0 1 -9007199254740992\n", ":2: expected the weight w"),
    ("comma in a weight", b"3 1\n0 1 2,5\n", ":2: expected an edge 'u v w', found '2,5' where the "
     "weight w should be"),
    ("minus infinity for a weight", b"3 1\n0 1 -INF\n", "found '-INF'"),
    ("nan for a weight", b"3 1\n0 1 nan\n", "found 'nan'"),
    ("missing weight", b"3 2\n0 1 5\n1 2\n", ":3: expected an edge 'u v w', found the end of the "
     "line where the weight w should be"),
    ("missing head", b"3 1\n0\n", ":2: expected an edge 'u v w', found the end of the line where "
     "the head v should be"),
    ("weight on the next line", b"3 1\n0 1\n5\n", ":2: expected an edge"),
    ("extra number", b"3 1\n0 1 5 6\n", ":2: expected an edge 'u v w', found '6' after it"),
    ("comment", b"3 1\n0 1 5 # light\n", ":2: expected an edge 'u v w', found '#' after it"),
    ("comment line", b"3 1\n# edges\n0 1 5\n", ":2: expected an edge 'u v w', found '#'"),
    ("two edges on a line", b"3 2\n0 1 5 1 2 7\n", ":2: expected an edge 'u v w', found '1' after"),
    ("commas", b"3 1\n0,1,5\n", ":2: expected an edge 'u v w', found '0,1,5'"),
    ("letter in a number", b"3 1\n0 1 5x\n", "found '5x'"),
    ("minus apart", b"3 1\n0 1 - 5\n", "found '-'"),
    ("other digits", "3 1\n0 1 \u0665\n".encode(), ":2: expected an edge"),
    ("form feed", b"3 1\n0\f1 5\n3 4 5\n", ":2: expected an edge"),
    # bytes
    ("NUL in a number", b"3 1\n0 1\x00 5\n", ":2: expected an edge"),
    ("NUL for a line end", b"3 1\n0 1 5\x000 2 5\n", ":2: expected an edge"),
    ("NUL first", b"\x003 1\n0 1 5\n", ":1: expected a graph"),
    ("NUL after the last edge", EDGES + b"\x00", ":5: expected the end of the file"),
    ("binary junk", bytes(range(128, 256)) * 20, ":1: expected a"),
    ("an ELF header", b"\x7fELF\x02\x01\x01" + bytes(64), ": expected a graph, found a program"),
    ("a line of 9000 blanks", b"3 1\n0 1" + b" " * 9000 + b"5\n", ":2: expected a line of at most"),
    ("a line of 10 MB", b"7" * 10**7, ":1: expected a line of at most"),
    ("10 MB after the header", b"3 1\n" + b"0" * 10**7, ":2: expected a line of at most"),
    # compression
    ("gzip cut in the data", gzip.compress(EDGES * 50)[:-30], "cannot read g: unexpected end of file"),
    ("gzip cut in its trailer", gzip.compress(EDGES)[:-3], ": "),
    ("gzip without its trailer", gzip.compress(EDGES)[:-8], ": "),
    ("gzip header alone", gzip.compress(EDGES)[:10], ": "),
    ("gzip with a wrong checksum", gzip.compress(EDGES)[:-8] + b"\x01\x02\x03\x04"
     + gzip.compress(EDGES)[-4:], ": "),
    ("gzip of an empty file", gzip.compress(b""), ": expected a graph, found an empty file"),
    ("gzip of a mangled file", gzip.compress(b"3 1\n0 7 1\n"), ":2: expected the head v in 0 .. 2"),
    ("gzip and something else", gzip.compress(EDGES) + b"x",
     "cannot read g: something else follows what is compressed"),
    ("zip of several files", zipped(("a.txt", EDGES), ("b c.txt", EDGES)),
     "cannot read g: expected a zip archive of one file, found a.txt, b c.txt; 'unzip -p ARCHIVE "),
    ("zip of very many files", zipped(*(("f%05d" % k, b"") for k in range(70000))),
     "f00000, f00001, "),
    ("zip of nothing", zipped(), "cannot read g: a zip archive without a file"),
    ("zip without its directory", zipped(("a.txt", EDGES))[:-30], "cannot read g: a zip archive without its end"),
    ("zip of bzip2", zipped(("a.txt", EDGES), method=zipfile.ZIP_BZIP2),
     "cannot read g: a zip archive that only unzip reads: 'unzip -p ARCHIVE | apsp -'"),
    ("zstd", b"\x28\xb5\x2f\xfd" + bytes(20),
     "cannot read g: it is compressed by zstd, which this build does not read; 'zstd -dc FILE | apsp -' does"),
    ("gzip twice", gzip.compress(gzip.compress(EDGES)), ": expected a graph, found a file"),
    ("gzip of one long line", gzip.compress(b"1" * 10**7), ":1: expected a line of at most"),
]

PACKED = [
    ("xz", lzma.compress, ".xz"),
    ("bzip2", bz2.compress, ".bz2"),
]

# Each row: what is odd, the file, and the graph that it means.
LEGAL = [
    ("byte order mark", b"\xef\xbb\xbf" + EDGES, SMALL),
    ("byte order mark before a blank line", b"\xef\xbb\xbf\n" + EDGES, SMALL),
    ("byte order mark before an edge", b"\xef\xbb\xbf0 1 5\n1 2 7\n0 2 20\n0 0 1\n", SMALL),
    ("byte order mark in gzip", gzip.compress(b"\xef\xbb\xbf" + EDGES), SMALL),
    ("integers with a point or an exponent", EDGES.replace(b" 20", b" 2e1").replace(b" 5", b" 5.0"),
     SMALL),
    ("CRLF", EDGES.replace(b"\n", b"\r\n"), SMALL),
    ("no final line feed", EDGES[:-1], SMALL),
    ("CR at the end of the file", EDGES[:-1] + b"\r", SMALL),
    ("tabs", EDGES.replace(b" ", b"\t"), SMALL),
    ("several blanks", EDGES.replace(b" ", b"  \t "), SMALL),
    ("blanks at both ends of lines", EDGES.replace(b"\n", b" \t\n  ") + b"\n", SMALL),
    ("blank lines", b"\n\n" + EDGES.replace(b"\n", b"\n\n \n") + b"\n\n", SMALL),
    ("signs", b"+3 +3\n+0 +1 +5\n1 2 +7\n-0 2 20\n", SMALL),
    ("leading zeros", b"03 0000003\n00 01 0000000000000000000000000000000005\n1 2 7\n0 2 20\n",
     SMALL),
    ("a line of 4000 blanks", EDGES.replace(b" ", b" " * 1300), SMALL),
    ("no edges", b"3 0\n", Graph(3, [])),
    ("no edges, no line feed", b"3 0", Graph(3, [])),
    ("one vertex", b"1 0\n", Graph(1, [])),
    ("one vertex with self-loops", b"1 2\n0 0 5\n0 0 0\n", Graph(1, [])),
    ("self-loops", b"3 5\n1 1 0\n0 1 5\n2 2 9\n1 2 7\n0 2 20\n", SMALL),
    ("parallel edges, lightest first", b"3 5\n0 1 5\n0 1 6\n0 1 2147483647\n1 2 7\n0 2 20\n",
     SMALL),
    ("parallel edges, lightest last", b"3 5\n0 1 9\n0 1 6\n1 2 7\n0 2 20\n0 1 5\n", SMALL),
    ("parallel edges, lightest between", b"3 5\n0 1 9\n0 1 5\n0 1 6\n1 2 7\n0 2 20\n", SMALL),
    ("equal parallel edges", b"3 4\n0 1 5\n0 1 5\n1 2 7\n0 2 20\n", SMALL),
    ("lightest parallel edge is negative", b"3 4\n0 1 5\n1 2 7\n0 2 20\n0 2 -3\n",
     Graph(3, [(0, 1, 5), (1, 2, 7), (0, 2, -3)])),
    ("edges in another order", b"3 3\n0 2 20\n1 2 7\n0 1 5\n", SMALL),
    ("gzip", gzip.compress(EDGES), SMALL),
    ("zip in a folder", zipped(("a/", b""), ("a/g.txt", EDGES), ("__MACOSX/a/._g.txt", b"5")), SMALL),
    ("zip, stored", zipped(("g.txt", EDGES), method=zipfile.ZIP_STORED), SMALL),
    ("gzip in two members", gzip.compress(EDGES[:11]) + gzip.compress(EDGES[11:]), SMALL),
    ("gzip of CRLF without a final line end",
     gzip.compress(EDGES.replace(b"\n", b"\r\n")[:-2]), SMALL),
]


class Loader(ProgramTest):

    def test_mangled_files(self):
        self.write("graphFile.txt", SMALL)
        self.succeeds("cpu")
        right = self.read("output.txt")
        for what, content, expected in MANGLED:
            with self.subTest(what):
                self.write("g", content)
                finished = self.fails(BAD_INPUT, expected, "cpu", "g")
                self.assertRegex(finished.err, r"^cpu: (g:|cannot read g: )")
                self.assertEqual(self.read("output.txt"), right)
                self.assertEqual(self.files(), ["g", "graphFile.txt", "output.txt"])

    def test_other_programs_refuse_them_the_same_way(self):
        self.write("graphFile.txt", SMALL)
        self.succeeds("cpu")
        for what, content, expected in MANGLED[::6]:
            with self.subTest(what):
                self.write("g", content)
                self.fails(BAD_INPUT, expected, "verify", "-g", "g", "output.txt")
                self.fails(BAD_INPUT, expected, "cuda_blocked", "g")

    def test_odd_but_legal_files(self):
        for what, content, graph in LEGAL:
            with self.subTest(what):
                self.write("g", content)
                self.succeeds("cpu", "g")
                self.assertEqual(self.result().dist, distances_of(graph))
                self.proves("-g", "g", "output.txt")
                answer = solved(graph)
                answer.m = self.result().m
                self.write("result", answer.text())
                self.proves("-g", "g", "result")

    def test_first_line_counts_edges_as_the_file_does(self):
        self.write("g", b"3 5\n1 1 0\n0 1 5\n0 1 9\n1 2 7\n0 2 20\n")
        self.succeeds("cpu", "g")
        self.assertTrue(self.read("output.txt").startswith(b"|V| = 3, |E| = 5\n\n"))

    def test_messages_stay_printable(self):
        for junk in (b"\x1b[31mred", b"\x07\x08", b"\xff\xfe", b"x" * 3000):
            with self.subTest(junk=junk[:8]):
                self.write("g", b"3 1\n0 1 " + junk + b"\n")
                message = self.fails(BAD_INPUT, "g:2: ", "cpu", "g").err
                self.assertRegex(message[:-1], r"\A[ -~]{1,200}\Z")

    def test_not_a_readable_file(self):
        os.mkdir(self.path("directory"))
        os.symlink("nowhere", self.path("dangling"))
        os.symlink("loop", self.path("loop"))
        for name, reason in (("absent", "No such file"), ("absent/g", "No such file"),
                             ("directory", "Is a directory"), ("dangling", "No such file"),
                             ("loop", "symbolic links"), ("", "No such file")):
            with self.subTest(name):
                finished = self.fails(BAD_INPUT, reason, "cpu", name)
                self.assertIn(name, finished.err)

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_file_without_permission(self):
        self.write("g", EDGES)
        os.chmod(self.path("g"), 0)
        self.fails(BAD_INPUT, "g: Permission denied", "cpu", "g")

    def test_libraries_that_a_build_may_lack(self):
        for what, compress, suffix in PACKED:
            with self.subTest(what):
                self.write("g" + suffix, compress(EDGES))
                finished = self.run_program("cpu", "g" + suffix)
                if finished.status == BAD_INPUT:
                    self.assertIn("which this build does not read; '%s -dc FILE | apsp -' does" % what,
                                  finished.err)
                    continue
                self.assertEqual(self.result().dist, distances_of(SMALL))
                self.write("g" + suffix, compress(EDGES + b"\n" * 500)[:-14])
                self.fails(BAD_INPUT, "cannot read g%s: unexpected end of file" % suffix, "cpu",
                           "g" + suffix)
                self.write("g" + suffix, compress(EDGES) + b"x")
                self.fails(BAD_INPUT, "something else follows what is compressed", "cpu", "g" + suffix)

    def test_fifo(self):
        os.mkfifo(self.path("g"))
        process = self.start("cpu", "g", "-o", "-")
        with open(self.path("g"), "wb") as fifo:
            fifo.write(EDGES)
        out, err = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, OK, err)
        self.assertIn(b"0\t5\t12\n", out)


class Bounded(ProgramTest):
    """Bounds on the memory and time that a hostile file may cost."""

    def endless(self, head, chunk):
        """Feeds a line that never ends; returns the bytes taken before the
        program gave up."""
        process = self.start("cpu", "-", stdin=subprocess.PIPE)
        taken = 0
        try:
            process.stdin.write(head)
            while taken < 64 * 2**20:
                process.stdin.write(chunk)
                process.stdin.flush()
                taken += len(chunk)
        except BrokenPipeError:
            pass
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        err = process.stderr.read()
        self.assertEqual(process.wait(timeout=TIMEOUT_S), BAD_INPUT)
        self.assertIn(b"expected a line of at most", err)
        self.assertEqual(err.count(b"\n"), 1)
        return taken

    def test_endless_line(self):
        for head, chunk in ((b"", b"1" * 65536), (b"3 1\n0 1", b" " * 65536),
                            (b"3 1\n", b"\0" * 65536)):
            with self.subTest(head=head, chunk=chunk[:1]):
                self.assertLess(self.endless(head, chunk), 4 * 2**20)

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_huge_vertex_counts_are_refused_without_allocating(self):
        little = {"preexec_fn": limited(RLIMIT_AS=256 * 2**20)}
        for n in (2000000000, 2147483647):
            self.write("g", "%d 0\n" % n)
            with self.subTest(n):
                self.fails(NO_RESOURCE, "g: %d vertices need" % n, "cpu", "g", **little)
                self.fails(NO_RESOURCE, "g: %d vertices need" % n, "verify", "-g", "g", "r",
                           **little)

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_huge_edge_counts_allocate_nothing_by_themselves(self):
        little = {"preexec_fn": limited(RLIMIT_AS=256 * 2**20)}
        self.write("g", "3 4000000000\n0 1 5\n")
        self.fails(BAD_INPUT, "expected 4000000000 edges", "cpu", "g", **little)

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_out_of_memory_is_exit_4(self):
        """A graph that the machine could hold, but this process may not, is refused with exit
        status 4."""
        little = {"preexec_fn": limited(RLIMIT_AS=256 * 2**20)}
        self.write("g", "9000 0\n")
        self.fails(NO_RESOURCE, "g: 9000 vertices need 618.5 MiB for 2 matrices and 70.3 KiB for "
                   "the graph at the least; the limit of the address space (ulimit -v) leaves ",
                   "cpu", "g", **little)
        self.assertEqual(self.files(), ["g"])


if __name__ == "__main__":
    unittest.main()
