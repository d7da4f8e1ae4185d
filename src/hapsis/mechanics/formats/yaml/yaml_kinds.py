"""The kinds of facts in our YAML, as a table: a new one is one line here.

The keys of a fact are the names of its fields.
"""

from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_contacts import friction, law, side
from hapsis.mechanics.formats.yaml.yaml_fields import Read, end, value, word
from hapsis.mechanics.model.constraints.constraints import Distance, Gear, Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.bushing import Bushing
from hapsis.mechanics.model.forces.friction import Friction
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.forces.tendon import Tendon
from hapsis.mechanics.model.forces.wrench import Wrench
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.chain import Chain
from hapsis.mechanics.model.joints.cylindrical import Cylindrical
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.helical import Helical
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.universal import Universal
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.sensors import ON_ENDS, ON_JOINTS, Sensor

Keys = dict[str, Read]
Kind = tuple[type[Fact], Keys, tuple[str, ...]]  # a class, its keys, those it needs

_ENDS: Keys = {"first": end, "second": end}
_PAIR = ("first", "second")
_JOINT: Keys = {"joint": word}
_MOTION: Keys = {
    "limits": read.limits,
    "armature": value,
    "damping": value,
    "friction": value,
    "max_speed": value,
    "max_effort": value,
}


def _values(*names: str) -> Keys:
    return dict.fromkeys(names, value)


# {section: {type: kind}}; a section whose facts have one type only has it under ""
KINDS: dict[str, dict[str, Kind]] = {
    "joints": {
        name: (cls, _ENDS | own | _MOTION, (*_PAIR, *needed))
        for name, cls, own, needed in (
            ("revolute", Revolute, {"axis": read.axis}, ()),
            ("prismatic", Prismatic, {"axis": read.axis}, ()),
            ("helical", Helical, {"axis": read.axis, "pitch": value}, ("pitch",)),
            ("cylindrical", Cylindrical, {"axis": read.axis}, ()),
            ("universal", Universal, {"axes": read.axes}, ()),
            ("planar", Planar, {"normal": word}, ()),
            ("chain", Chain, {"sequence": word}, ("sequence",)),
            ("ball", Ball, {}, ()),
            ("free", Free, {}, ()),
            ("weld", Weld, {}, ()),
        )
    },
    "constraints": {
        "distance": (Distance, _ENDS | _values("length"), (*_PAIR, "length")),
        "rolling": (Rolling, _ENDS | _values("radius") | {"axis": read.axis_or_none}, (*_PAIR, "radius")),
        "gear": (Gear, {"first": word, "second": word, **_values("ratio", "offset")}, (*_PAIR, "ratio")),
    },
    "forces": {
        name: (cls, place | own, needed)
        for name, cls, place, own, needed in (
            ("spring", Spring, _ENDS, _values("stiffness", "damping", "length"), (*_PAIR, "stiffness")),
            (
                "joint_spring",
                JointSpring,
                _JOINT,
                _values("stiffness", "damping", "rest"),
                ("joint", "stiffness"),
            ),
            (
                "friction",
                Friction,
                _JOINT,
                _values("coulomb", "static", "viscous", "stribeck", "stick"),
                ("joint", "coulomb"),
            ),
            ("stop", Stop, _JOINT, _values("stiffness", "damping", "low", "high"), ("joint", "stiffness")),
            ("bushing", Bushing, _ENDS, {"stiffness": read.six, "damping": read.six}, (*_PAIR, "stiffness")),
            (
                "wrench",
                Wrench,
                {"on": end},
                {"force": read.vector, "moment": read.vector, "axes": word},
                ("on",),
            ),
            (
                "tendon",
                Tendon,
                {"arms": read.table},
                {**_values("stiffness", "damping", "length"), "slack": read.truth},
                ("arms", "stiffness"),
            ),
        )
    },
    "contacts": {"": (Contact, {"first": side, "second": side, "law": law, "friction": friction}, _PAIR)},
    "drives": {"": (Drive, _JOINT | _values("position", "velocity", "acceleration", "tracking"), ("joint",))},
    "sensors": {
        **{name: (Sensor, {"on": end}, ("on",)) for name in ON_ENDS},
        **{name: (Sensor, {"on": word}, ("on",)) for name in ON_JOINTS},
    },
}

# types whose facts are Python code, which no file can hold
PYTHON: dict[str, tuple[str, ...]] = {
    "constraints": ("constraint", "on_surface", "on_curve"),
    "forces": ("link", "joint_force", "controller"),
}
