// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"

uint32_t crc32_add(uint32_t crc, const void *data, size_t size) {
    return crc32_kernels(isa_best())->add(crc, data, size);
}
