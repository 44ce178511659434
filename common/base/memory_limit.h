// SPDX-License-Identifier: MIT
/* Limits of memory, which the two files that implement memory.h share. */
#ifndef COMMON_BASE_MEMORY_LIMIT_H
#define COMMON_BASE_MEMORY_LIMIT_H

#include "common/base/memory.h" // struct memory_limit

/* memory_limit_find() without the limits that the system knows, for single allocations: the system
 * refuses those itself. */
enum status memory_limit_quick(struct memory_limit *limit, struct error *err);

#endif
