// SPDX-License-Identifier: MIT
#include "solve/real_cycles.h"

#include "common/base/memory.h" // memory_alloc

#include <stdbool.h>
#include <string.h>

/* Returns a + b rounded, and stores the rounding error in *rest. (Knuth's TwoSum.) */
static double add_exactly(double a, double b, double *rest) {
    const double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    *rest = (a - of_a) + (b - of_b);
    return sum;
}

/* Keeps numbers that do not overlap, in ascending order, at the front of the array, and adds the
 * next number to them. (Shewchuk 1997, Grow-Expansion.) */
double sum_exactly(double *numbers, int32_t count) {
    int32_t parts = 0;
    double sum = 0;
    for (int32_t k = 0; k < count; k++) {
        double carried = numbers[k];
        int32_t kept = 0;
        for (int32_t part = 0; part < parts; part++) {
            double rest;
            carried = add_exactly(numbers[part], carried, &rest);
            if (rest != 0)
                numbers[kept++] = rest;
        }
        numbers[kept++] = carried;
        parts = kept;
    }
    /* The largest part is larger than the sum of all others. */
    for (int32_t part = 0; part < parts; part++)
        sum += numbers[part];
    return sum;
}

/* State of the search. A vertex's parent is the tail of the edge that lowered its label last. */
struct real_cycle_search {
    const struct graph *g;
    double *label;   /* n: length of some path to each vertex, rounded */
    int32_t *parent; /* n: parent of each vertex; -1: none */
    int32_t *mark;   /* n: scratch */
    int32_t *walk;   /* n: scratch */
};

/* Relaxes every edge; returns whether a label fell. */
static bool relax_all(struct real_cycle_search *s, const struct progress *progress) {
    const struct graph *const g = s->g;
    bool fell = false;
    for (int32_t u = 0; u < g->n && progress_goes_on(progress); u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const double through = number_rounded(g->type, s->label[u] + g->real_weight[e]);
            if (through >= s->label[v])
                continue;
            s->label[v] = through;
            s->parent[v] = u;
            fell = true;
        }
    }
    return fell;
}

/* Returns a vertex on a cycle of parents, or -1. O(n). */
static int32_t find_on_cycle(struct real_cycle_search *s) {
    const int32_t n = s->g->n;
    memset(s->mark, 0, (size_t)n * sizeof *s->mark);
    for (int32_t v = 0; v < n; v++) {
        int32_t at = v;
        while (at >= 0 && s->mark[at] == 0) {
            s->mark[at] = v + 1;
            at = s->parent[at];
        }
        if (at >= 0 && s->mark[at] == v + 1)
            return at;
    }
    return -1;
}

/* Returns the status for the cycle of parents through vertex `on`, by its exact sum. */
static enum status judge(struct real_cycle_search *s, int32_t on, struct cycle *cycle,
                         struct error *err) {
    const struct graph *const g = s->g;
    int32_t length = 0, at = on;
    char text[sizeof err->text - 200];
    void *memory;
    do { /* against the direction of the edges */
        s->walk[length++] = at;
        at = s->parent[at];
    } while (at != on);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)length, sizeof *cycle->vertices, "the cycle", err));
    cycle->vertices = memory;
    cycle->length = length;
    for (int32_t k = 0; k < length; k++)
        cycle->vertices[k] = s->walk[length - 1 - k];
    for (int32_t k = 0; k < length; k++)
        s->label[k] = g->real_weight[graph_find_edge(g, cycle->vertices[k],
                                                     cycle->vertices[(k + 1) % length])];
    cycle->real_weight = sum_exactly(s->label, length);
    if (cycle->real_weight < 0)
        return cycle_refuse(g, cycle, err);
    return fail(err, STATUS_BAD_INPUT,
                "weights below 0: rounding decides, because rounded sums fall round a cycle of %s; "
                "--scale K takes the weights times K as integers",
                cycle_text(g, cycle, text, sizeof text));
}

enum status real_cycles_find(const struct graph *g, struct cycle *cycle, struct progress *progress,
                             struct error *err) {
    enum { ROUNDS_BETWEEN = 16 }; /* number of rounds between two searches for a cycle */
    struct real_cycle_search s = {.g = g};
    void *label = NULL, *lists = NULL;
    enum status status;
    bool fell = true;
    *cycle = (struct cycle){0};
    TRY(memory_alloc(&label, (size_t)g->n, sizeof *s.label, "the search for cycles", err));
    TRY(memory_alloc(&lists, (size_t)g->n, 3 * sizeof(int32_t), "the search for cycles", err));
    s.label = label;
    s.parent = lists;
    s.mark = s.parent + g->n;
    s.walk = s.mark + g->n;
    for (int32_t v = 0; v < g->n; v++) {
        s.label[v] = 0;
        s.parent[v] = -1;
    }
    for (int32_t round = 0; round <= g->n && fell; round++) {
        fell = relax_all(&s, progress);
        if (!progress_report(progress, 0, 0)) {
            status = progress_cancelled(err);
            break;
        }
        if (fell && (round % ROUNDS_BETWEEN == 0 || round == g->n)) {
            const int32_t on = find_on_cycle(&s);
            if (on >= 0) {
                status = judge(&s, on, cycle, err);
                break;
            }
        }
    }
cleanup:
    memory_free(label);
    memory_free(lists);
    return status;
}
