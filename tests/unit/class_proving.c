// SPDX-License-Identifier: MIT
#include "tests/unit/class_proving.h"

#include "common/graph/graph.h" // struct graph, INF

#include <stdlib.h>
#include <string.h>

#ifdef APSP_SANITIZED
enum { ROUNDS = 24, TRIES = 3 };
#else
enum { ROUNDS = 64, TRIES = 6 };
#endif

static bool is_proved(const struct class_proving *p, const struct graph *g, struct answer *a) {
    struct error err = {0};
    bool is_ready, proved;
    CU_ASSERT_EQUAL(p->prove(g, a, &is_ready, &proved, &err), STATUS_OK);
    CU_ASSERT(is_ready);
    return proved;
}

static bool corrupt(const struct class_proving *p, struct answer *a, struct random *random,
                    enum corruption what) {
    return p->knows(what) && answer_corrupt(a, random, what);
}

void proving_right(const struct class_proving *p) {
    struct random random = {61};
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        case_begin(&t, &random, &shape);
        p->vary(round);
        CU_ASSERT(is_proved(p, &t.g, &t.a));
        CU_ASSERT(answer_has_totals(&t.a, t.dist));
        case_end(&t);
    }
    p->vary(0);
}

/* Proves an answer with other distances: it is proved if and only if no row is wrong. */
static bool try_distances(const struct class_proving *p, const struct case_of *t,
                          const int32_t *answered) {
    struct answer a = answer_of(&t->cut, answered, t->shape.sources);
    const bool right = answer_is_right(&a, answered, t->dist);
    CU_ASSERT_EQUAL(is_proved(p, &t->g, &a), right);
    CU_ASSERT(!right || answer_has_totals(&a, t->dist));
    answer_free(&a);
    return right;
}

/* Changes distances from some vertex in one of several ways. */
static void change(struct random *random, const struct case_of *t, int32_t *dist) {
    enum { ONE, ALL, NO_WAY, A_WAY, TO_ITSELF, WAYS };
    const int32_t n = t->cut.n, source = random_in(random, 0, n - 1), by = random_in(random, 0, 1);
    int32_t *const row = dist + (int64_t)source * n;
    int32_t *const cell = &row[random_in(random, 0, n - 1)];
    switch (random_in(random, 0, WAYS - 1)) {
    case ONE:
        *cell += 2 * by - 1;
        break;
    case ALL: /* as if the source were not at 0 */
        for (int32_t v = 0; v < n; v++)
            row[v] += row[v] < INF ? 1 : 0;
        break;
    case NO_WAY:
        *cell = INF;
        break;
    case A_WAY:
        *cell = *cell == INF ? random_in(random, 1, 30) : *cell;
        break;
    default:
        row[source] = by == 0 ? INF : 1;
    }
}

void proving_distances(const struct class_proving *p) {
    struct random random = {62};
    int refuted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        case_begin(&t, &random, &shape);
        const size_t bytes = sizeof(int32_t) * (size_t)t.cut.n * (size_t)t.cut.n;
        int32_t *const answered = new_cells((int64_t)t.cut.n * t.cut.n);
        for (int k = 0; k < TRIES; k++) {
            memcpy(answered, t.dist, bytes);
            change(&random, &t, answered);
            refuted += !try_distances(p, &t, answered);
        }
        free(answered);
        case_end(&t);
    }
    CU_ASSERT(refuted > ROUNDS);
}

void proving_edges(const struct class_proving *p) {
    struct random random = {63};
    int right = 0, wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        case_begin(&t, &random, &shape);
        for (int k = 0; k < TRIES && t.g.m > 0; k++) {
            const struct edge more = {random_in(&random, 0, t.cut.n - 1),
                                      random_in(&random, 0, t.cut.n - 1), random_in(&random, 1, 3)};
            int64_t farthest;
            struct graph other =
                changed_graph(&t.g, k % 2 == 0 ? &more : NULL,
                              k % 2 == 0 ? -1 : (int64_t)random_in(&random, 0, (int32_t)t.g.m - 1));
            int32_t *const answered = distances_of(&other, &farthest);
            if (try_distances(p, &t, answered))
                right++;
            else
                wrong++;
            free(answered);
            graph_free(&other);
        }
        case_end(&t);
    }
    CU_ASSERT(right > ROUNDS / 2 && wrong > ROUNDS);
}

void proving_corrupted(const struct class_proving *p) {
    struct random random = {64};
    int tried[CORRUPTIONS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        case_begin(&t, &random, &shape);
        for (int what = 0; what < CORRUPTIONS; what++) {
            for (int k = 0; k < 2 * TRIES; k++) {
                p->vary(round + k);
                if (corrupt(p, &t.a, &random, (enum corruption)what)) {
                    CU_ASSERT_FALSE(is_proved(p, &t.g, &t.a));
                    tried[what]++;
                }
                answer_change_back(&t.a);
            }
        }
        CU_ASSERT(is_proved(p, &t.g, &t.a));
        case_end(&t);
    }
    for (int what = 0; what < CORRUPTIONS; what++)
        CU_ASSERT(tried[what] > ROUNDS / 16 || !p->knows((enum corruption)what));
}

