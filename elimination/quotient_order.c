// SPDX-License-Identifier: MIT
#include "elimination/quotient_order.h"

#include "common/base/atomics.h"      // atomic_lower_rank
#include "common/base/block_sizes.h"  // block_sizes
#include "common/base/chunks.h"       // prefix_sums, threads_paid
#include "common/base/memory.h"       // memory_alloc
#include "common/base/sort_numbers.h" // sort_numbers

#include <omp.h>
#include <stdbool.h>
#include <string.h>

enum {
    EXACT = 16,                 /* a bin counts vertices of one degree, if that is below this */
    OCTAVE = 8,                 /* number of bins between two powers of two, from EXACT on */
    BINS = EXACT + 27 * OCTAVE, /* number of bins of degrees */
    SHARE = 128,                /* reciprocal of the share of vertices that a round tries at
                                   least */
    RARE = 16,                  /* reciprocal of a share of tried vertices: if a round eliminates
                                   less, the next one tries half as many */
    FEW = 256,                  /* number of vertices that one thread orders alone */
    CHAINS = 256,               /* number of chains of vertices whose lists are compared */
    TRIED = 8,                  /* number of tried vertices that a thread takes at a time */
    MARKS = INT32_MAX / 2,      /* greatest mark after which a thread clears all of its marks */
    NONE = -1
};

/* A vertex and its list: elements first, then vertices to which it has edges of its own. */
struct variable {
    int64_t first;    /* index in `list` at which its list begins */
    int32_t elements; /* number of elements in its list */
    int32_t length;   /* number of elements and vertices in its list */
    int32_t degree;   /* upper bound of the number of vertices that it is joined to, without those
                         that it stands for itself; MASS: it is joined only to what its pivot is
                         joined to */
    int32_t changed;  /* round in which its list has last changed */
    uint32_t hash;    /* sum of the numbers in its list */
    int32_t next;     /* next vertex of the chain that it is in; NONE: no other */
};
enum { MASS = -1 };

/* A clique of vertices that an eliminated vertex was joined to. */
struct element {
    const int32_t *member;
    int32_t length; /* number of members, some of which may be eliminated by now; ABSORBED: all
                       members are members of another element */
    int32_t degree; /* number of vertices that its members stood for when it was made */
};
enum { ABSORBED = -1 };

/* Marks and counts of one thread. */
struct own_marks {
    int32_t *mark;     /* by vertex and element, n + cliques entries: last mark that it got */
    int32_t last;      /* greatest mark so far */
    int32_t bin[BINS]; /* by bin of degrees: number of vertices that this thread has counted in this
                          round */
};

struct quotient {
    const struct clique_graph *g;
    int threads;
    /* By vertex, n entries each. */
    struct variable *variable;
    int32_t *weight; /* number of vertices that it stands for; 0: another one, into[v], stands for
                        it; less than 0: it is eliminated, and stood for -weight[v] */
    int32_t *holder; /* vertex whose element was the last to get it as a member; NONE: none was */
    int32_t *into;   /* vertex that stands for it or, of an eliminated one, whose element has
                        absorbed its element; NONE: neither */
    uint64_t *claim; /* lowest rank of a tried vertex that is joined to it or is it */
    struct element *element; /* by element, n + cliques entries: those of eliminated vertices have
                                the numbers of these, and clique c has n + c */
    int32_t *list;           /* lists of all vertices */
    struct own_marks *own;   /* by thread */
    /* Members of elements of eliminated vertices. */
    int32_t *space;
    int64_t used, room; /* entries of `space` in use, and entries allocated */
    int32_t *made;      /* eliminated vertices whose elements have members in `space`, in the order
                           of these, n entries */
    int32_t made_count;
    /* Vertices in lanes, the first of which are at indices that are multiples of
     * block_sizes.chunk_positions. */
    int32_t *live;       /* by lane: vertices that are left */
    int32_t *tried;      /* by lane: vertices that the round tries; after gather_tried() those of
                            all lanes, one after the other */
    uint8_t *live_bin;   /* by place in `live`: the bin of the vertex's degree */
    int32_t *lane_live;  /* by lane: number of vertices in it that are left */
    int32_t *lane_tried; /* by lane: number of vertices in it that the round tries */
    int32_t lanes, left; /* number of lanes, and of vertices that are left in all */
    int32_t weight_left; /* number of vertices that these stand for */
    /* The round. */
    int32_t round, highest; /* number of the round, and the highest bin of degrees that it tries */
    int32_t count, most;    /* number of vertices that it tries, and the most it may try */
    int32_t *pivot;         /* tried vertices, `count` entries; after select_pivots() those that
                               the round eliminates */
    int32_t *size;          /* by tried vertex: most members that its element may have; NONE: it is
                               not eliminated in this round */
    int32_t *order;         /* eliminated vertices, in order */
    int32_t eliminated;
};

