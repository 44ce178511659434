// SPDX-License-Identifier: MIT
#include "apsp/plan.h"

#include "common/base/memory.h"  // memory_amount
#include "common/base/threads.h" // threads_or_default
#include "cpu/parts/min_plus.h"  // MIN_PLUS_BLOCK

#include <math.h>
#include <string.h>

/* What a model looks at. */
struct question {
    const struct features *features;
    const struct machine *machine;
    bool predecessors;
    uint64_t room;
};

/* One engine's. */
struct model {
    const char *engine;
    enum rate rate; /* that scales its seconds */
    double (*seconds)(const struct question *q, const struct model *model);
    /* Of the CPU: see cpu/auto.h. */
    enum auto_candidate candidate;
    double times;  /* of its cost */
    int32_t share; /* vertices that give a thread something to do; 0: one thread does it all */
    /* Of blocked and simple kernels on an H200: seconds at the start, for each vertex, and
     * relaxations a second, of distances and with predecessors. */
    double start_s, vertex_s, distances, with_predecessors;
    bool reads_memory; /* is limited by what it reads, not by its instructions */
    bool adds_minima;  /* in one instruction where there is one */
    bool all_at_once;  /* a limit to the number of vertices */
    int shared;        /* bytes of shared memory that a block needs; 0: what every GPU has */
};

/* Of the time on AVX-512: half as many lanes, twice as many steps. */
static const double of_vectors[ISA_COUNT] = {
    [ISA_PORTABLE] = 4,
#ifdef __x86_64__
    [ISA_AVX2] = 2,
    [ISA_AVX512] = 1,
#endif
};

static double cpu_cost(const struct question *q, enum auto_candidate candidate) {
    return 1e-9 * auto_cost(candidate, &q->features->cpu);
}

static double threads_of(const struct question *q, const struct model *model) {
    return model->share > 0 ? fmin(q->machine->threads, ceil((double)q->features->n / model->share))
                            : 1;
}

/* That many threads do as much as these: they share caches, memory and units of the cores. */
static double speed_up(const struct question *q, const struct model *model) {
    const double in_the_way = 0.055, threads = threads_of(q, model);
    return threads / (1 + in_the_way * (threads - 1));
}

static double sequential_seconds(const struct question *q, const struct model *model) {
    return cpu_cost(q, model->candidate);
}

/* Of `blocked`, which chooses the width itself, `times` is 0. */
static double blocked_seconds(const struct question *q, const struct model *model) {
    const double wide = 1.75;
    const double times = model->times > 0 ? model->times : q->features->narrow ? 1 : wide;
    return times * of_vectors[q->machine->isa] * cpu_cost(q, model->candidate) / speed_up(q, model);
}

static double johnson_seconds(const struct question *q, const struct model *model) {
    const double wide = 1.5; /* 64-bit distances */
    return (q->features->wide ? wide : 1) * cpu_cost(q, AUTO_JOHNSON) / speed_up(q, model);
}

static double multisource_seconds(const struct question *q, const struct model *model) {
    if (q->features->wide) /* which it leaves to `johnson` */
        return johnson_seconds(q, model);
    return of_vectors[q->machine->isa] * cpu_cost(q, AUTO_MULTISOURCE) / speed_up(q, model);
}

/* The one that was measured. */
static const struct gpu_traits h200 = {
    .multiprocessors = 132,
    .capability = 9,
    .shared = 227 << 10,
    .clock = 1.98e9,
    .bandwidth = 4.9e12,
    .memory = (size_t)140 << 30,
};

enum { SHARED_OF_TENSOR = 112 << 10, SHARED_OF_DPX = 67 << 10 };

/* Seconds here for one there. What is not known of a device counts as there. */
static double slower(double there, double here) {
    return here > 0 ? there / here : 1;
}

static double slower_instructions(const struct gpu_traits *gpu) {
    return slower(h200.multiprocessors * h200.clock, gpu->multiprocessors * gpu->clock);
}

static double slower_memory(const struct gpu_traits *gpu) {
    return slower(h200.bandwidth, gpu->bandwidth);
}

static double cube(double x) {
    return x * x * x;
}

