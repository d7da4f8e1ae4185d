"""From where the ends of a joint are back to its coordinates, for every joint that closes loops."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.assembly.joint_ends import JointEnds, coordinates, misfit

JOINTS = {
    "weld": lambda *ends: hs.Weld("j", *ends),
    "revolute": lambda *ends: hs.Revolute("j", *ends, axis="-y"),
    "oblique": lambda *ends: hs.Revolute("j", *ends, axis=(1, 2, -2)),
    "prismatic": lambda *ends: hs.Prismatic("j", *ends, axis=(0, 3, 4)),
    "cylindrical": lambda *ends: hs.Cylindrical("j", *ends, axis="x"),
    "helical": lambda *ends: hs.Helical("j", *ends, axis="-z", pitch="p"),
    "universal": lambda *ends: hs.Universal("j", *ends, axes=("x", "z")),
    "crooked": lambda *ends: hs.Universal("j", *ends, axes=("z", (1, 0, 1))),
    "planar": lambda *ends: hs.Planar("j", *ends, normal="y"),
    "ball": lambda *ends: hs.Ball("j", *ends),
}


def model_of(kind):
    ends = (hs.WORLD.at(0.3, "p", 0, rpy=(0.2, 0.1, 0.5)), ("b", hs.Frame((0, 0.4, "2 * p"), (1, 0, 0))))
    body = hs.Body("b", 1, inertia=(1, 1, 1))
    return hs.Model(body, JOINTS[kind](*ends), parameters={"p": 0.07})


@pytest.mark.parametrize("kind", JOINTS)
def test_coordinates_come_back(kind):
    model, draw = model_of(kind), np.random.default_rng(5)
    ends, joint = JointEnds(model), model.joints["j"]
    for _ in range(20):
        q = draw.uniform(-3.1, 3.1, len(model.coordinates))
        if kind == "ball":
            q *= np.sign(q[0]) / np.linalg.norm(q)
        d, R = ends.between([joint], q)["j"]
        assert max(misfit(model, joint, d, R)) < 1e-12
        assert coordinates(model, joint, d, R) == pytest.approx(list(q), abs=1e-9)


def test_a_screw_counts_its_turns():
    model = model_of("helical")
    d, R = JointEnds(model).between([model.joints["j"]], np.array([31.0]))["j"]
    assert coordinates(model, model.joints["j"], d, R) == pytest.approx([31.0])


@pytest.mark.parametrize("half", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_half_turns_have_a_quaternion(half):
    model = model_of("ball")
    q = np.array([0.0, *half])
    d, R = JointEnds(model).between([model.joints["j"]], q)["j"]
    assert abs(np.dot(coordinates(model, model.joints["j"], d, R), q)) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind not in ("ball", "universal")])
def test_what_does_not_fit_is_seen(kind):
    model = model_of(kind)
    joint = model.joints["j"]
    away = np.array([0.1, 0.2, 0.3])
    upside_down = np.diag([-1.0, 1.0, -1.0]) if kind != "revolute" else np.diag([1.0, -1, -1])
    if kind == "planar":
        upside_down = np.diag([1.0, -1.0, -1.0])
    assert max(misfit(model, joint, away, np.eye(3))) > 0.05 or kind == "planar"
    assert max(misfit(model, joint, np.zeros(3), upside_down)) > 0.5
