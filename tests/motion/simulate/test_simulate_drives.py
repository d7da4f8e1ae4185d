"""Drives in simulations: every way to say a motion, what it costs, and what it does with loops."""

import numpy as np
import pytest
from loop_models import digest
from shared_models import four_bar, library

import hapsis as hs


def pendulum(*facts, **more):
    """A slender rod of 1 m and 1 kg on a hinge; at A = 0 it lies along x."""
    return hs.Model(hs.Rod("rod", 1.0, 1.0), hs.Revolute("A", hs.WORLD, "rod", axis="y"), *facts, **more)


def ran(model, until=2.0, **more):
    result = hs.simulate(model, until=until, every=until / 100, **more)
    assert result.success, result.message
    assert result.constraint_error <= 1e-12 and result.energy_drift <= 1e-6
    return result


def effort(angle, acceleration):
    """What a motor must give to the pendulum: it weighs 9.81 N half a metre out, A turns down."""
    return acceleration / 3.0 - 9.81 * 0.5 * np.cos(angle)


# ways to say a motion ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["function", "formula", "input"])
def test_a_position(way):
    given = {"function": lambda t: 0.3 + hs.sin(2 * t), "formula": "0.3 + sin(w * t)", "input": "input"}[way]
    model = pendulum(hs.Drive("motor", "A", position=given), parameters={"w": 2.0})
    inputs = {"motor.position": lambda t: 0.3 + hs.sin(2 * t)} if way == "input" else None
    result, t = ran(model, inputs=inputs), np.linspace(0.0, 2.0, 101)
    assert result["A"] == pytest.approx(0.3 + np.sin(2 * t), abs=1e-14)
    assert result["A.v"] == pytest.approx(2 * np.cos(2 * t), abs=1e-14)
    assert result["A.a"] == pytest.approx(-4 * np.sin(2 * t), abs=1e-13)
    assert result["motor.effort"] == pytest.approx(effort(result["A"], result["A.a"]), abs=1e-12)


def test_a_formula_of_a_file_with_other_parameters(tmp_path):
    model = pendulum(hs.Drive("motor", "A", position="w * t"), parameters={"w": 2.0})
    path = tmp_path / "driven.yaml"
    hs.save(model, path)
    loaded = hs.load(path)
    assert digest(ran(loaded)) == digest(ran(model))
    faster = ran(loaded, parameters={"w": 3.0})
    assert faster["A"][-1] == pytest.approx(6.0) and faster["A.v"][-1] == pytest.approx(3.0)


def test_a_number_is_a_lock():
    for model, inputs in (
        (pendulum(hs.Drive("motor", "A", position=0.3)), None),
        (pendulum(hs.Drive("motor", "A", position="input")), {"motor.position": 0.3}),
    ):
        result = ran(model, inputs=inputs)
        assert (result["A"] == 0.3).all() and (result["A.v"] == 0.0).all()
        assert result["motor.effort"] == pytest.approx(effort(0.3, 0.0), abs=1e-13)
        assert (result["work"] == 0.0).all()


def test_a_velocity_alone():
    model = pendulum(hs.Drive("motor", "A", velocity=lambda t: hs.cos(t)))
    result = ran(model, start={"A": 0.2})
    assert result["A"] == pytest.approx(0.2 + np.sin(result.t), abs=1e-8)
    assert result["motor.effort"] == pytest.approx(effort(result["A"], -np.sin(result.t)), abs=1e-9)


def test_an_acceleration_alone():
    model = pendulum(hs.Drive("motor", "A", acceleration=lambda t: hs.cos(t)))
    result = ran(model, start={"A": 0.2, "A.v": 0.1})
    assert result["A.v"] == pytest.approx(0.1 + np.sin(result.t), abs=1e-8)
    exact = 1.2 + 0.1 * result.t - np.cos(result.t)
    assert result["A"] == pytest.approx(exact, abs=1e-8)
    assert result["motor.effort"] == pytest.approx(effort(result["A"], np.cos(result.t)), abs=1e-7)


def test_tables_need_rates_or_tracking():
    table = ([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])
    plain = pendulum(hs.Drive("motor", "A", position="input"))
    with pytest.raises(hs.ModelError, match="a table has no rates") as caught:
        hs.simulate(plain, until=1.0, inputs={"motor.position": table})
    assert "tracking=" in str(caught.value)
    with pytest.raises(hs.ModelError, match="its position comes from outside"):
        hs.simulate(plain, until=1.0)
    tracked = pendulum(hs.Drive("motor", "A", position="input", tracking=50.0))
    result = ran(tracked, inputs={"motor.position": table})
    # the filter's own closed form: a ramp, and after 1 s one with twice the opposite slope
    b = 50.0

    def ramp(t):
        t = np.maximum(t, 0.0)
        return t - 2 / b + (t + 2 / b) * np.exp(-b * t)

    exact = ramp(result.t) - 2 * ramp(result.t - 1.0)
    assert result["A"] == pytest.approx(exact, abs=1e-7)


