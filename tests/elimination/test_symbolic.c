// SPDX-License-Identifier: MIT
/* Trees and structures by any number of threads, with and without runs of the order, are those of
 * one thread, which tests/dissection compares with elimination by its definition. */
#include "elimination/symbolic.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

/* The component of a vertex, by the links of components to others that they are joined to. */
static int32_t component_of(int32_t *link, int32_t v) {
    while (link[v] != v)
        v = link[v] = link[link[v]];
    return v;
}

/* Up to `parts` runs in each of `layers` layers, of about as many vertices, and an empty layer
 * before the last; the order becomes an equivalent one: in each layer what later vertices part. To
 * free. */
static struct order_runs runs_of(const struct pattern *p, int32_t *vertex, int32_t layers,
                                 int32_t parts) {
    const int32_t n = p->n;
    struct order_runs r = {layers + 1, malloc(sizeof(int32_t) * (size_t)(layers + 2)),
                           malloc(sizeof(int32_t) * (size_t)(n + 1))};
    int32_t *link = malloc(sizeof *link * (size_t)n), *own = malloc(sizeof *own * (size_t)n);
    bool *is_in = calloc((size_t)n, sizeof *is_in);
    int32_t runs = 0;
    for (int32_t v = 0; v < n; v++)
        link[v] = v;
    for (int32_t l = 0; l < layers; l++) {
        const int32_t low = (int32_t)((int64_t)n * l / layers);
        const int32_t high = (int32_t)((int64_t)n * (l + 1) / layers);
        int32_t placed = low;
        r.layer[l] = runs;
        for (int32_t at = low; at < high; at++) {
            is_in[vertex[at]] = true;
            for (int64_t e = p->first[vertex[at]]; e < p->first[vertex[at] + 1]; e++) {
                if (is_in[p->neighbour[e]])
                    link[component_of(link, vertex[at])] = component_of(link, p->neighbour[e]);
            }
        }
        memcpy(own + low, vertex + low, sizeof *own * (size_t)(high - low));
        for (int32_t part = 0; part < parts; part++) {
            const int32_t first = placed;
            for (int32_t at = low; at < high; at++) {
                if (component_of(link, own[at]) % parts == part)
                    vertex[placed++] = own[at];
            }
            if (placed > first)
                r.first[runs++] = first;
        }
    }
    r.layer[layers] = r.layer[layers - 1];
    r.layer[layers + 1] = runs;
    r.first[runs] = n;
    free(link);
    free(own);
    free(is_in);
    return r;
}

static void runs_free(struct order_runs *r) {
    free(r->layer);
    free(r->first);
}

/* Runs of a layer are not joined in what is left when the layers before are eliminated. */
static void check_runs(const struct pattern *p, const int32_t *vertex, const struct order_runs *r) {
    const int32_t n = p->n;
    bool *joined = calloc((size_t)n * (size_t)n, sizeof *joined), right = true;
    int32_t *position = malloc(sizeof *position * (size_t)n), gone = 0;
    for (int32_t at = 0; at < n; at++)
        position[vertex[at]] = at;
    for (int32_t v = 0; v < n; v++) {
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            joined[position[v] * n + position[p->neighbour[e]]] = true;
    }
    CU_ASSERT_FATAL(r->layer[0] == 0 && r->first[0] == 0 && r->first[r->layer[r->layers]] == n);
    for (int32_t l = 0; l < r->layers; l++) {
        for (; gone < r->first[r->layer[l]]; gone++) {
            for (int32_t i = gone + 1; i < n; i++) {
                for (int32_t j = gone + 1; j < n && joined[gone * n + i]; j++)
                    joined[i * n + j] |= joined[gone * n + j];
            }
        }
        for (int32_t run = r->layer[l]; run < r->layer[l + 1]; run++) {
            right = right && r->first[run] < r->first[run + 1];
            for (int32_t i = r->first[run]; i < r->first[run + 1]; i++) {
                for (int32_t j = r->first[run + 1]; j < r->first[r->layer[l + 1]]; j++)
                    right = right && !joined[i * n + j];
            }
        }
    }
    CU_ASSERT(right);
    free(joined);
    free(position);
}

