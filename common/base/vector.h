// SPDX-License-Identifier: MIT
/* Vectors of the instruction set that is being compiled for: GNU vector extensions, and intrinsics
 * for operations that the extensions lack. For kernel sources (isa.h) only. */
#ifndef COMMON_BASE_VECTOR_H
#define COMMON_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__AVX512BW__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

typedef int32_t vector_i32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t vector_u16 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t vector_i64 __attribute__((vector_size(VECTOR_BYTES)));
typedef float vector_f32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double vector_f64 __attribute__((vector_size(VECTOR_BYTES)));

/* Makes a vector with the same value in every lane. */
#define vector_all(type, value) ((type){0} + (value))

/* Load and store vectors at any address, aligned or not. */
static inline vector_i32 vector_i32_load(const int32_t *from) {
    vector_i32 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline vector_i64 vector_i64_load(const int64_t *from) {
    vector_i64 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline vector_u16 vector_u16_load(const uint16_t *from) {
    vector_u16 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline vector_f32 vector_f32_load(const float *from) {
    vector_f32 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline vector_f64 vector_f64_load(const double *from) {
    vector_f64 lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void vector_f32_store(float *to, vector_f32 lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline void vector_f64_store(double *to, vector_f64 lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline void vector_i32_store(int32_t *to, vector_i32 lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline void vector_i64_store(int64_t *to, vector_i64 lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline void vector_u16_store(uint16_t *to, vector_u16 lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline vector_i32 vector_i32_min(vector_i32 a, vector_i32 b) {
#if defined(__AVX512BW__)
    return (vector_i32)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vector_i32)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    const vector_i32 less = a < b;
    return (a & less) | (b & ~less);
#endif
}

static inline vector_i32 vector_i32_max(vector_i32 a, vector_i32 b) {
#if defined(__AVX512BW__)
    return (vector_i32)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vector_i32)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    const vector_i32 more = a > b;
    return (a & more) | (b & ~more);
#endif
}

static inline vector_u16 vector_u16_min(vector_u16 a, vector_u16 b) {
#if defined(__AVX512BW__)
    return (vector_u16)_mm512_min_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vector_u16)_mm256_min_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    /* Baseline x86-64 has no unsigned minimum, but a subtraction that stops at 0. */
    return a - (vector_u16)_mm_subs_epu16((__m128i)a, (__m128i)b);
#else
    const vector_u16 less = (vector_u16)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* Returns the lesser number in each lane; no number is NaN. */
static inline vector_f32 vector_f32_min(vector_f32 a, vector_f32 b) {
#if defined(__AVX512BW__)
    return (vector_f32)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (vector_f32)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (vector_f32)_mm_min_ps((__m128)a, (__m128)b);
#else
    const vector_i32 less = a < b;
    return (vector_f32)(((vector_i32)a & less) | ((vector_i32)b & ~less));
#endif
}

static inline vector_f64 vector_f64_min(vector_f64 a, vector_f64 b) {
#if defined(__AVX512BW__)
    return (vector_f64)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    return (vector_f64)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__SSE2__)
    return (vector_f64)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    const vector_i64 less = a < b;
    return (vector_f64)(((vector_i64)a & less) | ((vector_i64)b & ~less));
#endif
}

/* Returns each lane of `yes` if a and b are equal in it, otherwise of `no`. */
static inline vector_i32 vector_i32_where_equal(vector_i32 a, vector_i32 b, vector_i32 yes,
                                                vector_i32 no) {
#if defined(__AVX512BW__)
    return (vector_i32)_mm512_mask_mov_epi32(
        (__m512i)no, _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b), (__m512i)yes);
#else
    const vector_i32 equal = a == b;
    return (yes & equal) | (no & ~equal);
#endif
}

static inline vector_u16 vector_u16_where_equal(vector_u16 a, vector_u16 b, vector_u16 yes,
                                                vector_u16 no) {
#if defined(__AVX512BW__)
    return (vector_u16)_mm512_mask_mov_epi16(
        (__m512i)no, _mm512_cmpeq_epi16_mask((__m512i)a, (__m512i)b), (__m512i)yes);
#else
    const vector_u16 equal = (vector_u16)(a == b);
    return (yes & equal) | (no & ~equal);
#endif
}

/* Returns each lane of `yes` if a is less than b in it, otherwise of `no`. */
static inline vector_i32 vector_i32_where_less(vector_i32 a, vector_i32 b, vector_i32 yes,
                                               vector_i32 no) {
#if defined(__AVX512BW__)
    return (vector_i32)_mm512_mask_mov_epi32(
        (__m512i)no, _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b), (__m512i)yes);
#else
    const vector_i32 less = a < b;
    return (yes & less) | (no & ~less);
#endif
}

/* Returns sums that stop at UINT16_MAX. */
static inline vector_u16 vector_u16_add_saturating(vector_u16 a, vector_u16 b) {
#if defined(__AVX512BW__)
    return (vector_u16)_mm512_adds_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vector_u16)_mm256_adds_epu16((__m256i)a, (__m256i)b);
#else
    const vector_u16 sum = a + b;
    return sum | (vector_u16)(sum < a);
#endif
}

/* Returns whether any bit of a lane is set. */
static inline bool vector_i32_any(vector_i32 lanes) {
#if defined(__AVX512BW__)
    return _mm512_test_epi32_mask((__m512i)lanes, (__m512i)lanes) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)lanes, (__m256i)lanes);
#else
    uint64_t words[VECTOR_BYTES / sizeof(uint64_t)], any = 0;
    memcpy(words, &lanes, sizeof words);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        any |= words[w];
    return any != 0;
#endif
}

static inline bool vector_u16_any(vector_u16 lanes) {
    return vector_i32_any((vector_i32)lanes);
}

static inline bool vector_i64_any(vector_i64 lanes) {
    return vector_i32_any((vector_i32)lanes);
}

/* Generic forms of the functions above, chosen by the type of the argument or of its target. */
#define VECTOR_OF_INTEGERS(name)                                                                   \
    vector_i32:                                                                                    \
    vector_i32_##name, vector_u16 : vector_u16_##name
#define VECTOR_OF_NUMBERS(name)                                                                    \
    VECTOR_OF_INTEGERS(name), vector_f32 : vector_f32_##name, vector_f64 : vector_f64_##name
#define VECTOR_OF_CELLS(name, qualified)                                                           \
    qualified int32_t * : vector_i32_##name,                                                       \
                          qualified int64_t * : vector_i64_##name,                                 \
                                                qualified uint16_t                                 \
                                                    * : vector_u16_##name,                         \
                                                        qualified float                            \
                                                            * : vector_f32_##name,                 \
                                                                qualified double                   \
                                                                    * : vector_f64_##name
#define vector_load(from)                                                                          \
    _Generic((from), VECTOR_OF_CELLS(load, const), VECTOR_OF_CELLS(load, ))(from)
#define vector_store(to, lanes)                                                                    \
    _Generic((lanes), VECTOR_OF_NUMBERS(store), vector_i64 : vector_i64_store)(to, lanes)
#define vector_min(a, b) _Generic((a), VECTOR_OF_NUMBERS(min))(a, b)
#define vector_where_equal(a, b, yes, no)                                                          \
    _Generic((a), VECTOR_OF_INTEGERS(where_equal))(a, b, yes, no)
#define vector_any(lanes)                                                                          \
    _Generic((lanes), VECTOR_OF_INTEGERS(any), vector_i64 : vector_i64_any)(lanes)

/* Keeps the lanes in a register at this place. Otherwise gcc 12 may spill them to the stack in
 * every pass of a loop. */
#ifdef __x86_64__
#define vector_keep(lanes) __asm__("" : "+v"(lanes))
#else
#define vector_keep(lanes) (void)(lanes)
#endif

/* For loops over vectors that should stay in registers: they do only if every such loop is
 * unrolled. */
#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

#endif
