// SPDX-License-Identifier: MIT
#include "apsp/advice.h"

#include "cli/run_needs.h"      // run_needs_find
#include "common/base/memory.h" // memory_limit_find

/* Arguments and graph of a run that might fit. */
struct advice_question {
    const struct solver_request *request;
    const struct graph *g;
    const struct plan *plan; /* plan of the run with the arguments that were given */
    const struct rates *rates;
    uint64_t disk_free;
};

struct plan_goal plan_goal_of(const struct solver_request *request,
                              const struct solver_arguments *a) {
    const bool measures_only = a->measures && a->distances_only && !a->keeps_rows;
    return (struct plan_goal){
        .predecessors = request->predecessors,
        .files = request->files,
        .limited = a->limit < NO_LIMIT,
        .threads = a->options.threads,
        .streams = measures_only,
        .check = a->check,
        .measures = a->measures,
        .totals_do = measures_only,
        .sums_do = measures_only && a->limit == NO_LIMIT && a->measures_parts == 0,
    };
}

static void begin_trial(struct plan_trial *trial, const struct solver_request *request,
                        const struct solver_arguments *a, const struct run_needs *needs,
                        uint64_t held, uint64_t limit) {
    *trial = (struct plan_trial){.run = run_needs_memory(needs, held)};
    trial->goal = plan_goal_of(request, a);
    trial->goal.predecessors = needs->pred;
    trial->goal.room = limit;
    trial->goal.rows = needs->rows;
    trial->goal.streams = needs->at_once;
    trial->goal.run = &trial->run;
}

enum status plan_trial_begin(struct plan_trial *trial, const struct solver_request *request,
                             struct error *err) {
    struct memory_limit limit;
    RETURN_ON_FAILURE(memory_limit_find(&limit, err));
    begin_trial(trial, request, request->arguments, request->needs, memory_held(), limit.bytes);
    return STATUS_OK;
}

/* Returns whether a run with arguments `a` fits, for `rows` rows of a graph with n vertices and the
 * average degree of q->g. */
static bool fits(const struct advice_question *q, const struct solver_arguments *a, int32_t n,
                 int32_t rows) {
    const double scale = (double)n / q->g->n;
    const struct graph g = {.n = n,
                            .type = q->g->type,
                            .m = n == q->g->n ? q->g->m : (int64_t)(scale * (double)q->g->m),
                            .min_weight = q->g->min_weight};
    const uint64_t graph = graph_memory_of(g.type, q->g->n, q->g->m), now = memory_held();
    const uint64_t held =
        memory_add(now > graph ? now - graph : 0, graph_memory_of(g.type, g.n, g.m));
    struct features features = q->plan->features;
    struct run_needs needs;
    struct plan_trial trial;
    struct plan plan;
    const int32_t columns =
        a->targets != NULL ? q->request->needs->columns : n; /* columns that --targets has chosen */
    run_needs_find(a, &g, rows, columns, &needs);
    if (needs.disk > q->disk_free)
        return false;
    begin_trial(&trial, q->request, a, &needs, held, q->plan->goal.room);
    features.n = g.n;
    features.m = g.m;
    plan_make(&features, &q->plan->machine, &trial.goal, q->rates, &plan);
    return plan.usable > 0;
}

/* Returns the largest number that fits, below one that does not: of vertices if `vertices`,
 * otherwise of rows. */
static int32_t most(const struct advice_question *q, const struct solver_arguments *a,
                    bool vertices, int32_t too_many) {
    int32_t good = 0, bad = too_many;
    while (bad - good > 1) {
        const int32_t middle = good + (bad - good) / 2;
        const bool fit = vertices ? fits(q, a, middle, middle) : fits(q, a, q->g->n, middle);
        *(fit ? &good : &bad) = middle;
    }
    return good;
}

void advise(const struct solver_request *request, const struct graph *g, const struct plan *plan,
            const struct rates *rates, struct advice *advice) {
    const struct solver_arguments *const a = request->arguments;
    const int32_t rows = request->needs->rows;
    struct solver_arguments other = *a;
    *advice = (struct advice){.disk = request->needs->disk};
    advice->disk_free = run_needs_free_disk(a, advice->folder, sizeof advice->folder);
    const struct advice_question q = {request, g, plan, rates, advice->disk_free};
    advice->fits = plan->usable > 0 && advice->disk <= advice->disk_free;
    if (advice->fits)
        return;
    if (a->keeps_rows && !a->format.npy) {
        other.format.npy = true;
        advice->npy = fits(&q, &other, g->n, rows);
        other = *a;
    }
    if (!a->distances_only) {
        other.distances_only = true;
        advice->distances_only = fits(&q, &other, g->n, rows);
        other = *a;
    }
    if (a->keeps_rows) {
        other.measures = other.distances_only = true;
        other.keeps_rows = false;
        advice->measures = fits(&q, &other, g->n, rows);
        other = *a;
    }
    other.sources = a->sources != NULL ? a->sources : "";
    advice->sources = most(&q, &other, false, rows);
    if (a->sources == NULL)
        advice->vertices = most(&q, a, true, g->n);
}

void advice_print(const struct advice *advice, const struct plan *plan, FILE *to) {
    char amount[32], free_amount[32], folder[sizeof advice->folder];
    if (advice->folder[0] != '\0')
        fprintf(to, "files    %s; %s are free in %s\n",
                memory_amount(advice->disk, amount, sizeof amount),
                memory_amount(advice->disk_free, free_amount, sizeof free_amount),
                printable_copy(advice->folder, folder, sizeof folder));
    if (advice->fits)
        return;
    fprintf(to, "%s. What fits:\n",
            plan->usable == 0 ? "No engine can solve this" : "The disk has no room for the files");
    if (advice->npy)
        fputs("  --format npy: rows are written as they come\n", to);
    if (advice->distances_only)
        fputs("  --distances-only\n", to);
    if (advice->measures)
        fputs("  --measures, without --output\n", to);
    if (advice->sources > 0)
        fprintf(to, "  --sources: up to %d\n", advice->sources);
    if (advice->vertices > 0)
        fprintf(to, "  a graph of up to %d vertices, with as many edges each\n", advice->vertices);
    if (!advice->npy && !advice->distances_only && !advice->measures && advice->sources == 0 &&
        advice->vertices == 0)
        fputs("  nothing that this plan knows of\n", to);
}
