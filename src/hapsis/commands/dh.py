"""`hapsis dh`: the Denavit-Hartenberg tables of a model."""

import dataclasses

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines
from hapsis.errors import ModelError, one_line
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.denavit_hartenberg.dh_table import dh_table
from hapsis.motion.analysis.denavit_hartenberg.serial_chain import chain_ends


def dh(file: str, model: Model, end: str, report: Report | None = None) -> None:
    """Prints the table of each serial chain, or of the one that ends at a frame."""
    ends = [end] if end else chain_ends(model)
    if not ends:
        raise ModelError("no revolute or prismatic joint is at the end of a chain", where=one_line(file))
    tables = {name: dh_table(model, name) for name in ends}
    if report is not None:
        chains = {name: dataclasses.asdict(table) for name, table in tables.items()}
        report |= {"file": file, "chains": chains, "warnings": model.warnings}
        return
    for k, (name, table) in enumerate(tables.items()):
        print(*([""] if k else []), f"{one_line(table.on)} to {one_line(name)}", table, sep="\n")
    if model.cuts:
        print(f"not in a table, because they close loops: {', '.join(joint.name for joint in model.cuts)}")
    print_lines("warning", model.warnings)
