"""The command line `hapsis`: all commands, and the options of those without a file of options.

Reports and notices go to standard output. An error is exactly one unwrapped line on standard
error, and the exit status is then 2; a run that did not succeed says so in its report, and the
status is 1. Ctrl-C ends a command with one line on standard error and the status 130; a simulation
that has begun to run reports how far it got instead. Heavy imports happen inside the commands.
"""

import functools
import gc
import os
import sys
import warnings
from typing import Annotated, Any

import typer

from hapsis import __version__
from hapsis.commands.json_report import json_report
from hapsis.commands.options import analysis_options, model_options, program_options, sweep_options
from hapsis.commands.options.options import Base, Json, Near, NotPhysical, Start
from hapsis.commands.plain_texts import plain_texts
from hapsis.commands.report_layout import can_print
from hapsis.errors import Error, Notice, one_line

app = typer.Typer(
    name="hapsis",
    help="A compiler for mechanics with a person in the loop.",
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
SELDOM = 50_000  # new objects between two collections: importing makes many, and hardly any garbage
INTERRUPTED = 130  # the exit status of a command that was ended by Ctrl-C
UsageError: Any = typer.BadParameter.__bases__[0]  # typer exports only the derived class


class Stopped(Exception):
    """The user has ended a command by Ctrl-C; the argument, if any, says what was being done."""


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


model_options.declare(app)
analysis_options.declare(app)
sweep_options.declare(app)
program_options.declare(app)


@app.command("show")
def show_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A result, .npz; or a model, .yaml, .urdf, ...")
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PAGE", help="Write the page there: .html.")
    ] = "",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Look at a saved result, or at a model in its pose "start".

    \b
    Examples:
      hapsis show ball.npz
      hapsis show arm.urdf --out arm.html --no-open
    """
    from hapsis.commands import show

    with json_report(as_json) as report:
        show.show(file, out, not no_open, base, not not_physical, report)


@app.command("share")
def share_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A model, .yaml, .urdf, ...; or a name of the library.")
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PAGE", help="Write the page there: .html.")
    ] = "",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    rate: Annotated[
        float | None, typer.Option("--rate", metavar="RATE", help="Steps per second; 1000 if left out.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="METHOD", help="rk4, euler, or contact: contacts are solved.")
    ] = "",
    substeps: Annotated[
        int | None, typer.Option("--substeps", metavar="N", help="Smaller steps in each, for stiff models.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--parameter", metavar="NAME", help="A parameter that gets a slider; several times."),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME", help="An effort or drive that gets a slider; several times."),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="NAME", help="A signal that gets a curve; several times."),
    ] = None,
    start: Start = None,
    near: Near = None,
    press: Annotated[
        str,
        typer.Option(
            "--press", metavar="POINT,...", help='A finger: "key.finger, along=-y, force=8"; or none.'
        ),
    ] = "",
    sound: Annotated[
        list[str] | None,
        typer.Option("--sound", metavar="CONTACT=NOTE", help="A contact that rings; several times."),
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="The title of the page.")] = "",
    base: Base = "fixed",
    not_physical: NotPhysical = False,
    as_json: Json = False,
) -> None:
    """Make a page that computes the motion of a model: grab it, change it, send it.

    \b
    Examples:
      hapsis share pendulum.yaml
      hapsis share arm.urdf --substeps 6 --parameter upper.mass --out arm.html
      hapsis share pendulum.yaml --input hinge --start hinge=1.2 --title "A pendulum"
      hapsis share grand_action
      hapsis share boxes.yaml --method contact
      hapsis share hammer.yaml --press "hammer.head, along=y" --sound string=E4
    """
    from hapsis.commands import share

    options = {"rate": rate, "method": method, "substeps": substeps, "parameters": parameter}
    options |= {"inputs": inputs, "outputs": outputs, "start": start, "near": near, "title": title}
    options |= {"press": press, "sounds": sound}
    with json_report(as_json) as report:
        share.run(file, out, not no_open, options, base, not not_physical, report)


@app.command("study")
def make_study(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Which study; leave out to list them.")] = "",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PAGE", help="Write the page there: .html.")
    ] = "",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    data: Annotated[
        str, typer.Option("--data", metavar="FILE", help="A recording to study: .csv, .npz, .mcap.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Ask a question of a ready mechanism: the answer is a page with figures, and facts.

    \b
    The status is 1 where a fact is out of its expected range.

    \b
    Examples:
      hapsis study
      hapsis study piano-let-off
      hapsis study piano-force --out force.html --no-open
      hapsis study piano-replay --data key.csv
    """
    from hapsis.commands import study

    with json_report(as_json) as report:
        met = study.run(name, out, not no_open, data, report)
    raise typer.Exit(0 if met else 1)


