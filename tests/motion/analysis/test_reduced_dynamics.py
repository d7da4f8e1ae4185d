"""Loops closed, reduced and accelerated in one Function, against the equations with multipliers."""

import numpy as np
import pytest
import shared_models

import hapsis as hs


def four_bar(*facts):
    return shared_models.four_bar(*facts).replace("A", damping=0.02, armature=0.01)


def spatial(joint):
    """Two free bodies and a joint that ties them: twelve speeds, many of them dependent."""
    bodies = [
        hs.Body(
            n,
            mass=1.0 + k,
            com=(0.1, 0, 0.05),
            inertia=(0.2, 0.3, 0.25),
            frames={"f": hs.Frame((0.1, 0.2, -0.3 + k), (0.4, -0.2, 0.9))},
        )
        for k, n in enumerate("ab")
    ]
    return hs.Model(
        *bodies,
        hs.Free("fa", hs.WORLD, "a"),
        hs.Free("fb", hs.WORLD, "b"),
        joint,
        hs.Spring("s", "a", "b", stiffness=20.0, damping=0.5, length=0.3),
    )


MODELS = {
    "four-bar": four_bar(),
    "four-bar with a spring": four_bar(hs.Spring("s", hs.WORLD.at(0, 0, 1), "coupler.mid", 30.0)),
    "revolute": spatial(hs.Revolute("j", "a.f", "b.f", axis="y")),
    "ball": spatial(hs.Ball("j", "a.f", "b.f")),
    "weld": spatial(hs.Weld("j", "a.f", "b.f")),
    "universal": spatial(hs.Universal("j", "a.f", "b.f")),
    "distance": spatial(hs.Distance("d", "a", "b", 0.7)),
}


def state_of(model, seed):
    """A closed pose with speeds that keep it closed, found without the Function under test."""
    draw = np.random.default_rng(seed)
    start = {n: float(x) for n, x in zip(model.coordinates, draw.uniform(-1, 1, 14), strict=False)}
    if "A" in model.coordinates:
        start = {"A": 0.3 + seed}
    else:
        model = model.replace(poses={"start": start})
    state = hs.assemble(model, start if "A" in start else None)
    J = hs.compile(hs.constraints(model))(state.q, state.v).J
    free = draw.normal(size=len(model.speeds))
    return state, free - np.linalg.pinv(J) @ (J @ free), draw.normal(size=len(model.speeds))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_as_with_multipliers(name):
    model = MODELS[name]
    for seed in range(3):
        state, v, tau = state_of(model, seed)
        f = hs.compile(hs.reduced_dynamics(model, at=state))
        found = f(state.q, v, tau)
        rows = hs.compile(hs.constraints(model))(state.q, v)
        M = hs.compile(hs.mass_matrix(model))(state.q)
        c = hs.compile(hs.bias(model))(state.q, v)
        n, m = len(v), len(rows.h)
        K = np.block([[M, rows.J.T], [rows.J, np.zeros((m, m))]])
        a = np.linalg.lstsq(K, np.concatenate([tau - c, -rows.gamma]), rcond=None)[0][:n]
        scale = np.abs(a).max() + np.abs(tau).max()
        assert np.abs(found.q - state.q).max() < 1e-11 and np.abs(found.v - v).max() < 1e-9
        assert np.abs(found.a - a).max() < 1e-9 * scale
        assert np.abs(rows.J @ found.a + rows.gamma).max() < 1e-9 * scale


def test_dependent_coordinates_are_closed_from_nearby():
    model = MODELS["four-bar"]
    state, v, tau = state_of(model, 1)
    f = hs.compile(hs.reduced_dynamics(model, independent=["A"], at=state))
    exact, draw = f(state.q, v, tau), np.random.default_rng(7)
    for size in (1e-6, 1e-3, 1e-2, 0.1):
        aside = size * draw.normal(size=3) * [0.0, 1.0, 1.0]
        found = f(state.q + aside, v + aside, tau)
        gap = hs.compile(hs.constraints(model))(found.q, found.v)
        assert np.abs(gap.h).max() < 1e-12 and np.abs(gap.J @ found.v).max() < 1e-11
        assert found.a == pytest.approx(exact.a, rel=1e-9)


LIBRARY = (
    "three_bar",
    "redundant_four_bar",
    "five_link_suspension",
    "slider_crank",
    "stewart",
    "andrews",
    "bricard",
    "n_four_bar",
    "scissor_lift",
)


@pytest.mark.parametrize("name", LIBRARY)
def test_ready_mechanisms(name):
    model = getattr(hs.library, name)()
    state = hs.assemble(model)
    draw = np.random.default_rng(3)
    rows = hs.compile(hs.constraints(model))
    J = rows(state.q, state.v).J
    free = draw.normal(size=len(state.v))
    v, tau = free - np.linalg.pinv(J) @ (J @ free), draw.normal(size=len(state.v))
    found = hs.compile(hs.reduced_dynamics(model, at=state))(state.q, v, tau)
    at = rows(state.q, v)
    M = hs.compile(hs.mass_matrix(model))(state.q)
    c = hs.compile(hs.bias(model))(state.q, v)
    K = np.block([[M, at.J.T], [at.J, np.zeros((len(at.h),) * 2)]])
    a = np.linalg.lstsq(K, np.concatenate([tau - c, -at.gamma]), rcond=1e-12)[0][: len(v)]
    assert np.abs(found.a - a).max() < 1e-7 * (np.abs(a).max() + 1)


