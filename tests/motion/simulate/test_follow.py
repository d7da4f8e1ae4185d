"""Motions that are given: efforts in closed form, and simulations that get the motion back."""

import analysed
import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.follow import follow

G = 9.81


def pendulum(**options):
    return hs.Model(
        hs.Body("arm", mass=2.0, com=(0, 0, -0.5)), hs.Revolute("hinge", hs.WORLD, "arm", axis="y", **options)
    )


def swing(t):
    return 0.3 + 0.5 * hs.sin(2.0 * t)


def test_pendulum_in_closed_form():
    result = follow(pendulum(damping=0.3), {"hinge": swing}, 2.0, every=0.01)
    t = result.t
    q, v, a = 0.3 + 0.5 * np.sin(2 * t), np.cos(2 * t), -2.0 * np.sin(2 * t)
    for name, x in (("hinge", q), ("hinge.v", v), ("hinge.a", a)):
        assert np.allclose(result[name], x, atol=1e-14)
    effort = 0.5 * a + 0.3 * v + 2.0 * G * 0.5 * np.sin(q)
    assert np.allclose(result["hinge.effort"], effort, atol=1e-12)
    assert result.success and len(t) == 201 and result.last["hinge"] == q[-1]
    # the hinge carries the weight and what turns the mass round
    radial = 2.0 * (G * np.cos(q) + 0.5 * v * v)
    force = result["hinge.reaction"][:, 3:]
    assert np.allclose(
        force @ [0, 0, 1], radial * np.cos(q) + 2.0 * (0.5 * a + G * np.sin(q)) * np.sin(q), atol=1e-11
    )
    assert result.player() is not None


def test_tables_and_recordings_are_as_good_as_functions():
    exact = follow(pendulum(), {"hinge": swing}, 1.0, every=0.1)
    t = np.linspace(0.0, 1.0, 101)
    rows = 0.3 + 0.5 * np.sin(2 * t), np.cos(2 * t), -2.0 * np.sin(2 * t)
    for motion, error in (((t, rows[0]), 1e-5), ((t, *rows), 1e-7)):
        found = follow(pendulum(), {"hinge": motion}, every=0.1)
        assert np.abs(found["hinge.effort"] - exact["hinge.effort"]).max() < error
        assert found.t[-1] == 1.0
    still = follow(pendulum(), {"hinge": 0.4}, 1.0)
    assert np.allclose(still["hinge.effort"], 2.0 * G * 0.5 * np.sin(0.4))


def feeding(model, motion, actuated, until, every, **options):
    """The largest difference of a simulation driven by the efforts of a motion, and the motion."""
    found = follow(model, motion, until, every=every, actuated=actuated)
    q, v = ([found[n][0] for n in names] for names in (model.coordinates, model.speeds))
    start = hs.State(model.coordinates, model.speeds, q, v)
    inputs = {n: (found.t, found[f"{n}.effort"]) for n in actuated}
    again = hs.simulate(model, until=until, start=start, inputs=inputs, every=until / 4, **options)
    assert again.success and found.constraint_error < 1e-12
    return found, max(abs(again.last[n] - found.last[n]) for n in model.coordinates)


@pytest.mark.slow
def test_efforts_make_the_suspension_move():
    motion = {"lower_front.Rx": lambda t: 0.06 * hs.sin(3.0 * t), "wheel": lambda t: 4.0 * t * t}
    actuated = ("lower_front.Rx", "wheel")
    found, error = feeding(analysed.suspension(), motion, actuated, 0.4, 4e-4)
    assert error < 1e-6 and np.abs(found["upper_rear.Rx"]).max() > 0.05


@pytest.mark.slow
def test_legs_make_the_platform_move():
    """What is given is the platform's motion, what is actuated are its legs."""
    places = zip("Tx Ty Tz Rx Ry Rz".split(), (0.0, 0.0, 0.5, 0.0, 0.0, 0.0), strict=True)
    motion = {
        f"platform.{n}": lambda t, k=k, x=x: x + 0.03 * hs.sin((k + 2.0) * t)
        for k, (n, x) in enumerate(places)
    }
    legs = tuple(f"leg{k}" for k in range(1, 7))
    found, error = feeding(analysed.stewart(), motion, legs, 0.2, 4e-4)
    assert error < 1e-6 and found.report["effort left over"] < 1e-10
    # the power of the legs is what the platform's energy gains, and what their dampers lose
    power = sum(found[f"{n}.effort"] * found[f"{n}.v"] for n in legs)
    lost = sum(30.0 * found[f"{n}.v"] ** 2 for n in legs)
    gained = np.gradient(found["energy"], found.t, edge_order=2)
    assert np.abs(power - lost - gained)[2:-2].max() < 1e-4 * np.abs(power).max()


