// SPDX-License-Identifier: MIT
#include "engines/plan.h"

#include "common/base/memory.h"   // memory_amount
#include "common/base/threads.h"  // threads_or_default
#include "elimination/order.h"    // order_missing
#include "engines/cpu_auto.h"     // auto_searches
#include "engines/cpu_variants.h" // cpu_solver
#include "gpu/gpu_devices.h"      // gpu_devices_find
#include "gpu/gpu_model.h"        // gpu_reference
#include "solve/solve.h"          // solve_memory, run_memory_with

#include <math.h>
#include <string.h>

/* Facts that a prediction rests on. */
struct prediction_question {
    struct model_question model;
    const struct plan_goal *goal;
    const struct rates *rates;
};

/* Returns whether sums of totals can be found without rows, and proved if `check`
 * (delivery_takes_sums). */
static bool sums_are_known(const struct features *features, bool check) {
    if (features->type != NUMBER_INT32)
        return features->grid == GRID_ALL || (features->grid == GRID_DISTANCES && !check);
    return !check || features->min_weight > 0;
}

static struct prediction_question ask(const struct features *features,
                                      const struct machine *machine, const struct plan_goal *goal,
                                      const struct rates *rates) {
    const struct model_question model = {
        .features = features,
        .predecessors = goal->predecessors,
        .threads = machine->threads,
        .vector_steps = model_vector_steps(machine->isa),
        .gpu = &machine->gpu,
        .rows = goal->rows,
        .totals = goal->totals_do && features->type == NUMBER_INT32,
        .sums = goal->sums_do && sums_are_known(features, goal->check),
    };
    return (struct prediction_question){model, goal, rates};
}

static double matrices_of(const struct prediction_question *q) {
    return q->model.predecessors ? 2 : 1;
}

/* Number of 4-byte cells for a pair of vertices: distance and predecessor. */
static double words_of(const struct prediction_question *q) {
    const double cell = (double)number_size(q->model.features->type) / sizeof(int32_t);
    return matrices_of(q) - 1 + cell;
}

/* Number of 4-byte cells: cells_of of the rows that are wanted, square_cells_of of whole
 * matrices. */
static double cells_of(const struct prediction_question *q) {
    return model_rows(&q->model) * q->model.features->n * words_of(q);
}

static double square_cells_of(const struct prediction_question *q) {
    return (double)q->model.features->n * q->model.features->n * words_of(q);
}

static void predict_files(const struct prediction_question *q, struct prediction *p) {
    const struct solver_files *files = q->goal->files;
    const double *rate = q->rates->of;
    if (files == NULL)
        return;
    const double rows = q->goal->file_rows > 0 ? q->goal->file_rows
                        : q->goal->rows > 0    ? q->goal->rows
                                               : files->vertices;
    const double file_cells = rows * files->vertices;
    const double matrices = matrices_of(q), threads = q->model.threads;
    p->read_s =
        1e-9 * rate[RATE_READ] * (double)files->edges / rates_reading_speed_up(q->model.threads);
    if (files->discards_rows)
        return;
    /* NumPy's two files are written at the same time. Text is written while more text is made. */
    const double cell_ns =
        files->npy ? rate[RATE_WRITE] : fmax(rate[RATE_WRITE], rate[RATE_FORMAT] / threads);
    p->write_s = 1e-9 * cell_ns * file_cells * (files->npy ? ceil(matrices / threads) : matrices);
}

/* Returns whether the variant hands on totals instead of rows. NULL stands for a variant that does
 * so whenever totals are enough. */
static bool gives_totals(const struct prediction_question *q,
                         const struct solver_variant *variant) {
    const bool is_real = q->model.features->type != NUMBER_INT32;
    if (q->goal->limited && variant != NULL && !variant->limits_totals)
        return false;
    return q->goal->totals_do &&
           (variant == NULL ||
            (variant->gives_totals && (!is_real || (variant->solve_on_grid != NULL &&
                                                    q->model.features->grid != GRID_NONE))));
}

/* Seconds until a GPU's context is there, from the moment when the graph has been read. */
static double context_left(const struct prediction_question *q, const struct prediction *p) {
    const struct solver_files *const files = q->goal->files;
    const double context_s = 1e-3 * q->rates->of[RATE_CONTEXT];
    return solver_is_warming_up(files) ? fmax(0, context_s - p->read_s) : context_s;
}

