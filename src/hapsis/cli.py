"""The one command, `hapsis`: its commands and their options.

Reports and notices go to standard output. An error is exactly one unwrapped line on standard
error, and the exit status is then 2; a run that did not succeed says so in its report, and the
status is 1. Heavy imports happen inside the commands.
"""

import importlib
import importlib.util
import json
import os
import pkgutil
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from hapsis import __version__
from hapsis.commands import analysis_options as analysing
from hapsis.commands.options import Base, File, NotPhysical, Settings, Start, Texts
from hapsis.errors import Error, Notice, near, one_line

app = typer.Typer(
    name="hapsis",
    help="A compiler for mechanics with a person in the loop.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
UsageError: Any = typer.BadParameter.__bases__[0]  # typer exports only the derived class


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"hapsis {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A compiler for mechanics with a person in the loop."""


@app.command()
def equations(
    file: File,
    quantity: Annotated[
        list[str] | None,
        typer.Option("--quantity", "-q", help="What to compute, forward_dynamics if not said; also several."),
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
) -> None:
    """Show or write the equations of motion of a model.

    \b
    Quantities of the whole model:
      inverse_dynamics forward_dynamics mass_matrix bias energy momentum
      center_of_mass coordinate_rates measurements regressor derivatives
    Of one frame (--of hand.palm):
      pose velocity acceleration jacobian jacobian_rate
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

    model = files.loaded(file, base, not not_physical)
    chosen = quantity or ["forward_dynamics"]
    equations.equations(model, Path(file).stem, chosen, language, of, output)


@app.command()
def check(file: File, base: Base = "fixed", not_physical: NotPhysical = False) -> None:
    """Say what a model file holds, what is strange about it, and everything that is wrong.

    \b
    Ends with "sound" and status 0, or with an error and status 2.

    \b
    Examples:
      hapsis check arm.yaml
      hapsis check scanned.urdf --not-physical
    """
    from hapsis.commands import files

    files.check(file, base, not not_physical)


@app.command()
def info(file: File, base: Base = "fixed", not_physical: NotPhysical = False) -> None:
    """Draw the tree of a model and list its numbers.

    \b
    Examples:
      hapsis info arm.yaml
      hapsis info quadruped.urdf --base free
    """
    from hapsis.commands import files, info

    info.info(file, files.loaded(file, base, not not_physical), _can_print("├└│↓"))


@app.command()
def convert(
    file: File,
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it is there.")] = False,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
) -> None:
    """Write a model in another format, and say what that cannot hold.

    \b
    Examples:
      hapsis convert arm.urdf arm.yaml
      hapsis convert arm.yaml arm.urdf --force
    """
    from hapsis.commands import files

    files.convert(files.loaded(file, base, not not_physical), target, force)


@app.command("simulate")
def simulate_model(
    file: File,
    until: Annotated[str, typer.Option("--until", metavar="TIME", help="When it ends, s.")],
    start: Start = None,
    settings: Settings = None,
    inputs: Annotated[
        Texts, typer.Option("--input", metavar="JOINT=VALUE", help="An effort; may depend on t.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="auto, order8, order5, stiff, rk4, euler, symplectic.")
    ] = "auto",
    step: Annotated[str, typer.Option("--step", metavar="TIME", help="Fixed steps, s.")] = "",
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="X", help="Error allowed per step, relative.")
    ] = "",
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Between two rows of the result, s.")
    ] = "",
    save: Annotated[
        Texts, typer.Option("--save", metavar="FILE", help="Write .csv, .npz, .parquet or .html.")
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
    """
    from hapsis.commands import files, simulate

    model = files.loaded(file, base, not not_physical)
    given = {
        "start": start,
        "parameters": settings,
        "inputs": inputs,
        "method": method,
        "step": step,
        "tolerance": tolerance,
        "every": every,
    }
    succeeded = simulate.run(file, model, until, given, save or (), plot or (), plot_to, show)
    raise typer.Exit(0 if succeeded else 1)


analysing.declare(app)


@app.command("show")
def show_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A result, .npz; or a model, .yaml, .urdf, ...")
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PAGE", help="Write the page there: .html.")
    ] = "",
    no_open: Annotated[bool, typer.Option("--no-open", help="Leave the browser alone.")] = False,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
) -> None:
    """Look at a saved result, or at a model in its pose "start".

    \b
    Examples:
      hapsis show ball.npz
      hapsis show arm.urdf --out arm.html --no-open
    """
    from hapsis.commands import show

    show.show(file, out, not no_open, base, not not_physical)


