// SPDX-License-Identifier: MIT
#include "certificate/gpu/gpu_level_proof.h"

#include "gpu/launch/flags.cuh"  // load_once, clear_bits
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // votes_of_warp, from_lane
#include "measures/set_counts.h" // gpu_sets_count

extern "C" {
#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph
}

namespace {

constexpr int threads = 512, warps = threads / warp_lanes;
constexpr size_t shared_bytes = 2 * threads * sizeof(uint32_t);
constexpr int set_words = LEVEL_PROOF_SOURCES / 32;
constexpr uint32_t all_bits = 0xffffffff;
constexpr int32_t many_edges = 256; // in-edges from which on a whole block takes a vertex
constexpr int vertices_of_warp = 8; // number of vertices of a warp, in one word of a bitmap
constexpr int sets_at_once = 8;     // number of sets that a warp loads at the same time

__device__ __forceinline__ bool has_bit(const uint32_t *bitmap, int32_t k) {
    return (bitmap[k / 32] >> k % 32 & 1) != 0;
}

// Words of a bitmap.
__host__ __device__ __forceinline__ size_t words_for(int32_t n) {
    return (static_cast<size_t>(n) + 31) / 32;
}

// A level and its arrays, as parameters of a kernel, which take no registers.
struct LevelArrays {
    int32_t source, level, ring;
    const uint32_t *own, *own_active;
    // Sets of tails of edges, above level 0: those of the level before or, by weight, all in the
    // ring.
    const uint32_t *below, *below_active;
};

LevelArrays arrays_of(const gpu_level &l, const gpu_level_proof &p) {
    const size_t level = static_cast<size_t>(l.level), ring = static_cast<size_t>(l.ring);
    const size_t sets = static_cast<size_t>(p.n) * set_words, words = words_for(p.n);
    const bool by_weight = p.steps > 1 || level == 0;
    LevelArrays made = {};
    made.source = l.source;
    made.level = l.level;
    made.ring = l.ring;
    made.own = l.sets + level % ring * sets;
    made.own_active = l.active + level * words;
    made.below = by_weight ? l.sets : l.sets + (level - 1) % ring * sets;
    made.below_active = by_weight ? l.active : l.active + (level - 1) * words;
    return made;
}

// A level of a vertex, a word in each lane. Unless `by_weight`, all edges weigh one level.
template <bool by_weight>
struct Check {
    const gpu_level_proof &p;
    const LevelArrays &l;
    int lane;
    int32_t *const list; // 32 sets, by number, in shared memory of the warp

    __device__ Check(const gpu_level_proof &proof, const LevelArrays &level, int32_t *lists)
        : p(proof), l(level), lane(static_cast<int>(threadIdx.x) % warp_lanes),
          list(lists + threadIdx.x / warp_lanes * warp_lanes) {
    }

    __device__ __forceinline__ size_t at(int32_t set) const {
        return static_cast<size_t>(set) * set_words + static_cast<size_t>(lane);
    }

    // Returns whether a level above 0 says anything of a vertex: something is there or, if
    // something follows from levels below, may have to be.
    __device__ __forceinline__ bool concerns(int32_t place, bool follows) const {
        return has_bit(l.own_active, place) || (follows && has_bit(p.open, place));
    }

    __device__ __forceinline__ uint32_t own_of(int32_t place) const {
        return has_bit(l.own_active, place) ? l.own[at(place)] : 0;
    }

    // Returns whether all sources have reached a vertex that has been reached by these.
    __device__ __forceinline__ static bool is_full(uint32_t reached) {
        return votes_of_warp(reached != all_bits) == 0;
    }

    // Returns whether something is at the tail of edge e, as many levels below as the edge weighs,
    // and stores the number of the set.
    __device__ __forceinline__ bool is_below(int64_t e, int32_t *set) const {
        const int32_t tail = p.tail[e];
        *set = tail;
        if constexpr (by_weight) {
            const int32_t level = l.level - p.weight[e];
            if (level < 0)
                return false;
            *set = level % l.ring * p.n + tail;
            return has_bit(l.below_active + static_cast<size_t>(level) * words_for(p.n), tail);
        }
        return has_bit(l.below_active, tail);
    }

