"""Rows that no coordinate changes: for the values of a model they are zero, or can never be met.

Which rows these are follows from the structure of a model; whether they are zero depends on its values,
so it is checked for every model, also where all its equations are known already.
"""

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept

NEVER = 1e-12  # m or rad; a constant row that is larger can never be satisfied


def check_constant_rows(model: Model) -> None:
    """Raises an error where a row that no coordinate changes is not zero; checked once for each model."""
    derived(model, check_constant_rows, lambda: _check(model))


def _check(model: Model) -> bool:
    function = kept(model, "constant rows", lambda: constant_rows(model))
    if function is not None:
        values = function.outputs_by_name(compile(function, contract=False)())
        for label, value in values.items():
            kind, _, name = label.partition(" ")
            check_constant(name, float(value), kind == "speed")
    return True


def constant_rows(model: Model) -> Function | None:
    """() -> the rows of parameters alone, "position ROW" and "speed ROW"; None where there are none."""
    from hapsis.compiler.ir.graph.ops import SYMBOL
    from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene
    from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

    tree = posed_tree(model)
    scene, v = ConstraintScene(tree), tree.symbols("v")
    rows = {
        f"position {fact.name}.{name}": tree.links.constant(row)
        for fact in (*model.cuts, *model.constraints.values())
        for name, row in scene.rows(fact).items()
    }
    for fact in model.constraints.values():
        for name, row in scene.speed_rows(fact, v).items():
            rows[f"speed {fact.name}.{name}"] = tree.links.constant(row)
    nodes = tree.graph.nodes
    constant = {
        name: row
        for name, row in rows.items()
        if not row.ref & 2 and not any(nodes[i][0] == SYMBOL for i in tree.graph.live([row.ref]))
    }
    return Function("constant_rows", {}, constant) if constant else None


def check_constant(name: str, value: float, of_speeds: bool) -> None:
    """Raises an error for a row that has the same value everywhere, if that is not zero."""
    if abs(value) > NEVER:
        every = "state" if of_speeds else "pose"
        raise ModelError(
            f'the row "{name[:80]}" can never be met: it is {value:.6g} in every {every}',
            remedy=None if of_speeds else "change the places or directions of the loop",
        )
