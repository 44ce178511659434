// SPDX-License-Identifier: MIT
/* Functions that several files of this folder use. */
#ifndef COMMON_ROWS_RESULT_PARTS_H
#define COMMON_ROWS_RESULT_PARTS_H

#include "common/base/json_text.h"    // struct json_value
#include "common/base/text_source.h"  // struct text_source
#include "common/rows/result_files.h" // NPY_FILES, struct sidecar_content
#include "common/rows/result_io.h"    // struct result, struct provenance

/* Reads a result as text, with distances of a type. The caller frees *result, also after a failure.
 */
enum status result_read_text(const char *path, enum number_type type, struct result *result,
                             struct error *err);

/* Reads only the semiring of a result as text. */
enum status result_text_semiring(const char *path, enum semiring *semiring, struct error *err);

/* Reads a result as text from an open source, which the caller closes. */
enum status result_read_text_source(struct text_source *source, enum number_type type,
                                    struct result *result, struct error *err);

/* Returns how many bytes the writer of text takes at most. */
uint64_t result_text_memory(const struct result_layout *layout, int threads);

/* Returns the prefix and a suffix joined, to be freed by the caller; NULL, with an error, if memory
 * is short. */
char *result_path(const char *prefix, const char *suffix, struct error *err);

/* Writes the head of a .npy file with a matrix. Returns its length. */
enum {
    NPY_LONGEST_HEAD = 4096,
    NPY_MAGIC_BYTES = 10, /* magic, version 1.0, header length */
};
size_t npy_head(enum npy_type type, int32_t rows, int32_t columns, char *head);

/* Do what npy_head does for a vector, and for any description of a type and any shape. */
size_t npy_head_of_vector(enum npy_type type, int64_t count, char *head);
size_t npy_head_of(const char *description, const char *shape, char *head);

/* Writes the .json file. */
enum status sidecar_write(struct output *out, const struct sidecar_content *content,
                          struct error *err);

/* Returns STATUS_BAD_INPUT for a result with only the columns of some targets, because its rows
 * cannot be proved. */
enum status result_refuse_columns(const char *path, int64_t targets, int64_t vertices,
                                  struct error *err);

/* Statements of a .json file on the files that belong to it. */
struct sidecar {
    const char *path; /* the caller's path of the .json file */
    bool with_pred;
    int64_t vertices;        /* number of vertices; -1: not stated */
    int64_t sources;         /* number of sources; -1: all vertices */
    int64_t targets;         /* number of targets; -1: all vertices */
    int64_t infinity;        /* entry for no path; -1: not stated */
    char type[16];           /* type of the distances: int64 or a real type; "": not stated */
    int64_t entries;         /* number of entries of an .npz; -1: there is no .npz */
    bool has_crc[NPY_FILES]; /* for each file, whether its CRC-32 is stated */
    uint32_t crc[NPY_FILES];
};

/* Reads an open .json, whose path is said->path, into *said and, for the origin, into *result. */
enum status sidecar_read(int fd, struct result *result, struct sidecar *said, struct error *err);

/* Reads the limit of distances from the .json at `path`, a number >= 0; NO_LIMIT if it has none.
 * The number need not have the form of limit_for. */
enum status result_take_limit(const struct json_value *json, const char *path, double *limit,
                              struct error *err);

/* Reads from the .json at `path` who made its files and how, which cannot be computed anew.
 * STATUS_BAD_INPUT for a malformed statement, except the graph's checksum, which becomes a note. */
enum status result_take_made(const struct json_value *json, const char *path,
                             struct provenance *made, struct error *err);

/* Writes the statement of such a .json on the grid that weights were rounded to, if they were. */
void result_write_grid(struct json_writer *json, const struct provenance *made);

/* Writes the member that names a semiring, unless it is min-plus. */
void result_write_semiring(struct json_writer *json, enum semiring semiring);

/* Reads `size` bytes at an offset; returns false if that fails or the file ends too early. */
bool result_read_at(int fd, void *to, size_t size, uint64_t offset);

/* Reads eight hexadecimal digits. Returns false and sets nothing if `text` is anything else. */
bool result_parse_checksum(const char *text, uint32_t *checksum);

#endif
