// SPDX-License-Identifier: MIT
#include "cli/cli.h"

#include "cli/json_answer.h"     // the object of --json
#include "cli/option_rows.h"     // struct option_row
#include "common/base/output.h"  // output_remove_on_signal, output_remove_unfinished
#include "common/base/version.h" // PROJECT_VERSION
#include "solve/grid.h"          // GRID_AUTO

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program_name;
static char version[64];

/* true if the program itself chose STATUS_REFUTED */
static bool refuted;

/* json_wanted: --json asks for an answer; answered: an answer was printed; quiet: --quiet was
 * given. */
static bool json_wanted, answered, quiet;

/* Lines for the answer of --json, on differences between the graph and its file. */
enum { MOST_NOTES = 8 };
static struct error notes[MOST_NOTES];
static int note_count;

/* Messages of getopt and argp while the program parses a command line with --json or with
 * unprintable characters: stderr leads here, so that messages can be made printable and go into the
 * answer. `real` is the real stderr meanwhile, otherwise NULL. */
static struct {
    FILE *real;
    char *text;
    size_t size;
} complaint;

/* Returns whether everything that was written to stdout has arrived. A stdout that was closed from
 * the start is a failure only if the program wrote something. */
static bool close_stdout(void) {
    bool pending = __fpending(stdout) > 0, failed = ferror(stdout) != 0;
    bool closed = fclose(stdout) == 0;
    return !failed && (closed || (!pending && errno == EBADF));
}

static void complaint_start(void) {
    FILE *stream = open_memstream(&complaint.text, &complaint.size);
    if (stream == NULL)
        return; /* the message goes to stderr only */
    complaint.real = stderr;
    stderr = stream;
}

/* Prints lines on stderr, made printable. */
static void print_lines(char *lines) {
    for (char *line = lines; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        printable(line);
        fprintf(stderr, "%s\n", line);
        line += last ? length : length + 1;
    }
}

/* Restores stderr and prints the messages; stores the first line, without the program's name, in
 * *err. */
static void complaint_end(struct error *err) {
    FILE *stream = stderr;
    if (complaint.real == NULL)
        return;
    stderr = complaint.real;
    complaint.real = NULL;
    if (fclose(stream) == 0 && complaint.size > 0) {
        const char *colon = strstr(complaint.text, ": ");
        const char *line = colon != NULL ? colon + 2 : complaint.text;
        fail(err, STATUS_BAD_INPUT, "%.*s", (int)strcspn(line, "\n"), line);
        print_lines(complaint.text);
    }
    free(complaint.text);
}

/* Prints the answer of a program that ends without one. */
static void answer_failure(enum status status, const struct error *err) {
    cli_answer_end(cli_answer(status, err));
}

static void check_exit(int given, void *unused) {
    struct error err = {.text = "it ended early: standard error may say why"};
    (void)unused;
    output_remove_unfinished();
    complaint_end(&err);
    const int status = given == STATUS_REFUTED && !refuted ? STATUS_NO_RESOURCE : given;
    if (json_wanted && !answered && status != STATUS_OK)
        answer_failure((enum status)status, &err);
    if (!close_stdout() && status == STATUS_OK) {
        fprintf(stderr, "%s: cannot write standard output: %s\n", program_invocation_short_name,
                strerror(errno));
        _exit(STATUS_NO_RESOURCE);
    }
    if (status != given)
        _exit(status);
}

void cli_start(const char *program) {
    program_name = program;
    snprintf(version, sizeof version, "%s %s", program, PROJECT_VERSION);
    argp_program_version = version;
    argp_err_exit_status = STATUS_BAD_INPUT;
    on_exit(check_exit, NULL);
    output_remove_on_signal();
}

static bool all_printable(char **words) {
    char copy[PATH_MAX];
    for (; *words != NULL; words++) {
        if (strcmp(printable_copy(*words, copy, sizeof copy), *words) != 0)
            return false;
    }
    return true;
}

static _Atomic(FILE *) aloud; /* the real stderr, once stderr is silenced; any thread may use it */

void cli_be_silent(void) {
    const int copy = dup(STDERR_FILENO);
    if (copy >= 0)
        aloud = fdopen(copy, "w");
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
        exit(STATUS_NO_RESOURCE);
}

void cli_say_aloud(const char *text) {
    FILE *const to = aloud != NULL ? aloud : stderr;
    fprintf(to, "%s: %s\n", program_invocation_short_name, text);
    fflush(to);
}

