// SPDX-License-Identifier: MIT
/* Functions that the files of this folder share. */
#ifndef COMMON_ROWS_RESULT_PARTS_H
#define COMMON_ROWS_RESULT_PARTS_H

#include "common/base/output.h"      // struct output
#include "common/base/text_source.h" // struct text_source
#include "common/rows/result_io.h"   // struct result, struct provenance

/* The reader of text. After a failure, too, the caller frees *result. */
enum status result_read_text(const char *path, struct result *result, struct error *err);

/* The text reader for an open source, which the caller closes. */
enum status result_read_text_source(struct text_source *source, struct result *result,
                                    struct error *err);

/* Bytes that the writer of text takes at most. */
uint64_t result_text_memory(int32_t n, int threads);

/* The files of a result as NumPy has it, in the order in which they are opened. */
enum { NPY_DIST, NPY_PRED, NPY_JSON, NPY_SOURCES, NPY_FILES };
extern const char *const npy_suffixes[NPY_FILES];

/* The prefix and a suffix joined; the caller frees the string. NULL and an error if there is no
 * memory. */
char *result_path(const char *prefix, const char *suffix, struct error *err);

/* Writes the head of a .npy file of int32: of a matrix, or of a vector. Returns its length. */
enum {
    NPY_LONGEST_HEAD = 4096,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
};
size_t npy_head(int32_t rows, int32_t n, char *head);
size_t npy_head_of_vector(int32_t count, char *head);

/* What the .json says. */
struct sidecar_content {
    int32_t vertices;
    int64_t edges;
    bool with_pred;
    int64_t sources; /* -1: all vertices */
    int32_t limit;   /* NO_LIMIT for none */
    uint32_t crc[NPY_FILES];
    const struct provenance *made;
};
enum status sidecar_write(struct output *out, const struct sidecar_content *content,
                          struct error *err);

/* What a .json says of the files beside it. */
struct sidecar {
    const char *path; /* the caller's */
    bool with_pred;
    int64_t vertices; /* -1: nothing */
    int64_t sources;  /* -1: all vertices */
    bool has_crc;
    uint32_t crc[NPY_FILES];
};

/* Reads an open .json, whose path is said->path, into *said and into what *result tells of its
 * origin. */
enum status sidecar_read(int fd, struct result *result, struct sidecar *said, struct error *err);

/* Reads eight hexadecimal digits. It returns false and sets nothing if `text` is anything else. */
bool result_parse_checksum(const char *text, uint32_t *checksum);

#endif