def test_acceleration_by_a_table():
    model = pendulum(hs.Drive("motor", "A", acceleration="input"))
    table = ([0.0, 1.0, 2.0], [0.0, 2.0, 0.0])
    result = ran(model, inputs={"motor.acceleration": table})
    assert result["A.v"][50] == pytest.approx(1.0, abs=1e-9)
    assert result["A"][50] == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.parametrize("bandwidth", [10.0, 40.0])
def test_tracking_follows_two_over_its_bandwidth_late(bandwidth):
    model = pendulum(hs.Drive("motor", "A", position="0.5 * t", tracking=bandwidth))
    result = ran(model, until=4.0)
    late = (0.5 * result.t[-1] - result["A"][-1]) / 0.5
    assert late == pytest.approx(2.0 / bandwidth, rel=1e-6)
    assert result["A"][0] == 0.0 and result["A.v"][0] == 0.0


def test_where_tracking_starts():
    model = pendulum(hs.Drive("motor", "A", position="input", tracking=20.0))
    inputs = {"motor.position": 1.0}
    by_coordinate = ran(model, start={"A": 0.5, "A.v": 0.2}, inputs=inputs)
    by_state = ran(model, start={"motor.tracked": 0.5, "motor.tracked.v": 0.2}, inputs=inputs)
    assert by_coordinate["A"][0] == 0.5 and by_coordinate["A.v"][0] == 0.2
    assert digest(by_coordinate) == digest(by_state)
    assert by_coordinate["A"][-1] == pytest.approx(1.0, abs=1e-8)
    with pytest.raises(hs.ModelError, match="with two values"):
        hs.simulate(model, until=1.0, start={"A": 0.5, "motor.tracked": 0.4}, inputs=inputs)
    with pytest.raises(hs.ModelError, match=r'did you mean "motor\.tracked"'):
        hs.simulate(model, until=1.0, start={"motor.trackd": 0.4}, inputs=inputs)


def test_files_keep_tracking_and_inputs(tmp_path):
    drives = [
        hs.Drive("one", "A", position="input", tracking="b"),
        hs.Drive("two", "B", velocity="0.3 * cos(t)"),
        hs.Drive("three", "C", acceleration="input"),
    ]
    rods = [hs.Rod(n, 0.3, 0.2) for n in "abc"]
    hinges = [
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Revolute("C", "b.end", "c", axis="y"),
    ]
    model = hs.Model(*rods, *hinges, *drives, parameters={"b": 30.0})
    path = tmp_path / "drives.yaml"
    hs.save(model, path)
    loaded = hs.load(path)
    assert [d for d in loaded.drives.values()] == drives
    inputs = {"one.position": ([0.0, 1.0], [0.0, 0.5]), "three.acceleration": lambda t: hs.sin(t)}
    assert digest(ran(model, inputs=inputs)) == digest(ran(loaded, inputs=inputs))


# what drives give ---------------------------------------------------------------------------------


def test_all_coordinates_driven_is_inverse_dynamics():
    arm = hs.Model(
        hs.Rod("a", 1.0, 1.0),
        hs.Rod("b", 0.7, 0.5),
        hs.Revolute("A", hs.WORLD, "a", axis="y", damping=0.3),
        hs.Revolute("B", "a.end", "b"),
        hs.Spring("s", hs.WORLD.at(0, 0, 1), "b.end", stiffness=20.0, damping=2.0, length=0.3),
        hs.Drive("da", "A", position=lambda t: hs.sin(t)),
        hs.Drive("db", "B", position=lambda t: 0.5 * t * t),
    )
    result = ran(arm)
    free = hs.Model(*(f for f in arm.facts if not isinstance(f, hs.Drive)))
    q, v, a = (np.stack([result[f"{n}{x}"] for n in "AB"], axis=1) for x in ("", ".v", ".a"))
    tau = hs.compile(hs.inverse_dynamics(free))(q, v, a)
    assert result["da.effort"] == pytest.approx(tau[:, 0], abs=1e-10)
    assert result["db.effort"] == pytest.approx(tau[:, 1], abs=1e-10)


