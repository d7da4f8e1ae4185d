"""Surfaces and contacts as facts: how they are given, checked, prefixed and placed."""

import numpy as np
import pytest

from hapsis import Function, compile, sin, symbols
from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.contacts import DEFAULT_LAW, Contact
from hapsis.mechanics.model.frames import WORLD, End, Frame, rotation
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.laws import Law, law
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Mesh, Plane, Segment, Sphere
from hapsis.mechanics.model.shapes.surfaces import Surface, pieces
from hapsis.mechanics.model.values.formula import Formula

BALL = Body(
    "ball",
    1,
    inertia=(1, 1, 1),
    frames={"tip": (0, 0, 1)},
    shapes=[Sphere(0.1), Box((1, 2, 3), at=(0, 0, 2))],
)
FACTS = [BALL, Free("f", WORLD, "ball")]


def test_sides_may_be_points_surfaces_or_shapes():
    plane = WORLD.plane()
    contact = Contact("c", "ball.tip", plane)
    assert contact.first == End("ball.tip") and contact.second == Surface("world", Plane("z"))
    assert contact.ends == {"first": End("ball.tip"), "second": End("world")}
    assert Contact("c", ("ball", Sphere(1)), plane).first == Surface("ball", Sphere(1))
    assert Contact("c", ("ball", (0, 0, 1)), plane).first == End("ball", Frame((0, 0, 1)))
    assert WORLD.plane("x", at=(1, 0, 0)).on == End("world", Frame((1, 0, 0)))
    assert contact.normal_law is DEFAULT_LAW and contact.friction_law is None
    for wrong in (3, Surface, ("ball", 3)):
        with pytest.raises(ModelError, match="its first end"):
            Contact("c", wrong, plane)
    with pytest.raises(ModelError, match=r"a shape such as hs\.Sphere"):
        Surface("ball", 3)  # pyright: ignore


def test_laws_of_contacts_are_checked_when_they_are_given():
    plane = WORLD.plane()
    made = Contact("c", "ball", plane, law=lambda gap, rate, k=1.0: k * gap, friction=0.5)
    assert isinstance(made.law, Law) and made.friction == Coulomb(0.5)
    assert Contact("c", "ball", plane, friction="mu").friction == Coulomb(Formula("mu"))
    sliding = law(lambda normal, slip, mu=0.3: tuple(-mu * normal * v for v in slip))
    assert Contact("c", "ball", plane, friction=sliding).friction_law is sliding
    with pytest.raises(ModelError, match="2 for law: gap, rate"):
        Contact("c", "ball", plane, law=lambda gap: 0.0)
    with pytest.raises(ModelError, match="2 for friction: normal, slip"):
        Contact("c", "ball", plane, friction=lambda normal: 0.0)
    with pytest.raises(ModelError, match="friction must be a function"):
        Contact("c", "ball", plane, friction=[1])


def test_a_body_touches_with_all_its_shapes():
    model = Model(FACTS, Contact("c", Surface("ball"), WORLD.plane("x", at=(1, 0, 0))))
    pairs = model.contacts["c"].pairs(model)
    assert [(a.kind, a.end, a.name) for a, _ in pairs] == [
        ("sphere", End("ball"), "first"),
        ("box", End("ball", Frame((0, 0, 2))), "first.1"),
    ]
    plane = pairs[0][1]
    body, frame = model.frame(plane.end)
    assert (body, plane.kind, frame.at) == ("world", "plane", (1, 0, 0))
    # the z axis of its frame is the normal
    np.testing.assert_allclose(np.array(rotation(frame.rpy))[:, 2], (1, 0, 0), atol=1e-15)
    assert pairs[1][0].shape.dimensions == {"size.x": 1.0, "size.y": 2.0, "size.z": 3.0}
    assert Capsule(1, 2).dimensions == {"radius": 1.0, "length": 2.0}
    assert pieces(model, End("ball"), "first")[0].kind == "point" and Segment(1).type_name == "segment"


@pytest.mark.parametrize("normal", ["x", "-x", "y", "-y", "z", "-z", (1, 2, 3), (0, -1, 1)])
def test_planes_lie_across_their_normals(normal):
    plane = Plane(normal)
    z = np.array(rotation(plane.turn.rpy))[:, 2]
    letters = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    if isinstance(normal, str):
        expected = np.array(letters[normal[-1]]) * (-1 if "-" in normal else 1)
    else:
        expected = np.array(normal) / np.linalg.norm(normal)
    np.testing.assert_allclose(z, expected, atol=1e-15)


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        (Contact("c", Surface("ball", Plane()), WORLD.plane()), "a plane cannot touch a plane"),
        (Contact("c", Surface("ball", Mesh("a.stl")), WORLD.plane()), "a mesh cannot touch"),
        (Contact("c", Surface(WORLD), "ball"), 'body "world" has no shapes to touch'),
        (Contact("c", Surface("bal"), WORLD.plane()), 'did you mean "ball"'),
        (Contact("c", ("ball", Sphere("-r")), WORLD.plane()), "sphere: radius is -1"),
        (Contact("c", "ball", WORLD.plane(), law=Linear("-r")), "stiffness is -1; it must be"),
        (Contact("c", "ball", WORLD.plane(), law=Linear("s")), 'uses "s", which is no parameter'),
        (Contact("c", "ball", WORLD.plane(), friction="-r"), "mu is -1; it cannot be negative"),
        (Contact("c", "ball", Surface("ball.tip")), 'joins "ball" to itself'),
    ],
)
def test_what_cannot_be_touched_is_told(contact, said):
    with pytest.raises(ModelError) as caught:
        Model(FACTS, contact, parameters={"r": 1})
    assert 'contact "c"' in str(caught.value) and said in str(caught.value)


