// SPDX-License-Identifier: MIT
#include "cli/solver_main.h"

#include "certificate/certificate.h" // certify
#include "cli/cli.h"                 // command line, errors, versions
#include "cli/option_rows.h"         // struct option_row
#include "cli/run_needs.h"           // run_needs_find
#include "cli/solver_inputs.h"
#include "cli/solver_ranks.h"
#include "cli/solver_report.h"
#include "cli/solver_resume.h"
#include "cli/start_threads.h"
#include "cli/timing_csv.h"           // timing_append_csv
#include "common/base/memory.h"       // memory_alloc, memory_check
#include "common/base/output.h"       // output_is_stdout
#include "common/base/text_source.h"  // text_take_real
#include "common/base/threads.h"      // threads_or_default
#include "common/graph/graph_io.h"    // graph_read_as
#include "common/graph/limit.h"       // NO_LIMIT
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "common/graph/weight_unit.h" // weight_steps
#include "common/rows/result_io.h"    // result_write_text, result_write_npy
#include "gpu/gpu_devices.h"          // gpu_devices_parse
#include "gpu/gpu_solver.h"           // gpu_name
#include "measures/write.h"           // measures_files_write
#include "solve/distance_bound.h"     // distance_bound_of_integers
#include "solve/solve.h"              // solve
#include "solve/wide_distances.h"     // wide_distances_find

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NOTE = 200 };

/* Places in the parser's children: cli_graph_options has the first two. */
enum { VERBOSITY_OPTIONS, GRAPH_OPTIONS, EXTENSION_OPTIONS, CHILDREN };

/* The result of parsing the command line. */
struct parsed {
    struct solver_arguments arguments;
    const struct solver_extension *extension;
    struct gpu_warmer warmer; /* prepares the GPU that is expected to solve */
};

/* Returns the help of an option for argp, which frees it if it is not `text`. Names of parts take
 * the place of the %s that the help of --omit has. */
static char *complete_help(int key, const char *text, void *input) {
    static const char place[] = "%s";
    char names[MEASURES_PARTS_TEXT], *whole;
    (void)key, (void)input;
    const char *const at = text != NULL ? strstr(text, place) : NULL;
    if (at == NULL)
        return (char *)(uintptr_t)text;
    if (asprintf(&whole, "%.*s%s%s", (int)(at - text), text, measures_parts_expected(names),
                 at + strlen(place)) < 0)
        return NULL;
    return whole;
}

static void take_format(struct argp_state *state, char *name, void *to) {
    struct solver_arguments *const a = to;
    const struct result_format *format;
    struct error err;
    if (result_format_find("--format", name, true, &format, &err) != STATUS_OK)
        cli_usage(state, "%s", err.text);
    a->format = *format;
    a->type = format->type;
}

/* Appends the name of a variant, unless there is no room. */
static void append_name(char *names, size_t size, const char *name) {
    const size_t used = strlen(names);
    if (used + strlen(name) + 3 < size)
        snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

/* The names of variants for a wrong name: PROGRAM:VARIANT of the program apsp, if the wrong name is
 * a VARIANT without its program; otherwise all names, if they are few. */
static const char *names_like(const struct solver *solver, const char *wrong, char *names,
                              size_t size) {
    enum { FEW = 20 };
    for (size_t v = 0; v < solver->variant_count; v++) {
        const char *const name = solver->variants[v].name, *const colon = strchr(name, ':');
        if (colon != NULL && strcmp(colon + 1, wrong) == 0)
            append_name(names, size, name);
    }
    if (names[0] != '\0')
        return names;
    if (solver->variant_count > FEW)
        return "one of those that --list-variants lists";
    for (size_t v = 0; v < solver->variant_count; v++)
        append_name(names, size, solver->variants[v].name);
    return names;
}

static void take_variant(struct argp_state *state, char *name, void *to) {
    struct solver_arguments *const a = to;
    char names[512] = "";
    a->variant = solver_find(a->solver, name);
    a->variant_given = true;
    if (a->variant == NULL)
        cli_usage(state, "--variant: expected %s, found '%s'",
                  names_like(a->solver, name, names, sizeof names), name);
}

static void take_device(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    a->options.device = (int)cli_integer(state, "--device", value, 0, SOLVER_MAX_DEVICE);
    a->options.device_count = 0;
    a->devices_given = true;
}

static void take_devices(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    struct error err;
    a->devices_given = true;
    if (gpu_devices_parse(value, &a->options, &err) != STATUS_OK)
        cli_usage(state, "--devices: %s", err.text);
}

/* Takes the words of --betweenness. */
static void take_betweenness(struct argp_state *state, char *list, void *to) {
    struct solver_arguments *const a = to;
    a->betweenness = true;
    for (const char *at = list; at != NULL;) {
        char word[16];
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), at);
        if (strcmp(word, "endpoints") == 0)
            a->endpoints = true;
        else if (!betweenness_way_find(word, &a->way))
            cli_usage(state,
                      "--betweenness: expected endpoints, searches, classes or sweeps, found '%s'",
                      list);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
}

/* Takes a limit in any of the forms that weights have. A limit above all numbers is infinite. */
static void take_limit(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    struct text_line rest = {value, value + strlen(value)};
    double limit = -1;
    if (text_take_real(&rest, NUMBER_FLOAT64, &limit) == TEXT_NO_NUMBER || rest.begin != rest.end ||
        !(limit >= 0))
        cli_usage(state, "--limit: expected a number of 0 or more, found '%s'", value);
    a->limit = limit;
}

static void take_along(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    (void)state;
    a->reading.along = value;
    a->along = true;
}

static void take_measures(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    (void)state;
    a->measures = true;
    a->measures_prefix = value;
}

static void take_omit(struct argp_state *state, char *value, void *to) {
    struct solver_arguments *const a = to;
    unsigned omitted;
    char expected[MEASURES_PARTS_TEXT];
    if (!measures_parts_find(value, &omitted))
        cli_usage(state, "--omit: expected %s, found '%s'", measures_parts_expected(expected),
                  value);
    a->measures_parts = MEASURES_ALL & ~omitted;
}

