"""The energy account of a model: what each joint, force and contact dissipates, gives and holds.

    NAME.loss     J dissipated: what goes in less the growth of what is stored
    NAME.work     J given to the mechanism by what does not say how much of it is stored
    NAME.stored   J held that the potential energy does not contain: by laws with a memory, and by contacts
                  whose force follows from no potential

Only what is asked for is written into the graph, so that the equations of motion stay as they are.
"""

from collections.abc import Callable
from typing import Any

from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

LOSS, WORK, STORED = "loss", "work", "stored"


class EnergyAccount:
    """Powers and stored energies by the name of their fact, noted while forces act."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._noted: list[tuple[str, bool, Any]] = []  # a column, whether its power is taken off, a power
        self._held: list[tuple[str, Callable[[], Any]]] = []

    def lose(self, name: str, power: Any) -> None:
        """A dissipated power."""
        self._noted.append((f"{name}.{LOSS}", False, power))

    def give(self, name: str, power: Any) -> None:
        """A power given to the mechanism."""
        self._noted.append((f"{name}.{WORK}", False, power))

    def take(self, name: str, power: Any) -> None:
        """A power taken from the mechanism by what does not say where it goes."""
        self._noted.append((f"{name}.{WORK}", True, power))

    def hold(self, name: str, energy: Callable[[], Any]) -> None:
        """An energy that the potential energy does not contain; it is written when it is asked for."""
        self._held.append((f"{name}.{STORED}", energy))

    def powers(self) -> dict[str, Any]:
        """{NAME.loss or NAME.work: power}, without those that are always zero."""
        sums: dict[str, Any] = {}
        for column, taken, power in self._noted:
            before = sums.get(column, self.tree.zero)
            sums[column] = before - power if taken else before + power
        return {column: power for column, power in sums.items() if not is_zero(power)}

    def stored(self) -> dict[str, Any]:
        """{NAME.stored: energy}."""
        sums: dict[str, Any] = {}
        for column, energy in self._held:
            sums[column] = sums.get(column, self.tree.zero) + energy()
        return sums
