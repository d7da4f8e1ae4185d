"""What cannot be compiled or called is refused in one line that names the place."""

import numpy as np
import pytest
from native_text import HEAD, functions

from hapsis.compiler.native import native
from hapsis.errors import CompileError

LINES = HEAD.count("\n")

# body, line of the function's body at fault (1 is the first), part of the message
BODIES = [
    ("y = n ** 2", 1, "power(x, y)"),
    ("y = n[0]", 1, "only Array and Ints"),
    ("y = [1, 2]", 1, "not part of the native language"),
    ("with open('f'):\n        pass", 1, "not part of the native language"),
    ("y = 1\n    assert n", 2, "not part of the native language"),
    ("for i in x:\n        pass", 1, "range"),
    ("for i in range(n, 0, n):\n        pass", 1, "known"),
    ("for i in range(0, 4, 0):\n        pass", 1, "not zero"),
    ("for i in range(x[0]):\n        pass", 1, "range takes ints"),
    ("for i in range(n):\n        pass\n    else:\n        pass", 1, "not part"),
    ("while n:\n        n = 0\n    else:\n        pass", 1, "not part"),
    ("y = 0\n    y = 0.5", 2, 'variable "y" is int, but the value is float; write int(...)'),
    ("y = 0\n    y += 0.5", 2, "is int"),
    ("k[0] = 1.5", 1, "an element of Ints is int"),
    ("k[0] /= 2", 1, "an element of Ints is int"),
    ("x[0] = c", 1, "an element of Array is float, but the value is bool"),
    ("y = x[0.5]", 1, "an index is int"),
    ("y = x[-1]", 1, "negative"),
    ("y = x[1:]", 1, "at(x, k)"),
    ("y = x[1, 2]", 1, "an index is one int"),
    ("y = c + 1", 1, "int or float, not bool"),
    ("y = x + 1.0", 1, "int or float, not Array"),
    ("y = -c", 1, "not bool"),
    ("y = c < 2", 1, "not bool"),
    ("y = c and n", 1, "int is no condition"),
    ("y = n or c", 1, "int is no condition"),
    ("y = n in x", 1, "the comparison In"),
    ("y = 'a'", 1, "no number"),
    ("y = None", 1, "no number"),
    ("y = 10 ** 20", 1, "Pow"),
    ("y = 100000000000000000000", 1, "64 bits"),
    ("y = nn", 1, 'there is no "nn"'),
    ("y = math.pj", 1, 'there is no "math.pj"'),
    ("y = math.pi.real", 1, "not known when"),
    ("y = math", 1, "is no number"),
    ("y = math.sqrt(2)", 1, "cannot be called"),
    ("print(n)", 1, "cannot be called"),
    ("y = len(x)", 1, "cannot be called"),
    ("y = min(n)", 1, "min takes 2 or more"),
    ("y = sqrt(n, n)", 1, "sqrt takes 1"),
    ("y = max(n, key=n)", 1, "cannot be called"),
    ("y = int(x)", 1, "int takes a number"),
    ("y = at(n, n)", 1, "at takes an array"),
    ("y = abs(c)", 1, "not bool"),
    ("if n:\n        y = 1\n    n = y", 3, '"y" may have no value'),
    ("for i in range(n):\n        y = i\n    n = y", 3, "may have no value"),
    ("for i in range(n):\n        pass\n    n = i", 3, "may have no value"),
    ("while n:\n        y = 1\n        n = 0\n    n = y", 4, "may have no value"),
    ("while True:\n        if c:\n            break\n        y = 1\n    n = y", 5, "no value"),
    ("y += 1", 1, "may have no value"),
    ("n.x = 3", 1, "only records have fields"),
    ("math.pi = 3", 1, "cannot be assigned"),
    ("(a, b) = n", 1, "as many values"),
    ("a, b = n, n, n", 1, "2 targets, 3 values"),
    ("y: float = 0", 1, "not part"),
    ("n(x)", 1, "cannot be called like this"),
    ("f(n)", 1, "a Kernel takes Arrays, not int"),
    ("f(x)\n    f(x, x)", 2, "1 arguments and with 2"),
    ("g = f", 1, "never assigned"),
    ("y = f(x)", 1, "returns nothing"),
    ("y = one(1.5)", 1, 'parameter "n" of one is int'),
    ("y = one()", 1, "one takes 1 arguments"),
    ("y = one(m=2)", 1, '"m"'),
    ("y = one(*x)", 1, "unpacked"),
    ("y = lambda: 1", 1, "not part"),
    ("return n", 1, "declared to return None"),
    ("global z\n    z = 1", 1, "not part"),
    ("y = x if c else n", 1, "one side is float, but the value is Array"),
]


