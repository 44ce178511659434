# SPDX-License-Identifier: MIT
"""prefix_sum and softmax, their GPU variants on the CUDA shim (tests/cuda_shim): inputs and outputs
in both formats, refusals, reports."""

import csv
import gzip
import json
import math
import os
import struct
import subprocess
import unittest
from itertools import accumulate

from support import (BAD_INPUT, CONTEST_PROGRAMS, NO_RESOURCE, OK, TIMEOUT_S, ProgramTest,
                     environment, gpu_missing)

# Built by `make run-tests`.
SHIM_BIN = os.environ["APSP_SHIM_BIN"]
VARIANTS = {"prefix_sum": ("cpu", "two_level", "single_pass"),
            "softmax": ("cpu", "three_stage", "online")}
TYPES = {"<i4": "i", "<i8": "q", "<f4": "f"}


def npy(description, numbers, shape=None):
    """A .npy file of one dimension, as NumPy writes it."""
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (
        description, shape or "(%d,)" % len(numbers))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    code = TYPES.get(description, "i")
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("ascii")
            + struct.pack("<%d%s" % (len(numbers), code), *numbers))


def numbers_of_npy(data, description):
    length = struct.unpack("<H", data[8:10])[0]
    assert "'descr': '%s'" % description in data[10:10 + length].decode("ascii")
    entries = data[10 + length:]
    code = TYPES[description]
    return list(struct.unpack("<%d%s" % (len(entries) // struct.calcsize(code), code), entries))


def softmax_of(numbers):
    powers = [math.exp(x - max(numbers)) for x in numbers]
    return [p / math.fsum(powers) for p in powers]


class Contest(ProgramTest):

    def solve(self, program, *args, stdin=b"", **env):
        done = subprocess.run([program] + [str(arg) for arg in args],
                              executable=os.path.join(SHIM_BIN, program), cwd=self.directory,
                              env=environment(**env), input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def solves(self, program, *args, **how):
        status, out, err = self.solve(program, *args, **how)
        self.assertEqual((status, err), (OK, ""), "%s %s" % (program, args))
        return out.decode("utf-8")

    def refuses(self, status, expected, program, *args, **how):
        found, out, err = self.solve(program, *args, **how)
        what = "%s %s: %r" % (program, args, err)
        self.assertEqual((found, out), (status, b""), what)
        self.assertIn(expected, err, what)
        self.assertTrue(err.startswith(program + ": "), what)

    def test_prefix_sums(self):
        numbers = [(k * 2654435761) % 2**32 - 2**31 for k in range(700)]
        expected = list(accumulate(numbers))
        lines = ["%d" % len(numbers)] + ["%d %d\t%d  %d" % tuple(numbers[k:k + 4])
                                         for k in range(0, 700, 4)]
        text = ("\n\n".join(lines) + "\r\n").encode("ascii")
        self.write("x.txt", text)
        self.write("x.txt.gz", gzip.compress(text))
        self.write("x.npy", npy("<i4", numbers))
        for variant in VARIANTS["prefix_sum"]:
            for name in ("x.txt", "x.txt.gz", "x.npy"):
                self.solves("prefix_sum", name, "-v", variant, "--check", "-q", "-o", "y.npy",
                            "--format", "npy")
                self.assertEqual(numbers_of_npy(self.read("y.npy"), "<i8"), expected)
            status, out, _ = self.solve("prefix_sum", "-", "-v", variant, "-o", "-", stdin=text)
            self.assertEqual((status, [int(word) for word in out.split()]),
                             (OK, [700] + expected))

    def test_softmax(self):
        numbers = [math.sin(k) * 30 + 10000 for k in range(300)]
        numbers = list(struct.unpack("<300f", struct.pack("<300f", *numbers)))
        self.write("x.npy", npy("<f4", numbers))
        self.write("x.txt", "300\n" + " ".join(map(repr, numbers)))
        for variant in VARIANTS["softmax"]:
            for name in ("x.txt", "x.npy"):
                self.solves("softmax", name, "-v", variant, "--check", "-o", "y.txt")
                count, *found = self.read("y.txt").split()
                self.assertEqual(int(count), 300)
                for value, right in zip(found, softmax_of(numbers)):
                    self.assertLessEqual(abs(float(value) - right), 1.4e-5 * right + 1e-44)

    def test_special(self):
        for text, expected in (("2\n-inf 3e0", ["0", "1"]), ("2 inf 1", ["nan"] * 2),
                               ("1 nan", ["nan"]), ("1\n-7", ["1"]), ("1 -inf", ["nan"])):
            for variant in VARIANTS["softmax"]:
                _, out, _ = self.solve("softmax", "-", "-o", "-", "--check", "-v", variant,
                                       stdin=text.encode("ascii"))
                self.assertEqual([word.lstrip("-") for word in out.decode("ascii").split()[1:]],
                                 expected, "%s %s" % (variant, text))

    def test_random(self):
        """The same seed gives the same numbers; what is saved is what was solved."""
        for program, variants in VARIANTS.items():
            for kind in ("npy", "text"):
                self.solves(program, "--random", 5000, "--seed", 7, "--values=-3:4",
                            "--save-input", "x", "-o", "y", "--format", kind, "-v", variants[1])
                again = self.read("y")
                self.solves(program, "x", "-o", "y", "--format", kind, "-v", variants[1])
                self.assertEqual(self.read("y"), again)
            numbers = [float(word) for word in self.read("x").split()[1:]]
            self.assertEqual(len(numbers), 5000)
            self.assertTrue(-3 <= min(numbers) < -2.9 and 3.9 < max(numbers) <= 4)
            self.solves(program, "--random", 5000, "--seed", 8, "--save-input", "other")
            self.assertNotEqual(self.read("other"), self.read("x"))

    def test_reports(self):
        out = self.solves("prefix_sum", "--random", 100, "--check", "--values", "2:2")
        self.assertRegex(out, r"\A100 numbers, single_pass on host shim\nsum 200, proved\n"
                              r"solve_s \d+\.\d{6} \(.* GB/s of input and output\), total_s ")
        answer = json.loads(self.solves("softmax", "--random", 64, "--values", "1:1", "--json"))
        self.assertEqual((answer["program"], answer["variant"], answer["count"], answer["seed"],
                          answer["checked"], answer["answer"]),
                         ("softmax", "online", 64, 1, False, "largest 0.015625, entry 0"))
        for variant in ("cpu", "two_level"):
            self.solves("prefix_sum", "--random", 9, "-v", variant, "-r", 2, "--csv", "t.csv")
        with open(self.path("t.csv"), encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["variant"], row["repetition"], row["count"], row["device"])
                          for row in rows],
                         [("cpu", "1", "9", ""), ("cpu", "2", "9", ""),
                          ("two_level", "1", "9", "host shim"),
                          ("two_level", "2", "9", "host shim")])
        self.write("other.csv", "a,b\n")
        self.refuses(BAD_INPUT, "other.csv: expected an empty file or timings", "prefix_sum",
                     "--random", 9, "--csv", "other.csv")
        for program, variants in VARIANTS.items():
            listed = self.solves(program, "--list-variants")
            self.assertEqual(tuple(line.split()[0] for line in listed.splitlines()), variants)
            listed = json.loads(self.solves(program, "--list-variants", "--json"))["variants"]
            self.assertEqual([variant["name"] for variant in listed if variant["default"]],
                             [variants[2]])

    def test_bad_input(self):
        whole = npy("<i4", [1, 2, 3])
        for program, content, expected in (
                ("prefix_sum", b"", "x: expected a count, then the numbers, found nothing"),
                ("prefix_sum", b"three", "x:1: expected a count, then the numbers, found 'three'"),
                ("prefix_sum", b"0\n", "x: expected 1 .. 1000000000 numbers, found 0"),
                ("prefix_sum", b"1000000001 5", "expected 1 .. 1000000000 numbers, found 1000000001"),
                ("prefix_sum", b"1000000000 5", "x:1: expected 1000000000 numbers, found 1"),
                ("softmax", b"100000001 5", "expected 1 .. 100000000 numbers, found 100000001"),
                ("prefix_sum", b"2\n1\n", "x:2: expected 2 numbers, found 1"),
                ("prefix_sum", b"2\n1 2\n\n3", "x:4: expected the end after 2 numbers, found '3'"),
                ("prefix_sum", b"2\n1 2 3", "x:2: expected the end after 2 numbers, found '3'"),
                ("prefix_sum", b"1\n2147483648", "expected an integer in -2^31 .. 2^31 - 1, found"),
                ("prefix_sum", b"2\n1\n-2147483649", "x:3: expected an integer in -2^31"),
                ("prefix_sum", b"1\n1.5", "expected an integer in -2^31 .. 2^31 - 1, found '1.5'"),
                ("softmax", b"2\n1 1e39", "x:2: expected a number of float32, found '1e39'"),
                ("softmax", b"1\n0x1p3", "x:2: expected a number of float32, found '0x1p3'"),
                ("softmax", b"1\n" + b"1" * 70, "x:2: expected a number of float32, found '1111"),
                ("softmax", whole, "expected one dimension of '<f4' (float32), found the header"),
                ("prefix_sum", npy("<i8", [1, 2, 3]), "expected one dimension of '<i4' (int32)"),
                ("prefix_sum", npy("<i4", [1, 2], "(2, 1)"), "expected one dimension of '<i4'"),
                ("prefix_sum", npy("<i4", [], "(0,)"), "expected 1 .. 1000000000 numbers, found 0"),
                ("prefix_sum", npy("<i4", [], "(9999999999999,)"), "expected one dimension"),
                ("prefix_sum", npy("<i4", [1], "(999999999,)"), "bytes for 999999999 numbers"),
                ("prefix_sum", whole[:-1], "expected 140 bytes for 3 numbers, found 139"),
                ("prefix_sum", whole + b"1", "expected 140 bytes for 3 numbers, found 141"),
                ("prefix_sum", whole[:9], "expected a NumPy file of format 1.0"),
                ("prefix_sum", whole[:50], "expected a header of less than 4096 bytes"),
                ("prefix_sum", b"\x93NUMPY\x02" + whole[7:], "expected a NumPy file of format 1.0"),
                ("prefix_sum", whole[:8] + b"\xff\xff" + whole[10:], "found one of 65535 or")):
            self.write("x", content)
            self.refuses(BAD_INPUT, expected, program, "x", "-o", "y")
        self.refuses(BAD_INPUT, "nothing", "softmax", "nothing", "-o", "y")
        self.assertEqual(self.files(), ["x"])

    def test_usage(self):
        for args, expected in (
                ((), "expected either a file with the input or --random N"),
                (("x", "--random", 5), "expected either a file with the input or --random N"),
                (("x", "y"), "expected one input, found 'y' as well"),
                (("--random", 0), "--random: expected an integer in 1 .. 1000000000, found '0'"),
                (("--random", 9, "-v", "online"), "--variant: expected one of those"),
                (("--random", 9, "--values", "3"), "--values: expected LO:HI with two integers"),
                (("--random", 9, "--values", "1:2.5"), "--values: expected LO:HI with two integers"),
                (("--random", 9, "--values", "0:2147483648"), "--values: expected LO:HI"),
                (("--random", 9, "--values", "2:1"), "--values: expected LO <= HI"),
                (("--random", 9, "--format", "npz"), "--format: expected text or npy"),
                (("--random", 9, "--json", "-o", "-"), "{")):
            status, out, err = self.solve("prefix_sum", *args)
            self.assertEqual(status, BAD_INPUT, args)
            self.assertIn(expected, err + out.decode("utf-8"), args)

    def test_no_memory(self):
        self.refuses(NO_RESOURCE, "random numbers", "prefix_sum", "--random", 10**9,
                     APSP_MEMORY_LIMIT="64M")
        self.refuses(NO_RESOURCE, "the answer", "softmax", "--random", 10**7, "-v", "cpu",
                     APSP_MEMORY_LIMIT="60M")

    def test_no_gpu(self):
        """Where there is none, the programs themselves say so, and solve on the CPU."""
        if gpu_missing():
            for program in CONTEST_PROGRAMS:
                self.fails(NO_RESOURCE, "no usable GPU", program, "--random", 5)
                self.succeeds(program, "--random", 5, "-v", "cpu", "--check", "-q")

    def test_lost_gpu(self):
        """Whichever call is the first that fails: one line, no output."""
        for program, variants in VARIANTS.items():
            for variant in variants[1:]:
                status = None
                for call in range(1, 60):
                    status, _, err = self.solve(program, "--random", 9, "-v", variant, "-o", "y",
                                                CUDA_SHIM_LOSE_AFTER=str(call))
                    if status == OK:
                        break
                    self.assertEqual((status, self.files()), (NO_RESOURCE, []), err)
                    self.assertRegex(err, r"\A%s: .*unknown error\n\Z" % program)
                self.assertEqual(status, OK)
                os.remove(self.path("y"))


if __name__ == "__main__":
    unittest.main()
