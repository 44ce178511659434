// SPDX-License-Identifier: MIT
/* Totals of proportional rows on the host shim: for regions of every size, any sources, in every
 * order of threads, with little memory, and whatever call fails. */
#include "classes/gpu/classes.h"
#include "elimination/order.h" // order_is_available
#include "tests/unit/eliminated.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void) {
    if (!order_is_available())
        printf("skipped: a build without SuiteSparse's AMD ");
    return !order_is_available();
}

static const struct regions_options deep = {.leaf = 1, .ratio = 2, .worth = 1, .worth_width = 0},
                                    nested = {.leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1},
                                    flat = {.leaf = 1 << 20, .ratio = 2};

enum {
    PLENTY = 16 << 20, /* bytes, for all graphs here; */
    ENOUGH = 2 << 20,  /* for small ones */
    CALLS_MOST = 1 << 20,
    SMALL = 95, /* labels of a region that few threads sweep over together */
    WIDE = 33,  /* fewest vertices of a boundary that a warp compares in turns */
};

struct how {
    const struct regions_options *cut;
    bool reversed;
    int32_t apart, at_a_time; /* every so manyth position; so many sources at a time, if not 0, */
    int32_t fewest;           /* which are divided if there are more than this, if not 0 */
    size_t room;
    struct progress *progress;
    bool proves;
};

/* Properties of a solve that the tests have to meet. */
struct seen {
    int32_t at_a_time;
    int calls; /* of CUDA, that can fail */
    int32_t most_classes, most_rows;
    bool small, large; /* regions that few threads sweep over together, and that many do */
    bool narrow, wide; /* boundaries whose vertices a warp compares at once, and wider ones */
    bool proved;
    bool shares; /* a wide boundary has several classes, but fewer than rows */
};

static void look(const struct gpu_classes *c, struct seen *seen) {
    seen->at_a_time = c->at_a_time;
    for (int32_t k = 0; k < c->count; k++) {
        const struct class_region *const r = &c->region[k];
        const int32_t labels = class_size(r) + r->start;
        seen->small = seen->small || labels <= SMALL;
        seen->large = seen->large || labels > SMALL;
        if (r->classes > seen->most_classes)
            seen->most_classes = r->classes;
        if (r->sources + r->classes > seen->most_rows)
            seen->most_rows = r->sources + r->classes;
        if (r->parent < 0)
            continue;
        const struct class_region *const around = &c->region[r->parent];
        const int32_t rows = around->sources + around->classes - r->sources;
        seen->narrow = seen->narrow || (r->width > 0 && r->width < WIDE);
        seen->wide = seen->wide || r->width >= WIDE;
        if (r->width >= WIDE && r->classes > 1 && r->classes < rows)
            seen->shares = true;
    }
}

/* The totals of some positions, which are right if the status says so. Nothing is held. */
static enum status solve(const struct eliminated *s, const struct how *how, struct seen *seen,
                         struct error *err) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated_graph(s, how->reversed);
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct class_total *total = malloc(sizeof *total * (size_t)n);
    struct row_totals *out = malloc(sizeof *out * (size_t)n);
    const int32_t count = some_positions(n, how->apart, source);
    struct regions regions;
    struct gpu_classes c = {0};
    *seen = (struct seen){0};
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, how->cut, 1, &regions, err), STATUS_OK);
    const struct gpu_classes_options options = {.threads = 2,
                                                .room = how->room,
                                                .progress = how->progress,
                                                .proves =
                                                    how->proves ? &s->graph[how->reversed] : NULL};
    enum status status = gpu_classes_open(&c, &g, &regions, &options, err);
    if (status == STATUS_OK) {
        c.at_a_time = how->at_a_time > 0 ? how->at_a_time : c.at_a_time;
        c.fewest = how->fewest > 0 ? how->fewest : c.fewest;
        status = gpu_classes_totals(&c, source, count, total, err);
    }
    if (status == STATUS_OK) {
        for (int32_t k = 0; k < count; k++)
            out[k] = (struct row_totals){
                .sum = total[k].sum, .reached = total[k].reached, .farthest = total[k].farthest};
        CU_ASSERT(totals_are(s, how->reversed, source, count, out));
        look(&c, seen);
        status = gpu_classes_proved(&c, &seen->proved, err);
    }
    gpu_classes_close(&c);
    regions_free(&regions);
    CU_ASSERT(cuda_shim_held() == 0 && cuda_shim_pending() == 0);
    free(source);
    free(total);
    free(out);
    return status;
}

