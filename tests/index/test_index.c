// SPDX-License-Identifier: MIT
/* Distance indices beside textbook Floyd-Warshall: every pair, row, table and path; and what is
 * said of files that are damaged. */
#include "certificate/certificate.h" // certify_reader
#include "cuda_runtime_api.h"        // the shim's controls
#include "elimination/flatten.h"
#include "elimination/nested.h"
#include "elimination/symbolic.h" // tree_build
#include "index/index.h"
#include "index/index_check.h"
#include "index/index_gpu.h"
#include "index/index_label.h"
#include "index/index_query.h"
#include "solve/grid.h" // grid_apply
#include "tests/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On one thread or two, which may take no time from others: graphs are small. */
static struct distance_index build(const struct graph *g, bool both_directions) {
    const struct index_options options = {
        .threads = 1 + g->n % 2, .both_directions = both_directions, .even_if_larger = true};
    struct distance_index x;
    struct error err;
    const enum status status = index_build(&x, g, &options, NULL, NULL, &err);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    return x;
}

/* Keeps an index in a file and maps that. The path is the test's next temporary one. */
static struct distance_index kept(struct distance_index *x, const char **path) {
    struct distance_index mapped;
    struct error err;
    *path = temporary_path();
    CU_ASSERT_EQUAL_FATAL(index_save(x, *path, &err), STATUS_OK);
    index_close(x);
    CU_ASSERT_EQUAL_FATAL(index_open(&mapped, *path, &err), STATUS_OK);
    return mapped;
}

/* Answers that an index of a graph must give: distances of the int32 graph of the same edges times
 * `unit`, which is 1 unless the graph's weights are real. */
struct expecting {
    const int64_t *distances;
    int32_t n;
    bool is_real;
    double unit;
};

/* The bytes of its file; the caller frees them. */
static unsigned char *file_of(const struct distance_index *x) {
    unsigned char *const bytes = malloc(x->header.bytes);
    const char *const path = temporary_path();
    struct error err;
    CU_ASSERT_EQUAL_FATAL(index_save(x, path, &err), STATUS_OK);
    FILE *const file = fopen(path, "rb");
    CU_ASSERT_EQUAL_FATAL(fread(bytes, 1, x->header.bytes, file), x->header.bytes);
    fclose(file);
    return bytes;
}

static double expected(const struct expecting *x, int32_t from, int32_t to) {
    const int64_t d = x->distances[(size_t)from * (size_t)x->n + (size_t)to];
    return d == INT64_MAX ? (x->is_real ? (double)INFINITY : INF) : (double)d * x->unit;
}

/* Returns whether a path has edges of the graph only, no vertex twice, and that length. */
static bool is_path(const struct graph *g, const int32_t *path, int32_t length, int32_t from,
                    int32_t to, double distance) {
    const double no_path = g->type == NUMBER_INT32 ? INF : (double)INFINITY;
    double sum = 0;
    if (distance == no_path || length == 0)
        return distance == no_path && length == 0;
    for (int32_t k = 1; k < length; k++) {
        const int64_t e = graph_find_edge(g, path[k - 1], path[k]);
        if (e < 0)
            return false;
        sum += number_at(g->type, graph_weights(g), e);
        for (int32_t j = 0; j < k; j++) {
            if (path[j] == path[k])
                return false;
        }
    }
    return path[0] == from && path[length - 1] == to && sum == distance;
}

/* Returns the length of an entry, in cells, and its middle in *middle. */
static double entry_at(const struct distance_index *x, int direction, uint64_t entry,
                       int32_t *middle) {
    const char *const bytes = (const char *)x->entry[direction] + entry * 2 * x->header.cell;
    int32_t length;
    double real;
    memcpy(middle, bytes + x->header.cell, sizeof *middle);
    memcpy(&length, bytes, sizeof length);
    if (x->header.cell == sizeof length)
        return length == INF ? (double)INFINITY : length;
    memcpy(&real, bytes, sizeof real);
    return real;
}

/* Returns the number of the entry that two vertices have, one of which is higher. */
static uint64_t entry_between(const struct distance_index *x, int32_t low, int32_t high) {
    uint64_t e = index_first_entry(&x->vertex[0][low]);
    while (x->higher[e] != high)
        e++;
    return e;
}

/* Returns whether there is no path of an entry's length but one through lower vertices. */
static bool needs_middle(const struct distance_index *x, const struct graph *g, int32_t from,
                         int32_t to, double length) {
    const double unit = g->type == NUMBER_INT32 ? 1 : x->header.spacing;
    const int64_t edge = graph_find_edge(g, from, to);
    return !isinf(length) &&
           (edge < 0 || number_at(g->type, graph_weights(g), edge) != length * unit);
}

/* Returns whether every entry is an edge if an edge is as short, and otherwise leads through the
 * lowest vertex by which two entries are. */
