// SPDX-License-Identifier: MIT
#include "common/base/crc32.h"

uint32_t crc32_add(uint32_t crc, const void *data, size_t size) {
    static const struct crc32_kernels *const kernels[ISA_COUNT] = ISA_TABLE(crc32_kernels);
    enum isa isa = ISA_COUNT - 1;
    while (isa > ISA_PORTABLE && !isa_is_supported(isa))
        isa--;
    return kernels[isa]->add(crc, data, size);
}