/* Options in the order of --help. */
static const struct option_row option_rows[] = {
    {.help = "Solving:"},
    {.name = "variant",
     .letter = 'v',
     .value = "NAME",
     .help = "Solve with this variant (see --list-variants)",
     .take = take_variant},
    OPTION_LIST_VARIANTS(struct solver_arguments, list),
    {.name = "distances-only",
     .letter = 'd',
     .help = "Compute no predecessors",
     .kind = OPTION_FLAG,
     .at = offsetof(struct solver_arguments, distances_only)},
    {.name = "sources",
     .value = "LIST",
     .help = "Solve for these rows only: vertices and ranges (0,17,100-199), @FILE with such "
             "lists, or random:K:SEED",
     .kind = OPTION_TEXT,
     .at = offsetof(struct solver_arguments, sources)},
    {.name = "targets",
     .value = "LIST",
     .help = "Keep distances to these vertices only, and no predecessors",
     .kind = OPTION_TEXT,
     .at = offsetof(struct solver_arguments, targets)},
    {.name = "limit",
     .value = "L",
     .help = "Leave out paths longer than L: pairs that are farther apart count as without a path",
     .take = take_limit},
    {.name = "tile",
     .value = "B",
     .help = "Tile size, for variants that leave it open",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct solver_arguments, options.tile),
     .least = 1,
     .most = 1024},
    OPTION_THREADS(struct solver_arguments, options.threads),
    {.name = "device",
     .value = "N",
     .help = "Solve on GPU number N (default: 0)",
     .take = take_device},
    {.name = "devices",
     .value = "LIST",
     .help = "Solve on several GPUs of this host together, if the variant can: 0,1 or all. Of "
             "several processes of MPI each takes one of them",
     .take = take_devices},
    {.help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write the result to FILE; - is standard output",
     .kind = OPTION_TEXT,
     .at = offsetof(struct solver_arguments, output)},
    {.name = "format",
     .value = "text|npy|npy:uint8|npy:uint16|npy:auto|npz|none",
     .help = "Write text (default); NumPy: FILE.dist.npy, FILE.pred.npy and FILE.json, with "
             "distances of 32 bits, of fewer, or of as few as hold them; SciPy's sparse matrix of "
             "finite distances: FILE.npz and FILE.json; or nothing: to prove, measure or time what "
             "does not fit anywhere",
     .take = take_format},
    {.name = "along",
     .value = "COLUMNS",
     .help =
         "Sum other columns of GRAPH along the shortest paths, as kilometres of the fastest route: "
         "columns by name or number, with commas between them. Of several shortest paths that with "
         "the least sums counts. With --format npy, sums go to FILE.COLUMN.dist.npy",
     .take = take_along},
    {.name = "measures",
     .value = "PREFIX",
     .may_be_bare = true,
     .help = "Compute eccentricities, closeness, diameter and more from the distances, without "
             "keeping these unless --output is given; print those of the graph, and write all to "
             "PREFIX.csv and PREFIX.json",
     .take = take_measures},
    {.name = "omit",
     .value = "LIST",
     .help = "Leave out measures that need every distance: %s. Without all of these, those of a "
             "road network are found many times sooner",
     .take = take_omit},
    {.name = "betweenness",
     .value = "LIST",
     .may_be_bare = true,
     .help =
         "Add betweenness to the measures: columns of vertices, and PREFIX.edges.csv. LIST: "
         "endpoints, to count pairs at their ends, too; searches, classes or sweeps, the way to "
         "find it",
     .take = take_betweenness},
    {.name = "check",
     .help = "Prove the result before writing it",
     .kind = OPTION_FLAG,
     .at = offsetof(struct solver_arguments, check)},
    {.name = "resume",
     .help = "Keep finished rows in FILE.partial, and go on if a run was interrupted there (with "
             "--format npy)",
     .kind = OPTION_FLAG,
     .at = offsetof(struct solver_arguments, resume)},
    OPTION_NO_SYNC,
    {.help = "Timing:"},
    OPTION_REPEAT(struct solver_arguments, repetitions),
    OPTION_CSV(struct solver_arguments, csv),
    {.name = NULL},
};

/* Refuses options that do not go with --betweenness. */
static void check_betweenness(struct argp_state *state, const struct solver_arguments *a) {
    if (!a->measures)
        cli_usage(state, "--betweenness: expected --measures as well, of which it is one");
    if (a->limit < NO_LIMIT)
        cli_usage(state, "--limit: expected none with --betweenness, which is of all paths");
    if (a->resume)
        cli_usage(state, "--resume: expected none with --betweenness, which is found at once");
}

/* For another semiring than min-plus, refuses options that do not go with it, sets the variant. */
static void check_semiring(struct argp_state *state, struct solver_arguments *a) {
    const char *const name = semiring_name(a->reading.semiring);
    const struct {
        const char *option;
        bool given;
        const char *instead;
    } options[] = {
        {"--variant", a->variant_given, "its graph tells the way to solve it"},
        {"--tile", a->options.tile > 0, "it has no tiles"},
        {"--limit", a->limit < NO_LIMIT, "what lies beyond can be left out of the result"},
        {"--betweenness", a->betweenness, "it is of shortest paths"},
        {"--along", a->along, "verify --path prints the edges of a path"},
        {"--resume", a->resume, "--sources solves some rows at a time"},
        {"--csv", a->csv != NULL, "--json has the times of each repetition"},
        {"--format npy:auto and its like", result_format_narrows(&a->format), "take --format npy"},
    };
    if (a->reading.semiring == SEMIRING_MIN_PLUS)
        return;
    if (a->solver->semirings == NULL)
        cli_usage(state, "--semiring: %s solves min-plus alone; apsp, cpu and cuda_sparse solve %s",
                  a->solver->program, name);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        if (options[k].given)
            cli_usage(state, "%s: expected none with --semiring %s (%s)", options[k].option, name,
                      options[k].instead);
    }
    a->variant = a->solver->semirings;
}

/* Refuses options that do not go with --format none. */
static void check_dropping(struct argp_state *state, const struct solver_arguments *a) {
    if (a->output != NULL)
        cli_usage(state, "--output: --format none writes no result");
    if (a->targets != NULL)
        cli_usage(state, "--targets: --format none keeps no distances");
    if (a->resume)
        cli_usage(state, "--resume: --format none keeps no rows");
}