static void predict_device(const struct prediction_question *q,
                           const struct solver_variant *variant, struct prediction *p) {
    const double *rate = q->rates->of;
    const double touch = q->goal->streams ? 0 : rate[RATE_TOUCH] / q->model.threads;
    const double cells = gives_totals(q, variant) ? 0 : cells_of(q);
    /* The contexts of all other GPUs are created at the same time, when the solve begins. */
    p->prepare_s = context_left(q, p);
    if (q->model.gpus > 1)
        p->prepare_s += 1e-3 * rate[RATE_CONTEXT];
    p->transfer_s = 1e-9 * (rate[RATE_UPLOAD] * (double)q->model.features->m +
                            fmax(rate[RATE_DOWNLOAD], touch) * cells);
}

static void predict_host(const struct prediction_question *q, const struct solver_variant *variant,
                         bool waits, struct prediction *p) {
    const double thread_s = 2e-5;
    const double cells = !variant->by_rows  ? square_cells_of(q)
                         : q->goal->streams ? 0
                                            : cells_of(q);
    p->prepare_s = (waits ? context_left(q, p) : 0) +
                   thread_s * (model_threads(variant, &q->model) - 1) +
                   1e-9 * q->rates->of[RATE_TOUCH] * cells / model_speed_up(variant, &q->model);
}

/* Nanoseconds that measures take for each pair of vertices, as measured: for int32 distances; for
 * real ones in rows; for real ones in the labels of a sweep. */
static double measure_ns(const struct prediction_question *q,
                         const struct solver_variant *variant) {
    const double whole = 0.7, real = 6, of_labels = 1.6;
    const bool sweeps = variant != NULL && variant->solve_on_grid != NULL && !q->goal->check;
    return q->model.features->type == NUMBER_INT32          ? whole
           : sweeps && q->model.features->grid != GRID_NONE ? of_labels
                                                            : real;
}

/* Predicts the seconds of proofs and measures on the host, on all threads. Measured: a proof takes
 * 3 ns for each pair of vertices and 0.1 ns for each edge. */
static void predict_check(const struct prediction_question *q, const struct solver_variant *variant,
                          struct prediction *p) {
    const double proof_ns = 3, edge_ns = 0.1;
    const double ns =
        (q->goal->check ? proof_ns * matrices_of(q) + edge_ns * q->model.features->degree : 0) +
        (q->goal->measures ? measure_ns(q, variant) : 0);
    if (gives_totals(q, variant) || (q->model.sums && variant != NULL && variant->gives_sums)) {
        if (variant != NULL && variant->model.proof_seconds != NULL && q->goal->check)
            p->check_s = rates_find(q->rates, variant->model.rate) *
                         variant->model.proof_seconds(variant, &q->model);
        return;
    }
    p->check_s = model_rows_seconds(&q->model, ns) * q->rates->of[RATE_MULTISOURCE] *
                 q->model.vector_steps / q->model.threads;
}

/* Seconds to find potentials, on one thread, as `johnson` does. Measured (docs/algorithm.md): it
 * takes 3 to 15 ns for each edge of dense graphs to find potentials, more for each vertex of
 * others, and 9 to make a graph of reduced weights. */
static double potentials_seconds(const struct features *f, const struct rates *rates) {
    const double edge_ns = 16, vertex_ns = 400;
    return f->negative_edges == 0 ? 0
                                  : 1e-9 * rates->of[RATE_JOHNSON] *
                                        (edge_ns * (double)f->negative_edges + vertex_ns * f->n);
}

/* Most seconds of potentials: if label correcting gives up, scaling finds them, and takes time for
 * each bit of the weights. */
static double potentials_most(const struct features *f, const struct rates *rates) {
    const double bit_ns = 100;
    return potentials_seconds(f, rates) +
           1e-9 * rates->of[RATE_JOHNSON] * bit_ns * f->negative_bits * (double)f->negative_edges;
}

/* Bytes that a solve by a variant takes: those of the whole run, by the function that the run
 * itself calls (solve_memory), or those of the variant alone if q->goal->run is NULL. */