struct found {
    struct tree tree;
    struct structure structure;
};

/* most: where the tree is cut; n: nowhere. */
static struct found find(const struct pattern *p, const int32_t *vertex,
                         const struct order_runs *runs, int threads, int32_t most) {
    struct found f;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(tree_build(p, vertex, runs, threads, &f.tree, &err), STATUS_OK);
    if (most < p->n)
        CU_ASSERT_EQUAL_FATAL(tree_cut(&f.tree, most, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(structure_find(p, &f.tree, threads, &f.structure, &err), STATUS_OK);
    return f;
}

static void found_free(struct found *f) {
    structure_free(&f->structure);
    tree_free(&f->tree);
}

static bool same_numbers(const int32_t *a, const int32_t *b, int64_t count) {
    return memcmp(a, b, sizeof *a * (size_t)count) == 0;
}

static bool same(const struct found *a, const struct found *b) {
    const struct tree *t = &a->tree, *u = &b->tree;
    const struct structure *s = &a->structure, *r = &b->structure;
    const int32_t n = t->n;
    return u->n == n && t->fringe == u->fringe && t->height == u->height &&
           t->entries == u->entries && same_numbers(t->vertex, u->vertex, n) &&
           same_numbers(t->position, u->position, n) && same_numbers(t->parent, u->parent, n) &&
           same_numbers(t->count, u->count, n) && same_numbers(t->depth, u->depth, n) &&
           memcmp(s->first, r->first, sizeof *s->first * (size_t)(n + 1)) == 0 &&
           same_numbers(s->higher, r->higher, s->first[n]);
}

/* Makes the order the postorder of its tree, in which a subtree's vertices follow one another. */
static void make_postorder(const struct graph *g, int32_t *vertex) {
    struct pattern p;
    struct tree tree;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(g, 1, &p, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tree_build(&p, vertex, NULL, 1, &tree, &err), STATUS_OK);
    memcpy(vertex, tree.vertex, (size_t)g->n * sizeof *vertex);
    tree_free(&tree);
    pattern_free(&p);
}

/* Threads choose the same cut, wherever costs of a core put it. */
static void check_choice(const struct tree *tree) {
    struct core_costs costs = core_costs;
    costs.entries = INT64_MAX;
    costs.core = tree->n;
    for (costs.pair = 1e-6; costs.pair < 1e6; costs.pair *= 10) {
        struct tree_choice one, other;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(tree_choose_cut(tree, &costs, tree->n, 1, &one, &err), STATUS_OK);
        for (int threads = 2; threads < 7; threads += 2) {
            CU_ASSERT_EQUAL_FATAL(tree_choose_cut(tree, &costs, tree->n, threads, &other, &err),
                                  STATUS_OK);
            CU_ASSERT(one.most == other.most && one.fringe == other.fringe &&
                      one.entries == other.entries && one.ns == other.ns);
        }
    }
}

/* The order becomes an equivalent one. */
static void check_threads(const struct graph *g, int32_t *vertex, int32_t layers, int32_t parts) {
    static const int threads[] = {1, 2, 3, 16};
    const int32_t cuts[] = {g->n, 2, 5};
    struct pattern p;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(pattern_find(g, 2, &p, &err), STATUS_OK);
    struct order_runs runs = runs_of(&p, vertex, layers, parts);
    if (g->n <= 100)
        check_runs(&p, vertex, &runs);
    for (int c = 0; c < 3; c++) {
        struct found expected = find(&p, vertex, NULL, 1, cuts[c]);
        if (c == 0)
            check_choice(&expected.tree);
        for (int k = 0; k < 8; k++) {
            if (k >= 6 && c > 0) /* more threads than cores take long */
                continue;
            struct found f = find(&p, vertex, k % 2 == 0 ? NULL : &runs, threads[k / 2], cuts[c]);
            CU_ASSERT(same(&f, &expected));
            found_free(&f);
        }
        found_free(&expected);
    }
    runs_free(&runs);
    pattern_free(&p);
}

static int32_t *order_of(struct random *random, int32_t n) {
    int32_t *order = malloc(sizeof *order * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        const int32_t other = random != NULL ? random_in(random, 0, k) : k;
        order[k] = order[other];
        order[other] = k;
    }
    return order;
}

static void test_random(void) {
    struct random random = {41};
    for (int round = 0; round < 60; round++) {
        const int32_t n = round < 3 ? round : random_in(&random, 3, 90);
        struct graph g = random_graph(&random, n, random_in(&random, 0, 8), WEIGHTS_POSITIVE);
        int32_t *order = order_of(&random, n);
        check_threads(&g, order, random_in(&random, 1, 4), random_in(&random, 1, 7));
        make_postorder(&g, order);
        check_threads(&g, order, 1, 1);
        free(order);
        graph_free(&g);
    }
}

enum { MOST_VERTICES = 400 };

/* Kinds of graphs with something of its own for a tree: edges from v to vertices before it. */
static int32_t path(int32_t v, int32_t *to) {
    to[0] = v - 1;
    return 1;
}

static int32_t star(int32_t v, int32_t *to) {
    (void)v;
    to[0] = 0;
    return 1;
}

/* A centre of arms, and each vertex of an arm has a leaf. */
static int32_t combs(int32_t v, int32_t *to) {
    to[0] = v % 2 == 0 ? v - 1 : v % 40 == 1 ? 0 : v - 2;
    return 1;
}

static int32_t grid(int32_t v, int32_t *to) {
    enum { SIDE = 20 };
    to[0] = v % SIDE > 0 ? v - 1 : v - SIDE;
    to[1] = v >= SIDE ? v - SIDE : v - 1;
    return 2;
}

/* Components: cycles of 1 to 7 vertices with their chords to the first. */
static int32_t wheels(int32_t v, int32_t *to) {
    to[0] = v - 1;
    to[1] = v - v % 7;
    return v % 7 == 0 ? 0 : 2;
}

/* All have a few neighbours in common: lists of many children. */
static int32_t hubs(int32_t v, int32_t *to) {
    enum { HUBS = 12 };
    int32_t count = 0;
    for (int32_t k = 0; k < 3 && v >= HUBS; k++)
        to[count++] = (v * (k + 1) + v / 7) % HUBS;
    return count;
}

static void test_kinds(void) {
    static int32_t (*const kinds[])(int32_t, int32_t *) = {path, star, combs, grid, wheels, hubs};
    struct random random = {42};
    for (int k = 0; k < 6; k++) {
        static struct edge edges[3 * MOST_VERTICES];
        int64_t count = 0;
        for (int32_t v = 1; v < MOST_VERTICES; v++) {
            int32_t to[3];
            for (int32_t e = kinds[k](v, to); e > 0; e--)
                edges[count++] = (struct edge){v, to[e - 1], 1};
        }
        struct graph g = graph_of(MOST_VERTICES, edges, count);
        for (int way = 0; way < 3; way++) { /* ascending, descending, any */
            int32_t *order = order_of(way == 2 ? &random : NULL, g.n);
            for (int32_t at = 0; at < g.n && way == 1; at++)
                order[at] = g.n - 1 - at;
            check_threads(&g, order, 1 + k % 3, 9);
            check_threads(&g, order, 3, 5);
            make_postorder(&g, order);
            check_threads(&g, order, 1, 1);
            free(order);
        }
        graph_free(&g);
    }
}

CU_TestInfo symbolic_tests[] = {
    {"any number of threads, random graphs", test_random},
    {"any number of threads, graphs of several kinds", test_kinds},
    CU_TEST_INFO_NULL,
};
