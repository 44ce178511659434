// SPDX-License-Identifier: MIT
/* The predictions of apsp and the engines that it takes. */
#include "engines/plan.h"

#include "apsp/calibrate.h"
#include "common/base/json_text.h" // JSON_LONGEST
#include "cuda_runtime_api.h"      // the shim's controls
#include "elimination/order.h"     // order_is_available
#include "engines/auto.h"
#include "engines/cpu_auto.h"        // AUTO_SEARCHES
#include "engines/sparse_variants.h" // cuda_sparse_solver
#include "solve/solve.h"             // solve
#include "tests/engines/preference.h"
#include "tests/unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

/* Rates ------------------------------------------------------------------------ */

static void test_rates_kept(void) {
    struct rates written, read;
    struct error err;
    char path[128];
    bool found = true;
    rates_default(&written);
    for (enum rate r = 0; r < RATES; r++) {
        const struct rate_limits *limits = rate_limits(r);
        CU_ASSERT(limits->lowest > 0 && limits->lowest < limits->highest);
        CU_ASSERT(written.of[r] >= limits->lowest && written.of[r] <= limits->highest);
        for (enum rate other = 0; other < r; other++)
            CU_ASSERT_STRING_NOT_EQUAL(limits->name, rate_limits(other)->name);
        written.of[r] = r % 2 == 0 ? limits->lowest : limits->highest;
    }
    snprintf(path, sizeof path, "%s/two/folders/rates.json", temporary_path());
    CU_ASSERT_EQUAL(rates_read(path, &read, &found, &err), STATUS_OK);
    CU_ASSERT_FALSE(found);
    CU_ASSERT_EQUAL(rates_write(path, &written, &err), STATUS_OK);
    CU_ASSERT_EQUAL(rates_read(path, &read, &found, &err), STATUS_OK);
    CU_ASSERT(found);
    for (enum rate r = 0; r < RATES; r++)
        CU_ASSERT_DOUBLE_EQUAL(read.of[r] / written.of[r], 1, 1e-5);
    CU_ASSERT_EQUAL(rates_write("/dev/null/rates.json", &written, &err), STATUS_NO_RESOURCE);
}

/* A file of rates may lack any of them, which are then the built-in ones; it may hold other
 * members. */
static void test_rates_lacking(void) {
    static const char text[] = "{\"version\": 1, \"rates\": {\"cpu_blocked\": 2}, \"more\": [0]}";
    struct rates rates, built_in;
    struct error err;
    bool found;
    rates_default(&built_in);
    CU_ASSERT_EQUAL(rates_read(temporary_file(text, strlen(text)), &rates, &found, &err),
                    STATUS_OK);
    for (enum rate r = 0; r < RATES; r++)
        CU_ASSERT_EQUAL(rates.of[r], r == RATE_BLOCKED ? 2 : built_in.of[r]);
}

static void refuse_rates(const char *path, const char *expected) {
    struct rates rates, built_in;
    struct error err = {0};
    bool found;
    rates_default(&built_in);
    CU_ASSERT_EQUAL(rates_read(path, &rates, &found, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, path));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
    if (strstr(err.text, expected) == NULL)
        printf("\n    expected '%s', found '%s'\n", expected, err.text);
    CU_ASSERT(memcmp(&rates, &built_in, sizeof rates) == 0);
}

static void test_rates_malformed(void) {
    static const struct {
        const char *text, *expected;
    } files[] = {
        {"", "expected JSON"},
        {"{", "expected JSON"},
        {"null", "expected JSON"},
        {"[]", "\"version\": 1"},
        {"{}", "\"version\": 1"},
        {"{\"version\": 2, \"rates\": {}}", "\"version\": 1"},
        {"{\"version\": \"1\", \"rates\": {}}", "\"version\": 1"},
        {"{\"version\": 1}", "an object \"rates\""},
        {"{\"version\": 1, \"rates\": [1]}", "an object \"rates\""},
        {"{\"version\": 1, \"rates\": {\"unheard\": 1}}", "found 'unheard'"},
        {"{\"version\": 1, \"rates\": {\"a\\nb\": 1}}", "found 'a?b'"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": \"1\"}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": true}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": null}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": 0}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": -1}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": 1e9}}", "for cpu_blocked"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": 1e999}}", "expected JSON"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": NaN}}", "expected JSON"},
        {"{\"version\": 1, \"rates\": {\"cpu_blocked\": 1, \"cpu_blocked\": 1}}", "expected JSON"},
        {"{\"version\": 1, \"rates\": {}} x", "expected JSON"},
    };
    char longer[JSON_LONGEST + 2];
    for (int f = 0; f < COUNT(files); f++)
        refuse_rates(temporary_file(files[f].text, strlen(files[f].text)), files[f].expected);
    memset(longer, ' ', sizeof longer);
    refuse_rates(temporary_file(longer, sizeof longer), "expected at most");
    memset(longer, '[', sizeof longer);
    refuse_rates(temporary_file(longer, JSON_LONGEST), "expected JSON");
    refuse_rates("/", "a regular file");
    refuse_rates("/dev/null", "a regular file");
    const char *fifo = temporary_path();
    CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
    refuse_rates(fifo, "a regular file");
}

static void check_path(const char *config, const char *home, const char *expected) {
    struct error err;
    char *path;
    if (config != NULL)
        setenv("XDG_CONFIG_HOME", config, 1);
    else
        unsetenv("XDG_CONFIG_HOME");
    if (home != NULL)
        setenv("HOME", home, 1);
    else
        unsetenv("HOME");
    CU_ASSERT_EQUAL(rates_path(&path, &err), STATUS_OK);
    CU_ASSERT((path == NULL) == (expected == NULL));
    if (path != NULL && expected != NULL)
        CU_ASSERT_STRING_EQUAL(path, expected);
    free(path);
}

static void test_rates_path(void) {
    const char *before = getenv("HOME");
    char *home = before != NULL ? strdup(before) : NULL;
    check_path("/config", "/home", "/config/apsp/rates.json");
    check_path("config", "/home", "/home/.config/apsp/rates.json");
    check_path("", "/home", "/home/.config/apsp/rates.json");
    check_path(NULL, "/home", "/home/.config/apsp/rates.json");
    check_path(NULL, "home", NULL);
    check_path(NULL, NULL, NULL);
    if (home != NULL)
        setenv("HOME", home, 1);
    free(home);
    prefer_nothing();
}

/* Features ------------------------------------------------------------------------ */

enum { MAX_EDGES = 1000 };
static struct edge edges[MAX_EDGES];

static struct graph ring(int32_t n, int32_t weight) {
    for (int32_t v = 0; v < n; v++)
        edges[v] = (struct edge){v, (v + 1) % n, weight};
    return graph_of(n, edges, n);
}

static struct features look(struct graph g) {
    struct features one, many;
    struct error err;
    CU_ASSERT_EQUAL(features_look(&g, 2, &one, &err), STATUS_OK);
    CU_ASSERT_FALSE(one.deep);
    CU_ASSERT_EQUAL(one.bounded, g.type != NUMBER_INT32);
    const double least_hops = one.hops;
    features_look_at_lengths(&g, &one);
    many = one;
    CU_ASSERT_EQUAL(features_look_deep(&g, 1, &one, &err), STATUS_OK);
    CU_ASSERT_EQUAL(features_look_deep(&g, 3, &many, &err), STATUS_OK);
    CU_ASSERT(one.deep && one.bounded);
    CU_ASSERT(one.hops >= least_hops && least_hops >= (g.n >= 100));
    CU_ASSERT_EQUAL(one.hops, many.hops);
    CU_ASSERT_EQUAL(one.longest, many.longest);
    CU_ASSERT_EQUAL(one.n, g.n);
    CU_ASSERT_EQUAL(one.m, g.m);
    CU_ASSERT_EQUAL(one.max_weight, g.type == NUMBER_INT32 ? g.max_weight : 0);
    graph_free(&g);
    return one;
}

/* A path of real weights, whose long way round has fewer edges. */
static void test_real_depth(void) {
    struct real_edge path[] = {{0, 1, 0.25}, {1, 2, 0.25}, {2, 3, 0.25}, {0, 3, 0.875}};
    struct error err;
    struct graph g;
    CU_ASSERT_EQUAL_FATAL(graph_build_real(&g, 4, NUMBER_FLOAT64, path, 4, NULL, &err), STATUS_OK);
    const struct features f = look(g);
    CU_ASSERT_EQUAL(f.type, NUMBER_FLOAT64);
    CU_ASSERT_EQUAL(f.hops, 3);
    CU_ASSERT_FALSE(f.narrow);
}

