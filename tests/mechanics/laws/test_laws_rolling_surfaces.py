"""Discs, tyres, balls and ellipsoids on smooth surfaces: their point of contact has its own coordinates."""

import dataclasses
import math
import pickle

import numpy as np
import pytest
from travelling import check_rates

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names

M, G = 2.0, 9.81
SCALES = (1e-3, 1.0, 1e3)


FORMS = {
    "disc": {"radius": "r", "axis": (0.36, -0.48, 0.8)},
    "tyre": {"radius": "r", "axis": (0.36, -0.48, 0.8), "tube": 0.07},
    "ellipsoid": {"semi_axes": ("r", 0.2, 0.25)},
    "ball": {"radius": "r", "axis": None},
}


def hilly(form, ground):
    return hs.Model(
        hs.Body("stone", mass=M, inertia=(1, 1, 1)),
        hs.Body("board", mass=1, inertia=(1, 1, 1)),
        hs.Body("mark"),
        hs.Revolute("tilt", hs.WORLD, "board", axis="x"),
        hs.Chain("spot", ("board", ground), "mark", "Tx Ty Tz"),
        hs.Free("stone", hs.WORLD, "stone"),
        hs.Rolling(
            "roll",
            ("stone", hs.Frame((0.1, 0, 0.2), (0.1, 0.2, 0.3))),
            ("board", ground),
            surface=lambda x, y, z, h=0.1: z + h * hs.sin(x) * hs.cos(y) - 0.1 * z * y,
            spot="spot",
            **form,
        ),
        parameters={"r": 0.3},
    )


@pytest.mark.parametrize("name", FORMS)
def test_rates_of_the_rows(name):
    """By differences, on a hill that moves itself."""
    model = hilly(FORMS[name], hs.Frame((0, 0, 0.1), (0.2, 0.1, 0)))
    draw = np.random.default_rng(8)
    q, v, a = (draw.uniform(-1, 1, n) for n in (11, 10, 10))
    q[7:] /= np.linalg.norm(q[7:])
    check_rates(model, q, v, a)
    assert len(constraint_names(model)) == 6


@pytest.mark.parametrize("name", ["disc", "tyre", "ellipsoid"])
def test_a_level_surface_is_the_plane(name):
    """Accelerations of what rolls, by contact coordinates and without them."""
    form = FORMS[name]
    body = hs.Body("stone", mass=M, com=(0.01, 0.02, 0.03), inertia=(0.05, 0.06, 0.07))
    start = {"stone.qw": 0.9, "stone.qx": 0.3, "stone.qy": 0.2, "stone.z": 0.3}
    plain = hs.Model(
        body,
        hs.Free("stone", hs.WORLD, "stone"),
        hs.Rolling("roll", "stone", hs.WORLD, **form),
        parameters={"r": 0.3},
        poses={"start": start},
    )
    on_surface = hs.Model(
        body,
        hs.Body("mark"),
        hs.Free("stone", hs.WORLD, "stone"),
        hs.Chain("spot", hs.WORLD, "mark", "Tx Ty Tz"),
        hs.Rolling("roll", "stone", hs.WORLD, **form, surface=lambda x, y, z: 3.0 * z, spot="spot"),
        parameters={"r": 0.3},
        poses={"start": start},
    )
    spins = {"stone.wx": 1.0, "stone.wy": -2.0, "stone.wz": 0.5}
    a, b = (hs.simulate(m, until=0.3, start=spins) for m in (plain, on_surface))
    for name in plain.coordinates:
        assert b[name][-1] == pytest.approx(a[name][-1], abs=2e-7)
    assert np.asarray(b["roll.reaction"])[-1] == pytest.approx(np.asarray(a["roll.reaction"])[-1], abs=2e-5)


