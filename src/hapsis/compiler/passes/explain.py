"""hs.explain: a report of the effect of the passes on a Function."""

from dataclasses import dataclass

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.cost import Cost
from hapsis.compiler.ir.text.printer import signature
from hapsis.compiler.passes.chunk import chunks
from hapsis.compiler.passes.eliminate import eliminated, equations
from hapsis.compiler.passes.order import pressure
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import PASSES
from hapsis.compiler.passes.steps import Steps, vector_steps
from hapsis.compiler.passes.twins import twins

# the number of operations from which compilers become slow for one function
CHUNK = 700
LANES = 4  # numbers in a register of AVX2, for the report on twins


@dataclass(frozen=True, repr=False)
class Explanation:
    """The figures of every pass, and of the program of one call; `str()` returns a report.

    passes      name, and cost of one call before and after
    once        cost of what is computed once per parameter set, and how many of its values a call reads
    written     equations written from the Function's inputs
    needed      equations its outputs need
    rules       how often each rule of simplification fired
    pressure    most values alive at once, before and after
    chunks      pieces of at most CHUNK operations, and slots between them
    slots
    steps       the program as vector steps
    twins       operations that share vector instructions in code for one state, and these instructions
    notes       what the verb that made the Function has to say of it
    """

    signature: str
    passes: tuple[tuple[str, Cost, Cost], ...]
    once: tuple[Cost, int]
    written: int
    needed: int
    rules: dict[str, int]
    pressure: tuple[int, int]
    chunks: int
    slots: int
    steps: Steps
    twins: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return str(self)

    @property
    def removed(self) -> float:
        """The share of equations that no output needs."""
        return (self.written - self.needed) / max(1, self.written)

    def __str__(self) -> str:
        before, after = self.pressure
        return "\n".join(
            [
                self.signature,
                "",
                *(line for note in self.notes for line in (note, "")),
                *self._pass_lines(),
                "",
                *self._once_lines(),
                f"equations   {self.written} written, {self.needed} needed: {self.removed:.0%} eliminated",
                f"registers   {before} values alive at once, {after} once ordered",
                f"pieces      {self.chunks} of at most {CHUNK} operations, {self.slots} slots",
                *self._twin_lines(),
                "steps       " + str(self.steps).replace("\n", "\n            "),
                *self._rule_lines(),
            ]
        )

    def _pass_lines(self) -> list[str]:
        wide = max(len(name) for name, _, _ in self.passes)
        lines = [f"{'pass':{wide}}  {'before':>9}  {'after':>9}  operations left"]
        for name, before, after in self.passes:
            lines.append(f"{name:{wide}}  {before.flops:9}  {after.flops:9}  {after}")
        return lines

    def _once_lines(self) -> list[str]:
        cost, size = self.once
        line = f"parameters  {cost.flops} operations once per set, not counted above: {cost}; "
        return [line + f"{size} values of them are read"] * bool(size)

    def _twin_lines(self) -> list[str]:
        packed, instructions = self.twins
        line = f"twins       {packed} operations share {instructions} instructions"
        return [f"{line}, in registers of {LANES} numbers"] * bool(packed)

    def _rule_lines(self) -> list[str]:
        ranked = sorted(self.rules.items(), key=lambda item: (-item[1], item[0]))
        return ["", "rules fired"] * bool(ranked) + [f"{n:9}  {rule}" for rule, n in ranked]


@verb
def explain(function: Function) -> Explanation:
    """The effect of every pass on the Function, and the figures of the resulting program."""
    written, needed = equations(function)
    rules = dict(function.graph.rule_counts)
    new = eliminated(function)
    passes = [("eliminate", function.cost(), new.cost())]
    preparation, kernel = hoisted(function)
    new = new if preparation is None else kernel
    for name, apply in PASSES:
        old, new = new, apply(new)
        passes.append((name, old.cost(), new.cost()))
        if new.graph is not old.graph:
            for rule, count in new.graph.rule_counts.items():
                rules[rule] = rules.get(rule, 0) + count
    pieces = chunks(new, CHUNK)
    packs = twins(new, LANES)
    return Explanation(
        signature(function),
        tuple(passes),
        (function.cost(preparation=True), preparation.n_out if preparation else 0),
        written,
        needed,
        rules,
        (pressure(function), pressure(new)),
        len(pieces),
        pieces.slots,
        vector_steps(new),
        (len(packs.of), len(packs.rows)),
        function.notes,
    )
