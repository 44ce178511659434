// SPDX-License-Identifier: MIT
/* Rows that stream through the library: to sinks of the caller, files, results of some sources and
 * measures. GPU engines run on the host shim. */
#include "common/base/memory.h"   // memory_held
#include "cuda_runtime_api.h"     // the shim's controls
#include "engines/cpu_variants.h" // cpu_solver
#include "libapsp/apsp.h"
#include "libapsp/fan.h"
#include "libapsp/objects.h"           // the graph behind a handle
#include "tests/libapsp/handed_over.h" // handed_over
#include "tests/unit/support.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A ring with weights lightest .. lightest + 6 and a few chords. */
static apsp_graph *ring_from(int32_t n, int32_t lightest) {
    int32_t *ends = malloc(6 * (size_t)n * sizeof *ends);
    apsp_graph *graph;
    CU_ASSERT_PTR_NOT_NULL_FATAL(ends);
    for (int32_t v = 0; v < n; v++) {
        ends[v] = ends[n + v] = v;
        ends[2 * n + v] = (v + 1) % n;
        ends[3 * n + v] = (int32_t)((int64_t)v * v % n);
        ends[4 * n + v] = lightest + v % 7;
        ends[5 * n + v] = 90;
    }
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, n, 2 * (int64_t)n, ends, ends + 2 * n,
                                                ends + 4 * n, NULL, NULL),
                          APSP_OK);
    free(ends);
    return graph;
}

static apsp_graph *ring(int32_t n) {
    return ring_from(n, 1);
}

/* A sink that compares the rows that it gets with a whole result. */
struct watcher {
    apsp_sink sink;
    const apsp_result *right; /* NULL: rows are counted only */
    const int32_t *sources;   /* what was asked for; NULL: all */
    int32_t rows, most;       /* how many; of a block */
    int proved;
    bool with_pred; /* rows must have predecessors */

    pthread_mutex_t lock;
    int *times; /* how often each row came */
    int32_t next, calls, begun, ended, inside;
    apsp_status how;
    bool wrong;

    /* How many rows this sink has got at most before the one in order; NULL: none is. */
    const struct watcher *in_order;
    int32_t ahead;

    /* The status that the watcher answers, and the number of the call from which on it does. */
    apsp_status answer;
    int32_t answer_from;
};

static bool row_is_right(const struct watcher *w, const apsp_rows *rows, int32_t r) {
    const int32_t n = rows->vertices, source = rows->sources[r], p = rows->positions[r];
    const int32_t *const dist = (const int32_t *)rows->distances + (size_t)r * rows->leading;
    if (p < 0 || p >= w->rows || source != (w->sources != NULL ? w->sources[p] : p))
        return false;
    for (int32_t v = 0; v < n && w->right != NULL; v++) {
        if (dist[v] != apsp_result_distance(w->right, source, v))
            return false;
        if (!w->with_pred)
            continue;
        const int32_t u = rows->predecessors[(size_t)r * rows->leading + (size_t)v];
        if ((u < 0) != (v == source || dist[v] == APSP_INF) || (u >= 0 && dist[u] > dist[v] + 20))
            return false;
    }
    return true;
}

static apsp_status watch_begin(void *self, int32_t rows, int32_t vertices, apsp_type type,
                               apsp_error *error) {
    struct watcher *const w = self;
    w->begun++;
    w->rows = rows;
    w->wrong |= type != APSP_INT32 || vertices < rows || error->text[0] != '\0';
    w->times = calloc((size_t)rows, sizeof *w->times);
    return w->times != NULL ? APSP_OK : APSP_NO_RESOURCE;
}

static apsp_status watch_take(void *self, const apsp_rows *rows, apsp_error *error) {
    struct watcher *const w = self;
    const unsigned needs = w->sink.needs;
    pthread_mutex_lock(&w->lock);
    const bool alone = ++w->inside == 1;
    w->wrong |= (needs & (APSP_NEEDS_ORDER | APSP_NEEDS_ONE_AT_A_TIME)) != 0 && !alone;
    pthread_mutex_unlock(&w->lock);
    bool right = rows->size == sizeof *rows && rows->type == APSP_INT32 &&
                 rows->proved == w->proved && rows->leading >= (size_t)rows->vertices &&
                 rows->count >= 1 && rows->count <= w->most &&
                 (!w->with_pred || rows->predecessors != NULL);
    for (int32_t r = 0; r < rows->count && right; r++)
        right = row_is_right(w, rows, r);
    pthread_mutex_lock(&w->lock);
    for (int32_t r = 0; r < rows->count && right; r++) {
        w->times[rows->positions[r]]++;
        w->wrong |= (needs & APSP_NEEDS_ORDER) != 0 && rows->positions[r] != w->next++;
        const int32_t ahead = w->in_order != NULL ? rows->positions[r] + 1 - w->in_order->next : 0;
        w->ahead = ahead > w->ahead ? ahead : w->ahead;
    }
    w->wrong |= !right;
    w->inside--;
    const bool answers = ++w->calls >= w->answer_from;
    pthread_mutex_unlock(&w->lock);
    if (!answers || w->answer == APSP_OK)
        return APSP_OK;
    snprintf(error->text, sizeof error->text, "the watcher\nsays %d", (int)w->answer);
    return w->answer;
}

static apsp_status watch_end(void *self, apsp_status how, apsp_error *error) {
    struct watcher *const w = self;
    (void)error;
    w->ended++;
    w->how = how;
    return APSP_OK;
}

static void watch(struct watcher *w, unsigned needs) {
    *w = (struct watcher){
        .sink = APSP_SINK_INIT, .most = 64, .lock = PTHREAD_MUTEX_INITIALIZER, .answer = APSP_OK};
    w->sink.begin = watch_begin;
    w->sink.take = watch_take;
    w->sink.end = watch_end;
    w->sink.self = w;
    w->sink.needs = needs;
    w->with_pred = (needs & APSP_NEEDS_PREDECESSORS) != 0;
}

/* Returns whether every row came once, as it should, and the sink was told so. */
static bool watched_all(struct watcher *w) {
    bool all = !w->wrong && w->begun == 1 && w->ended == 1 && w->how == APSP_OK;
    for (int32_t r = 0; r < w->rows && all; r++)
        all = w->times[r] == 1;
    free(w->times);
    w->times = NULL;
    return all;
}

/* Different vertices in random order; *count of them. */
static int32_t *draw(struct random *random, int32_t n, int32_t *count) {
    int32_t *const all = malloc((size_t)n * sizeof *all);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    for (int32_t v = 0; v < n; v++)
        all[v] = v;
    for (int32_t v = n - 1; v > 0; v--) {
        const int32_t other = random_in(random, 0, v), swapped = all[v];
        all[v] = all[other];
        all[other] = swapped;
    }
    *count = random_in(random, 1, n);
    return all;
}

/* All sinks of the library. */
struct own {
    apsp_sink *result_sink, *measures_sink, *npy, *text;
    apsp_result *result;
    apsp_measures *measures;
    char prefix[80], file[80];
};

static void own_open(struct own *own) {
    *own = (struct own){0};
    snprintf(own->prefix, sizeof own->prefix, "%s", temporary_path());
    snprintf(own->file, sizeof own->file, "%s", temporary_path());
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&own->result_sink, &own->result, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&own->measures_sink, &own->measures, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_file(&own->npy, own->prefix, APSP_NPY, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_file(&own->text, own->file, APSP_TEXT, NULL), APSP_OK);
}

static void own_close(struct own *own) {
    apsp_sink_free(own->result_sink);
    apsp_sink_free(own->measures_sink);
    apsp_sink_free(own->npy);
    apsp_sink_free(own->text);
    apsp_result_free(own->result);
    apsp_measures_free(own->measures);
}

/* Checks measures against those that follow from the right distances. */
static void check_measures(const apsp_measures *measures, const apsp_result *right,
                           const int32_t *sources, int32_t count) {
    const int32_t n = apsp_result_vertices(right);
    int64_t *const values = malloc((size_t)n * sizeof *values), pairs = 0, sum = 0;
    int32_t first, width, bins;
    apsp_graph_measures g = APSP_GRAPH_MEASURES_INIT;
    CU_ASSERT_PTR_NOT_NULL_FATAL(values);
    for (apsp_vertex_measure m = APSP_ECCENTRICITY; m <= APSP_DISTANCE_SUM; m++) {
        CU_ASSERT_EQUAL(apsp_measures_integers(measures, m, APSP_OUTWARDS, values, NULL), APSP_OK);
        for (int32_t r = 0; r < count; r++) {
            int64_t expected = 0;
            for (int32_t v = 0; v < n; v++) {
                const int32_t d = apsp_result_distance(right, sources != NULL ? sources[r] : r, v);
                if (d == APSP_INF)
                    continue;
                expected = m == APSP_REACHED        ? expected + 1
                           : m == APSP_DISTANCE_SUM ? expected + d
                           : d > expected           ? d
                                                    : expected;
            }
            CU_ASSERT_EQUAL(values[r], expected);
            pairs += m == APSP_REACHED ? expected - 1 : 0;
            sum += m == APSP_DISTANCE_SUM ? expected : 0;
        }
    }
    free(values);
    CU_ASSERT_EQUAL(apsp_measures_graph(measures, &g, NULL), APSP_OK);
    CU_ASSERT(g.vertices == n && g.sources == count && g.all_sources == (sources == NULL));
    CU_ASSERT(g.pairs - g.pairs_without_path == pairs);
    CU_ASSERT(g.distance_sum == (double)sum && (int64_t)g.distance_sum_low == sum &&
              g.distance_sum_high == (sum < 0 ? -1 : 0));
    const int64_t *const counts = apsp_measures_histogram(measures, &first, &width, &bins);
    for (int32_t k = 0; k < bins; k++)
        pairs -= counts[k];
    CU_ASSERT_EQUAL(pairs, 0);
}

