// SPDX-License-Identifier: MIT
/* A solver program must not overwrite the files that it reads. */
#ifndef CLI_SOLVER_INPUTS_H
#define CLI_SOLVER_INPUTS_H

#include "cli/solver_report.h" // struct solver_arguments

/* Checks the names of files before the program reads anything. STATUS_BAD_INPUT if an output is the
 * graph or a list of vertices, if a file of the measures is the result, or if the timings would go
 * into the result or into a file that holds something else; STATUS_NO_RESOURCE if the output is a
 * directory. It compares files by device and inode (output_is_same); standard output, devices and
 * pipes may be named more than once. */
enum status solver_check_files(const struct solver_arguments *a, struct error *err);

#endif
