// SPDX-License-Identifier: MIT
/* A sink that proves every block before it hands it to another sink. */
#ifndef CERTIFICATE_PROVING_SINK_H
#define CERTIFICATE_PROVING_SINK_H

#include "certificate/certificate.h" // struct certificate
#include "common/graph/row_block.h"  // struct row_sink

#include <pthread.h>

struct proving_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    struct certificate certificate;
    /* One for each thread that has had to prove a block, otherwise NULL. The certificate is opened
     * for the first: nobody waits for it if all is proved already. */
    struct certificate_prover **prover;
    pthread_mutex_t lock;     /* of the certificates, while a thread opens one */
    int threads;              /* number of threads that may take */
    const struct graph *g;    /* the graph whose rows are proved */
    double limit;             /* as in certificate_open */
    bool with_pred;           /* predecessors are proved, too */
    struct row_spread spread; /* between this sink and `to` if that takes whole rows only */
    /* The part that rows are of, and its certificate, which stands for the whole one then. */
    const struct row_part *part; /* NULL: rows are of the whole graph */
    struct graph of_part;
    struct certificate part_certificate;
    int32_t *number; /* n of scratch; NULL: no part came yet */
};

/* Makes a sink that proves rows of g's answer with a limit (certificate_open), unless they are
 * proved already, and hands them, or totals of proved ones, on to `to`. A refuted block fails with
 * STATUS_REFUTED and the line of certificate_prove, and a part that an edge leaves with another
 * line. The caller frees with proving_sink_close, also
 * after a failure. */
enum status proving_sink_open(struct proving_sink *sink, const struct graph *g, double limit,
                              bool with_pred, struct row_sink *to, struct error *err);

/* From now on hands rows on to another sink. */
void proving_sink_turn(struct proving_sink *sink, struct row_sink *to);

/* Safe on a zeroed struct; leaves it zeroed. */
void proving_sink_close(struct proving_sink *sink);

#endif
