"""`hapsis equations`: the equations of a model as a listing or as code.

Names of a model appear in the listing and in the report; generated code has them reduced to letters,
digits and underscores.
"""

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import count, listed, print_lines
from hapsis.compiler.backends.export import LANGUAGES, export, source
from hapsis.compiler.backends.identifiers import reduced
from hapsis.compiler.backends.interface import STEM, interface
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import Error, check_known, near, one_line
from hapsis.mechanics.formalisms.derivatives.dynamics_derivatives import derivatives
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import forward_dynamics
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias, inverse_dynamics
from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix
from hapsis.mechanics.formalisms.dynamics.measurements import measurements
from hapsis.mechanics.formalisms.dynamics.reactions import reaction
from hapsis.mechanics.formalisms.dynamics.regressor import regressor
from hapsis.mechanics.formalisms.kane.partial_velocities import generalized_impulse, generalized_momentum
from hapsis.mechanics.formalisms.kane.speed_basis import generalized_speeds
from hapsis.mechanics.formalisms.tree.coordinate_rates import coordinate_rates
from hapsis.mechanics.formalisms.tree.energy import center_of_mass, energy, momentum
from hapsis.mechanics.formalisms.tree.kinematics import acceleration, jacobian, jacobian_rate, pose, velocity
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.tree_text import number


def _of_motion(name: str) -> Callable[..., Function]:
    """A verb of Kane's method, imported when it is called: what only shows a model does not need motions."""

    def write(*arguments: Any) -> Function:
        from hapsis.motion.analysis.kane import kane_equations

        return getattr(kane_equations, name)(*arguments)

    return write


WHOLE: dict[str, Callable[[Model], Function]] = {  # of the whole model
    "inverse_dynamics": inverse_dynamics,
    "forward_dynamics": forward_dynamics,
    "mass_matrix": mass_matrix,
    "bias": bias,
    "energy": energy,
    "momentum": momentum,
    "center_of_mass": center_of_mass,
    "coordinate_rates": coordinate_rates,
    "measurements": measurements,
    "regressor": regressor,
    "generalized_speeds": generalized_speeds,
    "generalized_momentum": generalized_momentum,
    "kane_equations": _of_motion("kane_equations"),
    "linear_equations": _of_motion("linear_equations"),
}
ONE: dict[str, tuple[str, Callable[..., Function]]] = {  # of a frame, a joint, a dynamics: --of
    "pose": ("frame", pose),
    "velocity": ("frame", velocity),
    "acceleration": ("frame", acceleration),
    "jacobian": ("frame", jacobian),
    "jacobian_rate": ("frame", jacobian_rate),
    "partial_velocities": ("frame", _of_motion("partial_velocities")),
    "generalized_impulse": ("frame", generalized_impulse),
    "reaction": ("joint", reaction),
    "derivatives": ("dynamics", derivatives),
}
COMMENTS = {"c": "/* {} */", "simulink": "/* {} */", "python": "# {}", "matlab": "% {}", "latex": "% {}"}


def equations(
    model: Model,
    stem: str,
    quantities: Sequence[str],
    language: str,
    of: str,
    output: str,
    report: Report | None = None,
) -> None:
    """Prints the equations of these quantities, or writes them into the folder `output`."""
    languages = ("text", *LANGUAGES)
    check_known(language, languages, "there is no language {}", Error, expected=", ".join(languages))
    if output and language == "text":
        raise Error("--output needs a language to write", remedy="add --language c")
    if of and not any(name in ONE for name in quantities):
        raise Error(
            f'--of "{of[:60]}" belongs to none of these quantities', expected=f"with {', '.join(ONE)}"
        )
    functions = [_quantity(model, name, of) for name in quantities]
    if report is not None:
        report |= _facts(model, stem, functions, language, output)
    elif output:
        print_lines("warning", model.warnings)
        _write(functions, Path(output), stem, language)
        print(*legend(model, functions), sep="\n")
    elif language == "text":
        print_lines("warning", model.warnings)
        print("\n\n".join(map(str, functions)))
        if lines := legend(model, functions):
            print("", *lines, sep="\n")
    else:
        if model.warnings and language in COMMENTS:
            remark = f"{count(model.warnings, 'warning')} about the model: see hapsis check"
            print(COMMENTS[language].format(remark))
        print(source(functions, language, _stem(stem)), end="")


def _facts(model: Model, stem: str, functions: Sequence[Function], language: str, output: str) -> Report:
    """The Functions, their code or the files that it was written to, for JSON."""
    names = {"q": model.coordinates, "v": model.speeds, "a": model.speeds, "tau": model.speeds}
    if any(port.name == "speeds" for f in functions for port in f.inputs):
        names["speeds"] = _independent_speeds(model)
    facts: Report = {
        "functions": [
            {
                "name": f.name,
                "inputs": {port.name: port.shape for port in f.inputs},
                "outputs": {port.name: port.shape for port in f.outputs},
                "parameters": f.parameters,
                "operations": dataclasses.asdict(f.cost()),
            }
            for f in functions
        ],
        "names": names,
        "warnings": model.warnings,
    }
    if output:
        return facts | {"files": [str(x) for x in export(Path(output) / _stem(stem), functions, language)]}
    listing = "\n\n".join(map(str, functions))
    return facts | {"text": listing if language == "text" else source(functions, language, _stem(stem))}


def _stem(name: str) -> str:
    """The name of a model file as the first part of the names in generated code."""
    plain = reduced(name, "model")[:40]
    return plain if STEM.match(plain) else "model"


def _write(functions: Sequence[Function], folder: Path, stem: str, language: str) -> None:
    """Writes the files and says how each Function is called in them."""
    plain = _stem(stem)
    files = export(folder / plain, functions, language)
    print(f"wrote {', '.join(map(str, files))}")
    for entry in interface(functions, plain).entries:
        print(f"{'' if language == 'latex' else entry.name + ': '}{entry.function!r}")


def _quantity(model: Model, name: str, of: str) -> Function:
    if name in WHOLE:
        return WHOLE[name](model)
    if name not in ONE:
        known = (*WHOLE, *ONE)
        raise Error(f'there is no quantity "{name[:60]}"{near(name, known)}', expected=", ".join(known))
    what, verb = ONE[name]
    if not of and what != "dynamics":
        known = model.joints if what == "joint" else model.bodies
        example = one_line(next(iter(known), "NAME"))[:60]
        raise Error(f"{name} is that of one {what}", remedy=f"say which, as in --of {example}")
    return verb(model, of) if of else verb(model)


def _independent_speeds(model: Model) -> tuple[str, ...]:
    from hapsis.motion.analysis.kane.independent_speeds import independent_speeds

    return independent_speeds(model)


def legend(model: Model, functions: Sequence[Function]) -> list[str]:
    """The names behind q, v, speeds and p, an entry for each."""
    met = {port.name for function in functions for port in function.inputs}
    entries = {"q": model.coordinates, "v": model.speeds}
    if "speeds" in met:
        entries["speeds"] = _independent_speeds(model)
    lines = [listed(key, names) for key, names in entries.items() if key in met]
    lines += [f"{key:<6}one for each speed" for key in ("a", "tau") if key in met and model.speeds]
    for function in functions:
        values = [f"{name} = {number(value)}" for name, value in function.parameters.items()]
        title = "p" if len(functions) == 1 else f"p of {function.name}"
        lines.append(listed(title, values))
    return [line for line in lines if line]
