"""Tables of the elements and attributes of MJCF that are read, and notes on all others in a file."""

from collections import Counter

from hapsis.errors import near, one_line
from hapsis.mechanics.formats.mjcf.mjcf_defaults import TURNS
from hapsis.mechanics.formats.xml_fields import notes
from hapsis.mechanics.formats.xml_tree import Element

MOST_NAMED = 20  # of one kind
_PLACE = ("pos", *TURNS)
_EQUALITY = ("name", "class", "active")
_INSIDE = {name: name for name in ("geom", "site", "joint", "freejoint", "body", "frame")}

# {kind of element: {tag of a child that is read: its kind}}
CHILDREN: dict[str, dict[str, str]] = {
    "mujoco": {n: n for n in ("compiler", "option", "default", "asset", "worldbody", "equality", "keyframe")},
    "option": {"flag": "flag"},
    "default": {n: n for n in ("default", "geom", "site", "joint", "equality", "mesh", "material")}
    | {"equality": "default equality"},
    "asset": {n: n for n in ("mesh", "material", "texture")},
    "worldbody": {n: n for n in ("geom", "site", "body", "frame")},
    "body": {**_INSIDE, "inertial": "inertial"},
    "frame": _INSIDE,
    "equality": {"connect": "connect", "weld": "weld", "joint": "joint equality"},
    "keyframe": {"key": "key"},
}
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "mujoco": ("model",),
    "compiler": (
        "angle",
        "coordinate",
        "eulerseq",
        "autolimits",
        "inertiafromgeom",
        "inertiagrouprange",
        "settotalmass",
        "meshdir",
        "texturedir",
        "assetdir",
    ),
    "option": ("gravity",),
    "flag": ("gravity",),
    "default": ("class",),
    "default equality": ("active",),
    "worldbody": (),
    "body": ("name", "childclass", *_PLACE),
    "frame": ("name", "childclass", *_PLACE),
    "inertial": ("mass", "diaginertia", "fullinertia", *_PLACE),
    "joint": (
        "name",
        "class",
        "type",
        "pos",
        "axis",
        "range",
        "limited",
        "damping",
        "stiffness",
        "springref",
        "frictionloss",
        "armature",
        "ref",
    ),
    "freejoint": ("name",),
    "geom": (
        "name",
        "class",
        "type",
        "size",
        "fromto",
        "mass",
        "density",
        "group",
        "contype",
        "conaffinity",
        "mesh",
        "hfield",
        "rgba",
        "material",
        *_PLACE,
    ),
    "asset": (),
    "mesh": ("name", "class", "file", "scale", "refpos", "refquat"),
    "material": ("name", "class", "rgba", "texture"),
    "texture": ("name", "builtin", "rgb1", "rgb2", "type", "file", "width", "height"),
    "site": ("name", "class", "fromto", *_PLACE),
    "equality": (),
    "connect": (*_EQUALITY, "body1", "body2", "anchor", "site1", "site2"),
    "weld": (*_EQUALITY, "body1", "body2", "relpose", "anchor", "site1", "site2"),
    "joint equality": (*_EQUALITY, "joint1", "joint2", "polycoef"),
    "keyframe": (),
    "key": ("name", "qpos", "qvel"),
}
# names that MuJoCo uses and we ignore; any other name may be a typing error
OTHERS = set(
    "actuator sensor tendon contact asset visual statistic size custom extension deformable "
    "camera light composite flexcomp plugin attach replicate distance flex flexvert flexstrain "
    "timestep density viscosity wind magnetic impratio integrator cone jacobian solver iterations "
    "tolerance apirate o_margin o_solref o_solimp o_friction collision noslip_iterations "
    "boundmass boundinertia balanceinertia strippath fitaabb fusestatic discardvisual "
    "convexhull usethread exactmeshinertia alignfree saveinertial lengthrange "
    "mocap gravcomp user sleep group align margin solref solimp solreflimit solimplimit "
    "solreffriction solimpfriction solmix springdamper actuatorfrcrange actuatorfrclimited "
    "actuatorgravcomp condim priority friction shellinertia gap fitscale rgba material fluidshape "
    "fluidcoef size type torquescale tendon1 tendon2 time act ctrl mpos mquat motor position "
    "velocity general muscle cylinder damper intvelocity adhesion mesh pair energy "
    "hfield skin model inertia smoothnormal maxhullvert content_type vertex normal texcoord face "
    "texrepeat texuniform emission specular shininess reflectance metallic roughness mark markrgb random "
    "gridsize gridlayout hflip vflip nchannel colorspace fileright fileleft fileup filedown filefront "
    "fileback".split()
)


class LeftOut:
    """{kind of ignored part: names of the elements that have one}."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {}

    def add(self, kind: str, name: str) -> None:
        """Records that the named element has a part of that kind, which is ignored."""
        self.names.setdefault(kind, []).append(name)

    def notes(self, file: str) -> list[str]:
        """One note for each kind."""
        lines: list[str] = []
        for kind, names in sorted(self.names.items()):
            more = len(names) - MOST_NAMED
            shown = ", ".join(name[:60] for name in names[:MOST_NAMED])
            shown += f" and {more} more" if more > 0 else ""
            lines.append(one_line(f"{file}: ignored {len(names)} x {kind}: {shown}"))
        return lines


def ignored(root: Element) -> list[str]:
    """One note for each kind of element that is not read, and one for the attributes of each kind."""
    elements: Counter[tuple[str, str]] = Counter()
    inner: dict[str, Counter[str]] = {}
    attributes: dict[str, Counter[str]] = {}
    left = [(root, "mujoco")]
    while left:
        element, kind = left.pop()
        known = CHILDREN.get(kind, {})
        for child in element.children:
            if child.tag in known:
                left.append((child, known[child.tag]))
            else:
                elements[kind, child.tag] += 1
                if kind == "mujoco":
                    inner.setdefault(child.tag, Counter()).update(c.tag for c in child.children)
        unread = [n for n in element.attributes if n not in ATTRIBUTES[kind]]
        if unread:
            attributes.setdefault(kind, Counter()).update(unread)
    lines = [_line(kind, tag, n, inner) for (kind, tag), n in sorted(elements.items())]
    for kind, names in sorted(attributes.items()):
        shown = ", ".join(
            f'{n} x "{name[:60]}"{_hint(name, ATTRIBUTES[kind])}'
            for name, n in sorted(names.items())[:MOST_NAMED]
        )
        lines.append(f"attributes of <{kind}>: {shown}")
    return notes(root, lines)


def _line(kind: str, tag: str, count: int, inner: dict[str, Counter[str]]) -> str:
    parts = sorted(inner.get(tag, {}).items())[:MOST_NAMED] if kind == "mujoco" else []
    held = " with " + ", ".join(f"{n} x <{name[:60]}>" for name, n in parts) if parts else ""
    hint = _hint(tag, CHILDREN.get(kind, {}))
    return f"{count} x <{tag[:60]}> of <{kind}>{held}{hint}"


def _hint(name: str, known: object) -> str:
    return "" if name in OTHERS else near(name, list(known))  # type: ignore[call-overload]
