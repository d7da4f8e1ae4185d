"""The scene through which one force reads the motion and acts on the links; it adds up the force's work."""

from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import Vector, add, dot, neg
from hapsis.mechanics.formalisms.forces.law_readings import law_reading
from hapsis.mechanics.formalisms.forces.reading_error import ReadingError
from hapsis.mechanics.formalisms.tree.links import IDENTITY, WORLD, Place
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.force import Spot
from hapsis.mechanics.model.values.readings import Readings
from hapsis.mechanics.model.values.traced_function import READINGS
from hapsis.mechanics.model.values.user_functions import call_user

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces


class ForceScene:
    """The implementation of `model.forces.force.Scene`, for one fact of a model."""

    def __init__(self, applied: "AppliedForces", fact: Fact) -> None:
        self.applied, self.fact = applied, fact
        self.power = applied.tree.zero  # given to the mechanism
        self.stored = False
        self._states: list[str] = []  # their full names

    def close(self) -> None:
        """Counts the power of a force that stores no energy, and checks that every state has a rate."""
        applied = self.applied
        if not self.stored:
            applied.loss = applied.loss - self.power
            applied.account.give(self.fact.name, self.power)
        for name in self._states:
            if name not in applied.rates:
                raise self.fact.wrong(f'the state "{name}" has no rate')

    @property
    def time(self) -> Any:
        """The time."""
        return self.applied.time

    def named(self, name: str) -> str:
        """The full name FACT.name."""
        return f"{self.fact.name}.{name}"

    def number(self, field: str) -> Any:
        """A field of the fact, as a run-time parameter NAME.field."""
        return self.applied.links.scalar(self.named(field), getattr(self.fact, field))

    def numbers(self, field: str, suffixes: Any) -> list[Any]:
        """A field of several numbers, as parameters NAME.field.suffix."""
        values = getattr(self.fact, field)
        values = values.values() if hasattr(values, "values") else values
        return [
            self.applied.links.scalar(self.named(f"{field}.{suffix}"), value)
            for suffix, value in zip(suffixes, values, strict=True)
        ]

    def timed(self, field: str, suffixes: Any) -> list[Any]:
        """The numbers of a field that may be formulas of t, or a function of t."""
        values = getattr(self.fact, field)
        if callable(values):
            more = (self.readings,) if READINGS in self.fact.traced.get(field, ()) else ()
            numbers: Any = call_user(values, f"{self.fact.label}: {field}", self.time, *more)
            numbers = list(numbers) if hasattr(numbers, "__len__") else [numbers]
            fine = all(isinstance(value, Expr | Real) for value in numbers)
            if len(numbers) != len(suffixes) or not fine:
                raise self.fact.wrong(f"{field}(t) must give {len(suffixes)} numbers")
            return [self.applied.links.constant(value) for value in numbers]
        return [
            self.applied.links.timed(self.named(f"{field}.{suffix}"), value, lambda: self.time)
            for suffix, value in zip(suffixes, values, strict=True)
        ]

    def limits(self, coordinate: str) -> tuple[Any, Any]:
        """The lower and upper limit of a coordinate; None where it has none."""
        for joint in self.applied.model.moving:
            if coordinate in joint.bounds:
                low, high = (
                    None if x is None else self.applied.links.scalar(f"{coordinate}.{side}", x)
                    for side, x in zip(("low", "high"), joint.bounds[coordinate], strict=True)
                )
                return low, high
        return None, None

    def spot(self, field: str) -> Spot:
        """The frame of the end that this field names."""
        place = self.applied.tree.placed(self.fact.ends[field], self.named(field))
        return self.applied.spot(place)

    def coordinate(self, name: str) -> tuple[Any, Any]:
        """A coordinate and its speed."""
        applied = self.applied
        return applied.tree.q[applied.places[name]], applied.v[self._slot(name)]

    def _slot(self, name: str) -> int:
        slots = self.applied.slots
        if f"{name}.v" not in slots:
            known = [speed.removesuffix(".v") for speed in slots if speed.endswith(".v")]
            raise self.fact.wrong(
                f'it acts on "{str(name)[:60]}", which has no speed of its own{near(str(name), known)}'
            )
        return slots[f"{name}.v"]

    def push(self, spot: Spot, force: Vector, moment: Vector | None = None) -> None:
        """Applies a force and a moment to a body at a spot; in world axes."""
        moment = self.applied.tree.zero3 if moment is None else moment
        self.applied.push(spot, force, moment)
        self.power = self.power + dot(force, spot.u) + dot(moment, spot.w)
        if spot.link != WORLD:
            self.applied.arrows[self.fact.name] = [*spot.p, *force]

    def between(self) -> tuple[Vector, Vector]:
        """The vector from the end `first` to `second` and its rate, in the axes that `pull` uses.

        These are the axes of the link of `first`; only links between the two ends are involved.
        """
        tree, (first, second) = self.applied.tree, self._places()
        path = Path(tree, second, Place(first.link, IDENTITY, first.p))
        return path.origin(), path.motion(self.applied.v)[1]

    def _places(self) -> tuple[Place, Place]:
        placed, ends = self.applied.tree.placed, self.fact.ends
        return placed(ends["first"], self.named("first")), placed(ends["second"], self.named("second"))

    def pull(self, force: Vector, power: Any) -> None:
        """Applies the force to `first` and its opposite to `second`, with that power; axes of `between`."""
        applied, (first, second) = self.applied, self._places()
        applied.push_link(first, force)
        applied.push_link(second, neg(Path(applied.tree, first, second).direction(force)))
        self.power = self.power + power
        # the arrow of the second end, or of the first where the second is on the world
        moved, sign = (second, neg) if second.link != WORLD else (first, lambda f: f)
        if moved.link != WORLD:
            R, origin = applied.poses[moved.link]
            turned = force if first.link == WORLD else Matrix(applied.poses[first.link][0]).up(force)
            at = add(origin, Matrix(R).up(moved.p))
            applied.arrows[self.fact.name] = [*at, *sign(turned)]

    def effort(self, coordinate: str, value: Any) -> None:
        """Applies an effort along a coordinate."""
        applied, slot = self.applied, self._slot(coordinate)
        applied.efforts[slot] = applied.efforts[slot] + value
        self.power = self.power + value * applied.v[slot]

    def signal(self, name: str, value: Any) -> None:
        """Declares a quantity that a run can record."""
        self.applied.signals[self.named(name)] = value

    def store(self, energy: Any, loss: Any) -> None:
        """Declares the stored energy and the dissipated power."""
        self.keep(energy, loss)
        self.applied.account.lose(self.fact.name, loss)

    def keep(self, energy: Any, loss: Any) -> None:
        """The same, without a word on whose loss it is."""
        self.stored = True
        self.applied.energy = self.applied.energy + energy
        self.applied.loss = self.applied.loss + loss

    def hold(self, energy: Callable[[], Any]) -> None:
        """Declares energy that is stored by states, and is no potential energy; written when asked for."""
        self.applied.account.hold(self.fact.name, energy)

    def obey(self, law: Any, *inputs: Any, before: str = "") -> Any:
        """The result of a law for these inputs; its parameters and states belong to the fact.

        before   is put before the names of its states
        """
        fields, states = self.fields_of(law), self.states_of(law, before)
        try:
            result, rates = law.evaluate(fields, inputs, states, self.readings)
        except ReadingError:
            raise
        except ModelError as error:
            raise self.fact.wrong(error.what) from None
        except Exception as error:  # the user's own
            error.add_note(f"in {self.fact.label}")
            raise
        for name, rate in rates.items():
            self.rate(f"{before}{name}", rate)
        return result

    def fields_of(self, law: Any) -> dict[str, Any]:
        """The numbers of a law as parameters NAME.field."""
        values = law.fields.items() if law is not None else ()
        return {n: self.applied.links.scalar(self.named(n), value) for n, value in values}

    def states_of(self, law: Any, before: str = "") -> dict[str, Any]:
        """The states of a law, as states of the fact."""
        starts = law.states.items() if law is not None else ()
        return {n: self.state(f"{before}{n}", float(start)) for n, start in starts}

    def state(self, name: str, start: float) -> Any:
        """A state variable of the fact, also a signal under its name."""
        self._states.append(self.named(name))
        state = self.applied.signals[self.named(name)] = self.applied.state(self.named(name), start)
        return state

    def rate(self, name: str, value: Any) -> None:
        """Declares the time derivative of a state."""
        self.applied.rates[self.named(name)] = self.applied.links.constant(value)

    def held(self, name: str) -> Any:
        """A number that the caller supplies and that is constant between samples."""
        return self.applied.hold(self.named(name))

    @property
    def readings(self) -> Readings:
        """Coordinates, speeds, frames, sensors and signals of other forces, by their full names."""
        return Readings((), lambda name: law_reading(self.applied, self.fact, name), lambda: self.time)
