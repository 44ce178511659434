// SPDX-License-Identifier: MIT
/* The public structs of apsp.h begin with their size, because a caller may have been compiled with
 * the header of another version. New members are added at the end only; a member that the caller's
 * struct lacks has its default, zero. */
#ifndef LIBAPSP_STRUCTS_H
#define LIBAPSP_STRUCTS_H

#include "common/base/error.h" // enum status

#include <stddef.h>

/* The bytes of a struct up to the end of one member. With the last member that the struct had in
 * 0.2.0, this is the least size of a caller's struct. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Copies the caller's struct `from` over our struct `to` of `known` bytes, which holds the
 * defaults; copies nothing if `from` is NULL. If the caller's struct is shorter, but has `first`
 * bytes or more, members that it lacks keep their defaults. If it is longer, the rest must be zero.
 * Otherwise, or if it is shorter than `first`, STATUS_BAD_INPUT names `name`. */
enum status struct_take(void *to, size_t known, size_t first, const void *from, const char *name,
                        struct error *err);

/* STATUS_BAD_INPUT unless a caller's struct has at least the `first` bytes that it had in 0.2.0. */
enum status struct_check(const void *to, size_t first, const char *name, struct error *err);

/* Fills the caller's struct `to`, which was checked, from our struct of `known` bytes, as far as
 * `to` reaches. Its member `size` stays, and so do members that our struct lacks. */
void struct_give(void *to, const void *from, size_t known);

#endif
