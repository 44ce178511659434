// SPDX-License-Identifier: MIT
/* Elimination: every part beside a dense one that does the same by its definition. Positions are
 * eliminated in orders of the tests' own, too, so that little of this needs AMD. */
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_free
#include "dissection/cpu.h"          // dissection_solve
#include "elimination/dissection.h"
#include "elimination/minimum_degree.h"
#include "elimination/order.h" // order_find
#include "engines/cpu_auto.h"  // cpu_others
#include "tests/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The graph after the elimination of some of its vertices: lengths by positions, INT64_MAX if
 * there is no edge. */
struct dense {
    int32_t n;
    int64_t *length; /* n x n */
};

static int64_t *cell(const struct dense *d, int32_t i, int32_t j) {
    return d->length + (size_t)i * (size_t)d->n + (size_t)j;
}

static bool joined(const struct dense *d, int32_t i, int32_t j) {
    return *cell(d, i, j) != INT64_MAX || *cell(d, j, i) != INT64_MAX;
}

/* Eliminates the first `fringe` positions; what a position is joined to when its turn comes stays.
 * Joined are vertices with an edge either way, so a missing direction gets a length that no path
 * can have. */
static struct dense eliminate_dense(const struct graph *g, const struct tree *tree) {
    const int64_t huge = (int64_t)1 << 50;
    struct dense d = {tree->n, malloc(sizeof(int64_t) * (size_t)tree->n * (size_t)tree->n)};
    for (int32_t i = 0; i < d.n * d.n; i++)
        d.length[i] = INT64_MAX;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t i = tree->position[u], j = tree->position[g->head[e]];
            *cell(&d, i, j) = g->weight[e];
            if (*cell(&d, j, i) == INT64_MAX)
                *cell(&d, j, i) = huge;
        }
    }
    for (int32_t k = 0; k < tree->fringe; k++) {
        for (int32_t i = k + 1; i < d.n; i++) {
            for (int32_t j = k + 1; j < d.n; j++) {
                if (i == j || !joined(&d, i, k) || !joined(&d, k, j))
                    continue;
                const int64_t through = *cell(&d, i, k) + *cell(&d, k, j);
                if (through < *cell(&d, i, j))
                    *cell(&d, i, j) = through < huge ? through : huge;
            }
        }
    }
    return d;
}

static bool same_length(int32_t length, int64_t expected) {
    return length == (expected < INF ? expected : INF);
}

/* A tree's structure and lengths are those of the dense elimination. */
static bool matches(const struct graph *g, const struct tree *tree, const struct structure *s,
                    const struct lengths *lengths) {
    struct dense d = eliminate_dense(g, tree);
    bool right = true;
    int64_t entries = 0;
    int32_t height = 0;
    for (int32_t i = 0; i < d.n; i++) {
        int64_t e = s->first[i];
        int32_t parent = -1;
        for (int32_t j = i + 1; j < d.n; j++) {
            if (!joined(&d, i, j))
                continue;
            right = right && e < s->first[i + 1] && s->higher[e] == j &&
                    same_length(lengths->up[e], *cell(&d, i, j)) &&
                    same_length(lengths->down[e], *cell(&d, j, i));
            if (parent < 0)
                parent = j;
            e++;
        }
        right = right && e == s->first[i + 1] && tree->count[i] == e - s->first[i];
        if (i >= tree->fringe || parent >= tree->fringe)
            parent = -1;
        right = right && tree->parent[i] == parent;
        if (i < tree->fringe) {
            entries += tree->count[i];
            int32_t up = 1;
            for (int32_t at = tree->parent[i]; at >= 0; at = tree->parent[at])
                up++;
            height = up > height ? up : height;
            right = right && tree->depth[i] == up - 1;
        }
    }
    free(d.length);
    return right && tree->entries == entries && tree->height == height;
}

/* Vertices and positions are each other's inverse, subtrees are ranges. */
static bool is_postorder(const struct tree *tree) {
    bool right = true;
    int32_t *size = malloc(sizeof *size * (size_t)tree->n);
    for (int32_t at = 0; at < tree->n; at++) {
        size[at] = 1;
        right = right && tree->position[tree->vertex[at]] == at;
    }
    for (int32_t at = 0; at < tree->fringe; at++) {
        if (tree->parent[at] >= 0)
            size[tree->parent[at]] += size[at];
    }
    for (int32_t at = 0; at < tree->fringe; at++)
        right = right && (tree->parent[at] < 0 || at > tree->parent[at] - size[tree->parent[at]]);
    free(size);
    return right;
}

/* Follows the schedule: what each slot holds when it is read. */
static bool is_followable(const struct tree *tree, const struct structure *s,
                          const struct lengths *lengths, const struct schedule *schedule) {
    const int32_t core = tree->n - tree->fringe;
    int32_t *held = malloc(sizeof *held * (size_t)(schedule->slots + 1));
    int32_t *position = malloc(sizeof *position * (size_t)tree->n);
    bool right = true;
    int32_t step = 0;
    int64_t entry = 0;
    for (int32_t slot = 0; slot < schedule->slots; slot++)
        held[slot] = slot < core ? tree->fringe + slot : -1;
    for (int32_t at = 0; at < tree->fringe; at++)
        position[at] = -1;
    for (int32_t at = 0; at < tree->fringe; at++)
        position[schedule->step[at]] = at;
    for (int32_t r = 0; r < schedule->runs; r++) {
        for (int32_t k = 0; k < schedule->run[r].steps; k++, step++) {
            const int32_t at = step < tree->fringe ? position[step] : -1;
            bool *found = calloc((size_t)tree->n, sizeof *found);
            int32_t distinct = 0;
            if (at < 0) {
                free(found);
                right = false;
                break;
            }
            for (int32_t e = 0; e < schedule->run[r].entries; e++, entry++) {
                const int32_t slot = schedule->narrow_above != NULL ? schedule->narrow_above[entry]
                                                                    : schedule->wide_above[entry];
                bool is_entry = false;
                for (int64_t own = s->first[at]; own < s->first[at + 1]; own++)
                    is_entry |=
                        s->higher[own] == held[slot] && lengths->down[own] == schedule->down[entry];
                right = right && is_entry;
                if (is_entry && !found[held[slot]]) {
                    found[held[slot]] = true;
                    distinct++;
                }
            }
            free(found);
            right = right && distinct == tree->count[at];
            held[schedule->narrow_own != NULL ? schedule->narrow_own[step]
                                              : schedule->wide_own[step]] = at;
        }
    }
    free(held);
    free(position);
    return right && step == tree->fringe;
}