static void test_depth(void) {
    struct features f = look(ring(100, 7));
    CU_ASSERT_EQUAL(f.hops, 99);
    CU_ASSERT_EQUAL(f.longest, 7 * 99);
    CU_ASSERT(f.narrow);
    f = look(ring(100, 1 << 20));
    CU_ASSERT_EQUAL(f.hops, 99);
    CU_ASSERT_FALSE(f.narrow);
    f = look(graph_of(1, NULL, 0));
    CU_ASSERT_EQUAL(f.hops, 0);
    CU_ASSERT_EQUAL(f.longest, 0);
    /* There are shortest paths of 4 edges and of 2: the one of 2 counts. */
    static const struct edge two_ways[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1},
                                           {0, 5, 2}, {5, 4, 2}, {0, 6, 9}};
    f = look(graph_of(7, two_ways, COUNT(two_ways)));
    CU_ASSERT_EQUAL(f.hops, 3);
    CU_ASSERT_EQUAL(f.longest, 9);
    /* The longer way is found first, and the farthest vertex is not the deepest. */
    static const struct edge later[] = {{0, 1, 1}, {1, 3, 1}, {3, 5, 1}, {5, 7, 3},
                                        {0, 2, 5}, {2, 7, 1}, {0, 4, 9}};
    f = look(graph_of(8, later, COUNT(later)));
    CU_ASSERT_EQUAL(f.hops, 3);
    CU_ASSERT_EQUAL(f.longest, 9);
    /* A path that is too long for a distance leads nowhere. */
    static const struct edge far[] = {{0, 1, INF - 1}, {1, 2, 1}, {2, 3, 5}};
    f = look(graph_of(4, far, COUNT(far)));
    CU_ASSERT_EQUAL(f.hops, 2);
    CU_ASSERT_EQUAL(f.longest, INF - 1);
}

static void test_any_graph(void) {
    static const struct edge negative[] = {{0, 1, -5}, {1, 2, 3}, {2, 0, 4}};
    static const struct edge zeros[] = {{0, 1, 0}, {1, 0, 0}, {1, 2, 3}};
    static const struct edge cycle[] = {{0, 1, -5}, {1, 0, 3}};
    static const struct edge wide[] = {{0, 1, INT32_MIN}, {1, 2, INT32_MIN}, {0, 2, INT32_MAX}};
    static const struct {
        const struct edge *edges;
        int64_t count;
        int32_t n;
        bool is_wide;
        int negative_bits;
        double hops, longest; /* with 0 for weights below it */
    } cases[] = {
        {negative, COUNT(negative), 3, false, 3, 2, 7},
        {zeros, COUNT(zeros), 3, false, 0, 2, 3},
        {cycle, COUNT(cycle), 2, false, 3, 1, 3},
        {wide, COUNT(wide), 3, true, 32, 0, 0},
    };
    for (int c = 0; c < COUNT(cases); c++) {
        struct graph g = graph_of(cases[c].n, cases[c].edges, cases[c].count);
        struct features f;
        struct error err;
        CU_ASSERT_EQUAL(features_look_at_any(&g, 2, &f, &err), STATUS_OK);
        CU_ASSERT_EQUAL(f.wide, cases[c].is_wide);
        CU_ASSERT_EQUAL(f.hops, cases[c].hops);
        CU_ASSERT_EQUAL(f.longest, cases[c].longest);
        CU_ASSERT_EQUAL(f.negative_bits, cases[c].negative_bits);
        CU_ASSERT_EQUAL(f.negative_edges, cases[c].negative_bits > 0 ? g.m + g.n : 0);
        graph_free(&g);
    }
}

/* Many searches take long in a large graph, whose depth models of the CPU ask for only if levels
 * may be searched. */
static void test_depth_of_large_graphs(void) {
    enum { N = 1 << 17 };
    struct edge *const ring_edges = malloc(N * sizeof *ring_edges);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ring_edges);
    for (int kind = 0; kind < 3; kind++) { /* many weights, one weight, a weight below 0 */
        struct features f;
        struct error err;
        for (int32_t v = 0; v < N; v++)
            ring_edges[v] = (struct edge){v, (v + 1) % N, kind == 1 ? 1 : 1 + v % 1000};
        ring_edges[0].weight = kind == 2 ? -1 : ring_edges[0].weight;
        struct graph g = graph_of(N, ring_edges, N);
        CU_ASSERT_EQUAL(features_look_at_any(&g, 2, &f, &err), STATUS_OK);
        CU_ASSERT_EQUAL(f.deep, kind > 0);
        CU_ASSERT(f.bounded);
        CU_ASSERT_EQUAL(f.hops, kind > 0 ? N - 1 : N / 20 - 1);
        graph_free(&g);
    }
    free(ring_edges);
}

/* Predictions ------------------------------------------------------------------------ */

static const struct gpu_traits h200 = {.name = "H200",
                                       .multiprocessors = 132,
                                       .capability = 9,
                                       .shared = 227 << 10,
                                       .clock = 1.98e9,
                                       .bandwidth = 4.9e12,
                                       .memory = (size_t)140 << 30};

static struct machine machine_of(int threads, const struct gpu_traits *gpu) {
    struct machine machine = {.threads = threads, .isa = ISA_COUNT - 1, .has_gpu = gpu != NULL};
    if (gpu != NULL)
        machine.gpu = *gpu;
    else
        snprintf(machine.no_gpu, sizeof machine.no_gpu, "no usable GPU: none in this test");
    return machine;
}

static struct features features_of(int32_t n, int64_t m, double hops, double longest) {
    struct features f;
    features_suppose(n, m, &f);
    f.hops = hops;
    f.longest = longest;
    f.max_weight = 100;
    f.narrow = longest < 30000;
    return f;
}

static struct plan plan_of(const struct features *f, const struct machine *machine,
                           const struct plan_goal *goal) {
    struct rates rates;
    struct plan plan;
    rates_default(&rates);
    plan_make(f, machine, goal, &rates, &plan);
    return plan;
}

static const struct prediction *find(const struct plan *plan, const char *name) {
    for (int k = 0; k < plan->count; k++) {
        char found[64];
        if (strcmp(engine_name(&plan->of[k].engine, found, sizeof found), name) == 0)
            return &plan->of[k];
    }
    return NULL;
}

static double total(const struct plan *plan, const char *name) {
    const struct prediction *p = find(plan, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p->total_s;
}

/* The engine on so many GPUs; NULL if it is not there. */
static const struct prediction *find_on(const struct plan *plan, const char *engine, int gpus) {
    for (int k = 0; k < plan->count; k++) {
        char found[64];
        if (plan->of[k].gpus == gpus &&
            strcmp(engine_name(&plan->of[k].engine, found, sizeof found), engine) == 0)
            return &plan->of[k];
    }
    return NULL;
}

/* Returns whether it is one that says so. */
static bool is_not_taken(const struct plan *plan, const char *name, const char *why) {
    const struct prediction *p = find(plan, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return strstr(p->not_taken, why) != NULL && p->not_taken[0] != '\0';
}

static const struct plan_goal in_memory = {.predecessors = true};

static void check_ranking(const struct plan *plan) {
    CU_ASSERT(plan->usable > 0 && plan->usable <= plan->count);
    for (int k = 0; k < plan->count; k++) {
        const struct prediction *p = &plan->of[k];
        const double parts[] = {p->read_s,  p->prepare_s, p->transfer_s, p->potentials_s,
                                p->solve_s, p->check_s,   p->write_s};
        double sum = 0;
        for (int part = 0; part < COUNT(parts); part++) {
            CU_ASSERT(isfinite(parts[part]) && parts[part] >= 0);
            sum += parts[part];
        }
        CU_ASSERT_EQUAL(p->total_s, sum);
        CU_ASSERT_EQUAL(p->not_taken[0] == '\0', k < plan->usable);
        CU_ASSERT(p->solve_s > 0);
        if (k > 0 && k != plan->usable)
            CU_ASSERT(plan->of[k - 1].total_s <= p->total_s);
    }
}

static void test_every_engine(void) {
    const struct machine machine = machine_of(4, &h200);
    const struct features f = features_of(1000, 5000, 10, 100);
    const struct plan plan = plan_of(&f, &machine, &in_memory);
    int expected = 0;
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            const struct engine engine = {engines[s], &engines[s]->variants[v]};
            char name[64];
            engine_name(&engine, name, sizeof name);
            CU_ASSERT_PTR_NOT_NULL(engine.variant->model.seconds);
            CU_ASSERT(rate_of_name(engine.variant->model.rate) < RATES ||
                      engine.variant->model.rate == NULL);
            if (engine.variant->model.only_chooses) /* all that it chooses among are there */
                continue;
            CU_ASSERT_PTR_NOT_NULL(find(&plan, name));
            expected++;
        }
    }
    CU_ASSERT_EQUAL(plan.count, expected);
    check_ranking(&plan);
}

static void test_extremes(void) {
    static const int32_t sizes[] = {1, 2, 31, 65536, INT32_MAX};
    static const int64_t counts[] = {0, 1, 1000000, INT64_MAX};
    static const struct gpu_traits least = {.multiprocessors = 1, .memory = 1 << 20};
    const struct machine machines[] = {machine_of(1, NULL), machine_of(4096, &h200),
                                       machine_of(2, &least)};
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int c = 0; c < COUNT(counts); c++) {
            for (int m = 0; m < COUNT(machines); m++) {
                for (int extreme = 0; extreme < 2; extreme++) {
                    const struct solver_files files = {.vertices = sizes[s],
                                                       .edges = counts[c],
                                                       .npy = extreme == 0,
                                                       .warming_up = true};
                    const struct plan_goal goal = {.predecessors = extreme == 0, .files = &files};
                    struct features f = features_of(sizes[s], counts[c], sizes[s], INF);
                    struct rates rates;
                    struct plan plan;
                    f.max_weight = INT32_MAX;
                    f.negative_edges = extreme * counts[c];
                    f.negative_bits = 32;
                    for (enum rate r = 0; r < RATES; r++)
                        rates.of[r] =
                            extreme == 0 ? rate_limits(r)->lowest : rate_limits(r)->highest;
                    plan_make(&f, &machines[m], &goal, &rates, &plan);
                    check_ranking(&plan);
                    f.wide = true;
                    plan_make(&f, &machines[m], &goal, &rates, &plan);
                    check_ranking(&plan);
                    for (int k = 0; k < plan.usable; k++)
                        CU_ASSERT(plan.of[k].engine.variant->takes_potentials);
                }
            }
        }
    }
}

