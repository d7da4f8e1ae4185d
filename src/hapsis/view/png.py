"""The same plot as a PNG picture, drawn by matplotlib."""

import io
from collections.abc import Sequence

from hapsis.errors import Error, install_command
from hapsis.view.colours import LINES
from hapsis.view.page_text import plain
from hapsis.view.series import Panel
from hapsis.view.spans import Span, draw_bands


def picture(
    panels: Sequence[Panel],
    title: str,
    xlabel: str,
    logarithmic: str,
    equal: bool = False,
    spans: Sequence[Span] = (),
) -> bytes:
    """The bytes of a PNG file; needs the extra `png`."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # pyright: ignore[reportMissingImports]
        from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise Error(
            "a PNG picture needs matplotlib, which is not installed",
            remedy=f"{install_command('matplotlib')}, or save as .svg or .html, which need nothing",
        ) from None
    figure = Figure(figsize=(8.6, 1.2 + 2.2 * len(panels)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for panel, ax in zip(panels, axes, strict=True):
        for k, line in enumerate(panel.series):
            lone = "o" if len(line.x) == 1 or line.scattered else None
            colour = LINES[k % len(LINES)][0]
            ax.plot(
                line.x,
                line.y,
                label=_text(line.name),
                color=colour,
                marker=lone,
                lw=0.0 if line.scattered else 1.3,
            )
        draw_bands(ax, spans)
        ax.set_ylabel(_text(panel.unit))
        ax.grid(alpha=0.3)
        if panel.map:
            mesh = ax.pcolormesh(panel.map.x, panel.map.y, panel.map.values, cmap="viridis")
            figure.colorbar(mesh, ax=ax, label=_text(panel.map.name))
            continue
        if equal:
            ax.set_aspect("equal", adjustable="datalim")
        ax.legend(loc="upper right", fontsize="small", framealpha=0.8)
        if "x" in logarithmic:
            ax.set_xscale("log")
        if "y" in logarithmic:
            ax.set_yscale("log")
    axes[0].set_title(_text(title))
    axes[-1].set_xlabel(_text(xlabel))
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=144)
    return stream.getvalue()


def _text(name: str) -> str:
    """A name that matplotlib reads as it stands: no formula, and not hidden from the legend."""
    text = plain(name).replace("$", r"\$")
    return " " + text if text.startswith("_") else text
