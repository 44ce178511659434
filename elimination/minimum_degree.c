// SPDX-License-Identifier: MIT
#include "elimination/minimum_degree.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/lowest_failure.h" // lowest_failure_note
#include "common/base/memory.h"         // memory_alloc
#include "common/base/sort_numbers.h"   // sort_numbers

#include <stdbool.h>
#include <string.h>

enum {
    OWN = 11,        /* number of neighbours that fit into struct vertex itself */
    LONG = 64,       /* a list with more neighbours may keep eliminated vertices */
    CLIQUE = 64,     /* an eliminated vertex has fewer neighbours than this */
    VERTEX_WORK = 8, /* work counted for an elimination, in addition to the neighbours looked at */
    CHUNK = 1 << 13, /* number of vertices that a thread takes at a time */
    ELIMINATED = -1
};
_Static_assert((int)MINIMUM_DEGREE_MOST < (int)CLIQUE, "cliques are sets of 64 bits");
_Static_assert((int)MINIMUM_DEGREE_FEW < (int)OWN, "what is kept of the eliminated fits");

/* A vertex and its neighbours. It fills a cache line, because vertices are visited in any order. */
struct vertex {
    int32_t degree; /* number of neighbours that are not eliminated, or ELIMINATED */
    int32_t length; /* number of vertices in the list of neighbours; if the vertex was eliminated
                       with up to MINIMUM_DEGREE_FEW neighbours, the number of these; of other
                       eliminated ones 0 */
    int32_t room;   /* number of vertices that the list has room for; OWN: the list is `own`,
                       otherwise `far` */
    int32_t ticket; /* where the vertex stands in the queue of its degree */
    union {
        int32_t own[OWN];
        int32_t *far;
    } list;
};

/* Queue of the vertices of one degree, in the order in which they got it. An entry does not count
 * if its vertex has another degree or another ticket by then. */
struct degree_queue {
    int32_t *vertex;
    int32_t first, end, room;
};

/* Memory for lists that do not fit into their vertices. */
struct list_chunk {
    struct list_chunk *next;
    int32_t room, used;
    int32_t number[];
};

/* State of an elimination in a range of vertices. It eliminates vertices whose neighbours are all
 * in the range; no other thread works on the range at the same time. */
struct range_elimination {
    struct vertex *of;
    int32_t first, size; /* first vertex of the range, and its number of vertices */
    int32_t *order;      /* vertices that are eliminated, in order */
    int32_t eliminated;
    int32_t lowest; /* lower bound of the degrees of the vertices in queues */
    int64_t work, entries;
    struct list_chunk *chunks; /* chunks of memory for lists; the first one has room */
    struct degree_queue queue[MINIMUM_DEGREE_MOST + 1];
};

/* Sums over the vertices that are left before a chunk of vertices. */
struct left {
    int32_t vertices;
    int64_t entries; /* sum of their degrees */
};

struct minimum_degree {
    int32_t n, reached;
    int threads;
    struct left *left; /* sums by chunk of CHUNK vertices, one entry more than chunks */
    int32_t blocks;    /* number of blocks that began the order */
    int32_t *block;    /* position in the order at which each block begins, and at which the last
                          one ends, blocks + 1 entries; NULL: no blocks */
    bool is_queued;    /* the vertices are in the queues of `all` */
    int32_t *order;
    struct vertex *of;
    struct range_elimination all; /* elimination in the range of all vertices */
};

static int32_t *list_of(struct vertex *v) {
    return v->room == OWN ? v->list.own : v->list.far;
}

static bool is_in(const struct range_elimination *part, int32_t v) {
    return (uint32_t)v - (uint32_t)part->first < (uint32_t)part->size;
}

static enum status grow(struct degree_queue *q, struct error *err) {
    const int32_t room = q->room + q->room / 2 + 1024;
    void *memory = q->vertex;
    RETURN_ON_FAILURE(
        memory_resize(&memory, (size_t)room, sizeof *q->vertex, "the order of elimination", err));
    q->vertex = memory;
    q->room = room;
    return STATUS_OK;
}

static inline enum status enqueue(struct range_elimination *part, int32_t v, struct error *err) {
    struct vertex *const of = &part->of[v];
    if (of->degree > MINIMUM_DEGREE_MOST)
        return STATUS_OK;
    struct degree_queue *const q = &part->queue[of->degree];
    if (q->end == q->room)
        RETURN_ON_FAILURE(grow(q, err));
    if (of->degree < part->lowest)
        part->lowest = of->degree;
    of->ticket = q->end;
    q->vertex[q->end++] = v;
    return STATUS_OK;
}

