// SPDX-License-Identifier: MIT
// The queue of tasks (dataflow.cuh): every product is made once, every task can
// go on as soon as those before it are done, however few blocks there are, and
// tasks that run at once, however many, never disturb one another.
//
// The dataflow's own code runs, on a matrix of which only the history of each tile
// is kept, one task after another. Its flags remember who set them, and so, for
// every task, what it has waited for, directly or not. Two tasks that touch the
// same tile without one having waited for the other show, although here they do
// not run at once.
#include "common/base/progress.h"
#include "gpu/gpu_solver.h"
#include "gpu/launch/arena.cuh"
#include "gpu/launch/launch.cuh"
extern "C" {
#include "tests/unit/support.h"
}

#include <algorithm>
#include <map>
#include <vector>

namespace {

// The value of a flag that a wait gets to see: the one that was just enough, or the current one.
enum Sight { oldest, newest };

class Trace {
  public:
    static constexpr unsigned threads = 16;

    Trace(size_t tasks, Sight sight, const int32_t *stop)
        : sight_(sight), stop_(stop), known_(tasks, Clock(tasks)) {
        for (size_t p = 0; p < tasks; p++)
            known_[p][p] = 1;
    }

    // A launch, of tasks from `task` on, begins after all earlier ones have ended.
    void begin_launch(size_t task) {
        launched_ = task;
    }

    void begin_task(size_t task) {
        current_ = task;
        for (Reader &reader : readers_)
            reader.flag = nullptr;
    }

    // A thread that waits reads values from 0 on. When it has read the last and asks
    // whether to stop, it would have to wait for tasks that come later: stop.
    int32_t load(const int32_t *flag, unsigned thread) {
        if (flag == stop_)
            return stuck_;
        Reader &reader = readers_[thread];
        const std::vector<Entry> &history = histories_[flag];
        if (reader.flag != flag) {
            join(reader);
            reader = {flag, sight_ == newest ? history.size() : 0};
        } else if (reader.seen < history.size()) {
            reader.seen++;
        } else {
            stuck_ = true;
        }
        return reader.seen == 0 ? 0 : history[reader.seen - 1].value;
    }

    void store(const int32_t *flag, int32_t value) {
        std::vector<Entry> &history = histories_[flag];
        grows_ &= history.empty() || history.back().value < value;
        history.push_back({value, known_[current_]});
        known_[current_][current_]++;
    }

    // Who reads a count has waited for all that made it up.
    void add(const int32_t *flag, int32_t amount) {
        std::vector<Entry> &history = histories_[flag];
        Entry entry = {amount, known_[current_]};
        if (!history.empty()) {
            entry.value += history.back().value;
            join(&entry.clock, history.back().clock);
        }
        history.push_back(entry);
        known_[current_][current_]++;
    }

    // The present task, which has waited for all it is to wait for, reads or writes
    // what is at `place`.
    void touch(const void *place, bool write) {
        for (Reader &reader : readers_) {
            join(reader);
            reader.flag = nullptr;
        }
        Uses &uses = uses_[place];
        ordered_ &= is_before(uses.write);
        for (const Event &read : uses.reads)
            ordered_ &= !write || is_before(read);
        const Event now = {current_, known_[current_][current_]};
        if (write)
            uses = {now, {}};
        else
            uses.reads.push_back(now);
    }

    bool stuck() const {
        return stuck_;
    }
    bool ordered() const {
        return ordered_;
    }
    bool grows() const {
        return grows_;
    }

  private:
    // By tasks: how many spans of it, which releases end, are known to be over.
    using Clock = std::vector<int32_t>;
    struct Entry {
        int32_t value;
        Clock clock; // of its releasing task; that one's own entry: the span it ends
    };
    struct Reader {
        const int32_t *flag;
        size_t seen; // entries of its history
    };
    struct Event {
        size_t task;
        int32_t span; // 0: there is none
    };
    struct Uses {
        Event write = {0, 0};
        std::vector<Event> reads;
    };

