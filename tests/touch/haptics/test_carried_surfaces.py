"""Surfaces that move with a mechanism: what leaves the hand enters the body."""

import numpy as np
import pytest
import sculptures

import hapsis as hs

DT = 1e-3


def free_slab(sizes=(0.2, 0.2, 0.02), mass=2.0):
    body = hs.Body.box("slab", sizes, mass=mass)
    return hs.Model(body, hs.Free("f", hs.WORLD, "slab"), gravity=(0, 0, 0))


def carried(model, on="slab", sizes=(0.2, 0.2, 0.02), **options):
    settings = {"stiffness": 500.0, "friction": 0.3} | options
    return hs.haptics.CarriedSurfaceStep(sculptures.box(sizes), model, on, DT, **settings)


@pytest.mark.parametrize("seed", range(6))
def test_momentum_goes_from_the_hand_into_the_body(seed):
    """Force and moment about the world's origin, summed over ticks, are the momentum of a free body."""
    rng = np.random.default_rng(seed)
    model = free_slab()
    start = {"f.x": 0.1, "f.wx": rng.normal(), "f.wz": rng.normal(), "f.vz": 0.05 * rng.normal()}
    step = carried(model, start=start)
    momentum = hs.compile(hs.momentum(model))
    n = len(model.coordinates), len(model.speeds)

    def h(y):
        about_com = np.asarray(momentum(y[: n[0]], y[n[0] : n[0] + n[1]]))
        return np.concatenate([about_com[:3] + np.cross(y[:3], about_com[3:]), about_com[3:]])

    y, before = step.start, h(step.start)
    total, way = np.zeros(6), np.array([0.1, 0.0, 0.05])
    held, touched = np.zeros(6), 0.0
    for k in range(600):
        way = way + rng.normal(size=3) * 2e-5 + (0, 0, -1.2e-4 if k < 450 else 1.2e-4)
        total += held  # what the tick before has put out acts in this one
        y, out = step(y, way)
        force = np.array([out[f"probe.{axis}.force"] for axis in "xyz"])
        held = -DT * np.concatenate([np.cross(way, force), force])
        touched += out["probe.contact"]
    assert touched > 20
    assert h(y)[3:] - before[3:] == pytest.approx(total[3:], abs=1e-9)
    # the wrench is held about where the origin is in the middle of the tick
    assert h(y)[:3] - before[:3] == pytest.approx(total[:3], abs=1e-9)


def test_a_body_that_cannot_move_feels_like_a_still_one():
    """A tilted slab on a locked mechanism against a SurfaceStep in its axes."""
    tilt = hs.Frame((0.3, -0.1, 0.2), (0.4, -0.7, 1.1))
    heavy = hs.Model(
        hs.Body("slab", mass=1e9, inertia=(1e9, 1e9, 1e9)),
        hs.Revolute("r", ("world", tilt), "slab", axis="z"),
        gravity=(0, 0, 0),
    )
    step = carried(heavy)
    still = hs.haptics.SurfaceStep(sculptures.box((0.2, 0.2, 0.02)), DT, stiffness=500.0, friction=0.3)
    R = np.asarray(hs.compile(hs.pose(heavy, "slab"))([0.0]).R)
    y, z = step.start, still.start
    rng = np.random.default_rng(3)
    for k in range(400):
        x = np.array([0.02 * np.sin(k / 50), 0.0003 * k - 0.05, 0.012 - 0.006 * np.sin(k / 120)])
        x += 1e-5 * rng.normal(size=3)
        y, out = step(y, np.array(tilt.at) + R @ x)
        z, plain = still(z, x)
        force = np.array([plain[f"probe.{axis}.force"] for axis in "xyz"])
        carried_force = np.array([out[f"probe.{axis}.force"] for axis in "xyz"])
        assert carried_force == pytest.approx(R @ force, abs=1e-7)
        proxy = np.array([plain[f"probe.{axis}.proxy"] for axis in "xyz"])
        there = np.array([out[f"probe.{axis}.proxy"] for axis in "xyz"])
        assert there == pytest.approx(np.array(tilt.at) + R @ proxy, abs=1e-9)
        assert out["probe.contact"] == plain["probe.contact"]


@pytest.mark.parametrize("mass", [2.0, 0.2, 0.02, 0.002])
def test_a_body_bounces_as_fast_as_it_came(mass):
    """On a still probe, without friction, with up to 0.5 = ω dt."""
    slab = hs.Body.box("slab", (0.2, 0.2, 0.02), mass=mass)
    model = hs.Model(slab, hs.Prismatic("z", hs.WORLD, "slab", axis="z"), gravity=(0, 0, 0))
    step = carried(model, start={"z": -0.001, "z.v": 0.1}, outputs=["z.v"], friction=0.0)
    y = step.start
    for _ in range(2000):
        y, out = step(y, (0.0, 0.0, 0.01))
    assert out["z.v"] == pytest.approx(-0.1, rel=0.06 * 500.0 / mass * DT**2)


