"""Facts from nested lists, models and parts in one flat list, with the settings of those models and parts."""

from collections.abc import Iterable, Mapping
from typing import Any

from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.page.page import Page
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import NOTHING, Value, value_of

DEEPEST = 20  # lists in lists
Poses = Mapping[str, Mapping[str, Value]]


@frozen
class Part:
    """Facts for a larger model, with their parameters, poses and independent coordinates.

    Its ends may be on bodies that only the larger model has: `hs.Model(torso, part)`.
    """

    facts: tuple[Fact, ...]
    parameters: Mapping[str, float] = NOTHING
    poses: Poses = NOTHING
    independent: tuple[str, ...] = ()
    page: Page | None = None


class Flattened:
    """The arguments of a Model as a flat list; two parts that give a name different values are a problem."""

    def __init__(self, items: Iterable[Any], problems: Problems) -> None:
        self.facts: list[Fact] = []
        self.gravity: Any = None
        self.parameters: dict[str, float] = {}
        self.poses: dict[str, dict[str, Value]] = {}
        self.independent: list[str] = []
        self.page: Page | None = None
        self.problems = problems
        self._take(items, 0)

    def _take(self, items: Iterable[Any], depth: int) -> None:
        if depth > DEEPEST:
            raise ModelError(f"facts are in lists nested more than {DEEPEST} deep")
        for item in items:
            if isinstance(item, Fact):
                self.facts.append(item)
            elif hasattr(item, "facts") and hasattr(item, "poses"):  # a Model or a Part
                self._take_part(item)
            elif isinstance(item, list | tuple):
                self._take(item, depth + 1)
            else:
                raise ModelError(f"a Model is made of facts such as hs.Body, not of {described(item)}")

    def _take_part(self, part: Any) -> None:
        self.facts.extend(part.facts)
        if self.gravity is None:
            self.gravity = getattr(part, "gravity", None)
        self._merge(self.parameters, part.parameters, "parameter")
        for name, pose in part.poses.items():
            self._merge(self.poses.setdefault(name, {}), pose, f'pose "{name[:60]}": coordinate')
        self.independent.extend(n for n in part.independent if n not in self.independent)
        page: Page | None = getattr(part, "page", None)
        self.page = page if self.page is None else self.page.merged(page)

    def _merge(self, into: dict[str, Any], values: Mapping[str, Any], what: str) -> None:
        for name, value in values.items():
            if into.setdefault(name, value) != value:
                self.problems.add(
                    f'{what} "{name[:60]}" has two values, {into[name]} and {value}; '
                    "give one of the parts a prefix"
                )


def parameters_of(parameters: Any) -> dict[str, float]:
    """{name: number} in the form that a Model stores."""
    if not isinstance(parameters, Mapping):
        raise ModelError(f"parameters must be {{name: number}}, not {described(parameters)}")
    return {_name(n, "parameter"): real(v, f'parameter "{n}"') for n, v in parameters.items()}


def poses_of(poses: Any) -> dict[str, dict[str, Value]]:
    """{pose: {coordinate: value}} in the form that a Model stores."""
    if not isinstance(poses, Mapping) or not all(isinstance(p, Mapping) for p in poses.values()):
        raise ModelError(f"poses must be {{name: {{coordinate: value}}}}, not {described(poses)}")
    return {
        _name(name, "pose"): {
            _name(c, "coordinate"): value_of(v, f'pose "{name}": {c}') for c, v in pose.items()
        }
        for name, pose in poses.items()
    }


def names_of(names: Any) -> tuple[str, ...]:
    """Names of coordinates as a tuple; a single one may be given as a text."""
    names = (names,) if isinstance(names, str) else names
    if not isinstance(names, list | tuple):
        raise ModelError(f"independent must be names of coordinates, not {described(names)}")
    return tuple(_name(name, "coordinate") for name in names)


def _name(name: Any, what: str) -> str:
    if not isinstance(name, str) or not name:
        raise ModelError(f"the name of a {what} must be a text, not {described(name)}")
    return name
