// SPDX-License-Identifier: MIT
/* query: answers from a distance index, without the graph. */
#include "cli/cli.h"                  // command line, errors, versions
#include "cli/json_answer.h"          // the object of --json
#include "cli/option_rows.h"          // struct option_row
#include "cli/start_threads.h"        // start_threads
#include "common/base/block_sizes.h"  // block_sizes
#include "common/base/digits.h"       // digits_put
#include "common/base/memory.h"       // memory_alloc
#include "common/base/number_text.h"  // number_put
#include "common/base/output.h"       // output_open
#include "common/base/text_source.h"  // text_source_open
#include "common/rows/result_parts.h" // npy_head
#include "common/rows/vertex_list.h"  // vertex_list_parse
#include "index/index_query.h"
#include "measures/json.h"  // measures_answer
#include "measures/print.h" // measures_print
#include "measures/write.h" // measures_write

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The command line, which names vertices as the graph's file does. */
struct query_arguments {
    const char *index;
    const char *from, *to; /* vertices S and T as given; NULL: not given */
    bool path;
    const char *pairs;             /* file of pairs; NULL: not asked for */
    const char *sources, *targets; /* rows and columns of a table; NULL: not asked for */
    const char *row;               /* source of a row; NULL: not asked for */
    bool measures;
    const char *measures_prefix; /* prefix of the files of measures; NULL: only print measures */
    const char *output;
    int threads;
    struct cli_verbosity verbosity;
};

/* argp gives an option one value; the second value is the next word. */
static void take_table(struct argp_state *state, char *value, void *to) {
    struct query_arguments *const a = to;
    if (state->next >= state->argc)
        cli_usage(state, "--table: expected two lists of vertices, found '%s' alone", value);
    a->sources = value;
    a->targets = state->argv[state->next++];
}

static void take_measures(struct argp_state *state, char *value, void *to) {
    struct query_arguments *const a = to;
    (void)state;
    a->measures = true;
    a->measures_prefix = value;
}

static const struct option_row option_rows[] = {
    {.name = "path",
     .letter = 'p',
     .help = "Print a shortest path from S to T, edge by edge",
     .kind = OPTION_FLAG,
     .at = offsetof(struct query_arguments, path)},
    {.name = "pairs",
     .value = "FILE",
     .help = "Print a distance for each line of FILE, which has two vertices; - is standard input",
     .kind = OPTION_TEXT,
     .at = offsetof(struct query_arguments, pairs)},
    {.name = "table",
     .value = "SOURCES TARGETS",
     .help = "Print the distances from some vertices to others: lists of vertices and ranges "
             "(0,17,100-199), @FILE with such lists, or random:K:SEED",
     .take = take_table},
    {.name = "row",
     .value = "S",
     .help = "Print the distances from S to all vertices, a line each",
     .kind = OPTION_TEXT,
     .at = offsetof(struct query_arguments, row)},
    {.name = "measures",
     .value = "PREFIX",
     .may_be_bare = true,
     .help = "Compute eccentricities, closeness, diameter and more from all rows; print those of "
             "the graph, and write all to PREFIX.csv and PREFIX.json",
     .take = take_measures},
    {.help = ""},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help =
         "Write what --pairs, --table or --row print to FILE; NumPy's format if it ends in .npy",
     .kind = OPTION_TEXT,
     .at = offsetof(struct query_arguments, output)},
    OPTION_NO_SYNC,
    OPTION_THREADS(struct query_arguments, threads),
    {.name = NULL},
};

