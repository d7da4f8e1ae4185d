"""Scenes that have no solution: rows that contradict each other, what has no mass, numbers that are none."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.contact import contact_model

LAW = {"law": hs.Linear(1e5, 100.0), "friction": 0.5}
FLOOR = hs.WORLD.plane("z", at=(0.0, 0.0, -5.0))


def block(name, joint):
    return [hs.Body.box(name, (0.1, 0.1, 0.1), mass=1.0), joint]


def stepped(model, until, start=None, **more):
    return hs.simulate(model, until, start, method="contact", **{"step": 1e-3} | more)


def pulled_rod():
    """A rod between two sliders, one of which a drive moves off."""
    return hs.Model(
        block("b", hs.Prismatic("x", hs.WORLD, "b", axis="x")),
        block("s", hs.Prismatic("y", hs.WORLD, "s", axis="y")),
        hs.Distance("rod", "b", "s", length=1.0),
        hs.Drive("motor", "x", position=lambda t: 0.8 + t),
    )


def driven_rocker(limits):
    """A four-bar whose crank is driven, with a rocker that has limits."""
    return hs.Model(
        [hs.Rod(n, length=x, mass=x) for n, x in {"crank": 0.2, "coupler": 0.5, "rocker": 0.4}.items()],
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y", limits=limits),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        hs.Drive("motor", "A", position=lambda t: 0.3 + 3.0 * t),
    )


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_loop_that_cannot_close_ends_the_run_there(step):
    """A rod of 1 m is straight at x = 1, t = 0.2: nothing was wrong before."""
    result = stepped(pulled_rod(), 0.5, {"x": 0.8, "y": 0.6}, step=step, every=step)
    assert result.status == "not converged" and result.message.startswith("t = ")
    assert 'contradict each other: "rod.length" is off by' in result.message and '"motor"' in result.message
    assert 0.2 - 2.1 * step < result.t[-1] < 0.2 + 0.1 * step
    assert np.allclose(np.hypot(result["x"], result["y"]), 1.0, rtol=0, atol=1e-7)


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-3, 1e3, 1e6])
def test_a_loop_that_cannot_close_is_told_in_any_size(size):
    """The rod of above, from a nanometre to 1000 km, and a speck: it opens by 1e-7 of its length at most."""
    slow = float(np.sqrt(size))
    sides = [hs.Body.box(name, (0.1 * size,) * 3, density=500.0) for name in "bs"]
    model = hs.Model(
        sides,
        hs.Body.sphere("speck", 1e-4 * size, density=500.0),
        hs.Free("speck", hs.WORLD, "speck"),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.Prismatic("y", hs.WORLD, "s", axis="y"),
        hs.Distance("rod", "b", "s", length=size),
        hs.Drive("motor", "x", position=lambda t: size * (0.8 + t / slow)),
    )
    start = {"x": 0.8 * size, "y": 0.6 * size}
    result = stepped(model, 0.5 * slow, start, step=1e-3 * slow)
    assert result.status == "not converged" and '"rod.length" is off by' in result.message
    assert abs(result.t[-1] / slow - 0.2) < 2e-3
    assert np.allclose(np.hypot(result["x"], result["y"]) / size, 1.0, rtol=0, atol=1e-7)


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_drive_that_leads_into_a_rigid_stop_ends_the_run_there(step):
    whole = stepped(driven_rocker((1.2, 2.43)), 1.0, step=step, limits="stops")
    assert whole.success and whole["D"].max() > 2.3  # the limits are never reached
    result = stepped(driven_rocker((1.0, 2.0)), 1.0, step=step, limits="stops")
    assert result.status == "not converged" and '"D limit" is off by' in result.message
    assert abs(result["D"][-1] - 2.0) < 5 * step
    free = stepped(driven_rocker((1.0, 2.0)), 0.5, step=step)
    assert free.success


def test_a_drive_leaves_its_own_limits_with_a_notice():
    """Limits of what is driven are no stops."""
    model = hs.Model(
        block("b", hs.Prismatic("x", hs.WORLD, "b", axis="x", limits=(-0.1, 0.1))),
        hs.Drive("motor", "x", position=lambda t: 0.5 * t),
    )
    with pytest.warns(hs.Notice, match='"x".*leaves its limits'):
        assert stepped(model, 0.5, limits="stops").success


def test_a_start_beyond_a_rigid_stop_is_refused():
    """It would come back within a step, at the depth by the step."""
    model = hs.Model(block("b", hs.Revolute("hinge", hs.WORLD, "b", axis="z", limits=(-1.5, 1.5))))
    with pytest.raises(hs.SolveError, match=r'"hinge" starts 0\.2 m or rad beyond its limit'):
        stepped(model, 0.1, {"hinge": 1.7}, limits="stops")
    with pytest.raises(hs.SolveError, match=r'"hinge" starts 0\.2 m or rad beyond its limit'):
        hs.stepper(model, 1e-3, method="contact", start={"hinge": -1.7}, limits="stops")
    result = stepped(model, 0.2, {"hinge": 1.4, "hinge.v": 1.0}, limits="stops")
    assert abs(result["hinge"].max() - 1.5) < 1e-6


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            hs.Body("a", mass=1.0, inertia=(0, 0, 0)),
            r'"j.wx", "j.wy", "j.wz" can move without moving any mass',
        ),
        (hs.Body("a", mass=0.0, inertia=(0, 0, 0)), "can move without moving any mass"),
    ],
)
def test_what_has_no_mass_is_refused(body, words):
    model = hs.Model(body, hs.Free("j", hs.WORLD, "a"), hs.Contact("c", ("a", hs.Sphere(0.1)), FLOOR, **LAW))
    with pytest.raises(hs.ModelError, match=words):
        stepped(model, 0.1)


def test_without_a_normal_force_there_is_no_friction():
    """A box that just touches the floor in space slides on for ever, however rough the floor is."""
    model = hs.Model(
        block("b", hs.Free("j", hs.WORLD, "b")),
        hs.Contact("c", hs.Surface("b"), hs.WORLD.plane(), law=hs.Linear(1e5, 10.0), friction=1e6),
        gravity=(0, 0, 0),
    )
    result = stepped(model, 1.0, {"j.z": 0.05, "j.vx": 1.0, "j.vy": 0.3})
    assert result.success and not result["c.push"].any()
    assert result["b.velocity"][-1] == pytest.approx([1.0, 0.3, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"c.mu": -1.0}, "mu cannot be negative"),
        ({"c.stiffness": -1e5}, "stiffness cannot be negative"),
        ({"c.stiffness": float("nan")}, '"c.stiffness" must be finite'),
        ({"c.mu": "rough"}, '"c.mu" must be a number'),
        ({"j.friction": -1.0}, "friction"),
    ],
)
def test_parameters_are_checked_as_the_model_checks_its_own(values, words):
    joint = hs.Prismatic("j", hs.WORLD, "b", axis="z", friction=1.0)
    model = hs.Model(block("b", joint), hs.Contact("c", hs.Surface("b"), FLOOR, **LAW))
    with pytest.raises(hs.Error, match=words):
        stepped(model, 0.1, parameters=values)


def test_more_bodies_than_there_is_room_for_are_refused_at_once(monkeypatch):
    monkeypatch.setattr(contact_model, "MOST_TREES", 3)
    names = [f"b{k}" for k in range(4)]
    model = hs.Model(
        [block(name, hs.Free(f"j{name}", hs.WORLD, name)) for name in names],
        [hs.Contact(f"c{name}", hs.Surface(name), FLOOR, **LAW) for name in names],
    )
    with pytest.raises(hs.SolveError, match=r"4 bodies move apart .* at most 3"):
        stepped(model, 0.1)


URDF = """<robot name="door"><link name="base"/>
<link name="leaf"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="leaf"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="0.4" effort="1" velocity="1"/></joint></robot>"""
MJCF = """<mujoco><compiler angle="radian"/><worldbody><body name="leaf">
<joint name="hinge" type="hinge" axis="0 1 0" limited="true" range="-1 0.4"/>
<inertial pos="0.2 0 0" mass="2" diaginertia="0.02 0.02 0.03"/></body></worldbody></mujoco>"""


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("kind, text", [("urdf", URDF), ("xml", MJCF)])
def test_limits_of_files_act_where_they_are_asked_for(kind, text, tmp_path):
    """A leaf that falls: loading adds no force, and with limits="stops" it comes to rest at 0.4 rad."""
    file = tmp_path / f"door.{kind}"
    file.write_text(text)
    model = hs.load(file)
    name = next(iter(model.coordinates))
    assert not model.forces
    free, exact = stepped(model, 1.0), hs.simulate(model, 1.0)
    assert free[name][-1] == pytest.approx(exact[name][-1], abs=1e-3) and free[name].max() > 2.0
    held = stepped(model, 1.0, limits="stops")
    assert abs(held[name][-1] - 0.4) < 1e-6 and held[name].max() < 0.4 + 1e-6
    assert held[f"{name} limit.effort"][-1] == pytest.approx(-2.0 * 9.81 * 0.2 * np.cos(0.4), rel=1e-3)


def test_far_too_many_bodies_are_refused_in_words():
    """Of a hundred thousand bodies the model says how many there may be."""
    names = [f"b{k}" for k in range(20_001)]
    with pytest.raises(hs.ModelError, match="20001 bodies"):
        hs.Model([hs.Body(name, mass=1.0, inertia=(1, 1, 1)) for name in names])
