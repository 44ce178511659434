// SPDX-License-Identifier: MIT
/* How fast this machine is: one table of rates, which scale predictions (plan.h). Those that are
 * built in were measured on one CPU and one GPU; `apsp --calibrate` measures this machine's own and
 * keeps them in a file. */
#ifndef ENGINES_RATES_H
#define ENGINES_RATES_H

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
    /* By how much the time of a solve differs from that of the models, to which the variants name
     * their rates (struct variant_model). */
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

/* Sets the rates that are built in. */
void rates_default(struct rates *rates);

/* The rate of that name; RATES if there is none, or name is NULL. */
enum rate rate_of_name(const char *name);

/* The value of the rate of that name; 1 if name is NULL. */
double rates_find(const struct rates *rates, const char *name);

/* The file that keeps them: engines/rates.json in $XDG_CONFIG_HOME if that is an absolute path,
 * otherwise in .config of $HOME. The caller frees *path, which is NULL with STATUS_OK if neither is
 * set. */
enum status rates_path(char **path, struct error *err);

/* Reads a file of rates_write, of at most JSON_LONGEST bytes (json_text.h); rates that it lacks
 * are those that are built in. *found: whether there is a file; if there is none, all rates are
 * those that are built in and the status is OK. STATUS_BAD_INPUT, naming the file and what is wrong
 * with it, for anything but such a file. */
enum status rates_read(const char *path, struct rates *rates, bool *found, struct error *err);

/* Reads the file of rates_path, if there is one. */
enum status rates_here(struct rates *rates, struct error *err);

/* Writes them (output.h), making the folders that are missing. STATUS_NO_RESOURCE if that fails, or
 * if something else than a regular file is there, which is not opened. */
enum status rates_write(const char *path, const struct rates *rates, struct error *err);

#endif
