# SPDX-License-Identifier: MIT
"""Graph formats: golden files, what graphgen writes read back, what each format
refuses and how, --undirected and --scale."""

import gzip
import os
import random
import re
import unittest
from fractions import Fraction

from support import (BAD_INPUT, INT32_MAX, INT32_MIN, NEGATIVE_CYCLE, NO_RESOURCE, REFUTED,
                     REPOSITORY, SANITIZED, Graph, ProgramTest, distances_of, graph_of_text, limited, solved)

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
PAGE = os.path.join(REPOSITORY, "docs", "graph-formats.md")

EXAMPLE_6 = Graph(5, [(0, 1, 5), (0, 3, 2), (1, 2, 2), (2, 0, 3), (2, 4, 7), (3, 2, 4), (3, 4, 1),
                      (4, 0, 1), (4, 1, 3)])
UNDIRECTED = Graph(5, [(0, 1, 4), (1, 0, 4), (1, 2, 5), (2, 1, 5), (3, 4, 1), (4, 3, 1)])

# Golden file, options, and the graph that it means.
FILES = [
    ("example_6.txt", [], EXAMPLE_6),
    ("example_6.gr", [], EXAMPLE_6),
    ("example_6.mtx", [], EXAMPLE_6),
    ("example_6_real.mtx", [], EXAMPLE_6),
    ("example_6.wel", [], EXAMPLE_6),
    ("undirected.mtx", [], UNDIRECTED),
    ("undirected.mtx", ["--undirected"], UNDIRECTED),
    ("undirected.txt", ["--undirected"], UNDIRECTED),
    ("undirected.txt", ["-u"], UNDIRECTED),
    ("decimal.wel", ["--scale", "100"], Graph(3, [(0, 1, 25), (1, 2, 150), (2, 0, 1), (2, 0, 25)])),
    ("decimal.wel", ["--scale=1000"], Graph(3, [(0, 1, 250), (1, 2, 1500), (2, 0, 10), (2, 0, 250)])),
    ("pattern.mtx", [], Graph(3, [(0, 1, 1), (1, 2, 1), (2, 0, 1)])),
    ("example_6_real.mtx", ["--scale", "3"],
     Graph(5, [(u, v, 3 * w) for u, v, w in EXAMPLE_6.edges])),
]

FORMATS = ("text", "gr", "mtx", "wel", "snap", "csv", "tntp")  # those that graphgen writes
SIZED = ("text", "gr", "mtx", "tntp")  # that say how many vertices there are
TNTP_COLUMNS = "init_node term_node capacity length free_flow_time b power speed toll link_type"


def documented_formats():
    """{name: anchor of the section} by the table in docs/graph-formats.md."""
    with open(PAGE, encoding="utf-8") as file:
        rows = re.findall(r"^\|[^|]*\| \[[^]]+\]\(#([^)]+)\) \|[^|]*\| `(\w+)`", file.read(), re.MULTILINE)
    return {name: anchor for anchor, name in rows}


def in_format(name, n, edges):
    """A graph as a file of that format, from its description; weights are text."""
    lines = {"text": ["%d %d" % (n, len(edges))],
             "gr": ["c made by a test", "p sp %d %d" % (n, len(edges))],
             "mtx": ["%%MatrixMarket matrix coordinate real general", "%",
                     "%d %d %d" % (n, n, len(edges))],
             "wel": [],
             "snap": ["# FromNodeId\tToNodeId\tWeight"],
             "csv": ["source,target,weight"],
             "tntp": ["<NUMBER OF ZONES> %d" % n, "<NUMBER OF NODES> %d" % n,
                      "<FIRST THRU NODE> 1", "<NUMBER OF LINKS> %d" % len(edges),
                      "<END OF METADATA>", "",
                      "~\t" + TNTP_COLUMNS.replace(" ", "\t") + "\t;"]}[name]
    row = {"gr": "a %s %s %s", "snap": "%s\t%s\t%s", "csv": "%s,%s,%s",
           "tntp": "\t%s\t%s\t1\t%s\t%s\t0.15\t4\t0\t0\t1\t;"}.get(name, "%s %s %s")
    first = 1 if name in ("gr", "mtx", "tntp") else 0
    for u, v, w in edges:
        w = '"%s"' % w if name == "csv" and "," in str(w) else w
        lines.append(row % ((u + first, v + first) + (w,) * (row.count("%s") - 2)))
    return "\n".join(lines) + "\n"


def metis(n, edges, fmt="001"):
    """An undirected graph, each edge given once, with numbers before the neighbours as `fmt` and
    the number of weights behind it say."""
    words = fmt.split()
    sizes, weighted, with_weights = (digit == "1" for digit in words[0].rjust(3, "0"))
    before = int(sizes) + (int(words[1]) if len(words) > 1 else 1) * weighted
    lists = [["9"] * before for _ in range(n)]
    for u, v, w in edges:
        for a, b in ((u, v), (v, u)):
            lists[a] += [str(b + 1)] + ([str(w)] if with_weights else [])
    return "".join(" ".join(words) + "\n"
                   for words in [[str(n), str(len(edges)), fmt], *lists])


MTX = b"%%MatrixMarket matrix coordinate "
BANNER = (":1: expected '%%MatrixMarket matrix coordinate integer|unsigned-integer|real|pattern "
          "general|symmetric|skew-symmetric', found ")
INT32 = ["--type", "int32"]
METIS, CSV = ["--input-format", "metis"], ["--input-format", "csv"]
TAGS = b"<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 1\n<END OF METADATA>\n"
LINK = b"\t1\t2\t900\t5\t6\t0.15\t4\t0\t0\t1\t;\n"

