"""Mapped contacts: many contacts of one kind as one kernel that is mapped over the pairs.

The kernel contains the geometry of two solids and their laws; its inputs are the poses, velocities, states
and numbers of a pair. The wrenches, about the world's origin, are added up per link. A pair is skipped where
its `near` is zero, unless its laws have states, which change where nothing touches too. `broad_phase`
computes `near` from bounding balls, enlarged by the distance that the solids can move in a step. Which
contacts are mapped is decided in `contact_groups`.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import minimum, sqrt, where
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import bounding_radius, distance
from hapsis.mechanics.algebra.contact_geometry.touch import Solid
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled, sub
from hapsis.mechanics.formalisms.forces.contact_forces import (
    Gap,
    before_state,
    check_states,
    note_loss,
    reach,
    sides,
    state_names,
    tell,
)
from hapsis.mechanics.formalisms.forces.contact_pairs import Pair
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.formalisms.forces.touch_forces import Side, exact, pair_forces
from hapsis.mechanics.model.contact_laws.contact_law import holds_by_states
from hapsis.mechanics.model.forces.force import Spot

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

MARGIN = 0.02  # of the sum of both radii, added to the balls
REACH = 2.0  # times the distance by which two solids can approach each other in a step
CROSSED = 0.1  # of the sum of both radii: how far solids may pass through each other in the longest step
PATIENCE = 0.25  # of the time to the next contact, because the step is chosen from the previous state
POINT = 1e-3  # m; the size of a point
STILL = 1e-9  # m/s


def kernel(pair: Pair) -> Function:
    """The Function of one pair, the same for all pairs of its group."""
    graph = Graph()
    inputs: dict[str, Any] = {}
    both: list[Side] = []
    for name, piece in zip("ab", (pair.first, pair.second), strict=True):
        R = symbols(f"R{name}", 3, 3, graph=graph)
        p, w, u = (symbols(f"{x}{name}", 3, graph=graph) for x in "pwu")
        count = 0 if piece.shape is None else len(piece.shape.dimensions)
        lengths = symbols(f"size{name}", count, graph=graph)
        inputs |= {f"R{name}": R, f"p{name}": p, f"w{name}": w, f"u{name}": u}
        inputs |= {f"size{name}": lengths}
        rows = tuple(tuple(row) for row in R)
        spot = Spot(0, rows, tuple(p), tuple(w), tuple(u))
        both.append(Side(Solid(piece.kind, rows, spot.p, tuple(lengths)), spot))
    fields: list[dict[str, Any]] = []
    for name, law in zip(("normal", "friction"), pair.laws, strict=True):
        names = list(law.fields) if law is not None else []
        values = symbols(name, len(names), graph=graph)
        inputs[name] = values
        fields.append(dict(zip(names, values, strict=True)))
    names = state_names(pair.laws)
    states = symbols("states", pair.touches * len(names), graph=graph)
    inputs["states"] = states
    by_touch = [
        dict(zip(names, states[k : k + len(names)], strict=True))
        for k in range(0, len(states), max(1, len(names)))
    ]
    outputs = _outputs(pair, (both[0], both[1]), (fields[0], fields[1]), by_touch)
    inputs = {name: x for name, x in inputs.items() if len(x)}
    return Function("contact", inputs, outputs)


def _outputs(pair: Pair, both: tuple[Side, Side], fields: Any, states: list[Any]) -> dict[str, Any]:
    a, b = both
    zero = a.spot.p[0] * 0.0
    none: Vector = (zero, zero, zero)
    moment, force, center = none, none, none
    normal, energy, loss = zero, zero, zero
    # the first relative to the second: velocity at the second's origin, and angular velocity
    moves, turns = sub(a.velocity(b.spot.p), b.spot.u), sub(a.spot.w, b.spot.w)

    def velocity(point: Vector) -> Vector:
        return add(moves, cross(turns, sub(point, b.spot.p)))

    try:
        of_touch = states.__getitem__ if states else lambda k: {}
        done, pushes = pair_forces(a, b, velocity, pair.laws, fields, of_touch, None)
    except ModelError as error:
        raise pair.contact.wrong(error.what) from None
    for push in pushes:
        force = add(force, push.force)
        moment = add(moment, cross(push.point, push.force))
        moment = moment if push.moment is None else add(moment, push.moment)
    for d in done:
        center = add(center, scaled(d.normal, d.touch.point))
        normal, loss = normal + d.normal, loss + d.loss
        energy = energy + (0.0 if d.energy is None else d.energy)
    outputs = {
        "first": [*moment, *force],
        "second": [*neg(moment), *neg(force)],
        "told": [distance(a.solid, b.solid, [d.touch for d in done]), normal, *force, *center, energy, loss],
    }
    if states:
        outputs["rates"] = [zero + d.rates[name] for d in done for name in state_names(pair.laws)]
    return outputs


def act(applied: "AppliedForces", function: Function, group: list[Pair]) -> None:
    """Adds the contacts of a group: maps the kernel over its pairs and distributes the results."""
    scenes = {pair.contact.name: ForceScene(applied, pair.contact) for pair in group}
    for pair in group:
        check_states(pair.contact)
    surfaces = [sides(scenes[p.contact.name], p.first, p.second) for p in group]
    columns: dict[str, list[Any]] = {port.name: [] for port in function.inputs}
    for pair, both in zip(group, surfaces, strict=True):
        _fill(columns, pair, both, scenes[pair.contact.name])
    links = len(applied.tree.branches)
    rows = [np.array([s[k].spot.link % (links + 1) for s in surfaces]) for k in (0, 1)]
    near = None if "states" in columns else _array(applied.nears(surfaces))
    arguments = [_array(columns[port.name]) for port in function.inputs]
    into = {"first": (rows[0], links + 1), "second": (rows[1], links + 1)}
    first, second, results, *rates = blocks.map(function, *arguments, add_into=into, when=near)
    touched = {int(k) for row in rows for k in row} - {links}
    for link in sorted(touched):
        six = [x + y for x, y in zip(first[link], second[link], strict=True)]
        applied.push_about_world(link, (six[0], six[1], six[2]), (six[3], six[4], six[5]))
    for pair, (a, b), row in zip(group, surfaces, results, strict=True):
        close = None if exact(a.solid, b.solid) else reach(a, b)
        applied.gaps.append(Gap(pair.contact.name, row[0], close))
    if rates:
        for pair, values in zip(group, rates[0], strict=True):
            for name, rate in zip(_names(pair), values, strict=True):
                scenes[pair.contact.name].rate(name, rate)
        for pair, both in zip(group, surfaces, strict=True):
            if holds_by_states(pair.contact.normal_law):
                applied.account.hold(pair.contact.name, partial(_held, scenes[pair.contact.name], pair, both))
    _tell(applied, group, results, scenes)


def _held(scene: ForceScene, pair: Pair, both: tuple[Side, Side]) -> Any:
    """The energy that the touches of a pair hold, written out."""
    (a, b), applied = both, scene.applied
    names = state_names(pair.laws)

    def states(k: int) -> dict[str, Any]:
        before = before_state(pair.start + k)
        return {name: applied.states[scene.named(f"{before}{name}")][0] for name in names}

    def velocity(point: Vector) -> Vector:
        return sub(a.velocity(point), b.velocity(point))

    fields = scene.fields_of(pair.laws[0]), scene.fields_of(pair.laws[1])
    done, _ = pair_forces(a, b, velocity, pair.laws, fields, states, None)
    return sum((d.held() for d in done if d.held is not None), applied.tree.zero)


def _names(pair: Pair) -> list[str]:
    """The states of a pair by their names in the contact, touch by touch."""
    names = state_names(pair.laws)
    return [f"{before_state(pair.start + k)}{name}" for k in range(pair.touches) for name in names]


def _fill(columns: Any, pair: Pair, both: tuple[Side, Side], scene: ForceScene) -> None:
    for name, side in zip("ab", both, strict=True):
        spot = side.spot
        values = {"R": spot.R, "p": spot.p, "w": spot.w, "u": spot.u, "size": side.solid.size}
        for key, value in values.items():
            if f"{key}{name}" in columns:
                columns[f"{key}{name}"].append(value)
    for name, law in zip(("normal", "friction"), pair.laws, strict=True):
        if name in columns:
            columns[name].append(list(scene.fields_of(law).values()))
    if "states" in columns:
        numbers = range(pair.start, pair.start + pair.touches)
        of_touches = (scene.states_of(law, before_state(k)) for k in numbers for law in pair.laws)
        columns["states"].append([x for states in of_touches for x in states.values()])


def _array(values: Any) -> Any:
    return np.array(values, dtype=object)


def _tell(applied: "AppliedForces", group: list[Pair], rows: Any, scenes: dict[str, ForceScene]) -> None:
    """Adds energies and dissipated power, and declares the signals, contact by contact."""
    for pair, row in zip(group, rows, strict=True):
        applied.energy, applied.loss = applied.energy + row[8], applied.loss + row[9]
        note_loss(scenes[pair.contact.name], row[9])
    for name, scene in scenes.items():
        mine = [row for pair, row in zip(group, rows, strict=True) if pair.contact.name == name]
        touches = applied.told.setdefault(name, [])  # by pairs of another group
        touches += [(r[0], r[1], (r[2], r[3], r[4]), (r[5], r[6], r[7])) for r in mine]
        tell(scene, touches, weighted=True)


def broad_phase(applied: "AppliedForces", h: Any) -> tuple[list[Any], Any]:
    """For each mapped pair 1 where it may touch within a step h, else 0; and the longest step.

    In a step of that length no two solids pass through each other undetected: it is a quarter of the
    time in which their bounding balls can meet or, if they overlap, in which they can move by a tenth
    of their size.
    """
    chances = [_near(applied, a, b, h) for a, b in applied.candidates]
    longest = chances[0][1]
    for _, time in chances[1:]:
        longest = minimum(longest, time)
    return [near for near, _ in chances], PATIENCE * longest


def _near(applied: "AppliedForces", a: Side, b: Side, h: Any) -> tuple[Any, Any]:
    """Whether a pair may touch within a step h, and a lower bound of the time to meet or cross."""
    r, s = bounding_radius(a.solid), bounding_radius(b.solid)
    if r is None:
        a, b, r, s = b, a, s, None
    assert r is not None  # an unbounded solid touches only bounded ones
    moving = sub(a.spot.u, b.spot.u)
    size = r if s is None else r + s
    turning = sum((sqrt(dot(w, w)) for w in (a.spot.w, b.spot.w)), applied.tree.zero)
    speed = sqrt(dot(moving, moving)) + turning * size + STILL
    d = sub(a.spot.p, b.spot.p)
    if s is None and b.solid.kind != "plane":
        return applied.tree.one, (CROSSED * size) / speed
    gap = (dot(d, b.solid.axis(2)) if s is None else sqrt(dot(d, d))) - size
    least = CROSSED * (POINT if size.__class__ is float and size == 0.0 else size)
    distance_left = where(gap > least, gap, least)
    return gap < MARGIN * size + (REACH * h) * speed, distance_left / speed
