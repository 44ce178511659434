// SPDX-License-Identifier: MIT
#include "cli/solver_report.h"

#include "measures/measures_io.h" // measures_print, measures_answer

#include "cli/json_answer.h"          // the object of --json
#include "common/base/memory.h"       // memory_amount, memory_peak
#include "common/base/output.h"       // output_is_stdout
#include "common/base/threads.h"      // threads_or_default
#include "common/rows/result_files.h" // NPY_FILES
#include "gpu/gpu_model.h"            // gpu_reference

#include <limits.h>
#include <string.h>

FILE *solver_report_stream(const struct solver_arguments *a) {
    if (a->verbosity.quiet || a->verbosity.json)
        return NULL;
    return output_is_stdout(a->output) ? stderr : stdout;
}

void solver_on_devices(void *context, int count) {
    struct solver_events *const events = context;
    events->gpus = 0;
    events->together = count;
}

void solver_on_memory(void *context, const struct gpu_memory *memory) {
    struct solver_events *t = context;
    char which[16] = "the GPU";
    if (t->gpus == SOLVER_MAX_TOGETHER ||
        (t->gpus > 0 && memory->device == t->memory[0].device)) /* another solve begins */
        t->gpus = 0;
    if (t->gpus > 0)
        snprintf(which, sizeof which, "GPU %d", memory->device);
    t->memory[t->gpus++] = *memory;
    if (t->to == NULL)
        return;
    fprintf(t->to, "memory   %.2f GiB of %.2f GiB free on %s", memory_gib(memory->needed),
            memory_gib(memory->free), which);
    if (memory->max_vertices > 0)
        fprintf(t->to, "; up to |V| = %d fits", memory->max_vertices);
    fputc('\n', t->to);
    fflush(t->to);
}

void solver_on_choice(void *context, const char *variant, const char *why) {
    struct solver_events *t = context;
    snprintf(t->chosen, sizeof t->chosen, "%s", variant);
    snprintf(t->why, sizeof t->why, "%s%s", t->failed, why != NULL ? why : "");
}

void solver_on_route(void *context, const char *route) {
    struct solver_events *t = context;
    snprintf(t->route, sizeof t->route, "%s", route);
}

void solver_on_failure(void *context, const char *failed, const char *reason, const char *next) {
    struct solver_events *t = context;
    snprintf(t->failed, sizeof t->failed, "%s failed: %s\n", failed, reason);
    if (t->to == NULL)
        return;
    fprintf(t->to, "note     %s failed, going on with %s: %s\n", failed, next, reason);
    fflush(t->to);
}

void solver_on_cycle(void *context, struct cycle *cycle) {
    struct solver_events *t = context;
    t->cycle = *cycle;
    *cycle = (struct cycle){0};
}

int solver_threads(const struct solver_arguments *a, const struct solver_run *run) {
    return run->on_gpu ? 0 : a->variant->parallel ? threads_or_default(a->options.threads) : 1;
}

int solver_tile(const struct solver_arguments *a) {
    return a->options.tile != 0 ? a->options.tile : a->variant->default_tile;
}

/* The reasons for the variant that solved, or "". */
static const char *reason(const struct solver_arguments *a, const struct solver_run *run) {
    if (run->events.chosen[0] != '\0')
        return run->events.why;
    return a->variant_given ? "asked for by --variant" : "the default";
}

static uint64_t matrix_bytes(const struct solver_arguments *a, const struct solver_run *run) {
    const int32_t rows = vertex_list_rows(&run->result.sources, &run->graph).count;
    const int32_t columns = vertex_list_rows(&run->result.targets, &run->graph).count;
    return run->streams
               ? 0
               : matrix_memory_of_answer(run->graph.type, rows, columns, !a->distances_only);
}

