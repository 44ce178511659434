#!/usr/bin/env python3
"""Prints a shortest path from the NumPy files that a solver wrote; needs NumPy and nothing else.

    cpu graphFile.txt --format npy -o result
    python3 read_result.py result 0 3

The files are mapped, not read: of matrices of any size only what is looked at comes into memory.
"""

import json
import sys

import numpy

NO_PATH = 2**30 - 1  # in distances; in predecessors it is -1


def open_result(prefix):
    """(distances, predecessors), the latter None in a distances-only result."""
    with open(prefix + ".json", encoding="utf-8") as file:  # the solver writes it last
        facts = json.load(file)
    dist = numpy.load(prefix + ".dist.npy", mmap_mode="r")
    pred = numpy.load(prefix + ".pred.npy", mmap_mode="r") if facts["predecessors"] else None
    return dist, pred


def path(pred, source, target):
    """The vertices of a shortest path from source to target, both included."""
    row, vertices = pred[source], [target]
    while vertices[-1] != source:
        vertices.append(int(row[vertices[-1]]))
    return vertices[::-1]


def main(prefix, source, target):
    source, target = int(source), int(target)
    dist, pred = open_result(prefix)
    if pred is None:
        sys.exit("%s has no predecessors: solve without --distances-only" % prefix)
    if dist[source, target] == NO_PATH:
        print("no path from %d to %d" % (source, target))
        return
    for vertex in path(pred, source, target):
        print("%d\tat distance %d" % (vertex, dist[source, vertex]))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: read_result.py PREFIX FROM TO")
    main(*sys.argv[1:])
