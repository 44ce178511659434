// SPDX-License-Identifier: MIT
// Label correcting from a few sources at a time, without a budget: all of it is in
// common/gpu_labels/multisource.cu, because the variants of other programs refine real numbers by
// it.
#include "common/gpu_labels/multisource.cuh" // multisource_solve
#include "cuda_sparse/kernels.h"

size_t cuda_sparse_multisource_workspace(const struct gpu_matrices *m, bool) {
    return multisource_workspace(m);
}

enum status cuda_sparse_multisource(const struct gpu_matrices *m, struct progress *,
                                    struct error *err) {
    bool done = false;
    return multisource_solve(m, 0, &done, err);
}