static const int some_threads[] = {1, 2, 3, 16};

enum { SOME_THREADS = sizeof some_threads / sizeof *some_threads };

/* Entries of a schedule, in all. */
static size_t entries_of(const struct schedule *s) {
    size_t entries = 0;
    for (int32_t r = 0; r < s->runs; r++)
        entries += (size_t)s->run[r].steps * (size_t)s->run[r].entries;
    return entries;
}

static bool equal_schedules(const struct schedule *a, const struct schedule *b,
                            const struct tree *tree) {
    const size_t entries = entries_of(a), steps = (size_t)tree->fringe;
    const size_t slot = a->narrow_own != NULL ? sizeof *a->narrow_own : sizeof *a->wide_own;
    return a->slots == b->slots && a->runs == b->runs && entries == entries_of(b) &&
           (a->narrow_own != NULL) == (b->narrow_own != NULL) &&
           memcmp(a->step, b->step, (size_t)tree->n * sizeof *a->step) == 0 &&
           memcmp(a->run, b->run, (size_t)a->runs * sizeof *a->run) == 0 &&
           memcmp(a->steps, b->steps, steps * slot) == 0 &&
           memcmp(a->entries, b->entries, entries * slot) == 0 &&
           memcmp(a->down, b->down, entries * sizeof *a->down) == 0;
}

/* The schedule, whatever the number of threads. */
static void check_schedule(const struct tree *tree, const struct structure *structure,
                           const struct lengths *lengths) {
    struct schedule first;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(schedule_find(tree, structure, lengths, 1, &first, &err), STATUS_OK);
    CU_ASSERT(is_followable(tree, structure, lengths, &first));
    for (int t = 1; t < SOME_THREADS; t++) {
        struct schedule schedule;
        CU_ASSERT_EQUAL_FATAL(
            schedule_find(tree, structure, lengths, some_threads[t], &schedule, &err), STATUS_OK);
        CU_ASSERT(equal_schedules(&first, &schedule, tree));
        schedule_free(&schedule);
    }
    schedule_free(&first);
}

