# SPDX-License-Identifier: MIT
"""The description of the backend "apsp" that NetworkX reads when it is imported. Reading it must be
quick: nothing of the package apsp is imported before one of its functions is used."""

FUNCTIONS = (
    "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "all_pairs_dijkstra",
    "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "all_pairs_shortest_path",
    "all_pairs_shortest_path_length", "average_shortest_path_length", "barycenter",
    "betweenness_centrality", "betweenness_centrality_subset", "center", "closeness_centrality",
    "diameter", "eccentricity", "edge_betweenness_centrality", "floyd_warshall",
    "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance", "global_efficiency", "harmonic_centrality",
    "harmonic_diameter", "johnson", "periphery", "radius", "shortest_path", "shortest_path_length",
    "single_source_bellman_ford_path", "single_source_bellman_ford_path_length",
    "single_source_dijkstra", "single_source_dijkstra_path", "single_source_dijkstra_path_length",
    "single_source_shortest_path", "single_source_shortest_path_length", "wiener_index",
)

_NOTE = ("Distances are exact if a power of two makes the weights integers of 32 bits; by other "
         "weights they are NetworkX's, and measures may differ in the last bit. Mappings are lazy.")


def get_info() -> "dict":
    return {
        "backend_name": "apsp",
        "project": "apsp",
        "package": "apsp",
        "short_summary": "Exact all-pairs shortest paths on CPU and GPU.",
        "functions": {name: {"additional_docs": _NOTE} for name in FUNCTIONS},
    }
