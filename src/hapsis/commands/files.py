"""`hapsis check`, `hapsis convert`, and how every command reads its file."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.commands.json_report import Report, print_json
from hapsis.commands.report_layout import count, print_lines
from hapsis.compiler.backends.compile import compile
from hapsis.errors import Error, ModelError, one_line
from hapsis.mechanics.formalisms.deferred_verbs import mass_matrix
from hapsis.mechanics.formats.load_save import RESULT
from hapsis.mechanics.model.checks.massless import massless_motions
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.tree_text import number
from hapsis.motion.hybrid.files.hybrid_files import load, save

if TYPE_CHECKING:
    from hapsis.motion.hybrid.hybrid import Hybrid

MANY = 60  # speeds; above it the mass matrix is not looked at, which would take seconds
SINGULAR = 1e-12  # of a mass matrix with ones on its diagonal: its smallest eigenvalue


def loaded(file: str, base: str, physical: bool) -> Model:
    """The model of a file, or of a name of the library; a hybrid is an error."""
    model = moving(file, base, physical)
    if not isinstance(model, Model):
        raise ModelError(
            f"is a hybrid of {count(model.phases, 'phase')}, and this command takes one model",
            where=one_line(file),
            remedy="hs.load(...).phases has the models: save one of them",
        )
    return model


def model_of(model: "Model | Hybrid") -> Model:
    """The model itself, or that of the phase in which a hybrid begins."""
    return model.model if not isinstance(model, Model) else model


def moving(file: str, base: str, physical: bool) -> "Model | Hybrid":
    """The model or the hybrid of a file, or of a name of the library.

    A base that the format would not use is an error.
    """
    if os.path.isdir(file):
        raise ModelError("is a folder", where=file, expected="a model file")
    if Path(file).suffix.lower() == RESULT:
        raise ModelError(
            "is a result, not a model",
            where=one_line(file),
            remedy=f"see it with hapsis show {one_line(file)}",
        )
    if not Path(file).suffix and not os.path.exists(file) and (model := _of_library(file)) is not None:
        return model
    if base != "fixed" and Path(file).suffix.lower() != ".urdf":
        raise ModelError(
            f'--base "{base[:60]}" is for URDF only',
            where=file,
            remedy="other files say how their bodies hang from the world",
        )
    try:
        return load(file, base=base, physical=physical)  # pyright: ignore[reportArgumentType]
    except ModelError as error:
        raise _as_options(error) from None
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", where=file[:200]) from None


def scene_of(name: str) -> Any:
    """A scene of particles of the library; None if it has none of that name."""
    from hapsis import library  # not needed for files

    return getattr(library, name)() if name in library.PARTICLES else None


def _of_library(name: str) -> "Model | Hybrid | None":
    """A mechanism of the library, as it is without arguments; None if it has none of that name."""
    from hapsis import library  # not needed for files

    if name in library.PARTICLES:
        raise ModelError(
            "is a scene of particles, and this command takes a model",
            where=name,
            remedy=f"hapsis share {name} shows it",
        )
    return getattr(library, name)() if name in library.__all__ else None


def _as_options(error: ModelError) -> ModelError:
    """The same error, with arguments of `hs.load` called as the options of the command."""

    def renamed(text: str | None) -> str | None:
        return text and text.replace("physical=False", "--not-physical")

    again = ModelError(
        renamed(error.what) or "",
        where=error.where,
        expected=renamed(error.expected),
        remedy=renamed(error.remedy),
    )
    again.problems = tuple(map(renamed, getattr(error, "problems", ())))  # pyright: ignore
    return again


def check(file: str, base: str, physical: bool, report: Report | None = None) -> None:
    """Prints what a file says and all that is strange about it; raises what is wrong."""
    try:
        given = moving(file, base, physical)
    except ModelError as error:
        problems = getattr(error, "problems", ())
        if report is not None:
            print_json({"file": file, "sound": False, "problems": [*(problems or (str(error),))]})
        elif len(problems) > 1:
            print_lines("problem", problems)
        raise
    model, phases = model_of(given), given.phases.values() if not isinstance(given, Model) else (given,)
    massless = any(True for phase in phases for _ in massless_motions(phase))  # among the warnings already
    singular = [] if massless or not isinstance(given, Model) else list(_regularity(model))
    if report is not None:
        report |= _facts(file, model, singular, not (massless or singular)) | machine(given)
        return
    kinds = Counter(type(joint).__name__.lower() for joint in model.joints.values())
    joints = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    print(one_line(file))
    print(f"  {count(model.bodies, 'body', 'bodies')}, {number(total_mass(model), 'kg')}")
    print(f"  {count(model.joints, 'joint')}{f': {joints}' if joints else ''}")
    print(f"  {count(model.coordinates, 'coordinate')}, {count(model.speeds, 'speed')}")
    if more := others(model):
        print(f"  {more}")
    for noun, names in machine(given).items():
        print(f"  {count(names, noun.removesuffix('s'))}: {one_line(', '.join(names))}")
    print_lines("warning", [*given.warnings, *singular])
    print("sound for kinematics: accelerations cannot be computed" if massless or singular else "sound")


def _facts(file: str, model: Model, singular: list[str], dynamic: bool) -> dict[str, Any]:
    """What `check` says, as a table for JSON."""
    return {
        "file": file,
        "sound": True,
        "accelerations": dynamic,
        "mass": total_mass(model),
        "bodies": list(model.bodies),
        "joints": {name: type(joint).__name__.lower() for name, joint in model.joints.items()},
        "coordinates": list(model.coordinates),
        "speeds": list(model.speeds),
        "warnings": [*model.warnings, *singular],
        "problems": [],
    }


def _regularity(model: Model) -> Iterator[str]:
    """Sentences on why accelerations cannot be computed; none if they can."""
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


def machine(model: "Model | Hybrid") -> dict[str, list[str]]:
    """The names of the phases and the events of a hybrid; nothing of a model."""
    if isinstance(model, Model):
        return {}
    return {"phases": list(model.phases), "events": [event.name for event in model.events]}


def convert(model: "Model | Hybrid", target: str, force: bool, report: Report | None = None) -> None:
    """Writes a model as the file `target`; what its format cannot hold is said in a notice."""
    if not force and os.path.lexists(target):
        raise Error("is there already", where=target, remedy="add --force to replace it")
    if report is not None:
        save(model, target)
        report |= {"files": [target], "warnings": model.warnings}
        return
    print_lines("warning", model.warnings)
    save(model, target)
    print(f"wrote {one_line(target)}: {model!r}")


def total_mass(model: Model) -> float:
    """All mass, kg."""
    return sum(model.value(body.mass) for body in model.bodies.values())


def others(model: Model) -> str:
    """The facts that are neither bodies nor joints, counted."""
    families = ("sensors", "constraints", "forces", "contacts", "drives")
    counts = [count(getattr(model, family), family[:-1]) for family in families if getattr(model, family)]
    return ", ".join(counts)
