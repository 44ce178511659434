// SPDX-License-Identifier: MIT
#include "measures/table.h"

#include <math.h>
#include <string.h>

/* Measures of vertices ------------------------------------------------------------------------ */

static exact_sum reached(const struct any_totals *totals) {
    return totals->reached;
}

static double real_reached(const struct any_totals *totals) {
    return totals->reached;
}

static exact_sum distance_sum(const struct any_totals *totals) {
    return totals->exact_sum;
}

static double real_distance_sum(const struct any_totals *totals) {
    return totals->sum;
}

static exact_sum eccentricity(const struct any_totals *totals) {
    return (exact_sum)totals->eccentricity;
}

static double real_eccentricity(const struct any_totals *totals) {
    return totals->eccentricity;
}

/* NetworkX's closeness_centrality (wf_improved, after Wasserman and Faust 1994): with r = reached -
 * 1, (r / sum) * (r / (n - 1)); 0 if the sum is not positive. In doubles, in this order. */
static double closeness(const struct any_totals *totals) {
    const double others = totals->reached - 1;
    return totals->sum > 0 ? others / totals->sum * (others / (totals->n - 1)) : 0;
}

static double reciprocals(const struct any_totals *totals) {
    return totals->reciprocals;
}

static double betweenness(const struct any_totals *totals) {
    return totals->betweenness;
}

static double betweenness_centrality(const struct any_totals *totals) {
    return totals->centrality;
}

static const struct measure_of_vertices of_vertices[] = {
    {
        .name = "reached",
        .out_name = "out_reached",
        .in_name = "in_reached",
        .number = 1,
        .form = MEASURE_COUNT,
        .integer = reached,
        .real = real_reached,
    },
    {
        .name = "distance_sum",
        .out_name = "out_distance_sum",
        .in_name = "in_distance_sum",
        .number = 2,
        .form = MEASURE_SUM,
        .dimension = 1,
        .integer = distance_sum,
        .real = real_distance_sum,
    },
    {
        .name = "eccentricity",
        .out_name = "eccentricity",
        .in_name = "in_eccentricity",
        .number = 0,
        .form = MEASURE_DISTANCE,
        .dimension = 1,
        .integer = eccentricity,
        .real = real_eccentricity,
    },
    {
        .name = "closeness_centrality",
        .out_name = "out_closeness_centrality",
        .in_name = "closeness_centrality",
        .number = 3,
        .form = MEASURE_REAL,
        .dimension = -1,
        .sums_only = true,
        .real = closeness,
    },
    {
        .name = "harmonic_centrality",
        .out_name = "out_harmonic_centrality",
        .in_name = "harmonic_centrality",
        .number = 4,
        .form = MEASURE_REAL,
        .dimension = -1,
        .part = MEASURES_HARMONIC,
        .sums_only = true,
        .real = reciprocals,
    },
    {
        .name = "betweenness",
        .out_name = "betweenness",
        .number = 5,
        .form = MEASURE_REAL,
        .part = MEASURES_FLOWS,
        .real = betweenness,
    },
    {
        .name = "betweenness_centrality",
        .out_name = "betweenness_centrality",
        .number = 6,
        .form = MEASURE_REAL,
        .part = MEASURES_FLOWS,
        .real = betweenness_centrality,
    },
};

enum { OF_VERTICES = sizeof of_vertices / sizeof *of_vertices };

const struct measure_of_vertices *measure_of_vertices_at(size_t row) {
    return row < OF_VERTICES ? &of_vertices[row] : NULL;
}

const struct measure_of_vertices *measure_of_vertices_numbered(int number) {
    for (size_t k = 0; k < OF_VERTICES; k++) {
        if (of_vertices[k].number == number)
            return &of_vertices[k];
    }
    return NULL;
}

/* Measures of the graph ----------------------------------------------------------------------- */

static struct measured pairs(const struct measures *m) {
    return (struct measured){.exact = m->pairs.pairs};
}

static struct measured pairs_without_path(const struct measures *m) {
    return (struct measured){.exact = m->pairs.without_path};
}

static struct measured sum_of_pairs(const struct measures *m) {
    return (struct measured){.exact = m->pairs.sum, .real = m->pairs.real_sum};
}

static struct measured average_distance(const struct measures *m) {
    const bool none = m->pairs.without_path == m->pairs.pairs;
    return (struct measured){.real = none ? NAN : m->pairs.average};
}

static struct measured is_connected(const struct measures *m) {
    return (struct measured){.exact = m->of_graph.components == 1};
}

