"""Record classes and native functions that the tests of records share."""

import numpy as np

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    Kernels,
    at,
    constant,
    inside,
    later,
    native,
    place,
    record,
    sized,
)


@record
class Ring:
    """Rows of the last samples."""

    rows: int
    width: int
    next: int
    values: Array = sized("rows * width")


@record
class Motion:
    """A motion by steps."""

    size: int
    stages: int = constant(2)
    count: int
    t: float = 0.25
    adaptive: bool
    y: Array = sized("size")
    marks: Ints = sized("size + 1")
    samples: Array = later()
    f: Kernel = later()
    ring: Ring = inside(rows=3, width="size + 1")


@record
class StagedMotion(Motion):
    """A motion with stages."""

    order: int
    slopes: Array = sized("stages * size")


@record
class Filters:
    """Steps that are applied one after the other."""

    count: int
    steps: Kernels
    x: Array = sized("2")


@native
def store(ring: Ring, t: float, y: Array) -> None:
    row = at(ring.values, ring.next * ring.width)
    row[0] = t
    for j in range(ring.width - 1):
        row[j + 1] = y[j]
    ring.next = (ring.next + 1) % ring.rows


@native
def advance(run: Motion, h: float, most: int) -> int:
    y = run.y
    for i in range(most):
        for j in range(run.size):
            y[j] += h * run.t
            run.marks[j] += i
        run.t += h
        run.count += 1
        run.adaptive = run.adaptive != (run.t > 1.0)
        if run.adaptive and run.size > 0:
            run.marks[run.size] -= run.count
        store(run.ring, run.t, run.y)
    return run.count // (run.count - most)


@native
def staged(run: StagedMotion, h: float) -> float:
    k = at(run.slopes, run.size)
    for j in range(run.size):
        run.f(place(run, "t"), run.y, run.slopes)
        k[j] = run.slopes[j] * h
    run.order, run.t = run.order + advance(run, h, 3), run.t / 0.0
    ring = run.ring
    return ring.values[1] + k[0] if run.size > 0 else run.t


@native
def filtered(chain: Filters, y: Array) -> None:
    for i in range(chain.count):
        chain.steps[i](chain.x, y)
        chain.x[0], chain.x[1] = y[0], y[1]


@native
def twice(x: Array, y: Array) -> None:
    for j in range(2):
        y[j] = 2.0 * x[j]


@native
def slope(t: Array, y: Array, dy: Array, gain: Array) -> None:
    dy[0] = gain[0] * y[0] + t[0]


def motion(size: int = 2, **more) -> StagedMotion:
    f = slope.bound(("t", "y", "dy"), gain=np.array([0.5]))
    values = np.linspace(1.0, 2.0, size)
    return StagedMotion(size=size, adaptive=True, y=values, f=f, **more)
