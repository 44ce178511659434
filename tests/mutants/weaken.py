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

from scratch import BUILT, build, copy_tree, replaced

SOURCE = "common/certificate.c"
PROGRAM = "tests/mutants_tests"

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


def notices(folder, count):
    """The number of mutants judged wrongly; "a crash" counts too; None where all is well."""
    done = subprocess.run([os.path.join(folder, BUILT, PROGRAM), str(count)],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return "a crash"
    return done.stdout.splitlines()[-1].rpartition("; ")[2]


def must_build(folder):
    said = build(folder, PROGRAM)
    if said is not None:
        sys.exit(said)


def main(count):
    folder = tempfile.mkdtemp(prefix="apsp-weaken-")
    try:
        copy_tree(folder)
        must_build(folder)
        if notices(folder, count) is not None:
            sys.exit("the certificate as it is judges mutants wrongly")
        source = os.path.join(folder, SOURCE)
        with open(source, encoding="utf-8") as file:
            right = file.read()
        unnoticed = 0
        for name, old, new in WEAKENED:
            with open(source, "w", encoding="utf-8") as file:
                file.write(replaced(right, old, new, SOURCE))
            must_build(folder)
            noticed = notices(folder, count)
            unnoticed += noticed is None
            print("%-56s %s" % (name, noticed or "NOT NOTICED"), flush=True)
        print("%d of %d weakened certificates noticed" % (len(WEAKENED) - unnoticed, len(WEAKENED)))
        return 1 if unnoticed else 0
    except ValueError as error:
        sys.exit(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
