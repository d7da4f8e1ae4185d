"""Programs on every model of the library: values of its equations, and a short motion."""

from collections.abc import Callable
from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import state_of

MAKERS = {
    **{name: getattr(hs.library, name) for name in hs.library.MODELS},
    "n_four_bar(4)": lambda: hs.library.n_four_bar(4),
}
LENGTHS = {"car": 0.02, "five_link_car": 0.005, "agile_eye": 0.1}  # s, of what is large
LARGE = ("car", "five_link_car")  # of which not all is compiled: it would take minutes


def equations(name: str) -> dict[str, Any]:
    """Mass matrix, bias, efforts, energies at a random state; rows and accelerations if closed."""
    model = MAKERS[name]()
    q, v, a = state_of(model, 7)
    outputs: dict[str, Any] = {
        "names": "\n".join((*model.coordinates, *model.speeds)),
        "M": hs.compile(hs.mass_matrix(model))(q),
        "c": hs.compile(hs.bias(model))(q, v),
        "tau": hs.compile(hs.inverse_dynamics(model))(q, v, a),
        "energy": hs.compile(hs.energy(model))(q, v),
    }
    tau = np.linspace(-1, 1, len(v))
    if not model.cuts and not model.constraints:
        return outputs | {"a": hs.compile(hs.forward_dynamics(model))(q, v, tau)}
    outputs |= {"rows": hs.compile(hs.constraints(model))(q, v)}
    if name not in LARGE:
        state = hs.assemble(model)
        outputs["a"] = hs.compile(hs.forward_dynamics(model))(state.q, state.v, tau)
    return outputs


def motion(name: str) -> dict[str, Any]:
    """Assembled, partitioned, and simulated for a moment."""
    model = MAKERS[name]()
    until = LENGTHS.get(name, 0.2)
    state = hs.assemble(model)
    division = hs.partition(model, state)
    result = hs.simulate(model, until=until, start=state, every=until / 20)
    columns = {"t": result.t} | {x: result[x] for x in (*model.coordinates, *model.speeds)}
    return {
        "start": state,
        "independent": "\n".join(division.independent),
        "dependent": "\n".join(division.dependent),
        "rows": "\n".join(division.rows),
        "pivot": division.pivot,
        "condition": division.condition,
        "result": columns if name in LARGE else result,
        "last": result.last,
    }


def listed(kind: str, name: str, run: Callable[[str], Any]) -> None:
    """Puts one on the list."""
    program(f"library.{name}.{kind}")(lambda: run(name))


for _name in MAKERS:
    listed("equations", _name, equations)
    listed("motion", _name, motion)