static void check_file(const apsp_graph *graph, const char *path, int32_t rows) {
    apsp_result *read;
    uint32_t checksum;
    CU_ASSERT_EQUAL_FATAL(apsp_result_read(&read, path, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(graph, read, NULL, NULL, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_rows(read), rows);
    CU_ASSERT_PTR_NOT_NULL(apsp_result_predecessors(read, NULL));
    CU_ASSERT(apsp_result_checksum(read, &checksum) && checksum == apsp_graph_checksum(graph));
    apsp_result_free(read);
}

/* One solve of one engine with every kind of sink; whether the engine takes the graph. */
static bool check_solve(struct random *random, const apsp_engine *engine, const apsp_graph *graph,
                        const apsp_result *right, bool in_order) {
    const int32_t n = apsp_result_vertices(right);
    const bool all = random_in(random, 0, 2) == 0;
    int32_t count;
    int32_t *const drawn = draw(random, n, &count);
    const int32_t *const sources = all ? NULL : drawn;
    struct watcher plain, wanting;
    struct own own;
    apsp_error error = {""};
    apsp_request request = APSP_REQUEST_INIT;
    apsp_options options = APSP_OPTIONS_INIT;
    count = all ? n : count;
    request.sources = sources;
    request.source_count = all ? 0 : count;
    request.block = random_in(random, 0, n + 1);
    request.check = random_in(random, 0, 1);
    options.engine = engine->name;
    options.variant = engine->variant;
    options.threads = random_in(random, 0, 3);
    own_open(&own);
    watch(&plain, in_order ? APSP_NEEDS_ORDER : 0);
    watch(&wanting, APSP_NEEDS_PREDECESSORS | APSP_NEEDS_ONE_AT_A_TIME);
    plain.sources = wanting.sources = sources;
    plain.right = wanting.right = right;
    plain.proved = wanting.proved = request.check;
    plain.most = wanting.most = request.block == 0 || request.block > 64 ? 64 : request.block;
    const apsp_sink *const sinks[] = {&plain.sink,     own.measures_sink, own.text,
                                      own.result_sink, &wanting.sink,     own.npy};
    const apsp_status status = apsp_solve_rows(graph, &request, &options, sinks, 6, &error);
    const bool takes = status != APSP_BAD_INPUT || strstr(error.text, "not exact") == NULL;
    if (takes) {
        CU_ASSERT_EQUAL(status, APSP_OK);
        CU_ASSERT(watched_all(&plain));
        CU_ASSERT(watched_all(&wanting));
        CU_ASSERT_EQUAL(apsp_verify(graph, own.result, NULL, NULL, NULL), APSP_OK);
        CU_ASSERT(apsp_result_rows(own.result) == count);
        CU_ASSERT_NSTRING_EQUAL(apsp_result_engine(own.result), engine->name, strlen(engine->name));
        check_measures(own.measures, right, sources, count);
        check_file(graph, own.prefix, count);
        check_file(graph, own.file, count);
    } else {
        CU_ASSERT(plain.how == APSP_BAD_INPUT && own.result == NULL && own.measures == NULL);
        free(plain.times);
        free(wanting.times);
    }
    own_close(&own);
    free(drawn);
    return takes;
}

/* Measures alone, for which an engine may have another way than by rows; whether it takes the
 * graph. */
static bool check_measured(const apsp_engine *engine, const apsp_graph *graph,
                           const apsp_result *right) {
    apsp_options options = APSP_OPTIONS_INIT;
    apsp_measures *measures;
    apsp_sink *sink;
    apsp_error error = {""};
    options.engine = engine->name;
    options.variant = engine->variant;
    options.threads = 2;
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sink, &measures, NULL), APSP_OK);
    const apsp_status status =
        apsp_solve_rows(graph, NULL, &options, (const apsp_sink *const *)&sink, 1, &error);
    const bool takes = status != APSP_BAD_INPUT || strstr(error.text, "not exact") == NULL;
    CU_ASSERT_EQUAL(takes, status == APSP_OK);
    if (status == APSP_OK)
        check_measures(measures, right, NULL, apsp_result_vertices(right));
    apsp_sink_free(sink);
    apsp_measures_free(measures);
    return takes;
}

/* The distances at the end of PREFIX.dist.npy, in 16 bits, are those of the right result, at the
 * columns of some targets. */
static void check_columns(const char *prefix, const apsp_result *right, const int32_t *sources,
                          int32_t rows, const int32_t *targets, int32_t columns) {
    const long bytes = (long)rows * columns * (long)sizeof(uint16_t);
    char path[120];
    snprintf(path, sizeof path, "%s.dist.npy", prefix);
    FILE *const file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_FATAL(fseek(file, -bytes, SEEK_END) == 0 && ftell(file) % 64 == 0);
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < columns; c++) {
            const int32_t d = apsp_result_distance(right, sources[r], targets[c]);
            uint16_t found;
            CU_ASSERT_EQUAL_FATAL(fread(&found, sizeof found, 1, file), 1);
            CU_ASSERT_EQUAL(found, d == APSP_INF ? UINT16_MAX : d);
        }
    }
    fclose(file);
}

/* Files of some columns beside files of whole rows with predecessors, of one solve. */
static void test_files_of_columns(void) {
    static const char *const formats[] = {"text", "npy:uint16", "npy", "npz"};
    struct random random = {29};
    for (int round = 0; round < 6; round++) {
        struct graph ours = random_graph(&random, random_in(&random, 2, 90), 6, WEIGHTS_POSITIVE);
        apsp_graph *graph = handed_over(&ours);
        const int32_t n = apsp_graph_vertices(graph);
        int32_t rows, columns;
        int32_t *const sources = draw(&random, n, &rows), *const targets =
                                                              draw(&random, n, &columns);
        const apsp_request request = {
            .size = sizeof request, .sources = sources, .source_count = rows, .check = round % 2};
        apsp_sink *sinks[5];
        char path[5][80];
        apsp_result *right;
        apsp_error error = {""};
        CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
        for (int k = 0; k < 5; k++) {
            snprintf(path[k], sizeof path[k], "%s", temporary_path());
            const apsp_files files = {.size = sizeof files,
                                      .path = path[k],
                                      .format = k < 4 ? formats[k] : NULL,
                                      .targets = k < 4 ? targets : NULL,
                                      .target_count = k < 4 ? columns : 0};
            CU_ASSERT_EQUAL_FATAL(apsp_sink_files(&sinks[k], &files, &error), APSP_OK);
        }
        CU_ASSERT_EQUAL(
            apsp_solve_rows(graph, &request, NULL, (const apsp_sink *const *)sinks, 5, &error),
            APSP_OK);
        check_columns(path[1], right, sources, rows, targets, columns);
        check_file(graph, path[4], rows);
        for (int k = 0; k < 5; k++)
            apsp_sink_free(sinks[k]);
        free(sources);
        free(targets);
        apsp_result_free(right);
        apsp_graph_free(graph);
        graph_free(&ours);
    }
}

/* A sink of files that resumes. */
static apsp_sink *resuming_as(const char *format, const char *path, const int32_t *targets,
                              int32_t count, int32_t *kept) {
    const apsp_files files = {.size = sizeof files,
                              .path = path,
                              .targets = targets,
                              .target_count = count,
                              .format = format,
                              .resume = 1,
                              .rows_kept = kept};
    apsp_sink *sink;
    CU_ASSERT_EQUAL_FATAL(apsp_sink_files(&sink, &files, NULL), APSP_OK);
    return sink;
}

static apsp_sink *resuming(const char *path, const int32_t *targets, int32_t count, int32_t *kept) {
    return resuming_as("npy:uint16", path, targets, count, kept);
}

static bool keeps_rows(const char *path) {
    char folder[120];
    snprintf(folder, sizeof folder, "%s.partial", path);
    return access(folder, F_OK) == 0;
}

/* Compares the sums of distances of each vertex with those of a whole result. */
enum { RESUMED = 300 };
static void check_totals(const apsp_measures *measures, const apsp_result *right) {
    int64_t sums[RESUMED];
    CU_ASSERT_EQUAL_FATAL(
        apsp_measures_integers(measures, APSP_DISTANCE_SUM, APSP_OUTWARDS, sums, NULL), APSP_OK);
    for (int32_t v = 0; v < RESUMED; v++) {
        int64_t sum = 0;
        for (int32_t to = 0; to < RESUMED; to++) {
            const int32_t d = apsp_result_distance(right, v, to);
            sum += d == APSP_INF ? 0 : d;
        }
        CU_ASSERT_EQUAL(sums[v], sum);
    }
}

/* A sink that ends the solve once it has had more than `left` rows. */
struct stopper {
    apsp_sink sink;
    pthread_mutex_t lock;
    int32_t left;
};

static apsp_status stop_take(void *self, const apsp_rows *rows, apsp_error *error) {
    struct stopper *const s = self;
    (void)error;
    pthread_mutex_lock(&s->lock);
    s->left -= rows->count;
    const bool stops = s->left < 0;
    pthread_mutex_unlock(&s->lock);
    return stops ? APSP_CANCELLED : APSP_OK;
}

/* Calls that are stopped keep rows, and the last one leaves what a call at one go does, in files
 * and in the sinks beside them; rows of another request are refused and stay. */
static void test_resumed(void) {
    static const int32_t rows[] = {60, 200, INT32_MAX};
    struct random random = {30};
    for (int round = 0; round < 8; round++) {
        struct graph ours = random_graph(&random, RESUMED, 4, WEIGHTS_POSITIVE);
        apsp_graph *graph = handed_over(&ours);
        char path[80];
        apsp_result *right, *found = NULL;
        apsp_measures *measures = NULL;
        apsp_error error = {""};
        apsp_options options = {.size = sizeof options,
                                .engine = round % 3 == 0 ? "cpu:johnson" : NULL,
                                .threads = 1 + round % 2};
        const apsp_request request = {.size = sizeof request, .check = round % 4 < 2};
        int32_t all[RESUMED], kept = -1;
        snprintf(path, sizeof path, "%s", temporary_path());
        for (int32_t v = 0; v < RESUMED; v++)
            all[v] = v;
        CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
        for (int call = 0; call < 3; call++) {
            const int32_t before = kept;
            struct stopper stopper = {APSP_SINK_INIT, PTHREAD_MUTEX_INITIALIZER, rows[call]};
            apsp_sink *sinks[4] = {resuming(path, NULL, 0, &kept)};
            apsp_request other = request;
            stopper.sink.take = stop_take;
            stopper.sink.self = &stopper;
            CU_ASSERT_EQUAL(apsp_sink_result(&sinks[1], &found, NULL), APSP_OK);
            CU_ASSERT_EQUAL(apsp_sink_measures(&sinks[2], &measures, NULL), APSP_OK);
            sinks[3] = &stopper.sink;
            CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options,
                                            (const apsp_sink *const *)sinks, 4, &error),
                            call < 2 ? APSP_CANCELLED : APSP_OK);
            CU_ASSERT(call == 0 ? kept == 0 : kept > before);
            CU_ASSERT_EQUAL(keeps_rows(path), call < 2);
            for (int k = 0; k < 3; k++)
                apsp_sink_free(sinks[k]);
            other.limit = 7; /* which is another request */
            sinks[0] = resuming(path, NULL, 0, NULL);
            if (call < 2) {
                CU_ASSERT_EQUAL(apsp_solve_rows(graph, &other, &options,
                                                (const apsp_sink *const *)sinks, 1, &error),
                                APSP_BAD_INPUT);
                CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected rows with limit"));
            }
            apsp_sink_free(sinks[0]);
        }
        check_columns(path, right, all, RESUMED, all, RESUMED);
        check_file(graph, path, RESUMED);
        check_totals(measures, right);
        for (int32_t v = 0; v < RESUMED; v++)
            CU_ASSERT_EQUAL(apsp_result_distance(found, v, (v * 7) % RESUMED),
                            apsp_result_distance(right, v, (v * 7) % RESUMED));
        apsp_result_free(found);
        apsp_result_free(right);
        apsp_measures_free(measures);
        apsp_graph_free(graph);
        graph_free(&ours);
    }
}

