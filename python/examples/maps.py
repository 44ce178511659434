#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws three maps of a road network with Matplotlib: closeness, isochrones and betweenness.

    python3 maps.py [BLOCKS [maps.png [streets.geojson]]]

The town is that of isochrones.py, of BLOCKS x BLOCKS crossings. With GeoPandas the streets and their numbers go into
a file, too, for QGIS and others. town.ipynb shows the same step by step.
"""

import sys

import matplotlib
import numpy
from isochrones import town
from matplotlib.collections import LineCollection

import apsp

BANDS = (2, 4, 6, 8, 10)  # upper ends of the bands, in minutes


def network(blocks):
    """A graph, and where its crossings are: columns x and y, in metres."""
    streets, grid = town(blocks)
    streets = streets.tocoo()
    graph = apsp.Graph(list(range(len(grid))), streets.row, streets.col, streets.data, directed=False)
    rng = numpy.random.default_rng(7)
    return graph, 100 * (grid[:, ::-1] + 0.5 * rng.random(grid.shape))


def lines(graph, places):
    """The streets for a LineCollection, in the order of the graph's edges."""
    return numpy.stack((places[graph.tails], places[graph.heads]), axis=1)


def closeness(graph):
    """Returns the closeness of each street, the mean of its ends."""
    found = apsp.measures(graph).closeness_centrality
    return (found[graph.tails] + found[graph.heads]) / 2


def minutes_from(graph, source):
    """Returns the minutes until the farther end of each street is reached; infinite if it is farther
    than the last band."""
    seconds = apsp.solve(graph, [source], limit=60.0 * BANDS[-1]).distances[0]
    return numpy.maximum(seconds[graph.tails], seconds[graph.heads]) / 60


def traffic(graph):
    """Returns the share of all pairs of crossings whose shortest path uses each street."""
    found = apsp.betweenness(graph, edges=True)
    of_edge = dict(zip(zip(found.edge_tails.tolist(), found.edge_heads.tolist()), found.edges))
    return numpy.array([of_edge[min(edge), max(edge)] for edge in zip(graph.tails.tolist(), graph.heads.tolist())])


def draw(axes, streets, values, title, **how):
    """One map, the streets coloured by values; infinite ones are grey."""
    far = ~numpy.isfinite(values)
    axes.add_collection(LineCollection(streets[far], colors="0.85", linewidths=1))
    widths = how.pop("linewidths", numpy.full(len(values), 1.5))
    shown = axes.add_collection(LineCollection(streets[~far], array=values[~far], linewidths=widths[~far], **how))
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)
    axes.figure.colorbar(shown, ax=axes, shrink=0.7)


def draw_all(graph, places, figure):
    streets, middle = lines(graph, places), int(apsp.measures(graph).closeness_centrality.argmax())
    used = traffic(graph)
    for_all = figure.subplots(1, 3)
    draw(for_all[0], streets, closeness(graph), "closeness", cmap="inferno")
    bands = matplotlib.colors.BoundaryNorm((0, *BANDS), 256)
    draw(for_all[1], streets, minutes_from(graph, middle), "minutes from the middle", cmap="viridis_r", norm=bands)
    draw(for_all[2], streets, used, "betweenness", cmap="inferno_r", linewidths=0.5 + 4 * numpy.sqrt(used / used.max()))


def write_streets(path, graph, places):
    """For geographic information systems."""
    import geopandas
    from shapely.geometry import LineString
    table = geopandas.GeoDataFrame(
        {"closeness": closeness(graph), "betweenness": traffic(graph), "seconds": graph.weights},
        geometry=[LineString(line) for line in lines(graph, places)], crs="EPSG:3857")
    table.to_file(path, driver="GeoJSON")
    return len(table)


def main(blocks=40, picture="maps.png", table=None):
    matplotlib.use("agg")
    from matplotlib import pyplot
    graph, places = network(int(blocks))
    figure = pyplot.figure(figsize=(15, 5), layout="constrained")
    draw_all(graph, places, figure)
    figure.savefig(picture, dpi=80)
    used = traffic(graph)
    busiest = int(used.argmax())
    print("%s: %d crossings, %d streets" % (picture, len(graph), len(graph.heads)))
    print("%.1f %% of all pairs use the street from %d to %d"
          % (100 * used[busiest], graph.tails[busiest], graph.heads[busiest]))
    if table is not None:
        print("%s: %d streets" % (table, write_streets(table, graph, places)))


if __name__ == "__main__":
    main(*sys.argv[1:])
