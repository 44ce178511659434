# SPDX-License-Identifier: MIT
"""The manual pages: they say what --help says, and are set without a warning."""

import glob
import os
import re
import runpy
import shutil
import subprocess
import unittest

import test_reports
from support import FAMILIES, PROGRAMS, REPOSITORY, SOLVERS, TIMEOUT_S, ProgramTest

MANUAL = os.path.join(REPOSITORY, "docs", "man")


def installed(program):
    """The name of a program where others have programs too, and of its page."""
    return program if program == "apsp" else "apsp-" + program.replace("_", "-")


def page_lines(program):
    with open(os.path.join(MANUAL, installed(program) + ".1"), encoding="utf-8") as file:
        return file.read().splitlines()


def section(program, title):
    """The lines of one section."""
    lines = page_lines(program)
    start = lines.index(".Sh " + title) + 1
    length = next((k for k, line in enumerate(lines[start:]) if line.startswith(".Sh ")),
                  len(lines) - start)
    return lines[start:start + length]


def options_of_help(text):
    """{every spelling of an option: its argument, or ""} of what --help prints."""
    options = {}
    for line in text.splitlines():
        if not re.match(r" +-", line):
            continue
        spellings = re.split(r"\s{2,}", line.strip())[0].split(", ")
        argument = next((word.partition("=")[2] for word in reversed(spellings) if "=" in word), "")
        for word in spellings:
            options[word.partition("=")[0].replace("[", "")] = argument.replace("]", "")
    return options


def options_of_page(program):
    """The same of the items in a page's section OPTIONS."""
    options = {}
    for line in section(program, "OPTIONS"):
        if not line.startswith(".It "):
            continue
        for spelling in line[len(".It "):].split(" , "):
            found = re.match(r"Fl (Fl )?(\S+)(?:(?: Ns Op| Ns)? = Ns)? ?(?:Ar (.*))?$", spelling)
            assert found, "%s: not an option: %s" % (program, spelling)
            dashes = "--" if found.group(1) else "-"
            options[dashes + found.group(2).replace("\\&", "")] = found.group(3) or ""
    return options


