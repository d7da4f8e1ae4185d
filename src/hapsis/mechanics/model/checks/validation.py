"""Validation: errors between facts that are valid each by itself."""

from collections.abc import Sized
from typing import TYPE_CHECKING

from hapsis.errors import ModelError, near, near_or_all
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks import inertias, unusual_numbers
from hapsis.mechanics.model.checks.massless import massless_motions
from hapsis.mechanics.model.checks.placement import check_ends
from hapsis.mechanics.model.checks.plausibility import warn
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.checks.ranges import check_limits, check_ranges, sound
from hapsis.mechanics.model.driven_points import check_point, driven_coordinate
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.names import RESULT_NAMES, acceleration_name, speed_name
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.structure.frame_lookup import MOST_HINTS, FrameLookup
from hapsis.mechanics.model.values.formula import NAME, RESERVED, Formula

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

MOST_BODIES = 20_000


def check_size(bodies: Sized) -> None:
    """Raises an error for a model with too many bodies, before any work is done on it."""
    if len(bodies) > MOST_BODIES:
        raise ModelError(f"the model has {len(bodies)} bodies; expected {MOST_BODIES} at most")


def check(model: "Model", lookup: FrameLookup, problems: Problems) -> None:
    """Adds every problem of a model whose facts are sorted and whose tree is known."""
    _check_parameters(model, problems)
    check_ends(model, lookup, problems)
    _check_coordinates(model, problems)
    closing = {joint.name for joint in model.cuts}
    unsound = {id(fact) for fact in model.facts if not sound(fact, model, problems)}
    for fact in model.facts:
        if id(fact) not in unsound:
            check_ranges(fact, fact.label, model, problems)
            check_limits(fact, model, problems)
        _check_joints(fact, model, closing, problems)
    _check_drives(model, problems)
    _check_generalized_speeds(model, problems)
    if not problems.found:
        _check_contacts(model, problems)
    _check_poses(model, closing, problems)
    _check_world(lookup.world, problems)
    bodies = list(model.bodies.values())
    if not any(id(body) in unsound for body in bodies):
        rows = inertias.rows(bodies, model)
        inertias.check(bodies, rows, problems)
        if not unsound:
            _warn_of_cuts(model, problems)
            unusual_numbers.check_stops(model, problems)
        if not problems.found:
            warn(model, rows, problems)
            unusual_numbers.warn(model, rows, problems)
            for branch, sentence in massless_motions(model):
                problems.warn(sentence, branch.joint.where)


def _warn_of_cuts(model: "Model", problems: Problems) -> None:
    """Adds a warning for what a joint that closes a loop has and cannot use: it has no coordinates."""
    for joint in model.cuts:
        if isinstance(joint, Free):
            problems.warn(f"{joint.label} closes a loop; it is free, so it does nothing")
            continue
        idle = [name for name in joint.numbers if getattr(joint, name) and model.value(getattr(joint, name))]
        if idle:
            problems.warn(
                f"{joint.label} closes a loop, so that its {' and '.join(idle)} has no effect; "
                "name another joint of the loop last",
                joint.where,
            )


def _check_parameters(model: "Model", problems: Problems) -> None:
    for name in model.parameters:
        if name in RESERVED:
            problems.add(f'no parameter may be called "{name}": formulas use that name')
        elif not NAME.fullmatch(name):
            problems.add(
                f'parameter "{name[:60]}" cannot be used in a formula; expected letters, digits, '
                "_ and . in its name, a letter first"
            )
    for x in model.gravity:
        try:
            model.value(x)
        except ModelError as error:
            problems.add(f"gravity: {error.what}")


def _check_coordinates(model: "Model", problems: Problems) -> None:
    """Adds a problem for each coordinate or speed whose name another column of results has."""
    names = (*model.coordinates, *model.speeds, *map(acceleration_name, model.speeds), *RESULT_NAMES)
    if len(set(names)) == len(names):
        return
    seen: dict[str, Joint] = {}
    for joint in model.moving:
        for name in (*joint.coordinates, *joint.speeds, *map(acceleration_name, joint.speeds)):
            if name in RESULT_NAMES:
                problems.add(
                    f'{joint.label} has a coordinate or speed "{name}", which is a column of every '
                    "result; rename it",
                    joint.where,
                )
                break
            other = seen.setdefault(name, joint)
            if other is not joint:
                problems.add(
                    f'{joint.label} and {other.label} both have a coordinate or speed "{name[:60]}"'
                    "; rename one",
                    joint.where,
                )
                break


