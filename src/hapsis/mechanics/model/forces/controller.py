"""A controller: efforts computed from what the mechanism does."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import near
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.forces.user_law import law_of, one_number
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.traced_function import READINGS


@verb
@frozen
class Controller(Force, type_name="controller", noun="controller"):
    """Efforts on coordinates by law(s) -> {coordinate: effort}, s["elbow"], s["elbow.v"], s.t.

    It reads by name what the state determines: coordinates, speeds, frames ("hand.tip.x"), sensors, and the
    signals of other forces and of contacts ("floor.force").
    Without a rate the law is traced and becomes part of the equations, numbers with defaults as
    parameters and `hs.LawState`s as states. With a rate (Hz) it is called with numbers that often,
    and its efforts, named in `efforts`, are held in between: any Python code will do.
    Signals: NAME.COORDINATE, the efforts.
    """

    law: Any
    rate: Any = None
    efforts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        efforts = (self.efforts,) if isinstance(self.efforts, str) else tuple(self.efforts)
        self._set(efforts=efforts)
        if self.rate is None:
            self._set(law=law_of(self.law, f"{self.label}: law", ("s",), self.where))
            return
        if not callable(self.law):
            raise self.wrong(f"law must be a function, not {described(self.law)}")
        self._set(rate=real(self.rate, f"{self.label}: rate"))
        if not self.rate > 0.0:
            raise self.wrong(f"rate must be positive, not {self.rate:g}")
        if not efforts:
            raise self.wrong(
                "a sampled controller must say which efforts it gives", remedy='efforts=("elbow", ...)'
            )

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {} if self.rate is not None else {"law": (READINGS,)}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it is known to act on."""
        return {f"efforts.{k}": name for k, name in enumerate(self.efforts)}

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Raises an error: the names inside a Python function cannot be changed."""
        raise self.wrong(
            "its law names coordinates in Python, so that it cannot get a prefix",
            remedy="add it to the whole model",
        )

    def act(self, scene: Scene) -> None:
        """Adds its efforts to its coordinates."""
        if self.rate is not None:
            efforts = {name: scene.held(name) for name in self.efforts}
        else:
            efforts = scene.obey(self.law, scene.readings)
            for effort in self.checked(efforts).values():
                one_number(self, self.law, effort)
        for name, effort in self.checked(efforts).items():
            scene.effort(name, effort)
            scene.signal(name, effort)

    def checked(self, efforts: Any) -> Mapping[str, Any]:
        """{coordinate: effort} as the law gave it; an error if it is not that."""
        if not isinstance(efforts, Mapping):
            raise self.wrong(f"its law must give {{coordinate: effort}}, not {described(efforts)}")
        for name in efforts:
            if self.efforts and name not in self.efforts:
                raise self.wrong(
                    f'its law gives an effort on "{str(name)[:60]}"{near(str(name), self.efforts)}',
                    expected=", ".join(self.efforts),
                )
        return efforts
