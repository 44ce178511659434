#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a shortest path from the NumPy files that a solver wrote; needs NumPy and nothing else.

    cpu graphFile.txt --format npy -o result
    python3 read_result.py result 0 3

The files are opened while no solver replaces them, and read once, to compare their checksums with
those in PREFIX.json. Then they are mapped: of matrices of any size only what is looked at comes into
memory.
"""

import contextlib
import fcntl
import json
import os
import sys
import zlib

import numpy



def open_files(prefix):
    """The three files, that of the predecessors None if there is none."""
    directory = os.open(os.path.dirname(prefix) or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # on a file system without locks, the checksums are enough
            fcntl.flock(directory, fcntl.LOCK_SH)
        sidecar = open(prefix + ".json", encoding="utf-8")
        dist = open(prefix + ".dist.npy", "rb")
        pred = open(prefix + ".pred.npy", "rb") if os.path.exists(prefix + ".pred.npy") else None
        return sidecar, dist, pred
    finally:
        os.close(directory)  # this releases the lock


def checked(file, checksum):
    """The matrix in a file whose checksum must be this one."""
    crc = 0
    while block := file.read(1 << 20):
        crc = zlib.crc32(block, crc)
    if "%08x" % crc != checksum:
        sys.exit("%s: expected CRC-32 %s, found %08x: the files do not belong together"
                 % (file.name, checksum, crc))
    file.seek(0)
    shape, order, dtype = read_header(file)
    return numpy.memmap(file, dtype=dtype, mode="r", offset=file.tell(), shape=shape,
                        order="F" if order else "C")


def read_header(file):
    """(shape, whether it is in Fortran's order, type) of a .npy file of format 1.0."""
    assert numpy.lib.format.read_magic(file) == (1, 0)
    return numpy.lib.format.read_array_header_1_0(file)


def open_result(prefix):
    """(distances, the distance that says that there is no path, predecessors), the last one None in
    a distances-only result. Without a path the predecessor is -1."""
    sidecar, dist, pred = open_files(prefix)
    with sidecar, dist, pred or contextlib.nullcontext():
        facts = json.load(sidecar)
        return (checked(dist, facts["dist_checksum"]), facts.get("infinity", 2**30 - 1),
                checked(pred, facts["pred_checksum"]) if facts["predecessors"] else None)


def path(pred, source, target):
    """The vertices of a shortest path from source to target, both included."""
    row, vertices = pred[source], [target]
    while vertices[-1] != source:
        vertices.append(int(row[vertices[-1]]))
    return vertices[::-1]


def main(prefix, source, target):
    source, target = int(source), int(target)
    dist, infinity, pred = open_result(prefix)
    if pred is None:
        sys.exit("%s has no predecessors: solve without --distances-only" % prefix)
    if dist[source, target] == infinity:
        print("no path from %d to %d" % (source, target))
        return
    for vertex in path(pred, source, target):
        print("%d\tat distance %d" % (vertex, dist[source, vertex]))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: read_result.py PREFIX FROM TO")
    main(*sys.argv[1:])
