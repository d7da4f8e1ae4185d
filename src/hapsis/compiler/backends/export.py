"""hs.source and hs.export: Functions as source text in other languages, as a string or as files."""

import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hapsis.compiler.backends.c import c
from hapsis.compiler.backends.script import matlab, python_source
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.text.latex import latex
from hapsis.errors import CompileError, near

LANGUAGES = ("c", "latex", "matlab", "python")
SUFFIXES = {"c": ".c", "latex": ".tex", "matlab": ".m", "python": ".py"}

# a function file must bear its function's name, so these cannot be names of MATLAB files
_RESERVED = frozenset(
    "break case catch classdef continue do else elseif end endfunction endif endwhile enumeration "
    "events for function global if methods otherwise parfor persistent properties return spmd "
    "switch try unless until unwind_protect while".split()
)


@verb
def source(function: Function | Sequence[Function], language: str = "c") -> str:
    """The text of Functions in a language (c, latex, matlab or python), as one complete file.

    Inputs and outputs are named by their positions, in0, out0, ...; only LaTeX shows names, and only
    plain ones.
    """
    functions = _functions(function)
    _check(language)
    if language == "c":
        return "".join(c.header_and_body(functions))
    if language == "python":
        return python_source.source(functions)
    if language == "latex":
        return "\n".join(latex(f) for f in functions)
    return "\n".join(matlab.source(f, f"f{k}") for k, f in enumerate(functions))


@verb
def export(
    path: str | os.PathLike[str], functions: Function | Sequence[Function], language: str = "c"
) -> list[Path]:
    """Write Functions as files in a `language` and return their paths.

        c        PATH.c, PATH.h and PATH_test.c, a program that tests the others
        matlab   PATH.m, or PATH_f0.m, PATH_f1.m, ... for several Functions
        python   PATH.py with functions f0, f1, ...
        latex    PATH.tex

    Missing folders are created. A file is replaced only when the new one is complete.
    """
    chosen = _functions(functions)
    _check(language)
    target = Path(path)
    if target.suffix == SUFFIXES[language]:
        target = target.with_suffix("")
    texts = _texts(target.name, chosen, language)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return [_write(target.parent / name, text) for name, text in texts.items()]
    except OSError as problem:
        raise CompileError(
            f"{target.name[:80]} cannot be written: {problem.strerror or problem}",
            where=str(target.parent)[:200],
        ) from None


def _texts(stem: str, functions: list[Function], language: str) -> dict[str, str]:
    """{file name: text} of the files to write."""
    if not c.STEM.match(stem):
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", stem).strip("_")[:40]
        plain = plain if c.STEM.match(plain) else "model"
        raise CompileError(
            f'the file name "{stem[:80]}" is used in generated code',
            expected="a letter, then up to 63 letters, digits and underscores",
            remedy=f"try {plain}",
        )
    if language == "c":
        return c.source(functions, stem)
    if language != "matlab":
        return {stem + SUFFIXES[language]: source(functions, language)}
    if stem.lower() in _RESERVED or len(stem) > 40:
        raise CompileError(
            f'the file name "{stem}" cannot be the name of a MATLAB function: use a short name '
            "that is no word of the language"
        )
    names = [stem] if len(functions) == 1 else [f"{stem}_f{k}" for k in range(len(functions))]
    return {f"{name}.m": matlab.source(f, name) for name, f in zip(names, functions, strict=True)}


def _write(path: Path, text: str) -> Path:
    """Writes a temporary file in the same folder, then renames it; returns the path."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with new.open("x", encoding="ascii", newline="\n") as file:
            file.write(text)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return path


def _functions(functions: Function | Sequence[Function]) -> list[Function]:
    functions = [functions] if isinstance(functions, Function) else list(functions)
    for function in functions:
        if not isinstance(function, Function):
            raise CompileError(
                f"only Functions can be exported, not {type(function).__name__}: make one with hs.Function"
            )
    if not functions:
        raise CompileError("there is no Function to export")
    return functions


def _check(language: str) -> None:
    if language not in LANGUAGES:
        raise CompileError(
            f'there is no language "{str(language)[:60]}"{near(str(language), LANGUAGES)}: use '
            f"one of {', '.join(LANGUAGES)}"
        )
