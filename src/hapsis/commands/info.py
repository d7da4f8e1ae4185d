"""`hapsis info`: the tree of a model and its numbers."""

import dataclasses
from typing import TYPE_CHECKING

from hapsis.commands.equations import WHOLE
from hapsis.commands.files import MANY, machine, model_of, others, total_mass
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import count, print_columns, print_lines, print_table, wrapped
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError, one_line
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.tree_text import ASCII, LINES, number, tree_text

if TYPE_CHECKING:
    from hapsis.motion.hybrid.hybrid import Hybrid
    from hapsis.motion.simulate.run.events import Event

FEW = 12  # names that are listed even if they follow from others


def info(file: str, moving: "Model | Hybrid", boxes: bool, report: Report | None = None) -> None:
    """Prints the tree of a model and its numbers; `boxes`: with box-drawing characters, else in ASCII.

    report    is filled instead, where it is given
    """
    model = model_of(moving)
    if report is not None:
        report |= _facts(file, model) | machine(moving) | {"warnings": moving.warnings}
        return
    print(one_line(file), tree_text(model, LINES if boxes else ASCII), sep="\n\n", end="\n\n")
    rows = [
        ("bodies", str(len(model.bodies))),
        ("joints", str(len(model.joints))),
        ("mass", _masses(model)),
        ("mobility", _mobility(file, model)),
        ("gravity", f"{' '.join(map(number, model.gravity_vector))} m/s²"),
        ("coordinates", ", ".join(model.coordinates)),
        ("speeds", _speeds(model)),
        ("parameters", _parameters(model)),
        ("also", others(model)),
    ]
    for title, text in rows:
        if text:
            print(wrapped(title, text))
    print_columns(_limits(model))
    print_table("sensors", {s.name: f"{s.kind} on {s.on}" for s in model.sensors.values()})
    poses = {
        name: ", ".join(f"{n} = {number(x)}" for n, x in model.pose(name).items()) for name in model.poses
    }
    print_table("poses", poses)
    if not isinstance(moving, Model):
        print_table("phases", {name: ", ".join(m.constraints) or "free" for name, m in moving.phases.items()})
        print_table("events", {event.name: _event(event) for event in moving.events})
    print_table("operations of one call", _operations(model))
    if moving.warnings:
        print()
    print_lines("warning", moving.warnings)


def _event(event: "Event") -> str:
    """In which phases an event happens, what it does, and which phase comes then."""
    parts = [f"in {', '.join(event.during)}" if event.during else "in all phases"]
    parts += [action.words for action in event.then]
    parts += [f"then {event.to}"] if event.to else []
    return "; ".join([*parts, "ends the motion"] if event.stop else parts)


def _facts(file: str, model: Model) -> Report:
    """The numbers of a model, for JSON."""
    tied = bool(model.cuts or model.constraints)
    families = ("constraints", "forces", "contacts", "drives")
    return {
        "file": file,
        "bodies": {name: {"mass": model.value(body.mass)} for name, body in model.bodies.items()},
        "joints": {name: _joint(model, joint) for name, joint in model.joints.items()},
        "cuts": [joint.name for joint in model.cuts],
        "mass": total_mass(model),
        "mobility": None if tied else len(model.speeds),
        "gravity": model.gravity_vector,
        "coordinates": model.coordinates,
        "speeds": model.speeds,
        "parameters": model.parameters,
        "sensors": {s.name: {"kind": s.kind, "on": str(s.on)} for s in model.sensors.values()},
        "poses": {name: model.pose(name) for name in model.poses},
        **{family: {n: fact.noun for n, fact in getattr(model, family).items()} for family in families},
        "operations": {f.name: dataclasses.asdict(f.cost()) for f in _dynamics(model)},
    }


def _joint(model: Model, joint: Joint) -> Report:
    """What is known of a joint: its ends, and its numbers where they are not zero."""
    bounds = {
        name: [None if x is None else model.value(x) for x in pair] for name, pair in joint.bounds.items()
    }
    numbers = ("max_speed", "max_effort", "armature", "damping", "friction")
    values = {n: getattr(joint, n) for n in numbers}
    return {
        "type": joint.type_name,
        "first": str(joint.first),
        "second": str(joint.second),
        "coordinates": joint.coordinates,
        "limits": bounds,
        **{n: model.value(x) for n, x in values.items() if x is not None},
    }


