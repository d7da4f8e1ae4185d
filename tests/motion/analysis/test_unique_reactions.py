"""Reactions that a motion determines, and those it leaves open."""

import numpy as np
import pytest
from shared_models import library

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import multipliers
from hapsis.mechanics.formalisms.dynamics.reactions import reactions
from hapsis.motion.analysis.assembly.unique_reactions import unique_reactions

DOOR = hs.Body("door", 20.0, (0.4, 0, 1), (6, 8, 2), {"top": (0, 0, 2)})
LOW, HIGH = (hs.WORLD, "door"), (hs.WORLD.at(0, 0, 2), "door.top")
COMPONENTS = ("rx", "ry", "rz", "x", "y", "z")


def open_rows(found):
    """{joint: rows that are not unique} of the joints that have some."""
    rows = {n: {r for r, unique in mine.items() if not unique} for n, mine in found.rows.items()}
    return {name: mine for name, mine in rows.items() if mine}


def test_a_door_on_two_hinges():
    """Each hinge can carry all that the other can: any of five wrenches may stand between them."""
    found = unique_reactions(
        hs.Model(DOOR, hs.Revolute("low", *LOW), hs.Revolute("high", *HIGH), gravity=(0, 0, -9.81))
    )
    every = {"x", "y", "z", "rx", "ry"}
    assert found.tensions == 5 and open_rows(found) == {"low": every, "high": every}
    assert str(found).splitlines() == [
        "5 ways to be under tension without a load",
        '  "low": not unique',
        '  "high": not unique',
    ]


def test_a_door_on_two_balls():
    """Without moments only the pull along the line of the two is open: radial forces are unique."""
    found = unique_reactions(hs.Model(DOOR, hs.Ball("low", *LOW), hs.Ball("high", *HIGH)))
    assert found.tensions == 1 and open_rows(found) == {"low": {"z"}, "high": {"z"}}
    assert found.joints == {"low": False, "high": False} and found.rows["low"]["x"]
    assert '"low": not unique in z' in str(found)


def test_a_door_that_is_held_as_it_should_be():
    """A hinge and nothing else; a ball and a point on a line."""
    assert unique_reactions(hs.Model(DOOR, hs.Revolute("low", *LOW))).joints == {"low": True}
    slides = [
        hs.Distance(f"rod{k}", hs.WORLD.at(*at, 2), "door.top", 1.0) for k, at in enumerate([(1, 0), (0, 1)])
    ]
    found = unique_reactions(hs.Model(DOOR, hs.Ball("low", *LOW), *slides))
    assert str(found) == "all reactions are unique" and found.tensions == 0
    assert found.joints == {"low": True, "rod0": True, "rod1": True}


def parallelogram(rods=3):
    """Rods from the ground to a coupler, side by side; all hinges start on the rods."""
    facts = [
        hs.Body("coupler", 1.0, (0.5, 0, 0), (0.1, 0.1, 0.1), {f"p{k}": (k / 2, 0, 0) for k in range(rods)})
    ]
    for k in range(rods):
        facts += [
            hs.Rod(f"rod{k}", 0.8, 0.2),
            hs.Revolute(f"foot{k}", f"rod{k}", hs.WORLD.at(k / 2, 0, 0), axis="y"),
        ]
    facts += [hs.Revolute(f"head{k}", f"rod{k}.end", f"coupler.p{k}", axis="y") for k in range(rods)]
    start = {f"foot{k}": 1.0 for k in range(rods)} | {"head0": 1.0}
    return hs.Model(*facts, poses={"start": start})


def test_a_third_rod_in_a_parallelogram():
    """Forces along the rods are open, those across them are not; out of the plane all are."""
    two, three = unique_reactions(parallelogram(2)), unique_reactions(parallelogram(3))
    assert two.tensions == 3  # y, rx, rz around the loop
    assert set().union(*open_rows(two).values()) == {"y", "rx", "rz"}
    assert three.tensions == 7
    for name in three.joints:
        assert three.rows[name] == {"x": False, "y": False, "z": True, "rx": False, "rz": False}


@pytest.mark.parametrize("name", ["bricard", "redundant_four_bar", "stewart", "andrews"])
def test_reactions_that_change_with_the_multipliers_are_not_unique(name):
    """Other multipliers, the same motion: what of the reactions changes is open."""
    model = getattr(hs.library, name)()
    state = hs.assemble(model)
    found = unique_reactions(model, state)
    f = reactions(model)
    carried = hs.compile(f)
    n = len(model.speeds)
    J = hs.compile(hs.constraints(model))(state.q, state.v).J
    _, sizes, U = np.linalg.svd(J.T)
    N = U[(sizes > 1e-9 * sizes[0]).sum() :]
    lam = hs.compile(multipliers(model))(state.q, state.v, np.zeros(n), np.zeros(n))
    first = np.array(carried(state.q, state.v, np.zeros(n), lam))
    change = np.zeros(first.shape)
    for x in N:
        other = np.array(carried(state.q, state.v, np.zeros(n), lam + x))
        change = np.maximum(change, np.abs(other - first))
    assert (len(N) > 0) == (name in ("bricard", "redundant_four_bar"))
    for port, wrench in zip(f.outputs, change, strict=True):
        mine = found.rows[port.name]
        for component, x in zip(COMPONENTS, wrench, strict=True):
            if component in mine and x > 1e-6:
                assert not mine[component], (port.name, component)
            # in space nothing else is open; the rows of a plane say nothing of what is across it
            if component in mine and x < 1e-9 and name in ("bricard", "stewart"):
                assert mine[component], (port.name, component)


