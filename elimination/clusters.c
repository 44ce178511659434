// SPDX-License-Identifier: MIT
#include "elimination/clusters.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/lowest_failure.h" // lowest_failure_note
#include "common/base/memory.h"         // memory_alloc
#include "common/base/splitmix64.h"     // splitmix64_mix
#include "common/base/threads.h"        // omp_get_thread_num
#include "elimination/separator.h"      // struct merged_graph, separator_find

#include <stdbool.h>
#include <string.h>

enum {
    MERGED = 60,        /* vertices of the coarsest graph that are aimed at for each cluster */
    FEW = 4,            /* the coarsest graph may have at most FEW times as many vertices as are
                           aimed at */
    WIDEST = 1 << 12,   /* most neighbours that the two vertices of a merged pair may have
                           together */
    LEVELS = 48,        /* most graphs, including the finest one */
    ROUNDS = 2,         /* rounds of matching for each coarser graph */
    TRIES = 1,          /* number of separators tried for each part */
    SMALLEST = 8,       /* parts of the coarsest graph with up to this number of vertices are not
                           parted */
    VERTICES = 1 << 11, /* vertices of a chunk that a thread takes */
};

/* Merging stops if it leaves more than this share of the vertices. */
static const double max_kept = 0.85;

struct coarsening {
    int threads;
    int32_t levels; /* number of merged graphs; the finest is level[0] */
    struct merged_graph level[LEVELS];
    int32_t *other;     /* vertex with which each vertex is matched, itself if with none, n
                           entries */
    int32_t *preferred; /* unmatched neighbour that each vertex prefers, n entries */
    int32_t *chunk;     /* by chunk of VERTICES vertices: number of coarse vertices before the
                           chunk's first one */
    int64_t *entry;     /* by chunk: number of entries of the coarse graph before the chunk's first
                           one */
    int64_t *room;      /* by chunk: number of entries of the matched pairs before the chunk's first
                           one */
    void *scratch;      /* memory of the arrays above */
    int32_t *apart;     /* entries of merged pairs before they move next to each other, twice as
                           many as the finest graph has */
};

/* Returns the number of threads for a graph of n vertices: all, or one if there is too little work
 * for all. No number between, because a team that changes its size starts threads. */
static int threads_for(const struct coarsening *m, int32_t n) {
    enum { CHUNKS = 8 };
    return n < CHUNKS * VERTICES ? 1 : m->threads;
}

static int32_t chunks_of(int32_t n) {
    return (n - 1) / VERTICES + 1;
}

static int32_t chunk_end(int32_t n, int32_t chunk) {
    return n - chunk * VERTICES < VERTICES ? n : (chunk + 1) * VERTICES;
}

static uint64_t scratch_bytes(int32_t n) {
    const uint64_t chunks = (uint64_t)chunks_of(n) + 1;
    return 2 * (uint64_t)n * sizeof(int32_t) + chunks * (sizeof(int32_t) + 2 * sizeof(int64_t));
}

static enum status begin(const struct pattern *pattern, struct coarsening *m, struct error *err) {
    const size_t n = (size_t)pattern->n, chunks = (size_t)chunks_of(pattern->n) + 1;
    const int64_t entries = pattern->first[n];
    RETURN_ON_FAILURE(memory_alloc(&m->scratch, scratch_bytes(pattern->n), 1, "the clusters", err));
    m->entry = m->scratch;
    m->room = m->entry + chunks;
    m->other = (int32_t *)(m->room + chunks);
    m->preferred = m->other + n;
    m->chunk = m->preferred + n;
    m->levels = 1;
    void *apart;
    RETURN_ON_FAILURE(
        memory_alloc(&apart, (size_t)entries, 2 * sizeof(int32_t), "the clusters", err));
    m->apart = apart;
    return merged_graph_of(pattern, m->threads, &m->level[0], err);
}

