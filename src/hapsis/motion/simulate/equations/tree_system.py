"""The equations of a model without loops or drives as y' = f(t, y)."""

from collections.abc import Mapping, Sequence
from typing import Any, final

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.deferred_verbs import canonical, state_rates
from hapsis.motion.simulate.equations.function_store import once
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.events import Event


@final
class TreeSystem(System):
    """Functions of t, y and u of a model whose coordinates are all independent."""

    @once
    def motion(self) -> Function:
        """(t, y, u) -> dy."""
        x = self.symbols()
        rates = self.evaluate(state_rates, x)
        return self.rate_function("motion", x, rates, rates.a, x["v"], -rates.loss)

    def account_rates(self) -> Function:
        """(q, v, tau, ...) -> all rates, and the powers of the energy account by name."""
        return state_rates(self.model, True)

    @once
    def account(self) -> Function:
        """(t, y, u) -> dy, where the energies of `account_names` stand behind those of y."""
        x = self.symbols()
        rates = self.outputs_by_name(self.account_rates(), x)
        return self.accounted("motion", x, rates, rates["a"], x["v"], -rates["loss"])

    @once
    def canonical_account(self) -> Function:
        """The same with momenta in the place of speeds."""
        x = self.symbols()
        rates = self.outputs_by_name(canonical(self.model, True), {**x, "momenta": x["v"]})
        return self.accounted("canonical", x, rates, rates["dp"], rates["v"], -rates["loss"])

    @once
    def canonical(self) -> Function:
        """(t, y, u) -> dy with momenta in the place of speeds."""
        x = self.symbols()
        rates = self.evaluate(canonical, {**x, "momenta": x["v"]})
        return self.rate_function("canonical", x, rates, rates.dp, rates.v, -rates.loss)

    def watched_by_momenta(self, events: Sequence[Event]) -> Function:
        """(t, y, u) -> values that pass zero at events, where y has momenta in the place of speeds."""

        def write() -> Function:
            x = self.symbols()
            v = self.evaluate(canonical, {**x, "momenta": x["v"]}).v
            return self.function("watched", x, {"g": self.event_values(events, {**x, "v": list(v)})})

        return self.kept_for_events("watched_by_momenta", events, write)

    @once
    def canonical_approach(self) -> Function | None:
        """The Function `approach` with momenta in the place of speeds."""
        x = self.symbols()
        return self.approach_of({**x, "v": self.evaluate(canonical, {**x, "momenta": x["v"]}).v}, x)

    def closing(self) -> None:
        """None: there is nothing to close."""
        return None

    def constraint_loads(self) -> None:
        """None: there are no constraints."""
        return None

    def closed(self, x: Mapping[str, Any]) -> Mapping[str, Any]:
        """The symbols themselves."""
        return x
