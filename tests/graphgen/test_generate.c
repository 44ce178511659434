// SPDX-License-Identifier: MIT
/* The generator's mathematics: densities, the permutation, uniformity. */
#include "common/base/output.h" // output_open
#include "graphgen/generate.h"
#include "graphgen/layout.h" // graph_writer_open
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

static void test_densities(void) {
    static const struct {
        const char *text;
        int32_t n;
        int64_t edges; /* -1: refused */
    } cases[] = {
        {"2%", 5000, 499900},
        {"0.02", 5000, 499900},
        {"100%", 7, 42},
        {"1", 7, 42},
        {"1.0", 7, 42},
        {"0", 7, 0},
        {"0%", 7, 0},
        {".5", 2, 1},
        {"25%", 2, 1}, /* 0.5 rounds up */
        {"24.999%", 2, 0},
        {"2%", 1, 0},
        {"2%", 2147483647, 92233720239698739},
        {"0.0000000001%", 1000000, 1},
        {"101%", 7, -1},
        {"1.5", 7, -1},
        {"2", 7, -1},
        {"", 7, -1},
        {"%", 7, -1},
        {"-1", 7, -1},
        {"1e-2", 7, -1},
        {"0.0.2", 7, -1},
        {"2%%", 7, -1},
        {"nan", 7, -1},
        {"Dense", 7, -1},
        {"0.00000000000000000001", 7, -1},
        {"dense", 5000, 500000},
        {"sparse", 5000, 2500},
        {"medium", 5000, 30000},
        {"dense", 5, 10},
        {"medium", 12500, 81250},
        {"dense", 25000, 12500500}, /* 3125000 / (12500 * 12499) of all pairs */
        {"sparse", 25000, 12500},   /* degree 1/2 */
        {"medium", 25000, 162500},  /* degree 6.5 */
        {"dense", 1, 0},
        {"sparse", 2, 0},
        {"dense", 3, 3},
        {"medium", 1500, 7125}, /* degree 4.75, half way between 4.5 and 5 */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t edges = -1;
        bool known = density_edges(cases[k].text, cases[k].n, &edges);
        CU_ASSERT_EQUAL(known, cases[k].edges >= 0);
        if (known)
            CU_ASSERT_EQUAL(edges, cases[k].edges);
    }
}

/* Every index once, for every small n. */
static void test_permutation(void) {
    for (int32_t n = 2; n <= 40; n++) {
        const int64_t pairs = graph_pairs(n);
        char *seen = calloc((size_t)pairs, 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
        struct graph_description graph = {.n = n, .edges = pairs, .seed = (uint64_t)n};
        for (int64_t e = 0; e < pairs; e++) {
            int64_t pair = permute_pair(&graph, e);
            CU_ASSERT_FATAL(pair >= 0 && pair < pairs);
            CU_ASSERT(!seen[pair]);
            seen[pair] = 1;
        }
        free(seen);
    }
}

/* n = 4: each of the 220 sets of 3 edges out of 12 comes up as often as the
 * others over 66000 seeds. chi^2 with 219 degrees of freedom stays below 305
 * with probability 0.9999. */
static void test_uniform_sets(void) {
    enum { PAIRS = 12, SETS = 1 << PAIRS, SEEDS = 66000, CHOICES = 220 };
    int *count = calloc(SETS, sizeof *count);
    CU_ASSERT_PTR_NOT_NULL_FATAL(count);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct graph_description graph = {.n = 4, .edges = 3, .seed = seed};
        int set = 0;
        for (int64_t e = 0; e < 3; e++)
            set |= 1 << permute_pair(&graph, e);
        count[set]++;
    }
    double chi2 = 0, expected = (double)SEEDS / CHOICES;
    int sets = 0;
    for (int set = 0; set < SETS; set++) {
        if (__builtin_popcount((unsigned)set) != 3) {
            CU_ASSERT_EQUAL(count[set], 0);
            continue;
        }
        sets++;
        chi2 += (count[set] - expected) * (count[set] - expected) / expected;
    }
    CU_ASSERT_EQUAL(sets, CHOICES);
    CU_ASSERT(chi2 < 305);
    free(count);
}

/* One large graph: edges spread evenly over rows and columns. */
static void test_uniform_rows(void) {
    enum { N = 1000, EDGES = 100000 };
    struct graph_description graph = {.n = N, .edges = EDGES, .seed = 7};
    int *out = calloc(N, sizeof *out), *in = calloc(N, sizeof *in);
    for (int64_t e = 0; e < EDGES; e++) {
        int64_t pair = permute_pair(&graph, e);
        int64_t u = pair / (N - 1), v = pair % (N - 1);
        out[u]++;
        in[v + (v >= u)]++;
    }
    double out_chi2 = 0, in_chi2 = 0, expected = (double)EDGES / N;
    for (int v = 0; v < N; v++) {
        out_chi2 += (out[v] - expected) * (out[v] - expected) / expected;
        in_chi2 += (in[v] - expected) * (in[v] - expected) / expected;
    }
    /* Drawn without replacement, the sum is about 900; 5 standard deviations
     * are about 210. */
    CU_ASSERT(out_chi2 > 690 && out_chi2 < 1110);
    CU_ASSERT(in_chi2 > 690 && in_chi2 < 1110);
    free(out);
    free(in);
}

/* A graph that surely has no room on the disk is refused before it is written, and no other. Some
 * file systems do not say how much room they have. */
static void test_room(void) {
    enum { LINE = 6 }; /* "u v w" of one digit each */
    struct statvfs disk;
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(output_open(&out, temporary_path(), &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(fstatvfs(out.fd, &disk), 0);
    const double room = (double)disk.f_bavail * (double)disk.f_frsize;
    for (int tenths = 6; tenths <= 15 && room > 0; tenths += 9) {
        struct graph_writer writer;
        const int64_t edges = (int64_t)(room / LINE * tenths / 10);
        CU_ASSERT_EQUAL(
            graph_writer_open(&writer, graph_layout_find("wel"), 0, &out, 10, edges, true, &err),
            tenths < 10 ? STATUS_OK : STATUS_NO_RESOURCE);
        graph_writer_close(&writer);
    }
    output_discard(&out);
}

CU_TestInfo generate_tests[] = {
    {"densities", test_densities},
    {"the permutation is one", test_permutation},
    {"sets of edges are equally likely", test_uniform_sets},
    {"rows and columns are equally likely", test_uniform_rows},
    {"room on the disk", test_room},
    CU_TEST_INFO_NULL,
};
