// SPDX-License-Identifier: MIT
#include "flows/by_elimination.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/exp_kernels.h" // decay_rate
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_or_default
#include "flows/class_flows.h"       // cpu_class_flows
#include "flows/counted.h"           // counted_eliminate
#include "flows/flow_engine.h"       // struct flow_engine
#include "flows/swept_flows.h"       // swept_flows_find

#include <math.h>
#include <string.h>

/* Largest path count of an entry with which products of four are finite. */
static const double paths_most = 0x1p200;

static const char beyond_float64[] = "path counts are beyond float64";

struct flow_finding {
    const struct betweenness_request *request;
    bool finds; /* the flow is wanted, not only a prediction */
    enum isa isa;
    int threads;
    struct counted counted;
    int32_t *source; /* positions of sources, ascending, then those of targets, ascending */
    int32_t sources, targets;
    double *from, *to; /* mass of each position as a source and as a target, n entries each; 0: it
                          is none */
    double *mass;      /* masses in the order of `source`: of sources from 0 on, of targets from n
                          on */
    double *down, *up; /* flow down and up each entry */
    double *end;       /* flow that ends at each position, n entries */
    double *begin;     /* flow that begins at each position, n entries; sweeps only */
    void *memory;      /* memory of all arrays of float64 */
};

static enum status alloc(struct flow_finding *f, struct error *err) {
    static const char what[] = "flows";
    const size_t n = (size_t)f->counted.tree.n;
    const size_t entries = (size_t)f->counted.structure.first[n];
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 6 * n + 2 * entries, sizeof(double), what, err));
    f->memory = memory;
    memset(memory, 0, (6 * n + 2 * entries) * sizeof(double));
    f->down = memory;
    f->up = f->down + entries;
    f->from = f->up + entries;
    f->to = f->from + n;
    f->end = f->to + n;
    f->begin = f->end + n;
    f->mass = f->begin + n;
    RETURN_ON_FAILURE(memory_alloc(&memory, 2 * n, sizeof(int32_t), what, err));
    f->source = memory;
    return STATUS_OK;
}

/* Lists the positions with a mass in `position`, and their masses in `own`. Returns their
 * number. */
static int32_t list(const double *mass, int32_t n, int32_t *position, double *own) {
    int32_t count = 0;
    for (int32_t at = 0; at < n; at++) {
        if (mass[at] > 0) {
            position[count] = at;
            own[count++] = mass[at];
        }
    }
    return count;
}

static void take_masses(struct flow_finding *f) {
    const struct betweenness_request *const r = f->request;
    const int32_t *const position = f->counted.tree.position;
    const int32_t n = r->graph->n;
    if (r->trips != NULL) {
        for (int32_t k = 0; k < r->trips->origins; k++)
            f->from[position[r->trips->origin[k]]] = 1;
    } else {
        for (int32_t p = 0; p < r->sources.count; p++) {
            const int32_t v = row_source(&r->sources, p);
            f->from[position[v]] = r->from_mass == NULL ? 1 : r->from_mass[v];
        }
        for (int32_t v = 0; v < n; v++)
            f->to[position[v]] = r->to_mass == NULL ? 1 : r->to_mass[v];
    }
    f->sources = list(f->from, n, f->source, f->mass);
    f->targets = list(f->to, n, f->source + n, f->mass + n);
}

/* Returns whether each entry has the same flow up as down, because the graph is undirected and each
 * vertex has the same mass as a source and as a target. */
static bool is_alike(const struct flow_finding *f) {
    const size_t n = (size_t)f->request->graph->n;
    return memcmp(f->from, f->to, n * sizeof *f->from) == 0 &&
           !graph_is_directed(f->request->graph, f->threads);
}

/* Returns the rate at which flow decays over a length of 1 in entries, which of a graph of float64
 * count spacings. */
static double rate_of(const struct flow_finding *f) {
    const struct graph *const g = f->request->graph;
    const double unit = g->type == NUMBER_INT32 ? 1 : g->spacing;
    return f->request->decay > 0 ? decay_rate(unit, f->request->decay) : 0;
}

/* Stores a value of each position by vertex. */
static void by_vertex(const struct flow_finding *f, const double *value, double *to) {
    for (int32_t at = 0; at < f->counted.tree.n; at++)
        to[f->counted.tree.vertex[at]] = value[at];
}

/* Returns the bytes of memory without those that an engine takes. */
static uint64_t memory_of(const struct flow_finding *f) {
    /* Bytes for each entry: lengths and path counts in both directions, flow in both directions,
     * structure. */
    enum { ENTRY = 6 * sizeof(double) + 2 * sizeof(int32_t) };
    /* Bytes for each vertex (tree, masses, results) and for each edge (pattern that is ordered). */
    enum { VERTEX = 32 * sizeof(double), EDGE = 8 * sizeof(double) };
    const uint64_t n = (uint64_t)f->request->graph->n, m = (uint64_t)f->request->graph->m;
    const uint64_t entries = (uint64_t)f->counted.structure.first[n];
    return memory_add(memory_times(entries, ENTRY),
                      memory_add(memory_times(n, VERTEX), memory_times(m, EDGE)));
}

