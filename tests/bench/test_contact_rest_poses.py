"""Where things come to rest by steps with contacts, and where by MuJoCo."""

from dataclasses import replace

import numpy as np
import pytest

import hapsis as hs

pytestmark = pytest.mark.peers

FIRM = 'friction="0.6 0 0" condim="3" solref="0.002 1" solimp="0.99 0.999 0.0001"'
SHAPES = {
    "box": (((0.2, 0.3, 0.1),), "0.1 0.15 0.05"),
    "cylinder": ((0.1, 0.3), "0.1 0.15"),
    "capsule": ((0.05, 0.2), "0.05 0.1"),
    "sphere": ((0.1,), "0.1"),
}


def ours(kind, quaternion):
    """The height and the turn of what was dropped from 0.25 m."""
    body = getattr(hs.Body, kind)("b", *SHAPES[kind][0], mass=1.0)
    law = {"law": hs.Linear(1e5, 300.0), "friction": 0.6}
    contact = hs.Contact("c", hs.Surface("b"), hs.WORLD.plane(), **law)
    model = hs.Model(body, hs.Free("j", hs.WORLD, "b", damping=2e-3), contact)
    start = {"j.z": 0.25, **dict(zip(("j.qw", "j.qx", "j.qy", "j.qz"), quaternion, strict=True))}
    result = hs.simulate(model, 5.0, start, method="contact", step=2e-3, every=0.1)
    assert result.success
    return result["b.z"][-1], result.last.q[3:7]


def theirs(kind, quaternion):
    """The same by MuJoCo with firm contacts."""
    mujoco = pytest.importorskip("mujoco")
    q = " ".join(map(str, quaternion))
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="0.001" cone="elliptic" integrator="implicitfast"/><worldbody>
        <geom type="plane" size="5 5 1" {FIRM}/><body pos="0 0 0.25" quat="{q}"><joint type="free"
        damping="0.002"/><geom type="{kind}" size="{SHAPES[kind][1]}" mass="1" {FIRM}/></body>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    for _ in range(5000):
        mujoco.mj_step(model, data)
    return data.qpos[2], data.qpos[3:7]


def up(q):
    """The world's z axis in the axes of the body."""
    w, x, y, z = q
    return np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (1, 1, 0)])
@pytest.mark.parametrize("tilt", [0.3, 1.3])
def test_what_falls_comes_to_rest_on_the_same_side(kind, axis, tilt):
    """Heights to 0.1 mm, faces to 1e-3 rad; what has no face lies with its axis level."""
    axis = np.array(axis) / np.linalg.norm(axis)
    quaternion = (np.cos(tilt / 2), *(np.sin(tilt / 2) * axis))
    (z, q), (z_theirs, q_theirs) = ours(kind, quaternion), theirs(kind, quaternion)
    assert z == pytest.approx(z_theirs, abs=1.2e-4)
    if kind == "box":
        assert up(q) == pytest.approx(up(q_theirs), abs=1e-3)
    elif kind != "sphere":
        assert abs(up(q)[2]) == pytest.approx(abs(up(q_theirs)[2]), abs=2e-3)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (1, 1, 0)])
@pytest.mark.parametrize("tilt", [0.2, 0.5])
def test_a_box_comes_to_rest_on_the_same_side_as_in_drake(axis, tilt, tmp_path):
    """Heights to 0.3 mm, faces to 2e-3 rad; it is no part of what the tests install."""
    pytest.importorskip("pydrake")
    from hapsis.bench.contacts.contacts_drake import Drake
    from hapsis.bench.contacts.contacts_ours import Ours
    from hapsis.bench.contacts.contacts_scene import Scene, box

    axis = np.array(axis) / np.linalg.norm(axis)
    turned = replace(
        box("b", 1.0, (0.2, 0.3, 0.1), (0, 0, 0.2)),
        q=(0, 0, 0.2, np.cos(tilt / 2), *(np.sin(tilt / 2) * axis)),
    )
    scene = Scene("drop", 4.0, (turned,), "stands", {}, law=(1e5, 300.0))
    ours = Ours(scene).recorded("contact", 2e-3).q[-1]
    theirs = Drake(scene, tmp_path).recorded("lagged", 1e-3).q[-1]
    assert ours[2] == pytest.approx(theirs[2], abs=3e-4)
    assert up(ours[3:]) == pytest.approx(up(theirs[3:]), abs=2e-3)
