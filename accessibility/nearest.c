// SPDX-License-Identifier: MIT
#include "accessibility/nearest.h"

#include "accessibility/exact.h"     // struct exact
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc, memory_resize

#include <math.h>
#include <string.h>

static const char what[] = "nearest";

/* A path from a vertex to a facility. */
struct facility_path {
    double distance;
    int32_t facility, vertex;
};

/* A binary heap. Entries stay in it after their vertices are settled by other paths. */
struct facility_heap {
    struct facility_path *entry;
    int64_t count, room;
};

struct nearest_search {
    const struct nearest_request *request;
    struct graph into; /* reversed graph, of float64 */
    struct facility_heap queue;
    int32_t *settled; /* number of facilities found so far for each vertex, n entries */
    struct nearest *found;
};

/* Orders paths by distance, then by the order of facilities. */
static bool is_before(const struct facility_path *a, const struct facility_path *b) {
    return a->distance < b->distance || (a->distance == b->distance && a->facility < b->facility);
}

static enum status push(struct facility_heap *q, struct facility_path entry, struct error *err) {
    if (q->count == q->room) {
        const int64_t room = q->room == 0 ? block_sizes.first_edges : q->room + q->room / 2;
        void *memory = q->entry;
        RETURN_ON_FAILURE(memory_resize(&memory, (size_t)room, sizeof entry, what, err));
        q->entry = memory;
        q->room = room;
    }
    int64_t at = q->count++;
    for (; at > 0 && is_before(&entry, &q->entry[(at - 1) / 2]); at = (at - 1) / 2)
        q->entry[at] = q->entry[(at - 1) / 2];
    q->entry[at] = entry;
    return STATUS_OK;
}

/* Takes the first entry out of the heap, which must not be empty. */
static struct facility_path pop(struct facility_heap *q) {
    const struct facility_path first = q->entry[0], last = q->entry[--q->count];
    int64_t at = 0;
    for (int64_t child = 1; child < q->count; child = 2 * at + 1) {
        child += child + 1 < q->count && is_before(&q->entry[child + 1], &q->entry[child]);
        if (!is_before(&q->entry[child], &last))
            break;
        q->entry[at] = q->entry[child];
        at = child;
    }
    if (q->count > 0)
        q->entry[at] = last;
    return first;
}

/* Returns whether a path to a facility is of no use, because the vertex has k facilities already,
 * or this one. All that the vertex has come before it in the order of paths. */
static bool is_settled(const struct nearest_search *s, int32_t vertex, int32_t facility) {
    const int32_t k = s->request->k, count = s->settled[vertex];
    const int32_t *const own = s->found->facility + (size_t)vertex * (size_t)k;
    for (int32_t i = 0; i < count; i++) {
        if (own[i] == facility)
            return true;
    }
    return count == k;
}

/* Takes paths out of the queue and extends them, in their order. All weights are >= 0, so no
 * extended path comes before the one taken. */
static enum status search(struct nearest_search *s, struct error *err) {
    enum { OFTEN = 1024 }; /* number of settled vertices between two reports of progress */
    const struct nearest_request *const r = s->request;
    const int32_t k = r->k, most = k < r->facilities ? k : r->facilities;
    const int64_t all = (int64_t)s->into.n * most;
    int64_t done = 0;
    for (int32_t f = 0; f < r->facilities; f++)
        RETURN_ON_FAILURE(push(&s->queue, (struct facility_path){0, f, r->facility[f]}, err));
    while (s->queue.count > 0) {
        const struct facility_path own = pop(&s->queue);
        if (is_settled(s, own.vertex, own.facility))
            continue;
        const size_t at = (size_t)own.vertex * (size_t)k + (size_t)s->settled[own.vertex]++;
        s->found->facility[at] = own.facility;
        s->found->distance[at] = own.distance;
        if (++done % OFTEN == 0 && !progress_report(r->progress, done, all))
            return progress_cancelled(err);
        for (int64_t e = s->into.first[own.vertex]; e < s->into.first[own.vertex + 1]; e++) {
            const struct facility_path next = {own.distance + s->into.real_weight[e], own.facility,
                                               s->into.head[e]};
            if (!is_settled(s, next.vertex, next.facility))
                RETURN_ON_FAILURE(push(&s->queue, next, err));
        }
    }
    progress_report(r->progress, all, all);
    return STATUS_OK;
}

static enum status alloc(struct nearest_search *s, struct error *err) {
    const size_t n = (size_t)s->into.n, cells = n * (size_t)s->request->k;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *s->settled, what, err));
    s->settled = memset(memory, 0, n * sizeof *s->settled);
    RETURN_ON_FAILURE(memory_alloc(&memory, n, (size_t)s->request->k * sizeof(int32_t), what, err));
    s->found->facility = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, (size_t)s->request->k * sizeof(double), what, err));
    s->found->distance = memory;
    for (size_t i = 0; i < cells; i++) {
        s->found->facility[i] = -1;
        s->found->distance[i] = (double)INFINITY;
    }
    return STATUS_OK;
}

enum status nearest_find(const struct nearest_request *request, struct nearest *found,
                         struct error *err) {
    struct nearest_search s = {.request = request, .found = found};
    struct exact x;
    enum status status;
    *found = (struct nearest){.facility = NULL};
    TRY(exact_open(what, request->graph, &x, err));
    TRY(graph_reverse(x.wide, &s.into, err));
    TRY(alloc(&s, err));
    TRY(search(&s, err));

cleanup:
    if (status != STATUS_OK)
        nearest_free(found);
    memory_free(s.queue.entry);
    memory_free(s.settled);
    graph_free(&s.into);
    exact_close(&x);
    return status;
}

void nearest_free(struct nearest *nearest) {
    memory_free(nearest->facility);
    memory_free(nearest->distance);
    *nearest = (struct nearest){.facility = NULL};
}
