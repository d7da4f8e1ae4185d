"""Motions with known answers: pendulums, oscillators, and energy that stays what it was."""

import math
import random

import numpy as np
import pytest
from scipy.special import ellipk

import hapsis as hs


def pendulum(**more):
    """A point of 1 kg on a massless rod of 1 m that lies along x at zero."""
    return hs.Model(
        hs.Body("bob", mass=1.0, com=(1, 0, 0)), hs.Revolute("hinge", hs.WORLD, "bob", axis="y", **more)
    )


def cart_pole():
    """A cart of 1 g on a level slide, and 1 kg on a massless rod of 1 m below it."""
    return hs.Model(
        hs.Body("cart", mass=1e-3),
        hs.Body("bob", mass=1.0, com=(0, 0, -1)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Revolute("angle", "cart", "bob", axis="-y"),
    )


def test_pendulum_of_the_library_of_benchmarks():
    """IFToMM benchmark A01: released horizontal; closed form by elliptic functions."""
    turns = hs.Event("still", lambda s: s["hinge.v"])
    result = hs.simulate(pendulum(), until=10.0, events=turns)
    assert result.success and result.energy_drift < 1e-7
    q = result["hinge"][-1]
    assert result.t[-1] == 10.0
    assert math.cos(q) == pytest.approx(0.275087462576117, abs=1e-8)
    assert -math.sin(q) == pytest.approx(-0.961419205099125, abs=1e-8)
    period = 2.367841947576237
    assert period == pytest.approx(4 * math.sqrt(1 / 9.81) * ellipk(0.5), rel=1e-14)
    times = [event.time for event in result.events]
    halves = period * np.arange(1, 9) / 2
    assert len(times) == 8
    assert np.abs(times - halves)[:2].max() < 1e-9
    assert np.abs(times - halves).max() < 1e-8


def test_light_cart_pole():
    result = hs.simulate(cart_pole(), until=10.0, start={"angle": math.pi / 2})
    assert result.success and not result.warnings
    assert result["x"][-1] == pytest.approx(1.99788895, abs=1e-6)
    assert result["angle"][-1] == pytest.approx(-1.55575199, abs=1e-6)


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("method", ["order5", "order8", "stiff"])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-4, 1e-6])
def test_light_cart_pole_is_never_wrong_in_silence(tolerance, method):
    """SciPy's RK45 reports success with 2.5 J of error here, a quarter of all there is."""
    result = hs.simulate(
        cart_pole(), until=10.0, start={"angle": math.pi / 2}, tolerance=tolerance, method=method
    )
    error = abs(result["x"][-1] - 1.99788895) + abs(result["angle"][-1] + 1.55575199)
    told = not result.success or bool(result.warnings)
    assert told or (result.t[-1] == 10.0 and error < 0.05)
    energy = result["energy"]
    assert told or np.abs(energy - energy[0]).max() < 2e-3 * 9.81


@pytest.mark.parametrize("damping", [0.0, 0.3, 2.0, 9.0])
@pytest.mark.parametrize("method", ["auto", "stiff", "order5"])
def test_damped_oscillator(method, damping):
    """x'' + 2 d x' + w² x = 0: under, at and over the critical damping."""
    m, k, x0, v0 = 0.5, 8.0, 0.3, -1.1
    model = hs.Model(
        hs.Body("block", mass=m),
        hs.Prismatic("x", hs.WORLD, "block", axis="x"),
        hs.JointSpring("spring", "x", stiffness=k, damping=damping, rest=0.1),
    )
    result = hs.simulate(model, until=5.0, start={"x": x0, "x.v": v0}, method=method)
    decay, square = damping / (2 * m), k / m - (damping / (2 * m)) ** 2
    t, y0 = result.t, x0 - 0.1
    if abs(square) < 1e-12:
        y = np.exp(-decay * t) * (y0 + (v0 + decay * y0) * t)
    else:
        w = np.sqrt(complex(square))
        y = (np.exp(-decay * t) * (y0 * np.cos(w * t) + (v0 + decay * y0) / w * np.sin(w * t))).real
    assert np.abs(result["x"] - 0.1 - y).max() < 1e-8
    force = -k * y - damping * result["x.v"]
    assert np.abs(result["spring.effort"] - force).max() < 1e-6
    # what is lost is what the damper took
    assert result["work"][-1] == pytest.approx(result["energy"][-1] - result["energy"][0], abs=1e-8)


