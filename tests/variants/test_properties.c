// SPDX-License-Identifier: MIT
/* Relations that must hold between a variant's answers to related graphs: no reference takes part
 * (metamorphic testing: Chen, Cheung and Yiu 1998). GPU variants run on the host shim, or on a
 * device when built with DEVICE_TESTS. */
#include "solve/solve.h" // solve
#include "tests/unit/support.h"
#include "tests/variants/variants.h"

#include <stdio.h>
#include <stdlib.h>

/* A graph made from another one: its edges, and its distances as they follow from the
 * other's, n * n, INT64_MAX if there is no path. */
struct image {
    int32_t n;
    int64_t count;
    struct edge *edges;
    int64_t *dist;
};

/* n vertices and no paths yet; the edges are those of g, with room for as many again and
 * `more`. */
static struct image image_of(const struct graph *g, int32_t n, int64_t more) {
    const size_t cells = (size_t)n * (size_t)n;
    struct image image = {.n = n,
                          .edges = malloc(sizeof *image.edges * (size_t)(2 * g->m + more + 1)),
                          .dist = malloc(sizeof *image.dist * cells)};
    CU_ASSERT_FATAL(image.edges != NULL && image.dist != NULL);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            image.edges[image.count++] = (struct edge){u, g->head[e], g->weight[e]};
    }
    for (size_t c = 0; c < cells; c++)
        image.dist[c] = INT64_MAX;
    return image;
}

static void add_edge(struct image *image, int32_t from, int32_t to, int32_t weight) {
    image->edges[image->count++] = (struct edge){from, to, weight};
}

/* Distance (i, j) of the image follows from `distance`, one of the graph's: times `scale`
 * and by `shift` longer, INF excepted. */
static void expect(struct image *image, int32_t i, int32_t j, int32_t distance, int32_t scale,
                   int32_t shift) {
    if (distance != INF)
        image->dist[(size_t)i * (size_t)image->n + (size_t)j] = (int64_t)distance * scale + shift;
}

static void expect_same(struct image *image, const struct matrix *dist) {
    for (int32_t i = 0; i < dist->n; i++) {
        for (int32_t j = 0; j < dist->n; j++)
            expect(image, i, j, matrix_row(dist, i)[j], 1, 0);
    }
}

/* Other names for the vertices: the same answer under these names. */
static struct image renamed(struct random *random, const struct graph *g,
                            const struct matrix *dist) {
    struct image image = image_of(g, g->n, 0);
    int32_t *name = malloc(sizeof *name * (size_t)g->n);
    CU_ASSERT_FATAL(name != NULL);
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t other = random_in(random, 0, v);
        name[v] = name[other];
        name[other] = v;
    }
    for (int64_t e = 0; e < image.count; e++) {
        image.edges[e].from = name[image.edges[e].from];
        image.edges[e].to = name[image.edges[e].to];
    }
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++)
            expect(&image, name[i], name[j], matrix_row(dist, i)[j], 1, 0);
    }
    free(name);
    return image;
}

/* Longer edges parallel to others: nothing changes. */
static struct image with_parallel_edges(struct random *random, const struct graph *g,
                                        const struct matrix *dist) {
    struct image image = image_of(g, g->n, 0);
    for (int64_t e = 0; e < g->m; e++) {
        const struct edge edge = image.edges[e];
        if (random_in(random, 0, 1) == 0)
            add_edge(&image, edge.from, edge.to, edge.weight + random_in(random, 0, 3));
    }
    expect_same(&image, dist);
    return image;
}

/* New edges that are as long as the path between their ends, or longer, change nothing. */
static struct image with_shortcuts(struct random *random, const struct graph *g,
                                   const struct matrix *dist) {
    struct image image = image_of(g, g->n, g->n);
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t i = random_in(random, 0, g->n - 1), j = random_in(random, 0, g->n - 1);
        if (matrix_row(dist, i)[j] != INF)
            add_edge(&image, i, j, matrix_row(dist, i)[j] + random_in(random, 0, 3));
    }
    expect_same(&image, dist);
    return image;
}

