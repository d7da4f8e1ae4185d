"""The structure of a model as texts, with its free numbers beside them; see `model_key`."""

import dataclasses
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.changed_values import MOMENTS, PARTS
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.frames import End, Frame, label
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface, pieces
from hapsis.mechanics.model.units import length_unit, mass_unit
from hapsis.mechanics.model.values.formula import TIME, Formula
from hapsis.mechanics.model.values.traced_function import TracedFunction, arguments_of
from hapsis.mechanics.model.values.values import AsSix, AsValue, AsVector, ValueInTime, VectorInTime

NUMBERS = (AsValue, AsVector, AsSix, ValueInTime, VectorInTime)  # annotations of fields
LAWS = ("law", "friction", "curve", "surface")  # fields whose laws have numbers that are parameters
TINY = 1e-15  # m; an offset that is shorter is no parameter
SKIPPED = ("name", "where")


class NoKeyError(Exception):
    """Something of which it cannot be said what it is."""


class FunctionGraph(NamedTuple):
    """What a function of the model computed when the key was made, and how this is found out again."""

    label: str
    formula: Any
    trace: Callable[[], Any]

    def is_same(self) -> bool:
        """Whether the function still computes that: it may read what has changed."""
        try:
            return self.trace() == self.formula
        except Exception:  # of the user's own function, called with expressions
            return False


def kind(x: float) -> str:
    """What a number is to the equations: zero, so small that it is no length, or any other."""
    return "0" if x == 0.0 else "t" if abs(x) < TINY else "#"


