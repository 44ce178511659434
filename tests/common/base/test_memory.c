// SPDX-License-Identifier: MIT
/* Limits to memory, the account of it, and what variants say that they take. */
#include "certificate/certificate.h" // certificate_memory
#include "common/base/memory.h"
#include "common/rows/result_io.h" // result_alloc
#include "engines/cpu_variants.h"  // cpu_solver
#include "libapsp/apsp.h"
#include "solve/solve.h" // solve, solve_memory
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void set_limit(const char *text) {
    if (text != NULL)
        setenv("APSP_MEMORY_LIMIT", text, 1);
    else
        unsetenv("APSP_MEMORY_LIMIT");
}

/* Control groups, in a folder that stands for the root. */

/* Makes the folders of the file `name` below root, and the file. */
static void put(const char *root, const char *name, const char *content) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root); (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "we");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(content, file);
    fclose(file);
}

#define MOUNT_2 "31 23 0:38 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
#define MOUNT_1                                                                                    \
    "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"                                  \
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:15 - cgroup cgroup rw,memory\n"
#define UNIFIED "36 31 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define GROUP_2 "sys/fs/cgroup"
#define GROUP_1 "sys/fs/cgroup/memory"

static void test_cgroups(void) {
    enum { FILES = 6 };
    static const struct {
        const char *what, *cgroup, *mountinfo;
        struct {
            const char *name, *content;
        } files[FILES];
        uint64_t expected;
    } cases[] = {
        {"nothing is there", NULL, NULL, {{NULL, NULL}}, UINT64_MAX},
        {"no groups are mounted",
         "0::/a\n",
         "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n",
         {{GROUP_2 "/a/memory.max", "1000\n"}},
         UINT64_MAX},
        {"version 2", "0::/a\n", MOUNT_2, {{GROUP_2 "/a/memory.max", "1000\n"}}, 1000},
        {"no limit", "0::/a\n", MOUNT_2, {{GROUP_2 "/a/memory.max", "max\n"}}, UINT64_MAX},
        {"the group around it is tighter",
         "0::/a/b/c\n",
         MOUNT_2,
         {{GROUP_2 "/a/b/c/memory.max", "3000\n"},
          {GROUP_2 "/a/b/memory.max", "2000\n"},
          {GROUP_2 "/a/memory.max", "max\n"}},
         2000},
        {"the outermost is",
         "0::/a/b\n",
         MOUNT_2,
         {{GROUP_2 "/a/b/memory.max", "max\n"}, {GROUP_2 "/memory.max", "7\n"}},
         7},
        {"one beside it does not matter",
         "0::/a/b\n",
         MOUNT_2,
         {{GROUP_2 "/a/b/memory.max", "3000\n"}, {GROUP_2 "/a/c/memory.max", "1\n"}},
         3000},
        {"memory.high",
         "0::/a\n",
         MOUNT_2,
         {{GROUP_2 "/a/memory.max", "3000\n"}, {GROUP_2 "/a/memory.high", "2500\n"}},
         2500},
        {"the group of a container as seen in it",
         "0::/\n",
         MOUNT_2,
         {{GROUP_2 "/memory.max", "4096\n"}},
         4096},
        {"and as seen from outside",
         "0::/docker/f00\n",
         "31 23 0:38 /docker/f00 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
         {{GROUP_2 "/memory.max", "4097\n"}},
         4097},
        {"a group below it",
         "0::/docker/f00/x\n",
         "31 23 0:38 /docker/f00 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
         {{GROUP_2 "/x/memory.max", "4098\n"}, {GROUP_2 "/docker/f00/x/memory.max", "1\n"}},
         4098},
        {"a name that only begins like it",
         "0::/docker/f00d\n",
         "31 23 0:38 /docker/f00 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
         {{GROUP_2 "/memory.max", "4099\n"}, {GROUP_2 "/d/memory.max", "1\n"}},
         4099},
        {"a group outside of what is seen",
         "0::/../other\n",
         MOUNT_2,
         {{GROUP_2 "/memory.max", "4100\n"}, {"sys/fs/other/memory.max", "1\n"}},
         4100},
        {"version 1",
         "5:cpu:/x\n4:memory:/a/b\n",
         MOUNT_1,
         {{GROUP_1 "/a/b/memory.limit_in_bytes", "9223372036854771712\n"},
          {GROUP_1 "/a/memory.limit_in_bytes", "5000\n"},
          {"sys/fs/cgroup/cpu/x/memory.limit_in_bytes", "1\n"}},
         5000},
        {"with other controllers",
         "4:cpu,memory,pids:/a\n",
         "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory,pids\n",
         {{GROUP_1 "/a/memory.limit_in_bytes", "5001\n"}},
         5001},
        {"a controller of a similar name",
         "4:memory2:/a\n",
         "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory2\n",
         {{GROUP_1 "/a/memory.limit_in_bytes", "5002\n"}},
         UINT64_MAX},
        {"hybrid, limited by version 1",
         "4:memory:/a\n0::/s\n",
         MOUNT_1 UNIFIED,
         {{GROUP_1 "/a/memory.limit_in_bytes", "6000\n"}},
         6000},
        {"hybrid, limited by version 2",
         "4:cpu:/a\n0::/s\n",
         MOUNT_1 UNIFIED,
         {{"sys/fs/cgroup/unified/s/memory.max", "6001\n"}},
         6001},
        {"hybrid, the lower of both",
         "4:memory:/a\n0::/s\n",
         MOUNT_1 UNIFIED,
         {{GROUP_1 "/a/memory.limit_in_bytes", "6002\n"},
          {"sys/fs/cgroup/unified/s/memory.max", "6001\n"}},
         6001},
        {"a folder with a blank",
         "0::/a\n",
         "31 23 0:38 / /sys/fs/c\\040group rw - cgroup2 cgroup2 rw\n",
         {{"sys/fs/c group/a/memory.max", "7000\n"}},
         7000},
        {"a group with a colon and a blank",
         "0::/a:b c\n",
         MOUNT_2,
         {{GROUP_2 "/a:b c/memory.max", "7001\n"}},
         7001},
        {"no line feed",
         "0::/a",
         "31 23 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
         {{GROUP_2 "/a/memory.max", "7002"}},
         7002},
        {"a limit of nothing", "0::/a\n", MOUNT_2, {{GROUP_2 "/a/memory.max", "0\n"}}, 0},
        {"no numbers",
         "0::/a/b/c/d\n",
         MOUNT_2,
         {{GROUP_2 "/a/memory.max", ""},
          {GROUP_2 "/a/b/memory.max", "12 apples\n"},
          {GROUP_2 "/a/b/c/memory.max", "-5\n"},
          {GROUP_2 "/a/b/c/d/memory.max", "99999999999999999999999\n"}},
         UINT64_MAX},
        {"lines that are none",
         "\n:\n::\n0\n0:\nx::y\n0::/a\n",
         "\n - \n- cgroup2\n1 2 - cgroup2\n1 2 3 4 - cgroup2 x y\n - cgroup\n" MOUNT_2,
         {{GROUP_2 "/a/memory.max", "8000\n"}},
         8000},
        {"groups that are none", "\n:\n0\n", MOUNT_2, {{GROUP_2 "/memory.max", "1\n"}}, UINT64_MAX},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *root = temporary_path();
        CU_ASSERT_EQUAL(mkdir(root, 0700), 0);
        if (cases[c].cgroup != NULL)
            put(root, "proc/self/cgroup", cases[c].cgroup);
        if (cases[c].mountinfo != NULL)
            put(root, "proc/self/mountinfo", cases[c].mountinfo);
        for (int f = 0; f < FILES && cases[c].files[f].name != NULL; f++)
            put(root, cases[c].files[f].name, cases[c].files[f].content);
        const uint64_t limit = memory_cgroup_limit(root);
        if (limit != cases[c].expected)
            fprintf(stderr, "%s: %llu\n", cases[c].what, (unsigned long long)limit);
        CU_ASSERT_EQUAL(limit, cases[c].expected);
    }
}

