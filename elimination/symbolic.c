// SPDX-License-Identifier: MIT
#include "elimination/symbolic.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

/* As measured on one core of a Zen 3 with AVX2. */
const struct core_costs core_costs = {
    .sweep = 0.07,
    .vertex = 0.35,
    .elimination = 2,
    .extension = 0.06,
    .pair = 18,
    .closure = 0.018,
    .entries = INT64_MAX,
    .core = INT32_MAX,
};

enum { TREE_ARRAYS = 5, SCRATCH_ARRAYS = 5 };

uint64_t tree_memory(int32_t n) {
    const uint64_t cutting = 5 * ((uint64_t)n + 2) * sizeof(int64_t);
    const uint64_t building = SCRATCH_ARRAYS * (uint64_t)n * sizeof(int32_t);
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

enum status tree_copy(const struct tree *tree, struct tree *copy, struct error *err) {
    RETURN_ON_FAILURE(tree_alloc(copy, tree->n, err));
    memcpy(copy->all, tree->all, (size_t)tree->n * TREE_ARRAYS * sizeof(int32_t));
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

/* Has the caches fetch the neighbours of the vertices that come soon, which may be anywhere. */
static inline void fetch_ahead(const struct pattern *p, const struct tree *tree, int32_t at) {
    enum { AHEAD = 16 };
    if (at + AHEAD >= tree->n)
        return;
    __builtin_prefetch(&p->first[tree->vertex[at + AHEAD]]);
    __builtin_prefetch(&p->neighbour[p->first[tree->vertex[at + AHEAD / 2]]]);
    const int64_t soon = p->first[tree->vertex[at + AHEAD / 4]];
    const int64_t end = p->first[tree->vertex[at + AHEAD / 4] + 1];
    for (int64_t e = soon; e < end && e < soon + 4; e++)
        __builtin_prefetch(&tree->position[p->neighbour[e]]);
}

/* Parents in the order that tree->vertex has; ancestor: n numbers of scratch. */
static void find_parents(const struct pattern *p, struct tree *tree, int32_t *ancestor) {
    for (int32_t at = 0; at < tree->n; at++) {
        const int32_t v = tree->vertex[at];
        fetch_ahead(p, tree, at);
        tree->parent[at] = ancestor[at] = -1;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            int32_t below = tree->position[p->neighbour[e]];
            while (below < at) {
                const int32_t above = ancestor[below];
                ancestor[below] = at; /* a shortcut for the next time */
                if (above == -1) {
                    tree->parent[below] = at;
                    break;
                }
                if (above == at)
                    break;
                below = above;
            }
        }
    }
}

/* new_position[at]: the place of a position in a postorder, children in their order. child and next
 * are n numbers of scratch. */
static void find_postorder(const struct tree *tree, int32_t *new_position, int32_t *child,
                           int32_t *next) {
    const int32_t n = tree->n;
    for (int32_t at = 0; at < n; at++)
        child[at] = -1;
    for (int32_t at = n - 1; at >= 0; at--) {
        const int32_t parent = tree->parent[at];
        if (parent < 0)
            continue;
        next[at] = child[parent];
        child[parent] = at;
    }
    int32_t placed = 0;
    for (int32_t root = 0; root < n; root++) {
        if (tree->parent[root] >= 0)
            continue;
        for (int32_t at = root; at >= 0;) {
            if (child[at] >= 0) {
                const int32_t down = child[at];
                child[at] = next[down];
                at = down;
            } else {
                new_position[at] = placed++;
                at = at == root ? -1 : tree->parent[at];
            }
        }
    }
}

/* Moves what stands at each position to new_position; scratch: n numbers. */
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

/* How many columns of the factor a row has leaves in decides its entries: see the source. */
struct counting {
    int32_t *first_descendant, *latest_first, *previous_leaf, *ancestor;
};

/* The least common ancestor of leaf and the previous leaf of the same row, by the paths to it. */
static int32_t common_ancestor(int32_t *ancestor, int32_t leaf) {
    int32_t top = leaf;
    while (top != ancestor[top])
        top = ancestor[top];
    while (leaf != top) {
        const int32_t above = ancestor[leaf];
        ancestor[leaf] = top;
        leaf = above;
    }
    return top;
}

/* The counts, of a tree whose positions are a postorder. */
static void find_counts(const struct pattern *p, struct tree *tree, const struct counting *c) {
    const int32_t n = tree->n;
    int32_t *const count = tree->count;
    for (int32_t at = 0; at < n; at++) {
        c->first_descendant[at] = c->latest_first[at] = c->previous_leaf[at] = -1;
        c->ancestor[at] = at;
    }
    for (int32_t at = 0; at < n; at++) {
        count[at] = c->first_descendant[at] == -1;
        for (int32_t up = at; up != -1 && c->first_descendant[up] == -1; up = tree->parent[up])
            c->first_descendant[up] = at;
    }
    for (int32_t at = 0; at < n; at++) {
        const int32_t v = tree->vertex[at], parent = tree->parent[at];
        fetch_ahead(p, tree, at);
        if (parent != -1)
            count[parent]--;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            const int32_t row = tree->position[p->neighbour[e]];
            if (row <= at || c->first_descendant[at] <= c->latest_first[row])
                continue; /* no leaf of the row's subtree */
            const int32_t previous = c->previous_leaf[row];
            c->latest_first[row] = c->first_descendant[at];
            c->previous_leaf[row] = at;
            count[at]++;
            if (previous != -1)
                count[common_ancestor(c->ancestor, previous)]--;
        }
        if (parent != -1)
            c->ancestor[at] = parent;
    }
    for (int32_t at = 0; at < n; at++) { /* so far the differences to the children's */
        if (tree->parent[at] != -1)
            count[tree->parent[at]] += count[at];
        count[at]--; /* the position itself */
    }
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

enum status tree_build(const struct pattern *pattern, const int32_t *vertex, struct tree *tree,
                       struct error *err) {
    const size_t n = (size_t)pattern->n;
    void *memory = NULL;
    enum status status;
    TRY(tree_alloc(tree, pattern->n, err));
    TRY(memory_alloc(&memory, n, SCRATCH_ARRAYS * sizeof(int32_t), "the elimination tree", err));
    int32_t *const scratch = memory;
    memcpy(tree->vertex, vertex, n * sizeof *vertex);
    number_positions(tree);
    find_parents(pattern, tree, scratch);
    find_postorder(tree, scratch, scratch + n, scratch + 2 * n);
    renumber(tree, scratch, scratch + n);
    find_counts(pattern, tree,
                &(struct counting){scratch, scratch + n, scratch + 2 * n, scratch + 3 * n});
    find_depths(tree);

cleanup:
    memory_free(memory);
    if (status != STATUS_OK)
        tree_free(tree);
    return status;
}

/* key[at]: the most higher neighbours that a position at or below it has. Keys do not fall on the
 * way to the root, so that a limit to them parts the tree in two. */
static void find_keys(const struct tree *tree, int32_t *key) {
    memcpy(key, tree->count, (size_t)tree->n * sizeof *key);
    for (int32_t at = 0; at < tree->n; at++) {
        const int32_t parent = tree->parent[at];
        if (parent >= 0 && key[parent] < key[at])
            key[parent] = key[at];
    }
}

enum status tree_cut(struct tree *tree, int32_t most, struct error *err) {
    const int32_t n = tree->n;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)n, 3 * sizeof(int32_t), "the elimination tree", err));
    int32_t *const key = memory, *const new_position = key + n, *const scratch = new_position + n;
    find_keys(tree, key);
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