@pytest.mark.parametrize("scale", SCALES)
def test_a_ball_in_a_bowl_is_a_pendulum(scale):
    """(7/5) (R - r) θ'' = -g sin θ: the push of the bowl is m g cos θ where it starts from rest."""
    R, r, start = scale, 0.1 * scale, 0.3
    s, c = math.sin(start), math.cos(start)
    model = hs.Model(
        hs.Body("ball", mass=M * scale**3, inertia=(0.4 * M * scale**3 * r * r,) * 3),
        hs.Body("mark"),
        hs.Chain("spot", hs.WORLD, "mark", "Tx Ty Tz"),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Rolling(
            "roll",
            "ball",
            hs.WORLD,
            r,
            axis=None,
            surface=lambda x, y, z, R=R: (R * R - x * x - y * y - z * z) / (2 * R),
            spot="spot",
        ),
        poses={"start": {"spot.Tx": s * R, "spot.Tz": -c * R, "ball.x": s * (R - r), "ball.z": -c * (R - r)}},
    )
    small = hs.linearize(model, hs.equilibrium(model))
    swing = math.sqrt(5 / 7 * G / (R - r))
    assert np.sort(np.abs(small.eigenvalues.imag))[-1] == pytest.approx(swing, rel=1e-9)
    result = hs.simulate(model, until=0.1 / swing)
    push = np.asarray(result["roll.reaction"])[0, 3:]
    assert np.linalg.norm(push) == pytest.approx(M * scale**3 * G * math.hypot(c, 2 / 7 * s), rel=1e-9)


@pytest.mark.parametrize("name", FORMS)
def test_energy_stays_on_a_hill(name):
    """Rolling does no work, on a smooth surface either; and the spot stays on it."""
    start = {"stone.qw": 0.9, "stone.qx": 0.3, "stone.z": 0.5, "spot.Tz": 0.2, "stone.x": 0.1, "spot.Tx": 0.1}
    model = hs.Model(
        hs.Body("stone", mass=M, com=(0.01, 0.02, 0.03), inertia=(0.05, 0.06, 0.07)),
        hs.Body("mark"),
        hs.Free("stone", hs.WORLD, "stone"),
        hs.Chain("spot", hs.WORLD, "mark", "Tx Ty Tz"),
        hs.Rolling(
            "roll", "stone", hs.WORLD, **FORMS[name], surface=lambda x, y, z: z - 0.2 * hs.cos(x), spot="spot"
        ),
        parameters={"r": 0.3},
        poses={"start": start},
    )
    result = hs.simulate(model, until=1.0, start={"stone.wy": 2.0, "stone.wz": 1.0})
    energy = np.asarray(result["energy"])
    assert np.ptp(energy) < 1e-6 * np.max(result["kinetic"])
    spot = {a: np.asarray(result[f"spot.T{a}"]) for a in "xyz"}
    assert np.abs(spot["z"] - 0.2 * np.cos(spot["x"])).max() < 1e-9 and np.ptp(spot["x"]) > 0.1


@pytest.mark.parametrize("name", FORMS)
def test_the_spot_on_a_plane_is_the_track(name):
    """The point of contact as coordinates: it lies in the plane, and nothing else changes by it."""
    body = hs.Body("stone", mass=M, com=(0.01, 0.02, 0.03), inertia=(0.05, 0.06, 0.07))
    facts = [body, hs.Free("stone", hs.WORLD, "stone")]
    more = {"parameters": {"r": 0.3}, "poses": {"start": {"stone.qw": 0.9, "stone.qx": 0.3, "stone.z": 0.3}}}
    plain = hs.Model(*facts, hs.Rolling("roll", "stone", hs.WORLD, **FORMS[name]), **more)
    tracked = hs.Model(
        *facts,
        hs.Body("mark"),
        hs.Chain("spot", hs.WORLD, "mark", "Tx Ty Tz"),
        hs.Rolling("roll", "stone", hs.WORLD, **FORMS[name], spot="spot"),
        **more,
    )
    closed = hs.assemble(plain)
    start = {n: closed[n] for n in plain.coordinates} | {"stone.wx": 1.0, "stone.wy": -2.0, "stone.wz": 0.5}
    a, b = (hs.simulate(m, until=0.5, start=start, tolerance=1e-10) for m in (plain, tracked))
    for n in plain.coordinates:
        assert b[n][-1] == pytest.approx(a[n][-1], abs=1e-7)
    assert np.abs(b["spot.Tz"]).max() < 1e-12
    # where it is now, the body stands still
    q, v = (np.array([b[n][-1] for n in names]) for names in (plain.coordinates, plain.speeds))
    w, u = np.split(hs.compile(hs.velocity(plain, "stone"))(q, v), 2)
    spot = np.array([b[f"spot.T{x}"][-1] for x in "xyz"])
    assert np.abs(u + np.cross(w, spot - q[:3])).max() < 1e-9


def test_files_and_copies_of_surfaces(tmp_path):
    surface = hilly(FORMS["tyre"], hs.Frame())
    copy = pickle.loads(pickle.dumps(surface))
    assert constraint_names(copy) == constraint_names(surface)
    with pytest.raises(hs.ModelError, match="surface is Python code, which a file cannot hold"):
        hs.save(surface, tmp_path / "hill.yaml")
    named = surface.prefixed("left").constraints["left.roll"]
    assert named.spot == "left.spot"


def test_errors_of_surfaces():
    model = hilly(FORMS["ball"], hs.Frame())
    lost = dataclasses.replace(model.constraints["roll"], spot="s")
    with pytest.raises(hs.ModelError, match=r'"s\.Tx", which does not exist'):
        hs.Model(*(f for f in model.facts if f.name != "roll"), lost, parameters={"r": 0.3})
    with pytest.raises(hs.ModelError, match="one number"):
        hs.constraints(model.replace("roll", surface=lambda x, y, z: (x, y)))


def test_a_ball_through_a_whole_loop():
    """Inside a ring its normal goes all the way round: v² at the top is less by 4 g (R - r) · 5/7."""
    R, r, v = 1.0, 0.1, 9.0
    model = hs.Model(
        hs.Body("ball", mass=M, inertia=(0.4 * M * r * r,) * 3),
        hs.Body("mark"),
        hs.Chain("spot", hs.WORLD, "mark", "Tx Ty Tz"),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Rolling(
            "roll", "ball", hs.WORLD, r, axis=None, spot="spot",
            surface=lambda x, y, z: (R * R - x * x - z * z) / 2,
        ),
        poses={"start": {"spot.Tz": -R, "ball.z": -(R - r)}},
    )  # fmt: skip
    run = hs.simulate(model, 2.0, {"ball.vx": v, "ball.wy": v / r}, every=1e-3, tolerance=1e-10)
    assert run.success
    x, z = run["ball.x"], run["ball.z"]
    angle = np.unwrap(np.arctan2(x, -z))
    assert angle[-1] > 4 * np.pi and np.ptp(run["energy"]) < 1e-7 * run["kinetic"].max()
    speed = np.hypot(np.gradient(x, run.t), np.gradient(z, run.t))
    assert speed.min() ** 2 == pytest.approx(v * v - 4 * G * (R - r) * 5 / 7, rel=1e-3)
    push = np.linalg.norm(np.asarray(run["roll.reaction"])[:, 3:], axis=1)
    assert np.abs(np.diff(push)).max() < 0.02 * push.max()  # it does not jump


def test_a_pose_without_rows_is_said():
    flat = [0, 0, 0, math.sqrt(0.5), math.sqrt(0.5), 0, 0]
    coin = hs.Model(
        hs.Body("coin", 0.1, inertia=(1e-4, 2e-4, 1e-4)),
        hs.Free("c", hs.WORLD, "coin"),
        hs.Rolling("roll", "coin", hs.WORLD, 0.06),
    )
    state = hs.State(coin.coordinates, coin.speeds, flat)
    named = dict(zip(coin.coordinates, flat, strict=True))
    for call in (
        lambda: hs.assemble(coin, named),
        lambda: hs.simulate(coin, 0.1, state),
        lambda: hs.linearize(coin, state),
        lambda: hs.equilibrium(coin, state),
        lambda: hs.kane_equations(coin, at=state),
        lambda: hs.reduced_dynamics(coin, at=state),
    ):
        with pytest.raises(hs.SolveError, match='the rows of "roll" are not finite in this pose'):
            call()
