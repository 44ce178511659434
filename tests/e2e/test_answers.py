# SPDX-License-Identifier: MIT
"""Random graphs and random options: every number that is written, printed or named by --json is that of a
reference of a few lines."""

import csv
import io
import json
import math
import os
import random
import unittest
import zlib
from fractions import Fraction

from support import BAD_INPUT, INF, ProgramTest, needs, optional

numpy, = optional("numpy")

# How each semiring joins a length and a weight, and which of two lengths is the better; to itself; no path.
SEMIRINGS = {"min-plus": (lambda a, b: a + b, min, 0, math.inf),
             "min-max": (max, min, -math.inf, math.inf),
             "max-min": (min, max, math.inf, -math.inf),
             "max-product": (lambda a, b: a * b, max, 1, 0)}
VARIANTS = ("auto", "cpu:sequential", "cpu:blocked", "cpu:johnson", "cpu:multisource", "cpu:dissection", "cpu:bfs", "cpu:bfs")


def lengths_of(n, edges, semiring, zones=0):
    """Rows of lengths, by relaxing all edges until nothing is better. No path leads through a zone."""
    join, best, to_itself, no_path = SEMIRINGS[semiring]
    rows = []
    for source in range(n):
        row, before = [to_itself if v == source else no_path for v in range(n)], None
        while row != before:
            before = list(row)
            for u, v, w in edges:
                if row[u] != no_path and (u == source or u >= zones):
                    row[v] = best(row[v], join(row[u], w))
        rows.append(row)
    return rows


class Town:
    """A random graph: the text of its file, its options, and what they make of it."""

    def __init__(self, chance, semiring="min-plus", zoned=False, signed=False, least=0):
        self.n = n = chance.randint(2, chance.choice((5, 14, 14, 14, 40)))
        self.semiring = semiring
        self.zones = chance.randint(1, n - 1) if zoned else 0
        self.scale = chance.choice((1, 1, 4))
        self.least = least
        height = [chance.randint(0, 9) if signed else 0 for _ in range(n)]
        read = [(chance.randrange(n), chance.randrange(n)) for _ in range(chance.randint(0, 4 * n))]
        read += [(v, (v + 1) % n) for v in range(n) if chance.random() < 0.8]  # few components
        if not zoned:
            read += [(v, v) for v in range(n)]  # all vertices occur
        self.read = [(u, v, self.weight(chance) + height[v] - height[u]) for u, v in read]
        self.options = []
        if not signed and chance.random() < 0.3:
            self.options.append("--undirected")
        if chance.random() < 0.35:
            self.options.append("--unweighted")
        weight = (lambda w: 1) if "--unweighted" in self.options else (lambda w: w)
        self.edges = [(u, v, weight(w)) for u, v, w in self.read]
        if "--undirected" in self.options:
            self.edges += [(v, u, w) for u, v, w in self.edges if u != v]
        best = SEMIRINGS[semiring][1]
        self.kept = {}
        for u, v, w in self.edges:
            if u != v:  # a loop is on no path that is the best
                self.kept[u, v] = best(w, self.kept.get((u, v), w))
        self.rows = lengths_of(n, self.edges, semiring, self.zones)
        self.no_path = SEMIRINGS[semiring][3]
        if zoned:
            self.name, self.names = "g.tntp", [str(v + 1) for v in range(n)]
            self.text = ("<NUMBER OF NODES> %d\n<FIRST THRU NODE> %d\n<NUMBER OF LINKS> %d\n<END OF METADATA>\n"
                         % (n, self.zones + 1, len(self.read)) +
                         "".join("%d %d 1 1 %r ;\n" % (u + 1, v + 1, w) for u, v, w in self.read))
        else:
            order = []  # the first that is named is vertex 0
            for u, v, _ in self.read:
                order += [end for end in dict.fromkeys((u, v)) if end not in order]
            self.rows = [[self.rows[s][v] for v in order] for s in order]
            self.name, self.names = "g.csv", ["v %d" % v for v in order]
            self.text = "source,target,weight,km\n" + "".join(
                "v %d,v %d,%r,1.5\n" % edge for edge in self.read)
            number = {v: k for k, v in enumerate(order)}
            self.kept = {(number[u], number[v]): w for (u, v), w in self.kept.items()}

    def weight(self, chance):
        if self.semiring == "max-product":
            return chance.choice((0, 1, 0.5, 0.25))
        return chance.randint(self.least, 9) if self.scale == 1 else chance.randint(self.least, 40) / self.scale

    def type(self):
        real = any(w != int(w) for _, _, w in self.edges) or self.semiring == "max-product"
        return "float64" if real else "int32"

    def loads_of(self, demand):
        """{edge: trips} of {(origin, destination): trips}, which all shortest paths of a pair share alike; no
        weight is 0."""
        loads = dict.fromkeys(self.kept, Fraction(0))
        for s in {s for s, _ in demand}:
            row = self.rows[s]
            tight = [(u, v) for (u, v), w in self.kept.items()
                     if (u == s or u >= self.zones) and row[u] + w == row[v] < math.inf]
            paths = {s: 1}
            for v in sorted((v for v in range(self.n) if v != s and row[v] < math.inf), key=row.__getitem__):
                paths[v] = sum(paths[u] for u, head in tight if head == v)
            through = {v: demand.get((s, v), 0) for v in range(self.n) if v != s}
            for v in sorted(paths, key=row.__getitem__, reverse=True):
                for u in [u for u, head in tight if head == v]:
                    share = Fraction(through[v]) * paths[u] / paths[v]
                    loads[u, v] += share
                    through[u] = through.get(u, 0) + share
        return loads

    def components(self):
        """Sizes of the strongly connected components; each zone is one."""
        sizes, left = [1] * self.zones, set(range(self.zones, self.n))
        while left:
            u = min(left)
            own = {v for v in left if self.rows[u][v] < math.inf and self.rows[v][u] < math.inf}
            sizes.append(len(own))
            left -= own
        return sizes


