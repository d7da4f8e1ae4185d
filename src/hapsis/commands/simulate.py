"""`hapsis simulate`: the motion of a model file, as a short report and as files."""

import dataclasses
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hapsis.commands.files import model_of
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines, print_warnings, wrapped
from hapsis.errors import Error, ModelError, Notice, one_line
from hapsis.mechanics.formats.file_text import path_of
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import own_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.result_files import ENDINGS
from hapsis.mechanics.model.tree_text import number
from hapsis.mechanics.model.values.formula import TIME, Formula
from hapsis.mechanics.model.values.numbers import number as parsed
from hapsis.mechanics.model.values.values import value_of
from hapsis.motion.simulate.simulate import simulate

if TYPE_CHECKING:
    from hapsis.motion.hybrid.hybrid import Hybrid

PLOTS = (".html", ".svg", ".png")
PHASE = "phase"  # among the start: the name of a phase of a hybrid, no number
MOST_EVENTS = 10  # kinds of events that are listed


def run(
    file: str,
    moving: "Model | Hybrid",
    until: str,
    options: Mapping[str, Any],
    save: Sequence[str],
    plot: Sequence[str],
    plot_to: str,
    show: bool,
    report: Report | None = None,
) -> bool:
    """Simulates, prints the report or fills it, writes the files; whether the run succeeded.

    `options` are the texts of the options by the names of the arguments of `hs.simulate`.
    """
    if plot_to and not plot:
        raise Error("--plot-to says where a plot goes, and there is none", remedy="add --plot NAME")
    target = plot_to or f"{Path(file).stem}_plot.html"
    check_files(save, ENDINGS, "--save")
    check_files([target] if plot else [], PLOTS, "--plot-to")
    model = model_of(moving)
    if report is None:
        print_warnings(model)
    end, keywords = number_of(until, "--until"), arguments(model, options)
    if plot:
        _check_plot(moving, end, keywords, plot)
    result, notes = _simulated(moving, end, keywords)
    result = dataclasses.replace(result, title=Path(file).stem)
    if report is None:
        _report(file, result, model)
        print_lines("note", notes)
    files: list[str] = []
    for path in _written(result, save, plot, target):
        files.append(str(path))
        if report is None:
            print(f"wrote {one_line(str(path))}")
    page = str(result.show()) if show else ""
    if page and report is None:
        print(f"shown: {one_line(page)}")
    if report is not None:
        report |= _facts(file, result, notes) | {"files": files} | ({"page": page} if page else {})
    return result.success


def _written(result: Result, save: Sequence[str], plot: Sequence[str], target: str) -> Iterator[Path]:
    """Writes all files that can be written, giving their paths, and only then says what cannot."""
    problems: list[Error] = []
    for path in save:
        try:
            yield result.save(path)
        except Error as problem:
            problems.append(problem)
    for problem in problems:
        raise problem
    if plot:
        yield Path(result.plot(*_names(result, plot)).save(target))


def _facts(file: str, result: Result, notes: Sequence[str]) -> Report:
    """How a run went, for JSON."""
    last = result.last
    names = () if last is None else (*last.coordinates, *last.speeds)
    return {
        "file": file,
        "status": result.status,
        "message": result.message,
        "success": result.success,
        "time": float(result.t[-1]),
        "rows": len(result.t),
        **result.report,
        "energy_drift": result.energy_drift,
        "constraint_error": result.constraint_error,
        "events": [event._asdict() for event in result.events],
        "last": {} if last is None else {name: last[name] for name in names},
        "names": result.names,
        "units": {name: result.units[name] for name in result.names if name in result.units},
        "warnings": [*result.warnings, *notes],
    }


