"""Reader of STEP: labelled parts with exact masses, triangles for drawing, anchors at holes and shafts.

It needs build123d (OpenCASCADE), the extra `cad`, which runs in a process of its own, see `step_worker`.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hapsis.errors import ModelError, install_command, notice
from hapsis.mechanics.formats.design import step_worker
from hapsis.mechanics.formats.design.round_anchors import round_anchors
from hapsis.mechanics.formats.file_text import read_bytes
from hapsis.mechanics.formats.meshes.pieces import MOST_BYTES
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh

MILLI = 1e-3
DIGITS = 9  # of the vertices of triangles, which are for drawing, m
LONGEST = 300.0  # s
THIN = 1e-12  # of the cube of its size: a part of less volume is a surface
AGREES = 0.01  # of the volume: by how much that of triangles may differ
MISREAD = re.compile(rb"ERR Step\w* : ([^\n*]*)")  # OpenCASCADE says it, and goes on with the rest
_HEAD, _TAIL = b"ISO-10303-21;", re.compile(rb"END-ISO-10303-21;\s*\Z")


def step_components(file: Path, density: float) -> dict[str, Component]:
    """{label: Component} of a STEP file, in its own coordinates, m and kg."""
    return {
        name: _component(file, name, part, density) for name, part in step_parts(file, step_worker).items()
    }


def step_parts(file: Path, worker: Any, *arguments: str) -> dict[str, dict[str, Any]]:
    """{label: what a worker says of a part} of a STEP file; it is a module that is run as a program."""
    _check_whole(file)
    if importlib.util.find_spec("build123d") is None:
        install = install_command("build123d")
        raise ModelError("a STEP file needs build123d", where=str(file), remedy=install)
    parts = _read(file, worker, arguments)
    if not parts:
        raise ModelError("has no part that can be read", where=str(file), expected="solids")
    names = _names([part["label"] for part in parts])
    return dict(zip(names, parts, strict=True))


def _check_whole(file: Path) -> None:
    """An error where a file does not begin and end as STEP does."""
    data = read_bytes(file, MOST_BYTES)
    if not data.lstrip().startswith(_HEAD):
        raise ModelError("is no STEP file", where=f"{file}:1:1", expected=_HEAD.decode())
    if not _TAIL.search(data[-200:]):
        line = data.count(b"\n") + 1
        raise ModelError("ends too soon", where=f"{file}:{line}", expected="END-ISO-10303-21; at its end")


def _read(file: Path, worker: Any, arguments: tuple[str, ...]) -> list[dict[str, Any]]:
    """The parts as a worker reads them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "parts.json"
        command = [sys.executable, "-P", str(worker.__file__), str(file.absolute()), str(out), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LONGEST, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise ModelError(f"takes OpenCASCADE longer than {LONGEST:g} s", where=str(file)) from None
        if done.returncode != 0 or not out.exists():
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            reason = lines[-1][:120] if done.returncode > 0 and lines else "the file is broken"
            raise ModelError(f"OpenCASCADE cannot read it: {reason}", where=str(file))
        if told := MISREAD.search(done.stdout + done.stderr):
            reason = told[1].decode(errors="replace").strip()[:120]
            raise ModelError(
                f"the file is broken: {reason}",
                where=str(file),
                remedy="export it anew: parts of it are lost",
            )
        found = json.loads(out.read_text(encoding="utf-8"))
    for label in found["empty"]:
        notice(f'{file}: "{label[:60]}" has no shape, and is left out')
    return found["parts"]


def _names(labels: list[str]) -> list[str]:
    """A name for each label: without dots, never empty, no two the same."""
    names: list[str] = []
    for label in labels:
        label = _decoded(label)
        plain = "".join(c for c in label.replace(".", "_") if c.isprintable()).strip()[:100] or "part"
        name, count = plain, 1
        while name in names:
            count += 1
            name = f"{plain}_{count}"
        names.append(name)
    return names


def _decoded(label: str) -> str:
    """A label whose UTF-8 a writer has encoded twice, as OpenCASCADE does, or the label as it is."""
    try:
        return label.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return label


def _component(file: Path, name: str, part: dict[str, Any], density: float) -> Component:
    """mass = ρ V 1e-9, inertia = ρ I 1e-15, from mm³ and mm⁵."""
    if wrong := unweighable(part):
        about = f'part "{name[:60]}" {wrong}'
        raise ModelError(about, where=str(file), expected="a closed solid")
    inertia = [density * MILLI**5 * x for x in part["inertia"]]
    com = [MILLI * x for x in part["centre"]]
    points = [[round(MILLI * x, DIGITS) for x in point] for point in part["points"]]
    shape = TriangleMesh(points, part["triangles"], color=part["color"])
    mass = density * MILLI**3 * part["volume"]
    anchors, rounds = round_anchors(part["cylinders"], part["flats"], MILLI)
    source = "CAD" if part["drawn"] == part["volume"] else "CAD, faces do not fit well"
    return Component(name, mass, com, inertia, anchors, (shape,), source, rounds)


def unweighable(part: dict[str, Any]) -> str:
    """Why a part has no mass, or nothing."""
    if part["wrong"]:
        return str(part["wrong"])
    volume, drawn = part["volume"], part["drawn"]  # the latter of triangles, where faces do not fit well
    if not volume > THIN * part["size"] ** 3 or not part["triangles"]:
        return "has no volume"
    if not abs(drawn - volume) <= AGREES * volume:
        return f"has faces that contradict each other: they enclose {volume:.6g} mm³, or {drawn:.6g}"
    return ""
