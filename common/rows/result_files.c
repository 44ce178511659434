// SPDX-License-Identifier: MIT
#include "common/rows/result_files.h"

#include "common/base/crc32.h" // crc32_add
#include "common/rows/result_parts.h"

#include <stdlib.h>

const char *const npy_suffixes[NPY_FILES] = {
    [NPY_DIST] = RESULT_DIST_SUFFIX,       [NPY_PRED] = RESULT_PRED_SUFFIX,
    [NPY_JSON] = RESULT_JSON_SUFFIX,       [NPY_SOURCES] = RESULT_SOURCES_SUFFIX,
    [NPY_TARGETS] = RESULT_TARGETS_SUFFIX, [NPY_NPZ] = RESULT_NPZ_SUFFIX,
    [NPY_IDS] = RESULT_IDS_SUFFIX,
};

_Static_assert((int)NPY_FILES <= (int)OUTPUT_MAX_TOGETHER, "they appear together");

enum status result_files_name(struct result_files *files, const char *prefix, struct error *err) {
    *files = (struct result_files){0};
    for (int f = 0; f < NPY_FILES; f++) {
        files->out[f].fd = -1;
        files->path[f] = result_path(prefix, npy_suffixes[f], err);
        if (files->path[f] == NULL)
            return STATUS_NO_RESOURCE;
    }
    return STATUS_OK;
}

/* Writes the file of a list of vertices, unless all vertices are listed. */
static enum status write_list(struct result_files *files, int file, const struct row_sources *list,
                              uint32_t *crc, struct error *err) {
    char head[NPY_LONGEST_HEAD];
    struct output *const out = &files->out[file];
    if (list->source == NULL)
        return STATUS_OK;
    const size_t head_bytes = npy_head_of_vector(NPY_INT32, list->count, head);
    const size_t bytes = (size_t)list->count * sizeof *list->source;
    RETURN_ON_FAILURE(output_open(out, files->path[file], err));
    RETURN_ON_FAILURE(output_write(out, head, head_bytes, err));
    RETURN_ON_FAILURE(output_write(out, list->source, bytes, err));
    *crc = crc32_add(crc32_add(0, head, head_bytes), list->source, bytes);
    return STATUS_OK;
}

/* Writes the names of vertices, one on a line, unless vertices have numbers. */
static enum status write_ids(struct result_files *files, const struct result_layout *layout,
                             uint32_t *crc, struct error *err) {
    struct output *const out = &files->out[NPY_IDS];
    char line[NAMES_LONGEST + 2];
    if (layout->naming.names == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(output_open(out, files->path[NPY_IDS], err));
    for (int32_t v = 0; v < layout->n; v++) {
        const size_t length = naming_put(&layout->naming, v, line, sizeof line);
        line[length] = '\n';
        RETURN_ON_FAILURE(output_write(out, line, length + 1, err));
    }
    *crc = naming_checksum(&layout->naming, layout->n);
    return STATUS_OK;
}

enum status result_files_commit(struct result_files *files, struct sidecar_content *content,
                                struct error *err) {
    /* the .json, which stands for the other files */
    struct output *outs[NPY_FILES] = {&files->out[NPY_JSON]};
    int count = 1;
    RETURN_ON_FAILURE(
        write_list(files, NPY_SOURCES, &content->layout->sources, &content->crc[NPY_SOURCES], err));
    RETURN_ON_FAILURE(
        write_list(files, NPY_TARGETS, &content->layout->targets, &content->crc[NPY_TARGETS], err));
    RETURN_ON_FAILURE(write_ids(files, content->layout, &content->crc[NPY_IDS], err));
    RETURN_ON_FAILURE(output_open(&files->out[NPY_JSON], files->path[NPY_JSON], err));
    RETURN_ON_FAILURE(sidecar_write(&files->out[NPY_JSON], content, err));
    for (int f = 0; f < NPY_FILES; f++) {
        if (files->out[f].fd < 0)
            RETURN_ON_FAILURE(output_open_removal(&files->out[f], files->path[f], err));
        if (f != NPY_JSON)
            outs[count++] = &files->out[f];
    }
    return output_commit_all(outs, count, err);
}

void result_files_close(struct result_files *files) {
    for (int f = 0; f < NPY_FILES; f++) {
        if (files->path[f] != NULL) /* after result_files_name, outputs are open or discarded */
            output_discard(&files->out[f]);
        free(files->path[f]);
    }
    *files = (struct result_files){0};
}
