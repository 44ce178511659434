// SPDX-License-Identifier: MIT
/* Accessibility and nearest facilities against sums over the textbook's distances. */
#include "accessibility/accessibility.h"

#include "accessibility/by_classes.h"     // decays_by_classes
#include "accessibility/exact.h"          // struct exact
#include "accessibility/gpu/gpu_decays.h" // gpu_decays
#include "accessibility/nearest.h"        // nearest_find
#include "common/base/exp_kernels.h"      // exp_kernels
#include "elimination/order.h"            // order_is_available
#include "solve/grid.h"                   // grid_find
#include "tests/unit/eliminated.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The oracle --------------------------------------------------------------------------------------

/* Floyd-Warshall. */
static double *distances_of(const struct graph *g) {
    const int64_t n = g->n;
    double *const dist = malloc((size_t)(n * n) * sizeof *dist);
    for (int64_t k = 0; k < n * n; k++)
        dist[k] = k % (n + 1) == 0 ? 0 : INFINITY;
    for (int32_t u = 0; u < n; u++)
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            dist[u * n + g->head[e]] = fmin(dist[u * n + g->head[e]], graph_weight(g, e));
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                dist[i * n + j] = fmin(dist[i * n + j], dist[i * n + k] + dist[k * n + j]);
    return dist;
}

static double decayed_of(const struct accessibility_request *r, const double *dist, int32_t row,
                         int32_t j, int32_t m) {
    const int32_t s = row_source(&r->sources, row), n = r->graph->n;
    long double sum = 0;
    for (int32_t t = 0; t < n; t++)
        if (!isinf(dist[(int64_t)s * n + t]))
            sum += (long double)r->mass[t * r->masses + m] *
                   expl(-(long double)dist[(int64_t)s * n + t] / (long double)r->decay[j]);
    return (double)sum;
}

static double within_of(const struct accessibility_request *r, const double *dist, int32_t row,
                        int32_t j, int32_t m) {
    const int32_t s = row_source(&r->sources, row), n = r->graph->n;
    double sum = 0;
    for (int32_t t = 0; t < n; t++)
        if (!isinf(dist[(int64_t)s * n + t]) && dist[(int64_t)s * n + t] <= r->limit[j])
            sum += r->mass[t * r->masses + m];
    return sum;
}

/* Within the bound of accessibility.h, of terms whose factors are normal numbers. */
static bool is_near(double found, double right, double farthest, double decay, int32_t n) {
    return fabs(found - right) <=
           (2 * fmin(farthest, 746 * decay) / decay + n + 64) * 0x1p-53 * right + 1e-290;
}

static bool are_right(const struct accessibility_request *r, const double *dist,
                      const double *decayed, const double *within) {
    const int32_t n = r->graph->n;
    double farthest = 0;
    bool right = true;
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        farthest = isinf(dist[k]) ? farthest : fmax(farthest, dist[k]);
    for (int32_t row = 0; row < r->sources.count && right; row++)
        for (int32_t m = 0; m < r->masses; m++) {
            for (int32_t j = 0; j < r->decays && decayed != NULL; j++)
                right = right && is_near(decayed[(row * r->decays + j) * r->masses + m],
                                         decayed_of(r, dist, row, j, m), farthest, r->decay[j], n);
            for (int32_t j = 0; j < r->limits && within != NULL; j++)
                right = right && within[(row * r->limits + j) * r->masses + m] ==
                                     within_of(r, dist, row, j, m);
        }
    return right;
}

// Random graphs -----------------------------------------------------------------------------------

/* Edges of the kinds of weights that take ways of their own. */
enum kind { UNIT, ZEROS, SMALL, WIDE, BEYOND_INT32, EIGHTHS, TINY, ON_GRID, KINDS };

