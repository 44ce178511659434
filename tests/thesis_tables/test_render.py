# SPDX-License-Identifier: MIT
"""Tests of the renderer: published data, golden tables, absent and untrusted numbers."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import json
import sys
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any, Optional
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments import markdown, timings  # noqa: E402 (found by the line above)
from experiments.timings import Measurement  # noqa: E402
from thesis_tables import markers, measured, plot, render, rounding  # noqa: E402
from thesis_tables.published import schedule  # noqa: E402

NO_GPU = "no usable GPU: built without CUDA"


def measurement(**changes: Any) -> Measurement:
    """Dense V = 5 by `cpu sequential`, but for the changes."""
    base = Measurement(
        graph_class="dense", vertices=5, edges=10, seed=2017, program="cpu", variant="sequential",
        predecessors=True, threads=1, tile=0, device="", cpu="Testium 486", build="b0b0",
        commit="c0c0", environment="e0", verified=True, timestamp="2020-01-01T00:00:00Z",
        solve_s=(2e-06, 1e-06, 4e-06), total_s=(0.00325, 0.00225, 0.00525),
        transfer_s=(0.0, 0.0, 0.0))
    return dataclasses.replace(base, **changes)


def environment_record(unavailable: Optional[str] = None, **changes: Any) -> dict[str, Any]:
    programs = {"cpu": {"build": "b0b0", "unavailable": None}}
    for name in ("cuda_simple", "cuda_blocked"):
        programs[name] = {"build": "b1b1", "unavailable": unavailable}
    return {"id": "e0", "date": "2020-01-01T00:00:00Z", "cpu": "Testium 486", "cores": 2,
            "memory_gib": 4.0, "os": "Testix", "kernel": "1.0", "gpus": [],
            "compilers": {"cc": "cc 1", "nvcc": None}, "configuration": "cc -O3",
            "commit": "c0c0", "programs": programs, **changes}


GPU = {"threads": 0, "device": "Testla", "variant": "thesis"}
V1 = {"program": "cuda_simple", "solve_s": (0.5e-06,), "total_s": (0.125,), **GPU}
V2 = {"program": "cuda_blocked", "solve_s": (0.25e-06,), "total_s": (0.0625,), "tile": 32, **GPU}


class RenderingTest(unittest.TestCase):
    """Renders into a folder that lasts as long as a test."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.timings = self.out / "timings.csv"
        self.environment = self.out / "environment.json"
        # Pictures have tests of their own.
        no_pictures = mock.patch.object(plot, "GNUPLOT", "no-such-gnuplot")
        no_pictures.start()
        self.addCleanup(no_pictures.stop)

    def render(self, measurements: list[Measurement], *records: dict[str, Any],
               page: Optional[Path] = None) -> str:
        for each in measurements:
            timings.append(self.timings, each)
        self.environment.write_text(json.dumps({"environments": records}), encoding="utf-8")
        files = [self.timings] if measurements else []
        return render.render(render.Inputs(files, [self.environment]), self.out, page).tables

    def csv_row(self, table: int, vertices: int) -> dict[str, str]:
        with open(self.out / f"table_{table}.csv", encoding="utf-8", newline="") as file:
            return next(row for row in csv.DictReader(file) if row["V"] == str(vertices))


def markdown_row(markdown: str, table: int | str, vertices: int) -> list[str]:
    """Returns a row of Table N, or of the table with a title that starts so."""
    title = f"Table {table}. " if isinstance(table, int) else table
    section = markdown.split(f"## {title}")[1].split("\n## ")[0]
    line = next(line for line in section.splitlines() if line.startswith(f"| {vertices} |"))
    return line.strip("| ").split(" | ")


