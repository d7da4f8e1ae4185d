"""Modes: frequencies and damping in closed form, and small free oscillations of simulations."""

import analysed
import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.linear.linearize import linearize
from hapsis.motion.analysis.linear.modes import decomposed, modes

G = 9.81


def masses(count, damping=0.0, ends=True):
    """Equal masses in a row with equal springs between them, and to the walls."""
    facts = []
    for k in range(count):
        on = hs.WORLD if k == 0 else f"m{k - 1}"
        facts += [hs.Body(f"m{k}", 2.0), hs.Prismatic(f"x{k}", on, f"m{k}", axis="x")]
        if k or ends:
            facts.append(hs.JointSpring(f"s{k}", f"x{k}", 50.0, damping))
    if ends:
        facts.append(hs.Spring("last", f"m{count - 1}", hs.WORLD.at(10, 0, 0), 50.0, damping, 10.0))
    return hs.Model(*facts, gravity=(0, 0, 0))


def test_pendulum():
    for damping in (0.0, 0.4):
        hinge = hs.Revolute("hinge", hs.WORLD, "arm", axis="y", damping=damping)
        model = hs.Model(hs.Body("arm", 2.0, com=(0, 0, -0.5)), hinge)
        found = modes(model, {"hinge": 0.0})
        inertia = 0.5
        natural, ratio = np.sqrt(G / 0.5), damping / (2 * inertia * np.sqrt(G / 0.5))
        assert found.damping[0] == pytest.approx(ratio, abs=1e-14)
        swing = natural * np.sqrt(1 - ratio**2) / (2 * np.pi)
        assert found.frequencies[0] == pytest.approx(swing, rel=1e-13)
        assert found.shape(0) == {"hinge": pytest.approx(1.0)} and len(found) == 1


@pytest.mark.parametrize("damping", [0.0, 0.8])
def test_masses_on_springs(damping):
    """ω_k = 2 √(k/m) sin(k π / 2(n+1)); dampers in proportion to springs damp ζ = c ω / 2k."""
    n = 5
    found = modes(masses(n, damping))
    k = np.arange(1, n + 1)
    natural = 2 * np.sqrt(50.0 / 2.0) * np.sin(k * np.pi / (2 * (n + 1)))
    ratio = damping / 50.0 * natural / 2
    assert np.allclose(np.abs(found.eigenvalues), natural, rtol=1e-12)
    assert np.allclose(found.damping, ratio, atol=1e-13)
    assert np.allclose(found.frequencies, natural * np.sqrt(1 - ratio**2) / (2 * np.pi), rtol=1e-12)
    places = np.cumsum(found.shapes, axis=0)  # each coordinate begins where the last one ends
    for mode in range(n):
        wave = np.sin((mode + 1) * np.pi * k / (n + 1))
        assert np.linalg.matrix_rank(np.stack([places[:, mode].real, wave]), tol=1e-9) == 1


def test_double_pendulum():
    facts = [hs.Body(n, 1.0, com=(0, 0, -1.0), frames={"end": (0, 0, -1.0)}) for n in "ab"]
    model = hs.Model(
        *facts, hs.Revolute("A", hs.WORLD, "a", axis="y"), hs.Revolute("B", "a.end", "b", axis="y")
    )
    found = modes(model)
    expected = np.sqrt(G * (2 + np.sqrt(2) * np.array([-1, 1]))) / (2 * np.pi)
    assert np.allclose(found.frequencies, expected, rtol=1e-12)
    # the outer one goes √2 as far as the inner one, with it or against it
    ratio = found.shapes[1] / found.shapes[0]
    assert np.allclose(1 + ratio, [np.sqrt(2), -np.sqrt(2)])


def test_rigid_bodies_and_creeping():
    found = modes(masses(3, 0.1, ends=False))
    assert found.rigid == (True, False, False) and found.frequencies[0] == 0.0
    assert np.allclose(np.abs(found.shapes[:, 0]), [1, 0, 0], atol=1e-12)  # all of them move
    assert np.allclose(np.abs(found.eigenvalues[1:]), [5.0, 5.0 * np.sqrt(3)], rtol=1e-10)
    thick = modes(masses(1, 400.0))
    assert np.allclose(thick.frequencies, 0.0) and np.allclose(thick.damping, 1.0)
    assert thick.rigid == (False, False) and np.isclose(thick.eigenvalues.prod(), 50.0)
    lines = str(found).splitlines()
    assert len(lines) == 4 and "rigid" in lines[1] and "frequency" in lines[0]
    drifting = hs.Model(hs.Body("b", 1.0), hs.Prismatic("x", hs.WORLD, "b", damping=0.5), gravity=(0, 0, 0))
    found = modes(drifting)
    assert found.rigid == (True, False) and found.eigenvalues[1] == pytest.approx(-0.5)


