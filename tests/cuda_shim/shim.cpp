// SPDX-License-Identifier: MIT
// Threads of a block are fibres: each has a stack, runs until it reaches a
// barrier, its end or, among blocks that run together, a pause, and then hands
// over to the next; the last one to the scheduler. When all have reached the
// barrier the next round begins.
#include "cuda_runtime.h"

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SHIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHIM_ASAN 1
#endif
#endif
#ifdef SHIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace {

// Switching stacks ------------------------------------------------------------

// For functions that switch. Threads mostly hand over to one another at the same barrier, where
// the processor predicts the returns right, because those of the one lead where those of the other
// do: none may have a level of calls more.
#define INLINE inline __attribute__((always_inline))

// Saves the callee-saved registers on the present stack, stores its pointer in
// *save and goes on where `to` was saved. Hand-written because swapcontext makes
// a system call for the signal mask: a block step has 10^5 switches.
extern "C" void cuda_shim_switch(void **save, void *to);

#if defined(__x86_64__)
asm(R"(
    .text
    .globl cuda_shim_switch
    .type cuda_shim_switch, @function
cuda_shim_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size cuda_shim_switch, .-cuda_shim_switch
)");

// A stack on which the first switch "returns" into entry().
void *prepare_stack(char *stack, size_t size, void (*entry)()) {
    enum { SAVED_REGISTERS = 6 };
    auto top = reinterpret_cast<void **>(stack + size);
    *--top = nullptr; // what entry() would return to; keeps the stack aligned
    *--top = reinterpret_cast<void *>(entry);
    for (int r = 0; r < SAVED_REGISTERS; r++)
        *--top = nullptr;
    return top;
}
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl cuda_shim_switch
    .type cuda_shim_switch, @function
cuda_shim_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size cuda_shim_switch, .-cuda_shim_switch
)");

void *prepare_stack(char *stack, size_t size, void (*entry)()) {
    enum { FRAME_WORDS = 20, LINK_REGISTER = 11 };
    auto frame = reinterpret_cast<void **>(stack + size) - FRAME_WORDS;
    memset(static_cast<void *>(frame), 0, FRAME_WORDS * sizeof *frame);
    frame[LINK_REGISTER] = reinterpret_cast<void *>(entry);
    return frame;
}
#else
#error "the CUDA shim knows how to switch stacks on x86-64 and AArch64 only"
#endif

// Fibres ----------------------------------------------------------------------

const size_t stack_bytes = 256 * 1024;
const unsigned max_threads = 1024;
const unsigned lanes = cuda_shim_lanes; // of a warp

unsigned multiprocessors = 2;
const int idle_rounds = 10000; // after which nothing is expected to happen any more

// Sixteen bytes on their way into shared memory.
struct Piece {
    int4 *to;
    const int4 *from;
};

struct Fibre {
    char *stack = nullptr;
    size_t usable = 0;  // bytes of it
    void *at = nullptr; // saved stack pointer
    void *fake_stack = nullptr;
    unsigned thread = 0;    // in the block
    unsigned votes = 0;     // that it has taken part in
    unsigned exchanges = 0; // the same, within its warp
    uint3 index = {0, 0, 0};
    std::vector<Piece> pieces;  // that have not arrived
    std::vector<size_t> groups; // how many of them belong to each group that is closed
};

// The words that the threads of a warp exchange: those of this exchange and of the one before,
// which some threads may have yet to read.
struct Warp {
    uint64_t words[2][lanes];
    std::vector<Fibre *> waiting; // who has come to this exchange
};

struct Block {
    uint3 index = {0, 0, 0};
    std::unique_ptr<char[]> shared;
    bool begun = false;
    bool paused_since_barrier = false;
    unsigned ended = 0;            // threads
    unsigned votes[3] = {0, 0, 0}; // at barriers that count them
    std::vector<Fibre *> ready, waiting, paused;
    Warp warps[max_threads / lanes];
};

struct Scheduler {
    std::deque<Fibre> fibres;
    std::vector<Fibre *> idle; // the one that finished last is taken first: its stack is in cache
    Fibre *current = nullptr;
    bool entering = false; // a fibre, not from another one
    void *at = nullptr;    // saved stack pointer of the scheduler itself
    void *fake_stack = nullptr;
    const void *stack_bottom = nullptr; // known once a fibre has been entered
    size_t stack_size = 0;
    const std::function<void()> *thread = nullptr;
    Block *block = nullptr; // whose turn it is
    // Threads that have not begun; those that have begun and can go on are in block->ready.
    std::vector<unsigned> starting;
    size_t next = 0, end = 0;
    bool together = false; // other blocks run at the same time
    bool overlap = false;  // so do those of ordinary launches
    bool released = false; // a flag since the last round began
    unsigned blocks_per_multiprocessor = 16;
    cuda_shim_order order = CUDA_SHIM_ASCENDING;
    std::mt19937 random{1};
};