/* A graph whose first vertex alone has a distance that int32 has no room for: rows of the others
 * are dropped with the call that finds it, and int32 is told to widen while rows of int64 are kept.
 */
static void test_resumed_wider(void) {
    int32_t ends[2 * (RESUMED - 1)], weights[RESUMED - 1];
    apsp_graph *graph, *wide;
    apsp_error error = {""};
    char path[80];
    const apsp_options options = {.size = sizeof options, .engine = "cpu:johnson", .threads = 1};
    snprintf(path, sizeof path, "%s", temporary_path());
    for (int32_t v = 0; v < RESUMED - 1; v++) {
        ends[v] = RESUMED - 2 - v; /* 0 comes last, so that other rows are finished before it */
        ends[RESUMED - 1 + v] = ends[v] + 1;
        weights[v] = ends[v] < 2 ? APSP_INF / 2 : 1;
    }
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, RESUMED, RESUMED - 1, ends,
                                                ends + RESUMED - 1, weights, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_graph_widen(graph, &wide, NULL), APSP_OK);
    for (int call = 0; call < 4; call++) {
        struct stopper stopper = {APSP_SINK_INIT, PTHREAD_MUTEX_INITIALIZER,
                                  call == 1 ? 100 : INT32_MAX};
        int out_of_range = -1;
        int32_t kept = -1, all[RESUMED];
        apsp_request request = {.size = sizeof request, .out_of_range = &out_of_range};
        apsp_sink *const files = resuming_as("npy", path, NULL, 0, &kept);
        const apsp_sink *const sinks[] = {files, &stopper.sink};
        const bool is_wide = call % 2 == 1;
        for (int32_t v = 0; v < RESUMED; v++)
            all[v] = RESUMED - 1 - v;
        request.sources = all;
        request.source_count = RESUMED;
        stopper.sink.take = stop_take;
        stopper.sink.self = &stopper;
        CU_ASSERT_EQUAL(
            apsp_solve_rows(is_wide ? wide : graph, &request, &options, sinks, 2, &error),
            call == 3   ? APSP_OK
            : call == 1 ? APSP_CANCELLED
                        : APSP_BAD_INPUT);
        CU_ASSERT_EQUAL(out_of_range, !is_wide);
        CU_ASSERT(call == 3 ? kept > 0 : kept <= 0);
        CU_ASSERT_EQUAL(keeps_rows(path), call == 1 || call == 2);
        CU_ASSERT(call != 2 || strstr(error.text, "expected rows of int32, found int64") != NULL);
        apsp_sink_free(files);
    }
    apsp_graph_free(graph);
    apsp_graph_free(wide);
}

static int stop_soon(void *self, int64_t done, int64_t total) {
    (void)self, (void)total;
    return done == 0;
}

/* Files of some columns resume alone, since rows of theirs cannot be read again. */
static void test_resumed_columns(void) {
    enum { N = 4000 };
    static const int32_t targets[] = {3, 1};
    apsp_graph *graph = ring(N);
    apsp_options options = {
        .size = sizeof options, .engine = "cpu:johnson", .threads = 1, .progress = stop_soon};
    apsp_request request = {.size = sizeof request, .check = 1};
    char path[80];
    apsp_error error = {""};
    apsp_result *right;
    int32_t kept = -1, all[N];
    snprintf(path, sizeof path, "%s", temporary_path());
    for (int32_t v = 0; v < N; v++)
        all[v] = v;
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
    for (int call = 0; call < 3; call++) {
        struct watcher w;
        apsp_sink *const sink = resuming(path, targets, 2, &kept);
        const apsp_sink *const sinks[] = {sink, &w.sink};
        watch(&w, 0);
        CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options, sinks, 2, &error),
                        APSP_BAD_INPUT);
        CU_ASSERT_NSTRING_EQUAL(error.text, "resume: expected no other sinks", 31);
        options.progress = call == 0 ? stop_soon : NULL;
        request.check = call != 1; /* which is another request */
        CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options, sinks, 1, &error),
                        call == 0   ? APSP_CANCELLED
                        : call == 1 ? APSP_BAD_INPUT
                                    : APSP_OK);
        apsp_sink_free(sink);
    }
    CU_ASSERT(kept > 0 && kept < N);
    check_columns(path, right, all, N, targets, 2);
    apsp_result_free(right);
    apsp_graph_free(graph);
}

/* Sinks that cannot resume together, or with a format that is written at the end. */
static void test_refused_resumes(void) {
    const char *const path = temporary_path();
    const apsp_files text = {.size = sizeof text, .path = path, .format = "npz", .resume = 1};
    apsp_graph *graph = ring(4);
    apsp_sink *const first = resuming(path, NULL, 0, NULL), *second;
    apsp_error error = {""};
    struct watcher w;
    CU_ASSERT_EQUAL(apsp_sink_files(&second, &text, &error), APSP_BAD_INPUT);
    CU_ASSERT_NSTRING_EQUAL(error.text, "resume: expected a format of NumPy's files, found npz",
                            53);
    second = resuming(temporary_path(), NULL, 0, NULL);
    watch(&w, APSP_NEEDS_ORDER);
    const apsp_sink *const several[] = {first, second}, *const ordered[] = {first, &w.sink};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, several, 2, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "resume: expected one such sink, found several");
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, ordered, 2, &error), APSP_BAD_INPUT);
    CU_ASSERT_NSTRING_EQUAL(error.text, "resume: expected sinks that take rows in any order", 50);
    CU_ASSERT(!keeps_rows(path));
    apsp_sink_free(first);
    apsp_sink_free(second);
    apsp_graph_free(graph);
}

/* That files cannot be written to which no graph or format belongs, before anything is. */
static void refuse_files(apsp_files files, const char *line) {
    apsp_graph *graph = ring(4);
    apsp_error error = {""};
    apsp_sink *sink;
    files.size = files.size == 0 ? sizeof files : files.size;
    apsp_status status = apsp_sink_files(&sink, &files, &error);
    CU_ASSERT_EQUAL(status == APSP_OK, sink != NULL);
    if (status == APSP_OK)
        status = apsp_solve_rows(graph, NULL, NULL, (const apsp_sink *const *)&sink, 1, &error);
    CU_ASSERT_EQUAL(status, APSP_BAD_INPUT);
    CU_ASSERT_NSTRING_EQUAL(error.text, line, strlen(line));
    apsp_sink_free(sink);
    apsp_graph_free(graph);
}

static void test_refused_files(void) {
    static const int32_t twice[] = {2, 2}, outside[] = {0, 4};
    const char *const path = temporary_path();
    refuse_files((apsp_files){.size = 8, .path = path}, "apsp_files: expected a struct of");
    refuse_files((apsp_files){.path = NULL}, "apsp_files: expected a path, found NULL");
    refuse_files(
        (apsp_files){.path = path, .format = "none"},
        "format: expected text, npy, npy:uint8, npy:uint16, npy:auto or npz, found 'none'");
    refuse_files((apsp_files){.path = "-", .format = "npz"}, "npz is several files and cannot");
    refuse_files((apsp_files){.path = path, .target_count = 2},
                 "apsp_files: target_count: expected 0 .. 0, found 2");
    refuse_files((apsp_files){.path = path, .targets = twice},
                 "apsp_files: target_count: expected 1 .. 2147483647, found 0");
    refuse_files((apsp_files){.path = path, .targets = twice, .target_count = 2},
                 "targets: entry 1: ");
    refuse_files((apsp_files){.path = path, .targets = outside, .target_count = 2},
                 "targets: entry 1: expected a vertex in 0 .. 3");
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

static void test_engines(void) {
    struct random random = {21};
    apsp_engine engine = APSP_ENGINE_INIT;
    for (size_t e = 0; apsp_engine_at(e, &engine); e++) {
        int solved = 0;
        for (enum weights kind = 0; kind < WEIGHT_KINDS; kind++) {
            struct graph ours = random_graph(&random, random_in(&random, 1, 70), 10, kind);
            apsp_graph *graph = handed_over(&ours);
            apsp_result *right;
            CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
            solved += check_measured(&engine, graph, right);
            for (int in_order = 0; in_order < 2 && !engine.distances_only; in_order++)
                solved += check_solve(&random, &engine, graph, right, in_order);
            apsp_result_free(right);
            apsp_graph_free(graph);
            graph_free(&ours);
        }
        CU_ASSERT(solved > 0);
    }
}

/* Two numbers for each edge: its weight, which adds up to distances, and three times that. */
static double *numbers_of(const apsp_graph *graph) {
    apsp_edges edges = APSP_EDGES_INIT;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_view(graph, &edges, NULL), APSP_OK);
    double *const along = malloc(2 * (size_t)edges.count * sizeof *along);
    for (int64_t e = 0; e < edges.count; e++) {
        along[e] = ((const int32_t *)edges.weight)[e];
        along[edges.count + e] = 3 * along[e];
    }
    return along;
}

static void check_sums(const double *sums, const apsp_result *right, const int32_t *sources,
                       int32_t n) {
    for (int32_t cell = 0; cell < n * n; cell++) {
        const int32_t d = apsp_result_distance(right, sources[cell / n], cell % n);
        CU_ASSERT_EQUAL(sums[cell], d);
        CU_ASSERT_EQUAL(sums[n * n + cell], 3 * d);
    }
}

/* If little memory is left, rows in order come in several rounds, of weights below 0 too, for which
 * what the first round found out is kept. Sums along paths are stored at their places. */
static void check_rounds(int32_t lightest) {
    enum { N = 300, ROW = 304 * 4 };
    apsp_graph *graph = ring_from(N, lightest);
    apsp_options options = {.size = sizeof options, .engine = "cpu", .threads = 2};
    apsp_result *right;
    char limit[32];
    static const char *const variants[] = {"johnson", "multisource", "blocked"};
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
    struct random random = {3};
    int32_t count;
    int32_t *const drawn = draw(&random, N, &count);
    double *const along = numbers_of(graph), *const sums = malloc(sizeof(double[2 * N * N]));
    for (size_t v = 0; v < 3; v++) {
        struct watcher w, unordered;
        apsp_request request = {.size = sizeof request,
                                .sources = drawn,
                                .source_count = N,
                                .check = 1,
                                .along_count = 2,
                                .along = along,
                                .sums = sums};
        memset(sums, 0, sizeof(double[2 * N * N]));
        apsp_measures *measures;
        apsp_sink *sink;
        CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sink, &measures, NULL), APSP_OK);
        watch(&w, APSP_NEEDS_ORDER | APSP_NEEDS_PREDECESSORS);
        watch(&unordered, 0);
        w.right = unordered.right = right;
        w.sources = unordered.sources = drawn;
        w.proved = unordered.proved = 1;
        unordered.in_order = &w;
        const apsp_sink *const sinks[] = {&w.sink, &unordered.sink, sink};
        const size_t sink_count = lightest < 0 ? 2 : 3; /* measures are of distances >= 0 */
        options.variant = variants[v];
        /* A quarter of what is left has room for 160 rows of the two matrices. */
        snprintf(limit, sizeof limit, "%llu",
                 (unsigned long long)memory_held() + (v == 2 ? 4000000 : 8 * 160 * ROW));
        setenv("APSP_MEMORY_LIMIT", limit, 1);
        apsp_error error = {""};
        CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options, sinks, sink_count, &error),
                        APSP_OK);
        CU_ASSERT_STRING_EQUAL(error.text, "");
        unsetenv("APSP_MEMORY_LIMIT");
        CU_ASSERT(watched_all(&w));
        CU_ASSERT(watched_all(&unordered));
        check_sums(sums, right, drawn, N);
        CU_ASSERT(v == 2 ? unordered.ahead == N : unordered.ahead > 100 && unordered.ahead <= 160);
        if (lightest >= 0)
            check_measures(measures, right, drawn, N);
        apsp_measures_free(measures);
        apsp_sink_free(sink);
    }
    free(along);
    free(sums);
    free(drawn);
    apsp_result_free(right);
    apsp_graph_free(graph);
}

