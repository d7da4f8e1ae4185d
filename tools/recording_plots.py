"""Draws the picture of docs/recording.md anew.

python tools/recording_plots.py

A key is pressed twice; what is called measured is made by a heavier key with friction, through an
encoder and a noisy load cell. A test compares the picture.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("recording")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.touch import recording  # noqa: E402
from hapsis.view import Plot  # noqa: E402


def key(mass: float = 0.10, damping: float = 0.0) -> hs.Model:
    """A key on its pivot, with a spring that brings it back."""
    return hs.Model(
        hs.Rod("key", length=0.2, mass=mass),
        hs.Revolute("K", hs.WORLD, "key", axis="y", damping=damping),
        hs.JointSpring("spring", "K", stiffness=1.0, rest=-0.3),
    )


def pressed(t: Any) -> Any:
    """Two keystrokes of 0.05 rad."""
    return 0.05 * sum(hs.exp(-(((t - at) / 0.08) ** 2)) for at in (0.4, 1.0))


def measurement() -> dict[str, Any]:
    """A synthetic measurement: angle in steps of 0.02 mrad, torque with 3 mN m of noise."""
    true = hs.follow(key(0.105, 0.01), {"K": pressed}, until=1.4, every=0.002)
    noise = np.random.default_rng(5).normal(size=len(true.t), scale=0.003)
    angle = np.round(true["K"] / 2e-5) * 2e-5
    return {"t": true.t, "angle": angle, "torque": true["K.effort"] + noise}


@PICTURES.add
def keystrokes() -> Plot:
    """Model and measurement."""
    comparison = recording.compare(
        key(),
        measurement(),
        {"K": "angle"},
        {"K.effort": "torque"},
        tracking=150.0,
        title="two keystrokes (synthetic)",
    )
    print(comparison)
    return comparison.plot()


if __name__ == "__main__":
    PICTURES.write()