/* Returns whether rows can be proved here: no weight is 0. */
static bool is_provable(const struct eliminated *s) {
    return s->graph[0].m == 0 || s->graph[0].min_weight > 0;
}

/* With a proof, too. */
static struct seen check(const struct eliminated *s, const struct how *how) {
    struct how proving = *how;
    struct seen seen, proved;
    struct error err = {0};
    cuda_shim_fail_after(CALLS_MOST);
    CU_ASSERT_EQUAL(solve(s, how, &seen, &err), STATUS_OK);
    seen.calls = CALLS_MOST - cuda_shim_fail_after(0);
    proving.proves = true;
    CU_ASSERT_EQUAL(solve(s, &proving, &proved, &err), STATUS_OK);
    CU_ASSERT(!seen.proved && proved.proved == is_provable(s));
    return seen;
}

static void check_all(const struct graph *g, int32_t apart) {
    const struct regions_options *const cuts[] = {&deep, &nested, &flat};
    struct eliminated s;
    eliminated_begin(&s, g);
    for (int k = 0; k < 3; k++) {
        const struct how all = {.cut = cuts[k], .reversed = k % 2 > 0, .apart = 1, .room = ENOUGH};
        const struct how some = {.cut = cuts[k],
                                 .reversed = k % 2 == 0,
                                 .apart = apart < g->n ? apart : 1,
                                 .at_a_time = 1 + g->n / 3,
                                 .room = ENOUGH};
        cuda_shim_set_order((enum cuda_shim_order)(k % 3));
        cuda_shim_set_overlap(k == 1);
        check(&s, &all);
        check(&s, &some);
    }
    cuda_shim_set_overlap(0);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    eliminated_end(&s);
}

/* Directed graphs, most of them in several parts; and undirected ones, whose lengths are large. */
static void test_random(void) {
    struct random random = {43};
    for (int round = 0; round < 9 && !skipped(); round++) {
        const int32_t n = random_in(&random, 1, 90);
        struct graph g = random_graph(&random, n, n < 20 ? 12 : random_in(&random, 1, 4),
                                      round % 3 == 0 ? WEIGHTS_ZERO : WEIGHTS_POSITIVE);
        check_all(&g, random_in(&random, 2, 7));
        graph_free(&g);
    }
}

/* A vertex alone, many without an edge, and a path whose vertices are all in the same place: rows
 * of the same class differ by 0. And two paths, outside of whose regions there is no vertex. */
static void test_extremes(void) {
    enum { N = 70 };
    struct edge edges[2 * N], apart[4 * N];
    int64_t count = 0;
    if (skipped())
        return;
    for (int32_t v = 1; v < N; v++) {
        edges[count++] = (struct edge){v - 1, v, 0};
        edges[count++] = (struct edge){v, v - 1, 0};
    }
    for (int64_t e = 0; e < count; e++) {
        apart[e] = (struct edge){edges[e].from, edges[e].to, 1 + (int32_t)e % 7};
        apart[count + e] = (struct edge){N + edges[e].from, N + edges[e].to, 3};
    }
    struct graph graphs[] = {graph_of(1, NULL, 0), graph_of(N, NULL, 0), graph_of(N, edges, count),
                             graph_of(2 * N, apart, 4 * (N - 1))};
    for (int k = 0; k < 4; k++) {
        check_all(&graphs[k], 3);
        graph_free(&graphs[k]);
    }
}

/* Classes of more rows than a block has, in regions within regions, and sources of which a region
 * has several tiles. */
static void test_large(void) {
    enum { N = 900 };
    struct eliminated s;
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin_large(&s, &g);
    for (int k = 0; k < 2; k++) {
        const struct how how = {
            .cut = &nested, .apart = 1, .at_a_time = k == 0 ? 0 : N / 2, .room = PLENTY};
        const struct seen seen = check(&s, &how);
        CU_ASSERT(seen.small && seen.narrow);
        CU_ASSERT(seen.most_rows > 4 * CLASS_ROWS || k > 0);
        CU_ASSERT(seen.most_classes > CLASS_TILE);
    }
    eliminated_end(&s);
    graph_free(&g);
}