def with_multipliers(model, result, driven):
    """The effort of the drive of one coordinate, by the equations with multipliers, in numbers."""
    facts = [f for f in model.facts if not isinstance(f, hs.Drive)]
    free = hs.Model(*facts, parameters=model.parameters, gravity=model.gravity)
    M_of, c_of, rows_of = (hs.compile(f(free)) for f in (hs.mass_matrix, hs.bias, hs.constraints))
    k = free.coordinates.index(driven)
    found = []
    for i in range(0, len(result.t), 10):
        q, v = (np.array([result[n][i] for n in x]) for x in (free.coordinates, free.speeds))
        M, c, rows = M_of(q), c_of(q, v), rows_of(q, v)
        n, m = len(v), len(rows.h)
        unit = np.eye(n)[[k]]
        J = np.vstack([rows.J, unit])
        K = np.block([[M, -J.T], [J, np.zeros((m + 1, m + 1))]])
        right = np.concatenate([-c, -rows.gamma, [result[f"{driven}.a"][i]]])
        found.append(np.linalg.lstsq(K, right, rcond=1e-12)[0][-1])
    return np.array(found)


@pytest.mark.parametrize("twice", [False, True])
def test_the_effort_on_a_loop(twice):
    """Also where the loop is closed twice, so that rows are redundant."""
    more = [hs.Revolute("C2", "coupler.end", "rocker.end", axis="y")] if twice else []
    model = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t), *more)
    result = ran(model)
    exact = with_multipliers(model, result, "A")
    scale = np.abs(exact).max()
    assert result["motor.effort"][::10] == pytest.approx(exact, abs=1e-9 * scale)
    # nobody else turns the crank: its hinge carries no moment about its axis but the drive's
    assert result["A.reaction"][:, 1] == pytest.approx(result["motor.effort"], abs=1e-9 * scale)
    # what it gives is what the energy gains
    fine = hs.simulate(model, until=2.0, every=0.001)
    power = fine["motor.effort"] * fine["A.v"]
    gained = np.concatenate([[0.0], np.cumsum(0.5e-3 * (power[1:] + power[:-1]))])
    assert fine["energy"] - fine["energy"][0] == pytest.approx(gained, abs=1e-4 * np.abs(power).max())


def test_the_motor_of_a_library_mechanism():
    model = library.slider_crank()
    model = hs.Model(model, hs.Drive("motor", "crank", position=lambda t: 0.5 + 3.0 * t))
    result = ran(model, start={"crank": 0.5})
    exact = with_multipliers(model, result, "crank")
    assert result["motor.effort"][::10] == pytest.approx(exact, abs=1e-9 * np.abs(exact).max())


def test_a_motor_not_at_the_crank():
    """A dependent coordinate of the undriven mechanism may be driven."""
    model = four_bar(hs.Drive("motor", "D", position=lambda t: -2.0 + 0.3 * hs.sin(2 * t)))
    result = ran(model)
    assert result["D"] == pytest.approx(-2.0 + 0.3 * np.sin(2 * result.t), abs=1e-13)
    exact = with_multipliers(model, result, "D")
    assert result["motor.effort"][::10] == pytest.approx(exact, abs=1e-9 * np.abs(exact).max())


def test_rows_that_move_with_time_give_power():
    piston = hs.Distance(
        "piston", hs.WORLD.at(0, 0, 2), "rod.end", length=lambda t: 2.0 + 0.3 * hs.sin(3 * t)
    )
    result = ran(pendulum(piston))
    x, z = np.cos(result["A"]), -np.sin(result["A"])
    assert np.hypot(x, z - 2.0) == pytest.approx(2.0 + 0.3 * np.sin(3 * result.t), abs=1e-12)
    assert np.ptp(result["energy"]) > 0.5  # and energy_drift is small: the work is known
    user = hs.Constraint("row", lambda s: s["A"] - hs.sin(s.t))
    result = ran(pendulum(user))
    assert result["A"] == pytest.approx(np.sin(result.t), abs=1e-12)
    assert np.ptp(result["energy"]) > 0.5


def test_a_drive_and_a_law_with_a_state():
    @hs.law
    def lag(q, v, x=hs.LawState(0.1)):
        return -3.0 * x, {"x": 5.0 * (q - x)}

    model = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + t), hs.JointForce("lag", "D", lag))
    result = ran(model, start={"lag.x": 0.4})
    assert result.success
    other = ran(model)
    assert abs(result["motor.effort"][0] - other["motor.effort"][0]) > 1e-3


def test_parts_of_quaternions_are_refused():
    body = hs.Body("b", 1.0, inertia=(1, 1, 1))
    for joint, name in (
        (hs.Ball("j", hs.WORLD, "b"), "j.qx"),
        (hs.Ball("j", hs.WORLD, "b"), "j"),
        (hs.Free("j", hs.WORLD, "b"), "j.x"),
    ):
        with pytest.raises(hs.ModelError, match=r'drive "d".*"j'):
            hs.simulate(hs.Model(body, joint, hs.Drive("d", name, position=0.1)), until=1.0)
