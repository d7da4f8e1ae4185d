"""Arrays of floats from what users give: equal to NumPy's where these are numbers, None else."""

from fractions import Fraction

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.functions.float_array import float_array

NUMBERS = [
    0.5,
    3,
    True,
    [],
    [1, 2.5],
    (1, 2),
    [[1, 2], [3, 4]],
    range(3),
    np.float32(2),
    np.arange(4),
    [1, True],
]
NUMBERS += [np.zeros((2, 0)), [Fraction(1, 4), 2], [2**60, 0.5], 10**30, [10**30, 1], float("nan")]
OTHERS = [
    "1",
    ["1", 2],
    [[1, 2], [3]],
    [1, [2]],
    None,
    [None],
    [1.0, None],
    1j,
    [1j],
    b"1",
    {},
    {"a": 1},
    {1},
]
OTHERS += [10**400, [10**400], object(), [object()], np.array("x"), np.array(["1"]), hs.symbol("x"), print]
OTHERS += [[hs.symbol("x"), 1.0], np.array([None]), "", ["", ""], slice(1), iter([1])]


@pytest.mark.parametrize("x", NUMBERS, ids=repr)
def test_numbers_are_copied(x):
    array = float_array(x)
    assert array is not None and array.dtype == np.float64
    np.testing.assert_array_equal(array, np.array(x, dtype=float))
    assert not np.shares_memory(array, np.asarray(x)) if isinstance(x, np.ndarray) else True


@pytest.mark.parametrize("x", OTHERS, ids=lambda x: type(x).__name__)
def test_nothing_else_is(x):
    assert float_array(x) is None


def test_what_takes_numbers_refuses_all_else():
    """None among numbers was NaN, and a text was a number."""
    model = hs.Model(hs.Body("a", mass=1.0, inertia=(1, 1, 1)), hs.Revolute("j", "world", "a", axis="y"))
    encoder = hs.haptics.Encoder(1e-3)
    for x in (None, ["1"], [[1.0], [1.0, 2.0]], [1j], [10**400], [None]):
        for call in (
            lambda x=x: hs.State(("j",), ("j.v",), x),
            lambda x=x: hs.table([x, x]),
            lambda x=x: hs.simulate(model, 0.01, inputs={"j": ([0.0, 1.0], [x, x])}),
            lambda x=x: hs.follow(model, {"j": ([0.0, 0.1, 0.2], [0.0, x, x])}, until=0.01),
            lambda x=x: encoder.read(x),
            lambda x=x: hs.realtime.Guard(max_force=1.0, period=1e-3)(x, 0.0),
        ):
            with pytest.raises(hs.Error):
                call()
