// SPDX-License-Identifier: MIT
/* Mutation testing of the certificate: right answers, corrupted in the ways in which
 * solvers go wrong, at random places. */
#ifndef TESTS_MUTANTS_MUTANTS_H
#define TESTS_MUTANTS_MUTANTS_H

#include "common/graph/graph.h" // struct graph, struct matrix

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* From this many vertices on an answer spans several tiles of every size. */
enum { MUTANTS_LARGE_ORDER = 128 };

/* The ways to corrupt, and the shapes of what is corrupted. */
enum { MUTANT_CONTENTS = 18, MUTANT_SHAPES = 7 };

/* Counts of the verdicts on mutants. */
struct mutant_counts {
    int64_t tried;
    int64_t unchanged;        /* rightly accepted: what was to corrupt it stood there before */
    int64_t accepted;         /* rightly: other predecessors, as good as those before */
    int64_t refuted_distance; /* rightly: a distance is not the shortest */
    int64_t refuted_edge;     /* rightly: distances right, a predecessor is none */
    int64_t refuted_cycle;    /* rightly: every predecessor is one, but they run in a cycle */
    int64_t escaped;          /* wrong and accepted */
    int64_t slandered;        /* right and refuted */
};

struct mutant_report {
    struct mutant_counts by_content[MUTANT_CONTENTS], by_shape[MUTANT_SHAPES];
    /* n >= MUTANTS_LARGE_ORDER; weights of 0; answers with a limit on distances */
    struct mutant_counts all, large, with_zeros, with_limit;
    int64_t graphs;
};

/* Proves a result or refutes it, up to a limit (common/graph/limit.h). */
typedef enum status mutant_judge(const struct graph *g, double limit, const struct matrix *dist,
                                 const struct matrix *pred, int threads, struct error *err);

/* The judge of all mutants: certify_rows(). */
mutant_judge mutants_certify;

/* Has `count` mutants judged, with and without predecessors, of answers to random graphs, two
 * thirds of them large, a third with a limit; what is judged wrongly is printed. The same seed
 * gives the same mutants. Aborts if memory is out. */
void mutants_judge(uint64_t seed, int64_t count, mutant_judge *prove, struct mutant_report *report);

/* Returns whether every verdict was right, and every kind of mutant tried. */
bool mutants_all_right(const struct mutant_report *report);

/* A table of the report. */
void mutants_print(const struct mutant_report *report, FILE *to);

#endif
