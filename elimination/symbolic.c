// SPDX-License-Identifier: MIT
#include "elimination/symbolic.h"

#include "common/base/atomics.h"     // atomic_raise
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // copy_together, threads_paid
#include "common/base/memory.h"      // memory_alloc
#include "elimination/tree_chunks.h" // struct tree_chunks
#include "elimination/tree_parts.h"  // TREE_ARRAYS

#include <omp.h>
#include <string.h>

/* Costs as measured on one core of a Zen 3 with AVX2; those of the elimination and of pairs are by
 * the times of grids, surfaces and neighbour graphs on another core, which is somewhat faster. */
const struct core_costs core_costs = {
    .sweep = 0.07,
    .vertex = 0.35,
    .elimination = 0.4,
    .extension = 0.06,
    .pair = 32,
    .closure = 0.018,
    .entries = INT64_MAX,
    .core = INT32_MAX,
};

uint64_t tree_memory(int32_t n) {
    const uint64_t cutting = 6 * ((uint64_t)n + 2) * sizeof(int64_t);
    const uint64_t building = TREE_SCRATCH_ARRAYS * (uint64_t)n * sizeof(int32_t);
    return TREE_ARRAYS * (uint64_t)n * sizeof(int32_t) + (cutting > building ? cutting : building);
}

enum status tree_alloc(struct tree *tree, int32_t n, struct error *err) {
    *tree = (struct tree){.n = n, .fringe = n};
    RETURN_ON_FAILURE(memory_alloc(&tree->all, (size_t)n, TREE_ARRAYS * sizeof(int32_t),
                                   "the elimination tree", err));
    tree->vertex = tree->all;
    tree->position = tree->vertex + n;
    tree->parent = tree->position + n;
    tree->count = tree->parent + n;
    tree->depth = tree->count + n;
    return STATUS_OK;
}

enum status tree_copy(const struct tree *tree, int threads, struct tree *copy, struct error *err) {
    RETURN_ON_FAILURE(tree_alloc(copy, tree->n, err));
    copy_together(copy->all, tree->all, (size_t)tree->n * TREE_ARRAYS * sizeof(int32_t), threads);
    copy->height = tree->height;
    copy->entries = tree->entries;
    return STATUS_OK;
}

void tree_free(struct tree *tree) {
    memory_free(tree->all);
    *tree = (struct tree){0};
}

static void number_positions(struct tree *tree) {
    for (int32_t at = 0; at < tree->n; at++)
        tree->position[tree->vertex[at]] = at;
}

/* Moves the number at each position to new_position; scratch: n numbers. */
static void permute(const int32_t *new_position, int32_t n, int32_t *array, int32_t *scratch) {
    for (int32_t at = 0; at < n; at++)
        scratch[new_position[at]] = array[at];
    memcpy(array, scratch, (size_t)n * sizeof *array);
}

static void renumber(struct tree *tree, const int32_t *new_position, int32_t *scratch) {
    const int32_t n = tree->n;
    permute(new_position, n, tree->vertex, scratch);
    for (int32_t at = 0; at < n; at++) {
        if (tree->parent[at] >= 0)
            tree->parent[at] = new_position[tree->parent[at]];
    }
    permute(new_position, n, tree->parent, scratch);
    number_positions(tree);
}

static void find_depths(struct tree *tree) {
    tree->height = 0;
    tree->entries = 0;
    for (int32_t at = tree->n - 1; at >= 0; at--) {
        const int32_t parent = tree->parent[at];
        tree->depth[at] = parent < 0 ? 0 : tree->depth[parent] + 1;
        if (at >= tree->fringe)
            continue;
        if (tree->depth[at] >= tree->height)
            tree->height = tree->depth[at] + 1;
        tree->entries += tree->count[at];
    }
}

/* Adds what is known of a position's subtree to its parent's. Other threads may do so, too. */
static void hand_up(const struct tree *tree, int32_t at, int32_t *key, int32_t *size) {
    const int32_t parent = tree->parent[at];
    if (parent < 0)
        return;
    atomic_raise(&key[parent], key[at]);
    __atomic_fetch_add(&size[parent], size[at], __ATOMIC_RELAXED);
}

