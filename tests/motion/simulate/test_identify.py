"""Parameters from recorded motions: as good as their errors say, and honest about the rest."""

import math
from functools import cache

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.identification.parameter_search import judged
from hapsis.motion.simulate.identify import identify

NAMES = ("upper.mass", "upper.com.x", "lower.mass", "lower.com.x", "lower.inertia.yy", "elbow.damping")


def arm(**changed):
    """An arm of two links in a vertical plane."""
    values = {
        "upper.mass": 2.0,
        "upper.com.x": 0.2,
        "upper.com.z": 0.01,
        "lower.mass": 1.0,
        "lower.com.x": 0.15,
        "lower.inertia.yy": 0.01,
        "elbow.damping": 0.05,
        **changed,
    }
    return hs.Model(
        hs.Body(
            "upper",
            mass=values["upper.mass"],
            com=(values["upper.com.x"], 0, 0.01),
            inertia=(0.02, 0.03, 0.03),
            frames={"end": (0.4, 0, 0)},
        ),
        hs.Body(
            "lower",
            mass=values["lower.mass"],
            com=(values["lower.com.x"], 0, 0.02),
            inertia=(0.008, values["lower.inertia.yy"], 0.01),
        ),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", damping=0.1),
        hs.Revolute("elbow", "upper.end", "lower", axis="y", damping=values["elbow.damping"]),
    )


WRONG = {
    "upper.mass": 1.2,
    "upper.com.x": 0.3,
    "lower.mass": 1.7,
    "lower.com.x": 0.1,
    "lower.inertia.yy": 0.02,
    "elbow.damping": 0.2,
}
TRUE = {
    "upper.mass": 2.0,
    "upper.com.x": 0.2,
    "lower.mass": 1.0,
    "lower.com.x": 0.15,
    "lower.inertia.yy": 0.01,
    "elbow.damping": 0.05,
}
# of the upper link only one combination shows: its mass is known here
ASKED = [name for name in NAMES if name != "upper.mass"]
START = {name: WRONG[name] for name in ASKED}


@cache
def excited(rows=120):
    """Exact states and efforts of a lively motion."""
    t = np.linspace(0, 6, rows)
    table = {"t": t}
    waves = {"shoulder": ((1.0, 1.3), (0.4, 3.1)), "elbow": ((0.8, 2.1), (0.3, 4.7))}
    for name, parts in waves.items():
        table[name] = sum(a * np.sin(w * t) for a, w in parts)
        table[f"{name}.v"] = sum(a * w * np.cos(w * t) for a, w in parts)
        table[f"{name}.a"] = sum(-a * w * w * np.sin(w * t) for a, w in parts)
    q, v, a = (np.stack([table[f"{n}{end}"] for n in waves], 1) for end in ("", ".v", ".a"))
    tau = hs.compile(hs.inverse_dynamics(arm()))(q, v, a)
    return table, tau


def recorded(seed, noise=(0.05, 0.05)):
    table, tau = excited()
    draw = np.random.default_rng(seed)
    noisy = tau + draw.normal(size=tau.shape) * noise
    return {**table, "shoulder.effort": noisy[:, 0], "elbow.effort": noisy[:, 1]}


def errors_over(seeds, noise):
    """For each recording the errors in standard errors, and their chi-square."""
    standard, squares = [], []
    for seed in seeds:
        found = identify(arm(), recorded(seed, (noise, noise)), START, noise=noise)
        error = np.array([found[name] - TRUE[name] for name in ASKED])
        standard.append(error / [found.errors[name] for name in ASKED])
        squares.append(error @ np.linalg.solve(found.covariance, error))
    return np.array(standard), sum(squares)


@pytest.mark.slow
def test_masses_from_torques_are_as_good_as_their_errors_say():
    """Over 200 recordings: each error has the variance it should, and all together chi-square.

    The covariance is that of small errors: with ten times the noise, products of masses and
    centres bend the region of what is likely, and chi-square is a fifth too large.
    """
    standard, square = errors_over(range(200), 0.005)
    freedoms = standard.size
    assert abs(square - freedoms) < 4 * math.sqrt(2 * freedoms)
    assert np.abs(standard.var(axis=0) - 1).max() < 4 * math.sqrt(2 / 200)
    assert np.abs(standard.mean(axis=0)).max() < 4 / math.sqrt(200)
    assert 0.93 < (np.abs(standard) < 2).mean() < 0.975


@pytest.mark.slow
def test_large_noise_leaves_each_error_right():
    """A tenth of some efforts; centres and inertias uncertain by 5 %."""
    standard, _ = errors_over(range(100), 0.05)
    assert np.abs(standard.var(axis=0) - 1).max() < 4 * math.sqrt(2 / 100)
    assert 0.92 < (np.abs(standard) < 2).mean() < 0.98


