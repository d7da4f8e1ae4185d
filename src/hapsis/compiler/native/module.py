"""A function and all it calls, as one module of IR text."""

import ast
from typing import NamedTuple

from hapsis.compiler.native import modes
from hapsis.compiler.native.definition import ENTRY, KERNEL, MEASURED, Definition, is_kernel
from hapsis.compiler.native.faults import CELL, HELPERS, UNKNOWN
from hapsis.compiler.native.scope import Scope
from hapsis.compiler.native.statements import Translation
from hapsis.compiler.native.writer import METADATA, Value, Writer, ir_type

# no call of memset or the like in place of a loop: the code refers to nothing outside
_ATTRIBUTES = 'attributes #0 = { nounwind "no-builtins" }\n'


class Module(NamedTuple):
    """IR text, what it must be linked with, and the number of arguments of each Kernel."""

    text: str
    imports: list[str]
    arity: dict[str, int]


class Linkage:
    """The functions of one module; each is translated once, while its first caller is translated."""

    def __init__(self, checked: bool) -> None:
        self.checked = checked
        self.symbols: dict[int, str] = {}
        self.done: dict[int, Translation] = {}

    def symbol(self, definition: Definition) -> str:
        """The name of a function in the module."""
        return self.symbols.setdefault(id(definition), f"@f{len(self.symbols)}")

    def arity(self, definition: Definition, node: ast.AST, caller: Scope) -> dict[str, int]:
        """The number of arguments of its Kernels; translates it first if need be."""
        if id(definition) not in self.done:
            if id(definition) in self.symbols:
                caller.fail(node, f'"{definition.name}" calls itself', "write a loop")
            self.translate(definition)
        return self.done[id(definition)].arity

    def translate(self, definition: Definition) -> Translation:
        """The IR of a function, and of those it calls."""
        translation = Translation(definition, self.symbol(definition), self)
        self.done[id(definition)] = translation
        return translation


def module(definition: Definition) -> Module:
    """The module of a function; it can be called as `ENTRY`, with bools as ints."""
    linkage = Linkage(modes.checked)
    main = linkage.translate(definition)
    writers = [translation.writer for translation in linkage.done.values()]
    needs = sorted(set().union(*(writer.needs for writer in writers)))
    imports = [need.split("@")[1].split("(")[0] for need in needs if "@llvm." not in need]
    symbol = linkage.symbol(definition)
    parts = [translation.text for translation in linkage.done.values()]
    parts += [_entry(definition, symbol, ENTRY, linkage.checked), _kernel(definition, symbol)]
    if linkage.checked:
        texts = {name: text for writer in writers for name, text in writer.texts.items()}
        parts += [_entry(definition, symbol, MEASURED, True), HELPERS, *texts.values()]
        imports.append(CELL)
    text = "\n".join([*needs, *parts])
    return Module(text + "\n" + _ATTRIBUTES + METADATA, imports, main.arity)


def _entry(definition: Definition, symbol: str, name: str, checked: bool) -> str:
    """The entry function for calls from Python, in which bools are ints.

    Where lengths are not passed, checked code treats every array as very long.
    """
    writer, outer, lines, inner = Writer(checked), list[str](), list[str](), list[str]()
    for k, kind in enumerate(definition.parameters.values()):
        outer.append(f"{'i64' if kind == 'bool' else ir_type(kind)} %p{k}")
        if kind == "bool":
            lines.append(f"%q{k} = trunc i64 %p{k} to i1")
        if name == MEASURED and writer.measured(kind):
            outer.append(f"i64 %n{k}")
        length = f"%n{k}" if name == MEASURED else str(UNKNOWN)
        inner.append(writer.argument(Value(kind, f"%{'q' if kind == 'bool' else 'p'}{k}", length)))
    result = ir_type(definition.result)
    call = f"call {result} {symbol}({', '.join(inner)})"
    if result == "void":
        lines += [call, "ret void"]
    elif result == "i1":
        lines += [f"%r = {call}", "%s = zext i1 %r to i64", "ret i64 %s"]
    else:
        lines += [f"%r = {call}", f"ret {result} %r"]
    outside = "i64" if result == "i1" else result
    head = f"define {outside} @{name}({', '.join(outer)}) #0 {{"
    return "\n".join([head, *lines, "}"])


def _kernel(definition: Definition, symbol: str) -> str:
    """The entry as a Kernel, called with a table of pointers and lengths; empty where that is impossible."""
    if not is_kernel(definition):
        return ""
    writer, lines, inner = Writer(modes.checked), list[str](), list[str]()
    for k, kind in enumerate(definition.parameters.values()):
        lines.append(f"%a{k} = getelementptr ptr, ptr %ports, i64 {k}")
        lines.append(f"%p{k} = load ptr, ptr %a{k}")
        if writer.measured(kind):
            lines.append(f"%b{k} = getelementptr i64, ptr %ports, i64 {len(definition.parameters) + k}")
            lines.append(f"%n{k} = load i64, ptr %b{k}")
        inner.append(writer.argument(Value(kind, f"%p{k}", f"%n{k}")))
    lines += [f"call void {symbol}({', '.join(inner)})", "ret void"]
    return "\n".join([f"define void @{KERNEL}(ptr %ports, ptr %workspace) #0 {{", *lines, "}"])
