// SPDX-License-Identifier: MIT
/* The loops of cpu_ceilings.h for one instruction set (common/base/isa.h): independent chains, as
 * many as the tiles of cpu/parts/min_plus_kernels.c have vectors, one operand shared by three of
 * them. What is opaque has, for all the compiler knows, changed, so that no step can be left out.
 */
#include "experiments/ceilings/cpu_ceilings.h"

#include "common/base/vector.h" // vector_i32, vector_u16

#if defined(__AVX512BW__)
enum { GROUPS = 8 };
#elif defined(__AVX2__)
enum { GROUPS = 4 };
#else
enum { GROUPS = 2 };
#endif
enum {
    SHARING = 3,
    LANES_64 = VECTOR_BYTES / 8,
    LANES_32 = VECTOR_BYTES / 4,
    LANES_16 = VECTOR_BYTES / 2
};

#if defined(__AVX512BW__)
#define OPAQUE(vector) __asm__ volatile("" : "+v"(vector))
#elif defined(__x86_64__)
#define OPAQUE(vector) __asm__ volatile("" : "+x"(vector))
#elif defined(__aarch64__)
#define OPAQUE(vector) __asm__ volatile("" : "+w"(vector))
#else
#define OPAQUE(vector) __asm__ volatile("" : "+m"(vector))
#endif

/* Defines the loop for one type of cells. */
#define ADD_MIN(name, vector, number, lanes)                                                       \
    static int name(int64_t steps) {                                                               \
        vector cell[GROUPS][SHARING], right[SHARING], left = vector_all(vector, 1);                \
        for (int c = 0; c < SHARING; c++) {                                                        \
            right[c] = vector_all(vector, (number)c);                                              \
            OPAQUE(right[c]);                                                                      \
            for (int g = 0; g < GROUPS; g++)                                                       \
                cell[g][c] = vector_all(vector, (number)(1000 + g));                               \
        }                                                                                          \
        for (int64_t s = 0; s < steps; s++) {                                                      \
            UNROLLED                                                                               \
            for (int g = 0; g < GROUPS; g++) {                                                     \
                OPAQUE(left);                                                                      \
                UNROLLED                                                                           \
                for (int c = 0; c < SHARING; c++)                                                  \
                    cell[g][c] = vector##_min(cell[g][c], left + right[c]);                        \
            }                                                                                      \
        }                                                                                          \
        for (int g = 0; g < GROUPS; g++) {                                                         \
            for (int c = 0; c < SHARING; c++)                                                      \
                OPAQUE(cell[g][c]);                                                                \
        }                                                                                          \
        return GROUPS * SHARING * (lanes);                                                         \
    }
ADD_MIN(s32_add_min, vector_i32, int32_t, LANES_32)
ADD_MIN(f32_add_min, vector_f32, float, LANES_32)
ADD_MIN(f64_add_min, vector_f64, double, LANES_64)

/* The loop for 16-bit cells, with a plain or a saturating addition; `saturating` is a constant at
 * each call. */
static inline int u16_add_min_of(int64_t steps, bool saturating) {
    vector_u16 cell[GROUPS][SHARING], right[SHARING], left = vector_all(vector_u16, 1);
    for (int c = 0; c < SHARING; c++) {
        right[c] = vector_all(vector_u16, (uint16_t)c);
        OPAQUE(right[c]);
        for (int g = 0; g < GROUPS; g++)
            cell[g][c] = vector_all(vector_u16, (uint16_t)(1000 + g));
    }
    for (int64_t s = 0; s < steps; s++) {
        UNROLLED
        for (int g = 0; g < GROUPS; g++) {
            OPAQUE(left);
            UNROLLED
            for (int c = 0; c < SHARING; c++) {
                const vector_u16 sum =
                    saturating ? vector_u16_add_saturating(left, right[c]) : left + right[c];
                cell[g][c] = vector_u16_min(cell[g][c], sum);
            }
        }
    }
    for (int g = 0; g < GROUPS; g++) {
        for (int c = 0; c < SHARING; c++)
            OPAQUE(cell[g][c]);
    }
    return GROUPS * SHARING * LANES_16;
}

static int u16_add_min(int64_t steps) {
    return u16_add_min_of(steps, false);
}

static int u16_saturating(int64_t steps) {
    return u16_add_min_of(steps, true);
}

/* Half as many chains as in the other loops, because each has two vectors. */
static int s32_with_predecessor(int64_t steps) {
    enum { CHAINS = GROUPS * SHARING / 2 };
    vector_i32 cell[CHAINS], tail[CHAINS], right = vector_all(vector_i32, 1),
                                           left = vector_all(vector_i32, 1);
    for (int c = 0; c < CHAINS; c++) {
        cell[c] = vector_all(vector_i32, 1000 + c);
        tail[c] = vector_all(vector_i32, c);
    }
    OPAQUE(right);
    for (int64_t s = 0; s < steps; s++) {
        UNROLLED
        for (int c = 0; c < CHAINS; c++) {
            OPAQUE(left);
            const vector_i32 sum = left + right;
            tail[c] = vector_i32_where_less(sum, cell[c], left, tail[c]);
            cell[c] = vector_i32_min(sum, cell[c]);
        }
    }
    for (int c = 0; c < CHAINS; c++) {
        OPAQUE(cell[c]);
        OPAQUE(tail[c]);
    }
    return CHAINS * LANES_32;
}

const struct cpu_ceilings ISA_SYMBOL(cpu_ceilings) = {
    s32_add_min, u16_add_min, f32_add_min, f64_add_min, u16_saturating, s32_with_predecessor};
