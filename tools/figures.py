"""Prints structural figures of a checkout, counted the same way before and after a change.

    python tools/figures.py [--root DIR] [--list]

lines               of src: statements (nodes of the syntax tree, docstrings left out), and logical lines
                    (NEWLINE tokens)
native functions    decorated with `native`, and those with more than 8 parameters
largest folder      of src, by its Python files
found, made         locals of these names in src, one for each function that assigns one
reach-ins           `x._name` where x is not self, cls or super() and this module defines no such name,
                    `from m import _name`, and `module._name`
fmt: skip           comments in src, tests, tools and examples
crossings           on the way `simulate(four_bar)` -> Result: see `crossings`

`--list` names the places of native functions with many parameters, reach-ins and crossings.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MOST_PARAMETERS = 8
PUBLIC_ANYWAY = {"_", "_replace", "_asdict", "_fields", "_make", "_getframe"}  # documented by Python
# the packages between which crossings are counted; what lies deeper belongs to the nearest of them
PACKAGES = (
    "bench",
    "cli",
    "commands",
    "compiler/backends",
    "compiler/elementary",
    "compiler/ir",
    "compiler/native",
    "compiler/passes",
    "library",
    "mechanics/algebra",
    "mechanics/formalisms",
    "mechanics/formats",
    "mechanics/model",
    "mechanics/model/contact_laws",
    "mechanics/model/forces",
    "motion/analysis",
    "motion/simulate",
    "motion/solvers",
    "touch/haptics",
    "touch/link",
    "touch/realtime",
    "view",
)


def sources(folder: Path) -> list[Path]:
    """The Python files below a folder."""
    return sorted(folder.rglob("*.py"))


def statements(tree: ast.Module) -> int:
    """Statements of a module without its docstrings."""
    documented = (ast.Module, ast.ClassDef, *FUNCTIONS)
    nodes = list(ast.walk(tree))
    docstrings = sum(
        isinstance(x, documented) and ast.get_docstring(x, clean=False) is not None for x in nodes
    )
    return sum(isinstance(x, ast.stmt) for x in nodes) - docstrings


def logical_lines(path: Path) -> int:
    """NEWLINE tokens of a file."""
    with path.open("rb") as file:
        return sum(token.type == tokenize.NEWLINE for token in tokenize.tokenize(file.readline))


def native_functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Name and number of parameters of each native function."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            decorators = (x.func if isinstance(x, ast.Call) else x for x in node.decorator_list)
            if any(getattr(x, "id", getattr(x, "attr", "")) == "native" for x in decorators):
                arguments = node.args
                yield node.name, len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)


def vague_locals(tree: ast.Module) -> list[int]:
    """How many locals of each function are called `found` or `made`; functions without one left out."""

    def own(node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            yield child
            if not isinstance(child, FUNCTIONS):
                yield from own(child)

    counts = []
    for function in (x for x in ast.walk(tree) if isinstance(x, FUNCTIONS)):
        stored = {x.id for x in own(function) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        counts += [len(stored & {"found", "made"})]
    return [count for count in counts if count]


def _private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in PUBLIC_ANYWAY


def _defined(tree: ast.Module) -> set[str]:
    """Private names that a module defines: functions, classes, variables, attributes of self."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= {node.attr} if getattr(node.value, "id", "") in ("self", "cls") else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)  # __slots__, object.__setattr__(self, "_name", ...)
    return names


