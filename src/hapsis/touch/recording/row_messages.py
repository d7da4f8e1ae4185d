"""Rows of numbers as messages that others read too: CDR with a ROS 2 message definition.

A stream of rows has one definition, with a field for each column:

    builtin_interfaces/Time stamp
    float64 t
    float64 key_position  # key.position, m

All numbers are doubles at fixed places, so that many rows become messages in one step, bit for bit.
Names of fields have only a-z, 0-9 and _; the true names of the columns are in the channel's facts.
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
    found: list[str] = []
    taken = {"stamp"}
    for column in columns:
        plain = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")
        plain = plain if plain[:1].isalpha() else f"x_{plain}".rstrip("_")
        name, k = plain, 2
        while name in taken:
            name, k = f"{plain}_{k}", k + 1
        taken.add(name)
        found.append(name)
    return found


def definition(columns: Sequence[str], units: Mapping[str, str]) -> bytes:
    """The ROS 2 message definition of a stream of rows."""
    lines = ["builtin_interfaces/Time stamp"]
    for field, column in zip(field_names(columns), columns, strict=True):
        said = ", ".join(x for x in (column, units.get(column, "")) if x)
        said = "".join(c if c.isprintable() else "?" for c in said)
        lines.append(f"float64 {field}" + (f"  # {said}" if said != field else ""))
    return ("\n".join(lines) + "\n" + "=" * 80 + "\nMSG: " + TIME).encode()


def type_name(topic: str) -> str:
    """The name of the definition of a topic."""
    words = re.findall(r"[a-z0-9]+", topic.lower())
    return f"hapsis/msg/{''.join(word.capitalize() for word in words) or 'Row'}"


def facts(columns: Sequence[str], units: Mapping[str, str]) -> dict[str, str]:
    """What a channel says besides: the true names and units."""
    told = {name: unit for name, unit in units.items() if name in columns}
    return {"columns": json.dumps(list(columns)), "units": json.dumps(told)}


def messages(rows: Any, times: Any) -> Any:
    """A row of bytes for each row of numbers; times in ns."""
    made = np.empty(
        len(rows), [("head", "u1", 4), ("sec", "<i4"), ("nanosec", "<u4"), ("row", "<f8", (rows.shape[1],))]
    )
    made["head"] = LITTLE_ENDIAN
    made["sec"], made["nanosec"] = times // SECOND, times % SECOND
    made["row"] = rows
    return made.view(np.uint8).reshape(len(rows), -1)
