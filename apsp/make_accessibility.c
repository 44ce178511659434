// SPDX-License-Identifier: MIT
#include "apsp/make_accessibility.h"

#include "accessibility/accessibility.h" // accessibility_find
#include "accessibility/mass_table.h"    // mass_table_read
#include "accessibility/nearest.h"       // nearest_find
#include "apsp/answer_grid.h"            // answer_grid_open
#include "apsp/table_file.h"             // table_file_write
#include "cli/json_answer.h"             // the object of --json
#include "cli/solver_report.h"           // struct solver_arguments, solver_report_stream
#include "common/base/clock.h"           // clock_seconds
#include "common/base/exp_kernels.h"     // DECAY_LEAST
#include "common/base/memory.h"          // memory_alloc
#include "common/base/number_text.h"     // number_put
#include "common/base/output.h"          // output_write
#include "common/base/text_source.h"     // text_take_real
#include "common/base/threads.h"         // threads_or_default
#include "common/graph/limit.h"          // NO_LIMIT
#include "common/rows/vertex_list.h"     // vertex_list_rows
#include "engines/auto.h"                // apsp_solver

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_TABLE "accessibility.csv"

// Options -----------------------------------------------------------------------------------------

static void take_length(struct argp_state *state, const char *option, struct text_line field,
                        bool is_decay, struct length_list *lengths) {
    struct text_line rest = field;
    const int32_t at = lengths->count++;
    double *const value = &lengths->value[at];
    const int size = (int)(field.end - field.begin);
    const bool is_number =
        text_take_real(&rest, NUMBER_FLOAT64, value) == TEXT_REAL && rest.begin == rest.end;
    const bool is_right = is_decay ? *value >= DECAY_LEAST && *value <= DECAY_MOST : *value >= 0;
    if (!is_number || !is_right)
        cli_usage(state, "%s: expected numbers %s with commas between them, found '%.*s'", option,
                  is_decay ? "above 0 (1e-300 .. 1e300)" : "of 0 or more", size, field.begin);
    for (int32_t k = 0; k < at; k++) {
        if (lengths->value[k] == *value)
            cli_usage(state, "%s: expected different numbers, found %.*s twice", option, size,
                      field.begin);
    }
    lengths->text[at].begin = field.begin;
    lengths->text[at].size = size;
}

void lengths_take(struct argp_state *state, const char *option, const char *value, bool is_decay,
                  struct length_list *lengths) {
    *lengths = (struct length_list){.count = 0};
    for (const char *at = value; at != NULL;) {
        const char *const comma = strchr(at, ','), *end = comma != NULL ? comma : strchr(at, '\0');
        struct text_line field = {at, end};
        text_skip_blanks(&field);
        while (field.end > field.begin && text_is_blank(field.end[-1]))
            field.end--;
        if (lengths->count == LENGTHS_MOST)
            cli_usage(state, "%s: expected up to %d numbers", option, LENGTHS_MOST);
        take_length(state, option, field, is_decay, lengths);
        at = comma != NULL ? comma + 1 : NULL;
    }
}

void nearest_take(struct argp_state *state, const char *value, struct make_accessibility *how) {
    char number[16];
    const char *const colon = strchr(value, ':');
    const size_t length = colon != NULL ? (size_t)(colon - value) : strlen(value);
    snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, value);
    how->nearest = (int32_t)cli_integer(state, "--nearest", number, 1, INT32_MAX);
    how->facilities = colon != NULL ? colon + 1 : NULL;
}

// The job -----------------------------------------------------------------------------------------

struct accessibility_job {
    const struct make_accessibility *how;
    const struct solver_request *request;
    const struct graph *graph; /* the request's graph; with float64 weights: gridded.graph */
    struct gridded gridded;
    struct mass_table table;
    int32_t *facility; /* vertices of the facilities, `facilities` entries */
    int32_t facilities;
    int32_t nearest_columns; /* number of nearest facilities in each row, at most `facilities` */
    struct accessibility sums;
    struct nearest nearest;
    const char *path;
    double find_s, write_s;
};

static struct row_sources rows_of(const struct accessibility_job *j) {
    return vertex_list_rows(j->request->sources, j->graph);
}

/* Rounds real weights to a grid, on which distances are exact, and says so. */
static enum status round_weights(struct accessibility_job *j, struct error *err) {
    static const struct grid_purpose purpose = {.needs_grid = true};
    RETURN_ON_FAILURE(answer_grid_open(&j->gridded, j->request, j->graph, true, &purpose, err));
    j->graph = &j->gridded.graph;
    return STATUS_OK;
}

