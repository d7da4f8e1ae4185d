"""A scene as MuJoCo reads it; where its parts are is part of the state, not of the text.

Groups of contacts: loose parts touch everything, others touch loose parts and the ground.
"""

from typing import Any

from hapsis.bench.contacts.contacts_scene import GRAVITY, Bumps, Part, Scene, Solid
from hapsis.mechanics.model.frames import angles

DEEP = 0.5  # m of uneven ground below its lowest point
# contype and conaffinity: two geoms touch where the one's type is in the other's affinity
LOOSE, FIXED, GROUND = (1, 3), (2, 1), (0, 3)


def mjcf(scene: Scene, option: str, geom: str = "") -> str:
    """The text; `option` and `geom` are attributes of all contacts' solver and shapes."""
    children: dict[str | None, list[Part]] = {}
    for part in scene.parts:
        children.setdefault(part.parent, []).append(part)
    bodies = "".join(_body(part, children) for part in children[None])
    ground, asset = _ground(scene)
    # the friction of a pair is the larger one of its two geoms; torsion and rolling take no part (condim 3)
    defaults = f'<default><geom condim="3" friction="{scene.friction} 0.005 0.0001" {geom}/></default>'
    return (
        f'<mujoco><compiler angle="radian" eulerseq="XYZ" autolimits="false"/>'
        f'<option gravity="0 0 {-GRAVITY}" {option}/>'
        f"{defaults}{asset}<worldbody>{ground}{bodies}</worldbody></mujoco>"
    )


def _body(part: Part, children: dict[str | None, list[Part]]) -> str:
    I = part.inertia
    full = _text((I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]))
    spring = f'stiffness="{part.stiffness!r}" damping="{part.damping!r}" springref="{part.hold!r}"'
    kind = "hinge" if part.kind == "revolute" else "slide"
    joint = f'<joint name="{part.name}" type="{kind}" axis="{_text(part.axis)}" {spring}/>'
    if part.kind == "free":
        joint = f'<freejoint name="{part.name}"/>'
    solids = "".join(_geom(solid, LOOSE if part.loose else FIXED) for solid in part.solids)
    below = "".join(_body(child, children) for child in children.get(part.name, []))
    inertial = f'<inertial pos="{_text(part.centre)}" mass="{part.mass!r}" fullinertia="{full}"/>'
    return f'<body name="{part.name}" {_place(part.place)}>{joint}{inertial}{solids}{below}</body>'


def _geom(solid: Solid, group: tuple[int, int]) -> str:
    size = [solid.size[0], *(x / 2 for x in solid.size[1:])]  # a capsule's half length, its radius as it is
    if solid.kind == "box":
        size[0] /= 2
    return f'<geom type="{solid.kind}" size="{_text(size)}" {_place(solid.place)} {_group(group)}/>'


def _ground(scene: Scene) -> tuple[str, str]:
    """The ground, and what is loaded for it; the heights are written into the model afterwards."""
    if not isinstance(scene.ground, Bumps):
        return f'<geom type="plane" size="5 5 0.1" pos="0 0 {scene.ground!r}" {_group(GROUND)}/>', ""
    H, step = scene.ground.heights, scene.ground.step
    rows, columns = H.shape[1], H.shape[0]
    x, y = (scene.ground.start + 0.5 * step * (n - 1) for n in H.shape)
    size = _text((0.5 * step * (columns - 1), 0.5 * step * (rows - 1), float(H.max() - H.min()), DEEP))
    asset = f'<asset><hfield name="ground" nrow="{rows}" ncol="{columns}" size="{size}"/></asset>'
    at = _text((x, y, float(H.min())))
    return f'<geom type="hfield" hfield="ground" pos="{at}" {_group(GROUND)}/>', asset


def with_heights(model: Any, scene: Scene) -> Any:
    """The model with its ground's heights: rows along y, scaled from 0 to 1."""
    if isinstance(scene.ground, Bumps):
        H = scene.ground.heights
        model.hfield_data[:] = ((H - H.min()) / (H.max() - H.min())).T.ravel()
    return model


def _group(group: tuple[int, int]) -> str:
    return f'contype="{group[0]}" conaffinity="{group[1]}"'


def _place(place: Any) -> str:
    # capital letters: about fixed axes, x first, which is Rz Ry Rx
    return f'pos="{_text(place[:3, 3])}" euler="{_text(angles(place[:3, :3].tolist()))}"'


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)
