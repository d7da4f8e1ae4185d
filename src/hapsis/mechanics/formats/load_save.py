"""Models read from and written to files, results read; by the ending of the name.

Each format is imported when its first file is read or written. `hs.load` and `hs.save`, which know hybrids
too, are in `motion.hybrid.hybrid_files`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.errors import ModelError, check_known, near
from hapsis.mechanics.formats.file_text import path_of, read_bytes, read_text
from hapsis.mechanics.model.model import Model

if TYPE_CHECKING:
    from hapsis.mechanics.formats.yaml.yaml_phases import HybridSections

ENDINGS = (".yaml", ".yml", ".urdf")
ROBOTRAN = ".mbs"  # read only
MUJOCO = (".xml", ".mjcf")  # read only
RESULT = ".npz"
REMEDIES = {  # for files that are not read
    ".xacro": "expand it first",
    ".csv": "of results only .npz is read: save the result as .npz too; hs.identify reads tables as .csv",
    ".parquet": "of results only .npz is read: save the result as .npz too; pandas reads .parquet",
    ".mcap": "hs.recording reads recordings",
    ".html": "of results only .npz is read: save the result as .npz too",
}
BASES = ("fixed", "free")
Base = Literal["fixed", "free"]
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@verb
def load(path: str | os.PathLike[str], *, base: Base = "fixed", physical: bool = True) -> Any:
    """The Model of a file, Hapsis YAML (.yaml, .yml), URDF (.urdf), MuJoCo's XML (.xml, .mjcf) or
    Robotran's (.mbs); or the Result, or the Results of many runs, of a .npz.

        base      how the root link of a URDF is connected to the world: "fixed" or "free"
        physical  False keeps impossible masses and inertias and lists them as warnings

    What the file contains and a Model cannot represent is listed in `model.warnings`.
    """
    return loaded(path, base, physical)


def loaded(
    path: str | os.PathLike[str],
    base: Base = "fixed",
    physical: bool = True,
    hybrids: "Callable[[], HybridSections] | None" = None,
) -> Any:
    """The Model, the Result, or what `hybrids` makes of a file with phases; the arguments of `load`."""
    check_known(base, BASES, "no base {}", expected='"fixed" or "free"')
    file = path_of(path)
    if os.path.isdir(file):
        raise ModelError("is a folder", where=str(file), expected="a model file")
    ending = _ending(file, (*ENDINGS, *MUJOCO, ROBOTRAN, RESULT))
    if base != "fixed" and ending != ".urdf":
        raise ModelError(
            f'base="{base}" is for URDF, which does not define how its root link is held',
            where=str(file),
            remedy="give the file a free joint",
        )
    if ending == RESULT:
        return _result(file)
    with uncollected():
        return _model(file, ending, base, physical, hybrids)


def _model(
    file: Path, ending: str, base: Base, physical: bool, hybrids: "Callable[[], HybridSections] | None"
) -> Any:
    """The model of a file; only the reader of its format is imported."""
    name, folder = str(file), file.parent
    if ending in (".yaml", ".yml"):
        from hapsis.mechanics.formats.yaml.yaml_reader import yaml_model
        from hapsis.mechanics.formats.yaml.yaml_tree import MOST_BYTES

        return yaml_model(read_text(file, MOST_BYTES), name, folder, physical, hybrids)
    from hapsis.mechanics.formats.xml_tree import MOST_BYTES

    text = read_text(file, MOST_BYTES)
    if ending == ".urdf":
        from hapsis.mechanics.formats.urdf.urdf_reader import urdf_model

        return urdf_model(text, name, folder, base, physical)
    if ending in MUJOCO:
        from hapsis.mechanics.formats.mjcf.mjcf_reader import mjcf_model

        return mjcf_model(text, name, folder, physical)
    from hapsis.mechanics.formats.mbs.mbs_reader import mbs_model

    return mbs_model(text, name, physical)


def _result(file: Path) -> Any:
    from hapsis.mechanics.formats import result_reader  # imported only where a result is read

    data = read_bytes(file, result_reader.MOST_BYTES)
    return result_reader.npz_result(data, str(file))


@verb
def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Writes a model to `path` as Hapsis YAML (.yaml, .yml), which is complete, or as URDF (.urdf).

    The file is replaced only when the new one is complete.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(
            f"only a Model or a Hybrid can be saved, not a {type(model).__name__}",
            remedy="a Result has its own .save(path)",
        )
    write_text(path, lambda file, ending: _text(model, file, ending))


def write_text(path: str | os.PathLike[str], text: Callable[[Path, str], str]) -> None:
    """Writes what `text` gives for a path and the ending of its name."""
    file = path_of(path)
    if (ending := file.suffix.lower()) in (ROBOTRAN, *MUJOCO):
        whose = "Robotran's" if ending == ROBOTRAN else "MuJoCo's"
        raise ModelError(f"{whose} files are read, not written", where=str(file), expected=", ".join(ENDINGS))
    write_file(file, text(file, _ending(file)).encode("utf-8"))


def _text(model: Model, file: Path, ending: str) -> str:
    """The text of a model in the format that the name of a file ends with."""
    if ending == ".urdf":
        from hapsis.mechanics.formats.urdf.urdf_writer import urdf_text

        return urdf_text(model, file.stem)
    from hapsis.mechanics.formats.yaml.yaml_writer import yaml_text

    return yaml_text(model)


def _ending(file: Path, known: tuple[str, ...] = ENDINGS) -> str:
    ending = file.suffix.lower()
    if ending not in known:
        remedy: dict[str, Any] = {"remedy": REMEDIES[ending]} if ending in REMEDIES else {}
        raise ModelError(
            f'"{file.name[:60]}" has no ending that says its format{near(ending, known)}',
            expected=", ".join(known),
            **remedy,
        )
    return ending


def write_file(file: Path, data: bytes) -> None:
    """Writes a temporary file in the same folder, then renames it."""
    try:
        file = Path(os.path.realpath(file))  # a symbolic link is kept: its target is replaced
        temporary = file.with_name(f".{file.name[:200]}.{os.urandom(4).hex()}")
        handle = os.open(temporary, _FLAGS, 0o666)
        try:
            with open(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", where=str(file)) from None
