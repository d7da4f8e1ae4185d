"""Our models in Pinocchio: states there, and its results in our order and our directions.

Speeds there are T v of ours. T swaps the halves of a free joint (angular first here, linear first
there). For a ball or free joint met backwards it is -Ad(X), with X the pose of the joint: such a T
changes by T ad(v).
"""

from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin

SWAP = np.kron([[0, 1], [1, 0]], np.eye(3))
WORLD, LOCAL = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED, pin.ReferenceFrame.LOCAL
SIZES = {"line": (1, 1), "circle": (1, 1), "ball": (4, 3), "free": (7, 6)}
# theirs: m, h, xx xy yy xz yz zz; ours: m, h, xx yy zz xy xz yz
PARAMETERS = [0, 1, 2, 3, 4, 6, 9, 5, 7, 8]


class Block(NamedTuple):
    """One of Pinocchio's joints: our places and its places in q and v."""

    kind: str
    q: int
    v: int
    their_q: int
    their_v: int
    backwards: bool = False


class Reaction(NamedTuple):
    """Where to find what a joint carries; a `frame` for welds."""

    joint: int
    backwards: bool = False
    frame: int | None = None


def skew(a: Any) -> Any:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation(quaternion: Any) -> Any:
    w, x, y, z = quaternion
    return pin.Quaternion(w, x, y, z).toRotationMatrix()


