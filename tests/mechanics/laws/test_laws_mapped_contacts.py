"""Contacts mapped or written out: the same forces, accelerations, states, signals, zones and events."""

import pickle
import random

import forces
import numpy as np
import pytest
from forces import values
from samples import sample
from trees import close

import hapsis as hs
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import PAIRS
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.dynamics.state_rates import approach, signals, state_rates
from hapsis.mechanics.formalisms.forces import contact_groups

KINDS = sorted(pair for pair in PAIRS if "heightfield" not in pair)
EXACT = 1e-9


def shape(kind, draw):
    r, a, b = (draw.uniform(0.4, 1.0) for _ in range(3))
    return {
        "point": lambda: None,
        "sphere": lambda: hs.Sphere(r),
        "segment": lambda: hs.Segment(a),
        "capsule": lambda: hs.Capsule(r, a),
        "box": lambda: hs.Box((a, r, b)),
        "cylinder": lambda: hs.Cylinder(r, a),
        "plane": lambda: hs.Plane(draw.choice(("z", "-x", (1.0, 0.4, -0.3)))),
    }[kind]()


def side(end, solid):
    return end if solid is None else (end, solid)


def law(draw):
    return draw.choice(
        (hs.Linear(30.0, 1.0), hs.HuntCrossley(30.0, damping=0.2), hs.Felt(30.0, 2.5, 0.4, 0.3))
    )


FRICTIONS = (None, 0.4, hs.Coulomb(0.3, 0.5, 0.1), forces.gum, *forces.ROUGH)


def scene(kinds, seed, mapped):
    """Bodies on a free one and in the world, with contacts of one pair of kinds."""
    draw = random.Random(f"{kinds} {seed}")
    bodies = [hs.Body(f"b{k}", 1.0, (0.1, 0, 0), (0.5, 0.6, 0.7)) for k in range(3)]
    joints = [
        hs.Free("j0", "world", "b0"),
        hs.Planar("j1", "b0", "b1"),
        hs.Revolute("j2", "b1", "b2", axis="y"),
    ]
    normal, friction = law(draw), draw.choice(FRICTIONS)
    contacts = []
    for k, (first, second) in enumerate((("b0", "b1"), ("b2", "b0"), ("world", "b2"))):
        solids = [shape(kind, draw) for kind in kinds]
        there = hs.Frame([draw.uniform(-0.4, 0.4) for _ in range(3)], [draw.uniform(-3, 3) for _ in range(3)])
        sides = [side((first, there), solids[0]), side(second, solids[1])]
        contacts.append(hs.Contact(f"c{k}", *sides, law=normal, friction=friction, mapped=mapped))
    return hs.Model(bodies, joints, contacts)


def by_name(function, known):
    return dict(zip([port.name for port in function.outputs], values(function, known), strict=True))


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_mapped_or_written_out_they_are_the_same(kinds):
    for seed in range(sample(1, 4)):
        mapped, written = (scene(kinds, seed, how) for how in (True, False))
        assert extras(written).near == 0 and set(extras(written).alone) == {"c0", "c1", "c2"}
        assert extras(mapped).alone == () and [*extras(mapped).states] == [*extras(written).states]
        assert extras(mapped).zones == extras(written).zones
        known = forces.known(mapped, random.Random(seed), 5)
        known["q"][:, :3] *= 0.2
        slow = kinds[0] == "cylinder" and kinds[1] in ("box", "cylinder")
        for function in (state_rates,) if slow else (state_rates, signals, approach):
            one, other = (by_name(function(made), known) for made in (mapped, written))
            assert set(one) == set(other)
            for name in one:
                close(one[name], other[name], gate=EXACT)


@pytest.mark.parametrize(
    "kinds", [("sphere", "plane"), ("segment", "sphere"), ("box", "capsule")], ids="-".join
)
def test_events_are_the_same(kinds):
    if kinds not in PAIRS:
        kinds = kinds[::-1]
    found = []
    for mapped in (True, False):
        model = hs.Model(
            hs.Body("b", 1.0, inertia=(0.1, 0.1, 0.1)),
            hs.Free("j", hs.WORLD, "b"),
            [
                hs.Contact(f"c{k}", side(hs.End("b", (0.5 * k, 0, 0)), shape(kinds[0], random.Random(k))),
                           side(hs.WORLD.at(0.5 * k, 0, -2.0), shape(kinds[1], random.Random(3))),
                           hs.HuntCrossley(1e4, damping=0.2), 0.2, mapped=mapped)
                for k in range(2)
            ],
        )  # fmt: skip
        result = hs.simulate(model, until=0.8, tolerance=1e-8)
        found.append([(event.name, event.time) for event in result.events])
    assert len(found[0]) > 1
    assert [name for name, _ in found[0]] == [name for name, _ in found[1]]
    assert [t for _, t in found[0]] == pytest.approx([t for _, t in found[1]], abs=1e-6)


