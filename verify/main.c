// SPDX-License-Identifier: MIT
/* verify: proves that a result is the answer to a graph, or says why it is not. */
#include "certificate/certificate.h"   // certify_reader
#include "cli/cli.h"                   // command line, errors, versions
#include "cli/json_answer.h"           // the object of --json
#include "cli/option_rows.h"           // struct option_row
#include "cli/start_threads.h"         // start_threads
#include "common/base/clock.h"         // clock_seconds
#include "common/base/memory.h"        // memory_limit_find
#include "common/base/threads.h"       // threads_or_default
#include "common/graph/graph_io.h"     // graph_read_as
#include "common/rows/result_parts.h"  // result_write_semiring
#include "common/rows/result_reader.h" // result_reader_open
#include "flows/flow_graph.h"          // flow_graph_make
#include "gpu/gpu_solver.h"            // GPU_LAUNCH
#include "index/gpu_labels.h"          // gpu_labels_select
#include "index/index.h"               // index_is_meant
#include "index/index_gpu.h"           // index_prove_rows_on_gpu
#include "index/index_prove.h"         // index_prove
#include "solve/grid.h"                // grid_apply
#include "solve/wide_distances.h"      // wide_distances_may_help
#include "verify/kept_rows.h"
#include "verify/paths.h"
#include "verify/proved_measures.h" // prove_measures

#include <errno.h> // program_invocation_short_name
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct verify_arguments {
    const char *result, *graph;
    struct graph_reading reading;
    struct cli_verbosity verbosity;
    const char *path_names[2], *tree_name; /* --path I J, --from I as given; NULL: not given */
    int32_t from, to, source;              /* vertices of --path and --from, once known; -1: none */
    bool dot;
    int32_t sample; /* number of rows of an index that are proved; 0: all */
    int device; /* GPU that proves all rows of an index; -1: the first one, if the index is large */
    int threads;
};

/* A result that is judged, and everything that the run holds. */
struct judged_result {
    struct graph graph;
    struct flow_graph flow;         /* the graph as betweenness needs it */
    struct betweenness_proof flows; /* how far betweenness was judged, if the files have it */
    uint32_t checksum;
    struct result_reader reader;
    struct kept_rows kept; /* rows that options ask for */
    bool other_graph;      /* the result names another graph */
    struct refutation refutation;
    double seconds; /* seconds that the proof took */
    struct path_tree path, tree;
};

/* argp gives an option one value; the second value is the next word. */
static void take_path(struct argp_state *state, char *value, void *to) {
    struct verify_arguments *const a = to;
    if (state->next >= state->argc)
        cli_usage(state, "--path: expected two vertices, found '%s' alone", value);
    a->path_names[0] = value;
    a->path_names[1] = state->argv[state->next++];
}

static const struct option_row option_rows[] = {
    {.name = "graph",
     .letter = 'g',
     .value = "GRAPH",
     .help = "The graph that was solved (default: " DEFAULT_GRAPH_FILE ")",
     .kind = OPTION_TEXT,
     .at = offsetof(struct verify_arguments, graph)},
    {.name = "path",
     .letter = 'p',
     .value = "I J",
     .help = "Print the shortest path from vertex I to vertex J as well",
     .take = take_path},
    {.name = "from",
     .letter = 'f',
     .value = "I",
     .help = "Print the distances and shortest paths from vertex I as well",
     .kind = OPTION_TEXT,
     .at = offsetof(struct verify_arguments, tree_name)},
    {.name = "dot",
     .help = "Print those of --from as a tree, in DOT for Graphviz",
     .kind = OPTION_FLAG,
     .at = offsetof(struct verify_arguments, dot)},
    {.name = "sample",
     .value = "K",
     .help = "Prove K rows of a distance index instead of all",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct verify_arguments, sample),
     .least = 1,
     .most = INT32_MAX},
    {.name = "device",
     .value = "N",
     .help = "Prove all rows of a distance index on GPU N (default: 0 if the index is large and "
             "there is one)",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct verify_arguments, device),
     .least = 0,
     .most = SOLVER_MAX_DEVICE},
    OPTION_THREADS(struct verify_arguments, threads),
    {.name = NULL},
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct verify_arguments *a = state->input;
    struct error err;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, &a->reading);
        break;
    case ARGP_KEY_ARG:
        if (a->result != NULL)
            cli_usage(state, "expected one result, found '%s' as well", value);
        a->result = value;
        break;
    case ARGP_KEY_END:
        if (a->result == NULL)
            cli_usage(state, "expected a result file");
        if (cli_refuse_stdin_twice("--graph", a->graph, "result", a->result, &err) != STATUS_OK)
            cli_usage(state, "%s", err.text);
        if (a->dot && a->tree_name == NULL)
            cli_usage(state, "--dot: expected --from I as well");
        if (a->dot && (a->path_names[0] != NULL || a->verbosity.json))
            cli_usage(state, "--dot: standard output is for the tree alone, not for %s as well",
                      a->verbosity.json ? "--json" : "--path");
        break;
    default:
        return option_rows_take(option_rows, key, value, state, a);
    }
    return 0;
}

