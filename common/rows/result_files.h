// SPDX-License-Identifier: MIT
/* The files of a result in NumPy's formats while they are written. */
#ifndef COMMON_ROWS_RESULT_FILES_H
#define COMMON_ROWS_RESULT_FILES_H

#include "common/base/output.h"    // struct output
#include "common/rows/result_io.h" // struct result_layout, struct provenance

/* The files of a result: PREFIX with one of these suffixes. Readers open them in this order. */
enum { NPY_DIST, NPY_PRED, NPY_JSON, NPY_SOURCES, NPY_TARGETS, NPY_NPZ, NPY_IDS, NPY_FILES };
extern const char *const npy_suffixes[NPY_FILES];

struct result_files {
    char *path[NPY_FILES];
    struct output out[NPY_FILES];
};

/* Contents of the .json file. */
struct sidecar_content {
    const struct result_layout *layout;
    int64_t edges;
    int64_t entries;         /* number of entries of an .npz; -1: there is no .npz */
    uint32_t crc[NPY_FILES]; /* checksum of each file that the result has */
    const struct provenance *made;
};

/* Names the files, without opening any. The caller frees with result_files_close, also after a
 * failure. */
enum status result_files_name(struct result_files *files, const char *prefix, struct error *err);

/* Writes the lists of sources and targets and the .json, with the checksums in content->crc and
 * those of the lists, and puts all files in place. Files that are not open do not belong to the
 * result, and are removed. All of this happens, or nothing. */
enum status result_files_commit(struct result_files *files, struct sidecar_content *content,
                                struct error *err);

/* Removes files that were not committed. Safe on a zeroed struct; leaves it zeroed. */
void result_files_close(struct result_files *files);

#endif