/* Measurements of a quiet machine and of busy ones, the last of which made rates wrong by factors
 * of 3 to 17. */
static void test_disturbance(void) {
    static const struct {
        double share, spread;
        bool steady;
    } seen[] = {
        {1, 1, true},       {0.999, 1.02, true}, {0.97, 1.3, true}, {0.5, 1.01, false},
        {0.19, 1.3, false}, {1, 3, false},       {0.99, 17, false}, {0, 1, false},
    };
    for (int k = 0; k < COUNT(seen); k++)
        CU_ASSERT_EQUAL(calibrate_is_steady(seen[k].share, seen[k].spread), seen[k].steady);
}

/* Every engine's prediction has the time for potentials if weights are below 0, and only then. It
 * is not far from what was measured (docs/algorithm.md) on graphs that are hard for some way of
 * finding potentials. */
static void test_potentials(void) {
    static const struct {
        int32_t n;
        int64_t m;
        int bits;
        double seconds, scaling_s; /* with the reweighting; if only scaling is used, or 0 */
    } measured[] = {
        {6000, 10204017, 10, 0.126, 2.23}, {6000, 10206037, 1, 0.246, 0.195},
        {6000, 10206970, 20, 0.216, 4.54}, {6000, 10204017, 27, 0.135, 6.47},
        {6000, 7753608, 1, 0.299, 0.107},  {3000, 59765, 10, 0.0015, 0.028},
        {3000, 62742, 19, 0.0054, 0.054},  {2916, 11448, 10, 0.0004, 0.005},
        {3000, 59548, 10, 0.0049, 0.025},
    };
    const struct machine machine = machine_of(4, &h200);
    for (int k = 0; k < COUNT(measured); k++) {
        struct features f = features_of(measured[k].n, measured[k].m, 8, 1000);
        const struct plan without = plan_of(&f, &machine, &in_memory);
        f.negative_edges = measured[k].n + measured[k].m;
        f.negative_bits = measured[k].bits;
        const struct plan with = plan_of(&f, &machine, &in_memory);
        const double predicted = with.of[0].potentials_s;
        check_ranking(&with);
        CU_ASSERT(predicted > measured[k].seconds / 4 && predicted < 4 * measured[k].seconds);
        CU_ASSERT(with.potentials_most_s > predicted + measured[k].scaling_s);
        CU_ASSERT_EQUAL(without.potentials_most_s, 0);
        for (int e = 0; e < with.count; e++) {
            const struct prediction *p = &with.of[e];
            CU_ASSERT_EQUAL(p->potentials_s, predicted);
            CU_ASSERT_EQUAL(without.of[e].potentials_s, 0);
            CU_ASSERT_DOUBLE_EQUAL(p->total_s - predicted, without.of[e].total_s, 1e-9);
        }
    }
}

/* Checks that no engine but `except` is predicted to be faster for more work or on a worse
 * machine. */
static void check_slower_but(const char *except, const struct plan *less, const struct plan *more) {
    for (int k = 0; k < less->count; k++) {
        char name[64];
        if (strcmp(engine_name(&less->of[k].engine, name, sizeof name), except) == 0)
            continue;
        if (total(more, name) < less->of[k].total_s)
            printf("\n    %s: %g s, then %g s\n", name, less->of[k].total_s, total(more, name));
        CU_ASSERT(total(more, name) >= less->of[k].total_s);
    }
}

static void check_slower(const struct plan *less, const struct plan *more) {
    check_slower_but("", less, more);
}

/* Two NumPy files are written at the same time, by two threads; text and one file are not. */
static void test_files_at_the_same_time(void) {
    const struct features f = features_of(5000, 50000, 20, 1000);
    const struct machine one = machine_of(1, &h200), two = machine_of(2, &h200);
    for (int k = 0; k < 3; k++) {
        const struct solver_files files = {.vertices = 5000, .edges = 50000, .npy = k > 0};
        const struct plan_goal goal = {.predecessors = k < 2, .files = &files};
        const double alone = plan_of(&f, &one, &goal).of[0].write_s;
        const double together = plan_of(&f, &two, &goal).of[0].write_s;
        CU_ASSERT(k != 1 || fabs(2 * together - alone) < 1e-9 * alone);
        CU_ASSERT(k != 2 || together == alone);
        CU_ASSERT(k != 0 || together > 0.4 * alone);
    }
}

static void test_monotone(void) {
    struct gpu_traits slower = h200;
    slower.clock /= 2;
    slower.bandwidth /= 2;
    const struct machine machine = machine_of(8, &h200), fewer = machine_of(2, &h200),
                         slow_gpu = machine_of(8, &slower);
    for (int32_t n = 2000; n <= 32000; n *= 2) {
        const struct solver_files files = {.vertices = n, .edges = 10 * (int64_t)n, .npy = true};
        const struct plan_goal to_file = {.predecessors = true, .files = &files},
                               distances = {.predecessors = false};
        const struct features f = features_of(n, 10 * (int64_t)n, 20, 1000),
                              larger = features_of(n + n / 10, 11 * (int64_t)n, 20, 1000),
                              sparser = features_of(n + n / 10, 10 * (int64_t)n, 20, 1000),
                              denser = features_of(n, 100 * (int64_t)n, 20, 1000),
                              deeper = features_of(n, 10 * (int64_t)n, 2000, 100000);
        const struct plan plan = plan_of(&f, &machine, &in_memory);
        struct plan other = plan_of(&larger, &machine, &in_memory);
        check_slower(&plan, &other);
        other = plan_of(&sparser, &machine, &in_memory); /* vertices are queued less often */
        check_slower_but("cuda_sparse:queued", &plan, &other);
        other = plan_of(&denser, &machine, &in_memory);
        check_slower(&plan, &other);
        other = plan_of(&deeper, &machine, &in_memory);
        check_slower(&plan, &other);
        other = plan_of(&f, &fewer, &in_memory);
        check_slower(&plan, &other);
        other = plan_of(&f, &slow_gpu, &in_memory);
        check_slower(&plan, &other);
        other = plan_of(&f, &machine, &to_file);
        check_slower(&plan, &other);
        other = plan_of(&f, &machine, &distances);
        check_slower(&other, &plan);
        other = plan_of(&f, &machine, &in_memory); /* and the same again */
        for (int k = 0; k < plan.count; k++) {
            CU_ASSERT_PTR_EQUAL(plan.of[k].engine.variant, other.of[k].engine.variant);
            CU_ASSERT_EQUAL(plan.of[k].total_s, other.of[k].total_s);
        }
    }
}