/* Three nested loops, and a launch, or several, or a hand-over for so many vertices. */
static double loops_seconds(const struct question *q, const struct model *m) {
    const struct gpu_traits *gpu = &q->machine->gpu;
    const double n = q->features->n;
    const double rate =
        q->predecessors && m->with_predecessors > 0 ? m->with_predecessors : m->distances;
    double slow = m->reads_memory ? slower_memory(gpu) : slower_instructions(gpu);
    if (m->adds_minima && gpu->capability < h200.capability)
        slow *= 2;
    double seconds = m->start_s + m->vertex_s * n + slow * cube(n) / rate;
    if (q->predecessors && m->with_predecessors == 0) /* derived, over tight edges */
        seconds += 2e-5 + slower_instructions(gpu) * n * (double)q->features->m / 16e12;
    return seconds;
}

static double blocked_auto_seconds(const struct question *q, const struct model *model);

/* The work of label correcting, in nanoseconds for each pair of vertices on an H200. */
static const struct {
    double start_s;
    double pair;      /* its result */
    double sweep;     /* over a vertex */
    double edge;      /* of those that every sweep looks at, up to `light` */
    double last_edge; /* of those that are looked at once */
    double light;
} sparse = {8e-5, 0.0078, 1.1e-3, 6.6e-4, 2e-5, 28};

static double sparse_seconds(const struct question *q, const struct model *model) {
    (void)model;
    enum { MAX_NARROW = 1 << 16, WORDS = 4 };
    const struct features *f = q->features;
    const struct gpu_traits *gpu = &q->machine->gpu;
    const double light = fmin(f->cpu.degree, sparse.light), n = f->n;
    /* A sweep finds what is several edges away, where that comes next. */
    const double sweeps = sqrt(f->hops) + f->hops / 50;
    double times = 1;
    /* A first try with 16-bit labels is made where weights allow it, and is lost. */
    if (f->longest + f->max_weight >= INF16 || f->n > MAX_NARROW)
        times = f->max_weight < INF16 && f->n <= MAX_NARROW ? 3 : 2;
    /* Sources at a time, by what labels take of shared memory; all edges are read for each. */
    const double words = floor(gpu->shared / (sizeof(int32_t) * n));
    times *= words >= WORDS ? 1 : words >= 2 ? 2 : words >= 1 ? 4 : 6;
    const double pair = sparse.pair + f->cpu.reach * times *
                                          (sweeps * (sparse.sweep + sparse.edge * light) +
                                           sparse.last_edge * f->cpu.degree);
    return sparse.start_s + slower_instructions(gpu) * 1e-9 * pair * n * n;
}

static double queued_seconds(const struct question *q, const struct model *model);
static double sparse_auto_seconds(const struct question *q, const struct model *model);

