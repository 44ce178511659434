// SPDX-License-Identifier: MIT
/* Names of vertices: the numbers or words by which a file calls them, if these are neither 0 .. n-1
 * nor 1 .. n. A table of names does not change; graphs share it, and any number of threads may use
 * it at the same time.
 *
 * Numbers ascend with the vertices. Words have the order in which the file mentions them first. */
#ifndef COMMON_GRAPH_NAMES_H
#define COMMON_GRAPH_NAMES_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAMES_LONGEST = 4096 }; /* bytes of a word, at most */

/* One block of bytes, the same in memory and in a file (docs/index-format.md, section 7). */
struct vertex_names {
    int32_t n;             /* vertices */
    const int64_t *number; /* n numbers, ascending; NULL if names are words */
    const uint64_t *start; /* n + 1 offsets in text: the words */
    const int32_t *sorted; /* the n vertices in ascending order of the bytes of their words */
    const char *text;
    const void *block; /* all of the above, `bytes` long */
    uint64_t bytes, text_bytes;
    void *owned;    /* the block's memory; NULL if it is somebody else's */
    int references; /* number of holders; the last names_free releases the table */
};

/* Makes a table of n >= 1 ascending numbers, or of n different words, word v being the bytes
 * start[v] .. start[v+1]-1 of text. It copies them. The caller releases with names_free. */
enum status names_of_numbers(struct vertex_names **names, const int64_t *number, int32_t n,
                             struct error *err);
enum status names_of_words(struct vertex_names **names, const uint64_t *start, const char *text,
                           int32_t n, struct error *err);

/* Makes a table over a block of n names in somebody's memory, 8-byte aligned, which must outlive
 * it. The block may hold anything: no function reads outside it. STATUS_BAD_INPUT if its length
 * does not fit n. */
enum status names_view(struct vertex_names **names, const void *block, uint64_t bytes, int32_t n,
                       struct error *err);

/* Tells whether numbers ascend, words differ, and the words are sorted as they say. O(bytes). */
bool names_are_sound(const struct vertex_names *names);

/* Another holder of the same table; NULL for NULL. */
struct vertex_names *names_share(struct vertex_names *names);

/* Safe on NULL. */
void names_free(struct vertex_names *names);

/* Copies the name of v, cut to size - 1 bytes and ended by '\0', and returns its length, as
 * snprintf does. A word has all its bytes, whatever they are. */
size_t names_put(const struct vertex_names *names, int32_t v, char *to, size_t size);

/* Finds the vertex with this name; false if there is none. O(log n). */
bool names_find(const struct vertex_names *names, const char *name, size_t length, int32_t *v);

/* The first vertex whose number is at least `number`, or n. Numbers only. */
int32_t names_at_least(const struct vertex_names *names, int64_t number);

/* Tells whether both tables, of which each may be NULL, call all vertices the same. */
bool names_equal(const struct vertex_names *a, const struct vertex_names *b);

/* Tells whether the text is a decimal integer in the one way of writing it that names_put uses: an
 * optional '-', no zeros in front, at most 18 digits. Other numbers are words: "007" is not 7. */
bool names_take_number(const char *text, size_t length, int64_t *number);

/* How the vertices of a graph are called, in messages, options, paths and tables: by names, or by
 * the numbers first, first + 1, … */
struct vertex_naming {
    int32_t first;              /* 0 or 1: the number of vertex 0; of no meaning beside names */
    struct vertex_names *names; /* NULL: numbers */
    /* Not NULL: the vertices, which it numbers 0, 1, …, are these ones of the graph that names or
     * numbers are of (naming_of_part) */
    const int32_t *part;
};

/* The name of a vertex for a message: printable, cut if it is long. */
enum { VERTEX_NAME_SIZE = 64 };
struct vertex_name {
    char text[VERTEX_NAME_SIZE];
};
struct vertex_name naming_name(const struct vertex_naming *naming, int32_t v);

/* Returns the first of n vertices whose names in messages differ; 0 if there is none. */
int32_t naming_first_difference(const struct vertex_naming *a, const struct vertex_naming *b,
                                int32_t n);

/* Copies the whole name as names_put does. */
size_t naming_put(const struct vertex_naming *naming, int32_t v, char *to, size_t size);

/* The same for a field of a table with commas: in double quotes if it holds a separator, a quote or
 * a blank at an end. Returns the length, which is at most that of naming_longest_field. */
size_t naming_put_field(const struct vertex_naming *naming, int32_t v, char *to);
size_t naming_longest_field(const struct vertex_naming *naming);

/* Takes a name, as a user writes it, and the blanks around it off the front of *at: one in double
 * quotes, of which two stand for one, as naming_put_field writes it, or what there is up to a
 * separator, where a blank stands for any, or the end. Copies it to `name`, cut to NAMES_LONGEST +
 * 1 bytes, which no vertex has. False if a quote has no second one, or if something else than a
 * separator follows that. A separator that is no blank stays. */
bool naming_take_field(const char **at, const char *end, char separator,
                       char name[NAMES_LONGEST + 1], size_t *length);

/* The CRC-32 of all names, each followed by a line feed. */
uint32_t naming_checksum(const struct vertex_naming *naming, int32_t n);

/* Finds the one of n vertices with a name, which must be written as naming_put writes it; false if
 * there is none. */
bool naming_find(const struct vertex_naming *naming, int32_t n, const char *name, size_t length,
                 int32_t *v);

/* The same for a name that a user gives in the option or file `where`: STATUS_BAD_INPUT, with the
 * names that there are, if no vertex has it. */
enum status naming_take(const struct vertex_naming *naming, int32_t n, const char *where,
                        const char *name, size_t length, int32_t *v, struct error *err);

/* The end of a message that numbers vertices: " (vertices are numbered from 1)", because results
 * number them from 0, or "". */
const char *naming_remark(const struct vertex_naming *naming);

/* Another holder of the same names; naming_free is the end of one. */
struct vertex_naming naming_share(const struct vertex_naming *naming);

/* Another holder of the same names for a part of the graph, whose vertex k is vertex[k] of it.
 * `vertex` is the caller's and lasts as long as every holder that is made of this one. Such a
 * naming names vertices, but finds none by name. */
struct vertex_naming naming_of_part(const struct vertex_naming *naming, const int32_t *vertex);
void naming_free(struct vertex_naming *naming);

#endif
