// SPDX-License-Identifier: MIT
/* graphgen: random graphs by density. */
#include "common/base/memory.h"     // memory_limit_find
#include "common/base/output.h"     // output_is_stdout
#include "common/cli/cli.h"         // command line, errors, versions
#include "common/cli/json_answer.h" // the object of --json
#include "common/graph/graph_io.h"  // DEFAULT_GRAPH_FILE
#include "graphgen/generate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t default_seed = 1;

struct arguments {
    struct graph_description graph;
    const struct graph_layout *layout;
    const char *density, *edges, *output;
    struct cli_verbosity verbosity;
};

enum { OPTION_NO_NEGATIVE_CYCLE = 0x100, OPTION_FORMAT, OPTION_NO_SYNC };

static const struct argp_option option_table[] = {
    {"v", 'v', "N", 0, "Number of vertices (required)", 0},
    {"vertices", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"density", 'd', "D", 0,
     "Fraction of all n(n-1) directed edges, as 2% or 0.02; or a class of the published schedule: "
     "dense, medium or sparse",
     0},
    {"edges", 'e', "M", 0, "Number of edges, instead of a density", 0},
    {"seed", 's', "S", 0, "Seed, 0 .. 2^63-1 (default: 1)", 1},
    {"weights", 'w', "LO:HI", 0, "Uniform weights from LO to HI (default: 1:100)", 1},
    {"no-negative-cycle", OPTION_NO_NEGATIVE_CYCLE, NULL, 0,
     "With negative LO: draw weights so that shortest paths exist", 1},
    {"output", 'o', "FILE", 0,
     "Write to FILE; - is standard output (default: " DEFAULT_GRAPH_FILE ")", 2},
    {"format", OPTION_FORMAT, GRAPH_LAYOUTS, 0,
     "Write thesis text (text, the default), DIMACS (gr), Matrix Market (mtx), GAP (wel), a SNAP "
     "edge list (snap), a table with a header (csv) or a TNTP network (tntp)",
     2},
    {"no-sync", OPTION_NO_SYNC, NULL, 0,
     "Do not wait until what is written is safe from a power cut", 2},
    {0},
};

static void parse_weights(struct argp_state *state, struct graph_description *graph, char *text) {
    /* From the second character on, so that the colon cannot be the first. */
    char *colon = *text != '\0' ? strchr(text + 1, ':') : NULL;
    if (colon == NULL)
        cli_usage(state, "--weights: expected LO:HI, found '%s'", text);
    *colon = '\0';
    graph->lowest = (int32_t)cli_integer(state, "--weights", text, INT32_MIN, INT32_MAX);
    graph->highest = (int32_t)cli_integer(state, "--weights", colon + 1, INT32_MIN, INT32_MAX);
    if (graph->lowest > graph->highest)
        cli_usage(state, "--weights: expected LO <= HI, found %d:%d", graph->lowest,
                  graph->highest);
}

