"""The verb `share`: a model as a page that computes its motion, in one file."""

import html
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.limits import Limits
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, notice
from hapsis.live.led_drives import led_by_sliders
from hapsis.live.live_grasp import LiveGrasp, is_grasp
from hapsis.live.live_model import Coupling, coupling, live_content, movable
from hapsis.live.live_particles import particle_content
from hapsis.live.press import without_its_drive
from hapsis.live.scene_changes import scene_changes
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.page.page import Page
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.simulate.contact.contact_step import ContactStep
from hapsis.view import page
from hapsis.view.page_text import plain

RATE = 1000.0  # Hz
MOST_BODIES = 300  # browsers call no function with more than 1000 arguments, and each body has three
SCRIPTS = ("start.js", "scene.js", "share.js")
Rate = Annotated[float, Limits(1.0, 20_000.0)]
Range = tuple[float, float] | tuple[float, float, str] | tuple[float, float, str, str]


@verb
class Share:
    """A page that computes the motion of a model: one file, no server, no outside request.

    .html                the text          .save("x.html")     writes it
    .show()              opens it in the browser
    .title, .content     its title, and what it holds besides the client, for json
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
            [page.client(name) for name in SCRIPTS],
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
        count = len(self.content["handles"])
        one, more = ("object", "objects") if "particles" in self.content else ("body", "bodies")
        return f"Share({self.title!r}, {count} {one if count == 1 else more})"


@verb
def share(
    model: Model | Hybrid | Function | ContactStep | Scene,
    path: str | os.PathLike[str] | None = None,
    *,
    rate: Rate | None = None,
    parameters: Iterable[str] | Mapping[str, Range] | None = None,
    inputs: Iterable[str] | Mapping[str, Range] | None = None,
    outputs: Iterable[str] | None = None,
    start: Any = None,
    near: Mapping[str, float] | None = None,
    method: str | None = None,
    substeps: int | None = None,
    grab: bool = True,
    press: Press | Literal[False] | None = None,
    sounds: Mapping[str, Sound] | None = None,
    follow: bool | None = None,
    title: str | None = None,
) -> Share:
    """A page that computes the motion of a model where it is opened; written to `path` if that is given.

    The compiled step runs in the visitor's browser at its fixed rate. Any body can be grabbed; the hand is
    a spring and damper whose force a guard limits, as on a device. Where an argument is left out, the page
    of the model (`hs.Page`) says what is offered.

    model       a Model, a Hybrid or a scene of particles; or what `stepper` returned, with its rate, start,
                inputs, outputs and method; or what `haptics.grasp` returned: the pointer leads its hand
    rate        Hz of the step, 1000 if nothing is given
    parameters  names that get a slider, or {name: (low, high)}, where a unit and words may follow; some are
                chosen if nothing is given
    inputs      those of `stepper`, which get sliders too; or {name: (low, high)}; else what drives take
    outputs, start, near, method, substeps    those of `stepper`; outputs get curves
    grab        whether bodies can be grabbed
    press       a point that the space bar, the keys 1 to 9 and a button press; its force over its way is the
                first curve; False: none, though the page of the model has one
    sounds      {contact: hs.Sound(...)}: contacts that ring when they are touched
    follow      whether the camera moves along with all bodies; else it stays until they are far away
    title       of the page; the name of the file if nothing is given
    """
    if path is not None:
        page.suffix_of(path, (".html",))
    if title is not None and not isinstance(title, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"title must be a text, not {described(title)}")
    if follow is not None and not isinstance(follow, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"follow must be True or False, not {described(follow)}")
    _check_kinds(press, sounds)
    if isinstance(model, Scene):
        others = {"inputs": inputs, "start": start, "near": near, "method": method, "press": press}
        _refuse(others | {"substeps": substeps, "sounds": sounds})
        content = particle_content(model, RATE if rate is None else rate, parameters, outputs)
        name = plain(title if title is not None else _title(path), 80)
        return _written(
            Share(name, content | {"name": name, "grab": bool(grab), "follow": bool(follow)}), path
        )
    hybrid = model if isinstance(model, Hybrid) else None
    if isinstance(model, Hybrid):
        model = model.model
    asked: dict[str, Any] = {"inputs": inputs, "outputs": outputs, "method": method, "substeps": substeps}
    if isinstance(model, Model) and model.page is not None:
        own = {"rate": rate, "parameters": parameters, "press": press, "sounds": sounds, "title": title}
        own["follow"] = follow
        asked = _by_the_page(model.page, asked | own)
        rate, parameters, press, sounds, title, follow = (asked.pop(name) for name in own)
    press = press or None
    asked |= {"start": start, "near": near}
    inputs = asked["inputs"]
    options: Any = {name: value for name, value in asked.items() if value is not None}
    ranges = inputs if isinstance(inputs, Mapping) else {}
    grasp: LiveGrasp | None = None
    if is_grasp(model):
        _check_alone({"rate": rate, "press": press, "sounds": sounds, **options})
        grasp = LiveGrasp(cast(Function, model))
        model, rate, options = grasp.model, 1.0 / grasp.dt, {}
    elif isinstance(model, Function | ContactStep):
        model, rate, options = _of_stepper(model, {"rate": rate, **options})
        hybrid = options.pop("hybrid", None)
    if hybrid is not None and (press is not None or sounds):
        raise ModelError("the page of a hybrid has no finger and no sounds")
    if isinstance(model, Model):
        model = without_its_drive(model, press)
    if isinstance(model, Model) and "inputs" not in options and grasp is None:
        # what drives take from outside always gets a slider
        taken = [name for drive in model.drives.values() for name in drive.inputs]
        options |= {"inputs": taken} if taken else {}
    model, options = led_by_sliders(model, options)
    rate = RATE if rate is None else rate
    _check_bodies(model)
    name = plain(title if title is not None else _title(path), 80)
    hand = coupling(model) if press is None else _finger(model, coupling(model), press)
    played: Any = {"sounds": sounds, "press": press, "grasp": grasp}
    content = live_content(model, 1.0 / rate, hand, parameters, ranges, hybrid=hybrid, **played, **options)
    content |= {"name": name, "grab": bool(grab), "follow": bool(follow)}
    q = content["start"][0]
    table = drawing(model, q)
    for text in table["notices"]:
        notice(text)
    names = [entry["name"] for entry in content["parameters"]]
    content["size"] = table["size"]
    content["scene"] = table | {"changes": scene_changes(model, names, q, table)}
    return _written(Share(name, content), path)


def _written(shared: Share, path: str | os.PathLike[str] | None) -> Share:
    if path is not None:
        shared.save(path)
    return shared


def _refuse(given: Mapping[str, Any]) -> None:
    """An error for what pages of particles do not have."""
    for name, value in given.items():
        if value:
            raise ModelError(f"the page of a scene of particles has no {name}", remedy="leave it out")


def _by_the_page(offered: Page, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `share`, those that were left out as the page of the model has them."""
    press, inputs = offered.press, asked["inputs"]
    if asked["press"] is None and press is not None and press.instead_of is not None and inputs is not None:
        drive = f"{press.instead_of}."
        if any(str(name).startswith(drive) for name in inputs):
            raise ModelError(
                f'"{press.instead_of[:60]}" is moved by the finger of the page, and by inputs',
                remedy="give press=False too, or leave out inputs",
            )
    return {name: getattr(offered, name) if value is None else value for name, value in asked.items()}