class Rounding(unittest.TestCase):
    def test_published_speedups_that_do_not_follow(self) -> None:
        """The rule knows no list; these are what it has to find."""
        times = {(cell["class"], cell["V"]): cell
                 for cell in schedule.read_published("thesis_times.csv")}
        found = []
        for cell in schedule.read_published("thesis_speedups.csv"):
            published = times[cell["class"], cell["V"]]
            for slower, faster in render.SPEEDUPS:
                if not rounding.follows(cell[f"{slower.key}_over_{faster.key}"],
                                        published[f"{slower.key}_s"],
                                        published[f"{faster.key}_s"]):
                    found.append((cell["class"], int(cell["V"]), slower.key))
        self.assertEqual(found, [("sparse", 10, "cpu"), ("sparse", 20, "cpu"),
                                 ("sparse", 40, "cpu"), ("medium", 5, "cpu")])

    def test_time_intervals(self) -> None:
        for printed, least, most in (("0.1", "0.095", "0.105"), ("24007.1", "24007.095",
                                     "24007.105"), ("7e-06", "6.995e-06", "7.005e-06"),
                                     ("3.95e-05", "3.945e-05", "3.955e-05"),
                                     ("0.01", "0.005", "0.015")):
            with self.subTest(printed):
                self.assertEqual(rounding.time_interval(printed), (Decimal(least), Decimal(most)))

    def test_rounded_and_cut_off_speedups_follow(self) -> None:
        self.assertTrue(rounding.follows("1.67", "0.5", "0.3"))
        self.assertTrue(rounding.follows("66.66", "2000", "30"))
        self.assertTrue(rounding.follows("66.67", "2000", "30"))

    def test_speedups_beyond_rounding_do_not_follow(self) -> None:
        self.assertFalse(rounding.follows("66.64", "2000", "30"))
        self.assertFalse(rounding.follows("66.70", "2000", "30"))

    def test_small_speedups_do_not_reach_two_decimals(self) -> None:
        self.assertFalse(rounding.follows("0.01", "0.000297", "0.05"))
        self.assertTrue(rounding.follows("0.01", "0.000483", "0.05"))


class Formatting(unittest.TestCase):
    def test_three_significant_digits(self) -> None:
        for number, text in ((0.0, "0"), (1.234e-06, "1.23e-06"), (0.0012345, "0.00123"),
                             (0.05, "0.0500"), (0.9996, "1.00"), (1.0, "1.00"), (12.345, "12.3"),
                             (123.45, "123"), (1234.5, "1230"), (99999.0, "100000")):
            with self.subTest(number):
                self.assertEqual(markdown.significant(number), text)


class Numbers(RenderingTest):
    def test_golden_times(self) -> None:
        markdown = self.render([measurement(), measurement(**V1), measurement(**V2)],
                               environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5),
                         ["5", "10", "50", "3e-06", "0.00325", "2.00e-06",
                          "0.05", "0.125", "5.00e-07", "0.05", "0.0625", "2.50e-07"])
        self.assertEqual(
            (self.out / "table_1.csv").read_text(encoding="utf-8").splitlines()[:3],
            ["table,class,V,E,density_percent,"
             "cpu_thesis_s,cpu_total_s,cpu_solve_s,cpu_repetitions,cpu_environment,"
             "cuda_v1_thesis_s,cuda_v1_total_s,cuda_v1_solve_s,cuda_v1_repetitions,"
             "cuda_v1_environment,cuda_v2_thesis_s,cuda_v2_total_s,cuda_v2_solve_s,"
             "cuda_v2_repetitions,cuda_v2_environment,notes",
             "1,dense,5,10,50,3e-06,0.00325,2e-06,3,e0,0.05,0.125,5e-07,1,e0,"
             "0.05,0.0625,2.5e-07,1,e0,",
             "1,dense,10,40,44.44,1.6e-05,not measured,not measured,0,,"
             "0.05,not measured,not measured,0,,0.05,not measured,not measured,0,,"])

    def test_golden_speedups(self) -> None:
        markdown = self.render([measurement(), measurement(**V1), measurement(**V2)],
                               environment_record())
        self.assertEqual(markdown_row(markdown, 2, 5),
                         ["5", "10", "50", "6.034e-05", "0.0260", "4.00", "0.98", "2.00", "2.00"])
        self.assertEqual(self.csv_row(2, 5)["cpu_over_cuda_v1_solve_s"], "4")

    def test_every_table_has_every_size(self) -> None:
        markdown = self.render([], environment_record())
        for table in range(1, 7):
            for vertices in (5, 10, 20, 40, 200, 400, 800, 1000, 2000, 5000, 7500, 10000, 12500):
                self.assertGreater(len(markdown_row(markdown, table, vertices)), 3)

    def test_header_names_the_machine(self) -> None:
        markdown = self.render([measurement()], environment_record(), environment_record(
            id="e1", cpu="Unused", gpus=[]))
        for text in ("Testium 486", "cc 1", "c0c0", "GPU: none", "2020-01-01"):
            self.assertIn(text, markdown)
        self.assertNotIn("Unused", markdown)

    def test_gpu_is_named_without_nvidia_smi(self) -> None:
        self.assertIn("GPU: Testla", self.render([measurement(**V1)], environment_record()))

    def test_header_says_what_was_measured_where(self) -> None:
        markdown = self.render([measurement(), measurement(**V1, environment="e1"),
                                measurement(**V1, environment="e1", vertices=10, edges=40)],
                               environment_record(), environment_record(id="e1"))
        first, second = markdown.split("- Environment ")[1:]
        self.assertIn("Measured here: CPU (1 cells)\n", first)
        self.assertIn("Measured here: CUDA v1 (2 cells)\n", second)

    def test_header_says_which_sizes_were_measured_elsewhere(self) -> None:
        markdown = self.render([measurement(), measurement(**V1),
                                measurement(environment="e1", vertices=20, edges=160),
                                measurement(environment="e1", vertices=10, edges=40)],
                               environment_record(), environment_record(id="e1"))
        first, second = markdown.split("- Environment ")[1:]
        self.assertIn("Measured here: CPU (1 cells: V = 5); CUDA v1 (1 cells)\n", first)
        self.assertIn("Measured here: CPU (2 cells: V = 10, 20)\n", second)

    def test_clocks_are_described(self) -> None:
        self.assertIn("## The clocks", self.render([], environment_record()))