Scheduler scheduler;

// Tells AddressSanitizer which stack comes next, if it is there at all.
void leaving(void **fake_stack, const void *bottom, size_t size) {
#ifdef SHIM_ASAN
    __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#else
    (void)fake_stack, (void)bottom, (void)size;
#endif
}

void arrived_in_fibre(void *fake_stack) {
#ifdef SHIM_ASAN
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
    if (scheduler.entering) {
        scheduler.stack_bottom = bottom;
        scheduler.stack_size = size;
    }
    scheduler.entering = false;
#else
    (void)fake_stack;
#endif
}

void arrived_in_scheduler() {
#ifdef SHIM_ASAN
    __sanitizer_finish_switch_fiber(scheduler.fake_stack, nullptr, nullptr);
#endif
}

Fibre *start_fibre(unsigned thread);

// Whose turn it is next; null if that is the scheduler's.
INLINE Fibre *next_fibre() {
    if (scheduler.next == scheduler.end)
        return nullptr;
    const size_t next = scheduler.next++;
    if (!scheduler.block->begun)
        return start_fibre(scheduler.starting[next]);
    // Each stack is in a page of its own, that of the next but one not in the first cache.
    Fibre *const *const ready = scheduler.block->ready.data();
    __builtin_prefetch(ready[next + 2 < scheduler.end ? next + 2 : next]->at);
    return ready[next];
}

// From the fibre that runs, which may have ended, to the next.
INLINE void hand_over(bool ended) {
    Fibre *fibre = scheduler.current, *next = next_fibre();
    void *to = scheduler.at;
    leaving(ended ? nullptr : &fibre->fake_stack,
            next != nullptr ? next->stack : scheduler.stack_bottom,
            next != nullptr ? stack_bytes : scheduler.stack_size);
    if (next != nullptr) {
        scheduler.current = next;
        threadIdx = next->index;
        to = next->at;
    }
    cuda_shim_switch(&fibre->at, to);
    arrived_in_fibre(fibre->fake_stack);
}

// From the scheduler to the first fibre of a turn.
void enter(Fibre *fibre) {
    scheduler.current = fibre;
    scheduler.entering = true;
    threadIdx = fibre->index;
    leaving(&scheduler.fake_stack, fibre->stack, stack_bytes);
    cuda_shim_switch(&scheduler.at, fibre->at);
    arrived_in_scheduler();
}

// Puts what is in ascending order into the order asked for.
template <typename T>
void arrange(std::vector<T> &sequence) {
    if (scheduler.order == CUDA_SHIM_DESCENDING)
        std::reverse(sequence.begin(), sequence.end());
    if (scheduler.order == CUDA_SHIM_SHUFFLED)
        std::shuffle(sequence.begin(), sequence.end(), scheduler.random);
}

std::vector<unsigned> turns(unsigned count) {
    std::vector<unsigned> sequence(count);
    for (unsigned k = 0; k < count; k++)
        sequence[k] = k;
    arrange(sequence);
    return sequence;
}

// Its pages cost nothing until they are touched. The guard below shows an
// overflow and keeps the stacks from being merged into huge pages.
char *new_stack() {
    const size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
        perror("cuda shim: no stack for a thread");
        abort();
    }
    return static_cast<char *>(memory) + guard;
}

void make_fibre() {
    const size_t line = 64, colours = 61; // stacks must not all meet in the same cache sets
    const size_t f = scheduler.fibres.size();
    scheduler.fibres.emplace_back();
    scheduler.fibres.back().stack = new_stack();
    scheduler.fibres.back().usable = stack_bytes - f % colours * line;
    scheduler.idle.push_back(&scheduler.fibres.back());
}

// Makes the fibre that thread of the block.
void become(Fibre *fibre, unsigned thread) {
    fibre->thread = thread;
    fibre->votes = fibre->exchanges = 0;
    fibre->pieces.clear();
    fibre->groups.clear();
    fibre->index = {thread % blockDim.x, thread / blockDim.x % blockDim.y,
                    thread / (blockDim.x * blockDim.y)};
}