/* Finds the key of each position: most higher neighbours of a position at or below it. Keys do not
 * fall on the way to the root, so a limit to them cuts the tree in two. Finds the number of
 * positions of each subtree, too. */
static void find_keys(const struct tree *tree, int threads, int32_t *key, int32_t *size) {
    const struct tree_chunks c = tree_chunks_of(tree->parent, tree->n, threads);
#pragma omp parallel for schedule(static) num_threads(c.threads)
    for (int32_t at = 0; at < tree->n; at++) {
        key[at] = tree->count[at];
        size[at] = 1;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(c.threads)
    for (int32_t chunk = 0; chunk < c.count; chunk++) {
        int32_t top = tree_chunk_first_top(&c, chunk);
        for (int32_t at = tree_chunk_low(&c, chunk); at < tree_chunk_high(&c, chunk); at++) {
            if (at == top)
                top = tree_chunk_next_top(&c, chunk, at);
            else
                hand_up(tree, at, key, size);
        }
    }
    for (int32_t chunk = 0; chunk < c.count; chunk++) {
        for (int32_t at = tree_chunk_first_top(&c, chunk); at >= 0;
             at = tree_chunk_next_top(&c, chunk, at))
            hand_up(tree, at, key, size);
    }
}

enum status tree_cut(struct tree *tree, int32_t most, struct error *err) {
    const int32_t n = tree->n;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)n, 3 * sizeof(int32_t), "the elimination tree", err));
    int32_t *const key = memory, *const new_position = key + n, *const scratch = new_position + n;
    find_keys(tree, 1, key, scratch);
    int32_t fringe = 0, core = 0;
    for (int32_t at = 0; at < n; at++)
        fringe += key[at] <= most;
    core = fringe;
    tree->fringe = fringe;
    for (int32_t at = 0, in_fringe = 0; at < n; at++)
        new_position[at] = key[at] <= most ? in_fringe++ : core++;
    renumber(tree, new_position, scratch);
    permute(new_position, n, tree->count, scratch);
    for (int32_t at = 0; at < n; at++) {
        if (at >= fringe || tree->parent[at] >= fringe)
            tree->parent[at] = -1;
    }
    find_depths(tree);
    memory_free(memory);
    return STATUS_OK;
}

/* Sums by key: entry k has the sum over the positions with keys up to k, and over the pieces that a
 * cut there leaves. */
struct sums {
    int32_t largest;                                /* the largest key */
    int64_t *vertices, *entries, *pairs, *boundary; /* largest + 1 entries each */
};
enum { SUMS = 4 };

static struct sums sums_in(int64_t *memory, int32_t largest) {
    const size_t keys = (size_t)largest + 1;
    return (struct sums){largest, memory, memory + keys, memory + 2 * keys, memory + 3 * keys};
}

static void add_position(const struct tree *tree, const int32_t *key, const int32_t *size,
                         int32_t at, const struct sums *s) {
    const int32_t parent = tree->parent[at];
    const int64_t count = tree->count[at], to_boundary = size[at] * count;
    s->vertices[key[at]]++;
    s->entries[key[at]] += count;
    s->pairs[key[at]] += count * (count - 1) / 2;
    s->boundary[key[at]] += to_boundary; /* at is the root of a piece as long as its parent is in
                                            the core */
    if (parent >= 0)
        s->boundary[key[parent]] -= to_boundary; /* at is not a root when its parent is eliminated,
                                                    too */
}

/* memory: SUMS * (s->largest + 1) numbers for each of `threads` threads, the first of which are
 * those of *s. */
static void sum_up(const struct tree *tree, const int32_t *key, const int32_t *size, int threads,
                   int64_t *memory, const struct sums *s) {
    const int64_t numbers = SUMS * ((int64_t)s->largest + 1);
#pragma omp parallel num_threads(threads)
    {
        int64_t *const own = memory + omp_get_thread_num() * numbers;
        const struct sums part = sums_in(own, s->largest);
        memset(own, 0, (size_t)numbers * sizeof *own);
#pragma omp for schedule(static)
        for (int32_t at = 0; at < tree->n; at++)
            add_position(tree, key, size, at, &part);
    }
    for (int t = 1; t < threads; t++) {
        for (int64_t k = 0; k < numbers; k++)
            memory[k] += memory[t * numbers + k];
    }
    for (int32_t k = 1; k <= s->largest; k++) {
        s->vertices[k] += s->vertices[k - 1];
        s->entries[k] += s->entries[k - 1];
        s->pairs[k] += s->pairs[k - 1];
        s->boundary[k] += s->boundary[k - 1];
    }
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

/* Returns the most higher neighbours that a position has. */
static int32_t largest_count(const struct tree *tree, int threads) {
    int32_t largest = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : largest)
    for (int32_t at = 0; at < tree->n; at++)
        largest = tree->count[at] > largest ? tree->count[at] : largest;
    return largest;
}