def test_a_body_that_bounces_on_a_finger_does_not_climb():
    """Eighty times, without any damper."""
    slab = hs.Body.box("slab", (0.2, 0.2, 0.02), mass=0.1)
    model = hs.Model(slab, hs.Prismatic("z", hs.WORLD, "slab", axis="z"), gravity=(0, 0, -9.81))
    step = carried(model, start={"z": 0.05}, outputs=["z"], friction=0.0)
    y, rows = step.start, []
    for _ in range(20_000):
        y, out = step(y, (0.0, 0.0, -0.01))
        rows.append((out["z"], out["probe.contact"]))
    z, contact = np.array(rows).T
    assert (np.diff(contact) > 0).sum() > 70
    assert z.max() < 0.051 and z[-2000:].max() > 0.04


@pytest.mark.parametrize("speed", [0.2, 2.0, 5.0, 20.0])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.7])
def test_a_thin_plate_that_moves_takes_a_still_probe_along(speed, part):
    """A plate of 1 mm flies against a probe at rest: pushed back or stopped, never through."""
    model = free_slab((0.2, 0.2, 0.001), mass=0.05)
    start = {"f.z": -0.05 - part * speed * DT, "f.vz": speed}
    step = carried(
        model, sizes=(0.2, 0.2, 0.001), start=start, outputs=["slab.z"], stiffness=2000.0, friction=0.0
    )
    y, contacts = step.start, []
    for _ in range(int(0.3 / DT)):
        y, out = step(y, (0.0, 0.0, 0.0))
        contacts.append(out["probe.contact"])
        if out["probe.contact"]:
            assert out["probe.z.force"] > 0.0  # away from the side where it was met
    assert max(contacts) == 1.0 and contacts[-1] == 0.0
    assert out["slab.z"] < 0.0


def test_friction_turns_a_wheel():
    """A probe pressed on a disc and led around it turns the disc; within the cone it sticks."""
    disc = hs.Model(
        hs.Body.cylinder("disc", 0.1, 0.02, mass=0.3),
        hs.Revolute("axle", hs.WORLD, "disc", axis="z"),
        gravity=(0, 0, 0),
    )
    step = carried(disc, "disc", outputs=["axle"], friction=0.8)
    y, out = step.start, {}
    for k in range(3000):
        depth = 0.012 - 0.00001 * min(k, 500)
        turn = 0.3e-3 * max(0, k - 500)
        y, out = step(y, (0.05 * np.cos(turn), 0.05 * np.sin(turn), depth))
        if k > 600:
            cone = np.hypot(out["probe.x.force"], out["probe.y.force"])
            assert cone <= 0.8 * out["probe.z.force"] * (1 + 1e-9)
    assert out["axle"] == pytest.approx(0.75, abs=0.02)


def test_a_loop_runs_it_on_a_linkage():
    """A hand pushes the coupler of a four-bar away; the loop stays closed."""
    model = hs.library.slider_crank(angle=0.5)
    names = list(model.bodies)
    step = hs.haptics.CarriedSurfaceStep(
        sculptures.box((0.06, 0.06, 0.06)),
        model,
        names[-1],
        1 / 4000,
        stiffness=800.0,
        outputs=["crank", "slider"],
    )
    place = hs.compile(hs.pose(model, names[-1]))(hs.assemble(model).q).p
    t = np.linspace(0.0, 0.3, 100)
    way = np.array(place) + np.stack([0.05 - 0.2 * t, 0 * t, 0 * t], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, way), axes=("x", "y", "z"))
    loop = hs.realtime.Loop(step, rate=4000, paced=False).connect(hand)
    report = loop.run(seconds=0.3).report()
    assert report["probe.contact"].max() == 1.0 and report["probe.x.force"].max() > 0.0
    assert np.ptp(report["slider"]) > 0.0


def test_what_is_wrong_is_said():
    model, body = free_slab(), sculptures.box((0.1, 0.1, 0.1))
    make = hs.haptics.CarriedSurfaceStep
    with pytest.raises(hs.Error, match='"world" does not move; take a SurfaceStep'):
        make(body, model, "world", DT, stiffness=1.0)
    with pytest.raises(hs.Error, match=r'slob.*did you mean "slab"'):
        make(body, model, "slob", DT, stiffness=1.0)
    with pytest.raises(hs.Error, match="touches a NurbsBody"):
        make(3, model, "slab", DT, stiffness=1.0)
    with pytest.raises(hs.Error, match="needs the Model"):
        make(body, 3, "slab", DT, stiffness=1.0)
    with pytest.raises(hs.Error, match="stiffness"):
        make(body, model, "slab", DT, stiffness=-1.0)
    with pytest.raises(hs.Error, match="give the probe another name"):
        make(body, model.replace(parameters={"probe_fx": 1.0}), "slab", DT, stiffness=1.0)
    with pytest.raises(hs.Error, match="the mechanism has 0 inputs, not 1"):
        step = make(body, model, "slab", DT, stiffness=1.0)
        step(step.start, (0, 0, 1), [2.0])