def double_pendulum():
    return hs.Model(
        hs.Rod("upper", length=1.0, mass=1.0),
        hs.Rod("lower", length=0.7, mass=0.8),
        hs.Revolute("A", hs.WORLD, "upper", axis="y"),
        hs.Revolute("B", "upper.end", "lower", axis="y"),
    ), {"A": 0.4, "B": 1.0}


def tied_bodies():
    """Two free bodies on springs, one of them hung from the world."""
    return hs.Model(
        hs.Body("a", 1.0, inertia=(0.1, 0.2, 0.25), frames={"end": (0.3, 0, 0.1)}),
        hs.Body("b", 0.6, (0.1, 0, 0), (0.05, 0.06, 0.07), {"end": (0, 0.2, 0)}),
        hs.Free("fa", hs.WORLD, "a"),
        hs.Free("fb", hs.WORLD, "b"),
        hs.Spring("s", hs.WORLD.at(0, 0, 1), "a.end", stiffness=80.0, length=0.5),
        hs.Spring("r", "a", "b.end", stiffness=60.0, length=0.4),
        hs.Bushing("u", "a.end", "b", stiffness=(1, 2, 3, 20, 30, 40)),
    ), {"fb.x": 0.5, "fa.wx": 2.0, "fb.wy": -1.0, "fb.vz": 0.5}


def random_tree(seed):
    """Three to five bodies on any joints, springs along those that have coordinates for it."""
    draw = random.Random(seed)
    kinds = (hs.Revolute, hs.Prismatic, hs.Universal, hs.Cylindrical, hs.Planar, hs.Ball, hs.Free)
    facts = []
    for k in range(draw.randint(3, 5)):
        place = [draw.uniform(-0.5, 0.5) for _ in range(3)]
        I = [draw.uniform(0.1, 0.2) for _ in range(3)]
        facts.append(hs.Body(f"b{k}", draw.uniform(0.5, 1), [x / 2 for x in place], I))
        parent = (draw.choice(["world", *(f"b{i}" for i in range(k))]), hs.Frame(place, place))
        ends = [parent, f"b{k}"] if draw.random() < 0.7 else [f"b{k}", parent]
        facts.append(draw.choice(kinds)(f"j{k}", *ends))
    model = hs.Model(facts, gravity=(0.3, 0, -9.81))
    plain = [name.removesuffix(".v") for name in model.speeds if name.endswith(".v")]
    springs = [hs.JointSpring(f"k{i}", name, 20.0) for i, name in enumerate(plain)]
    return model + springs, {name: draw.uniform(-1, 1) for name in model.speeds}


@pytest.mark.parametrize(
    "case", [double_pendulum, tied_bodies, *(lambda s=s: random_tree(s) for s in (1, 2, 3, 5, 8))]
)
def test_energy_is_kept(case):
    """Over 10 s at the tolerance that is used if none is said."""
    model, start = case()
    result = hs.simulate(model, until=10.0, start=start)
    assert result.success and not result.warnings
    assert not result["work"].any()
    energy = result["kinetic"] + result["potential"]
    turned = result["kinetic"].max() + np.ptp(result["potential"])
    assert np.abs(energy - energy[0]).max() <= 1e-6 * turned
    assert result.energy_drift <= 1e-6
    for name in model.coordinates:
        if name.endswith(".qw"):
            four = [result[name[:-1] + letter] for letter in "wxyz"]
            assert np.abs(np.linalg.norm(four, axis=0) - 1).max() < 1e-12


def test_methods_agree():
    model, start = double_pendulum()
    best = hs.simulate(model, until=2.0, start=start, tolerance=1e-13)
    for method, options, gate in (
        ("order5", {}, 1e-6),
        ("stiff", {}, 1e-6),
        ("rk4", {"step": 1e-3}, 1e-7),
        ("symplectic", {"step": 1e-3}, 1e-3),
        ("euler", {"step": 1e-4}, 0.1),
        ("order8", {"step": 1e-2}, 1e-9),
        ("order5", {"step": 1e-3}, 1e-9),
    ):
        other = hs.simulate(model, until=2.0, start=start, method=method, **options)
        assert other.success
        assert np.array_equal(other.t, best.t)
        for name in ("A", "B", "A.v", "B.v"):
            assert np.abs(other[name] - best[name]).max() < gate, (method, name)


def test_symplectic_energy_does_not_drift():
    """It swings within a band that does not grow."""
    model, _ = double_pendulum()
    result = hs.simulate(model, until=100.0, start={"A": 1.4}, method="symplectic", step=5e-3)
    energy = result["energy"]
    first, last = (np.abs(x - energy[0]).max() for x in np.array_split(energy, 2))
    assert last < 2 * first < 2e-3 * np.ptp(result["potential"])
