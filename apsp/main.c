// SPDX-License-Identifier: MIT
/* One program for every engine: `apsp GRAPH` takes the one that is predicted to be the fastest. */
#include "accessibility/decay_engine.h" // decays_pay_for_start
#include "apsp/advice.h"
#include "apsp/answer_options.h"
#include "apsp/calibrate.h"
#include "apsp/flow_plan.h"
#include "apsp/graph_plan.h"
#include "apsp/grid_advice.h"
#include "apsp/make_accessibility.h"
#include "apsp/make_diameter.h"
#include "apsp/make_index.h"
#include "apsp/make_loads.h"
#include "apsp/make_pairs.h"
#include "cli/cli.h"         // cli_integer, cli_answer
#include "cli/json_answer.h" // the object of --json
#include "cli/option_rows.h" // struct option_row
#include "cli/run_needs.h"   // struct run_needs
#include "cli/solver_main.h"
#include "common/base/memory.h"  // memory_room
#include "common/base/threads.h" // threads_or_default
#include "engines/auto.h"
#include "engines/engines.h" // engines
#include "engines/plan.h"
#include "flows/flow_engine.h" // flow_classes_outlast_start
#include "flows/measured.h"    // measured_flows_plan
#include "gpu/gpu_solver.h"    // gpu_solve

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALIBRATE_S = 3600 };

/* Arguments of apsp alone, and the GPU's start, which goes on while the graph is being read. */
struct front {
    bool plan;
    int calibrate_s; /* seconds that --calibrate takes; 0: no calibration */
    bool even_if_busy;
    struct make_index index;
    struct make_accessibility accessibility;
    struct make_loads loads;
    const char *pairs;        /* path of a list of pairs; NULL: none are wanted */
    bool diameter;            /* diameter and radius are wanted instead of rows */
    enum answer_kind answer;  /* the answer that is wanted */
    bool has_no_predecessors; /* the answer is no rows, so that no predecessors are needed */
    bool solves_nothing;      /* the answer is not made by solving, and needs no memory for rows */
};

enum { OTHER_GROUP = 4 }; /* group that --help lists after those of all solvers */

static void take_calibrate(struct argp_state *state, char *value, void *to) {
    enum { CALIBRATE_S = 20 };
    struct front *const front = to;
    front->calibrate_s = value != NULL
                             ? (int)cli_integer(state, "--calibrate", value, 1, MAX_CALIBRATE_S)
                             : CALIBRATE_S;
}

static void take_decays(struct argp_state *state, char *value, void *to) {
    struct front *const front = to;
    lengths_take(state, "--decays", value, true, &front->accessibility.decays);
}

static void take_limits(struct argp_state *state, char *value, void *to) {
    struct front *const front = to;
    lengths_take(state, "--limits", value, false, &front->accessibility.limits);
}

static void take_nearest(struct argp_state *state, char *value, void *to) {
    struct front *const front = to;
    nearest_take(state, value, &front->accessibility);
}