/* Refuses options that do not go with --resume. */
static void check_resume(struct argp_state *state, const struct solver_arguments *a) {
    if (!a->keeps_rows)
        cli_usage(state, "--resume: --measures alone keeps no rows: add --format npy and --output");
    if (a->format.npz)
        cli_usage(state, "--resume: expected --format npy: npz is written when all is solved");
    if (!a->format.npy)
        cli_usage(state, "--resume: expected --format npy: text is written when all is solved");
    if (a->repetitions > 1)
        cli_usage(state, "--repeat: a resumed run solves only once");
    if (a->csv != NULL)
        cli_usage(state, "--csv: timings are for all rows and cannot go with --resume");
}

/* Returns whether an extension's answer has no predecessors, so that --distances-only is not
 * needed. */
static bool has_no_predecessors(const struct solver_extension *extension) {
    return extension != NULL && extension->has_no_predecessors != NULL &&
           *extension->has_no_predecessors;
}

/* The file of a list of vertices, which is given as @FILE, or NULL. */
static const char *list_file(const char *list) {
    return list != NULL && *list == '@' ? list + 1 : NULL;
}

/* Refuses "-", standard input, for more than one file that is read. */
static void check_inputs(const struct argp_state *state, const struct solver_arguments *a) {
    const char *const sources = list_file(a->sources), *const targets = list_file(a->targets);
    struct error err;
    if (cli_refuse_stdin_twice("--sources", sources, "graph", a->graph, &err) != STATUS_OK ||
        cli_refuse_stdin_twice("--targets", targets, "graph", a->graph, &err) != STATUS_OK ||
        cli_refuse_stdin_twice("--targets", targets, "list of --sources", sources, &err) !=
            STATUS_OK)
        cli_usage(state, "%s", err.text);
}

/* Refuses options that contradict one another or the variant, and sets the default output. */
static void check_arguments(struct argp_state *state, const struct solver_extension *extension,
                            struct solver_arguments *a) {
    struct error err;
    if (extension != NULL && extension->check(extension->self, a, &err) != STATUS_OK)
        cli_usage(state, "%s", err.text);
    check_semiring(state, a);
    const struct solver_variant *const variant = a->variant;
    check_inputs(state, a);
    if (a->format.drops)
        check_dropping(state, a);
    a->keeps_rows = !a->format.drops && (!a->measures || a->output != NULL);
    if ((!a->keeps_rows && a->measures) || a->targets != NULL || a->format.npz)
        a->distances_only = true;
    if (a->options.tile > variant->max_tile) {
        if (variant->max_tile == 0)
            cli_usage(state, "--tile: variant %s has no tile size to choose", variant->name);
        else
            cli_usage(state, "--tile: expected at most %d for variant %s, found %d",
                      variant->max_tile, variant->name, a->options.tile);
    }
    if (!a->devices_given && variant->chooses_devices)
        a->options.device_count = SOLVER_ALL_DEVICES;
    if (gpu_devices_check(&a->options, a->solver, variant, &err) != STATUS_OK)
        cli_usage(state, "--devices: %s", err.text);
    if (variant->distances_only && !a->distances_only && !has_no_predecessors(extension))
        cli_usage(state, "variant %s computes no predecessors: add --distances-only",
                  variant->name);
    if (a->measures_parts != MEASURES_ALL && !a->measures)
        cli_usage(state, "--omit: it is for --measures");
    if (a->betweenness)
        check_betweenness(state, a);
    if (a->targets != NULL && a->measures)
        cli_usage(state, "--targets: measures need whole rows");
    if (a->sources != NULL && a->csv != NULL)
        cli_usage(state, "--csv: timings are for all rows and cannot go with --sources");
    if (a->limit < NO_LIMIT && a->csv != NULL)
        cli_usage(state, "--csv: timings are for all distances and cannot go with --limit");
    if (a->resume)
        check_resume(state, a);
    a->unasked = a->keeps_rows && a->output == NULL && a->format.name == NULL;
    if (a->output == NULL)
        a->output = a->format.npy ? a->solver->default_prefix : a->solver->default_output;
    if (a->output[0] == '\0')
        cli_usage(state, "--output: expected the name of a file, found ''");
    if (a->csv != NULL && a->csv[0] == '\0')
        cli_usage(state, "--csv: expected the name of a file, found ''");
    if (a->measures_prefix != NULL && a->measures_prefix[0] == '\0')
        cli_usage(state, "--measures: expected the name of a file, found ''");
    if (a->format.npy && strcmp(a->output, "-") == 0)
        cli_usage(state, "--format npy writes several files and cannot go to standard output");
    if (a->verbosity.json && !a->format.npy && output_is_stdout(a->output))
        cli_usage(state, "--json: standard output is taken by the result (--output %s)", a->output);
    if (a->verbosity.json && a->csv != NULL && strcmp(a->csv, "-") != 0 && output_is_stdout(a->csv))
        cli_usage(state, "--json: standard output is taken by the timings (--csv %s)", a->csv);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct parsed *parsed = state->input;
    struct solver_arguments *a = &parsed->arguments;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, &a->reading);
        if (parsed->extension != NULL)
            state->child_inputs[EXTENSION_OPTIONS] = parsed->extension->self;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_usage(state, "expected one graph, found '%s' as well", value);
        a->graph = value;
        a->graph_given = true;
        return 0;
    case ARGP_KEY_END:
        if (!a->list)
            check_arguments(state, parsed->extension, a);
        return 0;
    default:
        return option_rows_take(option_rows, key, value, state, a);
    }
}

static struct solver_request request_of(struct parsed *parsed) {
    struct solver_arguments *a = &parsed->arguments;
    return (struct solver_request){
        .variant = a->variant,
        .options = &a->options,
        .verbosity = &a->verbosity,
        .graph = a->graph,
        .predecessors = !a->distances_only,
        .limit = a->limit,
        .files = &a->files,
        .arguments = a,
    };
}

static void wait_for_gpu(void *self) {
    struct parsed *parsed = self;
    gpu_warmer_wait(&parsed->warmer);
}

