"""The biped: degrees of freedom, forces of the ground, centre of pressure, mirror image, a walk."""

from functools import cache

import numpy as np
import pytest

import hapsis as hs
from hapsis.library import gait
from hapsis.library.gait.ground_forces import INPUTS, JOINTS

WEIGHT = 70.0 * 9.81
FOOT = 0.152 * 1.75


@cache
def phase(name):
    return hs.library.biped(name)


@cache
def forces(name):
    return gait.ground_forces(phase(name))


@cache
def plan():
    return gait.preview(phase("single"))


def states(name, count=6, seed=0):
    """Random postures near the preview, with speeds that the rows allow, and accelerations so too."""
    random = np.random.default_rng(seed)
    rows = hs.compile(hs.constraints(phase(name)))
    for _ in range(count):
        q, v, _ = plan()(name, random.uniform(0, plan().duration(name)))
        q = q + 0.1 * random.normal(size=17)
        J = np.asarray(rows(q, np.zeros(17)).J)
        v = random.normal(size=17)
        v = v - np.linalg.pinv(J) @ (J @ v)
        a = 5 * random.normal(size=17)
        a = a - np.linalg.pinv(J) @ (J @ a + np.asarray(rows(q, v).gamma))
        yield q, v, a, random


def test_it_has_seven_bodies_seventeen_coordinates_and_the_mass_and_height_given():
    model = hs.library.biped("free", mass=50.0, height=1.6)
    assert len(model.bodies) == 7 and len(model.coordinates) == 17
    assert abs(sum(model.value(b.mass) for b in model.bodies.values()) - 50.0) < 1e-12
    top = hs.compile(hs.pose(model, "hat"))(model.zero).p[2] + 0.47 * 1.6
    assert abs(top - 1.6) < 1e-12


@pytest.mark.parametrize(("name", "freedom", "rows"), [("free", 17, 0), ("single", 10, 7), ("double", 7, 10)])
def test_degrees_of_freedom(name, freedom, rows):
    state = hs.assemble(phase(name))
    assert state.report.mobility == freedom and state.report.redundant == ()
    if rows:
        part = hs.partition(phase(name), state)
        assert len(part.rows) == rows and part.condition < 50
    if name == "single":
        assert set(part.independent) == set(INPUTS.values())  # those of the source


def test_start_stands_with_both_feet_flat():
    model = phase("free")
    q = hs.assemble(model).q
    for frame in ("foot_1", "foot_1.heel", "foot_2", "foot_2.heel"):
        assert abs(hs.compile(hs.pose(model, frame))(q).p[2]) < 1e-12


@pytest.mark.parametrize("name", ["single", "double"])
def test_reactions_are_the_multipliers_when_joints_give_their_torques(name):
    """Beside the model's own multipliers: those of rows that joints hold vanish, the others are the same."""
    dynamics = hs.compile(hs.forward_dynamics(phase(name)))
    feet = forces(name)
    for q, v, _, random in states(name):
        tau = 50 * random.normal(size=17)
        loads = feet(q, v, tau)
        a, lam = dynamics(q, v, loads.efforts)
        size = max(WEIGHT, np.abs(lam).max())
        assert np.abs(a - loads.a).max() < 1e-8 * max(1, np.abs(a).max())
        for reaction, multiplier in zip(feet.names, lam, strict=True):
            expected = 0.0 if reaction in JOINTS else loads.reactions[reaction]
            assert abs(multiplier - expected) < 1e-8 * size, reaction


@pytest.mark.parametrize("name", ["single", "double"])
def test_what_a_motion_needs_makes_that_motion(name):
    feet = forces(name)
    for q, v, a, random in states(name):
        push = (0, 0, 0) if name == "single" else 100 * random.normal(size=3)
        needed = feet.needed(q, v, a, push)
        tau = np.zeros(17)
        tau[list(feet.inputs.values())] = list(needed.inputs.values())
        again = feet(q, v, tau)
        assert np.abs(again.a - a).max() < 1e-7
        for reaction, x in again.reactions.items():
            assert abs(x - needed.reactions[reaction]) < 1e-7 * WEIGHT, reaction


