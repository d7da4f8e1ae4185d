"""Mutation testing: do the tests notice when one operator, number or statement is wrong?

    python tools/mutate.py src/hapsis/compiler/ir --tests tests/compiler/ir --count 500 --seed 1

Mutants are drawn uniformly from all places that can be changed. One process imports the heavy
packages once and forks a child per mutant; the child executes the changed source in place of the
module, so the files stay as they are. A failing test, an error and a timeout all count as killed.
"""

import argparse
import ast
import contextlib
import importlib.abc
import importlib.util
import os
import random
import resource
import signal
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

HEAVY = "numpy scipy.spatial.transform pytest hypothesis llvmlite.binding mpmath sympy".split()
MEMORY = 8 << 30  # bytes of address space; a mutant may try to allocate without end

OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SYMMETRIC = {"add", "mul", "minimum", "maximum", "hypot"}  # the order of arguments is free

Put = Callable[[ast.AST], None]  # puts another node in the place of one
Change = tuple[str, Callable[[], None]]  # how the node reads after it, and what makes it


class Mutant(NamedTuple):
    """One change of one file: its number among the changes of the file, and how it reads."""

    path: Path
    line: int
    text: str
    number: int

    def __str__(self) -> str:
        return f"{os.path.relpath(self.path)}:{self.line}: {self.text}"


def changes(path: Path) -> tuple[Any, list[tuple[int, str, Callable[[], None]]]]:
    """A file's tree and every change that can be made to it: line, text, and what makes it."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return tree, [
        (line, f"{_shown(node)} -> {after}", make)
        for node, put, line in _places(tree, 0)
        for after, make in _changes(node, put)
    ]


def _places(node: ast.AST, line: int) -> Iterator[tuple[ast.AST, Put, int]]:
    """All nodes below, but for annotations, docstrings and what only type checkers see."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for at, child in enumerate(value if isinstance(value, list) else [value]):
            match child:
                case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
                    continue
                case ast.keyword(arg="strict"):  # of zip: the lengths are equal anyhow
                    continue

            def put(new: ast.AST, field: str = field, value: Any = value, at: int = at) -> None:
                if isinstance(value, list):
                    value[at] = new
                else:
                    setattr(node, field, new)

            if isinstance(child, ast.AST):
                here = getattr(child, "lineno", line)
                yield child, put, here
                yield from _places(child, here)


def _changes(node: ast.AST, put: Put) -> Iterator[Change]:
    """The changes of one node."""

    def field(name: str, new: Any) -> Change:
        old = getattr(node, name)
        setattr(node, name, new)
        shown = _shown(node)
        setattr(node, name, old)
        return shown, lambda: setattr(node, name, new)

    def instead(new: ast.AST) -> Change:
        return _shown(new), lambda: put(ast.copy_location(new, node))

    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in OPERATORS:
            yield field("op", OPERATORS[type(op)]())
        case ast.Compare(ops=ops):
            for k, op in enumerate(ops):
                for comparison in COMPARISONS[type(op)]:
                    yield field("ops", [*ops[:k], comparison(), *ops[k + 1 :]])
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield instead(operand)
        case ast.Constant(value=bool() | int() | float() as value):
            # 0 and 1, True and False change places
            yield field("value", type(value)(1 - value) if value in (0, 1) else value + 1)
        case ast.Call(func=func, args=[first, second, *rest]):
            star = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
            if not star and ast.unparse(func).split(".")[-1] not in SYMMETRIC:
                yield field("args", [second, first, *rest])
        case ast.Break() | ast.Continue():
            yield instead(ast.Continue() if isinstance(node, ast.Break) else ast.Break())
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield field("value", ast.Constant(None))
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield field("test", ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=[test, *more]):
            yield field("ifs", [ast.UnaryOp(ast.Not(), test), *more])
        case ast.Expr() | ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            yield instead(ast.Pass())


