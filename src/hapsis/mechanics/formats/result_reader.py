"""Reader of saved results (.npz): a zip of plain arrays, and a JSON text that describes them.

Files are untrusted: nothing in them is executed, and sizes are checked before anything is unpacked.
Every array must have the size of its header and a row for each time; damage is reported in one line.
"""

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import Error, ModelError
from hapsis.mechanics.formats.json_text import json_value
from hapsis.mechanics.formats.results_reader import npz_results
from hapsis.mechanics.model.result import Columns, Happened, PhaseEvent, Result
from hapsis.mechanics.model.result_files import FORMAT, most_unpacked
from hapsis.mechanics.model.runs.results import Results
from hapsis.mechanics.model.runs.results_files import TEXT
from hapsis.mechanics.model.state import State
from hapsis.view.film.drawing_check import checked_drawing
from hapsis.view.skins import checked_skin

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST_BYTES = 4_000_000_000  # of a file
MOST_TEXT = 64_000_000
MOST_NAME = 60  # characters of a name in a message
# the header that numpy.save writes: a length of two or four bytes by its version, then this
_LENGTHS = {b"\x01\x00": "<H", b"\x02\x00": "<I"}
_HEADER = re.compile(
    r"\{'descr': '[<|](f8|u1)', 'fortran_order': (True|False), "
    r"'shape': \(((?:\d{1,18}, ?)*\d{0,18})\), \} *\n"
)
_TYPES: dict[str, Any] = {
    "status": str,
    "message": str,
    "events": list,
    "warnings": list,
    "units": dict,
    "title": str,
    "report": dict,
    "names": list,
}
# what zipfile raises for damaged archives, and we for damaged arrays
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OSError,
    NotImplementedError,
    RuntimeError,
    MemoryError,
)


def npz_result(data: bytes, file: str) -> Result | Results:
    """The Result, or the Results of many runs, in the bytes of a file; `file` is its name in errors."""
    arrays = _arrays(data, file)
    return npz_results(arrays, file) if TEXT in arrays else _Reader(arrays, file).result()


