// SPDX-License-Identifier: MIT
// Other semirings than min-plus, by label correcting as in multisource.cu: the same strips, with
// another operation in place of the sum. No edge makes a length better, and rounding keeps the
// order of products, so that labels that no edge improves are the best lengths.
#include "gpu/launch/arena.cuh"         // Arena
#include "search/gpu/label_kernels.h"   // cuda_sparse_semirings
#include "search/gpu/labels.cuh"        // Joined
#include "search/gpu/launch_strips.cuh" // run_strips

namespace {

using namespace label_correcting;
using labels::Joined;
using labels::Real;
using labels::Wide;

template <typename Format>
enum status run(const struct gpu_matrices *m, Findings *found, struct error *err) {
    Arena arena(m->workspace);
    const StripWorkspace w = lay_out_strips(m, true, &arena);
    Problem p = problem_of<Format>(m, w);
    RETURN_ON_FAILURE(list_out_edges(m, w, err));
    RETURN_ON_FAILURE(sort<Format>(m, w, err));
    return run_strips<Format>(m, &p, 0, false, found, err);
}

template <typename Base>
enum status run_joined(const struct gpu_matrices *m, Findings *found, struct error *err) {
    if constexpr (Base::is_real) {
        if (m->semiring == SEMIRING_MAX_PRODUCT)
            return run<Joined<Base, labels::Product>>(m, found, err);
    }
    return run<Joined<Base, labels::Greater>>(m, found, err);
}

} // namespace

size_t cuda_sparse_semirings_workspace(const struct gpu_matrices *m, bool) {
    Arena arena;
    lay_out_strips(m, true, &arena);
    return arena.used();
}

enum status cuda_sparse_semirings(const struct gpu_matrices *m, struct progress *,
                                  struct error *err) {
    Findings found;
    *m->chosen = "multisource";
    RETURN_ON_FAILURE(m->type == NUMBER_INT32     ? run_joined<Wide>(m, &found, err)
                      : m->type == NUMBER_FLOAT32 ? run_joined<Real<float>>(m, &found, err)
                                                  : run_joined<Real<double>>(m, &found, err));
    return find_waiting(m, &found, err);
}
