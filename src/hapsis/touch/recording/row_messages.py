"""Rows of numbers as messages that other programs can read: CDR with a ROS 2 definition.

A stream of rows has one definition, with a field for each column:

    builtin_interfaces/Time stamp
    float64 t
    float64 key_position  # key.position, m

All numbers are doubles at fixed places, so many rows are packed in one step, bit for bit. Field
names have only a-z, 0-9 and _; the true names of the columns are in the channel's metadata.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

ENCODING, MESSAGES = "ros2msg", "cdr"
LITTLE_ENDIAN = (0, 1, 0, 0)  # the first bytes of a CDR message
TIME = """builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
SECOND = 1_000_000_000  # ns


def field_names(columns: Sequence[str]) -> list[str]:
    """A name that ROS allows for each column, all different."""
    fields: list[str] = []
    used = {"stamp"}
    for column in columns:
        plain = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")
        plain = plain if plain[:1].isalpha() else f"x_{plain}".rstrip("_")
        name, k = plain, 2
        while name in used:
            name, k = f"{plain}_{k}", k + 1
        used.add(name)
        fields.append(name)
    return fields


def definition(columns: Sequence[str], units: Mapping[str, str]) -> bytes:
    """The ROS 2 message definition of a stream of rows."""
    lines = ["builtin_interfaces/Time stamp"]
    for field, column in zip(field_names(columns), columns, strict=True):
        comment = ", ".join(x for x in (column, units.get(column, "")) if x)
        comment = "".join(c if c.isprintable() else "?" for c in comment)
        lines.append(f"float64 {field}" + (f"  # {comment}" if comment != field else ""))
    return ("\n".join(lines) + "\n" + "=" * 80 + "\nMSG: " + TIME).encode()


def type_name(topic: str) -> str:
    """The name of the definition of a topic."""
    words = re.findall(r"[a-z0-9]+", topic.lower())
    return f"hapsis/msg/{''.join(word.capitalize() for word in words) or 'Row'}"


def facts(columns: Sequence[str], units: Mapping[str, str]) -> dict[str, str]:
    """The metadata of a channel: the true names of its columns and their units."""
    known = {name: unit for name, unit in units.items() if name in columns}
    return {"columns": json.dumps(list(columns)), "units": json.dumps(known)}


def messages(rows: Any, times: Any) -> Any:
    """The messages as rows of bytes, one for each row of numbers; times in ns."""
    packed = np.empty(
        len(rows), [("head", "u1", 4), ("sec", "<i4"), ("nanosec", "<u4"), ("row", "<f8", (rows.shape[1],))]
    )
    packed["head"] = LITTLE_ENDIAN
    packed["sec"], packed["nanosec"] = times // SECOND, times % SECOND
    packed["row"] = rows
    return packed.view(np.uint8).reshape(len(rows), -1)