static struct measured components(const struct measures *m) {
    return (struct measured){.exact = m->of_graph.components};
}

static struct measured largest_component(const struct measures *m) {
    return (struct measured){.exact = m->of_graph.largest_component};
}

static struct measured diameter(const struct measures *m) {
    return (struct measured){.real = m->of_graph.diameter};
}

static struct measured radius(const struct measures *m) {
    return (struct measured){.real = m->of_graph.radius};
}

static struct measured average_shortest_path_length(const struct measures *m) {
    return (struct measured){.real = m->of_graph.average_shortest_path_length};
}

static struct measured wiener_index(const struct measures *m) {
    return (struct measured){.exact = m->of_graph.wiener_index,
                             .real = m->of_graph.real_wiener_index};
}

static struct measured global_efficiency(const struct measures *m) {
    return (struct measured){.real = m->of_graph.global_efficiency};
}

static const struct measure_of_graph of_graph[] = {
    {.name = "pairs", .form = MEASURE_COUNT, .value = pairs},
    {.name = "pairs_without_path", .form = MEASURE_COUNT, .value = pairs_without_path},
    {.name = "distance_sum", .form = MEASURE_SUM, .value = sum_of_pairs},
    {.name = "average_distance", .form = MEASURE_REAL, .value = average_distance},
    {.name = "largest_distance", .other_name = "worst_distance", .form = MEASURE_PAIR},
    {
        .name = "is_connected",
        .directed_name = "is_strongly_connected",
        .form = MEASURE_TRUTH,
        .scope = MEASURE_OF_ALL,
        .value = is_connected,
    },
    {
        .name = "number_connected_components",
        .directed_name = "number_strongly_connected_components",
        .form = MEASURE_COUNT,
        .scope = MEASURE_OF_ALL,
        .value = components,
    },
    {
        .name = "largest_connected_component",
        .directed_name = "largest_strongly_connected_component",
        .form = MEASURE_COUNT,
        .scope = MEASURE_OF_ALL,
        .value = largest_component,
    },
    {
        .name = "diameter",
        .form = MEASURE_DISTANCE,
        .scope = MEASURE_IF_CONNECTED,
        .value = diameter,
    },
    {
        .name = "radius",
        .form = MEASURE_DISTANCE,
        .scope = MEASURE_IF_CONNECTED,
        .value = radius,
    },
    {
        .name = "center",
        .label = "center",
        .form = MEASURE_VERTICES,
        .scope = MEASURE_IF_CONNECTED,
        .value = radius,
    },
    {
        .name = "periphery",
        .label = "periphery",
        .form = MEASURE_VERTICES,
        .scope = MEASURE_IF_CONNECTED,
        .value = diameter,
    },
    {
        .name = "average_shortest_path_length",
        .form = MEASURE_REAL,
        .scope = MEASURE_IF_CONNECTED,
        .sums_only = true,
        .value = average_shortest_path_length,
    },
    {
        .name = "wiener_index",
        .label = "Wiener index",
        .form = MEASURE_SUM,
        .scope = MEASURE_IF_CONNECTED,
        .sums_only = true,
        .value = wiener_index,
    },
    {
        .name = "global_efficiency",
        .label = "global efficiency",
        .form = MEASURE_REAL,
        .scope = MEASURE_OF_ALL,
        .part = MEASURES_HARMONIC,
        .sums_only = true,
        .value = global_efficiency,
    },
    {.name = "histogram", .form = MEASURE_HISTOGRAM, .part = MEASURES_HISTOGRAM},
};

enum { OF_GRAPH = sizeof of_graph / sizeof *of_graph };

const struct measure_of_graph *measure_of_graph_at(size_t row) {
    return row < OF_GRAPH ? &of_graph[row] : NULL;
}

static bool is_name(const char *name, const char *other) {
    return other != NULL && strcmp(name, other) == 0;
}

unsigned measures_part_of(const char *name) {
    for (size_t k = 0; k < OF_VERTICES; k++) {
        const struct measure_of_vertices *const row = &of_vertices[k];
        if (is_name(name, row->name) || is_name(name, row->out_name) || is_name(name, row->in_name))
            return row->part;
    }
    for (size_t k = 0; k < OF_GRAPH; k++) {
        if (is_name(name, of_graph[k].name) || is_name(name, of_graph[k].directed_name) ||
            is_name(name, of_graph[k].other_name))
            return of_graph[k].part;
    }
    return 0;
}
