"""The felt force from the current of an actuator, and a prototype that makes up for its parts: figure 23."""

import numpy as np

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.studies.piano import double_fast
from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.runs import Runs, Stroke, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot

RATE = 2000.0
# a motor that presses the key; its force constant is that of a data sheet, calibration finds the rest
ROD = hs.haptics.LinearActuator(6.43, mass=0.03, friction=0.4, viscosity=1.2, creep=5e-3)
AMPERES = 2e-3  # noise of the current
# the prototype: a coil below the key where the pilot is, with parts of its own
LEVER = d.PILOT[0][0] / -d.FINGER[0]
PARTS = hs.haptics.Handle(mass=0.1 * LEVER**2, ratio=LEVER, friction=0.3 * LEVER, creep=5e-3)
COIL = hs.haptics.VoiceCoil(
    constant=8.0, resistance=4.0, inductance=3e-3, current=10.0, voltage=48.0, delay=5e-4
)
SHARE = 0.8
ASKED = """An external actuator presses the key with a given motion, and its current tells the force.
How well, once what it needs for itself is known? And what does a finger feel of the moving parts of a
prototype, with and without making up for them?"""
REFERENCE = """Figure 23 of [Docquier]: a Faulhaber LM1247 applies the same motion, one full key dip
at 10 mm/s, to the Renner action and to the prototype; the force felt by the pianist is deduced from its
current on both. The prototype's linear actuator is rigidly attached to its key, so that its physical
parts are felt too."""
MISSING = """Friction of a real rod depends on its position and on the load across it; here it does
not, and calibration finds it fully. The masses and the coil of the prototype are not published: ours
are a guess of the right size. The key itself is the same in model and prototype."""


def study(runs: Runs) -> Study:
    """The study `piano-actuator`."""
    pressed = runs.pressed("pressed by the actuator")
    felt = stroke(pressed)
    shown = from_current(felt)
    moving = (felt.x > 0.5e-3) & (felt.x < 9.5e-3)
    off = float(np.sqrt(np.mean((shown.force - felt.force)[moving] ** 2)))
    fast = runs.moved("two fast strokes", double_fast.MOTION)
    bare, helped = (prototype(felt, share) for share in (0.0, SHARE))
    errors = [_off(force, felt) for force in (bare, helped)]
    quick = _off(prototype(stroke(fast), SHARE), stroke(fast))
    facts = (
        Fact("force from the current, rms off", off, "N", 0.0, 0.05),
        Fact(
            "largest force from the current before the felt", float(shown.force[moving].max()), "N", 2.0, 3.5
        ),
        Fact("mass of the prototype's parts at the finger", 1e3 * PARTS.mass, "g", 5.0, 100.0),
        Fact("felt force off in a slow stroke, not compensated, rms", errors[0], "N", 0.02, 1.0),
        Fact("the same, compensated", errors[1], "N", 0.0, 0.6 * errors[0]),
        Fact("felt force off in a fast stroke, compensated, rms", quick, "N", errors[1], 3.0),
        work_fact(pressed, fast),
    )
    found = f"""After a calibration in free motion the current gives the felt force of the slow stroke
    within {off:.3f} N. The prototype's own parts, {1e3 * PARTS.mass:.0f} g at the finger and the
    friction of its rod, shift the felt force of a slow stroke by {errors[0]:.2f} N (rms). With
    {SHARE:.0%} of it made up for from the estimated motion, {errors[1]:.2f} N remain. In a fast one it
    is {quick:.1f} N whatever is made up for: forces that rise within a millisecond come through the
    coil late."""
    figures = (
        Figure(
            force_curves("Force from the current", {"felt force": felt, "from the current": shown}),
            """As figure 23: the force deduced from the current of the actuator that presses the key.""",
        ),
        Figure(
            _shown(felt, bare, helped),
            """The prototype in the slow stroke: what the model wants,
        and what the finger feels.""",
        ),
    )
    return Study(
        "piano-actuator", "The force from a current", ASKED, REFERENCE, found, MISSING, figures, facts
    )


def from_current(felt: Stroke) -> Stroke:
    """The felt force, deduced from the current of the rod that makes the motion, once it is calibrated."""
    random = np.random.default_rng(8)
    t = np.arange(6000) / RATE
    free = 4e-3 * np.sin(9.0 * t) + 1e-3 * np.sin(31.0 * t)
    known = hs.haptics.LinearActuator(ROD.constant, creep=ROD.creep).calibrate(
        t, _current(t, free, 0.0 * t, random), free
    )
    even = np.arange(int(felt.t[-1] * RATE)) / RATE
    x, force = (np.interp(even, felt.t, column) for column in (felt.x, felt.force))
    deduced = known.sensor.force(even, _current(even, x, force, random), x)
    return Stroke(felt.t, felt.x, np.interp(felt.t, even, deduced))


def _current(t: np.ndarray, x: np.ndarray, force: np.ndarray, random: np.random.Generator) -> np.ndarray:
    v = np.gradient(x, t)
    return ROD.current_of(force, v, np.gradient(v, t)) + AMPERES * random.normal(size=len(t))


def prototype(felt: Stroke, share: float) -> np.ndarray:
    """The force that a finger feels at the prototype which is to give the force of the model, N, at 4 kHz.

    The coil is told what the model wants and a share of what the parts need, by a motion that is estimated
    from noisy sensors; the finger feels what the coil gives, and the parts.
    """
    rate = 4000.0
    t = np.arange(int(felt.t[-1] * rate)) / rate
    x, force = (np.interp(t, felt.t, column) for column in (felt.x, felt.force))
    v = np.gradient(x, t)
    a = np.gradient(v, t)
    random = np.random.default_rng(9)
    fused = hs.haptics.motion_filter(1.0 / rate, position=5e-6, velocity=3e-3, jerk=300.0)
    noisy = np.column_stack([x + 5e-6 * random.normal(size=len(t)), v + 3e-3 * random.normal(size=len(t))])
    _, speed, acceleration = fused.apply(t, noisy).T
    # the hand pushes down, the coil up: what the hand feels is against the motion
    plain, all_of_it = -force / PARTS.ratio, PARTS.command(-force, speed, acceleration)
    command = plain + share * (all_of_it - plain)
    given = np.ravel(COIL.stage(1.0 / rate).apply(t, np.column_stack([command, v * PARTS.ratio])))
    return -PARTS.felt(given, v, a)


def wanted(felt: Stroke) -> np.ndarray:
    """The force of the model at the times of `prototype`."""
    t = np.arange(int(felt.t[-1] * 4000.0)) / 4000.0
    return np.interp(t, felt.t, felt.force)


def _off(force: np.ndarray, felt: Stroke) -> float:
    return float(np.sqrt(np.mean((force - wanted(felt)) ** 2)))


def _shown(felt: Stroke, bare: np.ndarray, helped: np.ndarray) -> Plot:
    t = np.arange(len(bare)) / 4000.0
    forces = {"model": wanted(felt), "felt, not compensated": bare, "felt, compensated": helped}
    x = np.interp(t, felt.t, felt.x)
    return force_curves(
        "The prototype in a slow stroke", {n: Stroke(t, x, force) for n, force in forces.items()}
    )
