"""Pinocchio's algorithms run on CasADi's symbols, as its CasADi scalar type would run them.

Spatial vectors are pairs (linear, angular) of 3-vectors, each body in its own frame. Inertias are
mass, centre and six numbers about the centre; a turn costs them what it costs in Pinocchio. CasADi
drops products with 0 and 1 on the way. [RBDA] has the recursions.
"""

from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_pinocchio import kind_of
from hapsis.bench.rivals import rival

ca = rival("casadi")


def sx(x: Any) -> Any:
    """Numbers as symbols; what is below 1e-15, such as the cosine of pi / 2, is zero."""
    x = np.asarray(x, float)
    return ca.SX(ca.DM(np.where(abs(x) < 1e-15, 0.0, x)))


def vector(*xs: Any) -> Any:
    """A column."""
    return ca.vertcat(*xs)


ZERO = vector(*[ca.SX(0)] * 3)
SIX = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))  # a symmetric matrix by its rows


class Joint:
    """One joint at symbols q, v: its turn and offset from the parent, its motion."""

    def __init__(self, model: Any, k: int, q: Any):
        self.parent, self.dof = int(model.parents[k]), model.joints[k].nv
        self.at = slice(model.joints[k].idx_v, model.joints[k].idx_v + self.dof)
        self.kind, axis = kind_of(model.joints[k])
        self.axis = sx(axis)
        place, body = model.jointPlacements[k], model.inertias[k]
        turn, offset = sx(place.rotation), sx(place.translation)
        first = model.joints[k].idx_q
        if self.kind == "FF":
            own, shift = _quaternion(q[first + 3 : first + 7]), q[first : first + 3]
        elif self.kind[0] == "R":
            own, shift = _turn(self.axis, self.kind, q[first]), None
        else:
            own, shift = None, self.axis * q[first]
        self.R = turn if own is None else turn @ own
        self.p = offset if shift is None else offset + turn @ shift
        self.mass, self.centre = float(body.mass), sx(body.lever)
        I = body.inertia
        self.I = [ca.SX(float(I[i, j])) for i, j in SIX]

    def motion(self, rates: Any) -> Any:
        """S times rates: linear, angular."""
        if self.kind == "FF":
            return rates[:3], rates[3:]
        whole = self.axis * rates
        return (ZERO, whole) if self.kind[0] == "R" else (whole, ZERO)

    def effort(self, force: Any) -> Any:
        """S' times a force."""
        if self.kind == "FF":
            return vector(*force)
        return ca.dot(self.axis, force[self.kind[0] == "R"])

    def columns(self) -> list[Any]:
        """The motions of unit rates."""
        if self.dof == 1:
            return [self.motion(ca.SX(1))]
        return [self.motion(sx(row)) for row in np.eye(6)]

    def into(self, motion: Any) -> Any:
        """A motion of the parent's frame, in this one."""
        return self.R.T @ (motion[0] - ca.cross(self.p, motion[1])), self.R.T @ motion[1]

    def out(self, force: Any) -> Any:
        """A force of this frame, in the parent's."""
        linear = self.R @ force[0]
        return linear, self.R @ force[1] + ca.cross(self.p, linear)

    def inertia(self, motion: Any) -> Any:
        """Inertia times motion."""
        return product((self.mass, self.centre, self.I), motion)


def _turn(axis: Any, kind: str, q: Any) -> Any:
    c, s = ca.cos(q), ca.sin(q)
    if kind != "RU":
        i = "XYZ".index(kind[1])
        j, k = (i + 1) % 3, (i + 2) % 3
        R = ca.SX.eye(3)
        R = ca.densify(R)
        R[j, j], R[k, k], R[k, j], R[j, k] = c, c, s, -s
        return R
    cross = axis * s
    part = (1 - c) * axis
    R = ca.SX(3, 3)
    for i in range(3):
        R[i, i] = part[i] * axis[i] + c
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        both = part[i] * axis[j]
        R[i, j], R[j, i] = both - cross[k], both + cross[k]
    return R


def _quaternion(u: Any) -> Any:
    x, y, z, w = u[0], u[1], u[2], u[3]
    tx, ty, tz = 2 * x, 2 * y, 2 * z
    wx, wy, wz, xx, xy, xz = tx * w, ty * w, tz * w, tx * x, ty * x, tz * x
    yy, yz, zz = ty * y, tz * y, tz * z
    rows = ((1 - (yy + zz), xy - wz, xz + wy), (xy + wz, 1 - (xx + zz), yz - wx))
    rows = (*rows, (xz - wy, yz + wx, 1 - (xx + yy)))
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))


def times(s: list[Any], x: Any) -> Any:
    """A symmetric matrix (xx xy yy xz yz zz) times a vector."""
    return vector(
        s[0] * x[0] + s[1] * x[1] + s[3] * x[2],
        s[1] * x[0] + s[2] * x[1] + s[4] * x[2],
        s[3] * x[0] + s[4] * x[1] + s[5] * x[2],
    )