static double solve_s(const struct features *f, const struct machine *machine, const char *name) {
    const struct plan plan = plan_of(f, machine, &in_memory);
    const struct prediction *p = find(&plan, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p->solve_s;
}

/* Other properties of graphs and machines for which an engine takes longer. */
static void test_what_counts(void) {
    const struct machine many = machine_of(64, &h200), one = machine_of(1, &h200);
    struct machine portable = many, older = many;
    const struct features few = features_of(40, 200, 5, 100), f = features_of(2000, 20000, 12, 500);
    struct features longer = features_of(2000, 20000, 12, 40000), heavier = longer;
    portable.isa = ISA_PORTABLE;
    older.gpu.capability = h200.capability - 1;
    heavier.max_weight = 40000;
    /* Threads do not help if there is nothing to do for them. */
    CU_ASSERT(solve_s(&f, &many, "cpu:multisource") < solve_s(&f, &one, "cpu:multisource"));
    CU_ASSERT_EQUAL(solve_s(&few, &many, "cpu:multisource"),
                    solve_s(&few, &one, "cpu:multisource"));
    if (many.isa != ISA_PORTABLE) {
        CU_ASSERT(solve_s(&f, &portable, "cpu:blocked") > solve_s(&f, &many, "cpu:blocked"));
        CU_ASSERT(solve_s(&f, &portable, "cpu:multisource") >
                  solve_s(&f, &many, "cpu:multisource"));
    }
    CU_ASSERT(solve_s(&longer, &many, "cpu:blocked") > solve_s(&f, &many, "cpu:blocked"));
    /* Labels of wide levels leave the cache: measured 6 to 8 times as long for 200 000 vertices. */
    struct features narrow = features_of(200000, 4000000, 6, 500), wide = narrow;
    narrow.elimination.levels = wide.elimination.levels = 6;
    narrow.elimination.width = 1000;
    wide.elimination.width = 33000;
    const double times =
        solve_s(&wide, &one, "cpu:multisource") / solve_s(&narrow, &one, "cpu:multisource");
    CU_ASSERT(times > 5 && times < 10);
    /* Labels are corrected more often where few paths are equally long: measured 1.8 to 2.2 times
     * as long for power laws and R-MAT. Not so where levels are many. */
    struct features equal = narrow, various = narrow;
    equal.max_weight = 10;
    various.max_weight = 1000;
    const double more =
        solve_s(&various, &one, "cpu:multisource") / solve_s(&equal, &one, "cpu:multisource");
    CU_ASSERT(more > 1.8 && more < 2.2);
    equal.elimination.levels = various.elimination.levels = 48;
    various.max_weight = 2000;
    CU_ASSERT_EQUAL(solve_s(&various, &one, "cpu:multisource"),
                    solve_s(&equal, &one, "cpu:multisource"));
    CU_ASSERT(solve_s(&f, &older, "cuda_blocked:dpx32") > solve_s(&f, &many, "cuda_blocked:dpx32"));
    /* Labels of 16 bits are tried in vain, or not at all. */
    CU_ASSERT(solve_s(&longer, &many, "cuda_sparse:multisource") >
              solve_s(&heavier, &many, "cuda_sparse:multisource"));
    CU_ASSERT(solve_s(&heavier, &many, "cuda_sparse:multisource") >
              solve_s(&f, &many, "cuda_sparse:multisource"));
    const struct plan_goal distances = {.predecessors = false};
    const struct plan with = plan_of(&f, &many, &in_memory),
                      without = plan_of(&f, &many, &distances);
    CU_ASSERT(find(&with, "cuda_blocked:auto")->transfer_s >
              find(&without, "cuda_blocked:auto")->transfer_s);
}

/* A close look takes longer than a solve of a small graph: only models of GPUs are worth it. */
static void test_looks_no_deeper_than_needed(void) {
    const struct solver_options options = {.threads = 1};
    const struct plan_goal goal = {.predecessors = true};
    struct graph g = ring(100, 7);
    struct features f;
    struct rates rates;
    struct plan plan;
    struct error err;
    rates_default(&rates);
    CU_ASSERT_EQUAL(features_look(&g, 2, &f, &err), STATUS_OK);
    for (int always = 0; always <= 1; always++) {
        CU_ASSERT_EQUAL(plan_here(&g, &f, &options, &goal, &rates, always, &plan, &err), STATUS_OK);
        CU_ASSERT_EQUAL(plan.features.deep, always);
        CU_ASSERT_EQUAL(plan.features.hops, always ? 99 : 4); /* a twentieth of the ring */
        CU_ASSERT_EQUAL(plan.machine.has_gpu, always);
    }
    graph_free(&g);
}

/* The features of g, as they are at first or all of them. */
static struct features look_at_all(const struct graph *g, bool all) {
    struct features f;
    struct error err;
    CU_ASSERT_EQUAL(features_look(g, 2, &f, &err), STATUS_OK);
    if (all) {
        features_look_at_lengths(g, &f);
        CU_ASSERT_EQUAL(features_look_deep(g, 1, &f, &err), STATUS_OK);
    }
    return f;
}

/* Returns whether the engine that is best by the features of a first look takes longer by worse
 * ones. */
static bool is_open(const struct graph *g, const struct machine *machine, const struct rates *rates,
                    const struct plan_goal *goal) {
    const struct features first = look_at_all(g, false), worst = features_at_worst(&first);
    struct plan best, least;
    plan_make(&first, machine, goal, rates, &best);
    plan_make(&worst, machine, goal, rates, &least);
    for (int k = 0; k < least.usable; k++) {
        if (least.of[k].engine.variant == best.of[0].engine.variant &&
            least.of[k].gpus == best.of[0].gpus)
            return least.of[k].total_s > best.of[0].total_s;
    }
    return true;
}

/* Features are looked for if they can change which engine is taken, and only then. */
static void check_look(const struct graph *g, const struct rates *rates, bool predecessors,
                       int *looks) {
    const struct plan_goal goal = {.predecessors = predecessors};
    const struct solver_options options = {.threads = 1};
    struct features few = look_at_all(g, false), all = look_at_all(g, true);
    struct plan plan, wanted;
    struct error err;
    CU_ASSERT_EQUAL(plan_here(g, &few, &options, &goal, rates, false, &plan, &err), STATUS_OK);
    CU_ASSERT_EQUAL(plan_here(NULL, &all, &options, &goal, rates, false, &wanted, &err), STATUS_OK);
    CU_ASSERT_EQUAL(plan.machine.has_gpu, wanted.machine.has_gpu);
    CU_ASSERT_PTR_EQUAL(plan.of[0].engine.variant, wanted.of[0].engine.variant);
    CU_ASSERT_EQUAL(plan.of[0].total_s, wanted.of[0].total_s);
    struct machine without = plan.machine;
    without.has_gpu = false;
    const bool opens = plan.machine.has_gpu && is_open(g, &plan.machine, rates, &goal);
    CU_ASSERT_EQUAL(few.deep, opens);
    CU_ASSERT_EQUAL(few.bounded, opens || is_open(g, &without, rates, &goal));
    looks[few.deep ? 2 : few.bounded]++;
}

static void test_looks_if_it_matters(void) {
    static const enum rate favoured[] = {RATE_JOHNSON, RATE_BLOCKED, RATE_CUDA_SIMPLE,
                                         RATE_CUDA_BLOCKED, RATE_CUDA_SPARSE};
    struct random random = {5};
    struct graph graphs[] = {ring(300, 1000), random_graph(&random, 200, 1, WEIGHTS_POSITIVE),
                             random_graph(&random, 150, 60, WEIGHTS_LARGE)};
    int looks[3] = {0, 0, 0}; /* none, at lengths only, all */
    for (int k = 0; k < COUNT(graphs); k++) {
        for (int f = 0; f < COUNT(favoured); f++) {
            for (int predecessors = 0; predecessors <= 1; predecessors++) {
                struct rates rates;
                rates_default(&rates);
                rates.of[favoured[f]] = rate_limits(favoured[f])->lowest;
                if (favoured[f] >= RATE_CUDA_SIMPLE)
                    rates.of[RATE_CONTEXT] = rate_limits(RATE_CONTEXT)->lowest;
                check_look(&graphs[k], &rates, predecessors, looks);
            }
        }
        graph_free(&graphs[k]);
    }
    CU_ASSERT(looks[0] > 0 && looks[1] > 0 && looks[2] > 0);
}

/* If the second GPU of a host cannot be queried and all GPUs are asked for, the first is used
 * alone. If both are listed, neither is used. */
static void test_second_gpu_fails(void) {
    const struct plan_goal goal = {.predecessors = true};
    struct solver_options options = {.threads = 1, .device_count = 2, .devices = {0, 1}};
    struct graph g = ring(100, 7);
    struct features f;
    struct rates rates;
    struct plan plan;
    struct error err;
    rates_default(&rates);
    CU_ASSERT_EQUAL(features_look(&g, 2, &f, &err), STATUS_OK);
    cuda_shim_set_devices(2);
    for (int all = 0; all <= 1; all++) {
        int refused = 0, alone = 0; /* the last call that led to that */
        options.device_count = all ? SOLVER_ALL_DEVICES : 2;
        for (int call = 1;; call++) {
            cuda_shim_fail_after(call);
            CU_ASSERT_EQUAL(plan_here(&g, &f, &options, &goal, &rates, true, &plan, &err),
                            STATUS_OK);
            const bool failed = cuda_shim_fail_after(0) == 0;
            CU_ASSERT(failed || (plan.machine.has_gpu && plan.machine.gpus == 2));
            if (!failed)
                break;
            refused = plan.machine.has_gpu ? refused : call;
            alone = plan.machine.has_gpu && plan.machine.gpus == 1 ? call : alone;
        }
        CU_ASSERT(all ? alone > refused : alone == 0 && refused > 0);
    }
    cuda_shim_set_devices(1);
    graph_free(&g);
}

/* Data that every GPU has to hold must fit the one with the least memory, wherever it is in the
 * list. */
static void test_unlike_gpus(void) {
    const struct plan_goal goal = {.predecessors = true};
    const struct solver_options options = {.threads = 1, .device_count = 2, .devices = {0, 1}};
    struct graph g = ring(100, 7);
    struct features f;
    struct rates rates;
    struct plan plan;
    struct error err;
    rates_default(&rates);
    CU_ASSERT_EQUAL(features_look(&g, 2, &f, &err), STATUS_OK);
    cuda_shim_set_devices(2);
    cuda_shim_set_memory((size_t)2 << 30);
    for (int smallest = 0; smallest < 2; smallest++) {
        cuda_shim_set_smallest(smallest);
        CU_ASSERT_EQUAL(plan_here(&g, &f, &options, &goal, &rates, true, &plan, &err), STATUS_OK);
        CU_ASSERT_EQUAL(plan.machine.gpu.memory, (size_t)1 << 30);
    }
    cuda_shim_set_smallest(-1);
    cuda_shim_set_memory((size_t)1 << 30);
    cuda_shim_set_devices(1);
    graph_free(&g);
}

/* solve_s with predecessors of random graphs of 2 %, experiments/results/ladder_h200.csv. */
static void test_measured(void) {
    static const struct {
        const char *engine;
        int32_t n;
        double longest, solve_s;
    } measured[] = {
        {"cuda_simple:thesis", 10000, 20, 4.370},       {"cuda_simple:vector", 10000, 20, 1.372},
        {"cuda_blocked:thesis", 5000, 20, 0.108},       {"cuda_blocked:tile32", 10000, 20, 0.502},
        {"cuda_blocked:tile64", 10000, 20, 0.292},      {"cuda_blocked:batched", 10000, 20, 0.236},
        {"cuda_blocked:dpx32", 2500, 90, 0.00234},      {"cuda_blocked:dpx32", 12500, 19, 0.132},
        {"cuda_blocked:dpx16", 5000, 40, 0.00596},      {"cuda_blocked:dpx16", 12500, 19, 0.0727},
        {"cuda_blocked:tensor", 7500, 25, 0.00602},     {"cuda_blocked:tensor", 12500, 19, 0.0217},
        {"cuda_blocked:resident", 1000, 200, 0.000251}, {"cuda_blocked:auto", 5000, 40, 0.00602},
        {"cuda_blocked:auto", 12500, 19, 0.0219},
    };
    const struct machine machine = machine_of(16, &h200);
    for (int k = 0; k < COUNT(measured); k++) {
        const int64_t m = (int64_t)measured[k].n * measured[k].n / 50;
        const struct features f = features_of(measured[k].n, m, 8, measured[k].longest);
        const struct plan plan = plan_of(&f, &machine, &in_memory);
        const struct prediction *p = find(&plan, measured[k].engine);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        const double ratio = p->solve_s / measured[k].solve_s;
        if (ratio < 0.75 || ratio > 1.25)
            printf("\n    %s %d: %g of what was measured\n", measured[k].engine, measured[k].n,
                   ratio);
        CU_ASSERT(ratio > 0.75 && ratio < 1.25);
    }
}

/* Measures of dense graphs with 16 threads beside an H200, and 64 rows of a power law and of R-MAT
 * with one thread, most of whose time goes into laying out the graph. */
static void test_measured_distances(void) {
    static const struct {
        int32_t n;
        int64_t m;
        int32_t rows;
        int threads;
        double solve_s;
    } measured[] = {
        {4000, 7998000, 0, 16, 0.0442},  {4000, 1599600, 0, 16, 0.0193},
        {8000, 3199600, 0, 16, 0.0609},  {1500, 1124250, 0, 16, 0.0067},
        {70000, 1399890, 64, 1, 0.1983}, {65536, 1819402, 64, 1, 0.1682},
    };
    for (int k = 0; k < COUNT(measured); k++) {
        const struct machine machine = machine_of(measured[k].threads, &h200);
        struct features f = features_of(measured[k].n, measured[k].m, 3, 100);
        if (measured[k].rows > 0) {
            f.elimination.levels = 6;
            f.elimination.width = 10000;
            f.max_weight = 10;
        }
        const struct plan_goal goal = {.rows = measured[k].rows};
        const struct plan plan = plan_of(&f, &machine, &goal);
        const double ratio = find(&plan, "cpu:multisource")->solve_s / measured[k].solve_s;
        if (ratio < 1 / 1.5 || ratio > 1.5)
            printf("\n    %d %lld: %g of what was measured\n", measured[k].n,
                   (long long)measured[k].m, ratio);
        CU_ASSERT(ratio > 1 / 1.5 && ratio < 1.5);
    }
}

/* The same of label correcting, sparse_h200.csv, and of the CPU's with 16 threads, or with 2,
 * cpu_2cores.csv; hops as found by a look at the graph. Of `queued`, and of rings that `auto`
 * leaves to it, medians of five on an H200 that are not kept. */
static void test_measured_on_sparse_graphs(void) {
    static const struct {
        const char *engine;
        int32_t n;
        int64_t m;
        double hops, solve_s;
        int threads;
        double reach;  /* 0: as features_suppose has it */
        double within; /* a factor: how often a vertex is queued is no more than guessed */
    } measured[] = {
        {"cuda_sparse:queued", 5000, 5000, 4999, 0.00662, 16, 1, 1.7},
        {"cuda_sparse:queued", 10000, 10000, 9999, 0.0160, 16, 1, 1.7},
        {"cuda_sparse:queued", 10000, 39600, 218, 0.269, 16, 1, 1.7},
        {"cuda_sparse:queued", 13000, 39000, 226, 0.114, 16, 1, 1.7},
        {"cuda_sparse:queued", 12500, 15000, 5, 0.0169, 16, 0.375, 1.7},
        {"cuda_sparse:queued", 12500, 6250, 1, 0.00148, 16, 0.000228, 1.7},
        {"cuda_sparse:auto", 5000, 5000, 4999, 0.0107, 16, 1, 1.25},
        {"cuda_sparse:auto", 10000, 10000, 9999, 0.0214, 16, 1, 1.25},
        {"cuda_sparse:auto", 5000, 500000, 13, 0.00204, 16, 0, 1.25},
        {"cuda_sparse:auto", 5000, 30000, 19, 0.000915, 16, 0, 1.25},
        {"cuda_sparse:auto", 12500, 3125000, 10, 0.0123, 16, 0, 1.25},
        {"cuda_sparse:auto", 12500, 81250, 21, 0.00561, 16, 0, 1.25},
        {"cuda_sparse:auto", 12500, 6250, 1, 0.00124, 16, 0, 1.25},
        {"cuda_sparse:auto", 10000, 39600, 218, 0.00776, 16, 0, 1.25},
        {"cpu:multisource", 5000, 500000, 13, 0.149, 2, 0, 1.25},
        {"cpu:multisource", 5000, 30000, 19, 0.0858, 2, 0, 1.25},
        {"cpu:multisource", 5000, 30000, 19, 0.0173, 16, 0, 1.25},
        {"cpu:multisource", 12500, 81250, 21, 0.120, 16, 0, 1.25},
        {"cpu:blocked16", 1000, 999000, 3, 0.0123, 2, 0, 1.25},
        {"cpu:blocked16", 5000, 500000, 13, 0.905, 2, 0, 1.25},
        {"cpu:blocked32", 5000, 500000, 13, 1.817, 2, 0, 1.25},
    };
    for (int k = 0; k < COUNT(measured); k++) {
        const struct machine machine = machine_of(measured[k].threads, &h200);
        struct features f = features_of(measured[k].n, measured[k].m, measured[k].hops, 1000);
        if (measured[k].reach > 0)
            f.reach = measured[k].reach;
        const struct plan plan = plan_of(&f, &machine, &in_memory);
        const struct prediction *p = find(&plan, measured[k].engine);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        const double ratio = p->solve_s / measured[k].solve_s;
        if (ratio < 1 / measured[k].within || ratio > measured[k].within)
            printf("\n    %s %d %lld: %g of what was measured\n", measured[k].engine, measured[k].n,
                   (long long)measured[k].m, ratio);
        CU_ASSERT(ratio > 1 / measured[k].within && ratio < measured[k].within);
    }
}

static void test_not_taken(void) {
    struct gpu_traits small = h200, old = h200;
    small.memory = 64 << 20;
    old.shared = 48 << 10;
    const struct machine none = machine_of(4, NULL), machine = machine_of(4, &h200),
                         little = machine_of(4, &small), older = machine_of(4, &old);
    const struct features f = features_of(4000, 40000, 12, 500);
    struct features short_ones = f, wide = f;
    struct plan plan = plan_of(&f, &none, &in_memory);
    for (int k = 0; k < plan.count; k++) {
        if (plan.of[k].engine.solver->uses_gpu)
            CU_ASSERT_STRING_EQUAL(plan.of[k].not_taken, "no usable GPU: none in this test");
    }
    plan = plan_of(&f, &machine, &in_memory);
    CU_ASSERT(is_not_taken(&plan, "cuda_simple:naive", "computes no predecessors"));
    CU_ASSERT(is_not_taken(&plan, "cuda_blocked:tensor", "distances up to 26 only"));
    CU_ASSERT(is_not_taken(&plan, "cpu:blocked16", "distances up to 32766 only"));
    CU_ASSERT(is_not_taken(&plan, "cuda_blocked:resident", "for up to 1216 vertices"));
    CU_ASSERT_STRING_EQUAL(find(&plan, "cuda_blocked:dpx32")->not_taken, "");
    plan = plan_of(&f, &machine, &(struct plan_goal){.predecessors = false});
    CU_ASSERT_STRING_EQUAL(find(&plan, "cuda_simple:naive")->not_taken, "");
    plan = plan_of(&f, &little, &in_memory);
    CU_ASSERT(is_not_taken(&plan, "cuda_blocked:auto", "GiB, the GPU has 0.0625"));
    CU_ASSERT(is_not_taken(&plan, "cuda_sparse:multisource", "GiB, the GPU has 0.0625"));
    plan = plan_of(&f, &older, &in_memory);
    CU_ASSERT(is_not_taken(&plan, "cuda_blocked:dpx32", "shared memory, this GPU has 49152"));
    CU_ASSERT_STRING_EQUAL(find(&plan, "cuda_blocked:auto")->not_taken, "");
    /* They are exact whatever the paths: all weights are 0, or there are few vertices. */
    short_ones.max_weight = 0;
    plan = plan_of(&short_ones, &machine, &in_memory);
    CU_ASSERT_STRING_EQUAL(find(&plan, "cuda_blocked:tensor")->not_taken, "");
    wide.wide = true;
    plan = plan_of(&wide, &machine, &in_memory);
    CU_ASSERT_EQUAL(plan.usable, 3); /* johnson, and two that leave it to that */
    CU_ASSERT(is_not_taken(&plan, "cuda_blocked:auto", "do not fit in 32 bits"));
}

/* Few rows are for the one engine that `auto` takes without a plan. */
static void test_few_rows(void) {
    const struct machine machine = machine_of(2, &h200);
    const struct features f = features_of(100000, 276000, 400, 700000);
    const struct plan_goal goals[] = {{.rows = 16}, {.rows = 64, .limited = true}},
                           more = {.rows = 17};
    for (int k = 0; k < 2; k++) {
        const struct plan few = plan_of(&f, &machine, &goals[k]);
        CU_ASSERT_EQUAL(few.usable, 1);
        CU_ASSERT_STRING_EQUAL(few.of[0].engine.variant->name, AUTO_SEARCHES);
        CU_ASSERT_STRING_EQUAL(find(&few, "cpu:multisource")->not_taken, AUTO_SEARCHES_WHY);
    }
    CU_ASSERT(plan_of(&f, &machine, &more).usable > 1);
}

/* Some rows, as they come, when no matrix fits. */
static void test_rows(void) {
    const struct machine machine = machine_of(2, &h200);
    const struct features f = features_of(100000, 276000, 400, 700000);
    const struct plan_goal all = {.streams = true},
                           some = {.rows = 100, .streams = true, .room = 1 << 30};
    struct plan_goal checked = some;
    const struct plan with_all = plan_of(&f, &machine, &all), plan = plan_of(&f, &machine, &some);
    checked.check = true;
    check_ranking(&plan);
    for (int k = 0; k < plan.count; k++) {
        const struct prediction *p = &plan.of[k];
        char name[64];
        engine_name(&p->engine, name, sizeof name);
        const struct solver_variant *variant = p->engine.variant;
        const bool on_cpu = strncmp(name, "cpu:", 4) == 0;
        if (!variant->by_rows) {
            CU_ASSERT(p->memory >= (uint64_t)f.n * (uint64_t)f.n * sizeof(int32_t));
            CU_ASSERT(p->not_taken[0] != '\0');
        } else if (variant->steps_most > 0) {
            CU_ASSERT(is_not_taken(&plan, name, "weights up to 16 units"));
        } else if (strcmp(name, "cpu:dissection") != 0 && /* which has to be prepared first */
                   (on_cpu || strcmp(name, "cuda_sparse:multisource") == 0)) {
            CU_ASSERT_STRING_EQUAL(p->not_taken, "");
            /* multisource lays out the graph first. */
            const double times = strcmp(name, "cpu:multisource") == 0 ? 100 : 500;
            CU_ASSERT(p->solve_s < find(&with_all, name)->solve_s / times);
        }
    }
    const struct plan proved = plan_of(&f, &machine, &checked);
    CU_ASSERT(proved.of[0].check_s > 0 && plan.of[0].check_s == 0);
    /* Rows are proved on all threads. */
    const struct machine one = machine_of(1, &h200), eight = machine_of(8, &h200);
    const struct plan slow = plan_of(&f, &one, &checked), fast = plan_of(&f, &eight, &checked);
    CU_ASSERT(2 * find(&fast, "cpu:multisource")->check_s <
              find(&slow, "cpu:multisource")->check_s);
}

/* Real weights are for engines that add them up themselves and, rounded, for those of the CPU,
 * whose rows are refined; those below 0 for one of them. */
static void test_real(void) {
    const struct machine with_gpu = machine_of(16, &h200), without = machine_of(16, NULL);
    struct features f = features_of(40000, 260000, 18, 1 << 29);
    const struct plan integers = plan_of(&f, &with_gpu, &in_memory);
    f.max_weight = 0;
    f.narrow = false;
    f.type = NUMBER_FLOAT64;
    f.elimination = (struct elimination_features){.known = true, .core = f.n, .levels = 100};
    const struct plan real = plan_of(&f, &with_gpu, &in_memory);
    check_ranking(&real);
    for (int k = 0; k < real.usable; k++)
        CU_ASSERT(real.of[k].engine.variant->solves_real || !real.of[k].engine.solver->uses_gpu);
    CU_ASSERT_PTR_EQUAL(real.of[0].engine.solver, &cuda_sparse_solver);
    CU_ASSERT(is_not_taken(&real, "cuda_blocked:dpx32", "solves rounded weights"));
    CU_ASSERT(find(&real, "cuda_sparse:multisource")->gpu_memory >
              find(&integers, "cuda_sparse:multisource")->gpu_memory);
    CU_ASSERT(find(&real, "cpu:multisource")->solve_s >
              find(&integers, "cpu:multisource")->solve_s);
    f.elimination.levels = 20;
    const struct plan on_cpu = plan_of(&f, &without, &in_memory);
    char name[64];
    CU_ASSERT_STRING_EQUAL(engine_name(&on_cpu.of[0].engine, name, sizeof name), "cpu:multisource");
    f.elimination = (struct elimination_features){
        .known = true, .pays = true, .levels = 200, .fill = 5, .once_s = 0.1, .shared_s = 1};
    const struct plan road = plan_of(&f, &without, &in_memory);
    CU_ASSERT(find(&road, "cpu:dissection")->memory > find(&integers, "cpu:dissection")->memory);
    /* The longer paths are, the more of them the quanta confuse. */
    struct features small = f, large = f;
    small.n = 10000;
    small.elimination.once_s = 0.001;
    small.elimination.shared_s = 0.01;
    small.degree = large.degree = 2.8;
    small.m = 28000;
    large.n = 600000;
    large.m = 1680000;
    const struct plan near = plan_of(&small, &without, &in_memory),
                      far = plan_of(&large, &without, &in_memory);
    CU_ASSERT(find(&near, "cpu:dissection")->solve_s < find(&near, "cpu:johnson")->solve_s);
    CU_ASSERT(find(&far, "cpu:dissection")->solve_s > find(&far, "cpu:johnson")->solve_s);
    f.min_weight = -1;
    const struct plan below_0 = plan_of(&f, &with_gpu, &in_memory);
    check_ranking(&below_0);
    CU_ASSERT_EQUAL(below_0.usable, 1);
    CU_ASSERT_STRING_EQUAL(engine_name(&below_0.of[0].engine, name, sizeof name),
                           "cpu:multisource");
    CU_ASSERT(is_not_taken(&below_0, "cpu:johnson", "takes no float64 weights below 0"));
}

/* Measures alone of a large road network: only totals leave the GPU. Rows go over the bus. */
static void test_totals(void) {
    const struct machine machine = machine_of(16, &h200);
    const struct features f = features_of(264346, 730100, 700, 3000000);
    const struct plan_goal rows = {.streams = true, .measures = true},
                           totals = {.streams = true, .measures = true, .totals_do = true};
    const struct plan with_rows = plan_of(&f, &machine, &rows),
                      plan = plan_of(&f, &machine, &totals);
    const struct prediction *const p = find(&plan, "cuda_sparse:dissection");
    CU_ASSERT(p == &plan.of[0]);
    CU_ASSERT(p->transfer_s < 0.1 && find(&with_rows, "cuda_sparse:dissection")->transfer_s > 1);
    CU_ASSERT(p->check_s == 0 && find(&plan, "cuda_sparse:auto")->check_s > 0);
    struct features real = f;
    real.type = NUMBER_FLOAT64;
    real.grid = GRID_ALL;
    const struct plan on_grid = plan_of(&real, &machine, &totals);
    CU_ASSERT(find(&on_grid, "cuda_sparse:dissection") == &on_grid.of[0]);
    CU_ASSERT(on_grid.of[0].transfer_s < 0.1 && on_grid.of[0].solve_s > p->solve_s);
    CU_ASSERT(find(&on_grid, "cuda_sparse:multisource")->transfer_s > 1);
}

/* Sums of a large road network take less than all its totals, but those of a few rows do not. */
static void test_sums(void) {
    const struct machine machine = machine_of(16, &h200);
    const struct features f = features_of(264346, 730100, 700, 3000000);
    double seconds[2][2]; /* few rows, all; without sums, with */
    for (int all = 0; all <= 1; all++) {
        for (int sums = 0; sums <= 1; sums++) {
            const struct plan_goal goal = {.streams = true,
                                           .measures = true,
                                           .totals_do = true,
                                           .sums_do = sums,
                                           .rows = all ? 0 : 4096};
            struct plan_goal proved_goal = goal;
            proved_goal.check = true;
            const struct plan plan = plan_of(&f, &machine, &goal),
                              proved = plan_of(&f, &machine, &proved_goal);
            const double proof_s = find(&proved, "cuda_sparse:dissection")->check_s;
            seconds[all][sums] = find(&plan, "cuda_sparse:dissection")->solve_s;
            CU_ASSERT(find(&plan, "cuda_sparse:dissection")->check_s == 0);
            CU_ASSERT(proof_s > 0 && proof_s < 2 * seconds[all][sums]);
        }
    }
    CU_ASSERT(!order_is_available() || seconds[1][1] < 0.8 * seconds[1][0]);
    CU_ASSERT(seconds[0][1] == seconds[0][0] && seconds[0][1] < seconds[1][1]);
}

/* Proved sums are proved as they are found, if weights are above 0; otherwise all rows are proved.
 */
static void test_proved_sums(void) {
    const struct machine machine = machine_of(16, NULL);
    const struct plan_goal goal = {
        .streams = true, .measures = true, .check = true, .totals_do = true, .sums_do = true};
    for (int32_t lightest = 0; lightest <= 1; lightest++) {
        struct features f = features_of(264346, 730100, 700, 3000000);
        f.min_weight = lightest;
        const struct plan plan = plan_of(&f, &machine, &goal);
        const struct prediction *const sums = find(&plan, "cpu:dissection"), *const rows = find(
                                                                                 &plan,
                                                                                 "cpu:multisource");
        CU_ASSERT(rows->check_s > 0);
        CU_ASSERT_EQUAL(sums->check_s == rows->check_s, lightest == 0);
        CU_ASSERT_EQUAL(sums->check_s > sums->solve_s && sums->check_s < 2 * sums->solve_s,
                        lightest == 1);
    }
}

/* A part of the memory of a run, which proves and writes while it solves or afterwards. */
static void test_whole_runs(void) {
    const struct machine machine = machine_of(2, NULL);
    const struct features f = features_of(5000, 20000, 40, 7000);
    for (int streams = 0; streams <= 1; streams++) {
        const struct run_memory run = {.held = 1 << 20, .turns = 900 << 20, .streams = streams};
        const struct plan_goal goal = {
            .run = &run, .streams = streams, .room = (1 << 20) + (900 << 20) + (streams ? 1 : 0)};
        const struct plan plan = plan_of(&f, &machine, &goal);
        const struct prediction *p = find(&plan, "cpu:johnson");
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(p->memory > run.held + run.turns, streams);
        CU_ASSERT_EQUAL(p->not_taken[0] == '\0', !streams);
        CU_ASSERT(streams == 0 || strstr(p->not_taken, " of memory, there are 901.0 MiB") != NULL);
    }
}

/* The measurements leave no doubt. */
static void test_best(void) {
    const struct machine machine = machine_of(16, &h200), cpu = machine_of(2, NULL);
    const struct {
        int32_t n;
        int64_t m;
        double hops, longest;
        const char *with_gpu, *without;
    } cases[] = {
        {20, 60, 4, 100, "cpu:", "cpu:"},
        {1000, 500, 3, 100, "cpu:johnson", "cpu:johnson"},
        {2000, 100000, 15, 45, "cpu:", "cpu:multisource"},
        {30000, 9000000, 8, 15, "cuda_", "cpu:multisource"},
        {30000, 450000000, 4, 8, "cuda_blocked:", "cpu:"},
        {40000, 160000, 20000, 1e6, "c",
         order_is_available() ? "cpu:dissection" : "cpu:multisource"},
    };
    for (int c = 0; c < COUNT(cases); c++) {
        const struct features f =
            features_of(cases[c].n, cases[c].m, cases[c].hops, cases[c].longest);
        struct plan plan = plan_of(&f, &machine, &in_memory);
        char name[64];
        engine_name(&plan.of[0].engine, name, sizeof name);
        CU_ASSERT_NSTRING_EQUAL(name, cases[c].with_gpu, strlen(cases[c].with_gpu));
        plan = plan_of(&f, &cpu, &in_memory);
        engine_name(&plan.of[0].engine, name, sizeof name);
        CU_ASSERT_NSTRING_EQUAL(name, cases[c].without, strlen(cases[c].without));
    }
    /* Label correcting on a GPU pays off if paths have few edges, not if they have many. */
    const struct features shallow = features_of(10000, 40000, 15, 500),
                          deep = features_of(10000, 40000, 10000, 500);
    struct plan plan = plan_of(&shallow, &machine, &in_memory);
    CU_ASSERT(total(&plan, "cuda_sparse:multisource") < total(&plan, "cuda_blocked:auto"));
    plan = plan_of(&deep, &machine, &in_memory);
    CU_ASSERT(total(&plan, "cuda_sparse:multisource") > total(&plan, "cuda_blocked:auto"));
}

/* Creating a context while the graph is read costs what is left of it. */
static void test_warming_up(void) {
    const struct machine machine = machine_of(16, &h200);
    const struct features f = features_of(5000, 2000000, 8, 100);
    struct rates rates;
    rates_default(&rates);
    for (int warm = 0; warm <= 1; warm++) {
        const struct solver_files files = {
            .vertices = 5000, .edges = 2000000, .npy = true, .warming_up = warm == 1};
        const struct plan_goal goal = {.predecessors = true, .files = &files};
        const struct plan plan = plan_of(&f, &machine, &goal);
        const struct prediction *p = find(&plan, "cuda_blocked:auto");
        const double context_s = 1e-3 * rates.of[RATE_CONTEXT];
        CU_ASSERT_DOUBLE_EQUAL(p->prepare_s, warm ? fmax(0, context_s - p->read_s) : context_s,
                               1e-9);
        CU_ASSERT_DOUBLE_EQUAL(4 * p->read_s, 1e-9 * rates.of[RATE_READ] * 2000000, 1e-9);
        CU_ASSERT(p->write_s > 0 && p->transfer_s > 0);
        /* A choice that waits for the context delays engines of the CPU as long. */
        struct machine waiting = machine;
        waiting.waits = true;
        const struct plan later = plan_of(&f, &waiting, &goal);
        CU_ASSERT_DOUBLE_EQUAL(find(&later, "cpu:blocked")->total_s,
                               find(&plan, "cpu:blocked")->total_s + p->prepare_s, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(find(&later, "cuda_blocked:auto")->total_s, p->total_s, 1e-9);
    }
    const struct solver_options options = {.threads = 2};
    struct engine expected;
    struct error err;
    CU_ASSERT_EQUAL(plan_expected(30000, 450000000, &options, &in_memory, &rates, &expected, &err),
                    STATUS_OK);
    CU_ASSERT(expected.solver->uses_gpu);
    CU_ASSERT_EQUAL(plan_expected(100, 500, &options, &in_memory, &rates, &expected, &err),
                    STATUS_OK);
    CU_ASSERT_FALSE(expected.solver->uses_gpu);
}

static void count_wait(void *self) {
    int *const waits = self;
    ++*waits;
}

/* A choice waits for a context only if a GPU could win or is used later, and then says so. */
static void test_waiting(void) {
    const struct features few = features_of(100, 500, 8, 100),
                          many = features_of(30000, 450000000, 8, 100);
    struct rates rates;
    rates_default(&rates);
    for (int k = 0; k < 4; k++) {
        const bool large = k % 2 == 1, follows = k == 2, is_there = k < 3;
        const struct solver_options options = {.threads = 1, .device = is_there ? 0 : 5};
        struct features f = large ? many : few;
        int waits = 0;
        const struct solver_files files = {.vertices = f.n,
                                           .edges = f.m,
                                           .warming_up = true,
                                           .gpu_follows = follows,
                                           .wait = count_wait,
                                           .self = &waits};
        const struct plan_goal goal = {.files = &files};
        struct plan plan;
        struct error err;
        CU_ASSERT_EQUAL(plan_here(NULL, &f, &options, &goal, &rates, false, &plan, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(waits, large || follows);
        CU_ASSERT_EQUAL(plan.machine.waits, is_there && (large || follows));
    }
}

/* Where there is work for several GPUs, each does its part, and contexts take their time. */
static void test_several_gpus(void) {
    static const struct {
        const char *engine;
        bool divides_memory;
    } spread[] = {{"cuda_sparse:multisource", false},
                  {"cuda_blocked:dpx32", true},
                  {"cuda_blocked:auto", true}};
    struct machine machine = machine_of(16, &h200);
    const struct features large = features_of(100000, 450000000, 10, 60000);
    const struct features small = features_of(100, 400, 10, 600);
    machine.gpus = 4;
    const struct plan some = plan_of(&small, &machine, &in_memory);
    const struct plan plan = plan_of(&large, &machine, &in_memory);
    check_ranking(&plan);
    CU_ASSERT(plan.count < PLAN_MAX);
    for (int e = 0; e < COUNT(spread); e++) {
        const struct prediction *const one = find_on(&plan, spread[e].engine, 1),
                                       *const four = find_on(&plan, spread[e].engine, 4);
        CU_ASSERT_PTR_NOT_NULL_FATAL(one);
        CU_ASSERT_PTR_NOT_NULL_FATAL(four);
        CU_ASSERT(four->solve_s < one->solve_s / 3 && four->solve_s > one->solve_s / 4.1);
        CU_ASSERT(four->prepare_s > one->prepare_s);
        if (spread[e].divides_memory)
            CU_ASSERT(four->gpu_memory < one->gpu_memory / 2);
        CU_ASSERT_PTR_NULL(find_on(&some, spread[e].engine, 4));
    }
    CU_ASSERT_EQUAL(plan.of[0].gpus, 4);
    CU_ASSERT_PTR_NULL(find_on(&plan, "cuda_blocked:tile64", 4));
    const struct plan_goal tight = {.predecessors = true, .room = 1};
    const struct plan none = plan_of(&small, &machine, &tight);
    CU_ASSERT(is_not_taken(&none, "cuda_sparse:multisource", "of memory are left"));
}

/* Choice of an engine --------------------------------------------------------------- */

struct events {
    char variant[128], why[4096], failed[64], next[64], reason[1024];
    int failures;
    size_t gpu_bytes; /* that were said to be needed */
};

static void keep_memory(void *to, const struct gpu_memory *memory) {
    ((struct events *)to)->gpu_bytes = memory->needed;
}

static void keep_choice(void *to, const char *variant, const char *why) {
    struct events *events = to;
    snprintf(events->variant, sizeof events->variant, "%s", variant);
    snprintf(events->why, sizeof events->why, "%s", why != NULL ? why : "");
}

static void keep_failure(void *to, const char *failed, const char *reason, const char *next) {
    struct events *events = to;
    events->failures++;
    snprintf(events->failed, sizeof events->failed, "%s", failed);
    snprintf(events->reason, sizeof events->reason, "%s", reason);
    snprintf(events->next, sizeof events->next, "%s", next);
}

/* Solves, proves what comes out, and tells; the status is solve()'s. */
static enum status take(const struct graph *g, struct events *events, struct error *err) {
    const struct solver_options options = {.threads = 2,
                                           .on_memory = keep_memory,
                                           .on_choice = keep_choice,
                                           .explains = true,
                                           .on_failure = keep_failure,
                                           .callback_context = events};
    struct matrix dist = new_matrix(g->n), pred = new_matrix(g->n);
    struct timing timing;
    struct error refuted;
    *events = (struct events){.failures = 0};
    const enum status status =
        solve(apsp_solver.variants, g, &options, &dist, &pred, NULL, 1, &timing, err);
    if (status == STATUS_OK) {
        CU_ASSERT_EQUAL(certify(g, &dist, &pred, 1, &refuted), STATUS_OK);
        CU_ASSERT(timing.solve_s > 0 && timing.total_s >= timing.solve_s);
    }
    matrix_free(&dist);
    matrix_free(&pred);
    return status;
}

static void test_taken(void) {
    struct random random = {3};
    struct events events;
    struct error err;
    for (int kind = 0; kind < WEIGHT_KINDS; kind++) {
        struct graph g = random_graph(&random, 40, 10, (enum weights)kind);
        for (int gpu = 0; gpu <= 1; gpu++) {
            prefer(gpu == 1);
            CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_OK);
            CU_ASSERT_NSTRING_EQUAL(events.variant, gpu ? "cuda_" : "cpu:", 4);
            CU_ASSERT_PTR_NOT_NULL(strstr(events.why, "predicted seconds"));
            CU_ASSERT_EQUAL(events.failures, 0);
            CU_ASSERT_EQUAL(events.gpu_bytes > 0, gpu == 1);
            CU_ASSERT_EQUAL(strstr(events.why, "computes no predecessors") != NULL, gpu == 1);
        }
        graph_free(&g);
    }
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    prefer_nothing();
}

/* An engine that chooses for itself: what it chose is what was taken. */
static void test_taken_in_turn(void) {
    struct random random = {7};
    struct graph g = random_graph(&random, 200, 2, WEIGHTS_POSITIVE);
    struct events events;
    struct error err;
    prefer(true);
    CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(events.variant, "cuda_sparse:multisource");
    const char *const first = strstr(events.why, "\ncuda_sparse:auto");
    CU_ASSERT(first != NULL && first < strstr(events.why, "\ncuda_sparse:multisource"));
    prefer_nothing();
    graph_free(&g);
}

/* If the CPU is fast, the GPU is not even asked for. */
static void test_gpu_not_asked(void) {
    struct random random = {4};
    struct graph g = random_graph(&random, 30, 20, WEIGHTS_POSITIVE);
    struct events events;
    struct error err;
    prefer(false);
    cuda_shim_fail_after(1);
    CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_OK);
    CU_ASSERT_EQUAL(cuda_shim_fail_after(0), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(events.why, "not asked for a GPU"));
    prefer_nothing();
    graph_free(&g);
}

/* Every CUDA call fails in turn: then there is no GPU, or the CPU goes on. */
static void test_gpu_failures(void) {
    struct random random = {5};
    struct graph g = random_graph(&random, 20, 20, WEIGHTS_POSITIVE);
    struct events events;
    struct error err;
    int failures = 0, call = 1;
    prefer(true);
    for (;; call++) {
        cuda_shim_fail_after(call);
        CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_OK);
        const bool failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT_EQUAL(cuda_shim_held(), 0);
        if (!failed)
            break;
        CU_ASSERT(events.failures <= 1);
        if (events.failures == 1) {
            CU_ASSERT_NSTRING_EQUAL(events.failed, "cuda_", 5);
            CU_ASSERT_NSTRING_EQUAL(events.next, "cpu:", 4);
            CU_ASSERT_NSTRING_EQUAL(events.variant, "cpu:", 4);
            CU_ASSERT(events.reason[0] != '\0');
            failures++;
        }
    }
    CU_ASSERT(failures > 10);
    CU_ASSERT_NSTRING_EQUAL(events.variant, "cuda_", 5);
    prefer_nothing();
    graph_free(&g);
}

/* An engine that turns out not to be able to solve the graph: the next, on the GPU too. */
static void test_engine_refuses(void) {
    struct random random = {6};
    struct graph g = random_graph(&random, 120, 10, WEIGHTS_POSITIVE);
    struct events events;
    struct error err;
    prefer(true);
    cuda_shim_set_occupancy(1); /* so that `resident` is for 64 vertices */
    CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_OK);
    cuda_shim_set_occupancy(16);
    CU_ASSERT_EQUAL(events.failures, 1);
    CU_ASSERT_STRING_EQUAL(events.failed, "cuda_blocked:resident");
    CU_ASSERT_PTR_NOT_NULL(strstr(events.reason, "at most 64 vertices"));
    CU_ASSERT_NSTRING_EQUAL(events.variant, "cuda_", 5);
    prefer_nothing();
    graph_free(&g);
}

