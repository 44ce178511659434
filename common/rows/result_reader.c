// SPDX-License-Identifier: MIT
#include "common/rows/result_reader.h"

#include "common/base/crc32.h"    // crc32_add
#include "common/base/memory.h"   // memory_alloc, memory_check
#include "common/base/output.h"   // output_open_together
#include "common/base/threads.h"  // omp_get_thread_num
#include "common/rows/npy_file.h" // struct npy_file
#include "common/rows/npz_file.h" // struct npz_file
#include "common/rows/result_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIST = NPY_DIST, PRED = NPY_PRED, JSON = NPY_JSON, SOURCES = NPY_SOURCES, NPZ = NPY_NPZ };

/* Rows from NumPy files --------------------------------------------------------- */

/* Memory into which one thread reads rows. */
struct npy_rows_thread {
    struct matrix dist, pred;
    void *room; /* room of npy_file_row_room bytes */
};

/* Reads rows from NumPy files. */
struct npy_rows {
    struct row_reader reader; /* the first member */
    char *path[NPY_FILES];
    int fd[NPY_FILES]; /* descriptor of each file; -1: the file is missing */
    struct sidecar said;
    int32_t rows, n;
    bool is_sparse;
    struct npz_file sparse; /* file of the distances, if is_sparse */
    struct npy_file dist;   /* file of the distances, unless is_sparse */
    struct npy_file pred;
    struct npy_rows_thread *thread;
    int threads;
};

static void free_threads(struct npy_rows *files) {
    for (int t = 0; t < files->threads; t++) {
        matrix_free(&files->thread[t].dist);
        matrix_free(&files->thread[t].pred);
        memory_free(files->thread[t].room);
    }
    memory_free(files->thread);
    files->thread = NULL;
    files->threads = 0;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Returns the room that a row of either file needs. */
static size_t row_room(const struct npy_rows *files) {
    return larger(files->is_sparse ? npz_file_row_room(&files->sparse)
                                   : npy_file_row_room(&files->dist),
                  files->reader.with_pred ? npy_file_row_room(&files->pred) : 0);
}

static enum status begin(struct row_reader *self, int threads, int32_t most, struct error *err) {
    struct npy_rows *const files = (struct npy_rows *)self;
    const size_t room = row_room(files);
    void *memory;
    free_threads(files);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *files->thread, "the threads", err));
    files->thread = memory;
    memset(files->thread, 0, (size_t)threads * sizeof *files->thread);
    files->threads = threads;
    for (int t = 0; t < threads; t++) {
        struct npy_rows_thread *const thread = &files->thread[t];
        RETURN_ON_FAILURE(
            matrix_alloc_typed(&thread->dist, self->type, most, self->n, "rows", err));
        if (self->with_pred)
            RETURN_ON_FAILURE(matrix_alloc_rows(&thread->pred, most, self->n, "rows", err));
        if (room > 0)
            RETURN_ON_FAILURE(memory_alloc(&thread->room, room, 1, "a row", err));
    }
    return STATUS_OK;
}

/* Reads rows first .. first + count - 1 into the first rows of a matrix. */
static enum status read_rows(const struct npy_file *file, int32_t first, int32_t count, void *room,
                             const struct matrix *to, struct error *err) {
    for (int32_t r = 0; r < count; r++)
        RETURN_ON_FAILURE(npy_file_read_row(file, first + r, room, matrix_row_cells(to, r), err));
    return STATUS_OK;
}

static enum status read_distances(const struct npy_rows *files, int32_t first, int32_t count,
                                  void *room, const struct matrix *to, struct error *err) {
    if (!files->is_sparse)
        return read_rows(&files->dist, first, count, room, to, err);
    for (int32_t r = 0; r < count; r++)
        RETURN_ON_FAILURE(
            npz_file_read_row(&files->sparse, first + r, room, matrix_row_cells(to, r), err));
    return STATUS_OK;
}

static enum status read_block(struct row_reader *self, int32_t first, int32_t count,
                              struct row_block *block, int32_t **pred_rows, struct error *err) {
    const struct npy_rows *const files = (const struct npy_rows *)self;
    const struct npy_rows_thread *const thread = &files->thread[omp_get_thread_num()];
    RETURN_ON_FAILURE(read_distances(files, first, count, thread->room, &thread->dist, err));
    if (self->with_pred)
        RETURN_ON_FAILURE(read_rows(&files->pred, first, count, thread->room, &thread->pred, err));
    block->n = self->n;
    block->type = self->type;
    block->count = count;
    block->pred = self->with_pred ? pred_rows : NULL;
    for (int32_t r = 0; r < count; r++) {
        block->position[r] = first + r;
        block->source[r] = row_source(&self->sources, first + r);
        block->cells[r] = matrix_row_cells(&thread->dist, r);
        pred_rows[r] = self->with_pred ? matrix_row(&thread->pred, r) : NULL;
    }
    return STATUS_OK;
}

