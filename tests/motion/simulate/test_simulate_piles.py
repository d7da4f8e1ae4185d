"""Many contacts: boxes that rest on each other, and a broad phase that changes no bit."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.dynamics.state_rates import broad_phase, signals
from hapsis.mechanics.formalisms.forces import mapped_contacts as many_contacts

SIDE, MASS, G = 0.1, 1.0, 9.81
STIFFNESS = 1e4


def pile(rows, columns):
    """Columns of boxes, each pair of which may touch, on a floor."""
    law, facts, start = hs.Linear(STIFFNESS, 60.0), [], {}
    inertia = (MASS * SIDE**2 / 6,) * 3
    names = [f"b{k}" for k in range(rows * columns)]
    for k, name in enumerate(names):
        box = hs.Body(name, mass=MASS, inertia=inertia, shapes=[hs.Box((SIDE,) * 3)])
        facts += [box, hs.Free(name, hs.WORLD, name)]
        facts.append(hs.Contact(f"{name} floor", hs.Surface(name), hs.WORLD.plane(), law=law, friction=0.5))
        facts += [
            hs.Contact(f"{other} {name}", hs.Surface(other), hs.Surface(name), law=law, friction=0.5)
            for other in names[:k]
        ]
        row, column = divmod(k, columns)
        start |= {f"{name}.x": 0.2 * column, f"{name}.z": SIDE * (row + 0.5) + 1e-3 * (row + 1)}
    return hs.Model(*facts), start


@pytest.fixture(scope="module")
def towers():
    return pile(3, 2)


def test_towers_come_to_rest(towers):
    model, start = towers
    result = hs.simulate(model, until=0.6, start=start, every=0.05, method="order5", tolerance=1e-5)
    assert result.success and result.energy_drift < 1e-3
    for k in range(6):
        # each box presses on what is below by the weight of all above, through four corners
        row = k // 2
        sunk = sum(MASS * G * (3 - below) / (4 * STIFFNESS) for below in range(row + 1))
        assert result[f"b{k}.z"][-1] == pytest.approx(SIDE * (row + 0.5) - sunk, abs=3e-5)
        assert abs(result[f"b{k}.vz"][-1]) < 2e-3
        assert abs(result[f"b{k}.x"][-1] - start[f"b{k}.x"]) < 1e-4
    floor = sum(result[f"b{k} floor.force"][-1] for k in range(6))
    assert floor == pytest.approx(6 * MASS * G, rel=0.02)


def test_the_broad_phase_changes_no_bit(towers, monkeypatch):
    model, start = towers
    options = dict(until=0.1, start=start, every=0.01, method="rk4", step=1e-4)
    quick = hs.simulate(model, **options)
    # with balls that hold everything no pair is skipped
    monkeypatch.setattr(many_contacts, "MARGIN", 1e6)
    slow = hs.simulate(model, **options)
    for name in (*model.coordinates, *model.speeds):
        assert quick[name].tobytes() == slow[name].tobytes()


@pytest.mark.slow
def test_it_rules_out_what_is_far_and_nothing_else(towers):
    model, _ = towers
    near = hs.compile(broad_phase(model))
    count = extras(model).near
    assert count == 6 + 15
    draw = np.random.default_rng(5)
    q, v = np.zeros(len(model.coordinates)), np.zeros(len(model.speeds))
    for _ in range(50):
        for k in range(6):
            q[7 * k : 7 * k + 3] = draw.uniform(-0.3, 0.3, 3)
            turn = draw.normal(size=4)
            q[7 * k + 3 : 7 * k + 7] = turn / np.linalg.norm(turn)
        found, longest = near(q, v, 1e-3)
        p = q.reshape(6, 7)[:, :3]
        ball = SIDE * 3**0.5 / 2
        pairs = [(a, b) for b in range(6) for a in range(b)]
        expected = {f"b{a} b{b}": np.linalg.norm(p[a] - p[b]) < 2 * ball for a, b in pairs}
        expected |= {f"b{k} floor": p[k, 2] < ball for k in range(6)}
        told = dict(zip(names_of(model), found, strict=True))
        assert all(told[name] for name, close in expected.items() if close)
        far = [n for n, close in expected.items() if not close]
        assert sum(told[name] for name in far) < len(far) or not far
        assert longest > 0.0


def names_of(model):
    """The contacts in the order of the mapped pairs."""
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
    from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

    tree = posed_tree(model)
    applied = AppliedForces(tree, tree.symbols("v"), sticking=True)
    return [gap.contact for gap in applied.gaps]


def test_signals_of_a_contact_in_two_groups():
    """A body of a ball and a box, four times: its pairs are mapped in two groups, and both tell."""

    def body(name):
        shapes = [hs.Sphere(0.1, at=(0.3, 0, 0)), hs.Box((0.2, 0.2, 0.2))]
        return hs.Body(name, mass=1.0, inertia=(1, 1, 1), shapes=shapes)

    law = hs.Linear(100.0)
    facts = [
        [
            body(f"b{k}"),
            hs.Free(f"f{k}", hs.WORLD, f"b{k}"),
            hs.Contact(f"c{k}", hs.Surface(f"b{k}"), hs.WORLD.plane(), law=law, mapped=True),
        ]
        for k in range(4)
    ]
    model = hs.Model(*facts)
    assert extras(model).near == 8
    function = signals(model)
    q = np.tile([0.0, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0], 4)
    found = hs.compile(function)(q, np.zeros(24))
    told = dict(zip([port.name for port in function.outputs], found, strict=True))
    for k in range(4):
        # the ball and four corners, each 5 cm deep
        assert told[f"c{k}.force"] == pytest.approx(5 * 100 * 0.05)
        assert told[f"c{k}.gap"] == pytest.approx(-0.05)
