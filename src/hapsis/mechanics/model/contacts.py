"""Contacts: which surfaces may touch, and by which laws."""

import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.laws import Law, with_readings
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import AsSide, Piece, Surface, pieces, side_of
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER, VECTOR

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

# firm, with the loss of wood on wood: half the speed comes back from an impact at 1 m/s
DEFAULT_LAW = HuntCrossley(stiffness=1e7, restitution=0.5)
NORMAL, SLIDING = ("gap", "rate"), ("normal", "slip")  # the inputs of the two laws
AsNormalLaw = Annotated[Any, "a law of (gap, rate)"]
AsFrictionLaw = Annotated[Any, "a law of (normal, slip), or Coulomb's mu"]


@verb
@frozen
class Contact(Fact, type_name="", noun="contact", family="contacts"):
    """Two sides that may touch.

        first, second  an end, which is a point; an hs.Surface; or (end, shape)
        law            force from (gap, rate), pushing where positive; HuntCrossley if not given
        friction       force (x, y, z) from (normal force, slip velocity); a number is Coulomb's mu
        mapped         whether contacts of its kind share one kernel, which is shorter code and more
                       operations; if not given, only where written out they would be too much code

    The gap is negative where the sides overlap, the normal points from the second to the first.
    """

    first: AsSide
    second: AsSide
    law: AsNormalLaw = None
    friction: AsFrictionLaw = None
    mapped: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for side in ("first", "second"):
            what = f"{self.label}: its {side} end"
            self._set(**{side: side_of(getattr(self, side), what, self.where)})
        if self.mapped not in (None, True, False):
            raise self.wrong(f"mapped is {described(self.mapped)}", expected="True, False or None")
        if isinstance(self.friction, int | float | str | Formula):
            self._set(friction=Coulomb(self.friction))
        for name, inputs in (("law", NORMAL), ("friction", SLIDING)):
            self._set(**{name: self._checked(name, inputs)})

    def _checked(self, name: str, inputs: tuple[str, ...]) -> Any:
        law = getattr(self, name)
        if law is not None and not callable(law):
            raise self.wrong(f"{name} must be a function, not {described(law)}")
        # the inputs of a function written in C are known only when it is called
        return self._law(law, name, inputs) if isinstance(law, _LAWS) else law

    def _law(self, law: Any, name: str, inputs: tuple[str, ...]) -> "Law | ContactLaw":
        checked = law if isinstance(law, Law | ContactLaw) else Law(law)
        checked = with_readings(checked, inputs) if isinstance(checked, Law) else checked
        if isinstance(checked, ContactLaw) and checked.inputs != inputs:
            raise self.wrong(f"{checked.label} is no {name}", remedy="exchange law and friction")
        if len(checked.inputs) != len(inputs):
            raise self.wrong(
                f"{checked.label} takes {len(checked.inputs)} inputs ({', '.join(checked.inputs)})",
                expected=f"{len(inputs)} for {name}: {', '.join(inputs)}; all others need defaults",
            )
        return checked

    @property
    def normal_law(self) -> "Law | ContactLaw":
        """The law of its force across the surfaces."""
        return DEFAULT_LAW if self.law is None else self._law(self.law, "law", NORMAL)

    @property
    def friction_law(self) -> "Law | ContactLaw | None":
        """The law of its force along the surfaces."""
        return None if self.friction is None else self._law(self.friction, "friction", SLIDING)

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"law": (NUMBER, NUMBER), "friction": (NUMBER, VECTOR)}

    @property
    def laws(self) -> list[ContactLaw]:
        """Its ready-made laws, whose fields are checked against their ranges."""
        return [law for law in (self.law, self.friction) if isinstance(law, ContactLaw)]

    @property
    def shapes(self) -> list[Shape]:
        """The shapes that the contact itself defines, besides those of its bodies."""
        sides = (self.first, self.second)
        return [side.shape for side in sides if isinstance(side, Surface) and side.shape]

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of its two sides."""
        sides = {"first": self.first, "second": self.second}
        return {n: s.on if isinstance(s, Surface) else s for n, s in sides.items()}

    def pairs(self, model: "Model", in_steps: bool = False) -> list[tuple[Piece, Piece]]:
        """Every piece of the first side with every one of the second; an error if two cannot touch.

        in_steps   as simulate(method="contact") finds contacts: between more kinds of shapes
        """
        from hapsis.mechanics.algebra.contact_geometry import solid_pairs

        can_touch = solid_pairs.can_touch_in_steps if in_steps else solid_pairs.can_touch
        firsts, seconds = (pieces(model, s, n) for s, n in ((self.first, "first"), (self.second, "second")))
        for a in firsts:
            for b in seconds:
                if not can_touch(a.kind, b.kind):
                    raise self.wrong(solid_pairs.impossible(a.kind, b.kind))
        return [(a, b) for a in firsts for b in seconds]


_LAWS = (types.FunctionType, types.MethodType, Law, ContactLaw)
