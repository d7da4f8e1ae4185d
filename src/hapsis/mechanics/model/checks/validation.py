"""Validation: all that can be wrong between facts that are each sound."""

from collections.abc import Iterable, Sized
from typing import TYPE_CHECKING, Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks import inertias
from hapsis.mechanics.model.checks.plausibility import warn
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.constraints.constraints import Distance, Gear
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact, formulas
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.frame_lookup import MOST_HINTS, Places
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.topology import Placed, loose
from hapsis.mechanics.model.values.formula import NAME, RESERVED, TIME, Formula

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

MOST_BODIES = 20_000


def check_size(bodies: Sized) -> None:
    """Refuses a model that is out of budget, before any work is done on it."""
    if len(bodies) > MOST_BODIES:
        raise ModelError(f"the model has {len(bodies)} bodies; expected {MOST_BODIES} at most")


def placed_joints(joints: Iterable[Joint], places: Places, problems: Problems) -> list[Placed]:
    """The joints whose two ends exist; what is wrong with the others, and loose bodies."""
    placed: list[Placed] = []
    pairs: list[tuple[str, str]] = []
    for joint in joints:
        found = [_found(joint, field, places, problems) for field in ("first", "second")]
        first, second = found
        if first and second:
            placed.append(Placed(joint, first, second))
            _check_distinct(joint, found, problems)
        # a body whose joint ends nowhere is not reported a second time as loose
        names = [place[0] if place else "world" for place in found]
        owners = [places.owner(joint.first), places.owner(joint.second)]
        pairs += [(names[0], names[1]), *(("world", b) for b in owners if not all(found))]
    for group in loose(places.bodies, pairs):
        body, others = places.bodies[group[0]], len(group) - 1
        with_it = f" (nor {others} joined to it)" if others else ""
        problems.add(
            f"{body.label} is not connected to the world{with_it}; "
            f'add hs.Free("{body.name[:60]}", hs.WORLD, "{body.name[:60]}") or another joint',
            body.where,
        )
    return placed


_VERBS = {"first": "hangs from", "second": "carries"}


def _found(fact: Fact, field: str, places: Places, problems: Problems) -> Any:
    end = fact.ends[field]
    try:
        found = places.find(end)
    except ModelError as error:
        problems.add(f"{fact.label}: {error.what}", fact.where)
        return None
    if found is None:
        missing, hint = places.missing(end)
        verb = _VERBS[field] if isinstance(fact, Joint) else "refers to"
        problems.add(f"{fact.label} {verb} {missing}, which does not exist{hint}", fact.where)
    return found


def check(model: "Model", places: Places, problems: Problems) -> None:
    """Adds every problem of a model whose facts are sorted and whose tree is known."""
    _check_parameters(model, problems)
    _check_ends(model, places, problems)
    _check_coordinates(model, problems)
    closing = {joint.name for joint in model.cuts}
    unsound = {id(fact) for fact in model.facts if not _sound(fact, model, problems)}
    for fact in model.facts:
        if id(fact) not in unsound:
            _check_ranges(fact, fact.label, model, problems)
            _check_limits(fact, model, problems)
        _check_joints(fact, model, closing, problems)
    _check_drives(model, problems)
    if not problems.found:
        _check_contacts(model, problems)
    _check_poses(model, closing, problems)
    _check_world(places.world, problems)
    bodies = list(model.bodies.values())
    if not any(id(body) in unsound for body in bodies):
        rows = inertias.rows(bodies, model)
        inertias.check(bodies, rows, problems)
        for joint in model.cuts:
            if isinstance(joint, Free):
                problems.warn(f"{joint.label} closes a loop; it is free, so it does nothing")
        if not problems.found:
            warn(model, rows, problems)


def _check_parameters(model: "Model", problems: Problems) -> None:
    for name in model.parameters:
        if name in RESERVED:
            problems.add(f'no parameter may be called "{name}": formulas use that name')
        elif not NAME.fullmatch(name):
            problems.add(
                f'parameter "{name[:60]}" cannot be used in a formula; expected letters, digits, '
                "_ and . in its name, a letter first"
            )


def _check_ends(model: "Model", places: Places, problems: Problems) -> None:
    for fact in model.facts:
        if not isinstance(fact, Joint):  # those were placed before
            found = [_found(fact, field, places, problems) for field in fact.ends]
            _check_distinct(fact, found, problems)


def _check_distinct(fact: Fact, found: list[Any], problems: Problems) -> None:
    if len(found) == 2 and all(found) and found[0][0] == found[1][0]:
        problems.add(f'{fact.label} joins "{found[0][0][:60]}" to itself', fact.where)


def _check_coordinates(model: "Model", problems: Problems) -> None:
    """Names of coordinates and speeds are those of signals: each may stand for one only."""
    names = (*model.coordinates, *model.speeds)
    if len(set(names)) == len(names):
        return
    seen: dict[str, Joint] = {}
    for joint in model.moving:
        for name in (*joint.coordinates, *joint.speeds):
            other = seen.setdefault(name, joint)
            if other is not joint:
                problems.add(
                    f'{joint.label} and {other.label} both have a coordinate or speed "{name[:60]}"'
                    "; rename one",
                    joint.where,
                )
                break


