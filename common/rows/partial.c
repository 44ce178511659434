// SPDX-License-Identifier: MIT
#include "common/rows/partial.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/clock.h"       // clock_seconds
#include "common/base/crc32.h"       // crc32_add
#include "common/base/json_text.h"   // json_text_read, struct json_writer
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "common/rows/result_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".partial", request_name[] = "request.json",
                  new_request_name[] = "request.json.new", table_name[] = "rows";
static const char *const matrix_names[PARTIAL_MATRICES] = {"dist.npy", "pred.npy"};

/* The member of request.json that is no term. */
static const char produced_by[] = "produced_by";

/* An entry in the file `rows`, at offset position * sizeof(struct kept_row). */
struct kept_row {
    uint32_t position;
    /* checksum of the row's bytes in each matrix; 0 if there is no such matrix */
    uint32_t crc[PARTIAL_MATRICES];
    uint32_t check; /* checksum of request.json followed by the other members */
};

static uint32_t check_of(const struct partial *p, const struct kept_row *entry) {
    return crc32_add(p->key, entry, offsetof(struct kept_row, check));
}

/* The request. */

struct partial_term partial_term(const char *name, const char *format, ...) {
    struct partial_term term = {.name = name};
    va_list values;
    va_start(values, format);
    vsnprintf(term.value, sizeof term.value, format, values);
    va_end(values);
    return term;
}

static void write_terms(const struct partial *p, struct json_writer *json) {
    json_write_begin(json, NULL);
    for (int t = 0; t < p->terms; t++)
        json_write_text(json, p->term[t].name, p->term[t].value);
    json_write_text(json, produced_by, p->variant);
    json_write_close(json);
}

static enum status fail_in_folder(const struct partial *p, const char *name, int reason,
                                  struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "cannot write %.700s/%s: %s", p->path, name,
                strerror(reason));
}

/* Puts request.json in place and sets the key, which makes all entries of another request invalid.
 */
static enum status write_request(struct partial *p, struct error *err) {
    struct json_writer json;
    int fd;
    write_terms(p, &json);
    if (unlinkat(p->folder, new_request_name, 0) != 0 && errno != ENOENT)
        return fail_in_folder(p, new_request_name, errno, err);
    RETURN_ON_FAILURE(output_open_in_folder(p->folder, p->path, new_request_name, &fd, err));
    int reason = output_write_all(fd, json.text, json.length);
    if (reason == 0)
        reason = output_sync(fd);
    if (close(fd) != 0 && reason == 0)
        reason = errno;
    if (reason == 0 && renameat(p->folder, new_request_name, p->folder, request_name) != 0)
        reason = errno;
    if (reason == 0)
        reason = output_sync(p->folder);
    p->key = crc32_add(0, json.text, json.length);
    return reason == 0 ? STATUS_OK : fail_in_folder(p, request_name, reason, err);
}

static bool has_term(const struct json_value *kept, const struct partial_term *term) {
    const struct json_value *const found = json_text_member(kept, term->name);
    return found != NULL && found->kind == JSON_IS_TEXT && strcmp(found->text, term->value) == 0;
}

/* Compares the request in the folder with the current one. */
static enum status compare_request(struct partial *p, const struct json_value *kept,
                                   struct error *err) {
    for (int t = 0; t < p->terms; t++) {
        const struct partial_term *term = &p->term[t];
        const struct json_value *found = json_text_member(kept, term->name);
        const bool is_text = found != NULL && found->kind == JSON_IS_TEXT;
        if (!has_term(kept, term))
            return fail(
                err, STATUS_BAD_INPUT,
                "%.400s: expected rows with %s %s, found %.100s (remove the folder to begin "
                "anew)",
                p->path, term->name, term->value, is_text ? found->text : "none");
    }
    const struct json_value *variant = json_text_member(kept, produced_by);
    if (variant == NULL || variant->kind != JSON_IS_TEXT)
        return fail(err, STATUS_BAD_INPUT, "%.400s/%s: expected the member %s", p->path,
                    request_name, produced_by);
    snprintf(p->variant, sizeof p->variant, "%s", variant->text);
    partial_note_variant(p, p->variant);
    return STATUS_OK;
}

/* Fails if the folder contains any file that a run does not leave before there is a request. */
static enum status refuse_others(const struct partial *p, struct error *err) {
    enum status status = STATUS_OK;
    const int fd = openat(p->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const list = fd >= 0 ? fdopendir(fd) : NULL;
    if (list == NULL) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        return fail_in_folder(p, "", reason, err);
    }
    for (const struct dirent *file; status == STATUS_OK && (file = readdir(list)) != NULL;) {
        if (strcmp(file->d_name, ".") != 0 && strcmp(file->d_name, "..") != 0 &&
            strcmp(file->d_name, new_request_name) != 0)
            status = fail(err, STATUS_BAD_INPUT,
                          "%.400s: expected an empty folder or one that --resume has left, found "
                          "%.200s in it",
                          p->path, file->d_name);
    }
    closedir(list);
    return status;
}

