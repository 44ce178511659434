/* verify: proves that a result is the answer to a graph, or says why not. */
#include "common/certificate.h" // certify, certificate_path
#include "common/cli.h"         // command line, errors, versions
#include "common/graph_io.h"    // graph_read_as
#include "common/memory.h"      // memory_alloc
#include "common/result_io.h"   // result_read

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *result, *graph;
    struct graph_reading reading;
    bool path;
    int32_t from, to;
    int threads;
};

static const struct argp_option option_table[] = {
    {"graph", 'g', "GRAPH", 0, "The graph that was solved (default: " DEFAULT_GRAPH_FILE ")", 0},
    {"path", 'p', "I J", 0, "Print the shortest path from vertex I to vertex J as well", 0},
    {"threads", 't', "N", 0, "Use N threads (default: one per core)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_graph_options_into(state, &a->reading);
        break;
    case 'g':
        a->graph = value;
        break;
    case 'p':
        /* argp gives an option one value; the second is the next word. */
        if (state->next >= state->argc)
            cli_usage(state, "--path: expected two vertices, found '%s' alone", value);
        a->path = true;
        a->from = (int32_t)cli_integer(state, "--path", value, 0, INT32_MAX);
        a->to = (int32_t)cli_integer(state, "--path", state->argv[state->next++], 0, INT32_MAX);
        break;
    case 't':
        a->threads = (int)cli_integer(state, "--threads", value, 1, 4096);
        break;
    case ARGP_KEY_ARG:
        if (a->result != NULL)
            cli_usage(state, "expected one result, found '%s' as well", value);
        a->result = value;
        break;
    case ARGP_KEY_END:
        if (a->result == NULL)
            cli_usage(state, "expected a result file");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* The certificate, and for a refutation what the recorded checksum explains. */
static enum status prove(const struct arguments *a, const struct graph *g,
                         const struct result *result, struct error *err) {
    const struct matrix *pred = result->pred.cell != NULL ? &result->pred : NULL;
    const bool other_graph =
        result->made.has_checksum && result->made.checksum != graph_checksum(g);
    enum status status = certify(g, &result->dist, pred, a->threads, err);
    if (status == STATUS_REFUTED) {
        struct error reason = *err;
        fail(err, status, "%s is refuted: %.700s%s%s", a->result, reason.text,
             other_graph ? "; this result belongs to another graph than " : "",
             other_graph ? a->graph : "");
    }
    if (status == STATUS_OK)
        printf("%s is proved for %s: all %s of %d vertices are exact\n", a->result, a->graph,
               pred != NULL ? "distances and predecessors" : "distances", g->n);
    return status;
}

static enum status print_path(const struct arguments *a, const struct graph *g,
                              const struct result *result, struct error *err) {
    if (a->from >= g->n || a->to >= g->n)
        return fail(err, STATUS_BAD_INPUT, "--path: expected vertices in 0 .. %d, found %d and %d",
                    g->n - 1, a->from, a->to);
    if (result->pred.cell == NULL)
        return fail(err, STATUS_BAD_INPUT, "--path: %s has no predecessors", a->result);
    void *vertices;
    enum status status = memory_alloc(&vertices, (size_t)g->n, sizeof(int32_t), "the path", err);
    if (status != STATUS_OK)
        return status;
    const int32_t *path = vertices;
    int32_t length;
    certificate_path(&result->pred, a->from, a->to, vertices, &length);
    if (length == 0) {
        printf("no path from %d to %d\n", a->from, a->to);
    } else {
        printf("path from %d to %d, distance %d, %d edge%s:\n", a->from, a->to,
               matrix_row(&result->dist, a->from)[a->to], length - 1, length == 2 ? "" : "s");
        for (int32_t k = 0; k + 1 < length; k++) {
            int32_t weight = g->weight[graph_find_edge(g, path[k], path[k + 1])];
            printf("%d -> %d\tweight %d\tdistance %d\n", path[k], path[k + 1], weight,
                   matrix_row(&result->dist, a->from)[path[k + 1]]);
        }
    }
    free(vertices);
    return STATUS_OK;
}

int main(int argc, char **argv) {
    static const char doc[] =
        "Proves that RESULT holds the exact distances, and predecessors of shortest paths, of a "
        "graph.\v"
        "RESULT is a text result, or PREFIX.dist.npy with its partners beside it. GRAPH is read as "
        "the solvers read it: name it with the same --undirected and --scale.\n\n"
        "Exit status: 0 proved, 1 refuted, 2 usage, malformed or truncated input, 4 out of memory "
        "or output that cannot be written.";
    const struct argp parser = {option_table,      parse_option, "RESULT", doc,
                                cli_graph_options, NULL,         NULL};
    struct arguments a = {.graph = DEFAULT_GRAPH_FILE};
    struct graph graph = {0};
    struct result result = {0};
    struct error err;

    cli_start("verify");
    cli_parse(&parser, argc, argv, &a);
    enum status status = graph_read_as(a.graph, &a.reading, &graph, &err);
    if (status == STATUS_OK)
        status = result_read(a.result, &result, &err);
    if (status == STATUS_OK)
        status = prove(&a, &graph, &result, &err);
    if (status == STATUS_OK && a.path)
        status = print_path(&a, &graph, &result, &err);
    graph_free(&graph);
    result_free(&result);
    return cli_end(status, &err);
}
