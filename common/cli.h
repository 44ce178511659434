/* What the command lines of all programs have in common. */
#ifndef COMMON_CLI_H
#define COMMON_CLI_H

#include "common/error.h"    // enum status
#include "common/graph_io.h" // struct graph_reading
#include "libapsp/apsp.h"    // APSP_VERSION

#include <argp.h>
#include <stdint.h>

/* Names the program for messages, makes usage errors exit with status 2, sets
 * up --version, the removal of temporary files on signals, and two checks at
 * exit: a stdout that could not be written is an error (status 4), also under
 * --help, and status 1, which means "refuted", is kept for that (OpenMP's
 * run-time exits with 1 where it cannot start threads). Call first in main(). */
void cli_start(const char *program);

/* argp_parse() into `input`; ends the program (status 4) where memory runs out,
 * instead of going on without the options. */
void cli_parse(const struct argp *parser, int argc, char **argv, void *input);

/* Prints "program: message" on stderr unless status is STATUS_OK; returns what
 * main() is to return. */
int cli_end(enum status status, const struct error *err);

/* Ends the program with a usage error: argp_error() with the message as one line
 * of printable characters. */
void cli_usage(const struct argp_state *state, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The value of an option as an integer in lowest .. highest; anything else ends
 * the program with a usage error. For argp parsers only. */
int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest);

/* The options of every program that reads a graph, as an argp child whose input
 * is a zeroed struct graph_reading. */
extern const struct argp_child cli_graph_options[];

/* To be called for ARGP_KEY_INIT by the parser that has these options as its only
 * children. */
void cli_graph_options_into(struct argp_state *state, struct graph_reading *how);

#endif
