"""What the commands on model files do: equations, check, info, convert.

Each prints its report on standard output; what is wrong is raised as an Error. Names of a model
appear in reports only, never in generated code.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.compiler.backends.compiling import compile
from hapsis.compiler.backends.export import LANGUAGES, export, source
from hapsis.compiler.ir.function import Function
from hapsis.errors import Error, ModelError, near, one_line
from hapsis.mechanics.formalisms.coordinate_rates import coordinate_rates
from hapsis.mechanics.formalisms.derivatives import derivatives
from hapsis.mechanics.formalisms.energy import center_of_mass, energy, momentum
from hapsis.mechanics.formalisms.forward_dynamics import forward_dynamics
from hapsis.mechanics.formalisms.inverse_dynamics import bias, inverse_dynamics
from hapsis.mechanics.formalisms.kinematics import (
    acceleration,
    jacobian,
    jacobian_rate,
    pose,
    velocity,
)
from hapsis.mechanics.formalisms.mass_matrix import mass_matrix
from hapsis.mechanics.formalisms.measurements import measurements
from hapsis.mechanics.formalisms.reactions import reaction
from hapsis.mechanics.formalisms.regressor import regressor
from hapsis.mechanics.formats.loading import load, save
from hapsis.mechanics.model.drawing import ASCII, LINES, drawing, number
from hapsis.mechanics.model.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.prismatic import Prismatic

WIDTH = 100  # columns of a report
MANY = 60  # speeds; above it operations are not counted, which would take seconds
SINGULAR = 1e-12  # of a mass matrix with ones on its diagonal: its smallest eigenvalue

WHOLE: dict[str, Callable[[Model], Function]] = {  # of the whole model
    "inverse_dynamics": inverse_dynamics, "forward_dynamics": forward_dynamics,
    "mass_matrix": mass_matrix, "bias": bias, "energy": energy, "momentum": momentum,
    "center_of_mass": center_of_mass, "coordinate_rates": coordinate_rates,
    "measurements": measurements, "regressor": regressor,
}  # fmt: skip
ONE: dict[str, tuple[str, Callable[..., Function]]] = {  # of a frame, a joint, a dynamics: --of
    "pose": ("frame", pose), "velocity": ("frame", velocity),
    "acceleration": ("frame", acceleration), "jacobian": ("frame", jacobian),
    "jacobian_rate": ("frame", jacobian_rate), "reaction": ("joint", reaction),
    "derivatives": ("dynamics", derivatives),
}  # fmt: skip
COMMENTS = {"c": "/* {} */", "python": "# {}", "matlab": "% {}", "latex": "% {}"}


def loaded(file: str, base: str, physical: bool) -> Model:
    """The model of a file; a base that its format would not use is an error."""
    if Path(file).is_dir():
        raise ModelError("is a folder", where=file, expected="a model file")
    if base != "fixed" and Path(file).suffix.lower() != ".urdf":
        raise ModelError(f'--base "{base[:60]}" is for URDF only', where=file,
                         remedy="a YAML file says how its bodies hang from the world")  # fmt: skip
    return load(file, base=base, physical=physical)  # pyright: ignore[reportArgumentType]


def equations(
    model: Model, stem: str, quantities: Sequence[str], language: str, of: str, output: str
) -> None:
    """Prints the equations of these quantities, or writes them into the folder `output`."""
    languages = ("text", *LANGUAGES)
    if language not in languages:
        raise Error(f'there is no language "{language[:60]}"{near(language, languages)}',
                    expected=", ".join(languages))  # fmt: skip
    if output and language == "text":
        raise Error("--output needs a language to write", remedy="add --language c")
    functions = [_quantity(model, name, of) for name in quantities]
    if output:
        plain = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_")[:40]
        plain = plain if re.match(r"[A-Za-z]", plain) else "model"
        files = export(Path(output) / plain, functions, language)
        _print_lines("warning", model.warnings)
        print(f"wrote {', '.join(map(str, files))}")
        for k, function in enumerate(functions):
            called = {
                "c": f"hs_f{k}: ",
                "python": f"f{k}: ",
                "matlab": f"{files[k % len(files)].stem}: ",
            }
            print(f"{called.get(language, '')}{function!r}")
        print(legend(model, functions))
    elif language == "text":
        _print_lines("warning", model.warnings)
        print("\n\n".join(map(str, functions)), legend(model, functions), sep="\n\n")
    else:
        if model.warnings:
            told = f"{len(model.warnings)} warnings about the model: see hapsis check"
            print(COMMENTS[language].format(told))
        print(source(functions, language), end="")


def _quantity(model: Model, name: str, of: str) -> Function:
    if name in WHOLE:
        return WHOLE[name](model)
    if name not in ONE:
        known = (*WHOLE, *ONE)
        raise Error(f'there is no quantity "{name[:60]}"{near(name, known)}',
                    expected=", ".join(known))  # fmt: skip
    what, verb = ONE[name]
    if not of and what != "dynamics":
        known = model.joints if what == "joint" else model.bodies
        example = one_line(next(iter(known), "NAME"))[:60]
        raise Error(f"{name} is that of one {what}", remedy=f"say which, as in --of {example}")
    return verb(model, of) if of else verb(model)


def legend(model: Model, functions: Sequence[Function]) -> str:
    """The names behind q, v and p."""
    met = {port.name for function in functions for port in function.inputs}
    entries = {"q": model.coordinates, "v": model.speeds}
    lines = [_listed(key, names) for key, names in entries.items() if key in met]
    lines += [f"{key:<6}one for each speed" for key in ("a", "tau") if key in met]
    for function in functions:
        values = [f"{name} = {number(value)}" for name, value in function.parameters.items()]
        title = "p" if len(functions) == 1 else f"p of {function.name}"
        lines.append(_listed(title, values))
    return "\n".join(line for line in lines if line)


def check(file: str, base: str, physical: bool) -> None:
    """Prints what a file says and all that is strange about it; raises what is wrong."""
    try:
        model = loaded(file, base, physical)
    except ModelError as error:
        problems = getattr(error, "problems", ())
        if len(problems) > 1:
            _print_lines("problem", problems)
        raise
    kinds = Counter(type(joint).__name__.lower() for joint in model.joints.values())
    joints = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(one_line(file))
    print(f"  {_count(model.bodies, 'body', 'bodies')}, {number(_mass(model), 'kg')}")
    print(f"  {_count(model.joints, 'joint')}{f': {joints}' if joints else ''}")
    print(f"  {_count(model.coordinates, 'coordinate')}, {_count(model.speeds, 'speed')}")
    others = _others(model)
    if others:
        print(f"  {others}")
    warnings = [*model.warnings, *_regularity(model)]
    _print_lines("warning", warnings)
    print("sound")


def _regularity(model: Model) -> Iterator[str]:
    """What stands in the way of computing accelerations."""
    if not model.speeds or len(model.speeds) > MANY:
        return
    try:
        f = mass_matrix(model)
    except ModelError as error:
        yield str(error)
        return
    q, draw = model.zero, np.random.default_rng(0)
    for k, name in enumerate(model.coordinates):
        if name in model.plain:
            q[k] = draw.uniform(-1, 1)
    M = np.asarray(compile(f, "python")(q))
    for k in np.flatnonzero(~(np.diag(M) > 0)):
        yield f'nothing that the speed "{model.speeds[k]}" moves has inertia'
    if (np.diag(M) > 0).all():
        scale = 1 / np.sqrt(np.diag(M))
        values, vectors = np.linalg.eigh(M * np.outer(scale, scale))
        if values[0] < SINGULAR:
            most = model.speeds[int(np.argmax(np.abs(vectors[:, 0])))]
            kind = "singular" if values[0] > -SINGULAR else "not positive"
            yield f'the mass matrix is {kind} at a random pose; "{most}" has the largest part in it'


def info(file: str, model: Model, boxes: bool) -> None:
    """Prints the tree of a model and its numbers; `boxes` as lines, else in ASCII."""
    print(one_line(file), drawing(model, LINES if boxes else ASCII), sep="\n\n", end="\n\n")
    rows = [
        ("bodies", str(len(model.bodies))),
        ("joints", str(len(model.joints))),
        ("mass", _masses(model)),
        ("mobility", _mobility(model)),
        ("gravity", f"{' '.join(map(number, model.gravity))} m/s²"),
        ("coordinates", ", ".join(model.coordinates)),
        ("speeds", ", ".join(model.speeds)),
        ("parameters", _parameters(model)),
        ("also", _others(model)),
    ]
    for title, text in rows:
        if text:
            print(_wrapped(title, text))
    _print_table("joints", {joint.name: _limits(model, joint) for joint in model.joints.values()})
    _print_table("sensors", {s.name: f"{s.kind} on {s.on}" for s in model.sensors.values()})
    poses = {
        name: ", ".join(f"{n} = {number(x)}" for n, x in model.pose(name).items())
        for name in model.poses
    }
    _print_table("poses", poses)
    _print_table("operations of one call", _operations(model))
    if model.warnings:
        print()
    _print_lines("warning", model.warnings)


def _operations(model: Model) -> dict[str, str]:
    if len(model.speeds) > MANY:
        return {"not counted": f"the model has more than {MANY} speeds"}
    try:
        functions = [
            WHOLE[n](model) for n in ("inverse_dynamics", "forward_dynamics", "mass_matrix")
        ]
    except ModelError as error:
        return {"not available": str(error)}
    return {f.name: f"{f.cost()}; {_count(f.parameters, 'parameter')}" for f in functions}


def _mobility(model: Model) -> str:
    held = [*(joint.name for joint in model.cuts), *model.constraints]
    if not held:
        return str(len(model.speeds))
    return f"not known yet: {len(model.speeds)} speeds, held by {', '.join(held)}"


def _mass(model: Model) -> float:
    return sum(model.value(body.mass) for body in model.bodies.values())


def _masses(model: Model) -> str:
    """All mass, and what of it is welded to the world."""
    fixed, still = {"world"}, 0.0
    for branch in model.tree:  # parents first
        if branch.parent in fixed and not branch.joint.steps:
            fixed.add(branch.child)
            still += model.value(model.bodies[branch.child].mass)
    total = number(_mass(model), "kg")
    return f"{total}, of which {number(still, 'kg')} fixed to the world" if still else total


def _parameters(model: Model) -> str:
    return ", ".join(f"{name} = {number(value)}" for name, value in model.parameters.items())


def _others(model: Model) -> str:
    """The facts that are neither bodies nor joints, counted."""
    families = ("sensors", "constraints", "forces", "contacts", "drives")
    found = [_count(getattr(model, family), family[:-1]) for family in families
             if getattr(model, family)]  # fmt: skip
    return ", ".join(found)


def _limits(model: Model, joint: Joint) -> str:
    """What bounds and brakes a joint; nothing where nothing does."""
    turns = joint.steps and all(step.kind in "RH" for step in joint.steps)
    moves = isinstance(joint, Prismatic)
    unit = "rad" if turns else "m" if moves else ""
    effort = "N m" if turns else "N" if moves else ""
    parts: list[str] = []
    for name, (low, high) in joint.bounds.items():
        own = unit or ("m" if name.rpartition(".")[2][0] in "Txyz" else "rad")
        sides = ["open" if x is None else number(model.value(x)) for x in (low, high)]
        label = f"{name.removeprefix(joint.name + '.')} " if len(joint.coordinates) > 1 else ""
        parts.append(f"{label}{sides[0]} to {sides[1]} {own}")
    for field, unit_ in (("max_speed", f"{unit}/s" if unit else ""), ("max_effort", effort)):
        if getattr(joint, field) is not None:
            parts.append(f"at most {number(model.value(getattr(joint, field)), unit_)}")
    for field in ("armature", "damping", "friction"):
        if value := model.value(getattr(joint, field)):
            parts.append(f"{field} {number(value)}")
    return ", ".join(parts)


def convert(model: Model, target: str, force: bool) -> None:
    """Writes a model as the file `target`; what its format cannot hold is said in a notice."""
    if not force and Path(target).exists():
        raise Error("is there already", where=target, remedy="add --force to replace it")
    _print_lines("warning", model.warnings)
    save(model, target)
    print(f"wrote {one_line(target)}: {model!r}")


def _print_lines(kind: str, lines: Sequence[str]) -> None:
    for line in lines:
        print(f"{kind}: {one_line(line)}")


def _print_table(title: str, rows: dict[str, str]) -> None:
    """A title and a row for each name that has something to say."""
    rows = {one_line(name): one_line(text) for name, text in rows.items() if text}
    if rows:
        width = min(max(map(len, rows)), 30)
        print(f"\n{title}")
        for name, text in rows.items():
            print(_wrapped(f"  {name:<{width}}", text, width + 5))


def _wrapped(title: str, text: str, margin: int = 14) -> str:
    """A title and its text, broken where it is too long."""
    start, kept = f"{title:<{margin - 1}} ", one_line(text).replace(" = ", "\0=\0")
    lines = textwrap.fill(kept, WIDTH, initial_indent=start, subsequent_indent=" " * margin,
                          break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return lines.replace("\0", " ")


def _listed(title: str, names: Sequence[Any]) -> str:
    return _wrapped(title, ", ".join(map(str, names)), max(len(title) + 3, 6)) if names else ""


def _count(things: Any, one: str, many: str = "") -> str:
    return f"{len(things)} {one if len(things) == 1 else many or one + 's'}"
