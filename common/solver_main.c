#include "common/solver_main.h"

#include "common/certificate.h" // certify
#include "common/cli.h"         // command line, errors, versions
#include "common/gpu_solver.h"  // gpu_name
#include "common/graph_io.h"    // graph_read_as
#include "common/memory.h"      // memory_alloc, memory_check
#include "common/result_io.h"   // result_write_text, result_write_npy
#include "common/solve.h"       // solve
#include "common/threads.h"     // threads_or_default

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPETITIONS = 1000000, MOST_THREADS = 4096, MOST_DEVICES = 1024 };

struct arguments {
    const struct solver *solver;
    const struct solver_extension *extension;
    struct solver_files files;
    const struct solver_variant *variant;
    const char *graph, *output, *csv;
    struct graph_reading reading;
    struct solver_options options;
    int repetitions;
    bool distances_only, check, npy, verbose;
};

/* What is told while it solves. */
struct report {
    FILE *to;         /* where a person reads */
    char chosen[128]; /* the variant that the one asked for took; "": itself */
    char why[8192];   /* it took that one, in lines, or "" */
};

/* What is held between loading and the end, released in one place. */
struct run {
    struct graph graph;
    struct result result;
    struct timing *timings; /* one for each repetition */
    double transfer_s;      /* median */
    bool on_gpu;            /* where it was solved */
    char device[256];       /* the GPU's name, or "" */
    struct report report;
};

enum {
    OPTION_LIST = 0x100,
    OPTION_CSV,
    OPTION_CHECK,
    OPTION_DEVICE,
    OPTION_TILE,
    OPTION_FORMAT,
    OPTION_VERBOSE
};

/* The parsers that are children of this one. */
enum { GRAPH_OPTIONS, EXTENSION, CHILDREN };

static const struct argp_option option_table[] = {
    {"variant", 'v', "NAME", 0, "Solve with this variant (see --list-variants)", 0},
    {"list-variants", OPTION_LIST, NULL, 0, "List the variants and exit", 0},
    {"distances-only", 'd', NULL, 0, "Compute no predecessors", 0},
    {"tile", OPTION_TILE, "B", 0, "Tile size, for variants that leave it open", 0},
    {"threads", 't', "N", 0, "Use N threads (default: one per core)", 0},
    {"device", OPTION_DEVICE, "N", 0, "Solve on GPU number N (default: 0)", 0},
    {"output", 'o', "FILE", 0, "Write the result to FILE; - is standard output", 1},
    {"format", OPTION_FORMAT, "text|npy", 0,
     "Write text, or NumPy: FILE.dist.npy, FILE.pred.npy and FILE.json (default: text)", 1},
    {"check", OPTION_CHECK, NULL, 0, "Prove the result before writing it", 1},
    {"verbose", OPTION_VERBOSE, NULL, 0, "Say why a variant that chooses took which", 1},
    {"repeat", 'r', "N", 0, "Solve N times after a warm-up; report medians", 2},
    {"csv", OPTION_CSV, "FILE", 0, "Append one row of timings per repetition to FILE", 2},
    {0},
};

static void list_variants(const struct solver *solver) {
    int width = 12;
    for (size_t v = 0; v < solver->variant_count; v++) {
        const int length = (int)strlen(solver->variants[v].name);
        width = length > width ? length : width;
    }
    for (size_t v = 0; v < solver->variant_count; v++) {
        const struct solver_variant *variant = &solver->variants[v];
        printf("%-*s %s (%s)", width, variant->name, variant->summary, variant->source);
        if (variant->max_tile > 0)
            printf("; --tile 1 .. %d, default %d", variant->max_tile, variant->default_tile);
        printf("%s\n", strcmp(variant->name, solver->default_variant) == 0 ? " [default]" : "");
    }
}

static void choose_variant(struct argp_state *state, struct arguments *a, const char *name) {
    a->variant = solver_find(a->solver, name);
    if (a->variant == NULL)
        cli_usage(state, "--variant: expected one of those that --list-variants lists, found '%s'",
                  name);
}

