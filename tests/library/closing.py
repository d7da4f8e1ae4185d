"""What closes a loop, in numbers: residuals of closing joints and their exact Jacobian.

Poses and Jacobians are those of the bodies of the tree, all loops cut open. A closing joint
between the frames 1 and 2 wants, with the relative angular velocity w = w2 - w1:

    any joint    p2 - p1 = 0
    Revolute     b1 . a2 = 0 for two directions b1 across its axis; the rate is w . (a2 x b1)
    Weld         the skew part of R1' R2 = 0, sums of such products
    Distance     |p2 - p1| - length = 0
"""

import numpy as np
from scipy.optimize import least_squares

import hapsis as hs
from hapsis.mechanics.model.frames import rotation
from hapsis.mechanics.model.values.axes import axis_vector

NOTHING = 1e-12  # rows that are smaller than this wherever one looks are identically zero


class Closing:
    """The loops of a model: residual(q) and jacobian(q) over all its coordinates."""

    def __init__(self, model):
        self.model = model
        opened = {*(j.name for j in model.cuts), *model.drives, *model.constraints}
        tree = [fact for fact in model.facts if isinstance(fact, hs.Body)]
        tree += [joint for joint in model.joints.values() if joint.name not in opened]
        tree = hs.Model(*tree, parameters=model.parameters)
        assert tree.coordinates == model.coordinates and not tree.cuts
        self.closings = [*model.cuts, *model.constraints.values()]
        ends = [end for closing in self.closings for end in closing.ends.values()]
        bodies = {model.frame(end)[0] for end in ends} - {"world"}
        self.motions = {
            body: (hs.compile(hs.pose(tree, body)), hs.compile(hs.jacobian(tree, body))) for body in bodies
        }

    def _frame(self, end, q):
        """Origin, axes, angular and linear Jacobian of an end."""
        body, frame = self.model.frame(end)
        at = np.array([self.model.value(x) for x in frame.at])
        turn = np.array(rotation([self.model.value(x) for x in frame.rpy]))
        if body == "world":
            none = np.zeros((3, len(q)))
            return at, turn, none, none
        pose, jacobian = self.motions[body]
        p, R = pose(q)
        J = jacobian(q)
        arm = R @ at
        return p + arm, R @ turn, J[:3], J[3:] - np.cross(arm, J[:3], axisb=0, axisc=0)

    def rows(self, q):
        """The residual and its Jacobian."""
        values, rates = [], []
        for closing in self.closings:
            p1, R1, w1, u1 = self._frame(closing.first, q)
            p2, R2, w2, u2 = self._frame(closing.second, q)
            gap, spread, w = p2 - p1, u2 - u1, w2 - w1
            if isinstance(closing, hs.Distance):
                length = np.linalg.norm(gap)
                values.append([length - self.model.value(closing.length)])
                rates.append((gap / length @ spread)[None])
                continue
            values.append(gap)
            rates.append(spread)
            for products in _directions(closing, R1, R2):
                values.append([sum(k * b1 @ a2 for k, b1, a2 in products)])
                rates.append(sum(k * np.cross(a2, b1) @ w for k, b1, a2 in products)[None])
        return np.concatenate(values), np.concatenate(rates)

    def start(self):
        """The pose `start` in order, with driven coordinates where their drives hold them."""
        pose = self.model.pose("start")
        pose |= {d.joint: self.model.value(d.position) for d in self.model.drives.values()}
        return np.array([pose[name] for name in self.model.coordinates])

    def columns(self, *, independent=True):
        """Indices of the coordinates that no drive holds, with or without those that lead."""
        held = {drive.joint for drive in self.model.drives.values()}
        held |= set() if independent else set(self.model.independent)
        return [k for k, name in enumerate(self.model.coordinates) if name not in held]

    def solved(self, q, **moved):
        """q with the dependent coordinates found such that all loops are closed."""
        q, free = np.array(q, dtype=float), self.columns(independent=False)
        for name, value in moved.items():
            q[self.model.coordinates.index(name)] = value

        def at(x):
            full = q.copy()
            full[free] = x
            return full

        found = least_squares(
            lambda x: self.rows(at(x))[0],
            q[free],
            jac=lambda x: self.rows(at(x))[1][:, free],
            xtol=1e-15,
            ftol=1e-15,
            gtol=1e-15,
            method="trf",
            max_nfev=500,
        )
        return at(found.x)

    def gap(self, q):
        """The largest residual, with frames that are welded the wrong way round counted as open."""
        for closing in self.model.cuts:
            if isinstance(closing, hs.Weld):
                _, R1, _, _ = self._frame(closing.first, q)
                _, R2, _, _ = self._frame(closing.second, q)
                if np.trace(R1.T @ R2) < 0.0:
                    return np.inf
        return abs(self.rows(q)[0]).max()

    def kept(self, rng):
        """Which rows are not identically zero."""
        size = 0.0
        for _ in range(4):
            q = self.start() + rng.uniform(-0.5, 0.5, len(self.model.coordinates))
            values, rates = self.rows(q)
            size = np.maximum(size, np.maximum(abs(values), abs(rates).max(axis=1)))
        return size > NOTHING

    def rank(self, q, tolerance=1e-9):
        """The rank of the Jacobian over the coordinates that no drive holds."""
        J = self.rows(q)[1][:, self.columns()]
        singular = np.linalg.svd(J, compute_uv=False)
        return int((singular > tolerance * singular[0]).sum())

    def mobility(self, q):
        """Degrees of freedom at a closed pose."""
        return len(self.columns()) - self.rank(q)


def _directions(closing, R1, R2):
    """Sums of products (factor, direction in frame 1, direction in frame 2) that shall be zero."""
    if isinstance(closing, hs.Ball):
        return
    if isinstance(closing, hs.Weld):
        for i, j in ((1, 2), (2, 0), (0, 1)):
            yield [(0.5, R1[:, j], R2[:, i]), (-0.5, R1[:, i], R2[:, j])]
        return
    assert isinstance(closing, hs.Revolute), closing
    axis = np.array(axis_vector(closing.axis))
    across = np.linalg.svd(axis[None])[2][1:]
    for b in across:
        yield [(1.0, R1 @ b, R2 @ axis)]