/* Finds the vertices that the command line names; fails if the graph does not have them. */
static enum status find_vertices(struct verify_arguments *a, const struct graph *g,
                                 struct error *err) {
    const struct {
        const char *option, *name;
        int32_t *vertex;
    } wanted[] = {{"--path", a->path_names[0], &a->from},
                  {"--path", a->path_names[1], &a->to},
                  {"--from", a->tree_name, &a->source}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        if (wanted[k].name != NULL)
            RETURN_ON_FAILURE(naming_take(&g->naming, g->n, wanted[k].option, wanted[k].name,
                                          strlen(wanted[k].name), wanted[k].vertex, err));
    }
    return STATUS_OK;
}

enum { MAX_NOTES = 2 };

/* Collects notes on statements of a result or of measures about their graph that are impossible or
 * not true of this graph. Notes neither prove nor refute anything. `edges`: number of edges that
 * they name, -1: none. Returns the number of notes. */
static int find_notes(const struct verify_arguments *a, const struct judged_result *t,
                      const struct provenance *made, int64_t edges, struct error notes[MAX_NOTES]) {
    int count = 0;
    if (made->note[0] != '\0')
        fail(&notes[count++], STATUS_OK, "%.500s: %s", a->result, made->note);
    if (t->other_graph)
        fail(&notes[count++], STATUS_OK,
             "%.400s: made for a graph with checksum %08x; that of %.400s is %08x", a->result,
             made->checksum, a->graph, t->checksum);
    else if (edges >= 0 && edges != t->graph.edges_read)
        fail(&notes[count++], STATUS_OK,
             "%.400s: made for a graph with |E| = %lld; %.400s has %lld", a->result,
             (long long)edges, a->graph, (long long)t->graph.edges_read);
    return count;
}

/* Collects the notes of find_notes on a result. */
static int find_result_notes(const struct verify_arguments *a, const struct judged_result *t,
                             struct error notes[MAX_NOTES]) {
    const struct result *const result = &t->reader.result;
    return find_notes(a, t, &result->made, result->edges_read, notes);
}

/* Prints notes on stderr. */
static void print_notes(const struct error notes[], int count) {
    for (int k = 0; k < count; k++)
        fprintf(stderr, "%s: note: %s\n", program_invocation_short_name, notes[k].text);
}

static bool has_predecessors(const struct judged_result *t) {
    return t->reader.rows->with_pred;
}

/* Has the proof keep the row of a vertex that an option names. Fails if the result does not have
 * that row. */
static enum status keep_row(const struct verify_arguments *a, const struct judged_result *t,
                            const char *option, int32_t from, int32_t *positions, int32_t *count,
                            struct error *err) {
    const struct row_sources *const rows = &t->reader.rows->sources;
    int32_t p = rows->source == NULL ? from : 0;
    while (p < rows->count && row_source(rows, p) != from)
        p++;
    if (p >= rows->count)
        return fail(err, STATUS_BAD_INPUT, "%s: expected one of the %d sources of %.400s, found %s",
                    option, rows->count, a->result, graph_name(&t->graph, from).text);
    positions[(*count)++] = p;
    return STATUS_OK;
}

/* Has the proof keep the rows that options ask for. A result with a wrong number of vertices has
 * none. */
static enum status keep_rows(const struct verify_arguments *a, struct judged_result *t,
                             struct error *err) {
    int32_t positions[KEPT_ROWS_MAX], count = 0;
    const bool right_size = t->reader.rows->n == t->graph.n;
    if (a->from >= 0 && right_size)
        RETURN_ON_FAILURE(keep_row(a, t, "--path", a->from, positions, &count, err));
    if (a->source >= 0 && right_size)
        RETURN_ON_FAILURE(keep_row(a, t, "--from", a->source, positions, &count, err));
    return kept_rows_begin(&t->kept, &t->graph, t->reader.result.limit, t->reader.rows, positions,
                           count, err);
}

/* Checks that the proof fits into memory; a result with a wrong number of vertices needs none.
 * Unless the user asked for a number of threads, takes as many as fit. */