# Each row: what is wrong, the file, the message after its name, and options.
MANGLED = [
    # DIMACS
    ("comments alone", b"c\nc no problem\n", ":2: expected a line 'p sp V E', found the end of the "
     "file"),
    ("an edge first", b"a 1 2 5\n", ":1: expected a line 'p sp V E', found 'a'"),
    ("an edge after comments", b"c\na 1 2 5\n", ":2: expected a line 'p sp V E', found 'a'"),
    ("another problem", b"p max 3 1\na 1 2 5\n", ":1: expected a line 'p sp V E', found a maximum flow problem"),
    ("no problem", b"p\n", ":1: expected a line 'p sp V E', found the end of the line"),
    ("no number of edges", b"p sp 3\n", ":1: expected a line 'p sp V E', found the end of the line "
     "where the number of edges E should be"),
    ("one number too many", b"p sp 3 1 1\n", ":1: expected a line 'p sp V E', found '1' after it"),
    ("no vertices", b"p sp 0 0\n", ":1: expected the number of vertices V in 1 .. 2147483647"),
    ("V beyond int32", b"p sp 2147483648 0\n", ":1: expected the number of vertices V"),
    ("vertex 0", b"p sp 3 1\na 0 2 5\n", ":2: expected the tail u in 1 .. 3, found '0'"),
    ("vertex V + 1", b"p sp 3 1\na 1 4 5\n", ":2: expected the head v in 1 .. 3, found '4'"),
    ("no a", b"p sp 3 1\n1 2 5\n", ":2: expected an edge 'a u v w', found '1'"),
    ("another letter", b"p sp 3 1\ne 1 2 5\n", ":2: expected an edge 'a u v w', found 'e'"),
    ("a glued on", b"p sp 3 1\na1 2 5\n", ":2: expected an edge 'a u v w', found 'a1'"),
    ("no weight", b"p sp 3 1\na 1 2\n", ":2: expected an edge 'a u v w', found the end of the "
     "line where the weight w should be"),
    ("two weights", b"p sp 3 1\na 1 2 5 6\n", ":2: expected an edge 'a u v w', found '6' after"),
    ("two problems", b"p sp 3 1\na 1 2 5\np sp 3 1\n", ":3: expected the end of the file after 1 "
     "edges, found 'p'"),
    ("fewer edges", b"p sp 3 3\na 1 2 5\nc\na 1 3 5\n", ":4: expected 3 edges, found the end of the "
     "file after 2"),
    ("more edges", b"p sp 3 1\na 1 2 5\na 1 3 5\n", ":3: expected the end of the file after 1"),
    ("decimal weight", b"p sp 3 1\na 1 2 5.5\n", ":2: expected an integer for the weight w, found "
     "'5.5'; --scale K", *INT32),
    ("weight 2^31", b"p sp 3 1\na 1 2 2147483648\n", ":2: expected the weight w in -2147483648",
     *INT32),
    # Matrix Market
    ("banner alone", b"%%MatrixMarket\n", BANNER + "the end of the line"),
    ("banner cut", MTX + b"integer\n", BANNER + "the end of the line"),
    ("a vector", b"%%MatrixMarket vector coordinate real general\n", BANNER + "'vector'"),
    ("an array", b"%%MatrixMarket matrix array real general\n2 2\n", BANNER + "'array'; a dense "
     "matrix is no list of edges", "--input-format", "mtx"),
    ("complex", MTX + b"complex general\n2 2 0\n", BANNER + "'complex'; a weight is one number"),
    ("Hermitian", MTX + b"real hermitian\n2 2 0\n", BANNER + "'hermitian'; its entries are complex "
     "numbers"),
    ("skew-symmetric pattern", MTX + b"pattern skew-symmetric\n2 2 0\n", ":1: expected weights with "
     "a sign in a skew-symmetric matrix, found 'pattern'"),
    ("unsigned and skew-symmetric", MTX + b"unsigned-integer skew-symmetric\n2 2 0\n",
     ":1: expected weights with a sign in a skew-symmetric matrix, found 'unsigned-integer'"),
    ("a diagonal", MTX + b"real skew-symmetric\n2 2 1\n2 2 0\n", ":3: expected no entry on the "
     "diagonal of a skew-symmetric matrix, found one of vertex 2"),
    ("a weight without its negative", MTX + b"integer skew-symmetric\n2 2 1\n2 1 -2147483648\n",
     ":3: expected the weight w in -2147483647 .. 2147483647, found '-2147483648'", *INT32),
    ("skew-symmetric both ways", MTX + b"integer skew-symmetric\n2 2 1\n2 1 3\n", ":1: expected "
     "edges that can be read both ways (--undirected), found a skew-symmetric matrix", "-u"),
    ("a negative unsigned", MTX + b"unsigned-integer general\n2 2 1\n1 2 -1\n", ":3: expected the "
     "weight w in 0 .. 9007199254740991, found '-1'"),
    ("more in the banner", MTX + b"real general 7\n2 2 0\n", BANNER[:-8]),
    ("a comment that names the format", b"% MatrixMarket matrix\n", ":1: expected an edge"),
    ("one percent sign", b"%MatrixMarket matrix coordinate real general\n", ":1: expected an edge"),
    ("comments and no sizes", MTX + b"real general\n%\n% 2 2 0\n", ":3: expected a line 'V V E', "
     "found the end of the file"),
    ("not square", MTX + b"real general\n2 3 0\n", ":2: expected as many columns as rows, found 2 "
     "rows and 3 columns"),
    ("no rows", MTX + b"real general\n0 0 0\n", ":2: expected the number of rows V in 1 .. "),
    ("two sizes", MTX + b"real general\n2 2\n1 1 1\n", ":2: expected a line 'V V E', found the end "
     "of the line where the number of edges E should be"),
    ("row 0", MTX + b"real general\n2 2 1\n0 1 1\n", ":3: expected the tail u in 1 .. 2"),
    ("column V + 1", MTX + b"real general\n2 2 1\n1 3 1\n", ":3: expected the head v in 1 .. 2"),
    ("not integral", MTX + b"real general\n2 2 1\n1 2 2.5\n", ":3: expected an integer for the "
     "weight w, found '2.5'; --scale K reads decimal weights times K", *INT32),
    ("nearly integral", MTX + b"real general\n2 2 1\n1 2 2.00000000000000000000000000000000001\n",
     ":3: expected an integer for the weight w", *INT32),
    ("infinite", MTX + b"real general\n2 2 1\n1 2 inf\n", ":3: expected an entry 'u v w', found "
     "'inf'", *INT32),
    ("minus infinity", MTX + b"real general\n2 2 1\n1 2 -inf\n", ":3: expected the weight w to be "
     "finite, or inf for no edge, found '-inf'"),
    ("beyond float64", b"0 1 0.5\n1 0 1e400\n", ":2: expected the weight w in the range of a float64"),
    ("beyond float32", b"0 1 0.5\n1 0 1e39\n", ":2: expected the weight w in the range of a float32",
     "--type", "float32"),
    ("beyond int32 among integers", b"0 1 3000000000\n1 0 5\n", ":1: expected the weight w in "
     "-2147483648 .. 2147483647, found '3000000000'; --type int64 reads larger ones", *INT32),
    ("beyond float64 among integers", b"0 1 9007199254740992\n1 0 5\n", ":1: expected the weight w in "
     "-9007199254740991 .. 9007199254740991, found '9007199254740992'; --type float64 rounds larger"),
    ("real beyond int32", MTX + b"real general\n2 2 1\n1 2 1e10\n", ":3: expected the weight w in",
     *INT32),
    ("nan", MTX + b"real general\n2 2 1\n1 2 nan\n", ":3: expected an entry 'u v w', found 'nan' "
     "where the weight w should be"),
    ("NUL for blanks", MTX + b"unsigned-integer general\n2 2 2\n1 2 3\n2\x001\x005\n" + b"\n" * 44,
     ":4: expected an entry 'u v w', found '2?1?5'"),
    ("fraction of an integer", MTX + b"integer general\n2 2 1\n1 2 2.0\n", "found '2.0'; --scale"),
    ("no value", MTX + b"integer general\n2 2 1\n1 2\n", ":3: expected an entry 'u v w', found the "
     "end of the line where the weight w should be"),
    ("a pattern's value", MTX + b"pattern general\n2 2 1\n1 2 1\n", ":3: expected an entry 'u v', "
     "found '1' after it"),
    ("fewer entries", MTX + b"pattern general\n2 2 2\n1 2\n", ":3: expected 2 edges, found the end"),
    ("more entries", MTX + b"pattern general\n2 2 1\n1 2\n2 1\n", ":4: expected the end of the "
     "file after 1 edges, found '2'"),
    # GAP
    ("an edge without a weight", b"0 1 5\n1 2\n", ":2: expected an edge 'u v w', found the end of "
     "the line where the weight w should be"),
    ("an edge with two", b"0 1 5\n1 2 3 4\n", ":2: expected an edge 'u v w', found '4' after it"),
    ("a comment", b"0 1 5\n# 1 2 3\n", ":2: expected an edge 'u v w', found '#'"),
    ("a decimal weight", b"0 1 5.5\n", ":1: expected an integer for the weight w, found '5.5'",
     *INT32),
    ("a gzip of two formats", gzip.compress(b"0 1 5\n") + gzip.compress(b"p sp 2 0\n"),
     ":2: expected an edge 'u v w', found '0' after it"),
    # DIMACS: a comment is no word
    ("a word with c first", b"cfoo\np sp 2 0\n", ":1: expected a graph, whose first line is "),
    ("a word with c later", b"c\ncfoo\np sp 2 0\n", ":2: expected a line 'p sp V E', found 'cfoo'"),
    ("more edges than can be", b"p sp 3 1000000000000000000\n", ":1: expected the number of edges E "
     "in 0 .. 99999999999999999, found '1000000000000000000'"),
    # SNAP
    ("SNAP, comments alone", b"# a\n# b\n", ":2: expected an edge 'u v' or 'u v w', found the end of "
     "the file"),
    ("SNAP, two columns and three", b"#\n0 1\n1 2 5\n", ":3: expected an edge 'u v', found '5' "
     "after it"),
    ("SNAP, three columns and two", b"#\n0 1 5\n1 2\n", ":3: expected an edge 'u v w', found the "
     "end of the line where the weight w should be"),
    ("SNAP, four columns", b"#\n0 1 5 6\n", ":2: expected an edge 'u v' or 'u v w', found 4 "
     "fields; --input-format csv --edge-columns A,B --weight-column C"),
    ("SNAP, one column", b"#\n0\n", ":2: expected an edge 'u v w', found the end of the line where "
     "the head v"),
    ("SNAP, another comment", b"#\n0 1\n% 1\n", ":3: expected an edge 'u v', found '%'"),
    ("SNAP, a long comment", b"#" + b"x" * 9000 + b"\n0 1\n", ":1: expected a line of at most 8192"),
    ("SNAP, NUL", b"#\n0 1\0\n", ":2: expected the name of a vertex, found the control "
     "character 0"),
    ("SNAP by name, thesis text", b"3 1\n0 1 5\n", ":2: expected an edge 'u v', found '5' after it",
     "--input-format", "snap"),
    # CSV
    ("CSV, a header alone", b"source,target\n", ":1: expected an edge, found the end of the file"),
    ("CSV, no names", b"Zagreb,Split\n", ":1: expected a graph, found 2 columns of which none is known "
     "to hold the ends of edges: Zagreb,Split; --edge-columns A,B"),
    ("CSV by name, no names", b"Zagreb,Split\n", ":1: expected names of columns such as "
     "'source,target,weight', found: Zagreb, Split; --edge-columns A,B", *CSV),
    ("CSV, too few fields", b"u,v,w\n0,1\n", ":2: expected 3 fields as in the first line, found 2"),
    ("CSV, too many fields", b"u,v,w\n0,1,5,6\n", ":2: expected 3 fields as in the first line, found "
     "4"),
    ("CSV, an empty field", b"u,v,w\n0,1,\n", ":2: expected a number in column 3, found nothing"),
    ("CSV, a blank field", b"u,v,w\n0, ,5\n", ":2: expected a vertex in column 2, found nothing"),
    ("CSV, no second quote", b"u,v,w\n0,\"1,5\n", ":2: expected a field that ends with its second "
     "quote, before the end of the line"),
    ("CSV, text after a quote", b"u,v,w\n0,\"1\"2,5\n", ":2: expected a field that ends with its "
     "second quote"),
    ("CSV, a header without a second quote", b"u,v,\"w\n0,1,5\n", ":1: expected a graph, found 3 columns"),
    ("CSV, one column", b"u\n0\n", ":1: expected names of columns such as 'source,target,weight', found 'u'", *CSV),
    ("a list without columns", b"0 1 5\n1 2 6\n", ":1: expected a table or edges with attributes, of which "
     "--weight-column names one", "--input-format", "snap", "--weight-column", "w"),
    ("a list without columns along", b"0 1 5\n1 2 6\n", ":1: expected a table or edges with attributes, of which "
     "--along names some", "--input-format", "snap", "--along", "w", "--format", "npy", "-o", "x"),
    ("KONECT, no direction", b"% both\n1 2\n", ":1: expected '% sym' or '% asym', found", "--input-format", "konect"),
    ("no columns", b"p sp 3 1\na 1 2 5\n", ":1: expected a table, of which --edge-columns names columns: csv, found gr",
     "--edge-columns", "a,b", "--input-format", "gr"),
    ("CSV, two tails", b"from,source,to\n0,1,2\n", ":1: expected one column for the tail u, found "
     "two"),
    ("CSV, two weights", b"u,v,length,cost\n0,1,2,3\n", ":1: expected one column for the weight w, "
     "found two; --weight-column COL says which"),
    ("CSV, no weight among more", b"u,v,name\n0,1,x\n", ":1: expected a column 'weight', found none "
     "among 3 columns; --weight-column COL says which it is"),
    ("CSV, no such column", b"u,v,w\n0,1,5\n", ":1: expected a column 'speed' (--weight-column) of: u, v, w",
     "--weight-column", "speed"),
    ("CSV, a vertex for a weight", b"u,v,w\n0,1,5\n", ":1: expected a column of weights for "
     "--weight-column, found 'V', which is one of vertices", "--weight-column", "V"),
    ("CSV, a decimal weight", b"u,v,w\n0,1,2.5\n", ":2: expected an integer for the weight w, found "
     "'2.5'; --scale K", *INT32),
    ("CSV, a name for a weight", b"u,v,w\n0,1,heavy\n", "found 'heavy' where the weight w"),
    ("CSV, a long row", b"u,v,w\n0,1," + b"5" * 9000, ":2: expected a line of at most 8192 bytes"),
    ("CSV, NUL", b"u,v,w\n0,1\0,5\n", ":2: expected the name of a vertex, found the control "
     "character 0"),
    ("no table", b"3 1\n0 1 5\n", ":1: expected a table, of which --weight-column names a column: "
     "csv or tntp, found text", "--weight-column", "w"),
    # METIS
    ("METIS, comments alone", b"% 3 1\n", ":1: expected a first line 'V E [FMT [NCON]]', found the "
     "end of the file", *METIS),
    ("METIS, one number", b"3\n", ":1: expected a first line 'V E [FMT [NCON]]', found the end of the "
     "line where the number of edges E", *METIS),
    ("METIS, five numbers", b"3 1 11 1 1\n", ":1: expected a first line 'V E [FMT [NCON]]', found '1' "
     "after it", *METIS),
    ("METIS, another format", b"3 1 2\n", ":1: expected the format FMT as three digits of 0 or 1, "
     "found '2'", *METIS),
    ("METIS, another format of vertices", b"3 1 20\n", "three digits of 0 or 1, found '20'", *METIS),
    ("METIS, a format of four digits", b"3 1 1000\n", ":1: expected the format FMT in 0 .. 111, found "
     "'1000'", *METIS),
    ("METIS, no weights of vertices", b"3 1 10 0\n", ":1: expected the number of weights NCON in 1 .. "
     "1000, found '0'", *METIS),
    ("METIS, a line too few", b"3 1\n2\n1\n", ":3: expected a line for each of 3 vertices, found the "
     "end of the file after 2", *METIS),
    ("METIS, a line too many", b"2 1\n2\n1\n\n1\n", ":5: expected the end of the file after 2 "
     "vertices, found '1'", *METIS),
    ("METIS, vertex 0", b"2 1\n0\n1\n", ":2: expected the neighbour in 1 .. 2, found '0'", *METIS),
    ("METIS, vertex V + 1", b"2 1\n2\n3\n", ":3: expected the neighbour in 1 .. 2, found '3'", *METIS),
    ("METIS, a neighbour of itself", b"2 1\n2\n2\n", ":3: expected neighbours of vertex 2, found the "
     "vertex itself", *METIS),
    ("METIS, more edges", b"3 1\n2 3\n1\n1\n", ":3: expected 1 edges, each in the lists of both its "
     "ends, found more", *METIS),
    ("METIS, fewer edges", b"3 2\n2\n1\n\n", ":4: expected 2 edges, each in the lists of both its "
     "ends, found 2 neighbours", *METIS),
    ("METIS, an edge one way", b"3 2\n2\n3 1\n1\n", ": expected every edge in the lists of both its "
     "ends, found vertex ", *METIS),
    ("METIS, two weights of an edge", b"2 1 1\n2 5\n1 4\n", ": expected one weight for the edge of "
     "vertices 1 and 2, found 5 in one list and 4 in the other", *METIS),
    ("METIS, no weight", b"2 1 1\n2 5\n1\n", ":3: expected a neighbour and a weight, found the end of "
     "the line where the weight w should be", *METIS),
    ("METIS, a negative weight", b"2 1 1\n2 -5\n1 -5\n", ":2: expected the weight w in 0 .. ", *METIS),
    ("METIS, no size of a vertex", b"2 1 100\n\n7 1\n", ":2: expected weights of the vertex before its "
     "neighbours, found the end of the line", *METIS),
    ("METIS, a letter", b"2 1\n2\nx\n", ":3: expected a neighbour, found 'x' where the neighbour should "
     "be", *METIS),
    ("METIS, a long line", b"2 1\n" + b" " * 9000 + b"2\n1\n", ":2: expected a line of at most 8240 "
     "bytes", *METIS),
    # TNTP
    ("TNTP, no nodes", b"<NUMBER OF LINKS> 1\n<END OF METADATA>\n", ":2: expected '<NUMBER OF NODES>' "
     "before the end of the metadata"),
    ("TNTP, no links", b"<NUMBER OF NODES> 1\n<END OF METADATA>\n", ":2: expected '<NUMBER OF LINKS>'"),
    ("TNTP, no end of tags", b"<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 1\n" + LINK,
     ":3: expected a tag such as '<NUMBER OF NODES>', or '<END OF METADATA>' before the links, found "
     "'1'"),
    ("TNTP, tags alone", b"<NUMBER OF NODES> 3\n", ":1: expected <END OF METADATA>, found the end of "
     "the file"),
    ("TNTP, half a tag", b"<NUMBER OF NODES> 3\n<NUMBER\n", ":2: expected a tag such as"),
    ("TNTP, no number", b"<NUMBER OF NODES>\n", ":1: expected a number after the tag, found the end of "
     "the line where the number of nodes should be"),
    ("TNTP, two numbers", b"<NUMBER OF NODES> 3 4\n", ":1: expected a number after the tag, found '4'"),
    ("TNTP, no vertices", b"<NUMBER OF NODES> 0\n", ":1: expected the number of nodes in 1 .. "),
    ("TNTP, fewer links", TAGS, ":3: expected 1 edges, found the end of the file after 0"),
    ("TNTP, more links", TAGS + LINK + LINK, ":5: expected the end of the file after 1 edges"),
    ("TNTP, more after it", TAGS + LINK.replace(b";", b"; 7"), ":4: expected the end of the line after "
     "';', found '7' after it"),
    ("TNTP, a cut row", TAGS + b"1 2 900 5 ;\n", ":4: expected 5 columns, from init_node to "
     "free_flow_time, found 4"),
    ("TNTP, a decimal time", TAGS + LINK.replace(b"\t6\t", b"\t6.5\t"), ":4: expected an integer for "
     "the weight w, found '6.5'; --scale K", *INT32),
    ("TNTP, a decimal column", TAGS + LINK, ":4: expected an integer for the weight w, found '0.15'",
     "--weight-column", "b", *INT32),
    ("TNTP, no such column", TAGS + LINK, ": --weight-column: expected one of capacity .. link_type of "
     "a TNTP network, found 'time'", "--weight-column", "time"),
    ("TNTP, a node for a weight", TAGS + LINK, ": --weight-column: expected one of capacity .. ",
     "--weight-column", "init_node"),
    ("XML", b"<?xml version='1.0'?>\n<graphml>\n", ": expected a graph, found GraphML; "),
]

