"""Small motions: exact derivatives, against closed forms, differences and simulations."""

import analysed
import numpy as np
import pytest
from scipy.linalg import expm

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import closed_state_rates
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.equilibrium.equilibrium import equilibrium
from hapsis.motion.analysis.linear.linearize import linearize

TIGHT = {"tolerance": 1e-12, "every": 1.0}


def pendulum(**options):
    return hs.Model(
        hs.Body("arm", mass=2.0, com=(0, 0, -0.5)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=0.3, **options),
    )


def test_pendulum_in_closed_form():
    for angle in (0.0, 0.4, np.pi, -2.0):
        small = linearize(pendulum(), {"hinge": angle}, inputs=("hinge",), outputs=("hinge.a",))
        row = [-9.81 / 0.5 * np.cos(angle), -0.3 / 0.5]
        assert np.allclose(small.A, [[0, 1], row], rtol=1e-13, atol=1e-13)
        assert np.allclose(small.B, [[0], [2.0]]) and np.allclose(small.C, [row])
        assert np.allclose(small.D, [[2.0]])
    assert small.states == ("hinge", "hinge.v") and small.inputs == ("hinge.effort",)
    assert "hinge.a" in str(small)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["suspension", "stewart"])
def test_loops_flow_as_their_matrix_says(name):
    """At rest the derivative of the flow of a simulation is exp(A t)."""
    model, at = getattr(analysed, name)(), analysed.resting(name)
    small = linearize(model, at)
    flow, draw = expm(0.08 * small.A), np.random.default_rng(5)
    change = draw.uniform(-1, 1, len(small.states))
    found = analysed.carried_on(model, at, small.states, change, 0.08, **TIGHT)
    assert np.abs(found - flow @ change).max() < 1e-7 * np.abs(flow).max()


def test_the_governor_flows_as_its_matrix_says():
    """About a steady motion: what turns has turned on."""
    model, at = analysed.governor(), analysed.spinning()
    small = linearize(model, at)
    flow = expm(0.1 * small.A)
    for k in range(len(small.states)):
        change = np.eye(len(small.states))[k]
        found = analysed.carried_on(
            model, at, small.states, change, 0.1, method="stiff", tolerance=1e-12, every=1.0
        )
        assert np.abs(found - flow @ change).max() < 1e-6 * np.abs(flow[:, k]).max() + 1e-7


