"""A mechanism in a hand: the slider-crank of the cases, what cannot be held, singular poses, arms, loops."""

import numpy as np
import pytest
from grasp_laws import mechanisms
from grasp_laws.mechanisms import SIX, seven_joints, two_links

import hapsis as hs

R, L = 0.1, 0.3
SLIDERS = {30: 0.3824065295, 60: 0.3372281323, 90: 0.2828427125, 120: 0.2372281323}


def on_circle(angle):
    """Where the crank pin is."""
    return {"hand.Tx.position": R * np.cos(angle), "hand.Tz.position": R * np.sin(angle)}


def called(step):
    """(q, inputs) -> outputs by name."""
    tick = hs.compile(step)
    return lambda **given: step.outputs_by_name(tick(**given))


@pytest.mark.parametrize("degrees", SLIDERS)
def test_the_slider_stands_where_it_must(degrees):
    step = hs.haptics.grasp(*mechanisms.slider_crank()[:2], 1e-4, kind="point", iterations=4)
    tick, q = called(step), step.inputs[0].stand_in
    for angle in np.radians(np.arange(30, degrees + 1, 5)):
        out = tick(q=q, **on_circle(angle))
        q = out["q"]
    assert abs(out["slider"] - SLIDERS[degrees]) < 1e-9
    assert (
        abs(out["crank"] - np.radians(degrees)) < 1e-11
    )  # the push that leaves dead points moves it so much


def test_the_crank_feels_the_inertia_of_the_slider():
    """(I + m x'²) θ̈ + m x' x'' θ̇² with a massless coupler, where the hand gives θ, θ̇ and θ̈ of a circle."""
    model = hs.Model(hs.library.slider_crank(coupler_mass=0.0), gravity=(0, 0, 0))
    step = hs.haptics.grasp(model, "crank.end", 1e-4, kind="point", measured="acceleration", max_force=1e6)
    tick, random = called(step), np.random.default_rng(3)
    for _ in range(20):
        th, dth, ddth = 0.5236 + random.normal() * 0.2, 5 * random.normal(), 50 * random.normal()
        s, c = np.sin(th), np.cos(th)
        given = on_circle(th) | {
            "hand.Tx.velocity": -R * s * dth, "hand.Tz.velocity": R * c * dth,
            "hand.Tx.acceleration": -R * (s * ddth + c * dth**2),
            "hand.Tz.acceleration": R * (c * ddth - s * dth**2),
        }  # fmt: skip
        q = tick(**given)["q"]
        out = tick(q=q, **given)
        root = np.sqrt(L**2 - R**2 * s**2)
        x1 = -R * s - R**2 * s * c / root
        x2 = -R * c - R**2 * (c**2 - s**2) / root - R**4 * s**2 * c**2 / root**3
        wanted = (0.2 * R**2 / 3 + 0.5 * x1**2) * ddth + 0.5 * x1 * x2 * dth**2
        felt = R * (c * out["dynamic.fz"] - s * out["dynamic.fx"])
        assert abs(felt - wanted) < 1e-9 * max(1.0, abs(wanted))
        assert abs(out["slider"] - (R * c + root)) < 1e-11


def test_a_point_grasp_feels_no_moment_and_a_full_one_does():
    for kind, moment in (("point", False), ("full", True)):
        step = hs.haptics.grasp(*mechanisms.four_bar()[:2], 1e-4, kind=kind)
        turned = {"hand.Ry.position": 0.1} if kind == "full" else {}
        off = {name: step_in(step, name) + 0.01 for name in ("hand.Tx.position", "hand.Ty.position")}
        out = called(step)(**off, **turned)
        assert (abs(out["wrench.my"]) > 1e-3) == moment
        assert out["constraint.fy"] == pytest.approx(1000.0 * 0.01)  # across the plane all is violation


def step_in(step, name):
    """The stand-in of an input."""
    return {port.name: port.stand_in for port in step.inputs}[name]