static void test_rounds(void) {
    check_rounds(1);
    check_rounds(-1);
}

static void check_nothing_made(const struct own *own) {
    char path[128];
    CU_ASSERT_PTR_NULL(own->result);
    CU_ASSERT_PTR_NULL(own->measures);
    CU_ASSERT_EQUAL(access(own->file, F_OK), -1);
    snprintf(path, sizeof path, "%s.dist.npy", own->prefix);
    CU_ASSERT_EQUAL(access(path, F_OK), -1);
}

/* A sink ends the solve, soon, with its own status and line; all are told, and nothing is made. */
static void test_sinks_that_stop(void) {
    static const struct {
        apsp_status answer, ended;
        const char *text;
    } cases[] = {
        {APSP_CANCELLED, APSP_CANCELLED, "the watcher?says 5"},
        {APSP_REFUTED, APSP_REFUTED, "the watcher?says 1"},
        {APSP_NO_RESOURCE, APSP_NO_RESOURCE, "the watcher?says 4"},
        {(apsp_status)7, APSP_BAD_INPUT, "a sink: expected a status in 0 .. 5, found 7"},
    };
    enum { N = 6000 }; /* seconds of work for one thread */
    static const char *const variants[] = {"johnson", "multisource", "dissection"};
    apsp_graph *graph = ring(N);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int in_order = 0; in_order < 2; in_order++) {
            struct watcher first, w;
            struct own own;
            apsp_error error = {""};
            apsp_options options = {.size = sizeof options,
                                    .engine = "cpu",
                                    .variant = variants[c % 3],
                                    .threads = 2,
                                    .distances_only = 1};
            apsp_request request = APSP_REQUEST_INIT;
            own_open(&own);
            watch(&first, 0);
            watch(&w, in_order ? APSP_NEEDS_ORDER : 0);
            w.answer = cases[c].answer;
            w.answer_from = 3;
            const apsp_sink *const sinks[] = {&first.sink, own.result_sink, own.measures_sink,
                                              &w.sink,     own.npy,         own.text};
            if (in_order) { /* the rows of a round are solved whole */
                int32_t some[640];
                for (int32_t r = 0; r < 640; r++)
                    some[r] = N - 1 - r;
                request.sources = some;
                request.source_count = 640;
                CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options, sinks, 6, &error),
                                cases[c].ended);
            } else {
                CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, &options, sinks, 6, &error),
                                cases[c].ended);
            }
            CU_ASSERT_STRING_EQUAL(error.text, cases[c].text);
            CU_ASSERT(w.ended == 1 && w.how == cases[c].ended && first.how == cases[c].ended);
            CU_ASSERT(w.calls >= 3 && w.calls <= 5); /* others were inside */
            check_nothing_made(&own);
            own_close(&own);
            free(first.times);
            free(w.times);
        }
    }
    apsp_graph_free(graph);
}

/* Says no as soon as the watcher has rows. */
static int refuse(void *to, int64_t done, int64_t total) {
    struct watcher *const w = to;
    (void)done, (void)total;
    pthread_mutex_lock(&w->lock);
    const int32_t calls = w->calls;
    pthread_mutex_unlock(&w->lock);
    return calls == 0;
}

static void test_progress_stops(void) {
    apsp_graph *graph = ring(20000);
    struct watcher w;
    struct own own;
    apsp_error error;
    apsp_options options = {.size = sizeof options,
                            .engine = "cpu:johnson",
                            .threads = 1,
                            .distances_only = 1,
                            .progress = refuse,
                            .progress_to = &w};
    own_open(&own);
    watch(&w, 0);
    const apsp_sink *const sinks[] = {&w.sink, own.measures_sink};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, &options, sinks, 2, &error), APSP_CANCELLED);
    CU_ASSERT_STRING_EQUAL(error.text, "stopped, as the caller asked");
    CU_ASSERT(w.how == APSP_CANCELLED && w.calls > 0);
    check_nothing_made(&own);
    own_close(&own);
    free(w.times);
    apsp_graph_free(graph);
}

static apsp_status fail_begin(void *self, int32_t rows, int32_t vertices, apsp_type type,
                              apsp_error *error) {
    (void)self, (void)rows, (void)vertices, (void)type, (void)error;
    return APSP_NO_RESOURCE;
}

static apsp_status fail_end(void *self, apsp_status how, apsp_error *error) {
    (void)self, (void)how;
    snprintf(error->text, sizeof error->text, "no end");
    return APSP_BAD_INPUT;
}

/* A sink that cannot begin is not ended, and those behind it do not begin; one that cannot end
 * leaves those behind it incomplete. */
static void test_begin_and_end(void) {
    apsp_graph *graph = ring(9);
    struct watcher before, after, failing;
    struct own own;
    apsp_error error = {""};
    own_open(&own);
    watch(&before, 0);
    watch(&failing, 0);
    watch(&after, 0);
    failing.sink.begin = fail_begin;
    const apsp_sink *const sinks[] = {&before.sink, &failing.sink, &after.sink};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, sinks, 3, &error), APSP_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(error.text, "a sink failed");
    CU_ASSERT(before.ended == 1 && before.how == APSP_NO_RESOURCE && before.calls == 0);
    CU_ASSERT(failing.ended == 0 && after.begun == 0);
    free(before.times);

    watch(&before, 0);
    watch(&failing, 0);
    watch(&after, 0);
    failing.sink.end = fail_end;
    const apsp_sink *const ends[] = {own.result_sink, &before.sink, &failing.sink, &after.sink,
                                     own.npy};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, ends, 5, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "no end");
    CU_ASSERT(before.how == APSP_OK && after.how == APSP_BAD_INPUT);
    check_nothing_made(&own);
    /* A sink of the library works once. */
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, ends + 4, 1, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "expected a sink that has not been used before");
    CU_ASSERT_EQUAL(own.measures_sink->take(own.measures_sink->self, NULL, &error), APSP_BAD_INPUT);
    free(before.times);
    free(failing.times);
    free(after.times);
    own_close(&own);
    apsp_graph_free(graph);
}

static void check_refused(const apsp_request *request, const apsp_options *options,
                          const apsp_sink *sink, const char *expected) {
    apsp_graph *graph = ring(9);
    apsp_error error = {""};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, request, options, &sink, 1, &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, expected));
    apsp_graph_free(graph);
}

static void test_refusals(void) {
    static const int32_t outside[] = {3, 9}, twice[] = {3, 4, 3};
    double infinite[18] = {HUGE_VAL}; /* as many edges as there are, at most */
    struct watcher w;
    apsp_graph *graph = ring(9);
    apsp_error error;
    apsp_options distances = {.size = sizeof distances, .distances_only = 1};
    apsp_options naive = {.size = sizeof naive, .engine = "cuda_simple:naive"};
    watch(&w, 0);
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, NULL, 0, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "number of sinks: expected 1 .. 2147483647, found 0");
#define REFUSED(expected, ...)                                                                     \
    check_refused(&(apsp_request){.size = sizeof(apsp_request), __VA_ARGS__}, NULL, &w.sink,       \
                  expected)
    REFUSED("source_count: expected 0 .. 0, found 2", .source_count = 2);
    REFUSED("source_count: expected 1 .. 9, found 0", .sources = twice);
    REFUSED("source_count: expected 1 .. 9, found 10", .sources = twice, .source_count = 10);
    REFUSED("sources: entry 2: expected a vertex in 0 .. 8 that is not there before, found 3",
            .sources = twice, .source_count = 3);
    REFUSED("sources: entry 1: expected a vertex in 0 .. 8", .sources = outside, .source_count = 2);
    REFUSED("block: expected 0 .. 2147483647, found -1", .block = -1);
    REFUSED("limit: expected 0 or more, found -inf", .limit = -HUGE_VAL);
    REFUSED("limit: expected 0 or more, found nan", .limit = nan(""));
    REFUSED("along_count: expected 0 .. 0, found 1", .along_count = 1);
    REFUSED("along_count: expected 1 .. 16, found 17", .along = infinite, .along_count = 17);
    REFUSED("sums: expected an array", .along = infinite, .along_count = 1);
    REFUSED("column 'along 0': expected finite numbers", .along = infinite, .along_count = 1,
            .sums = infinite);
