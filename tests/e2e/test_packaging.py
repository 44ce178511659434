# SPDX-License-Identifier: MIT
"""Tests of work that distributions do with the project: install without compiling again, move what
is installed, strip it, pack the sources, optimize at link time, use it from CMake. Needs what `make
run-tests` sets: APSP_MAKE."""

import os
import shutil
import subprocess
import tarfile
import unittest

from support import BUILD_TIMEOUT_S, OK, PROGRAMS, REPOSITORY, SANITIZED, ProgramTest, environment
from test_install import CC, EXAMPLE, MAKE, STRICT, installed_name, public_functions

# With the variables of nobody who built it.
UNKNOWING = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C"}

CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(user C)
find_package(apsp 0.2.0 REQUIRED)
find_package(apsp 0.1.0 QUIET)
if(apsp_FOUND)
    message(FATAL_ERROR "0.2 is not compatible with 0.1")
endif()
find_package(apsp 0.2 REQUIRED)
add_executable(shared "${EXAMPLE}")
target_link_libraries(shared apsp::apsp)
add_executable(archive "${EXAMPLE}")
target_link_libraries(archive apsp::static)
"""


@unittest.skipIf(SANITIZED, "what links a sanitized library needs the sanitizers too")
class Packaging(ProgramTest):

    def setUp(self):
        super().setUp()
        self.write("graphFile.txt", "3 2\n0 1 4\n1 2 5\n")

    def run_command(self, *command, status=OK, env=None, cwd=None, stderr=subprocess.PIPE):
        done = subprocess.run([str(word) for word in command], cwd=cwd or self.directory,
                              env=environment() if env is None else env, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=stderr, timeout=BUILD_TIMEOUT_S)
        self.assertEqual(done.returncode, status, (command, done.stdout, done.stderr))
        return done.stdout.decode()

    def make(self, *arguments, env=None, folder=REPOSITORY):
        return self.run_command(MAKE, "--no-print-directory", "-C", folder, *arguments, env=env)

    def check_example(self, program, library=None):
        env = environment(LD_LIBRARY_PATH=library) if library else environment()
        self.assertEqual(self.run_command(program, "graphFile.txt", 0, 2, env=env),
                         "0\tat distance 0\n1\tat distance 4\n2\tat distance 9\n")

    def check_names(self, folder):
        for name, dynamic in (("libapsp.so", ["-D"]), ("libapsp.a", [])):
            shown = self.run_command("nm", *dynamic, "--defined-only", "--extern-only",
                                     os.path.join(folder, name))
            names = {line.split()[2] for line in shown.splitlines() if len(line.split()) == 3}
            self.assertEqual(names, public_functions(), name)

    def tree_of_makefiles(self):
        folder = self.path("makefiles")
        for name in ("Makefile", "libapsp/libapsp.mk", "tests/tests.mk", "tests/fuzz/fuzz.mk",
                     "common/base/version.h"):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy(os.path.join(REPOSITORY, name), os.path.join(folder, name))
        return folder

    def test_install_compiles_nothing(self):
        """For root, who knows none of the variables it was built with."""
        out = self.make("install", "DESTDIR=" + self.path("stage"), env=UNKNOWING)
        self.assertRegex(out, r"\AInstalled into [^\n]*\n\Z")
        out = self.make("install-strip", "installcheck", "DESTDIR=" + self.path("stage"),
                        env=UNKNOWING)
        self.assertNotRegex(out, r"(?m)^  (CC|NVCC|LINK|AR|LD) ")

    def test_install_remembers_the_last_build(self):
        folder = self.tree_of_makefiles()
        show = "install-show: ; @echo '$(CUDA):$(strip $(CFLAGS)):$(HARDENING):$(CONFIGURATION)'"
        build = ["--eval", "show: ; @echo '$(CUDA):$(strip $(CFLAGS)):$(HARDENING):$(CONFIGURATION)'; "
                 "$(remember)", "show"]
        given = ["CUDA=0", "CFLAGS=-O1  -Dx=$$y", "ARCH=75  90"]
        first = self.make(*build, *given, env=UNKNOWING, folder=folder)
        self.assertTrue(first.startswith("0:-O1 -Dx="), first)

        def shown(*more, **env):
            return self.make("--eval", show, "install-show", *more, env={**UNKNOWING, **env},
                             folder=folder)

        self.assertEqual(shown(), first)
        self.assertTrue(shown("CFLAGS=-O2").startswith("0:-O2:"))
        self.assertTrue(shown(CFLAGS="-Os").startswith("0:-Os:"))
        # Building does not remember.
        self.assertIn(":-O3 -g1:", self.make(*build, env=UNKNOWING, folder=folder))
        self.assertIn(":-O3 -g1:", shown())

    def test_soname(self):
        """As apsp.h says: while the first number is 0, the second one is what must agree."""
        folder = self.tree_of_makefiles()
        for version, soname in (("0.2.0", "0.2"), ("0.2.17", "0.2"), ("0.3.0", "0.3"),
                                ("0.10.1", "0.10"), ("1.0.0", "1"), ("12.3.4", "12")):
            out = self.make("--eval", "show: ; @echo $(SONAME)", "show",
                            "APSP_VERSION=" + version, folder=folder)
            self.assertEqual(out, "libapsp.so.%s\n" % soname)

    def test_moved(self):
        """The files for pkg-config and CMake hold wherever the prefix is moved to."""
        self.make("install", "PREFIX=" + self.path("usr"))
        moved = self.path("elsewhere")
        os.rename(self.path("usr"), moved)
        lib = os.path.join(moved, "lib")
        if shutil.which("pkg-config"):
            flags = self.run_command(
                "pkg-config", "--cflags", "--libs", "apsp",
                env=environment(PKG_CONFIG_PATH=os.path.join(lib, "pkgconfig"))).split()
            self.run_command(*CC, *STRICT, os.path.join(REPOSITORY, EXAMPLE), *flags, "-o", "moved")
            self.check_example("./moved", lib)
        with open(os.path.join(lib, "pkgconfig", "apsp.pc"), encoding="utf-8") as file:
            self.assertNotIn(self.directory, file.read())
        if not shutil.which("cmake"):
            self.skipTest("cmake is not installed")
        self.write("CMakeLists.txt", CMAKE)
        out = self.run_command("cmake", "-S", ".", "-B", "out", "-DCMAKE_PREFIX_PATH=" + moved,
                               "-DCMAKE_C_COMPILER=" + CC[0],
                               "-DEXAMPLE=" + os.path.join(REPOSITORY, EXAMPLE))
        self.assertIn("Build files", out)
        self.run_command("cmake", "--build", "out")
        self.check_example("out/shared")
        self.check_example("out/archive")
        self.assertIn("[libapsp.so.0.2]", self.run_command("readelf", "-d", "out/shared"))
        self.assertNotIn("libapsp", self.run_command("readelf", "-d", "out/archive"))

    def test_library_elsewhere(self):
        """A library that is not below the prefix stays where it was said to be."""
        stage = self.path("stage")
        self.make("install", "DESTDIR=" + stage, "PREFIX=/opt/x", "libdir=/opt/y/lib")
        for name in ("pkgconfig/apsp.pc", "cmake/apsp/apspConfig.cmake"):
            with open(os.path.join(stage, "opt/y/lib", name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("/opt/y/lib", text)
            self.assertIn("/opt/x", text)
            self.assertNotIn("..", text)
        self.make("installcheck", "DESTDIR=" + stage, "PREFIX=/opt/x", "libdir=/opt/y/lib")

    def test_stripped(self):
        prefix = self.path("usr")
        self.make("install-strip", "PREFIX=" + prefix)
        for file in ["bin/" + installed_name(p) for p in PROGRAMS] + ["lib/libapsp.so"]:
            sections = self.run_command("readelf", "-SW", os.path.join(prefix, file))
            self.assertNotRegex(sections, r"\.debug_|\.symtab")
        self.assertNotIn(".debug_", self.run_command("readelf", "-SW", prefix + "/lib/libapsp.a"))
        self.check_names(prefix + "/lib")
        self.assertIn("work", self.make("installcheck", "PREFIX=" + prefix))

    def test_installcheck_notices(self):
        prefix = self.path("usr")
        self.make("install", "PREFIX=" + prefix)
        for name in ("bin/apsp-verify", "lib/libapsp.a", "lib/libapsp.so", "include/apsp.h",
                     "lib/pkgconfig/apsp.pc"):
            os.rename(os.path.join(prefix, name), self.path("away"))
            with self.subTest(name):
                self.run_command(MAKE, "-C", REPOSITORY, "installcheck", "PREFIX=" + prefix, status=2)
            os.rename(self.path("away"), os.path.join(prefix, name))

    def test_dist(self):
        if not shutil.which("git") or not os.path.exists(os.path.join(REPOSITORY, ".git")):
            self.skipTest("no git")
        packed = []
        for name in ("a.tar.gz", "b.tar.gz"):
            self.make("dist", "DIST=" + self.path(name))
            with open(self.path(name), "rb") as file:
                packed.append(file.read())
        self.assertEqual(packed[0], packed[1])
        listed = self.run_command("git", "ls-tree", "-rz", "--name-only", "HEAD", cwd=REPOSITORY)
        with tarfile.open(self.path("a.tar.gz")) as archive:
            names = [member.name for member in archive if not member.isdir()]
            self.assertEqual({(m.uid, m.gid) for m in archive}, {(0, 0)})
        self.assertEqual(sorted(names),
                         sorted("apsp-0.2.0/" + name for name in listed.split("\0") if name))

    def test_warning_without_amd(self):
        """If nobody has said that the build is to be without SuiteSparse's AMD."""
        folder = self.tree_of_makefiles()
        for given, lines in (((), 1), (("AMD=0",), 0)):
            said = self.run_command(MAKE, "--no-print-directory", "-C", folder, "say-without",
                                    "CPPFLAGS=-Damd_order", *given, env=UNKNOWING,
                                    stderr=subprocess.STDOUT)
            self.assertEqual(said.count("warning: building without elimination"), lines, said)

    def test_gpu_architectures(self):
        """Code is compiled for this machine's GPUs as nvidia-smi lists them, as far as nvcc knows
        them; without one, for what every GPU can run; on request, for all. PTX is made once for all
        architectures that share it."""
        folder = self.tree_of_makefiles()
        for program, says in (("nvcc", "printf 'sm_%s\\n' 75 80 86 89 90 100"),
                              ("nvidia-smi", 'echo "$GPUS"')):
            self.write(program, "#!/bin/sh\n%s\n" % says)
            os.chmod(self.path(program), 0o755)
        anywhere, every = "75-virtual 80-virtual", "75 80 86 89 90 100 120"
        for gpus, given, chosen, codes, noted in (
                ("9.0\n7.5\n9.0", (), "75 90", "75:sm_75 90:sm_90 90:compute_90", True),
                ("12.0", (), "100", "100:sm_100 100:compute_100", True),
                ("7.0", (), anywhere, "75:compute_75 80:compute_80", True),
                ("Failed to initialize NVML", ("ARCH=native",), anywhere,
                 "75:compute_75 80:compute_80", True),
                ("7.5", ("ARCH=all",), every, "75:sm_75 80:sm_80 80:sm_86 80:sm_89 90:sm_90 "
                 "100:sm_100 100:sm_120 100:compute_100", True),
                # Its PTX lacks what later GPUs can do.
                ("9.0", ("ARCH=75",), "75", "75:sm_75", False)):
            with self.subTest(gpus=gpus, given=given):
                said = self.run_command(
                    MAKE, "--no-print-directory", "-C", folder, *given, "say-arch", "show", "--eval",
                    "show: ; @echo 'ARCH=$(ARCH)' $(subst --generate-code=arch=compute_,,$(GENCODE))",
                    env={**UNKNOWING, "PATH": self.directory + ":" + UNKNOWING["PATH"], "GPUS": gpus},
                    stderr=subprocess.STDOUT)
                self.assertIn("ARCH=%s %s\n" % (chosen, codes.replace(":", ",code=")), said)
                self.assertEqual(said.count("note: compiling for GPU architectures %s, " % chosen),
                                 noted)
        wheel = self.make("MAKECMDGOALS=python-wheel-library", "--eval", "show: ; @echo '$(ARCH)'",
                          "show", "CUDA=1", "NVCC=nvcc", env=UNKNOWING, folder=folder)
        self.assertEqual(wheel, every + "\n")

    def test_link_time_optimization(self):
        """Objects that hold no machine code yet, beside others. Of all that is hidden nothing is shown
        then either. Without AMD a plan says what there is not."""
        clang = "clang" in self.run_command(*CC, "--version")
        if clang and not shutil.which("ld.lld"):
            self.skipTest("lld is not installed")
        out = os.path.join(REPOSITORY, "build", "lto-nocuda")
        lib = os.path.join(out, "lib")
        built = os.path.dirname(os.environ.get("APSP_SMALL_BIN", ""))
        known = []
        if os.path.basename(built) == "release-nocuda":
            # These sources are compiled with -flto: the API, kernels for several processors, and parts that a
            # build may leave out. The rest is copied, and the library would not link without it.
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(built, out, ignore=shutil.ignore_patterns(
                "tests", "shim", "small", "device", "install", "*.d", "lib*.[ao]"))
            anew = ["common/base/byte_source.c", "elimination/order.c", "cpu/parts/min_plus_kernels.c",
                    *("libapsp/" + name for name in os.listdir(os.path.join(REPOSITORY, "libapsp"))
                      if name.endswith(".c"))]
            known = ["--old-file=build/lto-nocuda/configuration", *("--what-if=" + name for name in anew)]
        self.make("CUDA=0", "AMD=0", "LZMA=0", "BZIP2=0", "BUILD=lto",
                  "CFLAGS=-O0 -flto" + ("" if clang else "=auto"),
                  "LDFLAGS=" + ("-fuse-ld=lld" if clang else ""), *known, "library",
                  "build/lto-nocuda/bin/apsp")
        self.check_names(lib)
        self.run_command(*CC, *STRICT, "-I", os.path.join(REPOSITORY, "libapsp"),
                         os.path.join(REPOSITORY, EXAMPLE), os.path.join(lib, "libapsp.a"),
                         "-lz", "-fopenmp", "-lm", "-o", "archive")
        self.check_example("./archive")
        plan = self.run_command(os.path.join(os.path.dirname(lib), "bin", "apsp"), "--plan",
                                "graphFile.txt")
        without = "built without SuiteSparse's AMD\n"
        self.assertIn("\neliminating vertices (dissection): it cannot run: " + without, plan)
        self.assertRegex(plan, "\ncpu:dissection .*  not: " + without)


if __name__ == "__main__":
    unittest.main()
