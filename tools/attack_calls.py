"""Wrong calls: every public verb and method with wrong values in every argument.

    python tools/attack_calls.py --seconds 600 --seed 1
    python tools/attack_calls.py --only simulate

Each call is a sound one with one argument replaced by a wrong value, or by a list, a mapping or a
function that gives one; the arguments are those of the signature. What comes back must be a result, an
`hs.Error` of one line, for too many or too few arguments a TypeError with the verb's own name, or the
error of the user's own function with a note that says which function. Anything else comes from inside
and counts as a traceback. A number that the signature does not allow is impossible.
`run(seconds, seed)` returns the rows of the table: tried, accepted, refused, impossible, tracebacks, slow.
"""

import argparse
import contextlib
import importlib
import inspect
import io
import math
import os
import random
import tempfile
import time
import warnings
from collections.abc import Mapping
from inspect import Parameter
from typing import Any, NamedTuple

from attacks.call_samples import FUNCTION, MODEL, bad_values, nested
from attacks.call_targets import RETURNED, Target, targets
from attacks.table import LONGEST, Hangs, interrupted

import hapsis as hs
from hapsis.compiler.ir.functions.argument_kinds import alternatives, fits

__all__ = ["FUNCTION", "MODEL", "Target", "attempts", "run", "targets"]

HANGS = 20.0  # s
VALUES, NESTS = len(bad_values()), 1 + len(nested(None, ""))
ONCE = "sympy"  # its import takes seconds of its own


class Call(NamedTuple):
    """A wrong call: of what, the argument and its wrong value, what is wrong inside, all arguments."""

    target: Target
    name: str
    bad: Any
    inner: Any
    positional: list[Any]
    named: Mapping[str, Any]

    @property
    def what(self) -> str:
        """The wrong argument in words."""
        return (
            f"{self.name}={_shown(self.bad, self.inner)}" if self.name else f"*{_shown(self.bad, self.bad)}"
        )


class Form(NamedTuple):
    """Which wrong call of a target: the argument ("" for one more), the wrong value, what it is inside of."""

    name: str
    value: int
    nest: int


def forms(target: Target) -> list[Form]:
    """Every wrong call of a target."""
    kinds = {p.name: p.kind for p in target.parameters}
    names = [n for n, kind in kinds.items() if kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)]
    every = [Form(name, value, nest) for name in names for value in range(VALUES) for nest in range(NESTS)]
    if Parameter.VAR_POSITIONAL in kinds.values():
        every += [Form("", value, 0) for value in range(VALUES)]
    return [*every, Form("nonsense", 1, 0)]


def call_of(target: Target, form: Form) -> Call:
    """A wrong call with values of its own."""
    plain = [p for p in target.parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    inner = bad_values()[form.value]
    bad = (inner, *nested(inner, "j"))[form.nest]
    if form.name == "nonsense":
        return Call(target, form.name, bad, inner, *_given(plain, target.sound, nonsense=bad))
    if form.name:
        return Call(target, form.name, bad, inner, *_given(plain, {**target.sound, form.name: bad}))
    positional, named = _given(plain, target.sound)
    return Call(target, "", bad, inner, [*positional, bad], named)


def _given(
    plain: list[Parameter], values: Mapping[str, Any], **more: Any
) -> tuple[list[Any], dict[str, Any]]:
    positional = [values[p.name] for p in plain if p.name in values and p.kind is p.POSITIONAL_ONLY]
    named = {p.name: values[p.name] for p in plain if p.name in values and p.kind is not p.POSITIONAL_ONLY}
    return positional, named | more


def _shown(value: Any, inner: Any) -> str:
    """A value in one line; a function with what it gives."""
    text = repr(value) if not callable(value) else f"<{type(value).__name__}>"
    if callable(value) and value is not inner:
        text = f"<function that gives {_shown(inner, inner)}>"
    text = " ".join(text.split())
    return text if len(text) < 60 else f"{text[:57]}..."


def outcome(call: Call) -> tuple[str, str]:
    """accepted, refused, impossible, tracebacks or slow, and why."""
    begin, why, kind = time.process_time(), "", "accepted"
    try:
        with interrupted(HANGS), contextlib.redirect_stdout(io.StringIO()):
            result = call.target.function(*call.positional, **call.named)
            if inspect.isgenerator(result):
                next(result, None)
        if not possible(call):
            kind, why = "impossible", "the signature says that it is a number"
    except hs.Error as error:
        kind, why = ("tracebacks", "more than one line") if "\n" in str(error) else ("refused", str(error))
    except Hangs as error:
        kind, why = "slow", str(error)
    except Exception as error:
        kind = "refused" if _explained(error, call.target) else "tracebacks"
        why = f"{type(error).__name__}: {error}"
    seconds = time.process_time() - begin
    if kind in ("accepted", "refused") and seconds > LONGEST:
        return "slow", f"{seconds:.1f} s"
    return kind, why


def _explained(error: Exception, target: Target) -> bool:
    """Whether an error of Python is right: it is the user's own with a note, or about the signature."""
    if getattr(error, "__notes__", []):
        return True
    own = target.name.rpartition(".")[2] in str(error) or "__init__" in str(error)
    return isinstance(error, TypeError) and own and "argument" in str(error)


def possible(call: Call) -> bool:
    """Whether an accepted value is what the signature allows, where that is a number (or True, or None).

    Objects that verbs return are not judged: nobody else makes them.
    """
    kinds = alternatives(call.target.hints.get(call.name, Any))
    judged = bool(kinds) and set(kinds) <= {float, int, type(None)} and not isinstance(call.bad, bool)
    if not judged or call.target.name.rpartition(".")[2] in RETURNED:
        return True
    default = inspect.signature(call.target.written).parameters[call.name].default
    return any(fits(call.bad, kind) for kind in kinds) or (
        isinstance(call.bad, float) and call.bad == math.inf == default
    )


def attempts(seed: int, only: str = "") -> list[tuple[Target, Form]]:
    """All wrong calls in a random order."""
    every = [(target, form) for target in targets() if only in target.name for form in forms(target)]
    random.Random(seed).shuffle(every)
    return every


def run(seconds: float, seed: int = 0, only: str = "", most: int | None = None) -> list[dict[str, Any]]:
    """The rows of the table after so many seconds or calls, or when every call was made."""
    rows: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(ImportError):
        importlib.import_module(ONCE)
    drawn = attempts(seed, only)[:most]
    end = time.monotonic() + seconds
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        warnings.simplefilter("ignore")
        for attacked, form in drawn:
            if time.monotonic() > end:
                break
            call, target = call_of(attacked, form), attacked.name
            name = "calls of methods" if target[0].isupper() and "." in target else "calls of verbs"
            row = rows.setdefault(name, _row(name))
            kind, why = outcome(call)
            row["tried"] += 1
            row[kind] += 1
            if kind not in ("accepted", "refused"):
                row["offenders"].append((kind, f"{target}({call.what})", why))
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
    return int(any(row["impossible"] or row["tracebacks"] or row["slow"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
