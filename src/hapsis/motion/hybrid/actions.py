"""What events of a hybrid do: impacts, exchanged names, new values.

    hs.Event("heel strike", when=hs.height("swing.foot"), falling=True,
             then=[hs.impact("swing.foot"), hs.swap("stance", "swing")])

The order of actions is the order of time. An impact written before a swap names things by their old names; it
is solved with exactly the constraints of the phase after the event, read through the swap.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.traced_function import READINGS, arguments_of, portable
from hapsis.motion.simulate.run.events import Action


@final
@dataclass(frozen=True)
class Impact(Action, Immutable):
    """The speeds jump onto the constraints of the phase after; points that hit come to rest or bounce."""

    points: tuple[str, ...] = ()
    restitution: float = 0.0
    friction: float | None = None
    rest: str | None = None

    @property
    def words(self) -> str:
        """impact POINTS."""
        bounce = f" ({self.restitution:g})" if self.restitution else ""
        return f"impact {', '.join(self.points)}{bounce}".strip()


@final
@dataclass(frozen=True)
class Swap(Action, Immutable):
    """Bodies whose names differ by these two words exchange their poses and velocities."""

    first: str
    second: str

    @property
    def words(self) -> str:
        """FIRST ⇄ SECOND."""
        return f"{self.first} ⇄ {self.second}"

    def renamed(self, name: str) -> str:
        """The name with the one word in place of the other."""
        words = {self.first: self.second, self.second: self.first}
        either = "|".join(map(re.escape, words))
        return re.sub(rf"(?<![A-Za-z0-9])({either})(?![A-Za-z0-9])", lambda m: words[m[1]], name)


@final
@dataclass(frozen=True)
class Reset(Action, Immutable):
    """Coordinates, speeds and states of laws take other values."""

    values: Mapping[str, float | Callable[[Any], Any]]

    @property
    def words(self) -> str:
        """reset NAMES."""
        return f"reset {', '.join(self.values)}"

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled: functions as graphs."""
        return {"values": {name: _portable(name, value) for name, value in self.values.items()}}


def _portable(name: str, value: Any) -> Any:
    if not callable(value):
        return value
    return portable(value, arguments_of(value, (READINGS,)), f'reset of "{name[:60]}"')


@verb
def impact(
    point: str | Sequence[str] = (),
    restitution: float = 0.0,
    friction: float | None = None,
    rest: str | None = None,
) -> Impact:
    """The action of an event at which points hit the ground: speeds jump, by 003-(35).

    point        the frame that hits, or several; one that the phase after holds is held from now on, another
                 bounces off a ground across z. Without any only the constraints of the phase count
    restitution  the part of the normal speed that comes back, 0 to 1, of points that nothing holds
    friction     of points that nothing holds: tangential impulses are at most so many times the normal one;
                 None: the ground is smooth
    rest         the phase in which bounces end when they come too fast to be told apart

    The impulse is solved on the free model with exactly the constraints of the phase after the event: no
    other constraint takes part. Energy never grows.
    """
    points = (point,) if isinstance(point, str | End) else tuple(point)
    names = tuple(str(End.of(each, "the point of an impact")) for each in points)
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise ModelError(f'an impact names "{twice[:60]}" twice')
    restitution = real(restitution, "restitution")
    if not 0.0 <= restitution <= 1.0:
        raise ModelError(f"restitution is {restitution:g}", expected="from 0 to 1")
    if restitution and not names:
        raise ModelError("an impact with restitution names no point", remedy='hs.impact("ball", ...)')
    if friction is not None:
        friction = real(friction, "friction")
        if not friction >= 0.0:
            raise ModelError(f"friction is {friction:g}", expected="zero or more")
    if rest is not None and not isinstance(rest, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"rest must be the name of a phase, not {described(rest)}")
    return Impact(names, restitution, friction, rest)


@verb
def swap(first: str, second: str) -> Swap:
    """The action that exchanges two words in the names of bodies: left and right by relabelling.

    first, second   the words, as "stance" and "swing" in "stance.leg" and "swing.leg"

    A body whose name contains the one word gets the pose and the velocity of the body whose name has the
    other word instead. Both must be equal. Coordinates follow from the poses.
    """
    for word in (first, second):
        if not isinstance(word, str) or not re.fullmatch(r"\w+([ ._-]\w+)*", word):  # pyright: ignore
            raise ModelError(f"swap takes two words of names, not {described(word)}")
    if first == second:
        raise ModelError(f'swap names "{first[:60]}" twice')
    return Swap(first, second)


@verb
def reset(values: Mapping[str, float | Callable[[Any], Any]]) -> Reset:
    """The action that gives coordinates, speeds and states of laws other values.

    values    {name: number}, or {name: lambda s: ...} of the state just before
    """
    if not isinstance(values, Mapping) or not values:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"reset takes {{name: value}}, not {described(values)}")
    kept = {str(n): x if callable(x) else real(x, f'reset of "{n}"') for n, x in values.items()}
    return Reset(kept)
