// SPDX-License-Identifier: MIT
/* Models of cuda_sparse's variants (solve/model.h). */
#ifndef ENGINES_SPARSE_MODEL_H
#define ENGINES_SPARSE_MODEL_H

#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct model_question

/* The seconds() of each variant. */
double cuda_sparse_multisource_seconds(const struct solver_variant *variant,
                                       const struct model_question *q);
double cuda_sparse_queued_seconds(const struct solver_variant *variant,
                                  const struct model_question *q);
double cuda_sparse_auto_seconds(const struct solver_variant *variant,
                                const struct model_question *q);

/* The variant `auto`, to which `dissection` leaves a graph if no elimination pays. */
extern const struct other_engines cuda_sparse_others;

/* Returns the predicted seconds of rows of another semiring than min-plus by the same strips as
 * those of multisource. Only the structure of the graph need be known
 * (features_look_at_structure). */
double cuda_semiring_seconds(const struct model_question *q, bool is_product);

#endif
