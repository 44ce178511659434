// SPDX-License-Identifier: MIT
#include "cpu/auto.h"

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc, memory_room
#include "common/solve/solve.h" // solver_find
#include "cpu/registry.h"       // cpu_solver

#include <stdio.h>

enum { LOOK_BYTES = 2 * sizeof(int32_t) }; /* for each vertex */

/* Nanoseconds for each pair of vertices, as measured on one thread (`make bench-cpu`) of random
 * graphs of up to 5000 vertices; the constants divided by the number of pairs are what a solve
 * takes at least. All but `sequential` have the same share in more threads and wider vectors. */

static double sequential_cost(const struct auto_features *f) {
    return 1.5 * f->vertices;
}

/* n relaxations for a pair, 76 in a nanosecond. */
static double blocked_cost(const struct auto_features *f) {
    return 7000 / (f->vertices * f->vertices) + 7 + f->vertices / 76;
}

/* A queue operation for each vertex reached, and all its edges. */
static double johnson_cost(const struct auto_features *f) {
    return 700 / (f->vertices * f->vertices) + 0.35 + f->reach * (50 + 2 * f->degree);
}

/* Light edges are relaxed in several sweeps, of the heavy ones only a part and that once. */
static double multisource_cost(const struct auto_features *f) {
    enum { LIGHT = 20 };
    const double light = f->degree < LIGHT ? f->degree : LIGHT;
    return 5000 / (f->vertices * f->vertices) + 0.9 +
           f->reach * (3 + 0.3 * light + 0.015 * f->degree);
}

static const struct {
    const char *name;
    double (*cost)(const struct auto_features *features);
} candidates[AUTO_COUNT] = {
    [AUTO_SEQUENTIAL] = {"sequential", sequential_cost},
    [AUTO_BLOCKED] = {"blocked", blocked_cost},
    [AUTO_JOHNSON] = {"johnson", johnson_cost},
    [AUTO_MULTISOURCE] = {"multisource", multisource_cost},
};

const char *auto_name(enum auto_candidate candidate) {
    return candidates[candidate].name;
}

double auto_cost(enum auto_candidate candidate, const struct auto_features *features) {
    return candidates[candidate].cost(features) * features->vertices * features->vertices;
}

/* How many vertices `source` reaches, itself included, but no more than `most`. seen[v] == mark
 * where this search has been. */
static int32_t count_reached(const struct graph *g, int32_t source, int32_t most, int32_t *seen,
                             int32_t mark, int32_t *queue) {
    int32_t reached = 1;
    queue[0] = source;
    seen[source] = mark;
    for (int32_t next = 0; next < reached && reached < most; next++) {
        const int32_t u = queue[next];
        for (int64_t e = g->first[u]; e < g->first[u + 1] && reached < most; e++) {
            const int32_t v = g->head[e];
            if (seen[v] == mark)
                continue;
            seen[v] = mark;
            queue[reached++] = v;
        }
    }
    return reached;
}

enum status auto_look(const struct graph *g, struct auto_features *features, struct error *err) {
    enum { SOURCES = 32, ENOUGH = 20 };
    const int32_t most = g->n / ENOUGH > 1 ? g->n / ENOUGH : 1;
    const int32_t sources = g->n < SOURCES ? g->n : SOURCES;
    double sum = 0;
    void *memory;
    enum status status =
        memory_alloc(&memory, (size_t)g->n, LOOK_BYTES, "a look at the graph", err);
    if (status != STATUS_OK)
        return status;
    int32_t *seen = memory, *queue = seen + g->n;
    for (int32_t v = 0; v < g->n; v++)
        seen[v] = -1;
    for (int32_t s = 0; s < sources; s++) {
        const int32_t source = (int32_t)((int64_t)s * g->n / sources);
        const int32_t reached = count_reached(g, source, most, seen, s, queue);
        sum += reached < most ? (double)reached / g->n : 1;
    }
    *features = (struct auto_features){
        .vertices = g->n,
        .degree = (double)g->m / g->n,
        .reach = sum / sources,
    };
    memory_free(memory);
    return STATUS_OK;
}

enum auto_candidate auto_choose(const struct auto_features *features) {
    enum auto_candidate best = 0;
    for (enum auto_candidate c = 0; c < AUTO_COUNT; c++) {
        if (auto_cost(c, features) < auto_cost(best, features))
            best = c;
    }
    return best;
}

uint64_t cpu_auto_memory(const struct solver_size *size) {
    return (uint64_t)size->n * LOOK_BYTES;
}

/* Of those for which there is memory beside the task's graph and matrices. The textbook's needs
 * none. */
static enum auto_candidate choose_what_fits(const struct auto_features *features,
                                            const struct solver_task *task) {
    const struct solver_size size = {.n = task->graph->n,
                                     .m = task->graph->m,
                                     .threads = task->options->threads,
                                     .predecessors = task->pred != NULL};
    const uint64_t room = memory_room();
    enum auto_candidate best = AUTO_SEQUENTIAL;
    for (enum auto_candidate c = 0; c < AUTO_COUNT; c++) {
        const struct solver_variant *variant = solver_find(&cpu_solver, auto_name(c));
        const uint64_t needed = variant->memory != NULL ? variant->memory(&size) : 0;
        if (needed <= room && auto_cost(c, features) < auto_cost(best, features))
            best = c;
    }
    return best;
}

/* One line on what the choice rests on. */
static void explain(const struct auto_features *features, char *why, size_t size) {
    int length = snprintf(why, size,
                          "%.3g edges and %.3g %% of all vertices reached from each; predicted for "
                          "one thread:",
                          features->degree, 100 * features->reach);
    for (enum auto_candidate c = 0; c < AUTO_COUNT && (size_t)length < size; c++)
        length += snprintf(why + length, size - (size_t)length, "%s %s %.2g s", c == 0 ? "" : ",",
                           candidates[c].name, 1e-9 * auto_cost(c, features));
}

enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err) {
    (void)variant;
    struct auto_features features;
    enum auto_candidate chosen = AUTO_JOHNSON;
    char why[256] = "reduced weights do not fit in 32 bits";
    const double start = clock_seconds();
    if (task->potential == NULL) {
        enum status status = auto_look(task->graph, &features, err);
        if (status != STATUS_OK)
            return status;
        chosen = choose_what_fits(&features, task);
    }
    const double choosing_s = clock_seconds() - start;
    const struct solver_variant *taken = solver_find(&cpu_solver, auto_name(chosen));
    enum status status = taken->solve(taken, task, times, err);
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += choosing_s;
    if (status == STATUS_OK && task->options->on_choice != NULL) {
        if (task->potential == NULL)
            explain(&features, why, sizeof why);
        task->options->on_choice(task->options->callback_context, taken->name, why);
    }
    return status;
}