class KeyWriter:
    """Collects the structure as texts, all free numbers in order, and those that have a name.

    parts      of the structure
    raw        every number that is left to its value
    numbers    by the names of parameters; `doubtful` are names of two different numbers
    functions  of laws and of fields, each once: contacts with the same one are written as one
    graphs     of these functions
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.parts: list[Any] = []
        self.raw: list[float] = []
        self.numbers: dict[str, float] = {}
        self.doubtful: set[str] = set()
        self.functions: list[Any] = []
        self.graphs: list[FunctionGraph] = []

    def model_text(self) -> None:
        """Writes the whole model."""
        model = self.model
        self.parts += ["units", length_unit(model).hex(), mass_unit(model).hex()]
        self.parts += [model.independent, model.physical]
        for name, x in model.parameters.items():
            self.free(name, x)
        for axis, x in zip("xyz", model.gravity, strict=True):
            self.free(f"gravity.{axis}", x)
        for fact in model.facts:
            self.fact(fact)

    def fact(self, fact: Fact) -> None:
        """Writes one fact."""
        self.parts += ["fact", _type_name(fact), fact.name]
        for field in dataclasses.fields(fact):
            if field.name not in SKIPPED:
                self.parts.append(field.name)
                self.field(fact, field.name, field.type, getattr(fact, field.name))

    def field(self, fact: Fact, name: str, annotation: Any, value: Any) -> None:
        """Writes one field of a fact."""
        owner = f"{fact.name}.{name}"
        if name in LAWS and (
            isinstance(value, Law | ContactLaw) or (name == "law" and isinstance(fact, Contact))
        ):
            self.law(fact, name, value)
        elif callable(value):
            self.function(fact, name, value)
        elif isinstance(fact, Joint) and name == "limits":
            for coordinate, pair in fact.bounds.items():
                self.parts.append(coordinate)
                self.free(f"{coordinate}.low", pair[0])
                self.free(f"{coordinate}.high", pair[1])
        elif isinstance(fact, Contact) and name in ("first", "second"):
            self.side(fact, name, value)
        elif isinstance(fact, Body) and name in ("frames", "shapes"):
            self.body_parts(fact, name, value)
        elif isinstance(value, End):
            self.end(value)
            self.place(value, owner)
        elif annotation in NUMBERS:
            self.values(owner, value, MOMENTS if name == "inertia" else None)
        elif isinstance(value, Mapping) and typing.get_args(annotation)[1:] == (AsValue,):
            for key, x in value.items():
                self.parts.append(key)
                self.free(f"{owner}.{key}", x)
        else:
            self.exact(value)

    def values(self, owner: str, value: Any, names: Any = None) -> None:
        """A number, or several of them."""
        if not isinstance(value, tuple):
            return self.free(owner, value)
        for part, x in zip(names or PARTS[len(value)], value, strict=True):
            self.free(f"{owner}.{part}", x)
        return None

    def free(self, name: str | None, x: Any) -> None:
        """A number that is left to its value, called `name` where it is a parameter by itself."""
        if isinstance(x, Formula):
            self.parts.append(("formula", x.text))
            if x.names:
                return
            x = self.model.value(x)
        if not isinstance(x, float):
            return self.exact(x)
        self.parts.append(kind(x))
        self.raw.append(x)
        if name is not None:
            self.named(name, x)
        return None

    def named(self, name: str, x: Any) -> None:
        """Says which number has a name. A formula has none; it may contain numbers of other frames."""
        if isinstance(x, Formula):
            if x.names:
                self.parts.append((name, x.text))
                return
            x = self.model.value(x)
        if self.numbers.setdefault(name, x) != x:
            self.doubtful.add(name)

    def exact(self, x: Any) -> None:
        """Anything that is part of the structure as it is."""
        if isinstance(x, float):
            self.parts.append(x.hex())
        elif x is None or isinstance(x, bool | int | str):
            self.parts.append(x)
        elif isinstance(x, Formula):
            self.parts.append(("formula", x.text))
            if TIME not in x.names:
                self.exact(self.model.value(x))
        elif isinstance(x, tuple | list):
            self.parts.append(("several", len(x)))
            for part in x:
                self.exact(part)
        elif isinstance(x, Mapping):
            self.parts.append(("named", len(x)))
            for key, part in x.items():
                self.exact(key)
                self.exact(part)
        else:
            raise NoKeyError

    # parts of facts ------------------------------------------------------------------------------

    def frame(self, frame: Frame, name: str | None = None) -> None:
        """A frame: its place is left to its value, its direction is not, but where it is a formula."""
        for axis, x in zip("xyz", frame.at, strict=True):
            self.free(None if name is None else f"{name}.{axis}", x)
        for angle in frame.rpy:
            if isinstance(angle, Formula):
                self.parts.append(("formula", angle.text))
            else:
                self.exact(angle)

    def end(self, end: End) -> None:
        """An end as it is written."""
        self.parts.append(("end", end.body))
        if isinstance(end.frame, Frame):
            self.frame(end.frame)
        else:
            self.parts.append(end.frame)

    def place(self, end: End, owner: str) -> None:
        """The names of the numbers of the frame at an end."""
        for axis, x in zip("xyz", self.model.frame(end)[1].at, strict=True):
            self.named(f"{label(end, owner)}.{axis}", x)

    def body_parts(self, body: Body, name: str, value: Any) -> None:
        """The frames or the shapes of a body."""
        if name == "frames":
            for frame, place in value.items():
                self.parts.append(frame)
                self.frame(place, f"{body.name}.{frame}")
        else:
            for shape in value:
                self.shape(shape)

    def shape(self, shape: Shape) -> None:
        """A shape; its lengths have names in each contact that uses it."""
        self.parts += ["shape", _type_name(shape)]
        for field in dataclasses.fields(shape):
            value = getattr(shape, field.name)
            if field.name in ("where", "color", "material"):
                continue
            if isinstance(value, Frame):
                self.frame(value)
            elif callable(value):
                self.function(shape, field.name, value)
            elif field.type in NUMBERS:
                for x in value if isinstance(value, tuple) else (value,):
                    self.free(None, x)
            else:
                self.exact(value)

    def side(self, contact: Contact, name: str, side: Any) -> None:
        """One side of a contact: what it says, and the numbers of its pieces by name."""
        if isinstance(side, Surface):
            self.parts.append("surface")
            self.end(side.on)
            if side.shape is not None:
                self.shape(side.shape)
        else:
            self.end(side)
        for piece in pieces(self.model, side, name):
            owner = f"{contact.name}.{piece.name}"
            self.place(piece.end, owner)
            for length, x in piece.shape.dimensions.items() if piece.shape is not None else ():
                self.named(f"{owner}.{length}", x)

    def law(self, fact: Fact, name: str, law: Any) -> None:
        """A law: its graph or its type, its numbers by name, the starts of its states as they are."""
        if isinstance(fact, Contact):
            law = fact.normal_law if name == "law" else fact.friction_law
        if isinstance(law, Law):
            kinds = fact.traced.get(name) or ("number",) * len(law.inputs)
            self.parts += ["law", *law.leading]
            self.same(law.function)
            self.graph(fact.label, law.function, lambda: law.traced(kinds))
        else:
            self.parts += ["law", _type_name(law)]
        for number, x in law.fields.items():
            self.parts.append(number)
            self.free(f"{fact.name}.{number}", x)
        self.exact(law.states)

    def function(self, entry: Fact | Shape, name: str, function: Any) -> None:
        """A Python function by its graph; that of a sampled controller is no part of the equations."""
        kinds = entry.traced.get(name)
        if isinstance(entry, Heightfield):
            function = entry.surface  # it calls its function once, whatever that reads later
        if kinds is None:
            if isinstance(entry, Controller):
                self.parts.append("sampled")
                return
            raise NoKeyError
        self.functions.append(function)
        self.graph(
            entry.label, function, lambda: TracedFunction("f", arguments_of(function, kinds), function)
        )

    def same(self, function: Any) -> None:
        """Says which functions are the same."""
        if function not in self.functions:
            self.functions.append(function)
        self.parts.append(("function", self.functions.index(function)))

    def graph(self, label: str, function: Any, trace: Callable[[], TracedFunction]) -> None:
        """What a function computes, by its graph."""
        if isinstance(function, TracedFunction):
            formula = function.formula  # it never changes
        else:
            try:
                formula = trace().formula
            except Exception:  # of the user's own function, called with expressions
                raise NoKeyError from None
            self.graphs.append(FunctionGraph(label, formula, lambda: trace().formula))
        self.parts.append(("graph", formula))


def _type_name(x: Any) -> str:
    """The name of a class of ours; there is none for classes of users, whose code we do not know."""
    for each in type(x).__mro__:
        if not each.__module__.startswith("hapsis.") and each.__module__ not in ("builtins", "abc"):
            raise NoKeyError
    return f"{type(x).__module__}.{type(x).__qualname__}"