@app.command("cache")
def look_at_cache(
    action: Annotated[
        str, typer.Argument(metavar="[clear]", help="Nothing: say what is there. clear: remove it.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Look at what is kept on disk, or remove it: object code, and equations by what a model is.

    \b
    Examples:
      hapsis cache
      hapsis cache clear
    """
    from hapsis.commands import cache

    with json_report(as_json) as report:
        cache.cache(action, report)


@app.command()
def demo(check: Annotated[bool, typer.Option("--check", help="Verify the numbers shown.")] = False) -> None:
    """Run the demonstration; without a terminal it checks itself."""
    from hapsis import demo as demonstration

    watched = sys.stdout.isatty() and not os.environ.get("CI")
    raise typer.Exit(demonstration.main(check or not watched))


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what this machine has, what is missing, and what to do about it."""
    from hapsis import doctor as examination

    raise typer.Exit(examination.main(as_json))


@app.command()
def prepare(
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False, as_json: Json = False
) -> None:
    """Compile what runs of any model need, once for this machine.

    \b
    Integrators, loops and elementary functions. ./run does this when it sets
    up; without it each is compiled when it is first used.

    \b
    Example:
      hapsis prepare
    """
    from hapsis.commands import prepare

    with json_report(as_json) as report:
        prepare.run(quiet, report)


@app.command()
def rtcheck(
    rate: Annotated[
        list[float] | None,
        typer.Option("--rate", metavar="RATE", help="Ticks per second; by default 1000 and 10000."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="TIME", help="Duration of each loop at each rate, s.")
    ] = 5.0,
    core: Annotated[
        int | None, typer.Option("--core", metavar="NUMBER", help="The processor core to run on.")
    ] = None,
    as_json: Json = False,
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

    good = rtcheck.run(rate or (), seconds, core, as_json, save, can_print("█"))
    raise typer.Exit(0 if good else 1)


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark; leave out to list them.")] = "",
    as_json: Json = False,
    only: Annotated[
        str, typer.Option("--only", metavar="NAMES", help="Only these cases, with commas between.")
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="A few cases, one short round: under a minute.")
    ] = False,
) -> None:
    """Measure, and compare with the rivals that are installed.

    \b
    Each row is shown as it is measured; a bar shows the time left. The last
    table has all of them.

    \b
    Examples:
      hapsis bench
      hapsis bench first --quick
      hapsis bench dynamics --only panda,talos
      hapsis bench dynamics --json
    """
    from hapsis.commands import bench

    bench.run(name, as_json, only, quick)


def _interruptible(command: Any) -> Any:
    """The command; Ctrl-C within it is told by what was being done, which typer would drop."""

    @functools.wraps(command)
    def run(*positional: Any, **named: Any) -> Any:
        try:
            return command(*positional, **named)
        except KeyboardInterrupt as stop:
            raise Stopped(*getattr(stop, "__notes__", ())[:1]) from None

    return run


for each in app.registered_commands:
    each.callback = _interruptible(each.callback)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status; without any, show the help."""
    usual = gc.get_threshold()
    gc.set_threshold(SELDOM, *usual[1:])
    try:
        return _run(arguments)
    finally:
        gc.set_threshold(*usual)


def _run(arguments: list[str] | None) -> int:
    warnings.showwarning = _print_warning
    if hasattr(sys.stdout, "reconfigure"):  # a name of a model may not fit the terminal's letters
        sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        with plain_texts():
            status = app(args=arguments or ["--help"], prog_name="hapsis", standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:  # outside of the commands, where typer sees it first
            return _stopped(Stopped())
        return status if isinstance(status, int) else 0
    except Error as error:
        return _fail(str(error))
    except UsageError as error:
        message = error.format_message()
        return _fail(f"hapsis: {message}{'' if message[-1:] in '.?!' else '.'} See {_command(error)} --help.")
    except (typer.Abort, KeyboardInterrupt, Stopped) as stop:
        return _stopped(stop)
    except BrokenPipeError:
        # the reader left, as in `hapsis doctor | head -1`; keep the final flush quiet too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _command(error: Any) -> str:
    """The command that was called wrongly, as it is typed."""
    return error.ctx.command_path if error.ctx is not None else "hapsis"


def _fail(line: str) -> int:
    sys.stdout.flush()
    print(one_line(line), file=sys.stderr)
    return 2


def _stopped(stop: BaseException) -> int:
    """Prints one line that says what Ctrl-C has ended; the status that shells give an interruption."""
    _fail(" ".join(["stopped by the user", *map(str, stop.args)]))
    return INTERRUPTED


def _print_warning(message: Any, category: type[Warning], *place: Any) -> None:
    """Show a warning as one line on standard output; only ours need no source line."""
    kind = "note" if issubclass(category, Notice) else category.__name__
    print(f"{kind}: {one_line(str(message))}")