/* The tree of g for an order of vertices, cut at every place. */
static void check_cuts(const struct graph *g, const int32_t *vertex, int threads) {
    struct pattern pattern;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(g, 1, &pattern, &err), STATUS_OK);
    for (int32_t most = -1; most <= g->n; most += most < 6 || most == g->n ? 1 : g->n - most) {
        struct tree tree;
        struct structure structure;
        struct lengths lengths;
        CU_ASSERT_EQUAL_FATAL(tree_build(&pattern, vertex, NULL, 1, &tree, &err), STATUS_OK);
        if (most < g->n)
            CU_ASSERT_EQUAL_FATAL(tree_cut(&tree, most, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(structure_find(&pattern, &tree, 1, &structure, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(
            eliminate(g, &tree, &structure,
                      &(struct elimination_options){.threads = threads, .isa = isa_best()},
                      &lengths, &err),
            STATUS_OK);
        for (int32_t at = 0; at < tree.fringe; at++)
            CU_ASSERT_FATAL(tree.count[at] <= most);
        CU_ASSERT(is_postorder(&tree));
        CU_ASSERT(matches(g, &tree, &structure, &lengths));
        check_schedule(&tree, &structure, &lengths);
        lengths_free(&lengths);
        structure_free(&structure);
        tree_free(&tree);
    }
    pattern_free(&pattern);
}

/* The pattern of g by its definition, whatever the number of threads. */
static void check_pattern(const struct graph *g) {
    bool *joined = calloc((size_t)g->n * (size_t)g->n, 1);
    struct error err;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (g->head[e] != u)
                joined[u * g->n + g->head[e]] = joined[g->head[e] * g->n + u] = true;
        }
    }
    for (int t = 0; t < SOME_THREADS; t++) {
        struct pattern pattern;
        bool right = true;
        CU_ASSERT_EQUAL_FATAL(pattern_find(g, some_threads[t], &pattern, &err), STATUS_OK);
        int64_t e = 0;
        for (int32_t u = 0; u < g->n; u++) {
            right = right && pattern.first[u] == e;
            for (int32_t v = 0; v < g->n; v++) {
                if (joined[u * g->n + v])
                    right = right && e < pattern.first[g->n] && pattern.neighbour[e++] == v;
            }
        }
        CU_ASSERT(pattern.n == g->n && right && pattern.first[g->n] == e);
        pattern_free(&pattern);
    }
    free(joined);
}

/* Graphs with edges in both directions, in both but for one edge, or in either; some with loops,
 * which only lengths below 0 leave, with isolated vertices, or with one that all others join. */
static void test_patterns(void) {
    enum { MOST = 70, BOTH, ALL_BUT_ONE, EITHER };
    struct random random = {21};
    for (int round = 0; round < 400; round++) {
        const int32_t n = random_in(&random, 1, MOST), last = random_in(&random, 0, n - 1);
        const int32_t kind = random_in(&random, BOTH, EITHER);
        struct edge edges[4 * MOST];
        int64_t count = 0;
        for (int32_t k = random_in(&random, 0, 2 * n); k > 0; k--) {
            const int32_t u = random_in(&random, 0, n - 1);
            const int32_t v = round % 5 == 0 ? last : random_in(&random, 0, last);
            const int32_t length = u == v && round % 3 == 0 ? -1 : 1;
            if (kind != EITHER || random_in(&random, 0, 1) == 0)
                edges[count++] = (struct edge){u, v, length};
            if (kind != EITHER || random_in(&random, 0, 1) == 0)
                edges[count++] = (struct edge){v, u, length};
        }
        if (kind == ALL_BUT_ONE && count > 0)
            edges[0] = edges[--count];
        struct graph g = graph_of(n, edges, count);
        check_pattern(&g);
        graph_free(&g);
    }
}

/* Every undirected pattern of up to 5 vertices, each edge in one direction or both. */
static void test_all_small_graphs(void) {
    static const int32_t order[] = {0, 1, 2, 3, 4};
    for (int32_t n = 1; n <= 5; n++) {
        const int32_t pairs = n * (n - 1) / 2;
        for (uint32_t set = 0; set < 1u << pairs; set++) {
            struct edge edges[20];
            int64_t count = 0;
            for (int32_t u = 0, pair = 0; u < n; u++) {
                for (int32_t v = u + 1; v < n; v++, pair++) {
                    const uint32_t how = (set * 7 + (uint32_t)pair) % 3; /* which directions */
                    if ((set >> pair & 1) == 0)
                        continue;
                    if (how != 1)
                        edges[count++] = (struct edge){u, v, 1 + (pair * 5 + u) % 7};
                    if (how != 0)
                        edges[count++] = (struct edge){v, u, 1 + (pair * 3 + v) % 7};
                }
            }
            struct graph g = graph_of(n, edges, count);
            check_cuts(&g, order, 1);
            graph_free(&g);
        }
    }
}

/* Numbers 0 .. n-1 in a random order; to free. */
static int32_t *random_order(struct random *random, int32_t n) {
    int32_t *order = malloc(sizeof *order * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        const int32_t other = random_in(random, 0, k);
        order[k] = order[other];
        order[other] = k;
    }
    return order;
}

static void test_random_graphs(void) {
    struct random random = {3};
    for (int round = 0; round < 60; round++) {
        const int32_t n = random_in(&random, 6, 60);
        struct graph g = random_graph(&random, n, random_in(&random, 1, 12),
                                      round % 2 == 0 ? WEIGHTS_POSITIVE : WEIGHTS_ZERO);
        int32_t *order = random_order(&random, n);
        check_cuts(&g, order, 1 + round % 4);
        free(order);
        graph_free(&g);
    }
}

/* A tree, each vertex under one of the last `width` before it, and some edges among neighbours:
 * more than a piece of the schedule, and several subtrees for threads. */
static struct graph tree_like(struct random *random, int32_t n, int32_t width, int32_t extra) {
    struct edge *edges = malloc(sizeof *edges * 2 * (size_t)(n + extra));
    int64_t count = 0;
    for (int32_t v = 1; v < n + extra; v++) {
        const int32_t u = v < n ? v : random_in(random, 1, n - 1);
        const int32_t other = random_in(random, u - width > 0 ? u - width : 0, u - 1);
        edges[count++] = (struct edge){u, other, random_in(random, 0, 50)};
        if (random_in(random, 0, 9) > 0)
            edges[count++] = (struct edge){other, u, random_in(random, 1, 50)};
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

static void test_pieces(void) {
    struct random random = {4};
    static const int32_t widths[] = {3, 40, 400};
    for (int k = 0; k < 3; k++) {
        struct graph g = tree_like(&random, 400, widths[k], 40);
        int32_t *order = malloc(sizeof *order * (size_t)g.n);
        for (int32_t v = 0; v < g.n; v++)
            order[v] = g.n - 1 - v;
        check_cuts(&g, order, 4);
        free(order);
        graph_free(&g);
    }
}

/* Lengths that do not fit are INF, also as sums of ones that are. */
static void test_large_lengths(void) {
    const int32_t order[] = {1, 2, 0, 3};
    const struct edge edges[] = {{0, 1, INF - 1},
                                 {1, 2, INF - 1},
                                 {2, 3, 1},
                                 {3, 2, INT32_MAX},
                                 {2, 1, INT32_MAX - 1},
                                 {1, 0, INT32_MAX},
                                 {0, 3, INT32_MAX - 2},
                                 {0, 2, INF}};
    struct graph g = graph_of(4, edges, 8);
    check_cuts(&g, order, 1);
    graph_free(&g);
}

/* A clique, whose positions are one group, with paths to some of it: rows are longer than what is
 * joined at a time. */
static void test_groups(void) {
    enum { CLIQUE = 330, VERTICES = CLIQUE + 8 };
    struct random random = {15};
    struct edge *edges = malloc(sizeof *edges * CLIQUE * VERTICES);
    static int32_t order[VERTICES];
    int64_t count = 0;
    for (int32_t u = 0; u < CLIQUE; u++) {
        for (int32_t v = 0; v < CLIQUE; v++) {
            if (u != v && (u < 20 || v < 20 || random_in(&random, 0, 3) == 0))
                edges[count++] = (struct edge){u, v, random_in(&random, 1, 500)};
        }
    }
    for (int32_t v = CLIQUE; v < VERTICES; v++) {
        edges[count++] = (struct edge){v, random_in(&random, 0, CLIQUE - 1), 1};
        edges[count++] = (struct edge){random_in(&random, 0, CLIQUE - 1), v, 1};
    }
    for (int32_t v = 0; v < VERTICES; v++)
        order[v] = v;
    struct graph g = graph_of(VERTICES, edges, count);
    check_cuts(&g, order, 2);
    graph_free(&g);
    free(edges);
}

/* Two vertices under the root, and under each of them two paths, of which the second one waits for
 * more when the other vertex comes, whose labels take the place of its parent's. */
static void test_waiting_pieces(void) {
    enum { PATHS = 4, MOST = PATHS * 192 + 3 };
    const int32_t path = 3 * block_sizes.piece_positions / 4, vertices = PATHS * path + 3;
    static struct edge edges[MOST - 1];
    static int32_t order[MOST];
    struct pattern pattern;
    struct tree tree;
    struct structure structure;
    struct lengths lengths;
    struct error err;
    CU_ASSERT_FATAL(vertices <= MOST);
    for (int32_t v = 0; v < vertices - 1; v++) {
        const bool ends = v < PATHS * path && v % path == path - 1;
        const int32_t parent = PATHS * path + (ends ? v / path / 2 : 2);
        edges[v] = (struct edge){v, ends || v >= PATHS * path ? parent : v + 1, 1};
    }
    for (int32_t v = 0; v < vertices; v++)
        order[v] = v;
    struct graph g = graph_of(vertices, edges, vertices - 1);
    CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tree_build(&pattern, order, NULL, 1, &tree, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(structure_find(&pattern, &tree, 1, &structure, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(eliminate(&g, &tree, &structure,
                                    &(struct elimination_options){.threads = 1, .isa = isa_best()},
                                    &lengths, &err),
                          STATUS_OK);
    check_schedule(&tree, &structure, &lengths);
    lengths_free(&lengths);
    structure_free(&structure);
    tree_free(&tree);
    pattern_free(&pattern);
    graph_free(&g);
}

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static void test_order(void) {
    struct random random = {5};
    for (int round = 0; round < 40 && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 200);
        struct graph g = random_graph(&random, n, random_in(&random, 0, 6), WEIGHTS_POSITIVE);
        struct pattern pattern;
        struct error err;
        int32_t *order = malloc(sizeof *order * (size_t)n),
                *again = malloc(sizeof *order * (size_t)n);
        bool *seen = calloc((size_t)n, sizeof *seen);
        CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(order_find(&pattern, order, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(order_find(&pattern, again, &err), STATUS_OK);
        CU_ASSERT(memcmp(order, again, sizeof *order * (size_t)n) == 0);
        for (int32_t at = 0; at < n; at++) {
            CU_ASSERT_FATAL(order[at] >= 0 && order[at] < n && !seen[order[at]]);
            seen[order[at]] = true;
        }
        pattern_free(&pattern);
        graph_free(&g);
        free(order);
        free(again);
        free(seen);
    }
}

/* Joined are the vertices that an elimination of those before has joined, by their numbers. */
static bool *eliminate_joined(const struct pattern *p, const int32_t *vertex, int32_t count) {
    bool *joined = calloc((size_t)p->n * (size_t)p->n, 1);
    for (int32_t v = 0; v < p->n; v++) {
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            joined[v * p->n + p->neighbour[e]] = true;
    }
    for (int32_t at = 0; at < count; at++) {
        const int32_t gone = vertex[at];
        for (int32_t i = 0; i < p->n; i++) {
            for (int32_t j = 0; j < p->n && joined[i * p->n + gone]; j++)
                joined[i * p->n + j] |= i != j && joined[gone * p->n + j];
        }
        for (int32_t i = 0; i < p->n; i++)
            joined[i * p->n + gone] = joined[gone * p->n + i] = false;
    }
    return joined;
}

static int32_t neighbours_of(const bool *joined, int32_t n, int32_t v) {
    int32_t count = 0;
    for (int32_t to = 0; to < n; to++)
        count += joined[v * n + to];
    return count;
}

/* Begins an order, by blocks if `largest` > 0. */
static struct minimum_degree *start_order(const struct pattern *p, int32_t most, int32_t largest,
                                          int threads) {
    struct minimum_degree *md;
    struct error err;
    enum status status = STATUS_OK;
    CU_ASSERT_EQUAL_FATAL(minimum_degree_begin(p, threads, &md, &err), STATUS_OK);
#pragma omp parallel num_threads(threads)
#pragma omp single
    if (largest > 0)
        status = minimum_degree_start(md, most, largest, &err);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    return md;
}

/* Every vertex that is eliminated has the fewest neighbours then, unless there are blocks, or what
 * was eliminated before it had no others; what is left is what elimination by the definition
 * leaves. The order does not depend on the number of threads. */
static void check_minimum_degree(const struct pattern *p, int32_t most, int32_t largest,
                                 int64_t work) {
    const int32_t n = p->n;
    int32_t *const vertex = malloc(sizeof *vertex * (size_t)n);
    struct minimum_degree *md = start_order(p, most, largest, 3);
    struct pattern rest;
    struct error err;
    int64_t entries = 0;
    minimum_degree_order(md, vertex);
    minimum_degree_free(md);
    md = start_order(p, most, largest, 1);
    int32_t *const again = malloc(sizeof *again * (size_t)n);
    minimum_degree_order(md, again);
    CU_ASSERT_EQUAL(memcmp(again, vertex, sizeof *vertex * (size_t)n), 0);
    free(again);
    CU_ASSERT_EQUAL_FATAL(minimum_degree_go_on(md, most / 2, work, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(minimum_degree_go_on(md, most, work, &err), STATUS_OK);
    minimum_degree_order(md, vertex);
    CU_ASSERT_EQUAL_FATAL(minimum_degree_rest(md, &rest, &err), STATUS_OK);
    const int32_t eliminated = minimum_degree_eliminated(md), left = n - eliminated;
    CU_ASSERT(work < INT64_MAX || minimum_degree_reached(md) == most);
    for (int32_t at = 0, before = n; at < eliminated; at++) {
        bool *const joined = eliminate_joined(p, vertex, at);
        const int32_t own = neighbours_of(joined, n, vertex[at]);
        int32_t least = n;
        for (int32_t later = at; later < n; later++) {
            const int32_t count = neighbours_of(joined, n, vertex[later]);
            least = count < least ? count : least;
        }
        CU_ASSERT(largest > 0 || own == least || own == before - 1);
        CU_ASSERT(own <= most);
        entries += own;
        before = own;
        free(joined);
    }
    CU_ASSERT_EQUAL(minimum_degree_entries(md), entries);
    bool *const joined = eliminate_joined(p, vertex, eliminated);
    CU_ASSERT_EQUAL_FATAL(rest.n, left);
    CU_ASSERT_EQUAL(rest.first[left], minimum_degree_rest_entries(md));
    for (int32_t k = 0; k < left; k++) {
        const int32_t v = vertex[eliminated + k];
        CU_ASSERT(k == 0 || vertex[eliminated + k - 1] < v);
        CU_ASSERT(neighbours_of(joined, n, v) > minimum_degree_reached(md));
        CU_ASSERT_EQUAL(rest.first[k + 1] - rest.first[k], neighbours_of(joined, n, v));
        for (int64_t e = rest.first[k]; e < rest.first[k + 1]; e++) {
            CU_ASSERT(joined[v * n + vertex[eliminated + rest.neighbour[e]]]);
            CU_ASSERT(e == rest.first[k] || rest.neighbour[e - 1] < rest.neighbour[e]);
        }
    }
    free(joined);
    free(vertex);
    pattern_free(&rest);
    minimum_degree_free(md);
}

static void test_minimum_degree(void) {
    struct random random = {9};
    for (int round = 0; round < 24; round++) {
        const int32_t n = round < 4 ? 60 : random_in(&random, 1, 40);
        struct graph g = random_graph(&random, n, round % 4, WEIGHTS_POSITIVE);
        struct pattern pattern;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
        check_minimum_degree(&pattern, random_in(&random, 0, MINIMUM_DEGREE_MOST),
                             round % 2 == 0 ? 0 : random_in(&random, 1, n),
                             round % 3 == 0 ? random_in(&random, 0, 400) : INT64_MAX);
        pattern_free(&pattern);
        graph_free(&g);
    }
}

/* Blocks eliminate all of a path but what lies at their ends; the rest is a path again. */
static void test_blocks(void) {
    enum { VERTICES = 1000, BLOCK = 100 };
    static struct edge edges[VERTICES - 1];
    for (int32_t v = 0; v < VERTICES - 1; v++)
        edges[v] = (struct edge){v, v + 1, 1};
    struct graph g = graph_of(VERTICES, edges, VERTICES - 1);
    struct pattern pattern;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
    struct minimum_degree *const md = start_order(&pattern, 2, BLOCK, 2);
    CU_ASSERT_EQUAL(minimum_degree_eliminated(md), VERTICES - 2 * (VERTICES / BLOCK - 1));
    CU_ASSERT_EQUAL(minimum_degree_rest_entries(md), 2 * (2 * (VERTICES / BLOCK - 1) - 1));
    CU_ASSERT_EQUAL(minimum_degree_go_on(md, 2, INT64_MAX, &err), STATUS_OK);
    CU_ASSERT_EQUAL(minimum_degree_eliminated(md), VERTICES);
    minimum_degree_free(md);
    pattern_free(&pattern);
    graph_free(&g);
}

/* A star, whose centre has too many neighbours to look at each of them again for each. */
static void test_hub(void) {
    enum { LEAVES = 3000 };
    static struct edge edges[2 * LEAVES];
    for (int32_t k = 0; k < LEAVES; k++) { /* joined in pairs */
        edges[2 * k] = (struct edge){0, k + 1, 1};
        edges[2 * k + 1] = (struct edge){k + 1, (k ^ 1) + 1, 1};
    }
    struct graph g = graph_of(LEAVES + 1, edges, 2 * LEAVES);
    struct pattern pattern;
    struct minimum_degree *md;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(&g, 1, &pattern, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(minimum_degree_begin(&pattern, 1, &md, &err), STATUS_OK);
    CU_ASSERT_EQUAL(minimum_degree_go_on(md, 2, INT64_MAX, &err), STATUS_OK);
    CU_ASSERT_EQUAL(minimum_degree_eliminated(md), LEAVES + 1);
    CU_ASSERT_EQUAL(minimum_degree_entries(md), 3 * LEAVES / 2);
    CU_ASSERT(minimum_degree_work(md) < 40 * LEAVES);
    minimum_degree_free(md);
    pattern_free(&pattern);
    graph_free(&g);
}

/* Neighbours of a ring of random labels seldom follow each other, so that its tree is low. */
static void test_ring(void) {
    enum { VERTICES = 4096, LABEL = 1365 /* odd */ };
    static struct edge edges[VERTICES];
    for (int32_t k = 0; k < VERTICES; k++)
        edges[k] = (struct edge){k * LABEL % VERTICES, (k + 1) * LABEL % VERTICES, 1};
    struct graph g = graph_of(VERTICES, edges, VERTICES);
    const struct look_limits limits = {.other_s = 1, .slowness = 1, .threads = 2};
    struct look look;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(look_at(&g, &core_costs, &limits, &look, &err), STATUS_OK);
    CU_ASSERT(look.found.known);
    if (!skipped()) {
        CU_ASSERT(look.pays && look.found.pays);
        CU_ASSERT_EQUAL(look.found.levels, VERTICES / 2 + 1);
        CU_ASSERT_EQUAL(look.found.core, 0);
        CU_ASSERT(look.found.height < 40);
        CU_ASSERT_DOUBLE_EQUAL(look.found.fill, 2.0 - 3.0 / VERTICES, 1e-9);
    }
    look_free(&look);
    graph_free(&g);
}

/* A look for the features finds those of a look that keeps the trees. */
static void check_features_only(const struct graph *g, const struct look_limits *limits,
                                const struct elimination_features *found) {
    struct look_limits only = *limits;
    struct look look;
    struct error err;
    only.only_features = true;
    CU_ASSERT_EQUAL_FATAL(look_at(g, &core_costs, &only, &look, &err), STATUS_OK);
    CU_ASSERT(look.found.pays == found->pays && look.pays == found->pays);
    CU_ASSERT_EQUAL(look.found.core, found->core);
    CU_ASSERT_EQUAL(look.found.fill, found->fill);
    CU_ASSERT_EQUAL(look.found.height, found->height);
    CU_ASSERT_EQUAL(look.found.shared_s, found->shared_s);
    CU_ASSERT_EQUAL(look.found.once_s, found->once_s);
    CU_ASSERT_PTR_NULL(look.whole.all);
    look_free(&look);
}

/* Stores the edges of a square grid of side * side vertices; returns their number. */
static int64_t grid_edges(int32_t side, struct edge *edges) {
    int64_t count = 0;
    for (int32_t v = 0; v < side * side; v++) {
        if (v % side < side - 1)
            edges[count++] = (struct edge){v, v + 1, 1};
        if (v / side < side - 1)
            edges[count++] = (struct edge){v, v + side, 1};
    }
    return count;
}

/* The whole of a grid is ordered if there is time to save, and of a random graph not even then,
 * unless it is asked for; from one with many edges for each vertex nothing is expected. */
static void test_look(void) {
    enum { SIDE = 40 };
    static struct edge edges[2 * SIDE * SIDE];
    struct random random = {10};
    int64_t count;
    struct graph grid = graph_of(SIDE * SIDE, edges, grid_edges(SIDE, edges));
    for (count = 0; count < 2 * SIDE * SIDE; count++)
        edges[count] = (struct edge){(int32_t)count / 2, random_in(&random, 0, SIDE * SIDE - 1), 1};
    struct graph sparse = graph_of(SIDE * SIDE, edges, count);
    struct graph dense = random_graph(&random, 300, 100, WEIGHTS_POSITIVE);
    const struct {
        struct graph *g;
        double other_s;
        bool pays, ordered;
    } cases[] = {{&grid, 1, true, true},
                 {&grid, 1e-5, true, false},
                 {&sparse, 0.05, true, false},
                 {&sparse, HUGE_VAL, true, true},
                 {&dense, HUGE_VAL, false, false}};
    for (int k = 0; k < 5 && !skipped(); k++) {
        const struct look_limits limits = {
            .other_s = cases[k].other_s, .slowness = 1, .threads = 2};
        struct look look;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(cases[k].g, &core_costs, &limits, &look, &err), STATUS_OK);
        CU_ASSERT_EQUAL(look.pays, cases[k].pays);
        CU_ASSERT_EQUAL(look.found.height > 0, cases[k].ordered);
        CU_ASSERT_EQUAL(look.found.core, look.pays ? look.tree.n - look.tree.fringe : 300);
        CU_ASSERT(k > 0 || (look.found.fill > 6 && look.found.fill < 14));
        check_features_only(cases[k].g, &limits, &look.found);
        if (look.pays) {
            CU_ASSERT(look.found.once_s > 0 && look.found.shared_s > 0);
            for (int32_t at = 0; at < look.tree.fringe; at++)
                CU_ASSERT_FATAL(look.found.height > 0 ||
                                look.tree.count[at] <= MINIMUM_DEGREE_MOST);
        }
        look_free(&look);
    }
    graph_free(&grid);
    graph_free(&sparse);
    graph_free(&dense);
}

/* An order of the whole graph is the one by clusters if the other way takes several times as long,
 * and, in a hurry, also if it takes less; but for the least time for which an order is found, after
 * which clusters are no longer looked for. */
static void test_quick_look(void) {
    enum { SIDE = 48, RANGE = 24 };
    struct edge *const edges = malloc(sizeof *edges * 2 * SIDE * SIDE);
    int others[2] = {0, 0};
    struct graph g = graph_of(SIDE * SIDE, edges, grid_edges(SIDE, edges));
    double by_clusters = 0;
    for (int k = RANGE; k >= 0 && !skipped(); k--) {
        for (int quick = 0; quick <= 1; quick++) {
            const struct look_limits limits = {.other_s = k == RANGE ? HUGE_VAL : ldexp(1, k - 16),
                                               .slowness = 1,
                                               .threads = 1,
                                               .quick = quick == 1};
            struct look look;
            struct error err;
            CU_ASSERT_EQUAL_FATAL(look_at(&g, &core_costs, &limits, &look, &err), STATUS_OK);
            by_clusters = k == RANGE ? look.found.fill : by_clusters;
            others[quick] += look_is_whole(&look) && look.found.fill != by_clusters;
            look_free(&look);
        }
    }
    CU_ASSERT(skipped() || (others[1] <= 1 && others[0] > 1));
    graph_free(&g);
    free(edges);
}

/* Vertices with few neighbours are eliminated beyond a small share of the time if that saves
 * several times as much, or if a few steps more make the core as small as it must be. */
static void test_steps(void) {
    enum {
        VERTICES = 4000,
        EDGES = 3 * VERTICES,
        FEWER = 1800,
        FEW = 2000,
        MANY = 3000,
        MOST = 3200
    };
    static struct edge edges[EDGES];
    struct random random = {13};
    struct core_costs costs = core_costs;
    for (int32_t k = 0; k < EDGES; k++)
        edges[k] = (struct edge){k / 3, random_in(&random, 0, VERTICES - 1), 1};
    struct graph g = graph_of(VERTICES, edges, EDGES);
    for (int k = 0; k <= 40 && !skipped(); k++) {
        const bool limited = k > 1, slow = k > 2 || k == 1;
        const struct look_limits limits = {
            .other_s = slow ? 0.03 + 0.001 * k : 0.002, .slowness = 1.0 / 8, .threads = 1};
        struct look look;
        struct error err;
        costs.core = limited ? FEW + 20 * (k - 2) : VERTICES;
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &costs, &limits, &look, &err), STATUS_OK);
        CU_ASSERT_EQUAL(look.pays, slow || !limited);
        CU_ASSERT(look.found.core > (slow ? FEWER : MANY));
        CU_ASSERT(!look.pays || look.found.core <= (limited ? costs.core : MOST));
        look_free(&look);
    }
    graph_free(&g);
}

/* Makes an R-MAT graph of 2^bits vertices, both directions of every edge alike. */
static struct graph rmat(struct random *random, int bits, int32_t count) {
    struct edge *const edges = malloc(sizeof *edges * 2 * (size_t)count);
    for (int32_t k = 0; k < count; k++) {
        int32_t end[2] = {0, 0};
        for (int bit = 0; bit < bits; bit++) {
            const int32_t at = random_in(random, 0, 99); /* percent of the four quadrants */
            end[0] = 2 * end[0] + (at >= 76);
            end[1] = 2 * end[1] + (at >= 57 && at < 76) + (at >= 95);
        }
        edges[k] = (struct edge){end[0], end[1], 1};
    }
    const struct graph g = graph_of(1 << bits, edges, graph_append_reverses(edges, count));
    free(edges);
    return g;
}

/* The first two steps on an R-MAT graph eliminate so few vertices that chance decides which step
 * eliminates more. A look recognizes nearly all eliminations that pay nevertheless. */
static void test_few_in_steps(void) {
    enum { BITS = 13, EDGES = 13 << BITS, CORE = 3300, GRAPHS = 24, MISSED = 4 };
    struct random random = {17};
    struct core_costs costs = core_costs;
    int pay = 0;
    costs.core = CORE;
    for (int k = 0; k < GRAPHS && !skipped(); k++) {
        const struct look_limits limits = {
            .other_s = 0.08, .slowness = 1.0 / 17, .threads = 2, .only_features = true};
        struct graph g = rmat(&random, BITS, EDGES);
        struct look look;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &costs, &limits, &look, &err), STATUS_OK);
        pay += look.pays;
        look_free(&look);
        graph_free(&g);
    }
    CU_ASSERT(skipped() || pay >= GRAPHS - MISSED);
}

/* An order that takes next to nothing is found however wide the levels of a search are, as those of
 * many grids that begin at one vertex. Their separators are narrow. */
static void test_wide_levels(void) {
    enum { GRIDS = 70, SIDE = 48, EACH = SIDE * SIDE, N = GRIDS * EACH + 1 };
    struct edge *const edges = malloc(sizeof *edges * 2 * N);
    int64_t count = 0;
    for (int32_t v = 0; v < N - 1; v++) {
        const int32_t at = v % EACH;
        if (at % SIDE + 1 < SIDE)
            edges[count++] = (struct edge){v, v + 1, 1};
        if (at + SIDE < EACH)
            edges[count++] = (struct edge){v, v + SIDE, 1};
        if (at == 0)
            edges[count++] = (struct edge){N - 1, v, 1};
    }
    struct graph g = graph_of(N, edges, count);
    for (int slow = 0; slow <= 1 && !skipped(); slow++) {
        const struct look_limits limits = {
            .other_s = slow ? 40 : 0.01, .slowness = 1, .threads = 1 + slow};
        struct look look;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &core_costs, &limits, &look, &err), STATUS_OK);
        CU_ASSERT(look.found.width > 4 * SIDE);
        CU_ASSERT_EQUAL(look_is_whole(&look), slow);
        look_free(&look);
    }
    graph_free(&g);
    free(edges);
}

/* An order that was found by some costs is cut by others as if it had been found by these, and an
 * elimination takes it; a look without a whole order is of no use to it. */
static void test_look_again(void) {
    struct random random = {12};
    struct core_costs others = core_costs;
    others.elimination *= 1e3; /* a core is worth more */
    struct graph g = tree_like(&random, 600, 20, 50);
    for (int whole = 0; whole <= 1 && !skipped(); whole++) {
        const struct look_limits limits = {.other_s = whole ? HUGE_VAL : 1e-6,
                                           .slowness = 1,
                                           .threads = 2},
                                 all = {.other_s = HUGE_VAL, .slowness = 1, .threads = 2};
        struct look look, again, wanted;
        struct dissection d;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &core_costs, &limits, &look, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(look_at(&g, &others, &all, &wanted, &err), STATUS_OK);
        CU_ASSERT_EQUAL(look_is_whole(&look), whole);
        CU_ASSERT_NOT_EQUAL(look.tree.fringe, wanted.tree.fringe);
        if (whole) {
            CU_ASSERT_EQUAL_FATAL(look_again(&look, &others, 2, &again, &err), STATUS_OK);
            CU_ASSERT(again.pays && again.found.pays && again.pattern.first == NULL);
            CU_ASSERT_EQUAL(again.tree.fringe, wanted.tree.fringe);
            CU_ASSERT_EQUAL(again.found.core, g.n - again.tree.fringe);
            look_free(&again);
        }
        const struct dissection_options options = {.threads = 1,
                                                   .isa = ISA_PORTABLE,
                                                   .costs = &others,
                                                   .look = &look,
                                                   .other_costs = true,
                                                   .most = -1};
        CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &g, &options, NULL, &err), STATUS_OK);
        CU_ASSERT_EQUAL(d.looked_s, whole ? look.seconds : 0);
        CU_ASSERT_EQUAL(d.core.n, g.n - wanted.tree.fringe);
        dissection_free(&d);
        look_free(&look);
        look_free(&wanted);
    }
    graph_free(&g);
}

/* Distances among the core by its own graph. */
static struct matrix solve_core(const struct graph *core) {
    struct matrix among, unused;
    solve_reference(core, &among, &unused);
    matrix_free(&unused);
    return among;
}

/* Stores labels that it takes. */
struct storing {
    struct sweep_taker taker; /* the first member */
    int32_t *label;
    int lanes, taken;
};

static void store_labels(struct sweep_taker *self, const int32_t *label, int32_t count) {
    struct storing *const s = (struct storing *)self;
    memcpy(s->label + s->taken * s->lanes, label, sizeof *label * (size_t)(count * s->lanes));
    s->taken += count;
}

/* Strips of any sources are those of the reference, stored or passed on. */
static void check_sweeps(const struct graph *g, int32_t most, enum isa isa) {
    const struct dissection_options options = {.threads = 2, .isa = isa, .most = most};
    struct random random = {(uint64_t)most + 9};
    struct dissection d;
    struct dissection_workspace w;
    struct matrix among = {0};
    struct error err;
    int64_t *expected;
    CU_ASSERT_FATAL(reference_distances(g, &expected));
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, g, &options, NULL, &err), STATUS_OK);
    if (d.core.n > 0)
        among = solve_core(&d.core);
    CU_ASSERT_EQUAL_FATAL(dissection_finish(&d, d.core.n > 0 ? &among : NULL, &err), STATUS_OK);
    const uint64_t held = memory_held();
    CU_ASSERT_EQUAL_FATAL(dissection_workspace_alloc(&w, &d, &err), STATUS_OK);
    CU_ASSERT(memory_held() <= held + dissection_workspace_memory(g->n));
    const int lanes = dissection_lanes(&d);
    const size_t bytes = sizeof(int32_t) * (size_t)lanes * (size_t)g->n;
    int32_t *label = aligned_alloc(64, bytes), *again = aligned_alloc(64, bytes);
    memset(again, 0x5a, bytes);
    for (int round = 0; round < 4; round++) {
        const int count = round == 0 ? lanes : random_in(&random, 1, lanes);
        int32_t source[SWEEP_MAX_LANES];
        struct storing passed = {{store_labels}, again, lanes, 0};
        bool right = true;
        for (int k = 0; k < count; k++) /* neighbours in the tree, or any, also repeated */
            source[k] = round % 2 == 0 ? d.tree.vertex[k % g->n] : random_in(&random, 0, g->n - 1);
        dissection_strip(&w, source, count, label);
        dissection_pass(&w, source, count, &passed.taker);
        CU_ASSERT_EQUAL(passed.taken, g->n);
        CU_ASSERT_EQUAL(memcmp(again, label, bytes), 0);
        for (int k = 0; k < count; k++) {
            for (int32_t v = 0; v < g->n; v++) {
                const int64_t distance = expected[(size_t)source[k] * (size_t)g->n + (size_t)v];
                const bool finite = distance < INF;
                right = right && label[d.place[v] * lanes + k] == (finite ? distance : INF);
            }
        }
        CU_ASSERT(right);
    }
    free(label);
    free(again);
    free(expected);
    dissection_workspace_free(&w);
    matrix_free(&among);
    dissection_free(&d);
}

