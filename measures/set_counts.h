// SPDX-License-Identifier: MIT
/* Sets of 1024 lanes on a GPU, with a bit for each lane: 32 words, where word k has lanes 32 k ..
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

/* An array of sets, some of which are in use; all in device memory. */
struct gpu_sets {
    const uint32_t *set;    /* the sets, 32 words each, one after the other */
    const uint32_t *active; /* a bit for each set: 1: it is in use; 0: it counts as empty */
    size_t words;           /* number of words of `active` */
};

/* Adds the number of sets that each lane is in to count[lane], in device memory. Works in the
 * default stream, and may return before the counts are there. */
enum status gpu_sets_count(const struct gpu_sets *sets, uint32_t *count, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
