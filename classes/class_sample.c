// SPDX-License-Identifier: MIT
#include "classes/class_sample.h"

#include "common/base/memory.h"     // memory_alloc
#include "common/base/splitmix64.h" // splitmix64_mix
#include "solve/dijkstra.h"         // dijkstra_search_edges

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGIONS = 5,    /* most regions of a sample */
    BALL = 2500,    /* number of vertices around a region that are searched */
    LARGEST = 2048, /* most positions of a region of the sample */
    NARROWEST = 3,  /* fewest vertices of the boundary of a region of the sample */
    WIDEST = 64,    /* most vertices of that boundary */
    SEARCHES = 16,  /* most searches from a boundary, from vertices that are evenly spread */
};

const double class_typical_share = 0.5;

/* The constant and the powers are fitted to road networks, nearest neighbours, random points and
 * grids of 50 000 to 436 000 vertices; they predict classes within a factor of 1.8. */
double class_count(double outside, double width, double size) {
    const double scale = 2.1, power = 0.5, width_power = 0.4, size_power = 0.23;
    if (width < 2)
        return width;
    return fmin(outside,
                scale * pow(outside, power) * pow(width - 1, width_power) * pow(size, size_power));
}

enum {
    PLACES = LARGEST + WIDEST + BALL, /* most vertices of a list */
    SLOT_BITS = 14,                   /* logarithm of SLOTS to the base 2 */
    SLOTS = 1 << SLOT_BITS,           /* slots of the hash table, more than twice PLACES */
};

/* State of sampling. A place is an index in `list`. */
struct sampling {
    const struct graph *g;
    int32_t slot[SLOTS];  /* hash table by vertex: the vertex's place; -1: the slot is empty */
    int32_t list[PLACES]; /* vertex at each place: those of the region come first, then those of its
                             boundary, then those around both */
    int32_t count;        /* number of vertices in the list */
    int32_t size, width;  /* number of vertices of the region, and of its boundary */
    int32_t searches;     /* number of searches from the boundary */
    int64_t first[PLACES + 1]; /* edges between vertices of the list, as in struct graph */
    int32_t *head;             /* place to which each of these edges leads */
    double *weight;            /* weight of each of these edges */
    void *edges;               /* memory of head and weight */
    double from[PLACES], nearest[PLACES]; /* distances of places from a vertex of the boundary, and
                                             from the first of these */
    uint64_t row[PLACES]; /* by place: hash of the differences between its distances from vertices
                             of the boundary; 0: some search did not reach the place */
    struct dijkstra queue;
};

/* Returns the slot that holds the place of a vertex, or an empty one where it may be stored. */
static int32_t *slot_of(struct sampling *s, int32_t v) {
    uint32_t at = (uint32_t)(splitmix64_mix((uint64_t)v) >> (64 - SLOT_BITS));
    while (s->slot[at] >= 0 && s->list[s->slot[at]] != v)
        at = (at + 1) % SLOTS;
    return &s->slot[at];
}

/* Adds a vertex to the list, unless it is there. */
static void add(struct sampling *s, int32_t v) {
    int32_t *const slot = slot_of(s, v);
    if (*slot >= 0)
        return;
    *slot = s->count;
    s->list[s->count++] = v;
}

/* Adds the neighbours of list[from .. to - 1] to the list, as long as it has fewer than `most`
 * vertices. */
static void add_neighbours(struct sampling *s, int32_t from, int32_t to, int32_t most) {
    for (int32_t k = from; k < to; k++) {
        const int32_t v = s->list[k];
        for (int64_t e = s->g->first[v]; e < s->g->first[v + 1] && s->count < most; e++)
            add(s, s->g->head[e]);
    }
}

/* Fills the list with the region of positions low .. high - 1, its boundary, and vertices around
 * both. */
static void surround(struct sampling *s, const struct tree *tree, int32_t low, int32_t high) {
    memset(s->slot, -1, sizeof s->slot);
    s->count = 0;
    for (int32_t at = low; at < high; at++)
        add(s, tree->vertex[at]);
    s->size = s->count;
    add_neighbours(s, 0, s->size, s->size + WIDEST);
    s->width = s->count - s->size;
    const int32_t most = s->count + BALL;
    for (int32_t from = s->size, to = s->count; from < to; to = s->count) {
        add_neighbours(s, from, to, most);
        from = to;
    }
}