static struct graph graph_of_kind(struct random *random, int32_t n, int percent, enum kind kind,
                                  bool is_undirected) {
    static const double unit[] = {[EIGHTHS] = 0.125, [TINY] = 0x1p-900, [ON_GRID] = 0x1p-40};
    struct edge *const edges = malloc(2 * (size_t)n * (size_t)n * sizeof *edges);
    int64_t count = 0;
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < n; v++) {
            const int32_t some = random_in(random, 1, 4);
            const int32_t weight = kind == UNIT           ? 1
                                   : kind == ZEROS        ? some / 2
                                   : kind == WIDE         ? some + random_in(random, 1, 9999) * 999
                                   : kind == BEYOND_INT32 ? some * (1 << 28)
                                                          : some;
            if (random_in(random, 1, 100) > percent)
                continue;
            edges[count++] = (struct edge){u, v, weight};
            if (is_undirected)
                edges[count++] = (struct edge){v, u, weight};
        }
    struct graph g = graph_of(n, edges, count);
    struct error err;
    free(edges);
    if (kind < EIGHTHS)
        return g;
    struct graph integers = g;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&integers, &g, &err), STATUS_OK);
    graph_free(&integers);
    for (int64_t e = 0; e < g.m; e++)
        g.real_weight[e] =
            (g.real_weight[e] + (kind == ON_GRID && g.real_weight[e] == 4) * 0x1p42) * unit[kind];
    g.min_weight = g.m == 0 ? 0 : INFINITY;
    g.max_weight = 0;
    for (int64_t e = 0; e < g.m; e++) {
        g.min_weight = fmin(g.min_weight, g.real_weight[e]);
        g.max_weight = fmax(g.max_weight, g.real_weight[e]);
    }
    CU_ASSERT_EQUAL_FATAL(grid_find(&g, NULL, &err), STATUS_OK);
    return g;
}

static double scale_of(enum kind kind) {
    return kind == WIDE           ? 1e6
           : kind == BEYOND_INT32 ? 0x1p29
           : kind == EIGHTHS      ? 0.2
           : kind == TINY         ? 0x1p-899
           : kind == ON_GRID      ? 3
                                  : 1;
}

enum { MOST_N = 24, MOST_MASSES = 12 };

/* By regions as small as can be: by some numbers of threads, which find the same bits, and on a GPU
 * if engine is not NULL. */