def test_noise_is_found_from_residuals_column_by_column():
    found = identify(arm(), recorded(3, noise=(0.2, 0.01)), START)
    assert found.noise["shoulder.effort"] == pytest.approx(0.2, rel=0.2)
    assert found.noise["elbow.effort"] == pytest.approx(0.01, rel=0.2)
    # as good as with the true weights, and better than with equal ones
    true = identify(
        arm(), recorded(3, noise=(0.2, 0.01)), START, noise={"shoulder.effort": 0.2, "elbow.effort": 0.01}
    )
    for name in ASKED:
        assert abs(found[name] - true[name]) < 0.5 * true.errors[name]
    assert found.residual["elbow.effort"].std() == pytest.approx(0.01, rel=0.2)


def test_without_noise_it_is_exact_and_quick():
    table, tau = excited()
    data = {**table, "shoulder.effort": tau[:, 0], "elbow.effort": tau[:, 1]}
    found = identify(arm(), data, {"lower.mass": 3.0, "elbow.damping": 1.0}, noise=0.01)
    assert found["lower.mass"] == pytest.approx(1.0, abs=1e-7)
    assert found["elbow.damping"] == pytest.approx(0.05, abs=1e-7)
    assert found.iterations < 12
    assert found.model == arm(**found.values)
    assert found.result is None and not found.unclear


def test_what_cannot_be_told_apart_is_said_in_words():
    found = identify(arm(), recorded(1), ["upper.mass", "upper.com.x", "lower.mass", "lower.com.x"])
    # the shoulder feels both through m c and I + m c²: only another inertia would hide one
    assert found.condition < 1e4
    found = identify(
        arm(), recorded(1), ["upper.inertia.yy", "upper.mass", "upper.com.x", "lower.mass", "upper.com.z"]
    )
    assert len(found.unclear) == 1
    members = ("upper.inertia.yy", "upper.mass", "upper.com.x", "upper.com.z")
    assert all(f'"{name}"' in found.unclear[0] for name in members)
    assert math.isinf(found.errors["upper.mass"]) and math.isfinite(found.errors["lower.mass"])
    assert "together, not apart" in str(found)


def test_judging_slopes():
    draw = np.random.default_rng(0)
    a, b, c = draw.normal(size=(3, 50))
    J = np.stack([a, b, 0 * a, a + b, c], 1)
    covariance, errors, _, unclear = judged(J, ("a", "b", "zero", "sum", "c"))
    assert unclear == (
        'the data tell "a", "b", "sum" together, not apart',
        'nothing in the data depends on "zero"',
    )
    assert np.isinf(errors[:4]).all() and np.isfinite(errors[4])
    plain = np.linalg.inv(np.stack([a, b, c], 1).T @ np.stack([a, b, c], 1))
    assert np.allclose(judged(np.stack([a, b, c], 1), "abc")[0], plain)
    assert covariance.shape == (5, 5)


def pendulum(damping=0.1, L=0.8):
    return hs.Model(
        hs.Body("bob", mass=1.0, com=("L", 0, 0)),
        hs.Revolute("hinge", hs.WORLD, "bob", axis="y", damping=damping),
        parameters={"L": L},
    )


@cache
def swing():
    return hs.simulate(pendulum(), 4.0, {"hinge": 0.3}, every=0.05, tolerance=1e-11)


@pytest.mark.slow
def test_damping_and_length_from_angles_are_as_good_as_their_errors_say():
    """Over 40 recordings, the start of the swing unknown too."""
    true = {"hinge.damping": 0.1, "L": 0.8, "hinge": 0.3}
    squares, inside = [], []
    for seed in range(40):
        angles = swing()["hinge"] + np.random.default_rng(seed).normal(scale=0.01, size=81)
        data = {"t": swing().t, "hinge": angles}
        found = identify(
            pendulum(0.3, 0.9), data, ("hinge.damping", "L", "hinge"), start={"hinge": 0.25}, noise=0.01
        )
        error = np.array([found[name] - true[name] for name in true])
        squares.append(error @ np.linalg.solve(found.covariance, error))
        inside.append(np.abs(error) < 2 * np.array([found.errors[n] for n in true]))
    assert abs(sum(squares) - 120) < 4 * math.sqrt(240)
    assert 0.88 < np.mean(inside) <= 1.0


def test_a_file_a_result_and_a_table_say_the_same(tmp_path):
    paths = [swing().save(tmp_path / name) for name in ("swing.csv", "swing.npz")]
    sources = [swing(), *paths, {"t": swing().t, "hinge": swing()["hinge"]}]
    for source in sources:
        found = identify(
            pendulum(0.2, 0.9), source, ["hinge.damping", "L"], start={"hinge": 0.3}, noise=1e-3, fit="motion"
        )
        assert found["L"] == pytest.approx(0.8, abs=1e-7)
        assert found.model is not None and found.model.parameters["L"] == found["L"]
        assert found.model.joints["hinge"].damping == found["hinge.damping"]
        assert found.result is not None and found.result.success
        assert np.abs(found.residual["hinge"]).max() < 1e-6