/* Has the caches fetch the lists of vertices that are taken from the queue soon. */
static inline void fetch_ahead(const struct range_elimination *part, const struct degree_queue *q) {
    enum { AHEAD = 8, FEW = 4 };
    if (q->first + AHEAD >= q->end)
        return;
    __builtin_prefetch(&part->of[q->vertex[q->first + AHEAD]]);
    const struct vertex *const next = &part->of[q->vertex[q->first + AHEAD / 2]];
    for (int32_t k = 0; k < FEW && k < next->length && next->room == OWN; k++)
        __builtin_prefetch(&part->of[next->list.own[k]]);
}

/* Removes the first vertex from the queue of a degree and returns it; -1: the queue has none. */
static int32_t first_of(struct range_elimination *part, int32_t degree) {
    struct degree_queue *const q = &part->queue[degree];
    while (q->first < q->end) {
        fetch_ahead(part, q);
        const int32_t v = q->vertex[q->first];
        const bool is_here = part->of[v].degree == degree && part->of[v].ticket == q->first;
        q->first++;
        if (is_here)
            return v;
    }
    return -1;
}

/* Allocates a list of `count` numbers from the chunks. */
static enum status take_room(struct range_elimination *part, int32_t count, int32_t **list,
                             struct error *err) {
    struct list_chunk *chunk = part->chunks;
    if (chunk == NULL || chunk->room - chunk->used < count) {
        const int32_t room = count > block_sizes.order_numbers ? count : block_sizes.order_numbers;
        void *memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, sizeof *chunk + (size_t)room * sizeof(int32_t), 1,
                                       "the order of elimination", err));
        chunk = memory;
        *chunk = (struct list_chunk){.next = part->chunks, .room = room};
        part->chunks = chunk;
    }
    *list = chunk->number + chunk->used;
    chunk->used += count;
    return STATUS_OK;
}

static enum status append(struct range_elimination *part, struct vertex *v, int32_t neighbour,
                          struct error *err) {
    if (v->length == v->room) {
        const int32_t room = 2 * v->length;
        int32_t *list;
        RETURN_ON_FAILURE(take_room(part, room, &list, err));
        memcpy(list, list_of(v), (size_t)v->length * sizeof *list);
        v->list.far = list;
        v->room = room;
    }
    list_of(v)[v->length++] = neighbour;
    return STATUS_OK;
}

/* Drops eliminated vertices from the list of v. Neighbours of a vertex that is left in a range are
 * eliminated by this range only. */
static void tidy(struct range_elimination *part, struct vertex *v) {
    int32_t *const list = list_of(v), kept = 0;
    for (int32_t k = 0; k < v->length; k++) {
        if (!is_in(part, list[k]) || part->of[list[k]].degree != ELIMINATED)
            list[kept++] = list[k];
    }
    part->work += v->length;
    v->length = kept;
}

/* Returns the set of the members of a clique that are in the list of its member k, one bit each;
 * drops v from that list. */
static inline uint64_t joined_to(struct range_elimination *part, int32_t v, const int32_t *clique,
                                 int32_t count, int32_t k) {
    struct vertex *const of = &part->of[clique[k]];
    uint64_t found = (uint64_t)1 << k;
    if (of->length > of->degree)
        tidy(part, of);
    int32_t *const list = list_of(of);
    int32_t at = -1;
    for (int32_t e = 0; e < of->length; e++) {
        const int32_t to = list[e];
        at = to == v ? e : at;
        for (int32_t i = 0; i < count; i++)
            found |= (uint64_t)(clique[i] == to) << i;
    }
    part->work += of->length;
    if (at >= 0)
        list[at] = list[--of->length];
    return found;
}

/* Eliminates v, which has `count` higher neighbours: the members of the clique whose bits in `left`
 * are set. */
static inline void take(struct range_elimination *part, int32_t v, const int32_t *clique,
                        uint64_t left, int32_t count) {
    struct vertex *const of = &part->of[v];
    part->entries += count;
    part->order[part->eliminated++] = v;
    part->work += VERTEX_WORK;
    of->degree = ELIMINATED;
    of->length = 0;
    for (; left != 0 && count <= MINIMUM_DEGREE_FEW; left &= left - 1)
        list_of(of)[of->length++] = clique[__builtin_ctzll(left)];
}

/* Joins the `count` > 0 neighbours of v to each other, and eliminates v and those neighbours that
 * have no others. */
