# SPDX-License-Identifier: MIT
"""The Python package's functions for distances: whatever is given beside the graph, answers are SciPy's, and
types of answers hold what they can hold and refuse the rest. Skipped without SciPy."""

import unittest

from support import import_package, optional

numpy, sparse, csgraph = optional("numpy", "scipy.sparse", "scipy.sparse.csgraph")

NONE = -9999

apsp = None


def setUpModule():
    global apsp
    apsp = import_package("apsp", SciPy=csgraph)


def places(rng, shape, dtype):
    """Arrays for an answer: of either order, and every other column of one."""
    return [numpy.empty(shape, dtype), numpy.empty(shape, dtype, order="F"),
            numpy.empty((shape[0], 2 * shape[1]), dtype)[:, ::2]][rng.integers(3)]


class Ways(unittest.TestCase):
    """Arguments that choose a way to the answer leave it as it is."""

    def check(self, weights, dist, pred, expected):
        """Distances are expected, and predecessors one edge before."""
        numpy.testing.assert_array_equal(dist.astype(float), expected)
        if pred is None:
            return
        i, v = numpy.nonzero(pred != NONE)
        numpy.testing.assert_array_equal(expected[i, pred[i, v]] + weights[pred[i, v], v], expected[i, v])

    def graph(self, rng, n):
        """A matrix of some kind, and its weights with infinity where there is no edge."""
        dense = rng.integers(0, 20, (n, n)) * (rng.random((n, n)) < 4 / n)
        unit = [1, 1, 4, 2**20, 1 / 2**25][rng.integers(5)]
        dense = dense / unit if unit != 1 else dense
        numpy.fill_diagonal(dense, 0)
        weights = numpy.where(dense == 0, numpy.inf, dense)
        kind = rng.integers(4)
        if kind == 0:
            return dense, weights
        if kind == 1:
            return sparse.csr_matrix(dense), weights
        if kind == 2:
            return sparse.coo_array(dense.astype(numpy.float32) if unit != 1 else dense), weights
        stored = sparse.csr_matrix(dense)
        stored.data[::5] = 0  # edges of weight 0
        stored = stored.tocoo()
        weights[stored.row, stored.col] = stored.data
        return stored.tocsr(), weights

    def arguments(self, rng, n, integral):
        """Arguments that make no difference."""
        how = {}
        if rng.random() < 0.5:
            how["engine"] = ("cpu:multisource", "cpu:sequential", "cpu:johnson", "cpu:blocked")[rng.integers(4)]
        for name, value in (("threads", int(rng.integers(1, 4))), ("check", True), ("progress", lambda *_: None),
                            ("grid", ("off", "auto", 0.5)[rng.integers(2 + integral)])):
            if rng.random() < 0.25:
                how[name] = value
        if integral and rng.random() < 0.2 and how.get("grid", "auto") in ("off", "auto"):
            how["scale"] = 3
        return how

    def ask(self, name, graph, rows, given):
        """Distances and predecessors, by a function."""
        if name == "rows":
            order, dist, pred = map(numpy.concatenate, zip(*apsp.rows(graph, predecessors=True, **given)))
            self.assertEqual(order.tolist(), list(range(graph.shape[0]) if rows is None else rows))
            return dist, pred
        if name == "solve":
            found = apsp.solve(graph, predecessors=True, **given)
            self.assertEqual(found.proved, "check" in given)
            return found.distances, found.predecessors
        return getattr(apsp, name)(graph, return_predecessors=True, **given)

    def test_random_graphs(self):
        rng = numpy.random.default_rng(7)
        for number in range(160):
            n = int(rng.choice([2, 5, 20, 34, 60, 270], p=[.2, .2, .2, .2, .15, .05]))
            graph, weights = self.graph(rng, n)
            integral = not (weights[weights < numpy.inf] % 1).any()
            directed, unweighted = bool(rng.integers(2)), rng.random() < 0.2
            if unweighted:
                weights = numpy.where(weights < numpy.inf, 1, numpy.inf)
            if not directed:
                weights = numpy.minimum(weights, weights.T)
            edges = numpy.nonzero(weights < numpy.inf)
            all_rows = csgraph.dijkstra(sparse.csr_matrix((weights[edges], edges), shape=(n, n)))
            how = self.arguments(rng, n, integral and not unweighted)
            how.update(directed=directed, unweighted=unweighted)
            whole = integral or unweighted
            kinds = ["float64", "float32"] + ["int64", "int32", "uint16"] * (whole and "scale" not in how)
            kind = numpy.dtype(kinds[rng.integers(len(kinds))])
            if isinstance(how.get("grid"), float) and kind.kind != "f":
                del how["grid"]
            limit = float(rng.integers(0, 60)) * (1 if whole else 2.0**-3) if rng.random() < 0.4 else numpy.inf
            rows = rng.permutation(n)[:rng.integers(1, n + 1)] if rng.random() < 0.7 else None
            expected = all_rows if rows is None else all_rows[rows]
            none = apsp.no_path(kind)
            with self.subTest(number=number, n=n, kind=kind, limit=limit, **how):
                given = {"dtype": kind} if number % 3 else {"out": places(rng, expected.shape, kind)}
                named = [name for name in ("dijkstra", "solve", "rows", "shortest_path") if
                         limit == numpy.inf or name != "shortest_path"]
                name = named[rng.integers(len(named))]
                limited = {} if name == "shortest_path" else {"limit": limit}
                chosen = {} if rows is None else {"sources" if name in ("solve", "rows") else "indices": rows}
                if name == "rows":
                    how.pop("progress", None)
                    given = {"dtype": kind, "block": int(rng.integers(0, 9)), "in_order": True}
                try:
                    dist, pred = self.ask(name, graph, rows, {**given, **limited, **chosen, **how})
                except (ValueError, apsp.ApspError) as reason:
                    self.assertNotEqual(kind.kind, "f", reason)
                    self.assertGreaterEqual(all_rows[all_rows < numpy.inf].max(), none, reason)
                    continue
                self.assertEqual(dist.dtype, kind)
                if "out" in given:
                    self.assertIs(dist, given["out"])
                far = expected > limit
                self.assertTrue((dist[far | (expected == numpy.inf)] == none).all())
                self.assertTrue((pred[far] == NONE).all())
                dist, pred = numpy.where(far, expected, dist), numpy.where(far, NONE, pred)
                dist = numpy.where(expected == numpy.inf, numpy.inf, dist)
                self.check(weights, dist, pred, expected.astype(kind if kind.kind == "f" else float)
                           if kind != numpy.float32 else expected)
                self.assertEqual((pred != NONE).sum(), ((expected <= limit) & (expected < numpy.inf)).sum()
                                 - (n if rows is None else len(rows)))

    def test_nearest(self):
        """The nearest of some vertices: by every way the same."""
        rng = numpy.random.default_rng(8)
        for number in range(60):
            n = int(rng.choice([2, 5, 20, 60]))
            graph, weights = self.graph(rng, n)
            edges = numpy.nonzero(weights < numpy.inf)
            all_rows = csgraph.dijkstra(sparse.csr_matrix((weights[edges], edges), shape=(n, n)))
            how = self.arguments(rng, n, not (weights[weights < numpy.inf] % 1).any())
            limit = float(rng.integers(0, 30)) if number % 3 == 0 else numpy.inf
            indices = rng.permutation(n)[:rng.integers(1, n + 1)]
            expected = all_rows[indices].min(axis=0)
            expected[expected > limit] = numpy.inf
            with self.subTest(number=number, n=n, limit=limit, **how):
                dist, pred, root = apsp.dijkstra(graph, indices=indices, min_only=True, limit=limit,
                                                 return_predecessors=True, **how)
                numpy.testing.assert_array_equal(dist, expected)
                self.assertTrue((root[dist == numpy.inf] == NONE).all())
                self.assertTrue((pred[indices] == NONE).all())
                self.assertEqual(root[indices].tolist(), indices.tolist())
                reached = numpy.flatnonzero(dist < numpy.inf)
                self.assertTrue(numpy.isin(root[reached], indices).all())
                numpy.testing.assert_array_equal(all_rows[root[reached], reached], dist[reached])
                others = reached[pred[reached] != NONE]
                self.assertEqual(set(others) | set(indices), set(reached))
                numpy.testing.assert_array_equal(dist[pred[others]] + weights[pred[others], others], dist[others])
                numpy.testing.assert_array_equal(root[pred[others]], root[others])