#undef REFUSED
    check_refused(&(apsp_request){.size = 8}, NULL, &w.sink, "apsp_request: expected a struct of");
    check_refused(NULL, NULL, NULL, "sinks: expected an apsp_sink, found NULL");
    w.sink.needs = 8;
    check_refused(NULL, NULL, &w.sink, "apsp_sink: needs: expected 0 .. 7, found 8");
    w.sink.needs = APSP_NEEDS_PREDECESSORS;
    check_refused(NULL, &distances, &w.sink, "a sink needs predecessors: expected options that");
    check_refused(NULL, &naive, &w.sink, "computes no predecessors");
    w.sink.take = NULL;
    check_refused(NULL, NULL, &w.sink, "apsp_sink: expected a function take, found NULL");
    w.sink.size = 8;
    check_refused(NULL, NULL, &w.sink, "apsp_sink: expected a struct of");
    CU_ASSERT_EQUAL(w.begun, 0);
    apsp_sink *none;
    CU_ASSERT_EQUAL(apsp_sink_file(&none, "-", APSP_NPY, &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(none);
    CU_ASSERT_EQUAL(apsp_sink_file(&none, "x", (apsp_format)9, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_sink_file(&none, NOWHERE "/x", APSP_NPY, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, NULL, NULL, (const apsp_sink *const *)&none, 1, &error),
                    APSP_NO_RESOURCE);
    apsp_sink_free(none);
    apsp_sink_free(NULL);
    apsp_measures_free(NULL);
    apsp_graph_free(graph);
}

/* If an engine fails and another one begins again, sinks of the caller get what they lack. */
static void test_begun_again(void) {
    enum { N = 5 };
    apsp_graph *graph = ring(N);
    struct watcher w;
    struct own own;
    struct fan fan;
    struct progress progress = {0};
    struct row_block block = {.n = N};
    struct error err;
    int32_t cells[N][N] = {{0}};
    own_open(&own);
    watch(&w, 0);
    const apsp_sink *const sinks[] = {&w.sink, own.measures_sink};
    CU_ASSERT_EQUAL_FATAL(fan_open(&fan, sinks, 2, &err), STATUS_OK);
    fan.answer = (struct answer){graph, {NULL, N}, NO_LIMIT, false};
    fan.block = N;
    fan.progress = &progress;
    CU_ASSERT_EQUAL_FATAL(fan_begin(&fan, &err), STATUS_OK);
    for (int32_t rows = 2; rows <= N; rows += N - 2) {
        block.count = rows;
        for (int32_t r = 0; r < rows; r++) {
            block.source[r] = block.position[r] = r;
            block.dist[r] = cells[r];
        }
        CU_ASSERT_EQUAL(
            fan.sink.begin(&fan.sink, N, NUMBER_INT32, &fan.answer.sources, false, 1, &err),
            STATUS_OK);
        CU_ASSERT_EQUAL(fan.sink.take(&fan.sink, &block, &err), STATUS_OK);
    }
    const struct making making = {.graph = graph, .engine = {&cpu_solver, cpu_solver.variants}};
    CU_ASSERT_EQUAL(fan_end(&fan, STATUS_OK, &making, &err), STATUS_OK);
    CU_ASSERT(w.rows == N && w.calls == 2 && watched_all(&w));
    apsp_graph_measures measures = APSP_GRAPH_MEASURES_INIT;
    CU_ASSERT_EQUAL(apsp_measures_graph(own.measures, &measures, NULL), APSP_OK);
    CU_ASSERT(measures.pairs == N * (N - 1) && measures.pairs_without_path == 0);
    fan_close(&fan);
    own_close(&own);
    apsp_graph_free(graph);
}

/* After its first block, the graph is another one for the engine than for the proof. */
static apsp_status change_graph(void *self, const apsp_rows *rows, apsp_error *error) {
    struct graph *const g = self;
    (void)rows, (void)error;
    for (int64_t e = 0; e < g->m; e++)
        g->weight[e] = 1;
    return APSP_OK;
}

static void test_refuted(void) {
    apsp_graph *graph = ring(500);
    struct own own;
    apsp_error error;
    apsp_sink changing = APSP_SINK_INIT;
    apsp_request request = {.size = sizeof request, .check = 1};
    apsp_options options = {.size = sizeof options, .engine = "cpu:johnson", .threads = 1};
    own_open(&own);
    changing.take = change_graph;
    changing.self = &graph->graph;
    const apsp_sink *const sinks[] = {&changing, own.measures_sink, own.result_sink, own.npy};
    CU_ASSERT_EQUAL(apsp_solve_rows(graph, &request, &options, sinks, 4, &error), APSP_REFUTED);
    CU_ASSERT_NSTRING_EQUAL(error.text, "check (", 7);
    check_nothing_made(&own);
    own_close(&own);
    apsp_graph_free(graph);
}

/* A result of some sources, from memory, from text and from NumPy files. */
static void check_some(const apsp_graph *graph, const apsp_result *some, const apsp_result *all,
                       const int32_t *sources, int32_t count) {
    const int32_t n = apsp_result_vertices(all);
    int32_t path[64], length;
    apsp_error error;
    CU_ASSERT(apsp_result_rows(some) == count && apsp_result_vertices(some) == n);
    CU_ASSERT_EQUAL(memcmp(apsp_result_sources(some), sources, (size_t)count * sizeof *sources), 0);
    for (int32_t v = 0; v < n; v++) {
        const int32_t row = apsp_result_row(some, v);
        CU_ASSERT(row < count && (row < 0 || sources[row] == v));
        for (int32_t to = 0; to < n; to++) {
            const int32_t d = row < 0 ? APSP_NO_ROW : apsp_result_distance(all, v, to);
            CU_ASSERT_EQUAL(apsp_result_distance(some, v, to), d);
            const apsp_status status = apsp_result_path(some, v, to, path, &length, &error);
            CU_ASSERT_EQUAL(status, row < 0 ? APSP_BAD_INPUT : APSP_OK);
            CU_ASSERT(row >= 0 || strstr(error.text, "from: expected a source of the") != NULL);
            CU_ASSERT(length == 0 || (path[0] == v && path[length - 1] == to));
        }
    }
    CU_ASSERT_EQUAL(apsp_verify(graph, some, NULL, NULL, NULL), APSP_OK);
}

static void test_some_sources(void) {
    enum { N = 40, COUNT = 3 };
    static const int32_t sources[COUNT] = {17, 0, 39};
    static const char wrong[] = "|V| = 3, |E| = 2\n|S| = 1: 1\n\nINF\t0\t6\n\n-1\t-1\t1\n";
    apsp_graph *graph = ring(N), *small;
    apsp_result *all, *some, *read;
    apsp_sink *sink;
    apsp_error error;
    apsp_refutation refutation = APSP_REFUTATION_INIT;
    const apsp_request request = {
        .size = sizeof request, .sources = sources, .source_count = COUNT};
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &all, NULL), APSP_OK);
    CU_ASSERT(apsp_result_rows(all) == N && apsp_result_sources(all) == NULL &&
              apsp_result_row(all, 7) == 7);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sink, &some, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_solve_rows(graph, &request, NULL, (const apsp_sink *const *)&sink, 1, NULL), APSP_OK);
    apsp_sink_free(sink); /* the result stays */
    check_some(graph, some, all, sources, COUNT);
    for (apsp_format format = APSP_TEXT; format <= APSP_NPY; format++) {
        const char *const path = temporary_path();
        CU_ASSERT_EQUAL(apsp_result_write(some, path, format, 0, NULL), APSP_OK);
        CU_ASSERT_EQUAL_FATAL(apsp_result_read(&read, path, NULL), APSP_OK);
        check_some(graph, read, all, sources, COUNT);
        apsp_result_free(read);
    }
    apsp_result_free(some);
    apsp_result_free(all);
    apsp_graph_free(graph);

    const int32_t from[] = {1, 0}, to[] = {2, 1}, weight[] = {5, 1};
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&small, 3, 2, from, to, weight, NULL, NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_result_read(&read, temporary_file(wrong, sizeof wrong - 1), NULL),
                          APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(small, read, NULL, &refutation, &error), APSP_REFUTED);
    CU_ASSERT(refutation.check == 'c' && refutation.from == 1 && refutation.to == 2);
    apsp_result_free(read);
    apsp_graph_free(small);
}

/* Rows with a limit, which results and files record. */
static void test_limit(void) {
    enum { N = 80 };
    struct random random = {17};
    apsp_graph *graph = ring(N), *negative;
    apsp_result *all;
    static const double limits[] = {0, HUGE_VAL, 0.5, 0x1p-1074, 1, 40.9, 90, APSP_INF - 1, 1e300};
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &all, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_result_limit(all), APSP_INF);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct own own;
        apsp_error error = {""};
        const int32_t limit = limits[k] > 0 && limits[k] < APSP_INF ? (int32_t)limits[k] : APSP_INF;
        const apsp_request request = {
            .size = sizeof request, .check = random_in(&random, 0, 1), .limit = limits[k]};
        own_open(&own);
        const apsp_sink *const sinks[] = {own.result_sink, own.npy, own.text};
        CU_ASSERT_EQUAL_FATAL(apsp_solve_rows(graph, &request, NULL, sinks, 3, &error), APSP_OK);
        CU_ASSERT_EQUAL(apsp_result_limit(own.result), limit);
        CU_ASSERT_EQUAL(apsp_result_real_limit(own.result),
                        limit < APSP_INF ? limit : (double)INFINITY);
        for (int32_t v = 0; v < N * N; v++) {
            const int32_t d = apsp_result_distance(all, v / N, v % N);
            CU_ASSERT_EQUAL(apsp_result_distance(own.result, v / N, v % N),
                            d <= limit ? d : APSP_INF);
        }
        CU_ASSERT_EQUAL(apsp_verify(graph, own.result, NULL, NULL, NULL), APSP_OK);
        check_file(graph, own.prefix, N);
        check_file(graph, own.file, N);
        own_close(&own);
    }
    const int32_t from = 0, to = 1, weight = -3;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&negative, 2, 1, &from, &to, &weight, NULL, NULL),
                          APSP_OK);
    apsp_sink *sink;
    apsp_result *none;
    apsp_error error;
    const apsp_request request = {.size = sizeof request, .limit = 5};
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sink, &none, NULL), APSP_OK);
    CU_ASSERT_EQUAL(
        apsp_solve_rows(negative, &request, NULL, (const apsp_sink *const *)&sink, 1, &error),
        APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "a limit of 5 on distances: expected weights of 0 or more, found -3");
    apsp_sink_free(sink);
    apsp_result_free(all);
    apsp_graph_free(negative);
    apsp_graph_free(graph);
}

/* A distance that does not fit is told from other refusals, and fits in the wider graph. */
static void test_wider(void) {
    static const int32_t tails[] = {0, 1, 2}, heads[] = {1, 2, 3};
    static const int32_t weights[][3] = {{APSP_INF - 1, APSP_INF - 1, 1}, {-APSP_INF, -1, -1}};
    for (int k = 0; k < 2; k++) {
        apsp_graph *graph, *wide;
        apsp_result *result = NULL;
        apsp_error error;
        int out_of_range = -1;
        apsp_request request = {.size = sizeof request, .out_of_range = &out_of_range, .limit = -1};
        apsp_sink *sink;
        CU_ASSERT_EQUAL_FATAL(
            apsp_graph_from_edges(&graph, 4, 3, tails, heads, weights[k], NULL, NULL), APSP_OK);
        CU_ASSERT_EQUAL_FATAL(apsp_graph_widen(graph, &wide, &error), APSP_OK);
        for (int turn = 0; turn < 3; turn++) {
            CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sink, &result, NULL), APSP_OK);
            CU_ASSERT_EQUAL(apsp_solve_rows(turn == 2 ? wide : graph, &request, NULL,
                                            (const apsp_sink *const *)&sink, 1, &error),
                            turn == 2 ? APSP_OK : APSP_BAD_INPUT);
            CU_ASSERT_EQUAL(out_of_range, turn == 1);
            apsp_sink_free(sink);
            request.limit = 0;
        }
        CU_ASSERT_EQUAL(apsp_result_length(result, 0, 3),
                        (double)weights[k][0] + weights[k][1] + weights[k][2]);
        CU_ASSERT_EQUAL(apsp_verify(wide, result, NULL, NULL, NULL), APSP_OK);
        const char *const path = temporary_path();
        CU_ASSERT_EQUAL(apsp_result_write(result, path, APSP_TEXT, 1, NULL), APSP_OK);
        apsp_result_free(result);
        CU_ASSERT_EQUAL(apsp_result_read(&result, path, &error), APSP_BAD_INPUT);
        CU_ASSERT_EQUAL_FATAL(apsp_result_read_as(&result, path, APSP_FLOAT64, NULL), APSP_OK);
        CU_ASSERT_EQUAL(apsp_verify(wide, result, NULL, NULL, NULL), APSP_OK);
        apsp_result_free(result);
        CU_ASSERT_EQUAL(apsp_result_read_as(&result, path, APSP_UINT16, &error), APSP_BAD_INPUT);
        apsp_graph_free(graph);
        apsp_graph_free(wide);
    }
}