@pytest.mark.slow
def test_tensions_are_as_many_as_mobility_says():
    """Rows less rank, counted over free bodies: the mobility is the same as that of the loops."""
    for name in ("bricard", "agile_eye", "three_bar", "double_wishbone"):
        model = getattr(hs.library, name)()
        state = hs.assemble(model)
        found = unique_reactions(model, state)
        rows = sum(len(mine) for mine in found.rows.values())
        assert 6 * len(model.bodies) - (rows - found.tensions) == state.report.mobility


@pytest.mark.slow
def test_the_eye_itself_is_free_of_tension():
    """Three arms that are one too many in every direction of a force, and in no moment."""
    found = unique_reactions(library.agile_eye())
    assert found.tensions == 6
    assert all(found.joints[f"q{k}"] for k in range(1, 7))
    for k in (1, 2, 3):
        assert {r for r, unique in found.rows[f"eye cut {k}"].items() if not unique} == set("xyz")


def test_drives_hold():
    """A motor against a motor: both efforts are open, one of them alone is not."""
    arm = hs.Body("arm", 1.0, inertia=(1, 1, 1))
    joints = [hs.Revolute("A", hs.WORLD, "arm"), hs.Revolute("B", hs.WORLD, "arm")]
    model = hs.Model(arm, joints)
    assert "rz" not in unique_reactions(model).rows["A"]
    one = model + hs.Drive("motor", "A", position=0.0)
    assert unique_reactions(one).rows["A"]["rz"] and not unique_reactions(one).rows["A"]["x"]
    gear = hs.Model(
        hs.Body("arm", 1.0, inertia=(1, 1, 1)),
        hs.Body("wheel", 1.0, inertia=(1, 1, 1)),
        hs.Revolute("A", hs.WORLD, "arm"),
        hs.Revolute("B", hs.WORLD.at(1, 0, 0), "wheel"),
        hs.Gear("gear", "A", "B", 2.0),
    )
    assert unique_reactions(gear).joints == {"A": True, "B": True, "gear": True}
    motors = [hs.Drive("a", "A", position=0.0), hs.Drive("b", "B", position=0.0)]
    found = unique_reactions(hs.Model(gear, motors))
    assert found.tensions == 1
    assert open_rows(found) == {"A": {"rz"}, "B": {"rz"}, "gear": {"ratio"}}


def test_a_gear_that_says_what_the_rods_say():
    """Both rods of a parallelogram turn alike, one of them on a hinge told the other way round."""
    rods = [hs.Rod("a", 0.3, 1.0), hs.Rod("b", 0.5, 1.0), hs.Rod("c", 0.3, 1.0)]
    model = hs.Model(
        *rods,
        hs.Revolute("A", hs.WORLD, "a", axis="y"),
        hs.Revolute("B", "a.end", "b", axis="y"),
        hs.Revolute("D", "c", hs.WORLD.at(0.5, 0, 0), axis="y"),
        hs.Revolute("C", "b.end", "c.end", axis="y"),
        hs.Gear("gear", "A", "D", -1.0),
        poses={"start": {"A": 0.5, "B": -0.5, "D": -0.5}},
    )
    found = unique_reactions(model)
    assert found.tensions == 4 and not found.joints["gear"]
    assert not found.rows["B"]["x"]


def test_chains_and_rolling_have_rows_too():
    sledge = hs.Body("sledge", 1.0, inertia=(1, 1, 1), frames={"peg": (0.3, 0, 0)})
    chain = hs.Chain("base", hs.WORLD, "sledge", "Tx Ty Rz")
    found = unique_reactions(hs.Model(sledge, chain))
    assert set(found.rows["base"]) == {"z", "rx", "ry"} and found.joints["base"]
    twice = hs.Model(sledge, chain, hs.Ball("peg", hs.WORLD.at(0.3, 0, 0), "sledge.peg"))
    assert open_rows(unique_reactions(twice)) == {"base": {"z", "ry"}, "peg": {"z"}}
    skew = hs.Model(
        sledge, hs.Chain("base", hs.WORLD, "sledge", "Tx Ry Tx"), poses={"start": {"base.Ry": 0.4}}
    )
    assert len(unique_reactions(skew).rows["base"]) == 3
    wheel = hs.Body("wheel", 1.0, inertia=(1, 2, 1))
    rolls = hs.Model(
        wheel,
        hs.Free("w", hs.WORLD, "wheel"),
        hs.Rolling("roll", "wheel", hs.WORLD, 0.3),
        poses={"start": {"w.z": 0.3, "w.qw": 1.0}},
    )
    found = unique_reactions(rolls)
    assert found.joints == {"w": True, "roll": True}
    assert set(found.rows["roll"]) == {"touch", "slip.x", "slip.y"} and not found.rows["w"]


def test_what_cannot_be_asked():
    model = library.three_bar()
    state = hs.assemble(model)
    torn = hs.State(model.coordinates, model.speeds, state.q + 0.1)
    with pytest.raises(hs.SolveError, match=r"open by .*hs.assemble first"):
        unique_reactions(model, torn)
    with pytest.raises(hs.ModelError, match="no joints"):
        unique_reactions(hs.Model())
