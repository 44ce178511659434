// SPDX-License-Identifier: MIT
/* graphgen: random graphs by density, and graphs of families. */
#include "cli/cli.h"               // command line, errors, versions
#include "cli/json_answer.h"       // the object of --json
#include "cli/option_rows.h"       // struct option_row
#include "common/base/memory.h"    // memory_limit_find
#include "common/base/output.h"    // output_is_stdout
#include "common/graph/graph_io.h" // DEFAULT_GRAPH_FILE
#include "graphgen/families.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t default_seed = 1;

struct graphgen_arguments {
    struct family_request request; /* a random graph needs only request.graph */
    const struct graph_layout *layout;
    const char *density, *edges, *output;
    const char *degree, *cut_exponent, *towns, *one_way, *dimensions;
    bool weights; /* --weights was given */
    struct cli_verbosity verbosity;
};

static char names_of_families[256];

static void take_weights(struct argp_state *state, char *text, void *to) {
    struct graphgen_arguments *const a = to;
    struct graph_description *const graph = &a->request.graph;
    /* The first character must not be the colon, so the search starts at the second. */
    char *colon = *text != '\0' ? strchr(text + 1, ':') : NULL;
    if (colon == NULL)
        cli_usage(state, "--weights: expected LO:HI, found '%s'", text);
    *colon = '\0';
    graph->lowest = (int32_t)cli_integer(state, "--weights", text, INT32_MIN, INT32_MAX);
    graph->highest = (int32_t)cli_integer(state, "--weights", colon + 1, INT32_MIN, INT32_MAX);
    if (graph->lowest > graph->highest)
        cli_usage(state, "--weights: expected LO <= HI, found %d:%d", graph->lowest,
                  graph->highest);
    a->weights = true;
}

static void take_vertices(struct argp_state *state, char *value, void *to) {
    struct graphgen_arguments *const a = to;
    a->request.graph.n = (int32_t)cli_integer(state, "--v", value, 1, INT32_MAX);
}

static void take_family(struct argp_state *state, char *value, void *to) {
    struct graphgen_arguments *const a = to;
    a->request.family = family_find(value);
    if (a->request.family == NULL)
        cli_usage(state, "--family: expected one of %s, found '%s'", names_of_families, value);
}

static void take_format(struct argp_state *state, char *value, void *to) {
    struct graphgen_arguments *const a = to;
    a->layout = graph_layout_find(value);
    if (a->layout == NULL)
        cli_usage(state, "--format: expected one of " GRAPH_LAYOUTS ", found '%s'", value);
}

static const struct option_row option_rows[] = {
    {.name = "v",
     .letter = 'v',
     .value = "N",
     .help = "Number of vertices (required)",
     .take = take_vertices},
    {.name = "vertices"},
    {.name = "density",
     .letter = 'd',
     .value = "D",
     .help = "Fraction of all n(n-1) directed edges, as 2% or 0.02; or a class of the published "
             "schedule: dense, medium or sparse",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, density)},
    {.name = "edges",
     .letter = 'e',
     .value = "M",
     .help = "Number of edges, instead of a density",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, edges)},
    {.help = "Graphs of families:"},
    {.name = "family",
     .value = "FAMILY",
     .help = "A graph of this family, instead of a density; see below",
     .take = take_family},
    {.name = "degree",
     .value = "K",
     .help = "Degree, of which each family says what it means",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, degree)},
    {.name = "dimensions",
     .value = "2|3",
     .help = "Points in a square (the default) or in a cube: geometric, knn",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, dimensions)},
    {.name = "cut-exponent",
     .value = "E",
     .help = "About s^E roads join the halves of a region of s crossings, 0.2 .. 0.5 (default: "
             "0.35): road",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, cut_exponent)},
    {.name = "towns",
     .value = "T",
     .help = "How unlike the densities of towns and country are, 0 .. 1 (default: 0, alike): road",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, towns)},
    {.name = "one-way",
     .value = "SHARE",
     .help = "Share of the roads between crossings that lead one way, 0 .. 1, but so that every "
             "vertex reaches every other (default: 0): road",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, one_way)},
    {.name = "undirected",
     .help = "Write each edge once, for programs that read it both ways",
     .kind = OPTION_FLAG,
     .at = offsetof(struct graphgen_arguments, request.undirected)},
    {.name = "asymmetric",
     .help = "Draw the weights of an edge's two directions independently",
     .kind = OPTION_FLAG,
     .at = offsetof(struct graphgen_arguments, request.asymmetric)},
    {.help = "Seed and weights:"},
    {.name = "seed",
     .letter = 's',
     .value = "S",
     .help = "Seed, 0 .. 2^63-1 (default: 1)",
     .kind = OPTION_SEED,
     .at = offsetof(struct graphgen_arguments, request.graph.seed)},
    {.name = "weights",
     .letter = 'w',
     .value = "LO:HI",
     .help = "Uniform weights from LO to HI (default: 1:100, or lengths if the family has them)",
     .take = take_weights},
    {.name = "decimals",
     .value = "D",
     .help = "Write the last D digits of every weight behind a point, 0 .. 9: 1:100 gives 0.01 to "
             "1.00 if D is 2",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct graphgen_arguments, request.graph.decimals),
     .least = 0,
     .most = LAYOUT_MAX_DECIMALS},
    {.name = "no-negative-cycle",
     .help = "With negative LO: draw weights so that shortest paths exist",
     .kind = OPTION_FLAG,
     .at = offsetof(struct graphgen_arguments, request.graph.no_negative_cycle)},
    {.help = "What is written:"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write to FILE; - is standard output (default: " DEFAULT_GRAPH_FILE ")",
     .kind = OPTION_TEXT,
     .at = offsetof(struct graphgen_arguments, output)},
    {.name = "format",
     .value = GRAPH_LAYOUTS,
     .help = "Write thesis text (default), DIMACS, Matrix Market, GAP's or SNAP's list of edges, a "
             "table with a header, or a TNTP network",
     .take = take_format},
    OPTION_NO_SYNC,
    {.name = NULL},
};

