// SPDX-License-Identifier: MIT
/* How fast this machine is: one table of rates, by which predictions (plan.h) are scaled. Built in
 * are those of a CPU and a GPU that were measured; `apsp --calibrate` measures the machine's own
 * and keeps them in a file. */
#ifndef APSP_RATES_H
#define APSP_RATES_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>

enum rate {
    RATE_READ,     /* ns to read an edge of text and put it in its place */
    RATE_TOUCH,    /* ns for a cell of memory that is touched for the first time, on one thread */
    RATE_FORMAT,   /* ns to make text of a cell, on one thread */
    RATE_WRITE,    /* ns to write a cell, which is about as long as text as it is in binary */
    RATE_CONTEXT,  /* ms to create a GPU's context and load kernels */
    RATE_UPLOAD,   /* ns to sort an edge by its head and copy it to a GPU */
    RATE_DOWNLOAD, /* ns to copy a cell from a GPU */
    /* Times what is built in, of the time that a solve takes. */
    RATE_SEQUENTIAL,
    RATE_BLOCKED,
    RATE_JOHNSON,
    RATE_MULTISOURCE,
    RATE_CUDA_SIMPLE,
    RATE_CUDA_BLOCKED,
    RATE_CUDA_SPARSE,
    RATES
};

struct rates {
    double of[RATES];
};

/* What a rate is called in the file, and the range that it must be in. */
struct rate_limits {
    const char *name;
    double lowest, highest;
};
const struct rate_limits *rate_limits(enum rate rate);

/* Those that are built in. */
void rates_default(struct rates *rates);

/* Where they are kept: apsp/rates.json in $XDG_CONFIG_HOME where that is an absolute path,
 * otherwise in .config of $HOME. To free; NULL with STATUS_OK where neither is set. */
enum status rates_path(char **path, struct error *err);

/* Reads a file of rates_write, of at most JSON_LONGEST bytes (json_text.h); rates that it lacks
 * are those that are built in. *found: whether there is a file; where there is none, rates are
 * built in and the status is OK. STATUS_BAD_INPUT, naming the file and what is wrong with it, for
 * anything but such a file. */
enum status rates_read(const char *path, struct rates *rates, bool *found, struct error *err);

/* Those in the file of rates_path, if there is one. */
enum status rates_here(struct rates *rates, struct error *err);

/* Writes them (output.h), making the folders that are missing. STATUS_NO_RESOURCE where that cannot
 * be, or something else than a regular file is there, which is not opened. */
enum status rates_write(const char *path, const struct rates *rates, struct error *err);

#endif
