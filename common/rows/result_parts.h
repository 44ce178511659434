// SPDX-License-Identifier: MIT
/* Functions that the files of this folder share. */
#ifndef COMMON_ROWS_RESULT_PARTS_H
#define COMMON_ROWS_RESULT_PARTS_H

#include "common/base/json_text.h"    // struct json_value
#include "common/base/text_source.h"  // struct text_source
#include "common/rows/result_files.h" // NPY_FILES, struct sidecar_content
#include "common/rows/result_io.h"    // struct result, struct provenance

/* The reader of text, with distances of a type. After a failure, too, the caller frees *result. */
enum status result_read_text(const char *path, enum number_type type, struct result *result,
                             struct error *err);

/* Reads no more of it than the semiring of its lengths. */
enum status result_text_semiring(const char *path, enum semiring *semiring, struct error *err);

/* The text reader for an open source, which the caller closes. */
enum status result_read_text_source(struct text_source *source, enum number_type type,
                                    struct result *result, struct error *err);

/* Bytes that the writer of text takes at most. */
uint64_t result_text_memory(const struct result_layout *layout, int threads);

/* The prefix and a suffix joined; the caller frees the string. NULL and an error if there is no
 * memory. */
char *result_path(const char *prefix, const char *suffix, struct error *err);

/* Writes the head of a .npy file with a matrix. Returns its length. */
enum {
    NPY_LONGEST_HEAD = 4096,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
};
size_t npy_head(enum npy_type type, int32_t rows, int32_t columns, char *head);

/* The same for a vector, and for any description of a type and any shape. */
size_t npy_head_of_vector(enum npy_type type, int64_t count, char *head);
size_t npy_head_of(const char *description, const char *shape, char *head);

/* Writes the .json. */
enum status sidecar_write(struct output *out, const struct sidecar_content *content,
                          struct error *err);

/* STATUS_BAD_INPUT for a result that has only the columns of some targets: its rows cannot be
 * proved.
 */
enum status result_refuse_columns(const char *path, int64_t targets, int64_t vertices,
                                  struct error *err);

/* Statements of a .json on the files beside it. */
struct sidecar {
    const char *path; /* the caller's */
    bool with_pred;
    int64_t vertices;        /* -1: nothing */
    int64_t sources;         /* -1: all vertices */
    int64_t targets;         /* -1: all vertices */
    int64_t infinity;        /* the entry for no path; -1: nothing */
    char type[16];           /* of the distances: int64 or a real one; "": nothing */
    int64_t entries;         /* of an .npz; -1: there is none */
    bool has_crc[NPY_FILES]; /* it says the CRC-32 of this file */
    uint32_t crc[NPY_FILES];
};

/* Reads an open .json, whose path is said->path, into *said and into what *result tells of its
 * origin. */
enum status sidecar_read(int fd, struct result *result, struct sidecar *said, struct error *err);

/* Takes the limit of distances from the .json at `path`, a number of 0 or more; NO_LIMIT if it has
 * none. It need not be of the form that the type of the distances wants (limit_for). */
enum status result_take_limit(const struct json_value *json, const char *path, double *limit,
                              struct error *err);

/* Takes what the .json at `path` says of who made the files beside it and how, which nobody can
 * compute anew. STATUS_BAD_INPUT for what is no such statement, but for the graph's checksum, which
 * becomes a note. */
enum status result_take_made(const struct json_value *json, const char *path,
                             struct provenance *made, struct error *err);

/* Writes what such a .json says of the grid that weights were rounded to, if they were. */
void result_write_grid(struct json_writer *json, const struct provenance *made);

/* Reads `size` bytes at an offset; false if that fails or the file ends before. */
bool result_read_at(int fd, void *to, size_t size, uint64_t offset);

/* Reads eight hexadecimal digits. It returns false and sets nothing if `text` is anything else. */
bool result_parse_checksum(const char *text, uint32_t *checksum);

#endif
