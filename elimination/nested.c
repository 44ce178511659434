// SPDX-License-Identifier: MIT
#include "elimination/nested.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/memory.h"         // memory_alloc
#include "common/base/splitmix64.h"     // splitmix64_mix
#include "elimination/minimum_degree.h" // minimum_degree_begin
#include "elimination/separator.h"      // struct merged_graph, separator_find

#include <stdbool.h>
#include <string.h>

enum {
    START = 4,      /* most neighbours of the vertices that minimum degree eliminates before the
                       graph is split */
    LEAF = 100,     /* parts with up to this number of vertices are not split */
    MANY = 1 << 10, /* parts with fewer vertices get one try for a separator */
    TRIES = 3,      /* larger parts get TRIES tries, and one more for each MANY vertices */
    MAX_TRIES = 16, /* most tries of a part */
    TASK = 1 << 11, /* parts with at least this number of vertices may go to another thread */
    THIN = 16,      /* a split is useless if a side has less than 1 / THIN of the part */
};

/* A part of the graph that is being ordered, and where its order goes. */
struct nest {
    const struct progress *progress;
    enum status status;
    struct error err;
};

/* Orders a small part by minimum degree. */
static enum status order_leaf(const struct merged_graph *l, const int32_t *name, int32_t *order,
                              struct error *err) {
    struct minimum_degree *md = NULL;
    const struct pattern pattern = {l->n, l->first, l->to};
    enum status status;
    TRY(minimum_degree_begin(&pattern, 1, &md, err));
    TRY(minimum_degree_go_on(md, MINIMUM_DEGREE_MOST, INT64_MAX, err));
    minimum_degree_order(md, order);
    for (int32_t k = 0; k < l->n; k++)
        order[k] = name[order[k]];
cleanup:
    minimum_degree_free(md);
    return status;
}

static void order_part(struct nest *nest, struct merged_graph *l, int32_t *name, int32_t *order,
                       uint64_t seed);

static void fail_nest(struct nest *nest, enum status status, const struct error *err) {
#pragma omp critical
    if (nest->status == STATUS_OK) {
        nest->status = status;
        nest->err = *err;
    }
}

/* Finds a separator, the sizes of the sides and of the separator, and the number of each vertex on
 * its side. */
static enum status find_separator(struct merged_graph *l, uint64_t seed, int32_t *count,
                                  struct error *err) {
    const int tries = l->n < MANY ? 1 : l->n / MANY < MAX_TRIES ? TRIES + l->n / MANY : MAX_TRIES;
    uint64_t random = seed;
    RETURN_ON_FAILURE(separator_find(l, tries, &random, err));
    count[LEFT] = count[RIGHT] = count[SEPARATOR] = 0;
    for (int32_t v = 0; v < l->n; v++)
        l->coarse[v] = count[l->side[v]]++; /* number of the vertex on its side */
    return STATUS_OK;
}

/* Splits a part and orders its sides. Frees l and name. */
static enum status order_sides(struct nest *nest, struct merged_graph *l, int32_t *name,
                               int32_t *order, uint64_t seed, bool *is_leaf, struct error *err) {
    int32_t count[3];
    struct merged_graph side[2] = {{0}};
    void *names[2] = {NULL, NULL};
    enum status status;
    TRY(find_separator(l, seed, count, err));
    const int32_t small = count[LEFT] < count[RIGHT] ? count[LEFT] : count[RIGHT];
    *is_leaf = small < l->n / THIN || small == 0;
    if (*is_leaf)
        goto cleanup;
    for (uint8_t s = LEFT; s <= RIGHT; s++) {
        TRY(memory_alloc(&names[s], (size_t)count[s], sizeof(int32_t), "nested dissection", err));
        TRY(merged_graph_side(l, s, count[s], name, &side[s], names[s], err));
    }
    int32_t *const last = order + count[LEFT] + count[RIGHT];
    for (int32_t v = 0; v < l->n; v++) {
        if (l->side[v] == SEPARATOR)
            last[l->coarse[v]] = name[v];
    }
    merged_graph_free(l);
    memory_free(name);
    struct merged_graph *const left = &side[LEFT];
#pragma omp task firstprivate(left) if (count[LEFT] > TASK)
    order_part(nest, left, names[LEFT], order, 2 * seed + 1);
    order_part(nest, &side[RIGHT], names[RIGHT], order + count[LEFT], 2 * seed + 2);
#pragma omp taskwait
    return STATUS_OK;
cleanup:
    for (int s = 0; s < 2; s++) {
        merged_graph_free(&side[s]);
        memory_free(names[s]);
    }
    return status;
}

/* Orders a part. Frees l and name. */
static void order_part(struct nest *nest, struct merged_graph *l, int32_t *name, int32_t *order,
                       uint64_t seed) {
    struct error err;
    enum status status = STATUS_OK;
    bool is_leaf = l->n <= LEAF, taken = false;
    if (!progress_goes_on(nest->progress)) {
        merged_graph_free(l);
        memory_free(name);
        return;
    }
    if (!is_leaf) {
        status = order_sides(nest, l, name, order, splitmix64_mix(seed), &is_leaf, &err);
        taken = status == STATUS_OK && !is_leaf;
    }
    if (status == STATUS_OK && is_leaf)
        status = order_leaf(l, name, order, &err);
    if (status != STATUS_OK)
        fail_nest(nest, status, &err);
    if (!taken) {
        merged_graph_free(l);
        memory_free(name);
    }
}

/* Makes the graph that the start leaves the first part. */
static enum status begin(const struct pattern *rest, const int32_t *left, int threads,
                         struct merged_graph *l, void **name, struct error *err) {
    const size_t n = (size_t)rest->n;
    RETURN_ON_FAILURE(memory_alloc(name, n, sizeof(int32_t), "nested dissection", err));
    memcpy(*name, left, n * sizeof(int32_t));
    return merged_graph_of(rest, threads, l, err);
}

enum status nested_order(const struct pattern *pattern, int threads, int32_t *vertex,
                         const struct progress *progress, struct error *err) {
    struct minimum_degree *md = NULL;
    struct pattern rest = {0};
    struct merged_graph first = {0};
    struct nest nest = {.progress = progress, .status = STATUS_OK};
    void *name = NULL;
    enum status status;
    TRY(minimum_degree_begin(pattern, threads, &md, err));
#pragma omp parallel num_threads(threads)
#pragma omp single
    status = minimum_degree_start(md, MINIMUM_DEGREE_BLOCK_MOST, block_sizes.order_vertices, err);
    TRY(status);
    TRY(minimum_degree_go_on(md, START, INT64_MAX, err));
    minimum_degree_order(md, vertex);
    int32_t *const left = vertex + minimum_degree_eliminated(md);
    if (left == vertex + pattern->n)
        goto cleanup;
    TRY(minimum_degree_rest(md, &rest, err));
    minimum_degree_free(md);
    md = NULL;
    TRY(begin(&rest, left, threads, &first, &name, err));
    pattern_free(&rest);
    int32_t *const names = name;
    name = NULL;
#pragma omp parallel num_threads(threads)
#pragma omp single
    order_part(&nest, &first, names, left, 0);
    *err = nest.err;
    status = nest.status;
    if (status == STATUS_OK && !progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    minimum_degree_free(md);
    pattern_free(&rest);
    merged_graph_free(&first);
    memory_free(name);
    return status;
}
