# SPDX-License-Identifier: MIT
"""One page: which published conclusions hold on the machines that were measured.

A conclusion is a sentence, and a rule that turns times into a verdict and the numbers it rests
on. The same rule is applied to the published times, of which it holds, and to ours. Where ours
do not suffice it says so.
"""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Optional

from experiments.markdown import significant, table
from thesis_tables.measured import CLOCKS, NOT_MEASURED, Timed
from thesis_tables.published.schedule import (
    FURTHER_SOLVERS, THESIS_SOLVERS, Graph, Solver, read_published, report_speedups)

CPU, CUDA_V1, CUDA_V2 = THESIS_SOLVERS
CLASSES = ("dense", "medium", "sparse")  # classes of graphs, by density
SMALL, LARGE = 40, 1000  # |V| of small and large graphs

Seconds = Mapping[int, float]  # seconds by |V|
Times = Mapping[tuple[str, Solver], Seconds]  # seconds by class and solver
SpeedUps = Mapping[str, Mapping[int, float]]  # speed-ups over the naive kernel, by report and |V|


@dataclasses.dataclass(frozen=True)
class Evidence:
    """Evidence for a conclusion, of one class or of all. holds: None if what was measured does not
    suffice."""

    holds: Optional[bool]
    numbers: str


@dataclasses.dataclass(frozen=True)
class Conclusion:
    text: str
    rule: str
    judge: Callable[[Times], list[Evidence]]


@dataclasses.dataclass(frozen=True)
class ReportConclusion:
    text: str
    rule: str
    judge: Callable[[SpeedUps], Evidence]


# Rules on the thesis's times ---------------------------------------------------------------


def quotients(slower: Seconds, faster: Seconds) -> dict[int, float]:
    return {v: slower[v] / faster[v] for v in sorted(slower) if faster.get(v, 0) > 0}


def by_class(judge: Callable[[str, Times], Evidence]) -> Callable[[Times], list[Evidence]]:
    return lambda times: [judge(graph_class, times) for graph_class in CLASSES]


def unknown(what: str) -> Evidence:
    return Evidence(None, f"{what}: {NOT_MEASURED}")


def start_up(graph_class: str, times: Times) -> Evidence:
    speedups = quotients(times[graph_class, CPU], times[graph_class, CUDA_V1])
    small = [speedups[v] for v in speedups if v <= SMALL]
    large = [speedups[v] for v in speedups if v >= LARGE]
    if not small or not large:
        return unknown(graph_class)
    first = next((v for v in speedups if speedups[v] > 1), None)
    return Evidence(max(small) < 1 < min(large),
                    f"{graph_class} from V = {first}" if first else f"{graph_class} never")


def far_faster(graph_class: str, times: Times) -> Evidence:
    speedups = quotients(times[graph_class, CPU], times[graph_class, CUDA_V1])
    if not speedups or max(speedups) < LARGE:
        return unknown(graph_class)
    largest = max(speedups)
    return Evidence(speedups[largest] >= 10,
                    f"{graph_class} {significant(speedups[largest])} (V = {largest})")


def levels_off(graph_class: str, times: Times) -> Evidence:
    speedups = quotients(times[graph_class, CPU], times[graph_class, CUDA_V1])
    large = [speedups[v] for v in speedups if v >= 2 * LARGE]
    if len(large) < 2:
        return unknown(graph_class)
    return Evidence(max(large) <= 1.5 * min(large),
                    f"{graph_class} {significant(min(large))} … {significant(max(large))}")


def blocks_pay(graph_class: str, times: Times) -> Evidence:
    speedups = quotients(times[graph_class, CUDA_V1], times[graph_class, CUDA_V2])
    large = {v: speedups[v] for v in speedups if v >= LARGE}
    if not large:
        return unknown(graph_class)
    shown = dict.fromkeys((min(large, key=large.__getitem__), max(large)))
    return Evidence(min(large.values()) > 1, f"{graph_class} " + ", ".join(
        f"{significant(large[v])} (V = {v})" for v in shown))


