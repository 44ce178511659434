// SPDX-License-Identifier: MIT
/* What a solver program reads must outlive what it writes. */
#ifndef COMMON_CLI_SOLVER_INPUTS_H
#define COMMON_CLI_SOLVER_INPUTS_H

#include "common/cli/solver_report.h" // struct solver_arguments

/* Before anything is read: STATUS_BAD_INPUT where a file to be written is the graph, where the
 * timings would go into the result or into a file that holds something else; STATUS_NO_RESOURCE
 * where the output is a directory. Files are told by device and inode (output_is_same); standard
 * output, devices and pipes may be anything. */
enum status solver_check_files(const struct solver_arguments *a, struct error *err);

#endif