/* Returns a number by which ties between edges are broken: both ends of an edge find the same
 * number, and no two edges of a vertex have the same. */
static uint32_t lot(int32_t u, int32_t v) {
    const uint32_t low = (uint32_t)(u < v ? u : v), high = (uint32_t)(u < v ? v : u);
    return low * UINT32_C(2654435761) ^ high * UINT32_C(2246822519);
}

/* Returns the unmatched neighbour to which the most edges lead in relation to its size; among equal
 * ones the one with the highest lot; -1 if there is none. */
static int32_t prefer(const struct merged_graph *g, const int32_t *other, int32_t v, int64_t most) {
    int32_t best = -1, edges = 0, size = 1;
    uint32_t best_lot = 0;
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
        const int32_t u = g->to[e];
        if (other[u] >= 0 || (int64_t)g->size[u] + g->size[v] > most)
            continue;
        const int64_t here = (int64_t)g->merged[e] * size, there = (int64_t)edges * g->size[u];
        const uint32_t drawn = lot(u, v);
        if (here < there || (here == there && drawn <= best_lot))
            continue;
        best = u;
        edges = g->merged[e];
        size = g->size[u];
        best_lot = drawn;
    }
    return best;
}

/* Matches vertices that prefer each other, in ROUNDS rounds. */
static void match(struct coarsening *m, const struct merged_graph *g, int64_t most) {
    int32_t *const other = m->other, *const preferred = m->preferred;
#pragma omp parallel num_threads(threads_for(m, g->n))
    {
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++)
            other[v] = -1;
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(dynamic, VERTICES)
            for (int32_t v = 0; v < g->n; v++)
                preferred[v] = other[v] < 0 ? prefer(g, other, v, most) : -1;
#pragma omp for schedule(static)
            for (int32_t v = 0; v < g->n; v++) {
                if (preferred[v] >= 0 && preferred[preferred[v]] == v)
                    other[v] = preferred[v];
            }
        }
#pragma omp for schedule(static)
        for (int32_t v = 0; v < g->n; v++)
            other[v] = other[v] < 0 ? v : other[v];
    }
}

static int64_t degree(const struct merged_graph *g, int32_t v) {
    return g->first[v + 1] - g->first[v];
}

/* Numbers the pairs in the order of their lower vertices. Returns the largest number of neighbours
 * that the two vertices of a pair have together. */
static int64_t number_pairs(struct coarsening *m, struct merged_graph *g) {
    const int32_t *const other = m->other, chunks = chunks_of(g->n);
    int64_t widest = 0;
#pragma omp parallel for num_threads(threads_for(m, g->n)) schedule(dynamic, 1)                    \
    reduction(max                                                                                  \
              : widest)
    for (int32_t c = 0; c < chunks; c++) {
        int32_t pairs = 0;
        int64_t room = 0;
        for (int32_t v = c * VERTICES; v < chunk_end(g->n, c); v++) {
            if (other[v] < v)
                continue;
            const int64_t wide = degree(g, v) + (other[v] > v ? degree(g, other[v]) : 0);
            widest = wide > widest ? wide : widest;
            room += wide;
            pairs++;
        }
        m->chunk[c + 1] = pairs;
        m->room[c + 1] = room;
    }
    m->chunk[0] = 0;
    m->room[0] = 0;
    for (int32_t c = 0; c < chunks; c++) {
        m->chunk[c + 1] += m->chunk[c];
        m->room[c + 1] += m->room[c];
    }
#pragma omp parallel for num_threads(threads_for(m, g->n)) schedule(dynamic, 1)
    for (int32_t c = 0; c < chunks; c++) {
        int32_t number = m->chunk[c];
        for (int32_t v = c * VERTICES; v < chunk_end(g->n, c); v++) {
            if (other[v] >= v)
                g->coarse[v] = g->coarse[other[v]] = number++;
        }
    }
    return widest;
}