def test_what_flops_is_named():
    arm = hs.Model(
        hs.Rod("upper", length=0.5, mass=1.0), hs.Rod("lower", length=0.3, mass=1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        poses={"start": {"elbow": 0.7}},
    )  # fmt: skip
    report = hs.haptics.grasp_report(arm, "upper.end")
    assert (report.rank, report.speeds, report.free, report.prescribed) == (1, 2, ("elbow",), False)
    with pytest.raises(hs.ModelError, match="does not prescribe elbow at the start: rank 1 of 2"):
        hs.haptics.grasp(arm, "upper.end", 1e-3, coupling="rigid")
    assert hs.haptics.grasp_report(arm, "lower.end", "point").prescribed
    stretched = hs.haptics.grasp_report(arm, "lower.end", "point", start={"elbow": 0.0})
    assert stretched.rank == 1 and set(stretched.free) == {"shoulder", "elbow"}


def test_a_start_near_a_singular_pose_is_refused():
    """Also where one lever is very short; a length of its size makes it regular, and forces are right."""
    arm = hs.Model(
        hs.Rod("upper", length=1.0, mass=1.0),
        hs.Rod("lower", length=0.005, mass=0.01),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        poses={"start": {"elbow": 1.5}},
    )
    with pytest.raises(hs.ModelError, match="nearly singular at the start: regularity 2"):
        hs.haptics.grasp(arm, "lower.end", 1e-3, kind="point")
    step = hs.haptics.grasp(arm, "lower.end", 1e-3, kind="point", length=0.005, max_force=1e6)
    out, q = called(step)(), step.inputs[0].stand_in
    J = hs.compile(hs.jacobian(arm, "lower.end"))(q)
    tau = hs.compile(hs.inverse_dynamics(arm))(q, np.zeros(2), np.zeros(2))
    np.testing.assert_allclose(J[3:].T @ [out[f"dynamic.{name}"] for name in SIX[3:]], tau, rtol=1e-9)


def test_mistakes_are_told():
    model, frame = mechanisms.crank()[:2]
    for message, given in {
        "kind": {"kind": "pinch"},
        "6 directions": {"weights": (1, 1, 1)},
        "stiffness": {"stiffness": -1},
        "iterations": {"iterations": 0},
        "measure": {"measured": "force"},
        "no arm": {"arm_frame": "x"},
        "no joint": {"reactions": ["nobody"]},
        "coupling": {"coupling": "glue"},
        "with a spring": {"coupling": "spring", "measured": "acceleration"},
    }.items():
        with pytest.raises(hs.Error, match=message):
            hs.haptics.grasp(model, frame, 1e-3, **given)
    with pytest.raises(hs.ModelError, match="have states"):
        hs.haptics.grasp(model + hs.Friction("grease", "turn", 0.1), frame, 1e-3, coupling="rigid")
    driven = model + hs.Drive("motor", "turn", velocity=1.0)
    with pytest.raises(hs.ModelError, match="drives the mechanism"):
        hs.haptics.grasp(driven, frame, 1e-3)


NAMED = {"rigid": {}, "spring": {"coupling": "spring"}, "admittance": {"causality": "admittance"}}


@pytest.mark.parametrize("how", NAMED)
@pytest.mark.parametrize("name", ["share", "gap", "wrench.fx", "q", "t"])
def test_names_that_a_grasp_gives_out_are_refused(how, name):
    """No output hides another one."""
    try:
        model = hs.Model(
            hs.Rod("crank", length=0.1, mass=0.2),
            hs.Revolute(name, hs.WORLD, "crank", axis="-y"),
            poses={"start": {name: 0.9}},
        )
        with pytest.raises(hs.Error, match=name):
            hs.haptics.grasp(model, "crank.end", 1e-3, kind="point", **NAMED[how])
    except hs.ModelError as error:
        assert name in str(error)


@pytest.mark.parametrize("how", ["rigid", "spring"])
@pytest.mark.parametrize("reactions", ["turn", ["turn"], ["turn", "turn"]])
def test_the_bearing_of_an_open_chain(how, reactions):
    """It carries the weight and what the hand does; a name alone is one joint."""
    model, frame = mechanisms.crank()[:2]
    step = hs.haptics.grasp(
        model, frame, 1e-3, kind="point", start={"turn": 0.9}, reactions=reactions, damping=0.0, **NAMED[how]
    )
    out = called(step)()
    if how == "rigid":
        weight = 0.2 * 9.81
        assert out["turn.reaction.fz"] + out["wrench.fz"] == pytest.approx(weight, rel=1e-9)
        assert out["turn.reaction.fx"] + out["wrench.fx"] == pytest.approx(0.0, abs=1e-9)
    assert np.isfinite(out["turn.reaction.fz"]) and abs(out["turn.reaction.my"]) < 1e-10


def test_what_is_no_frame_or_hand_is_told():
    model, frame = mechanisms.crank()[:2]
    for message, given in {
        "length is 1e": {"length": 1e300},
        "no joint of the mechanism moves": {"frame": "world"},
        "the frame to hold is": {"frame": hs.WORLD.at(1, 0, 0)},
        "a hand is called a": {"frame": {3: frame}},
        'has "crank", and the hand would be called so': {"frame": {"crank": frame}},
    }.items():
        with pytest.raises(hs.Error, match=message):
            hs.haptics.grasp(model, **({"frame": frame, "dt": 1e-3, "kind": "point"} | given))


def test_a_spring_that_is_too_stiff_for_the_mechanism_is_told():
    light = hs.Model(hs.Rod("r", 0.1, 1e-9), hs.Revolute("turn", hs.WORLD, "r", axis="y"), gravity=(0, 0, 0))
    with pytest.raises(hs.SolveError, match=r"substeps.*; take a shorter dt, or less stiffness and damping"):
        hs.haptics.grasp(light, "r.end", 1e-3, kind="point", coupling="spring")


def test_through_a_dead_point_the_force_is_bounded_and_told():
    """The slider is pulled beyond where the crank is stretched, and comes back."""
    model = hs.library.slider_crank(angle=0.5)
    step = hs.haptics.grasp(model, "slider", 1e-3, kind="point", max_force=20.0)
    tick, state, least, shares = called(step), {}, np.inf, []
    first = step_in(step, "hand.Tx.position")
    for k in range(600):
        x = first + 0.04 * np.sin(
            np.pi * min(k, 400) / 400
        )  # to 0.42 m and back; the mechanism ends at 0.4 m
        out = tick(**state, **{"hand.Tx.position": x})
        state = {name: out[name] for name in ("q", "z", "t")}
        force = np.linalg.norm([out[f"wrench.{name}"] for name in SIX[3:]])
        assert np.isfinite(out["q"]).all() and force <= 20.0 * (1 + 1e-12) and out["gap"] < 1e-4
        least = min(least, out["regularity"])
        shares.append(out["share"])
        if k == 200:
            assert abs(out["crank"]) < 1e-6 and out["violation.x"] == pytest.approx(x - 0.4, rel=1e-6)
    assert least < 1e-4 and min(shares) < 1.0 and shares[-1] == 1.0
    assert abs(out["slider"] - x) < 1e-9  # it has left the dead point


@pytest.mark.parametrize("device", [two_links, seven_joints])
@pytest.mark.parametrize("name", ["slider_crank", "four_bar"])
def test_the_motors_of_an_arm_reflect_the_wrench_and_hold_its_weight(device, name):
    """Virtual work, by differences of the pose and of the potential energy of the arm."""
    model, frame, kind, _ = mechanisms.ALL[name]()
    arm, handle = device()
    kind = "point" if device is two_links else kind
    step = hs.haptics.grasp(model, frame, 1e-3, kind=kind, arm=arm, arm_frame=handle)
    place, weight = hs.compile(hs.pose(arm, handle)), hs.compile(hs.energy(arm))
    x = np.array([step_in(step, f"{joint}.position") for joint in arm.coordinates])
    np.testing.assert_allclose(
        place(x).p, hs.compile(hs.pose(model, frame))(step.inputs[0].stand_in).p, atol=1e-8
    )
    x = x + 0.01 * np.random.default_rng(5).normal(size=len(x))
    out = called(step)(
        **{f"{joint}.position": value for joint, value in zip(arm.coordinates, x, strict=True)}
    )
    wrench, still = np.array([out[f"wrench.{axis}"] for axis in SIX]), np.zeros(len(x))
    for k, joint in enumerate(arm.coordinates):
        h = 1e-6 * np.eye(len(x))[k]
        (p1, R1), (p0, R0) = place(x + h), place(x - h)
        turn = (R1 @ R0.T - R0 @ R1.T) / 2
        work = np.dot(wrench[:3], (turn[2, 1], turn[0, 2], turn[1, 0])) + np.dot(wrench[3:], p1 - p0)
        rise = weight(x + h, still).potential - weight(x - h, still).potential
        assert abs(2e-6 * out[f"{joint}.effort"] - (rise - work)) < 2e-6 * 1e-6 * (1 + np.abs(wrench).max())


@pytest.mark.parametrize("coupling", ["rigid", "spring"])
def test_a_device_weighs_on_earth_whatever_it_holds(coupling):
    """A mechanism on the moon: the motors hold their own weight in ours, also when its gravity is live."""
    arm, handle = two_links()
    moon = hs.Model(mechanisms.crank().model, gravity=(0, 0, -1.62))
    options = {"kind": "point", "arm": arm, "arm_frame": handle, "coupling": coupling}
    step = hs.haptics.grasp(moon, "crank.end", 1e-3, **options)
    x = np.array([step_in(step, f"{joint}.position") for joint in arm.coordinates])
    own = hs.compile(hs.inverse_dynamics(arm))(x, 0 * x, 0 * x)
    J = hs.compile(hs.jacobian(arm, handle))(x)
    tick = hs.compile(step)
    for given in ({}, {"gravity.z": 0.0}):
        out = step.outputs_by_name(tick(p=given))
        wrench = np.array([out[f"wrench.{axis}"] for axis in SIX])
        efforts = [out[f"{joint}.effort"] for joint in arm.coordinates]
        np.testing.assert_allclose(efforts, own - J.T @ wrench, rtol=0, atol=1e-9)
    assert step.parameters["arm.gravity.z"] == -9.81 and step.parameters["gravity.z"] == -1.62
    named = hs.Model(arm, parameters={"L": 1.0})
    with pytest.raises(hs.ModelError, match='both have the parameter "L"'):
        hs.haptics.grasp(hs.Model(moon, parameters={"L": 2.0}), "crank.end", 1e-3, **options | {"arm": named})


def test_estimated_rates_approach_those_given():
    """A slow motion of the hand along a circle, felt from positions alone and with all rates."""
    model, frame = mechanisms.slider_crank()[:2]
    results = []
    for measured in ("position", "velocity", "acceleration"):
        step = hs.haptics.grasp(model, frame, 1e-4, kind="point", measured=measured, frequency=200.0)
        tick, state = called(step), {}
        for k in range(2000):
            t, w = 1e-4 * k, 6.0
            th, dth, ddth = (
                0.5236 + 0.2 * np.sin(w * t) ** 2,
                0.2 * w * np.sin(2 * w * t),
                0.4 * w**2 * np.cos(2 * w * t),
            )
            s, c = np.sin(th), np.cos(th)
            rates = {"hand.Tx.velocity": -R * s * dth, "hand.Tz.velocity": R * c * dth}
            more = {
                "hand.Tx.acceleration": -R * (s * ddth + c * dth**2),
                "hand.Tz.acceleration": R * (c * ddth - s * dth**2),
            }
            given = on_circle(th) | (rates if measured != "position" else {})
            out = tick(**state, **given, **(more if measured == "acceleration" else {}))
            state = {name: out[name] for name in ("q", "z", "t") if name in out}
        results.append([out["crank.v"], out["crank.a"], out["dynamic.fz"]])
    np.testing.assert_allclose(results[0], results[2], rtol=0.05)
    np.testing.assert_allclose(results[1], results[2], rtol=0.02)
