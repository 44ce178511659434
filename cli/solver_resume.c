// SPDX-License-Identifier: MIT
#include "cli/solver_resume.h"

#include "common/base/output.h" // output_say_on_signal

#include <errno.h> // program_invocation_short_name
#include <string.h>
#include <unistd.h>

/* Returns the request of a run; if run is NULL, only the members that decide how much memory
 * resuming takes. Kept rows with some of the columns cannot be proved or measured again. */
static struct resume_request request_of(const struct solver_arguments *a,
                                        const struct solver_run *run) {
    struct resume_request request = {
        .solver = a->solver,
        .variant = a->variant,
        .tile = solver_tile(a),
        .limit = a->limit,
        .with_pred = !a->distances_only,
        .proves = a->check,
        .hands_kept_on = a->targets == NULL && (a->check || a->measures),
        .threads = a->options.threads,
    };
    if (run != NULL) {
        request.graph = &run->graph;
        request.sources = &run->result.sources;
        request.targets = &run->result.targets;
        request.type = run->type;
    }
    return request;
}

uint64_t solver_resume_memory(const struct solver_arguments *a, enum number_type type, int32_t n,
                              int32_t rows) {
    const struct resume_request request = request_of(a, NULL);
    return resume_memory(&request, type, n, rows);
}

enum status solver_resume_open(const struct solver_arguments *a, struct solver_run *run,
                               struct error *err) {
    const struct resume_request request = request_of(a, run);
    char name[PATH_MAX];
    RETURN_ON_FAILURE(resume_open(&run->resume, a->output, &request, err));
    /* On a terminal, the line first erases the progress bar. */
    snprintf(run->last_line, sizeof run->last_line,
             "%s%s: ended by a signal; finished rows are kept in %.3000s: run again with "
             "--resume\n",
             isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", program_invocation_short_name,
             printable_copy(run->resume.partial.path, name, sizeof name));
    output_say_on_signal(run->last_line);
    return STATUS_OK;
}

void solver_resume_say_variant(const struct solver_arguments *a, struct solver_run *run) {
    if (run->job.variant == a->variant)
        return;
    solver_on_choice(&run->events, run->job.variant->name, "the rows that are kept are its rows");
    if (a->files.wait != NULL)
        a->files.wait(a->files.self);
}

void solver_resume_on_variant(void *context, const struct solver_variant *taken) {
    const struct solver_resume_context *const c = context;
    const struct solver_variant *const listed = solver_find_same(c->arguments->solver, taken);
    FILE *const to = c->run->events.to;
    resume_note_variant(&c->run->resume, taken);
    if (!taken->by_rows && to != NULL) {
        fprintf(to, "note     %s has no row before it has all: until then, none is kept\n",
                listed != NULL ? listed->name : taken->name);
        fflush(to);
    }
}
