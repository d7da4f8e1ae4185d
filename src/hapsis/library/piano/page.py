"""What the page of the action offers: a key that is pressed, a string that sounds, screws to turn."""

from typing import Any

import hapsis as hs
from hapsis.library.piano.strokes import BOTTOM

RATE, SUBSTEPS = 5000.0, 4  # Hz, and substeps of 50 µs: what the felts need under hard blows
SPEED, MOST = 0.3, 60.0  # m/s of the finger, N
MM, GRAM = 1e-3, 1e-3
SLIDERS = {
    "button_height": (70.5 * MM, 71.7 * MM, "m", "let-off button"),
    "hammer_head": (3.0 * GRAM, 12.0 * GRAM, "kg", "mass of the hammer's head"),
    "jack_preload": (0.010, 0.020, "N·m", "spring of the jack"),
    "lever_preload": (0.030, 0.050, "N·m", "spring of the repetition lever"),
}
REACH = (0.0, 12.0 * MM, "m", "position of the hand")  # of a hand that a slider moves


def action_page(key: Any) -> hs.Page:
    """The page of an action whose key is moved in this way.

    A finger takes the place of a device; it presses the fingertip that takes a force. A hand behind a spring
    gets a slider, and a key that a function moves needs neither.
    """
    press, inputs = None, None
    moves: Any = {"along": "-y", "depth": BOTTOM, "speed": SPEED, "most": MOST}
    if key in ("position", "motion"):
        press = hs.Press("key.finger", **moves, instead_of="key")
    elif key == "force":
        press = hs.Press("fingertip", **moves)
    elif key == "finger":
        inputs = {"hand.position": REACH}
    return hs.Page(
        title="Grand piano action",
        rate=RATE,
        substeps=SUBSTEPS,
        method="euler",
        parameters=SLIDERS,
        inputs=inputs,
        press=press,
        sounds={"string": hs.Sound("A4", damped_by="damper_string")},
    )