def _sound(fact: Fact, model: "Model", problems: Problems) -> bool:
    """Whether all formulas of a fact have a value; adds what is wrong with them."""
    sound = True
    for formula in formulas(fact):
        time = {TIME} if isinstance(fact, Distance | Drive | Gear | Wrench) else set()
        unknown = sorted(formula.names - set(model.parameters) - time)
        for name in unknown:
            known = model.parameters if len(problems.found) < MOST_HINTS else {}
            problems.add(f"{fact.label}: {formula.missing(name, known)}", fact.where)
        if not unknown and TIME not in formula.names:
            try:
                formula.value(model.parameters)
                continue
            except ModelError as error:
                problems.add(f"{fact.label}: {error.what}", fact.where)
        sound = sound and not unknown and TIME in formula.names
    return sound


def _check_ranges(fact: Fact | Shape, label: str, model: "Model", problems: Problems) -> None:
    for field in fact.not_negative:
        given = getattr(fact, field)
        if given is None or (given.__class__ is float and given >= 0.0):
            continue
        for value in given if isinstance(given, tuple) else (given,):
            if model.value(value) < 0.0:
                problems.impossible(
                    f"{label}: {field} is {model.value(value):g}; it cannot be negative", fact.where
                )
    if isinstance(fact, Shape):
        return
    for field in fact.positive:
        given = getattr(fact, field)
        if given is not None and not (value := _at_start(given, model)) > 0.0:
            problems.impossible(f"{label}: {field} is {value:g}; it must be positive", fact.where)
    for shape in getattr(fact, "shapes", ()):
        _check_ranges(shape, f"{label}: {shape.label}", model, problems)
    for law in getattr(fact, "laws", ()):
        _check_ranges(law, f"{label}: {law.label}", model, problems)


def _at_start(x: Any, model: "Model") -> float:
    """A number of a fact; one that changes with time as it is at the start."""
    if callable(x):
        x = x(0.0)
    elif isinstance(x, Formula) and TIME in x.names:
        x = x.value({**model.parameters, TIME: 0.0})
    return model.value(x)


def _check_limits(fact: Fact, model: "Model", problems: Problems) -> None:
    if not isinstance(fact, Joint) or fact.limits is None:
        return
    for name, (low, high) in fact.bounds.items():
        if low is not None and high is not None and model.value(low) > model.value(high):
            problems.add(
                f'{fact.label}: limits of "{name[:60]}" are {model.value(low):g} and '
                f"{model.value(high):g}; the lower one must come first",
                fact.where,
            )


def _check_joints(fact: Fact, model: "Model", closing: set[str], problems: Problems) -> None:
    """A drive, a gear or a sensor acts on a coordinate, or on a joint, that exists."""
    for name in fact.joints.values():
        joint = model.joints.get(name)
        of_joints = isinstance(fact, Sensor)  # those take a whole joint too
        of_all = of_joints and fact.kind == "reaction"  # and that one also joints that close loops
        # an effort belongs to a speed, and the position of a free body has none of its own
        acts = name in model.plain and (not of_joints or f"{name}.v" in model.speeds)
        if (joint and of_all) or (acts and not of_all):
            continue
        if joint is None:
            if name in model.plain and not of_all:
                why = "whose speed is not its own; name the joint"
                problems.add(f'{fact.label} acts on "{name[:60]}", {why}', fact.where)
                continue
            names = model.joints if of_all else [*model.joints, *model.plain]
            hint = near(name, names) if len(problems.found) < MOST_HINTS else ""
            why = f"which does not exist{hint}"
        elif name in closing:
            why = "which closes a loop and has no coordinate; give it before the others of the loop"
        elif of_joints and joint.coordinates:
            continue
        elif joint.plain:
            why = f"which has several coordinates; name one of {', '.join(joint.plain)}"
        else:
            why = "which has no coordinate that is a length or an angle"
        problems.add(f'{fact.label} acts on joint "{name[:60]}", {why}', fact.where)


def _check_drives(model: "Model", problems: Problems) -> None:
    driven: dict[str, Drive] = {}
    for drive in model.drives.values():
        other = driven.setdefault(drive.joint, drive)
        if other is not drive:
            what = f'{drive.label} and {other.label} both drive "{drive.joint[:60]}"; remove one'
            problems.add(what, drive.where)


def _check_contacts(model: "Model", problems: Problems) -> None:
    """The shapes on both sides exist and can touch."""
    for contact in model.contacts.values():
        try:
            contact.pairs(model)
        except ModelError as error:
            what = error.what if error.what.startswith(contact.label) else (f"{contact.label}: {error.what}")
            problems.add(what, contact.where)


def _check_poses(model: "Model", closing: set[str], problems: Problems) -> None:
    known = {*model.coordinates, *model.speeds}
    named = [(f'pose "{pose[:60]}"', n) for pose, values in model.poses.items() for n in values]
    named += [("independent", name) for name in model.independent]
    if len(set(model.independent)) < len(model.independent):
        problems.add("independent names a coordinate twice")
    for what, name in named:
        if name in known and (what != "independent" or name in model.plain):
            continue
        why = "which is no length and no angle"
        if name in closing:
            why = "but that joint closes a loop and has no coordinate"
        elif name not in known:
            hint = near(name, known) if len(problems.found) < MOST_HINTS else ""
            why = f"which does not exist{hint}"
        problems.add(f'{what} names the coordinate "{name[:60]}", {why}')
    for pose, values in model.poses.items():
        for name, value in values.items():
            if isinstance(value, Formula):
                try:
                    value.value(model.parameters)
                except ModelError as error:
                    problems.add(f'pose "{pose[:60]}": {name[:60]}: {error.what}')


def _check_world(world: Body, problems: Problems) -> None:
    if world.mass != 0.0 or any(x != 0.0 for x in (*world.com, *world.inertia)):
        problems.add("the world cannot have a mass or an inertia", world.where)
