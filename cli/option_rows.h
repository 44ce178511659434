// SPDX-License-Identifier: MIT
/* The options of a program as rows of a table: what --help says of each, and what becomes of its
 * value. An option is one row, and a member of the struct that it goes to. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct option_row;

/* Takes the value of an option, NULL if there is none, into *to. A value that is not right ends the
 * program with a usage error (cli_usage). */
typedef void option_taker(struct argp_state *state, const struct option_row *row, char *value,
                          void *to);

struct option_row {
    const char *name;   /* without its hyphens; NULL: the row begins a group of --help */
    int letter;         /* the short option; 0: there is none */
    const char *value;  /* name of the value in --help; NULL: the option has none */
    const char *help;   /* text of --help, or title of the group, which may be "" */
    option_taker *take; /* NULL: another name of the option in the row before */
    size_t at;          /* place in *to of what option_flag, option_text and option_integer set */
    int least, most;    /* range of option_integer */
    bool may_be_bare;   /* the value may be left out */
};

/* Takers for a bool, which becomes true; a const char *, which the value becomes, and which stays
 * as long as the command line; and an int. */
option_taker option_flag, option_text, option_integer;

/* Takers for a uint64_t, a seed of 0 .. 2^63 - 1; and for --no-sync, which go nowhere. */
option_taker option_seed, option_no_sync;

/* Makes argp's table of rows that end with {0}: groups are numbered from `group` on. `table` has
 * room for as many as there are rows, the last one included. */
void option_rows_help(const struct option_row *rows, int group, struct argp_option *table);

/* Takes what argp has parsed by that table. Returns ARGP_ERR_UNKNOWN for keys that are none of
 * its. */
error_t option_rows_take(const struct option_row *rows, int key, char *value,
                         struct argp_state *state, void *to);

#endif
