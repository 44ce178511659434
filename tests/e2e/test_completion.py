# SPDX-License-Identifier: MIT
"""Completion for bash (docs/completion), run in bash."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from support import FAMILIES, PROGRAMS, REPOSITORY, SOLVERS, TIMEOUT_S, ProgramTest, environment
from test_manual import installed, options_of_help

SCRIPT = os.path.join(REPOSITORY, "docs", "completion", "apsp")

# This script does what bash does when somebody presses the tab key behind $line: it splits the line
# into words, calls the function that `complete` names, and reads COMPREPLY. compopt works in
# earnest only.
PRESS_TAB = r"""
source "$script"
compopt() { [[ $* == "-o default" ]] && echo FILES; }
read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$line")"
[[ $line == *[[:space:]=:] ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
[[ $(complete -p "$command") =~ -F\ ([^ ]+) ]] || exit 1
"${BASH_REMATCH[1]}" "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


@unittest.skipIf(shutil.which("bash") is None, "no bash")
class Completion(ProgramTest):

    def tab(self, line, program=None, script=SCRIPT):
        """The completions of a line; ["FILES"] where bash is to complete names of files."""
        command = line.split()[0]
        env = environment(script=script, line=line, command=command, program=program or command)
        done = subprocess.run(["bash", "--norc", "-c", PRESS_TAB], cwd=self.directory, env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return done.stdout.split()

    def test_options(self):
        for program in PROGRAMS:
            with self.subTest(program):
                listed = options_of_help(self.succeeds(program, "--help").out.decode())
                long_ones = sorted(word for word in listed if word.startswith("--"))
                self.assertEqual(sorted(self.tab(program + " -")), long_ones)
                self.assertEqual(sorted(self.tab(program + " --")), long_ones)
                self.assertEqual(self.tab(program + " --versi"), ["--version"])
        self.assertEqual(self.tab("cpu g.txt --di"), ["--distances-only"])
        self.assertEqual(self.tab("cpu --nothing-like-it"), [])

    def test_variants(self):
        for program in SOLVERS:
            lines = self.succeeds(program, "--list-variants").out.decode().splitlines()
            names = [line.split()[0] for line in lines]
            for option in ("--variant ", "--variant=", "-v "):
                with self.subTest(program=program, option=option):
                    self.assertEqual(self.tab("%s g.txt %s" % (program, option)), names)
        self.assertEqual(self.tab("cpu --variant bl"), ["blocked", "blocked16", "blocked32"])
        self.assertEqual(self.tab("cpu -q --variant=jo"), ["johnson"])
        self.assertEqual(self.tab("cpu --variant nope"), [])

    def test_names_with_colons(self):
        """Bash replaces what stands behind the colon only."""
        program = self.path("fake")
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\ncase $1 in\n--help) echo 'Usage: fake [GRAPH]'; "
                       "echo '  -v, --variant=NAME         It';;\n"
                       "--list-variants) echo 'auto it'; echo 'cpu:auto x'; echo 'cpu:blocked y';;\n"
                       "esac\n")
        os.chmod(program, 0o755)
        for line, replies in (("apsp --variant cpu:", ["auto", "blocked"]),
                              ("apsp --variant=cpu:b", ["blocked"]),
                              ("apsp --variant ", ["auto", "cpu:auto", "cpu:blocked"]),
                              ("apsp --variant c", ["cpu:auto", "cpu:blocked"])):
            self.assertEqual(self.tab(line, program=program), replies)

    def test_values(self):
        for line, replies in (
                ("cpu --format=t", ["text"]), ("cpu --format npy:u", ["uint8", "uint16"]),
                ("graphgen --format ", ["text", "gr", "mtx", "wel", "snap", "csv", "tntp"]),
                ("graphgen --format=m", ["mtx"]),
                ("cpu --input-format t", ["text", "tntp"]), ("verify --input-format=me", ["metis"]),
                ("cpu --weight-column ", []), ("cpu --weight-transform ", ["inverse"]),
                ("graphgen --density ", ["dense", "medium", "sparse"]),
                ("graphgen --family ", list(FAMILIES)), ("graphgen --family=g", ["grid", "geometric"]),
                ("graphgen --dimensions ", ["2", "3"]),
                ("graphgen -d s", ["sparse"]), ("graphgen --v ", []), ("graphgen -v ", []),
                ("cpu --threads ", []), ("cpu --threads=", []), ("verify r --from ", [])):
            with self.subTest(line):
                self.assertEqual(self.tab(line), replies)

    def test_files(self):
        for line in ("cpu ", "cpu g", "cpu -o ", "cpu --output ", "cpu --output=a", "cpu --csv ",
                     "cpu -q g", "verify ", "verify --graph ", "verify -g x", "verify -- -",
                     "cpu -", "graphgen -o "):
            with self.subTest(line):
                replies = self.tab(line)
                if line == "cpu -":
                    self.assertNotIn("FILES", replies)
                else:
                    self.assertEqual(replies, ["FILES"])
        self.assertEqual(self.tab("graphgen "), [])

    def test_installed(self):
        """By any of its installed names, it serves the installed programs and none that somebody
        else may have."""
        os.mkdir(self.path("completions"))
        copy = self.path("completions", "apsp-verify")
        shutil.copy(SCRIPT, copy)
        for program in PROGRAMS:
            os.symlink(shutil.which(program, path=environment()["PATH"]),
                       self.path(installed(program)))
            self.assertIn("--json", self.tab(installed(program) + " --",
                                             program=self.path(installed(program)), script=copy))
        served = subprocess.run(["bash", "--norc", "-c", 'source "$0"; complete -p', copy],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
        names = [line.split()[-1] for line in served.splitlines()]
        self.assertLessEqual({installed(program) for program in PROGRAMS}, set(names))
        self.assertEqual([name for name in names if not re.match("apsp(-|$)", name)], [])

    def test_in_an_interactive_shell(self):
        """The tab key itself: of an option, a variant and a file."""
        self.write("my_graph.txt", "2 1\n0 1 5\n")
        try:
            leader, follower = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal here: %s" % error)
        self.addCleanup(os.close, leader)
        env = environment(TERM="dumb", PS1="$ ", INPUTRC="/dev/null", HISTFILE="/dev/null")
        shell = subprocess.Popen(["bash", "--norc", "--noprofile", "-i"], cwd=self.directory,
                                 env=env, stdin=follower, stdout=follower, stderr=follower,
                                 start_new_session=True)
        self.addCleanup(self.end, shell)
        os.close(follower)

        def read_until(pattern):
            text, end = b"", time.monotonic() + 60
            while not re.search(pattern, text):
                ready = select.select([leader], [], [], max(0, end - time.monotonic()))[0]
                self.assertTrue(ready, "expected %r, found %r" % (pattern, text))
                text += os.read(leader, 4096)
            return text

        read_until(rb"\$ ")
        os.write(leader, b"source '%s'; echo ready''.\n" % os.fsencode(SCRIPT))
        read_until(rb"ready\.\r?\n")
        os.write(leader, b"cpu --vari\tmultis\tmy_g\t-o out.txt --qui\t; echo done''.\n")
        read_until(rb"done\.\r?\n")
        self.assertEqual(self.result("out.txt").dist, [[0, 5], [None, 0]])
        self.assertEqual(self.result("out.txt").note("solver"), "cpu multisource")


if __name__ == "__main__":
    unittest.main()