/* Finishes a random graph: finds the number of edges by --density or --edges. */
static void finish_random(struct argp_state *state, struct graphgen_arguments *a) {
    struct graph_description *graph = &a->request.graph;
    const bool for_families = a->degree != NULL || a->dimensions != NULL ||
                              a->cut_exponent != NULL || a->towns != NULL || a->one_way != NULL ||
                              a->request.undirected || a->request.asymmetric;
    if ((a->density == NULL) == (a->edges == NULL))
        cli_usage(state, "expected either --density or --edges, or --family");
    if (for_families)
        cli_usage(state, "--degree, --dimensions, --cut-exponent, --towns, --one-way, --undirected "
                         "and --asymmetric need --family");
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
}

/* Returns the value of an option in thousandths. `text` must be in lowest .. highest and a multiple
 * of `step`; if it is NULL, the value is `usual`. */
static int64_t thousandths(struct argp_state *state, const char *option, const char *text,
                           int64_t lowest, int64_t highest, int64_t step, int64_t usual) {
    char numbers[3][32];
    int64_t value;
    if (text == NULL)
        return usual;
    if (thousandths_read(text, &value) && value >= lowest && value <= highest && value % step == 0)
        return value;
    const char *low = thousandths_write(lowest, numbers[0], sizeof numbers[0]);
    const char *high = thousandths_write(highest, numbers[1], sizeof numbers[1]);
    if (step == 1)
        cli_usage(state,
                  "%s: expected a number in %s .. %s, with at most three decimals, found '%s'",
                  option, low, high, text);
    cli_usage(state, "%s: expected a multiple of %s in %s .. %s, found '%s'", option,
              thousandths_write(step, numbers[2], sizeof numbers[2]), low, high, text);
}

static void refuse_unless(struct argp_state *state, const struct graphgen_arguments *a, bool has,
                          const char *option, const char *text) {
    if (text != NULL && !has)
        cli_usage(state, "%s: the family %s has none", option, a->request.family->name);
}

/* The greatest power of two that is at most n. */
static int32_t power_of_two_below(int32_t n) {
    while ((n & (n - 1)) != 0)
        n &= n - 1;
    return n;
}

