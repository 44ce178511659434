// SPDX-License-Identifier: MIT
/* What the command lines of all programs have in common. */
#ifndef COMMON_CLI_CLI_H
#define COMMON_CLI_CLI_H

#include "common/base/error.h"     // enum status
#include "common/graph/graph_io.h" // struct graph_reading

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Names the program for messages, makes usage errors exit with status 2, sets
 * up --version, the removal of temporary files on signals, and three checks at
 * exit: a stdout that could not be written is an error (status 4), also under
 * --help; status 1, which means "refuted", is kept for that (OpenMP's run-time
 * exits with 1 where it cannot start threads); and where --json was given, there
 * is an answer on stdout, that of a failure if there was none. Call first in
 * main(). */
void cli_start(const char *program);

/* argp_parse() into `input`; ends the program (status 4) where memory runs out,
 * instead of going on without the options. */
void cli_parse(const struct argp *parser, int argc, char **argv, void *input);

/* Prints "program: message" on stderr unless status is STATUS_OK, and under --json,
 * unless an answer was printed, {..., "status": 2, "error": "message"} on stdout.
 * Returns what main() is to return. */
int cli_end(enum status status, const struct error *err);

/* How much a program says, and how: options of every program. The last of --quiet and
 * --verbose counts. */
struct cli_verbosity {
    bool quiet;   /* nothing but errors and what was asked for by name */
    bool verbose; /* also what was considered, and why */
    bool json;    /* one object on stdout (json_answer.h) and nothing else there */
};

/* The members that every answer begins with: program, version, status and, unless that is
 * STATUS_OK, error. Between json_answer_begin() and cli_answer_print(). */
json_t *cli_answer(enum status status, const struct error *err);

/* Prints and releases it; the program has answered. */
void cli_answer_print(json_t *answer);

/* What switches a terminal to a colour and, CLI_PLAIN, back. "" where `to` is none that has
 * colours, or the environment variable NO_COLOR is set and not empty (no-color.org). */
enum cli_colour { CLI_PLAIN, CLI_GREEN, CLI_RED };
const char *cli_colour(FILE *to, enum cli_colour colour);

/* Ends the program with a usage error: argp_error() with the message as one line
 * of printable characters. */
void cli_usage(const struct argp_state *state, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The value of an option as an integer in lowest .. highest; anything else ends
 * the program with a usage error. For argp parsers only. */
int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest);

/* Says on `to` in one line how messages and the command line number the vertices of a graph, unless
 * that is from 0, as in results, and nobody has asked for it: "HEAD from 1, as in GRAPHTAIL". */
void cli_say_numbering(FILE *to, const char *head, const struct graph_reading *how,
                       const struct graph *g, const char *graph_name, const char *tail);

/* The options of every program, as argp children: those of programs that read a graph,
 * too, and those of programs that do not. */
extern const struct argp_child cli_graph_options[], cli_verbosity_options[];

/* To be called for ARGP_KEY_INIT by the parser that has one of these as its only children:
 * where the options go. Both start zeroed; `how` is NULL where no graph is read. */
void cli_options_into(struct argp_state *state, struct cli_verbosity *verbosity,
                      struct graph_reading *how);

#endif