void clique_graph_free(struct clique_graph *g) {
    memory_free(g->first_member);
    memory_free(g->member);
    memory_free(g->first_edge);
    memory_free(g->neighbour);
    *g = (struct clique_graph){0};
}

static int bin_of(int32_t degree) {
    if (degree < EXACT)
        return degree;
    const int octave = 31 - __builtin_clz((unsigned)degree);
    return EXACT + (octave - 4) * OCTAVE + (degree >> (octave - 3)) % OCTAVE;
}

/* Beginning -------------------------------------------------------------------------------------
 */

/* Clears the marks of a thread before they exceed INT32_MAX. */
static void spare_marks(const struct quotient *q, struct own_marks *own) {
    if (own->last < MARKS)
        return;
    memset(own->mark, 0, ((size_t)q->g->n + (size_t)q->g->cliques) * sizeof *own->mark);
    own->last = 0;
}

/* Returns a part of what v is joined to, for 0 <= part <= variable[v].elements: the members of an
 * element, or last the vertices in its own list. *count: number of vertices in the part. */
static const int32_t *part_of(const struct quotient *q, int32_t v, int32_t part, int32_t *count) {
    const struct variable *const of = &q->variable[v];
    const int32_t *const list = q->list + of->first;
    if (part == of->elements) {
        *count = of->length - of->elements;
        return list + of->elements;
    }
    *count = q->element[list[part]].length;
    return q->element[list[part]].member;
}

/* Counts the vertices that v is joined to. */
static int32_t degree_of(const struct quotient *q, struct own_marks *own, int32_t v) {
    int32_t degree = 0, count;
    spare_marks(q, own);
    own->mark[v] = ++own->last;
    for (int32_t part = 0; part <= q->variable[v].elements; part++) {
        const int32_t *const other = part_of(q, v, part, &count);
        for (int32_t k = 0; k < count; k++) {
            degree += own->mark[other[k]] != own->last;
            own->mark[other[k]] = own->last;
        }
    }
    return degree;
}

/* Fills the list of v: the cliques stand there already, in any order. */
static void fill_list(const struct quotient *q, int32_t v) {
    const struct clique_graph *const g = q->g;
    struct variable *const of = &q->variable[v];
    int32_t *const list = q->list + of->first;
    const int64_t edges = g->first_edge[v + 1] - g->first_edge[v];
    sort_numbers(list, of->elements);
    memcpy(list + of->elements, g->neighbour + g->first_edge[v], (size_t)edges * sizeof *list);
    of->length = of->elements + (int32_t)edges;
    of->next = NONE;
    q->weight[v] = 1;
    q->holder[v] = q->into[v] = NONE;
    q->claim[v] = UINT64_MAX;
}

/* Makes the lists of all vertices, and the elements of all cliques. first: n + 1 numbers of
 * scratch. */
