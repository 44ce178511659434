# SPDX-License-Identifier: MIT
"""Types of numbers: those in which the library computes, and those in which answers are given."""

from __future__ import annotations

import math
import operator
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Tuple, Union

import numpy

from apsp import _library

Divisor = Union[int, float]


# Arguments ---------------------------------------------------------------------------------------

def real_number(name: str, given: Any) -> float:
    """An argument that must be a real number, of any numeric type."""
    try:
        if numpy.ndim(given) == 0 and not isinstance(given, (str, bytes)):
            return float(given)
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError("%s: expected a number, found %r" % (name, given))


def whole_number(given: Any) -> Optional[int]:
    """A number of any type as an int; None if it has a fraction or is no number."""
    try:
        return int(given) if numpy.ndim(given) == 0 and int(given) == given else None
    except (TypeError, ValueError, OverflowError):
        return None


def scale_of(given: Any) -> int:
    """The argument `scale`, 1 if there is none."""
    factor = 1 if given is None else whole_number(given)
    if factor is None or not 1 <= factor <= 10**9:
        raise ValueError("scale: expected an integer in 1 .. 10^9, found %r" % (given,))
    return factor


def int32_of(name: str, given: Any) -> int:
    """An argument that must be an integer that fits in 32 bits."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError("%s: expected an integer, found %r" % (name, given)) from None
    if not _INT32.min <= number <= _INT32.max:
        raise ValueError("%s: expected an integer of 32 bits, found %d" % (name, number))
    return number


def vertices_of(name: str, given: Any) -> Optional[numpy.ndarray]:
    """An argument that is vertices, as an array of integers of any shape; None if it is none."""
    found = numpy.asarray(given)
    if found.dtype == object:
        found = numpy.array(found.tolist())
    if found.dtype.kind == "b":
        raise ValueError("%s: expected vertices, found a mask: numpy.flatnonzero says which they "
                         "are" % name)
    if found.dtype.kind in "US" and found.size > 0:
        raise ValueError("%s: expected vertices, found %r: a name has the number graph.vertex(name), in "
                         "NetworkX list(graph).index(name)" % (name, found.flat[0].item()))
    if found.dtype.kind == "f" and (numpy.abs(found) < 2**53).all() and (
            found == numpy.rint(found)).all():
        found = found.astype(numpy.int64)
    return found if found.dtype.kind in "iu" else None


def indices_of(indices: Any, n: int) -> numpy.ndarray:
    """Returns indices of vertices as SciPy takes them: of any shape, from the end if negative, some perhaps twice."""
    found = vertices_of("indices", indices)
    if found is None:
        raise ValueError("indices: expected vertices, found %r" % (indices,))
    if found.size > 0 and (found.min() < -n or found.max() >= n):
        raise ValueError("indices out of range 0...N: expected vertices 0 .. %d, found %r"
                         % (n - 1, indices))
    found = found.astype(numpy.int64)
    found[found < 0] += n
    return found


# In which the library computes -------------------------------------------------------------------

class Computed(NamedTuple):
    """A type of weights and distances. take: from weights and the caller's scale to weights of
    `dtype` and the divisor of distances; ValueError if the type does not have them."""

    code: int          # number of the type in enum apsp_type
    dtype: numpy.dtype
    infinity: Any      # the distance that means "no path"
    take: Callable[[numpy.ndarray, Any], Tuple[numpy.ndarray, Divisor]]


_INT32 = numpy.iinfo(numpy.int32)
EXACT = 2**53  # float64 can represent all integers up to this one


def _some_at_a_time(weights: numpy.ndarray) -> Iterator[Tuple[slice, numpy.ndarray]]:
    """Parts of weights and their places, so that computing with a part takes little memory."""
    step = 2**18
    for first in range(0, len(weights), step):
        yield slice(first, first + step), weights[first:first + step]


def _power_of_two(weights: numpy.ndarray) -> Optional[int]:
    """The least exponent of a power of two that makes weights in floating point integers, which are
    of 32 bits; None if there is none."""
    lowest = highest = None
    for _, some in _some_at_a_time(weights):
        fractions, exponents = numpy.frexp(some[some != 0])
        if len(fractions) == 0:
            continue
        bits = (fractions * 2.0**53).astype(numpy.int64)
        last = numpy.frexp((bits & -bits).astype(numpy.float64))[1] - 54
        least, most = int((exponents + last).min()), int(exponents.max())
        lowest = least if lowest is None else min(lowest, least)
        highest = most if highest is None else max(highest, most)
        if highest - lowest > 31:
            return None
    if lowest is None or not -1022 < -lowest < 1022:
        return None
    return -lowest


def _times_power_of_two(weights: numpy.ndarray) -> Optional[Tuple[numpy.ndarray, float]]:
    """Floating-point weights multiplied by a power of two that makes all of them int32 exactly, and
    the inverse of that power; None if there is none."""
    shift = _power_of_two(weights)
    if shift is None:
        return None
    found = numpy.empty(len(weights), dtype=numpy.int32)
    for part, some in _some_at_a_time(weights):
        found[part] = numpy.ldexp(some, shift)
    return found, math.ldexp(1.0, shift)


def _whole(weights: numpy.ndarray) -> Optional[numpy.ndarray]:
    """Weights as int32, if they are such integers."""
    found = numpy.empty(len(weights), dtype=numpy.int32)
    with numpy.errstate(invalid="ignore"):
        for part, some in _some_at_a_time(weights):
            found[part] = some
            if not (found[part] == some).all():
                return None
    return found


def _whole_times(weights: numpy.ndarray, factor: int) -> Tuple[Optional[numpy.ndarray], Any]:
    """Floating-point weights times a factor, as int32, in whose range they are. If a product is no
    integer up to the rounding of float64: None, and the first such weight."""
    found = numpy.empty(len(weights), dtype=numpy.int32)
    for part, some in _some_at_a_time(weights):
        times = numpy.rint(some * factor)
        wrong = numpy.flatnonzero(times / factor != some)
        if len(wrong) > 0:
            return None, float(some[wrong[0]])
        found[part] = times
    return found, None


def _integers(weights: numpy.ndarray, scale: Any) -> Tuple[numpy.ndarray, Divisor]:
    factor = scale_of(scale)
    if factor == 1 and weights.dtype == numpy.int32:
        return numpy.ascontiguousarray(weights), 1
    whole = _whole(weights) if factor == 1 else None
    if whole is not None:
        return whole, 1
    if len(weights) == 0:
        return weights.astype(numpy.int32), factor
    times = "" if scale is None else " times %d" % factor
    lowest, highest = weights.min() * float(factor), weights.max() * float(factor)
    fits = _INT32.min <= lowest and highest <= _INT32.max
    if weights.dtype.kind != "f":
        if fits:
            return (weights.astype(numpy.int64) * factor).astype(numpy.int32), factor
    else:
        wrong = None
        if fits:
            whole, wrong = _whole_times(weights, factor)
        if whole is not None:
            return whole, factor
        dyadic = None
        if scale is None and math.isfinite(lowest) and math.isfinite(highest):
            dyadic = _times_power_of_two(weights)
        if dyadic is not None:
            return dyadic
        if fits:
            raise ValueError("expected integral weights%s, found %r; scale=K multiplies them by K "
                             "first, which must make them integers"
                             % (times or " or ones that a power of two makes integral", wrong))
    raise ValueError("expected weights%s in %d .. %d, found %g .. %g"
                     % (times, _INT32.min, _INT32.max, lowest, highest))


def _check_integers(weights: numpy.ndarray, factor: int) -> None:
    """Refuses integers whose products with a factor float64 cannot represent."""
    wrong = max(int(weights.min()), int(weights.max()), key=abs) if len(weights) > 0 else 0
    if abs(wrong) * factor > EXACT:
        raise ValueError("expected integral weights%s in -2^53 .. 2^53, found %d"
                         % (" times %d" % factor if factor > 1 else "", wrong))


def _scaled_reals(weights: numpy.ndarray, factor: int) -> Tuple[numpy.ndarray, Divisor]:
    """Weights times a factor, which must be integers."""
    if weights.dtype.kind != "f":
        _check_integers(weights, factor)
        return weights * float(factor), factor
    found = numpy.rint(weights * float(factor))
    for wrong, what in ((~(numpy.abs(found) <= EXACT), "weights times %d in -2^53 .. 2^53"),
                        (found / factor != weights, "integral weights times %d")):
        if wrong.any():
            raise ValueError(("expected " + what + ", found %r") % (
                factor, float(weights[wrong][0])))
    return found, factor


def _reals(weights: numpy.ndarray, scale: Any) -> Tuple[numpy.ndarray, Divisor]:
    if scale is not None:
        return _scaled_reals(weights, scale_of(scale))
    if weights.dtype.kind != "f":
        _check_integers(weights, 1)
    found = numpy.ascontiguousarray(weights, dtype=numpy.float64)
    if not numpy.isfinite(found).all():
        raise ValueError("expected finite weights, found %r"
                         % float(found[~numpy.isfinite(found)][0]))
    return found, 1


def _narrow_reals(weights: numpy.ndarray, scale: Any) -> Tuple[numpy.ndarray, Divisor]:
    found, divisor = _reals(weights, scale)
    with numpy.errstate(over="ignore"):
        narrow = found.astype(numpy.float32)
    if numpy.isinf(narrow).any():
        raise ValueError("expected weights that float32 has, found %r"
                         % float(found[numpy.isinf(narrow)][0]))
    return narrow, divisor


def decimal_scale(weights: numpy.ndarray) -> Optional[int]:
    """The least power of ten that makes weights with decimals integers which float64 has, so that
    they add up as on paper; None if there is none up to 10^9, or if they are integers."""
    if weights.dtype.kind != "f" or len(weights) == 0:
        return None
    for digits in range(10):
        factor = 10**digits
        for _, some in _some_at_a_time(weights):
            times = numpy.rint(some * float(factor))
            if not ((numpy.abs(times) <= EXACT) & (times / factor == some)).all():
                break
        else:
            return factor if digits > 0 else None
    return None


INT32 = Computed(0, numpy.dtype(numpy.int32), _library.INF, _integers)
FLOAT32 = Computed(1, numpy.dtype(numpy.float32), math.inf, _narrow_reals)
FLOAT64 = Computed(2, numpy.dtype(numpy.float64), math.inf, _reals)
COMPUTED = INT32, FLOAT64  # the first type that can represent the weights is used


def _is_beyond_integers(weights: numpy.ndarray) -> bool:
    """Returns whether the first weight alone shows that no power of two makes all of them int32."""
    if weights.dtype.kind != "f" or len(weights) == 0 or not math.isfinite(weights[0]):
        return False
    numerator, denominator = weights[0].as_integer_ratio()
    return denominator > 1 and abs(numerator) > _INT32.max


def _may_pass(weights: numpy.ndarray, divisor: Divisor, vertices: int) -> bool:
    """Returns whether distances may leave the range of integers, for weights that a power of two
    has made integers. Real weights are then used instead, since none is below 0."""
    return (divisor != 1 and weights.min() >= 0
            and int(weights.max()) * (vertices - 1) >= _library.INF)


def are_real(weights: numpy.ndarray, vertices: int) -> bool:
    """Returns whether some weights in floating point, none below 0, show that they and all others
    of their graph are taken as real ones."""
    if len(weights) == 0:
        return False
    shift = _power_of_two(weights)
    return shift is None or (shift > 0 and math.ldexp(float(weights.max()), shift) * (vertices - 1)
                             >= _library.INF)


def taken(weights: numpy.ndarray, scale: Any, types: Sequence[Computed],
          vertices: int) -> Tuple[Computed, numpy.ndarray, Divisor]:
    """Returns the first of `types` that can be computed in, the weights in that type, and the
    divisor of distances. The last type takes the most weights. vertices: number of vertices of the
    graph."""
    last = types[-1]
    for computed in types[:-1]:
        if scale is None and _is_beyond_integers(weights):
            continue
        try:
            found, divisor = computed.take(weights, scale)
        except ValueError:
            continue
        if scale is not None or not _may_pass(found, divisor, vertices):
            return computed, found, divisor
    return (last, *last.take(weights, scale))


# In which answers are given ----------------------------------------------------------------------

NO_PREDECESSOR = -9999

# Numbers that stand for "no path".
NO_PATH = {
    numpy.dtype(numpy.float64): numpy.inf,
    numpy.dtype(numpy.float32): numpy.inf,
    numpy.dtype(numpy.int64): 2**62 - 1,
    numpy.dtype(numpy.int32): _library.INF,
    numpy.dtype(numpy.uint16): 65535,
}


# Numbers of apsp_type.
TYPE_CODES = {
    numpy.dtype(numpy.int32): 0,
    numpy.dtype(numpy.float32): 1,
    numpy.dtype(numpy.float64): 2,
    numpy.dtype(numpy.uint16): 3,
    numpy.dtype(numpy.int64): 4,
}


def no_path(dtype: Any) -> Union[int, float]:
    """Returns the value that an answer of a type (floyd_warshall's `dtype`) has for pairs without a
    path.

    >>> import apsp
    >>> apsp.no_path("float64"), apsp.no_path("int64"), apsp.no_path("int32"), apsp.no_path("uint16")
    (inf, 4611686018427387903, 1073741823, 65535)
    """
    kind = numpy.dtype(dtype)
    if kind not in NO_PATH:
        raise ValueError("dtype: expected float64, float32, int64, int32 or uint16, found %s" % kind)
    return NO_PATH[kind]


def answer_type(dtype: Any, out: Any, shape: Tuple[int, ...], computed: Computed,
                divisor: Divisor) -> numpy.dtype:
    """The type of an answer, of a caller who may have said so or brought an array for it."""
    if out is not None:
        if not isinstance(out, numpy.ndarray) or out.shape != shape:
            raise ValueError("out: expected an array of shape %s, found %s"
                             % (shape, getattr(out, "shape", type(out).__name__)))
        if isinstance(out, numpy.ma.MaskedArray):
            raise ValueError("out: expected an array without a mask, found a masked one")
        if not out.flags.writeable:
            raise ValueError("out: expected an array that can be written, found a read-only one")
        if dtype is not None and numpy.dtype(dtype) != out.dtype:
            raise ValueError("dtype: expected that of out, %s, found %s"
                             % (out.dtype, numpy.dtype(dtype)))
        dtype = out.dtype
    kind = numpy.dtype(numpy.float64 if dtype is None else dtype)
    no_path(kind)
    if kind == numpy.int64 and divisor != 1:
        raise ValueError("dtype: expected float64 or float32 for weights that are no integers of int32 or "
                         "int64, found int64")
    if kind.kind != "f" and kind != numpy.int64 and (divisor != 1 or computed.dtype.kind == "f"):
        raise ValueError("dtype: expected float64 or float32 for weights that are no integers of 32 bits, "
                         "found %s" % kind)
    return kind


def convert(cells: numpy.ndarray, computed: Computed, divisor: Divisor,
            into: numpy.ndarray) -> None:
    """Converts distances of the library to an answer; they may be returned unchanged."""
    none = cells == computed.infinity
    if into.dtype == numpy.uint16:
        highest = numpy.max(cells, initial=0, where=~none)
        lowest = numpy.min(cells, initial=0, where=~none)
        if lowest < 0 or highest >= NO_PATH[into.dtype]:
            raise ValueError("dtype: expected distances in 0 .. 65534 for uint16, found %s"
                             % (lowest if lowest < 0 else highest))
    if into.dtype == numpy.int64 and computed.dtype.kind == "f":
        wrong = ~none & ~((numpy.abs(cells) < EXACT) & (cells == numpy.rint(cells)))
        if wrong.any():
            raise ValueError("dtype: expected integers below 2^53 for int64, found %r"
                             % float(cells[wrong][0]))
    with numpy.errstate(over="ignore", invalid="ignore"):
        if divisor == 1:
            numpy.copyto(into, cells, casting="unsafe")
        else:
            numpy.divide(cells, divisor, out=into, dtype=numpy.float64, casting="same_kind")
    if into.dtype == numpy.float32 and (numpy.isinf(into) & ~none).any():
        raise ValueError("dtype: expected distances up to %g for float32, found %g"
                         % (numpy.finfo(numpy.float32).max,
                            numpy.abs(cells, where=~none, out=numpy.zeros(cells.shape)).max()
                            / divisor))
    if NO_PATH[into.dtype] != computed.infinity:
        numpy.copyto(into, NO_PATH[into.dtype], where=none)