/* Called when the file has announced the size of the graph, which is read from here on: has the GPU
 * prepare meanwhile. */
static void announce(void *to, int32_t vertices, int64_t edges) {
    struct parsed *parsed = to;
    struct solver_arguments *const a = &parsed->arguments;
    const struct solver_extension *const extension = parsed->extension;
    const struct solver_request request = request_of(parsed);
    const struct solver_variant *expected = a->solver->uses_gpu ? a->variant : NULL;
    bool starts = true;
    if (extension != NULL)
        expected = extension->expected(extension->self, &request, vertices, edges, &starts);
    a->files.warming_up = expected != NULL;
    if (expected == NULL || !starts)
        return;
    a->files.warming_up = gpu_warmer_start(&parsed->warmer, expected, a->options.device);
    a->files.wait = wait_for_gpu;
    a->files.self = parsed;
}

static struct result_layout layout_of(const struct solver_arguments *a,
                                      const struct solver_run *run) {
    return (struct result_layout){.n = run->graph.n,
                                  .naming = run->graph.naming,
                                  .sources = vertex_list_rows(&run->result.sources, &run->graph),
                                  .targets = vertex_list_rows(&run->result.targets, &run->graph),
                                  .limit = a->limit,
                                  .semiring = run->graph.semiring,
                                  .with_pred = !a->distances_only,
                                  .type = run->type};
}

/* Finds the memory that the run needs with the number of threads in *a, in all and in parts. */
static void find_needs(const struct solver_arguments *a, struct solver_run *run,
                       struct run_needs *needs, struct memory_part parts[RUN_PARTS]) {
    const int32_t rows = vertex_list_rows(&run->result.sources, &run->graph).count;
    run_needs_find(a, &run->graph, rows, vertex_list_rows(&run->result.targets, &run->graph).count,
                   needs);
    const struct solve_size size = {solve_kept_graph(&run->kept, &run->graph),
                                    needs->rows,
                                    a->options.threads,
                                    needs->pred,
                                    .matrices = !needs->at_once,
                                    .processes = run->ranks.count,
                                    .steps = weight_steps(&run->graph)};
    run_needs_parts(needs, solve_memory(a->variant, &size), parts, &run->workspace);
}

/* Unless the user asked for a number of threads, takes as many as there is memory for, and says so
 * if that is not one for each core. If even one thread needs more, nothing changes. */
static void fit_threads(struct solver_arguments *a, struct solver_run *run,
                        struct run_needs *needs) {
    const int most = threads_or_default(0);
    const uint64_t room = memory_add(memory_held(), memory_room());
    struct memory_part parts[RUN_PARTS];
    char line[LONGEST_NOTE];
    if (a->options.threads > 0)
        return;
    for (int threads = most; threads > 0; threads--) {
        a->options.threads = threads < most ? threads : 0;
        find_needs(a, run, needs, parts);
        if (memory_needed(parts, RUN_PARTS) > room)
            continue;
        snprintf(line, sizeof line, "threads: %d of %d, as many as there is memory for", threads,
                 most);
        if (threads < most)
            graph_note(&a->reading, line);
        return;
    }
    a->options.threads = 0;
}

/* Checks that the run fits into memory, and stores what it needs in *run. */
static enum status check_memory(struct solver_arguments *a, struct solver_run *run,
                                struct run_needs *needs, struct error *err) {
    struct memory_part parts[RUN_PARTS];
    fit_threads(a, run, needs);
    find_needs(a, run, needs, parts);
    run->streams = needs->streams;
    run->type = a->format.smallest && run->streams
                    ? npy_type_for(0, distance_bound_of_integers(&run->graph, a->limit))
                    : a->type;
    run->sinks = needs->at_once ? run_needs_memory(needs, 0).turns : 0;
    run->needed = memory_needed(parts, RUN_PARTS);
    return memory_check(a->graph, needs->n, parts, RUN_PARTS, err);
}

/* Refuses to write a large result that the user has not asked for. */
static enum status check_unasked(const struct solver_arguments *a, const struct run_needs *needs,
                                 struct error *err) {
    static const uint64_t most = UINT64_C(64) << 20; /* bytes */
    char amount[32];
    if (!a->unasked || needs->disk <= most)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "%s would take about %s: expected --output %s to write it all the same, or "
                "something smaller: --measures, --sources LIST, --format npy --output PREFIX",
                a->output, memory_amount(needs->disk, amount, sizeof amount), a->output);
}

/* Returns whether distances of the graph become int64 if int32 has no room for them. */
static bool may_widen(const struct solver_arguments *a, const struct solver_run *run) {
    return run->graph.type == NUMBER_INT32 && run->graph.semiring == SEMIRING_MIN_PLUS &&
           a->reading.type == READ_BY_WEIGHTS && !(a->limit < INF);
}

/* Replaces the graph by one of float64 that stands for the same integers, and says so. `again`:
 * number of finished rows that are solved again. */
static enum status widen(const struct solver_arguments *a, struct solver_run *run, int32_t again,
                         struct error *err) {
    struct graph wide;
    char line[LONGEST_NOTE], rows[64] = "";
    RETURN_ON_FAILURE(graph_widen(&run->graph, &wide, err));
    graph_free(&run->graph);
    run->graph = wide;
    if (again > 0)
        snprintf(rows, sizeof rows, "; %d finished rows are solved again", again);
    snprintf(line, sizeof line,
             "distances may pass 2^30: their type is int64 (--type int32 refuses them)%s", rows);
    graph_note(&a->reading, line);
    return STATUS_OK;
}

/* Makes distances int64 if some are sure not to fit in int32, before anything is solved. */
static enum status find_wide(const struct solver_arguments *a, struct solver_run *run,
                             const struct row_sources *sources, struct error *err) {
    bool wide = false;
    if (may_widen(a, run)) {
        wide = a->resume && resume_keeps_long(a->output, &run->graph);
        if (!wide)
            RETURN_ON_FAILURE(
                wide_distances_find(&run->graph, sources, a->options.threads, &wide, err));
    }
    return wide ? widen(a, run, 0, err) : STATUS_OK;
}

