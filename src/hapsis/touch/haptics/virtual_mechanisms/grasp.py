"""The verb `grasp`: a virtual mechanism in a hand, one tick as a Function.

Reference: [Nahvi], equations 8 to 14, which have one loop at most, for mechanisms that the hand prescribes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described
from hapsis.touch.haptics.conditioning.stage import positive, whole
from hapsis.touch.haptics.virtual_mechanisms.admittance_tick import AdmittanceTick
from hapsis.touch.haptics.virtual_mechanisms.coordinate_limits import limits_of
from hapsis.touch.haptics.virtual_mechanisms.coupled_model import COUPLING, CoupledHand, CoupledModel
from hapsis.touch.haptics.virtual_mechanisms.coupled_tick import CoupledTick
from hapsis.touch.haptics.virtual_mechanisms.grasp_tick import Coupling, GraspTick
from hapsis.touch.haptics.virtual_mechanisms.gripper import Gripper
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HAND, HandArm
from hapsis.touch.haptics.virtual_mechanisms.hand_rates import HandRates
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism
from hapsis.touch.haptics.virtual_mechanisms.nearest_motion import SMALLEST
from hapsis.touch.haptics.virtual_mechanisms.tick_parts import TickParts
from hapsis.touch.realtime.device import CAUSALITIES
from hapsis.touch.realtime.guard_settings import TOGETHER

MOST_ITERATIONS = 20
FREQUENCY, PART = 100.0, 0.04  # Hz, and of the rate: a low-pass that is faster needs heavier hands
RIGID, SPRING = "rigid", "spring"
COUPLINGS = (RIGID, SPRING)


@verb
def grasp(
    model: Model,
    frame: str | Mapping[str, str],
    dt: float,
    *,
    kind: str = "full",
    coupling: str | None = None,
    stiffness: float = 1000.0,
    damping: float = 2.0,
    length: float | None = None,
    weights: Iterable[float] | None = None,
    iterations: int = 3,
    measured: str = "position",
    frequency: float | None = None,
    max_force: float = 100.0,
    start: Mapping[str, float] | None = None,
    near: Mapping[str, float] | None = None,
    arm: Model | Mapping[str, Model] | None = None,
    arm_frame: str | Mapping[str, str] | None = None,
    arm_start: Mapping[str, Any] | None = None,
    gripper: Gripper | None = None,
    causality: str = "impedance",
    reactions: Iterable[str] = (),
) -> Function:
    """(q, z, t, hand) -> q, z, t, efforts, outputs: one tick of a mechanism that a hand holds by a frame.

    frame       that the hand holds; of several hands {hand: frame}, which are coupled by springs: what is
                told of each begins with its name, and so do its axes; arms then are {hand: arm}, too
    kind        "full": position and axes are held; "point": the position alone, and no moment is felt
    coupling    "rigid": the hand leads the mechanism, and the spring acts where it cannot follow; all
                coordinates must be prescribed. "spring": the spring pulls a mechanism that is integrated,
                so that links may flop. By default rigid where that is possible, nothing sticks and no
                joint has limits
    dt          s, of a tick
    stiffness   N/m, of the spring that pulls the hand to where the mechanism can be; N m/rad: times length²
    damping     N s/m, of the motion that the mechanism cannot follow; N m s/rad: times length²
    length      m that count like a radian in distances and wrenches; by default the lever of the frame
    weights     of the directions in the axes of the world: 3 of turns (full only), then 3 of positions
    iterations  Newton's steps in a tick; the first begins at the pose of the last tick
    measured    the highest of "position", "velocity", "acceleration" that is given of the hand. Higher
                ones are estimated behind a low-pass of `frequency`, Hz: by default 100, or a 25th of the
                rate where that is less
    max_force   N; a larger wrench is made shorter. Moments count over the length
    start, near as `given` and `near` of `assemble`
    arm         the model of the device, held at its frame `arm_frame`: the inputs are its coordinates, and
                its motors hold its weight too. Without it: three slides, and for a full grasp three gimbals
    arm_start   coordinates of the arm at the start; without them they are searched for
    gripper     a Gripper, whose fingers begin and end the grasp; the mechanism moves by itself before, so
                the coupling is a spring. Its fingers are axes of the device behind those of the arm
    causality   "impedance": motion in, force out; "admittance": the device measures the force of the hand,
                the mechanism moves under it, and the device is put to the frame: inputs are NAME.force,
                outputs begin with NAME.position; there is no coupling, and no arm
    reactions   names of joints and constraints whose wrench is an output too: what bearings carry

    Inputs are NAME.position of each coordinate of the arm (hand.Tx, hand.Ty, ... without one), and so on.
    Outputs are numbers: first NAME.effort of each coordinate of the arm, as the motors must give it; then

        wrench, dynamic, constraint   .mx .my .mz .fx .fy .fz of the hand on the mechanism, about the origin
                                      of the frame, in the axes of the world; the first is the sum
        violation                     .rx .ry .rz .x .y .z: the hand less the frame
        NAME, NAME.v, NAME.a          coordinates, speeds, accelerations of the mechanism
        NAME.reaction                 .mx to .fz of the first end on the second, as in a Result
        gap                           the largest rest of a loop
        regularity                    small near a singular pose; below 1e-4 speeds and forces are damped
        share                         less than 1 where the wrench was made shorter
        lag                           rad, what gimbals of "admittance" are behind the frame: 0 but where the
                                      outer and the inner one are almost in line

    A grasp that leaves coordinates free, or that starts near a singular pose, is refused; `grasp_report`
    tells what a grasp prescribes.
    """
    dt = positive(dt, "dt")
    iterations = whole(iterations, "iterations", 1, MOST_ITERATIONS)
    pair = Coupling(
        positive(stiffness, "stiffness", zero=True),
        positive(damping, "damping", zero=True),
        positive(max_force, "max_force"),
    )
    several = isinstance(frame, Mapping)
    frames = dict(frame) if isinstance(frame, Mapping) else {"": frame}
    for name in frames if several else ():
        if not isinstance(name, str) or not name or "." in name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"a hand is called {described(name)}", expected="a text without a dot")
    if not frames:
        raise ModelError("no hand holds anything", expected="a frame, or {hand: frame}")
    helds = {n: HeldMechanism(model, f, kind, length, weights, start, near) for n, f in frames.items()}
    given = {"arm": arm, "arm_frame": arm_frame, "arm_start": arm_start}
    arms = {
        name: HandArm(held, *_of_hand(given, name, [*frames] if several else None), name or HAND)
        for name, held in helds.items()
    }
    (held, *_), (hand, *_) = helds.values(), arms.values()
    check_known(causality, CAUSALITIES, "there is no causality {}", expected=" or ".join(CAUSALITIES))
    admits = causality == "admittance"
    if admits:
        _check_admittance(
            {"coupling": coupling, "gripper": gripper, "arm": arm, "several hands": several or None}
        )
    else:
        coupling = _coupling(held, coupling, gripper, several)
    frequency = min(FREQUENCY, PART / dt) if frequency is None else positive(frequency, "frequency")
    names = tuple(dict.fromkeys([reactions] if isinstance(reactions, str) else reactions))
    for name in names:
        check_known(name, (*model.joints, *model.constraints), "there is no joint {} in the mechanism")
    if admits:
        step = AdmittanceTick(held, hand, pair.most, dt).function(names)
    elif coupling == SPRING:
        springs = {n: f"{COUPLING} of {n}" if n else COUPLING for n in frames}
        hands = [CoupledHand(helds[n], arms[n], springs[n], f"{n}." if n else "") for n in frames]
        coupled = CoupledModel(hands, *pair, grips=gripper is not None)
        step = CoupledTick(coupled, measured, dt, gripper).function(names)
    else:
        rates = HandRates(measured, dt, frequency, len(hand.names))
        step = GraspTick(held, hand, rates, pair, dt, iterations).function(names)
        _check_regular(step, held.frame, held.length)
    notes = [
        f"{kind} grasp of {each.frame}: {each.report()}; a radian counts like {each.length:.4g} m"
        for each in helds.values()
    ]
    pairs = tuple((helds[n], arms[n]) for n in frames)
    if not admits:
        # a mechanism passes energy from one axis of the hand to another
        step.options = {"dt": dt, "parts": TickParts(model, pairs), "passive": TOGETHER}
    step.notes = (*notes, causality if admits else f"coupling: {coupling}", *step.notes)
    return step


def _check_admittance(given: Mapping[str, Any]) -> None:
    """Refuses what a device of admittance has no part in."""
    for name, value in given.items():
        if value is not None:
            raise ModelError(
                f"a grasp of admittance has no {name}",
                remedy='leave it out, or give causality="impedance"; hs.haptics.Mapped gives an arm a frame',
            )


def _of_hand(given: Mapping[str, Any], name: str, hands: Sequence[str] | None) -> tuple[Any, Any, Any]:
    """What is given for one hand, of several by its name."""
    values: list[Any] = []
    for what, value in given.items():
        if hands is None or value is None:
            values.append(value)
            continue
        if not isinstance(value, Mapping):
            raise ModelError(f"{what} is one for several hands", expected=f"{{hand: {what}}}")
        for one in value:
            check_known(one, hands, "there is no hand {}")
        values.append(value.get(name))
    return values[0], values[1], values[2]


def _coupling(held: HeldMechanism, coupling: Any, gripper: Any, several: bool) -> str:
    """How hand and mechanism are coupled: as asked, or as is possible."""
    if gripper is not None and not isinstance(gripper, Gripper):
        raise ModelError(f"gripper is {described(gripper)}", expected="an hs.haptics.Gripper")
    if gripper is not None and several:
        raise ModelError("a gripper belongs to one hand, and there are several")
    if coupling is not None:
        check_known(coupling, COUPLINGS, "there is no coupling {}", expected=" or ".join(COUPLINGS))
    if coupling == RIGID:
        if several:
            raise ModelError("several hands hold by springs", remedy="leave coupling out")
        if gripper is not None:
            raise ModelError(
                "a mechanism that a gripper may let go moves by itself then",
                remedy='give coupling="spring", or leave it out',
            )
        if held.states:
            raise ModelError(
                "laws of the mechanism have states, which a rigid coupling does not integrate",
                remedy='give coupling="spring", or hs.Friction(..., smooth=...), which has none',
            )
        held.check_prescribed()
    if coupling is None:
        plain = gripper is None and not several and not held.states and not limits_of(held.model)
        return RIGID if plain and held.report().prescribed else SPRING
    return str(coupling)


def _check_regular(step: Function, frame: str, length: float) -> None:
    """Refuses a start that is so near to a singular pose that speeds and forces are damped there."""
    only = Function.of("start", step.graph, step.inputs, [step.output("regularity")])
    (value,) = np.ravel(compile(only, "python")(**{port.name: port.stand_in for port in step.inputs}))
    if not value >= SMALLEST:
        raise ModelError(
            f'the grasp of "{frame}" is nearly singular at the start: regularity {value:.2g}',
            expected=f"{SMALLEST:g} at least",
            remedy=f"start in another pose, or give a length that is less than {length:.3g} m",
        )
