"""The parts that a run is composed of: how states are carried, what interrupts it, what is checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, final

import numpy as np

from hapsis.mechanics.model.result import Happened
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.held_inputs import HeldInputs
from hapsis.motion.simulate.run.integrator import Integrator, Watch, motion_kernels

if TYPE_CHECKING:
    from hapsis.motion.simulate.run.run import Run

Array = np.ndarray[Any, np.dtype[np.float64]]


class StateForm(Protocol):
    """How the vector that is integrated carries the states y = q, v, z, W."""

    def of_method(self, method: str) -> dict[str, Any]:
        """The method, the kernels that it takes, and other arguments of the integration."""
        ...

    def vector(self, t: float, y: Array) -> Array:
        """The vector to integrate from a state."""
        ...

    def states(self, t: Any, vectors: Array) -> Array:
        """The state of a vector, or the states of rows of them, with loops closed."""
        ...


class Interruption(Protocol):
    """Events of the run's own, which nobody sees in the result.

    first    how many of their values come before those of the user's events
    """

    @property
    def first(self) -> int:
        """How many values come before those of the user's events."""
        ...

    def watch(self, events: Sequence[Event]) -> Watch | None:
        """The values that pass zero at these events and at its own; None without any."""
        ...

    def held(self, t: float, y: Array) -> None:
        """Called when the held inputs have changed."""
        ...

    def started(self, integrator: Integrator) -> None:
        """Called with each new integration of the run."""
        ...

    def respond(self, run: "Run") -> str:
        """Does what its own events ask for; the status where the run cannot go on, else empty."""
        ...

    def explain(self, run: "Run") -> str:
        """A sentence on why the integrator cannot go on; empty where nothing is known."""
        ...


class RowCheck(Protocol):
    """Something that sees all rows of a run, and may stop it."""

    status: str  # of a run that it has stopped

    def look(self, rows: Rows) -> None:
        """Takes more rows of the run."""
        ...

    def fault(self) -> str | None:
        """The message where the run must stop; None while all is well."""
        ...

    def sound(self, t: Array) -> Any:
        """Which rows to keep where it has stopped the run."""
        ...


class Jumped(NamedTuple):
    """The state after a jump, the names of its events, and the work of the impulse of each fact, J."""

    y: Array
    events: Sequence[str] = ()
    works: Mapping[str, float] = MappingProxyType({})


class SpeedJumps(Protocol):
    """What happens to a state where drives, or rows that move with time, change their speed at once."""

    def jump(self, before: float, after: float, y: Array) -> "Jumped":
        """The state after the jump from the state before it."""
        ...

    def fault(self) -> str | None:
        """The message where the run must stop; None while all is well."""
        ...


class VectorRecord(Protocol):
    """Something that keeps rows of the vectors themselves."""

    def keep(self, vectors: Array) -> None:
        """Takes more rows."""
        ...


class Account(Protocol):
    """Energies that are integrated behind the state."""

    def give(self, vector: Array, works: Mapping[str, float]) -> None:
        """Adds works that are done at once to those in the vector."""
        ...

    def along(self, before: Array, t: float, path: Callable[[Array], Array], times: Array) -> Array:
        """Vectors at times of a step whose states are known: `before` at t, then along the path."""
        ...


class EventLog(Protocol):
    """What happened in native code, where events act there."""

    def new(self) -> tuple[Sequence[Happened], Array, Array]:
        """What has happened since the last call, and times and vectors of rows before and after it."""
        ...


class RunParts(NamedTuple):
    """What makes one kind of run differ from another."""

    form: StateForm
    interruption: Interruption
    checks: Sequence[RowCheck] = ()  # besides that of energy
    record: VectorRecord | None = None
    account: Account | None = None
    loops: Loops | None = None
    jumps: SpeedJumps | None = None
    waves: bool = False  # whether events that pass zero several times in a step are looked for
    others: Sequence[Kernels] = ()  # of other phases, whose functions of time count too
    held: HeldInputs | None = None  # where phases have controllers of their own
    log: EventLog | None = None  # of events that act in native code
    allowed: float = 0.0  # J, by which work may be wrong besides, however much energy a motion has exchanged
    loses: bool = False  # whether steps may lose energy by themselves, as implicit ones do
    limited: Collection[str] = ()  # coordinates whose limits act though their model has no stops
    knots: bool = True  # whether steps end at kinks of functions of time; else events find them


@final
class SpeedForm:
    """The vector is y itself; `states` closes its loops."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels

    def of_method(self, method: str) -> dict[str, Any]:
        """The method, and the kernels that it takes."""
        return motion_kernels(self.kernels, method)

    def vector(self, t: float, y: Array) -> Array:
        """y."""
        return y

    def states(self, t: Any, vectors: Array) -> Array:
        """The vectors with their loops closed."""
        return closed_states(self.kernels, t, vectors)


@final
class MomentumForm:
    """The vector has momenta in the place of speeds; for trees only."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels

    def of_method(self, method: str) -> dict[str, Any]:
        """The method, and the canonical equations."""
        system = self.kernels.system
        assert isinstance(system, TreeSystem)
        chosen = {"method": method, "f": self.kernels.handle(system.canonical(), "dy")}
        return chosen | self.kernels.approach(system.canonical_approach())

    def vector(self, t: float, y: Array) -> Array:
        """y with momenta."""
        return self.kernels.momenta(y)

    def states(self, t: Any, vectors: Array) -> Array:
        """The vectors with speeds."""
        return self.kernels.momenta(vectors, inverse=True)


@final
class NoInterruption:
    """A run that only the user's events stop.

    momenta  whether its vector has them
    weighed  whether what has no mass was refused before, by parts that move apart
    """

    first = 0

    def __init__(self, kernels: Kernels, momenta: bool = False, weighed: bool = False) -> None:
        self.kernels, self.momenta, self.weighed = kernels, momenta, weighed

    def watch(self, events: Sequence[Event]) -> Watch | None:
        """The values that pass zero at these events."""
        return user_watch(self.kernels, events, self.momenta)

    def held(self, t: float, y: Array) -> None:
        """Nothing depends on it."""

    def started(self, integrator: Integrator) -> None:
        """Nothing depends on it."""

    def respond(self, run: "Run") -> str:
        """There are no events of its own: the run ends."""
        return "event"

    def explain(self, run: "Run") -> str:
        """What can move without moving any mass."""
        return "" if self.weighed else massless_in_tree(run)


def user_watch(kernels: Kernels, events: Sequence[Event], momenta: bool = False) -> Watch | None:
    """The values that pass zero at the user's events; None without any."""
    if not events:
        return None
    system = kernels.system
    watched = system.watched_by_momenta if momenta and isinstance(system, TreeSystem) else system.watched
    g = kernels.handle(watched(events), "g")
    return Watch(g, [event.direction for event in events], [event.stop for event in events])


def massless_in_tree(run: "Run") -> str:
    """A sentence on what can move without moving any mass where a run stands, loops left aside."""
    from hapsis.motion.simulate.run.massless_directions import massless_directions

    layout = run.kernels.system.layout
    return massless_directions(run.kernels, layout.split(run.state())[0], np.eye(layout.n_v))


def closed_states(kernels: Kernels, t: Any, y: Array) -> Array:
    """A state, or rows of them, with their loops closed by what is held now."""
    times, closing = np.atleast_1d(np.asarray(t, float)), kernels.system.closing()
    if closing is None or not len(times):
        return y
    return kernels.rows_now(closing, times, np.atleast_2d(y))["y"].reshape(np.shape(y))
