// SPDX-License-Identifier: MIT
#include "job/row_job.h"

#include "common/base/threads.h" // threads_or_default

#include <string.h>

enum status row_job_begin(struct row_job *job, struct row_sink *to, struct progress *progress,
                          struct error *err) {
    const struct solve_request *const r = &job->request;
    job->sink = to;
    if (job->proves && job->proof.to != NULL)
        proving_sink_turn(&job->proof, to);
    else if (job->proves)
        RETURN_ON_FAILURE(
            proving_sink_open(&job->proof, r->graph, r->limit, r->predecessors, to, err));
    if (job->proves)
        job->sink = &job->proof.sink;
    if (job->resume == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        resume_begin(job->resume, job->files, job->sink, progress, &job->variant, err));
    job->sink = &job->resume->rest.sink;
    return STATUS_OK;
}

enum status row_job_solve(struct row_job *job, struct timing *timing, struct error *err) {
    const struct solve_request *const r = &job->request;
    struct solve_request some = *r;
    if (job->resume == NULL)
        return solve_rows(job->variant, r, job->sink, timing, err);
    some.sources = job->resume->rest.sources;
    if (some.sources.count > 0)
        return solve_rows(job->variant, &some, job->sink, timing, err);
    memset(timing, 0, (size_t)r->repetitions * sizeof *timing);
    return job->sink->begin(job->sink, r->graph->n, r->graph->type, &job->resume->rest.all,
                            r->predecessors, threads_or_default(r->options->threads), err);
}

void row_job_close(struct row_job *job) {
    proving_sink_close(&job->proof);
}