static const struct option_row option_rows[] = {
    {.help = "Instead of solving:"},
    {.name = "plan",
     .help = "Say how long each engine would take, and do not solve; with --index, how large the "
             "index would be",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, plan)},
    {.name = "calibrate",
     .value = "SECONDS",
     .may_be_bare = true,
     .help = "Measure this machine for so long (default: 20), keep the rates for later "
             "predictions, and do not solve",
     .take = take_calibrate},
    {.name = "even-if-busy",
     .help = "Keep the rates of --calibrate though other programs disturbed it",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, even_if_busy)},
    {.name = "index",
     .help = "Build a distance index instead of solving, and write it to --output: any distance "
             "then takes a microsecond (see query)",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, index.wanted)},
    {.name = "reweight",
     .value = "INDEX",
     .help = "With --index: take the order of elimination from INDEX, which is of the same edges "
             "with other weights, so that building takes a fraction of the time",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, index.reweighted)},
    {.name = "both-directions",
     .help = "Keep both directions in the index, also if GRAPH is symmetric",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, index.options.both_directions)},
    {.name = "force",
     .help = "Build the index also if it is larger than the matrix of all distances, or takes ten "
             "times their work",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, index.options.even_if_larger)},
    {.name = "accessibility",
     .value = "TABLE",
     .help = "Find what each source can reach instead of solving, by --decays, --limits and "
             "--nearest, and write it to --output as CSV. TABLE has vertices in its first column "
             "and masses, say jobs, in others",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, accessibility.table)},
    {.name = "decays",
     .value = "LIST",
     .help = "Of each mass, sum mass * exp(-distance / decay), for each of these decays; with "
             "--gravity, the one by which trips decay",
     .take = take_decays},
    {.name = "limits",
     .value = "LIST",
     .help = "Of each mass, sum what lies at most so far away, for each of these limits",
     .take = take_limits},
    {.name = "nearest",
     .value = "K|K:COLUMN",
     .help = "Find the K nearest vertices of TABLE, or of those with more than 0 in one column",
     .take = take_nearest},
    {.name = "demand",
     .value = "TRIPS",
     .help = "Load trips on the edges of their shortest paths instead of solving, and write the "
             "load of each edge to --output as CSV. TRIPS has rows ORIGIN,DESTINATION,TRIPS, or is "
             "a TNTP file of trips",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, loads.trips)},
    {.name = "gravity",
     .value = "TABLE",
     .help =
         "Load trips that masses make in the same way: TABLE has vertices in its first column, "
         "what they send in the second and what they attract in the third one; from each to each "
         "other go sent * attracted * exp(-distance / decay) trips, where --decays gives the decay",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, loads.masses)},
    {.name = "mass-columns",
     .value = "SENT,ATTRACTED",
     .help = "With --gravity: the columns of a TABLE with others as well",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, loads.columns)},
    {.name = "pairs",
     .value = "FILE",
     .help = "Write the distance of each pair of vertices in FILE, rows ORIGIN,DESTINATION, to "
             "--output as CSV instead of whole rows",
     .kind = OPTION_TEXT,
     .at = offsetof(struct front, pairs)},
    {.name = "diameter",
     .help = "Find the diameter and the radius instead of solving, by searches from a few "
             "vertices, which bound all eccentricities; with --output, write the eccentricity of "
             "each vertex there as CSV",
     .kind = OPTION_FLAG,
     .at = offsetof(struct front, diameter)},
    {.name = NULL},
};

static void check_accessibility(struct argp_state *state, const struct front *front) {
    const struct make_accessibility *const how = &front->accessibility;
    const bool is_used = how->decays.count + how->limits.count + how->nearest > 0;
    if (front->loads.masses != NULL && how->limits.count + how->nearest > 0)
        cli_usage(state, "--limits and --nearest: expected --accessibility, found --gravity");
    if (front->loads.masses != NULL && how->decays.count > 1)
        cli_usage(state, "--gravity: expected one of --decays, found %d", how->decays.count);
    if (front->loads.masses == NULL && front->loads.columns != NULL)
        cli_usage(state, "--mass-columns: expected --gravity as well");
    if (how->table == NULL && front->loads.masses == NULL && is_used)
        cli_usage(state, "--decays, --limits and --nearest: expected --accessibility as well");
    if (how->table != NULL && !is_used)
        cli_usage(state, "--accessibility: expected --decays, --limits or --nearest as well");
}

/* Finds the answer that is wanted, and refuses two at once. */
static void choose_answer(struct argp_state *state, struct front *front) {
    const bool given[ANSWERS] = {[ANSWER_INDEX] = front->index.wanted,
                                 [ANSWER_ACCESSIBILITY] = front->accessibility.table != NULL,
                                 [ANSWER_DEMAND] = front->loads.trips != NULL,
                                 [ANSWER_GRAVITY] = front->loads.masses != NULL,
                                 [ANSWER_PAIRS] = front->pairs != NULL,
                                 [ANSWER_DIAMETER] = front->diameter,
                                 [ANSWER_CALIBRATE] = front->calibrate_s > 0};
    for (enum answer_kind k = ANSWER_ROWS + 1; k < ANSWERS; k++) {
        if (given[k] && front->answer != ANSWER_ROWS)
            cli_usage(state, "%s and %s: expected one of them, found both",
                      answer_name(front->answer), answer_name(k));
        if (given[k])
            front->answer = k;
    }
    if (front->plan && (front->answer == ANSWER_DEMAND || front->answer == ANSWER_PAIRS ||
                        front->answer == ANSWER_CALIBRATE))
        cli_usage(state, "--plan and %s: expected one of them, found both",
                  answer_name(front->answer));
    front->has_no_predecessors = front->answer != ANSWER_ROWS;
    front->solves_nothing = front->plan || front->answer != ANSWER_ROWS;
}

