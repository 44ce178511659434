// SPDX-License-Identifier: MIT
#include "common/base/isa.h"

#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
static const char *const names[ISA_COUNT] = {"portable", "avx2", "avx512"};
#define EXPECTED "portable, avx2 or avx512"
#else
static const char *const names[ISA_COUNT] = {"portable"};
#define EXPECTED "portable"
#endif

const char *isa_name(enum isa isa) {
    return names[isa];
}

bool isa_is_supported(enum isa isa) {
#ifdef __x86_64__
    if (isa == ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul");
    if (isa == ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("pclmul");
#endif
    return isa == ISA_PORTABLE;
}

enum isa isa_best(void) {
    enum isa isa = ISA_COUNT - 1;
    while (!isa_is_supported(isa))
        isa--;
    return isa;
}

enum status isa_choose(enum isa *isa, struct error *err) {
    const char *wanted = getenv("APSP_SIMD");
    if (wanted == NULL || *wanted == '\0') {
        *isa = isa_best();
        return STATUS_OK;
    }
    for (*isa = ISA_PORTABLE; *isa < ISA_COUNT; (*isa)++) {
        if (strcmp(wanted, names[*isa]) == 0)
            return isa_is_supported(*isa)
                       ? STATUS_OK
                       : fail(err, STATUS_NO_RESOURCE,
                              "APSP_SIMD: expected instructions of this CPU, found '%s'", wanted);
    }
    return fail(err, STATUS_BAD_INPUT, "APSP_SIMD: expected " EXPECTED ", found '%s'", wanted);
}