def test_all_forces_come_from_the_ground():
    """The efforts on the first five coordinates are all external forces and moments at toe 1."""
    inverse = hs.compile(hs.inverse_dynamics(phase("free")))
    for q, v, a, _ in states("single"):
        loads = forces("single").needed(q, v, a)
        names = ("FxFoot1", "FyFoot1", "FzFoot1", "TxFoot1")
        external = np.array([*(loads.reactions[n] for n in names), loads.inputs["TyFoot1"]])
        expected = inverse(q, v, a)[:5]
        assert np.abs(external - expected).max() < 1e-8 * max(WEIGHT, np.abs(expected).max())


@pytest.mark.parametrize("name", ["single", "double"])
def test_vertical_forces_carry_the_weight_and_move_the_centre_of_mass(name):
    com = hs.compile(hs.center_of_mass(phase("free")))
    step, h = plan(), 1e-4
    for t in np.linspace(0.1, 0.9, 7) * step.duration(name):
        q, v, a = step(name, t)
        loads = forces(name).needed(q, v, a, (0, 0, 0) if name == "single" else (10, -5, 200))
        before, now, after = (np.asarray(com(step(name, t + d)[0])) for d in (-h, 0, h))
        acceleration = (before - 2 * now + after) / h**2
        for axis, gravity in (("x", 0.0), ("y", 0.0), ("z", 9.81)):
            total = sum(loads.reactions.get(f"F{axis}Foot{k}", 0.0) for k in (1, 2))
            assert abs(total - 70.0 * (gravity + acceleration["xyz".index(axis)])) < 1e-2


@pytest.mark.parametrize("name", ["single", "double"])
def test_at_rest_the_centre_of_pressure_is_below_the_centre_of_mass(name):
    com = hs.compile(hs.center_of_mass(phase("free")))
    for q, _, _, random in states(name):
        q[3] = 0.0  # foot 1 does not roll
        push = (0, 0, 0) if name == "single" else (20, 10, 300 * random.uniform())
        heel = np.asarray(hs.compile(hs.pose(phase(name), "foot_2.heel"))(q).p)
        toe = np.asarray(hs.compile(hs.pose(phase(name), "foot_1"))(q).p)
        loads = forces(name).needed(q, np.zeros(17), np.zeros(17), push)
        # forces along the ground have a lever where the feet are not at the same height
        high = (heel - toe)[2] / WEIGHT * np.array([push[0], push[1]])
        assert np.allclose(loads.cop, np.asarray(com(q))[:2] + high, rtol=0, atol=1e-9)


def test_in_quiet_standing_the_ankle_keeps_the_pressure_inside_the_foot():
    model = phase("double")
    q, still = hs.assemble(model).q, np.zeros(17)
    loads = forces("double").needed(q, still, still, (0, 0, WEIGHT / 2))
    toe, heel = (hs.compile(hs.pose(model, frame))(q).p[0] for frame in ("foot_1", "foot_1.heel"))
    assert heel < loads.cop[0] < toe and abs(loads.cop[1]) < 1e-9
    assert abs(loads.lift(1) - WEIGHT / 2) < 1e-9 and loads.slip(1, 0.5) > 0
    again = forces("double")(q, still, loads.efforts - _joint_torques(loads))
    assert np.abs(again.a).max() < 1e-9


def _joint_torques(loads):
    slots = {name.removesuffix(".v"): k for k, name in enumerate(phase("double").speeds)}
    torques = np.zeros(17)
    for name, coordinate in JOINTS.items():
        torques[slots[coordinate]] = loads.reactions[name]
    return torques


