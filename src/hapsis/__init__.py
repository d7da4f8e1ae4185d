"""Hapsis: a compiler for mechanics with a person in the loop."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> module; imported on first use, so that `hapsis doctor` runs on a broken install
_HOMES = {
    "hapsis.errors": "Error ModelError CompileError SolveError DeviceError Notice",
    "hapsis.compiler.ir.expr": "Expr symbol symbols parameter same",
    "hapsis.compiler.ir.functions": (
        "sqrt sin cos tan asin acos atan atan2 exp log tanh power abs sign floor ceil minimum "
        "maximum clip where hypot"
    ),
    "hapsis.compiler.ir.function": "Function",
    "hapsis.compiler.ir.blocks": "call map repeat",
    "hapsis.compiler.ir.printing": "formula",
    "hapsis.compiler.ir.latex": "latex",
    "hapsis.compiler.ir.sympy_bridge": "to_sympy",
    "hapsis.compiler.passes.explain": "explain",
    "hapsis.compiler.passes.steps": "vector_steps",
    "hapsis.compiler.backends.compiling": "compile",
    "hapsis.compiler.backends.export": "source export",
    "hapsis.compiler.backends.bounds": "error_bound",
}
_WHERE = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *sorted(_WHERE)]  # pyright: ignore[reportUnsupportedDunderAll]

if TYPE_CHECKING:
    from hapsis.compiler.backends.bounds import error_bound as error_bound
    from hapsis.compiler.backends.compiling import compile as compile
    from hapsis.compiler.backends.export import export as export
    from hapsis.compiler.backends.export import source as source
    from hapsis.compiler.ir.blocks import call as call
    from hapsis.compiler.ir.blocks import map as map
    from hapsis.compiler.ir.blocks import repeat as repeat
    from hapsis.compiler.ir.expr import Expr as Expr
    from hapsis.compiler.ir.expr import parameter as parameter
    from hapsis.compiler.ir.expr import same as same
    from hapsis.compiler.ir.expr import symbol as symbol
    from hapsis.compiler.ir.expr import symbols as symbols
    from hapsis.compiler.ir.function import Function as Function
    from hapsis.compiler.ir.functions import *  # noqa: F403
    from hapsis.compiler.ir.latex import latex as latex
    from hapsis.compiler.ir.printing import formula as formula
    from hapsis.compiler.ir.sympy_bridge import to_sympy as to_sympy
    from hapsis.compiler.passes.explain import explain as explain
    from hapsis.compiler.passes.steps import vector_steps as vector_steps
    from hapsis.errors import CompileError as CompileError
    from hapsis.errors import DeviceError as DeviceError
    from hapsis.errors import Error as Error
    from hapsis.errors import ModelError as ModelError
    from hapsis.errors import Notice as Notice
    from hapsis.errors import SolveError as SolveError


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        from hapsis.errors import near

        raise AttributeError(f"module 'hapsis' has no attribute {name!r}{near(name, __all__)}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