def _check_joints(fact: Fact, model: "Model", closing: set[str], problems: Problems) -> None:
    """Adds a problem for each coordinate or joint that a fact names and that it cannot act on."""
    for name in fact.joints.values():
        joint = model.joints.get(name)
        of_joints = isinstance(fact, Sensor)  # a sensor may also name a whole joint
        of_all = of_joints and fact.kind == "reaction"  # and one of reactions also a joint that closes a loop
        # an effort belongs to a speed, and the position of a free body has none of its own
        acts = name in model.plain and (not of_joints or speed_name(name) in model.speeds)
        if (joint and of_all) or (acts and not of_all):
            continue
        if joint is None:
            if name in model.plain and not of_all:
                why = "whose speed is not its own; name the joint"
                problems.add(f'{fact.label} acts on "{name[:60]}", {why}', fact.where)
                continue
            names = model.joints if of_all else [*model.joints, *model.plain]
            what = "joints" if of_all else "joints and coordinates"
            names = list(dict.fromkeys(names))
            hint = near_or_all(name, names, what) if len(problems.found) < MOST_HINTS else ""
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
    if problems.found and any(drive.point is not None for drive in model.drives.values()):
        return  # of bodies or frames, perhaps those of points
    for drive in model.drives.values():
        if drive.point is not None and not check_point(model, drive, problems):
            continue
        coordinate = driven_coordinate(model, drive)
        other = driven.setdefault(coordinate, drive)
        if other is not drive:
            what = f'{drive.label} and {other.label} both drive "{coordinate[:60]}"; remove one'
            problems.add(what, drive.where)


def _check_generalized_speeds(model: "Model", problems: Problems) -> None:
    """Adds a problem for each combination of speeds that do not exist, or whose name is another column's."""
    known = dict.fromkeys(model.speeds)
    columns = {*model.coordinates, *known, *map(acceleration_name, known), *RESULT_NAMES}
    columns |= {f"{name}.effort" for name in model.coordinates}
    for fact in model.generalized_speeds.values():
        if fact.name in columns:
            problems.add(f"{fact.label} has the name of a column of every result; rename it", fact.where)
        for name in fact.named_speeds:
            if name not in known:
                hint = near_or_all(name, list(known), "speeds")
                problems.add(f'{fact.label} names "{name[:60]}", which is no speed{hint}', fact.where)
    if len(model.generalized_speeds) > len(known):
        problems.add(
            f"{len(model.generalized_speeds)} speeds are given as combinations, and the model has only "
            f"{len(known)} speeds"
        )


def _check_contacts(model: "Model", problems: Problems) -> None:
    """Adds a problem for each contact whose shapes do not exist or cannot touch."""
    for contact in model.contacts.values():
        try:
            contact.pairs(model, in_steps=True)
        except ModelError as error:
            what = error.what if error.what.startswith(contact.label) else (f"{contact.label}: {error.what}")
            problems.add(what, contact.where)


def _check_poses(model: "Model", closing: set[str], problems: Problems) -> None:
    known = {*model.coordinates, *model.speeds, *model.generalized_speeds}
    named = [(f'pose "{pose[:60]}"', n) for pose, values in model.poses.items() for n in values]
    named += [("independent", name) for name in model.independent]
    if len(set(model.independent)) < len(model.independent):
        problems.add("independent names a coordinate twice")
    for what, name in named:
        if name in known and (what != "independent" or name in model.plain):
            continue
        if what == "independent" and name in model.generalized_speeds:
            continue
        why = "which is no length and no angle"
        if name in closing:
            why = "but that joint closes a loop and has no coordinate"
        elif name not in known:
            few = len(problems.found) < MOST_HINTS
            hint = near(name, known) or near_or_all(name, model.coordinates, "coordinates") if few else ""
            why = f"which does not exist{hint}"
        problems.add(f'{what} names the coordinate "{name[:60]}", {why}')
    for pose, values in model.poses.items():
        for name, value in values.items():
            if isinstance(value, Formula):
                try:
                    model.value(value)
                except ModelError as error:
                    problems.add(f'pose "{pose[:60]}": {name[:60]}: {error.what}')


def _check_world(world: Body, problems: Problems) -> None:
    if world.mass != 0.0 or any(x != 0.0 for x in (*world.com, *world.inertia)):
        problems.add("the world cannot have a mass or an inertia", world.where)