def density_order(times: Times) -> list[Evidence]:
    speedups = [quotients(times[each, CUDA_V1], times[each, CUDA_V2]) for each in CLASSES]
    common = set.intersection(*map(set, speedups))
    if not common or max(common) < LARGE:
        return [unknown("all classes")]
    found = [each[max(common)] for each in speedups]
    return [Evidence(found == sorted(found, reverse=True), f"V = {max(common)}: " + ", ".join(
        f"{name} {significant(value)}" for name, value in zip(CLASSES, found)))]


def sparse_is_quicker(times: Times) -> list[Evidence]:
    evidence = []
    for solver in THESIS_SOLVERS:
        shares = quotients(times["sparse", solver], times["dense", solver])
        if not shares or max(shares) < LARGE:
            evidence.append(unknown(solver.title))
        else:
            share = shares[max(shares)]
            evidence.append(Evidence(share < 1, f"{solver.title} {100 * share:.0f} % "
                                                f"(V = {max(shares)})"))
    return evidence


def cubic(times: Times) -> list[Evidence]:
    evidence = []
    for solver in THESIS_SOLVERS:
        seconds = times["dense", solver]
        large = [v for v in sorted(seconds) if v >= 2 * LARGE and seconds[v] > 0]
        if len(large) < 2:
            evidence.append(unknown(solver.title))
            continue
        first, last = large[0], large[-1]
        power = math.log(seconds[last] / seconds[first]) / math.log(last / first)
        evidence.append(Evidence(2.5 <= power <= 3.5,
                                 f"{solver.title} V^{power:.2f} ({first} … {last})"))
    return evidence


THESIS_CONCLUSIONS = (
    Conclusion("Small graphs are solved sooner by the sequential program: the GPU's start-up "
               "costs more than the work.",
               f"CPU faster than CUDA v1 up to V = {SMALL}, slower from {LARGE} on; shown: the "
               "first V at which CUDA v1 is faster", by_class(start_up)),
    Conclusion("On large graphs one launch per k is far faster than the sequential program.",
               "CPU / CUDA v1 at the largest V is 10 or more", by_class(far_faster)),
    Conclusion(f"From V = {2 * LARGE} on that speed-up hardly changes.",
               "the greatest CPU / CUDA v1 is at most 1.5 times the least", by_class(levels_off)),
    Conclusion("Blocks in shared memory are faster than one launch per k.",
               f"CUDA v1 / CUDA v2 above 1 at every V from {LARGE} on; shown: the least, and that "
               "at the largest V",
               by_class(blocks_pay)),
    Conclusion("Blocks pay the more the denser the graph.",
               "CUDA v1 / CUDA v2 at the largest V: dense ≥ medium ≥ sparse", density_order),
    Conclusion("Sparse graphs take less time, though the number of steps is the same.",
               "time of sparse below time of dense at the largest V; shown: its share",
               sparse_is_quicker),
    Conclusion("Times grow with the cube of V.",
               f"exponent 2.5 to 3.5 between the first V from {2 * LARGE} on and the largest, "
               "dense graphs", cubic),
)

# Rules on the reports' speed-ups over their naive kernel, distances only --------------------

SHOWN = 10000  # |V| of the reports' largest graph
STAGES = ("batched-0-blocked", "batched-1-registers", "batched-2-6x6", "batched-3-interior")
FINAL = ("b32", "batched-3-interior", "tile64-2x2")  # last kernel of each report, by speed


def at_shown(speedups: SpeedUps, reports: Sequence[str]) -> Optional[list[float]]:
    found = [speedups.get(report, {}).get(SHOWN) for report in reports]
    known = [value for value in found if value is not None]
    return known if len(known) == len(found) else None


def named(reports: Sequence[str], values: Iterable[float]) -> str:
    return ", ".join(f"{report} {significant(value)}" for report, value in zip(reports, values))