/* For one coarse vertex: where the entry that leads to each neighbour is. A hash table whose keys
 * are all -1 between two vertices. */
struct neighbour_slots {
    int32_t *key;
    int32_t *entry;
};

static uint32_t slots_for(int64_t neighbours) {
    uint32_t room = 8;
    while (room < 2 * neighbours)
        room *= 2;
    return room;
}

static uint32_t find_slot(const struct neighbour_slots *s, uint32_t room, int32_t key) {
    uint32_t at = ((uint32_t)key * UINT32_C(2654435761) >> 8) & (room - 1);
    while (s->key[at] >= 0 && s->key[at] != key)
        at = (at + 1) & (room - 1);
    return at;
}

/* Appends the entries of a pair to `to` and `merged`. Returns the number of entries. */
static int32_t merge_pair(const struct merged_graph *g, int32_t v, int32_t other,
                          const struct neighbour_slots *s, int32_t *to, int32_t *merged) {
    const int32_t both[2] = {v, other}, own = g->coarse[v];
    const uint32_t room = slots_for(degree(g, v) + (other > v ? degree(g, other) : 0));
    int32_t count = 0;
    for (int h = 0; h < (other > v ? 2 : 1); h++) {
        for (int64_t e = g->first[both[h]]; e < g->first[both[h] + 1]; e++) {
            const int32_t u = g->coarse[g->to[e]];
            if (u == own)
                continue;
            const uint32_t at = find_slot(s, room, u);
            if (s->key[at] < 0) {
                s->key[at] = u;
                s->entry[at] = count;
                to[count] = u;
                merged[count++] = 0;
            }
            merged[s->entry[at]] += g->merged[e];
        }
    }
    memset(s->key, -1, room * sizeof *s->key);
    return count;
}

/* Fills the coarse graph chunk by chunk of the finer one. Each chunk first writes its entries to
 * memory of its own. */
static void merge_pairs(struct coarsening *m, const struct merged_graph *g, struct merged_graph *up,
                        int32_t *slots, uint32_t room, int32_t *to, int32_t *merged) {
    const int32_t chunks = chunks_of(g->n);
#pragma omp parallel num_threads(threads_for(m, g->n))
    {
        struct neighbour_slots s = {slots + 2 * (size_t)room * (size_t)omp_get_thread_num(), NULL};
        s.entry = s.key + room;
        memset(s.key, -1, room * sizeof *s.key);
#pragma omp for schedule(dynamic, 1)
        for (int32_t c = 0; c < chunks; c++) {
            int64_t end = m->room[c];
            for (int32_t v = c * VERTICES; v < chunk_end(g->n, c); v++) {
                const int32_t other = m->other[v], pair = g->coarse[v];
                if (other < v)
                    continue;
                up->first[pair] = merge_pair(g, v, other, &s, to + end, merged + end);
                up->size[pair] = g->size[v] + (other > v ? g->size[other] : 0);
                end += up->first[pair];
            }
            m->entry[c + 1] = end - m->room[c];
        }
    }
    m->entry[0] = 0;
    for (int32_t c = 0; c < chunks; c++)
        m->entry[c + 1] += m->entry[c];
#pragma omp parallel for num_threads(threads_for(m, g->n)) schedule(dynamic, 1)
    for (int32_t c = 0; c < chunks; c++) {
        const size_t bytes = (size_t)(m->entry[c + 1] - m->entry[c]) * sizeof(int32_t);
        int64_t first = m->entry[c];
        memcpy(up->to + first, to + m->room[c], bytes);
        memcpy(up->merged + first, merged + m->room[c], bytes);
        for (int32_t pair = m->chunk[c]; pair < m->chunk[c + 1]; pair++) {
            const int64_t count = up->first[pair];
            up->first[pair] = first;
            first += count;
        }
    }
    up->first[up->n] = m->entry[chunks];
}