/* Fails unless a file has the checksum in the .json. */
static enum status compare_crc(const struct sidecar *said, int which, const char *path,
                               uint32_t crc, struct error *err) {
    if (said->has_crc[which] && said->crc[which] != crc)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected the file that %s describes, CRC-32 %08x, found %08x", path,
                    said->path, said->crc[which], crc);
    return STATUS_OK;
}

static enum status end(struct row_reader *self, struct error *err) {
    const struct npy_rows *const files = (const struct npy_rows *)self;
    const struct sidecar *const said = &files->said;
    if (files->is_sparse)
        return STATUS_OK; /* npz_file_open has compared the checksum */
    RETURN_ON_FAILURE(compare_crc(said, DIST, files->path[DIST], npy_file_crc(&files->dist), err));
    return self->with_pred
               ? compare_crc(said, PRED, files->path[PRED], npy_file_crc(&files->pred), err)
               : STATUS_OK;
}

/* Opening NumPy files ----------------------------------------------------------- */

static enum status cannot_open(const char *path, int reason, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(reason));
}

/* Fails unless a file has the numbers of vertices and rows in the .json. */
static enum status compare_sizes(const struct sidecar *said, const struct npy_file *file,
                                 struct error *err) {
    const int64_t rows = said->sources >= 0 ? said->sources : file->n;
    if (said->vertices >= 0 && said->vertices != file->n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %lld vertices as in %s, found %d",
                    file->path, (long long)said->vertices, said->path, file->n);
    if (file->rows != rows)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %lld rows as in %s, found %d", file->path,
                    (long long)rows, said->path, file->rows);
    return STATUS_OK;
}

/* Fails unless the .json states the type of the file, and the entry that is read as no path. */
static enum status compare_type(const struct sidecar *said, const struct npy_file *file,
                                struct error *err) {
    const struct npy_type_facts *const type = &npy_types[file->type];
    if (said->type[0] != '\0' && strcmp(said->type, type->name) != 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected \"type\": \"%s\", as %s is, found \"%s\"",
                    said->path, type->name, file->path, said->type);
    return said->infinity < 0 || said->infinity == type->no_path
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "%s: expected \"infinity\": %lld, as %s is %s, found %lld", said->path,
                      (long long)type->no_path, file->path, type->name, (long long)said->infinity);
}

static bool is_int64(const struct sidecar *said) {
    return strcmp(said->type, npy_types[NPY_INT64].name) == 0;
}

/* Returns STATUS_BAD_INPUT, marked as an error of range, if distances that are to be read as int32
 * are int64, because their entry for no path is another number. */
static enum status check_width(const struct sidecar *said, enum number_type type,
                               struct error *err) {
    if (type != NUMBER_INT32 || !is_int64(said))
        return STATUS_OK;
    fail(err, STATUS_BAD_INPUT, "%s: expected distances of int32, as the graph's, found int64",
         said->path);
    err->is_out_of_range = true;
    return STATUS_BAD_INPUT;
}

/* Reads the list of the rows that the result has. */
static enum status read_sources(const struct npy_rows *files, struct vertex_list *sources,
                                struct error *err) {
    const char *const path = files->path[SOURCES];
    const struct sidecar *const said = &files->said;
    struct npy_file file = {0};
    void *vertices = NULL, *room = NULL;
    enum status status;
    TRY(npy_file_open(&file, files->fd[SOURCES], path, NPY_VECTOR, true, NUMBER_INT32, err));
    if (file.n != said->sources)
        TRY(fail(err, STATUS_BAD_INPUT, "%s: expected %lld vertices as in %s, found %d", path,
                 (long long)said->sources, said->path, file.n));
    TRY(memory_alloc(&vertices, (size_t)file.n, sizeof(int32_t), path, err));
    if (npy_file_row_room(&file) > 0)
        TRY(memory_alloc(&room, npy_file_row_room(&file), 1, path, err));
    TRY(npy_file_read_row(&file, 0, room, vertices, err));
    TRY(vertex_list_copy(path, vertices, file.n, files->n, sources, err));
    TRY(compare_crc(said, SOURCES, path, npy_file_crc(&file), err));
cleanup:
    memory_free(vertices);
    memory_free(room);
    npy_file_close(&file);
    return status;
}

