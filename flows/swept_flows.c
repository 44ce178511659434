// SPDX-License-Identifier: MIT
#include "flows/swept_flows.h"

#include "common/base/exp_kernels.h" // exp_kernels
#include "common/base/memory.h"      // memory_alloc
#include "common/base/turns.h"       // struct turns
#include "flows/flow_kernels.h"      // flow_kernels

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    LANES = FLOW_LANES,
    GROUPS = 64, /* most groups of sources; each has sums of its own until its turn */
};

struct swept_flows {
    const struct class_flows_request *request;
    const struct flow_kernels *kernels;
    const struct exp_kernels *factors;
    struct flow_region all; /* all positions */
    int64_t swept;          /* number of sources done */
};

/* Memory of one thread. */
struct swept_worker {
    double *label;         /* labels of LANES sources at each position */
    double *flow;          /* flow of LANES sources at each position */
    double *climbed;       /* labels of the positions that climb, by paths that only climb */
    unsigned char *climbs; /* by position, n entries: 1: it is a source or above one; 0 between
                              strips */
    double *down, *up;     /* sums of one group of sources for each entry */
    double *ends;          /* sums of one group of sources for each position */
};

static int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t strips_of(const struct class_flows_request *r) {
    return (r->sources + LANES - 1) / LANES;
}

/* Returns the most positions that climb for one strip of sources. */
static size_t climbing_most(const struct tree *tree) {
    const int64_t most = (int64_t)LANES * tree->height;
    return (size_t)(most < tree->n ? most : tree->n);
}

// One strip ---------------------------------------------------------------------------------------

/* Sets climbs[position] to `value` for a source and all positions above it. */
static void mark(const struct tree *tree, int32_t source, unsigned char value,
                 unsigned char *climbs) {
    for (int32_t at = source; at >= 0 && climbs[at] != value; at = tree->parent[at])
        climbs[at] = value;
}

static void set_none(double *label) {
    for (int lane = 0; lane < LANES; lane++) {
        label[lane] = (double)INFINITY;
        label[LANES + lane] = 0;
    }
}

/* Finds the labels by paths that only climb, also in w->climbed. Returns the number of positions
 * that climb. */
static size_t climb(const struct swept_flows *s, const struct swept_worker *w,
                    const int32_t *source, int32_t count) {
    const struct tree *const tree = &s->request->counted->tree;
    size_t climbing = 0;
    for (int32_t lane = 0; lane < count; lane++)
        mark(tree, source[lane], 1, w->climbs);
    for (int32_t at = source[0]; at < tree->n; at++) {
        if (w->climbs[at])
            set_none(w->label + FLOW_AT(at));
    }
    for (int32_t lane = 0; lane < count; lane++) {
        w->label[FLOW_AT(source[lane]) + lane] = 0;
        w->label[FLOW_AT(source[lane]) + LANES + lane] = 1;
    }
    s->kernels->climb(&s->all, w->climbs, w->label);
    for (int32_t at = source[0]; at < tree->n; at++) {
        if (w->climbs[at])
            memcpy(w->climbed + FLOW_AT(climbing++), w->label + FLOW_AT(at),
                   (size_t)FLOW_AT(1) * sizeof *w->label);
    }
    return climbing;
}

/* Multiplies the flow at all positions by what decay leaves of it. */
static void decay(const struct swept_flows *s, const struct swept_worker *w) {
    _Alignas(64) double by[LANES];
    for (int32_t at = 0; at < s->all.own; at++) {
        double *const flow = w->flow + (ptrdiff_t)at * LANES;
        s->factors->of_lengths(w->label + FLOW_AT(at), LANES, s->request->rate, by);
        for (int lane = 0; lane < LANES; lane++)
            flow[lane] = flow[lane] > 0 ? flow[lane] * by[lane] : 0;
    }
}

/* Adds the flow from the sources source[0 .. count - 1], which are ascending, to the worker's sums,
 * and to begins. */
static void sweep(const struct swept_flows *s, const struct swept_worker *w, const int32_t *source,
                  const double *mass, int32_t count, double *begins) {
    const struct class_flows_request *const r = s->request;
    const struct flow_kernels *const k = s->kernels;
    _Alignas(64) double times[LANES] = {0}, sent[LANES] = {0};
    memcpy(times, mass, (size_t)count * sizeof *mass);
    const size_t climbing = climb(s, w, source, count);
    k->sweep(&s->all, w->climbs, r->to_mass, w->label, w->flow);
    if (r->rate > 0)
        decay(s, w);
    for (int32_t lane = 0; lane < count; lane++) /* no flow goes from a source to itself */
        w->flow[(ptrdiff_t)source[lane] * LANES + lane] = 0;
    k->ask(s->all.own, w->flow, times, w->ends, sent);
    k->sweep_back(&s->all, w->label, times, w->flow, w->down);
    k->climb_back(&s->all, w->climbs, w->climbed + FLOW_AT(climbing), times, w->label, w->flow,
                  w->up);
    for (int32_t lane = 0; lane < count; lane++) {
        begins[source[lane]] += sent[lane] * times[lane];
        mark(&r->counted->tree, source[lane], 0, w->climbs);
    }
}

// All of them -------------------------------------------------------------------------------------

static int64_t entries_of(const struct class_flows_request *r) {
    return r->counted->structure.first[r->counted->tree.n];
}

/* Returns the bytes of memory of one thread, and divides memory[0 .. bytes - 1] unless it is
 * NULL. */
