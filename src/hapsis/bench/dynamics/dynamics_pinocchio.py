"""Pinocchio, the C++ library: timed by a driver compiled from its wheel's headers.

The driver gets joints, placements and inertias as its own Python reader sees them, so that no
compiled part of the wheel, built for any processor, slows it down. Where a quantity has variants
(mass matrix and forward dynamics, in local or world frames) the faster counts. Without g++ or
headers the Python binding is timed instead, and the notes say so.

Its results, in our order, are what every contender is compared with.
"""

import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.rivals import Driver, Missing, built, driver_source, rival
from hapsis.bench.robots import Robot, States
from hapsis.bench.stopwatch import seconds

VARIANTS = {
    "inverse": ("rnea",),
    "mass": ("crba_local", "crba_world"),
    "forward": ("aba_local", "aba_world"),
    "inverse_derivatives": ("rnea_derivatives",),
    "forward_derivatives": ("aba_derivatives",),
}
FLAGS = (  # the definitions are those of Pinocchio's own build
    *("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-w"),
    *("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30"),
    *("-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"),
)
KINDS = ("RX", "RY", "RZ", "PX", "PY", "PZ")
LONG_COMPILE = 900.0  # seconds, once


def loaded(robot: Robot) -> Any:
    """Pinocchio's model of the robot's file."""
    pin = rival("pinocchio")
    model = pin.Model()
    if robot.free:
        return pin.buildModelFromUrdf(str(robot.path), pin.JointModelFreeFlyer(), model)
    return pin.buildModelFromUrdf(str(robot.path), model)


def order(robot: Robot, model: Any) -> tuple[Any, Any]:
    """Where our coordinates and our speeds are in Pinocchio's: two arrays of indices."""
    ids = [model.getJointId(name) for name in robot.joints]
    q = [model.joints[k].idx_q for k in ids]
    v = [model.joints[k].idx_v for k in ids]
    if robot.free:  # x y z qx qy qz qw and linear speeds first, against qw first and angular first
        q, v = [0, 1, 2, 6, 3, 4, 5, *q], [3, 4, 5, 0, 1, 2, *v]
    return np.array(q), np.array(v)


def arranged(robot: Robot, model: Any, states: States) -> tuple[Any, Any, Any]:
    """q, v and a (or efforts) of all states as Pinocchio wants them."""
    base = robot.free
    ours = (
        np.hstack([states.pose, states.q]) if base else states.q,
        np.hstack([states.twist, states.v]) if base else states.v,
        np.hstack([states.push, states.a]) if base else states.a,
    )
    places = order(robot, model)
    theirs = [np.empty_like(x) for x in ours]
    for x, y, place in zip(ours, theirs, (places[0], places[1], places[1]), strict=True):
        y[:, place] = x
    return theirs[0], theirs[1], theirs[2]


def described(model: Any) -> str:
    """The model as the driver reads it."""
    lines = [str(model.njoints - 1)]
    for k in range(1, model.njoints):
        kind, axis = kind_of(model.joints[k])
        place, body = model.jointPlacements[k], model.inertias[k]
        I = body.inertia
        numbers = (
            *axis,
            *place.rotation.ravel(),
            *place.translation,
            body.mass,
            *body.lever,
            *(I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]),
        )
        text = " ".join(repr(float(x)) for x in numbers)
        lines.append(f"{model.parents[k]} {kind} {text}")
    return "\n".join(lines) + "\n"


def kind_of(joint: Any) -> tuple[str, tuple[float, ...]]:
    """A joint's kind, two letters, and its axis."""
    name = joint.shortname().removeprefix("JointModel")
    if name in KINDS:
        return name, tuple(float(name[1] == axis) for axis in "XYZ")
    if name == "FreeFlyer":
        return "FF", (0.0, 0.0, 0.0)
    if name in ("RevoluteUnaligned", "PrismaticUnaligned"):
        return name[0] + "U", tuple(joint.extract().axis)
    raise Missing(f"a joint of kind {name} is not timed")


def driver(file: str = "pinocchio_functions.cpp") -> Path:
    """The compiled driver of a source file."""
    includes = [path for path in (_eigen(), _headers()) if path is not None]
    if len(includes) < 2:
        raise Missing("the headers of Pinocchio or Eigen are not installed")
    flags = [*FLAGS, *(f"-I{path}" for path in includes)]
    source, version = driver_source(file), importlib.metadata.version("pin")
    facts = [source, version.encode()]
    return built(Path(file).stem, ["g++", *flags], lambda: source, facts, LONG_COMPILE)


