#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no two files of C or CUDA define a type of the same name.

Usage: tests/namesakes.py

Counted are structs, unions, enums and typedefs that begin in the first column, where clang-format
puts what is outside of all braces but a namespace's. One file may define a name several times, for
numbers of several types, and several files may have the same line for another type's short name.
Functions need no check: the linker refuses two of a name in the program of all unit tests. Tests may
repeat names. Prints a line for each name that means several types.
"""

import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TYPE = re.compile(r"(?:(?:static|const|typedef) )*(?:struct|union|enum)(?: class| \w+\(.*\))? (\w+)(?: final)?(?: :.*)? \{"
                  r"|(?:__extension__ )?typedef [^({]*?(?:\(\*|[ *])(\w+)(?: __attribute__|\)?\(|\[|;)"
                  r"|\} (\w+);|using (\w+) =")
OPAQUE = re.compile(r"typedef struct (\w+) \1;")
NAMESPACE = re.compile(r"namespace (?:(\w+) )?\{|\} // namespace")


def types(path):
    """(name behind those of its namespaces, the line of a short name or else the file) of each type of a file."""
    inside = []
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for line in file:
            space, found = NAMESPACE.match(line), TYPE.match(line)
            if space and line.startswith("}"):
                inside.pop()
            elif space:
                inside.append(space[1])
            elif found and not OPAQUE.match(line):
                is_short = line.startswith(("typedef", "using", "__extension__")) and ";" in line
                yield "::".join(filter(None, [*inside, *found.groups()])), line.strip() if is_short else path


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.c", "*.h", "*.cu", "*.cuh"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    meanings = collections.defaultdict(dict)  # of each name: by what defines it, the file
    for path in listed.stdout.splitlines():
        if not path.startswith("tests/") and os.path.exists(os.path.join(ROOT, path)):
            for name, definition in types(path):
                meanings[name].setdefault(definition, path)
    wrong = ["%s: expected one type of this name, found one each in %s" % (name, ", ".join(sorted(set(files.values()))))
             for name, files in sorted(meanings.items()) if len(set(files.values())) > 1]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