static enum status open_pred(struct npy_rows *files, enum npy_form form, struct error *err) {
    struct npy_file *const pred = &files->pred;
    RETURN_ON_FAILURE(
        npy_file_open(pred, files->fd[PRED], files->path[PRED], form, false, NUMBER_INT32, err));
    if (pred->n != files->n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %d vertices as in %s, found %d",
                    pred->path, files->n, files->dist.path, pred->n);
    return compare_sizes(&files->said, pred, err);
}

/* Returns the form of the files: rows of some vertices if there is a list of sources. */
static enum npy_form form_of(const struct npy_rows *files) {
    return files->fd[SOURCES] >= 0 ? NPY_ROWS : NPY_SQUARE;
}

static enum status open_dist(struct npy_rows *files, enum number_type type, struct error *err) {
    RETURN_ON_FAILURE(npy_file_open(&files->dist, files->fd[DIST], files->path[DIST],
                                    form_of(files), true, type, err));
    files->rows = files->dist.rows;
    files->n = files->dist.n;
    RETURN_ON_FAILURE(compare_type(&files->said, &files->dist, err));
    RETURN_ON_FAILURE(check_width(&files->said, type, err));
    return compare_sizes(&files->said, &files->dist, err);
}

static enum status open_sparse(struct npy_rows *files, enum number_type type,
                               enum semiring semiring, struct error *err) {
    const struct sidecar *const said = &files->said;
    if (said->vertices < 0 || said->entries < 0 || said->with_pred)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected \"vertices\", \"entries\" and no predecessors beside %s",
                    said->path, files->path[NPZ]);
    files->n = (int32_t)said->vertices;
    files->rows = said->sources >= 0 ? (int32_t)said->sources : files->n;
    enum npy_type data = NPY_INT32;
    while (said->type[0] != '\0' && strcmp(said->type, npy_types[data].name) != 0)
        data++;
    if (data != npy_type_of(type) && npy_type_is_real(data))
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected \"type\": \"%s\", as the graph is, found \"%s\"", said->path,
                    number_name(type), said->type);
    RETURN_ON_FAILURE(check_width(said, type, err));
    const struct npz_size size = {files->rows, files->n,       said->entries, data,
                                  type,        said->crc[NPZ], semiring};
    return npz_file_open(&files->sparse, files->fd[NPZ], files->path[NPZ], &size, err);
}

/* Compares the list of names with its checksum in the .json. */
static enum status check_ids(const struct npy_rows *files, const int *reasons, struct error *err) {
    char part[1 << 14];
    uint32_t crc = 0;
    if (files->fd[NPY_IDS] < 0)
        return cannot_open(files->path[NPY_IDS], reasons[NPY_IDS], err);
    for (ssize_t got = 1; got > 0;) {
        got = read(files->fd[NPY_IDS], part, sizeof part);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", files->path[NPY_IDS],
                        strerror(errno));
        else
            crc = crc32_add(crc, part, (size_t)got);
    }
    return crc == files->said.crc[NPY_IDS]
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%s: expected checksum %08x, as %s says, found %08x",
                      files->path[NPY_IDS], files->said.crc[NPY_IDS], files->path[JSON], crc);
}

/* Checks all files of a result that are open; reasons: an errno for each file that is not open. */
static enum status look_at_files(struct npy_rows *files, const int *reasons, struct result *result,
                                 struct error *err) {
    char *const *const path = files->path;
    const int *const fd = files->fd;
    struct sidecar *const said = &files->said;
    const int distances = files->is_sparse ? NPZ : DIST;
    if (fd[distances] < 0)
        return cannot_open(path[distances], reasons[distances], err);
    if (fd[JSON] < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s, which marks the result complete: %s",
                    path[JSON], strerror(reasons[JSON]));
    RETURN_ON_FAILURE(sidecar_read(fd[JSON], result, said, err));
    if (said->targets >= 0)
        return result_refuse_columns(path[distances], said->targets, said->vertices, err);
    RETURN_ON_FAILURE(files->is_sparse
                          ? open_sparse(files, result->dist.type, result->made.semiring, err)
                          : open_dist(files, result->dist.type, err));
    if (said->sources >= 0) {
        if (fd[SOURCES] < 0)
            return cannot_open(path[SOURCES], reasons[SOURCES], err);
        RETURN_ON_FAILURE(read_sources(files, &result->sources, err));
    }
    if (result->made.ids > 0)
        RETURN_ON_FAILURE(check_ids(files, reasons, err));
    if (said->with_pred && fd[PRED] < 0)
        return cannot_open(path[PRED], reasons[PRED], err);
    return said->with_pred ? open_pred(files, form_of(files), err) : STATUS_OK;
}

