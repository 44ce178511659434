/* The kernels of strip.h for one instruction set (isa.h). */
#include "cpu/strip.h"

#include "common/graph.h"  // INF
#include "common/vector.h" // vector_i32, vector_u16, UNROLLED

enum { VECTORS = STRIP_BYTES / VECTOR_BYTES };

/* Arcs between two looks at how large the labels of a vertex still are. */
enum { ARCS_AT_A_TIME = 32 };

/* Where rows are long, the first sweeps relax only the lightest arcs: they make labels small
 * enough for later sweeps to leave a row early. */
enum { LIGHT_ARCS = 16, LIGHT_SWEEPS = 2 };

/* Rows are long enough to be left early, and it is worth knowing where. */
enum { LONG_ROW = 8 };

/* How many vertices ahead arcs are fetched. */
enum { VERTICES_AHEAD = 4 };

/* Rows that become columns at a time: one line of a matrix's row. */
enum { COLUMNS = 16 };

/* COLUMNS columns, given by their first cells, become lines of rows from cell `first` on, one
 * for each of `count` lanes; cells of `none` become `written`. */

#ifdef __SSE2__
/* Rows of 8 cells become columns: cell r of to[c] is cell c of the row at from[r] + lane. */
static inline void transpose_8x8(const uint16_t *const *from, int lane, __m128i *to) {
    __m128i pairs[8], quads[8];
    for (int r = 0; r < 8; r += 2) {
        const __m128i a = _mm_load_si128((const __m128i *)(from[r] + lane));
        const __m128i b = _mm_load_si128((const __m128i *)(from[r + 1] + lane));
        pairs[r] = _mm_unpacklo_epi16(a, b); /* columns 0 .. 3 of two rows */
        pairs[r + 1] = _mm_unpackhi_epi16(a, b);
    }
    for (int r = 0; r < 8; r += 4) {
        quads[r] = _mm_unpacklo_epi32(pairs[r], pairs[r + 2]); /* columns 0, 1 of four rows */
        quads[r + 1] = _mm_unpackhi_epi32(pairs[r], pairs[r + 2]);
        quads[r + 2] = _mm_unpacklo_epi32(pairs[r + 1], pairs[r + 3]);
        quads[r + 3] = _mm_unpackhi_epi32(pairs[r + 1], pairs[r + 3]);
    }
    for (int c = 0; c < 4; c++) {
        to[2 * c] = _mm_unpacklo_epi64(quads[c], quads[c + 4]);
        to[2 * c + 1] = _mm_unpackhi_epi64(quads[c], quads[c + 4]);
    }
}

static inline void write_widened(__m128i narrow, __m128i none, __m128i written, int32_t *to) {
    const __m128i is_none = _mm_cmpeq_epi16(narrow, none);
    const __m128i low = _mm_unpacklo_epi16(narrow, _mm_setzero_si128());
    const __m128i high = _mm_unpackhi_epi16(narrow, _mm_setzero_si128());
    const __m128i low_none = _mm_unpacklo_epi16(is_none, is_none);
    const __m128i high_none = _mm_unpackhi_epi16(is_none, is_none);
    _mm_store_si128((__m128i *)to, _mm_or_si128(_mm_and_si128(low_none, written),
                                                _mm_andnot_si128(low_none, low)));
    _mm_store_si128((__m128i *)(to + 4), _mm_or_si128(_mm_and_si128(high_none, written),
                                                      _mm_andnot_si128(high_none, high)));
}

static void write_line_u16(const uint16_t *const *column, int count, uint16_t none, int32_t written,
                           int32_t *const *row, int32_t first) {
    const __m128i all_none = _mm_set1_epi16((int16_t)none), all_written = _mm_set1_epi32(written);
    for (int lane = 0; lane < count; lane += 8) {
        __m128i left[8], right[8];
        transpose_8x8(column, lane, left);
        transpose_8x8(column + 8, lane, right);
        for (int k = 0; k < 8 && lane + k < count; k++) {
            write_widened(left[k], all_none, all_written, row[lane + k] + first);
            write_widened(right[k], all_none, all_written, row[lane + k] + first + 8);
        }
    }
}
#else
static void write_line_u16(const uint16_t *const *column, int count, uint16_t none, int32_t written,
                           int32_t *const *row, int32_t first) {
    for (int lane = 0; lane < count; lane++) {
        for (int c = 0; c < COLUMNS; c++)
            row[lane][first + c] = column[c][lane] == none ? written : column[c][lane];
    }
}
#endif

static void write_line_i32(const int32_t *const *column, int count, int32_t none, int32_t written,
                           int32_t *const *row, int32_t first) {
    for (int lane = 0; lane < count; lane++) {
        for (int c = 0; c < COLUMNS; c++)
            row[lane][first + c] = column[c][lane] == none ? written : column[c][lane];
    }
}

#define CELL          uint16_t
#define VECTOR        vector_u16
#define OF_CELL(name) name##_u16
#define NONE          NARROW_NONE
#include "cpu/strip_width.h"
#undef CELL
#undef VECTOR
#undef OF_CELL
#undef NONE

#define CELL          int32_t
#define VECTOR        vector_i32
#define OF_CELL(name) name##_i32
#define NONE          (-1)
#include "cpu/strip_width.h"

const struct strip_kernels ISA_SYMBOL(strip_kernels) = {&kernel_u16, &kernel_i32};