/* Adds a coarser graph, whose vertices stand for up to `most` vertices of the pattern. *merges:
 * false if merging leaves too many vertices or too long lists; no graph is added then. */
static enum status merge(struct coarsening *m, int64_t most, bool *merges, struct error *err) {
    struct merged_graph *const g = &m->level[m->levels - 1], *const up = g + 1;
    const size_t entries = (size_t)g->first[g->n];
    void *slots = NULL;
    enum status status = STATUS_OK;
    match(m, g, most);
    const int64_t widest = number_pairs(m, g);
    const int32_t pairs = m->chunk[chunks_of(g->n)];
    *merges = pairs <= max_kept * g->n && widest <= WIDEST && m->levels < LEVELS;
    if (!*merges)
        return STATUS_OK;
    const uint32_t room = slots_for(widest);
    TRY(memory_alloc(&slots, (size_t)m->threads * room, 2 * sizeof(int32_t), "the clusters", err));
    TRY(merged_graph_alloc(up, pairs, (int64_t)entries, err));
    m->levels++;
    up->weight = g->weight;
    merge_pairs(m, g, up, slots, room, m->apart, m->apart + entries);
    memory_free(g->edges);
    g->edges = NULL;

cleanup:
    memory_free(slots);
    if (status != STATUS_OK)
        merged_graph_free(up);
    return status;
}

/* State while the coarsest graph is parted. */
struct parting {
    int32_t largest;              /* largest weight of a cluster */
    int32_t *cluster;             /* by vertex of the coarsest graph: one of the vertices of its
                                  cluster, which stands for the cluster */
    struct lowest_failure failed; /* failure of the part with the lowest first vertex */
};

/* Moves the vertices of the separator to the side to which more of their edges lead; to the lighter
 * side if equally many do. */
static void share_separator(struct merged_graph *g) {
    int64_t weight[3] = {0, 0, 0};
    for (int32_t v = 0; v < g->n; v++)
        weight[g->side[v]] += g->size[v];
    for (int32_t v = 0; v < g->n; v++) {
        int64_t edges[3] = {0, 0, 0};
        if (g->side[v] != SEPARATOR)
            continue;
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++)
            edges[g->side[g->to[e]]] += g->merged[e];
        const bool is_right =
            edges[LEFT] != edges[RIGHT] ? edges[RIGHT] > edges[LEFT] : weight[RIGHT] < weight[LEFT];
        g->side[v] = is_right ? RIGHT : LEFT;
        weight[g->side[v]] += g->size[v];
    }
}

static void part(struct parting *p, struct merged_graph *g, const int32_t *name, uint64_t seed);

/* Splits the vertices of g on one side into clusters. count: number of these vertices; g->coarse:
 * number that each has among them. */
static enum status part_side(struct parting *p, const struct merged_graph *g, uint8_t side,
                             int32_t count, const int32_t *name, uint64_t seed, struct error *err) {
    struct merged_graph sub = {0};
    void *names = NULL;
    enum status status;
    TRY(memory_alloc(&names, (size_t)count, sizeof(int32_t), "the clusters", err));
    TRY(merged_graph_side(g, side, count, name, &sub, names, err));
    part(p, &sub, names, seed);

cleanup:
    merged_graph_free(&sub);
    memory_free(names);
    return status;
}