/* Lists the facilities: all vertices of the table, or those at which the column of --nearest is
 * above 0. */
static enum status find_facilities(struct accessibility_job *j, struct error *err) {
    const struct mass_table *const t = &j->table;
    const char *const name = j->how->facilities;
    const int32_t column = name != NULL ? mass_table_find(t, name, strlen(name)) : -1;
    void *memory;
    if (j->how->nearest == 0)
        return STATUS_OK;
    if (name != NULL && column < 0)
        return fail(err, STATUS_BAD_INPUT, "--nearest: expected a column of %s, found '%.60s'",
                    j->how->table, name);
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)t->rows, sizeof *j->facility, "the facilities", err));
    j->facility = memory;
    for (int32_t row = 0; row < t->rows; row++) {
        const int32_t v = t->vertex[row];
        if (column < 0 || t->mass[(size_t)v * (size_t)t->masses + (size_t)column] > 0)
            j->facility[j->facilities++] = v;
    }
    return j->facilities > 0 ? STATUS_OK
                             : fail(err, STATUS_BAD_INPUT,
                                    "--nearest: expected a facility, with more than 0 in column "
                                    "'%.60s' of %s, found none",
                                    name, j->how->table);
}

static struct accessibility_request request_of(const struct accessibility_job *j,
                                               struct progress *progress) {
    return (struct accessibility_request){.graph = j->graph,
                                          .sources = rows_of(j),
                                          .mass = j->table.mass,
                                          .masses = j->table.masses,
                                          .decay = j->how->decays.value,
                                          .decays = j->how->decays.count,
                                          .limit = j->how->limits.value,
                                          .limits = j->how->limits.count,
                                          .threads = j->request->options->threads,
                                          .engine = apsp_solver.decays,
                                          .device = j->request->options->device,
                                          .progress = progress};
}

static bool wants_sums(const struct accessibility_job *j) {
    return j->how->decays.count + j->how->limits.count > 0;
}

static enum status check_table(const struct accessibility_job *j, struct error *err) {
    return wants_sums(j) && j->table.masses == 0
               ? fail(err, STATUS_BAD_INPUT,
                      "%s: expected a column with masses for --decays and --limits, found that of "
                      "the vertices alone",
                      j->how->table)
               : STATUS_OK;
}

static enum status find(struct accessibility_job *j, struct error *err) {
    const double start = clock_seconds();
    struct progress bar = {.label = NULL};
    struct progress *const progress = j->request->verbosity->quiet ? NULL : &bar;
    enum status status = STATUS_OK;
    progress_start(&bar, "accessibility");
    if (wants_sums(j)) {
        const struct accessibility_request request = request_of(j, progress);
        status = accessibility_find(&request, &j->sums, err);
    }
    if (status == STATUS_OK && j->how->nearest > 0) {
        const struct nearest_request request = {.graph = j->graph,
                                                .facility = j->facility,
                                                .facilities = j->facilities,
                                                .k = j->nearest_columns,
                                                .progress = progress};
        status = nearest_find(&request, &j->nearest, err);
    }
    progress_finish(&bar);
    j->find_s = clock_seconds() - start;
    return status;
}

// The table ---------------------------------------------------------------------------------------

/* Writes a field, in quotes if it needs them. */
static char *put_name(char *to, const char *text, size_t length, bool is_quoted) {
    for (size_t k = 0; k < length; k++) {
        if (text[k] == '"' && is_quoted)
            *to++ = '"';
        *to++ = text[k];
    }
    return to;
}

/* Writes the names of the columns of mass m, for one kind of sums. */
static char *put_names(char *to, const struct mass_table *t, int32_t m, const char *kind,
                       const struct length_list *lengths) {
    const char *const name = t->name[m];
    const bool is_quoted = strpbrk(name, ",;\"\t\n ") != NULL;
    for (int32_t k = 0; k < lengths->count; k++) {
        *to++ = ',';
        if (is_quoted)
            *to++ = '"';
        to = put_name(to, name, strlen(name), is_quoted);
        to = stpcpy(to, kind);
        to = put_name(to, lengths->text[k].begin, (size_t)lengths->text[k].size, false);
        if (is_quoted)
            *to++ = '"';
    }
    return to;
}

static size_t head_size(const struct accessibility_job *j) {
    enum { OF_NAME = 16, OF_NEAREST = 64 };
    size_t size = 64;
    const struct length_list *const lists[] = {&j->how->decays, &j->how->limits};
    for (int32_t m = 0; m < j->table.masses; m++) {
        for (int kind = 0; kind < 2; kind++) {
            for (int32_t k = 0; k < lists[kind]->count; k++)
                size += 2 * strlen(j->table.name[m]) + OF_NAME + (size_t)lists[kind]->text[k].size;
        }
    }
    return size + OF_NEAREST * (size_t)j->nearest_columns;
}

