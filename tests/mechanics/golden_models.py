"""Eight mechanisms whose operation counts are kept in `operations.json`.

The numbers of the first six are arbitrary but fixed; what counts is their structure.
    pendulum     one revolute joint
    planar       ten parallel axes
    aligned      seven joints, axes z and y in turn, offsets along z: an industrial arm
    general      thirty joints, skew axes, full inertias
    quadruped    a free base and four legs of three joints
    humanoid     a free base, two legs of six, a waist of two, two arms of seven, a head of two
    car, five_link_car    those of the library: a chassis, four suspensions, their loops cut open
"""

from collections.abc import Callable, Iterator

import numpy as np

import hapsis as hs
from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.registers import planned
from hapsis.compiler.ir.graph.ops import BLOCK
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared

AVX2 = Lanes(1, vector=4, registers=11)


def _full(draw: np.random.Generator, name: str, frames: dict) -> hs.Body:
    """A body of six point masses: six different moments, an off-axis centre of mass."""
    points, masses = draw.normal(size=(6, 3)) * 0.1, draw.uniform(0.1, 0.5, 6)
    com = masses @ points / masses.sum()
    d = points - com
    I = (
        masses[:, None, None]
        * (np.einsum("ij,ij->i", d, d)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :])
    ).sum(0)
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return hs.Body(name, mass=masses.sum(), com=com, inertia=inertia, frames=frames)


def _limb(
    draw: np.random.Generator, name: str, root: object, axes: str, step: tuple[float, ...]
) -> Iterator[object]:
    """Bodies one after the other, each hinged about a letter at the end of the one before."""
    at = root
    for k, axis in enumerate(axes):
        yield _full(draw, f"{name}{k}", {"end": step})
        yield hs.Revolute(f"{name}.{k}", at, f"{name}{k}", axis=axis)
        at = f"{name}{k}.end"


def pendulum() -> hs.Model:
    """One joint."""
    return hs.Model(
        hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
    )


def planar() -> hs.Model:
    """Ten rods that swing in one plane."""
    facts: list[object] = []
    for k in range(10):
        facts.append(hs.Rod(f"rod{k}", length=0.3, mass=0.5))
        facts.append(hs.Revolute(f"j{k}", f"rod{k - 1}.end" if k else hs.WORLD, f"rod{k}", axis="y"))
    return hs.Model(*facts)


def aligned() -> hs.Model:
    """Seven joints, axes in turn along and across."""
    draw = np.random.default_rng(7)
    return hs.Model(*_limb(draw, "link", hs.WORLD, "zyzyzyz", (0, 0, 0.2)))


def general() -> hs.Model:
    """Thirty joints without any symmetry."""
    draw = np.random.default_rng(30)
    facts: list[object] = []
    for k in range(30):
        end = hs.Frame(at=draw.normal(size=3) * 0.2, rpy=draw.normal(size=3))
        facts.append(_full(draw, f"b{k}", {"end": end}))
        facts.append(
            hs.Revolute(f"j{k}", f"b{k - 1}.end" if k else hs.WORLD, f"b{k}", axis=tuple(draw.normal(size=3)))
        )
    return hs.Model(*facts)


def quadruped() -> hs.Model:
    """A free base and four legs."""
    draw = np.random.default_rng(4)
    corners = {
        f"hip{k}": (x, y, 0.0)
        for k, (x, y) in enumerate(((0.3, 0.1), (0.3, -0.1), (-0.3, 0.1), (-0.3, -0.1)))
    }
    facts: list[object] = [_full(draw, "trunk", corners), hs.Free("base", hs.WORLD, "trunk")]
    for k in range(4):
        facts += _limb(draw, f"leg{k}", f"trunk.hip{k}", "xyy", (0, 0.05, -0.25))
    return hs.Model(*facts)


def humanoid() -> hs.Model:
    """A free base with legs, waist, arms and head."""
    draw = np.random.default_rng(2)
    pelvis = _full(draw, "pelvis", {"right": (0, -0.1, 0), "left": (0, 0.1, 0), "waist": (0, 0, 0.1)})
    facts: list[object] = [pelvis, hs.Free("base", hs.WORLD, "pelvis")]
    facts += _limb(draw, "right_leg", "pelvis.right", "zxyyyx", (0, 0, -0.3))
    facts += _limb(draw, "left_leg", "pelvis.left", "zxyyyx", (0, 0, -0.3))
    facts += _limb(draw, "waist", "pelvis.waist", "zy", (0, 0, 0.2))
    facts += _limb(draw, "right_arm", hs.End("waist1", hs.Frame(at=(0, -0.2, 0.2))), "yxzyzyx", (0, 0, -0.2))
    facts += _limb(draw, "left_arm", hs.End("waist1", hs.Frame(at=(0, 0.2, 0.2))), "yxzyzyx", (0, 0, -0.2))
    facts += _limb(draw, "head", "waist1.end", "zy", (0, 0, 0.1))
    return hs.Model(*facts)


GOLDEN: dict[str, Callable[[], hs.Model]] = {
    f.__name__: f for f in (pendulum, planar, aligned, general, quadruped, humanoid)
} | {"car": hs.library.car, "five_link_car": hs.library.five_link_car}


def functions(model: hs.Model) -> dict[str, hs.Function]:
    """What is counted; of a model with loops what is the tree's own."""
    own = {
        "inverse_dynamics": hs.inverse_dynamics(model),
        "mass_matrix": hs.mass_matrix(model),
        "bias": hs.bias(model),
    }
    if model.cuts:
        return own
    return {**own, "forward_dynamics": hs.forward_dynamics(model), "derivatives": hs.derivatives(model)}


def counts(function: hs.Function) -> dict[str, str]:
    """Operations of one call, those done once for each set of parameters, and instructions of a call."""
    return {
        "call": str(function.cost()),
        "preparation": str(function.cost(preparation=True)),
        "instructions": instructions(function),
    }


def instructions(function: hs.Function) -> str:
    """What is written for one state on a processor with AVX2: results, of one node or of twins, and values
    that are stored and loaded for want of registers. Bodies of blocks count once.
    """
    arithmetic = stores = loads = 0
    bodies, known = [prepared(hoisted(function)[1])], set[bytes]()
    for body in bodies:
        if body.digest not in known:
            known.add(body.digest)
            plan = planned(body, AVX2.registers, fuse=True, vector=AVX2.vector, packed=True)
            arithmetic += sum(map(len, plan.chunks))
            stores += len(plan.slots)
            loads += sum(map(len, plan.reloads.values()))
            graph = body.graph
            bodies += [
                prepared(graph.blocks[graph.nodes[i][1]].body)
                for i in body.live
                if graph.nodes[i][0] == BLOCK
            ]
    return f"{arithmetic} computed, {stores} stored, {loads} loaded"
