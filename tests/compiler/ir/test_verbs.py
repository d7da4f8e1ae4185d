"""Verbs name the argument that is wrong: outside its limits, of another kind, or unknown."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.functions.limits import Count, Limits, NotNegative, Positive, Seed
from hapsis.compiler.ir.functions.verbs import verb

LIMITED = {Seed: (0, 2**64), Count: (1, 10**9)}
NOT_NUMBERS = [None, True, "1", 1j, [1], math.nan, math.inf, np.zeros(1), object()]


@pytest.mark.parametrize("kind", [Seed, Count, Positive, NotNegative, Annotated[float, Limits(-2, 3)]])
def test_numbers_outside_their_limits_are_named(kind):
    (limits,) = kind.__metadata__

    @verb
    def sought(model: Any, x: kind = 1, *, y: kind | None = None) -> Any:
        return x, y

    draw = random.Random(1)
    numbers = [draw.choice([-1, 1]) * 10 ** draw.uniform(-12, 12) for _ in range(200)]
    numbers += [round(x) for x in numbers] + [limits.low, limits.high, 10**400, -(10**400)]
    for x in numbers:
        fine = limits.low <= x <= limits.high and not (limits.above and x == limits.low)
        if fine and not (limits.whole and x != int(x)):
            assert sought(0, x, y=x) == (x, x) and sought(0, y=None) == (1, None)
            continue
        for call in (lambda x=x: sought(0, x), lambda x=x: sought(0, x=x), lambda x=x: sought(0, y=x)):
            with pytest.raises(hs.Error, match=r"sought: [xy] must be a (whole )?number .* to "):
                call()
    for wrong in NOT_NUMBERS:
        with pytest.raises(hs.Error, match="sought: x must be"):
            sought(0, wrong)


@verb
def failing(
    pair: tuple[str, int] = ("a", 1),
    table: Mapping[str, float] | None = None,
    word: Literal["fixed", "free"] = "fixed",
    names: Sequence[str] = (),
    anything: Any = None,
    law: Callable[[Any], Any] | None = None,
) -> None:
    raise KeyError("inside")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pair": ()}, r"pair must be \(a text, a whole number\), not a tuple"),
        ({"pair": ("a", "b")}, "pair must be"),
        ({"table": {None: 1.0}}, r"table must be \{name: a finite number\} or None, not a dict"),
        ({"table": {"a": None}}, "table must be"),
        ({"word": np.zeros(2)}, 'word must be "fixed" or "free", not a'),
        ({"word": "loose"}, 'word must be "fixed" or "free", not "loose"'),
        ({"names": [1]}, "names must be a list of texts, not a list"),
        ({"anything": [[1, 2], [3]]}, "anything cannot be a list"),
        ({"anything": {None: 1}}, "anything cannot be a dict"),
        ({"anything": "a\0b"}, r"anything cannot be .*x00"),
        ({"law": 3}, "law must be a function or None, not 3"),
        ({"wurd": "fixed"}, r'there is no argument "wurd" \(did you mean "word"\?\)$'),
        ({"zzz": 1}, "there is no argument .zzz.; expected pair, table, word, names, anything, law"),
    ],
)
def test_the_wrong_argument_is_named(given, message):
    with pytest.raises(hs.Error, match=f"^failing: {message}"):
        failing(**given)
    with pytest.raises(KeyError, match="inside"):  # sound arguments: the error is ours
        failing(("b", 2), {"a": 1.0}, "free", ["x"], [[1, 2], [3, 4]], abs)


def test_a_misspelt_option_of_verbs_and_facts_is_named():
    for call in (
        lambda model: hs.simulate(model, 0.1, tolerence=1e-6),
        lambda model: hs.sensitivities(model, 0.1, to=["a.mass"], tolerence=1e-6),
        lambda model: hs.gradient(model, None, ["a.mass"], 0.1, running=lambda s: s["j"], tolerence=1e-6),
        lambda model: hs.equilibrium(model, tolerence=1e-6),
    ):
        model = hs.Model(hs.Body("a", mass=1.0, inertia=(1, 1, 1)), hs.Revolute("j", "world", "a", axis="y"))
        with pytest.raises(hs.Error, match=r'"tolerence" \(did you mean "tolerance"\?\)'):
            call(model)
    with pytest.raises(hs.Error, match=r'Body: there is no argument "mas" \(did you mean "mass"\?\)'):
        hs.Body("a", mas=1.0)  # pyright: ignore[reportCallIssue]


def test_ragged_rows_are_refused_by_everything_that_takes_arrays():
    ragged, x = [[1.0, 2.0], [3.0]], hs.symbol("x")
    f = hs.compile(hs.Function("f", {"x": x}, {"y": 2.0 * x}))
    table, curve = hs.table([1.0, 2.0]), hs.interpolated([1.0, 2.0], 0.0, 1.0)
    for call in (hs.sin, hs.tanh, hs.ceil, f, table, curve, lambda r: hs.atan2(r, x), lambda r: x + r):
        with pytest.raises(hs.Error, match="same length"):
            call(ragged)
