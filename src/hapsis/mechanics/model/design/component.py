"""Component: a designed part with its anchors, in the coordinates of its drawing."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, one_line
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.design.round import Round
from hapsis.mechanics.model.frames import ORIGIN, AsFrame, Frame, angles
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.solid_masses import solid_mass
from hapsis.mechanics.model.shapes.triangle_mesh import AsTriangles, AsVertices, TriangleMesh
from hapsis.mechanics.model.values.moments import moments_of
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import NOTHING, AsValue, AsVector, AsVectorOrNone, Table, numbers_of

SLACK = 1e-9  # relative, of inertias that were rounded when they were written
SAME = 1e-9  # m and rad between frames that are one
COG = "cog"  # the anchor at the centre of gravity, along the principal axes


@verb
@frozen
class Component:
    """A designed part: what it weighs, what it looks like, and its anchors. All numbers, no formulas.

        name     of the part, and of its body in a model
        mass     kg
        com      centre of mass in the coordinates of the drawing, m
        inertia  about the centre of mass, kg m², as of a Body
        anchors  {name: Frame or (x, y, z)}: the origin is the centre of a joint, z its axis. A grasp is an
                 anchor too
        shapes   what it looks like
        source   where mass and inertia come from: "given", "mesh", "CAD"
        rounds   {anchor: Round} of the anchors that lie in holes and shafts, as files of CAD say

    The anchor `cog` is there by itself: the centre of mass, with the principal axes of inertia. `hs.mate`
    makes a Model of components; `print(component)` says what one weighs and why.
    """

    name: str
    mass: AsValue = 0.0
    com: AsVector = ORIGIN
    inertia: AsVector = (0.0,) * 6
    anchors: Mapping[str, AsFrame] = NOTHING
    shapes: Sequence[Shape] = ()
    source: str = "given"
    rounds: Mapping[str, Round] = NOTHING

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or "." in self.name:  # pyright: ignore
            raise ModelError(
                f"the name of a component must be a text without a dot, not {described(self.name)}"
            )
        if not isinstance(self.anchors, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"{self.label}: anchors must be {{name: frame}}, not {described(self.anchors)}")
        if COG in self.anchors:
            raise ModelError(
                f'{self.label}: the anchor "{COG}" follows from mass and inertia', remedy="rename it"
            )
        moments = moments_of(self.inertia, f"{self.label}: inertia")
        inertia = tuple(real(x, f"{self.label}: inertia") for x in moments)
        anchors = {n: self._anchor(n, f) for n, f in self.anchors.items()}
        if (mass := real(self.mass, f"{self.label}: mass")) < 0.0:
            raise ModelError(f"{self.label}: mass is {mass:g}; it cannot be negative")
        principal = np.linalg.eigvalsh(_matrix(inertia))
        slack = SLACK * np.abs(principal).max()
        if principal[0] < -slack or principal[0] + principal[1] < principal[2] - slack:
            told = ", ".join(f"{x:.4g}" for x in principal)
            raise ModelError(
                f"{self.label}: its inertia is impossible: the principal moments are {told} kg m²",
                expected="none negative, and none more than the other two together",
            )
        self._set(
            mass=mass,
            com=numbers_of(self.com, f"{self.label}: com"),
            inertia=inertia,
            anchors=Table(anchors),
            rounds=Table({n: r for n, r in self.rounds.items() if n in anchors}),
            shapes=(self.shapes,) if isinstance(self.shapes, Shape) else tuple(self.shapes),
        )

    def _anchor(self, name: Any, frame: Any) -> Frame:
        if not isinstance(name, str) or not name or "." in name:
            raise ModelError(
                f"{self.label}: the name of an anchor must be a text without a dot, not {described(name)}"
            )
        what = f'{self.label}: anchor "{name[:60]}"'
        anchor = Frame.of(frame, what)
        if anchor.formula:
            raise ModelError(f"{what} must be numbers, not formulas")
        return anchor

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @staticmethod
    @verb
    def mesh(
        name: str,
        vertices: AsVertices,
        triangles: AsTriangles,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        anchors: Mapping[str, AsFrame] = NOTHING,
    ) -> "Component":
        """The solid inside a closed mesh, as hs.TriangleMesh takes it; its `mass` or `density` (kg/m³)."""
        label = f'component "{str(name)[:60]}"'
        shape = TriangleMesh(vertices, triangles)
        m, com, inertia = solid_mass(shape, mass, density, label)
        source = "mesh" if mass is None else "mesh, mass given"
        return Component(name, m, com, inertia, anchors, (shape,), source)

    @property
    def label(self) -> str:
        """How errors name it."""
        return f'component "{self.name[:60]}"'

    @verb
    def weighed(
        self, mass: AsValue = None, com: AsVectorOrNone = None, inertia: AsVectorOrNone = None
    ) -> "Component":
        """The component with another mass, centre of mass or inertia, such as those of a scale.

        Where only the mass is given, the inertia grows with it.
        """
        names = [n for n, x in (("mass", mass), ("com", com), ("inertia", inertia)) if x is not None]
        m = self.mass if mass is None else real(mass, f"{self.label}: mass")
        if inertia is None:
            if not self.mass and m:
                raise ModelError(
                    f"{self.label} has no mass to scale its inertia by", remedy="give its inertia"
                )
            inertia = tuple(x * (m / self.mass if self.mass else 1.0) for x in self.inertia)
        plain = len(names) == 3 or self.source == "given"
        source = "given" if plain else f"{self.source}, {' and '.join(names)} given"
        changed = {"mass": m, "com": self.com if com is None else com, "inertia": inertia}
        return dataclasses.replace(self, **changed, source=source if names else self.source)

    @verb
    def anchored(self, anchors: Mapping[str, AsFrame]) -> "Component":
        """The component with these `anchors` besides those it has; one that is given where it was stays that
        of its hole or shaft."""
        changed = dataclasses.replace(self, anchors={**self.anchors, **anchors}, rounds={})
        kept = {n: r for n, r in self.rounds.items() if _same(self.anchors[n], changed.anchors[n])}
        return dataclasses.replace(changed, rounds=kept)

    @property
    def principal_moments(self) -> tuple[float, float, float]:
        """The principal moments of inertia about the centre of mass, kg m², the smallest first."""
        x, y, z = map(float, np.linalg.eigvalsh(_matrix(self.inertia)))
        return x, y, z

    @property
    def cog(self) -> Frame:
        """The centre of mass with the principal axes: x is that of the smallest moment."""
        xx, yy, zz, *products = self.inertia
        if not any(products) and xx <= yy <= zz:
            return Frame(self.com)
        _, axes = np.linalg.eigh(_matrix(self.inertia))
        axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), range(3)] < 0, -1.0, 1.0)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])  # right-handed
        return Frame(self.com, angles(axes.tolist()))

    @property
    def body(self) -> Body:
        """The body of a Model; its frames are the anchors, `cog` among them."""
        frames = {**self.anchors, COG: self.cog}
        return Body(self.name, self.mass, self.com, self.inertia, frames, self.shapes)

    def __str__(self) -> str:
        size = (max(self.principal_moments) / self.mass) ** 0.5 if self.mass else 0.0
        rounding = 1e-12 * max(*map(abs, self.com), size)
        at = ", ".join(f"{x if abs(x) > rounding else 0.0:.6g}" for x in self.com)
        moments = ", ".join(f"{x:.6g}" for x in self.principal_moments)
        weight = f"{one_line(self.name)}: {self.mass:.6g} kg ({one_line(self.source)}), cog ({at}) m"
        anchors = one_line(", ".join(self.anchors)) or "none"
        return f"{weight}, moments ({moments}) kg m², anchors {anchors}"


def _matrix(inertia: Any) -> Any:
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _same(a: Any, b: Any) -> bool:
    """Whether two frames are one, but for rounding."""
    return bool(np.abs(np.subtract((*a.at, *a.rpy), (*b.at, *b.rpy))).max() <= SAME)