@app.command()
def demo(check: Annotated[bool, typer.Option("--check", help="Verify the numbers shown.")] = False) -> None:
    """Run the demonstration; it checks itself where nobody watches."""
    from hapsis import demo as demonstration

    watched = sys.stdout.isatty() and not os.environ.get("CI")
    raise typer.Exit(demonstration.main(check or not watched))


@app.command()
def doctor() -> None:
    """Say what this machine has, what is missing, and what to do about it."""
    from hapsis import doctor as examination

    raise typer.Exit(examination.main())


@app.command()
def rtcheck(
    rate: Annotated[
        list[float] | None,
        typer.Option("--rate", metavar="RATE", help="Per second; 1000 and 10000 if not said."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="TIME", help="Of each loop at each rate.")
    ] = 5.0,
    core: Annotated[int | None, typer.Option("--core", metavar="NUMBER", help="The core to stay on.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    save: Annotated[
        str, typer.Option("--save", metavar="FILE", help="Write the picture: .svg, .html, .png.")
    ] = "",
) -> None:
    """Measure which rates this machine holds, and say what would make it better.

    \b
    Our loop with nothing to do, beside a bare one in C where there is a gcc.
    The status is 1 where a rate is not held.

    \b
    Examples:
      hapsis rtcheck
      hapsis rtcheck --rate 1000 --seconds 60 --save lateness.svg
    """
    from hapsis.commands import rtcheck

    good = rtcheck.run(rate or (), seconds, core, as_json, save, _can_print("█"))
    raise typer.Exit(0 if good else 1)


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark; leave out to list them.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Measure, and compare with the rivals that are installed.

    \b
    Examples:
      hapsis bench
      hapsis bench compiler
      hapsis bench dynamics --json
    """
    names = benchmarks()
    if not name:
        print(json.dumps(names) if as_json else "\n".join(names) or "no benchmarks in this install")
        return
    if name not in names:
        known = f"one of {', '.join(names)}" if names else "none: this install has no benchmarks"
        raise Error(f'there is no benchmark "{name}"{near(name, names)}', expected=known)
    module = importlib.import_module(f"hapsis.bench.{name}")
    if as_json:
        print(_measured_json(module))
    else:
        print(module.report(module.run()))


def benchmarks() -> list[str]:
    """The names of the benchmarks, sorted, without importing any.

    Each package inside `hapsis.bench` is one; it defines `run() -> dict` and
    `report(dict) -> str`.
    """
    if importlib.util.find_spec("hapsis.bench") is None:
        return []
    package = importlib.import_module("hapsis.bench")
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg)


def _measured_json(module: Any) -> str:
    """The numbers of one benchmark; what it would have warned about is the key `notices`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Notice)
        result = dict(module.run())
    notes = [str(w.message) for w in caught if issubclass(w.category, Notice)]
    if notes:
        result["notices"] = notes
    try:
        return json.dumps(result, indent=2, allow_nan=False, default=lambda array: array.tolist())
    except (TypeError, ValueError, AttributeError) as error:
        raise Error(f"the result of {module.__name__} is not JSON: {error}") from error


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; without any, show the help."""
    warnings.showwarning = _print_warning
    if hasattr(sys.stdout, "reconfigure"):  # a name of a model may not fit the terminal's letters
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        status = app(args=arguments or ["--help"], prog_name="hapsis", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except Error as error:
        return _fail(str(error))
    except UsageError as error:
        said = error.format_message()
        return _fail(f"hapsis: {said}{'' if said[-1:] in '.?!' else '.'} See hapsis --help.")
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # the reader left, as in `hapsis doctor | head -1`; keep the final flush quiet too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _can_print(text: str) -> bool:
    """Whether standard output has these letters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _fail(line: str) -> int:
    sys.stdout.flush()
    print(one_line(line), file=sys.stderr)
    return 2


def _print_warning(message: Any, category: type[Warning], *place: Any) -> None:
    """Show a warning as one line on standard output; only ours need no source line."""
    kind = "note" if issubclass(category, Notice) else category.__name__
    print(f"{kind}: {one_line(str(message))}")
