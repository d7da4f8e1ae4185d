"""Mechanisms of any size: the same in other units of length, mass and time, for the law of similarity.

A model of lengths times L, masses times M and times times T moves as the model itself does: lengths
are L times as large, angles the same, and all else follows from the dimensions.
"""

from typing import NamedTuple

import numpy as np

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names


class Units(NamedTuple):
    """The sizes of a metre, a kilogram and a second."""

    L: float = 1.0
    M: float = 1.0
    T: float = 1.0

    def at(self, *xyz):
        """A place."""
        return tuple(self.L * x for x in xyz)

    @property
    def gravity(self):
        """9.81 m/s², downwards."""
        return (0.0, 0.0, -9.81 * self.L / self.T**2)

    @property
    def force(self):
        """A newton."""
        return self.M * self.L / self.T**2

    @property
    def energy(self):
        """A joule."""
        return self.force * self.L

    def body(self, name, mass=1.0, com=(0.5, 0.1, 0.0), **frames):
        """A body of some inertia with frames."""
        inertia = tuple(self.M * self.L**2 * x for x in (0.02, 0.1, 0.11))
        placed = {key: self.at(*xyz) for key, xyz in frames.items()}
        return hs.Body(name, mass=self.M * mass, com=self.at(*com), inertia=inertia, frames=placed)

    def rod(self, name, length, mass=1.0):
        """A thin rod."""
        return hs.Rod(name, self.L * length, self.M * mass)


def slide(u):
    """Two links on ball joints, the last one on a rail: rows of lengths and of angles."""
    return hs.Model(
        u.body("a", e=(1, 0, 0)),
        u.body("b", e=(0.8, 0.1, 0.2)),
        hs.Ball("s", hs.WORLD, "a"),
        hs.Ball("k", "a.e", "b"),
        hs.Prismatic("slide", hs.WORLD.at(*u.at(1.2, 0.3, -0.5)), "b.e", axis="x"),
        gravity=u.gravity,
    )


def plane(u):
    """Two links on universal joints, the last one on a plane."""
    return hs.Model(
        u.body("a", e=(1, 0, 0)),
        u.body("b", e=(0.8, 0.1, 0.2)),
        hs.Universal("u", hs.WORLD, "a", axes=("y", "z")),
        hs.Universal("k", "a.e", "b", axes=("x", "y")),
        hs.Planar("p", hs.WORLD.at(*u.at(0, 0, -0.4)), "b.e", normal="z"),
        gravity=u.gravity,
    )


def slider_crank(u):
    """A crank, a rod and a slider with a spring: coordinates of both kinds."""
    return hs.Model(
        u.rod("crank", 0.1),
        u.rod("rod", 0.3),
        hs.Body("slider", mass=u.M),
        hs.Revolute("th", hs.WORLD, "crank", axis="-y", damping=0.01 * u.energy * u.T),
        hs.Revolute("phi", "crank.end", "rod", axis="-y"),
        hs.Prismatic("x", hs.WORLD, "slider", axis="x", damping=0.3 * u.force * u.T / u.L),
        hs.Revolute("pin", "rod.end", "slider", axis="-y"),
        hs.JointSpring("push", "x", 400.0 * u.force / u.L, 20.0 * u.force * u.T / u.L, 0.3 * u.L),
        gravity=u.gravity,
        poses={"start": {"x": 0.38 * u.L, "th": 0.4}},
    )


def screw(u):
    """A nut on a thread that closes a loop, and a rack on a pinion."""
    return hs.Model(
        u.body("spindle", com=(0, 0, 0.1)),
        u.body("nut", 2.0, com=(0, 0, 0)),
        u.body("rack", 0.5, com=(0, 0, 0)),
        hs.Revolute("spin", hs.WORLD, "spindle", axis="z", damping=0.2 * u.energy * u.T),
        hs.Prismatic("z", hs.WORLD.at(*u.at(0, 0, 0.2)), "nut", axis="z"),
        hs.Helical("thread", "spindle", ("nut", hs.Frame(u.at(0, 0, -0.2))), axis="z", pitch=0.02 * u.L),
        hs.Prismatic("y", hs.WORLD, "rack", axis="y"),
        hs.Gear("teeth", "spin", "y", ratio=0.05 * u.L),
        hs.JointSpring("hold", "z", 300.0 * u.force / u.L, 0.0, 0.0),
        gravity=u.gravity,
        poses={"start": {"spin": 0.5}},
    )


def pendulum_on_a_rope(u):
    """A bob at a fixed distance, on a sliding carriage."""
    return hs.Model(
        u.body("carriage", 3.0, com=(0, 0, 0)),
        u.body("bob", com=(0.02, 0, 0)),
        hs.Prismatic("x", hs.WORLD, "carriage", axis="x"),
        hs.Chain("swing", "carriage", "bob", "Tx Tz Ry"),
        hs.Distance("rope", "carriage", "bob", 0.7 * u.L),
        hs.JointSpring("hold", "x", 50.0 * u.force / u.L, 4.0 * u.force * u.T / u.L, 0.0),
        hs.JointSpring("stay", "swing.Ry", 5.0 * u.energy, 0.4 * u.energy * u.T, 0.0),
        gravity=u.gravity,
        poses={"start": {"swing.Tx": 0.2 * u.L, "swing.Tz": -0.65 * u.L}},
    )


CLOSED = {f.__name__: f for f in (slide, plane, slider_crank, screw, pendulum_on_a_rope)}


def arm(u):
    """A tree with a rail: for inverse kinematics and inverse dynamics."""
    return hs.Model(
        u.body("cart"),
        u.body("upper", e=(0.5, 0, 0)),
        u.body("fore", tip=(0.4, 0, 0)),
        hs.Prismatic("rail", hs.WORLD, "cart", axis="y"),
        hs.Revolute("turn", "cart", "upper", axis="z"),
        hs.Revolute("elbow", "upper.e", "fore", axis="y"),
        gravity=u.gravity,
    )


def sizes(model, u, speeds=False):
    """L for each coordinate (or speed) that is a length, else 1."""
    kinds = []
    for joint in model.moving:
        for step in joint.steps:
            pair = {"ball": (4, 3), "free": (7, 6)}.get(step.kind, (1, 1))
            kinds += [u.L if step.kind == "P" else 1.0] * pair[speeds]
    return np.array(kinds)


def row_sizes(model, u):
    """L for each row that is a length, else 1."""
    turns = ("rx", "ry", "rz", "r1", "r2", "cross")
    return np.array([1.0 if n.rpartition(".")[2] in turns else u.L for n in constraint_names(model)])