static void test_variable(void) {
    static const struct {
        const char *text;
        uint64_t bytes; /* expected limit; 0: an error; UINT64_MAX: no limit */
    } cases[] = {
        {"1", 1},
        {"4096", 4096},
        {"4K", 4096},
        {"4KiB", 4096},
        {"3M", 3 << 20},
        {"3MiB", 3 << 20},
        {"", UINT64_MAX},
        {NULL, UINT64_MAX},
        {"0", 0},
        {"00", 0},
        {"0K", 0},
        {"-1", 0},
        {"+1", 0},
        {" 1", 0},
        {"1 ", 0},
        {"1k", 0},
        {"1KB", 0},
        {"1Ki", 0},
        {"1KiBx", 0},
        {"1.5M", 0},
        {"K", 0},
        {"x", 0},
        {"18446744073709551616", 0},
        {"9223372036854775808", 0},
        {"8388608T", 0},
        {"18014398509481985K", 0},
    };
    struct memory_limit limit, none;
    struct error err;
    set_limit(NULL);
    CU_ASSERT_EQUAL(memory_limit_find(&none, &err), STATUS_OK);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        void *block = NULL;
        set_limit(cases[c].text);
        enum status status = memory_limit_find(&limit, &err);
        CU_ASSERT_EQUAL(status, cases[c].bytes > 0 ? STATUS_OK : STATUS_BAD_INPUT);
        if (status != STATUS_OK) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "APSP_MEMORY_LIMIT: expected a number"));
            CU_ASSERT_EQUAL(memory_room(), 0);
            CU_ASSERT_EQUAL(memory_alloc(&block, MEMORY_COUNTED, 1, "x", &err), STATUS_BAD_INPUT);
            CU_ASSERT_PTR_NULL(block);
        } else if (cases[c].bytes < UINT64_MAX) {
            CU_ASSERT(limit.bytes == cases[c].bytes && limit.by == MEMORY_BY_VARIABLE);
        } else {
            CU_ASSERT(limit.by == none.by && limit.by != MEMORY_BY_VARIABLE);
        }
    }
    set_limit(NULL);
}

