// SPDX-License-Identifier: MIT
#include "accessibility/accessibility.h"

#include "accessibility/by_classes.h" // decays_by_classes
#include "accessibility/exact.h"      // struct exact
#include "accessibility/searches.h"   // access_search_all
#include "common/base/exp_kernels.h"  // DECAY_LEAST
#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_or_default
#include "elimination/order.h"        // order_is_available

#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 16 }; /* most numbers of one kind for each source */

static const char what[] = "accessibility";

static const char *const way_names[] = {[ACCESSIBILITY_BY_ANY] = "auto",
                                        [ACCESSIBILITY_BY_SEARCHES] = "searches",
                                        [ACCESSIBILITY_BY_CLASSES] = "classes"};

bool accessibility_way_find(const char *name, enum accessibility_way *way) {
    for (size_t k = 0; k < sizeof way_names / sizeof *way_names; k++) {
        *way = (enum accessibility_way)k;
        if (strcmp(name, way_names[k]) == 0)
            return true;
    }
    return false;
}

const char *accessibility_way_name(enum accessibility_way way) {
    return way_names[way];
}

const char *accessibility_engine_name(enum accessibility_way way, bool on_gpu) {
    return on_gpu ? "classes on a GPU" : way_names[way];
}

// Checks ------------------------------------------------------------------------------------------

/* Checks the masses first .. end - 1 of all vertices, and adds each over all vertices to `sum`. */
static enum status add_masses(const struct accessibility_request *r, int32_t first, int32_t end,
                              double *sum, struct error *err) {
    const struct graph *const g = r->graph;
    for (int32_t v = 0; v < g->n; v++) {
        const double *const mass = r->mass + (size_t)v * (size_t)r->masses;
        for (int32_t m = first; m < end; m++) {
            if (!(mass[m] >= 0) || isinf(mass[m]))
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected masses of finite numbers of 0 or more, found %g in mass "
                            "%d of vertex %s%s",
                            what, mass[m], m, graph_name(g, v).text, graph_numbering(g));
            sum[m - first] += mass[m];
        }
    }
    return STATUS_OK;
}

static enum status check_masses(const struct accessibility_request *r, struct error *err) {
    enum { SOME = 32 }; /* number of masses added up at a time */
    for (int32_t first = 0; first < r->masses; first += SOME) {
        const int32_t end = r->masses - first < SOME ? r->masses : first + SOME;
        double sum[SOME] = {0};
        RETURN_ON_FAILURE(add_masses(r, first, end, sum, err));
        for (int32_t m = first; m < end; m++) {
            if (isinf(sum[m - first]))
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected masses with a finite sum, found mass %d, whose sum is "
                            "beyond float64",
                            what, m);
        }
    }
    return STATUS_OK;
}

static enum status check(const struct accessibility_request *r, struct error *err) {
    if (r->decays + r->limits == 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected decays, limits or both, found neither",
                    what);
    if ((int64_t)r->masses * r->decays > MOST_NUMBERS ||
        (int64_t)r->masses * r->limits > MOST_NUMBERS)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected at most %d numbers for a source, found %d masses with %d decays "
                    "and %d limits",
                    what, MOST_NUMBERS, r->masses, r->decays, r->limits);
    for (int32_t j = 0; j < r->decays; j++) {
        if (!(r->decay[j] >= DECAY_LEAST && r->decay[j] <= DECAY_MOST))
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected decays above 0, from %g to %g, found %g", what, DECAY_LEAST,
                        DECAY_MOST, r->decay[j]);
    }
    for (int32_t j = 0; j < r->limits; j++) {
        if (!(r->limit[j] >= 0))
            return fail(err, STATUS_BAD_INPUT, "%s: expected limits of 0 or more, found %g", what,
                        r->limit[j]);
    }
    return check_masses(r, err);
}

// The ways ----------------------------------------------------------------------------------------

/* Returns whether classes are worth a prediction. */
static bool may_pay(const struct accessibility_request *r) {
    /* Fewest vertices; fewest sources as a part of the vertices, 1 / PART. */
    enum { FEW = 1000, PART = 8 };
    return r->graph->n >= FEW && r->sources.count >= r->graph->n / PART;
}

/* Finds the decayed sums by classes, or only predicts their time. *done: false if the request names
 * another way, or if searches are predicted to be faster. */
