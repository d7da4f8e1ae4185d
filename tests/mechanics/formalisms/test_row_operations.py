"""Operations of the rows of cars: h, J and γ take fewer than those that Robotran writes for such cars."""

import pytest

import hapsis as hs

ROBOTRAN = {"car": 2322, "five_link_car": 3458}


@pytest.mark.parametrize("name", ROBOTRAN)
def test_rows_of_cars_take_fewer_operations_than_robotran(name):
    cost = hs.constraints(getattr(hs.library, name)()).cost()
    assert cost.flops < ROBOTRAN[name], str(cost)  # with sines, which others count apart


@pytest.mark.parametrize(("name", "most"), [("car", 2100), ("five_link_car", 3360)])
def test_they_do_not_grow(name, most):
    assert hs.constraints(getattr(hs.library, name)()).cost().flops <= most


def test_hinges_that_are_parallel_are_turned_about_once():
    """A four-bar: three angles, of the crank, the coupler and the rocker, and nothing along the axes."""
    bars = [hs.Rod(name, 1.0, length) for name, length in (("crank", 0.2), ("coupler", 0.9), ("rocker", 0.6))]
    model = hs.Model(
        *bars,
        hs.Revolute("a", hs.WORLD, "crank"),
        hs.Revolute("b", "crank.end", "coupler"),
        hs.Revolute("c", hs.WORLD.at(0.8, 0, 0), "rocker"),
        hs.Revolute("d", "coupler.end", "rocker.end"),
    )
    assert hs.constraints(model).cost().trig == 6
