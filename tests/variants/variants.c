// SPDX-License-Identifier: MIT
#include "tests/variants/variants.h"

#include "engines/engines.h" // engines
#include "gpu/gpu_solver.h"  // gpu_solve

#include <stdio.h>
#include <string.h>

static const struct solver_variant *selected[16];
static int selected_count; /* 0: all */

bool variants_select(const char *name) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            char own[64];
            snprintf(own, sizeof own, "%s/%s", engines[s]->program, engines[s]->variants[v].name);
            if (strcmp(own, name) != 0 || selected_count == sizeof selected / sizeof *selected)
                continue;
            selected[selected_count++] = &engines[s]->variants[v];
            return true;
        }
    }
    return false;
}

static bool is_selected(const struct solver_variant *variant) {
    bool found = selected_count == 0;
    for (int k = 0; k < selected_count; k++)
        found |= selected[k] == variant;
    return found;
}

/* Tells whether this build can solve with the variant. */
static bool is_built(const struct solver_variant *variant) {
    const char *const missing = variant->missing != NULL ? variant->missing() : NULL;
    if (missing != NULL)
        printf("not %s: built without %s ", variant->name, missing);
    return missing == NULL;
}

void for_each_variant(void (*visit)(const struct solver_variant *variant)) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
#ifdef DEVICE_TESTS
        if (!engines[s]->uses_gpu)
            continue;
#endif
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            if (is_selected(&engines[s]->variants[v]) && is_built(&engines[s]->variants[v]))
                visit(&engines[s]->variants[v]);
        }
    }
}

bool may_refuse(const struct solver_variant *variant, const struct graph *g,
                const int64_t *expected) {
    if (variant->exact_up_to == 0)
        return false;
    bool within = g->min_weight >= 0 && g->max_weight <= variant->exact_up_to;
    for (size_t c = 0; c < (size_t)g->n * (size_t)g->n && within; c++)
        within = expected[c] == INT64_MAX || expected[c] <= variant->exact_up_to;
    return !within;
}

bool uses_gpu(const struct solver_variant *variant) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            if (&engines[s]->variants[v] == variant)
                return engines[s]->uses_gpu;
        }
    }
    return false;
}

bool refuses(enum status status, const struct error *err) {
    return status == STATUS_BAD_INPUT && strstr(err->text, "is not exact for this graph") != NULL;
}

bool is_slow(const struct solver_variant *variant) {
#ifdef DEVICE_TESTS
    (void)variant;
    return false;
#else
    return variant->padding >= 128 || variant->default_tile > variant->max_tile ||
           variant->derives_pred;
#endif
}

int stride(const struct solver_variant *variant, int some) {
#ifdef APSP_SANITIZED
    if (variant->padding >= 128)
        return 4 * some;
#endif
    /* The variants that an `auto` takes are tested themselves. */
    const bool chooses = variant->solve == gpu_solve && strcmp(variant->name, "auto") == 0;
    return is_slow(variant) ? some * (chooses ? 2 : 1) : 1;
}