void proving_large(const struct class_proving *p) {
    const struct shape shape = {.size = {80, 34, 4, 70, 36, 3},
                                .count = REGIONS,
                                .percent = 97,
                                .edges = 4,
                                .sources = 100,
                                .lightest = 1,
                                .heaviest = 9};
    struct random random = {65};
    struct case_of t;
    case_begin(&t, &random, &shape);
    CU_ASSERT(t.cut.layout[INSIDE].width > 32 && t.a.rows[INSIDE].sources > CLASS_TILE);
    CU_ASSERT(answer_rows(&t.a, AROUND) > CLASS_ROWS && answer_rows(&t.a, LEFT) > CLASS_ROWS);
    CU_ASSERT(t.a.rows[RIGHT].classes > CLASS_TILE);
    for (int order = 0; order < 3; order++) {
        p->vary(order);
        CU_ASSERT(is_proved(p, &t.g, &t.a) && answer_has_totals(&t.a, t.dist));
    }
    p->vary(0);
    for (int what = 0; what < CORRUPTIONS; what++) {
        if (corrupt(p, &t.a, &random, (enum corruption)what))
            CU_ASSERT_FALSE(is_proved(p, &t.g, &t.a));
        answer_change_back(&t.a);
    }
    case_end(&t);
}

/* Sums of a region's distances beyond 32 bits. */
void proving_large_sums(const struct class_proving *p) {
    const struct shape shape = {.size = {80, 34, 4, 70, 36, 3},
                                .count = REGIONS,
                                .percent = 97,
                                .edges = 4,
                                .sources = 100,
                                .lightest = 1 << 26,
                                .heaviest = 1 << 27};
    struct random random = {67};
    struct case_of t;
    case_begin(&t, &random, &shape);
    CU_ASSERT(t.farthest < INF - shape.heaviest && is_proved(p, &t.g, &t.a) &&
              answer_has_totals(&t.a, t.dist));
    case_end(&t);
}

void proving_out_of_range(const struct class_proving *p) {
    struct random random = {66};
    int in_range = 0, out_of_range = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct shape shape = random_shape(&random, round);
        struct case_of t;
        shape.sources = 100;
        shape.heaviest = INF / random_in(&random, 2, 9);
        shape.lightest = shape.heaviest / 2;
        if (round % 3 == 1) /* just in range, or not */
            shape.lightest = 1;
        case_begin(&t, &random, &shape);
        const bool fits = t.farthest < INF && (double)t.farthest + t.g.max_weight < INF;
        CU_ASSERT_EQUAL(is_proved(p, &t.g, &t.a), fits);
        CU_ASSERT(!fits || answer_has_totals(&t.a, t.dist));
        in_range += fits;
        out_of_range += !fits;
        case_end(&t);
    }
    CU_ASSERT(in_range > 2 && out_of_range > 2);
}

void proving_edge_of_range(const struct class_proving *p) {
    static const int32_t weight[][2] = {
        {20, INF / 2 - 10}, {21, INF / 2 - 10}, {INF / 2, INF / 2 + 1}, {INF / 2 + 1, INF / 2 + 1}};
    for (int k = 0; k < 4; k++) {
        struct graph g =
            graph_of(3, (struct edge[]){{1, 0, weight[k][0]}, {0, 2, weight[k][1]}}, 2);
        int32_t at[3], vertex[SMALL_NUMBERS];
        const struct cut c = small_cut(at, vertex);
        int64_t farthest;
        int32_t *const dist = distances_of(&g, &farthest);
        struct answer a = answer_of(&c, dist, 100);
        CU_ASSERT_EQUAL((double)farthest + g.max_weight < INF, k == 0);
        CU_ASSERT_EQUAL(is_proved(p, &g, &a), k == 0);
        free(dist);
        answer_free(&a);
        graph_free(&g);
    }
}

void proving_far_class(const struct class_proving *p) {
    struct graph g = small_graph();
    const int32_t dist[] = {0, 3, 7, INF, 0, INF, INF, INF, 0};
    int32_t at[3], vertex[SMALL_NUMBERS];
    const struct cut c = small_cut(at, vertex);
    struct answer a = answer_of(&c, dist, 100);
    CU_ASSERT(is_proved(p, &g, &a) && answer_has_totals(&a, dist));
    for (int32_t by = INF - 1; by <= INF; by++) {
        answer_move_far(&a, LEFT, by);
        CU_ASSERT_FALSE(is_proved(p, &g, &a));
        answer_change_back(&a);
    }
    answer_free(&a);
    graph_free(&g);
}

void proving_steps(const struct class_proving *p) {
    enum { CASES = 60 };
    struct random random = {73};
    int refuted = 0;
    for (int round = 0; round < CASES; round++) {
        struct shape shape = plain_shape;
        struct case_of t;
        shape.sources = round % 2 == 0 ? 8 : 40;
        case_begin(&t, &random, &shape);
        for (int32_t k = 0; k < t.cut.count; k++) {
            int32_t *const steps[] = {&t.a.unreferred, &t.a.unadded, &t.a.taken_twice,
                                      &t.a.added_twice};
            for (int step = 0; step < 4; step++) {
                if (answer_rows(&t.a, k) == 0 || (step != 2 && t.cut.layout[k].children == 0))
                    continue;
                *steps[step] = k;
                CU_ASSERT_FALSE(is_proved(p, &t.g, &t.a));
                *steps[step] = -1;
                refuted++;
            }
        }
        for (t.a.more = -1; t.a.more <= 1; t.a.more++)
            CU_ASSERT_EQUAL(is_proved(p, &t.g, &t.a), t.a.more == 0);
        case_end(&t);
    }
    CU_ASSERT(refuted > CASES);
}
