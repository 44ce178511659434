/* Compiling one plain loop for several instruction sets, the best one chosen
 * when the program starts, so that one binary runs everywhere. */
#ifndef COMMON_SIMD_H
#define COMMON_SIMD_H

/* The choice needs GNU indirect functions; their resolvers run before a
 * sanitizer's run-time is ready. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__) && !defined(APSP_SANITIZED)
#define SIMD_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SIMD_CLONES
#endif

#endif
