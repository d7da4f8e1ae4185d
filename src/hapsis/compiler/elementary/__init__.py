"""Elementary functions, written once, with bitwise the same results in NumPy, LLVM and C.

Without fma contraction the three agree in every bit (NaNs agree in being NaN).  Left out:
hyperbolic functions and the error function.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from . import arcs, exponential, power, trigonometric  # noqa: F401  (they fill the registry)
from .arithmetic import REGISTRY
from .bounds import ULP
from .c_arithmetic import emit_library as _c_emit
from .llvm_arithmetic import emit_function as _llvm_emit_function
from .llvm_arithmetic import emit_library as _llvm_emit
from .numpy_arithmetic import NumpyArithmetic

__all__ = ["NAMES", "ULP", "c_library", "evaluate", "llvm_declarations", "llvm_function", "llvm_library"]

NAMES = ("sincos", "tan", "exp", "log", "pow", "atan2", "asin", "acos")
_NUMPY = NumpyArithmetic()


def evaluate(name: str, *arrays: np.typing.ArrayLike) -> np.ndarray | tuple[np.ndarray, ...]:
    """The function of the arrays (broadcast together), a tuple for sincos; no warnings.

    float32 is kept if all arguments are float32, everything else counts as float64.
    """
    arguments = [np.asarray(a) for a in arrays]
    single = all(a.dtype == np.float32 for a in arguments)
    arguments = [np.asarray(a, np.float32 if single else np.float64) for a in arguments]
    if len(arguments) > 1:
        arguments = list(np.broadcast_arrays(*arguments))
    function = REGISTRY[name, "f32" if single else "f64"]
    if len(arguments) != function.inputs:
        raise TypeError(f"{name} takes {function.inputs} arguments, not {len(arguments)}")
    with np.errstate(all="ignore"):
        # NumPy scalars are faster than 0-d arrays
        results = function.body(_NUMPY, *(a[()] for a in arguments))
    shaped = tuple(np.asarray(r) for r in results)
    return shaped[0] if function.outputs == 1 else shaped


def llvm_function(name: str, width: int, precision: str = "f64", fma: bool = False) -> str:
    """The `define internal` of one function, e.g. @hs_sincos_8f64; see `llvm_library`.

    What it refers to (intrinsics, tables, slow paths) comes from `llvm_declarations`.
    """
    return _llvm_emit_function(REGISTRY[name, precision], width, fma)[0]


def llvm_declarations(requests: Iterable[tuple[str, int, str]], fma: bool = False) -> str:
    """The intrinsic declarations and constant tables for (name, width, precision) requests."""
    return _llvm_emit(requests, fma)[1]


def llvm_library(requests: Iterable[tuple[str, int, str]], fma: bool = False) -> str:
    """All functions asked for as (name, width, precision), and all they need, each once.

    Signatures: W values of the precision in, one or a struct of two out (sincos); width 1 is a
    plain scalar.  Put the text once into a module.
    """
    definitions, declarations = _llvm_emit(requests, fma)
    return declarations + "\n" + definitions


def c_library(names: Iterable[str], precision: str = "f64", fma: bool = False) -> str:
    """C99 text with `static double hs_exp(double x)` and so on (`hs_expf` on floats).

    sincos is `static void hs_sincos(double x, double *s, double *c)`.  With fma, HS_FMA may be
    defined beforehand; it defaults to fma of math.h.
    """
    return _c_emit(names, precision, fma)
