// SPDX-License-Identifier: MIT
#include "tests/engines/preference.h"

#include "engines/rates.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>

void prefer(bool gpu) {
    struct rates rates;
    struct error err;
    char path[128], folder[96];
    snprintf(folder, sizeof folder, "%s", temporary_path());
    snprintf(path, sizeof path, "%s/apsp/rates.json", folder);
    setenv("XDG_CONFIG_HOME", folder, 1);
    for (enum rate r = 0; r < RATES; r++) {
        const bool of_gpu =
            r == RATE_CONTEXT || r == RATE_UPLOAD || r == RATE_DOWNLOAD || r >= RATE_CUDA_SIMPLE;
        rates.of[r] = of_gpu == gpu ? rate_limits(r)->lowest : rate_limits(r)->highest;
    }
    CU_ASSERT_EQUAL(rates_write(path, &rates, &err), STATUS_OK);
}

void prefer_nothing(void) {
    setenv("XDG_CONFIG_HOME", NOWHERE, 1);
}
