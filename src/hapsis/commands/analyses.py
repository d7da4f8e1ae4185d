"""`hapsis equilibrium`, `hapsis modes`, `hapsis linearize`: analyses of a model file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines, print_table, print_warnings, wrapped
from hapsis.commands.simulate import arguments, pairs
from hapsis.errors import Error, one_line
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.tree_text import number
from hapsis.motion.analysis.equilibrium import equilibrium as equilibria
from hapsis.motion.analysis.linear import linearize as linearizing
from hapsis.motion.analysis.linear import modes as swinging

MOST = 12  # columns of a matrix that is printed


def equilibrium(
    file: str, model: Model, options: Mapping[str, Any], speeds: Sequence[str], facts: Report | None = None
) -> None:
    """Prints the pose and what is known of it, or fills a report with it."""
    if facts is None:
        print_warnings(model)
    moving = pairs(model, speeds, "--speed")
    state = equilibria.equilibrium(model, **_keywords(model, options), speeds=moving)
    report = state.report
    if facts is not None:
        facts |= {"file": file, **report._asdict(), "warnings": model.warnings}
        facts |= {"pose": {n: state[n] for n in model.coordinates}}
        facts |= {"speeds": {n: state[n] for n in model.speeds}}
        return
    print(one_line(file))
    rows = {
        "stability": report.stability,
        "residual": f"{report.residual:.1e} after {report.iterations} steps",
        "eigenvalues": ", ".join(_complex(x) for x in report.eigenvalues[:8]),
    }
    for title, text in rows.items():
        print(wrapped(f"  {title}", text, 16))
    print_table("pose", {n: number(state[n]) for n in model.coordinates})
    print_table("speeds", {n: number(state[n]) for n in model.speeds if state[n]})
    print_table("states", {n: number(x) for n, x in report.states.items()})
    print_table("efforts", {n: number(x) for n, x in report.efforts.items()})


def modes(
    file: str, model: Model, options: Mapping[str, Any], show: str, save: str, report: Report | None = None
) -> None:
    """Prints the table of modes or fills a report with it; shows or writes one of them."""
    if save and Path(save).suffix.lower() != ".html":
        raise Error(f'--save "{save[:60]}" must be a page', expected=".html")
    if report is None:
        print_warnings(model)
    keywords = _keywords(model, options)
    state = equilibria.equilibrium(model, **keywords)
    keywords.pop("start")
    vibrations = swinging.modes(model, state, **keywords)
    if report is not None:
        report |= {"file": file, "stability": state.report.stability, "warnings": model.warnings}
        report["modes"] = [_mode(vibrations, k) for k in range(len(vibrations))]
    else:
        print(one_line(file), f"  {state.report.stability} equilibrium\n", sep="\n")
        for line in str(vibrations).splitlines():
            print(one_line(line) if not line.startswith(" ") else f" {line[1:]}")
    if show or save:
        chosen = show or "0"
        if not chosen.isdecimal():
            raise Error(f'--show "{show[:20]}" is no mode', expected="its number in the table")
        result = vibrations.result(int(chosen))
        path = result.save(save) if save else result.show()
        if report is not None:
            report |= {"files" if save else "page": [str(path)] if save else str(path)}
        else:
            print(f"{'wrote' if save else 'shown:'} {one_line(str(path))}")


def _mode(modes: Any, k: int) -> Report:
    """One mode, for JSON."""
    return {
        "frequency": modes.frequencies[k],
        "damping": modes.damping[k],
        "eigenvalue": modes.eigenvalues[k],
        "rigid": modes.rigid[k],
        "shape": modes.shape(k),
    }


def linearize(
    file: str,
    model: Model,
    options: Mapping[str, Any],
    outputs: Sequence[str],
    save: str,
    report: Report | None = None,
) -> None:
    """Prints or writes A, B, C and D with the names of their rows and columns, or fills a report."""
    if save and Path(save).suffix.lower() != ".npz":
        raise Error(f'--save "{save[:60]}" must be a file of matrices', expected=".npz")
    if report is None:
        print_warnings(model)
    keywords = _keywords(model, options)
    state = equilibria.equilibrium(model, **keywords, stability=False)
    small = linearizing.linearize(
        model, state, inputs=keywords["inputs"], outputs=outputs, parameters=keywords["parameters"]
    )
    matrices = {n: getattr(small, n) for n in "ABCD"}
    names = {n: getattr(small, n) for n in ("states", "inputs", "outputs")}
    if report is None:
        print(one_line(file), f"  {one_line(str(small))}", sep="\n")
    if save:
        np.savez(save, **matrices, **{n: np.array(x) for n, x in names.items()})  # pyright: ignore
    if report is not None:
        report |= {"file": file, **names, **matrices, "warnings": model.warnings}
        report |= {"files": [save]} if save else {}
        return
    if save:
        print(f"wrote {one_line(save)}")
        return
    for name in "ABCD":
        matrix = getattr(small, name)
        if matrix.size and matrix.shape[1] <= MOST:
            print(f"\n{name}")
            print_lines_of(matrix)
        elif matrix.size:
            print_lines("note", [f"{name} is {matrix.shape[0]} x {matrix.shape[1]}: use --save"])


def print_lines_of(matrix: Any) -> None:
    """A matrix, one line for each row."""
    cells = [[f"{x + 0.0:.6g}" for x in row] for row in matrix]
    width = max(len(cell) for row in cells for cell in row)
    for row in cells:
        print("  " + "  ".join(f"{cell:>{width}}" for cell in row))


def _keywords(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    options = arguments(model, given)
    return {name: options.get(name) for name in ("start", "parameters", "inputs")}


def _complex(x: complex) -> str:
    return number(x.real) if not x.imag else f"{number(x.real)} {'+-'[x.imag < 0]} {abs(x.imag):.6g}i"
