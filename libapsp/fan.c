// SPDX-License-Identifier: MIT
#include "libapsp/fan.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth, threads_or_default
#include "libapsp/structs.h"     // struct_take

#include <string.h>

struct fan_target {
    apsp_sink sink;       /* the caller's sink; members that its version lacks are zero */
    struct own_sink *own; /* NULL: the sink is one of the caller */
    pthread_mutex_t lock; /* held during calls of take, for a sink that takes one block at a time */
    bool begun;
};

/* Opening --------------------------------------------------------------------------------------*/

enum { ALL_NEEDS = APSP_NEEDS_ORDER | APSP_NEEDS_PREDECESSORS | APSP_NEEDS_ONE_AT_A_TIME };

static enum status take_sink(struct fan_target *target, const apsp_sink *sink, struct error *err) {
    target->sink = (apsp_sink)APSP_SINK_INIT;
    if (sink == NULL)
        return fail(err, STATUS_BAD_INPUT, "sinks: expected an apsp_sink, found NULL");
    RETURN_ON_FAILURE(struct_take(&target->sink, sizeof target->sink, SIZE_UP_TO(apsp_sink, needs),
                                  sink, "apsp_sink", err));
    if (target->sink.take == NULL)
        return fail(err, STATUS_BAD_INPUT, "apsp_sink: expected a function take, found NULL");
    if ((target->sink.needs & ~(unsigned)ALL_NEEDS) != 0)
        return fail(err, STATUS_BAD_INPUT, "apsp_sink: needs: expected 0 .. %d, found %u",
                    (int)ALL_NEEDS, target->sink.needs);
    target->own = own_sink_of(&target->sink);
    return STATUS_OK;
}

enum status fan_open(struct fan *fan, const apsp_sink *const *sinks, size_t count,
                     struct error *err) {
    void *memory;
    *fan = (struct fan){0};
    RETURN_ON_FAILURE(check_range("number of sinks", (int64_t)count, 1, INT32_MAX, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof *fan->target, "the sinks", err));
    memset(memory, 0, count * sizeof *fan->target);
    fan->target = memory;
    pthread_mutex_init(&fan->lock, NULL);
    for (fan->count = 0; fan->count < count; fan->count++) {
        struct fan_target *const target = &fan->target[fan->count];
        RETURN_ON_FAILURE(take_sink(target, sinks[fan->count], err));
        pthread_mutex_init(&target->lock, NULL);
        fan->in_order |= (target->sink.needs & APSP_NEEDS_ORDER) != 0;
    }
    return STATUS_OK;
}

bool fan_wants_predecessors(const struct fan *fan) {
    for (size_t t = 0; t < fan->count; t++) {
        if ((fan->target[t].sink.needs & APSP_NEEDS_PREDECESSORS) != 0)
            return true;
    }
    return false;
}

bool fan_takes_predecessors(const struct fan *fan) {
    for (size_t t = 0; t < fan->count; t++) {
        const struct own_sink *const own = fan->target[t].own;
        if (own != NULL && own_sink_takes_predecessors(own))
            return true;
    }
    return false;
}

bool fan_takes_measures_only(const struct fan *fan) {
    bool only = true;
    for (size_t t = 0; t < fan->count; t++)
        only = only && fan->target[t].own != NULL && fan->target[t].own->kind == OWN_MEASURES;
    return only;
}

enum status fan_resuming(const struct fan *fan, struct own_sink **own, struct error *err) {
    *own = NULL;
    for (size_t t = 0; t < fan->count; t++) {
        if (fan->target[t].own == NULL || !fan->target[t].own->resumes)
            continue;
        if (*own != NULL)
            return fail(err, STATUS_BAD_INPUT, "resume: expected one such sink, found several");
        *own = fan->target[t].own;
    }
    if (*own != NULL && fan->in_order)
        return fail(
            err, STATUS_BAD_INPUT,
            "resume: expected sinks that take rows in any order, found one that needs order");
    return STATUS_OK;
}

uint64_t fan_matrices(const struct fan *fan) {
    uint64_t bytes = 0;
    for (size_t t = 0; t < fan->count; t++) {
        if (fan->target[t].own != NULL)
            bytes = memory_add(bytes, own_sink_matrices(fan->target[t].own, &fan->answer));
    }
    return bytes;
}

uint64_t fan_memory(const struct fan *fan) {
    uint64_t bytes = 0;
    for (size_t t = 0; t < fan->count; t++) {
        if (fan->target[t].own != NULL)
            bytes =
                memory_add(bytes, own_sink_memory(fan->target[t].own, &fan->answer, fan->threads));
    }
    return bytes;
}

