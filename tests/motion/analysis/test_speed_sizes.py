"""Generalized speeds of any size, in starts of many runs, and those that are next to dependent."""

import numpy as np
import pytest

import hapsis as hs

SCALES = (1e-12, 1e-9, 1e-4, 1.0, 1e5, 1e9, 1e12)
Q, V = np.array([0.3, 0.5]), np.array([1.0, -2.0])


def arm(*facts, **more):
    return hs.Model(
        hs.Rod("a", 1.0, 2.0),
        hs.Rod("b", 0.7, 1.0),
        hs.Revolute("p", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", "a.end", "b", axis="y"),
        *facts,
        **more,
    )


@pytest.mark.parametrize("first", SCALES)
@pytest.mark.parametrize("second", [None, 1e-9, 1e9])
def test_the_size_of_a_combination_does_not_matter(first, second):
    """Momenta are Y⁻ᵀ M v, speeds come back, and the accelerations are those without combinations."""
    model = arm(hs.Speed("u", {"p.v": first, "k.v": 2.0 * first}))
    if second is not None:
        model = model + hs.Speed("w", lambda s: second * (hs.cos(s["p"]) * s["p.v"] - s["k.v"]))
    u, Y, _ = hs.compile(hs.generalized_speeds(model))(Q, V)
    M = hs.compile(hs.mass_matrix(model))(Q)
    p = hs.compile(hs.generalized_momentum(model))(Q, V)
    assert p == pytest.approx(np.linalg.solve(Y.T, M @ V), rel=1e-12)
    at = hs.compile(hs.kane_equations(model))(Q, u)
    assert at.v == pytest.approx(V, rel=1e-12)
    size = np.abs(Y).max(axis=1)  # u̇ in units of its own
    rates = np.linalg.solve(at.M * np.outer(size, size), -at.f * size) * size
    a = hs.compile(hs.forward_dynamics(arm()))(Q, V, np.zeros(2))
    assert at.B.T @ rates + at.b == pytest.approx(a, rel=1e-11)


def test_what_is_next_to_dependent_is_refused():
    for part in (1e-6, 1e-12):
        model = arm(hs.Speed("u", {"p.v": 1, "k.v": 1}), hs.Speed("w", {"p.v": 1, "k.v": 1 + part}))
        with pytest.raises(hs.ModelError, match=r"the speeds u, w are no independent .* rank is 1 of 2"):
            hs.kane_equations(model)
    near = arm(hs.Speed("u", {"p.v": 1, "k.v": 1}), hs.Speed("w", {"p.v": 1, "k.v": 1.001}))
    Y = hs.compile(hs.generalized_speeds(near))(Q, V).Y
    M, p = hs.compile(hs.mass_matrix(near))(Q), hs.compile(hs.generalized_momentum(near))(Q, V)
    assert p == pytest.approx(np.linalg.solve(Y.T, M @ V), rel=1e-7)


@pytest.mark.parametrize("varied", ["u", "p", "k.v", "c"])
def test_many_runs_start_as_each_alone(varied):
    """The speeds that a combination asks for differ from run to run, whatever varies."""
    wave = hs.Speed("u", lambda s, c="c": (2 + hs.cos(s["p"])) * s["p.v"] + s["k.v"])
    plain = hs.Speed("u", {"p.v": "c", "k.v": 1.0})
    model = arm(plain if varied == "c" else wave, parameters={"c": 2.0})
    values = np.array([0.5, 1.0, 2.0])
    start = {"p": 0.2, "k.v": 0.3, "u": 1.0}
    parameters = {"c": values} if varied == "c" else None
    start |= {varied: values} if varied != "c" else {}
    many = hs.simulate(model, 0.1, start, every=0.05, parameters=parameters)
    for k, x in enumerate(values):
        alone = {**start, varied: x} if varied != "c" else start
        one = hs.simulate(model, 0.1, alone, every=0.05, parameters={"c": x} if varied == "c" else None)
        for name in ("u", "p.v", "k.v", "p"):
            assert np.asarray(many[name])[k] == pytest.approx(one[name], abs=1e-9)


def test_names_that_are_taken_and_speeds_of_steady_motions():
    with pytest.raises(hs.ModelError, match=r'speed "p\.effort" has the name'):
        arm(hs.Speed("p.effort", {"p.v": 1.0}))
    with pytest.raises(hs.ModelError, match="the name of a speed must be a text, not None"):
        hs.Speed("u", {None: 1.0})
    # an arm that gravity turns has no steady motion
    with pytest.raises(hs.SolveError, match="no steady motion near here"):
        hs.equilibrium(arm(hs.Speed("u", {"p.v": 1.0})), speeds={"u": 1.0})
