#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no file includes or imports from a room above its own.

Usage: tests/rooms.py [--draw]

ROOMS is the plan of the house: each room with the rooms that it may use. Tests may use everything.
Prints a line for each include or import that the plan does not allow, one for a circle in it, and one if
docs/pictures/rooms.svg, which --draw writes, is not what the includes are.
"""

import graphlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Each room with the folders that it may use beside its own, lowest first. A folder in it that is a room
# of its own is not meant.
GROUND = ["common/base"]
GRAPH = [*GROUND, "common/graph"]
SOLVE = [*GRAPH, "ranks", "solve"]
PROOF = ["certificate", "certificate/gpu"]
GPU = [*SOLVE, "gpu/launch", "gpu"]
LADDER = ["cuda_blocked/parts", "cuda_blocked"]
SEARCH = ["search/cpu", "search/gpu"]
CLI = [*GPU, "common/rows", "measures", "certificate", "flows", "job", "cli"]
PUBLISHED = ["thesis_tables/published"]
CONTEST = ["contest/parts", "contest/prefix_sum", "contest/softmax"]

ROOMS = {
    "common": [],  # scripts
    "common/base": [],
    "common/graph": GROUND,
    "ranks": GROUND,
    "gpu/launch": GROUND,
    "gpu/hip": [],
    "solve": [*GRAPH, "ranks"],
    "accessibility": [*SOLVE, "elimination", "classes"],
    "common/rows": [*GRAPH, "ranks"],
    "measures": [*GRAPH, "ranks", "gpu/launch", "common/rows"],
    # shares the loader with the solvers and nothing else
    "certificate": GRAPH,
    # totals are what measures need of what is proved
    "certificate/gpu": [*GRAPH, "gpu/launch", "measures", "certificate"],
    "gpu": [*SOLVE, "gpu/launch", "certificate/gpu"],
    "semiring": [*SOLVE, "measures", "elimination"],
    "search/cpu": [*SOLVE, "measures", "certificate"],
    "search/gpu": [*GPU, "measures", *PROOF, "search/cpu"],
    "cpu/parts": SOLVE,
    "cpu": [*SOLVE, "cpu/parts"],
    "cuda_simple": [*GPU, "search/gpu"],  # rounded weights are refined by label correcting
    "cuda_blocked/parts": GPU,
    "cuda_blocked": [*GPU, "certificate/gpu", "search/gpu", "cuda_blocked/parts"],
    "elimination": SOLVE,
    "elimination/gpu": [*GPU, "measures", "cuda_blocked", "elimination"],  # cuda_blocked closes what is dense
    "classes": [*SOLVE, "certificate", "elimination"],
    "flows": [*SOLVE, "common/rows", "measures", "certificate", "search/cpu", "elimination", "classes"],
    "eccentricity": [*SOLVE, "measures", "certificate", "search/cpu"],
    "classes/gpu": [*GPU, *PROOF, "classes"],
    "accessibility/gpu": [*GPU, *PROOF, "elimination", "classes", "classes/gpu", "accessibility"],
    "flows/gpu": [*GPU, "search/cpu", "elimination", "classes", "flows"],
    "index": [*SOLVE, "gpu/launch", *PROOF, "elimination"],
    "dissection": [*SOLVE, "measures", "search/cpu", "elimination", "classes"],
    "dissection/gpu": [*GPU, "measures", *PROOF, "elimination", "elimination/gpu", "classes", "classes/gpu"],
    "engines": [*GPU, *SEARCH, "semiring", "accessibility/gpu", "flows/gpu", "cpu", "cpu/parts", "cuda_simple", *LADDER, "elimination", "elimination/gpu", "dissection",
                "dissection/gpu"],
    # what the programs that solve, verify and the library do with a graph that has been read
    "job": [*SOLVE, "common/rows", "certificate"],
    "libapsp": [*GPU, "flows", "accessibility", "eccentricity", "common/rows", "measures", "certificate", "index", "engines", "job"],
    "cli": CLI[:-1],
    "apsp": [*CLI, "index", "accessibility", "eccentricity", "cuda_simple", "cuda_blocked", "engines"],
    "graphgen": CLI,
    "verify": [*CLI, "index", "engines"],
    "query": [*CLI, "index"],
    "contest/parts": CLI,
    "contest/prefix_sum": [*CLI, "contest/parts"],
    "contest/softmax": [*CLI, "contest/parts"],
    "docs/examples": [],
    "docs/man": [],
    "docs/pictures": [],
    "package": [],
    "python": [],
    "thesis_tables/published": [],
    "experiments": PUBLISHED,
    "experiments/ceilings": [*CLI, "cpu/parts"],
    "experiments/suites": [*CLI, *CONTEST, *PUBLISHED, "experiments"],
    "thesis_tables": [*PUBLISHED, "experiments", "experiments/ceilings", "experiments/suites"],
}

INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"')
IMPORT = re.compile(r"^\s*(?:from|import) ((?:experiments|thesis_tables|tests)\b[\w.]*)"
                    r"(?: import (\w+))?")


def room_of(path):
    """The room of a file or module: the longest that its path begins with."""
    rooms = [room for room in ROOMS if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def used_by(path):
    """(line number, path) of everything of ours that a file includes or imports."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            found = (IMPORT if path.endswith(".py") else INCLUDE).match(line)
            if found and path.endswith(".py"):
                yield number, "/".join(filter(None, (found[1].replace(".", "/"), found[2])))
            elif found:
                yield number, found[1]