/* Blocks that run together put rows of the same classes into the same tables. */
static void test_together(void) {
    static const struct regions_options cut = {.leaf = 60, .ratio = 8, .worth = 60};
    struct eliminated s;
    if (skipped())
        return;
    struct graph g = long_path(290, 20);
    eliminated_begin(&s, &g);
    cuda_shim_set_overlap(1);
    for (int k = 0; k < 3; k++) {
        const struct how how = {
            .cut = &cut, .reversed = k == 1, .apart = 1, .room = PLENTY, .proves = k == 1};
        struct seen seen;
        struct error err = {0};
        cuda_shim_set_order((enum cuda_shim_order)k);
        CU_ASSERT_EQUAL(solve(&s, &how, &seen, &err), STATUS_OK);
        CU_ASSERT(seen.proved == how.proves && seen.most_rows > 2 * CLASS_ROWS);
    }
    cuda_shim_set_overlap(0);
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    eliminated_end(&s);
    graph_free(&g);
}

/* The less memory there is, the smaller are the groups of regions, and then the parts of sources.
 * Totals are right or, if there is too little for a few sources, a line says so. */
static void check_little_memory(bool proves) {
    enum { N = 300, FEW = 100 };
    struct eliminated s;
    struct seen seen;
    struct error err = {0};
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin_large(&s, &g);
    struct how how = {.cut = &nested, .apart = 1, .fewest = FEW, .room = PLENTY, .proves = proves};
    cuda_shim_fail_after(CALLS_MOST);
    CU_ASSERT_EQUAL(solve(&s, &how, &seen, &err), STATUS_OK);
    const int calls = CALLS_MOST - cuda_shim_fail_after(0);
    bool refuses = false, groups = false, divides = false;
    for (how.room = 20 << 10; how.room < PLENTY / 4 && !(groups && divides);
         how.room += how.room / 4) {
        cuda_shim_fail_after(CALLS_MOST);
        const enum status status = solve(&s, &how, &seen, &err);
        const int taken = CALLS_MOST - cuda_shim_fail_after(0);
        if (status != STATUS_OK) {
            CU_ASSERT_EQUAL(status, STATUS_NO_RESOURCE);
            CU_ASSERT_STRING_EQUAL(err.text, "out of memory on the GPU: proportional rows");
            CU_ASSERT(!groups && !divides);
            refuses = true;
            continue;
        }
        CU_ASSERT_EQUAL(seen.proved, proves);
        divides = divides || seen.at_a_time < N;
        groups = groups || (seen.at_a_time > N && taken > calls);
    }
    CU_ASSERT(refuses && groups && divides);
    eliminated_end(&s);
    graph_free(&g);
}

static void test_little_memory(void) {
    check_little_memory(false);
    check_little_memory(true);
}

/* Two teeth are joined by `width` hubs, of which each of their vertices has an edge to some, and a
 * path hangs on the last vertex of a tooth. */
static struct graph hubs_and_path(int32_t width, int32_t length, int32_t path) {
    enum { SOME = 8 };
    struct random random = {17};
    const int32_t n = width + 2 * length + path;
    struct edge *edges = malloc(sizeof *edges * 2 * (SOME + 1) * (size_t)n);
    int64_t count = 0;
    for (int32_t v = width; v < n; v++) {
        const int32_t in_tooth = (v - width) % length;
        if (v >= width + 2 * length || in_tooth > 0)
            edges[count++] = (struct edge){v - 1, v, random_in(&random, 1, 9)};
        for (int32_t k = 0; k < SOME && v < width + 2 * length; k++)
            edges[count++] =
                (struct edge){(in_tooth + k * width / SOME) % width, v, random_in(&random, 1, 900)};
    }
    count = graph_append_reverses(edges, count);
    struct graph g = graph_of(n, edges, count);
    free(edges);
    return g;
}

