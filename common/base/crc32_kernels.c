// SPDX-License-Identifier: MIT
/* The kernel of crc32.h for one instruction set (isa.h). */
#include "common/base/crc32.h"

#include <zlib.h> // crc32_z

#ifndef __PCLMUL__

static uint32_t add(uint32_t crc, const void *data, size_t size) {
    return (uint32_t)crc32_z(crc, data, size);
}

#else

#include <immintrin.h>

/* A message is a polynomial over GF(2), whose first bit belongs to the highest power, and its
 * checksum is the remainder by P(x) = 0x104c11db7. The remainder does not change if a block of 128
 * bits, b bits before another, is replaced by its product with x^b mod P, added to the other: two
 * multiplications of 64 bits. So the loop carries four blocks along the message and adds each to
 * the one 512 bits after it. At the end they are folded into one, which is reduced by 64 bits and
 * by Barrett's method. (Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ,
 * Intel 2009; the constants are those of the paper for this polynomial, bits reversed.)
 */
enum { BLOCK = 16, LANES = 4, STRIDE = LANES * BLOCK };

static __m128i load(const unsigned char *at) {
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Folds `block` into `next`; by: the factors for the two halves of the block. */
static __m128i fold(__m128i block, __m128i by, __m128i next) {
    const __m128i low = _mm_clmulepi64_si128(block, by, 0x00);
    const __m128i high = _mm_clmulepi64_si128(block, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* Returns the remainder of one block, as the register of a bitwise CRC would have it. */
static uint32_t reduce(__m128i block) {
    const __m128i by_block = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    const __m128i by_word = _mm_set_epi64x(0, 0x163cd6124);
    const __m128i barrett = _mm_set_epi64x(0x1f7011641, 0x1db710641); /* x^64 / P, and P */
    const __m128i words = _mm_setr_epi32(-1, 0, -1, 0);
    __m128i x =
        _mm_xor_si128(_mm_srli_si128(block, 8), _mm_clmulepi64_si128(block, by_block, 0x10));
    x = _mm_xor_si128(_mm_srli_si128(x, 4),
                      _mm_clmulepi64_si128(_mm_and_si128(x, words), by_word, 0x00));
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(x, words), barrett, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, words), barrett, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, quotient), 1);
}

static uint32_t add(uint32_t crc, const void *data, size_t size) {
    const __m128i by_stride = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    const __m128i by_block = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    const unsigned char *at = data;
    if (size < STRIDE)
        return (uint32_t)crc32_z(crc, data, size);

    __m128i lane[LANES];
    for (int l = 0; l < LANES; l++)
        lane[l] = load(at + l * BLOCK);
    lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi32_si128((int)~crc));
    for (at += STRIDE, size -= STRIDE; size >= STRIDE; at += STRIDE, size -= STRIDE) {
        for (int l = 0; l < LANES; l++)
            lane[l] = fold(lane[l], by_stride, load(at + l * BLOCK));
    }
    __m128i block = lane[0];
    for (int l = 1; l < LANES; l++)
        block = fold(block, by_block, lane[l]);
    for (; size >= BLOCK; at += BLOCK, size -= BLOCK)
        block = fold(block, by_block, load(at));
    return (uint32_t)crc32_z(~reduce(block), at, size);
}

#endif

const struct crc32_kernels ISA_SYMBOL(crc32_kernels) = {.add = add};