static enum status check_memory(struct verify_arguments *a, const struct judged_result *t,
                                struct error *err) {
    const struct graph *g = &t->graph;
    const struct matrix *const dist = &t->reader.result.dist;
    const bool pred = has_predecessors(t);
    const uint64_t room = memory_room();
    if (dist->n != g->n)
        return STATUS_OK;
    for (int threads = certificate_threads(g->n, g->m, dist->rows, a->threads);; threads--) {
        const struct memory_part parts[] = {
            {"for the result",
             dist->cell != NULL ? matrix_memory_of_answer(g->type, dist->rows, dist->n, pred) : 0,
             1},
            {"for the graph", graph_memory_of(g->type, g->n, g->m), 1},
            {"to read the result", result_reader_memory(&t->reader, threads, CERTIFICATE_ROWS), 0},
            {"to prove it", certificate_memory(g->type, g->n, g->m, dist->rows, pred, threads), 0},
        };
        enum { PARTS = sizeof parts / sizeof *parts };
        const bool fits = memory_needed(parts, PARTS) <= memory_add(memory_held(), room);
        if (!fits && threads > 1 && a->threads == 0)
            continue;
        if (a->threads == 0 && fits && threads < certificate_threads(g->n, g->m, dist->rows, 0))
            a->threads = threads;
        return memory_check(a->result, g->n, parts, PARTS, err);
    }
}

/* Proves the result. A refutation comes with notes on the result, which may explain it. */
/* Rounds the graph's weights as the weights behind the result were rounded, unless options say how
 * to round. Prints a note. */
static enum status round_as(const struct verify_arguments *a, struct judged_result *t,
                            const struct provenance *made, struct error *err) {
    static const struct grid_purpose rows = {.is_strict = true};
    const double asked = a->reading.grid == GRID_AUTO ? made->grid : a->reading.grid;
    struct grid_rounding rounding;
    char line[GRID_TEXT];
    RETURN_ON_FAILURE(grid_apply(&t->graph, asked, &rows, &rounding, NULL, err));
    if (rounding.changed > 0)
        graph_note(&a->reading, grid_text(&rounding, line));
    return STATUS_OK;
}

/* Returns whether a result of the graph may have int64 distances. */
static bool may_widen(const struct verify_arguments *a, const struct judged_result *t) {
    return t->graph.type == NUMBER_INT32 && t->graph.semiring == SEMIRING_MIN_PLUS &&
           a->reading.type == READ_BY_WEIGHTS;
}

/* Replaces the graph by one of float64 that stands for the same integers, for int64 distances. */
static enum status widen(struct judged_result *t, struct error *err) {
    struct graph wide;
    RETURN_ON_FAILURE(graph_widen(&t->graph, &wide, err));
    graph_free(&t->graph);
    t->graph = wide;
    return STATUS_OK;
}

static enum status prove(struct verify_arguments *a, struct judged_result *t, struct error *err) {
    const struct provenance *made = &t->reader.result.made;
    struct progress progress;
    RETURN_ON_FAILURE(round_as(a, t, made, err));
    t->checksum = graph_checksum(&t->graph);
    t->other_graph = made->has_checksum && made->checksum != t->checksum;
    RETURN_ON_FAILURE(result_check_ids(a->result, &t->reader.result, &t->graph, err));
    RETURN_ON_FAILURE(keep_rows(a, t, err));
    RETURN_ON_FAILURE(check_memory(a, t, err));
    const double start = clock_seconds();
    progress_start(&progress, "proof");
    progress.unit = "rows";
    const enum status status =
        certify_reader(&t->graph, &t->kept.reader, t->reader.result.limit, a->threads,
                       a->verbosity.quiet ? NULL : &progress, &t->refutation, err);
    progress_finish(&progress);
    t->seconds = clock_seconds() - start;
    if (status == STATUS_REFUTED) {
        struct error reason = *err, notes[MAX_NOTES];
        const int count = t->other_graph ? 0 : find_result_notes(a, t, notes);
        fail(err, status, "%s is refuted: %.700s%s%s", a->result, reason.text,
             t->other_graph ? "; this result belongs to another graph than " : "",
             t->other_graph ? a->graph : "");
        for (int k = 0; k < count; k++) {
            reason = *err;
            fail(err, status, "%s; note: %s", reason.text, notes[k].text);
        }
    }
    return status;
}

/* Finds the trees that options ask for in the kept rows, which have the order of the options. */
static enum status find_paths(const struct verify_arguments *a, struct judged_result *t,
                              struct error *err) {
    struct path_tree *const trees[] = {&t->path, &t->tree};
    const int32_t from[] = {a->from, a->source};
    int32_t row = 0;
    for (int k = 0; k < 2; k++) {
        if (from[k] < 0)
            continue;
        RETURN_ON_FAILURE(path_tree_find(
            &t->graph, from[k], t->reader.result.limit, matrix_row_cells(&t->kept.dist, row),
            has_predecessors(t) ? matrix_row(&t->kept.pred, row) : NULL, trees[k], err));
        row++;
    }
    return STATUS_OK;
}

