// SPDX-License-Identifier: MIT
#include "cli/solver_report.h"

#include "measures/json.h"  // measures_answer
#include "measures/print.h" // measures_print

#include "cli/json_answer.h"          // the object of --json
#include "common/base/memory.h"       // memory_amount, memory_peak
#include "common/base/output.h"       // output_is_stdout
#include "common/base/threads.h"      // threads_or_default
#include "common/rows/result_files.h" // NPY_FILES
#include "common/rows/result_parts.h" // result_write_grid
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
        (t->gpus > 0 && memory->device == t->memory[0].device)) /* second report: another solve */
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

/* The reasons for the choice of the variant that solved, or "". */
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

/* Prints the lines that --verbose adds about the input and how it was treated. */
static void print_considered(const struct solver_arguments *a, const struct solver_run *run) {
    FILE *to = run->events.to;
    const struct graph *g = &run->graph;
    fprintf(to, "checksum %08x\n", run->result.made.checksum);
    fprintf(to, "edges    %lld kept: the %s of parallel ones, no loops\n", (long long)g->m,
            semiring_wants_greatest(g->semiring) ? "heaviest" : "lightest");
    fprintf(to, "weights  %.15g .. %.15g%s\n", g->min_weight, g->max_weight,
            g->min_weight < 0 && g->semiring == SEMIRING_MIN_PLUS
                ? ": made non-negative by Bellman-Ford potentials"
                : "");
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
    } files[] = {{a->format.npz ? RESULT_NPZ_SUFFIX : RESULT_DIST_SUFFIX, true},
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

/* Prints the names of the files of sums along paths. */
static void print_sums(const struct solver_arguments *a, const struct edge_columns *columns,
                       FILE *to) {
    char path[PATH_MAX], name[PATH_MAX];
    for (int c = 0; c < columns->count; c++) {
        snprintf(path, sizeof path, "%s.%s%s", a->output, columns->name[c], RESULT_DIST_SUFFIX);
        fprintf(to, "along    %s\n", printable_copy(path, name, sizeof name));
    }
}

/* Prints the names of the result's files. */
static void print_output(const struct solver_arguments *a, const struct graph *g, FILE *to) {
    char name[PATH_MAX];
    const char *suffixes[NPY_FILES];
    const int count = a->format.npy ? find_suffixes(a, g, suffixes) : 0;
    fprintf(to, "output   %s", printable_copy(a->output, name, sizeof name));
    for (int f = 0; f < count; f++)
        fprintf(to, "%s%s", f == 0 ? "" : ", ", suffixes[f]);
    fputc('\n', to);
}

/* Prints the seconds of the phases of a solve, if it has phases. */
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

/* Prints the facts of each rank if `all`, otherwise only how many ranks there are. */
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

/* Prints how betweenness was found, and facts about it. */
static void print_flows(const struct solver_arguments *a, const struct solver_run *run, FILE *to) {
    const struct measured_how *const how = &run->flows_how;
    fprintf(to, "betweenness_s %.6g, by %s%s\n", how->seconds, run->flows.way,
            a->endpoints ? ", endpoints included" : "");
    if (a->check && how->proof.whole)
        fprintf(to, "checked  proved: betweenness is that of its definition (%.6g s)\n",
                how->proof_seconds);
    else if (a->check)
        fprintf(
            to,
            "checked  betweenness, not proved: what flows in flows out, weights times flows are "
            "all distances, and %d sources agree with its definition (%.6g s)\n",
            how->proof.sources, how->proof_seconds);
}

static void report_text(const struct solver_arguments *a, const struct solver_run *run) {
    FILE *to = run->events.to;
    const struct provenance *made = &run->result.made;
    const char *why = reason(a, run);
    char name[PATH_MAX], limit[LIMIT_TEXT], digits[NUMBER_TEXT_MAX];
    fprintf(to, "graph    %s\n", printable_copy(a->graph, name, sizeof name));
    fprintf(to, "|V|      %d\n", run->graph.n);
    fprintf(to, "|E|      %lld\n", (long long)run->graph.edges_read);
    if (run->graph.semiring != SEMIRING_MIN_PLUS)
        fprintf(to, "semiring %s\n", semiring_name(run->graph.semiring));
    if (a->sources != NULL)
        fprintf(to, "sources  %d\n", run->result.sources.count);
    if (a->targets != NULL)
        fprintf(to, "targets  %d\n", run->result.targets.count);
    if (a->limit < NO_LIMIT)
        fprintf(to, "limit    %s\n", limit_digits(a->limit, digits));
    if (a->resume)
        fprintf(to, "kept     %d of %d rows\n", run->resume.partial.kept, run->resume.partial.rows);
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
        fprintf(to, "checked  proved: all distances%s%s%s%s are exact\n",
                a->distances_only ? "" : " and predecessors",
                a->along ? " and sums along their paths" : "",
                a->sources == NULL ? "" : " from these sources", limit_text(a->limit, limit));
    if (a->keeps_rows)
        print_output(a, &run->graph, to);
    print_sums(a, &run->along, to);
    if (a->measures)
        measures_print(to, &run->measures);
    if (a->betweenness)
        print_flows(a, run, to);
    if (a->measures_prefix != NULL)
        fprintf(to, "measures %s.csv%s, .json\n",
                printable_copy(a->measures_prefix, name, sizeof name),
                a->betweenness ? ", .edges.csv" : "");
}

static void answer_integer(struct json_writer *w, const char *name, int value) {
    json_answer_integer_if(w, name, value != 0, value);
}

/* Writes the names of the files that were written. */
static void answer_outputs(struct json_writer *w, const struct solver_arguments *a,
                           const struct graph *g, const struct edge_columns *columns) {
    const char *suffixes[NPY_FILES];
    const int count = a->format.npy ? find_suffixes(a, g, suffixes) : 0;
    char path[PATH_MAX];
    json_write_array(w, "outputs");
    if (a->measures_prefix != NULL) {
        snprintf(path, sizeof path, "%s.csv", a->measures_prefix);
        json_write_any_text(w, NULL, path);
        if (a->betweenness) {
            snprintf(path, sizeof path, "%s.edges.csv", a->measures_prefix);
            json_write_any_text(w, NULL, path);
        }
        snprintf(path, sizeof path, "%s.json", a->measures_prefix);
        json_write_any_text(w, NULL, path);
    }
    if (a->keeps_rows && !a->format.npy)
        json_write_any_text(w, NULL, a->output);
    for (int f = 0; f < count && a->keeps_rows; f++) {
        snprintf(path, sizeof path, "%s%s", a->output, suffixes[f]);
        json_write_any_text(w, NULL, path);
    }
    for (int c = 0; c < columns->count; c++) {
        for (int f = 0; f < count; f++) {
            if (strcmp(suffixes[f], RESULT_PRED_SUFFIX) == 0)
                continue;
            snprintf(path, sizeof path, "%s.%s%s", a->output, columns->name[c], suffixes[f]);
            json_write_any_text(w, NULL, path);
        }
    }
    json_write_array_end(w);
}

/* Writes the members of a GPU's memory into a new object, which stays open. */
static void open_gpu_memory(struct json_writer *w, const char *name, const struct gpu_memory *gpu) {
    json_write_open(w, name);
    json_write_integer(w, "needed", (int64_t)gpu->needed);
    json_write_integer(w, "free", (int64_t)gpu->free);
    json_write_integer(w, "all", (int64_t)gpu->all);
    json_answer_integer_if(w, "most_vertices", gpu->max_vertices > 0, gpu->max_vertices);
}

static void answer_memory(struct json_writer *w, const struct solver_arguments *a,
                          const struct solver_run *run) {
    const struct solver_events *const events = &run->events;
    json_write_open(w, "memory");
    json_write_integer(w, "matrices", (int64_t)matrix_bytes(a, run));
    json_write_integer(w, "graph",
                       (int64_t)graph_memory_of(run->graph.type, run->graph.n, run->graph.m));
    json_write_integer(w, "workspace", (int64_t)run->workspace);
    json_write_integer(w, "needed", (int64_t)run->needed);
    json_write_integer(w, "peak", (int64_t)memory_peak());
    json_write_integer(w, "limit", (int64_t)run->limit.bytes);
    json_write_text(w, "limited_by", memory_limiter_name(run->limit.by));
    if (events->gpus > 0) {
        open_gpu_memory(w, "gpu", &events->memory[0]);
        json_write_close(w);
    } else {
        json_write_null(w, "gpu");
    }
    if (events->gpus > 1) {
        json_write_array(w, "gpus");
        for (int k = 0; k < events->gpus; k++) {
            open_gpu_memory(w, NULL, &events->memory[k]);
            json_write_integer(w, "device", events->memory[k].device);
            json_write_close(w);
        }
        json_write_array_end(w);
    } else {
        json_write_null(w, "gpus");
    }
    json_write_close(w);
}

/* Writes the seconds of each repetition, a list for each clock. */
static void answer_seconds(struct json_writer *w, const struct solver_arguments *a,
                           const struct solver_run *run) {
    static const char *const clocks[] = {"solve_s", "total_s", "transfer_s"};
    json_write_open(w, "seconds");
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++) {
        json_write_array(w, clocks[c]);
        for (int r = 0; r < a->repetitions; r++) {
            const struct timing *const timing = &run->timings[r];
            const double by_clock[] = {timing->solve_s, timing->total_s, timing->transfer_s};
            json_answer_real(w, NULL, by_clock[c]);
        }
        json_write_array_end(w);
    }
    json_write_close(w);
}