static void check_classes(const struct accessibility_request *r, const double *dist, int counts,
                          const struct decay_engine *engine) {
    static const struct regions_options cuts[] = {{2, 2, 0, 0}, {4, 3, 3, 1}};
    const size_t numbers = (size_t)(r->sources.count * r->decays * r->masses);
    struct exact x;
    struct error err;
    double *found[2] = {NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(exact_open("test", r->graph, &x, &err), STATUS_OK);
    for (int k = 0; k < counts; k++) {
        struct class_decays c = {.request = r,
                                 .graph = x.narrow,
                                 .unit = x.unit,
                                 .other_s = INFINITY,
                                 .threads = 1 + 4 * k,
                                 .engine = engine,
                                 .cut = &cuts[numbers % 2]};
        bool done;
        found[k] = calloc(numbers, sizeof **found);
        CU_ASSERT_EQUAL_FATAL(isa_choose(&c.isa, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(x.narrow->type == NUMBER_INT32
                                  ? decays_by_classes(&c, found[k], &done, &err)
                                  : decays_by_classes_f64(&c, found[k], &done, &err),
                              STATUS_OK);
        CU_ASSERT(!done || are_right(r, dist, found[k], NULL));
        CU_ASSERT_EQUAL(c.on_gpu, done && engine != NULL);
    }
    CU_ASSERT(counts == 1 || memcmp(found[0], found[1], numbers * sizeof **found) == 0);
    free(found[0]);
    free(found[1]);
    exact_close(&x);
}

/* The first `counts` numbers of threads find the same bits. */
static void check(const struct accessibility_request *asked, const double *dist, int counts) {
    static const int threads[] = {1, 2, 5};
    struct accessibility_request r = *asked;
    const size_t decayed = (size_t)(r.sources.count * r.decays * r.masses) * sizeof(double);
    const size_t within = (size_t)(r.sources.count * r.limits * r.masses) * sizeof(double);
    struct accessibility found[3];
    struct error err = {0};
    for (int k = 0; k < counts; k++) {
        r.threads = threads[k];
        CU_ASSERT_EQUAL_FATAL(accessibility_find(&r, &found[k], &err), STATUS_OK);
        CU_ASSERT((r.decays > 0) == (found[k].decayed != NULL));
        CU_ASSERT((r.limits > 0) == (found[k].within != NULL));
        CU_ASSERT(decayed == 0 || memcmp(found[k].decayed, found[0].decayed, decayed) == 0);
        CU_ASSERT(within == 0 || memcmp(found[k].within, found[0].within, within) == 0);
    }
    CU_ASSERT(are_right(asked, dist, found[0].decayed, found[0].within));
    CU_ASSERT_EQUAL(found[0].way, ACCESSIBILITY_BY_SEARCHES); /* of so few vertices */
    for (int k = 0; k < counts; k++)
        accessibility_free(&found[k]);
}

static void test_random(void) {
    struct random random = {.state = 61};
    for (int round = 0; round < 2400; round++) {
        const int32_t n = random_in(&random, 1, MOST_N), masses = random_in(&random, 1, 3) * 4 % 7;
        const enum kind kind = (enum kind)(round % KINDS);
        const double scale = scale_of(kind);
        struct graph g =
            graph_of_kind(&random, n, (int[]){3, 8, 30}[round / KINDS % 3], kind, round % 5 < 3);
        double mass[MOST_N * MOST_MASSES];
        for (int32_t k = 0; k < n * masses; k++)
            mass[k] = random_in(&random, 0, 3) % 3 * random_in(&random, 1, 9);
        int32_t some[MOST_N], count = 0;
        for (int32_t v = n - 1; v >= 0; v--)
            if (random_in(&random, 0, 2) > 0 || count == 0)
                some[count++] = v;
        const double decay[] = {3 * scale, scale / 500, 0.7 * scale, 1e9 * scale};
        const double limit[] = {8 * scale, 2 * scale, 0, 1e300, 4 * scale, 8 * scale};
        const bool all = round % 3 > 0;
        const struct accessibility_request r = {.graph = &g,
                                                .sources = {all ? NULL : some, all ? n : count},
                                                .mass = mass,
                                                .masses = masses,
                                                .decay = decay,
                                                .decays = round % 4 == 1 ? 0 : 1 + round % 4,
                                                .limit = limit,
                                                .limits = round % 4 == 0 ? 0 : round % 7 % 6 + 1};
        double *const dist = distances_of(&g);
        check(&r, dist, round % 7 == 0 ? 3 : 1);
        if (r.decays > 0 && g.m > 0 && order_is_available())
            check_classes(&r, dist, round % 7 == 0 ? 2 : 1, round % 16 < 8 ? NULL : &gpu_decays);
        free(dist);
        graph_free(&g);
    }
}

// Classes of rows ---------------------------------------------------------------------------------

static bool are_near(const double *found, const double *right, size_t count) {
    bool near = true;
    for (size_t i = 0; i < count; i++)
        near = near && fabs(found[i] - right[i]) <= 1e-12 * right[i] + 1e-290;
    return near;
}

/* By classes as by searches, with sums within limits beside; the same bits for all threads. Once
 * with so many decays that their factors are found in several turns. */
static void test_classes(void) {
    enum { MANY = 70 };
    static const int threads[] = {3, 1, 2, 5};
    struct random random = {.state = 62};
    for (int round = 0; round < 8 && order_is_available(); round++) {
        const int32_t side = (int[]){34, 40, 52}[round % 3], n = side * side;
        const int32_t highest = (int[]){2, 10000, 5}[round / 2 % 3];
        struct graph integers = random_streets(&random, side, 0, highest, round % 2), wide = {0};
        struct error err;
        const bool is_real = round >= 6;
        if (is_real) {
            CU_ASSERT_EQUAL_FATAL(graph_widen(&integers, &wide, &err), STATUS_OK);
            for (int64_t e = 0; e < wide.m; e++)
                wide.real_weight[e] = (wide.real_weight[e] + 0x1p-34) / 4;
            wide.min_weight = (wide.min_weight + 0x1p-34) / 4;
            wide.max_weight = (wide.max_weight + 0x1p-34) / 4;
            CU_ASSERT_EQUAL_FATAL(grid_find(&wide, NULL, &err), STATUS_OK);
            CU_ASSERT_FATAL(wide.spacing > 0 && !grid_fits_int32(&wide));
        }
        const int32_t masses = (int[]){1, 11, 3}[round % 3];
        double *const mass = malloc((size_t)(n * masses) * sizeof *mass);
        int32_t *const some = malloc((size_t)n * sizeof *some), count = 0;
        for (int32_t v = 0; v < n; v++) {
            for (int32_t m = 0; m < masses; m++)
                mass[v * masses + m] = random_in(&random, 0, 4) / 2;
            if (random_in(&random, 0, 3) > 0)
                some[count++] = n - 1 - v;
        }
        const bool all = round % 4 > 0;
        double decay[MANY] = {highest * 2.0, highest * 11.0, highest / 30.0};
        for (int j = 3; j < MANY; j++)
            decay[j] = highest * (j / 2.0);
        const int32_t decays = round == 0 ? MANY : 3;
        const double limit = highest * 3.0;
        struct accessibility_request r = {.graph = is_real ? &wide : &integers,
                                          .sources = {all ? NULL : some, all ? n : count},
                                          .mass = mass,
                                          .masses = masses,
                                          .decay = decay,
                                          .decays = decays,
                                          .limit = &limit,
                                          .limits = round % 2};
        const size_t numbers = (size_t)(r.sources.count * decays * masses);
        struct accessibility found[4];
        for (int k = 0; k < 4; k++) {
            r.way = k == 0 ? ACCESSIBILITY_BY_SEARCHES : ACCESSIBILITY_BY_CLASSES;
            r.threads = threads[k];
            CU_ASSERT_EQUAL_FATAL(accessibility_find(&r, &found[k], &err), STATUS_OK);
            CU_ASSERT_EQUAL(found[k].way, r.way);
        }
        CU_ASSERT(are_near(found[1].decayed, found[0].decayed, numbers));
        for (int k = 2; k < 4; k++)
            CU_ASSERT(memcmp(found[k].decayed, found[1].decayed, numbers * sizeof *mass) == 0);
        for (int k = 1; k < 4 && r.limits > 0; k++)
            CU_ASSERT(memcmp(found[k].within, found[0].within,
                             numbers / (size_t)decays * sizeof *mass) == 0);
        for (int k = 0; k < 4; k++)
            accessibility_free(&found[k]);
        graph_free(&integers);
        graph_free(&wide);
        free(mass);
        free(some);
    }
}

enum { SIDE = 30, STREETS = SIDE * SIDE, SUMS = 2 * 3 };

/* Decayed sums of streets by classes, which the CPU finds unless a GPU is asked for. */
struct street_sums {
    struct graph g;
    double mass[2 * STREETS], decay[3], limit;
    struct accessibility_request request;
    struct accessibility by_cpu;
};

static void street_sums_begin(struct street_sums *s) {
    struct random random = {.state = 67};
    struct error err;
    *s = (struct street_sums){
        .g = random_streets(&random, SIDE, 1, 100, true), .decay = {50, 1000, 3}, .limit = 150};
    for (int32_t k = 0; k < 2 * STREETS; k++)
        s->mass[k] = random_in(&random, 0, 4) / 2;
    s->request = (struct accessibility_request){.graph = &s->g,
                                                .sources = {NULL, STREETS},
                                                .mass = s->mass,
                                                .masses = 2,
                                                .decay = s->decay,
                                                .decays = 3,
                                                .threads = 2,
                                                .way = ACCESSIBILITY_BY_CLASSES};
    CU_ASSERT_EQUAL_FATAL(accessibility_find(&s->request, &s->by_cpu, &err), STATUS_OK);
    s->request.engine = &gpu_decays;
}

static void street_sums_end(struct street_sums *s) {
    accessibility_free(&s->by_cpu);
    graph_free(&s->g);
}

/* Finds them once more, as the CPU has. Returns whether a GPU did. */
static bool streets_on_gpu(const struct street_sums *s) {
    struct accessibility found;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(accessibility_find(&s->request, &found, &err), STATUS_OK);
    CU_ASSERT_EQUAL(found.way, ACCESSIBILITY_BY_CLASSES);
    CU_ASSERT(are_near(found.decayed, s->by_cpu.decayed, STREETS * SUMS));
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    const bool on_gpu = found.on_gpu;
    accessibility_free(&found);
    return on_gpu;
}

/* A GPU finds what the CPU does, with memory for all sources at once or for some at a time, and
 * sums within limits are found beside; with less, or without such a device, the CPU finds all. The
 * caller's device stays selected. */
static void test_on_gpu(void) {
    static const size_t rooms[] = {(size_t)64 << 20, (size_t)1 << 21, (size_t)1 << 18};
    struct street_sums s;
    int selected = -1;
    if (!order_is_available())
        return;
    street_sums_begin(&s);
    for (int k = 0; k < 3; k++) {
        s.request.limits = k == 0;
        s.request.limit = k == 0 ? &s.limit : NULL;
        cuda_shim_set_memory(rooms[k]);
        CU_ASSERT_EQUAL(streets_on_gpu(&s), k < 2);
    }
    cuda_shim_set_memory((size_t)1 << 30);
    cuda_shim_set_devices(3);
    for (s.request.device = 1; s.request.device < 4; s.request.device++) {
        CU_ASSERT_EQUAL(streets_on_gpu(&s), s.request.device < 3);
        CU_ASSERT(cudaGetDevice(&selected) == cudaSuccess && selected == 0);
    }
    cuda_shim_set_devices(1);
    street_sums_end(&s);
}

/* A call of CUDA fails, or it and all after it: the sums are right all the same. */
static void test_failing_gpu(void) {
    struct street_sums s;
    if (!order_is_available())
        return;
    street_sums_begin(&s);
    for (int k = 0; k < 2; k++) {
        int (*const fail_after)(int) = k == 0 ? cuda_shim_fail_after : cuda_shim_lose_after;
        for (int call = 1, left = 0; left == 0; call += 53) {
            fail_after(call);
            const bool on_gpu = streets_on_gpu(&s);
            left = fail_after(0);
            CU_ASSERT(on_gpu || left == 0);
        }
    }
    street_sums_end(&s);
}

/* A GPU finds nothing unless it is faster than the other way. */
static void check_gpu_decides(const struct street_sums *s, double *decayed) {
    static const double others_s[] = {1e-12, 1e6};
    struct eliminated e;
    struct error err;
    int32_t source[STREETS], first = 0;
    for (int32_t v = 0; v < STREETS; v++)
        source[v] = v;
    while (s->mass[first] == 0) /* which counts at distance 0 */
        first += 2;
    first *= SUMS / 2;
    eliminated_begin_large(&e, &s->g);
    const struct proportional_graph g = eliminated_graph(&e, false);
    for (int k = 0; k < 2; k++) {
        const struct decay_task task = {.graph = &g,
                                        .masses = 2,
                                        .decays = 3,
                                        .mass = s->mass,
                                        .rate = s->decay,
                                        .source = source,
                                        .row = source,
                                        .sources = STREETS,
                                        .threads = 1,
                                        .other_s = others_s[k]};
        bool done;
        CU_ASSERT_EQUAL(gpu_decays.of_int32->find(&task, decayed, &done, &err), STATUS_OK);
        CU_ASSERT(done == (k > 0) && (decayed[first] > 0) == done);
    }
    eliminated_end(&e);
}

/* A GPU is predicted, and taken if it is faster than searches; a caller stops it. */
static void test_gpu_predicted(void) {
    struct street_sums s;
    struct error err = {0};
    if (!order_is_available())
        return;
    street_sums_begin(&s);
    struct accessibility_plan plan;
    CU_ASSERT_EQUAL_FATAL(accessibility_predict(&s.request, &plan, &err), STATUS_OK);
    CU_ASSERT(plan.on_gpu && plan.classes_s > 0 && isfinite(plan.classes_s));
    double *const decayed = calloc(STREETS * SUMS, sizeof *decayed);
    check_gpu_decides(&s, decayed);
    static const struct regions_options cut = {4, 2, 0, 0};
    struct class_decays c = {.request = &s.request,
                             .graph = &s.g,
                             .unit = 1,
                             .other_s = INFINITY,
                             .threads = 1,
                             .engine = &gpu_decays,
                             .cut = &cut};
    CU_ASSERT_EQUAL_FATAL(isa_choose(&c.isa, &err), STATUS_OK);
    enum status status = STATUS_CANCELLED;
    int stops = 0;
    cuda_shim_set_memory((size_t)1 << 21); /* for a few regions at a time */
    for (int reports = 1; status == STATUS_CANCELLED; reports *= 3) {
        int left = reports;
        struct progress progress = {.on_report = stop_after, .callback_context = &left};
        bool done;
        s.request.progress = &progress;
        memset(decayed, 0, STREETS * SUMS * sizeof *decayed);
        status = decays_by_classes(&c, decayed, &done, &err);
        stops += status == STATUS_CANCELLED && c.on_gpu && decayed[0] == 0 && !done;
    }
    CU_ASSERT(status == STATUS_OK && stops > 3);
    cuda_shim_set_memory((size_t)1 << 30);
    free(decayed);
    street_sums_end(&s);
}

/* Which way is taken, and what is predicted of both. */
static void test_ways(void) {
    struct random random = {.state = 63};
    struct graph roads = random_streets(&random, 60, 0, 1000, false);
    struct graph dense = random_graph(&random, 1100, 20, WEIGHTS_POSITIVE);
    static const int32_t two[] = {3, 4};
    const struct {
        const struct graph *graph;
        int32_t sources;
        enum accessibility_way way;
    } cases[] = {{&roads, 3600, ACCESSIBILITY_BY_CLASSES},
                 {&roads, 2, ACCESSIBILITY_BY_SEARCHES},
                 {&dense, 1100, ACCESSIBILITY_BY_SEARCHES}};
    double mass[3600];
    const double decay = 500;
    for (int32_t v = 0; v < 3600; v++)
        mass[v] = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases && order_is_available(); k++) {
        struct accessibility_request r = {
            .graph = cases[k].graph,
            .sources = {cases[k].sources == 2 ? two : NULL, cases[k].sources},
            .mass = mass,
            .masses = 1,
            .decay = &decay,
            .decays = 1};
        struct accessibility_plan plan;
        struct accessibility found;
        struct error err = {0};
        CU_ASSERT_EQUAL_FATAL(accessibility_find(&r, &found, &err), STATUS_OK);
        CU_ASSERT_EQUAL(found.way, cases[k].way);
        accessibility_free(&found);
        CU_ASSERT_EQUAL_FATAL(accessibility_predict(&r, &plan, &err), STATUS_OK);
        CU_ASSERT(plan.searches_s > 0 && plan.limits_s == 0);
        CU_ASSERT((plan.classes_s < plan.searches_s) == (cases[k].way == ACCESSIBILITY_BY_CLASSES));
    }
    graph_free(&roads);
    graph_free(&dense);
}

// Factors -----------------------------------------------------------------------------------------

/* Factors are near those of the C library, wherever in a vector they are. */
static void check_factors(void) {
    enum { COUNT = 64 * EXP_PAD };
    double length[COUNT], factor[COUNT];
    struct random random = {.state = 64};
    struct error err;
    enum isa isa;
    bool near = true;
    CU_ASSERT_EQUAL_FATAL(isa_choose(&isa, &err), STATUS_OK);
    for (int k = 0; k < COUNT; k++)
        length[k] = k == 0   ? 0
                    : k == 1 ? 746
                    : k == 2 ? 1e300
                    : k == 3 ? 708.396418532264078748994506896 /* the least normal number */
                             : exp((double)random_in(&random, -400, 66) / 10);
    exp_kernels(isa)->of_lengths(length, COUNT, 1, factor);
    for (int k = 0; k < COUNT; k++) {
        const double right = (double)expl(-(long double)length[k]);
        near = near && fabs(factor[k] - right) <= fmax(0x1p-52 * right, 0x1.8p-1074);
    }
    CU_ASSERT(near);
    CU_ASSERT_EQUAL(factor[0], 1);
    CU_ASSERT_EQUAL(factor[2], 0);
    double by_rates[EXP_PAD];
    double rates[EXP_PAD];
    for (int j = 0; j < EXP_PAD; j++)
        rates[j] = length[j + 8] / 8;
    exp_kernels(isa)->of_rates(8, rates, EXP_PAD, by_rates);
    CU_ASSERT(memcmp(by_rates, factor + 8, sizeof rates) == 0);
}

static void test_factors(void) {
    on_every_isa(check_factors);
}

// Nearest facilities ------------------------------------------------------------------------------

static bool comes_before(const double *to, int32_t a, int32_t b) {
    return a < b ? to[a] <= to[b] : to[a] < to[b];
}

static void test_nearest(void) {
    struct random random = {.state = 65};
    for (int round = 0; round < 2400; round++) {
        const int32_t n = random_in(&random, 1, MOST_N), k = random_in(&random, 1, 5);
        struct graph g = graph_of_kind(&random, n, (int[]){3, 8, 30}[round / KINDS % 3],
                                       (enum kind)(round % KINDS), round % 5 < 3);
        int32_t facility[MOST_N], count = 0;
        for (int32_t v = 0; v < n; v++)
            if (random_in(&random, 0, 2) == 0 || (count == 0 && v == n - 1))
                facility[count++] = v;
        for (int32_t i = count - 1; i > 0; i--) { /* in any order */
            const int32_t other = random_in(&random, 0, i), own = facility[i];
            facility[i] = facility[other];
            facility[other] = own;
        }
        double *const dist = distances_of(&g);
        struct nearest found;
        struct error err;
        const struct nearest_request r = {
            .graph = &g, .facility = facility, .facilities = count, .k = k};
        CU_ASSERT_EQUAL_FATAL(nearest_find(&r, &found, &err), STATUS_OK);
        bool right = true;
        for (int32_t v = 0; v < n && right; v++) {
            double to[MOST_N];
            bool taken[MOST_N] = {false};
            for (int32_t f = 0; f < count; f++)
                to[f] = dist[(int64_t)v * n + facility[f]];
            for (int32_t i = 0; i < k; i++) {
                int32_t next = -1;
                for (int32_t f = 0; f < count; f++)
                    if (!taken[f] && !isinf(to[f]) && (next < 0 || comes_before(to, f, next)))
                        next = f;
                right = right && found.facility[v * k + i] == next &&
                        found.distance[v * k + i] == (next < 0 ? (double)INFINITY : to[next]);
                if (next >= 0)
                    taken[next] = true;
            }
        }
        CU_ASSERT(right);
        nearest_free(&found);
        free(dist);
        graph_free(&g);
    }
}

// Refusals ----------------------------------------------------------------------------------------

static void check_refused(struct accessibility_request r, const char *why) {
    struct accessibility found;
    struct error err = {0};
    CU_ASSERT_EQUAL(accessibility_find(&r, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
    CU_ASSERT(found.decayed == NULL && found.within == NULL);
}

static void test_refused(void) {
    enum { MANY = 33 };
    struct graph plain = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, 1}}, 2);
    struct graph negative = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, -1}}, 2);
    struct graph zones = graph_of(3, (struct edge[]){{0, 1, 5}, {1, 2, 1}}, 2), odd;
    struct error err;
    static const double ones[] = {1, 1, 1}, below[] = {1, -1, 1}, not_numbers[] = {1, 1, NAN};
    static const double without_sum[] = {1.7e308, 1.7e308, 0};
    static const double decays[] = {1, 0, INFINITY, NAN, -2}, bad_limits[] = {-1, NAN};
    zones.zones = 2;
    CU_ASSERT_EQUAL_FATAL(graph_widen(&plain, &odd, &err), STATUS_OK);
    odd.real_weight[0] = odd.max_weight = 0.1;
    odd.integral = false;
    const struct accessibility_request right = {.graph = &plain,
                                                .sources = {NULL, 3},
                                                .mass = ones,
                                                .masses = 1,
                                                .decay = decays,
                                                .decays = 1};
    struct accessibility_request wrong = right;
    wrong.graph = &negative;
    check_refused(wrong, "weights of 0 or more, found -1");
    wrong.graph = &zones;
    check_refused(wrong, "network with zones");
    wrong.graph = &odd;
    check_refused(wrong, "weights on a grid");
    wrong = right;
    wrong.decays = 0;
    check_refused(wrong, "found neither");
    for (int k = 1; k < 5; k++) {
        wrong = right;
        wrong.decay = decays + k;
        check_refused(wrong, "expected decays above 0");
    }
    wrong = right;
    wrong.limits = 1;
    for (int k = 0; k < 2; k++) {
        wrong.limit = bad_limits + k;
        check_refused(wrong, k == 0 ? "limits of 0 or more, found -1" : "or more, found nan");
    }
    wrong = right;
    wrong.mass = below;
    check_refused(wrong, "found -1 in mass 0 of vertex 1");
    wrong.mass = not_numbers;
    check_refused(wrong, "found nan in mass 0 of vertex 2");
    wrong.mass = without_sum;
    check_refused(wrong, "sum is beyond float64");
    double many[3 * MANY] = {0}; /* so many masses that they are added up in several turns */
    wrong.masses = MANY;
    wrong.mass = many;
    many[3 * MANY - 1] = -1;
    check_refused(wrong, "found -1 in mass 32 of vertex 2");
    many[3 * MANY - 1] = many[2 * MANY - 1] = 1.7e308;
    check_refused(wrong, "found mass 32, whose sum is beyond float64");
    const int32_t facility = 0;
    struct nearest found;
    CU_ASSERT_EQUAL(
        nearest_find(&(struct nearest_request){&negative, &facility, 1, 1, NULL}, &found, &err),
        STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NULL(found.facility);
    graph_free(&plain);
    graph_free(&negative);
    graph_free(&zones);
    graph_free(&odd);
}

