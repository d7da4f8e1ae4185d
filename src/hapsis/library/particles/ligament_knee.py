"""A knee with an artificial ligament: two bones, and cords between their insertions."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.model.values.values import numbers_of

FEMUR = (-0.001, 0.006, 0.001)  # m from the axis of flexion: where the ligament is fixed
TIBIA = (0.010, -0.004, -0.022)
SLACK = 0.98  # of its shortest length: it is taut all the way
MOST = np.radians(120.0)
MOST_PARTS = 1000
TIME = 2.0  # s from extension to the end of flexion


@verb
def ligament_knee(
    femur: Any = FEMUR, tibia: Any = TIBIA, *, length: float | None = None, parts: int = 4
) -> "hs.particles.Scene":
    """A tibia that is flexed by 120° in two seconds, and a ligament of cords from femur to tibia.

    femur, tibia   the insertions with the knee extended, m from the axis of flexion, which is y, to the left;
                   x points forward, z up
    length         of the ligament when it is just not taut, m; 98 % of the shortest way if not given
    parts          cords in series

    Bodies are `femur`, which stands, and `tibia`, driven by `motion` of the joint `flexion`; the ligament is
    the object `ligament` with the cords `ligament 1`, .... Sizes are about those of a cruciate ligament, with
    200 N/mm and a toe of 3 %; they are no data of a patient.
    """
    a, b = np.array(numbers_of(femur, "femur")), np.array(numbers_of(tibia, "tibia"))
    if isinstance(parts, bool) or not isinstance(parts, int) or not 1 <= parts <= MOST_PARTS:  # pyright: ignore
        raise hs.ModelError(f"parts is {parts!r:.60}", expected=f"a whole number from 1 to {MOST_PARTS}")
    rest = SLACK * min(_length(a, b, angle) for angle in np.linspace(0.0, MOST, 121))
    if length is not None:
        rest = length
    model = hs.Model(
        hs.Body("femur", frames={"insertion": tuple(a)}, shapes=_bone(0.2), mass=1.0),
        hs.Body("tibia", frames={"insertion": tuple(b)}, shapes=_bone(-0.2), mass=3.0, com=(0, 0, -0.15),
                inertia=(0.04, 0.04, 0.004)),
        hs.Weld("hip", "world", "femur"),
        hs.Revolute("flexion", "femur", "tibia", "y"),
        hs.Drive("motion", joint="flexion", position=_flexion),
    )  # fmt: skip
    points = a + np.linspace(0.0, 1.0, parts + 1)[:, None] * (b - a)
    cords = hs.particles.ligament(
        "ligament", points, mass=0.005, stiffness=2e5, length=rest, damping=2.0, toe=0.03
    )
    ends = [
        hs.particles.Anchor("ligament", [0], to="femur"),
        hs.particles.Anchor("ligament", [parts], to="tibia"),
    ]
    return hs.particles.Scene(model, cords, ends)


def _flexion(t: Any) -> Any:
    """From extension to the end and back, smoothly."""
    return 0.5 * MOST * (1.0 - hs.cos(np.pi * t / TIME))


def _length(a: Any, b: Any, angle: float) -> float:
    """The distance of the insertions at a flexion."""
    c, s = np.cos(angle), np.sin(angle)
    return float(np.linalg.norm((c * b[0] + s * b[2] - a[0], b[1] - a[1], -s * b[0] + c * b[2] - a[2])))


def _bone(z: float) -> tuple[Any, ...]:
    return (hs.Capsule(0.015, 0.3, at=(0, 0, z)), hs.Sphere(0.02))