/* Returns whether an engine takes less time than other_s even if every row were a class of its own,
 * so that it need not predict its time. */
static bool pays_surely(const struct flow_finding *f, const struct class_flows_engine *engine,
                        double sources, double other_s) {
    /* Most relaxations of an entry for a source: labels are found on the way up, among portals and
     * twice more, and flow is passed back. */
    const double steps = 6;
    const int threads = engine == &cpu_class_flows ? f->threads : 1;
    const double entries = (double)f->counted.structure.first[f->counted.tree.n];
    return 1e-9 * steps * engine->step_ns * sources * entries / threads < other_s;
}

/* Predicts the time and memory of an engine, and decides whether classes are used. up: request for
 * the flow up entries; NULL: it is alike. other_s: seconds that the other ways take. */
static enum status decide(const struct flow_finding *f, const struct class_flows_engine *engine,
                          const struct class_flows_request *down,
                          const struct class_flows_request *up, double other_s,
                          struct betweenness_plan *plan, struct error *err) {
    const double sources = (double)down->sources + (up != NULL ? up->sources : 0);
    const bool surely = pays_surely(f, engine, sources, other_s);
    struct class_flows_cost cost, back = {.seconds = 0};
    if (!surely || !f->finds) {
        RETURN_ON_FAILURE(engine->predict(down, &cost, err));
        if (up != NULL && up->sources == down->sources)
            back = cost;
        else if (up != NULL)
            RETURN_ON_FAILURE(engine->predict(up, &back, err));
        plan->classes_s = cost.seconds + back.seconds;
        plan->memory =
            memory_add(memory_of(f), cost.memory > back.memory ? cost.memory : back.memory);
    }
    if (surely || plan->classes_s < other_s)
        plan->way = BETWEENNESS_BY_CLASSES;
    plan->on_gpu = plan->way == BETWEENNESS_BY_CLASSES && engine != &cpu_class_flows;
    return STATUS_OK;
}

/* Returns the request for the flow from all sources, of which progress counts nothing yet. */
static struct class_flows_request flows_down(const struct flow_finding *f) {
    return (struct class_flows_request){.counted = &f->counted,
                                        .source = f->source,
                                        .sources = f->sources,
                                        .from_mass = f->mass,
                                        .to_mass = f->to,
                                        .rate = rate_of(f),
                                        .threads = f->threads,
                                        .device = f->request->device,
                                        .isa = f->isa,
                                        .progress = f->request->progress};
}

