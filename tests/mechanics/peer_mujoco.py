"""The robots in MuJoCo: states there, and its results in our order and our directions.

Speeds there are T v of ours: the linear speed of a free base is in the axes of the world there, in
those of the body here; it comes first there, second here.
"""

import xml.etree.ElementTree as Xml

import mujoco
import numpy as np
import peer_models as peers

ROOT = "the root"


def read(name, base, folder):
    """MuJoCo's model of a robot's file, without shapes; ValueError says why there is none."""
    root = Xml.parse(peers.stripped(name, folder)).getroot()
    for part in [part for part in root if part.tag not in ("link", "joint")]:
        root.remove(part)
    for joint in root.findall("joint"):  # they would tie joints together
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    options = Xml.SubElement(root, "mujoco")
    Xml.SubElement(options, "compiler", fusestatic="false", balanceinertia="false", angle="radian")
    if name not in peers.ROOTED:
        below = {child.get("link") for child in root.iter("child")}
        top = next(x.get("name") for x in root.findall("link") if x.get("name") not in below)
        Xml.SubElement(root, "link", name="world")
        kind = "floating" if base == "free" else "fixed"
        joint = Xml.SubElement(root, "joint", name=ROOT, type=kind)
        Xml.SubElement(joint, "parent", link="world")
        Xml.SubElement(joint, "child", link=top or "")
    model = mujoco.MjModel.from_xml_string(Xml.tostring(root, encoding="unicode"))
    model.dof_damping[:] = model.dof_frictionloss[:] = 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return model


class Peer:
    """A model in MuJoCo that matches one of ours."""

    def __init__(self, model, ours) -> None:
        self.model, self.data, self.ours = model, mujoco.MjData(model), ours
        self.places, self.free = [], None
        q = v = 0
        for joint in ours.joints.values():
            if len(joint.coordinates) == 7:
                theirs = model.joint(ROOT)
                self.free = q, v, int(theirs.qposadr[0]), int(theirs.dofadr[0])
            elif joint.coordinates:
                theirs = model.joint(joint.name)
                self.places.append((q, v, int(theirs.qposadr[0]), int(theirs.dofadr[0])))
            q, v = q + len(joint.coordinates), v + len(joint.speeds)

    def set(self, q, v):
        """MuJoCo's state; T and the rate of T times v."""
        n, data = self.model.nv, self.data
        T, rate = np.zeros((n, n)), np.zeros(n)
        for at, slot, to, dof in self.places:
            data.qpos[to] = q[at]
            T[dof, slot] = 1
        if self.free:
            at, slot, to, dof = self.free
            data.qpos[to : to + 7] = q[at : at + 7]
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, q[at + 3 : at + 7])
            R = R.reshape(3, 3)
            w, u = v[slot : slot + 3], v[slot + 3 : slot + 6]
            T[dof : dof + 3, slot + 3 : slot + 6] = R
            T[dof + 3 : dof + 6, slot : slot + 3] = np.eye(3)
            rate[dof : dof + 3] = R @ np.cross(w, u)
        data.qvel[:] = T @ v
        return T, rate

    def dynamics(self, q, v, a):
        """All that is one number or vector; "forward" has tau = a."""
        m, d = self.model, self.data
        T, rate = self.set(q, v)
        d.qfrc_applied[:] = np.linalg.solve(T.T, a)
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        found = {
            "forward dynamics": np.linalg.solve(T, d.qacc - rate),
            "mass matrix": T.T @ M @ T,
            "bias": T.T @ (d.qfrc_bias + M @ rate),
        }
        d.qacc[:] = T @ a + rate
        mujoco.mj_inverse(m, d)
        found["inverse dynamics"] = T.T @ d.qfrc_inverse
        mujoco.mj_energyPos(m, d)
        mujoco.mj_energyVel(m, d)
        mujoco.mj_subtreeVel(m, d)
        found["potential"], found["kinetic"] = d.energy
        found["center of mass"] = d.subtree_com[0].copy()
        p = m.body_subtreemass[0] * d.subtree_linvel[0]
        found["momentum"] = np.concatenate([d.subtree_angmom[0], p])
        return found

    def frame_motions(self, q, v, a):
        """{body: pose, velocity and acceleration} in the world's axes, from the last dynamics."""
        m, d = self.model, self.data
        T, rate = self.set(q, v)
        d.qacc[:] = T @ a + rate
        mujoco.mj_inverse(m, d)
        mujoco.mj_rnePostConstraint(m, d)
        found, kind = {}, mujoco.mjtObj.mjOBJ_XBODY
        for body in self.ours.bodies:
            k, V, A = m.body(body).id, np.zeros(6), np.zeros(6)
            mujoco.mj_objectVelocity(m, d, kind, k, V, 0)
            mujoco.mj_objectAcceleration(m, d, kind, k, A, 0)
            if m.body_weldid[k]:  # it takes gravity for an acceleration upwards of what moves
                A[3:] += m.opt.gravity
            found[body] = {
                "p": d.xpos[k].copy(),
                "R": d.xmat[k].reshape(3, 3).copy(),
                "V": V,
                "A": A,
                "about": d.subtree_com[m.body_rootid[k]].copy(),
                "f": d.cfrc_int[k].copy(),
            }
        return found

    def carried(self, motions):
        """{joint: the wrench of its first end on its second, at the first and in its axes}."""
        found = {}
        for branch in self.ours.tree:
            if branch.parent == "world" and branch.parent not in motions:
                X = {"p": np.zeros(3), "R": np.eye(3)}
            else:
                X = motions[branch.parent]
            frame, child = branch.parent_frame, motions[branch.child]
            R = X["R"] @ rotation(frame.rpy)
            p = X["p"] + X["R"] @ np.array(frame.at)
            n, f = child["f"][:3], child["f"][3:]
            n = n + np.cross(child["about"] - p, f)
            found[branch.joint.name] = np.concatenate([R.T @ n, R.T @ f])
        return found


def rotation(rpy):
    """Rz(y) Ry(p) Rx(r)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx
