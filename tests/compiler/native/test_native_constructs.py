"""Each construct of the language, alone: the same result as Python's."""

import ctypes
import textwrap

import numpy as np
import pytest
from native_text import agree, functions

# bodies of f(n: int, c: bool, x: Array, k: Ints) -> float, by what they show
BODIES = """
# docstring and pass
"Words."
pass
return n
# tuple
a, b = n, x[0]
a, b = a + 1, b + a
return a * b
# swap elements
x[0], x[1] = x[1], x[0]
return x[0] - 2 * x[1]
# several targets
a = b = x[2] = n
return a + b + x[2]
# int becomes float
s = 0.0
s = n
return s / 2
# augmented
s = 1.5
s += n
s -= 1
s *= 3
s /= 7
s //= 0.01
s %= 5
return s
# augmented elements
k[1] += n
k[2] *= 3
k[0] //= 2
x[k[0] % 3] /= 3
return x[0]
# loop variable changed
s = 0
for i in range(n):
    s += i
    i = i * 5
    s += i
return s
# range bounds are taken once
m = n
s = 0
for i in range(m):
    m = 100
    s += 1
return s
# range of two
s = 0
for i in range(-2, n):
    s = s * 3 + i
return s
# range with step
s = 0
for i in range(1, n, 2):
    s = s * 3 + i
return s
# range down
s = 0
for i in range(n, -4, -3):
    s = s * 3 + i
return s
# range with named step
s = 0
for i in range(0, 30, LIMIT):
    s += i
return s
# empty range
s = 5
for i in range(n, n):
    s = 0
return s
# while
i = 0
while i * i < 50:
    i += 1
return i
# while true
i = 0
while True:
    i += n
    if i > 40:
        return i
# while with break and continue
i = 0
s = 0.5
while i < 20:
    i += 1
    if i % 3 == 0:
        continue
    if i > 11:
        break
    s = s * 1.5 + i
return s
# nested loops
s = 0
for i in range(n):
    for j in range(i, n):
        if j == 3:
            break
        s = s * 2 + j - i
return s
# elif
if n > 9:
    r = 1
elif n > 4:
    r = 2
else:
    r = 3
return r
# value from a break
while True:
    r = n + 1
    if r > 0:
        break
return r
# conditional expression
return x[0] if n > 3 else n
# nested conditional
return (1 if n > 3 else 2.5) if x[0] < 0 else (3 if c else 4)
# chain
return 1 if 0 < n <= LIMIT < 9 else 0
# chain as value
t = 0 < n < 3
return int(t)
# short circuit and
return 1 if n > 100 and k[n * 1000000] > 0 else 2
# short circuit or
return 1 if n < 100 or k[n * 1000000] > 0 else 2
# short circuit chain
return 1 if n > 100 > k[n * 1000000] else 2
# conditional evaluates one side
return k[n * 1000000] if n > 100 else 2
# and or as values
t = c and n > 1 or not c
return int(t)
# numbers as conditions
s = 0
if n and not x[0] - x[0]:
    s = 1
while n:
    n -= 1
    s += 2
return s
# bool
t = n > 2
t = t == c
return int(t != True)
# at
y = at(x, 1)
y[1] = 9
z = at(y, n % 2)
z[0] += 1
return at(x, 2)[0]
# clearing and copying
for i in range(n % 3):
    k[i] = 0
y = at(x, 1)
for i in range(n % 3):
    x[i] = y[i]
return x[0]
# at of ints
m = at(k, 2)
m[0] = 5
return m[0] + at(k, 1)[1]
# arrays as variables
y = x
if c:
    y = at(x, 1)
y[0] = 8
return y[1]
# named numbers
return LIMIT * HALF + Answer.YES + math.pi
# infinity
return min(x[0], math.inf) - max(x[1], -math.inf)
# parameters change
n = n + 1
x = at(x, 1)
return n * x[0]
# min and max of many
return max(n, 3, 4.5, x[0]) - min(n, 9, 2)
# return early
for i in range(n):
    if x[i % 3] > 1.5:
        return i
return -1
# unreachable
return n
return n + 1
# greek
λ = x[0] * 2
return λ + n
"""


