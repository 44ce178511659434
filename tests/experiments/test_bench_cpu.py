# SPDX-License-Identifier: MIT
"""Tests of the CPU bench, with programs that only pretend to solve."""

from __future__ import annotations

import csv
import json
import os
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments import bench  # noqa: E402
from experiments.suites import bench_cpu  # noqa: E402 (found by the line above)
from experiments.suites.cpu_table import Cell  # noqa: E402
from tests.experiments.stand_ins import StandIns  # noqa: E402

# On one thread a solve takes ten units, on more six; a unit is 10 ms times the variant's factor.
CPU = """#!{python} -IS
import sys
arguments = sys.argv[1:]
factors = {factors}
if arguments == ["--list-variants"]:
    for name in factors:
        print(name, "  does it (here)")
    sys.exit()
def value(option):
    return arguments[arguments.index(option) + 1]
variant, graph = value("--variant"), arguments[-1]
if graph == "--distances-only":
    graph = arguments[-2]
vertices, edges = open(graph).readline().split()
predecessors = int("--distances-only" not in arguments)
def end(status, text):
    print("cpu: " + text, file=sys.stderr)
    sys.exit(status)
{special}
if "--csv" not in arguments:
    open(value("-o") + ".dist.npy", "w").close()
    sys.exit()
assert "--check" in arguments and value("-o") == "/dev/null"
threads = 1 if variant in ("sequential", "plain") else int(value("--threads"))
seconds = (0.1 if threads == 1 else 0.06) * factors[variant]
with open(value("--csv"), "a") as rows:
    rows.write("program,variant,graph,vertices,edges,checksum,predecessors,threads,tile,device,"
               "checked,repetition,solve_s,total_s,transfer_s\\n")
    for repetition in range(int(value("--repeat"))):
        rows.write(f'cpu,{{variant}},"{{graph}}",{{vertices}},{{edges}},0,{{predecessors}},'
                   f'{{threads}},0,"",{checked},{{repetition + 1}},{{seconds}},{{seconds}},0\\n')
print("variant ", variant + (": blocked" if variant == "auto" else ""))
print("solve_s ", seconds)
"""

GENERATOR = """#!{python} -IS
import sys
def value(option):
    return sys.argv[sys.argv.index(option) + 1]
edges = value("--edges") if "--edges" in sys.argv else "9"
open(value("-o"), "w").write(value("--v") + " " + edges + "\\n")
"""

CEILINGS = """#!{python} -IS
import sys
open(sys.argv[sys.argv.index("--csv") + 1], "w").write(
    "name,unit,value,instructions,threads,repetition\\n"
    "s32_add_min,relaxations/s,1e11,avx2,1,1\\n"
    "s32_add_min,relaxations/s,2e11,avx512,1,1\\n")
print("ceilings", sys.argv[sys.argv.index("--repeat") + 1])
"""

VERIFY = """#!{python} -IS
import sys
open(sys.argv[1]).close()
{special}
print('{{"proof_s": 0.2}}')
"""

# A Python that is asked for SciPy, then given scipy_peer.py and its arguments; or boost_peer.
PEER = """#!{python} -IS
import json, sys
if sys.argv[1] in ("-c", "--version"):
    print("1.2.3")
    sys.exit({status})
graph, method, repetitions, ours = sys.argv[-4:]
open(ours).close()
print(json.dumps({{"vertices": 0, "edges": 0, "seconds": [{took}] * int(repetitions),
                  "different": {different}}}))
"""

FACTORS = {"sequential": 20, "blocked": 1, "blocked16": 0.5, "blocked32": 1, "auto": 1.1}