/* Any number is a limit for real distances, and the least positive one stands for 0. */
static void test_real_limit(void) {
    enum { N = 40 };
    static const struct {
        double asked, means;
        int is_exact;
    } limits[] = {{0, HUGE_VAL, 0},          {0x1p-1074, 0, 0},      {0.05, 0.05, 0},
                  {0.75, 0.75, 0},           {1e300, 1e300, 0},      {0, 0, 1},
                  {0x1p-1074, 0x1p-1074, 1}, {HUGE_VAL, HUGE_VAL, 1}};
    int32_t tails[N], heads[N];
    double weights[N];
    apsp_graph *graph;
    apsp_result *all;
    for (int32_t v = 0; v < N; v++) {
        tails[v] = v;
        heads[v] = (v + 1) % N;
        weights[v] = 0.1 + v / 1024.0;
    }
    const apsp_edges edges = {.size = sizeof edges,
                              .vertices = N,
                              .count = N,
                              .from = tails,
                              .to = heads,
                              .type = APSP_FLOAT64,
                              .weight = weights};
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &all, NULL), APSP_OK);
    CU_ASSERT(isinf(apsp_result_real_limit(all)));
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const apsp_request request = {.size = sizeof request,
                                      .check = 1,
                                      .limit = limits[k].asked,
                                      .limit_is_exact = limits[k].is_exact};
        struct own own;
        size_t leading, ours;
        own_open(&own);
        const apsp_sink *const sinks[] = {own.result_sink, own.npy, own.text};
        CU_ASSERT_EQUAL_FATAL(apsp_solve_rows(graph, &request, NULL, sinks, 3, NULL), APSP_OK);
        CU_ASSERT_EQUAL(apsp_result_real_limit(own.result), limits[k].means);
        CU_ASSERT_EQUAL(apsp_result_limit(own.result),
                        limits[k].means < 1 ? (int32_t)limits[k].means : APSP_INF);
        const double *const whole = apsp_result_cells(all, &leading);
        const double *const near = apsp_result_cells(own.result, &ours);
        for (size_t v = 0; v < N * N; v++) {
            const double d = whole[v / N * leading + v % N];
            CU_ASSERT_EQUAL(near[v / N * ours + v % N],
                            d <= limits[k].means ? d : (double)INFINITY);
        }
        CU_ASSERT_EQUAL(apsp_verify(graph, own.result, NULL, NULL, NULL), APSP_OK);
        own_close(&own);
    }
    apsp_result_free(all);
    apsp_graph_free(graph);
}

static apsp_measures *measured(const apsp_graph *graph, const apsp_request *request) {
    apsp_measures *measures;
    apsp_sink *sink;
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sink, &measures, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_solve_rows(graph, request, NULL, (const apsp_sink *const *)&sink, 1, NULL), APSP_OK);
    apsp_sink_free(sink);
    return measures;
}

/* A path 0 -> 1 -> 2 with weights 1 and 2, in one direction or both. */
static apsp_graph *path_of_three(int undirected) {
    static const int32_t from[] = {0, 1}, to[] = {1, 2}, weight[] = {1, 2};
    const apsp_reading reading = {.size = sizeof reading, .undirected = undirected};
    apsp_graph *graph;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, 3, 2, from, to, weight, &reading, NULL),
                          APSP_OK);
    return graph;
}

static void test_measures(void) {
    apsp_graph *graph = path_of_three(1);
    apsp_measures *m = measured(graph, NULL);
    apsp_graph_measures g = APSP_GRAPH_MEASURES_INIT;
    double reals[3];
    int64_t integers[3];
    int32_t vertices[3], count, first, width, bins;
    apsp_error error;
    apsp_graph_free(graph); /* the measures stay */
    CU_ASSERT_EQUAL(apsp_measures_graph(m, &g, NULL), APSP_OK);
    CU_ASSERT(!g.directed && g.all_sources && g.pairs == 6 && g.pairs_without_path == 0);
    CU_ASSERT(g.diameter == 3 && g.radius == 2 && g.components == 1 && g.largest_component == 3);
    CU_ASSERT(g.wiener_index == 6 && g.average_shortest_path_length == 2 &&
              g.average_distance == 2);
    CU_ASSERT(g.largest_distance == 3 && g.largest_from == 0 && g.largest_to == 2);
    CU_ASSERT_DOUBLE_EQUAL(g.global_efficiency, (1 + 1. / 2 + 1. / 3) / 3, 1e-15);
    apsp_measures_center(m, vertices, &count);
    CU_ASSERT(count == 1 && vertices[0] == 1);
    apsp_measures_periphery(m, vertices, &count);
    CU_ASSERT(count == 2 && vertices[0] == 0 && vertices[1] == 2);
    CU_ASSERT_EQUAL(apsp_measures_reals(m, APSP_HARMONIC, APSP_INWARDS, reals, NULL), APSP_OK);
    CU_ASSERT_EQUAL(reals[1], 1.5);
    CU_ASSERT_EQUAL(apsp_measures_reals(m, APSP_CLOSENESS, APSP_OUTWARDS, reals, NULL), APSP_OK);
    CU_ASSERT(reals[0] == 0.5 && reals[1] == 2. / 3);
    CU_ASSERT_EQUAL(apsp_measures_reals(m, APSP_DISTANCE_SUM, APSP_OUTWARDS, reals, NULL), APSP_OK);
    CU_ASSERT(reals[0] == 4 && reals[1] == 3 && reals[2] == 5);
    const int64_t *const counts = apsp_measures_histogram(m, &first, &width, &bins);
    CU_ASSERT(first == 1 && width == 1 && bins == 3);
    CU_ASSERT(counts[0] == 2 && counts[1] == 2 && counts[2] == 2);
    CU_ASSERT_EQUAL(apsp_measures_integers(m, APSP_HARMONIC, APSP_OUTWARDS, integers, &error),
                    APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(
        error.text,
        "measure: expected one that is an integer, found harmonic_centrality of int32 distances");
    CU_ASSERT_EQUAL(apsp_measures_reals(m, APSP_HARMONIC, (apsp_direction)2, reals, &error),
                    APSP_BAD_INPUT);
    char prefix[80], path[96];
    snprintf(prefix, sizeof prefix, "%s", temporary_path());
    CU_ASSERT_EQUAL(apsp_measures_write(m, prefix, NULL), APSP_OK);
    snprintf(path, sizeof path, "%s.csv", prefix);
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
    CU_ASSERT_EQUAL(apsp_measures_write(m, NOWHERE "/x", NULL), APSP_NO_RESOURCE);
    g.size = 16;
    CU_ASSERT_EQUAL(apsp_measures_graph(m, &g, NULL), APSP_BAD_INPUT);
    apsp_measures_free(m);

    graph = path_of_three(0);
    m = measured(graph, NULL);
    g = (apsp_graph_measures)APSP_GRAPH_MEASURES_INIT;
    CU_ASSERT_EQUAL(apsp_measures_graph(m, &g, NULL), APSP_OK);
    CU_ASSERT(g.directed && g.components == 3 && g.largest_component == 1);
    CU_ASSERT(isinf(g.diameter) && isinf(g.radius) && isinf(g.wiener_index) &&
              isinf(g.average_shortest_path_length));
    CU_ASSERT(g.pairs_without_path == 3 && g.average_distance == 2);
    apsp_measures_center(m, vertices, &count);
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_EQUAL(apsp_measures_integers(m, APSP_REACHED, APSP_INWARDS, integers, NULL), APSP_OK);
    CU_ASSERT(integers[0] == 1 && integers[1] == 2 && integers[2] == 3);
    apsp_measures_free(m);

    const int32_t source = 1;
    m = measured(graph, &(apsp_request){
                            .size = sizeof(apsp_request), .sources = &source, .source_count = 1});
    CU_ASSERT_EQUAL(apsp_measures_integers(m, APSP_ECCENTRICITY, APSP_OUTWARDS, integers, NULL),
                    APSP_OK);
    CU_ASSERT_EQUAL(integers[0], 2);
    CU_ASSERT_EQUAL(apsp_measures_integers(m, APSP_REACHED, APSP_INWARDS, integers, &error),
                    APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(
        error.text, "direction: measures inwards need the rows of all vertices, found 1 of 3");
    apsp_measures_center(m, vertices, &count);
    CU_ASSERT_EQUAL(count, 0);
    apsp_measures_free(m);
    apsp_graph_free(graph);

    graph = path_of_three(1);
    m = measured(graph, &(apsp_request){.size = sizeof(apsp_request), .limit = 2});
    g = (apsp_graph_measures)APSP_GRAPH_MEASURES_INIT;
    CU_ASSERT_EQUAL(apsp_measures_graph(m, &g, NULL), APSP_OK);
    CU_ASSERT(g.pairs == 6 && g.pairs_without_path == 2 && g.largest_distance == 2);
    CU_ASSERT(g.components == 0 && g.diameter == 0 && g.global_efficiency == 0);
    apsp_measures_center(m, vertices, &count);
    CU_ASSERT_EQUAL(count, 0);
    apsp_measures_free(m);
    apsp_graph_free(graph);
}

/* 0 -> 1 -> 2, float64. */
static apsp_graph *real_path(const double weight[2]) {
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    edges.vertices = 3;
    edges.count = 2;
    edges.from = (const int32_t[]){0, 1};
    edges.to = (const int32_t[]){1, 2};
    edges.type = APSP_FLOAT64;
    edges.weight = weight;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, NULL), APSP_OK);
    return graph;
}

/* 0 -> 1 of three vertices. */
static apsp_graph *one_edge(int32_t weight) {
    apsp_graph *graph;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, 3, 1, (const int32_t[]){0},
                                                (const int32_t[]){1}, &weight, NULL, NULL),
                          APSP_OK);
    return graph;
}

/* Returns the cell of an array of a type at an index. */
static double cell_at(apsp_type type, const void *cells, size_t index) {
    return type == APSP_UINT16    ? ((const uint16_t *)cells)[index]
           : type == APSP_INT32   ? ((const int32_t *)cells)[index]
           : type == APSP_INT64   ? (double)((const int64_t *)cells)[index]
           : type == APSP_FLOAT32 ? (double)((const float *)cells)[index]
                                  : ((const double *)cells)[index];
}

/* Rows 2 and 0 of a graph, in arrays of a type with a column that nobody touches, are those of its
 * result, divided and up to a limit. */
