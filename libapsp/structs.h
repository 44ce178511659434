// SPDX-License-Identifier: MIT
/* The public structs of apsp.h that begin with their size: callers may have been compiled with
 * another version's. Members are only added, at the end, and zero is what an older caller gets. */
#ifndef LIBAPSP_STRUCTS_H
#define LIBAPSP_STRUCTS_H

#include "common/base/error.h" // enum status

#include <stddef.h>

/* The bytes of a struct up to and with one member: with the last member that it had in 0.2.0, what
 * every caller's has. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Copies a caller's struct, or nothing if it is NULL, to ours of `known` bytes, which holds the
 * defaults. A shorter one, of `first` bytes or more, leaves the defaults of what it does not have;
 * a longer one must be zero in what we do not know. */
enum status struct_take(void *to, size_t known, size_t first, const void *from, const char *name,
                        struct error *err);

/* Whether a caller's struct has room for what it had in 0.2.0. */
enum status struct_check(const void *to, size_t first, const char *name, struct error *err);

/* Fills a caller's struct that was checked from ours of `known` bytes, as far as it reaches. Its
 * size stays, and so does what a longer one has beyond ours. */
void struct_give(void *to, const void *from, size_t known);

#endif
