// SPDX-License-Identifier: MIT
#include "cli/solver_ranks.h"

#include "common/base/crc32.h"   // crc32_add
#include "common/base/isa.h"     // isa_choose
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default
#include "gpu/gpu_devices.h"     // gpu_devices_divide
#include "ranks/claims.h"        // claims_open

#include <stdlib.h>
#include <string.h>

static enum status refuse(const struct solver_arguments *a, const struct ranks *ranks,
                          struct error *err) {
    const char *why = NULL;
    if (strcmp(a->graph, "-") == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%d processes solve together; expected the name of a graph that all of them "
                    "can read, found standard input, which only one has",
                    ranks->count);
    if (!a->variant->divides)
        return fail(err, STATUS_BAD_INPUT,
                    "variant %s cannot be divided among %d processes: take one of those that "
                    "--list-variants lists with \"divides\"",
                    a->variant->name, ranks->count);
    if (a->keeps_rows && (!a->format.npy || a->format.npz))
        why = "--format: expected npy, which all of them write together, or --measures alone";
    else if (a->resume)
        why = "--resume: the rows of one process only can be kept";
    else if (a->format.smallest)
        why = "--format npy:auto: expected a type that is known before, as npy:uint16";
    else if (a->repetitions > 1 || a->csv != NULL)
        why = "--repeat and --csv time one process";
    return why == NULL
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "%d processes solve together; %s", ranks->count, why);
}

/* Options that all ranks must have alike: rows that were solved, proved or written in other ways
 * would not belong together, and a rank that does something else would leave the others waiting. */
enum compared {
    VARIANT,
    LIMIT,
    FORMAT,
    OUTPUT,
    MEASURES,
    OMIT,
    CHECK,
    TARGETS,
    DISTANCES_ONLY, /* other options may imply it */
    OPTIONS
};

static const char *const option_names[OPTIONS] = {
    [VARIANT] = "--variant", [DISTANCES_ONLY] = "--distances-only",
    [LIMIT] = "--limit",     [FORMAT] = "--format",
    [OUTPUT] = "--output",   [MEASURES] = "--measures",
    [OMIT] = "--omit",       [CHECK] = "--check",
    [TARGETS] = "--targets",
};

/* Sets a number for each option, equal for equal options. */
static void describe_options(const struct solver_arguments *a, uint64_t option[OPTIONS]) {
    memset(option, 0, OPTIONS * sizeof *option);
    option[VARIANT] = crc32_add(0, a->variant->name, strlen(a->variant->name));
    option[DISTANCES_ONLY] = a->distances_only;
    memcpy(&option[LIMIT], &a->limit, sizeof a->limit);
    option[FORMAT] = (uint64_t)a->type << 1 | a->format.drops;
    option[OUTPUT] = a->keeps_rows;
    option[MEASURES] = a->measures;
    option[OMIT] = a->measures_parts;
    option[CHECK] = a->check;
    option[TARGETS] = a->targets != NULL;
}

static enum status compare_options(const struct solver_arguments *a, const struct ranks *ranks,
                                   struct error *err) {
    uint64_t own[OPTIONS], first[OPTIONS];
    enum status status = STATUS_OK;
    describe_options(a, own);
    memcpy(first, own, sizeof first);
    RETURN_ON_FAILURE(ranks_broadcast(ranks, first, sizeof first, err));
    for (int o = 0; o < OPTIONS && status == STATUS_OK; o++) {
        if (own[o] != first[o])
            status = fail(err, STATUS_BAD_INPUT, "%s: expected that of rank 0, found another",
                          option_names[o]);
    }
    return ranks_agree(ranks, status, err);
}

/* Chooses an instruction set that all hosts have. */
static enum status settle_isa(const struct ranks *ranks, struct error *err) {
    enum isa isa = ISA_PORTABLE;
    RETURN_ON_FAILURE(ranks_agree(ranks, isa_choose(&isa, err), err));
    int least = (int)isa;
    RETURN_ON_FAILURE(ranks_least(ranks, &least, err));
    return setenv("APSP_SIMD", isa_name((enum isa)least), 1) == 0
               ? STATUS_OK
               : fail(err, STATUS_NO_RESOURCE, "out of memory: the environment");
}