// Where a fibre begins. While there are threads to start, what has ended becomes the next one:
// without barriers all have the same stack.
void fibre_entry() {
    arrived_in_fibre(nullptr);
    Fibre *const fibre = scheduler.current;
    for (;;) {
        (*scheduler.thread)();
        scheduler.block->ended++;
        if (scheduler.block->begun || scheduler.next == scheduler.end)
            break;
        become(fibre, scheduler.starting[scheduler.next++]);
        threadIdx = fibre->index;
    }
    scheduler.idle.push_back(fibre);
    hand_over(true);
    abort(); // a finished fibre is not resumed
}

Fibre *start_fibre(unsigned thread) {
    if (scheduler.idle.empty())
        make_fibre();
    Fibre *fibre = scheduler.idle.back();
    scheduler.idle.pop_back();
#ifdef SHIM_ASAN
    // The frames in which its last run ended were never left.
    if (fibre->at != nullptr)
        __asan_unpoison_memory_region(
            fibre->at,
            static_cast<size_t>(fibre->stack + stack_bytes - static_cast<char *>(fibre->at)));
#endif
    fibre->at = prepare_stack(fibre->stack, fibre->usable, fibre_entry);
    become(fibre, thread);
    return fibre;
}

// Makes a block that does not run into block `number` of the grid.
void set_up(Block &block, unsigned number, size_t shared_bytes) {
    block.index = {number % gridDim.x, number / gridDim.x % gridDim.y,
                   number / (gridDim.x * gridDim.y)};
    block.shared.reset(new char[shared_bytes]);
    memset(block.shared.get(), 0xa5, shared_bytes);
    block.begun = block.paused_since_barrier = false;
    block.ended = block.votes[0] = block.votes[1] = block.votes[2] = 0;
    block.ready.clear();
    block.paused.clear();
    for (Warp &warp : block.warps)
        warp.waiting.clear();
}

// Makes those who can run next ready: who paused and, once all threads have
// arrived, who waits at the barrier.
void make_ready(Block &block, unsigned threads) {
    if (!block.waiting.empty() && block.ended > 0) {
        fprintf(stderr, "cuda shim: %u of %u threads returned while others wait\n", block.ended,
                threads);
        abort();
    }
    block.paused_since_barrier |= !block.paused.empty();
    block.ready.insert(block.ready.end(), block.paused.begin(), block.paused.end());
    block.paused.clear();
    if (block.waiting.size() == threads) {
        block.ready.swap(block.waiting);
        if (block.paused_since_barrier && scheduler.order != CUDA_SHIM_SHUFFLED) {
            std::sort(block.ready.begin(), block.ready.end(),
                      [](Fibre *a, Fibre *b) { return a->thread < b->thread; });
            arrange(block.ready);
        }
        block.paused_since_barrier = false;
    }
    if (scheduler.order == CUDA_SHIM_SHUFFLED)
        arrange(block.ready);
}

// How many of the threads that can run do so. If the order is shuffled, some of the threads of
// blocks that run together lag behind what other blocks do.
size_t count_going(const Block &block) {
    const size_t ready = block.ready.size();
    const bool lag = scheduler.together && scheduler.order == CUDA_SHIM_SHUFFLED && ready > 0;
    return lag ? 1 + scheduler.random() % ready : ready;
}

// Lets threads that can run do so once. Returns whether one of them reached a barrier
// or its end.
bool take_turn(Block &block, unsigned threads) {
    const size_t stopped = block.waiting.size() + block.ended;
    scheduler.block = &block;
    blockIdx = block.index;
    scheduler.next = 0;
    scheduler.end = block.begun ? count_going(block) : threads;
    if (!block.begun)
        scheduler.starting = turns(threads);
    if (Fibre *const first = next_fibre())
        enter(first);
    if (block.begun)
        block.ready.erase(block.ready.begin(),
                          block.ready.begin() + static_cast<ptrdiff_t>(scheduler.end));
    block.begun = true;
    const bool moved = block.waiting.size() + block.ended > stopped;
    make_ready(block, threads);
    if (block.ready.empty() && block.ended < threads) {
        fprintf(stderr, "cuda shim: threads of a warp wait for others of it\n");
        abort();
    }
    return moved;
}