@pytest.mark.parametrize("name", ["single", "double"])
def test_sensitivity_of_reactions_to_torques(name):
    feet, dynamics = forces(name), hs.compile(hs.forward_dynamics(phase(name)))
    for q, v, _, random in states(name, 3):
        S, tau = feet.sensitivity(q, v), 30 * random.normal(size=17)
        assert S.shape == (len(feet.names), 10)
        for column, slot in enumerate(feet.inputs.values()):
            ahead, behind = tau.copy(), tau.copy()
            ahead[slot] += 10.0
            behind[slot] -= 10.0
            rates = [
                (feet(q, v, ahead).reactions[n] - feet(q, v, behind).reactions[n]) / 20.0 for n in feet.names
            ]
            assert np.allclose(S[:, column], rates, rtol=0, atol=1e-8 * max(1, np.abs(S).max()))
        plain = dynamics(q, v, feet(q, v, tau).efforts).lam  # a second way to the value itself
        held = [k for k, n in enumerate(feet.names) if n not in JOINTS]
        assert np.allclose([feet(q, v, tau).reactions[feet.names[k]] for k in held], plain[held], atol=1e-6)


def test_the_complementarity_form_agrees_with_single_stance():
    free, single = phase("free"), phase("single")
    rows = [fact for name, fact in single.constraints.items() if name != "toe_1"]
    feet = hs.complementarity(free + rows, ["foot_1"], friction=0.8)
    for t in np.linspace(0.02, 0.58, 8):
        q, v, a = plan()("single", t)
        loads = forces("single").needed(q, v, a)
        solution = feet(q, v, loads.efforts)
        assert solution.states == {"foot_1": "stick"}
        assert np.abs(solution.a - a).max() < 1e-8
        expected = [loads.reactions[f"F{axis}Foot1"] for axis in "xyz"]
        assert np.allclose(solution.feet["foot_1"].force, expected, rtol=0, atol=1e-6)


SIGNS = {"Ty": -1, "Rx": -1, "Rz": -1}  # of coordinates in a mirror across y


def test_the_other_mode_is_the_mirror_image():
    right, left = hs.library.biped("single"), hs.library.biped("single", mode=-1)
    signs = np.array([SIGNS.get(name.rpartition(".")[2], 1) for name in right.coordinates])
    q, v, _ = plan()("single", 0.1)
    runs = []
    for model, sign in ((right, np.ones(17)), (left, signs)):
        values = zip((*model.coordinates, *model.speeds), [*(sign * q), *(sign * v)], strict=True)
        runs.append(hs.simulate(model, 0.2, hs.State(model.coordinates, model.speeds, sign * q, sign * v)))
        assert dict(values)
    for name, sign in zip(right.coordinates, signs, strict=True):
        assert abs(runs[0][name][-1] - sign * runs[1][name][-1]) < 1e-7, name
    loads = [gait.ground_forces(m)(s * q, s * v, s * np.arange(17)) for m, s in ((right, 1), (left, signs))]
    assert abs(loads[0].cop[1] + loads[1].cop[1]) < 1e-9 and abs(loads[0].cop[0] - loads[1].cop[0]) < 1e-9


@pytest.mark.parametrize(
    "numbers",
    [{}, {"step": 0.2, "single": 0.8}, {"strike": -0.05, "rise": 0.1, "clearance": 0.05}],
    ids=range(3),
)
def test_a_preview_keeps_the_rows_and_lands_on_the_heel(numbers):
    step = gait.preview(phase("single"), **numbers)
    heel, toe = (hs.compile(hs.pose(phase("free"), f)) for f in ("foot_2.heel", "foot_2"))
    for name in ("single", "double"):
        rows = hs.compile(hs.constraints(phase(name)))
        for t in np.linspace(0, step.duration(name), 9):
            q, v, a = step(name, t)
            J, gamma = rows(q, v).J, rows(q, v).gamma
            assert np.abs(J @ v).max() < 1e-10 and np.abs(J @ a + gamma).max() < 1e-9
            d = 1e-5
            rate = (step(name, t + d)[0] - step(name, t - d)[0]) / (2 * d)
            assert np.abs(rate - v).max() < 1e-6
            if name == "single" and 0.2 < t / step.duration(name) < 1:
                assert heel(q).p[2] > 0 and toe(q).p[2] > 0
    last, first = step("single", step.duration("single"))[0], step("double", 0.0)[0]
    assert np.abs(last - first).max() < 1e-12 and abs(heel(last).p[2]) < 1e-12 < toe(last).p[2]


