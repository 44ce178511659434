// SPDX-License-Identifier: MIT
// The words in which cells are relaxed, against plain arithmetic: differences to
// an offset (dpx16), two cells to a word, exponents (tensor), and the order of a
// tensor tile's operands.
#include "cuda_blocked/parts/exponent_code.cuh"
#include "cuda_blocked/parts/min_plus_tile.cuh" // Int32, Uint16x2
#include "cuda_blocked/parts/offsets.cuh"
#include "cuda_blocked/parts/tensor_tile.cuh"
extern "C" {
#include "tests/unit/support.h"
}

#include <cmath>
#include <cstring>

namespace {

// Offsets ---------------------------------------------------------------------

const int32_t some_offsets[] = {
    0,       1,      12345, offsets::max_difference, INF / 2, INF - 1 - offsets::max_difference,
    INF - 2, INF - 1};
const int32_t some_differences[] = {0, 1, 100, offsets::max_difference - 1,
                                    offsets::max_difference};

void test_differences_that_fit() {
    for (const int32_t offset : some_offsets) {
        for (const int32_t difference : some_differences) {
            if (offset > INF - 1 - difference)
                continue;
            const int32_t distance = offset + difference;
            CU_ASSERT(offsets::fits(distance, offset));
            const uint32_t relative = offsets::relative(distance, offset);
            CU_ASSERT_EQUAL(relative, static_cast<uint32_t>(difference));
            CU_ASSERT_EQUAL(offsets::absolute(relative, offset, 0),
                            static_cast<uint32_t>(distance));
            CU_ASSERT_EQUAL(offsets::absolute(relative, 0, offset),
                            static_cast<uint32_t>(distance));
        }
    }
}

void test_differences_that_do_not_fit() {
    for (const int32_t offset : some_offsets) {
        for (const int32_t beyond : {1, 2, 1 << 15, 1 << 16, 1 << 29}) {
            if (offset > INF - 1 - offsets::max_difference - beyond)
                continue;
            const int32_t distance = offset + offsets::max_difference + beyond;
            CU_ASSERT(!offsets::fits(distance, offset));
            CU_ASSERT_EQUAL(offsets::relative(distance, offset), offsets::no_path);
        }
        for (const int32_t none : {INF, INF + 1, INT32_MAX}) {
            CU_ASSERT(offsets::fits(none, offset));
            CU_ASSERT_EQUAL(offsets::relative(none, offset), offsets::no_path);
        }
    }
}

// A sum is taken for "no path" just if an operand is, and no sum overflows; it
// becomes the distance, or what is not smaller than any.
void test_sums_of_differences() {
    using namespace offsets;
    bool right = true;
    for (uint32_t a = 0; a <= static_cast<uint32_t>(max_difference); a++) {
        for (const uint32_t b :
             {uint32_t{0}, uint32_t{1}, a, static_cast<uint32_t>(max_difference)})
            right = right && a + b < no_path;
        right = right && a + no_path >= no_path && a + no_path <= 0xffff;
    }
    CU_ASSERT(right);
    CU_ASSERT(no_path + no_path <= 0xffff);
    for (const int32_t of_row : some_offsets) {
        for (const int32_t of_column : some_offsets) {
            for (const uint32_t sum : {0U, 1U, 2U * max_difference, no_path - 1}) {
                const int64_t distance = int64_t{of_row} + of_column + sum;
                CU_ASSERT(absolute(sum, of_row, of_column) == distance);
            }
            for (const uint32_t sum : {no_path, no_path + 1, no_path + max_difference, 2 * no_path})
                CU_ASSERT_EQUAL(absolute(sum, of_row, of_column), UINT32_MAX);
        }
    }
}

// Distances in 16 bits --------------------------------------------------------

void test_short_distances() {
    using Format = min_plus::Uint16x2;
    constexpr int32_t longest = Format::longest;
    const uint32_t none = Format::cell_of(INF);
    for (const int32_t distance : {0, 1, 100, 0x3fff, longest - 1, longest}) {
        CU_ASSERT(Format::cell_of(distance) < none);
        CU_ASSERT_EQUAL(Format::distance_of(Format::cell_of(distance)), distance);
    }
    for (const int32_t distance : {longest + 1, longest + 2, 0xffff, 0x10000, INF - 1, INF}) {
        CU_ASSERT_EQUAL(Format::cell_of(distance), none);
        CU_ASSERT_EQUAL(Format::distance_of(Format::cell_of(distance)), INF);
    }
    CU_ASSERT_EQUAL(none | none << 16, Format::no_path);
    CU_ASSERT(2 * none <= 0xffff);
    CU_ASSERT_EQUAL(Format::minimum(0x7fff0001, 0x00020003), 0x00020001);
    CU_ASSERT_EQUAL(Format::minimum(0x00027ffe, 0x7fff7fff), 0x00027ffe);
}

// Two cells to a word ---------------------------------------------------------

const uint32_t halves[] = {0, 1, 2, 0x00ff, 0x0100, 0x3ffe, 0x3fff, 0x4000, 0x7ffd, 0x7ffe, 0x7fff};

// Sums as the operands allow them; neither half sees the other.
void test_two_cells() {
    using Format = min_plus::Uint16x2;
    bool right = true;
    for (const uint32_t to_k : halves) {
        for (const uint32_t low : halves) {
            for (const uint32_t high : halves) {
                for (const uint32_t low_cell : halves) {
                    for (const uint32_t high_cell : halves) {
                        const uint32_t now = Format::relax(to_k | to_k << 16, low | high << 16,
                                                           low_cell | high_cell << 16);
                        right = right && (now & 0xffff) == min(to_k + low, low_cell) &&
                                now >> 16 == min(to_k + high, high_cell);
                    }
                }
            }
        }
    }
    CU_ASSERT(right);
    CU_ASSERT_EQUAL(Format::no_path, offsets::no_path | offsets::no_path << 16);
    // Even a sum that passes 16 bits leaves the upper half alone.
    CU_ASSERT_EQUAL(Format::relax(0xffff, 0x00010001, 0x7fff7fff), 0x00010000);
}

void test_one_cell() {
    using Format = min_plus::Int32;
    for (const int32_t a : {0, 1, INF / 2, INF - 1, INF}) {
        for (const int32_t b : {0, 1, INF / 2, INF - 1, INF}) {
            for (const int32_t cell : {0, 1, INF - 1, INF, Format::no_path}) {
                const int64_t sum = int64_t{a} + b;
                CU_ASSERT(Format::relax(a, b, cell) == (sum < cell ? sum : cell));
                CU_ASSERT(sum < Format::no_path);
            }
        }
    }
}

// A cell as a word of A.
void test_left_words() {
    using namespace min_plus;
    for (const int32_t cell : {0, 1, INF, INT32_MAX})
        CU_ASSERT_EQUAL(Int32::left_word(cell, 0), cell);
    for (const uint32_t low : halves) {
        for (const uint32_t high : halves) {
            CU_ASSERT_EQUAL(Uint16x2::left_word(low | high << 16, 0), low * 0x10001);
            CU_ASSERT_EQUAL(Uint16x2::left_word(low | high << 16, 1), high * 0x10001);
        }
    }
}

// Exponents -------------------------------------------------------------------

float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t exponent(float value) {
    return tensor_tile::bits_of(value) >> 23;
}

float operand(int32_t distance) {
    return from_bits(exponent_code::operand_of(exponent_code::cell_of(distance)) << 16);
}

// Tensor cores cut off what a processor rounds.
float truncated_sum(float a, float b) {
    const double sum = static_cast<double>(a) + b;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bits &= ~((uint64_t{1} << 29) - 1); // what float has no room for
    double cut;
    memcpy(&cut, &bits, sizeof cut);
    return static_cast<float>(cut);
}

// Sums of `count` terms: in turn or in the sixteens of an mma, rounded or cut off.
bool decode_as(const float *terms, int count, int32_t distance) {
    float rounded = 0, backwards = 0, cut = 0, sixteens = 0;
    for (int k = 0; k < count; k++) {
        rounded += terms[k];
        backwards += terms[count - 1 - k];
        cut = truncated_sum(cut, terms[k]);
    }
    for (int first = 0; first < count; first += 16) {
        float part = 0;
        for (int k = first; k < count && k < first + 16; k++)
            part = truncated_sum(part, terms[k]);
        sixteens = truncated_sum(sixteens, part);
    }
    for (const float sum : {rounded, backwards, cut, sixteens}) {
        if (exponent(sum) > exponent_code::at_zero ||
            exponent_code::distance_of(exponent(sum)) != distance)
            return false;
    }
    return true;
}

int32_t kept(int32_t distance) {
    return distance <= exponent_code::largest ? distance : INF;
}

// Every pair of distances, so many terms of that sum and all others of the next.
void test_exponents_of_sums() {
    using namespace exponent_code;
    bool right = true;
    for (int32_t a = 0; a <= largest; a++) {
        for (int32_t b = 0; b <= largest; b++) {
            const float least = operand(a) * operand(b);
            const float next = least / (1 << bits);
            for (int equal = 1; equal <= max_terms; equal++) {
                float terms[max_terms];
                for (int k = 0; k < max_terms; k++)
                    terms[k] = k < equal ? least : next;
                right = right && decode_as(terms, equal, kept(a + b)) &&
                        decode_as(terms, max_terms, kept(a + b));
            }
        }
    }
    CU_ASSERT(right);
}

void test_exponents_of_any_sums() {
    using namespace exponent_code;
    struct random random = {5};
    bool right = true;
    for (int trial = 0; trial < 20000 && right; trial++) {
        float terms[max_terms];
        int32_t least = INF;
        const int32_t spread = random_in(&random, 0, largest + 1);
        for (float &term : terms) {
            const int32_t a = random_in(&random, 0, spread), b = random_in(&random, 0, spread);
            term = operand(a) * operand(b);
            if (a <= largest && b <= largest)
                least = min(least, a + b);
        }
        right = decode_as(terms, max_terms, kept(least));
    }
    CU_ASSERT(right);
    const float none[max_terms] = {0};
    CU_ASSERT(decode_as(none, max_terms, INF));
}

// Why a tile has 127 vertices: one term more reads as a shorter path.
void test_one_term_too_many() {
    using namespace exponent_code;
    float terms[max_terms + 1];
    for (float &term : terms)
        term = operand(2) * operand(1);
    CU_ASSERT(decode_as(terms, max_terms, 3));
    CU_ASSERT(decode_as(terms, max_terms + 1, 2));
    CU_ASSERT_EQUAL(max_terms, tensor_tile::vertices);
}

void test_cells() {
    using namespace exponent_code;
    for (int32_t distance = 0; distance <= largest; distance++) {
        CU_ASSERT_EQUAL(distance_of(cell_of(distance)), distance);
        CU_ASSERT(operand(distance) == ldexpf(1, 60 - 7 * distance));
    }
    for (const int32_t distance : {largest + 1, 1000, INF - 1, INF, INT32_MAX}) {
        CU_ASSERT_EQUAL(cell_of(distance), no_path);
        CU_ASSERT_EQUAL(distance_of(cell_of(distance)), INF);
        CU_ASSERT(operand(distance) == 0);
    }
    // Cells are kept as sums leave them: of seven exponents each means the same
    // distance. The first beyond at_zero is out of the reach of 127 terms.
    CU_ASSERT_EQUAL(exponent(operand(0) * operand(0) * max_terms), at_zero);
    for (uint32_t cell = 0; cell <= at_zero; cell++) {
        int32_t distance = 0;
        while (distance <= largest && at_zero - bits * static_cast<uint32_t>(distance + 1) >= cell)
            distance++;
        CU_ASSERT_EQUAL(distance_of(cell), kept(distance));
        CU_ASSERT_EQUAL(operand_of(cell), operand_of(cell_of(distance)));
        CU_ASSERT_EQUAL(cell > no_path, distance <= largest);
    }
}

// Tensor tiles ----------------------------------------------------------------

// Sums of fragment (f, g) are those of rows lane / 4 and lane / 4 + 8 and columns
// 2 (lane % 4) and the next (PTX manual, mma.m16n8k16); its columns are rows of B.
void test_layout_of_sums() {
    using namespace tensor_tile;
    bool owned[tile][tile] = {};
    for (int t = 0; t < threads; t++) {
        const int lane = t % 32;
        for (int f = 0; f < row_fragments; f++) {
            for (int g = 0; g < column_fragments; g++) {
                for (int c = 0; c < 4; c++) {
                    const int i = row(t, f, c / 2);
                    const int j = column(t, g / 2) + g % 2 * 2 + c % 2;
                    CU_ASSERT_EQUAL(i, warp_row(t) + f * fragment_rows + c / 2 * 8 + lane / 4);
                    CU_ASSERT_EQUAL(b_row(j),
                                    warp_column(t) + g * fragment_columns + lane % 4 * 2 + c % 2);
                    CU_ASSERT_FATAL(i < tile && j < tile && !owned[i][j]);
                    owned[i][j] = true;
                }
            }
        }
    }
    bool taken[tile] = {};
    for (int j = 0; j < tile; j++) {
        CU_ASSERT_FATAL(b_row(j) >= 0 && b_row(j) < tile && !taken[b_row(j)]);
        taken[b_row(j)] = true;
    }
}

// A row keeps its chunks, and the same chunk of eight rows in a line lies in eight
// different groups of banks.
void test_places_of_chunks() {
    using namespace tensor_tile;
    for (int r = 0; r < tile; r++) {
        unsigned of_row = 0, of_banks[chunks] = {};
        for (int p = 0; p < chunks; p++) {
            CU_ASSERT_EQUAL(place(r, p) / chunks, r);
            of_row |= 1U << place(r, p) % chunks;
            for (int l = 0; l < 8; l++)
                of_banks[p] |= 1U << place(r / 8 * 8 + l, p) % 8;
            CU_ASSERT_EQUAL(of_banks[p], 0xff);
        }
        CU_ASSERT_EQUAL(of_row, 0xffff);
    }
}

uint32_t byte(uint32_t word, int k) {
    return word >> 8 * k & 0xff;
}

void test_bytes() {
    using namespace tensor_tile;
    struct random random = {6};
    for (int trial = 0; trial < 20000; trial++) {
        // Bytes and exponents 0, greatest and close to one another among them.
        uint32_t bytes = 0, exponents[4];
        Sums sums = {};
        for (int k = 0; k < 4; k++) {
            exponents[k] = static_cast<uint32_t>(random_in(&random, 0, 254));
            const int32_t kind = random_in(&random, 0, 3);
            const uint32_t own =
                kind == 0   ? 0
                : kind == 1 ? 255
                : kind == 2 ? exponents[k] + static_cast<uint32_t>(trial % 3) - (exponents[k] > 0)
                            : static_cast<uint32_t>(random_in(&random, 0, 255));
            bytes |= (own & 0xff) << 8 * k;
        }
        const int f = trial % row_fragments, h = trial / 4 % 2, q = trial / 8 % quads;
        for (int k = 0; k < 4; k++) {
            const uint32_t fraction = trial % 5 == 0 ? 0
                                      : trial % 5 == 1
                                          ? 0x7fffff
                                          : static_cast<uint32_t>(random_word(&random)) & 0x7fffff;
            sums.of[f][2 * q + k / 2][2 * h + k % 2] = from_bits(exponents[k] << 23 | fraction);
        }
        const uint32_t now = greatest(sums, f, h, q, bytes);
        for (int k = 0; k < 4; k++)
            CU_ASSERT_EQUAL(byte(now, k), max(exponents[k], byte(bytes, k)));
        const uint32_t low = static_cast<uint32_t>(random_word(&random));
        const uint32_t high = static_cast<uint32_t>(random_word(&random));
        const uint32_t odd = odd_bytes(low, high);
        CU_ASSERT(byte(odd, 0) == byte(low, 1) && byte(odd, 1) == byte(low, 3) &&
                  byte(odd, 2) == byte(high, 1) && byte(odd, 3) == byte(high, 3));
        CU_ASSERT_EQUAL(upper_halves(low, high), low >> 16 | high >> 16 << 16);
        CU_ASSERT_EQUAL(spread<0>(low), byte(low, 0) << 8 | byte(low, 1) << 24);
        CU_ASSERT_EQUAL(spread<2>(low), byte(low, 2) << 8 | byte(low, 3) << 24);
    }
}

void test_places_of_vertices() {
    using namespace tensor_tile;
    int32_t next = 0;
    for (int32_t place = 0; place < 4 * tile; place++) {
        if (place % tile != vertices)
            CU_ASSERT_EQUAL(place_of(next++), place);
    }
}

} // namespace

CU_TestInfo words_tests[] = {
    {"differences that fit", test_differences_that_fit},
    {"differences that do not", test_differences_that_do_not_fit},
    {"sums of differences", test_sums_of_differences},
    {"distances in 16 bits", test_short_distances},
    {"two cells to a word", test_two_cells},
    {"one cell to a word", test_one_cell},
    {"words of the left operand", test_left_words},
    {"exponents of sums", test_exponents_of_sums},
    {"exponents of any sums", test_exponents_of_any_sums},
    {"one term too many", test_one_term_too_many},
    {"cells of exponents", test_cells},
    {"layout of a tensor tile's sums", test_layout_of_sums},
    {"places of an operand's chunks", test_places_of_chunks},
    {"bytes of cells", test_bytes},
    {"places of vertices", test_places_of_vertices},
    CU_TEST_INFO_NULL,
};