static const struct model models[] = {
    {"cpu:sequential", RATE_SEQUENTIAL, sequential_seconds, .candidate = AUTO_SEQUENTIAL},
    {"cpu:blocked", RATE_BLOCKED, blocked_seconds, .candidate = AUTO_BLOCKED,
     .share = MIN_PLUS_BLOCK},
    {"cpu:blocked16", RATE_BLOCKED, blocked_seconds, .candidate = AUTO_BLOCKED, .times = 1,
     .share = MIN_PLUS_BLOCK},
    {"cpu:blocked32", RATE_BLOCKED, blocked_seconds, .candidate = AUTO_BLOCKED, .times = 1.75,
     .share = MIN_PLUS_BLOCK},
    {"cpu:johnson", RATE_JOHNSON, johnson_seconds, .candidate = AUTO_JOHNSON, .share = 8},
    {"cpu:multisource", RATE_MULTISOURCE, multisource_seconds, .candidate = AUTO_MULTISOURCE,
     .share = 64},

    {"cuda_simple:thesis", RATE_CUDA_SIMPLE, loops_seconds, .start_s = 1e-4, .vertex_s = 4e-6,
     .distances = 0.229e12, .with_predecessors = 0.229e12, .reads_memory = true},
    {"cuda_simple:naive", RATE_CUDA_SIMPLE, loops_seconds, .start_s = 1e-4, .vertex_s = 2.3e-6,
     .distances = 0.231e12, .reads_memory = true},
    {"cuda_simple:vector", RATE_CUDA_SIMPLE, loops_seconds, .start_s = 1e-4, .vertex_s = 2.4e-6,
     .distances = 1.02e12, .with_predecessors = 0.75e12, .reads_memory = true},

    {"cuda_blocked:thesis", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 5e-7,
     .distances = 1.63e12, .with_predecessors = 1.2e12},
    {"cuda_blocked:pivot", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 5e-7,
     .distances = 0.95e12, .with_predecessors = 0.62e12},
    {"cuda_blocked:tile32", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 4e-7,
     .distances = 3.5e12, .with_predecessors = 2e12},
    {"cuda_blocked:tile64", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 4e-7,
     .distances = 8.2e12, .with_predecessors = 3.45e12},
    {"cuda_blocked:batched-blocked", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5,
     .vertex_s = 5e-7, .distances = 2.27e12, .with_predecessors = 1.43e12},
    {"cuda_blocked:batched-registers", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5,
     .vertex_s = 4e-7, .distances = 3.17e12, .with_predecessors = 2.45e12},
    {"cuda_blocked:batched-6x6", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5,
     .vertex_s = 9e-7, .distances = 5.6e12, .with_predecessors = 3.85e12},
    {"cuda_blocked:batched", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 9e-7,
     .distances = 8.1e12, .with_predecessors = 4.5e12},
    {"cuda_blocked:dpx32", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 4e-4, .vertex_s = 3e-7,
     .distances = 15.5e12, .adds_minima = true, .shared = SHARED_OF_DPX},
    {"cuda_blocked:dpx16", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 4e-4, .vertex_s = 1.5e-7,
     .distances = 28.5e12, .adds_minima = true, .shared = SHARED_OF_DPX},
    {"cuda_blocked:tensor", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-3, .vertex_s = 5e-8,
     .distances = 110e12, .shared = SHARED_OF_TENSOR},
    {"cuda_blocked:resident", RATE_CUDA_BLOCKED, loops_seconds, .start_s = 1e-5, .vertex_s = 1.9e-7,
     .distances = 28.5e12, .adds_minima = true, .all_at_once = true},
    {"cuda_blocked:auto", RATE_CUDA_BLOCKED, blocked_auto_seconds, .times = 1},

    {"cuda_sparse:auto", RATE_CUDA_SPARSE, sparse_auto_seconds, .times = 1},
    {"cuda_sparse:multisource", RATE_CUDA_SPARSE, sparse_seconds, .times = 1},
    {"cuda_sparse:queued", RATE_CUDA_SPARSE, queued_seconds, .times = 1},
};

enum { MODELS = sizeof models / sizeof *models };
_Static_assert(sizeof models <= PLAN_MAX * sizeof *models, "a plan has room for all models");

static const struct model *model_of(const char *engine) {
    for (int m = 0; m < MODELS; m++) {
        if (strcmp(models[m].engine, engine) == 0)
            return &models[m];
    }
    return NULL;
}

/* Vertices of a matrix whose tiles all have a block at the same time. */
static int32_t resident_max(const struct gpu_traits *gpu) {
    enum { TILE = 64, BLOCKS = 3 /* on a multiprocessor */ };
    return (int32_t)sqrt(BLOCKS * (double)gpu->multiprocessors) * TILE;
}

/* What cuda_blocked/auto.cu takes. */
static double blocked_auto_seconds(const struct question *q, const struct model *model) {
    (void)model;
    enum { ONE_TILE = 32 };
    const double margin = 0.75, looking_s = 2.5e-4;
    const struct features *f = q->features;
    const struct gpu_traits *gpu = &q->machine->gpu;
    const char *taken = "cuda_blocked:dpx32";
    if (f->n <= ONE_TILE)
        taken = "cuda_blocked:thesis";
    else if (f->n <= resident_max(gpu))
        taken = "cuda_blocked:resident";
    else if (gpu->shared < SHARED_OF_DPX)
        taken = "cuda_blocked:tile64";
    else if (gpu->shared >= SHARED_OF_TENSOR && f->longest <= margin * 26)
        taken = "cuda_blocked:tensor";
    else if (f->longest <= margin * INF16)
        taken = "cuda_blocked:dpx16";
    const struct model *by = model_of(taken);
    return looking_s + by->seconds(q, by);
}

/* A thread for each source, one access to memory after the other for a vertex and its edges. On a
 * chain a vertex is queued once; the more ways there are to it, the more often it is queued again.
 */