// Blocks that exist at the same time, each with one turn in a round. When one ends, the last of
// `later` begins in its place.
void run_together(std::vector<Block> &blocks, unsigned threads, std::vector<unsigned> later,
                  size_t shared_bytes) {
    std::vector<unsigned> running = turns(static_cast<unsigned>(blocks.size()));
    int idle = 0;
    while (!running.empty()) {
        bool moved = false;
        scheduler.released = false;
        for (unsigned b : running)
            moved |= take_turn(blocks[b], threads);
        for (unsigned b : running) {
            if (blocks[b].ended < threads || later.empty())
                continue;
            set_up(blocks[b], later.back(), shared_bytes);
            later.pop_back();
        }
        running.erase(std::remove_if(running.begin(), running.end(),
                                     [&](unsigned b) { return blocks[b].ended == threads; }),
                      running.end());
        if (scheduler.order == CUDA_SHIM_SHUFFLED)
            arrange(running);
        idle = moved || scheduler.released ? 0 : idle + 1;
        if (idle == idle_rounds) {
            fprintf(stderr, "cuda shim: all blocks wait for one another\n");
            abort();
        }
    }
}

// The runtime -----------------------------------------------------------------

// Whose turn it is among threads of the host. Kernels of one launch call nothing that takes it.
std::recursive_mutex host_turn;
using Turn = std::lock_guard<std::recursive_mutex>;

thread_local cudaError_t last_error = cudaSuccess;
int calls_until_failure = 0;
// Programs on the shim have their device lost by the environment.
int calls_until_loss = getenv("CUDA_SHIM_LOSE_AFTER") ? atoi(getenv("CUDA_SHIM_LOSE_AFTER")) : 0;
bool lost = false;
int devices = getenv("APSP_SHIM_DEVICES") ? atoi(getenv("APSP_SHIM_DEVICES")) : 1;
thread_local int selected_device;
size_t memory_bytes = size_t(1) << 30;
int smallest_device = -1; // of half the memory
int capability_major = 9;
int max_shared_bytes = 227 * 1024;
int64_t clock_cycles = 0;
int cycles_a_look = 1;
int held = 0;

struct Copy {
    void *to;
    const void *from;
    size_t size;
    enum cudaMemcpyKind kind;
    size_t number;                 // from 0
    bool apart;                    // in a stream of its own
    bool begun;                    // what the device has of it is done
    std::unique_ptr<char[]> taken; // from the device, if begun
};

// Asynchronous copies that nothing has waited for.
std::deque<Copy> pending;
size_t copies_started = 0;

// The number of events that have been recorded, and how many of them have been waited for.
size_t records = 0, records_waited_for = 0;

// Comes before the device's memory is used, which the copies before have done then.
void begin_copies() {
    for (Copy &copy : pending) {
        if (copy.begun || copy.apart)
            continue;
        copy.begun = true;
        if (copy.kind == cudaMemcpyHostToDevice) {
            memcpy(copy.to, copy.from, copy.size);
        } else {
            copy.taken.reset(new char[copy.size]);
            memcpy(copy.taken.get(), copy.from, copy.size);
        }
    }
}

// If two copies go to the same place on the host, the first would be lost if the device is fast.
void check_place(const void *to, size_t size) {
    const auto begin = static_cast<const char *>(to);
    for (const Copy &copy : pending) {
        const auto other = static_cast<const char *>(copy.to);
        if (copy.kind == cudaMemcpyDeviceToHost && begin < other + copy.size &&
            other < begin + size) {
            fprintf(stderr, "cuda shim: two copies to the same place are under way\n");
            abort();
        }
    }
}

// Makes those of the first `count` of all copies ever started happen that are in the default stream
// and, if `apart`, those in others.
void finish_copies(size_t count, bool apart) {
    std::deque<Copy> left;
    for (Copy &copy : pending) {
        if (copy.number >= count || (copy.apart && !apart)) {
            left.push_back(std::move(copy));
            continue;
        }
        if (copy.kind == cudaMemcpyDeviceToHost || !copy.begun)
            memcpy(copy.to, copy.begun ? copy.taken.get() : copy.from, copy.size);
    }
    pending.swap(left);
}

// A synchronous copy comes after what the default stream was asked for before, and one to the host
// has waited for all of it.
void before_copy(enum cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDeviceToHost) {
        finish_copies(copies_started, false);
        records_waited_for = records;
    } else {
        begin_copies();
    }
}

// Sizes in bytes of the allocations on the device, by address.
std::map<const char *, size_t> allocations;

