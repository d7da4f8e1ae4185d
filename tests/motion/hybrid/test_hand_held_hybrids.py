"""Hybrids that a hand moves: steps that take the position of a drive from outside follow a run of it."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import hapsis as hs


def model(*more: Any, **drive: Any) -> hs.Model:
    """A ball above a paddle, which is led by a hand."""
    return hs.Model(
        hs.Body("paddle", mass=0.5),
        hs.Body("ball", mass=0.1),
        hs.Prismatic("p", hs.WORLD, "paddle", axis="z"),
        hs.Prismatic("b", hs.WORLD, "ball", axis="z"),
        hs.Drive("hand", "p", **(drive or {"position": "input", "tracking": 100.0})),
        *more,
        poses={"start": {"b": 0.3}},
    )


@cache
def juggled(**drive: Any) -> hs.Hybrid:
    """It bounces once or more, then it is caught, held for a while, and thrown."""
    on = hs.Constraint("on", rows=lambda s: s["b"] - s["p"])

    def gap(s: Any) -> Any:
        return s["b"] - s["p"]

    def slow(s: Any) -> Any:
        return s["b.v"] - s["p.v"] > -1.5

    def fast(s: Any) -> Any:
        return s["b.v"] - s["p.v"] <= -1.5

    back = hs.reset({"b.v": lambda s: s["p.v"] - 0.5 * (s["b.v"] - s["p.v"])})
    return hs.Hybrid(
        {"flight": model(**drive), "held": model(on, **drive)},
        [
            hs.Event("catch", gap, falling=True, only=slow, during="flight", to="held", then=hs.impact()),
            hs.Event(
                "hit", gap, falling=True, only=fast, during="flight", then=back
            ),
            hs.Event(
                "throw", lambda s: s["p.v"] - 0.3, rising=True, during="held", to="flight",
                then=hs.reset({"b.v": lambda s: 1.2 * s["p.v"] + 1.0}),
            ),
        ],
    )  # fmt: skip


def followed(hybrid: hs.Hybrid, dt: float, until: float) -> dict[str, Any]:
    """The last state and outputs of steps that a hand leads."""
    step = hs.stepper(hybrid, dt, inputs=["hand.position"], outputs=["hand.force", "energy", "status"])
    native, names = hs.compile(step), [port.name for port in step.outputs]
    state: dict[str, Any] = {}
    for k in range(round(until / dt)):
        row = dict(
            zip(names, native(**state, **{"hand.position": 0.05 * np.sin(9 * (k + 1) * dt)}), strict=True)
        )
        state = {name: row[name] for name in ("q", "v", "z", "t")}
    return row


def test_steps_that_a_hand_leads_follow_the_run() -> None:
    hybrid, until = juggled(), 2.0
    run = hs.simulate(
        hybrid, until, inputs={"hand.position": lambda t: 0.05 * hs.sin(9 * t)}, tolerance=1e-11
    )
    assert run.success and {"hit", "catch", "throw"} == {event.name for event in run.events}
    off = []
    for dt in (2e-3, 1e-3):
        row = followed(hybrid, dt, until)
        off.append(np.abs(row["q"] - [run[n][-1] for n in hybrid.coordinates]).max())
        assert row["status"] == 0.0
        assert row["hand.force"] == pytest.approx(-run["hand.effort"][-1], rel=2e-3)
        assert row["energy"] == pytest.approx(run["energy"][-1], rel=1e-4)
    # the position goes evenly within a step: of second order
    assert off[1] < 2e-6 and off[1] < 0.35 * off[0]


def test_what_has_ended_pulls_no_hand() -> None:
    hybrid = juggled()
    low = hs.Event("low", lambda s: s["b"] - 0.1, falling=True, stop=True)
    row = followed(hs.Hybrid(hybrid.phases, [low]), 1e-3, 1.0)
    assert row["status"] == 1.0 and row["hand.force"] == 0.0


def test_other_drives_and_missing_inputs_are_refused() -> None:
    with pytest.raises(hs.ModelError, match=r'give inputs=\{"hand.position"'):
        hs.stepper(juggled(), 1e-3)
    moved = juggled(position="input", velocity="input", acceleration="input")
    names = ["hand.position", "hand.velocity", "hand.acceleration"]
    with pytest.raises(hs.ModelError, match=r'in the step of a hybrid .* position="input", tracking='):
        hs.stepper(moved, 1e-3, inputs=names)
