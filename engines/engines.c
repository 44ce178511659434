// SPDX-License-Identifier: MIT
#include "engines/engines.h"

#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "cuda_simple/simple_variants.h"   // cuda_simple_solver
#include "engines/cpu_variants.h"          // cpu_solver
#include "engines/sparse_variants.h"       // cuda_sparse_solver
#include "solve/solve.h"                   // solver_find

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct solver *const engines[ENGINE_SOLVERS] = {
    &cpu_solver,
    &cuda_simple_solver,
    &cuda_blocked_solver,
    &cuda_sparse_solver,
};

bool engine_find_in(const struct solver *solver, const char *name, struct engine *found) {
    const char *colon = strchr(name, ':');
    const size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    if (strlen(solver->program) != length || memcmp(solver->program, name, length) != 0)
        return false;
    found->solver = solver;
    found->variant = solver_find(solver, colon != NULL ? colon + 1 : solver->default_variant);
    return found->variant != NULL;
}

bool engine_find(const char *name, struct engine *found) {
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        if (engine_find_in(engines[s], name, found))
            return true;
    }
    return false;
}

char *engine_name(const struct engine *engine, char *name, size_t size) {
    snprintf(name, size, "%s:%s", engine->solver->program, engine->variant->name);
    return name;
}

void engine_table_fill(struct engine_table *table, const struct solver *chooser) {
    size_t count = 1;
    table->variants[0] = chooser->variants[0];
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        for (size_t v = 0; v < engines[s]->variant_count; v++, count++) {
            const struct engine engine = {engines[s], &engines[s]->variants[v]};
            if (count == ENGINE_TABLE_MOST)
                abort(); /* ENGINE_TABLE_MOST is less than the number of variants */
            table->variants[count] = *engine.variant;
            table->variants[count].name = engine_name(&engine, table->names[count], ENGINE_NAME);
        }
    }
    table->solver = *chooser;
    table->solver.variants = table->variants;
    table->solver.variant_count = count;
}
