// SPDX-License-Identifier: MIT
// The layout of a variant's workspace. One function takes its arrays one after the other: without
// memory to learn their total size, with memory to get their addresses.
#ifndef GPU_LAUNCH_ARENA_CUH
#define GPU_LAUNCH_ARENA_CUH

#include <stddef.h>

class Arena {
  public:
    explicit Arena(void *memory = nullptr) : memory_(static_cast<char *>(memory)) {
    }

    // Returns the address of the next `count` items, aligned as by cudaMalloc; nullptr if there is
    // no memory.
    template <typename Item>
    Item *take(size_t count) {
        const size_t alignment = 256, start = used_;
        used_ += (count * sizeof(Item) + alignment - 1) / alignment * alignment;
        return memory_ != nullptr ? reinterpret_cast<Item *>(memory_ + start) : nullptr;
    }

    size_t used() const {
        return used_;
    }

  private:
    char *memory_;
    size_t used_ = 0;
};

#endif