def test_power_balance():
    """What efforts do is what the energy gains, less what the damper takes."""
    model = MODELS["four-bar"]
    state, v, tau = state_of(model, 2)
    found = hs.compile(hs.reduced_dynamics(model, at=state))(state.q, v, tau)
    energy = hs.compile(hs.energy(model))
    h = 1e-6

    def total(s):
        moved = energy(state.q + s * v + 0.5 * s * s * found.a, v + s * found.a)
        return moved.kinetic + moved.potential

    gained = (total(h) - total(-h)) / (2 * h)
    assert gained == pytest.approx(tau @ v - 0.02 * v[0] ** 2, rel=1e-6)


def test_constraints_of_time():
    model = four_bar(hs.Constraint("led", lambda s: s["A"] - 0.3 - 2.0 * s.t - s.t * s.t))
    state = hs.assemble(model)
    assert state["A"] == pytest.approx(0.3) and state["A.v"] == pytest.approx(2.0, rel=1e-6)
    f = hs.compile(hs.reduced_dynamics(model, at=state))
    found = f(state.q, state.v, np.zeros(3), 0.05)
    assert found.q[0] == pytest.approx(0.3 + 0.1 + 0.0025)
    assert found.v[0] == pytest.approx(2.1) and found.a[0] == pytest.approx(2.0)
    assert f(state.q, state.v, np.zeros(3)).q[0] == pytest.approx(0.3)  # t is 0 by itself


def test_the_choice_of_coordinates():
    model = four_bar()
    state = hs.assemble(model, {"A": 0.3})
    results = []
    for name in ("A", "B", "D"):
        f = hs.compile(hs.reduced_dynamics(model, independent=[name], at=state))
        v = hs.assemble(model, {"A": 0.3, "A.v": 1.0}).v
        results.append(f(state.q, v, np.array([0.1, 0.2, 0.3])).a)
    assert results[0] == pytest.approx(results[1]) and results[0] == pytest.approx(results[2])
    with pytest.raises(hs.SolveError, match="A, B cannot be independent"):
        hs.reduced_dynamics(model, independent=["A", "B"], at=state)
    with pytest.raises(hs.ModelError, match='no coordinate "X"'):
        hs.reduced_dynamics(model, independent=["X"], at=state)


def test_errors():
    tree = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a"))
    with pytest.raises(hs.ModelError, match="no loops or drives to reduce"):
        hs.reduced_dynamics(tree)
    model = four_bar()
    loose = hs.assemble(model, {"A": 0.3})
    moved = type(loose)(loose.coordinates, loose.speeds, loose.q + np.array([0.01, 0, 0]), loose.v)
    with pytest.raises(hs.SolveError, match="the pose is open by"):
        hs.reduced_dynamics(model, at=moved)


def five_bar(*facts):
    """Two cranks, two links between them: two degrees of freedom."""
    return hs.Model(
        *(hs.Rod(n, length=x, mass=x) for n, x in zip("abcd", (0.3, 0.5, 0.5, 0.3), strict=True)),
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Revolute("E", hs.WORLD.at(0.4, 0, 0), "d", axis="y", damping=0.03),
        hs.Revolute("D", "d.end", "c", axis="y"),
        hs.Revolute("C", "b.end", "c.end", axis="y"),
        *facts,
        poses={"start": {"A": -2.2, "B": 1.2, "E": -1.0, "D": -1.2}},
    )


@pytest.mark.parametrize("level", ["position", "velocity", "acceleration"])
def test_drives_are_imposed(level):
    """As with one more row for the drive; at a time that is not zero."""
    w, t = 3.0, 0.4
    motion = {
        "position": lambda t: 0.2 * hs.sin(w * t) - 2.2,
        "velocity": lambda t: 0.2 * w * hs.cos(w * t),
        "acceleration": lambda t: -0.2 * w * w * hs.sin(w * t),
    }
    x, v_A, a_A = 0.2 * np.sin(w * t) - 2.2, 0.2 * w * np.cos(w * t), -0.2 * w * w * np.sin(w * t)
    free = five_bar()
    state = hs.assemble(free, {"A": x, "E": -1.0, "A.v": v_A, "E.v": 0.7})
    model = five_bar(hs.Drive("motor", "A", **{level: motion[level]}))
    f = hs.reduced_dynamics(model, at=hs.assemble(model))
    tau = np.array([0.0, 0.1, -0.2, 0.3])
    found = hs.compile(f)(state.q, state.v, tau, t=t)
    assert np.allclose(found.q, state.q, atol=1e-10) and np.allclose(found.v, state.v, atol=1e-9)
    rows = hs.compile(hs.constraints(free))(state.q, state.v)
    M, c = hs.compile(hs.mass_matrix(free))(state.q), hs.compile(hs.bias(free))(state.q, state.v)
    J = np.vstack([rows.J, np.eye(4)[:1]])
    K = np.block([[M, J.T], [J, np.zeros((3, 3))]])
    a = np.linalg.solve(K, np.concatenate([tau - c, -rows.gamma, [a_A]]))[:4]
    assert np.allclose(found.a, a, atol=1e-8)