/* Makes the line of names. The caller frees it with memory_free. */
static enum status make_head(const struct accessibility_job *j, char **head, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, head_size(j), 1, "a line of text", err));
    char *to = stpcpy(*head = memory, "vertex,id");
    for (int32_t m = 0; m < j->table.masses; m++) {
        to = put_names(to, &j->table, m, "_exp_", &j->how->decays);
        to = put_names(to, &j->table, m, "_within_", &j->how->limits);
    }
    for (int32_t k = 1; k <= j->nearest_columns; k++)
        to += sprintf(to, ",nearest_%" PRId32 ",distance_%" PRId32, k, k);
    stpcpy(to, "\n");
    return STATUS_OK;
}

/* The most bytes that a row of the table takes. */
static size_t row_size(const struct accessibility_job *j) {
    const size_t name = naming_longest_field(&j->graph->naming) + 1;
    const size_t numbers =
        (size_t)j->table.masses * (size_t)(j->how->decays.count + j->how->limits.count) +
        (size_t)j->nearest_columns;
    return 16 + name + (NUMBER_TEXT_MAX + 1) * numbers + name * (size_t)j->nearest_columns;
}

/* Writes the sums of mass m in a row, for one kind of sums. */
static char *put_sums(char *to, const struct accessibility_job *j, const double *sums, int32_t row,
                      int32_t m, int32_t lengths) {
    for (int32_t k = 0; k < lengths; k++) {
        const size_t at = ((size_t)row * (size_t)lengths + (size_t)k) * (size_t)j->table.masses;
        *to++ = ',';
        to = number_put(to, sums[at + (size_t)m], NUMBER_FLOAT64);
    }
    return to;
}

static char *put_row(char *to, const void *self, int64_t place) {
    const struct accessibility_job *const j = self;
    const int32_t row = (int32_t)place;
    const struct row_sources sources = rows_of(j);
    const int32_t v = row_source(&sources, row);
    to += sprintf(to, "%" PRId32 ",", v);
    to += naming_put_field(&j->graph->naming, v, to);
    for (int32_t m = 0; m < j->table.masses; m++) {
        to = put_sums(to, j, j->sums.decayed, row, m, j->how->decays.count);
        to = put_sums(to, j, j->sums.within, row, m, j->how->limits.count);
    }
    for (int32_t k = 0; k < j->nearest_columns; k++) {
        const size_t at = (size_t)v * (size_t)j->nearest_columns + (size_t)k;
        const int32_t facility = j->nearest.facility[at];
        *to++ = ',';
        if (facility >= 0)
            to += naming_put_field(&j->graph->naming, j->facility[facility], to);
        *to++ = ',';
        if (facility >= 0)
            to = number_put(to, j->nearest.distance[at], NUMBER_FLOAT64);
    }
    *to++ = '\n';
    return to;
}

static enum status write_table(struct accessibility_job *j, struct error *err) {
    char *head = NULL;
    RETURN_ON_FAILURE(make_head(j, &head, err));
    const struct table_file table = {.path = j->path,
                                     .head = head,
                                     .rows = rows_of(j).count,
                                     .row_size = row_size(j),
                                     .put = put_row,
                                     .self = j,
                                     .threads = j->request->options->threads};
    const enum status status = table_file_write(&table, &j->write_s, err);
    memory_free(head);
    return status;
}

// Reports -----------------------------------------------------------------------------------------

static void answer_counts(struct json_writer *w, const struct accessibility_job *j) {
    json_write_any_text(w, "graph", j->request->graph);
    json_write_integer(w, "vertices", j->graph->n);
    json_write_integer(w, "sources", rows_of(j).count);
    json_write_integer(w, "masses", j->table.masses);
    json_write_integer(w, "decays", j->how->decays.count);
    json_write_integer(w, "limits", j->how->limits.count);
    json_write_integer(w, "nearest", j->nearest_columns);
    json_write_integer(w, "facilities", j->facilities);
}

static const char *way_of(const struct accessibility_job *j) {
    return j->how->decays.count > 0 ? accessibility_engine_name(j->sums.way, j->sums.on_gpu) : NULL;
}