/* All weights times a constant: all distances times it. */
static struct image scaled(struct random *random, const struct graph *g,
                           const struct matrix *dist) {
    struct image image = image_of(g, g->n, 0);
    const int32_t scale = random_in(random, 2, 5);
    for (int64_t e = 0; e < image.count; e++)
        image.edges[e].weight *= scale;
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++)
            expect(&image, i, j, matrix_row(dist, i)[j], scale, 0);
    }
    return image;
}

/* All edges reversed: the transposed matrix. */
static struct image reversed(struct random *random, const struct graph *g,
                             const struct matrix *dist) {
    struct image image = image_of(g, g->n, 0);
    (void)random;
    for (int64_t e = 0; e < image.count; e++) {
        const struct edge edge = image.edges[e];
        image.edges[e] = (struct edge){edge.to, edge.from, edge.weight};
    }
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++)
            expect(&image, j, i, matrix_row(dist, i)[j], 1, 0);
    }
    return image;
}

/* Beside a vertex without edges and its own reverse: three blocks on the diagonal, no
 * path between them. */
static struct image united(struct random *random, const struct graph *g,
                           const struct matrix *dist) {
    const int32_t n = 2 * g->n + 1, second = g->n + 1;
    struct image image = image_of(g, n, 0);
    (void)random;
    for (int64_t e = 0; e < g->m; e++) {
        const struct edge edge = image.edges[e];
        add_edge(&image, second + edge.to, second + edge.from, edge.weight);
    }
    expect_same(&image, dist);
    expect(&image, g->n, g->n, 0, 1, 0);
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++)
            expect(&image, second + j, second + i, matrix_row(dist, i)[j], 1, 0);
    }
    return image;
}

/* Edges u -> v longer by h(u) - h(v): paths from i to j are longer by h(i) - h(j). */
static struct image reweighted(struct random *random, const struct graph *g,
                               const struct matrix *dist) {
    struct image image = image_of(g, g->n, 0);
    const int32_t highest = random_in(random, 0, 1) == 0 ? 10 : 10000;
    int32_t *h = malloc(sizeof *h * (size_t)g->n);
    CU_ASSERT_FATAL(h != NULL);
    for (int32_t v = 0; v < g->n; v++)
        h[v] = random_in(random, -highest, highest);
    for (int64_t e = 0; e < image.count; e++)
        image.edges[e].weight += h[image.edges[e].from] - h[image.edges[e].to];
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++)
            expect(&image, i, j, matrix_row(dist, i)[j], 1, h[i] - h[j]);
    }
    free(h);
    return image;
}

/* An edge for every path, as long as the path: nothing changes. */
static struct image closed(struct random *random, const struct graph *g,
                           const struct matrix *dist) {
    struct image image = image_of(g, g->n, (int64_t)g->n * g->n);
    (void)random;
    image.count = 0;
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++) {
            if (matrix_row(dist, i)[j] != INF)
                add_edge(&image, i, j, matrix_row(dist, i)[j]);
        }
    }
    expect_same(&image, dist);
    return image;
}

