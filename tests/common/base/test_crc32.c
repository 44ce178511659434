// SPDX-License-Identifier: MIT
/* Checksums by every instruction set of this CPU, beside zlib's. */
#include "common/base/crc32.h"
#include "tests/unit/support.h"

#include <zlib.h> // crc32_z

/* Tests every length near multiples of blocks and strides, at every alignment, from any checksum.
 */
static void test_like_zlib(void) {
    enum { MAX_SIZE = 400, ALIGNMENTS = 16 };
    unsigned char bytes[MAX_SIZE + ALIGNMENTS];
    struct random random = {7};
    for (size_t b = 0; b < sizeof bytes; b++)
        bytes[b] = (unsigned char)random_word(&random);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported(isa))
            continue;
        for (size_t size = 0; size <= MAX_SIZE; size++) {
            const unsigned char *at = bytes + size % ALIGNMENTS;
            const uint32_t before = (uint32_t)random_word(&random);
            CU_ASSERT_EQUAL(crc32_kernels(isa)->add(0, at, size), crc32_z(0, at, size));
            CU_ASSERT_EQUAL(crc32_kernels(isa)->add(before, at, size), crc32_z(before, at, size));
        }
    }
}

/* Pieces give the checksum of the whole; the check value of CRC-32 is the published one. */
static void test_pieces(void) {
    static const char text[] = "123456789";
    static unsigned char bytes[100000];
    struct random random = {8};
    uint32_t crc = 0;
    CU_ASSERT_EQUAL(crc32_add(0, text, sizeof text - 1), 0xcbf43926);
    for (size_t b = 0; b < sizeof bytes; b++)
        bytes[b] = (unsigned char)random_word(&random);
    for (size_t at = 0, size = 1; at < sizeof bytes; at += size, size = size * 3 % 1000 + 1) {
        size = size < sizeof bytes - at ? size : sizeof bytes - at;
        crc = crc32_add(crc, bytes + at, size);
    }
    CU_ASSERT_EQUAL(crc, crc32_z(0, bytes, sizeof bytes));
}

CU_TestInfo crc32_tests[] = {
    {"like zlib's", test_like_zlib},
    {"in pieces", test_pieces},
    CU_TEST_INFO_NULL,
};
