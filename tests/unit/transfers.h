// SPDX-License-Identifier: MIT
/* Transfers of a transport between ranks (ranks/transport.h) that a test stands in for. */
#ifndef TESTS_UNIT_TRANSFERS_H
#define TESTS_UNIT_TRANSFERS_H

#include <stddef.h>

/* Carries nothing. */
static inline int transfer_at_once(void *data, size_t size, int rank) {
    (void)data, (void)size, (void)rank;
    return 0;
}

/* Every transfer is done when it has begun. */
static inline int transfer_is_done(int *done) {
    *done = 1;
    return 0;
}

#endif