/* Reads request.json in a folder into JSON_LONGEST + 1 bytes, and returns its length; -1 if it
 * cannot be read; then *is_missing tells whether there is none. */
static ssize_t read_text(int folder, char *text, bool *is_missing) {
    struct stat file;
    const int fd = openat(folder, request_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *is_missing = fd < 0 && errno == ENOENT;
    const ssize_t size = fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode)
                             ? read(fd, text, JSON_LONGEST + 1)
                             : -1;
    if (fd >= 0)
        close(fd);
    return size;
}

/* Reads request.json, or writes it if there is none. */
static enum status read_request(struct partial *p, struct error *err) {
    char path[1024], text[JSON_LONGEST + 1];
    struct json_document json = {0};
    enum status status = STATUS_OK;
    snprintf(path, sizeof path, "%.900s/%s", p->path, request_name);
    const ssize_t size = read_text(p->folder, text, &p->fresh);
    if (p->fresh) {
        RETURN_ON_FAILURE(refuse_others(p, err));
        return write_request(p, err);
    }
    if (size < 0 || size > JSON_LONGEST)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a file that can be read, of %d bytes at most", path,
                    JSON_LONGEST);
    p->key = crc32_add(0, text, (size_t)size);
    TRY(json_text_read(path, text, (size_t)size, &json, err));
    TRY(compare_request(p, json.root, err));
cleanup:
    memory_free(json.memory);
    return status;
}

enum status partial_open(struct partial *p, const char *prefix, const struct partial_term *terms,
                         int count, struct error *err) {
    *p = (struct partial){
        .folder = -1, .matrix = {{.fd = -1}, {.fd = -1}}, .table.fd = -1, .terms = count};
    memcpy(p->term, terms, (size_t)count * sizeof *terms);
    p->path = result_path(prefix, suffix, err);
    if (p->path == NULL)
        return STATUS_NO_RESOURCE;
    enum status status = output_open_folder(p->path, &p->folder, err);
    if (status == STATUS_OK)
        status = read_request(p, err);
    if (status != STATUS_OK && p->folder >= 0) { /* the folder may belong to another program */
        close(p->folder);
        p->folder = -1;
    }
    return status;
}

bool partial_keeps(const char *prefix, const struct partial_term *terms, int count) {
    char text[JSON_LONGEST + 1];
    struct json_document json = {0};
    struct error err;
    bool is_missing, keeps = false;
    char *const path = result_path(prefix, suffix, &err);
    const int folder =
        path != NULL ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const ssize_t size = folder >= 0 ? read_text(folder, text, &is_missing) : -1;
    if (size >= 0 && size <= JSON_LONGEST &&
        json_text_read(path, text, (size_t)size, &json, &err) == STATUS_OK) {
        keeps = true;
        for (int t = 0; t < count; t++)
            keeps = keeps && has_term(json.root, &terms[t]);
    }
    memory_free(json.memory);
    if (folder >= 0)
        close(folder);
    free(path);
    return keeps;
}

/* Matrices. */

/* Returns the bytes that the files of a matrix and of those after it take on the disk. */
static uint64_t allocated(const struct partial *p, int matrix) {
    enum { UNIT = 512 }; /* unit of st_blocks, in bytes */
    struct stat file;
    uint64_t bytes = 0;
    for (int m = 0; m < PARTIAL_MATRICES; m++) {
        if (m >= matrix && fstatat(p->folder, matrix_names[m], &file, AT_SYMLINK_NOFOLLOW) == 0)
            bytes += (uint64_t)file.st_blocks * UNIT;
    }
    return bytes;
}

enum status partial_place_matrix(struct partial *p, int matrix, const char *target,
                                 struct output *out, struct error *err) {
    return output_open_linked(out, target, p->folder, matrix_names[matrix], out->fd, err);
}

