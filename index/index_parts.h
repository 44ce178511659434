// SPDX-License-Identifier: MIT
/* Functions that building, opening, querying and checking an index (index.h) share. */
#ifndef INDEX_INDEX_PARTS_H
#define INDEX_INDEX_PARTS_H

#include "common/base/isa.h"    // enum isa
#include "common/base/memory.h" // memory_add
#include "index/index_cells.h"  // struct index_made
#include "index/index_label.h"  // INDEX_PAD

/* Sets the pointers of *x to the sections, which lie in `image` as the header says. */
void index_place_sections(struct distance_index *x, const struct index_header *header,
                          const void *image, enum isa isa);

/* The first function returns the bytes of a section, by the numbers of the header; of INDEX_NAMES,
 * by the section's own size; UINT64_MAX if the numbers make no sense. The second returns whether an
 * index may lack the section. */
uint64_t index_section_bytes(const struct index_header *h, int section);
bool index_section_may_lack(const struct index_header *h, int section);

/* Returns the number of zeros with which a section of labels begins: the differences of labels that
 * are rows. */
static inline uint64_t index_label_zeros(const struct index_header *h) {
    return h->cell == sizeof(int32_t) ? h->height : 0;
}

/* Returns the bytes of a cell in a section of labels. */
static inline uint64_t index_label_cell(const struct index_header *h) {
    return h->cell == sizeof(int32_t) ? sizeof(uint16_t) : sizeof(double);
}

/* Returns bytes, rounded up to where a section may begin. */
static inline uint64_t index_section_end(uint64_t bytes) {
    return memory_add(bytes, 63) / 64 * 64;
}

/* Returns where the labels in begin, behind the labels out. */
static inline void *index_labels_after(const struct index_header *h, void *labels,
                                       const struct index_made *made) {
    return (char *)labels + index_section_end((made->cells[0] + INDEX_PAD) * index_label_cell(h));
}

/* Returns the bytes of the bits of entries of one direction. */
static inline uint64_t index_edge_bytes(const struct index_header *h) {
    return h->entries / 8 + (h->entries % 8 != 0);
}

/* Number of steps in which progress is reported: the order, the elimination, entries, labels, and
 * the rest. */
enum { INDEX_STEPS = 5 };

/* Returns the bytes of a cell for a graph's distances. */
uint32_t index_cell(const struct graph *g);

/* Finds the names in the sections of *x: STATUS_BAD_INPUT if they do not fit its vertices. */
enum status index_find_names(struct distance_index *x, struct error *err);

/* Sets *cells to the graph whose lengths (edge_length) are cells of `cell` bytes: g itself, or a
 * new graph in numbers of spacings. The new graph is *made, which the caller frees with
 * graph_free. */
enum status index_cells_graph(const struct graph *g, uint32_t cell, struct graph *made,
                              const struct graph **cells, struct error *err);

/* Properties of a graph that the header states: whether every edge has a reverse edge of its
 * weight; header.largest, which leaves room for sums of INF and a length below 0; header.loops. */
bool index_is_symmetric(const struct graph *g, int threads);
static inline int32_t index_largest(const struct graph *g) {
    return g->min_weight < 0 ? INF / 2 : INF - 1;
}
static inline bool index_has_loops(const struct graph *g) {
    return g->min_weight <= 0;
}

/* Finds the branches of the tree: sets `branch` and `ascending` of every vertex, and head[0 .. n].
 * order[k] is vertex k of a preorder; vertex[v].labels is its depth + 1, at most one more than that
 * of the vertex before it.
 *
 * The number of a vertex's branch is, among the numbers from 1 + its place in the preorder to 1 +
 * the last place of its subtree, the one that ends in the most zero bits. A branch is a path down
 * the tree. In `ascending`, the lowest bit that is set in the branch's number stands for the
 * branch. (Schieber and Vishkin 1988.) STATUS_NO_RESOURCE if there is no memory. */
enum status index_find_branches(const int32_t *order, int32_t n, struct index_vertex *vertex,
                                uint32_t *head, struct error *err);

static inline int index_highest_bit(uint32_t bits) {
    return 31 - __builtin_clz(bits);
}

