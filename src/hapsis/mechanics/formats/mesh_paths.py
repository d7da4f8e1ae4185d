"""Paths of meshes: inside the folder of the model, or inside a package that contains or neighbours it.

A model stores the path as the file gives it; whoever opens the mesh resolves it again with `mesh_file`,
so that a link changed in between cannot lead outside.
"""

import re
from pathlib import Path, PurePosixPath

from hapsis.errors import ModelError

MESHES = (".stl", ".obj", ".dae", ".ply", ".glb", ".gltf", ".msh")
_PACKAGE = "package://"
LONGEST_PATH = 1000  # characters


def mesh_file(
    path: str, folder: Path, where: str | None = None, endings: tuple[str, ...] = MESHES
) -> Path | None:
    """The file of a mesh of a model in that folder; None if its package is not there.

    `meshes/arm.stl` is relative to the folder. `package://robot/meshes/arm.stl` is in the nearest
    folder `robot` that is this folder, one of its parents, or a subfolder of one of these.
    A path that leads outside, by `..`, an absolute path, another scheme or a link, is an error.
    """
    rest = path.removeprefix(_PACKAGE).lstrip("/") if path.startswith(_PACKAGE) else path
    parts = PurePosixPath(rest).parts
    shown = f'mesh "{path[:80]}"'
    if len(path) > LONGEST_PATH or not path.isprintable() or not parts:
        raise ModelError(f"{shown} is no path", where=where, expected="a path such as meshes/a.stl")
    if re.match(r"[A-Za-z][\w+.-]*:", rest) or "\\" in rest or rest.startswith(("/", "~")):
        allowed = f"a relative path, or {_PACKAGE}name/path"
        raise ModelError(f"{shown} leads out of the model's folder", where=where, expected=allowed)
    if PurePosixPath(rest).suffix.lower() not in endings:
        raise ModelError(f"{shown} is no mesh", where=where, expected=", ".join(endings))
    root: Path | None = folder
    if rest != path:
        if ".." in parts or len(parts) < 2:
            raise ModelError(f"{shown} leads out of its package", where=where)
        root, parts = _package(parts[0], folder), parts[1:]
        if root is None:
            return None
    return inside(root, parts, f"{shown} leads out of the folder it must lie in", where)


def inside(root: Path, parts: tuple[str, ...], wrong: str, where: str | None) -> Path:
    """The file with all links resolved; it must be below the root."""
    try:
        root = root.resolve()
        file = root.joinpath(*parts).resolve()
    except (OSError, RuntimeError):  # a link to itself
        raise ModelError(wrong, where=where) from None
    if not file.is_relative_to(root):
        raise ModelError(wrong, where=where, expected="a path inside it")
    return file


def _package(name: str, folder: Path) -> Path | None:
    """The nearest folder of that name that is the folder, a parent of it, or in one of these; else None."""
    try:
        folder = folder.resolve()
        for parent in (folder, *folder.parents):
            if parent.name == name:
                return parent
            inner = parent / name
            if inner.is_dir() and inner.resolve().is_relative_to(parent):  # no link elsewhere
                return inner
    except (OSError, RuntimeError):
        pass
    return None


def checked_mesh(path: str, folder: Path, where: str) -> list[str]:
    """A note if the mesh does not exist, else an empty list; an error if its path is not allowed."""
    file = mesh_file(path, folder, where)
    try:
        there = file is not None and file.is_file()
    except OSError:
        there = False
    return [] if there else [f'{where}: mesh "{path}" is not there']
