"""The chain: any sequence of translations and rotations in one joint."""

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.joints.joint import Joint, Step, step_of
from hapsis.mechanics.model.values.axes import distinct
from hapsis.mechanics.model.values.numbers import described

STEPS = tuple(kind + axis for kind in "TR" for axis in "xyz")
MOST_STEPS = 100


@verb
@frozen
class Chain(Joint, type_name="chain", shown=("sequence",)):
    """Translations and rotations in sequence, `"Tx Ty Rz"`; coordinates `.Tx .Ty .Rz`.

    A repeated step gets a number: `"Rz Tx Rz"` has `.Rz .Tx .Rz2`.
    """

    sequence: str

    def _check(self) -> None:
        if not isinstance(self.sequence, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self.wrong(f"its steps must be a text, not {described(self.sequence)}")
        tokens = self.sequence.split()
        for token in tokens:
            if token not in STEPS:
                raise self.wrong(f'"{token[:60]}" is no step', expected=", ".join(STEPS))
        if not 0 < len(tokens) <= MOST_STEPS:
            raise self.wrong(f"it has {len(tokens)} steps", expected=f"1 to {MOST_STEPS}")
        self._set(sequence=" ".join(tokens))

    @property
    def steps(self) -> tuple[Step, ...]:
        """The translations and rotations in order."""
        return tuple(map(step_of, self.sequence.split()))

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The steps' own names."""
        return distinct(self.sequence.split())