/* At every instruction set and with some cores. */
static void check_all_sweeps(const struct graph *g) {
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (int32_t most = 0; most <= g->n && isa_is_supported((enum isa)isa);
             most = most < 4 || most == g->n ? most + 1 : g->n)
            check_sweeps(g, most, (enum isa)isa);
    }
}

/* Checks graphs that are nearly trees, and random ones with weights of two kinds in turn. It checks
 * none if there are no orders. */
static void check_graphs(uint64_t seed, int rounds, const enum weights kind[2],
                         void (*check)(const struct graph *g)) {
    struct random random = {seed};
    for (int round = 0; round < rounds && !skipped(); round++) {
        struct graph g = round % 3 == 0 ? tree_like(&random, random_in(&random, 2, 600), 40, 50)
                                        : random_graph(&random, random_in(&random, 1, 120),
                                                       random_in(&random, 1, 10), kind[round % 2]);
        check(&g);
        graph_free(&g);
    }
}

static void test_sweeps(void) {
    check_graphs(6, 12, (const enum weights[]){WEIGHTS_ZERO, WEIGHTS_LARGE}, check_all_sweeps);
}

/* The variant with a core forced at every size, at any number of threads, as `sequential`. */
static void check_solve(const struct graph *g) {
    struct matrix expected, unused;
    struct error err;
    solve_reference(g, &expected, &unused);
    for (int32_t most = -1; most <= g->n; most = most < 5 || most == g->n ? most + 1 : g->n) {
        const struct solver_options options = {.threads = 1 + (most & 3)};
        struct matrix dist = new_matrix(g->n);
        struct matrix_task t;
        matrix_task_begin(&t, g, &options, &dist, NULL);
        struct dissection_report report;
        CU_ASSERT_EQUAL_FATAL(dissection_solve(&cpu_others, &t.task, most, &report, &err),
                              STATUS_OK);
        CU_ASSERT(same_matrix(&dist, &expected));
        CU_ASSERT(most < g->n || (report.core == 0 && report.entries <= (int64_t)g->n * g->n / 2));
        matrix_task_end(&t);
        matrix_free(&dist);
    }
    matrix_free(&expected);
    matrix_free(&unused);
}