int cli_end(enum status status, const struct error *err) {
    if (status == STATUS_OK)
        return STATUS_OK;
    refuted = status == STATUS_REFUTED;
    if (json_wanted && !answered)
        answer_failure(status, err);
    fflush(stdout);
    fprintf(stderr, "%s: %s%s%s\n", program_invocation_short_name,
            refuted ? cli_colour(stderr, CLI_RED) : "", err->text,
            refuted ? cli_colour(stderr, CLI_PLAIN) : "");
    return (int)status;
}

/* Notes a line about the graph, and prints it unless the program is quiet. */
static void note(void *context, const char *line) {
    (void)context;
    if (note_count < MOST_NOTES)
        snprintf(notes[note_count++].text, sizeof notes->text, "%s", line);
    if (!quiet)
        fprintf(stderr, "%s: note: %s\n", program_invocation_short_name, line);
}

struct json_writer *cli_answer(enum status status, const struct error *err) {
    struct json_writer *const w = json_answer_begin();
    json_write_text(w, "program",
                    program_name != NULL ? program_name : program_invocation_short_name);
    json_write_text(w, "version", PROJECT_VERSION);
    json_write_integer(w, "status", status);
    if (status != STATUS_OK)
        json_write_any_text(w, "error", err->text);
    if (note_count > 0) {
        json_write_array(w, "graph_notes");
        for (int k = 0; k < note_count; k++)
            json_write_any_text(w, NULL, notes[k].text);
        json_write_array_end(w);
    }
    return w;
}

void cli_answer_end(struct json_writer *w) {
    json_write_close(w);
    answered = true;
}

const char *cli_colour(FILE *to, enum cli_colour colour) {
    static const char *const codes[] = {
        [CLI_PLAIN] = "\033[m", [CLI_GREEN] = "\033[32m", [CLI_RED] = "\033[31m"};
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    const bool unwanted = no_colour != NULL && no_colour[0] != '\0';
    const bool able = terminal != NULL && strcmp(terminal, "dumb") != 0 && isatty(fileno(to)) == 1;
    return able && !unwanted ? codes[colour] : "";
}

enum status cli_refuse_stdin_twice(const char *option, const char *path, const char *what,
                                   const char *other, struct error *err) {
    if (path == NULL || other == NULL || strcmp(path, "-") != 0 || strcmp(other, "-") != 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected a file, found standard input, from which the %s is read", option,
                what);
}

void cli_usage(const struct argp_state *state, const char *format, ...) {
    char text[sizeof(struct error)];
    struct error line;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail(&line, STATUS_BAD_INPUT, "%s", text);
    argp_error(state, "%s", line.text);
    exit(STATUS_BAD_INPUT); /* not reached: argp_error ends the program */
}

int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < lowest || value > highest)
        cli_usage(state, "%s: expected an integer in %lld .. %lld, found '%s'", option,
                  (long long)lowest, (long long)highest, text);
    return value;
}

enum { GRAPH_GROUP = 8, VERBOSITY_GROUP }; /* groups of --help after the programs' own */

/* Names of formats for --help; describe_formats() writes them. */
static char format_names[GRAPH_FORMAT_NAMES], edge_columns_help[2 * GRAPH_FORMAT_NAMES],
    weight_column_help[3 * GRAPH_FORMAT_NAMES], through_zones_help[2 * GRAPH_FORMAT_NAMES];

static void describe_formats(void) {
    char names[GRAPH_FORMAT_NAMES], attributes[GRAPH_FORMAT_NAMES];
    graph_format_names(0, "|", "|", format_names);
    snprintf(edge_columns_help, sizeof edge_columns_help,
             "Of a GRAPH that is a table (%s): the columns with the ends of edges, by their names "
             "or numbers from 1",
             graph_format_names(FORMAT_EDGE_COLUMNS, ", ", ", ", names));
    snprintf(weight_column_help, sizeof weight_column_help,
             "Of a GRAPH that is a table (%s): the column with the weights; of edges with "
             "attributes (%s): the attribute",
             graph_format_names(FORMAT_WEIGHT_COLUMN, ", ", ", ", names),
             graph_format_names(FORMAT_WEIGHT_ATTRIBUTE, ", ", ", ", attributes));
    snprintf(through_zones_help, sizeof through_zones_help,
             "Let paths lead through the zones of a network (%s)",
             graph_format_names(FORMAT_ZONES, ", ", ", ", names));
}

static void take_type(struct argp_state *state, char *name, void *to) {
    struct graph_reading *const how = to;
    static const enum reading_type types[NUMBER_TYPES] = {READ_INT32, READ_FLOAT32, READ_FLOAT64};
    const enum number_type type = number_find(name);
    if (type == NUMBER_TYPES && strcmp(name, INT64_NAME) != 0)
        cli_usage(state, "--type: expected int32, int64, float32 or float64, found '%s'", name);
    how->type = type == NUMBER_TYPES ? READ_INT64 : types[type];
}