enum status solver_ranks_begin(struct solver_arguments *a, const struct ranks *ranks,
                               struct error *err) {
    if (ranks->count == 1)
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_agree(ranks, refuse(a, ranks, err), err));
    RETURN_ON_FAILURE(compare_options(a, ranks, err));
    RETURN_ON_FAILURE(settle_isa(ranks, err));
    int threads = a->options.threads;
    if (threads == 0) {
        threads = threads_or_default(0) / ranks->count_here;
        threads = threads > 0 ? threads : 1;
    }
    RETURN_ON_FAILURE(ranks_least(ranks, &threads, err));
    a->options.threads = threads;
    a->options.ranks = ranks;
    if (a->solver->uses_gpu)
        gpu_devices_divide(&a->options, a->devices_given, ranks);
    if (!ranks_first(ranks)) {
        a->verbosity.quiet = true;
        a->verbosity.json = false;
    }
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct rank_rows *const r = (struct rank_rows *)self;
    memset(r->taken, 0, (size_t)r->count);
    r->sink.wants_columns = false;
    if (r->next->begin != NULL)
        RETURN_ON_FAILURE(r->next->begin(r->next, n, type, sources, with_pred, threads, err));
    r->sink.wants_columns = r->next->wants_columns;
    return STATUS_OK;
}

/* In totals a row of another rank reaches no vertex, not even its source: so it was not taken
 * here. */
static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    struct rank_rows *const r = (struct rank_rows *)self;
    for (int32_t k = 0; k < r->count; k++)
        r->taken[k] = (unsigned char)(r->taken[k] + (answer_totals_reached(totals, k) > 0));
    return r->next->take_totals(r->next, totals, err);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct rank_rows *const r = (struct rank_rows *)self;
    for (int32_t k = 0; k < block->count; k++)
        r->taken[block->position[k]]++;
    return r->next->take(r->next, block, err);
}

/* Facts that all ranks must have alike, or their rows would not belong together. */
struct common_ground {
    uint32_t graph, sources, targets; /* checksums of the graph and of both lists of vertices */
    int32_t n, rows, columns;
};

static uint32_t checksum_of(const struct row_sources *list) {
    return list->source == NULL ? 0
                                : crc32_add(0, list->source, (size_t)list->count * sizeof(int32_t));
}

static enum status check_common_ground(const struct solver_run *run, struct error *err) {
    const struct row_sources sources = vertex_list_rows(&run->result.sources, &run->graph);
    const struct row_sources targets = vertex_list_rows(&run->result.targets, &run->graph);
    const struct common_ground own = {.graph = graph_checksum(&run->graph),
                                      .sources = checksum_of(&sources),
                                      .targets = checksum_of(&targets),
                                      .n = run->graph.n,
                                      .rows = sources.count,
                                      .columns = targets.count};
    struct common_ground first = own;
    RETURN_ON_FAILURE(ranks_broadcast(&run->ranks, &first, sizeof first, err));
    enum status status = STATUS_OK;
    if (own.graph != first.graph || own.n != first.n)
        status = fail(err, STATUS_BAD_INPUT,
                      "expected the graph of rank 0, with checksum %08x, found one with %08x",
                      first.graph, own.graph);
    else if (own.rows != first.rows || own.sources != first.sources)
        status = fail(err, STATUS_BAD_INPUT, "--sources: expected those of rank 0, found others");
    else if (own.columns != first.columns || own.targets != first.targets)
        status = fail(err, STATUS_BAD_INPUT, "--targets: expected those of rank 0, found others");
    return ranks_agree(&run->ranks, status, err);
}