# Legal files of formats that have no golden one, options, and the graph that they mean.
PATH = Graph(3, [(0, 1, 5), (1, 2, 7)])
ONES = Graph(3, [(0, 1, 1), (1, 2, 1)])
LEGAL = [
    (b"# nothing more\n0 1 5\n1 2 7\n", [], PATH),
    (b"#\n\n# Nodes: 9 Edges: 9\n0\t1\n# between\n1\t2\n#", [], ONES),
    (b"#\n 0  1\n1\t 2 \n", [], ONES),
    (b"0 1\n1 2\n", ["--input-format", "snap"], ONES),
    (b"0\t1\t5\n1\t2\t7\n", ["--input-format=snap"], PATH),
    (b"0 1 5\n1 2 7\n", ["--input-format", "wel"], PATH),
    (b"#\n0 1\n1 2\n", ["--scale", "10"], Graph(3, [(0, 1, 10), (1, 2, 10)])),
    (b"source,target\n0,1\n1,2\n", [], ONES),
    (b"source,target,weight\n0,1,5\n1,2,7\n", [], PATH),
    (b"SOURCE , \"Target\", W\n0 , 1,5.0\n\"1\",2, \"7\" \n", [], PATH),
    (b"Weight;from_id;To Node\n5;0;1\n\n7;1;2\n", [], PATH),
    (b"FromNodeId\tToNodeId\tcost\n0\t1\t5\n1\t2\t7e0\n", [], PATH),
    (b"Source,Target,Type,Id,Label,Weight\n0,1,Directed,0,\"a, \"\"b\"\"\",5\n1,2,,,,7\n", [], PATH),
    (b"c,u,v,w\n,0,1,5\n,1,2,7\n", [], PATH),
    (b"c-\nc u, v\np sp 2 1\na 1 2 5\n", [], Graph(2, [(0, 1, 5)])),
    (b"u,v,length,time\n0,1,5,9\n1,2,7,9\n", [], PATH),
    (b"u,v,length,time\n0,1,9,5\n1,2,9,7\n", ["--weight-column", "Time"], PATH),
    (b"u,v,length,cost\n0,1,9,5\n1,2,9,7\n", ["--weight-column=cost"], PATH),
    (b"u,v,w\n0,1,0.5\n1,2,.7\n", ["--scale", "10"], PATH),
    (TAGS + LINK, [], Graph(3, [(0, 1, 6)])),
    (TAGS.lower() + b"~ a comment\n" + LINK.replace(b"\t", b" "), [], Graph(3, [(0, 1, 6)])),
    (TAGS + LINK, ["--weight-column", "length"], Graph(3, [(0, 1, 5)])),
    (TAGS + LINK, ["--weight-column", "B", "--scale", "100"], Graph(3, [(0, 1, 15)])),
    (b"<ORIGINAL HEADER>~ x ;\n~\n<FIRST THRU NODE> 9\n" + TAGS + LINK.replace(b"6", b"6.0"), [],
     Graph(3, [(0, 1, 6)])),
    (MTX + b"unsigned-integer general\n3 3 2\n1 2 5\n2 3 7\n", [], PATH),
    (MTX + b"integer skew-symmetric\n3 3 2\n2 1 -5\n3 2 -7\n", [],
     Graph(3, PATH.edges + [(1, 0, -5), (2, 1, -7)])),
    (MTX + b"integer skew-symmetric\n3 3 2\n2 1 -5\n3 2 -7\n", ["--undirected", "--unweighted"],
     Graph(3, ONES.edges + [(1, 0, 1), (2, 1, 1)])),
    (MTX + b"real skew-symmetric\n3 3 2\n2 1 -.5\n3 2 -.7\n", ["--scale", "10"],
     Graph(3, PATH.edges + [(1, 0, -5), (2, 1, -7)])),
    (b"% c\n3 2\n2\n%\n1 3\n2\n", METIS, Graph(3, ONES.edges + [(1, 0, 1), (2, 1, 1)])),
    (b"3 1 000\n\n3\n2", METIS, Graph(3, [(1, 2, 1), (2, 1, 1)])),
    (b"3 0\n\n\n\n", METIS, Graph(3, [])),
    (b"3 2\n2\n1 3\n2\n", [*METIS, "--undirected"], Graph(3, ONES.edges + [(1, 0, 1), (2, 1, 1)])),
    (b"2 1 1\n2 0.5\n1 0.5\n", [*METIS, "--scale=2"], Graph(2, [(0, 1, 1), (1, 0, 1)])),
]

