"""Drives whose speed jumps: the impulse acts on all that they move, on trees and loops."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs

JUMP = 0.5


def kinked(before, after):
    """A position whose speed is `before`, and `after` from the time JUMP on."""
    return lambda t: before * hs.minimum(t, JUMP) + after * hs.maximum(t - JUMP, 0.0)


def random_tree(draw, *, loop=False):
    """A chain of bodies with turning and sliding joints, closed at its end or not; one is driven."""
    facts, parent, names = [], hs.WORLD, []
    count = 4 if loop else int(draw.integers(2, 6))
    for k in range(count):
        name, axis = f"b{k}", "y" if loop else draw.choice(list("xyz"))
        com, size = draw.uniform(-0.3, 0.3, 3), draw.uniform(0.01, 0.1, 3) + 0.1
        facts.append(hs.Body(name, mass=draw.uniform(0.2, 2), com=tuple(com), inertia=tuple(size)))
        kind = hs.Revolute if loop or draw.random() < 0.7 else hs.Prismatic
        facts.append(kind(f"j{k}", parent, name, axis=axis))
        names.append(f"j{k}")
        at = (0.4 + 0.2 * draw.random(), 0.0 if loop else 0.1 * draw.random(), 0.05 * draw.random())
        parent = (name, hs.Frame(at))
    if loop:
        facts.append(hs.Distance("rod", parent, hs.WORLD.at(0.9, 0.0, -0.3), draw.uniform(0.5, 0.7)))
    return facts, names


def check_impulse(model, name, speeds, result):
    """p⁺ - p⁻ = Jᵀ Λ: no impulse along any way to move that drives and loops leave free."""
    after = int(np.searchsorted(result.t, JUMP))
    now = hs.State(model.coordinates, model.speeds, *states(model, result, after))
    before = hs.State(model.coordinates, model.speeds, *states(model, result, after - 1))
    M = hs.compile(hs.mass_matrix(model))(now.q)
    slot = model.speeds.index(f"{name}.v")
    A = [np.eye(len(model.speeds))[slot]]
    if model.constraints:
        A += list(hs.compile(hs.constraints(model))(now.q, 0 * now.v).J)
    _, sizes, V = np.linalg.svd(np.array(A))
    free = V[int((sizes > 1e-9).sum()) :]
    change = M @ (now.v - before.v)
    scale = np.abs(M @ now.v).max() + np.abs(M @ before.v).max()
    # rows are a short time apart, in which forces act too
    assert np.abs(free @ change).max(initial=0.0) < 2e-3 * scale
    assert now.v[slot] == pytest.approx(speeds[1], abs=1e-9)
    assert before.v[slot] == pytest.approx(speeds[0], abs=1e-9)


def states(model, result, row):
    return (
        np.array([result[n][row] for n in model.coordinates]),
        np.array([result[n][row] for n in model.speeds]),
    )


@pytest.mark.parametrize("loop", [False, True], ids=["trees", "loops"])
def test_random_jumps_keep_the_free_momentum_and_the_energy(loop):
    draw = np.random.default_rng(7 + loop)
    for _ in range(sample(3, 60)):
        facts, names = random_tree(draw, loop=loop)
        name = "j0" if loop else str(draw.choice(names))
        speeds = draw.uniform(-1.5, 1.5, 2)
        model = hs.Model(*facts, hs.Drive("d", name, position=kinked(*speeds)), gravity=(0, 0, -2.0))
        result = hs.simulate(model, until=0.6, every=1e-4)
        assert result.success, result.message
        assert result.energy_drift < 1e-6
        assert [e.time for e in result.events if e.name == "d.jump"] == pytest.approx([JUMP])
        check_impulse(model, name, speeds, result)


def cart(**drive):
    return hs.Model(
        hs.Body("cart", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Body("bob", mass=1.0, com=(0, 0, -0.5), inertia=(1e-6, 1e-6, 1e-6)),
        hs.Revolute("hinge", "cart", "bob", axis="y"),
        hs.Drive("motor", "x", **drive),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize(
    "drive",
    [
        {"position": lambda t: 2.0 * hs.minimum(t, 0.5)},
        {"velocity": lambda t: hs.where(t < 0.5, 2.0, 0.0)},
        {"position": lambda t: hs.where(t < 0.5, 2.0 * t, 1.0)},
    ],
    ids=["minimum", "velocity", "where"],
)
@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"method": "stiff"}], ids=["auto", "rk4", "stiff"])
def test_a_bob_goes_on_when_its_cart_stops(drive, options):
    result = hs.simulate(cart(**drive), until=1.0, **options)
    assert result.success and result.energy_drift < 1e-5
    assert 0.5 * result["hinge.v"][-1] == pytest.approx(-2.0, rel=1e-3)
    # the impulse takes what the cart had
    assert result["work"][-1] == pytest.approx(-2.0, rel=1e-3)


@pytest.mark.parametrize(
    "position", [lambda t: 2.0 * hs.minimum(t, 0.5), lambda t: hs.where(t < 0.5, 2.0 * t, 1.0)]
)
def test_a_run_that_ends_at_the_jump_goes_on_behind_it(position):
    """The impulse acts once, in the run that reaches the jump."""
    model = cart(position=position)
    first = hs.simulate(model, until=0.5)
    assert first["x.v"][-1] == 0.0 and 0.5 * first["hinge.v"][-1] == pytest.approx(-2.0, rel=1e-3)
    second = hs.simulate(model, until=1.0, start=first)
    assert second.success and second["x.v"][0] == 0.0
    assert 0.5 * second["hinge.v"][-1] == pytest.approx(-2.0, rel=1e-3)
    assert [len([e for e in r.events if e.name == "motor.jump"]) for r in (first, second)] == [1, 0]


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
def test_a_position_that_jumps_is_said():
    result = hs.simulate(cart(position=lambda t: hs.where(t < 0.5, 0.0, 1.0)), until=1.0)
    assert result.status == "jump" and not result.success
    assert 'drive "motor" jumps from 0 to 1' in result.message
    assert result.t[-1] == pytest.approx(0.5)


def test_derivatives_over_a_jump_are_refused():
    model = cart(position=lambda t: 2.0 * hs.minimum(t, 0.5))
    with pytest.raises(hs.SolveError, match='the speed of drive "motor" jumps'):
        hs.sensitivities(model, until=1.0, to=["hinge"])
    with pytest.raises(hs.SolveError, match='the speed of drive "motor" jumps'):
        hs.gradient(model, lambda s: s["hinge"], ["hinge"], until=1.0)