/* Options that contradict one another or the variant; and the default output. */
static void check_arguments(struct argp_state *state, struct arguments *a) {
    const struct solver_variant *variant = a->variant;
    if (a->options.tile > variant->max_tile) {
        if (variant->max_tile == 0)
            cli_usage(state, "--tile: variant %s has no tile size to choose", variant->name);
        else
            cli_usage(state, "--tile: expected at most %d for variant %s, found %d",
                      variant->max_tile, variant->name, a->options.tile);
    }
    if (variant->distances_only && !a->distances_only)
        cli_usage(state, "variant %s computes no predecessors: add --distances-only",
                  variant->name);
    if (a->output == NULL)
        a->output = a->npy ? a->solver->default_prefix : a->solver->default_output;
    if (a->npy && strcmp(a->output, "-") == 0)
        cli_usage(state, "--format npy writes several files and cannot go to standard output");
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_graph_options_into(state, &a->reading);
        if (a->extension != NULL)
            state->child_inputs[EXTENSION] = a->extension->self;
        break;
    case 'v':
        choose_variant(state, a, value);
        break;
    case OPTION_LIST:
        list_variants(a->solver);
        exit(STATUS_OK);
    case 'd':
        a->distances_only = true;
        break;
    case OPTION_TILE:
        a->options.tile = (int)cli_integer(state, "--tile", value, 1, 1024);
        break;
    case 't':
        a->options.threads = (int)cli_integer(state, "--threads", value, 1, MOST_THREADS);
        break;
    case OPTION_DEVICE:
        a->options.device = (int)cli_integer(state, "--device", value, 0, MOST_DEVICES);
        break;
    case 'o':
        a->output = value;
        break;
    case OPTION_FORMAT:
        if (strcmp(value, "text") != 0 && strcmp(value, "npy") != 0)
            cli_usage(state, "--format: expected text or npy, found '%s'", value);
        a->npy = strcmp(value, "npy") == 0;
        break;
    case OPTION_CHECK:
        a->check = true;
        break;
    case OPTION_VERBOSE:
        a->verbose = true;
        break;
    case 'r':
        a->repetitions = (int)cli_integer(state, "--repeat", value, 1, MOST_REPETITIONS);
        break;
    case OPTION_CSV:
        a->csv = value;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_usage(state, "expected one graph, found '%s' as well", value);
        a->graph = value;
        break;
    case ARGP_KEY_END:
        check_arguments(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Where a person reads: stderr where the result itself goes to stdout. */
static FILE *report_stream(const struct arguments *a) {
    return strcmp(a->output, "-") == 0 ? stderr : stdout;
}

/* Called back before a GPU solves, so that one who waits knows. */
static void report_memory(void *to, const struct gpu_memory *memory) {
    const struct report *report = to;
    const double gib = 1024.0 * 1024.0 * 1024.0;
    fprintf(report->to, "memory   %.2f GiB of %.2f GiB free on the GPU; up to |V| = %d fits\n",
            (double)memory->needed / gib, (double)memory->free / gib, memory->most_vertices);
    fflush(report->to);
}

static void note_choice(void *to, const char *variant, const char *why) {
    struct report *report = to;
    snprintf(report->chosen, sizeof report->chosen, "%s", variant);
    snprintf(report->why, sizeof report->why, "%s", why != NULL ? why : "");
}

static void report_failure(void *to, const char *failed, const char *reason, const char *next) {
    const struct report *report = to;
    fprintf(report->to, "note     %s failed, going on with %s: %s\n", failed, next, reason);
    fflush(report->to);
}

static struct solver_request request_of(struct arguments *a) {
    return (struct solver_request){a->variant, &a->options, !a->distances_only, &a->files};
}

static void announce(void *to, int32_t vertices, int64_t edges) {
    struct arguments *a = to;
    const struct solver_request request = request_of(a);
    a->files.vertices = vertices;
    a->files.edges = edges;
    a->extension->announced(a->extension->self, &request, vertices, edges);
}

/* Reads the graph. *done: there is nothing else to do. */
static enum status read_graph(struct arguments *a, struct run *run, bool *done, struct error *err) {
    const struct solver_extension *extension = a->extension;
    const struct solver_request request = request_of(a);
    if (extension != NULL && extension->announced != NULL) {
        a->reading.tell_size = announce;
        a->reading.tell_to = a;
    }
    enum status status = graph_read_as(a->graph, &a->reading, &run->graph, err);
    if (status == STATUS_OK)
        status = memory_check(run->graph.n, a->distances_only ? 1 : 2, a->graph, err);
    a->files.vertices = run->graph.n;
    a->files.edges = run->graph.edges_read;
    if (status == STATUS_OK && extension != NULL && extension->loaded != NULL)
        status = extension->loaded(extension->self, &request, &run->graph, done, err);
    return status;
}

/* Makes room for the result. */
static enum status allocate(const struct arguments *a, struct run *run, struct error *err) {
    struct result *result = &run->result;
    enum status status = matrix_alloc(&result->dist, run->graph.n, "distances", err);
    if (status == STATUS_OK && !a->distances_only)
        status = matrix_alloc(&result->pred, run->graph.n, "predecessors", err);
    void *timings = NULL;
    if (status == STATUS_OK)
        status = memory_alloc(&timings, (size_t)a->repetitions, sizeof *run->timings, "the timings",
                              err);
    run->timings = timings;
    return status;
}

static enum status compute(const struct arguments *a, struct run *run, struct error *err) {
    struct result *result = &run->result;
    struct solver_options options = a->options;
    options.tell_memory = report_memory;
    options.tell_choice = note_choice;
    options.tell_failure = report_failure;
    options.tell_to = &run->report;
    options.files = &a->files;
    run->report.to = report_stream(a);
    struct matrix *pred = a->distances_only ? NULL : &result->pred;
    struct progress progress;
    struct timing median;
    progress_start(&progress, a->variant->name);
    enum status status = solve(a->variant, &run->graph, &options, &result->dist, pred, &progress,
                               a->repetitions, run->timings, err);
    progress_finish(&progress);
    if (status == STATUS_OK)
        status = timing_median(run->timings, a->repetitions, &median, err);
    /* Of a program that may solve on either, only a GPU needs transfers. */
    run->on_gpu = status == STATUS_OK && a->solver->uses_gpu && median.transfer_s > 0;
    /* Only now: asking a device for its name creates the context, which total_s
     * must include. */
    if (run->on_gpu)
        status = gpu_name(a->options.device, run->device, sizeof run->device, err);
    if (status == STATUS_OK && a->check)
        status = certify(&run->graph, &result->dist, pred, a->options.threads, err);
    if (status != STATUS_OK)
        return status;

    struct provenance *made = &result->made;
    snprintf(made->program, sizeof made->program, "%s", a->solver->program);
    snprintf(made->variant, sizeof made->variant, "%s", a->variant->name);
    snprintf(made->graph, sizeof made->graph, "%s", a->graph);
    for (char *c = made->graph; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c))
            *c = '?'; /* the name goes on a line of its own */
    }
    made->checksum = graph_checksum(&run->graph);
    made->has_checksum = true;
    made->solve_s = median.solve_s;
    made->total_s = median.total_s;
    run->transfer_s = median.transfer_s;
    result->edges_read = run->graph.edges_read;
    return STATUS_OK;
}

