// SPDX-License-Identifier: MIT
#include "apsp/flow_plan.h"

#include "cli/json_answer.h"    // json_answer_real_if
#include "common/base/memory.h" // memory_amount

#include <math.h>
#include <stdio.h>

static void print_searches(const struct betweenness_plan *plan, FILE *to) {
    fprintf(to, "by searches%s %.3g s", plan->searches_on_gpu ? " on a GPU" : "", plan->searches_s);
}

static void print_classes(const struct betweenness_plan *plan, FILE *to) {
    if (isfinite(plan->classes_s))
        fprintf(to, "by classes%s %.3g s after %.3g s of elimination",
                plan->on_gpu ? " on a GPU" : "", plan->classes_s, plan->eliminate_s);
    else
        fprintf(to, "not by classes: %s", plan->not_classes);
}

void flow_plan_print(const char *what, const struct betweenness_plan *plan, FILE *to) {
    const bool by_classes = plan->way == BETWEENNESS_BY_CLASSES;
    char amount[32];
    fprintf(to, "%s ", what);
    if (by_classes)
        print_classes(plan, to);
    else
        print_searches(plan, to);
    fprintf(to, ", %s; ", memory_amount(plan->memory, amount, sizeof amount));
    if (by_classes)
        print_searches(plan, to);
    else
        print_classes(plan, to);
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
    json_answer_real_if(w, "classes_s", isfinite(plan->classes_s), plan->classes_s);
    json_answer_text_if(w, "not_classes", plan->not_classes);
    json_write_integer(w, "memory", (int64_t)plan->memory);
    json_write_close(w);
}
