// SPDX-License-Identifier: MIT
/* Files of comma-separated values (RFC 4180) with a fixed header line, to which runs append rows.
 */
#ifndef CLI_CSV_FILE_H
#define CLI_CSV_FILE_H

#include "common/base/error.h" // enum status, struct error

#include <stdio.h>

/* Writes text in quotes and doubles the quotes in it. */
void csv_put_quoted(FILE *file, const char *text);

/* Appends the rows that put_rows writes to the file, after the header, a line with its line feed,
 * if the file is new or empty. It locks the file (output_lock), writes once and syncs
 * (output_sync), so rows of several processes do not mix. It appends all rows or none:
 * STATUS_NO_RESOURCE if they cannot be written, STATUS_BAD_INPUT if the file begins with another
 * header, so that it holds anything but `what` (say "timings"). */
enum status csv_append(const char *path, const char *header, const char *what,
                       void (*put_rows)(FILE *to, const void *context), const void *context,
                       struct error *err);

/* STATUS_BAD_INPUT for a regular file that is not empty and does not begin with the header. A file
 * that cannot be opened passes: csv_append will report it. */
enum status csv_check(const char *path, const char *header, const char *what, struct error *err);

#endif
