"""Native functions from text, and the comparison of machine code with Python."""

import copy
import itertools
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.compiler.native import Native

HEAD = """\
import math
from hapsis.compiler.native import Array, Ints, Kernel, at, floor, isfinite, native, power, sqrt
LIMIT = 7
HALF = 0.5
class Answer:
    YES = 3
"""
_count = itertools.count()


def functions(folder: Path, text: str) -> dict[str, Any]:
    """The names that a file with this text behind `HEAD` defines."""
    file = folder / f"text{next(_count)}.py"
    file.write_text(HEAD + text)
    names: dict[str, Any] = {"__name__": file.stem}
    exec(compile(file.read_text(), str(file), "exec"), names)
    return names


def same(a: Any, b: Any) -> bool:
    """Whether results or arrays have the same bits; NaNs are alike."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype != np.float64:
        return bool((a == b).all())
    return bool(((a.view(np.uint64) == b.view(np.uint64)) | (np.isnan(a) & np.isnan(b))).all())


def agree(function: Native, *args: Any) -> Any:
    """Runs both ways on copies of the arguments, compares results and arrays; the result."""
    ours, judge = copy.deepcopy(args), copy.deepcopy(args)
    right = function.python(*judge)  # first: it notices an index outside of its array
    found = function(*ours)
    assert same(found, right) if right is not None else found is None, (found, right)
    for a, b in zip(ours, judge, strict=True):
        if isinstance(a, np.ndarray):
            assert same(a, b), (a, b)
    return found