static bool has_lowest_middles(const struct distance_index *x, const struct graph *g) {
    enum { UNKNOWN = INT32_MIN };
    const uint64_t entries = x->header.entries;
    int32_t *const right = malloc(2 * (entries + 1) * sizeof *right);
    int32_t *const place = malloc((size_t)g->n * sizeof *place);
    bool same = true;
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t v = x->order[k];
        const struct index_vertex *const own = &x->vertex[0][v];
        place[v] = k;
        for (uint64_t e = index_first_entry(own);
             e < index_first_entry(own) + index_entry_count(own); e++) {
            int32_t unused;
            const int32_t to = x->higher[e];
            right[e] = needs_middle(x, g, v, to, entry_at(x, 0, e, &unused)) ? UNKNOWN : INDEX_EDGE;
            right[entries + e] =
                needs_middle(x, g, to, v, entry_at(x, 1, e, &unused)) ? UNKNOWN : INDEX_EDGE;
        }
    }
    for (int32_t k = g->n - 1; k >= 0; k--) {
        const struct index_vertex *const middle = &x->vertex[0][x->order[k]];
        const uint64_t first = index_first_entry(middle), end = first + index_entry_count(middle);
        for (uint64_t a = first; a < end; a++) {
            for (uint64_t b = first; b < end; b++) {
                const int32_t from = x->higher[a], to = x->higher[b];
                const int direction = place[from] > place[to] ? 0 : 1;
                int32_t unused;
                if (a == b)
                    continue;
                const uint64_t e =
                    direction == 0 ? entry_between(x, from, to) : entry_between(x, to, from);
                int32_t *const found = &right[(uint64_t)direction * entries + e];
                if (*found == UNKNOWN && entry_at(x, 1, a, &unused) + entry_at(x, 0, b, &unused) ==
                                             entry_at(x, direction, e, &unused))
                    *found = x->order[k];
            }
        }
    }
    for (uint64_t e = 0; e < 2 * entries; e++) {
        int32_t middle;
        entry_at(x, e < entries ? 0 : 1, e % entries, &middle);
        same = same && middle == right[e];
    }
    free(right);
    free(place);
    return same;
}

/* All that an index answers is right. */
static bool answers(const struct distance_index *x, const struct graph *g,
                    const struct expecting *right_ones) {
    const int32_t n = g->n;
    const enum number_type type = g->type;
    const size_t cells = (size_t)n * (size_t)n;
    int32_t *const from = malloc(4 * (cells + 2)), *const to = malloc(4 * (cells + 2));
    void *const found = malloc(8 * cells);
    int32_t *const path = malloc(4 * (size_t)n);
    struct index_reader reader = {0};
    struct refutation refutation;
    struct error err;
    bool right = true;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            int32_t length;
            from[at] = i;
            to[at] = j;
            right = right && index_distance(x, i, j) == expected(right_ones, i, j) &&
                    index_path(x, i, j, path, &length, &err) == STATUS_OK &&
                    is_path(g, path, length, i, j, expected(right_ones, i, j));
        }
    }
    index_distances(x, from, to, (int64_t)cells, found, 2);
    for (size_t at = 0; at < cells; at++)
        right =
            right && number_at(type, found, (int64_t)at) == expected(right_ones, from[at], to[at]);
    /* A table with repeated vertices, in any order. */
    const int32_t rows = n < 40 ? n + 1 : 40, columns = n < 70 ? n + 2 : 70;
    for (int32_t k = 0; k < rows; k++)
        from[k] = (int32_t)((int64_t)k * 7919 % n);
    for (int32_t k = 0; k < columns; k++)
        to[k] = (int32_t)((int64_t)k * 104729 % n);
    void *const table = malloc(8 * (size_t)rows * (size_t)(columns + 3));
    right = right && index_table(x, from, rows, to, columns, table, (size_t)columns + 3, 2, NULL,
                                 &err) == STATUS_OK;
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < columns; c++)
            right = right && number_at(type, table, (int64_t)r * (columns + 3) + c) ==
                                 expected(right_ones, from[r], to[c]);
    }
    right = right && has_lowest_middles(x, g) && index_check(x, g, 2, NULL, &err) == STATUS_OK &&
            index_reader_open(&reader, x, NULL, &err) == STATUS_OK &&
            certify_reader(g, &reader.reader, NO_LIMIT, 2, NULL, &refutation, &err) == STATUS_OK;
    index_reader_close(&reader);
    free(from);
    free(to);
    free(found);
    free(path);
    free(table);
    return right;
}

static void check_as(const struct graph *g, bool both_directions, uint32_t cell,
                     const struct expecting *right_ones) {
    const char *path;
    struct distance_index x = build(g, both_directions);
    CU_ASSERT_EQUAL(x.header.cell, cell);
    CU_ASSERT_TRUE(answers(&x, g, right_ones));
    x = kept(&x, &path);
    CU_ASSERT_TRUE(answers(&x, g, right_ones));
    CU_ASSERT_TRUE(index_is_meant(path));
    index_close(&x);
}

/* The graph whose weights are those of g times a factor and a power of two. */
static struct graph real_graph(const struct graph *g, double factor, double spacing) {
    struct real_edge *const edges = malloc(sizeof *edges * (size_t)(g->m + 1));
    struct grid_rounding rounding;
    struct graph real;
    struct error err;
    int64_t count = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            edges[count++] = (struct real_edge){u, g->head[e], g->weight[e] * factor * spacing};
    }
    CU_ASSERT_EQUAL_FATAL(graph_build_real(&real, g->n, NUMBER_FLOAT64, edges, count, NULL, &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid_apply(&real, GRID_AUTO, &index_purpose, &rounding, NULL, &err),
                          STATUS_OK);
    real.spacing = real.m == 0 ? spacing : real.spacing;
    free(edges);
    return real;
}

