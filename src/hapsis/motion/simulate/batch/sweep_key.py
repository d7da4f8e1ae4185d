"""What a sweep is, as hashes: kept rows are used again only where all of them are the same.

There is one hash for each thing that decides the numbers: the model, the values, every option, the
measures, and the version of this code. So it can be said what has changed.
"""

import functools
import hashlib
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.code_version import code_version
from hapsis.errors import ModelError
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.store.model_key import model_key
from hapsis.motion.simulate.batch.sweep_batch import SweepTask
from hapsis.motion.simulate.batch.sweep_plan import SweepPlan
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.run.events import events_of


def sweep_key(task: SweepTask, plan: SweepPlan) -> dict[str, str]:
    """{what: hash}; an error where it cannot be said what something is."""
    options = {name: x for name, x in task.options.items() if name not in ("inputs", "events", "title")}
    parts: dict[str, Any] = {
        "hapsis": code_version().hex(),
        "model": _model(task),
        "until": task.until,
        "start": task.start,
        "parameters": dict(sorted(task.parameters.items())),
        "inputs": _inputs(task),
        "events": _events(task),
        "over": [(name, x) for name, x in plan.values.items()],
        "measure": list(task.measures.entries.items()),
        **options,
    }
    return {what: hashlib.sha256(_text(x, what).encode()).hexdigest() for what, x in parts.items()}


def _unknown(what: str, detail: str) -> ModelError:
    return ModelError(
        f"keep: it cannot be said whether {what} is the same in another process: {detail}",
        remedy="leave keep out",
    )


def _model(task: SweepTask) -> str:
    key = model_key(task.model)
    if key is None or not code_version():
        raise _unknown("the model", "it has a function that cannot be traced, or a class of your own")
    return f"{key.values.hex()} {sorted((n, sorted(p.items())) for n, p in task.model.poses.items())!r}"


def _inputs(task: SweepTask) -> Any:
    inputs = Inputs(task.model, task.options["inputs"])
    if inputs.key is None:
        raise _unknown("inputs", "one of them is a function that cannot be traced")
    held = [(str(slot), number) for slot, number in inputs.numbers.items()]
    tables = [(str(slot), *table) for slot, table in inputs.tables.items()]
    return inputs.key, held, tables + [(str(slot), *motion[1:]) for slot, motion in inputs.motions.items()]


def _events(task: SweepTask) -> Any:
    events = [(e.name, e.key, e.direction, e.stop) for e in events_of(task.options["events"])]
    for name, key, *_ in events:
        if key is None:
            raise _unknown(f'event "{name[:60]}"', "its function cannot be traced")
    return events


def _text(x: Any, what: str) -> str:
    """A text that is the same only for equal values, in every process."""
    if x is None or isinstance(x, bool | int | str):
        return repr(x)
    if isinstance(x, float | np.floating):
        return float(x).hex()
    if isinstance(x, np.ndarray) and x.dtype.kind in "iuf":
        return f"{x.dtype.str} {x.shape} {hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()}"
    if isinstance(x, Mapping):
        return "{" + ", ".join(f"{k!r}: {_text(v, what)}" for k, v in x.items()) + "}"
    if isinstance(x, list | tuple | frozenset):
        return "[" + ", ".join(_text(v, what) for v in x) + "]"
    if isinstance(x, State):
        laws: Any = getattr(x.report, "states", None)  # of an equilibrium, which start a run too
        return f"state {x.names} {_text(x.q, what)} {_text(x.v, what)}" + (_text(laws, what) if laws else "")
    if isinstance(x, Result) and x.memory is not None:
        return f"result {_text([float(x.t[-1]), x.memory.names, x.memory.y, x.memory.held], what)}"
    if isinstance(x, types.FunctionType | types.BuiltinFunctionType | functools.partial | np.ufunc):
        return _function(x, what, ())
    raise _unknown(what, f"it has a {type(x).__name__}")


def _function(f: Any, what: str, above: tuple[Any, ...]) -> str:
    """The text of a function: its code, and everything that it reads from outside."""
    if isinstance(f, functools.partial):
        return f"partial {_function(f.func, what, above)} {_text([f.args, f.keywords], what)}"
    if not isinstance(f, types.FunctionType):
        return f"{getattr(f, '__module__', '')} {f.__name__}"
    if f in above:
        return "itself"
    above = (*above, f)
    parts = [_code(f.__code__, what), _text([f.__defaults__, f.__kwdefaults__], what)]
    parts += [_read(cell.cell_contents, what, above) for cell in f.__closure__ or ()]
    names = sorted(name for name in _names(f.__code__) if name in f.__globals__)
    parts += [f"{name} {_read(f.__globals__[name], what, above)}" for name in names]
    return "function " + "; ".join(parts)


def _read(value: Any, what: str, above: tuple[Any, ...]) -> str:
    """Something that a function reads from outside."""
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, type):
        return f"class {value.__module__}.{value.__qualname__}"
    if isinstance(value, types.FunctionType):
        if value.__module__.partition(".")[0] in ("hapsis", "numpy", "scipy"):
            return f"{value.__module__}.{value.__qualname__}"
        return _function(value, what, above)
    return _text(value, what)


def _names(code: types.CodeType) -> set[str]:
    """The names that a function and those within it read."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*(_names(c) for c in inner))


def _code(code: types.CodeType, what: str) -> str:
    constants = [_code(c, what) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {constants}"
