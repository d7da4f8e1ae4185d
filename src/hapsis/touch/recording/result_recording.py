"""A Result as a recording: one stream of rows with names and units, and its events."""

import json
from pathlib import Path

import numpy as np

from hapsis.errors import DeviceError
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.signals.data_frames import flat, flat_units
from hapsis.touch.recording import row_messages
from hapsis.touch.recording.mcap_writer import Writer

STREAM = "motion"
EVENTS = "events"


def write_result(result: Result, path: Path) -> None:
    """Writes the rows as the stream "motion", t = 0 at the time 0 of the file, and the events."""
    columns = flat(result)
    units = flat_units(result, columns)
    rows = np.column_stack(list(columns.values()))
    times = np.maximum(np.round(result.t * 1e9), 0.0).astype(np.int64)
    with Writer(path) as file:
        facts = {"title": result.title, "status": result.status, "message": result.message}
        file.metadata("run", facts)
        text = row_messages.definition(tuple(columns), units)
        schema = file.schema(row_messages.type_name(STREAM), row_messages.ENCODING, text)
        number = file.channel(
            f"/{STREAM}", schema, row_messages.MESSAGES, row_messages.facts(tuple(columns), units)
        )
        file.messages(number, times, row_messages.messages(rows, times))
        events = file.channel(f"/{EVENTS}", file.schema("event", "jsonschema", b'{"type": "object"}'), "json")
        for happened in result.events:
            fact = {"t": happened.time, "kind": happened.name}
            file.message(events, max(0, round(happened.time * 1e9)), json.dumps(fact).encode())
    if file.failed is not None:
        raise DeviceError(f"the recording could not be written: {file.failed}", where=str(path))
