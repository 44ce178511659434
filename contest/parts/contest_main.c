// SPDX-License-Identifier: MIT
#include "cli/cli.h"             // command line, errors, versions
#include "cli/csv_file.h"        // csv_append
#include "cli/json_answer.h"     // the object of --json
#include "cli/option_rows.h"     // struct option_row
#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/output.h"  // output_is_stdout
#include "common/base/threads.h" // threads_or_default
#include "contest/parts/problem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICE = 1023 };

struct contest_arguments {
    const struct contest_problem *problem;
    const struct contest_variant *variant;
    const char *input, *save, *output, *csv;
    struct random_values random; /* random input; count 0: the input is read */
    bool npy, check, list;
    int threads, device, repetitions;
    struct cli_verbosity verbosity;
};

/* The state of a run of the program. */
struct contest_run {
    struct values input, output;
    struct timing *timings, median;
    char device[256]; /* the GPU's name, or "" */
    char answer[128]; /* line that describes the answer */
};

/* Arguments ------------------------------------------------------------------- */

static const struct contest_variant *find_variant(const struct contest_problem *problem,
                                                  const char *name) {
    for (int v = 0; v < problem->variant_count; v++) {
        if (strcmp(problem->variants[v].name, name) == 0)
            return &problem->variants[v];
    }
    return NULL;
}

/* Reads a bound of random numbers from the characters up to `end`. */
static double bound(struct argp_state *state, const struct contest_arguments *a, const char *text,
                    char end) {
    const bool integers = a->problem->input == VALUE_INT32;
    char *after;
    const double value = strtod(text, &after);
    const double most = integers ? INT32_MAX : 1e38, least = integers ? INT32_MIN : -1e38;
    const bool right = after != text && *after == end && value >= least && value <= most;
    if (!right || (integers && value != (double)(int32_t)value))
        cli_usage(state, "--values: expected LO:HI with two %s in %.0f .. %.0f, found '%s'",
                  integers ? "integers" : "numbers", least, most, text);
    return value;
}

static void take_values(struct argp_state *state, char *text, void *to) {
    struct contest_arguments *const a = to;
    const char *const colon = strchr(text, ':');
    a->random.lowest = bound(state, a, text, ':');
    a->random.highest = bound(state, a, colon + 1, '\0');
    if (a->random.lowest > a->random.highest)
        cli_usage(state, "--values: expected LO <= HI, found '%s'", text);
}

static void take_variant(struct argp_state *state, char *value, void *to) {
    struct contest_arguments *const a = to;
    a->variant = find_variant(a->problem, value);
    if (a->variant == NULL)
        cli_usage(state, "--variant: expected one of those that --list-variants lists, found '%s'",
                  value);
}

static void take_random(struct argp_state *state, char *value, void *to) {
    struct contest_arguments *const a = to;
    a->random.count = cli_integer(state, "--random", value, 1, a->problem->max_count);
}

static void take_format(struct argp_state *state, char *value, void *to) {
    struct contest_arguments *const a = to;
    a->npy = strcmp(value, "npy") == 0;
    if (!a->npy && strcmp(value, "text") != 0)
        cli_usage(state, "--format: expected text or npy, found '%s'", value);
}

static const struct option_row option_rows[] = {
    {.name = "variant",
     .letter = 'v',
     .value = "NAME",
     .help = "Solve with this variant (see --list-variants)",
     .take = take_variant},
    OPTION_LIST_VARIANTS(struct contest_arguments, list),
    OPTION_THREADS(struct contest_arguments, threads),
    {.name = "device",
     .value = "N",
     .help = "Solve on GPU number N (default: 0)",
     .kind = OPTION_INTEGER,
     .at = offsetof(struct contest_arguments, device),
     .least = 0,
     .most = MAX_DEVICE},
    {.help = ""},
    {.name = "random",
     .value = "N",
     .help = "Solve for N random numbers instead of INPUT",
     .take = take_random},
    {.name = "seed",
     .letter = 's',
     .value = "S",
     .help = "Seed of random numbers, 0 .. 2^63-1 (default: 1)",
     .kind = OPTION_SEED,
     .at = offsetof(struct contest_arguments, random.seed)},
    {.name = "values",
     .value = "LO:HI",
     .help = "Draw random numbers from LO to HI",
     .take = take_values},
    {.name = "save-input",
     .value = "FILE",
     .help = "Write the input to FILE, too",
     .kind = OPTION_TEXT,
     .at = offsetof(struct contest_arguments, save)},
    {.help = ""},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write the answer to FILE; - is standard output (default: do not write it)",
     .kind = OPTION_TEXT,
     .at = offsetof(struct contest_arguments, output)},
    {.name = "format",
     .value = "text|npy",
     .help = "Write text (a count, then the numbers; the default) or NumPy's .npy",
     .take = take_format},
    {.name = "check",
     .help = "Prove the answer before writing it",
     .kind = OPTION_FLAG,
     .at = offsetof(struct contest_arguments, check)},
    OPTION_NO_SYNC,
    {.help = ""},
    OPTION_REPEAT(struct contest_arguments, repetitions),
    OPTION_CSV(struct contest_arguments, csv),
    {.name = NULL},
};

