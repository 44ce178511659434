// SPDX-License-Identifier: MIT
/* Functions that the command lines of all programs share. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "common/base/error.h"     // enum status
#include "common/graph/graph_io.h" // struct graph_reading

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Call it first in main(). It names the program for messages, makes usage errors exit with status
 * 2, and sets up --version and the removal of temporary files on signals. At exit it
 *   - turns a failure to write stdout into status 4, also under --help;
 *   - turns a status of 1 that is not a refutation into 4, because OpenMP exits with 1 if it cannot
 *     start threads;
 *   - prints the answer of a failure under --json if nothing else was printed. */
void cli_start(const char *program);

/* Calls argp_parse() into `input`. If memory runs out, it ends the program (status 4) instead of
 * going on without the options. */
void cli_parse(const struct argp *parser, int argc, char **argv, void *input);

/* Prints "program: message" on stderr unless status is STATUS_OK, and under --json,
 * unless an answer was printed, {..., "status": 2, "error": "message"} on stdout.
 * Returns what main() is to return. */
int cli_end(enum status status, const struct error *err);

/* Discards everything that this process prints from here on, because another process prints for
 * it. */
void cli_be_silent(void);

/* Prints "program: text" on stderr even after cli_be_silent(). */
void cli_say_aloud(const char *text);

/* Options of every program: how much it prints, and in which form. The last of --quiet and
 * --verbose counts. */
struct cli_verbosity {
    bool quiet;   /* print only errors and results that an option asked for */
    bool verbose; /* print also facts and reasons behind choices */
    bool json;    /* print only one object on stdout (json_answer.h) */
};

/* Begins the answer of --json (json_answer.h) with the members that all answers have: program,
 * version, status and, unless that is STATUS_OK, error. Nothing else may go to stdout before
 * cli_answer_end(). */
struct json_writer *cli_answer(enum status status, const struct error *err);

/* Ends the answer, and notes that the program has answered. */
void cli_answer_end(struct json_writer *w);

/* The escape sequence that switches a terminal to a colour, or back (CLI_PLAIN). "" if `to` is not
 * a terminal with colours, or if the environment variable NO_COLOR is set and not empty
 * (no-color.org). */
enum cli_colour { CLI_PLAIN, CLI_GREEN, CLI_RED };
const char *cli_colour(FILE *to, enum cli_colour colour);

/* STATUS_BAD_INPUT if the file that `option` names and another input are both "-", standard input,
 * which can be read once. `what` says which input the other is; either path may be NULL. */
enum status cli_refuse_stdin_twice(const char *option, const char *path, const char *what,
                                   const char *other, struct error *err);

/* Ends the program with a usage error: calls argp_error() with the message as one line of printable
 * characters. */
void cli_usage(const struct argp_state *state, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Returns the value of an option as an integer in lowest .. highest. Any other text ends the
 * program with a usage error. For argp parsers only. */
int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest);

/* If the graph that could not be opened is the default one, which the user has not named, adds to
 * the error how to name one: `how`, say "--graph FILE". Returns the status. */
enum status cli_explain_graph(enum status status, const char *graph, const char *how,
                              struct error *err);

/* Prints one line on `to` about the names of vertices in messages and on the command line: "HEAD
 * numbered from 1, as in GRAPHTAIL". Prints nothing if they count from 0, as in results. */
void cli_say_naming(FILE *to, const char *head, const struct graph *g, const char *graph_name,
                    const char *tail);

/* The options that programs share, as argp children: for programs that read a graph, and for
 * programs that do not. */
extern const struct argp_child cli_graph_options[], cli_verbosity_options[];

/* A parser that has one of these as its only children calls this function for ARGP_KEY_INIT, to say
 * where the options go. Both structs start zeroed; `how` is NULL if the program reads no graph. */
void cli_options_into(struct argp_state *state, struct cli_verbosity *verbosity,
                      struct graph_reading *how);

#endif
