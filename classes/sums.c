// SPDX-License-Identifier: MIT
#include "classes/sums.h"

#include "certificate/certificate.h" // certificate_prove
#include "classes/proportional.h"    // proportional_totals
#include "common/base/memory.h"      // memory_alloc
#include "ranks/largest.h"           // ranks_largest
#include "solve/delivery.h"          // struct delivery

#include <string.h>

struct class_summing {
    const struct solver_task *task;
    const struct dissection *d;
    const int32_t *source, *position;
    int32_t *at; /* position of each source in the elimination tree */
    int threads;
    enum isa isa;
    bool pays, proved;
};

static const struct ranks *ranks_of(const struct class_summing *s) {
    return ranks_or_alone(s->task->delivery->ranks);
}

enum status sums_find_target(const struct solver_task *task, const struct dissection *d,
                             struct answer_totals *totals, bool *proved, struct error *err) {
    const int32_t n = d->tree.n;
    const size_t lanes = (size_t)dissection_lanes(d), cells = ((size_t)n + 15) / 16 * 16;
    struct dissection_workspace workspace = {0};
    struct certificate certificate = {0};
    struct certificate_prover *prover = NULL;
    struct refutation refutation;
    struct error refuted;
    struct row_block block = {
        .n = n, .count = 1, .source = {totals->from}, .type = (enum number_type)LENGTH_NUMBER};
    void *memory = NULL, *row = NULL;
    enum status status = STATUS_OK;
#ifdef LENGTH_F64
    const double spacing = task->graph->spacing;
#else
    enum { spacing = 1 };
#endif
    TRY(memory_alloc(&memory, (size_t)n * lanes, sizeof(path_length), "the labels", err));
    TRY(memory_alloc(&row, cells, sizeof(path_length), "a row", err));
    TRY(dissection_workspace_alloc(&workspace, d, err));
    path_length *const label = memory, *const dist = row;
    dissection_strip(&workspace, &totals->from, 1, label);
    totals->to = n;
    for (int32_t v = n - 1; v >= 0; v--) {
        dist[v] = label[(size_t)d->place[v] * lanes] * spacing;
        totals->to = dist[v] == totals->largest ? v : totals->to;
    }
    if (proved == NULL)
        goto cleanup;
    block.cells[0] = dist;
    TRY(certificate_open(&certificate, task->graph, NO_LIMIT, false, err));
    TRY(certificate_prover_alloc(&certificate, &prover, err));
    *proved =
        totals->to < n && certificate_prove(prover, &block, &refutation, &refuted) == STATUS_OK;

cleanup:
    certificate_prover_free(prover);
    certificate_close(&certificate);
    dissection_workspace_free(&workspace);
    memory_free(memory);
    memory_free(row);
    return status;
}

/* Claims the next sources; returns their number. A single process gets all of them at once. */
static int32_t claim(const struct class_summing *s, int32_t *first) {
    enum { LEAST = 4096 }; /* fewest sources of a claim: few rows of fewer are proportional */
    const struct delivery *const delivery = s->task->delivery;
    const int32_t count = delivery->sources.count;
    if (delivery->ranks != NULL)
        return delivery_claims(delivery, CLAIMS_THREE_QUARTERS, LEAST, count, first);
    *first = *first < 0 ? 0 : count;
    return count - *first;
}

/* Finds the totals of the sources that this process claims. found: scratch for the totals of all
 * sources. */
static enum status find_claimed(struct class_summing *s, struct proportional *p,
                                struct length_totals *found, struct length_totals *out,
                                struct error *err) {
    int32_t first = -1, count;
    RETURN_ON_FAILURE(delivery_claim_anew(s->task->delivery, err));
    while ((count = claim(s, &first)) > 0) {
        bool proved;
        RETURN_ON_FAILURE(proportional_totals(p, s->at + first, count, found, &proved, err));
        s->proved = s->proved && proved;
        for (int32_t k = 0; k < count; k++) {
            const int32_t position = s->position[first + k];
            s->proved = s->proved && s->d->tree.vertex[s->at[first + k]] ==
                                         row_source(&s->task->delivery->sources, position);
            out[position] = found[k];
        }
    }
    return STATUS_OK;
}

/* Prepares to find the totals of the rows of the graph, or of the reversed graph. Sets s->pays to
 * whether that pays. */
static enum status prepare(struct class_summing *s, bool reversed, const struct graph *proves,
                           struct proportional *p, struct error *err) {
    const struct lengths *const lengths = &s->d->lengths;
    const struct ranks *const ranks = s->task->delivery->ranks;
    const struct proportional_graph g = {.tree = &s->d->tree,
                                         .structure = &s->d->structure,
                                         .lengths = {reversed ? lengths->down : lengths->up,
                                                     reversed ? lengths->up : lengths->down}};
    const struct proportional_options options = {.threads = s->threads,
                                                 .isa = s->isa,
                                                 .progress = s->task->progress,
                                                 .counts = ranks == NULL,
                                                 .proves = proves};
    enum status status = proportional_open(p, &g, &options, err);
    if (status == STATUS_OK && !reversed)
        status = proportional_predict(p, s->at, s->task->delivery->sources.count, &s->pays, err);
    s->pays = s->pays && status == STATUS_OK && (proves == NULL || p->proof.is_ready);
    if (status != STATUS_OK && status != STATUS_NO_RESOURCE)
        return status;
    return ranks_all(ranks_of(s), &s->pays, err);
}