static inline __attribute__((always_inline)) enum status
eliminate_clique(struct range_elimination *part, int32_t v, int32_t *clique, int32_t count,
                 struct error *err) {
    uint64_t joined[CLIQUE];
    const uint64_t all = ((uint64_t)1 << count) - 1;
    struct vertex *const of = part->of;
    for (int32_t i = 0; i + 1 < count; i++) { /* the longest list goes last */
        if (of[clique[i]].length > of[clique[count - 1]].length) {
            const int32_t longer = clique[i];
            clique[i] = clique[count - 1];
            clique[count - 1] = longer;
        }
    }
    take(part, v, clique, all, count);
    for (int32_t i = 0; i < count; i++) { /* a long last list is not read: the lists of the others
                                             say which of them are in it */
        if (i == count - 1 && of[clique[i]].length > LONG) {
            joined[i] = (uint64_t)1 << i;
            for (int32_t k = 0; k < i; k++)
                joined[i] |= (joined[k] >> i & 1) << k;
        } else {
            joined[i] = joined_to(part, v, clique, count, i);
        }
    }
    uint64_t left = all;
    int32_t gone = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t others = of[clique[i]].degree - 1;
        for (uint64_t missing = all & ~joined[i]; missing != 0; missing &= missing - 1)
            others++;
        of[clique[i]].degree = others;
        if (others == count - 1) {
            left &= ~((uint64_t)1 << i);
            take(part, clique[i], clique, left, count - ++gone);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if ((left >> i & 1) == 0)
            continue;
        of[clique[i]].degree -= gone;
        for (uint64_t missing = left & ~joined[i]; missing != 0; missing &= missing - 1)
            RETURN_ON_FAILURE(append(part, &of[clique[i]], clique[__builtin_ctzll(missing)], err));
        RETURN_ON_FAILURE(enqueue(part, clique[i], err));
    }
    return STATUS_OK;
}

/* Eliminates v, unless it has a neighbour outside the range, and with it the neighbours whose
 * neighbours are v and the other neighbours of v only. */
static enum status eliminate(struct range_elimination *part, int32_t v, struct error *err) {
    int32_t clique[CLIQUE];
    struct vertex *const own = &part->of[v];
    if (own->length > own->degree)
        tidy(part, own);
    const int32_t count = own->length, *const list = list_of(own);
    bool is_inside = true;
    for (int32_t i = 0; i < count; i++) {
        clique[i] = list[i];
        is_inside = is_inside && is_in(part, list[i]);
    }
    if (!is_inside)
        return STATUS_OK;
    switch (count) { /* loops whose number of rounds the compiler knows are twice as fast */
    case 0:
        take(part, v, clique, 0, 0);
        return STATUS_OK;
    case 1:
        return eliminate_clique(part, v, clique, 1, err);
    case 2:
        return eliminate_clique(part, v, clique, 2, err);
    case 3:
        return eliminate_clique(part, v, clique, 3, err);
    case 4:
        return eliminate_clique(part, v, clique, 4, err);
    default:
        return eliminate_clique(part, v, clique, count, err);
    }
}

/* Eliminates vertices of a range in the order of its queues. *reached: no vertex with up to this
 * number of neighbours is left in the queues. */
static enum status go_on(struct range_elimination *part, int32_t most, int64_t work,
                         int32_t *reached, struct error *err) {
    while (part->lowest <= most && part->work <= work) {
        const int32_t degree = part->lowest, v = first_of(part, degree);
        if (v >= 0) {
            RETURN_ON_FAILURE(eliminate(part, v, err));
            continue;
        }
        *reached = degree > *reached ? degree : *reached;
        part->lowest++;
    }
    return STATUS_OK;
}

static void part_free(struct range_elimination *part) {
    for (int32_t degree = 0; degree <= MINIMUM_DEGREE_MOST; degree++)
        memory_free(part->queue[degree].vertex);
    while (part->chunks != NULL) {
        struct list_chunk *const next = part->chunks->next;
        memory_free(part->chunks);
        part->chunks = next;
    }
}

/* Puts the vertices of a range that are left into its queues, in the order of their numbers. */
static enum status fill_queues(struct range_elimination *part, struct error *err) {
    for (int32_t degree = 0; degree <= MINIMUM_DEGREE_MOST; degree++)
        part->queue[degree].first = part->queue[degree].end = 0;
    part->lowest = 0;
    for (int32_t v = part->first; v < part->first + part->size; v++) {
        if (part->of[v].degree != ELIMINATED)
            RETURN_ON_FAILURE(enqueue(part, v, err));
    }
    return STATUS_OK;
}