static void begin_lists(struct quotient *q, int64_t *first) {
    const struct clique_graph *const g = q->g;
    const int64_t members = g->first_member[g->cliques];
    memset(first, 0, ((size_t)g->n + 1) * sizeof *first);
#pragma omp parallel num_threads(q->threads)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < members; k++) {
#pragma omp atomic
            first[g->member[k]]++;
        }
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++) {
            q->variable[v].elements = 0;
            first[v] += g->first_edge[v + 1] - g->first_edge[v];
        }
    }
    prefix_sums(first, g->n, q->threads);
#pragma omp parallel num_threads(q->threads)
    {
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++)
            q->variable[v].first = first[v];
#pragma omp for schedule(static)
        for (int32_t c = 0; c < g->cliques; c++) {
            const int64_t begin = g->first_member[c], end = g->first_member[c + 1];
            const int32_t size = (int32_t)(end - begin);
            q->element[g->n + c] = (struct element){g->member + begin, size, size};
            for (int64_t k = begin; k < end; k++) {
                struct variable *const of = &q->variable[g->member[k]];
                const int32_t place = __atomic_fetch_add(&of->elements, 1, __ATOMIC_RELAXED);
                q->list[of->first + place] = g->n + c;
            }
        }
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++)
            fill_list(q, v);
    }
}

/* Puts the vertices into lanes, and finds their degrees. */
static void begin_lanes(struct quotient *q) {
    const int32_t size = block_sizes.chunk_positions, n = q->g->n;
    q->lanes = (n - 1) / size + 1;
    q->left = q->weight_left = q->most = n;
#pragma omp parallel num_threads(q->threads)
    {
        struct own_marks *const own = &q->own[omp_get_thread_num()];
        memset(own->mark, 0, ((size_t)n + (size_t)q->g->cliques) * sizeof *own->mark);
        memset(own->bin, 0, sizeof own->bin);
        own->last = 0;
#pragma omp for schedule(dynamic, 1)
        for (int32_t lane = 0; lane < q->lanes; lane++) {
            const int32_t end = n - lane * size < size ? n : (lane + 1) * size;
            q->lane_live[lane] = end - lane * size;
            for (int32_t v = lane * size; v < end; v++) {
                q->live[v] = v;
                q->variable[v].changed = 0;
                q->variable[v].degree = degree_of(q, own, v);
            }
        }
    }
}

/* Choice of pivots ------------------------------------------------------------------------------
 */

/* Drops from a lane the vertices that are not left. Counts the degrees of the others. */
static void tidy_lane(const struct quotient *q, struct own_marks *own, int32_t lane) {
    int32_t *const live = q->live + (int64_t)lane * block_sizes.chunk_positions;
    int32_t kept = 0;
    uint8_t *const live_bin = q->live_bin + (live - q->live);
    for (int32_t k = 0; k < q->lane_live[lane]; k++) {
        const int32_t v = live[k];
        if (q->weight[v] <= 0)
            continue;
        live_bin[kept] = (uint8_t)bin_of(q->variable[v].degree);
        own->bin[live_bin[kept]]++;
        live[kept++] = v;
    }
    q->lane_live[lane] = kept;
}

/* Moves the vertices that are left into as few lanes as hold them. */
static void join_lanes(struct quotient *q) {
    const int32_t size = block_sizes.chunk_positions;
    int32_t count = 0;
    for (int32_t lane = 0; lane < q->lanes; lane++) {
        memmove(q->live + count, q->live + (int64_t)lane * size,
                (size_t)q->lane_live[lane] * sizeof *q->live);
        memmove(q->live_bin + count, q->live_bin + (int64_t)lane * size,
                (size_t)q->lane_live[lane]);
        count += q->lane_live[lane];
    }
    q->lanes = count == 0 ? 0 : (count - 1) / size + 1;
    for (int32_t lane = 0; lane < q->lanes; lane++)
        q->lane_live[lane] = count - lane * size < size ? count - lane * size : size;
}

/* Chooses the degrees that a round tries: the lowest one, what is at most an eighth more, and
 * further ones where few vertices have these. */
