# SPDX-License-Identifier: MIT
"""`make install` and the library as those who install it meet them: which files there are, what
the libraries show, programs compiled against the installed copy alone, and that `make uninstall`
leaves nothing. Needs what `make run-tests` sets: APSP_MAKE."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from support import (BAD_INPUT, BUILD_TIMEOUT_S, NEGATIVE_CYCLE, OK, PROGRAMS, REPOSITORY, SANITIZED,
                     TIMEOUT_S, ProgramTest, environment)

MAKE = os.environ["APSP_MAKE"]
CC = shlex.split(os.environ.get("CC") or "cc")
CXX = shlex.split(os.environ.get("CXX") or "c++")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
EXAMPLES = os.path.join("docs", "examples")
EXAMPLE = os.path.join(EXAMPLES, "path.c")

# Names that the library's inside has too: only its own may be those of apsp.h.
CLASHING = """
#include <apsp.h>
#include <stdio.h>
int solve(void); int fail(void); int certify(void); int graph_read(void); int graph_build(void);
int memory_alloc(void); int engine_find(void); int cpu_solver(void); int matrix_free(void);
int solve(void) { return 1; } int fail(void) { return 2; } int certify(void) { return 4; }
int graph_read(void) { return 8; } int graph_build(void) { return 16; }
int memory_alloc(void) { return 32; } int engine_find(void) { return 64; }
int cpu_solver(void) { return 128; } int matrix_free(void) { return 256; }
int main(void) {
    const int32_t from[] = {0, 1}, to[] = {1, 2};
    apsp_graph *graph;
    apsp_result *result;
    if (apsp_graph_from_edges(&graph, 3, 2, from, to, NULL, NULL, NULL) != APSP_OK ||
        apsp_solve(graph, NULL, &result, NULL) != APSP_OK ||
        apsp_verify(graph, result, NULL, NULL, NULL) != APSP_OK)
        return 1;
    printf("%d %d\\n", (int)apsp_result_distance(result, 0, 2),
           solve() + fail() + certify() + graph_read() + graph_build() + memory_alloc() +
               engine_find() + cpu_solver() + matrix_free());
    apsp_result_free(result);
    apsp_graph_free(graph);
    return 0;
}
"""

CPLUSPLUS = """
#include <apsp.h>
#include <cstdio>
static apsp_status take(void *count, const apsp_rows *rows, apsp_error *) {
    *static_cast<int *>(count) += rows->count;
    return APSP_OK;
}
int main() {
    apsp_sink sink = APSP_SINK_INIT;
    const apsp_sink *const sinks[] = {&sink};
    apsp_request request = APSP_REQUEST_INIT;
    apsp_graph_measures measures = APSP_GRAPH_MEASURES_INIT;
    int count = 0;
    apsp_options options = APSP_OPTIONS_INIT;
    apsp_reading reading = APSP_READING_INIT;
    apsp_refutation refutation = APSP_REFUTATION_INIT;
    apsp_error error;
    apsp_graph *graph;
    apsp_result *result;
    options.engine = "cpu";
    options.variant = "blocked";
    sink.take = take;
    sink.self = &count;
    request.block = 3;
    if (apsp_graph_read(&graph, "graphFile.txt", &reading, &error) != APSP_OK ||
        apsp_solve(graph, &options, &result, &error) != APSP_OK ||
        apsp_solve_rows(graph, &request, NULL, sinks, 1, &error) != APSP_OK ||
        apsp_verify(graph, result, NULL, &refutation, &error) != APSP_OK || measures.pairs != 0)
        return 1;
    std::printf("%s %d %d\\n", apsp_result_engine(result),
                int(apsp_result_distance(result, 0, 3)), count);
    apsp_result_free(result);
    apsp_graph_free(graph);
}
"""


def installed_name(program):
    return "apsp" if program == "apsp" else "apsp-" + program.replace("_", "-")


def public_functions():
    """Returns the names of the functions that apsp.h declares, without those that are to come."""
    with open(os.path.join(REPOSITORY, "libapsp", "apsp.h"), encoding="utf-8") as file:
        there, _, _ = file.read().partition("#ifdef APSP_TO_COME")
    return set(re.findall(r"^APSP_API [^;(]*?\b(apsp_\w+)\(", there, re.MULTILINE))


@unittest.skipIf(SANITIZED, "what links a sanitized library needs the sanitizers too")
class Install(ProgramTest):

    def make(self, target, **variables):
        """Runs make with the variables of the make that runs the tests."""
        done = subprocess.run([MAKE, "--no-print-directory", "-C", REPOSITORY, target]
                              + ["%s=%s" % item for item in variables.items()],
                              env=environment(), check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=BUILD_TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def setUp(self):
        super().setUp()
        self.prefix = self.path("usr")
        self.write("graphFile.txt", "4 5\n0 1 5\n0 2 9\n1 2 1\n2 3 2\n3 1 3\n")

    def install(self):
        self.make("install", PREFIX=self.prefix)

    def run_command(self, *command, status=OK, **env):
        done = subprocess.run([str(word) for word in command], cwd=self.directory, check=False,
                              env=environment(**env), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, status, (command, done.stdout, done.stderr))
        return done.stdout.decode()

    def pkg_config(self, *options):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        path = os.path.join(self.prefix, "lib", "pkgconfig")
        return shlex.split(self.run_command("pkg-config", *options, "apsp", PKG_CONFIG_PATH=path))

    def files_below(self, folder):
        return sorted(os.path.relpath(os.path.join(parent, name), folder)
                      for parent, folders, names in os.walk(folder)
                      for name in names + [f for f in folders
                                           if os.path.islink(os.path.join(parent, f))])

    def compile(self, compiler, source, output, *flags):
        self.run_command(*compiler, *STRICT, source, *flags, "-o", output)

    def test_staged(self):
        """DESTDIR is where files go and nothing that they know of."""
        stage = self.path("stage")
        self.make("install", DESTDIR=stage, PREFIX="/opt/x", libdir="/opt/x/lib64")
        files = self.files_below(stage)
        self.assertTrue(all(name.startswith("opt/x/") for name in files), files)
        expected = ["bin/" + installed_name(program) for program in PROGRAMS]
        expected += ["include/apsp.h", "lib64/libapsp.a", "lib64/libapsp.so", "lib64/libapsp.so.0.2",
                     "lib64/pkgconfig/apsp.pc", "share/apsp/python/apsp/__init__.py",
                     "share/doc/apsp/LICENSE", "share/doc/apsp/README.md",
                     "share/doc/apsp/docs/examples/path.c"]
        for name in expected:
            self.assertIn("opt/x/" + name, files)
        self.assertEqual([f for f in files if f.startswith("opt/x/bin/")],
                         sorted("opt/x/bin/" + installed_name(program) for program in PROGRAMS))
        for name, knows in (("lib64/pkgconfig/apsp.pc", "libdir=${prefix}/lib64"),
                            ("lib64/cmake/apsp/apspConfig.cmake", "/../../.."),
                            ("lib64/cmake/apsp/apspConfigVersion.cmake", "0.2.0"),
                            ("share/apsp/python/apsp/_installed.py", "/opt/x/lib64")):
            with open(os.path.join(stage, "opt/x", name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn(knows, text)
            self.assertNotIn(self.directory, text)
            self.assertNotIn("@", text)
        for name in ("libapsp.so", "libapsp.so.0.2"):
            link = os.path.join(stage, "opt/x/lib64", name)
            self.assertFalse(os.path.isabs(os.readlink(link)))
            self.assertTrue(os.path.exists(link))
        self.make("uninstall", DESTDIR=stage, PREFIX="/opt/x", libdir="/opt/x/lib64")
        self.assertEqual(self.files_below(stage), [])

    def test_uninstall_leaves_what_others_have(self):
        self.install()
        others = ["bin/apsp-other", "share/doc/apsp/mine", "lib/libother.so"]
        for name in others:
            with open(os.path.join(self.prefix, name), "w", encoding="utf-8"):
                pass
        self.make("uninstall", PREFIX=self.prefix)
        self.assertEqual(self.files_below(self.prefix), sorted(others))
        self.assertFalse(os.path.exists(os.path.join(self.prefix, "share", "apsp")))

    def test_programs(self):
        self.install()
        name = {p: os.path.join(self.prefix, "bin", installed_name(p)) for p in PROGRAMS}
        for program, path in name.items():
            self.assertIn("--help", self.run_command(path, "--help"))
        self.run_command(name["graphgen"], "--v", 40, "--density", "10%", "-o", "g.txt")
        self.run_command(name["cpu"], "g.txt", "--variant", "auto", "-o", "r.txt")
        self.assertIn("is proved for", self.run_command(name["verify"], "r.txt", "-g", "g.txt"))

    def test_manual_pages_and_completion(self):
        """All manual pages and completions of the tree are installed. Pages have the installed
        programs' names, completions are found by them."""
        self.install()

        def listed(*folders):
            folder = os.path.join(*folders)
            return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

        pages = [name for name in listed(REPOSITORY, "docs", "man") if name.endswith(".1")]
        self.assertEqual(listed(self.prefix, "share", "man", "man1"), pages)
        completions = os.path.join(self.prefix, "share", "bash-completion", "completions")
        if pages:
            for program in PROGRAMS:
                self.assertIn(installed_name(program) + ".1", pages)
        if listed(REPOSITORY, "docs", "completion"):
            for program in PROGRAMS:
                file = os.path.join(completions, installed_name(program))
                self.assertEqual(os.path.realpath(file), os.path.join(completions, "apsp"))

    def test_what_the_libraries_show(self):
        self.install()
        functions = public_functions()
        self.assertGreaterEqual(len(functions), 25)
        lib = os.path.join(self.prefix, "lib")
        for what in (["-D", os.path.join(lib, "libapsp.so")], [os.path.join(lib, "libapsp.a")]):
            shown = self.run_command("nm", "--defined-only", "--extern-only", *what)
            names = {line.split()[2] for line in shown.splitlines() if len(line.split()) == 3}
            self.assertEqual(names, functions, what)
        dynamic = self.run_command("readelf", "-d", os.path.join(lib, "libapsp.so"))
        self.assertIn("[libapsp.so.0.2]", dynamic)
        self.assertNotRegex(dynamic, "R(UN)?PATH|TEXTREL")

    def check_example(self, program, **env):
        self.assertEqual(self.run_command(program, "graphFile.txt", 0, 3, **env),
                         "0\tat distance 0\n1\tat distance 5\n2\tat distance 6\n"
                         "3\tat distance 8\n")
        self.assertEqual(self.run_command(program, "graphFile.txt", 3, 0, **env),
                         "no path from 3 to 0\n")
        self.run_command(program, "graphFile.txt", 0, 4, status=BAD_INPUT, **env)
        self.run_command(program, "none.txt", 0, 1, status=BAD_INPUT, **env)
        self.write("cycle.txt", "2 2\n0 1 1\n1 0 -2\n")
        self.run_command(program, "cycle.txt", 0, 1, status=NEGATIVE_CYCLE, **env)

    def test_example(self):
        """Against the installed copy, shared and static, as C99."""
        self.install()
        source = os.path.join(self.prefix, "share", "doc", "apsp", EXAMPLE)
        flags = self.pkg_config("--cflags", "--libs")
        self.assertIn(os.path.realpath(self.prefix + "/include"),
                      [os.path.realpath(flag[2:]) for flag in flags if flag.startswith("-I")])
        self.compile(CC, source, "shared", "-std=c99", *flags)
        self.check_example("./shared", LD_LIBRARY_PATH=os.path.join(self.prefix, "lib"))

        archive = os.path.join(self.prefix, "lib", "libapsp.a")
        rest = [flag for flag in self.pkg_config("--static", "--libs") if flag != "-lapsp"]
        self.compile(CC, source, "archive", "-std=c99", *self.pkg_config("--cflags"), archive,
                     *rest)
        self.check_example("./archive")

        self.compile(CC, source, "static", "-std=c99", "-static",
                     *self.pkg_config("--cflags", "--libs", "--static"))
        self.check_example("./static")

    def test_examples_of_rows(self):
        self.install()
        flags = self.pkg_config("--cflags", "--libs")
        env = {"LD_LIBRARY_PATH": os.path.join(self.prefix, "lib")}
        for name in ("rows", "measures"):
            source = os.path.join(self.prefix, "share", "doc", "apsp", EXAMPLES, name + ".c")
            self.compile(CC, source, name, "-std=c99", *flags)
        self.assertEqual(self.run_command("./rows", "graphFile.txt", 1, 0, **env),
                         "3\tis farthest from 1: 3\n3\tis farthest from 0: 8\n")
        everywhere = self.run_command("./rows", "graphFile.txt", **env).splitlines()
        self.assertEqual([line.split()[4] for line in everywhere], ["0:", "1:", "2:", "3:"])
        self.run_command("./rows", "graphFile.txt", 4, status=BAD_INPUT, **env)
        self.assertEqual(self.run_command("./measures", "graphFile.txt", **env),
                         "diameter inf, components 2\nlargest closeness 0.272727, of vertex 2\n")

    def test_no_names_clash(self):
        self.install()
        self.write("clashing.c", CLASHING)
        archive = os.path.join(self.prefix, "lib", "libapsp.a")
        rest = [flag for flag in self.pkg_config("--static", "--libs") if flag != "-lapsp"]
        self.compile(CC, "clashing.c", "archive", *self.pkg_config("--cflags"), archive, *rest)
        self.assertEqual(self.run_command("./archive"), "2 511\n")
        self.compile(CC, "clashing.c", "shared", "-rdynamic", *self.pkg_config("--cflags", "--libs"))
        self.assertEqual(self.run_command("./shared", LD_LIBRARY_PATH=self.prefix + "/lib"),
                         "2 511\n")

    def test_cplusplus(self):
        self.install()
        self.write("main.cpp", CPLUSPLUS)
        self.compile(CXX, "main.cpp", "main", "-std=c++98",
                     *self.pkg_config("--cflags", "--libs"))
        self.assertEqual(self.run_command("./main", LD_LIBRARY_PATH=self.prefix + "/lib"),
                         "cpu:blocked 8 4\n")

    def test_python_package(self):
        """It finds the library that it was installed with, without being told."""
        try:
            import numpy  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            self.skipTest("NumPy is not installed")
        self.install()
        program = ("import apsp, apsp._library\n"
                   "print(apsp.floyd_warshall([[0, 3], [0, 0]])[0, 1], apsp._lib._name)")
        out = self.run_command(sys.executable, "-c", program, APSP_LIBRARY="",
                               PYTHONDONTWRITEBYTECODE="1",
                               PYTHONPATH=self.prefix + "/share/apsp/python")
        self.assertEqual(out, "3.0 %s/lib/libapsp.so.0.2\n" % self.prefix)


if __name__ == "__main__":
    unittest.main()