static const struct {
    const char *name;
    struct image (*make)(struct random *random, const struct graph *g, const struct matrix *dist);
} properties[] = {
    {"renamed", renamed},
    {"with parallel edges", with_parallel_edges},
    {"with shortcuts", with_shortcuts},
    {"scaled", scaled},
    {"reversed", reversed},
    {"beside its reverse", united},
    {"reweighted", reweighted},
    {"closed", closed},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

/* No path by way of a third vertex is shorter, or joins vertices that are said to have none. */
static bool obeys_triangle_inequality(const struct matrix *dist) {
    int violated = 0;
    for (int32_t i = 0; i < dist->n; i++) {
        const int32_t *row = matrix_row(dist, i);
        for (int32_t k = 0; k < dist->n; k++) {
            const int32_t *via = matrix_row(dist, k);
            if (row[k] == INF)
                continue;
            for (int32_t j = 0; j < dist->n; j++)
                violated |= via[j] != INF && (row[j] == INF || row[j] > row[k] + via[j]);
        }
    }
    return !violated;
}

/* Solves g, with predecessors or without, and has what was found certified. */
static enum status solve_one(const struct solver_variant *variant, const struct graph *g,
                             int number, struct matrix *dist, struct error *err) {
    const struct solver_options options = {.threads = number % 8 == 0 ? 2 : 1};
    struct matrix pred = new_matrix(g->n);
    struct matrix *wanted = variant->distances_only || number % 3 == 0 ? NULL : &pred;
    struct timing timing;
    *dist = new_matrix(g->n);
    enum status status = solve(variant, g, &options, dist, wanted, NULL, 1, &timing, err);
    if (status == STATUS_OK)
        status = certify(g, dist, wanted, 1, err);
    matrix_free(&pred);
    return status;
}

/* Returns whether the variant's answer to the image is the one that follows. */
static bool keeps(const struct solver_variant *variant, int number, const struct image *image,
                  struct error *err) {
    struct graph g = graph_of(image->n, image->edges, image->count);
    struct matrix dist;
    const enum status status = solve_one(variant, &g, number, &dist, err);
    const bool right = refuses(status, err)
                           ? may_refuse(variant, &g, image->dist)
                           : status == STATUS_OK && equals_reference(&dist, image->dist);
    matrix_free(&dist);
    graph_free(&g);
    return right;
}

/* Returns whether the variant was right to refuse the graph. */
static bool refused_rightly(const struct solver_variant *variant, const struct graph *g) {
    int64_t *expected = NULL;
    const bool right = reference_distances(g, &expected) && may_refuse(variant, g, expected);
    free(expected);
    return right;
}

/* Mostly small graphs, every eighth larger, every 512th of more than one large tile. */
static struct graph numbered_graph(struct random *random, int number) {
    static const int percents[] = {0, 3, 8, 20, 50, 100};
    const int32_t n = number % 512 == 511 ? 131
                      : number % 8 == 4   ? random_in(random, 25, 70)
                                          : random_in(random, 1, 24);
    return random_graph(random, n, percents[random_in(random, 0, 5)],
                        (enum weights)random_in(random, 0, WEIGHT_KINDS - 1));
}

/* How many graphs a variant solves, each PROPERTIES + 1 times. */
static int graph_count(const struct solver_variant *variant) {
#if defined DEVICE_TESTS
    (void)variant;
    return 300;
#elif defined APSP_SANITIZED
    return uses_gpu(variant) ? 4 / stride(variant, 1) : 100;
#else
    return uses_gpu(variant) ? 15 / stride(variant, 3) : 512;
#endif
}

static void check_properties(const struct solver_variant *variant) {
    struct random random = {12};
    const int count = graph_count(variant);
    int solved = 0;
    for (int number = 0; number < count; number++) {
        struct graph g = numbered_graph(&random, number);
        struct matrix dist;
        struct error err = {0};
        const char *broken = NULL;
        const enum status status = solve_one(variant, &g, number, &dist, &err);
        if (refuses(status, &err))
            broken = refused_rightly(variant, &g) ? NULL : "refused";
        else if (status != STATUS_OK)
            broken = "by itself";
        else if (!obeys_triangle_inequality(&dist))
            broken = "triangle inequality";
        for (int p = 0; p < PROPERTIES && broken == NULL && status == STATUS_OK; p++) {
            struct image image = properties[p].make(&random, &g, &dist);
            if (!keeps(variant, number + p, &image, &err))
                broken = properties[p].name;
            free(image.edges);
            free(image.dist);
        }
        if (broken != NULL)
            printf("\n    %s, graph %d, n = %d, m = %lld, %s: %s\n", variant->name, number, g.n,
                   (long long)g.m, broken, err.text[0] != '\0' ? err.text : "wrong distances");
        CU_ASSERT_PTR_NULL(broken);
        solved += status == STATUS_OK;
        matrix_free(&dist);
        graph_free(&g);
    }
    CU_ASSERT(solved >= count / 4);
}

static void test_properties(void) {
    for_each_variant(check_properties);
}

CU_TestInfo property_tests[] = {
    {"answers to related graphs", test_properties},
    CU_TEST_INFO_NULL,
};