/* Prints the lines of --verbose: on the proof, and on the result's origin as far as it names it. */
static void print_considered(const struct verify_arguments *a, const struct judged_result *t,
                             FILE *to) {
    const struct graph *g = &t->graph;
    const struct provenance *made = &t->reader.result.made;
    const double n = g->n, rows = t->reader.result.dist.rows;
    char name[PATH_MAX];
    fprintf(to, "graph    %s: |V| = %d, |E| = %lld, checksum %08x\n",
            printable_copy(a->graph, name, sizeof name), g->n, (long long)g->edges_read,
            t->checksum);
    fprintf(to, "edges    %lld kept, weights %.15g .. %.15g\n", (long long)g->m, g->min_weight,
            g->max_weight);
    if (made->has_checksum)
        fprintf(to, "made for checksum %08x\n", made->checksum);
    fprintf(to, "check (a) the %.0f entries by themselves\n", rows * n);
    fprintf(to, "check (b) the last edge of every path, %s\n",
            has_predecessors(t) ? "given by the predecessors" : "which must be tight");
    fprintf(to, "check (c) no edge is a shortcut: %.0f comparisons\n", rows * (double)g->m);
    const int threads = threads_or_default(a->threads);
    fprintf(to, "proof_s  %.6g on %s%d thread%s\n", t->seconds, threads == 1 ? "" : "up to ",
            threads, threads == 1 ? "" : "s");
}

/* Returns "vertex" or "vertices". */
static const char *vertices(int32_t count) {
    return count == 1 ? "vertex" : "vertices";
}

static void print_verdict(const struct verify_arguments *a, const struct judged_result *t) {
    FILE *to = a->dot ? stderr : stdout; /* DOT goes to stdout, so the verdict does not */
    const struct row_sources rows = result_rows(&t->reader.result);
    char result[PATH_MAX], graph[PATH_MAX], sources[32] = "", limit[LIMIT_TEXT];
    if (rows.source != NULL)
        snprintf(sources, sizeof sources, "from %d ", rows.count);
    fprintf(to, "%s is %sproved%s for %s: all %s %sof %d %s are exact%s%s\n",
            printable_copy(a->result, result, sizeof result), cli_colour(to, CLI_GREEN),
            cli_colour(to, CLI_PLAIN), printable_copy(a->graph, graph, sizeof graph),
            has_predecessors(t) ? "distances and predecessors" : "distances", sources, t->graph.n,
            vertices(t->graph.n), limit_text(t->reader.result.limit, limit),
            semiring_phrase(t->graph.semiring));
    if (a->from >= 0 || a->source >= 0 || a->verbosity.verbose)
        cli_say_naming(to, "vertices are", &t->graph, a->graph, "");
    if (a->verbosity.verbose)
        print_considered(a, t, to);
}

static void print_proved(const struct verify_arguments *a, const struct judged_result *t) {
    struct error notes[MAX_NOTES];
    const int count = a->verbosity.quiet ? 0 : find_result_notes(a, t, notes);
    if (!a->verbosity.quiet)
        print_verdict(a, t);
    print_notes(notes, count);
    if (a->from >= 0)
        path_print(&t->path, a->to);
    if (a->source >= 0 && a->dot)
        path_tree_print_dot(&t->tree);
    else if (a->source >= 0)
        path_tree_print(&t->tree);
}

/* Writes a number of the refuted result; null if it is not known. */
static void answer_refuted(struct json_writer *w, const char *name, const struct refutation *r,
                           bool known, double number) {
    if (known)
        json_answer_number(w, name, r->type, number);
    else
        json_write_null(w, name);
}

static void answer_refutation(struct json_writer *w, const struct judged_result *t) {
    const struct refutation *r = &t->refutation;
    const char check[] = {refutation_check(r->reason), '\0'};
    const bool entry = r->reason != REFUTED_SIZE, edge = refutation_has_edge(r->reason);
    const double no_path = semiring_no_path(t->graph.semiring, r->type);
    json_write_open(w, "refutation");
    json_answer_text_if(w, "check", entry ? check : NULL);
    json_write_text(w, "reason", refutation_name(r->reason));
    json_answer_integer_if(w, "i", entry, r->i);
    json_answer_integer_if(w, "j", entry, r->j);
    answer_refuted(w, "distance", r, entry && r->distance != no_path, r->distance);
    json_answer_integer_if(w, "via", r->via != -1, r->via);
    answer_refuted(w, "via_distance", r, edge, r->via_distance);
    answer_refuted(w, "weight", r, edge, r->weight);
    json_write_bool(w, "other_graph", t->other_graph);
    json_write_close(w);
}

/* Writes the least and the greatest weight. */
static void answer_weights(struct json_writer *w, const struct graph *g) {
    json_write_array(w, "weights");
    json_answer_number(w, NULL, graph_written_type(g), g->min_weight);
    json_answer_number(w, NULL, graph_written_type(g), g->max_weight);
    json_write_array_end(w);
}

static void answer_checksum(struct json_writer *w, const char *name, bool known,
                            uint32_t checksum) {
    char text[9];
    snprintf(text, sizeof text, "%08x", checksum);
    json_answer_text_if(w, name, known ? text : NULL);
}

static void answer_notes(struct json_writer *w, const struct error notes[], int count) {
    json_write_array(w, "notes");
    for (int k = 0; k < count; k++)
        json_write_any_text(w, NULL, notes[k].text);
    json_write_array_end(w);
}