/* The factor of a vertex of a boundary in the hash of a row. */
static uint32_t factor(uint32_t b) {
    uint32_t by = (b + 1) * 0x9e3779b1u;
    by = (by ^ by >> 15) * 0x85ebca6bu;
    return (by ^ by >> 13) | 1;
}

/* Rows with the same hash that are not proportional: from one source the second vertex of a
 * boundary is `right` farther than the first, from another the first is `left` farther than the
 * second, and both have the same share in the hash. The boundary may have either order. It is that
 * of a path, and far vertices that are all joined keep it from being eliminated first. */
static void test_collisions(void) {
    enum { PATH = 20, MOST = 1 << 20, WEIGHT = 2 * MOST, SOURCES = 4, FAR = 5 };
    enum { N = 2 + PATH + SOURCES + FAR };
    static const struct regions_options cut = {.leaf = PATH, .ratio = 100, .worth = PATH};
    uint32_t inverse = 1, left = 1; /* of factor(1) */
    for (int k = 0; k < 5; k++)
        inverse *= 2 - factor(1) * inverse;
    while (left < MOST && left * factor(0) * inverse >= MOST)
        left++;
    const int32_t more[] = {(int32_t)left, (int32_t)(left * factor(0) * inverse)};
    CU_ASSERT_FATAL(more[0] < MOST && more[1] < MOST && !skipped());
    struct edge edges[2 * (PATH + 1 + 2 * SOURCES + FAR * (FAR + 1))];
    int64_t count = 0;
    for (int32_t v = 0; v < PATH + 1; v++) /* from vertex 0 to vertex 1 */
        edges[count++] = (struct edge){v == 0 ? 0 : 1 + v, v == PATH ? 1 : 2 + v, MOST / 8};
    for (int32_t k = 0; k < SOURCES; k++) {
        const int32_t source = 2 + PATH + k, to = k % 2, as = k / 2;
        edges[count++] = (struct edge){source, to, WEIGHT + more[to ^ as]};
        edges[count++] = (struct edge){source, 1 - to, WEIGHT};
    }
    for (int32_t v = N - FAR; v < N; v++) {
        for (int32_t u = 0; u < v; u += u == 1 ? N - FAR - 1 : 1)
            edges[count++] = (struct edge){u, v, 16 * MOST};
    }
    count = graph_append_reverses(edges, count);
    struct graph g = graph_of(N, edges, count);
    const struct how how = {.cut = &cut, .apart = 1, .room = ENOUGH};
    struct eliminated s;
    eliminated_begin(&s, &g);
    CU_ASSERT(check(&s, &how).narrow);
    eliminated_end(&s);
    graph_free(&g);
}