def climbs(path):
    """Returns what is wrong with a file's includes, a line each."""
    room = room_of(path)
    if room is None:
        return ["%s: expected a file in one of the rooms of tests/rooms.py" % path]
    return ["%s:%d: %s may not use %s" % (path, number, room, used)
            for number, used in used_by(path)
            if "/" in used and room_of(used) not in (room, *ROOMS[room])]


def circle():
    """A line if the plan has a circle of rooms."""
    try:
        graphlib.TopologicalSorter(ROOMS).prepare()
    except graphlib.CycleError as error:
        return ["a circle of rooms: " + " -> ".join(error.args[1])]
    return []


# The picture -------------------------------------------------------------------------------------

PICTURE = os.path.join(ROOT, "docs/pictures/rooms.svg")
OTHERS = ("contest", "docs", "experiments", "package", "python", "thesis_tables", "gpu/hip")  # not drawn
FLOOR, ROW = 62, 26  # pixels from floor to floor; height of a box


def reached(room, uses):
    """The rooms that a room uses, itself and by way of others."""
    return uses[room].union(*(reached(other, uses) for other in uses[room]))


def floors_of(uses):
    """The rooms of each floor, from the ground on: one above the highest that they use."""
    floor = {}
    for room in graphlib.TopologicalSorter(uses).static_order():
        floor[room] = 1 + max((floor[other] for other in uses[room]), default=-1)
    return [[room for room in uses if floor[room] == level] for level in range(max(floor.values()) + 1)]


def places_of(uses, lines, width_of, width):
    """The middle of each room's box: the rooms of a floor side by side, near to what they use."""
    place = {}
    for level, rooms in enumerate(floors_of(uses)):
        rooms.sort(key=lambda room: (sum(place[used][0] for used in lines[room]) / max(1, len(lines[room])), room))
        gap = (width - sum(map(width_of, rooms))) / (len(rooms) + 1)
        left = gap
        for room in rooms:
            place[room] = (left + width_of(room) / 2, level)
            left += width_of(room) + gap
    return place


def picture(paths):
    """The rooms with C, each above all that its files include from. A line leads to what it uses that
    no other room in between uses."""
    sys.path.insert(0, os.path.dirname(PICTURE))
    from draw import LIGHT, WHITE, Picture

    uses = {}
    for path in paths:
        room = room_of(path)
        if not path.endswith(".py") and not room.startswith(OTHERS):
            own = uses.setdefault(room, set())
            own.update(room_of(used) for _, used in used_by(path) if "/" in used)
            own.discard(room)
    uses = dict(sorted(uses.items()))
    lines = {room: sorted(own.difference(*(reached(other, uses) for other in own))) for room, own in uses.items()}

    def width_of(room):
        return 8 * len(room) + 16

    width, height = 960, FLOOR * len(floors_of(uses)) + 16
    drawn = Picture("The rooms with C: each may use those below it that lines lead to", width, height)
    place = {room: (x, height - 40 - FLOOR * level) for room, (x, level) in
             places_of(uses, lines, width_of, width).items()}
    for room, own in lines.items():
        x, y = place[room]
        for used in own:
            to_x, to_y = place[used]
            bend = (to_y - y) / 2
            drawn.path(f"M{x:g} {y + ROW / 2:g} C {x:g} {y + bend:g}, {to_x:g} {to_y - bend:g}, "
                       f"{to_x:g} {to_y - ROW / 2:g}", width=0.8)
    for room, (x, y) in place.items():
        drawn.box(x - width_of(room) / 2, y - ROW / 2, width_of(room), ROW,
                  LIGHT if "gpu" in room or "cuda" in room else WHITE)
        drawn.text(x, y + 5, room, "middle", 13)
    return drawn.svg()


def is_drawn(svg):
    if not os.path.exists(PICTURE):
        return False
    with open(PICTURE, encoding="utf-8") as file:
        return file.read() == svg


def main(arguments):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.c", "*.h", "*.cu",
         "*.cuh", "*.cpp", "*.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    paths = [path for path in listed.stdout.splitlines()
             if not path.startswith("tests/") and os.path.exists(os.path.join(ROOT, path))]
    wrong = [*circle(), *(line for path in paths for line in climbs(path))]
    if not wrong and arguments == ["--draw"]:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(picture(paths))
    elif not wrong and not is_drawn(picture(paths)):
        wrong = ["%s: expected the rooms as files include them: tests/rooms.py --draw draws it anew"
                 % os.path.relpath(PICTURE, ROOT)]
    print("\n".join(wrong) if wrong else "", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
