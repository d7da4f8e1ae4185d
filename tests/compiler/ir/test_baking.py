"""Parameters folded in as constants, also in Functions that are called, mapped and repeated."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.graph.ops import BLOCK


def spring():
    """A Function with two parameters."""
    x, y = hs.symbols("x", 3), hs.symbol("y")
    k, c = hs.parameter("k", 3.7), hs.parameter("c", 0.3)
    return hs.Function("spring", {"x": x, "y": y}, {"f": k * x + hs.sin(c * y), "e": k * c * (x @ x)})


def called():
    f = spring()
    a, b = hs.symbols("a", 3), hs.symbol("b")
    one = blocks.call(f, a, b)
    two = blocks.call(f, one.f, b + hs.parameter("k", 3.7))
    return hs.Function("outer", {"a": a, "b": b}, {"f": two.f, "e": one.e + two.e})


def nested():
    f = called()
    a, b = hs.symbols("a", 3), hs.symbol("b")
    return hs.Function(
        "twice", {"a": a, "b": b}, {"f": blocks.call(f, a, b).f, "g": blocks.call(f, 2.0 * a, b).e}
    )


def mapped():
    f = spring()
    a, b = hs.symbols("a", 4, 3), hs.symbol("b")
    into = {"f": (np.array([0, 1, 0, 2]), 3)}
    near = [b, 1.0, a[0, 0], 0.0 * b]
    f_sum, e = blocks.map(f, a, b, add_into=into, when=np.array(near, dtype=object))
    return hs.Function("many", {"a": a, "b": b}, {"f": f_sum, "e": e})


def repeated():
    x, c = hs.symbols("x", 2), hs.symbol("c")
    k = hs.parameter("k", 0.8)
    new = [k * hs.cos(x[0]) + c, k * x[1]]
    body = hs.Function("body", {"x": x, "c": c}, {"x": new, "done": hs.abs(x[1]) < 0.1})
    a, b = hs.symbol("a"), hs.symbol("b")
    last = blocks.repeat(body, [a, 1.0], b, times=30)
    return hs.Function("loop", {"a": a, "b": b}, {"x": last[0], "y": last[1]})


def all_parameters(function):
    """The names of the parameters of a Function and of all that it calls."""
    names = set(function.parameters)
    for index in function.live:
        node = function.graph.nodes[index]
        if node[0] == BLOCK:
            names |= all_parameters(function.graph.blocks[node[1]].body)
    return names


@pytest.mark.parametrize("make", [spring, called, nested, mapped, repeated], ids=lambda make: make.__name__)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_baked_functions_compute_the_same(make, backend):
    """No parameter is left at any depth, and numbers agree to rounding; the first Function stays."""
    f = make()
    cost, names = f.cost(), all_parameters(f)
    g = f.baked()
    assert names and not all_parameters(g)
    assert f.cost() == cost and all_parameters(f) == names
    assert g.cost().flops <= cost.flops
    draw = np.random.default_rng(3)
    one, two = hs.compile(f, backend), hs.compile(f, backend, bake=True)
    for _ in range(5):
        inputs = [draw.normal(size=port.shape) for port in f.inputs]
        for x, y in zip(one(*inputs), two(*inputs), strict=True):
            assert np.allclose(x, y, rtol=1e-13, atol=1e-15)
    assert len(g.inputs) == len(f.inputs)


def test_bodies_that_are_equal_stay_one():
    """Two calls of one Function call one baked Function."""
    g = called().baked()
    bodies = {g.graph.nodes[i][1] for i in g.live if g.graph.nodes[i][0] == BLOCK}
    assert len(bodies) == 1


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_steps_are_baked_to_their_inner_calls(method):
    """A step calls its equations four times; their parameters become constants and save operations."""
    model = hs.Model(
        hs.Rod("upper", length=0.5, mass=1.0),
        hs.Rod("lower", length=0.4, mass=0.7),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", damping=0.1),
        hs.Revolute("elbow", "upper.end", "lower", axis="y", friction=0.02),
        hs.Contact("floor", "lower.end", (hs.WORLD.at(0, 0, -0.5), hs.Plane()), hs.Linear(1e3, 1.0)),
    )
    step = hs.stepper(model, 1e-3, method=method, outputs=["floor.force", "energy"])
    baked = step.baked()
    assert not all_parameters(baked) and baked.cost().flops < step.cost().flops
    one, two = hs.compile(step), hs.compile(step, bake=True)
    x, y = one(), two()
    for _ in range(50):
        x, y = one(*x[:4]), two(*y[:4])
    for a, b in zip(x, y, strict=True):
        assert np.allclose(a, b, rtol=1e-9, atol=1e-12)