/* Finishes a family: checks its parameters and sets those that were not given. */
static void finish_family(struct argp_state *state, struct graphgen_arguments *a) {
    struct family_request *r = &a->request;
    const struct family *family = r->family;
    char option[64];
    if (a->density != NULL || a->edges != NULL)
        cli_usage(state, "expected either --family or --density or --edges");
    refuse_unless(state, a, family->degree.meaning != NULL, "--degree", a->degree);
    refuse_unless(state, a, family->dimensions, "--dimensions", a->dimensions);
    refuse_unless(state, a, family->cut_exponent, "--cut-exponent", a->cut_exponent);
    refuse_unless(state, a, family->streets, "--towns", a->towns);
    refuse_unless(state, a, family->streets, "--one-way", a->one_way);
    if (family->power_of_two && (r->graph.n & (r->graph.n - 1)) != 0)
        cli_usage(state, "--v of %s: expected a power of two such as %d, found %d", family->name,
                  power_of_two_below(r->graph.n), r->graph.n);
    if (r->asymmetric && (family->one_way || r->undirected))
        cli_usage(state, "--asymmetric: expected edges in both directions");
    if (family->degree.meaning != NULL) {
        snprintf(option, sizeof option, "--degree of %s", family->name);
        r->degree = thousandths(state, option, a->degree, family->degree.lowest,
                                family->degree.highest, family->degree.step, family->degree.usual);
    }
    r->cut_exponent = thousandths(state, "--cut-exponent", a->cut_exponent, CUT_EXPONENT_LOWEST,
                                  CUT_EXPONENT_HIGHEST, 1, CUT_EXPONENT_USUAL);
    r->towns = thousandths(state, "--towns", a->towns, 0, TOWNS_HIGHEST, 1, 0);
    r->one_way = thousandths(state, "--one-way", a->one_way, 0, ONE_WAY_HIGHEST, 1, 0);
    if (r->one_way > 0 && r->undirected)
        cli_usage(state, "--one-way: expected edges in both directions, not --undirected");
    r->dimensions = 2;
    if (a->dimensions != NULL)
        r->dimensions = (int)cli_integer(state, "--dimensions", a->dimensions, 2, 3);
    r->lengths = family->lengths && !a->weights;
    if (r->lengths && r->asymmetric)
        cli_usage(state, "--asymmetric: lengths are the same in both directions; expected "
                         "--weights");
}

static void finish_arguments(struct argp_state *state, struct graphgen_arguments *a) {
    const struct graph_description *graph = &a->request.graph;
    if (graph->n == 0)
        cli_usage(state, "expected a number of vertices: --v N");
    if (a->request.family != NULL)
        finish_family(state, a);
    else
        finish_random(state, a);
    if (graph->no_negative_cycle && graph->lowest < 0 && graph->highest < 0)
        cli_usage(state, "--no-negative-cycle: expected HI >= 0, found %d", graph->highest);
    if (a->verbosity.json && output_is_stdout(a->output))
        cli_usage(state, "--json: standard output is taken by the graph (--output %s)", a->output);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct graphgen_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, NULL);
        break;
    case ARGP_KEY_ARG:
        cli_usage(state, "expected options only, found '%s'", value);
        break;
    case ARGP_KEY_END:
        finish_arguments(state, a);
        break;
    default:
        return option_rows_take(option_rows, key, value, state, a);
    }
    return 0;
}

/* Returns the number of edges in percent of all possible edges. */
static double percentage(const struct graph_description *graph) {
    const int64_t pairs = graph_pairs(graph->n);
    return pairs > 0 ? 100 * (double)graph->edges / (double)pairs : 0;
}

/* Prints the family and its parameters: "road, degree 2.76, ...". */
static void print_family(FILE *to, const struct family_request *r) {
    char number[32];
    fprintf(to, "family   %s", r->family->name);
    if (r->family->degree.meaning != NULL)
        fprintf(to, ", degree %s", thousandths_write(r->degree, number, sizeof number));
    if (r->family->dimensions)
        fprintf(to, ", %d dimensions", r->dimensions);
    if (r->family->cut_exponent)
        fprintf(to, ", cut exponent %s", thousandths_write(r->cut_exponent, number, sizeof number));
    if (r->towns > 0)
        fprintf(to, ", towns %s", thousandths_write(r->towns, number, sizeof number));
    if (r->one_way > 0)
        fprintf(to, ", one way %s", thousandths_write(r->one_way, number, sizeof number));
    fputc('\n', to);
}

static void print_considered(const struct graphgen_arguments *a) {
    const struct graph_description *graph = &a->request.graph;
    FILE *to = output_is_stdout(a->output) ? stderr : stdout;
    char name[PATH_MAX];
    fprintf(to, "graph    %s (%s)\n", printable_copy(a->output, name, sizeof name),
            a->layout->name);
    if (a->request.family != NULL)
        print_family(to, &a->request);
    fprintf(to, "|V|      %d\n", graph->n);
    fprintf(to, "|E|      %lld, %.4g %% of all", (long long)graph->edges, percentage(graph));
    if (a->request.family == NULL)
        fprintf(to, ", by %s %s", a->edges != NULL ? "--edges" : "--density",
                a->edges != NULL ? a->edges : a->density);
    if (a->request.lengths)
        fprintf(to, "\nweights  lengths\n");
    else
        fprintf(to, "\nweights  %d .. %d%s\n", graph->lowest, graph->highest,
                graph->no_negative_cycle ? ", no negative cycle" : "");
    if (graph->decimals > 0)
        fprintf(to, "decimals %d\n", graph->decimals);
    fprintf(to, "seed     %llu\n", (unsigned long long)graph->seed);
}

