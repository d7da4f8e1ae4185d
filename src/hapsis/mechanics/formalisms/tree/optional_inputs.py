"""Optional inputs of the Functions of a model: states of laws, held inputs, the time.

The code that writes expressions requests them by name; those requested become inputs, with defaults.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.mechanics.formalisms.tree.tree import Tree


class OptionalInputs:
    """The optional inputs that the expressions on one posed tree have requested so far."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.links, self.model = tree, tree.links, tree.links.model
        self.states: dict[str, tuple[Expr, float]] = {}  # {NAME.state: symbol and initial value}
        self.rates: dict[str, Any] = {}
        self.held: dict[str, Expr] = {}  # numbers that the caller supplies, by name
        self.near: list[Expr] = []  # for each mapped pair of contacts whether to evaluate it
        self.slots = {name: k for k, name in enumerate(self.model.speeds)}
        self.places = {name: k for k, name in enumerate(self.model.coordinates)}
        self._time: Expr | None = None

    @property
    def time(self) -> Expr:
        """The time; reading it makes it an input."""
        if self._time is None:
            self._time = symbol("t", graph=self.tree.graph)
        return self._time

    def state(self, name: str, start: float) -> Expr:
        """A state of a law; its rate must be set in `rates`."""
        self.states[name] = symbol(name, graph=self.tree.graph), start
        return self.states[name][0]

    def hold(self, name: str) -> Expr:
        """A number that the caller supplies and that is constant between samples."""
        if name not in self.held:
            self.held[name] = symbol(name, graph=self.tree.graph)
        return self.held[name]

    def inputs(self) -> dict[str, Any]:
        """{name: symbols} of the inputs requested so far."""
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
        """A Function of these inputs and of the optional ones requested.

        z are states of laws, u held inputs, near which pairs of contacts to evaluate, t the time.
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
