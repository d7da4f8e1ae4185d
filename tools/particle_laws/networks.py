"""Random networks of linear, torsion and joint springs from micrometres to kilometres: the motion by another
route, Runge-Kutta on slopes of the same energies that are taken by differences."""

from typing import Any

import numpy as np

import hapsis as hs

P = hs.particles
G = 9.81
STEPS = 400  # of Runge-Kutta


def lengths(x: Any, ends: Any) -> Any:
    """Of linear springs."""
    return np.linalg.norm(x[..., ends[:, 0], :] - x[..., ends[:, 1], :], axis=-1)


def angles(x: Any, ends: Any) -> Any:
    """At the middle of three, in [0, π]; with a fourth particle about the way to it, in (-π, π]."""
    i, j = (x[..., ends[:, k], :] - x[..., ends[:, 1], :] for k in (0, 2))
    cross = np.cross(i, j)
    angle = np.arctan2(np.linalg.norm(cross, axis=-1), (i * j).sum(axis=-1))
    if ends.shape[1] == 4:
        to = x[..., ends[:, 3], :] - x[..., ends[:, 1], :]
        angle = np.where((cross * to).sum(axis=-1) < 0.0, -angle, angle)
    return angle


def far_from_corners(x: Any, rng: Any) -> tuple[Any, Any]:
    """Three torsion springs and three joint springs whose law has no corner near."""
    torsions: list[Any] = []
    joints: list[Any] = []
    for row in rng.permuted(np.tile(np.arange(len(x)), (2000, 1)), axis=1)[:, :4]:
        i, j, to = (x[row[k]] - x[row[1]] for k in (0, 2, 3))
        cross = np.cross(i, j)
        angle = np.arctan2(np.linalg.norm(cross), i @ j)
        if not 0.5 < angle < 2.6:
            continue
        torsions.append(row[:3])
        if abs(cross @ to) > 0.5 * np.linalg.norm(cross) * np.linalg.norm(to):
            joints.append(row)
    return np.array(torsions[:3], int).reshape(-1, 3), np.array(joints[:3], int).reshape(-1, 4)


class Network:
    """A scene, and its accelerations by differences."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.size = size = 10.0 ** rng.uniform(-6, 3)
        n = 6
        x = size * rng.normal(size=(n, 3)) * 0.5
        density = 10.0 ** rng.uniform(1, 4)
        self.mass = density * size**3 * rng.uniform(0.5, 2.0, n)
        self.time = np.sqrt(size / G)
        unit = self.mass.mean() / self.time**2  # N/m
        pairs = np.array([(a, b) for a in range(n) for b in range(a)])
        corners, turns = far_from_corners(x, rng)
        self.tables = []
        for ends, of, strain, lever in (
            (pairs, lengths, 0.05 * size, 1.0),
            (corners, angles, 0.1, size**2),
            (turns, angles, 0.1, size**2),
        ):
            rest = of(x, ends) + strain * rng.normal(size=len(ends))
            stiffness = unit * lever * rng.uniform(5, 40, len(ends))
            damping = stiffness * self.time * rng.choice([0.0, 0.02])
            self.tables.append((ends, of, rest, stiffness, damping))
        v = size / self.time * 0.1 * rng.normal(size=x.shape)
        kinds = [P.Connectors.of(t[0], *t[2:], width=t[0].shape[1]) for t in self.tables]
        thing = P.ParticleObject("net", x, self.mass, *kinds, velocities=v)
        self.floor = (20.0 * unit, float(x[:, 2].min()) - 0.05 * size)
        floor = P.Floor(stiffness=self.floor[0], at=(0, 0, self.floor[1]))
        step = P.EnergyStep(relative=1e-10)
        self.scene = P.Scene(thing, floor, step=step)
        self.x, self.v = x, v

    def smooth(self, result: Any) -> bool:
        """Whether no angle came near where its law has a corner."""
        x = result["net.points"]
        for ends, of, rest, *_ in self.tables[1:]:
            if not len(ends):
                continue
            angle = of(x, ends)
            flat = np.minimum(np.abs(angle), np.pi - np.abs(angle))
            if flat.min() < 0.15 or (np.sign(angle) != np.sign(angle[0])).any() or np.isnan(rest).any():
                return False
        return True

    def acceleration(self, x: Any, v: Any) -> Any:
        """By central differences of lengths and angles."""
        n, h = len(x), 1e-6 * self.size
        moved = x + h * np.concatenate([np.eye(3 * n), -np.eye(3 * n)]).reshape(-1, n, 3)
        force = np.zeros_like(x)
        force[:, 2] -= self.mass * G
        for ends, of, rest, stiffness, damping in self.tables:
            values = of(moved, ends)
            slope = (values[: 3 * n] - values[3 * n :]).T.reshape(len(ends), n, 3) / (2 * h)
            rate = (slope * v).sum(axis=(1, 2))
            pull = stiffness * (of(x, ends) - rest) + damping * rate
            force -= (pull[:, None, None] * slope).sum(axis=0)
        depth = x[:, 2] - self.floor[1]
        force[:, 2] += self.floor[0] * np.maximum(-depth, 0.0)
        return force / self.mass[:, None]

    def moved(self, span: float) -> tuple[Any, Any]:
        """The state after that time, by Runge-Kutta."""
        x, v, h = self.x, self.v, span / STEPS
        for _ in range(STEPS):
            a1 = self.acceleration(x, v)
            v2 = v + h / 2 * a1
            a2 = self.acceleration(x + h / 2 * v, v2)
            v3 = v + h / 2 * a2
            a3 = self.acceleration(x + h / 2 * v2, v3)
            v4 = v + h * a3
            a4 = self.acceleration(x + h * v3, v4)
            x = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
            v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return x, v


def networks(seed: int) -> list[str]:
    """The motion by both routes, and the account of energy."""
    net = Network(seed)
    span = 0.3 * net.time
    result = hs.simulate(net.scene, span, every=span / 20)
    broken = [] if result.success else [f"{result.status}: {result.message}"]
    account = result["energy"] + result["dissipated"] - result["work"]
    scale = max(np.ptp(result["kinetic"]), np.ptp(result["potential"]))
    if np.abs(account - account[0]).max() > 1e-5 * scale:
        broken.append(f"energy: {np.abs(account - account[0]).max() / scale:.2g} of what is exchanged")
    if np.diff(result["dissipated"]).min() < -1e-12 * scale:
        broken.append("dampers give energy")
    if broken or not net.smooth(result):
        return broken
    x, _ = net.moved(span)
    error = np.abs(result["net.points"][-1] - x).max() / net.size
    if error > 2e-5:
        broken.append(f"positions differ by {error:.2g} of the size")
    for method in ("order8", "implicit"):
        more = {"step": span / 2000} if method == "implicit" else {"tolerance": 1e-9}
        other = hs.simulate(net.scene, span, every=span, method=method, **more)
        gap = np.abs(other["net.points"][-1] - x).max() / net.size
        if not other.success or gap > 1e-4:
            broken.append(f"{method}: {other.status}, {gap:.2g} of the size")
    return broken