def test_efforts_make_the_governor_move():
    motion = {
        "shaft": lambda t: 6.0 * t,
        "right": lambda t: 0.4 + 0.1 * hs.sin(2 * t),
        "left": lambda t: 0.4 - 0.1 * hs.sin(2 * t),
        "slider": lambda t: 0.6 + 0.02 * hs.sin(3 * t),
    }
    _, error = feeding(analysed.governor(), motion, tuple(motion), 0.2, 2e-4, method="stiff")
    assert error < 1e-6


@pytest.mark.slow
def test_fewer_more_and_other_actuators():
    model, motion = analysed.four_bar(), {"A": lambda t: -0.6 + hs.sin(t)}
    one = follow(model, motion, 0.5, every=0.05)
    other = follow(model, motion, 0.5, every=0.05, actuated=("D",))
    assert np.allclose(one["A.effort"] * one["A.v"], other["D.effort"] * other["D.v"], atol=1e-12)
    both = follow(model, motion, 0.5, every=0.05, actuated=("A", "D.effort"))
    # the least efforts that do the same work share it by how far each moves
    S = one["D.v"] / one["A.v"]
    assert np.allclose(both["A.effort"], one["A.effort"] / (1 + S**2), atol=1e-12)
    assert np.allclose(both["D.effort"], S * both["A.effort"], atol=1e-12)
    # what the joints carry depends on where the effort is
    assert np.abs(one["C.reaction"] - other["C.reaction"]).max() > 0.1
    open_chain = hs.Model(
        *(hs.Rod(n, 0.3, 1.0) for n in "ab"),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
    )
    with pytest.raises(hs.SolveError, match='nothing that is actuated drives "B"'):
        follow(open_chain, {"A": swing, "B": swing}, 1.0, actuated=("A",))


def test_drives_of_the_model_stay_and_have_their_efforts():
    model = hs.Model(
        *(hs.Rod(n, 0.3, 1.0) for n in "ab"),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Drive("motor", "A", position=swing),
    )
    found = follow(model, {"B": swing}, 1.0, every=0.1)
    tau = hs.compile(hs.inverse_dynamics(model.replace(gravity=model.gravity)))
    for k in (0, 4, 9):
        q, v, a = ([found[n + end][k] for n in "AB"] for end in ("", ".v", ".a"))
        expected = tau(q, v, a)
        assert [found["motor.effort"][k], found["B.effort"][k]] == pytest.approx(list(expected))


def test_dry_friction_is_pushed_against():
    found = follow(pendulum(friction=0.8), {"hinge": lambda t: 0.5 * t}, 1.0, every=0.05)
    expected = 0.8 + 2.0 * G * 0.5 * np.sin(found["hinge"])
    assert np.allclose(found["hinge.effort"][1:], expected[1:], atol=1e-6)


@pytest.mark.slow
def test_long_rows_stay_on_their_branch():
    """Half a turn of the crank between two rows, and the rocker does not flip."""
    model = analysed.four_bar()
    motion = {"A": lambda t: -0.6 - t}
    coarse, fine = (follow(model, motion, 12.0, every=e) for e in (3.0, 0.03))
    assert np.allclose(coarse["D"], fine["D"][::100], atol=1e-10)
    other = follow(model, motion, 1.0, start={"B": 2.0, "D": 1.5})
    assert abs(other["D"][0] - fine["D"][0]) > 0.5


def test_what_is_wrong_is_said():
    model = analysed.four_bar()
    suspension = analysed.suspension()
    for wrong, kind, message in (
        ((model, {"E": swing}, 1.0), hs.ModelError, "whose motion can be given"),
        ((model, {}, 1.0), hs.ModelError, "motion is empty"),
        ((model, {"A": swing}), hs.ModelError, "until must be given"),
        ((model, {"A": swing, "D": 1.0}, 1.0), hs.Error, "D"),
        ((suspension, {"wheel": swing}, 1.0), hs.ModelError, "free"),
        ((model, {"D": lambda t: -1.8 + 4.0 * t}, 2.0), hs.SolveError, "cannot follow"),
        ((model, {"A": ([0, 1, 2], [0, 1, 0])}, 3.0), hs.ModelError, "is known from 0 to 2"),
        ((model, {"A": ([0, 2, 1], [0, 1, 0])}, 1.0), hs.ModelError, "times must grow"),
        ((model, {"A": lambda t: np.interp(t, [0, 1], [0, 1])}, 1.0), hs.CompileError, "hs.interpolated"),
        ((model + hs.Drive("m", "A", position=0.0), {"A": swing}, 1.0), hs.ModelError, "driven by"),
    ):
        with pytest.raises(kind, match=message):
            follow(*wrong)
    with pytest.raises(hs.ModelError, match="actuated names"):
        follow(model, {"A": swing}, 1.0, actuated=("x",))
    with pytest.raises(hs.ModelError, match="actuated twice"):
        follow(model, {"A": swing}, 1.0, actuated=("A",), inputs={"A": 1.0})