static void choose_degrees(struct quotient *q, int threads) {
    const int32_t size = block_sizes.chunk_positions;
    int32_t bin[BINS] = {0}, left = 0;
    for (int t = 0; t < threads; t++) {
        for (int b = 0; b < BINS; b++)
            bin[b] += q->own[t].bin[b];
        memset(q->own[t].bin, 0, sizeof q->own[t].bin);
    }
    for (int b = 0; b < BINS; b++)
        left += bin[b];
    q->left = left;
    if (left <= (int64_t)q->lanes * size / 4)
        join_lanes(q);
    if (left == 0)
        return;
    int lowest = 0;
    while (bin[lowest] == 0)
        lowest++;
    int32_t highest = lowest, count = bin[lowest];
    while (highest + 1 < BINS && (count < left / SHARE || (highest == lowest && lowest >= OCTAVE)))
        count += bin[++highest];
    while (highest > lowest && count > q->most)
        count -= bin[highest--];
    q->highest = highest;
}

/* Lists the vertices of a lane that the round tries. */
static void try_lane(const struct quotient *q, int32_t lane) {
    const int64_t first = (int64_t)lane * block_sizes.chunk_positions;
    int32_t count = 0;
    for (int32_t k = 0; k < q->lane_live[lane]; k++) {
        if (q->live_bin[first + k] <= q->highest)
            q->tried[first + count++] = q->live[first + k];
    }
    q->lane_tried[lane] = count;
}

static void gather_tried(struct quotient *q) {
    int32_t count = 0;
    for (int32_t lane = 0; lane < q->lanes && count < q->most; lane++) {
        const int32_t rest = q->most - count, has = q->lane_tried[lane];
        const int32_t more = has < rest ? has : rest;
        memmove(q->tried + count, q->tried + (int64_t)lane * block_sizes.chunk_positions,
                (size_t)more * sizeof *q->tried);
        count += more;
    }
    q->count = count;
    q->pivot = q->tried;
}

/* Returns a number for v that no other vertex has in this round. The lowest of those that meet goes
 * first. Ranks of later rounds are lower, so that old claims do not count. */
static uint64_t rank_of(const struct quotient *q, int32_t v) {
    const struct variable *const of = &q->variable[v];
    const uint64_t later =
        (uint64_t)(block_sizes.order_rounds - 1 - q->round % block_sizes.order_rounds);
    const uint64_t degree = of->degree < 0xfff ? (uint64_t)of->degree : 0xfff;
    const int32_t rounds = q->round - of->changed;
    const uint64_t age = rounds < 0xff ? (uint64_t)rounds : 0xff;
    const uint32_t mixed = ((uint32_t)v + (uint32_t)q->round * 0x632be5abU) * 0x9e3779b1U;
    return later << 52 | degree << 40 | age << 32 | mixed;
}

/* Claims for a tried vertex all vertices that it is joined to. */
static void claim(const struct quotient *q, int32_t k) {
    const int32_t v = q->pivot[k];
    const uint64_t rank = rank_of(q, v);
    const int64_t n = q->g->n;
    int64_t size = 0;
    int32_t count;
    atomic_lower_rank(&q->claim[v], rank);
    for (int32_t part = 0; part <= q->variable[v].elements; part++) {
        const int32_t *const other = part_of(q, v, part, &count);
        for (int32_t i = 0; i < count; i++)
            atomic_lower_rank(&q->claim[other[i]], rank);
        size += count;
    }
    q->size[k] = (int32_t)(size < n ? size : n);
}

/* Returns whether a tried vertex has all its claims. */
static bool has_all(const struct quotient *q, int32_t v) {
    const uint64_t rank = rank_of(q, v);
    int32_t count;
    if (q->claim[v] != rank)
        return false;
    for (int32_t part = 0; part <= q->variable[v].elements; part++) {
        const int32_t *const other = part_of(q, v, part, &count);
        for (int32_t i = 0; i < count; i++) {
            if (q->claim[other[i]] != rank && q->weight[other[i]] > 0)
                return false;
        }
    }
    return true;
}

