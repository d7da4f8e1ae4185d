"""An MJCF model in MuJoCo beside ours: the same coordinates in the same order.

Only the speeds of a free joint differ: those there are T v of ours.
"""

import mujoco
import numpy as np
from peer_models import deviation, evaluated

import hapsis as hs

STATES = 3


class Peer:
    """MuJoCo's model, and random states of both."""

    def __init__(self, model, ours, seed=1):
        self.model, self.data, self.ours = model, mujoco.MjData(model), ours
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        model.opt.density = model.opt.viscosity = 0.0
        self.rng = np.random.default_rng(seed)

    def states(self):
        """q and v of ours."""
        m, rng = self.model, self.rng
        q, v = rng.uniform(-1, 1, (STATES, m.nq)), rng.uniform(-1, 1, (STATES, m.nv))
        for at in self.quaternions():
            q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
        return q, v

    def quaternions(self):
        m = self.model
        starts = {0: 3, 1: 0}  # free, ball
        kinds = enumerate(m.jnt_type)
        return [int(m.jnt_qposadr[k]) + starts[kind] for k, kind in kinds if kind in starts]

    def set(self, q, v):
        """The state there; T and the rate of T times v."""
        m, d = self.model, self.data
        T, rate = np.eye(m.nv), np.zeros(m.nv)
        for k in np.flatnonzero(m.jnt_type == 0):
            at, dof = int(m.jnt_qposadr[k]), int(m.jnt_dofadr[k])
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, q[at + 3 : at + 7])
            R = R.reshape(3, 3)
            block = np.zeros((6, 6))
            block[:3, 3:], block[3:, :3] = R, np.eye(3)
            T[dof : dof + 6, dof : dof + 6] = block
            rate[dof : dof + 3] = R @ np.cross(v[dof : dof + 3], v[dof + 3 : dof + 6])
        d.qpos[:], d.qvel[:] = q, T @ v
        mujoco.mj_forward(m, d)
        return T, rate

    def dynamics(self, q, v):
        """Mass matrix, bias and the passive efforts in our speeds."""
        T, rate = self.set(q, v)
        m, d = self.model, self.data
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        return T.T @ M @ T, T.T @ (d.qfrc_bias + M @ rate), T.T @ d.qfrc_passive


def differences(ours, model, passive=True):
    """{quantity: the largest relative difference}; names, masses, limits must be the same."""
    peer = Peer(model, ours)
    same_structure(ours, model)
    q, v = peer.states()
    # springs are forces of the model here, passive efforts there
    bare = hs.Model(
        *(fact for fact in ours.facts if not isinstance(fact, hs.JointSpring | hs.Gear)), gravity=ours.gravity
    )
    bare = without_loops(bare)
    found = {
        "mass matrix": evaluated(hs.mass_matrix(bare), q, v, v)["M"],
        "bias": evaluated(hs.bias(bare, passive=False), q, v, v)["c"],
    }
    if passive:
        whole = evaluated(hs.bias(without_loops(ours)), q, v, v)["c"]
        found["passive"] = found["bias"] - whole
    worst = dict.fromkeys((*found, "position", "axes", "site"), 0.0)
    for k in range(STATES):
        expected = dict(zip(("mass matrix", "bias", "passive"), peer.dynamics(q[k], v[k]), strict=True))
        for name, values in found.items():
            least = 1e-6 * np.abs(expected["mass matrix"]).max()
            far = deviation(values[k], expected[name], least=least)
            worst[name] = max(worst[name], far)
    for name, far in places(bare, peer, q, v).items():
        worst[name] = max(worst[name], far)
    return worst


def without_loops(model):
    """The tree of a model: what closes a loop is a constraint there."""
    cut = {joint.name for joint in model.cuts}
    facts = [f for f in model.facts if f.name not in cut and not isinstance(f, hs.Gear | hs.Drive)]
    return hs.Model(*facts, gravity=model.gravity)


def places(ours, peer, q, v):
    """How far frames of bodies and sites differ."""
    m, d = peer.model, peer.data
    bodies = [m.body(k).name for k in range(1, m.nbody) if m.body(k).name]
    sites = {}
    for k in range(m.nsite):
        owner, name = m.body(m.site_bodyid[k]).name, m.site(k).name
        if owner and name:
            sites[name] = f"{owner}.{name}"
    sensors = [hs.Sensor(f"body {name}", "pose", name) for name in bodies]
    sensors += [hs.Sensor(f"site {name}", "pose", place) for name, place in sites.items()]
    worst = {"position": 0.0, "axes": 0.0, "site": 0.0}
    if not sensors:
        return worst
    found = evaluated(hs.measurements(ours + sensors), q, v, v)
    for k in range(len(q)):
        peer.set(q[k], v[k])
        for name in bodies:
            at = m.body(name).id
            far = deviation(found[f"body {name}.p"][k], d.xpos[at], least=1.0)
            worst["position"] = max(worst["position"], far)
            far = deviation(found[f"body {name}.R"][k], d.xmat[at].reshape(3, 3), least=1.0)
            worst["axes"] = max(worst["axes"], far)
        for name in sites:
            at = m.site(name).id
            far = deviation(found[f"site {name}.p"][k], d.site_xpos[at], least=1.0)
            far += deviation(found[f"site {name}.R"][k], d.site_xmat[at].reshape(3, 3), least=1.0)
            worst["site"] = max(worst["site"], far)
    return worst


def same_structure(ours, model):
    """Names, masses, limits, the pose as written."""
    assert len(ours.coordinates) == model.nq and len(ours.speeds) == model.nv
    moving = [joint for joint in ours.moving if joint.coordinates]
    assert len(moving) == model.njnt
    for k, joint in enumerate(moving):
        name = model.joint(k).name
        assert not name or name == joint.name
        if joint.limits is not None or (model.jnt_limited[k] and model.jnt_type[k] > 1):
            np.testing.assert_allclose(joint.limits, model.jnt_range[k], rtol=1e-12)
            assert model.jnt_limited[k]
    for k in range(1, model.nbody):
        if model.body(k).name:
            mass = ours.bodies[model.body(k).name].mass
            np.testing.assert_allclose(mass, model.body_mass[k], rtol=1e-12, atol=1e-15)
    heavy = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    np.testing.assert_allclose(ours.gravity, heavy * model.opt.gravity)
    if not model.nkey:
        start = {**dict(zip(ours.coordinates, ours.zero, strict=True)), **ours.poses.get("start", {})}
        written = np.array([start[name] for name in ours.coordinates])
        np.testing.assert_allclose(aligned(written, model), aligned(model.qpos0, model), atol=1e-14)


def aligned(q, model):
    """Coordinates with quaternions of one sign."""
    q = np.array(q)
    for k, kind in enumerate(model.jnt_type):
        if kind < 2:
            at = model.jnt_qposadr[k] + (3 if kind == 0 else 0)
            first = next(x for x in q[at : at + 4] if abs(x) > 1e-9)
            q[at : at + 4] *= np.sign(first)
    return q