/* Returns whether an extension answers without solving. */
static bool only_plans(const struct solver_extension *extension) {
    return extension != NULL && extension->only_plans != NULL && *extension->only_plans;
}

/* Rounds weights, if that is asked for or the default, and says so. */
static enum status apply_grid(const struct solver_arguments *a, struct solver_run *run,
                              int32_t rows, struct error *err) {
    const struct grid_purpose purpose = {
        .is_strict = a->keeps_rows || !a->measures || a->limit < NO_LIMIT, .rows = rows};
    char line[GRID_TEXT];
    RETURN_ON_FAILURE(grid_apply(&run->graph, a->reading.grid, &purpose, &run->grid, NULL, err));
    if (run->grid.changed > 0)
        graph_note(&a->reading, grid_text(&run->grid, line));
    return STATUS_OK;
}

/* Returns the request for betweenness, without progress. */
static struct measured_request flows_of(const struct solver_arguments *a,
                                        const struct solver_run *run) {
    return (struct measured_request){.graph = &run->graph,
                                     .flow = &run->flow,
                                     .sources = vertex_list_rows(&run->result.sources, &run->graph),
                                     .way = a->way,
                                     .endpoints = a->endpoints,
                                     .variant = a->check ? a->variant : NULL,
                                     .threads = a->options.threads,
                                     .engine = a->solver->flows,
                                     .device = a->options.device};
}

/* Reads the graph. While it is read, checks that results of its size fit into memory. */
static enum status load(struct parsed *parsed, struct solver_run *run, struct error *err) {
    const struct solver_extension *extension = parsed->extension;
    struct solver_arguments *a = &parsed->arguments;
    char call[64];
    a->files.npy = a->format.npy;
    a->files.discards_rows = !a->keeps_rows;
    a->files.proves = a->check;
    a->files.measures = a->measures;
    /* Rows may need less than matrices, and so may matrices in the memory of a GPU. */
    a->reading.matrices = a->distances_only ? 1 : 2;
    const bool by_rows =
        (a->variant->by_rows || a->solver->uses_gpu || a->options.ranks != NULL) &&
        (a->format.npy || a->sources != NULL || a->targets != NULL || !a->keeps_rows);
    a->reading.rows = only_plans(extension) || by_rows;
    a->reading.threads = a->options.threads;
    a->reading.columns = &run->along;
    if (a->along && !only_plans(extension))
        RETURN_ON_FAILURE(along_files_check(a, run->ranks.count, err));
    a->reading.on_size = announce;
    a->reading.callback_context = parsed;
    snprintf(call, sizeof call, "%s GRAPH", a->solver->program);
    return cli_explain_graph(graph_read_as(a->graph, &a->reading, &run->graph, err), a->graph, call,
                             err);
}

/* Settles how the graph is solved. *done is set if an extension ends the program. */
static enum status settle(struct parsed *parsed, struct solver_run *run, bool *done,
                          struct error *err) {
    const struct solver_extension *extension = parsed->extension;
    struct solver_arguments *a = &parsed->arguments;
    struct solver_request request = request_of(parsed);
    struct run_needs needs;
    RETURN_ON_FAILURE(
        vertex_list_parse("--sources", a->sources, &run->graph, &run->result.sources, err));
    RETURN_ON_FAILURE(
        vertex_list_parse("--targets", a->targets, &run->graph, &run->result.targets, err));
    const struct row_sources sources = vertex_list_rows(&run->result.sources, &run->graph);
    RETURN_ON_FAILURE(find_wide(a, run, &sources, err));
    RETURN_ON_FAILURE(result_format_type("--format", &a->format, &run->graph, &a->type, err));
    if (run->graph.integral)
        a->limit = floor(a->limit);
    request.limit = a->limit = limit_for(run->graph.type, a->limit);
    RETURN_ON_FAILURE(limit_check(&run->graph, a->limit, err));
    if (a->betweenness)
        RETURN_ON_FAILURE(flow_graph_make(&run->graph, a->reading.grid, NULL, &run->flow, err));
    RETURN_ON_FAILURE(apply_grid(a, run, sources.count, err));
    RETURN_ON_FAILURE(solve_kept_find(&run->kept, a->variant, &run->graph, &sources, NULL, err));
    run_needs_find(a, &run->graph, sources.count,
                   vertex_list_rows(&run->result.targets, &run->graph).count, &needs);
    if (!only_plans(extension)) {
        RETURN_ON_FAILURE(check_unasked(a, &needs, err));
        RETURN_ON_FAILURE(check_memory(a, run, &needs, err));
    }
    request.whole = &run->graph;
    request.sources = &run->result.sources;
    request.rounding = &run->grid;
    request.needs = &needs;
    const struct measured_request flows = flows_of(a, run);
    request.flows = a->betweenness ? &flows : NULL;
    a->files.vertices = run->graph.n;
    a->files.edges = run->graph.edges_read;
    if (extension != NULL)
        RETURN_ON_FAILURE(extension->loaded(extension->self, &request,
                                            solve_kept_graph(&run->kept, &run->graph), done, err));
    return STATUS_OK;
}

/* Allocates the result and the timings. */
static enum status allocate(const struct solver_arguments *a, struct solver_run *run,
                            struct error *err) {
    const struct vertex_list sources = run->result.sources, targets = run->result.targets;
    const int32_t rows = vertex_list_rows(&sources, &run->graph).count;
    const int32_t columns = vertex_list_rows(&targets, &run->graph).count;
    void *timings;
    if (!run->streams) {
        const enum status status = result_alloc(&run->result, run->graph.type, rows, columns,
                                                !a->distances_only, a->graph, err);
        run->result.sources = sources;
        run->result.targets = targets;
        run->result.n = run->graph.n;
        run->result.limit = a->limit;
        RETURN_ON_FAILURE(status);
    }
    RETURN_ON_FAILURE(
        memory_alloc(&timings, (size_t)a->repetitions, sizeof *run->timings, "the timings", err));
    run->timings = timings;
    return STATUS_OK;
}