// Memory is about to be released.
void release_memory(void *memory) {
    const auto allocation = allocations.find(static_cast<char *>(memory));
    if (allocation == allocations.end())
        return;
    const auto inside = [&](const void *at) {
        const char *address = static_cast<const char *>(at);
        return address >= allocation->first && address < allocation->first + allocation->second;
    };
    for (const Copy &copy : pending) {
        if (inside(copy.to) || inside(copy.from)) {
            fprintf(stderr, "cuda shim: memory is released while a copy is under way\n");
            abort();
        }
    }
    allocations.erase(allocation);
}

cudaError_t result_of_call() {
    if (calls_until_loss > 0 && --calls_until_loss == 0) {
        lost = true;
        pending.clear(); // they never arrive
    }
    const bool fails = calls_until_failure > 0 && --calls_until_failure == 0;
    return fails || lost ? cudaErrorUnknown : cudaSuccess;
}

// Calls that fail only if the device is lost.
cudaError_t unless_lost() {
    return lost ? cudaErrorUnknown : cudaSuccess;
}

// Stores the answer of a call, or garbage if the call fails; returns the call's result.
template <typename T>
cudaError_t answer(T *to, const T &value) {
    const cudaError_t result = result_of_call();
    memset(static_cast<void *>(to), 0xa5, sizeof *to);
    if (result == cudaSuccess)
        *to = value;
    return result;
}

unsigned volume(dim3 size) {
    return size.x * size.y * size.z;
}

// Otherwise last_error says why not.
bool may_launch(dim3 grid, dim3 block, unsigned max_blocks) {
    if (volume(block) == 0 || volume(block) > max_threads || volume(grid) == 0 || grid.y > 65535 ||
        grid.z > 65535)
        last_error = cudaErrorInvalidConfiguration;
    else if (volume(grid) > max_blocks)
        last_error = cudaErrorCooperativeLaunchTooLarge;
    else
        last_error = result_of_call();
    if (last_error == cudaSuccess)
        begin_copies();
    return last_error == cudaSuccess;
}

} // namespace

struct CUevent_st {
    std::chrono::steady_clock::time_point time;
    size_t copies; // started before it was recorded
    size_t number; // of the record, from 1
    int device;
    bool queried; // since it was recorded
};

struct CUstream_st {
    int device;
};

void cuda_shim_check_stream(cudaStream_t stream) {
    if (stream == nullptr || stream->device == selected_device)
        return;
    fprintf(stderr, "cuda shim: a stream of another device than the one selected\n");
    abort();
}

void __syncthreads() {
    scheduler.block->waiting.push_back(scheduler.current);
    hand_over(false);
}

// Three counts take turns. Who has come to this barrier has read that of the vote before, which
// is made 0 for the vote after the next.
int __syncthreads_or(int predicate) {
    unsigned *const votes = scheduler.block->votes;
    const unsigned number = scheduler.current->votes++;
    votes[number % 3] += predicate != 0;
    scheduler.block->waiting.push_back(scheduler.current);
    hand_over(false);
    votes[(number + 2) % 3] = 0;
    return votes[number % 3] > 0;
}

int __syncthreads_and(int predicate) {
    return !__syncthreads_or(!predicate);
}

const uint64_t *cuda_shim_exchange(uint64_t word) {
    Fibre *const fibre = scheduler.current;
    Block &block = *scheduler.block;
    const unsigned first = fibre->thread / lanes * lanes;
    const unsigned size = std::min(lanes, volume(blockDim) - first);
    Warp &warp = block.warps[first / lanes];
    uint64_t *const words = warp.words[fibre->exchanges++ % 2];
    words[fibre->thread - first] = word;
    warp.waiting.push_back(fibre);
    if (warp.waiting.size() < size) {
        hand_over(false);
    } else { // who comes last lets the others go on, and does so itself
        block.paused.insert(block.paused.end(), warp.waiting.begin(), warp.waiting.end() - 1);
        warp.waiting.clear();
    }
    return words;
}

void cuda_shim_copy_async(int4 *to, const int4 *from) {
    const bool late = scheduler.order == CUDA_SHIM_ASCENDING ||
                      (scheduler.order == CUDA_SHIM_SHUFFLED && scheduler.random() % 2 == 0);
    if (late)
        scheduler.current->pieces.push_back({to, from});
    else
        *to = *from;
}

void cuda_shim_copy_commit() {
    Fibre *fibre = scheduler.current;
    size_t closed = 0;
    for (size_t count : fibre->groups)
        closed += count;
    fibre->groups.push_back(fibre->pieces.size() - closed);
}