static double queued_seconds(const struct question *q, const struct model *model) {
    (void)model;
    const double access_s = 8e-7, threads_at_once = 1024;
    const struct features *f = q->features;
    const double times_queued = 0.6 + 0.4 * f->cpu.degree * f->cpu.degree, n = f->n,
                 at_once = threads_at_once * fmax(1, q->machine->gpu.multiprocessors);
    return sparse.start_s + slower_instructions(&q->machine->gpu) * 1e-9 * sparse.pair * n * n +
           access_s * times_queued * f->cpu.reach * n * (1 + f->cpu.degree) * ceil(n / at_once);
}

/* What cuda_sparse/auto.cu takes: label correcting, by either way, until that has taken about as
 * long as the blocked solver would, which is known when a small share of the sources is done. */
static double sparse_auto_seconds(const struct question *q, const struct model *model) {
    const double lost_s = 2e-3, lost = 1.15, few = 4;
    const double first = sparse_seconds(q, model), last = blocked_auto_seconds(q, model);
    const double second = q->features->cpu.degree < few ? queued_seconds(q, model) : last;
    return first <= last ? first : lost_s + lost * fmin(second, last);
}

static double cells_of(const struct question *q) {
    return (double)q->features->n * q->features->n * (q->predecessors ? 2 : 1);
}

static void predict_files(const struct question *q, const struct solver_files *files,
                          const struct rates *rates, struct prediction *p) {
    const double file_cells = (double)files->vertices * files->vertices;
    const double matrices = q->predecessors ? 2 : 1, threads = q->machine->threads;
    p->read_s = 1e-9 * rates->of[RATE_READ] * (double)files->edges;
    /* The two files of NumPy matrices are written at the same time; text, while it is made. */
    const double cell_ns = files->npy
                               ? rates->of[RATE_WRITE]
                               : fmax(rates->of[RATE_WRITE], rates->of[RATE_FORMAT] / threads);
    p->write_s = 1e-9 * cell_ns * file_cells * (files->npy ? ceil(matrices / threads) : matrices);
}

static void predict_device(const struct question *q, const struct solver_files *files,
                           const struct rates *rates, struct prediction *p) {
    const double context_s = 1e-3 * rates->of[RATE_CONTEXT];
    const double touch = rates->of[RATE_TOUCH] / q->machine->threads;
    p->prepare_s = files != NULL && files->warming_up ? fmax(0, context_s - p->read_s) : context_s;
    p->transfer_s = 1e-9 * (rates->of[RATE_UPLOAD] * (double)q->features->m +
                            fmax(rates->of[RATE_DOWNLOAD], touch) * cells_of(q));
}

static void predict_host(const struct question *q, const struct model *model,
                         const struct rates *rates, struct prediction *p) {
    const double thread_s = 2e-5;
    p->prepare_s = thread_s * (threads_of(q, model) - 1) +
                   1e-9 * rates->of[RATE_TOUCH] * cells_of(q) / speed_up(q, model);
}

/* On one thread, which does what `johnson` does. Measured (docs/algorithm.md): 3 to 15 ns for each
 * edge of dense graphs to find potentials, more for each vertex of others, and 9 to make a graph of
 * reduced weights. */
static double potentials_seconds(const struct features *f, const struct rates *rates) {
    const double edge_ns = 16, vertex_ns = 400;
    return f->negative_edges == 0 ? 0
                                  : 1e-9 * rates->of[RATE_JOHNSON] *
                                        (edge_ns * (double)f->negative_edges + vertex_ns * f->n);
}

/* Where label correcting is given up and scaling finds them: for each bit. */
static double potentials_most(const struct features *f, const struct rates *rates) {
    const double bit_ns = 100;
    return potentials_seconds(f, rates) +
           1e-9 * rates->of[RATE_JOHNSON] * bit_ns * f->negative_bits * (double)f->negative_edges;
}

/* What an engine of the CPU takes, where there is no memory for it. */
static void check_room(const struct question *q, const struct solver_variant *variant, char *why,
                       size_t size) {
    const struct solver_size solved = {
        .n = q->features->n,
        .m = q->features->m,
        .threads = q->machine->threads,
        .predecessors = q->predecessors,
        .wide = q->features->wide,
    };
    char needed[32], left[32];
    const uint64_t bytes = variant->memory != NULL ? variant->memory(&solved) : 0;
    if (q->room > 0 && bytes > q->room)
        snprintf(why, size, "needs %s to solve, %s of memory are left",
                 memory_amount(bytes, needed, sizeof needed),
                 memory_amount(q->room, left, sizeof left));
}

