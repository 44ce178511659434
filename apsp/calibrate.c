#include "apsp/calibrate.h"

#include "apsp/plan.h"
#include "common/clock.h"     // clock_seconds
#include "common/graph_io.h"  // graph_read
#include "common/memory.h"    // memory_alloc
#include "common/output.h"    // struct output
#include "common/result_io.h" // result_write_text
#include "common/solve.h"     // solve
#include "common/threads.h"   // threads_or_default

#include <stdlib.h>
#include <string.h>

/* What the measurements have in common. */
struct bench {
    const struct solver_options *options;
    double until; /* after which nothing else is begun */
    struct rates *rates;
    FILE *to;
};

/* The same edges everywhere: splitmix64. */
static uint64_t next_word(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* `count` random edges of weight 1 .. 100; to free. */
static enum status draw_edges(int32_t n, int64_t count, struct edge **edges, struct error *err) {
    enum { MOST_WEIGHT = 100 };
    uint64_t state = (uint64_t)n;
    void *memory;
    enum status status = memory_alloc(&memory, (size_t)count, sizeof **edges, "edges", err);
    *edges = memory;
    for (int64_t e = 0; e < count && status == STATUS_OK; e++) {
        (*edges)[e].from = (int32_t)(next_word(&state) % (uint64_t)n);
        (*edges)[e].to = (int32_t)(next_word(&state) % (uint64_t)n);
        (*edges)[e].weight = (int32_t)(next_word(&state) % MOST_WEIGHT) + 1;
    }
    return status;
}

static enum status random_graph(int32_t n, int64_t count, struct graph *g, struct error *err) {
    struct edge *edges = NULL;
    *g = (struct graph){0};
    enum status status = draw_edges(n, count, &edges, err);
    if (status == STATUS_OK)
        status = graph_build(g, n, edges, count, err);
    memory_free(edges);
    return status;
}

/* Within the limits, so that the file can be read again. */
static void keep(const struct bench *b, enum rate rate, double measured, const char *what) {
    const struct rate_limits *limits = rate_limits(rate);
    if (!(measured > limits->lowest))
        measured = limits->lowest;
    if (measured > limits->highest)
        measured = limits->highest;
    b->rates->of[rate] = measured;
    if (b->to == NULL)
        return;
    fprintf(b->to, "%-22s %-10.4g %s\n", limits->name, measured, what);
    fflush(b->to);
}

/* Reading: of a file that has just been written. */
static enum status measure_reading(const struct bench *b, const char *folder, struct error *err) {
    enum { VERTICES = 5000, EDGES = 400000, LONGEST_LINE = 40 };
    struct output out = {.fd = -1};
    struct edge *edges = NULL;
    struct graph g = {0};
    char line[LONGEST_LINE], *path = NULL, *text = NULL;
    size_t size = 0;
    enum status status = draw_edges(VERTICES, EDGES, &edges, err);
    FILE *memory = status == STATUS_OK ? open_memstream(&text, &size) : NULL;
    if (status == STATUS_OK && (memory == NULL || asprintf(&path, "%s/apsp-graph", folder) < 0)) {
        path = NULL;
        status = fail(err, STATUS_NO_RESOURCE, "out of memory: a graph to read");
    }
    if (memory != NULL) {
        fprintf(memory, "%d %d\n", VERTICES, EDGES);
        for (int64_t e = 0; e < EDGES; e++) {
            snprintf(line, sizeof line, "%d %d %d\n", edges[e].from, edges[e].to, edges[e].weight);
            fputs(line, memory);
        }
        if (fclose(memory) != 0 && status == STATUS_OK)
            status = fail(err, STATUS_NO_RESOURCE, "out of memory: a graph to read");
    }
    if (status == STATUS_OK)
        status = output_open(&out, path, err);
    if (status == STATUS_OK)
        status = output_write(&out, text, size, err);
    if (status == STATUS_OK && out.temporary == NULL)
        status = fail(err, STATUS_NO_RESOURCE, "cannot write %s: it is no regular file", path);
    const double started = clock_seconds();
    if (status == STATUS_OK)
        status = graph_read(out.temporary, &g, err);
    if (status == STATUS_OK)
        keep(b, RATE_READ, 1e9 * (clock_seconds() - started) / EDGES, "ns to read an edge");
    output_discard(&out); /* never in place: nothing is left behind */
    graph_free(&g);
    memory_free(edges);
    free(path);
    free(text);
    return status;
}

static enum status measure_npy(const struct bench *b, const char *folder, const struct matrix *m,
                               struct error *err) {
    struct output out = {.fd = -1};
    char *path;
    if (asprintf(&path, "%s/apsp-matrix", folder) < 0)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: a file name");
    enum status status = output_open(&out, path, err);
    const double started = clock_seconds();
    for (int32_t i = 0; i < m->n && status == STATUS_OK; i++)
        status = output_write(&out, matrix_row(m, i), (size_t)m->n * sizeof(int32_t), err);
    if (status == STATUS_OK)
        keep(b, RATE_WRITE, 1e9 * (clock_seconds() - started) / ((double)m->n * m->n),
             "ns to write a cell of a NumPy file");
    output_discard(&out);
    free(path);
    return status;
}

/* A matrix: touching its memory, making text of it, writing its bytes. */
static enum status measure_matrix(const struct bench *b, const char *folder, struct error *err) {
    enum { VERTICES = 3000 };
    const double cells = (double)VERTICES * VERTICES;
    const int threads = threads_or_default(b->options->threads);
    struct result result = {.edges_read = 0};
    double started = clock_seconds();
    enum status status = matrix_alloc(&result.dist, VERTICES, "a matrix", err);
    if (status != STATUS_OK)
        return status;
    for (int32_t i = 0; i < VERTICES; i++) {
        for (int32_t j = 0; j < VERTICES; j++)
            matrix_row(&result.dist, i)[j] = (i + j) % 1000;
    }
    keep(b, RATE_TOUCH, 1e9 * (clock_seconds() - started) / cells,
         "ns for a cell of memory not yet touched");
    started = clock_seconds();
    status = result_write_text("/dev/null", &result, threads, err);
    if (status == STATUS_OK)
        keep(b, RATE_FORMAT, 1e9 * (clock_seconds() - started) * threads / cells,
             "ns of a thread to make text of a cell");
    if (status == STATUS_OK)
        status = measure_npy(b, folder, &result.dist, err);
    result_free(&result);
    return status;
}

/* One engine on one graph. */
struct trial {
    const char *engine;
    enum rate rate;
    int32_t vertices;
    int64_t edges;
};

/* The prediction of the engine by the rates that are built in; NULL where it is not usable. */
static const struct prediction *predicted(const struct plan *plan, const struct engine *engine) {
    for (int k = 0; k < plan->usable; k++) {
        if (plan->of[k].engine.variant == engine->variant)
            return &plan->of[k];
    }
    return NULL;
}

static enum status solve_trial(const struct bench *b, const struct engine *engine,
                               const struct graph *g, struct timing *best, struct error *err) {
    enum { REPETITIONS = 2 };
    struct timing timings[REPETITIONS];
    struct matrix dist = {0}, pred = {0};
    enum status status = matrix_alloc(&dist, g->n, "distances", err);
    if (status == STATUS_OK)
        status = matrix_alloc(&pred, g->n, "predecessors", err);
    if (status == STATUS_OK)
        status =
            solve(engine->variant, g, b->options, &dist, &pred, NULL, REPETITIONS, timings, err);
    if (status == STATUS_OK)
        *best = timings[timings[1].solve_s < timings[0].solve_s];
    matrix_free(&dist);
    matrix_free(&pred);
    return status;
}

static enum status measure_engine(const struct bench *b, const struct trial *trial,
                                  struct timing *best, struct error *err) {
    const struct plan_goal goal = {.predecessors = true};
    struct graph g = {0};
    struct features features;
    struct rates built_in;
    struct plan plan;
    struct engine engine;
    if (!engine_find(trial->engine, &engine))
        return STATUS_OK;
    rates_default(&built_in);
    enum status status = random_graph(trial->vertices, trial->edges, &g, err);
    if (status == STATUS_OK)
        status = features_look(&g, &features, err);
    if (status == STATUS_OK)
        status = plan_here(&g, &features, b->options, &goal, &built_in, engine.solver->uses_gpu,
                           &plan, err);
    const struct prediction *p = status == STATUS_OK ? predicted(&plan, &engine) : NULL;
    if (p != NULL)
        status = solve_trial(b, &engine, &g, best, err);
    if (p != NULL && status == STATUS_OK)
        keep(b, trial->rate, best->solve_s / p->solve_s, "times the time that is built in");
    graph_free(&g);
    return status;
}

static bool time_is_left(const struct bench *b) {
    return clock_seconds() < b->until;
}

static enum status measure_cpu(const struct bench *b, struct error *err) {
    static const struct trial trials[] = {
        {"cpu:multisource", RATE_MULTISOURCE, 2000, 100000},
        {"cpu:blocked", RATE_BLOCKED, 1500, 75000},
        {"cpu:johnson", RATE_JOHNSON, 2000, 8000},
        {"cpu:sequential", RATE_SEQUENTIAL, 500, 5000},
    };
    enum status status = STATUS_OK;
    for (size_t t = 0; t < sizeof trials / sizeof *trials && status == STATUS_OK; t++) {
        struct timing best;
        if (time_is_left(b))
            status = measure_engine(b, &trials[t], &best, err);
    }
    return status;
}

/* Where there is none, or it fails, its rates stay as they are built in, which is no failure. */
static enum status measure_gpu(const struct bench *b, struct error *err) {
    static const struct trial trials[] = {
        {"cuda_sparse:multisource", RATE_CUDA_SPARSE, 4000, 400000},
        {"cuda_blocked:auto", RATE_CUDA_BLOCKED, 4000, 400000},
        {"cuda_simple:vector", RATE_CUDA_SIMPLE, 2000, 100000},
    };
    struct gpu_traits traits;
    struct engine engine;
    const double started = clock_seconds();
    enum status status = time_is_left(b) ? gpu_look(b->options->device, &traits, err)
                                         : fail(err, STATUS_NO_RESOURCE, "no time was left");
    if (status == STATUS_OK && engine_find(trials->engine, &engine))
        gpu_warm_up(engine.variant, b->options->device);
    const double context_s = clock_seconds() - started;
    for (size_t t = 0; t < sizeof trials / sizeof *trials && status == STATUS_OK; t++) {
        struct timing best;
        if (!time_is_left(b))
            break;
        status = measure_engine(b, &trials[t], &best, err);
        if (status != STATUS_OK || t > 0)
            continue;
        const double cells = 2.0 * trials[t].vertices * trials[t].vertices;
        const double upload_s = 1e-9 * b->rates->of[RATE_UPLOAD] * (double)trials[t].edges;
        keep(b, RATE_CONTEXT, 1e3 * context_s, "ms to create a GPU's context and load kernels");
        keep(b, RATE_DOWNLOAD, 1e9 * (best.transfer_s - upload_s) / cells,
             "ns to copy a cell from the GPU");
    }
    if (status != STATUS_OK && b->to != NULL)
        fprintf(b->to, "GPU: not measured: %s\n", err->text);
    return STATUS_OK;
}

enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      FILE *to, struct error *err) {
    const char *folder = getenv("TMPDIR");
    rates_default(rates);
    const struct bench b = {options, clock_seconds() + seconds, rates, to};
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    enum status status = measure_reading(&b, folder, err);
    if (status == STATUS_OK)
        status = measure_matrix(&b, folder, err);
    if (status == STATUS_OK)
        status = measure_cpu(&b, err);
    if (status == STATUS_OK)
        status = measure_gpu(&b, err);
    return status;
}
