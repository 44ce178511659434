// SPDX-License-Identifier: MIT
/* A sink that proves every block before it hands it to another sink. */
#ifndef CERTIFICATE_PROVING_SINK_H
#define CERTIFICATE_PROVING_SINK_H

#include "certificate/certificate.h" // struct certificate
#include "common/graph/row_block.h"  // struct row_sink

#include <pthread.h>

struct proving_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;  /* the sink that gets proved rows */
    struct certificate certificate;
    /* The prover of each thread; NULL: the thread has not proved a block. The certificate is opened
     * with the first prover, so that it costs nothing if all rows are proved already. */
    struct certificate_prover **prover;
    pthread_mutex_t lock;        /* held while a thread opens a certificate or makes its prover */
    int threads;                 /* number of threads that may hand in blocks */
    const struct graph *g;       /* the graph whose rows are proved */
    double limit;                /* greatest distance in the answer; NO_LIMIT: any */
    bool with_pred;              /* predecessors are proved, too */
    struct row_spread spread;    /* between this sink and `to` if `to` takes whole rows only */
    const struct row_part *part; /* part of the graph whose rows come; NULL: the whole graph */
    struct graph of_part;        /* the graph of that part alone */
    struct certificate part_certificate; /* proves rows of the part, in place of `certificate` */
    int32_t *number;                     /* scratch of n cells; NULL: no part has come yet */
};

/* Makes a sink that proves rows of g's answer with a limit (certificate_open), unless they are
 * proved already, and hands them, or totals of proved ones, on to `to`. A refuted block fails with
 * STATUS_REFUTED and the line of certificate_prove. A part that an edge leaves fails with
 * STATUS_REFUTED and a line that names the edge's head. The caller frees with proving_sink_close,
 * also after a failure. */
enum status proving_sink_open(struct proving_sink *sink, const struct graph *g, double limit,
                              bool with_pred, struct row_sink *to, struct error *err);

/* From now on hands rows on to another sink. */
void proving_sink_turn(struct proving_sink *sink, struct row_sink *to);

/* Safe on a zeroed struct; leaves it zeroed. */
void proving_sink_close(struct proving_sink *sink);

#endif
