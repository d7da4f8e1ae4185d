"""Phases with rows that are entered again in a pose where other speeds must lead."""

import numpy as np
import pytest

import hapsis as hs

PAUSE = 0.1
MASS, OFFSET, INERTIA = 2.0, 0.1, 0.3


def sled():
    body = hs.Body("s", mass=MASS, com=(OFFSET, 0, 0), inertia=(0.1, INERTIA, INERTIA))
    free = hs.Model(body, hs.Planar("p", hs.WORLD, "s"))
    return free, free + hs.KnifeEdge("e", "s")


def landed(heading, vx, vy):
    """Speeds of a sled that does not turn when its blade lands: an impulse across acts at the blade."""
    along = vx * np.cos(heading) + vy * np.sin(heading)
    across = -vx * np.sin(heading) + vy * np.cos(heading)
    turn = MASS * OFFSET * across / (INERTIA + MASS * OFFSET**2)
    return along * np.cos(heading), along * np.sin(heading), turn


def lands(heading, once=True):
    free, on = sled()
    reset = hs.reset({"p.Rz": heading, "p.Tx.v": 1.0, "p.Ty.v": 0.7, "p.Rz.v": 0.0})
    now = {"when": lambda s: s.since - PAUSE, "rising": True}
    if once:
        events = [
            hs.Event("land", **now, during="free", to="on", then=hs.impact()),
            hs.Event("lift", **now, during="on", to="free", then=reset),
        ]
        return hs.Hybrid({"free": free, "on": on}, events)
    return hs.Hybrid(
        {"free": free, "on": on, "up": free},
        [
            hs.Event("first", **now, during="free", to="on", then=hs.impact()),
            hs.Event("lift", **now, during="on", to="up", then=reset),
            hs.Event("second", **now, during="up", to="on", then=hs.impact()),
        ],
    )


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize(
    ("first", "second"), [(0.0, 1.5), (0.0, np.pi / 2), (np.pi / 2, 0.0), (np.pi / 2, 3.2), (0.4, 1.0)]
)
def test_a_blade_lands_twice_in_any_headings(first, second, once):
    run = hs.simulate(lands(second, once), 3.5 * PAUSE, {"p.Rz": first, "p.Tx.v": 1.0, "p.Ty.v": 0.5})
    assert run.status == "done", run.message
    for event, heading, v in ((run.events[0], first, (1.0, 0.5)), (run.events[2], second, (1.0, 0.7))):
        row = np.flatnonzero(run.t == event.time)[-1]
        after = [run[name][row] for name in ("p.Tx.v", "p.Ty.v", "p.Rz.v")]
        assert after == pytest.approx(landed(heading, *v), abs=1e-9)


@pytest.mark.parametrize("angle", [0.3, 1.5, np.pi / 2, 2.5])
def test_a_rope_catches_twice(angle):
    """A mass on a rope is caught at two places of its circle and goes on along it."""
    free = hs.Model(hs.Body("b", mass=1.0), hs.Chain("c", hs.WORLD, "b", "Tx Tz"), gravity=(0, 0, 0))
    held = free + hs.Distance("rope", hs.WORLD, "b", length=1.0)
    there = {"c.Tx": lambda s: hs.cos(angle * s["c.Tz"]), "c.Tz": lambda s: hs.sin(angle * s["c.Tz"])}
    now = {"when": lambda s: s.since - PAUSE, "rising": True}
    hybrid = hs.Hybrid(
        {"free": free, "on": held},
        [
            hs.Event("catch", **now, during="free", to="on", then=[hs.reset(there), hs.impact()]),
            hs.Event(
                "go",
                **now,
                during="on",
                to="free",
                then=hs.reset({"c.Tx.v": 1.0, "c.Tz.v": 0.0, "c.Tz": 1.0}),
            ),
        ],
    )
    run = hs.simulate(hybrid, 3.5 * PAUSE, {"c.Tx": 1.0, "c.Tx.v": 1.0})
    assert run.status == "done", run.message
    # along the circle with the part of the speed that the rope leaves
    at = angle - np.sin(angle) * 0.5 * PAUSE
    assert [run["c.Tx"][-1], run["c.Tz"][-1]] == pytest.approx([np.cos(at), np.sin(at)], abs=1e-9)
