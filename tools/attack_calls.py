"""Wrong calls: every public verb and method with wrong values in every argument.

    python tools/attack_calls.py --seconds 600 --seed 1
    python tools/attack_calls.py --only simulate

Each call is a sound one with one argument replaced by a wrong value; the arguments are those of the
signature. What comes back must be a result, an `hs.Error` of one line, or for arguments that do not
exist a TypeError with the verb's own name. Anything else comes from inside and counts as a traceback.
`run(seconds, seed)` returns the rows of the table: tried, accepted, refused, tracebacks, slow.
"""

import argparse
import contextlib
import inspect
import io
import os
import random
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs

LONGEST = 2.0  # s of processor time
HANGS = 20.0  # s
SHOWN = 20  # offenders of one row
SKIPPED = ("show", "WORLD", "library", "realtime", "haptics", "recording", "__version__")
SKIPPED += ("Joint", "Device")  # bases that cannot be made
SKIPPED += (
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
)  # for us


class Target(NamedTuple):
    """Something to call, with the arguments of a sound call by name."""

    name: str
    function: Callable[..., Any]
    sound: Mapping[str, Any]


class Hangs(BaseException):
    """A call that takes too long."""


def bad_values() -> list[Any]:
    """The pool of wrong values."""
    return [
        *(None, True, False, -1, 0, 1, 3, 0.5, -2.5, 1e300, -1e300, 1e-300, 10**400, 10**12),
        *(float("nan"), float("inf"), -float("inf"), 1j, np.float64("nan"), np.int64(-7)),
        *("", "text", "1", "nonsense", "a\x00b", "é" * 300, "j", "a", b"bytes", Path("/nonexistent/a.yaml")),
        *([], {}, (), (1, 2), [1.0, float("nan"), 2.0], ["x"], [None], {"x": None}, {"j": "x"}, {None: 1}),
        *({"j": float("nan")}, {"a.mass": -1.0}, [[1, 2], [3]], np.zeros((2, 3)), np.array("x"), np.zeros(0)),
        *(np.full(3, np.nan), range(3), object(), int, Ellipsis, slice(1), lambda: None, lambda *a: None),
        *(lambda x: x, lambda *a: "text", hs.symbol("x"), MODEL, FUNCTION, print, iter([1]), {1, 2}),
        *(hs.Body("z", mass=1.0), hs.Revolute("y", "world", "a"), hs.Formula("2*k"), STATE, RESULT),
    ]


MODEL = hs.Model(
    hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"tip": (0, 0, -1)}),
    hs.Revolute("j", hs.WORLD, "a", axis="y"),
    hs.JointSpring("s", "j", stiffness=20.0, damping=0.3),
    hs.Sensor("imu", "imu", "a.tip"),
    hs.Wrench("w", "a.tip", force=(0, 0, 0)),
)
FUNCTION = hs.Function("f", {"x": hs.symbol("x")}, {"y": hs.symbol("x") * 2.0})
STATE = hs.State(MODEL.coordinates, MODEL.speeds, [0.1])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    RESULT = hs.simulate(MODEL, until=0.02, every=0.001)