/* Writes the seconds of the phases of a solve; null if it has none. */
static void answer_phases(struct json_writer *w, const struct timing_phases *p) {
    if (p->sweep_s <= 0 && p->refine_s <= 0) {
        json_write_null(w, "phases");
        return;
    }
    json_write_open(w, "phases");
    if (p->sweep_s > 0) {
        json_answer_real(w, "order_s", p->order_s);
        json_answer_real(w, "eliminate_s", p->eliminate_s);
        json_answer_real(w, "sweep_s", p->sweep_s);
        json_answer_real(w, "prove_s", p->prove_s);
    }
    if (p->refine_s > 0) {
        json_answer_real(w, "rounded_s", p->rounded_s);
        json_answer_real(w, "refine_s", p->refine_s);
    }
    json_write_close(w);
}

/* Writes the facts of each rank; null if there is only one rank. */
static void answer_ranks(struct json_writer *w, const struct solver_run *run) {
    if (run->ranks.count <= 1) {
        json_write_null(w, "ranks");
        return;
    }
    json_write_array(w, "ranks");
    for (int r = 0; r < run->ranks.count; r++) {
        const struct rank_facts *const facts = &run->rank_rows.facts[r];
        const bool has_gpu = facts->device >= 0;
        json_write_open(w, NULL);
        json_write_any_text(w, "host", facts->host);
        json_write_integer(w, "threads", facts->threads);
        json_answer_integer_if(w, "device", has_gpu, facts->device);
        json_answer_integer_if(w, "gpu_needed", has_gpu, (int64_t)facts->needed);
        json_write_integer(w, "rows", facts->rows);
        json_write_integer(w, "peak", (int64_t)facts->held);
        json_write_close(w);
    }
    json_write_array_end(w);
}

