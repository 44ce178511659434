// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"

#include <zlib.h> // crc32_combine

uint32_t crc32_add(uint32_t crc, const void *data, size_t size) {
    return crc32_kernels(isa_best())->add(crc, data, size);
}

uint32_t crc32_join(uint32_t crc, const uint32_t *part, int32_t count, uint64_t size) {
    uLong joined = crc;
    for (int32_t p = 0; p < count; p++)
        joined = crc32_combine(joined, part[p], (z_off_t)size);
    return (uint32_t)joined;
}
