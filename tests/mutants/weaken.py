#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weakens the certificate in one place after the other, in a copy of the tree, and
expects the mutants to notice each time.

Usage: tests/mutants/weaken.py [COUNT]   mutants tried each time, 8000 by default

With 3000, one weakening was overlooked: (c) allows one more where weights are negative.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from scratch import BUILT, build, copy_tree, replaced

CERTIFICATE, OF_TYPE = "certificate/certificate.c", "certificate/certificate_type.h"
KERNELS, OPERATIONS = "certificate/check_kernels_type.h", "certificate/check_kernels.c"
PROGRAM = "tests/mutants_tests"

# Each row: what is weakened, where, the text that stands there, what replaces it.
WEAKENED = [
    ("(c) never fails", OPERATIONS, "(((to) > (through)) &", "(((to) > (to)) &"),
    ("(c) allows one more", OPERATIONS, "SUM_OF(a, b)             ((a) + (b))", "SUM_OF(a, b)             ((a) + (b) + 1)"),
    ("(c) leaves the last edge into a vertex out", KERNELS,
     "e < edges->count; e++) {\n        const CELL *from = dist + (size_t)edges->tail[e] * LANES;"
     "\n        const VECTOR",
     "e < edges->count - 1; e++) {\n        const CELL *from = dist + "
     "(size_t)edges->tail[e] * LANES;\n        const VECTOR"),
    ("(c) leaves the last lanes out", KERNELS,
     "v < OF(VECTORS); v++) {", "v < OF(VECTORS) - (OF(VECTORS) > 1); v++) {"),
    ("(c) takes every strip for a plain one", OF_TYPE,
     "s->plain = (s->g->min_weight >= 0", "s->plain = true || (s->g->min_weight >= 0"),
    ("(c) never fails where weights are negative", KERNELS,
     "(from[lane] != UNREACHED) & IS_SHORTER", "0 & IS_SHORTER"),
    ("(c) skips the unreachable where weights are negative", KERNELS,
     "IS_SHORTER(through, to[lane]) &",
     "IS_SHORTER(through, to[lane]) & (to[lane] != UNREACHED) &"),
    ("(c) allows one more where weights are negative", KERNELS,
     "IS_SHORTER(through, to[lane]) &", "IS_SHORTER(through + 1, to[lane]) &"),
    ("(c) with a limit leaves out sums that just reach it", OPERATIONS,
     "((through) <= vector_all", "((through) < vector_all"),
    ("(c) with a limit takes in sums that are just beyond it", OPERATIONS,
     "vector_all(VECTOR, most)", "vector_all(VECTOR, most) + 1"),
    ("(c) with a limit is for half of it only", OF_TYPE,
     "s->limit < NO_LIMIT ? OF(most)(s) : BEYOND;", "s->limit < NO_LIMIT ? OF(most)(s) / 2 : BEYOND;"),
    ("(a) knows no limit", OF_TYPE,
     "OF(least)(s), OF(most)(s)))", "OF(least)(s), NO_PATH))"),
    ("(b) looks for no cycles", OF_TYPE,
     "lane < s->count && !s->grows; lane++", "lane < s->count && s->g->min_weight < 0; lane++"),
    ("(b) looks for no cycles from the last source of a strip", OF_TYPE,
     "lane < s->count && !s->grows",
     "lane < s->count - 1 && !s->grows"),
    ("(b) passes cycles through low vertices", CERTIFICATE,
     "if (v >= 0 && walk[v] == j)", "if (v > 40 && walk[v] == j)"),
    ("(b) takes any vertex for a neighbour", OF_TYPE,
     "if (weight == NO_EDGE)\n        return refute(s, REFUTED_PREDECESSOR_NO_NEIGHBOUR, lane, v, p);",
     "if (weight == NO_EDGE)\n        return STATUS_OK;"),
    ("(b) takes any distance", OF_TYPE,
     "if (to != JOIN(from, weight))", "if (to > JOIN(from, weight))"),
    ("(b) leaves the last source of a strip out", OF_TYPE,
     "lane < s->count && status == STATUS_OK; lane++)",
     "lane < s->count - 1 && status == STATUS_OK; lane++)"),
    ("(b) without predecessors needs no tight edge", OF_TYPE,
     "if (!flags.tight[lane] && to[lane] != no_path && v != s->source[lane])",
     "if (to[lane] == 1 && to[lane] == 2)"),
    ("(a) lets a predecessor stand where there is no path", KERNELS,
     "&& mismatched == 1;", "&& mismatched >= 0;"),
    ("(a) takes any diagonal", KERNELS,
     "return !bad && dist[i] == TO_ITSELF && pred", "return !bad && pred"),
    ("(a) takes predecessors beyond n", KERNELS,
     " | (pred[j] >= n);", ";"),
    ("the last strip is left out", CERTIFICATE,
     "strip < p->strips; strip++", "strip < p->strips - 1; strip++"),
]


def notices(folder, count):
    """The number of mutants judged wrongly; "a crash" counts too; None if all is well."""
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
        unnoticed = 0
        for name, path, old, new in WEAKENED:
            source = os.path.join(folder, path)
            with open(source, encoding="utf-8") as file:
                right = file.read()
            with open(source, "w", encoding="utf-8") as file:
                file.write(replaced(right, old, new, path))
            must_build(folder)
            noticed = notices(folder, count)
            unnoticed += noticed is None
            with open(source, "w", encoding="utf-8") as file:
                file.write(right)
            print("%-56s %s" % (name, noticed or "NOT NOTICED"), flush=True)
        print("%d of %d weakened certificates noticed" % (len(WEAKENED) - unnoticed, len(WEAKENED)))
        return 1 if unnoticed else 0
    except ValueError as error:
        sys.exit(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