def members(said, *but):
    """Returns the members of an answer, without the version, times and how it was found."""
    return {name: value for name, value in said.items()
            if name not in ("program", "version", "status", "graph_notes", *but) and not name.endswith("_s")}


class AnswerTest(ProgramTest):

    def answer(self, program, *args):
        return json.loads(self.succeeds(program, *args, "--json",
                                        may_note="zone|left aside|both ways|vertices are the").out)


class Answers(AnswerTest):

    def test_pairs(self):
        """Pairs of every semiring, with a limit and without, come in their order, some twice."""
        chance = random.Random(1)
        for number in range(48):
            semiring = list(SEMIRINGS)[number % 4] if number % 3 else "min-plus"
            town = Town(chance, semiring, zoned=number % 12 == 0, signed=number % 12 == 3)
            self.write(town.name, town.text)
            pairs = [(chance.randrange(town.n), chance.randrange(town.n))
                     for _ in range(chance.randint(1, 2 * town.n))]
            self.write("p.csv", "".join("%s,%s\n" % (town.names[s], town.names[t]) for s, t in pairs))
            options, limit = ["--semiring", semiring], None
            if semiring == "min-plus" and number % 12 != 3 and chance.random() < 0.5:
                limit = chance.randint(0, chance.choice((3, 20)))
                options = ["--limit", limit, "--variant", chance.choice(VARIANTS)]
            check = chance.random() < 0.5
            expected = [town.no_path if limit is not None and town.rows[s][t] > limit else town.rows[s][t]
                        for s, t in pairs]
            with self.subTest(number=number, options=town.options + options):
                said = self.answer("apsp", town.name, *town.options, *options, "--pairs", "p.csv",
                                   *["--check"] * check)
                self.assertEqual(members(said), {
                    "graph": town.name, "vertices": town.n, "pairs_file": "p.csv", "distances": "distances.csv",
                    "pairs": len(pairs), "origins": len({s for s, _ in pairs}),
                    "pairs_without_path": expected.count(town.no_path), "limit": limit, "along": [],
                    "checked": check})
                head, *table = csv.reader(io.StringIO(self.read("distances.csv").decode()))
                self.assertEqual(head, ["source", "target", "distance"])
                self.assertEqual([(s, t, float(d)) for s, t, d in table],
                                 [(town.names[s], town.names[t], d) for (s, t), d in zip(pairs, expected)])

    @needs(NumPy=numpy)
    def test_rows(self):
        """Some rows and columns in every format: the answer lists the files that are there and nothing else,
        and verify judges as much as there is."""
        chance = random.Random(2)
        for number in range(48):
            semiring = list(SEMIRINGS)[number % 4] if number % 3 else "min-plus"
            town = Town(chance, semiring, zoned=number % 12 == 0, signed=number % 12 == 3)
            plain, signed = semiring == "min-plus", number % 12 == 3
            self.write(town.name, town.text)
            rows = columns = list(range(town.n))
            options, limit = ["--semiring", semiring], None
            sources, targets = chance.random() < 0.5, chance.random() < 0.3
            if sources:
                rows = chance.sample(rows, chance.randint(1, town.n))
                options += ["--sources", ",".join(town.names[v] for v in rows)]
            if targets:
                columns = chance.sample(columns, chance.randint(1, town.n))
                options += ["--targets", ",".join(town.names[v] for v in columns)]
            if plain and not signed and chance.random() < 0.4:
                limit = chance.randint(0, chance.choice((3, 20)))
                options += ["--limit", limit]
            kind = chance.choice(("npy", "npz", "npy", "npy:auto"))
            along = plain and kind == "npy" and town.zones == 0 and not signed and chance.random() < 0.5
            if kind == "npy:auto" and (not plain or town.type() != "int32"):
                kind = "npy"
            options += ["--along", "km"] * along + ["--format", kind]
            bare = chance.random() < 0.5
            options += ["-d"] * bare
            has_pred = not (bare or targets or kind == "npz")
            for name in self.files():
                if name != town.name:
                    os.remove(self.path(name))
            with self.subTest(number=number, options=town.options + options):
                variant = chance.choice(VARIANTS if plain and not signed else ("auto", "cpu:multisource"))
                program = "cpu" if not plain or chance.random() < 0.5 else "apsp"
                said = self.answer(program, town.name, *town.options, *options, "-o", "r",
                                   *(["-v", variant if program == "apsp" else variant.split(":")[-1]] if plain else []))
                weights = town.kept.values()
                self.assertEqual({name: said[name] for name in (
                    "vertices", "edges", "edges_kept", "type", "weights", "sources", "targets", "limit",
                    "predecessors", "checked")}, {
                        "vertices": town.n, "edges": len(town.edges), "edges_kept": len(weights),
                        "type": town.type(), "weights": [min(weights, default=0), max(weights, default=0)],
                        "sources": len(rows), "targets": len(columns), "limit": limit,
                        "predecessors": has_pred, "checked": False})
                self.assertEqual(sorted(said["outputs"]), [name for name in self.files() if name != town.name])
                expected = [[town.rows[s][t] for t in columns] for s in rows]
                if limit is not None:
                    expected = [[d if d <= limit else math.inf for d in row] for row in expected]
                if kind != "npz":
                    cells = numpy.load(self.path("r.dist.npy"))
                    kept = json.loads(self.read("r.json"))
                    none = kept.get("infinity", math.inf)
                    cells = numpy.where(cells == none, math.inf, cells.astype(float))
                    if cells.dtype.kind == "f" and town.type() == "int32" and not plain:
                        cells = numpy.where(cells == -INF, -math.inf, cells)
                    self.assertEqual(cells.tolist(), expected)
                if targets or along or kind == "npz":
                    continue
                judged = self.answer("verify", "r", "-g", town.name, *town.options, "--semiring", semiring)
                self.assertEqual({name: judged[name] for name in (
                    "verdict", "vertices", "result_vertices", "result_sources", "result_limit", "edges",
                    "edges_kept", "weights", "entries", "comparisons", "predecessors", "notes", "refutation")}, {
                        "verdict": "proved", "vertices": town.n, "result_vertices": town.n,
                        "result_sources": len(rows), "result_limit": limit, "edges": len(town.edges),
                        "edges_kept": len(weights), "weights": said["weights"], "entries": len(rows) * town.n,
                        "comparisons": len(rows) * len(weights), "predecessors": has_pred, "notes": [],
                        "refutation": None})
                if sources and len(rows) > 1:
                    self.refuses_fewer_sources(town, rows)

    def refuses_fewer_sources(self, town, rows):
        """A list of sources that the .json describes, and that is shorter than the matrix."""
        file = io.BytesIO()
        numpy.save(file, numpy.array(rows[:-1], numpy.int32))
        said = json.loads(self.read("r.json"))
        said.update(sources=len(rows) - 1, sources_checksum="%08x" % zlib.crc32(file.getvalue()))
        self.write("r.sources.npy", file.getvalue())
        self.write("r.json", json.dumps(said))
        done = self.run_program("verify", "r", "-g", town.name, *town.options, "--semiring", town.semiring)
        self.assertEqual(done.status, BAD_INPUT, done.err)

    def check_loads(self, town, demand):
        head, *table = csv.reader(io.StringIO(self.read("loads.csv").decode()))
        self.assertEqual(head, ["source", "target", "trips"])
        loads = {(town.names.index(u), town.names.index(v)): float(load) for u, v, load in table}
        expected = town.loads_of(demand)
        self.assertEqual(list(loads), sorted(expected))
        for edge, load in expected.items():
            self.assertAlmostEqual(loads[edge], load)

    def test_demand(self):
        """Trips, some of pairs that the table has twice, that end where they begin or have no path."""
        chance = random.Random(3)
        for number in range(24):
            town = Town(chance, zoned=number % 4 == 0, least=1)
            self.write(town.name, town.text)
            trips = [(chance.randrange(town.n), chance.randrange(town.n), chance.randint(0, 8) / 2)
                     for _ in range(chance.randint(1, 40))] + [(0, 0, 1)]
            self.write("t.csv", "".join("%s,%s,%r\n" % (town.names[s], town.names[t], q) for s, t, q in trips))
            demand, added = {}, 0
            for s, t, q in trips:
                added += q > 0 and (s, t) in demand
                if q > 0:
                    demand[s, t] = demand.get((s, t), 0) + q
            lost = [pair for pair in sorted(demand) if town.rows[pair[0]][pair[1]] == math.inf]
            gone = {(s, t): q for (s, t), q in demand.items() if s != t and (s, t) not in lost}
            stay = sum(q for (s, t), q in demand.items() if s == t)
            length = sum(q * town.rows[s][t] for (s, t), q in gone.items())
            check = chance.random() < 0.5
            options = [*town.options, "--demand", "t.csv", *["--check"] * check]
            with self.subTest(number=number, options=options):
                said = self.answer("apsp", town.name, *options)
                self.assertEqual(members(said), {
                    "graph": town.name, "vertices": town.n, "demand": "t.csv", "loads": "loads.csv",
                    "origins": len({s for s, _ in demand}), "pairs": len(demand), "rows_added": added,
                    "trips": sum(gone.values()), "trips_length": length, "trips_within": stay,
                    "trips_without_path": sum(demand[pair] for pair in lost), "pairs_without_path": len(lost),
                    "way": "searches", "grid": 0, "grid_error": 0, "checked": "proved" if check else None,
                    "checked_origins": len({s for s, _ in demand}) if check else None})
                self.check_loads(town, gone)
                text = self.succeeds("apsp", town.name, *options, may_note="zone|left aside").out.decode()
                said = {"trips": "%.15g from %d origins, over %.15g in all" % (
                    sum(gone.values()), len({s for s, _ in demand}), length)}
                if added:
                    said["added"] = "%d rows of pairs that the table has twice" % added
                said["within"] = "%.15g trips end where they begin, and are on no edge" % stay
                if lost:
                    said["without"] = "%.15g trips have no path, of %d pairs; the first is from %s to %s" % (
                        sum(demand[pair] for pair in lost), len(lost), *(town.names[v] for v in lost[0]))
                lines = dict(line.split(None, 1) for line in text.splitlines())
                self.assertEqual({name: line for name, line in lines.items()
                                  if name not in ("loads", "checked") and not name.endswith("_s")}, said)

    def test_gravity(self):
        """Masses of two columns of several, which decay or not, from some sources."""
        chance = random.Random(4)
        for number in range(24):
            town = Town(chance, zoned=number % 4 == 0, least=1)
            self.write(town.name, town.text)
            columns = chance.choice((("m",), ("a", "b"), ("x", "b", "a")))
            mass = {v: [chance.randint(0, 4) for _ in columns] for v in chance.sample(range(town.n), town.n - 1)}
            self.write("m.csv", "\n".join([",".join(("v",) + columns)] + [
                ",".join([town.names[v]] + [str(m) for m in row]) for v, row in mass.items()]) + "\n")
            sent, attracted = ("a", "b") if len(columns) > 2 else (columns[0], columns[-1])
            sources = chance.sample(range(town.n), chance.randint(1, town.n))
            decay = chance.choice((0, 0, 5))
            origins = [s for s in sources if mass.get(s, [0] * 3)[columns.index(sent)] > 0]
            options = [*town.options, "--gravity", "m.csv", "--sources", ",".join(town.names[s] for s in sources)]
            options += ["--mass-columns", sent + "," + attracted] if len(columns) > 2 or number % 2 else []
            options += ["--decays", decay] if decay else []
            pairs = {(s, t): mass[s][columns.index(sent)] * mass[t][columns.index(attracted)] *
                     (math.exp(-town.rows[s][t] / decay) if decay else 1)
                     for s in origins for t in mass if town.rows[s][t] < math.inf}
            gone = {(s, t): q for (s, t), q in pairs.items() if s != t and q > 0}
            with self.subTest(number=number, options=options):
                if not origins:
                    done = self.run_program("apsp", town.name, *options)
                    self.assertEqual(done.status, BAD_INPUT)
                    self.assertIn("expected a source with more than 0 in column '%s'" % sent, done.err)
                    continue
                said = members(self.answer("apsp", town.name, *options))
                for name, value in (("trips", sum(gone.values())),
                                    ("trips_length", sum(q * town.rows[s][t] for (s, t), q in gone.items())),
                                    ("trips_within", sum(q for (s, t), q in pairs.items() if s == t))):
                    self.assertAlmostEqual(said.pop(name), value)
                self.assertEqual(said, {
                    "graph": town.name, "vertices": town.n, "demand": "m.csv", "loads": "loads.csv",
                    "origins": len(origins), "sent": sent, "attracted": attracted, "decay": decay,
                    "way": "searches", "grid": 0, "grid_error": 0, "checked": None, "checked_origins": None})
                self.check_loads(town, gone)

    def test_measures(self):
        """All numbers on pairs, the graph and its components, where each zone is one unless all pairs have paths; also
        of some sources and up to a limit; the files are proved."""
        chance = random.Random(5)
        for number in range(36):
            signed = number % 12 == 3
            town = Town(chance, zoned=number % 3 == 0, signed=signed)
            self.write(town.name, town.text)
            rows, options, limit = list(range(town.n)), [], math.inf
            if chance.random() < 0.3:
                rows = chance.sample(rows, chance.randint(1, town.n))
                options += ["--sources", ",".join(town.names[s] for s in rows)]
            if not signed and chance.random() < 0.3:
                limit = chance.randint(0, chance.choice((3, 20)))
                options += ["--limit", limit]
            whole = not options
            options += ["--variant", chance.choice(VARIANTS[:1] if signed else VARIANTS)]
            options += ["--check"] * (chance.random() < 0.5)
            found = {(s, t): town.rows[s][t] for s in rows for t in range(town.n)
                     if s != t and town.rows[s][t] <= limit and town.rows[s][t] < math.inf}
            farthest = {s: max([0] + [d for (u, _), d in found.items() if u == s]) for s in rows}
            count, pairs = len(found), len(rows) * (town.n - 1)
            directed = any(town.kept.get((v, u)) != w for (u, v), w in town.kept.items())
            with self.subTest(number=number, options=town.options + options):
                said = self.answer("apsp", town.name, *town.options, *options, "--measures=m")["measures"]
                largest = said.pop("largest_distance")
                self.assertEqual(largest["distance"], max(farthest.values()))
                if largest["distance"] > 0:
                    self.assertEqual((largest["from"], largest["to"]), min(
                        (s, t) for (s, t), d in found.items() if d == largest["distance"]))
                self.assertEqual([said[name] for name in ("pairs", "pairs_without_path", "distance_sum",
                                                          "average_distance")],
                                 [pairs, pairs - count, sum(found.values()),
                                  sum(found.values()) / count if count else None])
                self.assertEqual(said["directed"], directed)
                if whole:
                    parts = town.components() if count < pairs else [town.n]
                    kind = "strongly_connected" if directed else "connected"
                    connected = len(parts) == 1
                    self.assertEqual([said[name % kind] for name in (
                        "is_%s", "number_%s_components", "largest_%s_component")],
                        [connected, len(parts), max(parts)])
                    nearest = min(farthest.values())
                    self.assertEqual([said[name] for name in ("diameter", "radius", "center", "periphery")], [
                        max(farthest.values()), nearest, [s for s in rows if farthest[s] == nearest],
                        [s for s in rows if farthest[s] == max(farthest.values())]] if connected else [None] * 4)
                    town.parts = parts
                self.succeeds("verify", "m", "-g", town.name, *town.options, may_note="zone|left aside")
                text = self.succeeds("apsp", town.name, *town.options, *options, "--measures",
                                     may_note="zone|left aside").out.decode()
                lines = {line[:30].strip(): line[30:] for line in text.splitlines() if line[29:30] == " "}
                self.assertEqual({name: line for name, line in lines.items() if name not in (
                    "Wiener index", "global efficiency", "histogram", "average_shortest_path_length")},
                    self.printed(town, said, largest, whole, count))

    def printed(self, town, said, largest, whole, count):
        """Measures are printed as --json has them."""
        number = lambda d: repr(d)[:-2] if repr(d).endswith(".0") else repr(d)
        plural = lambda count, one, many: "%d %s" % (count, one if count == 1 else many)
        limit = "" if said.get("limit") is None else "; only paths up to %s count" % number(said["limit"])
        left = said["pairs"] - count
        yes = {"pairs of vertices": "%d%s%s%s" % (
            said["pairs"], "" if said["all_sources"] else ", from " + plural(said["sources"], "source", "sources"),
            "; %d without a path, left out" % left if left else "", limit),
            "largest distance": "%s, from %s to %s" % (
                number(largest["distance"]), town.names[largest["from"]], town.names[largest["to"]])}
        if count:
            yes["average distance"] = "%.6g" % said["average_distance"]
        if not whole:
            return yes
        kind = "strongly connected" if said["directed"] else "connected"
        if len(town.parts) > 1:
            yes.update({"diameter, radius": "infinite", kind: "no: %d components, the largest of %s" % (
                len(town.parts), plural(max(town.parts), "vertex", "vertices"))})
            return yes
        yes.update({kind: "yes", "diameter, radius": "%s, %s" % (number(said["diameter"]), number(said["radius"]))})
        for name in "center", "periphery":
            yes[name] = "%s: %s%s" % (plural(len(said[name]), "vertex", "vertices"), " ".join(
                town.names[v] for v in said[name][:8]), " ..." if len(said[name]) > 8 else "")
        return yes


