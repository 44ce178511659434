// SPDX-License-Identifier: MIT
/* Answers of which only one row of each class is there, made by hand from textbook distances, and
 * what can be wrong about them. They are as the GPU's proof takes them. */
#ifndef TESTS_UNIT_CLASS_ANSWERS_H
#define TESTS_UNIT_CLASS_ANSWERS_H

#include "certificate/gpu/gpu_class_proof.h" // struct class_rows
#include "tests/unit/class_cuts.h"           // struct cut

/* The rows of a region, each being that of a source. */
struct region_rows {
    int32_t *source;
    int64_t *cell; /* where its labels begin, CLASS_TILE from one to the next */
    int32_t *source_row, *class_row, *portal_row;
    struct class_reference *reference;
    struct class_total *total;
    uint32_t *tight;
    struct class_part part[REGIONS + 1];
    int32_t parts;
};

struct answer {
    const struct cut *cut;
    int32_t count, *source;    /* which vertex each source is */
    int32_t below[GROUPS + 1]; /* sources in groups before each */
    struct class_rows rows[REGIONS];
    struct region_rows region[REGIONS];
    int32_t *label;
    int64_t cells;
    struct class_total *total;
    int32_t left_out_region, left_out_part; /* whose last block nobody checks; -1: none */
    int32_t unreferred, unadded, taken_twice, added_twice; /* regions; -1: none */
    int32_t more;                                          /* sources are said to be finished */
};

/* The answer that has these distances from so many percent of the vertices. */
struct answer answer_of(const struct cut *c, const int32_t *dist, int percent);
void answer_free(struct answer *a);

/* Clears what the caller of a proof clears, and spoils what the proof must not read before it sets
 * it. */
void answer_reset(struct answer *a);

/* How many rows region k has, and which vertex its number x is. */
int32_t answer_rows(const struct answer *a, int32_t k);
int32_t answer_vertex(const struct answer *a, int32_t k, int32_t x);

/* Which row of region k is that of a part's lane; -1: none. */
int32_t answer_row(const struct answer *a, int32_t k, const struct class_part *part, int32_t lane);

/* Which class of region k a row of the region around is of; -1: of none. */
int32_t answer_class(const struct answer *a, int32_t k, int32_t row);

/* Returns whether the totals are those of the distances. */
bool answer_has_totals(const struct answer *a, const int32_t *dist);

/* Returns whether all rows that are there are right. */
bool answer_is_right(const struct answer *a, const int32_t *answered, const int32_t *dist);

/* A graph, how it is cut, and its answer. */
struct case_of {
    struct shape shape;
    struct cut cut;
    struct graph g;
    int32_t *dist;
    int64_t farthest;
    struct answer a;
};
void case_begin(struct case_of *t, struct random *random, const struct shape *shape);
void case_end(struct case_of *t);

enum corruption {
    OWN_LABEL,
    BOUNDARY_LABEL,
    CLASS_AND_LABEL,
    WHOLE_CLASS,
    PORTAL_CELL,
    PORTAL_AND_LABEL,
    NEGATIVE,
    NEGATIVE_CLASS,
    ABOVE_INF,
    NO_PATH,
    A_PATH,
    LEFT_OUT,
    CONSTANT,
    ANOTHER_CLASS,
    NO_CLASS,
    A_CLASS,
    OUT_OF_RANGE,
    TO_A_REFERENCE,
    CORRUPTIONS,
};

/* Makes something wrong. Returns false if there is nothing that can be; something may have been
 * changed then, too. */
bool answer_corrupt(struct answer *a, struct random *random, enum corruption what);

/* Moves the first class of region k and makes its first own vertex unreached. */
void answer_move_far(struct answer *a, int32_t k, int32_t by);

/* Changes back what has been corrupted. */
void answer_change_back(struct answer *a);

#endif
