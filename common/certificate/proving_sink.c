// SPDX-License-Identifier: MIT
#include "common/certificate/proving_sink.h"

#include "common/base/memory.h" // memory_alloc

#include <omp.h>
#include <string.h>

static void free_provers(struct proving_sink *s) {
    for (int t = 0; t < s->threads; t++)
        certificate_prover_free(s->prover[t]);
    memory_free(s->prover);
    s->prover = NULL;
    s->threads = 0;
}

static enum status alloc_provers(struct proving_sink *s, int threads, struct error *err) {
    void *provers;
    RETURN_ON_FAILURE(
        memory_alloc(&provers, (size_t)threads, sizeof *s->prover, "the certificate", err));
    s->prover = provers;
    memset(s->prover, 0, (size_t)threads * sizeof *s->prover);
    s->threads = threads;
    for (int t = 0; t < threads; t++)
        RETURN_ON_FAILURE(certificate_prover_alloc(&s->certificate, &s->prover[t], err));
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct proving_sink *const s = (struct proving_sink *)self;
    const enum number_type proved = s->certificate.g->type;
    if (type != proved)
        return fail(err, STATUS_BAD_INPUT,
                    "expected distances of type %s, as the graph's, found %s", number_name(proved),
                    number_name(type));
    if (threads > s->threads) {
        free_provers(s);
        const enum status status = alloc_provers(s, threads, err);
        if (status != STATUS_OK) {
            free_provers(s);
            return status;
        }
    }
    if (s->to->begin != NULL)
        RETURN_ON_FAILURE(s->to->begin(s->to, n, type, sources, with_pred, threads, err));
    self->wants_columns = s->to->wants_columns;
    return STATUS_OK;
}

static void place(struct row_sink *self, int32_t position, void **dist, int32_t **pred) {
    const struct proving_sink *const s = (const struct proving_sink *)self;
    s->to->place(s->to, position, dist, pred);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct proving_sink *const s = (struct proving_sink *)self;
    struct refutation refutation;
    if (!block->proved)
        RETURN_ON_FAILURE(
            certificate_prove(s->prover[omp_get_thread_num()], block, &refutation, err));
    return s->to->take(s->to, block, err);
}

static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    const struct proving_sink *const s = (const struct proving_sink *)self;
    return s->to->take_totals(s->to, totals, err);
}

static enum status take_device(struct row_sink *self, const struct device_rows *rows,
                               struct error *err) {
    const struct proving_sink *const s = (const struct proving_sink *)self;
    return s->to->take_device(s->to, rows, err);
}

enum status proving_sink_open(struct proving_sink *sink, const struct graph *g, double limit,
                              bool with_pred, struct row_sink *to, struct error *err) {
    *sink = (struct proving_sink){.sink = {.proves = g, .begin = begin, .take = take}};
    proving_sink_turn(sink, to);
    return certificate_open(&sink->certificate, g, limit, with_pred, err);
}

void proving_sink_turn(struct proving_sink *sink, struct row_sink *to) {
    sink->to = to;
    sink->sink.dist_matrix = to->dist_matrix;
    sink->sink.pred_matrix = to->pred_matrix;
    sink->sink.place = to->place != NULL ? place : NULL;
    sink->sink.take_totals = to->take_totals != NULL ? take_totals : NULL;
    sink->sink.take_device = to->take_device != NULL ? take_device : NULL;
    sink->sink.device = to->device;
    sink->sink.spares_reciprocals = to->spares_reciprocals;
}

void proving_sink_close(struct proving_sink *sink) {
    free_provers(sink);
    certificate_close(&sink->certificate);
    *sink = (struct proving_sink){0};
}