/* As int32 and as real numbers of few or of many spacings. */
static void check_graph(struct graph *g, bool both_directions) {
    /* As many spacings as a grid can have. */
    const double heaviest = fmax(1, fmax(-g->min_weight, g->max_weight));
    const double many = 2 * floor(0x1p50 / (g->n * heaviest)) + 1;
    struct expecting right = {.n = g->n, .unit = 1};
    int64_t *distances;
    CU_ASSERT_TRUE_FATAL(reference_distances(g, &distances));
    right.distances = distances;
    check_as(g, both_directions, 4, &right);
    right.is_real = true;
    const double factor = g->m % 2 == 0 ? 1 : many;
    struct graph real = real_graph(g, factor, 0.125);
    right.unit = factor * 0.125;
    check_as(&real, both_directions, grid_fits_int32(&real) ? 4 : 8, &right);
    graph_free(&real);
    free(distances);
    graph_free(g);
}

/* The same graph with every edge in both directions. */
static struct graph both_ways(struct graph *g) {
    struct edge *const edges = malloc(sizeof *edges * 2 * (size_t)(g->m + 1));
    int64_t count = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            edges[count++] = (struct edge){u, g->head[e], g->weight[e]};
    }
    const struct graph both = graph_of(g->n, edges, graph_append_reverses(edges, count));
    free(edges);
    graph_free(g);
    return both;
}

static void check_random(void) {
    struct random random = {1};
    static const int32_t sizes[] = {1, 2, 3, 17, 50, 90};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (enum weights weights = 0; weights < WEIGHT_KINDS; weights++) {
            const int percent = sizes[s] < 20 ? 30 : 300 / sizes[s];
            struct graph g = random_graph(&random, sizes[s], percent, weights);
            if (weights != WEIGHTS_NEGATIVE && random_in(&random, 0, 1) == 0)
                g = both_ways(&g);
            check_graph(&g, random_in(&random, 0, 1) == 0);
        }
    }
}

static void test_random(void) {
    on_every_isa(check_random);
}

/* A grid that nested dissection parts several times, and a tree deeper than a small stack. */
static struct graph grid(int32_t width, int32_t height) {
    struct edge *const edges = malloc(sizeof *edges * 4 * (size_t)width * (size_t)height);
    struct random random = {2};
    int64_t count = 0;
    for (int32_t v = 0; v < width * height; v++) {
        if (v % width + 1 < width)
            edges[count++] = (struct edge){v, v + 1, random_in(&random, 0, 9)};
        if (v + width < width * height)
            edges[count++] = (struct edge){v, v + width, random_in(&random, 0, 9)};
    }
    const struct graph g = graph_of(width * height, edges, graph_append_reverses(edges, count));
    free(edges);
    return g;
}

/* A copy whose weights are so much larger. */
static struct graph graph_with(const struct graph *g, int32_t more) {
    struct graph copy;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_copy(g, &copy, &err), STATUS_OK);
    for (int64_t e = 0; e < copy.m; e++)
        copy.weight[e] += more;
    copy.min_weight += more;
    copy.max_weight += more;
    return copy;
}

static void test_grid(void) {
    struct graph g = grid(18, 13);
    check_graph(&g, false);
    /* Many paths are as short as others, and lists of higher neighbours are longer than a vector.
     */
    struct graph wide = grid(100, 100);
    for (int64_t e = 0; e < wide.m; e++)
        wide.weight[e] = 1;
    wide.min_weight = wide.max_weight = 1;
    struct distance_index x = build(&wide, false);
    CU_ASSERT_TRUE(has_lowest_middles(&x, &wide));
    index_close(&x);
    graph_free(&wide);
}

/* The order is a permutation, the same on any number of threads, and separators of a grid are about
 * as long as its side. */
