"""Two faces on each other are as stiff as four points, caps as three, as in exact integration."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import BOX, CYLINDER, HULL, PLANE
from tests.motion.solvers.contact.solid_scenes import CUBE, NO_SIZE, Solid, memory, random_rotation, rotation

G = 9.81
TOPS = {
    "box": Solid(BOX, np.array([1.0, 0.7, 1.0])),
    "cylinder": Solid(CYLINDER, np.array([0.5, 1.0, 0.0])),
    "hull": Solid(HULL, NO_SIZE, corners=CUBE),
}


@pytest.mark.parametrize("first", TOPS)
@pytest.mark.parametrize("second", TOPS)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
def test_shares_of_a_face_sum_up_to_four_and_of_a_cap_to_three(first, second, scale):
    draw = np.random.default_rng([len(first), len(second)])
    points = np.zeros(56)
    total = 3.0 if "cylinder" in (first, second) else 4.0
    for _ in range(25):
        turn, frame = rotation([0, 0, 1], draw.uniform(0, 2 * np.pi)), random_rotation(draw)
        at = np.array([*draw.uniform(-0.45, 0.45, 2), 1.0 - 10.0 ** draw.uniform(-6, -3)])
        both = (TOPS[first]._replace(R=frame @ turn, p=frame @ at), TOPS[second]._replace(R=frame))
        solids = memory(*(_scaled(solid, scale) for solid in both))
        count = manifold(solids, 0, 1, 1e-3 * scale, points)
        assert 3 <= count <= 8
        assert solids.shares[:count].sum() == pytest.approx(total, rel=1e-6)
        assert (solids.shares[:count] > 0.0).all()


def _scaled(solid, scale):
    corners = None if solid.corners is None else scale * solid.corners
    return solid._replace(size=scale * np.array(solid.size), p=scale * solid.p, corners=corners)


@pytest.mark.parametrize("angle", [1e-12, 1e-7, 1e-5, 1e-3, 0.1])
def test_corners_that_split_share_what_the_corner_had(angle):
    """The moments of stiffness about the axes of the lower box change with the angle without a jump."""

    def moments(angle):
        points = np.zeros(56)
        top = Solid(BOX, np.ones(3), rotation([0, 0, 1], angle), np.array([0.2, 0.1, 0.9999]))
        solids = memory(top, Solid(BOX, np.ones(3)))
        count = manifold(solids, 0, 1, 1e-3, points)
        place, share = points.reshape(8, 7)[:count, :2], solids.shares[:count]
        return np.array([share @ place[:, 0], share @ place[:, 1], share @ (place**2).sum(axis=1)])

    assert moments(angle) == pytest.approx(moments(0.0), abs=3 * angle + 1e-6)


def test_points_of_their_own_have_the_stiffness_of_the_law():
    points = np.zeros(56)
    for top, count, share in ((TOPS["box"], 4, 1.0), (TOPS["cylinder"], 8, 0.375), (TOPS["hull"], 4, 1.0)):
        solids = memory(top._replace(p=np.array([0, 0, 0.4999])), Solid(PLANE, NO_SIZE))
        assert manifold(solids, 0, 1, 1e-3, points) == count
        assert np.array_equal(solids.shares[:count], np.full(count, share))


def on_block(side=0.3):
    """A box of 1 kg on a block that does not move."""
    block = hs.WORLD.at(0, 0, 0), hs.Box((side, side, 0.1))
    return hs.Model(
        hs.Body.box("a", (0.1, 0.1, 0.1), mass=1.0),
        hs.Free("a", hs.WORLD, "a"),
        hs.Contact("c", hs.Surface("a"), block, law=hs.Linear(1e4, 200.0), friction=0.0),
    )


@pytest.mark.parametrize("ground", ["plane", "box", "cylinder"])
def test_a_can_sinks_into_each_ground_as_far_as_by_exact_integration(ground):
    shapes = {"box": hs.Box((0.5, 0.5, 0.1)), "cylinder": hs.Cylinder(0.3, 0.1)}
    below = hs.WORLD.plane(at=(0, 0, 0.05)) if ground == "plane" else (hs.WORLD.at(0, 0, 0), shapes[ground])
    can = hs.Model(
        hs.Body.cylinder("a", 0.05, 0.1, mass=1.0),
        hs.Free("a", hs.WORLD, "a"),
        hs.Contact("c", hs.Surface("a"), below, law=hs.Linear(1e4, 200.0), friction=0.0),
    )
    start = {"a.z": 0.1 - 1e-4}
    exact = hs.simulate(can, 2.0, start)
    result = hs.simulate(can, 2.0, start, method="contact", step=2e-3)
    assert 0.1 - result["a.z"][-1] == pytest.approx(G / 3e4, rel=1e-6)
    assert result["a.z"][-1] == pytest.approx(exact["a.z"][-1], abs=1e-9)


def test_a_tilted_cap_hands_its_stiffness_over_to_its_deepest_point():
    points = np.zeros(56)
    for tilt in (0.2, 0.5):
        top = TOPS["cylinder"]._replace(R=rotation([1, 0, 0], tilt), p=np.array([0, 0, 0.0]))
        lowest = 0.5 * np.cos(tilt) + 0.5 * np.sin(tilt)
        solids = memory(top._replace(p=np.array([0, 0, lowest - 1e-4])), Solid(PLANE, NO_SIZE))
        count = manifold(solids, 0, 1, 1e-3, points)
        pushing = points.reshape(8, 7)[:count, 6] < 0.0
        assert solids.shares[:count][pushing].sum() == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("yaw", [0.0, 1e-6, 1e-3, 0.3, np.pi / 4])
def test_a_box_sinks_into_a_box_as_far_at_any_yaw_as_by_exact_integration(yaw):
    start = {"a.z": 0.1 - 1e-4, "a.qw": np.cos(yaw / 2), "a.qz": np.sin(yaw / 2)}
    exact = hs.simulate(on_block(0.1), 3.0, start)
    result = hs.simulate(on_block(0.1), 3.0, start, method="contact", step=2e-3)
    assert 0.1 - result["a.z"][-1] == pytest.approx(G / 4e4, rel=1e-6)
    assert result["a.z"][-1] == pytest.approx(exact["a.z"][-1], abs=1e-9)


def test_a_box_that_spins_on_a_box_is_not_lifted():
    """Corners split and meet four times a turn: the depth stays, and so does the energy."""
    start = {"a.z": 0.1 - G / 4e4, "a.wz": 20.0}
    result = hs.simulate(on_block(0.1), 1.0, start, method="contact", step=5e-4)
    assert np.abs(result["a.z"] - start["a.z"]).max() < 1e-9
    assert result["energy"].max() <= result["energy"][0] * (1 + 1e-9)
    assert result["a.wz"][-1] == pytest.approx(20.0, rel=1e-9)
