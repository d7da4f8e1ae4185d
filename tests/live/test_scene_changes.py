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
