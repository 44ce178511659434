// SPDX-License-Identifier: MIT
/* Flows by classes of rows on a GPU (flows/class_flows.h).
 *
 * Regions of one depth are solved together, in groups if memory is short. From the outermost to the
 * innermost, the rows of a group's regions are found, and their classes in the regions inside;
 * then, from the innermost to the outermost, all rows are passed backwards. Rows stay in memory
 * until then if that makes few groups; otherwise they are found twice. Masses are multiples of a
 * power of two, so sums of masses are exact in any order; flows are added in the order of rows. */
#ifndef FLOWS_GPU_GPU_CLASS_FLOWS_H
#define FLOWS_GPU_GPU_CLASS_FLOWS_H

#include "common/base/length.h" // BY_LENGTH
#include "flows/class_flows.h"  // struct class_flows_engine

#define gpu_class_flows BY_LENGTH(gpu_class_flows)

/* The engine for lengths of int32. Fails with STATUS_NO_RESOURCE also for masses that are no such
 * multiples, and without a GPU. */
extern const struct class_flows_engine gpu_class_flows;
#ifndef LENGTH_F64
/* The same engine for lengths of float64. */
extern const struct class_flows_engine gpu_class_flows_f64;
#endif

#endif
