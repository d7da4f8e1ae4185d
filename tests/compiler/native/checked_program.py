"""A program that runs with HAPSIS_NATIVE=checked, in a process of its own."""

import copy

import numpy as np
from record_cases import Filters, advance, filtered, motion, staged, twice

import hapsis as hs
from hapsis.compiler.native import Array, Ints, at, bound, byte, clear_fault, fault, native, transmit


@native
def element(x: Array, i: int) -> float:
    x[i] += 1.0
    return x[i]


@native
def part(x: Array, k: int, i: int) -> float:
    y = at(x, k) if i > 0 else x
    return element(y, i)


@native
def one_byte(x: Ints, k: int) -> int:
    return byte(x, k)


@native
def sent(x: Ints, count: int) -> int:
    return transmit(-1, x, count)


def fails(words: str, function, *args) -> None:
    """The function raises an IndexError with these words, and the next call is sound."""
    try:
        function(*args)
    except IndexError as problem:
        assert words in str(problem), problem
    else:
        raise AssertionError(f"no error: {words}")
    assert fault() is None


x = np.arange(3.0)
assert element(x, 2) == 3.0 and part(x, 1, 1) == 4.0
fails("element, line 3: x[i]: index 3 is outside of its 3 elements", element, x, 3)
fails("index -1 is outside", element, x, -1)
fails("x[i]: index 2 is outside of its 2 elements", part, x, 1, 2)
fails("at(x, k): index -1", part, x, -1, 1)
fails("index 1 is outside of its 0 elements", part, x, 9, 1)
assert one_byte(np.array([258]), 1) == 1 and sent(np.array([258]), 8) == -1
fails("byte(x, k): index 8 is outside of its 8", one_byte, np.array([258]), 8)
fails("transmit(-1, x, count): index 9", sent, np.array([258]), 9)

run = motion(2)
judge = copy.deepcopy(run)
assert staged(run, 0.5) == staged.python(judge, 0.5) and (run.y == judge.y).all()
run.ring.next = 3
fails("row[0]: index 0 is outside of its 0 elements", advance, run, 0.5, 1)
assert run.ring.next == 1

f = hs.symbols("x", 2)
shift = bound(hs.compile(hs.Function("shift", {"x": f}, {"y": [f[1], f[0]]})), ("x", "y"))
chain, y = Filters(count=2, steps=[shift, twice.bound(("x", "y"))], x=[1.0, 2.0]), np.zeros(2)
filtered(chain, y)
assert y.tolist() == [4.0, 2.0]
fails("chain.steps[i](chain.x, y), argument 2: index 1 is outside of its 1", filtered, chain, y[:1])
chain.steps = [twice.bound(("x", "y"))] * 2
fails("twice, line 4: y[j]: index 1 is outside of its 1", filtered, chain, y[:1])
chain.count = 3
fails("chain.steps[i]: index 2 is outside of its 2", filtered, chain, y)
run.f = None
fails("is not given", staged, run, 0.5)

clear_fault()
print("checked")
