/* SPDX-License-Identifier: MIT */
/* Included before every C and CUDA file of a wheel (package/wheels): glibc 2.29 and later have a
 * second version of these functions, which sets errno otherwise; the first one is in every glibc.
 */
#ifndef PACKAGE_GLIBC_2_28_H
#define PACKAGE_GLIBC_2_28_H

#ifdef __CUDA_ARCH__ // the GPU's code takes nothing from glibc
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