# The option's value, the weight, and the message (None: accepted).
SCALED = [
    ("1", "5", None), ("1", "5.0", None), ("10", "-2.5", None), ("1000", ".001", None),
    ("1000000000", "0.000000001", None), ("4", "0.25", None), ("100", "0.29", None),
    ("3", "1e2", None), ("1000", "2147483.647", None), ("1000", "-2147483.648", None),
    ("10", "2.55", "expected an integer for the weight w times 10, found '2.55'"),
    ("3", "0.3333333333333333", "expected an integer for the weight w times 3, found"),
    ("1000", "2147483.648", "expected the weight w times 1000 in -2147483648 .. 2147483647"),
    ("1000", "3000000", "expected the weight w times 1000 in"),
    ("10", "1,5", "found '1,5' where the weight w should be"),
    ("10", "nan", "found 'nan' where the weight w should be"),
]


class Golden(ProgramTest):

    def test_distances_and_proofs(self):
        for name, options, graph in FILES:
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read()
            for suffix, data in (("", content), (".gz", gzip.compress(content)),
                                 (".crlf", content.replace(b"\n", b"\r\n"))):
                with self.subTest(name=name + suffix, options=options):
                    self.write("g", data)
                    self.succeeds("cpu", "g", *options)
                    result = self.result()
                    self.assertEqual((result.n, result.m), (graph.n, len(graph.edges)))
                    self.assertEqual(result.dist, distances_of(graph))
                    self.proves("-g", "g", "output.txt", *options)
                    self.write("expected.txt", solved(graph).text())
                    self.proves("-g", "g", "expected.txt", *options)

    def test_one_graph_has_one_checksum(self):
        checksums = set()
        for name, options, graph in FILES:
            if graph is EXAMPLE_6:
                self.succeeds("cpu", os.path.join(GOLDEN, name), *options)
                checksums.add(self.result().note("graph checksum"))
        self.assertEqual(len(checksums), 1)

    def test_every_program_that_reads_graphs_reads_them(self):
        self.write("wrong.gr", b"p sp 2 1\na 1 3 5\n")
        for program in ("cpu", "cuda_simple", "cuda_blocked"):
            with self.subTest(program):
                self.fails(BAD_INPUT, "wrong.gr:2: expected the head v", program, "wrong.gr")
                self.fails(BAD_INPUT, "decimal.wel:1: expected an integer for the weight w times 2",
                           program, os.path.join(GOLDEN, "decimal.wel"), "--scale", "2", "-u")
        self.fails(BAD_INPUT, "wrong.gr:2: expected the head v", "verify", "-g", "wrong.gr", "r")

    def test_from_standard_input(self):
        for name in ("example_6.gr", "example_6.mtx", "example_6.wel"):
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read()
            for data in (content, gzip.compress(content)):
                self.succeeds("cpu", "-", stdin=data)
                self.assertEqual(self.result().dist, distances_of(EXAMPLE_6))


