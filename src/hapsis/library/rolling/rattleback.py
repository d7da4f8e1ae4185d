"""The rattleback, a stone that turns one way only."""

import math

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.algebra.ellipsoid_mesh import ellipsoid

HALF = math.radians(0.25)  # of the lean about x and about y


@verb
def rattleback(spin: float = -5.0) -> hs.Model:
    """An ellipsoid that rolls, whose principal axes of inertia are turned against its own.

    Spun the one way it goes on; spun the other way it begins to rattle, stops, and turns back: the sign of
    `skew`, the product of inertia xy, says which. `start` spins with `spin` rad/s about the vertical, leaning
    by half a degree. The centre of mass is `h` below the middle; x is its long axis.

        a, b, c            half axes, m
        h                  m
        mass, A, B, C, skew   kg and kg m², about the centre of mass
        drag               N m s/rad and N s/m, against all its motion

    Without drag it turns back a second time, and a third. Values of our own, of the size of those in
    [KaneLevinson].
    """
    numbers = {"a": 0.2, "b": 0.03, "c": 0.02, "h": 0.01, "mass": 1.0}
    numbers |= {"A": 2e-4, "B": 1.6e-3, "C": 1.7e-3, "skew": -2e-5, "drag": 1e-4}
    w, x = math.sqrt(1.0 - 2.0 * HALF**2), HALF
    across, up = 2.0 * w * x, 1.0 - 4.0 * x * x  # the vertical in its axes is (-across, across, up)
    height = f"sqrt(((a^2 + b^2) * {across!r}^2) + (c * {up!r})^2)"
    mesh = ellipsoid((0.2, 0.03, 0.02), 40, 16)
    return hs.Model(
        hs.Body(
            "stone",
            "mass",
            (0, 0, "-h"),
            ("A", "B", "C", "skew", 0, 0),
            shapes=(hs.TriangleMesh(np.asarray(mesh["vertices"]), np.asarray(mesh["triangles"])),),
        ),
        hs.Free("stone", hs.WORLD, "stone", damping="drag"),
        hs.Rolling("roll", "stone", hs.WORLD, semi_axes=("a", "b", "c")),
        parameters=numbers,
        poses={
            "start": {
                **{"stone.x": 0.0, "stone.y": 0.0, "stone.z": height, "stone.qz": 0.0},
                **{"stone.qw": w, "stone.qx": x, "stone.qy": x},
                "stone.wz": spin,
            }
        },
    )