static void print_memory(const struct solver_arguments *a, const struct solver_run *run) {
    const struct {
        const char *what;
        uint64_t bytes;
    } parts[] = {
        {"matrices", matrix_bytes(a, run)},
        {"graph", graph_memory_of(run->graph.type, run->graph.n, run->graph.m)},
        {"workspace", run->workspace},
        {"held", memory_peak()},
        {"limit", run->limit.bytes},
    };
    char amount[32];
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        fprintf(run->events.to, "%s%s %s", p == 0 ? "memory   " : ", ", parts[p].what,
                memory_amount(parts[p].bytes, amount, sizeof amount));
    fprintf(run->events.to, " (%s)\n", memory_limiter_name(run->limit.by));
}

/* Prints what --verbose adds about the input and its treatment. */
static void print_considered(const struct solver_arguments *a, const struct solver_run *run) {
    FILE *to = run->events.to;
    const struct graph *g = &run->graph;
    fprintf(to, "checksum %08x\n", run->result.made.checksum);
    fprintf(to, "edges    %lld kept: the lightest of parallel ones, no loops\n", (long long)g->m);
    fprintf(to, "weights  %.15g .. %.15g%s\n", g->min_weight, g->max_weight,
            g->min_weight < 0 ? ": made non-negative by Bellman-Ford potentials" : "");
    print_memory(a, run);
    if (solver_threads(a, run) > 0)
        fprintf(to, "threads  %d\n", solver_threads(a, run));
    if (solver_tile(a) > 0)
        fprintf(to, "tile     %d\n", solver_tile(a));
}

/* Prints the reasons line by line. */
static void print_why(const char *why, FILE *to) {
    const char *head = "why";
    for (size_t length; *why != '\0'; why += length + (why[length] != '\0'), head = "") {
        length = strcspn(why, "\n");
        fprintf(to, "%-9s%.*s\n", head, (int)length, why);
    }
}

/* Finds the ends of the names of a result's NumPy files; returns their number. */
static int find_suffixes(const struct solver_arguments *a, const struct graph *g,
                         const char *suffixes[NPY_FILES]) {
    const struct {
        const char *suffix;
        bool is_written;
    } files[] = {{a->npz ? RESULT_NPZ_SUFFIX : RESULT_DIST_SUFFIX, true},
                 {RESULT_PRED_SUFFIX, !a->distances_only},
                 {RESULT_SOURCES_SUFFIX, a->sources != NULL},
                 {RESULT_TARGETS_SUFFIX, a->targets != NULL},
                 {RESULT_IDS_SUFFIX, g->naming.names != NULL},
                 {RESULT_JSON_SUFFIX, true}};
    int count = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (files[f].is_written)
            suffixes[count++] = files[f].suffix;
    }
    return count;
}

/* Prints where the result went. */
static void print_output(const struct solver_arguments *a, const struct graph *g, FILE *to) {
    char name[PATH_MAX];
    const char *suffixes[NPY_FILES];
    const int count = a->npy ? find_suffixes(a, g, suffixes) : 0;
    fprintf(to, "output   %s", printable_copy(a->output, name, sizeof name));
    for (int f = 0; f < count; f++)
        fprintf(to, "%s%s", f == 0 ? "" : ", ", suffixes[f]);
    fputc('\n', to);
}

/* Prints the parts of a solve, if it has any. */
static void print_phases(const struct timing_phases *phases, FILE *to) {
    const bool swept = phases->sweep_s > 0, refined = phases->refine_s > 0;
    if (!swept && !refined)
        return;
    fputs("phases   ", to);
    if (swept)
        fprintf(to, "order_s %.6g, eliminate_s %.6g, sweep_s %.6g", phases->order_s,
                phases->eliminate_s, phases->sweep_s);
    if (phases->prove_s > 0)
        fprintf(to, ", prove_s %.6g", phases->prove_s);
    if (refined)
        fprintf(to, "%srounded_s %.6g, refine_s %.6g", swept ? ", " : "", phases->rounded_s,
                phases->refine_s);
    fputc('\n', to);
}

