"""Whatever facts are called: every column of a result is what its name says, or the model is refused."""

import itertools

import pytest

import hapsis as hs

OWN = ("t", "energy", "kinetic", "potential", "work")
# names that could be taken for those of other columns
NAMES = (*OWN, "a", "a.v", "a.a", "a.effort", "f.force", "f", "c.gap", "c", "d.effort", "d", "a.reaction")


def model(first, second, force="f", contact="c", drive=None):
    facts = [
        hs.Body("one", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1)),
        hs.Revolute(first, hs.WORLD, "one", axis="y"),
        hs.Body("two", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1)),
        hs.Prismatic(second, hs.WORLD.at(5, 0, 0), "two", axis="z"),
        hs.Spring(force, hs.WORLD.at(0, 1, 0), "two", stiffness=10.0),
        hs.Contact(contact, ("two", hs.Sphere(0.1)), hs.WORLD.plane("z", (0, 0, -9))),
    ]
    facts += [hs.Drive(drive, second, position="0.2 + t * t")] if drive else []
    return hs.Model(*facts)


@pytest.mark.parametrize("name", OWN)
def test_the_columns_of_every_result_are_taken(name):
    with pytest.raises(hs.ModelError, match=rf'"{name}", which is a column of every result; rename it'):
        model(name, "b")


@pytest.mark.parametrize("drive", [None, "d"])
def test_columns_are_what_their_names_say(drive):
    refused = 0
    for first, second in itertools.permutations(NAMES, 2):
        try:
            result = hs.simulate(
                model(first, second, drive=drive), 0.01, start={first: 0.5, second: 0.2}, every=0.01
            )
        except hs.ModelError:
            refused += 1
            continue
        assert len(set(result.names)) == len(result.names)
        assert result[first][0] == 0.5 and result[second][0] == 0.2
        assert result["energy"][0] == result["kinetic"][0] + result["potential"][0]
    assert refused < 0.9 * len(NAMES) ** 2
