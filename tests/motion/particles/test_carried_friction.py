"""Friction of facets and floors on particles that a body of the Model carries acts on that body."""

from typing import Any

import numpy as np
import pytest
from touch_shapes import box, quiet

import hapsis as hs

P = hs.particles
G, SIDE = 9.81, 0.1


def momenta(scene: Any, result: Any, body: str, row: int) -> Any:
    """Linear and angular momentum of all particles and of a cube of 1 kg about the world's origin."""
    model = scene.model
    q, u = (np.array([result[name][row] for name in names]) for names in (model.coordinates, model.speeds))
    twist = np.ravel(hs.compile(hs.velocity(model, body))(q, u))
    p, R = (np.array(part) for part in hs.compile(hs.pose(model, body))(q))
    p, R = p.ravel(), R.reshape(3, 3)
    linear = 1.0 * twist[3:]
    angular = np.cross(p, linear) + R @ (SIDE**2 / 6.0 * np.eye(3)) @ R.T @ twist[:3]
    for name, thing in scene.objects.items():
        momentum = thing.masses[:, None] * result[f"{name}.velocities"][row]
        linear = linear + momentum.sum(axis=0)
        angular = angular + np.cross(result[f"{name}.points"][row], momentum).sum(axis=0)
    return np.concatenate([linear, angular])


def test_momenta_are_kept_where_a_pad_rubs() -> None:
    """A pad on a free body, and a spinning block that slides along it: nothing is held."""
    hand = hs.Body.box("hand", (SIDE, SIDE, SIDE), mass=1.0)
    model = hs.Model(hand, hs.Free("free", "world", "hand"), gravity=(0, 0, 0))
    pad = box("pad", SIDE, SIDE, SIDE, stiffness=5e4, damping=10.0).at(0, 0, 0.0505)
    block = box("block", 0.4, 0.4, 0.1, stiffness=5e4, damping=10.0).at(0, 0, -0.05)
    block = block.moving((0.3, 0.1, 0.3), (0.5, 0.2, 2.0))
    law = P.Touch(bedding=1e7, damping=1e4, friction=0.5)
    anchor = P.Anchor("pad", range(len(pad)), to="hand")
    drifts = []
    for error in (1e-5, 1e-7):
        step = P.EnergyStep(error=error)
        scene = P.Scene(model, pad, block, law, anchor, gravity=(0, 0, 0), step=step)
        result = hs.simulate(scene, 0.1, every=0.01)
        assert result.success and result["touch.force"].max() > 10.0
        assert abs(result["free.vx"][-1]) > 0.05 and abs(result["free.wz"][-1]) > 0.1
        change = momenta(scene, result, "hand", -1) - momenta(scene, result, "hand", 0)
        assert np.abs(change).max() < 1e-13
        account = result["energy"] + result["dissipated"] - result["work"]
        drifts.append(np.abs(account - account[0]).max())
    assert drifts[1] < 0.3 * drifts[0] and drifts[1] < 1e-3 * result["dissipated"][-1]