# sound values of arguments by name, and of the arguments of one target by "target.name"
SOUND: dict[str, Any] = {
    "model": MODEL,
    "until": 0.01,
    "function": FUNCTION,
    "f": FUNCTION,
    "state": STATE,
    "result": RESULT,
    "name": "n",
    "to": ["a.mass"],
    "loss": lambda s: s["j"] ** 2,
    "frame": "a.tip",
    "body": "a",
    "motion": {"j": lambda t: 0.1 * hs.sin(t)},
    "pose": (0.0, 0.0, -1.0),
    "dt": 1e-3,
    "mass": 1.0,
    "first": "world",
    "second": "a",
    "joint": "j",
    "on": "a.tip",
    "law": lambda x, v: -x,
    "x": 0.5,
    "y": 0.2,
    "stiffness": 10.0,
    "length": 1.0,
    "radius": 0.1,
    "size": (0.1, 0.1, 0.1),
    "ratio": 2.0,
    "pitch": 0.1,
    "sequence": "Tx Rz",
    "kind": "imu",
    "value": 1.0,
    "values": [1.0, 2.0, 3.0, 4.0],
    "start": 0.0,
    "step": 0.5,
    "condition": 1.0,
    "a": 1.0,
    "b": 2.0,
    "low": -1.0,
    "high": 1.0,
    "exponent": 2.0,
    "text": "2 * k",
    "what": "w",
    "inputs": {"x": hs.symbol("x")},
    "outputs": {"y": hs.symbol("x")},
    "coordinates": ("j",),
    "speeds": ("j.v",),
    "q": [0.1],
    "t": [0.0, 0.1],
    "columns": {},
    "at": (0.0, 0.0, 0.0),
    "times": 3,
    "when": lambda s: s["j"],
    "step_": None,
    "rate": 1000,
    "expr": hs.symbol("x"),
    "graph": None,
    "ref": 2,
    "simulate.start": None,
    "equilibrium.start": None,
    "stepper.start": None,
    "follow.start": None,
    "sensitivities.start": None,
    "gradient.start": None,
    "assemble.start": None,
    "reach.start": None,
    "Sensor.on": "a.tip",
    "Contact.first": "a.tip",
    "Contact.second": ("world", hs.Plane()),
    "path": "x.yaml",
    "Contact.law": None,
    "Controller.law": lambda s: {"j": -s["j"]},
    "OnSurface.first": "a.tip",
    "OnSurface.second": "world",
    "OnSurface.surface": lambda x, y, z: z,
    "OnCurve.second": "world",
    "OnCurve.first": "a.tip",
    "OnCurve.curve": lambda x, y, z: (y, z),
    "Gear.first": "j",
    "Gear.second": "k",
    "Heightfield.height": lambda x, y: 0.0 * x,
    "Heightfield.start": None,
    "Heightfield.step": None,
    "Tendon.arms": {"j": 0.1},
    "table.values": [1.0, 2.0],
    "symbols.shape": 2,
    "same.x": hs.symbol("x"),
    "same.y": hs.symbol("x"),
    "Drive.position": 0.1,
    "identify.parameters": ["s.stiffness"],
    "identify.data": RESULT,
    "law.function": lambda x, v: -x,
    "repeat.state": hs.symbol("x"),
}


def targets() -> Iterator[Target]:
    """Every public verb and class, and every method of one object of each kind."""
    packages = {"": hs, "library": hs.library, "realtime": hs.realtime, "haptics": hs.haptics}
    packages["recording"] = hs.recording
    for prefix, package in packages.items():
        for name in package.__all__:
            value = getattr(package, name)
            if name not in SKIPPED and callable(value) and not _is_error(value):
                yield Target(f"{prefix}.{name}".strip("."), value, _sound(value, name))
    for instance in instances():
        kind = type(instance).__name__
        for name in dir(instance):
            method = inspect.getattr_static(type(instance), name, None)
            public = name[0] != "_" or name in ("__getitem__", "__call__", "__add__", "__eq__")
            ours = str(getattr(method, "__module__", "")).startswith("hapsis.")
            if public and ours and name not in SKIPPED and inspect.isroutine(method):
                value = getattr(instance, name)
                yield Target(f"{kind}.{name}", value, _sound(value, name))


