"""The verb `share`: a model as a page that computes its motion, in one file."""

import html
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.limits import Positive
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.live.live_model import coupling, live_content, movable
from hapsis.live.scene_changes import scene_changes
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.model.model import Model
from hapsis.view import page
from hapsis.view.page_text import plain

RATE = 1000.0  # Hz
RATES = (1.0, 20_000.0)


class Share:
    """A page that computes the motion of a model: one file, no server, no outside request.

    .html                the text          .save("x.html")     writes it
    .show()              opens it in the browser
    """

    def __init__(self, title: str, content: Mapping[str, Any]) -> None:
        self.title, self.content = title, content

    @property
    def html(self) -> str:
        """The page: model, client and style in one text."""
        data = json.dumps(self.content, allow_nan=False).replace("<", "\\u003c")
        worker = json.dumps(page.client("worker.js")).replace("<", "\\u003c")
        return page.page(
            self.title,
            page.client("share.html"),
            [page.client("share.css")],
            [page.client("scene.js"), page.client("share.js")],
            {"content": data, "worker": worker},
            computes=True,
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page and return its path."""
        page.suffix_of(path, (".html",))
        return page.written(path, self.html)

    def show(self) -> Path:
        """Open the page in the browser, from a private temporary file whose path is returned."""
        return page.shown("share.html", self.html)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        title, text = html.escape(self.title, quote=True), html.escape(self.html, quote=True)
        return (
            '<iframe width="100%" height="600" frameborder="0" sandbox="allow-scripts allow-downloads" '
            f'title="{title}" srcdoc="{text}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Share({self.title!r}, {len(self.content['handles'])} bodies)"


@verb
def share(
    model: Model | Function,
    path: str | os.PathLike[str] | None = None,
    *,
    rate: Positive = RATE,
    parameters: Iterable[str] | Mapping[str, tuple[float, float]] | None = None,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    start: Any = None,
    method: str = "rk4",
    substeps: int = 1,
    grab: bool = True,
    title: str | None = None,
) -> Share:
    """A page that computes the motion of a model where it is opened; written to `path` if that is given.

    The compiled step runs in the visitor's browser at its fixed rate. Any body can be grabbed; the hand is
    a spring and damper whose force a guard limits, as on a device.

    model       a Model; or what `stepper` returned, with its rate, start, inputs, outputs and method
    rate        Hz of the step
    parameters  names that get a slider, or {name: (low, high)}; some are chosen if nothing is given
    inputs, outputs, start, method, substeps    those of `stepper`; inputs get sliders, outputs curves
    grab        whether bodies can be grabbed
    title       of the page
    """
    options = {"inputs": inputs, "outputs": outputs, "start": start, "method": method, "substeps": substeps}
    if isinstance(model, Function):
        model, rate, options = _of_stepper(model, rate, options)
    if not RATES[0] <= rate <= RATES[1]:
        raise ModelError(f"the rate is {rate:g} Hz", expected=f"{RATES[0]:g} to {RATES[1]:g}")
    if not movable(model):
        raise ModelError("the model has no body that moves", remedy="add one with a joint")
    name = plain(title if title is not None else "Mechanism", 80)
    content = live_content(model, 1.0 / rate, coupling(model), parameters, **options)
    content |= {"name": name, "facts": _facts(model), "grab": grab}
    q = content["start"][0]
    table = drawing(model, q)
    names = [entry["name"] for entry in content["parameters"]]
    content["size"] = table["size"]
    content["scene"] = table | {"changes": scene_changes(model, names, q, table)}
    shared = Share(name, content)
    if path is not None:
        shared.save(path)
    return shared


def _of_stepper(step: Function, rate: float, asked: Mapping[str, Any]) -> tuple[Model, float, dict[str, Any]]:
    """The model, the rate and the options of a step that `stepper` returned."""
    if step.model is None or step.options is None:
        raise ModelError(
            f'"{step.name[:60]}" cannot be shared', expected="a Model, or what hs.stepper returns"
        )
    usual = {"inputs": (), "outputs": (), "start": None, "method": "rk4", "substeps": 1}
    given = [name for name, value in asked.items() if value is not usual[name] and value != usual[name]]
    if rate != RATE or given:
        raise ModelError(
            f"a step has its own {given[0] if given else 'rate'}",
            remedy="give it to hs.stepper, or share the model",
        )
    own = dict(step.options)
    return step.model, 1.0 / own.pop("dt"), own


def _facts(model: Model) -> str:
    """One quiet line: what the model is."""
    loops = len(model.constraints) + len(model.joints) - len(model.tree)
    counts = {"body": len(movable(model)), "coordinate": len(model.coordinates), "closed loop": loops}
    plural = {"body": "bodies"}
    return ", ".join(
        f"{n} {word if n == 1 else plural.get(word, f'{word}s')}" for word, n in counts.items() if n
    )