/* Returns the number of sources that are wanted. */
static double rows_of(const struct tree *tree, const struct core_costs *costs) {
    return costs->rows > 0 ? costs->rows : tree->n;
}

/* Returns the predicted nanoseconds for all rows if the positions with keys up to k are
 * eliminated. */
static double cost_of_cut(const struct tree *tree, const struct core_costs *costs,
                          const struct sums *s, int32_t k) {
    const double n = tree->n, fringe = (double)s->vertices[k], core = n - fringe;
    const double rows = rows_of(tree, costs);
    return rows * ((double)s->entries[k] * costs->sweep + fringe * costs->vertex) +
           (double)s->pairs[k] * costs->elimination +
           rows / n * ((double)s->boundary[k] + core) * core * costs->extension +
           core * core * lesser(costs->pair, core * costs->closure);
}

int64_t tree_pairs(const struct tree *tree) {
    int64_t pairs = 0;
    for (int32_t v = 0; v < tree->n; v++)
        pairs += (int64_t)tree->count[v] * (tree->count[v] - 1) / 2;
    return pairs;
}

/* Chooses between the elimination of all vertices and of none, for costs that allow no core.
 * *choice: the choice of none, with its predicted nanoseconds; replaced if all vertices take less
 * time. */
static void choose_all(const struct tree *tree, const struct core_costs *costs,
                       struct tree_choice *choice) {
    int64_t vertices = tree->n, entries = tree->entries, pairs = tree_pairs(tree), boundary = 0;
    const struct sums s = {0, &vertices, &entries, &pairs, &boundary};
    const double cost = cost_of_cut(tree, costs, &s, 0);
    if (entries <= costs->entries && cost <= choice->ns)
        *choice = (struct tree_choice){tree->n, tree->n, entries, cost};
}

enum status tree_choose_cut(const struct tree *tree, const struct core_costs *costs, int32_t known,
                            int threads, struct tree_choice *choice, struct error *err) {
    const size_t n = (size_t)tree->n;
    const int32_t largest =
        largest_count(tree, threads_paid(threads, tree->n, block_sizes.thread_entries));
    const int64_t keys = (int64_t)largest + 1;
    void *memory;
    *choice =
        (struct tree_choice){.most = -1, /* everything is core */
                             .ns = (double)n * lesser(rows_of(tree, costs) * costs->pair,
                                                      (double)n * (double)n * costs->closure)};
    if (costs->core == 0 && known >= largest) {
        choose_all(tree, costs, choice);
        return STATUS_OK;
    }
    /* The sums of all threads but one take no more memory than the tree's positions. */
    const int team = threads_paid(threads, tree->n, block_sizes.thread_entries + SUMS * keys);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)(team * SUMS * keys) + n, sizeof(int64_t),
                                   "the elimination tree", err));
    int64_t *const sums = memory;
    const struct sums s = sums_in(sums, largest);
    int32_t *const key = (int32_t *)(sums + team * SUMS * keys), *const size = key + n;
    find_keys(tree, team, key, size);
    sum_up(tree, key, size, team, sums, &s);
    for (int32_t k = 0; k <= known && k <= largest; k++) {
        if (s.entries[k] > costs->entries || tree->n - s.vertices[k] > costs->core ||
            (k > 0 && s.vertices[k] == s.vertices[k - 1]))
            continue;
        const double cost = cost_of_cut(tree, costs, &s, k);
        if (cost > choice->ns)
            continue;
        choice->ns = cost;
        choice->fringe = (int32_t)s.vertices[k];
        choice->entries = s.entries[k];
        choice->most = s.vertices[k] == tree->n ? tree->n : k;
    }
    memory_free(memory);
    return STATUS_OK;
}