/* Opens PREFIX.dist.npy and its partners. */
static enum status open_files(struct npy_rows *files, const char *prefix, struct result *result,
                              struct error *err) {
    int reasons[NPY_FILES];
    for (int f = 0; f < NPY_FILES; f++) {
        files->path[f] = result_path(prefix, npy_suffixes[f], err);
        if (files->path[f] == NULL)
            return STATUS_NO_RESOURCE;
    }
    output_open_together((const char *const *)files->path, NPY_FILES, files->fd, reasons);
    files->said.path = files->path[JSON];
    return look_at_files(files, reasons, result, err);
}

/* Opens a file of distances without a .json. */
static enum status open_alone(struct npy_rows *files, const char *path, enum number_type type,
                              struct error *err) {
    files->path[DIST] = result_path(path, "", err);
    if (files->path[DIST] == NULL)
        return STATUS_NO_RESOURCE;
    /* does not wait for the writer of a pipe */
    files->fd[DIST] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (files->fd[DIST] < 0)
        return cannot_open(path, errno, err);
    return open_dist(files, type, err);
}

static void close_files(struct npy_rows *files) {
    if (files == NULL)
        return;
    free_threads(files);
    npz_file_close(&files->sparse);
    npy_file_close(&files->dist);
    npy_file_close(&files->pred);
    for (int f = 0; f < NPY_FILES; f++) {
        if (files->path[f] != NULL && files->fd[f] >= 0)
            close(files->fd[f]);
        free(files->path[f]);
    }
    memory_free(files);
}

/* Prepares for reading from files; prefix is NULL for distances without a .json. */
static enum status open_npy(struct result_reader *reader, const char *prefix, bool is_sparse,
                            const char *path, struct error *err) {
    struct result *const result = &reader->result;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof *reader->files, path, err));
    struct npy_rows *const files = reader->files = memory;
    *files = (struct npy_rows){.is_sparse = is_sparse};
    result->edges_read = -1;
    files->said.vertices = files->said.sources = files->said.infinity = -1;
    for (int f = 0; f < NPY_FILES; f++)
        files->fd[f] = -1;
    RETURN_ON_FAILURE(prefix != NULL ? open_files(files, prefix, result, err)
                                     : open_alone(files, path, result->dist.type, err));
    result->dist.n = files->n;
    result->dist.rows = files->rows;
    files->reader = (struct row_reader){.n = files->n,
                                        .type = result->dist.type,
                                        .sources = {result->sources.vertex, files->rows},
                                        .with_pred = files->said.with_pred,
                                        .read = read_block,
                                        .begin = begin,
                                        .end = end};
    reader->rows = &files->reader;
    return STATUS_OK;
}

/* Results in any form ----------------------------------------------------------- */

