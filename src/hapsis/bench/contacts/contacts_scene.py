"""A scene with contacts as data: what every contender builds its own model from.

Lengths are in m, angles in rad. Coordinates of a scene are those of its parts in order: x y z qw qx qy qz
of a free part, one number of any other. Speeds are wx wy wz vx vy vz in the part's own axes, or one number.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

GRAVITY = 9.81
STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4)  # s, from coarse to fine
REST = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Solid:
    """A shape of a part; `place` is its 4 x 4 frame there.

    size   box: lengths along x, y, z; sphere: radius; capsule: radius, length between its centres along z
    """

    kind: Literal["box", "sphere", "capsule"]
    size: tuple[float, ...]
    place: Any = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class Part:
    """A body and the joint that carries it.

    parent     the part it hangs from, None for the world
    place      4 x 4, the joint's frame in the parent
    inertia    3 x 3, about the centre of mass
    loose      whether it touches other parts; if not, it touches loose parts and the ground only
    stiffness, damping, hold   of a spring along the coordinate
    effort     a constant one along the coordinate
    """

    name: str
    mass: float
    inertia: Any
    kind: Literal["free", "revolute", "prismatic"] = "free"
    parent: str | None = None
    place: Any = field(default_factory=lambda: np.eye(4))
    axis: Any = (0.0, 0.0, 1.0)
    centre: Any = (0.0, 0.0, 0.0)
    solids: tuple[Solid, ...] = ()
    loose: bool = False
    q: tuple[float, ...] = (0.0,)
    v: tuple[float, ...] = (0.0,)
    stiffness: float = 0.0
    damping: float = 0.0
    hold: float = 0.0
    effort: float = 0.0


@dataclass(frozen=True)
class Bumps:
    """Uneven ground: heights[i, j] at x = start + i step, y = start + j step."""

    heights: Any
    start: float
    step: float


@dataclass(frozen=True)
class Scene:
    """Parts on a ground, and what is asked of their motion.

    ground      the height of a plane, or Bumps
    law         stiffness (N/m) and damping (N s/m) of one touching point, where a contender has such numbers
    ends        what must have happened at the end: see `contacts_measures.ended`
    still       parts that should not move in the last second
    held        (part, other): a part that should not move relative to the other in the last second
    rolling     parts, each a ball, that should roll without slip in the last second
    passive     whether nothing gives energy to the scene
    bounds      largest values of `penetration` (m) and `creep` (m/s) that count as good
    """

    name: str
    until: float
    parts: tuple[Part, ...]
    ends: Literal["stands", "topples", "held", "drives", "lies"]
    bounds: dict[str, float]
    ground: float | Bumps = 0.0
    friction: float = 0.6
    law: tuple[float, float] = (1e5, 300.0)
    still: tuple[str, ...] = ()
    held: tuple[str, str] | None = None
    rolling: tuple[str, ...] = ()
    passive: bool = True

    @property
    def q(self) -> Any:
        """The coordinates at the start."""
        return np.concatenate([p.q for p in self.parts])

    @property
    def v(self) -> Any:
        """The speeds at the start."""
        return np.concatenate([p.v for p in self.parts])

    def shorter(self, until: float) -> "Scene":
        """The same scene for a shorter time."""
        return replace(self, until=min(until, self.until))

    def touching(self) -> list[tuple[str, str]]:
        """All pairs of parts that may touch each other."""
        solid = [p for p in self.parts if p.solids]
        pairs = [(a, b) for k, a in enumerate(solid) for b in solid[k + 1 :]]
        return [(a.name, b.name) for a, b in pairs if a.loose or b.loose]


def box_inertia(mass: float, size: Any) -> Any:
    """The inertia of a homogeneous box about its centre."""
    x, y, z = np.asarray(size, float) ** 2
    return mass / 12 * np.diag([y + z, x + z, x + y])


def box(name: str, mass: float, size: Any, at: Any, yaw: float = 0.0) -> Part:
    """A loose free box, turned about the vertical."""
    turn = (np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2))
    solid = Solid("box", tuple(float(x) for x in size))
    inertia = box_inertia(mass, size)
    return Part(name, mass, inertia, solids=(solid,), loose=True, q=(*at, *turn), v=(0.0,) * 6)