class LongLists(ProgramTest):
    """Lists of vertices in text that are longer than what is written at once."""

    def test_lists(self):
        chance, n = random.Random(8), 3000
        self.write("g", "%d %d\n" % (n, n - 1) + "".join("%d %d %d\n" % (0, v, v + 5) for v in range(1, n)))
        for count in (700, 1000, 1017, 1018, 1019, 2500):  # some ends fall near 4096 bytes
            many, few = chance.sample(range(n), count), [7, 0]
            for rows, columns in ((many, few), (few, many)):
                self.succeeds("apsp", "g", "--sources", ",".join(map(str, rows)), "--targets",
                              ",".join(map(str, columns)), "-d", "-o", "o")
                lines = self.read("o").decode().splitlines()
                self.assertEqual(lines[1:5], [
                    "|S| = %d: %s" % (len(rows), " ".join(map(str, rows))),
                    "|T| = %d: %s" % (len(columns), " ".join(map(str, columns))), "", "\t".join(
                        "0" if t == rows[0] else str(t + 5) if rows[0] == 0 else "INF" for t in columns)])


class Dress:
    """Ways to write the same numbers."""

    def __init__(self, chance):
        self.chance, self.end = chance, chance.choice(("\n", "\r\n"))

    def line(self, *fields):
        """Fields with blanks between, before and behind them."""
        blank = lambda least: "".join(self.chance.choice(" \t") for _ in range(least + self.chance.choice((0, 0, 1, 2))))
        return blank(0) + "".join(str(field) + blank(1) for field in fields[:-1]) + str(fields[-1]) + blank(0)

    def lines(self, lines, comment=None):
        """Lines, some of which are empty or comments."""
        text = ""
        for line in lines:
            text += line + self.end
            if self.chance.random() < 0.1:
                text += self.chance.choice(("", " ") if comment is None else ("", comment + " 1 2 3")) + self.end
        return text if self.chance.random() < 0.7 else text.rstrip("\r\n")

    def table(self, head, rows, separators=",;\t| "):
        """A table with one of these separators; fields in quotes, and with blanks at their ends."""
        between = self.chance.choice(separators)

        def field(value):
            text = '"%s"' % value if self.chance.random() < 0.2 else str(value)
            around = lambda: self.chance.choice(("", "", " ")) if between not in " \t" else ""
            return around() + text + around()

        behind = lambda: self.chance.choice(("", "", " ", "  ")) if between != "\t" else ""
        more = lambda: between * self.chance.choice((1, 1, 2)) if between == " " else between
        return self.lines(["".join(field(value) + more() for value in row[:-1]) + field(row[-1]) + behind()
                           for row in ([head] if head else []) + rows])

    def graphs(self, n, edges):
        """(name, text, options) of a graph, all of whose vertices have edges."""
        chance, first = self.chance, self.chance.choice((0, 1, 7))
        real = any(w != int(w) for _, _, w in edges)
        number = lambda w: chance.choice(("0", "-0", "-0.0")) if w == 0 and real else chance.choice(("%r", "%g") if w != int(w) else ("%d", "%d", "+%d") if not real else
                                         ("%d", "%.1f", "%d.", "%de0")) % w
        rows = [(u, v, number(w)) for u, v, w in edges]
        yield "text", self.lines([self.line(n, len(rows))] + [self.line(*row) for row in rows]), []
        yield "gr", self.lines([self.line("p", "sp", n, len(rows))] + [
            self.line("a", u + 1, v + 1, w) for u, v, w in rows], "c"), []
        yield "mtx", "%%%%MatrixMarket matrix coordinate %s general" % ("real" if real else "integer") + self.end + \
            self.lines([self.line(n, n, len(rows))] + [self.line(u + 1, v + 1, w) for u, v, w in rows], "%"), []
        yield "wel", self.lines([self.line(u + first, v + first, w) for u, v, w in rows]), ["--input-format", "wel"]
        yield "snap", self.lines(["# a list"] + [self.line(u + first, v + first, w) for u, v, w in rows], "#"), []
        time = [(5,), ()][chance.randrange(2)]
        yield "konect", self.lines(["% asym weighted"] + [self.line(u + first, v + first, w, *time) for u, v, w in rows],
                                   "%"), []
        tags = ["<NUMBER OF NODES> %d" % n, "<FIRST THRU NODE> 1", "<NUMBER OF LINKS> %d" % len(rows)]
        tags = [tag for tag in chance.sample(tags, 3) if chance.random() < 0.5 or "NUMBER" in tag]
        tags[1:1] = chance.choice(([], ["<OTHER> 7"]))
        yield "tntp", self.lines(tags + ["<END OF METADATA>"] + [
                self.line(u + 1, v + 1, 9, 8, w) + chance.choice(("", ";", " ;", "\t0 ;")) for u, v, w in rows], "~"), []
        columns = [("source", "from", "tail"), ("target", "to", "head"), ("weight", "cost"), ("name",)]
        columns = [chance.choice(names[:2]) for names in columns]
        order = chance.sample(range(4), 4)
        cells = [(u + first, v + first, w, "x") for u, v, w in rows]
        yield "csv", self.table([columns[k] for k in order], [[row[k] for k in order] for row in cells]), []
        columns, order = ["p", "q", "r", "x"], chance.sample(range(4), 4)
        which = [str(order.index(k) + 1) if chance.random() < 0.5 else columns[k] for k in range(3)]
        yield "chosen", self.table([columns[k] for k in order], [[row[k] for k in order] for row in cells]), [
            "--input-format", "csv", "--edge-columns", ",".join(which[:2]), "--weight-column", which[2]]
        yield "bare", self.table(None, [(u + first, v + first, w) for u, v, w in rows]), ["--input-format", "csv"]


