"""Regulation of the action: what a technician measures, and the screws that set it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.action import OUT_OF_REACH
from hapsis.library.piano.samples import followed, play
from hapsis.library.piano.slow_press import SAMPLE, slow_press
from hapsis.library.piano.strokes import path, sinusoid
from hapsis.mechanics.model.values.numbers import described, real

FAR = 0.2e-3  # m: a step of a screw is never longer
CLOSE = 2e-6  # m: how well targets are met
ROUNDS = 30
NOTES = 12  # in a row, to call a rate of repetition reached
RATES = (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 8.0, 6.0)  # notes per second that are tried
HALF = 5e-3  # m: the key is let up to here between repeated notes
SAMPLES = 32.0  # of a note in a row
REST = 0.3  # s before they begin
WEIGHING = 3e-3  # m/s
TRIAL = 0.05e-3  # m: by how much a screw is turned to see what it does
SCREWS = {"blow": "pilot_height", "let_off": "button_height", "drop": "drop_height"}


class Range(NamedTuple):
    """What technicians set, and its unit."""

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
    let_off       distance from the string at which the jack, at its button, no longer raises the hammer
    let_off_at    travel of the finger there
    drop          how far the hammer then falls, onto the lever; negative where the lever raises it on
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
        return [n for n, usual in USUAL.items() if not usual.low <= self._in_unit(n) <= usual.high]

    def _in_unit(self, name: str) -> float:
        scale = 1e3 if USUAL[name].unit in ("mm", "g") else 1.0
        return getattr(self, name) * scale

    def __str__(self) -> str:
        rows = []
        for name, (low, high, unit) in USUAL.items():
            usual = f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} or more"
            mark = "   <-" if name in self.unusual else ""
            label = name.replace("_", " ")
            rows.append(f"{label:12} {self._in_unit(name):8.2f} {unit:4} usual: {usual}{mark}")
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
    _check_action(action)
    screws = {"blow": blow, "let_off": let_off, "drop": drop}
    targets = {name: real(x, name) for name, x in screws.items() if x is not None}
    if dip is not None:
        action = action.replace(parameters={**action.parameters, "dip": real(dip, "dip")})
    if targets:
        action = turned(action, targets)
    if down_weight is not None:
        action = _leaded(action, real(down_weight, "down_weight"))
    measures = {**slow_press(followed(action)), **_weights(action)}
    return Regulation(action, **measures, repetition=_repetition(action))


def _check_action(action: hs.Model) -> None:
    """Whether it is a grand action, with the screws and the contacts that a technician looks at."""
    if not isinstance(action, hs.Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"regulate: {described(action)} is no action", expected="what grand_action returns")
    missing = [n for n in (*SCREWS.values(), "dip", "lead", "damper_lift") if n not in action.parameters]
    missing += [name for name in ("string", "let_off") if name not in action.contacts]
    if missing:
        raise ModelError(
            f'regulate: the model has no "{missing[0]}", so that there is nothing to regulate',
            expected="the action of a grand piano, as grand_action returns it",
        )
    if "key" not in action.drives:
        raise ModelError(
            "only an action whose key is moved can be regulated", remedy='grand_action("position")'
        )


def turned(action: hs.Model, targets: Mapping[str, float]) -> hs.Model:
    """The action with its screws turned until a slow press shows the targets.

    Newton's method on the measured values; the slopes come from turning each screw a little, then from what
    the steps themselves show (Broyden).
    """
    driven = followed(action)
    if "let_off" in targets:
        action = _let_off_before_string(action, driven)
    names = [SCREWS[name] for name in targets]
    goal = np.array(list(targets.values()))
    at = np.array([action.parameters[n] for n in names])

    def shown(x: np.ndarray) -> np.ndarray:
        measures = slow_press(driven, dict(zip(names, map(float, x), strict=True)))
        return np.array([measures[n] for n in targets])

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
    reached = ", ".join(f"{n} {1e3 * v:.2f} mm" for n, v in zip(targets, now, strict=True))
    raise SolveError(
        f"the screws do not reach the targets: {reached}",
        expected="targets near those of the trade: blow 44 to 48 mm, let-off and drop 1 to 2 mm",
    )


def _let_off_before_string(action: hs.Model, driven: hs.Model) -> hs.Model:
    """The action with its button lowered, where it must be, until the hammer is let off below the string."""
    button = SCREWS["let_off"]
    height = action.parameters[button]
    for _ in range(ROUNDS):
        try:
            if slow_press(driven, {button: height})["let_off"] > 0.0:
                break
        except SolveError:  # the jack does not even meet it
            pass
        height -= FAR
    return action.replace(parameters={**action.parameters, button: height})


def _weights(action: hs.Model) -> dict[str, float]:
    """Down- and up-weight: what a finger feels that moves the key slowly down and up, the damper lifted.

    Means from 2 to 5 mm: friction that is regularised has no dead band to find with weights.
    """
    top = 6e-3
    turning, end = 0.2 + top / WEIGHING, 0.5 + 2.0 * top / WEIGHING
    motion = path((0.1, 0.0), (turning - 0.1, top), (turning + 0.2, top), (end, 0.0), smooth=0.1)
    run = play(action, motion, end, period=SAMPLE, parameters={"damper_lift": OUT_OF_REACH})
    finger, force = -run["key.finger.y"], run["key.effort"]
    weighed = (finger > 2e-3) & (finger < 5e-3)
    down, up = (float(force[weighed & side].mean()) for side in (run.t < turning, run.t > turning))
    return {"down_weight": down / d.GRAVITY, "up_weight": up / d.GRAVITY}


def _leaded(action: hs.Model, target: float) -> hs.Model:
    """The action with lead in its key so that the down-weight is the target: the two are proportional."""
    arm = d.LEAD_AT[0] / d.FINGER[0]
    for _ in range(3):
        lead = action.parameters["lead"] + (_weights(action)["down_weight"] - target) / arm
        if not lead >= -0.04:
            raise SolveError(f"the key would need {1e3 * lead:.0f} g of lead", expected="-40 g or more")
        action = action.replace(parameters={**action.parameters, "lead": float(lead)})
    return action


def _repetition(action: hs.Model) -> float:
    """The highest of the rates at which all notes sound that follow each other half-way; 0 for none."""
    driven = followed(action)
    for rate in RATES:
        motion = sinusoid(HALF, rate, begin=REST)
        run = play(driven, motion, REST + NOTES / rate, period=1.0 / (SAMPLES * rate))
        if touches(run) == NOTES:
            return rate
    return 0.0


def touches(run: hs.Result, contact: str = "string") -> int:
    """How often a contact was closed in a run."""
    closed = run[f"{contact}.gap"] <= 0.0
    return int(closed[0]) + int(np.sum(closed[1:] & ~closed[:-1]))
