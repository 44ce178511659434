// SPDX-License-Identifier: MIT
/* Between the two files that implement memory.h. */
#ifndef COMMON_BASE_MEMORY_LIMIT_H
#define COMMON_BASE_MEMORY_LIMIT_H

#include "common/base/memory.h" // struct memory_limit

/* memory_limit_find() without what asks the system: for single allocations, which the system
 * itself refuses where there is less. */
enum status memory_limit_quick(struct memory_limit *limit, struct error *err);

#endif