enum status solver_ranks_open(struct solver_run *run, struct row_sink **sink, struct error *err) {
    struct rank_rows *const r = &run->rank_rows;
    const int32_t count = vertex_list_rows(&run->result.sources, &run->graph).count;
    void *taken = NULL, *facts = NULL;
    if (run->ranks.count == 1)
        return STATUS_OK;
    RETURN_ON_FAILURE(check_common_ground(run, err));
    enum status status = memory_alloc(&taken, (size_t)count, 1, "which rows are taken", err);
    if (status == STATUS_OK)
        status = memory_alloc(&facts, (size_t)run->ranks.count, sizeof *r->facts, "what ranks took",
                              err);
    *r = (struct rank_rows){
        .sink = {.begin = begin,
                 .take = take,
                 .take_totals = (*sink)->take_totals != NULL ? take_totals : NULL,
                 .spares_reciprocals = (*sink)->spares_reciprocals},
        .next = *sink,
        .taken = taken,
        .count = count,
        .facts = facts,
    };
    RETURN_ON_FAILURE(ranks_agree(&run->ranks, status, err));
    *sink = &r->sink;
    return claims_open(&run->ranks, count, err);
}

/* Adds the counts of another rank. It has the same number of rows (check_common_ground). */
static enum status take_taken(void *self, int rank, size_t first, size_t count, const void *data,
                              struct error *err) {
    struct rank_rows *const r = self;
    const unsigned char *const theirs = data;
    (void)rank, (void)err;
    for (size_t k = 0; k < count; k++)
        r->taken[first + k] = (unsigned char)(r->taken[first + k] + theirs[k]);
    return STATUS_OK;
}

static enum status take_facts(void *self, int rank, size_t first, size_t count, const void *data,
                              struct error *err) {
    struct rank_rows *const r = self;
    (void)first, (void)count, (void)err;
    memcpy(&r->facts[rank], data, sizeof *r->facts);
    return STATUS_OK;
}

static struct rank_facts facts_of(const struct solver_arguments *a, const struct solver_run *run) {
    const bool on_gpu = run->events.gpus > 0 || run->events.together > 0;
    struct rank_facts facts = {.threads = a->options.threads,
                               .device = on_gpu ? a->options.device : -1,
                               .held = memory_peak(),
                               .needed = run->events.memory[0].needed};
    memcpy(facts.host, run->ranks.host, sizeof facts.host);
    for (int32_t k = 0; k < run->rank_rows.count; k++)
        facts.rows += run->rank_rows.taken[k];
    return facts;
}

/* At rank 0, checks that each row was taken exactly once. */
static enum status check_rows(const struct solver_run *run, struct error *err) {
    const struct rank_rows *const r = &run->rank_rows;
    for (int32_t k = 0; k < r->count && ranks_first(&run->ranks); k++) {
        if (r->taken[k] != 1)
            return fail(err, STATUS_NO_RESOURCE,
                        "the row at position %d was solved by %d processes: they did not divide "
                        "the rows alike; do all hosts have the same program?",
                        k, r->taken[k]);
    }
    return STATUS_OK;
}

static enum status gather(const struct solver_arguments *a, struct solver_run *run,
                          struct error *err) {
    const struct ranks *const ranks = &run->ranks;
    struct rank_rows *const r = &run->rank_rows;
    const struct rank_facts own = facts_of(a, run);
    r->facts[0] = own;
    RETURN_ON_FAILURE(ranks_gather(ranks, &own, 1, sizeof own, take_facts, r, err));
    RETURN_ON_FAILURE(ranks_gather(ranks, r->taken, (size_t)r->count, 1, take_taken, r, err));
    RETURN_ON_FAILURE(ranks_agree(ranks, check_rows(run, err), err));
    if (a->measures)
        RETURN_ON_FAILURE(measures_gather(&run->measures, ranks, err));
    return a->keeps_rows ? npy_sink_gather(&run->files.dense, ranks, err) : STATUS_OK;
}

enum status solver_ranks_close(const struct solver_arguments *a, struct solver_run *run,
                               enum status status, struct error *err) {
    const struct ranks *const ranks = &run->ranks;
    if (ranks->count == 1)
        return status;
    if (status != STATUS_OK)
        claims_stop(ranks);
    RETURN_ON_FAILURE(ranks_agree(ranks, status, err));
    return ranks_agree(ranks, gather(a, run, err), err);
}

void solver_ranks_free(struct rank_rows *r) {
    memory_free(r->taken);
    memory_free(r->facts);
    *r = (struct rank_rows){0};
}