/* Moves the members of elements together that are not absorbed. */
static void compact(struct quotient *q) {
    int32_t kept = 0;
    q->used = 0;
    for (int32_t k = 0; k < q->made_count; k++) {
        struct element *const e = &q->element[q->made[k]];
        if (e->length == ABSORBED)
            continue;
        int32_t *const to = q->space + q->used;
        memmove(to, e->member, (size_t)e->length * sizeof *to);
        e->member = to;
        q->used += e->length;
        q->made[kept++] = q->made[k];
    }
    q->made_count = kept;
}

/* Takes those of the tried vertices that have all their claims as the round's pivots, and gives
 * their elements room. Elements that they absorb have as many members at least as the new ones, so
 * that twice the members and neighbours of the graph are room enough for old and new elements. */
static void select_pivots(struct quotient *q) {
    const int32_t tried = q->count;
    int32_t count = 0;
    int64_t size = 0;
    for (int32_t k = 0; k < tried; k++) {
        if (q->size[k] == NONE)
            continue;
        q->pivot[count] = q->pivot[k];
        q->size[count++] = q->size[k];
        size += q->size[k];
    }
    q->count = count;
    q->most = (int64_t)count * RARE < tried ? tried / 2 + 1
                                            : (q->most > q->g->n / 4 ? q->g->n : 4 * q->most);
    if (q->used + size > q->room)
        compact(q);
    for (int32_t k = 0; k < count; k++) {
        const int32_t v = q->pivot[k];
        q->element[v] = (struct element){.member = q->space + q->used};
        q->used += q->size[k];
        q->made[q->made_count++] = v;
        q->order[q->eliminated++] = v;
    }
}

/* Elimination -----------------------------------------------------------------------------------
 */

/* Makes the element of pivot p: all that p is joined to. */
static void make_element(const struct quotient *q, int32_t p) {
    const struct variable *const of = &q->variable[p];
    struct element *const e = &q->element[p];
    int32_t *const member = q->space + (e->member - q->space);
    int32_t length = 0, degree = 0, count;
    q->holder[p] = p;
    for (int32_t part = 0; part <= of->elements; part++) {
        const int32_t *const other = part_of(q, p, part, &count);
        for (int32_t i = 0; i < count; i++) {
            const int32_t v = other[i];
            if (q->weight[v] <= 0 || q->holder[v] == p)
                continue;
            __atomic_store_n(&q->holder[v], p, __ATOMIC_RELAXED);
            member[length++] = v;
            degree += q->weight[v];
        }
    }
    for (int32_t k = 0; k < of->elements; k++) {
        const int32_t absorbed = q->list[of->first + k];
        q->element[absorbed].length = ABSORBED;
        if (absorbed < q->g->n)
            q->into[absorbed] = p;
    }
    e->length = length;
    e->degree = degree;
}

/* Marks each element e that has a member in the element of p by `base` and the number of vertices
 * outside that element for which members of e stand. */
static void mark_outside(const struct quotient *q, struct own_marks *own, int32_t p, int32_t base) {
    const struct element *const made = &q->element[p];
    for (int32_t k = 0; k < made->length; k++) {
        const int32_t v = made->member[k];
        const int32_t *const list = q->list + q->variable[v].first;
        for (int32_t i = 0; i < q->variable[v].elements; i++) {
            const struct element *const e = &q->element[list[i]];
            if (e->length == ABSORBED)
                continue;
            int32_t *const mark = &own->mark[list[i]];
            if (*mark < base) {
                *mark = base + e->degree;
                own->last = own->last > *mark ? own->last : *mark;
            }
            *mark -= q->weight[v];
        }
    }
}

