"""Equilibria: closed forms, mechanisms that stay put in simulations, and what is said without."""

import analysed
import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium

G = 9.81


def mass(*facts, axis="z", **options):
    return hs.Model(
        hs.Body("block", 2.0, shapes=(hs.Sphere(0.1),)),
        hs.Prismatic("lift", hs.WORLD, "block", axis=axis, **options),
        *facts,
    )


def pendulum(*facts, **options):
    return hs.Model(
        hs.Body("arm", mass=2.0, com=(0, 0, -0.5)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", **options),
        *facts,
    )


def test_a_mass_hangs_as_far_as_its_spring_gives():
    state = equilibrium(mass(hs.JointSpring("spring", "lift", 500.0, 10.0, 0.3)))
    assert state["lift"] == pytest.approx(0.3 - 2.0 * G / 500.0, abs=1e-14)
    report = state.report
    assert report.stable and report.stability == "stable" and report.residual < 1e-12
    assert report.eigenvalues[0].real == pytest.approx(-2.5) and "stable" in str(report)


def test_the_stable_one_or_the_nearest():
    assert equilibrium(pendulum(), {"hinge": 2.5})["hinge"] == pytest.approx(0.0, abs=1e-12)
    up = equilibrium(pendulum(), {"hinge": 2.5}, nearest=True)
    assert up["hinge"] == pytest.approx(np.pi, abs=1e-12)
    assert not up.report.stable and up.report.eigenvalues[0].real > 0
    stays = equilibrium(pendulum(), {"hinge": np.pi})
    assert stays["hinge"] == pytest.approx(np.pi, abs=1e-15)


def test_efforts_parameters_and_what_is_held():
    held = equilibrium(pendulum(), {"hinge": 0.4}, held=("hinge",))
    assert held["hinge"] == 0.4
    assert held.report.efforts["hinge held.effort"] == pytest.approx(2.0 * G * 0.5 * np.sin(0.4))
    bent = equilibrium(pendulum(), inputs={"hinge": 3.0}, parameters={"arm.mass": 4.0})
    assert np.sin(bent["hinge"]) == pytest.approx(3.0 / (4.0 * G * 0.5), abs=1e-12)
    assert bent.report.inputs == {"hinge": 3.0}


def test_drives_stand_where_they_are_at_a_time():
    model = hs.Model(
        hs.Body("arm", 1.0, com=(0, 0, -0.5), frames={"end": (0, 0, -1.0)}),
        hs.Body("bob", 1.0, com=(0, 0, -0.5)),
        hs.Revolute("A", hs.WORLD, "arm", axis="y"),
        hs.Revolute("B", "arm.end", "bob", axis="y"),
        hs.Drive("motor", "A", position=lambda t: 0.2 + 3.0 * t),
    )
    for t in (0.0, 0.1):
        state = equilibrium(model, t=t)
        assert state["A"] == pytest.approx(0.2 + 3.0 * t) and state["A.v"] == 0.0
        assert state["B"] == pytest.approx(-state["A"], abs=1e-12)
        arms = (0.5 + 1.0) * np.sin(state["A"])
        assert state.report.efforts["motor.effort"] == pytest.approx(G * arms)


@pytest.mark.parametrize("law", ["hertz", "linear"])
def test_a_ball_rests_as_deep_as_its_weight_asks(law):
    """Also from high above, where nothing tells that there is a floor."""
    laws = {"hertz": hs.HuntCrossley(1e6, damping=0.3), "linear": hs.Linear(1e5)}
    ball = hs.Model(
        hs.Body("ball", 1.0, inertia=(0.004,) * 3, shapes=(hs.Sphere(0.1),)),
        hs.Free("base", hs.WORLD, "ball"),
        hs.Contact("floor", "ball", hs.WORLD.plane(normal="z"), law=laws[law]),
    )
    depth = {"hertz": (G / 1e6) ** (2 / 3), "linear": G / 1e5}[law]
    for height in (0.0, 1.0):
        state = equilibrium(ball, {"base.z": height, "base.x": 0.7})
        gap = hs.simulate(ball, until=1e-3, start=state)["floor.gap"][0]
        assert -gap == pytest.approx(depth, rel=1e-9)
        assert state["base.x"] == pytest.approx(0.7) and state.report.stability == "neutral"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["suspension", "stewart"])
def test_loops_stay_put_in_a_simulation(name):
    model, state = getattr(analysed, name)(), analysed.resting(name)
    assert state.report.stable and state.report.residual < 1e-9
    result = hs.simulate(model, until=0.5, start=state, tolerance=1e-11, every=0.1)
    moved = [np.abs(result[n] - state[n]).max() for n in model.coordinates]
    assert result.success and max(moved) < 1e-9


