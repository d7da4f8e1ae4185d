"""The law of similarity: a model of another size gives the same answers in its own units, by every verb.

Lengths from 1e-6 to 1e4 m, masses from 1e-9 to 1e6 kg, times from 1e-3 to 1e3 s.
"""

import numpy as np
import pytest
from samples import sample
from similar_models import CLOSED, Units, arm, row_sizes, sizes

import hapsis as hs

ONE = Units()
SEEDS = range(sample(2, 100))
EDGES = [Units(1e-6, 1e-9, 1e-3), Units(1e4, 1e6, 1e3), Units(1e-6, 1e6, 1.0), Units(1e4, 1e-9, 1.0)]
CASES = [*EDGES, *SEEDS]


def units_of(case):
    """Given ones, or random ones by their number."""
    if isinstance(case, Units):
        return case
    draw = np.random.default_rng(case)
    low, high = np.array([-6.0, -9.0, -3.0]), np.array([4.0, 6.0, 3.0])
    return Units(*(10.0 ** draw.uniform(low, high)).tolist())


def same(found, wanted, digits):
    """Equal to so many digits of the largest number."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    size = max(float(np.abs(wanted).max(initial=0.0)), 1e-12)
    assert np.isfinite(found).all() and np.abs(found - wanted).max(initial=0.0) <= 10.0**-digits * size


class Pair:
    """A model as it is and in other units, and what turns numbers of the second into those of the first."""

    def __init__(self, name, case):
        self.u, self.plain, self.other = units_of(case), CLOSED[name](ONE), CLOSED[name](units_of(case))
        self.q, self.v = sizes(self.plain, self.u), sizes(self.plain, self.u, speeds=True)
        self.rows = row_sizes(self.plain, self.u)

    def states(self):
        """Both in the same closed pose, moving."""
        lead = hs.assemble(self.plain).report.independent[0]
        speed = lead if lead in self.plain.speeds else f"{lead}.v"
        plain = hs.assemble(self.plain, {speed: 0.7})
        given = dict(zip(plain.coordinates, plain.q * self.q, strict=True))
        unit = self.v[self.plain.speeds.index(speed)]
        return plain, hs.assemble(self.other, {**given, speed: 0.7 * unit / self.u.T})


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", CLOSED)
def test_loops_close_and_move(name, case):
    pair = Pair(name, case)
    plain, other = pair.states()
    u = pair.u
    free = hs.assemble(pair.other)  # which pose it takes is not determined, but that it is closed
    # which coordinates lead may differ by where the size lies between two units
    reports = [r._replace(gap=0.0, independent=()) for r in (free.report, hs.assemble(pair.plain).report)]
    assert reports[0] == reports[1]
    gaps = hs.compile(hs.constraints(pair.other))(free.q, 0.0 * free.v).h / pair.rows
    assert np.abs(gaps).max() <= 1e-11
    same(other.q / pair.q, plain.q, 12)
    same(other.v / pair.v * u.T, plain.v, 9)
    zero = np.zeros(len(plain.v))
    effort = 0.3 * np.cos(np.arange(len(plain.v)))
    other_effort = effort * u.energy / pair.v
    first = hs.compile(hs.forward_dynamics(pair.plain))(plain.q, plain.v, effort)
    second = hs.compile(hs.forward_dynamics(pair.other))(other.q, other.v, other_effort)
    same(second.a / pair.v * u.T**2, first.a, 8)
    same(second.lam * pair.rows / u.energy, first.lam, 7)
    reduced = hs.compile(hs.reduced_dynamics(pair.other, at=other))(other.q, other.v, other_effort)
    same(reduced.a / pair.v * u.T**2, first.a, 8)  # an independent route
    lam = hs.compile(hs.multipliers(pair.other))(other.q, other.v, second.a, other_effort)
    same(lam * pair.rows / u.energy, first.lam, 7)
    needed = [
        hs.compile(hs.inverse_dynamics(m))(s.q, s.v, zero)
        for m, s in ((pair.plain, plain), (pair.other, other))
    ]
    same(needed[1] * pair.v / u.energy, needed[0], 9)


@pytest.mark.parametrize("L", [2.0**-20, 2.0**-10, 2.0**10])
@pytest.mark.parametrize("name", CLOSED)
def test_to_the_last_bit_in_its_own_unit(name, L):
    pair = Pair(name, Units(L=L, M=2.0**20))
    plain, other = hs.assemble(pair.plain), hs.assemble(pair.other)
    assert (other.q / pair.q == plain.q).all()
    first, second = (hs.simulate(m, until=0.3, every=0.1) for m in (pair.plain, pair.other))
    for n, unit in zip(plain.coordinates, pair.q, strict=True):
        assert (second[n] / unit == first[n]).all()


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", ["slider_crank", "pendulum_on_a_rope", "screw"])
def test_equilibrium_and_small_motions(name, case):
    pair = Pair(name, case)
    u = pair.u
    first, second = hs.equilibrium(pair.plain), hs.equilibrium(pair.other)
    same(second.q / pair.q, first.q, 7)
    assert second.report.stability == first.report.stability
    small, large = hs.linearize(pair.plain, first), hs.linearize(pair.other, second)
    assert len(small.states) == len(large.states)
    same(large.eigenvalues * u.T, small.eigenvalues, 5)
    one, two = hs.modes(pair.plain, first), hs.modes(pair.other, second)
    same(two.frequencies * u.T, one.frequencies, 5)
    assert two.rigid == one.rigid


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", CLOSED)
def test_motion(name, case):
    pair = Pair(name, case)
    u = pair.u
    plain, other = pair.states()
    first = hs.simulate(pair.plain, until=0.5, start=plain, every=0.1)
    second = hs.simulate(pair.other, until=0.5 * u.T, start=other, every=0.1 * u.T)
    assert first.success and second.success, second.message
    for names, units, time in ((plain.coordinates, pair.q, 1.0), (plain.speeds, pair.v, u.T)):
        one, two = (np.array([result[n] for n in names]) for result in (first, second))
        same(two / units[:, None] * time, one, 6)
    assert second.energy_drift < 1e-7


@pytest.mark.parametrize("case", CASES, ids=str)
def test_steps(case):
    pair = Pair("slider_crank", case)
    u = pair.u
    plain, other = pair.states()
    ends = []
    for model, state, dt in ((pair.plain, plain, 1e-3), (pair.other, other, 1e-3 * u.T)):
        step = hs.compile(hs.stepper(model, dt, start=state))
        q, v, t = np.array(state.q), np.array(state.v), 0.0
        for _ in range(20):
            q, v, t = step(q, v, t)
        ends.append((q, v))
    same(ends[1][0] / pair.q, ends[0][0], 8)
    same(ends[1][1] / pair.v * u.T, ends[0][1], 8)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reach(case):
    u = units_of(case)
    target = (0.5, 0.3, -0.1)
    first = hs.reach(arm(ONE), "fore.tip", target)
    second = hs.reach(arm(u), "fore.tip", u.at(*target))
    assert second.report.position_error <= 2e-9 * u.L * 40
    same(second.q / sizes(arm(ONE), u), first.q, 5)