def test_quaternions_flow_along_their_speeds():
    """A body that spins freely: x' = v - V × x, and the axis wanders as the tensor says."""
    model = hs.Model(
        hs.Body("top", 1.0, inertia=(0.2, 0.3, 0.4)), hs.Free("base", hs.WORLD, "top"), gravity=(0, 0, 0)
    )
    w, v = np.array([0.3, -0.5, 1.1]), np.array([0.4, 0.2, -0.7])
    names = ("wx", "wy", "wz", "vx", "vy", "vz")
    speeds = {f"base.{n}": x for n, x in zip(names, (*w, *v), strict=True)}
    small = linearize(model, {**speeds, "base.qw": 0.8, "base.qy": 0.6, "base.x": 2.0})
    assert small.states[:2] == ("base.wx.moved", "base.wy.moved") and small.states[6] == "base.wx"

    W, V = np.cross(np.eye(3), w), np.cross(np.eye(3), v)  # W x = w × x
    zero, one = np.zeros((3, 3)), np.eye(3)
    inertia = np.diag([0.2, 0.3, 0.4])
    turn = np.linalg.solve(inertia, np.cross(np.eye(3), inertia @ w) - W @ inertia)
    expected = np.block(
        [[-W, zero, one, zero], [-V, -W, zero, one], [zero, zero, turn, zero], [zero, zero, V, -W]]
    )
    assert np.allclose(small.A, expected, atol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("spin", [1.0, 3.0, 6.0])
def test_a_coin_that_rolls_upright_in_closed_form(spin):
    """Rows of speeds too: λ² = 4/5 (g / r - 3 ω²) for a thin disc, and all else is neutral."""
    r, m = 0.3, 2.0
    turns = m * r * r / 4, m * r * r / 2, m * r * r / 4
    model = hs.Model(
        hs.Body("coin", m, inertia=turns),
        hs.Chain("coin", hs.WORLD, "coin", "Tx Ty Tz Rz Rx Ry"),
        hs.Rolling("roll", "coin", hs.WORLD, r, axis="y"),
        poses={"start": {"coin.Tz": r}},
    )
    start = {f"coin.{n}": 0.0 for n in ("Rz", "Rx", "Ry", "Rz.v", "Rx.v")}
    at = hs.assemble(model, {**start, "coin.Ry.v": spin})
    small = linearize(model, at)
    assert "coin.Ty" in small.states and "coin.Ty.v" not in small.states
    found = small.eigenvalues
    pair = found[np.argsort(np.abs(found))[-2:]]
    assert np.allclose(pair**2, 0.8 * (9.81 / r - 3 * spin**2), rtol=1e-10)
    assert np.abs(found).min() < 1e-6 and len(found) == 8


def test_away_from_rest_against_differences_of_the_closed_motion():
    model = analysed.four_bar()
    at = hs.assemble(model, {"A": 0.7, "A.v": 3.0})
    small = linearize(model, at, inputs=("A", "D.effort"))
    part = best_partition(Loops(model), at.q, preferred=("A",))
    f = hs.compile(closed_state_rates(model, part))

    def rate(x):
        q, v = np.array(at.q), np.array(at.v)
        q[0], v[0] = q[0] + x[0], v[0] + x[1]
        return f(q, v, np.array([x[2], 0.0, x[3]])).a[0]

    h = 1e-4
    for k in range(4):
        e = h * np.eye(4)[k]
        found = (8 * (rate(e) - rate(-e)) - (rate(2 * e) - rate(-2 * e))) / (12 * h)
        assert np.hstack([small.A, small.B])[1, k] == pytest.approx(found, rel=1e-9)
    assert np.array_equal(small.A[0], [0, 1])


@pytest.mark.slow
def test_outputs_against_differences_of_results():
    """Whatever a result has in its first row, loops and dependent coordinates among it."""
    model = analysed.four_bar() + hs.Spring("s", "coupler.mid", hs.WORLD, 40.0, 0.5, 0.1)
    outputs = ("B", "D.v", "B.a", "s.force", "energy", "potential", "C.reaction", "D.reaction")
    at = {"A": 0.7, "A.v": 3.0}
    small = linearize(model, at, inputs=("A",), outputs=outputs)

    def told(x):
        result = hs.simulate(
            model, until=1e-6, start={"A": 0.7 + x[0], "A.v": 3.0 + x[1]}, inputs={"A": x[2]}, every=1e-6
        )
        return np.concatenate([np.ravel(result[name][0]) for name in outputs])

    h = 1e-4
    assert len(small.outputs) == 6 + 12 and small.outputs[-1] == "D.reaction.fz"
    for k in range(3):
        e = h * np.eye(3)[k]
        found = (8 * (told(e) - told(-e)) - (told(2 * e) - told(-2 * e))) / (12 * h)
        column = np.hstack([small.C, small.D])[:, k]
        assert np.abs(column - found).max() < 1e-8 * max(1.0, np.abs(found).max())


def test_sensors_are_outputs_too():
    model = pendulum() + hs.Sensor("imu", "imu", "arm")
    small = linearize(model, {"hinge": 0.3}, outputs=("imu",))
    assert small.outputs == tuple(f"imu.{k}" for k in range(6))
    assert np.allclose(small.C[1], [0.0, 1.0])  # it turns about y
    assert np.allclose(small.C[3], [9.81 * np.cos(0.3), 0.0]) or np.allclose(
        small.C[3], [-9.81 * np.cos(0.3), 0.0]
    )


def test_no_eigenvalue_depends_on_which_coordinates_lead():
    model = analysed.four_bar()
    rest = equilibrium(model)
    found = [np.sort_complex(linearize(model, rest, independent=(n,)).eigenvalues) for n in "ABD"]
    assert np.allclose(found[0], found[1], rtol=1e-10) and np.allclose(found[0], found[2])


def test_motors_with_states_and_drives_that_track():
    def coil(position, speed, i=hs.LawState(0.0)):
        return 0.5 * i, {"i": (5.0 - i - 2.0 * speed) / 0.01}

    model = pendulum() + hs.JointForce("coil", "hinge", law=coil)
    small = linearize(model, {"hinge": 0.1}, inputs=("hinge",))
    assert small.states == ("hinge", "hinge.v", "coil.i")
    assert np.allclose(small.A[2], [0.0, -200.0, -100.0]) and np.isclose(small.A[1, 2], 1.0)

    model = pendulum() + hs.Drive("motor", "hinge", position="input", tracking=20.0)
    small = linearize(model, {"hinge": 0.2}, inputs=("motor.position",), outputs=("motor.effort",))
    assert small.states == ("motor.tracked", "motor.tracked.v")
    assert np.allclose(small.A, [[0, 1], [-400, -40]]) and np.allclose(small.B, [[0], [400]])
    # at rest the effort that holds it changes with the angle as gravity says, and by inertia
    assert np.allclose(small.C[0, 0], 9.81 * np.cos(0.2) - 0.5 * 400)


def test_what_is_wrong_is_said():
    model = pendulum()
    at = {"hinge": 0.0}
    for wrong, message in (
        ({"inputs": ("hing",)}, 'did you mean "hinge.effort"'),
        ({"outputs": ("hinge.b",)}, "did you mean"),
        ({"outputs": "hinge"}, "several names"),
        ({"parameters": {"arm.mas": 2.0}}, 'did you mean "arm.mass"'),
        ({"independent": ("x",)}, "can be independent"),
    ):
        with pytest.raises(hs.ModelError, match=message):
            linearize(model, at, **wrong)
    with pytest.raises(hs.ModelError, match="no coordinate, speed or state"):
        linearize(model, {"hinge": 0.0, "bend": 1.0})
    sampled = hs.Controller("c", lambda s: {"hinge": 0.0}, rate=100.0, efforts=("hinge",))
    with pytest.raises(hs.ModelError, match="sampled"):
        linearize(model + sampled, at)
    with pytest.raises(hs.SolveError, match="open by"):
        linearize(analysed.four_bar(), [0.1, 0.2, 0.3])


def test_parameters_without_compiling_again():
    small = linearize(pendulum(), {"hinge": 0.0}, parameters={"hinge.damping": 1.0})
    assert np.isclose(small.A[1, 1], -2.0)