static uint64_t memory_of(const struct prediction_question *q,
                          const struct solver_variant *variant) {
    const struct features *f = q->model.features;
    const struct graph g = {.n = f->n,
                            .m = f->m,
                            .type = f->type,
                            .spacing = f->grid != GRID_NONE,
                            .farthest = (double)INFINITY,
                            .min_weight = f->grid == GRID_ALL ? 1 : f->min_weight,
                            .max_weight = f->max_weight};
    const int32_t rows = (int32_t)model_rows(&q->model);
    const struct solver_size solved = {
        .n = f->n,
        .m = f->m,
        .type = f->type,
        .grid = f->grid,
        .threads = q->goal->threads,
        .predecessors = q->model.predecessors,
        .wide = f->wide,
        .sources = rows,
        .placed = !q->goal->streams,
        .steps = f->steps,
    };
    const struct solve_size whole = {&g,
                                     rows,
                                     q->goal->threads,
                                     q->model.predecessors,
                                     .matrices = !q->goal->streams,
                                     .steps = f->steps};
    if (q->goal->run != NULL)
        return run_memory_with(q->goal->run, solve_memory(variant, &whole));
    const uint64_t bytes = solver_memory(variant, &solved);
    return variant->launch != NULL ? memory_add(bytes, graph_memory_of(f->type, f->n, f->m))
                                   : bytes;
}

/* Rules out a variant for which there is too little memory. */
static void check_room(const struct prediction_question *q, uint64_t bytes, char *why,
                       size_t size) {
    const uint64_t room = q->goal->room;
    char needed[32], left[32];
    if (room == 0 || bytes <= room)
        return;
    memory_amount(bytes, needed, sizeof needed);
    memory_amount(room, left, sizeof left);
    if (q->goal->run != NULL)
        snprintf(why, size, "needs %s of memory, there are %s", needed, left);
    else
        snprintf(why, size, "needs %s to solve, %s of memory are left", needed, left);
}

/* Rules out a variant of the GPU if this GPU lacks something that it needs. */
static void check_gpu(const struct prediction_question *q, const struct solver_variant *variant,
                      uint64_t needed, char *why, size_t size) {
    const struct features *f = q->model.features;
    const struct gpu_traits *gpu = q->model.gpu;
    const struct variant_model *model = &variant->model;
    if (model->vertices_at_most != NULL && f->n > model->vertices_at_most(gpu))
        snprintf(why, size, "for up to %d vertices", model->vertices_at_most(gpu));
    else if (gpu->shared < model->shared_memory)
        snprintf(why, size, "a block needs %d bytes of shared memory, this GPU has %d",
                 model->shared_memory, gpu->shared);
    else if (gpu->capability < model->capability)
        snprintf(why, size, "needs compute capability %d.0, this GPU has %d.x", model->capability,
                 gpu->capability);
    else if (needed > gpu->memory)
        snprintf(why, size, "needs %.4g GiB, the GPU has %.4g", memory_gib(needed),
                 memory_gib(gpu->memory));
}

/* Returns whether a variant is passed over because rows are few: AUTO_SEARCHES finds these, without
 * a prediction. */
static bool is_passed_over(const struct prediction_question *q,
                           const struct solver_variant *variant) {
    const struct features *const f = q->model.features;
    return (f->type == NUMBER_INT32 || f->min_weight >= 0) && q->goal->rows > 0 &&
           auto_searches(f->n, q->goal->rows, q->goal->limited) &&
           variant != solver_find(&cpu_solver, AUTO_SEARCHES);
}

/* Stores in p->not_taken why the engine cannot be taken, if it cannot. */
static void rule_out(const struct prediction_question *q, const struct machine *machine,
                     struct prediction *p) {
    const struct solver_variant *variant = p->engine.variant;
    const struct features *f = q->model.features;
    char *why = p->not_taken;
    const size_t size = sizeof p->not_taken;
    const char *const missing = variant->missing != NULL ? variant->missing() : NULL;
    if (missing != NULL)
        snprintf(why, size, "built without %s", missing);
    else if (p->engine.solver->uses_gpu && !machine->has_gpu)
        snprintf(why, size, "%.180s", machine->no_gpu);
    else if (f->wide && !variant->takes_potentials)
        snprintf(why, size, "reduced weights do not fit in 32 bits");
    else if (f->type != NUMBER_INT32 && f->min_weight < 0 && !variant->solves_signed)
        snprintf(why, size, "takes no %s weights below 0", number_name(f->type));
    else if (p->engine.solver->uses_gpu && solver_is_refined(variant, f->type, f->grid, false))
        snprintf(why, size, "solves rounded weights, whose rows are to be refined");
    else if (!solver_is_for_weights(variant, f))
        snprintf(why, size, "for weights up to %d units of which all are multiples",
                 variant->steps_most);
    else if (variant->distances_only && q->model.predecessors)
        snprintf(why, size, "computes no predecessors");
    else if (variant->exact_up_to > 0 &&
             (double)f->max_weight * (f->n - 1.0) > variant->exact_up_to)
        snprintf(why, size, "exact for distances up to %d only", variant->exact_up_to);
    else if (p->engine.solver->uses_gpu)
        check_gpu(q, variant, p->gpu_memory, why, size);
    if (why[0] == '\0')
        check_room(q, p->memory, why, size);
    if (why[0] == '\0' && is_passed_over(q, variant))
        snprintf(why, size, AUTO_SEARCHES_WHY);
}

