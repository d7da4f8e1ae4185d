"""The equations of a model without loops or drives as y' = f(t, y)."""

from collections.abc import Mapping
from typing import Any, final

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.dynamics.canonical import canonical
from hapsis.mechanics.formalisms.dynamics.state_rates import state_rates
from hapsis.motion.simulate.equations.function_store import once
from hapsis.motion.simulate.equations.system import System


@final
class TreeSystem(System):
    """Functions of t, y and u of a model whose coordinates are all independent."""

    @once
    def motion(self) -> Function:
        """(t, y, u) -> dy."""
        x = self.symbols()
        rates = self.evaluate(state_rates(self.model), x)
        # Ẇ = τ·v - losses
        power = sum((t * v for t, v in zip(x["tau"], x["v"], strict=True)), -rates.loss)
        dz = list(rates.dz) if self.layout.n_z else []
        return self.function("motion", x, {"dy": [*rates.dq, *rates.a, *dz, power]})

    @once
    def canonical(self) -> Function:
        """(t, y, u) -> dy with momenta in the place of speeds."""
        x = self.symbols()
        rates = self.evaluate(canonical(self.model), {**x, "momenta": x["v"]})
        power = sum((t * v for t, v in zip(x["tau"], rates.v, strict=True)), -rates.loss)
        dz = list(rates.dz) if self.layout.n_z else []
        return self.function("canonical", x, {"dy": [*rates.dq, *rates.dp, *dz, power]})

    def closing(self) -> None:
        """None: there is nothing to close."""
        return None

    def constraint_loads(self) -> None:
        """None: there are no constraints."""
        return None

    def closed(self, x: Mapping[str, Any]) -> Mapping[str, Any]:
        """The symbols themselves."""
        return x
