"""The verbs `load_cad` and `save_cad`: components from files of designs, anchors kept beside them."""

import os
from collections.abc import Mapping

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, near, notice
from hapsis.mechanics.formats.design.design_yaml import design_components, design_text
from hapsis.mechanics.formats.design.geometry import ENDINGS, geometry_components
from hapsis.mechanics.formats.file_text import path_of, read_text
from hapsis.mechanics.formats.load_save import write_file
from hapsis.mechanics.formats.yaml.yaml_tree import MOST_BYTES
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.values.numbers import real

YAML = (".yaml", ".yml")
DENSEST = 1e6  # kg/m³


@verb
def load_cad(
    path: str | os.PathLike[str], *, density: float | None = None, unit: str | None = None
) -> dict[str, Component]:
    """{name: Component} of a design: STEP (.step, .stp), a mesh (.stl, ...), or a file of components (.yaml).

        density  kg/m³, of a file of geometry
        unit     of the lengths in a mesh: "m", "cm", "mm", "in" or "ft"

    A mesh is one component, with the name of its file. STEP needs build123d, the extra `cad`; its labelled
    parts are components, with anchors `hole1`, ..., `shaft1`, ... in the middle of round holes and shafts. A
    file of components says where the geometry of each is, what it weighs, and its anchors.
    """
    file = path_of(path)
    ending = file.suffix.lower()
    if ending in YAML:
        if density is not None or unit is not None:
            given = "density" if density is not None else "unit"
            raise ModelError(f"{given}: the file says it for each component", where=str(file))
        return design_components(read_text(file, MOST_BYTES), str(file), file.parent)
    if ending not in ENDINGS:
        known = (*ENDINGS, *YAML)
        raise ModelError(f'"{file.name[:60]}" is no design{near(ending, known)}', expected=", ".join(known))
    if density is None:
        raise ModelError("density is needed: geometry has none", where=str(file), expected="kg/m³")
    rho = real(density, "density")
    if not 0.0 < rho <= DENSEST:
        raise ModelError(
            f"density is {rho:g} kg/m³", where=str(file), expected=f"more than 0, up to {DENSEST:g}"
        )
    return geometry_components(file, rho, unit)


@verb
def save_cad(
    components: Mapping[str, Component],
    path: str | os.PathLike[str],
    *,
    geometry: str | None = None,
    unit: str | None = None,
) -> None:
    """Writes a file of `components` to `path` (.yaml): what they weigh, by what source, and their anchors.

    geometry  the path of their geometry, relative to the file, whose parts have the names of the components
    unit      of that geometry, where it is a mesh
    """
    file = path_of(path)
    if file.suffix.lower() not in YAML:
        raise ModelError(f'"{file.name[:60]}" is no YAML file', expected=", ".join(YAML))
    if not components:
        raise ModelError("there are no components to write", where=str(file))
    drawn = [name for name, part in components.items() if getattr(part, "shapes", ())]
    if geometry is None and drawn:
        notice(
            f'{file}: the shapes of "{drawn[0][:60]}" are not in it; geometry= names the file that has them'
        )
    write_file(file, design_text(components, geometry, unit).encode("utf-8"))