def arguments(model: Model, options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `hs.simulate` for these options."""
    values: dict[str, Any] = {}
    for name in ("step", "tolerance", "every"):
        if options.get(name):
            values[name] = number_of(options[name], f"--{name}")
    for name in ("method", "limits"):
        if options.get(name):
            values[name] = options[name]
    for name, option in (("parameters", "--set"), ("start", "--start"), ("inputs", "--input")):
        values[name] = pairs(model, options.get(name) or (), option)
    if options.get("near"):
        values["near"] = pairs(model, options["near"], "--near")
    return values


def pairs(model: Model, texts: Sequence[str], option: str) -> dict[str, Any]:
    """{name: value} of the texts NAME=VALUE of an option."""
    values = dict(_pair(text, option) for text in texts)
    named = {PHASE: values.pop(PHASE)} if option == "--start" and PHASE in values else {}
    return {n: _value(model, x, f"{option} {n}", option) for n, x in values.items()} | named


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not (equals and name.strip() and value.strip()):
        raise Error(f'{option} "{text[:60]}" is no pair', expected="NAME=VALUE")
    return name.strip(), value.strip()


def _value(model: Model, text: str, what: str, option: str) -> Any:
    """A number, by a formula of the model's parameters too; for inputs also of t."""
    value = value_of(text, what)
    if not isinstance(value, Formula):
        return value
    moving = option == "--input" and TIME in value.names
    try:
        start = value.value({**model.parameters, **({TIME: 0.0} if moving else {})})
    except ModelError as error:
        raise Error(f"{what}: {error.what}") from None
    return (lambda t: value.value({**model.parameters, TIME: t})) if moving else float(start)


def number_of(text: str, what: str) -> float:
    """The number in the text of an option."""
    try:
        return parsed(text)
    except ModelError as error:
        raise Error(f"{what}: {error.what}", expected=error.expected) from None


def check_files(paths: Sequence[str], endings: Sequence[str], option: str) -> None:
    """Before a long run: whether its files can be written at all."""
    for text in paths:
        path = path_of(text)
        if path.suffix.lower() not in endings:
            raise Error(f'{option} "{path.name[:60]}" has no known ending', expected=", ".join(endings))
        wrong = "is a folder" if os.path.isdir(path) else ""
        wrong = wrong or ("" if os.path.isdir(path.parent) else "there is no such folder")
        if wrong:
            raise Error(wrong, where=f"{option} {one_line(text)[:200]}")


def _simulated(model: "Model | Hybrid", until: float, keywords: dict[str, Any]) -> tuple[Result, list[str]]:
    """The result, and the notices of the run that are not among its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = simulate(model, until, **keywords)
        except Error as error:
            raise as_options(error) from None
    notices = [str(w.message) for w in caught if issubclass(w.category, Notice)]
    own = (*result.warnings, f"the simulation did not succeed: {result.status}; {result.message}")
    return result, [text for text in notices if text not in map(one_line, own)]


def _check_plot(model: "Model | Hybrid", until: float, keywords: dict[str, Any], plot: Sequence[str]) -> None:
    """Before a long run: whether there is what shall be plotted, by the names of a run of one step."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the run itself says it
        try:
            first = simulate(model, until, **keywords, most_steps=1, progress=False)
        except Error as error:
            raise as_options(error) from None
    for name in _names(first, plot):
        try:
            first[name]
        except ModelError as error:
            raise Error(f"--plot: {error.what}", expected=error.expected) from None


def as_options(error: Error) -> Error:
    """The same error, with arguments of `hs.simulate` called as the options of the command."""

    def renamed(text: str | None) -> str | None:
        return text and re.sub(r'\b(method|limits)="(\w+)"', r"--\1 \2", text.replace("step=", "--step"))

    return Error(
        renamed(error.what) or "",
        where=error.where,
        expected=renamed(error.expected),
        remedy=renamed(error.remedy),
    )


def _report(file: str, result: Result, model: Model) -> None:
    loops = bool(model.cuts or model.constraints)
    counted, seconds = result.report, result.report["seconds"]
    span = float(result.t[-1] - result.t[0])
    pace = f", {span / seconds:.3g} times real time" if seconds > 0.0 else ""
    rejected = f", {counted['rejected']} rejected" if counted["rejected"] else ""
    print(one_line(file))
    rows = {
        "status": f"{result.status}: {result.message}",
        "time": f"{number(float(result.t[-1]), 's')} in {seconds:.2g} s{pace}",
        "preparation": f"{counted['preparation_seconds']:.2g} s to write and compile the equations",
        "steps": f"{counted['steps']} by {counted['method']}{rejected}",
        "energy drift": f"{result.energy_drift:.2g} of the energy exchanged",
        "steps lost": number(counted["lost_by_steps"], "J") if "lost_by_steps" in counted else "",
        "largest gap": f"{result.constraint_error:.2g} m or rad, of all loops" if loops else "",
        "events": _events(result),
    }
    for title, text in rows.items():
        if text:
            print(wrapped(f"  {title}", text, 16))
    print_lines("warning", own_warnings(model, result.warnings))


def _events(result: Result) -> str:
    """The events: how often and when each happened, in the order of their first time."""
    times: dict[str, list[float]] = {}
    for event in result.events:
        times.setdefault(event.name, []).append(event.time)
    texts = [
        f"{name} at {t[0]:.6g} s" if len(t) == 1 else f"{name} {len(t)} times, {t[0]:.6g} to {t[-1]:.6g} s"
        for name, t in list(times.items())[:MOST_EVENTS]
    ]
    more = len(times) - len(texts)
    return "; ".join([*texts, f"and {more} more"] if more else texts)


def _names(result: Result, plot: Sequence[str]) -> list[str]:
    """The names in the texts of an option, each with one name or several separated by commas."""
    names: list[str] = []
    for text in plot:
        whole = [text] if text in result else [name.strip() for name in text.split(",")]
        names += [name for name in whole if name and name not in names]
    if not names:
        raise Error("--plot names nothing", expected=f"names such as {', '.join(result.names[:4])}")
    return names
