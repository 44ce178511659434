# SPDX-License-Identifier: MIT
"""Rows that stay in the memory of a GPU, for CuPy, torch and others to read where they are."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Dict, Optional, Tuple

import numpy

from apsp import _library
from apsp._problem import How, HowArguments, Unpack, solve_into, undivided
from apsp._rows import Result

_lib = _library.LIB
_py = ctypes.pythonapi


# DLPack ------------------------------------------------------------------------------------------

class _Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64), ("manager_ctx", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


_NAME = b"dltensor"  # name of a capsule whose tensor nobody has taken
_CUDA = 2            # DLPack's kDLCUDA
_CODES = {"i": 0, "f": 2}
_handed_out: Dict[int, Any] = {}  # tensors by address, each with the objects that it needs


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(address: int) -> None:
    _handed_out.pop(address, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule: int) -> None:
    if _is_valid(capsule, _NAME):
        _delete(_pointer_in(capsule, _NAME))


_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _py))
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _py))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                                 ctypes.c_void_p)(("PyCapsule_New", _py))


# Matrices ----------------------------------------------------------------------------------------

class _Owned:
    """A matrix of the library, freed with the last object that refers to it."""

    def __init__(self) -> None:
        self.handle = _library.DeviceMatrix()

    def __del__(self, free: Any = _lib.apsp_device_matrix_free) -> None:
        free(self.handle)


class DeviceMatrix:
    """A matrix in the memory of a GPU, which is freed with the last object that reads it. It has
    `shape`, `dtype` and `device`, the GPU's number; cupy.asarray and torch.as_tensor read it by
    __cuda_array_interface__, cupy.from_dlpack and torch.from_dlpack by DLPack, without a copy."""

    def __init__(self, owner: Any, address: int, shape: Tuple[int, int], dtype: numpy.dtype,
                 device: int) -> None:
        self._owner, self._address = owner, address
        self.shape, self.dtype, self.device = shape, dtype, device

    def __repr__(self) -> str:
        return "<apsp.DeviceMatrix of %d x %d %s on GPU %d>" % (*self.shape, self.dtype,
                                                                self.device)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "strides": None,
                "data": (self._address, False)}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        """stream: any; the matrix is complete."""
        tensor = _Tensor(data=self._address, device_type=_CUDA, device_id=self.device, ndim=2,
                         code=_CODES[self.dtype.kind], bits=8 * self.dtype.itemsize, lanes=1,
                         shape=(ctypes.c_int64 * 2)(*self.shape),
                         deleter=ctypes.cast(_delete, ctypes.c_void_p))
        address = ctypes.addressof(tensor)
        _handed_out[address] = tensor, self
        return _new_capsule(address, _NAME, ctypes.cast(_destroy, ctypes.c_void_p))


def solve_on_device(csgraph: Any, sources: Any = None, *, predecessors: bool = False,
                    directed: bool = True, unweighted: bool = False,
                    **how: Unpack[HowArguments]) -> Result:
    """Solves as solve() does, and leaves the result in the memory of the GPU number `device`.

    Returns a Result whose distances and predecessors are DeviceMatrix. If weights are integers and
    distances fit in 30 bits, these are int32, and no_path("int32") if there is no path; otherwise
    they are float64. Predecessors are int32, -1 if there is none. An engine that solves on that GPU copies
    its rows within it; those of others are copied to it.

    Raises what solve() raises; ApspError if there is no such GPU or its memory is too small.
    """
    chosen = How(**how)
    if chosen.device_count != 0:
        raise ValueError("device: expected the number of the GPU that keeps the rows")
    found = chosen.edges_in(csgraph, unweighted)
    problem = undivided(found, sources, math.inf, directed, unweighted, chosen, "stay on a device")
    problem.ask_for_integers()
    del found
    owned = _Owned()
    solve_into(lambda sink, error: _lib.apsp_sink_device(sink, chosen.device, owned.handle, error),
               problem, predecessors, 0)
    if problem.may_be_inexact and not problem.tells_integers():
        raise ValueError("expected integral weights whose distances are below 2^53 by any path; "
                         "weights in floating point have rounded ones")
    shape, matrices = (problem.count, problem.n), []
    for function, dtype in ((_lib.apsp_device_matrix_cells, problem.computed.dtype),
                            (_lib.apsp_device_matrix_predecessors, numpy.dtype(numpy.int32))):
        address: Optional[int] = function(owned.handle)
        matrices.append(None if address is None else
                        DeviceMatrix(owned, address, shape, dtype, chosen.device))
    return Result(sources=problem.all_sources(), limit=problem.limit, proved=chosen.check,
                  distances=matrices[0], predecessors=matrices[1], engine="")
