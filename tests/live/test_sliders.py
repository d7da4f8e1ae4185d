"""Units, groups and ranges of sliders, by what a parameter is used for."""

import numpy as np
import pytest
from shared_models import library

import hapsis as hs


def table(model, **options):
    content = hs.share(model, **options).content
    return {entry["name"]: entry for entry in [*content["parameters"], *content["inputs"]]}


def test_a_parameter_of_the_model_has_the_unit_of_what_it_stands_for():
    model = hs.Model(
        hs.Rod("arm", length="reach", mass="weight"),
        hs.Body.box("cart", (0.1, 0.1, 0.1), mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
        hs.Prismatic("rail", hs.WORLD, "cart", axis="x"),
        hs.JointSpring("twist", "hinge", stiffness="stiffness", damping="brake", rest="neutral"),
        hs.JointSpring("coil", "rail", stiffness="k", damping=0.1, rest="place"),
        parameters={"reach": 0.5, "weight": 1.0, "stiffness": 3.0, "brake": 0.1, "neutral": 0.2}
        | {"k": 50.0, "place": 0.1},
    )
    seen = {name: (x["unit"], x["group"]) for name, x in table(model).items()}
    springs = "Springs and friction"
    assert seen["reach"] == ("m", "Geometry") and seen["weight"] == ("kg", "Masses")
    assert seen["stiffness"] == ("N·m/rad", springs) and seen["brake"] == ("N·m·s/rad", springs)
    assert seen["neutral"] == ("rad", "Geometry") and seen["place"] == ("m", "Geometry")
    assert seen["k"] == ("N/m", springs)


def test_an_input_has_the_unit_of_an_effort_and_not_that_of_its_coordinate():
    model = library.slider_crank()
    entries = table(model, inputs=["crank", "slider.effort"])
    assert entries["crank"]["unit"] == "N m" and entries["slider.effort"]["unit"] == "N"


@pytest.mark.parametrize("name", ["double_wishbone", "five_link_suspension"])
def test_hard_points_move_a_little_so_that_loops_close(name):
    """At both ends of every range that the page chooses the mechanism can be assembled."""
    model = getattr(library, name)()
    for entry in hs.share(model).content["parameters"]:
        assert entry["group"] == "Geometry" and entry["unit"] == "m"
        for end in (entry["low"], entry["high"]):
            other = model.replace(parameters={**model.parameters, entry["name"]: end})
            assert np.isfinite(hs.assemble(other).q).all()
