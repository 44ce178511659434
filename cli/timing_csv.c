// SPDX-License-Identifier: MIT
#include "cli/timing_csv.h"

#include "cli/csv_file.h" // csv_append

#include <stdio.h>

static const char header[] = "program,variant,graph,vertices,edges,checksum,predecessors,threads,"
                             "tile,device,checked,repetition,solve_s,total_s,transfer_s\n";

static void put_rows(FILE *file, const void *context) {
    const struct timing_rows *const rows = context;
    for (int r = 0; r < rows->repetitions; r++) {
        fprintf(file, "%s,%s,", rows->program, rows->variant);
        csv_put_quoted(file, rows->graph);
        fprintf(file, ",%d,%lld,%08x,%d,%d,%d,", rows->vertices, (long long)rows->edges,
                rows->checksum, rows->predecessors, rows->threads, rows->tile);
        csv_put_quoted(file, rows->device);
        fprintf(file, ",%d,%d,%.9g,%.9g,%.9g\n", rows->checked, r + 1, rows->timings[r].solve_s,
                rows->timings[r].total_s, rows->timings[r].transfer_s);
    }
}

enum status timing_check_csv(const char *path, struct error *err) {
    return csv_check(path, header, "timings", err);
}

enum status timing_append_csv(const char *path, const struct timing_rows *rows, struct error *err) {
    return csv_append(path, header, "timings", put_rows, rows, err);
}
