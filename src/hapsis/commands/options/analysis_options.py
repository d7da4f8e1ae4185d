"""The commands `equilibrium`, `modes` and `linearize`: their options."""

from typing import Annotated, Any

import typer

from hapsis.commands.json_report import json_report
from hapsis.commands.options.options import Base, Efforts, File, Json, NotPhysical, Settings, Start, Texts


def declare(app: Any) -> None:
    """Gives an application these commands."""
    app.command()(equilibrium)
    app.command()(modes)
    app.command()(linearize)


Speeds = Annotated[Texts, typer.Option("--speed", metavar="NAME=VALUE", help="A speed of a steady motion.")]

ShownMode = Annotated[str, typer.Option("--show", metavar="NUMBER", help="Open that mode in the browser.")]
SavedPage = Annotated[str, typer.Option("--save", metavar="PAGE", help="Write the mode shown there: .html.")]


def equilibrium(
    file: File,
    start: Start = None,
    settings: Settings = None,
    inputs: Efforts = None,
    speeds: Speeds = None,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Find the pose in which nothing accelerates, and say whether it is stable.

    \b
    Examples:
      hapsis equilibrium pendulum.yaml
      hapsis equilibrium arm.yaml --start elbow=0.5 --input shoulder=2
      hapsis equilibrium governor.yaml --speed "shaft.v=2*pi"
    """
    from hapsis.commands import analyses, files

    options = {"start": start, "parameters": settings, "inputs": inputs}
    with json_report(as_json) as report:
        model = files.loaded(file, base, not not_physical)
        analyses.equilibrium(file, model, options, speeds or (), report)


def modes(
    file: File,
    start: Start = None,
    settings: Settings = None,
    inputs: Efforts = None,
    show: ShownMode = "",
    save: SavedPage = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """List frequencies, damping and shapes of small motions about the equilibrium.

    \b
    Examples:
      hapsis modes double_pendulum.yaml
      hapsis modes arm.yaml --set rho=2 --show 1
    """
    from hapsis.commands import analyses, files

    options = {"start": start, "parameters": settings, "inputs": inputs}
    with json_report(as_json) as report:
        model = files.loaded(file, base, not not_physical)
        analyses.modes(file, model, options, show, save, report)


def linearize(
    file: File,
    start: Start = None,
    settings: Settings = None,
    inputs: Efforts = None,
    outputs: Annotated[
        Texts, typer.Option("--output", metavar="NAMES", help="Outputs, with commas between.")
    ] = None,
    save: Annotated[str, typer.Option("--save", metavar="FILE", help="Write the matrices there: .npz.")] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Print or write the matrices of small motions about the equilibrium.

    \b
    Examples:
      hapsis linearize pendulum.yaml --input hinge=0 --output hinge,hinge.v
      hapsis linearize arm.yaml --save arm.npz
    """
    from hapsis.commands import analyses, files

    options = {"start": start, "parameters": settings, "inputs": inputs}
    names = [name for text in outputs or () for name in text.split(",") if name]
    with json_report(as_json) as report:
        model = files.loaded(file, base, not not_physical)
        analyses.linearize(file, model, options, names, save, report)