static enum status try_classes(const struct accessibility_request *r, const struct exact *x,
                               bool only_predicts, double *decayed, struct accessibility_plan *plan,
                               bool *done, struct error *err) {
    const bool is_asked_for = r->way == ACCESSIBILITY_BY_CLASSES;
    const int threads = threads_or_default(r->threads);
    struct class_decays c = {.request = r,
                             .graph = x->narrow,
                             .unit = x->unit,
                             .other_s = is_asked_for && !only_predicts
                                            ? (double)INFINITY
                                            : access_searches_s(x->wide, r->sources.count, threads),
                             .threads = threads,
                             .engine = r->engine,
                             .device = r->device,
                             .only_predicts = only_predicts,
                             .seconds = (double)INFINITY};
    enum status status = STATUS_OK;
    *done = false;
    if (r->decays > 0 && r->way != ACCESSIBILITY_BY_SEARCHES && order_is_available() &&
        x->narrow != NULL && (is_asked_for || may_pay(r))) {
        RETURN_ON_FAILURE(isa_choose(&c.isa, err));
        status = x->narrow->type == NUMBER_INT32 ? decays_by_classes(&c, decayed, done, err)
                                                 : decays_by_classes_f64(&c, decayed, done, err);
    }
    plan->classes_s = c.seconds;
    plan->on_gpu = c.on_gpu;
    if (status == STATUS_NO_RESOURCE && !is_asked_for) { /* searches may have enough memory */
        *done = false;
        return STATUS_OK;
    }
    return status;
}

static enum status alloc(double **values, const struct accessibility_request *r, int32_t of_each,
                         struct error *err) {
    const size_t each = (size_t)of_each * (size_t)r->masses * sizeof **values;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)r->sources.count, each, what, err));
    *values = memory;
    memory_prefer_huge_pages(memory, (size_t)r->sources.count * each);
#pragma omp parallel for num_threads(threads_worth(r->threads, (double)r->sources.count *of_each))
    for (int32_t row = 0; row < r->sources.count; row++)
        memset((char *)memory + (size_t)row * each, 0, each);
    return STATUS_OK;
}

enum status accessibility_find(const struct accessibility_request *r, struct accessibility *found,
                               struct error *err) {
    struct access_searches searches = {.request = r, .threads = threads_or_default(r->threads)};
    struct exact x;
    struct accessibility_plan plan;
    bool done;
    enum status status;
    *found = (struct accessibility){.way = ACCESSIBILITY_BY_SEARCHES};
    TRY(exact_open(what, r->graph, &x, err));
    TRY(check(r, err));
    TRY(isa_choose(&searches.isa, err));
    if (r->decays > 0)
        TRY(alloc(&found->decayed, r, r->decays, err));
    if (r->limits > 0)
        TRY(alloc(&found->within, r, r->limits, err));
    TRY(try_classes(r, &x, false, found->decayed, &plan, &done, err));
    if (done)
        found->way = ACCESSIBILITY_BY_CLASSES;
    found->on_gpu = done && plan.on_gpu;
    searches.graph = x.wide;
    searches.decayed = done ? NULL : found->decayed;
    searches.within = found->within;
    if (searches.decayed != NULL || searches.within != NULL)
        TRY(access_search_all(&searches, err));

cleanup:
    if (status != STATUS_OK)
        accessibility_free(found);
    exact_close(&x);
    return status;
}

enum status accessibility_predict(const struct accessibility_request *r,
                                  struct accessibility_plan *plan, struct error *err) {
    const double all_s =
        access_searches_s(r->graph, r->sources.count, threads_or_default(r->threads));
    struct exact x;
    bool done;
    enum status status;
    *plan = (struct accessibility_plan){.searches_s = r->decays > 0 ? all_s : 0,
                                        .limits_s = r->limits > 0 ? all_s : 0};
    TRY(exact_open(what, r->graph, &x, err));
    TRY(check(r, err));
    TRY(try_classes(r, &x, true, NULL, plan, &done, err));

cleanup:
    exact_close(&x);
    return status;
}

void accessibility_free(struct accessibility *a) {
    memory_free(a->decayed);
    memory_free(a->within);
    *a = (struct accessibility){.decayed = NULL};
}
