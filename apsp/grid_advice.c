// SPDX-License-Identifier: MIT
#include "apsp/grid_advice.h"

#include "apsp/graph_plan.h"    // graph_plan
#include "cli/solver_report.h"  // struct solver_arguments
#include "common/graph/limit.h" // NO_LIMIT
#include "solve/grid.h"         // grid_round

#include <math.h>

/* Returns whether the choice of a grid is open, and the graph may have one. */
static bool is_open(const struct solver_request *request, const struct graph *g) {
    return request->arguments->reading.grid == GRID_AUTO && g->type == NUMBER_FLOAT64 &&
           g->spacing == 0 && !g->integral && g->m > 0 && g->min_weight >= 0 && g->zones == 0 &&
           g->semiring == SEMIRING_MIN_PLUS;
}

enum status grid_advise(const struct solver_request *request, const struct graph *g,
                        const struct plan *plan, const struct rates *rates,
                        struct grid_advice *advice, struct error *err) {
    const double worth = 0.8; /* rounding pays if the run takes at most this share of the time */
    struct grid_rounding rounding;
    struct graph rounded = {0};
    struct plan other;
    struct error ignored;
    enum status status;
    *advice = (struct grid_advice){.pays = false};
    if (!is_open(request, g))
        return STATUS_OK;
    TRY(graph_copy(g, &rounded, err));
    if (grid_round(&rounded, GRID_AUTO, &rounding, NULL, &ignored) != STATUS_OK)
        goto cleanup; /* distances are too long for any grid */
    TRY(graph_plan(request, &rounded, &plan->goal, rates, &other, err));
    if (other.usable == 0)
        goto cleanup;
    advice->spacing = rounded.spacing;
    advice->distance_by = rounding.distance_by;
    advice->taken = other.of[0];
    advice->pays = plan->usable == 0 || other.of[0].total_s <= worth * plan->of[0].total_s;
cleanup:
    graph_free(&rounded);
    return status;
}

/* A short number for --grid that means this spacing, because --grid rounds down to a power of
 * two. */
static double rounded_up(double spacing) {
    const double unit = pow(10, floor(log10(spacing)) - 1);
    const double up = ceil(spacing / unit) * unit;
    return up < 2 * spacing ? up : spacing;
}

void grid_advice_print(const struct grid_advice *advice, const struct plan *plan, FILE *to) {
    char name[64];
    if (!advice->pays)
        return;
    fprintf(to, "grid     --grid %.2g changes each distance by at most %.2g; %s then takes %.3g s",
            rounded_up(advice->spacing), advice->distance_by,
            prediction_name(&advice->taken, name, sizeof name), advice->taken.total_s);
    if (plan->usable > 0)
        fprintf(to, " in place of %.3g", plan->of[0].total_s);
    fputc('\n', to);
}

void grid_advice_answer(struct json_writer *w, const struct grid_advice *advice) {
    char name[64];
    if (!advice->pays) {
        json_write_null(w, "grid");
        return;
    }
    json_write_open(w, "grid");
    json_answer_number(w, "spacing", NUMBER_FLOAT64, advice->spacing);
    json_answer_real(w, "distance_by", advice->distance_by);
    json_write_text(w, "engine", engine_name(&advice->taken.engine, name, sizeof name));
    json_answer_real(w, "total_s", advice->taken.total_s);
    json_write_close(w);
}
