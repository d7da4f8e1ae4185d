"""The models of `hapsis bench first`, each as a file, with the program that a user would write.

motion   load, assemble, simulate 0.1 s
shell    the same by `hapsis simulate FILE --until 0.1`
dynamics load, forward dynamics and its derivatives compiled and called once
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hapsis.bench import robots

MOTION = """import sys, hapsis as hs
model = hs.load(sys.argv[1])
hs.simulate(model, 0.1, start=hs.assemble(model))"""
DYNAMICS = """import sys, numpy as np, hapsis as hs
model = hs.load(sys.argv[1], base="free")
q, v = model.zero, np.zeros(len(model.speeds))
hs.compile(hs.forward_dynamics(model))(q, v, v)
hs.compile(hs.derivatives(model, "forward_dynamics"))(q, v, v)"""
SHELL = "shell"


@dataclass(frozen=True)
class Case:
    """A model, its program, and the most seconds that it may take: cold, warm, after an edit."""

    name: str
    program: str
    most: tuple[float, float, float]
    write: Callable[[Path], Path | None]  # the model's file in a folder; None without its data
    robot: str = ""  # the rivals load this one of `robots`


def files(case: Case, folder: Path, count: int) -> list[Path]:
    """The file of a case, then as many with another value in it; none without the data for it."""
    original = case.write(folder)
    if original is None:
        return []
    edited = [original.with_stem(f"{original.stem}_{k}") for k in range(count)]
    for k, path in enumerate(edited):
        path.write_text(_edited(original.read_text(), 1.0 + 0.01 * (k + 1)))
    return [original, *edited]


def _edited(text: str, times: float) -> str:
    """The text of a file with its first mass multiplied: `mass: 2.5`, or value="2.5" of a URDF."""
    pattern = re.compile(r'(\bmass: |<mass value=")([0-9.eE+-]+)')
    changed, count = pattern.subn(lambda m: f"{m[1]}{float(m[2]) * times!r}", text, count=1)
    assert count == 1, "the file has no mass to edit"
    return changed


def _saved(name: str, make: Callable[[], Any]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        import hapsis as hs

        path = folder / f"{name.replace(' ', '_').replace('-', '_')}.yaml"
        hs.save(make(), path)
        return path

    return write


def _library(name: str, *arguments: Any) -> Callable[[], Any]:
    def make() -> Any:
        from hapsis import library

        return getattr(library, name)(*arguments)

    return make


def _pendulum() -> Any:
    import hapsis as hs

    arm = hs.Body("arm", mass=1.2, com=(0.0, 0.0, -0.5), inertia=(0.1, 0.1, 0.01))
    return hs.Model(arm, hs.Revolute("hinge", "world", "arm", axis="y"), poses={"start": {"hinge": 0.5}})


def _panda(folder: Path) -> Path | None:
    """The Panda above a floor, with four balls on its hand that may touch it."""
    import hapsis as hs

    robot = robots.robot("panda", folder)
    if robot is None:
        return None
    model = hs.load(robot.path)
    hand = list(model.bodies)[-1]
    corners = [(x, y, 0.1) for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
    balls = [
        hs.Contact(f"touch{k}", (hs.End(hand, hs.Frame(at=at)), hs.Sphere(0.02)), ("world", hs.Plane("z")))
        for k, at in enumerate(corners)
    ]
    path = folder / "panda_contacts.yaml"
    hs.save(model + balls, path)
    return path


def _talos(folder: Path) -> Path | None:
    robot = robots.robot("talos", folder)
    return None if robot is None else robot.path


SMALL, MEDIUM, LARGE, LARGEST = (1.0, 0.35, 0.35), (1.5, 0.4, 0.4), (3.0, 0.5, 0.5), (5.0, 0.6, 0.6)
_pendulum_file = _saved("pendulum", _pendulum)
_four_bar_file = _saved("four-bar", _library("n_four_bar", 1))
CASES = (
    Case("pendulum", SHELL, SMALL, _pendulum_file),
    Case("pendulum python", MOTION, SMALL, _pendulum_file),
    Case("four-bar", SHELL, SMALL, _four_bar_file),
    Case("four-bar python", MOTION, SMALL, _four_bar_file),
    Case("suspension", MOTION, MEDIUM, _saved("suspension", _library("five_link_suspension"))),
    Case("agile eye", MOTION, MEDIUM, _saved("agile eye", _library("agile_eye"))),
    Case("panda contacts", MOTION, MEDIUM, _panda, "panda"),
    Case("stewart", MOTION, LARGE, _saved("stewart", _library("stewart"))),
    Case("talos dynamics", DYNAMICS, LARGE, _talos, "talos"),
    Case("car", MOTION, LARGEST, _saved("car", _library("car"))),
    Case("n-four-bar 40", MOTION, LARGEST, _saved("n-four-bar 40", _library("n_four_bar", 40))),
)
NAMES = tuple(case.name for case in CASES)
