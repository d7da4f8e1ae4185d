"""What holds of every Function, wherever packs are put.

Without fused products one state has the bits of the interpreter, signs of zero among them. With them it
equals the row of a batch. Both hold for parameters that are given with the call.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

import hapsis as hs
from hapsis.compiler.backends.llvm import llvm
from hapsis.compiler.passes import shapes, twin_choice, twin_search

Array = Any
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e308, -1e-308)
BYTES = (16, 32, 64)  # of registers
REGISTERS = (3, 11, 24)


@contextmanager
def packs_somewhere(draw: random.Random) -> Iterator[None]:
    """Other thresholds and another processor; nothing of it is kept on disk."""
    least, gain = (-1e9, -1e9) if draw.random() < 0.6 else (draw.uniform(-4, 1), draw.uniform(-0.5, 0.1))
    fewest = draw.choice([1, 1, 4, shapes.FEWEST])
    wide, registers = draw.choice(BYTES), draw.choice(REGISTERS)
    with (
        mock.patch.dict("os.environ", {"HAPSIS_CACHE": ""}),
        mock.patch.object(twin_search, "FEWEST", fewest),
        mock.patch.object(twin_search, "DEEP", draw.choice([1, 1, 2, twin_search.DEEP])),
        mock.patch.object(shapes, "FEWEST", fewest),
        mock.patch.object(twin_choice, "LEAST", least),
        mock.patch.object(twin_choice, "GAIN", gain),
        mock.patch.object(llvm, "vector_bytes", lambda: wide),
        mock.patch.object(llvm, "register_count", lambda: registers),
    ):
        yield


def broken(draw: random.Random, f: hs.Function, special: float = 0.0, single: bool = True) -> list[str]:
    """The laws that a Function breaks, in words; `special` is the share of inputs such as NaN."""
    numbers = np.random.default_rng(draw.randrange(1 << 30))
    count = 3
    x = [_drawn(numbers, (count, *port.shape), special) for port in f.inputs]
    if draw.random() < 0.2:
        x = [np.round(part) for part in x]  # sums that are zero
    p: dict[str, float] | None = None
    if f.parameters and draw.random() < 0.7:
        p = {name: draw.choice([draw.uniform(-1, 1)] * 5 + [0.0, -0.0, 1.0]) for name in f.parameters}
    found: list[str] = []
    reference = hs.compile(f, backend="python")
    with packs_somewhere(draw):
        exact, fused = hs.compile(f, contract=False, wait=True), hs.compile(f, wait=True)
        short = hs.compile(f, precision="f32", contract=draw.random() < 0.5, wait=True) if single else None
        with np.errstate(all="ignore"):
            for k in range(count):
                row = [part[k] for part in x]
                one = flat(exact(*row, p=p))
                if not same(one, flat(reference(*row, p=p))):
                    found.append(
                        f"row {k}: not the interpreter's bits: {first(one, flat(reference(*row, p=p)))}"
                    )
            for name, code in (("f64", fused), ("f32", short)):
                if code is None or not x:
                    continue
                whole = code(*x, p=p)
                for k in range(count):
                    one, other = flat(code(*[part[k] for part in x], p=p)), flat(whole, k)
                    if not np.array_equal(one, other, equal_nan=True):
                        found.append(f"row {k}: {name} not a batch's: {first(one, other)}")
    return found


def _drawn(numbers: np.random.Generator, shape: tuple[int, ...], special: float) -> Array:
    x = numbers.uniform(-1.2, 1.2, shape)
    at = numbers.random(shape) < special
    return np.where(at, numbers.choice(SPECIAL, shape), x)


def flat(results: Any, k: int | None = None) -> Array:
    """All numbers of a result, or those of row k of a batch."""
    ports = results if isinstance(results, tuple) else (results,)
    return np.concatenate([np.ravel(x if k is None else x[k]) for x in map(np.asarray, ports)])


def same(x: Array, y: Array) -> bool:
    """Whether two arrays have the same bits; a NaN is a NaN."""
    both = np.isnan(x) & np.isnan(y)
    return bool(np.all(both | ((x == y) & (np.signbit(x) == np.signbit(y)))))


def first(x: Array, y: Array) -> str:
    """The first two numbers that differ."""
    differ = ~((np.isnan(x) & np.isnan(y)) | ((x == y) & (np.signbit(x) == np.signbit(y))))
    k = int(np.argmax(differ))
    return f"{x[k]!r} and {y[k]!r} at {k}, {int(differ.sum())} of {len(x)}"
