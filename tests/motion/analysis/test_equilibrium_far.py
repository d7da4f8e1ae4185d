"""Equilibria from far away: masses on springs and on cushions, random in mass, stiffness, start and scale."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.motion.solvers.linear.least_squares import least_squares
from hapsis.motion.solvers.linear.pseudo_transient import settled

G = 9.81
SEEDS = range(sample(12, 200))


def block(mass, *facts, scale=1.0):
    return hs.Model(
        hs.Body("block", mass),
        hs.Prismatic("lift", hs.WORLD, "block", axis="z"),
        *facts,
        gravity=(0.0, 0.0, -G * scale),
    )


@pytest.mark.filterwarnings("ignore:gravity is")
@pytest.mark.parametrize("nearest", [False, True])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_mass_hangs_where_its_spring_holds_it_from_any_start(scale, nearest):
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        mass, stiffness = 10.0 ** random.uniform(-3, 3), 10.0 ** random.uniform(-1, 6)
        rest, start = scale * random.uniform(-5, 5), scale * random.uniform(-500, 500)
        model = block(mass, hs.JointSpring("spring", "lift", stiffness, rest=rest), scale=scale)
        state = hs.equilibrium(model, {"lift": start}, nearest=nearest, stability=False)
        expected = rest - mass * G * scale / stiffness
        assert state["lift"] == pytest.approx(expected, rel=1e-9, abs=1e-9 * scale)
        assert scale > 1.0 or state.report.iterations < 60


def test_masses_in_a_row_hang_by_springs_from_any_start():
    for seed in SEEDS:
        random = np.random.default_rng(100 + seed)
        masses, stiffness = 10.0 ** random.uniform(-2, 2, 3), 10.0 ** random.uniform(1, 5, 3)
        facts, below = [], hs.WORLD
        for k, mass in enumerate(masses):
            facts += [hs.Body(f"b{k}", mass), hs.Prismatic(f"x{k}", below, f"b{k}", axis="z")]
            facts.append(hs.JointSpring(f"s{k}", f"x{k}", stiffness[k]))
            below = f"b{k}"
        start = {f"x{k}": random.uniform(-200, 200) for k in range(3)}
        state = hs.equilibrium(hs.Model(*facts), start, stability=False)
        for k in range(3):  # each spring carries what hangs below it
            expected = -masses[k:].sum() * G / stiffness[k]
            assert state[f"x{k}"] == pytest.approx(expected, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("law", ["felt", "cushion"])
def test_a_mass_sinks_into_what_it_falls_on(law):
    for seed in SEEDS:
        random = np.random.default_rng(200 + seed)
        mass, stiffness, power = 10.0 ** random.uniform(-2, 2), 10.0 ** random.uniform(6, 9), 2.0
        memory = 0.8 if law == "felt" else 0.0
        laws = {"felt": hs.Felt(stiffness, power, 0.8, 1.5e-3), "cushion": hs.HuntCrossley(stiffness, power)}
        model = block(mass, hs.Contact("floor", "block", hs.WORLD.plane(normal="z"), laws[law]))
        state = hs.equilibrium(model, {"lift": random.uniform(-0.1, 2.0)}, stability=False)
        depth = (mass * G / (stiffness * (1.0 - memory))) ** (1.0 / power)
        assert -state["lift"] == pytest.approx(depth, rel=1e-7)


@pytest.mark.parametrize("solver", [least_squares, settled])
def test_steps_grow_only_where_they_may(solver):
    """x' = -x from 1000: steps of 1 do not arrive in 100, growing ones do; a curved r keeps them short."""
    lengths = []

    def residual(x):
        return -x

    def moved(x, d):
        lengths.append(float(np.abs(d).max()))
        return x + d

    def slope(x):
        return -np.eye(1)

    far = np.array([1000.0])
    short = solver(residual, slope, far, retract=moved, goal=1e-9, longest=1.0, iterations=100)
    assert not short.reached and max(lengths) <= 1.0
    long = solver(residual, slope, far, retract=moved, goal=1e-9, longest=1.0, grows=True, iterations=100)
    assert long.reached and long.iterations < 50
    lengths.clear()

    def curved(x):
        return -x - 1e-2 * x * x * np.sign(x)

    def its_slope(x):
        return -np.eye(1) - np.diag(2e-2 * np.abs(x))

    solver(curved, its_slope, far, retract=moved, goal=1e-9, longest=1.0, grows=True, iterations=100)
    assert max(lengths) <= 1.0