/* Why the engine cannot be taken. */
static void rule_out(const struct question *q, const struct model *model, struct prediction *p) {
    const struct solver_variant *variant = p->engine.variant;
    const struct features *f = q->features;
    const struct machine *machine = q->machine;
    const double gib = 1024.0 * 1024.0 * 1024.0;
    char *why = p->not_taken;
    const size_t size = sizeof p->not_taken;
    if (p->engine.solver->uses_gpu && !machine->has_gpu) {
        snprintf(why, size, "%.180s", machine->no_gpu);
        return;
    }
    if (f->wide && !variant->takes_potentials)
        snprintf(why, size, "reduced weights do not fit in 32 bits");
    else if (variant->distances_only && q->predecessors)
        snprintf(why, size, "computes no predecessors");
    else if (variant->exact_up_to > 0 &&
             (double)f->max_weight * (f->n - 1.0) > variant->exact_up_to)
        snprintf(why, size, "exact for distances up to %d only", variant->exact_up_to);
    if (why[0] == '\0' && !p->engine.solver->uses_gpu)
        check_room(q, variant, why, size);
    if (why[0] != '\0' || !p->engine.solver->uses_gpu)
        return;
    const size_t needed = gpu_memory_needed(variant, f->n, f->m, q->predecessors);
    if (model->all_at_once && f->n > resident_max(&machine->gpu))
        snprintf(why, size, "for up to %d vertices", resident_max(&machine->gpu));
    else if (machine->gpu.shared < model->shared)
        snprintf(why, size, "a block needs %d bytes of shared memory, this GPU has %d",
                 model->shared, machine->gpu.shared);
    else if (needed > machine->gpu.memory)
        snprintf(why, size, "needs %.4g GiB, the GPU has %.4g", (double)needed / gib,
                 (double)machine->gpu.memory / gib);
}

static struct prediction predict(const struct question *q, const struct engine *engine,
                                 const struct model *model, const struct solver_files *files,
                                 const struct rates *rates) {
    struct prediction p = {.engine = *engine};
    if (files != NULL)
        predict_files(q, files, rates, &p);
    if (engine->solver->uses_gpu)
        predict_device(q, files, rates, &p);
    else
        predict_host(q, model, rates, &p);
    p.solve_s = rates->of[model->rate] * model->seconds(q, model);
    p.potentials_s = potentials_seconds(q->features, rates);
    p.total_s = p.read_s + p.prepare_s + p.transfer_s + p.potentials_s + p.solve_s + p.write_s;
    rule_out(q, model, &p);
    return p;
}

static bool comes_before(const struct prediction *a, const struct prediction *b) {
    const bool usable = a->not_taken[0] == '\0';
    return usable != (b->not_taken[0] == '\0') ? usable : a->total_s < b->total_s;
}

static void insert(struct plan *plan, const struct prediction *p) {
    int at = plan->count++;
    for (; at > 0 && comes_before(p, &plan->of[at - 1]); at--)
        plan->of[at] = plan->of[at - 1];
    plan->of[at] = *p;
    plan->usable += p->not_taken[0] == '\0';
}

void plan_make(const struct features *features, const struct machine *machine,
               const struct plan_goal *goal, const struct rates *rates, struct plan *plan) {
    *plan = (struct plan){.features = *features, .machine = *machine};
    plan->potentials_most_s = potentials_most(features, rates);
    if (!machine->has_gpu)
        plan->machine.gpu = h200; /* for engines that are listed all the same */
    const struct question q = {features, &plan->machine, goal->predecessors, goal->room};
    for (int m = 0; m < MODELS; m++) {
        struct engine engine;
        if (!engine_find(models[m].engine, &engine))
            continue;
        const struct prediction p = predict(&q, &engine, &models[m], goal->files, rates);
        insert(plan, &p);
    }
}

/* Whether a GPU that solves in no time would be faster than the plan, which is without one. */
static bool gpu_could_win(const struct plan *plan, const struct plan_goal *goal,
                          const struct rates *rates) {
    const struct question q = {&plan->features, &plan->machine, goal->predecessors, goal->room};
    struct prediction best = {0};
    if (goal->files != NULL)
        predict_files(&q, goal->files, rates, &best);
    predict_device(&q, goal->files, rates, &best);
    best.potentials_s = potentials_seconds(&plan->features, rates);
    return plan->usable == 0 ||
           best.read_s + best.prepare_s + best.transfer_s + best.potentials_s + best.write_s <
               plan->of[0].total_s;
}

