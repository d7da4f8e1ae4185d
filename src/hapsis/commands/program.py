"""`hapsis program`: a model as a whole program in C, with its initialisation file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hapsis.commands.files import model_of, moving
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_warnings
from hapsis.commands.simulate import arguments, number_of
from hapsis.compiler.backends.identifiers import reduced
from hapsis.compiler.backends.interface import STEM
from hapsis.errors import one_line
from hapsis.motion.simulate.program.export_program import export_program


def run(
    file: str,
    out: str,
    until: str,
    options: Mapping[str, Any],
    outputs: list[str] | None,
    base: str,
    physical: bool,
    report: Report | None = None,
) -> None:
    """Writes the program and says how it is built; `options` are those of `simulate` as texts."""
    model = moving(file, base, physical)
    if report is None:
        print_warnings(model_of(model))
    names = [name.strip() for text in outputs or () for name in text.split(",")]
    plain = reduced(Path(file).stem, "model")[:40]
    target = Path(out) if out else Path(plain if STEM.match(plain) else "model")
    given = arguments(model_of(model), options)
    files = export_program(target, model, number_of(until, "--until"), outputs=names or None, **given)
    if report is not None:
        report |= {"files": [str(path) for path in files], "warnings": model.warnings}
        return
    print(f"wrote {', '.join(one_line(str(path)) for path in files)}")
    sources = " ".join(one_line(str(path)) for path in files if path.suffix == ".c")
    program = files[-1].with_suffix("")
    print(f"build: cc -std=c99 -O2 -ffp-contract=off {sources} -o {one_line(str(program))} -lm")