static void test_solves(void) {
    check_graphs(7, 12, (const enum weights[]){WEIGHTS_POSITIVE, WEIGHTS_ZERO}, check_solve);
}

/* Distances are right with weights below 0, and a negative cycle is found if there is one: in the
 * fringe, in the core, and as a loop. */
static void check_negative(const struct graph *g) {
    int64_t *expected;
    const bool exist = reference_distances(g, &expected);
    struct error err;
    for (int32_t most = -1; most <= g->n; most = most < 4 || most == g->n ? most + 1 : g->n) {
        const struct solver_options options = {.threads = 1 + (most & 3)};
        struct matrix dist = new_matrix(g->n);
        struct matrix_task t;
        matrix_task_begin(&t, g, &options, &dist, NULL);
        struct dissection_report report;
        const enum status status = dissection_solve(&cpu_others, &t.task, most, &report, &err);
        CU_ASSERT_EQUAL(status, exist ? STATUS_OK : STATUS_NEGATIVE_CYCLE);
        CU_ASSERT(!exist || equals_reference(&dist, expected));
        matrix_task_end(&t);
        matrix_free(&dist);
    }
    free(expected);
}

static void test_negative(void) {
    struct random random = {9};
    int cycles = 0;
    for (int round = 0; round < 300 && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 14);
        struct edge edges[40];
        const int32_t count = random_in(&random, 0, 40);
        for (int32_t e = 0; e < count; e++)
            edges[e] = (struct edge){random_in(&random, 0, n - 1), random_in(&random, 0, n - 1),
                                     random_in(&random, round % 5 - 4, 9)};
        struct graph g = graph_of(n, edges, count);
        int64_t *expected;
        cycles += !reference_distances(&g, &expected);
        free(expected);
        check_negative(&g);
        graph_free(&g);
    }
    CU_ASSERT(skipped() || (cycles > 60 && cycles < 240));
    check_graphs(10, 12, (const enum weights[]){WEIGHTS_NEGATIVE, WEIGHTS_NEGATIVE},
                 check_negative);
}