def tiles_pay(speedups: SpeedUps) -> Evidence:
    found = at_shown(speedups, ("b32",))
    return unknown("b32") if found is None else Evidence(found[0] >= 10, named(("b32",), found))


def registers_pay(speedups: SpeedUps) -> Evidence:
    found = at_shown(speedups, ("b32", "tile64-2x2"))
    if found is None:
        return unknown("b32, tile64-2x2")
    factor = found[1] / found[0]
    return Evidence(factor >= 1.5, f"tile64-2x2 is {significant(factor)} times as fast as b32")


def stages_pay(speedups: SpeedUps) -> Evidence:
    found = at_shown(speedups, STAGES)
    if found is None:
        return unknown("batched")
    return Evidence(all(a < b for a, b in zip(found, found[1:])), named(STAGES, found))


def order_of_reports(speedups: SpeedUps) -> Evidence:
    found = at_shown(speedups, FINAL)
    if found is None:
        return unknown("the reports' last variants")
    return Evidence(found == sorted(found), named(FINAL, found))


def saturates(speedups: SpeedUps) -> Evidence:
    sizes, found, holds = (1000, 5000, SHOWN), [], True
    for report in FINAL:
        values = [speedups.get(report, {}).get(size) for size in sizes]
        known = [value for value in values if value is not None]
        if len(known) < len(sizes):
            return unknown(report)
        holds = holds and known[0] < known[1] and max(known[1:]) <= 1.15 * min(known[1:])
        found.append(f"{report} {', '.join(map(significant, known))}")
    return Evidence(holds, "; ".join(found))


REPORT_CONCLUSIONS = (
    ReportConclusion("Tiles of 32 × 32 cells in shared memory are far faster than the naive "
                     "kernel.", f"speed-up of b32 over naive at V = {SHOWN} is 10 or more",
                     tiles_pay),
    ReportConclusion("Four cells to a thread, in registers, are much faster than one.",
                     f"speed-up of tile64-2x2 at V = {SHOWN} is at least 1.5 times that of b32",
                     registers_pay),
    ReportConclusion("Each stage of the batched kernel is faster than the one before.",
                     f"speed-ups over naive at V = {SHOWN} ascend", stages_pay),
    ReportConclusion("Registers for four cells beat batches, and these simple tiles.",
                     f"speed-ups over naive at V = {SHOWN}: b32 ≤ batched ≤ tile64",
                     order_of_reports),
    ReportConclusion("The speed-ups grow with V and level off from V = 5000 on.",
                     f"more at 5000 than at 1000; at 5000 and {SHOWN} the same within 15 %",
                     saturates),
)

# Times ---------------------------------------------------------------------------------------


def published_times() -> Times:
    rows = read_published("thesis_times.csv")
    return {(each, solver): {int(row["V"]): float(row[f"{solver.column}_s"])
                             for row in rows if row["class"] == each}
            for each in CLASSES for solver in THESIS_SOLVERS}


def measured_times(timed: Timed, clock: str) -> Times:
    times: dict[tuple[str, Solver], dict[int, float]] = {
        (each, solver): {} for each in CLASSES for solver in THESIS_SOLVERS}
    for (graph, solver), measurement in timed.newest.items():
        if (graph.graph_class, solver) in times:
            times[graph.graph_class, solver][graph.vertices] = measurement.median(clock)
    return times


# Rendering -----------------------------------------------------------------------------------


def verdict(evidence: Sequence[Evidence]) -> str:
    verdicts = {each.holds for each in evidence}
    if False in verdicts:
        return "partly" if True in verdicts else "**no**"
    if None in verdicts:
        return "as far as measured" if True in verdicts else NOT_MEASURED
    return "yes"


def numbers(evidence: Sequence[Evidence]) -> str:
    return "; ".join(each.numbers + ("" if each.holds is not False else " ✗") for each in evidence)


