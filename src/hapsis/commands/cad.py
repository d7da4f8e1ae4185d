"""`hapsis cad`: the parts of a design, what they weigh, and their anchors."""

import os
from pathlib import Path
from typing import Any

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import count
from hapsis.errors import Error, one_line
from hapsis.mechanics.formats.design.load_cad import YAML, load_cad, save_cad
from hapsis.mechanics.model.design.component import Component

WATER = 1000.0  # kg/m³


def cad(
    file: str, density: float | None, unit: str, out: str, force: bool, report: Report | None = None
) -> None:
    """Prints the parts of a file of a design; writes them with their anchors to `out`."""
    of_geometry = Path(file).suffix.lower() not in YAML
    rho = WATER if density is None and of_geometry else density
    parts = load_cad(file, density=rho, unit=unit or None)
    if out:
        _write(parts, file if of_geometry else None, unit, out, force)
    if report is not None:
        report |= {"file": file, "density": rho, "parts": {n: _facts(part) for n, part in parts.items()}}
        report |= {"files": [out]} if out else {}
        return
    guessed = f", as of {WATER:g} kg/m³: give --density" if density is None and of_geometry else ""
    total = sum(part.mass for part in parts.values())
    print(f"{one_line(file)}: {count(parts, 'part')}, {total:.6g} kg{guessed}")
    for part in parts.values():
        print(f"  {part}")
        for name, frame in part.anchors.items():
            at, rpy = (" ".join(f"{x:.6g}" for x in v) for v in (frame.at, frame.rpy))
            print(f"    {one_line(name)}: at {at} m, rpy {rpy} rad")
    if out:
        print(f"wrote {one_line(out)}")


def _write(parts: dict[str, Component], geometry: str | None, unit: str, out: str, force: bool) -> None:
    """Writes a file of components beside its geometry."""
    if not force and os.path.lexists(out):
        raise Error("is there already", where=out, remedy="add --force to replace it")
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
