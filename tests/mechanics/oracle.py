"""The mechanics of a tree in plain NumPy and 4 x 4 matrices, to compare with. Slow and short.

A body's points move by H(q); its masses are P = Σ m r rᵀ with r = (x, y, z, 1). A joint moves its
second end by T in the axes of its first, with Ṫ = T W and W the 4 x 4 matrix of its speeds, so that

    H = H_parent F T F'⁻¹      Ḣ and Ḧ by the product rule      ∂Ḣ/∂v_i = Z_i H

and all else is sums of traces: M_ij = Σ tr(Z_i H P Hᵀ Z_jᵀ), tau_i = Σ tr(Z_i H P (Ḧ - ĝ)ᵀ).
Nothing is shared with the formalisms: no recursion of wrenches, no frames of links, no lumping.
All arrays have one leading axis: the states.
"""

import numpy as np

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def twist(w, u):
    """The 4 x 4 matrix of an angular and a linear velocity."""
    w, u = np.asarray(w), np.asarray(u)
    X = np.zeros((*w.shape[:-1], 4, 4), np.result_type(w, u))
    X[..., 0, 1], X[..., 0, 2], X[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    X[..., 1, 0], X[..., 2, 0], X[..., 2, 1] = w[..., 2], -w[..., 1], w[..., 0]
    X[..., :3, 3] = u
    return X


def vectors(X):
    """The six numbers of a twist matrix; of any 4 x 4 its skew part and last column."""
    skew = 0.5 * (X - np.swapaxes(X, -1, -2))
    return np.stack(
        [skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0], X[..., 0, 3], X[..., 1, 3], X[..., 2, 3]], -1
    )


def turned(axis, angle):
    """Rotation matrices about a unit axis (Rodrigues)."""
    K = twist(axis, (0.0, 0.0, 0.0))[:3, :3]
    s, c = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def homogeneous(R, p):
    R, p = np.asarray(R), np.asarray(p)
    H = np.zeros((*R.shape[:-2], 4, 4), np.result_type(R, p))
    H[..., :3, :3], H[..., :3, 3], H[..., 3, 3] = R, p, 1.0
    return H


def inverse(H):
    R = np.swapaxes(H[..., :3, :3], -1, -2)
    return homogeneous(R, -(R @ H[..., :3, 3:])[..., 0])


def placed(model, frame):
    """The matrix of a Frame of the model."""
    roll, pitch, yaw = (np.float64(model.value(x)) for x in frame.rpy)
    R = turned((0, 0, 1), yaw) @ turned((0, 1, 0), pitch) @ turned((1, 0, 0), roll)
    return homogeneous(R, [model.value(x) for x in frame.at])


def of_quaternion(q):
    """The rotation of quaternions of any length: v -> q v q⁻¹, written as a product of two."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    left = np.moveaxis(
        np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]), (0, 1), (-2, -1)
    )
    right = np.moveaxis(
        np.array([[w, x, y, z], [-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]]), (0, 1), (-2, -1)
    )
    length = (w * w + x * x + y * y + z * z)[..., None, None]
    return ((left @ right) / length)[..., 1:, 1:]


def rates(model, q, v):
    """q̇ for speeds v, quaternions by the product q (0, ω) / 2."""
    dq, at, slot = np.zeros(q.shape, np.result_type(q, v)), 0, 0
    for joint in model.moving:
        n, m = len(joint.coordinates), len(joint.speeds)
        mine, speed = q[:, at : at + n], v[:, slot : slot + m]
        if n == m:
            dq[:, at : at + n] = speed
        else:
            four = mine[:, -4:]
            w, xyz = four[:, :1], four[:, 1:]
            dq[:, at + n - 4] = -0.5 * (xyz * speed[:, :3]).sum(-1)
            dq[:, at + n - 3 : at + n] = 0.5 * (w * speed[:, :3] + np.cross(xyz, speed[:, :3]))
            if n == 7:
                dq[:, at : at + 3] = (of_quaternion(four) @ speed[:, 3:, None])[..., 0]
        at, slot = at + n, slot + m
    return dq


def steps(model, joint, q):
    """For each elementary motion its matrix T and the twists X of its speeds, second end's axes."""
    found = []
    for k, step in enumerate(joint.steps):
        if step.kind in ("ball", "free"):
            p = q[:, :3] if step.kind == "free" else np.zeros((len(q), 3))
            T = homogeneous(of_quaternion(q[:, -4:]), p)
            unit = np.eye(6)[: 6 if step.kind == "free" else 3]
            found.append((T, [twist(row[:3], row[3:]) for row in unit]))
            continue
        axis = np.array(step.axis)
        turns, rise = step.kind != "P", {"R": 0.0, "P": 1.0, "H": None}[step.kind]
        rise = model.value(step.pitch) if rise is None else rise
        T = homogeneous(turned(axis, turns * q[:, k]), rise * q[:, k : k + 1] * axis)
        found.append((T, [twist(turns * axis, rise * axis)]))
    return found