def thesis_part(timed: Timed) -> str:
    published = published_times()
    ours = [measured_times(timed, clock) for clock in CLOCKS]
    rows = []
    for number, conclusion in enumerate(THESIS_CONCLUSIONS, start=1):
        row = [f"{number}. {conclusion.text}", numbers(conclusion.judge(published))]
        for times in ours:
            evidence = conclusion.judge(times)
            row.append(f"{verdict(evidence)}: {numbers(evidence)}"
                       if verdict(evidence) != NOT_MEASURED else NOT_MEASURED)
        rows.append(row)
    return table(["conclusion", "thesis", *(f"holds by {clock}?" for clock in CLOCKS)], rows)


def reports_part(speedups: SpeedUps) -> str:
    published = report_speedups()
    rows = []
    for number, conclusion in enumerate(REPORT_CONCLUSIONS, start=len(THESIS_CONCLUSIONS) + 1):
        evidence = conclusion.judge(speedups)
        rows.append([f"{number}. {conclusion.text}", conclusion.judge(published).numbers,
                     NOT_MEASURED if evidence.holds is None
                     else f"{verdict([evidence])}: {evidence.numbers}"])
    return table(["conclusion", "reports", "holds?"], rows)


def since_then(timed: Timed) -> str:
    """The largest published graphs: the thesis's kernel, and what has come since."""
    rows = []
    for graph_class in CLASSES:
        row = next(row for row in reversed(read_published("thesis_times.csv"))
                   if row["class"] == graph_class)
        graph = Graph(graph_class, int(row["V"]), int(row["E"]))
        base = timed.of(graph, CUDA_V2)
        cells = [f"{graph_class}, V = {graph.vertices}, E = {graph.edges}",
                 row[f"{CUDA_V2.column}_s"],
                 NOT_MEASURED if base is None else significant(base.median("solve_s"))]
        for solver in FURTHER_SOLVERS:
            measurement = timed.of(graph, solver)
            if measurement is None:
                cells.append(NOT_MEASURED)
                continue
            seconds = measurement.median("solve_s")
            cells.append(significant(seconds) if base is None or seconds == 0 else
                         f"{significant(seconds)} ({significant(base.median('solve_s') / seconds)} "
                         "×)")
        rows.append(cells)
    return table(["graph", f"{CUDA_V2.title}, thesis, s", f"{CUDA_V2.title}, solve_s",
                  *(f"{solver.title}" for solver in FURTHER_SOLVERS)], rows)


def rules() -> str:
    both = [each.rule for each in THESIS_CONCLUSIONS] + [each.rule for each in REPORT_CONCLUSIONS]
    return "\n".join(f"{number}. {rule[0].upper()}{rule[1:]}."
                     for number, rule in enumerate(both, start=1))


def as_markdown(timed: Timed, speedups: SpeedUps) -> str:
    devices: dict[str, set[str]] = {}
    for measurement in timed.newest.values():
        devices.setdefault(timed.machine(measurement), set()).add(measurement.device)
    machines = [", ".join([machine, *sorted(used - {""})])
                for machine, used in sorted(devices.items())]
    head = textwrap.fill(
        "Read off the published figures, and judged by one rule each (at the end), once by those "
        f"figures and once by ours. Measured on: {'; '.join(machines) or 'nothing'}. “✗” marks "
        "numbers against the conclusion; “not measured” means just that. `total_s` contains the "
        "GPU's context and transfers, as the thesis's clock did; `solve_s` is solving alone.", 100,
        break_on_hyphens=False)
    return f"""\
# What became of the published conclusions

{head}

## The thesis

{thesis_part(timed)}

## The reports

Speed-ups over the naive kernel, distances only, `solve_s`.

{reports_part(speedups)}

## Since then

The largest graphs, with predecessors, `solve_s` in seconds; in brackets how many times as fast as
{CUDA_V2.title} on the same graph.

{since_then(timed)}

## The rules

{rules()}
"""