/* Writes the members for --json that only graphs of families have. */
static void report_family(struct json_writer *w, const struct family_request *r) {
    json_write_text(w, "family", r->family->name);
    if (r->family->degree.meaning != NULL)
        json_answer_real(w, "degree", (double)r->degree / THOUSANDTHS);
    if (r->family->dimensions)
        json_write_integer(w, "dimensions", r->dimensions);
    if (r->family->cut_exponent)
        json_answer_real(w, "cut_exponent", (double)r->cut_exponent / THOUSANDTHS);
    if (r->family->streets) {
        json_answer_real(w, "towns", (double)r->towns / THOUSANDTHS);
        json_answer_real(w, "one_way", (double)r->one_way / THOUSANDTHS);
    }
    if (r->family->drops)
        json_write_integer(w, "dropped", r->dropped);
    json_write_bool(w, "lengths", r->lengths);
    json_write_bool(w, "undirected", r->undirected);
    json_write_bool(w, "asymmetric", r->asymmetric);
}

static void report_json(const struct graphgen_arguments *a) {
    const struct graph_description *graph = &a->request.graph;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "output", a->output);
    json_write_text(w, "format", a->layout->name);
    json_write_integer(w, "vertices", graph->n);
    json_write_integer(w, "edges", graph->edges);
    json_answer_real(w, "percent", percentage(graph));
    if (!a->request.lengths) {
        json_write_array(w, "weights");
        json_write_integer(w, NULL, graph->lowest);
        json_write_integer(w, NULL, graph->highest);
        json_write_array_end(w);
    }
    if (graph->decimals > 0)
        json_write_integer(w, "decimals", graph->decimals);
    json_write_integer(w, "seed", (int64_t)graph->seed);
    json_write_bool(w, "no_negative_cycle", graph->no_negative_cycle);
    if (a->request.family != NULL)
        report_family(w, &a->request);
    cli_answer_end(w);
}

/* Prints how many of the edges that a family drew are not in the graph. */
static void note_dropped(const struct family_request *r) {
    const long long drawn = family_draws(r);
    if (r->dropped > 0)
        fprintf(stderr,
                "graphgen: note: %lld of %lld drawn edges are left: loops and repeated ones are "
                "dropped\n",
                drawn - (long long)r->dropped, drawn);
}

static enum status write_graph(struct graphgen_arguments *a, struct error *err) {
    struct output out;
    enum status status = output_open(&out, a->output, err);
    if (status != STATUS_OK)
        return status;
    if (a->request.family != NULL)
        status = family_write(&a->request, a->layout, &out, err);
    else
        status = graph_generate(&a->request.graph, a->layout, &out, err);
    if (status == STATUS_OK)
        status = output_commit(&out, err);
    output_discard(&out);
    return status;
}

/* Returns the text that --help prints before the options and, after a vertical tab, behind them. */
static const char *describe(char *text, size_t size) {
    static char summaries[2048];
    family_names(names_of_families, sizeof names_of_families);
    family_summaries(summaries, sizeof summaries);
    snprintf(text, size,
             "Writes a random directed graph: distinct edges, no self-loops, all such graphs "
             "equally likely; or a graph of a family, such as roads. The same options give the "
             "same graph on every machine.\v%s",
             summaries);
    return text;
}

int main(int argc, char **argv) {
    char doc[4096];
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp parser = {
        option_table,          parse_option, NULL, describe(doc, sizeof doc),
        cli_verbosity_options, NULL,         NULL};
    struct graphgen_arguments a = {
        .layout = graph_layout_find("text"),
        .request.graph = {.seed = default_seed, .lowest = 1, .highest = 100},
        .output = DEFAULT_GRAPH_FILE,
    };
    struct memory_limit limit;
    struct error err;

    option_rows_help(option_rows, 1, option_table);
    cli_start("graphgen");
    cli_parse(&parser, argc, argv, &a);
    enum status status = memory_limit_find(&limit, &err); /* the limit may be malformed */
    if (status == STATUS_OK)
        status = write_graph(&a, &err);
    if (status == STATUS_OK && !a.verbosity.json && !a.verbosity.quiet)
        note_dropped(&a.request);
    if (status == STATUS_OK && a.verbosity.json)
        report_json(&a);
    else if (status == STATUS_OK && a.verbosity.verbose)
        print_considered(&a);
    return cli_end(status, &err);
}
