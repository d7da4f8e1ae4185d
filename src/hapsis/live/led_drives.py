"""Drives on a page: a slider gives positions and no velocities, so that drives which take both follow it."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.model import Model

TRACKING = 60.0  # rad/s: 33 ms behind the slider


def led_by_sliders(model: Model, options: Mapping[str, Any]) -> tuple[Model, dict[str, Any]]:
    """The model and the options of its step, with drives that take position and velocity as tracked ones.

    Such a drive keeps its name and its input NAME.position; NAME.velocity is no input any more.
    """
    sampled = {name: drive for name, drive in model.drives.items() if drive.sampled}
    if not sampled:
        return model, dict(options)
    facts = [_tracked(fact) if isinstance(fact, Drive) and fact.sampled else fact for fact in model.facts]
    gone = {f"{name}.velocity" for name in sampled}
    inputs = options.get("inputs", ())
    named = isinstance(inputs, Iterable) and not isinstance(inputs, str)
    kept = [name for name in inputs if name not in gone] if named else inputs
    settings = {name: getattr(model, name) for name in SETTINGS}
    return Model(*facts, **settings), {**options, "inputs": kept}


def _tracked(drive: Drive) -> Drive:
    return dataclasses.replace(drive, position=INPUT, velocity=None, tracking=TRACKING)