/* Prints the answer of --json to a verdict on measures. */
static void answer_measures(const struct verify_arguments *a, const struct judged_result *t,
                            const struct measures_file *file, enum status verdict,
                            const struct error *err) {
    struct error notes[MAX_NOTES];
    const int count = find_notes(a, t, &file->made, file->edges_read, notes);
    struct json_writer *const w = cli_answer(verdict, err);
    json_write_text(w, "verdict", verdict == STATUS_OK ? "proved" : "refuted");
    json_write_any_text(w, "measures", a->result);
    json_write_any_text(w, "graph", a->graph);
    json_write_integer(w, "vertices", t->graph.n);
    json_write_integer(w, "measured_vertices", file->sources.count);
    json_answer_number(w, "limit", t->graph.type, file->limit);
    result_write_semiring(w, t->graph.semiring);
    answer_checksum(w, "checksum", true, t->checksum);
    if ((file->parts & MEASURES_FLOWS) != 0)
        json_write_text(w, "betweenness", t->flows.whole ? "proved" : "checked");
    json_write_integer(w, "threads", threads_or_default(a->threads));
    json_answer_real(w, "proof_s", t->seconds);
    answer_notes(w, notes, count);
    cli_answer_end(w);
}

/* Prints the answer of --json to a verdict. */
static void answer(const struct verify_arguments *a, const struct judged_result *t,
                   enum status verdict, const struct error *err) {
    const bool proved = verdict == STATUS_OK;
    const double n = t->graph.n, rows = t->reader.result.dist.rows;
    struct error notes[MAX_NOTES];
    const int count = find_result_notes(a, t, notes);
    struct json_writer *const w = cli_answer(verdict, err);
    json_write_text(w, "verdict", proved ? "proved" : "refuted");
    json_write_any_text(w, "result", a->result);
    json_write_any_text(w, "graph", a->graph);
    json_write_integer(w, "vertices", t->graph.n);
    json_answer_integer_if(w, "vertices_from", t->graph.naming.names == NULL,
                           t->graph.naming.first);
    json_write_integer(w, "result_vertices", t->reader.result.dist.n);
    json_write_integer(w, "result_sources", t->reader.result.dist.rows);
    json_answer_number(w, "result_limit", t->graph.type, t->reader.result.limit);
    result_write_semiring(w, t->graph.semiring);
    json_write_integer(w, "edges", t->graph.edges_read);
    json_write_integer(w, "edges_kept", t->graph.m);
    answer_weights(w, &t->graph);
    json_write_integer(w, "entries", (int64_t)(rows * n));
    json_write_integer(w, "comparisons", (int64_t)(rows * (double)t->graph.m));
    answer_checksum(w, "checksum", true, t->checksum);
    answer_checksum(w, "result_checksum", t->reader.result.made.has_checksum,
                    t->reader.result.made.checksum);
    json_write_bool(w, "predecessors", has_predecessors(t));
    json_write_integer(w, "threads", threads_or_default(a->threads));
    json_answer_real(w, "proof_s", t->seconds);
    answer_notes(w, notes, count);
    if (proved)
        json_write_null(w, "refutation");
    else
        answer_refutation(w, t);
    if (proved && a->from >= 0)
        path_answer(w, &t->path, a->to);
    if (proved && a->source >= 0)
        path_tree_answer(w, &t->tree);
    cli_answer_end(w);
}

static void print_measures_verdict(const struct verify_arguments *a, const struct judged_result *t,
                                   const struct measures_file *file) {
    struct error notes[MAX_NOTES] = {{.text = ""}};
    char result[PATH_MAX], graph[PATH_MAX], limit[LIMIT_TEXT];
    const bool with_flows = (file->parts & MEASURES_FLOWS) != 0;
    printf("%s is %sproved%s for %s: all measures of %d %s are exact%s%s%s\n",
           printable_copy(a->result, result, sizeof result), cli_colour(stdout, CLI_GREEN),
           cli_colour(stdout, CLI_PLAIN), printable_copy(a->graph, graph, sizeof graph),
           file->sources.count, vertices(file->sources.count), semiring_phrase(t->graph.semiring),
           limit_text(file->limit, limit),
           !with_flows      ? ""
           : t->flows.whole ? ", and betweenness is that of its definition"
                            : "");
    if (with_flows && !t->flows.whole)
        printf("betweenness is not proved, but checked: it was found again, what flows in flows "
               "out, weights times flows are all distances, and %d sources agree with its "
               "definition\n",
               t->flows.sources);
    print_notes(notes, find_notes(a, t, &file->made, file->edges_read, notes));
}

