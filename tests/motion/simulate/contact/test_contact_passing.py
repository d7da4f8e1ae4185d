"""What moves far in a step: it passes by what it does not hit, and hits what it does, as in short steps."""

import numpy as np
import pytest

import hapsis as hs

SPEED = 20.0
LAW = {"law": hs.HuntCrossley(1e6, restitution=0.8, speed=10.0)}
SHAPES = {"ball": hs.Sphere(0.05), "box": hs.Box((0.08, 0.06, 0.1)), "pill": hs.Capsule(0.03, 0.04)}
FLOORS = {"block": hs.Box((1.0, 1.0, 1.0)), "dome": hs.Sphere(0.5), "drum": hs.Cylinder(0.5, 1.0)}


def flown(shape, ground, start, step, **more):
    """A body that flies without gravity by a ground at the origin."""
    model = hs.Model(
        hs.Body("a", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
        hs.Free("j", hs.WORLD, "a"),
        hs.Contact("c", ("a", shape), ground, **LAW | more),
        gravity=(0, 0, 0),
    )
    start = {f"j.{name}": value for name, value in start.items()}
    return hs.simulate(model, 0.2, start, method="contact", step=step, every=step)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("clear", [0.1, 0.01, 1e-3])
def test_what_flies_past_is_not_touched(kind, floor, clear):
    """A way of 0.2 m in a step, past a top at z = 0.5: the planes in front of edges are not there."""
    below = {"ball": 0.05, "box": 0.05, "pill": 0.05}[kind]
    for x in np.linspace(-1.5, -1.3, 4):
        start = {"x": x, "z": 0.5 + below + clear, "vx": SPEED}
        result = flown(SHAPES[kind], (hs.WORLD, FLOORS[floor]), start, 1e-2)
        assert not result["c.points"].any() and result["j.vx"][-1] == SPEED
    start |= {"z": 0.5 + below - 0.02, "vz": 0.0}
    assert flown(SHAPES[kind], (hs.WORLD, FLOORS[floor]), start, 1e-2)["c.points"].any()


def test_what_turns_past_an_edge_is_not_touched():
    """A long bar that turns by 0.2 rad in a step, whose end goes by a block 2 mm away."""
    bar = hs.Box((1.0, 0.02, 0.02))
    start = {"z": 0.5 + 0.01 + 2e-3, "y": -0.2, "x": -1.0, "wz": 20.0, "vx": 3.0}
    result = flown(bar, (hs.WORLD, FLOORS["block"]), start, 1e-2)
    assert not result["c.points"].any() and result["j.wz"][-1] == pytest.approx(20.0, rel=1e-12)


@pytest.mark.parametrize("step", [1e-2, 2e-3])
@pytest.mark.parametrize("behind", [0.01, 0.1, 0.3])
def test_what_hits_behind_an_edge_rebounds_from_the_face(step, behind):
    """In a step of 0.2 m the nearest point is the edge at first; 0.2 rad is the angle to the top."""
    way = np.array([np.cos(0.2), 0.0, -np.sin(0.2)])
    x, _, z = np.array([behind - 0.5, 0.0, 0.55]) - 1.5 * way
    start = {"x": x, "z": z, "vx": SPEED * way[0], "vz": SPEED * way[2]}
    result = flown(SHAPES["ball"], (hs.WORLD, FLOORS["block"]), start, step)
    assert result["j.vx"][-1] == pytest.approx(SPEED * way[0], rel=1e-9)
    assert -result["j.vz"][-1] / start["vz"] == pytest.approx(0.92, abs=0.02)  # restitution at 4 m/s


@pytest.mark.parametrize("thin", [1e-4, 1e-2])
def test_what_is_turned_aside_does_not_pass_through_a_wall(thin):
    """A ball that a post turns towards a thin wall, in one step of 0.2 m."""
    walls = {"post": ((0.0, 0.04), hs.Cylinder(0.05, 1.0)), "wall": ((0.0, -0.16), hs.Box((4.0, thin, 4.0)))}
    contacts = [
        hs.Contact(name, ("a", SHAPES["ball"]), (hs.WORLD.at(x, y, 0), shape), **LAW)
        for name, ((x, y), shape) in walls.items()
    ]
    model = hs.Model(
        hs.Body("a", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
        hs.Free("j", hs.WORLD, "a"),
        contacts,
        gravity=(0, 0, 0),
    )
    for x in np.linspace(-0.9, -0.7, 9):
        result = hs.simulate(model, 0.1, {"j.x": x, "j.vx": SPEED}, method="contact", step=1e-2)
        assert result["post.impulse"][-1].any() and result["wall.impulse"][-1].any()
        assert result["a.y"].min() > -0.16 and result["energy"].max() <= result["energy"][0] * (1 + 1e-9)


def test_a_ball_that_lies_beside_a_wall_is_still_seen():
    """Slow things are looked at as they are: a ball rolls to a wall and stops there."""
    model = hs.Model(
        hs.Body.sphere("a", 0.05, mass=1.0),
        hs.Free("j", hs.WORLD, "a"),
        hs.Contact("floor", hs.Surface("a"), hs.WORLD.plane(), law=hs.Linear(1e5, 500.0), friction=0.5),
        hs.Contact("wall", hs.Surface("a"), hs.WORLD.plane("-x", at=(0.3, 0, 0)), law=hs.Linear(1e5, 500.0)),
    )
    for step in (1e-2, 1e-3):
        start = {"j.z": 0.05, "j.vx": 0.2, "j.wy": 4.0}
        result = hs.simulate(model, 2.0, start, method="contact", step=step)
        assert 0.245 < result["a.x"].max() < 0.2505
