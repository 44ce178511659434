// SPDX-License-Identifier: MIT
/* The proof of levels against every wrong level of small graphs. */
#include "certificate/level_proof.h"

#include "common/graph/row_block.h" // struct row_totals
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { N = 9 };

static void put(struct bit_set *slice, int slices, int32_t place, int lane, int32_t level) {
    for (int k = 0; k < slices; k++) {
        uint64_t *const word = &slice[place * slices + k].word[lane / 64];
        const uint64_t bit = (uint64_t)1 << lane % 64;
        *word = level >> k & 1 ? *word | bit : *word & ~bit;
    }
}

/* Right levels are proved and counted. Each other number at each place is refuted, and so is every
 * exchange of sources. */
static void check_wrong_levels(void) {
    struct random random = {3};
    struct error err;
    enum isa isa;
    CU_ASSERT_EQUAL_FATAL(isa_choose(&isa, &err), STATUS_OK);
    for (int round = 0; round < 60; round++) {
        const int slices = 3 + round % 4;
        const int32_t none = (1 << slices) - 1, unit = 1 + round % 3;
        const int32_t most = round % 5 == 0 ? 1 : 1 + round % slices;
        const int32_t last = round % 7 < 4 ? INT32_MAX : round % 7 - 3;
        struct graph g = random_graph(&random, N, 5 + round % 4 * 12, WEIGHTS_POSITIVE);
        for (int64_t e = 0; e < g.m; e++)
            g.weight[e] = unit * random_in(&random, 1, most);
        struct matrix dist, pred;
        solve_reference(&g, &dist, &pred);
        struct bit_set *const slice = aligned_alloc(64, sizeof *slice * N * LEVEL_SLICES);
        memset(slice, 0x5a, sizeof *slice * N * LEVEL_SLICES);
        int32_t place[N], source[BIT_LANES], deepest = 0;
        for (int32_t v = 0; v < N; v++)
            place[v] = N - 1 - v;
        struct level_proof proof;
        struct level_prover *prover;
        struct row_totals column[N] = {{0}};
        struct level_value value[LEVELS_MOST];
        for (int32_t s = 0; s < N; s++) {
            source[s] = s;
            for (int32_t v = 0; v < N; v++) {
                int32_t *const d = &matrix_row(&dist, s)[v];
                *d = *d / unit > last ? INF : *d;
                put(slice, slices, place[v], s, *d == INF ? none : *d / unit);
                deepest = *d != INF && *d / unit > deepest ? *d / unit : deepest;
            }
        }
        CU_ASSERT_EQUAL_FATAL(level_proof_open(&proof, &g, unit, last, isa, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(level_prover_alloc(&prover, &proof, &err), STATUS_OK);
        for (int32_t level = 0; level < LEVELS_MOST; level++)
            value[level] = (struct level_value){level, 2 * level, 3 * level};
        const struct level_block block = {slice, slices, place, source, N};
        const bool fits = deepest < levels_of(slices, proof.steps);
        if (fits) {
            prover->column = column;
            prover->value = value;
            CU_ASSERT(level_prover_prove(prover, &proof, &block));
            for (int32_t level = 0; level < levels_of(slices, proof.steps); level++) {
                int32_t count[BIT_LANES];
                level_prover_count(prover, &proof, level, count);
                for (int32_t s = 0; s < N; s++) {
                    for (int32_t v = 0; v < N; v++)
                        count[s] -= matrix_row(&dist, s)[v] == level * unit;
                    CU_ASSERT_EQUAL(count[s], 0);
                }
            }
            for (int32_t v = 0; v < N; v++) {
                int64_t sum = 0;
                int32_t reached = 0, farthest = 0;
                for (int32_t s = 0; s < N; s++) {
                    const int32_t d = matrix_row(&dist, s)[v];
                    sum += d == INF ? 0 : d / unit;
                    reached += d != INF;
                    farthest = d != INF && d / unit > farthest ? d / unit : farthest;
                }
                CU_ASSERT(column[v].sum == sum && column[v].high == 2 * sum &&
                          column[v].low == 3 * sum && column[v].reached == reached &&
                          column[v].farthest == farthest);
            }
            prover->column = NULL;
        }
        for (int32_t s = 0; s < N && fits; s++) {
            for (int32_t v = 0; v < N; v++) {
                const int32_t d = matrix_row(&dist, s)[v], right = d == INF ? none : d / unit;
                for (int32_t wrong = 0; wrong <= none; wrong++) {
                    if (wrong == right)
                        continue;
                    put(slice, slices, place[v], s, wrong);
                    CU_ASSERT(!level_prover_prove(prover, &proof, &block));
                }
                put(slice, slices, place[v], s, right);
            }
            source[s] = (s + 1) % N;
            source[(s + 1) % N] = s;
            CU_ASSERT(!level_prover_prove(prover, &proof, &block));
            source[s] = s;
            source[(s + 1) % N] = (s + 1) % N;
        }
        level_prover_free(prover);
        level_proof_close(&proof);
        free(slice);
        matrix_free(&dist);
        matrix_free(&pred);
        graph_free(&g);
    }
}

static void test_wrong_levels(void) {
    on_every_isa(check_wrong_levels);
}

/* A component whose levels all agree with each other, but that no source reaches. */
static void test_far_component(void) {
    const struct edge edges[] = {{0, 1, 1}, {2, 3, 1}, {3, 2, 1}};
    struct graph g = graph_of(4, edges, 3);
    struct level_proof proof;
    struct level_prover *prover;
    struct error err;
    struct bit_set *const slice = aligned_alloc(64, sizeof *slice * 4 * 3);
    const int32_t place[] = {0, 1, 2, 3}, source[] = {0};
    const struct level_block block = {slice, 3, place, source, 1};
    static const int32_t levels[][4] = {{0, 1, 7, 7}, {0, 1, 1, 2}, {0, 1, 2, 1}, {0, 1, 0, 1},
                                        {0, 1, 6, 7}, {0, 1, 6, 6}, {0, 7, 7, 7}, {1, 0, 7, 7}};
    CU_ASSERT_EQUAL_FATAL(level_proof_open(&proof, &g, 1, INT32_MAX, ISA_PORTABLE, &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(level_prover_alloc(&prover, &proof, &err), STATUS_OK);
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        memset(slice, 0, sizeof *slice * 4 * 3);
        for (int32_t v = 0; v < 4; v++)
            put(slice, 3, v, 0, levels[k][v]);
        CU_ASSERT_EQUAL(level_prover_prove(prover, &proof, &block), k == 0);
    }
    level_prover_free(prover);
    level_proof_close(&proof);
    free(slice);
    graph_free(&g);
}

/* Returns whether the right levels of a chain of n vertices are proved, whose first `twos` edges
 * weigh two times `weight` and the others one time. */
static bool proves_chain(int32_t n, int32_t twos, int32_t weight, int32_t unit, int slices) {
    enum { MOST = 80 };
    struct edge edges[MOST];
    int32_t place[MOST], level = 0;
    const int32_t source[] = {0};
    struct bit_set *const slice = aligned_alloc(64, sizeof *slice * MOST * LEVEL_SLICES);
    struct level_proof proof;
    struct level_prover *prover;
    struct error err;
    memset(slice, 0, sizeof *slice * MOST * LEVEL_SLICES);
    for (int32_t v = 0; v < n; v++) {
        const int32_t step = v <= twos ? 2 : 1;
        if (v > 0)
            edges[v - 1] = (struct edge){v - 1, v, step * weight};
        level += v > 0 ? step : 0;
        place[v] = v;
        put(slice, slices, v, 0, level);
    }
    struct graph g = graph_of(n, edges, n - 1);
    const struct level_block block = {slice, slices, place, source, 1};
    CU_ASSERT_EQUAL_FATAL(level_proof_open(&proof, &g, unit, INT32_MAX, ISA_PORTABLE, &err),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(level_prover_alloc(&prover, &proof, &err), STATUS_OK);
    const bool proved = level_prover_prove(prover, &proof, &block);
    level_prover_free(prover);
    level_proof_close(&proof);
    graph_free(&g);
    free(slice);
    return proved;
}

/* Chains as long as their levels have numbers, and longer by one: the last level has a number that
 * none has. */
static void test_last_level(void) {
    for (int slices = 2; slices <= LEVEL_SLICES; slices++) {
        const int32_t levels = levels_of(slices, 1);
        CU_ASSERT(proves_chain(levels, 0, 1, 1, slices));
        CU_ASSERT(!proves_chain(levels + 1, 0, 1, 1, slices));
        /* With an edge of two, there is one level fewer, and the chain has a vertex fewer. */
        if (levels > 2) {
            CU_ASSERT(proves_chain(levels - 2, 1, 1, 1, slices));
            CU_ASSERT(!proves_chain(levels - 1, 1, 1, 1, slices));
        }
    }
}

/* Levels are in units of which all weights are multiples. */
static void test_units(void) {
    CU_ASSERT(proves_chain(5, 1, 7, 7, 4));
    CU_ASSERT(!proves_chain(5, 1, 7, 6, 4));
    CU_ASSERT(!proves_chain(5, 1, 7, 14, 4));
}

CU_TestInfo level_proof_tests[] = {
    {"every wrong level is refuted", test_wrong_levels},
    {"a component out of reach", test_far_component},
    {"the last level", test_last_level},
    {"weights are multiples of the unit", test_units},
    CU_TEST_INFO_NULL,
};