static bool ends_with(const char *path, const char *suffix) {
    const size_t length = strlen(path), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

/* Stores a copy of the path without its suffix, to be freed by the caller. */
static enum status take_prefix(const char *path, const char *suffix, char **prefix,
                               struct error *err) {
    const size_t length = strlen(path) - (ends_with(path, suffix) ? strlen(suffix) : 0);
    *prefix = strndup(path, length);
    return *prefix != NULL ? STATUS_OK : fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
}

/* Returns whether there is a file whose name is the path and the suffix. */
static bool is_there(const char *path, const char *suffix) {
    char longer[PATH_MAX];
    struct stat file;
    return snprintf(longer, sizeof longer, "%s%s", path, suffix) < (int)sizeof longer &&
           stat(longer, &file) == 0;
}

/* Finds the prefix if the path is PREFIX.dist.npy or PREFIX.npz; or PREFIX, if exactly one of these
 * files exists. Otherwise *prefix is NULL. The caller frees *prefix. */
static enum status find_prefix(const char *path, char **prefix, bool *is_sparse,
                               struct error *err) {
    static const char *const suffixes[] = {RESULT_DIST_SUFFIX, RESULT_NPZ_SUFFIX};
    struct stat file;
    const bool text = strcmp(path, "-") == 0 || (stat(path, &file) == 0 && !S_ISDIR(file.st_mode));
    *prefix = NULL;
    for (int s = 0; s < 2; s++) {
        *is_sparse = s == 1;
        if (ends_with(path, suffixes[s]) || (!text && is_there(path, suffixes[s])))
            return take_prefix(path, suffixes[s], prefix, err);
    }
    *is_sparse = false;
    return STATUS_OK;
}

static enum status open_text(struct result_reader *reader, const char *path, struct error *err) {
    struct result *const result = &reader->result;
    RETURN_ON_FAILURE(result_read_text(path, result->dist.type, result, err));
    const struct row_sources sources = result_rows(result);
    matrix_reader_begin(&reader->text, &sources, &result->dist,
                        result->pred.cell != NULL ? &result->pred : NULL);
    reader->rows = &reader->text.reader;
    return STATUS_OK;
}

enum status result_reader_open(struct result_reader *reader, const char *path,
                               enum number_type type, struct error *err) {
    char *prefix = NULL;
    bool is_sparse;
    enum status status;
    *reader = (struct result_reader){
        .result = {.limit = NO_LIMIT, .dist.type = type, .type = npy_type_of(type)}};
    TRY(find_prefix(path, &prefix, &is_sparse, err));
    if (prefix == NULL && ends_with(path, RESULT_PRED_SUFFIX))
        TRY(fail(err, STATUS_BAD_INPUT,
                 "%s: expected distances: PREFIX" RESULT_DIST_SUFFIX
                 ", which has its predecessors beside it",
                 path));
    status = prefix != NULL || ends_with(path, ".npy")
                 ? open_npy(reader, prefix, is_sparse, path, err)
                 : open_text(reader, path, err);
    reader->is_int64 = reader->files != NULL && is_int64(&reader->files->said);
    reader->result.limit = limit_for(type, reader->result.limit);
cleanup:
    free(prefix);
    return status;
}

/* Reads the semiring in the .json of a prefix. */
static enum status json_semiring(const char *prefix, enum semiring *semiring, struct error *err) {
    struct result result = {.edges_read = -1};
    char *const path = result_path(prefix, RESULT_JSON_SUFFIX, err);
    struct sidecar said = {.path = path};
    if (path == NULL)
        return STATUS_NO_RESOURCE;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    enum status status =
        fd < 0 ? cannot_open(path, errno, err) : sidecar_read(fd, &result, &said, err);
    if (status == STATUS_OK)
        *semiring = result.made.semiring;
    if (fd >= 0)
        close(fd);
    result_free(&result);
    free(path);
    return status;
}

enum status result_reader_semiring(const char *path, bool *says, enum semiring *semiring,
                                   struct error *err) {
    char *prefix = NULL;
    bool is_sparse;
    enum status status = find_prefix(path, &prefix, &is_sparse, err);
    const bool is_known = prefix != NULL || (strcmp(path, "-") != 0 && !ends_with(path, ".npy"));
    if (status == STATUS_OK && is_known)
        status = prefix != NULL ? json_semiring(prefix, semiring, err)
                                : result_text_semiring(path, semiring, err);
    free(prefix);
    *says = status == STATUS_OK && is_known;
    return status == STATUS_NO_RESOURCE ? status : STATUS_OK;
}

/* Allocates a matrix of numbers of that type for all rows of the file at `path`. */
static enum status alloc_all(const struct npy_rows *files, const char *path, enum number_type type,
                             struct matrix *to, struct error *err) {
    const struct memory_part part = {"for this matrix",
                                     matrix_memory_typed(type, files->rows, files->n), 0};
    RETURN_ON_FAILURE(memory_check(path, files->n, &part, 1, err));
    return matrix_alloc_typed(to, type, files->rows, files->n, path, err);
}

enum status result_reader_load(struct result_reader *reader, struct error *err) {
    struct npy_rows *const files = reader->files;
    void *room = NULL;
    struct matrix *const dist = &reader->result.dist, *const pred = &reader->result.pred;
    enum status status = STATUS_OK;
    if (files == NULL)
        return STATUS_OK;
    const char *const path = files->path[files->is_sparse ? NPZ : DIST];
    if (row_room(files) > 0)
        TRY(memory_alloc(&room, row_room(files), 1, path, err));
    TRY(alloc_all(files, path, dist->type, dist, err));
    TRY(read_distances(files, 0, files->rows, room, dist, err));
    if (files->reader.with_pred) {
        TRY(alloc_all(files, files->path[PRED], NUMBER_INT32, pred, err));
        TRY(read_rows(&files->pred, 0, files->rows, room, pred, err));
    }
    TRY(end(&files->reader, err));
cleanup:
    memory_free(room);
    return status;
}

uint64_t result_reader_memory(const struct result_reader *reader, int threads, int32_t most) {
    const struct npy_rows *const files = reader->files;
    if (files == NULL)
        return 0;
    return memory_times((uint64_t)threads,
                        matrix_memory_of_answer(files->reader.type, most, files->reader.n,
                                                files->reader.with_pred) +
                            row_room(files));
}

void result_reader_close(struct result_reader *reader) {
    close_files(reader->files);
    result_free(&reader->result);
    *reader = (struct result_reader){0};
}
