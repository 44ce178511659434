# SPDX-License-Identifier: MIT
"""A GPU that disappears: the programs on the CUDA shim (tests/cuda_shim), where from some
call on every one fails. What must come of it, whichever call is the first: one line, exit
status 4, no partial output, the old output as it was."""

import json
import os
import re
import subprocess
import unittest

from support import (GPU_SOLVERS, NO_RESOURCE, OK, SANITIZED, TIMEOUT_S, Graph, ProgramTest,
                     environment, parse_result, solved)

# Built by `make run-tests`.
SHIM_BIN = os.environ["APSP_SHIM_BIN"]

# Negative edges, a cycle of weight zero, an unreachable vertex: every step of a solve.
GRAPH = Graph(6, [(0, 1, -1), (1, 2, 0), (2, 1, 0), (2, 3, 4), (3, 0, 5), (3, 4, 1)])


class DeviceLoss(ProgramTest):

    def run_losing(self, program, call, *args, **env):
        """Runs a program that loses its GPU at that call; 0: never."""
        done = subprocess.run([program] + list(args),
                              executable=os.path.join(SHIM_BIN, program), cwd=self.directory,
                              env=environment(CUDA_SHIM_LOSE_AFTER=str(call), OMP_NUM_THREADS="1",
                                              **env),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def variants(self, program):
        """Names and, for each, the option without which it does not go."""
        _, listed, _ = self.run_losing(program, 0, "--list-variants")
        names = [line.split()[0] for line in listed.decode("utf-8").splitlines()]
        return [(name, ["-d"] if name == "naive" else []) for name in names]

    def check_each_call(self, program, args, old, step, first=1):
        """Loses the GPU at every step-th call from the first, with these contents of the files
        that are to be written; how many calls a whole run has, about."""
        for call in range(first, 10**4, step):
            for name, content in old.items():
                self.write(name, content)
            before = self.files()
            status, out, err = self.run_losing(program, call, *args)
            what = "call %d: %d %r" % (call, status, err)
            self.assertEqual(self.files(), before, what)
            if status == OK:
                self.assertEqual(err, "", what)
                return call
            self.assertEqual(status, NO_RESOURCE, what)
            # Before it solves it says what memory is needed.
            self.assertRegex(out.decode("utf-8"), r"\A(memory .*\n)?\Z", what)
            self.assertRegex(err, r"\A%s: .*unknown error\n\Z" % program, what)
            for name, content in old.items():
                self.assertEqual(self.read(name), content, what)
        return self.fail("it never succeeded")

    def test_every_variant(self):
        """Every seventh call of each, other ones of the next: what variants share is tried
        at every call, and tests/variants/test_solvers.c has each variant lose its GPU at each."""
        self.write("graphFile.txt", GRAPH)
        number = 0
        for program in GPU_SOLVERS:
            for name, options in self.variants(program):
                with self.subTest(program=program, variant=name):
                    args = ["--variant", name, "-o", "out.txt"] + options
                    step = 15 if SANITIZED else 7
                    number += 1
                    calls = self.check_each_call(program, args, {"out.txt": b"old"}, step,
                                                 1 + number % step)
                    self.assertGreater(calls, 20)
                    # The run that kept its GPU gave the right answer.
                    self.assertEqual(parse_result(self.read("out.txt")).dist, solved(GRAPH).dist)

    def test_every_output(self):
        """All other files that a run writes stay as they were, too."""
        self.write("graphFile.txt", GRAPH)
        args = ["--repeat", "2", "--check", "--csv", "times.csv", "--format", "npy", "-o", "r"]
        names = ("r.dist.npy", "r.pred.npy", "r.json", "times.csv")
        for program in GPU_SOLVERS:
            with self.subTest(program):
                status, _, err = self.run_losing(program, 0, *args)
                self.assertEqual((status, err), (OK, ""))
                self.check_each_call(program, args, {name: self.read(name) for name in names}, 7)

    def test_apsp_goes_on_with_the_cpu(self):
        """And says so; the answer is right."""
        self.write("graphFile.txt", GRAPH)
        os.makedirs(self.path("config", "apsp"))
        rates = {"cpu_" + name: 1000
                 for name in ("sequential", "blocked", "johnson", "multisource")}
        rates.update((program, 0.001) for program in GPU_SOLVERS)
        rates.update({"gpu_context_ms": 0.001, "gpu_download_cell_ns": 0.01})
        self.write("config/apsp/rates.json", json.dumps({"version": 1, "rates": rates}))
        env = {"XDG_CONFIG_HOME": self.path("config")}
        lost = 0
        for call in range(1, 10**4, 5 if SANITIZED else 1):
            status, out, err = self.run_losing("apsp", call, "-o", "out.txt", "--verbose", **env)
            text = out.decode("utf-8")
            if status == NO_RESOURCE:  # solved, and then the GPU would not say its name
                self.assertRegex(err, r"\Aapsp: (no usable GPU|GPU failure while (selecting|naming) "
                                      r"the device): .*\n\Z")
                continue
            self.assertEqual((status, err), (OK, ""), "call %d" % call)
            result = parse_result(self.read("out.txt"))
            self.assertEqual(result.dist, solved(GRAPH).dist)
            taken = re.search(r"(?m)^variant  auto: (\S+)$", text).group(1)
            note = re.search(r"(?m)^note     (cuda_\S+) failed, going on with (\S+): .", text)
            if taken.startswith("cuda_"):
                self.assertIsNone(note)
                break
            if note is not None:
                self.assertEqual(note.group(2), taken)
                self.assertRegex(text, r"(?m)^why +%s failed: ." % re.escape(note.group(1)))
                lost += 1
        else:
            self.fail("it never kept its GPU")
        self.assertGreater(lost, 3)


if __name__ == "__main__":
    unittest.main()