static size_t divide(const struct class_flows_request *r, char *memory, struct swept_worker *w) {
    enum { LINE = 64 };
    const size_t n = (size_t)r->counted->tree.n, entries = (size_t)entries_of(r);
    const struct {
        void *array;
        size_t count, size;
    } parts[] = {
        {&w->label, n, 2 * LANES * sizeof(double)},
        {&w->flow, n, LANES * sizeof(double)},
        {&w->climbed, climbing_most(&r->counted->tree), 2 * LANES * sizeof(double)},
        {&w->down, entries, sizeof(double)},
        {&w->up, entries, sizeof(double)},
        {&w->ends, n, sizeof(double)},
        {&w->climbs, n, 1},
    };
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (memory != NULL) {
            void *const part = memory + bytes;
            memcpy(parts[k].array, &part, sizeof part);
        }
        bytes += (parts[k].count * parts[k].size + LINE - 1) / LINE * LINE;
    }
    return bytes;
}

/* Returns the number of threads for which there is work and memory. */
static int threads_for(const struct class_flows_request *r) {
    struct swept_worker none;
    const uint64_t fit = memory_room() / divide(r, NULL, &none);
    const uint64_t most = (uint64_t)min_of(min_of(r->threads, GROUPS), strips_of(r));
    return (int)(fit < most ? fit : most);
}

static void forget(const struct class_flows_request *r, const struct swept_worker *w) {
    memset(w->down, 0, (size_t)entries_of(r) * sizeof *w->down);
    memset(w->up, 0, (size_t)entries_of(r) * sizeof *w->up);
    memset(w->ends, 0, (size_t)r->counted->tree.n * sizeof *w->ends);
}

static void add(const double *part, int64_t count, double *sum) {
    for (int64_t k = 0; k < count; k++)
        sum[k] += part[k];
}

static void report(struct swept_flows *s, int32_t more) {
    int64_t done;
#pragma omp atomic capture
    done = s->swept += more;
    if (omp_get_thread_num() == 0)
        progress_report(s->request->progress, done, s->request->sources);
}

static void sweep_all(struct swept_flows *s, const struct swept_worker *worker, int threads,
                      double *down, double *up, double *ends, double *begins) {
    const struct class_flows_request *const r = s->request;
    const int32_t strips = strips_of(r), groups = min_of(strips, GROUPS);
    struct turns turns;
    turns_begin(&turns);
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 1)
    for (int32_t group = 0; group < groups; group++) {
        const struct swept_worker *const w = &worker[omp_get_thread_num()];
        const int32_t begin = (int32_t)((int64_t)strips * group / groups);
        const int32_t end = (int32_t)((int64_t)strips * (group + 1) / groups);
        forget(r, w);
        for (int32_t strip = begin; strip < end && progress_goes_on(r->progress); strip++) {
            const int32_t first = strip * LANES, count = min_of(LANES, r->sources - first);
            sweep(s, w, r->source + first, r->from_mass + first, count, begins);
            report(s, count);
        }
        turns_wait(&turns, group);
        add(w->down, entries_of(r), down);
        add(w->up, entries_of(r), up);
        add(w->ends, r->counted->tree.n, ends);
        turns_pass(&turns);
    }
    turns_end(&turns);
}

enum status swept_flows_find(const struct class_flows_request *r, double *down, double *up,
                             double *ends, double *begins, struct error *err) {
    static const char what[] = "flows";
    const struct counted *const c = r->counted;
    const int32_t n = c->tree.n;
    const int most = threads_for(r), threads = most > 0 ? most : 1;
    struct swept_flows s = {.request = r,
                            .kernels = flow_kernels(r->isa),
                            .factors = exp_kernels(r->isa),
                            .all = {.own = n,
                                    .first = c->structure.first,
                                    .local = c->structure.higher,
                                    .up = c->up,
                                    .up_paths = c->up_paths,
                                    .down = c->down,
                                    .down_paths = c->down_paths}};
    struct swept_worker *worker = NULL;
    int32_t *numbers = NULL;
    char *whole = NULL;
    void *memory;
    enum status status = STATUS_OK;
    if (r->sources == 0)
        return STATUS_OK;
    TRY(memory_alloc(&memory, (size_t)threads, sizeof *worker, what, err));
    worker = memory;
    TRY(memory_alloc(&memory, (size_t)n, sizeof *numbers, what, err));
    s.all.position = numbers = memory;
    for (int32_t at = 0; at < n; at++)
        numbers[at] = at;
    const size_t each = divide(r, NULL, &worker[0]);
    TRY(memory_alloc(&memory, (size_t)threads, each, what, err));
    whole = memory;
    for (int t = 0; t < threads; t++) {
        divide(r, whole + (size_t)t * each, &worker[t]);
        memset(worker[t].climbs, 0, (size_t)n);
    }
    sweep_all(&s, worker, threads, down, up, ends, begins);
    if (!progress_goes_on(r->progress))
        status = progress_cancelled(err);

cleanup:
    memory_free(whole);
    memory_free(numbers);
    memory_free(worker);
    return status;
}

struct class_flows_cost swept_flows_predict(const struct class_flows_request *r) {
    /* Nanoseconds of a sweep of LANES sources on one thread, for each entry and each position. */
    const double entry_ns = 8, position_ns = 60;
    const int threads = threads_for(r);
    struct swept_worker none;
    if (r->sources == 0)
        return (struct class_flows_cost){.seconds = 0};
    if (threads == 0)
        return (struct class_flows_cost){.seconds = HUGE_VAL};
    const int32_t rounds = (strips_of(r) + threads - 1) / threads;
    const double strip_ns =
        entry_ns * (double)entries_of(r) + position_ns * (double)r->counted->tree.n;
    return (struct class_flows_cost){.seconds = 1e-9 * rounds * strip_ns,
                                     .memory = (uint64_t)threads *
                                                   (divide(r, NULL, &none) + sizeof none) +
                                               (uint64_t)r->counted->tree.n * sizeof(int32_t)};
}
