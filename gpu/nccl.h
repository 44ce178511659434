// SPDX-License-Identifier: MIT
/* NCCL, which copies between the GPUs of several processes, over NVLink or a network. The library
 * is loaded when ranks first ask for it, so that other programs do not need it: the file that the
 * environment variable APSP_NCCL names ("none": no file), or else libnccl.so.2 where the loader
 * looks, or else where pip installs it: nvidia/nccl/lib in the site-packages of the virtual
 * environment (VIRTUAL_ENV, CONDA_PREFIX) or of the prefix that the program is installed in.
 *
 * NCCL's multicast over NVLink, which broadcasts do not use, stays off unless the environment
 * variable NCCL_NVLS_ENABLE says otherwise. */
#ifndef GPU_NCCL_H
#define GPU_NCCL_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"       // struct ranks

#include <cuda_runtime_api.h>
#include <stddef.h>

/* All ranks, each with the device that was current when it joined. */
struct nccl_group {
    const struct ranks *ranks;
    void *communicator; /* NCCL's communicator; NULL: none */
};

/* Joins all ranks, each with the current device, which no two of them may share: `may_join` tells
 * whether this one can. All ranks call it; either all join, or none does and group->communicator is
 * NULL. That is no failure; err->text then has the reason, of this rank or of another one. Fails if
 * a rank has failed before or cannot be reached. The caller leaves with nccl_leave. */
enum status nccl_join(struct nccl_group *group, const struct ranks *ranks, bool may_join,
                      struct error *err);

/* Copies `size` bytes of device memory of rank `from` to all others, in order with the stream's
 * work. All ranks call it in the same order. Waits until NCCL has accepted the copy, for which
 * ranks may have to connect, but no longer than ranks_timeout(). STATUS_CANCELLED if another rank
 * has told all to stop (claims.h). */
enum status nccl_broadcast(const struct nccl_group *group, void *data, size_t size, int from,
                           cudaStream_t stream, struct error *err);

/* Fails if NCCL has noticed that a copy cannot be completed. */
enum status nccl_check(const struct nccl_group *group, struct error *err);

/* Ends copies that wait for other ranks, and leaves. Then the other ranks must call it, too. */
void nccl_abort(struct nccl_group *group);

/* Leaves the group when all copies are done. Safe on a zeroed struct, and after nccl_abort. */
void nccl_leave(struct nccl_group *group);

#endif
