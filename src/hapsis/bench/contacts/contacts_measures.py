"""What is asked of a recorded motion: overlap, creep of what should stay, growth of energy."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.bench.contacts.contacts_motion import Motion, energy, motions
from hapsis.bench.contacts.contacts_overlap import above, penetration
from hapsis.bench.contacts.contacts_scene import Bumps, Part, Scene

SAMPLE = 2e-3  # s between two samples of a recording, or one step where that is longer
WINDOW = 1.0  # s at the end in which nothing should move
FAR = 1e3  # m, rad, m/s, rad/s: a motion that comes there blew up
TOUCHING = 1e-3  # m above the ground within which a wheel counts as rolling


@dataclass(frozen=True)
class Recording:
    """A run: steps; times, coordinates and speeds of samples in the scene's order, the start first.

    iterations  of the contact solver in all steps; None if unknown
    residual    the worst that it left at the end of a step; None if unknown
    first       seconds from the scene to the end of its first run, compilation included
    """

    steps: int
    times: Any
    q: Any
    v: Any
    iterations: float | None
    residual: float | None
    first: float


def measures(scene: Scene, recording: Recording) -> dict[str, Any]:
    """Penetration (m), creep (m/s), energy growth (J), and whether the scene ended as it must.

    Infinite where the motion blew up; None where a figure does not apply.
    """
    rests = bool(scene.still or scene.rolling or scene.held)
    state = np.hstack([recording.q, recording.v])
    if not np.isfinite(state).all() or np.abs(state).max() > FAR:
        growth = np.inf if scene.passive else None
        creep_ = np.inf if rests else None
        return {"penetration": np.inf, "creep": creep_, "energy_growth": growth, "ended": False}
    known = motions(scene, recording.q, recording.v)
    E = energy(scene, known, recording.q)
    return {
        "penetration": penetration(scene, known),
        "creep": creep(scene, known, recording.times),
        "energy_growth": float(np.max(E) - E[0]) if scene.passive else None,
        "ended": ended(scene, known),
    }


def within(scene: Scene, figures: dict[str, Any]) -> bool:
    """Whether the scene ended as it must and every bounded figure is within its bound."""
    values = ((figures[name], most) for name, most in scene.bounds.items())
    return figures["ended"] and all(x is not None and x <= most for x, most in values)


def ended(scene: Scene, known: dict[str, Motion]) -> bool:
    """Whether the scene ended as it must.

    stands    every part is within 5 cm of where it started
    topples   every part lies: its z axis is more than 60 degrees from the vertical
    held      the part is within 1 cm of where it started, seen from the one that holds it
    drives    the first part is more than 3 m from where it started
    lies      the first part has lost half of its height
    """
    first = known[scene.parts[0].name]
    match scene.ends:
        case "stands":
            return all(np.linalg.norm(m.p[-1] - m.p[0]) < 5e-2 for m in known.values())
        case "topples":
            return all(abs(m.R[-1, 2, 2]) < 0.5 for m in known.values())
        case "held":
            way = _held(scene, known)
            return bool(np.linalg.norm(way[-1] - way[0]) < 1e-2)
        case "drives":
            return bool(np.linalg.norm(first.p[-1] - first.p[0]) > 3.0)
        case "lies":
            return bool(first.p[-1, 2] < 0.5 * first.p[0, 2])


def _held(scene: Scene, known: dict[str, Motion]) -> Any:
    """Where the part is, seen from the one that holds it."""
    assert scene.held is not None
    part, other = (known[name] for name in scene.held)
    return np.einsum("kji,kj->ki", other.R, part.p - other.p)


def creep(scene: Scene, known: dict[str, Motion], times: Any) -> float | None:
    """Metres per second that what should stay moved in the last second; None where nothing should stay."""
    window = min(WINDOW, 0.5 * float(times[-1]))
    since = int(np.searchsorted(times, times[-1] - window - 1e-9))
    span = float(times[-1] - times[since])
    ways = [known[name].p[-1] - known[name].p[since] for name in scene.still]
    if scene.held is not None:
        way = _held(scene, known)
        ways.append(way[-1] - way[since])
    speeds = [float(np.linalg.norm(way)) / span for way in ways]
    wheels = [part for part in scene.parts if part.name in scene.rolling]
    speeds += [slip(scene, part, known[part.name], since) for part in wheels]
    return max(speeds, default=None)


def slip(scene: Scene, part: Part, motion: Motion, since: int) -> float:
    """The mean speed along the ground of the lowest point of a ball, while it touches."""
    radius, ground = part.solids[0].size[0], scene.ground
    if not isinstance(ground, Bumps):
        raise ValueError("balls roll on bumps only")
    height, normal = above(ground, motion.p)
    v = motion.speed(motion.p - radius * normal)
    along = v - np.einsum("ki,ki->k", v, normal)[:, None] * normal
    rows = np.arange(len(height)) >= since
    rows &= height - radius < TOUCHING
    return float(np.linalg.norm(along[rows], axis=1).mean()) if rows.any() else np.inf
