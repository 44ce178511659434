# SPDX-License-Identifier: MIT
"""Distance indices: apsp --index, query and verify, beside a matrix of the same graph."""

import json
import os
import struct
import unittest
import zlib

from support import BAD_INPUT, OK, REFUTED, ProgramTest

INF = 2**30 - 1


class Index(ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeeds("graphgen", "--v", "300", "--family", "road", "--seed", "4", "--format", "gr",
                      "-o", "g.gr")
        self.succeeds("apsp", "--index", "g.gr", "-o", "g.apspx")
        self.succeeds("cpu", "g.gr", "-d", "-o", "g.txt")
        with open(self.path("g.txt"), encoding="utf-8") as file:
            self.matrix = [line.split() for line in file if "\t" in line]

    def path(self, name):
        return os.path.join(self.directory, name)

    def query(self, *args, **how):
        return self.succeeds("query", "g.apspx", *args, **how).out.decode()

    def test_distances(self):
        """Vertices are numbered from 1, as in the graph's file."""
        self.assertEqual(len(self.matrix), 300)
        self.assertEqual(self.query("1", "300"), self.matrix[0][299] + "\n")
        answer = json.loads(self.query("1", "300", "--json"))
        self.assertEqual((answer["from"], answer["to"], answer["distance"]),
                         (0, 299, int(self.matrix[0][299])))
        self.assertEqual(self.query("--row", "7").split(), self.matrix[6])
        pairs = [(s, t) for s in range(0, 300, 7) for t in range(0, 300, 11)]
        text = "".join("%d\t%d\n" % (s + 1, t + 1) for s, t in pairs)
        self.assertEqual(self.query("--pairs", "-", stdin=text.encode()).split(),
                         [self.matrix[s][t] for s, t in pairs])
        sources = [3, 1, *range(40, 80)]  # of several blocks of query_cells
        table = self.query("--table", ",".join(map(str, sources)), "5-7").splitlines()
        self.assertEqual(table, ["source,5,6,7"] + ["%d," % s + ",".join(self.matrix[s - 1][4:7])
                                                    for s in sources])

        self.query("--table", "3,1", "5-7", "-o", "t.npy")
        data = self.read("t.npy")
        self.assertIn(b"'shape': (2, 3)", data)
        self.assertEqual(list(struct.unpack("<6i", data[-24:])),
                         [int(self.matrix[s][t]) for s in (2, 0) for t in (4, 5, 6)])

    def test_path(self):
        lines = self.query("--path", "1", "300").splitlines()
        with open(self.path("g.gr"), encoding="utf-8") as file:
            weights = {tuple(line.split()[1:3]): int(line.split()[3])
                       for line in file if line.startswith("a ")}
        total, at = 0, "1"
        for line in lines[1:]:
            ends, weight, distance = line.split("\t")
            tail, head = ends.split(" -> ")
            self.assertEqual(tail, at)
            self.assertEqual(weight, "weight %d" % weights[tail, head])
            total, at = total + weights[tail, head], head
            self.assertEqual(distance, "distance %d" % total)
        self.assertEqual((str(total), at), (self.matrix[0][299], "300"))

    def test_names_in_pairs(self):
        """A tab separates the two names of a pair; without a tab, a comma does; without either, a blank does. A name
        that contains the separator of its line must be in quotes."""
        self.write("n.csv", 'from,to,w\n"A, b",C,3\nC,D 1,4\n')
        self.succeeds("apsp", "--index", "n.csv", "-o", "n.apspx", "-q")
        pairs = '"A, b",C\n"A, b"\tD 1\n"A, b" C\nC, D 1\nA, b\tD 1\nC\tA, b\n'
        self.assertEqual(self.succeeds("query", "n.apspx", "--pairs", "-", stdin=pairs).out.split(),
                         [b"3", b"7", b"3", b"4", b"7", b"INF"])
        for line, text in (('"A, b', "a quote without a second one"), ('"A, b"C D 1', "a quote without"),
                           ("A, b, C", "expected two vertices, found more")):
            self.fails(BAD_INPUT, text, "query", "n.apspx", "--pairs", "-", stdin=line + "\n")

    def test_names(self):
        """Measures speak them, and an index of vertices that are called otherwise is of another graph."""
        for graph, *others in (
                ("a b 3\nb c 4\n", ("x b 3\nb c 4\n", 0, "x", "a"), ("a c 3\nc b 4\n", 1, "c", "b")),
                ("5 7 3\n7 20 4\n", ("5 7 3\n7 21 4\n", 2, 21, 20), ("0 1 3\n1 2 4\n", 0, 0, 5))):
            self.write("n", graph)
            self.succeeds("apsp", "--index", "n", "-o", "n.apspx", "-q")
            printed = self.succeeds("query", "n.apspx", "--measures=q").out
            self.assertEqual(self.succeeds("cpu", "n", "--measures=c", "-q").out, b"")
            self.assertEqual(self.read("q.csv"), self.read("c.csv"))
            self.assertIn(b", from %s to %s\n" % (graph.split()[0].encode(), graph.split()[4].encode()), printed)
            s, t = graph.split()[:5:4]
            for path in [], ["--path"]:
                said = json.loads(self.succeeds("query", "n.apspx", s, t, "--json", *path).out)
                self.assertEqual([said[name] for name in ("from", "from_id", "to", "to_id", "distance")],
                                 [0, s, 2, t, 7])
            for other, *differs in others:
                self.write("o", other)
                self.fails(REFUTED, "names: expected those of the graph, whose vertex %d is %s, found others, "
                           "vertex %d of which is %s" % (*differs[:2], differs[0], differs[2]),
                           "verify", "n.apspx", "-g", "o", "-q")

    def test_measures(self):
        """Measures of an index's rows are those of the solver, file by file."""
        self.query("--measures=q", "-q")
        self.succeeds("cpu", "g.gr", "--measures=c", "-q")
        for name in ("q.csv", "c.csv"):
            self.assertTrue(os.path.exists(self.path(name)))
        with open(self.path("q.csv"), "rb") as ours, open(self.path("c.csv"), "rb") as other:
            self.assertEqual(ours.read(), other.read())
        done = self.succeeds("verify", "q", "--graph", "g.gr")
        self.assertEqual(done.err, "")
        # One street leads one way, and is on no shortest path: distances are those of an undirected graph.
        self.write("o.txt", "1 0 1\n0 1 1\n0 2 1\n2 0 1\n1 2 5\n")
        self.succeeds("apsp", "--index", "o.txt", "-o", "o.apspx", "-q")
        self.succeeds("query", "o.apspx", "--measures=q", "-q")
        self.succeeds("cpu", "o.txt", "--measures=c", "-q")
        self.assertEqual(self.read("q.csv"), self.read("c.csv"))
        self.query("--measures=q", "-q")
        measures = json.loads(self.query("--measures", "--json"))["measures"]
        written = json.loads(self.read("q.json"))
        self.assertEqual(measures, {name: written[name] for name in measures})
        self.assertEqual(self.query("--measures", "-q"), self.query("--measures"))

    def test_verify(self):
        done = self.succeeds("verify", "g.apspx", "--graph", "g.gr")
        self.assertIn(b"all distances and merged edges of 300 vertices are exact", done.out)
        done = self.succeeds("verify", "g.apspx", "--graph", "g.gr", "--sample", "9", "--json")
        self.assertEqual(json.loads(done.out)["rows"], 9)
        self.assertIsNone(json.loads(done.out)["device"])
        self.succeeds("graphgen", "--v", "300", "--family", "road", "--seed", "5", "--format", "gr",
                      "-o", "h.gr")
        done = self.run_program("verify", "g.apspx", "--graph", "h.gr")
        self.assertEqual(done.status, REFUTED)
        self.assertIn("of another graph", done.err)
        for option in ("--sample", "--device"):
            done = self.run_program("verify", "g.txt", "--graph", "g.gr", option, "9")
            self.assertEqual(done.status, BAD_INPUT)
            self.assertIn(option + ": expected a distance index", done.err)

    def test_verify_without_device(self):
        """The CPU proves what a GPU cannot, and verify says so."""
        for args in (["--device", "1000"], ["--device", "0", "--sample", "9"]):
            done = self.run_program("verify", "g.apspx", "--graph", "g.gr", "--json", *args)
            self.assertEqual(done.status, OK)
            self.assertIsNone(json.loads(done.out)["device"])
            self.assertIn("the rows were proved on the CPU: ", done.err)

    def test_damage(self):
        """A section is damaged: only verify reads all of it."""
        with open(self.path("g.apspx"), "r+b") as file:
            file.seek(-2000, os.SEEK_END)
            byte = file.read(1)
            file.seek(-2000, os.SEEK_END)
            file.write(bytes([byte[0] ^ 1]))
        self.assertEqual(self.run_program("query", "g.apspx", "1", "2").status, OK)
        done = self.run_program("verify", "g.apspx", "--graph", "g.gr")
        self.assertEqual(done.status, BAD_INPUT)
        self.assertIn("is damaged: expected checksum", done.err)
        os.truncate(self.path("g.apspx"), 5000)
        done = self.run_program("query", "g.apspx", "1", "2")
        self.assertEqual(done.status, BAD_INPUT)
        self.assertIn("it is truncated", done.err)

    def test_cells_that_are_no_distances(self):
        """query --measures ends whatever the cells of a damaged index of real distances hold."""
        self.succeeds("graphgen", "--family", "road", "--v", 12, "--weights", "1:1000000000",
                      "--decimals", 9, "-o", "small.txt")
        self.succeeds("apsp", "--index", "small.txt", "-o", "small.apspx", "-q")
        with open(self.path("small.apspx"), "rb") as file:
            whole = file.read()
        found = set()
        for at in range(1007, len(whole), 8):  # the highest byte of a cell, behind the header
            with open(self.path("damaged.apspx"), "wb") as file:
                file.write(whole[:at] + b"\xff" + whole[at + 1:])
            done = self.run_program("query", "damaged.apspx", "--measures")
            self.assertIn(done.status, (OK, BAD_INPUT))
            found.add(done.status)
        self.assertEqual(found, {OK, BAD_INPUT})

    def test_every_field_of_the_header(self):
        """A number of the header that does not hold is noticed, also if all checksums are right."""
        names = ("magic version type directions vertices first_vertex largest edges checksum height "
                 "labels entries").split()
        names += ["%s of section %d" % (what, s) for s in range(13)
                  for what in ("offset", "bytes", "crc", "zero")]
        names += ["bytes", "directed", "loops", "spacing", "error", "cell", *(["zero"] * 8)]
        form = struct.Struct("<8sIIIiiiqIIQQ" + 13 * "QQII" + "QIIQQI" + 8 * "I")
        self.write_real("r.gr", lambda weight: repr(weight / 7))
        for graph, options in (("g.gr", []), ("g.gr", ["--both-directions"]), ("r.gr", []),
                               ("r.gr", ["--grid", "0.25"])):
            self.assertEqual(self.run_program("apsp", "--index", graph, "-o", "g.apspx", *options)
                             .status, OK)
            whole = self.read("g.apspx")
            fields = form.unpack(whole[:444])
            self.assertEqual((len(fields), zlib.crc32(whole[:444])),
                             (len(names), struct.unpack("<I", whole[444:448])[0]))
            self.assertEqual(fields[names.index("directions")], 1 + ("--both-directions" in options))
            for k, name in enumerate(names):
                steps = (-1, 1) if k > 0 else (0,)
                if "offset" in name:  # other places where a section may begin, up to the end
                    steps += (-64, 64, len(whole) // 64 * 64 - fields[k])
                for step in steps:
                    wrong = list(fields)
                    wrong[k] = b"APSPX\r\n\x1b" if k == 0 else wrong[k] + step
                    try:
                        head = form.pack(*wrong)
                    except struct.error:
                        continue
                    self.write("x.apspx", head + struct.pack("<I", zlib.crc32(head)) + whole[448:])
                    with self.subTest(field=name, step=step, graph=graph, options=options):
                        done = self.run_program("verify", "x.apspx", "-g", graph)
                        # No index has a spacing that is no power of two, or zeros that are none.
                        self.assertIn(done.status, (BAD_INPUT,) if "zero" in name or name == "spacing"
                                      else (REFUTED, BAD_INPUT))
        self.succeeds("apsp", "--index", "g.gr", "-o", "g.apspx")
        text = self.read("g.gr").decode().splitlines()
        moved = [" ".join(["a", *(str(int(end) - 1) for end in line.split()[1:3]), line.split()[3]])
                 if line.startswith("a ") else line for line in text]
        self.write("zero.gr", "\n".join(moved) + "\n")
        self.fails(REFUTED, "expected vertices numbered from 0, as zero.gr numbers them, found from 1",
                   "verify", "g.apspx", "-g", "zero.gr", "--vertices-from", "0")

    def write_real(self, name, weight):
        """The graph with other weights."""
        lines = self.read("g.gr").decode().splitlines()
        self.write(name, "\n".join(
            " ".join([*line.split()[:3], weight(int(line.split()[3]))]) if line[0] == "a" else line
            for line in lines) + "\n")

    def test_real_weights(self):
        """On a grid by nature, rounded to one that is asked for, and rounded because they must be:
        the distances of the rounded weights, with the bound that is said."""
        for weight, grid, cell in ((lambda w: repr(w / 8), [], 4),
                                   (lambda w: repr(w * 1234567891 / 8), [], 8),
                                   (lambda w: repr(w / 7), [], 8),
                                   (lambda w: repr(w / 7), ["--grid", "0.25"], 4)):
            self.write_real("r.gr", weight)
            plan = self.run_program("apsp", "--index", "--plan", "r.gr", "--json", *grid)
            done = self.run_program("apsp", "--index", "r.gr", "-o", "r.apspx", "--json", *grid)
            plan, made = json.loads(plan.out), json.loads(done.out)
            most = plan.pop("most_bytes", made["bytes"])
            self.assertEqual(({**made, **plan}, cell == 8 and most or made["bytes"]), (made, made["bytes"]))
            self.assertGreaterEqual(most, made["bytes"])
            self.assertLess(made["distance_bytes"], cell + 1)
            self.assertEqual((made["cell_bytes"], made["type"], made["bytes"]),
                             (cell, "float64", os.path.getsize(self.path("r.apspx"))))
            is_rounded = weight(1) == repr(1 / 7)
            self.assertEqual(("rounded to multiples" in done.err, made["grid_error"] > 0),
                             (is_rounded, is_rounded))
            again = ["--grid", repr(made["grid_spacing"])] if is_rounded else []
            self.run_program("cpu", "r.gr", "-d", "-o", "r.txt", *again)
            with open(self.path("r.txt"), encoding="utf-8") as file:
                matrix = [line.split() for line in file if "\t" in line]
            for s in (0, 7, 299):
                row = self.succeeds("query", "r.apspx", "--row", s + 1).out.decode().split()
                self.assertEqual(row, matrix[s])
            table = self.succeeds("query", "r.apspx", "--table", "8", "1-300").out.decode()
            self.assertEqual(table.splitlines()[1].split(",")[1:], matrix[7])
            self.succeeds("query", "r.apspx", "--row", "8", "-o", "row.npy")
            self.assertEqual(struct.unpack("<300d", self.read("row.npy")[-2400:]),
                             tuple(map(float, matrix[7])))
            one = self.succeeds("query", "r.apspx", "8", "300").out.decode().strip()
            path = json.loads(self.succeeds("query", "r.apspx", "--path", "8", "300", "--json").out)
            self.assertEqual((one, path["edges"][-1]["distance"], path["distance"]),
                             (matrix[7][299], float(one), float(one)))
            self.assertIn(" distance %s, " % one,
                          self.succeeds("query", "r.apspx", "--path", "8", "300").out.decode())
            self.assertIn(b"all distances and merged edges of 300 vertices are exact",
                          self.run_program("verify", "r.apspx", "-g", "r.gr").out)
            self.succeeds("query", "r.apspx", "--measures=q", "-q")
            said = json.loads(self.read("q.json"))
            self.assertEqual((said.get("grid_spacing", 0), said.get("grid_error", 0)),
                             (made["grid_spacing"] * is_rounded, made["grid_error"]))
            self.assertEqual(self.run_program("verify", "q", "--graph", "r.gr").status, OK)
        done = self.run_program("verify", "r.apspx", "-g", "r.gr", "--grid", "1")
        self.assertEqual(done.status, REFUTED)
        self.assertIn("header: expected multiples of 1, the grid that the graph's", done.err)
        self.fails(BAD_INPUT, "found others, and that they are not to be rounded", "apsp", "--index",
                   "r.gr", "--grid", "off")
        self.fails(REFUTED, "expected int32 weights, found float64", "verify", "r.apspx", "-g", "g.gr",
                   "--type", "int32")

    def test_reweight(self):
        """The same bytes as of a new index, also over the old one; other edges are named by the
        vertices' names, and leave the file as it was."""
        self.write_real("w.gr", lambda weight: str(1 + weight * 7 % 1000))
        self.succeeds("apsp", "--index", "w.gr", "-o", "new.apspx")
        new, old = self.read("new.apspx"), self.read("g.apspx")
        lines = self.read("g.gr").decode().splitlines()
        last = max(k for k, line in enumerate(lines) if line[0] == "a")
        tail, head = lines[last].split()[1:3]
        self.write("less.gr", "\n".join(lines[:last] + ["a %s %s 5" % (tail, tail)]) + "\n")
        self.fails(BAD_INPUT, "the one from %s to %s is missing" % (tail, head), "apsp", "--index",
                   "less.gr", "--reweight", "g.apspx", "-o", "g.apspx")
        self.assertEqual(self.read("g.apspx"), old)
        self.succeeds("apsp", "--index", "w.gr", "--reweight", "g.apspx", "-o", "g.apspx")
        self.assertEqual(self.read("g.apspx"), new)
        self.fails(BAD_INPUT, "another kind of file", "apsp", "--index", "w.gr", "--reweight", "w.gr")
        self.assertEqual(self.run_program("apsp", "w.gr", "--reweight", "g.apspx").status, BAD_INPUT)

    def test_long_path_in_json(self):
        """Memory for the answer grows with the path, and it has what the text has."""
        n = 3000
        self.write("chain.txt", "%d %d\n" % (n, n - 1)
                   + "".join("%d %d %d\n" % (v, v + 1, 1 + v % 7) for v in range(n - 1)))
        self.succeeds("apsp", "--index", "chain.txt", "-o", "c.apspx", "--force")
        answer = json.loads(self.succeeds("query", "c.apspx", "--path", 0, n - 1, "--json").out)
        self.assertEqual(answer["path"], list(range(n)))
        self.assertEqual([edge["weight"] for edge in answer["edges"]],
                         [1 + v % 7 for v in range(n - 1)])
        self.assertEqual(answer["edges"][-1]["distance"], answer["distance"])
        answer = json.loads(self.succeeds("query", "c.apspx", "--path", n - 1, 0, "--json").out)
        self.assertEqual((answer["distance"], answer["path"], answer["edges"]), (None, None, None))

    def test_too_large(self):
        self.succeeds("graphgen", "--v", "700", "--density", "80%", "-o", "dense.txt")
        done = self.run_program("apsp", "--index", "dense.txt", "-o", "d.apspx")
        self.assertEqual(done.status, BAD_INPUT)
        self.assertIn("times as much as the matrix of all distances", done.err)
        self.assertFalse(os.path.exists(self.path("d.apspx")))
        self.succeeds("apsp", "--index", "dense.txt", "-o", "d.apspx", "--force")
        text = self.read("dense.txt").decode().splitlines()
        self.write("real.txt", "\n".join([text[0]] + [
            " ".join([*line.split()[:2], repr(int(line.split()[2]) / 7)]) for line in text[1:]]))
        self.run_program("apsp", "--index", "real.txt", "-o", "d.apspx", "--force")
        self.assertEqual(self.run_program("verify", "d.apspx", "-g", "real.txt").status, OK)

    def test_too_long(self):
        """A social network, whose index would be smaller than the matrix."""
        self.succeeds("graphgen", "--family", "power-law", "--degree", "4", "--v", "9000", "-o", "p.txt")
        self.fails(BAD_INPUT, "times as many as edges that Dijkstra's algorithm looks at", "apsp",
                   "--index", "p.txt", "-o", "p.apspx", "-q")

    def test_refused(self):
        self.write("p.txt", "1 2\n")
        for args, text in ((["g.apspx"], "found none"), ([], "expected a distance index"),
                           (["g.apspx", "1"], "found one"), (["g.apspx", "1", "301"], "1 .. 300"),
                           (["g.apspx", "--row", "0"], "1 .. 300"), (["g.apspx", "1", "2", "3"], "found '3' as well"),
                           (["g.apspx", "--table", "1"], "--table: expected two lists of vertices, found '1' alone"),
                           (["g.apspx", "--row", "1", "--json"], "--json: expected two vertices S T or --measures"),
                           (["g.apspx", "--pairs", "p.txt", "-o", "x.npy"], "expected an output of text, found x.npy"),
                           (["g.txt", "1", "2"], "another kind of file"),
                           (["g.apspx", "1", "2", "--row", "3"], "found several"),
                           (["g.apspx", "--row", "3", "--path"], "--path"),
                           (["g.apspx", "--measures", "-o", "x"], "--output: expected --pairs, --table or --row")):
            done = self.run_program("query", *args)
            self.assertEqual(done.status, BAD_INPUT, args)
            self.assertIn(text, done.err)
        for line, text in (("1 x", "1 .. 300, found x"), ("1", "two vertices"), ("1 2 3", "found more"),
                           ("0 1", "1 .. 300"), ("1 0", "1 .. 300"), ("301 1", "1 .. 300"),
                           ("1 301", "1 .. 300")):
            done = self.run_program("query", "g.apspx", "--pairs", "-", stdin="1 2\n%s\n" % line)
            self.assertEqual(done.status, BAD_INPUT, line)
            self.assertRegex(done.err, ":2: expected .*" + text)
        self.write("pairs", "1 2\n")
        self.write("list", "1-3\n")
        os.link(self.path("g.apspx"), self.path("m.csv"))
        os.link(self.path("g.apspx"), self.path("j.json"))
        with open(self.path("g.apspx"), "rb") as file:
            index = file.read()
        for args, what in ((["--pairs", "pairs", "-o", "./pairs"], "list of pairs pairs"),
                           (["--table", "1", "@list", "-o", "list"], "list of vertices list"),
                           (["--row", "1", "-o", "g.apspx"], "index g.apspx"),
                           (["--measures=m"], "index g.apspx"),
                           (["--measures=j"], "index g.apspx")):
            done = self.run_program("query", "g.apspx", *args)
            self.assertEqual(done.status, BAD_INPUT, args)
            self.assertIn("expected another file than the " + what, done.err)
        with open(self.path("g.apspx"), "rb") as file:
            self.assertEqual(file.read(), index)
        done = self.run_program("apsp", "--index", "g.gr", "--sources", "1")
        self.assertEqual(done.status, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