/* Replaces in the list of v, a member of p's element, what that element has: the elements that are
 * absorbed, and edges to other members and to p. Elements without members outside are absorbed,
 * too. */
static void shorten(const struct quotient *q, const struct own_marks *own, int32_t p, int32_t v,
                    int32_t base) {
    struct variable *const of = &q->variable[v];
    int32_t *const list = q->list + of->first, elements = of->elements, kept = 0;
    int64_t degree = 0;
    uint32_t hash = (uint32_t)p;
    for (int32_t k = 0; k < elements; k++) {
        const int32_t e = list[k], outside = own->mark[e] - base;
        if (q->element[e].length == ABSORBED)
            continue;
        if (outside == 0) {
            q->element[e].length = ABSORBED;
            if (e < q->g->n)
                q->into[e] = p;
            continue;
        }
        degree += outside;
        hash += (uint32_t)e;
        list[kept++] = e;
    }
    if (kept == elements) { /* there is an edge to p, which makes room for the element */
        while (list[elements] != p)
            elements++;
        list[elements] = list[kept];
        elements = kept + 1;
    }
    int32_t length = kept + 1;
    for (int32_t k = elements; k < of->length; k++) {
        const int32_t other = list[k];
        if (q->weight[other] <= 0 || __atomic_load_n(&q->holder[other], __ATOMIC_RELAXED) == p)
            continue;
        degree += q->weight[other];
        hash += (uint32_t)other;
        list[length++] = other;
    }
    list[kept] = p;
    of->elements = kept + 1;
    of->length = length;
    of->hash = hash;
    of->degree = length == 1 ? MASS : degree < of->degree ? (int32_t)degree : of->degree;
}

/* Eliminates a pivot, but for what changes weights. */
static void eliminate(const struct quotient *q, struct own_marks *own, int32_t p) {
    make_element(q, p);
    spare_marks(q, own);
    const int32_t base = ++own->last;
    mark_outside(q, own, p, base);
    for (int32_t k = 0; k < q->element[p].length; k++)
        shorten(q, own, p, q->element[p].member[k], base);
}

/* Returns whether two vertices have the same list, in any order. */
static bool are_alike(const struct quotient *q, struct own_marks *own, int32_t a, int32_t b) {
    const struct variable *const one = &q->variable[a], *const other = &q->variable[b];
    if (one->hash != other->hash || one->length != other->length ||
        one->elements != other->elements)
        return false;
    spare_marks(q, own);
    own->last++;
    for (int32_t k = 0; k < one->length; k++)
        own->mark[q->list[one->first + k]] = own->last;
    bool are = true;
    for (int32_t k = 0; k < other->length && are; k++)
        are = own->mark[q->list[other->first + k]] == own->last;
    return are;
}

/* Lets an earlier member of the same element stand for v if it has the same list. Otherwise adds v
 * to its chain. */
static void unite(const struct quotient *q, struct own_marks *own, int32_t *chain, int32_t v) {
    int32_t *const first = &chain[q->variable[v].hash % CHAINS];
    for (int32_t other = *first; other != NONE; other = q->variable[other].next) {
        if (!are_alike(q, own, other, v))
            continue;
        q->weight[other] += q->weight[v];
        q->weight[v] = 0;
        q->into[v] = other;
        return;
    }
    q->variable[v].next = *first;
    *first = v;
}

/* Finishes the elimination of a pivot: members of its element that are joined to nothing else go
 * with it, those with equal lists become one, and all get their degrees. */