/* A failure that no engine could avoid is told, and not tried again. */
static void test_no_other_engine(void) {
    static const struct edge cycle[] = {{0, 1, -5}, {1, 0, 3}};
    static const struct edge far[] = {{0, 1, INF - 1}, {1, 2, INF - 1}};
    static const struct edge wide[] = {{0, 1, INT32_MIN}, {1, 2, INT32_MIN}, {0, 2, INT32_MAX}};
    struct graph graphs[] = {graph_of(2, cycle, COUNT(cycle)), graph_of(3, far, COUNT(far)),
                             graph_of(3, wide, COUNT(wide))};
    static const enum status expected[] = {STATUS_NEGATIVE_CYCLE, STATUS_BAD_INPUT,
                                           STATUS_BAD_INPUT};
    struct events events;
    struct error err;
    prefer(true);
    for (int k = 0; k < COUNT(graphs); k++) {
        CU_ASSERT_EQUAL(take(&graphs[k], &events, &err), expected[k]);
        CU_ASSERT_EQUAL(events.failures, 0);
        graph_free(&graphs[k]);
    }
    setenv("APSP_SIMD", "none", 1);
    struct graph g = ring(5, 1);
    CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "APSP_SIMD"));
    unsetenv("APSP_SIMD");
    char path[128];
    snprintf(path, sizeof path, "%s/apsp/rates.json", getenv("XDG_CONFIG_HOME"));
    FILE *file = fopen(path, "w");
    fputs("{}", file);
    fclose(file);
    CU_ASSERT_EQUAL(take(&g, &events, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, path));
    prefer_nothing();
    graph_free(&g);
}