def _shown(node: ast.AST) -> str:
    return textwrap.shorten(ast.unparse(node), 80, placeholder=" ...")


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name of a source file, and the folder its package lies in."""
    path = path.resolve()
    folder = next(p for p in path.parents if not (p / "__init__.py").exists())
    return ".".join(path.relative_to(folder).with_suffix("").parts), folder


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Executes a changed tree where the module of that name is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.path = module_name(mutant.path)[0].removesuffix(".__init__"), mutant.path
        tree, places = changes(mutant.path)
        places[mutant.number][2]()
        self.code = compile(ast.fix_missing_locations(tree), str(self.path), "exec")

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """The changed module, and no other."""
        if fullname != self.name:
            return None
        inside = [str(self.path.parent)] if self.path.stem == "__init__" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=inside
        )

    def exec_module(self, module: Any) -> None:
        """Runs the changed code."""
        exec(self.code, vars(module))


def tested(tests: list[Path], mutant: Mutant | None) -> int:
    """The exit status of the tests with the mutant in place; runs in a child."""
    import pytest
    from hypothesis import Phase, settings

    os.environ["HAPSIS_CACHE"] = ""
    # the same few examples each time, and no search for the smallest one
    few = {"derandomize": True, "database": None, "deadline": None, "max_examples": 30}
    settings.register_profile("mutate", **few, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutate")
    if mutant:
        sys.meta_path.insert(0, Importer(mutant))
        # the tests of the same name are the likeliest to fail
        tests = sorted(tests, key=lambda path: path.stem != f"test_{mutant.path.stem}")
    options = "-x -q --no-header --tb=line --assert=plain -W ignore -p no:cacheprovider".split()
    return int(pytest.main([*options, *map(str, tests)]))


def forked(tests: list[Path], mutant: Mutant | None) -> int:
    """The process id of a child whose exit status is that of the tests."""
    status = 1
    if pid := os.fork():
        return pid
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant:
            os.dup2(os.dup2(os.open(os.devnull, os.O_WRONLY), 1), 2)
        status = tested(tests, mutant)
    finally:  # whatever the mutant raised
        os._exit(status)


def survivors(mutants: list[Mutant], tests: list[Path], jobs: int, limit: float) -> list[Mutant]:
    """The mutants whose tests all pass."""
    waiting, alive, running = mutants[::-1], list[Mutant](), dict[int, tuple[Mutant, float]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[forked(tests, mutant)] = mutant, time.monotonic() + limit
        for pid, (mutant, deadline) in list(running.items()):
            if time.monotonic() > deadline:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del running[pid]
                alive += [mutant] * (status == 0)
        time.sleep(0.02)
    return alive


def main() -> None:
    """Draws mutants, runs them, prints the survivors."""
    parser = argparse.ArgumentParser(description="Do the tests notice a wrong line?")
    parser.add_argument("paths", nargs="+", type=Path, help="files or folders to change")
    parser.add_argument("--tests", nargs="+", type=Path, required=True)
    parser.add_argument("--skip", nargs="*", default=[], help="names of files to leave alone")
    for option, value in {"count": 500, "seed": 1, "jobs": 2, "timeout": 60}.items():
        parser.add_argument(f"--{option}", type=int, default=value)
    options = parser.parse_args()
    files = [f for p in options.paths for f in (sorted(p.rglob("*.py")) if p.is_dir() else [p])]
    files = [f for f in files if f.name not in options.skip]
    tests = [f for p in options.tests for f in (sorted(p.rglob("test_*.py")) if p.is_dir() else [p])]
    every = [Mutant(f, *c[:2], k) for f in files for k, c in enumerate(changes(f)[1])]
    chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    sys.path[:0] = sorted({str(module_name(file)[1]) for file in files})
    with tempfile.TemporaryDirectory() as compiled:
        sys.pycache_prefix = compiled  # nothing is written beside the sources
        for name in HEAVY:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        if os.waitpid(forked(tests, None), 0)[1]:
            sys.exit("the tests fail without any change")
        print(f"{len(chosen)} of {len(every)} mutants of {len(files)} files", flush=True)
        alive = survivors(chosen, tests, options.jobs, options.timeout)
    n, killed = len(chosen), len(chosen) - len(alive)
    print(f"killed {killed} of {n} ({100 * killed / n:.1f} %)", *sorted(alive), sep="\n")


if __name__ == "__main__":
    main()