/* Refuses options that do not go together. */
static void check_arguments(struct argp_state *state, const struct query_arguments *a) {
    const bool pair = a->from != NULL;
    const int asked =
        pair + (a->pairs != NULL) + (a->sources != NULL) + (a->row != NULL) + a->measures;
    if (a->index == NULL)
        cli_usage(state, "expected a distance index (.apspx)");
    if (pair && a->to == NULL)
        cli_usage(state, "expected two vertices, found one");
    if (asked != 1)
        cli_usage(state, "expected one of S T, --pairs, --table, --row and --measures, found %s",
                  asked == 0 ? "none" : "several");
    if (a->path && !pair)
        cli_usage(state, "--path: expected two vertices S T");
    if (a->output != NULL && (pair || a->measures))
        cli_usage(state, "--output: expected --pairs, --table or --row");
    if (a->verbosity.json && !pair && !a->measures)
        cli_usage(state, "--json: expected two vertices S T or --measures");
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct query_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, NULL);
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            a->index = value;
        else if (state->arg_num == 1)
            a->from = value;
        else if (state->arg_num == 2)
            a->to = value;
        else
            cli_usage(state, "expected an index and two vertices, found '%s' as well", value);
        break;
    case ARGP_KEY_END:
        check_arguments(state, a);
        break;
    default:
        return option_rows_take(option_rows, key, value, state, a);
    }
    return 0;
}

/* An open index, the head of its graph for functions that number vertices, and a table of
 * digits. */
struct query_run {
    const struct query_arguments *a;
    struct distance_index x;
    struct graph head;
    struct digits digits;
};

/* Finds the vertex with a name as in the graph's file. */
static enum status find_vertex(const struct query_run *run, const char *option, const char *name,
                               int32_t *vertex, struct error *err) {
    return naming_take(&run->head.naming, run->head.n, option, name, strlen(name), vertex, err);
}

/* Output through a buffer. */
struct query_writing {
    struct output out;
    const struct digits *digits;
    enum number_type type; /* type of the distances */
    bool npy;
    enum npy_type entries; /* type of the entries in a file of NumPy */
    char *buffer;
    size_t used;
};
enum { LONGEST = 2 * DIGITS_LONGEST + 2 + NUMBER_TEXT_MAX };