enum status minimum_degree_begin(const struct pattern *p, int threads, struct minimum_degree **made,
                                 struct error *err) {
    const size_t n = (size_t)p->n;
    void *memory, *of = NULL, *order = NULL, *left = NULL;
    enum status status;
    *made = NULL;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof **made, "the order of elimination", err));
    struct minimum_degree *const md = memory;
    *md = (struct minimum_degree){.n = p->n, .reached = -1, .threads = threads};
    TRY(memory_alloc(&left, n / CHUNK + 2, sizeof *md->left, "the order of elimination", err));
    md->left = left;
    TRY(memory_alloc(&of, n, sizeof *md->of, "the order of elimination", err));
    md->of = of;
    memory_prefer_huge_pages(of, n * sizeof *md->of);
    TRY(memory_alloc(&order, n, sizeof *md->order, "the order of elimination", err));
    md->order = order;
    md->all = (struct range_elimination){.of = of, .size = p->n, .order = order};
    for (int32_t v = 0; v < p->n; v++) {
        const int32_t degree = (int32_t)(p->first[v + 1] - p->first[v]);
        if (degree > OWN)
            TRY(take_room(&md->all, degree, &md->of[v].list.far, err));
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < p->n; v++) {
        struct vertex *const to = &md->of[v];
        const int32_t degree = (int32_t)(p->first[v + 1] - p->first[v]);
        to->degree = to->length = degree;
        to->room = degree > OWN ? degree : OWN;
        memcpy(list_of(to), p->neighbour + p->first[v], (size_t)degree * sizeof(int32_t));
    }
    *made = md;

cleanup:
    if (status != STATUS_OK)
        minimum_degree_free(md);
    return status;
}

/* Eliminates vertices of one block, and hands the memory of lists that do not fit into their
 * vertices to `all`. */
static enum status start_block(struct minimum_degree *md, int32_t first, int32_t size, int32_t most,
                               int32_t *eliminated, struct error *err) {
    struct range_elimination part = {
        .of = md->of, .first = first, .size = size, .order = md->order + first};
    int32_t ignored = -1;
    enum status status;
    TRY(fill_queues(&part, err));
    status = go_on(&part, most, INT64_MAX, &ignored, err);

cleanup:
    *eliminated = part.eliminated;
#pragma omp critical
    {
        struct list_chunk **last = &part.chunks;
        while (*last != NULL)
            last = &(*last)->next;
        *last = md->all.chunks;
        md->all.chunks = part.chunks;
        md->all.work += part.work;
        md->all.entries += part.entries;
    }
    part.chunks = NULL;
    part_free(&part);
    return status;
}

enum status minimum_degree_start(struct minimum_degree *md, int32_t most, int32_t largest,
                                 struct error *err) {
    const int32_t blocks = (md->n - 1) / largest + 1, size = (md->n - 1) / blocks + 1;
    struct lowest_failure failed;
    void *memory;
    if (blocks == 1)
        return STATUS_OK;
    lowest_failure_begin(&failed);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)blocks + 1, sizeof(int32_t), "the order", err));
    md->block = memory;
    int32_t *const eliminated = md->block + 1;
    memset(md->block, 0, ((size_t)blocks + 1) * sizeof(int32_t));
    for (int32_t b = 0; b < blocks; b++) {
#pragma omp task firstprivate(b) shared(failed)
        {
            const int32_t first = b * size, left = md->n - first;
            struct error own;
            const enum status found =
                start_block(md, first, left < size ? left : size, most, &eliminated[b], &own);
            if (found != STATUS_OK)
                lowest_failure_note(&failed, b, found, &own);
        }
    }
#pragma omp taskwait
    for (int32_t b = 0; b < blocks; b++) {
        memmove(md->order + md->all.eliminated, md->order + (size_t)b * (size_t)size,
                (size_t)eliminated[b] * sizeof *md->order);
        md->all.eliminated += eliminated[b];
        eliminated[b] = md->all.eliminated;
    }
    md->blocks = blocks;
    return lowest_failure_end(&failed, err);
}

int32_t minimum_degree_blocks(const struct minimum_degree *md, const int32_t **first) {
    *first = md->block;
    return md->blocks;
}

enum status minimum_degree_go_on(struct minimum_degree *md, int32_t most, int64_t work,
                                 struct error *err) {
    if (!md->is_queued)
        RETURN_ON_FAILURE(fill_queues(&md->all, err));
    md->is_queued = true;
    return go_on(&md->all, most, work, &md->reached, err);
}

int32_t minimum_degree_eliminated(const struct minimum_degree *md) {
    return md->all.eliminated;
}

int32_t minimum_degree_reached(const struct minimum_degree *md) {
    return md->reached;
}

