// SPDX-License-Identifier: MIT
#include "apsp/answer_options.h"

#include "common/graph/limit.h" // NO_LIMIT

#include <string.h>

static const char *const names[ANSWERS] = {
    [ANSWER_ROWS] = "",
    [ANSWER_INDEX] = "--index",
    [ANSWER_ACCESSIBILITY] = "--accessibility",
    [ANSWER_DEMAND] = "--demand",
    [ANSWER_GRAVITY] = "--gravity",
    [ANSWER_PAIRS] = "--pairs",
    [ANSWER_DIAMETER] = "--diameter",
    [ANSWER_CALIBRATE] = "--calibrate",
};

const char *answer_name(enum answer_kind answer) {
    return names[answer];
}

/* Advice for an option that an answer does not take, where it differs from the usual advice
 * below. */
static const struct {
    enum answer_kind answer;
    const char *option, *instead;
} own_ways[] = {
    {ANSWER_INDEX, "--along",
     "an index has no paths: --pairs FILE --along COLUMN sums along the paths of pairs"},
    {ANSWER_INDEX, "--check", "query and verify answer from an index and prove it"},
    {ANSWER_ACCESSIBILITY, "--limit", "of sums: --limits"},
    {ANSWER_DEMAND, "--sources", "the table of trips has the origins"},
    {ANSWER_PAIRS, "--sources", "the list of pairs has the origins"},
    {ANSWER_PAIRS, "--targets", "the list of pairs has the destinations"},
};

static const char *way_of(enum answer_kind answer, const char *option, const char *usual) {
    for (size_t k = 0; k < sizeof own_ways / sizeof *own_ways; k++) {
        if (own_ways[k].answer == answer && strcmp(own_ways[k].option, option) == 0)
            return own_ways[k].instead;
    }
    return usual;
}

enum status answer_check_options(enum answer_kind answer, bool only_plans,
                                 const struct solver_arguments *a, struct error *err) {
    enum {
        INDEX = 1 << ANSWER_INDEX,
        ACCESSIBILITY = 1 << ANSWER_ACCESSIBILITY,
        DEMAND = 1 << ANSWER_DEMAND,
        GRAVITY = 1 << ANSWER_GRAVITY,
        PAIRS = 1 << ANSWER_PAIRS,
        DIAMETER = 1 << ANSWER_DIAMETER,
        CALIBRATE = 1 << ANSWER_CALIBRATE
    };
    const struct {
        const char *name;
        bool given;
        unsigned takes;      /* bits of the answers that take the option, besides rows */
        const char *instead; /* usual advice for other answers */
    } options[] = {
        {"--sources", a->sources != NULL, ACCESSIBILITY | GRAVITY, "rows and --measures take it"},
        {"--targets", a->targets != NULL, 0, "rows take it"},
        {"--limit", a->limit < NO_LIMIT, PAIRS, "rows, --measures and --pairs take it"},
        {"--measures", a->measures, 0, "expected in a run of their own"},
        {"--betweenness", a->betweenness, 0, "--measures takes it"},
        {"--omit", a->measures_parts != MEASURES_ALL, 0, "--measures takes it"},
        {"--along", a->along, PAIRS, "rows and --pairs take it"},
        {"--check", a->check, DEMAND | GRAVITY | PAIRS | DIAMETER,
         "what is proved are rows, --measures, --demand, --gravity, --pairs and --diameter"},
        {"--resume", a->resume, 0, "rows take it"},
        {"--format", a->format.name != NULL, 0, "it is the format of rows"},
        {"--csv", a->csv != NULL, 0, "it has the times of rows"},
        {"--repeat", a->repetitions > 1, 0, "it is for timing rows"},
        {"--variant", a->variant_given, PAIRS, "rows, --measures and --pairs take it"},
        {"--tile", a->options.tile > 0, PAIRS, "rows, --measures and --pairs take it"},
        {"--device", a->devices_given && a->options.device_count == 0,
         ACCESSIBILITY | PAIRS | CALIBRATE,
         "rows, --measures, --pairs and --accessibility take it"},
        {"--devices", a->devices_given && a->options.device_count != 0, PAIRS | CALIBRATE,
         "rows, --measures and --pairs take it"},
        {"--output", a->output != NULL, INDEX | ACCESSIBILITY | DEMAND | GRAVITY | PAIRS | DIAMETER,
         "nothing is written there"},
        {"--semiring", a->reading.semiring != SEMIRING_MIN_PLUS, PAIRS,
         "rows, --measures and --pairs take it"},
        {"--distances-only", a->distances_only, 0, "there are no predecessors to leave out"},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options && answer != ANSWER_ROWS; k++) {
        if (options[k].given && (options[k].takes & 1U << answer) == 0)
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected no option of other answers, found %s (%s)", names[answer],
                        options[k].name, way_of(answer, options[k].name, options[k].instead));
    }
    if (only_plans && a->reading.semiring != SEMIRING_MIN_PLUS)
        return fail(err, STATUS_BAD_INPUT,
                    "--plan: expected --semiring min-plus, for which engines are predicted, found "
                    "%s, for which there is one",
                    semiring_name(a->reading.semiring));
    if (answer == ANSWER_CALIBRATE && a->graph_given)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected no graph, found '%s' (rates are of this machine alone)",
                    names[answer], a->graph);
    if ((answer == ANSWER_DIAMETER || answer == ANSWER_GRAVITY) && only_plans && a->check)
        return fail(err, STATUS_BAD_INPUT,
                    "--plan and --check: expected one of them with %s, found both (its plan is "
                    "without a proof)",
                    names[answer]);
    return STATUS_OK;
}