class Motion:
    """How every body of a model moves at the states q, v, a."""

    def __init__(self, model, q, v=None, a=None):
        none = np.zeros((len(q), len(model.speeds)))
        self.model, self.q = model, q
        self.v, self.a = none if v is None else v, none if a is None else a
        still = np.broadcast_to(np.eye(4), (len(q), 4, 4))
        self.H, self.dH, self.ddH = {"world": still}, {"world": 0 * still}, {"world": 0 * still}
        self.path = {"world": ()}  # speeds that move a body
        self.Z = {}  # by speed: the twist in the world's axes
        self.beyond = {}  # by joint: (bodies beyond it, whether they hang from its first end)
        self.parents = {}
        self._walk()

    def _walk(self):
        model, starts, at, slot = self.model, {}, 0, 0
        for joint in model.moving:
            starts[joint.name] = at, slot
            at, slot = at + len(joint.coordinates), slot + len(joint.speeds)
        left = list(model.joints.values())
        while left:
            for joint in left:
                ends = model.frame(joint.first), model.frame(joint.second)
                if ends[0][0] in self.H or ends[1][0] in self.H:
                    left.remove(joint)
                    self._cross(joint, *ends, *starts[joint.name])
                    break
        for name in self.H:
            up = name
            while up != "world":
                joint, up = self.parents[up]
                self.beyond[joint][0].append(name)

    def _cross(self, joint, first, second, at, slot):
        """The body on the other side of a joint."""
        backwards = second[0] in self.H
        (near, frame), (far, other) = (second, first) if backwards else (first, second)
        self.parents[far], self.beyond[joint.name] = (joint.name, near), ([], backwards)
        H = self.H[near] @ placed(self.model, frame)
        dH, ddH = (x[near] @ placed(self.model, frame) for x in (self.dH, self.ddH))
        moves, speeds = steps(self.model, joint, self.q[:, at : at + len(joint.coordinates)]), []
        for _, twists in moves:
            speeds.append(dict(enumerate(twists, slot)))
            slot += len(twists)
        both = list(zip(moves, speeds, strict=True))
        for (T, _), mine in reversed(both) if backwards else both:
            W = sum(X * self.v[:, k, None, None] for k, X in mine.items())
            dW = sum(X * self.a[:, k, None, None] for k, X in mine.items())
            if backwards:
                T = inverse(T)
                dT, ddT = -W @ T, (W @ W - dW) @ T
                self.Z |= {k: -H @ X @ inverse(H) for k, X in mine.items()}
            else:
                dT, ddT = T @ W, T @ (W @ W + dW)
            ddH, dH, H = ddH @ T + 2 * dH @ dT + H @ ddT, dH @ T + H @ dT, H @ T
            if not backwards:
                self.Z |= {k: H @ X @ inverse(H) for k, X in mine.items()}
        back = inverse(placed(self.model, other))
        self.H[far], self.dH[far], self.ddH[far] = H @ back, dH @ back, ddH @ back
        self.path[far] = (*self.path[near], *(k for mine in speeds for k in mine))

    def frame(self, end):
        """H, Ḣ, Ḧ of a frame."""
        body, frame = self.model.frame(end)
        return tuple(x[body] @ placed(self.model, frame) for x in (self.H, self.dH, self.ddH))

    def velocity(self, end):
        H, dH, _ = self.frame(end)
        return np.concatenate([vectors(dH @ inverse(H))[..., :3], dH[..., :3, 3]], -1)

    def acceleration(self, end):
        H, _, ddH = self.frame(end)
        # the skew part of Ḧ H⁻¹ is the angular acceleration
        return np.concatenate([vectors(ddH @ inverse(H))[..., :3], ddH[..., :3, 3]], -1)

    def jacobian(self, end):
        H, (body, _) = self.frame(end)[0], self.model.frame(end)
        J = np.zeros((len(H), 6, len(self.model.speeds)))
        for k in self.path[body]:
            J[:, :3, k] = vectors(self.Z[k])[:, :3]
            J[:, 3:, k] = (self.Z[k] @ H)[:, :3, 3]
        return J

    def moving(self):
        """The bodies that can move, with their masses."""
        return {n: self.masses(n) for n in self.model.bodies if self.path[n]}

    def masses(self, name):
        """P = Σ m r rᵀ of a body in its own frame."""
        body, value = self.model.bodies[name], self.model.value
        mass, com = value(body.mass), np.array([value(x) for x in body.com])
        I = np.zeros((3, 3))
        for (i, j), x in zip(PAIRS, body.inertia, strict=True):
            I[i, j] = I[j, i] = value(x)
        P = np.zeros((4, 4))
        P[:3, :3] = 0.5 * np.trace(I) * np.eye(3) - I + mass * np.outer(com, com)
        P[:3, 3] = P[3, :3] = mass * com
        P[3, 3] = mass
        return P

    def of_speeds(self, field):
        """A number of the joints (armature, damping, friction) for each speed."""
        joints = self.model.moving
        return np.array([self.model.value(getattr(j, field)) for j in joints for _ in j.speeds])

    def mass_matrix(self):
        n = len(self.model.speeds)
        M = np.zeros((len(self.q), n, n)) + np.diag(self.of_speeds("armature"))
        for name, P in self.moving().items():
            moved = {k: self.Z[k] @ self.H[name] for k in self.path[name]}
            for i, left in moved.items():
                for j, right in moved.items():
                    M[:, i, j] += np.einsum("sab,bc,sac->s", left, P, right)
        return M

    def pushes(self, name):
        """Σ m (r̈ - g) rᵀ of a body in the world."""
        G = np.zeros((4, 4))
        G[:3, 3] = self.model.gravity
        return (self.ddH[name] - G) @ self.masses(name) @ np.swapaxes(self.H[name], -1, -2)

    def efforts(self, passive=True):
        """Inverse dynamics."""
        tau = self.of_speeds("armature") * self.a
        if passive:
            tau = tau + self.of_speeds("damping") * self.v
            tau = tau + self.of_speeds("friction") * np.sign(self.v)
        for name in self.moving():
            Q = self.pushes(name)
            for k in self.path[name]:
                tau[:, k] += np.einsum("sab,sab->s", self.Z[k], Q)
        return tau

    def reaction(self, joint):
        """The wrench of a joint's first end on its second, at and in the axes of the first."""
        bodies, backwards = self.beyond[joint]
        Q = sum(self.pushes(name) for name in bodies) * (-1.0 if backwards else 1.0)
        H = self.frame(self.model.joints[joint].first)[0]
        # Σ f (r - o)ᵀ about the end's origin, then in its axes; its skew part is half the moment
        back = homogeneous(H[:, :3, :3].swapaxes(1, 2), np.zeros(3))
        six = vectors(back @ Q @ inverse(H).swapaxes(1, 2))
        return np.concatenate([2 * six[:, :3], six[:, 3:]], -1)

    def energy(self):
        """Kinetic and potential."""
        kinetic = 0.5 * (self.of_speeds("armature") * self.v**2).sum(-1)
        potential = 0.0 * kinetic
        for name, P in self.moving().items():
            kinetic += 0.5 * np.einsum("sab,bc,sac->s", self.dH[name], P, self.dH[name])
            potential -= (self.H[name] @ P[:, 3])[:, :3] @ np.array(self.model.gravity)
        return kinetic, potential

    def center(self):
        """The centre of mass of all that can move."""
        first = sum(self.H[name] @ P[:, 3] for name, P in self.moving().items())
        return first[:, :3] / first[:, 3:]

    def momentum(self):
        """About the centre of mass, then linear."""
        p = np.broadcast_to(-self.center(), (len(self.q), 3))
        shift = homogeneous(np.broadcast_to(np.eye(3), (len(self.q), 3, 3)), p)
        total = sum(self.dH[n] @ P @ (shift @ self.H[n]).swapaxes(1, 2) for n, P in self.moving().items())
        six = vectors(total)
        return np.concatenate([2 * six[:, :3], six[:, 3:]], -1)