@pytest.mark.parametrize("kind", ["touch", "bedding", "stiffness"])
def test_a_drive_pulls_against_friction(kind: str) -> None:
    """A driven carriage drags a pad that presses by its weight: its effort is the kinetic friction."""
    friction, speed = 0.4, 0.2
    carriage = hs.Body("carriage", mass=0.5)
    hand = hs.Body("hand", mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    model = hs.Model(
        carriage,
        hand,
        hs.Prismatic("way", "world", "carriage", "x"),
        hs.Prismatic("lift", "carriage", "hand", "z"),
        hs.Drive("motor", joint="way", position=lambda t: speed * t),
    )
    pad = box("pad", SIDE, SIDE, SIDE, stiffness=5e4, damping=10.0)
    weight = (1.0 + pad.mass) * G
    anchor = P.Anchor("pad", range(len(pad)), to="hand")
    if kind == "touch":
        depth = weight / (1e7 * SIDE**2)
        table = box("table", 1.0, 0.4, 0.1).at(0.2, 0, -0.05)
        grounds = [table.holding(*range(len(table))), P.Touch(bedding=1e7, damping=1e5, friction=friction)]
    elif kind == "bedding":
        depth = weight / (1e7 * SIDE**2)
        grounds = [P.Floor(bedding=1e7, damping=1e5, friction=friction)]
    else:
        depth = weight / (4 * 2e4)
        grounds = [P.Floor(stiffness=2e4, damping=100.0, friction=friction)]
    scene = P.Scene(model, pad.at(0, 0, SIDE / 2 - depth), anchor, *grounds, step=P.EnergyStep(error=1e-6))
    result = quiet(scene, 0.2, every=0.02)
    assert result["motor.effort"][2:] == pytest.approx(friction * weight, rel=2e-3)
    assert result["dissipated"][-1] == pytest.approx(friction * weight * speed * 0.2, rel=2e-2)
    assert result["work"][-1] == pytest.approx(friction * weight * speed * 0.2, rel=2e-2)
    assert result["hand.load"][-1] == pytest.approx((-friction * weight, 0.0, weight), rel=2e-3, abs=0.02)


def test_what_a_body_carries_sticks_and_slides() -> None:
    """A free body on an anchored foot: it slows down by μ g, and then it stands."""
    model = hs.Model(hs.Body.box("hand", (SIDE, SIDE, SIDE), mass=1.0), hs.Free("free", "world", "hand"))
    foot = box("foot", 0.3, 0.3, 0.02, stiffness=5e4, damping=10.0)
    weight = (1.0 + foot.mass) * G
    place = foot.at(0, 0, 0.01 - weight / (1e7 * 0.09))
    scene = P.Scene(
        model,
        place,
        P.Anchor("foot", range(len(foot)), to="hand"),
        P.Floor(bedding=1e7, damping=3e5, friction=0.3),
    )
    result = quiet(scene, 0.3, every=0.02, start={"free.vx": 0.5})
    t = result.t
    slow = 0.5 - 0.3 * G * t
    going = (t > 0.02) & (slow > 0.05)
    assert result["free.vx"][going] == pytest.approx(slow[going], abs=0.01)
    assert abs(result["free.vx"][-1]) < 1e-3 and abs(result["foot.vx"][-1]) < 1e-3


@pytest.mark.parametrize("kind", ["shape", "pad"])
def test_what_sticks_to_a_table_that_turns_stays_where_it_is(kind: str) -> None:
    """At 0.2 m and 2 rad/s it needs a friction of 0.0815 and has 0.1: no creep in long steps."""
    disc = hs.Body("disc", mass=1.0, inertia=(1, 1, 1), shapes=(hs.Cylinder(1.0, 0.1, at=(0, 0, -0.05)),))
    turn = hs.Drive("motor", joint="turn", position=lambda t: 2.0 * t)
    model = hs.Model(disc, hs.Revolute("turn", "world", "disc", "z"), turn)
    if kind == "shape":
        thing = P.ParticleObject("p", [(0.2, 0, -0.001)], [1.0], velocities=[(0, 0.4, 0)])
        facts: list[Any] = [P.BodyContact(9810.0, 30.0, friction=0.1)]
    else:
        thing = box("p", 0.04, 0.04, 0.04, stiffness=5e4, damping=50.0).at(0.2, 0, 0.02 - 1e-3)
        thing = thing.moving((0, 0.4, 0), (0, 0, 2.0))
        pad = box("pad", 0.6, 0.6, 0.02).at(0, 0, -0.01)
        facts = [pad, P.Anchor("pad", range(len(pad)), to="disc")]
        facts.append(P.Touch(bedding=9.81 / (0.0016 * 1e-3), damping=3e4, friction=0.12))
    result = quiet(P.Scene(model, thing, *facts), 2.0, every=0.5)
    radius, angle = np.hypot(result["p.x"], result["p.y"]), np.arctan2(result["p.y"], result["p.x"])
    assert radius[1:] == pytest.approx(radius[1], abs=2e-5)  # it sags a little at first
    assert radius[1] == pytest.approx(0.2, abs=5e-4)
    assert angle[-1] - angle[1] == pytest.approx(3.0 - 2.0 * np.pi, abs=1e-3)
