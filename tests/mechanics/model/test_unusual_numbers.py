"""Warnings about numbers that are possible but rarely meant, and none about ordinary models."""

import csv

import numpy as np
import pytest
from shared_models import library

import hapsis as hs

ARM = [hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))]
HINGE = hs.Revolute("j", hs.WORLD, "a", axis="y", limits=(-1, 1))
UNUSUAL = {
    "an inertia and no mass": [hs.Body("a", inertia=(0.1, 0.1, 0.1)), HINGE],
    "gravity is 9810": [*ARM, HINGE],
    "radians, not degrees": [*ARM, hs.Revolute("j", hs.WORLD, "a", limits=(-180, 180))],
    "an angle of a frame": [*ARM, hs.Revolute("j", hs.End("world", hs.Frame((0, 0, 0), (0, 90, 0))), "a")],
    "beyond its limit": [*ARM, HINGE],
    "below coulomb": [*ARM, HINGE, hs.Friction("f", "j", coulomb=2.0, static=1.0)],
    "is 0": [hs.Body("a", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=[hs.Sphere(0.0)]), HINGE],
    "look alike": [
        *ARM,
        HINGE,
        hs.Body("é", mass=1, inertia=(1, 1, 1)),
        hs.Free("1", hs.WORLD, "é"),
        hs.Body("e\u0301", mass=1, inertia=(1, 1, 1)),
        hs.Free("2", hs.WORLD, "e\u0301"),
    ],
}


@pytest.mark.parametrize("text", UNUSUAL)
def test_each_is_told_in_one_line(text):
    settings = {"gravity": (0, 0, -9810)} if "gravity" in text else {}
    if "beyond" in text:
        settings["poses"] = {"start": {"j": 2.0}}
    warnings = hs.Model(*UNUSUAL[text], **settings).warnings
    assert any(text in warning for warning in warnings) and not any("\n" in w for w in warnings)


def test_ordinary_models_have_no_warnings():
    for name in hs.library.MODELS:
        assert not getattr(library, name)().warnings
    assert not hs.Model(*ARM, HINGE, poses={"start": {"j": 1.0}}).warnings


def test_a_stop_the_wrong_way_round_is_an_error():
    with pytest.raises(hs.ModelError, match=r'stop "s": low is 1 and high is -1'):
        hs.Model(*ARM, HINGE, hs.Stop("s", "j", stiffness=1e3, low=1.0, high=-1.0))


def test_no_break_spaces_in_numbers_are_named():
    with pytest.raises(hs.ModelError, match="no-break space"):
        from hapsis.mechanics.model.values.numbers import number

        number("1\u00a0000")


def test_heads_of_columns_are_no_formulas(tmp_path):
    names = ["=1+1", "+a", "-b", "@c", "\td", "plain"]
    columns = {name: np.zeros(2) for name in names}
    path = hs.Result(np.arange(2.0), columns).save(tmp_path / "x.csv")
    with path.open(newline="") as file:
        head = next(csv.reader(file))
    assert head == ["t", *(f"'{name}" for name in names[:-1]), "plain"]
