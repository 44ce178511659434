// SPDX-License-Identifier: MIT
#include "certificate/proving_sink.h"

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

/* Makes room for a prover for each of so many threads. */
static enum status replace_provers(struct proving_sink *s, int threads, struct error *err) {
    void *provers;
    free_provers(s);
    RETURN_ON_FAILURE(
        memory_alloc(&provers, (size_t)threads, sizeof *s->prover, "the certificate", err));
    s->prover = provers;
    memset(s->prover, 0, (size_t)threads * sizeof *s->prover);
    s->threads = threads;
    return STATUS_OK;
}

/* Opens a certificate unless it is open. */
static enum status open_once(const struct proving_sink *s, struct certificate *certificate,
                             const struct graph *g, struct error *err) {
    if (certificate->g != NULL)
        return STATUS_OK;
    const enum status status = certificate_open(certificate, g, s->limit, s->with_pred, err);
    if (status != STATUS_OK)
        certificate_close(certificate);
    return status;
}

static enum status make_prover(struct proving_sink *s, struct certificate_prover **prover,
                               struct error *err) {
    struct certificate *const certificate =
        s->part != NULL ? &s->part_certificate : &s->certificate;
    RETURN_ON_FAILURE(open_once(s, certificate, s->part != NULL ? &s->of_part : s->g, err));
    return certificate_prover_alloc(certificate, prover, err);
}

/* Proves a block in the thread that has it. */
static enum status prove(struct proving_sink *s, const struct row_block *block, struct error *err) {
    struct certificate_prover **const own = &s->prover[omp_get_thread_num()];
    struct refutation refutation;
    enum status status = STATUS_OK;
    if (*own == NULL) {
        pthread_mutex_lock(&s->lock);
        status = make_prover(s, own, err);
        pthread_mutex_unlock(&s->lock);
    }
    return status == STATUS_OK ? certificate_prove(*own, block, &refutation, err) : status;
}

static void forget_part(struct proving_sink *s) {
    certificate_close(&s->part_certificate);
    graph_free(&s->of_part);
    s->part = NULL;
}

/* The sink that rows go to. */
static struct row_sink *next(struct proving_sink *s) {
    return s->to->begin_part != NULL ? s->to : &s->spread.sink;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct proving_sink *const s = (struct proving_sink *)self;
    const enum number_type proved = s->g->type;
    if (type != proved)
        return fail(err, STATUS_BAD_INPUT,
                    "expected distances of type %s, as the graph's, found %s", number_name(proved),
                    number_name(type));
    const bool again = threads > s->threads || s->part != NULL;
    forget_part(s);
    if (again)
        RETURN_ON_FAILURE(replace_provers(s, threads, err));
    struct row_sink *const to = next(s);
    if (to->begin != NULL)
        RETURN_ON_FAILURE(to->begin(to, n, type, sources, with_pred, threads, err));
    self->wants_columns = s->to->wants_columns;
    return STATUS_OK;
}

/* Takes a part, to which no other vertex matters: its rows are those of the graph if no edge leaves
 * it. */
static enum status take_part(struct proving_sink *s, const struct row_part *part,
                             struct error *err) {
    const struct graph *g = s->g;
    void *memory;
    int64_t leaves;
    if (g->zones > 0) { /* of the graph in which zones are split */
        RETURN_ON_FAILURE(open_once(s, &s->certificate, g, err));
        g = s->certificate.g;
    }
    const size_t n = (size_t)g->n;
    if (s->number == NULL) {
        RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(int32_t), "the certificate", err));
        s->number = memset(memory, 0, n * sizeof(int32_t));
    }
    RETURN_ON_FAILURE(graph_part(g, part->vertex, part->n, s->number, &s->of_part, &leaves, err));
    s->part = part;
    if (leaves >= 0)
        return fail(err, STATUS_REFUTED,
                    "check (c): an edge leads to %s from vertices that are given as all that reach "
                    "each other%s",
                    graph_name(g, g->head[leaves]).text, graph_numbering(g));
    return STATUS_OK;
}

static enum status begin_part(struct row_sink *self, const struct row_part *part,
                              struct error *err) {
    struct proving_sink *const s = (struct proving_sink *)self;
    forget_part(s);
    RETURN_ON_FAILURE(replace_provers(s, s->threads, err));
    if (part != NULL)
        RETURN_ON_FAILURE(take_part(s, part, err));
    struct row_sink *const to = next(s);
    return to->begin_part(to, part, err);
}

static void place(struct row_sink *self, int32_t position, void **dist, int32_t **pred) {
    const struct proving_sink *const s = (const struct proving_sink *)self;
    s->to->place(s->to, position, dist, pred);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct proving_sink *const s = (struct proving_sink *)self;
    if (!block->proved)
        RETURN_ON_FAILURE(prove(s, block, err));
    struct row_sink *const to = next(s);
    return to->take(to, block, err);
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
    *sink = (struct proving_sink){
        .sink = {.proves = g, .begin = begin, .begin_part = begin_part, .take = take},
        .g = g,
        .limit = limit,
        .with_pred = with_pred};
    pthread_mutex_init(&sink->lock, NULL);
    proving_sink_turn(sink, to);
    return certificate_check(g, limit, err);
}

void proving_sink_turn(struct proving_sink *sink, struct row_sink *to) {
    row_spread_close(&sink->spread);
    row_spread_begin(&sink->spread, to);
    sink->to = to;
    sink->sink.dist_matrix = to->dist_matrix;
    sink->sink.pred_matrix = to->pred_matrix;
    sink->sink.place = to->place != NULL ? place : NULL;
    sink->sink.take_totals = to->take_totals != NULL ? take_totals : NULL;
    sink->sink.take_device = to->take_device != NULL ? take_device : NULL;
    sink->sink.device = to->device;
    sink->sink.spares_reciprocals = to->spares_reciprocals;
    sink->sink.reciprocal_bits = to->reciprocal_bits;
}

void proving_sink_close(struct proving_sink *sink) {
    free_provers(sink);
    forget_part(sink);
    row_spread_close(&sink->spread);
    memory_free(sink->number);
    certificate_close(&sink->certificate);
    if (sink->g != NULL)
        pthread_mutex_destroy(&sink->lock);
    *sink = (struct proving_sink){0};
}