    // The union of what is below over some of the in-edges: every `apart`-th 32 of them. It may
    // stop when the union has what is `enough`, if `may_stop`. Loads that do not depend on each
    // other are on their way at the same time.
    __device__ uint32_t unite(int64_t first, int64_t end, int64_t apart, bool may_stop,
                              uint32_t enough) const {
        uint32_t found = 0;
        bool stops = false;
        for (int64_t e = first; e < end && !stops; e += apart) {
            int32_t set = 0;
            const bool is_one = e + lane < end && is_below(e + lane, &set);
            const int32_t count = pack_lanes(is_one, set, list);
            for (int32_t next = 0; next < count && !stops; next += sets_at_once) {
                uint32_t part[sets_at_once];
#pragma unroll
                for (int k = 0; k < sets_at_once; k++)
                    part[k] = next + k < count ? load_once(&l.below[at(list[next + k])]) : 0;
#pragma unroll
                for (int k = 0; k < sets_at_once; k++)
                    found |= part[k];
                stops = may_stop && votes_of_warp((enough & ~found) != 0) == 0;
            }
            sync_warp();
        }
        return found;
    }

    // Notes that a vertex has been reached by these at this level, and by `reached` in all.
    __device__ void note(int32_t place, uint32_t own, uint32_t reached, bool wrong) const {
        if (votes_of_warp(wrong) != 0 && lane == 0)
            *p.wrong = 1;
        if (own != 0 || l.level == 0)
            p.seen[at(place)] = reached;
        if (is_full(reached) && lane == 0)
            clear_bits(&p.open[place / 32], 1u << place % 32);
        if (votes_of_warp(own != 0) == 0)
            return;
        if (lane == 0)
            p.any[l.level] = 1;
        if (p.by_vertex == nullptr)
            return;
        const int size = sum_of_warp(bits_set(own));
        if (lane == 0)
            p.by_vertex[static_cast<size_t>(l.level) * static_cast<size_t>(p.n) +
                        static_cast<size_t>(p.vertex[place])] += static_cast<uint32_t>(size);
    }

    // Level 0. Lanes that have no source count as having reached every vertex.
    __device__ void begin(int32_t place) const {
        const uint32_t own = own_of(place);
        const int32_t source = p.number[place] - l.source, left = p.sources - l.source - lane * 32;
        const uint32_t right = source >= 0 && source / 32 == lane ? 1u << source % 32 : 0;
        const uint32_t none = left >= 32 ? 0 : left <= 0 ? all_bits : all_bits << left;
        note(place, own, own | none, own != right);
    }

    // A level above 0 of a vertex to which `found` comes over its in-edges, or part of it if all
    // sources have reached the vertex now and the part has what is new.
    __device__ __forceinline__ void check(int32_t place, uint32_t own, uint32_t seen,
                                          uint32_t found) const {
        note(place, own, seen | own, ((own & (~found | seen)) | (found & ~(seen | own))) != 0);
    }
};

// A block takes a vertex of many edges, whose warps divide them.
template <bool by_weight>
__device__ void prove_hub(const Check<by_weight> &check, int32_t place, bool follows,
                          uint32_t *found_by_warps) {
    const gpu_level_proof &p = check.p;
    const int warp = static_cast<int>(threadIdx.x) / warp_lanes;
    if (check.l.level == 0) {
        if (warp == 0)
            check.begin(place);
        return;
    }
    if (!check.concerns(place, follows)) // the same for all threads
        return;
    const uint32_t own = check.own_of(place), seen = p.seen[check.at(place)];
    const int64_t first = p.first[place] + warp * warp_lanes, end = p.first[place + 1];
    uint32_t found = follows ? check.unite(first, end, threads, check.is_full(seen | own), own) : 0;
    found_by_warps[threadIdx.x] = found;
    __syncthreads();
    if (warp > 0)
        return;
    for (int k = 0; k < warps; k++)
        found |= found_by_warps[k * warp_lanes + check.lane];
    check.check(place, own, seen, found);
}

// A warp takes some vertices of few edges, of neighbouring places.
template <bool by_weight>
__device__ void prove_some(const Check<by_weight> &check, int32_t from, bool follows) {
    const gpu_level_proof &p = check.p;
    const int32_t mine = from + check.lane;
    const bool is_one = check.lane < vertices_of_warp && mine < p.n;
    const int64_t own_first = is_one ? p.first[mine] : 0, own_end = is_one ? p.first[mine + 1] : 0;
    uint32_t left = votes_of_warp(is_one && own_end - own_first < many_edges &&
                                  (check.l.level == 0 || check.concerns(mine, follows)));
    for (; left != 0; left &= left - 1) {
        const int k = lowest_bit(left);
        const int32_t place = from + k;
        const int64_t first = from_lane(own_first, k), end = from_lane(own_end, k);
        if (check.l.level == 0) {
            check.begin(place);
            continue;
        }
        const uint32_t own = check.own_of(place), seen = p.seen[check.at(place)];
        const bool may_stop = check.is_full(seen | own);
        check.check(place, own, seen,
                    follows ? check.unite(first, end, warp_lanes, may_stop, own) : 0);
    }
}

template <bool by_weight>
__global__ void __launch_bounds__(threads) prove(gpu_level_proof p, LevelArrays l) {
    DYNAMIC_SHARED(uint32_t, found_by_warps); // for each thread a word, and a set
    const Check<by_weight> check(p, l, reinterpret_cast<int32_t *>(found_by_warps) + threads);
    bool follows = false; // otherwise edges say nothing
    for (int32_t below = 1; below <= (by_weight ? p.steps : 1) && below <= l.level; below++)
        follows = follows || p.any[l.level - below] != 0;
    const int32_t block = static_cast<int32_t>(blockIdx.x) - p.hubs;
    if (block < 0)
        prove_hub(check, p.hub[blockIdx.x], follows, found_by_warps);
    else
        prove_some(check,
                   (block * warps + static_cast<int>(threadIdx.x) / warp_lanes) * vertices_of_warp,
                   follows);
}

// Stores whether places are each number below n once.
enum status are_places(const int32_t *place, int32_t n, bool *are, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, static_cast<size_t>(n), 1, "the places", err));
    bool *const taken = static_cast<bool *>(memory);
    for (int32_t v = 0; v < n; v++)
        taken[v] = false;
    *are = true;
    for (int32_t v = 0; v < n && *are; v++) {
        *are = place[v] >= 0 && place[v] < n && !taken[place[v]];
        if (*are)
            taken[place[v]] = true;
    }
    memory_free(memory);
    return STATUS_OK;
}