/* Stores the totals of the rows of all sources, of the graph or of the reversed graph, by the
 * positions of the rows in the answer. */
static enum status find_totals(struct class_summing *s, bool reversed, void **out,
                               struct error *err) {
    const struct delivery *const delivery = s->task->delivery;
    const size_t count = (size_t)delivery->sources.count;
    const struct graph *proves = delivery->sink->proves;
    struct proportional p = {0};
    struct graph in = {0};
    void *found = NULL;
    enum status status;
    TRY(memory_alloc(out, count, sizeof(struct length_totals), "the totals", err));
    memset(*out, 0, count * sizeof(struct length_totals));
    TRY(memory_alloc(&found, count, sizeof(struct length_totals), "the totals", err));
    if (proves != NULL && reversed) {
        TRY(graph_reverse(proves, &in, err));
        proves = &in;
    }
    TRY(prepare(s, reversed, proves, &p, err));
    if (s->pays)
        TRY(find_claimed(s, &p, found, *out, err));

cleanup:
    delivery_count_proof(s->task->delivery, p.prove_s);
    proportional_close(&p);
    graph_free(&in);
    memory_free(found);
    return status;
}

/* Finds the largest distance of all processes, and the first pair of vertices at that distance. */
static enum status find_farthest(struct class_summing *s, const struct length_totals *out,
                                 struct answer_totals *totals, struct error *err) {
    const int32_t n = s->d->tree.n;
    path_length largest = 0;
    for (int32_t k = 0; k < s->task->delivery->sources.count; k++)
        largest = out[k].farthest > largest ? out[k].farthest : largest;
    RETURN_ON_FAILURE(ranks_largest(ranks_of(s), &largest, err));
    totals->largest = largest * totals->spacing;
    totals->from = n;
    for (int32_t k = 0; k < s->task->delivery->sources.count; k++) {
        const struct length_totals *const own = &out[s->position[k]];
        if (own->reached > 0 && own->farthest == largest && s->source[k] < totals->from)
            totals->from = s->source[k];
    }
    RETURN_ON_FAILURE(ranks_first_source(ranks_of(s), n, &totals->from, err));
    if (totals->from >= 0) {
        bool proved = true;
        RETURN_ON_FAILURE(sums_find_target(
            s->task, s->d, totals, s->task->delivery->sink->proves != NULL ? &proved : NULL, err));
        s->proved = s->proved && proved;
    }
    return ranks_all(ranks_of(s), &s->proved, err);
}

enum status sums_take(const struct solver_task *task, const struct dissection *d,
                      const int32_t *source, const int32_t *position, int threads, enum isa isa,
                      bool *taken, struct error *err) {
    struct delivery *const delivery = task->delivery;
    struct class_summing s = {.task = task,
                              .d = d,
                              .source = source,
                              .position = position,
                              .threads = threads,
                              .isa = isa,
                              .pays = d->core.n == 0 && !d->is_signed,
                              .proved = true};
    struct answer_totals totals = {.bins = 0};
    void *out = NULL, *in = NULL, *at = NULL;
    enum status status;
    *taken = false;
    if (!delivery_takes_sums(delivery))
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_all(ranks_of(&s), &s.pays, err));
    if (!s.pays)
        return STATUS_OK;
    TRY(memory_alloc(&at, (size_t)delivery->sources.count, sizeof(int32_t), "the sources", err));
    s.at = at;
    for (int32_t k = 0; k < delivery->sources.count; k++)
        s.at[k] = d->tree.position[source[k]];
    TRY(find_totals(&s, false, &out, err));
    if (s.pays && delivery->sink->wants_columns) /* all vertices are sources then, in their order */
        TRY(find_totals(&s, true, &in, err));
    if (!s.pays)
        goto cleanup;
    s.proved = s.proved || delivery->sink->proves == NULL;
    TRY(ranks_all(ranks_of(&s), &s.proved, err));
    if (!s.proved) /* then rows have to be found, to tell what is wrong */
        goto cleanup;
#ifdef LENGTH_F64
    totals.grid_out = out;
    totals.grid_in = in;
    totals.spacing = task->graph->spacing;
#else
    totals.out = out;
    totals.in = in;
    totals.spacing = 1;
#endif
    TRY(find_farthest(&s, out, &totals, err));
    totals.proved = s.proved && delivery->sink->proves != NULL;
    *taken = delivery_take_totals(delivery, &totals);
    status = delivery_end(delivery, err);

cleanup:
    memory_free(out);
    memory_free(in);
    memory_free(at);
    /* A process that is alone sweeps instead if there is too little memory. */
    return status == STATUS_NO_RESOURCE && delivery->ranks == NULL && !*taken ? STATUS_OK : status;
}
