"""Mutation testing: do the tests notice when one operator, number or statement is wrong?

    python tools/mutate.py src/hapsis/compiler/ir --tests tests/ir --count 500 --seed 1

Mutants are drawn uniformly from all places that can be changed. One process imports the heavy
packages once and forks a child per mutant; the child executes the changed source in place of the
module, so the files stay as they are. A failing test, an error and a timeout all count as killed.
"""

import argparse
import ast
import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HEAVY = ("numpy", "scipy", "pytest", "hypothesis", "llvmlite.binding", "mpmath")
MEMORY = 8 << 30  # bytes of address space; a mutant may try to allocate without end

OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}  # fmt: skip
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip

Change = Callable[[], None]


class Mutant(NamedTuple):
    """One change of one file: the place among the changes of the file, and how it reads."""

    path: Path
    number: int
    line: int
    text: str


class Source:
    """A parsed file, and every change that can be made to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        self.parents: dict[ast.AST, tuple[ast.AST, str, int | None]] = {}
        self.nodes = [node for node in self._walk(self.tree) if node is not self.tree]
        self.changes = list(self._changes())

    def _walk(self, node: ast.AST) -> Iterator[ast.AST]:
        """All nodes but annotations, docstrings and what only type checkers see."""
        yield node
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_comment", "type_params"):
                continue
            for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST) and not _skipped(child):
                    self.parents[child] = (node, field, at)
                    yield from self._walk(child)

    def _changes(self) -> Iterator[tuple[ast.AST, str, Change]]:
        for node in self.nodes:
            before = _shown(node)
            for after, change in self._of(node):
                yield node, f"{before} -> {after}", change

    def _swap(self, node: ast.AST, new: ast.AST) -> tuple[str, Change]:
        parent, field, at = self.parents[node]
        ast.copy_location(new, node)

        def change() -> None:
            if at is None:
                setattr(parent, field, new)
            else:
                getattr(parent, field)[at] = new

        return _shown(new), change

    def _of(self, node: ast.AST) -> Iterator[tuple[str, Change]]:
        """The changes of one node."""
        match node:
            case ast.BinOp() | ast.AugAssign() if type(node.op) in OPERATORS:
                yield self._field(node, "op", OPERATORS[type(node.op)]())
            case ast.Compare():
                for k, op in enumerate(node.ops):
                    for other in COMPARISONS[type(op)]:
                        ops = [*node.ops[:k], other(), *node.ops[k + 1 :]]
                        yield self._field(node, "ops", ops)
            case ast.BoolOp():
                yield self._field(
                    node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
                )
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield self._swap(node, node.operand)
            case ast.Constant(value=bool() | int() | float() as value):
                yield self._field(node, "value", _other(value))
            case ast.Call(args=[first, second, *rest]):
                if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                    yield self._field(node, "args", [second, first, *rest])
            case ast.Break():
                yield self._swap(node, ast.Continue())
            case ast.Continue():
                yield self._swap(node, ast.Break())
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield self._field(node, "value", ast.Constant(None))
        match node:
            case ast.If() | ast.IfExp() | ast.While():
                yield self._field(node, "test", ast.UnaryOp(ast.Not(), node.test))
            case ast.comprehension(ifs=[test, *more]):
                yield self._field(node, "ifs", [ast.UnaryOp(ast.Not(), test), *more])
            case ast.Expr() | ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
                yield self._swap(node, ast.Pass())

    def _field(self, node: ast.AST, field: str, new: object) -> tuple[str, Change]:
        old = getattr(node, field)
        setattr(node, field, new)
        shown = _shown(node)
        setattr(node, field, old)
        return shown, lambda: setattr(node, field, new)

    def mutants(self) -> list[Mutant]:
        """All changes of the file."""
        return [
            Mutant(self.path, number, _line(node, self.parents), text)
            for number, (node, text, _) in enumerate(self.changes)
        ]

    def changed(self, number: int) -> ast.AST:
        """The tree after one change; call it once."""
        self.changes[number][2]()
        return ast.fix_missing_locations(self.tree)


def _skipped(node: ast.AST) -> bool:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _other(value: bool | int | float) -> bool | int | float:
    if isinstance(value, bool):
        return not value
    return type(value)(1 - value) if value in (0, 1) else value + 1


def _line(node: ast.AST, parents: dict[ast.AST, tuple[ast.AST, str, int | None]]) -> int:
    while not hasattr(node, "lineno"):
        node = parents[node][0]
    return node.lineno


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.comprehension):
        text = " ".join(f"if {ast.unparse(test)}" for test in node.ifs)
    else:
        text = ast.unparse(node)
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:67] + "..."


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name of a source file, and the folder its package lies in."""
    parts, folder = [path.stem], path.resolve().parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(part for part in parts if part != "__init__"), folder


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Executes a changed tree where the module of that name is imported."""

    def __init__(self, name: str, path: Path, tree: ast.AST) -> None:
        self.name, self.path = name, path
        self.code = compile(tree, str(path), "exec")  # type: ignore[call-overload]

    def find_spec(self, fullname: str, path: object, target: object = None) -> object:
        """The changed module, and no other."""
        if fullname != self.name:
            return None
        inside = [str(self.path.parent)] if self.path.stem == "__init__" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=inside
        )

    def exec_module(self, module: object) -> None:
        """Runs the changed code."""
        exec(self.code, vars(module))


def run_tests(tests: list[Path], mutant: Mutant | None) -> int:
    """The exit status of pytest with the mutant in place; runs in a child."""
    import pytest
    from hypothesis import Phase, settings

    os.environ["HAPSIS_CACHE"] = ""
    # the same few examples each time, and no search for the smallest one
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile(
        "mutate", derandomize=True, database=None, deadline=None, max_examples=30, phases=phases
    )
    settings.load_profile("mutate")
    if mutant:
        name = module_name(mutant.path)[0]
        tree = Source(mutant.path).changed(mutant.number)
        sys.meta_path.insert(0, Importer(name, mutant.path, tree))
        # the tests of the same name are the likeliest to fail
        tests = sorted(tests, key=lambda path: path.stem != f"test_{mutant.path.stem}")
    options = ["-x", "-q", "--no-header", "--tb=line", "--assert=plain", "-p", "no:cacheprovider"]
    return int(pytest.main([*options, *map(str, tests)]))


def forked(task: Callable[[], int], quiet: bool = True) -> int:
    """The process id of a child that runs the task and exits with its result."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if quiet:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
        status = task()
    except BaseException:  # a mutant may raise anything
        status = 1
    finally:
        os._exit(status)