def test_prefixes_go_into_surfaces_and_laws():
    own = law(lambda gap, rate, k=1.0: -k * gap).using(k="r")
    model = Model(
        FACTS,
        Contact("c", ("ball", Sphere("r")), WORLD.plane(), law=Linear("r"), friction="r / 2"),
        Contact("d", Surface("ball.tip"), WORLD.plane(at=(0, 0, "r")), law=own),
        parameters={"r": 1},
    )
    found = model.prefixed("left")
    c, d = found.contacts["left.c"], found.contacts["left.d"]
    assert c.first == Surface("left.ball", Sphere("left.r"))
    assert c.second == Surface("world", Plane("z"))
    assert c.law == Linear("left.r") and c.friction == Coulomb("left.r / 2")
    assert d.law == own.using(k="left.r") and d.first == Surface("left.ball.tip")
    assert d.second.on == End("world", Frame((0, 0, "left.r")))
    # on a carrier the ground comes along
    carried = Model(
        Body("cart", 1, inertia=(1, 1, 1)), Free("g", WORLD, "cart"), model.prefixed("left", on="cart")
    )
    assert carried.contacts["left.c"].second == Surface("cart", Plane("z"))
    harder = model.replace("c", law=Linear(5))
    assert harder.contacts["c"].law == Linear(5) and harder.contacts["c"].first.shape.radius


def test_shapes_of_the_world_come_along_too():
    model = Model(
        Body("world", shapes=[Box((1, 1, 1))]), FACTS, Contact("c", Surface("ball"), Surface(WORLD))
    )
    carried = Model(
        Body("cart", 1, inertia=(1, 1, 1)), Free("g", WORLD, "cart"), model.prefixed("left", on="cart")
    )
    contact = carried.contacts["left.c"]
    assert contact.second == Surface("left.world")
    assert {b.kind for _, b in contact.pairs(carried)} == {"box"}


def test_heightfields_by_function_and_by_grid_agree():
    x = np.linspace(-1, 1, 41)
    heights = 0.2 * np.sin(2 * x)[:, None] + 0.1 * x[None, :] ** 2
    grid = Heightfield(heights, start=(-1, -1), step=(0.05, 0.05))
    smooth = Heightfield(lambda x, y: 0.2 * sin(2 * x) + 0.1 * y * y)
    v = symbols("v", 2)
    f, g = (compile(Function("f", {"v": v}, {"z": list(h.surface(*v))})) for h in (grid, smooth))
    numbers = np.random.default_rng(1)
    for point in numbers.uniform(-0.8, 0.8, (10, 2)):
        np.testing.assert_allclose(f(point), g(point), atol=2e-3)
        expected = 0.2 * np.sin(2 * point[0]) + 0.1 * point[1] ** 2
        slopes = 0.4 * np.cos(2 * point[0]), 0.2 * point[1]
        np.testing.assert_allclose(g(point), [expected, *slopes], rtol=1e-12)
        np.testing.assert_allclose(smooth.surface(*map(float, point)), g(point), rtol=1e-12)
    assert grid == Heightfield(heights.tolist(), (-1.0, -1.0), (0.05, 0.05))
    assert WORLD.heightfield(heights, (-1, -1), (0.05, 0.05)).shape == grid


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Heightfield(3), "at least 4 by 4"),
        (lambda: Heightfield("hill"), 'a grid, not "hill"'),
        (lambda: Heightfield(np.zeros((4, 4))), "step must be two numbers"),
        (lambda: Heightfield(np.zeros((4, 4)), step=(1, 0)), "step must be positive"),
        (lambda: Heightfield(np.full((4, 4), np.nan), step=(1, 1)), "must be finite"),
        (lambda: Heightfield(lambda x, y: x, step=(1, 1)), "has no start and no step"),
        (lambda: Heightfield(lambda x: x).surface(1.0, 2.0), "does not take 2 arguments"),
        (lambda: Plane("w"), "plane: normal must be"),
        (lambda: Plane((0, 0, 0)), "has no direction"),
    ],
)
def test_grounds_that_cannot_be(make, said):
    with pytest.raises(ModelError) as caught:
        make()
    assert said in str(caught.value)
