"""Functions as one WebAssembly module, and the JavaScript that calls it.

The text for LLVM is that of native code without fused products, with registers of two numbers. So a call
gives the bits of the interpreter, whatever runs the module (NaNs agree in being NaN). A module needs
nothing from outside: elementary functions, memory and workspace are inside.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from hapsis.compiler import elementary
from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.llvm_gate import GATE
from hapsis.compiler.backends.llvm.llvm_module import Program
from hapsis.compiler.backends.wasm.wasm_linker import WasmModule, linked_module
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError

LANES = Lanes(1, "f64", contract=False, vector=2, registers=64)
FEATURES = "+simd128,+sign-ext,+nontrapping-fptoint"
MOST_ARGUMENTS = 1000  # of a function, in all engines: WebAssembly JavaScript Interface, "Limitations"
_INSIDE, _POINTED = "inside_{}", "pointed_{}"
_WORKSPACE = "@workspace = external global [0 x double]\n"


class Exported(NamedTuple):
    """A Function under the name by which it is called from outside.

    places    which number of p each of its parameters is
    """

    name: str
    function: Function
    places: Sequence[int]


class Helper(NamedTuple):
    """The text of a native function, which is called `symbol` there.

    requests    elementary functions that it calls: name, width and precision
    """

    text: str
    symbol: str
    requests: frozenset[tuple[str, int, str]] = frozenset()


def wasm_module(
    exported: Sequence[Exported],
    helpers: Mapping[str, Helper] | None = None,
    kernels: Sequence[Function] = (),
) -> WasmModule:
    """A module with a function `name(input, ..., p, output, ...)` for each Function, all of them addresses
    of numbers of 8 bytes; p is there if the Function has parameters.

    helpers    native functions by the name under which they are called
    kernels    Functions that native functions call through `pointers` of the module
    """
    texts, requests, workspace = list[str](), set[tuple[str, int, str]](), 1
    for k, each in enumerate(exported):
        program = Program(prepared(each.function), LANES, prefix=f"f{k}_")
        requests |= program.library.functions
        workspace = max(workspace, program.workspace)
        texts += [*program.modules, _entry(each, k, program.entry)]
    for k, function in enumerate(kernels):
        program = Program(prepared(function), LANES, prefix=f"k{k}_")
        requests |= program.library.functions
        workspace = max(workspace, program.workspace)
        texts += [*program.modules, _pointed(k, program.entry)]
    for each in (helpers or {}).values():
        requests |= each.requests
    texts.append(elementary.llvm_library(sorted(requests), False).replace("define internal", "define hidden"))
    texts.append(f"@workspace = hidden global [{workspace} x double] zeroinitializer, align 16\n")
    names = {each.name: _INSIDE.format(k) for k, each in enumerate(exported)}
    natives = dict(helpers or {})
    names |= {name: _INSIDE.format(k) for k, name in enumerate(natives, len(exported))}
    inner = [h.text.replace(f"@{h.symbol}(", f"@{names[name]}(") for name, h in natives.items()]
    return linked_module(_object(texts, inner), names, [_POINTED.format(k) for k in range(len(kernels))])


def _pointed(number: int, symbol: str) -> str:
    """A Function as native code calls it: with a table of pointers, and a workspace, for which it takes that
    of the module."""
    return (
        f"{_WORKSPACE}declare void @{symbol}(ptr, ptr)\n"
        f"define void @{_POINTED.format(number)}(ptr %table, ptr %none) {{\n"
        f"call void @{symbol}(ptr %table, ptr @workspace)\nret void\n}}\n"
    )


def _entry(each: Exported, number: int, symbol: str) -> str:
    """The function that is called from outside: it fills the table of pointers that the code reads."""
    function, count = each.function, len(each.places)
    ports = len(function.inputs) + len(function.outputs) + (count > 0)
    if ports > MOST_ARGUMENTS:
        raise CompileError(
            f'"{function.name[:60]}" has {ports} inputs and outputs',
            expected=f"at most {MOST_ARGUMENTS} in WebAssembly",
            remedy="join numbers into vectors",
        )
    arguments = ", ".join(f"ptr %a{k}" for k in range(ports))
    lines = [f"%table = alloca [{ports} x ptr]", *_gathered(each, len(function.inputs))]
    for k in range(ports):
        value = "%own" if count and k == len(function.inputs) else f"%a{k}"
        lines += [f"%t{k} = getelementptr ptr, ptr %table, i32 {k}", f"store ptr {value}, ptr %t{k}"]
    lines += [f"call void @{symbol}(ptr %table, ptr @workspace)", "ret void"]
    head = f"{_WORKSPACE}declare void @{symbol}(ptr, ptr)\n"
    return f"{head}define void @{_INSIDE.format(number)}({arguments}) {{\n" + "\n".join(lines) + "\n}\n"


def _gathered(each: Exported, port: int) -> list[str]:
    """The parameters of this Function from p, where p has others too."""
    if not each.places:
        return []
    if [*each.places] == [*range(len(each.places))]:
        return [f"%own = getelementptr double, ptr %a{port}, i32 0"]
    lines = [f"%own = alloca [{len(each.places)} x double]"]
    for k, place in enumerate(each.places):
        lines += [
            f"%f{k} = getelementptr double, ptr %a{port}, i32 {place}",
            f"%x{k} = load double, ptr %f{k}",
            f"%o{k} = getelementptr double, ptr %own, i32 {k}",
            f"store double %x{k}, ptr %o{k}",
        ]
    return lines


@cache
def _machine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown")
    return target.create_target_machine(opt=2, features=FEATURES, reloc="static")


def _object(texts: list[str], optimised: list[str]) -> bytes:
    """One relocatable object of several texts, which LLVM joins into one module. Those of Functions are
    good as they are; those that shall be optimised go through LLVM's usual passes first."""
    import llvmlite.binding as llvm

    with GATE.foreground(), GATE.passed(True):
        machine, context = _machine(), llvm.create_context()
        try:
            unit = llvm.parse_assembly(texts[-1], context)
            for text in texts[:-1]:
                unit.link_in(llvm.parse_assembly(text, context))
            for text in optimised:
                inner = llvm.parse_assembly(text, context)
                inner.triple, inner.data_layout = machine.triple, str(machine.target_data)
                builder = llvm.create_pass_builder(
                    machine, llvm.create_pipeline_tuning_options(speed_level=1)
                )
                builder.getModulePassManager().run(inner, builder)
                unit.link_in(inner)
            unit.triple, unit.data_layout = machine.triple, str(machine.target_data)
            return machine.emit_object(unit)
        except RuntimeError as problem:
            raise CompileError(f"LLVM refuses the generated code: {problem}") from None