/* Writes the least and the greatest weight. */
static void answer_weights(struct json_writer *w, const struct graph *g) {
    json_write_array(w, "weights");
    json_answer_number(w, NULL, graph_written_type(g), g->min_weight);
    json_answer_number(w, NULL, graph_written_type(g), g->max_weight);
    json_write_array_end(w);
}

/* Writes how betweenness was found; null if it was not wanted. */
static void answer_flows(struct json_writer *w, const struct solver_arguments *a,
                         const struct solver_run *run) {
    const struct measured_how *const how = &run->flows_how;
    if (!a->betweenness) {
        json_write_null(w, "betweenness");
        return;
    }
    json_write_open(w, "betweenness");
    json_write_text(w, "engine", run->flows.way);
    json_answer_real(w, "seconds", how->seconds);
    const struct grid_rounding *const rounding = &run->flow.rounding;
    const bool rounded = rounding->changed > 0;
    json_answer_number(w, "grid", NUMBER_FLOAT64, rounded ? rounding->spacing : (double)NAN);
    json_answer_number(w, "grid_error", NUMBER_FLOAT64,
                       rounded ? rounding->distance_by : (double)NAN);
    json_answer_text_if(w, "checked",
                        !a->check          ? NULL
                        : how->proof.whole ? "proved"
                                           : "conditions");
    json_answer_integer_if(w, "checked_sources", a->check, how->proof.sources);
    json_answer_real_if(w, "check_s", a->check, how->proof_seconds);
    json_write_close(w);
}

