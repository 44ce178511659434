// SPDX-License-Identifier: MIT
/* Sets of 1024 lanes on a GPU, a bit for each: 32 words, of which word k has the lanes 32 k ..
 * 32 k + 31. */
#ifndef MEASURES_SET_COUNTS_H
#define MEASURES_SET_COUNTS_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GPU_SET_LANES = 1024, GPU_SET_WORDS = GPU_SET_LANES / 32 };

/* Some of many sets, all in device memory. */
struct gpu_sets {
    const uint32_t *set;    /* sets, one after the other */
    const uint32_t *active; /* a bit for each set: it has a meaning; others are empty */
    size_t words;           /* number of words of `active` */
};

/* Adds to count[lane], of device memory, the number of sets that the lane is in. It works in the
 * default stream, and may return before it is done. */
enum status gpu_sets_count(const struct gpu_sets *sets, uint32_t *count, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