static void say(const struct accessibility_job *j) {
    FILE *const to = solver_report_stream(j->request->arguments);
    char name[PATH_MAX];
    if (j->request->verbosity->json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        answer_counts(w, j);
        json_write_any_text(w, "accessibility", j->path);
        json_answer_text_if(w, "way", way_of(j));
        json_write_number(w, "grid", NUMBER_FLOAT64, j->gridded.rounding.spacing);
        json_write_number(w, "grid_error", NUMBER_FLOAT64, j->gridded.rounding.distance_by);
        json_answer_real(w, "find_s", j->find_s);
        json_answer_real(w, "write_s", j->write_s);
        cli_answer_end(w);
        return;
    }
    if (to == NULL)
        return;
    fprintf(to, "accessibility  %s: %d sources\n", printable_copy(j->path, name, sizeof name),
            rows_of(j).count);
    if (wants_sums(j))
        fprintf(to, "sums           %d masses, %d decays%s%s, %d limits\n", j->table.masses,
                j->how->decays.count, way_of(j) != NULL ? " by " : "",
                way_of(j) != NULL ? way_of(j) : "", j->how->limits.count);
    if (j->how->nearest > 0)
        fprintf(to, "nearest        %d of %d facilities\n", j->nearest_columns, j->facilities);
    fprintf(to, "find_s         %.6g\nwrite_s        %.6g\n", j->find_s, j->write_s);
}

/* Returns the name of the way that decayed sums would be found in; NULL: there are none. */
static const char *planned_way(const struct accessibility_job *j,
                               const struct accessibility_plan *times) {
    if (j->how->decays.count == 0)
        return NULL;
    return times->classes_s > times->searches_s
               ? accessibility_engine_name(ACCESSIBILITY_BY_SEARCHES, false)
               : accessibility_engine_name(ACCESSIBILITY_BY_CLASSES, times->on_gpu);
}

/* Says how decayed sums would be found, and how long that would take. */
static enum status plan(const struct accessibility_job *j, struct error *err) {
    const struct accessibility_request request = request_of(j, NULL);
    struct accessibility_plan times = {.searches_s = 0};
    if (wants_sums(j))
        RETURN_ON_FAILURE(accessibility_predict(&request, &times, err));
    const bool has_decays = j->how->decays.count > 0, has_limits = j->how->limits.count > 0;
    const bool has_classes = has_decays && !isinf(times.classes_s);
    if (j->request->verbosity->json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        answer_counts(w, j);
        json_answer_text_if(w, "way", planned_way(j, &times));
        json_answer_real_if(w, "classes_s", has_classes, times.classes_s);
        json_answer_real_if(w, "searches_s", has_decays, times.searches_s);
        json_answer_real_if(w, "limits_s", has_limits, times.limits_s);
        cli_answer_end(w);
        return STATUS_OK;
    }
    printf("accessibility of %d sources: %d masses, %d decays, %d limits\n", rows_of(j).count,
           j->table.masses, j->how->decays.count, j->how->limits.count);
    if (has_classes)
        printf("decays by classes    %.3g s%s\n", times.classes_s, times.on_gpu ? " on a GPU" : "");
    if (has_decays)
        printf("decays by searches   %.3g s%s\n", times.searches_s,
               has_classes ? "" : " (classes of rows cannot pay)");
    if (has_limits)
        printf("limits by searches   %.3g s at most%s\n", times.limits_s,
               has_decays ? ", and nothing beside decays by searches" : "");
    if (j->how->nearest > 0)
        printf("nearest              one search for %d of %d facilities\n", j->nearest_columns,
               j->facilities);
    return STATUS_OK;
}

enum status make_accessibility(const struct make_accessibility *how,
                               const struct solver_request *request, const struct graph *g,
                               bool only_plans, struct error *err) {
    const struct solver_arguments *const a = request->arguments;
    const bool named = a->output != a->solver->default_output;
    struct accessibility_job j = {
        .how = how, .request = request, .graph = g, .path = named ? a->output : DEFAULT_TABLE};
    enum status status;
    TRY(output_refuse_input("--output", j.path, "table of masses", how->table, err));
    TRY(round_weights(&j, err));
    TRY(mass_table_read(how->table, g, &j.table, err));
    TRY(check_table(&j, err));
    TRY(find_facilities(&j, err));
    j.nearest_columns = how->nearest < j.facilities ? how->nearest : j.facilities;
    if (only_plans) {
        status = plan(&j, err);
        goto cleanup;
    }
    TRY(find(&j, err));
    TRY(write_table(&j, err));
    say(&j);
cleanup:
    accessibility_free(&j.sums);
    nearest_free(&j.nearest);
    mass_table_free(&j.table);
    memory_free(j.facility);
    gridded_close(&j.gridded);
    return status;
}
