"""What the player is given: bodies drawn, poses of all frames, arrows of forces."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.algebra.quaternions import matrix, quaternions
from hapsis.mechanics.model.body_shapes import drawn_bodies, drawn_world


@pytest.mark.parametrize("seed", range(5))
def test_quaternions_of_rotations(seed):
    draw = np.random.default_rng(seed)
    q = draw.normal(size=(200, 4))
    q[:3] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1e-9]]  # whole and half turns
    q /= np.linalg.norm(q, axis=1)[:, None]
    found = quaternions(np.array([matrix(x) for x in q]))
    assert np.abs(np.abs((found * q).sum(axis=1)) - 1).max() < 1e-15 * 4


def scene_of(result):
    return result.scene()


def test_poses_are_those_of_the_bodies():
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Body("b", mass=1.0, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1)),
        hs.Body("c", mass=1.0, inertia=(1, 2, 2.5)),
        hs.Revolute("j", hs.WORLD.at(0, 0, 2), "a"),
        hs.Universal("k", "a.end", "b"),
        hs.Free("f", hs.WORLD, "c"),
    )
    start = {"j": 0.3, "f.wx": 1.0, "f.wy": 2.0, "f.vx": 1.0}
    result = hs.simulate(model, until=1.0, start=start, every=0.1)
    scene = scene_of(result)
    assert [body.name for body in scene["bodies"]] == ["world", "a", "b", "c"]
    assert scene["poses"].shape == (len(result.t), 4, 7)
    q = np.stack([result[name] for name in model.coordinates], axis=1)
    for k, name in enumerate(("a", "b", "c"), 1):
        found = hs.compile(hs.pose(model, name))(q)
        assert np.allclose(scene["poses"][:, k, :3], found.p, atol=1e-14)
        turned = np.array([matrix(x) for x in scene["poses"][:, k, 3:]])
        assert np.allclose(turned, found.R, atol=1e-14)


def test_bodies_without_shapes_have_bones():
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Body("b", mass=1.0, shapes=[hs.Box((1, 2, 3))]),
        hs.Revolute("j", hs.WORLD, "a"),
        hs.Weld("w", "a.end", "b"),
    )
    a, b = drawn_bodies(model)
    assert [shape["type"] for shape in a.shapes] == ["capsule", "sphere"]
    assert a.shapes[0]["length"] == 1.0 and np.allclose(a.shapes[0]["at"], (0.5, 0, 0))
    assert np.allclose(matrix(a.shapes[0]["quaternion"])[:, 2], (1, 0, 0))  # along the rod
    assert [shape["type"] for shape in b.shapes] == ["box"]


def test_what_contacts_touch_is_drawn_once():
    ball, floor = ("b", hs.Sphere(0.2)), hs.WORLD.plane(normal="x", at=(1, 0, 0))
    model = hs.Model(
        hs.Body("b", mass=1.0),
        hs.Free("f", hs.WORLD, "b"),
        hs.Contact("one", ball, floor),
        hs.Contact("two", ball, hs.WORLD.plane()),
    )
    (b,) = drawn_bodies(model)
    assert [shape["type"] for shape in b.shapes] == ["sphere"]
    planes = drawn_world(model).shapes
    assert [shape["type"] for shape in planes] == ["plane", "plane"]
    assert np.allclose(matrix(planes[0]["quaternion"])[:, 2], (1, 0, 0))
    assert np.allclose(planes[0]["at"], (1, 0, 0))


def test_arrows_stand_where_forces_act():
    model = hs.Model(
        hs.Rod("a", 1, 1),
        hs.Revolute("j", hs.WORLD, "a"),
        hs.Spring("s", hs.WORLD.at(0, 0, 2), "a.end", stiffness=10.0),
    )
    result = hs.simulate(model, until=1.0, every=0.1)
    (arrow,) = scene_of(result)["arrows"]
    assert arrow.name == "s"
    angle = result["j"]
    tip = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    assert np.allclose(arrow.points, tip, atol=1e-12)
    assert np.allclose(arrow.vectors, 10.0 * (np.array([0, 0, 2]) - tip), atol=1e-9)
    assert np.allclose(np.linalg.norm(arrow.vectors, axis=1), result["s.force"])


def test_the_title_is_the_heading():
    model = hs.Model(hs.Rod("a", 1, 1), hs.Revolute("j", hs.WORLD, "a"))
    result = hs.simulate(model, until=0.1, title="A <swing>")
    assert "A &lt;swing&gt;" in result.plot().html and "<swing>" not in result.player().html
