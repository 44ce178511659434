// SPDX-License-Identifier: MIT
#include "dissection/minimum_degree.h"

#include "common/base/memory.h" // memory_alloc

#include <stdbool.h>
#include <string.h>

enum {
    OWN = 11,        /* neighbours that a vertex has room for */
    LONG = 64,       /* longer lists may keep eliminated vertices */
    CLIQUE = 64,     /* more neighbours than a vertex that is eliminated has */
    VERTEX_WORK = 8, /* of an elimination, beside its neighbours */
    ELIMINATED = -1
};
_Static_assert((int)MINIMUM_DEGREE_MOST < (int)CLIQUE, "cliques are sets of 64 bits");

/* Of a vertex. It fills a cache line, because vertices are visited in any order. */
struct vertex {
    int32_t degree; /* neighbours that are left, or ELIMINATED */
    int32_t length; /* of the list of neighbours */
    int32_t room;   /* of that list; OWN: it is `own`, otherwise it lies in `lists` from `start` */
    int32_t ticket; /* where the vertex stands in the queue of its degree */
    union {
        int32_t own[OWN];
        int64_t start;
    } list;
};

/* Vertices in the order in which they got this degree. One that has another degree or another
 * ticket now is not there any more. */
struct queue {
    int32_t *vertex;
    int32_t first, end, room;
};

struct minimum_degree {
    int32_t n, eliminated, reached;
    int64_t work, entries;
    struct vertex *of;
    int32_t *order;
    int32_t *lists;
    int64_t used, room; /* of the lists */
    struct queue queue[MINIMUM_DEGREE_MOST + 1];
};

static int32_t *list_of(const struct minimum_degree *md, struct vertex *v) {
    return v->room == OWN ? v->list.own : md->lists + v->list.start;
}

static enum status enqueue(struct minimum_degree *md, int32_t v, struct error *err) {
    struct vertex *const of = &md->of[v];
    if (of->degree > MINIMUM_DEGREE_MOST)
        return STATUS_OK;
    struct queue *const q = &md->queue[of->degree];
    if (q->end == q->room) {
        const int32_t room = q->room + q->room / 2 + 1024;
        void *memory = q->vertex;
        RETURN_ON_FAILURE(memory_resize(&memory, (size_t)room, sizeof *q->vertex,
                                        "the order of elimination", err));
        q->vertex = memory;
        q->room = room;
    }
    of->ticket = q->end;
    q->vertex[q->end++] = v;
    return STATUS_OK;
}

/* Has the caches fetch what the vertices that come soon need. */
static inline void fetch_ahead(const struct minimum_degree *md, const struct queue *q) {
    enum { AHEAD = 8, FEW = 4 };
    if (q->first + AHEAD >= q->end)
        return;
    __builtin_prefetch(&md->of[q->vertex[q->first + AHEAD]]);
    const struct vertex *const next = &md->of[q->vertex[q->first + AHEAD / 2]];
    for (int32_t k = 0; k < FEW && k < next->length && next->room == OWN; k++)
        __builtin_prefetch(&md->of[next->list.own[k]]);
}

/* The first vertex of that degree, or -1. */
static int32_t first_of(struct minimum_degree *md, int32_t degree) {
    struct queue *const q = &md->queue[degree];
    for (; q->first < q->end; q->first++) {
        fetch_ahead(md, q);
        const int32_t v = q->vertex[q->first];
        if (md->of[v].degree == degree && md->of[v].ticket == q->first)
            return v;
    }
    return -1;
}

/* Makes room in `lists` for so many more numbers. */
static enum status reserve(struct minimum_degree *md, int64_t more, struct error *err) {
    void *memory = md->lists;
    if (md->used + more <= md->room)
        return STATUS_OK;
    const int64_t room = md->room + md->room / 2 + more;
    RETURN_ON_FAILURE(
        memory_resize(&memory, (size_t)room, sizeof *md->lists, "the order of elimination", err));
    md->lists = memory;
    md->room = room;
    return STATUS_OK;
}

static enum status append(struct minimum_degree *md, struct vertex *v, int32_t neighbour,
                          struct error *err) {
    if (v->length == v->room) {
        const int32_t room = 2 * v->length;
        RETURN_ON_FAILURE(reserve(md, room, err));
        memcpy(md->lists + md->used, list_of(md, v), (size_t)v->length * sizeof(int32_t));
        v->list.start = md->used;
        v->room = room;
        md->used += room;
    }
    list_of(md, v)[v->length++] = neighbour;
    return STATUS_OK;
}

