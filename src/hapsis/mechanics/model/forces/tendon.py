"""A tendon: a cord that passes several joints, each at a lever arm."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue, Table, value_of


@verb
@frozen
class Tendon(Force, type_name="tendon", noun="tendon", not_negative=("stiffness", "damping")):
    """A cord over pulleys: `arms` gives the lever arm at each coordinate it passes.

    Its stretch is s = Σ arm q - length, its tension k s + c ṡ with `stiffness` k (N/m)
    and `damping` c (N s/m), and the effort on a coordinate is
    -arm times the tension. With `slack` the tension is zero for s <= 0 and never negative.
    Signals: NAME.force (tension), NAME.stretch.
    """

    arms: Mapping[str, AsValue]
    stiffness: AsValue
    damping: AsValue = 0.0
    length: AsValue = 0.0
    slack: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.arms, Mapping) or not self.arms:  # pyright: ignore
            raise self.wrong(f"arms must be {{coordinate: arm}}, not {described(self.arms)}")
        self._make_values("stiffness", "damping", "length")
        arms = {
            name: value_of(arm, f'{self.label}: arm at "{str(name)[:60]}"', self.where)
            for name, arm in self.arms.items()
        }
        self._set(arms=Table(arms), slack=bool(self.slack))

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it passes."""
        return {f"arms.{k}": name for k, name in enumerate(self.arms)}

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Its arms, under the names of coordinates with the prefix."""
        arms = changed.get("arms", self.arms)
        return {"arms": {f"{prefix}.{name}": arm for name, arm in arms.items()}}

    def act(self, scene: Scene) -> None:
        """Applies the effort -arm times the tension to each coordinate."""
        arms = dict(zip(self.arms, scene.numbers("arms", list(self.arms)), strict=True))
        k, c = scene.number("stiffness"), scene.number("damping")
        stretch: Any = -scene.number("length")
        rate: Any = 0.0
        for name, arm in arms.items():
            q, v = scene.coordinate(name)
            stretch, rate = stretch + arm * q, rate + arm * v
        scene.signal("stretch", stretch)
        if self.slack:
            taut = stretch > 0.0
            stretch = maximum(stretch, 0.0)
            tension = maximum(k * stretch + c * rate * taut, 0.0)
        else:
            tension = k * stretch + c * rate
        for name, arm in arms.items():
            scene.effort(name, -(arm * tension))
        scene.signal("force", tension)
        scene.store(0.5 * k * stretch * stretch, (tension - k * stretch) * rate)
