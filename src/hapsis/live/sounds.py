"""Sounds of a page: contacts that ring when they are touched, as a hammer on a string does."""

from collections.abc import Mapping
from typing import Any

from hapsis.errors import ModelError, near_or_all
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.page.sound import Sound
from hapsis.mechanics.model.values.numbers import described


def touch_names(model: Model, sounds: Any) -> list[str]:
    """The outputs of a step that say when contacts with sounds, and their dampers, are touched; each once."""
    if not isinstance(sounds, Mapping):
        raise ModelError(f"sounds must be {{contact: hs.Sound}}, not {described(sounds)}")
    names: list[str] = []
    for contact, sound in sounds.items():
        if not isinstance(sound, Sound):
            raise ModelError(
                f'the sound of "{str(contact)[:60]}" must be an hs.Sound, not {described(sound)}'
            )
        for name in (contact, sound.damped_by):
            if name is None:
                continue
            if name not in model.contacts:
                hint = near_or_all(str(name), model.contacts, "contacts")
                raise ModelError(f'there is no contact "{str(name)[:60]}" that could sound{hint}')
        names += [f"{contact}.touch.time", f"{contact}.touch.speed"]
        if sound.damped_by is not None:
            names.append(f"{sound.damped_by}.gap")
    return list(dict.fromkeys(names))


def sound_table(sounds: Mapping[str, Sound], signals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sounds as a page reads them: see `view/web/src/live/package.ts`."""
    place = {signal["name"]: k for k, signal in enumerate(signals)}
    return [
        {
            "contact": contact,
            "note": str(sound.note) if isinstance(sound.note, str) else f"{sound.frequency:.4g} Hz",
            "frequency": sound.frequency,
            "time": place[f"{contact}.touch.time"],
            "speed": place[f"{contact}.touch.speed"],
            "damper": -1 if sound.damped_by is None else place[f"{sound.damped_by}.gap"],
        }
        for contact, sound in sounds.items()
    ]
