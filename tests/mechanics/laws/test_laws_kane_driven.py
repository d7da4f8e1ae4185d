"""Kane's equations and reactions of mechanisms with drives: those of reduced dynamics and of runs."""

import numpy as np
import pytest

import hapsis as hs


def swing(*facts):
    return hs.Model(
        hs.Rod("a", 1.0, 2.0),
        hs.Rod("b", 0.7, 1.0),
        hs.Revolute("p", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", "a.end", "b", axis="y"),
        *facts,
    )


def four_bar():
    return hs.Model(
        hs.Body("cart", 1.0),
        hs.Rod("crank", 0.2, 0.2),
        hs.Rod("coupler", 0.5, 0.5),
        hs.Rod("rocker", 0.4, 0.4),
        hs.Prismatic("s", hs.WORLD, "cart", axis="x"),
        hs.Revolute("A", "cart", "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", ("cart", (0.45, 0, 0)), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        hs.Drive("motor", "A", position=lambda t: 0.3 + 6.28 * t),
    )


WAVE = hs.Drive("d", "p", position=lambda t: 0.3 + hs.sin(2 * t))
MODELS = {
    "arm": swing(WAVE),
    "combined": swing(
        WAVE, hs.Speed("u", {"p.v": 2.0, "k.v": 1.0}), hs.Speed("w", {"p.v": 1.0, "k.v": -1.0})
    ),
    "four-bar": four_bar(),
    "combined four-bar": four_bar() + hs.Speed("u", {"s.v": 1.0, "A.v": 0.2, "B.v": 0.1}),
    "pinned": hs.Model(
        hs.Rod("l", 1.0, 2.0),
        hs.Rod("m", 1.0, 2.0),
        hs.Chain("c", hs.WORLD, "l", "Tx Tz Ry"),
        hs.Revolute("k", "l.end", "m", axis="y"),
        hs.Drive("d", "k", velocity=1.5),
    ).pinned("l"),
    "belt": hs.library.whipple_bicycle(belt=True),
}


@pytest.mark.parametrize("name", MODELS)
def test_motion_and_reactions(name):
    model = MODELS[name]
    at = hs.assemble(model)
    names, lead = hs.generalized_speed_names(model), hs.independent_speeds(model, at)
    tau = np.random.default_rng(1).normal(size=len(model.speeds))
    u = hs.compile(hs.generalized_speeds(model))(at.q, at.v).u
    found = hs.compile(hs.kane_equations(model, at=at))(at.q, u[[names.index(n) for n in lead]])
    known = hs.compile(hs.reduced_dynamics(model, at=at))(at.q, at.v, tau)
    rates = np.linalg.solve(found.M, found.B @ tau - found.f)
    assert found.v == pytest.approx(known.v, abs=1e-12)
    assert found.B.T @ rates + found.b == pytest.approx(known.a, abs=1e-10)
    carried = [next(iter(model.joints)), *(joint.name for joint in model.cuts)]
    if name == "combined four-bar":
        return  # the planar loop has redundant rows out of its plane only
    run = hs.simulate(model, 1e-3, at)
    loads = hs.compile(hs.constraint_reactions(model, carried, at=at))(at.q, at.v, 0 * tau)
    for k, joint in enumerate(carried):
        assert loads.wrenches[k] == pytest.approx(run[f"{joint}.reaction"][0], abs=1e-9)


def test_later_the_drive_is_elsewhere():
    model = MODELS["arm"]
    run = hs.simulate(model, 1.0, {"k.v": 0.5}, every=0.25, tolerance=1e-12)
    f = hs.compile(hs.kane_equations(model))
    for k, t in enumerate(run.t):
        found = f([run["p"][k], run["k"][k]], [run["k.v"][k]], t=t)
        assert found.v == pytest.approx([2 * np.cos(2 * t), run["k.v"][k]], abs=1e-9)
        rates = np.linalg.solve(found.M, -found.f)
        assert (found.B.T @ rates + found.b)[1] == pytest.approx(run["k.a"][k], abs=1e-8)


def test_small_motions_beside_a_lock_and_what_is_refused():
    locked = swing(hs.Drive("d", "k", position=0.0))
    small = hs.compile(hs.linear_equations(locked))([np.pi / 2, 0.0], [0.0, 0.0])
    one = hs.linearize(locked, {"p": np.pi / 2})
    assert -small.K / small.M == pytest.approx(one.A[1:, :1], rel=1e-12)
    with pytest.raises(hs.ModelError, match='drive "d" moves'):
        hs.linear_equations(swing(WAVE))
    with pytest.raises(hs.ModelError, match='drive "d" gives an acceleration'):
        hs.kane_equations(swing(hs.Drive("d", "p", acceleration=1.0)))
    with pytest.raises(hs.SolveError, match=r"p\.v cannot be independent"):
        hs.kane_equations(swing(WAVE), ["p"])
    with pytest.raises(hs.ModelError, match="the pose names"):
        hs.kane_equations(swing(), at={"xx": 1.0})