/* Taking rows ----------------------------------------------------------------------------------*/

/* The status that a function of the caller returned; err gets the line that it stored. */
static enum status status_of(apsp_status status, const apsp_error *said, struct error *err) {
    if (status == APSP_OK)
        return STATUS_OK;
    if ((int)status < APSP_OK || (int)status > APSP_CANCELLED)
        return fail(err, STATUS_BAD_INPUT, "a sink: expected a status in %d .. %d, found %d",
                    (int)APSP_OK, (int)APSP_CANCELLED, (int)status);
    if (said->text[0] == '\0')
        return fail(err, (enum status)status,
                    status == APSP_CANCELLED ? "stopped, as a sink asked" : "a sink failed");
    return fail(err, (enum status)status, "%.*s", (int)sizeof said->text - 1, said->text);
}

/* Keeps the first failure in fan->status and fan->error, and has the engine stop. */
static enum status note_failure(struct fan *fan, enum status status, const struct error *err) {
    pthread_mutex_lock(&fan->lock);
    if (fan->status == STATUS_OK) {
        fan->status = status;
        fan->error = *err;
    }
    pthread_mutex_unlock(&fan->lock);
    progress_stop(fan->progress);
    return status;
}

/* Returns whether `row` follows row_before at the distance *leading, in entries of `size` bytes, so
 * that both are rows of one matrix. If *leading is 0, any distance of n or more will do; it is
 * stored. */
static bool continues(const void *row, const void *row_before, size_t size, int32_t n,
                      size_t *leading) {
    const uintptr_t at = (uintptr_t)row, before = (uintptr_t)row_before;
    const size_t distance = (size_t)(at - before) / size;
    if (at < before || distance < (size_t)n || (at - before) % size != 0 ||
        (*leading != 0 && distance != *leading))
        return false;
    *leading = distance;
    return true;
}

static bool is_delivered(const struct fan *fan, const struct row_block *block, int32_t row) {
    return fan->delivered != NULL && fan->delivered[block->position[row]] != 0;
}

/* Number of rows from `first` on that are rows of one matrix and that the caller does not have
 * yet. */
static int32_t run_length(const struct fan *fan, const struct row_block *block, int32_t first,
                          size_t *leading) {
    int32_t count = 1;
    *leading = 0;
    for (; first + count < block->count && count < fan->block; count++) {
        size_t wider = *leading, of_pred;
        if (is_delivered(fan, block, first + count) ||
            !continues(block->cells[first + count], block->cells[first + count - 1],
                       number_size(block->type), block->n, &wider))
            break;
        of_pred = wider;
        if (block->pred != NULL &&
            !continues(block->pred[first + count], block->pred[first + count - 1], sizeof(int32_t),
                       block->n, &of_pred))
            break;
        *leading = wider;
    }
    if (*leading == 0)
        *leading = (size_t)block->n;
    return count;
}

static enum status call_take(const struct fan *fan, struct fan_target *target,
                             const struct row_block *block, int32_t first, int32_t count,
                             size_t leading, struct error *err) {
    const bool alone = (target->sink.needs & APSP_NEEDS_ONE_AT_A_TIME) != 0;
    apsp_error said = {""};
    const apsp_rows rows = {
        .size = sizeof rows,
        .count = count,
        .vertices = block->n,
        .sources = block->source + first,
        .positions = block->position + first,
        .distances = block->cells[first],
        .predecessors = block->pred != NULL ? block->pred[first] : NULL,
        .leading = leading,
        .type = (apsp_type)block->type,
        .proved = fan->proved,
    };
    enum status status;
    if (alone)
        pthread_mutex_lock(&target->lock);
    /* Another thread may have stopped the solve while this one waited for the lock. */
    if (progress_goes_on(fan->progress))
        status = status_of(target->sink.take(target->sink.self, &rows, &said), &said, err);
    else
        status = progress_cancelled(err);
    if (alone)
        pthread_mutex_unlock(&target->lock);
    return status;
}

/* Hands a block to a target of the caller: one call for each run of rows that are rows of one
 * matrix. */
static enum status take_by_caller(const struct fan *fan, struct fan_target *target,
                                  const struct row_block *block, struct error *err) {
    for (int32_t first = 0, count; first < block->count; first += count) {
        size_t leading;
        count = 1;
        if (is_delivered(fan, block, first))
            continue;
        count = run_length(fan, block, first, &leading);
        RETURN_ON_FAILURE(call_take(fan, target, block, first, count, leading, err));
    }
    return STATUS_OK;
}