static void settle(const struct quotient *q, struct own_marks *own, int32_t p) {
    struct element *const e = &q->element[p];
    int32_t *const member = q->space + (e->member - q->space);
    int32_t kept = 0, gone = 0, chain[CHAINS];
    memset(chain, NONE, sizeof chain);
    for (int32_t k = 0; k < e->length; k++) {
        const int32_t v = member[k];
        if (q->variable[v].degree == MASS) {
            gone += q->weight[v];
            q->weight[v] = 0;
            q->into[v] = p;
        } else {
            unite(q, own, chain, v);
        }
    }
    e->degree -= gone;
    for (int32_t k = 0; k < e->length; k++) {
        const int32_t v = member[k];
        struct variable *const of = &q->variable[v];
        if (q->weight[v] == 0)
            continue;
        const int64_t degree = (int64_t)of->degree + e->degree - q->weight[v];
        const int32_t most = q->weight_left - q->weight[v];
        of->degree = degree < most ? (int32_t)degree : most;
        of->changed = q->round + 1;
        member[kept++] = v;
    }
    e->length = kept == 0 ? ABSORBED : kept;
    q->weight[p] = -(q->weight[p] + gone);
}

static void end_round(struct quotient *q) {
    for (int32_t k = 0; k < q->count; k++)
        q->weight_left += q->weight[q->pivot[k]];
    if (++q->round % block_sizes.order_rounds == 0)
        memset(q->claim, 0xff, (size_t)q->g->n * sizeof *q->claim);
}

/* All of it -------------------------------------------------------------------------------------
 */

/* Eliminates vertices in rounds, until at most `few` are left. All threads of the team that the
 * caller is in call it. */
static void go_through_rounds(struct quotient *q, int32_t few) {
    struct own_marks *const own = &q->own[omp_get_thread_num()];
    for (;;) {
#pragma omp for schedule(static)
        for (int32_t lane = 0; lane < q->lanes; lane++)
            tidy_lane(q, own, lane);
#pragma omp single
        choose_degrees(q, omp_get_num_threads());
        if (q->left <= few)
            return;
#pragma omp for schedule(static)
        for (int32_t lane = 0; lane < q->lanes; lane++)
            try_lane(q, lane);
#pragma omp single
        gather_tried(q);
#pragma omp for schedule(dynamic, TRIED)
        for (int32_t k = 0; k < q->count; k++)
            claim(q, k);
#pragma omp for schedule(dynamic, TRIED)
        for (int32_t k = 0; k < q->count; k++) {
            if (!has_all(q, q->pivot[k]))
                q->size[k] = NONE;
        }
#pragma omp single
        select_pivots(q);
#pragma omp for schedule(dynamic, TRIED)
        for (int32_t k = 0; k < q->count; k++)
            eliminate(q, own, q->pivot[k]);
#pragma omp for schedule(dynamic, TRIED)
        for (int32_t k = 0; k < q->count; k++)
            settle(q, own, q->pivot[k]);
#pragma omp single
        end_round(q);
    }
}

/* Fills vertex[] in a postorder of the assembly tree: the parent of an eliminated vertex is the one
 * whose element has absorbed its element, and vertices that it stood for come beside it. size, end:
 * n numbers of scratch each. */
static void find_order(const struct quotient *q, int32_t *size, int32_t *end, int32_t *vertex) {
    const int32_t n = q->g->n;
    int32_t all = n;
    for (int32_t v = 0; v < n; v++)
        size[v] = q->weight[v] < 0 ? -q->weight[v] : 0;
    for (int32_t k = 0; k < q->eliminated; k++) {
        const int32_t v = q->order[k];
        if (q->into[v] != NONE)
            size[q->into[v]] += size[v];
    }
    for (int32_t k = q->eliminated - 1; k >= 0; k--) {
        const int32_t v = q->order[k], own = -q->weight[v];
        int32_t *const room = q->into[v] == NONE ? &all : &end[q->into[v]];
        vertex[*room - 1] = v;
        end[v] = *room - own; /* end of the room for what v's element has absorbed */
        *room -= size[v];
        size[v] = end[v]; /* place of the next vertex that v stood for */
    }
    for (int32_t v = 0; v < n; v++) {
        if (q->weight[v] < 0)
            continue;
        int32_t to = q->into[v];
        while (q->weight[to] == 0)
            to = q->into[to];
        for (int32_t at = v, next; q->weight[at] == 0; at = next) { /* later ways are shorter */
            next = q->into[at];
            q->into[at] = to;
        }
        vertex[size[to]++] = v;
    }
}