class Legal(ProgramTest):

    def test_table(self):
        for content, options, graph in LEGAL:
            for suffix, data in (("", content), (".gz", gzip.compress(content)),
                                 (".crlf", content.replace(b"\n", b"\r\n")),
                                 (".mark", b"\xef\xbb\xbf" + content),
                                 (".end", content.rstrip(b"\n") if METIS[1] not in options
                                  else content)):
                with self.subTest(content=content, suffix=suffix, options=options):
                    self.write("g", data)
                    self.succeeds("cpu", "g", *options, may_note="left aside")
                    self.assertEqual(self.result().dist, distances_of(graph))
                    self.assertEqual(self.result().m, len(graph.edges))
                    self.proves("-g", "g", "output.txt", *options, may_note="left aside")

    def test_documented_columns(self):
        """Every name of a column of tables that docs/graph-formats.md lists, and those of a network's links."""
        with open(PAGE, encoding="utf-8") as file:
            rows = dict(re.findall(r"^\| (tail|head|weight) \w \| (`.*`) \|$", file.read(), re.MULTILINE))
        tails, heads, weights = (re.findall(r"`(\w+)`", rows[what]) for what in ("tail", "head", "weight"))
        pairs = [(tail, heads[0]) for tail in tails] + [(tails[0], head) for head in heads]
        for k, ends in enumerate(pairs + [("start", "end"), ("i", "j"), ("init", "term"), ("v_1", "v_2")]):
            names = [end + ("", "_id", " Node", "-VERTEX")[k % 4] for end in ends]
            self.write("g", "%s,%s,%s\n1,5,0\n2,7,1\n" % (names[1], weights[k % len(weights)], names[0]))
            with self.subTest(names):
                self.succeeds("cpu", "g")
                self.assertEqual(self.result().dist, distances_of(PATH))
        self.write("g", TAGS + b"1 2 3 4 5 6 7 8 9 10 ;\n")
        for k, name in enumerate(TNTP_COLUMNS.split()[2:], 3):
            self.succeeds("cpu", "g", "--weight-column", name)
            self.assertEqual(self.result().dist[0][1], k)

    def test_metis(self):
        """Random graphs, with every kind of numbers before the neighbours."""
        rng = random.Random(8)
        pairs = sorted({(rng.randrange(u), u) for u in range(1, 30) for _ in range(3)})
        for fmt in ("", "0", "1", "001", "10", "011", "11 3", "100", "101", "110 2", "111", "111 5"):
            with_weights = fmt.split()[:1] != [] and fmt.split()[0].endswith("1")
            edges = [(u, v, rng.randrange(50) if with_weights else 1) for u, v in pairs]
            with self.subTest(fmt):
                self.write("g", metis(31, edges, fmt or "0").replace(" 0\n", " \n", fmt == ""))
                self.succeeds("cpu", "g", *METIS)
                both = Graph(31, edges + [(v, u, w) for u, v, w in edges])
                self.assertEqual(self.result().dist, distances_of(both))
                self.assertEqual(self.result().m, 2 * len(edges))
                self.proves("-g", "g", "output.txt", *METIS)

    def test_long_lists_of_metis(self):
        """A star: the list of its middle is longer than lines of other formats may be, as is one with a
        thousand weights of a vertex."""
        self.write("g", metis(3, [(0, 1, 1)], "10 1000").replace("9", "9" * 18))
        self.succeeds("cpu", "g", *METIS)
        self.assertEqual(self.result().dist, [[0, 1, None], [1, 0, None], [None, None, 0]])
        n = 4000
        self.write("g", metis(n, [(0, v, 1000000000 + v) for v in range(1, n)]))
        self.assertGreater(len(self.read("g").split(b"\n")[1]), 60000)
        self.fails(BAD_INPUT, "is out of range", "cpu", "-d", *METIS, "g", "--variant", "johnson", "-o",
                   "/dev/null", "--type", "int32")
        self.write("g", metis(n, [(0, v, 1) for v in range(1, n)], "0"))
        self.succeeds("cpu", "-d", *METIS, "g", "--variant", "johnson", "-o", "/dev/null")

    def test_what_may_be_several_formats_is_named(self):
        """Two integers: |V| and |E|, an edge, or the head of METIS."""
        self.write("g", "3 3\n0 1 5\n1 2 7\n2 0 1\n")
        self.succeeds("cpu", "g")
        self.assertEqual((self.result().n, self.result().m), (3, 3))
        self.write("g", "4 4\n2 4\n1 3\n2 4\n1 3\n")
        self.fails(BAD_INPUT, "g:1: expected a graph, found what may be a list of edges or METIS's lists",
                   "cpu", "g")
        for format, size in (("metis", (4, 8)), ("snap", (4, 5))):
            self.succeeds("cpu", "g", "--input-format", format)
            self.assertEqual((self.result().n, self.result().m), size)

    def test_named_formats(self):
        """A format that is named is demanded; those that are told by the content may be named."""
        for name in FORMATS:
            self.write(name, in_format(name, 2, [(0, 1, 5)]))
        for name in FORMATS:
            for other in FORMATS:
                with self.subTest(name=name, other=other):
                    if name == other or name == "wel" and other in ("snap", "csv"):
                        self.succeeds("cpu", name, "--input-format", other)
                    else:
                        self.fails(BAD_INPUT, "%s:" % name, "cpu", name, "--input-format", other)
        for program, args in (("cpu", []), ("apsp", []), ("verify", ["r"])):
            self.fails(BAD_INPUT, "--input-format: expected one of %s, found 'graphml'"
                       % "|".join(documented_formats()), program, "--input-format", "graphml", *args)

    def test_documented(self):
        """docs/graph-formats.md has a row, a section and an example of each format that there is."""
        with open(PAGE, encoding="utf-8") as file:
            sections = re.split(r"^##+ ", file.read(), flags=re.MULTILINE)[1:]
        anchors = [re.sub(r"[^\w -]", "", text.split("\n")[0].lower()).replace(" ", "-")
                   for text in sections]
        help_text = self.succeeds("cpu", "--help").out.decode()
        self.assertEqual(re.search(r"--input-format=(\S+)", help_text).group(1).split("|"),
                         list(documented_formats()))
        for name, anchor in documented_formats().items():
            self.assertIn(anchor, anchors, name)
            self.assertRegex(sections[anchors.index(anchor)], r"```text file=\S+", name)


