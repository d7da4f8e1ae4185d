"""Many runs and parameters in steps with contacts: runs are those made alone, and no name is ignored."""

import numpy as np
import pytest

import hapsis as hs

STEPS = {"method": "contact", "step": 2e-3}


def slider():
    """An ellipsoid above the floor, and a block on a rail that ends at a stop."""
    return hs.Model(
        hs.Body.ellipsoid("egg", (0.05, 0.03, 0.04), mass=0.2),
        hs.Body.box("block", (0.1, 0.1, 0.1), mass=1.0),
        hs.Free("free", hs.WORLD, "egg"),
        hs.Prismatic("rail", hs.WORLD, "block", axis="x", friction=0.5, limits=(-1, 1)),
        hs.Stop("end", "rail", stiffness=1e5, damping=100.0, high=0.1),
        hs.Contact(
            "egg", hs.Surface("egg"), hs.WORLD.plane(), law=hs.HuntCrossley(1e5, damping=2.0), friction=0.3
        ),
        poses={"start": {"free.z": 0.05, "free.vx": 1.0, "rail.v": 1.0}},
    )


@pytest.mark.parametrize(
    "name, values", [("egg.mu", [0.0, 0.8]), ("free.vx", [0.2, 2.0]), ("egg.mass", [0.1, 1.0])]
)
def test_each_of_many_runs_has_all_columns_and_bits_of_one(name, values):
    """Parameters of contacts and of a body with the name of a contact, and starts."""
    model = slider()
    where = "start" if name in model.speeds else "parameters"
    many = hs.simulate(model, 0.4, every=0.01, limits="stops", **STEPS, **{where: {name: np.array(values)}})
    for k, value in enumerate(values):
        one = hs.simulate(model, 0.4, every=0.01, limits="stops", **STEPS, **{where: {name: value}})
        assert many.names == one.names and many.units == one.units
        assert all(np.array_equal(many[column][k], one[column]) for column in one.names)
    assert not np.array_equal(*many["egg.impulse"])
    table = hs.sweep(
        model, 0.4, {name: values}, ["egg.x", "max(egg.slip)"], every=0.01, limits="stops", **STEPS
    )
    assert np.array_equal(table["max(egg.slip)"], many["egg.slip"].max(axis=1))


def test_parameters_of_stops_and_friction_act():
    runs = {
        name: hs.simulate(slider(), 0.5, **STEPS, parameters={name: value})
        for name, value in {"end.high": 0.05, "end.stiffness": 1e3, "rail.friction": 20.0}.items()
    }
    assert runs["end.high"]["rail"].max() == pytest.approx(0.05, abs=5e-3)
    firm = hs.simulate(slider(), 0.5, **STEPS)["rail"].max()
    assert firm < 0.104 and runs["end.stiffness"]["rail"].max() > 0.106
    assert runs["rail.friction"]["rail"].max() == pytest.approx(1.0 / (2 * 20.0), rel=0.05)  # v²/2a


@pytest.mark.parametrize("name", ["egg.friction", "egg.nu", "egg.second.z", "end.hihg", "egg"])
def test_parameters_that_are_none_are_refused(name):
    with pytest.raises(hs.ModelError, match="there is no parameter"):
        hs.simulate(slider(), 0.1, **STEPS, parameters={name: 0.5})


def test_efforts_of_rows_have_units():
    units = hs.simulate(slider(), 0.1, limits="stops", **STEPS).units
    assert units["end.effort"] == units["rail.friction"] == "N"
    turning = hs.Model(
        hs.Rod("arm", 0.5, 1.0),
        hs.Rod("hand", 0.2, 0.1),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
        hs.Revolute("wrist", "arm.end", "hand", axis="y", limits=(-1, 1)),
        hs.Drive("motor", "hinge", position=lambda t: 0.1 * t),
    )
    units = hs.simulate(turning, 0.1, limits="stops", **STEPS).units
    assert units["motor.effort"] == units["wrist limit.effort"] == "N m"


def test_the_error_of_loops_is_told():
    result = hs.simulate(hs.library.three_bar(), 0.5, every=0.01, **STEPS)
    assert 0.0 < result.constraint_error < 1e-12


def test_what_is_welded_to_the_world_stands_where_the_parameters_of_the_run_put_it():
    """A ball falls onto a shelf whose height is a parameter, and turned by one."""
    shelf = hs.Weld("nails", hs.WORLD.at(0, 0, "h", rpy=("turn", 0, 0)), "shelf")
    model = hs.Model(
        hs.Body("shelf", mass=1.0, inertia=(1, 1, 1)),
        shelf,
        hs.Body.sphere("ball", 0.1, mass=1.0),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Contact("c", hs.Surface("ball"), ("shelf", hs.Box((1, 1, 0.2))), law=hs.Linear(1e4, 100.0)),
        parameters={"h": 0.0, "turn": 0.0},
        poses={"start": {"ball.z": 0.9}},
    )
    run = {"method": "contact", "step": 1e-3}
    many = hs.simulate(model, 1.0, parameters={"h": [0.0, 0.3, 0.5], "turn": 0.0}, **run)
    assert np.allclose(many["ball.z"][:, -1], [0.199019, 0.499019, 0.699019], atol=1e-6)
    tilted = hs.simulate(model, 1.0, parameters={"turn": 0.3}, **run)
    assert tilted["ball.y"][-1] < -0.2  # it slides down
    assert {"h", "turn"} <= hs.stepper(model, 1e-3, method="contact").tabled
