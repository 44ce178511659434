// SPDX-License-Identifier: MIT
/* Makes the engine that predicts prefer the GPU or the CPU in a test. */
#ifndef TESTS_ENGINES_PREFERENCE_H
#define TESTS_ENGINES_PREFERENCE_H

#include <stdbool.h>

/* From here on the rates in the file of rates_path() are such that the GPU, or else the CPU, does
 * everything at once. */
void prefer(bool gpu);

/* From here on, as before the first test, no rates are kept. */
void prefer_nothing(void);

#endif
