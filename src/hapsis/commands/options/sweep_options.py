"""The command `sweep`: its options."""

from typing import Annotated, Any

import typer

from hapsis.commands.json_report import json_report
from hapsis.commands.options.options import (
    Base,
    Efforts,
    File,
    Json,
    Limits,
    Method,
    Near,
    NotPhysical,
    Settings,
    Start,
    Texts,
)


def declare(app: Any) -> None:
    """Gives an application this command."""
    app.command("sweep")(sweep_model)


def sweep_model(
    file: File,
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="The end of each run, s.")],
    over: Annotated[
        Texts, typer.Option("--over", metavar="NAME=VALUES", help="first:last:count, or a,b,c.")
    ] = None,
    measure: Annotated[
        Texts, typer.Option("--measure", metavar="NAMES", help="Signals, or max(NAME); commas between.")
    ] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Values in rows, not as a grid.")] = False,
    start: Start = None,
    near: Near = None,
    settings: Settings = None,
    inputs: Efforts = None,
    method: Method = "auto",
    step: Annotated[str, typer.Option("--step", metavar="TIME", help="Fixed steps, s.")] = "",
    limits: Limits = "",
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="X", help="Error allowed per step, relative.")
    ] = "",
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Time between two rows of a run, s.")
    ] = "",
    out: Annotated[
        Texts, typer.Option("--out", "-o", metavar="FILE", help="Write the table: .csv or .parquet.")
    ] = None,
    plot_to: Annotated[
        str, typer.Option("--plot-to", metavar="FILE", help="Write a plot: .html, .svg, .png.")
    ] = "",
    keep: Annotated[
        str, typer.Option("--keep", metavar="FOLDER", help="Keep finished rows there, to go on later.")
    ] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Simulate a model over many values, and make a table of what is measured.

    \b
    Names are parameters, coordinates and speeds; every value meets every
    value of the other names. A measure is the last value of a signal, or
    first, last, min, max, mean, rms: max(hinge). The status is 0 where all
    runs succeeded and 1 where some did not.

    \b
    Examples:
      hapsis sweep pendulum.yaml --until 5 --over arm.mass=0.5:2:20 --measure hinge
      hapsis sweep pendulum.yaml --until 5 --over hinge=0.1,0.5,1 --measure "max(hinge.v)" --out t.csv
    """
    from hapsis.commands import files, sweep

    options = {
        "start": start,
        "near": near,
        "parameters": settings,
        "inputs": inputs,
        "method": method,
        "step": step,
        "limits": limits,
        "tolerance": tolerance,
        "every": every,
    }
    with json_report(as_json) as report:
        model = files.loaded(file, base, not not_physical)
        asked = sweep.Asked(over or (), measure or (), rows, out or (), plot_to, keep)
        succeeded = sweep.run(file, model, until, options, asked, report)
    raise typer.Exit(0 if succeeded else 1)