class Generated(ProgramTest):

    def checksum(self, name, *options):
        """A list of edges leaves out vertices without edges."""
        if name.split(".")[1] in ("wel", "snap", "csv"):
            options = (*options, "--keep-gaps")
        self.succeeds("cpu", name, "-o", "out.txt", "-d", *options)
        return self.result("out.txt").note("graph checksum")

    def test_round_trips(self):
        """graphgen -> every format, plain and gzip -> the same checksum; and the
        same edges in the same order as thesis text has them."""
        for args in (["--v", 1, "--edges", 0], ["--v", 2, "--edges", 2], ["--v", 7, "--edges", 0],
                     ["--v", 40, "--edges", 25], ["--v", 90, "--density", "50%", "--weights",
                      "-2147483648:2147483647"], ["--v", 150, "--density", "2%", "--seed", 3]):
            self.succeeds("graphgen", *args, "-o", "g.text")
            expected = graph_of_text(self.read("g.text").decode("ascii"))
            # Not every graph can be solved, but a matrix of one weight can.
            solvable = "--weights" not in [str(arg) for arg in args]
            checksums = set()
            for name in FORMATS:
                with self.subTest(args=args, format=name):
                    self.succeeds("graphgen", *args, "--format", name, "-o", "g." + name)
                    edges = list(expected.edges)
                    if name not in SIZED and not any(expected.n - 1 in edge[:2] for edge in edges):
                        edges.append((expected.n - 1, expected.n - 1, 0))
                    lines = in_format(name, expected.n, edges).replace("c made by a test\n", "")
                    lines = lines.replace("real general\n%\n", "integer general\n")
                    self.assertEqual(self.read("g." + name).decode("ascii"), lines)
                    if solvable:
                        self.write("g.%s.gz" % name, gzip.compress(self.read("g." + name)))
                        checksums.add(self.checksum("g." + name))
                        checksums.add(self.checksum("g.%s.gz" % name))
            self.assertLessEqual(len(checksums), 1)

    def test_very_many_vertices(self):
        for name, start in (("gr", b"p sp 2147483647 3\na "), ("mtx", MTX + b"integer general\n"
                                                              b"2147483647 2147483647 3\n")):
            out = self.succeeds("graphgen", "--v", INT32_MAX, "--edges", 3, "--format", name, "-o",
                                "-").out
            self.assertTrue(out.startswith(start))
        out = self.succeeds("graphgen", "--v", INT32_MAX, "--edges", 0, "--format", "wel", "-o",
                            "-").out
        self.assertEqual(out, b"2147483646 2147483646 0\n")

    def test_unknown_format(self):
        for name in ("", "dimacs", "TEXT", "npy"):
            self.fails(BAD_INPUT, "--format: expected one of " + "|".join(FORMATS), "graphgen", "--v", 3,
                       "--edges", 2, "--format", name)
        self.assertEqual(self.files(), [])


