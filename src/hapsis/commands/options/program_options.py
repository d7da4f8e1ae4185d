"""The command `program`: its options."""

from typing import Annotated, Any

import typer

from hapsis.commands.json_report import json_report
from hapsis.commands.options.options import (
    Base,
    Efforts,
    File,
    Json,
    Near,
    NotPhysical,
    Settings,
    Start,
    Texts,
)


def declare(app: Any) -> None:
    """Gives an application this command."""
    app.command()(program)


def program(
    file: File,
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="When the motion ends, s.")] = "10",
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="PATH", help="The program, PATH.c; the model's name if not given."
        ),
    ] = "",
    outputs: Annotated[
        Texts, typer.Option("--output", metavar="NAMES", help="Columns to print, with commas between.")
    ] = None,
    start: Start = None,
    near: Near = None,
    settings: Settings = None,
    inputs: Efforts = None,
    every: Annotated[str, typer.Option("--every", metavar="TIME", help="Seconds between two rows.")] = "",
    step: Annotated[str, typer.Option("--step", metavar="TIME", help="Length of fixed steps.")] = "",
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="ERROR", help="Error allowed per step, relative.")
    ] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Write a model as a whole program in C, with its initialisation file.

    \b
    Examples:
      hapsis program pendulum.yaml --until 5 --start hinge=0.5
      hapsis program arm.urdf --out build/arm --output elbow,elbow.v,energy
    """
    from hapsis.commands import program as command

    options = {"start": start, "near": near, "parameters": settings, "inputs": inputs}
    options |= {"every": every, "step": step, "tolerance": tolerance}
    with json_report(as_json) as report:
        command.run(file, out, until, options, outputs, base, not not_physical, report)
