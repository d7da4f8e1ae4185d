"""Drives by position and velocity: the cubic between samples, and what a hand feels that moves them."""

import pickle
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest
from children import PATIENCE
from samples import sample
from scipy.interpolate import CubicHermiteSpline
from shared_models import four_bar

import hapsis as hs
from hapsis.errors import ModelError

NAMES = ["hand.position", "hand.velocity"]
GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
HAND = hs.Drive("hand", "x", position="input", velocity="input")


def linear():
    """A block on a rail, 2 kg."""
    return hs.Model(
        hs.Body("tool", mass=2.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "tool", axis="x"),
        HAND,
        gravity=(0, 0, 0),
    )


def rotary():
    """A body of 1.4 kg m² that turns about an axis outside its centre of mass."""
    return hs.Model(
        hs.Body("tool", mass=2.0, com=(0.4, 0.1, 0.2), inertia=(1, 1, 1)),
        hs.Revolute("x", hs.WORLD, "tool", axis="y"),
        HAND,
        gravity=(0, 0, 0),
    )


def carried():
    """A cart that carries a pendulum: what is behind the drive moves freely."""
    return hs.Model(
        hs.Body("cart", mass=0.5, inertia=(1, 1, 1)),
        hs.Body("bob", mass=0.3, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Revolute("swing", "cart", "bob", axis="y", damping=0.01),
        HAND,
    )


def loop():
    """A closed loop whose inertia changes, moved at its crank."""
    return four_bar(
        hs.Drive("hand", "A", position="input", velocity="input"),
        poses={"start": {"A": 0.3, "B": 0.4, "D": 1.2}},
    )


MODELS = {f.__name__: f for f in (linear, rotary, carried, loop)}
MASSES = {"linear": 2.0, "rotary": 1.0 + 2.0 * (0.4**2 + 0.2**2)}


@cache
def step_of(which, rate, method="rk4", substeps=1, outputs=("hand.force",)):
    f = hs.stepper(MODELS[which](), 1 / rate, inputs=NAMES, outputs=outputs, method=method, substeps=substeps)
    return hs.compile(f), {port.name: port.stand_in for port in f.inputs}


def felt(which, rate, positions, speeds, v0=0.0, **options):
    """The outputs of every tick of a motion that was given, from where it stood before."""
    step, state = step_of(which, rate, **options)
    state, rows = dict(state), []
    z = np.array(state["z"], float)
    z[-1] = v0
    state["z"] = z
    for p, v in zip(positions, speeds, strict=True):
        made = step(**state | {"hand.position": p, "hand.velocity": v})
        names = [port.name for port in step.function.outputs]
        told = dict(zip(names, made, strict=True))
        state |= {n: x for n, x in told.items() if n in state}
        rows.append([float(told[n]) for n in names if n not in state])
    return np.array(rows).T


def waves(rng, t, fastest, size=0.02):
    """Position and velocity of a sum of sines up to that many rad/s, zero at the start."""
    w = rng.uniform(0.05, 1.0, 5) * fastest
    a, start = size * rng.normal(size=5) / w * w.min(), rng.uniform(0.0, 6.28, 5)
    p = a @ (np.sin(np.outer(w, t) + start[:, None]) - np.sin(start)[:, None])
    return p, (a * w) @ np.cos(np.outer(w, t) + start[:, None])


@pytest.mark.parametrize("seed", range(sample(24, 500)))
def test_a_mass_is_felt_as_its_change_of_momentum(seed):
    """-m (v - v₀) / dt, within 1e-9 N or N m, at 1, 4 and 10 kHz, by both methods and with substeps."""
    rng, rate = np.random.default_rng(seed), (1000, 4000, 10_000)[seed % 3]
    which, method = ("linear", "rotary")[seed // 3 % 2], ("rk4", "euler")[seed // 6 % 2]
    t = np.arange(201) / rate
    p, v = waves(rng, t, rng.uniform(5.0, 0.3 * rate))
    options = {
        "method": method,
        "substeps": 1 + 2 * (seed // 12 % 2),
        "outputs": ("hand.force", "x", "x.v", "x.a"),
    }
    force, x, speed, a = felt(which, rate, p[1:], v[1:], v[0], **options)
    wanted = np.diff(v) * rate
    assert np.abs(force + MASSES[which] * wanted).max() < 1e-9
    assert np.abs(a - wanted).max() < 1e-9
    assert np.array_equal(x, p[1:]) and np.array_equal(speed, v[1:])  # no delay at all


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_noise_of_positions_is_not_felt_by_a_mass(method):
    """The force follows from the velocities: steps of an encoder, 10 µm at 10 kHz, add nothing."""
    t = np.arange(1, 300) / 10_000
    p, v = 0.01 * np.sin(20.0 * t), 0.2 * np.cos(20.0 * t)
    coarse = np.round(p / 1e-5) * 1e-5
    smooth, rough = (felt("linear", 10_000, x, v, 0.2, method=method) for x in (p, coarse))
    assert np.abs(smooth - rough).max() < 1e-9


@pytest.mark.parametrize("seed", range(sample(8, 100)))
def test_a_step_is_a_run_along_the_cubic(seed):
    """Against `simulate` with tables of the same samples, by another integrator: a tree and a loop."""
    rng, which = np.random.default_rng(seed), ("carried", "loop")[seed % 2]
    rate, other = 1000, {"carried": "swing", "loop": "D"}[which]
    t = np.arange(101) / rate
    p, v = waves(rng, t, 40.0, 0.1)
    if which == "loop":
        p = p + 0.3
    tables = {"hand.position": (t, p), "hand.velocity": (t, v)}
    result = hs.simulate(MODELS[which](), until=t[-1], every=1 / rate, inputs=tables, tolerance=1e-10)
    state, told = felt(which, rate, p[1:], v[1:], v[0], outputs=(other, "hand.effort"))
    assert np.abs(state - result[other][1:]).max() < 1e-8
    # told with the mean acceleration of the tick, half a period late for what is inertia
    middle = hs.simulate(MODELS[which](), until=t[-1], every=0.5 / rate, inputs=tables, tolerance=1e-10)
    wanted = middle["hand.effort"][1::2]
    assert np.abs(told - wanted).max() < 0.05 * np.abs(wanted - wanted.mean()).max()


def test_tables_are_the_cubic_through_both():
    rng = np.random.default_rng(3)
    t = np.cumsum(rng.uniform(0.01, 0.05, 12)) - 0.01
    t[0] = 0.0
    p, v = waves(rng, t, 30.0)
    inputs = {"hand.position": (t, p), "hand.velocity": (t, v)}
    result = hs.simulate(linear(), until=t[-1], every=1e-3, inputs=inputs)
    wanted = CubicHermiteSpline(t, p, v)
    inside = np.abs(result.t[:, None] - t).min(axis=1) > 1e-9
    assert np.abs(result["x"] - wanted(result.t)).max() < 1e-14
    assert np.abs(result["x.v"] - wanted(result.t, 1)).max() < 1e-12
    effort = 2.0 * wanted(result.t, 2)
    assert np.abs(result["hand.effort"] - effort)[inside].max() < 1e-9 * np.abs(effort).max()


def test_functions_and_numbers_have_rates():
    by_function = hs.simulate(linear(), until=0.5, inputs={"hand.position": lambda t: 0.1 * hs.sin(3.0 * t)})
    assert np.abs(by_function["hand.effort"] + 1.8 * np.sin(3.0 * by_function.t)).max() < 1e-12
    still = hs.simulate(linear(), until=0.1, inputs={"hand.position": 0.2})
    assert (still["x"] == 0.2).all() and (still["hand.effort"] == 0.0).all()


@pytest.mark.parametrize("seed", range(sample(12, 200)))
def test_a_free_mass_gives_a_hand_no_energy_below_half_the_rate(seed):
    """At each frequency up to 0.98 of half the rate the mean power is that of the formula, and taken."""
    rng, rate, which = (
        np.random.default_rng(seed),
        (1000, 4000, 10_000)[seed % 3],
        ("linear", "rotary")[seed % 2],
    )
    count = 256
    w = 2 * np.pi * rate / count * np.arange(1, int(0.98 * count / 2) + 1)
    size, start = 1e-3 * rng.normal(size=len(w)) / w * w[0], rng.uniform(0.0, 6.28, len(w))
    t = np.arange(count + 1) / rate
    p = size @ np.sin(np.outer(w, t) + start[:, None])
    v = (size * w) @ np.cos(np.outer(w, t) + start[:, None])
    force = felt(which, rate, p[:-1], v[:-1], v[count - 1])[0]
    way = np.diff(p)  # until the next sample the force is held
    power = (np.fft.rfft(force) * np.fft.rfft(way).conj()).real[1 : len(w) + 1] * 2.0 / count**2 * rate
    half = 0.5 * w / rate
    wanted = -MASSES[which] * (size * w) ** 2 * np.sin(half) ** 2 * np.sin(2.0 * half) * rate**2 * 2.0 / w
    assert np.abs(power - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert (wanted < 0.0).all()


@pytest.mark.parametrize("seed", range(sample(12, 200)))
def test_rough_hands_get_no_energy_from_a_free_mass(seed):
    """Speeds drawn anew every tick, accelerations constant between them, from rest to rest: the work of the
    held force is never positive, and at no time above what the last period can have given."""
    rng, rate, which = (
        np.random.default_rng(seed),
        (1000, 4000, 10_000)[seed % 3],
        ("linear", "rotary")[seed % 2],
    )
    v = np.concatenate([np.zeros(3), rng.normal(size=150) * rng.uniform(0.01, 1.0), np.zeros(3)])
    if seed % 4 == 3:
        v[3:-3] = 0.3 * (-1.0) ** np.arange(150)  # as rough as can be
    p = np.concatenate([[0.0], np.cumsum(0.5 * (v[1:] + v[:-1]))]) / rate
    force = felt(which, rate, p[1:], v[1:])[0]
    work = np.cumsum(force[:-1] * np.diff(p)[1:])
    assert work[-1] < 1e-9
    m = MASSES[which]
    reserve = 0.5 * m * np.abs(np.diff(v)[:-1] * (v[1:-1] + v[2:])).max()
    assert work.max() <= reserve * (1.0 + 1e-9)


def test_with_efforts_that_go_evenly():
    """hold="linear" is for efforts: what is sampled moves along its cubic as before."""
    names = [*NAMES, "swing"]
    steps = [
        hs.stepper(carried(), 1e-3, inputs=names, outputs=["hand.force"], hold=h) for h in ("zero", "linear")
    ]
    zero, linear = (hs.compile(f)(**{"hand.position": 1e-4, "hand.velocity": 0.1}) for f in steps)
    assert zero[-1] == linear[-1] and len(linear.z) == len(zero.z) + 1


def test_an_even_motion_is_not_felt():
    t = np.arange(1, 100) / 1000
    start = MODELS["carried"]()
    f = hs.stepper(start, 1e-3, inputs=NAMES, outputs=["hand.force", "swing"], start={"x.v": 0.3})
    step, state = hs.compile(f), {port.name: port.stand_in for port in f.inputs}
    assert float(state["hand.velocity"]) == 0.3 and np.array_equal(state["z"], [0.0, 0.3])
    for x in 0.3 * t:
        q, v, z, now, force, swing = step(**state | {"hand.position": x})
        state |= {"q": q, "v": v, "z": z, "t": now}
        assert abs(force) < 1e-9 and abs(swing) < 1e-12


def test_what_is_wrong_is_said():
    t = np.arange(5) * 0.1
    table = (t, 0.0 * t)
    for inputs, words in (
        ({"hand.position": table}, '"hand.velocity" is no table'),
        ({"hand.velocity": table}, '"hand.position" is no table'),
        ({"hand.position": table, "hand.velocity": (t + 0.1, t)}, "different times"),
        ({"hand.position": 0.0, "hand.acceleration": 0.0}, "acceleration follows"),
        ({}, "its position comes from outside"),
    ):
        with pytest.raises(ModelError, match=words):
            hs.simulate(linear(), until=0.3, inputs=inputs)
    with pytest.raises(ModelError, match=r'takes "hand.velocity" from outside'):
        hs.stepper(linear(), 1e-3, inputs=["hand.position"])
    both = {"hand.position": table, "hand.velocity": table}
    with pytest.raises(ModelError, match="by samples of position and velocity"):
        hs.gradient(linear(), lambda r: r["x"][-1], to=["hand.position"], until=0.3, inputs=both)


def test_it_is_a_fact_like_others(tmp_path):
    model = linear()
    hs.save(model, tmp_path / "m.yaml")
    read = hs.load(tmp_path / "m.yaml")
    for other in (read, pickle.loads(pickle.dumps(model))):
        assert other.drives["hand"] == HAND and other.drives["hand"].inputs == tuple(NAMES)
    assert hs.Drive("hand", "x", position="input").inputs == (*NAMES, "hand.acceleration")


def test_linear_models_have_its_acceleration_too():
    """m a: the acceleration is no input of a run, but small motions are along all three."""
    names = [*NAMES, "hand.acceleration"]
    small = hs.linearize(linear(), inputs=names, outputs=["hand.effort"])
    assert np.allclose(small.D, [[0.0, 0.0, 2.0]])


@needs_gcc
def test_the_step_in_c(tmp_path):
    """Strict compilers are content, and every number is the interpreter's to the last bit."""
    f = hs.stepper(carried(), 1e-3, inputs=NAMES, outputs=["hand.force", "swing"])
    hs.export(tmp_path / "cart", [f], language="c")
    sources = [tmp_path / "cart.c", tmp_path / "cart_test.c"]
    flags = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"]
    build = [GCC, *flags, *sources, "-o", tmp_path / "test", "-lm"]
    subprocess.run([str(x) for x in build], check=True, timeout=PATIENCE)
    done = subprocess.run([tmp_path / "test", "bitwise"], check=False, timeout=PATIENCE)
    assert done.returncode == 0
