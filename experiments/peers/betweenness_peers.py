#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times betweenness by searches beside NetworKit's and igraph's, in turns, and prints CSV.

    betweenness_peers.py [--vertices N] [--edges M] [--sources K] [--peer-sources K] [--turns T]
                         [--library NAME=FILE]...

Graphs are undirected: a random one and one of Barabási and Albert with weights of 1 to 10000, and the
latter without weights. Each engine searches from K sources, which all take it about as long. Ours finds vertices
and edges; NetworKit finds vertices from K sources that it draws itself, and igraph vertices or edges, which
are two runs. `seconds` is the least of T turns, and `processor_s` the least processor time of all threads: on a
busy machine it is the steadier one. --library names a libapsp.so to be timed, e.g. one of an earlier commit.
Needs NumPy, networkit and igraph; each turn runs in a process of its own.
"""

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAPHS = ["random, weighted", "Barabási–Albert, weighted", "Barabási–Albert, unweighted"]
COLUMNS = ["graph", "vertices", "edges", "engine", "finds", "threads", "sources", "seconds", "processor_s",
           "seconds_per_1000", "processor_s_per_1000", "turns", "host"]
HEAVIEST = 10000


def ends_of(kind, vertices, edges, chance):
    """Pairs of vertices, each once."""
    import numpy
    if kind.startswith("random"):
        pairs = numpy.sort(chance.integers(0, vertices, (2 * edges, 2)), axis=1)
        pairs = numpy.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        return chance.permutation(pairs)[:edges]
    each = edges // vertices
    ends = list(range(each))       # each vertex occurs once for each of its edges
    pairs = []
    for new in range(each, vertices):
        old = set()
        while len(old) < each:
            old.add(ends[chance.integers(len(ends))])
        pairs += [(vertex, new) for vertex in sorted(old)]
        ends += [*sorted(old), *[new] * each]
    return numpy.array(pairs)


def by_ours(vertices, pairs, weights, sources, threads, finds):
    sys.path.insert(0, os.path.join(ROOT, "python"))
    import apsp
    graph = apsp.Graph(list(range(vertices)), pairs[:, 0], pairs[:, 1], weights, directed=False)
    return lambda: apsp.betweenness(graph, sources=range(sources), edges=True, normalized=False, threads=threads,
                                    engine="searches")


def by_networkit(vertices, pairs, weights, sources, threads, finds):
    import networkit
    graph = networkit.Graph(vertices, weighted=bool(weights.max() > 1))
    for (tail, head), weight in zip(pairs.tolist(), weights.tolist()):
        graph.addEdge(tail, head, weight)
    networkit.setNumberOfThreads(threads)
    return networkit.centrality.EstimateBetweenness(graph, sources, False, threads > 1).run


def by_igraph(vertices, pairs, weights, sources, threads, finds):
    import igraph
    graph = igraph.Graph(n=vertices, edges=pairs.tolist())
    find = graph.betweenness if finds == "vertices" else graph.edge_betweenness
    return lambda: find(directed=False, weights=weights.tolist() if weights.max() > 1 else None,
                        sources=list(range(sources)))


ENGINES = {"ours": by_ours, "NetworKit": by_networkit, "igraph": by_igraph}


def one_turn(job):
    """Runs in a process of its own: prints seconds and processor seconds."""
    import numpy
    chance = numpy.random.default_rng(1)
    pairs = ends_of(job["graph"], job["vertices"], job["edges"], chance)
    weights = chance.integers(1, HEAVIEST + 1, len(pairs))
    if job["graph"].endswith("unweighted"):
        weights[:] = 1
    run = ENGINES[job["by"]](job["vertices"], pairs, weights, job["sources"], job["threads"], job["finds"])
    start, processor = time.perf_counter(), time.process_time()
    run()
    print(json.dumps([time.perf_counter() - start, time.process_time() - processor]))


def host():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores, {platform.system()}, shared with other work"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for option, value in ("vertices", 20000), ("edges", 100000), ("sources", 1280), ("peer-sources", 256), ("turns", 3):
        parser.add_argument(f"--{option}", type=int, default=value)
    parser.add_argument("--library", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--turn", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.turn:
        one_turn(json.loads(options.turn))
        return
    libraries = dict(library.split("=", 1) for library in options.library) or {"ours": ""}
    engines = [(name, "ours", "vertices and edges", threads) for name in libraries for threads in (2, 1)]
    engines += [("NetworKit", "NetworKit", "vertices", threads) for threads in (2, 1)]
    engines += [("igraph", "igraph", finds, 1) for finds in ("vertices", "edges")]
    sources_of = {by: options.sources if by == "ours" else options.peer_sources for by in ENGINES}
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for graph in GRAPHS:
        best = {}
        for _ in range(options.turns):
            for engine in engines:
                name, by, finds, threads = engine
                job = {"graph": graph, "by": by, "finds": finds, "threads": threads, "vertices": options.vertices,
                       "edges": options.edges, "sources": sources_of[by]}
                given = {"APSP_LIBRARY": libraries[name]} if libraries.get(name) else {}
                done = subprocess.run([sys.executable, __file__, "--turn", json.dumps(job)], env={**os.environ, **given},
                                      stdout=subprocess.PIPE, check=True)
                times = json.loads(done.stdout)
                best[engine] = [min(pair) for pair in zip(times, best.get(engine, times))]
        for (name, by, finds, threads), (seconds, processor) in best.items():
            each = 1000 / sources_of[by]
            table.writerow([graph, options.vertices, options.edges, name, finds, threads, sources_of[by],
                            f"{seconds:.3f}", f"{processor:.3f}", f"{seconds * each:.3f}", f"{processor * each:.3f}",
                            options.turns, host()])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