// Returns whether each weight is 1 .. steps times the unit.
bool are_steps(const struct gpu_level_claim *claim) {
    const struct graph *const g = claim->graph;
    if (g->type != NUMBER_INT32 || claim->unit < 1 || claim->steps > LEVEL_PROOF_STEPS)
        return false;
    for (int64_t e = 0; e < g->m; e++) {
        const int32_t steps = g->weight[e] / claim->unit;
        if (steps < 1 || steps > claim->steps || steps * claim->unit != g->weight[e])
            return false;
    }
    return true;
}

// The arrays in the memory, each at a multiple of 256 bytes; returns how many bytes they take.
size_t lay_out(struct gpu_level_proof *p, const struct gpu_level_claim *claim) {
    const size_t n = static_cast<size_t>(p->n), m = static_cast<size_t>(claim->graph->m);
    const size_t levels = static_cast<size_t>(p->levels);
    char *at = static_cast<char *>(p->memory);
    const char *const begin = at;
    const auto take = [&at](size_t bytes) {
        char *const here = at;
        at += (bytes + 255) / 256 * 256;
        return static_cast<void *>(here);
    };
    p->first = static_cast<int64_t *>(take((n + 1) * sizeof(int64_t)));
    p->tail = static_cast<int32_t *>(take(m * sizeof(int32_t)));
    p->weight = static_cast<uint8_t *>(take(p->steps > 1 ? m : 0));
    p->vertex = static_cast<int32_t *>(take(n * sizeof(int32_t)));
    p->number = static_cast<int32_t *>(take(n * sizeof(int32_t)));
    p->seen = static_cast<uint32_t *>(take(n * set_words * sizeof(uint32_t)));
    p->open = static_cast<uint32_t *>(take((n + 31) / 32 * sizeof(uint32_t)));
    p->by_source = static_cast<uint32_t *>(
        take(claim->by_source ? levels * sources_padded(p->sources) * sizeof(uint32_t) : 0));
    p->by_vertex =
        static_cast<uint32_t *>(take(claim->by_vertex ? levels * n * sizeof(uint32_t) : 0));
    p->hub = static_cast<int32_t *>(take((m / many_edges + 1) * sizeof(int32_t)));
    p->any = static_cast<int32_t *>(take((levels + 1) * sizeof(int32_t)));
    p->wrong = p->any + levels;
    p->weight = p->steps > 1 ? p->weight : nullptr;
    p->by_source = claim->by_source ? p->by_source : nullptr;
    p->by_vertex = claim->by_vertex ? p->by_vertex : nullptr;
    return static_cast<size_t>(at - begin);
}

// The in-edges of the loaded graph by place: the places of the tails ascend, so that those of many
// edges, if places are in that order, come first, and a vertex soon has what is enough.
struct InEdges {
    int64_t *first = nullptr;
    int32_t *tail = nullptr;
    uint8_t *weight = nullptr; // of each edge, in units; nullptr: all are 1
    int32_t *vertex = nullptr; // at each place

