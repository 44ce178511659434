// SPDX-License-Identifier: MIT
/* Limits leave out the same distances in the form for a type as before. */
#include "common/graph/limit.h"
#include "tests/unit/support.h"

#include <float.h>
#include <string.h>

static void test_forms(void) {
    static const struct {
        enum number_type type;
        double limit, expected;
    } cases[] = {
        {NUMBER_INT32, 0, 0},
        {NUMBER_INT32, 0.999, 0},
        {NUMBER_INT32, 1.5, 1},
        {NUMBER_INT32, INF - 1, INF - 1},
        {NUMBER_INT32, INF - 0.5, INF - 1},
        {NUMBER_INT32, INF, NO_LIMIT},
        {NUMBER_INT32, 1e300, NO_LIMIT},
        {NUMBER_FLOAT32, 1.5, 1.5},
        {NUMBER_FLOAT32, 0.1, 0.1},
        {NUMBER_FLOAT32, (double)FLT_MAX, (double)FLT_MAX},
        {NUMBER_FLOAT32, 3.5e38, NO_LIMIT},
        {NUMBER_FLOAT64, INF, INF},
        {NUMBER_FLOAT64, 0x1p-1074, 0x1p-1074},
        {NUMBER_FLOAT64, DBL_MAX, DBL_MAX},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CU_ASSERT_EQUAL(limit_for(cases[k].type, cases[k].limit), cases[k].expected);
    for (int type = 0; type < NUMBER_TYPES; type++) {
        CU_ASSERT_EQUAL(limit_for((enum number_type)type, NO_LIMIT), NO_LIMIT);
        CU_ASSERT_FALSE(signbit(limit_for((enum number_type)type, -0.0)));
    }
}

/* No number of the type is between a limit and the least number beyond it. */
static void test_beyond(void) {
    static const double limits[] = {0, 0.1, 1, 0x1p24, 0x1p24 + 1, 1e38};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const double single = limit_beyond(NUMBER_FLOAT32, limits[k]);
        const double wide = limit_beyond(NUMBER_FLOAT64, limits[k]);
        CU_ASSERT_EQUAL((double)(float)single, single);
        CU_ASSERT(single > limits[k] && (double)nextafterf((float)single, 0) <= limits[k]);
        CU_ASSERT(wide > limits[k] && nextafter(wide, 0) == limits[k]);
    }
    CU_ASSERT_EQUAL(limit_beyond(NUMBER_FLOAT32, (double)FLT_MAX), NO_LIMIT);
    CU_ASSERT_EQUAL(limit_beyond(NUMBER_FLOAT32, NO_LIMIT), NO_LIMIT);
    CU_ASSERT_EQUAL(limit_beyond(NUMBER_FLOAT64, NO_LIMIT), NO_LIMIT);
}

static void test_words(void) {
    char text[LIMIT_TEXT];
    CU_ASSERT_STRING_EQUAL(limit_text(NO_LIMIT, text), "");
    CU_ASSERT_STRING_EQUAL(limit_text(5, text), " up to the limit of 5");
    CU_ASSERT_STRING_EQUAL(limit_text(0.1, text), " up to the limit of 0.1");
    CU_ASSERT_STRING_EQUAL(limit_text(2.2250738585072014e-308, text),
                           " up to the limit of 2.2250738585072014e-308");
}

CU_TestInfo limit_form_tests[] = {
    {"the form for a type", test_forms},
    {"the least number beyond", test_beyond},
    {"words", test_words},
    CU_TEST_INFO_NULL,
};