def product(inertia: Any, motion: Any) -> Any:
    """An inertia (mass, centre, about the centre) times a motion."""
    mass, centre, I = inertia
    linear = mass * (motion[0] - ca.cross(centre, motion[1]))
    return linear, times(I, motion[1]) + ca.cross(centre, linear)


def cross(motion: Any, other: Any) -> Any:
    """Motion cross motion."""
    v, w = motion
    return ca.cross(v, other[1]) + ca.cross(w, other[0]), ca.cross(w, other[1])


def cross_force(motion: Any, force: Any) -> Any:
    """Motion cross force."""
    v, w = motion
    return ca.cross(w, force[0]), ca.cross(w, force[1]) + ca.cross(v, force[0])


def add(*pairs: Any) -> Any:
    """The sum of spatial vectors."""
    linear, angular = pairs[0]
    for pair in pairs[1:]:
        linear, angular = linear + pair[0], angular + pair[1]
    return linear, angular


def joints(model: Any, q: Any) -> list[Joint]:
    """All moving joints, parents first."""
    return [Joint(model, k, q) for k in range(1, model.njoints)]


def inverse(model: Any, q: Any, v: Any, a: Any) -> Any:
    """Efforts: Pinocchio's rnea."""
    tree, tau = joints(model, q), ca.SX(model.nv, 1)
    speeds, rates, forces = [(ZERO, ZERO)], [(-sx(model.gravity.linear), ZERO)], [(ZERO, ZERO)]
    for j in tree:
        own = j.motion(v[j.at])
        speed = add(own, j.into(speeds[j.parent])) if j.parent else own
        rate = add(j.motion(a[j.at]), j.into(rates[j.parent]))
        if j.parent:
            rate = add(rate, cross(speed, own))
        speeds.append(speed)
        rates.append(rate)
        forces.append(add(j.inertia(rate), cross_force(speed, j.inertia(speed))))
    for k in range(len(tree), 0, -1):
        j = tree[k - 1]
        tau[j.at] = j.effort(forces[k])
        if j.parent:
            forces[j.parent] = add(forces[j.parent], j.out(forces[k]))
    return tau


def turned(R: Any, d: list[Any]) -> list[Any]:
    """R S R' of a symmetric S, by Pinocchio's short way."""
    L = ((d[0] - d[5], d[1]), (d[1], d[2] - d[5]), (2 * d[3], 2 * d[4]))
    Y = [[sum(R[i, k] * L[k][j] for k in range(3)) for j in range(2)] for i in (1, 2)]
    yx = Y[0][0] * R[0, 0] + Y[0][1] * R[0, 1]
    yy = Y[0][0] * R[1, 0] + Y[0][1] * R[1, 1]
    zx = Y[1][0] * R[0, 0] + Y[1][1] * R[0, 1]
    zy = Y[1][0] * R[1, 0] + Y[1][1] * R[1, 1]
    zz = Y[1][0] * R[2, 0] + Y[1][1] * R[2, 1]
    r = [R[i, 1] * d[3] - R[i, 0] * d[4] for i in range(3)]
    xx = L[0][0] + L[1][1] - yy - zz
    return [xx + d[5], yx + r[2], yy + d[5], zx - r[1], zy + r[0], zz + d[5]]


def merged(one: Any, two: Any) -> Any:
    """Two inertias as one."""
    mass = one[0] + two[0]
    if not mass:
        return one
    centre = (one[0] * one[1] + two[0] * two[1]) / mass
    x, y, z = ca.vertsplit(one[1] - two[1])
    share = one[0] * two[0] / mass
    spread = (y * y + z * z, -x * y, x * x + z * z, -x * z, -y * z, x * x + y * y)
    I = [a + b + share * s for a, b, s in zip(one[2], two[2], spread, strict=True)]
    return mass, centre, I


def mass(model: Any, q: Any) -> Any:
    """The mass matrix, all of it: Pinocchio's crba in local frames."""
    tree, M = joints(model, q), ca.SX(model.nv, model.nv)
    bodies = [None, *((j.mass, j.centre, j.I) for j in tree)]
    for k in range(len(tree), 0, -1):
        j = tree[k - 1]
        forces = [product(bodies[k], column) for column in j.columns()]
        at = range(j.at.start, j.at.stop)
        for row, force in zip(at, forces, strict=True):
            M[j.at, row] = j.effort(force)
            M[row, j.at] = M[j.at, row].T
        up = j
        while up.parent:
            forces = [up.out(force) for force in forces]
            up = tree[up.parent - 1]
            for row, force in zip(at, forces, strict=True):
                M[up.at, row] = up.effort(force)
                M[row, up.at] = M[up.at, row].T
        if j.parent:
            body = bodies[k]
            moved = (body[0], j.p + j.R @ body[1], turned(j.R, body[2]))
            bodies[j.parent] = merged(bodies[j.parent], moved)
    return M