@pytest.mark.slow
def test_the_governor_spins_steadily():
    """Nothing of it moves relative to the shaft; at rest its arms hang down."""
    model, state = analysed.governor(), analysed.spinning()
    assert state["shaft.v"] == pytest.approx(2 * np.pi) and state["slider.v"] == 0.0
    assert state["left"] == pytest.approx(state["right"], abs=1e-12)
    result = hs.simulate(model, until=0.5, start=state, method="stiff", every=0.1)
    for name in ("left", "right", "slider"):
        assert np.abs(result[name] - state[name]).max() < 1e-8
    assert result["shaft"][-1] == pytest.approx(np.pi, abs=1e-8)
    # a long way along the valley of stiff springs
    hanging = equilibrium(model)
    assert hanging["right"] == pytest.approx(np.pi / 2, abs=1e-6)


@pytest.mark.slow
def test_a_wheel_on_a_drive_spins_steadily():
    model = pendulum(
        hs.Body("wheel", 1.0, inertia=(0.1, 0.2, 0.1)),
        hs.Revolute("spin", hs.WORLD.at(0, 1, 0), "wheel", axis="y", damping=0.3),
        hs.Drive("motor", "spin", velocity=7.0),
    )
    state = equilibrium(model, {"hinge": 0.3}, speeds={"spin.v": 7.0})
    assert state["spin.v"] == 7.0 and state["hinge"] == pytest.approx(0.0, abs=1e-12)
    assert state.report.efforts["motor.effort"] == pytest.approx(2.1)
    assert equilibrium(model)["spin.v"] == 0.0


def test_states_of_laws_rest_too_and_bristles_stay():
    def coil(position, speed, i=hs.LawState(0.0)):
        return 0.5 * i, {"i": (4.0 - i - 2.0 * speed) / 0.01}

    state = equilibrium(pendulum(hs.JointForce("coil", "hinge", law=coil)))
    assert state.report.states["coil.i"] == pytest.approx(4.0)
    assert np.sin(state["hinge"]) == pytest.approx(2.0 / (2.0 * G * 0.5), abs=1e-12)
    rough = pendulum(friction=0.4)
    state = equilibrium(rough, {"hinge": 0.3})
    assert state["hinge"] == pytest.approx(0.0, abs=1e-9)
    assert state.report.states == {"hinge.bend": 0.0}


@pytest.mark.slow
def test_without_an_equilibrium_it_is_said_what_is_left_over():
    with pytest.raises(hs.SolveError, match=r'nothing holds "lift", on which 19.62 N are left') as e:
        equilibrium(mass())
    assert e.value.nearest["lift"] == 0.0
    weak = mass(hs.JointForce("wind", "lift", law=lambda q, v: 5.0 / (1.0 + q * q)))
    with pytest.raises(hs.SolveError, match=r"left over on \"lift\""):
        equilibrium(weak, {"lift": 0.2})
    with pytest.raises(hs.SolveError, match='"hinge" is pushed against its limit'):
        equilibrium(pendulum(limits=(0.5, 1.5)), {"hinge": 1.0})
    with pytest.raises(hs.SolveError, match=r"\d N m are left over"):
        equilibrium(analysed.four_bar(), {"A": 0.5}, inputs={"A": 300.0})
    with pytest.raises(hs.SolveError, match=r"no steady motion.* N m are left over"):
        equilibrium(analysed.four_bar(), speeds={"A.v": 3.0})
    with pytest.raises(hs.SolveError, match=r'no steady motion: forces depend on .*"hinge.v"'):
        equilibrium(pendulum(), speeds={"hinge.v": 3.0})


@pytest.mark.slow
def test_other_starts_are_tried_if_asked():
    """A track with a barrier behind which it is flat: from here nothing pulls into the dip."""

    def track(q, v):
        return -hs.where(q < 1.0, 50.0 * q, 0.0) + 3.0

    model = mass(hs.JointForce("track", "lift", law=track), axis="x")
    with pytest.raises(hs.SolveError, match="nothing holds"):
        equilibrium(model, {"lift": 1.3})
    assert equilibrium(model, {"lift": 1.3}, tries=20)["lift"] == pytest.approx(0.06)


def test_wrong_names_are_refused():
    for wrong, message in (
        ({"inputs": {"hing": 1.0}}, "hinge.effort"),
        ({"held": ("hing",)}, "can be held"),
        ({"speeds": {"hinge": 1.0}}, "no speed"),
        ({"start": {"hing": 1.0}}, "hinge"),
        ({"speeds": 3.0}, "must be"),
        ({"parameters": {"arm.mas": 1.0}}, "arm.mass"),
    ):
        with pytest.raises(hs.ModelError, match=message):
            equilibrium(pendulum(), **wrong)
