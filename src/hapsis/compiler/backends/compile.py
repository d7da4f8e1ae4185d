"""hs.compile: a callable for one state or a batch from a Function."""

import copyreg
import math
from functools import cache
from typing import Annotated, Any

from hapsis.compiler.backends.call import fastcall, fastcall_ir
from hapsis.compiler.backends.call.caller import PRECISIONS, Caller
from hapsis.compiler.backends.environment import choice
from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.argument_kinds import described
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.limits import Count, Limits
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.passes.parts import hoisted
from hapsis.errors import CompileError, near, notice

BACKENDS = ("llvm", "python")
Budget = Annotated[float, Limits(0.0, math.inf)]


@verb
def compile(
    function: Function,
    backend: str = "llvm",
    *,
    precision: str = "f64",
    contract: bool = True,
    bake: bool = False,
    budget: Budget = 60.0,
    threads: Count | None = None,
    wait: bool = False,
) -> Any:
    """A callable `f(x, y, ..., p=None, out=None)` for one state, or a batch along a first axis.

    Expressions of parameters alone are computed once per set of parameters: here for the stored
    values, for others when a call gives them.

    backend    "llvm" (native code in this process) or "python" (the reference interpreter)
    precision  "f64" or "f32"
    contract   allow fused multiply-adds: faster, within the running error bound; without them the
               results are bitwise those of the interpreter on every backend
    bake       replace the parameters by constants, in Functions that are called too
    budget     seconds of compiling after which the interpreter serves instead, with a notice
    threads    for batches; all cores if not given
    wait       return with the good code, for time measurements; otherwise a long Function runs quick
               code first, with the same results, until the good code is compiled in the background
    """
    _check(function, backend, precision)
    if bake not in (True, False):
        raise CompileError(
            f"bake is {described(bake)}", expected="True or False", remedy="all parameters are baked, or none"
        )
    choice("HAPSIS_BACKGROUND")  # a wrong value is told also where all code is in the cache
    if bake:
        function = function.baked()
    options = {"backend": backend, "precision": precision, "contract": contract}
    options |= {"budget": budget, "threads": threads, "wait": wait}
    with Activity(f"compiling {function.name}"):
        compiled = _compiled(function, **options)
    compiled.options = options
    copyreg.pickle(type(compiled), _reduced)
    return compiled


def _reduced(compiled: Any) -> Any:
    """How a compiled Function is pickled: as its Function, which is compiled again where it arrives."""
    if not hasattr(compiled, "options"):
        raise TypeError("only what hs.compile returns can be copied")
    return _restored, (compiled.function, compiled.options)


def _restored(function: Function, options: dict[str, Any]) -> Any:
    return compile(function, **options)


def _compiled(
    function: Function,
    backend: str,
    precision: str,
    contract: bool,
    budget: float,
    threads: int | None,
    wait: bool,
) -> Any:
    if backend == "python":
        return _interpreted(function, precision)
    # LLVM is loaded where it is used first: much can be done with a model without it
    from hapsis.compiler.backends.call.parameter_preparation import ParameterPreparation
    from hapsis.compiler.backends.llvm.code import Part
    from hapsis.compiler.backends.llvm.llvm import LlvmKernel

    kernel = LlvmKernel(Part(function), precision, contract, budget, threads, wait)
    try:
        code = kernel.code(1)
    except (CompileError, MemoryError, OSError) as problem:
        notice(f"{function.name!r:.60} runs in the interpreter: {problem}")
        return _interpreted(function, precision)
    if function.on_split is not None:
        function.on_split(*hoisted(function))
    preparation = None
    if kernel.part.hoisted(code.facts):
        preparation = ParameterPreparation(Part(function, preparation=True), precision, budget, threads)
    caller = Caller(function, kernel, precision, preparation)
    if not fastcall.available():
        return caller
    entry_code, entry = _entry()
    fast = fastcall.make_callable(
        entry,
        code.address,
        caller,
        [port.shape for port in function.inputs],
        [port.shape for port in function.outputs],
        caller.stored,
        precision=precision,
        workspace_bytes=code.workspace_bytes,
        result=function.result if len(function.outputs) > 1 else tuple,
        keep=(entry_code, code, kernel),
        follow=code.follow,
    )
    fast.function, fast.kernel, fast.precision = function, kernel, precision
    fast.describe = caller  # its text is written where it is asked for
    caller.shortcut(fast)
    fast.__doc__ = Caller.__doc__
    return fast


def _interpreted(function: Function, precision: str) -> Caller:
    from hapsis.compiler.backends.interpreter import PythonKernel

    return Caller(function, PythonKernel(function), precision)


@cache
def _entry() -> tuple[Any, int]:
    """The compiled entry of all callables: the object that keeps it loaded, and its address."""
    from hapsis.compiler.backends.llvm.small_functions import small_function

    return small_function(fastcall_ir.ENTRY, fastcall_ir.entry_ir)


def _check(function: Function, backend: str, precision: str) -> None:
    if not isinstance(function, Function):
        raise CompileError(
            f"compile takes a Function, not {type(function).__name__}: make one with hs.Function"
        )
    if backend not in BACKENDS:
        name = str(backend)[:60]
        raise CompileError(
            f'there is no backend "{name}"{near(name, BACKENDS)}: use one of '
            + ", ".join(BACKENDS)
            + "; for source text use hs.source or hs.export"
        )
    if precision not in PRECISIONS:
        raise CompileError(f'there is no precision "{str(precision)[:60]}": use "f64" or "f32"')
