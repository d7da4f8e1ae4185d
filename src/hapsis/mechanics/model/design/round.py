"""Round: what is cylindrical around an anchor of a part, a hole or a shaft."""

from hapsis.compiler.ir.graph.immutable import frozen


@frozen
class Round:
    """A hole or a shaft around the z axis of an anchor, in the middle of it.

    radius     m
    length     m, along z
    hole       whether it is a hole; else a shaft
    shoulders  flat faces across the axis and near it: (z, m; 1.0 where the face looks along +z, else -1.0)
    """

    radius: float
    length: float
    hole: bool
    shoulders: tuple[tuple[float, float], ...] = ()