def reach_ins(tree: ast.Module, folder: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each use of another module's or object's private name.

    A private module is no reach-in for the modules beside it.
    """
    own = _defined(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if _private(alias.name) and not (folder / f"{alias.name}.py").exists():
                    yield node.lineno, f"from {node.module} import {alias.name}"
        elif isinstance(node, ast.Attribute) and _private(node.attr) and node.attr not in own:
            text = ast.unparse(node.value)
            if text not in ("self", "cls") and not text.startswith("super("):
                yield node.lineno, f"{text}.{node.attr}"


def package_of(file: str) -> str:
    """The package that a file of hapsis belongs to, as "motion/simulate"; empty for files at the top."""
    inside = [name for name in PACKAGES if file.startswith(f"{name}/")]
    return max(inside, key=len, default="")


def crossings() -> list[str]:
    """Where the way from `hs.simulate` of a four-bar to its Result crosses a border of packages.

    A driven four-bar, assembled before, is simulated under `sys.setprofile`. A crossing is a pair of a
    file of `motion` and another package that this file calls into at least once on the way (the caller
    is the nearest frame of hapsis below). Packages are those of `PACKAGES`, the folders of the tree when
    this was first counted: what was divided since still counts as one. Imports do not count.
    """
    from bits.scenes import four_bar

    import hapsis as hs

    base = str(Path(hs.__file__).parent) + os.sep
    pairs: set[tuple[str, str]] = set()

    def noted(frame: Any, event: str, _: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        if event != "call" or not code.co_filename.startswith(base) or code.co_name == "<module>":
            return
        while caller is not None and not caller.f_code.co_filename.startswith(base):
            caller = caller.f_back
        if caller is None:
            return
        into = package_of(code.co_filename[len(base) :].replace(os.sep, "/"))
        file = caller.f_code.co_filename[len(base) :].replace(os.sep, "/")
        if into and file.startswith("motion/") and package_of(file) != into:
            pairs.add((file, into))

    model = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t))
    start, simulate = hs.assemble(model, {"A": 0.3}), hs.simulate
    sys.setprofile(noted)
    simulate(model, until=5.0, start=start)
    sys.setprofile(None)
    return sorted(f"{file} -> {into}" for file, into in pairs)


def measured_crossings(root: Path) -> list[str]:
    """The crossings of another checkout, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, __file__, "--crossings"]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(process.stdout.splitlines()[-1])


def report(root: Path, detailed: bool) -> Iterator[str]:
    """The lines that are printed."""
    files = sources(root / "src")
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    native = [(f"{p.relative_to(root)}: {name}", n) for p in files for name, n in native_functions(trees[p])]
    wide = [(place, n) for place, n in native if n > MOST_PARAMETERS]
    private = [
        f"{p.relative_to(root)}:{line}: {text}" for p in files for line, text in reach_ins(trees[p], p.parent)
    ]
    (folder, largest), *_ = Counter(path.parent for path in files).most_common(1)
    ways = measured_crossings(root)
    yield f"files of src                 {len(files)}"
    yield f"statements of src            {sum(map(statements, trees.values()))}"
    yield f"logical lines of src         {sum(map(logical_lines, files))}"
    yield f"native functions             {len(native)}"
    counts = [n for _, n in native]
    yield f"  more than {MOST_PARAMETERS} parameters      {len(wide)} (most: {max(counts, default=0)})"
    yield f"  {MOST_PARAMETERS} or more               {sum(n >= MOST_PARAMETERS for n in counts)}"
    yield f"files in the largest folder  {largest} ({folder.relative_to(root)})"
    vague = [count for tree in trees.values() for count in vague_locals(tree)]
    yield f"locals found, made           {sum(vague)} in {len(vague)} functions"
    benched = sum("/bench/" in place for place in private)
    yield f"private reach-ins            {len(private)}, of which in the benchmarks {benched}"
    for name in ("src", "tests", "tools", "examples"):
        skips = sum(
            path.read_text(encoding="utf-8").count("# fmt: " + "skip") for path in sources(root / name)
        )
        yield f"fmt: skip in {name:<15} {skips}"
    yield f"crossings, simulate          {len(ways)}"
    if detailed:
        yield from ("", *(f"{place}: {n} parameters" for place, n in wide), "", *private, "", *ways)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Print structural figures of a checkout.")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--list", action="store_true", help="name the places too")
    parser.add_argument("--crossings", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crossings:
        print(json.dumps(crossings()))
        return
    print("\n".join(report(options.root.resolve(), options.list)))


if __name__ == "__main__":
    main()