/* Drops eliminated vertices from a list. */
static void tidy(struct minimum_degree *md, struct vertex *v) {
    int32_t *const list = list_of(md, v), kept = 0;
    for (int32_t k = 0; k < v->length; k++) {
        if (md->of[list[k]].degree != ELIMINATED)
            list[kept++] = list[k];
    }
    md->work += v->length;
    v->length = kept;
}

/* Which of the clique are in the list of its member k; drops v from it. */
static uint64_t joined_to(struct minimum_degree *md, int32_t v, const int32_t *clique,
                          int32_t count, int32_t k) {
    struct vertex *const of = &md->of[clique[k]];
    uint64_t found = (uint64_t)1 << k, some = (uint64_t)1 << (v & 63);
    if (of->length > of->degree)
        tidy(md, of);
    for (int32_t i = 0; i < count; i++)
        some |= (uint64_t)1 << (clique[i] & 63);
    int32_t *const list = list_of(md, of);
    for (int32_t e = 0; e < of->length; e++) {
        const int32_t to = list[e];
        if ((some >> (to & 63) & 1) == 0)
            continue;
        if (to == v) {
            list[e--] = list[--of->length];
            continue;
        }
        for (int32_t i = 0; i < count; i++)
            found |= (uint64_t)(clique[i] == to) << i;
    }
    md->work += of->length;
    return found;
}

/* Eliminates v, which so many others are joined to. */
static void take(struct minimum_degree *md, int32_t v, int32_t count) {
    md->entries += count;
    md->of[v].degree = ELIMINATED;
    md->order[md->eliminated++] = v;
    md->work += VERTEX_WORK;
}

/* Joins each two neighbours of v, and eliminates it and those that have no others. */
static enum status eliminate(struct minimum_degree *md, int32_t v, struct error *err) {
    int32_t clique[CLIQUE];
    uint64_t joined[CLIQUE];
    struct vertex *const own = &md->of[v];
    if (own->length > own->degree)
        tidy(md, own);
    const int32_t count = own->length;
    const uint64_t all = ((uint64_t)1 << count) - 1;
    memcpy(clique, list_of(md, own), (size_t)count * sizeof *clique);
    for (int32_t i = 0; i + 1 < count; i++) { /* the longest list last, */
        if (md->of[clique[i]].length > md->of[clique[count - 1]].length) {
            const int32_t longer = clique[i];
            clique[i] = clique[count - 1];
            clique[count - 1] = longer;
        }
    }
    take(md, v, count);
    for (int32_t i = 0; i < count; i++) { /* because the others say which of them are in it */
        if (i == count - 1 && md->of[clique[i]].length > LONG) {
            joined[i] = (uint64_t)1 << i;
            for (int32_t k = 0; k < i; k++)
                joined[i] |= (joined[k] >> i & 1) << k;
        } else {
            joined[i] = joined_to(md, v, clique, count, i);
        }
    }
    uint64_t left = 0;
    int32_t gone = 0;
    for (int32_t i = 0; i < count; i++) {
        struct vertex *const of = &md->of[clique[i]];
        const uint64_t missing = all & ~joined[i];
        of->degree += __builtin_popcountll(missing) - 1;
        if (of->degree == count - 1)
            take(md, clique[i], count - ++gone);
        else
            left |= (uint64_t)1 << i;
    }
    for (int32_t i = 0; i < count; i++) {
        struct vertex *const of = &md->of[clique[i]];
        if ((left >> i & 1) == 0)
            continue;
        of->degree -= gone;
        for (uint64_t missing = left & ~joined[i]; missing != 0; missing &= missing - 1)
            RETURN_ON_FAILURE(append(md, of, clique[__builtin_ctzll(missing)], err));
        RETURN_ON_FAILURE(enqueue(md, clique[i], err));
    }
    return STATUS_OK;
}

