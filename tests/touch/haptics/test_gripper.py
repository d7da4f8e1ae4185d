"""A gripper that begins and ends a grasp: thresholds, reach, no jump of a force, what the fingers feel."""

import numpy as np
import pytest
from grasp_laws.mechanisms import LOOSE

import hapsis as hs

CLOSE, OPEN, REACH, TOUCH = 0.02, 0.05, 0.03, 0.035
FINGERS = ("thumb", "index", "middle")


class Gripping:
    """A hand near a mechanism without weight; `to` is a tick with the hand and the fingers at a place."""

    def __init__(self, name, **options):
        held = LOOSE[name]()
        model = hs.Model(held.model, gravity=(0, 0, 0))
        gripper = hs.haptics.Gripper(CLOSE, OPEN, reach=REACH, touch=TOUCH, stiffness=300.0)
        self.tick = hs.haptics.grasp(
            model, held.frame, 1e-3, kind=held.kind, gripper=gripper, stiffness=500.0, **options
        )
        self.call, self.state = hs.compile(self.tick), {}
        self.first = {p.name: float(p.stand_in) for p in self.tick.inputs if p.name.endswith(".position")}

    def to(self, opening, **moved):
        """The outputs; `opening` of all fingers, `moved` from the start by axis of the hand."""
        given = {name: x + moved.get(name.split(".")[-2], 0.0) for name, x in self.first.items()}
        given |= {f"{finger}.position": opening for finger in FINGERS}
        out = self.tick.outputs_by_name(self.call(**self.state, **given))
        self.state = {name: out[name] for name in ("q", "v", "z", "t")}
        return out


def force(out):
    return np.linalg.norm([out[f"wrench.{x}"] for x in ("mx", "my", "mz", "fx", "fy", "fz")])


@pytest.mark.parametrize("name", ["flopping", "chain", "hung_four_bar"])
def test_a_grasp_begins_and_ends_by_thresholds_and_without_a_jump(name):
    """Axes that are turned when it closes stay so; before and afterwards there is no force."""
    hand, turned = Gripping(name), {"Ty": 0.01, "Rx": 0.3, "Rz": -0.2}
    forces, states = [], []
    openings = [*np.linspace(0.06, 0.01, 100), *[0.01] * 300, *np.linspace(0.01, 0.06, 100)]
    for k, opening in enumerate(openings):
        moved = turned | {"Tz": 0.01 * max(0, k - 200) / 300}
        out = hand.to(opening, **moved)
        forces.append(force(out))
        states.append(out["held"])
    held, openings = np.array(states) > 0.5, np.array(openings)
    first, last = np.flatnonzero(held)[[0, -1]]
    assert np.array_equal(held, (np.arange(500) >= first) & (np.arange(500) <= last))
    assert openings[first - 1] >= CLOSE > openings[first] and openings[last] <= OPEN < openings[last + 1]
    assert not np.any(np.array(forces)[~held]) and max(forces) > 0.1
    assert np.abs(np.diff(forces[: last + 1])).max() < 0.2
    assert forces[first] < 1e-9 and max(forces[first : first + 50]) < 0.1  # where it was taken nothing pulls


def test_out_of_reach_nothing_is_grasped_and_closed_fingers_grasp_nothing():
    hand = Gripping("flopping")
    for opening in (*np.linspace(0.06, 0.01, 50), *[0.01] * 10):
        out = hand.to(opening, Ty=2 * REACH)
        assert out["held"] == 0.0 and force(out) == 0.0 and out["thumb.effort"] == 0.0
    for way in np.linspace(2 * REACH, 0.0, 50):  # closed on nothing, then moved there
        out = hand.to(0.01, Ty=way)
        assert out["held"] == 0.0 and force(out) == 0.0 and out["thumb.effort"] == 0.0
    for opening in (*np.linspace(0.01, 0.06, 50), *np.linspace(0.06, 0.01, 50)):
        out = hand.to(opening)
    assert out["held"] == 1.0


def test_the_fingers_feel_what_they_squeeze():
    """k times what a finger is closed beyond the face; no jump when the hand comes near half closed."""
    hand = Gripping("flopping", damping=0.0)
    for opening in np.linspace(0.06, 0.01, 200):
        hand.to(opening)
    for _ in range(5):
        out = hand.to(0.01)
    assert out["thumb.effort"] == pytest.approx(300.0 * (TOUCH - 0.01))
    hand = Gripping("flopping")
    for way in np.linspace(2 * REACH, 0.0, 50):
        out = hand.to(0.06 if way > 1.5 * REACH else 0.03, Ty=way)
        assert out["thumb.effort"] == 0.0
    efforts = [hand.to(opening)["index.effort"] for opening in np.linspace(0.03, 0.025, 50)]
    assert np.all(np.diff(efforts) >= -1e-9) and np.abs(np.diff(efforts)).max() < 0.2
    assert efforts[-1] == pytest.approx(300.0 * 0.005 + 5e-3 / 49 / 1e-3, rel=1e-6)  # k d + c rate


def test_what_is_let_go_moves_by_itself():
    hand = Gripping("flopping")
    for opening in (*np.linspace(0.06, 0.01, 50), *[0.01] * 20):
        hand.to(opening)
    for k in range(200):
        hand.to(0.01, Tz=2e-4 * k)
    out = hand.to(0.06, Tz=0.04)
    before, energy = out["shoulder"], out["energy"]
    for _ in range(100):
        out = hand.to(0.06, Tz=0.04)
        assert force(out) == 0.0
    assert abs(out["shoulder"] - before) > 1e-3 and out["energy"] == pytest.approx(energy, rel=1e-5)


def test_a_loop_runs_it_with_six_axes():
    tick = Gripping("flopping").tick
    t = np.linspace(0.0, 0.6, 61)
    opening = np.interp(t, [0.0, 0.2, 0.4, 0.6], [0.06, 0.01, 0.01, 0.06])
    x = np.stack([0.3 + 0 * t, 0 * t, 0.02 * np.sin(9 * t) ** 2, opening, opening, opening], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, x), axes=["Tx", "Ty", "Tz", *FINGERS])
    report = (
        hs.realtime.Loop(tick, 1000, paced=False, guard={"passive": False}).connect(hand).run(0.6).report()
    )
    assert 0.3 < report["held"].mean() < 0.8 and report.cause == ""
    assert abs(report["hand.thumb.command"]).max() == pytest.approx(7.5, rel=0.05)


def test_mistakes_are_told():
    with pytest.raises(hs.ModelError, match=r"closes at 0\.05 and opens at 0\.02"):
        hs.haptics.Gripper(0.05, 0.02)
    with pytest.raises(hs.Error, match="reach"):
        hs.haptics.Gripper(0.02, 0.05, reach=float("nan"))
    model, frame = LOOSE["flopping"]()[:2]
    with pytest.raises(hs.ModelError, match=r"expected an hs\.haptics\.Gripper"):
        hs.haptics.grasp(model, frame, 1e-3, kind="point", gripper="closed")
    with pytest.raises(hs.ModelError, match="moves by itself"):
        hs.haptics.grasp(
            model, frame, 1e-3, kind="point", coupling="rigid", gripper=hs.haptics.Gripper(0.02, 0.05)
        )
