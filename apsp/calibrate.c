// SPDX-License-Identifier: MIT
#include "apsp/calibrate.h"

#include "common/base/clock.h"      // clock_seconds
#include "common/base/memory.h"     // memory_alloc
#include "common/base/output.h"     // output_write_all
#include "common/base/splitmix64.h" // splitmix64_next
#include "common/base/threads.h"    // threads_or_default
#include "common/graph/graph_io.h"  // graph_read
#include "common/rows/result_io.h"  // result_write_text
#include "engines/plan.h"
#include "solve/solve.h" // solve

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* State that all measurements share. */
struct calibration {
    const struct solver_options *options;
    double until; /* clock_seconds() after which no further measurement begins */
    struct rates *rates;
    FILE *to;
    struct disturbance *disturbance;
};

/* The same work is timed that many times, and the shortest time counts. */
enum { REPETITIONS = 3 };

bool calibrate_is_steady(double share, double spread) {
    const double least_share = 0.85, max_spread = 2;
    return share >= least_share && spread <= max_spread;
}

/* The processor time that busy threads get, divided by the time that passes; takes a moment. */
static double measure_share(int threads) {
    const double moment_s = 0.03;
    double got = 0;
    threads = threads < omp_get_num_procs() ? threads : omp_get_num_procs();
#pragma omp parallel num_threads(threads) reduction(+ : got)
    {
        struct timespec before, after;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        const double started = clock_seconds();
        double now = started;
        while (now - started < moment_s)
            now = clock_seconds();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        got += ((double)(after.tv_sec - before.tv_sec) +
                1e-9 * (double)(after.tv_nsec - before.tv_nsec)) /
               (now - started);
    }
    return got / threads;
}

static bool time_is_left(const struct calibration *b) {
    return clock_seconds() < b->until;
}

/* Work that is timed. */
struct timed_work {
    /* Does the work REPETITIONS times and stores the seconds that each took. */
    enum status (*run)(struct timed_work *work, double *seconds, struct error *err);
    void *with;
};

/* Sorts an array of REPETITIONS durations, the shortest first. */
static void sort_seconds(double *seconds) {
    for (int k = 1; k < REPETITIONS; k++) {
        for (int at = k; at > 0 && seconds[at] < seconds[at - 1]; at--) {
            const double other = seconds[at];
            seconds[at] = seconds[at - 1];
            seconds[at - 1] = other;
        }
    }
}

/* Finds the shortest time of the work. If other programs disturb a measurement, it is repeated a
 * few times, and the shortest time of all counts. */
static enum status measure(const struct calibration *b, struct timed_work *work, double *best,
                           struct error *err) {
    enum { ROUNDS = 3 };
    const int threads = threads_or_default(b->options->threads);
    double share = 0, spread = INFINITY;
    *best = INFINITY;
    for (int round = 0; round < ROUNDS && (round == 0 || time_is_left(b)); round++) {
        double seconds[REPETITIONS];
        const double before = measure_share(threads);
        RETURN_ON_FAILURE(work->run(work, seconds, err));
        const double after = measure_share(threads);
        sort_seconds(seconds);
        *best = fmin(*best, seconds[0]);
        share = fmax(share, fmin(before, after));
        spread = fmin(spread, seconds[1] / seconds[0]);
        if (calibrate_is_steady(fmin(before, after), seconds[1] / seconds[0]))
            return STATUS_OK;
    }
    struct disturbance *worst = b->disturbance;
    worst->found = true;
    worst->share = fmin(worst->share, share);
    worst->spread = fmax(worst->spread, spread);
    return STATUS_OK;
}

/* Makes `count` random edges of weight 1 .. 100, which the caller frees. */
static enum status draw_edges(int32_t n, int64_t count, struct edge **edges, struct error *err) {
    enum { MAX_WEIGHT = 100 };
    uint64_t state = (uint64_t)n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof **edges, "edges", err));
    *edges = memory;
    for (int64_t e = 0; e < count; e++) {
        (*edges)[e].from = (int32_t)(splitmix64_next(&state) % (uint64_t)n);
        (*edges)[e].to = (int32_t)(splitmix64_next(&state) % (uint64_t)n);
        (*edges)[e].weight = (int32_t)(splitmix64_next(&state) % MAX_WEIGHT) + 1;
    }
    return STATUS_OK;
}

