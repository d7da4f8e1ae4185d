"""Two boxes: how far they overlap in the direction of least overlap, and where faces lie flat.

The gap is the largest of fifteen distances, along the normals of both boxes' faces and across
pairs of edges: the separating-axis test. It is continuous, has the sign of the exact distance and
inside is the shortest way out. One touch carries it (see `box_gaps`).

Where two faces lie on each other to within a tenth of a radian, eight touches of half the force
support the box (see `box_faces`). They fade in with the angle, and with how clearly this direction
is the one of least overlap; the first touch carries what they leave. Reference: [Ericson] 4.4.1, 5.5.
"""

from hapsis.mechanics.algebra.contact_geometry.box_axes import BoxAxes
from hapsis.mechanics.algebra.contact_geometry.box_faces import supports
from hapsis.mechanics.algebra.contact_geometry.box_gaps import least_overlap
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Solid, Touch, rest
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import add, sub


def box_box(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Eight touches of faces, then the one in the direction of least overlap."""
    R = product(transposed(second.R), first.R)
    d = Matrix(second.R).down(sub(first.p, second.p))
    boxes = BoxAxes(R, d, *([0.5 * x for x in s.size] for s in (first, second)))
    least = least_overlap(boxes, places)
    touches = supports(boxes, places, least.gap)
    touches = [*touches, rest(least, touches)]
    return [
        t._replace(normal=second.outwards(t.normal), point=add(second.p, second.outwards(t.point)))
        for t in touches
    ]