static void take_vertices_from(struct argp_state *state, char *value, void *to) {
    struct graph_reading *const how = to;
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        cli_usage(state, "--vertices-from: expected 0 or 1, found '%s'", value);
    how->vertices_from = value[0] == '0' ? VERTICES_FROM_0 : VERTICES_FROM_1;
}

void cli_say_naming(FILE *to, const char *head, const struct graph *g, const char *graph_name,
                    const char *tail) {
    char name[PATH_MAX];
    const char *const file = strcmp(graph_name, "-") == 0
                                 ? "standard input"
                                 : printable_copy(graph_name, name, sizeof name);
    if (g->naming.names != NULL)
        fprintf(to, "%s called as in %s%s\n", head, file, tail);
    else if (g->naming.first != 0)
        fprintf(to, "%s numbered from %d, as in %s%s\n", head, g->naming.first, file, tail);
}

static void set_transform(struct argp_state *state, struct graph_reading *how,
                          enum weight_transform transform) {
    if (how->transform != WEIGHTS_AS_READ && how->transform != transform)
        cli_usage(state, "expected one of --unweighted and --weight-transform, found both");
    how->transform = transform;
}

enum status cli_explain_graph(enum status status, const char *graph, const char *how,
                              struct error *err) {
    const struct error reason = *err;
    if (status != STATUS_BAD_INPUT || strcmp(graph, DEFAULT_GRAPH_FILE) != 0 ||
        access(graph, F_OK) == 0)
        return status;
    return fail(err, status, "%.900s (name the graph: %s)", reason.text, how);
}

static void take_grid(struct argp_state *state, char *value, void *to) {
    struct graph_reading *const how = to;
    char *end;
    if (strcmp(value, "auto") == 0) {
        how->grid = GRID_AUTO;
        return;
    }
    if (strcmp(value, "off") == 0) {
        how->grid = GRID_OFF;
        return;
    }
    how->grid = strtod(value, &end);
    if (end == value || *end != '\0' || !(how->grid >= DBL_MIN && how->grid <= DBL_MAX))
        cli_usage(state, "--grid: expected auto, off or a number above 0, found '%s'", value);
}

static void take_format(struct argp_state *state, char *value, void *to) {
    struct graph_reading *const how = to;
    how->format = graph_format_find(value);
    if (how->format == NULL)
        cli_usage(state, "--input-format: expected one of %s, found '%s'", format_names, value);
}

static void take_transform(struct argp_state *state, char *value, void *to) {
    if (strcmp(value, "inverse") != 0)
        cli_usage(state, "--weight-transform: expected inverse, found '%s'", value);
    set_transform(state, to, WEIGHTS_INVERSE);
}

static void take_unweighted(struct argp_state *state, char *value, void *to) {
    (void)value;
    set_transform(state, to, WEIGHTS_ONE);
}

static void take_semiring(struct argp_state *state, char *value, void *to) {
    struct graph_reading *const how = to;
    how->semiring = semiring_find(value);
    how->semiring_given = true;
    if (how->semiring == SEMIRINGS)
        cli_usage(state, "--semiring: expected " SEMIRING_NAMES ", found '%s'", value);
}

static const struct option_row graph_rows[] = {
    {.help = "Reading GRAPH:"},
    {.name = "undirected",
     .letter = 'u',
     .help = "Read every edge of GRAPH both ways",
     .kind = OPTION_FLAG,
     .at = offsetof(struct graph_reading, undirected)},
    {.name = "scale",
     .value = "K",
     .help = "Multiply the weights of GRAPH by the integer K: exactly, and the products must be "
             "integers",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct graph_reading, scale),
     .least = 1,
     .most = TEXT_HIGHEST_SCALE},
    {.name = "type",
     .value = "TYPE",
     .help = "Type of weights and distances: int32, int64, which is exact up to 2^53, float32 or "
             "float64 (default: int32 if all weights are integers, or int64 if that has no room "
             "for them or their distances; otherwise float64)",
     .take = take_type},
    {.name = "semiring",
     .value = "min-plus|min-max|max-min|max-product",
     .help = "What makes a path the best: the least sum of weights (default), the least greatest "
             "one, the greatest least one (the widest path), or the greatest product of "
             "probabilities",
     .take = take_semiring},
    {.name = "grid",
     .value = "auto|off|SPACING",
     .help = "Round float64 weights to multiples of a power of two not above SPACING, which all "
             "engines add up exactly (default: auto, where they are multiples already, and for "
             "measures of many rows of a sparse graph)",
     .take = take_grid},
    {.name = "input-format",
     .value = format_names,
     .help = "Read GRAPH in this format (default: told by its content)",
     .take = take_format},
    {.name = "edge-columns",
     .value = "A,B",
     .help = edge_columns_help,
     .kind = OPTION_TEXT,
     .at = offsetof(struct graph_reading, edge_columns)},
    {.name = "weight-column",
     .value = "COL",
     .help = weight_column_help,
     .kind = OPTION_TEXT,
     .at = offsetof(struct graph_reading, weight_column)},
    {.name = "weight-transform",
     .value = "inverse",
     .help = "Take 1 / w as the weight of an edge: w is a similarity",
     .take = take_transform},
    {.name = "unweighted", .help = "Take 1 as the weight of every edge", .take = take_unweighted},
    {.name = "keep-gaps",
     .help = "Make vertices without edges of the numbers that a list of edges leaves out",
     .kind = OPTION_FLAG,
     .at = offsetof(struct graph_reading, keep_gaps)},
    {.name = "through-zones",
     .help = through_zones_help,
     .kind = OPTION_FLAG,
     .at = offsetof(struct graph_reading, through_zones)},
    {.name = "vertices-from",
     .value = "0|1",
     .help = "GRAPH numbers its vertices from 0 or from 1 (default: as its format does)",
     .take = take_vertices_from},
    {.name = NULL},
};