/* Returns the options of a solve, whose callbacks report to the run. */
static struct solver_options options_of(const struct solver_arguments *a, struct solver_run *run) {
    struct solver_options options = a->options;
    options.on_memory = solver_on_memory;
    options.on_devices = solver_on_devices;
    options.on_choice = solver_on_choice;
    options.on_route = solver_on_route;
    options.on_failure = solver_on_failure;
    options.on_cycle = solver_on_cycle;
    options.callback_context = &run->events;
    options.explains = a->verbosity.verbose;
    options.files = &a->files;
    options.reserved = run->sinks;
    return options;
}

/* Finds the rows that are kept, and says so if the run must go on with another variant. */
static enum status begin_job(const struct solver_arguments *a, struct solver_run *run,
                             struct row_sink *sink, struct error *err) {
    struct progress progress = {0};
    progress_start(&progress, "kept rows");
    const enum status status =
        row_job_begin(&run->job, sink, a->verbosity.quiet ? NULL : &progress, err);
    progress_finish(&progress);
    if (status == STATUS_OK && a->resume)
        solver_resume_say_variant(a, run);
    return status;
}

/* Solves into a sink, with proof of each block or without. */
static enum status solve_into(const struct solver_arguments *a, struct solver_run *run, bool proves,
                              struct row_sink *sink, struct error *err) {
    const struct solver_options options = options_of(a, run);
    struct progress progress = {0};
    struct solver_resume_context resume = {a, run};
    run->job = (struct row_job){
        .variant = a->variant,
        .request = {.graph = &run->graph,
                    .sources = vertex_list_rows(&run->result.sources, &run->graph),
                    .limit = a->limit,
                    .predecessors = !a->distances_only,
                    .options = &options,
                    .progress = a->verbosity.quiet ? NULL : &progress,
                    .repetitions = a->repetitions,
                    .kept = &run->kept,
                    .on_variant = a->resume ? solver_resume_on_variant : NULL,
                    .variant_context = &resume},
        .proves = proves,
        .resume = a->resume ? &run->resume : NULL,
        .files = &run->files,
    };
    RETURN_ON_FAILURE(begin_job(a, run, sink, err));
    progress_start(&progress, a->variant->name);
    progress.unit = run->streams && a->variant->by_rows ? "rows" : NULL;
    const enum status status = row_job_solve(&run->job, run->timings, err);
    progress_finish(&progress);
    return status;
}

/* Solves into a sink, with sums along paths and proof. */
static enum status solve_through(const struct solver_arguments *a, struct solver_run *run,
                                 struct row_sink *sink, struct error *err) {
    if (a->along) {
        const struct result_layout layout = layout_of(a, run);
        RETURN_ON_FAILURE(along_files_open(&run->sums, a->output, &run->graph, &run->along, &layout,
                                           a->check, sink, err));
        sink = &run->sums.sink.sink;
    }
    return solve_into(a, run, a->check, sink, err);
}

/* Solves into matrices, and proves them. */
static enum status keep_rows(const struct solver_arguments *a, struct solver_run *run,
                             struct error *err) {
    struct result *const result = &run->result;
    struct matrix *const pred = a->distances_only ? NULL : &result->pred;
    const struct row_sources sources = vertex_list_rows(&result->sources, &run->graph);
    const struct row_sources targets = vertex_list_rows(&result->targets, &run->graph);
    struct refutation refutation;
    struct matrix_sink sink;
    matrix_sink_begin(&sink, &result->dist, pred);
    if (a->targets != NULL) {
        column_sink_open(&run->columns, &targets, &sink.sink);
        return solve_through(a, run, &run->columns.sink, err);
    }
    RETURN_ON_FAILURE(solve_into(a, run, false, &sink.sink, err));
    return a->check ? certify_rows(&run->graph, &sources, a->limit, &result->dist, pred,
                                   a->options.threads, NULL, &refutation, err)
                    : STATUS_OK;
}

/* Solves into files or measures. */
static enum status stream_rows(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err) {
    const struct result_layout layout = layout_of(a, run);
    const struct row_files_sharing sharing = {.partial = a->resume ? &run->resume.partial : NULL,
                                              .ranks = run->ranks.count > 1 ? &run->ranks : NULL};
    struct row_sink *sink = a->measures ? &run->measures.sink : &run->dropped;
    if (a->resume)
        RETURN_ON_FAILURE(solver_resume_open(a, run, err));
    row_drop_begin(&run->dropped, a->options.device);
    if (a->keeps_rows) {
        RETURN_ON_FAILURE(
            row_files_open(&run->files, a->output, &a->format, &layout, &sharing, err));
        sink = run->files.sink;
    }
    if (a->keeps_rows && a->measures) {
        row_tee_begin(&run->tee, sink, &run->measures.sink);
        sink = &run->tee.sink;
    }
    RETURN_ON_FAILURE(solver_ranks_open(run, &sink, err));
    return solver_ranks_close(a, run, solve_through(a, run, sink, err), err);
}

/* Finds betweenness, and says what was rounded for it. */
static enum status add_flows(const struct solver_arguments *a, struct solver_run *run,
                             struct error *err) {
    struct progress progress = {0};
    struct measured_request request = flows_of(a, run);
    char line[GRID_TEXT], other[LONGEST_NOTE];
    request.progress = a->verbosity.quiet ? NULL : &progress;
    progress_start(&progress, "betweenness");
    const enum status status = measured_flows_find(&request, &run->flows, &run->flows_how, err);
    progress_finish(&progress);
    RETURN_ON_FAILURE(status);
    if (run->flow.rounding.changed > 0 && run->flow.rounding.spacing != run->grid.spacing)
        graph_note(&a->reading, grid_text(&run->flow.rounding, line));
    if (run->flows_how.not_as_asked != NULL) {
        snprintf(other, sizeof other, "--betweenness=%s: searches are taken, since %s",
                 betweenness_way_name(a->way), run->flows_how.not_as_asked);
        graph_note(&a->reading, other);
    }
    return measures_add_flows(&run->measures, &run->flows, err);
}