static void check_command_line(struct argp_state *state, struct front *front) {
    check_accessibility(state, front);
    choose_answer(state, front);
    front->loads.decay =
        front->accessibility.decays.count > 0 ? front->accessibility.decays.value[0] : 0;
    if (!front->index.wanted &&
        (front->index.options.both_directions || front->index.options.even_if_larger ||
         front->index.reweighted != NULL))
        cli_usage(state, "--both-directions, --reweight and --force: expected --index as well");
    if (front->index.reweighted != NULL && front->plan)
        cli_usage(state, "--reweight and --plan: expected one of them, found both");
    front->index.plans = front->index.wanted && front->plan;
    if (front->even_if_busy && front->calibrate_s == 0)
        cli_usage(state, "--even-if-busy: expected --calibrate as well");
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    if (key == ARGP_KEY_END) {
        check_command_line(state, state->input);
        return 0;
    }
    return option_rows_take(option_rows, key, value, state, state->input);
}

/* {"rates": {NAME: number, ...}, "file": PATH, "busy": whether other programs disturbed the
 * measurements} */
static void answer_rates(const struct rates *rates, const char *path, bool busy) {
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_open(w, "rates");
    for (enum rate r = 0; r < RATES; r++)
        json_answer_real(w, rate_limits(r)->name, rates->of[r]);
    json_write_close(w);
    json_write_any_text(w, "file", path);
    json_write_bool(w, "busy", busy);
    cli_answer_end(w);
}

/* Refuses rates if other programs disturbed the measurements, unless the user wants them even
 * so. */
static enum status judge(const struct disturbance *disturbance, bool even_if_busy,
                         struct error *err) {
    char busy[256];
    if (!disturbance->found)
        return STATUS_OK;
    snprintf(busy, sizeof busy,
             "the machine is busy: threads got %.0f %% of the processor time that they wanted, and "
             "the same work took up to %.1f times as long",
             100 * disturbance->share, disturbance->spread);
    if (!even_if_busy)
        return fail(err, STATUS_NO_RESOURCE,
                    "%s; no rates are kept (try again when it is not, with fewer --threads, or "
                    "with --even-if-busy)",
                    busy);
    fprintf(stderr, "%s: warning: %s\n", apsp_solver.program, busy);
    return STATUS_OK;
}

static enum status check_options(const void *self, const struct solver_arguments *a,
                                 struct error *err) {
    const struct front *const front = self;
    const char *const table = front->answer == ANSWER_ACCESSIBILITY ? front->accessibility.table
                              : front->answer == ANSWER_DEMAND      ? front->loads.trips
                              : front->answer == ANSWER_GRAVITY     ? front->loads.masses
                                                                    : front->pairs;
    const char *const option = answer_name(front->answer);
    RETURN_ON_FAILURE(cli_refuse_stdin_twice(option, table, "graph", a->graph, err));
    if (a->sources != NULL && *a->sources == '@')
        RETURN_ON_FAILURE(cli_refuse_stdin_twice("--sources", a->sources + 1, "table", table, err));
    return answer_check_options(front->answer, front->plan, a, err);
}

static enum status begin(void *self, const struct solver_request *request, bool *done,
                         struct error *err) {
    const struct front *front = self;
    const struct cli_verbosity *verbosity = request->verbosity;
    FILE *to = verbosity->quiet || verbosity->json ? NULL : stdout;
    struct disturbance disturbance;
    struct rates rates;
    char *path, name[PATH_MAX];
    if (front->calibrate_s == 0)
        return STATUS_OK;
    *done = true;
    enum status status;
    RETURN_ON_FAILURE(rates_path(&path, err));
    if (path == NULL)
        return fail(err, STATUS_NO_RESOURCE,
                    "cannot keep rates: expected a folder in XDG_CONFIG_HOME or HOME, found "
                    "neither");
    TRY(calibrate(request->options, front->calibrate_s, &rates, &disturbance, to, err));
    TRY(judge(&disturbance, front->even_if_busy, err));
    TRY(rates_write(path, &rates, err));
    if (verbosity->json)
        answer_rates(&rates, path, disturbance.found);
    if (to != NULL)
        fprintf(to, "kept in %s\n", printable_copy(path, name, sizeof name));
cleanup:
    free(path);
    return status;
}

/* The GPU's variant that is expected to solve, by the size of the graph; NULL if a variant of the
 * CPU is. A failure also gives NULL: it will happen again in the solve, which reports it. */
