"""Keys of other instruments, under the same finger: an organ's and a harpsichord's."""

from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import exp, maximum
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.key_motion import AsKey, moved, rest_of
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.numbers import real

MM = 1e-3
ARM = -d.FINGER[0] * MM  # m, of the finger about the balance point
KEY_MASS, KEY_INERTIA = 0.080, 1.2e-3  # kg, and about the balance point kg m²: no leads
DIP = 9.0 * MM
REST = hs.HuntCrossley(3e5, power=1.5, damping=0.5)
BED = hs.HuntCrossley(4e10, power=3.0, damping=2.0)

# the harpsichord's jack stands on the key's rear end; its plectrum reaches under the string
JACK_AT, JACK_MASS = 0.180, 0.009  # m behind the balance point, kg
TONGUE_AT = 0.060  # m above the foot of the jack
PLECTRUM, REACH = 6.0 * MM, 5.7 * MM  # its length, and where along it the string lies
TONGUE_MASS, TONGUE_INERTIA = 0.6e-3, 2e-8  # kg, kg m²
BENDING, RETURN = 0.016, 3e-4  # N m/rad: the plectrum bends down, the tongue turns up
PLECTRUM_DAMPING = 2e-6  # N m s/rad
STRING_RADIUS = 0.15 * MM
STRING = hs.HuntCrossley(2e6, power=1.5, damping=0.5)


@verb
def organ_key(
    key: AsKey = "position", spring: float = 40.0, preload: float = 0.7, pluck: float = 0.5
) -> hs.Model:
    """The key of a tracker organ: a spring, and wind that holds the pallet shut until it opens.

        key      what moves it, as for `grand_action`
        spring   N/m at the finger
        preload  N at the finger
        pluck    N at the finger: the wind's part, which goes within a millimetre; 0 is an electric organ

    The force falls as the pallet opens: that is the point at which an organ key is felt to speak.
    """
    given = {"spring": spring, "preload": preload, "pluck": pluck}
    for name, x in given.items():
        if real(x, f"organ_key: {name}") < 0.0:
            raise hs.ModelError(f"organ_key: {name} is {x:g}", expected="zero or more")
    speaks = 0.35 * MM  # m: the wind's force falls to a third within this travel

    def pallet(position: Any, speed: Any) -> Any:
        x = ARM * maximum(position, 0.0)
        return -ARM * (preload + spring * x + pluck * exp(-x / speaks))

    facts = [*_key(), hs.JointForce("pallet", "key", pallet), *moved(key, (-ARM, 0.0))]
    start = {"key": 0.0, **rest_of(key)}
    return hs.Model(*facts, gravity=(0.0, -d.GRAVITY, 0.0), poses={"start": start})


@verb
def harpsichord_key(key: AsKey = "position") -> hs.Model:
    """The key of a harpsichord: a jack whose plectrum bends under the string until it slips off.

    On the way back the tongue that holds the plectrum turns aside and lets it pass below the string again.
    `key` is as for `grand_action`. Values are our own: a pluck of about 0.8 N at 5 mm.
    """
    string_height = TONGUE_AT + 2.6 * MM

    def tongue(position: Any, speed: Any) -> Any:
        bent, turned = maximum(-position, 0.0), maximum(position, 0.0)
        return BENDING * bent - RETURN * turned - PLECTRUM_DAMPING * speed

    plectrum = hs.Segment.between((0.0, 0.0, 0.0), (PLECTRUM, 0.0, 0.0))
    facts = [
        *_key(),
        hs.Body("jack", JACK_MASS),
        hs.Prismatic("jack", hs.WORLD.at(JACK_AT, 0.0, 0.0), "jack", axis="y"),
        hs.Body("tongue", TONGUE_MASS, (1e-3, 0.0, 0.0), (TONGUE_INERTIA,) * 3),
        hs.Revolute("tongue", hs.End("jack", hs.Frame((0.0, TONGUE_AT, 0.0))), "tongue", axis="z"),
        hs.JointForce("plectrum", "tongue", tongue),
        hs.Stop("tongue_stop", "tongue", 0.05, 1e-5, high=1.0),
        hs.Contact("foot", "jack", (hs.End("key", hs.Frame((JACK_AT, 0.0, 0.0))), hs.Plane("y")), REST),
        hs.Contact(
            "string",
            ("tongue", plectrum),
            (hs.WORLD.at(JACK_AT + REACH, string_height, 0.0), hs.Sphere(STRING_RADIUS)),
            STRING,
            hs.Coulomb(0.1, speed=4e-3, slope=5.0),
        ),
        *moved(key, (-ARM, 0.0)),
    ]
    start = {"key": 0.0, "jack": 0.0, "tongue": 0.0, **rest_of(key)}
    return hs.Model(*facts, gravity=(0.0, -d.GRAVITY, 0.0), poses={"start": start})


def _key() -> list[Fact]:
    """A key lever on its balance point, between the felt under its front and that under its rear end."""
    x, y = d.FINGER
    ends = {"finger": (x * MM, y * MM, 0.0), "end": (-x * MM, 0.0, 0.0)}
    return [
        hs.Body("key", KEY_MASS, (0.01, 0.0, 0.0), (KEY_INERTIA,) * 3, ends),
        hs.Revolute("key", hs.WORLD, "key", axis="z"),
        hs.Friction("key_friction", "key", coulomb=0.008, smooth=0.004),
        hs.Contact("bed", "key.finger", (hs.WORLD.at(0.0, -DIP, 0.0), hs.Plane("y")), BED),
        hs.Contact("back_rail", "key.end", (hs.WORLD.at(0.0, d.BACK_RAIL * MM, 0.0), hs.Plane("y")), REST),
    ]
