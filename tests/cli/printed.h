// SPDX-License-Identifier: MIT
/* Reads back text that a function prints on standard output. */
#ifndef TESTS_CLI_PRINTED_H
#define TESTS_CLI_PRINTED_H

#include "common/base/json_text.h" // struct json_document

/* Calls print(context) with standard output in a file; returns the file's path (temporary_path). */
const char *printed(void (*print)(void *context), void *context);

/* Reads what it prints, which must be JSON; the caller frees the document's memory. */
void read_printed(void (*print)(void *context), void *context, struct json_document *document);

#endif