enum status partial_open_matrix(struct partial *p, int matrix, const char *target, int32_t rows,
                                uint64_t head_bytes, uint64_t row_bytes, uint64_t all,
                                struct output *out, struct error *err) {
    const char *const name = matrix_names[matrix];
    const uint64_t there = allocated(p, matrix), more = all > there ? all - there : 0;
    struct partial_matrix *const m = &p->matrix[matrix];
    struct output trial = {.fd = -1};
    *out = (struct output){.fd = -1, .directory = -1};
    if (asprintf(&m->path, "%s/%s", p->path, name) < 0) {
        m->path = NULL;
        return fail(err, STATUS_NO_RESOURCE, "out of memory: a file name");
    }
    p->rows = rows;
    m->head_bytes = head_bytes;
    m->row_bytes = row_bytes;
    out->name = m->path;
    RETURN_ON_FAILURE(output_open_in_folder(p->folder, p->path, name, &out->fd, err));
    m->fd = out->fd;
    RETURN_ON_FAILURE(output_extend_file(
        out->fd, out->name, head_bytes + memory_times((uint64_t)rows, row_bytes), more, err));
    trial.fd = dup(out->fd);
    if (trial.fd < 0)
        return fail_in_folder(p, name, errno, err);
    RETURN_ON_FAILURE(partial_place_matrix(p, matrix, target, &trial, err));
    output_discard(&trial);
    return STATUS_OK;
}

/* Rows. */

/* Returns whether a row's bytes in a file have that checksum. */
static bool has_checksum(const struct partial_matrix *m, int32_t row, uint32_t checksum,
                         char *piece) {
    uint64_t offset = m->head_bytes + (uint64_t)row * m->row_bytes;
    uint32_t found = 0;
    for (uint64_t left = m->row_bytes, bytes; left > 0; left -= bytes, offset += bytes) {
        bytes = left < block_sizes.kept_bytes ? left : block_sizes.kept_bytes;
        if (!result_read_at(m->fd, piece, bytes, offset))
            return false;
        found = crc32_add(found, piece, bytes);
    }
    return found == checksum;
}

static bool is_finished(const struct partial *p, int32_t row, const struct kept_row *entry,
                        char *piece) {
    if (entry->position != (uint32_t)row || entry->check != check_of(p, entry))
        return false;
    for (int m = 0; m < PARTIAL_MATRICES; m++) {
        if (p->matrix[m].fd >= 0 && !has_checksum(&p->matrix[m], row, entry->crc[m], piece))
            return false;
    }
    return true;
}

/* Finds which of rows first .. first + count - 1 are finished. */
static void find_among(struct partial *p, int32_t first, int32_t count, uint32_t *const crc[],
                       char *piece) {
    struct kept_row entries[BLOCK_KEPT_ROWS_MAX];
    if (!result_read_at(p->table.fd, entries, (size_t)count * sizeof *entries,
                        (uint64_t)first * sizeof *entries))
        return;
    for (int32_t k = 0; k < count; k++) {
        const int32_t row = first + k;
        p->is_kept[row] = is_finished(p, row, &entries[k], piece);
        for (int m = 0; m < PARTIAL_MATRICES && p->is_kept[row]; m++) {
            if (p->matrix[m].fd >= 0)
                crc[m][row] = entries[k].crc[m];
        }
    }
}

/* Fills p->is_kept. */
static enum status find_kept(struct partial *p, uint32_t *const crc[], int threads,
                             struct progress *progress, struct error *err) {
    const int32_t parts = (p->rows - 1) / block_sizes.kept_rows + 1;
    struct lowest_failure failed;
    int32_t done = 0;
    lowest_failure_begin(&failed);
    threads = threads_worth(threads, (double)p->rows * (double)p->matrix[0].row_bytes);
    threads = threads < parts ? threads : parts;
#pragma omp parallel num_threads(threads)
    {
        struct error mine;
        void *piece = NULL;
        const enum status allocated =
            memory_alloc(&piece, block_sizes.kept_bytes, 1, "kept rows", &mine);
        if (allocated != STATUS_OK)
            lowest_failure_note(&failed, 0, allocated, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t part = 0; part < parts; part++) {
            const int32_t first = part * block_sizes.kept_rows, left = p->rows - first;
            int32_t seen;
            if (allocated != STATUS_OK || !progress_goes_on(progress))
                continue;
            find_among(p, first, left < block_sizes.kept_rows ? left : block_sizes.kept_rows, crc,
                       piece);
#pragma omp atomic capture
            seen = ++done;
            if (omp_get_thread_num() == 0)
                progress_report(progress, seen, parts);
        }
        memory_free(piece);
    }
    RETURN_ON_FAILURE(lowest_failure_end(&failed, err));
    return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
}

