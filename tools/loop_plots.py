"""Draws the pictures of docs/closing_loops.md anew, and prints the numbers of its tables.

python tools/loop_plots.py

Newton's steps, least squares and the simplex close the same loops; a test compares the pictures.
"""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("loops")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.motion.analysis.assembly.assemble import Problem  # noqa: E402
from hapsis.motion.analysis.assembly.loop_closers import Closer  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

METHODS = ("newton", "least squares", "simplex")


def swing(model: hs.Model, until: float, poses: int) -> tuple[Any, Any]:
    """Times and all coordinates while the mechanism moves by itself: Kutta's steps."""
    f, state = hs.compile(hs.reduced_dynamics(model)), hs.assemble(model)
    q, v, still = state.q, state.v, np.zeros(len(state.v))
    t = np.linspace(0.0, until, poses)
    h, path = t[1], [state.q]

    def slope(q: Any, v: Any) -> tuple[Any, Any]:
        at = f(q, v, still)
        return at.v, at.a

    for _ in t[1:]:
        k1 = slope(q, v)
        k2 = slope(q + h / 2 * k1[0], v + h / 2 * k1[1])
        k3 = slope(q + h / 2 * k2[0], v + h / 2 * k2[1])
        k4 = slope(q + h * k3[0], v + h * k3[1])
        q, v = (
            x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((q, v), k1, k2, k3, k4, strict=True)
        )
        path.append(f(q, v, still).q)
    return t, np.array(path)


def followed(model: hs.Model, path: Any, method: str) -> tuple[Any, float]:
    """The poses with the independent coordinates of the path, each from the one before; seconds."""
    problem = Problem(model, None, method)
    lead = [model.coordinates.index(name) for name in model.independent]
    q, poses, begin = path[0], [], time.perf_counter()
    for pose in path:
        q = q.copy()
        q[lead] = pose[lead]
        end = problem.closer.run(method, q)
        assert end.done, f"{method} does not close the loops"
        q = end.q
        poses.append(q)
    return np.array(poses), time.perf_counter() - begin


def history(model: hs.Model, method: str) -> list[float]:
    """The least |h| so far, each time that the rows are asked for."""
    norms: list[float] = []

    class Recorded(Closer):
        def rows(self, q: Any) -> Any:
            h = super().rows(q)
            norms.append(float(np.linalg.norm(h)))
            return h

    problem = Problem(model, None, method)
    Recorded(problem.loops, problem.held).run(method, problem.start)
    return list(np.minimum.accumulate(norms))


@PICTURES.add
def three_bar() -> Plot:
    """The dependent coordinates of a swing, by two methods."""
    model = hs.library.three_bar()
    t, path = swing(model, 2.0, 101)
    table: dict[str, Any] = {}
    for method in ("newton", "simplex"):
        q, _ = followed(model, path, method)
        table |= {f"{n}, {method}": q[:, model.coordinates.index(n)] for n in ("q2", "q3")}
    return curves(t, table, "time, s", "angle, rad")


@PICTURES.add
def closing() -> Plot:
    """What is left of the gap while each method closes the redundant four-bar."""
    model = hs.library.redundant_four_bar()
    histories = {name: history(model, name) for name in METHODS}
    # what is below the precision of interest is rounding
    histories = {name: [x for x in gaps if x > 1e-9] for name, gaps in histories.items()}
    x = {name: np.arange(1, 1 + len(gaps)) for name, gaps in histories.items()}
    return curves(x, histories, "times the rows are asked for", "gap, m", logarithmic="xy")


def compared(name: str, until: float, poses: int) -> None:
    """Prints how far the methods are apart, and what they take."""
    model = getattr(hs.library, name)()
    _, path = swing(model, until, poses)
    runs = {method: followed(model, path, method) for method in METHODS}
    for method, (q, seconds) in runs.items():
        apart = float(np.abs(q - runs["newton"][0]).max())
        print(f"{name}: {method}: {apart:.1e} apart, {1e6 * seconds / poses:.0f} us per pose")
    f, still = hs.compile(hs.reduced_dynamics(model)), np.zeros(len(model.speeds))
    lead = [model.coordinates.index(n) for n in model.independent]
    q, begin = path[0], time.perf_counter()
    for pose in path:
        q = q.copy()
        q[lead] = pose[lead]
        q = f(q, still, still).q
    print(f"{name}: compiled: {1e6 * (time.perf_counter() - begin) / poses:.0f} us per pose")


def main() -> None:
    """Writes every picture and prints the comparison."""
    PICTURES.write()
    compared("three_bar", 2.0, 200)
    compared("five_link_suspension", 1.0, 200)
    for name in ("redundant_four_bar", "agile_eye"):
        for method in METHODS:
            try:
                report = hs.assemble(getattr(hs.library, name)(), method=method).report
                print(f"{name}: {method}: closed to {report.gap:.1e}")
            except hs.SolveError as error:
                print(f"{name}: {method}: {error}")


if __name__ == "__main__":
    main()