    ~InEdges() {
        memory_free(first);
        memory_free(tail);
        memory_free(weight);
        memory_free(vertex);
    }
    InEdges() = default;
    InEdges(const InEdges &) = delete;
    InEdges &operator=(const InEdges &) = delete;
};

enum status find_in_edges(const struct gpu_level_claim *claim, InEdges *in, struct error *err) {
    const struct graph *const g = claim->graph;
    const size_t n = static_cast<size_t>(g->n), m = static_cast<size_t>(g->m);
    const char *const what = "the in-edges";
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n + 1, sizeof(int64_t), what, err));
    in->first = static_cast<int64_t *>(memory);
    RETURN_ON_FAILURE(memory_alloc(&memory, m + 1, sizeof(int32_t), what, err));
    in->tail = static_cast<int32_t *>(memory);
    if (claim->steps > 1) {
        RETURN_ON_FAILURE(memory_alloc(&memory, m + 1, sizeof(uint8_t), what, err));
        in->weight = static_cast<uint8_t *>(memory);
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(int32_t), what, err));
    in->vertex = static_cast<int32_t *>(memory);
    for (int32_t v = 0; v < g->n; v++)
        in->vertex[claim->place[v]] = v;
    for (size_t place = 0; place <= n; place++)
        in->first[place] = 0;
    for (size_t e = 0; e < m; e++)
        in->first[claim->place[g->head[e]] + 1]++;
    for (size_t place = 0; place < n; place++)
        in->first[place + 1] += in->first[place];
    // Filling moves each start to the next one.
    for (int32_t place = 0; place < g->n; place++) {
        const int32_t u = in->vertex[place];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t to = in->first[claim->place[g->head[e]]]++;
            in->tail[to] = place;
            if (claim->steps > 1)
                in->weight[to] = static_cast<uint8_t>(g->weight[e] / claim->unit);
        }
    }
    for (size_t place = n; place > 0; place--)
        in->first[place] = in->first[place - 1];
    in->first[0] = 0;
    return STATUS_OK;
}

// The vertices that blocks take.
enum status upload_hubs(struct gpu_level_proof *p, const InEdges &in, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, static_cast<size_t>(in.first[p->n] / many_edges + 1),
                                   sizeof(int32_t), "the vertices of many edges", err));
    int32_t *const hub = static_cast<int32_t *>(memory);
    p->hubs = 0;
    for (int32_t place = 0; place < p->n; place++) {
        if (in.first[place + 1] - in.first[place] >= many_edges)
            hub[p->hubs++] = place;
    }
    const enum status status = gpu_check(
        cudaMemcpy(p->hub, hub, static_cast<size_t>(p->hubs) * sizeof *hub, cudaMemcpyHostToDevice),
        "copying the graph", err);
    memory_free(memory);
    return status;
}

// Which source is at each place.
enum status upload_sources(struct gpu_level_proof *p, const struct gpu_level_claim *claim,
                           struct error *err) {
    const size_t n = static_cast<size_t>(p->n);
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(int32_t), "the places of sources", err));
    int32_t *const number = static_cast<int32_t *>(memory);
    for (size_t place = 0; place < n; place++)
        number[place] = -1;
    for (int32_t k = 0; k < p->sources; k++)
        number[claim->place[claim->source[k]]] = k;
    const enum status status =
        gpu_check(cudaMemcpy(p->number, number, n * sizeof(int32_t), cudaMemcpyHostToDevice),
                  "copying the sources", err);
    memory_free(memory);
    return status;
}

