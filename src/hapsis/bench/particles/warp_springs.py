"""Springs and particles as kernels of Warp."""

from typing import Any


class WarpSprings:
    """The kernels for one kind of numbers, "float32" or "float64"."""

    def __init__(self, wp: Any, kind: str) -> None:
        wp.config.quiet = True
        wp.init()
        self.wp = wp
        self.number = number = getattr(wp, kind)
        self.vector = vector = wp.vec3d if kind == "float64" else wp.vec3f

        def press(x: Any, ends: Any, rest: Any, stiffness: Any, force: Any) -> None:
            k = wp.tid()
            a = ends[k, 0]
            b = ends[k, 1]
            way = x[a] - x[b]
            size = wp.length(way)
            pull = way * (stiffness * (size - rest[k]) / size)
            wp.atomic_sub(force, a, pull)
            wp.atomic_add(force, b, pull)

        def move(x: Any, v: Any, force: Any, h: Any, ease: Any) -> None:
            i = wp.tid()
            v[i] = v[i] + force[i] * (h * ease)
            x[i] = x[i] + v[i] * h
            force[i] = force[i] * number(0.0)

        points, numbers = wp.array(dtype=vector), wp.array(dtype=number)
        ends = wp.array(dtype=wp.int32, ndim=2)
        # Warp reads the types of arguments here
        press.__annotations__ = {
            "x": points,
            "ends": ends,
            "rest": numbers,
            "stiffness": number,
            "force": points,
        }
        move.__annotations__ = {"x": points, "v": points, "force": points, "h": number, "ease": number}
        self.press, self.move = (wp.Kernel(f, key=f"{f.__name__}_{kind}") for f in (press, move))

    def state(self, lattice: Any, stiffness: float) -> dict[str, Any]:
        """The arrays of a lattice at its start."""
        wp = self.wp

        def array(values: Any, dtype: Any) -> Any:
            return wp.array(values, dtype=dtype, device="cpu")

        return {
            "x": array(lattice.x, self.vector),
            "v": array(lattice.v, self.vector),
            "force": wp.zeros(len(lattice.x), dtype=self.vector, device="cpu"),
            "ends": array(lattice.ends.astype("int32"), wp.int32),
            "rest": array(lattice.rest, self.number),
            "stiffness": self.number(stiffness),
        }

    def advance(self, state: dict[str, Any], step: float, count: int, mass: float) -> None:
        """So many steps; launches are recorded, so that their arguments are packed once."""
        wp, s = self.wp, state
        h, ease = self.number(step), self.number(1.0 / mass)
        if "launches" not in s:
            inputs = [s["x"], s["ends"], s["rest"], s["stiffness"], s["force"]]
            pull = wp.launch(self.press, dim=len(s["rest"]), inputs=inputs, device="cpu", record_cmd=True)
            inputs = [s["x"], s["v"], s["force"], h, ease]
            go = wp.launch(self.move, dim=len(s["x"]), inputs=inputs, device="cpu", record_cmd=True)
            s["launches"] = (pull, go)
        for _ in range(count):
            for launch in s["launches"]:
                launch.launch()