int64_t minimum_degree_entries(const struct minimum_degree *md) {
    return md->all.entries;
}

/* Counts the vertices that are left by chunks. Returns the number of chunks. */
static int32_t count_left(const struct minimum_degree *md) {
    const int32_t chunks = (md->n - 1) / CHUNK + 1;
#pragma omp parallel for num_threads(md->threads) schedule(static)
    for (int32_t c = 0; c < chunks; c++) {
        const int32_t end = md->n - c * CHUNK < CHUNK ? md->n : (c + 1) * CHUNK;
        int32_t vertices = 0;
        int64_t entries = 0;
        for (int32_t v = c * CHUNK; v < end; v++) {
            vertices += md->of[v].degree != ELIMINATED;
            entries += md->of[v].degree != ELIMINATED ? md->of[v].degree : 0;
        }
        md->left[c + 1] = (struct left){vertices, entries};
    }
    md->left[0] = (struct left){0, 0};
    for (int32_t c = 0; c < chunks; c++) {
        md->left[c + 1].vertices += md->left[c].vertices;
        md->left[c + 1].entries += md->left[c].entries;
    }
    return chunks;
}

int64_t minimum_degree_rest_entries(const struct minimum_degree *md) {
    return md->left[count_left(md)].entries;
}

int64_t minimum_degree_work(const struct minimum_degree *md) {
    return md->all.work;
}

void minimum_degree_order(const struct minimum_degree *md, int32_t *vertex) {
    const int32_t eliminated = md->all.eliminated, chunks = count_left(md);
    memcpy(vertex, md->order, (size_t)eliminated * sizeof *vertex);
#pragma omp parallel for num_threads(md->threads) schedule(static)
    for (int32_t c = 0; c < chunks; c++) {
        int32_t at = eliminated + md->left[c].vertices;
        for (int32_t v = c * CHUNK; at < eliminated + md->left[c + 1].vertices; v++) {
            if (md->of[v].degree != ELIMINATED)
                vertex[at++] = v;
        }
    }
}

enum status minimum_degree_rest(const struct minimum_degree *md, struct pattern *rest,
                                struct error *err) {
    const int32_t n = md->n - md->all.eliminated, chunks = count_left(md);
    const int64_t entries = md->left[chunks].entries;
    void *numbers = NULL, *first = NULL, *neighbour = NULL;
    enum status status;
    TRY(memory_alloc(&numbers, (size_t)md->n, sizeof(int32_t), "the core's pattern", err));
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the core's pattern", err));
    TRY(memory_alloc(&neighbour, (size_t)entries, sizeof(int32_t), "the core's pattern", err));
    *rest = (struct pattern){.n = n, .first = first, .neighbour = neighbour};
    first = neighbour = NULL;
    int32_t *const number = numbers;
    rest->first[n] = entries;
#pragma omp parallel num_threads(md->threads)
    {
#pragma omp for schedule(static)
        for (int32_t c = 0; c < chunks; c++) {
            int32_t k = md->left[c].vertices;
            for (int32_t v = c * CHUNK; k < md->left[c + 1].vertices; v++) {
                if (md->of[v].degree != ELIMINATED)
                    number[v] = k++;
            }
        }
#pragma omp for schedule(dynamic, 1)
        for (int32_t c = 0; c < chunks; c++) {
            int32_t k = md->left[c].vertices;
            int64_t at = md->left[c].entries;
            for (int32_t v = c * CHUNK; k < md->left[c + 1].vertices; v++) {
                struct vertex *const of = &md->of[v];
                const int32_t *const list = list_of(of);
                if (of->degree == ELIMINATED)
                    continue;
                rest->first[k++] = at;
                int32_t *const to = rest->neighbour + at;
                for (int32_t e = 0; e < of->length; e++) {
                    if (md->of[list[e]].degree != ELIMINATED)
                        rest->neighbour[at++] = number[list[e]];
                }
                sort_numbers(to, rest->neighbour + at - to);
            }
        }
    }

cleanup:
    memory_free(numbers);
    memory_free(first);
    memory_free(neighbour);
    return status;
}

uint64_t minimum_degree_memory(int32_t n, int64_t entries) {
    const uint64_t vertex = sizeof(struct vertex) + 16 * sizeof(int32_t);
    return memory_add((uint64_t)n * vertex, memory_times((uint64_t)entries, 4 * sizeof(int32_t)));
}

void minimum_degree_free(struct minimum_degree *md) {
    if (md == NULL)
        return;
    part_free(&md->all);
    memory_free(md->of);
    memory_free(md->order);
    memory_free(md->left);
    memory_free(md->block);
    memory_free(md);
}