class Units(unittest.TestCase):
    """Weights in another unit change every length by its factor, and nothing else."""

    # Members of measures by the power of the unit that they have; the others have none.
    POWERS = {1: ("distance_sum", "out_distance_sum", "in_distance_sum", "eccentricity", "in_eccentricity",
                  "distance_sum_of_pairs", "average_distance", "largest_distance", "diameter", "radius",
                  "average_shortest_path_length", "wiener_index", "limit"),
              -1: ("closeness_centrality", "out_closeness_centrality", "harmonic_centrality",
                   "out_harmonic_centrality", "global_efficiency")}

    def test_measures(self):
        rng = numpy.random.default_rng(9)
        power = {name: p for p, names in self.POWERS.items() for name in names}
        for number in range(24):
            n = int(rng.choice([2, 6, 30, 70]))
            weights = rng.integers(1, 30, (n, n)) * (rng.random((n, n)) < [0.9, 2 / n][number % 2])
            numpy.fill_diagonal(weights, 0)
            directed = bool(number % 3)
            how = {"directed": directed, "sources": rng.permutation(n)[:n // 2 + 1] if number % 4 == 3 else None}
            whole = vars(apsp.measures(weights, **how))
            for unit, more in (8, {}), (10, {"scale": 10}), (10, {"grid": "off"}), (4, {"check": True}):
                other = vars(apsp.measures(weights / unit, **more, **how))
                self.assertEqual(other.keys(), whole.keys())
                for name, value in whole.items():
                    with self.subTest(number=number, unit=unit, name=name, **more):
                        factor = float(unit) ** -power.get(name, 0)
                        if name == "histogram":
                            self.assertEqual(other[name][0].sum(), value[0].sum())
                        elif name in ("proved", "sources") or name.startswith("grid") or value is None:
                            continue
                        elif name in ("center", "periphery", "largest_pair") and unit == 10:
                            continue  # ties may be rounded
                        else:
                            numpy.testing.assert_allclose(other[name], numpy.asarray(value) * factor, rtol=1e-12)


class Types(unittest.TestCase):

    def test_ends(self):
        """A distance that a type of answers just holds, and those that it does not, by every function, of few
        vertices and of many, of integers, of reals and of integers that a scale makes."""
        most = {"uint16": 65534, "int32": 2**30 - 2, "int64": 2**53 - 1}
        for kind, largest in most.items():
            for length in largest - 1, largest, largest + 1, largest + 2:
                for n, number in (3, int), (40, int), (300, int), (3, float), (40, float):
                    weights = [number(length // 2), number(length - length // 2)]
                    if weights[1] != length - length // 2 or (number is float and kind == "int64" and length > 2**53):
                        continue  # float64 does not have it
                    path = sparse.csr_array((weights, ([0, 1], [1, 2])), shape=(n, n))
                    for name, given in (("shortest_path", {"dtype": kind}), ("solve", {"dtype": kind}),
                                        ("rows", {"dtype": kind, "block": 2, "in_order": True}), ("dijkstra", {"dtype": kind, "indices": [0, 1]}),
                                        ("floyd_warshall", {"out": numpy.empty((n, n), kind)}),
                                        ("johnson", {"out": numpy.empty((n, 2 * n), kind)[:, ::2]})):
                        with self.subTest(kind=kind, length=length, n=n, name=name):
                            try:
                                found = getattr(apsp, name)(path, **given)
                                found = (numpy.concatenate([some for _, some in found]) if name == "rows" else
                                         found.distances if name == "solve" else found)
                            except (ValueError, apsp.ApspError):
                                self.assertGreater(length, largest)
                                continue
                            self.assertLessEqual(length, largest)
                            self.assertEqual((int(found[0, 2]), int(found[1, 0])), (length, apsp.no_path(kind)))


if __name__ == "__main__":
    unittest.main()
