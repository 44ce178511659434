// SPDX-License-Identifier: MIT
#include "cli/solver_resume.h"

#include "common/base/crc32.h"    // crc32_add
#include "common/base/output.h"   // output_say_on_signal
#include "common/base/version.h"  // PROJECT_VERSION
#include "common/graph/limit.h"   // NO_LIMIT, limit_digits
#include "common/rows/npy_type.h" // npy_types
#include "solve/solve.h"          // solver_find, solver_find_same

#include <errno.h> // program_invocation_short_name
#include <string.h>
#include <unistd.h>

/* Returns whether kept rows are needed again, and not only where they are. Rows of which only some
 * columns are kept cannot be proved again. */
static bool reads_kept(const struct solver_arguments *a) {
    return a->targets == NULL && (a->check || a->measures);
}

uint64_t solver_resume_memory(const struct solver_arguments *a, enum number_type type, int32_t n,
                              int32_t rows) {
    return partial_memory(rows, a->options.threads) +
           rest_sink_memory(type, n, rows, !a->distances_only, reads_kept(a), a->options.threads);
}

/* A list of vertices, of which a source of NULL means all. */
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

bool solver_resume_keeps_long(const struct solver_arguments *a, const struct graph *g) {
    const struct partial_term terms[] = {term_of_graph(g), term_of_type(NPY_INT64)};
    return partial_keeps(a->output, terms, sizeof terms / sizeof *terms);
}

/* Lists what a run must have in common with the one that it goes on with: all that the bytes of the
 * result depend on. Returns the number of terms. */
static int terms_of(const struct solver_arguments *a, const struct solver_run *run,
                    struct partial_term *term) {
    const struct graph *const g = &run->graph;
    struct partial_term *at = term;
    char limit[NUMBER_TEXT_MAX];
    *at++ = partial_term("version", "%s", PROJECT_VERSION);
    *at++ = partial_term("program", "%s", a->solver->program);
    *at++ = partial_term("variant", "%s", a->variant->name);
    *at++ = partial_term("tile", "%d", solver_tile(a));
    *at++ = term_of_graph(g);
    *at++ = partial_term("vertices", "%d", g->n);
    *at++ = partial_term("edges", "%lld", (long long)g->m);
    *at++ = term_of_list("sources", &run->result.sources);
    *at++ = term_of_list("targets", &run->result.targets);
    *at++ =
        partial_term("limit", "%s", a->limit < NO_LIMIT ? limit_digits(a->limit, limit) : "none");
    *at++ = partial_term("matrices", "%s",
                         a->distances_only ? "distances" : "distances and predecessors");
    *at++ = term_of_type(run->type);
    if (a->targets != NULL) /* see reads_kept */
        *at++ = partial_term("proof", "%s", a->check ? "required" : "none");
    return (int)(at - term);
}

enum status solver_resume_open(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err) {
    struct partial_term terms[PARTIAL_MAX_TERMS];
    char name[PATH_MAX];
    const int count = terms_of(a, run, terms);
    RETURN_ON_FAILURE(partial_open(&run->partial, a->output, terms, count, err));
    /* On a terminal, the bar of progress may be there. */
    snprintf(run->last_line, sizeof run->last_line,
             "%s%s: ended by a signal; finished rows are kept in %.3000s: run again with "
             "--resume\n",
             isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", program_invocation_short_name,
             printable_copy(run->partial.path, name, sizeof name));
    output_say_on_signal(run->last_line);
    return STATUS_OK;
}

/* If the kept rows are those of one variant, this one must go on. */
static enum status choose_variant(const struct solver_arguments *a, struct solver_run *run,
                                  const struct solver_variant **variant, struct error *err) {
    const struct partial *const partial = &run->partial;
    *variant = a->variant;
    if (partial->kept == 0 || partial->variant[0] == '\0' ||
        strcmp(partial->variant, a->variant->name) == 0)
        return STATUS_OK;
    *variant = solver_find(a->solver, partial->variant);
    if (*variant == NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "%.400s: expected rows of a variant of this program, found those of %s",
                    partial->path, partial->variant);
    solver_on_choice(&run->events, partial->variant, "the rows that are kept are its rows");
    if (a->files.wait != NULL)
        a->files.wait(a->files.self);
    return STATUS_OK;
}

enum status solver_resume_begin(const struct solver_arguments *a, struct solver_run *run,
                                struct row_sink *sink, const struct solver_variant **variant,
                                struct error *err) {
    const struct row_sources all = vertex_list_rows(&run->result.sources, &run->graph);
    struct progress progress = {0};
    progress_start(&progress, "kept rows");
    const enum status status = npy_sink_find_rows(&run->files, a->options.threads,
                                                  a->verbosity.quiet ? NULL : &progress, err);
    progress_finish(&progress);
    RETURN_ON_FAILURE(status);
    RETURN_ON_FAILURE(choose_variant(a, run, variant, err));
    return rest_sink_init(&run->rest, &run->partial, &all, sink, reads_kept(a), err);
}

void solver_resume_on_variant(void *context, const struct solver_variant *taken) {
    const struct solver_resume_context *const c = context;
    const struct solver_variant *const listed = solver_find_same(c->arguments->solver, taken);
    const char *const name = listed != NULL ? listed->name : taken->name;
    FILE *const to = c->run->events.to;
    /* Other variants may find other predecessors. */
    if (!c->arguments->distances_only)
        partial_note_variant(&c->run->partial, name);
    if (!taken->by_rows && to != NULL) {
        fprintf(to, "note     %s has no row before it has all: until then, none is kept\n", name);
        fflush(to);
    }
}