def bodies() -> dict[str, str]:
    parts = BODIES.strip().removeprefix("# ").split("\n# ")
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in parts}


@pytest.mark.parametrize("name, body", list(bodies().items()), ids=list(bodies()))
def test_construct(name, body, tmp_path):
    head = "@native\ndef f(n: int, c: bool, x: Array, k: Ints) -> float:\n"
    f = functions(tmp_path, head + textwrap.indent(body, "    "))["f"]
    for n, c in ((5, True), (4, False), (6, True)):
        agree(f, n, c, np.array([1.25, -2.0, 3.5]), np.array([4, 5, 6]))


CALLS = """
@native
def add(x: Array, i: int, by: float) -> float:
    x[i] += by
    return x[i]
@native
def clear(x: Array) -> None:
    x[0] = 0
    if x[1] > 100:
        return
    x[1] = 1
    return None
@native
def late(x: Array) -> bool:
    return x[0] > 3
@native
def f(n: int, x: Array) -> float:
    # arguments from left to right, although the first changes what the second reads
    s = add(x, 0, n) * 10 + add(x, 1, x[0])
    s += add(by=add(x, 0, 1.5), i=int(abs(add(x, 0, 1.5))) % 2, x=at(x, 1))
    s -= (add(x, 0, 1) if late(x) else 0.5)
    if late(x) and add(x, 1, 5.0) > 0 or add(x, 1, 7.0) > 0:
        s = s * 2
    x[int(add(x, 2, 1)) % 3] = add(x, 0, 2)
    x[0] += add(x, 0, 3)
    clear(x)
    return s
"""


def test_calls_of_functions_in_pythons_order(tmp_path):
    f = functions(tmp_path, CALLS)["f"]
    for n in range(-3, 6):
        agree(f, n, np.array([0.5, 1.5, 2.5]))


def test_functions_of_a_module_and_of_a_closure(tmp_path):
    text = """
import types
@native
def twice(x: float) -> float:
    return 2 * x
tools = types.ModuleType("tools")
tools.twice, tools.SIZE = twice, 3
def make(k):
    @native
    def f(x: float) -> float:
        return tools.twice(x) * k + tools.SIZE
    return f
"""
    names = functions(tmp_path, text)
    assert agree(names["make"](3), 1.5) == 12.0
    assert agree(names["make"](0.5), 1.5) == 4.5
    names["tools"].SIZE = 4
    assert agree(names["make"](0.5), 1.5) == 5.5


def test_results(tmp_path):
    text = """
@native
def nothing(x: Array) -> None:
    x[0] = 2
@native
def truth(n: int) -> bool:
    return n > 2
@native
def whole(n: int, b: bool) -> int:
    return n if b else -n
"""
    names = functions(tmp_path, text)
    x = np.zeros(1)
    assert names["nothing"](x) is None and x[0] == 2
    assert names["truth"](3) is True and names["truth"](2) is False
    assert names["whole"](2**40, True) == 2**40 and names["whole"](n=7, b=False) == -7
    assert names["whole"](np.int32(5), np.bool_(True)) == 5


def test_address_and_types(tmp_path):
    f = functions(tmp_path, "@native\ndef f(n: int, h: float) -> float:\n    return n * h\n")["f"]
    result, arguments = f.types
    assert ctypes.CFUNCTYPE(result, *arguments)(f.address)(3, 0.5) == 1.5
    assert f.__name__ == "f" and "n: int" in repr(f)


def test_the_annotations_may_be_text(tmp_path):
    text = "@native\ndef f(n: 'int', x: 'Array') -> 'float':\n    return n * x[0]\n"
    assert agree(functions(tmp_path, text)["f"], 3, np.array([2.0])) == 6.0


def test_python_runs_callees_as_python_too(tmp_path):
    text = """
seen = []
@native
def inner(x: float) -> float:
    return x
@native
def outer(x: float) -> float:
    return inner(x)
"""
    names = functions(tmp_path, text)
    names["inner"].definition.function.__code__ = (lambda x: -x).__code__
    assert names["outer"].python(2.0) == -2.0
    assert names["inner"].python(2.0) == -2.0