/* Solves, and does everything with the rows except writing matrices. */
static enum status solve_and_measure(const struct solver_arguments *a, struct solver_run *run,
                                     struct error *err) {
    if (a->measures) {
        measures_init(&run->measures, &run->graph, a->options.threads);
        run->measures.limit = a->limit;
        measures_choose(&run->measures, a->measures_parts);
    }
    RETURN_ON_FAILURE(run->streams ? stream_rows(a, run, err) : keep_rows(a, run, err));
    if (!a->measures)
        return STATUS_OK;
    if (!run->streams) {
        const struct row_sources sources = vertex_list_rows(&run->result.sources, &run->graph);
        RETURN_ON_FAILURE(row_sink_take_matrices(&run->measures.sink, &sources, &run->result.dist,
                                                 NULL, a->options.threads, err));
    }
    if (!ranks_first(&run->ranks))
        return STATUS_OK;
    RETURN_ON_FAILURE(measures_finish(&run->measures, err));
    return a->betweenness ? add_flows(a, run, err) : STATUS_OK;
}

/* Stores the name of the GPU and, if several took part, how many. */
static enum status name_devices(const struct solver_options *options, struct solver_run *run,
                                struct error *err) {
    char name[sizeof run->device - 16];
    RETURN_ON_FAILURE(gpu_name(options->device, name, sizeof name, err));
    const int gpus = run->events.gpus > 0 ? run->events.gpus : run->events.together;
    if (gpus > 1)
        snprintf(run->device, sizeof run->device, "%d x %s", gpus, name);
    else
        snprintf(run->device, sizeof run->device, "%s", name);
    return STATUS_OK;
}

static enum status compute(const struct solver_arguments *a, struct solver_run *run,
                           struct error *err) {
    struct timing median;
    RETURN_ON_FAILURE(solve_and_measure(a, run, err));
    RETURN_ON_FAILURE(timing_median(run->timings, a->repetitions, &median, err));
    /* The program apsp solves on CPU or GPU: transfers show that a GPU solved. */
    run->on_gpu = a->solver->uses_gpu && median.transfer_s > 0;
    if (run->on_gpu && ranks_first(&run->ranks))
        RETURN_ON_FAILURE(name_devices(&a->options, run, err));
    result_describe(&run->result, &run->graph, a->graph, a->solver->program, a->variant->name,
                    &median);
    run->result.made.proved = a->check;
    run->result.made.grid = run->grid.spacing;
    run->result.made.grid_error = run->grid.distance_by;
    run->transfer_s = median.transfer_s;
    run->phases = median.phases;
    return STATUS_OK;
}

/* Chooses the type of distances in files, for distances that are in memory. */
static enum status choose_type(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err) {
    enum isa isa;
    if (a->format.smallest) {
        RETURN_ON_FAILURE(isa_choose(&isa, err));
        run->type = npy_type_for_matrix(&run->result.dist, isa, a->options.threads);
    }
    run->result.type = run->type;
    return STATUS_OK;
}

static enum status write_rows(const struct solver_arguments *a, struct solver_run *run,
                              struct error *err) {
    if (run->streams)
        return row_files_finish(&run->files, run->result.edges_read, &run->result.made, err);
    RETURN_ON_FAILURE(choose_type(a, run, err));
    return a->format.npy ? result_write_npy(a->output, &run->result, a->options.threads, err)
                         : result_write_text(a->output, &run->result, a->options.threads, err);
}

/* Puts the measures in place after the rows, so that rows that cannot be written, because a
 * distance does not fit, say, leave neither. */
static enum status write_result(const struct solver_arguments *a, struct solver_run *run,
                                struct error *err) {
    struct measures_files measures;
    if (a->measures_prefix == NULL)
        return a->keeps_rows ? write_rows(a, run, err) : STATUS_OK;
    enum status status =
        measures_files_write(&measures, a->measures_prefix, &run->measures, &run->result.made, err);
    if (status == STATUS_OK && a->keeps_rows)
        status = write_rows(a, run, err);
    if (status == STATUS_OK)
        status = measures_files_commit(&measures, err);
    measures_files_discard(&measures);
    return status;
}

static enum status write_timings(const struct solver_arguments *a, const struct solver_run *run,
                                 struct error *err) {
    const struct timing_rows rows = {
        .program = a->solver->program,
        .variant = a->variant->name,
        .graph = a->graph,
        .vertices = run->graph.n,
        .edges = run->graph.edges_read,
        .checksum = run->result.made.checksum,
        .predecessors = !a->distances_only,
        .threads = solver_threads(a, run),
        .tile = solver_tile(a),
        .device = run->device,
        .checked = a->check,
        .repetitions = a->repetitions,
        .timings = run->timings,
    };
    return timing_append_csv(a->csv, &rows, err);
}

static enum status solve_and_write(const struct solver_arguments *a, struct solver_run *run,
                                   struct error *err) {
    run->events.to = solver_report_stream(a);
    RETURN_ON_FAILURE(ranks_agree(&run->ranks, allocate(a, run, err), err));
    const enum status status = compute(a, run, err);
    if (status == STATUS_NEGATIVE_CYCLE)
        solver_report_cycle(a, run, err);
    RETURN_ON_FAILURE(status);
    if (!ranks_first(&run->ranks))
        return STATUS_OK;
    RETURN_ON_FAILURE(solver_report_measures(a, run, err));
    RETURN_ON_FAILURE(
        along_files_finish(&run->sums, run->result.edges_read, &run->result.made, err));
    RETURN_ON_FAILURE(write_result(a, run, err));
    if (a->csv != NULL)
        RETURN_ON_FAILURE(write_timings(a, run, err));
    solver_report(a, run);
    return STATUS_OK;
}

/* Settles how the graph is solved, and solves it. */
static enum status settle_and_solve(struct parsed *parsed, struct solver_run *run,
                                    struct error *err) {
    const struct solver_arguments *const a = &parsed->arguments;
    bool done = false;
    RETURN_ON_FAILURE(ranks_agree(&run->ranks, settle(parsed, run, &done, err), err));
    gpu_devices_find_for(&parsed->arguments.options, a->variant);
    return done ? STATUS_OK : ranks_agree(&run->ranks, solve_and_write(a, run, err), err);
}

