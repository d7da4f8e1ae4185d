"""Bounds of sampled walls: found again by sweeps, by frequencies, and by hands that try."""

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from hapsis.errors import SolveError
from hapsis.touch.haptics import passive_hands, passivity
from hapsis.touch.haptics.passive_hands import Hand, growth, held
from hapsis.touch.haptics.passivity import (
    needed_damping,
    needed_damping_of,
    spring_leak,
    stiffest_passive_wall,
    stiffest_stable_wall,
    stiffest_wall_for,
    wall,
    worst_hand,
    z_width,
    z_width_plot,
)

b, T = 0.5, 1e-3  # device damping, N·s/m; period, s
FIVE = 0.05  # of a bound that a sweep finds


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(passivity).failed == 0


def test_bounds_of_the_case():
    assert stiffest_passive_wall(b, T) == pytest.approx(1000.0)
    assert stiffest_passive_wall(b, T, 0.2) == pytest.approx(600.0)
    assert stiffest_passive_wall(b, T, -0.2) == pytest.approx(600.0)
    assert stiffest_passive_wall(b, T, 0.7) == 0.0
    assert stiffest_stable_wall(b, T) == pytest.approx(1000.0, rel=FIVE)
    assert stiffest_stable_wall(b, T, 0.2) == pytest.approx(1400.0, rel=FIVE)


def bounce(stiffness, damping=0.0, mass=0.1, samples=4000):
    """Sizes of the motion early and late, of a bare device at a sampled wall; step by step."""
    flow = np.array([[0, 1, 0], [0, -b / mass, 1 / mass], [0, 0, 0.0]])
    over, x, v, old, path = expm(T * flow), 1e-3, 0.0, 1e-3, []
    for _ in range(samples):
        force = -stiffness * x - damping * (x - old) / T
        old = x
        x, v, _ = over @ [x, v, force]
        path.append(abs(x))
    return max(path[500:1000]), max(path[-500:])


def test_without_damping_a_sweep_of_stiffness_finds_the_bound():
    """Walls are tried one after the other, in time, until one shakes."""
    sweep = np.arange(900.0, 1200.0, 10.0)
    shaking = [k for k in sweep for early, late in [bounce(k)] if late > early]
    assert shaking[0] == pytest.approx(stiffest_passive_wall(b, T), rel=FIVE)


def test_with_damping_the_sweep_finds_stability_and_not_passivity():
    early, late = bounce(1000.0, 0.2)
    assert late < 0.1 * early and stiffest_passive_wall(b, T, 0.2) < 1000.0


@given(st.floats(0.0, 1e5), st.floats(-5.0, 5.0), st.floats(1e-5, 1e-2))
def test_the_frequency_condition_gives_colgate_s_bound(stiffness, damping, period):
    need, frequency = needed_damping_of(wall(stiffness, period, damping), period)
    exact = needed_damping(stiffness, period, damping)
    assert need == pytest.approx(exact, rel=1e-5, abs=1e-12)
    assert 0.0 < frequency <= np.pi / period * (1 + 1e-12)


def test_the_frequency_condition_takes_any_law():
    # a delay of d samples costs K T more for each: K T / 2 + K d T
    for delay in (1, 2, 5):
        need, _ = needed_damping_of(lambda z, d=delay: 600.0 * z**-d, T)
        assert need == pytest.approx(600.0 * T * (0.5 + delay), rel=1e-3)
    # a law with its peak inside: a sampled spring behind a smoothing filter
    need, _ = needed_damping_of(lambda z: 300.0 * z / (z - 0.6) / (z - 0.2), T)
    fine = np.linspace(1e-3 * np.pi, np.pi, 400_001)
    z = np.exp(1j * fine)
    value = ((1 - 1 / z) * 300.0 * z / (z - 0.6) / (z - 0.2)).real / (1 - np.cos(fine)) * T / 2
    assert need == pytest.approx(value.max(), rel=1e-6)
    with pytest.raises(SolveError, match=r"the law is not finite at 3141\.59 rad/s"):
        with np.errstate(all="ignore"):
            needed_damping_of(lambda z: np.where(z.real < -0.9999999, np.inf, 1.0), T)


def test_an_adversarial_passive_hand_finds_the_bound():
    """Springs and masses make a wall shake that no plain mass shakes, down to the bound."""
    hand = worst_hand(600.0, T, 0.2)
    assert all(x > 0 for pair in hand.hung for x in pair) and hand.stiffness > 0
    assert stiffest_wall_for(hand, b, T, 0.2) == pytest.approx(600.0, rel=FIVE)
    # more of it comes closer: 8/π² Σ 1/(2n+1)² of the damping is asked for
    for modes in (1, 2, 5, 20):
        part = 8 / np.pi**2 * sum(1 / (2 * n + 1) ** 2 for n in range(modes))
        found = stiffest_wall_for(worst_hand(600.0, T, 0.2, modes=modes), b, T, 0.2)
        assert needed_damping(found, T, 0.2) == pytest.approx(b / part, rel=2e-3)
        assert found > 600.0
    # against damping that is negative the slow motion of a mass is worst
    slow = worst_hand(600.0, T, -0.2)
    assert slow.hung == () and stiffest_wall_for(slow, b, T, -0.2) == pytest.approx(600, rel=FIVE)


