"""Every class of facts and shapes is drawn, or is on a short list with the reason."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.view import page
from hapsis.view.film.drawing_check import SHAPES as SHAPES_OF_PAGES
from hapsis.view.film.drawing_check import checked_drawing

# facts that one does not see, and why
UNSEEN = {
    "Free": "it holds nothing",
    "Weld": "its bodies are one part",
    "Friction": "it acts inside the joint, which is drawn",
    "Wrench": "a load is no part of the machine, and changes with time",
    "Constraint": "an equation has no place",
    "Sensor": "it measures and does not act",
    "Speed": "it is a name for what moves",
}


def chain(*facts, axis="y", **settings):
    """Two rods on pins and a slider, so that every fact finds what it acts on."""
    return hs.Model(
        hs.Rod("a", 0.5, 1.0),
        hs.Rod("b", 0.4, 1.0),
        hs.Body("c", mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1), frames={"tip": (0.2, 0, 0)}),
        hs.Revolute("j", hs.WORLD, "a", axis=axis),
        hs.Revolute("k", "a.end", "b", axis=axis),
        hs.Prismatic("s", hs.WORLD.at(0.0, 0.0, -0.5), "c", axis="x", limits=(-0.5, 0.5)),
        *facts,
        **settings,
    )


def jointed(make):
    """The same body at the end of a chain, held by a joint, or by nothing."""
    body = hs.Body("d", mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    return chain(body, make("d", "b.end", "d")), chain(body, hs.Free("d", "b.end", "d"))


def shaped(shape):
    def body(shapes):
        return hs.Body("d", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=shapes), hs.Free("d", hs.WORLD, "d")

    return chain(*body([shape])), chain(*body([]))


JOINTS = {
    "Revolute": lambda n, a, b: hs.Revolute(n, a, b),
    "Prismatic": lambda n, a, b: hs.Prismatic(n, a, b),
    "Helical": lambda n, a, b: hs.Helical(n, a, b, pitch=0.1),
    "Cylindrical": lambda n, a, b: hs.Cylindrical(n, a, b),
    "Universal": lambda n, a, b: hs.Universal(n, a, b),
    "Planar": lambda n, a, b: hs.Planar(n, a, b),
    "Chain": lambda n, a, b: hs.Chain(n, a, b, "Tx Rz Ty"),
    "Ball": lambda n, a, b: hs.Ball(n, a, b),
}
SHAPES = {
    "Box": lambda: hs.Box((0.1, 0.2, 0.3)),
    "Sphere": lambda: hs.Sphere(0.1),
    "Ellipsoid": lambda: hs.Ellipsoid((0.1, 0.2, 0.3)),
    "Hull": lambda: hs.Hull([(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0, 0, 0.1), (0.2, 0.2, 0.2)]),
    "Cylinder": lambda: hs.Cylinder(0.1, 0.3),
    "Capsule": lambda: hs.Capsule(0.1, 0.3),
    "Segment": lambda: hs.Segment(0.3),
    "Plane": lambda: hs.Plane(normal="x"),
    "Heightfield": lambda: hs.Heightfield([[0.0, 0.1, 0.0, 0.1]] * 4, (-1, -1), (1, 1)),
    "Outline": lambda: hs.Outline([(0, 0), (0.2, 0, 0.02), (0, 0.1)], 0.02),
    "TriangleMesh": lambda: hs.TriangleMesh(
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    ),
}
FACTS = {
    "Spring": lambda: hs.Spring("f", "a.end", "c", stiffness=5.0),
    "Link": lambda: hs.Link("f", "a.end", "c", lambda length, rate: length),
    "Distance": lambda: hs.Distance("f", "b.end", "c", length=0.8),
    "JointSpring": lambda: hs.JointSpring("f", "k", stiffness=1.0),
    "JointForce": lambda: hs.JointForce("f", "k", lambda q, v: -q),
    "Controller": lambda: hs.Controller("f", lambda s: {"k": -s["k"]}, rate=100.0, efforts=("k",)),
    "Drive": lambda: hs.Drive("f", "j", position="sin(t)"),
    "Stop": lambda: hs.Stop("f", "s", stiffness=1e3),
    "Bushing": lambda: hs.Bushing("f", "b.end", "c", stiffness=(1, 1, 1, 9, 9, 9)),
    "Tendon": lambda: hs.Tendon("f", {"j": 0.1, "k": -0.1}, stiffness=10.0),
    "Gear": lambda: hs.Gear("f", "j", "k", ratio=-2.0),
    "Rolling": lambda: hs.Rolling("f", "c.tip", hs.WORLD.at(0, 0, -0.7), radius=0.2),
    "Pinned": lambda: hs.Pinned("f", "b.end"),
    "Hinged": lambda: hs.Hinged("f", "b.end"),
    "KnifeEdge": lambda: hs.KnifeEdge("f", "b.end"),
    "NoSpin": lambda: hs.NoSpin("f", "b.end"),
    "OnSurface": lambda: hs.OnSurface("f", "b.end", hs.WORLD, lambda x, y, z: z),
    "OnCurve": lambda: hs.OnCurve("f", "b.end", hs.WORLD, lambda x, y, z: (z, y)),
    "Contact": lambda: hs.Contact("f", "b.end", (hs.WORLD, hs.Plane(normal="x"))),
}
HIDDEN = {
    "Friction": lambda: hs.Friction("f", "k", coulomb=0.1),
    "Wrench": lambda: hs.Wrench("f", "b.end", force=(1, 0, 0)),
    "Constraint": lambda: hs.Constraint("f", lambda s: s["j"] - s["k"]),
    "Sensor": lambda: hs.Sensor("f", "pose", "b.end"),
    "Speed": lambda: hs.Speed("f", {"j.v": 1.0, "k.v": 1.0}),
}


def concrete(base):
    """The names of the public classes below one that models are written with."""
    names, left = set(), [base]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if getattr(hs, kind.__name__, None) is kind:
            names.add(kind.__name__)
    return names


def content(model):
    table = drawing(model)
    bodies = {body["name"]: body["shapes"] for body in (table["world"], *table["bodies"])}
    return json.dumps([bodies, table["connections"], table["floor"]], allow_nan=False)


def test_the_lists_are_those_of_the_code():
    for name in hs.__all__:
        getattr(hs, name)  # so that all classes are there
    facts = concrete(Fact) - {"Joint", "Body"}
    assert facts == {*JOINTS, *FACTS, *UNSEEN}
    assert concrete(Shape) == {*SHAPES, "Mesh"}  # meshes in files: test_meshes.py, test_mjcf_meshes.py
    assert {"Contact", "Drive", "Sensor"} <= facts
    assert all(issubclass(kind, Fact) for kind in (Body, Contact, Drive, Sensor))


@pytest.mark.parametrize("name", sorted(JOINTS))
def test_joints_are_drawn(name):
    held, free = jointed(JOINTS[name])
    assert content(held) != content(free)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_shapes_are_drawn(name):
    assert content(shaped(SHAPES[name]())[0]) != content(shaped(SHAPES[name]())[1])


@pytest.mark.parametrize("axis", ["y", "x"])  # a planar and a spatial model
@pytest.mark.parametrize("name", sorted(FACTS))
def test_facts_are_drawn_in_planar_and_spatial_models(name, axis):
    assert content(chain(FACTS[name](), axis=axis)) != content(chain(axis=axis))


@pytest.mark.parametrize("name", sorted(HIDDEN))
def test_facts_that_are_not_seen_change_nothing(name):
    assert content(chain(HIDDEN[name]())) == content(chain())


@pytest.mark.parametrize("name", ["Box", "Sphere", "Capsule", "Segment"])
def test_shapes_that_only_a_contact_has_are_drawn(name):
    shape = SHAPES[name]()
    model = chain(hs.Contact("touch", ("c", shape), (hs.WORLD.at(0, 0, -1), hs.Plane())))
    plain = chain(hs.Contact("touch", "c", (hs.WORLD.at(0, 0, -1), hs.Plane())))
    assert content(model) != content(plain)


def test_python_and_the_page_know_the_same_shapes():
    data = (Path(page.__file__).parent / "web" / "src" / "scene" / "data.ts").read_text(encoding="utf-8")
    shapes = data[data.index("export type Shape") : data.index("export interface Body")]
    named = {
        k: {n for n in re.findall(r"(\w+):", f)} for k, f in re.findall(r'kind: "(\w+)";? ?([^}]*)', shapes)
    }
    assert named == {kind: {*fields} for kind, fields in SHAPES_OF_PAGES.items()}
    for name in FACTS:
        model = chain(FACTS[name]())
        checked_drawing(drawing(model), list(model.bodies))


def test_a_cord_runs_on_its_pulleys_and_moves_with_its_part():
    """The ends of the cord between two pins of one link lie a lever arm beside them, on the rims."""
    table = drawing(chain(hs.Tendon("f", {"j": 0.1, "k": 0.1}, stiffness=10.0)))
    (cord,) = table["connections"]
    assert cord["kind"] == "cord" and {end["body"] for end in cord["ends"]} == {0}
    one, two = (np.array(end["at"]) for end in cord["ends"])
    np.testing.assert_allclose(np.linalg.norm(one[[0, 2]]), 0.1, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm((two - one)[[0, 2]]), 0.5, atol=1e-12)
    radii = [s["radius"] for b in table["bodies"] for s in b["shapes"] if s["kind"] == "pulley"]
    assert radii == [0.1, 0.1]
