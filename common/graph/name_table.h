// SPDX-License-Identifier: MIT
/* Collects the names of vertices while edges are read, and numbers them in the order of first
 * appearance. */
#ifndef COMMON_GRAPH_NAME_TABLE_H
#define COMMON_GRAPH_NAME_TABLE_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_table {
    int32_t count;   /* number of different names so far */
    bool words;      /* names are words; otherwise numbers */
    int64_t *number; /* `capacity` numbers; NULL if names are words */
    uint64_t *start; /* capacity + 1 offsets in `text`; NULL unless names are words */
    char *text;
    size_t text_room; /* size of `text` in bytes */
    int32_t capacity; /* number of names that there is room for */
    int32_t *slot;    /* a hash table of `slots` entries: 1 + index of a name; 0: empty */
    uint32_t slots;   /* a power of two, at least 2 * count; 0: there is no hash table yet */
    uint64_t seed; /* different in each run, so that no file can contain names chosen to collide */
};

/* Find a number or a word in the table, or add it; *index is its place in the order of first
 * appearance. The first word turns the table into one of words: numbers in it, and later ones,
 * become words in decimal. STATUS_NO_RESOURCE if memory runs out or there are 2^31 - 1 names. */
enum status name_table_number(struct name_table *table, int64_t number, int32_t *index,
                              struct error *err);
enum status name_table_word(struct name_table *table, const char *word, size_t length,
                            int32_t *index, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void name_table_free(struct name_table *table);

#endif
