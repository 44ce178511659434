#include "common/timing.h"

#include "common/memory.h" // memory_alloc

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] = "program,variant,graph,vertices,edges,checksum,predecessors,threads,"
                             "tile,device,checked,repetition,solve_s,total_s,transfer_s\n";

static int compare_seconds(const void *left, const void *right) {
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

static double median(double *seconds, int count) {
    qsort(seconds, (size_t)count, sizeof *seconds, compare_seconds);
    return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

enum status timing_median(const struct timing *timings, int count, struct timing *result,
                          struct error *err) {
    void *scratch;
    enum status status = memory_alloc(&scratch, (size_t)count, sizeof(double), "the timings", err);
    if (status != STATUS_OK)
        return status;
    double *seconds = scratch;
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].solve_s;
    result->solve_s = median(seconds, count);
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].total_s;
    result->total_s = median(seconds, count);
    for (int r = 0; r < count; r++)
        seconds[r] = timings[r].transfer_s;
    result->transfer_s = median(seconds, count);
    memory_free(scratch);
    return STATUS_OK;
}

/* RFC 4180: quoted, quotes doubled. */
static void put_quoted(FILE *file, const char *text) {
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

enum status timing_append_csv(const char *path, const struct timing_rows *rows, struct error *err) {
    struct stat existing;
    FILE *file = fopen(path, "ae");
    if (file == NULL)
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s", path, strerror(errno));
    const bool known = fstat(fileno(file), &existing) == 0;
    if (known && existing.st_size == 0)
        fputs(header, file);
    for (int r = 0; r < rows->repetitions; r++) {
        fprintf(file, "%s,%s,", rows->program, rows->variant);
        put_quoted(file, rows->graph);
        fprintf(file, ",%d,%lld,%08x,%d,%d,%d,", rows->vertices, (long long)rows->edges,
                rows->checksum, rows->predecessors, rows->threads, rows->tile);
        put_quoted(file, rows->device);
        fprintf(file, ",%d,%d,%.9g,%.9g,%.9g\n", rows->checked, r + 1, rows->timings[r].solve_s,
                rows->timings[r].total_s, rows->timings[r].transfer_s);
    }
    const bool failed = fflush(file) != 0 || ferror(file) != 0;
    const int reason = errno;
    const char *stays = "";
    if (failed && known && S_ISREG(existing.st_mode) &&
        ftruncate(fileno(file), existing.st_size) != 0)
        stays = "; part of a row stays there";
    const bool closed = fclose(file) == 0;
    if (failed || !closed)
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: %s%s", path,
                    strerror(failed ? reason : errno), stays);
    return STATUS_OK;
}
