"""Hybrid: phases of one mechanism, and the events that lead from one to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import Table
from hapsis.motion.hybrid.actions import Impact, Reset, Swap
from hapsis.motion.hybrid.partners import check_partners
from hapsis.motion.hybrid.readings import Foot
from hapsis.motion.simulate.run.events import Event

if TYPE_CHECKING:
    from hapsis.view.state_diagram import StateDiagram

ALIKE = ("bodies", "joints", "contacts", "forces")  # families of facts that all phases have in common
MOST = 1000  # phases, or events


@final
@verb
@dataclass(frozen=True, eq=False)
class Hybrid(Immutable):
    """A mechanism whose constraints change at events: walkers, bouncing balls, hoppers.

        phases    {name: Model}: the same bodies, joints and forces, other constraints or controllers
        events    `hs.Event`s: when they happen, in which phase, what they do, which phase comes then
        start     the phase that a motion begins in; the first one if not given
        watch     `hs.foot`s: where the ground would have to pull or slips, for the report

    `hs.simulate` moves it. Of events that happen at the same moment the first in the list acts first; each of
    the others acts after it if it belongs to the phase reached, and its condition holds there.
    """

    phases: Mapping[str, Model]
    events: Sequence[Event] = ()
    start: str | None = field(default=None)
    watch: Sequence[Foot] = ()

    def __post_init__(self) -> None:
        phases = _checked_phases(self.phases)
        events = _checked_events(self.events)
        self.__dict__.update(phases=Table(phases), events=events)
        start = next(iter(phases)) if self.start is None else self.start
        check_known(start, phases, "start: there is no phase {}")
        self.__dict__["start"] = start
        for event in events:
            self._check(event)
        self.__dict__["watch"] = self._checked_feet()

    def _checked_feet(self) -> tuple[Foot, ...]:
        feet = (self.watch,) if isinstance(self.watch, Foot) else tuple(self.watch)
        for each in feet:
            if not isinstance(each, Foot):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ModelError(f"watch must have hs.foot's, not {described(each)}")
            if all(each.pin(model) is None for model in self.phases.values()):
                raise ModelError(
                    f'watch: no phase holds the foot "{each.frame[:60]}"', remedy="use model.pinned or hinged"
                )
        return feet

    def _check(self, event: Event) -> None:
        """Refuses an event that names something that is not there."""
        what = f'event "{event.name[:60]}"'
        for name in (*(event.during or ()), *(() if event.to is None else (event.to,))):
            check_known(name, self.phases, what + ": there is no phase {}")
        for action in event.then:
            if isinstance(action, Impact):
                if action.rest is not None:
                    check_known(action.rest, self.phases, what + ": rest: there is no phase {}")
                for point in action.points:
                    if not self.model.has_frame(point):
                        raise ModelError(f'{what}: impact names "{point[:60]}", which is no frame')
            elif isinstance(action, Swap):
                check_partners(self.model, action, f"{what}: swap")
            elif isinstance(action, Reset):
                self._check_reset(what, action)
        if not event.stop and event.of_hybrids and not (event.then or event.to):
            raise ModelError(f"{what} does nothing", remedy="give then=, to= or stop=True")

    def _check_reset(self, what: str, action: Reset) -> None:
        """Refuses new values of what no phase has."""
        known: list[str] = [*self.coordinates, *self.speeds]
        if any(name not in known for name in action.values):
            known += [name for model in self.phases.values() for name in extras(model).states]
        for name in action.values:
            check_known(name, known, what + ": reset of {}, which is no coordinate, speed or state")

    @cached_property
    def token(self) -> object:
        """What tells the Functions of this hybrid from those of others of the same models."""
        return object()

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are pickled."""
        return {name: self.__dict__[name] for name in ("phases", "events", "start", "watch")}

    @property
    def model(self) -> Model:
        """The model of the phase that a motion begins in."""
        assert self.start is not None
        return self.phases[self.start]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates, which all phases have."""
        return self.model.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of the speeds, which all phases have."""
        return self.model.speeds

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the models of all phases, each once."""
        return tuple(dict.fromkeys(text for model in self.phases.values() for text in model.warnings))

    def pose(self, name: str) -> dict[str, float]:
        """{coordinate or speed: number} of one of the poses of the phase that a motion begins in."""
        return self.model.pose(name)

    @verb
    def diagram(self, title: str = "") -> "StateDiagram":
        """The state machine as a picture: phases, and the events between them with what they do.

        title   the heading
        """
        from hapsis.view.state_diagram import Arrow, StateDiagram

        places = {name: k for k, name in enumerate(self.phases)}
        arrows: list[Arrow] = []
        for event in self.events:
            lines = tuple(action.words for action in event.then) + (
                ("ends the motion",) if event.stop else ()
            )
            for before in event.during or self.phases:
                after = before if event.to is None else event.to
                arrows.append(Arrow(places[before], places[after], event.name, lines))
                rests = [a.rest for a in event.then if isinstance(a, Impact) and a.rest is not None]
                arrows += [
                    Arrow(places[before], places[rest], event.name, ("at the end of all bounces",))
                    for rest in rests
                ]
        return StateDiagram(tuple(self.phases), tuple(arrows), places[self.start or ""], str(title))

    def simulated(self, until: Any, start: Any, **options: Any) -> Any:
        """The motion; `hs.simulate` calls it."""
        from hapsis.motion.hybrid.simulate_hybrid import simulate_hybrid

        return simulate_hybrid(self, until, start, **options)

    def stepped(self, dt: float, **options: Any) -> Any:
        """One step as a Function; `hs.stepper` calls it."""
        from hapsis.motion.hybrid.steps.hybrid_stepper import hybrid_stepper

        return hybrid_stepper(self, dt, **options)

    def ending(self, z: Sequence[float]) -> str:
        """Why the steps of `hs.stepper` have ended: status, time and names by their last z; empty while
        they go on.
        """
        from hapsis.motion.hybrid.steps.step_status import ending

        return ending(list(self.phases), [event.name for event in self.events], z)

    def program(self, stem: str, until: Any, start: Any, **options: Any) -> Any:
        """What its program in C is made of; `hs.export_program` calls it."""
        from hapsis.motion.hybrid.files.hybrid_program import hybrid_program

        return hybrid_program(self, stem, until, start, **options)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hybrid):
            return NotImplemented
        mine, its = ((dict(h.phases), h.events, h.start, h.watch) for h in (self, other))
        return mine == its

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Hybrid(phases {', '.join(self.phases)[:200]}; {len(self.events)} events)"


def _checked_phases(phases: Any) -> dict[str, Model]:
    if not isinstance(phases, Mapping) or not phases or len(phases) > MOST:
        raise ModelError(f"phases must be {{name: Model}}, not {described(phases)}")
    for name, model in phases.items():
        if not isinstance(name, str) or not name:
            raise ModelError(f"the name of a phase must be a text, not {described(name)}")
        if not isinstance(model, Model):
            raise ModelError(f'phase "{name[:60]}" must be a Model, not {described(model)}')
    (first, model), *others = phases.items()
    for name, other in others:
        _check_alike(first, model, name, other)
    return dict(phases)


def _check_alike(first: str, model: Model, name: str, other: Model) -> None:
    """Refuses phases that differ in more than constraints and controllers."""
    if (model.coordinates, model.speeds) != (other.coordinates, other.speeds):
        odd = sorted(set(model.coordinates) ^ set(other.coordinates)) or ["their order"]
        raise ModelError(
            f'phases "{first[:60]}" and "{name[:60]}" have different coordinates: {", ".join(odd)[:200]}',
            expected="the same bodies and joints in all phases",
            remedy="hold what does not move by constraints",
        )
    for family in ALIKE:
        mine, its = (
            {n: f for n, f in getattr(m, family).items() if not isinstance(f, Controller)}
            for m in (model, other)
        )
        for fact in mine.keys() | its.keys():
            if fact not in mine or fact not in its or mine[fact] != its[fact]:
                raise ModelError(
                    f'phases "{first[:60]}" and "{name[:60]}" differ in "{fact[:60]}" of the {family}',
                    expected="phases that differ in constraints and controllers only",
                )
    mine, its = (
        [(c.name, c.joints) for c in m.forces.values() if isinstance(c, Controller)] for m in (model, other)
    )
    if mine != its:
        raise ModelError(
            f'phases "{first[:60]}" and "{name[:60]}" have different controllers',
            expected="controllers of the same names and joints in all phases; their laws may differ",
            remedy="give a phase without one a controller whose efforts are zero",
        )
    for setting in ("gravity", "parameters"):
        if getattr(model, setting) != getattr(other, setting):
            raise ModelError(f'phases "{first[:60]}" and "{name[:60]}" differ in {setting}')


def _checked_events(events: Any) -> tuple[Event, ...]:
    listed = (
        (events,) if isinstance(events, Event) else tuple(events) if isinstance(events, Sequence) else None
    )
    if listed is None or len(listed) > MOST:
        raise ModelError(f"events must be hs.Event's, not {described(events)}")
    names = set[str]()
    for event in listed:
        if not isinstance(event, Event):
            raise ModelError(f"events must be hs.Event's, not {described(event)}")
        if event.name in names:
            raise ModelError(f'two events are called "{event.name[:60]}"')
        names.add(event.name)
    return listed