static void finish_arguments(struct argp_state *state, struct arguments *a) {
    struct graph_description *graph = &a->graph;
    if (graph->n == 0)
        cli_usage(state, "expected a number of vertices: --v N");
    if ((a->density == NULL) == (a->edges == NULL))
        cli_usage(state, "expected either --density or --edges");
    if (a->edges != NULL) {
        char option[48];
        snprintf(option, sizeof option, "--edges for %d vert%s", graph->n,
                 graph->n == 1 ? "ex" : "ices");
        graph->edges = cli_integer(state, option, a->edges, 0, graph_pairs(graph->n));
    } else if (!density_edges(a->density, graph->n, &graph->edges)) {
        cli_usage(state,
                  "--density: expected a percentage such as 2%%, a fraction of at most 1 such as "
                  "0.02, dense, medium or sparse, found '%s'",
                  a->density);
    }
    if (graph->no_negative_cycle && graph->lowest < 0 && graph->highest < 0)
        cli_usage(state, "--no-negative-cycle: expected HI >= 0, found %d", graph->highest);
    if (a->verbosity.json && output_is_stdout(a->output))
        cli_usage(state, "--json: standard output is taken by the graph (--output %s)", a->output);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, NULL);
        break;
    case 'v':
        a->graph.n = (int32_t)cli_integer(state, "--v", value, 1, INT32_MAX);
        break;
    case 'd':
        a->density = value;
        break;
    case 'e':
        a->edges = value;
        break;
    case 's':
        a->graph.seed = (uint64_t)cli_integer(state, "--seed", value, 0, INT64_MAX);
        break;
    case 'w':
        parse_weights(state, &a->graph, value);
        break;
    case OPTION_NO_NEGATIVE_CYCLE:
        a->graph.no_negative_cycle = true;
        break;
    case OPTION_FORMAT:
        a->layout = graph_layout_find(value);
        if (a->layout == NULL)
            cli_usage(state, "--format: expected one of " GRAPH_LAYOUTS ", found '%s'", value);
        break;
    case OPTION_NO_SYNC:
        output_without_sync();
        break;
    case 'o':
        a->output = value;
        break;
    case ARGP_KEY_ARG:
        cli_usage(state, "expected options only, found '%s'", value);
        break;
    case ARGP_KEY_END:
        finish_arguments(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Of all possible edges, in percent. */
static double percentage(const struct graph_description *graph) {
    const int64_t pairs = graph_pairs(graph->n);
    return pairs > 0 ? 100 * (double)graph->edges / (double)pairs : 0;
}

static void print_considered(const struct arguments *a) {
    const struct graph_description *graph = &a->graph;
    FILE *to = output_is_stdout(a->output) ? stderr : stdout;
    char name[PATH_MAX];
    fprintf(to, "graph    %s (%s)\n", printable_copy(a->output, name, sizeof name),
            a->layout->name);
    fprintf(to, "|V|      %d\n", graph->n);
    fprintf(to, "|E|      %lld, %.4g %% of all, by %s %s\n", (long long)graph->edges,
            percentage(graph), a->edges != NULL ? "--edges" : "--density",
            a->edges != NULL ? a->edges : a->density);
    fprintf(to, "weights  %d .. %d%s\n", graph->lowest, graph->highest,
            graph->no_negative_cycle ? ", no negative cycle" : "");
    fprintf(to, "seed     %llu\n", (unsigned long long)graph->seed);
}

static void report_json(const struct arguments *a) {
    const struct graph_description *graph = &a->graph;
    json_answer_begin();
    json_t *answer = cli_answer(STATUS_OK, NULL);
    json_object_set_new(answer, "output", json_answer_text(a->output));
    json_object_set_new(answer, "format", json_string(a->layout->name));
    json_object_set_new(answer, "vertices", json_integer(graph->n));
    json_object_set_new(answer, "edges", json_integer(graph->edges));
    json_object_set_new(answer, "percent", json_real(percentage(graph)));
    json_object_set_new(answer, "weights", json_pack("[i, i]", graph->lowest, graph->highest));
    json_object_set_new(answer, "seed", json_integer((json_int_t)graph->seed));
    json_object_set_new(answer, "no_negative_cycle", json_boolean(graph->no_negative_cycle));
    cli_answer_print(answer);
}

int main(int argc, char **argv) {
    static const char doc[] =
        "Writes a random directed graph: distinct edges, no self-loops, all such graphs equally "
        "likely, the same graph for the same options on every machine.";
    const struct argp parser = {option_table,          parse_option, NULL, doc,
                                cli_verbosity_options, NULL,         NULL};
    struct arguments a = {
        .layout = graph_layout_find("text"),
        .graph = {.seed = default_seed, .lowest = 1, .highest = 100},
        .output = DEFAULT_GRAPH_FILE,
    };
    struct output out;
    struct memory_limit limit;
    struct error err;

    cli_start("graphgen");
    cli_parse(&parser, argc, argv, &a);
    enum status status = memory_limit_find(&limit, &err); /* which may be malformed */
    if (status == STATUS_OK)
        status = output_open(&out, a.output, &err);
    if (status == STATUS_OK) {
        status = graph_generate(&a.graph, a.layout, &out, &err);
        if (status == STATUS_OK)
            status = output_commit(&out, &err);
        output_discard(&out);
    }
    if (status == STATUS_OK && a.verbosity.json)
        report_json(&a);
    else if (status == STATUS_OK && a.verbosity.verbose)
        print_considered(&a);
    return cli_end(status, &err);
}