static enum status random_graph(int32_t n, int64_t count, struct graph *g, struct error *err) {
    struct edge *edges = NULL;
    *g = (struct graph){0};
    RETURN_ON_FAILURE(draw_edges(n, count, &edges, err));
    const enum status status = graph_build(g, n, edges, count, err);
    memory_free(edges);
    return status;
}

/* Stores the rate that was measured, within the limits that a file of rates may have. */
static void keep(const struct calibration *b, enum rate rate, double measured, const char *what) {
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

/* Opens a file that has no name, so that nobody else can open it and nothing is left of it however
 * the program ends. If the file system has no such files, the file gets a random new name and loses
 * it at once. */
static enum status open_nameless(int *fd, struct error *err) {
    const char *folder = getenv("TMPDIR");
    char *name;
    sigset_t all, before;
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    *fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*fd >= 0)
        return STATUS_OK;
    if (asprintf(&name, "%s/apsp-XXXXXX", folder) < 0)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: a file name");
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *fd = mkostemp(name, O_CLOEXEC);
    const int reason = errno;
    if (*fd >= 0)
        unlink(name);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(name);
    return *fd >= 0 ? STATUS_OK
                    : fail(err, STATUS_NO_RESOURCE, "cannot make a file in %s: %s", folder,
                           strerror(reason));
}

static enum status write_all(int fd, const void *data, size_t size, struct error *err) {
    const int reason = output_write_all(fd, data, size);
    return reason == 0 ? STATUS_OK
                       : fail(err, STATUS_NO_RESOURCE, "cannot write a file to measure with: %s",
                              strerror(reason));
}

/* Writes the text of a random graph with `count` edges. */
static enum status write_graph(int fd, int32_t n, int64_t count, struct error *err) {
    struct edge *edges = NULL;
    char *text = NULL;
    size_t size = 0;
    enum status status;
    TRY(draw_edges(n, count, &edges, err));
    FILE *memory = open_memstream(&text, &size);
    if (memory != NULL) {
        fprintf(memory, "%d %lld\n", n, (long long)count);
        for (int64_t e = 0; e < count; e++)
            fprintf(memory, "%d %d %d\n", edges[e].from, edges[e].to, edges[e].weight);
    }
    if (memory == NULL || fclose(memory) != 0)
        TRY(fail(err, STATUS_NO_RESOURCE, "out of memory: a graph to read"));
    TRY(write_all(fd, text, size, err));
cleanup:
    memory_free(edges);
    free(text);
    return status;
}

static enum status read_often(struct timed_work *work, double *seconds, struct error *err) {
    for (int r = 0; r < REPETITIONS; r++) {
        struct graph g = {0};
        const double started = clock_seconds();
        const enum status status = graph_read(work->with, &g, err);
        seconds[r] = clock_seconds() - started;
        graph_free(&g);
        RETURN_ON_FAILURE(status);
    }
    return STATUS_OK;
}

/* Measures how fast a graph's file is read, one that has just been written. */
static enum status measure_reading(const struct calibration *b, struct error *err) {
    enum { VERTICES = 5000, EDGES = 400000 };
    char name[64];
    struct timed_work work = {read_often, name};
    double best = 0;
    int fd = -1;
    enum status status;
    RETURN_ON_FAILURE(open_nameless(&fd, err));
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    TRY(write_graph(fd, VERTICES, EDGES, err));
    TRY(measure(b, &work, &best, err));
    keep(b, RATE_READ, 1e9 * best / EDGES * rates_reading_speed_up(threads_or_default(0)),
         "ns to read an edge");
cleanup:
    close(fd);
    return status;
}

enum { MATRIX_VERTICES = 3000 };

static enum status touch_often(struct timed_work *work, double *seconds, struct error *err) {
    struct matrix *m = work->with;
    for (int r = 0; r < REPETITIONS; r++) {
        matrix_free(m);
        const double started = clock_seconds();
        RETURN_ON_FAILURE(matrix_alloc(m, MATRIX_VERTICES, "a matrix", err));
        for (int32_t i = 0; i < MATRIX_VERTICES; i++) {
            for (int32_t j = 0; j < MATRIX_VERTICES; j++)
                matrix_row(m, i)[j] = (i + j) % 1000;
        }
        seconds[r] = clock_seconds() - started;
    }
    return STATUS_OK;
}