def instances() -> Iterator[Any]:
    """One object of each kind that has public methods."""
    yield from (MODEL, RESULT, STATE, FUNCTION, hs.compile(FUNCTION, "python"))
    yield from (hs.linearize(MODEL), hs.modes(MODEL), hs.WORLD, hs.Frame())
    yield from (hs.realtime.Loop(hs.stepper(MODEL, dt=1e-3), rate=1000), hs.table([1.0, 2.0]))
    yield hs.interpolated([1.0, 2.0], 0.0, 1.0)


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _sound(function: Any, name: str) -> dict[str, Any]:
    """Values for the arguments without a default."""
    values: dict[str, Any] = {}
    for p in _parameters(function):
        known = SOUND.get(f"{name}.{p.name}", SOUND.get(p.name))
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            values[p.name] = known
    return values


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        return [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    except (TypeError, ValueError):
        return []


def calls(target: Target) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    """Every wrong call of a target: what is wrong, positional and named arguments."""
    parameters = _parameters(target.function)
    plain = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    for k, bad in enumerate(bad_values()):
        for p in plain:
            yield f"{p.name}={_shown(bad)}", *_given(plain, {**target.sound, p.name: bad})
        if several:
            positional, named = _given(plain, target.sound)
            yield f"*{_shown(bad)}", [*positional, bad], named
        if k == 0:
            yield "nonsense=1", [], {**target.sound, "nonsense_": 1}


def _given(plain: list[inspect.Parameter], values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    positional = [values[p.name] for p in plain if p.name in values and p.kind is p.POSITIONAL_ONLY]
    named = {p.name: values[p.name] for p in plain if p.name in values and p.kind is not p.POSITIONAL_ONLY}
    return positional, named


def _shown(value: Any) -> str:
    text = f"<{type(value).__name__}>" if callable(value) else repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


@contextlib.contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raises Hangs inside what takes longer."""

    def ring(number: int, frame: Any) -> None:
        raise Hangs(f"interrupted after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def outcome(target: Target, positional: list[Any], named: Mapping[str, Any]) -> tuple[str, str]:
    """accepted, refused, tracebacks or slow, and why."""
    begin, why, kind = time.process_time(), "", "accepted"
    try:
        with interrupted(HANGS), contextlib.redirect_stdout(io.StringIO()):
            result = target.function(*positional, **named)
            if inspect.isgenerator(result):
                next(result, None)
    except hs.Error as error:
        kind, why = ("tracebacks", "more than one line") if "\n" in str(error) else ("refused", str(error))
    except Hangs as error:
        kind, why = "slow", str(error)
    except TypeError as error:
        own = f"{target.name.rpartition('.')[2]}" in str(error) or "__init__" in str(error)
        signature = own and ("argument" in str(error))
        kind, why = ("refused" if signature else "tracebacks"), f"TypeError: {error}"
    except Exception as error:
        kind, why = "tracebacks", f"{type(error).__name__}: {error}"
    seconds = time.process_time() - begin
    return (
        ("slow", f"{seconds:.1f} s") if kind in ("accepted", "refused") and seconds > LONGEST else (kind, why)
    )


def attempts(seed: int, only: str = "") -> list[tuple[Target, str, list[Any], dict[str, Any]]]:
    """All wrong calls in a random order."""
    chosen = [t for t in targets() if only in t.name]
    every = [(target, *call) for target in chosen for call in calls(target)]
    random.Random(seed).shuffle(every)
    return every


def run(seconds: float, seed: int = 0, only: str = "", most: int | None = None) -> list[dict[str, Any]]:
    """The rows of the table after so many seconds or calls, or when every call was made."""
    rows: dict[str, dict[str, Any]] = {}
    end = time.monotonic() + seconds
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        warnings.simplefilter("ignore")
        for target, what, positional, named in attempts(seed, only)[:most]:
            if time.monotonic() > end:
                break
            name = "calls of methods" if target.name[0].isupper() and "." in target.name else "calls of verbs"
            row = rows.setdefault(name, _row(name))
            kind, why = outcome(target, positional, named)
            row["tried"] += 1
            row[kind] += 1
            if kind not in ("accepted", "refused"):
                row["offenders"].append((kind, f"{target.name}({what})", why))
    return list(rows.values())


def _row(name: str) -> dict[str, Any]:
    counts = dict.fromkeys(("tried", "accepted", "refused", "impossible", "tracebacks", "slow", "broken"), 0)
    return {"name": name, **counts, "offenders": []}


def main() -> int:
    """Runs the calls and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only targets with this text in their name")
    options = parser.parse_args()
    os.environ["BROWSER"] = "true"
    rows = run(options.seconds, options.seed, options.only)
    for row in rows:
        print({n: x for n, x in row.items() if n != "offenders"})
        for offender in sorted(row["offenders"]):
            print("   ", *offender)
    return int(any(row["tracebacks"] or row["slow"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