/* The account counts blocks as long as they exist; a block that does not fit is refused, and others
 * stay. */
static void test_account(void) {
    enum { BLOCK = 1 << 20 };
    struct error err;
    void *a = NULL, *b = NULL, *small;
    char limit[32];
    set_limit(NULL);
    const uint64_t before = memory_held();
    CU_ASSERT_EQUAL(memory_alloc(&small, 1000, 1, "little", &err), STATUS_OK);
    CU_ASSERT_EQUAL(memory_held(), before);
    CU_ASSERT_EQUAL(memory_alloc(&a, BLOCK, 1, "a block", &err), STATUS_OK);
    CU_ASSERT(memory_held() >= before + BLOCK && memory_held() < before + BLOCK + 8192);
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)before + 3 * BLOCK - 1);
    set_limit(limit);
    CU_ASSERT_EQUAL(memory_alloc(&b, 2 * BLOCK, 1, "another", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NULL(b);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "out of memory: another needs 2.0 MiB more than the "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "that are held; APSP_MEMORY_LIMIT allows "));
    memset(a, 7, BLOCK); /* while it grows, the account counts the old and the new size */
    void *const same = a;
    CU_ASSERT_EQUAL(memory_resize(&a, 2, BLOCK, "a block", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_EQUAL(a, same);
    CU_ASSERT_EQUAL(memory_resize(&a, 3, BLOCK / 2, "a block", &err), STATUS_OK);
    CU_ASSERT(((char *)a)[0] == 7 && ((char *)a)[BLOCK - 1] == 7);
    CU_ASSERT(memory_held() >= before + BLOCK / 2 * 3);
    CU_ASSERT(memory_peak() >= before + BLOCK / 2 * 5);
    CU_ASSERT_EQUAL(memory_resize(&a, 1, BLOCK / 2, "a block", &err), STATUS_OK);
    CU_ASSERT(memory_held() < before + BLOCK / 2 + 8192);
    CU_ASSERT_EQUAL(memory_resize(&a, 1, 100, "a block", &err), STATUS_OK);
    CU_ASSERT_EQUAL(memory_held(), before);
    CU_ASSERT_EQUAL(memory_resize(&a, 1, BLOCK, "a block", &err), STATUS_OK);
    memory_free(a);
    memory_free(small);
    memory_free(NULL);
    CU_ASSERT_EQUAL(memory_held(), before);
    CU_ASSERT_EQUAL(memory_reserve(BLOCK, "elsewhere", &err), STATUS_OK);
    CU_ASSERT_EQUAL(memory_held(), before + BLOCK);
    memory_release(BLOCK);
    CU_ASSERT_EQUAL(memory_held(), before);
    set_limit(NULL);
    CU_ASSERT_EQUAL(memory_alloc(&b, SIZE_MAX / 2, 4, "too much", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_EQUAL(memory_alloc(&b, PTRDIFF_MAX, 1, "too much", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_EQUAL(memory_held(), before);
}

/* A plan fits exactly up to the limit; the message names its parts. */
static void test_check(void) {
    const struct memory_part parts[] = {
        {"for 2 matrices", 3 << 20, 0}, {"for nothing", 0, 0}, {"to solve", 1 << 20, 0}};
    struct error err;
    char limit[32];
    const uint64_t needed = memory_held() + (4 << 20);
    CU_ASSERT_EQUAL(memory_needed(parts, 3), needed);
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)needed);
    set_limit(limit);
    CU_ASSERT_EQUAL(memory_check("g", 5, parts, 3, &err), STATUS_OK);
    set_limit("2M");
    CU_ASSERT_EQUAL(memory_check("g", 5, parts, 3, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text, "g: 5 vertices need 3.0 MiB for 2 matrices and 1.0 MiB to "
                                     "solve; APSP_MEMORY_LIMIT allows 2.0 MiB");
    set_limit("x");
    CU_ASSERT_EQUAL(memory_check("g", 5, parts, 3, &err), STATUS_BAD_INPUT);
    set_limit(NULL);
    CU_ASSERT_EQUAL(matrix_memory(1000, 2), 2 * 1000 * 1008 * 4);
    CU_ASSERT_EQUAL(matrix_memory(INT32_MAX, 2), memory_times(UINT64_C(2147483647) << 31, 8));
    CU_ASSERT_EQUAL(memory_add(UINT64_MAX, 1), UINT64_MAX);
    CU_ASSERT_EQUAL(memory_times(UINT64_MAX / 2, 3), UINT64_MAX);
}

/* Gives the vertices potentials that are so far apart that reduced weights need more than 32
 * bits. */
static void spread(struct graph *g) {
    enum { FAR = INF - 1000000, HEAVY = INF / 2 };
    const int32_t half = g->n / 2;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (u < half && v == g->n - 1)
                g->weight[e] = HEAVY;
            else
                g->weight[e] += u < half && v >= half ? -FAR : u >= half && v < half ? FAR : 0;
        }
    }
    g->min_weight = -FAR;
    g->max_weight += FAR;
}

/* Every variant of `cpu` takes at most the memory that it declares, with a little more for
 * rounding, and frees all of it, whatever the number of threads. */
static void test_variants(void) {
    struct random random = {5};
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (strcmp(variant->name, "auto") == 0)
            continue;
        /* It takes almost no memory besides the matrices, whatever n is, and is slow. */
        const int32_t n = strcmp(variant->name, "sequential") == 0 ? 200 : 700;
        for (int round = 0; round < (variant->takes_potentials ? 12 : 8); round++) {
            const enum weights weights = round / 4 == 1 ? WEIGHTS_NEGATIVE : WEIGHTS_POSITIVE;
            const bool pred = round % 2 == 0;
            struct graph g = random_graph(&random, n, round % 4 < 2 ? 20 : 2, weights);
            if (weights == WEIGHTS_NEGATIVE) { /* leaves no cycles of weight zero */
                for (int64_t e = 0; e < g.m; e++)
                    g.weight[e]++;
                g.min_weight++;
                g.max_weight++;
            }
            if (round >= 8)
                spread(&g);
            const struct solver_options options = {.threads = round % 3 + 1};
            struct result result;
            struct timing timing;
            struct error err;
            const uint64_t before = memory_held();
            CU_ASSERT_EQUAL(result_alloc(&result, NUMBER_INT32, g.n, g.n, pred, "g", &err),
                            STATUS_OK);
            const uint64_t held = memory_held();
            const struct solve_size size = {&g, g.n, options.threads, pred, .matrices = true};
            const uint64_t most = solve_memory(variant, &size);
            /* With less memory, the solve is refused; the account includes memory besides the
             * matrices. */
            char limit[32];
            const uint64_t allowance = 16 * 4096 + 4 * MEMORY_COUNTED;
            snprintf(limit, sizeof limit, "%llu", (unsigned long long)(held + most + allowance));
            set_limit(limit);
            CU_ASSERT_EQUAL(solve(variant, &g, &options, &result.dist, pred ? &result.pred : NULL,
                                  NULL, 1, &timing, &err),
                            STATUS_OK);
            CU_ASSERT_EQUAL(memory_held(), held);
            /* The memory of an elimination depends on its fill. */
            const bool is_tight = strcmp(variant->name, "dissection") != 0;
            if (is_tight && most > 2 * allowance && g.min_weight >= 0) {
                snprintf(limit, sizeof limit, "%llu",
                         (unsigned long long)(held + most - allowance));
                set_limit(limit);
                CU_ASSERT_EQUAL(solve(variant, &g, &options, &result.dist,
                                      pred ? &result.pred : NULL, NULL, 1, &timing, &err),
                                STATUS_NO_RESOURCE);
                CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "APSP_MEMORY_LIMIT allows"));
                CU_ASSERT_EQUAL(memory_held(), held);
            }
            set_limit(NULL);
            result_free(&result);
            CU_ASSERT_EQUAL(memory_held(), before);
            graph_free(&g);
        }
    }
}

