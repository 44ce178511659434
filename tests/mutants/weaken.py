#!/usr/bin/env python3
"""Weakens the certificate in one place after the other, in a copy of the tree, and
expects the mutants to notice each time.

Usage: tests/mutants/weaken.py [COUNT]   mutants tried each time, 5000 by default
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = "common/certificate.c"
PROGRAM = "build/release-nocuda/tests/mutants_tests"

# What is weakened, the text that stands there, what replaces it.
WEAKENED = [
    ("(c) never fails",
     "(from[lane] != UNREACHABLE) & (to[lane] > through);", "0 & (to[lane] > through);"),
    ("(c) skips the unreachable",
     "(to[lane] > through);", "(to[lane] > through) & (to[lane] != UNREACHABLE);"),
    ("(c) allows one more", "(to[lane] > through);", "(to[lane] > through + 1);"),
    ("(b) looks for no cycles", "s->g->min_weight <= 0; lane++", "s->g->min_weight < 0; lane++"),
    ("(b) looks for no cycles from the last source of a strip",
     "lane < s->count && status == STATUS_OK && s->g",
     "lane < s->count - 1 && status == STATUS_OK && s->g"),
    ("(b) passes cycles through low vertices",
     "if (v >= 0 && walk[v] == j)", "if (v > 40 && walk[v] == j)"),
    ("(b) takes any vertex for a neighbour",
     "weight != NO_EDGE && to[lane] == (int64_t)from + weight",
     "(weight == NO_EDGE || to[lane] == (int64_t)from + weight)"),
    ("(b) without predecessors needs no tight edge",
     "if (!flags.tight[lane] && d != UNREACHABLE && v != i)", "if (d == 1 && d == 2)"),
    ("(a) lets a predecessor stand where there is no path",
     "&& mismatched == 1;", "&& mismatched >= 0;"),
    ("(a) takes any diagonal", "return !bad && dist[i] == 0 && pred", "return !bad && pred"),
    ("(a) takes predecessors beyond n", " | (pred[j] >= n);", ";"),
    ("the last strip is left out", "strip < strips; strip++", "strip < strips - 1; strip++"),
]


def build(folder):
    subprocess.run(["make", "--no-print-directory", "CUDA=0", PROGRAM], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)


def notices(folder, count):
    """The number of mutants judged wrongly; "a crash" counts too; None where all is well."""
    done = subprocess.run([os.path.join(folder, PROGRAM), str(count)], stdout=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return "a crash"
    return done.stdout.splitlines()[-1].rpartition("; ")[2]


def main(count):
    folder = tempfile.mkdtemp(prefix="apsp-weaken-")
    try:
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split("\0")
        for name in filter(None, files):
            os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(folder, name))
        build(folder)
        if notices(folder, count) is not None:
            sys.exit("the certificate as it is judges mutants wrongly")
        source = os.path.join(folder, SOURCE)
        with open(source, encoding="utf-8") as file:
            right = file.read()
        unnoticed = 0
        for name, old, new in WEAKENED:
            if right.count(old) != 1:
                sys.exit("%s: expected once in %s, found %d times: %s"
                         % (name, SOURCE, right.count(old), old))
            with open(source, "w", encoding="utf-8") as file:
                file.write(right.replace(old, new))
            build(folder)
            noticed = notices(folder, count)
            unnoticed += noticed is None
            print("%-56s %s" % (name, noticed or "NOT NOTICED"), flush=True)
        print("%d of %d weakened certificates noticed" % (len(WEAKENED) - unnoticed, len(WEAKENED)))
        return 1 if unnoticed else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
