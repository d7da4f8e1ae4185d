"""Reader of saved results of many runs (.npz): plain arrays, and a JSON text that describes them."""

from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.formats.json_text import json_value
from hapsis.mechanics.model.result import Columns
from hapsis.mechanics.model.result_files import FORMAT
from hapsis.mechanics.model.runs.results import Results
from hapsis.mechanics.model.runs.results_files import TEXT

MOST_TEXT = 64_000_000  # bytes
LISTS = ("names", "given", "counts", "status", "message", "coordinates", "speeds")  # of texts


def npz_results(arrays: dict[str, Any], file: str) -> Results:
    """The Results in the arrays of a file; `file` is its name in errors."""
    facts = _facts(arrays[TEXT], file)
    count = len(facts["status"])
    t = _array(arrays, "t", None, file)
    _check(t.ndim == 1 and bool(np.isfinite(t).all() and (np.diff(t) >= 0.0).all()), "t", file)
    lengths = _array(arrays, "lengths", (count,), file)
    _check(bool((lengths == np.clip(lengths.round(), 0, len(t))).all()), "lengths", file)
    columns = {name: _array(arrays, f"c{k}", (count, len(t)), file) for k, name in enumerate(facts["names"])}
    report: dict[str, Any] = {"method": facts["method"]}
    for k, name in enumerate(facts["counts"]):
        report[name] = _array(arrays, f"n{k}", (count,), file)
    named = {*facts["coordinates"], *facts["speeds"]}
    _check(all(name in columns and columns[name].ndim == 2 for name in named), "coordinates", file)
    return Results(
        t=t,
        columns=Columns([(tuple(columns), columns)]),
        given={name: _array(arrays, f"g{k}", (count,), file) for k, name in enumerate(facts["given"])},
        status=tuple(facts["status"]),
        message=tuple(facts["message"]),
        warnings={k: tuple(texts) for k, texts in enumerate(facts["warnings"]) if texts},
        lengths=lengths.astype(np.int64),
        energy_drift=_array(arrays, "energy_drift", (count,), file),
        report=report,
        units=facts["units"],
        title=facts["title"],
        coordinates=tuple(facts["coordinates"]),
        speeds=tuple(facts["speeds"]),
    )


def _facts(text: Any, file: str) -> dict[str, Any]:
    _check(text.dtype == np.uint8 and text.size <= MOST_TEXT, TEXT, file)
    try:
        facts = json_value(text.tobytes())
    except ValueError:
        facts = None
    _check(isinstance(facts, dict) and facts.get("hapsis") == FORMAT, TEXT, file)
    assert isinstance(facts, dict)
    for name in LISTS:
        entries = facts.get(name)
        _check(isinstance(entries, list) and all(isinstance(x, str) for x in entries), name, file)
    for name in ("names", "given", "counts"):
        _check(len(set(facts[name])) == len(facts[name]), name, file)
    _check(len(facts["message"]) == len(facts["status"]) > 0, "message", file)
    warnings = facts.get("warnings") or []
    _check(isinstance(warnings, list) and len(warnings) == len(facts["status"]), "warnings", file)
    _check(
        all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in warnings), "warnings", file
    )
    _check(all(isinstance(facts.get(name), str) for name in ("method", "title")), "title", file)
    units = facts.get("units")
    _check(isinstance(units, dict) and all(isinstance(x, str) for x in units.values()), "units", file)
    return facts


def _array(arrays: dict[str, Any], key: str, shape: tuple[int, ...] | None, file: str) -> Any:
    """An array of numbers, whose shape begins with this one."""
    array = arrays.get(key)
    _check(array is not None and array.dtype == np.float64, key, file)
    assert array is not None
    _check(shape is None or array.shape[: len(shape)] == shape, key, file)
    return array


def _check(sound: bool, name: str, file: str) -> None:
    if not sound:
        raise ModelError(f'the saved results are damaged at "{name[:60]}"', where=file)