CU_TestInfo plan_tests[] = {
    {"rates are kept", test_rates_kept},
    {"rates that a file lacks", test_rates_lacking},
    {"malformed files of rates", test_rates_malformed},
    {"where rates are kept", test_rates_path},
    {"depth of graphs", test_depth},
    {"depth of real weights", test_real_depth},
    {"any graph", test_any_graph},
    {"depth of large graphs", test_depth_of_large_graphs},
    {"every engine has a model", test_every_engine},
    {"potentials have their place", test_potentials},
    {"measured on a busy machine", test_disturbance},
    {"extreme sizes, machines and rates", test_extremes},
    {"files at the same time", test_files_at_the_same_time},
    {"more work takes longer, the same as long", test_monotone},
    {"what else takes longer", test_what_counts},
    {"looks no deeper than needed", test_looks_no_deeper_than_needed},
    {"looks closer if it matters", test_looks_if_it_matters},
    {"what was measured", test_measured},
    {"what was measured of distances alone", test_measured_distances},
    {"what was measured on sparse graphs", test_measured_on_sparse_graphs},
    {"what cannot be taken", test_not_taken},
    {"totals", test_totals},
    {"sums", test_sums},
    {"proved sums", test_proved_sums},
    {"few rows", test_few_rows},
    {"some rows", test_rows},
    {"real weights", test_real},
    {"memory of whole runs", test_whole_runs},
    {"the best", test_best},
    {"context created while reading", test_warming_up},
    {"waiting for a context", test_waiting},
    {"several GPUs", test_several_gpus},
    {"GPUs of unlike memory", test_unlike_gpus},
    {"what is taken", test_taken},
    {"what is taken in turn", test_taken_in_turn},
    {"a GPU that is not asked for", test_gpu_not_asked},
    {"every CUDA call failing, the CPU going on", test_gpu_failures},
    {"an engine that refuses", test_engine_refuses},
    {"failures that no other engine survives", test_no_other_engine},
    {"a second GPU that fails", test_second_gpu_fails},
    CU_TEST_INFO_NULL,
};