/* Number of GPUs that there are rows for. */
static int gpus_worth(const struct prediction_question *q, const struct solver_variant *variant,
                      const struct machine *machine) {
    if (!machine->has_gpu || machine->gpus <= 1 || variant->solve_spread == NULL)
        return 1;
    const int32_t rows =
        variant->spread_memory != NULL ? q->model.features->n : (int32_t)model_rows(&q->model);
    const int32_t parts = (rows - 1) / variant->spread_rows + 1;
    return parts < machine->gpus ? parts : machine->gpus;
}

/* Bytes that the variant needs on each of q's GPUs. */
static size_t gpu_memory_of(const struct prediction_question *q,
                            const struct solver_variant *variant) {
    const struct features *const f = q->model.features;
    const bool pred = q->model.predecessors;
    return q->model.gpus > 1 && variant->spread_memory != NULL
               ? variant->spread_memory(f->n, f->m, pred, q->model.gpus)
               : gpu_memory_needed(variant, f->type, f->n, f->m, pred);
}

static void add_up(struct prediction *p) {
    p->total_s = p->read_s + p->prepare_s + p->transfer_s + p->potentials_s + p->solve_s +
                 p->check_s + p->write_s;
}

static struct prediction predict(const struct prediction_question *q, const struct engine *engine,
                                 const struct machine *machine) {
    struct prediction p = {.engine = *engine};
    const struct variant_model *model = &engine->variant->model;
    p.gpus = !engine->solver->uses_gpu ? 0 : q->model.gpus > 1 ? q->model.gpus : 1;
    predict_files(q, &p);
    if (engine->solver->uses_gpu)
        predict_device(q, engine->variant, &p);
    else
        predict_host(q, engine->variant, machine->waits, &p);
    p.solve_s = rates_find(q->rates, model->rate) * model_seconds(engine->variant, &q->model);
    p.potentials_s = potentials_seconds(q->model.features, q->rates);
    predict_check(q, engine->variant, &p);
    add_up(&p);
    p.memory = memory_of(q, engine->variant);
    if (engine->solver->uses_gpu && machine->has_gpu)
        p.gpu_memory = gpu_memory_of(q, engine->variant);
    rule_out(q, machine, &p);
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

/* Ranks the solver's default variant if `defaults`, otherwise its others. */
static void rank(const struct prediction_question *q, const struct solver *solver, bool defaults,
                 struct plan *plan) {
    for (size_t v = 0; v < solver->variant_count; v++) {
        const struct engine engine = {solver, &solver->variants[v]};
        const struct variant_model *model = &engine.variant->model;
        const bool is_default = strcmp(engine.variant->name, solver->default_variant) == 0;
        if (model->seconds == NULL || model->only_chooses || is_default != defaults)
            continue;
        struct prediction_question together = *q;
        together.model.gpus = gpus_worth(q, engine.variant, &plan->machine);
        const struct prediction_question *const asked[] = {q, &together};
        for (int k = 0; k < (together.model.gpus > 1 ? 2 : 1) && plan->count < PLAN_MAX; k++) {
            const struct prediction p = predict(asked[k], &engine, &plan->machine);
            insert(plan, &p);
        }
    }
}

void plan_make(const struct features *features, const struct machine *machine,
               const struct plan_goal *goal, const struct rates *rates, struct plan *plan) {
    *plan = (struct plan){.features = *features, .machine = *machine, .goal = *goal};
    plan->potentials_most_s = potentials_most(features, rates);
    if (!machine->has_gpu)
        plan->machine.gpu = gpu_reference; /* engines of a GPU are listed even without one */
    const struct prediction_question q = ask(&plan->features, &plan->machine, goal, rates);
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        rank(&q, engines[s], true, plan);
        rank(&q, engines[s], false, plan);
    }
}

