// Threads of a block are fibres: each has a stack, runs until it reaches a
// barrier or its end, and then hands over to the scheduler, which takes the
// next. When all have reached the barrier the next round begins.
#include "cuda_runtime.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
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
const unsigned most_threads = 1024;

struct Fibre {
    std::unique_ptr<char[]> stack;
    size_t usable = 0;  // bytes of it
    void *at = nullptr; // saved stack pointer
    void *fake_stack = nullptr;
    bool finished = false;
    uint3 index = {0, 0, 0};
};

struct Scheduler {
    std::vector<Fibre> fibres;
    std::vector<Fibre *> idle; // the one that finished last is taken first: its stack is in cache
    Fibre *current = nullptr;
    void *at = nullptr; // saved stack pointer of the scheduler itself
    void *fake_stack = nullptr;
    const void *stack_bottom = nullptr; // known once a fibre has been entered
    size_t stack_size = 0;
    const std::function<void()> *thread = nullptr;
    std::unique_ptr<char[]> shared;
    unsigned votes = 0; // at the barriers that count
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

void arrived(void *fake_stack, const void **bottom, size_t *size) {
#ifdef SHIM_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
#else
    (void)fake_stack, (void)bottom, (void)size;
#endif
}

void hand_over_to_scheduler(bool for_good) {
    Fibre *fibre = scheduler.current;
    leaving(for_good ? nullptr : &fibre->fake_stack, scheduler.stack_bottom, scheduler.stack_size);
    cuda_shim_switch(&fibre->at, scheduler.at);
    arrived(fibre->fake_stack, &scheduler.stack_bottom, &scheduler.stack_size);
}

void fibre_entry() {
    arrived(nullptr, &scheduler.stack_bottom, &scheduler.stack_size);
    (*scheduler.thread)();
    scheduler.current->finished = true;
    hand_over_to_scheduler(true);
    abort(); // a finished fibre is not resumed
}

void resume(Fibre *fibre) {
    scheduler.current = fibre;
    threadIdx = fibre->index;
    leaving(&scheduler.fake_stack, fibre->stack.get(), stack_bytes);
    cuda_shim_switch(&scheduler.at, fibre->at);
    arrived(scheduler.fake_stack, nullptr, nullptr);
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

void make_fibres() {
    const size_t line = 64, colours = 61; // stacks must not all meet in the same cache sets
    scheduler.fibres.resize(most_threads);
    for (unsigned f = 0; f < most_threads; f++) {
        Fibre &fibre = scheduler.fibres[f];
        fibre.stack.reset(new char[stack_bytes]);
        fibre.usable = stack_bytes - f % colours * line;
        scheduler.idle.push_back(&fibre);
    }
}

Fibre *start_fibre(unsigned thread) {
    Fibre *fibre = scheduler.idle.back();
    scheduler.idle.pop_back();
#ifdef SHIM_ASAN
    // The frames in which its last run ended were never left.
    if (fibre->at != nullptr)
        __asan_unpoison_memory_region(
            fibre->at,
            static_cast<size_t>(fibre->stack.get() + stack_bytes - static_cast<char *>(fibre->at)));
#endif
    fibre->at = prepare_stack(fibre->stack.get(), fibre->usable, fibre_entry);
    fibre->finished = false;
    fibre->index = {thread % blockDim.x, thread / blockDim.x % blockDim.y,
                    thread / (blockDim.x * blockDim.y)};
    return fibre;
}

// Runs the fibre up to its next barrier (true) or its end (false).
bool reaches_barrier(Fibre *fibre) {
    resume(fibre);
    if (fibre->finished)
        scheduler.idle.push_back(fibre);
    return !fibre->finished;
}

void run_block(unsigned threads, size_t shared_bytes) {
    scheduler.shared.reset(new char[shared_bytes]);
    memset(scheduler.shared.get(), 0xa5, shared_bytes);
    std::vector<Fibre *> waiting, next;
    for (unsigned t : turns(threads)) {
        Fibre *fibre = start_fibre(t);
        if (reaches_barrier(fibre))
            waiting.push_back(fibre);
    }
    while (!waiting.empty()) {
        if (waiting.size() != threads) {
            fprintf(stderr, "cuda shim: %zu of %u threads returned while others wait\n",
                    threads - waiting.size(), threads);
            abort();
        }
        next.clear();
        if (scheduler.order == CUDA_SHIM_SHUFFLED)
            arrange(waiting);
        for (Fibre *fibre : waiting) {
            if (reaches_barrier(fibre))
                next.push_back(fibre);
        }
        waiting.swap(next);
    }
}

// The runtime -----------------------------------------------------------------

cudaError_t last_error = cudaSuccess;
int calls_until_failure = 0;
size_t memory_bytes = size_t(1) << 30;
int held = 0;

struct Copy {
    void *to;
    const void *from;
    size_t size;
};

// Asynchronous copies that nothing has waited for.
std::deque<Copy> pending;
size_t copies_started = 0;

// Makes the first `count` of all copies ever started happen.
void finish_copies(size_t count) {
    while (copies_started - pending.size() < count) {
        memcpy(pending.front().to, pending.front().from, pending.front().size);
        pending.pop_front();
    }
}

cudaError_t result_of_call() {
    if (calls_until_failure > 0 && --calls_until_failure == 0)
        return cudaErrorUnknown;
    return cudaSuccess;
}

} // namespace

struct CUevent_st {
    std::chrono::steady_clock::time_point time;
    size_t copies; // started before it was recorded
};

void __syncthreads() {
    hand_over_to_scheduler(false);
}

// Three barriers: by the first all have voted, by the second all have read, by the
// third all votes are forgotten.
int __syncthreads_or(int predicate) {
    scheduler.votes += predicate != 0;
    __syncthreads();
    const bool any = scheduler.votes > 0;
    __syncthreads();
    scheduler.votes = 0;
    __syncthreads();
    return any;
}

int __syncthreads_and(int predicate) {
    return !__syncthreads_or(!predicate);
}

void *cuda_shim_shared() {
    return scheduler.shared.get();
}

void cuda_shim_launch(dim3 grid, dim3 block, size_t shared_bytes,
                      const std::function<void()> &thread) {
    const unsigned threads = block.x * block.y * block.z;
    const unsigned blocks = grid.x * grid.y * grid.z;
    if (threads == 0 || threads > most_threads || blocks == 0 || grid.y > 65535 || grid.z > 65535) {
        last_error = cudaErrorInvalidConfiguration;
        return;
    }
    last_error = result_of_call();
    if (last_error != cudaSuccess)
        return;
    gridDim = grid;
    blockDim = block;
    scheduler.thread = &thread;
    if (scheduler.fibres.empty())
        make_fibres();
    for (unsigned b : turns(blocks)) {
        blockIdx = {b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y)};
        run_block(threads, shared_bytes);
    }
}