class Bench(StandIns):
    """With bench_cpu.py."""

    def setUp(self) -> None:
        super().setUp()
        self.python = self.folder / "bin" / "python"
        self.boost = self.folder / "experiments" / "boost_peer"
        self.program(self.bin / "graphgen", GENERATOR)
        self.program(self.bin / "verify", VERIFY, special="")
        self.program(self.folder / "experiments" / "bench_cpu_ceilings", CEILINGS)
        self.cpu()
        self.peer()

    def cpu(self, special: str = "", checked: int = 1, **factors: float) -> None:
        """Sets what the solver does before it solves, and the seconds of its variants."""
        self.program(self.bin / "cpu", CPU, special=special, checked=checked,
                     factors=factors or FACTORS)

    def peer(self, status: int = 0, different: int = 0) -> None:
        self.program(self.python, PEER, status=status, different=different, took=2.4)

    def bench(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run_bench(bench_cpu.main, "--repeat", 2, "--cell-seconds", "1e9", "--longest",
                              "1e9", "--threads", 2, "--scipy", self.python, *arguments,
                              status=status)

    def rows(self, name: str = "cpu.csv") -> list[dict[str, str]]:
        with open(self.out / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


class Measuring(Bench):
    def test_every_cell(self) -> None:
        """Two of sequential's, four of each other variant's, two of SciPy's; twice each."""
        self.bench("--only", "V5000_E500000")
        rows = self.rows()
        self.assertEqual(len(rows), 2 * (2 + 4 * 4 + 2))
        self.assertEqual(len({(row["program"], row["variant"], row["predecessors"],
                               row["threads"]) for row in rows}), len(rows) // 2)
        self.assertEqual({row["graph"] for row in rows}, {"random_V5000_E500000"})

    def test_variants_on_one_thread(self) -> None:
        """Which they are, the program says; they count beside those on more."""
        self.cpu(sequential=20, plain=0.1, blocked=1, auto=1.1)
        done = self.bench("--only", "V5000_E500000")
        self.assertEqual({(row["variant"], row["threads"]) for row in self.rows()
                          if row["program"] == "cpu"},
                         {("sequential", "1"), ("plain", "1"), ("blocked", "1"), ("blocked", "2"),
                          ("auto", "1"), ("auto", "2")})
        self.assertIn("plain", done.stdout)

    def test_choice(self) -> None:
        self.bench("--only", "V5000_E500000")
        self.assertEqual({(row["variant"], row["chosen"]) for row in self.rows() if row["chosen"]},
                         {("auto", "blocked")})

    def test_other_graphs_in_one_mode(self) -> None:
        self.bench("--only", "V5000_E30000", "ring")
        modes = {(row["graph"], row["variant"], row["threads"]) for row in self.rows()
                 if row["program"] == "cpu" and row["predecessors"] == "1"}
        self.assertEqual(modes, {(graph, variant, "1" if variant == "sequential" else "2")
                                 for graph in ("random_V5000_E30000", "ring_V2000")
                                 for variant in FACTORS})
        self.assertFalse([row for row in self.rows() if row["predecessors"] == "0"])
        self.assertFalse([row for row in self.rows()
                          if row["program"] == "scipy" and row["graph"] == "ring_V2000"])

    def test_full_profile(self) -> None:
        self.bench("--profile", "full", "--only", "ring")
        self.assertEqual(len(self.rows()), 2 * (2 + 4 * 4 + 2))

    def test_one_thread(self) -> None:
        done = self.bench("--only", "V5000_E500000", "--threads", "1")
        self.assertEqual(len(self.rows()), 2 * (2 + 4 * 2 + 2))
        self.assertNotIn("over one", done.stdout)
        self.assertIn("whole program, 1 thread |", done.stdout)

    def test_whole_programs(self) -> None:
        self.bench("--only", "V5000_E500000")
        self.assertEqual([(row["program"], row["variant"], row["repetition"])
                          for row in self.rows("cpu_programs.csv")],
                         [("cpu", "auto", "1"), ("cpu", "auto", "2"),
                          ("verify", "", "1"), ("verify", "", "2"),
                          ("verify", "proof", "1"), ("verify", "proof", "2")])
        self.assertEqual({row["wall_s"] for row in self.rows("cpu_programs.csv")
                          if row["variant"] == "proof"}, {"0.200000"})

    def test_table(self) -> None:
        table = self.bench("--only", "V5000_E").stdout
        for line in (
                "| 32 bits, D, one thread, of the ceiling | ≥ 85 % | random_V5000_E500000 | 625 % "
                "| yes |",
                "| 32 bits, D+P, one thread, over `sequential` | ≥ 15× | random_V5000_E500000 | "
                "20× | yes |",
                "| `blocked16`, 2 threads over one | ≥ 1.85× | random_V5000_E500000 D+P | 1.67× | "
                "no |",
                "| 16 bits over 32, D+P | ≥ 1.6× | random_V5000_E500000 2 thr. | 2× | yes |",
                "| `auto` over the best of SciPy and Boost, n = 5000, m = 30000, D+P | ≥ 20× | "
                "random_V5000_E30000: SciPy dijkstra | 36.4× | yes |",
                "| random_V5000_E2500 | blocked | 66 | blocked16 | 30 | 2.20 | SciPy dijkstra | "
                "2400 | 36.4× |"):
            self.assertIn(line + "\n", table)
        self.assertRegex(table, r"worst cell \| ≤ 1.15× \| [^|]*: blocked16 \| 2.2× \| no \|")

    def test_without_auto(self) -> None:
        """A build that has no such variant yet: its figures are missing, and that is all."""
        self.cpu(**{name: factor for name, factor in FACTORS.items() if name != "auto"})
        table = self.bench("--only", "V5000_E").stdout
        self.assertIn("worst cell | ≤ 1.15× |  | not measured |  |\n", table)
        self.assertIn("| random_V5000_E2500 |  |  | blocked16 | 30 |  | SciPy dijkstra | 2400 | "
                      "80× |\n", table)

    def test_environment_and_ceilings(self) -> None:
        done = self.bench("--only", "ring")
        self.assertTrue(done.stdout.startswith("ceilings 2\n"))
        record, = json.loads((self.out / "cpu_environment.json").read_text())["environments"]
        self.assertEqual(set(record["programs"]), {"cpu", "graphgen", "verify",
                                                   "bench_cpu_ceilings"})
        self.assertEqual((record["scipy"], record["boost"]), ("1.2.3", None))
        self.assertEqual(len(record["load"]), 3)


class Keeping(Bench):
    def test_starts_over(self) -> None:
        self.bench("--only", "ring")
        self.bench("--only", "star")
        self.assertEqual({row["graph"] for row in self.rows()}, {"star_V2000"})

    def test_keep(self) -> None:
        """A cell that is measured again replaces the old rows of that cell alone."""
        self.bench("--only", "ring", "star")
        self.cpu(**{**FACTORS, "blocked": 2})
        self.bench("--keep", "--only", "star", "--variants", "blocked", "--repeat", "3")
        found = {(row["graph"], row["variant"]): row["solve_s"] for row in self.rows()}
        self.assertEqual(len(found), 2 * len(FACTORS))
        self.assertEqual(len(self.rows()), 2 * 2 * len(FACTORS) + 1)
        self.assertEqual(found["star_V2000", "blocked"], "0.12")
        self.assertEqual(found["ring_V2000", "blocked"], "0.06")

    def test_file_of_another_kind(self) -> None:
        self.out.mkdir()
        (self.out / "cpu.csv").write_text("program,variant\ncpu,blocked\n", encoding="utf-8")
        done = self.bench("--keep", "--only", "ring", status=2)
        self.assertIn("cpu.csv: expected a column 'graph' in every row", done.stderr)

    def test_no_ceilings(self) -> None:
        self.assertNotIn("ceilings 2", self.bench("--no-ceilings", "--only", "ring").stdout)
        self.assertFalse((self.out / "cpu_ceilings.csv").exists())


class Repetitions(Bench):
    def count(self, variant: str, *arguments: str) -> int:
        self.bench("--only", "ring", "--variants", variant, "--repeat", "5", *arguments)
        return len(self.rows())

    def test_as_many_as_fit(self) -> None:
        """0.06 s each."""
        self.assertEqual(self.count("blocked", "--cell-seconds", "0.25"), 3)
        self.assertEqual(self.count("blocked", "--cell-seconds", "0.01"), 1)
        self.assertEqual(self.count("blocked", "--cell-seconds", "1"), 5)

    def test_rough_forecast_was_too_long(self) -> None:
        """8 s of sequential were expected, 0.02 s it takes: it is measured again, and the rows of
        the first time do not stay."""
        self.cpu(sequential=0.2)
        self.assertEqual(self.count("sequential", "--cell-seconds", "1"), 5)
        self.assertEqual([row["repetition"] for row in self.rows()], list("12345"))

    def test_slower_than_longest(self) -> None:
        """8 s were expected, 10 it takes, and 9 are allowed: it is measured, and not skipped."""
        self.cpu(sequential=100)
        done = self.bench("--only", "ring", "--longest", "9")
        self.assertEqual(len(self.rows()), 2)
        self.assertNotIn("skipped", done.stdout)

    def test_longest(self) -> None:
        done = self.bench("--only", "ring", "--longest", "3")
        self.assertIn("sequential     ring_V2000             D+P 1 thr. skipped: would take some 8 "
                      "s\n", done.stdout)
        self.assertNotIn("sequential", {row["variant"] for row in self.rows()})

    def test_forecast(self) -> None:
        forecast = bench_cpu.Forecast()
        small, large = (Cell("cpu", "johnson", name, True, 2) for name in ("small", "large"))
        rough = forecast.seconds(large, 1000, 5000)
        forecast.learn(small, 500, 2500, 3 * forecast.seconds(small, 500, 2500))
        self.assertAlmostEqual(forecast.seconds(large, 1000, 5000), 3 * rough)
        forecast.learn(large, 1000, 5000, 5 * rough)
        forecast.learn(small, 500, 2500, rough)
        self.assertAlmostEqual(forecast.seconds(large, 1000, 5000), 5 * rough)
        self.assertAlmostEqual(forecast.seconds(large._replace(threads=1), 1000, 5000), 10 * rough)


class Failing(Bench):
    def test_not_exact(self) -> None:
        self.cpu("if variant == 'blocked16': end(2, 'variant blocked16 is not exact for this "
                 "graph: a distance is 32767 or more')")
        done = self.bench("--only", "ring")
        self.assertIn("skipped: is not exact for this graph: a distance", done.stdout)
        self.assertEqual({row["variant"] for row in self.rows()}, set(FACTORS) - {"blocked16"})

    def test_refuted(self) -> None:
        self.cpu("if variant == 'blocked16': end(1, 'refuted')")
        done = self.bench("--only", "ring", status=1)
        self.assertIn("bench_cpu.py: cpu blocked16 ring_V2000: cpu: refuted", done.stderr)
        self.assertNotIn("every row proved", done.stdout)

    def test_rows_that_are_not_proved(self) -> None:
        self.cpu(checked=0)
        self.assertIn("expected proved rows", self.bench("--only", "ring", status=1).stderr)
        self.assertEqual(self.rows(), [])

    def test_no_memory(self) -> None:
        self.cpu("end(4, 'out of memory')")
        self.bench("--only", "ring", status=4)

    def test_wrong_result_file(self) -> None:
        self.program(self.bin / "verify", VERIFY,
                     special="print('verify: refuted', file=sys.stderr); sys.exit(1)")
        done = self.bench("--only", "V5000_E500000", status=1)
        self.assertEqual(done.stderr, "bench_cpu.py: verify: refuted\n")

    def test_missing_program(self) -> None:
        for path in (self.bin / "verify", self.folder / "experiments" / "bench_cpu_ceilings"):
            with self.subTest(path.name):
                program = path.rename(self.folder / path.name)
                done = self.bench(status=2)
                self.assertIn(f"{path.name}: expected a program, found none", done.stderr)
                program.rename(path)

    def test_unknown_variant(self) -> None:
        done = self.bench("--variants", "nonesuch", status=2)
        self.assertIn("'nonesuch' is none of sequential, ", done.stderr)

    def test_no_such_graph(self) -> None:
        done = self.bench("--only", "nonesuch", status=2)
        self.assertIn("no graph of this profile has nonesuch in its name", done.stderr)


class Peer(Bench):
    def test_other_distances(self) -> None:
        self.peer(different=7)
        done = self.bench("--only", "V5000_E30000", status=1)
        self.assertIn("SciPy floyd_warshall random_V5000_E30000: 7 distances are not those that "
                      "were proved", done.stderr)
        self.assertNotIn("scipy", {row["program"] for row in self.rows()})

    def test_boost(self) -> None:
        """The faster of the two peers is the one that counts."""
        done = self.bench("--only", "V5000_E30000")
        self.assertIn(f"Boost: no {self.boost}\n", done.stdout)
        self.program(self.boost, PEER, status=0, different=0, took=1.2)
        done = self.bench("--only", "V5000_E30000")
        self.assertNotIn("Boost: no", done.stdout)
        self.assertIn("| ≥ 20× | random_V5000_E30000: Boost dijkstra | 18.2× | no |\n", done.stdout)
        self.assertIn("| Boost dijkstra | 1200 | 18.2× |\n", done.stdout)
        self.assertEqual({(row["variant"], row["threads"], row["predecessors"])
                          for row in self.rows() if row["program"] == "boost"},
                         {("dijkstra", "1", "1")})
        record, = json.loads((self.out / "cpu_environment.json").read_text())["environments"]
        self.assertEqual(record["boost"], "1.2.3")
        self.program(self.boost, PEER, status=0, different=1, took=1.2)
        done = self.bench("--only", "V5000_E30000", status=1)
        self.assertIn("Boost dijkstra random_V5000_E30000: 1 distances are not", done.stderr)

    def test_not_installed(self) -> None:
        for python in (str(self.python), str(self.folder / "nowhere")):
            with self.subTest(python):
                self.peer(status=1)
                done = self.bench("--only", "V5000_E30000", "--scipy", python)
                self.assertIn(f"SciPy: not installed for any of these: {python}\n", done.stdout)
                self.assertEqual({row["program"] for row in self.rows()}, {"cpu"})

    def test_the_real_scipy(self) -> None:
        found = bench_cpu.find_scipy([sys.executable, "/usr/bin/python3"])
        if found is None:
            self.skipTest("SciPy is not installed")
        self.real(found)

    def test_the_real_boost(self) -> None:
        source = bench_cpu.ROOT / "experiments" / "peers" / "boost_peer.cc"
        done = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", str(source), "-o",
                               str(self.boost)], stderr=subprocess.PIPE, check=False)
        if b"boost/graph" in done.stderr and b"No such file" in done.stderr:
            self.skipTest("Boost is not installed")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = bench_cpu.find_boost(self.boost)
        assert found is not None
        self.assertRegex(found.version, r"^1\.\d+$")
        self.real(found)
        for arguments in ((), ("graph", "johnson", "1", "ours")):
            self.assertEqual(subprocess.run([str(self.boost), *arguments], check=False,
                                            stderr=subprocess.DEVNULL).returncode, 2)

    def real(self, peer: bench_cpu.Peer) -> None:
        """It must see one wrong distance."""
        graph, ours = self.folder / "graph", self.folder / "ours.npy"
        graph.write_text("3 2\n0 1 5\n1 2 2\n", encoding="ascii")
        header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (3, 3), }".ljust(117) + b"\n"
        for wrong, different in ((7, 0), (8, 1)):
            cells = [0, 5, wrong, 2**30 - 1, 0, 2, 2**30 - 1, 2**30 - 1, 0]
            ours.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
                             + struct.pack("<9i", *cells))
            for method in peer.methods:
                with self.subTest(method=method, wrong=wrong):
                    done = subprocess.run(
                        [*map(str, peer.command), str(graph), method, "2", str(ours)],
                        stdout=subprocess.PIPE, encoding="utf-8", check=True)
                    told = json.loads(done.stdout)
                    self.assertEqual((told["vertices"], told["edges"], told["different"]),
                                     (3, 2, different))
                    self.assertEqual(len(told["seconds"]), 2)