/* Sums over the positions with keys up to each number, and over the pieces that a cut there
 * leaves. */
struct sums {
    int64_t *vertices, *entries, *pairs, *boundary; /* n + 2 each */
};

static void sum_up(const struct tree *tree, const int32_t *key, int32_t *size,
                   const struct sums *s) {
    const int32_t n = tree->n;
    for (int32_t at = 0; at < n; at++)
        size[at] = 1;
    for (int32_t at = 0; at < n; at++) {
        const int32_t parent = tree->parent[at];
        const int64_t count = tree->count[at], to_boundary = size[at] * count;
        s->vertices[key[at]]++;
        s->entries[key[at]] += count;
        s->pairs[key[at]] += count * (count - 1) / 2;
        s->boundary[key[at]] += to_boundary; /* it is the root of a piece while its parent is in */
        if (parent < 0)
            continue;
        size[parent] += size[at];
        s->boundary[key[parent]] -= to_boundary; /* the core */
    }
    for (int32_t k = 1; k <= n; k++) {
        s->vertices[k] += s->vertices[k - 1];
        s->entries[k] += s->entries[k - 1];
        s->pairs[k] += s->pairs[k - 1];
        s->boundary[k] += s->boundary[k - 1];
    }
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

/* How many sources are wanted. */
static double rows_of(const struct tree *tree, const struct core_costs *costs) {
    return costs->rows > 0 ? costs->rows : tree->n;
}

/* Nanoseconds for all rows, if what has keys up to k is eliminated. */
static double cost_of_cut(const struct tree *tree, const struct core_costs *costs,
                          const struct sums *s, int32_t k) {
    const double n = tree->n, fringe = (double)s->vertices[k], core = n - fringe;
    const double rows = rows_of(tree, costs);
    return rows * ((double)s->entries[k] * costs->sweep + fringe * costs->vertex) +
           (double)s->pairs[k] * costs->elimination +
           rows / n * ((double)s->boundary[k] + core) * core * costs->extension +
           core * core * lesser(costs->pair, core * costs->closure);
}

enum status tree_choose_cut(const struct tree *tree, const struct core_costs *costs, int32_t known,
                            int32_t *most, double *predicted_ns, struct error *err) {
    const size_t n = (size_t)tree->n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n + 2, 4 * sizeof(int64_t) + 2 * sizeof(int32_t),
                                   "the elimination tree", err));
    int64_t *const sums = memory;
    const struct sums s = {sums, sums + (n + 2), sums + 2 * (n + 2), sums + 3 * (n + 2)};
    int32_t *const key = (int32_t *)(sums + 4 * (n + 2)), *const size = key + n;
    memset(sums, 0, 4 * (n + 2) * sizeof *sums);
    find_keys(tree, key);
    sum_up(tree, key, size, &s);
    *most = -1; /* everything is core */
    *predicted_ns = (double)n * lesser(rows_of(tree, costs) * costs->pair,
                                       (double)n * (double)n * costs->closure);
    for (int32_t k = 0; k <= known; k++) {
        if (s.entries[k] > costs->entries || tree->n - s.vertices[k] > costs->core ||
            (k > 0 && s.vertices[k] == s.vertices[k - 1]))
            continue;
        const double cost = cost_of_cut(tree, costs, &s, k);
        if (cost > *predicted_ns)
            continue;
        *predicted_ns = cost;
        *most = s.vertices[k] == tree->n ? tree->n : k;
    }
    memory_free(memory);
    return STATUS_OK;
}