def test_efforts_in_the_data_drive_the_motion():
    model = arm()
    t = np.linspace(0, 2, 101)
    drive = {"shoulder": (t, 8 + np.sin(4 * t)), "elbow": (t, np.cos(3 * t))}
    run = hs.simulate(model, 2.0, inputs=drive, every=0.02, tolerance=1e-10)
    data = {
        "t": run.t,
        "shoulder": run["shoulder"],
        "elbow.v": run["elbow.v"],
        "shoulder.effort": drive["shoulder"][1],
        "elbow.effort": drive["elbow"][1],
    }
    found = identify(model, data, {"lower.mass": 1.3, "elbow.damping": 0.1}, noise=1e-3)
    assert found["lower.mass"] == pytest.approx(1.0, abs=1e-6)
    assert found["elbow.damping"] == pytest.approx(0.05, abs=1e-6)
    assert set(found.residual) == {"shoulder", "elbow.v"}


def test_a_contact_from_its_bounces():
    def ball(stiffness, damping):
        return hs.Model(
            hs.Body("ball", mass=1.0),
            hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
            hs.Contact(
                "tip", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(stiffness=stiffness, damping=damping)
            ),
        )

    run = hs.simulate(ball(5e3, 12.0), 1.0, {"z": 0.3}, every=0.01, tolerance=1e-10)
    rows = [int(np.argmin(np.abs(run.t - t))) for t in np.arange(101) * 0.01]
    data = {"t": run.t[rows], "z": run["z"][rows]}
    found = identify(ball(4.5e3, 11.0), data, ("tip.stiffness", "tip.damping"), start={"z": 0.3}, noise=1e-4)
    assert found["tip.stiffness"] == pytest.approx(5e3, rel=1e-5)
    assert found["tip.damping"] == pytest.approx(12.0, rel=1e-5)
    assert found.model is not None
    assert found.model.contacts["tip"].law.damping == found["tip.damping"]


def test_bounds_hold():
    found = identify(
        arm(**{"lower.mass": 0.5}), recorded(1), ["lower.mass"], bounds={"lower.mass": (0.2, 0.9)}, noise=0.05
    )
    assert found["lower.mass"] == 0.9
    table, tau = excited()
    # efforts of a negative damping: the damping ends at zero, not below
    flat = {**table, "shoulder.effort": tau[:, 0], "elbow.effort": tau[:, 1] - 0.2 * table["elbow.v"]}
    found = identify(arm(), flat, ["elbow.damping"], noise=0.05)
    assert 0 <= found["elbow.damping"] < 1e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"t": None}, 'no column "t"'),
        ({"t": [0.0, 0.0, 1.0]}, "times that grow"),
        ({"hinge": [0.1, float("nan"), 0.2]}, 'column "hinge" of the data is nan in row 1'),
        ({"hinge": [0.1, 0.2]}, 'has 2 rows and "t" has 3'),
        ({"hinge": "abc"}, "must be a row of numbers"),
        ({"hing": [1.0, 2.0, 3.0]}, 'did you mean "hinge"'),
        ({"hinge": None}, "no column to compare"),
    ],
)
def test_data_that_are_wrong(change, words):
    data = {"t": [0.0, 0.5, 1.0], "hinge": [0.1, 0.0, -0.1], **change}
    data = {name: x for name, x in data.items() if x is not None}
    with pytest.raises(hs.ModelError, match=words):
        identify(pendulum(), data, "L")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"parameters": "LL"}, "no parameter, start or held input"),
        ({"parameters": []}, "names nothing"),
        ({"parameters": ["L", "L"]}, "twice"),
        ({"parameters": 3}, "must be names"),
        ({"columns": ["hinge.v"]}, 'no column "hinge.v"'),
        ({"noise": {"hing": 1.0}}, "noise has no value"),
        ({"noise": 0.0}, "must be positive"),
        ({"bounds": {"M": (0, 1)}}, "bounds name"),
        ({"bounds": {"L": (2, 3)}}, "outside its bounds"),
        ({"fit": "torque"}, "no fit"),
        ({"fit": "efforts"}, "no column"),
        ({"parameters": ["L", "hinge", "hinge.v", "hinge.damping"]}, "3 numbers cannot determine 4"),
    ],
)
def test_questions_that_are_wrong(more, words):
    options = {"parameters": "L", **more}
    data = {"t": [0.0, 0.5, 1.0], "hinge": [0.1, 0.0, -0.1]}
    with pytest.raises(hs.ModelError, match=words):
        identify(pendulum(), data, **options)


def test_files_that_are_wrong(tmp_path):
    def told(text, words, name="x.csv"):
        (tmp_path / name).write_text(text)
        with pytest.raises(hs.ModelError, match=words):
            identify(pendulum(), tmp_path / name, "L")

    told("t,hinge\n0,1\n1\n", "x.csv:3: 1 values in a row of 2")
    told("t,t\n0,1\n", "same name")
    told("t,hinge\n0,1\n1,x\n", "x.csv:3")
    told("t,hinge\n", "two times")
    told("t", "read from", name="x.txt")
    with pytest.raises(hs.ModelError, match="no such file"):
        identify(pendulum(), tmp_path / "none.csv", "L")
    with pytest.raises(hs.ModelError, match="data must be"):
        identify(pendulum(), 3, "L")