struct formatting {
    const struct result *result;
    int threads;
};

static enum status format_often(struct timed_work *work, double *seconds, struct error *err) {
    const struct formatting *how = work->with;
    for (int r = 0; r < REPETITIONS; r++) {
        const double started = clock_seconds();
        RETURN_ON_FAILURE(result_write_text("/dev/null", how->result, how->threads, err));
        seconds[r] = clock_seconds() - started;
    }
    return STATUS_OK;
}

/* Writes the matrix into a file of its own. */
static enum status write_matrix(const struct matrix *m, struct error *err) {
    int fd;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(open_nameless(&fd, err));
    for (int32_t i = 0; i < m->n; i++)
        TRY(write_all(fd, matrix_row(m, i), (size_t)m->n * sizeof(int32_t), err));
cleanup:
    close(fd);
    return status;
}

static enum status write_often(struct timed_work *work, double *seconds, struct error *err) {
    for (int r = 0; r < REPETITIONS; r++) {
        const double started = clock_seconds();
        RETURN_ON_FAILURE(write_matrix(work->with, err));
        seconds[r] = clock_seconds() - started;
    }
    return STATUS_OK;
}

/* Measures how fast new memory of a matrix is touched, its text is made, and its bytes are
 * written. */
static enum status measure_matrix(const struct calibration *b, struct error *err) {
    const double cells = (double)MATRIX_VERTICES * MATRIX_VERTICES;
    const int threads = threads_or_default(b->options->threads);
    struct result result = {.edges_read = 0, .limit = NO_LIMIT};
    struct formatting formatting = {&result, threads};
    struct timed_work touching = {touch_often, &result.dist},
                      making_text = {format_often, &formatting},
                      writing = {write_often, &result.dist};
    double best;
    enum status status;
    TRY(measure(b, &touching, &best, err));
    keep(b, RATE_TOUCH, 1e9 * best / cells, "ns for a cell of memory not yet touched");
    TRY(measure(b, &making_text, &best, err));
    keep(b, RATE_FORMAT, 1e9 * best * threads / cells, "ns of a thread to make text of a cell");
    TRY(measure(b, &writing, &best, err));
    keep(b, RATE_WRITE, 1e9 * best / cells, "ns to write a cell of a NumPy file");
cleanup:
    result_free(&result);
    return status;
}

/* An engine, and the size of a random graph on which it shows the rate of its model. */
struct rate_trial {
    const char *engine;
    int32_t vertices;
    int64_t edges;
};

/* The prediction of the engine by the rates that are built in; NULL if it is not usable. */
static const struct prediction *predicted(const struct plan *plan, const struct engine *engine) {
    for (int k = 0; k < plan->usable; k++) {
        if (plan->of[k].engine.variant == engine->variant)
            return &plan->of[k];
    }
    return NULL;
}

struct trial_solve {
    const struct calibration *bench;
    const struct engine *engine;
    const struct graph *g;
    struct timing best;
};

static enum status solve_often(struct timed_work *work, double *seconds, struct error *err) {
    struct trial_solve *s = work->with;
    struct timing timings[REPETITIONS];
    struct matrix dist = {0}, pred = {0};
    enum status status;
    TRY(matrix_alloc(&dist, s->g->n, "distances", err));
    TRY(matrix_alloc(&pred, s->g->n, "predecessors", err));
    TRY(solve(s->engine->variant, s->g, s->bench->options, &dist, &pred, NULL, REPETITIONS, timings,
              err));
    for (int r = 0; r < REPETITIONS; r++) {
        seconds[r] = timings[r].solve_s;
        if (timings[r].solve_s < s->best.solve_s)
            s->best = timings[r];
    }
cleanup:
    matrix_free(&dist);
    matrix_free(&pred);
    return status;
}