class Mangled(ProgramTest):

    def test_table(self):
        for what, content, expected, *options in MANGLED:
            with self.subTest(what):
                self.write("g", content)
                finished = self.fails(BAD_INPUT, expected, "cpu", "g", *options)
                self.assertTrue(finished.err.startswith("cpu: g:"))
                self.assertEqual(self.files(), ["g"])
        for what, content, expected, *options in MANGLED[::7]:
            with self.subTest(what, program="verify"):
                self.write("g", content)
                self.fails(BAD_INPUT, expected, "verify", "-g", "g", "r", *options)

    def test_every_truncation(self):
        """A file cut anywhere is refused, unless all edges are there; of GAP's, which
        do not say how many they are, nothing else is promised."""
        for name in ("example_6.gr", "example_6.mtx", "undirected.mtx", "pattern.mtx"):
            with open(os.path.join(GOLDEN, name), "rb") as file:
                content = file.read().rstrip(b"\n")
            for size in range(0, len(content), 3):
                # A weight that loses its last digits is a weight all the same.
                whole = content[:size].count(b"\n") == content.count(b"\n")
                if whole and content[size - 1:size].isdigit():
                    continue
                with self.subTest(name=name, size=size):
                    self.write("g", content[:size])
                    finished = self.fails(BAD_INPUT, "", "cpu", "g")
                    self.assertRegex(finished.err, r"^cpu: g:")

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_sizes_that_no_bytes_back(self):
        """|V| is refused by the memory it needs, |E| where the file ends."""
        little = {"preexec_fn": limited(RLIMIT_AS=256 * 2**20)}
        for content in (b"p sp 2147483647 0\n", MTX + b"integer general\n2147483647 2147483647 0\n",
                        MTX + b"pattern symmetric\n2147483647 2147483647 0\n",
                        b"<NUMBER OF NODES> 2147483647\n<NUMBER OF LINKS> 0\n<END OF METADATA>\n"):
            self.write("g", content)
            self.fails(NO_RESOURCE, "g: 2147483647 vertices need", "cpu", "g", **little)
        self.write("g", b"2147483647 99999999999999999\n")
        self.fails(NO_RESOURCE, "g: 2147483647 vertices need", "cpu", "g", *METIS, **little)
        for content in (b"p sp 3 4000000000\na 1 2 5\n",
                        MTX + b"integer general\n3 3 4000000000\n1 2 5\n"):
            self.write("g", content)
            self.fails(BAD_INPUT, "expected 4000000000 edges, found the end of the file after 1",
                       "cpu", "g", **little)