enum status partial_find_rows(struct partial *p, uint32_t *const crc[], int threads,
                              struct progress *progress, struct error *err) {
    const int32_t rows = p->rows;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)rows, sizeof *p->is_kept, "kept rows", err));
    p->is_kept = memory;
    memset(p->is_kept, 0, (size_t)rows * sizeof *p->is_kept);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)rows, sizeof *p->missing, "other rows", err));
    p->missing = memory;
    p->table.name = p->path;
    RETURN_ON_FAILURE(output_open_in_folder(p->folder, p->path, table_name, &p->table.fd, err));
    const uint64_t bytes = (uint64_t)rows * sizeof(struct kept_row);
    RETURN_ON_FAILURE(output_extend_file(p->table.fd, p->path, bytes, bytes, err));
    if (!p->fresh)
        RETURN_ON_FAILURE(find_kept(p, crc, threads, progress, err));
    for (int32_t row = 0; row < rows; row++) {
        if (p->is_kept[row])
            p->kept++;
        else
            p->missing[p->left++] = row;
    }
    return STATUS_OK;
}

void partial_note_variant(struct partial *p, const char *name) {
    snprintf(p->next, sizeof p->next, "%s", name);
}

enum status partial_begin(struct partial *p, struct error *err) {
    static const double first_sync_s = 1;
    p->sync_due = clock_seconds() + first_sync_s;
    p->finished = 0;
    if (strcmp(p->variant, p->next) == 0)
        return STATUS_OK;
    if (p->kept > 0)
        return fail(err, STATUS_BAD_INPUT, "%.400s keeps rows of %s: expected no others, found %s",
                    p->path, p->variant, p->next);
    memcpy(p->variant, p->next, sizeof p->variant);
    return write_request(p, err);
}

/* Syncs the files, so that finished rows survive a power cut, if that is due. */
static enum status sync_if_due(struct partial *p, struct error *err) {
    static const double interval_s = 5;
    double due;
#pragma omp atomic read
    due = p->sync_due;
    if (clock_seconds() < due)
        return STATUS_OK;
#pragma omp atomic capture
    {
        due = p->sync_due;
        p->sync_due = INFINITY;
    }
    if (isinf(due)) /* another thread syncs */
        return STATUS_OK;
    int reason = 0;
    for (int m = 0; m < PARTIAL_MATRICES && reason == 0; m++)
        reason = p->matrix[m].fd >= 0 ? output_sync(p->matrix[m].fd) : 0;
    if (reason == 0)
        reason = output_sync(p->table.fd);
#pragma omp atomic write
    p->sync_due = clock_seconds() + interval_s;
    return reason == 0 ? STATUS_OK : fail_in_folder(p, table_name, reason, err);
}

enum status partial_keep(struct partial *p, const struct row_block *block, uint32_t *const crc[],
                         struct error *err) {
    struct kept_row entries[ROW_BLOCK_MAX];
    for (int32_t r = 0; r < block->count; r++) {
        const int32_t position = block->position[r];
        struct kept_row *const entry = &entries[r];
        entry->position = (uint32_t)position;
        for (int m = 0; m < PARTIAL_MATRICES; m++)
            entry->crc[m] = p->matrix[m].fd >= 0 ? crc[m][position] : 0;
        entry->check = check_of(p, entry);
    }
    for (int32_t first = 0, count; first < block->count; first += count) {
        count = row_block_run(block, first);
        RETURN_ON_FAILURE(output_write_at(&p->table, &entries[first],
                                          (size_t)count * sizeof *entries,
                                          (uint64_t)block->position[first] * sizeof *entries, err));
    }
#pragma omp atomic
    p->finished += block->count;
    return sync_if_due(p, err);
}

/* The end. */

void partial_remove(struct partial *p) {
    output_discard(&p->table);
    /* The request is removed last, because a later run would refuse files without a request. */
    const char *const names[] = {table_name, matrix_names[0], matrix_names[1], new_request_name,
                                 request_name};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unlinkat(p->folder, names[k], 0);
    unlinkat(AT_FDCWD, p->path, AT_REMOVEDIR);
    close(p->folder);
    p->folder = -1;
}

void partial_say(const struct partial *p, const char *option, enum status status,
                 struct error *err) {
    const struct error before = *err;
    if (p->folder >= 0 && p->kept + p->finished > 0)
        fail(err, status, "%.600s; %d of %d rows are kept in %.200s: run again with %s",
             before.text, p->kept + p->finished, p->rows, p->path, option);
}

void partial_close(struct partial *p) {
    if (p->path != NULL) {
        output_discard(&p->table);
        if (p->folder >= 0 && (p->is_useless || (p->fresh && p->finished == 0)))
            partial_remove(p);
        if (p->folder >= 0)
            close(p->folder);
    }
    for (int m = 0; m < PARTIAL_MATRICES; m++)
        free(p->matrix[m].path);
    memory_free(p->is_kept);
    memory_free(p->missing);
    free(p->path);
    *p = (struct partial){0};
}

uint64_t partial_memory(int32_t rows, int threads) {
    return (uint64_t)rows * (sizeof(bool) + sizeof(int32_t)) +
           (uint64_t)threads_or_default(threads) * block_sizes.kept_bytes;
}
