// SPDX-License-Identifier: MIT
/* Pieces: what is said of them, place by place; and that the top's edges and the pieces' entries
 * together have the graph's distances. */
#include "elimination/dissection.h"
#include "elimination/order.h" // order_is_available
#include "elimination/pieces.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

/* Where the piece's number `number` is. */
static int32_t place_of(const struct pieces *p, const struct piece *piece, int32_t number) {
    return number < piece->own ? piece->place + number
                               : p->boundary[piece->boundary + number - piece->own];
}

/* Every place belongs to the top or to one piece, and sizes are in their limits. */
static void check_owners(const struct pieces *p, const struct tree *tree,
                         const struct pieces_options *sizes) {
    int32_t *owner = malloc(sizeof *owner * (size_t)p->n);
    int32_t middle = 0;
    for (int32_t place = 0; place < p->n; place++)
        owner[place] = -1;
    for (int32_t k = 0; k < p->count; k++) {
        const struct piece *const piece = &p->piece[k];
        CU_ASSERT(piece->own > 0 && piece->high - piece->low <= sizes->middle);
        CU_ASSERT(k >= p->leaves ||
                  (piece->own == piece->high - piece->low && piece->own <= sizes->leaf));
        CU_ASSERT(k < p->leaves || (piece->high - piece->low > sizes->leaf && piece->above == -1));
        middle += k >= p->leaves ? piece->own : 0;
        for (int32_t i = 0; i < piece->own; i++) {
            CU_ASSERT(piece->place + i >= p->top && owner[piece->place + i] == -1);
            owner[piece->place + i] = k;
        }
        for (int32_t at = piece->low; at < piece->high; at++)
            CU_ASSERT_EQUAL(p->outermost[at], piece->above >= 0 ? piece->above : k);
        for (int32_t b = 0; b < piece->width; b++)
            CU_ASSERT(p->boundary[piece->boundary + b] < p->top + p->middle);
    }
    CU_ASSERT_EQUAL(middle, p->middle);
    for (int32_t at = 0; at < p->n; at++) {
        const int32_t place = p->place[at], k = owner[place];
        CU_ASSERT(p->vertex[place] == tree->vertex[at] && p->position[place] == at);
        CU_ASSERT((k < 0) == (place < p->top) && (k < 0) == (p->outermost[at] < 0));
        CU_ASSERT(k < 0 || (at >= p->piece[k].low && at < p->piece[k].high));
    }
    free(owner);
}

/* A leaf piece knows its boundary in the piece above; no edge leaves a subtree but to its
 * boundary. */
static void check_boundaries(const struct pieces *p, const struct graph *g,
                             const struct tree *tree) {
    for (int32_t k = 0; k < p->count; k++) {
        const struct piece *const piece = &p->piece[k];
        for (int32_t b = 0; b < piece->width; b++) {
            const int32_t inner = p->inner[piece->boundary + b];
            CU_ASSERT_EQUAL(inner < 0, piece->above < 0);
            CU_ASSERT(inner < 0 || place_of(p, &p->piece[piece->above], inner) ==
                                       p->boundary[piece->boundary + b]);
        }
        for (int32_t at = piece->low; at < piece->high; at++) {
            const int32_t u = tree->vertex[at];
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int32_t to = tree->position[g->head[e]];
                bool found = to >= piece->low && to < piece->high;
                for (int32_t b = 0; b < piece->width; b++)
                    found |= p->boundary[piece->boundary + b] == p->place[to];
                CU_ASSERT(found);
            }
        }
    }
}

/* The edges of the top and the entries of all pieces, between vertices. */
static struct graph all_edges(const struct pieces *p, const struct graph *top) {
    struct edge *edges = malloc(sizeof *edges * (size_t)(top->m + 2 * p->entries + 1));
    int64_t count = 0;
    for (int32_t u = 0; u < top->n; u++) {
        for (int64_t e = top->first[u]; e < top->first[u + 1]; e++)
            edges[count++] = (struct edge){p->vertex[u], p->vertex[top->head[e]], top->weight[e]};
    }
    for (int32_t k = 0; k < p->count; k++) {
        const struct piece *const piece = &p->piece[k];
        for (int64_t e = piece->entry; e < piece->entry + piece->entries; e++) {
            const struct piece_entry *const entry = &p->entry[e];
            const int32_t from = p->vertex[place_of(p, piece, entry->from)];
            const int32_t to = p->vertex[place_of(p, piece, entry->to)];
            CU_ASSERT(entry->from < entry->to && entry->from < piece->own &&
                      (e == piece->entry || entry[-1].from <= entry->from));
            if (entry->up < INF)
                edges[count++] = (struct edge){from, to, entry->up};
            if (entry->down < INF)
                edges[count++] = (struct edge){to, from, entry->down};
        }
    }
    struct graph g = graph_of(p->n, edges, count);
    free(edges);
    return g;
}

static bool equal(const void *a, const void *b, int64_t count, size_t size) {
    return memcmp(a, b, (size_t)count * size) == 0;
}

