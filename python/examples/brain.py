#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The efficiency of a brain network, from correlations of signals.

    python3 brain.py [REGIONS]

The length of an edge is 1 / correlation; pairs below a threshold have no edge. Prints the weighted
global efficiency, and the regions that are the nearest to all others, by their nodal efficiency.
"""

import sys

import numpy

import apsp


def signals(regions):
    """Returns the signals of regions in eight groups: what is common to the group, and noise."""
    rng = numpy.random.default_rng(3)
    group = rng.standard_normal((8, 400))
    group += 0.7 * rng.standard_normal(400)
    return group[numpy.arange(regions) % 8] + 0.8 * rng.standard_normal((regions, 400))


def main(regions=400, threshold=0.3):
    regions = int(regions)
    correlation = numpy.corrcoef(signals(regions))
    numpy.fill_diagonal(correlation, 0)
    lengths = numpy.where(correlation >= threshold,
                          1 / numpy.maximum(correlation, threshold), 0)
    found = apsp.measures(lengths, directed=False)
    nodal = found.harmonic_centrality / (regions - 1)
    print("%d regions, %d edges" % (regions, numpy.count_nonzero(lengths) // 2))
    print("global efficiency %.4f" % found.global_efficiency)
    print("most efficient regions:", *numpy.argsort(-nodal, kind="stable")[:5])


if __name__ == "__main__":
    main(*sys.argv[1:])