enum status minimum_degree_begin(const struct pattern *p, struct minimum_degree **made,
                                 struct error *err) {
    const size_t n = (size_t)p->n;
    void *memory, *of = NULL, *order = NULL;
    enum status status;
    *made = NULL;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof **made, "the order of elimination", err));
    struct minimum_degree *const md = memory;
    *md = (struct minimum_degree){.n = p->n, .reached = -1};
    TRY(memory_alloc(&of, n, sizeof *md->of, "the order of elimination", err));
    md->of = of;
    memory_prefer_huge_pages(of, n * sizeof *md->of);
    TRY(memory_alloc(&order, n, sizeof *md->order, "the order of elimination", err));
    md->order = order;
    int64_t entries = 0;
    for (size_t v = 0; v < n; v++) {
        const int64_t degree = p->first[v + 1] - p->first[v];
        entries += degree > OWN ? degree : 0;
    }
    TRY(reserve(md, entries + p->n / 8, err));
    for (int32_t v = 0; v < p->n; v++) {
        struct vertex *const to = &md->of[v];
        const int32_t degree = (int32_t)(p->first[v + 1] - p->first[v]);
        *to = (struct vertex){degree, degree, degree > OWN ? degree : OWN, 0, {{0}}};
        if (degree > OWN) {
            to->list.start = md->used;
            md->used += degree;
        }
        memcpy(list_of(md, to), p->neighbour + p->first[v], (size_t)degree * sizeof(int32_t));
        TRY(enqueue(md, v, err));
    }
    *made = md;

cleanup:
    if (status != STATUS_OK)
        minimum_degree_free(md);
    return status;
}

enum status minimum_degree_go_on(struct minimum_degree *md, int32_t most, int64_t work,
                                 struct error *err) {
    int32_t degree = 0;
    while (degree <= most && md->work <= work) {
        const int32_t v = first_of(md, degree);
        if (v < 0) {
            md->reached = degree > md->reached ? degree : md->reached;
            degree++;
            continue;
        }
        RETURN_ON_FAILURE(eliminate(md, v, err));
        degree = 0;
    }
    return STATUS_OK;
}

int32_t minimum_degree_eliminated(const struct minimum_degree *md) {
    return md->eliminated;
}

int32_t minimum_degree_reached(const struct minimum_degree *md) {
    return md->reached;
}

int64_t minimum_degree_entries(const struct minimum_degree *md) {
    return md->entries;
}

int64_t minimum_degree_rest_entries(const struct minimum_degree *md) {
    int64_t entries = 0;
    for (int32_t v = 0; v < md->n; v++)
        entries += md->of[v].degree != ELIMINATED ? md->of[v].degree : 0;
    return entries;
}

int64_t minimum_degree_work(const struct minimum_degree *md) {
    return md->work;
}

void minimum_degree_order(const struct minimum_degree *md, int32_t *vertex) {
    int32_t at = md->eliminated;
    memcpy(vertex, md->order, (size_t)at * sizeof *vertex);
    for (int32_t v = 0; v < md->n; v++) {
        if (md->of[v].degree != ELIMINATED)
            vertex[at++] = v;
    }
}

enum status minimum_degree_rest(const struct minimum_degree *md, struct pattern *rest,
                                struct error *err) {
    const int32_t n = md->n - md->eliminated;
    void *number_memory = NULL, *first = NULL, *neighbour = NULL, *end_memory = NULL;
    int64_t entries = 0;
    enum status status;
    TRY(memory_alloc(&number_memory, (size_t)md->n, sizeof(int32_t), "the core's pattern", err));
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the core's pattern", err));
    TRY(memory_alloc(&end_memory, (size_t)n, sizeof(int64_t), "the core's pattern", err));
    int32_t *const number = number_memory;
    int64_t *const end = end_memory;
    *rest = (struct pattern){.n = n, .first = first};
    for (int32_t v = 0, k = 0; v < md->n; v++) {
        if (md->of[v].degree == ELIMINATED)
            continue;
        number[v] = k;
        rest->first[k] = end[k] = entries;
        entries += md->of[v].degree;
        k++;
    }
    rest->first[n] = entries;
    TRY(memory_alloc(&neighbour, (size_t)entries, sizeof(int32_t), "the core's pattern", err));
    rest->neighbour = neighbour;
    first = neighbour = NULL;
    for (int32_t v = 0; v < md->n; v++) { /* ascending, as are the lists to which they go */
        struct vertex *const of = &md->of[v];
        const int32_t *const list = list_of(md, of);
        for (int32_t e = 0; e < of->length && of->degree != ELIMINATED; e++) {
            if (md->of[list[e]].degree != ELIMINATED)
                rest->neighbour[end[number[list[e]]]++] = number[v];
        }
    }

cleanup:
    memory_free(number_memory);
    memory_free(end_memory);
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
    memory_free(md->of);
    memory_free(md->order);
    memory_free(md->lists);
    for (int32_t degree = 0; degree <= MINIMUM_DEGREE_MOST; degree++)
        memory_free(md->queue[degree].vertex);
    memory_free(md);
}