class Variants(RenderingTest):
    """Tables of variants that have come since the thesis."""

    AUTO = {**V2, "variant": "auto", "chosen": "tensor"}

    def test_tables(self) -> None:
        markdown = self.render([measurement(**self.AUTO), measurement(
            **{**self.AUTO, "graph_class": "reports", "vertices": 1000, "edges": 19980})],
            environment_record())
        for title, vertices, before in (("Since the thesis: times in seconds, dense", 5, 6),
                                        ("Times in seconds, graphs of the reports' sizes", 1000,
                                         12)):
            cells = markdown_row(markdown, title, vertices)
            self.assertEqual(cells[before:before + 2], ["0.0625", "2.50e-07 (tensor)"])
            self.assertEqual(set(cells[2:before] + cells[before + 2:]), {"not measured"})
        with open(self.out / "variants_reports.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["V"], row["cuda_blocked_auto_total_s"],
                           row["cuda_blocked_auto_repetitions"], row["cpu_total_s"])
                          for row in rows], [("1000", "0.0625", "1", "not measured"),
                                             ("2500", "not measured", "0", "not measured")])

    def test_every_solver_has_a_column(self) -> None:
        markdown = self.render([], environment_record())
        for solver in schedule.SOLVERS:
            self.assertIn(f"{solver.title} total_s", markdown)


class MarkedPage(RenderingTest):
    def setUp(self) -> None:
        super().setUp()
        self.page = self.out / "sub" / "page.md"
        self.page.parent.mkdir()
        begin, end = markers.markers("tables")
        self.page.write_text(f"head\n{begin}\nold\n{end}\ntail\n", encoding="utf-8")

    def test_main_table_and_figure(self) -> None:
        dense = {"vertices": 12500, "edges": 3125000}
        self.render([measurement(**dense), measurement(**V1, **dense, environment="e1")],
                    environment_record(), environment_record(id="e1", cores=16),
                    page=self.page)
        text = self.page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("head\n<!-- tables -->\n\nSeconds to solve"), text)
        self.assertTrue(text.endswith("](../figure_5_1_total.svg)\n\n<!-- end of tables -->\n"
                                      "tail\n"), text)
        self.assertIn("| 12500 | 24007.1 | 350.86 | 151.96 | 0.00325 / 2.00e-06 | "
                      "0.125 / 5.00e-07 | not measured | not measured |", text)
        self.assertIn("CPU: Testium 486, 2 cores, 4.0 GiB; CUDA v1: Testium 486, 16 cores, 4.0 "
                      "GiB, Testla.", " ".join(text.split()))

    def test_again_changes_nothing(self) -> None:
        self.render([measurement()], environment_record(), page=self.page)
        before = self.page.read_bytes()
        render.render(render.Inputs([self.timings], [self.environment]), self.out, self.page)
        self.assertEqual(self.page.read_bytes(), before)

    def test_without_markers(self) -> None:
        self.page.write_text("no markers", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "page.md: expected the markers <!-- tables -->"):
            self.render([], environment_record(), page=self.page)
        self.assertEqual(self.page.read_text(encoding="utf-8"), "no markers")


class Choice(RenderingTest):
    def test_newest_wins(self) -> None:
        markdown = self.render([
            measurement(total_s=(0.5,), solve_s=(0.5,), timestamp="2020-01-03T00:00:00Z"),
            measurement(total_s=(0.25,), solve_s=(0.25,), timestamp="2020-01-02T00:00:00Z"),
        ], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "0.500")

    def test_unverified_is_ignored(self) -> None:
        markdown = self.render([measurement(verified=False)], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "not measured")

    def test_distances_only_is_ignored(self) -> None:
        markdown = self.render([measurement(predecessors=False)], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "not measured")

    def test_other_variants_are_ignored(self) -> None:
        markdown = self.render([measurement(variant="blocked")], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "not measured")

    def test_other_edge_counts_are_ignored(self) -> None:
        markdown = self.render([measurement(edges=11)], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "not measured")