class Peer:
    """A model in Pinocchio that matches one of ours."""

    def __init__(self, model, blocks, frames, reactions, columns) -> None:
        self.model, self.data = model, model.createData()
        self.blocks, self.frames, self.reactions = blocks, frames, reactions
        self.columns = columns  # {body: the joint whose frame is the body's own}

    def q(self, q):
        theirs = np.zeros(self.model.nq)
        for kind, at, _, to, _, backwards in self.blocks:
            if kind == "line":
                theirs[to] = q[at]
            elif kind == "circle":
                theirs[to : to + 2] = np.cos(q[at]), np.sin(q[at])
            else:
                turn = q[at : at + 4] if kind == "ball" else q[at + 3 : at + 7]
                sign = -1 if backwards else 1
                end = to + SIZES[kind][0]
                theirs[end - 4 : end] = *(sign * turn[1:]), turn[0]
                if kind == "free":
                    p = q[at : at + 3]
                    theirs[to : to + 3] = -rotation(turn).T @ p if backwards else p
        return theirs

    def T(self, q):
        T = np.zeros((self.model.nv, self.model.nv))
        for kind, at, v, _, to, backwards in self.blocks:
            n = SIZES[kind][1]
            block = np.eye(n)
            if backwards and kind == "ball":
                block = -rotation(q[at : at + 4])
            elif backwards:
                R = rotation(q[at + 3 : at + 7])
                block = -np.block([[R, np.zeros((3, 3))], [skew(q[at : at + 3]) @ R, R]])
            T[to : to + n, v : v + n] = SWAP @ block if kind == "free" else block
        return T

    def ad(self, x):
        """The rate of T is T ad(v): zero but for joints met backwards."""
        return self._turning(lambda w, u: (skew(w), skew(u), skew(w)), x)

    def ad_transposed(self, f):
        """The matrix of x -> ad(x)ᵀ f."""
        return self._turning(lambda n, f: (skew(n), skew(f), None), f)

    def _turning(self, blocks, x):
        A = np.zeros((self.model.nv, self.model.nv))
        for kind, _, v, _, _, backwards in self.blocks:
            if backwards and kind == "ball":
                A[v : v + 3, v : v + 3] = blocks(x[v : v + 3], np.zeros(3))[0]
            elif backwards:
                first, cross, second = blocks(x[v : v + 3], x[v + 3 : v + 6])
                A[v : v + 3, v : v + 3] = first
                if second is None:
                    A[v : v + 3, v + 3 : v + 6] = A[v + 3 : v + 6, v : v + 3] = cross
                else:
                    A[v + 3 : v + 6, v : v + 3], A[v + 3 : v + 6, v + 3 : v + 6] = cross, second
        return A

    def at(self, q, v, third):
        """What Pinocchio is given for q, v and a, or tau."""
        T = self.T(q)
        return self.q(q), T, T @ v, T @ third, np.linalg.solve(T.T, third)

    def dynamics(self, q, v, a):
        """All that is one call each; "forward" has tau = a."""
        m, d = self.model, self.data
        qp, T, vp, ap, tau = self.at(q, v, a)
        M = np.triu(pin.crba(m, d, qp))
        M += np.triu(M, 1).T
        h = pin.computeCentroidalMomentum(m, d, qp, vp)
        # it forgets the armature of a helical joint
        kinetic = vp @ M @ vp / 2 if m.armature.any() else pin.computeKineticEnergy(m, d, qp, vp)
        return {
            "inverse dynamics": T.T @ pin.rnea(m, d, qp, vp, ap),
            "bias": T.T @ pin.nonLinearEffects(m, d, qp, vp),
            "mass matrix": T.T @ M @ T,
            "forward dynamics": np.linalg.solve(T, pin.aba(m, d, qp, vp, tau)),
            "kinetic": kinetic,
            "potential": pin.computePotentialEnergy(m, d, qp),
            "center of mass": np.array(pin.centerOfMass(m, d, qp)) if m.nv else None,
            "momentum": np.concatenate([h.angular, h.linear]),
        }

    def frame_motions(self, q, v, a):
        """{body: pose, velocity and acceleration} in the world's axes, and in the body's own."""
        m, d = self.model, self.data
        qp, _, vp, ap, _ = self.at(q, v, a)
        pin.forwardKinematics(m, d, qp, vp, ap)
        pin.updateFramePlacements(m, d)
        found = {}
        for body, k in self.frames.items():
            X = d.oMf[k]
            found[body] = {"p": np.array(X.translation), "R": np.array(X.rotation)}
            for name, axes in (("world", WORLD), ("frame", LOCAL)):
                V = pin.getFrameVelocity(m, d, k, axes)
                A = pin.getFrameClassicalAcceleration(m, d, k, axes)
                found[body][f"V {name}"] = np.concatenate([V.angular, V.linear])
                found[body][f"A {name}"] = np.concatenate([A.angular, A.linear])
        return found

    def jacobians(self, q, v, bodies):
        """{body: Jacobians and their rates in both axes}."""
        m, d = self.model, self.data
        qp, T, vp, *_ = self.at(q, v, v)
        pin.computeJointJacobiansTimeVariation(m, d, qp, vp)
        pin.updateFramePlacements(m, d)
        found = {}
        for body in bodies:
            k, found[body] = self.frames[body], {}
            for name, axes in (("world", WORLD), ("frame", LOCAL)):
                J = SWAP @ pin.getFrameJacobian(m, d, k, axes)
                dJ = SWAP @ pin.getFrameJacobianTimeVariation(m, d, k, axes)
                found[body][f"J {name}"] = J @ T
                found[body][f"dJ {name}"] = dJ @ T + J @ T @ self.ad(v)
        return found

    def carried(self, q, v, a):
        """{joint: the wrench of its first end on its second, at the first and in its axes}."""
        m, d = self.model, self.data
        qp, _, vp, ap, _ = self.at(q, v, a)
        pin.forwardKinematics(m, d, qp, vp, ap)  # the forces on welds need it
        pin.rnea(m, d, qp, vp, ap)
        pin.updateFramePlacements(m, d)
        found = {}
        for name, (joint, backwards, frame) in self.reactions.items():
            if frame is not None:
                f = pin.computeSupportedForceByFrame(m, d, frame)
            elif backwards:
                f = -d.f[joint]
            else:
                moved = m.jointPlacements[joint].inverse() * d.liMi[joint]
                f = moved.act(d.f[joint])
            found[name] = np.concatenate([f.angular, f.linear])
        return found

    def derivatives(self, q, v, a):
        """Of inverse dynamics at a and of forward dynamics at tau = a."""
        m, d = self.model, self.data
        qp, T, vp, ap, taup = self.at(q, v, a)
        by_q, by_v, M = pin.computeRNEADerivatives(m, d, qp, vp, ap)
        M = np.triu(M) + np.triu(M, 1).T
        tau = T.T @ pin.rnea(m, d, qp, vp, ap)
        found = {
            "dtau_dq": self._by_q(by_q, by_v, M, T, v, a, tau),
            "dtau_dv": T.T @ by_v @ T,
            "dtau_da": T.T @ M @ T,
        }
        acceleration = np.linalg.solve(T, pin.aba(m, d, qp, vp, taup))
        by_q, by_v, inverse = (np.array(x) for x in pin.computeABADerivatives(m, d, qp, vp, taup))
        inverse = np.triu(inverse) + np.triu(inverse, 1).T
        back = np.linalg.inv(T)
        # a = T⁻¹ a'(q', T v, T⁻ᵀ tau)
        A, V = self.ad(acceleration), self.ad(v)
        pushed = back @ inverse @ back.T @ self.ad_transposed(a)
        return found | {
            "da_dq": back @ (by_q @ T - by_v @ T @ V) + A - pushed,
            "da_dv": back @ by_v @ T,
            "da_dtau": back @ inverse @ back.T,
        }

    def _by_q(self, by_q, by_v, M, T, v, a, tau):
        """tau = Tᵀ tau'(q', T v, T a), and T changes by T ad(x) along x."""
        along = by_q @ T - by_v @ T @ self.ad(v) - M @ T @ self.ad(a)
        return T.T @ along + self.ad_transposed(tau)

    def regressor(self, q, v, a):
        """{body: its ten columns} where the body's frame is its joint's."""
        qp, T, vp, ap, _ = self.at(q, v, a)
        Y = T.T @ pin.computeJointTorqueRegressor(self.model, self.data, qp, vp, ap)
        return {body: Y[:, 10 * (k - 1) : 10 * k][:, PARAMETERS] for body, k in self.columns.items()}


