// SPDX-License-Identifier: MIT
#include "job/resume.h"

#include "common/base/crc32.h"    // crc32_add
#include "common/base/version.h"  // PROJECT_VERSION
#include "common/graph/limit.h"   // NO_LIMIT, limit_digits
#include "common/rows/npy_type.h" // npy_types

#include <string.h>

uint64_t resume_memory(const struct resume_request *request, enum number_type type, int32_t n,
                       int32_t rows) {
    return partial_memory(rows, request->threads) +
           rest_sink_memory(type, n, rows, request->with_pred, request->hands_kept_on,
                            request->threads);
}

static struct partial_term term_of_list(const char *name, const struct vertex_list *list) {
    return list->vertex == NULL
               ? partial_term(name, "all")
               : partial_term(name, "%d, CRC-32 %08x", list->count,
                              crc32_add(0, list->vertex, (size_t)list->count * sizeof(int32_t)));
}

static struct partial_term term_of_graph(const struct graph *g) {
    return partial_term("graph", "%08x", graph_checksum(g));
}

static struct partial_term term_of_type(enum npy_type type) {
    return partial_term("type", "%s", npy_types[type].name);
}

bool resume_keeps_long(const char *prefix, const struct graph *g) {
    const struct partial_term terms[] = {term_of_graph(g), term_of_type(NPY_INT64)};
    return partial_keeps(prefix, terms, sizeof terms / sizeof *terms);
}

/* Lists the request, for PREFIX.partial/request.json. Returns the number of terms. */
static int terms_of(const struct resume_request *request, struct partial_term *term) {
    const struct graph *const g = request->graph;
    struct partial_term *at = term;
    char limit[NUMBER_TEXT_MAX];
    *at++ = partial_term("version", "%s", PROJECT_VERSION);
    *at++ = partial_term("program", "%s", request->solver->program);
    *at++ = partial_term("variant", "%s", request->variant->name);
    *at++ = partial_term("tile", "%d", request->tile);
    *at++ = term_of_graph(g);
    *at++ = partial_term("vertices", "%d", g->n);
    *at++ = partial_term("edges", "%lld", (long long)g->m);
    *at++ = term_of_list("sources", request->sources);
    *at++ = term_of_list("targets", request->targets);
    *at++ = partial_term("limit", "%s",
                         request->limit < NO_LIMIT ? limit_digits(request->limit, limit) : "none");
    *at++ = partial_term("matrices", "%s",
                         request->with_pred ? "distances and predecessors" : "distances");
    *at++ = term_of_type(request->type);
    /* Rows of which only some columns are kept cannot be proved again. */
    if (request->targets->vertex != NULL)
        *at++ = partial_term("proof", "%s", request->proves ? "required" : "none");
    return (int)(at - term);
}

enum status resume_open(struct resume *resume, const char *prefix,
                        const struct resume_request *request, struct error *err) {
    struct partial_term terms[PARTIAL_MAX_TERMS];
    *resume = (struct resume){.request = *request};
    return partial_open(&resume->partial, prefix, terms, terms_of(request, terms), err);
}

/* Stores the variant that must solve for the rest: if the kept rows are those of one variant, this
 * one. */
static enum status choose_variant(const struct resume *resume,
                                  const struct solver_variant **variant, struct error *err) {
    const struct partial *const partial = &resume->partial;
    *variant = resume->request.variant;
    if (partial->kept == 0 || partial->variant[0] == '\0' ||
        strcmp(partial->variant, (*variant)->name) == 0)
        return STATUS_OK;
    *variant = solver_find(resume->request.solver, partial->variant);
    return *variant != NULL
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "%.400s: expected rows of a variant of this program, found those of %s",
                      partial->path, partial->variant);
}

enum status resume_begin(struct resume *resume, struct row_files *files, struct row_sink *to,
                         struct progress *progress, const struct solver_variant **variant,
                         struct error *err) {
    const struct resume_request *const request = &resume->request;
    const struct row_sources all = vertex_list_rows(request->sources, request->graph);
    RETURN_ON_FAILURE(npy_sink_find_rows(&files->dense, request->threads, progress, err));
    RETURN_ON_FAILURE(choose_variant(resume, variant, err));
    return rest_sink_init(&resume->rest, &resume->partial, &all, to, request->hands_kept_on, err);
}

void resume_note_variant(void *to, const struct solver_variant *taken) {
    struct resume *const resume = to;
    const struct solver_variant *const listed = solver_find_same(resume->request.solver, taken);
    if (resume->request.with_pred)
        partial_note_variant(&resume->partial, listed != NULL ? listed->name : taken->name);
}

void resume_discard(struct resume *resume) {
    resume->partial.is_useless = true;
}

void resume_close(struct resume *resume) {
    rest_sink_free(&resume->rest);
    partial_close(&resume->partial);
    *resume = (struct resume){0};
}
