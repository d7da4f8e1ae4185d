"""`hapsis cad`: the parts of a design, what they weigh, their anchors, and a model of them."""

import os
from pathlib import Path
from textwrap import indent
from typing import Any

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import count
from hapsis.errors import Error, one_line
from hapsis.mechanics.formats.design.load_cad import YAML, load_cad, save_cad
from hapsis.mechanics.formats.load_save import save
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.design.drawn_joints import DrawnJoints, drawn_joints
from hapsis.motion.analysis.assembly.mate import mate

WATER = 1000.0  # kg/m³


def cad(
    file: str,
    density: float | None,
    unit: str,
    out: str,
    model: str,
    ground: str,
    force: bool,
    report: Report | None = None,
) -> None:
    """Prints the parts of a file of a design; writes them with their anchors to `out`.

    With `model` it also proposes joints, and writes the model of the assembly there.
    """
    if ground and not model:
        raise Error("--ground says what does not move in a model", remedy="add --model FILE")
    for path in filter(None, (out, model)):
        if not force and os.path.lexists(path):
            raise Error("is there already", where=path, remedy="add --force to replace it")
    if out and model and os.path.realpath(out) == os.path.realpath(model):
        raise Error("components and model would be one file", where=out, remedy="give --model another name")
    of_geometry = Path(file).suffix.lower() not in YAML
    rho = WATER if density is None and of_geometry else density
    parts = load_cad(file, density=rho, unit=unit or None)
    drawn = drawn_joints(parts, ground or None) if model else None
    parts = parts if drawn is None else drawn.parts
    if drawn is not None:
        save(mate(drawn.parts, drawn.joints, ground=drawn.ground, drawn=True), model)
    if out:
        _write(parts, file if of_geometry else None, unit, out)
    files = [path for path in (out, model) if path]
    if report is not None:
        report |= {"file": file, "density": rho, "parts": {n: _facts(part) for n, part in parts.items()}}
        report |= _proposed(drawn) if drawn is not None else {}
        report |= {"files": files} if files else {}
        return
    guessed = f", as of {WATER:g} kg/m³: give --density" if density is None and of_geometry else ""
    total = sum(part.mass for part in parts.values())
    print(f"{one_line(file)}: {count(parts, 'part')}, {total:.6g} kg{guessed}")
    for part in parts.values():
        print(f"  {part}")
        for name, frame in part.anchors.items():
            at, rpy = (" ".join(f"{x:.6g}" for x in v) for v in (frame.at, frame.rpy))
            print(f"    {one_line(name)}: at {at} m, rpy {rpy} rad")
    if drawn is not None:
        print(f"joints proposed where holes and shafts share an axis:\n{indent(str(drawn), '  ')}")
    for path in files:
        print(f"wrote {one_line(path)}")


def _proposed(drawn: DrawnJoints) -> dict[str, Any]:
    """The proposed joints as numbers and names."""
    joints = {
        joint.name: {
            "type": joint.type_name,
            "first": str(joint.first),
            "second": str(joint.second),
            "reason": drawn.reasons[joint.name],
        }
        for joint in drawn.joints
    }
    return {"ground": drawn.ground, "joints": joints}


def _write(parts: dict[str, Component], geometry: str | None, unit: str, out: str) -> None:
    """Writes a file of components beside its geometry."""
    path = None
    if geometry is not None:
        path = os.path.relpath(os.path.realpath(geometry), os.path.realpath(Path(out).parent))
        path = Path(path).as_posix()
        if path.startswith(".."):
            raise Error("must lie in the folder of the geometry, or above it", where=out)
    save_cad(parts, out, geometry=path, unit=unit or None)


def _facts(part: Component) -> dict[str, Any]:
    return {
        "mass": part.mass,
        "com": part.com,
        "inertia": part.inertia,
        "principal_moments": part.principal_moments,
        "source": part.source,
        "anchors": {n: {"at": f.at, "rpy": f.rpy} for n, f in part.anchors.items()},
    }
