// SPDX-License-Identifier: MIT
/* Recognizes files of other kinds than graphs that can be read: their marks, their names, and
 * advice for messages. */
#ifndef COMMON_GRAPH_FOREIGN_H
#define COMMON_GRAPH_FOREIGN_H

#include "common/base/error.h"       // enum status, struct error
#include "common/base/text_source.h" // struct text_line

enum { FOREIGN_BYTES = 4096 }; /* bytes of a file's beginning by which its kind is recognized */

/* A kind of files. */
struct foreign;

/* Returns the kind of a file that begins with these bytes, FOREIGN_BYTES or all that there are;
 * NULL if it has no known mark. No graph that a reader reads has such a mark. */
const struct foreign *foreign_find(struct text_line beginning);

/* Returns the kind of a zip archive, by the names of its files as from byte_source_members; NULL if
 * none is known. */
const struct foreign *foreign_find_archive(const char *members);

/* Returns the format as which apsp.read of the Python package reads a file of this kind; NULL if it
 * does not, or if the kind is NULL. */
const char *foreign_format(const struct foreign *kind);

/* Fails with STATUS_BAD_INPUT and a message that says what the file `name` is, and what to do with
 * it. */
enum status foreign_refuse(const struct foreign *kind, const char *name, struct error *err);

#endif