/* Weights are taken below 0 up to a quarter of what lengths may be. */
static void test_what_is_taken(void) {
    const int32_t largest = (INF / 4 - 1) / 3;
    for (int32_t more = 0; more <= 1; more++) {
        const struct edge edges[] = {{0, 1, -largest - more}, {1, 2, -largest}, {2, 0, 3}};
        struct graph g = graph_of(3, edges, 2);
        CU_ASSERT_EQUAL(eliminate_takes(&g), more == 0);
        if (more == 0)
            check_negative(&g);
        graph_free(&g);
    }
}

/* The costs leave no core of a tree, a small one of what is nearly a tree, and of a dense graph
 * everything. */
static void test_choice(void) {
    struct random random = {8};
    const struct {
        struct graph g;
        int32_t least, most;
    } cases[] = {
        {tree_like(&random, 2 * block_sizes.order_cluster, 20, 0), 0, 0}, /* no clusters */
        {tree_like(&random, 2000, 20, 50), 0, 200},
        {random_graph(&random, 400, 40, WEIGHTS_POSITIVE), 400, 400},
    };
    for (int k = 0; k < 3; k++) {
        const struct dissection_options options = {
            .threads = 1, .isa = ISA_PORTABLE, .costs = &core_costs, .most = -1};
        struct graph g = cases[k].g;
        struct dissection d;
        struct error err;
        if (!skipped()) {
            CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, &g, &options, NULL, &err), STATUS_OK);
            const int32_t core = d.pays ? d.core.n : g.n;
            CU_ASSERT(core >= cases[k].least && core <= cases[k].most);
            dissection_free(&d);
        }
        graph_free(&g);
    }
}

CU_TestInfo dissection_tests[] = {
    {"patterns", test_patterns},
    {"all graphs on 5 vertices, cut everywhere", test_all_small_graphs},
    {"random graphs, cut everywhere", test_random_graphs},
    {"more than a piece, several threads", test_pieces},
    {"pieces that wait", test_waiting_pieces},
    {"groups of positions", test_groups},
    {"lengths that do not fit", test_large_lengths},
    {"orders", test_order},
    {"minimum degree", test_minimum_degree},
    {"blocks of an order", test_blocks},
    {"vertices with many neighbours", test_hub},
    {"a ring's tree is low", test_ring},
    {"what a look finds", test_look},
    {"a look in a hurry", test_quick_look},
    {"steps of an elimination that leaves a core", test_steps},
    {"few vertices in a step", test_few_in_steps},
    {"levels wider than separators", test_wide_levels},
    {"an order that is cut by other costs", test_look_again},
    {"sweeps on every instruction set", test_sweeps},
    {"cores of every size", test_solves},
    {"weights below 0, and negative cycles", test_negative},
    {"which weights below 0 are taken", test_what_is_taken},
    {"whether there is a core", test_choice},
    CU_TEST_INFO_NULL,
};
