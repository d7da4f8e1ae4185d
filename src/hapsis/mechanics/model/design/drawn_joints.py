"""The verb `drawn_joints`: joints proposed where parts of an assembly have holes and shafts on one axis."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known, one_line
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.design.axis_groups import PARALLEL, Axis, axis_groups
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.frames import Frame, angles
from hapsis.mechanics.model.joints.cylindrical import Cylindrical
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld

CENTRED = 0.02  # of the length of gyration: how far the mass of a fastener may be from its axis
LONGEST = 60  # characters of the name of a part in that of a joint
KINDS: dict[str, Any] = {
    "revolute": Revolute,
    "cylindrical": Cylindrical,
    "prismatic": Prismatic,
    "weld": Weld,
}


@dataclass(frozen=True)
class DrawnJoints:
    """Parts with an anchor at each proposed joint, the joints, the part that is the ground, and why.

    `hs.mate(d.parts, d.joints, ground=d.ground, drawn=True)` is the model.
    """

    parts: dict[str, Component]
    joints: tuple[Joint, ...]
    ground: str
    reasons: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"ground {one_line(self.ground)}"]
        for joint in self.joints:
            first, second = str(joint.first).split(".")[0], str(joint.second).split(".")[0]
            kind = type(joint).__name__.lower()
            lines.append(
                f"{kind} {one_line(joint.name)}: {one_line(first)}, {one_line(second)}; "
                f"{one_line(self.reasons[joint.name])}"
            )
        return "\n".join(lines)


@verb
def drawn_joints(
    parts: Mapping[str, Component] | Iterable[Component], ground: str | None = None
) -> DrawnJoints:
    """Joints of an assembly that is drawn in one place, proposed from holes and shafts on one axis.

        parts   {name: Component} of `hs.load_cad` from STEP, or Components
        ground  the part that does not move; by default the heaviest

    Two parts whose holes or shafts are side by side on one axis get a revolute joint, or a cylindrical one
    where a shaft is in a hole and no flat faces touch. On several parallel axes two parts are welded, or
    slide on shafts, a prismatic joint. Pins, bolts and nuts that join other parts are welded to one of them,
    parts without a joint to the ground. They are proposals: nothing in a drawing says what is loose.
    """
    listed = list(parts.values() if isinstance(parts, Mapping) else parts)
    if not all(isinstance(part, Component) for part in listed):
        raise ModelError("drawn_joints takes components, as hs.load_cad returns them")
    components = {part.name: part for part in listed}
    if not components:
        raise ModelError("drawn_joints takes components, and there are none")
    if ground is None:
        ground = max(components.values(), key=lambda part: part.mass).name
    check_known(ground, components, "there is no component {}")
    if not any(part.rounds for part in components.values()):
        raise ModelError(
            "no part has a hole or a shaft: meshes and files of components say nothing about them",
            expected="parts of hs.load_cad from a STEP file",
            remedy="give anchors and joints to hs.mate, or load the STEP file",
        )
    axes = axis_groups(components)
    if not axes:
        raise ModelError(
            "no two parts have a hole or a shaft on one axis",
            remedy="give anchors and joints, or check that the parts are drawn where they belong",
        )
    return _Proposal(components, axes, ground).proposed()


class _Proposal:
    """Parts, grouped as far as they are rigid, and the joints between groups."""

    def __init__(self, parts: dict[str, Component], axes: list[Axis], ground: str) -> None:
        self.parts, self.axes, self.ground = parts, axes, ground
        self.group = {name: name for name in parts}
        self.fasteners = {name for name in parts if name != ground and self._fastens(name)}
        self.joints: list[Joint] = []
        self.reasons: dict[str, str] = {}

    def proposed(self) -> DrawnJoints:
        """All joints: of fasteners, of rigid groups, between these, and of what is left."""
        self._merge()
        for axis in self.axes:
            self._along(axis)
        for name in self.parts:
            if self._root(name) not in self._connected():
                self._join(
                    "weld",
                    self.ground,
                    name,
                    np.array(self.parts[name].com),
                    np.array([0.0, 0, 1]),
                    "it shares no axis with another part",
                )
        return DrawnJoints(self.parts, tuple(self.joints), self.ground, self.reasons)

    def _fastens(self, name: str) -> bool:
        """Whether a part is a pin, a bolt or a nut: round about its only axis, on which it joins others."""
        axes = [axis for axis in self.axes if name in axis.parts]
        if len(axes) != 1:
            return False
        axis = axes[0]
        alone = {other for other in axis.parts if sum(other in each.parts for each in self.axes) == 1}
        about = {other for other in alone if other != self.ground and self._round_about(other, axis)}
        return name in about and len(set(axis.parts) - about) >= 2

    def _round_about(self, name: str, axis: Axis) -> bool:
        """Whether the mass of a part is on an axis."""
        part = self.parts[name]
        across = np.linalg.norm(np.cross(axis.axis, np.array(part.com) - axis.point))
        return bool(part.mass and across <= CENTRED * np.sqrt(part.principal_moments[2] / part.mass))

    def _members(self, axis: Axis) -> list[str]:
        return [name for name in axis.parts if name not in self.fasteners]

    def _root(self, name: str) -> str:
        while self.group[name] != name:
            name = self.group[name]
        return name

    def _shared(self, first: str, second: str) -> list[tuple[Axis, str, str]]:
        """The axes that two groups share, with a part of each."""
        shared: list[tuple[Axis, str, str]] = []
        for axis in self.axes:
            one, other = ([n for n in self._members(axis) if self._root(n) == g] for g in (first, second))
            if one and other:
                shared.append((axis, one[0], other[0]))
        return shared

    def _merge(self) -> None:
        """Welds groups that share several axes, until none do; a pair that slides is left."""
        again = True
        while again:
            again = False
            roots = list(dict.fromkeys(self._root(name) for name in self.parts))
            for first, second in combinations(roots, 2):
                shared = self._shared(first, second)
                if len(shared) > 1 and not _slides(shared):
                    axis, one, other = shared[0]
                    why = f"{len(shared)} axes are shared"
                    self._weld(one, other, axis, why)
                    again = True
                    break

    def _along(self, axis: Axis) -> None:
        """The joints of one axis: from each of its groups to the one it fits best, and its fasteners."""
        members = self._members(axis)
        roots = list(dict.fromkeys(self._root(name) for name in members))
        base = self._root(self.ground) if self._root(self.ground) in roots else roots[0]
        for partner, other in self._partners(axis, base, [root for root in roots if root != base]):
            shared = self._shared(partner, other)
            if len(shared) > 1:
                if shared[0][0] is axis:
                    _, one, two = shared[0]
                    self._join(
                        "prismatic",
                        one,
                        two,
                        axis.middle(one, two),
                        axis.axis,
                        f"it slides on {len(shared)} shafts",
                    )
                continue
            _, one, two = shared[0]
            slides = self._sleeve(axis, one, two) and not axis.held(one, two)
            why = "a shaft in a hole, no flat faces touch" if slides else _why(axis, one, two)
            self._join(
                "cylindrical" if slides else "revolute", one, two, axis.middle(one, two), axis.axis, why
            )
        first = next((name for name in members if self._root(name) == base), None)
        for name in axis.parts:
            if name in self.fasteners and first is not None:
                self._weld(first, name, axis, "it joins parts on its axis")

    def _sleeve(self, axis: Axis, first: str, second: str) -> bool:
        """Whether a shaft of one part fits into a hole of the other, or of a bush that is welded to it."""
        bushes = [name for name in axis.parts if name in self.fasteners and not axis.bored(first, second)]
        return axis.sleeve(first, second) or any(
            axis.sleeve(bush, part) for bush in bushes for part in (first, second)
        )

    def _partners(self, axis: Axis, base: str, rest: list[str]) -> list[tuple[str, str]]:
        """Each group with one before it: best where a shaft of one fits into a hole of the other."""
        pairs: list[tuple[str, str]] = []
        reached = [base]
        while rest:
            choices = [(one, other) for one in reached for other in rest]
            pair = min(choices, key=lambda pair: self._apart(axis, *pair))
            pairs.append(pair)
            reached.append(pair[1])
            rest = [root for root in rest if root != pair[1]]
        return pairs

    def _apart(self, axis: Axis, first: str, second: str) -> int:
        """0 where a shaft of one group fits into the other, 1 where both have holes, else 2."""
        one, other = ([n for n in self._members(axis) if self._root(n) == root] for root in (first, second))
        pairs = [(a, b) for a in one for b in other]
        if any(axis.sleeve(a, b) for a, b in pairs):
            return 0
        return 1 if any(axis.bored(a, b) for a, b in pairs) else 2

    def _weld(self, first: str, second: str, axis: Axis, why: str) -> None:
        self._join("weld", first, second, axis.middle(first, second), axis.axis, why)
        self.group[self._root(second)] = self._root(first)

    def _join(self, kind: str, first: str, second: str, at: Any, axis: Any, why: str) -> None:
        """A joint between two parts, at an anchor that both get."""
        name = plain = f"{first[:LONGEST]} {second[:LONGEST]}"
        taken = {joint.name for joint in self.joints}
        for count in range(2, len(taken) + 3):
            name = f"{plain} {count}" if name in taken else name
        x, y, z = (float(v) for v in at)
        frame = Frame((x, y, z), angles([list(row) for row in z_onto(tuple(float(v) for v in axis))]))
        for part in (first, second):
            self.parts[part] = self.parts[part].anchored({name: frame})
        joint = KINDS[kind](name, f"{first}.{name}", f"{second}.{name}")
        self.joints.append(joint)
        self.reasons[name] = why

    def _connected(self) -> set[str]:
        """The groups that joints connect with the ground."""
        reached = {self._root(self.ground)}
        pairs = [(str(j.first).split(".")[0], str(j.second).split(".")[0]) for j in self.joints]
        for _ in self.joints:
            for one, other in pairs:
                if {self._root(one), self._root(other)} & reached:
                    reached |= {self._root(one), self._root(other)}
        return reached


def _slides(shared: list[tuple[Axis, str, str]]) -> bool:
    """Whether two groups slide on parallel shafts."""
    direction = shared[0][0].axis
    return all(
        float(np.linalg.norm(np.cross(direction, axis.axis))) < PARALLEL
        and axis.sleeve(one, other)
        and not axis.held(one, other)
        for axis, one, other in shared
    )


def _why(axis: Axis, first: str, second: str) -> str:
    """What says that two parts turn about an axis."""
    if axis.sleeve(first, second):
        return "a shaft in a hole, flat faces touch"
    return "holes on one axis"
