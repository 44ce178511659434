// SPDX-License-Identifier: MIT
#include "cli/option_rows.h"

#include "cli/cli.h"            // cli_integer
#include "common/base/output.h" // output_without_sync

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_KEY = 0x100 }; /* first key of options without a letter, above all characters */

static int key_of(const struct option_row *rows, size_t k) {
    return rows[k].letter != 0 ? rows[k].letter : FIRST_KEY + (int)k;
}

static bool is_end(const struct option_row *row) {
    return row->name == NULL && row->help == NULL;
}

/* Returns whether a row is an option of its own, neither the title of a group nor another name. */
static bool is_option(const struct option_row *row) {
    return row->kind != OPTION_TAKEN || row->take != NULL;
}

void option_no_sync(struct argp_state *state, char *value, void *to) {
    (void)state, (void)value, (void)to;
    output_without_sync();
}

/* Returns a value as an integer in the range of its row. */
static int64_t integer_in(struct argp_state *state, const struct option_row *row,
                          const char *value) {
    const bool is_seed = row->kind == OPTION_SEED;
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    return cli_integer(state, name, value, is_seed ? 0 : row->least,
                       is_seed ? INT64_MAX : row->most);
}

/* Stores the value of an option in *to, or has the row's taker store it. */
static void take(const struct option_row *row, char *value, struct argp_state *state, void *to) {
    void *const member = (char *)to + row->at;
    switch (row->kind) {
    case OPTION_TAKEN:
        row->take(state, value, to);
        break;
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_TEXT:
        *(const char **)member = value;
        break;
    case OPTION_INTEGER:
        *(int *)member = (int)integer_in(state, row, value);
        break;
    case OPTION_SEED:
        *(uint64_t *)member = (uint64_t)integer_in(state, row, value);
        break;
    }
}

void option_rows_help(const struct option_row *rows, int group, struct argp_option *table) {
    size_t k = 0;
    group--;
    for (; !is_end(&rows[k]); k++) {
        const struct option_row *const row = &rows[k];
        group += row->name == NULL;
        table[k] = (struct argp_option){.name = row->name, .doc = row->help, .group = group};
        if (!is_option(row)) {
            table[k].flags = row->name != NULL ? OPTION_ALIAS : 0;
            continue;
        }
        table[k].key = key_of(rows, k);
        table[k].arg = row->value;
        table[k].flags = row->may_be_bare ? OPTION_ARG_OPTIONAL : 0;
    }
    table[k] = (struct argp_option){0};
}

error_t option_rows_take(const struct option_row *rows, int key, char *value,
                         struct argp_state *state, void *to) {
    for (size_t k = 0; !is_end(&rows[k]); k++) {
        if (is_option(&rows[k]) && key_of(rows, k) == key) {
            take(&rows[k], value, state, to);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}
