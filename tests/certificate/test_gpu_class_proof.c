// SPDX-License-Identifier: MIT
/* The proof of classes on a GPU, on the shim, before answers that are made by hand from textbook
 * distances. */
#include "certificate/gpu/gpu_class_proof.h"
#include "tests/unit/class_proving.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <string.h>

/* The parts of a region's rows without what is left out. */
static struct class_parts parts_of(const struct answer *a, int32_t k, struct class_part *list) {
    const struct region_rows *const r = &a->region[k];
    struct class_parts parts = {list, 0, 0};
    for (int32_t p = 0; p < r->parts; p++) {
        const bool lacks = k == a->left_out_region && p == a->left_out_part;
        list[parts.count] = r->part[p];
        list[parts.count].block = parts.blocks;
        list[parts.count].blocks -= lacks;
        parts.blocks += list[parts.count].blocks;
        parts.count += list[parts.count].blocks > 0;
    }
    return parts;
}

/* Parts of all rows of a region that has others inside. */
static struct class_parts all_rows(const struct answer *a, int32_t k, struct class_part *part) {
    const bool has_inside = a->cut->layout[k].children > 0;
    *part = (struct class_part){
        .blocks = has_inside ? (answer_rows(a, k) + CLASS_ROWS - 1) / CLASS_ROWS : 0, .region = k};
    return (struct class_parts){part, 1, part->blocks};
}

static enum status run(struct gpu_class_proof *proof, struct answer *a, bool *proved,
                       struct error *err) {
    struct class_part list[REGIONS + 1];
    RETURN_ON_FAILURE(gpu_class_proof_begin(proof, err));
    RETURN_ON_FAILURE(gpu_class_proof_sources(proof, a->source, a->count, err));
    for (int32_t k = 0; k < a->cut->count; k++) {
        const struct class_parts rows = parts_of(a, k, list);
        for (int times = 0; times < 1 + (k == a->taken_twice); times++)
            RETURN_ON_FAILURE(gpu_class_proof_take(proof, &rows, a->label, err));
        const struct class_parts all = all_rows(a, k, list);
        if (k != a->unreferred)
            RETURN_ON_FAILURE(gpu_class_proof_refer(proof, &all, err));
    }
    for (int32_t k = a->cut->count - 1; k >= 0; k--) {
        const struct class_parts all = all_rows(a, k, list);
        for (int times = k == a->unadded; times < 1 + (k == a->added_twice); times++)
            RETURN_ON_FAILURE(gpu_class_proof_add(proof, &all, err));
    }
    gpu_class_proof_finish(proof, a->count + a->more);
    return gpu_class_proof_end(proof, proved, err);
}

/* Proves an answer of g from the beginning to the end; nothing is held then. */
static enum status prove(const struct graph *g, struct answer *a, bool *is_ready, bool *proved,
                         struct error *err) {
    struct gpu_class_proof proof;
    *is_ready = *proved = false;
    answer_reset(a);
    enum status status =
        gpu_class_proof_open(&proof, g, a->cut->layout, a->cut->count, a->cut->vertex, 2, err);
    if (status == STATUS_OK && proof.is_ready) {
        *is_ready = true;
        proof.rows = a->rows;
        proof.total = a->total;
        status = run(&proof, a, proved, err);
    }
    gpu_class_proof_close(&proof);
    CU_ASSERT(proof.memory == NULL && !proof.is_ready);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    return status;
}

static bool knows(enum corruption what) {
    (void)what;
    return true;
}

/* The shim's threads run in several orders. */
static void vary(int way) {
    cuda_shim_set_order((enum cuda_shim_order)(way % 3));
}

static const struct class_proving on_gpu = {.prove = prove, .knows = knows, .vary = vary};

static void test_right(void) {
    proving_right(&on_gpu);
}

static void test_distances(void) {
    proving_distances(&on_gpu);
}

static void test_edges(void) {
    proving_edges(&on_gpu);
}

static void test_corrupted(void) {
    proving_corrupted(&on_gpu);
}

static void test_large(void) {
    proving_large(&on_gpu);
}

static void test_out_of_range(void) {
    proving_out_of_range(&on_gpu);
}

static void test_edge_of_range(void) {
    proving_edge_of_range(&on_gpu);
}

static void test_far_class(void) {
    proving_far_class(&on_gpu);
}

static void test_steps(void) {
    proving_steps(&on_gpu);
}

/* It is not ready for a graph that the regions are not of, and holds nothing. */
static void test_other_graph(void) {
    struct random random = {70};
    struct case_of t;
    struct error err = {0};
    bool ready, proved;
    case_begin(&t, &random, &plain_shape);
    const struct edge across = {t.cut.at[t.cut.begin[GROUP_LEFT_OTHERS]],
                                t.cut.at[t.cut.begin[GROUP_RIGHT]], 9};
    struct graph g = changed_graph(&t.g, &across, -1);
    CU_ASSERT_EQUAL(prove(&g, &t.a, &ready, &proved, &err), STATUS_OK);
    CU_ASSERT_FALSE(ready);
    graph_free(&g);
    case_end(&t);
}

/* A device without memory is no failure; whatever other call fails, there is a status and a line.
 */
static void test_failures(void) {
    enum { OPENING = 6 }; /* calls */
    struct random random = {71};
    struct case_of t;
    bool failed = true;
    case_begin(&t, &random, &plain_shape);
    for (int fail_at = 1; failed; fail_at++) {
        struct error err = {0};
        bool ready, proved;
        cuda_shim_fail_after(fail_at);
        const enum status status = prove(&t.g, &t.a, &ready, &proved, &err);
        failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT_EQUAL(ready, fail_at > OPENING || !failed);
        CU_ASSERT_EQUAL(status, failed && fail_at > 1 ? STATUS_NO_RESOURCE : STATUS_OK);
        CU_ASSERT_EQUAL(proved, !failed);
        if (status != STATUS_OK)
            CU_ASSERT(strstr(err.text, "unknown error") != NULL && strchr(err.text, '\n') == NULL);
        CU_ASSERT(failed || fail_at > OPENING + 8);
    }
    case_end(&t);
}

CU_TestInfo gpu_class_proof_tests[] = {
    {"right answers are proved", test_right},
    {"wrong distances", test_distances},
    {"answers of graphs with an edge more or less", test_edges},
    {"wrong rows, references and labels", test_corrupted},
    {"large regions", test_large},
    {"distances out of range", test_out_of_range},
    {"distances at the edge of the range", test_edge_of_range},
    {"a class out of range", test_far_class},
    {"steps that are missing, or twice", test_steps},
    {"a graph of other regions", test_other_graph},
    {"failures of CUDA", test_failures},
    CU_TEST_INFO_NULL,
};
