"""Regulation of the action: what a technician measures, and the screws that set it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import SolveError
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.action import OUT_OF_REACH
from hapsis.library.piano.strokes import Motion, path, press, sinusoid
from hapsis.mechanics.model.values.numbers import real

FAR = 0.2e-3  # m: a step of a screw is never longer
CLOSE = 2e-6  # m: how well targets are met
ROUNDS = 30
NOTES = 12  # in a row, to call a rate of repetition reached
RATES = (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 8.0, 6.0)  # notes per second that are tried
HALF = 5e-3  # m: the key is let up to here between repeated notes
SAMPLE, NEAR = 0.01, 1e-5  # s: between samples of a slow motion, and for its speed
SAMPLES = 32.0  # of a note in a row
REST = 0.3  # s before they begin
BEGIN = 0.1  # s before the key is pressed slowly
WEIGHING = 3e-3  # m/s
TRIAL = 0.05e-3  # m: by how much a screw is turned to see what it does
NOTHING: Mapping[str, float] = MappingProxyType({})
SCREWS = {"blow": "pilot_height", "let_off": "button_height", "drop": "drop_height"}


class Range(NamedTuple):
    """What technicians set, and the unit it is told in."""

    low: float
    high: float
    unit: str = "mm"


USUAL = {
    "dip": Range(9.5, 10.5),
    "blow": Range(44.0, 48.0),
    "let_off": Range(1.0, 2.0),
    "drop": Range(1.0, 2.0),
    "aftertouch": Range(0.7, 1.3),
    "ratio": Range(4.5, 5.7, ""),
    "down_weight": Range(47.0, 55.0, "g"),
    "up_weight": Range(20.0, 35.0, "g"),
    "repetition": Range(12.0, np.inf, "1/s"),
}


class Regulation(NamedTuple):
    """How an action is regulated; lengths in m, weights in kg.

    model         the action
    dip           travel of the finger until the felt under the key
    blow          distance of the hammer from the string at rest
    let_off       closest distance of a hammer that is raised slowly
    let_off_at    travel of the finger there
    drop          how far the hammer then falls back
    aftertouch    travel from there to the felt
    ratio         travel of the hammer over that of the finger, from 2 to 7 mm
    down_weight   that moves the key down slowly, the damper lifted
    up_weight     that the key just raises
    repetition    notes per second, all of which sound, with the key let up half-way
    """

    model: hs.Model
    dip: float
    blow: float
    let_off: float
    let_off_at: float
    drop: float
    aftertouch: float
    ratio: float
    down_weight: float
    up_weight: float
    repetition: float

    @property
    def unusual(self) -> list[str]:
        """Names of what is outside the range that technicians set."""
        return [n for n, usual in USUAL.items() if not usual.low <= self._told(n) <= usual.high]

    def _told(self, name: str) -> float:
        scale = 1e3 if USUAL[name].unit in ("mm", "g") else 1.0
        return getattr(self, name) * scale

    def __str__(self) -> str:
        rows = []
        for name, (low, high, unit) in USUAL.items():
            usual = f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} or more"
            mark = "   <-" if name in self.unusual else ""
            label = name.replace("_", " ")
            rows.append(f"{label:12} {self._told(name):8.2f} {unit:4} usual: {usual}{mark}")
        return "\n".join(rows)


@verb
def regulate(
    action: hs.Model,
    blow: float | None = None,
    let_off: float | None = None,
    drop: float | None = None,
    dip: float | None = None,
    down_weight: float | None = None,
) -> Regulation:
    """What a technician would measure at an action, after turning its screws to the targets that are given.

        blow         by the pilot, m
        let_off      by the let-off button, m
        drop         by the drop screw, m
        dip          by the felt under the key front, m
        down_weight  by lead in the key, kg

    The screws act on each other, so that all are set together. What cannot be reached is a SolveError.
    """
    targets = {"blow": blow, "let_off": let_off, "drop": drop}
    wanted = {name: real(x, name) for name, x in targets.items() if x is not None}
    values: dict[str, float] = {}
    if dip is not None:
        values["dip"] = real(dip, "dip")
    action = action.replace(parameters={**action.parameters, **values})
    if wanted:
        action = _turned(action, wanted)
    if down_weight is not None:
        action = _leaded(action, real(down_weight, "down_weight"))
    slow = _slow(action)
    return Regulation(action, **slow, **_weights(action), repetition=_repetition(action))


def _driven(action: hs.Model) -> hs.Model:
    """The action with a key that follows samples of a motion, whatever moved it before."""
    if "key" not in action.drives:
        raise SolveError(
            "only an action whose key is moved can be regulated", remedy='grand_action("position")'
        )
    return action.replace("key", position="input", velocity="input", acceleration=None, tracking=None)


def _slow(
    action: hs.Model, driven: hs.Model | None = None, screws: Mapping[str, float] = NOTHING
) -> dict[str, float]:
    """What a slow press shows, with screws at other heights than the action's."""
    values = {**action.parameters, **screws}
    run = _run(driven or _driven(action), press(begin=BEGIN), 1.5, screws)
    finger, gap = -run["key.finger.y"], run["string.gap"]
    before = finger < values["dip"] - 0.3e-3  # the hammer is highest before the key lands
    k = int(np.argmin(np.where(before, gap, np.inf)))
    rising = (finger > 2e-3) & (finger < 7e-3)
    return {
        "dip": values["dip"],
        "blow": float(gap[np.searchsorted(run.t, BEGIN) - 1]),  # felts have sunk in by then
        "let_off": float(gap[k]),
        "let_off_at": float(finger[k]),
        "drop": float(gap[-1] - gap[k]),
        "aftertouch": values["dip"] - float(finger[k]),
        "ratio": -float(np.polyfit(finger[rising], gap[rising], 1)[0]),
    }


