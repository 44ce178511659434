#include "cpu/arcs.h"

#include "common/memory.h" // memory_alloc

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Edges; fewer are laid out sooner than another thread wakes up. */
enum { WORTH_A_THREAD = 1 << 16 };

/* Stable sort of `count` edges by weight, 11 bits at a time; the weights are >= 0. Returns
 * where they are then, in `edges` or in `spare`. */
static struct edge *sort_by_weight(struct edge *edges, struct edge *spare, int64_t count,
                                   int32_t max_weight) {
    enum { BITS = 11, DIGITS = 1 << BITS };
    for (int shift = 0; shift < 31 && max_weight >> shift > 0; shift += BITS) {
        int64_t first[DIGITS + 1] = {0};
        for (int64_t e = 0; e < count; e++)
            first[(edges[e].weight >> shift) % DIGITS + 1]++;
        for (int digit = 0; digit < DIGITS; digit++)
            first[digit + 1] += first[digit];
        for (int64_t e = 0; e < count; e++)
            spare[first[(edges[e].weight >> shift) % DIGITS]++] = edges[e];
        struct edge *sorted = spare;
        spare = edges;
        edges = sorted;
    }
    return edges;
}

/* Counted ends of edges, count[v + 1] for number v, become the starts of rows. */
static void start_rows(int64_t *count, int32_t n) {
    for (int32_t v = 0; v < n; v++)
        count[v + 1] += count[v];
}

/* Filling a row moves its start to its end, which is where the next one starts. */
static void restore_starts(int64_t *first, int32_t n) {
    memmove(first + 1, first, (size_t)n * sizeof *first);
    first[0] = 0;
}

static void fill_in(const struct edge *edges, const int32_t *number, struct arcs *arcs) {
    memset(arcs->in_first, 0, ((size_t)arcs->n + 1) * sizeof *arcs->in_first);
    for (int64_t e = 0; e < arcs->m; e++)
        arcs->in_first[number[edges[e].to] + 1]++;
    start_rows(arcs->in_first, arcs->n);
    for (int64_t e = 0; e < arcs->m; e++) {
        const int64_t at = arcs->in_first[number[edges[e].to]]++;
        arcs->in[at] = (struct arc){number[edges[e].from], edges[e].weight};
        arcs->in_tail[at] = edges[e].from;
    }
    restore_starts(arcs->in_first, arcs->n);
}

static void fill_out(const struct edge *edges, const int32_t *number, struct arcs *arcs) {
    memset(arcs->out_first, 0, ((size_t)arcs->n + 1) * sizeof *arcs->out_first);
    for (int64_t e = 0; e < arcs->m; e++)
        arcs->out_first[number[edges[e].from] + 1]++;
    start_rows(arcs->out_first, arcs->n);
    for (int64_t e = 0; e < arcs->m; e++)
        arcs->out[arcs->out_first[number[edges[e].from]]++] =
            (struct arc){number[edges[e].to], edges[e].weight};
    restore_starts(arcs->out_first, arcs->n);
}

/* `out` must be rows of vertices, not yet of numbers. path (n) and next (n) are scratch. */
static void number_vertices(struct arcs *arcs, int32_t *path, int64_t *next) {
    int32_t left = arcs->n; /* vertices without a number, which they get from the last one down */
    for (int32_t v = 0; v < arcs->n; v++)
        next[v] = -1; /* not met */
    for (int32_t start = 0; start < arcs->n; start++) {
        if (next[start] >= 0)
            continue;
        int32_t depth = 0;
        next[start] = arcs->out_first[start];
        path[depth++] = start;
        while (depth > 0) {
            const int32_t v = path[depth - 1];
            if (next[v] == arcs->out_first[v + 1]) {
                arcs->vertex[--left] = v;
                depth--;
                continue;
            }
            const int32_t to = arcs->out[next[v]++].end;
            if (next[to] < 0) {
                next[to] = arcs->out_first[to];
                path[depth++] = to;
            }
        }
    }
    for (int32_t k = 0; k < arcs->n; k++)
        arcs->number[arcs->vertex[k]] = k;
}

