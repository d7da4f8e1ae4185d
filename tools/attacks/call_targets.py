"""Targets of wrong calls: every public verb and class, and the methods of one object of each kind."""

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import hapsis as hs
from attacks.call_samples import FUNCTION, MODEL, RESULT, SOUND, STATE

SKIPPED = ("show", "WORLD", "library", "realtime", "haptics", "recording", "__version__")
SKIPPED += ("Joint", "Device")  # bases that cannot be made
INNER = (
    "of",
    "shortcut",
    "places",
    "entries",
    "at",
    "missing",
    "batch",
    "evaluate",
    "portable",
    "shaped",
    "unwritten",
    "traced",
)
SKIPPED += INNER  # methods for us
RETURNED = ("Expr", "Result", "Identified", "Gradient", "Report", "Comparison", "Replayed")  # by verbs
OWN_METHODS = ("__getitem__", "__call__", "__add__", "__eq__")


class Target(NamedTuple):
    """Something to call, with the arguments of a sound call by name."""

    name: str
    function: Callable[..., Any]
    sound: Mapping[str, Any]

    @property
    def written(self) -> Any:
        """The function whose signature counts: of several implementations the one for models."""
        dispatch = getattr(self.function, "dispatch", None)
        return dispatch(hs.Model) if dispatch else self.function

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """What it takes; the first argument of several implementations by its place only."""
        parameters = parameters_of(self.written)
        if self.written is not self.function:
            parameters[0] = parameters[0].replace(kind=inspect.Parameter.POSITIONAL_ONLY)
        return parameters

    @property
    def hints(self) -> dict[str, Any]:
        """The annotations by name."""
        written = self.written
        try:
            return typing.get_type_hints(written.__init__ if isinstance(written, type) else written)
        except (NameError, AttributeError, TypeError):
            return {}


def targets() -> Iterator[Target]:
    """Every public verb and class, and every method of one object of each kind."""
    packages = {"": hs, "library": hs.library, "realtime": hs.realtime, "haptics": hs.haptics}
    packages["recording"] = hs.recording
    for prefix, package in packages.items():
        for name in package.__all__:
            value = getattr(package, name)
            if name not in SKIPPED and callable(value) and not _is_error(value):
                yield _target(f"{prefix}.{name}".strip("."), value, name)
    for instance in instances():
        for name in dir(instance):
            method = inspect.getattr_static(type(instance), name, None)
            public = name[0] != "_" or name in OWN_METHODS
            ours = str(getattr(method, "__module__", "")).startswith("hapsis.")
            if public and ours and name not in SKIPPED and inspect.isroutine(method):
                yield _target(f"{type(instance).__name__}.{name}", getattr(instance, name), name)


def instances() -> Iterator[Any]:
    """One object of each kind that has public methods."""
    yield from (MODEL, RESULT, STATE, FUNCTION, hs.compile(FUNCTION, "python"))
    yield from (hs.linearize(MODEL), hs.modes(MODEL), hs.WORLD, hs.Frame())
    yield from (hs.realtime.Loop(hs.stepper(MODEL, dt=1e-3), rate=1000), hs.table([1.0, 2.0]))
    yield hs.interpolated([1.0, 2.0], 0.0, 1.0)
    yield hs.sensitivities(MODEL, until=0.01, to=["a.mass"])
    yield hs.gradient(MODEL, lambda s: s["j"], to=["a.mass"], until=0.01)
    yield hs.compile(hs.mass_matrix(MODEL))
    yield from (hs.haptics.Encoder(1e-3), hs.haptics.FiniteDifference(1e-3), hs.law(lambda x, v: -x))
    yield hs.realtime.Guard(max_force=1.0, period=1e-3)


def parameters_of(function: Any) -> list[inspect.Parameter]:
    """The parameters of a signature; options that are listed by name (Unpack) are among them."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    except (TypeError, ValueError):
        return []
    last = parameters[-1] if parameters else None
    if last is not None and last.kind is last.VAR_KEYWORD and typing.get_origin(last.annotation):
        (options,) = typing.get_args(last.annotation)
        named = inspect.Parameter.KEYWORD_ONLY
        parameters += [inspect.Parameter(name, named, default=None) for name in options.__annotations__]
    return parameters


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _target(label: str, function: Any, name: str) -> Target:
    """The target with values for the arguments without a default."""
    values: dict[str, Any] = {}
    for p in Target(label, function, {}).parameters:
        known = SOUND.get(f"{name}.{p.name}", SOUND.get(p.name))
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            values[p.name] = known
    return Target(label, function, values)