class Options(ProgramTest):

    def test_scale(self):
        for name in FORMATS:
            for scale, weight, message in SCALED:
                with self.subTest(format=name, scale=scale, weight=weight):
                    self.write("g", in_format(name, 2, [(0, 1, weight)]))
                    args = ["g", "--scale", scale, "-d", *INT32]
                    if message is not None:
                        self.fails(BAD_INPUT, message, "cpu", *args)
                        continue
                    exact = Fraction(weight) * int(scale)
                    edges = [(0, 1, int(exact))]
                    self.assertEqual(exact, edges[0][2])
                    if not -2**30 < exact < 2**30:  # read, but no distance
                        self.fails(BAD_INPUT, "the distance from ", "cpu", *args)
                        continue
                    self.succeeds("cpu", *args)
                    self.assertEqual(self.result().dist, distances_of(Graph(2, edges)))

    def test_random_decimals(self):
        """Against Python's fractions; thousandths, as prices and lengths are."""
        rng = random.Random(5)
        edges = [(rng.randrange(30), rng.randrange(30), rng.randrange(10**7)) for _ in range(300)]
        for name in FORMATS:
            self.write("g", in_format(name, 30, [(u, v, "%d.%03d" % divmod(w, 1000))
                                                 for u, v, w in edges]))
            self.succeeds("cpu", "g", "--scale", "1000")
            self.assertEqual(self.result().dist, distances_of(Graph(30, edges)))
            self.proves("-g", "g", "--scale", "1000", "output.txt")
            self.fails(BAD_INPUT, "times 100", "cpu", "g", "--scale", "100")

    def test_refused_values(self):
        self.write("graphFile.txt", EXAMPLE_6)
        for value in ("0", "-1", "1.5", "x", "", "1000000001"):
            for program, args in (("cpu", []), ("cuda_blocked", []), ("verify", ["output.txt"])):
                self.fails(BAD_INPUT, "--scale: expected an integer in 1 .. 1000000000", program,
                           "--scale", value, *args)

    def test_undirected(self):
        """In every format: what both directions written out give."""
        rng = random.Random(6)
        edges = [(rng.randrange(40), rng.randrange(40), rng.randrange(50)) for _ in range(60)]
        both = Graph(40, edges + [(v, u, w) for u, v, w in edges if u != v])
        for name in FORMATS:
            with self.subTest(name):
                self.write("g", in_format(name, 40, edges + [(39, 39, 0)]))
                gaps = ["--keep-gaps"] if name in ("wel", "snap", "csv") else []
                self.succeeds("cpu", "g", "--undirected", *gaps)
                self.assertEqual(self.result().dist, distances_of(both))
                self.assertEqual(self.result().m, len(both.edges) + 1)
                self.proves("-g", "g", "--undirected", "output.txt", *gaps)
                self.fails(REFUTED, "belongs to another graph than g", "verify", "-g", "g",
                           "output.txt", *gaps)

    def test_zones(self):
        """No path leads through nodes 1 and 2, in rows, measures and proofs."""
        edges = [(0, 2, 1), (2, 0, 1), (2, 1, 1), (1, 3, 1), (3, 1, 2), (2, 3, 9), (3, 2, 9), (0, 1, 7)]
        self.write("g", in_format("tntp", 4, edges).replace("NODE> 1", "NODE> 3"))
        through, noted = ["--through-zones"], "lead through the 2 zones|leads through the 2 zones"
        self.succeeds("cpu", "g", "-o", "around.txt", noted="no path leads through the 2 zones")
        self.assertEqual(self.result("around.txt").dist,
                         [[0, 2, 1, 10], [11, 0, 10, 1], [1, 1, 0, 9], [10, 2, 9, 0]])
        self.succeeds("cpu", "g", *through, noted=noted)
        self.assertEqual(self.result().dist, distances_of(Graph(4, edges)))
        self.succeeds("apsp", "g", "--measures=m", "--check", noted=noted)
        for result in ("around.txt", "m.json"):
            self.succeeds("verify", "-g", "g", result, noted=noted)
        for status, expected, command in (
                (REFUTED, "this result belongs to another graph", ["verify", "-g", "g", "around.txt", *through]),
                (REFUTED, "is 2, a zone, and no path leads through zones", ["verify", "-g", "g", "output.txt"]),
                (BAD_INPUT, "found 2 zones", ["apsp", "--index", "g", "-o", "i"])):
            finished = self.run_program(*command)
            self.assertEqual(finished.status, status)
            self.assertIn(expected, finished.err)

    def test_a_negative_edge_both_ways_is_a_negative_cycle(self):
        self.write("g", b"0 1 -3\n")
        self.succeeds("cpu", "g")
        self.fails(NEGATIVE_CYCLE, "weight -6", "cpu", "g", "-u")

    def test_extreme_weights_keep_their_sign(self):
        for name in FORMATS:
            self.write("g", in_format(name, 2, [(0, 1, INT32_MAX), (1, 0, 1 - 2**30)]))
            self.fails(BAD_INPUT, "is out of range", "cpu", "g")
            self.write("g", in_format(name, 2, [(0, 0, INT32_MIN)]))
            self.fails(NEGATIVE_CYCLE, str(INT32_MIN), "cpu", "g")

    def test_help(self):
        for program in ("cpu", "cuda_simple", "cuda_blocked", "verify"):
            text = self.succeeds(program, "--help").out.decode("utf-8")
            self.assertIn("--undirected", text)
            self.assertIn("--scale=K", text)
            self.assertIn("--input-format=" + "|".join(documented_formats()), text)
            self.assertIn("--weight-column=COL", text)
        self.assertIn("--format=" + "|".join(FORMATS), self.succeeds("graphgen", "--help").out.decode("utf-8"))


if __name__ == "__main__":
    unittest.main()
