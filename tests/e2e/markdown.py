# SPDX-License-Identifier: MIT
"""Reading the project's Markdown: links, headings, code, and the blocks that the tests run.

A fenced block says in its first line what it is:

    ```sh run                 is run, in one folder for the whole page; must end with status 0
    ```sh run gpu             the same, only where a GPU can solve
    ```sh run root            the same, at the top of the repository, where it writes nothing
    ```sh run MODULE          the same, only where NumPy and a module of Python are installed
    ```python run             the same by Python with the package, where NumPy is installed
    ```python run MODULE      the same, only where the module is installed, too
    ```text output            is what the block run before it prints, on stdout and stderr;
                              … stands for the rest of a word, at its end for that of the line
    ```text file=NAME         is a file for the blocks after it, byte by byte
    ```c file=PATH            is a new file of the repository, ```diff patch a change to it, for
                              readers who follow a guide (and the test that does)

Any other is for reading only.
"""

import os
import re
from collections import namedtuple

Block = namedtuple("Block", "line words text")  # line: of the fence; words: ["sh", "run"]
Link = namedtuple("Link", "line target")
Span = namedtuple("Span", "line text")  # of code, in a paragraph

FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
SPAN = re.compile(r"(`+)((?:.|\n)+?)\1")
VARIANT_OF = re.compile(r"variant of `(\w+)`$")
ROW, BAR = re.compile(r"\|.*\|"), re.compile(r"(?<!\\)\|")  # of a table, and what parts its cells
RULE = re.compile(r"\|(?: *:?-+:? *\|)+")  # below its head
TEXT = re.compile(r"(?!\d+[.)] )[\w`(\[|]")  # a line that begins no list, heading or quotation
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")

# Folders without pages of the project.
LEFT_OUT = {".git", "build", "bin", "lib", "out", "__pycache__"}


def pages(repository):
    """Paths of all Markdown files, relative to the repository."""
    found = []
    for folder, folders, names in os.walk(repository):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        found += [os.path.relpath(os.path.join(folder, name), repository)
                  for name in sorted(names) if name.endswith(".md")]
    return found


class Page:
    """blocks, and of everything outside them links, code spans, headings and lines."""

    def __init__(self, text):
        self.blocks, self.lines = [], []
        block = None
        for number, line in enumerate(text.split("\n"), start=1):
            fence = FENCE.match(line)
            if fence and block is None:
                block, indent, content = (number, fence[2].split()), len(fence[1]), []
            elif fence and not fence[2]:
                self.blocks.append(Block(*block, "".join(part + "\n" for part in content)))
                block = None
            elif block is not None:
                content.append(line[indent:])
            else:
                self.lines.append((number, line))
        if block is not None:
            raise ValueError("line %d: expected the end of the block" % block[0])

    def paragraphs(self):
        """(number of the first line, text) of lines that belong together: links and code may go
        on in the next. Headings and rows of tables stand for themselves."""
        start, lines = 0, []
        for number, line in [*self.lines, (0, "")]:
            alone = line.startswith(("|", "#"))
            if lines and (alone or not line.strip() or number != start + len(lines)):
                yield start, "\n".join(lines)
                lines = []
            if alone:
                yield number, line
            elif line.strip():
                start = start if lines else number
                lines.append(line)

    def raw_tables(self):
        """(number of the line, why) for rows that GitHub shows as they are written, in pieces, or
        with cells left out, and for text that it takes for a row."""
        lines = {number: line.strip() for number, line in self.lines}
        rows = {number for number, line in lines.items() if ROW.fullmatch(line)}
        cells = 0
        for number, line in lines.items():
            found = len(BAR.findall(line))
            if number in rows and number - 1 not in rows:
                cells = found
                if not RULE.fullmatch(lines.get(number + 1, "")):
                    yield number, "no rule below the head of a table"
            elif number in rows and found != cells:
                yield number, "not as many cells as in the head of the table"
            elif number - 1 in rows and number not in rows and TEXT.match(line):
                yield number, "text that is taken for a row of the table above"

    def links(self):
        """Targets of links and pictures, code spans aside."""
        for number, text in self.paragraphs():
            plain = SPAN.sub(lambda span: re.sub(r"[^\n]", "`", span[0]), text)
            for link in LINK.finditer(plain):
                yield Link(number + plain.count("\n", 0, link.start()), link[1])

    def spans(self):
        for number, text in self.paragraphs():
            for span in SPAN.finditer(text):
                yield Span(number + text.count("\n", 0, span.start()),
                           " ".join(span[2].split()))

    def anchors(self):
        """Returns the anchors that links to this page may name after `#`, as GitHub makes them of
        the headings."""
        found, count = set(), {}
        for _, line in self.lines:
            heading = HEADING.match(line)
            if not heading:
                continue
            text = LINK.sub(lambda link: link[0][1:link[0].rindex("](")], heading[2])
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count[slug] = count.get(slug, -1) + 1
            found.add(slug if count[slug] == 0 else "%s-%d" % (slug, count[slug]))
        return found

    def described_variants(self):
        """(program, variant) for the rows of tables that begin with a column `variant of
        `PROGRAM``; a row may stand for several."""
        program = None
        for _, line in self.lines:
            cell = line.split("|")[1].strip() if line.startswith("|") else ""
            head = VARIANT_OF.match(cell)
            if head:
                program = head[1]
            elif not cell:
                program = None
            elif program:
                yield from ((program, variant) for _, variant in SPAN.findall(cell))


def read(path):
    with open(path, encoding="utf-8") as file:
        return Page(file.read())


def matches(expected, found):
    """Returns whether the text is what an output block expects."""
    pattern = re.escape(expected).replace("…\\\n", r".*\n").replace("…", r"\S*")
    return re.fullmatch(pattern, found) is not None
