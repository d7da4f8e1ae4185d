"""Anchors beside geometry: a file of components in YAML, keyed by label.

    hapsis: 1
    components:
      crank: {geometry: crank.stl, unit: mm, density: 7850, anchors: {A: [0, 0, 0], B: [0.2, 0, 0]}}
      base: {mass: 2, inertia: [0.1, 0.1, 0.1], anchors: {A: {at: [0, 0, 0], rpy: [0, 0, 0]}}}

Numbers are SI whatever the unit of the geometry. `mass`, `com` and `inertia` override those of the geometry.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.formats.all_problems import all_of
from hapsis.mechanics.formats.design.geometry import ENDINGS, geometry_components
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.mesh_paths import mesh_file
from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_fields import FILE, Read, fields, plain_number, word
from hapsis.mechanics.formats.yaml.yaml_tree import Node, yaml_tree
from hapsis.mechanics.formats.yaml.yaml_writer import frame_text, key_text, map_text, plain_text, section
from hapsis.mechanics.model.design.component import Component

_COMPONENT: dict[str, Read] = {
    "geometry": word,
    "label": word,
    "unit": word,
    "density": plain_number,
    "mass": plain_number,
    "com": lambda node, what: read.values(node, what, 3, read=plain_number),
    "inertia": lambda node, what: read.values(node, what, 3, 6, read=plain_number),
    "source": word,
    "anchors": read.frames,
}
WEIGHTS = ("mass", "com", "inertia")
WATER = 1000.0  # kg/m³; any density does where the mass is given


def design_components(text: str, file: str, folder: Path) -> dict[str, Component]:
    """{name: Component} of a YAML text; geometry is inside the folder."""
    tree = yaml_tree(text, file)
    tree.entries(FILE)
    if "components" not in tree.value:
        hint = "hs.load reads models" if "bodies" in tree.value else "see the page on designs"
        raise tree.wrong('the file needs "components"', remedy=hint)
    known: dict[str, Read] = {"hapsis": _version, "components": partial(_components, folder)}
    return fields(tree, FILE, known, ("hapsis",))["components"]


class Files:
    """The files of geometry in a folder, each of which is read once for each density."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[tuple[Any, ...], dict[str, Component]] = {}

    def parts(self, path: str, density: float, unit: str | None) -> dict[str, Component]:
        """{label: Component} of a file."""
        file = mesh_file(path, self.folder, endings=ENDINGS)
        if file is None:
            raise ModelError(f'the package of "{path[:80]}" is not there')
        key = file, density, unit
        if key not in self.known:
            self.known[key] = geometry_components(file, density, unit)
        return self.known[key]


def _version(node: Node, what: str) -> None:
    if node.value != "1":
        raise node.wrong(f"the file has format {node.shown}", expected="hapsis: 1")


def _components(folder: Path, node: Node, what: str) -> dict[str, Component]:
    read_files = Files(folder)
    parts = all_of(partial(_component, read_files, key, item) for key, item in node.entries(what))
    return {part.name: part for part in parts}


def _component(files: "Files", key: Node, node: Node) -> Component:
    name = checked_name(key.value, "component", key.where)
    what = f'component "{name[:60]}"'
    values = fields(node, what, _COMPONENT)
    anchors, source = values.pop("anchors", {}), values.pop("source", None)
    weight = {n: values.pop(n) for n in WEIGHTS if n in values}
    try:
        if "geometry" in values:
            part = _of_geometry(files, name, values, weight)
        elif values:
            raise ModelError(f'"{next(iter(values))}" needs geometry')
        else:
            part = Component(name, **weight)
        named = replace(part, name=name, source=source or part.source)
        return named.anchored(anchors)
    except ModelError as error:
        about = "" if error.what.startswith(what) else f"{what}: "
        raise key.wrong(f"{about}{error.what}", **read.parts(error)) from None


def _of_geometry(files: "Files", name: str, values: dict[str, Any], weight: dict[str, Any]) -> Component:
    """The component of that label in a file of geometry, with the weight that was given."""
    density = values.get("density")
    if density is None and "mass" not in weight:
        raise ModelError("there is neither mass nor density", expected="one of them")
    parts = files.parts(values["geometry"], WATER if density is None else density, values.get("unit"))
    label = values.get("label", name)
    part = next(iter(parts.values())) if len(parts) == 1 and "label" not in values else parts.get(label)
    if part is None:
        hint = near(label, parts)
        raise ModelError(
            f'"{values["geometry"][:80]}" has no part "{label[:60]}"{hint}', expected=", ".join(parts)
        )
    return part.weighed(**weight) if weight else part


def design_text(components: Mapping[str, Component], geometry: str | None, unit: str | None) -> str:
    """The text of a file of components, which keeps what they weigh and their anchors."""
    lines: dict[str, str] = {}
    for name, part in components.items():
        written: dict[str, str] = {}
        if geometry is not None:
            written |= {"geometry": plain_text(geometry)}
            written |= {"label": plain_text(part.name)} if len(components) > 1 else {}
            written |= {"unit": unit} if unit else {}
        written |= {"mass": repr(part.mass), "com": str(list(part.com)), "inertia": str(list(part.inertia))}
        written["source"] = plain_text(part.source)
        if part.anchors:
            written["anchors"] = map_text({key_text(n, name): frame_text(f) for n, f in part.anchors.items()})
        lines[name] = map_text(written)
    return "\n".join(["hapsis: 1", *section("components", lines)]) + "\n"
