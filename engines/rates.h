// SPDX-License-Identifier: MIT
/* How fast this machine is: one table of rates, which scale predictions (plan.h). The built-in
 * rates were measured on one CPU and one GPU; `apsp --calibrate` measures those of this machine and
 * keeps them in a file. */
#ifndef ENGINES_RATES_H
#define ENGINES_RATES_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>

enum rate {
    RATE_READ,     /* ns to read an edge of text and put it in its place, on one thread */
    RATE_TOUCH,    /* ns to touch a cell of memory for the first time, on one thread */
    RATE_FORMAT,   /* ns to make text of a cell, on one thread */
    RATE_WRITE,    /* ns to write a cell to a file, as text or in binary, which are about as long */
    RATE_CONTEXT,  /* ms to create a GPU's context and load kernels */
    RATE_UPLOAD,   /* ns to sort an edge by its head and copy it to a GPU */
    RATE_DOWNLOAD, /* ns to copy a cell from a GPU */
    /* Factors by which the time of a solve differs from its model. A variant's model names its rate
     * (struct variant_model). */
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

/* The name of a rate in the file, and the range that it must be in. */
struct rate_limits {
    const char *name;
    double lowest, highest;
};
const struct rate_limits *rate_limits(enum rate rate);

/* Sets all rates to their built-in values. */
void rates_default(struct rates *rates);

/* The rate of that name; RATES if there is none, or name is NULL. */
enum rate rate_of_name(const char *name);

/* The value of the rate of that name; 1 if name is NULL. */
double rates_find(const struct rates *rates, const char *name);

/* Returns how many times as fast as one thread some threads read a graph. */
double rates_reading_speed_up(int threads);

/* The file of rates: engines/rates.json in $XDG_CONFIG_HOME if that is an absolute path, otherwise
 * in .config of $HOME. The caller frees *path, which is NULL with STATUS_OK if neither is set. */
enum status rates_path(char **path, struct error *err);

/* Reads a file of rates_write, of at most JSON_LONGEST bytes (json_text.h); rates that it lacks
 * keep their built-in values. *found: whether there is a file; if there is none, all rates are
 * built-in ones and the status is STATUS_OK. STATUS_BAD_INPUT, naming the file and what is wrong
 * with it, for anything but such a file. */
enum status rates_read(const char *path, struct rates *rates, bool *found, struct error *err);

/* Reads the file of rates_path, if there is one. */
enum status rates_here(struct rates *rates, struct error *err);

/* Writes a file of rates (output.h), and makes missing folders. STATUS_NO_RESOURCE if that fails,
 * or if `path` is there but no regular file: then it is not opened. */
enum status rates_write(const char *path, const struct rates *rates, struct error *err);

#endif
