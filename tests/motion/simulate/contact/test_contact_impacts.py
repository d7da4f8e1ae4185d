"""Impacts of some steps keep depth, force and energy; shorter ones have the restitution of their law."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.solvers.contact.rebounds import spring_restitution


def ball(law, mass=1.0):
    return hs.Model(
        hs.Body.sphere("b", 0.1, mass=mass),
        hs.Free("b", hs.WORLD, "b"),
        hs.Contact("f", hs.Surface("b"), hs.WORLD.plane(), law=law),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize("power", [1.0, 1.5, 2.2])
@pytest.mark.parametrize("steps", [7.0, 10.3, 20.7, 60.1, 150.9])
def test_an_elastic_impact_loses_nothing_whatever_its_length(power, steps):
    """k d^(n + 1) / (n + 1) = m u² / 2 at the deepest; the speed comes back to rounding."""
    k = 10.0 ** (1 + 2 * power)
    deepest = (0.5 * (power + 1.0) / k) ** (1.0 / (power + 1.0))
    step = 3.0 * deepest / steps
    r = hs.simulate(
        ball(hs.HuntCrossley(k, power)),
        0.1 + 5 * deepest,
        {"b.z": 0.15, "b.vz": -1.0},
        method="contact",
        step=step,
    )
    assert r["b.vz"][-1] == pytest.approx(1.0, abs=1e-8)
    assert r.report["deepest"] == pytest.approx(deepest, rel=2.5 / steps**2 + 1e-6)
    assert r["f.force"].max() == pytest.approx(k * deepest**power, rel=8.0 / steps**2 + 1e-6)


@pytest.mark.parametrize("damping", [2.0, 10.0])
@pytest.mark.parametrize("law", ["linear", "hunt and crossley"])
def test_damped_impacts_come_to_their_law_at_order_two(law, damping):
    """The speed after an impact of 8, 16, 32 and 64 steps against that of shorter ones."""
    normal = hs.Linear(1e3, damping) if law == "linear" else hs.HuntCrossley(1e3, 1.0, damping=0.1 * damping)
    exact = hs.simulate(ball(normal), 0.5, {"b.z": 0.15, "b.vz": -1.0}, tolerance=1e-11)["b.vz"][-1]
    for steps in (8, 16, 32, 64):
        r = hs.simulate(ball(normal), 0.5, {"b.z": 0.15, "b.vz": -1.0}, method="contact", step=0.1 / steps)
        assert r["b.vz"][-1] == pytest.approx(exact, abs=2.0 / steps**2)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.parametrize("damping", [100.0, 500.0, 1500.0])
@pytest.mark.parametrize(("body", "points"), [("sphere", 1), ("box", 4), ("table", 4), ("disc", 3)])
def test_points_that_hit_together_share_the_mass(body, points, damping, step):
    """The damping ratio is that of n springs and dampers under the whole mass: n c / 2 √(n k m)."""
    law, facts, sides = hs.Linear(1e6, damping), [hs.Free("b", hs.WORLD, "b")], [hs.Surface("b")]
    if body == "table":  # four contacts
        feet = [(x, y, 0) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
        sides = [(("b", hs.Frame(foot)), hs.Sphere(0.05)) for foot in feet]
        facts += [hs.Body("b", mass=1.0, inertia=(1, 1, 1))]
    elif body == "box":
        facts += [hs.Body.box("b", (0.1, 0.1, 0.1), mass=1.0)]
    elif body == "disc":
        facts += [hs.Body.cylinder("b", 0.1, 0.1, mass=1.0)]
    else:
        facts += [hs.Body.sphere("b", 0.05, mass=1.0)]
    floors = [hs.Contact(f"f{k}", side, hs.WORLD.plane(), law=law) for k, side in enumerate(sides)]
    model = hs.Model(facts, floors, gravity=(0, 0, 0))
    r = hs.simulate(model, 0.09, {"b.z": 0.1, "b.vz": -1.0}, method="contact", step=step)
    e = spring_restitution(0.5 * damping * np.sqrt(points / 1e6))
    assert r["b.velocity"][-1, 2] == pytest.approx(e, abs=2e-3)
    assert np.abs(r["b.wx"][-1]) < 1e-9


def test_a_point_beside_the_middle_has_less_mass():
    """A corner carries 1 / (1/m + r²/I): the rate at the point, and the spin, of one impulse."""
    law, arm, inertia = hs.Linear(1e6, 500.0), 0.3, 0.05
    model = hs.Model(
        hs.Body("b", mass=1.0, inertia=(inertia, inertia, inertia)),
        hs.Free("b", hs.WORLD, "b"),
        hs.Contact("f", (("b", hs.Frame((arm, 0, 0))), hs.Sphere(0.05)), hs.WORLD.plane(), law=law),
        gravity=(0, 0, 0),
    )
    mass = 1.0 / (1.0 + arm**2 / inertia)
    e = spring_restitution(0.5 * 500.0 / np.sqrt(1e6 * mass))
    impulse = mass * (1.0 + e)
    r = hs.simulate(model, 0.06, {"b.z": 0.1, "b.vz": -1.0}, method="contact", step=1e-3)
    v = (r["b.velocity"])[-1]
    assert v[2] == pytest.approx(-1.0 + impulse, abs=5e-3)
    assert abs(r["b.wy"][-1]) == pytest.approx(impulse * arm / inertia, rel=5e-3)


def test_a_continued_run_goes_on_within_an_impact():
    model, run = (
        ball(hs.HuntCrossley(1e3, 1.0, damping=0.3)),
        {"method": "contact", "step": 2e-3, "every": 2e-3},
    )
    start = {"b.z": 0.15, "b.vz": -1.0}
    whole = hs.simulate(model, 0.3, start, **run)
    first = hs.simulate(model, 0.1, start, **run)
    assert first["b.z"][-1] < 0.1
    second = hs.simulate(model, 0.3, first, **run)
    assert np.isclose(second["b.vz"][-1], whole["b.vz"][-1], rtol=1e-12)


@pytest.mark.parametrize("step", [5e-3, 2e-3])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("inertia", [0.01, 0.05, 0.2])
def test_thin_ellipsoids_stay_on_the_ground(inertia, seed, step):
    """A disc of 2 m and 2 cm falls in any pose onto a slab: it goes in by less than half its thickness."""
    shape = hs.Ellipsoid((1, 1, 0.01))
    slab = (hs.WORLD.at(0, 0, -0.05), hs.Box((6, 6, 0.1)))
    model = hs.Model(
        hs.Body("b", mass=1.0, inertia=(inertia, inertia, 1.5 * inertia), shapes=[shape]),
        hs.Free("b", hs.WORLD, "b"),
        hs.Contact("f", hs.Surface("b"), slab, law=hs.HuntCrossley(1e6, 1.0, damping=2.0), friction=0.5),
    )
    q = np.random.default_rng(seed).normal(size=4)
    start = {"b.z": 1.6, **{f"b.q{c}": x for c, x in zip("wxyz", q, strict=True)}}
    r = hs.simulate(model, 2.0, start, method="contact", step=step, every=step)
    assert r.success
    assert r.report["deepest"] < 0.01
    grown = r["energy"] - r["work"]
    assert (grown - np.minimum.accumulate(grown)).max() < 1e-6 * r["kinetic"].max()


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
def test_what_goes_too_deep_is_told_with_its_contact():
    soft = hs.simulate(
        ball(hs.HuntCrossley(1e3, 1.0)), 0.2, {"b.z": 0.15, "b.vz": -4.0}, method="contact", step=1e-3
    )
    assert [text for text in soft.warnings if text.startswith('contact "f" goes 0.13 m deep')]
    firm = hs.simulate(
        ball(hs.HuntCrossley(4e3, 1.0)), 0.2, {"b.z": 0.15, "b.vz": -4.0}, method="contact", step=1e-3
    )
    assert firm.report["deepest"] == pytest.approx(4 / np.sqrt(4e3), rel=1e-3) and not firm.warnings