    bool is_before(const Event &event) const {
        return event.task < launched_ || event.task == current_ ||
               known_[current_][event.task] >= event.span;
    }
    static void join(Clock *to, const Clock &from) {
        for (size_t p = 0; p < from.size(); p++)
            (*to)[p] = std::max((*to)[p], from[p]);
    }
    void join(const Reader &reader) {
        if (reader.flag != nullptr && reader.seen > 0)
            join(&known_[current_], histories_[reader.flag][reader.seen - 1].clock);
    }

    Sight sight_;
    const int32_t *stop_;
    std::vector<Clock> known_; // of each task; its own entry: the span it is in
    std::map<const int32_t *, std::vector<Entry>> histories_;
    std::map<const void *, Uses> uses_;
    Reader readers_[threads] = {};
    size_t current_ = 0, launched_ = 0;
    bool stuck_ = false, ordered_ = true, grows_ = true;
};

Trace *trace;

} // namespace

// The dataflow with these flags instead of those of gpu/launch/flags.cuh.
#define GPU_LAUNCH_FLAGS_CUH
namespace traced {

static int32_t load_acquire(const int32_t *flag) {
    return trace->load(flag, threadIdx.x);
}
static void store_release(int32_t *flag, int32_t value) {
    trace->store(flag, value);
}
static void add_release(int32_t *counter, int32_t amount) {
    trace->add(counter, amount);
}
[[maybe_unused]] static uint32_t fetch_add(uint32_t *counter, uint32_t amount) {
    return *counter += amount;
}
static void pause_thread() {
}

#include "cuda_blocked/parts/dataflow.cuh"

} // namespace traced

namespace {

using namespace traced::dataflow;

// The steps that have been applied to each tile, and the contents of the panels.
class Matrix {
  public:
    Matrix(int32_t tiles, int32_t panels) : tiles_(tiles), panels_(panels) {
        const size_t row = static_cast<size_t>(tiles);
        applied_.resize(row * row);
        left_.resize(row * static_cast<size_t>(panels));
        right_ = left_;
    }

    void product(int32_t i, int32_t j, int32_t s) {
        // A tile of the pivot's row or column, in its own step, is an operand as it was before the
        // step.
        read(left(i, s), {i, s, j == s ? s : s + 1});
        read(right(j, s), {j, s, i == s ? s : s + 1});
        right_order_ &= i != s || j != s;
        apply(i, j, s);
    }
    void apply(int32_t i, int32_t j, int32_t s) {
        trace->touch(&applied(i, j), true);
        right_order_ &= applied(i, j) == s;
        applied(i, j) = s + 1;
    }
    void encode_left(int32_t i, int32_t s) {
        trace->touch(&applied(i, s), false);
        write(left(i, s), {i, s, applied(i, s)});
    }
    void encode_right(int32_t j, int32_t s) {
        trace->touch(&applied(s, j), false);
        write(right(j, s), {j, s, applied(s, j)});
    }

    // Every step has been applied to every tile, one after the other, with the right
    // operands.
    bool solved() const {
        return right_order_ && std::all_of(applied_.begin(), applied_.end(),
                                           [&](int32_t steps) { return steps == tiles_; });
    }

  private:
    struct Copy {
        int32_t tile, step, applied;
    };

    int32_t &applied(int32_t i, int32_t j) {
        return applied_[static_cast<size_t>(i * tiles_ + j)];
    }
    Copy &left(int32_t i, int32_t s) {
        return left_[static_cast<size_t>(s % panels_ * tiles_ + i)];
    }
    Copy &right(int32_t j, int32_t s) {
        return right_[static_cast<size_t>(s % panels_ * tiles_ + j)];
    }
    void read(const Copy &copy, const Copy &expected) {
        trace->touch(&copy, false);
        right_order_ &= copy.tile == expected.tile && copy.step == expected.step &&
                        copy.applied == expected.applied;
    }
    void write(Copy &copy, const Copy &now) {
        trace->touch(&copy, true);
        copy = now;
    }