static enum status arcs_alloc(const struct graph *g, struct arcs *arcs, struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *vertices, *starts = NULL, *ends = NULL, *tails = NULL;
    *arcs = (struct arcs){.n = g->n, .m = g->m};
    enum status status = memory_alloc(&vertices, 2 * n, sizeof *arcs->vertex, "the arcs", err);
    if (status == STATUS_OK)
        status = memory_alloc(&starts, 2 * (n + 1), sizeof *arcs->in_first, "the arcs", err);
    if (status == STATUS_OK)
        status = memory_alloc(&ends, 2 * m, sizeof *arcs->in, "the arcs", err);
    if (status == STATUS_OK)
        status = memory_alloc(&tails, m, sizeof *arcs->in_tail, "the arcs", err);
    arcs->vertex = vertices;
    arcs->in_first = starts;
    arcs->in = ends;
    arcs->in_tail = tails;
    if (status != STATUS_OK)
        return status;
    arcs->number = arcs->vertex + n;
    arcs->out_first = arcs->in_first + n + 1;
    arcs->out = arcs->in + m;
    return STATUS_OK;
}

enum status arcs_build(const struct graph *g, int threads, struct arcs *arcs, struct error *err) {
    void *lists = NULL, *path = NULL, *next = NULL;
    enum status status = arcs_alloc(g, arcs, err);
    if (status == STATUS_OK)
        status = memory_alloc(&lists, 2 * (size_t)g->m, sizeof(struct edge), "the edges", err);
    if (status == STATUS_OK)
        status = memory_alloc(&path, (size_t)g->n, sizeof(int32_t), "the arcs", err);
    if (status == STATUS_OK)
        status = memory_alloc(&next, (size_t)g->n, sizeof(int64_t), "the arcs", err);
    if (status == STATUS_OK) {
        struct edge *edges = lists;
        for (int32_t u = 0; u < g->n; u++) {
            arcs->number[u] = u;
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
                edges[e] = (struct edge){u, g->head[e], g->weight[e]};
        }
        edges = sort_by_weight(edges, edges + g->m, g->m, g->max_weight);
        fill_out(edges, arcs->number, arcs); /* in which every vertex is its own number */
        number_vertices(arcs, path, next);
#pragma omp parallel sections num_threads(threads > 1 && g->m >= WORTH_A_THREAD ? 2 : 1)
        {
#pragma omp section
            fill_in(edges, arcs->number, arcs);
#pragma omp section
            fill_out(edges, arcs->number, arcs);
        }
    }
    free(lists);
    free(path);
    free(next);
    if (status != STATUS_OK)
        arcs_free(arcs);
    return status;
}

void arcs_free(struct arcs *arcs) {
    free(arcs->vertex); /* with the array behind it, as the next two */
    free(arcs->in_first);
    free(arcs->in);
    free(arcs->in_tail);
    *arcs = (struct arcs){0};
}

/* A breadth-first search over edges of either direction. */
struct search {
    const struct arcs *arcs;
    int32_t *queue;
    int32_t *met_by; /* of each vertex the last group whose search met it; TAKEN if it has one */
    int32_t head, tail;
};

enum { NEVER = -1, TAKEN = -2 };

static void meet(struct search *s, int32_t v, int32_t group) {
    if (s->met_by[v] == TAKEN || s->met_by[v] == group)
        return;
    s->met_by[v] = group;
    s->queue[s->tail++] = v;
}

enum status arcs_group(const struct arcs *arcs, int32_t size, int32_t *order, struct error *err) {
    const int32_t n = arcs->n;
    int32_t ordered = 0, seed = 0;
    void *scratch;
    enum status status =
        memory_alloc(&scratch, 2 * (size_t)n, sizeof(int32_t), "the groups of sources", err);
    if (status != STATUS_OK)
        return status;
    struct search s = {.arcs = arcs, .queue = scratch, .met_by = (int32_t *)scratch + n};
    for (int32_t v = 0; v < n; v++)
        s.met_by[v] = NEVER;
    for (int32_t group = 0; ordered < n; group++) {
        const int32_t end = n - ordered < size ? n : ordered + size;
        /* What the last search met and left over is next to what it took. */
        int32_t beside = s.tail > s.head ? s.queue[s.head] : NEVER;
        s.head = s.tail = 0;
        while (ordered < end) {
            if (s.head == s.tail) {
                while (s.met_by[seed] == TAKEN)
                    seed++;
                meet(&s, beside >= 0 ? beside : seed, group);
                beside = NEVER;
            }
            const int32_t v = s.queue[s.head++];
            s.met_by[v] = TAKEN;
            order[ordered++] = v;
            for (int64_t e = arcs->out_first[v]; e < arcs->out_first[v + 1]; e++)
                meet(&s, arcs->out[e].end, group);
            for (int64_t e = arcs->in_first[v]; e < arcs->in_first[v + 1]; e++)
                meet(&s, arcs->in[e].end, group);
        }
    }
    free(scratch);
    return STATUS_OK;
}
