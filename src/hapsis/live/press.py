"""The finger of a page, as the page reads it."""

from typing import Any

from hapsis.errors import ModelError, near_or_all
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.values.axes import axis_vector

SOFTEST = 1 / 40  # of the largest force or speed, for the key 1
FASTEST = 5.0  # times the speed at first: the end of its slider
SIGNALS = (("finger.position", "m", "its way"), ("finger.force", "N", "Force of the finger"))


def without_its_drive(model: Model, press: Press | None) -> Model:
    """The model without the drive whose place a finger takes."""
    name = None if press is None else press.instead_of
    if name is None:
        return model
    if name not in model.drives:
        raise ModelError(
            f'press: there is no drive "{name[:60]}" to take the place of'
            f"{near_or_all(name, model.drives, 'drives')}"
        )
    facts = [fact for fact in model.facts if not (isinstance(fact, Drive) and fact.name == name)]
    return Model(*facts, **{setting: getattr(model, setting) for setting in SETTINGS})


def press_table(
    model: Model, press: Press, bodies: list[str], signals: list[dict[str, Any]]
) -> dict[str, Any]:
    """The finger as a page reads it, whose two signals are added to those that are given."""
    body, frame = model.frame(End.of(press.at))
    if body not in bodies:
        raise ModelError(f'press: "{body[:60]}" does not move', expected="a point of a body that does")
    point = [model.value(x) for x in frame.at]
    taken = {signal["name"] for signal in signals}
    places: list[int] = []
    for k, (name, unit, label) in enumerate(SIGNALS):
        while name in taken:
            name += "_"
        places.append(len(signals))
        place = {"output": False, "port": -1, "place": k}
        signals.append({"name": name, "label": label, "unit": unit, **place})
    value = float(press.force if press.depth is None else press.speed)
    most = press.largest if press.depth is None else FASTEST * value
    return {
        "body": bodies.index(body),
        "point": point,
        "along": list(axis_vector(press.along)),
        "depth": float(press.depth or 0.0),
        "value": value,
        "most": most,
        "softest": SOFTEST * most,
        "limit": press.largest,
        "signals": places,
    }