void cuda_shim_set_order(enum cuda_shim_order order) {
    scheduler.order = order;
}

int cuda_shim_fail_after(int countdown) {
    int left = calls_until_failure;
    calls_until_failure = countdown;
    return left;
}

void cuda_shim_set_memory(size_t bytes) {
    memory_bytes = bytes;
}

int cuda_shim_held() {
    return held;
}

int cuda_shim_pending() {
    return static_cast<int>(pending.size());
}

cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return result_of_call();
}

cudaError_t cudaSetDevice(int) {
    return result_of_call();
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return result_of_call();
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int) {
    *value = attribute == cudaDevAttrMultiProcessorCount ? 2 : 9;
    return result_of_call();
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int) {
    snprintf(properties->name, sizeof properties->name, "host shim");
    return result_of_call();
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    *free_bytes = *total_bytes = memory_bytes;
    return result_of_call();
}

cudaError_t cudaMalloc(void **memory, size_t size) {
    cudaError_t result = result_of_call();
    *memory = result == cudaSuccess ? malloc(size) : nullptr;
    if (*memory != nullptr)
        memset(*memory, 0xa5, size);
    held += *memory != nullptr;
    return result == cudaSuccess && *memory == nullptr ? cudaErrorMemoryAllocation : result;
}

cudaError_t cudaFree(void *memory) {
    held -= memory != nullptr;
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t size) {
    return cudaMalloc(memory, size);
}

cudaError_t cudaFreeHost(void *memory) {
    return cudaFree(memory);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind,
                            cudaStream_t) {
    cudaError_t result = result_of_call();
    if (result == cudaSuccess) {
        memset(to, 0xa5, size);
        pending.push_back({to, from, size});
        copies_started++;
    }
    return result;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind) {
    for (size_t row = 0; row < height; row++)
        memcpy(static_cast<char *>(to) + row * to_pitch,
               static_cast<const char *>(from) + row * from_pitch, width);
    return result_of_call();
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind) {
    if (size > 0)
        memcpy(to, from, size);
    return result_of_call();
}

cudaError_t cudaMemset(void *memory, int byte, size_t size) {
    memset(memory, byte, size);
    return result_of_call();
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t) {
    return cudaMemset(memory, byte, size);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    return cudaEventCreate(event);
}

cudaError_t cudaDeviceSynchronize(void) {
    finish_copies(copies_started);
    return result_of_call();
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    cudaError_t result = result_of_call();
    *event = result == cudaSuccess ? new CUevent_st{} : nullptr;
    held += *event != nullptr;
    return result;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    held -= event != nullptr;
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    event->time = std::chrono::steady_clock::now();
    event->copies = copies_started;
    return result_of_call();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    finish_copies(event->copies);
    return result_of_call();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
    return result_of_call();
}

cudaError_t cudaGetLastError(void) {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument";
    default:
        return "unknown error";
    }
}