/* Prints what each rank did, or only how many there are. */
static void print_ranks(const struct solver_run *run, bool all, FILE *to) {
    char amount[32], device[80] = "";
    fprintf(to, "ranks    %d with %d thread%s each\n", run->ranks.count,
            run->rank_rows.facts[0].threads, run->rank_rows.facts[0].threads > 1 ? "s" : "");
    if (all && run->events.route[0] != '\0')
        fprintf(to, "route    %s\n", run->events.route);
    for (int r = 0; r < run->ranks.count && all; r++) {
        const struct rank_facts *const facts = &run->rank_rows.facts[r];
        if (facts->device >= 0)
            snprintf(device, sizeof device, ", GPU %d of which it needs %s", facts->device,
                     memory_amount(facts->needed, amount, sizeof amount));
        fprintf(to, "rank %-4d%lld rows on %s%s, held %s\n", r, (long long)facts->rows, facts->host,
                device, memory_amount(facts->held, amount, sizeof amount));
    }
}

static void report_text(const struct solver_arguments *a, const struct solver_run *run) {
    FILE *to = run->events.to;
    const struct provenance *made = &run->result.made;
    const char *why = reason(a, run);
    char name[PATH_MAX], limit[LIMIT_TEXT], digits[NUMBER_TEXT_MAX];
    fprintf(to, "graph    %s\n", printable_copy(a->graph, name, sizeof name));
    fprintf(to, "|V|      %d\n", run->graph.n);
    fprintf(to, "|E|      %lld\n", (long long)run->graph.edges_read);
    if (a->sources != NULL)
        fprintf(to, "sources  %d\n", run->result.sources.count);
    if (a->targets != NULL)
        fprintf(to, "targets  %d\n", run->result.targets.count);
    if (a->limit < NO_LIMIT)
        fprintf(to, "limit    %s\n", limit_digits(a->limit, digits));
    if (a->resume)
        fprintf(to, "kept     %d of %d rows\n", run->partial.kept, run->partial.rows);
    cli_say_naming(to, "vertices", &run->graph, a->graph, "; from 0 in the result");
    if (a->verbosity.verbose)
        print_considered(a, run);
    fprintf(to, "variant  %s%s%s\n", a->variant->name, run->events.chosen[0] != '\0' ? ": " : "",
            run->events.chosen);
    if (a->verbosity.verbose)
        print_why(why, to);
    if (run->device[0] != '\0')
        fprintf(to, "device   %s\n", run->device);
    if (run->ranks.count > 1)
        print_ranks(run, a->verbosity.verbose, to);
    if (a->repetitions > 1)
        fprintf(to, "repeated %d times, medians:\n", a->repetitions);
    fprintf(to, "solve_s  %.6g\n", made->solve_s);
    fprintf(to, "total_s  %.6g\n", made->total_s);
    if (a->verbosity.verbose)
        print_phases(&run->phases, to);
    if (run->on_gpu)
        fprintf(to, "transfer %.1f %% of total_s\n", 100 * run->transfer_s / made->total_s);
    if (a->check)
        fprintf(to, "checked  proved: all distances%s%s%s are exact\n",
                a->distances_only ? "" : " and predecessors",
                a->sources == NULL ? "" : " from these sources", limit_text(a->limit, limit));
    if (a->keeps_rows)
        print_output(a, &run->graph, to);
    if (a->measures)
        measures_print(to, &run->measures);
    if (a->measures_prefix != NULL)
        fprintf(to, "measures %s.csv, .json\n",
                printable_copy(a->measures_prefix, name, sizeof name));
}

static json_t *text_or_null(const char *text) {
    return text != NULL && text[0] != '\0' ? json_answer_text(text) : json_null();
}

static json_t *integer_or_null(int value) {
    return value != 0 ? json_integer(value) : json_null();
}

/* The names of the files that were written. */
static json_t *outputs(const struct solver_arguments *a, const struct graph *g) {
    const char *suffixes[NPY_FILES];
    const int count = a->npy ? find_suffixes(a, g, suffixes) : 0;
    json_t *list = json_array();
    char path[PATH_MAX];
    if (a->measures_prefix != NULL) {
        snprintf(path, sizeof path, "%s.csv", a->measures_prefix);
        json_array_append_new(list, json_answer_text(path));
        snprintf(path, sizeof path, "%s.json", a->measures_prefix);
        json_array_append_new(list, json_answer_text(path));
    }
    if (!a->keeps_rows)
        return list;
    if (!a->npy)
        json_array_append_new(list, json_answer_text(a->output));
    for (int f = 0; f < count; f++) {
        snprintf(path, sizeof path, "%s%s", a->output, suffixes[f]);
        json_array_append_new(list, json_answer_text(path));
    }
    return list;
}

