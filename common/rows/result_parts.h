// SPDX-License-Identifier: MIT
/* Functions that result_io.c, result_text.c and result_npy.c share. */
#ifndef COMMON_ROWS_RESULT_PARTS_H
#define COMMON_ROWS_RESULT_PARTS_H

#include "common/base/text_source.h" // struct text_source
#include "common/rows/result_io.h"   // struct result, struct provenance

/* The readers behind result_read; the last one reads distances from a file without partners. After
 * a failure, too, the caller frees *result. */
enum status result_read_text(const char *path, struct result *result, struct error *err);
enum status result_read_npy(const char *prefix, struct result *result, struct error *err);
enum status result_read_npy_alone(const char *path, struct result *result, struct error *err);

/* The text reader for an open source, which the caller closes. */
enum status result_read_text_source(struct text_source *source, struct result *result,
                                    struct error *err);

/* Bytes that each of the two writers takes at most. */
uint64_t result_npy_memory(int32_t n, bool with_pred);
uint64_t result_text_memory(int32_t n, int threads);

/* Reads eight hexadecimal digits. It returns false and sets nothing if `text` is anything else. */
bool result_parse_checksum(const char *text, uint32_t *checksum);

#endif
