"""A Panda that grips a sponge: what the fingers feel is its weight, and the motors carry it."""

from importlib import import_module

import numpy as np
import pytest

import hapsis as hs
from hapsis.bench import robots

G = 9.81
module = import_module("hapsis.library.particles.panda_sponge")


@pytest.fixture(scope="module")
def lifted():
    scene = hs.library.particles.panda_sponge()
    return scene, hs.simulate(scene, 1.1, every=0.1)


@pytest.mark.slow
def test_the_sponge_is_lifted_and_turned(lifted):
    _, result = lifted
    assert result.success and result.warnings == () and result.energy_drift < 1e-5
    assert result["sponge.z"][-1] - result["sponge.z"][0] == pytest.approx(0.1, abs=1e-3)
    # it turns with the hand: the best turn about z between its points before and after
    before, after = (result["sponge.points"][k, :, :2] for k in (0, -1))
    before, after = (x - x.mean(axis=0) for x in (before, after))
    turn = np.arctan2((np.cross(before, after)).sum(), (before * after).sum())
    assert abs(turn) == pytest.approx(module.TURN, abs=0.02)
    # squeezed, and not through
    assert 0.02 < 2 * result["left slide"][-1] < 0.038


@pytest.mark.slow
def test_fingers_and_motors_carry_its_weight(lifted):
    scene, result = lifted
    weight = G * scene.objects["sponge"].mass
    load = result["left finger.load"][-1] + result["right finger.load"][-1]
    assert load == pytest.approx((0.0, 0.0, -weight), abs=1e-4)
    assert np.linalg.norm(result["left finger.load"][-1][:2]) == pytest.approx(2.0, rel=0.1)
    # at rest: the efforts against the weight of the arm, of the pads and of the sponge
    model = scene.model
    bare = hs.Model(module._arm(2.0))
    q = np.array([result[name][-1] for name in bare.coordinates])
    zero = np.zeros(len(q))
    tau = np.array(hs.compile(hs.inverse_dynamics(bare))(q, zero, zero))
    for body, thing in (("left finger", "left pad"), ("right finger", "right pad"), ("hand", "sponge")):
        mass = scene.objects[thing].mass
        p, _ = hs.compile(hs.pose(bare, body))(q)
        J = np.array(hs.compile(hs.jacobian(bare, body))(q)).reshape(6, -1)
        arm = result[f"{thing}.points"][-1].T @ scene.objects[thing].masses / mass - np.ravel(p)
        tau += (J[3:] + np.cross(J[:3].T, arm).T).T @ (0.0, 0.0, mass * G)
    for k in range(1, 8):
        place = bare.coordinates.index(f"joint{k}")
        assert result[f"motor{k}.effort"][-1] == pytest.approx(tau[place], abs=2e-3), k
    assert len(model.drives) == 7


@pytest.mark.slow
def test_without_friction_it_stays_on_the_table():
    result = hs.simulate(hs.library.particles.panda_sponge(friction=0.0), 0.8, every=0.1)
    assert result["sponge.z"][-1] < 0.03 and result["joint2"][-1] != result["joint2"][0]


@pytest.mark.peers
def test_the_arm_is_that_of_the_robot_data():
    source = robots.installed(robots.FILES["panda"][0])
    if source is None:
        pytest.skip("example-robot-data is not installed")
    theirs, ours = hs.load(source, physical=False), hs.Model(module._arm(2.0))
    rng = np.random.default_rng(0)
    for _ in range(5):
        q = rng.uniform(-1, 1, 7)
        known = np.array([q[int(n[-1]) - 1] if "finger" not in n else 0.0 for n in theirs.coordinates])
        mine = np.array([q[int(n[5:]) - 1] if n.startswith("joint") else 0.0 for n in ours.coordinates])
        a, b = hs.compile(hs.pose(theirs, "panda_hand"))(known), hs.compile(hs.pose(ours, "hand"))(mine)
        for x, y in zip(a, b, strict=True):
            assert np.allclose(x, y, atol=1e-9)