/* Decides for one engine and, if classes are used, finds the flows of all entries. */
static enum status find_with(struct flow_finding *f, const struct class_flows_engine *engine,
                             double other_s, struct betweenness_plan *plan, double *ends,
                             double *begins, struct error *err) {
    const int32_t n = f->request->graph->n;
    struct class_flows_request down = flows_down(f);
    const bool alike = is_alike(f);
    down.all = alike ? n : 2 * (int64_t)n;
    struct counted reversed = f->counted;
    struct class_flows_request up = down;
    reversed.up = f->counted.down; /* a path's way up is the way down of the reversed path */
    reversed.up_paths = f->counted.down_paths;
    reversed.down = f->counted.up;
    reversed.down_paths = f->counted.up_paths;
    up.counted = &reversed;
    up.source = f->source + n;
    up.sources = f->targets;
    up.from_mass = f->mass + n;
    up.to_mass = f->from;
    up.done = n;
    RETURN_ON_FAILURE(decide(f, engine, &down, alike ? NULL : &up, other_s, plan, err));
    if (plan->way != BETWEENNESS_BY_CLASSES || !f->finds)
        return STATUS_OK;
    RETURN_ON_FAILURE(engine->find(&down, f->down, f->end, err));
    by_vertex(f, f->end, ends);
    if (alike) {
        memcpy(f->up, f->down, (size_t)f->counted.structure.first[n] * sizeof *f->up);
        memcpy(begins, ends, (size_t)n * sizeof *begins);
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(engine->find(&up, f->up, f->end, err));
    by_vertex(f, f->end, begins);
    return STATUS_OK;
}

/* Decides, and finds the flows on a GPU if it has enough memory, otherwise on the CPU. */
static enum status find_by_classes(struct flow_finding *f, double other_s,
                                   struct betweenness_plan *plan, double *ends, double *begins,
                                   struct error *err) {
    const struct flow_engine *const engine = f->request->engine;
    const size_t entries = (size_t)f->counted.structure.first[f->counted.tree.n];
    if (engine != NULL && flow_classes_outlast_start((double)f->sources, f->threads)) {
        const struct class_flows_engine *const classes =
            f->request->graph->type == NUMBER_INT32 ? engine->classes : engine->classes_f64;
        const struct betweenness_plan undecided = *plan;
        struct error own;
        const enum status status = find_with(f, classes, other_s, plan, ends, begins, &own);
        if (status == STATUS_OK)
            return status;
        if (status != STATUS_NO_RESOURCE) {
            *err = own;
            return status;
        }
        *plan = undecided;
        memset(f->down, 0, 2 * entries * sizeof *f->down);
    }
    return find_with(f, &cpu_class_flows, other_s, plan, ends, begins, err);
}

/* Returns the reason why classes need not be predicted; NULL: classes may be the fastest way. They
 * find the flow up entries from the rows of all targets, which few sources do not make fewer. */
static const char *why_not_predicted(const struct flow_finding *f) {
    enum { PART = 8 };  /* classes need 1 / PART of the vertices as sources, or more */
    enum { FEW = 256 }; /* smallest number of sources with a mass for which classes can pay */
    return f->request->trips != NULL                   ? "they are of all pairs, not of trips"
           : f->request->way == BETWEENNESS_BY_CLASSES ? NULL
           : f->request->way == BETWEENNESS_BY_SWEEPS  ? "sweeps are asked for"
           : f->request->sources.count < f->request->graph->n / PART
               ? "fewer than an eighth of the vertices outside of pendant trees have sources"
           : f->sources < FEW ? "there are too few sources with a mass"
                              : NULL;
}

/* Decides, and finds the flows by classes or by sweeps. */
static enum status find(struct flow_finding *f, struct betweenness_plan *plan, double *ends,
                        double *begins, struct trip_totals *totals, struct error *err) {
    const struct swept_flows_request request = {flows_down(f), f->request->trips};
    struct swept_flows_sums sums = {
        .down = f->down, .up = f->up, .ends = f->end, .begins = f->begin};
    const enum betweenness_way asked = f->request->way;
    struct class_flows_cost cost = {.seconds = HUGE_VAL};
    if (asked != BETWEENNESS_BY_CLASSES)
        cost = swept_flows_predict(&request);
    plan->sweeps_s = cost.seconds;
    plan->not_classes = why_not_predicted(f);
    if (plan->not_classes == NULL)
        RETURN_ON_FAILURE(
            find_by_classes(f, fmin(plan->searches_s, cost.seconds), plan, ends, begins, err));
    if (plan->way == BETWEENNESS_BY_CLASSES ||
        (asked != BETWEENNESS_BY_SWEEPS && cost.seconds >= plan->searches_s))
        return STATUS_OK;
    plan->way = BETWEENNESS_BY_SWEEPS;
    plan->memory = memory_add(memory_of(f), cost.memory);
    if (!f->finds)
        return STATUS_OK;
    RETURN_ON_FAILURE(swept_flows_find(&request, &sums, err));
    *totals = sums.totals;
    by_vertex(f, f->end, ends);
    by_vertex(f, f->begin, begins);
    return STATUS_OK;
}

enum status betweenness_by_elimination(const struct betweenness_request *request, enum isa isa,
                                       struct betweenness_plan *plan, double *edge, double *ends,
                                       double *begins, struct trip_totals *totals,
                                       struct error *err) {
    const struct graph *const g = request->graph;
    struct flow_finding f = {.request = request,
                             .finds = edge != NULL,
                             .isa = isa,
                             .threads = threads_or_default(request->threads)};
    const struct whole_options options = {
        .threads = f.threads,
        .isa = isa,
        .other_s = plan->searches_s,
        .sources = request->trips != NULL ? request->trips->origins : request->sources.count};
    const double start = clock_seconds();
    bool pays, fits, done = true;
    enum status status;
    const char *why_not = "elimination is not predicted to pay";
    plan->way = BETWEENNESS_BY_SEARCHES;
    TRY(g->type == NUMBER_INT32
            ? counted_eliminate(g, &options, request->progress, &f.counted, &pays, err)
            : counted_eliminate_f64(g, &options, request->progress, &f.counted, &pays, err));
    if (!pays)
        goto cleanup;
    why_not = beyond_float64;
    TRY(counted_number(g, paths_most, f.threads, isa, &f.counted, &fits, err));
    plan->eliminate_s = clock_seconds() - start;
    if (!fits)
        goto cleanup;
    why_not = NULL;
    TRY(alloc(&f, err));
    take_masses(&f);
    TRY(find(&f, plan, ends, begins, totals, err));
    if (plan->way == BETWEENNESS_BY_SEARCHES || edge == NULL)
        goto cleanup;
    TRY(counted_share(g, &f.counted, f.threads, isa, f.up, f.down, edge, err));
    /* A path count between far vertices may still have exceeded float64. */
    for (int64_t e = 0; e < g->m && done; e++)
        done = isfinite(edge[e]);
    if (!done)
        why_not = beyond_float64;

cleanup:
    if (why_not != NULL)
        plan->not_classes = why_not;
    if (status != STATUS_OK || why_not != NULL) {
        plan->way = BETWEENNESS_BY_SEARCHES;
        plan->on_gpu = false;
    }
    counted_free(&f.counted);
    memory_free(f.memory);
    memory_free(f.source);
    return status;
}