static enum status write_result(const struct arguments *a, const struct run *run,
                                struct error *err) {
    return a->npy ? result_write_npy(a->output, &run->result, err)
                  : result_write_text(a->output, &run->result, a->options.threads, err);
}

static enum status write_timings(const struct arguments *a, const struct run *run,
                                 struct error *err) {
    const struct timing_rows rows = {
        .program = a->solver->program,
        .variant = a->variant->name,
        .graph = a->graph,
        .vertices = run->graph.n,
        .edges = run->graph.edges_read,
        .checksum = run->result.made.checksum,
        .predecessors = !a->distances_only,
        .threads = run->on_gpu            ? 0
                   : a->variant->parallel ? threads_or_default(a->options.threads)
                                          : 1,
        .tile = a->options.tile != 0 ? a->options.tile : a->variant->default_tile,
        .device = run->device,
        .checked = a->check,
        .repetitions = a->repetitions,
        .timings = run->timings,
    };
    return timing_append_csv(a->csv, &rows, err);
}

/* Line by line. */
static void print_why(const char *why, FILE *to) {
    const char *head = "why";
    for (size_t length; *why != '\0'; why += length + (why[length] != '\0'), head = "") {
        length = strcspn(why, "\n");
        fprintf(to, "%-9s%.*s\n", head, (int)length, why);
    }
}