/* Hands a block to the targets that need order, or to those that do not. */
static enum status take_block(struct fan *fan, const struct row_block *block, bool in_order,
                              struct error *err) {
    for (size_t t = 0; t < fan->count; t++) {
        struct fan_target *const target = &fan->target[t];
        if (((target->sink.needs & APSP_NEEDS_ORDER) != 0) != in_order)
            continue;
        const enum status status = target->own != NULL
                                       ? target->own->to->take(target->own->to, block, err)
                                       : take_by_caller(fan, target, block, err);
        if (status != STATUS_OK)
            return note_failure(fan, status, err);
    }
    for (int32_t r = 0; r < block->count && fan->delivered != NULL; r++)
        fan->delivered[block->position[r]] = 1;
    return STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    return take_block((struct fan *)self, block, false, err);
}

/* Begins the answer, or begins it again: the library's targets drop the rows that they have.
 * Targets of the caller have begun before. */
static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct fan *const fan = (struct fan *)self;
    for (size_t t = 0; t < fan->count; t++) {
        struct row_sink *const to = fan->target[t].own != NULL ? fan->target[t].own->to : NULL;
        if (to != NULL && to->begin != NULL)
            RETURN_ON_FAILURE(to->begin(to, n, type, sources, with_pred, threads, err));
        if (to != NULL && fan->sink.take_totals != NULL)
            fan->sink.wants_columns = to->wants_columns;
    }
    return STATUS_OK;
}

/* Announces a part of the rows to the only target, which is the library's. */
static enum status begin_part(struct row_sink *self, const struct row_part *part,
                              struct error *err) {
    const struct fan *const fan = (const struct fan *)self;
    struct row_sink *const to = fan->target[0].own->to;
    return to->begin_part(to, part, err);
}

/* Hands totals to the only target: measures take them instead of rows. */
static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    const struct fan *const fan = (const struct fan *)self;
    struct row_sink *const to = fan->target[0].own->to;
    return to->take_totals(to, totals, err);
}

static enum status take_device(struct row_sink *self, const struct device_rows *rows,
                               struct error *err) {
    struct fan *const fan = (struct fan *)self;
    struct row_sink *const to = fan->target[0].own->to;
    const enum status status = to->take_device(to, rows, err);
    return status == STATUS_OK ? STATUS_OK : note_failure(fan, status, err);
}

/* Finds the place of a row in a result in memory, in the first if there are several. */
static void place(struct row_sink *self, int32_t position, void **dist, int32_t **pred) {
    const struct fan *const fan = (const struct fan *)self;
    for (size_t t = 0; t < fan->count; t++) {
        struct row_sink *const to = fan->target[t].own != NULL ? fan->target[t].own->to : NULL;
        if (to != NULL && to->place != NULL) {
            to->place(to, position, dist, pred);
            return;
        }
    }
}

static enum status begin_target(struct fan *fan, struct fan_target *target, struct error *err) {
    const struct answer *const answer = &fan->answer;
    const int32_t n = answer->graph->graph.n;
    if (target->own != NULL) {
        RETURN_ON_FAILURE(own_sink_open(target->own, answer, fan->threads, err));
    } else if (target->sink.begin != NULL) {
        apsp_error said = {""};
        RETURN_ON_FAILURE(status_of(target->sink.begin(target->sink.self, answer->sources.count, n,
                                                       (apsp_type)answer->graph->graph.type, &said),
                                    &said, err));
    }
    target->begun = true;
    return STATUS_OK;
}

static enum status remember_delivered(struct fan *fan, struct error *err) {
    const size_t rows = (size_t)fan->answer.sources.count;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, rows, 1, "the rows", err));
    fan->delivered = memset(memory, 0, rows);
    return STATUS_OK;
}

