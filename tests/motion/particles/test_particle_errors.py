"""Bad input of objects of particles: one line that says what, where, and what to do."""

import numpy as np
import pytest

import hapsis as hs

P = hs.particles
BOX = hs.Box((1, 1, 1))
MODEL = hs.Model(hs.Body("b", mass=1.0), hs.Free("f", hs.WORLD, "b"))
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def two_tetrahedra(shift):
    """Two closed surfaces in one mesh, which cut each other where the shift is small."""
    x = np.array(CORNERS, float)
    faces = FACES + [tuple(k + 4 for k in f) for f in FACES]
    return hs.TriangleMesh(np.vstack([x, x + shift]).tolist(), faces)


CUBE = np.array([(k >> 2 & 1, k >> 1 & 1, k & 1) for k in range(8)], float)
SIDES = hs.Hull(CUBE.tolist()).hull.triangles


def cubes(shift, hollow, size=1.0):
    """A cube, and another one of a size in it or across it; the inner one of a hollow cube looks inwards."""
    inner = np.array(SIDES)[:, ::-1] if hollow else np.array(SIDES)
    return P.solid(
        "a",
        hs.TriangleMesh(np.vstack([CUBE, size * CUBE + shift]).tolist(), [*SIDES, *(inner + 8).tolist()]),
        density=1000,
        stiffness=1,
        cells=8,
    )