static void print_report(const struct arguments *a, const struct run *run) {
    FILE *to = run->report.to;
    const struct provenance *made = &run->result.made;
    fprintf(to, "graph    %s\n", a->graph);
    fprintf(to, "|V|      %d\n", run->graph.n);
    fprintf(to, "|E|      %lld\n", (long long)run->graph.edges_read);
    fprintf(to, "variant  %s%s%s\n", a->variant->name, run->report.chosen[0] != '\0' ? ": " : "",
            run->report.chosen);
    if (a->verbose)
        print_why(run->report.why, to);
    if (run->device[0] != '\0')
        fprintf(to, "device   %s\n", run->device);
    if (a->repetitions > 1)
        fprintf(to, "repeated %d times, medians:\n", a->repetitions);
    fprintf(to, "solve_s  %.6g\n", made->solve_s);
    fprintf(to, "total_s  %.6g\n", made->total_s);
    if (run->on_gpu)
        fprintf(to, "transfer %.1f %% of total_s\n", 100 * run->transfer_s / made->total_s);
    if (a->check)
        fprintf(to, "checked  proved: all distances%s are exact\n",
                a->distances_only ? "" : " and predecessors");
    fprintf(to, "output   %s%s\n", a->output,
            !a->npy             ? ""
            : a->distances_only ? ".dist.npy, .json"
                                : ".dist.npy, .pred.npy, .json");
}

static enum status solve_and_write(const struct arguments *a, struct run *run, struct error *err) {
    enum status status = allocate(a, run, err);
    if (status == STATUS_OK)
        status = compute(a, run, err);
    if (status == STATUS_OK)
        status = write_result(a, run, err);
    if (status == STATUS_OK && a->csv != NULL)
        status = write_timings(a, run, err);
    if (status == STATUS_OK)
        print_report(a, run);
    return status;
}

int solver_main(const struct solver *solver, int argc, char **argv) {
    return solver_main_extended(solver, NULL, argc, argv);
}

int solver_main_extended(const struct solver *solver, const struct solver_extension *extension,
                         int argc, char **argv) {
    struct arguments a = {
        .solver = solver,
        .extension = extension,
        .variant = solver_find(solver, solver->default_variant),
        .graph = DEFAULT_GRAPH_FILE,
        .repetitions = 1,
    };
    struct run run = {0};
    struct error err;
    char doc[1024];
    snprintf(doc, sizeof doc,
             "%s.\v"
             "Reads GRAPH (default %s; - is standard input; thesis text, DIMACS .gr, Matrix "
             "Market or GAP .wel, plain or gzip, told apart by the content) and writes all "
             "distances and predecessors to FILE (default %s).\n\nExit status: 0 done, 1 refuted "
             "by --check, "
             "2 usage or bad input, 3 negative cycle, 4 out of memory, no usable GPU or output "
             "that cannot be written.",
             solver->summary, DEFAULT_GRAPH_FILE, solver->default_output);
    const struct argp_child children[CHILDREN + 1] = {
        [GRAPH_OPTIONS] = cli_graph_options[0],
        [EXTENSION] = {extension != NULL ? extension->options : NULL, 0, NULL, 0},
    };
    const struct argp parser = {option_table, parse_option, "[GRAPH]", doc, children, NULL, NULL};

    cli_start(solver->program);
    cli_parse(&parser, argc, argv, &a);
    const struct solver_request request = request_of(&a);
    bool done = false;
    enum status status = STATUS_OK;
    if (extension != NULL && extension->begin != NULL)
        status = extension->begin(extension->self, &request, &done, &err);
    if (status == STATUS_OK && !done)
        status = read_graph(&a, &run, &done, &err);
    if (status == STATUS_OK && !done)
        status = solve_and_write(&a, &run, &err);
    if (extension != NULL && extension->end != NULL)
        extension->end(extension->self);
    graph_free(&run.graph);
    result_free(&run.result);
    free(run.timings);
    return cli_end(status, &err);
}
