// SPDX-License-Identifier: MIT
/* The public structs of apsp.h begin with their size, because a caller may have been compiled with
 * the header of another version. New members are added at the end only, and an older caller's
 * members that it does not know are zero. */
#ifndef LIBAPSP_STRUCTS_H
#define LIBAPSP_STRUCTS_H

#include "common/base/error.h" // enum status

#include <stddef.h>

/* The bytes of a struct up to the end of one member. With the last member of 0.2.0 it is the least
 * size that a caller's struct has. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Copies a caller's struct over ours of `known` bytes, which holds the defaults; copies nothing if
 * it is NULL. A shorter one, of `first` bytes or more, leaves the defaults of the members that it
 * lacks. A longer one must be zero in the members that we do not know; otherwise, or if it is
 * shorter than `first`, STATUS_BAD_INPUT names `name`. */
enum status struct_take(void *to, size_t known, size_t first, const void *from, const char *name,
                        struct error *err);

/* STATUS_BAD_INPUT unless a caller's struct has at least the `first` bytes that it had in 0.2.0. */
enum status struct_check(const void *to, size_t first, const char *name, struct error *err);

/* Fills a caller's struct, which was checked, from ours of `known` bytes, as far as it reaches. Its
 * size does not change, nor do members of a longer one that ours lacks. */
void struct_give(void *to, const void *from, size_t known);

#endif