class Absence(RenderingTest):
    def test_unmeasured(self) -> None:
        markdown = self.render([measurement()], environment_record())
        self.assertEqual(markdown_row(markdown, 1, 10)[4:], [
            "not measured", "not measured", "0.05", "not measured", "not measured", "0.05",
            "not measured", "not measured"])

    def test_unavailable_says_why(self) -> None:
        markdown = self.render([measurement()], environment_record(NO_GPU))
        self.assertEqual(markdown_row(markdown, 1, 5)[7], "— (a)")
        self.assertIn(f"\n(a) CUDA v1: {NO_GPU}\n", markdown)
        self.assertEqual(self.csv_row(1, 5)["cuda_v1_total_s"], "unavailable")
        self.assertIn(NO_GPU, self.csv_row(1, 5)["notes"])
        self.assertEqual(self.csv_row(2, 5)["cuda_v1_over_cuda_v2_total_s"], "unavailable")

    def test_unavailable_on_one_machine_but_not_on_another(self) -> None:
        markdown = self.render([measurement(), measurement(**V1, environment="e1")],
                               environment_record(NO_GPU), environment_record(id="e1"))
        self.assertEqual(markdown_row(markdown, 1, 5)[7], "0.125")
        self.assertEqual(markdown_row(markdown, 1, 10)[7], "not measured")

    def test_speedup_across_machines_is_noted(self) -> None:
        markdown = self.render([measurement(), measurement(**V1, cpu="Otherium",
                                                           environment="unknown")],
                               environment_record())
        self.assertIn("(a)", markdown_row(markdown, 2, 5)[4])
        self.assertIn("different machines: Testium 486, 2 cores, 4.0 GiB; and Otherium", markdown)

    def test_processors_of_the_same_name_are_two_machines(self) -> None:
        markdown = self.render([measurement(), measurement(**V1, environment="e1")],
                               environment_record(), environment_record(id="e1", cores=16))
        self.assertIn("different machines: Testium 486, 2 cores, 4.0 GiB; and Testium 486, 16 "
                      "cores, 4.0 GiB.", markdown)

    def test_busy_machine_is_noted(self) -> None:
        markdown = self.render([measurement(others=0.5), measurement(**V1, others=0.05)],
                               environment_record())
        self.assertEqual(markdown_row(markdown, 1, 5)[4], "0.00325 (a)")
        self.assertEqual(markdown_row(markdown, 1, 5)[7], "0.125")
        self.assertIn("\n(a) Other processes kept more than 0.1 cores busy meanwhile", markdown)

    def test_two_builds_on_one_machine_are_not_noted(self) -> None:
        markdown = self.render([measurement(), measurement(**V1, environment="e1")],
                               environment_record(), environment_record(id="e1", commit="later"))
        self.assertNotIn("different machines", markdown)

    def test_inconsistent_published_speedups_are_noted(self) -> None:
        markdown = self.render([], environment_record())
        noted = [(table, vertices) for table in (2, 4, 6)
                 for vertices in (5, 10, 20, 40, 200, 400, 800, 1000, 2000, 5000, 7500, 10000,
                                  12500)
                 if "(" in markdown_row(markdown, table, vertices)[3]]
        self.assertEqual(noted, [(4, 10), (4, 20), (4, 40), (6, 5)])
        self.assertIn("published 0.00779 does not follow", markdown)

    def test_zero_time_gives_no_speedup(self) -> None:
        self.render([measurement(), measurement(**{**V1, "solve_s": (0.0,)})],
                    environment_record())
        self.assertEqual(self.csv_row(2, 5)["cpu_over_cuda_v1_solve_s"], "unavailable")


