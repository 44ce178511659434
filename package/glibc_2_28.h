/* SPDX-License-Identifier: MIT */
/* Included before every C and CUDA file of a wheel (package/wheels): glibc 2.29 and later have a
 * second version of the functions below, which sets errno differently. The first version, which
 * every glibc has, is linked instead. */
#ifndef PACKAGE_GLIBC_2_28_H
#define PACKAGE_GLIBC_2_28_H

#ifdef __CUDA_ARCH__ // code for GPUs uses nothing of glibc
#elif defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#endif

#ifdef FIRST_VERSION
__asm__(".symver exp,exp@" FIRST_VERSION);
__asm__(".symver log,log@" FIRST_VERSION);
__asm__(".symver pow,pow@" FIRST_VERSION);
#endif

#endif