/* Makes the graph for betweenness, rounded as the files say. */
static enum status make_flow_graph(struct judged_result *t, const struct measures_file *file,
                                   struct error *err) {
    if ((file->parts & MEASURES_FLOWS) == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(flow_graph_make(&t->graph, file->spacing > 0 ? file->spacing : GRID_AUTO,
                                      NULL, &t->flow, err));
    return t->flow.times == file->times
               ? STATUS_OK
               : fail(err, STATUS_REFUTED,
                      "%s: \"weights_times\": expected %.17g, which makes integers of the weights, "
                      "found %.17g",
                      file->json_path, t->flow.times, file->times);
}

/* Proves files of measures. */
static enum status judge_measures(const struct verify_arguments *a, struct judged_result *t,
                                  struct error *err) {
    struct measures_file file;
    enum status status = STATUS_OK;
    if (a->from >= 0 || a->source >= 0)
        return fail(
            err, STATUS_BAD_INPUT,
            "%.400s: expected a result with distances for --path and --from, found measures",
            a->result);
    TRY(measures_read(a->result, &file, err));
    if (file.integral && may_widen(a, t))
        TRY(widen(t, err));
    TRY(make_flow_graph(t, &file, err));
    TRY(round_as(a, t, &file.made, err));
    t->checksum = graph_checksum(&t->graph);
    t->other_graph = file.made.has_checksum && file.made.checksum != t->checksum;
    const double start = clock_seconds();
    status = prove_measures(&t->graph, &t->flow, &file, a->threads, &t->flows, err);
    t->seconds = clock_seconds() - start;
    if (status == STATUS_REFUTED) {
        const struct error reason = *err;
        fail(err, status, "%.400s is refuted: %.500s%s%.100s", a->result, reason.text,
             t->other_graph ? "; these measures belong to another graph than " : "",
             t->other_graph ? a->graph : "");
    }
    if ((status == STATUS_OK || status == STATUS_REFUTED) && a->verbosity.json)
        answer_measures(a, t, &file, status, err);
    else if (status == STATUS_OK && !a->verbosity.quiet)
        print_measures_verdict(a, t, &file);
cleanup:
    measures_file_free(&file);
    return status;
}

/* Refuses options that do not apply to an index (is_index) or to a result. */
static enum status check_kind(const struct verify_arguments *a, bool is_index, struct error *err) {
    if (!is_index && (a->sample > 0 || a->device >= 0))
        return fail(err, STATUS_BAD_INPUT, "--%s: expected a distance index (.apspx), found %.400s",
                    a->sample > 0 ? "sample" : "device", a->result);
    if (is_index && (a->from >= 0 || a->source >= 0))
        return fail(
            err, STATUS_BAD_INPUT,
            "%.400s: expected a result for --path and --from, found a distance index, which "
            "query answers from",
            a->result);
    return STATUS_OK;
}

/* Prints the answer of --json to a verdict on an index. */
static void answer_index(const struct verify_arguments *a, const struct judged_result *t,
                         const struct index_proving *how, enum status verdict,
                         const struct error *err) {
    struct json_writer *const w = cli_answer(verdict, err);
    json_write_text(w, "verdict", verdict == STATUS_OK ? "proved" : "refuted");
    json_write_any_text(w, "index", a->result);
    json_write_any_text(w, "graph", a->graph);
    json_write_integer(w, "vertices", t->graph.n);
    json_write_integer(w, "rows", how->rows);
    json_answer_integer_if(w, "device", how->was_on_device, how->device);
    answer_checksum(w, "checksum", true, t->checksum);
    json_write_integer(w, "threads", threads_or_default(a->threads));
    json_answer_real(w, "proof_s", t->seconds);
    cli_answer_end(w);
}

/* A thread that creates a GPU's context while the graph is read. */
struct waking {
    int device;
    bool runs;
    pthread_t thread;
};

static void *wake(void *self) {
    enum status (*const select)(int, struct error *) = GPU_LAUNCH(gpu_labels_select);
    const struct waking *const waking = self;
    struct error ignored; /* the error comes again when the device is used */
    if (select != NULL)
        (void)select(waking->device, &ignored);
    return NULL;
}

/* Starts the thread if a GPU proves the index because the user asked for it, or perhaps because the
 * index is large. */
static void waking_start(struct waking *waking, const struct verify_arguments *a) {
    enum { LARGE = 8 << 20 };
    struct stat file;
    if (a->sample > 0 || (a->device < 0 && (stat(a->result, &file) != 0 || file.st_size < LARGE)))
        return;
    waking->device = a->device >= 0 ? a->device : 0;
    waking->runs = pthread_create(&waking->thread, NULL, wake, waking) == 0;
}

static void waking_wait(struct waking *waking) {
    if (waking->runs)
        pthread_join(waking->thread, NULL);
    waking->runs = false;
}

/* The reason why the host proved rows although a device was asked for. */
static const char *reason_for_host(const struct index_proving *how, int32_t n) {
    return how->rows < n                 ? "a GPU proves all rows or none"
           : how->on_device == NULL      ? "built without CUDA"
           : how->reason.text[0] == '\0' ? "the GPU found a mistake that is none"
                                         : how->reason.text;
}

/* Rounds the graph's weights as the weights behind the index were rounded. */
static enum status round_as_index(const struct verify_arguments *a, struct judged_result *t,
                                  const struct distance_index *x, struct grid_rounding *rounding,
                                  struct error *err) {
    const bool is_auto = a->reading.grid == GRID_AUTO;
    char line[GRID_TEXT];
    *rounding = (struct grid_rounding){0};
    if (x->header.type == INDEX_INT64 && may_widen(a, t))
        RETURN_ON_FAILURE(widen(t, err));
    if (t->graph.type != index_type(x) || t->graph.type == NUMBER_INT32) /* the proof says so */
        return STATUS_OK;
    RETURN_ON_FAILURE(grid_apply(&t->graph, is_auto ? index_grid(x, &t->graph) : a->reading.grid,
                                 &index_purpose, rounding, NULL, err));
    if (rounding->changed > 0)
        graph_note(&a->reading, grid_text(rounding, line));
    return STATUS_OK;
}

/* Proves a distance index. */
static enum status judge_index(const struct verify_arguments *a, struct judged_result *t,
                               struct error *err) {
    enum { LARGE = 1 << 14 }; /* fewer vertices are proved before a GPU is ready */
    const int32_t n = t->graph.n, rows = a->sample > 0 && a->sample < n ? a->sample : n;
    struct index_proving how = {
        .rows = rows,
        .threads = a->threads,
        .device = a->device >= 0 ? a->device : 0,
    };
    if (a->device >= 0 || n >= LARGE)
        how.on_device = GPU_LAUNCH(index_prove_rows_on_gpu);
    char index[PATH_MAX], graph[PATH_MAX];
    struct distance_index x = {0};
    struct grid_rounding rounding;
    struct progress progress;
    enum status status;
    TRY(index_open(&x, a->result, err));
    if (x.naming.names == NULL && t->graph.naming.names == NULL &&
        x.naming.first != t->graph.naming.first) {
        status = fail(err, STATUS_REFUTED,
                      "%.400s is refuted: header: expected vertices numbered from %d, as %.400s "
                      "numbers them, found from %d",
                      a->result, t->graph.naming.first, a->graph, x.naming.first);
        goto cleanup;
    }
    TRY(round_as_index(a, t, &x, &rounding, err));
    how.grid_error = rounding.distance_by;
    t->checksum = graph_checksum(&t->graph);
    const double start = clock_seconds();
    progress_start(&progress, "proof");
    status = index_prove(&x, &t->graph, &how, a->verbosity.quiet ? NULL : &progress, err);
    progress_finish(&progress);
    if (a->device >= 0 && !how.was_on_device && status == STATUS_OK)
        fprintf(stderr, "verify: the rows were proved on the CPU: %s\n", reason_for_host(&how, n));
    t->seconds = clock_seconds() - start;
    if (status != STATUS_OK) {
        const struct error reason = *err;
        fail(err, status, "%.400s%s: %.600s", a->result,
             status == STATUS_REFUTED ? " is refuted" : "", reason.text);
    }
    if ((status == STATUS_OK || status == STATUS_REFUTED) && a->verbosity.json)
        answer_index(a, t, &how, status, err);
    if (status != STATUS_OK || a->verbosity.json || a->verbosity.quiet)
        goto cleanup;
    printable_copy(a->result, index, sizeof index);
    printable_copy(a->graph, graph, sizeof graph);
    if (rows < n)
        printf("%s: %d of %d rows and all merged edges are %sproved%s for %s; the other rows are "
               "not\n",
               index, rows, n, cli_colour(stdout, CLI_GREEN), cli_colour(stdout, CLI_PLAIN), graph);
    else
        printf("%s is %sproved%s for %s: all distances and merged edges of %d %s are exact\n",
               index, cli_colour(stdout, CLI_GREEN), cli_colour(stdout, CLI_PLAIN), graph, n,
               vertices(n));
cleanup:
    index_close(&x);
    return status;
}

/* Proves a result with rows. */
static enum status judge_rows(struct verify_arguments *a, struct judged_result *t,
                              struct error *err) {
    RETURN_ON_FAILURE(result_reader_open(&t->reader, a->result, t->graph.type, err));
    if (strcmp(a->result, "-") == 0 && t->reader.result.made.semiring != t->graph.semiring)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: it is of %s, which comes too late for the graph: add --semiring %s",
                    a->result, semiring_name(t->reader.result.made.semiring),
                    semiring_name(t->reader.result.made.semiring));
    if (t->reader.result.made.along[0] != '\0')
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected distances, found sums of the column '%s' along paths, which "
                    "--check of the solver proves",
                    a->result, t->reader.result.made.along);
    const enum status verdict = prove(a, t, err);
    if (verdict == STATUS_REFUTED && a->verbosity.json)
        answer(a, t, verdict, err);
    RETURN_ON_FAILURE(verdict);
    RETURN_ON_FAILURE(find_paths(a, t, err));
    if (a->verbosity.json)
        answer(a, t, STATUS_OK, err);
    else
        print_proved(a, t);
    return STATUS_OK;
}

