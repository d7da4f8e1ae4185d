"""States that stay numbers: what a tick keeps where its result is none, so that the next one can go on.

The force of such a tick is no number either, and the guard takes it from the hand; the state is that of
the tick before, at rest.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, where

RESTING = ("v", "z")  # begin anew
LARGEST = 1e100


def finite_state(new: Mapping[str, Any], old: Mapping[str, Any], start: Mapping[str, Any]) -> dict[str, Any]:
    """The new states where all are finite; else the old coordinates, and what rests as at the start.

    new, old, start    {"q": ..., "z": ..., ...}; the time t goes on
    """
    listed = {name: _listed(x) for name, x in new.items()}
    good: Any = None
    for x in (x for values in listed.values() for x in values):
        finite = abs(x) < LARGEST  # false of what is no number, too
        good = finite if good is None else good * finite
    states: dict[str, Any] = {}
    for name, values in listed.items():
        if name == "t":
            states[name] = new[name]
            continue
        first = [0.0] * len(values) if name == "v" else _listed(start[name])
        kept = first if name in RESTING else _listed(old[name])
        states[name] = [where(good, x, y) for x, y in zip(values, kept, strict=True)]
    return states


def _listed(x: Any) -> Sequence[Any]:
    return list(x) if hasattr(x, "__len__") else [x]
