// SPDX-License-Identifier: MIT
/* Files of other kinds than graphs that are read: their marks, their names, and what to do with
 * them. */
#ifndef COMMON_GRAPH_FOREIGN_H
#define COMMON_GRAPH_FOREIGN_H

#include "common/base/error.h"       // enum status, struct error
#include "common/base/text_source.h" // struct text_line

enum { FOREIGN_BYTES = 4096 }; /* of a file's beginning, by which its kind is told */

/* A kind of files. */
struct foreign;

/* Returns the kind of a file that begins with these bytes, as many of FOREIGN_BYTES as there are;
 * NULL if it has no mark of any. No graph that a reader reads has one. */
const struct foreign *foreign_find(struct text_line beginning);

/* Returns the kind of a zip archive, by the names of its files as byte_source_members gives them.
 */
const struct foreign *foreign_find_archive(const char *members);

/* Returns the format by which apsp.read of the Python package reads a file of this kind; NULL if it
 * does not, or if the kind is NULL. */
const char *foreign_format(const struct foreign *kind);

/* Fails with STATUS_BAD_INPUT: the file is called `name`, what it is, and what to do. */
enum status foreign_refuse(const struct foreign *kind, const char *name, struct error *err);

#endif
