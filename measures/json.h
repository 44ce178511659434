// SPDX-License-Identifier: MIT
/* The text of PREFIX.json, and the measures in the output of --json. */
#ifndef MEASURES_JSON_H
#define MEASURES_JSON_H

#include "common/base/json_text.h" // struct json_long_text
#include "common/rows/result_io.h" // struct provenance
#include "measures/measures.h"     // struct measures

#include <stdbool.h>
#include <stdint.h>

/* CRC-32 of the other files; `edges` has no meaning without betweenness. */
struct measures_checksums {
    uint32_t csv, edges;
};

/* Writes a sum and a zero byte after it. A sum beyond 64 bits is written as a real number, since
 * many readers have no larger integers. Returns the length without the zero byte. */
int measures_put_exact(char *to, exact_sum value);

/* Appends the whole .json text of finished measures or, if `made` is NULL, the part of it that can
 * be computed anew. with_limit: the limit is written; false for a comparison, because a file may
 * write a limit in another way (limit_for). The caller frees the text with memory_free, also after
 * a failure. */
enum status measures_json(const struct measures *m, const struct provenance *made,
                          struct measures_checksums crc, bool with_limit,
                          struct json_long_text *text, struct error *err);

/* Appends a JSON object with all that PREFIX.json says of finished measures, except who made them
 * and how. The caller frees the text with memory_free, also after a failure. */
enum status measures_answer(const struct measures *m, struct json_long_text *text,
                            struct error *err);

#endif
