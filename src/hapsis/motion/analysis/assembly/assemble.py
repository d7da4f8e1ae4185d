"""The verb `assemble`: coordinates that close all loops, near a start, some of them held.

Newton's method is used where the start is close; otherwise least squares on the coordinates that are
not held, which needs no partition and accepts redundant rows [Paul]. If it ends without closing the
loops, it is repeated from other starts around the given one, in which exact zeros are moved a little.
Full pivoting in the closed pose gives the rank, the mobility, the redundant rows and the partition.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.errors import near as alike
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.branches import branches, distance, ranked, unwound
from hapsis.motion.analysis.assembly.loop_closers import Closed, Closer, checked_method
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.loop_report import Assembly, reported
from hapsis.motion.analysis.assembly.loop_speeds import closed_speeds
from hapsis.motion.analysis.start_values import quaternions, start_of

__all__ = ["Assembly", "assemble"]

SAME = 1e-9  # of its unit: a given value that differs less from that of a drive agrees with it
OPEN = 0.01  # of the largest gap: loops that stay open by less are not named
FAR = 0.5  # of its unit: where a coordinate moved farther, a nearer assembly may exist
LAST = 24  # random starts, where no start nearby leads to an assembly
MOST_TRIED = 12  # given values that are left out one by one, to say which of them cannot be met
UNIT = 4e-16  # from 1: the length of a quaternion that needs no correction


@verb
def assemble(
    model: Model,
    given: Mapping[str, float] | None = None,
    *,
    method: str = "auto",
    near: Mapping[str, float] | None = None,
) -> State:
    """The coordinates and speeds that close all loops; `.report` says what was found.

    given    coordinates that are held, else the model's `independent`; driven ones always. Speeds
             too. The others start from the model's pose "start", else from zero
    method   "auto", "newton", "least squares" or "simplex"
    near     guesses of coordinates, which need not be met and choose the branch: of all assemblies found
             from many starts the one nearest to these values. Without it: the nearest to the start

    A start that is closed already stays as it is, to the last bit. An error says which given values cannot
    be met together with the others, and what they would be.
    """
    with Activity("assembling"):
        return Problem(model, given, method, near=near).assembled()


def assembled(
    loops: Loops, given: Mapping[str, float] | None, near: Mapping[str, float] | None = None
) -> State:
    """The State that `assemble` returns, for loops whose kernels exist already."""
    return Problem(loops.model, given, "auto", loops, near).assembled()


class Problem:
    """A model to be assembled: where it starts and what is held."""

    def __init__(
        self,
        model: Model,
        given: Mapping[str, float] | None,
        method: str,
        loops: Loops | None = None,
        near: Mapping[str, float] | None = None,
    ) -> None:
        if given is not None and not isinstance(given, Mapping):  # pyright: ignore
            raise ModelError("given must be {coordinate: value}")
        self.model, self.given, self.method = model, given, checked_method(method)
        self.guesses = None if near is None else guessed(model, near)
        self.loops = Loops(model) if loops is None else loops
        self.start = self._start()
        self.held, self.pins = self._held()
        self.closer = Closer(self.loops, self.held, pins=self.pins)

    def assembled(self) -> State:
        """The assembly nearest to the guesses, else to the start."""
        self.loops.check_finite(self.start)
        if self.guesses is None:
            return self.state(self.closed().q)
        nearest = np.array([self.guesses.get(name, np.nan) for name in self.model.coordinates])
        assemblies = branches(self.closer, self.start, nearest, self.method)
        if not assemblies:
            raise self.open(self.closer.run("least squares", self.start))
        return self.state(ranked(self.closer, assemblies, nearest, self.start)[0])

    def _start(self) -> Array:
        """The coordinates at the start, those of drives included."""
        guesses = self.guesses if self.guesses and self.loops.quaternions else {}
        q, places = start_of(self.model, {**guesses, **(self.given or {})}), self.model.coordinates
        for name, drive in self.loops.driven.items():
            unit = self.loops.speed_units[self.loops.slots[name]]
            for what, value in ((name, drive.position), (f"{name}.v", drive.velocity)):
                x = (self.given or {}).get(what, value)
                if x is not None and value is not None and abs(x - value) > SAME * unit:
                    raise ModelError(
                        f'"{what[:60]}" is given as {x:g}, but {drive.drive.label} starts it at {value:g}',
                        remedy="leave one of them out",
                    )
            if drive.position is not None:
                q[places.index(name)] = drive.position
        for parts in self.loops.quaternions:
            size = float(np.linalg.norm(q[parts]))
            if abs(size - 1.0) > UNIT:
                q[parts] /= size
        return q

    def _held(self) -> tuple[list[int], dict[int, float]]:
        """The places in v of the speeds whose coordinates are held; places and values of what is pinned."""
        loops, given = self.loops, self.given or {}
        names = [n for n in given if n in self.model.coordinates]
        held = names if given else list(self.model.independent)
        slots = {loops.slots[n] for n in (*held, *loops.driven) if n in loops.slots}
        speeds = {name: k for k, name in enumerate(self.model.speeds)}
        turning, pins = quaternions(self.model), dict[int, float]()
        places = {name: k for k, name in enumerate(self.model.coordinates)}
        for joint in self.model.moving:
            parts = [places[n] for n in joint.coordinates if n in names]
            if joint.name not in turning or not parts:
                continue
            if len(parts) == len(joint.coordinates):
                slots |= {speeds[name] for name in joint.speeds}
                continue
            whole = set(turning[joint.name]) <= set(parts)  # a quaternion, of length 1 in the start
            for k in parts:
                exact = whole and k in turning[joint.name]
                pins[k] = float(self.start[k] if exact else given[self.model.coordinates[k]])
        return sorted(slots), pins

    def closed(self, told: bool = True) -> Closed:
        """The assembly nearest to the start, of those found from it and around it; an error if `told`."""
        ends = [self._run(self.start)]
        if self._near(ends[0]):
            return ends[0]
        slow = self.method in ("newton", "simplex")
        anywhere = [] if slow and not ends[0].turned else [self.closer.anywhere(self.start, LAST)]
        for starts in (*self.closer.around(self.start, slow), *anywhere):
            lost = not ends[0].done
            ends += [self._run(q) for q in starts]
            if lost and any(end.done for end in ends):
                break
        best = min(ends, key=lambda end: (not end.done, bool(end.turned), self._order(end)))
        if not best.done and told:
            raise self.open(best)
        return best

    def _run(self, q: Array) -> Closed:
        end = self.closer.run(self.method, q)
        return end._replace(q=unwound(self.closer, end.q, self.start)) if end.done else end

    def _near(self, end: Closed) -> bool:
        """Whether every angle and length is close to its start."""
        return end.done and distance(self.closer, end.q, self.start, np.inf) < FAR

    def _order(self, end: Closed) -> float:
        return distance(self.closer, end.q, self.start) if end.done else end.gap

    def open(self, end: Closed) -> SolveError:
        """The error that says which loops stay open, by how much, and gives the nearest pose."""
        q = end.q
        if end.turned:
            return SolveError(
                f'the loops close only with "{end.turned[:60]}" turned over: its rows are zero, '
                "but its two ends point in opposite directions",
                remedy="start nearer",
            )
        gaps, relative = dict[str, float](), dict[str, float]()
        rows = zip(self.loops.names, self.loops.gap(q), self.loops.relative_gap(q), strict=True)
        for name, x, part in rows:
            loop = name.rpartition(".")[0]
            gaps[loop] = max(gaps.get(loop, 0.0), abs(float(x)))
            relative[loop] = max(relative.get(loop, 0.0), abs(float(part)))
        names = self.model.coordinates
        missed = [(k, x) for k, x in self.pins.items() if abs(q[k] - x) > SAME * self.loops.units[k]]
        largest = max(relative.values(), default=0.0)
        worst = sorted((n for n in gaps if relative[n] > OPEN * largest), key=lambda n: -relative[n])
        openings = ", ".join(
            [f'"{n[:60]}" stays open by {gaps[n]:.3g} m or rad' for n in worst[:3]]
            + [f'"{names[k][:60]}" gets to {q[k]:.4g}, not {x:.4g}' for k, x in missed[:3]]
        )
        pose = ", ".join(f"{n} {x:.4g}" for n, x in zip(names[:8], q, strict=False))
        more = ", ..." if len(names) > 8 else ""
        drives = [f'"{d.drive.name[:60]}"' for d in self.loops.driven.values() if not d.constant]
        held = f" with {', '.join(drives)} driving" if drives else ""
        return SolveError(
            f"the loops cannot be closed{held}: {openings}",
            expected=f"coordinates that close it; nearest: {pose}{more}",
            remedy=self._remedy()
            + ("" if self.method in ("auto", "least squares") else ', or use method="auto"'),
        )

    def _remedy(self) -> str:
        """What to leave out of what is given: each value without which the loops close, and its new value."""
        held = [name for name in self.given or {} if name in self.model.coordinates]
        alone = [(name, end) for name in held[:MOST_TRIED] if (end := self._without([name])) is not None]
        if alone:
            places = self.model.coordinates
            texts = [f'"{n[:60]}" (it is then {end[places.index(n)]:.4g})' for n, end in alone[:3]]
            return f"leave out {' or '.join(texts)}, or give it as a guess, near={{...}}"
        kept: list[str] = []
        spare: list[str] = []
        for name in held[:MOST_TRIED]:
            met = self._without([n for n in held if n not in (*kept, name)]) is not None
            (kept if met else spare).append(name)
        if kept and spare:
            return "leave out " + " and ".join(f'"{name[:60]}"' for name in spare)
        if held or self.held:
            return "hold fewer coordinates, start nearer, or check the lengths: they may be impossible"
        return "check the lengths, with which no pose may close it, or start nearer"

    def _without(self, names: list[str]) -> Array | None:
        """A closed pose where these coordinates are not held; None if there is none either."""
        given = {n: x for n, x in (self.given or {}).items() if n not in names}
        end = Problem(self.model, given, self.method, self.loops).closed(told=False)
        return end.q if end.done else None

    def state(self, q: Array) -> State:
        """A closed pose with its speeds and its report."""
        report = reported(self.closer, q, self.held, self.given is not None)
        v = closed_speeds(self.loops, q, self.given or {}, report)
        return State(self.model.coordinates, self.model.speeds, q, v, report)


def guessed(model: Model, near: Any) -> dict[str, float]:
    """{coordinate: value} of guesses; an error for anything else."""
    if not isinstance(near, Mapping):
        raise ModelError("near must be {coordinate: value}")
    for name in near:
        if name not in model.coordinates:
            hint = alike(str(name), model.coordinates)
            raise ModelError(f'near names "{str(name)[:60]}", which is no coordinate{hint}')
    return {name: real(value, f'near "{name}"') for name, value in near.items()}