def test_the_hand_resonates_at_the_frequency_and_its_aliases():
    for frequency in (np.pi / T, 1000.0):
        hand = passive_hands.hand_resonating_at(frequency, T, 0.1, 5)
        masses, springs = hand.matrices()
        found = np.sqrt(np.sort(np.linalg.eigvals(springs / masses[:, None]).real))
        assert np.allclose(np.cos(found * T), np.cos(frequency * T), atol=1e-6)
        assert found[0] == pytest.approx(frequency) and len(found) == 5


def test_the_hand_draws_its_energy_from_the_wall():
    """Between the bounds of passivity and stability: alone quiet, in that hand it grows."""
    stiffness, damping, mass = 700.0, 0.2, 1e-3
    assert growth(held(Hand(mass), b, T), stiffness, damping) < 1.0
    hand = worst_hand(stiffness, T, damping, mass)
    system, (masses, springs) = held(hand, b, T), hand.matrices()
    n = len(masses)
    state = np.zeros(2 * n)
    state[0] = old = 1e-3
    work, energy = 0.0, []
    for _ in range(6000):
        x = state[0]
        force = -stiffness * x - damping * (x - old) / T
        state, old = system.over @ state + system.push * force, x
        work += force * (state[0] - x)
        energy.append(0.5 * state[n:] ** 2 @ masses + 0.5 * state[:n] @ springs @ state[:n])
    assert energy[-1] > 100 * energy[0] and work > energy[-1] - energy[0] > 0


@settings(max_examples=40)
@given(
    st.floats(0.01, 10.0),
    st.floats(0.0, 1e7),
    st.floats(0.0, 5.0),
    st.lists(st.tuples(st.floats(1e-3, 1.0), st.floats(1.0, 1e7)), max_size=3),
    st.floats(-0.45, 0.45),
    st.floats(0.05, 0.98),
)
def test_no_passive_hand_shakes_a_passive_wall(mass, stiffness, damping, hung, wall_damping, part):
    hand = Hand(mass, stiffness, damping, tuple(hung))
    system = held(hand, b, T)
    allowed = part * stiffest_passive_wall(b, T, wall_damping)
    assert growth(system, allowed, wall_damping) <= 1.0 + 1e-9


def test_the_leak_of_a_sampled_spring():
    assert spring_leak(1000.0, 0.1, T, 0.020) == pytest.approx(2.0e-3)
    # the same by adding up: a force held over each sample, there and back
    x = np.concatenate([np.arange(201), np.arange(199, -1, -1)]) * 1e-4
    given = np.sum(-1000.0 * x[:-1] * np.diff(x))
    assert given == pytest.approx(spring_leak(1000.0, 0.1, T, 0.020), rel=1e-12)


def test_z_width():
    found = {rate: z_width(b, 1 / rate, points=11) for rate in (1000, 10000)}
    np.testing.assert_allclose(found[10000].passive, 10 * found[1000].passive, atol=1e-9)
    slow = found[1000]
    assert (slow.stable >= slow.passive * (1 - 1e-6)).all()
    assert slow.holds(590.0, 0.2) and not slow.holds(610.0, 0.2)
    assert found[10000].holds(5900.0, 0.2)
    picture = z_width_plot(b, (1000.0,)).svg
    assert "1 kHz, passive" in picture and "1 kHz, stable" in picture


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: needed_damping(-1.0, T), "a stiffness or device damping of -1; expected 0 or"),
        (lambda: needed_damping(1.0, 0.0), "period is 0.0; expected a positive number"),
        (lambda: needed_damping(1.0, T, float("nan")), "damping is nan; expected a number"),
        (lambda: needed_damping("stiff", T), "stiffness is 'stiff'"),  # type: ignore[arg-type]
        (lambda: needed_damping([1], T), "stiffness is "),  # type: ignore[arg-type]
        (lambda: spring_leak(1.0, -1.0, T, 1.0), "speed is -1.0"),
        (lambda: Hand(1.0, -5.0), "a stiffness of -5: this hand is not passive"),
        (lambda: Hand(1.0, hung=((1.0, -1.0),)), "of what is hung of -1: this hand is not"),
        (lambda: stiffest_stable_wall(b, T, mass=1e30), "the mass is too large to tell"),
        (lambda: z_width(-1.0, T), "device_damping is -1.0"),
    ],
)
def test_wrong_numbers_are_told(call, message):
    with pytest.raises(SolveError) as caught:
        call()
    assert message in str(caught.value)