def _check_alone(asked: Mapping[str, Any]) -> None:
    """Refuses what a grasp has by itself."""
    for name, value in asked.items():
        if value is not None and name != "inputs":
            raise ModelError(f"the page of a grasp has no {name}", remedy="leave it out")


def _check_kinds(press: Any, sounds: Any) -> None:
    if press is not None and press is not False and not isinstance(press, Press):
        raise ModelError(f"press must be an hs.Press, not {described(press)}")
    if sounds is not None and not isinstance(sounds, Mapping):
        raise ModelError(f"sounds must be {{contact: hs.Sound}}, not {described(sounds)}")


def _finger(model: Model, hand: Coupling, press: Press) -> Coupling:
    """A hand that reaches the largest force of a finger within a quarter of the size of the model."""
    size = drawing(model)["size"]
    stiffness = max(hand.stiffness, 4.0 * press.largest / size)
    return Coupling(stiffness, hand.mass, max(hand.limit, press.largest))


def _check_bodies(model: Model) -> None:
    count = len(movable(model))
    if not count:
        raise ModelError("the model has no body that moves", remedy="add one with a joint")
    if count > MOST_BODIES:
        raise ModelError(f"the model has {count} bodies", expected=f"at most {MOST_BODIES} in a page")


def _title(path: str | os.PathLike[str] | None) -> str:
    """The name of the file as a title: four_bar.html is Four bar."""
    stem = Path(path).stem.replace("_", " ").strip() if path is not None else ""
    return f"{stem[0].upper()}{stem[1:]}" if stem else "Mechanism"


def _of_stepper(
    step: Function | ContactStep, asked: Mapping[str, Any]
) -> tuple[Model, float, dict[str, Any]]:
    """The model, the rate and the options of a step that `stepper` returned."""
    if isinstance(step, Function) and (step.model is None or step.options is None):
        raise ModelError(
            f'"{step.name[:60]}" cannot be shared', expected="a Model, or what hs.stepper returns"
        )
    given = [name for name, value in asked.items() if value is not None]
    if given:
        raise ModelError(f"a step has its own {given[0]}", remedy="leave it out, or share the model")
    assert step.model is not None and step.options is not None
    own = dict(step.options)
    return step.model, 1.0 / own.pop("dt"), own