static const struct solver_variant *expected_variant(const struct solver_request *request,
                                                     int32_t vertices, int64_t edges) {
    enum { FEW = 1000 }; /* number of sources that a list is taken to have */
    const struct solver_arguments *const a = request->arguments;
    const int32_t rows = a->sources == NULL ? vertices : vertices < FEW ? vertices : FEW;
    struct plan_goal goal = plan_goal_of(request, a);
    struct rates rates;
    struct engine engine = {NULL, NULL};
    struct error err;
    if (request->variant == apsp_solver.semirings)
        return semiring_expected(a->reading.semiring, vertices, edges, rows,
                                 threads_or_default(request->options->threads));
    if (request->variant->solve != apsp_solver.variants->solve)
        return request->variant->solve == gpu_solve ? request->variant : NULL;
    goal.rows = a->sources == NULL ? 0 : rows;
    if (rates_here(&rates, &err) != STATUS_OK ||
        plan_expected(vertices, edges, request->options, &goal, &rates, &engine, &err) != STATUS_OK)
        return NULL;
    return engine.solver->uses_gpu ? engine.variant : NULL;
}

/* Returns whether a GPU is expected to find accessibility, by the size of the graph. */
static bool wakes_for_decays(const struct front *front, const struct solver_request *request,
                             int32_t vertices) {
    return front->answer == ANSWER_ACCESSIBILITY && !front->plan && apsp_solver.decays != NULL &&
           front->accessibility.decays.count > 0 && request->arguments->sources == NULL &&
           decays_pay_for_start(vertices, front->accessibility.decays.count);
}

/* Returns whether a graph is made of trees, by its size alone; each edge may be counted once or
 * both ways. Trees leave no flows to a GPU (flows/pendant_trees.h). */
static bool is_of_trees(int32_t vertices, int64_t edges) {
    return edges < vertices || edges == 2 * ((int64_t)vertices - 1);
}

/* Returns whether a GPU is expected to find betweenness, by the size of the graph. */
static bool wakes_for_flows(const struct solver_request *request, int32_t vertices, int64_t edges) {
    enum { FEW_EDGES = 8 }; /* edges of each vertex up to which elimination is expected to pay */
    const struct solver_arguments *const a = request->arguments;
    const int threads = threads_or_default(request->options->threads);
    if (!a->betweenness || a->sources != NULL || apsp_solver.flows == NULL || vertices == 0 ||
        is_of_trees(vertices, edges))
        return false;
    return edges / vertices <= FEW_EDGES
               ? flow_classes_outlast_start(vertices, threads)
               : flow_searches_outlast_start(vertices, (double)vertices + (double)edges, threads);
}

static const struct solver_variant *expected(const void *self, const struct solver_request *request,
                                             int32_t vertices, int64_t edges, bool *starts) {
    const struct front *front = self;
    const bool decays = wakes_for_decays(front, request, vertices);
    *starts = decays || !front->solves_nothing;
    request->files->gpu_follows = wakes_for_flows(request, vertices, edges);
    return decays || request->files->gpu_follows ? apsp_solver.variants
                                                 : expected_variant(request, vertices, edges);
}

static void answer_engine(struct json_writer *w, const struct prediction *p) {
    char name[64];
    json_write_open(w, NULL);
    json_write_text(w, "engine", engine_name(&p->engine, name, sizeof name));
    json_write_integer(w, "gpus", p->gpus);
    json_answer_real(w, "read_s", p->read_s);
    json_answer_real(w, "prepare_s", p->prepare_s);
    json_answer_real(w, "transfer_s", p->transfer_s);
    json_answer_real(w, "potentials_s", p->potentials_s);
    json_answer_real(w, "solve_s", p->solve_s);
    json_answer_real(w, "check_s", p->check_s);
    json_answer_real(w, "write_s", p->write_s);
    json_answer_real(w, "total_s", p->total_s);
    json_write_integer(w, "memory", (int64_t)p->memory);
    json_write_integer(w, "gpu_memory", (int64_t)p->gpu_memory);
    json_answer_text_if(w, "not_taken", p->not_taken);
    json_write_close(w);
}

/* Writes the member with the changes that would make the run fit; null if it fits. */
static void answer_advice(struct json_writer *w, const struct advice *advice) {
    if (advice->fits) {
        json_write_null(w, "advice");
        return;
    }
    json_write_open(w, "advice");
    json_write_bool(w, "npy", advice->npy);
    json_write_bool(w, "distances_only", advice->distances_only);
    json_write_bool(w, "measures", advice->measures);
    json_write_integer(w, "sources", advice->sources);
    json_write_integer(w, "vertices", advice->vertices);
    json_write_close(w);
}

