/* One program for every engine: `apsp GRAPH` takes the one that is predicted to be the fastest. */
#include "apsp/auto.h"
#include "apsp/calibrate.h"
#include "apsp/plan.h"
#include "common/cli.h"     // cli_integer
#include "common/engines.h" // engines
#include "common/solver_main.h"
#include "common/threads.h" // threads_or_default

#include <pthread.h>

enum { OPTION_PLAN = 0x300, OPTION_CALIBRATE, MOST_CALIBRATE_S = 3600 };

/* What the command line adds, and what goes on beside reading the graph. */
struct front {
    bool plan;
    int calibrate_s; /* 0: no */
    const struct solver_variant *expected;
    int device;
    bool warming_up; /* expected, on device, in a thread of its own */
    pthread_t warmer;
};

static const struct argp_option option_table[] = {
    {"plan", OPTION_PLAN, NULL, 0, "Say how long each engine would take, and do not solve", 3},
    {"calibrate", OPTION_CALIBRATE, "SECONDS", OPTION_ARG_OPTIONAL,
     "Measure this machine for so long (default: 20), keep the rates for later predictions, and do "
     "not solve",
     3},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    enum { CALIBRATE_S = 20 };
    struct front *front = state->input;
    switch (key) {
    case OPTION_PLAN:
        front->plan = true;
        break;
    case OPTION_CALIBRATE:
        front->calibrate_s =
            value != NULL ? (int)cli_integer(state, "--calibrate", value, 1, MOST_CALIBRATE_S)
                          : CALIBRATE_S;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static enum status begin(void *self, const struct solver_request *request, bool *done,
                         struct error *err) {
    const struct front *front = self;
    if (front->calibrate_s == 0)
        return STATUS_OK;
    *done = true;
    return calibrate_and_keep(request->options, front->calibrate_s, stdout, err);
}

static void *warm_up(void *self) {
    const struct front *front = self;
    gpu_warm_up(front->expected, front->device);
    return NULL;
}

static void wait(void *self) {
    struct front *front = self;
    if (front->warming_up)
        pthread_join(front->warmer, NULL);
    front->warming_up = false;
}

/* The variant that is going to be used, as far as the size tells; NULL where that cannot be said,
 * for a reason that will be told in time. */
static const struct solver_variant *expected_variant(const struct solver_request *request,
                                                     int32_t vertices, int64_t edges) {
    const struct plan_goal goal = {request->predecessors, request->files};
    struct rates rates;
    struct engine engine = {NULL, NULL};
    struct error err;
    if (request->variant->solve != apsp_auto.solve)
        return request->variant;
    enum status status = rates_here(&rates, &err);
    if (status == STATUS_OK)
        status = plan_expected(vertices, edges, request->options, &goal, &rates, &engine, &err);
    return status == STATUS_OK ? engine.variant : NULL;
}

/* What a GPU needs before it can solve is done while the graph is being read. */
static void announced(void *self, const struct solver_request *request, int32_t vertices,
                      int64_t edges) {
    struct front *front = self;
    struct solver_files *files = request->files;
    front->expected = expected_variant(request, vertices, edges);
    files->warming_up = front->expected != NULL && front->expected->solve == gpu_solve;
    if (!files->warming_up || front->plan)
        return;
    front->device = request->options->device;
    front->warming_up = pthread_create(&front->warmer, NULL, warm_up, front) == 0;
    files->warming_up = front->warming_up;
    files->wait = wait;
    files->self = front;
}

static enum status loaded(void *self, const struct solver_request *request, const struct graph *g,
                          bool *done, struct error *err) {
    struct front *front = self;
    const struct plan_goal goal = {request->predecessors, request->files};
    struct features features;
    struct rates rates;
    struct plan plan;
    if (request->variant->solve == gpu_solve)
        wait(front);
    if (!front->plan)
        return STATUS_OK;
    *done = true;
    enum status status = rates_here(&rates, err);
    if (status == STATUS_OK)
        status =
            features_look_at_any(g, threads_or_default(request->options->threads), &features, err);
    if (status == STATUS_OK)
        status = plan_here(&features, request->options, &goal, &rates, true, &plan, err);
    if (status == STATUS_OK)
        plan_print(&plan, stdout);
    return status;
}

/* All variants of all engines, under the names by which --variant takes them, and before them the
 * one that chooses. */
struct table {
    struct solver_variant variants[64];
    char names[64][48];
    size_t count;
};

static void fill(struct table *table) {
    table->variants[table->count++] = apsp_auto;
    for (int s = 0; s < ENGINE_SOLVERS; s++) {
        for (size_t v = 0; v < engines[s]->variant_count; v++) {
            const struct engine engine = {engines[s], &engines[s]->variants[v]};
            char *name = table->names[table->count];
            struct solver_variant *variant = &table->variants[table->count++];
            *variant = *engine.variant;
            variant->name = engine_name(&engine, name, sizeof table->names[0]);
        }
    }
}

int main(int argc, char **argv) {
    static const struct argp options = {option_table, parse_option, NULL, NULL, NULL, NULL, NULL};
    struct table table = {.count = 0};
    struct front front = {.plan = false};
    fill(&table);
    const struct solver solver = {
        .program = "apsp",
        .summary = "All-pairs shortest paths by the engine, on CPU or GPU, that is predicted to be "
                   "the fastest",
        .default_output = "output_apsp.txt",
        .default_prefix = "output_apsp",
        .variants = table.variants,
        .variant_count = table.count,
        .default_variant = apsp_auto.name,
        .uses_gpu = true,
    };
    const struct solver_extension extension = {
        .self = &front,
        .options = &options,
        .begin = begin,
        .announced = announced,
        .loaded = loaded,
        .end = wait,
    };
    return solver_main_extended(&solver, &extension, argc, argv);
}
