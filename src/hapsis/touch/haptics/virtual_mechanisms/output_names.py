"""The outputs of a tick by name: those of the grasp and those that are called as the mechanism is."""

from collections.abc import Mapping
from typing import Any

from hapsis.errors import ModelError


def joined(*groups: Mapping[str, Any]) -> dict[str, Any]:
    """All of them in order; an error where two have one name."""
    outputs: dict[str, Any] = {}
    for group in groups:
        for name, value in group.items():
            if name in outputs:
                raise ModelError(
                    f'"{name[:60]}" is a name of the mechanism, and of what a grasp gives out or keeps',
                    remedy="rename the joint",
                )
            outputs[name] = value
    return outputs