static error_t parse_graph_option(int key, char *value, struct argp_state *state) {
    struct graph_reading *const how = state->input;
    if (key != ARGP_KEY_INIT)
        return option_rows_take(graph_rows, key, value, state, how);
    describe_formats();
    how->on_note = note;
    return 0;
}

static struct argp_option graph_option_table[sizeof graph_rows / sizeof *graph_rows];
static const struct argp graph_parser = {
    graph_option_table, parse_graph_option, NULL, NULL, NULL, NULL, NULL};

static void take_json(struct argp_state *state, char *value, void *to) {
    struct cli_verbosity *const verbosity = to;
    (void)state, (void)value;
    verbosity->json = json_wanted = true;
}

/* The last one of --quiet and --verbose counts. */
static void set_quiet(struct cli_verbosity *verbosity, bool is_quiet) {
    verbosity->quiet = quiet = is_quiet;
    verbosity->verbose = !is_quiet;
}

static void take_quiet(struct argp_state *state, char *value, void *to) {
    (void)state, (void)value;
    set_quiet(to, true);
}

static void take_verbose(struct argp_state *state, char *value, void *to) {
    (void)state, (void)value;
    set_quiet(to, false);
}

static const struct option_row verbosity_rows[] = {
    {.help = "What is printed:"},
    {.name = "json", .help = "Print one JSON object instead of text", .take = take_json},
    {.name = "quiet",
     .letter = 'q',
     .help = "Say nothing but errors and what was asked for",
     .take = take_quiet},
    {.name = "verbose", .help = "Say what was considered, and why", .take = take_verbose},
    {.name = NULL},
};

static error_t parse_verbosity_option(int key, char *value, struct argp_state *state) {
    return option_rows_take(verbosity_rows, key, value, state, state->input);
}

static struct argp_option verbosity_option_table[sizeof verbosity_rows / sizeof *verbosity_rows];
static const struct argp verbosity_parser = {
    verbosity_option_table, parse_verbosity_option, NULL, NULL, NULL, NULL, NULL};

const struct argp_child cli_verbosity_options[] = {{&verbosity_parser, 0, NULL, 0}, {0}};
const struct argp_child cli_graph_options[] = {
    {&verbosity_parser, 0, NULL, 0}, {&graph_parser, 0, NULL, 0}, {0}};

void cli_options_into(struct argp_state *state, struct cli_verbosity *verbosity,
                      struct graph_reading *how) {
    state->child_inputs[0] = verbosity;
    if (how != NULL)
        state->child_inputs[1] = how;
}

void cli_parse(const struct argp *parser, int argc, char **argv, void *input) {
    struct error err;
    option_rows_help(graph_rows, GRAPH_GROUP, graph_option_table);
    option_rows_help(verbosity_rows, VERBOSITY_GROUP, verbosity_option_table);
    for (int a = 1; a < argc && strcmp(argv[a], "--") != 0; a++)
        json_wanted |= strcmp(argv[a], "--json") == 0;
    if (argc > 0)
        argv[0] = program_invocation_short_name; /* the name of the program in getopt's messages */
    if (json_wanted || !all_printable(argv))
        complaint_start();
    const error_t failed = argp_parse(parser, argc, argv, 0, NULL, input);
    complaint_end(&err);
    if (failed != 0)
        exit(cli_end(
            fail(&err, STATUS_NO_RESOURCE, "cannot read the command line: %s", strerror(failed)),
            &err));
}
