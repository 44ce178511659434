// SPDX-License-Identifier: MIT
#include "apsp/flow_plan.h"

#include "cli/json_answer.h"    // json_answer_real_if
#include "common/base/memory.h" // memory_amount

#include <math.h>
#include <stdio.h>

static void print_searches(const struct betweenness_plan *plan, FILE *to) {
    fprintf(to, "by searches%s %.3g s", plan->searches_on_gpu ? " on a GPU" : "", plan->searches_s);
}

static void print_sweeps(const struct betweenness_plan *plan, FILE *to) {
    fprintf(to, "by sweeps %.3g s after %.3g s of elimination", plan->sweeps_s, plan->eliminate_s);
}

static void print_classes(const struct betweenness_plan *plan, FILE *to) {
    if (isfinite(plan->classes_s))
        fprintf(to, "by classes%s %.3g s after %.3g s of elimination",
                plan->on_gpu ? " on a GPU" : "", plan->classes_s, plan->eliminate_s);
    else
        fprintf(to, "not by classes: %s", plan->not_classes);
}

/* Prints the way that is used, the memory, and then the other ways. */
void flow_plan_print(const char *what, const struct betweenness_plan *plan, FILE *to) {
    const struct {
        enum betweenness_way way;
        void (*print)(const struct betweenness_plan *plan, FILE *to);
        bool is_known;
    } ways[] = {{BETWEENNESS_BY_SEARCHES, print_searches, true},
                {BETWEENNESS_BY_SWEEPS, print_sweeps, isfinite(plan->sweeps_s)},
                {BETWEENNESS_BY_CLASSES, print_classes, true}};
    char amount[32];
    fprintf(to, "%s ", what);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        if (ways[k].way == plan->way)
            ways[k].print(plan, to);
    }
    fprintf(to, ", %s", memory_amount(plan->memory, amount, sizeof amount));
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        if (ways[k].way == plan->way || !ways[k].is_known)
            continue;
        fputs("; ", to);
        ways[k].print(plan, to);
    }
    fputc('\n', to);
}

void flow_plan_answer(struct json_writer *w, const char *what,
                      const struct betweenness_plan *plan) {
    if (plan == NULL) {
        json_write_null(w, what);
        return;
    }
    json_write_open(w, what);
    json_write_text(w, "engine", betweenness_engine_name(plan->way, plan->on_gpu));
    json_answer_real(w, "searches_s", plan->searches_s);
    json_answer_real_if(w, "eliminate_s", plan->eliminate_s > 0, plan->eliminate_s);
    json_answer_real_if(w, "sweeps_s", isfinite(plan->sweeps_s), plan->sweeps_s);
    json_answer_real_if(w, "classes_s", isfinite(plan->classes_s), plan->classes_s);
    json_answer_text_if(w, "not_classes", plan->not_classes);
    json_write_integer(w, "memory", (int64_t)plan->memory);
    json_write_close(w);
}