/* Boundaries so wide that a warp compares their vertices in turns, and rows that share them. */
static void test_wide(void) {
    if (skipped())
        return;
    static const struct regions_options cut = {.leaf = 160, .ratio = 8};
    struct eliminated s;
    struct graph g = hubs_and_path(70, 100, 60);
    eliminated_begin(&s, &g);
    for (int k = 0; k < 3; k++) {
        const struct how how = {.cut = &cut, .reversed = k == 1, .apart = 1, .room = PLENTY};
        cuda_shim_set_order((enum cuda_shim_order)k);
        const struct seen seen = check(&s, &how);
        CU_ASSERT(seen.wide && seen.shares);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    eliminated_end(&s);
    graph_free(&g);
}

/* Regions that whole warps sweep over: without others inside, and with small ones. */
static void test_large_regions(void) {
    enum { N = 800 };
    static const struct regions_options cut = {.leaf = 10, .ratio = 30, .worth = 20};
    const struct regions_options *const cuts[] = {&flat, &cut};
    struct eliminated s;
    if (skipped())
        return;
    struct graph g = long_path(N, 3);
    eliminated_begin_large(&s, &g);
    for (int k = 0; k < 2; k++) {
        const struct how how = {.cut = cuts[k], .apart = 31, .room = PLENTY, .proves = true};
        struct seen seen;
        struct error err = {0};
        CU_ASSERT_EQUAL(solve(&s, &how, &seen, &err), STATUS_OK);
        CU_ASSERT(seen.large && seen.proved);
        CU_ASSERT_EQUAL(seen.small, k == 1);
    }
    eliminated_end(&s);
    graph_free(&g);
}

/* A device without room for the labels of a region says so, as one without memory does. */
static void test_refused(void) {
    static const size_t rooms[] = {0, 1, 20 << 10};
    struct eliminated s;
    struct seen seen;
    if (skipped())
        return;
    struct graph g = long_path(300, 3);
    eliminated_begin(&s, &g);
    for (int k = 0; k < 4; k++) {
        struct error err = {0};
        const struct how how = {
            .cut = k == 3 ? &flat : &nested, .apart = 1, .room = k == 3 ? PLENTY : rooms[k]};
        if (k == 3)
            cuda_shim_set_capability(9, 4 << 10);
        CU_ASSERT_EQUAL(solve(&s, &how, &seen, &err), STATUS_NO_RESOURCE);
        CU_ASSERT_STRING_EQUAL(err.text, "out of memory on the GPU: proportional rows");
    }
    cuda_shim_set_capability(9, 227 << 10);
    eliminated_end(&s);
    graph_free(&g);
}

static void test_stops(void) {
    struct progress stopped = {.stopped = true};
    struct eliminated s;
    struct seen seen;
    struct error err = {0};
    if (skipped())
        return;
    struct graph g = long_path(100, 3);
    eliminated_begin(&s, &g);
    const struct how how = {.cut = &nested, .apart = 1, .room = PLENTY, .progress = &stopped};
    CU_ASSERT_EQUAL(solve(&s, &how, &seen, &err), STATUS_CANCELLED);
    eliminated_end(&s);
    graph_free(&g);
}

/* Every call of CUDA fails once: a status, a line, and nothing is held. */
static void test_failures(void) {
    struct eliminated s;
    struct seen seen;
    bool failed = true;
    if (skipped())
        return;
    struct graph g = long_path(90, 3);
    eliminated_begin(&s, &g);
    struct how how = {.cut = &nested, .apart = 1, .at_a_time = 30, .room = ENOUGH};
    for (int fail_at = 1; failed; fail_at++) {
        how.proves = fail_at % 2 == 0;
        struct error err = {0};
        cuda_shim_fail_after(fail_at);
        const enum status status = solve(&s, &how, &seen, &err);
        failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT_EQUAL(status, failed ? STATUS_NO_RESOURCE : STATUS_OK);
        if (failed)
            CU_ASSERT(strstr(err.text, "unknown error") != NULL && strchr(err.text, '\n') == NULL);
        CU_ASSERT(failed || fail_at > 100);
    }
    eliminated_end(&s);
    graph_free(&g);
}

/* The steps that are predicted from some sources are those that all take, within a factor of 2. */
static void test_predicts(void) {
    enum { N = 2000 };
    struct eliminated s = {0};
    struct regions regions;
    struct gpu_classes c = {0};
    struct error err = {0};
    double predicted;
    if (skipped())
        return;
    struct graph graph = long_path(N, 3);
    const struct dissection_options whole = {.threads = 1, .isa = isa_best(), .most = N};
    CU_ASSERT_EQUAL_FATAL(dissection_prepare(&s.d, &graph, &whole, NULL, &err), STATUS_OK);
    const struct proportional_graph g = eliminated_graph(&s, false);
    int32_t *source = malloc(sizeof *source * N);
    struct class_total *total = malloc(sizeof *total * N);
    for (int32_t v = 0; v < N; v++)
        source[v] = v;
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, &nested, 1, &regions, &err), STATUS_OK);
    const struct gpu_classes_options options = {.threads = 1, .room = PLENTY};
    CU_ASSERT_EQUAL_FATAL(gpu_classes_open(&c, &g, &regions, &options, &err), STATUS_OK);
    CU_ASSERT_EQUAL(gpu_classes_predict(&c, source, N, &predicted, &err), STATUS_OK);
    c.steps = 0;
    CU_ASSERT_EQUAL(gpu_classes_totals(&c, source, N, total, &err), STATUS_OK);
    CU_ASSERT(predicted > c.steps / 2 && predicted < c.steps * 2);
    gpu_classes_close(&c);
    regions_free(&regions);
    free(source);
    free(total);
    eliminated_end(&s);
    graph_free(&graph);
}