/* Frees what a run holds but for the graph and the columns of its edges. */
static void free_solved(struct solver_run *run) {
    row_job_close(&run->job);
    along_files_close(&run->sums);
    column_sink_close(&run->columns);
    measures_free(&run->measures);
    measured_flows_free(&run->flows);
    flow_graph_free(&run->flow);
    memory_free(run->measured.text);
    row_files_close(&run->files);
    resume_close(&run->resume);
    solver_ranks_free(&run->rank_rows);
    solve_kept_free(&run->kept);
    result_free(&run->result);
    memory_free(run->timings);
    memory_free(run->events.cycle.vertices);
}

/* Solves again, with int64 distances, if *err says that a distance did not fit in int32; otherwise,
 * and for several processes, returns STATUS_BAD_INPUT. Finished rows are solved again, too, because
 * all rows of a result have the same type. */
static enum status solve_wider(struct parsed *parsed, struct solver_run *run, double limit,
                               struct error *err) {
    struct solver_arguments *const a = &parsed->arguments;
    const struct error reason = *err;
    const struct solver_run kept = {
        .ranks = run->ranks, .graph = run->graph, .along = run->along, .limit = run->limit};
    a->limit = limit;
    if (!reason.is_out_of_range || !may_widen(a, run) || run->ranks.count > 1 ||
        (run->graph.min_weight < 0 && !a->variant->solves_signed) ||
        !wide_distances_may_help(&run->graph))
        return STATUS_BAD_INPUT;
    const int32_t again = run->resume.partial.kept + run->resume.partial.finished;
    resume_discard(&run->resume);
    free_solved(run);
    *run = kept;
    RETURN_ON_FAILURE(widen(a, run, again, err));
    const enum status status = settle_and_solve(parsed, run, err);
    if (status == STATUS_BAD_INPUT) {
        const struct error wide = *err;
        fail(err, status, "%.*s; as int64: %.700s", (int)strcspn(reason.text, ";"), reason.text,
             wide.text);
    }
    return status;
}

static enum status run_solver(struct parsed *parsed, const struct ranks *ranks, struct error *err) {
    const struct solver_extension *extension = parsed->extension;
    const struct solver_request request = request_of(parsed);
    const double limit = parsed->arguments.limit;
    struct solver_run run = {0};
    bool done = false;
    enum status status;
    run.ranks = *ranks;
    TRY(ranks_agree(ranks, memory_limit_find(&run.limit, err), err));
    if (parsed->arguments.reading.semiring != SEMIRING_MIN_PLUS && ranks->count > 1)
        TRY(fail(err, STATUS_BAD_INPUT, "started as %d processes: --semiring %s is for one",
                 ranks->count, semiring_name(parsed->arguments.reading.semiring)));
    if (only_plans(extension) && ranks->count > 1)
        TRY(fail(
            err, STATUS_BAD_INPUT,
            "started as %d processes: --plan, --calibrate, --index, --diameter and --accessibility "
            "are for one",
            ranks->count));
    if (extension != NULL)
        TRY(extension->begin(extension->self, &request, &done, err));
    if (done)
        goto cleanup;
    TRY(solver_ranks_begin(&parsed->arguments, ranks, err));
    TRY(ranks_agree(
        ranks,
        start_threads(parsed->arguments.options.threads, parsed->arguments.verbosity.quiet, err),
        err));
    TRY(ranks_agree(ranks, solver_check_files(&parsed->arguments, err), err));
    TRY(ranks_agree(ranks, load(parsed, &run, err), err));
    status = settle_and_solve(parsed, &run, err);
    if (status == STATUS_BAD_INPUT)
        status = solve_wider(parsed, &run, limit, err);
    if (status == STATUS_NO_RESOURCE)
        partial_say(&run.resume.partial, "--resume", status, err);
cleanup:
    output_say_on_signal(NULL);
    free_solved(&run);
    gpu_warmer_wait(&parsed->warmer);
    parsed->arguments.reading.columns = NULL;
    edge_columns_free(&run.along);
    graph_free(&run.graph);
    return status;
}

int solver_main(const struct solver *solver, int argc, char **argv) {
    return solver_main_extended(solver, NULL, argc, argv);
}

int solver_main_extended(const struct solver *solver, const struct solver_extension *extension,
                         int argc, char **argv) {
    struct parsed parsed = {
        .arguments = {.solver = solver,
                      .variant = solver_find(solver, solver->default_variant),
                      .graph = DEFAULT_GRAPH_FILE,
                      .limit = NO_LIMIT,
                      .measures_parts = MEASURES_ALL,
                      .repetitions = 1},
        .extension = extension,
    };
    struct error err;
    char doc[1024];
    snprintf(doc, sizeof doc,
             "%s.\v"
             "Reads GRAPH (default %s; - is standard input; plain or compressed, in one of the "
             "formats of --input-format, told by the content) and writes all distances and "
             "predecessors to FILE (default %s), of up to 64 MiB unless --output or --format asks "
             "for more.\n\n"
             "Exit status: 0 done, 1 refuted by --check, 2 usage or bad input, 3 negative cycle, "
             "4 out of memory, no usable GPU or output that cannot be written.",
             solver->summary, DEFAULT_GRAPH_FILE, solver->default_output);
    const struct argp_child children[CHILDREN + 1] = {
        [VERBOSITY_OPTIONS] = cli_graph_options[VERBOSITY_OPTIONS],
        [GRAPH_OPTIONS] = cli_graph_options[GRAPH_OPTIONS],
        [EXTENSION_OPTIONS] = {extension != NULL ? extension->options : NULL, 0, NULL, 0},
    };
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp parser = {option_table, parse_option,  "[GRAPH]", doc,
                                children,     complete_help, NULL};

    struct ranks ranks;
    option_rows_help(option_rows, 1, option_table);
    cli_start(solver->program);
    const enum status joined = ranks_join(&ranks, cli_say_aloud, &err);
    if (!ranks_first(&ranks))
        cli_be_silent();
    if (joined != STATUS_OK)
        return cli_end(joined, &err);
    cli_parse(&parser, argc, argv, &parsed);
    if (parsed.arguments.list) {
        solver_list_variants(&parsed.arguments);
        return cli_end(STATUS_OK, &err);
    }
    return cli_end(run_solver(&parsed, &ranks, &err), &err);
}
