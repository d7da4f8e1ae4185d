"""hs.load and hs.save: models and hybrids in files, results read; by the ending of the name."""

import os
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.formats import load_save
from hapsis.mechanics.formats.load_save import Base
from hapsis.mechanics.model.model import Model

if TYPE_CHECKING:
    from hapsis.mechanics.formats.yaml.yaml_phases import HybridSections
    from hapsis.motion.hybrid.hybrid import Hybrid


@verb
def load(path: str | os.PathLike[str], *, base: Base = "fixed", physical: bool = True) -> Any:
    """The Model of a file, Hapsis YAML (.yaml, .yml), URDF (.urdf), MuJoCo's XML (.xml, .mjcf) or
    Robotran's (.mbs); the Hybrid of a YAML file with phases; or the Result, or the Results of many runs, of
    a .npz.

        base      how the root link of a URDF is connected to the world: "fixed" or "free"
        physical  False keeps impossible masses and inertias and lists them as warnings

    What the file contains and a Model cannot represent is listed in `model.warnings`.
    """
    return load_save.loaded(path, base, physical, _sections)


@verb
def save(model: "Model | Hybrid", path: str | os.PathLike[str]) -> None:
    """Writes a model to `path` as Hapsis YAML (.yaml, .yml), which is complete, or as URDF (.urdf).

    A hybrid is written as YAML, its events as formulas. The file is replaced only when the new one is
    complete.
    """
    if not isinstance(model, Model) and _is_hybrid(model):
        load_save.write_text(path, lambda file, ending: _text(model, ending))
    else:
        load_save.save(model, path)  # pyright: ignore[reportArgumentType]


def _sections() -> "HybridSections":
    from hapsis.motion.hybrid.files.hybrid_reader import (
        hybrid_sections,  # imported only where a file has phases
    )

    return hybrid_sections()


def _is_hybrid(model: Any) -> bool:
    from hapsis.motion.hybrid.hybrid import Hybrid

    return isinstance(model, Hybrid)


def _text(hybrid: "Hybrid", ending: str) -> str:
    from hapsis.motion.hybrid.files.hybrid_writer import hybrid_text

    if ending == ".urdf":
        raise ModelError("URDF cannot hold phases and events", expected=".yaml")
    return hybrid_text(hybrid)