/* Returns whether a GPU that solves in no time would be faster than the best engine of the plan,
 * which was made without GPUs. */
static bool gpu_could_win(const struct plan *plan, const struct plan_goal *goal,
                          const struct rates *rates) {
    const struct prediction_question q = ask(&plan->features, &plan->machine, goal, rates);
    struct prediction best = {0};
    predict_files(&q, &best);
    predict_device(&q, NULL, &best);
    predict_check(&q, NULL, &best);
    best.potentials_s = potentials_seconds(&plan->features, rates);
    return plan->usable == 0 || best.read_s + best.prepare_s + best.transfer_s + best.potentials_s +
                                        best.check_s + best.write_s <
                                    plan->of[0].total_s;
}

/* Returns whether the best engine could turn out slower after a look at features that are not yet
 * known. If not, it stays the best: all others are predicted as fast as they can be. */
static bool look_matters(const struct plan *plan, const struct rates *rates) {
    const struct prediction *const best = &plan->of[0];
    const struct features worst = features_at_worst(&plan->features);
    if (plan->usable == 0)
        return false;
    struct prediction_question q = ask(&worst, &plan->machine, &plan->goal, rates);
    q.model.gpus = best->gpus;
    return predict(&q, &best->engine, &plan->machine).total_s > best->total_s;
}

/* Plans for the machine, and looks closer at g if that could change which engine is the best, or
 * `always`. */
static enum status plan_closely(const struct graph *g, struct features *features,
                                const struct machine *machine, const struct plan_goal *goal,
                                const struct rates *rates, bool always, struct plan *plan,
                                struct error *err) {
    plan_make(features, machine, goal, rates, plan);
    if (!always && !look_matters(plan, rates))
        return STATUS_OK;
    features_look_at_lengths(g, features);
    if (machine->has_gpu)
        RETURN_ON_FAILURE(features_look_deep(g, machine->threads, features, err));
    plan_make(features, machine, goal, rates, plan);
    return STATUS_OK;
}

/* Finds the GPUs, and counts for each the least memory that one of them has. If the options do not
 * list them, only those before the first that cannot be queried count. */
static void find_gpus(const struct solver_options *options, struct machine *machine) {
    struct solver_options listed = *options;
    struct gpu_traits traits;
    struct error reason;
    gpu_devices_find(&listed);
    machine->has_gpu = gpu_query(listed.device, &machine->gpu, &reason) == STATUS_OK;
    machine->gpus = listed.device_count > 1 ? listed.device_count : 1;
    for (int k = 1; k < machine->gpus && machine->has_gpu; k++) {
        if (gpu_query(listed.devices[k], &traits, &reason) == STATUS_OK)
            machine->gpu.memory =
                traits.memory < machine->gpu.memory ? traits.memory : machine->gpu.memory;
        else if (options->device_count == SOLVER_ALL_DEVICES)
            machine->gpus = k;
        else
            machine->has_gpu = false;
    }
    if (!machine->has_gpu)
        snprintf(machine->no_gpu, sizeof machine->no_gpu, "%.250s", reason.text);
}

enum status plan_here(const struct graph *g, struct features *features,
                      const struct solver_options *options, const struct plan_goal *goal,
                      const struct rates *rates, bool always, struct plan *plan,
                      struct error *err) {
    struct machine machine = {.threads = threads_or_default(options->threads)};
    RETURN_ON_FAILURE(isa_choose(&machine.isa, err));
    snprintf(machine.no_gpu, sizeof machine.no_gpu,
             "not asked for a GPU: to create its context takes longer");
    RETURN_ON_FAILURE(plan_closely(g, features, &machine, goal, rates, always, plan, err));
    const bool follows = goal->files != NULL && goal->files->gpu_follows;
    const bool could_win = follows || gpu_could_win(plan, goal, rates);
    if (!always && !could_win)
        return STATUS_OK;
    machine.waits = could_win && solver_is_warming_up(goal->files);
    if (goal->files != NULL && goal->files->wait != NULL) {
        /* The program waits for the GPU's context here, so that a look that is likely to be needed
         * costs no time. */
        struct machine likely = machine;
        likely.has_gpu = true;
        likely.gpu = gpu_reference;
        RETURN_ON_FAILURE(plan_closely(g, features, &likely, goal, rates, always, plan, err));
        goal->files->wait(goal->files->self);
    }
    find_gpus(options, &machine);
    machine.waits = machine.waits && machine.has_gpu;
    return plan_closely(g, features, &machine, goal, rates, always, plan, err);
}

