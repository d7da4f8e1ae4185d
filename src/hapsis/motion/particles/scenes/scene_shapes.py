"""Shapes of bodies and of the world that particles of a scene touch, as the memory of native code."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.native import bound
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.frames import rotation
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.shapes import Plane
from hapsis.mechanics.model.shapes.shapes import Shape as ShapeOfBody
from hapsis.mechanics.model.shapes.surfaces import Piece, Surface, pieces, side_of
from hapsis.motion.particles.scenes.anchor import WORLD
from hapsis.motion.particles.scenes.body_contact import BodyContact
from hapsis.motion.simulate.contact.contact_model import Numbers
from hapsis.motion.solvers.contact.geometry.solids import NAMES as SOLIDS
from hapsis.motion.solvers.contact.geometry.solids import UNBOUNDED, bounding_radius
from hapsis.motion.solvers.particles.bodies.model_memory import LAW, ModelMemory

KINDS = ("sphere", "box", "capsule", "cylinder", "plane", "heightfield")


class Shape(NamedTuple):
    """A shape that particles touch: its piece, the body and frame, the contact.

    carried   whether only particles that bodies carry touch it: a Floor, whose friction acts on those bodies
    """

    piece: Piece
    body: str
    frame: Any
    contact: BodyContact
    carried: bool = False


def touched_shapes(scene: Any, model: Model) -> list[Shape]:
    """All shapes of all contacts with bodies."""
    shapes: list[Shape] = []
    for contact in scene.body_contacts.values():
        owners = {**model.bodies, WORLD: model.world}
        sides = contact.bodies or [name for name, body in owners.items() if body.shapes]
        if not sides:
            raise ModelError("no body of the model has a shape", where=f'contact "{contact.name[:60]}"')
        for given in sides:
            if isinstance(given, ShapeOfBody):
                given = Surface(WORLD, given)
            side = side_of(given, f'contact "{contact.name[:60]}"')
            surface = side if isinstance(side, Surface) else Surface(side)
            for piece in pieces(model, surface, contact.name):
                if piece.kind not in KINDS:
                    raise ModelError(
                        f"particles cannot touch a {piece.kind} of {surface.on}",
                        where=f'contact "{contact.name[:60]}"',
                        expected=", ".join(KINDS),
                    )
                body, frame = model.frame(piece.end)
                shapes.append(Shape(piece, body, frame, contact))
    return shapes


def floor_shapes(scene: Any, model: Model) -> list[Shape]:
    """The floors whose friction acts on bodies where anchored particles touch them."""
    shapes: list[Shape] = []
    for name, floor in scene.floors.items():
        if floor.stiffness == 0.0 or floor.static == 0.0:
            continue
        law = (floor.stiffness, floor.damping, floor.friction, floor.static)
        contact = BodyContact(*law, pulls=floor.pulls, name=name)
        surface = Surface(WORLD, Plane(floor.normal, at=floor.at))
        for piece in pieces(model, surface, name):
            body, frame = model.frame(piece.end)
            shapes.append(Shape(piece, body, frame, contact, carried=True))
    return shapes


def scene_shapes(scene: Any, model: Any) -> tuple[Shape, ...]:
    """The shapes of a run in their order in its memory; `model` is its SceneModel, or None."""
    return model.shapes if model is not None else tuple(touched_shapes(scene, Model()))


def obstacle_memory(scene: Any, samples: int) -> ModelMemory:
    """The memory of shapes in the world, for a scene without a Model."""
    empty = Model()
    shapes = touched_shapes(scene, empty)
    memory = ModelMemory(
        size=1,
        piece_count=len(shapes),
        particle_count=scene.count,
        sample_count=samples,
        grounds=grounds(shapes),
    )
    memory.fixed_to[:] = -1
    fill_shapes(scene, shapes, Numbers(empty, None), memory, {})
    return memory


def grounds(shapes: Sequence[Shape]) -> list[Any]:
    """The Kernels of heightfields."""
    grounds: list[Any] = [each.piece.shape for each in shapes if isinstance(each.piece.shape, Heightfield)]
    return [bound(compile(ground.surface_function), vary=("x", "y", "z", "zx", "zy")) for ground in grounds]


def half_thickness(kind: str, size: Any) -> float:
    """Half of the least thickness of a bounded shape, m."""
    x, y, z = (float(each) for each in size)
    return {"sphere": x, "capsule": x, "cylinder": min(x, 0.5 * y), "box": 0.5 * min(x, y, z)}[kind]


def fill_shapes(
    scene: Any, shapes: Sequence[Shape], numbers: Numbers, memory: ModelMemory, number: dict[str, int]
) -> None:
    """Writes the shapes to the memory, and which particles touch them."""
    count = 0
    for k, (piece, body, frame, contact, carried) in enumerate(shapes):
        shape: Any = piece.shape
        size = np.zeros(3)
        lengths = [numbers.value(x) for x in shape.dimensions.values()]
        size[: len(lengths)] = lengths
        memory.piece_kind[k] = KINDS.index(piece.kind)
        memory.piece_body[k] = number.get(body, -1)
        memory.piece_size[3 * k : 3 * k + 3] = size
        R = np.array(rotation([numbers.value(x) for x in frame.rpy]), float)
        memory.piece_place[12 * k : 12 * k + 9] = R.ravel()
        memory.piece_place[12 * k + 9 : 12 * k + 12] = [numbers.value(x) for x in frame.at]
        memory.piece_law[LAW * k : LAW * k + LAW] = contact.law
        memory.piece_half[k] = (
            half_thickness(piece.kind, size) + contact.margin if piece.kind in KINDS[:4] else 0.0
        )
        memory.piece_reach[k] = min(bounding_radius(SOLIDS.index(piece.kind), size), UNBOUNDED)
        if isinstance(shape, Heightfield):
            memory.piece_surface[k], count = count, count + 1
        for name in contact.objects or scene.objects:
            check_known(name, scene.objects, f'contact "{contact.name[:60]}": the scene has no object {{}}')
            first = scene.first[name]
            for i in range(first, first + len(scene.objects[name])):
                own = int(memory.fixed_to[i]) >= 0 and int(memory.fixed_to[i]) == number.get(body, -1)
                memory.touches[k * scene.count + i] = int(memory.fixed_to[i] >= 0 if carried else not own)
