// SPDX-License-Identifier: MIT
/* Functions that the harnesses share. libFuzzer has the main(); each harness defines
 * LLVMFuzzerTestOneInput, which gets every input once. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory that readers may take: small, so that executions stay fast, and large
 * enough for a file's buffer of 1 MiB and more than one growth of every array. */
#define FUZZ_MEMORY_BYTES "2097152"

/* Ends the run as a finding. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