class TimingsFile(RenderingTest):
    def test_incomplete_measurement_is_ignored(self) -> None:
        timings.append(self.timings, measurement())
        whole = self.timings.read_bytes()
        for cut in (1, len(whole) // 5, len(whole) // 2):
            with self.subTest(cut):
                self.timings.write_bytes(whole[:-cut])
                self.assertEqual(timings.read(self.timings), [])

    def test_repair_keeps_what_is_whole(self) -> None:
        timings.append(self.timings, measurement())
        whole = self.timings.read_bytes()
        self.assertFalse(timings.repair(self.timings))
        timings.append(self.timings, measurement(vertices=10, edges=40))
        self.timings.write_bytes(self.timings.read_bytes()[:-9])
        self.assertTrue(timings.repair(self.timings))
        self.assertEqual(self.timings.read_bytes(), whole)

    def test_file_from_before_transfers_were_timed(self) -> None:
        timings.append(self.timings, measurement())
        lines = self.timings.read_text(encoding="utf-8").splitlines()
        self.timings.write_text("".join(line.rsplit(",", 3)[0] + "\n" for line in lines),
                                encoding="utf-8")
        old = measurement(transfer_s=(None, None, None))
        self.assertEqual(timings.read(self.timings), [old])
        self.assertTrue(timings.repair(self.timings))
        timings.append(self.timings, measurement(vertices=10, edges=40))
        self.assertEqual(timings.read(self.timings), [old, measurement(vertices=10, edges=40)])

    def test_file_from_before_choices_were_recorded(self) -> None:
        timings.append(self.timings, measurement(chosen="tensor", others=0.5))
        text = self.timings.read_text(encoding="utf-8")
        self.timings.write_text(text.replace(",tensor,0.50\n", "\n").replace(
            ",chosen,others\n", "\n"), encoding="utf-8")
        self.assertEqual(timings.read(self.timings), [measurement()])

    def test_awkward_names_survive(self) -> None:
        awkward = measurement(device='GPU, "the" best', cpu="a,b")
        timings.append(self.timings, awkward)
        self.assertEqual(timings.read(self.timings), [awkward])

    def test_malformed_line_is_named(self) -> None:
        timings.append(self.timings, measurement())
        lines = self.timings.read_text(encoding="utf-8").splitlines(keepends=True)
        for broken in ("dense,5\n", lines[1].replace("2e-06", "nan"),
                       lines[1].replace(",0,,\n", ",-1,,\n"),
                       lines[1].replace(",,\n", ",,some\n"), lines[1].replace(",2017,", ",x,")):
            with self.subTest(broken):
                self.timings.write_text("".join([lines[0], broken, *lines[2:]]), encoding="utf-8")
                with self.assertRaisesRegex(timings.TimingsError, "timings.csv:2: "):
                    timings.read(self.timings)

    def test_other_files_are_refused(self) -> None:
        self.timings.write_text("a,b\n1,2\n", encoding="utf-8")
        with self.assertRaisesRegex(timings.TimingsError, "timings.csv:1: "):
            timings.read(self.timings)


class Script(RenderingTest):
    def main(self, *arguments: object) -> tuple[int, str]:
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            status = render.main([str(argument) for argument in arguments])
        return status, errors.getvalue()

    def test_writes_all_files(self) -> None:
        timings.append(self.timings, measurement())
        self.environment.write_text(json.dumps({"environments": [environment_record()]}))
        status, errors = self.main("--timings", self.timings, "--environment", self.environment,
                                   "--out", self.out / "deep" / "er")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual({path.name for path in (self.out / "deep" / "er").iterdir()},
                         {"tables.md", "summary.md",
                          *(f"table_{number}.csv" for number in range(1, 7)),
                          *(f"variants_{each}.csv" for each in schedule.CLASSES)})

    def test_environments_beside_the_timings(self) -> None:
        """Several files of timings, of several machines, each with its own environment."""
        named = self.out / "other.csv"
        timings.append(self.timings, measurement())
        timings.append(named, measurement(**V1, environment="e1"))
        self.environment.write_text(json.dumps({"environments": [environment_record()]}))
        (self.out / "other.environment.json").write_text(json.dumps(
            {"environments": [environment_record(id="e1", cpu="Otherium")]}))
        self.assertEqual(self.main("--timings", self.timings, named, "--out", self.out), (0, ""))
        text = (self.out / "tables.md").read_text(encoding="utf-8")
        self.assertIn("  - CPU: Testium 486, 2 cores", text)
        self.assertIn("  - CPU: Otherium, 2 cores", text)
        self.assertIn("different machines: Testium 486, 2 cores, 4.0 GiB; and Otherium", text)

    def test_missing_and_malformed_files(self) -> None:
        self.timings.write_text("rubbish\n", encoding="utf-8")
        self.environment.write_text('{"environments": [{}]}', encoding="utf-8")
        good = self.out / "empty.csv"
        good.touch()
        for arguments in (("--timings", self.out / "none.csv"), ("--timings", self.timings),
                          ("--timings", good, "--environment", self.environment)):
            with self.subTest(arguments):
                status, errors = self.main(*arguments, "--out", self.out)
                self.assertEqual(status, 2)
                self.assertEqual(errors.count("\n"), 1, errors)


if __name__ == "__main__":
    unittest.main()
