"""The commands `equations`, `check`, `info`, `dh`, `cad`, `convert` and `simulate`: their options."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hapsis.commands.json_report import json_report
from hapsis.commands.options.options import (
    Base,
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
from hapsis.commands.report_layout import can_print


def declare(app: Any) -> None:
    """Gives an application these commands."""
    for command in (equations, check, info, dh, cad, convert):
        app.command()(command)
    app.command("simulate")(simulate_model)


def equations(
    file: File,
    quantity: Annotated[
        list[str] | None,
        typer.Option(
            "--quantity", "-q", help="What to compute, by default forward_dynamics; may be repeated."
        ),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="text, c, python, matlab or latex.")
    ] = "text",
    of: Annotated[
        str, typer.Option("--of", metavar="NAME", help="The frame or joint a quantity belongs to.")
    ] = "",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="Write files there.")] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Show or write the equations of motion of a model.

    \b
    Quantities of the whole model:
      inverse_dynamics forward_dynamics mass_matrix bias energy momentum
      center_of_mass coordinate_rates measurements regressor derivatives
      generalized_speeds generalized_momentum kane_equations linear_equations
    Of one frame (--of hand.palm):
      pose velocity acceleration jacobian jacobian_rate partial_velocities
      generalized_impulse
    Of one joint (--of elbow):
      reaction

    \b
    Examples:
      hapsis equations pendulum.yaml
      hapsis equations arm.urdf --quantity mass_matrix --language python
      hapsis equations arm.yaml --quantity jacobian --of hand.palm
      hapsis equations arm.urdf -q inverse_dynamics -q bias -l c --output build
    """
    from hapsis.commands import equations, files

    chosen = quantity or ["forward_dynamics"]
    with json_report(as_json) as report:
        model = files.loaded(file, base, not not_physical)
        equations.equations(model, Path(file).stem, chosen, language, of, output, report)


def check(file: File, base: Base = "fixed", not_physical: NotPhysical = False, as_json: Json = False) -> None:
    """Say what a model file holds, what is strange about it, and everything that is wrong.

    \b
    Ends with "sound", or with "sound for kinematics" where no accelerations can be computed, and
    status 0, or with an error and status 2.

    \b
    Examples:
      hapsis check arm.yaml
      hapsis check scanned.urdf --not-physical
    """
    from hapsis.commands import files

    with json_report(as_json) as report:
        files.check(file, base, not not_physical, report)


def info(file: File, base: Base = "fixed", not_physical: NotPhysical = False, as_json: Json = False) -> None:
    """Draw the tree of a model and list its numbers.

    \b
    Examples:
      hapsis info arm.yaml
      hapsis info quadruped.urdf --base free
    """
    from hapsis.commands import files, info

    with json_report(as_json) as report:
        info.info(file, files.moving(file, base, not not_physical), can_print("├└│↓"), report)


def dh(
    file: File,
    end: Annotated[
        str, typer.Option("--end", metavar="FRAME", help="The body or frame where the chain ends.")
    ] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Print the Denavit-Hartenberg table of every serial chain, or of one.

    \b
    Examples:
      hapsis dh arm.urdf
      hapsis dh arm.yaml --end hand.palm
    """
    from hapsis.commands import dh, files

    with json_report(as_json) as report:
        dh.dh(file, files.loaded(file, base, not not_physical), end, report)


def cad(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A design: .step, .stl, ...; or components, .yaml.")
    ],
    density: Annotated[
        float | None, typer.Option("--density", metavar="RHO", help="Of geometry, kg/m³; 1000 if left out.")
    ] = None,
    unit: Annotated[
        str, typer.Option("--unit", metavar="UNIT", help="Of the lengths in a mesh: m, cm, mm, in, ft.")
    ] = "",
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help="Write the parts there, with their anchors: .yaml."),
    ] = "",
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", metavar="FILE", help="Propose joints and write the model there: .yaml."
        ),
    ] = "",
    ground: Annotated[
        str,
        typer.Option("--ground", metavar="PART", help="What does not move in the model; else the heaviest."),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace these files if they are there.")] = False,
    as_json: Json = False,
) -> None:
    """List the parts of a design, what they weigh and their anchors, or write them, or a model of them.

    \b
    Examples:
      hapsis cad linkage.step --density 7850
      hapsis cad crank.stl --unit mm --density 2700 --out crank.yaml
      hapsis cad linkage.step --density 7850 --model model.yaml --ground base
    """
    from hapsis.commands import cad

    with json_report(as_json) as report:
        cad.cad(file, density, unit, out, model, ground, force, report)


def convert(
    file: File,
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it is there.")] = False,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Write a model in another format, and say what that cannot hold.

    \b
    Examples:
      hapsis convert arm.urdf arm.yaml
      hapsis convert arm.yaml arm.urdf --force
    """
    from hapsis.commands import files

    with json_report(as_json) as report:
        files.convert(files.moving(file, base, not not_physical), target, force, report)


def simulate_model(
    file: File,
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="The end of the motion, s.")],
    start: Start = None,
    near: Near = None,
    settings: Settings = None,
    inputs: Annotated[
        Texts, typer.Option("--input", metavar="JOINT=VALUE", help="An effort; may depend on t.")
    ] = None,
    method: Method = "auto",
    step: Annotated[str, typer.Option("--step", metavar="TIME", help="Fixed steps, s.")] = "",
    limits: Limits = "",
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="X", help="Error allowed per step, relative.")
    ] = "",
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Time between two rows of the result, s.")
    ] = "",
    save: Annotated[
        Texts,
        typer.Option("--save", metavar="FILE", help="Write .csv, .npz, .parquet, .mcap, .html or .svg."),
    ] = None,
    plot: Annotated[
        Texts, typer.Option("--plot", metavar="NAMES", help="Plot them, with commas between.")
    ] = None,
    plot_to: Annotated[
        str, typer.Option("--plot-to", metavar="FILE", help="Write the plot there: .html, .svg, .png.")
    ] = "",
    show: Annotated[bool, typer.Option("--show", help="Open the motion in the browser.")] = False,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Simulate a model, say how it went, and write the motion.

    \b
    The status is 0 where the run succeeded and 1 where it did not; what it
    reached is written all the same. Values may be formulas, as in a file.
    Without --plot-to a plot is written to MODEL_plot.html, here.

    \b
    Examples:
      hapsis simulate pendulum.yaml --until 10
      hapsis simulate pendulum.yaml --until 10 --start hinge=pi/2 --show
      hapsis simulate arm.yaml --until 2 --set rho=2 --input "elbow=3*sin(t)"
      hapsis simulate ball.yaml --until 3 --save ball.npz --plot z,energy
      hapsis simulate arm.urdf --until 5 --method contact --step .002 --limits stops
    """
    from hapsis.commands import files, simulate

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
        model = files.moving(file, base, not not_physical)
        succeeded = simulate.run(file, model, until, options, save or (), plot or (), plot_to, show, report)
    raise typer.Exit(0 if succeeded else 1)