/* Finds the edges between the vertices of the list. */
static enum status find_edges(struct sampling *s, struct error *err) {
    const struct graph *const g = s->g;
    int64_t most = 0, count = 0;
    for (int32_t k = 0; k < s->count; k++)
        most += g->first[s->list[k] + 1] - g->first[s->list[k]];
    RETURN_ON_FAILURE(memory_alloc(&s->edges, (size_t)most, sizeof(double) + sizeof(int32_t),
                                   "a sample of classes", err));
    s->weight = s->edges;
    void *const heads = s->weight + most;
    s->head = heads;
    for (int32_t k = 0; k < s->count; k++) {
        s->first[k] = count;
        for (int64_t e = g->first[s->list[k]]; e < g->first[s->list[k] + 1]; e++) {
            const int32_t place = *slot_of(s, g->head[e]);
            if (place < 0)
                continue;
            s->head[count] = place;
            s->weight[count++] = number_at(g->type, graph_weights(g), e);
        }
    }
    s->first[s->count] = count;
    return STATUS_OK;
}

/* Finds the rows of the vertices around the region. */
static void find_rows(struct sampling *s) {
    const struct dijkstra_edges edges = {.n = s->count,
                                         .count = s->first[s->count],
                                         .first = s->first,
                                         .head = s->head,
                                         .weight = s->weight};
    const int32_t step = (s->width - 1) / SEARCHES + 1;
    s->searches = 0;
    for (int32_t b = s->size; b < s->size + s->width; b += step) {
        s->searches++;
        double *const from = b == s->size ? s->nearest : s->from;
        for (int32_t v = 0; v < s->count; v++)
            from[v] = HUGE_VAL;
        dijkstra_search_edges(&s->queue, &edges, &b, 1, HUGE_VAL, from, NULL, NULL);
        for (int32_t v = s->size + s->width; v < s->count; v++) {
            const double difference = from[v] - s->nearest[v];
            uint64_t bits;
            memcpy(&bits, &difference, sizeof bits);
            s->row[v] = !(from[v] < HUGE_VAL) ? 0
                        : b == s->size        ? 1
                        : s->row[v] == 0      ? 0
                                              : splitmix64_mix(s->row[v] ^ bits) | 1;
        }
    }
}

static int by_value(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Returns the number of different rows, and the number of rows in *rows. */
static int32_t count_rows(uint64_t *row, int32_t count, int32_t *rows) {
    int32_t different = 0;
    qsort(row, (size_t)count, sizeof *row, by_value);
    *rows = 0;
    for (int32_t k = 0; k < count; k++) {
        *rows += row[k] != 0;
        different += row[k] != 0 && (k == 0 || row[k] != row[k - 1]);
    }
    return different;
}

/* Returns a region's share; 0: no vertex around it is reached, or memory does not suffice. */
static double share_of(struct sampling *s, const struct tree *tree, const struct region *region) {
    int32_t rows;
    struct error ignored;
    surround(s, tree, region->low, region->high);
    if (s->width < NARROWEST || find_edges(s, &ignored) != STATUS_OK)
        return 0;
    find_rows(s);
    const int32_t beyond = s->count - (s->count - s->size - s->width) / 2; /* the farther half */
    const int32_t different = count_rows(s->row + beyond, s->count - beyond, &rows);
    return different > 0 ? different / class_count(rows, s->searches, s->size) : 0;
}

/* Finds the share of one region, in memory of its own. */
static double sample_region(const struct graph *g, const struct tree *tree,
                            const struct region *region) {
    void *memory;
    double share = 0;
    struct error ignored;
    if (memory_alloc(&memory, 1, sizeof(struct sampling), "a sample of classes", &ignored) !=
        STATUS_OK)
        return 0;
    struct sampling *const s = memory;
    s->g = g;
    s->edges = NULL;
    if (dijkstra_alloc(&s->queue, PLACES, true, &ignored) == STATUS_OK)
        share = share_of(s, tree, region);
    dijkstra_free(&s->queue);
    memory_free(s->edges);
    memory_free(memory);
    return share;
}

static bool is_sampled(const struct region *region) {
    return region->width >= NARROWEST && region->width <= WIDEST &&
           region->high - region->low <= LARGEST;
}

double class_sample(const struct graph *g, const struct tree *tree, const struct regions *r,
                    int threads) {
    double share[REGIONS], logarithms = 0;
    int32_t region[REGIONS], possible = 0, chosen = 0, next = 0, sampled = 0;
    if (g->min_weight < 0)
        return class_typical_share;
    for (int32_t k = 0; k < r->count; k++)
        possible += is_sampled(&r->region[k]);
    const int32_t step = (possible - 1) / REGIONS + 1;
    for (int32_t k = 0; k < r->count; k++) {
        if (is_sampled(&r->region[k]) && next++ % step == step / 2)
            region[chosen++] = k;
    }
#pragma omp parallel for num_threads(threads < REGIONS ? threads : REGIONS) schedule(dynamic, 1)
    for (int32_t k = 0; k < chosen; k++)
        share[k] = sample_region(g, tree, &r->region[region[k]]);
    for (int32_t k = 0; k < chosen; k++) {
        logarithms += share[k] > 0 ? log(share[k]) : 0;
        sampled += share[k] > 0;
    }
    return sampled > 0 ? exp(logarithms / sampled) : class_typical_share;
}
