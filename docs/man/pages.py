#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes manual pages of texts that they share. The pages are committed, so that nobody needs this to
read them: `make manual` writes them, and tests/e2e/test_manual.py compares.

A text, *.mdoc, is a page, but for these lines:

    @cpu apsp           the lines up to the next such line are for these programs only
    @                   lines for all programs again
    @< FILE             the lines of another text
    .\" ...             a comment, which is left out

and for {page}, the name of the page; {PAGE}, the same in capitals; {program}, the name of the program
in the tree; {output}, the file that it writes; {formats}, the names of the graph formats; {titles},
what they are called, {titles_after_text} without the first. docs/graph-formats.md has the formats."""

import os
import re
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = os.path.join(os.path.dirname(HERE), "graph-formats.md")
OUTPUTS = {"apsp": "output_apsp.txt", "cpu": "output.txt", "cuda_simple": "output_cuda.txt",
           "cuda_blocked": "output_cuda_blocked.txt", "cuda_sparse": "output_cuda_sparse.txt",
           "verify": ""}
TEXTS = {program: "verify.mdoc" if program == "verify" else "solvers.mdoc" for program in OUTPUTS}
WIDTH = 80


def page_name(program):
    return program if program == "apsp" else "apsp-" + program.replace("_", "-")


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def formats():
    """[(name, title)] of the table in docs/graph-formats.md."""
    return [(name, title) for title, name in
            re.findall(r"^\|[^|]*\| \[([^]]+)\]\(#[^|]*\|[^|]*\| `(\w+)`", read(FORMATS), re.MULTILINE)]


def joined(words):
    return ", ".join(words[:-1]) + " or " + words[-1]


def lines_of(text):
    """The lines of a text, with those of the texts that it includes."""
    for line in text.splitlines():
        if line.startswith("@< "):
            yield from lines_of(read(line[len("@< "):]))
        else:
            yield line


def page_of(program):
    """The page of a program as a string."""
    name = page_name(program)
    titles = [title for _, title in formats()]
    values = {"page": name, "PAGE": name.upper(), "program": program, "output": OUTPUTS[program],
              "formats": "|".join(name for name, _ in formats()), "titles": joined(titles),
              "titles_after_text": joined(titles[1:])}
    lines = ['.\\" pages.py makes this page of %s.' % TEXTS[program]]
    wanted = True
    for line in lines_of(read(TEXTS[program])):
        if line.startswith("@"):
            programs = line[1:].split()
            assert set(programs) <= set(OUTPUTS), line
            wanted = not programs or program in programs
        elif wanted and not line.startswith('.\\"'):
            line = re.sub(r"{(\w+)}", lambda key: values[key.group(1)], line)
            lines += [line] if line.startswith(".") else textwrap.wrap(line, WIDTH)
    return "\n".join(lines) + "\n"


def pages():
    """{path: contents} of the pages."""
    return {os.path.join(HERE, page_name(program) + ".1"): page_of(program) for program in OUTPUTS}


if __name__ == "__main__":
    for path, contents in pages().items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(contents)
