"""The verb `mate`: the Model of designed parts whose anchors coincide at joints."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.drawing.placement import Pose, frame_pose, motions
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.joints.joint import Joint, LoopJoint
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.values import AsVector
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.motion.analysis.assembly.parallel_anchors import in_one_plane, not_parallel, parallel_anchors
from hapsis.motion.analysis.assembly.recut import recut

AUTO = "auto"
MEETS = 1e-6  # m and rad: drawings are rounded
START = "start"


@verb
def mate(
    *facts: Any,
    ground: str | None = None,
    cut: str | Sequence[str] = AUTO,
    drawn: bool = False,
    near: Mapping[str, float] | None = None,
    independent: Sequence[str] = (),
    gravity: AsVector | None = None,
) -> Model:
    """The Model of components whose anchors coincide at joints, in open or closed chains.

        facts        hs.Component, {name: Component} as hs.load_cad returns it, joints between their anchors
                     such as hs.Revolute("A", "base.A", "crank.A"), and any other fact of a model
        ground       the component that is fixed to the world, in the coordinates of its drawing
        cut          the joints at which loops are cut; "auto" chooses them as hs.recut does
        drawn        whether all components are drawn in one place, as an assembly: the pose "start" is then
                     that of the drawing, and anchors that are drawn apart are an error
        near         guesses of coordinates, which choose how loops close; those that are independent get
                     their value. Loops are first closed at joints that are not named, where there are some
        independent  coordinates that lead the others, as of a Model; their joints are not cut
        gravity      m/s², as of a Model

    Axes that miss being parallel or at right angles in a part by less than 1e-5 rad are made so, and hinges
    that miss the plane of their loop by less than 1e-6 m are moved into it. A model with loops has the closed
    pose "start". Where the coordinates of a joint are zero its anchors
    coincide.
    """
    flat = list(_flat(facts))
    listed = [part for part in flat if isinstance(part, Component)]
    components = {part.name: part for part in listed}
    ordered = [fact for fact in flat if not isinstance(fact, Component)]
    if ground is not None:
        check_known(ground, components, "there is no component {}")
        ordered.insert(0, Weld(f"{ground}.ground", WORLD, ground))
    names = [cut] if isinstance(cut, str) else list(cut)
    joints = [fact for fact in ordered if isinstance(fact, Joint)]
    if names != [AUTO]:
        for name in names:
            check_known(name, [joint.name for joint in joints], "cut: there is no joint {}")
    ordered.sort(key=lambda fact: _turn(fact, names, (*independent, *(near or ()))))

    def made(parts: Mapping[str, Component]) -> Model:
        bodies = [parts[part.name].body for part in listed]
        return Model(*bodies, *ordered, gravity=gravity, independent=independent)

    model = made(straight := parallel_anchors(components, joints))
    if (level := in_one_plane(model, straight)) != straight:
        model = made(level)
    if drawn:
        model = model.replace(poses={**model.poses, START: _drawn_pose(model)})
    if not model.cuts and near:
        raise ModelError("near: no loop has to close", remedy="give it where the parts make a loop")
    if not model.cuts and names == [AUTO]:
        return model
    try:
        model = _closed(model, near or {})
    except SolveError as error:
        remedy = not_parallel(straight, joints) or error.remedy
        raise ModelError(
            f"the anchors cannot meet: {error.what}", expected=error.expected, remedy=remedy
        ) from None
    if names == [AUTO]:
        return recut(model)
    _check_cuts(model, names)
    return model


def _flat(facts: Any) -> Any:
    for fact in facts:
        if isinstance(fact, Mapping):
            yield from fact.values()
        elif isinstance(fact, list | tuple):
            yield from _flat(fact)
        else:
            yield fact


def _turn(fact: Any, cut: list[str], kept: Sequence[str]) -> int:
    """When a fact comes: joints whose coordinates are to be kept first, those to be cut last."""
    if not isinstance(fact, Joint):
        return 1
    return 2 if fact.name in cut else 1 - any(name in kept for name in fact.coordinates)


def _closed(model: Model, near: Mapping[str, float]) -> Model:
    """The model with a pose "start" that closes its loops."""
    for joint in model.cuts:
        for name in joint.coordinates:
            if name in near:
                raise ModelError(
                    f'near: "{name[:60]}" is no coordinate, as its joint closes a loop',
                    remedy="leave it out, or say with cut which joint closes the loop",
                )
    drawn = model.pose(START) if START in model.poses else {}
    given = {name: near.get(name, drawn.get(name, 0.0)) for name in model.independent}
    guesses = {name: x for name, x in near.items() if name not in given}
    state = assemble(model, given or None, near=guesses or None)
    start = dict(zip(model.coordinates, map(float, state.q), strict=True))
    return model.replace(poses={**model.poses, START: start})


def _check_cuts(model: Model, names: list[str]) -> None:
    """An error where a joint was to be cut and closes no loop, or where another one closes a loop."""
    made = [joint.name for joint in model.cuts]
    for name in names:
        if name not in made:
            raise ModelError(
                f'cut: the joint "{name[:60]}" closes no loop', expected=", ".join(made) or "none"
            )
    for name in made:
        if name not in names:
            raise ModelError(f'cut: the joint "{name[:60]}" closes a loop too', remedy="add it to cut")


def _drawn_pose(model: Model) -> dict[str, float]:
    """The coordinates at which all bodies are where they are drawn: their frames coincide."""
    start: dict[str, float] = {}
    cut = {joint.name for joint in model.cuts}
    for joint in model.joints.values():
        if not isinstance(joint, LoopJoint):
            raise joint.wrong(f"a {type(joint).__name__} does not mate anchors", remedy="use drawn=False")
        first, second = (frame_pose(model, model.frame(end)[1]) for end in (joint.first, joint.second))
        apart = first.inverse @ second
        values = joint.fit(apart.p, apart.R, lambda field, of=joint: model.value(getattr(of, field)))
        named = dict(zip(joint.coordinates, values, strict=True))
        _check_meeting(joint, motions(model, joint, named)[-1].inverse @ apart)
        start |= {} if joint.name in cut else named
    return start


def _check_meeting(joint: Joint, left: Pose) -> None:
    """An error where the motion of a joint does not lead from one anchor to the other."""
    distance, sine = float(np.linalg.norm(left.p)), float(np.linalg.norm(left.R - np.eye(3)) / np.sqrt(2))
    if distance > MEETS or sine > MEETS:
        angle = 2 * np.arcsin(min(1.0, sine / 2))
        raise joint.wrong(
            f'its anchors "{joint.first}" and "{joint.second}" cannot meet: they are drawn '
            f"{distance:.6g} m and {angle:.6g} rad apart",
            remedy="correct an anchor, or let mate move the parts with drawn=False",
        )