enum status upload(struct gpu_level_proof *p, const struct gpu_level_claim *claim,
                   struct error *err) {
    const size_t n = static_cast<size_t>(p->n), m = static_cast<size_t>(claim->graph->m);
    const size_t levels = static_cast<size_t>(p->levels);
    const char *const doing = "copying the graph";
    InEdges in;
    RETURN_ON_FAILURE(find_in_edges(claim, &in, err));
    RETURN_ON_FAILURE(upload_hubs(p, in, err));
    RETURN_ON_FAILURE(upload_sources(p, claim, err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemcpy(p->first, in.first, (n + 1) * sizeof(int64_t), cudaMemcpyHostToDevice),
                  doing, err));
    if (m > 0)
        RETURN_ON_FAILURE(gpu_check(
            cudaMemcpy(p->tail, in.tail, m * sizeof(int32_t), cudaMemcpyHostToDevice), doing, err));
    if (p->weight != nullptr)
        RETURN_ON_FAILURE(
            gpu_check(cudaMemcpy(p->weight, in.weight, m, cudaMemcpyHostToDevice), doing, err));
    RETURN_ON_FAILURE(gpu_check(
        cudaMemcpy(p->vertex, in.vertex, n * sizeof(int32_t), cudaMemcpyHostToDevice), doing, err));
    if (p->by_source != nullptr)
        RETURN_ON_FAILURE(gpu_check(
            cudaMemset(p->by_source, 0, levels * sources_padded(p->sources) * sizeof(uint32_t)),
            doing, err));
    if (p->by_vertex != nullptr)
        RETURN_ON_FAILURE(
            gpu_check(cudaMemset(p->by_vertex, 0, levels * n * sizeof(uint32_t)), doing, err));
    return gpu_check(cudaMemset(p->any, 0, (levels + 1) * sizeof(int32_t)), doing, err);
}

} // namespace

extern "C" {

enum status gpu_level_proof_open(struct gpu_level_proof *proof, const struct gpu_level_claim *claim,
                                 struct error *err) {
    bool are = false;
    *proof = {};
    proof->n = claim->graph->n;
    proof->sources = claim->sources;
    proof->levels = claim->levels;
    proof->last = claim->last;
    proof->steps = claim->steps;
    proof->taken = -1;
    RETURN_ON_FAILURE(are_places(claim->place, proof->n, &are, err));
    if (!are || !are_steps(claim))
        return STATUS_OK;
    proof->bytes = lay_out(proof, claim);
    if (cudaMalloc(&proof->memory, proof->bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        proof->memory = nullptr;
        return STATUS_OK;
    }
    lay_out(proof, claim);
    const enum status status = upload(proof, claim, err);
    proof->is_ready = status == STATUS_OK;
    return status;
}

void gpu_level_proof_close(struct gpu_level_proof *proof) {
    cudaFree(proof->memory);
    *proof = {};
}

enum status gpu_level_proof_take(struct gpu_level_proof *proof, const struct gpu_level *level,
                                 struct error *err) {
    if (level->level != 0 && level->level != proof->taken + 1)
        return fail(err, STATUS_NO_RESOURCE, "levels come out of order");
    if (level->ring <= proof->steps)
        return fail(err, STATUS_NO_RESOURCE, "levels that edges come from are not there");
    proof->taken = level->level;
    if (level->level == 0) {
        RETURN_ON_FAILURE(gpu_check(
            cudaMemsetAsync(proof->any, 0, static_cast<size_t>(proof->levels) * sizeof(int32_t),
                            nullptr),
            "forgetting a batch", err));
        RETURN_ON_FAILURE(gpu_check(
            cudaMemsetAsync(proof->open, 0xff, words_for(proof->n) * sizeof(uint32_t), nullptr),
            "forgetting a batch", err));
    }
    const LevelArrays arrays = arrays_of(*level, *proof);
    RETURN_ON_FAILURE(launch(err, proof->steps > 1 ? prove<true> : prove<false>,
                             dim3(static_cast<unsigned>(proof->hubs) +
                                  tiles_covering(proof->n, warps * vertices_of_warp)),
                             dim3(threads), shared_bytes, *proof, arrays));
    if (proof->by_source == nullptr)
        return STATUS_OK;
    const struct gpu_sets sets = {arrays.own, arrays.own_active, words_for(proof->n)};
    return gpu_sets_count(&sets,
                          proof->by_source +
                              static_cast<size_t>(level->level) * sources_padded(proof->sources) +
                              level->source,
                          err);
}

enum status gpu_level_proof_end(const struct gpu_level_proof *proof, bool *proved,
                                struct error *err) {
    int32_t wrong = 0, any[LEVEL_PROOF_STEPS] = {0};
    const int32_t first = proof->taken < proof->steps ? 0 : proof->taken - proof->steps + 1;
    const int32_t count = proof->taken - first + 1;
    RETURN_ON_FAILURE(read_flag(proof->wrong, &wrong, err));
    RETURN_ON_FAILURE(
        gpu_check(cudaMemcpy(any, proof->any + first, static_cast<size_t>(count) * sizeof *any,
                             cudaMemcpyDeviceToHost),
                  "proving", err));
    bool follows = false;
    for (int32_t k = 0; k < count; k++)
        follows = follows || any[k] != 0;
    *proved = wrong == 0 && (!follows || proof->taken == proof->last);
    return STATUS_OK;
}

} // extern "C"
