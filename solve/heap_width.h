// SPDX-License-Identifier: MIT
/* A 4-ary heap of vertices, the nearest on top, in which every vertex knows its place. Searches
 * include this once for each type of distances, DISTANCE, so it has no guard. BITS(distance) maps a
 * distance to an unsigned number of the same width; the shorter the distance, the lower the number.
 * ENTRY is an unsigned type that holds such a number in its upper bits and a vertex in its
 * lower 32. ARITY is 4. WIDTH(name) is the name with a suffix for the type. */

/* Entries compare by distance, then by vertex. */
static inline ENTRY WIDTH(entry)(DISTANCE distance, int32_t vertex) {
    return (ENTRY)BITS(distance) << 32 | (uint32_t)vertex;
}

static inline int32_t WIDTH(vertex)(ENTRY entry) {
    return (int32_t)(uint32_t)entry;
}

/* Moves the entry up from place `at`, which is free. */
static inline void WIDTH(rise)(ENTRY *heap, int32_t *position, int32_t at, ENTRY entry) {
    while (at > 0) {
        const int32_t parent = (at - 1) / ARITY;
        if (heap[parent] <= entry)
            break;
        heap[at] = heap[parent];
        position[WIDTH(vertex)(heap[at])] = at;
        at = parent;
    }
    heap[at] = entry;
    position[WIDTH(vertex)(entry)] = at;
}

/* Removes and returns the nearest of `count` > 0 entries; the last entry sinks from its place. */
static inline ENTRY WIDTH(take)(ENTRY *heap, int32_t *position, int32_t count) {
    const ENTRY nearest = heap[0], entry = heap[count - 1];
    int32_t at = 0;
    count--;
    for (int64_t child = 1; child < count; child = (int64_t)at * ARITY + 1) {
        const int64_t end = child + ARITY < count ? child + ARITY : count;
        ENTRY least = heap[child];
        for (int64_t other = child + 1; other < end; other++) {
            /* read here, because a branch would be unpredictable */
            const ENTRY sibling = heap[other];
            child = sibling < least ? other : child;
            least = sibling < least ? sibling : least;
        }
        if (least >= entry)
            break;
        heap[at] = least;
        position[WIDTH(vertex)(least)] = at;
        at = (int32_t)child;
    }
    if (count > 0) {
        heap[at] = entry;
        position[WIDTH(vertex)(entry)] = at;
    }
    return nearest;
}
