"""The triangles of a mesh file, by the ending of its name."""

from pathlib import Path

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.collada import read_collada
from hapsis.mechanics.formats.meshes.gltf import read_gltf
from hapsis.mechanics.formats.meshes.msh import read_msh
from hapsis.mechanics.formats.meshes.obj import read_obj
from hapsis.mechanics.formats.meshes.pieces import MOST_BYTES, Piece, checked
from hapsis.mechanics.formats.meshes.stl import read_stl

READERS = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".dae": read_collada,
    ".gltf": read_gltf,
    ".glb": read_gltf,
    ".msh": read_msh,
}


def read_mesh(file: Path) -> list[Piece]:
    """The pieces of a mesh file; an error with its name where it cannot be read."""
    reader = READERS.get(file.suffix.lower())
    name = file.name[:80]
    if reader is None:
        raise ModelError(f"mesh {name} is of no kind that is read", expected=", ".join(READERS))
    try:
        if not file.is_file():
            raise ModelError(f"mesh {name} is not there")
        if file.stat().st_size > MOST_BYTES:
            raise ModelError(f"mesh {name} is larger than {MOST_BYTES // 1_000_000} MB")
        data = file.read_bytes()
    except OSError as problem:
        raise ModelError(f"mesh {name} cannot be read: {problem.strerror}") from None
    try:
        return checked(reader(data, name), name)
    except (ValueError, IndexError, KeyError, StopIteration, OverflowError, np.linalg.LinAlgError) as error:
        raise ModelError(f"mesh {name} cannot be read: {str(error)[:80]}") from None
    except (RecursionError, MemoryError):
        raise ModelError(f"mesh {name} is nested too deep or too large to be read") from None
