// SPDX-License-Identifier: MIT
#include "apsp/graph_plan.h"

#include "cli/solver_report.h"     // struct solver_arguments
#include "common/base/memory.h"    // memory_alloc
#include "common/base/threads.h"   // threads_or_default
#include "engines/cpu_auto.h"      // auto_look
#include "engines/find_features.h" // features_limit
#include "solve/by_components.h"   // component_parts_find

#include <math.h>
#include <string.h>

static enum status look_at_elimination(const struct graph *g, const struct plan_goal *goal,
                                       struct features *features, struct error *err) {
    const struct solver_size size = {.n = g->n,
                                     .m = g->m,
                                     .type = features->type,
                                     .grid = features->grid,
                                     .threads = goal->threads,
                                     .sources = goal->rows > 0 ? goal->rows : g->n,
                                     .placed = !goal->streams,
                                     .totals = goal->totals_do && features->type == NUMBER_INT32,
                                     .sums = goal->sums_do};
    return auto_look(g, &size, goal->room > 0 ? goal->room : UINT64_MAX,
                     solver_is_warming_up(goal->files), features, NULL, err);
}

/* Plans for g, which is the whole graph or, if parts are solved one by one, the largest part. */
static enum status plan_for(const struct solver_request *request, const struct graph *g,
                            const struct plan_goal *goal, const struct rates *rates,
                            struct plan *plan, struct error *err) {
    struct features features;
    RETURN_ON_FAILURE(
        features_look_at_any(g, threads_or_default(request->options->threads), &features, err));
    features.integral = request->whole->integral;
    RETURN_ON_FAILURE(
        features_limit(g, request->limit, goal->rows > 0 ? goal->rows : g->n, &features, err));
    if (!features.wide && (g->type == NUMBER_INT32 || g->min_weight >= 0))
        RETURN_ON_FAILURE(look_at_elimination(g, goal, &features, err));
    return plan_here(g, &features, request->options, goal, rates, true, plan, err);
}

static enum status plan_for_parts(const struct solver_request *request, const struct graph *g,
                                  const struct component_parts *parts, const struct plan_goal *goal,
                                  const struct rates *rates, struct plan *plan, struct error *err) {
    const double degree = (double)g->m / g->n;
    struct plan_goal of_part = *goal;
    struct graph part = {0};
    int64_t leaves;
    void *number = NULL;
    enum status status;
    of_part.file_rows = goal->rows;
    of_part.rows = (int32_t)fmax(1, (double)parts->most * goal->rows / g->n);
    TRY(memory_alloc(&number, (size_t)g->n, sizeof(int32_t), "the components", err));
    memset(number, 0, (size_t)g->n * sizeof(int32_t));
    TRY(graph_part(g, parts->vertex + parts->first[parts->largest], parts->most, number, &part,
                   &leaves, err));
    if (component_is_small(parts->most))
        TRY(plan_for(request, g, goal, rates, plan, err));
    else
        TRY(plan_for(request, &part, &of_part, rates, plan, err));
    plan_add_parts(plan, parts, g->n, degree, rates);
cleanup:
    memory_free(number);
    graph_free(&part);
    return status;
}

enum status graph_plan(const struct solver_request *request, const struct graph *g,
                       const struct plan_goal *goal, const struct rates *rates, struct plan *plan,
                       struct error *err) {
    struct component_parts parts = {.count = 1};
    enum status status;
    if (g->min_weight >= 0 && !request->arguments->resume)
        TRY(component_parts_find(g, goal->rows, &parts, err));
    status = parts.count > 1 ? plan_for_parts(request, g, &parts, goal, rates, plan, err)
                             : plan_for(request, g, goal, rates, plan, err);
cleanup:
    component_parts_free(&parts);
    return status;
}