static json_t *gpu_memory_answer(const struct gpu_memory *gpu) {
    return json_pack("{s:I, s:I, s:I, s:o}", "needed", (json_int_t)gpu->needed, "free",
                     (json_int_t)gpu->free, "all", (json_int_t)gpu->all, "most_vertices",
                     gpu->max_vertices > 0 ? json_integer(gpu->max_vertices) : json_null());
}

static json_t *memory_answer(const struct solver_arguments *a, const struct solver_run *run) {
    const struct solver_events *const events = &run->events;
    json_t *memory =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:n, s:n}", "matrices",
                  (json_int_t)matrix_bytes(a, run), "graph",
                  (json_int_t)graph_memory_of(run->graph.type, run->graph.n, run->graph.m),
                  "workspace", (json_int_t)run->workspace, "needed", (json_int_t)run->needed,
                  "peak", (json_int_t)memory_peak(), "limit", (json_int_t)run->limit.bytes,
                  "limited_by", memory_limiter_name(run->limit.by), "gpu", "gpus");
    if (events->gpus > 0)
        json_object_set_new(memory, "gpu", gpu_memory_answer(&events->memory[0]));
    if (events->gpus <= 1)
        return memory;
    json_t *const list = json_array();
    for (int k = 0; k < events->gpus; k++) {
        json_t *const gpu = gpu_memory_answer(&events->memory[k]);
        json_object_set_new(gpu, "device", json_integer(events->memory[k].device));
        json_array_append_new(list, gpu);
    }
    json_object_set_new(memory, "gpus", list);
    return memory;
}

/* The seconds of each repetition, a list for each clock. */
static json_t *seconds(const struct solver_arguments *a, const struct solver_run *run) {
    json_t *solve_s = json_array(), *total_s = json_array(), *transfer_s = json_array();
    for (int r = 0; r < a->repetitions; r++) {
        json_array_append_new(solve_s, json_real(run->timings[r].solve_s));
        json_array_append_new(total_s, json_real(run->timings[r].total_s));
        json_array_append_new(transfer_s, json_real(run->timings[r].transfer_s));
    }
    return json_pack("{s:o, s:o, s:o}", "solve_s", solve_s, "total_s", total_s, "transfer_s",
                     transfer_s);
}

/* The parts of a solve; null if it has none. */
static json_t *phases(const struct timing_phases *p) {
    json_t *const parts = p->sweep_s > 0 || p->refine_s > 0 ? json_object() : json_null();
    if (p->sweep_s > 0) {
        json_object_set_new(parts, "order_s", json_real(p->order_s));
        json_object_set_new(parts, "eliminate_s", json_real(p->eliminate_s));
        json_object_set_new(parts, "sweep_s", json_real(p->sweep_s));
        json_object_set_new(parts, "prove_s", json_real(p->prove_s));
    }
    if (p->refine_s > 0) {
        json_object_set_new(parts, "rounded_s", json_real(p->rounded_s));
        json_object_set_new(parts, "refine_s", json_real(p->refine_s));
    }
    return parts;
}

static json_t *of_gpu(const struct rank_facts *facts, json_int_t number) {
    return facts->device >= 0 ? json_integer(number) : json_null();
}

/* What each rank did; null if there is one. */
static json_t *ranks_answer(const struct solver_run *run) {
    json_t *list = run->ranks.count > 1 ? json_array() : json_null();
    for (int r = 0; r < run->ranks.count && run->ranks.count > 1; r++) {
        const struct rank_facts *const facts = &run->rank_rows.facts[r];
        json_array_append_new(
            list, json_pack("{s:s, s:i, s:o, s:o, s:I, s:I}", "host", facts->host, "threads",
                            facts->threads, "device", of_gpu(facts, facts->device), "gpu_needed",
                            of_gpu(facts, (json_int_t)facts->needed), "rows",
                            (json_int_t)facts->rows, "peak", (json_int_t)facts->held));
    }
    return list;
}

