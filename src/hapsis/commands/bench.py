"""`hapsis bench`: runs a benchmark, as text or JSON."""

import importlib
import importlib.util
import json
import pkgutil
import warnings
from typing import Any

from hapsis.errors import Error, Notice, near


def run(name: str, as_json: bool) -> None:
    """Prints the figures of a benchmark; without a name, the names of all benchmarks."""
    names = benchmarks()
    if not name:
        print(json.dumps(names) if as_json else "\n".join(names) or "no benchmarks in this install")
        return
    if name not in names:
        known = f"one of {', '.join(names)}" if names else "none: this install has no benchmarks"
        raise Error(f'there is no benchmark "{name}"{near(name, names)}', expected=known)
    module = importlib.import_module(f"hapsis.bench.{name}")
    if as_json:
        print(_measured_json(module))
    else:
        print(module.report(module.run()))


def benchmarks() -> list[str]:
    """The names of the benchmarks, sorted, without importing any.

    Each package inside `hapsis.bench` is one; it defines `run() -> dict` and
    `report(dict) -> str`.
    """
    if importlib.util.find_spec("hapsis.bench") is None:
        return []
    package = importlib.import_module("hapsis.bench")
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg)


def _measured_json(module: Any) -> str:
    """The numbers of one benchmark; what it would have warned about is the key `notices`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Notice)
        result = dict(module.run())
    notes = [str(w.message) for w in caught if issubclass(w.category, Notice)]
    if notes:
        result["notices"] = notes
    try:
        return json.dumps(result, indent=2, allow_nan=False, default=lambda array: array.tolist())
    except (TypeError, ValueError, AttributeError) as error:
        raise Error(f"the result of {module.__name__} is not JSON: {error}") from error