void cuda_shim_copy_wait(unsigned left) {
    Fibre *fibre = scheduler.current;
    if (fibre->groups.size() <= left)
        return;
    const auto end = fibre->groups.end() - static_cast<ptrdiff_t>(left);
    size_t arrive = 0;
    for (auto group = fibre->groups.begin(); group != end; group++)
        arrive += *group;
    for (size_t p = 0; p < arrive; p++)
        *fibre->pieces[p].to = *fibre->pieces[p].from;
    fibre->groups.erase(fibre->groups.begin(), end);
    fibre->pieces.erase(fibre->pieces.begin(),
                        fibre->pieces.begin() + static_cast<ptrdiff_t>(arrive));
}

void cuda_shim_pause() {
    if (!scheduler.together)
        return;
    scheduler.block->paused.push_back(scheduler.current);
    hand_over(false);
}

void cuda_shim_released() {
    scheduler.released = true;
}

void *cuda_shim_shared() {
    return scheduler.block->shared.get();
}

void cuda_shim_launch(dim3 grid, dim3 block, size_t shared_bytes,
                      const std::function<void()> &thread) {
    const Turn turn(host_turn);
    if (!may_launch(grid, block, UINT_MAX))
        return;
    gridDim = grid;
    blockDim = block;
    scheduler.thread = &thread;
    if (scheduler.overlap) {
        std::vector<unsigned> numbers = turns(volume(grid));
        std::reverse(numbers.begin(), numbers.end());
        const unsigned at_once =
            std::min(volume(grid), multiprocessors * scheduler.blocks_per_multiprocessor);
        std::vector<Block> blocks(at_once);
        for (Block &next : blocks) {
            set_up(next, numbers.back(), shared_bytes);
            numbers.pop_back();
        }
        scheduler.together = true;
        run_together(blocks, volume(block), std::move(numbers), shared_bytes);
        scheduler.together = false;
        return;
    }
    Block alone;
    for (unsigned b : turns(volume(grid))) {
        set_up(alone, b, shared_bytes);
        while (alone.ended < volume(block))
            take_turn(alone, volume(block));
    }
}

void cuda_shim_launch_together(dim3 grid, dim3 block, size_t shared_bytes,
                               const std::function<void()> &thread) {
    const Turn turn(host_turn);
    if (!may_launch(grid, block, multiprocessors * scheduler.blocks_per_multiprocessor))
        return;
    gridDim = grid;
    blockDim = block;
    scheduler.thread = &thread;
    std::vector<Block> blocks(volume(grid));
    for (unsigned b = 0; b < volume(grid); b++)
        set_up(blocks[b], b, shared_bytes);
    scheduler.together = true;
    run_together(blocks, volume(block), {}, shared_bytes);
    scheduler.together = false;
}

int64_t cuda_shim_cycles() {
    return clock_cycles += cycles_a_look;
}

void cuda_shim_set_clock(int cycles) {
    cycles_a_look = cycles;
}

cudaError_t cuda_shim_occupancy(int *blocks) {
    const Turn turn(host_turn);
    return answer(blocks, static_cast<int>(scheduler.blocks_per_multiprocessor));
}

void cuda_shim_set_occupancy(int blocks) {
    scheduler.blocks_per_multiprocessor = static_cast<unsigned>(blocks);
}

void cuda_shim_set_multiprocessors(int count) {
    multiprocessors = static_cast<unsigned>(count);
}

void cuda_shim_set_overlap(int overlap) {
    scheduler.overlap = overlap != 0;
}

void cuda_shim_set_order(enum cuda_shim_order order) {
    scheduler.order = order;
}

int cuda_shim_fail_after(int countdown) {
    int left = calls_until_failure;
    calls_until_failure = countdown;
    return left;
}

int cuda_shim_lose_after(int countdown) {
    int left = calls_until_loss;
    calls_until_loss = countdown;
    lost = false;
    return left;
}

void cuda_shim_set_capability(int major, int shared_bytes) {
    capability_major = major;
    max_shared_bytes = shared_bytes;
}

static int driver = 13000;

void cuda_shim_set_memory(size_t bytes) {
    memory_bytes = bytes;
}

void cuda_shim_set_smallest(int device) {
    const Turn turn(host_turn);
    smallest_device = device;
}

void cuda_shim_set_driver(int version) {
    driver = version;
}

int cuda_shim_held() {
    return held;
}

int cuda_shim_pending() {
    return static_cast<int>(pending.size());
}