/* The roots of pieces that each vertex of the core is in the boundary of. */
struct pieces {
    int64_t *first; /* core + 1 */
    int32_t *root;  /* first[core] */
};

static bool is_piece(const struct tree *tree, int32_t at) {
    return tree->parent[at] < 0 && tree->count[at] > 0;
}

static enum status pieces_find(const struct tree *tree, const struct structure *s,
                               struct pieces *pieces, struct error *err) {
    const size_t core = (size_t)(tree->n - tree->fringe);
    int64_t length = 0;
    void *first = NULL, *root = NULL;
    enum status status;
    *pieces = (struct pieces){0};
    TRY(memory_alloc(&first, core + 1, sizeof(int64_t), "the pieces", err));
    memset(first, 0, (core + 1) * sizeof(int64_t));
    pieces->first = first;
    for (int32_t at = 0; at < tree->fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1] && is_piece(tree, at); e++)
            pieces->first[s->higher[e] - tree->fringe]++;
    }
    for (size_t c = 0; c <= core; c++) {
        const int64_t count = pieces->first[c];
        pieces->first[c] = length;
        length += count;
    }
    TRY(memory_alloc(&root, (size_t)length, sizeof(int32_t), "the pieces", err));
    pieces->root = root;
    for (int32_t at = 0; at < tree->fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1] && is_piece(tree, at); e++)
            pieces->root[pieces->first[s->higher[e] - tree->fringe]++] = at;
    }
    for (size_t c = core; c > 0; c--)
        pieces->first[c] = pieces->first[c - 1];
    pieces->first[0] = 0;
    first = NULL;

cleanup:
    memory_free(first);
    if (status != STATUS_OK)
        *pieces = (struct pieces){0};
    return status;
}

/* Appends `above` to the lists of the positions of the core that it is joined to and that are below
 * it, or, if higher is NULL, counts only. end[at]: where the list ends so far. */
