#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the manual pages of the programs that solve of one text, solvers.mdoc, which says how it is
read. They are committed, so that nobody needs this to read them: `make manual` writes them, and
tests/e2e/test_manual.py compares."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = os.path.join(HERE, "solvers.mdoc")
OUTPUTS = {"apsp": "output_apsp.txt", "cpu": "output.txt", "cuda_simple": "output_cuda.txt",
           "cuda_blocked": "output_cuda_blocked.txt", "cuda_sparse": "output_cuda_sparse.txt"}


def page_name(program):
    return program if program == "apsp" else "apsp-" + program.replace("_", "-")


def page_of(program, text):
    """The page of a program as a string."""
    name = page_name(program)
    values = {"{page}": name, "{PAGE}": name.upper(), "{program}": program,
              "{output}": OUTPUTS[program]}
    lines = ['.\\" pages.py makes this page of solvers.mdoc.\n']
    wanted = True
    for line in text.splitlines():
        if line.startswith("@"):
            programs = line[1:].split()
            assert set(programs) <= set(OUTPUTS), line
            wanted = not programs or program in programs
        elif wanted and not line.startswith('.\\"'):
            for key, value in values.items():
                line = line.replace(key, value)
            lines.append(line + "\n")
    return "".join(lines)


def pages():
    """{path: contents} of the pages."""
    with open(TEXT, encoding="utf-8") as file:
        text = file.read()
    return {os.path.join(HERE, page_name(program) + ".1"): page_of(program, text)
            for program in OUTPUTS}


if __name__ == "__main__":
    for path, contents in pages().items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(contents)