static void test_certificate(void) {
    struct random random = {6};
    struct graph g = random_graph(&random, 600, 30, WEIGHTS_POSITIVE);
    struct matrix dist, pred;
    struct error err;
    char limit[32];
    solve_reference(&g, &dist, &pred);
    for (int with_pred = 0; with_pred < 2; with_pred++) {
        const uint64_t held = memory_held(),
                       most = certificate_memory(g.type, g.n, g.m, g.n, with_pred != 0, 2),
                       allowance = 8 * 4096 + MEMORY_COUNTED;
        snprintf(limit, sizeof limit, "%llu", (unsigned long long)(held + most + allowance));
        set_limit(limit);
        CU_ASSERT_EQUAL(certify(&g, &dist, with_pred ? &pred : NULL, 2, &err), STATUS_OK);
        snprintf(limit, sizeof limit, "%llu", (unsigned long long)(held + most - allowance));
        set_limit(limit);
        CU_ASSERT_EQUAL(certify(&g, &dist, with_pred ? &pred : NULL, 2, &err), STATUS_NO_RESOURCE);
        CU_ASSERT_EQUAL(memory_held(), held);
    }
    set_limit(NULL);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

/* All calls of the library leave the account as it was. */
static void test_library(void) {
    enum { VERTICES = 400, EDGES = 40000 };
    static int32_t from[EDGES], to[EDGES], weight[EDGES];
    static const char *const engines[] = {"apsp", "cpu:auto", "cpu:blocked", "cpu:johnson"};
    const uint64_t before = memory_held();
    apsp_error error;
    char prefix[64], npy[96], text[64];
    snprintf(prefix, sizeof prefix, "%s", temporary_path());
    snprintf(npy, sizeof npy, "%s.dist.npy", prefix);
    snprintf(text, sizeof text, "%s", temporary_path());
    for (int weights = -1; weights < 2; weights++) {
        for (int e = 0; e < EDGES; e++) {
            from[e] = e % VERTICES;
            to[e] = (e * 7 + e / VERTICES) % VERTICES;
            /* -1: weights that need potentials; 0: one component of zero weights; 1: neither. */
            weight[e] = weights == -1 ? from[e] % 5 - to[e] % 5 + 1 : weights;
        }
        for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
            apsp_graph *graph = NULL;
            apsp_result *result = NULL, *read = NULL;
            apsp_options options = APSP_OPTIONS_INIT;
            options.engine = engines[e];
            CU_ASSERT_EQUAL(
                apsp_graph_from_edges(&graph, VERTICES, EDGES, from, to, weight, NULL, &error),
                APSP_OK);
            CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, &error), APSP_OK);
            CU_ASSERT(memory_held() >= before + 2 * matrix_memory(VERTICES, 1));
            CU_ASSERT_EQUAL(apsp_verify(graph, result, NULL, NULL, &error), APSP_OK);
            CU_ASSERT_EQUAL(apsp_result_write(result, prefix, APSP_NPY, 2, &error), APSP_OK);
            CU_ASSERT_EQUAL(apsp_result_write(result, text, APSP_TEXT, 2, &error), APSP_OK);
            CU_ASSERT_EQUAL(apsp_result_read(&read, npy, &error), APSP_OK);
            apsp_result_free(read);
            CU_ASSERT_EQUAL(apsp_result_read(&read, text, &error), APSP_OK);
            apsp_result_free(read);
            apsp_result_free(result);
            set_limit("700K"); /* enough for the graph */
            CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, &error), APSP_NO_RESOURCE);
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "in memory: 400 vertices need 1.2 MiB for 2 "
                                                      "matrices"));
            set_limit("7OOK");
            CU_ASSERT_EQUAL(apsp_solve(graph, &options, &result, &error), APSP_BAD_INPUT);
            set_limit(NULL);
            apsp_graph_free(graph);
            CU_ASSERT_EQUAL(memory_held(), before);
        }
    }
}

CU_TestInfo memory_tests[] = {
    {"limits of control groups", test_cgroups},
    {"APSP_MEMORY_LIMIT", test_variable},
    {"blocks in the account", test_account},
    {"plans", test_check},
    {"what every variant takes", test_variants},
    {"what a proof takes", test_certificate},
    {"the library hands everything back", test_library},
    CU_TEST_INFO_NULL,
};
