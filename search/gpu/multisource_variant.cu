// SPDX-License-Identifier: MIT
// The variant `multisource`: label correcting from several sources at a time, without a budget. The
// code is in search/gpu/multisource.cu, because variants of other programs refine real numbers by
// it.
#include "search/gpu/label_kernels.h"
#include "search/gpu/multisource.cuh" // multisource_solve

size_t cuda_sparse_multisource_workspace(const struct gpu_matrices *m, bool) {
    return multisource_workspace(m);
}

enum status cuda_sparse_multisource(const struct gpu_matrices *m, struct progress *,
                                    struct error *err) {
    bool done = false;
    return multisource_solve(m, 0, &done, err);
}