def _arrays(data: bytes, file: str) -> dict[str, Any]:
    """The arrays of a zip by name, as floats or bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            most = most_unpacked(len(data))
            if sum(info.file_size for info in infos) > most:
                allowed = f"at most {most // 1_000_000} MB of arrays in a file of this size"
                raise ModelError("the file holds too much", where=file, expected=allowed)
            return {info.filename.removesuffix(".npy"): _array(archive, info) for info in infos}
    except _BROKEN as error:
        what = "is no saved result, or it is damaged"
        raise ModelError(f"{what}: {str(error)[:100]}", where=file) from None


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Any:
    """An array as numpy.save wrote it; only plain numbers, and nothing of the header is evaluated."""
    name = info.filename[:MOST_NAME]
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is packed in an unknown way")
    with archive.open(info) as stream:
        start = stream.read(8)
        length = _LENGTHS.get(start[6:]) if start[:6] == b"\x93NUMPY" else None
        if length is None:
            raise ValueError(f"{name} is no array, or of an unknown version")
        (count,) = struct.unpack(length, stream.read(struct.calcsize(length)))
        header = _HEADER.fullmatch(stream.read(count).decode("latin-1"))
        if header is None:
            raise ValueError(f"{name} holds no plain numbers")
        content = stream.read()
    kind, by_columns, sizes = header.groups()
    shape = tuple(int(size) for size in sizes.replace(" ", "").split(",") if size)
    if len(content) != math.prod(shape) * np.dtype(kind).itemsize:
        raise ValueError(f"{name} has not the size it says")
    return np.frombuffer(content, dtype=kind).reshape(shape, order="F" if by_columns == "True" else "C")


class _Reader:
    """The arrays and the JSON text of a file; each is checked when it is read."""

    def __init__(self, arrays: dict[str, Any], file: str) -> None:
        self.arrays, self.file = arrays, file
        self.facts = self._facts()
        self.t = self._array("t")
        rising = self.t.ndim == 1 and bool(np.isfinite(self.t).all() and (np.diff(self.t) >= 0.0).all())
        self._check(rising, "t")

    def _event(self, event: Any) -> Happened:
        """An event: a time and a name; of a hybrid also its phases, its loss and its impulses."""
        self._check(isinstance(event, list) and len(event) in (2, 6), "events")
        self._check(isinstance(event[1], str), "events")
        time = self._number(event[0], "events")
        if len(event) == 2:
            return Happened(time, event[1])
        _, name, before, after, loss, impulses = event
        self._check(isinstance(before, str) and isinstance(after, str), "events")
        self._check(isinstance(impulses, dict), "events")
        rows = {str(row): self._number(x, "events") for row, x in impulses.items()}
        return PhaseEvent(time, name, before, after, self._number(loss, "events"), rows)

    def result(self) -> Result:
        """The Result of the file."""
        facts = self.facts
        names = self._texts("names")
        self._check(len(set(names)) == len(names), "names")
        columns = {name: self._rows(f"c{k}", name) for k, name in enumerate(names)}
        events = [self._event(event) for event in facts["events"]]
        self._check(all(isinstance(unit, str) for unit in facts["units"].values()), "units")
        return Result(
            t=self.t,
            columns=Columns([(names, columns)]),
            status=facts["status"],
            message=facts["message"],
            events=tuple(events),
            energy_drift=self._number(facts.get("energy_drift"), "energy_drift"),
            constraint_error=self._number(facts.get("constraint_error", 0.0), "constraint_error"),
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
            facts = json_value(text.tobytes())
        except ValueError:
            facts = None
        self._check(isinstance(facts, dict) and "hapsis" in facts, "facts")
        assert isinstance(facts, dict)
        if facts["hapsis"] != FORMAT:
            version = str(facts["hapsis"])[:20]
            raise ModelError(f"the result has format {version}", where=self.file, expected=str(FORMAT))
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
        """A function that returns the bodies, poses, arrows and up direction for the player."""
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
            "drawing": self._drawing([body["name"] for body in bodies]),
            "skins": self._skins(),
        }
        return lambda: scene

    def _skins(self) -> list[Any]:
        """Surfaces that deform; files of earlier versions have none."""
        rows = self.facts.get("skins", [])
        self._check(isinstance(rows, list) and all(map(_is_skin, rows)), "skins")
        try:
            return [
                checked_skin(
                    view.Skin(row["name"], self._rows(f"s{k}", row["name"]), row["triangles"]), len(self.t)
                )
                for k, row in enumerate(rows)
            ]
        except Error as error:
            raise ModelError('the saved result is damaged at "skins"', where=self.file) from error

    def _drawing(self, names: list[str]) -> Any:
        """What is drawn of the model; files of earlier versions have only the shapes of bodies."""
        if self.facts.get("drawing") is None:
            return None
        try:
            return checked_drawing(self.facts["drawing"], names)
        except Error as error:
            raise ModelError('the saved result is damaged at "drawing"', where=self.file) from error

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

    def _number(self, x: Any, name: str) -> float:
        self._check(_is_number(x), name)
        return float(x)

    def _check(self, sound: bool, name: str) -> None:
        if not sound:
            raise ModelError(f'the saved result is damaged at "{name[:60]}"', where=self.file)


def _is_number(x: Any) -> bool:
    if isinstance(x, int) and not isinstance(x, bool):
        return abs(x) < 2**1023  # else no float
    return isinstance(x, float)


def _is_skin(x: Any) -> bool:
    return (
        isinstance(x, dict)
        and isinstance(x.get("name"), str)
        and isinstance(x.get("triangles"), list)
        and len(x["triangles"]) % 3 == 0
        and all(type(k) is int and 0 <= k < 2**31 for k in x["triangles"])
    )


def _is_body(x: Any) -> bool:
    return (
        isinstance(x, dict)
        and isinstance(x.get("name"), str)
        and all(isinstance(x.get(key), list) for key in ("shapes", "trail"))
    )