/* Measured: a search takes 0.6 times as long as the model of johnson predicts for the pairs that
 * have a path, and 3 ns for a cell of a part. Whole rows, into which parts are spread, take as long
 * as touching their memory. */
void plan_add_parts(struct plan *plan, const struct component_parts *parts, int32_t n,
                    double degree, const struct rates *rates) {
    const double cell_ns = 3, vertex_ns = 30, edge_ns = 1.2;
    const bool small = component_is_small(parts->most);
    const double own = small ? (double)n * n : (double)parts->most * parts->most;
    const double engines_share = small ? 0 : (parts->cells - parts->searched) / own;
    const int32_t rows = small ? plan->goal.rows : plan->goal.file_rows;
    const double search_s =
        1e-9 * rates->of[RATE_JOHNSON] * rows / n *
        (cell_ns * parts->searched + (vertex_ns + edge_ns * degree) * parts->reached);
    const double spread_s =
        plan->goal.streams || small ? 0 : 1e-9 * rates->of[RATE_TOUCH] * (double)rows * n;
    const struct solver_variant *const johnson = solver_find(&cpu_solver, "johnson");
    const struct plan before = *plan;
    plan->parts = (struct plan_parts){parts->components, n, small};
    plan->count = plan->usable = 0;
    for (int k = 0; k < before.count; k++) {
        struct prediction p = before.of[k];
        if (!small || p.engine.variant == johnson) {
            p.prepare_s += spread_s;
            p.transfer_s *= engines_share;
            p.solve_s = engines_share * p.solve_s + search_s;
            p.check_s *= parts->cells / own;
            add_up(&p);
        }
        insert(plan, &p);
    }
}

enum status plan_likely(const struct features *features, const struct solver_options *options,
                        const struct plan_goal *goal, const struct rates *rates,
                        struct engine *likely, struct error *err) {
    struct machine machine = {
        .threads = threads_or_default(options->threads), .has_gpu = true, .gpu = gpu_reference};
    struct plan_goal any_room = *goal;
    struct plan plan;
    any_room.room = 0;
    RETURN_ON_FAILURE(isa_choose(&machine.isa, err));
    plan_make(features, &machine, &any_room, rates, &plan);
    *likely = plan.of[0].engine;
    return STATUS_OK;
}

enum status plan_expected(int32_t n, int64_t m, const struct solver_options *options,
                          const struct plan_goal *goal, const struct rates *rates,
                          struct engine *expected, struct error *err) {
    const struct solver_files files = {.vertices = n,
                                       .edges = m,
                                       .npy = goal->files != NULL && goal->files->npy,
                                       .warming_up = true};
    struct plan_goal warm = *goal;
    struct features features;
    warm.files = &files;
    features_suppose(n, m, &features);
    return plan_likely(&features, options, &warm, rates, expected, err);
}

/* Prints a line on the vertices that an elimination leaves, if that is known. */
static void print_elimination(const struct elimination_features *e, FILE *to) {
    if (!e->known)
        return;
    fprintf(to, "eliminating vertices (dissection): ");
    if (e->height > 0)
        fprintf(to, "%.3g edges of each are left, in a tree of %d levels; ", e->fill, e->height);
    if (order_missing() != NULL)
        fprintf(to, "it cannot run: built without %s\n", order_missing());
    else if (!e->pays)
        fprintf(to, "it cannot pay\n");
    else if (e->core > 0)
        fprintf(to, "it pays but for a core of %d vertices; the order takes %.2g s on one thread\n",
                e->core, e->once_s);
    else
        fprintf(to, "it pays; the order takes %.2g s on one thread\n", e->once_s);
}