static void check_arrays(const apsp_graph *graph, const apsp_arrays *how) {
    static const double none[] = {APSP_INF, INFINITY, INFINITY, 65535, 0x1p62 /* less 1 */};
    const int32_t source[] = {2, 0};
    const apsp_request request = {.size = sizeof request, .sources = source, .source_count = 2};
    const double divisor = how->divisor != 0 ? how->divisor : 1;
    double cells[8];
    int32_t pred[8];
    apsp_arrays arrays = *how;
    apsp_result *right;
    apsp_sink *sink;
    memset(cells, 0x55, sizeof cells);
    memset(pred, 0x55, sizeof pred);
    arrays.distances = cells;
    arrays.predecessors = how->no_predecessor < -1 ? pred : NULL;
    arrays.leading = 4;
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_arrays(&sink, &arrays, NULL), APSP_OK);
    CU_ASSERT_EQUAL(
        apsp_solve_rows(graph, &request, NULL, (const apsp_sink *const *)&sink, 1, NULL), APSP_OK);
    for (size_t r = 0; r < 2; r++) {
        for (int32_t v = 0; v < 3; v++) {
            const double length = apsp_result_length(right, source[r], v);
            const bool has = !isinf(length) && !(how->limit >= 0 && length > how->limit);
            const size_t at = r * 4 + (size_t)v;
            double expected = has ? length / divisor : none[how->type];
            if (how->type == APSP_FLOAT32)
                expected = (double)(float)expected;
            CU_ASSERT_EQUAL(cell_at(how->type, cells, at), expected);
            if (arrays.predecessors != NULL)
                CU_ASSERT_EQUAL(pred[at], has && v != source[r] ? v - 1 : how->no_predecessor);
        }
        if (arrays.predecessors != NULL)
            CU_ASSERT_EQUAL(pred[r * 4 + 3], 0x55555555);
    }
    apsp_sink_free(sink);
    apsp_result_free(right);
}

/* That a solve for arrays fails, with a line. */
static void refuse_arrays(const apsp_graph *graph, const apsp_arrays *arrays,
                          const apsp_options *options, const char *line) {
    apsp_error error = {""};
    apsp_sink *sink;
    apsp_status status = apsp_sink_arrays(&sink, arrays, &error);
    if (status == APSP_OK)
        status = apsp_solve_rows(graph, NULL, options, (const apsp_sink *const *)&sink, 1, &error);
    CU_ASSERT_EQUAL(status, APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, line);
    apsp_sink_free(sink);
}

static void test_arrays(void) {
    apsp_graph *whole = path_of_three(0), *real = real_path((double[]){0.1, 0.2});
    const apsp_options no_pred = {.size = sizeof no_pred, .distances_only = 1};
    double cells[9];
    int32_t pred[9];
    apsp_arrays arrays = APSP_ARRAYS_INIT;
    for (int kind = 0; kind < 4; kind++) {
        arrays.no_predecessor = kind % 2 == 0 ? -1 : -9999;
        arrays.limit = kind / 2 == 0 ? -1 : 1;
        arrays.divisor = 0;
        for (apsp_type type = APSP_INT32; type <= APSP_INT64; type++) {
            arrays.type = type;
            check_arrays(whole, &arrays);
        }
        arrays.limit = kind / 2 == 0 ? -1 : 0.15;
        for (arrays.type = APSP_FLOAT32; arrays.type <= APSP_FLOAT64; arrays.type++)
            check_arrays(real, &arrays);
        arrays.divisor = 3;
        for (arrays.type = APSP_FLOAT32; arrays.type <= APSP_FLOAT64; arrays.type++) {
            check_arrays(whole, &arrays);
            check_arrays(real, &arrays);
        }
    }
    arrays = (apsp_arrays)APSP_ARRAYS_INIT;
    refuse_arrays(whole, &arrays, NULL, "apsp_arrays: expected distances, found NULL");
    arrays.distances = cells;
    arrays.leading = 2;
    refuse_arrays(whole, &arrays, NULL, "apsp_arrays: leading: expected 3 or more, found 2");
    arrays.leading = 3;
    refuse_arrays(real, &arrays, NULL,
                  "apsp_arrays: expected float or double for distances that are no integers");
    arrays.predecessors = pred;
    refuse_arrays(whole, &arrays, &no_pred,
                  "apsp_arrays: expected options that do not ask for distances only");
    arrays.predecessors = NULL;
    arrays.type = APSP_UINT16;
    apsp_graph *const far = one_edge(65535), *const below = one_edge(-1);
    refuse_arrays(far, &arrays, NULL,
                  "dtype: expected distances in 0 .. 65534 for uint16, found 65535");
    refuse_arrays(below, &arrays, NULL,
                  "dtype: expected distances in 0 .. 65534 for uint16, found -1");
    arrays.type = APSP_FLOAT32; /* of integers that stand for larger numbers */
    arrays.divisor = 0x1p-113;
    refuse_arrays(far, &arrays, NULL,
                  "dtype: expected distances up to 3.40282e+38 for float32, found 6.80554e+38");
    arrays.divisor = 1;
    apsp_graph_free(far);
    apsp_graph_free(below);
    arrays.type = APSP_INT64;
    refuse_arrays(real, &arrays, NULL,
                  "dtype: expected integers below 2^53 for int64, found 0.10000000000000001");
    arrays.type = (apsp_type)5;
    refuse_arrays(whole, &arrays, NULL, "type: expected 0 .. 4, found 5");
    arrays.type = APSP_FLOAT64;
    arrays.limit = NAN;
    refuse_arrays(whole, &arrays, NULL, "apsp_arrays: expected numbers, found NaN");
    apsp_graph_free(whole);
    apsp_graph_free(real);
}

/* Rows that stay on the device, which is the host on the shim, are those of a result. */
static void check_on_device(const apsp_graph *graph, const char *engine, const int32_t *source,
                            int32_t count, int pred) {
    const apsp_options options = {
        .size = sizeof options, .engine = engine, .threads = 2, .distances_only = !pred};
    const apsp_request request = {
        .size = sizeof request, .sources = source, .source_count = source == NULL ? 0 : count};
    const int32_t n = apsp_graph_vertices(graph);
    apsp_device_matrix *matrix;
    apsp_result *right;
    apsp_sink *sinks[2];
    apsp_error error = {""};
    CU_ASSERT_EQUAL_FATAL(apsp_sink_device(&sinks[0], 0, &matrix, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sinks[1], &right, NULL), APSP_OK);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(apsp_solve_rows(graph, &request, &options,
                                              (const apsp_sink *const *)&sinks[k], 1, &error),
                              APSP_OK);
    }
    apsp_sink_free(sinks[0]);
    size_t leading;
    const size_t bytes = (size_t)n * (apsp_graph_type(graph) == APSP_FLOAT64 ? 8 : 4);
    const char *const cells = apsp_result_cells(right, &leading);
    const char *const found = apsp_device_matrix_cells(matrix);
    const int32_t *const found_pred = apsp_device_matrix_predecessors(matrix);
    CU_ASSERT_EQUAL(found_pred != NULL, pred != 0);
    for (size_t r = 0; r < (size_t)count; r++) {
        CU_ASSERT_EQUAL(memcmp(found + r * bytes, cells + r * leading * (bytes / (size_t)n), bytes),
                        0);
        if (pred)
            CU_ASSERT_EQUAL(memcmp(found_pred + r * (size_t)n,
                                   apsp_result_predecessors(right, NULL) + r * leading,
                                   (size_t)n * 4),
                            0);
    }
    apsp_device_matrix_free(matrix);
    apsp_sink_free(sinks[1]);
    apsp_result_free(right);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
}

static void test_on_device(void) {
    static const char *const some[] = {"cpu:johnson", "cuda_simple:naive", "cuda_blocked:dpx32",
                                       "cuda_sparse:multisource", "cuda_sparse:dissection"};
    const int32_t source[] = {70, 3, 4};
    struct random random = {23};
    apsp_device_matrix *matrix;
    apsp_sink *sink;
    apsp_error error;
    for (enum weights kind = WEIGHTS_POSITIVE; kind < WEIGHT_KINDS; kind++) {
        struct graph ours = random_graph(&random, 77, 8, kind);
        apsp_graph *const graph = handed_over(&ours);
        for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
            check_on_device(graph, some[k], NULL, 77, 0);
            check_on_device(graph, some[k], source, 3, 0);
            if (strcmp(some[k], "cuda_simple:naive") != 0)
                check_on_device(graph, some[k], NULL, 77, 1);
        }
        apsp_graph_free(graph);
        graph_free(&ours);
    }
    apsp_graph *const real = real_path((double[]){0.1, 0.2});
    check_on_device(real, "cuda_blocked:dpx32", NULL, 3, 1);
    CU_ASSERT_EQUAL(apsp_sink_device(&sink, -1, &matrix, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_device(&sink, 7, &matrix, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_solve_rows(real, NULL, NULL, (const apsp_sink *const *)&sink, 1, &error),
                    APSP_NO_RESOURCE);
    CU_ASSERT_PTR_NULL(matrix);
    apsp_sink_free(sink);
    apsp_graph_free(real);
}

/* Columns have the names, the numbers and the parts that the header says. */
static void test_columns(void) {
    static const apsp_column right[] = {
        {0, APSP_REACHED, "reached", "out_reached", "in_reached", APSP_INTEGERS, 0, 0, 0},
        {0, APSP_DISTANCE_SUM, "distance_sum", "out_distance_sum", "in_distance_sum",
         APSP_INTEGERS_OF_INT32, 1, 0, 0},
        {0, APSP_ECCENTRICITY, "eccentricity", "eccentricity", "in_eccentricity",
         APSP_INTEGERS_OF_INT32, 1, 0, 0},
        {0, APSP_CLOSENESS, "closeness_centrality", "out_closeness_centrality",
         "closeness_centrality", APSP_REALS, -1, 0, 1},
        {0, APSP_HARMONIC, "harmonic_centrality", "out_harmonic_centrality", "harmonic_centrality",
         APSP_REALS, -1, APSP_PART_HARMONIC, 1},
    };
    apsp_column column = APSP_COLUMN_INIT;
    size_t count = 0;
    for (; apsp_measures_column(count, &column); count++) {
        CU_ASSERT_EQUAL(column.size, sizeof column);
        CU_ASSERT_EQUAL(apsp_measures_part(column.name), column.part);
        if (count >= sizeof right / sizeof *right) /* those that have no enumerator */
            continue;
        CU_ASSERT_EQUAL(column.which, right[count].which);
        CU_ASSERT_STRING_EQUAL(column.name, right[count].name);
        CU_ASSERT_STRING_EQUAL(column.outwards, right[count].outwards);
        CU_ASSERT_STRING_EQUAL(column.inwards, right[count].inwards);
        CU_ASSERT_EQUAL(column.numbers, right[count].numbers);
        CU_ASSERT_EQUAL(column.dimension, right[count].dimension);
        CU_ASSERT_EQUAL(column.part, right[count].part);
        CU_ASSERT_EQUAL(column.sums_only, right[count].sums_only);
    }
    CU_ASSERT(count >= sizeof right / sizeof *right);
    column.size = offsetof(apsp_column, part);
    CU_ASSERT_FALSE(apsp_measures_column(0, &column));
    CU_ASSERT_EQUAL(apsp_measures_part(NULL), APSP_PART_HARMONIC | APSP_PART_HISTOGRAM);
    CU_ASSERT_EQUAL(apsp_measures_part("histogram"), APSP_PART_HISTOGRAM);
    CU_ASSERT_EQUAL(apsp_measures_part("diameter"), 0);
}

/* All numbers that the functions on measures give. */
struct said {
    apsp_graph_measures graph;
    apsp_status of_part; /* of the last measure */
    double vertices[2 * (APSP_HARMONIC + 1)][40];
    double first, width;
    int32_t bins;
    int64_t count[1024];
};

/* A file of measures has the columns of the parts that there are. */
static void check_file_of_parts(const apsp_measures *measures, unsigned parts) {
    const char *const prefix = temporary_path();
    char path[256], head[256] = "";
    snprintf(path, sizeof path, "%s.csv", prefix);
    CU_ASSERT_EQUAL(apsp_measures_write(measures, prefix, NULL), APSP_OK);
    FILE *const file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(head, sizeof head, file));
    fclose(file);
    CU_ASSERT_EQUAL(strstr(head, "harmonic_centrality") != NULL, (parts & APSP_PART_HARMONIC) != 0);
}

