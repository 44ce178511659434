// SPDX-License-Identifier: MIT
/* The options of a program as rows of a table: what --help says of each, and what becomes of its
 * value. An option is one row, and a member of the struct that it goes to. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include "common/base/threads.h" // THREADS_MAX

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Takes the value of an option, NULL if there is none, into *to. A value that is not right ends the
 * program with a usage error (cli_usage). */
typedef void option_taker(struct argp_state *state, char *value, void *to);

/* How the value of an option is taken, and the type of the member that it goes to. */
enum option_kind {
    OPTION_TAKEN,   /* by the row's taker */
    OPTION_FLAG,    /* bool: becomes true; there is no value */
    OPTION_TEXT,    /* const char *: points at the value, which lasts as long as the command line */
    OPTION_INTEGER, /* int: in the range of the row */
    OPTION_SEED     /* uint64_t: 0 .. 2^63 - 1 */
};

struct option_row {
    const char *name;  /* without its hyphens; NULL: the row begins a group of --help */
    int letter;        /* the short option; 0: there is none */
    const char *value; /* name of the value in --help; NULL: the option has none */
    const char *help;  /* text of --help, or title of the group, which may be "" */
    enum option_kind kind;
    option_taker *take; /* takes the value, for OPTION_TAKEN; NULL: the row is another name of the
                           option before it */
    size_t at;          /* offset of the member in *to, for all kinds but OPTION_TAKEN */
    int least, most;    /* range of the value, for OPTION_INTEGER */
    bool may_be_bare;   /* the value may be left out */
};

/* Rows of options that several programs have. `member` of struct `type` gets the value. */
#define OPTION_THREADS(type, member)                                                               \
    {                                                                                              \
        .name = "threads", .letter = 't', .value = "N",                                            \
        .help = "Use N threads (default: one per core)", .kind = OPTION_INTEGER,                   \
        .at = offsetof(type, member), .least = 1, .most = THREADS_MAX                              \
    }
#define OPTION_LIST_VARIANTS(type, member)                                                         \
    {                                                                                              \
        .name = "list-variants", .help = "List the variants and exit", .kind = OPTION_FLAG,        \
        .at = offsetof(type, member)                                                               \
    }
#define OPTION_NO_SYNC                                                                             \
    {                                                                                              \
        .name = "no-sync", .help = "Do not wait until what is written is safe from a power cut",   \
        .take = option_no_sync                                                                     \
    }
#define OPTION_REPEAT(type, member)                                                                \
    {                                                                                              \
        .name = "repeat", .letter = 'r', .value = "N",                                             \
        .help = "Solve N times after a warm-up; report medians", .kind = OPTION_INTEGER,           \
        .at = offsetof(type, member), .least = 1, .most = OPTION_MOST_REPETITIONS                  \
    }
#define OPTION_CSV(type, member)                                                                   \
    {                                                                                              \
        .name = "csv", .value = "FILE",                                                            \
        .help = "Append one row of timings per repetition to FILE", .kind = OPTION_TEXT,           \
        .at = offsetof(type, member)                                                               \
    }
enum { OPTION_MOST_REPETITIONS = 1000000 };

/* Lets output files be written without waiting for the disk (output_without_sync). */
option_taker option_no_sync;

/* Makes argp's table of rows that end with {0}; groups are numbered from `group` on. `table` has
 * room for as many entries as there are rows, the last one included. */
void option_rows_help(const struct option_row *rows, int group, struct argp_option *table);

/* Takes an option that argp has parsed by the table of option_rows_help. Returns ARGP_ERR_UNKNOWN
 * for a key of no row. */
error_t option_rows_take(const struct option_row *rows, int key, char *value,
                         struct argp_state *state, void *to);

#endif
