/* What the command lines of all programs have in common. */
#ifndef COMMON_CLI_H
#define COMMON_CLI_H

#include "common/error.h" // enum status

#include <argp.h>
#include <stdint.h>

#define APSP_VERSION "0.1.0"

/* Names the program for messages, makes usage errors exit with status 2, and
 * sets up --version and the removal of temporary files on signals. Call first
 * in main(). */
void cli_start(const char *program);

/* Prints "program: message" on stderr; returns the exit status to hand to
 * return from main(). */
int cli_fail(enum status status, const struct error *err);

/* Closes stdout so that an unwritable one is noticed. Returns the exit status. */
int cli_finish(void);

/* The value of an option as an integer in lowest .. highest; anything else ends
 * the program with a usage error. For argp parsers only. */
int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest);

#endif
