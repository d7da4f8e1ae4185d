"""Pinocchio's articulated-body algorithm run on CasADi's symbols (its aba in local frames)."""

from typing import Any

from hapsis.bench.dynamics.casadi_trace import ZERO, Joint, add, ca, cross, cross_force, joints, sx, vector


def forward(model: Any, q: Any, v: Any, tau: Any) -> Any:
    """Accelerations."""
    tree, n = joints(model, q), model.njoints
    speeds, rates, forces = [(ZERO, ZERO)], [(-sx(model.gravity.linear), ZERO)], [(ZERO, ZERO)]
    for j in tree:
        own = j.motion(v[j.at])
        speed = add(own, j.into(speeds[j.parent])) if j.parent else own
        speeds.append(speed)
        rates.append(cross(speed, own) if j.parent else (ZERO, ZERO))
        forces.append(cross_force(speed, j.inertia(speed)))
    inertias = [None, *(_matrix(j) for j in tree)]
    gains: list[Any] = [None] * n
    for k in range(n - 1, 0, -1):
        j, I = tree[k - 1], inertias[k]
        u = tau[j.at] - j.effort(forces[k])
        if j.dof == 6:
            gains[k] = (I, u)
            continue
        U = _column(j, I)
        inverse = 1 / j.effort(U)
        share = (U[0] * inverse, U[1] * inverse)
        gains[k] = (inverse, share, u)
        if not j.parent:
            continue
        I = [[I[a][b] - share[a] @ U[b].T for b in range(2)] for a in range(2)]
        bias = rates[k]
        carried = tuple(I[a][0] @ bias[0] + I[a][1] @ bias[1] + share[a] * u for a in range(2))
        forces[j.parent] = add(forces[j.parent], j.out(add(forces[k], carried)))
        moved, old = _moved(j.R, j.p, I), inertias[j.parent]
        inertias[j.parent] = [[old[a][b] + moved[a][b] for b in range(2)] for a in range(2)]
    return _accelerations(model, tree, rates, gains)


def _accelerations(model: Any, tree: list[Joint], rates: list[Any], gains: list[Any]) -> Any:
    """The last pass, from the base on."""
    a = ca.SX(model.nv, 1)
    for k, j in enumerate(tree, 1):
        rate = j.into(rates[j.parent])
        if j.parent:
            rate = add(rates[k], rate)
        if j.dof == 6:
            I, u = gains[k]
            own = _solved(ca.blockcat(I), u) - vector(*rate)
        else:
            inverse, share, u = gains[k]
            own = inverse * u - (ca.dot(share[0], rate[0]) + ca.dot(share[1], rate[1]))
        a[j.at] = own
        rates[k] = add(rate, j.motion(own))
    return a


def _matrix(j: Joint) -> Any:
    """A body's inertia as two by two blocks, linear first."""
    m, c = j.mass, j.centre
    h = ca.densify(ca.SX(3, 3))
    x, y, z = (m * c[i] for i in range(3))
    h[0, 1], h[0, 2], h[1, 2], h[1, 0], h[2, 0], h[2, 1] = z, -y, x, -z, y, -x
    I = ca.SX(3, 3)
    for (a, b), value in zip(((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)), j.I, strict=True):
        I[a, b], I[b, a] = value, value
    x, y, z = (c[i] for i in range(3))
    about = ca.blockcat(
        [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
    )
    return [[ca.densify(m * ca.SX.eye(3)), h], [h.T, I + m * about]]


def _column(j: Joint, I: Any) -> Any:
    """Inertia times the joint's direction."""
    part = int(j.kind[0] == "R")
    return I[0][part] @ j.axis, I[1][part] @ j.axis


def _moved(R: Any, t: Any, I: Any) -> Any:
    """An articulated inertia in the parent's frame."""
    A, B, D = (R @ x @ R.T for x in (I[0][0], I[0][1], I[1][1]))
    D = D + _crossed(t, B).T
    C = _crossed(t, A) + B.T
    return [[A, C.T], [C, D + _crossed(t, C.T)]]


def _crossed(t: Any, matrix: Any) -> Any:
    """t cross every column."""
    return ca.horzcat(*(ca.cross(t, matrix[:, i]) for i in range(3)))


def _solved(A: Any, b: Any) -> Any:
    """The solution of a symmetric system, by LDL' written out."""
    n = b.shape[0]
    L, D, y = [[ca.SX(0)] * n for _ in range(n)], [ca.SX(0)] * n, [b[i] for i in range(n)]
    for j in range(n):
        D[j] = A[j, j] - sum(L[j][k] * L[j][k] * D[k] for k in range(j))
        for i in range(j + 1, n):
            L[i][j] = (A[i, j] - sum(L[i][k] * L[j][k] * D[k] for k in range(j))) / D[j]
        y[j] = y[j] - sum(L[j][k] * y[k] for k in range(j))
    for i in reversed(range(n)):
        y[i] = y[i] / D[i] - sum(L[k][i] * y[k] for k in range(i + 1, n))
    return vector(*y)