def survivors(mutants: list[Mutant], tests: list[Path], jobs: int, limit: float) -> list[Mutant]:
    """The mutants whose tests all pass."""
    waiting, running, alive = list(reversed(mutants)), {}, []
    done = 0
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            pid = forked(lambda mutant=mutant: run_tests(tests, mutant))
            running[pid] = (mutant, time.monotonic() + limit)
        for pid, (mutant, deadline) in list(running.items()):
            found, status = os.waitpid(pid, os.WNOHANG)
            if not found and time.monotonic() > deadline:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)
                found, status = os.waitpid(pid, 0)
            if found:
                del running[pid]
                done += 1
                if status == 0:
                    alive.append(mutant)
                    print(f"[{done}/{len(mutants)}] {_report(mutant)}", flush=True)
        time.sleep(0.02)
    return alive


def _report(mutant: Mutant) -> str:
    return f"{os.path.relpath(mutant.path)}:{mutant.line}: {mutant.text}"


def main() -> int:
    """Draws mutants, runs them, prints the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path, help="files or folders to change")
    parser.add_argument("--tests", nargs="+", type=Path, required=True)
    parser.add_argument("--skip", nargs="*", default=[], help="names of files to leave alone")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60.0)
    given = parser.parse_args()
    files = [f for p in given.paths for f in (sorted(p.rglob("*.py")) if p.is_dir() else [p])]
    files = [f for f in files if f.name not in given.skip]
    tests = [f for p in given.tests for f in (sorted(p.rglob("test_*.py")) if p.is_dir() else [p])]
    every = [mutant for file in files for mutant in Source(file).mutants()]
    chosen = random.Random(given.seed).sample(every, min(given.count, len(every)))
    sys.path[:0] = sorted({str(module_name(file)[1]) for file in files})
    with tempfile.TemporaryDirectory() as compiled:
        sys.pycache_prefix = compiled  # nothing is written beside the sources
        for name in HEAVY:
            importlib.import_module(name)
        start = time.monotonic()
        if os.waitpid(forked(lambda: run_tests(tests, None), quiet=False), 0)[1]:
            print("the tests fail without any change")
            return 2
        print(f"{len(every)} possible mutants in {len(files)} files; {len(chosen)} drawn with seed "
              f"{given.seed}; the tests take {time.monotonic() - start:.1f} s", flush=True)  # fmt: skip
        alive = survivors(chosen, tests, given.jobs, given.timeout)
    killed = len(chosen) - len(alive)
    print(f"killed {killed} of {len(chosen)} ({100 * killed / max(1, len(chosen)):.1f} %)")
    for mutant in sorted(alive):
        print(_report(mutant))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