/* Prints the facts that the plan rests on, and the engines in the plan's order. */
static void answer_plan(const struct solver_request *request, const struct plan *plan,
                        const struct advice *advice, const struct grid_advice *grid,
                        const struct betweenness_plan *flows) {
    const struct features *f = &plan->features;
    const struct elimination_features *e = &f->elimination;
    const struct machine *machine = &plan->machine;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", request->graph);
    json_write_integer(w, "vertices", request->files->vertices);
    json_write_integer(w, "edges", request->files->edges);
    json_answer_integer_if(w, "components", plan->parts.components > 0, plan->parts.components);
    json_answer_real(w, "reached", f->reach);
    json_answer_real_if(w, "hops", f->deep, f->hops);
    json_answer_real_if(w, "longest", f->deep, f->longest);
    json_answer_real_if(w, "fill", e->height > 0, e->fill);
    json_answer_integer_if(w, "height", e->height > 0, e->height);
    json_answer_integer_if(w, "core", e->known, e->core);
    json_answer_real_if(w, "order_s", e->pays, e->once_s);
    json_answer_real(w, "potentials_most_s", plan->potentials_most_s);
    json_write_integer(w, "threads", machine->threads);
    json_write_text(w, "instructions", isa_name(machine->isa));
    json_answer_text_if(w, "gpu", machine->has_gpu ? machine->gpu.name : NULL);
    json_answer_text_if(w, "no_gpu", machine->has_gpu ? NULL : machine->no_gpu);
    json_write_integer(w, "rows", request->needs->rows);
    json_write_integer(w, "memory_limit", (int64_t)plan->goal.room);
    json_write_integer(w, "disk", (int64_t)request->needs->disk);
    json_answer_integer_if(w, "disk_free", advice->folder[0] != '\0', (int64_t)advice->disk_free);
    json_write_bool(w, "fits", advice->fits);
    answer_advice(w, advice);
    grid_advice_answer(w, grid);
    json_write_array(w, "engines");
    for (int k = 0; k < plan->count; k++)
        answer_engine(w, &plan->of[k]);
    json_write_array_end(w);
    flow_plan_answer(w, "betweenness", flows);
    cli_answer_end(w);
}

static enum status make_plan(const struct solver_request *request, const struct graph *g,
                             struct error *err) {
    struct rates rates;
    struct plan plan;
    struct plan_trial trial;
    struct advice advice;
    struct betweenness_plan flows;
    struct grid_advice grid;
    enum status status;
    if (request->arguments->along)
        graph_note(&request->arguments->reading,
                   "the predicted seconds are without those of --along");
    if (request->flows != NULL && request->arguments->check)
        graph_note(&request->arguments->reading,
                   "the predicted seconds are without those of the proof of betweenness");
    TRY(rates_here(&rates, err));
    TRY(plan_trial_begin(&trial, request, err));
    TRY(graph_plan(request, g, &trial.goal, &rates, &plan, err));
    TRY(grid_advise(request, g, &plan, &rates, &grid, err));
    advise(request, g, &plan, &rates, &advice);
    if (request->flows != NULL)
        TRY(measured_flows_plan(request->flows, &flows, err));
    if (request->verbosity->json) {
        answer_plan(request, &plan, &advice, &grid, request->flows != NULL ? &flows : NULL);
        goto cleanup;
    }
    plan_print(&plan, NULL, stdout);
    grid_advice_print(&grid, &plan, stdout);
    if (request->flows != NULL)
        flow_plan_print("betweenness", &flows, stdout);
    advice_print(&advice, &plan, stdout);
cleanup:
    return status;
}

static enum status loaded(void *self, const struct solver_request *request, const struct graph *g,
                          bool *done, struct error *err) {
    struct front *front = self;
    *done = front->solves_nothing;
    if (front->pairs != NULL)
        return make_pairs(front->pairs, request, request->whole, err);
    if (front->loads.trips != NULL || front->loads.masses != NULL)
        return make_loads(&front->loads, request, request->whole, front->plan, err);
    if (front->accessibility.table != NULL)
        return make_accessibility(&front->accessibility, request, request->whole, front->plan, err);
    if (front->diameter)
        return make_diameter(request, request->whole, front->plan, err);
    return front->index.wanted ? make_index(&front->index, request, request->whole, err)
           : front->plan       ? make_plan(request, g, err)
                               : STATUS_OK;
}

int main(int argc, char **argv) {
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp options = {option_table, parse_option, NULL, NULL, NULL, NULL, NULL};
    struct engine_table table;
    struct front front = {.plan = false};
    option_rows_help(option_rows, OTHER_GROUP, option_table);
    engine_table_fill(&table, &apsp_solver);
    const struct solver_extension extension = {
        .self = &front,
        .options = &options,
        .only_plans = &front.solves_nothing,
        .has_no_predecessors = &front.has_no_predecessors,
        .check = check_options,
        .begin = begin,
        .expected = expected,
        .loaded = loaded,
    };
    return solver_main_extended(&table.solver, &extension, argc, argv);
}
