# SPDX-License-Identifier: MIT
"""The documentation: links lead somewhere, commands run and print what is said, files, options,
make targets, tests and variants exist, the guide to a new variant can be followed, and pictures are those
of the script that draws them. markdown.py says how pages mark what is run."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache

import markdown
from support import (BIN, BUILD_TIMEOUT_S, CONTEST_PROGRAMS, LIBRARY, PACKAGE, PROGRAMS, REPOSITORY, SANITIZED,
                     SOLVERS, TIMEOUT_S, ProgramTest, environment, gpu_missing, program_path)

PAGES = {path: markdown.read(os.path.join(REPOSITORY, path))
         for path in markdown.pages(REPOSITORY)}
GUIDES = ("docs/add-a-variant.md", "docs/add-a-format.md", "docs/add-a-measure.md", "docs/add-an-option.md")
PICTURES = "docs/pictures"

# Made by running something; pages may name them all the same.
GENERATED = ("build/", "bin/", "lib/", "experiments/out")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def in_pages(method):
    """Runs a test method for every page, as a subtest; the method yields what is wrong."""
    def test(self):
        for path, page in PAGES.items():
            with self.subTest(path):
                self.assertEqual(list(method(self, path, page)), [])
    test.__doc__ = method.__doc__
    return test


class Links(unittest.TestCase):
    @in_pages
    def test_links(self, path, page):
        """Relative links name files or folders, and headings in them."""
        for link in page.links():
            if re.match(r"[a-z]+:", link.target):
                continue
            target, _, anchor = link.target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if to.startswith("..") or not os.path.exists(os.path.join(REPOSITORY, to)):
                yield "%s:%d: nothing is at %s" % (path, link.line, link.target)
            elif anchor and (to not in PAGES or anchor not in PAGES[to].anchors()):
                yield "%s:%d: no heading for %s" % (path, link.line, link.target)

    @in_pages
    def test_paths(self, path, page):
        """Paths in code, as in `common/graph/graph.h`, exist, or the page says how to make them."""
        first = set(os.listdir(REPOSITORY))
        made = {word.partition("=")[2] for block in page.blocks for word in block.words
                if word.startswith("file=")}
        for span in page.spans():
            name = span.text.rstrip("/")
            if ("/" not in name or not re.fullmatch(r"[\w./-]+", name)
                    or name.split("/")[0] not in first or name.startswith(GENERATED)
                    or name in made):
                continue
            if not os.path.exists(os.path.join(REPOSITORY, name)):
                yield "%s:%d: there is no %s" % (path, span.line, name)


class Promises(unittest.TestCase):
    def test_tests_exist(self):
        """Tests and classes of tests that TESTING.md names are in some source of the tests."""
        sources = []
        for folder, _, names in os.walk(os.path.join(REPOSITORY, "tests")):
            for name in names:
                if name.endswith((".c", ".cu", ".py")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        sources.append(file.read())
        words = frozenset(re.findall(r"\w+", " ".join(sources)))
        named = [span for span in PAGES["TESTING.md"].spans()
                 if re.fullmatch(r"(?:[A-Z][a-z]\w*\.)?test_\w+|[A-Z][a-z]\w*", span.text)]
        self.assertTrue(named)
        for span in named:
            self.assertLessEqual(set(span.text.split(".")), words, "line %d" % span.line)


class Tables(unittest.TestCase):
    @in_pages
    def test_shown_as_tables(self, path, page):
        for line, why in page.raw_tables():
            yield "%s:%d: %s" % (path, line, why)


# Commands --------------------------------------------------------------------

@lru_cache(maxsize=None)
def options_of(command):
    """The long options of a program or, given its path, of a Python script."""
    if command in PROGRAMS + CONTEST_PROGRAMS:
        argv = [program_path(command), "--help"]
    else:
        argv = [sys.executable, os.path.join(REPOSITORY, command), "--help"]
    shown = subprocess.run(argv, stdout=subprocess.PIPE, env=environment(), cwd=REPOSITORY,
                           check=True, timeout=TIMEOUT_S).stdout.decode("utf-8")
    return frozenset(OPTION.findall(shown))


@lru_cache(maxsize=None)
def scripts():
    """Python scripts that have options."""
    found = []
    for folder in ("experiments/campaign", "experiments/suites", "thesis_tables", PICTURES):
        for name in sorted(os.listdir(os.path.join(REPOSITORY, folder))):
            path = os.path.join(folder, name)
            if name.endswith(".py"):
                with open(os.path.join(REPOSITORY, path), encoding="utf-8") as file:
                    text = file.read()
                if "__main__" in text and "ArgumentParser" in text:
                    found.append(path)
    return found


@lru_cache(maxsize=None)
def all_options():
    return frozenset().union(*map(options_of, [*PROGRAMS, *CONTEST_PROGRAMS, *scripts()]))


def command_lines(page):
    """(line, command) for everything on a page that is, or may be, a command."""
    for block in page.blocks:
        if block.words[:1] == ["sh"]:
            for number, line in enumerate(block.text.split("\n"), start=block.line + 1):
                yield number, line
    for number, line in page.lines:
        if line.startswith("    "):  # also lists, where it does no harm
            yield number, line.strip()
    yield from page.spans()


def words_of(command):
    try:
        return shlex.split(command, comments=True)
    except ValueError:
        return command.split()


class Commands(ProgramTest):
    @in_pages
    def test_options(self, path, page):
        """Options that pages name, and do not add, are in --help: of the program, if one is named, too."""
        added = {"--" + name for block in page.blocks
                 for name in re.findall(r'^\+.*\.name = "([\w-]+)"', block.text, re.MULTILINE)}
        for line, command in command_lines(page):
            for part in re.split(r"\|\|?|&&|;", command):
                found = OPTION.findall(part.replace("EXPERIMENTS_FLAGS=", " "))
                words = words_of(part)
                while words and "=" in words[0] and not words[0].startswith("-"):
                    words.pop(0)  # a variable for the command
                if not found or not words:
                    continue
                first = words[0]
                if os.path.basename(first) in PROGRAMS + CONTEST_PROGRAMS:
                    known = options_of(os.path.basename(first))
                elif first == "python3" and len(words) > 1 and words[1] in scripts():
                    known = options_of(words[1])
                elif first.startswith("--") or first == "make" or first in scripts():
                    known = all_options()
                else:
                    continue  # someone else's program
                for option in found:
                    if option not in known and option not in added:
                        yield "%s:%d: %s has no %s" % (path, line, first, option)

    @in_pages
    def test_make_targets(self, path, page):
        """Targets that pages name are those of the Makefile and what it includes."""
        makefiles = ("Makefile", "tests/tests.mk", "tests/fuzz/fuzz.mk",
                     "experiments/experiments.mk", "libapsp/libapsp.mk")
        targets = set()
        for makefile in makefiles:
            with open(os.path.join(REPOSITORY, makefile), encoding="utf-8") as file:
                targets.update(re.findall(r"^([a-z][a-z-]*):", file.read(), re.MULTILINE))
        for line, command in command_lines(page):
            words = words_of(re.split(r" {2,}", command)[0])  # what it does may stand beside it
            if words[:1] != ["make"]:
                continue
            for word in words[1:]:
                if word in ("#", "&&", "|"):
                    break
                if re.fullmatch(r"[a-z][a-z-]*", word) and word not in targets:
                    yield "%s:%d: make has no target %s" % (path, line, word)

    def test_variants(self):
        """Tables whose first column is headed `variant of `PROGRAM`` have a row for each variant
        of the program, wherever they are, and for nothing else."""
        # apsp's variants are those of the others.
        described = {program: set() for program in (*SOLVERS, *CONTEST_PROGRAMS)
                     if program != "apsp"}
        for page in PAGES.values():
            for program, variant in page.described_variants():
                described[program].add(variant)
        for program, variants in described.items():
            with self.subTest(program):
                listed = self.succeeds(program, "--list-variants").out.decode("utf-8")
                self.assertEqual(sorted(variants),
                                 sorted(line.split()[0] for line in listed.splitlines()))

    def test_runnable_blocks(self):
        """They end with status 0 and print what stands after them."""
        for path, page in PAGES.items():
            if any(block.words[1:2] == ["run"] for block in page.blocks):
                with self.subTest(path):
                    self.run_page(path, page)

    def run_page(self, path, page):
        with tempfile.TemporaryDirectory(prefix="apsp-docs-") as folder:
            printed = None
            for block in page.blocks:
                where = "%s:%d" % (path, block.line)
                words = block.words[1:]
                if words[:1] == ["run"]:
                    modules = set(words) - {"run", "gpu", "root"}
                    if block.words[0] == "python" or modules:
                        modules.add("numpy")  # without which there is no apsp to import
                    if ("gpu" in words and gpu_missing()) or (modules and SANITIZED) or not all(
                            importlib.util.find_spec(module) for module in modules):
                        printed = None
                        continue
                    shell = ["bash", "-euo", "pipefail", "-c", "%s%s" % (
                        "python3() { %s \"$@\"; }\n" % shlex.quote(sys.executable) if modules else "",
                        block.text)]
                    done = subprocess.run(
                        shell if block.words[0] == "sh" else [sys.executable, "-c", block.text],
                        cwd=REPOSITORY if "root" in words else folder,
                        env=environment(PYTHONPATH=PACKAGE, APSP_LIBRARY=LIBRARY,
                                        PYTHONDONTWRITEBYTECODE="1", MPLCONFIGDIR=folder) if modules
                        else environment(),
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, check=False, timeout=TIMEOUT_S)
                    printed = done.stdout.decode("utf-8", "replace")
                    self.assertEqual(done.returncode, 0, "%s: %s" % (where, printed))
                elif words == ["output"]:
                    if printed is not None and not markdown.matches(block.text, printed):
                        self.assertEqual(block.text, printed, where)
                elif words[:1] and words[0].startswith("file=") and block.words[0] == "text":
                    name = words[0].partition("=")[2]
                    self.assertNotIn("/", name, where)
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(block.text)


# The guides to a new variant, a new format and a new measure -------------------

class Guides(ProgramTest):
    @unittest.skipIf(SANITIZED, "builds a copy of its own")
    @unittest.skipUnless(shutil.which("git"), "git applies its changes")
    def test_following_them(self):
        """In a copy of the sources their files and changes build, variants are listed, described,
        predicted, compile for the host and solve, the format is described and read, the measure is in
        files, is proved, and is in C and Python, and the option is described, tested and refused."""
        blocks = [(guide, block) for guide in GUIDES for block in PAGES[guide].blocks]
        if any(os.path.exists(os.path.join(REPOSITORY, block.words[1].partition("=")[2]))
               for _, block in blocks if block.words[1:2] and block.words[1].startswith("file=")):
            self.skipTest("a guide has been followed in this tree already")
        copy = self.path("copy")
        shutil.copytree(REPOSITORY, copy, symlinks=True, ignore=shutil.ignore_patterns(
            *markdown.LEFT_OUT, "corpus", "results"))
        # Objects of sources that the guides do not touch are taken as they were built.
        built = os.path.dirname(os.environ.get("APSP_SMALL_BIN", ""))
        known = []
        if os.path.basename(built) == "release-nocuda":
            out = os.path.join("build", "release-nocuda")
            shutil.copytree(built, os.path.join(copy, out), ignore=shutil.ignore_patterns(
                "tests", "shim", "small", "device", "install"))
            known = ["--old-file=" + os.path.join(out, "configuration")]
        programs, objects = set(), []
        for guide, block in blocks:
            words = block.words[1:]
            if words and words[0].startswith("file="):
                path = words[0].partition("=")[2]
                with open(os.path.join(copy, path), "w", encoding="utf-8") as file:
                    file.write(block.text)
                if path.endswith(".c") and path.split("/")[0] in PROGRAMS:
                    programs.add(path.split("/")[0])
                elif path.endswith(".cu"):
                    objects.append("build/release-nocuda/shim/%s.o" % path)
            elif words == ["patch"]:
                done = subprocess.run(["git", "apply", "-"], cwd=copy, input=block.text.encode(),
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                self.assertEqual(done.returncode, 0, "%s:%d: %s" % (guide, block.line, done.stdout))
        self.assertTrue(programs and objects, "the guide has a variant for the CPU and one for GPUs")
        made = [*PROGRAMS, "prefix_sum", "softmax"]
        targets = ["bin/%s" % program for program in sorted(made)] + ["library"] + objects
        # The make that may run the tests is not to be heard here.
        outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        done = subprocess.run(
            ["make", "-j2", "CUDA=0", "CFLAGS=-O0 -Werror", "CXXFLAGS=-O0 -Werror", *known, *targets],
            cwd=copy, env=outside, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            timeout=BUILD_TIMEOUT_S)
        self.assertEqual(done.returncode, 0, done.stdout.decode("utf-8", "replace"))
        for program in sorted(programs | {"cuda_blocked"}):
            new = self.variants(os.path.join(copy, "bin", program)) - self.variants(
                program_path(program))
            self.assertEqual(len(new), 1, new)
            listed = subprocess.run(
                [os.path.join(copy, "bin", program), "--list-variants", "--json"],
                stdout=subprocess.PIPE, check=True)
            models = {each["name"]: each["distances_per_s"]
                      for each in json.loads(listed.stdout)["variants"]}
            self.assertIsNotNone(models[min(new)])
            if program == "cuda_blocked":  # which solves on GPUs only
                continue
            self.write("graphFile.txt", "3 3\n0 1 5\n1 2 2\n0 2 9\n")
            solved = subprocess.run(
                [os.path.join(copy, "bin", program), "--variant", new.pop(), "--check"],
                cwd=self.directory, env=environment(), stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, check=False, timeout=TIMEOUT_S)
            self.assertEqual(solved.returncode, 0, solved.stdout)
        self.write("g", "arcs 3 3\n1 2 5\n# a comment\n2 3 2\n1 3 9\n")
        read = subprocess.run([os.path.join(copy, "bin", "cpu"), "g", "--check", "-o", "-"],
                              cwd=self.directory, env=environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=TIMEOUT_S)
        self.assertIn(b"\n0\t5\t7\n", read.stdout)
        self.measure(copy)
        subprocess.run([sys.executable, os.path.join(copy, "docs", "man", "pages.py")], check=True)
        described = subprocess.run(
            [sys.executable, "-m", "unittest", "test_docs.Commands.test_variants",
             "test_manual.Pages.test_variants", "test_manual.Pages.test_options",
             "test_formats.Options.test_help", "test_options.Output.test_label",
             "test_options.Informative.test_help_documents_the_options_tested_here", "test_formats.Legal.test_documented",
             "test_measures.AgainstNetworkX.test_random_graphs", "test_measures.Extremes.test_one_vertex"],
            cwd=os.path.join(copy, "tests", "e2e"),
            env={**outside, "APSP_BIN": os.path.join(copy, "bin")}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=TIMEOUT_S)
        self.assertEqual(described.returncode, 0, described.stdout.decode("utf-8", "replace"))

    def measure(self, copy):
        """The measure of the guide: over the distances 5 and 7 from vertex 0."""
        self.write("graphFile.txt", "3 3\n0 1 5\n1 2 2\n0 2 9\n")
        for command in ("cpu", "--measures=m"), ("verify", "m"):
            subprocess.run([os.path.join(copy, "bin", command[0]), *command[1:]], cwd=self.directory, env=environment(),
                           stdout=subprocess.DEVNULL, check=True, timeout=TIMEOUT_S)
        head, row = (line.split(",") for line in self.read("m.csv").decode("ascii").splitlines()[:2])
        self.assertEqual(row[head.index("out_mean_distance")], "6.0")
        self.assertEqual(row[head.index("in_mean_distance")], "0.0")
        if importlib.util.find_spec("numpy"):
            found = subprocess.run(
                [sys.executable, "-c", "import apsp; "
                 "print(apsp.measures([[0, 5, 9], [0, 0, 2], [0, 0, 0]], scale=2).out_mean_distance[0])"],
                env=environment(PYTHONPATH=os.path.join(copy, "python"), PYTHONDONTWRITEBYTECODE="1",
                                APSP_LIBRARY=os.path.join(copy, "lib", "libapsp.so")),
                stdout=subprocess.PIPE, check=True, timeout=TIMEOUT_S)
            self.assertEqual(found.stdout, b"6.0\n")

    @staticmethod
    def variants(program):
        done = subprocess.run([program, "--list-variants"], stdout=subprocess.PIPE,
                              env=environment(), check=True, timeout=TIMEOUT_S)
        return {line.split()[0] for line in done.stdout.decode("utf-8").splitlines()}


class Pictures(unittest.TestCase):
    def test_drawn_by_the_scripts(self):
        folder = os.path.join(REPOSITORY, PICTURES)
        with tempfile.TemporaryDirectory(prefix="apsp-docs-") as drawn:
            committed = {name for name in os.listdir(folder) if name.endswith(".svg")}
            committed.remove("rooms.svg")  # tests/rooms.py compares it
            scripts = ["draw.py", "closeness.py", "betweenness.py"]
            if SANITIZED or importlib.util.find_spec("numpy") is None:  # there is no apsp to import
                committed.remove(scripts.pop().replace(".py", ".svg"))
            for script in scripts:
                subprocess.run([sys.executable, os.path.join(folder, script), "--out", drawn],
                               env=environment(APSP_BIN=BIN, PYTHONPATH=PACKAGE, APSP_LIBRARY=LIBRARY,
                                               PYTHONDONTWRITEBYTECODE="1"),
                               check=True, timeout=TIMEOUT_S)
            self.assertEqual(set(os.listdir(drawn)), committed)
            for name in committed:
                with open(os.path.join(drawn, name), encoding="utf-8") as new, \
                        open(os.path.join(folder, name), encoding="utf-8") as old:
                    self.assertEqual(new.read(), old.read(), name)

    def test_shown(self):
        """Every picture is on some page."""
        shown = {os.path.normpath(os.path.join(os.path.dirname(path), link.target))
                 for path, page in PAGES.items() for link in page.links()}
        for name in os.listdir(os.path.join(REPOSITORY, PICTURES)):
            if name.endswith(".svg"):
                self.assertIn(os.path.join(PICTURES, name), shown)


if __name__ == "__main__":
    unittest.main()