static void free_judged(struct judged_result *t) {
    kept_rows_free(&t->kept);
    result_reader_close(&t->reader);
    path_tree_free(&t->path);
    path_tree_free(&t->tree);
}

/* Proves a result of rows, whose distances may not fit in int32. Standard input can be read only
 * once. */
static enum status judge_result(struct verify_arguments *a, struct judged_result *t,
                                struct error *err) {
    const bool is_stdin = strcmp(a->result, "-") == 0;
    if (is_stdin && may_widen(a, t) && wide_distances_may_help(&t->graph))
        RETURN_ON_FAILURE(widen(t, err));
    const enum status status = judge_rows(a, t, err);
    if (status != STATUS_BAD_INPUT || !err->is_out_of_range || is_stdin || !may_widen(a, t) ||
        !(t->reader.is_int64 || wide_distances_may_help(&t->graph)))
        return status;
    free_judged(t);
    RETURN_ON_FAILURE(widen(t, err));
    return judge_rows(a, t, err);
}

/* Finds the semiring for which the graph is read: the one that the result names, which an option
 * must not contradict, otherwise the option's. */
static enum status find_semiring(struct verify_arguments *a, bool is_index, struct error *err) {
    struct graph_reading *const how = &a->reading;
    const bool are_measures = !is_index && measures_are_meant(a->result);
    enum semiring found = SEMIRING_MIN_PLUS;
    bool says = is_index || are_measures;
    if (are_measures)
        RETURN_ON_FAILURE(measures_semiring(a->result, &found, err));
    else if (!is_index)
        RETURN_ON_FAILURE(result_reader_semiring(a->result, &says, &found, err));
    if (says && how->semiring_given && how->semiring != found)
        return fail(err, STATUS_BAD_INPUT, "--semiring: %.400s is of %s, found %s", a->result,
                    semiring_name(found), semiring_name(how->semiring));
    if (says)
        how->semiring = found;
    return STATUS_OK;
}