def _run(
    model: hs.Model,
    motion: Motion,
    until: float,
    values: Mapping[str, float] = NOTHING,
    sample: float = SAMPLE,
) -> hs.Result:
    """A run in which the key follows samples of a motion, by the cubics between them."""
    t = np.linspace(0.0, until, round(until / sample) + 1)
    steps = np.array([-2.0, -1.0, 1.0, 2.0]) * NEAR
    around = np.array([[float(motion(s + h)) for h in steps] for s in t])
    inputs = {
        "key.position": (t, np.array([float(motion(s)) for s in t])),
        "key.velocity": (t, around @ np.array([1.0, -8.0, 8.0, -1.0]) / (12.0 * NEAR)),
    }
    run = hs.simulate(
        model, until=until, every=2e-4, inputs=inputs, parameters=dict(values) or None, progress=False
    )
    if not run.success:
        raise SolveError(f"the action cannot be measured: {run.message}")
    return run


def _turned(action: hs.Model, wanted: Mapping[str, float]) -> hs.Model:
    """The action with its screws turned until a slow press shows what is wanted.

    Newton's method on the measured values; the slopes come from turning each screw a little, then from what
    the steps themselves show (Broyden).
    """
    driven = _driven(action)
    names = [SCREWS[name] for name in wanted]
    goal = np.array(list(wanted.values()))
    at = np.array([action.parameters[n] for n in names])

    def shown(x: np.ndarray) -> np.ndarray:
        measured = _slow(action, driven, dict(zip(names, map(float, x), strict=True)))
        return np.array([measured[n] for n in wanted])

    now = shown(at)
    slopes = np.stack([(shown(at + TRIAL * e) - now) / TRIAL for e in np.eye(len(at))], axis=1)
    for _ in range(ROUNDS):
        missing = goal - now
        if np.abs(missing).max() < CLOSE:
            return action.replace(
                parameters={**action.parameters, **dict(zip(names, map(float, at), strict=True))}
            )
        try:
            turn = np.linalg.solve(slopes, missing)
        except np.linalg.LinAlgError:
            break
        turn *= min(1.0, FAR / np.abs(turn).max())
        then = shown(at + turn)
        slopes += np.outer(then - now - slopes @ turn, turn) / (turn @ turn)
        at, now = at + turn, then
    reached = ", ".join(f"{n} {1e3 * v:.2f} mm" for n, v in zip(wanted, now, strict=True))
    raise SolveError(
        f"the screws do not reach the targets: {reached}",
        expected="targets near those of the trade: blow 44 to 48 mm, let-off and drop 1 to 2 mm",
    )


def _weights(action: hs.Model) -> dict[str, float]:
    """Down- and up-weight: what a finger feels that moves the key slowly down and up, the damper lifted.

    Means from 2 to 5 mm: friction that is regularised has no dead band to find with weights.
    """
    top = 6e-3
    turning, end = 0.2 + top / WEIGHING, 0.5 + 2.0 * top / WEIGHING
    motion = path((0.1, 0.0), (turning - 0.1, top), (turning + 0.2, top), (end, 0.0), smooth=0.1)
    run = _run(_driven(action), motion, end, {"damper_lift": OUT_OF_REACH})
    finger, force = -run["key.finger.y"], run["key.effort"]
    weighed = (finger > 2e-3) & (finger < 5e-3)
    down, up = (float(force[weighed & side].mean()) for side in (run.t < turning, run.t > turning))
    return {"down_weight": down / d.GRAVITY, "up_weight": up / d.GRAVITY}


def _leaded(action: hs.Model, wanted: float) -> hs.Model:
    """The action with lead in its key so that the down-weight is what is wanted: the two are proportional."""
    arm = d.LEAD_AT[0] / d.FINGER[0]
    for _ in range(3):
        lead = action.parameters["lead"] + (_weights(action)["down_weight"] - wanted) / arm
        if not lead >= -0.04:
            raise SolveError(f"the key would need {1e3 * lead:.0f} g of lead", expected="-40 g or more")
        action = action.replace(parameters={**action.parameters, "lead": float(lead)})
    return action


def _repetition(action: hs.Model) -> float:
    """The highest of the rates at which all notes sound that follow each other half-way; 0 for none."""
    driven = _driven(action)
    for rate in RATES:
        run = _run(
            driven, sinusoid(HALF, rate, begin=REST), REST + NOTES / rate, sample=1.0 / (SAMPLES * rate)
        )
        if touches(run) == NOTES:
            return rate
    return 0.0


def touches(run: hs.Result, contact: str = "string") -> int:
    """How often a contact was closed in a run."""
    closed = run[f"{contact}.gap"] <= 0.0
    return int(closed[0]) + int(np.sum(closed[1:] & ~closed[:-1]))