static enum status measure_engine(const struct calibration *b, const struct rate_trial *trial,
                                  struct timing *best, struct error *err) {
    const struct plan_goal goal = {.predecessors = true};
    struct graph g = {0};
    struct features features;
    struct rates built_in;
    struct plan plan;
    struct engine engine;
    *best = (struct timing){0};
    if (!engine_find(trial->engine, &engine))
        return STATUS_OK;
    rates_default(&built_in);
    struct trial_solve solving = {b, &engine, &g, {.solve_s = INFINITY}};
    struct timed_work work = {solve_often, &solving};
    double best_s;
    enum status status;
    TRY(random_graph(trial->vertices, trial->edges, &g, err));
    TRY(features_look(&g, 1, &features, err));
    features_look_at_lengths(&g, &features);
    TRY(plan_here(&g, &features, b->options, &goal, &built_in, engine.solver->uses_gpu, &plan,
                  err));
    const struct prediction *p = predicted(&plan, &engine);
    if (p == NULL)
        goto cleanup;
    TRY(measure(b, &work, &best_s, err));
    keep(b, rate_of_name(engine.variant->model.rate), best_s / p->solve_s,
         "times the time that is built in");
    *best = solving.best;
cleanup:
    graph_free(&g);
    return status;
}

static enum status measure_cpu(const struct calibration *b, struct error *err) {
    static const struct rate_trial trials[] = {
        {"cpu:multisource", 2000, 100000},
        {"cpu:blocked", 1500, 75000},
        {"cpu:johnson", 2000, 8000},
        {"cpu:sequential", 500, 5000},
    };
    for (size_t t = 0; t < sizeof trials / sizeof *trials && time_is_left(b); t++) {
        struct timing best;
        RETURN_ON_FAILURE(measure_engine(b, &trials[t], &best, err));
    }
    return STATUS_OK;
}

/* Measures how long the GPU's context takes to create, then the engines on the GPU while time is
 * left. */
static enum status try_gpu(const struct calibration *b, struct error *err) {
    static const struct rate_trial trials[] = {
        {"cuda_sparse:multisource", 4000, 400000},
        {"cuda_blocked:auto", 4000, 400000},
        {"cuda_simple:vector", 2000, 100000},
    };
    struct gpu_traits traits;
    struct engine engine;
    const double started = clock_seconds();
    if (!time_is_left(b))
        return fail(err, STATUS_NO_RESOURCE, "no time was left");
    RETURN_ON_FAILURE(gpu_query(b->options->device, &traits, err));
    if (engine_find(trials->engine, &engine))
        gpu_warm_up(engine.variant, b->options->device);
    const double context_s = clock_seconds() - started;
    for (size_t t = 0; t < sizeof trials / sizeof *trials && time_is_left(b); t++) {
        struct timing best;
        RETURN_ON_FAILURE(measure_engine(b, &trials[t], &best, err));
        if (t > 0 || best.total_s == 0)
            continue;
        const double cells = 2.0 * trials[t].vertices * trials[t].vertices;
        const double upload_s = 1e-9 * b->rates->of[RATE_UPLOAD] * (double)trials[t].edges;
        keep(b, RATE_CONTEXT, 1e3 * context_s, "ms to create a GPU's context and load kernels");
        keep(b, RATE_DOWNLOAD, 1e9 * (best.transfer_s - upload_s) / cells,
             "ns to copy a cell from the GPU");
    }
    return STATUS_OK;
}

/* If there is no GPU, or it fails, its rates stay as they are built in: that is no failure. */
static void measure_gpu(const struct calibration *b) {
    struct error why;
    if (try_gpu(b, &why) != STATUS_OK && b->to != NULL)
        fprintf(b->to, "GPU: not measured: %s\n", why.text);
}

enum status calibrate(const struct solver_options *options, double seconds, struct rates *rates,
                      struct disturbance *disturbance, FILE *to, struct error *err) {
    rates_default(rates);
    *disturbance = (struct disturbance){false, 1, 1};
    struct solver_options one = *options; /* the rates of GPU engines are those of one GPU */
    one.device_count = 0;
    const struct calibration b = {&one, clock_seconds() + seconds, rates, to, disturbance};
    RETURN_ON_FAILURE(measure_reading(&b, err));
    RETURN_ON_FAILURE(measure_matrix(&b, err));
    RETURN_ON_FAILURE(measure_cpu(&b, err));
    measure_gpu(&b);
    return STATUS_OK;
}