enum {
    NUMBERS = 8, /* number of arrays of n numbers of 32 bits, besides those of the structs */
    LISTS = 3    /* times the entries of all lists that an order has room for */
};

static int threads_for(int threads, int64_t entries) {
    enum {
        VISITS = 8, /* least number of times that an entry of a list is visited */
        MOST = 64   /* most threads, each of which has marks for all vertices and elements */
    };
    const int most = threads < MOST ? threads : MOST;
    return threads_paid(most, VISITS * entries, block_sizes.thread_pattern);
}

/* Returns how many bytes an order takes: for n vertices and `cliques` cliques, whose lists have
 * `entries` entries. */
static uint64_t bytes(int32_t n, int64_t entries, int32_t cliques, int threads) {
    const uint64_t elements = (uint64_t)n + (uint64_t)cliques;
    const uint64_t vertex =
        sizeof(struct variable) + sizeof(uint64_t) + NUMBERS * sizeof(int32_t) + 1;
    const uint64_t lanes = (uint64_t)n / (uint64_t)block_sizes.chunk_positions + 1;
    const uint64_t element = sizeof(struct element) + (uint64_t)threads * sizeof(int32_t);
    const uint64_t all =
        memory_add(memory_times((uint64_t)n, vertex), memory_times(elements, element));
    const uint64_t rest = sizeof(uint64_t) + 2 * lanes * sizeof(int32_t) +
                          (uint64_t)threads * sizeof(struct own_marks);
    return memory_add(memory_add(all, rest),
                      memory_times((uint64_t)entries, LISTS * sizeof(int32_t)));
}

/* Shares memory among the arrays: those with the largest entries first. */
static void take_memory(struct quotient *q, void *memory, int64_t entries) {
    const size_t n = (size_t)q->g->n, elements = n + (size_t)q->g->cliques;
    const size_t lanes = n / (size_t)block_sizes.chunk_positions + 1;
    q->claim = memory;
    q->variable = (struct variable *)(q->claim + n + 1);
    q->element = (struct element *)(q->variable + n);
    q->own = (struct own_marks *)(q->element + elements);
    int32_t *numbers = (int32_t *)(q->own + q->threads);
    int32_t **const of_n[] = {&q->weight, &q->holder, &q->into, &q->made,
                              &q->live,   &q->tried,  &q->size, &q->order};
    _Static_assert(sizeof of_n / sizeof *of_n == NUMBERS, "each array has its memory");
    for (size_t k = 0; k < NUMBERS; k++, numbers += n)
        *of_n[k] = numbers;
    q->lane_live = numbers;
    q->lane_tried = numbers + lanes;
    numbers += 2 * lanes;
    for (int t = 0; t < q->threads; t++, numbers += elements)
        q->own[t].mark = numbers;
    q->list = numbers;
    q->space = numbers + entries;
    q->room = (LISTS - 1) * entries;
    q->live_bin = (uint8_t *)(q->space + q->room);
}

enum status quotient_order_find(const struct clique_graph *g, int threads, int32_t *vertex,
                                struct error *err) {
    const int64_t entries = g->first_member[g->cliques] + g->first_edge[g->n];
    struct quotient q = {.g = g, .threads = threads_for(threads, entries)};
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, bytes(g->n, entries, g->cliques, q.threads), 1,
                                   "the order of elimination", err));
    take_memory(&q, memory, entries);
    begin_lists(&q, (int64_t *)q.claim); /* claims begin later */
    begin_lanes(&q);
    if (q.threads > 1) {
#pragma omp parallel num_threads(q.threads)
        go_through_rounds(&q, FEW);
    }
    go_through_rounds(&q, 0);
    find_order(&q, q.made, q.size, vertex);
    memory_free(memory);
    return STATUS_OK;
}
