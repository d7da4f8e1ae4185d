"""What a whole program in C is made of: quantities of its file, phases with their Functions, events."""

from collections.abc import Mapping
from dataclasses import dataclass

from hapsis.compiler.ir.functions.function import Function


@dataclass(frozen=True)
class Quantity:
    """A number of the initialisation file: its true name, value, unit and meaning, and what is too small."""

    name: str
    value: float
    unit: str = ""
    meaning: str = ""
    least: float = -1.7e308


@dataclass(frozen=True)
class Phase:
    """The equations of one phase, Functions of those of t, y, u and near that they need.

    motion     -> dy
    closing    -> y with loops and speeds closed; None where nothing is closed
    columns    -> the numbers of a row of the output file
    watched    -> g, the values that pass zero at events; None without events
    """

    name: str
    motion: Function
    columns: Function
    closing: Function | None = None
    watched: Function | None = None


@dataclass(frozen=True)
class ProgramEvent:
    """An event: its name, the direction in which its value passes zero (0: both), whether it ends all."""

    name: str
    direction: int
    stop: bool


@dataclass(frozen=True)
class Transition:
    """What an event does in a phase, by numbers of event and phases.

    reset    (t, y, ...) -> mask, gap, change of energy, y, and more that is not used; None: the motion ends
    rest     the number of the transition that bounces end with; -1: none. It belongs to no event itself
    strikes  whether an impact is part of it, which must leave its event behind
    """

    event: int
    before: int
    after: int
    reset: Function | None
    rest: int = -1
    strikes: bool = False


@dataclass(frozen=True)
class Program:
    """What a program computes: phases with one state, and what its file holds.

    state        the numbers of y, without the last one, which is the work and starts at 0
    inputs       the numbers of u
    parameters   of all Functions by name; others keep their stored value, without unit and meaning
    columns      the names of the numbers of a row
    quaternions  places in y where four numbers of length 1 begin
    options      the six values of time and tolerance, by the names in OPTIONS
    about        a sentence for the head of the program
    near         how many pairs of contacts may be skipped; a program computes all
    events       what leads from one phase to another, or ends the motion
    transitions  what events do in the phases in which they can happen
    first        the number of the phase in which the motion begins
    since        how long ago that phase began, s
    """

    stem: str
    phases: tuple[Phase, ...]
    state: tuple[Quantity, ...]
    inputs: tuple[Quantity, ...]
    parameters: Mapping[str, Quantity]
    columns: tuple[str, ...]
    options: Mapping[str, float]
    quaternions: tuple[int, ...] = ()
    about: str = ""
    near: int = 0
    events: tuple[ProgramEvent, ...] = ()
    transitions: tuple[Transition, ...] = ()
    first: int = 0
    since: float = 0.0