static void report_json(const struct solver_arguments *a, const struct solver_run *run) {
    const struct graph *g = &run->graph;
    const struct provenance *made = &run->result.made;
    char checksum[9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    json_answer_begin();
    json_t *answer = cli_answer(STATUS_OK, NULL);
    json_object_set_new(answer, "graph", json_answer_text(a->graph));
    json_object_set_new(answer, "checksum", json_string(checksum));
    json_object_set_new(answer, "vertices", json_integer(g->n));
    json_object_set_new(answer, "edges", json_integer(g->edges_read));
    json_object_set_new(answer, "edges_kept", json_integer(g->m));
    json_object_set_new(answer, "weights",
                        g->type == NUMBER_INT32
                            ? json_pack("[i, i]", (int)g->min_weight, (int)g->max_weight)
                            : json_pack("[f, f]", g->min_weight, g->max_weight));
    json_object_set_new(answer, "sources",
                        json_integer(vertex_list_rows(&run->result.sources, g).count));
    json_object_set_new(answer, "targets",
                        json_integer(vertex_list_rows(&run->result.targets, g).count));
    json_object_set_new(answer, "limit", json_answer_number(g->type, a->limit));
    json_object_set_new(answer, "variant", json_string(a->variant->name));
    json_object_set_new(answer, "chosen", text_or_null(run->events.chosen));
    json_object_set_new(answer, "why", text_or_null(reason(a, run)));
    json_object_set_new(answer, "predecessors", json_boolean(!a->distances_only));
    json_object_set_new(answer, "threads", integer_or_null(solver_threads(a, run)));
    json_object_set_new(answer, "ranks", ranks_answer(run));
    json_object_set_new(answer, "route", text_or_null(run->events.route));
    json_object_set_new(answer, "tile", integer_or_null(solver_tile(a)));
    json_object_set_new(answer, "device", text_or_null(run->device));
    json_object_set_new(answer, "memory", memory_answer(a, run));
    json_object_set_new(answer, "repetitions", json_integer(a->repetitions));
    json_object_set_new(answer, "solve_s", json_real(made->solve_s));
    json_object_set_new(answer, "total_s", json_real(made->total_s));
    json_object_set_new(answer, "transfer_s", json_real(run->transfer_s));
    json_object_set_new(answer, "seconds", seconds(a, run));
    json_object_set_new(answer, "phases", phases(&run->phases));
    json_object_set_new(answer, "checked", json_boolean(a->check));
    json_object_set_new(answer, "rows_kept",
                        a->resume ? json_integer(run->partial.kept) : json_null());
    json_object_set_new(answer, "outputs", outputs(a, &run->graph));
    json_object_set_new(answer, "csv", text_or_null(a->csv));
    if (a->measures)
        json_answer_append("measures", run->measured.text, run->measured.size);
    else
        json_object_set_new(answer, "measures", json_null());
    cli_answer_print(answer);
}

/* The size of the arrays: seconds of all clocks, or the vertices of a negative cycle. */
static size_t numbers_of(const struct solver_arguments *a, const struct solver_run *run) {
    enum { CLOCKS = 3, FACTS = 6 };
    const size_t seconds = CLOCKS * (size_t)a->repetitions + FACTS * (size_t)run->ranks.count;
    const size_t vertices = run->graph.min_weight < 0 ? (size_t)run->graph.n : 0;
    return seconds > vertices ? seconds : vertices;
}

size_t solver_report_memory(const struct solver_arguments *a, const struct solver_run *run) {
    return a->verbosity.json ? json_answer_memory(numbers_of(a, run), 0) : 0;
}

enum status solver_report_reserve(const struct solver_arguments *a, const struct solver_run *run,
                                  struct error *err) {
    return a->verbosity.json ? json_answer_reserve(numbers_of(a, run), 0, err) : STATUS_OK;
}

enum status solver_report_measures(const struct solver_arguments *a, struct solver_run *run,
                                   struct error *err) {
    return a->measures && a->verbosity.json ? measures_answer(&run->measures, &run->measured, err)
                                            : STATUS_OK;
}

void solver_report_cycle(const struct solver_arguments *a, const struct solver_run *run,
                         const struct error *err) {
    const struct cycle *cycle = &run->events.cycle;
    if (!a->verbosity.json || cycle->length == 0)
        return;
    json_answer_begin();
    json_t *answer = cli_answer(STATUS_NEGATIVE_CYCLE, err), *vertices = json_array();
    for (int32_t k = 0; k < cycle->length; k++)
        json_array_append_new(vertices, json_integer(cycle->vertices[k]));
    json_object_set_new(answer, "negative_cycle",
                        json_pack("{s:o, s:o}", "vertices", vertices, "weight",
                                  run->graph.type == NUMBER_INT32
                                      ? json_integer((json_int_t)cycle->weight)
                                      : json_answer_number(run->graph.type, cycle->real_weight)));
    cli_answer_print(answer);
}

void solver_report(const struct solver_arguments *a, const struct solver_run *run) {
    if (a->verbosity.json)
        report_json(a, run);
    else if (run->events.to != NULL)
        report_text(a, run);
    else if (a->measures && a->measures_prefix == NULL) /* --quiet: they were asked for by name */
        measures_print(output_is_stdout(a->output) ? stderr : stdout, &run->measures);
}

static void list_text(const struct solver *solver) {
    for (size_t v = 0; v < solver->variant_count; v++) {
        const struct solver_variant *variant = &solver->variants[v];
        printf("%-12s %s (%s)", variant->name, variant->summary, variant->source);
        if (variant->max_tile > 0)
            printf("; --tile 1 .. %d, default %d", variant->max_tile, variant->default_tile);
        printf("%s%s\n", variant->divides ? "; divides rows among MPI's processes" : "",
               strcmp(variant->name, solver->default_variant) == 0 ? " [default]" : "");
    }
}

static json_t *rate_or_null(double rate) {
    return rate > 0 ? json_real(rate) : json_null();
}

static json_t *describe(const struct solver_variant *variant) {
    const struct variant_model *model = &variant->model;
    json_t *description = json_pack(
        "{s:s, s:s, s:s, s:b, s:b, s:o, s:o, s:o}", "name", variant->name, "summary",
        variant->summary, "source", variant->source, "predecessors", !variant->distances_only,
        "parallel", variant->parallel, "default_tile", integer_or_null(variant->default_tile),
        "max_tile", integer_or_null(variant->max_tile), "exact_up_to",
        integer_or_null(variant->exact_up_to));
    json_object_set_new(description, "shared_memory", integer_or_null(model->shared_memory));
    json_object_set_new(description, "capability", integer_or_null(model->capability));
    json_object_set_new(description, "ceiling",
                        model->ceiling != NULL ? json_string(model->ceiling) : json_null());
    json_object_set_new(description, "ceiling_units", integer_or_null(model->ceiling_units));
    json_object_set_new(description, "distances_per_s",
                        rate_or_null(model_relaxations(variant, false, &gpu_reference)));
    json_object_set_new(description, "predecessors_per_s",
                        rate_or_null(model_relaxations(variant, true, &gpu_reference)));
    return description;
}

enum status solver_list_variants(const struct solver_arguments *a, struct error *err) {
    const struct solver *solver = a->solver;
    if (!a->verbosity.json) {
        list_text(solver);
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(json_answer_reserve(0, solver->variant_count, err));
    json_answer_begin();
    json_t *answer = cli_answer(STATUS_OK, NULL), *variants = json_array();
    for (size_t v = 0; v < solver->variant_count; v++)
        json_array_append_new(variants, describe(&solver->variants[v]));
    json_object_set_new(answer, "default", json_string(solver->default_variant));
    json_object_set_new(answer, "variants", variants);
    cli_answer_print(answer);
    return STATUS_OK;
}