/* Returns whether what is found with the lengths of one graph is proved of another one. */
static bool is_proved_of(const struct eliminated *s, const struct regions_options *cut,
                         const struct graph *other) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated_graph(s, false);
    const struct gpu_classes_options options = {.threads = 1, .room = ENOUGH, .proves = other};
    int32_t *source = calloc((size_t)n, sizeof *source);
    struct class_total *total = malloc(sizeof *total * (size_t)n);
    struct regions regions;
    struct gpu_classes c;
    struct error err = {0};
    bool proved = false;
    const int32_t count = some_positions(n, 1, source);
    CU_ASSERT_EQUAL_FATAL(regions_find(g.tree, g.structure, cut, 1, &regions, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(gpu_classes_open(&c, &g, &regions, &options, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(gpu_classes_totals(&c, source, count, total, &err), STATUS_OK);
    CU_ASSERT_EQUAL(gpu_classes_proved(&c, &proved, &err), STATUS_OK);
    gpu_classes_close(&c);
    regions_free(&regions);
    free(source);
    free(total);
    return proved;
}

static bool same_distances(const struct matrix *a, const struct matrix *b) {
    for (int32_t v = 0; v < a->n; v++) {
        if (memcmp(matrix_row(a, v), matrix_row(b, v), (size_t)a->n * sizeof(int32_t)) != 0)
            return false;
    }
    return true;
}

/* An answer is proved of a graph with one edge that is longer, shorter, not there or another one if
 * and only if that changes no distance; unless the edge is one that the regions do not provide for:
 * then it is not. */
static void test_refuted(void) {
    enum { LONGER, SHORTER, MISSING, OTHER, WAYS };
    struct random random = {47};
    const struct regions_options *const cuts[] = {&deep, &nested, &flat};
    int proved = 0, refuted = 0;
    for (int round = 0; round < 60 && !skipped(); round++) {
        const int way = round % WAYS;
        const int32_t n = random_in(&random, 8, 50);
        struct graph g = random_graph(&random, n, random_in(&random, 4, 20), WEIGHTS_POSITIVE);
        struct edge *edges = malloc(sizeof *edges * (size_t)g.m);
        const int64_t changed = random_in(&random, 0, (int32_t)g.m - 1);
        int64_t count = 0;
        for (int32_t v = 0; v < n; v++) {
            for (int64_t e = g.first[v]; e < g.first[v + 1]; e++) {
                struct edge edge = {v, g.head[e], g.weight[e]};
                if (e == changed && way == LONGER)
                    edge.weight += random_in(&random, 1, 9);
                if (e == changed && way == SHORTER)
                    edge.weight = 1 + edge.weight / 2;
                if (e == changed && way == OTHER)
                    edge.to = random_in(&random, 0, n - 1);
                if (e != changed || way != MISSING)
                    edges[count++] = edge;
            }
        }
        struct graph other = graph_of(n, edges, count);
        struct eliminated s, right;
        eliminated_begin(&s, &g);
        eliminated_begin(&right, &other);
        const bool is_same = same_distances(&s.dist[0], &right.dist[0]);
        for (int k = 0; k < 3; k++) {
            const bool is_proved = is_proved_of(&s, cuts[k], &other);
            CU_ASSERT(is_proved == is_same || (way == OTHER && !is_proved));
            proved += is_proved;
            refuted += !is_proved;
        }
        eliminated_end(&s);
        eliminated_end(&right);
        graph_free(&other);
        graph_free(&g);
        free(edges);
    }
    CU_ASSERT(skipped() || (proved > 10 && refuted > 10));
}

CU_TestInfo classes_tests[] = {
    {"random graphs in parts", test_random},    {"single vertices and weights of 0", test_extremes},
    {"many rows of a class", test_large},       {"blocks that run together", test_together},
    {"little memory", test_little_memory},      {"wide boundaries", test_wide},
    {"rows of the same hash", test_collisions}, {"large regions", test_large_regions},
    {"too little memory", test_refused},        {"stopped", test_stops},
    {"failures of CUDA", test_failures},        {"predictions", test_predicts},
    {"answers of other graphs", test_refuted},  CU_TEST_INFO_NULL,
};
