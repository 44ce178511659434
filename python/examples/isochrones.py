#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Isochrones and a map of closeness of a road network.

    python3 isochrones.py [BLOCKS [closeness.svg]]

Makes a town of BLOCKS x BLOCKS crossings, a quarter of whose streets are missing, with the seconds that
each street takes. Prints how many crossings are within some minutes of the one that is closest to all
others, and draws every crossing, the redder the closer it is to all.
"""

import sys

import numpy
from scipy import sparse

import apsp


def town(blocks):
    """The streets as a matrix of seconds, and the places of the crossings."""
    rng = numpy.random.default_rng(7)
    at = numpy.arange(blocks * blocks).reshape(blocks, blocks)
    streets = numpy.concatenate([numpy.stack((at[:, :-1], at[:, 1:]), -1).reshape(-1, 2),
                                 numpy.stack((at[:-1], at[1:]), -1).reshape(-1, 2)])
    streets = streets[rng.random(len(streets)) < 0.75]
    seconds = rng.integers(10, 60, len(streets))
    n = blocks * blocks
    return (sparse.csr_matrix((seconds, streets.T), shape=(n, n)),
            numpy.stack(numpy.divmod(numpy.arange(n), blocks), -1))


def draw(path, places, closeness):
    shade = (255 * closeness / closeness.max()).astype(int)
    size = 10 * (places.max() + 1)
    with open(path, "w", encoding="ascii") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">\n' % (size, size))
        for (y, x), red in zip(places, shade):
            file.write('<circle cx="%d" cy="%d" r="4" fill="rgb(%d,0,%d)"/>\n'
                       % (10 * x + 5, 10 * y + 5, red, 255 - red))
        file.write("</svg>\n")


def main(blocks=40, picture=None):
    streets, places = town(int(blocks))
    closeness = apsp.measures(streets, directed=False).closeness_centrality
    middle = int(closeness.argmax())
    print("crossing %d is the closest to all %d" % (middle, len(places)))
    seconds = apsp.dijkstra(streets, directed=False, indices=middle, limit=15 * 60)
    for minutes in (5, 10, 15):
        print("%2d minutes: %d crossings" % (minutes, (seconds <= 60 * minutes).sum()))
    if picture is not None:
        draw(picture, places, closeness)


if __name__ == "__main__":
    main(*sys.argv[1:])
