"""Results written as files: CSV, NPZ (complete, read by `hs.load`), Parquet (needs pyarrow), MCAP.

A file is written under a temporary name and then renamed, so that it is complete or does not exist.
NPZ holds every column as an array and all other data as JSON text; it contains no executable code.
"""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.errors import Error, ModelError, install_command
from hapsis.mechanics.model.signals.data_frames import flat, flat_units

if TYPE_CHECKING:
    from hapsis.mechanics.model.result import Happened, Result

FORMAT = 1
# a file unpacks to at most so much: few bytes of a stranger cannot fill the memory
UNPACKED_FREE = 64_000_000  # bytes
UNPACKED_RATIO = 50  # bytes for each byte of the file, above that
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what formulas of spreadsheets begin with
ENDINGS = (".csv", ".npz", ".parquet", ".mcap", ".html", ".svg")
# what a higher layer writes is named by text, as public names are: imports only go down
RECORDING = "hapsis.touch.recording.result_recording"


def save(result: "Result", path: Path) -> Path:
    """Writes the result in the format that the ending of the path selects; returns the path."""
    writers: dict[str, Callable[[Result, Path], None]] = {".csv": _csv, ".npz": _npz, ".parquet": _parquet}
    writers[".mcap"] = _mcap
    write = writers.get(path.suffix.lower())
    if write is None:
        raise ModelError(f'a result cannot be saved as "{path.name[:60]}"', expected=", ".join(ENDINGS))
    whole(path, lambda temporary: write(result, temporary))
    return path


def whole(path: Path, write: Callable[[Path], None], prefix: str = "tmp") -> None:
    """Writes a file under a temporary name in the same folder, which is made if needed, then renames it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent or ".", prefix=prefix, suffix=path.suffix)
        os.close(handle)
    except OSError as problem:
        raise ModelError(f"{path}: cannot be written: {problem.strerror}") from None
    temporary = Path(name)
    try:
        write(temporary)
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except OSError as problem:
        raise ModelError(f"{path}: cannot be written: {problem.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _csv(result: "Result", path: Path) -> None:
    columns = flat(result)
    head = ",".join(_quoted(name) for name in columns)
    rows = np.column_stack(list(columns.values()))
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(head + "\r\n")
        np.savetxt(file, rows, fmt="%.17g", delimiter=",", newline="\r\n")


def _quoted(name: str) -> str:
    """The name as a head of a column."""
    name = plain_text(name)
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\r\n') else name


def plain_text(text: str) -> str:
    """The text, begun so that a spreadsheet does not take it for a formula."""
    return f"'{text}" if text[:1] in FORMULA else text


def _event(event: "Happened") -> list[Any]:
    """The time and the name of an event; of one of a hybrid also its phases, its loss and its impulses."""
    known = [event.time, event.name]
    if not event.before:
        return known
    return [*known, event.before, event.after, event.loss, dict(event.impulses)]


def _npz(result: "Result", path: Path) -> None:
    facts: dict[str, Any] = {
        "hapsis": FORMAT,
        "status": result.status,
        "message": result.message,
        "events": [_event(e) for e in result.events],
        "energy_drift": result.energy_drift,
        "constraint_error": result.constraint_error,
        "warnings": list(result.warnings),
        "units": dict(result.units),
        "title": result.title,
        "report": _plain(result.report),
        "names": list(result.names),
    }
    if result.last is not None:
        state = ("coordinates", "speeds", "q", "v")
        facts["last"] = {name: _plain(getattr(result.last, name)) for name in state}
    arrays = {f"c{k}": result[name] for k, name in enumerate(result.names)}
    if result.scene is not None:
        scene = dict(result.scene())
        arrays["poses"] = np.asarray(scene["poses"])
        facts["bodies"] = [
            {"name": b.name, "shapes": _plain(b.shapes), "trail": _plain(b.trail)} for b in scene["bodies"]
        ]
        facts["up"] = _plain(scene["up"])
        if scene.get("drawing") is not None:
            facts["drawing"] = _plain(scene["drawing"])
        shown, skins = list(scene.get("arrows", ())), list(scene.get("skins", ()))
        facts["skins"] = [{"name": s.name, "triangles": _plain(np.ravel(s.triangles))} for s in skins]
        arrays |= {f"s{k}": np.asarray(skin.points, float) for k, skin in enumerate(skins)}
        facts["arrows"] = [a.name for a in shown]
        for k, arrow in enumerate(shown):
            arrays[f"p{k}"], arrays[f"v{k}"] = np.asarray(arrow.points), np.asarray(arrow.vectors)
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    arrays = {"t": result.t, "facts": text, **arrays}
    for write in (np.savez_compressed, np.savez):
        with path.open("wb") as file:
            write(file, **arrays)  # pyright: ignore
        if sum(a.nbytes + 1000 for a in arrays.values()) <= most_unpacked(path.stat().st_size):
            return  # not so if nearly all columns are constant: such arrays are written as they are


def most_unpacked(size: int) -> int:
    """The bytes that the arrays in a file of this size may have."""
    return UNPACKED_FREE + UNPACKED_RATIO * size


def _plain(x: Any) -> Any:
    """Mappings, arrays and numbers converted to types that JSON can hold."""
    if isinstance(x, Mapping):
        return {str(k): _plain(v) for k, v in x.items()}
    if isinstance(x, np.ndarray | list | tuple):
        return [_plain(v) for v in x]
    return x.item() if isinstance(x, np.generic) else x


def _parquet(result: "Result", path: Path) -> None:
    pyarrow = pyarrow_of()
    columns = flat(result)
    facts = {"units": json.dumps(flat_units(result, columns)), "title": result.title, "status": result.status}
    rows = pyarrow.table(columns)
    pyarrow.parquet.write_table(rows.replace_schema_metadata(facts), path)


def pyarrow_of(doing: str = "writing") -> Any:
    """The library pyarrow; an error that says how to install it."""
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]
        import pyarrow.parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise Error(f"{doing} Parquet needs pyarrow", remedy=install_command("pyarrow")) from None
    return pyarrow


def _mcap(result: "Result", path: Path) -> None:
    path.unlink()  # the writer keeps what it finds under another name
    import_module(RECORDING).write_result(result, path)