static void join_core(const struct pattern *p, const struct tree *tree, const struct structure *s,
                      const struct pieces *pieces, int32_t above, int32_t *mark, int64_t *end,
                      int32_t *higher) {
    const int32_t v = tree->vertex[above], core = above - tree->fringe;
    mark[above] = above;
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        const int32_t at = tree->position[p->neighbour[e]];
        if (at < tree->fringe || at > above || mark[at] == above)
            continue;
        mark[at] = above;
        if (higher != NULL)
            higher[end[at]] = above;
        end[at]++;
    }
    for (int64_t k = pieces->first[core]; k < pieces->first[core + 1]; k++) {
        const int32_t root = pieces->root[k];
        for (int64_t e = s->first[root]; s->higher[e] < above; e++) {
            const int32_t at = s->higher[e];
            if (mark[at] == above)
                continue;
            mark[at] = above;
            if (higher != NULL)
                higher[end[at]] = above;
            end[at]++;
        }
    }
}

/* The lists of the fringe, where s->first says: each position is appended to those that it is a
 * higher neighbour of, which are on the paths from its neighbours towards it. end and mark: as
 * above. */
static void join_fringe(const struct pattern *p, const struct tree *tree, int32_t *mark,
                        int64_t *end, int32_t *higher) {
    for (int32_t above = 0; above < tree->n; above++) {
        const int32_t v = tree->vertex[above];
        fetch_ahead(p, tree, above);
        mark[above] = above;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            int32_t at = tree->position[p->neighbour[e]];
            if (at > above || at >= tree->fringe)
                continue;
            for (; at >= 0 && mark[at] != above; at = tree->parent[at]) {
                mark[at] = above;
                higher[end[at]++] = above;
            }
        }
    }
}

void structure_free(struct structure *structure) {
    memory_free(structure->first);
    memory_free(structure->higher);
    *structure = (struct structure){0};
}

enum status structure_find(const struct pattern *pattern, const struct tree *tree,
                           struct structure *structure, struct error *err) {
    const size_t n = (size_t)tree->n;
    struct pieces pieces = {0};
    void *first = NULL, *end_memory = NULL, *mark_memory = NULL, *higher = NULL;
    enum status status;
    *structure = (struct structure){0};
    TRY(memory_alloc(&first, n + 1, sizeof(int64_t), "the eliminated graph", err));
    TRY(memory_alloc(&end_memory, n, sizeof(int64_t), "the eliminated graph", err));
    TRY(memory_alloc(&mark_memory, n, sizeof(int32_t), "the eliminated graph", err));
    TRY(memory_alloc(&higher, (size_t)tree->entries, sizeof(int32_t), "the eliminated graph", err));
    structure->first = first;
    structure->higher = higher;
    first = higher = NULL;
    int64_t *const end = end_memory, length = 0;
    int32_t *const mark = mark_memory;
    for (int32_t at = 0; at < tree->n; at++) {
        structure->first[at] = end[at] = length;
        mark[at] = -1;
        length += at < tree->fringe ? tree->count[at] : 0;
    }
    structure->first[n] = length;
    join_fringe(pattern, tree, mark, end, structure->higher);
    if (tree->fringe == tree->n)
        goto cleanup;

    TRY(pieces_find(tree, structure, &pieces, err));
    for (int32_t at = tree->fringe; at < tree->n; at++) {
        end[at] = 0;
        mark[at] = -1;
    }
    for (int32_t at = tree->fringe; at < tree->n; at++)
        join_core(pattern, tree, structure, &pieces, at, mark, end, NULL);
    for (int32_t at = tree->fringe; at < tree->n; at++) {
        const int64_t count = end[at];
        structure->first[at] = end[at] = length;
        tree->count[at] = (int32_t)count;
        length += count;
        mark[at] = -1;
    }
    structure->first[n] = length;
    higher = structure->higher;
    status = memory_resize(&higher, (size_t)length, sizeof(int32_t), "the core", err);
    structure->higher = higher;
    higher = NULL;
    if (status != STATUS_OK)
        goto cleanup;
    for (int32_t at = tree->fringe; at < tree->n; at++)
        join_core(pattern, tree, structure, &pieces, at, mark, end, structure->higher);

cleanup:
    memory_free(first);
    memory_free(higher);
    memory_free(end_memory);
    memory_free(mark_memory);
    memory_free(pieces.first);
    memory_free(pieces.root);
    if (status != STATUS_OK)
        structure_free(structure);
    return status;
}