static void report_json(const struct solver_arguments *a, const struct solver_run *run) {
    const struct graph *g = &run->graph;
    const struct provenance *made = &run->result.made;
    char checksum[9];
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "graph", a->graph);
    json_write_text(w, "checksum", checksum);
    result_write_grid(w, &run->result.made);
    json_write_integer(w, "vertices", g->n);
    json_write_integer(w, "edges", g->edges_read);
    json_write_integer(w, "edges_kept", g->m);
    json_write_text(w, "type", graph_type_name(g));
    answer_weights(w, g);
    result_write_semiring(w, g->semiring);
    json_write_integer(w, "sources", vertex_list_rows(&run->result.sources, g).count);
    json_write_integer(w, "targets", vertex_list_rows(&run->result.targets, g).count);
    json_answer_number(w, "limit", graph_written_type(g), a->limit);
    json_write_text(w, "variant", a->variant->name);
    json_answer_text_if(w, "chosen", run->events.chosen);
    json_answer_text_if(w, "why", reason(a, run));
    json_write_bool(w, "predecessors", !a->distances_only);
    answer_integer(w, "threads", solver_threads(a, run));
    answer_ranks(w, run);
    json_answer_text_if(w, "route", run->events.route);
    answer_integer(w, "tile", solver_tile(a));
    json_answer_text_if(w, "device", run->device);
    answer_memory(w, a, run);
    json_write_integer(w, "repetitions", a->repetitions);
    json_answer_real(w, "solve_s", made->solve_s);
    json_answer_real(w, "total_s", made->total_s);
    json_answer_real(w, "transfer_s", run->transfer_s);
    answer_seconds(w, a, run);
    answer_phases(w, &run->phases);
    json_write_bool(w, "checked", a->check);
    json_answer_integer_if(w, "rows_kept", a->resume, run->resume.partial.kept);
    answer_outputs(w, a, &run->graph, &run->along);
    json_answer_text_if(w, "csv", a->csv);
    if (a->measures)
        json_write_json(w, "measures", run->measured.text, run->measured.size);
    else
        json_write_null(w, "measures");
    answer_flows(w, a, run);
    cli_answer_end(w);
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
    struct json_writer *const w = cli_answer(STATUS_NEGATIVE_CYCLE, err);
    json_write_open(w, "negative_cycle");
    json_write_array(w, "vertices");
    for (int32_t k = 0; k < cycle->length; k++)
        json_write_integer(w, NULL, cycle->vertices[k]);
    json_write_array_end(w);
    if (run->graph.type == NUMBER_INT32)
        json_write_integer(w, "weight", cycle->weight);
    else
        json_answer_number(w, "weight", graph_written_type(&run->graph), cycle->real_weight);
    json_write_close(w);
    cli_answer_end(w);
}

void solver_report(const struct solver_arguments *a, const struct solver_run *run) {
    if (a->verbosity.json)
        report_json(a, run);
    else if (run->events.to != NULL)
        report_text(a, run);
    else if (a->measures && a->measures_prefix == NULL) /* --measures prints even if --quiet */
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

static void answer_rate(struct json_writer *w, const char *name, double rate) {
    json_answer_real_if(w, name, rate > 0, rate);
}

static void answer_variant(struct json_writer *w, const struct solver_variant *variant) {
    const struct variant_model *model = &variant->model;
    json_write_open(w, NULL);
    json_write_text(w, "name", variant->name);
    json_write_text(w, "summary", variant->summary);
    json_write_text(w, "source", variant->source);
    json_write_bool(w, "predecessors", !variant->distances_only);
    json_write_bool(w, "parallel", variant->parallel);
    answer_integer(w, "default_tile", variant->default_tile);
    answer_integer(w, "max_tile", variant->max_tile);
    answer_integer(w, "exact_up_to", variant->exact_up_to);
    answer_integer(w, "shared_memory", model->shared_memory);
    answer_integer(w, "capability", model->capability);
    json_answer_text_if(w, "ceiling", model->ceiling);
    answer_integer(w, "ceiling_units", model->ceiling_units);
    answer_rate(w, "distances_per_s", model_relaxations(variant, false, &gpu_reference));
    answer_rate(w, "predecessors_per_s", model_relaxations(variant, true, &gpu_reference));
    json_write_close(w);
}

void solver_list_variants(const struct solver_arguments *a) {
    const struct solver *solver = a->solver;
    if (!a->verbosity.json) {
        list_text(solver);
        return;
    }
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_text(w, "default", solver->default_variant);
    json_write_array(w, "variants");
    for (size_t v = 0; v < solver->variant_count; v++)
        answer_variant(w, &solver->variants[v]);
    json_write_array_end(w);
    cli_answer_end(w);
}
