# SPDX-License-Identifier: MIT
"""Several GPUs that solve together, as programs on the CUDA shim (tests/cuda_shim) have them."""

import json
import os
import subprocess
import unittest

from support import BAD_INPUT, NO_RESOURCE, OK, TIMEOUT_S, Graph, ProgramTest, environment

# Built by `make run-tests`.
SHIM_BIN = os.environ["APSP_SHIM_BIN"]


class Spread(ProgramTest):

    def run_on(self, devices, program, *args, **variables):
        done = subprocess.run([program] + list(args), executable=os.path.join(SHIM_BIN, program),
                              cwd=self.directory,
                              env=environment(APSP_SHIM_DEVICES=str(devices), OMP_NUM_THREADS="2",
                                              **variables),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    def test_files(self):
        # Weights below 0, cycles of weight zero, and vertices that nothing leads to.
        edges = [(v, (v + step) % 260, step - 1) for v in range(260) for step in (1, 2, 11)]
        edges += [(v + 1, v, 0) for v in range(0, 250, 7)] + [(260, 0, -3), (261, 260, 5)]
        self.write("graphFile.txt", Graph(262, edges).text())
        for number, devices in enumerate(("0", "0,1", "all")):
            status, out, err = self.run_on(3, "cuda_blocked", "--variant", "dpx32", "--devices",
                                           devices, "--check", "--format", "npy", "--json", "-o",
                                           "out%d" % number)
            self.assertEqual((status, err), (OK, ""))
            answer = json.loads(out)
            self.assertTrue(answer["checked"])
            self.assertEqual(answer["device"],
                             ["host shim", "2 x host shim", "3 x host shim"][number])
        for kind in ("dist", "pred"):
            first = self.read("out0.%s.npy" % kind)
            self.assertEqual(self.read("out1.%s.npy" % kind), first)
            self.assertEqual(self.read("out2.%s.npy" % kind), first)

    def test_rows(self):
        # So many rows that two GPUs have some: on a third there would be none to solve.
        n = 2200
        self.write("graphFile.txt", Graph(n, [(v, v + 1, v % 7) for v in range(n - 1)]).text())
        answers = []
        for devices in ("1", "all"):
            status, out, err = self.run_on(3, "cuda_sparse", "--variant", "queued", "--devices", devices,
                                           "--check", "--json", "--measures=m" + devices)
            self.assertEqual((status, err), (OK, ""))
            answers.append(json.loads(out))
        self.assertEqual([answer["device"] for answer in answers], ["host shim", "2 x host shim"])
        self.assertTrue(answers[1]["checked"])
        self.assertIsNone(answers[0]["memory"]["gpus"])
        self.assertEqual([gpu["device"] for gpu in answers[1]["memory"]["gpus"]], [0, 1])
        self.assertEqual(self.read("mall.csv"), self.read("m1.csv"))
        one, several = [{key: value for key, value in json.loads(self.read(name)).items()
                         if key not in ("solve_s", "total_s")} for name in ("m1.json", "mall.json")]
        self.assertEqual(several, one)

    def test_apsp(self):
        # Without --device it may use all GPUs of the host, and takes as many as pay: contexts that
        # are created at once always do.
        n = 1100
        self.write("graphFile.txt", Graph(n, [(v, v + 1, v % 7) for v in range(n - 1)]).text())
        os.makedirs(os.path.join(self.directory, "apsp"))
        rates = {"gpu_context_ms": 1e-3, "gpu_upload_edge_ns": 1e-2}
        rates.update(("cpu_" + name, 1e3)
                     for name in ("sequential", "blocked", "johnson", "multisource"))
        self.write("apsp/rates.json", json.dumps({"version": 1, "rates": rates}))
        for number, (options, most) in enumerate(((("--device", "1"), 1), (("--devices", "2,0"), 2),
                                                  (("--devices", "all"), 3), ((), 3))):
            run = ("apsp", "--measures=m%d" % number, "--json") + options
            status, out, err = self.run_on(3, *run, "--plan", XDG_CONFIG_HOME=self.directory)
            self.assertEqual((status, err), (OK, ""))
            taken = json.loads(out)["engines"][0]
            self.assertTrue(taken["gpus"] == 1 if most == 1 else 1 < taken["gpus"] <= most)
            status, out, err = self.run_on(3, *run, XDG_CONFIG_HOME=self.directory)
            self.assertEqual((status, err), (OK, ""))
            answer = json.loads(out)
            self.assertEqual(answer["device"], "host shim" if most == 1
                             else "%d x host shim" % taken["gpus"])
            self.assertEqual(self.read("m%d.csv" % number), self.read("m0.csv"))
        status, out, err = self.run_on(3, "apsp", "--plan", "--json", "--devices", "0,3")
        self.assertEqual((status, err), (OK, ""))
        self.assertEqual(json.loads(out)["no_gpu"],
                         "no usable GPU: expected a device in 0 .. 2, found 3")

    def test_failure(self):
        # The call is one of those by which the two GPUs get ready.
        n = 2200
        self.write("graphFile.txt", Graph(n, [(v, v + 1, 1) for v in range(n - 1)]).text())
        before = sorted(os.listdir(self.directory))
        status, _, err = self.run_on(2, "cuda_sparse", "--variant", "queued", "--devices", "0,1",
                                     "--format", "npy", "-o", "out", CUDA_SHIM_LOSE_AFTER="120")
        self.assertEqual(status, NO_RESOURCE)
        self.assertRegex(err, r"\Acuda_sparse: GPU [01]: [^\n]*unknown error[^\n]*\n\Z")
        self.assertEqual(sorted(os.listdir(self.directory)), before)

    def test_refused(self):
        self.write("graphFile.txt", Graph(2, [(0, 1, 4)]).text())
        status, _, err = self.run_on(2, "cuda_blocked", "--devices", "0,2")
        self.assertEqual((status, err), (
            NO_RESOURCE,
            "cuda_blocked: no usable GPU: expected a device in 0 .. 1, found 2\n"))
        status, _, err = self.run_on(2, "cuda_simple", "--devices", "1,0")
        self.assertEqual((status, err), (
            BAD_INPUT, "cuda_simple: --devices: variant thesis solves on one GPU, found a list of 2\n"
                       "Try `cuda_simple --help' or `cuda_simple --usage' for more information.\n"))


if __name__ == "__main__":
    unittest.main()