@cache
def walk():
    biped = gait.walking_biped()
    return hs.simulate(biped, until=2.5, start=biped.pose("start"), tolerance=1e-7, every=0.005)


def test_it_walks_and_its_feet_push_and_do_not_slip():
    result = walk()
    assert result.success, result.message
    assert [event.name for event in result.events] == ["heel strike", "toe off"] * 3
    assert all(event.loss >= -1e-9 for event in result.events)
    signals, double = gait.foot_signals(result), result["phase"] == 1
    assert np.nanmin(result["foot_1.grip"]) > 0 and np.nanmin(result["foot_2.heel.grip"]) > 0
    for push, name, rows in (
        ("foot_1.push", "FzFoot1", slice(None)),
        ("foot_2.heel.push", "FzFoot2", double),
    ):
        assert np.allclose(result[push][rows], signals[name][rows], rtol=0, atol=1e-8 * WEIGHT)
    assert signals["FzFoot1"].min() > 0 and signals["FzFoot2"][double].min() > 0
    for foot, rows in (("1", slice(None)), ("2", double)):
        along = np.maximum(np.abs(signals[f"FxFoot{foot}"][rows]), np.abs(signals[f"FyFoot{foot}"][rows]))
        assert (along < 0.8 * signals[f"FzFoot{foot}"][rows]).all()
    inside = (signals["CoPx"] - result["foot_1.x"])[~double]
    assert inside.min() > -FOOT and inside.max() < 0
    # in double stance between toe 1 and heel 2, or at its end, where foot 2 is nearly flat, on its sole
    ahead = (signals["CoPx"] - result["foot_1.x"])[double]
    assert ahead.min() > 0.0
    late = (signals["CoPx"] - result["foot_2.heel.x"])[double]
    assert late.max() < 0.1 * (result["foot_1.x"] - result["foot_1.heel.x"])[~double].max()
    across = (signals["CoPy"] - result["foot_1.y"])[~double]
    assert np.abs(across).max() < 0.025 * 1.75  # half the width of the foot
    assert abs(result["foot_1.Tx"][-1] - 3 * 0.35) < 0.01
    assert np.abs(result["hat.z"] - 0.5 * 1.75).max() < 0.01


def test_what_is_wrong_is_one_line():
    for call, message in (
        (lambda: hs.library.biped("triple"), "no phase"),
        (lambda: hs.library.biped(mode=2), "1 or -1"),
        (lambda: gait.ground_forces(phase("free")), "no biped"),
        (lambda: gait.preview(phase("single"), step=1.5), "too short"),
        (lambda: gait.preview(phase("single"), strike=0.1), "no step"),
        (lambda: forces("single")([1, 2]), "17 numbers"),
        (lambda: forces("single")("x"), 'q is "x"; expected 17 numbers'),
        (lambda: forces("single")(np.zeros(17), efforts=np.full(17, np.nan)), "efforts is not finite"),
        (lambda: forces("single")(np.zeros(17), efforts={"TyFoot3": 1.0}), 'there is no input "TyFoot3"'),
        (
            lambda: forces("double").needed(*np.zeros((3, 17)), foot2=3),
            r"foot2 has the shape \(\); expected 3 numbers",
        ),
        (lambda: forces("single")(np.zeros(17)).lift(3), "there is no foot 3"),
        (lambda: forces("single")(np.zeros(17)).slip(1, -1.0), "friction is -1"),
    ):
        with pytest.raises(hs.Error, match=message) as problem:
            call()
        assert len(str(problem.value).splitlines()) == 1


@pytest.mark.parametrize("size", [{"mass": 0.0}, {"height": -1.0}, {"mass": float("nan")}])
def test_a_body_without_mass_or_height_is_refused(size):
    with pytest.raises(hs.ModelError, match=f"the {next(iter(size))} of a biped"):
        hs.library.biped(**size)