class Pages(ProgramTest):

    def test_one_for_each_program(self):
        pages = {os.path.basename(path)[:-2] for path in glob.glob(os.path.join(MANUAL, "*.1"))}
        self.assertLessEqual({installed(program) for program in PROGRAMS}, pages)
        for program in PROGRAMS:
            text = "\n".join(page_lines(program))
            referred = set(re.findall(r"^\.Xr (apsp\S*) 1", text, re.MULTILINE))
            self.assertLessEqual(referred, pages, program)
            self.assertNotIn(installed(program), referred - {"apsp"})

    def test_names(self):
        """Under both names: the page is found by the one and says the other."""
        for program in PROGRAMS:
            lines = page_lines(program)
            self.assertIn(".Nm " + installed(program), lines)
            self.assertIn(".Dt %s 1" % installed(program).upper(), lines)
            if program != installed(program):
                self.assertIn(".Nm %s ;" % program, section(program, "DESCRIPTION"))

    def test_options(self):
        for program in PROGRAMS:
            with self.subTest(program):
                text = self.succeeds(program, "--help").out.decode()
                in_help = options_of_help(text)
                self.assertGreater(len(in_help), 10)
                self.assertEqual(options_of_page(program), in_help)

    def test_variants(self):
        for program in set(SOLVERS) - {"apsp"}:  # whose variants are those of the others
            with self.subTest(program):
                listed = self.succeeds(program, "--list-variants").out.decode().splitlines()
                names = [line.split()[0] + (" Pq default" if line.endswith("[default]") else "")
                         for line in listed]
                items = [line[len(".It Cm "):] for line in section(program, "VARIANTS")
                         if line.startswith(".It")]
                self.assertEqual(items, names)

    def test_families(self):
        """Names and summaries of graphgen's families are those of its help."""
        text = self.succeeds("graphgen", "--help").out.decode()
        items = [line[len(".It Cm "):] for line in section("graphgen", "FAMILIES")
                 if line.startswith(".It")]
        self.assertEqual(items, list(FAMILIES))
        words = " ".join(section("graphgen", "FAMILIES")).lower().replace(".ar ", "")
        for name in FAMILIES:
            paragraph = re.search(r"^%s: ((?:.+\n)+)" % name, text, re.MULTILINE).group(1)
            summary = re.match(r"[^;([]*\w", " ".join(paragraph.split())).group()
            self.assertIn(summary.lower(), words)

    def test_members_of_answers(self):
        """Every member that a test of the answers expects is mentioned."""
        refutation = test_reports.REFUTATION + ["vertex", "predecessor", "path", "from", "to"]
        for program in PROGRAMS:
            members = {"graphgen": test_reports.GENERATED + test_reports.OF_FAMILY,
                       "query": ["from", "to", "distance", "path"],
                       "verify": test_reports.PROVED + refutation}.get(
                           program, test_reports.SOLVED + test_reports.VARIANTS
                           + test_reports.VARIANT)
            text = " ".join(line for line in section(program, "JSON") if line.startswith("."))
            words = set(re.split(r"[\s,.]+", text))
            self.assertEqual(set(members) | {"error"}, (set(members) | {"error"}) & words, program)

    def test_exit_statuses(self):
        for program in PROGRAMS:
            statuses = [line for line in section(program, "EXIT STATUS") if line.startswith(".It")]
            expected = {"graphgen": "024", "query": "024", "verify": "0124"}.get(program, "01234")
            self.assertEqual(statuses, [".It " + status for status in expected])

    def test_made_of_one_text(self):
        """The committed pages are what `make manual` writes."""
        made = runpy.run_path(os.path.join(MANUAL, "pages.py"))["pages"]()
        self.assertEqual({os.path.basename(path) for path in made},
                         {installed(program) + ".1" for program in (*SOLVERS, "verify")})
        for path, contents in made.items():
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), contents, "`make manual` writes this page: " + path)

    def check_quiet(self, command, program, allowed=r"(?!)"):
        """A formatter that must have nothing to say but lines that are allowed."""
        env = dict(os.environ, LC_ALL="C.UTF-8", MANROFFSEQ="", MANWIDTH="80")
        path = os.path.join(MANUAL, installed(program) + ".1")
        done = subprocess.run(command + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=env, check=False, timeout=TIMEOUT_S)
        said = [line for line in done.stdout.decode("utf-8", "replace").splitlines()
                if not re.search(allowed, line)]
        self.assertEqual(said, [], command)

    def test_mandoc(self):
        if shutil.which("mandoc") is None:
            self.skipTest("no mandoc")
        for program in PROGRAMS:
            # It is not this page's fault if other pages are not installed.
            self.check_quiet(["mandoc", "-Tlint"], program,
                             r"referenced manual not found|mandoc\.db|operating system")

    def test_man(self):
        if shutil.which("man") is None or shutil.which("groff") is None:
            self.skipTest("no man with groff")
        for program in PROGRAMS:
            self.check_quiet(["sh", "-c", 'man --warnings -E UTF-8 -l -Tutf8 -Z "$0" 2>&1 >/dev/null'],
                             program)

    def test_rendered(self):
        """The rendered page has the options as one types them."""
        if shutil.which("mandoc") is None:
            self.skipTest("no mandoc")
        path = os.path.join(MANUAL, installed("verify") + ".1")
        text = subprocess.run(["mandoc", "-Tascii", path], stdout=subprocess.PIPE, check=True,
                              timeout=TIMEOUT_S).stdout.decode()
        text = " ".join(re.sub(".\b", "", text).split())
        for words in ("--path=I J", "-q, --quiet", "--dot Print", "apsp-verify -q output.txt --from 0",
                      "called verify; installed, it is apsp-verify."):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
