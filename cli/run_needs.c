// SPDX-License-Identifier: MIT
#include "cli/run_needs.h"

#include "certificate/certificate.h" // certificate_memory
#include "cli/solver_resume.h"       // solver_resume_memory
#include "common/base/output.h"      // output_is_stdout
#include "common/base/threads.h"     // threads_or_default
#include "common/graph/matrix.h"     // matrix_memory_of_rows

#include <libgen.h> // dirname
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

/* Bytes of the largest result that is kept in memory although its files take rows in any order:
 * larger ones are written while they are computed. */
static const uint64_t max_kept = UINT64_C(64) << 20;

/* Returns whether rows go to files or measures as they come. Repetitions need a result in memory,
 * but the finite distances of a sparse matrix are kept there anyway. */
static bool streams(const struct solver_arguments *a, uint64_t bytes) {
    return !a->keeps_rows || a->format.npz || a->resume || a->along || a->options.ranks != NULL ||
           (a->format.npy && a->repetitions == 1 && bytes > max_kept);
}

/* Bytes of memory to write the result. If the type of its files is not known yet, the type that
 * takes the most counts. */
static uint64_t memory_to_write(const struct solver_arguments *a, const struct run_needs *needs) {
    struct result_layout layout = {.n = needs->n,
                                   .sources = {NULL, needs->rows},
                                   .targets = {NULL, needs->columns},
                                   .limit = a->limit,
                                   .with_pred = needs->pred,
                                   .type = a->type};
    if (a->format.npz)
        return npz_sink_memory(&layout, a->options.threads);
    uint64_t most = result_memory_to_write(&layout, a->format.npy, a->options.threads);
    for (layout.type = NPY_UINT8; layout.type <= NPY_UINT16 && a->format.smallest; layout.type++) {
        const uint64_t bytes = result_memory_to_write(&layout, a->format.npy, a->options.threads);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Most bytes of a number below `limit` as text, with a separator. */
static uint64_t text_bytes(int64_t limit) {
    uint64_t bytes = 2;
    for (; limit > 10; limit /= 10)
        bytes++;
    return bytes;
}

/* The bytes of the files that a run writes. Estimates: a distance as text is as long as a vertex,
 * or has ten digits if it is real; a sparse matrix has no gaps. */
static uint64_t disk_bytes(const struct solver_arguments *a, const struct run_needs *needs,
                           int64_t m) {
    enum { ROW_OF_MEASURES = 160, ROW_OF_FLOWS = 64, HEADS = 1 << 12, REAL_TEXT = 12 };
    const uint64_t pred = a->format.npy ? sizeof(int32_t) : text_bytes(needs->n);
    const uint64_t dist = a->format.npz   ? sizeof(int32_t) + npy_types[a->type].size
                          : a->format.npy ? npy_types[a->type].size
                          : npy_type_is_real(a->type) || a->type == NPY_INT64
                              ? REAL_TEXT
                              : text_bytes(needs->n);
    const uint64_t cell = dist + (needs->pred ? pred : 0);
    uint64_t bytes = 0;
    if (a->keeps_rows && (a->format.npy || !output_is_stdout(a->output)))
        bytes =
            memory_add(HEADS, memory_times(cell * (uint64_t)needs->rows, (uint64_t)needs->columns));
    if (a->keeps_rows && a->along)
        bytes = memory_add(bytes, memory_times((uint64_t)a->reading.columns->count *
                                                   sizeof(double) * (uint64_t)needs->rows,
                                               (uint64_t)needs->columns));
    if (a->measures_prefix != NULL)
        bytes = memory_add(bytes, HEADS + (uint64_t)needs->rows * ROW_OF_MEASURES);
    if (a->measures_prefix != NULL && a->betweenness)
        bytes = memory_add(bytes, ((uint64_t)needs->n + (uint64_t)m) * ROW_OF_FLOWS);
    return bytes;
}

void run_needs_find(const struct solver_arguments *a, const struct graph *g, int32_t rows,
                    int32_t columns, struct run_needs *needs) {
    const bool pred = !a->distances_only;
    const int threads = a->options.threads;
    const uint64_t matrices = matrix_memory_of_answer(g->type, rows, columns, pred);
    *needs = (struct run_needs){.n = g->n,
                                .rows = rows,
                                .columns = columns,
                                .pred = pred,
                                .streams = streams(a, matrices),
                                .graph = graph_memory_of(g->type, g->n, g->m)};
    const struct memory_part turns[RUN_TURNS] = {
        {"to prove the result",
         a->check ? certificate_memory(g->type, g->n, g->m, rows, pred, threads) : 0, 0},
        {"to write the result", a->keeps_rows ? memory_to_write(a, needs) : 0, 0},
        {"to select columns",
         a->targets != NULL ? column_sink_memory(g->type, columns, threads) : 0, 0},
        {"to measure",
         a->measures ? measures_memory(g->type, g->n, rows, a->sources == NULL, true,
                                       threads_or_default(threads))
                     : 0,
         0},
        {"to find betweenness", a->betweenness ? measured_flows_memory(g->n, g->m, threads) : 0, 0},
        {"to sum columns along paths",
         a->along
             ? along_files_memory(g->n, g->m, rows, columns, a->reading.columns->count, threads)
             : 0,
         0},
        {"to resume", a->resume ? solver_resume_memory(a, g->type, g->n, rows) : 0, 0},
    };
    memcpy(needs->turns, turns, sizeof turns);
    needs->at_once = needs->streams || a->targets != NULL;
    needs->matrices = needs->streams ? 0 : matrices;
    needs->disk = disk_bytes(a, needs, g->m);
}

void run_needs_parts(const struct run_needs *needs, uint64_t solve,
                     struct memory_part parts[RUN_PARTS], uint64_t *most) {
    struct memory_part turn = {"to solve", solve, 0};
    for (int t = 0; t < RUN_TURNS; t++) {
        if (needs->at_once)
            turn.bytes = memory_add(turn.bytes, needs->turns[t].bytes);
        else if (needs->turns[t].bytes > turn.bytes)
            turn = needs->turns[t];
    }
    *most = turn.bytes;
    parts[0] =
        (struct memory_part){needs->pred ? "for 2 matrices" : "for 1 matrix", needs->matrices, 0};
    parts[1] = (struct memory_part){"for the graph", needs->graph, 1};
    parts[2] = turn;
}

struct run_memory run_needs_memory(const struct run_needs *needs, uint64_t held) {
    struct memory_part parts[RUN_PARTS];
    struct run_memory run = {.streams = needs->at_once};
    run_needs_parts(needs, 0, parts, &run.turns);
    run.held = memory_add(held, needs->matrices);
    return run;
}

/* Lowers *least to the bytes that are free in the folder of a path, and stores that folder, if they
 * are fewer. */
static void look_at(const char *path, uint64_t *least, char *folder, size_t size) {
    char copy[PATH_MAX];
    struct statvfs disk;
    if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy)
        return;
    const char *const parent = dirname(copy);
    if (statvfs(parent, &disk) != 0)
        return;
    const uint64_t bytes = memory_times(disk.f_bavail, disk.f_frsize);
    if (bytes < *least) {
        *least = bytes;
        snprintf(folder, size, "%s", parent);
    }
}

uint64_t run_needs_free_disk(const struct solver_arguments *a, char *folder, size_t size) {
    uint64_t least = UINT64_MAX;
    folder[0] = '\0';
    if (a->keeps_rows && (a->format.npy || !output_is_stdout(a->output)))
        look_at(a->output, &least, folder, size);
    if (a->measures_prefix != NULL)
        look_at(a->measures_prefix, &least, folder, size);
    return least;
}
