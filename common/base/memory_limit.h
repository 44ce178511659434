// SPDX-License-Identifier: MIT
/* Limits of memory, for the two files that implement memory.h. */
#ifndef COMMON_BASE_MEMORY_LIMIT_H
#define COMMON_BASE_MEMORY_LIMIT_H

#include "common/base/memory.h" // struct memory_limit

/* Does what memory_limit_find() does, without the limits that the system enforces itself: for
 * single allocations. */
enum status memory_limit_quick(struct memory_limit *limit, struct error *err);

#endif