def pulled_corner():
    """A cube one corner of which goes through the opposite one."""
    points = np.where((CUBE == 1.0).all(axis=1)[:, None], -0.5, CUBE)
    faces = [(0, 2, 6, 4), (0, 4, 5, 1), (4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (1, 5, 7, 3)]
    halves = [t for a, b, c, d in faces for t in ([(a, b, d), (b, c, d)])]
    return mesh(points.tolist(), halves)


def mesh(vertices, triangles):
    return P.solid("a", hs.TriangleMesh(vertices, triangles), mass=1, stiffness=1)


def flat(corners):
    return P.polygon("a", corners, mass=1, stiffness=1, torsion=1)


def slide():
    """A slider at the end of its rail."""
    a, b = (P.solid(name, BOX, mass=1, stiffness=1) for name in "ab")
    return P.Scene(a, b.at(1, 0, 0), P.prismatic("slide", [("a.0", "a.4")], ["b.0"], stiffness=1))


def tets(more, cells):
    """Tetrahedra with corners of a tetrahedron and more."""
    return P.tetrahedra("t", [*CORNERS, *more], cells, mass=1, stiffness=1)


def cube():
    return P.solid("cube", BOX, mass=1, stiffness=1)


def part(**tables):
    return P.ParticleObject("part", CORNERS, np.ones(4), **tables)


def together():
    """A spring without a direction."""
    spring = P.Connectors.of([(0, 1)], 1.0, 1.0)
    return P.ParticleObject("a", [(0, 0, 1), (0, 0, 1)], np.ones(2), spring)


def carried(other, hold=False):
    """A particle that is anchored, and more."""
    thing = cube().holding(0) if hold else cube()
    return P.Scene(MODEL, thing, P.Anchor("cube", [0, 1], "b"), other)


def sticking():
    swing = hs.Revolute("swing", hs.WORLD, "b", "y", friction=0.5)
    return P.Scene(hs.Model(hs.Body("b", mass=1.0, com=(0, 0, -1)), swing), cube().holding(0))


def hinge(gap):
    """Two boxes whose hinge has particles that are apart."""
    a, b = (P.solid(name, BOX, mass=1, stiffness=1) for name in "ab")
    return P.Scene(a, b.at(1 + gap, 0, 0), P.revolute("h", ("a.4", "b.0"), ("a.6", "b.2"), stiffness=1))


def chain():
    """Two springs in a row, whose angle nothing holds."""
    springs = P.Connectors.of([(0, 1), (1, 2)], 1.0, 100.0)
    return P.ParticleObject("chain", [(0, 0, 0), (1, 0, 0), (1, 1, 0)], np.ones(3), springs)


def folded():
    """An angle whose arm has no length."""
    springs = P.Connectors.of([(0, 1, 2)], 1.0, 1.0, width=3)
    return P.Scene(P.ParticleObject("a", [(0, 0, 1), (1, 0, 1), (1, 0, 1)], np.ones(3), torsions=springs))


CASES = [
    (lambda: P.solid("a", BOX, mass=0, stiffness=1), "mass is 0; expected a positive number"),
    (lambda: P.solid("a", BOX, mass=-1, stiffness=1), "mass is -1; expected a positive number"),
    (lambda: P.solid("a", BOX, density=float("nan"), stiffness=1), "density"),
    (lambda: P.solid("a", BOX, stiffness=1), "neither mass nor density"),
    (lambda: P.solid("a", BOX, mass=1, density=1, stiffness=1), "mass and density"),
    (lambda: P.solid("a", BOX, mass=1), "neither stiffness nor material"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, material="steel"), "stiffness and material"),
    (lambda: P.solid("a", BOX, material="stell"), 'did you mean "steel"'),
    (lambda: P.solid("a", BOX, material=3.0), "material must be a Material or its name"),
    (lambda: P.solid("a", BOX, material="steel", damping=3.0), "damping and torsion are those of springs"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=-1), "stiffness is -1; expected a positive number"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, damping=-1), "damping is -1"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, cells=0), "cells is"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, cells=10**6), "cells is"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, cells=(1, 2)), "expected a whole number, or three"),
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, particles=10), "9, 13 or 39"),
    (lambda: P.solid("a", hs.Box((1, 0, 1)), mass=1, stiffness=1), "so it has no volume"),
    (lambda: P.solid("a", hs.Plane(), mass=1, stiffness=1), "no solid is"),
    (lambda: P.solid("a", "box", mass=1, stiffness=1), "no solid is"),
    (lambda: P.solid("a", hs.Cylinder(1, 1), mass=1, stiffness=1, cells=1), "cannot have its inertia"),
    (lambda: P.solid("a", hs.Sphere(1), mass=1, stiffness=1, cells=1, particles=39), "would have the mass -"),
    (lambda: mesh(CORNERS, FACES[:3]), "its surface is open"),
    (lambda: P.solid("a", two_tetrahedra(0.2), mass=1, stiffness=1), "its surface cuts itself near"),
    (lambda: mesh(CORNERS, [*FACES, FACES[0]]), "same way along"),
    (lambda: mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], FACES), "encloses the volume"),
    (lambda: P.solid("a", two_tetrahedra(5.0), mass=1, stiffness=1, cells=6), "2 parts that are apart"),
    (lambda: cubes(0.5, False), "its surface cuts itself, or goes twice around"),
    (lambda: cubes(0.25, False, 0.5), "its surface cuts itself, or goes twice around"),
    (lambda: pulled_corner(), "its surface cuts itself"),
    (lambda: flat([(0, 0), (1, 0), (2, 0), (1, 1)]), "corner 1 is on the line of its neighbours"),
    (lambda: flat([(0, 0), (1, 0), (0, 1), (0, 0)]), "corners 3 and 0 are in one place; leave one out"),
    (lambda: flat([(0, 0), (1, 0)]), "three or more rows"),
    (lambda: flat([(0, 0), (1, 0), (2, 0)]), "enclose no area"),
    (lambda: flat([(0, 0), (2, 0), (2, 2), (1.9, 0.1)]), "cannot be seen"),
    (
        lambda: P.polygon(
            "a", [(0, 0, 0), (1, 0, 0), (1, 1, 0.5), (0, 1, 0)], mass=1, stiffness=1, torsion=1
        ),
        "not in one plane",
    ),
    (
        lambda: P.sweep("a", [(0, 0), (1, 0), (0, 1)], CORNERS, mass=1, stiffness=1),
        "not in one plane|corners",
    ),
    (lambda: P.polyhedron("a", CORNERS, [(0, "x", 1)], mass=1, stiffness=1), "rows of numbers of points"),
    (
        lambda: P.tetrahedra("t", CORNERS, [(0, 1, 2, 9)], mass=1, stiffness=1),
        "a point that is not there, of 4",
    ),
    (lambda: P.tetrahedra("t", CORNERS, [(0, 1, 2)], mass=1, stiffness=1), "expected rows of four numbers"),
    (lambda: P.tetrahedra("t", "x", [(0, 1, 2, 3)], mass=1, stiffness=1), 'points are "x"'),
    (lambda: P.tetrahedra("t", CORNERS, [(0, 1, 2, 2)], mass=1, stiffness=1), "cell 0 has the volume 0 m³"),
    (lambda: P.tetrahedra("t", CORNERS, [(0, 1, 2, 3)] * 3, mass=1, stiffness=1), "3 cells have one face"),
    (lambda: P.tetrahedra("t", CORNERS, [(0, 1, 2, 3)], stiffness=1), "neither mass nor density"),
    (lambda: tets([(0.1, 0.1, 1.2)], [(0, 1, 2, 3), (2, 1, 0, 4)]), "cells 0 and 1 lie on one side of"),
    (lambda: tets([*CORNERS[:3], (0, 0, -1)], [(0, 1, 2, 3), (4, 5, 6, 7)]), "in 2 parts that share no"),
    (lambda: tets([(0.2, 0.2, 2), (1, 1, -3), (-1, 1, 1)], [(0, 1, 2, 3), (3, 4, 5, 6)]), "cuts itself"),
    (lambda: P.Material(-1.0), "E is -1; expected a positive number"),
    (lambda: P.Material(1.0, 0.5), "poisson is 0.5; expected a number above -1 and below 0.5"),
    (lambda: P.Material(1.0, damping=-1.0), "damping is -1; expected 0 or more"),
    (lambda: P.ParticleObject("a", [(0, 0, 0)], [-1.0]), "particle 0 has the mass -1 kg"),
    (lambda: P.rest(P.Scene(P.solid("a", BOX, mass=1, stiffness=1))), "no step|not at rest"),
    (
        lambda: P.rest(P.Scene(P.solid("a", BOX, mass=1, stiffness=1)), {"b.1": (0, 0, 1)}),
        'no particle "b.1"',
    ),
    (
        lambda: P.Scene(cube(), P.Touch(1e6), P.Touch(1e7)),
        '"touch" and "touch 2" are both between all objects',
    ),
    (lambda: P.Scene(cube(), P.Touch(1e6, between=("cube", "cube"))), "and itself; give self_contact=True"),
    (lambda: P.rest("scene"), "rest takes a Scene"),
    (lambda: P.rest(P.Scene(cube(), P.Touch(1e6))), 'rest knows no Touch, "touch"; use hs.particles.settle'),
    (lambda: P.rest(P.Scene(cube(), P.Floor(bedding=1e6))), "rest knows no Floor with a bedding"),
    (lambda: P.rest(P.Scene(MODEL, P.solid("a", BOX, mass=1, stiffness=1))), "scenes without a Model"),
    (lambda: P.revolute("h", ("a.1",), ("a.1", "b.1"), stiffness=1), "expected two particles"),
    (lambda: P.revolute("h", ("a.1", "b.1"), ("a.2", "b.2"), stiffness=1, spring=1.0), "needs arms"),
    (lambda: P.prismatic("h", None, None, stiffness=1), "a rail for each slider"),
    (lambda: P.free_motions(None), "an object of particles has free motions"),
    (lambda: P.sweep("a", CORNERS[:3], CORNERS[:3], mass=1, stiffness=1), "volume"),
    (lambda: P.sweep("a", SQUARE, SQUARE, mass=1, stiffness=1), "has the volume 0 m³"),
    (
        lambda: P.sweep("a", SQUARE, [(1, 1, 1), (0, 1, 1), (0, 0, 1), (1, 0, 1)], mass=1, stiffness=1),
        "volume",
    ),
    (lambda: P.prismatic("h", [("a.1", "a.2")], ["b.1", "b.2"], stiffness=1), "a rail for each slider"),
    (lambda: P.revolute("h", ("a.1", "b.1"), ("a.1", "b.1"), stiffness=1), "share a particle"),
    (lambda: hinge(0.3), r'"a.4" and "b.0" are 0.3 m apart'),
    (lambda: cube().holding("x"), 'holding is "x"; expected numbers of particles'),
    (lambda: cube().holding(1.7), "holding is a float"),
    (lambda: cube().holding(True), "holding is True"),
    (lambda: cube().holding(99), "a held particle is not there"),
    (lambda: P.EnergyStep(relative=None), "relative must be a number, not None"),  # pyright: ignore
    (lambda: P.solid("a", BOX, mass=1, stiffness=1, plastic=[]), "plastic must be a number"),  # pyright: ignore
    (lambda: P.ParticleObject("a", CORNERS, np.ones(4), facets=[[0, 1, 1.5]]), "facets must be whole"),
    (lambda: P.ParticleObject("a", CORNERS, np.ones(4), facets=[[0, 1, 1]]), "facet 0 has a corner twice"),
    (lambda: P.ParticleObject("a", CORNERS, ["1"] * 4), "masses must be numbers"),  # pyright: ignore
    (lambda: P.Scene(cube()).particle("cube.\u0661"), "there is no particle"),
    (lambda: P.settle(P.Scene(cube()), most=0), "most is 0; expected a whole number"),
    (lambda: P.settle(P.Scene(cube()), start="x"), 'the start of a search is "x"'),
    (lambda: P.settle(P.Scene(cube()), span=1e308), r"and span 1e\+308 s"),
    (lambda: hs.stepper(P.Scene(cube()), 1e-3)("a", "b", 0.0), 'a state is not "a"'),
    (lambda: hs.stepper(P.Scene(cube()), 1e-3)(t=float("nan")), "a state must be finite"),
    (lambda: P.Connectors.of([0, 1], 1.0, 1.0), "ends of connectors must be rows of 2 numbers"),
    (lambda: P.Connectors.of([(0.5, 1)], 1.0, 1.0), "ends of connectors must be rows of 2 numbers"),
    (lambda: P.Connectors.of([(0, 1)], "x", 1.0), "rest of connectors must be a number, or 1 of them"),
    (lambda: P.Connectors.of([(0, 1)], 1.0, [1.0, 2.0]), "stiffness of connectors must be a number"),
    (lambda: P.Connectors([0, 1], *[[1.0]] * 5), "ends of connectors must be rows of 2, 3 or 4 numbers"),
    (lambda: P.Connectors([(0.5, 1)], *[[1.0]] * 5), "ends of connectors must be rows of 2, 3 or 4"),
    (lambda: P.Connectors([(0, 1)], None, *[[1.0]] * 4), "rest of connectors must be a number, or 1 of them"),
    (lambda: P.Connectors([(0, 1)], [1.0], "x", *[[1.0]] * 3), "stiffness of connectors must be a number"),
    (lambda: part(joints=P.Connectors.of([(0, 1, 2, 3)], 7.0, 1.0, width=4)), "an angle within one turn"),
    (
        lambda: part(torsions=P.Connectors.of([(0, 1, 2)], 1.0, 1.0, plastic=0.1, width=3)),
        "a torsion has no plastic and no breaking",
    ),
    (lambda: P.TorsionSpring("t", 1.0, rest=7.0, first="a.0", center="a.1", second="a.2"), "from 0 to π rad"),
    (lambda: P.LinearSpring("t", 1.0, rest=-1.0, first="a.0", second="a.1"), "rest length of a spring is -1"),
    (lambda: P.Scene(cube(), P.Floor(stiffness=1.0)).switched("floor", False), r'scene.without\("floor"\)'),
    (lambda: P.Scene(cube(), P.Floor(stiffness=1.0)).switched("cube", False), r'scene.without\("cube"\)'),
    (lambda: P.Scene(cube()).switched("hinge", False), 'a scene has no connector "hinge"'),
    (lambda: hs.library.particles.ligament_knee(femur=[1, 2]), "femur must be 3 numbers"),
    (lambda: hs.library.particles.ligament_knee(tibia=None), "tibia must be 3 numbers"),
    (lambda: hs.library.particles.ligament_knee(parts=True), "parts is True; expected a whole number"),
    (lambda: hs.library.particles.three_finger_hand(upright="x"), "upright is 'x'; expected True or False"),
    (lambda: hs.library.particles.three_finger_hand(mass=0), "mass of the ball is 0; expected a positive"),
    (lambda: hs.library.particles.jelly_cube(stuck="x"), "stuck is 'x'; expected True or False"),
    (lambda: part(torsions=P.Connectors.of([(0, 1)], 1.0, 1.0)), "torsions must be Connectors.of rows of 3"),
    (lambda: part(joints=P.Connectors.of([(0, 1, 2, 2)], 1.0, 1.0, width=4)), "a particle with itself"),
    (lambda: part(torsions=P.Connectors.of([(0, 1, 2)], 7.0, 1.0, width=3)), "from 0 to π"),
    (lambda: part(springs=P.Connectors.of([(0, 1)], -1.0, 1.0)), "the rest length of a spring is -1 m"),
    (lambda: hs.simulate(P.Scene(together()), 0.1), '"a.0" and "a.1" are in one place, so that their spring'),
    (lambda: hs.simulate(P.Scene(cube()), 0.1, method="energy", step=0.01), "finds its steps by itself"),
    (lambda: hs.simulate(P.Scene(cube()), 0.1, hs.simulate(P.Scene(cube().named("b")), 0.1)), "objects: b"),
    (
        lambda: hs.simulate(carried(P.Anchor("cube", [0], "b"), hold=True), 0.1),
        '"cube.0" is held, and to "b"',
    ),
    (lambda: hs.simulate(carried(P.Anchor("cube", [0], "world")), 0.1), 'is fixed to "world", and to "b"'),
    (lambda: hs.simulate(sticking(), 0.1), 'dry friction of "swing" sticks'),
    (lambda: P.ligament("l", "x", mass=1, stiffness=1), "needs at least two points"),
    (lambda: P.terrain("t", hs.Heightfield(lambda x, y: 0 * x), x="x", y=[0, 1]), "lines along x must be"),
    (lambda: P.refined("r", BOX, lambda x: None, material="wood", cells=(1, 1, 1)), "the load returns None"),
    (
        lambda: P.refined("r", BOX, lambda x: ([0], "x"), material="wood", cells=(1, 1, 1)),
        'forces of the load are "x"; expected numbers',
    ),
    (lambda: P.attractor(cube(), cube().at(1, 0, 0), stiffness=0), "stiffness of an attractor is 0"),
    (
        lambda: P.attractor(cube(), cube().at(1, 0, 0), stiffness=1, guide=2),
        "guide is given, and path is not",
    ),
    (lambda: P.braced(chain()), 'object "chain" has 1 free motion'),
    (lambda: hs.simulate(slide(), 1.0), r'connector "slide.1": particles "a.4" and "b.0" are in one place'),
    (lambda: hs.stepper(folded(), 1e-3), r'torsion spring: particles "a.2" and "a.1" are in one place'),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_one_clear_line(case):
    call, words = CASES[case]
    with pytest.raises(hs.Error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_numbers_of_held_particles_may_come_in_lists():
    held = cube().holding([0, 1], (2,), np.array([3, 4]), 5).held
    assert held == (0, 1, 2, 3, 4, 5)


def test_floors_and_touches_of_one_name_have_columns_of_their_own():
    floor, law = P.Floor(bedding=1e6, damping=1e3), P.Touch(1e6, name="floor")
    for facts in ((floor, law), (law, floor)):
        result = hs.simulate(P.Scene(cube().at(0, 0, 0.6), *facts), 0.01)
        assert {"floor.force", "floor 2.force"} <= set(result.names)


def test_a_hollow_cube_is_a_solid():
    assert np.isclose(cubes(0.25, True, 0.5).mass, 875.0)


def test_anchors_may_share_particles():
    """The mass of a particle in two lists counts once."""
    runs = [
        hs.simulate(carried(P.Anchor("cube", particles, "b")), 0.2, every=0.1) for particles in ([1, 2], [2])
    ]
    assert np.array_equal(runs[0]["cube.points"], runs[1]["cube.points"])
