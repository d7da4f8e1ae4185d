"""The table of `hapsis bench first`."""

from typing import Any

Row = dict[str, Any]
COLUMNS = ("cold", "warm", "edited", "install")


def line(row: Row) -> str:
    """One case in a line: wall seconds, and in parentheses those to reach."""
    if "cold" not in row:
        return f"{row['name']:18}left out"
    parts = []
    for column in [column for column in COLUMNS if column in row]:
        asked = row["asked_s"].get(column)
        beside = "" if asked is None else f" ({asked:.2f})"
        parts.append(f"{column} {row[column]['wall_s']:.2f}{beside}")
    return f"{row['name']:18}{'  '.join(parts)}  {'reached' if row['reached'] else 'not reached'}"


LEGEND = """cold: first process with the model, after hapsis prepare; warm: second process
edited: second process, after a value was edited in the file; asked: what the column before may take
install: as cold, after a plain install without hapsis prepare; cpu: time of the processor instead"""


def text(result: Row) -> str:
    """All rows, then the rivals', what the columns mean, and the notes."""
    head = f"{'seconds of a whole process':26}" + "".join(f"{c:>9}{'asked':>7}" for c in COLUMNS[:3])
    lines = [head + f"{'install':>9}{'cpu: cold':>11}{'warm':>7}"]
    for row in result["cases"]:
        lines.append(_cells(row))
    lines += [x for row in result["cases"] for x in _rivals(row)]
    times = result["times"]
    measured = "measured once" if times == 1 else f"medians of {times}"
    lines += [f"{measured}, wall time; to reach what is asked the machine must be quiet", LEGEND]
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])])


def _cells(row: Row) -> str:
    if "cold" not in row:
        return f"  {row['name']:24}left out"
    cells = [f"{row[c]['wall_s']:9.2f}{row['asked_s'][c]:7.2f}" for c in COLUMNS[:3]]
    cells.append(f"{row['install']['wall_s']:9.2f}" if "install" in row else f"{'·':>9}")
    cells.append(f"{row['cold']['cpu_s']:11.2f}{row['warm']['cpu_s']:7.2f}")
    return f"  {row['name']:24}{''.join(cells)}{'' if row['reached'] else '  not reached'}"


def _rivals(row: Row) -> list[str]:
    """The rivals' times with the robot of a case."""
    if not row.get("rivals"):
        return []
    parts = [f"{name} {seconds:.2f} s" for name, seconds in row["rivals"].items()]
    return [f"  {row['name']}, rivals: {', '.join(parts)}"]
