# SPDX-License-Identifier: MIT
"""Which published speed-ups do not follow from the published times.

A printed number stands for an interval. How the thesis prints, as its tables show:

- numbers from 0.01 up with two decimals, smaller ones with three significant digits.
  The CSV drops the zeros at the end: 0.1 is 0.10, 7e-06 is 7.00e-06. (That the CPU
  times carry those digits shows in 3.95e-05, in the same column.)
- A time is rounded: t stands for t - u/2 ... t + u/2, u its last printed place.
- A speed-up may be rounded or cut off. Most can only have been rounded; 61.94 (sparse,
  V = 10000), of times whose quotient lies in 61.9451 ... 61.9542, only cut off. So the
  two ends of the quotient's interval are brought outwards to the next number that the
  thesis can print, and a speed-up that lies between them, ends included, follows.

An end below 0.01 has three significant digits, so 0.0066 does not reach 0.01.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext

FIXED_FROM = Decimal("0.01")
SIGNIFICANT_DIGITS = 3


def last_place(number: Decimal) -> Decimal:
    """The weight of the last digit that the thesis prints of a positive number."""
    if number >= FIXED_FROM:
        return Decimal("0.01")
    return Decimal(1).scaleb(number.adjusted() - SIGNIFICANT_DIGITS + 1)


def time_interval(printed: str) -> tuple[Decimal, Decimal]:
    """The shortest and longest time that the thesis prints so."""
    seconds = Decimal(printed)
    half = last_place(seconds) / 2
    return seconds - half, seconds + half


def _to_printable(number: Decimal, rounding: str) -> Decimal:
    return number.quantize(last_place(number), rounding=rounding)


def speedup_interval(slower: str, faster: str) -> tuple[Decimal, Decimal]:
    """The least and the greatest speed-up that can be printed for two printed times."""
    slower_least, slower_most = time_interval(slower)
    faster_least, faster_most = time_interval(faster)
    with localcontext() as context:
        # Intermediate quotients are rounded outwards, too.
        context.rounding = ROUND_FLOOR
        least = slower_least / faster_most
        context.rounding = ROUND_CEILING
        most = slower_most / faster_least
    return _to_printable(least, ROUND_FLOOR), _to_printable(most, ROUND_CEILING)


def follows(speedup: str, slower: str, faster: str) -> bool:
    """Returns whether a published speed-up can come from two published times."""
    least, most = speedup_interval(slower, faster)
    return least <= Decimal(speedup) <= most
