"""Flat parts cut from sheet: their line, their materials, and that they change nothing but the picture."""

import pickle

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.model.shapes.materials import MATERIALS


def area(points):
    p = np.asarray(points)
    q = np.roll(p, -1, axis=0)
    return 0.5 * float(np.sum(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]))


def star(rng):
    """A polygon without crossings, convex or not, of any size, in either direction."""
    count = int(rng.integers(3, 12))
    angles = np.sort(rng.uniform(0.0, 2 * np.pi / count, count) + 2 * np.pi * np.arange(count) / count)
    scale = 10.0 ** rng.uniform(-4, 3)
    points = scale * rng.uniform(0.5, 1.0, count)[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    points += scale * rng.uniform(-5, 5, 2)
    return points[:: rng.choice([1, -1])], scale


@pytest.mark.parametrize("seed", range(40))
def test_round_corners_touch_their_edges_and_take_the_area_of_the_book(seed):
    """A corner that turns by t loses r² (tan(t/2) - t/2); its n chords r² (t - n sin(t/n)) / 2 more."""
    rng = np.random.default_rng(seed)
    points, scale = star(rng)
    sharp = hs.Outline(points, 0.01)
    ring = np.array(sharp.ring)
    assert area(ring) > 0.0 and area(ring) == pytest.approx(abs(area(points)), rel=1e-12)
    count, k = len(ring), int(rng.integers(len(ring)))
    a, b, c = ring[k - 1], ring[k], ring[(k + 1) % count]
    u, v = (a - b) / np.linalg.norm(a - b), (c - b) / np.linalg.norm(c - b)
    turn = np.pi - np.arccos(np.dot(u, v))
    reach = 0.5 * min(np.linalg.norm(a - b), np.linalg.norm(c - b))
    radius = rng.uniform(0.05, 1.0) * reach / np.tan(turn / 2)
    rows = [tuple(p) if j != k else (*p, radius) for j, p in enumerate(ring)]
    line = np.array(hs.Outline(rows, 0.01).ring)
    arc = line[k : k + len(line) - count + 1]
    chords = len(arc) - 1
    convex = np.sign(np.cross(np.append(b - a, 0.0), np.append(c - b, 0.0))[2])
    lost = radius**2 * (np.tan(turn / 2) - 0.5 * chords * np.sin(turn / chords))
    # places are scale * 5 away, so that their area is rounded by that
    assert area(line) == pytest.approx(area(ring) - convex * lost, abs=1e-13 * 100 * scale**2)
    # an arc touches its two edges where it ends, and every point of it is one radius from its centre
    side = np.array([-v[1], v[0]]) if np.dot([-v[1], v[0]], u) > 0 else np.array([v[1], -v[0]])
    centre = arc[-1] + radius * side
    np.testing.assert_allclose(np.linalg.norm(arc - centre, axis=1), radius, rtol=0, atol=1e-12 * 10 * scale)
    for end, way in ((arc[0], u), (arc[-1], v)):
        off = end - b
        assert abs(off[0] * way[1] - off[1] * way[0]) < 1e-12 * 10 * scale and np.dot(off, way) > 0


def test_a_radius_that_does_not_fit_is_made_smaller():
    line = np.array(hs.Outline([(0, 0, 9.0), (1, 0), (1, 1), (0, 1)], 0.1).ring)
    assert (
        line.min() >= -1e-15
        and [0.0, 0.5] in line.round(12).tolist()
        and [0.5, 0.0] in line.round(12).tolist()
    )


def swing(*shapes, world=(), **settings):
    """A key on a pin that touches a floor with a ball."""
    return hs.Model(
        hs.Body("world", shapes=world),
        hs.Body("key", mass=0.1, com=(0.1, 0, 0), inertia=(1e-4, 1e-3, 1e-3), shapes=shapes),
        hs.Revolute("key", hs.WORLD, "key", axis="z"),
        hs.JointSpring("spring", "key", stiffness=0.1),
        hs.Contact(
            "floor", (hs.End("key", hs.Frame((0.2, 0, 0))), hs.Sphere(0.01)),
            (hs.WORLD.at(0, -0.05, 0), hs.Plane("y")),
        ),
        gravity=(0, -9.81, 0),
        **settings,
    )  # fmt: skip


BAR = ((-0.02, -0.01), (0.2, -0.01, 0.004), (0.2, 0.01), (-0.02, 0.01))


def test_outlines_change_the_picture_and_nothing_else():
    plain, cut = swing(), swing(hs.Outline(BAR, 0.02, material="maple"))
    one, two = (hs.simulate(model, 0.2, every=0.01) for model in (plain, cut))
    assert np.array_equal(one["key"], two["key"])
    kinds = [shape["kind"] for shape in drawing(cut)["bodies"][0]["shapes"]]
    assert kinds == ["outline"]  # neither the ball of the contact, the spring nor the pin
    assert {shape["kind"] for shape in drawing(cut)["world"]["shapes"]} & {"support", "rail"}
    world = swing(hs.Outline(BAR, 0.02), world=[hs.Outline(BAR, 0.01, at=(0, -0.1, 0))])
    assert [shape["kind"] for shape in drawing(world)["world"]["shapes"]] == ["outline"]


def test_what_is_drawn_is_the_line_at_its_place():
    turned = hs.Outline(BAR, 0.03, at=hs.Frame((0.1, 0.2, 0.3), rpy=(0.4, -0.5, 0.6)), material="brass")
    (shape,) = drawing(swing(turned))["bodies"][0]["shapes"]
    from hapsis.mechanics.algebra.quaternions import matrix

    ring = np.column_stack([shape["ring"], np.zeros(len(shape["ring"]))])
    from hapsis.mechanics.model.frames import rotation

    R = np.array(rotation((0.4, -0.5, 0.6)))
    expected = np.array([0.1, 0.2, 0.3]) + np.column_stack([turned.ring, np.zeros(len(turned.ring))]) @ R.T
    np.testing.assert_allclose(ring @ matrix(shape["q"]).T + shape["at"], expected, atol=1e-7)
    assert (
        shape["depth"] == 0.03 and shape["of"] == "metal" and shape["color"] == list(MATERIALS["brass"].color)
    )


@pytest.mark.parametrize("name", sorted(MATERIALS))
def test_files_hold_outlines_and_materials(name, tmp_path):
    width = hs.Formula("2 * w")
    model = swing(
        hs.Outline(BAR, width, material=name, at=("w", 0, 0)),
        hs.Cylinder(0.01, 0.03, material=name, color=(0.1, 0.2, 0.3)),
        parameters={"w": 0.01},
    )
    hs.save(model, tmp_path / "key.yaml")
    for other in (hs.load(tmp_path / "key.yaml"), pickle.loads(pickle.dumps(model))):
        assert other == model and drawing(other) == drawing(model)
        outline, pin = other.bodies["key"].shapes
        assert (outline.material, outline.points, pin.material, pin.color) == (
            name,
            BAR,
            name,
            (0.1, 0.2, 0.3),
        )


WRONG = {
    "points must be rows of numbers": dict(points=3.0),
    "rows \\(x, y\\) or \\(x, y, r\\)": dict(points=[(0, 0), (1, 0), (1, 1, 0, 0)]),
    "2 points enclose nothing": dict(points=[(0, 0), (1, 0)]),
    "every point must be finite": dict(points=[(0, 0), (1, 0), (1, float("nan"))]),
    "the radius of a corner is negative": dict(points=[(0, 0), (1, 0), (1, 1, -0.1)]),
    "the points enclose no area": dict(points=[(0, 0), (1, 1), (2, 2)]),
    'no material "bras" \\(did you mean "brass"': dict(material="bras"),
    "material must be a text": dict(material=7),
    "thickness": dict(thickness="wide?"),
}


@pytest.mark.parametrize("text", sorted(WRONG))
def test_what_is_wrong_is_one_line(text):
    with pytest.raises(hs.ModelError, match=text) as caught:
        hs.Outline(**{"points": BAR, "thickness": 0.01, **WRONG[text]})
    assert "\n" not in str(caught.value)


def test_contacts_cannot_use_outlines():
    with pytest.raises(hs.ModelError, match="outline cannot touch a plane"):
        hs.Model(
            hs.Body("key", mass=1.0, inertia=(1, 1, 1)),
            hs.Free("key", hs.WORLD, "key"),
            hs.Contact("c", ("key", hs.Outline(BAR, 0.01)), (hs.WORLD, hs.Plane())),
        )


def test_the_picture_of_a_concave_part_is_its_line(tmp_path):
    """The area of the polygon in the file, over the scale squared, is that inside the line."""
    angle = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.02), (0.02, 0.02), (0.02, 0.1), (0.0, 0.1)]
    model = swing(
        hs.Outline(angle, 0.02), world=[hs.Outline([(0, 0), (0.3, 0), (0.3, 0.01), (0, 0.01)], 0.01)]
    )
    hs.simulate(model, 0.1).save(tmp_path / "key.svg")
    text = (tmp_path / "key.svg").read_text()
    rings = [
        np.array([[float(x) for x in pair.split(",")] for pair in part.split('"')[0].split()])
        for part in text.split('points="')[1:]
    ]
    areas = sorted(abs(area(ring)) for ring in rings)
    assert len(areas) == 2
    assert areas[1] / areas[0] == pytest.approx(0.0036 / 0.003, rel=0.02)  # pixels have two digits