/* The number of outputs that go to stdout. */
static int count_stdout(const struct contest_arguments *a) {
    const char *const paths[] = {a->save, a->output, a->csv};
    int count = 0;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        count += paths[p] != NULL && output_is_stdout(paths[p]);
    return count;
}

static void check_arguments(struct argp_state *state, const struct contest_arguments *a) {
    if ((a->input == NULL) == (a->random.count == 0))
        cli_usage(state, "expected either a file with the input or --random N");
    if (count_stdout(a) + (a->verbosity.json ? 1 : 0) > 1)
        cli_usage(state, "expected at most one of --json, --save-input, --output and --csv on "
                         "standard output");
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct contest_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_options_into(state, &a->verbosity, NULL);
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_usage(state, "expected one input, found '%s' as well", value);
        a->input = value;
        break;
    case ARGP_KEY_END:
        if (!a->list)
            check_arguments(state, a);
        break;
    default:
        return option_rows_take(option_rows, key, value, state, a);
    }
    return 0;
}

/* Running --------------------------------------------------------------------- */

static enum status run_on_cpu(const struct contest_arguments *a, struct contest_run *run,
                              struct error *err) {
    const bool warms_up = a->repetitions > 1;
    RETURN_ON_FAILURE(
        values_alloc(&run->output, a->problem->output, run->input.count, "the answer", err));
    for (int r = warms_up ? -1 : 0; r < a->repetitions; r++) {
        const double began = clock_seconds();
        RETURN_ON_FAILURE(a->variant->compute(&run->input, &run->output, a->threads, err));
        const double seconds = clock_seconds() - began;
        run->timings[r < 0 ? 0 : r] = (struct timing){.solve_s = seconds, .total_s = seconds};
    }
    return STATUS_OK;
}

static enum status load(const struct contest_arguments *a, struct contest_run *run,
                        struct error *err) {
    const struct contest_problem *const problem = a->problem;
    if (a->random.count > 0)
        RETURN_ON_FAILURE(values_draw(&run->input, problem->input, &a->random, err));
    else
        RETURN_ON_FAILURE(
            values_read(&run->input, a->input, problem->input, problem->max_count, err));
    if (a->save != NULL)
        RETURN_ON_FAILURE(values_write(&run->input, a->save, a->npy, err));
    return STATUS_OK;
}

static enum status solve(const struct contest_arguments *a, struct contest_run *run,
                         struct error *err) {
    const struct contest_variant *const variant = a->variant;
    void *timings;
    RETURN_ON_FAILURE(
        memory_alloc(&timings, (size_t)a->repetitions, sizeof *run->timings, "the timings", err));
    run->timings = timings;
    run->output.type = a->problem->output;
    if (variant->compute != NULL)
        RETURN_ON_FAILURE(run_on_cpu(a, run, err));
    else
        RETURN_ON_FAILURE(gpu_run(variant, &run->input, &run->output, a->device, a->repetitions,
                                  run->timings, run->device, sizeof run->device, err));
    RETURN_ON_FAILURE(timing_median(run->timings, a->repetitions, &run->median, err));
    a->problem->describe(&run->output, run->answer, sizeof run->answer);
    return STATUS_OK;
}

/* Reporting ------------------------------------------------------------------- */

static const char csv_header[] = "program,variant,input,count,seed,threads,device,checked,"
                                 "repetition,solve_s,total_s,transfer_s\n";

static int threads_used(const struct contest_arguments *a) {
    return a->variant->compute != NULL ? threads_or_default(a->threads) : 0;
}

/* The run whose timings become rows of CSV. */
struct timed {
    const struct contest_arguments *arguments;
    const struct contest_run *run;
};

static void put_rows(FILE *to, const void *context) {
    const struct timed *const timed = context;
    const struct contest_arguments *const a = timed->arguments;
    const struct contest_run *const run = timed->run;
    for (int r = 0; r < a->repetitions; r++) {
        fprintf(to, "%s,%s,", a->problem->program, a->variant->name);
        csv_put_quoted(to, a->input != NULL ? a->input : "");
        fprintf(to, ",%lld,", (long long)run->input.count);
        if (a->input == NULL)
            fprintf(to, "%llu", (unsigned long long)a->random.seed);
        fprintf(to, ",%d,", threads_used(a));
        csv_put_quoted(to, run->device);
        fprintf(to, ",%d,%d,%.9g,%.9g,%.9g\n", a->check, r + 1, run->timings[r].solve_s,
                run->timings[r].total_s, run->timings[r].transfer_s);
    }
}

/* The bytes per second of the input and the output, the fewest bytes that any solution reads and
 * writes. */
