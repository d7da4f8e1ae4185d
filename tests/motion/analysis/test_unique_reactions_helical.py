"""Every joint family in the tree, its own numbers among the parameters, with a loop beside it."""

import pytest

import hapsis as hs

JOINTS = {
    "revolute": lambda n, a, b: hs.Revolute(n, a, b, axis="z"),
    "prismatic": lambda n, a, b: hs.Prismatic(n, a, b, axis="z"),
    "helical": lambda n, a, b: hs.Helical(n, a, b, axis="z", pitch=0.02),
    "cylindrical": lambda n, a, b: hs.Cylindrical(n, a, b, axis="z"),
    "universal": lambda n, a, b: hs.Universal(n, a, b),
}


@pytest.mark.parametrize("name", JOINTS)
def test_unique_reactions_beside_a_loop(name):
    model = hs.Model(
        hs.Body("a", mass=1.0, inertia=(1, 1, 1)),
        hs.Body("b", mass=1.0, inertia=(1, 1, 1), frames={"e": (0.3, 0, 0)}),
        JOINTS[name]("h", hs.WORLD, "a"),
        hs.Revolute("r", "a", "b", axis="y"),
        hs.Distance("d", hs.WORLD.at(0.3, 0, -0.5), "b.e", 0.5),
    )
    assert all(hs.unique_reactions(model).joints.values())
