"""Uneven ground: a surface z = height(x, y), by a function or by a grid of heights."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.mechanics.model.values.values import length

SEEN = 3.0  # m around the origin that are drawn of a height given as a function
FEWEST = 4  # heights along each side of a grid, as cubic interpolation needs

AsHeight = Annotated[Any, "a function of x and y, or rows of numbers"]
AsTwo = Annotated[Any, "two numbers"]
Surface = Callable[[Any, Any], tuple[Any, Any, Any]]


@verb
@frozen
class Heightfield(Shape, type_name="heightfield", needed=("step",)):
    """Ground that is solid below z = height(x, y) in its frame.

        height  a function of x and y, written with hs.sin, hs.where, ...; or a grid of heights,
                height[i][j] at x = start[0] + i step[0], y = start[1] + j step[1]
        start   (x, y) of height[0][0], m
        step    (along x, along y), m

    A grid is interpolated by cubics with continuous derivatives.
    """

    height: AsHeight
    start: AsTwo = None
    step: AsTwo = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.height):
            if self.start is not None or self.step is not None:
                raise self.wrong("a height that is a function has no start and no step")
            return
        self._set(height=self._grid())
        start = (0.0, 0.0) if self.start is None else self._pair("start")
        self._set(start=start)
        self._set(step=self._pair("step"))
        if not min(self.step) > 0.0:
            raise self.wrong(f"step must be positive, not {min(self.step):g}")

    def _grid(self) -> tuple[tuple[float, ...], ...]:
        heights = float_array(self.height)
        if heights is None:
            raise self.wrong(f"height must be a function of x and y or a grid, not {described(self.height)}")
        if heights.ndim != 2 or min(heights.shape) < FEWEST:
            raise self.wrong(f"height must be a grid of at least {FEWEST} by {FEWEST} numbers")
        if not np.isfinite(heights).all():
            raise self.wrong("every height must be finite")
        return tuple(tuple(float(z) + 0.0 for z in row) for row in heights)  # no -0.0

    def _pair(self, name: str) -> tuple[float, float]:
        pair = getattr(self, name)
        count = length(pair)
        if count != 2 or not all(isinstance(x, int | float) and np.isfinite(x) for x in pair):
            raise self.wrong(f"{name} must be two numbers, along x and y, not {described(pair)}")
        return float(pair[0]), float(pair[1])

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"height": (NUMBER, NUMBER)}

    @cached_property
    def surface_function(self) -> Function:
        """(x, y) -> height and its two slopes."""
        height = self.height if callable(self.height) else self._interpolated()
        x, y = symbol("x"), symbol("y")
        z = call_user(height, f"{self.label}: height", x, y)
        flat = Function("height", {"x": x, "y": y}, {"z": z})
        slopes = [flat.jacobian("z", name)(x, y) for name in ("x", "y")]
        return Function("surface", {"x": x, "y": y}, {"z": z, "zx": slopes[0], "zy": slopes[1]})

    def _interpolated(self) -> Any:
        from hapsis.compiler.ir.functions.tables import interpolated

        return interpolated(np.array(self.height), self.start, self.step, kind="cubic")

    def surface(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        """The height and its slopes along x and y, of numbers or expressions."""
        z, zx, zy = self.surface_function(x, y)
        if isinstance(x, Expr) or isinstance(y, Expr):
            return z, zx, zy
        return float(z), float(zx), float(zy)

    @property
    def grid(self) -> dict[str, Any]:
        """x, y and the heights there, for drawing; of a function, on a grid around the origin."""
        if callable(self.height):
            x = y = np.linspace(-SEEN, SEEN, 61)
            heights = [[self._number(a, b) for b in y] for a in x]
        else:
            heights = np.array(self.height)
            sides = zip(self.start, self.step, heights.shape, strict=True)
            x, y = (start + step * np.arange(count) for start, step, count in sides)
        return {"x": list(map(float, x)), "y": list(map(float, y)), "heights": np.array(heights)}

    def _number(self, x: float, y: float) -> float:
        z = self.surface(float(x), float(y))[0]
        return z if np.isfinite(z) else 0.0
