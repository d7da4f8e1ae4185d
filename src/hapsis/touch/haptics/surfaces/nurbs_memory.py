"""The memory of a body of NURBS faces, as native code reads it."""

from hapsis.compiler.native import Array, Ints, constant, inside, record, sized

MOST_DEGREE = 25  # that of OpenCASCADE
# numbers of a place on a body: its face, u, v, the boundary segment that it lies on or -1, the square of
# its distance, and whether friction holds it there
FACE, U, V, SEGMENT, SQUARE, HELD = range(6)
PLACE = 6


@record
class Basis:
    """The basis functions of one direction at one parameter that are not zero, with two derivatives."""

    value: Array = sized("26")
    first: Array = sized("26")
    second: Array = sized("26")
    lower: Array = sized("26")  # of one degree less
    lower_first: Array = sized("26")
    lowest: Array = sized("26")  # of two degrees less


@record
class NurbsMemory:
    """Faces, their boundary segments, and what a computation needs meanwhile.

    Arrays of faces have two numbers a face, along u and v. Homogeneous control points (wx, wy, wz, w) of a
    face begin at 4 `first_point`, its knots at `first_knot`. The inside of a face is on the left of its
    segments.
    """

    faces: int = constant()
    points: int = constant()
    knot_count: int = constant()
    segments: int = constant()
    size: float = constant()  # m, the diagonal of the box around all control points
    degree: Ints = sized("2 * faces")
    count: Ints = sized("2 * faces")
    first_point: Ints = sized("faces")
    first_knot: Ints = sized("2 * faces")
    low: Array = sized("2 * faces")
    high: Array = sized("2 * faces")
    closed: Ints = sized("2 * faces")
    net: Array = sized("4 * points")
    knots: Array = sized("knot_count")
    first_segment: Ints = sized("faces + 1")
    ends: Array = sized("4 * segments")  # u, v of the start and of the end
    before: Ints = sized("segments")
    after: Ints = sized("segments")
    pole: Ints = sized("segments")  # whether all of it is one point
    other: Ints = sized("segments")  # the segment of the face that meets it, or -1
    basis_u: Basis = inside()
    basis_v: Basis = inside()
    sums: Array = sized("24")  # homogeneous S, Su, Sv, Suu, Suv, Svv
    s: Array = sized("18")  # the same in space
    n: Array = sized("3")  # the unit normal
    step: Array = sized("3")  # du, dv, and whether the step is Newton's
    path: Array = sized("4")  # where a step ends: u, v, segment or -1, part of it
    old: Array = sized("6")
    trial: Array = sized("6")
    best: Array = sized("6")
    mapped: Array = sized("6")
    spot: Array = sized("3")
