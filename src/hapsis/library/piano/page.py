"""The action as a page: a key that is pressed, a string that sounds."""

import os
from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.piano.action import grand_action
from hapsis.library.piano.strokes import BOTTOM

RATE, SUBSTEPS = 5000.0, 4  # Hz, and substeps of 50 µs: what the felts need under hard blows
SPEED, MOST = 0.3, 60.0  # m/s of the finger, N
MM, GRAM = 1e-3, 1e-3
SLIDERS = {
    "button_height": (70.5 * MM, 71.7 * MM),
    "hammer_head": (3.0 * GRAM, 12.0 * GRAM),
    "jack_preload": (0.010, 0.020),
    "lever_preload": (0.030, 0.050),
}


@verb
def page(
    path: str | os.PathLike[str] | None = None, note: str = "A4", title: str = "Grand piano action"
) -> Any:
    """A page on which the key is pressed by the pointer, the space bar, or the keys 1 (soft) to 9 (hard).

        path   where it is written, .html; nowhere if not given
        note   of the string: it sounds as loud as the hammer is fast, until the damper is back

    The first curve is what the finger feels over its way. Sliders move the let-off button and change the mass
    of the hammer and the springs. It is `hs.share` of `grand_action("force")`.
    """
    return hs.share(
        grand_action("force"),
        path,
        rate=RATE,
        substeps=SUBSTEPS,
        method="euler",
        press=hs.Press("fingertip", along="-y", depth=BOTTOM, speed=SPEED, most=MOST),
        sounds={"string": hs.Sound(note, damped_by="damper_string")},
        parameters=SLIDERS,
        title=title,
    )
