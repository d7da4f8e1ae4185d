"""hs.source and hs.export: Functions as source text in other languages, as a string or as files."""

import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hapsis.compiler.backends.c import c, simulink
from hapsis.compiler.backends.identifiers import reduced
from hapsis.compiler.backends.interface import STEM, interface, names_table
from hapsis.compiler.backends.script import matlab, python_source
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.text.latex import latex
from hapsis.errors import CompileError, near

LANGUAGES = ("c", "json", "latex", "matlab", "python", "simulink", "wasm")
SUFFIXES = {"c": ".c", "json": ".json", "latex": ".tex", "matlab": ".m", "python": ".py", "simulink": ".c"}
SUFFIXES["wasm"] = ".wasm"


@verb
def source(
    function: Function | Sequence[Function], language: str = "c", name: str = "model", precision: str = "f64"
) -> str:
    """The text of Functions in a language, as one text; `export` writes the same as files.

    Functions are called by `name` and their own name, `model_inverse_dynamics`; names are reduced to
    letters, digits and underscores. `language` and `precision` are those of `export`.
    """
    functions = _functions(function)
    _check(language, precision)
    _check_stem(name, language)
    if language == "wasm":
        raise CompileError("WebAssembly is no text", remedy="write its files with hs.export")
    if language == "c":
        return "".join(c.header_and_body(interface(functions, name), precision))
    return "\n".join(_texts(name, functions, language, precision).values())


@verb
def export(
    path: str | os.PathLike[str],
    functions: Function | Sequence[Function],
    language: str = "c",
    precision: str = "f64",
) -> list[Path]:
    """Write `functions` as files in a `language` and return their paths.

        c          PATH.c, PATH.h and PATH_test.c, a program that tests the others
        matlab     PATH_VERB.m for each Function, and PATH_p.m, the places of parameters
        python     PATH.py
        simulink   PATH_VERB_sfun.c for each Function, an S-function around the files of c
        wasm       PATH.wasm, WebAssembly for browsers, and PATH.mjs, JavaScript that loads and calls it
        json       PATH.json, the true names behind the identifiers of the others
        latex      PATH.tex

    In all of them a Function is called NAME_VERB, as in `arm_inverse_dynamics(q, v, a, p, tau)`: the
    last part of the path, then its own name. One vector p serves all Functions of an export.
    `precision` is f64 or f32 and concerns c and simulink. Missing folders are created. A file is
    replaced only when the new one is complete.
    """
    chosen = _functions(functions)
    _check(language, precision)
    target = target_of(path, language)
    return write_files(target, _files(target.name, chosen, language, precision))


def target_of(path: str | os.PathLike[str], language: str) -> Path:
    """The path without the ending of the language; its last part must be usable in generated code."""
    target = Path(path)
    if target.suffix == SUFFIXES[language]:
        target = target.with_suffix("")
    _check_stem(target.name, language)
    return target


def write_files(target: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    """Writes {file name: content} into the folder of a target, which is made if needed; returns the paths."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return [_write(target.parent / name, content) for name, content in files.items()]
    except OSError as problem:
        raise CompileError(
            f"{target.name[:80]} cannot be written: {problem.strerror or problem}",
            where=str(target.parent)[:200],
        ) from None


def _check_stem(stem: str, language: str) -> None:
    if not STEM.match(stem):
        plain = reduced(stem[:40], "model").removesuffix("_")
        raise CompileError(
            f'the file name "{stem[:80]}" is used in generated code',
            expected="a letter, then up to 63 letters, digits and underscores; not hs, nor hs_ at its begin",
            remedy=f"try {plain if STEM.match(plain) else 'model'}",
        )
    if language == "matlab" and len(stem) > 40:
        raise CompileError(
            f'the file name "{stem}" is too long: names in MATLAB have up to 63 characters',
            remedy="use up to 40",
        )


def _files(stem: str, functions: list[Function], language: str, precision: str) -> Mapping[str, str | bytes]:
    """{file name: content} of the files to write."""
    if language == "wasm":
        from hapsis.compiler.backends.wasm import javascript, wasm  # imported only where it is used

        shared = interface(functions, stem)
        module = wasm.wasm_module([wasm.Exported(e.name, e.function, e.places) for e in shared.entries])
        return {f"{stem}.wasm": module.bytes, f"{stem}.mjs": javascript.source(shared)}
    return _texts(stem, functions, language, precision)


def _texts(stem: str, functions: list[Function], language: str, precision: str) -> dict[str, str]:
    """{file name: text} of the files to write."""
    if language == "latex":
        return {f"{stem}.tex": "\n".join(latex(function) for function in functions)}
    if language == "c":
        return c.source(functions, stem, precision)
    shared = interface(functions, stem)
    if language == "json":
        return {f"{stem}.json": names_table(shared)}
    if language == "python":
        return {f"{stem}.py": python_source.source(shared)}
    if language == "simulink":
        return {f"{e.name}_sfun.c": simulink.source(shared, e, precision) for e in shared.entries}
    texts = {f"{entry.name}.m": matlab.source(shared, entry) for entry in shared.entries}
    return texts | ({f"{shared.table}.m": matlab.places_source(shared)} if shared.parameters else {})


def _write(path: Path, content: str | bytes) -> Path:
    """Writes a temporary file in the same folder, then renames it; returns the path."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with new.open("xb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("ascii"))
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return path


def _functions(functions: Function | Sequence[Function]) -> list[Function]:
    functions = list(functions) if isinstance(functions, Sequence) else [functions]
    for function in functions:
        if not isinstance(function, Function):
            reason = getattr(function, "not_exported", None)
            if isinstance(reason, str):
                raise CompileError(reason)
            raise CompileError(
                f"only Functions can be exported, not {type(function).__name__}: make one with hs.Function"
            )
    if not functions:
        raise CompileError("there is no Function to export")
    return functions


def _check(language: str, precision: str) -> None:
    if language not in LANGUAGES:
        raise CompileError(
            f'there is no language "{str(language)[:60]}"{near(str(language), LANGUAGES)}: use '
            f"one of {', '.join(LANGUAGES)}"
        )
    if precision not in c.PRECISIONS or (precision != "f64" and language not in ("c", "simulink")):
        raise CompileError(
            f'"{str(precision)[:60]}" is no precision of {language}'
            f"{near(str(precision), c.PRECISIONS)}: use f64, or f32 for c and simulink"
        )
