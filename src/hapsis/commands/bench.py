"""`hapsis bench`: runs a benchmark, as text or JSON."""

import importlib
import importlib.util
import inspect
import json
import pkgutil
import sys
import warnings
from typing import Any

from hapsis.commands.progress import Progress
from hapsis.errors import Error, Notice, near


def run(name: str, as_json: bool, only: str = "", quick: bool = False) -> None:
    """Prints the figures of a benchmark; without a name, the names of all benchmarks.

    `only` are names of cases with commas between, `quick` measures few of them shortly.
    """
    names = benchmarks()
    if not name:
        print(json.dumps(names) if as_json else "\n".join(names) or "no benchmarks in this install")
        return
    if name not in names:
        known = f"one of {', '.join(names)}" if names else "none: this install has no benchmarks"
        raise Error(f'there is no benchmark "{name}"{near(name, names)}', expected=known)
    module = importlib.import_module(f"hapsis.bench.{name}")
    wanted = {"names": _chosen(module, only, quick), "quick": quick or None}
    # figures in JSON are alone on standard output, and only a terminal gets a bar beside them
    with Progress(f"bench {name}", quiet=as_json and not sys.stderr.isatty()) as progress:
        keywords = _keywords(module, wanted | {"watch": Shown(progress, rows=not as_json)})
        text = _measured_json(module, keywords) if as_json else module.report(module.run(**keywords))
    print(text)


class Shown:
    """Shows the rows of a benchmark as they come, and how far it is: a `bench.watch.Watch`."""

    def __init__(self, progress: Progress, rows: bool) -> None:
        self._progress, self._rows = progress, rows

    def expect(self, parts: int) -> None:
        """So many parts will be measured."""
        self._progress.expect(parts)

    def begin(self, part: str) -> None:
        """This part is measured now."""
        self._progress.begin(part)

    def done(self, text: str) -> None:
        """The part is measured."""
        if self._rows:
            self._progress.print(text)
        self._progress.advance()


def _chosen(module: Any, only: str, quick: bool) -> list[str] | None:
    """The names of the cases to measure; None for all."""
    if not only:
        return list(getattr(module, "QUICK", ())) or None if quick else None
    if not hasattr(module, "names"):
        raise Error(f"{module.__name__.rpartition('.')[2]} has no cases to choose from with --only")
    known, names = list(module.names()), [name.strip() for name in only.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise Error(f'there is no case "{name}"{near(name, known)}', expected=", ".join(known))
    return names


def _keywords(module: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `run` that are given and that this benchmark has."""
    known = inspect.signature(module.run).parameters
    return {name: value for name, value in wanted.items() if value is not None and name in known}


def benchmarks() -> list[str]:
    """The names of the benchmarks, sorted, without importing any.

    Each package inside `hapsis.bench` is one; it defines `run() -> dict` and
    `report(dict) -> str`. Where `run` has the arguments `names`, `quick` and `watch` (see
    `bench.watch`), it takes those of the command; `names()` are then all cases, and `QUICK` those of
    a quick run.
    """
    if importlib.util.find_spec("hapsis.bench") is None:
        return []
    package = importlib.import_module("hapsis.bench")
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg)


def _measured_json(module: Any, keywords: dict[str, Any]) -> str:
    """The numbers of one benchmark; what it would have warned about is the key `notices`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Notice)
        result = dict(module.run(**keywords))
    notes = [str(w.message) for w in caught if issubclass(w.category, Notice)]
    if notes:
        result["notices"] = notes
    try:
        return json.dumps(result, indent=2, allow_nan=False, default=lambda array: array.tolist())
    except (TypeError, ValueError, AttributeError) as error:
        raise Error(f"the result of {module.__name__} is not JSON: {error}") from error
