#include "tests/unit/variants.h"

#include "common/engines.h" // engines

#include <string.h>

void for_each_variant(void (*visit)(const struct solver_variant *variant)) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
#ifdef DEVICE_TESTS
        if (!engines[s]->uses_gpu)
            continue;
#endif
        for (size_t v = 0; v < engines[s]->variant_count; v++)
            visit(&engines[s]->variants[v]);
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

bool refuses(enum status status, const struct error *err) {
    return status == STATUS_BAD_INPUT && strstr(err->text, "is not exact for this graph") != NULL;
}

bool is_slow(const struct solver_variant *variant) {
#ifdef DEVICE_TESTS
    (void)variant;
    return false;
#else
    return variant->padding >= 128 || variant->default_tile > variant->max_tile;
#endif
}

int stride(const struct solver_variant *variant, int some) {
#ifdef APSP_SANITIZED
    if (variant->padding >= 128)
        return 4 * some;
#endif
    return is_slow(variant) ? some : 1;
}