static struct said *all_said(const apsp_graph *graph, const apsp_options *options, unsigned parts) {
    struct said *const said = calloc(1, sizeof *said);
    apsp_measures *measures;
    apsp_sink *sink;
    apsp_error error = {""};
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures_of(&sink, parts, &measures, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_solve_rows(graph, NULL, options, (const apsp_sink *const *)&sink, 1, &error), APSP_OK);
    said->graph.size = sizeof said->graph;
    CU_ASSERT_EQUAL(apsp_measures_graph(measures, &said->graph, NULL), APSP_OK);
    for (int k = 0; k < 2 * (APSP_HARMONIC + 1); k++) {
        said->of_part = apsp_measures_reals(measures, (apsp_vertex_measure)(k / 2),
                                            (apsp_direction)(k % 2), said->vertices[k], &error);
        CU_ASSERT(said->of_part == APSP_OK || k / 2 == APSP_HARMONIC);
        CU_ASSERT_EQUAL(said->of_part == APSP_OK, error.text[0] == '\0');
    }
    const int64_t *const count =
        apsp_measures_bins(measures, &said->first, &said->width, &said->bins);
    if (count != NULL)
        memcpy(said->count, count, (size_t)said->bins * sizeof *count);
    int32_t whole[2], bins;
    const bool is_integral = said->graph.largest_distance > 0;
    CU_ASSERT_EQUAL(apsp_measures_histogram(measures, &whole[0], &whole[1], &bins),
                    is_integral ? count : NULL);
    CU_ASSERT(bins == (is_integral ? said->bins : 0));
    CU_ASSERT((count == NULL) == ((parts & APSP_PART_HISTOGRAM) == 0));
    check_file_of_parts(measures, parts);
    apsp_sink_free(sink);
    apsp_measures_free(measures);
    return said;
}

/* Parts that are missing are said to be, and the others are the same bytes. */
static void check_parts(const apsp_graph *graph, const char *variant) {
    const apsp_options options = {
        .size = sizeof options, .engine = "cpu", .variant = variant, .threads = 2};
    struct said *const right = all_said(graph, &options, 3);
    for (unsigned parts = 0; parts < 3; parts++) {
        struct said *const some = all_said(graph, &options, parts);
        if ((parts & APSP_PART_HARMONIC) == 0) {
            CU_ASSERT(some->of_part == APSP_BAD_INPUT && isnan(some->graph.global_efficiency));
            some->of_part = right->of_part;
            some->graph.global_efficiency = right->graph.global_efficiency;
            memcpy(some->vertices[2 * (size_t)APSP_HARMONIC],
                   right->vertices[2 * (size_t)APSP_HARMONIC], 2 * sizeof *right->vertices);
        }
        if ((parts & APSP_PART_HISTOGRAM) == 0) {
            CU_ASSERT(some->bins == 0 && some->width == 0);
            some->first = right->first;
            some->width = right->width;
            some->bins = right->bins;
            memcpy(some->count, right->count, sizeof right->count);
        }
        CU_ASSERT(memcmp(some, right, sizeof *right) == 0);
        free(some);
    }
    free(right);
}

static void test_parts(void) {
    apsp_graph *const graphs[] = {ring(40), path_of_three(1), real_path((double[]){0.1, 0.2})};
    apsp_sink *sink;
    apsp_measures *measures;
    apsp_error error;
    for (size_t k = 0; k < 3; k++) { /* with columns and without, of both types */
        check_parts(graphs[k], "johnson");
        check_parts(graphs[k], "dissection"); /* which has totals without columns */
        apsp_graph_free(graphs[k]);
    }
    CU_ASSERT_EQUAL(apsp_sink_measures_of(&sink, 4, &measures, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "parts: expected 0 .. 3, found 4");
}

/* Integers of float64 are integers in measures, too, if 64 bits hold them. */
static void test_integral_numbers(void) {
    enum { VERTICES = 1100 };
    int32_t from[VERTICES] = {0}, to[VERTICES];
    double weight[VERTICES];
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    apsp_error error;
    int64_t values[VERTICES];
    for (int32_t v = 0; v < VERTICES; v++) {
        to[v] = v;
        weight[v] = 0x1p53 - 1;
    }
    edges.vertices = VERTICES;
    edges.from = from;
    edges.to = to;
    edges.type = APSP_FLOAT64;
    edges.weight = weight;
    edges.integral = 1;
    for (edges.count = VERTICES; edges.count >= 3; edges.count = edges.count > 3 ? 3 : 0) {
        apsp_sink *sink;
        apsp_measures *measures;
        apsp_graph_measures of_graph = APSP_GRAPH_MEASURES_INIT;
        CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_OK);
        CU_ASSERT_EQUAL(apsp_graph_is_integral(graph), 1);
        CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sink, &measures, NULL), APSP_OK);
        CU_ASSERT_EQUAL_FATAL(
            apsp_solve_rows(graph, NULL, NULL, (const apsp_sink *const[]){sink}, 1, &error),
            APSP_OK);
        const apsp_status status =
            apsp_measures_integers(measures, APSP_DISTANCE_SUM, APSP_OUTWARDS, values, &error);
        CU_ASSERT_EQUAL(status, edges.count > 3 ? APSP_BAD_INPUT : APSP_OK);
        CU_ASSERT(status != APSP_OK || values[0] == 2 * (INT64_C(1) << 53) - 2);
        CU_ASSERT(status == APSP_OK || strstr(error.text, "apsp_measures_reals rounds it") != NULL);
        CU_ASSERT_EQUAL(apsp_measures_graph(measures, &of_graph, NULL), APSP_OK);
        CU_ASSERT_EQUAL(of_graph.distance_sum_low,
                        (uint64_t)(edges.count - 1) * ((UINT64_C(1) << 53) - 1));
        apsp_measures_free(measures);
        apsp_sink_free(sink);
        apsp_graph_free(graph);
    }
    edges.count = 2;
    weight[1] = 0.5;
    CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "integral: expected integers below 2^53 for the weights, found 0.5");
    weight[1] = 0x1p53;
    CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
    edges.type = APSP_FLOAT32;
    CU_ASSERT_EQUAL(apsp_graph_make(&graph, &edges, NULL, &error), APSP_BAD_INPUT);
}

/* Measures of real distances are real numbers, and so is what refutes them. */
static void test_real_numbers(void) {
    apsp_graph *graph = real_path((double[]){0.1, 0.2}), *other = real_path((double[]){0.1, 0.25});
    apsp_sink *sinks[2];
    apsp_result *result;
    apsp_measures *measures;
    apsp_graph_measures of_graph = APSP_GRAPH_MEASURES_INIT;
    apsp_refutation found = APSP_REFUTATION_INIT;
    apsp_error error;
    int64_t integers[3];
    double reals[3], first, width;
    int32_t bins, whole;
    CU_ASSERT_EQUAL_FATAL(apsp_sink_result(&sinks[0], &result, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_sink_measures(&sinks[1], &measures, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(
        apsp_solve_rows(graph, NULL, NULL, (const apsp_sink *const *)sinks, 2, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_measures_graph(measures, &of_graph, NULL), APSP_OK);
    CU_ASSERT(of_graph.largest_length == 0.1 + 0.2 && of_graph.largest_distance == 0);
    CU_ASSERT_EQUAL(of_graph.distance_sum, 0.6000000000000001);
    CU_ASSERT_EQUAL(apsp_measures_reals(measures, APSP_ECCENTRICITY, APSP_INWARDS, reals, NULL),
                    APSP_OK);
    CU_ASSERT(reals[0] == 0 && reals[1] == 0.1 && reals[2] == 0.1 + 0.2);
    CU_ASSERT_EQUAL(apsp_measures_integers(measures, APSP_REACHED, APSP_OUTWARDS, integers, NULL),
                    APSP_OK);
    CU_ASSERT(integers[0] == 3 && integers[1] == 2 && integers[2] == 1);
    CU_ASSERT_EQUAL(
        apsp_measures_integers(measures, APSP_DISTANCE_SUM, APSP_OUTWARDS, integers, &error),
        APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(apsp_measures_histogram(measures, &whole, &whole, &bins));
    const int64_t *const count = apsp_measures_bins(measures, &first, &width, &bins);
    CU_ASSERT(count[0] == 1 && count[bins - 1] == 1 && width == 0x1p-11);
    CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, &found, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_verify(other, result, NULL, &found, &error), APSP_REFUTED);
    CU_ASSERT(found.type == APSP_FLOAT64 && found.distance == 0);
    CU_ASSERT(found.length == 0.1 + 0.2 && found.via_length == 0.1 && found.edge_length == 0.25);
    for (int k = 0; k < 2; k++)
        apsp_sink_free(sinks[k]);
    apsp_measures_free(measures);
    apsp_result_free(result);
    apsp_graph_free(graph);
    apsp_graph_free(other);
}

CU_TestInfo rows_tests[] = {
    {"real numbers", test_real_numbers},
    {"integers of float64", test_integral_numbers},
    {"every engine, every sink", test_engines},
    {"files of some columns", test_files_of_columns},
    {"files that resume", test_resumed},
    {"files of some columns that resume", test_resumed_columns},
    {"files that resume with a wider type", test_resumed_wider},
    {"files that cannot resume", test_refused_resumes},
    {"files that are refused", test_refused_files},
    {"order in several rounds", test_rounds},
    {"sinks that stop", test_sinks_that_stop},
    {"progress that stops", test_progress_stops},
    {"sinks that cannot begin or end", test_begin_and_end},
    {"what is refused", test_refusals},
    {"an answer that is begun again", test_begun_again},
    {"a block that is refuted", test_refuted},
    {"results of some sources", test_some_sources},
    {"a limit", test_limit},
    {"distances of a wider type", test_wider},
    {"a limit on real distances", test_real_limit},
    {"measures", test_measures},
    {"columns of measures", test_columns},
    {"parts of measures", test_parts},
    {"arrays of the caller", test_arrays},
    {"rows that stay on a device", test_on_device},
    CU_TEST_INFO_NULL,
};