def _headers() -> Path | None:
    return _folder_of("libpinocchio", "pinocchio/fwd.hpp") or _folder_of("pin", "pinocchio/fwd.hpp")


def _eigen() -> Path | None:
    """Eigen: its own wheel, the copy that CasADi brings, or the system's."""
    for package in ("cmeel-eigen", "casadi"):
        if folder := _folder_of(package, "Eigen/Core"):
            return folder
    places = (Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"))
    return next((p for p in places if (p / "Eigen/Core").exists()), None)


def _folder_of(package: str, header: str) -> Path | None:
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    ends = f"/{header}"
    paths = (str(Path(str(f.locate())).resolve()) for f in files if str(f).endswith(ends))
    return next((Path(p.removesuffix(ends)) for p in paths if "unsupported" not in p), None)


class Pinocchio:
    """One robot in Pinocchio."""

    name = timed_as = "pinocchio"

    def __init__(self, robot: Robot, states: States, folder: Path, notes: list[str]):
        self.robot, self.model = robot, loaded(robot)
        self.data = self.model.createData()
        self.states = arranged(robot, self.model, states)
        self.order = order(robot, self.model)[1]
        self.best: dict[str, float] = {}  # seconds of each variant
        self.driver: Driver | None = None
        try:
            program, path = driver(), folder / f"{robot.path.stem}.pinocchio"
            path.write_text(described(self.model))
            self.driver = Driver(program, path, np.hstack(self.states), folder)
        except Missing as problem:
            self.timed_as = "pinocchio_python"
            notes.append(f"Pinocchio is timed through its Python binding: {problem}")

    def quantities(self) -> tuple[str, ...]:
        """What it can compute: everything."""
        return tuple(VARIANTS)

    def seconds(self, quantity: str, budget: float) -> float:
        """The shortest time per call of the fastest variant."""
        names = VARIANTS[quantity]
        for name in names:
            if self.driver is not None:
                took = self.driver.seconds(name, budget / len(names))
            else:
                took = self.through_python(name, budget / len(names))
            self.best[name] = min(took, self.best.get(name, took))
        return min(self.best[name] for name in names)

    def through_python(self, name: str, budget: float) -> float:
        """Seconds per call of the Python binding."""
        call, rows = self._bound(name), list(zip(*self.states, strict=True))

        def every() -> None:
            for row in rows:
                call(*row)

        return seconds(every, budget) / len(rows)

    def _bound(self, name: str) -> Callable[..., Any]:
        p = rival("pinocchio")
        m, d = self.model, self.data
        frames = p.Convention.WORLD if name.endswith("world") else p.Convention.LOCAL
        calls: dict[str, Callable[..., Any]] = {
            "rnea": lambda q, v, a: p.rnea(m, d, q, v, a),
            "crba": lambda q, v, a: p.crba(m, d, q, frames),
            "aba": lambda q, v, a: p.aba(m, d, q, v, a, frames),
            "rnea_derivatives": lambda q, v, a: p.computeRNEADerivatives(m, d, q, v, a),
            "aba_derivatives": lambda q, v, a: p.computeABADerivatives(m, d, q, v, a),
        }
        return calls[name.removesuffix("_world").removesuffix("_local")]

    def results(self, quantity: str) -> Any:
        """What the timed code computes for all states, in our order."""
        if self.driver is None:
            return self.reference(quantity)
        return self.reordered(quantity, self.driver.results(VARIANTS[quantity][-1]))

    def reference(self, quantity: str) -> Any:
        """The same from the Python binding."""
        call, rows = self._bound(VARIANTS[quantity][0]), []
        for q, v, a in zip(*self.states, strict=True):
            results = call(q, v, a)
            results = results[:2] if isinstance(results, tuple) else [results]
            rows.append(np.concatenate([np.array(x).ravel() for x in results]))
        return self.reordered(quantity, np.array(rows))

    def reordered(self, quantity: str, rows: Any) -> Any:
        """Rows of results with base and joints in our order.

        Derivatives by coordinates are along each speed's direction, those by speeds follow.
        """
        n, place = self.robot.size, self.order
        if quantity in ("inverse", "forward"):
            return rows[:, place]
        cube = rows.reshape(len(rows), -1, n, n)[:, :, place][:, :, :, place]
        return cube[:, 0] if quantity == "mass" else cube

    def close(self) -> None:
        """Ends the driver."""
        if self.driver is not None:
            self.driver.close()