def balls(count, **options):
    facts = []
    for k in range(count):
        facts += [hs.Body(f"b{k}", 1.0, inertia=(1, 1, 1)), hs.Free(f"j{k}", hs.WORLD, f"b{k}")]
        facts.append(
            hs.Contact(f"c{k}", (f"b{k}", hs.Sphere(0.1)), hs.WORLD.plane(), friction=0.3, **options)
        )
    return hs.Model(*facts)


def test_it_is_mapped_only_where_that_is_shorter():
    """Written out, each contact takes fewer operations; very many of them would be too much code."""
    few, many = balls(8), balls(60)
    assert len(extras(few).alone) == 8 and not extras(many).alone
    costs = [state_rates(balls(8, mapped=how)).cost().flops for how in (None, False, True)]
    assert costs[0] == costs[1] < 0.7 * costs[2]


@pytest.mark.parametrize(
    "kinds", [("sphere", "plane"), ("sphere", "segment"), ("box", "plane")], ids="-".join
)
def test_written_out_takes_no_more_operations(kinds):
    """Except that the eight corners of a box push one by one."""
    mapped, written = (state_rates(scene(kinds, 1, how)).cost().flops for how in (True, False))
    assert written <= (1.02 if kinds[0] == "box" else 1.0) * mapped


def test_states_go_on_where_nothing_touches():
    """A felt that was left relaxes, mapped too."""
    made = hs.Model(
        hs.Body("b", 1.0), hs.Prismatic("z", hs.WORLD, "b", axis="z"),
        hs.Contact("c", ("b", hs.Sphere(0.1)), hs.WORLD.plane(), hs.Felt(1e4, 2.0, 0.5, 0.1), mapped=True),
    )  # fmt: skip
    assert extras(made).near == 0
    rates = hs.compile(state_rates(made))([5.0], [0.0], [0.0], [0.3])
    assert rates.dz[0] == pytest.approx(-3.0)


def test_what_cannot_be_mapped_says_why():
    def pulsing(gap, rate, t):
        return hs.maximum(-gap, 0.0) * (2.0 + hs.sin(t))

    for law, ground, reason in (
        (pulsing, hs.WORLD.plane(), "reads the time or signals"),
        (None, hs.WORLD.heightfield(lambda x, y: 0.1 * x), "it has a heightfield"),
    ):
        made = hs.Model(
            hs.Body("b", 1.0), hs.Free("j", hs.WORLD, "b"),
            hs.Contact("c", ("b", hs.Sphere(0.1)), ground, law, mapped=True),
        )  # fmt: skip
        with pytest.raises(hs.ModelError, match=f'contact "c": it cannot be mapped: .*{reason}'):
            state_rates(made)
    with pytest.raises(hs.ModelError, match='mapped is "yes"'):
        hs.Contact("c", "a", "b", mapped="yes")  # pyright: ignore


@pytest.mark.parametrize("mapped", [None, True, False])
def test_files_and_pickles_keep_it(mapped, tmp_path):
    made = balls(2, mapped=mapped)
    hs.save(made, tmp_path / "balls.yaml")
    for other in (hs.load(tmp_path / "balls.yaml"), pickle.loads(pickle.dumps(made))):
        assert [c.mapped for c in other.contacts.values()] == [mapped, mapped]
    assert ("mapped" in (tmp_path / "balls.yaml").read_text()) == (mapped is not None)


def test_a_long_code_is_what_the_kernel_says(monkeypatch):
    monkeypatch.setattr(contact_groups, "LONG", 100)
    assert not extras(balls(5)).alone
    assert np.all(np.array(extras(balls(3)).alone) == ["c0", "c1", "c2"])  # fewer than four stay
