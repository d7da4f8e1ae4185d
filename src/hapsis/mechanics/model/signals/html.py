"""What notebooks show: one quiet line and a small table."""

from collections.abc import Iterable, Sequence
from html import escape

from hapsis.mechanics.model.signals.signal_table import SignalTable

STYLE = "border-collapse:collapse;font:13px system-ui,sans-serif"
CELL = "padding:2px 12px 2px 0;text-align:{};border:0"


def small_table(line: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A line of text and a table below it, as HTML without scripts; all texts are escaped."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        sides = ["left", *["right"] * (len(texts) - 1)]
        return "".join(
            f'<{tag} style="{CELL.format(side)}">{escape(text)}</{tag}>'
            for side, text in zip(sides, texts, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    table = f'<table style="{STYLE}"><tr>{cells("th", head)}</tr>{body}</table>' if body else ""
    return f'<div style="font:13px system-ui,sans-serif">{escape(line)}</div>{table}'


def signal_rows(line: str, table: SignalTable, names: Sequence[str]) -> str:
    """The line, and first, last, least and greatest value of these signals."""
    rows = []
    for name in names if len(table["t"]) else ():
        x = table[name]
        numbers = (f"{value:.5g}" for value in (x[0], x[-1], x.min(), x.max()))
        rows.append((name, table.units.get(name, ""), *numbers))
    return small_table(line, ("signal", "unit", "first", "last", "least", "greatest"), rows)
