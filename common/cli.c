#include "common/cli.h"

#include "common/output.h" // output_remove_on_signal, output_remove_unfinished

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char version[64];

/* Whether status 1 was meant. */
static bool refuted;

/* Whether all that was written to stdout has arrived. A stdout that was closed
 * from the start matters only where there was something to say. */
static bool close_stdout(void) {
    bool pending = __fpending(stdout) > 0, failed = ferror(stdout) != 0;
    bool closed = fclose(stdout) == 0;
    return !failed && (closed || (!pending && errno == EBADF));
}

static void check_exit(int status, void *unused) {
    (void)unused;
    output_remove_unfinished();
    if (!close_stdout() && status == STATUS_OK) {
        fprintf(stderr, "%s: cannot write standard output: %s\n", program_invocation_short_name,
                strerror(errno));
        _exit(STATUS_NO_RESOURCE);
    }
    if (status == STATUS_REFUTED && !refuted)
        _exit(STATUS_NO_RESOURCE);
}

void cli_start(const char *program) {
    snprintf(version, sizeof version, "%s %s", program, APSP_VERSION);
    argp_program_version = version;
    argp_err_exit_status = STATUS_BAD_INPUT;
    on_exit(check_exit, NULL);
    output_remove_on_signal();
}

void cli_parse(const struct argp *parser, int argc, char **argv, void *input) {
    struct error err;
    const error_t failed = argp_parse(parser, argc, argv, 0, NULL, input);
    if (failed != 0)
        exit(cli_end(
            fail(&err, STATUS_NO_RESOURCE, "cannot read the command line: %s", strerror(failed)),
            &err));
}

int cli_end(enum status status, const struct error *err) {
    if (status == STATUS_OK)
        return STATUS_OK;
    refuted = status == STATUS_REFUTED;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    return (int)status;
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

enum { OPTION_SCALE = 0x200 };

static const struct argp_option graph_option_table[] = {
    {"undirected", 'u', NULL, 0, "Read every edge of GRAPH both ways", 0},
    {"scale", OPTION_SCALE, "K", 0,
     "Multiply the weights of GRAPH, which may then be decimal, by the integer K: exactly, and "
     "the products must be integers",
     0},
    {0},
};

static error_t parse_graph_option(int key, char *value, struct argp_state *state) {
    struct graph_reading *how = state->input;
    switch (key) {
    case 'u':
        how->undirected = true;
        break;
    case OPTION_SCALE:
        how->scale = (int32_t)cli_integer(state, "--scale", value, 1, TEXT_HIGHEST_SCALE);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp graph_parser = {
    graph_option_table, parse_graph_option, NULL, NULL, NULL, NULL, NULL};
const struct argp_child cli_graph_options[] = {{&graph_parser, 0, NULL, 0}, {0}};

void cli_graph_options_into(struct argp_state *state, struct graph_reading *how) {
    state->child_inputs[0] = how;
}