class Dressed(ProgramTest):

    def test_graphs(self):
        """One graph has one checksum in every format, however its numbers stand there."""
        chance = random.Random(6)
        for number in range(16):
            n, unit = chance.randint(3, 30), chance.choice((1, 1, 4))
            edges = [(chance.randrange(n), chance.randrange(n), chance.choice((0, chance.randint(0, 99))) / unit)
                     for _ in range(chance.randint(1, 3 * n))] + [(v, v, 1) for v in range(n)]
            found = {}
            for name, text, options in Dress(chance).graphs(n, edges):
                self.write(name, text)
                with self.subTest(number=number, name=name, text=text[:300]):
                    said = json.loads(self.succeeds("cpu", name, *options, "-d", "--format", "none", "--json",
                                                    may_note="left aside|vertices are the|taken for the names").out)
                    found[name] = [said[key] for key in ("checksum", "vertices", "edges", "edges_kept", "weights")]
                    self.assertEqual(found[name], found["text"])

    def test_tables(self):
        """Pairs, trips and masses give the same bytes whatever separates their fields."""
        chance = random.Random(7)
        self.write("g", "4 5\n0 1 2\n1 2 3\n2 3 4\n3 0 5\n0 2 1\n")
        for number in range(16):
            pairs = [(chance.randrange(4), chance.randrange(4)) for _ in range(9)]
            trips = [(*pair, chance.randint(0, 9) / 2) for pair in pairs] + [(0, 2, 1)]
            masses = [(v, chance.randint(0, 9), chance.randint(1, 9) / 4) for v in chance.sample(range(4), 4)]
            for option, head, rows in (
                    (["--pairs"], ("from", "to"), pairs), (["--pairs"], None, pairs), (["--demand"], None, trips),
                    (["--demand"], ("origin", "destination", "trips"), trips),
                    (["--accessibility"], ("v", "jobs", "shops"), masses), (["--gravity"], ("v", "jobs", "shops"), masses)):
                more = ["--limits", "3,5", "--nearest", "2:jobs"] if option == ["--accessibility"] else []
                self.write("plain", "".join(",".join(map(str, row)) + "\n" for row in ([head] if head else []) + rows))
                separators = ",;\t| " if len(rows[0]) < 3 or option == ["--demand"] else ",;\t|"  # names have blanks
                self.write("dressed", text := Dress(chance).table(head, rows, separators))
                with self.subTest(number=number, option=option, text=text):
                    for name in "plain", "dressed":
                        self.succeeds("apsp", "g", *option, name, *more, "-q", "-o", name + ".csv")
                    self.assertEqual(self.read("dressed.csv"), self.read("plain.csv"))


if __name__ == "__main__":
    unittest.main()