    int32_t tiles_, panels_;
    std::vector<int32_t> applied_; // steps
    std::vector<Copy> left_, right_;
    bool right_order_ = true;
};

struct Work {
    static constexpr int threads = Trace::threads;

    Matrix *matrix;

    void update(int32_t *, const Task &task, int32_t s) const {
        for (int32_t c = 0; threadIdx.x == 0 && c < task.count; c++)
            matrix->product(task.row, task.column_of(c), s);
        __syncthreads();
    }
    void close(int32_t *, int32_t s) const {
        if (threadIdx.x == 0)
            matrix->apply(s, s, s);
        __syncthreads();
    }
    void encode_left(int32_t *, int32_t i, int32_t s) const {
        if (threadIdx.x == 0)
            matrix->encode_left(i, s);
        __syncthreads();
    }
    void encode_right(int32_t *, int32_t j, int32_t s) const {
        if (threadIdx.x == 0)
            matrix->encode_right(j, s);
        __syncthreads();
    }
};

// One way to cut the work up.
struct Cut {
    uint32_t tiles, task_tiles, lead; // the lead in quarters of what there is
    uint32_t steps;                   // in a launch
};

std::vector<Queue> launches(const Cut &cut) {
    std::vector<Queue> all;
    for (uint32_t first = 0; first < cut.tiles; first += cut.steps) {
        Queue queue = {cut.tiles,      first, min(first + cut.steps, cut.tiles),
                       cut.task_tiles, 0,     nullptr};
        queue.lead = queue.side(false) * queue.tasks_in_row(false) * cut.lead / 4;
        all.push_back(queue);
    }
    return all;
}

void do_tasks(Work work, Board board, Queue queue, size_t before, bool backwards) {
    for (uint32_t number = 0; number < queue.tasks(); number++) {
        __syncthreads();
        if (threadIdx.x == 0)
            trace->begin_task(before + number);
        __syncthreads();
        const uint32_t last = queue.tasks() - 1;
        const Task task = task_number(queue, backwards ? last - number : number);
        if (!work_on(work, board, nullptr, task))
            return;
    }
}

struct Outcome {
    bool stuck, ordered, solved;
};

Outcome run(const Cut &cut, Sight sight, int32_t panels, bool backwards) {
    const std::vector<Queue> all = launches(cut);
    size_t tasks = 0;
    for (const Queue &queue : all)
        tasks += queue.tasks();
    Arena sizes;
    take_board(&sizes, static_cast<int32_t>(cut.tiles));
    std::vector<char> memory(sizes.used());
    Arena arena(memory.data());
    const Board board = take_board(&arena, static_cast<int32_t>(cut.tiles));
    Trace own(tasks, sight, board.stop);
    Matrix matrix(static_cast<int32_t>(cut.tiles), panels);
    trace = &own;
    size_t before = 0;
    for (const Queue &queue : all) {
        struct error err;
        own.begin_launch(before);
        launch(&err, do_tasks, dim3(1), dim3(Work::threads), 0, Work{&matrix}, board, queue, before,
               backwards);
        before += queue.tasks();
    }
    trace = nullptr;
    return {own.stuck(), own.ordered() && own.grows(), matrix.solved()};
}

enum { MAX_TILES = 12, MAX_TASK_TILES = 5, QUARTERS = 4 };

template <typename Visit>
void for_each_cut(uint32_t max_tiles, Visit visit) {
    for (uint32_t tiles = 1; tiles <= max_tiles; tiles++) {
        for (uint32_t task_tiles = 1; task_tiles <= MAX_TASK_TILES; task_tiles++) {
            for (uint32_t lead = 0; lead <= QUARTERS; lead++) {
                for (uint32_t steps = 1; steps <= tiles; steps++)
                    visit(Cut{tiles, task_tiles, lead, steps});
            }
        }
    }
}

// Counts what a queue holds: each task of phases 1 and 2 is there once, and each
// tile of a step's rest, and nothing else.
void test_every_task_once() {
    bool right = true;
    for_each_cut(MAX_TILES, [&](const Cut &cut) {
        const size_t tiles = cut.tiles;
        std::vector<int> seen[4]; // by kind: [step][row][column]
        for (std::vector<int> &of_kind : seen)
            of_kind.resize(tiles * tiles * tiles);
        for (const Queue &queue : launches(cut)) {
            for (uint32_t number = 0; number < queue.tasks(); number++) {
                const Task task = task_number(queue, number);
                right = right && task.kind != Kind::none && task.count >= 1;
                for (int32_t c = 0; right && c < task.count; c++) {
                    const int32_t j = task.column_of(c);
                    right = static_cast<size_t>(task.step) < tiles &&
                            static_cast<size_t>(task.row) < tiles && static_cast<size_t>(j) < tiles;
                    if (right)
                        seen[static_cast<int>(task.kind)][(static_cast<size_t>(task.step) * tiles +
                                                           static_cast<size_t>(task.row)) *
                                                              tiles +
                                                          static_cast<size_t>(j)]++;
                }
            }
            for (const uint32_t beyond : {0U, 1U, 1000U})
                right = right && task_number(queue, queue.tasks() + beyond).kind == Kind::none;
        }
        for (size_t s = 0; s < tiles; s++) {
            for (size_t i = 0; i < tiles; i++) {
                for (size_t j = 0; j < tiles; j++) {
                    const size_t at = (s * tiles + i) * tiles + j;
                    const bool next = i == s + 1 || j == s + 1;
                    const auto times = [&](Kind kind) { return seen[static_cast<int>(kind)][at]; };
                    right = right && times(Kind::close) == (i == s && j == s) &&
                            times(Kind::row) == (i == s && j != s) &&
                            times(Kind::column) == (i != s && j == s) &&
                            times(Kind::rest) == (i != s && j != s && !next);
                }
            }
        }
    });
    CU_ASSERT(right);
}

void check(const Cut &cut, Sight sight) {
    const Outcome outcome = run(cut, sight, panels_kept, false);
    CU_ASSERT(!outcome.stuck);
    CU_ASSERT(outcome.ordered);
    CU_ASSERT(outcome.solved);
}

void test_waits() {
    for_each_cut(6, [](const Cut &cut) {
        check(cut, oldest);
        check(cut, newest);
    });
}

void test_waits_of_many_tiles() {
    for (uint32_t tiles = 7; tiles <= MAX_TILES; tiles++) {
        for (uint32_t task_tiles = 1; task_tiles <= MAX_TASK_TILES; task_tiles++)
            check({tiles, task_tiles, (tiles + task_tiles) % 3,
                   task_tiles % 2 == 0 ? tiles : tiles / 3},
                  tiles % 2 == 0 ? oldest : newest);
    }
}

// The trace shows what it is there to show.
void test_broken_dataflows() {
    const Cut cut = {6, 1, 2, 6};
    CU_ASSERT(run(cut, oldest, panels_kept, true).stuck);
    for (int32_t panels = 1; panels <= panels_kept + 1; panels++) {
        CU_ASSERT_EQUAL(run(cut, oldest, panels, false).ordered, panels >= panels_kept);
        CU_ASSERT_EQUAL(run(cut, newest, panels, false).ordered, panels >= panels_kept);
    }
}

} // namespace

CU_TestInfo queue_tests[] = {
    {"every task once", test_every_task_once},
    {"what tasks wait for", test_waits},
    {"the same of many tiles", test_waits_of_many_tiles},
    {"broken dataflows show", test_broken_dataflows},
    CU_TEST_INFO_NULL,
};