def from_file(path, base, ours):
    """Pinocchio's own reading of a URDF file, matched to our model by names."""
    path = str(path)
    free = () if base == "fixed" else (pin.JointModelFreeFlyer(), "the root")
    model = pin.buildModelFromUrdf(path, *free)
    names = {joint.name: joint.name for joint in ours.joints.values()}
    blocks, reactions, columns, q, v = [], {}, {}, 0, 0
    for joint in ours.joints.values():
        name, child = names[joint.name], joint.second.body
        if joint.first.body == "world" and base == "free":
            name = "the root"
        if joint.coordinates:
            k = model.getJointId(name)
            assert k < model.njoints, name
            n = len(joint.coordinates)
            kind = "free" if n == 7 else "line" if model.joints[k].nq == 1 else "circle"
            blocks.append(Block(kind, q, v, model.joints[k].idx_q, model.joints[k].idx_v))
            q, v = q + n, v + len(joint.speeds)
            reactions[joint.name] = Reaction(k)
            columns[child] = k
        elif model.existFrame(name, pin.FrameType.FIXED_JOINT):
            k = model.getFrameId(name, pin.FrameType.FIXED_JOINT)
            held = model.frames[k].parentJoint
            # with joints further out Pinocchio adds the loads of some that hang from elsewhere
            if held and not len(model.children[held]):
                reactions[joint.name] = Reaction(0, False, k)
    frames = {name: model.getFrameId(name, pin.FrameType.BODY) for name in ours.bodies}
    return Peer(model, blocks, frames, reactions, columns)


def from_model(ours):
    """One of our trees built joint by joint, depth first, one for each step of ours."""
    return _Builder(ours).peer()


class _Builder:
    """Pinocchio's model while it grows."""

    def __init__(self, ours) -> None:
        self.ours, self.model = ours, pin.Model()
        self.model.gravity.linear = np.array([ours.value(g) for g in ours.gravity])
        self.blocks, self.frames, self.reactions, self.columns = [], {}, {}, {}
        self.armature = []
        self.starts, q, v = {}, 0, 0
        for joint in ours.joints.values():
            self.starts[joint.name] = q, v
            q, v = q + len(joint.coordinates), v + len(joint.speeds)

    def peer(self):
        below: dict[str, list[Any]] = {}
        for branch in self.ours.tree:
            below.setdefault(branch.parent, []).append(branch)
        left = [(branch, 0, pin.SE3.Identity()) for branch in below["world"][::-1]]
        while left:
            branch, joint, place = left.pop()
            joint, place = self._grow(branch, joint, place * self._frame(branch.parent_frame))
            left += [(other, joint, place) for other in below.get(branch.child, ())[::-1]]
        model = self.model
        if model.nv:
            model.armature = np.array(self.armature)
        places = [
            block._replace(their_q=model.joints[k].idx_q, their_v=model.joints[k].idx_v)
            for k, block in enumerate(self.blocks, 1)
        ]
        return Peer(model, places, self.frames, self.reactions, self.columns)

    def _grow(self, branch, joint, place):
        ours, backwards = self.ours, branch.reversed
        q, v = self.starts[branch.joint.name]
        steps = []
        for step in branch.joint.steps:
            kind = step.kind if step.kind in SIZES else "line"
            steps.append((step, Block(kind, q, v, 0, 0, backwards and kind != "line")))
            q, v = q + SIZES[kind][0], v + SIZES[kind][1]
        first = None
        for k, (step, block) in enumerate(steps[::-1] if backwards else steps):
            name = f"{branch.joint.name} {k}"
            joint = self.model.addJoint(joint, self._made(step, backwards), place, name)
            first, place = first or joint, pin.SE3.Identity()
            self.blocks.append(block)
            self.armature += [ours.value(branch.joint.armature)] * SIZES[block.kind][1]
        if first:
            carrier = joint if backwards else first
            self.reactions[branch.joint.name] = Reaction(carrier, backwards)
        place = place * self._frame(branch.child_frame).inverse()
        self._hang(branch.child, joint, place)
        return joint, place

    def _made(self, step, backwards):
        if step.kind == "ball":
            return pin.JointModelSpherical()
        if step.kind == "free":
            return pin.JointModelFreeFlyer()
        axis = -np.array(step.axis) if backwards else np.array(step.axis)
        if step.kind == "H":
            return pin.JointModelHelicalUnaligned(axis, self.ours.value(step.pitch))
        kinds = {"R": pin.JointModelRevoluteUnaligned, "P": pin.JointModelPrismaticUnaligned}
        return kinds[step.kind](axis)

    def _hang(self, name, joint, place):
        body, value = self.ours.bodies[name], self.ours.value
        xx, yy, zz, xy, xz, yz = (value(x) for x in body.inertia)
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = pin.Inertia(value(body.mass), np.array([value(x) for x in body.com]), I)
        if joint:
            self.model.appendBodyToJoint(joint, inertia, place)
            if place.isIdentity(0.0):
                self.columns[name] = joint
        kind = pin.FrameType.BODY
        self.frames[name] = self.model.addFrame(pin.Frame(name, joint, 0, place, kind))

    def _frame(self, frame):
        value = self.ours.value
        rpy = (float(value(x)) for x in frame.rpy)
        return pin.SE3(pin.rpy.rpyToMatrix(*rpy), np.array([value(x) for x in frame.at]))
