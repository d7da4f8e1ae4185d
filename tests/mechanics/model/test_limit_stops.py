"""Stops from limits: the mass behind each coordinate against the mass matrix, and how deep a stop gives."""

import math

import numpy as np
import pytest
from shared_models import four_bar

import hapsis as hs
from hapsis.mechanics.model.structure.limit_stops import moved_masses

SEEDS = range(15)
SPEED, PERIOD = 2.0, 0.05


def random_tree(seed, scale=1.0):
    rng = np.random.default_rng(seed)
    facts, names = [], ["world"]
    for k in range(int(rng.integers(2, 7))):
        inertia = rng.uniform(0.05, 0.1, 3) * scale**2
        facts.append(hs.Body(f"b{k}", rng.uniform(0.5, 2), tuple(rng.normal(size=3) * scale), tuple(inertia)))
        kind = [
            hs.Revolute,
            hs.Prismatic,
            hs.Helical,
            hs.Cylindrical,
            hs.Universal,
            hs.Planar,
            hs.Free,
            hs.Weld,
        ]
        kind = kind[int(rng.integers(8 if k else 7))]
        more = (
            {} if kind in (hs.Universal, hs.Planar, hs.Free, hs.Weld) else {"axis": tuple(rng.normal(size=3))}
        )
        if kind is hs.Helical:
            more["pitch"] = float(rng.normal() * scale)
        frames = [hs.Frame(tuple(rng.normal(size=3) * scale), tuple(rng.uniform(-3, 3, 3))) for _ in range(2)]
        ends = [hs.End(names[int(rng.integers(len(names)))], frames[0]), hs.End(f"b{k}", frames[1])]
        if rng.random() < 0.3:
            ends.reverse()
        facts.append(kind(f"j{k}", *ends, armature=float(rng.integers(2)), **more))
        names.append(f"b{k}")
    return hs.Model(*facts)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_what_a_coordinate_moves_is_the_diagonal_of_the_mass_matrix(seed, scale):
    model = random_tree(seed, scale)
    M = hs.compile(hs.mass_matrix(model))(model.zero)
    diagonal = dict(zip(model.speeds, np.diag(M), strict=True))
    masses = moved_masses(model)
    assert set(masses) == {n for n in model.coordinates if f"{n}.v" in diagonal}
    for name, mass in masses.items():
        assert mass == pytest.approx(diagonal[f"{name}.v"], rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_a_stop_gives_as_deep_as_is_said(seed):
    rng = np.random.default_rng(seed)
    turns = seed % 2
    kind = hs.Revolute if turns else hs.Prismatic
    body = hs.Body("b", float(rng.uniform(0.1, 9)), (0.2, 0, 0), (0.1, 0.2, 0.2))
    limits = (None, 0.3) if seed % 3 else (-0.3, 0.3)
    model = hs.Model(body, kind("j", hs.WORLD, "b", axis="z", limits=limits), gravity=(0, 0, 0))
    stopped = model.with_stops(period=PERIOD, ratio=0.0)
    assert list(stopped.forces) == ["j stop"] and stopped.without("j stop") == model
    run = hs.simulate(stopped, until=1.0, start={"j.v": SPEED})
    depth = SPEED * PERIOD / (2 * math.pi)
    assert run["j"].max() == pytest.approx(0.3 + depth, rel=1e-3)
    assert not any("limits" in text for text in run.warnings)
    soft = hs.simulate(model.with_stops(), until=0.4, start={"j.v": SPEED})
    assert 0 < -soft["j.v"].min() < 0.9 * SPEED  # with damping it comes back slower


def test_what_is_held_already_gets_no_stop():
    rods = [hs.Rod(f"r{k}", 0.2, 1.0) for k in range(5)]
    joints = [hs.Revolute("a", hs.WORLD, "r0", "y", limits=(-1, 1))]
    joints += [hs.Revolute(n, f"r{k}.end", f"r{k + 1}", "y", limits=(-1, 1)) for k, n in enumerate("bc")]
    joints += [
        hs.Revolute("d", "r2.end", "r3", "y"),
        hs.Revolute("e", "r3.end", "r4", "y", limits=(None, None)),
    ]
    more = [hs.Stop("mine", "b", 5.0), hs.Drive("motor", "c", 0.1), hs.JointSpring("a stop", "a", 1.0)]
    model = hs.Model(*rods, *joints, *more, notes=["a note"])
    stops = [n for n, f in model.with_stops().forces.items() if isinstance(f, hs.Stop)]
    assert stops == ["mine", "a stop'"]
    again = model.with_stops().with_stops()
    assert again == model.with_stops() and again.notes == ("a note",)
    free = hs.Model(hs.Body("b", 1.0, inertia=(1, 1, 1)), hs.Free("f", hs.WORLD, "b", limits={"x": (0, 1)}))
    assert free.with_stops() == free  # the place of a free body has no speed of its own
    light = hs.Model(hs.Body("b"), hs.Prismatic("p", hs.WORLD, "b", limits=(0, 1)))
    with pytest.raises(hs.ModelError, match='"p" moves no mass'):
        light.with_stops()
    with pytest.raises(hs.Error, match="period must be"):
        light.with_stops(period=0)


def test_a_run_says_in_one_line_which_limits_did_not_act():
    rods = [hs.Rod(f"r{k}", 0.2, 1.0) for k in range(6)]
    joints = [
        hs.Revolute(f"j{k}", f"r{k - 1}.end" if k else hs.WORLD, f"r{k}", "y", limits=(-0.1, 0.1))
        for k in range(6)
    ]
    run = hs.simulate(hs.Model(*rods, *joints), until=0.5, start={f"j{k}.v": 5.0 for k in range(6)})
    (text,) = [w for w in run.warnings if "limits" in w]
    assert '"j0" (-0.1 to 0.1), "j1"' in text and "and 2 more leave their limits" in text
    assert "model.with_stops()" in text


def test_a_loop_with_stops_stays_between_them():
    model = four_bar().replace("A", limits=(0.2, 1.0)).with_stops()
    run = hs.simulate(model, until=2.0, start={"A": 0.6})
    assert run["A"].max() < 1.05 and run["A"].min() > 0.15 and run.success


def test_limits_that_get_no_stop_are_named():
    body = hs.Body("b", mass=1.0, inertia=(1, 1, 1))
    model = hs.Model(body, hs.Free("f", hs.WORLD, "b", limits={"x": (-1, 1)}))
    with pytest.warns(hs.Notice, match=r'no stop at the limits of "f\.x"'):
        assert not model.with_stops().forces