def test_directions_that_powers_of_the_matrix_map_to_zero():
    """A drift that grows and grows has several eigenvalues of zero, and one direction."""
    draw = np.random.default_rng(8)
    T = draw.normal(size=(6, 6))
    A = np.zeros((6, 6))
    A[0, 1] = A[1, 2] = 1.0  # a chain of three
    A[3, 4], A[4, 3], A[5, 5] = 2.0, -2.0, -0.3
    values, vectors, rigid = decomposed(T @ A @ np.linalg.inv(T))
    assert rigid == (True, False, False) and np.allclose(values, [0.0, -0.3, 2.0j], atol=1e-9)
    assert np.linalg.matrix_rank(np.stack([vectors[:, 0], T[:, 0]]), tol=1e-8) == 1


def test_a_body_with_a_quaternion():
    found = modes(analysed.floating())
    assert len(found) == 6 and not any(found.rigid) and (found.damping > 0).all()
    assert found.shapes.shape == (7, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["suspension", "stewart"])
def test_loops_oscillate_as_their_modes_say(name):
    """A simulation started a little along a mode keeps to it, and decays as it should."""
    model, at = getattr(analysed, name)(), analysed.resting(name)
    found = modes(model, at)
    small = linearize(model, at)
    values = np.sort_complex(small.eigenvalues)
    mine = [x for x in found.eigenvalues if x]
    assert all(np.abs(values - x).min() < 1e-8 * abs(x) for x in mine)
    k = found.rigid.count(True)
    value, shape = found.eigenvalues[k], found.shape(k)
    lead = [n for n in small.states if n in model.coordinates]
    until = 0.15

    def end(size):
        start = {n: at[n] + size * shape[n].real for n in lead}
        start |= {f"{n}.v": size * (value * shape[n]).real for n in lead}
        result = hs.simulate(
            model, until=until, start=hs.assemble(model, start), tolerance=1e-12, every=until
        )
        return np.array([result.last[n] for n in model.coordinates])

    h = 1e-3
    moved = (8 * (end(h) - end(-h)) - (end(2 * h) - end(-2 * h))) / (12 * h)
    expected = [(shape[n] * np.exp(value * until)).real for n in model.coordinates]
    assert np.abs(moved - expected).max() < 1e-6


def test_the_spinning_governor_has_one_neutral_direction():
    found = modes(analysed.governor(), analysed.spinning())
    assert found.rigid[0] and sum(found.rigid) == 1
    assert abs(found.shape(0)["shaft"]) == pytest.approx(1.0)
    swinging = [k for k in range(len(found)) if found.frequencies[k] > 0]
    assert len(swinging) == 1 and found.eigenvalues[swinging[0]].real < 0


def test_a_mode_to_look_at(tmp_path):
    model = analysed.suspension()
    found = modes(model, analysed.resting("suspension"))
    result = found.result(1, amplitude=0.05, periods=1.0)
    at = found.at
    peak = max(np.abs(result[n] - at[n]).max() for n in model.coordinates)
    assert peak == pytest.approx(0.05, rel=0.05)
    assert result.t[-1] == pytest.approx(1 / found.frequencies[1])
    state = [[result[n][k] for n in model.coordinates] for k in (7, 30)]
    rows = hs.compile(hs.constraints(model))
    assert all(np.abs(rows(q, np.zeros(14)).h).max() < 1e-12 for q in state)
    assert "mode 1" in result.title
    page = result.save(tmp_path / "mode.html")
    assert page.stat().st_size > 10_000
    with pytest.raises(hs.ModelError, match="no mode 9"):
        found.result(9)
    with pytest.raises(hs.SolveError, match="lower the amplitude"):
        found.result(1, amplitude=30.0)
