// SPDX-License-Identifier: MIT
/* CRC-32, the checksum of gzip and zlib (ISO 3309), as crc32() of zlib and of Python compute it. */
#ifndef COMMON_BASE_CRC32_H
#define COMMON_BASE_CRC32_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of data with checksum `crc` followed by `size` bytes; the checksum of no
 * data is 0. Carry-less multiplication, which CPUs with AVX2 have, makes it ten times as fast as
 * tables. */
uint32_t crc32_add(uint32_t crc, const void *data, size_t size);

/* Returns the checksum of data with checksum `crc` followed by `count` parts of `size` bytes, whose
 * checksums are part[0 .. count - 1]. */
uint32_t crc32_join(uint32_t crc, const uint32_t *part, int32_t count, uint64_t size);

struct crc32_kernels {
    uint32_t (*add)(uint32_t crc, const void *data, size_t size);
};

ISA_KERNELS(crc32_kernels);

#endif