// A call that fails does nothing, and leaves nothing where its answer would be.

cudaError_t cudaDriverGetVersion(int *version) {
    const Turn turn(host_turn);
    return answer(version, driver);
}

cudaError_t cudaGetDeviceCount(int *count) {
    const Turn turn(host_turn);
    return driver < 1000 ? cudaErrorInsufficientDriver : answer(count, devices);
}

void cuda_shim_set_devices(int count) {
    devices = count;
}

cudaError_t cudaSetDevice(int device) {
    const Turn turn(host_turn);
    const cudaError_t result = device < devices ? result_of_call() : cudaErrorInvalidValue;
    if (result == cudaSuccess)
        selected_device = device;
    return result;
}

cudaError_t cudaGetDevice(int *device) {
    const Turn turn(host_turn);
    return answer(device, selected_device);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int) {
    const Turn turn(host_turn);
    switch (attribute) {
    case cudaDevAttrClockRate: // of both in kHz
    case cudaDevAttrMemoryClockRate:
        return answer(value, 1000000);
    case cudaDevAttrGlobalMemoryBusWidth:
        return answer(value, 1024);
    case cudaDevAttrMultiProcessorCount:
        return answer(value, static_cast<int>(multiprocessors));
    case cudaDevAttrComputeCapabilityMajor:
        return answer(value, capability_major);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return answer(value, max_shared_bytes);
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    const Turn turn(host_turn);
    return answer(properties,
                  {"host shim", device == smallest_device ? memory_bytes / 2 : memory_bytes});
}

cudaError_t cudaDeviceGetPCIBusId(char *address, int size, int device) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess)
        snprintf(address, static_cast<size_t>(size), "0000:%02x:00.0", device);
    return result;
}

static cudaError_t allocate(void **memory, size_t size) {
    cudaError_t result = result_of_call();
    *memory = result == cudaSuccess ? malloc(size) : nullptr;
    if (*memory != nullptr) {
        memset(*memory, 0xa5, size);
        allocations[static_cast<char *>(*memory)] = size;
    }
    held += *memory != nullptr;
    return result == cudaSuccess && *memory == nullptr ? cudaErrorMemoryAllocation : result;
}

cudaError_t cudaMallocHost(void **memory, size_t size) {
    const Turn turn(host_turn);
    return allocate(memory, size);
}

// The device's memory in use: how many pieces each allocation has, and all of them.
static constexpr size_t piece_bytes = size_t{2} << 20;
struct Pieces {
    size_t count, bytes;
    int device;
};
static std::map<const char *, Pieces> device_memory;

// Bytes that the selected device has left.
static size_t bytes_left() {
    size_t used = 0;
    for (const auto &allocation : device_memory) {
        if (allocation.second.device == selected_device)
            used += allocation.second.count * piece_bytes;
    }
    return used < memory_bytes ? memory_bytes - used : 0;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    const Turn turn(host_turn);
    const cudaError_t result = answer(free_bytes, bytes_left());
    *total_bytes = result == cudaSuccess ? memory_bytes : *free_bytes;
    return result;
}

// The device of an address; -1 if it is not in device memory.
static int device_of(const void *address) {
    const char *const at = static_cast<const char *>(address);
    auto next = device_memory.upper_bound(at);
    if (next == device_memory.begin())
        return -1;
    --next;
    return at < next->first + next->second.bytes ? next->second.device : -1;
}

static size_t pieces, peak_pieces;

cudaError_t cudaMalloc(void **memory, size_t size) {
    const Turn turn(host_turn);
    const cudaError_t result = allocate(memory, size);
    if (result == cudaSuccess) {
        const size_t count = (size + piece_bytes - 1) / piece_bytes;
        device_memory[static_cast<char *>(*memory)] = {count, size, selected_device};
        pieces += count;
        peak_pieces = std::max(peak_pieces, pieces);
    }
    return result;
}

size_t cuda_shim_peak() {
    const size_t most = peak_pieces;
    peak_pieces = pieces;
    return most * piece_bytes;
}

cudaError_t cudaFree(void *memory) {
    const Turn turn(host_turn);
    const auto device = device_memory.find(static_cast<char *>(memory));
    if (device != device_memory.end()) {
        pieces -= device->second.count;
        device_memory.erase(device);
    }
    release_memory(memory);
    held -= memory != nullptr;
    free(memory);
    return unless_lost();
}

