"""Sliders change the scene: numbers along their slopes are those of the model drawn anew."""

import copy

import numpy as np
import pytest

import hapsis as hs
from hapsis.live.scene_changes import scene_changes
from hapsis.mechanics.drawing.drawing import drawing


def applied(table, change, step):
    """The table with every number moved along its slope."""
    moved = copy.deepcopy(table)
    for item in change["items"]:
        *way, last = item["path"]
        owner = moved
        for name in way:
            owner = owner[name]
        slope = np.array(item["slope"])
        value = np.atleast_1d(owner[last]) + step * slope
        owner[last] = value.tolist() if isinstance(owner[last], list) else float(value[0])
    return moved


@pytest.mark.parametrize(
    "name, parameter",
    [("slider_crank", "r"), ("slider_crank", "l"), ("n_four_bar", "length"), ("andrews", "zt")],
)
def test_slopes_give_the_links_of_other_lengths(name, parameter):
    model = getattr(hs.library, name)()
    q = hs.assemble(model).q
    table = drawing(model, q)
    (change,) = scene_changes(model, [parameter, "no parameter"], q, table)
    assert change["parameter"] == parameter and change["value"] == model.parameters[parameter]
    step = 0.1 * change["value"]
    other = model.replace(parameters={**model.parameters, parameter: change["value"] + step})
    anew = drawing(other, hs.assemble(other).q)
    moved = applied(table, change, step)
    compared = 0
    for mine, theirs in zip(moved["bodies"], anew["bodies"], strict=True):
        for shape, true in zip(mine["shapes"], theirs["shapes"], strict=True):
            if shape["kind"] == "plate":
                np.testing.assert_allclose(shape["points"], true["points"], atol=1e-5 * table["size"])
                compared += 1
    assert compared >= 2


def test_a_parameter_that_moves_nothing_has_no_slopes():
    model = hs.library.bricard()
    q = hs.assemble(model).q
    assert scene_changes(model, ["mass"], q, drawing(model, q)) == []


@pytest.mark.parametrize("held", [(), ("crank",)])
@pytest.mark.parametrize("seed", range(6))
def test_slopes_are_those_of_the_way_in_which_the_loops_are_closed(seed, held):
    """A slider-crank on either side, at a random angle, with a spring at its slider."""
    rng = np.random.default_rng(seed)
    r, l, angle, side = 0.1, 0.3, rng.uniform(0.3, 2.8), (-1.0) ** seed

    def place(length):
        return r * np.cos(angle) + side * np.sqrt(length**2 - (r * np.sin(angle)) ** 2)

    model = hs.Model(
        hs.Rod("crank", length="r", mass=1.0),
        hs.Rod("rod", length="l", mass=1.0),
        hs.Body("slider", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("crank", hs.WORLD, "crank", axis="y"),
        hs.Revolute("pin", "crank.end", "rod", axis="y"),
        hs.Prismatic("x", hs.WORLD, "slider", axis="x"),
        hs.Revolute("end", "rod.end", "slider", axis="y"),
        hs.Spring("spring", hs.WORLD.at(place(l) - 0.2, 0, 0), "slider", stiffness=1.0),
        parameters={"r": r, "l": l},
        independent=held,
    )
    lean = np.arctan2(r * np.sin(angle), place(l) - r * np.cos(angle))  # of the rod, z = -x sin about y
    q = hs.assemble(model, {"crank": angle}, near={"pin": -lean - angle, "x": place(l)}).q
    assert abs(dict(zip(model.coordinates, q, strict=True))["x"] - place(l)) < 1e-9
    (change,) = scene_changes(model, ["l"], q, drawing(model, q))
    (slope,) = [item["slope"][0] for item in change["items"] if item["path"][0] == "connections"]
    expected = 0.085 * (place(1.02 * l) - place(l)) / (0.02 * l)  # SLENDER times the change of length
    assert abs(slope - expected) < 1e-5 if held else 0.0 <= side * slope <= 2 * side * expected
