"""The messages of a stream as columns of numbers by name: JSON, and CDR with a ROS 2 definition."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.mechanics.formats.json_text import json_value
from hapsis.touch.recording.mcap_records import Channel, Damaged, Schema
from hapsis.touch.recording.ros2_messages import Definition

MOST_COLUMNS = 20_000
SPARSE = 10_000_000  # numbers of columns; of more, a tenth must be there
DEEPEST = 16  # levels of a JSON message
Decoder = Callable[[Any], dict[str, Any]]


def decoder(channel: Channel, schema: Schema | None) -> Decoder:
    """The function that gives the columns of messages, a row of bytes each, of a channel."""
    if channel.encoding == "json":
        return _json_columns
    if channel.encoding == "cdr" and schema is not None and schema.encoding == "ros2msg":
        definition = Definition(schema.data, schema.name)

        def decode(data: Any) -> dict[str, Any]:
            columns = definition.columns(data)
            return columns or _columns([definition.numbers(bytes(message)) for message in data])

        return decode
    raise Damaged(
        f'its messages are "{channel.encoding[:60]}", which is not read here; '
        'read are "json" and "cdr" with a "ros2msg" schema'
    )


def _json_columns(data: Any) -> dict[str, Any]:
    rows: list[dict[str, float]] = []
    for message in data:
        row: dict[str, float] = {}
        try:
            _flatten(json_value(bytes(message)), "", row, 0)
        except ValueError:
            raise Damaged("a message is no JSON") from None
        rows.append(row)
    return _columns(rows)


def _flatten(x: Any, name: str, row: dict[str, float], depth: int) -> None:
    """Puts the numbers of a JSON value into `row`, by the names on the way to them."""
    if isinstance(x, bool) or x is None or isinstance(x, str) or depth > DEEPEST:
        return
    if isinstance(x, int | float):
        try:
            row[name or "value"] = float(x)
        except OverflowError:
            raise Damaged("a number is too large") from None
        if len(row) > MOST_COLUMNS:
            raise Damaged(f"a message has more than {MOST_COLUMNS} numbers")
        return
    for key, value in x.items() if isinstance(x, dict) else enumerate(x):
        _flatten(value, f"{name}.{key}" if name else str(key), row, depth + 1)


def _columns(rows: list[dict[str, float]]) -> dict[str, Any]:
    """Rows as columns; NaN where a row has no such number."""
    return joined([({name: np.float64(x) for name, x in row.items()}, 1) for row in rows])


def joined(parts: list[tuple[dict[str, Any], int]]) -> dict[str, Any]:
    """Columns from parts and the numbers of their rows; NaN where a part has no such column."""
    names = dict.fromkeys(name for part, _ in parts for name in part)
    rows, count = sum(n for _, n in parts), sum(len(part) * n for part, n in parts)
    if len(names) > MOST_COLUMNS:
        raise Damaged(f"it has more than {MOST_COLUMNS} columns")
    if len(names) * rows > max(SPARSE, 10 * count):
        raise Damaged("its messages have ever other names: ask for less time")
    columns = {name: np.full(rows, np.nan) for name in names}
    start = 0
    for part, n in parts:
        for name, values in part.items():
            columns[name][start : start + n] = values
        start += n
    return columns


def original_names(columns: dict[str, Any], channel: Channel) -> tuple[dict[str, Any], dict[str, str]]:
    """The columns under the names that our recorder noted, if it did, and their units."""
    try:
        names = json_value(channel.metadata.get("columns", "null"))
        units = json_value(channel.metadata.get("units", "{}"))
    except ValueError:
        return columns, {}
    sound = isinstance(names, list) and all(isinstance(x, str) for x in names)
    if sound and not columns:  # no rows at all
        columns = dict.fromkeys(names, np.zeros(0))
    fields = [name for name in columns if not name.startswith("stamp.")]
    if not sound or len(names) != len(fields) or len(set(names)) < len(names):
        return columns, {}
    if not isinstance(units, dict) or not all(isinstance(x, str) for x in units.values()):
        units = {}
    return {name: columns[field] for name, field in zip(names, fields, strict=True)}, units
