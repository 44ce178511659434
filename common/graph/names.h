// SPDX-License-Identifier: MIT
/* Names of vertices: the numbers or words in a file, if these are neither 0 .. n-1 nor 1 .. n. A
 * table of names does not change; graphs share it, and any number of threads may use it at the same
 * time.
 *
 * Numbers ascend with the vertices. Words are in the order in which the file mentions them first.
 */
#ifndef COMMON_GRAPH_NAMES_H
#define COMMON_GRAPH_NAMES_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAMES_LONGEST = 4096 }; /* the most bytes of a word */

/* A table of names in one block of bytes, the same in memory and in a file (docs/index-format.md,
 * section 7). */
struct vertex_names {
    int32_t n;             /* number of vertices */
    const int64_t *number; /* n numbers, ascending; NULL if names are words */
    const uint64_t *start; /* n + 1 offsets in `text`: word v is bytes start[v] .. start[v + 1] - 1;
                              NULL: numbers */
    /* n: vertices in ascending order of the bytes of their words; NULL: numbers */
    const int32_t *sorted;
    const char *text;
    const void *block; /* the memory that all of the arrays are in, `bytes` long */
    uint64_t bytes, text_bytes;
    void *owned;    /* memory of the block, to be freed; NULL: it belongs to the caller */
    int references; /* number of holders; the last names_free releases the table */
};

/* Makes a table of n >= 1 ascending numbers, or of n different words, word v being the bytes
 * start[v] .. start[v+1]-1 of text. The names are copied. The caller releases the table with
 * names_free. */
enum status names_of_numbers(struct vertex_names **names, const int64_t *number, int32_t n,
                             struct error *err);
enum status names_of_words(struct vertex_names **names, const uint64_t *start, const char *text,
                           int32_t n, struct error *err);

/* Makes a table over a block of n names in memory of the caller, 8-byte aligned, which must outlive
 * the table. The block may contain anything: no function reads outside of it. STATUS_BAD_INPUT if
 * its length does not fit n. */
enum status names_view(struct vertex_names **names, const void *block, uint64_t bytes, int32_t n,
                       struct error *err);

/* Returns whether numbers ascend, words differ, and `sorted` sorts the words. O(bytes). */
bool names_are_sound(const struct vertex_names *names);

/* Returns another holder of the table; NULL for NULL. */
struct vertex_names *names_share(struct vertex_names *names);

/* Releases a holder of a table; NULL is allowed. */
void names_free(struct vertex_names *names);

/* Copies the name of v, cut to size - 1 bytes and ended by '\0', and returns its whole length, as
 * snprintf does. The bytes of a word are copied unchanged. */
size_t names_put(const struct vertex_names *names, int32_t v, char *to, size_t size);

/* Finds the vertex with this name; false if there is none. O(log n). */
bool names_find(const struct vertex_names *names, const char *name, size_t length, int32_t *v);

/* Returns the first vertex whose number is at least `number`; n if there is none. Only for names
 * that are numbers. */
int32_t names_at_least(const struct vertex_names *names, int64_t number);

/* Returns whether both tables, each of which may be NULL, give all vertices the same names. */
bool names_equal(const struct vertex_names *a, const struct vertex_names *b);

/* Returns whether the text is a decimal integer written as names_put writes it: an optional '-', no
 * leading zeros, at most 18 digits. All other texts are words: "007" is not 7. */
bool names_take_number(const char *text, size_t length, int64_t *number);

/* Names of the vertices of a graph in messages, options, paths and tables: from a table, or the
 * numbers first, first + 1, … */
struct vertex_naming {
    int32_t first;              /* 0 or 1: number of vertex 0; without meaning if there are names */
    struct vertex_names *names; /* table of names; NULL: vertices have numbers */
    /* For a naming of a part of a graph: vertex k of the part is vertex part[k] of the graph that
     * has the names or numbers (naming_of_part). NULL: it is not for a part. */
    const int32_t *part;
};

/* The name of a vertex for a message: printable, and cut if it is long. */
enum { VERTEX_NAME_SIZE = 64 };
struct vertex_name {
    char text[VERTEX_NAME_SIZE];
};
struct vertex_name naming_name(const struct vertex_naming *naming, int32_t v);

/* Returns the first of n vertices whose two names in messages differ; 0 if there is none. */
int32_t naming_first_difference(const struct vertex_naming *a, const struct vertex_naming *b,
                                int32_t n);

/* Copies the whole name of a vertex as names_put does. */
size_t naming_put(const struct vertex_naming *naming, int32_t v, char *to, size_t size);

/* Writes the name of a vertex as a field of a comma-separated table: in double quotes if it
 * contains a separator, a quote or a blank at an end. Returns the length, at most
 * naming_longest_field. */
size_t naming_put_field(const struct vertex_naming *naming, int32_t v, char *to);
size_t naming_longest_field(const struct vertex_naming *naming);

/* Takes a name as a user writes it, and the blanks around it, off the front of *at: a text in
 * double quotes, in which two quotes stand for one, as naming_put_field writes it, or the text up
 * to a separator or the end; if the separator is a blank, any blank separates. Copies the name to
 * `name`, cut to NAMES_LONGEST + 1 bytes, which is longer than any name. Returns false if a closing
 * quote is missing, or if it is followed by anything but a separator. A separator that is no blank
 * is not taken. */
bool naming_take_field(const char **at, const char *end, char separator,
                       char name[NAMES_LONGEST + 1], size_t *length);

/* Returns the CRC-32 of all names, each followed by a line feed. */
uint32_t naming_checksum(const struct vertex_naming *naming, int32_t n);

/* Finds the vertex of n with a name, which must be written as naming_put writes it; false if there
 * is none. */
bool naming_find(const struct vertex_naming *naming, int32_t n, const char *name, size_t length,
                 int32_t *v);

/* Finds the vertex with a name that a user gives in the option or file `where`: STATUS_BAD_INPUT,
 * with the existing names in the message, if no vertex has it. */
enum status naming_take(const struct vertex_naming *naming, int32_t n, const char *where,
                        const char *name, size_t length, int32_t *v, struct error *err);

/* Returns the end of a message that numbers vertices: " (vertices are numbered from 1)", because
 * results number them from 0; otherwise "". */
const char *naming_remark(const struct vertex_naming *naming);

/* Returns another holder of the names, to be released with naming_free. */
struct vertex_naming naming_share(const struct vertex_naming *naming);

/* Returns another holder of the names for a part of the graph: vertex k of the part is vertex[k] of
 * the graph. `vertex` belongs to the caller, and must outlive every holder made from this one. Such
 * a naming returns names of vertices, but finds no vertex by its name. */
struct vertex_naming naming_of_part(const struct vertex_naming *naming, const int32_t *vertex);
void naming_free(struct vertex_naming *naming);

#endif