cudaError_t cudaFreeHost(void *memory) {
    return cudaFree(memory);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const Turn turn(host_turn);
    cudaError_t result = result_of_call();
    if (stream != nullptr && kind == cudaMemcpyDeviceToDevice) {
        fprintf(stderr, "cuda shim: other streams copy from or to the host only\n");
        abort();
    }
    if (result == cudaSuccess) {
        if (kind == cudaMemcpyDeviceToHost) {
            check_place(to, size);
            memset(to, 0xa5, size);
        } else {
            begin_copies(); // two that write the same cells do so in turn
        }
        const bool apart = stream != nullptr && kind == cudaMemcpyDeviceToHost;
        pending.push_back({to, from, size, kind, copies_started++, apart, false, nullptr});
    }
    return result;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess)
        before_copy(kind);
    for (size_t row = 0; row < height && result == cudaSuccess; row++)
        memcpy(static_cast<char *>(to) + row * to_pitch,
               static_cast<const char *>(from) + row * from_pitch, width);
    return result;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess)
        before_copy(kind);
    if (result == cudaSuccess && size > 0)
        memcpy(to, from, size);
    return result;
}

cudaError_t cudaMemset(void *memory, int byte, size_t size) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess)
        begin_copies();
    if (result == cudaSuccess)
        memset(memory, byte, size);
    return result;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t) {
    return cudaMemset(memory, byte, size);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    *stream = result == cudaSuccess ? new CUstream_st{selected_device} : nullptr;
    held += *stream != nullptr;
    return result;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    const Turn turn(host_turn);
    return answer(greatest, -5);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    const Turn turn(host_turn);
    return result_of_call();
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t size, cudaStream_t stream) {
    const Turn turn(host_turn);
    cuda_shim_check_stream(stream);
    if (device_of(to) != to_device || device_of(from) != from_device) {
        fprintf(stderr, "cuda shim: a copy between other devices than those of the memory\n");
        abort();
    }
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess) {
        begin_copies();
        memcpy(to, from, size);
    }
    return result;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    const Turn turn(host_turn);
    return answer(can, static_cast<int>(device != peer));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    const Turn turn(host_turn);
    static std::set<std::pair<int, int>> enabled;
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess && !enabled.insert({selected_device, peer}).second)
        last_error = cudaErrorPeerAccessAlreadyEnabled;
    return result == cudaSuccess ? last_error : result;
}

cudaError_t cudaStreamQuery(cudaStream_t) {
    const Turn turn(host_turn);
    return result_of_call();
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const Turn turn(host_turn);
    held -= stream != nullptr;
    delete stream;
    return unless_lost();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    return cudaEventCreate(event);
}

cudaError_t cudaDeviceSynchronize(void) {
    const Turn turn(host_turn);
    finish_copies(copies_started, true);
    records_waited_for = records;
    return result_of_call();
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    const Turn turn(host_turn);
    cudaError_t result = result_of_call();
    *event = result == cudaSuccess ? new CUevent_st{{}, 0, 0, selected_device, false} : nullptr;
    held += *event != nullptr;
    return result;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Turn turn(host_turn);
    held -= event != nullptr;
    delete event;
    return unless_lost();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const Turn turn(host_turn);
    cuda_shim_check_stream(stream);
    if (event->device != selected_device) {
        fprintf(stderr, "cuda shim: an event of another device than the one selected\n");
        abort();
    }
    event->time = std::chrono::steady_clock::now();
    event->copies = copies_started;
    event->number = ++records;
    event->queried = false;
    return result_of_call();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result == cudaSuccess) {
        finish_copies(event->copies, true);
        records_waited_for = std::max(records_waited_for, event->number);
    }
    return result;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const Turn turn(host_turn);
    const cudaError_t result = result_of_call();
    if (result != cudaSuccess)
        return result;
    if (!event->queried) {
        event->queried = true;
        return cudaErrorNotReady;
    }
    finish_copies(event->copies, true);
    records_waited_for = std::max(records_waited_for, event->number);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const Turn turn(host_turn);
    if (std::max(begin->number, end->number) > records_waited_for)
        return cudaErrorNotReady;
    return answer(milliseconds,
                  std::chrono::duration<float, std::milli>(end->time - begin->time).count());
}

cudaError_t cudaGetLastError(void) {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return lost ? cudaErrorUnknown : error;
}

const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorNotReady:
        return "device not ready";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument";
    case cudaErrorCooperativeLaunchTooLarge:
        return "too many blocks in cooperative launch";
    default:
        return "unknown error";
    }
}
