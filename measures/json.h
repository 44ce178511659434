// SPDX-License-Identifier: MIT
/* The text of PREFIX.json, and what --json prints of measures. */
#ifndef MEASURES_JSON_H
#define MEASURES_JSON_H

#include "common/base/json_text.h" // struct json_long_text
#include "common/rows/result_io.h" // struct provenance
#include "measures/measures.h"     // struct measures

#include <stdbool.h>
#include <stdint.h>

/* The CRC-32 of the other files; `edges` has no meaning without betweenness. */
struct measures_checksums {
    uint32_t csv, edges;
};

/* Writes a sum, and a zero byte behind it; beyond 64 bits as a real number, since many readers have
 * no larger integers. Returns its length. */
int measures_put_exact(char *to, exact_sum value);

/* Appends the whole .json of finished measures, or, if `made` is NULL, what can be computed anew. A
 * limit in a file may be written in another way than ours (limit_for), so `with_limit` is false for
 * what is compared. The caller frees the text with memory_free, also after a failure. */
enum status measures_json(const struct measures *m, const struct provenance *made,
                          struct measures_checksums crc, bool with_limit,
                          struct json_long_text *text, struct error *err);

/* Appends an object of JSON with all that PREFIX.json says of finished measures, but for who made
 * them and how. The caller frees the text in the same way. */
enum status measures_answer(const struct measures *m, struct json_long_text *text,
                            struct error *err);

#endif
