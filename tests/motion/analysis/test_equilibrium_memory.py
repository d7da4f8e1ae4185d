"""Equilibria with laws that have a memory: felt in contacts and stops, and friction that sticks."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def ball(law, friction=None, normal="z", gravity=(0, 0, -G), mapped=None):
    """A ball that does not turn, above a plane."""
    return hs.Model(
        hs.Body("m1", mass=0.1),
        hs.Body("m2", mass=0.1),
        hs.Body("b", mass=0.8),
        hs.Prismatic("x", hs.WORLD, "m1", axis="x"),
        hs.Prismatic("y", "m1", "m2", axis="y"),
        hs.Prismatic("z", "m2", "b", axis="z"),
        hs.Contact("c", ("b", hs.Sphere(0.1)), hs.WORLD.plane(normal), law, friction, mapped=mapped),
        gravity=gravity,
    )


@pytest.mark.parametrize("mapped", [None, True])
@pytest.mark.parametrize("height", [0.0995, 0.15])
def test_felt_under_load_is_relaxed(height, mapped):
    k, p, part = 1e6, 2.0, 0.5
    model = ball(hs.Felt(k, p, part, 0.01), mapped=mapped)
    state = hs.equilibrium(model, {"z": height}, held=("x", "y"))
    depth = (0.8 * G / ((1 - part) * k)) ** (1 / p)
    assert state["z"] == pytest.approx(0.1 - depth, abs=1e-12)
    assert state.report.states["c.memory"] == pytest.approx(depth**p, rel=1e-9)


def test_a_stop_of_felt():
    k, part = 400.0, 0.6
    model = hs.Model(
        hs.Body("b", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01)),
        hs.Revolute("q", hs.WORLD, "b", axis="y"),
        hs.Stop("s", "q", high=0.05, law=hs.Felt(k, 2.0, part, 0.01)),
    )
    state = hs.equilibrium(model)
    depth = state["q"] - 0.05
    assert (1 - part) * k * depth**2 == pytest.approx(G * 0.1 * np.cos(state["q"]), rel=1e-9)
    assert state.report.states == {"s.high.memory": pytest.approx(depth**2, rel=1e-9)}
    assert state.report.stable


SLOPES = {
    "pulled along": ("z", (G * np.sin(0.4), 0.0, -G * np.cos(0.4))),
    "askew": ((-np.sin(0.4), 0.2, np.cos(0.4)), (0.0, 0.0, -G)),
}


@pytest.mark.parametrize("slope", SLOPES)
def test_bristles_hold_only_if_they_may(slope):
    normal, gravity = SLOPES[slope]
    k = 1e4
    model = ball(hs.Linear(1e5, 100.0), hs.Coulomb(0.6, bristle=k), normal, gravity)
    with pytest.raises(hs.SolveError, match="sticking=True"):
        hs.equilibrium(model, {"z": 0.12})
    state = hs.equilibrium(model, {"z": 0.12}, sticking=True)
    n = np.array((0.0, 0.0, 1.0) if normal == "z" else normal)
    n /= np.linalg.norm(n)
    weight = np.array(gravity) * (1.0, 0.9, 0.8)  # of what moves along each axis
    along = weight - (weight @ n) * n
    bend = np.array([state.report.states[f"c.bend.{x}"] for x in "xyz"])
    assert bend == pytest.approx(along / k, abs=1e-9)
    # it stays there: the state starts a run in which nothing moves
    start = {name: state[name] for name in model.coordinates} | state.report.states
    result = hs.simulate(model, until=0.2, start=start, every=0.1)
    for name in model.coordinates:
        assert np.abs(result[name] - state[name]).max() < 1e-9


def test_unbent_bristles_change_no_equilibrium():
    smooth, rough = (ball(hs.HuntCrossley(1e6, 2.0), f) for f in (None, hs.Coulomb(0.6, bristle=1e4)))
    states = [hs.equilibrium(m, {"z": 0.12}, held=("x", "y")) for m in (smooth, rough)]
    assert states[0]["z"] == pytest.approx(states[1]["z"], abs=1e-12)
    assert set(states[1].report.states.values()) == {0.0}


def test_too_steep_is_no_equilibrium():
    model = ball(hs.Linear(1e5, 100.0), hs.Coulomb(0.3, bristle=1e4), *SLOPES["pulled along"])
    with pytest.raises(hs.SolveError):
        hs.equilibrium(model, {"z": 0.12}, sticking=True)


def test_friction_of_a_joint_holds_too():
    model = hs.Model(
        hs.Body("b", mass=1.0, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01)),
        hs.Revolute("q", hs.WORLD, "b", axis="y"),
        hs.Friction("f", "q", 2.0),
    )
    state = hs.equilibrium(model, {"q": 0.3}, sticking=True)
    assert 2.0 / 1e-4 * state.report.states["f.bend"] == pytest.approx(G * 0.1 * np.cos(state["q"]), rel=1e-9)
    assert state["q"] == pytest.approx(0.3 + state.report.states["f.bend"], abs=1e-9)


FRICTIONS = {
    "field": (5.0, None, 5.0),
    "even": (0.0, hs.Friction("f", "q", 5.0), 5.0),
    "static": (0.0, hs.Friction("f", "q", 5.0, static="1.4 * F", stick=3e-4), 7.0),
}


@pytest.mark.parametrize("kind", FRICTIONS)
@pytest.mark.parametrize("angle", [0.3, 0.6, 1.0, 1.5, -1.5, 3.0])
def test_friction_of_a_joint_holds_no_more_than_it_can(kind, angle):
    """An arm that slips down comes to rest where its weight has fallen to what friction holds."""
    field, fact, most = FRICTIONS[kind]
    model = hs.Model(
        hs.Body("b", mass=2.0, com=(0, 0, -0.5)),
        hs.Revolute("q", hs.WORLD, "b", axis="y", friction=field),
        [] if fact is None else fact,
        parameters={"F": 5.0},
    )
    state = hs.equilibrium(model, {"q": angle}, sticking=True)
    if G * abs(np.sin(angle)) < 0.99 * most:
        assert abs(state["q"] - angle) < 1e-3
    else:
        assert G * abs(np.sin(state["q"])) == pytest.approx(most, rel=1e-6)
        assert np.sign(state["q"]) == np.sign(angle)
    assert hs.equilibrium(model, state, sticking=True)["q"] == pytest.approx(state["q"], abs=1e-12)
    result = hs.simulate(model, 0.5, state, every=0.1)
    assert np.abs(result["q"] - state["q"]).max() < 1e-9


@pytest.mark.parametrize("load", [3.03, 3.6, 30.0, -6.0])
def test_a_load_beyond_static_is_no_equilibrium(load):
    """Also where the numbers of the friction are other ones."""
    model = hs.Model(
        hs.Body("b", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.Friction("f", "x", coulomb=2.0, static=3.0),
        hs.Wrench("pull", "b", force=(load, 0, 0)),
        gravity=(0, 0, 0),
    )
    with pytest.raises(hs.SolveError, match='nothing holds "x"'):
        hs.equilibrium(model, sticking=True)
    stronger = {"f.static": 1.1 * abs(load)}
    state = hs.equilibrium(model, sticking=True, parameters=stronger)
    assert state.report.states["f.bend"] == pytest.approx(load * 1e-4 / 2.0)


def test_an_equilibrium_starts_runs_and_steps_with_its_states():
    """Felt that carries a weight is relaxed: a run from there does not begin with a jump."""
    model = ball(hs.Felt(1e6, 2.0, 0.5, 0.01), hs.Coulomb(0.6, bristle=1e4), *SLOPES["pulled along"])
    state = hs.equilibrium(model, {"z": 0.12}, sticking=True)
    result = hs.simulate(model, until=0.1, start=state, every=0.01)
    assert np.abs(result["z"] - state["z"]).max() < 1e-9 and np.abs(result["x"] - state["x"]).max() < 1e-9
    step = hs.compile(hs.stepper(model, 1e-4, start=state, outputs=["c.force"]))
    assert step()[-1] == pytest.approx(result["c.force"][0], rel=1e-6)
