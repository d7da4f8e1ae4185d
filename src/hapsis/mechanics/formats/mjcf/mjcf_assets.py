"""The assets of an MJCF file that are seen: meshes in files, and the colours of materials.

A mesh is placed as MuJoCo places it: `refpos` is subtracted from its vertices, the conjugate of `refquat`
turns them, `scale` stretches them, then the geom's frame holds. A texture counts with its mean colour
where it is a built-in one; pictures are not read.
"""

from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import of_quaternion, transposed
from hapsis.mechanics.formats.mesh_paths import mesh_file
from hapsis.mechanics.formats.mjcf.mjcf_defaults import Defaults
from hapsis.mechanics.formats.mjcf.mjcf_fields import framed, numbers, unit, word
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, Frame, composed
from hapsis.mechanics.model.shapes.shapes import Mesh

ONES = (1.0, 1.0, 1.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0)
WHITE = (1.0, 1.0, 1.0, 1.0)
GREY = (0.5, 0.5, 0.5, 1.0)
BUILTIN = ("none", "gradient", "checker", "flat")
Rgba = tuple[float, float, float, float]


class MeshFile(NamedTuple):
    """A mesh: its path from the folder of the model, its scale, its frame on the geom's."""

    path: str
    scale: Any
    place: Frame


class Assets:
    """The meshes and materials by name, and the files that are not there."""

    def __init__(self, root: Element, defaults: Defaults, folder: Path, left_out: LeftOut) -> None:
        self.root, self.defaults, self.folder, self.left_out = root, defaults, folder, left_out
        self.missing: list[str] = []
        self.meshes: dict[str, MeshFile] = {}
        self.materials: dict[str, Rgba] = {}
        self.directory = _directory(root)
        elements = [child for section in root.all("asset") for child in section.children]
        textures = {e.attributes.get("name", ""): _mean(e) for e in elements if e.tag == "texture"}
        for element in elements:
            if element.tag == "mesh":
                self._mesh(defaults.whole(element, None))
            elif element.tag == "material":
                self._material(defaults.whole(element, None), textures)

    def mesh(self, name: str | None, place: Frame, where: str) -> Mesh | None:
        """The shape of a geom with that mesh; None where the mesh is in no file that may be read."""
        mesh = self.meshes.get(name or "")
        if mesh is None:
            return None
        at = place if mesh.place == IDENTITY else composed(place, mesh.place)
        # whoever opens the file looks from the folder of the main file, whichever file has the geom
        own = Path(where.rsplit(":", 2)[0]).parent == Path(self.root.file).parent
        return Mesh(mesh.path, mesh.scale, at=at, where=where if own else self.root.where)

    def rgba(self, element: Element, what: str) -> Rgba | None:
        """The colour of a geom: its own, else that of its material; None where it has none.

        MuJoCo takes its default grey, said by a geom, for no colour where there is a material.
        """
        own = _rgba(element, what) if "rgba" in element.attributes else None
        material = self.materials.get(element.attributes.get("material", ""))
        return material if own is None or (own == GREY and material is not None) else own

    def notes(self, file: str) -> list[str]:
        """One note that names all meshes whose files are not there."""
        if not self.missing:
            return []
        return [f"{file}: {len(self.missing)} meshes are not there: " + ", ".join(self.missing[:20])]

    def _mesh(self, element: Element) -> None:
        path = element.attributes.get("file", "")
        name = element.attributes.get("name") or PurePosixPath(path).stem
        what = f'mesh "{name[:60]}"'
        scale = numbers(element, "scale", what, 3, ONES)
        origin = numbers(element, "refpos", what, 3, ORIGIN)
        turn = unit(numbers(element, "refquat", what, 4, UNTURNED))
        if turn is None:
            raise element.wrong(f"{what}: refquat is zero", expected="a quaternion")
        R: Any = transposed(of_quaternion(*turn))
        turned = tuple(turn) != UNTURNED
        if not path:
            self.left_out.add("mesh that is in no file", name)
            return
        if turned and len({*scale}) > 1:
            self.left_out.add("mesh with refquat and several scales", name)
            return
        back = tuple(
            -scale[i] * sum(R[i][k] * origin[k] for k in range(3)) for i in range(3)
        )  # S Rᵀ (v - p) = Rᵀ S v - S Rᵀ p
        place = framed(back, R) if turned else Frame(back)
        full = str(PurePosixPath(self.directory) / path)
        try:
            file = mesh_file(full, self.folder, element.where)
        except ModelError as error:
            self.left_out.add("mesh that is not read", f"{name}: {error.what}")
            return
        if file is None or not file.is_file():
            self.missing.append(full)
        self.meshes[name] = MeshFile(full, scale, place)

    def _material(self, element: Element, textures: dict[str, Rgba | None]) -> None:
        name = element.attributes.get("name", "")
        color = _rgba(element, f'material "{name[:60]}"') if "rgba" in element.attributes else WHITE
        if "texture" in element.attributes:
            mean = textures.get(element.attributes["texture"])
            if mean is None:
                self.left_out.add("texture of a material", name)
                if "rgba" not in element.attributes:
                    return
            else:
                color = tuple(a * b for a, b in zip(color, mean, strict=True))
        self.materials[name] = color  # pyright: ignore[reportArgumentType]


def _directory(root: Element) -> str:
    """The folder of the meshes, of the last <compiler> that says one."""
    folder = ""
    for name in ("assetdir", "meshdir"):
        for element in root.all("compiler"):
            folder = element.attributes.get(name, folder)
    return folder


def _rgba(element: Element, what: str) -> Rgba:
    values = numbers(element, "rgba", what, 4)
    return tuple(min(max(x, 0.0), 1.0) for x in values)  # pyright: ignore[reportReturnType]


def _mean(element: Element) -> Rgba | None:
    """The mean colour of a texture; None where it is a picture in a file."""
    what = f'texture "{element.attributes.get("name", "")[:60]}"'
    builtin = word(element, "builtin", what, BUILTIN, "none")
    if builtin == "none":
        return None
    first = numbers(element, "rgb1", what, 3, (0.8, 0.8, 0.8))
    second = first if builtin == "flat" else numbers(element, "rgb2", what, 3, (0.5, 0.5, 0.5))
    r, g, b = (min(max((x + y) / 2, 0.0), 1.0) for x, y in zip(first, second, strict=True))
    return r, g, b, 1.0
