"""Random changes of facts: of one number or name, to special values too; of their names and order."""

import dataclasses
import random
import warnings
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.mechanics.model.frames import End, Frame
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.values.values import Table
from leaks.mechanisms import law_of

FIXED = ("name", "where", "body", "rpy", "axis", "normal", "rate")  # no numbers, or decided to be structure
FORMULAS = ("a", "a - b", "a * 2", "b", "1 + 1")
FRAMES = (None, Frame((1.0, 0.0, 0.0)), Frame(("a", 1.0, 0.0)), Frame((0.0, 0.0, 0.5), (0.0, 1.0, 0.0)))
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-16, -1e-16, 1e-13, 1e-9, 1e3, 1e7, 3e12, -2.0)


def scaled(draw: random.Random, x: Any) -> Any:
    """Something of the same kind as x with one number, that is not zero, made larger."""
    if isinstance(x, float) and x != 0.0:
        return x * draw.uniform(1.0, 1.5)
    if isinstance(x, Law):
        names = [name for name, value in x.fields.items() if isinstance(value, float) and value]
        return x.using(**{name: scaled(draw, x.fields[name]) for name in names[:1]})
    if isinstance(x, Table | dict) and x:
        name = draw.choice(list(x))
        return {**x, name: scaled(draw, x[name])}
    if isinstance(x, tuple | list) and x:
        k = draw.randrange(len(x))
        return tuple(scaled(draw, part) if i == k else part for i, part in enumerate(x))
    if dataclasses.is_dataclass(x):
        fields = [f.name for f in dataclasses.fields(x) if f.init and f.name not in FIXED]
        name = draw.choice(fields)
        return dataclasses.replace(x, **{name: scaled(draw, getattr(x, name))})  # pyright: ignore
    return x


def changed(draw: random.Random, x: Any, depth: int = 0) -> Any:
    """Something of the same kind as x with one number or name changed."""
    if isinstance(x, bool):
        return not x
    if isinstance(x, float | int):
        usual = x * draw.uniform(1.0, 2.0), -x, x * 1e4, np.float64(x), np.float32(2.0), int(x)
        return draw.choice((*SPECIAL, *usual, *FORMULAS))
    if x is None:
        return draw.choice((1.0, 0.5, 2.0))
    if isinstance(x, hs.Formula):
        return draw.choice((*FORMULAS, 1.0))
    if isinstance(x, Law):
        name = draw.choice((*x.fields, *x.states)) if x.fields or x.states else None
        return (
            law_of(draw.choice((1.0, 2.0, 0.0)))
            if name is None or draw.random() < 0.3
            else x.using(**{name: draw.choice((1.0, 2.0, 0.0, 1e-14))})
        )
    if isinstance(x, Table | dict) and x:
        name = draw.choice(list(x))
        if draw.random() < 0.2:  # in another order
            return {n: x[n] for n in draw.sample(list(x), len(x))}
        return {**x, name: changed(draw, x[name], depth + 1)}
    if isinstance(x, tuple | list) and x:
        k = draw.randrange(len(x))
        new = list(x)
        new[k] = draw.choice(x) if draw.random() < 0.2 else changed(draw, x[k], depth + 1)
        return tuple(new)
    if dataclasses.is_dataclass(x):
        return changed_fact(draw, x, depth + 1)
    return x


def changed_fact(draw: random.Random, fact: Any, depth: int = 0) -> Any:
    """A fact, shape, frame or end with one field changed."""
    fields = [f.name for f in dataclasses.fields(fact) if f.init and f.name not in ("name", "where", "body")]
    name = draw.choice(fields) if fields else None
    if name is None:
        return fact
    if isinstance(fact, End) and not isinstance(fact.frame, Frame):
        return End(fact.body if fact.frame is None else f"{fact.body}.{fact.frame}", draw.choice(FRAMES))
    if isinstance(fact, hs.Surface) and getattr(fact, name) is None:
        return fact
    if name in ("axis", "normal"):
        new: Any = draw.choice(("x", "y", "z", "-z", (0.0, 0.0, 2.0), (0.0, 1e-17, 1.0), (1.0, 1.0, 0.0)))
    else:
        new = changed(draw, getattr(fact, name), depth)
    return dataclasses.replace(fact, **{name: new})


def moved(draw: random.Random, facts: list[Any]) -> str:
    """Changes the list of facts: their order, the name of one that nobody names, or one less."""
    k, way = draw.randrange(len(facts)), draw.choice(("order", "name", "less", "twice"))
    fact = facts[k]
    if way == "order":
        facts.insert(draw.randrange(len(facts)), facts.pop(k))
    elif isinstance(fact, hs.Body) or fact.family == "joints":
        return ""
    elif way == "less":
        facts.pop(k)
    elif way == "name":
        facts[k] = dataclasses.replace(fact, name=draw.choice(("a", "other", f"{fact.name}2")))
    else:
        facts.append(dataclasses.replace(fact, name=f"{fact.name}.again"))
    return f"{way} of {fact.name}"


def variant(seed: int, bases: tuple[Any, ...]) -> tuple[str, Any]:
    """A base with changed fields: what was changed, and the model; None where it is refused.

    An odd seed is that before with other values.
    """
    draw, again = random.Random(seed // 2), random.Random(seed)
    base = draw.choice(bases)
    facts, more = base()
    changes = [base.__name__]
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                changes.append(_change(draw, facts, more))
        except (hs.Error, TypeError, ValueError, OverflowError):
            continue
    for k in [*range(len(facts))] * (4 if seed % 2 else 0):
        try:
            facts[k] = scaled(again, facts[k])
        except (hs.Error, TypeError, ValueError):
            continue
    changes.append("scaled" if seed % 2 else "")
    more["parameters"] = {"a": 1.0, "b": 1.0, **more.get("parameters", {})}
    if any(isinstance(x, str) for x in more["parameters"].values()):
        return "", None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "; ".join(changes), hs.Model(*facts, physical=draw.random() < 0.9, **more)
    except hs.Error:
        return "", None


def _change(draw: random.Random, facts: list[Any], more: dict[str, Any]) -> str:
    """Changes one of the facts, their list, or a setting of the model."""
    k = draw.randrange(len(facts) + 2)
    if k < len(facts):
        facts[k] = changed_fact(draw, facts[k])
        return repr(facts[k])
    if k == len(facts):
        return moved(draw, facts)
    name = draw.choice(("gravity", "parameters", "poses"))
    usual: dict[str, Any] = {"parameters": {"a": 1.0}, "gravity": (0.0, 0.0, -9.81), "poses": {}}
    more[name] = changed(draw, more.get(name, usual[name]))
    return f"{name}={more[name]}"
