"""The definition of a native function before translation: its source, its signature, its names.

Names are resolved once, when the function is compiled: a number becomes a constant with its value at
that time.
"""

import ast
import builtins
import hashlib
import inspect
import sys
import textwrap
import typing
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any

from hapsis.compiler.native.builtins_python import Array, Ints, Kernel
from hapsis.compiler.native.record.record_layout import Kind, layout_of
from hapsis.errors import CompileError, near

# the kinds of values by the annotation that stands for them
PARAMETERS = {"int": int, "float": float, "bool": bool, "Array": Array, "Ints": Ints}
PARAMETERS |= {"Kernel": Kernel}
RESULTS: dict[str, Any] = {"None": NoneType, "int": int, "float": float, "bool": bool}

# names in object code
ENTRY = "hs_native"
MEASURED = "hs_measured"  # the same in checked code, with the lengths of arrays
KERNEL = "hs_kernel"  # the same as a Kernel: all arguments from a table of pointers
POWER = "hs_pow_1f64"  # the compiler's own function, linked if it is needed


class Definition:
    """One function: `parameters` (name to kind), `result` (a kind), and its position in the source."""

    def __init__(self, function: Any) -> None:
        if not isinstance(function, FunctionType):
            raise CompileError(f"native takes a function, not {type(function).__name__}")
        self.function, self.name = function, function.__name__
        self.file, self.line = function.__code__.co_filename, function.__code__.co_firstlineno
        names, hints = self._names(), function.__annotations__
        if any(isinstance(hint, str) for hint in hints.values()):
            hints = typing.get_type_hints(function)  # takes its time
        self.parameters: dict[str, Kind] = {name: self._kind(name, hints, PARAMETERS) for name in names}
        self.result = str(self._kind("return", hints, RESULTS))

    def _names(self) -> list[str]:
        """The names of the parameters, all of which must be plain."""
        code, function = self.function.__code__, self.function
        count = code.co_argcount - len(function.__defaults__ or ())
        count = min(count, code.co_argcount if code.co_posonlyargcount == 0 else 0)
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        flags = inspect.CO_VARARGS, inspect.CO_VARKEYWORDS
        names += code.co_varnames[len(names) : len(names) + sum(bool(code.co_flags & f) for f in flags)]
        if len(names) > count:
            raise self.error(f'parameter "{names[count]}" must be plain, without a default')
        return names

    def _kind(self, name: str, hints: dict[str, Any], kinds: dict[str, Any]) -> Kind:
        if name in hints:
            hint = NoneType if hints[name] is None else hints[name]
            for kind, annotation in kinds.items():
                if hint == annotation:
                    return kind
            layout = layout_of(hints[name])
            if layout is not None and name != "return":
                return layout
        what = "the result" if name == "return" else f'parameter "{name}"'
        fault = "has no annotation" if name not in hints else f"cannot be {hints[name]}"
        listed = [*kinds, "a record"] if kinds is PARAMETERS else kinds
        raise self.error(f"{what} {fault}", expected="one of " + ", ".join(listed))

    def __call__(self, *args: Any) -> Any:
        """Runs it as Python."""
        return self.function(*args)

    def error(self, what: str, line: int = 0, **more: str) -> CompileError:
        """An error at a line of the function, counted from its first."""
        return CompileError(what, where=f"{self.file}:{self.line + line}", **more)

    def tree(self) -> ast.FunctionDef:
        """The syntax tree; its first line is line 1."""
        if self.function.__name__ == "<lambda>":
            raise self.error("a native function is made with def")
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(self.function))).body[0]
        except (OSError, SyntaxError, IndexError):
            tree = None
        # Python 3.13 finds other text for functions that `exec` has made
        if not isinstance(tree, ast.FunctionDef) or tree.name != self.function.__name__:
            raise self.error(f'the source of "{self.name}" cannot be read', remedy="define it in a file")
        return tree

    def ordered(self, positional: list[Any], named: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the parameters; an error if they do not fit."""
        names = list(self.parameters)
        unknown = [name for name in named if name not in names[len(positional) :]]
        if unknown:
            hint = near(unknown[0], names)
            raise CompileError(f'{self.name} cannot take the argument "{unknown[0]}"{hint}')
        rest = [name for name in names[len(positional) :] if name not in named]
        if rest or len(positional) > len(names):
            listed = ", ".join(f"{name}: {kind}" for name, kind in self.parameters.items())
            count = len(positional) + len(named)
            raise CompileError(f"{self.name} takes {len(names)} arguments ({listed}), not {count}")
        return [*positional, *(named[name] for name in names[len(positional) :])]

    def meaning(self, name: str) -> Any:
        """The object of a name that is no local variable; KeyError if there is none."""
        code, cells = self.function.__code__, self.function.__closure__ or ()
        if name in code.co_freevars:
            return cells[code.co_freevars.index(name)].cell_contents
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        return vars(builtins)[name]


def definition_of(thing: Any) -> Definition | None:
    """The definition of an object, or None if it is no native function."""
    definition = thing if isinstance(thing, Definition) else getattr(thing, "definition", None)
    return definition if isinstance(definition, Definition) else None


def number(thing: Any) -> bool:
    """Whether an object is a number that can become a constant."""
    return isinstance(thing, int | float)


def holds_names(thing: Any) -> bool:
    """Whether attributes of an object can be resolved at compile time: of modules and classes."""
    return isinstance(thing, ModuleType | type)


def identity(definition: Definition) -> bytes:
    """All that the native code of a function depends on: its bytecode, and the objects of its names.

    Computed without reading the source, so that code in the cache is loaded within milliseconds.
    """
    seen: dict[int, int] = {}
    facts: list[Any] = [sys.version_info[:2]]

    def visit(one: Definition) -> int:
        if id(one) not in seen:
            seen[id(one)] = len(seen)
            code = one.function.__code__
            consts = [c for c in code.co_consts if not isinstance(c, CodeType)]
            facts.append((seen[id(one)], code.co_code, consts, code.co_names, code.co_varnames))
            facts.append((one.parameters, one.result, code.co_freevars))
            facts.extend(fact(one, name) for name in (*code.co_names, *code.co_freevars))
        return seen[id(one)]

    def fact(one: Definition, name: str) -> Any:
        try:
            return name, described(one, one.meaning(name))
        except (KeyError, ValueError):
            return name, "nothing"

    def described(one: Definition, thing: Any, within: bool = False) -> Any:
        other = definition_of(thing)
        if other is not None:
            return "function", visit(other)
        if number(thing):
            return type(thing).__name__, repr(thing)
        name = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
        if within or not holds_names(thing):
            return name
        used = [n for n in one.function.__code__.co_names if hasattr(thing, n)]
        return name, [(n, described(one, getattr(thing, n), True)) for n in used]

    visit(definition)
    return hashlib.sha256(repr(facts).encode()).digest()


def is_kernel(definition: Definition) -> bool:
    """Whether a function can be called as a Kernel: no numbers in, and nothing out."""
    kinds = definition.parameters.values()
    return definition.result == "None" and not any(kind in ("int", "float", "bool") for kind in kinds)
