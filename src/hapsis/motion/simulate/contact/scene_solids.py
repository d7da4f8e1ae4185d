"""The solids of a scene in numbers: sizes, poses on their bodies, those that stay, and the table of pairs."""

from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.native import bound
from hapsis.mechanics.model.frames import rotation
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.motion.simulate.contact.contact_model import ContactModel, Numbers
from hapsis.motion.simulate.contact.touching_pairs import Structure
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.contact.geometry.hulls import set_hulls
from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    NAMES,
    SPHERE,
    Solids,
    bounding_radius,
)

FEW, MANY = 20, 3000  # pairs, below which all are looked at; solids, above which there is no table of pairs


def solids_of(found: Structure, numbers: Numbers) -> Solids:
    """All solids, with their sizes and what hulls and grounds are made of."""
    count = len(found.solids)
    kinds = np.array([NAMES.index(piece.kind) for piece in found.solids], np.int64)
    sizes = np.zeros((count, 3))
    for k, piece in enumerate(found.solids):
        if piece.shape is not None:
            lengths = [numbers.value(x) for x in piece.shape.dimensions.values()]
            sizes[k, : len(lengths)] = lengths
    bounds = [bounding_radius(int(kind), size) for kind, size in zip(kinds, sizes, strict=True)]
    fields = [k for k, piece in enumerate(found.solids) if isinstance(piece.shape, Heightfield)]
    surface = np.zeros(count, np.int64)
    surface[fields] = np.arange(len(fields))
    solids = Solids(
        count=count,
        kinds=kinds,
        sizes=sizes.ravel(),
        bounds=np.array(bounds),
        surface=surface,
        surfaces=[_ground(found.solids[k].shape) for k in fields],
    )
    shapes = enumerate(piece.shape for piece in found.solids)
    set_hulls(solids, {k: shape.hull for k, shape in shapes if isinstance(shape, Hull)})
    return solids


def half_thicknesses(solids: Solids) -> Any:
    """Half of the least width of each solid, m; 0 of points, segments and grounds."""
    half = np.zeros(int(solids.count))
    for k, size in enumerate(solids.sizes.reshape(-1, 3)):
        kind = int(solids.kinds[k])
        if kind in (SPHERE, CAPSULE):
            half[k] = size[0]
        elif kind == CYLINDER:
            half[k] = min(size[0], 0.5 * size[1])
        elif kind == BOX:
            half[k] = 0.5 * size.min()
        elif kind == ELLIPSOID:
            half[k] = size.min()
        elif kind == HULL:
            first, face = int(solids.corner_first[k]), int(solids.face_first[k])
            corners = solids.corners.reshape(-1, 3)[first : first + int(solids.corner_count[k])]
            normals = solids.face_normals.reshape(-1, 3)[face : face + int(solids.face_count[k])]
            half[k] = 0.5 * float(np.ptp(corners @ normals.T, axis=0).min())
    return half


def local_poses(found: Structure, numbers: Numbers) -> Any:
    """The pose of each solid on its body: R by rows, then p."""
    rows = np.zeros((len(found.solids), 12))
    for k, (_, frame) in enumerate(found.carriers):
        rows[k, :9] = np.array(rotation([numbers.value(x) for x in frame.rpy]), float).ravel()
        rows[k, 9:] = [numbers.value(x) for x in frame.at]
    return rows


def pair_table(found: Structure) -> dict[str, Any]:
    """The table of the pair of any two solids, where sweeping over them pays."""
    count, pairs = len(found.solids), found.pairs
    if len(pairs) < FEW or count > MANY:
        return {}
    table = np.full((count, count), -1, np.int64)
    for k, pair in enumerate(pairs):
        table[pair.first, pair.second] = table[pair.second, pair.first] = k
    return {"swept": True, "table_size": count * count, "pair_table": table.ravel()}


def place_still(scene: ContactScene, parts: ContactModel, found: Structure, numbers: Numbers) -> None:
    """Puts the solids of the world, and of bodies welded to it, in their places."""
    local = scene.local.reshape(-1, 12)
    poses = scene.solids.poses.reshape(-1, 12)
    for k, (body, _) in enumerate(found.carriers):
        if scene.solid_body[k] < 0:
            poses[k] = local[k] if body == "world" else _composed(_welded(parts, body, numbers), local[k])


def _ground(shape: Any) -> Any:
    """The Kernel (x, y, z, zx, zy) of a heightfield."""
    return bound(compile(shape.surface_function), vary=("x", "y", "z", "zx", "zy"))


def _welded(parts: ContactModel, body: str, numbers: Numbers) -> Any:
    """The pose of a body that cannot move, by the parameters of the run."""
    from hapsis.mechanics.formalisms.tree.kinematics import pose

    model = parts.smooth
    function = pose(model, body)
    numbers.read |= frozenset(function.parameters)
    given = {name: x for name, x in numbers.given.items() if name in function.parameters}
    p, R = compile(function)(np.zeros(len(model.coordinates)), p=given)
    return np.concatenate([np.ravel(R), p])


def _composed(outer: Any, inner: Any) -> Any:
    R, p = outer[:9].reshape(3, 3), outer[9:]
    return np.concatenate([(R @ inner[:9].reshape(3, 3)).ravel(), p + R @ inner[9:]])