static void test_nested(void) {
    struct graph g = grid(90, 90);
    struct pattern pattern;
    struct tree tree;
    struct error err;
    int32_t *const one = malloc(4 * (size_t)g.n), *const four = malloc(4 * (size_t)g.n);
    bool *const seen = calloc((size_t)g.n, sizeof *seen);
    double labels = 0;
    CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(nested_order(&pattern, 1, one, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(nested_order(&pattern, 4, four, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(memcmp(one, four, 4 * (size_t)g.n), 0);
    for (int32_t k = 0; k < g.n; k++) {
        CU_ASSERT_TRUE_FATAL(one[k] >= 0 && one[k] < g.n && !seen[one[k]]);
        seen[one[k]] = true;
    }
    CU_ASSERT_EQUAL_FATAL(tree_build(&pattern, one, NULL, 1, &tree, &err), STATUS_OK);
    for (int32_t at = 0; at < g.n; at++)
        labels += tree.depth[at] + 1;
    CU_ASSERT_TRUE(labels / g.n < 2.6 * 90);
    tree_free(&tree);
    pattern_free(&pattern);
    free(one);
    free(four);
    free(seen);
    graph_free(&g);
}

enum shape { CHAIN, RING, STAR, TREE, CATERPILLAR, LADDER, SHAPES };

/* A graph of a shape, its vertices numbered at random; one way, both ways alike or unlike. */
static struct graph shaped(enum shape shape, int32_t n, int ways, struct random *random) {
    struct edge *const edges = malloc(sizeof *edges * 4 * (size_t)n);
    int32_t *const name = malloc(4 * (size_t)n);
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t with = random_in(random, 0, v);
        name[v] = name[with];
        name[with] = v;
    }
    for (int32_t v = 1; v < n; v++) {
        const int32_t half = n / 2, to[SHAPES] = {[CHAIN] = v - 1,
                                                  [RING] = v - 1,
                                                  [STAR] = 0,
                                                  [TREE] = random_in(random, v / 2, v - 1),
                                                  [CATERPILLAR] = v < half ? v - 1 : v - half,
                                                  [LADDER] = v == half ? 0 : v - 1};
        edges[count++] = (struct edge){name[v], name[to[shape]], random_in(random, 0, 99)};
        if (shape == LADDER && v > half)
            edges[count++] = (struct edge){name[v - half], name[v], random_in(random, 0, 99)};
    }
    if (shape == RING)
        edges[count++] = (struct edge){name[0], name[n - 1], random_in(random, 0, 99)};
    if (ways > 0)
        count = graph_append_reverses(edges, count);
    for (int64_t e = count / 2; e < count && ways > 1; e++)
        edges[e].weight += random_in(random, 0, 3);
    const struct graph g = graph_of(n, edges, count);
    free(edges);
    free(name);
    return g;
}

static int64_t depths_of(const struct tree *tree) {
    int64_t sum = 0;
    for (int32_t at = 0; at < tree->n; at++)
        sum += tree->depth[at];
    return sum;
}

/* The order by which trees are lowest is an order, and saves what it says. */
static void check_flattened(const struct graph *g) {
    struct pattern pattern;
    struct tree before, after;
    struct structure structure;
    struct error err;
    int64_t saved;
    int32_t *const vertex = malloc(4 * (size_t)g->n);
    CU_ASSERT_EQUAL_FATAL(pattern_find(g, 1, &pattern, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(nested_order(&pattern, 1, vertex, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tree_build(&pattern, vertex, NULL, 1, &before, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(structure_find(&pattern, &before, 1, &structure, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(flatten_order(&before, &structure, vertex, &saved, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tree_build(&pattern, vertex, NULL, 1, &after, &err), STATUS_OK);
    CU_ASSERT_TRUE(saved >= 0 && depths_of(&after) <= depths_of(&before) - saved);
    pattern_free(&pattern);
    tree_free(&before);
    tree_free(&after);
    structure_free(&structure);
    free(vertex);
}

/* Labels of chains, trees and ladders grow by the logarithm of their size. */
static void test_shapes(void) {
    static const double log_factor[SHAPES] = {1, 1, 1, 1, 1, 2};
    struct random random = {5};
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        struct graph large = shaped(shape, 5000, 1, &random);
        struct distance_index x = build(&large, false);
        CU_ASSERT_TRUE(x.header.height <= log_factor[shape] * log2(5000) + 4);
        check_flattened(&large);
        index_close(&x);
        graph_free(&large);
        for (int32_t n = 2; n < 24; n += 3) {
            struct graph g = shaped(shape, n, n % 3, &random);
            check_flattened(&g);
            check_graph(&g, n % 2 == 0);
        }
    }
    for (int k = 0; k < 300; k++) {
        struct graph g = random_graph(&random, random_in(&random, 1, 60), random_in(&random, 1, 8),
                                      WEIGHTS_POSITIVE);
        check_flattened(&g);
        graph_free(&g);
    }
}

/* The same edges with other weights: one way and back alike, or not. */
static struct graph reweighted(const struct graph *g, bool alike, struct random *random) {
    struct graph copy;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_copy(g, &copy, &err), STATUS_OK);
    copy.min_weight = INF;
    copy.max_weight = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t back = graph_find_edge(g, g->head[e], u);
            copy.weight[e] = alike && back >= 0 && g->head[e] < u ? copy.weight[back]
                                                                  : random_in(random, 0, 200);
            copy.min_weight = fmin(copy.min_weight, copy.weight[e]);
            copy.max_weight = fmax(copy.max_weight, copy.weight[e]);
        }
    }
    copy.min_weight = g->m > 0 ? copy.min_weight : 0;
    return copy;
}

static bool is_same_file(const struct distance_index *x, const struct distance_index *y) {
    unsigned char *const a = file_of(x), *const b = file_of(y);
    const bool same = x->header.bytes == y->header.bytes && memcmp(a, b, x->header.bytes) == 0;
    free(a);
    free(b);
    return same;
}

static enum status update(struct distance_index *x, const struct graph *g, struct error *err) {
    const struct index_options options = {.threads = 1 + (int)(g->m % 2), .even_if_larger = true};
    return index_update(x, g, &options, NULL, NULL, err);
}

/* An index with new weights is that which is built of them, byte by byte, whatever it was before:
 * in memory or in a file, of integers or of real numbers, one way or both ways. */
static void test_update(void) {
    struct random random = {6};
    for (int k = 0; k < 200; k++) {
        struct error err;
        const char *path;
        struct graph g = random_graph(&random, random_in(&random, 1, 40), random_in(&random, 1, 20),
                                      WEIGHTS_POSITIVE);
        if (k % 2 == 0)
            g = both_ways(&g);
        struct distance_index x = build(&g, k % 3 == 0);
        for (int step = 0; step < 3; step++) {
            struct graph next = reweighted(&g, random_in(&random, 0, 2) > 0, &random);
            next.naming.first = step % 2;
            if (random_in(&random, 0, 3) == 0)
                x = kept(&x, &path);
            if (random_in(&random, 0, 2) == 0 && next.m > 0) {
                struct graph real = real_graph(&next, k % 5 == 0 ? 0x1p33 + 1 : 1, 0.5);
                graph_free(&next);
                next = real;
            }
            const bool both = x.header.directions == 2;
            CU_ASSERT_EQUAL_FATAL(update(&x, &next, &err), STATUS_OK);
            struct distance_index fresh = build(&next, both);
            CU_ASSERT_TRUE(is_same_file(&x, &fresh));
            CU_ASSERT_EQUAL(x.naming.first, next.naming.first);
            CU_ASSERT_EQUAL(index_check(&x, &next, 1, NULL, &err), STATUS_OK);
            index_close(&fresh);
            graph_free(&next);
        }
        index_close(&x);
        graph_free(&g);
    }
}

/* The memory of an index of longer distances serves one of shorter distances, whose names lie
 * elsewhere. */
static void test_update_names(void) {
    struct graph g = grid(5, 5), real = real_graph(&g, 0x1p33 + 1, 0.5);
    const struct graph *const step[] = {&g, &real, &g, &g};
    struct distance_index x;
    int64_t number[25];
    struct error err;
    for (int32_t v = 0; v < 25; v++)
        number[v] = 10 * v;
    CU_ASSERT_EQUAL_FATAL(names_of_numbers(&g.naming.names, number, 25, &err), STATUS_OK);
    real.naming = naming_share(&g.naming);
    x = build(&g, false);
    for (int k = 0; k < 4; k++) {
        struct distance_index fresh = build(step[k], false);
        CU_ASSERT_EQUAL_FATAL(update(&x, step[k], &err), STATUS_OK);
        CU_ASSERT_TRUE(is_same_file(&x, &fresh));
        index_close(&fresh);
    }
    index_close(&x);
    graph_free(&g);
    graph_free(&real);
}

/* A refused update leaves the index as it was; the first edge that differs is named. */
static void test_update_refused(void) {
    static const struct edge edges[] = {{0, 1, 3}, {1, 2, 5}, {2, 0, 1}, {2, 3, 1}, {3, 1, 9}};
    static const struct edge more[] = {{0, 1, 3}, {0, 3, 1}, {1, 2, 5},
                                       {2, 0, 1}, {2, 3, 1}, {3, 1, 9}};
    static const struct edge other[] = {{0, 1, 3}, {1, 2, 5}, {1, 3, 7}, {2, 0, 1}, {2, 3, 1}};
    static const struct edge cycle[] = {{0, 1, 3}, {1, 2, -5}, {2, 0, 1}, {2, 3, 1}, {3, 1, 9}};
    static const struct edge heavy[] = {
        {0, 1, INF / 2}, {1, 2, INF / 2}, {2, 0, 1}, {2, 3, INF / 2}, {3, 1, 9}};
    static const struct edge loop[] = {{0, 1, 3},  {1, 2, 5}, {2, 0, 1},
                                       {2, 2, -1}, {2, 3, 1}, {3, 1, 9}};
    struct {
        struct graph g;
        enum status status;
        const char *text;
    } wrong[] = {
        {graph_of(4, more, 6), STATUS_BAD_INPUT, "the one from 0 to 3 is not one of them"},
        {graph_of(4, edges + 1, 4), STATUS_BAD_INPUT, "the one from 0 to 1 is missing"},
        {graph_of(4, other, 5), STATUS_BAD_INPUT, "the one from 1 to 3 is not one of them"},
        {graph_of(5, edges, 5), STATUS_BAD_INPUT, "4 vertices, found 5"},
        {graph_of(4, loop, 6), STATUS_BAD_INPUT, "the one from 2 to 2 is not one of them"},
        {graph_of(4, cycle, 5), STATUS_NEGATIVE_CYCLE, "negative cycle of weight -1"},
        {graph_of(4, heavy, 5), STATUS_BAD_INPUT, "may not fit"},
        {graph_of(4, edges, 5), STATUS_BAD_INPUT, "found others, vertex 1 of which is 20"},
    };
    static const int64_t numbers[] = {0, 20, 30, 40};
    struct graph *const named = &wrong[sizeof wrong / sizeof *wrong - 1].g;
    struct graph g = graph_of(4, edges, 5);
    struct distance_index x = build(&g, false), y = build(&g, false);
    struct error err;
    CU_ASSERT_EQUAL_FATAL(names_of_numbers(&named->naming.names, numbers, 4, &err), STATUS_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        CU_ASSERT_EQUAL(update(&x, &wrong[k].g, &err), wrong[k].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, wrong[k].text));
        CU_ASSERT_TRUE(is_same_file(&x, &y));
        graph_free(&wrong[k].g);
    }
    /* An order that no elimination has: a higher neighbour of a vertex that its parent lacks. */
    struct graph tight = grid(5, 5);
    struct distance_index z = build(&tight, false);
    bool is_cut = false;
    for (int32_t v = 0; v < tight.n && !is_cut; v++) {
        const struct index_vertex *const own = &z.vertex[0][v];
        const struct index_vertex *const parent =
            index_entry_count(own) > 1 ? &z.vertex[0][z.higher[index_first_entry(own)]] : own;
        for (uint32_t e = 1; e < index_entry_count(parent) && index_entry_count(own) > 1 && !is_cut;
             e++) {
            int32_t *const to = (int32_t *)&z.higher[index_first_entry(parent) + e];
            const int32_t before = z.higher[index_first_entry(parent) + e - 1];
            const int32_t between = z.higher[index_first_entry(&z.vertex[0][before])];
            if (between == *to || *to != z.higher[index_first_entry(own) + 1])
                continue;
            *to = between;
            is_cut = true;
        }
    }
    CU_ASSERT_TRUE(is_cut);
    CU_ASSERT_EQUAL(update(&z, &tight, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the index is damaged"));
    index_close(&x);
    index_close(&y);
    index_close(&z);
    graph_free(&g);
    graph_free(&tight);
}

/* Whatever one byte of a file is changed to, opening, checking or queries say so or answer; nothing
 * reads outside the file. */
static void test_every_byte(void) {
    struct random random = {3};
    struct graph g = random_graph(&random, 12, 20, WEIGHTS_POSITIVE);
    struct distance_index x = build(&g, false);
    const size_t bytes = x.header.bytes;
    unsigned char *const image = file_of(&x);
    int32_t table[12 * 12], all[12], path[12], length;
    int refused = 0, found = 0;
    struct error err;
    index_close(&x);
    for (int32_t v = 0; v < 12; v++)
        all[v] = v;
    const char *const file = temporary_path();
    for (size_t at = 0; at < bytes; at++) {
        const unsigned char was = image[at];
        image[at] = (unsigned char)(was ^ (1 << random_in(&random, 0, 7)));
        FILE *const out = fopen(file, "wb");
        CU_ASSERT_EQUAL_FATAL(fwrite(image, 1, bytes, out), bytes);
        fclose(out);
        image[at] = was;
        if (index_open(&x, file, &err) != STATUS_OK) {
            refused++;
            continue;
        }
        for (int32_t i = 0; i < 12; i++) {
            for (int32_t j = 0; j < 12; j++) {
                index_distance(&x, i, j);
                (void)index_path(&x, i, j, path, &length, &err);
            }
        }
        (void)index_table(&x, all, 12, all, 12, table, 12, 1, NULL, &err);
        found += index_check(&x, &g, 1, NULL, &err) != STATUS_OK;
        (void)update(&x, &g, &err);
        index_close(&x);
    }
    CU_ASSERT_EQUAL(refused, (int)sizeof(struct index_header));
    /* All but the zeros between sections. */
    CU_ASSERT_TRUE(found > (int)(bytes - sizeof(struct index_header)) - 63 * INDEX_SECTIONS);
    free(image);
    graph_free(&g);
}

/* Mistakes in memory, which has no checksums: only the proof notices. */
static void expect_refuted(const struct graph *g, struct distance_index *x, const char *text) {
    struct error err;
    const enum status status = index_check(x, g, 2, NULL, &err);
    CU_ASSERT_EQUAL(status, STATUS_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, text));
}

static void test_refuted(void) {
    struct graph g = grid(9, 7), other = grid(7, 9);
    struct distance_index x = build(&g, false);
    struct index_vertex *const vertex = (struct index_vertex *)x.vertex[0];
    struct index_entry *const entry = (struct index_entry *)x.entry[0];
    uint16_t *const difference = (uint16_t *)x.label[0];
    int32_t *const row = (int32_t *)x.row[0], *const order = (int32_t *)x.order;
    uint32_t *const head = (uint32_t *)x.head;
    expect_refuted(&other, &x, "another graph");
    x.header.loops ^= 1;
    expect_refuted(&g, &x, "header");
    x.header.loops ^= 1;
    /* the first cell of a label, and the last one, which is the distance to the vertex itself */
    int at = 50;
    while (index_label_place(&vertex[order[at]]) < x.header.height)
        at++; /* it is a row, or its parent is */
    struct index_vertex *const stored = &vertex[order[at]];
    const uint64_t first = index_label_place(stored);
    const uint64_t cells[] = {first, first + stored->labels - 1};
    for (int k = 0; k < 2; k++) {
        difference[cells[k]] += 1000; /* no path is so long */
        expect_refuted(&g, &x, "label of vertex");
        difference[cells[k]] -= 1000;
    }
    row[stored->row * INDEX_ROW_STEP] += 1000;
    expect_refuted(&g, &x, "label of vertex");
    row[stored->row * INDEX_ROW_STEP] -= 1000;
    stored->label += UINT64_C(1) << INDEX_PLACE_BITS;
    expect_refuted(&g, &x, "label of vertex");
    stored->label -= UINT64_C(1) << INDEX_PLACE_BITS;
    const struct index_vertex right = *stored;
    stored->label = right.label - first + x.label_cells[0] - stored->labels + 1;
    expect_refuted(&g, &x, "elimination tree");
    stored->label = right.label;
    stored->row = (uint32_t)((x.row_cells[0] - stored->labels) / INDEX_ROW_STEP) + 1;
    expect_refuted(&g, &x, "elimination tree");
    stored->row = right.row;
    uint64_t e = 0;
    while (entry[e].middle == INDEX_EDGE)
        e++;
    const int32_t middle = entry[e].middle;
    entry[e].middle = INDEX_EDGE;
    expect_refuted(&g, &x, "merged edge");
    entry[e].middle = x.higher[e];
    expect_refuted(&g, &x, "merged edge");
    entry[e].middle = middle;
    vertex[7].ascending ^= 1U << 20;
    expect_refuted(&g, &x, "elimination tree");
    vertex[7].ascending ^= 1U << 20;
    head[vertex[7].branch]++;
    expect_refuted(&g, &x, "heads");
    head[vertex[7].branch]--;
    order[6] = order[5];
    expect_refuted(&g, &x, "every vertex once");
    index_close(&x);
    graph_free(&g);
    graph_free(&other);
}

/* Each statement of the header about the graph and the tree; an entry that passes over the parent.
 */
static void test_refuted_headers(void) {
    struct graph g = grid(9, 7);
    struct distance_index x = build(&g, false);
    const struct index_header right = x.header;
    struct index_header wrong[] = {right, right, right, right, right, right};
    wrong[0].height++;
    wrong[1].largest--;
    wrong[2].directed ^= 1;
    wrong[3].loops ^= 1;
    wrong[4].edges++;
    wrong[5].graph_checksum ^= 1;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        x.header = wrong[k];
        expect_refuted(&g, &x, k < 4 ? "header: expected" : "another graph");
    }
    index_close(&x);
    graph_free(&g);
    g = grid(40, 1);
    x = build(&g, false);
    int32_t v = 0;
    while (v < g.n && (index_entry_count(&x.vertex[0][v]) != 1 || x.vertex[0][v].labels < 3))
        v++;
    CU_ASSERT_FATAL(v < g.n);
    int32_t *const higher = (int32_t *)&x.higher[index_first_entry(&x.vertex[0][v])];
    *higher = x.higher[index_first_entry(&x.vertex[0][*higher])];
    expect_refuted(&g, &x, "elimination tree");
    index_close(&x);
    graph_free(&g);
}

static void test_files(void) {
    struct graph g = grid(3, 3);
    struct distance_index x = build(&g, true), opened;
    const size_t bytes = x.header.bytes;
    unsigned char *const image = file_of(&x);
    struct error err;
    for (size_t length = 0; length < bytes; length += length < 300 ? 1 : 97) {
        const char *const path = temporary_file(image, length);
        CU_ASSERT_EQUAL(index_open(&opened, path, &err), STATUS_BAD_INPUT);
        remove(path);
    }
    CU_ASSERT_EQUAL(index_open(&opened, NOWHERE, &err), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(index_save(&x, NOWHERE "/x", &err), STATUS_NO_RESOURCE);
    ((struct index_header *)image)->version = 1;
    CU_ASSERT_EQUAL(index_open(&opened, temporary_file(image, bytes), &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "version 5, found 1"));
    free(image);
    index_close(&x);
    graph_free(&g);
}

/* Graphs and requests of which no index is built. */
static void test_refusals(void) {
    struct random random = {4};
    struct distance_index x;
    struct index_size size;
    struct error err;
    const struct index_options options = {.threads = 2};
    struct graph dense = random_graph(&random, 600, 90, WEIGHTS_POSITIVE);
    CU_ASSERT_EQUAL(index_build(&x, &dense, &options, &size, NULL, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "as much as the matrix"));
    CU_ASSERT_TRUE(size.bytes > size.matrix && size.matrix == 4 * 600 * 600);
    graph_free(&dense);
    const struct edge cycle[] = {{0, 1, 3}, {1, 2, -5}, {2, 0, 1}, {2, 3, 1}};
    struct graph negative = graph_of(4, cycle, 4);
    CU_ASSERT_EQUAL(index_build(&x, &negative, &options, NULL, NULL, &err), STATUS_NEGATIVE_CYCLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "negative cycle of weight -1"));
    graph_free(&negative);
    /* Below 0, sums with INF take room of int32. */
    for (int more = 0; more < 2; more++) {
        const struct edge below[] = {{0, 1, INF / 16 + more}, {1, 2, -INF / 16}, {0, 3, 1}};
        struct graph g = graph_of(4, below, 3), longer = real_graph(&g, 1, 1);
        CU_ASSERT_EQUAL_FATAL(index_build(&x, &longer, &options, NULL, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(x.header.cell, more ? 8 : 4);
        CU_ASSERT_EQUAL(index_distance(&x, 0, 2), more);
        index_close(&x);
        graph_free(&longer);
        graph_free(&g);
    }
    /* The longest distance, by the only way over a vertex that all others lead to, and between
     * leaves, whose labels are those of their neighbours. */
    for (int32_t length = INF - 2; length <= INF + 2; length++) {
        enum { LEAF = 1000 };
        const int32_t half = length / 2 - LEAF, rest = length - half - 2 * LEAF;
        const struct edge ends[] = {{0, 1, half}, {1, 2, rest}, {1, 0, 1},    {2, 1, 1},
                                    {3, 0, LEAF}, {0, 3, 1},    {2, 4, LEAF}, {4, 2, 1}};
        struct graph g = graph_of(5, ends, 8);
        const bool fits = length < INF;
        CU_ASSERT_EQUAL(index_build(&x, &g, &options, NULL, NULL, &err),
                        fits ? STATUS_OK : STATUS_BAD_INPUT);
        CU_ASSERT_EQUAL(fits ? index_distance(&x, 3, 4) : length, length);
        index_close(&x);
        graph_free(&g);
    }
    const struct edge heavy[] = {{0, 1, INF / 2}, {1, 2, INF / 2}, {2, 3, INF / 2}};
    struct graph far = graph_of(4, heavy, 3), real = real_graph(&far, 1, 1);
    CU_ASSERT_EQUAL(index_build(&x, &far, &options, NULL, NULL, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "may not fit"));
    CU_ASSERT_EQUAL(index_build(&x, &real, &options, NULL, NULL, &err), STATUS_OK);
    CU_ASSERT_EQUAL(index_distance(&x, 0, 3), 3.0 * (INF / 2));
    index_close(&x);
    real.spacing = 0;
    CU_ASSERT_EQUAL(index_build(&x, &real, &options, NULL, NULL, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "on a grid"));
    real.type = NUMBER_FLOAT32;
    CU_ASSERT_EQUAL(index_build(&x, &real, &options, NULL, NULL, &err), STATUS_BAD_INPUT);
    real.type = NUMBER_FLOAT64;
    real.min_weight = -1;
    CU_ASSERT_EQUAL(index_build(&x, &real, &options, NULL, NULL, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "shorter than 2^52 times"));
    graph_free(&real);
    graph_free(&far);
}

/* The device's verdict on all rows of an index. */
static bool is_proved_on_device(const struct distance_index *x, const struct graph *g) {
    struct error err;
    bool proved = false;
    CU_ASSERT_EQUAL(index_prove_rows_on_gpu(x, g, 0, NULL, &proved, &err), STATUS_OK);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    return proved;
}

/* The certificate's. */
static bool is_proved_on_host(const struct distance_index *x, const struct graph *g) {
    const struct row_sources all = {NULL, g->n};
    struct index_reader reader = {0};
    struct refutation refutation;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(index_reader_open(&reader, x, &all, &err), STATUS_OK);
    const enum status status =
        certify_reader(g, &reader.reader, NO_LIMIT, 2, NULL, &refutation, &err);
    index_reader_close(&reader);
    return status == STATUS_OK;
}

/* Rows that the device makes and proves: of one tile and of many, of graphs in one piece and in
 * several, one way and both ways. A wrong label is noticed unless another one makes up for it. */
static void test_device(void) {
    static const int32_t sizes[] = {1, 2, 127, 128, 129, 300, 700};
    struct random random = {17};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct edge *const edges = malloc(sizeof *edges * 6 * (size_t)sizes[s]);
        const bool both_ways = s % 2 == 0;
        int64_t count = 0;
        for (int32_t v = 0; v < sizes[s]; v++) {
            const int32_t near = v - random_in(&random, 1, 9), far = random_in(&random, 0, v);
            if (near >= 0 && v % 97 != 0)
                edges[count++] = (struct edge){v, near, random_in(&random, 1, 1000)};
            if (v % 11 == 0 && far > v - 200 && v % 97 != 0)
                edges[count++] = (struct edge){far, v, random_in(&random, 1, 1000)};
        }
        if (both_ways)
            count = graph_append_reverses(edges, count);
        struct graph g = graph_of(sizes[s], edges, count);
        free(edges);
        struct distance_index x = build(&g, s % 4 == 0);
        CU_ASSERT_TRUE(is_proved_on_device(&x, &g));
        for (int k = 0; k < 8 && x.header.labels > 0; k++) {
            const int d = x.header.directions == 2 ? k % 2 : 0;
            const uint64_t cell = (uint64_t)random_in(&random, 0, (int32_t)x.label_cells[d] - 1);
            const uint64_t place = (uint64_t)random_in(&random, 0, (int32_t)x.row_cells[d] - 1);
            uint16_t *const difference = (uint16_t *)x.label[d] + cell, before = *difference;
            int32_t *const row = (int32_t *)x.row[d] + place, in_row = *row;
            if (k < 4)
                *difference = before == INDEX_NO_PATH ? 5
                              : k == 0                ? INDEX_NO_PATH
                                                      : (uint16_t)(before + 1);
            else
                *row += k % 2 == 0 ? 1 : -1;
            CU_ASSERT_EQUAL(is_proved_on_device(&x, &g), is_proved_on_host(&x, &g));
            *difference = before;
            *row = in_row;
        }
        index_close(&x);
        graph_free(&g);
    }
}

/* The device's verdict decides, unless it finds a mistake or cannot prove: then the host
 * decides. */
static void test_device_and_host(void) {
    struct graph g = grid(20, 14), zero = grid(5, 4), positive = graph_with(&g, 1);
    struct distance_index x = build(&positive, false), y = build(&zero, false);
    struct index_proving how = {.rows = g.n, .threads = 1, .on_device = index_prove_rows_on_gpu};
    struct error err;
    CU_ASSERT_EQUAL(index_prove(&x, &positive, &how, NULL, &err), STATUS_OK);
    CU_ASSERT_TRUE(how.was_on_device);
    how.rows = 7;
    CU_ASSERT_EQUAL(index_prove(&x, &positive, &how, NULL, &err), STATUS_OK);
    CU_ASSERT_FALSE(how.was_on_device);
    how.rows = zero.n;
    CU_ASSERT_EQUAL(index_prove(&y, &zero, &how, NULL, &err), STATUS_OK);
    CU_ASSERT_FALSE(how.was_on_device);
    CU_ASSERT_PTR_NOT_NULL(strstr(how.reason.text, "weights from 1 on"));
    index_close(&x);
    index_close(&y);
    graph_free(&g);
    graph_free(&zero);
    graph_free(&positive);
}

CU_TestInfo index_tests[] = {{"random graphs, every query", test_random},
                             {"a grid", test_grid},
                             {"chains, trees and ladders", test_shapes},
                             {"nested dissection", test_nested},
                             {"new weights", test_update},
                             {"new weights of vertices with names", test_update_names},
                             {"new weights that are refused", test_update_refused},
                             {"every byte of a file changed", test_every_byte},
                             {"mistakes in memory", test_refuted},
                             {"headers, and entries that lead too high", test_refuted_headers},
                             {"rows on a device", test_device},
                             {"a device or the host", test_device_and_host},
                             {"files that are no index", test_files},
                             {"graphs without an index", test_refusals},
                             CU_TEST_INFO_NULL};
