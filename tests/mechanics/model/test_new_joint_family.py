"""A new family of joints is one file: nothing else has to know of it."""

import gc
import importlib
import sys

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.assembly.joint_ends import JointEnds, coordinates

FILE = '''
"""Two screws on one shaft, one in the other."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hapsis.mechanics.algebra.turns import angle_about
from hapsis.mechanics.model.constraints.closure_rows import across, aligned
from hapsis.mechanics.model.joints.joint import AxisJoint, Joint, Step
from hapsis.mechanics.model.values.values import AsValue


@dataclass(frozen=True)
class DoubleScrew(AxisJoint):
    """Coordinates `.outer` and `.inner`: the angles of both; metres per radian of each."""

    outer: AsValue = 0.01
    inner: AsValue = -0.01

    type_name: ClassVar[str] = "double_screw"
    numbers: ClassVar[tuple[str, ...]] = (*Joint.numbers, "outer", "inner")

    @property
    def steps(self):
        return (Step("H", self.direction, self.outer), Step("H", self.direction, self.inner))

    @property
    def suffixes(self):
        return ("outer", "inner")

    def closure_rows(self, d, R, number):
        return {**across(self.axis, d), **aligned(self.axis, R)}

    def fit(self, d, R, number):
        """a + b = angle, outer a + inner b = distance."""
        angle, distance = angle_about(self.direction, R), float(np.dot(self.direction, d))
        a = (distance - number("inner") * angle) / (number("outer") - number("inner"))
        return [a, angle - a]
'''


@pytest.fixture
def double_screw(tmp_path, monkeypatch):
    """The class, from a file in a folder of its own."""
    (tmp_path / "double_screw.py").write_text(FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("double_screw").DoubleScrew
    del sys.modules["double_screw"]


def nut(*joints, **more):
    """A body on a shaft, with weight along it."""
    body = hs.Body("nut", 0.4, com=(0.01, 0, 0), inertia=(2e-4, 2e-4, 3e-4))
    return hs.Model(body, *joints, parameters={"p": 0.02}, poses={"start": {"s.inner": 0.3}}, **more)


def four_bar(closing):
    """A four-bar whose last joint closes the loop."""
    rods = hs.Rod("a", 0.3, 0.3), hs.Rod("b", 0.5, 0.5), hs.Rod("c", 0.4, 0.4)
    hinges = (
        hs.Revolute("j1", hs.WORLD, "a", axis="y"),
        hs.Revolute("j2", "a.end", "b", axis="y"),
        hs.Revolute("j3", "b.end", "c", axis="y"),
    )
    return hs.Model(*rods, *hinges, closing, poses={"start": {"j1": -1.0, "j2": 1.0, "j3": 1.0}})


def test_it_moves_a_tree(double_screw):
    model = nut(double_screw("s", hs.WORLD, "nut", outer="p", damping=1e-3))
    assert model.coordinates == ("s.outer", "s.inner") and model.speeds == ("s.outer.v", "s.inner.v")
    result = hs.simulate(model, until=0.5)
    two = nut(
        hs.Body("between"),
        hs.Helical("s.outer", hs.WORLD, "between", pitch="p", damping=1e-3),
        hs.Helical("s.inner", "between", "nut", pitch=-0.01, damping=1e-3),
    )
    other = hs.simulate(two, until=0.5)
    assert result.success and result.energy_drift < 1e-6
    np.testing.assert_allclose(result["s.inner"][-1], other["s.inner"][-1], rtol=1e-6)


def test_it_closes_a_loop(double_screw):
    ends = ("c.end", hs.WORLD.at(0.6, 0, 0))
    model, same = four_bar(double_screw("k", *ends, axis="y")), four_bar(hs.Cylindrical("k", *ends, axis="y"))
    assert [cut.name for cut in model.cuts] == ["k"]
    result, other = (hs.simulate(m, until=0.5) for m in (model, same))
    assert result.success and result.constraint_error < 1e-9
    np.testing.assert_array_equal(result["j1"], other["j1"])


def test_its_coordinates_follow_from_its_ends(double_screw):
    model = nut(double_screw("s", hs.WORLD.at(0.1, 0.2, 0.3), "nut", outer="p"))
    d, R = JointEnds(model).between(model.moving, np.array([0.4, 1.5]))["s"]
    np.testing.assert_allclose(coordinates(model, model.joints["s"], d, R), [0.4, 1.5], rtol=1e-12)


def test_files_hold_it(double_screw, tmp_path):
    model = nut(double_screw("s", hs.WORLD, "nut", outer="p", limits={"inner": (-1, None)}))
    path = tmp_path / "nut.yaml"
    hs.save(model, path)
    line = "s: {type: double_screw, first: world, second: nut, outer: p, limits: {inner: [-1.0, null]}}"
    assert line in path.read_text()
    assert hs.load(path) == model
    path.write_text(path.read_text().replace("outer: p", "out: p"))
    with pytest.raises(hs.ModelError, match=r'unknown key "out" \(did you mean "outer"'):
        hs.load(path)


def test_files_forget_it_with_its_module(tmp_path):
    gc.collect()  # a class lives as long as anyone can use it
    path = tmp_path / "a.yaml"
    path.write_text("hapsis: 1\njoints: {s: {type: double_screw, first: world, second: nut}}\n")
    with pytest.raises(hs.ModelError, match='no type "double_screw"'):
        hs.load(path)