@pytest.mark.parametrize("body, line, words", BODIES, ids=[b[0][:30] for b in BODIES])
def test_what_is_not_in_the_language(body, line, words, tmp_path):
    text = "@native\ndef one(n: int) -> int:\n    return n\n@native\n"
    text += f"def g(n: int, c: bool, x: Array, k: Ints, f: Kernel) -> None:\n    {body}\n"
    g = functions(tmp_path, text)["g"]
    with pytest.raises(CompileError) as caught:
        g.address  # noqa: B018
    where, what = str(caught.value).split(": ", 1)
    assert words in what
    assert where.endswith(f".py:{LINES + 5 + line}")
    assert "\n" not in what


@pytest.mark.parametrize(
    "text, words",
    [
        ("def f(n) -> int:\n    return n", "no annotation"),
        ("def f(n: int):\n    return n", "the result has no annotation"),
        ("def f(n: str) -> int:\n    return 1", 'parameter "n" cannot be'),
        ("def f(n: int) -> Array:\n    return n", "the result cannot be"),
        ("def f(n: int = 3) -> int:\n    return n", "without a default"),
        ("def f(*n: int) -> int:\n    return 1", "must be plain"),
    ],
)
def test_signatures_are_checked_at_once(text, words, tmp_path):
    with pytest.raises(CompileError, match=words):
        functions(tmp_path, "@native\n" + text)


def test_only_functions(tmp_path):
    with pytest.raises(CompileError, match="takes a function"):
        native(3)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("body", ["if n > 0:\n        return 1", "while n > 0:\n        return 1", "n = 2"])
def test_a_result_on_every_way(body, tmp_path):
    f = functions(tmp_path, f"@native\ndef f(n: int) -> int:\n    {body}\n")["f"]
    with pytest.raises(CompileError, match="without a result"):
        f(1)


def test_no_recursion(tmp_path):
    text = "@native\ndef f(n: int) -> int:\n    return g(n)\n"
    text += "@native\ndef g(n: int) -> int:\n    return f(n)\n"
    with pytest.raises(CompileError, match="calls itself"):
        functions(tmp_path, text)["f"](1)


def test_source_must_be_known():
    names: dict = {}
    exec("def f(n: int) -> int:\n    return n", names)
    with pytest.raises(CompileError, match="source"):
        native(names["f"])(1)


GOOD = np.zeros(4)
ARGUMENTS = [
    ((1.5, 1.0, True, GOOD, GOOD.astype(int)), '"n" of f is 1.5; expected int'),
    ((True, 1.0, True, GOOD, GOOD.astype(int)), '"n" of f is True'),
    ((2**63, 1.0, True, GOOD, GOOD.astype(int)), '"n" of f is 9223372036854775808'),
    ((1, "2", True, GOOD, GOOD.astype(int)), '"h" of f is str; expected float'),
    ((1, None, True, GOOD, GOOD.astype(int)), '"h" of f is NoneType'),
    ((1, 1.0, 1, GOOD, GOOD.astype(int)), '"c" of f is 1; expected bool'),
    ((1, 1.0, True, [1.0], GOOD.astype(int)), '"x" of f is list'),
    ((1, 1.0, True, GOOD[::2], GOOD.astype(int)), "not contiguous"),
    ((1, 1.0, True, GOOD.reshape(2, 2), GOOD.astype(int)), "shape (2, 2)"),
    ((1, 1.0, True, GOOD.astype(np.float32), GOOD.astype(int)), "float32"),
    ((1, 1.0, True, GOOD, GOOD), "expected a one-dimensional contiguous writeable array of int64"),
    ((1, 1.0, True, np.frombuffer(b"12345678"), GOOD.astype(int)), "not writeable"),
    ((1, 1.0, True, GOOD), "f takes 5 arguments"),
    ((1, 1.0, True, GOOD, GOOD.astype(int), 1), "f takes 5 arguments"),
]


@pytest.mark.parametrize("args, words", ARGUMENTS, ids=[a[1][:30] for a in ARGUMENTS])
def test_arguments_are_checked(args, words, tmp_path):
    text = "@native\ndef f(n: int, h: float, c: bool, x: Array, k: Ints) -> None:\n    pass\n"
    f = functions(tmp_path, text)["f"]
    for run in (f, f.python):
        with pytest.raises(CompileError) as caught:
            run(*args)
        assert words in str(caught.value)
    with pytest.raises(CompileError, match="did you mean"):
        f(1, 1.0, True, GOOD, kk=GOOD)