static bool ends_in_npy(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

static enum status writing_open(struct query_writing *w, const struct query_run *run,
                                struct error *err) {
    const char *const path = run->a->output != NULL ? run->a->output : "-";
    void *buffer;
    *w = (struct query_writing){
        .out = {.fd = -1},
        .digits = &run->digits,
        .type = index_type(&run->x),
        .entries = run->x.header.type == INDEX_INT64 ? NPY_INT64 : npy_type_of(index_type(&run->x)),
        .npy = ends_in_npy(path)};
    RETURN_ON_FAILURE(memory_alloc(&buffer, block_sizes.query_bytes, 1, "what is written", err));
    w->buffer = buffer;
    return output_open(&w->out, path, err);
}

static enum status flush(struct query_writing *w, struct error *err) {
    const size_t used = w->used;
    w->used = 0;
    return used > 0 ? output_write(&w->out, w->buffer, used, err) : STATUS_OK;
}

static enum status writing_end(struct query_writing *w, struct error *err) {
    RETURN_ON_FAILURE(flush(w, err));
    return output_commit(&w->out, err);
}

static void writing_discard(struct query_writing *w) {
    output_discard(&w->out);
    memory_free(w->buffer);
}

/* Writes a distance or INF, and the character `after`. */
static enum status put(struct query_writing *w, const void *distances, int64_t at, char after,
                       struct error *err) {
    const double distance = number_at(w->type, distances, at);
    if (w->used + LONGEST > block_sizes.query_bytes)
        RETURN_ON_FAILURE(flush(w, err));
    char *to = w->buffer + w->used;
    if (isinf(distance) || (w->type == NUMBER_INT32 && distance == INF)) {
        memcpy(to, "INF", 3);
        to += 3;
    } else if (w->type == NUMBER_INT32) {
        to = digits_put(w->digits, to, (int32_t)distance);
    } else {
        to = number_put(to, distance, w->type);
    }
    *to++ = after;
    w->used = (size_t)(to - w->buffer);
    return STATUS_OK;
}

/* Writes the name of a vertex as a field of a table, and the character `after`. */
static enum status put_name(struct query_writing *w, const struct query_run *run, int32_t v,
                            char after, struct error *err) {
    char field[2 * NAMES_LONGEST + 3];
    size_t length = naming_put_field(&run->head.naming, v, field);
    field[length++] = after;
    if (w->used + length > block_sizes.query_bytes)
        RETURN_ON_FAILURE(flush(w, err));
    if (length > block_sizes.query_bytes)
        return output_write(&w->out, field, length, err);
    memcpy(w->buffer + w->used, field, length);
    w->used += length;
    return STATUS_OK;
}

static enum status put_all(struct query_writing *w, void *distances, int64_t count, char between,
                           char after, struct error *err) {
    if (w->npy && w->entries == NPY_INT64) /* all distances are integers below 2^53 */
        npy_type_convert(NPY_INT64, ISA_PORTABLE, NUMBER_FLOAT64, distances, (int32_t)count,
                         distances);
    if (w->npy)
        return output_write(&w->out, distances, (size_t)count * number_size(w->type), err);
    for (int64_t k = 0; k < count; k++)
        RETURN_ON_FAILURE(put(w, distances, k, k + 1 < count ? between : after, err));
    return STATUS_OK;
}

/* Writes a distance; null if there is no path. */
static void answer_number(struct json_writer *w, const struct query_run *run, const char *name,
                          double distance) {
    if (index_reaches(&run->x, distance))
        json_answer_number(w, name, graph_written_type(&run->head), distance);
    else
        json_write_null(w, name);
}

/* Writes the ends of a pair, and their names if vertices have names. */
static void answer_ends(struct json_writer *w, const struct query_run *run, int32_t from,
                        int32_t to) {
    json_write_integer(w, "from", from);
    json_write_integer(w, "to", to);
    if (run->head.naming.names == NULL)
        return;
    json_write_any_text(w, "from_id", graph_name(&run->head, from).text);
    json_write_any_text(w, "to_id", graph_name(&run->head, to).text);
}

/* Writes a distance for people into text, and returns text. */
static const char *distance_text(const struct query_run *run, double distance,
                                 char text[NUMBER_TEXT_MAX]) {
    if (!index_reaches(&run->x, distance))
        return "INF";
    return number_text(graph_written_type(&run->head), distance, text);
}

/* Prints the distance from S to T, alone on a line. */
static enum status answer_distance(struct query_run *run, int32_t from, int32_t to,
                                   struct error *err) {
    const double distance = index_distance(&run->x, from, to);
    char text[NUMBER_TEXT_MAX];
    (void)err;
    if (run->a->verbosity.json) {
        struct json_writer *const w = cli_answer(STATUS_OK, NULL);
        answer_ends(w, run, from, to);
        answer_number(w, run, "distance", distance);
        cli_answer_end(w);
    } else {
        puts(distance_text(run, distance, text));
    }
    return STATUS_OK;
}

/* Prints the edges of a path. The weight of each is the distance of its ends. */
static void print_path(const struct query_run *run, const int32_t *path, int32_t length) {
    const struct graph *const g = &run->head;
    char text[NUMBER_TEXT_MAX], distance[NUMBER_TEXT_MAX];
    double sum = 0;
    printf("path from %s to %s, distance %s, %d edge%s:\n", graph_name(g, path[0]).text,
           graph_name(g, path[length - 1]).text,
           distance_text(run, index_distance(&run->x, path[0], path[length - 1]), text), length - 1,
           length == 2 ? "" : "s");
    for (int32_t k = 1; k < length; k++) {
        const double weight = index_distance(&run->x, path[k - 1], path[k]);
        sum += weight;
        printf("%s -> %s\tweight %s\tdistance %s\n", graph_name(g, path[k - 1]).text,
               graph_name(g, path[k]).text, distance_text(run, weight, text),
               distance_text(run, sum, distance));
    }
}

/* Writes the edges of a path as print_path() prints them. */
static void answer_edges(struct json_writer *w, const struct query_run *run, const int32_t *path,
                         int32_t length) {
    double sum = 0;
    json_write_array(w, "edges");
    for (int32_t k = 1; k < length; k++) {
        const double weight = index_distance(&run->x, path[k - 1], path[k]);
        sum += weight;
        json_write_open(w, NULL);
        json_write_integer(w, "from", path[k - 1]);
        json_write_integer(w, "to", path[k]);
        answer_number(w, run, "weight", weight);
        answer_number(w, run, "distance", sum);
        json_write_close(w);
    }
    json_write_array_end(w);
}

/* Writes the path for --json; all members are null if the length is 0, which means no path. */
static void answer_json_path(const struct query_run *run, int32_t from, int32_t to,
                             const int32_t *path, int32_t length) {
    const bool named = run->head.naming.names != NULL;
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    answer_ends(w, run, from, to);
    answer_number(w, run, "distance", index_distance(&run->x, from, to));
    if (length == 0) {
        json_write_null(w, "path");
        json_write_null(w, "edges");
        if (named)
            json_write_null(w, "path_ids");
        cli_answer_end(w);
        return;
    }
    json_write_array(w, "path");
    for (int32_t k = 0; k < length; k++)
        json_write_integer(w, NULL, path[k]);
    json_write_array_end(w);
    answer_edges(w, run, path, length);
    if (named) {
        json_write_array(w, "path_ids");
        for (int32_t k = 0; k < length; k++)
            json_write_any_text(w, NULL, graph_name(&run->head, path[k]).text);
        json_write_array_end(w);
    }
    cli_answer_end(w);
}

static enum status answer_path(struct query_run *run, int32_t from, int32_t to, struct error *err) {
    int32_t length;
    void *path;
    RETURN_ON_FAILURE(memory_alloc(&path, (size_t)run->head.n, sizeof(int32_t), "the path", err));
    enum status status = index_path(&run->x, from, to, path, &length, err);
    if (status == STATUS_OK && run->a->verbosity.json)
        answer_json_path(run, from, to, path, length);
    else if (status == STATUS_OK && length == 0)
        printf("no path from %s to %s\n", graph_name(&run->head, from).text,
               graph_name(&run->head, to).text);
    else if (status == STATUS_OK)
        print_path(run, path, length);
    memory_free(path);
    return status;
}

enum { LONGEST_LINE = 4 * NAMES_LONGEST };

/* The separator of the names on a line: a tab or a comma if there is one, so that names may have
 * blanks; names in quotes may have all characters. */
static char separator_of(struct text_line line) {
    char separator = ' ';
    bool quoted = false;
    for (const char *at = line.begin; at < line.end && separator != '\t'; at++) {
        const bool begins = at == line.begin || at[-1] == ',' || text_is_blank(at[-1]);
        quoted ^= *at == '"' && (quoted || begins);
        if (!quoted && (*at == '\t' || *at == ','))
            separator = *at;
    }
    return separator;
}

/* Takes a name and the separator after it off the front of the line; false if either is
 * malformed. */
static bool take_name(struct text_line *rest, char separator, char name[NAMES_LONGEST + 1],
                      size_t *length) {
    if (!naming_take_field(&rest->begin, rest->end, separator, name, length))
        return false;
    rest->begin += rest->begin < rest->end && *rest->begin == separator;
    return true;
}

static enum status take_pair(const struct query_run *run, const struct text_source *source,
                             struct text_line line, int32_t pair[2], struct error *err) {
    char name[2][NAMES_LONGEST + 1], where[PATH_MAX];
    size_t length[2];
    const char separator = separator_of(line);
    for (int end = 0; end < 2; end++) {
        if (!take_name(&line, separator, name[end], &length[end]))
            return text_source_fail(source, err,
                                    "expected two vertices, found a quote without a second one at "
                                    "the end of a name");
    }
    text_skip_blanks(&line);
    if (length[1] == 0)
        return text_source_fail(source, err, "expected two vertices, 'S T'");
    if (line.begin < line.end)
        return text_source_fail(source, err, "expected two vertices, found more");
    snprintf(where, sizeof where, "%s:%lld", source->name, (long long)source->line);
    for (int end = 0; end < 2; end++)
        RETURN_ON_FAILURE(naming_take(&run->head.naming, run->head.n, where, name[end], length[end],
                                      &pair[end], err));
    return STATUS_OK;
}

/* Reads up to block_sizes.query_pairs pairs. */
static enum status read_pairs(const struct query_run *run, struct text_source *source,
                              int32_t *from, int32_t *to, int64_t *count, struct error *err) {
    for (*count = 0; *count < block_sizes.query_pairs; ++*count) {
        struct text_line line;
        bool found;
        RETURN_ON_FAILURE(text_source_next_filled(source, LONGEST_LINE, &line, &found, err));
        if (!found)
            return STATUS_OK;
        int32_t pair[2] = {0, 0};
        RETURN_ON_FAILURE(take_pair(run, source, line, pair, err));
        from[*count] = pair[0];
        to[*count] = pair[1];
    }
    return STATUS_OK;
}

static enum status answer_pairs(struct query_run *run, struct error *err) {
    struct text_source source = {0};
    struct query_writing w = {.out = {.fd = -1}};
    void *memory = NULL, *distance = NULL;
    enum status status;
    TRY(text_source_open(&source, run->a->pairs, err));
    TRY(memory_alloc(&memory, (size_t)block_sizes.query_pairs, 2 * sizeof(int32_t), "the pairs",
                     err));
    TRY(memory_alloc(&distance, (size_t)block_sizes.query_pairs, number_size(index_type(&run->x)),
                     "the distances", err));
    int32_t *const from = memory, *const to = from + block_sizes.query_pairs;
    TRY(writing_open(&w, run, err));
    if (w.npy) {
        status = fail(err, STATUS_BAD_INPUT, "--pairs: expected an output of text, found %s",
                      run->a->output);
        goto cleanup;
    }
    for (int64_t count = block_sizes.query_pairs; count == block_sizes.query_pairs;) {
        TRY(read_pairs(run, &source, from, to, &count, err));
        index_distances(&run->x, from, to, count, distance, run->a->threads);
        TRY(put_all(&w, distance, count, '\n', '\n', err));
        TRY(flush(&w, err)); /* a user who types pairs line by line gets answers at once */
    }
    status = writing_end(&w, err);
cleanup:
    text_source_close(&source);
    memory_free(memory);
    memory_free(distance);
    writing_discard(&w);
    return status;
}

/* Writes a block of rows of the table. In CSV a row begins with its source. */
static enum status put_rows(struct query_writing *w, const struct query_run *run,
                            const int32_t *source, int32_t count, int32_t columns,
                            const void *distance, struct error *err) {
    for (int32_t r = 0; r < count; r++) {
        if (!w->npy)
            RETURN_ON_FAILURE(put_name(w, run, source[r], ',', err));
        RETURN_ON_FAILURE(
            put_all(w, (char *)distance + (size_t)r * (size_t)columns * number_size(w->type),
                    columns, ',', '\n', err));
    }
    return STATUS_OK;
}

static enum status put_head(struct query_writing *w, const struct query_run *run,
                            const struct row_sources *sources, const struct row_sources *targets,
                            struct error *err) {
    char head[NPY_LONGEST_HEAD];
    if (w->npy)
        return output_write(&w->out, head,
                            npy_head(w->entries, sources->count, targets->count, head), err);
    RETURN_ON_FAILURE(output_write(&w->out, "source,", 7, err));
    for (int32_t c = 0; c < targets->count; c++)
        RETURN_ON_FAILURE(
            put_name(w, run, row_source(targets, c), c + 1 < targets->count ? ',' : '\n', err));
    return STATUS_OK;
}

static enum status answer_table(struct query_run *run, struct error *err) {
    struct vertex_list sources = {0}, targets = {0};
    struct query_writing w = {.out = {.fd = -1}};
    void *memory = NULL;
    enum status status;
    TRY(vertex_list_parse("--table", run->a->sources, &run->head, &sources, err));
    TRY(vertex_list_parse("--table", run->a->targets, &run->head, &targets, err));
    const int32_t many = block_sizes.query_cells / targets.count;
    const int32_t most = many > block_sizes.query_rows ? many : block_sizes.query_rows;
    const int32_t rows = sources.count < most ? sources.count : most;
    TRY(memory_alloc(&memory, (size_t)rows * (size_t)targets.count,
                     number_size(index_type(&run->x)), "the table", err));
    TRY(writing_open(&w, run, err));
    const struct row_sources from = {sources.vertex, sources.count};
    const struct row_sources to = {targets.vertex, targets.count};
    TRY(put_head(&w, run, &from, &to, err));
    for (int32_t first = 0; first < sources.count; first += rows) {
        const int32_t rest = sources.count - first, count = rest < rows ? rest : rows;
        const int32_t *const source = sources.vertex + first;
        TRY(index_table(&run->x, source, count, targets.vertex, targets.count, memory,
                        (size_t)targets.count, run->a->threads, NULL, err));
        TRY(put_rows(&w, run, source, count, targets.count, memory, err));
    }
    status = writing_end(&w, err);
cleanup:
    vertex_list_free(&sources);
    vertex_list_free(&targets);
    memory_free(memory);
    writing_discard(&w);
    return status;
}

static enum status answer_row(struct query_run *run, struct error *err) {
    struct index_targets targets = {0};
    struct query_writing w = {.out = {.fd = -1}};
    char head[NPY_LONGEST_HEAD];
    void *row = NULL;
    int32_t source;
    enum status status;
    TRY(find_vertex(run, "--row", run->a->row, &source, err));
    TRY(memory_alloc(&row, (size_t)run->head.n, number_size(index_type(&run->x)), "the row", err));
    TRY(index_targets_find(&run->x, NULL, run->head.n, &targets, err));
    TRY(index_find_rows(&run->x, &targets, &source, 1, (void *[]){row}, err));
    TRY(writing_open(&w, run, err));
    if (w.npy)
        TRY(output_write(&w.out, head, npy_head_of_vector(w.entries, run->head.n, head), err));
    TRY(put_all(&w, row, run->head.n, '\n', '\n', err));
    status = writing_end(&w, err);
cleanup:
    index_targets_free(&targets);
    memory_free(row);
    writing_discard(&w);
    return status;
}

static void print_measures(const struct query_run *run, const struct measures *m,
                           const struct json_long_text *json) {
    if (!run->a->verbosity.json) {
        if (!run->a->verbosity.quiet || run->a->measures_prefix == NULL)
            measures_print(stdout, m);
        return;
    }
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_any_text(w, "index", run->a->index);
    json_write_json(w, "measures", json->text, json->size);
    cli_answer_end(w);
}

static enum status answer_measures(struct query_run *run, struct error *err) {
    struct graph merged = {0};
    struct measures measures = {0};
    struct json_long_text json = {0};
    struct progress progress;
    struct provenance made = {.program = "query",
                              .naming = run->head.naming,
                              .checksum = run->x.header.graph_checksum,
                              .grid = run->x.header.grid_error > 0 ? run->x.header.spacing : 0,
                              .grid_error = run->x.header.grid_error,
                              .has_checksum = true};
    enum status status;
    snprintf(made.graph, sizeof made.graph, "%s", run->a->index);
    TRY(index_graph(&run->x, &merged, err));
    merged.edges_read = -1; /* -1: the index does not record the number */
    measures_init(&measures, &merged, run->a->threads);
    measures.directed = run->x.header.directed != 0;
    progress_start(&progress, "rows");
    progress.unit = "rows";
    status = index_give_rows(&run->x, &measures.sink, run->a->threads,
                             run->a->verbosity.quiet ? NULL : &progress, err);
    progress_finish(&progress);
    if (status != STATUS_OK)
        goto cleanup;
    TRY(measures_finish(&measures, err));
    if (run->a->verbosity.json)
        TRY(measures_answer(&measures, &json, err));
    if (run->a->measures_prefix != NULL)
        TRY(measures_write(run->a->measures_prefix, &measures, &made, err));
    print_measures(run, &measures, &json);
cleanup:
    memory_free(json.text);
    measures_free(&measures);
    graph_free(&merged);
    return status;
}

/* Refuses to write to a file that is read. */
static enum status check_output(const struct query_arguments *a, const char *option,
                                const char *path, struct error *err) {
    RETURN_ON_FAILURE(output_refuse_input(option, path, "index", a->index, err));
    if (a->pairs != NULL)
        RETURN_ON_FAILURE(output_refuse_input(option, path, "list of pairs", a->pairs, err));
    RETURN_ON_FAILURE(vertex_list_refuse_output(a->sources, option, path, err));
    return vertex_list_refuse_output(a->targets, option, path, err);
}

static enum status check_outputs(const struct query_arguments *a, struct error *err) {
    static const char *const suffixes[] = {".csv", ".json"};
    enum status status =
        a->output != NULL ? check_output(a, "--output", a->output, err) : STATUS_OK;
    for (size_t s = 0; a->measures_prefix != NULL && s < 2 && status == STATUS_OK; s++) {
        char *path;
        if (asprintf(&path, "%s%s", a->measures_prefix, suffixes[s]) < 0)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s",
                        a->measures_prefix, suffixes[s]);
        status = check_output(a, "--measures", path, err);
        free(path);
    }
    return status;
}

