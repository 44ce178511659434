// SPDX-License-Identifier: MIT
#include "cli/option_rows.h"

#include "cli/cli.h"            // cli_integer
#include "common/base/output.h" // output_without_sync

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_KEY = 0x100 }; /* of options without a letter: no character has it */

static int key_of(const struct option_row *rows, size_t k) {
    return rows[k].letter != 0 ? rows[k].letter : FIRST_KEY + (int)k;
}

static bool is_end(const struct option_row *row) {
    return row->name == NULL && row->help == NULL;
}

void option_flag(struct argp_state *state, const struct option_row *row, char *value, void *to) {
    const bool given = true;
    (void)state, (void)value;
    memcpy((char *)to + row->at, &given, sizeof given);
}

void option_text(struct argp_state *state, const struct option_row *row, char *value, void *to) {
    const char *const text = value;
    (void)state;
    memcpy((char *)to + row->at, &text, sizeof text);
}

void option_integer(struct argp_state *state, const struct option_row *row, char *value, void *to) {
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    const int number = (int)cli_integer(state, name, value, row->least, row->most);
    memcpy((char *)to + row->at, &number, sizeof number);
}

void option_seed(struct argp_state *state, const struct option_row *row, char *value, void *to) {
    const uint64_t seed = (uint64_t)cli_integer(state, "--seed", value, 0, INT64_MAX);
    memcpy((char *)to + row->at, &seed, sizeof seed);
}

void option_no_sync(struct argp_state *state, const struct option_row *row, char *value, void *to) {
    (void)state, (void)row, (void)value, (void)to;
    output_without_sync();
}

void option_rows_help(const struct option_row *rows, int group, struct argp_option *table) {
    size_t k = 0;
    group--;
    for (; !is_end(&rows[k]); k++) {
        const struct option_row *const row = &rows[k];
        group += row->name == NULL;
        table[k] = (struct argp_option){.name = row->name, .doc = row->help, .group = group};
        if (row->take == NULL) {
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
        if (rows[k].take != NULL && key_of(rows, k) == key) {
            rows[k].take(state, &rows[k], value, to);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}