def _dynamics(model: Model) -> list[Function]:
    """The Functions whose operations are counted; none of large models, and of those without dynamics."""
    if not model.speeds or len(model.speeds) > MANY:
        return []
    try:
        return [WHOLE[n](model) for n in ("inverse_dynamics", "forward_dynamics", "mass_matrix")]
    except ModelError:
        return []


def _operations(model: Model) -> dict[str, str]:
    if not model.speeds:
        return {}
    if len(model.speeds) > MANY:
        return {"not counted": f"the model has more than {MANY} speeds"}
    try:
        functions = [WHOLE[n](model) for n in ("inverse_dynamics", "forward_dynamics", "mass_matrix")]
    except ModelError as error:
        return {"not available": str(error)}
    return {f.name: f"{f.cost()}; {count(f.parameters, 'parameter')}" for f in functions}


def _speeds(model: Model) -> str:
    """Their names; where they are many, those that do not follow from a coordinate's."""
    own = [name for name in model.speeds if name.removesuffix(".v") not in model.coordinates]
    if len(model.speeds) <= FEW or len(own) == len(model.speeds):
        return ", ".join(model.speeds)
    return ", ".join([*own, "NAME.v for every other coordinate" if own else "NAME.v for each one"])


def _mobility(file: str, model: Model) -> str:
    """How many ways to move there are; with loops that follows from an assembled pose, which takes longer."""
    held = [*(joint.name for joint in model.cuts), *model.constraints]
    if not held:
        return str(len(model.speeds))
    program = f"hs.assemble(hs.load({one_line(file)!r})).report"
    return f"{len(model.speeds)} speeds, held by {', '.join(held)}; what is left is in {program}"


def _masses(model: Model) -> str:
    """All mass, and what of it is welded to the world."""
    fixed, still = {"world"}, 0.0
    for branch in model.tree:  # parents first
        if branch.parent in fixed and not branch.joint.steps:
            fixed.add(branch.child)
            still += model.value(model.bodies[branch.child].mass)
    total = number(total_mass(model), "kg")
    return f"{total}, of which {number(still, 'kg')} fixed to the world" if still else total


def _parameters(model: Model) -> str:
    return ", ".join(f"{name} = {number(value)}" for name, value in model.parameters.items())


def _limits(model: Model) -> list[list[str]]:
    """A table of what bounds and brakes the joints: a row of titles, then one for each joint."""
    titles = ["joints", "range", "speed", "effort", "armature", "damping", "friction"]
    rows = [titles]
    for joint in model.joints.values():
        turns = bool(joint.steps) and all(step.kind in "RH" for step in joint.steps)
        unit, effort = ("rad", "N m") if turns else ("m", "N") if _slides(joint) else ("", "")
        bounds = [_range(model, joint, name, unit) for name in joint.bounds]
        most = [
            "" if value is None else number(model.value(value), of)
            for value, of in ((joint.max_speed, f"{unit}/s" if unit else ""), (joint.max_effort, effort))
        ]
        losses = [model.value(getattr(joint, field)) for field in titles[4:]]
        cells = [", ".join(bounds), *most, *(number(x) if x else "" for x in losses)]
        if any(cells):
            rows.append([f"  {one_line(joint.name)}", *cells])
    return rows


def _slides(joint: Joint) -> bool:
    return [step.kind for step in joint.steps] == ["P"]


def _range(model: Model, joint: Joint, name: str, unit: str) -> str:
    """The limits of one coordinate."""
    own = unit or ("m" if name.rpartition(".")[2][0] in "Txyz" else "rad")
    low, high = ("open" if x is None else number(model.value(x)) for x in joint.bounds[name])
    label = f"{name.removeprefix(joint.name + '.')} " if len(joint.coordinates) > 1 else ""
    return f"{label}{low} to {high} {own}"