static void test_cancelled(void) {
    struct random random = {.state = 66};
    struct graph g = random_streets(&random, 60, 0, 1000, false);
    double mass[3600];
    const double decay = 500;
    for (int32_t v = 0; v < 3600; v++)
        mass[v] = 1;
    for (int way = ACCESSIBILITY_BY_SEARCHES; way <= ACCESSIBILITY_BY_CLASSES; way++) {
        int left = 3;
        struct progress progress = {.on_report = stop_after, .callback_context = &left};
        struct accessibility found;
        struct error err = {0};
        const struct accessibility_request r = {.graph = &g,
                                                .sources = {NULL, g.n},
                                                .mass = mass,
                                                .masses = 1,
                                                .decay = &decay,
                                                .decays = 1,
                                                .way = (enum accessibility_way)way,
                                                .threads = 1,
                                                .progress = &progress};
        CU_ASSERT_EQUAL(accessibility_find(&r, &found, &err), STATUS_CANCELLED);
        CU_ASSERT_PTR_NULL(found.decayed);
    }
    int left = 2;
    struct progress progress = {.on_report = stop_after, .callback_context = &left};
    const int32_t facilities[] = {7, 1800};
    struct nearest found;
    struct error err;
    CU_ASSERT_EQUAL(
        nearest_find(&(struct nearest_request){&g, facilities, 2, 2, &progress}, &found, &err),
        STATUS_CANCELLED);
    CU_ASSERT_PTR_NULL(found.facility);
    graph_free(&g);
}

CU_TestInfo accessibility_tests[] = {
    {"random graphs", test_random},
    {"classes of rows", test_classes},
    {"classes on a GPU", test_on_gpu},
    {"a GPU that fails", test_failing_gpu},
    {"a GPU that is predicted", test_gpu_predicted},
    {"ways", test_ways},
    {"factors", test_factors},
    {"nearest", test_nearest},
    {"what is refused", test_refused},
    {"cancelled", test_cancelled},
    CU_TEST_INFO_NULL,
};
