"""What a Function of a model may need besides coordinates and speeds: states, held numbers, time.

Whoever writes expressions asks for them by name; what was asked for becomes inputs, with defaults.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.mechanics.formalisms.tree.tree import Tree


class OptionalInputs:
    """What the expressions on one posed tree have asked for so far."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.links, self.model = tree, tree.links, tree.links.model
        self.states: dict[str, tuple[Expr, float]] = {}  # NAME.state: symbol and start
        self.rates: dict[str, Any] = {}
        self.held: dict[str, Expr] = {}  # numbers from outside, by name
        self.near: list[Expr] = []  # for each mapped pair of contacts whether to look at it
        self.slots = {name: k for k, name in enumerate(self.model.speeds)}
        self.places = {name: k for k, name in enumerate(self.model.coordinates)}
        self._time: Expr | None = None

    @property
    def time(self) -> Expr:
        """The time; asking for it makes it an input."""
        if self._time is None:
            self._time = symbol("t", graph=self.tree.graph)
        return self._time

    def state(self, name: str, start: float) -> Expr:
        """A state of a law; its rate must follow."""
        self.states[name] = symbol(name, graph=self.tree.graph), start
        return self.states[name][0]

    def hold(self, name: str) -> Expr:
        """A number that whoever runs the model gives, and holds."""
        if name not in self.held:
            self.held[name] = symbol(name, graph=self.tree.graph)
        return self.held[name]

    def inputs(self) -> dict[str, Any]:
        """The inputs a Function of these expressions has besides its own."""
        inputs: dict[str, Any] = {}
        if self.states:
            inputs["z"] = [x for x, _ in self.states.values()]
        if self.held:
            inputs["u"] = list(self.held.values())
        if self.near:
            inputs["near"] = self.near
        if self._time is not None:
            inputs["t"] = self._time
        return inputs

    def function(self, name: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Function:
        """A Function of these inputs and of what was asked for.

        z are states of laws, u what is held, near which pairs of contacts to look at, t the time.
        """
        more = self.inputs()
        defaults: dict[str, Any] = {}
        if "z" in more:
            defaults["z"] = [start for _, start in self.states.values()]
        if "u" in more:
            defaults["u"] = [0.0] * len(self.held)
        if "near" in more:
            defaults["near"] = [1.0] * len(self.near)
        if "t" in more:
            defaults["t"] = 0.0
        return Function(name, {**inputs, **more}, outputs, defaults=defaults)