/* Splits g into clusters; its vertices are the vertices name[0 .. ] of the coarsest graph. */
static void part(struct parting *p, struct merged_graph *g, const int32_t *name, uint64_t seed) {
    int32_t count[2] = {0, 0};
    uint64_t random = splitmix64_mix(seed);
    struct error err;
    enum status status = STATUS_OK;
    if (g->weight > p->largest && g->n >= SMALLEST) {
        TRY(separator_find(g, TRIES, &random, &err));
        share_separator(g);
        for (int32_t v = 0; v < g->n; v++)
            g->coarse[v] = count[g->side[v]]++;
    }
    if (count[LEFT] == 0 || count[RIGHT] == 0) {
        for (int32_t v = 0; v < g->n; v++)
            p->cluster[name[v]] = name[0];
        return;
    }
#pragma omp task firstprivate(g, name, seed)
    {
        struct error left;
        const enum status found = part_side(p, g, LEFT, count[LEFT], name, 2 * seed + 1, &left);
        if (found != STATUS_OK)
            lowest_failure_note(&p->failed, name[0], found, &left);
    }
    status = part_side(p, g, RIGHT, count[RIGHT], name, 2 * seed + 2, &err);
#pragma omp taskwait

cleanup:
    if (status != STATUS_OK)
        lowest_failure_note(&p->failed, name[0], status, &err);
}

/* Splits the coarsest graph, and passes the clusters on to the vertices of the finest. Clusters are
 * numbered in the order of the vertices of the coarsest graph. */
static enum status find_clusters(struct coarsening *m, int32_t largest, int32_t *cluster,
                                 int32_t *clusters, struct error *err) {
    struct merged_graph *const top = &m->level[m->levels - 1];
    int32_t *const name = m->other, *const number = m->preferred, n = m->level[0].n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)top->n, sizeof(int32_t), "the clusters", err));
    struct parting parting = {.largest = largest, .cluster = memory};
    lowest_failure_begin(&parting.failed);
    for (int32_t v = 0; v < top->n; v++) {
        name[v] = v;
        number[v] = -1;
    }
#pragma omp parallel num_threads(m->threads)
#pragma omp single
    part(&parting, top, name, 0);
    *clusters = 0;
    for (int32_t v = 0; v < top->n && parting.failed.status == STATUS_OK; v++) {
        const int32_t in = parting.cluster[v];
        if (number[in] < 0)
            number[in] = (*clusters)++;
        name[v] = number[in];
    }
#pragma omp parallel for num_threads(m->threads) schedule(static)
    for (int32_t v = 0; v < n; v++) {
        int32_t at = v;
        for (int32_t l = 0; l + 1 < m->levels; l++)
            at = m->level[l].coarse[at];
        cluster[v] = at;
    }
#pragma omp parallel for num_threads(m->threads) schedule(static)
    for (int32_t v = 0; v < n; v++)
        cluster[v] = name[cluster[v]];
    memory_free(memory);
    return lowest_failure_end(&parting.failed, err);
}

enum status clusters_find(const struct pattern *pattern, int32_t largest, int threads,
                          int32_t *cluster, int32_t *clusters, struct error *err) {
    const int64_t wanted = (int64_t)MERGED * (pattern->n / largest + 1);
    const int64_t most = 3 * (int64_t)pattern->n / (2 * wanted) + 1;
    struct coarsening m = {.threads = threads};
    bool merges = true;
    enum status status;
    *clusters = 0;
    TRY(begin(pattern, &m, err));
    while (merges && m.level[m.levels - 1].n > wanted)
        TRY(merge(&m, most, &merges, err));
    if (m.level[m.levels - 1].n <= FEW * wanted)
        TRY(find_clusters(&m, largest, cluster, clusters, err));

cleanup:
    for (int32_t l = 0; l < LEVELS; l++)
        merged_graph_free(&m.level[l]);
    memory_free(m.scratch);
    memory_free(m.apart);
    return status;
}

uint64_t clusters_memory(int32_t n, int64_t entries) {
    enum { SLOTS = 1 << 22 }; /* bytes of all hash tables, and of splitting the coarsest graph */
    const double graphs = 1 / (1 - max_kept);
    const uint64_t vertices = (uint64_t)n * (sizeof(int64_t) + 2 * sizeof(int32_t) + 1);
    const uint64_t edges = memory_times((uint64_t)entries, 3 * 2 * sizeof(int32_t));
    return memory_add(memory_add(edges, (uint64_t)(graphs * (double)vertices)),
                      scratch_bytes(n) + SLOTS);
}