char *prediction_name(const struct prediction *p, char *name, size_t size) {
    char engine[64];
    engine_name(&p->engine, engine, sizeof engine);
    if (p->gpus > 1)
        snprintf(name, size, "%d x %s", p->gpus, engine);
    else
        snprintf(name, size, "%s", engine);
    return name;
}

/* Width of the column of seconds for proofs and measures. */
enum { CHECK_WIDTH = 17 };

static const char *check_name(const struct plan_goal *goal) {
    return goal->check && goal->measures ? "check + measure" : goal->check ? "check" : "measure";
}

static void print_prediction(const struct plan *plan, const struct prediction *p, FILE *to) {
    const struct plan_goal *goal = &plan->goal;
    char name[80], amount[32];
    fprintf(to, "%-31s%9.3g%9.3g%9.3g", prediction_name(p, name, sizeof name), p->read_s,
            p->prepare_s, p->transfer_s);
    if (plan->features.negative_edges > 0)
        fprintf(to, "%11.3g", p->potentials_s);
    fprintf(to, "%9.3g", p->solve_s);
    if (goal->check || goal->measures)
        fprintf(to, "%*.3g", CHECK_WIDTH, p->check_s);
    fprintf(to, "%9.3g%9.3g", p->write_s, p->total_s);
    if (goal->run != NULL)
        fprintf(to, "%11s", memory_amount(p->memory, amount, sizeof amount));
    if (goal->run != NULL && p->engine.solver->uses_gpu)
        fprintf(to, "%10s", memory_amount(p->gpu_memory, amount, sizeof amount));
    fprintf(to, "%s%s\n", p->not_taken[0] != '\0' ? "  not: " : "", p->not_taken);
}

static bool is_shown(const struct prediction *p, const struct prediction *taken) {
    return taken == NULL ||
           (p->engine.solver == taken->engine.solver &&
            p->engine.variant == taken->engine.variant) ||
           (p->not_taken[0] != '\0' && p->total_s < taken->total_s);
}

void plan_print(const struct plan *plan, const struct prediction *taken, FILE *to) {
    const struct features *f = &plan->features;
    const bool negative = f->negative_edges > 0;
    if (plan->parts.components > 0 && plan->parts.are_small)
        fprintf(to, "%d components of few vertices, each of which cpu:johnson searches\n",
                plan->parts.components);
    else if (plan->parts.components > 0)
        fprintf(to,
                "%d vertices in %d components, which are solved one by one (small ones together); "
                "of the largest:\n",
                plan->parts.n, plan->parts.components);
    fprintf(to, "%d vertices, %.3g edges each, ", f->n, f->degree);
    if (f->type != NUMBER_INT32)
        fprintf(to, "%s weights, ", f->integral ? INT64_NAME : number_name(f->type));
    if (f->wide)
        fprintf(to, "reduced weights of more than 32 bits");
    else
        fprintf(to, "%.3g %% reached from each", 100 * f->reach);
    if (f->deep)
        fprintf(to, ", paths of up to %.0f edges", f->hops);
    if (f->deep && f->type == NUMBER_INT32)
        fprintf(to, " and length %.0f", f->longest);
    fprintf(to, "; %d thread%s, %s; %s\n", plan->machine.threads,
            plan->machine.threads == 1 ? "" : "s", isa_name(plan->machine.isa),
            plan->machine.has_gpu ? plan->machine.gpu.name : plan->machine.no_gpu);
    print_elimination(&f->elimination, to);
    if (negative)
        fprintf(to,
                "weights below 0 count as 0 here; potentials may take up to %.3g s of graphs that "
                "are made to be hard\n",
                plan->potentials_most_s);
    const struct plan_goal *goal = &plan->goal;
    const bool checks = goal->check || goal->measures;
    fprintf(to, "%-31s%9s%9s%9s%s%9s%*s%9s%9s%s%s\n", "predicted seconds", "read", "prepare",
            "transfer", negative ? " potentials" : "", "solve", checks ? CHECK_WIDTH : 0,
            checks ? check_name(goal) : "", "write", "total",
            goal->run != NULL ? "     memory" : "",
            goal->run != NULL && plan->machine.has_gpu ? "    on GPU" : "");
    for (int k = 0; k < plan->count; k++) {
        const struct prediction *p = &plan->of[k];
        if (is_shown(p, taken) &&
            (!p->engine.solver->uses_gpu || plan->machine.has_gpu)) /* the first line says why */
            print_prediction(plan, p, to);
    }
}