enum status plan_here(const struct graph *g, struct features *features,
                      const struct solver_options *options, const struct plan_goal *goal,
                      const struct rates *rates, bool always, struct plan *plan,
                      struct error *err) {
    struct machine machine = {.threads = threads_or_default(options->threads)};
    struct error reason;
    enum status status = isa_choose(&machine.isa, err);
    if (status != STATUS_OK)
        return status;
    snprintf(machine.no_gpu, sizeof machine.no_gpu,
             "not asked for a GPU: to create its context takes longer");
    plan_make(features, &machine, goal, rates, plan);
    if (!always && !gpu_could_win(plan, goal, rates))
        return STATUS_OK;
    status = features_look_deep(g, machine.threads, features, err);
    if (status != STATUS_OK)
        return status;
    if (goal->files != NULL && goal->files->wait != NULL)
        goal->files->wait(goal->files->self);
    machine.has_gpu = gpu_look(options->device, &machine.gpu, &reason) == STATUS_OK;
    if (!machine.has_gpu)
        snprintf(machine.no_gpu, sizeof machine.no_gpu, "%.250s", reason.text);
    plan_make(features, &machine, goal, rates, plan);
    return STATUS_OK;
}

enum status plan_expected(int32_t n, int64_t m, const struct solver_options *options,
                          const struct plan_goal *goal, const struct rates *rates,
                          struct engine *expected, struct error *err) {
    struct machine machine = {
        .threads = threads_or_default(options->threads), .has_gpu = true, .gpu = h200};
    const struct solver_files files = {.vertices = n,
                                       .edges = m,
                                       .npy = goal->files != NULL && goal->files->npy,
                                       .warming_up = true};
    const struct plan_goal warm = {goal->predecessors, &files, 0};
    struct features features;
    struct plan plan;
    enum status status = isa_choose(&machine.isa, err);
    if (status != STATUS_OK)
        return status;
    features_suppose(n, m, &features);
    plan_make(&features, &machine, &warm, rates, &plan);
    *expected = plan.of[0].engine;
    return STATUS_OK;
}

void plan_print(const struct plan *plan, FILE *to) {
    const struct features *f = &plan->features;
    const bool negative = f->negative_edges > 0;
    if (f->contracted_from == 0)
        fprintf(to, "%d vertices", f->n);
    else
        fprintf(to, "%d vertices (%d when zero-weight cycles are contracted)", f->contracted_from,
                f->n);
    fprintf(to, ", %.3g edges each, ", f->cpu.degree);
    if (f->wide)
        fprintf(to, "reduced weights of more than 32 bits");
    else
        fprintf(to, "%.3g %% reached from each", 100 * f->cpu.reach);
    if (f->deep)
        fprintf(to, ", paths of up to %.0f edges and length %.0f", f->hops, f->longest);
    fprintf(to, "; %d threads, %s; %s\n", plan->machine.threads, isa_name(plan->machine.isa),
            plan->machine.has_gpu ? plan->machine.gpu.name : plan->machine.no_gpu);
    if (negative)
        fprintf(to,
                "weights below 0 count as 0 here; potentials may take up to %.3g s of graphs that "
                "are made to be hard\n",
                plan->potentials_most_s);
    fprintf(to, "%-31s%9s%9s%9s%s%9s%9s%9s\n", "predicted seconds", "read", "prepare", "transfer",
            negative ? " potentials" : "", "solve", "write", "total");
    for (int k = 0; k < plan->count; k++) {
        const struct prediction *p = &plan->of[k];
        char name[64], potentials[32] = "";
        if (p->engine.solver->uses_gpu && !plan->machine.has_gpu)
            continue; /* for one reason, which the first line says */
        if (negative)
            snprintf(potentials, sizeof potentials, "%11.3g", p->potentials_s);
        fprintf(to, "%-31s%9.3g%9.3g%9.3g%s%9.3g%9.3g%9.3g%s%s\n",
                engine_name(&p->engine, name, sizeof name), p->read_s, p->prepare_s, p->transfer_s,
                potentials, p->solve_s, p->write_s, p->total_s,
                p->not_taken[0] != '\0' ? "  not: " : "", p->not_taken);
    }
}