/* The pieces, and the top, are the same on any number of threads. */
static void check_threads(const struct tree *tree, const struct structure *structure,
                          const struct lengths *lengths, const struct pieces_options *sizes,
                          const struct pieces *p, const struct pieces_top *top) {
    static const int threads[] = {2, 3, 16};
    for (int t = 0; t < (int)(sizeof threads / sizeof *threads); t++) {
        struct pieces q;
        struct pieces_top same = {0};
        struct error err;
        CU_ASSERT_EQUAL_FATAL(pieces_find(tree, structure, lengths, sizes, threads[t], &q, &err),
                              STATUS_OK);
        CU_ASSERT_FATAL(q.top == p->top && q.middle == p->middle && q.leaves == p->leaves &&
                        q.count == p->count && q.boundaries == p->boundaries &&
                        q.entries == p->entries);
        CU_ASSERT(equal(q.place, p->place, p->n, sizeof *p->place) &&
                  equal(q.vertex, p->vertex, p->n, sizeof *p->vertex) &&
                  equal(q.position, p->position, p->n, sizeof *p->position) &&
                  equal(q.outermost, p->outermost, p->n, sizeof *p->outermost) &&
                  equal(q.piece, p->piece, p->count, sizeof *p->piece) &&
                  equal(q.boundary, p->boundary, p->boundaries, sizeof *p->boundary) &&
                  equal(q.inner, p->inner, p->boundaries, sizeof *p->inner) &&
                  equal(q.entry, p->entry, p->entries, sizeof *p->entry));
        if (p->top > 0) {
            CU_ASSERT_EQUAL_FATAL(
                pieces_top_find(tree, structure, lengths, &q, threads[t], &same, &err), STATUS_OK);
            const int64_t entries = top->structure.first[p->top];
            CU_ASSERT(
                same.tree.fringe == top->tree.fringe && same.tree.entries == top->tree.entries &&
                equal(same.tree.parent, top->tree.parent, p->top, sizeof(int32_t)) &&
                equal(same.structure.first, top->structure.first, p->top + 1, sizeof(int64_t)) &&
                equal(same.structure.higher, top->structure.higher, entries, sizeof(int32_t)) &&
                equal(same.lengths.up, top->lengths.up, entries, sizeof(path_length)) &&
                equal(same.lengths.down, top->lengths.down, entries, sizeof(path_length)));
        }
        pieces_top_free(&same);
        pieces_free(&q);
    }
}

/* The top is checked as a graph of its own, and its top in turn. */
static void check_pieces(const struct tree *tree, const struct structure *structure,
                         const struct lengths *lengths, const struct graph *g,
                         const struct pieces_options *sizes) {
    struct graph top_graph = {0};
    struct pieces_top top = {0};
    struct pieces p;
    struct error err;
    int64_t *distances;
    CU_ASSERT_EQUAL_FATAL(pieces_find(tree, structure, lengths, sizes, 1, &p, &err), STATUS_OK);
    CU_ASSERT(p.top >= tree->n - tree->fringe);
    check_owners(&p, tree, sizes);
    check_boundaries(&p, g, tree);
    if (p.top > 0) {
        CU_ASSERT_EQUAL_FATAL(pieces_top_find(tree, structure, lengths, &p, 1, &top, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL(top.tree.n - top.tree.fringe, tree->n - tree->fringe);
        CU_ASSERT_EQUAL_FATAL(pieces_top_graph(&top, &top_graph, &err), STATUS_OK);
    }
    check_threads(tree, structure, lengths, sizes, &p, &top);
    struct graph whole = all_edges(&p, &top_graph);
    struct matrix dist, pred;
    solve_reference(&whole, &dist, &pred);
    CU_ASSERT_FATAL(reference_distances(g, &distances));
    CU_ASSERT(equals_reference(&dist, distances));
    if (p.top > 0 && p.top < p.n)
        check_pieces(&top.tree, &top.structure, &top.lengths, &top_graph, sizes);
    free(distances);
    matrix_free(&dist);
    matrix_free(&pred);
    graph_free(&whole);
    graph_free(&top_graph);
    pieces_top_free(&top);
    pieces_free(&p);
}

static void check(const struct graph *g, int32_t most, int32_t leaf, int32_t middle) {
    const struct dissection_options options = {.threads = 1, .isa = ISA_PORTABLE, .most = most};
    const struct pieces_options sizes = {leaf, middle};
    struct dissection d;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&d, g, &options, NULL, &err), STATUS_OK);
    check_pieces(&d.tree, &d.structure, &d.lengths, g, &sizes);
    dissection_free(&d);
}

/* Every kind of piece: leaves alone, under middle pieces, under the top; no top; only a top. */
static void test_pieces(void) {
    static const int32_t sizes[][2] = {{1, 1}, {1, 6}, {4, 4}, {3, 12}, {8, 30}, {20, 1000}};
    struct random random = {31};
    for (int round = 0; round < 24 && !skipped(); round++) {
        const int32_t n = round == 0 ? 1 : random_in(&random, 2, 70);
        struct graph g = random_graph(&random, n, n < 20 ? 12 : random_in(&random, 1, 5),
                                      round % 3 == 0 ? WEIGHTS_ZERO : WEIGHTS_POSITIVE);
        for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
            check(&g, round % 2 == 0 ? n : random_in(&random, 0, 6), sizes[k][0], sizes[k][1]);
        graph_free(&g);
    }
}

CU_TestInfo pieces_tests[] = {
    {"pieces of the elimination tree", test_pieces},
    CU_TEST_INFO_NULL,
};