static enum status judge(struct verify_arguments *a, struct judged_result *t, struct error *err) {
    struct memory_limit limit;
    RETURN_ON_FAILURE(memory_limit_find(&limit, err)); /* fails if APSP_MEMORY_LIMIT is malformed */
    RETURN_ON_FAILURE(start_threads(a->threads, a->verbosity.quiet, err));
    a->reading.threads = a->threads;
    /* The reader of the graph checks that these rows fit into memory; a result as text needs more,
     * which its own reader checks. */
    a->reading.rows = CERTIFICATE_ROWS;
    const bool is_index = index_is_meant(a->result);
    struct waking waking = {0};
    RETURN_ON_FAILURE(find_semiring(a, is_index, err));
    if (is_index)
        waking_start(&waking, a);
    const enum status read = cli_explain_graph(graph_read_as(a->graph, &a->reading, &t->graph, err),
                                               a->graph, "--graph FILE", err);
    waking_wait(&waking);
    RETURN_ON_FAILURE(read);
    RETURN_ON_FAILURE(find_vertices(a, &t->graph, err));
    RETURN_ON_FAILURE(check_kind(a, is_index, err));
    if (is_index)
        return judge_index(a, t, err);
    if (measures_are_meant(a->result))
        return judge_measures(a, t, err);
    return judge_result(a, t, err);
}

int main(int argc, char **argv) {
    static const char doc[] =
        "Proves that RESULT holds the exact distances, and predecessors of shortest paths, of a "
        "graph.\v"
        "RESULT is a text result, PREFIX.dist.npy or PREFIX.npz, or PREFIX, with its partners "
        "beside it, another .npy file with distances alone, measures: PREFIX.csv, or PREFIX, "
        "with its PREFIX.json beside it, or a distance index (.apspx). GRAPH is read as the "
        "solvers read it: name it with the same --undirected, --scale, --type, --input-format "
        "and --weight-column. I and J are numbers of vertices as in GRAPH.\n\n"
        "Exit status: 0 proved, 1 refuted, 2 usage, malformed or truncated input, 4 out of memory "
        "or output that cannot be written.";
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp parser = {option_table,      parse_option, "RESULT", doc,
                                cli_graph_options, NULL,         NULL};
    struct verify_arguments a = {
        .graph = DEFAULT_GRAPH_FILE, .from = -1, .to = -1, .source = -1, .device = -1};
    struct judged_result trial = {0};
    struct error err;

    cli_start("verify");
    option_rows_help(option_rows, 1, option_table);
    cli_parse(&parser, argc, argv, &a);
    const enum status status = judge(&a, &trial, &err);
    graph_free(&trial.graph);
    flow_graph_free(&trial.flow);
    free_judged(&trial);
    return cli_end(status, &err);
}