static enum status answer(struct query_run *run, struct error *err) {
    const struct query_arguments *const a = run->a;
    int32_t from = 0, to = 0;
    RETURN_ON_FAILURE(check_outputs(a, err));
    RETURN_ON_FAILURE(index_open(&run->x, a->index, err));
    run->head = (struct graph){.n = run->x.header.vertices,
                               .m = run->x.header.edges,
                               .type = index_type(&run->x),
                               .integral = run->x.header.type == INDEX_INT64,
                               .naming = run->x.naming};
    digits_fill(&run->digits);
    if (a->from == NULL)
        RETURN_ON_FAILURE(start_threads(a->threads, a->verbosity.quiet, err));
    if (a->pairs != NULL)
        return answer_pairs(run, err);
    if (a->sources != NULL)
        return answer_table(run, err);
    if (a->row != NULL)
        return answer_row(run, err);
    if (a->from == NULL || a->to == NULL)
        return answer_measures(run, err); /* only measures can be asked for here */
    RETURN_ON_FAILURE(find_vertex(run, "S", a->from, &from, err));
    RETURN_ON_FAILURE(find_vertex(run, "T", a->to, &to, err));
    return a->path ? answer_path(run, from, to, err) : answer_distance(run, from, to, err);
}

int main(int argc, char **argv) {
    static const char doc[] =
        "Answers from a distance index: the distance from S to T, or what the options ask for.\v"
        "INDEX is a file that apsp --index has written. Vertices are numbered as in the file of "
        "its graph. Without a path, the distance is INF, in NumPy's format 1073741823. verify "
        "proves an index.\n\n"
        "Exit status: 0 done, 2 usage, malformed or damaged index, 4 out of memory or output that "
        "cannot be written.";
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp parser = {option_table,          parse_option, "INDEX [S T]", doc,
                                cli_verbosity_options, NULL,         NULL};
    struct query_arguments a = {0};
    struct query_run run = {.a = &a};
    struct error err;
    cli_start("query");
    option_rows_help(option_rows, 1, option_table);
    cli_parse(&parser, argc, argv, &a);
    const enum status status = answer(&run, &err);
    index_close(&run.x);
    return cli_end(status, &err);
}