static double bandwidth(const struct contest_arguments *a, const struct contest_run *run) {
    const size_t each = value_types[a->problem->input].size + value_types[a->problem->output].size;
    return (double)run->input.count * (double)each / run->median.solve_s;
}

static void report_text(FILE *to, const struct contest_arguments *a,
                        const struct contest_run *run) {
    const struct timing *const median = &run->median;
    fprintf(to, "%lld numbers, %s%s%s\n", (long long)run->input.count, a->variant->name,
            run->device[0] != '\0' ? " on " : "", run->device);
    fprintf(to, "%s%s\n", run->answer, a->check ? ", proved" : "");
    fprintf(to, "solve_s %.6f (%.1f GB/s of input and output), total_s %.6f, transfer_s %.6f\n",
            median->solve_s, 1e-9 * bandwidth(a, run), median->total_s, median->transfer_s);
}

static void report_json(const struct contest_arguments *a, const struct contest_run *run) {
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_text(w, "variant", a->variant->name);
    json_answer_text_if(w, "input", a->input);
    json_answer_integer_if(w, "seed", a->input == NULL, (int64_t)a->random.seed);
    json_write_integer(w, "count", run->input.count);
    json_write_integer(w, "threads", threads_used(a));
    json_write_any_text(w, "device", run->device);
    json_write_bool(w, "checked", a->check);
    json_write_text(w, "answer", run->answer);
    json_answer_real(w, "solve_s", run->median.solve_s);
    json_answer_real(w, "total_s", run->median.total_s);
    json_answer_real(w, "transfer_s", run->median.transfer_s);
    cli_answer_end(w);
}

static void list_variants(const struct contest_arguments *a) {
    const struct contest_problem *const problem = a->problem;
    if (!a->verbosity.json) {
        for (int v = 0; v < problem->variant_count; v++) {
            const struct contest_variant *const variant = &problem->variants[v];
            printf("%-12s %s (%s)%s\n", variant->name, variant->summary, variant->source,
                   strcmp(variant->name, problem->default_variant) == 0 ? " [default]" : "");
        }
        return;
    }
    struct json_writer *const w = cli_answer(STATUS_OK, NULL);
    json_write_array(w, "variants");
    for (int v = 0; v < problem->variant_count; v++) {
        const struct contest_variant *const variant = &problem->variants[v];
        json_write_open(w, NULL);
        json_write_text(w, "name", variant->name);
        json_write_text(w, "summary", variant->summary);
        json_write_text(w, "source", variant->source);
        json_write_bool(w, "default", strcmp(variant->name, problem->default_variant) == 0);
        json_answer_real(w, "error_bound", variant->error_bound);
        json_write_close(w);
    }
    json_write_array_end(w);
    cli_answer_end(w);
}

static enum status finish(const struct contest_arguments *a, const struct contest_run *run,
                          struct error *err) {
    const struct timed timed = {a, run};
    if (a->check)
        RETURN_ON_FAILURE(
            a->problem->check(&run->input, &run->output, a->variant->error_bound, a->threads, err));
    if (a->output != NULL)
        RETURN_ON_FAILURE(values_write(&run->output, a->output, a->npy, err));
    if (a->csv != NULL)
        RETURN_ON_FAILURE(csv_append(a->csv, csv_header, "timings", put_rows, &timed, err));
    if (a->verbosity.json)
        report_json(a, run);
    else if (!a->verbosity.quiet)
        report_text(count_stdout(a) > 0 ? stderr : stdout, a, run);
    return STATUS_OK;
}

static enum status run_program(const struct contest_arguments *a, struct error *err) {
    struct contest_run run = {0};
    struct memory_limit limit;
    enum status status;
    TRY(memory_limit_find(&limit, err)); /* fails if APSP_MEMORY_LIMIT is malformed */
    if (a->csv != NULL)
        TRY(csv_check(a->csv, csv_header, "timings", err));
    TRY(load(a, &run, err));
    TRY(solve(a, &run, err));
    TRY(finish(a, &run, err));
cleanup:
    values_free(&run.input);
    values_free(&run.output);
    memory_free(run.timings);
    return status;
}

int contest_main(const struct contest_problem *problem, int argc, char **argv) {
    struct argp_option option_table[sizeof option_rows / sizeof *option_rows];
    const struct argp parser = {option_table,          parse_option, "[INPUT]", problem->summary,
                                cli_verbosity_options, NULL,         NULL};
    struct contest_arguments a = {
        .problem = problem,
        .variant = find_variant(problem, problem->default_variant),
        .random = {.seed = 1, .lowest = problem->lowest, .highest = problem->highest},
        .repetitions = 1,
    };
    struct error err;
    option_rows_help(option_rows, 1, option_table);
    cli_start(problem->program);
    cli_parse(&parser, argc, argv, &a);
    if (a.list) {
        list_variants(&a);
        return cli_end(STATUS_OK, &err);
    }
    return cli_end(run_program(&a, &err), &err);
}