enum status fan_begin(struct fan *fan, struct error *err) {
    const struct answer *const answer = &fan->answer;
    fan->sink = (struct row_sink){.begin = begin, .take = take};
    for (size_t t = 0; t < fan->count; t++) {
        struct fan_target *const target = &fan->target[t];
        RETURN_ON_FAILURE(begin_target(fan, target, err));
        if (target->own == NULL && fan->delivered == NULL && !fan->in_order)
            RETURN_ON_FAILURE(remember_delivered(fan, err));
        if (target->own == NULL || target->own->to->place == NULL || fan->sink.place != NULL)
            continue;
        fan->sink.place = place;
        fan->sink.dist_matrix = target->own->to->dist_matrix;
        fan->sink.pred_matrix = target->own->to->pred_matrix;
    }
    if (fan->count == 1 && fan->target[0].own != NULL && fan->target[0].own->to->begin_part != NULL)
        fan->sink.begin_part = begin_part;
    if (fan->count == 1 && fan->target[0].own != NULL &&
        fan->target[0].own->to->take_totals != NULL) {
        fan->sink.take_totals = take_totals;
        fan->sink.spares_reciprocals = fan->target[0].own->to->spares_reciprocals;
        fan->sink.reciprocal_bits = fan->target[0].own->to->reciprocal_bits;
    }
    if (fan->count == 1 && fan->target[0].own != NULL &&
        fan->target[0].own->to->take_device != NULL) {
        fan->sink.take_device = take_device;
        fan->sink.device = fan->target[0].own->to->device;
    }
    return fan->in_order
               ? begin(&fan->sink, answer->graph->graph.n, answer->graph->graph.type,
                       &answer->sources, answer->with_pred, threads_or_default(fan->threads), err)
               : STATUS_OK;
}

/* In order --------------------------------------------------------------------------------------*/

/* Makes block b of the matrices, with positions in the whole answer. */
static void make_block(const struct fan *fan, int32_t b, int32_t first, int32_t count,
                       const struct matrix *dist, const struct matrix *pred,
                       struct row_block *block, int32_t **pred_rows) {
    const struct row_sources rows = {NULL, count};
    row_block_of_matrices(block, pred_rows, &rows, dist, pred, b * ROW_BLOCK_MAX, ROW_BLOCK_MAX,
                          false);
    for (int32_t r = 0; r < block->count; r++) {
        block->position[r] += first;
        block->source[r] = row_source(&fan->answer.sources, block->position[r]);
    }
}

enum status fan_take_matrices(struct fan *fan, int32_t first, int32_t count,
                              const struct matrix *dist, const struct matrix *pred,
                              struct error *err) {
    const int32_t blocks = (count - 1) / ROW_BLOCK_MAX + 1;
    int threads = threads_worth(fan->threads, (double)count * dist->n);
    threads = threads < blocks ? threads : blocks;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t b = 0; b < blocks; b++) {
        struct row_block block;
        struct error mine;
        int32_t *pred_rows[ROW_BLOCK_MAX];
        if (!progress_goes_on(fan->progress))
            continue;
        make_block(fan, b, first, count, dist, pred, &block, pred_rows);
        (void)take_block(fan, &block, false, &mine); /* the fan keeps a failure */
    }
    for (int32_t b = 0; b < blocks && progress_goes_on(fan->progress); b++) {
        struct row_block block;
        int32_t *pred_rows[ROW_BLOCK_MAX];
        make_block(fan, b, first, count, dist, pred, &block, pred_rows);
        RETURN_ON_FAILURE(take_block(fan, &block, true, err));
    }
    return progress_goes_on(fan->progress) ? STATUS_OK : progress_cancelled(err);
}

/* Ending ---------------------------------------------------------------------------------------*/

static enum status end_target(struct fan_target *target, enum status how,
                              const struct making *making, struct error *err) {
    apsp_error said = {""};
    if (target->own != NULL)
        return how == STATUS_OK ? own_sink_finish(target->own, making, err) : how;
    return target->sink.end != NULL
               ? status_of(target->sink.end(target->sink.self, (apsp_status)how, &said), &said, err)
               : STATUS_OK;
}

enum status fan_end(struct fan *fan, enum status status, const struct making *making,
                    struct error *err) {
    if (fan->status != STATUS_OK) {
        *err = fan->error;
        status = fan->status;
    }
    for (size_t t = 0; t < fan->count; t++) {
        struct error own;
        struct fan_target *const target = &fan->target[t];
        if (!target->begun)
            continue;
        const enum status ended = end_target(target, status, making, &own);
        if (status == STATUS_OK && ended != STATUS_OK) {
            *err = own;
            status = ended;
        }
    }
    for (size_t t = 0; t < fan->count && status == STATUS_OK; t++) {
        if (fan->target[t].own != NULL)
            own_sink_hand_over(fan->target[t].own);
    }
    return status;
}

void fan_close(struct fan *fan) {
    for (size_t t = 0; t < fan->count; t++) {
        if (fan->target[t].own != NULL && fan->target[t].begun)
            own_sink_close(fan->target[t].own);
        pthread_mutex_destroy(&fan->target[t].lock);
    }
    if (fan->target != NULL)
        pthread_mutex_destroy(&fan->lock);
    memory_free(fan->target);
    memory_free(fan->delivered);
    *fan = (struct fan){0};
}
