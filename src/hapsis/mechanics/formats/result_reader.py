"""Saved results (.npz): a zip of plain arrays, and a text that says what they are.

Nothing in it can be executed. The sizes are summed before anything is unpacked, every array has the
size its header says and a row for each time; what is damaged is told in one line.
"""

import io
import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis import view
from hapsis.errors import ModelError
from hapsis.mechanics.model.result import Columns, Happened, Result
from hapsis.mechanics.model.result_files import FORMAT
from hapsis.mechanics.model.state import State

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST_BYTES = 4_000_000_000  # of a file, and of what is in it
MOST_TEXT = 64_000_000
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_TYPES: dict[str, Any] = {
    "status": str,
    "message": str,
    "events": list,
    "energy_drift": (int, float),
    "warnings": list,
    "units": dict,
    "title": str,
    "report": dict,
    "names": list,
}
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    OSError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    MemoryError,
    IndexError,
)


def npz_result(data: bytes, file: str) -> Result:
    """The result that the bytes of a file hold; `file` is its name in errors."""
    return _Reader(_arrays(data, file), file).result()


def _arrays(data: bytes, file: str) -> dict[str, Any]:
    """The arrays of a zip by name, as floats or bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > MOST_BYTES:
                allowed = f"at most {MOST_BYTES // 1_000_000_000} GB of arrays"
                raise ModelError("the file holds too much", where=file, expected=allowed)
            return {info.filename.removesuffix(".npy"): _array(archive, info) for info in infos}
    except _BROKEN as error:
        what = "is no saved result, or it is damaged"
        raise ModelError(f"{what}: {str(error)[:100]}", where=file) from None


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Any:
    with archive.open(info) as stream:
        version = np.lib.format.read_magic(stream)
        if version not in _HEADERS:
            raise ValueError(f"{info.filename[:60]} has an unknown version")
        shape, by_columns, kind = _HEADERS[version](stream)
        if kind.kind + str(kind.itemsize) not in ("f8", "u1"):
            raise ValueError(f"{info.filename[:60]} holds no plain numbers")
        content = stream.read()
    if len(content) != math.prod(shape) * kind.itemsize:
        raise ValueError(f"{info.filename[:60]} has not the size it says")
    flat = np.frombuffer(content, dtype=kind)
    if kind.kind == "f":
        flat = flat.astype(np.float64)
    return flat.reshape(shape, order="F" if by_columns else "C")


class _Reader:
    """The arrays of a file and its text, each checked when it is taken."""

    def __init__(self, arrays: dict[str, Any], file: str) -> None:
        self.arrays, self.file = arrays, file
        self.facts = self._facts()
        self.t = self._array("t")
        self._check(self.t.ndim == 1 and bool((np.diff(self.t) >= 0.0).all()), "t")

    def result(self) -> Result:
        """What the file holds."""
        facts = self.facts
        names = self._texts("names")
        self._check(len(set(names)) == len(names), "names")
        columns = {name: self._rows(f"c{k}", name) for k, name in enumerate(names)}
        events = []
        for event in facts["events"]:
            self._check(isinstance(event, list) and len(event) == 2, "events")
            self._check(_is_number(event[0]) and isinstance(event[1], str), "events")
            events.append(Happened(float(event[0]), event[1]))
        self._check(all(isinstance(unit, str) for unit in facts["units"].values()), "units")
        return Result(
            t=self.t,
            columns=Columns([(names, columns)]),
            status=facts["status"],
            message=facts["message"],
            events=tuple(events),
            energy_drift=float(facts["energy_drift"]),
            constraint_error=float(facts.get("constraint_error", 0.0)),
            last=self._last(),
            report=facts["report"],
            warnings=tuple(self._texts("warnings")),
            units=facts["units"],
            title=facts["title"],
            scene=self._scene() if "bodies" in facts else None,
        )

    def _facts(self) -> dict[str, Any]:
        text = self._array("facts")
        self._check(text.dtype == np.uint8 and text.size <= MOST_TEXT, "facts")
        try:
            facts = json.loads(text.tobytes().decode("utf-8"))
        except (ValueError, RecursionError):
            facts = None
        self._check(isinstance(facts, dict) and "hapsis" in facts, "facts")
        assert isinstance(facts, dict)
        if facts["hapsis"] != FORMAT:
            said = str(facts["hapsis"])[:20]
            raise ModelError(f"the result has format {said}", where=self.file, expected=str(FORMAT))
        for name, kind in _TYPES.items():
            self._check(isinstance(facts.get(name), kind), name)
        return facts

    def _last(self) -> State | None:
        """The state at the end, if it was saved."""
        last = self.facts.get("last")
        if last is None:
            return None
        sound = isinstance(last, dict) and last.keys() == {"coordinates", "speeds", "q", "v"}
        self._check(sound and all(isinstance(x, list) for x in last.values()), "last")
        for names, values in (("coordinates", "q"), ("speeds", "v")):
            self._check(len(last[names]) == len(last[values]), "last")
            self._check(all(isinstance(name, str) for name in last[names]), "last")
            self._check(all(map(_is_number, last[values])), "last")
        return State(**last)

    def _scene(self) -> Any:
        """A function that gives bodies, poses, arrows and which way is up, as the player wants."""
        bodies, arrows, up = (self.facts.get(n) for n in ("bodies", "arrows", "up"))
        self._check(isinstance(bodies, list) and all(map(_is_body, bodies)), "bodies")
        self._check(isinstance(up, list) and len(up) == 3 and all(map(_is_number, up)), "up")
        assert bodies is not None and up is not None
        poses = self._rows("poses", "poses", (len(bodies), 7))
        drawn = [view.Drawn(b["name"], b["shapes"], trail=b["trail"]) for b in bodies]
        names = self._texts("arrows") if isinstance(arrows, list) else []
        moving = [
            view.Arrows(name, self._rows(f"p{k}", name, (3,)), self._rows(f"v{k}", name, (3,)))
            for k, name in enumerate(names)
        ]
        scene: Mapping[str, Any] = {
            "bodies": drawn,
            "poses": poses,
            "arrows": moving,
            "up": np.array(up, dtype=float),
        }
        return lambda: scene

    def _array(self, name: str) -> Any:
        if name not in self.arrays:
            raise ModelError(f'is no saved result: it has no "{name}"', where=self.file)
        return self.arrays[name]

    def _rows(self, key: str, name: str, inner: tuple[int, ...] | None = None) -> Array:
        """An array with a row for each time."""
        rows = self._array(key)
        fits = rows.dtype == np.float64 and rows.ndim >= 1 and len(rows) == len(self.t)
        self._check(fits and (inner is None or rows.shape[1:] == inner), name)
        return rows

    def _texts(self, name: str) -> list[str]:
        texts = self.facts[name]
        self._check(all(isinstance(text, str) for text in texts), name)
        return texts

    def _check(self, sound: bool, name: str) -> None:
        if not sound:
            raise ModelError(f'the saved result is damaged at "{name[:60]}"', where=self.file)


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def _is_body(x: Any) -> bool:
    return (
        isinstance(x, dict)
        and isinstance(x.get("name"), str)
        and all(isinstance(x.get(key), list) for key in ("shapes", "trail"))
    )