class OtherProcesses(unittest.TestCase):
    def test_figure(self) -> None:
        """All processes 3 s and this one with its children 1 s, in 2 s."""
        clock = [(10.0, 100.0, 7.0), (12.0, 103.0, 8.0)]
        with mock.patch.object(bench.Others, "read", side_effect=clock):
            self.assertAlmostEqual(bench.Others().cores(), 1,
                                   delta=0.01 * (os.cpu_count() or 1))

    def test_a_busy_one(self) -> None:
        """A child counts once it is waited for; until then it is as foreign as any other."""
        if not Path("/proc/stat").exists():
            self.skipTest("no /proc/stat")
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
            others = bench.Others()
            time.sleep(0.7)
            self.assertGreater(others.cores(), 0.2)
            child.kill()


class Schedule(unittest.TestCase):
    def test_goals_come_first_and_once(self) -> None:
        for name, profile in bench_cpu.PROFILES.items():
            with self.subTest(name):
                chosen = [graph.name for graph in bench_cpu.graphs(profile)]
                self.assertEqual(len(chosen), len(set(chosen)))
                self.assertEqual(chosen[:4], ["random_V2000_E400000", "random_V5000_E500000",
                                              "random_V5000_E30000", "random_V5000_E2500"])
                self.assertEqual(chosen[-1], "grid_V10000")

    def test_full_is_more(self) -> None:
        default, full = (set(graph.name for graph in bench_cpu.graphs(bench_cpu.PROFILES[name]))
                         for name in ("default", "full"))
        self.assertLess(default, full)
        self.assertIn("random_V12500_E3125000", full)


if __name__ == "__main__":
    unittest.main()