/* Returns the depth of the lowest ancestor of a vertex, itself included, on branch `branch` of the
 * tree. bit: position of the lowest bit that is set in the branch's number. UINT32_MAX: the index
 * is damaged. */
static inline uint32_t index_depth_on(const struct distance_index *x, const struct index_vertex *v,
                                      uint32_t branch, int bit) {
    if (v->branch == branch)
        return v->labels - 1;
    const uint32_t below = v->ascending & ((UINT32_C(1) << bit) - 1);
    if (below == 0)
        return UINT32_MAX;
    const int next = index_highest_bit(below);
    const uint32_t number = (uint32_t)(((uint64_t)v->branch >> next | 1) << next);
    if (number > (uint32_t)x->header.vertices)
        return UINT32_MAX;
    return x->head[number] - 1; /* depth of the parent of the branch's first vertex */
}

static inline uint32_t index_lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Returns the number of ancestors that two vertices have in common, themselves included. It is at
 * most the length of either label, even in a damaged index. */
static inline uint32_t index_common(const struct distance_index *x, const struct index_vertex *a,
                                    const struct index_vertex *b) {
    const uint32_t most = index_lesser(a->labels, b->labels);
    if (a->branch == b->branch)
        return most;
    int low = index_highest_bit(a->branch ^ b->branch);
    if (a->branch == 0 || b->branch == 0)
        return 0; /* damaged index */
    const int a_bit = __builtin_ctz(a->branch), b_bit = __builtin_ctz(b->branch);
    low = a_bit > low ? a_bit : low;
    low = b_bit > low ? b_bit : low;
    const uint32_t shared = (a->ascending & b->ascending) >> low << low;
    if (shared == 0)
        return 0; /* the vertices are in different trees */
    const int bit = __builtin_ctz(shared);
    const uint32_t branch = (uint32_t)(((uint64_t)a->branch >> bit | 1) << bit);
    const uint32_t depth =
        index_lesser(index_depth_on(x, a, branch, bit), index_depth_on(x, b, branch, bit));
    return depth < most ? depth + 1 : 0;
}

/* Fails with STATUS_BAD_INPUT: distances of a graph of integers may not fit. */
enum status index_beyond_range(const struct graph *g, struct error *err);

/* Returns whether the entries of a vertex lie inside their section. */
static inline bool index_has_entries(const struct distance_index *x, const struct index_vertex *v) {
    return index_first_entry(v) + index_entry_count(v) <= x->header.entries;
}

/* Returns whether v is the number of a vertex. */
static inline bool index_has_vertex(const struct distance_index *x, int32_t v) {
    return v >= 0 && v < x->header.vertices;
}

/* Returns the higher neighbour of an entry. */
static inline int32_t index_entry_to(const struct distance_index *x, int direction,
                                     const struct index_entry *entry) {
    return x->higher[entry - x->entry[direction]];
}

/* Returns the real distance for the value of a cell, a number of spacings; infinite for
 * LENGTH_INF. */
static inline double index_real(const struct distance_index *x, path_length cells) {
    return cells < LENGTH_INF ? (double)cells * x->header.spacing : (double)__builtin_inf();
}

#define index_find_entry BY_LENGTH(index_find_entry)
#define index_next_up    BY_LENGTH(index_next_up)
#define index_expand     BY_LENGTH(index_expand)

/* Stores the first `count` cells of a vertex's label, which lies inside its section, in `to`, which
 * has room for INDEX_PAD cells more. */
void index_expand(const struct distance_index *x, int direction, const struct index_vertex *v,
                  uint32_t count, path_length *to);

/* Returns the entry of a vertex that leads to a higher neighbour; NULL: there is none. direction: 0
 * out, 1 in. */
const struct index_entry *index_find_entry(const struct distance_index *x, int32_t lower,
                                           int direction, int32_t to);

/* Returns an entry of vertex `at` by which its label has the distance to (out) or from (in) its
 * ancestor at depth `depth`: among several, the one to the highest neighbour. NULL: there is
 * none. */
const struct index_entry *index_next_up(const struct distance_index *x, int32_t at, int direction,
                                        uint32_t depth);

/* Fails with STATUS_BAD_INPUT: a query has found what no undamaged index has. */
enum status index_damaged(struct error *err);

#endif
