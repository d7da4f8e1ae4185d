"""Messages in CDR with a ROS 2 definition, as numbers by name.

A definition without texts and lists has every number at a fixed place: all messages are read in one
step. Any other is read message by message; an array beside an array of texts called `name`, as in
JointState, takes its names: `position.elbow`; otherwise `position.0`. Texts are left out.

Reference: DDS-XTypes 1.3, plain CDR of version 1; the ROS 2 interface definition.
"""

import re
import struct
from typing import Any, NamedTuple

import numpy as np

from hapsis.touch.recording.mcap_records import Damaged

NUMBERS = {
    "bool": "u1",
    "byte": "u1",
    "char": "u1",
    "int8": "i1",
    "uint8": "u1",
    "int16": "i2",
    "uint16": "u2",
    "int32": "i4",
    "uint32": "u4",
    "int64": "i8",
    "uint64": "u8",
    "float32": "f4",
    "float64": "f8",
}
FORMS = {
    "u1": "B",
    "i1": "b",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "f4": "f",
    "f8": "d",
}
FIELD = re.compile(r"([\w/]+)(<=\d+)?(\[(<=)?(\d*)\])?\s+([A-Za-z]\w*)(\s*=)?")
DEEPEST, MOST = 16, 20_000  # levels; elements of a message, empty ones too


class Field(NamedTuple):
    """A field; `count` is 1, a fixed number of elements with `array`, or 0 for any number."""

    name: str
    type: str
    count: int
    array: bool


class Definition:
    """The message type that the text of a schema defines."""

    def __init__(self, text: bytes, name: str) -> None:
        try:
            parts = re.split(r"^=+\s*$", text.decode(), flags=re.M)
        except UnicodeDecodeError:
            raise Damaged("its definition is no text") from None
        self.types = {"": _fields(parts[0])}
        self.package = name.split("/")[0]
        for part in parts[1:]:
            head, _, body = part.strip().partition("\n")
            if not head.startswith("MSG:"):
                raise Damaged("its definition is not understood")
            self.types[_short(head[4:].strip())] = _fields(body)
        self.elements = 0  # visited while their places are worked out
        self.fixed = self._places()

    def fields(self, name: str) -> list[Field]:
        """The fields of a type that is defined."""
        for known in (_short(name), f"{self.package}/{name}", f"std_msgs/{name}"):
            if known in self.types:
                return self.types[known]
        raise Damaged(f'its definition uses "{name[:60]}", which it does not define')

    def _places(self) -> list[tuple[str, str, int]] | None:
        """Name, type and place of every number, if each has one place."""
        places: list[tuple[str, str, int]] = []
        return None if self._place("", "", 0, places, 0) is None else places

    def _place(
        self, of: str, prefix: str, at: int, places: list[tuple[str, str, int]], depth: int
    ) -> int | None:
        """Adds the numbers of a type that begins at `at`; where it ends, None if that varies."""
        if depth > DEEPEST:
            raise Damaged("its definition is nested too deep")
        for field in self.fields(of) if of else self.types[""]:
            if not field.count or field.type in ("string", "wstring"):
                return None
            for k in range(field.count):
                self.elements += 1
                if self.elements > MOST:
                    raise Damaged(f"its messages have more than {MOST} elements")
                name = f"{prefix}{field.name}" + (f".{k}" if field.array else "")
                if field.type in NUMBERS:
                    kind = NUMBERS[field.type]
                    size = int(kind[1])
                    at = -(-at // size) * size
                    places.append((name, kind, at))
                    at += size
                else:
                    end = self._place(field.type, f"{name}.", at, places, depth + 1)
                    if end is None:
                        return None
                    at = end
        return at

    def columns(self, data: Any) -> dict[str, Any] | None:
        """The columns of messages of equal length; None if their numbers have no fixed places."""
        if self.fixed is None:
            return None
        order = _order(bytes(data[0, :4]))
        columns: dict[str, Any] = {}
        for name, kind, at in self.fixed:
            size = int(kind[1])
            if 4 + at + size > data.shape[1]:
                raise Damaged("a message is shorter than its definition")
            part = np.ascontiguousarray(data[:, 4 + at : 4 + at + size])
            columns[name] = part.view(order + kind)[:, 0].astype(float)
        return columns

    def numbers(self, message: bytes) -> dict[str, float]:
        """The numbers of one message by name."""
        row: dict[str, float] = {}
        _Message(message, self).read(self.types[""], "", row, 0)
        return row


class _Message:
    """One message, read from its start on."""

    def __init__(self, data: bytes, definition: Definition) -> None:
        self.order = _order(data[:4])
        self.data, self.at, self.definition = data[4:], 0, definition
        self.elements = 0

    def read(self, fields: list[Field], prefix: str, row: dict[str, float], depth: int) -> None:
        """Puts the numbers of all fields into `row`."""
        if depth > DEEPEST:
            raise Damaged("a message is nested too deep")
        names: list[str] = []
        for field in fields:
            count = field.count or int(self._number("u4"))
            if field.type in ("uint8", "byte", "char") and field.array and count > MOST:
                self._skip(count)
                continue
            self.elements += count
            if self.elements > MOST:
                raise Damaged(f"a message has more than {MOST} elements")
            if field.type == "string":
                texts = [self._text() for _ in range(count)]
                names = texts if field.array and field.name == "name" else names
                continue
            named = names if len(names) == count else [str(k) for k in range(count)]
            for k in range(count):
                name = f"{prefix}{field.name}" + (f".{named[k]}" if field.array else "")
                if field.type in NUMBERS:
                    row[name] = float(self._number(NUMBERS[field.type]))
                else:
                    inner = self.definition.fields(field.type)
                    self.read(inner, f"{name}.", row, depth + 1)

    def _number(self, kind: str) -> Any:
        size = int(kind[1])
        self.at = -(-self.at // size) * size
        self._skip(size)
        return struct.unpack_from(self.order + FORMS[kind], self.data, self.at - size)[0]

    def _text(self) -> str:
        size = self._number("u4")
        self._skip(size)
        return self.data[self.at - size : self.at].rstrip(b"\0").decode(errors="replace")

    def _skip(self, size: int) -> None:
        if size > len(self.data) - self.at:
            raise Damaged("a message is shorter than its definition")
        self.at += size


def _order(head: bytes) -> str:
    if len(head) < 4 or head[0] != 0 or head[1] not in (0, 1):
        raise Damaged("a message is no plain CDR")
    return "<" if head[1] else ">"


def _short(name: str) -> str:
    return name.replace("/msg/", "/")


def _fields(text: str) -> list[Field]:
    """The fields of one definition; constants and defaults have no part in messages."""
    fields: list[Field] = []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        match = FIELD.match(line)
        if match is None:
            raise Damaged(f'its definition says "{line[:60]}"')
        kind, _, array, bounded, size, name, constant = match.groups()
        if constant:
            continue
        count = 1 if not array else int(size) if size and not bounded else 0
        if array and size and not bounded and not 0 < count <= MOST:
            raise Damaged(f'its definition says "{line[:60]}"')
        fields.append(Field(name, kind, count, bool(array)))
    return fields
